"""live.py as a person has it: on a real terminal, and in a pipe."""

from __future__ import annotations

import json
import re
import termios
from pathlib import Path

import pexpect
import pytest
from providers_lab import ANSWERS, CUT_OFF, LANGUAGES, PROMPTS, PROVIDERS, REASONING, run, spawn

from grader.evidence.screen.screen import Screen

FOLDED = {language: f"▸ thought, {len(REASONING[language])} characters" for language in LANGUAGES}


def left_with(child: pexpect.spawn, status: int) -> str:
    """Wait for the end. Returns all that was written since the last look."""
    child.expect(pexpect.EOF)
    child.wait()
    assert (child.exitstatus, child.signalstatus) == (status, None)
    return str(child.before)


def shown(written: str, size: tuple[int, int] = (24, 80)) -> str:
    """What a person sees in the end, rows that wrap joined."""
    screen = Screen(rows=size[0], columns=size[1])
    screen.feed(written.encode())
    return screen.text().rstrip("\n")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_answer_on_a_terminal(finished: Path, provider: str, language: str) -> None:
    # Slower than the paint clock, so that every picture is painted.
    child = spawn(finished, "--provider", provider, PROMPTS[language], MOCK_DELAY="0.06")
    written = left_with(child, 0)
    assert shown(written) == f"{FOLDED[language]}\n{ANSWERS[language]}"
    pictures = written.split("\x1b[J")
    bars = [picture.count("│ ") for picture in pictures]
    assert max(bars) == 5 and bars[-1] == 0
    assert bars.index(5) < bars.index(0, bars.index(5)) and not any(bars[bars.index(0, bars.index(5)) :])


@pytest.mark.parametrize("size", [(6, 20), (24, 40), (50, 200)])
def test_any_screen_shows_the_same_text_in_the_end(finished: Path, size: tuple[int, int]) -> None:
    written = left_with(spawn(finished, PROMPTS["zh"], size=size, MOCK_DELAY="0.01"), 0)
    assert shown(written, size).endswith(ANSWERS["zh"])
    assert shown(written, size).count(ANSWERS["zh"][:5]) == 1


@pytest.mark.parametrize("transport", ["chunks", "growing"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_pipe_gets_the_answer_and_nothing_else(finished: Path, provider: str, transport: str) -> None:
    ran = run(finished, "--provider", provider, "--transport", transport, PROMPTS["en"])
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"{ANSWERS['en']}\n", "")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_broken_connection_is_retried_on_a_clear_screen(finished: Path, provider: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    child = spawn(
        finished, "--provider", provider, PROMPTS["en"], INJECT="broken", MOCK_DELAY="0.01", SESSION_LOG=str(log)
    )
    written = left_with(child, 0)
    assert shown(written) == f"{FOLDED['en']}\n{ANSWERS['en']}"
    entries = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [entry["attempt"] for entry in entries if "attempt" in entry] == [1, 2]
    assert entries[-1]["messages"][-1]["content"] == ANSWERS["en"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_cut_answer_is_replaced_and_can_be_asked_for_again(finished: Path, provider: str) -> None:
    child = spawn(finished, "--provider", provider, INJECT="truncated", MOCK_DELAY="0")
    child.expect("> $")
    child.sendline(PROMPTS["en"])
    child.expect("> $")
    assert shown(str(child.before)).endswith(f"\n{CUT_OFF}") and "Nothing is lost" not in child.before
    child.sendline(PROMPTS["en"])
    child.expect("> $")
    assert shown(str(child.before)).endswith(ANSWERS["en"])
    child.sendeof()
    left_with(child, 0)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_errors_in_a_pipe(finished: Path, provider: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    ran = run(finished, "--provider", provider, PROMPTS["en"], INJECT="error", SESSION_LOG=str(log))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert re.fullmatch(r"The provider stopped with an error: [^\n]+\.\n", ran.stderr)
    assert log.read_text("utf-8").count('"attempt"') == 3
    assert json.loads(log.read_text("utf-8").splitlines()[-1]) == {"messages": []}
    ran = run(finished, "--provider", provider, PROMPTS["en"], INJECT="truncated")
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", f"{CUT_OFF}\n")


def test_whole_shows_no_sentence_before_the_last(finished: Path) -> None:
    written = left_with(spawn(finished, "--whole", PROMPTS["en"], MOCK_DELAY="0.01"), 0)
    assert [ANSWERS["en"][:12] in picture for picture in written.split("\x1b[J")].count(True) == 1
    assert shown(written).endswith(ANSWERS["en"])


def test_ctrl_c_leaves_what_is_shown_and_a_terminal_as_it_was(finished: Path) -> None:
    child = spawn(finished, PROMPTS["en"], MOCK_DELAY="0.05")
    before = termios.tcgetattr(child.child_fd)
    child.expect("│ ")
    assert not termios.tcgetattr(child.child_fd)[3] & termios.ECHO
    child.sendintr()
    written = left_with(child, 130)
    assert written.endswith("\r\n") and "^C" not in written and "Traceback" not in written
    assert termios.tcgetattr(child.child_fd) == before


@pytest.mark.parametrize("setting", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_escape_sequence_where_none_is_welcome(finished: Path, setting: dict[str, str]) -> None:
    written = left_with(spawn(finished, PROMPTS["en"], MOCK_DELAY="0", **setting), 0)
    assert written == ANSWERS["en"].replace("\n", "\r\n") + "\r\n"


def test_bad_settings_are_one_sentence(finished: Path) -> None:
    for setting, status in (({"INJECT": "flood"}, 1), ({"MOCK_DELAY": "soon"}, 1)):
        ran = run(finished, "hi", **setting)
        assert (ran.returncode, ran.stdout) == (status, "")
        assert re.fullmatch(r"live\.py: [^\n]+\.\n", ran.stderr)
    ran = run(finished, "--provider", "nobody", "hi")
    assert ran.returncode == 2 and "Traceback" not in ran.stderr


def test_the_handed_out_program_looks_right_in_a_demo(handed_out: Path) -> None:
    for provider in PROVIDERS:
        ran = run(handed_out, "--provider", provider, PROMPTS["zh"])
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"{ANSWERS['zh']}\n", "")
