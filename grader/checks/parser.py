"""The student's parser, asked through the lab's `probe.py`: a stream goes in, items come out, thousands of times.

The program holds no expected value. It is told bytes and where to cut them; what it answers is compared here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..evidence.stage import Stage
from ..evidence.terminal.usage import cpu_time_of
from .calls import Calls, signs
from .cut import CutStream
from .explainer import Explainer
from .failure import Failure
from .growth import Growth
from .outcome import ending_line, item_line, kind_of_error, outcomes_of
from .setup import Setup

# In place of an error class: the items are judged, and not how they end.
ANY_ENDING = "any"

# How often a cost that looks quadratic is measured once more before that is believed.
MEASURED_AGAIN = 2


@dataclass(frozen=True)
class Case:
    """A stream, and what a parser must make of it: items as class and fields, and the error class that ends them.

    `told` is what else the probe program is told, if it knows more than one way to ask.
    """

    stream: bytes
    items: Sequence[Mapping[str, Any]]
    error: str | None = None
    told: Mapping[str, object] = field(default_factory=dict)

    def cut(self, places: Sequence[int]) -> CutStream:
        return CutStream(self.stream, tuple(places), tuple(self.told.items()))


class Parser(Calls):
    """The running probe program of a lab whose subject is a parser. `asked` are the streams that it was asked about."""

    def __init__(self, stage: Stage, setup: Setup, explainer: Explainer) -> None:
        super().__init__(stage, setup, explainer)
        self.asked: list[CutStream] = []

    def expect_at_every_cut(self, case: Case) -> None:
        """The same items and the same ending: whole, cut in two at every place, and byte by byte."""
        places = range(1, len(case.stream))
        self.expect(case, [[], *([place] for place in places), list(places)])

    def expect(self, case: Case, cuts: Sequence[list[int]]) -> None:
        """The same items and the same ending at each of these ways to cut the stream."""
        outcomes = self.outcomes(case.cut(()), cuts)
        # Nearly all ways have one and the same outcome, so each outcome is compared where it came first.
        first = {id(outcome): (way, outcome) for way, outcome in zip(cuts[::-1], outcomes[::-1], strict=True)}
        for way, outcome in reversed(first.values()):
            self._compare(case, way, outcome)

    def expect_large(self, cases: Sequence[Case], chunk: int) -> list[float]:
        """The right outcome for each of these streams, cut into chunks of one size. Returns what each cost, in seconds
        of the process's CPU time, with what it takes to tell of it."""
        self.call({"stream": "", "cuts": []}, self.say("awaited.parser", stream=""))  # what comes first is the start
        costs = []
        for case in cases:
            before = self._cpu_time()
            self.expect(case, [list(range(chunk, len(case.stream), chunk))])
            costs.append(self._cpu_time() - before)
        return costs

    def expect_linear(self, cases: Sequence[Case], chunk: int, yardstick: Parser) -> None:
        """The right outcome for streams of each of `SIZES`, at a cost that grows with the size, and not with its square
        as the yardstick's does: a parser that is known for that, asked the same now."""
        quadratic = Growth(tuple(yardstick.expect_large(cases, chunk)))
        costs = Growth(tuple(self.expect_large(cases, chunk)))
        for _ in range(MEASURED_AGAIN):
            if costs.is_like(quadratic):
                costs = costs.least(Growth(tuple(self.expect_large(cases, chunk))))
        if costs.is_like(quadratic):
            small, large = (f"{1000 * costs.costs[place]:.0f} ms" for place in (0, -1))
            raise Failure(self.say("parser.grows", small=small, large=large, factor=f"{costs.factor:.0f}"))

    def expect_before_next_chunk(self, case: Case, cuts: Sequence[int], counts: Sequence[int]) -> None:
        """So many items have come when the chunk behind each of these is asked for, or handed over."""
        asked = self.outcomes(case.cut(cuts), [list(cuts)], asked=True)[0]["asked"]
        for number, wanted in enumerate(counts, start=1):
            came = sum(count <= number for count in asked)
            if came < wanted:
                raise Failure(
                    self.say("parser.late", chunk=number, wanted=wanted, came=came),
                    expected=str(wanted),
                    actual=str(came),
                    at=case.cut(cuts),
                )

    def _compare(self, case: Case, way: list[int], outcome: dict[str, Any]) -> None:
        error = outcome["error"]
        kind = kind_of_error(error["class"] if error else (), self.explainer.errors)
        any_ending = case.error == ANY_ENDING
        wanted = [*map(item_line, case.items), ending_line(kind if any_ending else case.error)]
        shown = [*map(item_line, outcome["items"]), ending_line(kind)]
        if wanted == shown:
            return
        where, at = _where(case.stream, way), case.cut(way)
        if problem := self.problem_of(error):
            message = self.explainer.misshapen(problem) or self.say("parser.raised", problem=problem, where=where)
            raise Failure(message, verdict="crash", at=at, any_ending=any_ending)
        raise Failure(
            self.say("parser.wrong", where=where),
            expected="\n".join(wanted),
            actual="\n".join(shown),
            at=at,
            any_ending=any_ending,
        )

    def outcomes(self, of: CutStream, cuts: Sequence[Sequence[int]], *, asked: bool = False) -> list[dict[str, Any]]:
        """What the parser makes of each of these ways to cut the stream, as `probe.py` says it. Raises `Failure`."""
        self.asked.append(of)
        request = {"stream": of.stream.decode("latin-1"), "cuts": cuts, "asked": asked, **dict(of.told)}
        report = self.call(request, self.say("awaited.parser", stream=signs(of.stream[:60])))
        outcomes = outcomes_of(report, len(cuts))
        if outcomes is None:
            raise Failure(self.say("calls.garbled"))
        return outcomes

    def _cpu_time(self) -> float:
        return cpu_time_of(self.stage.program.pid or 0)


def _where(stream: bytes, way: list[int]) -> str:
    """The stream as the network delivered it: around the one place where it was cut, else its beginning."""
    place = way[0] if len(way) == 1 else 0
    before, after = stream[max(0, place - 40) : place], stream[place : place + 60]
    cut = " | " if place else ""
    left, right = ("…" if place > 40 else ""), ("…" if len(stream) > place + 60 else "")
    return f"{left}{signs(before)}{cut}{signs(after)}{right}"
