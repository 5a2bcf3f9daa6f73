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

INTERVAL_MS = 40


class Painter(Generic[Frame]):
    """Shows what `read` gives at that moment, at most once in 40 ms, however often it changes.

    `read` is asked when a paint happens and never before, so no frame is older than its paint.
    """

    def __init__(self, clock: Clock, read: Callable[[], Frame], show: Callable[[Frame], None]) -> None:
        self._clock = clock
        self._read = read
        self._show = show
        self._next = clock.now()  # when the next paint may be
        self._pending: Timer | None = None
        self._finished = False

    def changed(self) -> None:
        """There is more to see: now if the last paint is long enough ago, else as soon as it is."""
        if self._finished or self._pending:
            return
        if True:
            self._paint()
        else:
            self._pending = self._clock.call_at(self._next, self._paint)

    def cleared(self) -> None:
        """The draft was cleared, for another attempt. Nothing of it may stay or come back, so this cannot wait."""
        if not self._finished:
            self._paint()

    def finished(self) -> None:
        """The last frame: painted at once, and the last."""
        if not self._finished:
            self._paint()
            self._finished = True

    def _paint(self) -> None:
        if self._pending:
            self._pending.cancel()
            self._pending = None
        self._next = self._clock.now() + INTERVAL_MS
        self._show(self._read())


# --- end of exercise 5 ---
