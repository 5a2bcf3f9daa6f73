"""Every entry of a bank says what it is, in both languages, and changes something."""

from __future__ import annotations

import tomllib

import pytest

from grader.catalogue import LANGUAGES
from grader.course.bank import misconceptions, variants
from grader.course.lab import Lab, labs


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.id)
def test_a_bank_is_whole(lab: Lab) -> None:
    sections = tomllib.loads((lab.directory / "lab.toml").read_text("utf-8"))["lesson"]["sections"]
    solution = {name: (lab.solution / name).read_bytes() for name in lab.student_files}
    seen: set[str] = set()
    for one in misconceptions(lab):
        assert set(one.title) == set(one.explanation) == set(LANGUAGES), one.id
        assert all(text[-1] in ".。" for text in one.explanation.values()), one.id
        assert one.lesson in sections, one.id
        assert one.fails and one.fails <= set(lab.checks) and one.crashes <= one.fails, one.id
        texts = {*one.title.values(), *one.explanation.values()}
        assert not seen & texts, one.id
        seen |= texts
    for entry in (*misconceptions(lab), *variants(lab)):
        assert entry.files and all(solution[name] != source for name, source in entry.files.items()), entry.id
