"""A lab's interview questions, as its `interview.toml` has them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from ..catalogue import LANGUAGES, Language
from ..course.lab import Lab

Text = Mapping[Language, str]
Level = Literal["basic", "advanced", "deep"]
Market = Literal["china", "abroad", "both"]
Frequency = Literal["rare", "occasional", "common"]
Kind = Literal["good", "partial", "off-topic"]


class BrokenQuestion(Exception):
    """A question does not say what it must."""

    def __init__(self, file: Path, question: str, problem: str) -> None:
        super().__init__(file, question, problem)
        self.file = file
        self.question = question
        self.problem = problem


@dataclass(frozen=True)
class Point:
    """Something that a good answer says. One of its patterns, regular expressions, is found where it is said."""

    id: str
    text: Text
    patterns: Mapping[Language, tuple[re.Pattern[str], ...]]

    def is_in(self, answer: str, language: Language) -> bool:
        """Whether an answer in this language seems to say it: a proposal, which the one who answered corrects."""
        return any(pattern.search(answer) for pattern in self.patterns[language])


@dataclass(frozen=True)
class Sample:
    """An answer that somebody could give, and the ids of the points that must be proposed for it."""

    kind: Kind
    language: Language
    text: str
    covers: frozenset[str]


@dataclass(frozen=True)
class Question:
    id: str
    level: Level
    tags: tuple[str, ...]
    market: Market
    frequency: Frequency
    question: Text
    approach: Text  # how to think about it
    points: tuple[Point, ...]
    follow_ups: tuple[Text, ...]
    answer: Text  # a model
    samples: tuple[Sample, ...]

    def covered(self, answer: str, language: Language) -> list[Point]:
        """The points that an answer seems to cover."""
        return [point for point in self.points if point.is_in(answer, language)]


@cache
def questions(lab: Lab) -> tuple[Question, ...]:
    """The lab's questions, in the order of its file; none without one. Raises `BrokenQuestion`."""
    file = lab.directory / "interview.toml"
    if not file.is_file():
        return ()
    table = tomllib.loads(file.read_text("utf-8"))
    return tuple(_question(file, entry) for entry in table["question"])


def _question(file: Path, entry: Mapping[str, Any]) -> Question:
    try:
        return Question(
            id=entry["id"],
            level=_one_of(Level, entry["level"]),
            tags=tuple(entry["tags"]),
            market=_one_of(Market, entry["market"]),
            frequency=_one_of(Frequency, entry["frequency"]),
            question=_text(entry["question"]),
            approach=_text(entry["approach"]),
            points=tuple(Point(one["id"], _text(one), _patterns(one["patterns"])) for one in entry["points"]),
            follow_ups=tuple(map(_text, entry["follow_ups"])),
            answer=_text(entry["answer"]),
            samples=tuple(map(_sample, entry["samples"])),
        )
    except (KeyError, TypeError, ValueError, re.error) as problem:
        raise BrokenQuestion(file, str(entry.get("id")), f"{type(problem).__name__}: {problem}") from None


def _text(table: Mapping[str, str]) -> Text:
    return {language: table[language].strip() for language in LANGUAGES}


def _patterns(table: Mapping[str, Sequence[str]]) -> Mapping[Language, tuple[re.Pattern[str], ...]]:
    return {language: tuple(re.compile(one, re.IGNORECASE) for one in table[language]) for language in LANGUAGES}


def _sample(table: Mapping[str, Any]) -> Sample:
    language = _one_of(Language, table["language"])
    return Sample(_one_of(Kind, table["kind"]), language, table["text"].strip(), frozenset(table["covers"]))


def _one_of(kind: Any, value: str) -> Any:
    if value not in get_args(kind):
        raise ValueError(f"{value!r} is none of {', '.join(get_args(kind))}")
    return value
