"""A stage: one program, its gateway, its screen, and the waiting for what it does."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence

from .gateway import Gateway
from .limits import LimitReached, Limits
from .reactor import Reactor, now
from .screen import Screen
from .terminal.launch import Launcher, ProgramSpec, Size
from .terminal.program import Ended, Program
from .terminal.usage import Usage, usage_of

# How long a program's last output may be on its way while somebody else holds the other side open.
DRAIN_S = 2.0

# How often it is looked at what a program uses; at first after twice as long. An honest one has mostly ended by then.
MEASURE_S = 0.5

# A program that gets this much of a core's time is not silent: it works on something, or is kept waiting for a core.
AT_WORK = 0.03


class ProgramEnded(Exception):
    """The program ended while something else was awaited."""

    def __init__(self, how: Ended) -> None:
        super().__init__(how)
        self.how = how


class Stage:
    """Everything that is served while a check waits. Nothing is left when it is closed."""

    def __init__(self, launcher: Launcher, limits: Limits, paths: Sequence[str] = ("/chat/completions",)) -> None:
        self._launcher = launcher
        self.limits = limits
        self._reactor = Reactor()
        self.gateway = Gateway(self._reactor, paths)
        self.screen = Screen()
        self.turns: list[float] = []  # when each began, in seconds since the program's start
        self._program: Program | None = None
        self._measured = 0.0  # when its usage was looked at last
        self._usage: Usage | None = None

    def start(self, spec: ProgramSpec) -> None:
        """Start the program. Raises `LaunchError`."""
        if spec.terminal:
            self.screen = Screen(*spec.terminal)
        on_output = self.screen.feed if spec.terminal else lambda data: None
        self._program = Program(self._reactor, self._launcher, spec, on_output)
        self._measured = now() + MEASURE_S

    @property
    def started(self) -> bool:
        return self._program is not None

    @property
    def program(self) -> Program:
        assert self._program, "nothing was started on this stage"
        return self._program

    def wait_until(self, seen: Callable[[], bool], silence_s: float | None = None) -> None:
        """Serve everything until `seen()`, which is asked whenever something happened, and may raise.

        `silence_s` takes the place of the limit of that name.
        Raises `LimitReached`, and `ProgramEnded` when it can no longer be seen.
        """
        silence_s = self.limits.silence_s if silence_s is None else silence_s
        quiet_since = now()
        while not seen():
            if self.program.ended:
                self._drain()
                if seen():
                    return
                raise ProgramEnded(self.program.ended)
            heard = self._reactor.step(self._patience(quiet_since + silence_s))
            while heard and self._reactor.step(0):  # what is awaited is looked for when all that came has been taken
                self._check_limits()
            if self._is_at_work() or heard:
                quiet_since = now()
            self._check_limits()
            if (quiet := now() - quiet_since) >= silence_s:
                raise LimitReached("silence", f"{quiet:.0f} s")

    def wait_for_end(self) -> Ended:
        """Wait for the program to end, and read all that it has printed. Raises `LimitReached`."""
        self.wait_until(lambda: self.program.ended is not None)
        assert self.program.ended
        self._drain()
        return self.program.ended

    def serve(self, seconds: float) -> None:
        """Let things happen for at most so long: between two pieces of something that flows."""
        self._reactor.step(seconds)
        self._check_limits()

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
            self._check_limits()
        self._check_limits()
        self._check_disk()

    def _patience(self, quiet_until: float) -> float:
        next_event = min(quiet_until, self.program.started + self.limits.total_s, self._measured + MEASURE_S)
        return max(0.0, next_event - now())

    def _is_at_work(self) -> bool:
        """Look at what the program uses, if it is time for that. Returns whether it has computed since the last time.

        Raises `LimitReached`.
        """
        time = now()
        if time - self._measured < MEASURE_S:
            return False
        seconds, self._measured = time - self._measured, time
        if self.program.pid is None or self.program.ended:
            return False
        before, self._usage = self._usage, usage_of(self.program.pid)
        self.limits.check_usage(self._usage)
        self._check_disk()
        return self._usage.cpu_s - (before.cpu_s if before else 0.0) > AT_WORK * seconds

    def _check_disk(self) -> None:
        if scratch := self.program.spec.scratch:
            self.limits.check_disk(scratch)

    def _check_limits(self) -> None:
        self.program.require_launcher()
        limits, time = self.limits, now()
        if ended := self.program.ended:
            if ended.signal == signal.SIGXCPU:
                raise LimitReached("cpu", f"{ended.cpu_s:.0f} s")
            limits.check_usage(Usage(0, ended.memory, ended.cpu_s))
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
