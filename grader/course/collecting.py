"""A student's files: found, read and looked at, and never run. Nothing is followed, and nothing can block."""

from __future__ import annotations

import codecs
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from ..harmless import harmless
from ..results import Verdict
from .lab import Lab

# No honest source file comes near.
SOURCE_LIMIT = 1 << 20
MODULE_LIMIT = 100

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.MULTILINE)  # PEP 263, looked for in two lines
_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t][^#\n]*\n?", re.MULTILINE)


class Refused(Exception):
    """The student's files cannot be run. `sentence` names it in the catalogue, `fields` fill it in."""

    verdict: Verdict = "refused"

    def __init__(self, sentence: str, **fields: object) -> None:
        super().__init__(sentence, fields)
        self.sentence = sentence
        self.fields = fields

    def in_words(self, say: Callable[..., str]) -> str:
        """The sentence; what came from the student in it is made harmless."""
        return say(self.sentence, **{name: harmless(str(value), 300) for name, value in self.fields.items()})


class Unreadable(Refused):
    """A file is no Python source: its characters are not what they should be."""

    verdict: Verdict = "crash"


def collect(lab: Lab, directory: Path) -> dict[str, bytes]:
    """The student's files, and the modules of their own that these mention, by path. Raises `Refused`."""
    try:
        names = {entry.name for entry in os.scandir(directory)}
    except OSError:
        raise Refused("refused.unreadable", file=directory.name) from None
    files = {name: _student_file(lab, directory, name, names) for name in lab.student_files}
    own = {name.removesuffix(".py"): name for name in sorted(names) if _is_module(directory / name)}
    folders = {name: name for name in names - own.keys() if _is_directory(directory / name)}
    for name in (*lab.student_files, *lab.frozen_files):
        own.pop(name.removesuffix(".py"), None)
    for module in sorted(own.keys() & (sys.stdlib_module_names | libraries_of(lab))):
        raise Refused("refused.hides-module", file=own[module], module=module)
    unread = list(files.values())
    while unread:
        text = unread.pop().decode("utf-8", "replace")
        mentioned, imported = (set(re.findall(r"\w+", part)) for part in (text, "".join(_IMPORT.findall(text))))
        for module in sorted((own.keys() & mentioned) | (folders.keys() & imported)):
            found = dict(_sources(directory, own.pop(module, "") or folders.pop(module)))
            files |= found
            unread += found.values()
            if len(files) > MODULE_LIMIT:
                raise Refused("refused.too-many", limit=MODULE_LIMIT)
    for name, source in files.items():
        if fault := encoding_fault(source):
            raise Unreadable(f"encoding.{fault[0]}", file=name, **fault[1])
    return files


def encoding_fault(source: bytes) -> tuple[str, dict[str, object]] | None:
    """What is wrong with the characters of a source file: a sentence's name and its fields, or None.

    Not every Python looks at comments; all need UTF-8 there (PEP 3120), or what a cookie says (PEP 263).
    """
    if source.startswith((b"\xff\xfe", b"\xfe\xff")) or (source[1:40:2] or b"x").strip(b"\0") == b"":
        return "utf-16", {}
    if (place := source.find(b"\0")) >= 0:
        return "nul", {"line": source.count(b"\n", 0, place) + 1}
    if cookie := _COOKIE.search(b"\n".join(source.splitlines()[:2])):
        try:
            source.decode(cookie[1].decode("ascii"))
        except LookupError:
            return "unknown-cookie", {"cookie": cookie[1].decode("ascii")}
        except UnicodeError:
            return "cookie", {"cookie": cookie[1].decode("ascii")}
        return None
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        return "not-utf-8", {"line": line, "byte": f"0x{source[error.start]:02X}"}
    return None


def libraries_of(lab: Lab) -> set[str]:
    """The packages and modules from outside that the lab's programs import, by their first name."""
    return {module.partition(".")[0] for module in lab.preload if f"{module}.py" not in lab.frozen_files}


def is_file(path: Path) -> bool:
    """Whether this is a regular file itself, and no link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _is_directory(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_module(path: Path) -> bool:
    """Whether Python would find it before its own module of that name."""
    return is_file(path) if path.name.endswith(".py") else _is_directory(path) and is_file(path / "__init__.py")


def _student_file(lab: Lab, directory: Path, name: str, names: set[str]) -> bytes:
    if name not in names:
        python_files = sorted(other for other in names if ".py" in other.lower())[:10]
        raise Refused("refused.missing", file=name, found=", ".join(python_files) or "-")
    source = _source(directory, name)
    if not source.removeprefix(codecs.BOM_UTF8).strip():
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
        elif _is_directory(directory / name / inner):
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
