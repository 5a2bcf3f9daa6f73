"""How soon after a save `grade watch day-02` shows its verdicts, beside one `grade day-02` of the same files.

README.md beside this file says what is measured, and how to run it.
"""

from __future__ import annotations

import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from environments import ROOT, inside
from measure import Subject, WrongWork, expect, tell
from script import Options, run
from solution import SOLUTION
from tables import table

ROUNDS = 9

# In seconds, on two idle cores.
FIRST_AIM, ALL_AIM = 0.5, 1.5

# The parser of the starter fails the first check.
UNFINISHED = ROOT / "starter" / "day-02" / "sse.py"


def measure(options: Options) -> list[str]:
    kit = inside(options.cache)
    first_changed: list[float] = []
    all_shown: list[float] = []
    gradings: list[float] = []
    with tempfile.TemporaryDirectory(prefix="benchmark-") as name:
        directory = Path(name) / "work"
        shutil.copytree(SOLUTION, directory, ignore=shutil.ignore_patterns("__pycache__"))
        command = [kit.command("grade"), "day-02", "--path", str(directory), "--lang", "en"]
        grading = Subject("grade day-02", command, ROOT, kit.variables, expect("grade day-02", "6/6 passed"))
        watch = [kit.command("grade"), "watch", *command[1:]]
        with running(watch, kit.variables) as lines:
            verdicts(lines, "6/6 passed")
            for number in range(options.rounds + 1):
                save(UNFINISHED, directory)
                verdicts(lines, "4/6 passed", changed="framing")
                first, last = save_and_wait(directory, lines)
                cost = grading.run()
                if number > 0:
                    first_changed.append(first)
                    all_shown.append(last)
                    gradings.append(cost.wall)
                tell(f"round {number}/{options.rounds}: {first:.3f}  {last:.3f}  {cost.wall:.3f}")
    return [watching_table(first_changed, all_shown, gradings)]


def save_and_wait(directory: Path, lines: IO[str]) -> tuple[float, float]:
    """From before the finished parser is saved: seconds to the first changed verdict, and to all of them."""
    begun = time.perf_counter()
    save(SOLUTION / "sse.py", directory)
    first, last = verdicts(lines, "6/6 passed", changed="framing")
    return first - begun, last - begun


def save(source: Path, directory: Path) -> None:
    """As editors do: another file takes the place of the old one."""
    other = directory / ".sse.py.tmp"
    shutil.copyfile(source, other)
    other.replace(directory / "sse.py")


def verdicts(lines: IO[str], score: str, changed: str | None = None) -> tuple[float, float]:
    """Read up to the score. Returns when the first changed verdict came, and when the last line did.

    Raises `WrongWork` unless it is this score, and this check has changed.
    """
    read: list[str] = []
    times: list[float] = []
    for line in lines:
        read.append(line)
        times.append(time.perf_counter())
        if line.endswith("passed\n"):
            break
    marked = [at for at, line in zip(times, read, strict=True) if "→" in line]
    if f"{score}\n" not in read or (changed and not any("→" in line and changed in line for line in read)):
        raise WrongWork(f"grade watch: expected {score}\n{''.join(read)}")
    return (marked or times)[0], times[-1]


@contextmanager
def running(command: Sequence[str], environment: dict[str, str]) -> Iterator[IO[str]]:
    """A `grade watch` in a pipe, and its lines; Ctrl-C ends it."""
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout
        finally:
            process.send_signal(signal.SIGINT)


def watching_table(first_changed: Sequence[float], all_shown: Sequence[float], gradings: Sequence[float]) -> str:
    grading = statistics.median(gradings)
    rows = [
        [name, f"{statistics.median(times):.3f}", f"{min(times):.3f}", f"{statistics.median(times) / grading:.2f}", aim]
        for name, times, aim in (
            ("first changed verdict", first_changed, str(FIRST_AIM)),
            ("all verdicts", all_shown, str(ALL_AIM)),
            ("one grade day-02", gradings, "-"),
        )
    ]
    return table(["seconds from the save to", "median", "min", "to one grade", "aim"], rows)


if __name__ == "__main__":
    sys.exit(run(__doc__, ROUNDS, measure, named=["watchfiles", "rich"]))
