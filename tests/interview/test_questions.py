"""Every interview question is whole, in both languages, and its sample answers get the proposal that they must."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.catalogue import LANGUAGES
from grader.course.lab import labs
from grader.interview.questions import BrokenQuestion, Question, _question, questions

QUESTIONS = [pytest.param(one, id=f"{lab.id}/{one.id}") for lab in labs() for one in questions(lab)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_sample_gets_its_proposal(question: Question) -> None:
    for sample in question.samples:
        found = {point.id for point in question.covered(sample.text, sample.language)}
        assert found == sample.covers, (sample.kind, sample.language)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_whole(question: Question) -> None:
    points = {point.id for point in question.points}
    assert len(points) == len(question.points) >= 3
    assert question.tags and question.follow_ups
    kinds = {(sample.kind, sample.language): sample.covers for sample in question.samples}
    assert len(kinds) == len(question.samples) == 3 * len(LANGUAGES)
    for language in LANGUAGES:
        assert kinds["off-topic", language] == set()
        assert set() < kinds["partial", language] < kinds["good", language] <= points
        assert {point.id for point in question.covered(question.answer[language], language)} == points


def test_a_question_that_does_not_say_what_it_must_is_named() -> None:
    with pytest.raises(BrokenQuestion) as broken:
        _question(Path("interview.toml"), {"id": "one", "level": "hard"})
    assert (broken.value.question, broken.value.problem) == (
        "one",
        "ValueError: 'hard' is none of basic, advanced, deep",
    )
