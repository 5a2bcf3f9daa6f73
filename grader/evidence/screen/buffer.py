"""The rows of one screen and what has scrolled off its top."""

from __future__ import annotations

from collections.abc import Iterator

from .frames import Frames, Verdicts
from .rows import Row
from .style import PLAIN, Style

SCROLLBACK = 10_000
"""Rows that are kept above the screen. When they are full, the oldest tenth is let go."""


class Buffer:
    """A row belongs to the same logical line as the row above it if that one wrapped into it."""

    def __init__(self, columns: int, rows: int, frames: Frames, *, keeps_scrollback: bool) -> None:
        self.columns = columns
        self.rows = [Row(columns) for _ in range(rows)]
        self.scrollback: list[Row] = []
        self.gone = 0
        """Rows that have left the scrollback. Row numbers count from the first row ever shown."""
        self.verdicts = Verdicts()
        self._frames = frames
        self._keeps_scrollback = keeps_scrollback
        self._orphan: Row | None = None
        """The row that continues a line whose beginning is gone."""

    @property
    def base(self) -> int:
        """The number of the screen's first row."""
        return self.gone + len(self.scrollback)

    def continues(self, y: int) -> bool:
        """Whether the row at `y` of the screen came from the wrapping of the row above it."""
        row = self.rows[y]
        if y:
            return self.rows[y - 1].next is row
        if self.scrollback:
            return self.scrollback[-1].next is row
        return self._orphan is row

    def numbered(self) -> Iterator[tuple[int, Row]]:
        number = self.gone
        for part in (self.scrollback, self.rows):
            for row in part:
                yield number, row
                number += 1

    def from_number(self, number: int) -> list[Row]:
        """The rows from `number` on, those of the scrollback included."""
        in_scrollback = max(0, number - self.gone)
        if in_scrollback < len(self.scrollback):
            return self.scrollback[in_scrollback:] + self.rows
        return self.rows[in_scrollback - len(self.scrollback) :]

    def scroll_up(self, top: int, bottom: int, count: int, style: Style) -> None:
        """Rows leave at `top`; from the top of the screen they go into the scrollback."""
        rows = self.rows
        count = min(count, bottom - top + 1)
        if top == 0 and self._keeps_scrollback:
            self.scrollback += rows[:count]
        del rows[top : top + count]
        rows[bottom + 1 - count : bottom + 1 - count] = [Row(self.columns, style) for _ in range(count)]
        if len(self.scrollback) > SCROLLBACK:
            self._let_go(SCROLLBACK // 10)

    def scroll_down(self, top: int, bottom: int, count: int, style: Style) -> None:
        count = min(count, bottom - top + 1)
        del self.rows[bottom + 1 - count : bottom + 1]
        self.rows[top:top] = [Row(self.columns, style) for _ in range(count)]

    def delete_rows(self, top: int, bottom: int, count: int, style: Style) -> None:
        """As scrolling up, but the rows are gone."""
        count = min(count, bottom - top + 1)
        del self.rows[top : top + count]
        self.rows[bottom + 1 - count : bottom + 1 - count] = [Row(self.columns, style) for _ in range(count)]

    def erase_rows(self, start: int, end: int, style: Style) -> None:
        for row in self.rows[start:end]:
            row.erase(0, self.columns, style, self._frames.ended)

    def clear_scrollback(self) -> None:
        """Its characters are gone for good: they have no final style, so nothing about them is judged."""
        if self.scrollback:
            self._orphan = self.scrollback[-1].next
        self.gone += len(self.scrollback)
        self.scrollback = []

    def resize(self, columns: int, count: int, y: int) -> int:
        """Change the size without reflowing lines; returns where the cursor's row `y` is then.

        Columns are cut off or added at the right. Lost height is taken from below the cursor first, then from
        the top, into the scrollback. New height is added below, or, with the cursor in the last row, brought
        back from the scrollback.
        """
        while len(self.rows) > count:
            if len(self.rows) > y + 1:
                del self.rows[-1]
                continue
            row = self.rows.pop(0)
            y -= 1
            if self._keeps_scrollback:
                self.scrollback.append(row)
        while len(self.rows) < count:
            if self.scrollback and y == len(self.rows) - 1:
                self.rows.insert(0, self.scrollback.pop())
                y += 1
            else:
                self.rows.append(Row(columns))
        for row in self.rows:
            row.resize(columns)
        self.columns = columns
        return y

    def clear(self) -> None:
        self.clear_scrollback()
        self.gone += len(self.rows)
        self._orphan = None
        self.rows = [Row(self.columns, PLAIN) for _ in self.rows]

    def _let_go(self, count: int) -> None:
        for number, row in enumerate(self.scrollback[:count], self.gone):
            self.verdicts.judge(row, number)
        self._orphan = self.scrollback[count - 1].next
        self.gone += count
        del self.scrollback[:count]
