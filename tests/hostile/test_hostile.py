"""More than a hundred submissions that no course author would write, each with its verdict and its sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bench import Bench
from hand_in import LAB, Submission, submissions

ALL = submissions()

# How the sentence of each limit begins.
NAMED = {
    "cpu": "CPU limit: ",
    "silence": "Silence limit: ",
    "total": "Total time limit: ",
    "memory": "Memory limit: ",
    "output": "Output limit: ",
    "processes": "Process limit: ",
    "disk": "Disk limit: ",
    "requests": "Request limit: ",
    "body": "Request size limit: ",
}


@pytest.mark.parametrize("submission", ALL, ids=lambda submission: submission.name)
def test_it_gets_its_verdict_and_its_sentence(bench: Bench, submission: Submission, tmp_path: Path) -> None:
    submission.lay_out(tmp_path / "work")
    result = bench.check(tmp_path / "work", submission.check, submission.within())
    said = result.cause.message if result.cause else ""
    assert (result.verdict, result.status) == (submission.verdict, submission.status), said
    if submission.limit:
        assert said.startswith(NAMED[submission.limit])
    if submission.message:
        assert re.fullmatch(re.escape(submission.message).replace(r"\*", ".*"), said, re.DOTALL), said


def test_the_manifest_is_sound() -> None:
    names = [submission.name for submission in ALL]
    assert len(set(names)) == len(names) >= 110
    assert sum(submission.verdict == "pass" for submission in ALL) >= 20
    for submission in ALL:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", submission.name)
        assert submission.why and submission.check in LAB.checks
        assert submission.limit is None or submission.verdict == "limit"
