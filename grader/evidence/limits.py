"""What one program may use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .terminal.usage import Usage, written_below


class LimitReached(Exception):
    """A program went over a limit. `figure` is what it reached, with its unit."""

    def __init__(self, name: str, figure: str) -> None:
        super().__init__(name, figure)
        self.name = name
        self.figure = figure


@dataclass(frozen=True)
class Limits:
    """Generous: an honest program on a busy machine reaches none of them."""

    silence_s: float = 10.0  # while something is awaited and nothing at all happens
    total_s: float = 120.0
    cpu_s: int = 6
    output_bytes: int = 1 << 20
    report_bytes: int = 8 << 20
    memory_bytes: int = 1 << 30
    processes: int = 200  # and threads
    disk_bytes: int = 64 << 20
    disk_files: int = 10_000

    def check_usage(self, usage: Usage) -> None:
        """Raises `LimitReached`."""
        if usage.cpu_s > self.cpu_s:
            raise LimitReached("cpu", f"{usage.cpu_s:.0f} s")
        if usage.processes > self.processes:
            raise LimitReached("processes", str(usage.processes))
        if usage.memory > self.memory_bytes:
            raise LimitReached("memory", f"{usage.memory >> 20} MiB")

    def check_disk(self, scratch: Path) -> None:
        """Look at what has been written below a directory. Raises `LimitReached`."""
        files, size = written_below(scratch, self.disk_files)
        if size > self.disk_bytes:
            raise LimitReached("disk", f"{size >> 20} MiB")
        if files > self.disk_files:
            raise LimitReached("files", str(files))
