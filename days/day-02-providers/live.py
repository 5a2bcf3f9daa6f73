"""The program: asks a provider, and shows the answer while it comes.

    python live.py "how does text travel?"               one prompt
    python live.py                                       a session: one prompt a line until end of file
    python live.py --provider anthropic --whole "..."    nothing is shown until the answer is whole

Options:
    --provider openai | responses | anthropic | gemini    which format the answer comes in; openai if none is named
    --transport chunks | growing    how the network hands over its bytes: piece by piece, or all that came so far
    --whole                         show no sentence before all of them are there

Environment:
    OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GEMINI_BASE_URL    whom to ask; with ..._API_KEY and ..._MODEL
    MOCK=1        play the recorded streams instead (also when there is no base URL)
    MOCK_DELAY    pause after each of their events, in seconds; 0.03 on a terminal, else 0
    INJECT        play a fault: truncated, broken, error
    SESSION_LOG   a path, or the number of an open descriptor: what happens, as JSON lines

Exit status: 0; 1 after an error in one-prompt mode, or for a setting that cannot be; 2 for an option that is none;
130 after Ctrl-C; 141 when nobody reads the output any more.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from conversation import Conversation
from front import Front, quiet_terminal
from gateway import ENDPOINTS, Gateway
from offline import FAULTS, RecordedTransport
from paint import Painter
from policy import Policy
from providers import Translator
from sse import EventParser
from transport import ChunkTransport, GrowingTransport
from turn import PROVIDERS, Channel, Message, Provider, ProviderError, Turn
from utf8 import Utf8Decoder

HERE = Path(__file__).resolve().parent

ATTEMPTS = 3


class SettingError(Exception):
    """A setting that cannot be. The message is one plain sentence."""


class Pipeline:
    """One attempt at an answer: everything between the network and the draft. A retry begins with a new one."""

    def __init__(self, options: argparse.Namespace, conversation: Conversation, log: SessionLog) -> None:
        self._conversation = conversation
        self._log = log
        self._parser = EventParser()
        self._policy = Policy("whole" if options.whole else "sentences")
        self._translator = Translator(options.provider, self._listen)
        self._so_far = bytearray() if options.transport == "growing" else None
        transport = ChunkTransport if self._so_far is None else GrowingTransport
        self._transport = transport(Utf8Decoder(), self._parse)

    def receive(self, chunk: bytes) -> None:
        """Raises `ProviderError` for an error that the provider reports."""
        if self._so_far is not None:
            self._so_far += chunk
            chunk = bytes(self._so_far)
        self._transport.receive(chunk)

    def end(self) -> None:
        """Raises `ProviderError` if the answer was cut."""
        self._transport.end()
        self._translator.end()
        self._conversation.add("answer", self._policy.end())

    def _parse(self, text: str) -> None:
        for event in self._parser.feed(text):
            self._translator.take(event)

    def _listen(self, channel: Channel, delta: str, so_far: str) -> None:
        self._log.write({"channel": channel, "delta": delta})
        self._conversation.add(channel, self._policy.feed(delta) if channel == "answer" else delta)


class Session:
    """A conversation with one provider, and the front that shows it."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._gateway = Gateway(options.provider, transport=recorded(options.provider))
        self._front = Front(sys.stdout, tty=wants_styles())
        self._conversation = Conversation()
        self._log = SessionLog(os.environ.get("SESSION_LOG", ""))

    async def turn(self, prompt: str) -> bool:
        """Answer one prompt. Returns whether that went well."""
        conversation = self._conversation
        messages = [*conversation.history(), Message("user", prompt)]
        conversation.ask(prompt)
        clock = LoopClock()
        painter: Painter[Turn] = Painter(clock, lambda: conversation.turns[-1], self._front.draw)
        for attempt in range(1, ATTEMPTS + 1):
            self._log.write({"attempt": attempt})
            pipeline = Pipeline(self._options, conversation, self._log)
            try:
                async with contextlib.aclosing(self._gateway.stream(messages)) as chunks:
                    async for chunk in chunks:
                        pipeline.receive(chunk)
                        painter.changed()
                        clock.check()
            except ProviderError as error:
                if error.retryable and attempt < ATTEMPTS:
                    conversation.restart()
                    painter.cleared()
                    continue
                conversation.fail(error)
            else:
                # An answer that was cut is not asked for again without a word: it has cost as much as a whole one.
                try:
                    pipeline.end()
                    conversation.finish()
                except ProviderError as error:
                    conversation.fail(error)
            break
        painter.finished()
        clock.check()
        turn = conversation.turns[-1]
        self._log.write({"turn": dataclasses.asdict(turn)})
        self._log.write({"messages": [dataclasses.asdict(message) for message in conversation.history()]})
        if turn.error is not None and not self._front.tty:
            print(turn.error, file=sys.stderr)
        return turn.error is None

    def leave(self) -> None:
        self._front.leave()

    async def close(self) -> None:
        await self._gateway.close()
        self._log.close()


