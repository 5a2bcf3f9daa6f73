"""A bench on which one submission after another is graded, with a look after each at what it left behind."""

from __future__ import annotations

import io
import json
import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hand_in import LAB
from traces import dangerous, descendants, processes_left, strings

from grader.engine import Engine
from grader.evidence.stage import Limits
from grader.grading import Job, grade
from grader.report import writer
from grader.results import CheckResult, Report

# Longer than any grading here may take, and a process that was stopped is woken.
PATIENCE_S = 40.0

SECRET = "sk-what-nobody-may-see"


class Bench:
    """Grades by one engine, and looks after every grading at what it left behind."""

    def __init__(self, engine: Engine, root: Path) -> None:
        self._engine = engine
        self._root = root

    def grade(self, directory: Path, *checks: str, limits: Limits | None = None) -> Report:
        job = Job(LAB, directory, checks or LAB.checks, LAB.catalogue("en"), limits or Limits())
        with waking_after(PATIENCE_S):
            report = grade(self._engine, job, seed=7)
        require_harmless(report)
        assert not processes_left(self._root)
        assert not list(Path(tempfile.gettempdir()).iterdir()), "a run's directory is left"
        return report

    def check(self, directory: Path, check: str, limits: Limits | None = None) -> CheckResult:
        [result] = self.grade(directory, check, limits=limits).checks
        return result


@contextmanager
def waking_after(seconds: float) -> Iterator[None]:
    """Let a grader that waits for a stopped process for ever go on, and call that a failure."""
    woken: list[int] = []

    def wake() -> None:
        for pid in descendants():
            woken.append(pid)
            with suppress(OSError):
                os.kill(pid, signal.SIGCONT)

    timer = threading.Timer(seconds, wake)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
    assert not woken, f"the grading took more than {seconds:.0f} s"


def require_harmless(report: Report) -> None:
    """Both forms of the report can be read by anybody, anywhere."""
    console, document = io.StringIO(), io.StringIO()
    writer("console")(report, LAB.catalogue("en"), console)
    writer("json")(report, LAB.catalogue("en"), document)
    for text in (console.getvalue(), document.getvalue(), *strings(json.loads(document.getvalue()))):
        assert not dangerous(text)
        assert SECRET not in text
        assert len(text) < 60_000
