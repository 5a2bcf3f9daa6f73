"""Submissions made from the solution, never from a student's edited files, and the engine that grades them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from submissions import Submissions

from grader.course.lab import find_lab
from grader.engine import Engine


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    with closing(Engine(find_lab("day-02"))) as engine:
        yield engine


@pytest.fixture
def submissions(engine: Engine, tmp_path: Path) -> Submissions:
    return Submissions(engine, tmp_path)
