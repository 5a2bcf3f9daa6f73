"""A terminal's screen as a person sees it, worked out from the bytes that a program wrote."""

from __future__ import annotations

from grader.evidence.screen import reading

from .frames import FrameLog
from .grid import Grid
from .interpreter import Interpreter
from .parser import Parser
from .reading import Line, Mark
from .style import Style


class Screen:
    """An xterm without input: feed it bytes, then look at it. Any cutting of the bytes shows the same.

    Three simplifications: a change of size does not reflow lines, a character that takes no column of its own
    is kept with the character before it, and erasing behind a full row erases nothing (see `warnings`).
    """

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        _check_size(columns, rows)
        self._grid = Grid(columns, rows)
        self._interpreter = Interpreter(self._grid)
        self._parser = Parser(self._interpreter)

    def feed(self, data: bytes) -> None:
        self._parser.feed(data)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size. Lines do not reflow; see `Buffer.resize` for what is cut and what comes back."""
        _check_size(columns, rows)
        self._grid.resize(columns, rows)

    def mark(self) -> Mark:
        """The place of the cursor, to read from there later."""
        return Mark(self._grid.buffer.base + self._grid.y, self._grid.x + self._grid.pending)

    def lines(self, since: Mark | None = None) -> list[Line]:
        """The logical lines with the scrollback, down to the last that shows something or has the cursor."""
        return reading.lines(self._grid.buffer, self._grid.y, since)

    def text(self, since: Mark | None = None) -> str:
        """The lines as text, without the blanks at the ends of lines and the empty lines at the end."""
        return reading.text(self._grid.buffer, self._grid.y, since)

    @property
    def columns(self) -> int:
        return self._grid.columns

    @property
    def rows(self) -> int:
        return self._grid.height

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column, counted from 0."""
        return self._grid.y, self._grid.x

    @property
    def style(self) -> Style:
        """The style in which the next character would be printed."""
        return self._grid.pen

    @property
    def title(self) -> str:
        return self._interpreter.title

    @property
    def cursor_visible(self) -> bool:
        return self._interpreter.cursor_visible

    @property
    def cursor_was_hidden(self) -> bool:
        """Whether it was ever hidden, also for a moment and together with other modes."""
        return self._interpreter.cursor_was_hidden

    @property
    def modes(self) -> set[str]:
        """The modes that the program has switched away from how a terminal starts."""
        return set(self._interpreter.modes)

    @property
    def osc(self) -> list[int]:
        """Numbers of the operating system commands seen, apart from the title's; each once."""
        return list(self._interpreter.osc)

    @property
    def queries(self) -> list[str]:
        """Sequences that a terminal answers, so that the program may be waiting; each kind once."""
        return list(self._interpreter.queries)

    @property
    def warnings(self) -> list[str]:
        """Sequences that not all terminals carry out alike; each kind once."""
        return list(self._interpreter.warnings)

    @property
    def unmodelled(self) -> list[str]:
        """Sequences of which it does not know what they would show; each kind once.

        A sequence still open counts, since it swallows what follows: ask when the program has ended.
        """
        unfinished = self._parser.unfinished
        return self._interpreter.unmodelled + ([f"{unfinished} (unfinished)"] if unfinished else [])

    def frames(self) -> int:
        """Frames so far; a run of text in progress counts as if it ended now."""
        return self._grid.frames.total()

    def frames_over(self) -> int:
        """Frames that have ended."""
        return self._grid.frames.ended

    def frame_log(self) -> FrameLog:
        """The frames, judged by how the characters stand now."""
        return reading.frame_log(self._grid.main, self._grid.buffer, self._grid.frames.total())


def _check_size(columns: int, rows: int) -> None:
    if columns < 2 or rows < 1:
        raise ValueError(f"a screen has at least 2 columns and 1 row, not {columns} by {rows}")
