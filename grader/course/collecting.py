"""A student's files: found, read and looked at, and never run. Nothing is followed, and nothing can block."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from .lab import Lab

# No honest source file comes near.
SOURCE_LIMIT = 1 << 20
MODULE_LIMIT = 100


class Refused(Exception):
    """The student's files cannot be run. `sentence` names it in the catalogue, `fields` fill it in."""

    def __init__(self, sentence: str, **fields: object) -> None:
        super().__init__(sentence, fields)
        self.sentence = sentence
        self.fields = fields


def collect(lab: Lab, directory: Path) -> dict[str, bytes]:
    """The student's files, and the modules of their own that these mention, by path. Raises `Refused`."""
    try:
        names = {entry.name for entry in os.scandir(directory)}
    except OSError:
        raise Refused("refused.unreadable", file=directory.name) from None
    files = {name: _student_file(lab, directory, name, names) for name in lab.student_files}
    own = {name.removesuffix(".py"): name for name in sorted(names) if _is_module(directory / name)}
    for name in (*lab.student_files, *lab.frozen_files):
        own.pop(name.removesuffix(".py"), None)
    for module in sorted(own.keys() & (sys.stdlib_module_names | libraries_of(lab))):
        raise Refused("refused.hides-module", file=own[module], module=module)
    unread = list(files.values())
    while unread:
        words = set(re.findall(r"\w+", unread.pop().decode("utf-8", "replace")))
        for module in sorted(own.keys() & words):
            found = dict(_sources(directory, own.pop(module)))
            files |= found
            unread += found.values()
            if len(files) > MODULE_LIMIT:
                raise Refused("refused.too-many", limit=MODULE_LIMIT)
    return files


def libraries_of(lab: Lab) -> set[str]:
    """The packages and modules from outside that the lab's programs import, by their first name."""
    return {module.partition(".")[0] for module in lab.preload if f"{module}.py" not in lab.frozen_files}


def is_file(path: Path) -> bool:
    """Whether this is a regular file itself, and no link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _is_module(path: Path) -> bool:
    return is_file(path) if path.name.endswith(".py") else is_file(path / "__init__.py") and not path.is_symlink()


def _student_file(lab: Lab, directory: Path, name: str, names: set[str]) -> bytes:
    if name not in names:
        python_files = sorted(other for other in names if other.endswith(".py"))[:10]
        raise Refused("refused.missing", file=name, found=", ".join(python_files) or "-")
    source = _source(directory, name)
    if not source.strip():
        raise Refused("refused.empty", file=name, lab=lab.id)
    return source


def _sources(directory: Path, name: str) -> Iterable[tuple[str, bytes]]:
    """A module, or the Python files of a package, by path."""
    if name.endswith(".py"):
        yield name, _source(directory, name)
        return
    for inner in sorted(entry.name for entry in os.scandir(directory / name)):
        if inner.endswith(".py") and is_file(directory / name / inner):
            yield f"{name}/{inner}", _source(directory, f"{name}/{inner}")
        elif _is_module(directory / name / inner):
            yield from _sources(directory, f"{name}/{inner}")


_KINDS = ((stat.S_ISLNK, "link"), (stat.S_ISDIR, "directory"), (stat.S_ISFIFO, "pipe"), (stat.S_ISREG, "file"))


def _source(directory: Path, name: str) -> bytes:
    """What a file holds. Raises `Refused`."""
    path = directory / name
    try:
        mode = path.lstat().st_mode
        kind = next((kind for is_kind, kind in _KINDS if is_kind(mode)), "device")
        if kind != "file":
            raise Refused(f"refused.{kind}", file=name)
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            source = file.read(SOURCE_LIMIT + 1)
    except OSError:
        raise Refused("refused.unreadable", file=name) from None
    if len(source) > SOURCE_LIMIT:
        raise Refused("refused.too-large", file=name, limit=SOURCE_LIMIT >> 20)
    return source
