"""A stage: one program, its gateway, its screen, and the waiting for what it does."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass

from .gateway import Gateway
from .reactor import Reactor, now
from .screen import Screen
from .terminal.launch import Launcher, ProgramSpec, Size
from .terminal.program import Ended, Program

# How long a program's last output may be on its way while somebody else holds the other side open.
DRAIN_S = 2.0


@dataclass(frozen=True)
class Limits:
    """What one program may use. Generous: an honest program on a busy machine reaches none of them."""

    silence_s: float = 10.0  # while something is awaited and nothing at all happens
    total_s: float = 120.0
    cpu_s: int = 20
    output_bytes: int = 1 << 18
    report_bytes: int = 8 << 20


class LimitReached(Exception):
    """A program went over a limit. `figure` is what it reached, with its unit."""

    def __init__(self, name: str, figure: str) -> None:
        super().__init__(name, figure)
        self.name = name
        self.figure = figure


class ProgramEnded(Exception):
    """The program ended while something else was awaited."""

    def __init__(self, how: Ended) -> None:
        super().__init__(how)
        self.how = how


class Stage:
    """Everything that is served while a check waits. Nothing is left when it is closed."""

    def __init__(self, launcher: Launcher, limits: Limits) -> None:
        self._launcher = launcher
        self._limits = limits
        self._reactor = Reactor()
        self.gateway = Gateway(self._reactor)
        self.screen = Screen()
        self._program: Program | None = None

    def start(self, spec: ProgramSpec) -> None:
        """Start the program. Raises `LaunchError`."""
        if spec.terminal:
            self.screen = Screen(*spec.terminal)
        on_output = self.screen.feed if spec.terminal else lambda data: None
        self._program = Program(self._reactor, self._launcher, spec, on_output)

    @property
    def started(self) -> bool:
        return self._program is not None

    @property
    def program(self) -> Program:
        assert self._program, "nothing was started on this stage"
        return self._program

    def wait_until(self, seen: Callable[[], bool]) -> None:
        """Serve everything until `seen()`, which is asked whenever something happened, and may raise.

        Raises `LimitReached`, and `ProgramEnded` when it can no longer be seen.
        """
        quiet_since = now()
        while not seen():
            if self.program.ended:
                self._drain()
                if seen():
                    return
                raise ProgramEnded(self.program.ended)
            if self._reactor.step(self._patience(quiet_since)):
                while self._reactor.step(0):  # what is awaited is looked for when all that came has been taken
                    self._check_limits(now())
                quiet_since = now()
            self._check_limits(quiet_since)

    def wait_for_end(self) -> Ended:
        """Wait for the program to end, and read all that it has printed. Raises `LimitReached`."""
        self.wait_until(lambda: self.program.ended is not None)
        assert self.program.ended
        self._drain()
        return self.program.ended

    def serve(self, seconds: float) -> None:
        """Let things happen for at most so long: between two pieces of something that flows."""
        self._reactor.step(seconds)
        self._check_limits(now())

    def resize(self, size: Size) -> None:
        """Change the size of the program's terminal; the kernel tells it."""
        self.screen.resize(*size)
        self.program.resize(size)

    def close(self) -> None:
        if self._program:
            self._program.close()
        self.gateway.close()
        self._reactor.close()

    def _drain(self) -> None:
        """After the program's end, read what is still on its way, until nothing comes any more."""
        self.program.hang_up()
        while self.program.may_print and self._reactor.step(DRAIN_S):
            self._check_limits(now())
        self._check_limits(now())

    def _patience(self, quiet_since: float) -> float:
        quiet_until = quiet_since + self._limits.silence_s
        return max(0.0, min(quiet_until, self.program.started + self._limits.total_s) - now())

    def _check_limits(self, quiet_since: float) -> None:
        self.program.require_launcher()
        limits, time = self._limits, now()
        if self.program.ended and self.program.ended.signal == signal.SIGXCPU:
            raise LimitReached("cpu", f"{self.program.ended.cpu_s:.0f} s")
        for size, limit in (
            (self.program.output_size, limits.output_bytes),
            (self.program.report_size, limits.report_bytes),
        ):
            if size > limit:
                raise LimitReached("output", f"{size >> 10} KiB")
        if self.gateway.excess:
            raise LimitReached(*self.gateway.excess)
        if time - self.program.started > limits.total_s:
            raise LimitReached("total", f"{time - self.program.started:.0f} s")
        if time - quiet_since >= limits.silence_s:
            raise LimitReached("silence", f"{time - quiet_since:.0f} s")
