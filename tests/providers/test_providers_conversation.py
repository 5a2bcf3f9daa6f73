"""What a person sees of a turn, and what is kept of it."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from providers_lab import CUT_OFF, Probe

many = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def states(probe: Probe, *steps: list[Any]) -> list[Any]:
    return probe.answer("conversation.py", steps=list(steps))


def turn(prompt: str, **more: Any) -> dict[str, Any]:
    empty = {"reasoning": None, "answer": "", "done": False, "error": None, "retryable": False}
    return {"prompt": prompt, **empty, **more}


def block(text: str, *, is_open: bool) -> dict[str, Any]:
    return {"text": text, "open": is_open}


def test_a_turn_from_question_to_answer(probe: Probe) -> None:
    found = states(
        probe,
        ["ask", "why?"],
        ["add", "reasoning", "let "],
        ["add", "reasoning", "me see"],
        ["add", "answer", ""],
        ["add", "answer", "Because."],
        ["finish"],
    )
    folded = block("let me see", is_open=False)
    assert [state["turns"] for state in found] == [
        [turn("why?")],
        [turn("why?", reasoning=block("let ", is_open=True))],
        [turn("why?", reasoning=block("let me see", is_open=True))],
        [turn("why?", reasoning=folded)],
        [turn("why?", reasoning=folded, answer="Because.")],
        [turn("why?", reasoning=folded, answer="Because.", done=True)],
    ]
    assert [state["history"] for state in found] == [[]] * 5 + [[["user", "why?"], ["assistant", "Because."]]]


def test_reasoning_opens_again_when_it_goes_on(probe: Probe) -> None:
    steps = [["add", "reasoning", "a"], ["add", "answer", "b"], ["add", "reasoning", "c"], ["finish"]]
    found = [state["turns"][0]["reasoning"] for state in states(probe, ["ask", "?"], *steps)[1:]]
    assert found == [
        block("a", is_open=True), block("a", is_open=False), block("ac", is_open=True), block("ac", is_open=False)
    ]  # fmt: skip


def test_a_retry_begins_on_an_empty_draft(probe: Probe) -> None:
    begun = [["ask", "?"], ["add", "reasoning", "hm"], ["add", "answer", "The first begin"]]
    found = states(probe, *begun, ["restart"], ["add", "answer", "The second."], ["finish"])
    assert found[3]["turns"] == [turn("?")]
    assert found[-1]["turns"] == [turn("?", answer="The second.", done=True)]
    assert found[-1]["history"] == [["user", "?"], ["assistant", "The second."]]


def test_the_handed_out_conversation_joins_two_beginnings(starter_probe: Probe) -> None:
    found = states(starter_probe, ["ask", "?"], ["add", "answer", "One"], ["restart"], ["add", "answer", "Two"])
    assert found[-1]["turns"][0]["answer"] == "OneTwo"


def test_an_error_takes_the_place_of_the_draft_and_nothing_is_kept(probe: Probe) -> None:
    begun = [["ask", "?"], ["add", "reasoning", "hm"], ["add", "answer", "The begin"]]
    late = [["add", "answer", "ning"], ["add", "reasoning", "hm"], ["restart"], ["finish"]]
    found = states(probe, *begun, ["fail", CUT_OFF, True], *late, ["ask", "?"], ["add", "answer", "Yes."], ["finish"])
    failed = turn("?", error=CUT_OFF, retryable=True)
    assert [state["turns"] for state in found[3:8]] == [[failed]] * 5
    assert found[-1]["turns"] == [failed, turn("?", answer="Yes.", done=True)]
    assert found[-1]["history"] == [["user", "?"], ["assistant", "Yes."]]


def test_an_answer_that_says_nothing_is_not_kept(probe: Probe) -> None:
    assert states(probe, ["ask", "?"], ["add", "reasoning", "hm"], ["finish"])[-1]["history"] == []


VERBS = [["add", "answer", "a"], ["add", "reasoning", "r"], ["restart"], ["finish"], ["fail", "No.", False]]


@many
@given(steps=st.lists(st.sampled_from([*VERBS, ["ask", "?"]]), max_size=20))
def test_the_history_alternates_and_holds_whole_answers_only(probe: Probe, steps: list[list[Any]]) -> None:
    found = states(probe, ["ask", "?"], *steps)[-1]
    kept = [seen for seen in found["turns"] if seen["done"] and seen["answer"]]
    pairs = [pair for seen in kept for pair in (["user", seen["prompt"]], ["assistant", seen["answer"]])]
    assert found["history"] == pairs
    for seen in found["turns"]:
        assert not (seen["error"] and (seen["answer"] or seen["reasoning"] or seen["done"]))
