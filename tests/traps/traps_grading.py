"""What the tests of this folder hand in: one file, graded in the lab of the traps."""

from __future__ import annotations

from collections.abc import Callable

from grader.course.bank import variants
from grader.course.lab import find_lab
from grader.results import Report

LAB = find_lab("day-02-traps")
VARIANTS = {one.id: one.files["sse.py"].decode() for one in variants(LAB)}

# Grades a text as `sse.py`.
Grade = Callable[..., Report]
