"""The terminal: a turn becomes rows, and each new picture is drawn over the one before.

The draft is drawn in rows that can be erased again, so it shows no more than fits on the screen. What is final is
written once, whole, and stays. In a pipe nothing can be erased: there only the final answer is written.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import NamedTuple, TextIO

from wcwidth import wcwidth

from turn import Reasoning, Turn

REASONING_ROWS = 5

# What a terminal obeys instead of showing it: control characters, and those that turn the direction of writing.
SHOWN = {code: chr(0x2400 + code) for code in range(0x20) if code not in b"\n\t"}
SHOWN |= {code: f"\\x{code:02x}" for code in range(0x7F, 0xA0)}
SHOWN |= {code: f"\\u{code:04x}" for code in (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))}
SHOWN |= {ord("\t"): "    "}

DIM, RED = "\x1b[2m", "\x1b[31m"
PLAIN = "\x1b[0m"


class Row(NamedTuple):
    """One row of the screen, and whether the text's own line ends with it; else the terminal goes on by itself."""

    text: str
    ends_line: bool
    style: str = ""


class Front:
    """Shows one turn after another on `out`. `tty` says whether escape sequences are welcome there."""

    def __init__(self, out: TextIO, *, tty: bool) -> None:
        self._out = out
        self.tty = tty
        self._drawn = 0  # rows of the picture that can be erased

    def draw(self, turn: Turn) -> None:
        """Show the turn as it is now, in the place of the picture before."""
        final = turn.done or turn.error is not None
        if not self.tty:
            if turn.done:
                self._out.write(turn.answer if turn.answer.endswith("\n") else f"{turn.answer}\n")
                self._out.flush()
            return
        size = self._size()
        rows = list(rows_of(turn, size.columns))
        if not final:
            rows = rows[-max(size.lines - 1, 1) :]
        up = f"\x1b[{self._drawn - 1}A" if self._drawn > 1 else ""
        erase = f"\r{up}\x1b[J" if self._drawn else ""
        self._out.write(erase + "".join(map(written, rows[:-1])))
        if rows:
            last = rows[-1]
            self._out.write(written(last._replace(ends_line=final)))
        self._drawn = 0 if final else len(rows)
        self._out.flush()

    def leave(self) -> None:
        """Leave what is drawn where it is, and the cursor below it."""
        if self._drawn:
            self._out.write("\r\n")
            self._out.flush()
            self._drawn = 0

    def _size(self) -> os.terminal_size:
        try:
            return os.get_terminal_size(self._out.fileno())
        except OSError:
            return os.terminal_size((80, 24))


def rows_of(turn: Turn, columns: int) -> Iterator[Row]:
    """The turn from top to bottom: the reasoning block, then the answer or the error."""
    if turn.reasoning:
        yield from _reasoning_rows(turn.reasoning, columns)
    if turn.error is not None:
        yield from (row._replace(style=RED) for row in wrapped(turn.error, columns))
    elif turn.answer:
        yield from wrapped(turn.answer.rstrip("\n") if turn.done else turn.answer, columns)


def _reasoning_rows(reasoning: Reasoning, columns: int) -> Iterator[Row]:
    """The last rows while it is open; one line when it is folded."""
    if not reasoning.open:
        yield Row(f"▸ thought, {len(reasoning.text)} characters"[:columns], True, DIM)
        return
    bar = "│ "
    rows = list(wrapped(reasoning.text.strip("\n"), max(columns - len(bar), 2)))
    for row in rows[-REASONING_ROWS:]:
        yield Row(bar + row.text, True, DIM)


def wrapped(text: str, columns: int) -> Iterator[Row]:
    """The rows in which a terminal of this width shows a text."""
    for line in text.translate(SHOWN).split("\n"):
        row, width = "", 0
        for char in line:
            cells = max(wcwidth(char), 0)
            if width + cells > columns:  # also a wide character with one column left
                yield Row(row, ends_line=False)
                row, width = "", 0
            row += char
            width += cells
        yield Row(row, ends_line=True)


def written(row: Row) -> str:
    styled = f"{row.style}{row.text}{PLAIN}" if row.style else row.text
    return styled + ("\r\n" if row.ends_line else "")


@contextlib.contextmanager
def quiet_terminal() -> Iterator[None]:
    """During a turn nothing typed is echoed into the picture, and Ctrl-C throws away nothing that was written."""
    try:
        import termios

        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
        in_front = os.tcgetpgrp(keyboard) == os.getpgrp()  # changing it from the background would stop the program
    except (ImportError, AttributeError, OSError, ValueError, termios.error):
        in_front = False
    if not in_front:
        yield
        return
    during = before[:]
    during[3] = during[3] & ~(termios.ECHO | termios.ECHONL) | termios.NOFLSH
    termios.tcsetattr(keyboard, termios.TCSANOW, during)
    try:
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)
