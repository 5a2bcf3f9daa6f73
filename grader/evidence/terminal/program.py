"""A program under test, seen from outside: what it prints, what it reports, and how it ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import signal
import struct
import sys
import termios
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..reactor import Reactor, now
from .channel import Channel, JsonLines
from .launch import Launcher, LaunchError, ProgramSpec, Size

# How long a killed program may take to be gone.
KILL_S = 10.0

# The number of the system call `read` on x86-64 and on arm64; the other number never waits on either.
READ = ("0", "63")

# The descriptor on which a program reports; its number is handed to it in the environment.
REPORT_DESCRIPTOR = 3


@dataclass(frozen=True)
class Ended:
    """How a program ended. `signal` is None unless one killed it; `left` processes were still running."""

    status: int
    signal: int | None
    cpu_s: float
    memory: int = 0  # at its peak, in bytes
    left: int = 0


class Program:
    """A running program.

    `on_output` gets what it prints, as it is read; `output` keeps that with its time in seconds since the start. On a
    terminal standard error is part of it, in pipes it is in `errors`. `reports` are the JSON objects that the program
    wrote on the descriptor that it was given.
    """

    def __init__(
        self, reactor: Reactor, launcher: Launcher, spec: ProgramSpec, on_output: Callable[[bytes], None]
    ) -> None:
        self.spec = spec
        self.started = now()
        self.output: list[tuple[float, bytes]] = []
        self.resized: list[tuple[float, Size]] = []
        self.output_size = 0  # in bytes, with standard error
        self.report_size = 0
        self.errors = bytearray()
        self.reports: list[dict[str, Any]] = []
        self.ended: Ended | None = None
        self._pid: int | None = None
        self._reactor = reactor
        self._launcher = launcher
        self._on_output = on_output
        self._keyboard: int | None
        self._unread = bytearray()  # typed, and not yet taken by the system
        self._their_terminal: int | None = None
        self._modes: list[Any] = []  # of the terminal, at the start
        self.left_other_modes = False  # known when it has ended

        terminals = open_terminal(spec.terminal) if spec.terminal else None
        news, their_news = os.pipe()
        reports, their_reports = os.pipe()
        self._news = Channel(reactor, news, JsonLines(self._take_news).feed)
        self._report_lines = JsonLines(self.reports.append)
        self._channels = [Channel(reactor, reports, self._take_reports)]
        if terminals:
            self._keyboard, terminal = terminals
            self._screen = Channel(reactor, self._keyboard, self._take_output, ended=self._close_keyboard)
            theirs = {terminal}
            standard = [terminal] * 3
            # Kept open here: on macOS unread output is lost when the last one who has the terminal open goes.
            self._their_terminal = os.dup(terminal)
            self._modes = termios.tcgetattr(terminal)
        else:
            their_input, self._keyboard = os.pipe()
            output, their_output = os.pipe()
            errors, their_errors = os.pipe()
            self._screen = Channel(reactor, output, self._take_output)
            self._channels.append(Channel(reactor, errors, self._take_errors))
            standard = [their_input, their_output, their_errors]
            theirs = set(standard)
        os.set_blocking(self._keyboard, False)
        self._channels.append(self._screen)
        try:
            launcher.launch(spec, [their_news, *standard, their_reports])
        except LaunchError:
            self._let_go()
            raise
        finally:
            for descriptor in (their_news, their_reports, *theirs):
                os.close(descriptor)

    @property
    def pid(self) -> int | None:
        """None until the launcher has told it."""
        return self._pid

    @property
    def waits_for_input(self) -> bool:
        """Whether it is reading its standard input just now, where the system tells."""
        try:
            call, first, *_ = Path(f"/proc/{self._pid}/syscall").read_text().split()
        except (OSError, ValueError):
            return False
        return call in READ and first == "0x0"

    @property
    def printed(self) -> bytes:
        """Everything that it has printed so far."""
        return b"".join(data for _, data in self.output)

    def type(self, keys: bytes) -> None:
        """Type on its keyboard, or write to its standard input. A program that has gone away does not mind."""
        if self._keyboard is not None:
            self._unread += keys
            self._pass_on()

    def end_input(self) -> None:
        """Nothing more will be typed: Ctrl-D on a terminal, else the end of its standard input."""
        if self.spec.terminal:
            self.type(b"\x04")
        else:
            self._close_keyboard()

    def _pass_on(self) -> None:
        """Write what was typed as far as there is room: the program may not be reading now."""
        assert self._keyboard is not None
        try:
            del self._unread[: os.write(self._keyboard, self._unread)]
        except BlockingIOError:
            pass
        except OSError:
            self._unread.clear()
        self._reactor.on_writable(self._keyboard, self._pass_on if self._unread else None)

    def _close_keyboard(self) -> None:
        if self._keyboard is not None and not self.spec.terminal:
            self._reactor.forget(self._keyboard)
            os.close(self._keyboard)
        self._keyboard = None

    def resize(self, size: Size) -> None:
        """Change the size of its terminal. The kernel tells the program with a signal."""
        if self._keyboard is not None:
            set_size(self._keyboard, size)
            self.resized.append((now() - self.started, size))

    def close_output(self) -> None:
        """Stop reading what it prints, as `head` does when it has seen enough."""
        self._screen.close()

    def hang_up(self) -> None:
        """After its end: let the end of what it printed be seen. What is left of its group has nothing more to say."""
        self._kill()
        if self._their_terminal is not None and sys.platform == "linux":
            self.left_other_modes = termios.tcgetattr(self._their_terminal) != self._modes
            os.close(self._their_terminal)
            self._their_terminal = None

    @property
    def may_print(self) -> bool:
        """Whether somebody still has its output open."""
        return any(channel.open for channel in self._channels)

    def close(self) -> None:
        """Kill it if it still runs, with all of its process group, and let go of everything."""
        deadline = now() + KILL_S
        while self._pid is None and self._reactor.step(0):  # it may have been told already
            pass
        while self._pid is None and self._may_be_told() and now() < deadline:
            self._reactor.step(KILL_S)
        self._kill()
        while self.ended is None and self._may_be_told() and now() < deadline:
            self._reactor.step(KILL_S)
        self._let_go()

    def _kill(self) -> None:
        if self._pid is not None:
            try:
                os.killpg(self._pid, signal.SIGKILL)
            except ProcessLookupError:  # the group is gone, or the process has not made it yet
                if self.ended is None:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(self._pid, signal.SIGKILL)

    def _let_go(self) -> None:
        """Close every descriptor of ours."""
        for channel in (self._news, *self._channels):
            channel.close()
        self._close_keyboard()
        if self._their_terminal is not None:
            os.close(self._their_terminal)
            self._their_terminal = None

    def require_launcher(self) -> None:
        """Raise `LaunchError` if there can be no more news of this program before its end."""
        if self.ended is None and not self._may_be_told():
            raise LaunchError("the process that starts programs was killed or stopped")

    def _may_be_told(self) -> bool:
        return self._news.open and self._launcher.alive

    def _take_news(self, news: dict[str, Any]) -> None:
        if "pid" in news:
            self._pid = news["pid"]
        else:
            code = os.waitstatus_to_exitcode(news["status"])
            memory = news["memory"] << 10
            self.ended = Ended(max(code, 0), -code if code < 0 else None, news["cpu"], memory, news["left"])

    def _take_errors(self, data: bytes) -> None:
        self.errors += data
        self.output_size += len(data)

    def _take_reports(self, data: bytes) -> None:
        self.report_size += len(data)
        self._report_lines.feed(data)

    def _take_output(self, data: bytes) -> None:
        self.output.append((now() - self.started, data))
        self.output_size += len(data)
        self._on_output(data)


def open_terminal(size: Size) -> tuple[int, int]:
    """A new pseudo-terminal: the grader's side and the program's.

    What is typed is not echoed, but the Enter that ends it is, so an answer starts on a line of its own. Without
    NOFLSH, Ctrl-C would throw away output that the program has written and nobody has read. Raises `LaunchError`.
    """
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        raise LaunchError(f"the system gives no pseudo-terminal ({error.strerror or error})") from None
    modes = termios.tcgetattr(theirs)
    modes[3] = (modes[3] & ~termios.ECHO) | termios.ECHONL | termios.NOFLSH
    termios.tcsetattr(theirs, termios.TCSANOW, modes)
    set_size(theirs, size)
    return ours, theirs


def set_size(terminal: int, size: Size) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.columns, 0, 0))
