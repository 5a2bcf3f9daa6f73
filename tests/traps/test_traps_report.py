"""The starter's report on the console, which a student reads first; and the streams that all the checks play.

After a wanted change: UPDATE_GOLDEN=1 python -m pytest tests/traps/test_traps_report.py
"""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from traps_grading import LAB, Grade
from wcwidth import wcswidth

from grader.catalogue import LANGUAGES, Language
from grader.course.workdir import generated_files
from grader.report import writer

GOLDEN = Path(__file__).with_name("golden")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_starter_is_told_what_it_lacks(grade_source: Grade, language: Language) -> None:
    unfinished = {exercise.number for exercise in LAB.exercises}
    report = grade_source(generated_files(LAB, unfinished)["sse.py"], language)
    out = io.StringIO()
    writer("console")(replace(report, target="work", kit_version="0", duration_s=0.0), LAB.catalogue(language), out)
    file = GOLDEN / f"starter.{language}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(out.getvalue(), "utf-8")
    assert out.getvalue() == file.read_text("utf-8"), f"{file.name} has changed"
    assert max(map(wcswidth, out.getvalue().splitlines())) <= 80


def test_every_recorded_vector_is_somebodys() -> None:
    vectors = json.loads((LAB.directory / "vectors.json").read_text("utf-8"))["vectors"]
    checks = (LAB.directory / "checks.py").read_text("utf-8")
    assert len(vectors) == 64
    assert [vector["name"] for vector in vectors if f'"{vector["name"]}"' not in checks] == []
