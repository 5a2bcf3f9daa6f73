"""What came out of a stream and when: of the engine's own parser, and of the student's, in the same form."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..checks.cut import CutStream
from ..checks.outcome import delta_line, ending_line, kind_of_error
from ..checks.parser import Parser
from ..course.lab import Lab
from .event_stream import EventStream

ReadPayloads = Callable[[Iterable[str]], Iterator[object]]


@dataclass(frozen=True)
class Reading:
    """Deltas, one line each, and as the last line how it ended; and the step in which each came.

    Steps are chunks, counted from 1; the step behind the last chunk is the end of the stream.
    """

    lines: tuple[str, ...]
    steps: tuple[int, ...]
    error: str | None = None  # the class that ended it

    def at(self, step: int) -> list[str]:
        """What came in this step."""
        return [line for line, when in zip(self.lines, self.steps, strict=True) if when == step]


@cache
def reference_of(lab: Lab) -> ReadPayloads | None:
    """`read_payloads` of the lab's `reference.py`, or None if the lab has no such file.

    It imports the lab's frozen files by their plain names, which another lab has, too: they are forgotten afterwards.
    """
    file = lab.directory / "reference.py"
    if not file.is_file():
        return None
    spec = importlib.util.spec_from_file_location(f"reference_of_{lab.id}", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    known = set(sys.modules)
    sys.path.insert(0, str(lab.directory))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(lab.directory))
        for name in set(sys.modules) - known:
            if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == lab.directory:
                del sys.modules[name]
    read_payloads: ReadPayloads = module.read_payloads
    return read_payloads


def reference_reading(read_payloads: ReadPayloads, cut: CutStream) -> Reading:
    """What the standard and the lab's reference make of this stream."""
    step = 0

    def payloads() -> Iterator[str]:
        nonlocal step
        events = EventStream()
        for chunk in cut.chunks:
            step += 1
            for event in events.feed(chunk):
                yield event.data
        step += 1

    lines: list[str] = []
    steps: list[int] = []
    error: str | None = None
    try:
        for delta in read_payloads(payloads()):
            lines.append(delta_line({"class": type(delta).__name__, **_fields(delta)}))
            steps.append(step)
    except Exception as raised:  # the reference's way to say how a stream must end
        error = type(raised).__name__
    return Reading((*lines, ending_line(error)), (*steps, step), error)


def student_reading(parser: Parser, cut: CutStream, wanted: Reading, *, any_ending: bool) -> Reading:
    """What the student's parser makes of it. With `any_ending` every ending is taken for the wanted one.

    Raises `Failure` if it does not answer.
    """
    outcome = parser.ask(cut.stream, [list(cut.cuts)], asked=True)[0]
    error = kind_of_error(outcome["error"]["class"] if outcome["error"] else [], wanted.error)
    deltas, last = outcome["deltas"], len(cut.chunks) + 1
    steps = [*(outcome["asked"] or [last] * len(deltas)), outcome.get("ended") or last]
    ending = wanted.lines[-1] if any_ending else ending_line(error)
    return Reading((*map(delta_line, deltas), ending), tuple(max(1, min(step, last)) for step in steps), error)


def _fields(delta: object) -> dict[str, Any]:
    assert dataclasses.is_dataclass(delta) and not isinstance(delta, type)
    return dataclasses.asdict(delta)
