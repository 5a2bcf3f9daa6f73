"""A program on a stage, and waiting for it: what cannot be seen is explained, as a failure of the right kind."""

from __future__ import annotations

import contextlib
import errno
import re
import signal
from collections.abc import Callable

from ..evidence.limits import LimitReached
from ..evidence.screen import Mark
from ..evidence.stage import ProgramEnded, Stage
from ..evidence.terminal.program import Ended
from ..harmless import harmless
from ..results import Verdict
from .explainer import Explainer
from .failure import Failure
from .reading import code_of_syntax_error, traceback_line
from .setup import Setup

PROMPT_SIGN = "> "

# Python 3.13 and newer colour a traceback on a terminal.
COLOURS = re.compile(r"\x1b\[[\d;]*m")

# For a program that is about to end, or to ask for the next prompt.
SETTLE_S = 2.0


def how_it_ended(how: Ended, say: Callable[..., str]) -> str:
    """The exit status, or the signal that killed the program, in words."""
    if how.signal:
        return say("by-signal", signal=signal.Signals(how.signal).name)
    return say("with-status", status=how.status)


class Watch:
    """A program on a stage. `history` is the conversation as the person saw it, as (role, content)."""

    def __init__(self, stage: Stage, setup: Setup, explainer: Explainer) -> None:
        self.stage = stage
        self.setup = setup
        self.explainer = explainer
        self.say = explainer.say
        self.history: list[tuple[str, str]] = []

    def press_ctrl_c(self) -> None:
        self.stage.program.type(b"\x03")

    def wait(self, seen: Callable[[], bool], awaited: str, *, advice: Callable[[], str] = str) -> None:
        """Wait until `seen()`. When that cannot be, the failure says what was awaited and what was there instead, and
        what may be of help."""
        try:
            self.stage.wait_until(seen)
        except ProgramEnded as end:
            message = self.say("ended-early", how=how_it_ended(end.how, self.say), awaited=awaited)
            exit_call = "" if end.how.signal else self.explainer.early_end()
            raise self.failure(message + advice() + exit_call, actual=self._last_words()) from None
        except LimitReached as limit:
            if limit.name == "silence":  # a flood may have been stopped in the middle of a sequence
                self.require_gradable()
            raise self.limit(limit, awaited, advice=advice()) from None

    def serve(self, seconds: float) -> None:
        """Let things happen for so long, between two pieces of something that flows."""
        try:
            self.stage.serve(seconds)
        except LimitReached as limit:
            raise self.limit(limit, self.say("awaited.close")) from None

    def settle(self) -> None:
        """A turn is over too early; it may be that the program is about to end, and to say why."""
        with contextlib.suppress(LimitReached, ProgramEnded):
            self.stage.wait_until(lambda: bool(self.setup.terminal) and self._at_prompt(), SETTLE_S)

    def wait_for_prompt_sign(self) -> None:
        self.wait(self._at_prompt, self.say("awaited.prompt-sign"))

    def wait_for_end(self) -> Ended:
        try:
            return self.stage.wait_for_end()
        except LimitReached as limit:
            raise self.limit(limit, self.say("awaited.end")) from None

    def limit(self, limit: LimitReached, awaited: str, *, advice: str = "") -> Failure:
        message = self.say(f"limit.{limit.name}", figure=limit.figure, awaited=awaited) + advice
        waits = self.stage.program.waits_for_input or self._last_words().rstrip().endswith("(Pdb)")
        if limit.name == "silence" and waits:
            message += " " + self.say("waits-for-input")
        if strays := self.stage.gateway.strays:
            message += " " + self.say("strays", request=harmless(strays[0], 100))
        return Failure(message, actual=self._last_words(), verdict="limit", limit=limit)

    def failure(self, message: str, *, expected: str | None = None, actual: str | None = None) -> Failure:
        """A failure of the verdict `wrong`, or `crash` if an exception left the student's code or a signal came."""
        if problem := self._exception():
            if f"OSError: [Errno {errno.EFBIG}]" in problem:  # the system's word for a limit of ours
                limit = LimitReached("disk", self.say("one-file", limit=self.stage.limits.disk_bytes >> 20))
                return self.limit(limit, self.say("awaited.end"))
            return Failure(self.explainer.crash(problem), actual=self._code(), verdict="crash")
        ended = self.stage.program.ended
        verdict: Verdict = "crash" if ended and ended.signal else "wrong"
        return Failure(message, expected=expected, actual=actual, verdict=verdict)

    def require_gradable(self) -> None:
        """The screen knows everything that was printed. What it does not model is never counted as right."""
        if unmodelled := self.stage.screen.unmodelled:
            raise Failure(self.say("unmodelled", sequences=harmless(", ".join(unmodelled), 200)), verdict="error")

    def printed_errors(self) -> str:
        """Standard error; on a terminal it is mixed with everything else. As it was sent: it may clear the screen."""
        program = self.stage.program
        errors = program.printed.replace(b"\r\n", b"\n") if self.setup.terminal else bytes(program.errors)
        return COLOURS.sub("", errors.decode("utf-8", "replace"))

    def _exception(self) -> str | None:
        """The exception that left the student's code, on one line: as the program reported it, or as Python did."""
        for report in reversed(self.stage.program.reports):
            if isinstance(problem := report.get("exception"), str):
                return harmless(problem, 300)
        return traceback_line(self.printed_errors(), self.stage.program.spec.directory)

    def _code(self) -> str | None:
        """The line at which Python could not go on reading, with its caret, as Python shows it."""
        return code_of_syntax_error(self.printed_errors())

    def _at_prompt(self) -> bool:
        screen = self.stage.screen
        return screen.lines(Mark(screen.mark().row, 0))[-1].text.endswith(PROMPT_SIGN)

    def _last_words(self) -> str:
        if self.setup.terminal:
            return self.stage.screen.text()[-400:]
        program = self.stage.program
        return (program.printed or bytes(program.errors))[-400:].decode("utf-8", "replace")
