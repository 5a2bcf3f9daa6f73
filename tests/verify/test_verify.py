"""What is not as declared is noticed. That the banks are, `grade verify` shows, which `.ci/run` calls for every lab."""

from __future__ import annotations

import dataclasses
from contextlib import closing

import pytest

from grader.course.lab import Lab, find_lab
from grader.diagnosis.record import read_record
from grader.engine import Engine
from grader.verify import verification
from grader.verify.programs import Declared, declared_programs
from grader.verify.verification import Verification, is_stale, verify


def verified(lab: Lab) -> Verification:
    with closing(Engine(lab)) as engine:
        return verify(engine, lab.catalogue("en"), done=lambda: None)


def test_a_lesson_section_that_is_not_there_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = find_lab("day-02")
    by_name = {program.name: program for program in declared_programs(lab)}
    wrong = by_name["joins-with-nothing"]
    assert wrong.misconception
    lost = dataclasses.replace(wrong, misconception=dataclasses.replace(wrong.misconception, lesson="wires"))
    monkeypatch.setattr(verification, "declared_programs", lambda lab: [by_name["solution"], lost])
    [problem, *others] = verified(lab).problems
    assert problem.startswith("joins-with-nothing: the lesson has no section wires; its sections are: wire,")
    assert all(other.startswith("The probe") for other in others)


def test_what_is_not_as_declared_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = find_lab("day-02")
    by_name = {program.name: program for program in declared_programs(lab)}
    wrong, twin = by_name["joins-with-nothing"], by_name["done-is-a-prefix"]
    crashing = by_name["decodes-each-chunk"]
    assert crashing.crashes
    programs: list[Declared] = [
        by_name["solution"],
        dataclasses.replace(wrong, passes=wrong.passes - {"interrupt"}),
        dataclasses.replace(crashing, crashes=frozenset()),
        twin,
        dataclasses.replace(twin, name="twin"),
    ]
    monkeypatch.setattr(verification, "declared_programs", lambda lab: programs)
    found = verified(lab)
    problems = [problem for problem in found.problems if not problem.startswith("The probe")]
    assert problems[0].startswith("joins-with-nothing: interrupt should fail, and the verdict is pass")
    assert problems[1].startswith("decodes-each-chunk: framing fails by a crash that its declaration does not name")
    assert problems[2:] == [
        "done-is-a-prefix is not known by its name; its files answer like: twin.",
        "twin is not known by its name; its files answer like: done-is-a-prefix.",
    ]
    assert "The probe framing/comments is never the only reason" in "".join(found.problems)
    committed = read_record(lab)
    assert committed and is_stale(lab, found.record)
    assert found.record.entries["decodes-each-chunk"] == committed.entries["decodes-each-chunk"]
