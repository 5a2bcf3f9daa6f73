"""Puts small programs on stage."""

from __future__ import annotations

from pathlib import Path

from grader.evidence.limits import Limits
from grader.evidence.stage import Stage
from grader.evidence.terminal.launch import Launcher, ProgramSpec, Size
from grader.evidence.terminal.program import REPORT_DESCRIPTOR

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color", "REPORTS": str(REPORT_DESCRIPTOR)}


class Theatre:
    """The programs of one test, all ended when it is closed."""

    def __init__(self, launcher: Launcher, directory: Path, *, cold: bool) -> None:
        self._launcher = launcher
        self._directory = directory
        self._cold = cold
        self._stages: list[Stage] = []

    def start(
        self,
        source: str,
        *arguments: str,
        terminal: Size | None = Size(),
        limits: Limits | None = None,
        environment: dict[str, str] | None = None,
    ) -> Stage:
        (self._directory / "program.py").write_text(source, "utf-8")
        limits = limits or Limits()
        stage = Stage(self._launcher, limits)
        self._stages.append(stage)
        stage.start(
            ProgramSpec(
                directory=self._directory,
                arguments=["program.py", *arguments],
                environment={**ENVIRONMENT, **(environment or {})},
                terminal=terminal,
                cold=self._cold,
                limits={"RLIMIT_CPU": limits.cpu_s, "RLIMIT_CORE": 0},
            )
        )
        return stage

    def close(self) -> None:
        for stage in self._stages:
            stage.close()
