"""Starter and solution score as `lab.toml` declares; every state in between is verified with the bank."""

from __future__ import annotations

import tomllib

from submissions import LAB, Submissions, passed

SCORES = tomllib.loads((LAB.directory / "lab.toml").read_text("utf-8"))["scores"]


def test_the_solution_passes_everything_with_the_famous_numbers(submissions: Submissions) -> None:
    submissions.write()
    report = submissions.grade()
    assert passed(report) == SCORES["solution"] == list(LAB.checks)
    facts = {check.id: check.facts for check in report.checks}
    assert facts["long-answer"] == {"deltas": 34}
    assert facts["fenced-answer"] == {"deltas": 44, "frames": 51, "mis_styled": 0, "code_blocks": 1}
    assert all(exercise.probes_passed == exercise.probes_total > 0 for exercise in report.exercises)


def test_the_starter_passes_half(submissions: Submissions) -> None:
    submissions.write(finished=set())
    report = submissions.grade()
    assert passed(report) == SCORES["starter"]
    assert {check.verdict for check in report.checks} == {"pass", "wrong"}
    assert report.checks[1].facts["deltas"] == 34
    # Not one of the starter's probes reaches a limit: it shows at once what arrives.
    assert max(check.duration_s for check in report.checks) < 10
    places = {exercise.number: (exercise.file, exercise.line) for exercise in report.exercises}
    for number, (file, line) in places.items():
        text = (submissions.directory / file).read_text().splitlines()[line - 1]
        assert text.lstrip().startswith(("def ", "async def ", "class ")), (number, text)


QUADRATIC = """
from deltas import FinishDelta, StreamTruncatedError, parse_chunk

async def read_deltas(chunks):
    buffer, finished = b"", False
    async for chunk in chunks:
        buffer += chunk
        *lines, _ = buffer.split(b"\\n")
        events = buffer.replace(b"\\r\\n", b"\\n").split(b"\\n\\n")
        for event in events[:-1]:
            data = [line[5:].removeprefix(b" ") for line in event.split(b"\\n") if line.startswith(b"data:")]
            if not data:
                continue
            payload = b"\\n".join(data).decode("utf-8", "replace")
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
        if len(events) > 1:
            buffer = events[-1]
    if not finished:
        raise StreamTruncatedError
"""


def test_a_cost_that_grows_with_the_square_is_advice_and_no_failure(submissions: Submissions) -> None:
    submissions.write(sse=QUADRATIC)
    [framing] = submissions.grade("framing").checks
    assert (framing.status, len(framing.advice)) == ("pass", 1), framing.cause
    assert "square" in framing.advice[0]
    submissions.write()
    assert submissions.grade("framing").checks[0].advice == ()


def test_a_seed_gives_the_same_run_again(submissions: Submissions) -> None:
    submissions.write(finished={3})
    first, again, other = (submissions.grade("truncation", "framing", seed=seed) for seed in (1, 1, 2))
    assert [check.cause for check in first.checks] == [check.cause for check in again.checks]
    assert [check.status for check in first.checks] == [check.status for check in other.checks]
