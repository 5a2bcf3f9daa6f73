"""When to paint. A model can send thousands of pieces a second; a person sees some twenty pictures.

Receiving and painting are kept apart: whoever receives says that something has changed, and this clock decides when
that is looked at.
"""

from __future__ import annotations

# --- exercise 5: one paint clock ---
from collections.abc import Callable
from typing import Generic, TypeVar

from turn import Clock, Timer

Frame = TypeVar("Frame")


class Painter(Generic[Frame]):
    """A timer runs behind every picture; when it is over, it looks whether there is anything new."""

    def __init__(self, clock: Clock, read: Callable[[], Frame], show: Callable[[Frame], None]) -> None:
        self._clock = clock
        self._read = read
        self._show = show
        self._resting: Timer | None = None
        self._is_stale = False
        self._is_over = False

    def changed(self) -> None:
        if self._is_over:
            return
        self._is_stale = True
        if self._resting is None:
            self._paint()

    def cleared(self) -> None:
        if not self._is_over:
            self._paint()

    def finished(self) -> None:
        if not self._is_over:
            self._paint()
            self._is_over = True
            self._rest_no_more()

    def _paint(self) -> None:
        self._rest_no_more()
        self._is_stale = False
        self._show(self._read())
        self._resting = self._clock.call_at(self._clock.now() + 40, self._look)

    def _look(self) -> None:
        self._resting = None
        if self._is_stale:
            self._paint()

    def _rest_no_more(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
            self._resting = None


# --- end of exercise 5 ---
