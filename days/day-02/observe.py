"""Calls one of the student's files by itself, so that what it does can be told from what the others do.

Started with the file's name in a composed directory. One JSON object a line comes in, one goes out on the descriptor
that `OBSERVE` names, with the same `id`:

    sse.py     {"id", "stream": "data: ...", "cuts": [5, 9]}
           ->  {"id", "items", "asked", "error"}
    loop.py    {"id", "steps": [["text", "hi"], ["abort"], ["cut"]], "aborted": false}
           ->  {"id", "events", "messages", "signal", "raised"}
    render.py  {"id", "events": [["text", "hi"], ["done", "stop"]], "tty": true, "columns": 80}
           ->  {"id", "printed": [...], "raised", "errors"}

A renderer prints on a real terminal of so many columns and 24 rows, or in a pipe if `columns` is null; with
`"closed": true` nobody reads the pipe. `["resize", 30]` among its events is no event, but a new number of columns.
`printed` is what had come out after each event, in one character for each byte.
`{"mentions": ["deltas"]}` asks which of these are names in the file.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import fcntl
import io
import json
import os
import struct
import sys
import termios
import tokenize
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

sys.path[0] = ""  # the composed directory, wherever this file lies

from deltas import (  # noqa: E402
    CancelSignal,
    ChatRequest,
    Delta,
    FinishDelta,
    GatewayError,
    Message,
    ReasoningDelta,
    StreamTruncatedError,
    TextDelta,
    ToolCallDelta,
    UsageDelta,
)
from events import DoneEvent, ErrorEvent, TextEvent  # noqa: E402

Answer = dict[str, Any]

DELTAS = {
    "text": TextDelta,
    "reasoning": ReasoningDelta,
    "tool": ToolCallDelta,
    "usage": UsageDelta,
    "finish": FinishDelta,
}
EVENTS = {"text": TextEvent, "error": ErrorEvent, "done": DoneEvent}


async def parse(request: Answer) -> Answer:
    from probe import outcome, pieces

    return await outcome(pieces(request["stream"].encode("latin-1"), request["cuts"]))


class ScriptedProvider:
    """Does one step after another, each when it is asked for the next delta."""

    def __init__(self, steps: list[list[Any]], signal: CancelSignal) -> None:
        self.given = 0
        self.had_signal = False
        self._steps = steps
        self._signal = signal

    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        self.had_signal = request.signal is self._signal
        for kind, *values in self._steps:
            await asyncio.sleep(0)  # as a network would, it lets others run
            if kind == "abort":
                self._signal.abort()
            elif kind == "cut":
                raise StreamTruncatedError
            elif kind == "fail":
                message, retryable, status = values
                raise GatewayError(message, retryable=retryable, status=status)
            else:
                self.given += 1
                yield DELTAS[kind](*values)

    async def end_turn(self) -> None:
        pass


async def run_loop(request: Answer) -> Answer:
    from loop import run_turn

    signal = CancelSignal()
    if request["aborted"]:
        signal.abort()
    provider = ScriptedProvider(request["steps"], signal)
    messages = [Message("user", "hello")]
    events: list[Answer] = []
    with raised() as problems:
        async for event in run_turn(provider, messages, signal):  # type: ignore[arg-type]
            events.append({"class": type(event).__name__, **fields(event), "given": provider.given})
    return {
        "events": events,
        "messages": [[message.role, message.content] for message in messages[1:]],
        "signal": provider.had_signal,
        "raised": problems,
    }


class Window:
    """The terminal that renderers print on; standard output, too, is this one. At first it is 60 columns wide."""

    def __init__(self) -> None:
        self.ours, self.theirs = os.openpty()
        os.set_blocking(self.ours, False)
        os.set_blocking(self.theirs, False)  # a renderer that prints without end must not wait for a reader
        self.resize(60)
        os.dup2(self.theirs, 1)

    def resize(self, columns: int) -> None:
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


@cache
def window() -> Window:
    return Window()


async def render(request: Answer) -> Answer:
    if words := request.get("mentions"):
        return mentioned(words)
    terminal = window()
    from render import Renderer

    if columns := request["columns"]:
        terminal.resize(columns)
        ours, theirs = os.dup(terminal.ours), os.dup(terminal.theirs)
    else:
        ours, theirs = os.pipe()
        os.set_blocking(ours, False)
    reader, out = open(ours, "rb", buffering=0), open(theirs, "w", encoding="utf-8")
    errors = out if columns else io.StringIO()
    printed: list[str] = []
    with reader, raised() as problems, contextlib.redirect_stderr(errors):
        if request.get("closed"):
            reader.close()
        renderer = Renderer(out, tty=request["tty"])
        for kind, *values in request["events"]:
            if kind == "resize":
                terminal.resize(*values)
                continue
            renderer.handle(EVENTS[kind](*values))
            printed.append("" if reader.closed else (reader.read() or b"").decode("latin-1"))
    with contextlib.suppress(OSError):
        out.close()
    if columns:
        termios.tcflush(terminal.ours, termios.TCIOFLUSH)
    return {
        "printed": printed,
        "raised": problems,
        "errors": errors.getvalue() if isinstance(errors, io.StringIO) else "",
    }


def mentioned(words: list[str]) -> Answer:
    """Which of these are names in the source of `render.py`."""
    with open("render.py", "rb") as source:
        names = {token.string for token in tokenize.tokenize(source.readline) if token.type == tokenize.NAME}
    return {"mentioned": sorted(names.intersection(words))}


@contextlib.contextmanager
def raised() -> Any:
    """Collects the classes of an exception that comes out of the block."""
    problems: list[str] = []
    try:
        yield problems
    except Exception as problem:
        problems += [kind.__name__ for kind in type(problem).__mro__[:-3]]


def fields(value: object) -> Answer:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return {}


PARTS = {"sse.py": parse, "loop.py": run_loop, "render.py": render}


def main() -> None:
    call = PARTS[sys.argv[1]]
    out = open(int(os.environ["OBSERVE"]), "w", encoding="utf-8", closefd=False)
    with asyncio.Runner() as runner:
        for line in sys.stdin:
            request = json.loads(line)
            try:
                answer = runner.run(call(request))
            except Exception as problem:  # the file cannot even be imported
                answer = {"raised": [type(problem).__name__]}
            out.write(json.dumps({"id": request["id"], **answer}, default=repr) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
