"""What the tests of this folder hand in."""

from __future__ import annotations

from pathlib import Path

from grader.catalogue import Language
from grader.course.lab import find_lab
from grader.course.workdir import generated_files
from grader.engine import Engine
from grader.evidence.limits import Limits
from grader.grading import Job, grade
from grader.results import Report

LAB = find_lab("day-02")
ALL = {exercise.number for exercise in LAB.exercises}


class Submissions:
    """Writes submissions into a directory of the test, and grades them."""

    def __init__(self, engine: Engine, directory: Path) -> None:
        self._engine = engine
        self.directory = directory / "work"

    def write(self, *, finished: set[int] = ALL, **files: str) -> Path:
        """The solution with only these exercises finished, and some files replaced (by name without `.py`)."""
        self.directory.mkdir(exist_ok=True)
        sources = generated_files(LAB, ALL - finished) | {f"{name}.py": source for name, source in files.items()}
        for name, source in sources.items():
            (self.directory / name).write_text(source, "utf-8")
        return self.directory

    def grade(
        self,
        *checks: str,
        seed: int = 7,
        language: Language = "en",
        limits: Limits | None = None,
    ) -> Report:
        """Grade what was written, by all checks unless some are named."""
        job = Job(LAB, self.directory, checks or LAB.checks, LAB.catalogue(language), limits or Limits())
        return grade(self._engine, job, seed)


def passed(report: Report) -> list[str]:
    return [check.id for check in report.checks if check.status == "pass"]
