"""The commands as a user types them: in fresh directories, in pipes and on terminals."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from grader.course.lab import find_lab
from grader.course.workdir import generated_files, starter_files

LAB = find_lab("day-02")
GRADE = [sys.executable, "-m", "grader"]


def environment(directory: Path, **more: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {**kept, "HOME": str(directory), "LANG": "C.UTF-8", "TERM": "xterm-256color", "COLUMNS": "80", **more}


def grade(directory: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*GRADE, *arguments],
        cwd=directory,
        env=environment(directory, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def finish(directory: Path) -> None:
    for name, text in generated_files(LAB, set()).items():
        (directory / name).write_text(text, "utf-8")


@pytest.fixture
def started(tmp_path: Path) -> Path:
    assert grade(tmp_path, "start", "2").returncode == 0
    return tmp_path / "day-02"


def test_start_grade_finish_grade(started: Path) -> None:
    first = grade(started.parent, "2", "--seed", "5")
    assert (first.returncode, first.stdout.splitlines()[-1], first.stderr) == (1, "3/6 passed", "")
    assert first.stdout.startswith("day-02  day-02  --seed 5\n")
    assert grade(started.parent, "02", "--exit-zero", "--check", "framing").returncode == 0
    finish(started)
    second = grade(started, "day-02")
    assert (second.returncode, second.stdout.splitlines()[-1]) == (0, "6/6 passed")
    assert second.stdout.startswith("day-02  .  ")
    assert "\x1b" not in second.stdout
    assert sorted(path.name for path in started.iterdir()) == sorted(
        [*LAB.frozen_files, *LAB.student_files, ".lab", ".local", "offline_scripts"]  # in .local, the user's progress
    )


def test_selftest_prints_the_same_report_and_exits_alike(started: Path) -> None:
    def selftest() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "chat.py"],
            cwd=started,
            env=environment(started, MOCK="1", SELFTEST="1"),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    (started / "grader.py").write_text("raise SystemExit('the student was imported')\n")
    (started / "loop.py").write_text("def broken(\n")
    done = selftest()
    assert (done.returncode, done.stdout.splitlines()[-1], done.stderr) == (1, "0/6 passed", "")
    finish(started)
    done = selftest()
    assert (done.returncode, done.stdout.splitlines()[-1], done.stderr) == (0, "6/6 passed", "")


def test_several_formats_at_once(started: Path) -> None:
    finish(started)
    done = grade(started, "2", "--format", "json", "--format", "console=report.txt", "--check", "interrupt")
    report = json.loads(done.stdout)
    assert (report["passed"], report["total"], report["target"]) == (1, 1, ".")
    assert {frozen["state"] for frozen in report["frozen"]} == {"pristine"}
    assert (started / "report.txt").read_text("utf-8").endswith("1/1 passed\n")


def test_repeat_reports_flips_and_draws_seeds_from_the_first(started: Path) -> None:
    finish(started)
    done = grade(started, "2", "--repeat", "3", "--seed", "4", "--check", "framing", "--format", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["seed"], report["repeat"]) == (0, 4, {"runs": 3, "flips": []})
    # A program that works every other time: what it leaves in its directory is gone, but not what it leaves outside.
    finished = (started / "sse.py").read_text("utf-8").replace("from __future__ import annotations", "")
    flip = f"import pathlib\nmark = pathlib.Path({str(started / 'mark')!r})\n"
    flip += "if mark.exists():\n    mark.unlink()\n    raise SystemExit\nmark.touch()\n"
    (started / "sse.py").write_text(flip + finished)
    done = grade(started, "2", "--repeat", "2", "--seed", "4", "--check", "framing", "--format", "json")
    report = json.loads(done.stdout)
    assert done.returncode == 3
    assert [(flip["check"], flip["status"]) for flip in report["repeat"]["flips"]] == [("framing", "fail")]
    assert report["checks"][0]["status"] == "pass"


def test_keep_writes_recordings_that_can_be_looked_at(started: Path) -> None:
    from grader.evidence.screen import Screen

    grade(started, "2", "--keep", "kept", "--check", "fenced-answer", "--check", "tty-vs-pipe")
    kept = started / "kept"
    cast = (kept / "fenced-answer-01.cast").read_text("utf-8").splitlines()
    head, *events = map(json.loads, cast)
    assert (head["version"], head["width"], head["height"]) == (2, 80, 24)
    screen = Screen(80, 24)
    for time, kind, data in events:
        assert kind == "o" and time >= 0
        screen.feed(data.encode())
    assert "**one** rule" in screen.text()
    resized = [json.loads(line) for file in kept.glob("tty*.cast") for line in file.read_text("utf-8").splitlines()[1:]]
    assert [data for _, kind, data in resized if kind == "r"] == ["40x24", "41x7", "30x7"]
    exchanges = [
        json.loads(line)
        for file in sorted(kept.glob("*.requests.jsonl"))
        for line in file.read_text("utf-8").splitlines()
    ]
    assert {"at", "method", "path", "headers", "body", "reply"} == set(exchanges[0])
    assert exchanges[0]["body"]["messages"][0]["role"] == "user"
    assert list(kept.glob("tty-vs-pipe-*.stdout"))


def test_a_change_is_never_overwritten_without_force_and_then_kept(started: Path) -> None:
    (started / "sse.py").write_text("mine")
    for command in (["start", "2"], ["reset", "2"], ["reset", "2", "sse.py"]):
        done = grade(started.parent, *command)
        assert done.returncode == 2 and "sse.py" in done.stderr and "--force" in done.stderr
    assert (started / "sse.py").read_text() == "mine"
    done = grade(started.parent, "reset", "2", "sse.py", "--force")
    assert done.returncode == 0 and (started / "sse.py.bak1").read_text() == "mine"
    assert "exercise 1" in (started / "sse.py").read_text("utf-8")
    (started / "sse.py").write_text("mine again")
    assert grade(started.parent, "start", "2", "--force").returncode == 0
    assert (started / "sse.py.bak2").read_text() == "mine again"
    assert grade(started.parent, "reset", "2").returncode == 0  # nothing is changed, nothing is lost


def test_run_is_the_students_own_program(started: Path) -> None:
    (started / "render.py").write_text(
        "class Renderer:\n    def __init__(self, out, *, tty): pass\n"
        "    def handle(self, event): print(type(event).__name__)\n"
    )
    done = grade(started, "run", "2", "hello")
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "DoneEvent"
    assert grade(started, "run", "2", "hello", INJECT="rate-limited").returncode == 1
    assert grade(started, "run", "2", "hello", "--online").returncode == 2


def test_run_streams_on_a_terminal_and_ctrl_c_stops_it_mid_sentence(started: Path) -> None:
    finish(started)
    child = pexpect.spawn(
        GRADE[0], [*GRADE[1:], "run", "2", "tell me about streaming"], cwd=str(started), env=environment(started),
        dimensions=(24, 80), encoding="utf-8", timeout=60,
    )  # fmt: skip
    child.expect_exact("Streaming shows")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert "mid-word." not in child.before and "^C" not in child.before and "Traceback" not in child.before


def test_ctrl_c_in_the_middle_of_grading(started: Path) -> None:
    (started / "sse.py").write_text("import time\ntime.sleep(3600)\n")
    child = pexpect.spawn(
        GRADE[0], [*GRADE[1:], "2"], cwd=str(started), env=environment(started), dimensions=(24, 80),
        encoding="utf-8", timeout=60,
    )  # fmt: skip
    child.expect_exact("0/6")  # the progress bar
    child.sendintr()
    child.expect(pexpect.EOF, timeout=5)  # long before the programs would be given up
    child.close()
    assert child.exitstatus == 130
    assert "Traceback" not in child.before


def test_bad_input_gets_one_sentence(tmp_path: Path) -> None:
    for arguments, said in {
        ("day-2",): "did you mean day-02?",
        ("lst",): "did you mean list?",
        ("nonsense",): "grade list",
        ("start", "day-0x2"): "day-0",
        ("2", "--path", "nowhere"): "not a directory",
        ("2", "--check", "fraiming"): "framing",
        ("2", "--format", "yaml"): "console, json",
        ("2", "--format", "json", "--format", "console"): "--format json=report.json",
        ("2", "--keep", "/proc/nothing"): "cannot be written",
        ("reset", "2", "nothing.py", "--path", "."): "sse.py, loop.py, render.py",
        ("start", "2", "/proc/nothing"): "cannot be written",
    }.items():
        done = grade(tmp_path, *arguments)
        assert said in done.stderr, (arguments, done)
        assert done.returncode in (2, 3) and len(done.stderr.splitlines()) == 1 and not done.stdout, (arguments, done)


def test_chinese_where_it_is_asked_for(tmp_path: Path) -> None:
    assert "没有名为" in grade(tmp_path, "nonsense", LANG="zh_CN.UTF-8").stderr
    assert "流式" in grade(tmp_path, "list", "--lang", "zh").stdout
    assert "Streaming" in grade(tmp_path, "list", LANG="zh_CN.UTF-8", LC_ALL="C").stdout


def test_help_and_completion(tmp_path: Path) -> None:
    shown = grade(tmp_path, "--help")
    assert shown.returncode == 0 and "day-02" in shown.stdout and max(map(len, shown.stdout.splitlines())) <= 80
    assert "--repeat" in grade(tmp_path, "day-02", "--help").stdout


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("grade da", "day-02"),
        ("grade day-02 --re", "--repeat"),
        ("grade day-02 --check fr", "framing"),
        ("grade day-02 --format j", "json"),
        ("grade start d", "day-02"),
        ("grade watch day-02 --check fr", "framing"),
        ("grade hint 2 tr", "truncation"),
        ("grade trace day-02 framing/sev", "framing/several-data-lines"),
    ],
)
def test_completion(tmp_path: Path, words: str, wanted: str) -> None:
    asked = {"_GRADE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    script = Path(sys.executable).with_name("grade")
    done = subprocess.run([script], env=environment(tmp_path, **asked), capture_output=True, text=True, check=False)
    assert wanted in done.stdout.split()


def test_two_gradings_at_once_in_one_directory(started: Path) -> None:
    finish(started)
    running = [
        subprocess.Popen([*GRADE, "2"], cwd=started, env=environment(started), stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [process.communicate(timeout=120)[0].splitlines()[-1] for process in running] == ["6/6 passed"] * 2


def test_a_killed_grader_leaves_nothing_running(started: Path) -> None:
    note = started / "pids"
    (started / "sse.py").write_text(
        f"import os, time\nwith open({str(note)!r}, 'a') as note: note.write(f'{{os.getpid()}}\\n')\ntime.sleep(3600)\n"
    )
    grader = subprocess.Popen([*GRADE, "2"], cwd=started, env=environment(started), start_new_session=True)
    import time

    deadline = time.monotonic() + 60
    while not (note.exists() and note.read_text().count("\n") >= 3) and time.monotonic() < deadline:
        time.sleep(0.05)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    pids = [int(pid) for pid in note.read_text().split()]
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert pids and not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_reset_puts_a_frozen_file_back_and_one_that_holds_nothing(tmp_path: Path) -> None:
    assert grade(tmp_path, "start", "2", ".").returncode == 0
    (tmp_path / "chat.py").write_text("mine")
    (tmp_path / "sse.py").write_text(" \n")
    assert "would be overwritten" in grade(tmp_path, "reset", "2", "chat.py").stderr
    assert "chat.py" in grade(tmp_path, "reset", "2", "chat.py", "--force").stdout
    assert (tmp_path / "chat.py").read_bytes() == (LAB.directory / "chat.py").read_bytes()
    assert grade(tmp_path, "reset", "2", "sse.py").returncode == 0
    assert (tmp_path / "sse.py").read_text("utf-8") == starter_files(LAB)["sse.py"]


def test_a_terminal_without_colour_gets_no_style(tmp_path: Path) -> None:
    assert grade(tmp_path, "start", "2", ".").returncode == 0
    for words in (["list"], ["hint", "2", "framing"], ["2", "--check", "framing"]):
        printed, _ = pexpect.run(
            f"{sys.executable} -m grader {' '.join(words)}",
            cwd=str(tmp_path),
            env={**os.environ, "NO_COLOR": "1", "TERM": "xterm-256color", "HOME": str(tmp_path)},
            withexitstatus=True,
        )
        assert b"framing" in printed and not re.search(rb"\x1b\[[\d;]*m", printed)
