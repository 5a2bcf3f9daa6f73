"""What `deltas.py` makes of one chunk, and how a turn is told to stop."""

from __future__ import annotations

import json
from typing import Any

import pytest
from program_lab import Lab

PARSE = """
with open(sys.argv[1]) as file:
    payloads = json.load(file)
for payload in payloads:
    try:
        say([as_data(delta) for delta in parse_chunk(payload)])
    except GatewayError as error:
        say(as_error(error))
    except Exception as error:
        say([type(error).__name__, str(error)[:80]])
"""


def parsed(lab: Lab, payloads: list[str]) -> list[Any]:
    (lab.home / "payloads.json").write_text(json.dumps(payloads))
    return lab.drive(PARSE, str(lab.home / "payloads.json")).said


def choice(delta: Any, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, **more}]}


def call(**fragment: Any) -> dict[str, Any]:
    return choice({"tool_calls": [fragment]})


GOOD: list[tuple[dict[str, Any], list[list[Any]]]] = [
    (choice({"content": "Hi 字\n"}, finish_reason=None), [["TextDelta", "Hi 字\n"]]),
    (choice({"content": "\ud83d"}), [["TextDelta", "\ud83d"]]),
    (choice({"role": "assistant", "content": ""}), []),
    (choice({"content": None, "reasoning_content": None, "tool_calls": None}), []),
    (choice({"reasoning_content": "hm"}), [["ReasoningDelta", "hm"]]),
    (choice({"reasoning": "hm"}), [["ReasoningDelta", "hm"]]),
    (
        choice({"content": "so", "reasoning_content": "hm"}, finish_reason="length"),
        [["ReasoningDelta", "hm"], ["TextDelta", "so"], ["FinishDelta", "length"]],
    ),
    (choice({}, finish_reason="stop"), [["FinishDelta", "stop"]]),
    (choice(None, finish_reason="stop"), [["FinishDelta", "stop"]]),
    (
        call(index=1, id="a", type="function", function={"name": "run", "arguments": ""}),
        [["ToolCallDelta", 1, "a", "run", ""]],
    ),
    (call(index=None, function={"arguments": '{"p'}), [["ToolCallDelta", 0, None, None, '{"p']]),
    (
        call(index=2, id=None, function={"name": None, "arguments": None}),
        [["ToolCallDelta", 2, None, None, ""]],
    ),
    (call(index=0, function=None), [["ToolCallDelta", 0, None, None, ""]]),
    (
        {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8}},
        [["UsageDelta", 3, 5]],
    ),
    ({"choices": None, "usage": {"prompt_tokens": 3, "completion_tokens": None}}, [["UsageDelta", 3, 0]]),
    ({"choices": [], "usage": None}, []),
    ({**choice({"content": "a"}), "usage": None, "error": None}, [["TextDelta", "a"]]),
    (
        {**choice({}, finish_reason="stop"), "usage": {"prompt_tokens": 1}},
        [["FinishDelta", "stop"], ["UsageDelta", 1, 0]],
    ),
    ({"choices": [{"index": 1, "delta": {"content": "a second candidate"}}]}, []),
    ({}, []),
]


def test_a_chunk_becomes_the_deltas_it_holds(composed: Lab) -> None:
    deltas = parsed(composed, [json.dumps(chunk) for chunk, _ in GOOD])
    for (chunk, wanted), got in zip(GOOD, deltas, strict=True):
        assert got == wanted, chunk


def test_an_error_inside_the_stream_is_told_apart_by_its_code(composed: Lab) -> None:
    reported = [
        "no more\n  credit.",
        {"message": "slow down", "code": 429},
        {"message": "bad model", "code": 400},
        {"message": "sorry", "code": "server_error"},
        {"code": 503},
        {"message": {"nested": ["thing"]}, "code": 401},
        ["odd"],
    ]
    expected = [
        ("no more credit", True, None),
        ("slow down", True, 429),
        ("bad model", False, 400),
        ("sorry", True, None),
        ("no reason given", True, 503),
        ("{'nested': ['thing']}", False, 401),
        ("['odd']", True, None),
    ]
    errors = parsed(composed, [json.dumps({"error": error}) for error in reported])
    for (reason, retryable, status), error in zip(expected, errors, strict=True):
        assert error == ["GatewayError", f"The gateway stopped with an error: {reason}.", retryable, status]


