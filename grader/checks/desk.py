"""What a probe is given to work with: programs to start, answers to make up, a language to fail in."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from ..course.collecting import libraries_of
from ..evidence.limits import LimitReached
from ..evidence.reactor import now
from ..evidence.stage import Stage
from ..evidence.terminal.launch import Size
from ..evidence.terminal.program import REPORT_DESCRIPTOR
from .calls import Calls
from .chat import Chat
from .cut import CutStream
from .failure import Failure
from .fresh import Fresh
from .parser import Parser
from .setup import Setup
from .workshop import Workshop

Probing = TypeVar("Probing", bound=Calls)


class Desk:
    """The desk of one check. Programs that are idle at their prompt are used again by the next probe; a probe that
    fails leaves none behind, so probes do not depend on each other."""

    def __init__(self, workshop: Workshop, check: str, seed: str, *, cold_first: bool = False) -> None:
        self.facts: dict[str, int] = {}
        self.advice: list[str] = []  # sentences about a program that could be better; never a failure
        self.say = workshop.explainer.say
        self._cold_next = cold_first
        self._seed = seed
        self._workshop = workshop
        self._check = check
        self._chats: dict[Setup, Chat] = {}
        self._parser: Parser | None = None
        self._calls: Calls | None = None
        self.fresh = Fresh(seed)

    def begin(self, probe: str) -> None:
        """The text of a probe depends on the seed and on its own name, not on the probes before it."""
        self.fresh = Fresh(f"{self._seed}/{probe}")

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
        arguments: Sequence[str] = (),
    ) -> Chat:
        """A program waiting at its prompt, started with these settings."""
        setup = Setup(terminal, offline, cold, frozenset((environment or {}).items()), None, tuple(arguments))
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
        arguments: Sequence[str] = (),
    ) -> Iterator[Chat]:
        """A program of its own for as long as the block lasts, with a prompt on its command line or without."""
        variables = frozenset((environment or {}).items())
        chat = self._start(Setup(terminal, offline, cold, variables, prompt, tuple(arguments)))
        try:
            yield chat
        finally:
            self._close(chat.stage)

    @property
    def parser(self) -> Parser:
        """The student's parser behind the lab's probe program."""
        if self._parser is None:
            self._parser = self._start_probe(Parser, self._workshop)
        return self._parser

    @property
    def calls(self) -> Calls:
        """The student's functions behind the lab's probe program."""
        if self._calls is None:
            self._calls = self._start_probe(Calls, self._workshop)
        return self._calls

    @contextlib.contextmanager
    def stand_in(self, name: str) -> Iterator[Parser]:
        """A parser of the lab's own in the place of the student's: `stand_ins/NAME` in the lab's directory."""
        files = self._workshop.lab.directory / "stand_ins" / name
        with self._workshop.instead({file.name: file.read_bytes() for file in files.glob("*.py")}) as workshop:
            parser = self._start_probe(Parser, workshop)
            try:
                yield parser
            finally:
                parser.stage.close()

    @property
    def asked(self) -> list[CutStream]:
        """The streams that the parser was asked about; none if no probe needed it."""
        return self._parser.asked if self._parser else []

    def expect_names_absent(self, file: str, names: set[str]) -> None:
        """A student's file mentions none of these names as identifier, attribute, import or string constant."""
        with self._workshop.reading((file,)) as source:
            source.expect_names_absent(file, names)

    def check_disk(self) -> None:
        """What the programs of this grading have written is within the limits."""
        try:
            self._workshop.check_disk()
        except LimitReached as limit:
            message = self.say(f"limit.{limit.name}", figure=limit.figure, awaited=self.say("awaited.end"))
            raise Failure(message, verdict="limit", limit=limit) from None

    def calibrate(self) -> float:
        """How long it takes now, in seconds, to start a program that is known to be good, with the lab's libraries."""
        begun = now()
        stage = self._workshop.stage()
        try:
            libraries = ", ".join(sorted(libraries_of(self._workshop.lab)))
            stage.start(self._workshop.spec(("-c", f"import {libraries}"), {}, cold=True))
            with contextlib.suppress(LimitReached):
                stage.wait_for_end()
        finally:
            stage.close()
        return now() - begun

    def discard(self) -> None:
        """End every program, as after a failure."""
        for chat in self._chats.values():
            self._close(chat.stage)
        self._chats.clear()
        for probe in (self._parser, self._calls):
            if probe:
                self._close(probe.stage)
        self._parser = self._calls = None

    def _start_probe(self, kind: type[Probing], workshop: Workshop) -> Probing:
        stage = workshop.stage()
        try:
            stage.start(workshop.spec(("probe.py",), {"PROBE": str(REPORT_DESCRIPTOR)}, cold=self._cold(False)))
        except BaseException:
            stage.close()
            raise
        return kind(stage, Setup(terminal=None), workshop.explainer)

    def _start(self, setup: Setup) -> Chat:
        cold = self._cold(setup.cold)
        stage = self._workshop.stage()
        try:
            lab = self._workshop.lab
            offline, online = {"MOCK": "1", "MOCK_DELAY": "0"}, dict.fromkeys(lab.base_urls, stage.gateway.base_url)
            arguments = (lab.program, *setup.arguments, *(() if setup.prompt is None else (setup.prompt,)))
            answers = offline if setup.offline else online
            environment = {**answers, "SESSION_LOG": str(REPORT_DESCRIPTOR), **dict(setup.environment)}
            stage.start(self._workshop.spec(arguments, environment, setup.terminal, cold=cold))
            return Chat(stage, setup, self._workshop.explainer)
        except BaseException:
            self._close(stage)
            raise

    def _cold(self, wanted: bool) -> bool:
        """Whether the next program is started cold."""
        cold, self._cold_next = wanted or self._cold_next, False
        return cold

    def _close(self, stage: Stage) -> None:
        try:
            if stage.started:
                self._workshop.keep(stage, self._check)
        finally:
            stage.close()
        if stage.started and (ended := stage.program.ended) and not ended.signal:
            if ended.left:
                self._advise(self.say("left-running", count=ended.left))
            if stage.program.left_other_modes:
                self._advise(self.say("left-modes"))

    def _advise(self, sentence: str) -> None:
        if sentence not in self.advice:
            self.advice.append(sentence)
