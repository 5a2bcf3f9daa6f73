"""Draws the picture in the README: `python docs/picture.py` grades the handed-out starter and writes docs/grade.svg."""

from __future__ import annotations

import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from grader.course.lab import find_lab
from grader.course.workdir import starter_files
from grader.engine import Engine
from grader.grading import Job, grade
from grader.picture import draw
from grader.report.console import ConsoleReport


def main() -> None:
    lab = find_lab("day-02")
    catalogue = lab.catalogue("en")
    with tempfile.TemporaryDirectory() as directory, closing(Engine(lab)) as engine:
        for name, text in starter_files(lab).items():
            (Path(directory) / name).write_text(text, "utf-8")
        report = grade(engine, Job(lab, Path(directory), lab.checks, catalogue), 2)
    report = replace(report, target="starter/day-02")
    svg = draw(lambda console: ConsoleReport(console, catalogue).show(report), "grade day-02")
    Path(__file__).with_name("grade.svg").write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
