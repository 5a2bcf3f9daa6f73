"""The recorded corpus: random streams and what @xterm/headless showed for each.

``ask FIRST LAST`` prints the streams of these seeds for record_corpus.mjs, ``keep`` packs its answers into
corpus.json.gz, and ``compare`` only says where the emulator shows something else; see there for the whole command.
Streams on which that terminal threw are left out. ``count`` says how many of the kept streams have each kind.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from screen_streams import stream

from grader.evidence.screen import Screen, Style

CORPUS = Path(__file__).with_name("corpus.json.gz")

Cell = tuple[str, str]
"""A character, empty for the second half of a wide one, and its style in words."""


@dataclass(frozen=True)
class Recorded:
    seed: int
    columns: int
    rows: int
    stream: bytes
    cursor: tuple[int, int]
    wrapped: int
    """How many rows go on in the next."""
    cells: list[list[Cell]]
    """The rows of the scrollback and of the screen."""

    @property
    def text(self) -> str:
        return self.stream.decode()


KINDS = {
    "text": r"[a-zA-Z]{2}",
    "wide characters": r"[\u3000-\ud7ff\U0001f300-\U0001f6ff]",
    "combining characters": r"[\u0300-\u036f\u200d\ufe0f\u20e3]",
    "CR": r"\r(?!\n)",
    "CR LF": r"\r\n",
    "LF alone": r"(?<!\r)\n",
    "BS": r"\x08",
    "tab": r"\t",
    "erase in line": r"\x1b\[\??[0-2]?K",
    "erase in display": r"\x1b\[[0-2]?J",
    "erase characters": r"\x1b\[\d*X",
    "cursor up": r"\x1b\[\d*[AF]",
    "cursor down, right, left": r"\x1b\[\d*[BCDEae]",
    "cursor to a column": r"\x1b\[\d*[G`]",
    "cursor to a place": r"\x1b\[[\d;]*[Hfd]",
    "style": r"\x1b\[[\d;:]*m",
    "palette and RGB colours": r"\x1b\[[\d;:]*[34]8[;:]",
    "save and restore": r"(?s)\x1b7.*\x1b8|\x1b\[s.*\x1b\[u",
    "insert, delete characters": r"\x1b\[\d*[@P]",
    "insert, delete lines": r"\x1b\[\d*[LM]",
    "scroll, reverse index": r"\x1b\[\d*[ST]|\x1bM",
    "scroll region": r"\x1b\[\d*;\d*r",
    "alternate screen": r"\x1b\[\?1049h",
    "synchronized output": r"\x1b\[\?2026h",
    "cursor hidden": r"\x1b\[\?25l",
    "CR, erase, text again": r"(?:\r\x1b\[0?[KJ]|\r\x1b\[2K|\x1b\[2K\r|\x1b\[1?G\x1b\[K).",
    "up over a wrapped line": r"\x1b\[\d+A\r",
    "lines erased upwards": r"\x1b\[1A\x1b\[2K",
}
"""What a stream of each kind matches."""


def counts(recorded: list[Recorded]) -> dict[str, int]:
    """How many of the streams have each kind of thing in them."""
    found = {kind: sum(bool(re.search(pattern, one.text)) for one in recorded) for kind, pattern in KINDS.items()}
    found["wrap at the margin"] = sum(one.wrapped > 0 for one in recorded)
    found["scrolling off the top"] = sum(len(one.cells) > one.rows for one in recorded)
    return found


def load() -> list[Recorded]:
    with gzip.open(CORPUS, "rt", encoding="utf-8") as file:
        return [_recorded(answer) for answer in json.load(file)]


def _recorded(answer: dict[str, Any]) -> Recorded:
    return Recorded(
        seed=answer["seed"],
        columns=answer["columns"],
        rows=answer["rows"],
        stream=answer["stream"].encode(),
        cursor=tuple(answer["cursor"]),
        wrapped=answer["wrapped"],
        cells=[_read_cells(*row) for row in answer["shown"]],
    )


def _read_cells(chars: list[str], styles: list[tuple[int, str]]) -> list[Cell]:
    looks = [look for count, look in styles for _ in range(count)]
    return list(zip(chars, looks, strict=True))


def difference(recorded: Recorded) -> str | None:
    """The first thing that the emulator shows otherwise."""
    screen = Screen(recorded.columns, recorded.rows)
    screen.feed(recorded.stream)
    shown, expected = _shown_cells(screen), recorded.cells
    if b"S" in recorded.stream:
        shown, expected = shown[-recorded.rows :], expected[-recorded.rows :]
    row, column = screen.cursor
    cursor = row, column + screen._grid.pending  # behind a full row the recorded one stands outside of it
    if cursor != recorded.cursor:
        return f"seed {recorded.seed}: the cursor is at {cursor}, not {recorded.cursor}"
    if len(shown) != len(expected):
        return f"seed {recorded.seed}: {len(shown)} rows, not {len(expected)}"
    for y, (shown_row, expected_row) in enumerate(zip(shown, expected, strict=True)):
        for x, (got, wanted) in enumerate(zip(shown_row, expected_row, strict=True)):
            if got[0] != wanted[0] or wanted[1] not in (got[1], "any"):
                return f"seed {recorded.seed}, row {y}, column {x}: {got}, not {wanted}"
    return None


def _shown_cells(screen: Screen) -> list[list[Cell]]:
    buffer = screen._grid.buffer
    return [
        [(char, _words(style)) for char, style in zip(row.chars, row.styles, strict=True)]
        for _, row in buffer.numbered()
    ]


def _words(style: Style) -> str:
    colours = {"fg": style.fg, "bg": style.bg}
    words = [word if word not in colours else f"{word}={colours[word]}" for word in style.words]
    return " ".join(words).replace("(", "").replace(")", "").replace(", ", ",")


def ask(first: int, last: int) -> None:
    for seed in range(first, last):
        made = stream(seed)
        data = base64.b64encode(made.data).decode()
        print(json.dumps({"seed": seed, "columns": made.columns, "rows": made.rows, "data": data}))


def _answers() -> list[dict[str, Any]]:
    answers = [answer for line in sys.stdin if "crash" not in (answer := json.loads(line))]
    for answer in answers:
        answer["stream"] = base64.b64decode(answer.pop("data")).decode()
    return answers


def keep() -> None:
    packed = json.dumps(_answers(), ensure_ascii=False, separators=(",", ":")).encode()
    CORPUS.write_bytes(gzip.compress(packed, mtime=0))


def compare() -> None:
    recorded = [_recorded(answer) for answer in _answers()]
    different = [found for one in recorded if (found := difference(one))]
    print(*different, f"{len(different)} of {len(recorded)} differ", sep="\n")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["ask", first, last]:
            ask(int(first), int(last))
        case ["keep"]:
            keep()
        case ["compare"]:
            compare()
        case _:
            print(*(f"{number:5} {kind}" for kind, number in counts(load()).items()), sep="\n")
