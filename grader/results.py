"""The result model: what a grading found, in plain values. Every report format is made from a `Report`.

The field names and their order are those of the JSON report, schema version 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["pass", "fail", "error"]
Verdict = Literal["pass", "wrong", "limit", "crash", "refused", "error"]


@dataclass(frozen=True)
class Cause:
    """Why a check did not pass: one sentence, both sides where there are two, and where to go from here."""

    message: str
    expected: str | None = None
    actual: str | None = None
    first_difference: int | None = None  # position in characters, from 0
    hint: str | None = None
    lesson: str | None = None


@dataclass(frozen=True)
class ProbeResult:
    id: str
    exercise: int
    status: Status
    summary: str


@dataclass(frozen=True)
class MisconceptionResult:
    """The idea that explains a failure, by name."""

    id: str
    title: str
    explanation: str


@dataclass(frozen=True)
class CheckResult:
    id: str
    title: str
    exercises: tuple[int, ...]
    status: Status
    verdict: Verdict
    summary: str
    score: float
    max_score: float
    duration_s: float
    facts: dict[str, int]
    probes: tuple[ProbeResult, ...]
    advice: tuple[str, ...] = ()
    cause: Cause | None = None
    misconception: MisconceptionResult | None = None


@dataclass(frozen=True)
class ExerciseResult:
    """How far one exercise is. `line` is where it begins in the student's file, counted from 1."""

    number: int
    title: str
    file: str
    line: int
    probes_passed: int
    probes_total: int


@dataclass(frozen=True)
class FrozenFile:
    path: str
    state: Literal["pristine", "modified", "missing"]


@dataclass(frozen=True)
class Flip:
    """A check that ended otherwise than in the first run, with the seed that shows it."""

    check: str
    seed: int
    status: Status


@dataclass(frozen=True)
class Repeat:
    runs: int
    flips: tuple[Flip, ...]


@dataclass(frozen=True)
class Report:
    kit_version: str
    lab: str
    target: str
    seed: int
    duration_s: float
    frozen: tuple[FrozenFile, ...]
    exercises: tuple[ExerciseResult, ...]
    checks: tuple[CheckResult, ...]
    confinement: Literal["process", "confined"] = "process"
    error: Cause | None = None
    repeat: Repeat | None = None

    @property
    def passed(self) -> int:
        return sum(check.status == "pass" for check in self.checks)

    @property
    def total(self) -> int:
        return len(self.checks)

    @property
    def status(self) -> Status:
        statuses = {check.status for check in self.checks}
        if self.error or "error" in statuses:
            return "error"
        return "fail" if "fail" in statuses else "pass"
