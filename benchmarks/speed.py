"""How long `grade day-02` takes on the solution beside a check50 problem, and `grade --help` beside imports.

README.md beside this file says what is measured, and how to run it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import check50_problem
from environments import ROOT, Environment, default_cache, make_environment, make_kit
from measure import Subject, WrongWork, expect, machine, measure_in_turns, tell

ROUNDS = 15


@dataclass(frozen=True)
class Comparison:
    """Ours, theirs, and how often theirs ours may take."""

    ours: Subject
    theirs: Subject
    aim: float


def main() -> int:
    options = parse_options()
    kit = make_kit(options.cache)
    check50 = make_environment(options.cache, "check50", check50_problem.REQUIREMENTS)
    with tempfile.TemporaryDirectory(prefix="benchmark-") as directory:
        comparisons = [
            Comparison(grade_solution(kit), check50_six(check50, Path(directory)), aim=0.5),
            Comparison(grade_help(kit), bare_imports(kit), aim=2.0),
        ]
        subjects = [subject for one in comparisons for subject in (one.ours, one.theirs)]
        load_before = os.getloadavg()[0]
        try:
            measure_in_turns(subjects, options.rounds, tell)
        except WrongWork as trouble:
            print(f"speed.py: {trouble}", file=sys.stderr)
            return 1
    print(machine())
    print(f"{kit.versions('typer', 'rich', 'httpx')}; {check50.versions('check50', 'pexpect', 'setuptools')}")
    print(f"{options.rounds} rounds in turns; load {load_before:.1f}, then {os.getloadavg()[0]:.1f}\n")
    print(table(comparisons))
    return 0


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"after the one for warm-up ({ROUNDS})")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where the environments are kept")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    return options


def grade_solution(kit: Environment) -> Subject:
    command = [kit.command("grade"), "day-02", "--path", "solutions/day-02", "--lang", "en"]
    return Subject("grade day-02", command, ROOT, kit.variables, expect("grade day-02", "6/6 passed"))


def check50_six(check50: Environment, directory: Path) -> Subject:
    problem = check50_problem.write_problem(directory)
    command = [check50.command("check50"), *problem.arguments]
    return Subject("check50", command, problem.submission, check50.variables, check50_problem.verify_report)


def grade_help(kit: Environment) -> Subject:
    command = [kit.command("grade"), "--help"]
    return Subject("grade --help", command, ROOT, kit.variables, expect("grade --help", "day-02"))


def bare_imports(kit: Environment) -> Subject:
    command = [kit.command("python"), "-c", "import typer, rich.console"]
    return Subject("import typer, rich", command, ROOT, kit.variables)


def table(comparisons: Sequence[Comparison]) -> str:
    """A Markdown table: a line for each command, in seconds, and behind each pair its ratio."""
    lines = [
        "|                    | wall median |   min | CPU median |   min |",
        "| ------------------ | ----------: | ----: | ---------: | ----: |",
    ]
    for one in comparisons:
        ours, theirs = one.ours.figures(), one.theirs.figures()
        ratios = tuple(mine / other for mine, other in zip(ours, theirs, strict=True))
        rows = [(one.ours.name, ours), (one.theirs.name, theirs), (f"ratio (aim {one.aim})", ratios)]
        for name, (wall, least_wall, cpu, least_cpu) in rows:
            lines.append(f"| {name:18} | {wall:11.3f} | {least_wall:5.3f} | {cpu:10.3f} | {least_cpu:5.3f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