BAD = [
    "",
    "[DONE",
    "{",
    "null",
    "42",
    '"text"',
    "[1, 2]",
    '{"choices": 7}',
    '{"choices": [7]}',
    '{"choices": "text"}',
    json.dumps(choice("text")),
    json.dumps(choice({"content": 7})),
    json.dumps(choice({"content": ["a"]})),
    json.dumps(choice({"content": {"text": "a"}})),
    json.dumps(choice({"reasoning": 1})),
    json.dumps(choice({}, finish_reason=5)),
    json.dumps(call(index="one")),
    json.dumps(call(index=[0])),
    json.dumps(call(index=0, id=5)),
    json.dumps(call(index=0, function={"name": 5})),
    json.dumps(call(index=0, function={"arguments": {"path": "a"}})),
    json.dumps(choice({"tool_calls": 3})),
    '{"choices": [], "usage": 5}',
    '{"choices": [], "usage": {"prompt_tokens": "many"}}',
    '{"choices": [], "usage": {"prompt_tokens": 1e999}}',
    '{"choices": [{"delta": {"tool_calls": [{"index": 1e999}]}}]}',
    '{"usage": {"prompt_tokens": ' + "9" * 10_000 + "}}",
    "[" * 100_000,
    '{"choices": ' * 100_000,
    '{"choices": [{"delta": {"content": ' + "[" * 100_000 + "]" * 100_000 + "}}]}",
]


def test_a_payload_that_is_no_chunk_is_a_gateway_error_in_one_plain_sentence(composed: Lab) -> None:
    got = [[*answer, "", ""][:4] for answer in parsed(composed, BAD)]
    accepted = []
    for payload, (kind, sentence, *rest) in zip(BAD, got, strict=True):
        if kind != "GatewayError" or not sentence.startswith("The gateway sent ") or rest != [True, None]:
            accepted.append((payload[:100], kind, sentence))
    assert accepted == []


def test_nesting_of_any_depth_never_ends_in_another_exception(composed: Lab) -> None:
    # Around the depth where JSON gives up, its value can already be too deep for what is done with it.
    nested = ["[" * depth + "]" * depth for depth in range(850, 1010)]
    payloads = [form % deep for deep in nested for form in ('{"error": {"message": %s}}', '{"error": %s}')]
    assert {got[0] for got in parsed(composed, payloads)} == {"GatewayError"}


SIGNAL = """
async def main():
    cancel = CancelSignal()
    say(cancel.aborted)
    waiters = [asyncio.create_task(cancel.wait()) for _ in range(3)]
    given_up = asyncio.create_task(cancel.wait())
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.sleep(0)

    def abort(*_):
        cancel.abort()
        say(cancel.aborted)

    def when_the_loop_sleeps(act, *arguments):
        while sys._current_frames()[threading.main_thread().ident].f_code.co_name != "select":
            pass
        act(*arguments)

    # As in chat.py: the loop's own handler is there to wake it, also from just before it begins to sleep.
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, cancel.abort)
    signal.signal(signal.SIGINT, abort)
    how = (abort,) if sys.argv[1] == "thread" else (os.kill, os.getpid(), signal.SIGINT)
    threading.Thread(target=when_the_loop_sleeps, args=how).start()
    await asyncio.gather(*waiters)
    cancel.abort()
    await cancel.wait()
    say(cancel.aborted)

asyncio.run(main(), debug=False)
"""


@pytest.mark.parametrize("source", ["thread", "handler"])
def test_an_abort_from_anywhere_wakes_all_who_wait_and_stays(composed: Lab, source: str) -> None:
    assert composed.drive(SIGNAL, source).said == [False, True, True]


ONCE = """
error = StreamTruncatedError()
say(as_error(error))
say([isinstance(error, GatewayError), error.message == str(error)])
cancel = CancelSignal()
try:
    cancel.aborted = True
except AttributeError:
    say("read only")
try:
    TextDelta("a").text = "b"
except AttributeError:
    say("frozen")
request = ChatRequest([Message("user", "hi")])
say([list(request.tools), request.signal])
"""


def test_the_rest_of_the_vocabulary(composed: Lab) -> None:
    error, related, *rest = composed.drive(ONCE).said
    assert error[0] == "StreamTruncatedError" and error[2:] == [True, None]
    assert error[1].endswith(".") and "\n" not in error[1]
    assert related == [True, True]
    assert rest == ["read only", "frozen", [[], None]]
