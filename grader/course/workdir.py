"""Composed directories: frozen files, student's files and offline scripts together, ready to run."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Literal

from ..results import FrozenFile
from .lab import CHECKOUT, ROOT, Lab
from .regions import replace_regions

# Says which lab a composed directory is.
MARKER = ".lab"

SCRIPTS = "offline_scripts"

# No honest source file comes near.
SOURCE_LIMIT = 1 << 20
MODULE_LIMIT = 100


class Refused(Exception):
    """The student's files cannot be run. `sentence` names it in the catalogue, `fields` fill it in."""

    def __init__(self, sentence: str, **fields: object) -> None:
        super().__init__(sentence, fields)
        self.sentence = sentence
        self.fields = fields


def starter_files(lab: Lab) -> dict[str, str]:
    """The files that are handed out. In a checkout they are made anew: what lies in `starter/` may be a student's."""
    if lab.solution.is_dir():
        return generated_files(lab, {exercise.number for exercise in lab.exercises})
    return {name: (lab.starter / name).read_text("utf-8") for name in lab.student_files}


def generated_files(lab: Lab, unfinished: Collection[int]) -> dict[str, str]:
    """The solution's files with the handed-out text in the regions of these exercises. Only in a checkout."""
    files: dict[str, str] = {}
    for name in lab.student_files:
        texts = {
            exercise.number: (lab.directory / "exercises" / f"{exercise.number}.py").read_text("utf-8")
            for exercise in lab.exercises
            if exercise.file == name and exercise.number in unfinished
        }
        files[name] = replace_regions((lab.solution / name).read_text("utf-8"), texts)
    return files


def compose(lab: Lab, student: dict[str, bytes], destination: Path) -> None:
    """Fill a directory with everything that the lab's program needs, and these files of the student."""
    for name in lab.frozen_files:
        shutil.copy2(lab.directory / name, destination / name)
    shutil.copytree(lab.scripts, destination / SCRIPTS)
    for name, source in student.items():
        (destination / name).write_bytes(source)
    (destination / MARKER).write_text(f"{lab.id}\n")


def is_composed(directory: Path, lab: Lab) -> bool:
    try:
        return (directory / MARKER).read_text("utf-8").strip() == lab.id
    except (OSError, ValueError):
        return False


def find_target(lab: Lab) -> Path | None:
    """What `grade` grades when nobody says: the current directory, `./day-02`, or the starter of a checkout."""
    for candidate in (Path(), Path(lab.id)):
        if is_composed(candidate, lab):
            return candidate
    if ROOT == CHECKOUT and lab.starter.is_dir():
        return Path(os.path.relpath(lab.starter))
    return None


def collect(lab: Lab, directory: Path) -> dict[str, bytes]:
    """The student's files, and the modules of their own beside them. Raises `Refused`; runs and follows nothing."""
    names = sorted(entry.name for entry in os.scandir(directory))
    files = {name: _source(directory, name, names) for name in lab.student_files}
    others = [name for name in names if name.endswith(".py") and name not in (*lab.student_files, *lab.frozen_files)]
    for name in others[:MODULE_LIMIT]:
        if _is_file(directory / name):
            if (module := name.removesuffix(".py")) in sys.stdlib_module_names or module in libraries_of(lab):
                raise Refused("refused.hides-module", file=name, module=module)
            files[name] = _source(directory, name, names)
    return files


def frozen_states(lab: Lab, directory: Path) -> tuple[FrozenFile, ...]:
    """Whether the student's copies of the frozen files are as they were handed out. Those are never run."""
    return tuple(FrozenFile(name, _state(lab.directory / name, directory / name)) for name in lab.frozen_files)


def _state(ours: Path, theirs: Path) -> Literal["pristine", "modified", "missing"]:
    if not _is_file(theirs):
        return "missing"
    try:
        same = theirs.stat().st_size == ours.stat().st_size and theirs.read_bytes() == ours.read_bytes()
    except OSError:
        same = False
    return "pristine" if same else "modified"


def _source(directory: Path, name: str, names: list[str]) -> bytes:
    if name not in names:
        python_files = [other for other in names if other.endswith(".py")][:10]
        raise Refused("refused.missing", file=name, found=", ".join(python_files) or "-")
    path = directory / name
    if not _is_file(path):
        raise Refused("refused.no-file", file=name)
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            source = file.read(SOURCE_LIMIT + 1)
    except OSError:
        raise Refused("refused.unreadable", file=name) from None
    if len(source) > SOURCE_LIMIT:
        raise Refused("refused.too-large", file=name, limit=SOURCE_LIMIT >> 20)
    return source


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def libraries_of(lab: Lab) -> set[str]:
    """The packages and modules from outside that the lab's programs import, by their first name."""
    return {module.partition(".")[0] for module in lab.preload if f"{module}.py" not in lab.frozen_files}
