"""The offline scripts, and the bytes that the script engine makes of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from program_lab import Lab, left_with

# What a gateway would send for these messages: the status, the type, and the events of the body.
ASK = """
import httpx
from mock import ScriptedTransport

async def main(inject, asked):
    transport = ScriptedTransport(inject=inject)
    for messages in json.loads(asked):
        request = httpx.Request("POST", "http://offline/chat/completions", json={"messages": messages})
        response = await transport.handle_async_request(request)
        body = b"".join([part async for part in response.aiter_bytes()])
        say([response.status_code, response.headers["content-type"], body.decode()])

asyncio.run(main(*sys.argv[1:]), debug=False)
"""


def user(*prompts: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": prompt} for prompt in prompts]


def replies(lab: Lab, *conversations: list[dict[str, Any]], inject: str = "") -> list[list[Any]]:
    """The payloads that answer each conversation; [DONE] as text, all else as JSON."""
    payloads = []
    for status, kind, body in lab.drive(ASK, inject, json.dumps(conversations)).said:
        assert (status, kind, body[-2:]) == (200, "text/event-stream", "\n\n")
        events = body[:-2].split("\n\n")
        assert all(event.startswith("data: ") and "\n" not in event for event in events)
        data = [event.removeprefix("data: ") for event in events]
        payloads.append([said if said == "[DONE]" else json.loads(said) for said in data])
    return payloads


def choices(payloads: list[Any]) -> list[dict[str, Any]]:
    return [payload["choices"][0] for payload in payloads if payload != "[DONE]" and payload["choices"]]


def pieces(payloads: list[Any], kind: str = "content") -> list[Any]:
    return [choice["delta"][kind] for choice in choices(payloads) if choice["delta"].get(kind)]


FAMOUS = {
    "long": ("tell me about streaming", "讲讲流式"),
    "fenced": ("what does the parser look like", "解析器长什么样"),
}


@pytest.mark.parametrize("prompt", FAMOUS["long"])
def test_the_long_answer_is_one_line_of_133_characters(composed: Lab, prompt: str) -> None:
    [payloads] = replies(composed, user(prompt))
    deltas = pieces(payloads)
    assert len(deltas) == 34
    assert [len(delta) for delta in deltas] == [4] * 33 + [1]
    assert "\n" not in "".join(deltas)


@pytest.mark.parametrize("prompt", FAMOUS["fenced"])
def test_the_fenced_answer_is_painted_in_51_frames(composed: Lab, prompt: str) -> None:
    """44 unfinished lines and 7 finished ones: each delta leaves something to paint on its last line."""
    [payloads] = replies(composed, user(prompt))
    deltas = pieces(payloads)
    text = "".join(deltas)
    lines = text.split("\n")
    assert (len(deltas), len(lines)) == (44, 7)
    assert not any(delta.endswith("\n") for delta in deltas)
    assert all(lines)
    # What a delta contributes to the beginning of a line has ink, or a frame of blanks would not count.
    framed = [f"\n{deltas[0]}", *deltas[1:]]
    beginnings = [piece for delta in framed for piece in delta.split("\n")[1:]]
    assert len(beginnings) == 7 and all(piece.strip() for piece in beginnings)

    fences = [sum(len(line) + 1 for line in lines[:number]) for number, line in enumerate(lines) if "```" in line]
    assert len(fences) == 2 and all(start % 4 in (2, 3) for start in fences)
    assert "**" in lines[0] and "`" in lines[-1]


def test_a_reply_looks_like_a_real_gateways(composed: Lab) -> None:
    *events, usage, done = replies(composed, user("x", "  Tell me about STREAMING "))[0]
    assert done == "[DONE]"
    assert usage["choices"] == []
    assert usage["usage"] == {"prompt_tokens": 2, "completion_tokens": 34}
    first, *middle, last = choices(events)
    assert first["delta"] == {"role": "assistant", "content": ""}
    assert all(set(choice["delta"]) == {"content"} for choice in middle)
    assert last["delta"] == {}
    assert [choice["finish_reason"] for choice in (first, *middle, last)] == [None] * 35 + ["stop"]
    assert all(event["object"] == "chat.completion.chunk" for event in (*events, usage))


def test_any_other_prompt_has_an_answer_that_says_what_to_ask(composed: Lab) -> None:
    deltas = pieces(replies(composed, user("what do you know?"))[0])
    assert all(prompt in "".join(deltas) for prompts in FAMOUS.values() for prompt in prompts)


def test_each_turn_is_answered_by_its_own_prompt(composed: Lab) -> None:
    one, other = FAMOUS["long"]
    asked = [*user(one), {"role": "assistant", "content": "Streaming"}, *user(other)]
    first, second, alone = map(pieces, replies(composed, asked[:1], asked, user(other)))
    assert first != second == alone


SCRIPT = """
prompts = ["look around"]

[[replies]]
reasoning = "I should look."
text = "Looking."

[[replies.tool_calls]]
id = "call_1"
name = "list_files"
arguments = '{"path": "源"}'

[[replies.tool_calls]]
id = "call_2"
name = "now"
arguments = "{}"

