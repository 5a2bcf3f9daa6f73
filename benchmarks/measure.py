"""Running what is measured in turns, and what each run cost."""

from __future__ import annotations

import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar


class WrongWork(Exception):
    """What was measured did not do its work, so its time means nothing."""


@dataclass(frozen=True)
class Cost:
    """Of one run, in seconds. `cpu` is user and system time; of a command, with all its descendants."""

    wall: float
    cpu: float


@dataclass
class Measured(ABC):
    """Something to be measured, and what its runs have cost."""

    name: str
    costs: list[Cost] = field(default_factory=list, kw_only=True)

    @abstractmethod
    def run(self) -> Cost:
        """Run it once. Raises `WrongWork`."""

    def figures(self) -> tuple[float, float, float, float]:
        """Median and least wall time, median and least CPU time of the runs that count."""
        walls, cpus = [cost.wall for cost in self.costs], [cost.cpu for cost in self.costs]
        return statistics.median(walls), min(walls), statistics.median(cpus), min(cpus)

    @property
    def least(self) -> float:
        """The least wall time, in seconds: whatever else the machine does can only add to it."""
        return min(cost.wall for cost in self.costs)


@dataclass
class Subject(Measured):
    """A command. `verify` gets what it printed, and raises `WrongWork`."""

    command: Sequence[str]
    directory: Path
    environment: Mapping[str, str]
    verify: Callable[[str], None] = lambda printed: None
    status: int = 0

    def run(self) -> Cost:
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
        if done.returncode != self.status:
            raise WrongWork(f"{self.name}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
        self.verify(done.stdout)
        return cost


T = TypeVar("T")


@dataclass
class Call(Measured, Generic[T]):
    """Work in this process. `verify` gets what it returned, and raises `WrongWork`."""

    work: Callable[[], T]
    verify: Callable[[T], None]

    def run(self) -> Cost:
        watch = Stopwatch()
        result = self.work()
        cost = watch.cost()
        self.verify(result)
        return cost


class Stopwatch:
    """Runs from when it is made."""

    def __init__(self) -> None:
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    def cost(self) -> Cost:
        """What this process has used since."""
        return Cost(time.perf_counter() - self._wall, time.process_time() - self._cpu)


def cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def expect(name: str, words: str) -> Callable[[str], None]:
    """A check that the command printed these words."""

    def verify(printed: str) -> None:
        if words not in printed:
            raise WrongWork(f"{name}: did not print {words!r}\n{printed}")

    return verify


def measure_in_turns(subjects: Sequence[Measured], rounds: int, tell: Callable[[str], None]) -> None:
    """Run every subject once a round, one after another: a busy moment of the machine then hits all of them.

    The round before the first fills caches, and does not count.
    """
    for number in range(rounds + 1):
        costs = [subject.run() for subject in subjects]
        if number > 0:
            for subject, cost in zip(subjects, costs, strict=True):
                subject.costs.append(cost)
        tell(f"round {number}/{rounds}: " + "  ".join(f"{cost.wall:.3f}" for cost in costs))


def tell(line: str) -> None:
    """How the measuring goes on: beside the report, not in it."""
    print(line, file=sys.stderr)


def machine() -> str:
    return f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}"
