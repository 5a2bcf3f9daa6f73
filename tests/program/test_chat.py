"""chat.py in pipes, as a shell meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from program_lab import LIMIT, Lab, Ran, Server


def test_one_prompt_in_a_pipe_is_the_answer_and_one_newline(composed: Lab, server: Server) -> None:
    for answer in ("**a** \x1b[31m\r\tb\x07\n\n```\nopen", "ends\n\n"):
        texts = json.dumps([answer[:2], answer[2:]])
        ran = composed.chat("hi", OPENAI_BASE_URL=server.url("model"), OPENAI_MODEL=texts)
        assert (ran.status, ran.err) == (0, "")
        assert ran.text == (answer if answer.endswith("\n") else f"{answer}\n")


def test_a_session_reads_prompts_from_standard_input(composed: Lab, server: Server) -> None:
    ran = composed.chat(stdin="one\n\n  \nzwei ü\r\nlast".encode(), OPENAI_BASE_URL=server.url("normal"))
    assert (ran.status, ran.err) == (0, "")
    assert ran.text == "You said one.\nYou said zwei ü.\nYou said last.\n"
    *_, messages = composed.conversations()
    assert [role for role, _ in messages] == ["user", "assistant"] * 3
    assert server.requests()[-1]["body"]["messages"] == [
        {"role": role, "content": content} for role, content in messages[:-1]
    ]


def test_a_failed_turn_ends_one_prompt_with_1_and_a_session_with_0(composed: Lab) -> None:
    ran = composed.chat("hi", INJECT="rate-limited")
    assert (ran.status, ran.err) == (1, "")
    ran = composed.chat(stdin=b"hi\nhi\n", INJECT="rate-limited")
    assert (ran.status, ran.err, ran.text.count("(429)")) == (0, "", 2)


def test_half_characters_and_stray_bytes_do_not_end_the_session(composed: Lab, server: Server) -> None:
    ran = composed.chat(stdin=b"one \xff\ntwo\n", OPENAI_BASE_URL=server.url("half-characters"))
    assert (ran.status, ran.err) == (0, "")
    assert ran.text == "half ? a ? pair\n" * 2
    answer = server.requests()[-1]["body"]["messages"][1]["content"]
    assert answer == "half \ud83d a \udca9 pair"
    ran = composed.run(sys.executable, "chat.py", os.fsdecode(b"\xff"), OPENAI_BASE_URL=server.url("normal"))
    assert (ran.status, ran.text) == (0, "You said ?.\n")


# A loop that closes its provider's stream itself, as careful ones do.
CLOSING_LOOP = """
from contextlib import aclosing
from deltas import ChatRequest, TextDelta
from events import TextEvent

async def run_turn(provider, messages, signal):
    async with aclosing(provider.stream(ChatRequest(messages, signal=signal))) as deltas:
        async for delta in deltas:
            if isinstance(delta, TextDelta):
                yield TextEvent(delta.text)
