"""The report that a student reads in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TextIO

from rich.console import Console
from rich.text import Text

from ..catalogue import Catalogue
from ..harmless import excerpt
from ..paper import paper
from ..results import Cause, CheckResult, ExerciseResult, Report

MARKS = {"pass": ("✓", "green"), "fail": ("✗", "red"), "error": ("!", "yellow")}

# Margins, in columns: of a check, and of everything that explains it.
_MARK, _INDENT = 2, 4


def write(report: Report, catalogue: Catalogue, out: TextIO) -> None:
    """With colours if `out` is a terminal that wants them."""
    ConsoleReport(paper(out), catalogue).show(report)


def place_to_open(check: CheckResult, exercises: Mapping[int, ExerciseResult], say: Callable[..., str]) -> str | None:
    """Which exercise a check failed for, and where it begins. A crash that names a file is of the exercise in that."""
    if check.cause is None or check.verdict not in ("wrong", "limit", "crash"):
        return None
    failed = next(probe for probe in check.probes if probe.status != "pass")
    named = [exercise for exercise in exercises.values() if exercise.file in check.cause.message]
    exercise = named[0] if named and check.verdict == "crash" else exercises[failed.exercise]
    place = f"{exercise.file}:{exercise.line}"
    return say("report.where", number=exercise.number, title=exercise.title, place=place)


class ConsoleReport:
    """Prints one report. The last line is always how many checks passed."""

    def __init__(self, console: Console, catalogue: Catalogue) -> None:
        self._console = console
        self._say = catalogue.say

    def show(self, report: Report) -> None:
        self._print(Text.assemble((report.lab, "bold"), f"  {report.target}  ", (f"--seed {report.seed}", "dim")))
        for frozen in report.frozen:
            if frozen.state == "modified":
                self._print(Text(self._say("report.frozen-modified", file=frozen.path), "yellow"))
        self._print(Text())
        exercises = {exercise.number: exercise for exercise in report.exercises}
        for check in report.checks:
            self._check(check, exercises)
        self._exercises(report)
        if report.repeat:
            self._repeat(report)
        colour = MARKS[report.status][1]
        self._print(Text(f"{report.passed}/{report.total} passed", f"bold {colour}"))

    def _check(self, check: CheckResult, exercises: dict[int, ExerciseResult]) -> None:
        mark, colour = MARKS[check.status]
        self._print(Text.assemble((f"{check.id}  ", "bold"), check.title), _MARK, mark=Text.assemble((mark, colour)))
        for advice in check.advice:
            self._print(Text(advice, "yellow"), _INDENT)
        if check.cause is None:
            self._print(Text(check.summary, "dim"), _INDENT)
            return
        if where := place_to_open(check, exercises, self._say):
            self._print(Text(where, "cyan"), _INDENT)
        self._print(Text(check.cause.message), _INDENT)
        self._sides(check.cause)
        if check.misconception:
            self._print(Text(check.misconception.explanation, "bold"), _INDENT)
        if check.cause.hint:
            self._print(Text(check.cause.hint, "italic"), _INDENT)
        not_reached = self._say("not-reached")
        failed = [probe for probe in check.probes if probe.status != "pass" and probe.summary != not_reached]
        if len(failed) < len(check.probes):
            names = ", ".join(probe.id for probe in failed)
            counted = self._say("report.probes", failed=len(failed), total=len(check.probes), names=names)
            self._print(Text(counted, "dim"), _INDENT)
        self._print(Text())

    def _sides(self, cause: Cause) -> None:
        """Both sides around their first difference, one under the other."""
        if cause.expected is None or cause.actual is None:
            if cause.actual:
                self._print(Text(f"{self._say('report.actual')}  {excerpt(cause.actual, len(cause.actual))}"), _INDENT)
            return
        position = cause.first_difference or 0
        labels = [self._say("report.expected"), self._say("report.actual")]
        label_width = max(Text(label).cell_len for label in labels)
        for label, side, colour in zip(labels, (cause.expected, cause.actual), ("green", "red"), strict=True):
            gap = " " * (label_width - Text(label).cell_len + 2)
            shown = excerpt(side, position, self._console.width - _INDENT - label_width - 6)
            self._print(Text.assemble(label, gap, (shown, colour)), _INDENT)

    def _exercises(self, report: Report) -> None:
        for exercise in report.exercises:
            if exercise.probes_total:
                share = f"{exercise.probes_passed}/{exercise.probes_total}"
                place = f"{exercise.file}:{exercise.line}"
                label = self._say("report.exercise", number=exercise.number, title=exercise.title)
                self._print(Text.assemble((f"{share:>6}  ", "bold"), label, (f"  {place}", "dim")))

    def _repeat(self, report: Report) -> None:
        assert report.repeat
        self._print(Text(self._say("report.repeat", runs=report.repeat.runs, flips=len(report.repeat.flips))))
        for flip in report.repeat.flips:
            self._print(Text(f"{flip.check} {flip.status} --seed {flip.seed}", "yellow"), _INDENT)

    def _print(self, text: Text, indent: int = 0, *, mark: Text | None = None) -> None:
        """Print a paragraph with its left margin, in which a mark may stand before the first line."""
        for line in text.wrap(self._console, self._console.width - indent) or [Text()]:
            margin = (mark or Text()).copy()
            margin.pad_right(indent - margin.cell_len)
            line.rstrip()
            self._console.print(margin.append_text(line), soft_wrap=True)
            mark = None
