"""Waiting: the one place where the grader sleeps.

A program under test, its terminal and its gateway are a handful of descriptors. All of them are served by the thread
that waits for something to be seen, while it waits, so there is no second thread, no lock, and no order of events that
depends on who was scheduled first.
"""

from __future__ import annotations

import selectors
import sys
import time
from collections.abc import Callable
from typing import Protocol


class HasFileno(Protocol):
    def fileno(self) -> int: ...


Descriptor = int | HasFileno


class Reactor:
    """Calls back for descriptors that are ready."""

    def __init__(self) -> None:
        # On Linux what is written to a pseudo-terminal arrives by a worker of the kernel, which may come late. Only
        # asking the terminal anew, as poll does and epoll does not, waits for it: a program's report would otherwise
        # be heard before what was printed ahead of it.
        linux = sys.platform == "linux"
        self._selector: selectors.BaseSelector = selectors.PollSelector() if linux else selectors.DefaultSelector()

    def on_readable(self, descriptor: Descriptor, callback: Callable[[], None]) -> None:
        """Call back whenever there is something to read, or the other side is gone."""
        self._set(descriptor, selectors.EVENT_READ, callback)

    def on_writable(self, descriptor: Descriptor, callback: Callable[[], None] | None) -> None:
        """Call back whenever there is room to write; with None no longer."""
        self._set(descriptor, selectors.EVENT_WRITE, callback)

    def forget(self, descriptor: Descriptor) -> None:
        """To be called before the descriptor is closed."""
        if descriptor in self._selector.get_map():
            self._selector.unregister(descriptor)

    def _set(self, descriptor: Descriptor, event: int, callback: Callable[[], None] | None) -> None:
        known = descriptor in self._selector.get_map()
        callbacks = dict(self._selector.get_key(descriptor).data) if known else {}
        if callback:
            callbacks[event] = callback
        else:
            callbacks.pop(event, None)
        if not callbacks:
            self.forget(descriptor)
        elif known:
            self._selector.modify(descriptor, sum(callbacks), callbacks)
        else:
            self._selector.register(descriptor, sum(callbacks), callbacks)

    def step(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds for something to be ready, and serve it. Returns whether there was anything."""
        ready = self._selector.select(timeout)
        for key, mask in ready:
            for event, callback in key.data.items():
                if mask & event:
                    callback()
        return bool(ready)

    def close(self) -> None:
        self._selector.close()


def now() -> float:
    """Seconds on a clock that never goes back."""
    return time.monotonic()
