"""The launchers, which serve any number of gradings.

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
        # The warm one first: it imports its libraries while the grader still imports its own.
        self._launchers = {cold: self._new_launcher(cold) for cold in (False, True)}

    def launcher(self, cold: bool) -> Launcher:
        """The launcher for cold or for warm programs; a new one if it was killed."""
        with self._lock:
            if self._closed:
                raise LaunchError("the grading was stopped")
            if not self._launchers[cold].alive:
                self._launchers[cold].close()
                self._launchers[cold] = self._new_launcher(cold)
            return self._launchers[cold]

    def close(self) -> None:
        with self._lock:
            self._closed = True
        for launcher in self._launchers.values():
            launcher.close()

    def _new_launcher(self, cold: bool) -> Launcher:
        return Launcher(() if cold else self.lab.preload)