[[replies]]
text = "Nothing."
finish = "length"
"""


def test_a_script_goes_on_when_the_model_is_called_again(composed: Lab) -> None:
    (composed.path / "offline_scripts" / "look.toml").write_text(SCRIPT, "utf-8")
    call = {"role": "assistant", "content": "Looking.", "tool_calls": []}
    result = {"role": "tool", "content": "", "tool_call_id": "call_1"}
    asked = user("look around")
    first, second, stays, afresh = replies(
        composed,
        asked,
        [*asked, call, result],
        [*asked, call, result, call, result],
        [*asked, call, result, {"role": "assistant", "content": "Nothing."}, *asked],
    )
    assert pieces(first, "reasoning_content") == ["I sh", "ould", " loo", "k."]
    assert pieces(first) == pieces(afresh) == ["Look", "ing."]
    assert pieces(second) == pieces(stays) == ["Noth", "ing."]
    assert [choices(reply)[-1]["finish_reason"] for reply in (first, second)] == ["tool_calls", "length"]

    fragments = [fragment for [fragment] in pieces(first, "tool_calls")]
    heads = [fragment for fragment in fragments if "id" in fragment]
    assert heads == [
        {"index": 0, "id": "call_1", "type": "function", "function": {"name": "list_files", "arguments": ""}},
        {"index": 1, "id": "call_2", "type": "function", "function": {"name": "now", "arguments": ""}},
    ]
    rest = [(fragment["index"], fragment["function"]) for fragment in fragments if "id" not in fragment]
    arguments = ['{"pa', 'th":', ' "源"', "}"]
    assert rest == [*((0, {"arguments": piece}) for piece in arguments), (1, {"arguments": "{}"})]


def test_the_same_script_through_the_gateway(composed: Lab) -> None:
    (composed.path / "offline_scripts" / "look.toml").write_text(SCRIPT, "utf-8")
    code = """
from mock import ScriptedTransport
async def main():
    gateway = Gateway("http://offline", model="script", transport=ScriptedTransport())
    say([as_data(delta) async for delta in gateway.stream(ChatRequest([Message("user", "look around")]))])
    await gateway.close()
asyncio.run(main(), debug=False)
"""
    [deltas] = composed.drive(code).said
    calls = [delta[1:] for delta in deltas if delta[0] == "ToolCallDelta"]
    assert calls[0] == [0, "call_1", "list_files", ""]
    assert calls[1:5] == [[0, None, None, piece] for piece in ('{"pa', 'th":', ' "源"', "}")]
    assert calls[5:] == [[1, "call_2", "now", ""], [1, None, None, "{}"]]
    assert ["FinishDelta", "tool_calls"] in deltas


@pytest.mark.parametrize(
    ("fault", "retryable", "shown", "word"),
    [
        ("truncated", True, 48, ""),
        ("garbage", True, 48, "not a chunk"),
        ("rate-limited", True, 0, "429"),
        ("bad-request", False, 0, "400"),
    ],
)
def test_a_fault_is_played_for_any_prompt(composed: Lab, fault: str, retryable: bool, shown: int, word: str) -> None:
    ran = composed.chat("tell me about streaming", INJECT=fault)
    half, _, sentence = ran.text.removesuffix("\n").rpartition("\n")
    assert (ran.status, ran.err, len(half)) == (1, "", shown)
    assert sentence.endswith(".") and word in sentence
    error, done = composed.events()[-2:]
    assert error == {"event": "ErrorEvent", "message": sentence, "retryable": retryable}
    assert done == {"event": "DoneEvent", "reason": "error"}
    answer = [("assistant", half)] if half else []
    assert composed.conversations() == [[("user", "tell me about streaming"), *answer]]


def test_the_stalled_answer_waits_for_ctrl_c(composed: Lab) -> None:
    child = composed.spawn("hi", INJECT="stalled", MOCK_DELAY="0")
    child.expect("well until the gateway")
    child.sendintr()
    left_with(child, 130)
    assert composed.events()[-1] == {"event": "DoneEvent", "reason": "aborted"}


def test_a_truncated_reply_has_no_ending_of_any_kind(composed: Lab) -> None:
    payloads = replies(composed, user("hi"), inject="truncated")[0]
    assert "[DONE]" not in payloads
    assert len(choices(payloads)) == len(payloads) == 13
    assert all(choice["finish_reason"] is None for choice in choices(payloads))


@pytest.mark.parametrize("setting", [{"INJECT": "earthquake"}, {"MOCK_DELAY": "soon"}])
def test_a_setting_that_means_nothing_is_one_sentence(composed: Lab, setting: dict[str, Any]) -> None:
    ran = composed.chat("hi", **setting)
    assert (ran.status, ran.out) == (1, b"")
    assert ran.err.count("\n") == 1 and ran.err.endswith(".\n")
    [name] = setting
    assert name in ran.err
    if name == "INJECT":
        assert "bad-request, garbage, rate-limited, stalled, truncated" in ran.err


@pytest.mark.parametrize("content", [b"prompts = [oops", b"prompts = ['\xe9']"])
def test_a_script_that_cannot_be_read_is_named(composed: Lab, content: bytes) -> None:
    (composed.path / "offline_scripts" / "mine.toml").write_bytes(content)
    ran = composed.chat("hi")
    assert (ran.status, ran.out) == (1, b"")
    assert ran.err.count("\n") == 1 and "mine.toml" in ran.err


def test_without_scripts_there_is_one_sentence(composed: Lab) -> None:
    for script in (composed.path / "offline_scripts").iterdir():
        script.unlink()
    ran = composed.chat("hi")
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, b"", 1)
    assert "no offline script" in ran.err
