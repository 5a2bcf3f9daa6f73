"""The bench of a session, and what must be as before when it is closed."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing

import pytest
from bench import SECRET, Bench
from hand_in import LAB
from traces import hashes, processes_left

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
    with pytest.MonkeyPatch.context() as patch, closing(Engine(LAB)) as engine:
        patch.setenv("HOME", str(home))
        patch.setenv("OPENAI_API_KEY", SECRET)
        patch.setattr(tempfile, "tempdir", str(temporary))
        bench = Bench(engine, root)
        yield bench
        # After all of them: the engine grades as ever, and nothing outside the runs has changed.
        assert bench.grade(LAB.solution).passed == len(LAB.checks)
    assert hashes(KIT / "days", KIT / "solutions", KIT / "grader", home) == before
    assert not processes_left(root)
    subprocess.run(["rm", "-rf", "--", str(root)], check=True)  # whatever its depth
