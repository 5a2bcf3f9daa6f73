"""The grader's end of a launcher process."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

# As users start it, but for the caller's own PYTHON* variables and packages.
FLAGS = ("-s", "-E")


class LaunchError(Exception):
    """A program could not be started, or its launcher is gone: the grader's trouble, never the student's."""


class Size(NamedTuple):
    """Of a terminal, in characters."""

    columns: int = 80
    rows: int = 24


@dataclass(frozen=True)
class ProgramSpec:
    """What to start. `terminal` is its size, or None for pipes; `cold` asks for an interpreter of its own.

    What it writes is expected below `scratch`, and counted there.
    """

    directory: Path
    arguments: Sequence[str]
    environment: dict[str, str]
    terminal: Size | None = None
    cold: bool = False
    limits: dict[str, int] = field(default_factory=dict)  # by the names of the `resource` module
    scratch: Path | None = None


class Launcher:
    """Starts programs, for any number of threads.

    `preload` names the modules that warm programs find imported; those that are not installed lie in `directory`.
    """

    def __init__(self, preload: Sequence[str] = (), directory: Path = Path()) -> None:
        self._control, theirs = socket.socketpair()
        self._lock = threading.Lock()
        script = Path(__file__).with_name("launcher.py")
        self._process = subprocess.Popen(
            [sys.executable, *FLAGS, str(script), str(theirs.fileno()), str(directory), *preload],
            pass_fds=[theirs.fileno()],
            env={"PATH": os.defpath, "LANG": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()

    def launch(self, spec: ProgramSpec, descriptors: Sequence[int]) -> None:
        """Start a program: the first descriptor gets its news, the others become its 0, 1, 2, 3 ...

        Raises `LaunchError`.
        """
        request = {
            "argv": list(spec.arguments),
            "flags": FLAGS,
            "directory": str(spec.directory),
            "environment": spec.environment,
            "terminal": spec.terminal is not None,
            "warm": not spec.cold,
            "limits": spec.limits,
        }
        body = json.dumps(request).encode()
        try:
            with self._lock:
                socket.send_fds(self._control, [len(body).to_bytes(4, "big")], descriptors)
                self._control.sendall(body)
        except OSError as error:
            raise LaunchError("the process that starts programs is gone") from error

    @property
    def alive(self) -> bool:
        """Whether no program has killed it, or stopped it."""
        news = os.WEXITED | os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        try:
            return self._process.returncode is None and os.waitid(os.P_PID, self._process.pid, news) is None
        except ChildProcessError:  # another thread is about to note its end
            return False

    def close(self) -> None:
        """Kill all that was started, and wait until that is done."""
        self._control.close()
        self._process.send_signal(signal.SIGCONT)
        self._process.wait()
