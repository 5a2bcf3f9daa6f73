"""What one delta costs the solution's renderer, and rich's `Live`, when the answer has become long.

README.md beside this file says what is measured, and how to run it.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TextIO

import solution
import texts
from measure import Cost, Measured, Stopwatch, WrongWork, measure_in_turns, tell
from script import Options, run
from tables import table
from terminal import COLUMNS, ROWS, Terminal

ROUNDS = 9

LENGTHS = (1_000, 10_000, 100_000)
"""Characters of an answer."""
COUNTED = 250
"""Deltas at the end of an answer that are measured: all of the shortest."""
COUNTED_OF_RICH = {1_000: 250, 10_000: 50, 100_000: 10}
"""Of an answer of this length. Rich renders all of it with each delta, so more would take minutes."""

FENCE = "```text\n"

Show = Callable[[str], object]
"""Show one more piece of the answer."""


@dataclass
class Showing(Measured):
    """An answer shown on a terminal. Only its `end`, delta by delta, is measured."""

    beginning: list[str]
    end: list[str]
    way: Callable[[TextIO], AbstractContextManager[Show]]
    verify: Callable[[str, str], bool]
    """Whether this answer may look so on the screen."""
    written: int = field(init=False, default=0)
    """Bytes for the end."""

    def run(self) -> Cost:
        with Terminal() as terminal, self.way(terminal.out) as show:
            for piece in self.beginning:
                show(piece)
            before, watch = terminal.written, Stopwatch()
            for delta in self.end:
                show(delta)
            cost = watch.cost()
            self.written = terminal.written - before
        if not self.verify("".join(self.beginning + self.end), text_on_screen(terminal.record)):
            raise WrongWork(f"{self.name}: the screen does not show the answer at the end")
        return cost

    @property
    def microseconds(self) -> float:
        """For one delta, in the best round."""
        return self.least / len(self.end) * 1e6

    @property
    def bytes(self) -> float:
        """For one delta."""
        return self.written / len(self.end)


def measure(options: Options) -> list[str]:
    rng = random.Random(options.seed)
    prose = texts.prose(rng, max(LENGTHS))
    code = texts.code_block(rng, max(LENGTHS))
    # All answers of a kind have the same end: their costs differ only by what is above it.
    kinds = {
        "prose": [prose[-length:] for length in LENGTHS],
        "code": [FENCE + code[len(FENCE) - length :] for length in LENGTHS],
    }
    tables = []
    for kind, answers in kinds.items():
        pairs = [(ours(answer), of_rich(answer)) for answer in answers]
        measure_in_turns([one for pair in pairs for one in pair], options.rounds, tell)
        tables.append(pair_table(kind, pairs))
    return tables


def ours(answer: str) -> Showing:
    deltas = texts.deltas(answer)
    name = f"Renderer, {len(answer):,} characters"
    return Showing(name, deltas[:-COUNTED], deltas[-COUNTED:], by_solution, shows_word_for_word)


def of_rich(answer: str) -> Showing:
    deltas = texts.deltas(answer)
    counted = COUNTED_OF_RICH[len(answer)]
    name = f"rich, {len(answer):,} characters"
    return Showing(name, ["".join(deltas[:-counted])], deltas[-counted:], by_rich, shows_words)


@contextmanager
def by_solution(out: TextIO) -> Iterator[Show]:
    renderer, text_event = solution.renderer()(out, tty=True), solution.text_event()
    yield lambda piece: renderer.handle(text_event(piece))
    renderer.handle(solution.done_event())


@contextmanager
def by_rich(out: TextIO) -> Iterator[Show]:
    from rich.console import Console  # only the environment has it
    from rich.live import Live
    from rich.markdown import Markdown

    text = ""
    # The size and the kind of terminal that rich would find out for itself, whatever the caller's TERM says.
    console = Console(file=out, force_terminal=True, width=COLUMNS, height=ROWS, color_system="256", _environ={})
    with Live(console=console, auto_refresh=False, redirect_stdout=False, redirect_stderr=False) as live:

        def show(piece: str) -> None:
            nonlocal text
            text += piece
            live.update(Markdown(text), refresh=True)

        yield show


def text_on_screen(record: bytes) -> str:
    from grader.evidence.screen import Screen  # only the environment has it

    screen = Screen(COLUMNS, ROWS)
    screen.feed(record)
    return screen.text()


def shows_word_for_word(answer: str, screen: str) -> bool:
    """As a screen is read: without the blanks at the ends of lines, and the empty lines at the end."""
    return screen == "\n".join(line.rstrip(" ") for line in answer.split("\n")).rstrip("\n")


def shows_words(answer: str, screen: str) -> bool:
    """Rich joins lines and takes the markers away."""
    return re.findall(r"\w+", screen) == re.findall(r"\w+", answer.removeprefix(FENCE))


def pair_table(kind: str, pairs: list[tuple[Showing, Showing]]) -> str:
    head = [
        f"{kind}, characters",
        "us per delta",
        "to the first",
        "bytes",
        "rich: us",
        "to the first",
        "bytes",
    ]
    rows = []
    for length, (mine, rich) in zip(LENGTHS, pairs, strict=True):
        row = [f"{length:,}"]
        for one, first in ((mine, pairs[0][0]), (rich, pairs[0][1])):
            flatness = one.microseconds / first.microseconds
            row += [f"{one.microseconds:,.1f}", f"{flatness:.2f}", f"{one.bytes:,.0f}"]
        rows.append([*row, f"{len(rich.end)}", f"{rich.microseconds / mine.microseconds:,.0f}"])
    return table([*head, "of deltas", "rich / ours"], rows)


if __name__ == "__main__":
    sys.exit(run(__doc__, ROUNDS, measure, named=["rich", "wcwidth"]))
