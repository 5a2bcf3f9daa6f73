"""The lab's program as a person meets it: a running program, prompt after prompt."""

from __future__ import annotations

from ..evidence.screen import Mark
from ..evidence.stage import Stage
from ..evidence.terminal.launch import Size
from .explainer import Explainer
from .failure import Failure
from .setup import Setup
from .turn import Turn
from .watch import Watch, how_it_ended


class Chat(Watch):
    """A program that is talked to. With a prompt on its command line, `turn` is its only turn."""

    def __init__(self, stage: Stage, setup: Setup, explainer: Explainer) -> None:
        super().__init__(stage, setup, explainer)
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

    def end_input(self) -> None:
        """Nothing more will be typed."""
        self.stage.program.end_input()

    def resize(self, size: Size) -> None:
        """Change the size of the window."""
        self.stage.resize(size)

    def close_output(self) -> None:
        """Nobody reads any more, as when the output goes to `head`."""
        self.stage.program.close_output()

    def expect_exit(self, status: int) -> None:
        how = self.wait_for_end()
        if how.signal or how.status != status:
            wanted, found = self.say("with-status", status=status), how_it_ended(how, self.say)
            raise self.failure(self.say("ended-with", wanted=wanted, how=found), expected=wanted, actual=found)

    def expect_silent_end(self) -> None:
        """The program ends, and has nothing to say about it."""
        self.wait_for_end()
        if errors := self.printed_errors().strip():
            raise self.failure(self.say("not-silent"), expected="", actual=errors)

    def expect_output(self, text: str) -> None:
        """What came through the pipe is exactly this."""
        printed = self.stage.program.printed.decode("utf-8", "backslashreplace")
        if printed != text:
            raise self.failure(self.say("wrong-output"), expected=text, actual=printed)

    def expect_no_escape_sequence(self) -> None:
        printed = self.stage.program.printed
        if (position := printed.find(b"\x1b")) >= 0:
            found = printed[position : position + 20].decode("utf-8", "replace")
            raise self.failure(self.say("escape-sequence"), expected="", actual=found)

    def expect_cursor_never_hidden(self) -> None:
        if self.stage.screen.cursor_was_hidden:
            raise Failure(self.say("cursor-hidden"))
