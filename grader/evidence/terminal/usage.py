"""What a program and all its descendants use, and what they have written."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Usage:
    """Of a whole tree of processes."""

    processes: int  # and threads
    memory: int  # resident, in bytes; of what several share, each has its part
    cpu_s: float  # also of children that have ended and were waited for


def usage_of(pid: int) -> Usage:
    """What a process and its descendants use now. What ends meanwhile counts for nothing."""
    import psutil  # only for programs that run long enough to be looked at

    processes, memory, cpu_s = 0, 0, 0.0
    try:
        root = psutil.Process(pid)
        tree = [root, *root.children(recursive=True)]
    except psutil.Error:
        tree = []
    for process in tree:
        try:
            with process.oneshot():
                times = process.cpu_times()
                threads, resident = process.num_threads(), process.memory_info().rss
                if len(tree) > 1 and hasattr(full := process.memory_full_info(), "pss"):  # a child shares most of it
                    resident = full.pss
        except psutil.Error:
            continue
        processes += threads
        memory += resident
        cpu_s += times.user + times.system + times.children_user + times.children_system
    return Usage(processes, memory, cpu_s)


def cpu_time_of(pid: int) -> float:
    """CPU time of one process and its threads, in seconds, as finely as the system tells it; 0 of one that is gone."""
    with contextlib.suppress(OSError, ValueError):  # Linux counts in nanoseconds here
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9
    import psutil

    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def written_below(directory: Path, most: int) -> tuple[int, int]:
    """How many files and directories lie below a directory, and how many bytes they hold.

    Stops counting above `most` files. Directories nested too deep to be looked at are above it.
    """
    files = size = 0
    waiting = [directory]
    while waiting and files <= most:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in itertools.islice(entries, most + 1):
                    files += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
                    else:
                        size += entry.stat(follow_symlinks=False).st_size
        except OSError as error:  # anything else is a file that is gone by now
            if error.errno == errno.ENAMETOOLONG:
                return most + 1, size
    return files, size
