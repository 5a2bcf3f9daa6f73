"""Composed directories: frozen files, student's files and offline scripts together, ready to run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Literal

from ..results import FrozenFile
from .collecting import is_file
from .lab import CHECKOUT, ROOT, Lab
from .regions import replace_regions

# Says which lab a composed directory is.
MARKER = ".lab"

SCRIPTS = "offline_scripts"


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
        (destination / name).parent.mkdir(parents=True, exist_ok=True)
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


def frozen_states(lab: Lab, directory: Path) -> tuple[FrozenFile, ...]:
    """Whether the student's copies of the frozen files are as they were handed out. Those are never run."""
    return tuple(FrozenFile(name, _state(lab.directory / name, directory / name)) for name in lab.frozen_files)


def _state(ours: Path, theirs: Path) -> Literal["pristine", "modified", "missing"]:
    if not is_file(theirs):
        return "missing"
    try:
        same = theirs.stat().st_size == ours.stat().st_size and theirs.read_bytes() == ours.read_bytes()
    except OSError:
        same = False
    return "pristine" if same else "modified"
