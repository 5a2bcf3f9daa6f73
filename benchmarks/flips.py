"""Whether `grade day-02 --repeat` ever gives another verdict for the same files, idle and on busy cores.

README.md beside this file says what is measured, and how to run it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from environments import ROOT, default_cache, go_inside, inside
from measure import WrongWork, machine, tell
from solution import SOLUTION
from tables import table

RUNS = 200
BUSY = 8
CORES = 2

MISCONCEPTIONS = {
    "parser": "decodes-each-chunk",
    "loop": "appends-twice",
    "renderer": "clears-one-row",
    "ending": "glues-the-notice",
    "pipe": "cleans-a-pipe-too",
}
"""One of each kind: directories of `days/day-02/misconceptions`."""

ABOUT = "about.toml"

# It looks for its parent, so that it ends also when this script is killed.
BUSY_LOOP = """
import os, sys
parent = int(sys.argv[1])
while os.getppid() == parent:
    for _ in range(100_000):
        pass
"""

GRACE = 10
"""Seconds in which `grade` may put away what it has started, once it is told to end."""


@dataclass(frozen=True)
class Options:
    runs: int
    busy: int
    seed: int
    cache: Path
    misconceptions: Path


@dataclass(frozen=True)
class Target:
    name: str
    directory: Path


@dataclass(frozen=True)
class Graded:
    """What the repeated grading of one target came to."""

    target: Target
    busy: int
    runs: int
    passed: int
    total: int
    flips: list[dict[str, object]]
    seconds: float

    @property
    def row(self) -> list[str]:
        verdict = f"{self.passed}/{self.total}"
        figures = [str(self.runs), str(self.busy), verdict, str(len(self.flips)), f"{self.seconds / self.runs:.3f}"]
        return [self.target.name, *figures]


def main() -> int:
    options = parse_options()
    go_inside(options.cache)
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, end_as_with_ctrl_c)
    pin_to_cores()
    load_before = os.getloadavg()[0]
    try:
        with tempfile.TemporaryDirectory(prefix="benchmark-") as directory:
            graded = grade_all(make_targets(Path(directory), options.misconceptions), options)
    except WrongWork as trouble:
        print(f"flips.py: {trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("flips.py: stopped", file=sys.stderr)
        return 130
    print(f"{machine()}; on {cores()} of them; {inside(options.cache).versions('typer', 'rich', 'httpx')}")
    print(f"seed {options.seed}; load {load_before:.1f}, then {os.getloadavg()[0]:.1f}\n")
    print(table(["target", "runs", "busy loops", "passed", "flips", "seconds per run"], [one.row for one in graded]))
    for one in graded:
        for flip in one.flips:
            print(f"\n{one.target.name}, {one.busy} busy loops: {flip['check']} {flip['status']} --seed {flip['seed']}")
    return 1 if any(one.flips for one in graded) else 0


def parse_options() -> Options:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help=f"of each target, in each half ({RUNS})")
    parser.add_argument("--busy", type=int, default=BUSY, help=f"busy loops in the second half ({BUSY})")
    parser.add_argument("--seed", type=int, default=1, help="of the fresh texts (1)")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where the environments are kept")
    directory = ROOT / "days" / "day-02" / "misconceptions"
    parser.add_argument("--misconceptions", type=Path, default=directory, help="where they lie (those of day-02)")
    given = parser.parse_args()
    if given.runs < 2:
        parser.error("--runs must be at least 2: one verdict cannot flip")
    if given.busy < 1:
        parser.error("--busy must be at least 1")
    return Options(given.runs, given.busy, given.seed, given.cache, given.misconceptions)


def end_as_with_ctrl_c(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def pin_to_cores() -> None:
    """On a larger machine, too, the busy loops and all else share two cores. The children inherit it."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])


def cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


# What is graded


def make_targets(directory: Path, misconceptions: Path) -> list[Target]:
    targets = [
        Target("solution", copy_of_solution(directory / "solution")),
        Target("starter", fresh_starter(directory / "starter")),
    ]
    for kind, name in MISCONCEPTIONS.items():
        if not (misconceptions / name).is_dir():
            raise WrongWork(f"there is no {misconceptions / name}")
        copy = copy_of_solution(directory / name)
        shutil.copytree(misconceptions / name, copy, ignore=shutil.ignore_patterns(ABOUT), dirs_exist_ok=True)
        targets.append(Target(f"{name} ({kind})", copy))
    return targets


def copy_of_solution(directory: Path) -> Path:
    shutil.copytree(SOLUTION, directory, ignore=shutil.ignore_patterns("__pycache__"))
    return directory


def fresh_starter(directory: Path) -> Path:
    """What lies in `starter/` may be somebody's work by now."""
    # The kit is there only inside of its environment.
    from grader.course.lab import find_lab
    from grader.course.workdir import starter_files

    directory.mkdir()
    for name, text in starter_files(find_lab("day-02")).items():
        (directory / name).write_text(text, "utf-8")
    return directory


# Grading


def grade_all(targets: Sequence[Target], options: Options) -> list[Graded]:
    """First all of them on idle cores, then all of them beside the busy loops."""
    graded: list[Graded] = []
    for busy in (0, options.busy):
        with busy_loops(busy):
            for target in targets:
                tell(f"{len(graded) + 1}/{2 * len(targets)} {target.name}, {busy} busy loops, {options.runs} runs ...")
                graded.append(one := grade(target, busy, options))
                tell(f"    {one.passed}/{one.total} passed, {len(one.flips)} flips, {one.seconds:.0f} s")
    return graded


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    command = [sys.executable, "-ISc", BUSY_LOOP, str(os.getpid())]
    loops: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(count):
            loops.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        yield
        ended = sum(loop.poll() is not None for loop in loops)
        if ended:
            raise WrongWork(f"{ended} of {count} busy loops have ended before their time")
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def grade(target: Target, busy: int, options: Options) -> Graded:
    kit = inside(options.cache)
    command = [kit.command("grade"), "day-02", "--path", str(target.directory), "--format", "json"]
    command += ["--repeat", str(options.runs), "--seed", str(options.seed), "--lang", "en"]
    # It draws a bar of its own on a terminal, if that is one that can bear it.
    variables = {**kit.variables, "TERM": os.environ.get("TERM", "dumb")}
    begun = time.perf_counter()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as words:
        errors = None if sys.stderr.isatty() else words
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            process_group=0,  # told to end by `put_down` alone: a second signal would disturb its putting away
        ) as running:
            try:
                printed, _ = running.communicate()
            except BaseException:
                put_down(running)
                raise
        words.seek(0)
        trouble = f"{target.name}: exit status {running.returncode}\n{printed}{words.read()}"
    seconds = time.perf_counter() - begun
    try:
        report = json.loads(printed)
    except ValueError:
        raise WrongWork(trouble) from None
    if report["status"] == "error":
        raise WrongWork(trouble)
    if (report["status"] == "pass") != (target.name == "solution"):
        raise WrongWork(f"{target.name}: {report['passed']}/{report['total']} passed")
    repeat = report["repeat"]
    return Graded(target, busy, repeat["runs"], report["passed"], report["total"], repeat["flips"], seconds)


def put_down(running: subprocess.Popen[str]) -> None:
    running.send_signal(signal.SIGINT)
    try:
        running.communicate(timeout=GRACE)
    except subprocess.TimeoutExpired:
        running.kill()


if __name__ == "__main__":
    sys.exit(main())
