"""Made-up answers: Markdown as a model writes it, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

DELTA = 4
"""Characters of a delta."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def deltas(text: str) -> list[str]:
    return [text[start : start + DELTA] for start in range(0, len(text), DELTA)]


def prose(rng: random.Random, length: int) -> str:
    """So many characters in paragraphs of some lines of three to twenty-four words, some of them bold or code."""
    return _filled(_prose_lines(rng), length)


def code_block(rng: random.Random, length: int) -> str:
    """So many characters, one code block that is never closed."""
    return _filled(_code_lines(rng), length)


def document(rng: random.Random, length: int) -> str:
    """So many characters: headings, prose, code blocks."""
    return _filled(_document_lines(rng), length)


def word(rng: random.Random) -> str:
    return "".join(rng.choices(_LETTERS, k=rng.randint(2, 9)))


def _filled(lines: Iterator[str], length: int) -> str:
    pieces: list[str] = []
    size = 0
    while size < length:
        pieces.append(next(lines) + "\n")
        size += len(pieces[-1])
    return "".join(pieces)[:length]


def _prose_lines(rng: random.Random) -> Iterator[str]:
    while True:
        words = [word(rng) for _ in range(rng.randint(3, 24))]
        marked = rng.randrange(len(words))
        words[marked] = rng.choice(("{}", "**{}**", "`{}`")).format(words[marked])
        yield " ".join(words)
        if rng.random() < 0.2:
            yield ""


def _code_lines(rng: random.Random) -> Iterator[str]:
    yield "```text"
    while True:
        yield " " * rng.choice((0, 2, 4)) + f"{word(rng)} = {word(rng)}({word(rng)}, {rng.randrange(10_000)})"


def _document_lines(rng: random.Random) -> Iterator[str]:
    prose_lines = _prose_lines(rng)
    while True:
        yield f"## {word(rng)} {word(rng)}"
        for _ in range(rng.randint(1, 6)):
            yield next(prose_lines)
        code_lines = _code_lines(rng)
        for _ in range(rng.randint(2, 9)):
            yield next(code_lines)
        yield "```"
