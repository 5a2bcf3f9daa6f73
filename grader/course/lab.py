"""The labs of the course, and where their files are."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from ..catalogue import Catalogue, Language

PACKAGE = Path(__file__).resolve().parent.parent

# In a checkout the course lies beside the engine; a wheel carries it inside.
CHECKOUT = PACKAGE.parent
ROOT = CHECKOUT if (CHECKOUT / "days").is_dir() else PACKAGE / "course_files"


class UnknownLab(Exception):
    """No lab has this name. `nearest` is the id that was probably meant, or None."""

    def __init__(self, name: str, nearest: str | None) -> None:
        super().__init__(name)
        self.name = name
        self.nearest = nearest


@dataclass(frozen=True)
class Exercise:
    """One task: a marked region of one file."""

    number: int
    file: str


@dataclass(frozen=True)
class Contract:
    """Something that a student's file must define: a class, or a function of a kind with so many parameters."""

    file: str
    name: str
    kind: Literal["async-generator", "class", "function", "generator"]
    parameters: int | None = None


@dataclass(frozen=True)
class Lab:
    """One lab, as its `lab.toml` describes it."""

    id: str
    order: float
    exercises: tuple[Exercise, ...]
    checks: tuple[str, ...]
    student_files: tuple[str, ...]
    frozen_files: tuple[str, ...]
    program: str  # the file that users start
    sections: tuple[str, ...]  # of the lesson
    preload: tuple[str, ...]  # modules that warm programs find imported
    base_urls: tuple[str, ...]  # variables that tell the program where its gateway is
    gateway_paths: tuple[str, ...]  # what it may ask for there, as patterns
    contracts: tuple[Contract, ...]
    errors: tuple[str, ...]  # classes that the student's functions raise when that is right

    @property
    def directory(self) -> Path:
        return ROOT / "days" / self.id

    @property
    def starter(self) -> Path:
        return ROOT / "starter" / self.id

    @property
    def solution(self) -> Path:
        """Where the finished files are: only in a checkout."""
        return ROOT / "solutions" / self.id

    @property
    def scripts(self) -> Path:
        return ROOT / "offline_scripts" / self.id

    @property
    def misconceptions(self) -> Path:
        """Small wrong solutions, a directory each."""
        return self.directory / "misconceptions"

    @property
    def variants(self) -> Path:
        """Right solutions that look different: only in a checkout."""
        return self.directory / "variants"

    def catalogue(self, language: Language) -> Catalogue:
        """The engine's sentences and this lab's."""
        return Catalogue(language, self.directory / "lab.toml", self.directory / "messages.toml")


@cache
def labs() -> tuple[Lab, ...]:
    """Every lab of the course, in the order in which they are taken."""
    return tuple(sorted(map(_load, (ROOT / "days").glob("*/lab.toml")), key=lambda lab: (lab.order, lab.id)))


def find_lab(name: str, among: Sequence[Lab] | None = None) -> Lab:
    """The lab of this id; `2` and `02` mean `day-02`. Raises `UnknownLab`."""
    known = {lab.id: lab for lab in among or labs()}
    full = f"day-{int(name):02}" if name.isascii() and name.isdigit() else name
    if full not in known:
        import difflib

        raise UnknownLab(name, next(iter(difflib.get_close_matches(full, known, 1, 0.5)), None))
    return known[full]


def _load(file: Path) -> Lab:
    table = tomllib.loads(file.read_text("utf-8"))
    return Lab(
        id=table["id"],
        order=table["order"],
        exercises=tuple(Exercise(int(number), entry["file"]) for number, entry in table["exercises"].items()),
        checks=tuple(table["checks"]),
        student_files=tuple(table["files"]["student"]),
        frozen_files=tuple(table["files"]["frozen"]),
        program=table["program"]["file"],
        sections=tuple(table["lesson"]["sections"]),
        preload=tuple(table["program"]["preload"]),
        base_urls=tuple(table["program"]["base_urls"]),
        gateway_paths=tuple(table["program"]["gateway_paths"]),
        contracts=tuple(Contract(file, **entry) for file, entries in table["contracts"].items() for entry in entries),
        errors=tuple(table["probe"]["errors"]),
    )
