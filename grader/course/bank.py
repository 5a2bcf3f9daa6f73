"""A lab's bank: wrong solutions that people really write, each with its name, and right ones that look different."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..catalogue import Language
from .lab import Lab

ABOUT = "about.toml"


class BrokenEntry(Exception):
    """An entry does not say what it must."""

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
    """The lab's misconceptions, in the order of their ids. Raises `BrokenEntry`."""
    return tuple(_misconception(lab, about.parent) for about in sorted(lab.misconceptions.glob(f"*/{ABOUT}")))


def variants(lab: Lab) -> tuple[Variant, ...]:
    """The lab's right variants: only in a checkout."""
    return tuple(Variant(one.name, _files(lab, one)) for one in sorted(lab.variants.glob("*/")))


def _misconception(lab: Lab, directory: Path) -> Misconception:
    about = directory / ABOUT
    try:
        table = tomllib.loads(about.read_text("utf-8"))
        return Misconception(
            id=directory.name,
            title=table["title"],
            explanation=table["explanation"],
            lesson=table["lesson"],
            files=_files(lab, directory),
            fails=frozenset(table["fails"]),
            crashes=frozenset(table.get("crash", ())),
        )
    except KeyError as missing:
        raise BrokenEntry(about, str(missing)) from None
    except ValueError as problem:
        raise BrokenEntry(about, str(problem)) from None


def _files(lab: Lab, directory: Path) -> dict[str, bytes]:
    return {name: (directory / name).read_bytes() for name in lab.student_files if (directory / name).is_file()}
