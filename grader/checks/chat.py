"""The lab's program as a person meets it: a running program, prompt after prompt."""

from __future__ import annotations

from collections.abc import Callable

from ..catalogue import Catalogue
from ..evidence.screen import Mark
from ..evidence.stage import LimitReached, ProgramEnded, Stage
from ..evidence.terminal.launch import Size
from ..evidence.terminal.program import Ended
from ..harmless import harmless
from ..results import Verdict
from .failure import Failure
from .reading import traceback_line
from .setup import Setup
from .turn import PROMPT_SIGN, Turn


class Chat:
    """A program on a stage. `history` is the conversation as the person saw it, as (role, content)."""

    def __init__(self, stage: Stage, setup: Setup, catalogue: Catalogue) -> None:
        self.stage = stage
        self.setup = setup
        self.say = catalogue.say
        self.history: list[tuple[str, str]] = []
        if setup.prompt is not None:
            self.turn = Turn(self, setup.prompt, Mark(0, 0))
        elif setup.terminal:
            self.wait_for_prompt_sign()

    def ask(self, prompt: str) -> Turn:
        """Type a prompt and Enter; unless the program is offline, wait until its request has arrived."""
        mark = Mark(self.stage.screen.mark().row + 1, 0)
        self.stage.program.type(prompt.encode() + b"\n")
        return Turn(self, prompt, mark)

    def ask_and_answer(self, prompt: str, answer: str) -> Turn:
        """A whole turn in which nothing special happens."""
        turn = self.ask(prompt)
        turn.send(answer)
        turn.finish()
        turn.expect_done("stop")
        turn.remember()
        return turn

    def press_ctrl_c(self) -> None:
        self.stage.program.type(b"\x03")

    def end_input(self) -> None:
        """Nothing more will be typed."""
        self.stage.program.end_input()

    def resize(self, size: Size) -> None:
        """Change the size of the window."""
        self.stage.resize(size)

    def close_output(self) -> None:
        """Nobody reads any more, as when the output goes to `head`."""
        self.stage.program.close_output()

    def wait_for_prompt_sign(self) -> None:
        self.wait(self._at_prompt, self.say("awaited.prompt-sign"))

    def expect_exit(self, status: int) -> None:
        how = self.wait_for_end()
        if how.signal or how.status != status:
            raise self.failure(self.say("ended-with", how=how), expected=f"status {status}", actual=str(how))

    def expect_silent_end(self) -> None:
        """The program ends, and has nothing to say about it."""
        self.wait_for_end()
        if errors := self.printed_errors().strip():
            raise self.failure(self.say("not-silent"), expected="", actual=harmless(errors))

    def expect_output(self, text: str) -> None:
        """What came through the pipe is exactly this."""
        printed = self.stage.program.printed.decode("utf-8", "backslashreplace")
        if printed != text:
            raise self.failure(self.say("wrong-output"), expected=harmless(text), actual=harmless(printed))

    def expect_no_escape_sequence(self) -> None:
        printed = self.stage.program.printed
        if (position := printed.find(b"\x1b")) >= 0:
            found = printed[position : position + 20].decode("utf-8", "replace")
            raise self.failure(self.say("escape-sequence"), expected="", actual=harmless(found))

    def expect_cursor_never_hidden(self) -> None:
        if self.stage.screen.cursor_was_hidden:
            raise Failure(self.say("cursor-hidden"))

    def wait_for_end(self) -> Ended:
        try:
            return self.stage.wait_for_end()
        except LimitReached as limit:
            raise self.limit(limit, self.say("awaited.end")) from None

    def wait(self, seen: Callable[[], bool], awaited: str) -> None:
        """Wait until `seen()`. When that cannot be, the failure says what was awaited and what was there instead."""
        try:
            self.stage.wait_until(seen)
        except ProgramEnded as end:
            message = self.say("ended-early", how=end.how, awaited=awaited)
            raise self.failure(message, actual=harmless(self._last_words())) from None
        except LimitReached as limit:
            if limit.name == "silence":  # a flood may have been stopped in the middle of a sequence
                self.require_gradable()
            raise self.limit(limit, awaited) from None

    def limit(self, limit: LimitReached, awaited: str) -> Failure:
        message = self.say(f"limit.{limit.name}", figure=limit.figure, awaited=awaited)
        return Failure(message, actual=harmless(self._last_words()), verdict="limit")

    def failure(self, message: str, *, expected: str | None = None, actual: str | None = None) -> Failure:
        """A failure of the verdict `wrong`, or `crash` if an exception left the student's code or a signal came."""
        if problem := self._exception():
            return Failure(self.say("crashed", problem=problem), verdict="crash")
        ended = self.stage.program.ended
        verdict: Verdict = "crash" if ended and ended.signal else "wrong"
        return Failure(message, expected=expected, actual=actual, verdict=verdict)

    def require_gradable(self) -> None:
        """The screen knows everything that was printed. What it does not model is never counted as right."""
        if unmodelled := self.stage.screen.unmodelled:
            raise Failure(self.say("unmodelled", sequences=harmless(", ".join(unmodelled), 200)), verdict="error")

    def printed_errors(self) -> str:
        """Standard error; on a terminal it is mixed with everything else."""
        program = self.stage.program
        return self.stage.screen.text() if self.setup.terminal else program.errors.decode("utf-8", "replace")

    def _exception(self) -> str | None:
        """The exception that left the student's code, on one line: as the program reported it, or as Python did."""
        for report in reversed(self.stage.program.reports):
            if isinstance(problem := report.get("exception"), str):
                return harmless(problem, 300)
        return traceback_line(self.printed_errors())

    def _at_prompt(self) -> bool:
        screen = self.stage.screen
        return screen.lines(Mark(screen.mark().row, 0))[-1].text.endswith(PROMPT_SIGN)

    def _last_words(self) -> str:
        if self.setup.terminal:
            return self.stage.screen.text()[-400:]
        return self.stage.program.printed[-400:].decode("utf-8", "replace")
