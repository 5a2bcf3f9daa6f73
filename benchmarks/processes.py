"""What a command starts on this machine, and how much memory all of it holds together. For Linux: read from /proc."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from measure import WrongWork

PROC = Path("/proc")
PAUSE = 0.01
"""Seconds between two looks at the memory."""


def started() -> int:
    """Processes and threads that this machine has started since it was switched on, whoever asked for them."""
    counts = dict(line.split(maxsplit=1) for line in (PROC / "stat").read_text().splitlines())
    return int(counts["processes"])


def peak_memory(command: Sequence[str], directory: Path, environment: Mapping[str, str], status: int) -> float:
    """Run it, and return the most that it and its descendants held at one look, in megabytes.

    It is the sum of their proportional set sizes, in which a page that several share counts once. Raises `WrongWork`
    for another exit status than this.
    """
    peak = 0
    with subprocess.Popen(
        command,
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as running:
        while running.poll() is None:
            peak = max(peak, sum(map(_proportional_set, _tree(running.pid))))
            time.sleep(PAUSE)
    if running.returncode != status:
        raise WrongWork(f"{' '.join(command)}: exit status {running.returncode} while its memory was looked at")
    return peak / 1e6


def _tree(root: int) -> list[int]:
    """A process and its descendants."""
    children: dict[int, list[int]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit() and (status := _read(entry / "stat")):
            parent = int(status.rpartition(")")[2].split()[1])  # the name before it may hold anything
            children.setdefault(parent, []).append(int(entry.name))
    found = [root]
    for process in found:
        found += children.get(process, ())
    return found


def _proportional_set(process: int) -> int:
    """In bytes; 0 if it has ended."""
    for line in _read(PROC / str(process) / "smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def _read(file: Path) -> str:
    """A process may end at any moment: then there is nothing."""
    try:
        return file.read_text()
    except OSError:
        return ""
