"""Every lesson has its sections, says how each public name is called, and prints nothing but what is printed.

What a lesson runs is run here, in its order, in a fresh directory. A block is known by the words behind its fence:

    console            commands, each behind `$ `, with what they print
    python             a program; an `output` block behind it has what it prints
    console finished   the same, in a directory in which all exercises are done
    output finished    what the program before prints there

Blocks of other kinds, and a program without output, are only read.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from grader.catalogue import LANGUAGES
from grader.course.lab import Lab, labs
from grader.course.workdir import compose, generated_files

LIMIT = 120  # seconds for one command; only a failure takes so long

# What may differ from run to run, and what stands for it on both sides.
MASKS = {
    r"--seed \d+": "--seed N",
    r"\b\d+(\.\d+)? m?s\b": "TIME",
    r"/(tmp|\S*/(begun|finished))\b\S*": "DIRECTORY",
}

BLOCK = re.compile(r"^```(\w+)( finished)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CLASS = re.compile(r"^class ([A-Z]\w*)(?:\((\S+)\))?:\n((?:    .*\n|\n)+)", re.MULTILINE)
METHOD = re.compile(r"^    def ((?:[a-z]\w*\(|__init__\(self, ).*):$", re.MULTILINE)
ANCHOR = re.compile(r"^<!-- section: (\S+) -->\n## ", re.MULTILINE)

TAUGHT = [lab for lab in labs() if any(lab.directory.glob("lesson.*.md"))]
LESSONS = [pytest.param(lab, language, id=f"{lab.id}-{language}") for lab in TAUGHT for language in LANGUAGES]


class Step(NamedTuple):
    """A command or a Python program of a lesson, and what it prints there."""

    kind: str
    source: str
    printed: str
    finished: bool


def lesson(lab: Lab, language: str) -> str:
    return (lab.directory / f"lesson.{language}.md").read_text("utf-8")


def steps(text: str) -> Iterator[Step]:
    """What a lesson runs, in its order."""
    program = None
    for kind, finished, body in BLOCK.findall(text):
        if kind == "console":
            assert body.startswith("$ "), body
            for entry in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, printed = entry.partition("\n")
                yield Step(kind, command, printed, bool(finished))
        elif kind == "output":
            assert program is not None, body
            yield Step("python", program, body, bool(finished))
        program = body if kind == "python" else program if kind == "output" else None


class Desk:
    """A directory in which one step after another is run."""

    def __init__(self, home: Path) -> None:
        home.mkdir()
        self.where = home
        # Made from nothing, so no program finds a gateway to ask, and no file of the user's is touched.
        self._environment = {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "80",
        }

    def run(self, step: Step) -> str:
        if step.kind == "console" and step.source.startswith("cd "):
            self.where /= step.source.removeprefix("cd ")
            return "" if self.where.is_dir() else f"{step.source}: no such directory"
        command = ["bash", "-c", step.source] if step.kind == "console" else [sys.executable, "-c", step.source]
        return subprocess.run(
            command,
            cwd=self.where,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        ).stdout


def masked(text: str) -> str:
    """Without what differs from run to run, and without blanks at the ends of lines, which nobody sees."""
    for pattern, stand_in in MASKS.items():
        text = re.sub(pattern, stand_in, text)
    return "\n".join(line.rstrip() for line in text.rstrip("\n").split("\n"))


@pytest.mark.parametrize("lab", TAUGHT, ids=lambda lab: lab.id)
def test_a_lesson_is_there_in_every_language(lab: Lab) -> None:
    assert {file.name for file in lab.directory.glob("lesson.*.md")} == {f"lesson.{one}.md" for one in LANGUAGES}


@pytest.mark.parametrize(("lab", "language"), LESSONS)
def test_a_lesson_has_its_sections(lab: Lab, language: str) -> None:
    table = tomllib.loads((lab.directory / "lab.toml").read_text("utf-8"))
    prose = BLOCK.sub("", lesson(lab, language))
    assert ANCHOR.findall(prose) == table["lesson"]["sections"]
    assert len(re.findall(r"^## ", prose, re.MULTILINE)) == len(table["lesson"]["sections"])


@pytest.mark.parametrize(("lab", "language"), LESSONS)
def test_a_lesson_gives_every_signature(lab: Lab, language: str) -> None:
    said = lesson(lab, language).replace("\\|", "|")
    for name in lab.student_files:
        source = (lab.solution / name).read_text("utf-8")
        for cls, base, body in CLASS.findall(source):
            assert f"class {cls}" in said
            # How an error is made concerns only the one who raises it.
            calls = [] if base.endswith("Exception") else METHOD.findall(body)
            assert [one for one in calls if one not in said] == []


@pytest.mark.parametrize(("lab", "language"), LESSONS)
def test_a_lesson_says_what_is_printed(lab: Lab, language: str, tmp_path: Path) -> None:
    begun, finished = Desk(tmp_path / "begun"), Desk(tmp_path / "finished")
    compose(lab, {name: text.encode() for name, text in generated_files(lab, ()).items()}, finished.where)
    said = list(steps(lesson(lab, language)))
    assert {step.kind for step in said} == {"console", "python"}
    for step in said:
        printed = (finished if step.finished else begun).run(step)
        assert masked(printed) == masked(step.printed), step.source
