"""What a probe is given to work with: programs to start, answers to make up, a language to fail in."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..catalogue import Catalogue
from ..course.lab import Lab
from ..evidence.stage import Limits, Stage
from ..evidence.terminal.launch import Launcher, ProgramSpec, Size
from ..evidence.terminal.program import REPORT_DESCRIPTOR
from .chat import Chat
from .fresh import Fresh
from .parser import Parser
from .setup import Setup
from .source import NAMES_PROGRAM, Source


@dataclass(frozen=True)
class Workshop:
    """What the desks of one grading share. `launcher` gives the one that is to start the next program."""

    lab: Lab
    directory: Path  # the composed directory
    environment: Mapping[str, str]
    limits: Limits
    catalogue: Catalogue
    launcher: Callable[[], Launcher]
    keep: Callable[[Stage, str], None]  # called with every stage that is closed, and the name of its check


class Desk:
    """The desk of one check. Programs that are idle at their prompt are used again by the next probe; a probe that
    fails leaves none behind, so probes do not depend on each other."""

    def __init__(self, workshop: Workshop, check: str, seed: str, *, cold_first: bool = False) -> None:
        self.facts: dict[str, int] = {}
        self.advice: list[str] = []  # sentences about a program that could be better; never a failure
        self.say = workshop.catalogue.say
        self._cold_next = cold_first
        self._seed = seed
        self._workshop = workshop
        self._check = check
        self._chats: dict[Setup, Chat] = {}
        self._parser: Parser | None = None
        self.fresh = Fresh(seed)

    def begin(self, probe: str) -> None:
        """The text of a probe depends on the seed and on its own name, not on the probes before it."""
        self.fresh = Fresh(f"{self._seed}/{probe}")

    def fresh_for(self, purpose: str) -> Fresh:
        """A source that is the same in every probe of this check that names the same purpose."""
        return Fresh(f"{self._seed}/for {purpose}")

    def script(self, name: str) -> str:
        """The text of an offline script's first reply."""
        file = self._workshop.lab.scripts / f"{name}.toml"
        text: str = tomllib.loads(file.read_text("utf-8"))["replies"][0]["text"]
        return text

    def chat(
        self,
        *,
        terminal: Size | None = Size(),
        offline: bool = False,
        cold: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> Chat:
        """A program waiting at its prompt, started with these settings."""
        setup = Setup(terminal, offline, cold, frozenset((environment or {}).items()))
        if setup not in self._chats:
            self._chats[setup] = self._start(setup)
        return self._chats[setup]

    @contextlib.contextmanager
    def program(
        self,
        prompt: str | None = None,
        *,
        terminal: Size | None = Size(),
        offline: bool = False,
        cold: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> Iterator[Chat]:
        """A program of its own for as long as the block lasts, with a prompt on its command line or without."""
        chat = self._start(Setup(terminal, offline, cold, frozenset((environment or {}).items()), prompt))
        try:
            yield chat
        finally:
            self._close(chat.stage)

    @property
    def parser(self) -> Parser:
        """The student's parser behind the lab's probe program."""
        if self._parser is None:
            cold = self._cold(False)
            stage = self._stage()
            try:
                stage.start(self._spec(("probe.py",), {"PROBE": str(REPORT_DESCRIPTOR)}, cold=cold))
            except BaseException:
                stage.close()
                raise
            self._parser = Parser(stage, self._workshop.catalogue)
        return self._parser

    def expect_names_absent(self, file: str, names: set[str]) -> None:
        """A student's file mentions none of these names as identifier, attribute, import or string constant."""
        stage = self._stage()
        try:
            stage.start(self._spec((str(NAMES_PROGRAM), file), {"NAMES": str(REPORT_DESCRIPTOR)}))
            Source(stage, Setup(terminal=None), self._workshop.catalogue).expect_names_absent(file, names)
        finally:
            stage.close()

    def discard(self) -> None:
        """End every program, as after a failure."""
        for chat in self._chats.values():
            self._close(chat.stage)
        self._chats.clear()
        if self._parser:
            self._close(self._parser.stage)
            self._parser = None

    def _start(self, setup: Setup) -> Chat:
        cold = self._cold(setup.cold)
        stage = self._stage()
        try:
            offline, online = {"MOCK": "1", "MOCK_DELAY": "0"}, {"OPENAI_BASE_URL": stage.gateway.base_url}
            prompt = () if setup.prompt is None else (setup.prompt,)
            answers = offline if setup.offline else online
            environment = {**answers, "SESSION_LOG": str(REPORT_DESCRIPTOR), **dict(setup.environment)}
            stage.start(self._spec((self._workshop.lab.program, *prompt), environment, setup.terminal, cold=cold))
            return Chat(stage, setup, self._workshop.catalogue)
        except BaseException:
            self._close(stage)
            raise

    def _cold(self, wanted: bool) -> bool:
        """Whether the next program is started cold."""
        cold, self._cold_next = wanted or self._cold_next, False
        return cold

    def _stage(self) -> Stage:
        return Stage(self._workshop.launcher(), self._workshop.limits)

    def _spec(
        self,
        arguments: tuple[str, ...],
        environment: Mapping[str, str],
        terminal: Size | None = None,
        *,
        cold: bool = False,
    ) -> ProgramSpec:
        return ProgramSpec(
            directory=self._workshop.directory,
            arguments=arguments,
            environment={**self._workshop.environment, **environment},
            terminal=terminal,
            cold=cold,
            limits={"RLIMIT_CPU": self._workshop.limits.cpu_s, "RLIMIT_CORE": 0},
        )

    def _close(self, stage: Stage) -> None:
        try:
            if stage.started:
                self._workshop.keep(stage, self._check)
        finally:
            stage.close()
