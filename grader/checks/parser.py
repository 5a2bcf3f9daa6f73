"""The student's parser, asked through the lab's `probe.py`: a stream goes in, deltas come out, thousands of times.

The program holds no expected value. It is told bytes and where to cut them; what it answers is compared here.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..evidence.stage import Stage
from ..harmless import harmless, with_signs
from .cut import CutStream
from .explainer import Explainer
from .failure import Failure
from .outcome import delta_line, ending_line, kind_of_error, outcomes_of
from .setup import Setup
from .watch import Watch

# In place of an error class: the deltas are judged, and not how they end.
ANY_ENDING = "any"


@dataclass(frozen=True)
class Case:
    """A stream, and what a parser must make of it: deltas as class and fields, and the error class that ends them."""

    stream: bytes
    deltas: Sequence[Mapping[str, Any]]
    error: str | None = None


class Parser(Watch):
    """The running probe program. `asked` are the streams that it was asked about."""

    _number = 0  # of the question asked last
    _before = 0  # reports, when that was asked

    def __init__(self, stage: Stage, setup: Setup, explainer: Explainer) -> None:
        super().__init__(stage, setup, explainer)
        self.asked: list[bytes] = []

    def expect_at_every_cut(self, case: Case) -> None:
        """The same deltas and the same ending: whole, cut in two at every place, and byte by byte."""
        places = range(1, len(case.stream))
        self.expect(case, [[], *([place] for place in places), list(places)])

    def expect(self, case: Case, cuts: Sequence[list[int]]) -> None:
        """The same deltas and the same ending at each of these ways to cut the stream."""
        outcomes = self.ask(case.stream, cuts)
        # Nearly all ways have one and the same outcome, so each outcome is compared where it came first.
        first = {id(outcome): (way, outcome) for way, outcome in zip(cuts[::-1], outcomes[::-1], strict=True)}
        for way, outcome in reversed(first.values()):
            self._compare(case, way, outcome)

    def expect_large(self, cases: Sequence[Case], chunk: int) -> list[float]:
        """The right outcome for each of these streams, cut into chunks of one size. Returns what each cost, in seconds
        of CPU time as the program says: good for advice, not for a verdict."""
        costs = []
        for case in cases:
            self.expect(case, [list(range(chunk, len(case.stream), chunk))])
            cost = (self._answer() or {}).get("cpu_s")
            costs.append(float(cost) if isinstance(cost, int | float) else 0.0)
        return costs

    def expect_before_next_chunk(self, chunks: Sequence[bytes], deltas: Sequence[int]) -> None:
        """So many deltas have come when the chunk behind each of these is asked for."""
        stream, cuts = b"".join(chunks), list(itertools.accumulate(map(len, chunks)))[:-1]
        asked = self.ask(stream, [cuts], asked=True)[0]["asked"]
        for number, wanted in enumerate(deltas, start=1):
            came = sum(count <= number for count in asked)
            if came < wanted:
                raise Failure(
                    self.say("parser.late", chunk=number, wanted=wanted, came=came),
                    expected=str(wanted),
                    actual=str(came),
                    at=CutStream(stream, tuple(cuts)),
                )

    def _compare(self, case: Case, way: list[int], outcome: dict[str, Any]) -> None:
        error = outcome["error"]
        classes: list[str] = error["class"] if error else []
        kind = kind_of_error(classes, case.error)
        any_ending = case.error == ANY_ENDING
        wanted = [*map(delta_line, case.deltas), ending_line(kind if any_ending else case.error)]
        shown = [*map(delta_line, outcome["deltas"]), ending_line(kind)]
        if wanted == shown:
            return
        where, at = _where(case.stream, way), CutStream(case.stream, tuple(way))
        if error and "GatewayError" not in classes:
            problem = harmless(f"{classes[0]}: {error['message']}", 300)
            message = self.explainer.misshapen(problem) or self.say("parser.raised", problem=problem, where=where)
            raise Failure(message, verdict="crash", at=at, any_ending=any_ending)
        raise Failure(
            self.say("parser.wrong", where=where),
            expected="\n".join(wanted),
            actual="\n".join(shown),
            at=at,
            any_ending=any_ending,
        )

    def ask(self, stream: bytes, cuts: Sequence[list[int]], *, asked: bool = False) -> list[dict[str, Any]]:
        """What the parser makes of each way to cut the stream, as `probe.py` says it. Raises `Failure`."""
        self.asked.append(stream)
        self._number += 1
        self._before = len(self.stage.program.reports)
        request = {"id": self._number, "stream": stream.decode("latin-1"), "cuts": cuts, "asked": asked}
        self.stage.program.type(json.dumps(request).encode() + b"\n")
        awaited = self.say("awaited.parser", stream=with_signs(stream.decode("utf-8", "replace")[:60]))
        self.wait(lambda: self._answer() is not None, awaited)
        outcomes = outcomes_of(self._answer() or {}, len(cuts))
        if outcomes is None:
            raise Failure(self.say("parser.garbled"))
        return outcomes

    def _answer(self) -> dict[str, Any] | None:
        for report in self.stage.program.reports[self._before :]:
            if report.get("id") != self._number:
                raise Failure(self.say("parser.garbled"))
            return report
        return None


def _where(stream: bytes, way: list[int]) -> str:
    """The stream as the network delivered it: around the one place where it was cut, else its beginning."""
    place = way[0] if len(way) == 1 else 0
    before, after = stream[max(0, place - 40) : place], stream[place : place + 60]
    cut = " | " if place else ""
    left, right = ("…" if place > 40 else ""), ("…" if len(stream) > place + 60 else "")
    return f"{left}{_signs(before)}{cut}{_signs(after)}{right}"


def _signs(data: bytes) -> str:
    return with_signs(data.decode("utf-8", "backslashreplace"))
