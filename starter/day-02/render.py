"""What a person sees: events become text on a terminal, or plain bytes in a pipe."""

from __future__ import annotations

# --- exercise 3: incremental Markdown ---
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

    # --- end of exercise 3 ---

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

    # --- exercise 4: endings ---

    def _fail(self, message: str) -> None:
        self._out.write(f"[error] {message}\n")

    def _finish(self) -> None:
        self._end_line()

    # --- end of exercise 4 ---
