"""What a submission may have left behind: processes, changed files, characters that a terminal obeys."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# How long the last processes of a grading may take to be gone.
GRACE_S = 3.0

INVISIBLE = {*range(0x20), *range(0x7F, 0xA0), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
INVISIBLE |= {0xFEFF, *range(0xD800, 0xE000)}
INVISIBLE -= {ord("\n"), ord("\t")}


def dangerous(text: str) -> list[str]:
    """Characters in a report that a terminal would obey or hide."""
    return sorted({f"U+{ord(char):04X}" for char in text if ord(char) in INVISIBLE})


def strings(value: Any) -> Iterator[str]:
    """Every string in a piece of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def hashes(*directories: Path) -> dict[str, str]:
    """Every file below these directories and what is in it; byte code apart, which Python may write."""
    return {
        str(file): hashlib.sha256(file.read_bytes()).hexdigest()
        for directory in directories
        for file in sorted(directory.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }


def processes_left(root: Path, before: set[int]) -> list[str]:
    """Processes that a grading left running, apart from those `before` it. Waits a moment for those that are going."""
    deadline = time.monotonic() + GRACE_S
    while (left := _left(root, before)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def descendants() -> dict[int, bool]:
    """All processes below this one, and whether each is a launcher."""
    processes = _processes()
    below = _below(os.getpid(), {pid: process.parent for pid, process in processes.items()})
    return {pid: processes[pid].is_launcher for pid in below}


@dataclass(frozen=True)
class _Process:
    parent: int
    command: str
    about: bytes  # command line, variables and directory

    @property
    def is_launcher(self) -> bool:
        return self.parent == os.getpid() and "launcher.py" in self.command


def _left(root: Path, before: set[int]) -> list[str]:
    """All below this process except launchers, its direct children, and all anywhere that have to do with `root`."""
    processes = _processes()
    below = _below(os.getpid(), {pid: process.parent for pid, process in processes.items()})
    marked = {pid for pid, process in processes.items() if bytes(root) in process.about}
    left = {pid: processes[pid] for pid in (below | marked) - before - {os.getpid()}}
    return sorted(f"{pid} {process.command}" for pid, process in left.items() if not process.is_launcher)


def _processes() -> dict[int, _Process]:
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = (entry / "stat").read_text("utf-8", "replace").rpartition(") ")[2].split()[1]
            command = (entry / "cmdline").read_bytes()
            about = command + (entry / "environ").read_bytes() + bytes((entry / "cwd").readlink())
        except OSError:  # gone by now, a zombie, or somebody else's
            continue
        shown = command.replace(bytes(1), b" ").decode("utf-8", "replace")
        found[int(entry.name)] = _Process(int(parent), shown, about)
    return found


def _below(pid: int, parents: dict[int, int]) -> set[int]:
    below: set[int] = set()
    newer = {pid}
    while newer := {child for child, parent in parents.items() if parent in newer} - below:
        below |= newer
    return below
