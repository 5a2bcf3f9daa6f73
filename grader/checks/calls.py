"""The student's functions, called on request through the lab's `probe.py`: plain data goes in, plain data comes out.

The program holds no expected value. What it answers is compared here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..evidence.stage import Stage
from ..harmless import harmless, with_signs
from .explainer import Explainer
from .failure import Failure
from .outcome import ending_line, error_of, kind_of_error
from .setup import Setup
from .watch import Watch

# Of a call in a sentence, in characters.
SHOWN = 200


@dataclass(frozen=True)
class Call:
    """What is asked of a file, `shown` as a person would say it; and what must come of it: the answer as plain data,
    and the class of the error that ends it."""

    request: Mapping[str, Any]
    shown: str
    answer: Sequence[object]
    error: str | None = None


class Calls(Watch):
    """The running probe program."""

    def __init__(self, stage: Stage, setup: Setup, explainer: Explainer) -> None:
        super().__init__(stage, setup, explainer)
        self._number = 0  # of the request that was made last
        self._before = 0  # reports, when that was made

    def expect_answers(self, *calls: Call) -> None:
        """Each of these calls has the right answer, and the right ending."""
        for call in calls:
            answer, error = self.ask(call.request, call.shown)
            if problem := self.problem_of(error):
                raised = self.say("calls.raised", problem=problem, call=harmless(call.shown, SHOWN))
                raise Failure(self.explainer.misshapen(problem) or raised, verdict="crash")
            kind = kind_of_error(error["class"] if error else (), self.explainer.errors)
            wanted = [*map(_line, call.answer), ending_line(call.error)]
            shown = [*map(_line, answer), ending_line(kind)]
            if wanted != shown:
                message = self.say("calls.wrong", call=harmless(call.shown, SHOWN))
                raise Failure(message, expected="\n".join(wanted), actual="\n".join(shown))

    def ask(self, request: Mapping[str, Any], shown: str) -> tuple[list[Any], dict[str, Any] | None]:
        """The answer to this, and the error that ended it: its classes, nearest first, and its message.

        Raises `Failure` if there is no answer.
        """
        report = self.call(request, self.say("awaited.call", call=harmless(shown, SHOWN)))
        answer, error = report.get("answer"), report.get("error")
        if not isinstance(answer, list) or not (error is None or error_of(error)):
            raise Failure(self.say("calls.garbled"))
        return answer, error

    def call(self, request: Mapping[str, Any], awaited: str) -> dict[str, Any]:
        """What the program reports on this request. Raises `Failure` if it does not."""
        self._number += 1
        self._before = len(self.stage.program.reports)
        self.stage.program.type(json.dumps({"id": self._number, **request}).encode() + b"\n")
        self.wait(lambda: self._report() is not None, awaited)
        return self._report() or {}

    def problem_of(self, error: Mapping[str, Any] | None) -> str | None:
        """The exception that left the student's code, on one line, if it is none that the lab knows."""
        if error and not set(error["class"]) & set(self.explainer.errors):
            return harmless(f"{error['class'][0]}: {error['message']}", 300)
        return None

    def _report(self) -> dict[str, Any] | None:
        for report in self.stage.program.reports[self._before :]:
            if report.get("id") != self._number:
                raise Failure(self.say("calls.garbled"))
            return report
        return None


def _line(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def signs(data: bytes) -> str:
    """Bytes as a person can read them."""
    return with_signs(data.decode("utf-8", "backslashreplace"))
