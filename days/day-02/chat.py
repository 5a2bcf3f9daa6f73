"""The program: reads prompts, runs turns, shows them, keeps the conversation.

    python chat.py "tell me about streaming"     one prompt
    python chat.py                               a session: one prompt a line until end of file

Environment:
    OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL    the gateway to ask
    MOCK=1        play the offline scripts instead (also when there is no OPENAI_BASE_URL)
    MOCK_DELAY    pause after each of their deltas, in seconds
    INJECT        play a fault: truncated, rate-limited, bad-request, stalled, garbage
    SESSION_LOG   a path, or the number of an open descriptor: events and messages as JSON lines
    SELFTEST=1    grade this directory

Exit status: 0; 1 after an error in one-prompt mode, or for a setting that cannot be; 130 after Ctrl-C; 141 when
nobody reads the output any more.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import importlib.machinery
import json
import os
import shutil
import signal
import subprocess
import sys
import traceback
from collections.abc import AsyncGenerator, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

HERE = Path(__file__).resolve().parent


def selftest() -> int:
    """Grade this directory with the grader, in a process of its own that sees none of the files here as modules."""
    elsewhere = [entry for entry in sys.path if entry and Path(entry).resolve() != HERE]
    if importlib.machinery.PathFinder.find_spec("grader", elsewhere):
        grade = [sys.executable, "-P", "-m", "grader"]
    elif found := shutil.which("grade"):
        grade = [found]
    else:
        print("chat.py: the grader is not installed here; install it, or run `grade` yourself.", file=sys.stderr)
        return 3
    try:
        lab = (HERE / ".lab").read_text("utf-8").strip()
    except OSError:
        print("chat.py: this is not a directory that `grade start` has made.", file=sys.stderr)
        return 3
    report = subprocess.run([*grade, lab, "--path", str(HERE)], env={**os.environ, "SELFTEST": ""}, check=False)
    return report.returncode


# Before the imports below: a self-test must also be able to grade files that cannot be imported.
if os.environ.get("SELFTEST") == "1":
    sys.exit(selftest())

from deltas import CancelSignal, Message  # noqa: E402
from events import ErrorEvent  # noqa: E402
from gateway import Gateway  # noqa: E402
from loop import run_turn  # noqa: E402
from mock import ScriptedTransport, ScriptError  # noqa: E402
from render import Renderer  # noqa: E402


def main() -> int:
    # A program can be started without them.
    sys.stdout = sys.stdout or open(os.devnull, "w")
    sys.stderr = sys.stderr or open(os.devnull, "w")
    for stream in (sys.stdin, sys.stdout):
        # A lone surrogate from a model, or a stray byte from a keyboard, must not end the session.
        if stream is not None:
            stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    try:
        return talk(sys.argv[1:])
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # What is still buffered would complain once more when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def talk(arguments: list[str]) -> int:
    """Answer the prompt of the command line, or prompt after prompt from standard input. Returns the exit status."""
    try:
        session = Session()
    except (ScriptError, OSError, ValueError) as problem:
        print(f"chat.py: {problem}", file=sys.stderr)
        return 1
    prompts: Iterable[str] = [" ".join(arguments)] if arguments else typed_prompts()
    status = 0
    with asyncio.Runner() as runner:
        try:
            for prompt in prompts:
                status = session.turn(runner, prompt)
        finally:
            runner.run(session.provider.close())
    return status if arguments else 0


def typed_prompts() -> Iterator[str]:
    """The lines of standard input that say something, each asked for with a prompt sign when a person types them."""
    if sys.stdin is None:
        return
    sign = "> " if sys.stdin.isatty() else ""
    while True:
        if sign:
            print(sign, end="", file=sys.stderr, flush=True)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            print(file=sys.stderr)
            raise
        if not line:
            if sign:
                print(file=sys.stderr)
            return
        if line.strip():
            yield line.rstrip("\r\n")


class Session:
    """A conversation: the messages so far, and the provider that answers them."""

    def __init__(self) -> None:
        base_url = os.environ.get("OPENAI_BASE_URL", "")
        if os.environ.get("MOCK") == "1" or not base_url:
            pause = os.environ.get("MOCK_DELAY") or (0.03 if sys.stdout.isatty() else 0)
            try:
                delay = float(pause)
            except ValueError:
                raise ScriptError(f"MOCK_DELAY={pause} is not a number of seconds.") from None
            script = ScriptedTransport(delay=delay, inject=os.environ.get("INJECT", ""))
            self.provider = Gateway("http://offline", model="script", transport=script)
        else:
            model = os.environ.get("OPENAI_MODEL", "gpt-5-mini")
            self.provider = Gateway(base_url, model=model, api_key=os.environ.get("OPENAI_API_KEY"))
        self.messages: list[Message] = []
        self._log = SessionLog(os.environ.get("SESSION_LOG", ""))

    def turn(self, runner: asyncio.Runner, prompt: str) -> int:
        """Run one turn and show it. Returns the exit status that it deserves."""
        cancel = CancelSignal()
        with quiet_terminal():
            failed = runner.run(self._turn(prompt, cancel))
        return 130 if cancel.aborted else int(failed)

    async def _turn(self, prompt: str, cancel: CancelSignal) -> bool:
        with interrupts_abort(cancel):
            return await self._answer(prompt, cancel)

    async def _answer(self, prompt: str, cancel: CancelSignal) -> bool:
        """Pass the loop's events on to the screen and to the log. Returns whether the turn failed."""
        self.messages.append(Message("user", prompt))
        failed = False
        try:
            renderer = Renderer(sys.stdout, tty=wants_styles())
            events = run_turn(self.provider, self.messages, cancel)
            if asyncio.iscoroutine(events):
                events.close()  # or Python would warn that nobody has awaited it
                raise TypeError("run_turn has no `yield`, so it is no async generator")
            try:
                async for event in events:
                    self._log.write({"event": type(event).__name__, **fields(event)})
                    failed = failed or isinstance(event, ErrorEvent)
                    renderer.handle(event)
            finally:
                # A renderer that raised has left it in the middle. One that yields even now is left to itself.
                if isinstance(events, AsyncGenerator):
                    with contextlib.suppress(RuntimeError):
                        await events.aclose()
        except BrokenPipeError:
            raise
        except (Exception, asyncio.CancelledError) as error:
            task = asyncio.current_task()
            if task and task.cancelling():
                raise  # by this program, not by the loop's own doing
            failed = True
            self._log.write({"exception": one_line(error)})
            print(f"chat.py: {one_line(error)}", file=sys.stderr)
        finally:
            await self.provider.end_turn()
            self._log.write({"messages": [fields(message) for message in self.messages]})
        return failed


