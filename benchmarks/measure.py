"""Running commands in turns, and what each run cost."""

from __future__ import annotations

import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


class WrongWork(Exception):
    """A command did not do what it was measured for, so its time means nothing."""


@dataclass(frozen=True)
class Cost:
    """Of one run, in seconds. `cpu` is user and system time of the process and its descendants."""

    wall: float
    cpu: float


@dataclass
class Subject:
    """A command to be measured. `verify` gets what it printed, and raises `WrongWork`."""

    name: str
    command: Sequence[str]
    directory: Path
    environment: Mapping[str, str]
    verify: Callable[[str], None] = lambda printed: None
    costs: list[Cost] = field(default_factory=list)

    def run(self) -> Cost:
        """Run it once. Raises `WrongWork`."""
        cpu_before, begun = cpu_of_children(), time.perf_counter()
        done = subprocess.run(
            self.command,
            cwd=self.directory,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        cost = Cost(time.perf_counter() - begun, cpu_of_children() - cpu_before)
        if done.returncode != 0:
            raise WrongWork(f"{self.name}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
        self.verify(done.stdout)
        return cost

    def figures(self) -> tuple[float, float, float, float]:
        """Median and least wall time, median and least CPU time of the runs that count."""
        walls, cpus = [cost.wall for cost in self.costs], [cost.cpu for cost in self.costs]
        return statistics.median(walls), min(walls), statistics.median(cpus), min(cpus)


def cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure_in_turns(subjects: Sequence[Subject], rounds: int, tell: Callable[[str], None]) -> None:
    """Run every subject once a round, one after another: a busy moment of the machine then hits all of them.

    The round before the first fills caches, and does not count.
    """
    for number in range(rounds + 1):
        costs = [subject.run() for subject in subjects]
        if number > 0:
            for subject, cost in zip(subjects, costs, strict=True):
                subject.costs.append(cost)
        tell(f"round {number}/{rounds}: " + "  ".join(f"{cost.wall:.3f}" for cost in costs))
