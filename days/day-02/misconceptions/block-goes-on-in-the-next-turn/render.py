"""What a person sees; one state of the code block for all renderers."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TextIO

from wcwidth import wcwidth

from events import DoneEvent, ErrorEvent, Event

# What a terminal obeys instead of showing it: control characters, and those that turn the direction of writing.
SHOWN = {code: chr(0x2400 + code) for code in range(0x20) if code not in b"\n\t"}
SHOWN |= {code: f"\\x{code:02x}" for code in range(0x7F, 0xA0)}
SHOWN |= {code: f"\\u{code:04x}" for code in (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))}

# Terminals disagree about the width of these: joined emoji, variation selectors, flags, skin tones.
UNSURE = re.compile("[\u200d\ufe0e\ufe0f\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff]")

FENCE = re.compile(r" {0,3}(`{3,})[^`]*$")
HEADING = re.compile(r"#{1,6} ")
SPAN = re.compile(r"(?P<code>(?<!`)(`+)(?!`).+?(?<!`)\2(?!`))|\*\*(?=[^\s*]).*?(?<=[^\s*])\*\*")

BOLD, DIM, CYAN = 1, 2, 36


class Line:
    """The unfinished line, and where on the screen it leads the cursor."""

    def __init__(self, *, repaintable: bool) -> None:
        self.repaintable = repaintable
        self.started = False
        self.unpainted = ""
        self.painted_row = 0  # the row that the cursor was in after the last paint, counted from the line's first
        self.row = 0
        self._column = 0
        self._columns = 0
        self._pieces: list[str] = []

    @property
    def text(self) -> str:
        """The whole line. A line that is painted again is at most one screen; a longer one is joined only once."""
        return "".join(self._pieces)

    def add(self, text: str, size: Callable[[], os.terminal_size]) -> None:
        if not text:
            return
        if self.repaintable:
            text = self._lay_out(text, *size())
        self._pieces.append(text)
        self.unpainted += text
        self.started = True

    def notice_width(self, columns: int) -> None:
        """A terminal that is resized moves the line in its own way; from then on it can only be appended to."""
        if self._columns not in (0, columns):
            self.repaintable = False
        self._columns = columns

    def _lay_out(self, text: str, columns: int, rows: int) -> str:
        """Follow the cursor along the text as the terminal wraps it. Returns the text with its tabs as spaces."""
        self.notice_width(columns)
        if UNSURE.search(text):
            self.repaintable = False
        cells: list[str] = []
        for char in text:
            for cell in " " * (8 - self._column % 8) if char == "\t" else char:
                width = max(wcwidth(cell), 0)
                if self._column + width > columns:  # also a wide character with one column left
                    self.row += 1
                    self._column = 0
                self._column += width
                cells.append(cell)
        if self.row >= rows:
            self.repaintable = False  # its first row has left the screen
        return "".join(cells)


def settle(line: str, fence: int) -> tuple[str, int]:
    """A complete line in its final style, and how many backticks hold a code block open after it."""
    bar = FENCE.match(line)
    if fence:
        if bar and len(bar[1]) >= fence and not line.strip(" `"):
            return styled(line, DIM), 0
        return styled(line, CYAN), fence
    if bar:
        return styled(line, DIM), len(bar[1])
    if HEADING.match(line):
        return styled(line, BOLD), 0
    return SPAN.sub(lambda span: styled(span[0], CYAN if span["code"] else BOLD), line), 0


def styled(text: str, style: int) -> str:
    return f"\x1b[{style}m{text}\x1b[0m"


class Renderer:
    """Shows one turn on `out`; `tty` says whether escape sequences are welcome there.

    On a terminal the unfinished line is painted again with each delta, and gets its style when it is complete: until
    then any style would be a guess. Nothing is ever erased. The text is shown word for word, markers included, so a
    line fills the same cells with its style as without.
    """

    _fence = 0  # how many backticks opened the current code block; 0 outside

    def __init__(self, out: TextIO, *, tty: bool) -> None:
        self._out = out
        self._repaints = tty
        self._on_terminal = tty or out.isatty()
        self._line = Line(repaintable=tty)

    def _show(self, text: str) -> None:
        """Show the next piece of the answer, wherever it begins and ends."""
        if self._on_terminal:
            text = text.translate(SHOWN)
        first, *others = text.split("\n")
        self._line.add(first, self._size)
        for start_of_next in others:
            self._complete_line()
            self._line.add(start_of_next, self._size)
        self._paint()

    def _end_line(self) -> None:
        """Complete the line that is unfinished, if there is one."""
        if self._line.started:
            self._complete_line()

    def _complete_line(self) -> None:
        final, Renderer._fence = settle(self._line.text, self._fence)
        self._paint(final)
        self._out.write("\n")
        self._line = Line(repaintable=self._repaints)

    def _paint(self, final: str | None = None) -> None:
        """Paint the line over itself, plain or in its final style; or only what is new, if it cannot be repainted."""
        line = self._line
        if line.repaintable and line.started:
            line.notice_width(self._size().columns)
        if not line.repaintable:
            self._out.write(line.unpainted)
        elif line.started:
            up = f"\x1b[{line.painted_row}A" if line.painted_row else ""
            self._out.write(f"\r{up}{final or line.text}")
        line.unpainted = ""
        line.painted_row = line.row

    def _size(self) -> os.terminal_size:
        try:
            return os.get_terminal_size(self._out.fileno())
        except OSError:
            return os.terminal_size((80, 24))

    def handle(self, event: Event) -> None:
        """Show one event of the turn, at once."""
        match event:
            case ErrorEvent():
                self._fail(event.message)
            case DoneEvent():
                self._finish()
            case _:  # text, the only other event
                self._show(event.text)
        self._out.flush()

    def _fail(self, message: str) -> None:
        """Leave the half line as it is, and the error's sentence on a line of its own, whatever block was open."""
        self._end_line()
        sentence = message.translate(SHOWN) if self._on_terminal else message
        self._out.write(f"{sentence}\n")

    def _finish(self) -> None:
        """The last line, or half of one, settles like any other."""
        self._end_line()
