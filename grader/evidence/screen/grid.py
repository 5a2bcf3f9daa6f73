"""The cells and the cursor: everything that a terminal does to them, under the names of what is done."""

from __future__ import annotations

from dataclasses import dataclass

from .buffer import Buffer
from .frames import Frames
from .rows import joined
from .style import PLAIN, Style, blank_style
from .width import WIDTHS


@dataclass(frozen=True, slots=True)
class _Saved:
    x: int = 0
    y: int = 0
    pending: bool = False
    pen: Style = PLAIN
    origin: bool = False


class Grid:
    """Every cursor movement ends the run of printed text, also one that ends where it began.

    `pending` is the state behind a character in the last column: the cursor still stands on that column and
    the next character wraps first.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.height = columns, rows
        self.frames = Frames()
        self.main = Buffer(columns, rows, self.frames, keeps_scrollback=True)
        self.alternate = Buffer(columns, rows, self.frames, keeps_scrollback=False)
        self.reset()

    def reset(self) -> None:
        """The state of a terminal that was just switched on, except that what it showed is left alone."""
        self.frames.end()
        self.buffer = self.main
        self.x = self.y = 0
        self.pending = False
        self.tab_stops = set(range(8, self.columns, 8))
        self._saved = {self.main: _Saved(), self.alternate: _Saved()}
        self.new_line_mode = False  # which a soft reset leaves as it is
        self.soft_reset()

    def soft_reset(self) -> None:
        self.pen = PLAIN
        self.insert_mode = self.origin = False
        self.autowrap = True
        self.top, self.bottom = 0, self.height - 1
        self._saved[self.buffer] = _Saved()

    # Printing

    def print(self, text: str) -> None:
        if text.isascii():
            self._put(list(text))
        elif self.autowrap:
            self._print_mixed(text)
        else:
            # In the last column each character takes the place of the one before, marks included.
            for character in text:
                self._print_mixed(character)

    def _print_mixed(self, text: str) -> None:
        widths = WIDTHS
        cells: list[str] = []
        for character in text:
            width = widths[character]
            if width == 1:
                cells.append(character)
            elif width == 2:
                cells += (character, "")
            elif not cells:
                self._join(character)
            else:
                last = -1 if cells[-1] else -2
                cells[last] = joined(cells[last], character)
        if cells:
            self._put(cells)

    def _put(self, cells: list[str]) -> None:
        frames = self.frames
        done, total = 0, len(cells)
        while done < total:
            if self.pending:
                self.pending = False
                if self.autowrap:
                    self._wrap()
            x = self.x
            stop = min(total, done + self.columns - x)
            if stop < total and not cells[stop]:
                stop -= 1  # a wide character never straddles the edge
            if not frames.running:
                frames.begin(x == 0 and not self.buffer.continues(self.y))
            row = self.buffer.rows[self.y]
            if stop == done:
                if self.autowrap:
                    row.erase(x, self.columns, self.pen, frames.ended)
                    self._wrap()
                else:
                    done += 2
                continue
            piece = cells[done:stop]
            end = x + stop - done
            if self.insert_mode:
                row.insert(x, stop - done, self.pen, frames.ended)
            if frames.undecided:
                frames.note(row.chars[x:end], piece)
            row.write(x, piece, self.pen, frames.ended)
            done = stop
            if end == self.columns:
                self.x, self.pending = end - 1, True
            else:
                self.x = end

    def _wrap(self) -> None:
        row = self.buffer.rows[self.y]
        self.x = 0
        self._index()
        into = self.buffer.rows[self.y]
        if into is not row:
            row.next = into

    def _join(self, mark: str) -> None:
        """A combining character goes on the character left of the cursor; without one it is not seen."""
        column = self._left()
        if column >= 0:
            row, frames = self.buffer.rows[self.y], self.frames
            row.join(column, mark, frames.ended)
            if frames.undecided:
                frames.note([], [row.chars[column]])

    def _left(self) -> int:
        """The column of the character left of the cursor, or -1."""
        column = self.x if self.pending else self.x - 1
        if column > 0 and not self.buffer.rows[self.y].chars[column]:
            column -= 1
        return column

    def repeat(self, count: int) -> None:
        column = self._left()
        if column >= 0:
            self.print(self.buffer.rows[self.y].chars[column] * count)

    # Moving the cursor

    def move(self, x: int | None = None, y: int | None = None) -> None:
        """Move to a column, a row of the screen, or both; the edges hold."""
        self.frames.end()
        self.pending = False
        if x is not None:
            self.x = min(max(x, 0), self.columns - 1)
        if y is not None:
            first, last = (self.top, self.bottom) if self.origin else (0, self.height - 1)
            self.y = min(max(y, first), last)

    def move_addressed(self, x: int | None, y: int) -> None:
        """Move to a row counted from the top of the scroll region if the origin is there."""
        self.move(x, y + self.top if self.origin else y)

    def home(self) -> None:
        self.move_addressed(0, 0)

    def up(self, count: int) -> None:
        self.move(y=max(self.y - count, self.top if self.y >= self.top else 0))

    def down(self, count: int) -> None:
        self.move(y=min(self.y + count, self.bottom if self.y <= self.bottom else self.height - 1))

    def carriage_return(self) -> None:
        if self.frames.running:
            self.frames.end()
        self.x = 0
        self.pending = False

    def line_feed(self) -> None:
        self.index()
        if self.new_line_mode:
            self.x = 0

    def index(self) -> None:
        """Down a row, scrolling; unlike a line feed, never to the first column as well."""
        if self.frames.running:
            self.frames.end()
        self.pending = False
        self._index()

    def next_line(self) -> None:
        self.index()
        self.x = 0

    def reverse_index(self) -> None:
        self.frames.end()
        self.pending = False
        if self.y == self.top:
            self.buffer.scroll_down(self.top, self.bottom, 1, blank_style(self.pen))
        elif self.y > 0:
            self.y -= 1

    def _index(self) -> None:
        if self.y == self.bottom:
            self.buffer.scroll_up(self.top, self.bottom, 1, blank_style(self.pen))
        elif self.y < self.height - 1:
            self.y += 1

    def tab(self, count: int) -> None:
        """A tab behind a full row leaves the next character to wrap."""
        self.frames.end()
        if self.pending:
            return
        for _ in range(min(count, self.columns)):
            self.x = min((stop for stop in self.tab_stops if stop > self.x), default=self.columns - 1)

    def tab_back(self, count: int) -> None:
        self.move()
        for _ in range(min(count, self.columns)):
            self.x = max((stop for stop in self.tab_stops if stop < self.x), default=0)

    def save_cursor(self) -> None:
        self._saved[self.buffer] = _Saved(self.x, self.y, self.pending, self.pen, self.origin)

    def restore_cursor(self) -> None:
        saved = self._saved[self.buffer]
        self.pen, self.origin = saved.pen, saved.origin
        self.move(saved.x, saved.y)
        self.pending = saved.pending and self.x == self.columns - 1

    # Erasing and shifting

    def erase_in_line(self, how: int) -> None:
        """0: from the cursor on; 1: up to the cursor; 2: all of it.

        Behind a full row nothing is left to erase. (Some terminals erase the last character there.)
        """
        row, style = self.buffer.rows[self.y], blank_style(self.pen)
        start = self.x + self.pending if how == 0 else 0
        row.erase(start, self.x + 1 if how == 1 else self.columns, style, self.frames.ended)

    def erase_in_display(self, how: int) -> None:
        """0: from the cursor on; 1: up to the cursor; 2: all; 3: the scrollback."""
        style = blank_style(self.pen)
        if how == 3:
            self.buffer.clear_scrollback()
        elif how == 2:
            self.buffer.erase_rows(0, self.height, style)
        elif how == 1:
            self.buffer.erase_rows(0, self.y, style)
            self.erase_in_line(1)
        else:
            self.erase_in_line(0)
            self.buffer.erase_rows(self.y + 1, self.height, style)

    def erase_characters(self, count: int) -> None:
        self.pending = False
        row = self.buffer.rows[self.y]
        row.erase(self.x, self.x + count, blank_style(self.pen), self.frames.ended)

    def insert_characters(self, count: int) -> None:
        self.pending = False
        self.buffer.rows[self.y].insert(self.x, count, blank_style(self.pen), self.frames.ended)

    def delete_characters(self, count: int) -> None:
        self.pending = False
        self.buffer.rows[self.y].delete(self.x, count, blank_style(self.pen), self.frames.ended)

    def insert_lines(self, count: int) -> None:
        if self.top <= self.y <= self.bottom:
            self.buffer.scroll_down(self.y, self.bottom, count, blank_style(self.pen))
            self.move(x=0)

    def delete_lines(self, count: int) -> None:
        """Unlike lines that scroll, deleted lines never go into the scrollback."""
        if self.top <= self.y <= self.bottom:
            self.buffer.delete_rows(self.y, self.bottom, count, blank_style(self.pen))
            self.move(x=0)

    def scroll_up(self, count: int) -> None:
        self.buffer.scroll_up(self.top, self.bottom, count, blank_style(self.pen))

    def scroll_down(self, count: int) -> None:
        self.buffer.scroll_down(self.top, self.bottom, count, blank_style(self.pen))

    def set_margins(self, top: int, bottom: int) -> None:
        if 0 <= top < bottom < self.height:
            self.top, self.bottom = top, bottom
            self.home()

    def fill_with_e(self) -> None:
        """The screen alignment test."""
        self.top, self.bottom = 0, self.height - 1
        self.origin = False
        self.buffer.erase_rows(0, self.height, PLAIN)
        for row in self.buffer.rows:
            row.write(0, ["E"] * self.columns, PLAIN, self.frames.ended)
        self.home()

    # The whole screen

    def show_alternate(self, *, cleared: bool) -> None:
        if self.buffer is self.main:
            self.frames.end()
            self.alternate.gone = self.main.base
            self.buffer = self.alternate
        if cleared:
            self.alternate.erase_rows(0, self.height, blank_style(self.pen))

    def show_main(self, *, cleared: bool) -> None:
        """`cleared`: the alternate screen, before it is left."""
        if self.buffer is self.alternate:
            self.frames.end()
            if cleared:
                self.alternate.erase_rows(0, self.height, PLAIN)
            self.buffer = self.main

    def clear(self) -> None:
        """Empty both screens and the scrollback."""
        self.main.clear()
        self.alternate.clear()

    def resize(self, columns: int, rows: int) -> None:
        self.move()
        self.tab_stops |= {stop for stop in range(8, columns, 8) if stop >= self.columns}
        self.columns, self.height = columns, rows
        y = self.y
        for buffer in (self.main, self.alternate):
            moved = buffer.resize(columns, rows, y)
            if buffer is self.buffer:
                self.y = moved
        self.x = min(self.x, columns - 1)
        self.top, self.bottom = 0, rows - 1
