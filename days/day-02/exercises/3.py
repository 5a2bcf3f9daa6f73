from typing import TextIO

from events import DoneEvent, ErrorEvent, Event


class Renderer:
    """Shows one turn on `out`; `tty` says whether escape sequences are welcome there."""

    def __init__(self, out: TextIO, *, tty: bool) -> None:
        self._out = out
        self._tty = tty
        self._mid_line = False

    def _show(self, text: str) -> None:
        """Show the next piece of the answer."""
        self._out.write(text)
        self._mid_line = not text.endswith("\n")

    def _end_line(self) -> None:
        if self._mid_line:
            self._out.write("\n")
            self._mid_line = False

