"""Noticing that a student has saved something that is graded."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from watchfiles import watch

from ..course.collecting import Refused, collect
from ..course.lab import Lab

# A save is over when nothing more has happened for so long: editors write in steps, and some rename.
QUIET_MS = 40

# What goes on without end, say a log that grows, does not put a save off for longer.
DEBOUNCE_MS = 200

# How often it is looked even if the system reports nothing: some file systems never do, and a directory that was
# replaced does not any more.
LOOK_MS = 500


def saves(lab: Lab, directory: Path) -> Iterator[None]:
    """Go on at once, and then after every change of the files that `collect` takes. It never ends."""
    before = None
    for _ in _moments(lab, directory):
        if (now := state_of_files(lab, directory)) != before:
            before = now
            yield


def _moments(lab: Lab, directory: Path) -> Iterator[None]:
    """Go on whenever something may have changed. Directories are watched: a file that is replaced is another file."""
    while True:
        yield
        folders = _folders(lab, directory)
        try:
            for _ in watch(
                *folders,
                watch_filter=None,
                recursive=False,  # a student may keep an environment, or a link to everything, beside the files
                step=QUIET_MS,
                debounce=DEBOUNCE_MS,
                rust_timeout=LOOK_MS,
                yield_on_timeout=True,
            ):
                yield
                if _folders(lab, directory) != folders:
                    break
        except (OSError, RuntimeError):  # a directory is gone, or the system watches no more of them
            time.sleep(LOOK_MS / 1000)


def state_of_files(lab: Lab, directory: Path) -> object:
    """What is different after each save, or when other files count."""
    names, refusal = _collected(lab, directory)
    return refusal, [(name, _stamp(directory / name)) for name in names]


def _folders(lab: Lab, directory: Path) -> dict[Path, tuple[int, ...]]:
    """Where the files are that are graded. The numbers tell a directory from another that took its place."""
    folders = {directory, *((directory / name).parent for name in _collected(lab, directory)[0])}
    return {folder: _stamp(folder)[:1] for folder in sorted(folders)}


def _collected(lab: Lab, directory: Path) -> tuple[Sequence[str], object]:
    """The files that are graded, and why they are not, if that is so."""
    try:
        return list(collect(lab, directory)), None
    except (Refused, OSError) as refusal:
        return lab.student_files, refusal.args


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        status = path.lstat()
    except OSError:
        return ()
    return status.st_ino, status.st_mtime_ns, status.st_size
