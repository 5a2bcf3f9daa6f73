"""How many megabytes in a second the kit's screen takes in, beside pyte's, on the same bytes.

README.md beside this file says what is measured, and how to run it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from importlib import import_module

import streams
from measure import Call, WrongWork, measure_in_turns, tell
from script import Options, run
from tables import table
from terminal import COLUMNS, ROWS

ROUNDS = 5

PYTE = "pyte==0.8.2"
CHUNK = 4096
"""Bytes that one read from a terminal brings."""

Rows = list[str]
"""What is on the screen, row by row, without the blanks at the ends of rows."""


def measure(options: Options) -> list[str]:
    rng = random.Random(options.seed)
    made = [(name, make(rng)) for name, make in streams.STREAMS.items()]
    pairs = [comparison(name, data) for name, data in made]
    for pair in pairs:
        measure_in_turns(pair, options.rounds, tell)
    rows = []
    for (name, data), (ours, theirs) in zip(made, pairs, strict=True):
        speeds = [len(data) / 1e6 / one.least for one in (ours, theirs)]
        rows.append(
            [name, f"{len(data) / 1e6:.2f}", *(f"{speed:.2f}" for speed in speeds), f"{speeds[0] / speeds[1]:.1f}"]
        )
    return [table(["stream", "MB", "Screen, MB/s", "pyte, MB/s", "Screen / pyte"], rows)]


def comparison(name: str, data: bytes) -> list[Call[Rows]]:
    """Both screens on this stream. pyte's shows what it shows when it is asked first; the kit's must show the same."""
    wanted = by_pyte(data)

    def verify(rows: Rows) -> None:
        if rows != wanted:
            at = next(index for index in range(ROWS) if rows[index] != wanted[index])
            raise WrongWork(f"{name}: row {at} is {rows[at]!r}, and {wanted[at]!r} on pyte's screen")

    return [Call(f"Screen, {name}", lambda: by_kit(data), verify), Call(f"pyte, {name}", lambda: by_pyte(data), verify)]


def by_kit(data: bytes) -> Rows:
    from grader.evidence.screen import Screen  # only the environment has it

    screen = Screen(COLUMNS, ROWS)
    in_chunks(data, screen.feed)
    rows = [""] * ROWS
    top = screen.mark().row - screen.cursor[0]
    for line in screen.lines():
        for index in range(line.rows):
            if line.row + index >= top:
                rows[line.row + index - top] = line.text[index * COLUMNS : (index + 1) * COLUMNS].rstrip()
    return rows


def by_pyte(data: bytes) -> Rows:
    pyte = import_module("pyte")  # only the environment has it, and it has no types
    screen = pyte.Screen(COLUMNS, ROWS)
    in_chunks(data, pyte.ByteStream(screen).feed)
    return [row.rstrip() for row in screen.display]


def in_chunks(data: bytes, feed: Callable[[bytes], object]) -> None:
    for start in range(0, len(data), CHUNK):
        feed(data[start : start + CHUNK])


if __name__ == "__main__":
    sys.exit(run(__doc__, ROUNDS, measure, packages=[PYTE], named=["pyte", "wcwidth"]))
