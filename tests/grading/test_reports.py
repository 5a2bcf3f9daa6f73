"""One golden report per outcome, on the console in both languages and as JSON, which the schema holds to its form.

After a wanted change: UPDATE_GOLDEN=1 python -m pytest tests/grading/test_reports.py
"""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from submissions import LAB, Submissions

import grader.report.document
from grader.catalogue import LANGUAGES, Language
from grader.checks.failure import Failure
from grader.evidence.limits import Limits
from grader.harmless import excerpt
from grader.report import writer
from grader.results import Report

GOLDEN = Path(__file__).with_name("golden")
SCHEMA = json.loads(Path(grader.report.document.__file__).with_name("report.schema.json").read_text())

HANGS = "import time\n\nasync def read_deltas(chunks):\n    time.sleep(3600)\n    yield\n"
CRASHES = "class Renderer:\n    def __init__(self, out, *, tty):\n        self.out = open('/no/such/file')\n"
KILLS_ITS_PARENT = "import os\n\nos.kill(os.getppid(), 9)\n"

OUTCOMES: dict[str, tuple[dict[str, Any], tuple[str, ...], Limits]] = {
    "pass": ({}, LAB.checks, Limits()),
    "wrong": ({"finished": set()}, LAB.checks, Limits()),
    "crash": ({"render": CRASHES}, ("long-answer",), Limits()),
    "crash-at-import": ({"loop": "import nothing_of_this_name\n"}, ("interrupt",), Limits()),
    "crash-in-source": ({"sse": "def read_deltas(chunks:\n"}, ("framing", "truncation"), Limits()),
    "limit": ({"sse": HANGS}, ("framing",), Limits(silence_s=2)),
    "refused": ({"random": "x = 1\n"}, ("framing", "interrupt"), Limits()),
    "error": ({"sse": KILLS_ITS_PARENT}, ("framing",), Limits()),
}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_each_outcome_reads_as_it_should(submissions: Submissions, outcome: str) -> None:
    files, checks, limits = OUTCOMES[outcome]
    submissions.write(**files)
    for language in LANGUAGES:
        report = timeless(submissions.grade(*checks, language=language, limits=limits))
        jsonschema.validate(json.loads(written("json", report)), SCHEMA)
        compare(f"{outcome}.{language}.txt", written("console", report, language))
        if language == "en":
            compare(f"{outcome}.json", written("json", report))


def written(format: str, report: Report, language: Language = "en") -> str:
    """The report as it stands in a file."""
    out = io.StringIO()
    writer(format)(report, LAB.catalogue(language), out)
    return out.getvalue()


def timeless(report: Report) -> Report:
    """The report without what differs from run to run."""
    checks = tuple(replace(check, duration_s=0.0) for check in report.checks)
    return replace(report, target="work", kit_version="0", duration_s=0.0, checks=checks)


def compare(name: str, text: str) -> None:
    file = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8"), f"{name} has changed"


def test_no_line_of_the_console_report_is_wider_than_the_screen(submissions: Submissions) -> None:
    from wcwidth import wcswidth

    for file in GOLDEN.glob("*.txt"):
        assert max(map(wcswidth, file.read_text("utf-8").splitlines())) <= 80, file.name


def test_sides_that_differ_are_shown_where_they_differ() -> None:
    left, right = "a" * 9000 + "x" + "b" * 9000, "a" * 9000 + "y" + "b" * 9000
    expected, actual, place = Failure("", expected=left, actual=right).sides()
    assert expected and actual and place
    assert (expected[place], actual[place]) == ("x", "y")
    assert len(expected) < 3000
    assert len(excerpt("汉" * 200, 100, 40)) == 21  # 19 characters of two columns between two ellipses


def test_trouble_of_any_kind_is_the_graders(submissions: Submissions, monkeypatch: pytest.MonkeyPatch) -> None:
    def trouble(*_: object, **__: object) -> None:
        raise ZeroDivisionError("in a check")

    monkeypatch.setattr("grader.checks.parser.Parser.expect_at_every_cut", trouble)
    submissions.write()
    report = submissions.grade("framing", "interrupt")
    assert [(check.status, check.verdict) for check in report.checks] == [("error", "error"), ("pass", "pass")]
    assert report.checks[0].cause and "ZeroDivisionError: in a check" in report.checks[0].cause.message


