"""One row of the screen: its characters, their styles, and what each cell showed before."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import lru_cache

from .style import PLAIN, Style

ERASED = -1
"""The birth of a cell in which nothing was printed since it was erased."""

Past = dict[tuple[int, str, Style], list[list[int]]]
"""For (column, character, style): the spans of frames, first and last, after which the cell showed that."""


class Row:
    """Parallel sequences over the columns. The second cell of a wide character holds the empty string.

    `born` is the number of frames that had ended when the cell was written: a cell born at 3 and replaced
    when 5 frames had ended was on view after frames 4 and 5. `next` is the row into which this one wrapped.
    Rows that were never `styled` share one list of plain styles: most rows of most programs are such.
    """

    __slots__ = ("born", "chars", "next", "past", "styled", "styles")

    def __init__(self, columns: int, style: Style = PLAIN) -> None:
        self.chars = [" "] * columns
        self.born = _births(ERASED, columns)
        self.styled = style is not PLAIN
        self.styles = [style] * columns if self.styled else _all_plain(columns)
        self.next: Row | None = None
        self.past: Past | None = None

    def write(self, start: int, cells: list[str], style: Style, frames: int) -> None:
        chars, count = self.chars, len(cells)
        end = start + count
        if not chars[start] or (end < len(chars) and not chars[end]):
            self._split_wide(start, end, style, frames)
        if self.styled or style is not PLAIN:
            looks = [style] * count
            if chars[start:end] == cells and self.styles[start:end] == looks and ERASED not in self.born[start:end]:
                return  # the same again: what is on view has been so since the first time
            self._remember(start, end, frames)
            self._set_styles(start, end, style)
        chars[start:end] = cells
        self.born[start:end] = _births(frames, count)

    def join(self, column: int, mark: str, frames: int) -> None:
        """Put a combining character on the character at `column`."""
        self._remember(column, column + 1, frames)
        self.chars[column] = joined(self.chars[column], mark)
        self.born[column] = frames

    def erase(self, start: int, end: int, style: Style, frames: int) -> None:
        columns = len(self.chars)
        end = min(end, columns)
        if start >= end:
            return
        if end == columns:
            self.next = None  # what was cut off here does not go on in the next row
        self._split_wide(start, end, style, frames)
        self._remember(start, end, frames)
        self._clear(start, end, style)

    def insert(self, start: int, count: int, style: Style, frames: int) -> None:
        """Blanks at `start`; what stood there moves right and falls off at the end."""
        columns = len(self.chars)
        count = min(count, columns - start)
        self._split_wide(start, start, style, frames)
        self._remember(start, columns, frames)
        if not self.chars[columns - count]:
            self._clear(columns - count - 1, columns, style)
        self._move(start, columns - count, start + count, frames)
        self._clear(start, start + count, style)

    def delete(self, start: int, count: int, style: Style, frames: int) -> None:
        """Take cells out at `start`; what follows moves left and blanks come in at the end."""
        columns = len(self.chars)
        count = min(count, columns - start)
        self._split_wide(start, start + count, style, frames)
        self._remember(start, columns, frames)
        self._move(start + count, columns, start, frames)
        self._clear(columns - count, columns, style)
        self.next = None

    def resize(self, columns: int) -> None:
        missing = columns - len(self.chars)
        if missing < 0:
            cut_wide = not self.chars[columns]
            self.styles = self.styles[:columns] if self.styled else _all_plain(columns)
            del self.chars[columns:], self.born[columns:]
            if cut_wide:
                self._clear(columns - 1, columns, PLAIN)
        else:
            self.chars += [" "] * missing
            self.born += _births(ERASED, missing)
            self.styles = self.styles + [PLAIN] * missing if self.styled else _all_plain(columns)

    def printed_end(self, *, wrapped: bool) -> int:
        """The column behind the last cell that was printed or shows a background.

        In a row that wrapped, a cell never printed is no part of the text: a wide character did not fit.
        """
        end = len(self.chars)
        born, styles = self.born, self.styles
        while end and born[end - 1] == ERASED and (wrapped or styles[end - 1] is PLAIN):
            end -= 1
        return end

    def has_ink(self) -> bool:
        return bool("".join(self.chars).strip()) or (
            self.styled and any(style.bg is not None or style.reverse for style in self.styles)
        )

    def contradictions(self) -> Iterator[tuple[int, str, Style, list[list[int]]]]:
        """Each character that stood here in another style than it stands in now, and after which frames."""
        for (column, character, style), spans in (self.past or {}).items():
            if column < len(self.chars) and self.chars[column] == character and self.styles[column] != style:
                yield column, character, style, spans

    def _set_styles(self, start: int, end: int, style: Style) -> None:
        if self.styled:
            self.styles[start:end] = [style] * (end - start)
        elif style is not PLAIN:
            self.styles = list(self.styles)
            self.styles[start:end] = [style] * (end - start)
            self.styled = True

    def _clear(self, start: int, end: int, style: Style) -> None:
        self.chars[start:end] = [" "] * (end - start)
        self.born[start:end] = _births(ERASED, end - start)
        if style is PLAIN and end - start == len(self.chars):
            self.styles = _all_plain(end)
            self.styled = False
        else:
            self._set_styles(start, end, style)

    def _move(self, start: int, end: int, to: int, frames: int) -> None:
        there = to + end - start
        self.chars[to:there] = self.chars[start:end]
        self.born[to:there] = array("q", (born if born == ERASED else frames for born in self.born[start:end]))
        if self.styled:
            self.styles[to:there] = self.styles[start:end]

    def _split_wide(self, start: int, end: int, style: Style, frames: int) -> None:
        """Blank the wide characters that `start` or `end` would cut in two."""
        for column in (start, end):
            if column < len(self.chars) and not self.chars[column]:
                self._remember(column - 1, column, frames)
                self._clear(column - 1, column + 1, style)

    def _remember(self, start: int, end: int, frames: int) -> None:
        """Keep what the cells show in a style of their own, if a frame has ended since they were written."""
        if not self.styled:
            return
        chars, styles, births = self.chars, self.styles, self.born
        for column in range(start, end):
            style, born, character = styles[column], births[column], chars[column]
            if style is PLAIN or not 0 <= born < frames or not character or character.isspace():
                continue
            if self.past is None:
                self.past = {}
            spans = self.past.setdefault((column, character, style), [])
            if spans and spans[-1][1] >= born:
                spans[-1][1] = frames
            else:
                spans.append([born + 1, frames])


def joined(cell: str, mark: str) -> str:
    """`cell` with a combining character on it; more than a person could see are left out."""
    return cell + mark if len(cell) < 32 else cell


def _births(frames: int, count: int) -> array[int]:
    return array("q", (frames,)) * count


@lru_cache(maxsize=64)
def _all_plain(columns: int) -> list[Style]:
    """The styles of a row in which all is plain: shared, so never to be changed."""
    return [PLAIN] * columns
