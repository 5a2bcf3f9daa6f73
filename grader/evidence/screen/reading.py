"""Reading a screen as a person does: line by line, wrapped rows joined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .buffer import Buffer
from .frames import FrameLog
from .rows import Row
from .style import Style


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A place that stays the same place while the screen scrolls."""

    row: int
    """Rows from the first that the terminal ever showed."""
    column: int


@dataclass(frozen=True, slots=True)
class Line:
    """A logical line: one row and the rows into which it wrapped."""

    text: str
    """Up to the last cell that was printed or shows a background; so blanks printed at the end are in it."""
    styles: tuple[Style, ...]
    """One for each character of `text`."""
    rows: int
    """Rows of the screen that it takes."""
    row: int
    """The number of its first row, counted as in a mark."""


def lines(buffer: Buffer, cursor_row: int, since: Mark | None) -> list[Line]:
    return [_line(number, pieces) for number, pieces in _groups(buffer, cursor_row, since)]


def text(buffer: Buffer, cursor_row: int, since: Mark | None) -> str:
    joined = [_joined(pieces) for _, pieces in _groups(buffer, cursor_row, since)]
    return "\n".join(joined).rstrip("\n")


_Pieces = list[tuple[Row, int, int]]
"""The cells of a logical line: rows, each with the first column and the column behind the last."""


def _groups(buffer: Buffer, cursor_row: int, since: Mark | None) -> Iterator[tuple[int, _Pieces]]:
    """The pieces of each line from the mark to the last row that shows something or holds the cursor."""
    number = max(buffer.gone, since.row) if since else buffer.gone
    column = since.column if since and since.row == number else 0
    rows = buffer.from_number(number)
    last = max(cursor_row + buffer.base - number, 0)
    while rows and len(rows) - 1 > last and not rows[-1].has_ink():
        rows.pop()
    pieces: _Pieces = []
    first = number
    for index, row in enumerate(rows):
        wrapped = index + 1 < len(rows) and row.next is rows[index + 1]
        pieces.append((row, column, max(column, row.printed_end(wrapped=wrapped))))
        column = 0
        if not wrapped:
            yield first, pieces
            pieces, first = [], number + index + 1


def _line(number: int, pieces: _Pieces) -> Line:
    chars: list[str] = []
    styles: list[Style] = []
    for row, start, end in pieces:
        for char, style in zip(row.chars[start:end], row.styles[start:end], strict=True):
            chars.append(char)
            if len(char) == 1:
                styles.append(style)
            else:
                styles += [style] * len(char)
    return Line("".join(chars), tuple(styles), len(pieces), number)


def frame_log(main: Buffer, shown: Buffer, count: int) -> FrameLog:
    """Judge the frames, the characters as they stand now for the final ones."""
    verdicts = main.verdicts.copy()
    for buffer in (main,) if main is shown else (main, shown):
        for number, row in buffer.numbered():
            verdicts.judge(row, number)
    line = _line_of(verdicts.first.row, main, shown) if verdicts.first else ""
    return verdicts.log(count, line)


def _line_of(row: Row, *buffers: Buffer) -> str:
    for buffer in buffers:
        for _, pieces in _groups(buffer, len(buffer.rows) - 1, None):
            if any(row is piece for piece, _, _ in pieces):
                return _joined(pieces)
    return _joined([(row, 0, len(row.chars))])  # it has left the scrollback


def _joined(pieces: _Pieces) -> str:
    return "".join(char for row, start, end in pieces for char in row.chars[start:end]).rstrip(" ")
