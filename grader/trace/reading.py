"""What came out of a stream and when: of the engine's own parser, and of the student's, in the same form."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..checks.cut import CutStream
from ..checks.event_stream import Event, EventStream
from ..checks.outcome import ending_line, item_line, kind_of_error
from ..checks.parser import Parser
from ..course.lab import Lab

# From events to what the lab's parser gives out; what else its probe program is told comes by keyword.
ReadEvents = Callable[..., Iterator[object]]


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
def reference_of(lab: Lab) -> ReadEvents | None:
    """`read_events` of the lab's `reference.py`, or None if the lab has no such file.

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
    read_events: ReadEvents = module.read_events
    return read_events


def reference_reading(read_events: ReadEvents, cut: CutStream) -> Reading:
    """What the standard and the lab's reference make of this stream."""
    step = 0

    def events() -> Iterator[Event]:
        nonlocal step
        parser = EventStream()
        for chunk in cut.chunks:
            step += 1
            yield from parser.feed(chunk)
        step += 1

    lines: list[str] = []
    steps: list[int] = []
    error: str | None = None
    try:
        for delta in read_events(events(), **dict(cut.told)):
            lines.append(item_line({"class": type(delta).__name__, **_fields(delta)}))
            steps.append(step)
    except Exception as raised:  # the reference's way to say how a stream must end
        error = type(raised).__name__
    return Reading((*lines, ending_line(error)), (*steps, step), error)


def student_reading(parser: Parser, cut: CutStream, wanted: Reading, *, any_ending: bool) -> Reading:
    """What the student's parser makes of it. With `any_ending` every ending is taken for the wanted one.

    Raises `Failure` if it does not answer.
    """
    outcome = parser.outcomes(cut, [cut.cuts], asked=True)[0]
    error = kind_of_error(outcome["error"]["class"] if outcome["error"] else [], parser.explainer.errors)
    items, last = outcome["items"], len(cut.chunks) + 1
    steps = [*(outcome["asked"] or [last] * len(items)), outcome.get("ended") or last]
    ending = wanted.lines[-1] if any_ending else ending_line(error)
    return Reading((*map(item_line, items), ending), tuple(max(1, min(step, last)) for step in steps), error)


def _fields(delta: object) -> dict[str, Any]:
    assert dataclasses.is_dataclass(delta) and not isinstance(delta, type)
    return dataclasses.asdict(delta)
