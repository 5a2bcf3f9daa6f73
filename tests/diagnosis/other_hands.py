"""What the tests of this folder grade, and how they read the names that it is given."""

from __future__ import annotations

from collections.abc import Callable

from grader.course.bank import misconceptions
from grader.course.lab import find_lab
from grader.results import Report

LAB = find_lab("day-02")
BANK = {one.id: one.files for one in misconceptions(LAB)}

Grade = Callable[..., Report]


def names(report: Report) -> dict[str, str | None]:
    """The misconception that each failing check is given."""
    failed = [check for check in report.checks if check.status != "pass"]
    return {check.id: check.misconception and check.misconception.id for check in failed}
