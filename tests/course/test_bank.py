"""Every entry of a bank says what it is, in both languages, and changes something."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.catalogue import LANGUAGES
from grader.course import lab as labs_module
from grader.course.bank import BrokenEntry, misconceptions, variants
from grader.course.lab import Lab, find_lab, labs


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.id)
def test_a_bank_is_whole(lab: Lab) -> None:
    solution = {name: (lab.solution / name).read_bytes() for name in lab.student_files}
    seen: set[str] = set()
    for one in misconceptions(lab):
        assert set(one.title) == set(one.explanation) == set(LANGUAGES), one.id
        assert all(text[-1] in ".。" for text in one.explanation.values()), one.id
        assert one.lesson in lab.sections, one.id
        assert one.fails and one.fails <= set(lab.checks) and one.crashes <= one.fails, one.id
        texts = {*one.title.values(), *one.explanation.values()}
        assert not seen & texts, one.id
        seen |= texts
    for entry in (*misconceptions(lab), *variants(lab)):
        assert entry.files and all(solution[name] != source for name, source in entry.files.items()), entry.id


AddEntry = Callable[[str], Lab]


@pytest.fixture
def add_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AddEntry:
    """Makes a lab whose bank has one entry, `fresh`, with this `about.toml`; an empty one is left out."""
    monkeypatch.setattr(labs_module, "ROOT", tmp_path)

    def add_entry(about: str) -> Lab:
        lab = dataclasses.replace(find_lab("day-02"), id="day-77")
        directory = lab.misconceptions / "fresh"
        directory.mkdir(parents=True)
        if about:
            (directory / "about.toml").write_text(about, "utf-8")
        return lab

    return add_entry


@pytest.mark.parametrize(
    ("about", "problem"),
    {
        "": "No such file or directory",
        'title.en = "A"\nexplanation = "B."\n': "title.zh, explanation.en, explanation.zh, lesson, fails",
        'title = {en = "A", zh = "甲"}\nexplanation = {en = "B.", zh = "乙。"}\nlesson = "wire"\n': "fails",
        "title =": "Invalid value (at end of document)",
    }.items(),
)
def test_an_entry_that_does_not_say_what_it_must_is_broken(add_entry: AddEntry, about: str, problem: str) -> None:
    lab = add_entry(about)
    with pytest.raises(BrokenEntry) as broken:
        misconceptions(lab)
    assert (broken.value.file, broken.value.problem) == (lab.misconceptions / "fresh" / "about.toml", problem)
