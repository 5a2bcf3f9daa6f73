"""`grade watch` as a student has it beside the editor: on a terminal, and in a pipe."""

from __future__ import annotations

import io
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import psutil
import pytest
from rich.console import Console
from test_commands import GRADE, LAB, environment, grade

from grader.course.workdir import generated_files
from grader.evidence.screen import Screen
from grader.grading import exercise_results
from grader.results import Cause, CheckResult, ProbeResult
from grader.watch.saves import state_of_files
from grader.watch.verdicts import Verdicts
from grader.watch.views import view_on

FINISHED = generated_files(LAB, set())
WAITING = "waiting for the next save"


class Watched:
    """A `grade watch` on a terminal, and what is to be seen there."""

    def __init__(self, directory: Path, *arguments: str, columns: int = 100) -> None:
        self.directory = directory
        self.screen = Screen(columns, 40)
        self.scratch = directory.parent / "tmp"
        self.scratch.mkdir()
        variables = environment(directory.parent, TMPDIR=str(self.scratch))
        del variables["COLUMNS"]
        self.child = pexpect.spawn(
            GRADE[0], [*GRADE[1:], "watch", "2", *arguments], cwd=str(directory), env=variables,
            dimensions=(40, columns), timeout=60,
        )  # fmt: skip

    @property
    def text(self) -> str:
        return self.screen.text()

    def wait_until(self, seen: Callable[[str], bool]) -> None:
        """Read until it is to be seen."""
        while not seen(self.text):
            try:
                self.screen.feed(self.child.read_nonblocking(1 << 16, timeout=60))
            except (pexpect.TIMEOUT, pexpect.EOF):
                pytest.fail(f"not seen:\n{self.text}")

    def wait_for(self, *words: str) -> None:
        """Wait until all of this is to be seen, and nothing is graded any more."""
        self.wait_until(lambda text: all(word in text for word in (*words, WAITING)))

    def save(self, name: str, source: str) -> None:
        """As most editors do: another file is written, and takes the place of the old one."""
        other = self.directory / f".{name}.tmp"
        other.write_text(source, "utf-8")
        other.replace(self.directory / name)

    def resize(self, columns: int) -> None:
        self.screen.resize(columns, 40)
        self.child.setwinsize(40, columns)

    def processes(self) -> list[psutil.Process]:
        return psutil.Process(self.child.pid).children(recursive=True)

    def leave(self) -> None:
        self.child.sendintr()
        while self.child.isalive():
            try:
                self.screen.feed(self.child.read_nonblocking(1 << 16, timeout=20))
            except pexpect.EOF:
                break
        self.child.close()


@pytest.fixture
def started(tmp_path: Path) -> Path:
    assert grade(tmp_path, "start", "2").returncode == 0
    return tmp_path / "day-02"


@pytest.fixture
def watched(started: Path) -> Iterator[Watched]:
    watched = Watched(started, "--check", "framing", "--check", "truncation")
    yield watched
    watched.child.close(force=True)


def test_verdicts_change_with_each_kind_of_save(watched: Watched) -> None:
    watched.wait_for("✗ framing", "✗ truncation", "0/2 passed", "sse.py:14", "loop.py:")
    watched.save("sse.py", FINISHED["sse.py"])
    watched.wait_for("✗ → ✓ framing", "    ✗ truncation", "1/2 passed")
    with (watched.directory / "sse.py").open("a") as file:  # in place, in the middle of typing
        file.write("\nasync def half(\n")
    watched.wait_for("✓ → ✗ framing", "Python cannot read sse.py, line", "0/2 passed")
    watched.save("sse.py", FINISHED["sse.py"])
    watched.wait_for("✗ → ✓ framing", "1/2 passed")
    (watched.directory / "sse.py").unlink()
    watched.wait_for("sse.py is not there")
    assert "✓ framing" in watched.text
    for name in ("sse.py", "loop.py", "render.py"):
        watched.save(name, FINISHED[name])
    watched.wait_for("✗ → ✓ truncation", "2/2 passed")
    assert "is not there" not in watched.text


def test_modules_of_ones_own_are_graded_again_too(watched: Watched) -> None:
    watched.wait_for("0/2 passed")
    (watched.directory / "mine").mkdir()
    (watched.directory / "mine" / "parser.py").write_text("broken(\n")
    watched.save("sse.py", "from mine.parser import read_deltas\n")
    watched.wait_for("was never closed (parser.py, line 1)")
    (watched.directory / "mine" / "parser.py").write_text(FINISHED["sse.py"], "utf-8")
    watched.wait_for("✗ → ✓ framing", "1/2 passed")


def test_a_save_is_of_a_file_that_is_graded(started: Path) -> None:
    def changed(change: Callable[[], object]) -> bool:
        before = state_of_files(LAB, started)
        change()
        return state_of_files(LAB, started) != before

    sse, helper = started / "sse.py", started / "helper.py"
    assert not changed(lambda: helper.write_text("x = 1\n"))
    assert not changed(lambda: (started / ".sse.py.swp").write_text("x"))
    assert changed(lambda: sse.write_text(sse.read_text() + "import helper\n"))
    assert changed(lambda: helper.write_text("x = 2\n"))
    (started / "same").write_bytes(sse.read_bytes())
    assert changed(lambda: (started / "same").replace(sse))  # saved again as it was
    assert changed(sse.unlink)
    assert not changed(lambda: helper.write_text("x = 3\n"))


