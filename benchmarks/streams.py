"""Terminal bytes on which the kit's screen and pyte's agree: in ASCII, and the dense ones away from the right edge."""

from __future__ import annotations

import io
import random
import string
from collections.abc import Callable

import solution
import texts
from terminal import COLUMNS, ROWS

ANSWER = 30_000
"""Characters of the recorded session's answer."""
FLOOD = 10_000
"""Lines of the flood."""
SEQUENCES = 50_000
"""Escape sequences of the dense stream."""


def session(rng: random.Random) -> bytes:
    """What the solution's renderer writes for an answer, delta by delta."""
    out = io.StringIO()
    renderer, text_event = solution.renderer()(out, tty=True), solution.text_event()
    for delta in texts.deltas(texts.document(rng, ANSWER)):
        renderer.handle(text_event(delta))
    renderer.handle(solution.done_event())
    return out.getvalue().replace("\n", "\r\n").encode()  # as the terminal's line discipline does


def flood(rng: random.Random) -> bytes:
    """Lines of up to one and a half rows, as from `cat`."""
    letters = string.ascii_letters + string.digits + " "
    lines = ("".join(rng.choices(letters, k=rng.randrange(COLUMNS * 3 // 2))) for _ in range(FLOOD))
    return "".join(f"{line}\r\n" for line in lines).encode()


def dense(rng: random.Random) -> bytes:
    """A sequence, a word, a sequence, a word: as from a program that draws the whole screen."""
    return "".join(rng.choice(_SEQUENCES)(rng) + texts.word(rng) for _ in range(SEQUENCES)).encode()


STREAMS: dict[str, Callable[[random.Random], bytes]] = {
    "recorded session": session,
    "plain flood": flood,
    "dense sequences": dense,
}


def _address(rng: random.Random) -> str:
    return f"\x1b[{rng.randint(1, ROWS)};{rng.randint(1, COLUMNS // 2)}H"


def _rendition(rng: random.Random) -> str:
    return f"\x1b[{rng.choice(('0', '1', '4', '7', '31', '42', '1;38;5;200', '38;2;1;2;3'))}m" + _address(rng)


def _erasure(rng: random.Random) -> str:
    return _address(rng) + f"\x1b[{rng.choice(('K', '1K', '2K', 'J', '1J', '5X'))}"


def _shift(rng: random.Random) -> str:
    """No deleted lines: where an untouched row should move up, pyte leaves the old one."""
    return _address(rng) + f"\x1b[{rng.randint(1, 3)}{rng.choice('@PL')}"


def _movement(rng: random.Random) -> str:
    return _address(rng) + f"\x1b[{rng.randint(1, 9)}{rng.choice('ABCD')}"


_SEQUENCES = (_address, _rendition, _rendition, _rendition, _erasure, _shift, _movement)
