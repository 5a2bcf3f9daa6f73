"""Directories that students work in: made, put back, and copied to be run."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .course.collecting import collect
from .course.lab import Lab
from .course.workdir import compose, starter_files


class Conflict(Exception):
    """Files that were changed would be overwritten."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self.names = ", ".join(names)


def start_directory(lab: Lab, directory: Path, *, force: bool) -> list[Path]:
    """Compose a fresh working directory. Returns the copies that were kept of changed files.

    Raises `Conflict` if a file there differs from what would be written, unless `force`.
    """
    with tempfile.TemporaryDirectory() as name:
        fresh = Path(name)
        compose(lab, {file: text.encode() for file, text in starter_files(lab).items()}, fresh)
        files = {str(file.relative_to(fresh)): file.read_bytes() for file in fresh.rglob("*") if file.is_file()}
    return _write(directory, files, force=force)


def reset_files(lab: Lab, directory: Path, names: Sequence[str], *, force: bool) -> list[Path]:
    """Put handed-out files back. Returns the copies that were kept. Raises `Conflict` unless `force`."""
    handed_out = {name: text.encode() for name, text in starter_files(lab).items()}
    handed_out |= {name: (lab.directory / name).read_bytes() for name in lab.frozen_files}
    return _write(directory, {name: handed_out[name] for name in names}, force=force)


def runnable_copy(lab: Lab, directory: Path) -> Path:
    """A composed directory with the student's files, in the user's cache. Raises `Refused`.

    It is named for its content, so the same files give the same directory and nothing in it ever changes.
    """
    student = collect(lab, directory)
    digest = hashlib.sha256()
    for name, source in sorted(student.items()):
        digest.update(f"{name}\0{len(source)}\0".encode() + source)
    for file in (*(lab.directory / name for name in lab.frozen_files), *sorted(lab.scripts.iterdir())):
        digest.update(file.read_bytes())
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "coding-agent-labs"
    copy = cache / f"{lab.id}-{digest.hexdigest()[:16]}"
    if not copy.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(dir=cache))
        compose(lab, student, unfinished)
        try:
            unfinished.rename(copy)
        except OSError:  # another run was faster
            shutil.rmtree(unfinished, ignore_errors=True)
    return copy


def _write(directory: Path, files: dict[str, bytes], *, force: bool) -> list[Path]:
    changed = [name for name, data in files.items() if _differs(directory / name, data)]
    if changed and not force:
        raise Conflict(sorted(changed))
    copies = [keep_aside(directory / name, "bak") for name in changed]
    for name, data in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(data)
    return copies


def _differs(path: Path, data: bytes) -> bool:
    """Whether something would be lost: a file that holds nothing is no loss."""
    return os.path.lexists(path) and not (path.is_file() and path.read_bytes().strip() in (b"", data.strip()))


def keep_aside(path: Path, kind: str) -> Path:
    """Rename a file to the first free name beside it, of those like `sse.py.bak1` for the kind `bak`."""
    number = 1
    while os.path.lexists(copy := path.with_name(f"{path.name}.{kind}{number}")):
        number += 1
    return path.rename(copy)
