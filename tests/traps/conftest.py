"""The solution of the lab, imported from where it lies since day 2 has a module of that name, too; and its grader."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest
from traps_grading import LAB, Grade

from grader.catalogue import Language
from grader.course.lab import ROOT
from grader.engine import Engine
from grader.grading import Job, grade
from grader.results import Report


@pytest.fixture(scope="session")
def sse() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sse_of_the_traps", ROOT / "solutions" / "day-02-traps" / "sse.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    with closing(Engine(LAB)) as engine:
        yield engine


@pytest.fixture
def grade_source(engine: Engine, tmp_path: Path) -> Grade:
    def grade_source(source: str, language: Language = "en") -> Report:
        (tmp_path / "sse.py").write_text(source, "utf-8")
        return grade(engine, Job(LAB, tmp_path, LAB.checks, LAB.catalogue(language)), seed=7)

    return grade_source