def test_every_check_has_its_row_on_a_small_screen() -> None:
    probes = (ProbeResult("probe", 3, "fail", ""),)
    verdicts = Verdicts(LAB.checks)
    verdicts.begin(exercise_results(LAB, {}, (), LAB.catalogue("en")))
    for number, check in enumerate(LAB.checks):
        cause = Cause(f"{number}: this sentence is about what was wrong, and it is long. " * 9)
        verdicts.finish(CheckResult(check, check, (3,), "fail", "wrong", "", 0, 1, 0, {}, probes, cause=cause))
    console = Console(width=80, height=24, file=io.StringIO(), force_terminal=True)
    view = view_on(console, verdicts, LAB.catalogue("en"), "heading")
    rows = console.render_lines(view, console.options.update(height=24), pad=False)
    text = "\n".join("".join(segment.text for segment in row) for row in rows)
    assert len(rows) <= 24 and all(f"✗ {check}" in text for check in LAB.checks) and "…" in text


def test_the_directory_itself_is_made_anew(watched: Watched) -> None:
    watched.wait_for("0/2 passed")
    watched.directory.rename(watched.directory.with_name("old"))
    watched.wait_for("cannot be opened")
    assert grade(watched.directory.parent, "start", "2").returncode == 0
    watched.wait_for("✗ framing", "sse.py:14")
    watched.save("sse.py", FINISHED["sse.py"])
    watched.wait_for("✗ → ✓ framing")


def test_a_save_stops_what_is_graded_and_ctrl_c_leaves_nothing(watched: Watched) -> None:
    watched.wait_for("0/2 passed")
    note = watched.directory / "pids"
    hang = f"import os, time\nopen({str(note)!r}, 'a').write(f'{{os.getpid()}}\\n')\ntime.sleep(3600)\n"
    watched.save("sse.py", hang)
    watched.wait_until(lambda text: "grading" in text)
    wait_for_lines(note, 2)
    stopped = [int(pid) for pid in note.read_text().split()]
    watched.save("sse.py", FINISHED["sse.py"])
    watched.wait_for("✗ → ✓ framing", "1/2 passed")  # long before the silence of the others is over
    assert not [pid for pid in stopped if psutil.pid_exists(pid)]
    note.unlink()
    watched.save("sse.py", hang)
    wait_for_lines(note, 2)
    running = watched.processes()
    assert running and len(list(watched.scratch.iterdir())) == 1
    watched.leave()
    assert watched.child.exitstatus == 130
    assert "Traceback" not in watched.text and "1/2 passed" in watched.text
    assert not list(watched.scratch.iterdir())
    assert not psutil.wait_procs(running, timeout=10)[1]
    assert not [pid for pid in map(int, note.read_text().split()) if psutil.pid_exists(pid)]


def test_the_screen_is_left_as_a_person_wants_it(watched: Watched) -> None:
    watched.wait_for("0/2 passed", "Framing: from bytes to deltas")
    watched.resize(50)
    watched.wait_until(lambda text: WAITING in text and max(map(len, text.splitlines())) <= 50)
    watched.leave()
    assert watched.screen.cursor_visible and watched.screen.style.plain and not watched.screen.modes
    assert "0/2 passed" in watched.text and watched.child.exitstatus == 130


def test_a_pipe_gets_plain_lines_and_progress_is_kept(started: Path) -> None:
    with subprocess.Popen(
        [*GRADE, "watch", "2", "--lang", "zh"], cwd=started.parent, env=environment(started.parent, NO_COLOR="1"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        first = list(iter(process.stdout.readline, "3/6 passed\n"))
        assert sum(line.startswith("    ✓ ") for line in first) == 3
        assert any("练习 1" in line for line in first) and "\x1b" not in "".join(first)
        for name, source in FINISHED.items():
            (started / name).write_text(source, "utf-8")
        second = list(iter(process.stdout.readline, "6/6 passed\n"))
        assert any(line.startswith("✗ → ✓ fenced-answer") for line in second)
        process.send_signal(signal.SIGINT)
        assert (process.wait(20), process.stderr.read()) == (130, "")
    assert "6/6" in grade(started.parent, "list").stdout


def test_nobody_reads_any_more(started: Path) -> None:
    done = subprocess.run(
        f"{' '.join(GRADE)} watch 2 --check interrupt | head -n 1", shell=True, cwd=started, timeout=60,
        env=environment(started.parent), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "interrupt" in done.stdout and done.stderr == ""


def test_what_cannot_be_watched_gets_one_sentence(tmp_path: Path) -> None:
    for arguments, said in {
        ("day-2x",): "day-02",
        ("2", "--path", "nowhere"): "not a directory",
        ("2", "--check", "fraiming"): "framing",
    }.items():
        done = grade(tmp_path, "watch", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1) and said in done.stderr


def wait_for_lines(file: Path, count: int) -> None:
    """Until a program has written so many lines; it is a file, so there is nothing but to look again."""
    import time

    deadline = time.monotonic() + 60
    while not (file.exists() and file.read_text().count("\n") >= count):
        assert time.monotonic() < deadline
        time.sleep(0.02)
