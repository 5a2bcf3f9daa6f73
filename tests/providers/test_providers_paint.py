"""When something is painted, on a clock that stands still."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from providers_lab import Probe

many = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def paints(probe: Probe, steps: list[Any]) -> list[list[Any]]:
    return probe.answer("paint.py", steps=[*steps, [steps[-1][0] + 1000, "wait"]])


def test_ten_thousand_deltas_in_a_second(probe: Probe, starter_probe: Probe) -> None:
    steps: list[Any] = [[number / 10, "changed", "x" * number] for number in range(10_000)]
    steps.append([1000, "finished", "x" * 10_000])
    found = paints(probe, steps)
    assert len(found) == 26
    assert [when for when, _ in found] == [40 * number for number in range(26)]
    assert all(len(text) == pytest.approx(when * 10, abs=1) for when, text in found)
    assert len(paints(starter_probe, steps)) == 10_001


def test_the_first_piece_does_not_wait_and_the_last_is_not_forgotten(probe: Probe) -> None:
    steps = [[5, "changed", "a"], [6, "changed", "ab"], [7, "changed", "abc"], [300, "changed", "abcd"]]
    assert paints(probe, steps) == [[5, "a"], [45, "abc"], [300, "abcd"]]


def test_clearing_cancels_what_is_pending_and_paints_at_once(probe: Probe) -> None:
    steps = [[0, "changed", "old"], [10, "changed", "old draft"], [20, "cleared"], [30, "changed", "new"]]
    assert paints(probe, steps) == [[0, "old"], [20, ""], [60, "new"]]


def test_the_final_answer_cancels_what_is_pending_and_is_the_last(probe: Probe) -> None:
    steps = [[0, "changed", "a"], [10, "changed", "ab"], [15, "finished", "abc"], [90, "changed", "abcd"]]
    assert paints(probe, steps) == [[0, "a"], [15, "abc"]]


@many
@given(
    gaps=st.lists(st.integers(0, 200).map(lambda gap: gap / 2), min_size=1, max_size=40),
    clears=st.sets(st.integers(0, 39), max_size=3),
)
def test_every_frame_is_new_and_of_this_attempt(probe: Probe, gaps: list[float], clears: set[int]) -> None:
    steps: list[Any] = []
    attempt, text = "A", ""
    finals = {}
    for number, when in enumerate(itertools.accumulate(gaps)):
        if number in clears and text:
            attempt, text = chr(ord(attempt) + 1), ""
            steps.append([when, "cleared"])
        else:
            text += attempt
            steps.append([when, "changed", text])
        finals[attempt] = text
    steps.append([steps[-1][0] + 1, "finished", text])
    found = paints(probe, steps)

    at_once = {step[0] for step in steps if step[1] in ("cleared", "finished")}
    for (before, _), (when, _) in itertools.pairwise(found):
        assert when - before >= 40 or when in at_once
    for when, seen in found:
        before = [step for step in steps if step[0] < when]
        # Several things can happen in one moment: a frame shows one of them, or the last that was before.
        fresh = {read(step) for step in [*before[-1:], *(step for step in steps if step[0] == when)]}
        assert seen in fresh
        assert not seen or finals[seen[0]].startswith(seen)
    for when, verb, *text_now in steps:
        if verb == "changed":
            assert any(when <= painted <= when + 40 for painted, _ in found), (when, text_now)
    assert found[-1][1] == text


def read(step: list[Any]) -> str:
    """The newest text after this step."""
    return step[2] if len(step) > 2 else ""
