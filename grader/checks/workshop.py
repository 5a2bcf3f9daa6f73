"""What the checks of one grading share: the composed directory, and how programs in it are started."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..catalogue import Catalogue
from ..course.lab import Lab
from ..evidence.limits import Limits
from ..evidence.stage import Stage
from ..evidence.terminal.launch import Launcher, ProgramSpec, Size
from ..evidence.terminal.program import REPORT_DESCRIPTOR
from .explainer import Explainer
from .failure import Failure
from .setup import Setup
from .source import READER, Source


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
    keep: Callable[[Stage, str], None]

    @cached_property
    def explainer(self) -> Explainer:
        return Explainer(self.catalogue, self.student, self.lab.contracts, self._definitions)

    def stage(self) -> Stage:
        return Stage(self.launcher(), self.limits)

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
