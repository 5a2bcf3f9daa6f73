"""The battery: fixed things that are asked of one of the student's files, and what matters of the answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..checks.labfile import load
from ..checks.setup import Setup
from ..checks.watch import Watch
from ..checks.workshop import Workshop
from ..course.lab import Lab
from ..evidence.terminal.program import REPORT_DESCRIPTOR

# What one file answered, by the ids of the inputs: plain data.
Seen = dict[str, Any]


@dataclass(frozen=True)
class Input:
    """One thing to be asked of `file`. `request` goes to the lab's `observe.py`. `seen` makes plain data of its answer,
    the same for all programs with the same idea; the answer came from the student's process, so it may raise."""

    file: str
    id: str
    request: Mapping[str, Any]
    seen: Callable[[dict[str, Any]], Any]


def battery(lab: Lab) -> tuple[Input, ...]:
    """What the lab's `battery.py` lists as `BATTERY`; nothing if it has none."""
    file = lab.directory / "battery.py"
    return tuple(load(file).BATTERY) if file.is_file() else ()


class Observer(Watch):
    """The lab's `observe.py`, running for one file."""

    def ask(self, inputs: list[Input]) -> Seen:
        """What the file makes of all these. Raises `Failure` if there is no answer."""
        reports = self.stage.program.reports
        for number, one in enumerate(inputs):
            self.stage.program.type(json.dumps({"id": number, **one.request}).encode() + b"\n")
        self.wait(lambda: len(reports) >= len(inputs), self.say("awaited.answers", file=inputs[0].file))
        return {one.id: _plain(one, report) for one, report in zip(inputs, reports, strict=False)}


def observe(workshop: Workshop, file: str) -> Seen:
    """Ask the battery's questions of one file in the workshop's directory. Raises `Failure`."""
    inputs = [one for one in battery(workshop.lab) if one.file == file]
    stage = workshop.stage()
    try:
        program = workshop.lab.directory / "observe.py"
        stage.start(workshop.spec((str(program), file), {"OBSERVE": str(REPORT_DESCRIPTOR)}))
        return Observer(stage, Setup(terminal=None), workshop.explainer).ask(inputs)
    finally:
        stage.close()


def _plain(one: Input, answer: dict[str, Any]) -> Any:
    """What was seen, as JSON gives it back; None for an answer of a form that the input does not know."""
    try:
        return json.loads(json.dumps(one.seen(answer)))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None