"""


@pytest.mark.parametrize("loop", ["", CLOSING_LOOP], ids=["solution", "closing"])
@pytest.mark.parametrize("stdin", ["", "hi\n"])
def test_a_reader_that_leaves_is_no_reason_to_complain(composed: Lab, server: Server, stdin: str, loop: str) -> None:
    if loop:
        (composed.path / "loop.py").write_text(loop)
    arguments = [] if stdin else ["hi"]
    with subprocess.Popen(
        [sys.executable, "chat.py", *arguments],
        cwd=composed.path,
        env=composed.env(OPENAI_BASE_URL=server.url("flow")),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(stdin.encode())
        process.stdin.flush()
        assert process.stdout.read(1) == b"t"
        process.stdout.close()
        assert process.wait(LIMIT) == 141
        assert process.stderr.read() == b""
    assert server.hung_up_on()


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_missing_standard_stream_is_no_traceback(composed: Lab, closed: str) -> None:
    def shell(arguments: str, **env: Any) -> Ran:
        ran = composed.run("sh", "-c", f'exec "$0" chat.py {arguments} {closed}', sys.executable, **env)
        assert "Traceback" not in ran.err and "Exception ignored" not in ran.err
        return ran

    answer = shell("tell me about streaming")
    session = shell("")
    refusal = shell("hi", INJECT="nonsense")
    assert len(answer.text) == (0 if closed == ">&-" else 134)
    assert (session.text, session.err) == ("", "")
    assert (refusal.text, refusal.err.count("\n")) == ("", 0 if closed == "2>&-" else 1)
    assert (answer.status, session.status, refusal.status) == (0, 0, 1)


def test_it_runs_from_any_directory(composed: Lab, tmp_path: Path) -> None:
    chat = str(composed.path / "chat.py")
    ran = composed.run(sys.executable, chat, "tell", "me", "about", "streaming", cwd=tmp_path)
    assert (ran.status, len(ran.text), ran.err) == (0, 134, "")


def test_the_session_log_is_a_path_or_a_descriptor(composed: Lab) -> None:
    composed.chat("讲讲流式")
    by_path = composed.log()
    assert composed.events() == by_path[:-1]
    assert [entry["event"] for entry in by_path[:-1]] == ["TextEvent"] * 34 + ["DoneEvent"]
    answer = "".join(entry["text"] for entry in by_path[:34])
    assert composed.conversations() == [[("user", "讲讲流式"), ("assistant", answer)]]

    inherited = composed.home / "inherited.jsonl"
    redirected = 'exec "$0" chat.py "$1" 7>"$2"'
    ran = composed.run("sh", "-c", redirected, sys.executable, "讲讲流式", str(inherited), SESSION_LOG="7")
    assert (ran.status, ran.text) == (0, f"{answer}\n")
    assert inherited.read_text("utf-8") == composed.log_path.read_text("utf-8")

    for nowhere in ("77", str(composed.home / "no" / "folder")):
        ran = composed.chat("hi", SESSION_LOG=nowhere)
        assert (ran.status, ran.out, ran.err.count("\n")) == (1, b"", 1)


ODD_LOOPS = {
    "object": "yield object()",
    "number": "yield 7",
    "raises": 'raise ValueError("two\\nlines")\n    yield',
    "late": 'yield TextEvent("half")\n    raise KeyError("late")',
    "unprintable": "yield type('Odd', (), {'__repr__': None})()",
    "cancelled": "raise asyncio.CancelledError\n    yield",
    "coroutine": "return None",
    "list": "return [TextEvent('a')]",
    "plain list": "return [TextEvent('a')]",
    "none": "pass",
}


@pytest.mark.parametrize("kind", ODD_LOOPS)
def test_whatever_a_loop_does_is_one_line_and_the_session_goes_on(composed: Lab, kind: str) -> None:
    keyword = "def" if kind in ("plain list", "none") else "async def"
    (composed.path / "loop.py").write_text(
        "import asyncio\nfrom events import *\n\n"
        f"{keyword} run_turn(provider, messages, signal):\n    {ODD_LOOPS[kind]}\n"
    )
    ran = composed.chat(stdin=b"one\ntwo\n")
    assert ran.status == 0
    lines = ran.err.splitlines()
    assert len(lines) == 2 and all(line.startswith("chat.py: ") for line in lines), ran.err
    assert composed.conversations()[-1] == [("user", "one"), ("user", "two")]


def test_whatever_a_loop_yields_is_logged_and_passed_on(composed: Lab) -> None:
    """The loop that is handed out yields the gateway's deltas, and a program that streams must come of it."""
    (composed.path / "loop.py").write_text(
        "from deltas import *\nfrom events import *\n\n"
        "async def run_turn(provider, messages, signal):\n"
        "    async for delta in provider.stream(ChatRequest(messages, signal=signal)):\n"
        "        if isinstance(delta, TextDelta):\n"
        "            yield delta\n"
        '    yield DoneEvent("stop")\n'
    )
    ran = composed.chat("讲讲流式")
    assert (ran.status, len(ran.text), ran.err) == (0, 134, "")
    assert [entry["event"] for entry in composed.events()] == ["TextDelta"] * 34 + ["DoneEvent"]


def test_a_selftest_elsewhere_is_one_sentence(composed: Lab) -> None:
    (composed.path / ".lab").unlink()
    ran = composed.chat(SELFTEST="1")
    assert (ran.status, ran.out, ran.err.count("\n")) == (3, b"", 1)


def test_a_signal_wakes_the_loop_even_if_it_comes_just_before_the_wait(composed: Lab) -> None:
    """Without a wake-up descriptor a Ctrl-C between the interpreter's last look and the wait would lie unnoticed."""
    (composed.path / "loop.py").write_text(
        "import signal\nfrom events import *\n\n"
        "async def run_turn(provider, messages, signal_of_turn):\n"
        "    descriptor = signal.set_wakeup_fd(-1)\n"
        "    signal.set_wakeup_fd(descriptor)\n"
        "    yield TextEvent('woken' if descriptor >= 0 else 'asleep')\n"
        "    yield DoneEvent('stop')\n"
    )
    ran = composed.chat("hi")
    assert (ran.status, ran.text) == (0, "woken\n")
