"""What a whole `grade day-02` costs on the starter, on the solution, and on a program that hangs.

README.md beside this file says what is measured, and how to run it.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import processes
from environments import ROOT, inside
from measure import Cost, Subject, expect, measure_in_turns, tell
from script import Options, run
from solution import SOLUTION
from tables import table

ROUNDS = 5

HANG = '''

async def read_deltas(chunks):
    """Sleep, and let nobody else go on."""
    import time

    time.sleep(3600)
    yield
'''


@dataclass
class Grading(Subject):
    """`started` is how many processes and threads each run has started, `memory` its peak in megabytes."""

    started: list[int] = field(default_factory=list, kw_only=True)
    memory: float = field(init=False, default=0)

    def run(self) -> Cost:
        before = processes.started()
        cost = super().run()
        self.started.append(processes.started() - before)
        return cost

    def measure_memory(self) -> None:
        """In a run of its own: looking costs time."""
        self.memory = processes.peak_memory(self.command, self.directory, self.environment, self.status)


def measure(options: Options) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="benchmark-") as directory:
        hanging = copy_that_hangs(Path(directory) / "hanging")
        gradings = [
            grading("starter", ROOT / "starter" / "day-02", 1, "3/6 passed", options),
            grading("solution", SOLUTION, 0, "6/6 passed", options),
            grading("hanging", hanging, 1, "0/6 passed", options),
        ]
        measure_in_turns(gradings, options.rounds, tell)
        for one in gradings:
            one.measure_memory()
    return [grading_table(gradings)]


def copy_that_hangs(directory: Path) -> Path:
    shutil.copytree(SOLUTION, directory, ignore=shutil.ignore_patterns("__pycache__"))
    with (directory / "sse.py").open("a") as file:
        file.write(HANG)
    return directory


def grading(name: str, submission: Path, status: int, words: str, options: Options) -> Grading:
    kit = inside(options.cache)
    command = [kit.command("grade"), "day-02", "--path", str(submission), "--lang", "en", "--seed", str(options.seed)]
    return Grading(name, command, ROOT, kit.variables, expect(name, words), status)


def grading_table(gradings: Sequence[Grading]) -> str:
    rows = []
    for one in gradings:
        wall, least_wall, cpu, least_cpu = one.figures()
        seconds = [f"{figure:.3f}" for figure in (wall, least_wall, cpu, least_cpu)]
        rows.append([one.name, *seconds, str(min(one.started)), f"{one.memory:.0f}"])
    head = ["grade day-02", "wall median", "min", "CPU median", "min", "started, min", "peak memory, MB"]
    return table(head, rows)


if __name__ == "__main__":
    sys.exit(run(__doc__, ROUNDS, measure, named=["typer", "rich", "httpx"]))
