"""`grade hint`: for every check of every lab three levels, each asked for by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_commands import finish, grade

from grader.catalogue import LANGUAGES, sentences
from grader.course.lab import Lab, labs
from grader.hint_command import next_check


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.id)
def test_every_check_has_three_hints_in_both_languages(lab: Lab) -> None:
    hints = sentences(lab.directory / "hints.toml")
    assert set(hints) == {f"{check}.{level}" for check in lab.checks for level in (1, 2, 3)}
    for name, texts in hints.items():
        assert sorted(texts) == sorted(LANGUAGES), name
        assert not name.endswith(".1") or all(text[-1] in "?？" for text in texts.values()), name


def test_one_level_after_another(tmp_path: Path) -> None:
    first, second, third = (grade(tmp_path, "hint", "2", "framing", "--level", level).stdout for level in "123")
    assert first == grade(tmp_path, "hint", "day-02", "framing").stdout
    assert first.endswith("More: `grade hint day-02 framing --level 2`.\n")
    assert second.endswith("`grade hint day-02 framing --level 3`.\n") and "HTML standard" in second
    assert "\n\nThis is the last of its hints." in third and "def " not in third
    assert "空行" in grade(tmp_path, "hint", "2", "framing", "--level", "2", "--lang", "zh").stdout


def test_without_a_name_it_is_the_check_that_failed(tmp_path: Path) -> None:
    assert grade(tmp_path, "hint", "2").stdout.startswith("framing  ")
    assert grade(tmp_path, "start", "2").returncode == 0
    grade(tmp_path, "2", "--check", "long-answer", "--check", "truncation")
    assert grade(tmp_path, "hint", "2").stdout.startswith("truncation  ")
    finish(tmp_path / "day-02")
    assert grade(tmp_path, "2").returncode == 0
    done = grade(tmp_path, "hint", "2")
    assert done.returncode == 0 and done.stdout.startswith("Every check of day-02 passed")


def test_what_failed_comes_before_what_was_never_graded() -> None:
    assert next_check("abc", {}) == "a"
    assert next_check("abc", {"a": True}) == "b"
    assert next_check("abc", {"a": True, "c": False}) == "c"
    assert next_check("abc", dict.fromkeys("abc", True)) is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["2", "interupt"], "did you mean interrupt?"),
        (["2", "--level", "4"], "--level"),
        (["2", "--level", "0"], "--level"),
        (["day-2"], "did you mean day-02?"),
    ],
)
def test_bad_input_gets_one_sentence(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = grade(tmp_path, "hint", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1) and said in done.stderr
