"""The launcher, which serves any number of gradings.

This module imports nothing heavy: `grade` starts the engine before it reads the rest of its command line.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from .course.lab import Lab
from .evidence.terminal.launch import Launcher, LaunchError


class Stopped(Exception):
    """The engine was closed while it graded."""


class Engine:
    """What all gradings share. Nothing runs on when it is closed; what grades with it raises `Stopped` then."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self._lock = threading.Lock()
        self._closed = False
        self._launcher = Launcher(lab.preload, lab.directory)
        self._others: set[Launcher] = set()

    @property
    def closed(self) -> bool:
        return self._closed

    def launcher(self) -> Launcher:
        """The launcher; a new one if it was killed."""
        with self._lock:
            self._require_open()
            if not self._launcher.alive:
                self._launcher.close()
                self._launcher = Launcher(self.lab.preload, self.lab.directory)
            return self._launcher

    @contextmanager
    def cold_launcher(self) -> Iterator[Launcher]:
        """A launcher that nobody else uses, and that has imported nothing."""
        with self._lock:
            self._require_open()
            own = Launcher()
            self._others.add(own)
        try:
            yield own
        finally:
            own.close()
            with self._lock:
                self._others.discard(own)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            launchers = [self._launcher, *self._others]
        for launcher in launchers:
            launcher.close()

    def _require_open(self) -> None:
        if self._closed:
            raise LaunchError("the grading was stopped")
