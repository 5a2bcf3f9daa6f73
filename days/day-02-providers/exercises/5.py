from collections.abc import Callable
from typing import Generic, TypeVar

from turn import Clock

Frame = TypeVar("Frame")


class Painter(Generic[Frame]):
    """Shows what `read` gives."""

    def __init__(self, clock: Clock, read: Callable[[], Frame], show: Callable[[Frame], None]) -> None:
        self._clock = clock
        self._read = read
        self._show = show

    def changed(self) -> None:
        self._show(self._read())

    def cleared(self) -> None:
        self._show(self._read())

    def finished(self) -> None:
        self._show(self._read())


