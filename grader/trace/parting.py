"""Where a student's parser and the reference part."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks.cut import CutStream
from .reading import Reading


@dataclass(frozen=True)
class Parting:
    """The first line in which two readings differ, or that came late, and the step in which each side had it."""

    wanted: str
    wanted_step: int
    seen: str
    seen_step: int

    @property
    def step(self) -> int:
        """When it can be seen first."""
        return min(self.wanted_step, self.seen_step)

    @property
    def late(self) -> bool:
        return self.wanted == self.seen

    @property
    def kind(self) -> tuple[str, str, bool]:
        """What should have come and what came instead, without the contents: two that are alike show one fault."""
        return self.wanted.partition("(")[0], self.seen.partition("(")[0], self.late


def parting(reference: Reading, student: Reading, cut: CutStream, *, prompt_at_cr: bool = False) -> Parting | None:
    """Where they part for good; where that is nowhere, what came late. None if nothing is wrong.

    With carriage returns nothing is late unless `prompt_at_cr` says so: at the end of a chunk nobody must know whether
    a line feed follows. To be early by a line feed is no fault either: what came is right.
    """
    sides = zip(reference.lines, reference.steps, student.lines, student.steps, strict=False)
    differences = [Parting(*side) for side in sides]
    for difference in differences:
        if difference.wanted != difference.seen:
            return difference
    if b"\r" in cut.stream and not prompt_at_cr:
        return None
    # A program may read on behind the end of the answer: only what it yields can be late.
    late = (difference for difference in differences[:-1] if difference.seen_step > difference.wanted_step)
    return next(late, None)
