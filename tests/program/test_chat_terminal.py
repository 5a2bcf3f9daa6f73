"""chat.py at a terminal: prompts, Ctrl-C, and what is left of the terminal afterwards."""

from __future__ import annotations

import json
import re
import termios
from typing import Any

import pexpect
import pytest
from program_lab import Lab, Server, eventually, left_with

SIGN = "> $"


def seen(child: pexpect.spawn) -> str:
    """What came since the last time that something was awaited, without styles and repaints."""
    return re.sub(r"\x1b\[[\d;]*[A-Za-z]", "", str(child.before))


def aborted(lab: Lab, times: int = 1) -> bool:
    return lab.events().count({"event": "DoneEvent", "reason": "aborted"}) == times


def test_ctrl_c_ends_the_turn_and_not_the_session(composed: Lab, server: Server) -> None:
    child = composed.spawn(OPENAI_BASE_URL=server.url("stall-mid-stream"))
    child.expect(SIGN)
    child.sendline("one")
    child.expect("First words")
    child.sendintr()
    child.expect(SIGN)
    assert "^C" not in seen(child)
    assert aborted(composed)
    assert server.hung_up_on()
    assert composed.conversations() == [[("user", "one"), ("assistant", "First words")]]

    child.sendline("two")
    child.expect("First words")
    child.sendintr()
    child.expect(SIGN)
    assert aborted(composed, times=2)
    sent = server.requests()[-1]["body"]["messages"]
    assert [message["content"] for message in sent] == ["one", "First words", "two"]
    child.sendeof()
    left_with(child, 0)


@pytest.mark.parametrize("case", ["stall-before-headers", "stall-after-headers"])
def test_ctrl_c_before_any_text_leaves_no_empty_message(composed: Lab, server: Server, case: str) -> None:
    child = composed.spawn(OPENAI_BASE_URL=server.url(case))
    child.expect(SIGN)
    child.sendline("one")
    eventually(server.requests, "the request")
    child.sendintr()
    child.expect(SIGN)
    assert server.hung_up_on()
    assert composed.events() == [{"event": "DoneEvent", "reason": "aborted"}]
    assert composed.conversations() == [[("user", "one")]]


def test_ctrl_c_while_deltas_flow(composed: Lab, server: Server) -> None:
    child = composed.spawn(OPENAI_BASE_URL=server.url("flow"))
    child.expect(SIGN)
    child.sendline("one")
    child.expect("tick 9 ")
    child.sendintr()
    child.expect(SIGN)
    assert aborted(composed) and server.hung_up_on()
    text = "".join(entry["text"] for entry in composed.events()[:-1])
    assert composed.conversations() == [[("user", "one"), ("assistant", text)]]
    assert text.rstrip().rpartition("tick ")[2] in seen(child)


def test_ctrl_c_in_the_middle_of_one_large_chunk(composed: Lab, server: Server) -> None:
    child = composed.spawn("hi", OPENAI_BASE_URL=server.url("big"))
    child.expect("xxx")
    child.sendintr()
    left_with(child, 130)
    assert aborted(composed) and server.hung_up_on()
    [[_, (_, answer)]] = composed.conversations()
    assert 3 <= len(answer) < 100_000 and set(answer) == {"x"}


def test_ctrl_c_at_the_prompt_leaves(composed: Lab) -> None:
    child = composed.spawn(MOCK_DELAY="0")
    child.expect(SIGN)
    child.sendline("讲讲流式")
    child.expect("好啦。")
    child.expect(SIGN)
    child.sendintr()
    left_with(child, 130)
    assert "Traceback" not in seen(child)


def test_end_of_file_at_the_prompt_leaves_the_shell_a_line_of_its_own(composed: Lab) -> None:
    child = composed.spawn()
    child.expect(SIGN)
    child.sendeof()
    left_with(child, 0)
    assert seen(child) == "\r\n"


def test_ctrl_c_in_one_shot_mode_ends_the_turn_first(composed: Lab, server: Server) -> None:
    child = composed.spawn("hi", OPENAI_BASE_URL=server.url("stall-mid-stream"))
    child.expect("First words")
    child.sendintr()
    left_with(child, 130)
    assert seen(child).strip() in ("", "First words") and "^C" not in seen(child)
    assert aborted(composed) and server.hung_up_on()
    assert composed.conversations() == [[("user", "hi"), ("assistant", "First words")]]


