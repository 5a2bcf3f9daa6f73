"""What passed is kept for `grade list` and `grade hint`, whatever happens to the file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_commands import environment, finish, grade

from grader.course.lab import find_lab
from grader.grading import exercise_results
from grader.results import CheckResult, Report, Status

LAB = find_lab("day-02")

# Grades nothing: records these checks as passed, one after another.
RECORD = """
import sys
from grader.catalogue import Catalogue
from grader.progress import Progress
from test_progress import report

for check in sys.argv[1:]:
    Progress(Catalogue("en"), print).record(report({check: "pass"}))
"""


def report(statuses: dict[str, Status], lab: str = LAB.id, **more: Any) -> Report:
    checks = [
        CheckResult(check, check, (1,), status, "pass" if status == "pass" else "wrong", "", 0.0, 1.0, 0.0, {}, ())
        for check, status in statuses.items()
    ]
    exercises = exercise_results(LAB, {}, (), LAB.catalogue("en"))
    return Report("0", lab, ".", 1, 0.0, (), exercises, tuple(checks), **more)


def start_recording(home: Path, *checks: str) -> subprocess.Popen[str]:
    variables = environment(home, PYTHONPATH=str(Path(__file__).parent))
    return subprocess.Popen([sys.executable, "-c", RECORD, *checks], env=variables, stdout=subprocess.PIPE, text=True)


def record(home: Path, *checks: str) -> str:
    """What was said meanwhile."""
    return start_recording(home, *checks).communicate()[0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / ".local" / "share" / "coding-agent-labs" / "progress.json"


def kept(file: Path) -> dict[str, bool]:
    checks = json.loads(file.read_text("utf-8"))["labs"]["day-02"]["checks"]
    return {check: entry["passed"] for check, entry in checks.items()}


def test_grading_is_remembered_check_by_check(tmp_path: Path, file: Path) -> None:
    listed = grade(tmp_path, "list").stdout.splitlines()
    assert listed[0].startswith("day-02  0/6  ") and "· framing  · long-answer" in listed[1]
    assert grade(tmp_path, "start", "2").returncode == 0
    assert grade(tmp_path, "2").stderr == ""
    listed = grade(tmp_path, "list").stdout.splitlines()
    assert listed[0].startswith("day-02  3/6  ") and "✗ framing  ✓ long-answer" in listed[1]
    finish(tmp_path / "day-02")
    grade(tmp_path, "2", "--check", "framing")
    assert "4/6" in grade(tmp_path, "list", NO_COLOR="1").stdout
    assert kept(file) == {check: check in (*LAB.checks[:2], "interrupt", "tty-vs-pipe") for check in LAB.checks}
    assert max(map(len, grade(tmp_path, "list", COLUMNS="40").stdout.splitlines()[1:])) <= 40
    assert "\x1b" not in grade(tmp_path, "list").stdout


def test_only_ones_own_work_that_was_run_counts(tmp_path: Path, file: Path) -> None:
    submission = tmp_path / "submission"
    submission.mkdir()
    finish(submission)
    assert grade(tmp_path, "2", "--path", "submission", "--check", "framing").returncode == 0
    assert not file.exists()
    assert grade(tmp_path, "start", "2", "mine").returncode == 0
    assert grade(tmp_path, "2", "--path", "mine", "--check", "interrupt").returncode == 0
    assert kept(file) == {"interrupt": True}
    (tmp_path / "mine" / "sse.py").unlink()
    assert grade(tmp_path, "2", "--path", "mine").returncode == 1
    assert kept(file) == {"interrupt": True}


@pytest.mark.parametrize("broken", ["", "{", "[]", "\0", '{"labs": []}', '{"labs": {"day-02": {"checks": {"x": 1}}}}'])
def test_a_broken_file_is_kept_aside_and_told(tmp_path: Path, file: Path, broken: str) -> None:
    for number in (1, 2):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(broken)
        if number == 1:
            done = grade(tmp_path, "list")
            assert (done.returncode, done.stderr.count("\n")) == (0, 1) and "0/6" in done.stdout
            said = done.stderr
        else:
            said = record(tmp_path, "framing")
        assert f"progress.json.broken{number}" in said
        assert file.with_name(f"progress.json.broken{number}").read_text() == broken
    assert kept(file) == {"framing": True}


def test_writers_at_once_lose_nothing(tmp_path: Path, file: Path) -> None:
    names = [[f"check-{writer}-{number}" for number in range(20)] for writer in range(4)]
    writers = [start_recording(tmp_path, *some) for some in names]
    assert [writer.communicate()[0] for writer in writers] == [""] * 4
    assert sorted(kept(file)) == sorted(name for some in names for name in some)
    assert sorted(path.name for path in file.parent.iterdir()) == ["progress.json", "progress.lock"]


def test_a_crash_while_writing_and_later_versions_lose_nothing(tmp_path: Path, file: Path) -> None:
    file.parent.mkdir(parents=True)
    later = {"schema_version": 2, "streak": 5, "labs": {"day-99": {"note": "x"}, "day-02": {
        "badge": 1, "checks": {"framing": {"passed": False, "at": "once", "tries": 3}, "renamed": {"passed": True}}
    }}}  # fmt: skip
    file.write_text(json.dumps(later))
    file.with_name("progress.new").write_text('{"schema_version": 1, "la')  # as far as it came
    assert record(tmp_path, "framing") == ""
    document = json.loads(file.read_text("utf-8"))
    entry = document["labs"]["day-02"]["checks"].pop("framing")
    assert (entry["passed"], entry["tries"]) == (True, 3) and entry["at"].endswith("Z")
    del later["labs"]["day-02"]["checks"]["framing"]  # type: ignore[index]
    assert document == later
    assert not file.with_name("progress.new").exists()


@pytest.mark.parametrize("home", ["/dev/null", "/proc/nothing"])
def test_without_a_home_everything_works_and_one_sentence_says_so(tmp_path: Path, home: str) -> None:
    assert grade(tmp_path, "start", "2").returncode == 0
    finish(tmp_path / "day-02")
    done = grade(tmp_path, "2", "--check", "interrupt", HOME=home)
    assert (done.returncode, done.stdout.splitlines()[-1], done.stderr.count("\n")) == (0, "1/1 passed", 1)
    assert "cannot be kept" in done.stderr
    assert grade(tmp_path, "list", HOME=home).returncode == 0


def test_the_data_directory(tmp_path: Path) -> None:
    record_elsewhere = environment(
        tmp_path, XDG_DATA_HOME=str(tmp_path / "data"), PYTHONPATH=str(Path(__file__).parent)
    )
    subprocess.run([sys.executable, "-c", RECORD, "framing"], env=record_elsewhere, check=True)
    assert kept(tmp_path / "data" / "coding-agent-labs" / "progress.json") == {"framing": True}


def test_what_could_not_be_judged_is_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grader.catalogue import Catalogue
    from grader.progress import Progress
    from grader.results import Flip, Repeat

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    said: list[str] = []
    progress = Progress(Catalogue("en"), said.append)
    progress.record(report({"framing": "pass", "interrupt": "error"}))
    progress.record(report({"framing": "pass"}, repeat=Repeat(2, (Flip("framing", 1, "fail"),))))
    assert (progress.read(), said, list(tmp_path.iterdir())) == ({}, [], [])
