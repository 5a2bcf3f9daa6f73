"""Machines and shells of every kind around the grader: it grades as ever, or says in one sentence why it cannot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_commands import GRADE, environment, finish, grade

CALLERS_OWN = {
    "HTTP_PROXY": "http://127.0.0.1:1",
    "ALL_PROXY": "socks5://127.0.0.1:1",
    "OPENAI_BASE_URL": "http://127.0.0.1:1/v1",
    "OPENAI_API_KEY": "secret",
    "MOCK": "0",
    "INJECT": "garbage",
    "SESSION_LOG": "/dev/full",
    "PYTHONIOENCODING": "latin-1",
    "PYTHONSTARTUP": "/dev/full",
    "PYTHONOPTIMIZE": "2",
    "PYTHONWARNINGS": "ignore",
    "LC_ALL": "C",
    "TERM": "dumb",
    "COLUMNS": "20",
    "NO_COLOR": "1",
}


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    assert grade(tmp_path, "start", "2").returncode == 0
    finish(tmp_path / "day-02")
    return tmp_path / "day-02"


def test_the_callers_environment_changes_nothing(finished: Path) -> None:
    done = grade(finished, "2", **CALLERS_OWN)
    assert (done.returncode, done.stdout.splitlines()[-1], done.stderr) == (0, "6/6 passed", "")


@pytest.mark.parametrize("closed", ["<&-", "<&- 2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams(finished: Path, closed: str) -> None:
    command = f"{' '.join(GRADE)} 2 --format json=report.json {closed}"
    status = subprocess.run(["bash", "-c", command], cwd=finished, env=environment(finished), check=False).returncode
    assert status == 0
    assert '"passed": 6' in (finished / "report.json").read_text()


def test_a_report_that_cannot_be_written_is_noticed_before_anything_is_graded(finished: Path) -> None:
    done = grade(finished, "2", "--format", "json=no/such/report.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "grade: no/such/report.json cannot be written: No such file or directory.\n"


def test_a_full_disk(finished: Path, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", full], stderr=-3, check=False)
    if mounted.returncode:
        pytest.skip("this user cannot mount a small disk")
    try:
        done = grade(finished, "2", TMPDIR=str(full))
        assert list(full.iterdir()) == []
    finally:
        subprocess.run(["umount", full], check=True)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("grade: The grader had trouble of its own")
    assert "No space left on device" in done.stderr and done.stderr.count("\n") == 1


def test_other_programs_of_the_user_cannot_read_the_graders_memory() -> None:
    source = """
import ctypes
from grader.__main__ import protect_memory
protect_memory()
print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))  # PR_GET_DUMPABLE
"""
    if sys.platform != "linux":
        pytest.skip("only Linux has this")
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
