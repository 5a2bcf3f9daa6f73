"""What is known of each check while a student edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..results import CheckResult, ExerciseResult, Status


@dataclass
class Verdicts:
    """The newest result of each check. Those of the checks in `pending` are of an earlier save."""

    checks: Sequence[str]
    results: dict[str, CheckResult] = field(default_factory=dict)
    pending: set[str] = field(default_factory=set)
    exercises: Mapping[int, ExerciseResult] = field(default_factory=dict)
    _before: dict[str, Status] = field(default_factory=dict)

    def begin(self, exercises: Sequence[ExerciseResult]) -> None:
        """Another grading begins. Changes are told against the last one that came to its end, if any did."""
        known = {check: result.status for check, result in self.results.items()}
        self._before = known | self._before if self.pending else known
        self.pending = set(self.checks)
        self.exercises = {exercise.number: exercise for exercise in exercises}

    def finish(self, result: CheckResult) -> None:
        self.results[result.id] = result
        self.pending.discard(result.id)

    def before(self, result: CheckResult) -> Status | None:
        """The status that the check had before, if it has changed."""
        status = self._before.get(result.id)
        return None if status == result.status or result.id in self.pending else status

    @property
    def share(self) -> str:
        passed = sum(result.status == "pass" for result in self.results.values())
        return f"{passed}/{len(self.checks)} passed"
