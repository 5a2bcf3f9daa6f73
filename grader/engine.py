"""The launcher, which serves any number of gradings.

This module imports nothing heavy: `grade` starts the engine before it reads the rest of its command line.
"""

from __future__ import annotations

import threading

from .course.lab import Lab
from .evidence.terminal.launch import Launcher, LaunchError


class Engine:
    """What all gradings share. Nothing runs on when it is closed."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self._lock = threading.Lock()
        self._closed = False
        self._launcher = Launcher(lab.preload, lab.directory)

    def launcher(self) -> Launcher:
        """The launcher; a new one if it was killed."""
        with self._lock:
            if self._closed:
                raise LaunchError("the grading was stopped")
            if not self._launcher.alive:
                self._launcher.close()
                self._launcher = Launcher(self.lab.preload, self.lab.directory)
            return self._launcher

    def close(self) -> None:
        with self._lock:
            self._closed = True
        self._launcher.close()