def test_a_second_ctrl_c_ends_a_loop_that_will_not_stop(composed: Lab) -> None:
    (composed.path / "loop.py").write_text(
        "from events import *\n\n"
        "async def run_turn(provider, messages, signal):\n"
        '    yield TextEvent("on ")\n'
        "    while not signal.aborted:\n        pass\n"
        '    yield TextEvent("and on")\n'
        "    while True:\n        pass\n"
    )
    child = composed.spawn()
    before = termios.tcgetattr(child.child_fd)
    child.expect(SIGN)
    child.sendline("hi")
    child.expect("on ")
    child.sendintr()
    child.expect("and on")
    child.sendintr()
    left_with(child, 130)
    assert seen(child).strip() == ""
    assert termios.tcgetattr(child.child_fd) == before


def test_what_a_loop_leaves_open_is_closed_before_the_next_prompt(composed: Lab, server: Server) -> None:
    (composed.path / "loop.py").write_text(
        "from deltas import *\nfrom events import *\n\n"
        "kept = []\n\n"
        "async def run_turn(provider, messages, signal):\n"
        "    kept.append(provider.stream(ChatRequest(messages, signal=signal)))\n"
        "    async for delta in kept[-1]:\n"
        "        break\n"
        '    yield DoneEvent("stop")\n'
    )
    child = composed.spawn(OPENAI_BASE_URL=server.url("stall-mid-stream"))
    child.expect(SIGN)
    child.sendline("one")
    child.expect(SIGN)
    assert server.hung_up_on()
    child.sendline("two")
    child.expect(SIGN)
    child.sendeof()
    left_with(child, 0)
    assert seen(child).strip() == "" and len(server.requests()) == 2


def test_the_terminal_is_as_it_was_after_every_turn(composed: Lab, server: Server) -> None:
    child = composed.spawn(OPENAI_BASE_URL=server.url("stall-mid-stream"))
    child.expect(SIGN)
    before = termios.tcgetattr(child.child_fd)
    assert before[3] & termios.ECHO
    child.sendline("one")
    child.expect("First words")
    during = termios.tcgetattr(child.child_fd)
    assert not during[3] & termios.ECHO and during[3] & termios.NOFLSH and during[3] & termios.ISIG
    child.send("typed too early")
    child.sendintr()
    child.expect(SIGN)
    assert "typed" not in seen(child)
    assert termios.tcgetattr(child.child_fd) == before
    child.sendintr()
    left_with(child, 130)
    assert termios.tcgetattr(child.child_fd) == before


def test_the_terminal_is_as_it_was_after_a_loop_that_fails(composed: Lab) -> None:
    (composed.path / "loop.py").write_text("async def run_turn(provider, messages, signal):\n    yield 7\n")
    child = composed.spawn("hi")
    left_with(child, 1)
    assert re.fullmatch(r"chat\.py: AttributeError in render\.py, line \d+: .*'int'.*\r\n", seen(child))
    assert termios.tcgetattr(child.child_fd)[3] & termios.ECHO


@pytest.mark.parametrize(
    ("setting", "styled"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_styles_are_only_where_they_are_welcome(
    composed: Lab, server: Server, setting: dict[str, Any], styled: bool
) -> None:
    answer = json.dumps(["# head", "line\n**bo", "ld** \x1b[35m `code`\n```\nblock\n```"])
    child = composed.spawn("hi", OPENAI_BASE_URL=server.url("model"), OPENAI_MODEL=answer, **setting)
    left_with(child, 0)
    assert ("\x1b[" in str(child.before)) is styled
    assert "\x1b[35m" not in str(child.before)
    assert seen(child).count("block") >= 1
    if not styled:
        assert str(child.before) == "# headline\r\n**bold** ␛[35m `code`\r\n```\r\nblock\r\n```\r\n"


def test_the_prompt_sign_goes_to_standard_error(composed: Lab) -> None:
    answers = composed.home / "answers.txt"
    child = composed.spawn(shell=f'exec "$@" > {answers}', MOCK_DELAY="0")
    child.expect(SIGN)
    child.sendline("讲讲流式")
    child.expect(SIGN)
    child.sendeof()
    left_with(child, 0)
    assert len(answers.read_text("utf-8")) == 134
