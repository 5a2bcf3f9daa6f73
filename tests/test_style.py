"""Every file reads alike, and every public function has its types."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course.lab import labs

ROOT = Path(__file__).resolve().parent.parent


def run(*arguments: str, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


# Not starter/: it may be a student's by now.
CODE = ("grader", "days", "solutions", "tests", "benchmarks")


def test_ruff() -> None:
    run("ruff", "check", "--no-cache", *CODE)
    run("ruff", "format", "--check", "--no-cache", *CODE)


def test_types_of_the_engine(tmp_path: Path) -> None:
    run("mypy", "--cache-dir", str(tmp_path), "grader", "benchmarks")


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.id)
def test_types_of_a_lab(lab, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    frozen = [lab.directory / name for name in (*lab.frozen_files, "observe.py")]
    files = frozen + [lab.solution / name for name in lab.student_files]
    files += lab.directory.glob("reference.py")
    run("mypy", "--cache-dir", str(tmp_path), *map(str, files), MYPYPATH=f"{lab.directory}{os.pathsep}{lab.solution}")
    for name in ("checks.py", "battery.py"):
        run("mypy", "--cache-dir", str(tmp_path), str(lab.directory / name))


def test_no_file_is_too_long_to_enjoy() -> None:
    for part in ("grader", "days", "solutions"):
        for file in (ROOT / part).rglob("*.py"):
            assert len(file.read_text("utf-8").splitlines()) <= 420, file
