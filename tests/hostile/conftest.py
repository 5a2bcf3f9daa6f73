"""The bench of a session, and what must be as before when it is closed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import closing

import pytest
from bench import Bench
from hand_in import LAB
from traces import hashes

from grader.engine import Engine

KIT = LAB.directory.parent.parent


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    root = tmp_path_factory.mktemp("bench").resolve()
    home, temporary = root / "home", root / "tmp"
    for directory in (home, temporary):
        directory.mkdir()
    (home / ".bashrc").write_text("# mine\n")
    before = hashes(KIT / "days", KIT / "solutions", KIT / "grader", home)
    with closing(Engine(LAB)) as engine:
        bench = Bench(engine, root)
        yield bench
        # After all of them: the engine grades as ever, and nothing outside the runs has changed.
        assert bench.grade(LAB.solution).passed == len(LAB.checks)
    assert hashes(KIT / "days", KIT / "solutions", KIT / "grader", home) == before
    subprocess.run(["rm", "-rf", "--", str(root)], check=True)  # whatever its depth
