"""The programs of a lab whose results are known beforehand."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..course.bank import Misconception, misconceptions, variants
from ..course.lab import Lab
from ..course.workdir import generated_files

Kind = Literal["starter", "solution", "exercises", "variant", "misconception"]


@dataclass(frozen=True)
class Declared:
    """One program: its files, and the checks that it passes. No check may end in a crash but those in `crashes`."""

    kind: Kind
    name: str
    files: Mapping[str, bytes]
    passes: frozenset[str]
    crashes: frozenset[str] = frozenset()
    misconception: Misconception | None = None


def declared_programs(lab: Lab) -> list[Declared]:
    """Every program of the lab, those first that may take longest: a hang is waited for."""
    solution = {name: (lab.solution / name).read_bytes() for name in lab.student_files}
    every = frozenset(lab.checks)
    return [
        *(
            Declared("misconception", one.id, {**solution, **one.files}, every - one.fails, one.crashes, one)
            for one in misconceptions(lab)
        ),
        *(Declared("variant", one.id, {**solution, **one.files}, every) for one in variants(lab)),
        *_stages(lab),
    ]


def _stages(lab: Lab) -> Iterator[Declared]:
    """Starter, solution, and what a student has on the way: each exercise alone, and all up to it."""
    table = tomllib.loads((lab.directory / "lab.toml").read_text("utf-8"))
    scores: dict[str, Any] = table["scores"]
    numbers = {exercise.number for exercise in lab.exercises}
    yield _stage(lab, "starter", "starter", set(), scores["starter"])
    yield _stage(lab, "solution", "solution", numbers, scores["solution"])
    for number in sorted(numbers):
        yield _stage(lab, "exercises", f"alone-{number}", {number}, scores["alone"][str(number)])
    for number in sorted(numbers)[1:-1]:  # the first alone, and all of them, have been had
        finished = {other for other in numbers if other <= number}
        yield _stage(lab, "exercises", f"first-{number}", finished, scores["first"][str(number)])


def _stage(lab: Lab, kind: Kind, name: str, finished: set[int], passes: list[str]) -> Declared:
    unfinished = {exercise.number for exercise in lab.exercises} - finished
    files = {file: text.encode() for file, text in generated_files(lab, unfinished).items()}
    return Declared(kind, name, files, frozenset(passes))
