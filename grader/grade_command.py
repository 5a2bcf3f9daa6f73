"""What `grade DAY` does: grade, show how it goes on, write the reports, choose the exit status."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .bar import bar
from .catalogue import Catalogue
from .checks.workshop import keep_nothing
from .engine import Engine
from .grading import Job, grade, grade_repeatedly, new_seed
from .keeping import Keeper
from .report import FORMATS, Write, writer
from .results import CheckResult, Report
from .statuses import COULD_NOT_GRADE, FAILED, PASSED, WrongUsage


def run(
    engine: Engine,
    target: Path,
    catalogue: Catalogue,
    checks: Sequence[str],
    formats: Sequence[str],
    seed: int | None,
    repeat: int,
    keep: Path | None,
) -> Report:
    """Grade, and write the reports. Raises `WrongUsage`."""
    outputs = [the_output(text, catalogue) for text in formats or ["console"]]
    if sum(output.file is None for output in outputs) > 1:
        raise WrongUsage(catalogue.say("cli.two-formats"))
    job = Job(engine.lab, target, checks, catalogue)
    first_seed = new_seed() if seed is None else seed
    try:
        keeper = Keeper(keep) if keep else keep_nothing
    except OSError as error:
        raise WrongUsage(catalogue.say("cli.cannot-write", path=keep, problem=error.strerror)) from None
    with bar(len(job.checks) * repeat) as advance:

        def done(result: CheckResult) -> None:
            advance(result.id)

        if repeat > 1:
            report = grade_repeatedly(engine, job, first_seed, repeat, keep=keeper, done=done)
        else:
            report = grade(engine, job, first_seed, keep=keeper, done=done)
    for output in outputs:
        output.write(report, catalogue)
    return report


def exit_status(report: Report) -> int:
    if report.status == "error" or (report.repeat and report.repeat.flips):
        return COULD_NOT_GRADE
    return PASSED if report.status == "pass" else FAILED


@dataclass(frozen=True)
class Output:
    """One report to be written: in which format, and where; standard output without a file."""

    write_report: Write
    file: Path | None

    def write(self, report: Report, catalogue: Catalogue) -> None:
        if self.file is None:
            self.write_report(report, catalogue, sys.stdout)
            sys.stdout.flush()  # a full disk is noticed now, while there is somebody to tell
            return
        try:
            with self.file.open("w", encoding="utf-8") as out:
                self.write_report(report, catalogue, out)
        except OSError as error:
            raise WrongUsage(catalogue.say("cli.cannot-write", path=self.file, problem=error.strerror)) from None


def the_output(text: str, catalogue: Catalogue) -> Output:
    name, _, file = text.partition("=")
    if name not in FORMATS:
        raise WrongUsage(catalogue.say("cli.unknown-format", name=name, formats=", ".join(FORMATS)))
    if file:
        try:
            Path(file).open("a").close()  # noticed now, a mistake costs no grading
        except OSError as error:
            raise WrongUsage(catalogue.say("cli.cannot-write", path=file, problem=error.strerror)) from None
    return Output(writer(name), Path(file) if file else None)