class SessionLog:
    """JSON lines, written as things happen, for whoever wants to know what this program alone can say."""

    def __init__(self, where: str) -> None:
        self._file = open(int(where) if where.isdecimal() else where, "a", encoding="utf-8") if where else None

    def write(self, entry: dict[str, Any]) -> None:
        if self._file:
            self._file.write(json.dumps(entry, default=repr) + "\n")
            self._file.flush()


def fields(value: Any) -> dict[str, Any]:
    """What a dataclass holds, by field name; anything else as it looks."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return {"repr": repr(value)}


def one_line(error: BaseException) -> str:
    """An exception that left the student's code, and the line of this directory that it came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == HERE]
    where = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else "chat.py"
    try:
        said = str(error)[:500]
    except Exception:
        said = "it cannot say what is wrong"
    return " ".join(f"{type(error).__name__} in {where}: {said}".split())


def wants_styles() -> bool:
    """Whether standard output is a terminal on which escape sequences are welcome."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextlib.contextmanager
def interrupts_abort(cancel: CancelSignal) -> Iterator[None]:
    """During a turn Ctrl-C stops that turn; a second one, for a turn that will not stop, ends the program."""

    def on_interrupt(signum: int, frame: FrameType | None) -> None:
        if cancel.aborted:
            raise KeyboardInterrupt
        cancel.abort()

    # Two handlers. The loop's own wakes it, also when the signal comes just before it begins to wait; the plain one
    # is noticed even while the parser works through one large chunk.
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, cancel.abort)
    signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)  # from now on Ctrl-C is a KeyboardInterrupt again


@contextlib.contextmanager
def quiet_terminal() -> Iterator[None]:
    """During a turn nothing typed is echoed into the answer, and Ctrl-C throws away nothing that was written."""
    try:
        import termios

        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
        in_front = os.tcgetpgrp(keyboard) == os.getpgrp()  # changing it from the background would stop the program
    except (ImportError, AttributeError, OSError, ValueError, termios.error):
        in_front = False
    if not in_front:
        yield
        return
    during = before[:]
    during[3] = during[3] & ~(termios.ECHO | termios.ECHONL) | termios.NOFLSH
    termios.tcsetattr(keyboard, termios.TCSANOW, during)
    try:
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)


if __name__ == "__main__":
    sys.exit(main())
