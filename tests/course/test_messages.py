"""Every sentence that a student can read is there in both languages, with the same fields, and is used."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import grader
from grader.catalogue import LANGUAGES, language_of_locale, sentences
from grader.checks.runner import lab_probes
from grader.course.lab import labs

ENGINE = Path(grader.__file__).parent
CATALOGUES = [
    ENGINE / "messages.toml",
    *(lab.directory / name for lab in labs() for name in ("lab.toml", "messages.toml", "hints.toml")),
]


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_both_languages_say_everything(file: Path) -> None:
    for name, texts in sentences(file).items():
        assert sorted(texts) == sorted(LANGUAGES), name
        assert fields(texts["en"]) == fields(texts["zh"]), name
        assert re.search(r"[\u4e00-\u9fff]", texts["zh"]), name
        assert all(text == text.strip() != "" for text in texts.values()), name


def test_every_check_probe_and_exercise_of_a_lab_has_its_sentence_and_no_other_is_there() -> None:
    for lab in labs():
        wanted = {"title"} | {f"exercises.{exercise.number}.title" for exercise in lab.exercises}
        for check, probes in lab_probes(lab).items():
            wanted |= {f"checks.{check}.{part}" for part in ("title", "passed", "hint")}
            wanted |= {f"probes.{check}.{probe.id}" for probe in probes}
            assert len({probe.id for probe in probes}) == len(probes)
        checks = (lab.directory / "checks.py").read_text("utf-8")
        wanted |= set(re.findall(r'"((?:advice|words)\.[\w-]+)"', checks))
        found = {name for file in ("lab.toml", "messages.toml") for name in sentences(lab.directory / file)}
        assert found == wanted
        assert list(lab_probes(lab)) == list(lab.checks)


def test_the_engine_says_what_its_catalogue_has() -> None:
    """Names stand in the source as string constants; those with a variable part end in a dot before it."""
    source = "".join(file.read_text("utf-8") for file in ENGINE.rglob("*.py"))
    names = set(sentences(ENGINE / "messages.toml"))
    used = {name for name in names if f'"{name}"' in source}
    families = set(re.findall(r'(?:say|Refused|Unreadable)\(f"([\w.-]+\.)\{', source))
    by_family = {name for name in names if any(name.startswith(family) for family in families)}
    assert names == used | by_family
    said = set(re.findall(r'(?:say|_failure|Refused)\(\s*"([\w.-]+)"', source))
    assert said <= names | {"title"}


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "LC_MESSAGES": "zh_TW"}, "zh"),
    ],
)
def test_the_locale_chooses(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], language: str) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert language_of_locale() == language
