"""What may stand where a student's file should be, or beside it: each with its exact sentence."""

from __future__ import annotations

import io
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from bench import Bench
from hand_in import LAB

from grader.report import writer


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The solution with its frozen files, as `grade start` would have laid it out."""
    directory = tmp_path / "work"
    directory.mkdir()
    for source in (
        *(LAB.solution / name for name in LAB.student_files),
        *(LAB.directory / n for n in LAB.frozen_files),
    ):
        shutil.copy(source, directory)
    return directory


def only_the_students(work: Path) -> None:
    for name in LAB.frozen_files:
        (work / name).unlink()


def refusal(bench: Bench, work: Path) -> str:
    """The sentence with which this directory is refused; the checks must not have been run."""
    result = bench.check(work, "interrupt")
    assert (result.verdict, result.status) == ("refused", "fail"), result.cause
    assert result.cause and result.cause.message == result.summary
    assert {probe.summary for probe in result.probes} == {"Not run."}
    return result.cause.message


def test_a_missing_file(bench: Bench, work: Path) -> None:
    only_the_students(work)
    (work / "sse.py").unlink()
    assert refusal(bench, work) == "sse.py is not there; the Python files found are: loop.py, render.py."


@pytest.mark.parametrize("name", ["Sse.py", "SSE.PY", "sse.py.txt", "sse .py", "sse (1).py"])
def test_a_misspelt_file(bench: Bench, work: Path, name: str) -> None:
    only_the_students(work)
    (work / "sse.py").rename(work / name)
    said = refusal(bench, work)
    assert said.startswith("sse.py is not there; the Python files found are: ")
    assert name in said  # the person must see at once what it is called instead


def test_nothing_at_all(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    assert refusal(bench, tmp_path / "work").startswith("sse.py is not there")


def test_one_directory_too_high(bench: Bench, work: Path, tmp_path: Path) -> None:
    assert refusal(bench, tmp_path).startswith("sse.py is not there")


def a_directory(path: Path) -> None:
    path.mkdir()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # its address must be short
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path.name)
    finally:
        os.chdir(here)


def a_link_to_a_neighbour(path: Path) -> None:
    path.symlink_to(LAB.solution / "sse.py")


def a_link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to("/no/such/file")


def a_link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_link_to_secrets(path: Path) -> None:
    path.symlink_to("/etc/passwd")


LINK = "sse.py is a link; put the file itself there."
SPECIAL = {
    a_directory: "sse.py is a directory; put a file of that name there.",
    a_pipe: "sse.py is a pipe; put a file there.",
    a_socket: "sse.py is a device or a socket; put a file there.",
    a_link_to_a_neighbour: LINK,
    a_link_to_itself: LINK,
    a_link_to_nothing: LINK,
    a_link_to_a_device: LINK,
    a_link_to_secrets: LINK,
}


@pytest.mark.parametrize("make", SPECIAL)
def test_something_that_is_no_file(bench: Bench, work: Path, make: Callable[[Path], None]) -> None:
    (work / "sse.py").unlink()
    make(work / "sse.py")
    assert refusal(bench, work) == SPECIAL[make]


@pytest.mark.parametrize("make", SPECIAL)
def test_something_that_is_no_file_beside_does_no_harm(bench: Bench, work: Path, make: Callable[[Path], None]) -> None:
    make(work / "helper.py")
    assert bench.check(work, "interrupt").verdict == "pass"


@pytest.mark.parametrize("text", ["", "\n", " \t\n\r\n\f\n", "\ufeff"])
def test_an_empty_file(bench: Bench, work: Path, text: str) -> None:
    (work / "sse.py").write_text(text, "utf-8")
    assert refusal(bench, work) == "sse.py is empty; `grade reset day-02 sse.py` puts the handed-out file back."


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_rights(bench: Bench, work: Path) -> None:
    (work / "sse.py").chmod(0)
    assert refusal(bench, work) == "sse.py cannot be opened; check its permissions."


@pytest.mark.parametrize("mode", [0o444, 0o777, 0o6755])
def test_odd_rights_do_no_harm(bench: Bench, work: Path, mode: int) -> None:
    (work / "sse.py").chmod(mode)
    work.chmod(0o555)
    try:
        assert bench.check(work, "interrupt").verdict == "pass"
    finally:
        work.chmod(0o755)


@pytest.mark.parametrize("size", [(1 << 20) + 1, 64 << 20])
def test_a_file_that_is_too_large(bench: Bench, work: Path, size: int) -> None:
    with (work / "sse.py").open("r+b") as file:
        file.truncate(size)
    assert refusal(bench, work) == "sse.py is larger than 1 MiB; no solution needs that."


@pytest.mark.parametrize("module", ["json", "random", "httpx", "asyncio", "re", "types", "signal", "wcwidth", "anyio"])
def test_a_file_that_hides_a_module(bench: Bench, work: Path, module: str) -> None:
    (work / f"{module}.py").write_text("x = 1\n")
    said = refusal(bench, work)
    assert said == f"{module}.py hides Python's module {module}, which the program needs; rename it."


@pytest.mark.parametrize("module", ["json", "httpx"])
@pytest.mark.parametrize("inside", ["__init__.py", "helper.py"])
def test_a_folder_that_hides_a_module(bench: Bench, work: Path, module: str, inside: str) -> None:
    """A folder with `__init__.py` hides a module; one without does not, for Python looks for modules first."""
    (work / module).mkdir()
    (work / module / inside).write_text("x = 1\n")
    if inside == "__init__.py":
        said = refusal(bench, work)
        assert said.startswith(module)
        assert said.endswith(f" hides Python's module {module}, which the program needs; rename it.")
    else:
        assert bench.check(work, "interrupt").verdict == "pass"


@pytest.mark.parametrize("name", ["deltas", "gateway", "sse"])
def test_a_folder_named_like_a_file_of_the_lab(bench: Bench, work: Path, name: str) -> None:
    """Python prefers a package to a module, so it must not be there when the program is run."""
    (work / name).mkdir()
    (work / name / "__init__.py").write_text("raise SystemExit('the wrong one')\n")
    assert bench.check(work, "interrupt").verdict in ("pass", "refused")


def console(bench: Bench, work: Path) -> str:
    out = io.StringIO()
    writer("console")(bench.grade(work, "interrupt"), LAB.catalogue("en"), out)
    return " ".join(out.getvalue().split())


@pytest.mark.parametrize("name", LAB.frozen_files)
def test_a_frozen_file_that_was_edited_is_named_and_not_used(bench: Bench, work: Path, name: str) -> None:
    (work / name).write_text("raise SystemExit('6/6 passed')\n")
    shown = console(bench, work)
    assert f"Note: your copy of {name} differs from the one that was handed out; the grader uses its own." in shown
    assert shown.endswith("1/1 passed")


def test_frozen_files_that_were_deleted_are_no_matter(bench: Bench, work: Path) -> None:
    only_the_students(work)
    report = bench.grade(work, "interrupt")
    assert report.passed == 1
    assert {frozen.state for frozen in report.frozen} == {"missing"}


@pytest.mark.parametrize("make", SPECIAL)
def test_a_frozen_file_that_is_none(bench: Bench, work: Path, make: Callable[[Path], None]) -> None:
    (work / "deltas.py").unlink()
    make(work / "deltas.py")
    report = bench.grade(work, "interrupt")
    assert report.passed == 1
    assert {frozen.path: frozen.state for frozen in report.frozen}["deltas.py"] in ("missing", "modified")


ODD_NAMES = [
    "-rf",
    "--help.py",
    "a\nb.py",
    "\x1b]0;owned\x07.py",
    "\u202eyp.sj",
    "my parser (2).py",
    "$(reboot).py",
    "x" * 200,
]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_an_odd_name_beside(bench: Bench, work: Path, name: str) -> None:
    (work / name).write_text("x = 1\n")
    assert bench.check(work, "interrupt").verdict == "pass"
    (work / "sse.py").unlink()
    refusal(bench, work)


def test_a_name_that_is_no_text(bench: Bench, work: Path) -> None:
    (Path(os.fsdecode(os.fsencode(work) + b"/\xff\xfe.py"))).write_text("x = 1\n")
    assert bench.check(work, "interrupt").verdict == "pass"
    (work / "sse.py").unlink()
    refusal(bench, work)


@pytest.mark.parametrize("name", [*ODD_NAMES, "::error::x", "=cmd|'x'!A1"])
def test_an_odd_name_of_the_directory(bench: Bench, work: Path, name: str) -> None:
    odd = work.rename(work.with_name(name))
    report = bench.grade(odd, "interrupt")
    assert report.passed == 1
    assert "\n" not in report.target


def test_a_hundred_and_fifty_modules_beside(bench: Bench, work: Path) -> None:
    """However many there are, the one that is needed is there."""
    for number in range(150):
        (work / f"part_{number}.py").write_text(f"x = {number}\n")
    (work / "zzz.py").write_text("ready = True\n")
    loop = work / "loop.py"
    loop.write_text(loop.read_text("utf-8") + "\nfrom zzz import ready\n", "utf-8")
    result = bench.check(work, "interrupt")
    assert result.verdict == "pass", result.cause
