"""A functional renderer: generators turn pieces into steps, and steps into what is written."""

import os
import re
from collections.abc import Callable, Generator, Iterator
from functools import partial, reduce
from itertools import chain
from typing import TextIO

from wcwidth import wcwidth

from events import DoneEvent, ErrorEvent, Event

Paint = Generator[str, tuple[str, bool], None]  # is sent what is new of a line and whether that ends it

BARE = str.maketrans({char: f"^{chr(ord(char) ^ 0x40)}" for char in map(chr, range(0x20)) if char != "\n"})
BARE |= {code: f"^?{code:x}" for code in range(0x7F, 0xA0)}
TICKS = re.compile(r" {0,3}(`{3,})([^`]*)$")
SPANS = re.compile(r"(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)|\*\*(?=[^\s*]).*?(?<=[^\s*])\*\*")


def in_style(style: int, text: str) -> str:
    return f"\x1b[{style}m{text}\x1b[{ {1: 22, 36: 39}[style] }m"


def wrapped(columns: int, place: tuple[int, int], char: str) -> tuple[int, int]:
    """The row and column behind a character that is printed at this place."""
    width = max(wcwidth(char), 0)
    return (place[0] + 1, width) if place[1] + width > columns else (place[0], place[1] + width)


def finished(fence: int, line: str) -> tuple[int, str]:
    """The length of the fence that is open behind the line, and the line in its final style."""
    ticks, info = match.groups() if (match := TICKS.match(line)) else ("", "")
    if fence and len(ticks) >= fence and not info.strip():
        return 0, line
    if fence or ticks:
        return fence or len(ticks), in_style(36, line) if fence else line
    if re.match("#{1,6} ", line):
        return 0, in_style(1, line)
    return 0, SPANS.sub(lambda span: in_style(36 if span["ticks"] else 1, span[0]), line)


def appended() -> Paint:
    shown = ""
    while True:
        new, ends = yield shown
        shown = new + "\n" * ends


def repainted(size: Callable[[], os.terminal_size]) -> Paint:
    shown, line, fence, row = "", "", 0, 0
    while True:
        new, ends = yield shown
        columns, rows = size()
        back, line = row, line + new
        row = reduce(partial(wrapped, columns), line, (0, 0))[0]
        styled = line
        if ends:
            fence, styled = finished(fence, line)
        shown = new if row >= rows else "\r" + f"\x1b[{back}A" * (back > 0) + styled
        if ends:
            shown, line, row = shown + "\n", "", 0


def steps(text: str) -> Iterator[tuple[str, bool]]:
    *ended, rest = text.split("\n")
    return chain(((part, True) for part in ended), [(rest, False)] if rest else [])


class Renderer:
    def __init__(self, out: TextIO, *, tty: bool) -> None:
        self.out, self.mid_line = out, False
        self.shown = (lambda text: text.translate(BARE)) if out.isatty() else str
        self.paint = repainted(lambda: os.get_terminal_size(out.fileno())) if tty else appended()
        next(self.paint)

    def handle(self, event: Event) -> None:
        self.out.writelines(self.text_of(event))
        self.out.flush()

    def text_of(self, event: Event) -> Iterator[str]:
        if isinstance(event, ErrorEvent | DoneEvent):
            if self.mid_line:
                yield self.paint.send(("", True))
            self.mid_line = False
        if isinstance(event, ErrorEvent):
            yield self.shown(event.message) + "\n"
        elif not isinstance(event, DoneEvent):
            for new, ends in steps(self.shown(event.text)):
                yield self.paint.send((new, ends))
                self.mid_line = not ends
