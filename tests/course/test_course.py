"""Labs are found, files are composed and collected, and the frozen files are frozen."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import pytest

from grader.course.collecting import Refused, collect
from grader.course.lab import ROOT, UnknownLab, find_lab, labs
from grader.course.regions import RegionError, line_of_exercise, replace_regions
from grader.course.workdir import compose, frozen_states, generated_files

LAB = find_lab("day-02")
SOLUTION = {name: text.encode() for name, text in generated_files(LAB, set()).items()}


def test_labs_are_found_by_short_names() -> None:
    assert find_lab("2") is find_lab("02") is LAB
    with pytest.raises(UnknownLab) as unknown:
        find_lab("day-2")
    assert unknown.value.nearest == "day-02"


def test_no_lab_is_named_like_a_command() -> None:
    from grader.cli.main import app

    names = [command.name for command in app.registered_commands]
    assert len(names) == len(set(names)) and {lab.id for lab in labs()} < set(names)


def test_later_days_have_the_frozen_files_of_day_2_to_the_letter() -> None:
    lock = dict(line.split("  ")[::-1] for line in (ROOT / "days" / "frozen.lock").read_text().splitlines())
    assert set(lock) == {"deltas.py", "events.py", "gateway.py", "mock.py"}
    for lab in labs():
        if re.fullmatch(r"day-\d+", lab.id):
            for name, digest in lock.items():
                assert hashlib.sha256((lab.directory / name).read_bytes()).hexdigest() == digest, (lab.id, name)


def test_regions_are_replaced_and_found() -> None:
    first = "a\n# --- exercise 1: x ---\nold\n# --- end of exercise 1 ---\nb\n"
    source = f"{first}    # --- exercise 2: y ---\n    def f():\n    # --- end of exercise 2 ---\n"
    assert replace_regions(source, {}) == source
    assert replace_regions(source, {1: "new\n"}) == source.replace("old", "new")
    assert line_of_exercise(source, 1) == 2
    assert line_of_exercise(source, 2) == 7
    assert line_of_exercise(source, 3) is None


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("# --- exercise 1: x ---\n", {}),
        ("# --- end of exercise 1 ---\n", {}),
        ("# --- exercise 1: x ---\n# --- exercise 2: x ---\n", {}),
        ("nothing\n", {1: "x"}),
    ],
)
def test_marks_that_do_not_match_are_an_error(source: str, texts: dict[int, str]) -> None:
    with pytest.raises(RegionError):
        replace_regions(source, texts)


def write(directory: Path, files: dict[str, bytes]) -> None:
    for name, source in files.items():
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).write_bytes(source)


def test_a_composed_directory_is_collected_again(tmp_path: Path) -> None:
    compose(LAB, SOLUTION, tmp_path)
    assert collect(LAB, tmp_path) == SOLUTION
    assert {frozen.state for frozen in frozen_states(LAB, tmp_path)} == {"pristine"}
    (tmp_path / "chat.py").write_text("mine")
    (tmp_path / "mock.py").unlink()
    states = {frozen.path: frozen.state for frozen in frozen_states(LAB, tmp_path)}
    assert (states["chat.py"], states["mock.py"], states["gateway.py"]) == ("modified", "missing", "pristine")


def test_modules_that_a_students_files_mention_come_along_and_other_files_do_not(tmp_path: Path) -> None:
    mentioned = {"spans.py": b"x = 1", "extra/__init__.py": b"", "extra/deep.py": b""}
    others = {"nobody_asks.py": b"", "notes.txt": b"...", "chat.py": b"mine"}
    write(tmp_path, SOLUTION | {"loop.py": b"import spans, extra.deep, link"} | mentioned | others)
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    assert set(collect(LAB, tmp_path)) == {*SOLUTION, *mentioned}


def test_files_that_cannot_be_run_are_refused(tmp_path: Path) -> None:
    def refusal() -> tuple[str, dict[str, object]]:
        with pytest.raises(Refused) as refused:
            collect(LAB, tmp_path)
        return refused.value.sentence, refused.value.fields

    write(tmp_path, SOLUTION)
    (tmp_path / "sse.py").rename(tmp_path / "Sse.py")
    assert refusal() == ("refused.missing", {"file": "sse.py", "found": "Sse.py, loop.py, render.py"})
    os.mkfifo(tmp_path / "sse.py")
    assert refusal() == ("refused.pipe", {"file": "sse.py"})
    (tmp_path / "sse.py").unlink()
    (tmp_path / "sse.py").symlink_to(tmp_path / "loop.py")
    assert refusal() == ("refused.link", {"file": "sse.py"})
    (tmp_path / "sse.py").unlink()
    (tmp_path / "sse.py").mkdir()
    assert refusal() == ("refused.directory", {"file": "sse.py"})
    (tmp_path / "sse.py").rmdir()
    write(tmp_path, {"sse.py": b"#" * (1 << 20) + b"\n"})
    assert refusal() == ("refused.too-large", {"file": "sse.py", "limit": 1})
    write(tmp_path, SOLUTION | {"httpx.py": b""})
    assert refusal() == ("refused.hides-module", {"file": "httpx.py", "module": "httpx"})
    (tmp_path / "httpx.py").unlink()
    write(tmp_path, {"json/__init__.py": b""})
    assert refusal() == ("refused.hides-module", {"file": "json", "module": "json"})
    (tmp_path / "json/__init__.py").unlink()  # no package, so Python's own is found
    write(tmp_path, {"sse.py": b" \n"})
    assert refusal() == ("refused.empty", {"file": "sse.py", "lab": "day-02"})
    modules = [f"m{number}" for number in range(98)]
    write(tmp_path, {"sse.py": f"import {', '.join(modules)}".encode(), **{f"{name}.py": b"" for name in modules}})
    assert refusal() == ("refused.too-many", {"limit": 100})
