"""A lab's bank: wrong solutions that people really write, each with its name, and right ones that look different."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..catalogue import LANGUAGES, Language
from .lab import Lab

ABOUT = "about.toml"

# What an `about.toml` must say; `crash` may be left out.
SENTENCES, NAMES = ("title", "explanation"), ("lesson", "fails")


class BrokenEntry(Exception):
    """An entry does not say what it must. `problem` is why its file cannot be read, or the keys that it lacks."""

    def __init__(self, file: Path, problem: str) -> None:
        super().__init__(file, problem)
        self.file = file
        self.problem = problem


@dataclass(frozen=True)
class Misconception:
    """One wrong idea, as the file that it changes. `fails` are the checks that must not pass, and no others;
    `crashes` those of them in which an exception or a signal may be what is seen."""

    id: str
    title: Mapping[Language, str]
    explanation: Mapping[Language, str]  # for the student
    lesson: str  # the section that explains it
    files: Mapping[str, bytes]
    fails: frozenset[str]
    crashes: frozenset[str]


@dataclass(frozen=True)
class Variant:
    """A right solution that looks different."""

    id: str
    files: Mapping[str, bytes]


@cache
def misconceptions(lab: Lab) -> tuple[Misconception, ...]:
    """The lab's misconceptions, in the order of their ids: every directory is one. Raises `BrokenEntry`."""
    return tuple(misconception(lab, id) for id in sorted(one.name for one in lab.misconceptions.glob("*/")))


def variants(lab: Lab) -> tuple[Variant, ...]:
    """The lab's right variants: only in a checkout."""
    return tuple(Variant(one.name, _files(lab, one)) for one in sorted(lab.variants.glob("*/")))


def misconception(lab: Lab, id: str) -> Misconception:
    """The one of this id. Raises `BrokenEntry`."""
    directory = lab.misconceptions / id
    about = directory / ABOUT
    try:
        table = tomllib.loads(about.read_text("utf-8"))
    except OSError as problem:
        raise BrokenEntry(about, problem.strerror or str(problem)) from None
    except ValueError as problem:
        raise BrokenEntry(about, str(problem)) from None
    if missing := list(_missing(table)):
        raise BrokenEntry(about, ", ".join(missing))
    return Misconception(
        id=id,
        title=table["title"],
        explanation=table["explanation"],
        lesson=table["lesson"],
        files=_files(lab, directory),
        fails=frozenset(table["fails"]),
        crashes=frozenset(table.get("crash", ())),
    )


def _missing(table: Mapping[str, Any]) -> Iterator[str]:
    """The keys that it lacks."""
    for key in SENTENCES:
        said = table.get(key)
        yield from (f"{key}.{language}" for language in LANGUAGES if not isinstance(said, dict) or language not in said)
    yield from (key for key in NAMES if key not in table)


def _files(lab: Lab, directory: Path) -> dict[str, bytes]:
    return {name: (directory / name).read_bytes() for name in lab.student_files if (directory / name).is_file()}
