"""Programs that nobody's bank holds, graded as a student's are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from other_hands import LAB, Grade

from grader.course.workdir import generated_files
from grader.engine import Engine
from grader.grading import Job, grade
from grader.results import Report


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    with closing(Engine(LAB)) as engine:
        yield engine


@pytest.fixture
def grade_files(engine: Engine, tmp_path: Path) -> Grade:
    """Grades the solution with some files replaced, in English."""

    def grade_files(files: Mapping[str, bytes], unfinished: frozenset[int] = frozenset(), seed: int = 7) -> Report:
        whole = {name: text.encode() for name, text in generated_files(LAB, unfinished).items()} | files
        for name, source in whole.items():
            (tmp_path / name).write_bytes(source)
        return grade(engine, Job(LAB, tmp_path, LAB.checks, LAB.catalogue("en")), seed)

    return grade_files
