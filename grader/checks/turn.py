"""One prompt and its answer.

Verbs *do* something, as the gateway or as the person (`send`, `cut`, `press_ctrl_c`), or *expect* something
(`expect_seen`, `expect_done`). An expectation that is not met says what was awaited and what was there instead.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable
from typing import Any

from ..evidence.gateway import Exchange, wire
from ..evidence.limits import LimitReached
from ..evidence.reactor import now
from ..evidence.screen import PLAIN, Line, Mark, Style
from ..evidence.stage import ProgramEnded
from ..harmless import excerpt, harmless, with_signs
from .failure import Failure
from .markdown import code_blocks, style_fault, styled_lines
from .reading import as_lines, as_seen, conversation, is_plain_sentence, spelled_out
from .watch import PROMPT_SIGN, Watch

# While an answer flows, the next delta is sent when the program has had so long to react to the last.
FLOW_S = 0.002

# A program that waited for the rest of an answer must have had enough of it then.
GO_ON_S = 2.0


class Turn:
    """`sent` is the text that the gateway has sent so far."""

    def __init__(self, chat: Watch, prompt: str, mark: Mark) -> None:
        self.chat = chat
        self.sent = ""
        self._say = chat.say
        self._stage = chat.stage
        self._mark = mark
        self._at_prompt = False  # the turn is over, and the prompt sign stands behind its answer
        self._reports_before = len(chat.stage.program.reports)
        self._mis_styled_before = chat.stage.screen.frame_log().mis_styled
        self._stage.turns.append(now() - self._stage.program.started)
        self.exchange: Exchange
        if not chat.setup.offline:
            chat.wait(self._has_asked, self._say("awaited.request"), advice=chat.explainer.no_request)
            self.exchange = chat.stage.gateway.waiting.pop(0)
        chat.history.append(("user", prompt))

    # What the gateway and the person do.

    def send(self, *pieces: str) -> None:
        """Send each piece as one delta, all in one go."""
        self.exchange.send(b"".join(map(wire.text, pieces)))
        self.sent += "".join(pieces)

    def send_event(self, event: bytes, text: str = "") -> None:
        """Send an event of any kind. `text` is what a person must see of it."""
        self.exchange.send(event)
        self.sent += text

    def end_reply(self) -> None:
        """End the reply as HTTP wants it, whatever was sent."""
        self.exchange.finish()

    def finish(self, reason: str = "stop") -> None:
        """Send the finish reason, the usage and `[DONE]`, and end the reply."""
        for event in (wire.finish(reason), wire.usage(7, 11), wire.DONE):
            self.exchange.send(event)
        self.exchange.finish()

    def cut(self) -> None:
        """Close the connection in the middle of the answer."""
        self.exchange.cut()

    def refuse(self, status: int, message: str) -> None:
        """Answer with an error status."""
        self.exchange.refuse(status, message)

    def press_ctrl_c(self) -> None:
        self.chat.press_ctrl_c()

    def flow_until_left(self, pieces: Iterable[str]) -> None:
        """Go on sending, piece after piece, until the program closes the connection."""
        for piece in pieces:
            if self.exchange.left or self._stage.program.ended:
                break
            self.send(piece)
            self.chat.serve(FLOW_S)
        self.expect_left()

    def remember(self, *, shown: str | None = None) -> None:
        """For the person the turn is over, and the answer, as it was shown, is part of the conversation."""
        if text := as_seen(self.sent if shown is None else shown):
            self.chat.history.append(("assistant", text))

    # What is to be seen.

    @property
    def shown(self) -> str:
        """The answer as the person sees it, on the terminal or as it came through the pipe."""
        if self.chat.setup.terminal:
            text = "\n" + self._stage.screen.text(self._mark)
            behind = f"\n{PROMPT_SIGN.rstrip()}" if self._at_prompt else ""
            return text.removesuffix(behind)[1:].rstrip("\n")
        return self._stage.program.printed.decode("utf-8", "backslashreplace")

    def expect_seen(self) -> None:
        """Wait until everything that was sent so far in this turn is to be seen, while the rest is held back."""
        awaited = as_seen(self.sent)
        try:
            self.chat.wait(
                lambda: self.shown.endswith(awaited) or self._must_go_on(),
                self._say("awaited.text", text=with_signs(awaited[-60:])),
            )
        except Failure as failure:
            failure.expected, failure.actual = awaited, self.shown
            raise self._if_it_goes_on(failure, "held-back") from None

    def expect_shown(self, text: str) -> None:
        """Wait until the screen shows exactly this in this turn, while the rest is held back."""
        try:
            self.chat.wait(lambda: self.shown == text, self._say("awaited.text", text=with_signs(text[-60:])))
        except Failure as failure:
            failure.expected, failure.actual = text, self.shown
            raise

    def expect_asked_again(self) -> None:
        """Wait for another request for the same answer; what is sent from now on goes to that."""
        waiting = self._stage.gateway.waiting
        self.chat.wait(lambda: bool(waiting), self._say("awaited.request"))
        self.exchange = waiting.pop(0)

    def expect_seen_word(self, word: str) -> None:
        """Wait until a word is to be seen, whatever stands around it."""
        self.chat.wait(lambda: word in self.shown or self._must_go_on(), self._say("awaited.text", text=word))

    def expect_left(self) -> None:
        """Wait until the program has closed the connection although the reply was incomplete."""
        try:
            self.chat.wait(lambda: self.exchange.left, self._say("awaited.close"))
        except Failure as failure:
            raise self._if_it_goes_on(failure, "ctrl-c-ignored") from None

    def expect_done(self, reason: str) -> None:
        """Wait for the end of the turn. The last event is the one `DoneEvent`, and has this reason."""
        self._wait_for_end()
        endings = [event for event in self.events if event["event"] == "DoneEvent"]
        if endings != [{"event": "DoneEvent", "reason": reason}] or self.events[-1] != endings[0]:
            found = ", ".join(f"done/{event.get('reason')}" for event in endings) or self._say("no-done-event")
            if endings and self.events[-1] != endings[-1]:
                found += " …"
            wanted = f"done/{reason}"
            raise self.chat.failure(
                self._say("wrong-ending", wanted=wanted, found=harmless(found, 200)),
                expected=wanted,
                actual=found,
            )

    def expect_deltas(self, count: int) -> None:
        """The program reported so many pieces of text."""
        if self.deltas != count:
            raise self._failure("wrong-deltas", str(count), str(self.deltas))

    def expect_deltas_at_least(self, count: int) -> None:
        """The program reported no fewer pieces of text than were seen one after another."""
        if self.deltas < count:
            raise self._failure("wrong-deltas", f"≥ {count}", str(self.deltas))

    def expect_event_classes(self, classes: set[str]) -> None:
        """The loop yielded objects of these classes only."""
        if other := {event["event"] for event in self.events} - classes:
            raise self._failure("wrong-events", ", ".join(sorted(classes)), ", ".join(sorted(other)))

    def expect_text(self, text: str | None = None) -> None:
        """The answer to be seen is exactly this text (without one: what was sent), each line once."""
        expected = as_seen(self.sent if text is None else text)
        if self.shown != expected:
            more = expected and expected in self.shown
            raise self._failure("more-than-the-answer" if more else "wrong-text", expected, self.shown)

    def expect_shown_is_prefix(self) -> None:
        """The answer to be seen is the beginning of what was sent, however much."""
        sent = as_seen(self.sent)
        if not sent.startswith(self.shown):
            raise self._failure("wrong-text", sent[: len(self.shown)], self.shown)

    def expect_styles(self, text: str | None = None) -> None:
        """The right text, in the right final styles, and no frame in a style that was not kept."""
        self.expect_text(text)
        if fault := style_fault(styled_lines(self.sent if text is None else text), self._lines()):
            raise Failure(
                self._say(
                    "wrong-style",
                    character=fault.line[fault.column],
                    place=fault.column + 1,
                    line=excerpt(fault.line, fault.column),
                    wanted=self._say(f"look.{fault.wanted}"),
                    shown=self._in_words(fault.shown),
                )
            )
        self.expect_no_mis_styled_frame()
        self._expect_style_off()

    def _expect_style_off(self) -> None:
        """What follows the turn is plain."""
        if not self._stage.screen.style.plain:
            raise self._failure("style-left-on", self._in_words(PLAIN), self._in_words(self._stage.screen.style))

    def _in_words(self, style: Style) -> str:
        return " ".join(self._say(f"style.{word}") for word in style.words or ["plain"])

    def expect_no_mis_styled_frame(self) -> None:
        log = self._stage.screen.frame_log()
        if log.first and log.mis_styled > self._mis_styled_before:
            raise Failure(
                self._say(
                    "mis-styled",
                    count=log.mis_styled - self._mis_styled_before,
                    frame=log.first.frame,
                    character=with_signs(log.first.character),
                    line=excerpt(log.first.line, log.first.column),
                ),
                expected=self._in_words(log.first.style_finally),
                actual=self._in_words(log.first.style_then),
            )

    def expect_frames(self, count: int) -> None:
        """So many repaints of a line: one after each delta for the unfinished line, one for each that is complete."""
        frames = self._stage.screen.frames()
        if frames != count:
            once_per_line = frames <= 2 * len(self._lines())
            raise self._failure("frames-once-per-line" if once_per_line else "wrong-frames", str(count), str(frames))

    def expect_code_blocks(self, count: int) -> None:
        found = self.facts["code_blocks"]
        if found != count:
            raise self._failure("wrong-code-blocks", str(count), str(found))

    def expect_nothing_obeyed(self) -> None:
        """The terminal shows the model's control characters instead of doing what they say: every line of this turn
        begins and ends with the same words, with something to be seen between them."""
        screen = self._stage.screen
        sent, lines = self.sent.removesuffix("\n").split("\n"), self.shown.split("\n")
        shown = len(lines) == len(sent) and all(map(spelled_out, sent, lines))
        shown = shown and all(
            line.styles[len(line.text.rstrip()) - 1].plain for line in self._lines() if line.text.strip()
        )
        if not shown or screen.modes or screen.title.startswith("title") or not screen.cursor_visible:
            raise self._failure("obeyed", with_signs(self.sent[:80]), "\n".join(lines))

    def expect_notice(self) -> None:
        """Behind the answer as far as it came, one plain sentence stands on a line of its own."""
        answer = as_seen(self.sent)
        lines, length = self.shown.split("\n"), len(answer.split("\n")) if answer else 0
        notice = [line for line in lines[length:] if line]
        if lines[:length] != (answer.split("\n") if answer else []) or len(notice) != 1:
            wanted = f"{answer}\n{self._say('a-plain-sentence')}" if answer else self._say("a-plain-sentence")
            raise self._failure("wrong-notice", wanted, self.shown)
        if not is_plain_sentence(notice[0]):
            raise self._failure("notice-not-plain", self._say("a-plain-sentence"), notice[0])
        self._expect_style_off()

    def expect_notice_not_in_code_style(self) -> None:
        """The sentence does not look like a line of the block in which the answer was cut."""
        *answer, notice = [line for line in self._lines() if line.text.strip()]
        code = answer[-1].styles[0]
        if notice.styles[0] == code and not code.plain:
            raise self._failure("notice-in-code-style", self._in_words(PLAIN), self._in_words(code))

    # What the program reported, and what it sent.

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of this turn, as the program's session log has them."""
        return [report for report in self._reports() if isinstance(report.get("event"), str)]

    @property
    def deltas(self) -> int:
        """How many pieces of text the program reported."""
        return sum(event["event"] in ("TextEvent", "TextDelta") for event in self.events)

    @property
    def facts(self) -> dict[str, int]:
        """The famous numbers of a program that answered one prompt."""
        return {
            "deltas": self.deltas,
            "frames": self._stage.screen.frames(),
            "mis_styled": self._stage.screen.frame_log().mis_styled,
            "code_blocks": code_blocks(styled_lines(self.shown), self._lines()),
        }

    def expect_error(self, *, retryable: bool) -> None:
        """One `ErrorEvent`, which says whether asking again may help."""
        errors = [event.get("retryable") for event in self.events if event["event"] == "ErrorEvent"]
        if errors != [retryable]:
            raise self._failure("wrong-error", str(retryable), ", ".join(map(str, errors)) or "-")

    def expect_history(self) -> None:
        """This turn's request carried the conversation as the person saw it, and nothing else."""
        expected = self.chat.history[: -1 if self.chat.history[-1][0] == "assistant" else None]
        actual = conversation(self.exchange.request.messages)
        if actual != expected:
            raise self._failure("wrong-history", as_lines(expected), as_lines(actual))

    def expect_logged_history(self) -> None:
        """After this turn the program remembers the conversation as the person saw it."""
        actual = conversation(self._logged_messages())
        if actual != self.chat.history:
            raise self._failure("wrong-history", as_lines(self.chat.history), as_lines(actual))

    def _reports(self) -> list[dict[str, Any]]:
        """What the program reported since this turn began."""
        after = self._stage.program.reports[self._reports_before :]
        return list(itertools.takewhile(lambda report: "messages" not in report, after))

    def _logged_messages(self) -> list[Any] | None:
        """The conversation that the program logs at the end of the turn."""
        for report in self._stage.program.reports[self._reports_before :]:
            if isinstance(messages := report.get("messages"), list):
                return messages
        return None

    def _wait_for_end(self) -> None:
        """The turn is over when the program says what it remembers, and all it printed has arrived."""
        self.chat.wait(
            lambda: self._logged_messages() is not None or self._must_not_ask_again(), self._say("awaited.end-of-turn")
        )
        if self.chat.setup.prompt is not None:
            self.chat.wait_for_end()
        elif self.chat.setup.terminal:
            self.chat.wait_for_prompt_sign()
        self._at_prompt = self.chat.setup.prompt is None
        self.chat.require_gradable()

    def _if_it_goes_on(self, failure: Failure, message: str) -> Failure:
        """What a long silence means: a program that goes on as soon as it gets the rest of the answer does not hang."""
        if failure.limit is None or failure.limit.name != "silence" or self.chat.setup.offline:
            return failure
        self.finish()
        with contextlib.suppress(LimitReached, ProgramEnded):
            self._stage.wait_until(lambda: self._logged_messages() is not None, GO_ON_S)
        if self._logged_messages() is None:
            return failure
        sentence = self._say(message, figure=failure.limit.figure)
        return Failure(sentence, expected=failure.expected, actual=failure.actual, limit=failure.limit)

    def _has_asked(self) -> bool:
        """Whether the turn's request is there; waiting for it ends with the turn."""
        if not self._stage.gateway.waiting and self._logged_messages() is not None:
            self.chat.settle()
            raise self.chat.failure(self._say("no-request") + self.chat.explainer.no_request())
        return bool(self._stage.gateway.waiting)

    def _must_go_on(self) -> bool:
        """Waiting for more of an answer makes sense only while its turn goes on."""
        if self._logged_messages() is not None:
            self.chat.settle()
            raise self._failure("turn-over", as_seen(self.sent), self.shown)
        return self._must_not_ask_again()

    def _must_not_ask_again(self) -> bool:
        """One prompt, one request: a program that asks again by itself makes the person pay twice."""
        if self._stage.gateway.waiting:
            raise self.chat.failure(self._say("asked-again"))
        return False

    def _lines(self) -> list[Line]:
        """The answer's lines on the screen, without the prompt sign behind them."""
        lines = self._stage.screen.lines(self._mark)
        if self._at_prompt and lines and lines[-1].text == PROMPT_SIGN:
            lines.pop()
        return lines

    def _failure(self, message: str, expected: str, actual: str) -> Failure:
        return self.chat.failure(self._say(message), expected=expected, actual=actual)