class LoopClock:
    """The event loop's time in milliseconds."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._failure: Exception | None = None

    def now(self) -> float:
        return self._loop.time() * 1000

    def call_at(self, when: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        def call() -> None:
            try:
                callback()
            except Exception as error:  # it has nowhere to go from here
                self._failure = error

        return self._loop.call_at(when / 1000, call)

    def check(self) -> None:
        """Raise what a callback has raised."""
        if self._failure:
            raise self._failure


class SessionLog:
    """JSON lines, written as things happen, for whoever wants to know what this program alone can say."""

    def __init__(self, where: str) -> None:
        self._file = open(int(where) if where.isdecimal() else where, "a", encoding="utf-8") if where else None

    def write(self, entry: dict[str, Any]) -> None:
        if self._file:
            self._file.write(json.dumps(entry, default=repr) + "\n")
            self._file.flush()

    def close(self) -> None:
        if self._file:
            self._file.close()


def recorded(provider: Provider) -> RecordedTransport | None:
    """What plays the recorded streams, unless there is a provider to ask. Raises `SettingError`."""
    if ENDPOINTS[provider].base_url and os.environ.get("MOCK") != "1":
        return None
    fault = os.environ.get("INJECT", "")
    if fault and fault not in FAULTS:
        raise SettingError(f"INJECT={fault} is not a fault that can be played; there are: {', '.join(FAULTS)}.")
    pause = os.environ.get("MOCK_DELAY") or (0.03 if sys.stdout.isatty() else 0)
    try:
        delay = float(pause)
    except ValueError:
        raise SettingError(f"MOCK_DELAY={pause} is not a number of seconds.") from None
    return RecordedTransport(provider, delay=delay, fault=fault)


def wants_styles() -> bool:
    """Whether standard output is a terminal on which escape sequences are welcome."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def typed_prompts() -> Iterator[str]:
    """The lines of standard input that say something, each asked for with a prompt sign when a person types them."""
    sign = "> " if sys.stdin.isatty() else ""
    while True:
        print(sign, end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


def one_line(error: BaseException) -> str:
    """An exception that left the student's code, and the line of this directory that it came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == HERE]
    where = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else "live.py"
    return " ".join(f"{type(error).__name__} in {where}: {str(error)[:500]}".split())


def talk(options: argparse.Namespace) -> int:
    """Answer the prompt of the command line, or prompt after prompt from standard input. Returns the exit status."""
    prompts: Iterable[str] = [" ".join(options.prompt)] if options.prompt else typed_prompts()
    well = True
    with asyncio.Runner() as runner:
        session = Session(options)
        try:
            for prompt in prompts:
                with quiet_terminal():
                    well = runner.run(session.turn(prompt))
        finally:
            session.leave()
            runner.run(session.close())
    return 0 if well or not options.prompt else 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="live.py", description="Ask a provider, and watch the answer come.")
    parser.add_argument("--provider", choices=PROVIDERS, default="openai")
    parser.add_argument("--transport", choices=("chunks", "growing"), default="chunks")
    parser.add_argument("--whole", action="store_true", help="show nothing until the answer is whole")
    parser.add_argument("prompt", nargs="*")
    options = parser.parse_args()
    for stream in (sys.stdin, sys.stdout):
        # A lone surrogate from a model, or a stray byte from a keyboard, must not end the session.
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    try:
        return talk(options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # What is still buffered would complain once more when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (SettingError, OSError) as problem:
        print(f"live.py: {problem}", file=sys.stderr)
        return 1
    except Exception as error:
        print(f"live.py: {one_line(error)}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