def test_names_of_files_are_harmless_too(submissions: Submissions) -> None:
    directory = submissions.write()
    (directory / "sse.py").rename(directory / "\x1b[31mred.py")
    report = submissions.grade("framing")
    assert report.checks[0].verdict == "refused"
    assert "\x1b" not in written("console", report)


@pytest.mark.parametrize(("body", "verdict"), [("raise ValueError('x' * 3_000_000)", "crash"), ("return", "wrong")])
def test_a_turn_without_a_request_fails_at_once(submissions: Submissions, body: str, verdict: str) -> None:
    submissions.write(loop=f"async def run_turn(provider, messages, signal):\n    {body}\n    yield\n")
    [check] = submissions.grade("interrupt").checks
    assert check.verdict == verdict
    assert not [probe for probe in check.probes if "Not reached" in probe.summary]


def test_a_loop_that_asks_again_is_told_so_at_once(submissions: Submissions) -> None:
    """It fails when its second request arrives, not when a limit is reached."""
    submissions.write(
        loop="""
from deltas import ChatRequest, GatewayError, TextDelta
from events import DoneEvent, TextEvent

async def run_turn(provider, messages, signal):
    for attempt in range(3):
        try:
            async for delta in provider.stream(ChatRequest(messages, signal=signal)):
                if isinstance(delta, TextDelta):
                    yield TextEvent(delta.text)
            break
        except GatewayError:
            continue
    yield DoneEvent("stop")
"""
    )
    [check] = submissions.grade("truncation").checks
    assert check.cause and "asked the gateway again" in check.cause.message
    assert check.verdict == "wrong"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_program_printed_is_harmless_in_every_report(submissions: Submissions, language: Language) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\ud83d\x00\r" + "A" * 100_000
    source = f"""
class Renderer:
    def __init__(self, out, *, tty):
        self.out = out
    def handle(self, event):
        self.out.buffer.write({evil!r}.encode("utf-8", "surrogatepass"))
        self.out.flush()
"""
    submissions.write(render=source)
    report = submissions.grade("long-answer", "tty-vs-pipe", language=language)
    assert report.passed == 0
    for text in (written("json", report), written("console", report, language)):
        assert not [char for char in text if (ord(char) < 32 and char != "\n") or 127 <= ord(char) < 160]
        assert "\u202e" not in text
        assert len(text) < 40_000
        text.encode("utf-8")


def test_a_machine_that_is_too_slow_is_no_students_fault(
    submissions: Submissions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.checks.runner.TOO_SLOW_S", 0.0)
    submissions.write(sse=HANGS)
    (check,) = submissions.grade("framing", limits=Limits(silence_s=1)).checks
    assert (check.status, check.verdict) == ("error", "error")
    assert check.summary.startswith("This machine is too busy to judge: it took 0 s to start a program")


def test_a_system_without_pseudo_terminals_is_no_students_fault(
    submissions: Submissions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> tuple[int, int]:
        raise OSError("out of pty devices")

    monkeypatch.setattr("pty.openpty", none)
    submissions.write()
    framing, truncation = submissions.grade("framing", "truncation").checks
    assert (framing.status, truncation.status) == ("pass", "error")
    assert "the system gives no pseudo-terminal (out of pty devices)" in truncation.summary


LEAVES_THINGS_BEHIND = """
import os, subprocess, sys, termios

class Renderer:
    def __init__(self, out, *, tty):
        self.out = out

    def handle(self, event):
        if text := getattr(event, "text", ""):
            self.out.write(text)
            self.out.flush()
        elif type(event).__name__ == "DoneEvent":
            self.out.write("\\n")
            subprocess.Popen(["sleep", "600"], start_new_session=True, stdin=-3, stdout=-3)
            if sys.stdin.isatty():
                import tty
                import atexit
                atexit.register(tty.setraw, 0)
"""


def test_what_a_program_leaves_behind_is_ended_and_told_as_advice(submissions: Submissions) -> None:
    submissions.write(render=LEAVES_THINGS_BEHIND)
    (check,) = submissions.grade("fenced-answer").checks
    assert check.advice == (
        "When the program ended, it left 1 of its processes running; they were ended.",
        "When the program ended, it left the terminal in another mode than it had found it in; a person could not go on"
        " typing as before.",
    )
