"""What the checks of one grading share: the composed directory, and how programs in it are started."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from compileall import compile_file
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from ..catalogue import Catalogue
from ..course.lab import Lab
from ..course.workdir import compose
from ..engine import Engine
from ..evidence.limits import Limits
from ..evidence.stage import Stage
from ..evidence.terminal.launch import Launcher, ProgramSpec, Size
from ..evidence.terminal.program import REPORT_DESCRIPTOR
from .explainer import Explainer
from .failure import Failure
from .setup import Setup
from .source import READER, Source

Keep = Callable[[Stage, str], None]


def keep_nothing(stage: Stage, check: str) -> None:
    """What becomes of a stage when nobody asked for its recording."""


@dataclass(frozen=True)
class Workshop:
    """`launcher` gives the one that is to start the next program; `keep` gets every stage, and its check's name."""

    lab: Lab
    student: Mapping[str, bytes]
    directory: Path  # the composed directory, in one where everything may be written
    environment: Mapping[str, str]
    limits: Limits
    catalogue: Catalogue
    launcher: Callable[[], Launcher]
    keep: Keep

    @cached_property
    def explainer(self) -> Explainer:
        return Explainer(self.catalogue, self.student, self.lab, self._definitions)

    def stage(self) -> Stage:
        return Stage(self.launcher(), self.limits, self.lab.gateway_paths)

    def spec(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        terminal: Size | None = None,
        *,
        cold: bool = False,
    ) -> ProgramSpec:
        return ProgramSpec(
            directory=self.directory,
            arguments=arguments,
            environment={**self.environment, **environment},
            terminal=terminal,
            cold=cold,
            # Twice the CPU time: what a whole tree of processes uses is looked at, and reaches its limit before.
            limits={"RLIMIT_CPU": 2 * self.limits.cpu_s, "RLIMIT_FSIZE": self.limits.disk_bytes, "RLIMIT_CORE": 0},
            scratch=self.directory.parent,
        )

    @contextlib.contextmanager
    def reading(self, files: Sequence[str]) -> Iterator[Source]:
        """A program that reads these files of the student's."""
        stage = self.stage()
        try:
            stage.start(self.spec((str(READER), *files), {"READER": str(REPORT_DESCRIPTOR)}))
            yield Source(stage, Setup(terminal=None), self.explainer)
        finally:
            stage.close()

    @contextlib.contextmanager
    def instead(self, files: Mapping[str, bytes]) -> Iterator[Workshop]:
        """A workshop with these files in the place of the student's."""
        student = {**self.student, **files}
        with composed(self.lab, student) as other:
            yield replace(self, student=student, directory=other.program, environment=other.environment)

    def check_disk(self) -> None:
        """Look at what all programs so far have written. Raises `LimitReached`."""
        self.limits.check_disk(self.directory.parent)

    def _definitions(self) -> dict[str, dict[str, Any]]:
        """What each file of the student's defines; nothing for one that cannot be read, and those behind it."""
        try:
            with self.reading(self.lab.student_files) as source:
                return source.definitions()
        except Failure:
            return {}


@contextlib.contextmanager
def open_workshop(
    engine: Engine, student: Mapping[str, bytes], catalogue: Catalogue, limits: Limits, keep: Keep = keep_nothing
) -> Iterator[Workshop]:
    """A workshop for a student's files, in a directory that is gone when the block ends."""
    with composed(engine.lab, student) as files:
        yield Workshop(
            lab=engine.lab,
            student=student,
            directory=files.program,
            environment=files.environment,
            limits=limits,
            catalogue=catalogue,
            launcher=engine.launcher,
            keep=keep,
        )


@dataclass(frozen=True)
class Files:
    program: Path
    environment: Mapping[str, str]


@contextlib.contextmanager
def composed(lab: Lab, student: Mapping[str, bytes]) -> Iterator[Files]:
    """A run directory for these files, and the environment that programs find: built from nothing."""
    root = Path(tempfile.mkdtemp(prefix="run-")).resolve()
    try:
        for part in ("program", "home", "tmp"):
            (root / part).mkdir()
        compose(lab, dict(student), root / "program")
        compile_frozen(lab, root / "program")
        yield Files(
            root / "program",
            {
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}",
                "HOME": str(root / "home"),
                "TMPDIR": str(root / "tmp"),
                "LANG": "C.UTF-8",
                "TERM": "xterm-256color",
            },
        )
    finally:
        # Not shutil's: a program may have nested directories deeper than that can follow.
        subprocess.run(["rm", "-rf", "--", str(root)], stderr=subprocess.DEVNULL, check=False)


def compile_frozen(lab: Lab, directory: Path) -> None:
    """Put the frozen files' byte code beside them, so that the first programs need not all make it.

    It is kept where Python would keep it if the lab's own files were imported, and made there when it is missing.
    """
    (directory / "__pycache__").mkdir()
    for name in lab.frozen_files:
        compiled = Path(cache_from_source(str(lab.directory / name)))
        compile_file(lab.directory / name, quiet=2)
        with contextlib.suppress(OSError):  # the kit may be where nobody can write
            shutil.copy(compiled, directory / "__pycache__" / compiled.name)
