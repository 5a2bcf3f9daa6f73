"""`grade trace` as a user types it."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.dom.minidom
from pathlib import Path

import pytest

from grader.course.lab import find_lab
from grader.course.workdir import starter_files

STREAM = 'data: {"text":"hi"}\n\ndata: [DONE]\n\n'


@pytest.fixture
def started(tmp_path: Path) -> Path:
    """A directory with a stream, and a student's directory as it is handed out."""
    (tmp_path / "s.txt").write_text(STREAM)
    (tmp_path / "day-02").mkdir()
    for name, text in starter_files(find_lab("day-02")).items():
        (tmp_path / "day-02" / name).write_text(text, "utf-8")
    return tmp_path


def trace(directory: Path, *arguments: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-m", "grader", "trace", *arguments],
        cwd=directory,
        env={**kept, "HOME": str(directory), "LANG": "C.UTF-8", "TERM": "xterm-256color", "COLUMNS": "80", **more},
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_file_standard_input_and_a_picture(started: Path) -> None:
    shown = trace(started, "s.txt", "--chunk", "14", "--svg", "s.svg")
    assert (shown.returncode, shown.stderr) == (0, "") and "▸[DONE]" in shown.stdout
    assert trace(started, "-", "--chunk", "14", typed=STREAM).stdout == shown.stdout
    assert xml.dom.minidom.parse(str(started / "s.svg")).documentElement.tagName == "svg"
    assert "事件" in trace(started, "s.txt", LANG="zh_CN.UTF-8").stdout
    for odd in ({"PYTHONIOENCODING": "ascii"}, {"COLUMNS": "5"}, {"TERM": "dumb"}, {"NO_COLOR": "1"}):
        assert (trace(started, "s.txt", **odd).returncode, trace(started, "s.txt", **odd).stderr) == (0, "")


def test_a_failing_probe_is_named_by_its_seed_and_shown_again_alike(started: Path) -> None:
    probe = ("2", "framing/fresh-stream", "--path", "day-02", "--seed", "5", "--student")
    first = trace(started, *probe)
    assert first.returncode == 0 and first.stdout.startswith("day-02 framing/fresh-stream --seed 5\n")
    assert trace(started, *probe).stdout == first.stdout


def test_bad_input_gets_one_sentence(started: Path) -> None:
    (started / "day-02" / "gone").mkdir()
    for arguments, said in {
        ("nofile",): "no file and no lab",
        ("day-3",): "did you mean day-02?",
        ("2",): "grade trace day-02 framing/carriage-returns",
        ("2", "framing"): "the nearest are: framing/carriage-returns, framing/several-data-lines, framing/",
        ("2", "several-dat-lines"): "the nearest are: framing/several-data-lines,",
        ("2", ""): "the nearest are",
        ("s.txt", "framing/comments"): "go with a lab",
        ("s.txt", "--student"): "go with a lab",
        ("s.txt", "--cuts", "5,999"): "which has 35 bytes",
        ("s.txt", "--chunk", "1", "--cuts", "5"): "not by both",
        ("s.txt", "--chunk", "0"): "--chunk",
        ("s.txt", "--svg", "/proc/nothing.svg"): "cannot be written",
        ("/dev/zero",): "more than 1 MiB",
        ("2", "framing/comments", "--path", "nowhere"): "not a directory",
        ("2", "framing/comments", "--path", "day-02/gone"): "sse.py is not there",
    }.items():
        done = trace(started, *arguments)
        assert said in done.stderr, (arguments, done)
        assert done.returncode in (2, 3) and len(done.stderr.splitlines()) == 1, (arguments, done)
        assert not done.stdout or "--svg" in arguments


def test_a_closed_pipe_is_silent(started: Path) -> None:
    (started / "long.txt").write_text(STREAM * 400)
    command = f"{sys.executable} -m grader trace long.txt --chunk 30 | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=started, capture_output=True, text=True, check=False)
    assert done.stdout and not done.stderr
