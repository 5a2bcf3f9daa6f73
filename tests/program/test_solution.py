"""Properties of the finished exercises, asked of one program that runs them for all examples."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from program_lab import DRIVER, Lab

SERVE = """
import io, time
from events import *
from render import Renderer
from sse import read_deltas

async def parse(chunks):
    async def network():
        for chunk in chunks:
            yield chunk
    came = []
    try:
        async for delta in read_deltas(network()):
            came.append(as_data(delta))
        return came, None
    except GatewayError as error:
        return came, as_error(error)

def parsed(streams):
    return [asyncio.run(parse([bytes.fromhex(chunk) for chunk in chunks])) for chunks in streams]

def rendered(texts, endings):
    out = io.StringIO(newline="")
    renderer = Renderer(out, tty=False)
    for event in (*map(TextEvent, texts), *(globals()[name](*fields) for name, *fields in endings)):
        renderer.handle(event)
    return out.getvalue()

def work(sizes):
    # The seconds of processor time for streams of equal length, made of events of these sizes.
    seconds = []
    for size in sizes:
        frame = len(json.dumps({"choices": [{"delta": {"content": ""}}]}))
        event = json.dumps({"choices": [{"delta": {"content": "x" * (size - frame)}}]})
        stream = f"data: {event}\\n\\n".encode() * (2**22 // size)
        pieces = [stream[start : start + 64] for start in range(0, len(stream), 64)]
        before = time.process_time()
        asyncio.run(parse(pieces))
        seconds.append(time.process_time() - before)
    return seconds

for line in sys.stdin:
    name, *arguments = json.loads(line)
    say(globals()[name](*arguments))
"""

Ask = Callable[..., Any]
AnyText = st.text(st.characters() | st.sampled_from("\n\r\t\x1b\x00\x7f\x85\u2028`*# \ud83d字🙂"))
no_deadline = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Calls a function of the program above."""
    lab = Lab(tmp_path_factory.mktemp("solution"))
    (lab.path / "driver.py").write_text(DRIVER + SERVE, "utf-8")
    with subprocess.Popen(
        [sys.executable, "driver.py"],
        cwd=lab.path,
        env=lab.env(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout
        requests, answers = process.stdin, process.stdout

        def call(name: str, *arguments: Any) -> Any:
            requests.write(json.dumps([name, *arguments]).encode() + b"\n")
            requests.flush()
            return json.loads(answers.readline())

        yield call


def event(text: str) -> str:
    return "data: " + json.dumps({"choices": [{"delta": {"content": text}}]}, ensure_ascii=False) + "\n\n"


FINISH = 'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\n'
USAGE = 'data: {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}\n\n'
DONE = "data: [DONE]\n\n"
SPREAD = 'data: {"choices":\ndata: [{"delta":\ndata:{"content": "spread"}}]}\n\n'

# Each stream, the text that it holds, and the ending: whole, cut, or an error.
STREAMS: list[tuple[str, str, str]] = [
    (event("one ") + event("two") + FINISH + USAGE + DONE, "one two", "whole"),
    ((event("one ") + event("two") + FINISH + DONE).replace("\n", "\r\n"), "one two", "whole"),
    (event("one ").replace("data: ", "data:") + event("two") + DONE, "one two", "whole"),
    (SPREAD + event(" thin") + DONE, "spread thin", "whole"),
    (SPREAD.replace("\n", "\r\n") + FINISH, "spread", "whole"),
    (": hello\n\n:\n\n" + event("a") + ": still here\n" + event("b") + ":\n\n" + DONE, "ab", "whole"),
    ('data: {"choices":\n: inside\ndata: [{"delta": {"content": "in"}}]}\n\n' + DONE, "in", "whole"),
    ("event: message\nid: 7\nretry: 10\nnonsense\n" + event("a") + "event: ping\n\n" + DONE, "a", "whole"),
    ("\n\n\n" + event("a") + "\n\n" + event("b") + DONE, "ab", "whole"),
    (event("a") + DONE + event("behind the end"), "a", "whole"),
    (event("a") + "data: [DONE]\n", "a", "cut"),
    (
        event("[DONE]") + event("data: x") + event("\n\ndata: y\n\n") + DONE,
        "[DONE]data: x\n\ndata: y\n\n",
        "whole",
    ),
    (event("a") + "data: [DONE] or not\n\n" + DONE, "a", "error"),
    (event("für 字🙂 é\u2028b\u2029c\x85d") + FINISH, "für 字🙂 é\u2028b\u2029c\x85d", "whole"),
    (event("a") + FINISH + event("b")[:-1], "a", "whole"),
    (event("a") + event("b")[:-1], "a", "cut"),
    (event("a") + event("b"), "ab", "cut"),
    (event("a") + ": only a comment\n\n", "a", "cut"),
    ("", "", "cut"),
    (DONE, "", "whole"),
    (event("a") + 'data: {"error": {"message": "slow", "code": 429}}\n\n' + event("b") + DONE, "a", "error"),
    (event("a") + "data: {oops\n\n" + event("b") + DONE, "a", "error"),
]
ENDINGS = {"whole": None, "cut": "StreamTruncatedError", "error": "GatewayError"}


@pytest.mark.parametrize("number", range(len(STREAMS)))
def test_every_cut_of_a_stream_gives_the_same_deltas_and_the_same_ending(ask: Ask, number: int) -> None:
    stream, text, ending = STREAMS[number]
    content = stream.encode()
    cuts = [[content[:at].hex(), content[at:].hex()] for at in range(len(content) + 1)]
    ways = [[content.hex()], [bytes([byte]).hex() for byte in content], *cuts, [content.hex(), ""]]
    whole, *others = ask("parsed", ways)
    assert all(other == whole for other in others)
    deltas, error = whole
    assert "".join(delta[1] for delta in deltas if delta[0] == "TextDelta") == text
    assert (error and error[0]) == ENDINGS[ending]


@no_deadline
@given(st.lists(AnyText, min_size=1, max_size=5), st.data())
def test_any_text_in_any_pieces_comes_through(ask: Ask, texts: list[str], data: st.DataObject) -> None:
    line_end = data.draw(st.sampled_from(["\n", "\r\n"]))
    stream = "".join(f"data: {json.dumps({'choices': [{'delta': {'content': text}}]})}{line_end * 2}" for text in texts)
    content = f"{stream}data: [DONE]{line_end * 2}".encode()
    at = sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=8)))
    chunks = [content[start:end].hex() for start, end in zip([0, *at], [*at, len(content)], strict=True)]
    [(deltas, error)] = ask("parsed", [chunks])
    assert (deltas, error) == ([["TextDelta", text] for text in texts if text], None)


def test_the_parsers_work_does_not_grow_with_the_size_of_an_event(ask: Ask) -> None:
    """4 MB in pieces of 64 bytes: as one event it may cost a few times what a thousand cost, but moving
    all that has come with each piece would cost hundreds of times as much."""
    many, one = ask("work", [2**12, 2**22])
    assert one < 10 * many + 1


def verbatim(text: str) -> str:
    return text if text.endswith("\n") or not text else f"{text}\n"


@no_deadline
@given(st.lists(AnyText, max_size=8))
def test_a_pipe_gets_the_answer_as_it_is(ask: Ask, texts: list[str]) -> None:
    assert ask("rendered", texts, [["DoneEvent", "stop"]]) == verbatim("".join(texts))


@no_deadline
@given(st.lists(AnyText, max_size=4))
def test_an_error_has_a_line_of_its_own_in_a_pipe(ask: Ask, texts: list[str]) -> None:
    endings = [["ErrorEvent", "It failed.", True], ["DoneEvent", "error"]]
    assert ask("rendered", texts, endings) == verbatim("".join(texts)) + "It failed.\n"
