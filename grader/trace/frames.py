"""A terminal's recording frame by frame: what was painted, in which style, and which of it changed its style later."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..evidence.screen import Line, Mark, Screen, Style
from ..evidence.screen.width import WIDTHS
from ..evidence.stage import Stage
from ..evidence.terminal.launch import Size

# More than this nobody reads: the frames around the first mis-styled one, which has so many before it.
FRAMES, BEFORE = 60, 5


@dataclass(frozen=True)
class Recording:
    """What a terminal was sent, with times in seconds; a `Size` is what it was changed to. Its turn to be shown lasts
    from `begin` to `end`."""

    size: Size
    pieces: Sequence[tuple[float, bytes | Size]]
    begin: float = 0.0
    end: float = math.inf


@dataclass(frozen=True)
class Shown:
    """A line as it stood after a frame, and the final styles of its mis-styled characters, by their places."""

    line: Line
    mis_styled: dict[int, Style] = field(default_factory=dict)


@dataclass(frozen=True)
class Frame:
    """`lines` are those with a mis-styled character, and the one that the frame painted. Numbers are the screen's."""

    number: int
    lines: tuple[Shown, ...]

    @property
    def mis_styled(self) -> bool:
        return any(shown.mis_styled for shown in self.lines)


@dataclass(frozen=True)
class Frames:
    """The frames of a turn by number, how many of the whole recording are mis-styled, and those to be looked at."""

    first: int
    last: int
    mis_styled: int
    shown: tuple[Frame, ...]


def recording_of(stage: Stage, turn: int) -> Recording:
    """The recording of a program on a terminal, and this of its turns (-1 is the last)."""
    program = stage.program
    assert program.spec.terminal
    bounds = [*stage.turns, math.inf]
    turn = turn % len(stage.turns) if stage.turns else 0
    begin, end = (bounds[turn], bounds[turn + 1]) if stage.turns else (0.0, math.inf)
    pieces: list[tuple[float, bytes | Size]] = [*program.output, *program.resized]
    pieces.sort(key=lambda piece: piece[0])
    return Recording(program.spec.terminal, pieces, begin, end)


def frames(recording: Recording) -> Frames:
    """The frames of the turn. A style is final as it stands at the end of the recording.

    It is played twice, for a flood may hold a million frames: only then it is known which are to be looked at.
    """
    whole = Screen(*recording.size)
    before = last = 0  # frames before the turn, and up to its end
    for time, piece in recording.pieces:
        _play(whole, piece)
        before = whole.frames() if time < recording.begin else before
        last = whole.frames() if time < recording.end else last
    first, log = before + 1, whole.frame_log()
    start = first
    if log.first and first <= log.first.frame <= last:
        start = max(first, min(log.first.frame - BEFORE, last - FRAMES + 1))
    final = {line.row: line for line in whole.lines()}
    shown = tuple(_frame(*taken, final) for taken in _taken(recording, start, min(last, start + FRAMES - 1)))
    return Frames(first, last, log.mis_styled, shown)


def _play(screen: Screen, piece: bytes | Size) -> None:
    if isinstance(piece, Size):
        screen.resize(*piece)
    else:
        screen.feed(piece)


def _taken(recording: Recording, start: int, end: int) -> Iterator[tuple[int, int, list[Line]]]:
    """After each of these frames: its number, the row that it painted, and the lines since the turn began."""
    screen = Screen(*recording.size)
    over, since = 0, Mark(0, 0)
    for time, piece in recording.pieces:
        if time < recording.begin:
            _play(screen, piece)
            over, since = screen.frames_over(), Mark(screen.mark().row, 0)
            continue
        for part in [piece] if isinstance(piece, Size) else [bytes([byte]) for byte in piece]:
            row = screen.mark().row
            _play(screen, part)
            if screen.frames_over() > over:
                over = screen.frames_over()
                if start <= over <= end:
                    yield over, row, screen.lines(since)
            if over >= end:
                return
    if start <= screen.frames() <= end:
        yield screen.frames(), screen.mark().row, screen.lines(since)


def _frame(number: int, painted: int, lines: list[Line], final: dict[int, Line]) -> Frame:
    shown = [Shown(line, _mis_styled(line, final.get(line.row))) for line in lines]
    return Frame(
        number, tuple(one for one in shown if one.mis_styled or one.line.row <= painted < one.line.row + one.line.rows)
    )


def _mis_styled(then: Line, finally_: Line | None) -> dict[int, Style]:
    """As the screen's own log judges: the same character in the same place, in a style that was not plain."""
    if finally_ is None or all(style.plain for style in then.styles):
        return {}
    settled = {column: (char, style) for _, column, char, style in _cells(finally_)}
    return {
        place: settled[column][1]
        for place, column, char, style in _cells(then)
        if not style.plain and not char.isspace() and column in settled
        if settled[column][0] == char and settled[column][1] != style
    }


def _cells(line: Line) -> list[tuple[int, int, str, Style]]:
    """Place in the text, column, character and style of each character that takes a column."""
    cells, column = [], 0
    for place, (char, style) in enumerate(zip(line.text, line.styles, strict=True)):
        if WIDTHS[char]:
            cells.append((place, column, char, style))
            column += WIDTHS[char]
    return cells
