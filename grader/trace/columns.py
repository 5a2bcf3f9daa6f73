"""Text in columns, folded at their widths, without a blank behind the end of any line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from ..evidence.screen.width import WIDTHS

# Between two columns; and what a column has at least, however narrow the terminal is.
GAP, NARROWEST = 2, 6


def show_paragraph(console: Console, text: Text, margin: Text | None = None) -> None:
    """Wrap at blanks. `margin` stands before the first line, blanks of its width before the others."""
    margin = margin or Text()
    for line in text.wrap(console, max(NARROWEST, console.width - margin.cell_len)):
        line.rstrip()
        console.print(margin + line, soft_wrap=True)
        margin = Text(" " * margin.cell_len)


def show_table(console: Console, headings: Sequence[str], rows: Iterable[tuple[str, Sequence[Text]]]) -> None:
    """Rows with a number each, in columns of one width."""
    rows = list(rows)
    first = max((len(number) for number, _ in rows), default=0)
    width = max(NARROWEST, (console.width - first) // len(headings) - GAP)
    _show_row(console, Text(" " * first), [Text(heading, "bold") for heading in headings], width)
    console.print(Text("─" * (first + len(headings) * (width + GAP)), "dim"), soft_wrap=True)
    for number, cells in rows:
        _show_row(console, Text(number.rjust(first), "dim"), cells, width)


def _show_row(console: Console, number: Text, cells: Sequence[Text], width: int) -> None:
    columns = [fold(cell, width) for cell in cells]
    for index in range(max(map(len, columns))):
        line = number.copy()
        for column in columns:
            line.append(" " * GAP)
            if index < len(column):
                line.append_text(column[index])
            line.append(" " * (width - (column[index].cell_len if index < len(column) else 0)))
        line.rstrip()
        console.print(line, soft_wrap=True)
        number = Text(" " * len(number))


def fold(text: Text, width: int) -> list[Text]:
    """Lines of at most so many columns, cut wherever one is full."""
    lines: list[Text] = []
    for line in text.split("\n", allow_blank=True):
        offsets, columns = [], 0
        for place, char in enumerate(line.plain):
            columns += WIDTHS[char]
            if columns > width:
                offsets.append(place)
                columns = WIDTHS[char]
        lines += line.divide(offsets)
    return lines
