"""Counting frames, and finding those that showed a character in a style that it did not keep.

A frame is a run of printed text that begins in the first column of the first row of a logical line and lasts
until the cursor moves other than by printing. A run that only puts blanks where something was to be seen is
an erase and no frame.
"""

from __future__ import annotations

from dataclasses import dataclass

from .rows import Row
from .style import Style


class Frames:
    """The run of printed text that is in progress, and the number of frames that have ended before it."""

    def __init__(self) -> None:
        self.ended = 0
        self.running = False
        self.undecided = False
        """The run began a line and has shown no ink so far: what it prints decides whether it is a frame."""
        self._starts_line = False
        self._wiped = False

    def begin(self, starts_line: bool) -> None:
        self.running = True
        self._starts_line = self.undecided = starts_line
        self._wiped = False

    def note(self, before: list[str], after: list[str]) -> None:
        """The run, still undecided, replaces the cells `before` by the cells `after`."""
        if not after[0].isspace() or _has_ink(after):
            self.undecided = False
        elif _has_ink(before):
            self._wiped = True

    def end(self) -> None:
        if self.running:
            self.ended += self._is_frame()
            self.running = self.undecided = False

    def total(self) -> int:
        """The number of frames if the run in progress ended now."""
        return self.ended + (self.running and self._is_frame())

    def _is_frame(self) -> bool:
        return self._starts_line and not (self.undecided and self._wiped)


def _has_ink(cells: list[str]) -> bool:
    return bool("".join(cells).strip())


@dataclass(frozen=True, slots=True)
class MisStyled:
    """A character that stood in one style (not plain) after a frame and settled in another."""

    frame: int
    row: int
    """Rows from the first that the terminal ever showed."""
    column: int
    character: str
    line: str
    style_then: Style
    style_finally: Style

    def __str__(self) -> str:
        return (
            f"after frame {self.frame} the {self.character!r} in column {self.column + 1} of {self.line!r} "
            f"was {self.style_then} and ends {self.style_finally}"
        )


@dataclass(frozen=True, slots=True)
class FrameLog:
    count: int
    mis_styled: int
    """Frames after which some visible character stood in a style that it did not keep."""
    first: MisStyled | None


@dataclass(frozen=True, slots=True)
class Finding:
    """A contradiction, with the row itself: its line of text is looked up only for the report."""

    frame: int
    row_number: int
    row: Row
    column: int
    character: str
    style_then: Style
    style_finally: Style

    def before(self, other: Finding) -> bool:
        mine, theirs = (self.frame, self.row_number), (other.frame, other.row_number)
        return (*mine, self.column) < (*theirs, other.column)


class Verdicts:
    """Collects, row by row, the frames that were mis-styled."""

    def __init__(self) -> None:
        self.first: Finding | None = None
        self._spans: list[list[int]] = []

    def copy(self) -> Verdicts:
        twin = Verdicts()
        twin.first = self.first
        twin._spans = [list(span) for span in self._spans]
        return twin

    def judge(self, row: Row, number: int) -> None:
        """Take `row` as it stands now for its final state."""
        if not row.past:
            return
        for column, character, style, spans in row.contradictions():
            self._spans += [list(span) for span in spans]
            finding = Finding(spans[0][0], number, row, column, character, style, row.styles[column])
            if self.first is None or finding.before(self.first):
                self.first = finding
        self._spans = _merged(self._spans)

    def log(self, count: int, line: str) -> FrameLog:
        """`line` is the text of the line of the first finding."""
        found, first = self.first, None
        if found:
            first = MisStyled(
                frame=found.frame,
                row=found.row_number,
                column=found.column,
                character=found.character,
                line=line,
                style_then=found.style_then,
                style_finally=found.style_finally,
            )
        return FrameLog(count, sum(end - start + 1 for start, end in self._spans), first)


def _merged(spans: list[list[int]]) -> list[list[int]]:
    merged: list[list[int]] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1] + 1:
            merged[-1][1] = max(merged[-1][1], last)
        else:
            merged.append([first, last])
    return merged
