"""Shows an answer; what is unfinished is wiped when the turn is over."""

import os
import re
from typing import TextIO

from wcwidth import wcwidth

from events import DoneEvent, ErrorEvent, Event

BOLD, CODE, OFF = "\x1b[1m", "\x1b[33m", "\x1b[m"
FENCE = re.compile(r" {0,3}(`{3,})([^`]*)$")
HEADING = re.compile(r"#{1,6} ")
SPAN = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|\*\*[^\s*](?:.*?[^\s*])??\*\*")

VISIBLE = {code: f"<{code:02X}>" for code in (*range(0x20), *range(0x7F, 0xA0)) if code != 0x0A}
VISIBLE[0x09] = "    "


class Renderer:
    def __init__(self, out: TextIO, *, tty: bool) -> None:
        self.out = out
        self.tty = tty
        self.cleans = out.isatty()
        self.fence = 0  # as many backticks as opened the block
        self.line = ""
        self.row = 0  # of the cursor, below the first row of the line
        self.fits = tty  # the line is on the screen from its beginning

    def handle(self, event: Event) -> None:
        if isinstance(event, ErrorEvent):
            self.finish()
            self.out.write(self.clean(event.message) + "\n")
        elif isinstance(event, DoneEvent):
            self.finish()
        else:
            self.show(self.clean(event.text))
        self.out.flush()

    def clean(self, text: str) -> str:
        return text.translate(VISIBLE) if self.cleans else text

    def show(self, text: str) -> None:
        *ends, rest = text.split("\n")
        for end in ends:
            self.end_line(end)
        if rest:
            self.paint(rest)

    def finish(self) -> None:
        if not self.line:
            return
        if self.fits:
            up = f"\x1b[{self.row}A" if self.row else ""
            self.out.write(f"\r{up}\x1b[J")
        else:
            self.out.write("\n")
        self.line = ""

    def end_line(self, end: str) -> None:
        self.paint(end, settled=True)
        self.out.write("\n")
        self.line, self.row, self.fits = "", 0, self.tty

    def paint(self, new: str, *, settled: bool = False) -> None:
        """The whole line again, over itself; a line that is taller than the screen only goes on."""
        self.line += new
        above = self.row
        if self.fits:
            columns, rows = os.get_terminal_size(self.out.fileno())
            self.row = last_row(self.line, columns)
            self.fits = self.row < rows
        text = self.styled(self.line) if settled else self.line
        if self.fits:
            up = f"\x1b[{above}A" if above else ""
            self.out.write(f"\r{up}{text}")
        else:
            self.out.write(new)

    def styled(self, line: str) -> str:
        bar = FENCE.match(line)
        if self.fence:
            if bar and len(bar[1]) >= self.fence and not bar[2].strip():
                self.fence = 0
                return line
            return CODE + line + OFF
        if bar:
            self.fence = len(bar[1])
            return line
        if HEADING.match(line):
            return BOLD + line + OFF
        return SPAN.sub(lambda span: (CODE if span[1] else BOLD) + span[0] + OFF, line)


def last_row(line: str, columns: int) -> int:
    """The row in which the line ends: a wide character is never broken at the edge."""
    row = column = 0
    for char in line:
        width = max(wcwidth(char), 0)
        if column + width > columns:
            row, column = row + 1, 0
        column += width
    return row
