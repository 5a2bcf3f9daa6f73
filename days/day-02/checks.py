"""What day 2 asks for, as a person at a terminal would notice it.

Six checks, each a list of probes in the order in which they are run. The texts of the offline scripts are famous and
fixed; every other answer is made up anew.
"""

from __future__ import annotations

from pathlib import Path

from grader.checks import Case, Desk, Size, Turn, probe, wire
from grader.checks.labfile import load

# --- framing: whatever the network does, the parser finds the same deltas ---

framing = load(Path(__file__).with_name("framing.py"))
text, STOP, HI, THERE, DONE = framing.text, framing.STOP, framing.HI, framing.THERE, framing.DONE


@probe("framing", exercise=1, cases=framing.STREAMS)
def the_same_at_every_cut(desk: Desk, case: list[Case]) -> None:
    for stream in case:
        desk.parser.expect_at_every_cut(stream)


@probe("framing", exercise=1)
def fresh_stream(desk: Desk) -> None:
    pieces = desk.fresh.pieces(desk.fresh.markdown(), (5, 60))
    last = desk.fresh.word()  # one chunk may hold text and the end
    stream = b"".join(map(wire.text, pieces)) + wire.event(wire.chunk({"content": last}, "stop")) + DONE
    desk.parser.expect(Case(stream, [*map(text, [*pieces, last]), STOP]), desk.fresh.cuts(len(stream), 40))


# Four times the event may cost about four times the work; a buffer that is gone through again with each chunk costs
# sixteen times as much. Far above what measuring adds, and small enough not to be worth a word, nothing is said.
QUADRATIC, NOTICEABLE_S = 9, 0.03


@probe("framing", exercise=1)
def large_event(desk: Desk) -> None:
    word = desk.fresh.word()
    answers = [word * (size // len(word)) for size in (1 << 16, 1 << 16, 1 << 16, 1 << 18, 1 << 18)]
    costs = desk.parser.expect_large([Case(wire.text(it) + DONE, [text(it)]) for it in answers], chunk=512)
    small, large = min(costs[:3]), min(costs[3:])  # a busy machine only ever adds
    if large > NOTICEABLE_S and large > QUADRATIC * small:
        desk.advice.append(desk.say("advice.quadratic"))


@probe("framing", exercise=1)
def delivered_at_once(desk: Desk) -> None:
    case = Case(HI + THERE + HI + DONE, [])
    desk.parser.expect_before_next_chunk(case, [len(HI), len(HI + THERE) - 1, len(HI + THERE + HI)], [1, 1, 3])


# --- long-answer: what arrives is what is shown ---


@probe("long-answer", exercise=2)
def offline_scripts(desk: Desk) -> None:
    for prompt, script in {"tell me about streaming": "long-answer.en", "讲讲流式": "long-answer.zh"}.items():
        turn = desk.chat(offline=True, cold=True).ask(prompt)
        turn.expect_done("stop")
        turn.expect_text(desk.script(script))
        turn.expect_deltas(34)
        desk.facts["deltas"] = turn.deltas


@probe("long-answer", exercise=3)
def any_delta_size(desk: Desk) -> None:
    answer = desk.fresh.prose()
    for size in (1, 2, 3, 7, (1, 40), len(answer)):
        turn = desk.chat().ask(desk.fresh.words(3))
        turn.send(*desk.fresh.pieces(answer, size))
        turn.finish()
        turn.expect_done("stop")
        turn.expect_text(answer)
        turn.remember()


@probe("long-answer", exercise=2)
def shown_as_it_arrives(desk: Desk) -> None:
    turn = desk.chat().ask(desk.fresh.words(3))
    pieces = desk.fresh.pieces(desk.fresh.words(12), (3, 9))
    for piece in pieces:
        turn.send(piece)
        turn.expect_seen()
    turn.finish()
    turn.expect_done("stop")
    turn.expect_text()
    turn.expect_deltas_at_least(len(pieces))
    turn.remember()


# --- fenced-answer: Markdown that is never shown in a style that it does not keep ---


@probe("fenced-answer", exercise=3)
def offline_blocks(desk: Desk) -> None:
    for prompt, script in {"what does the parser look like": "en", "解析器长什么样": "zh"}.items():
        with desk.program(prompt, offline=True) as chat:
            chat.turn.expect_done("stop")
            desk.facts.update(chat.turn.facts)
            chat.turn.expect_deltas(44)
            chat.turn.expect_styles(desk.script(f"fenced-answer.{script}"))
            chat.turn.expect_frames(51)
            chat.turn.expect_code_blocks(1)
            chat.expect_exit(0)


@probe("fenced-answer", exercise=3)
def every_construct(desk: Desk) -> None:
    for size in (1, 3, 4, 7, 13, 10_000):
        turn = desk.chat().ask(desk.fresh.words(3))
        turn.send(*desk.fresh.pieces(desk.fresh.markdown(), size))
        turn.finish()
        turn.expect_done("stop")
        turn.expect_styles()
        turn.remember()


DANGERS = ("\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\r", "\x08\x08", "\x7f", "\x1b[?25l")


@probe("fenced-answer", exercise=3)
def control_characters_are_shown(desk: Desk) -> None:
    for environment in ({}, {"NO_COLOR": "1"}):
        turn = desk.chat(environment=environment).ask(desk.fresh.words(3))
        before, after = desk.fresh.word(), desk.fresh.word()
        for danger in DANGERS:
            turn.send(f"{before} {danger}", f" {after}\n")
        turn.expect_seen_word(after)
        turn.finish()
        turn.expect_done("stop")
        turn.expect_nothing_obeyed()
        turn.remember()


@probe("fenced-answer", exercise=2)
def reasoning_is_not_shown(desk: Desk) -> None:
    turn = desk.chat().ask(desk.fresh.words(3))
    turn.send_event(wire.reasoning(desk.fresh.words(4)))
    turn.send(*desk.fresh.pieces(desk.fresh.words(4), 4))
    turn.send_event(wire.reasoning(desk.fresh.words(4)))
    turn.finish()
    turn.expect_done("stop")
    turn.expect_text()
    turn.remember()


@probe("fenced-answer", exercise=2)
def events_only(desk: Desk) -> None:
    turn = desk.chat().ask(desk.fresh.words(3))
    turn.send(*desk.fresh.pieces(desk.fresh.words(4), 4))
    turn.finish()
    turn.expect_done("stop")
    turn.expect_event_classes({"TextEvent", "ErrorEvent", "DoneEvent"})
    turn.remember()


# What a provider calls the end of an answer, and what a turn calls it.
REASONS = {"length": "length", "tool_calls": "tool_calls", "content_filter": "stop"}


@probe("fenced-answer", exercise=2)
def finish_reasons(desk: Desk) -> None:
    chat = desk.chat()
    for reason, done in REASONS.items():
        turn = chat.ask(desk.fresh.words(3))
        turn.expect_history()
        turn.send(desk.fresh.words(4))
        if reason == "tool_calls":
            turn.send_event(wire.tool_call(desk.fresh.word(), "{}"))
        turn.finish(reason)
        turn.expect_done(done)
        turn.expect_text()
        turn.remember()
    chat.ask_and_answer(desk.fresh.words(3), desk.fresh.word()).expect_history()


@probe("fenced-answer", exercise=3)
def cursor_stays_visible(desk: Desk) -> None:
    chat = desk.chat()
    chat.ask_and_answer(desk.fresh.words(3), desk.fresh.words(6))
    chat.expect_cursor_never_hidden()


WIRE_FIELDS = {"choices", "delta", "content", "finish_reason", "reasoning_content", "tool_calls", "usage"}
GATEWAY_NAMES = {
    "deltas", "gateway", "Delta", "TextDelta", "ReasoningDelta", "ToolCallDelta", "UsageDelta", "FinishDelta",
    "ToolCall", "Message", "ChatRequest", "CancelSignal", "GatewayError", "StreamTruncatedError", "parse_chunk",
    "Gateway",
}  # fmt: skip


@probe("fenced-answer", exercise=3)
def gateway_kept_out(desk: Desk) -> None:
    desk.expect_names_absent("render.py", WIRE_FIELDS | GATEWAY_NAMES)


# In a line, a heading, a block, a fence, a bold span, its closing marker, a code span.
HALF_LINES = ("{} {}", "# {} {}", "```\n{}\n{} {}", "{}\n``", "{} **{}", "{} **{}*", "{} `{}")


@probe("fenced-answer", exercise=3)
def tail_is_shown(desk: Desk) -> None:
    for half in HALF_LINES:
        turn = desk.chat().ask(desk.fresh.words(3))
        turn.send(*desk.fresh.pieces(half.format(*(desk.fresh.word() for _ in range(3))), 4))
        turn.expect_seen()
        turn.send(f"\n{desk.fresh.word()}")
        turn.expect_seen()
        turn.finish()
        turn.expect_done("stop")
        turn.expect_text()
        turn.remember()


# --- interrupt: Ctrl-C ends the turn and keeps what was shown ---


@probe("interrupt", exercise=2)
def while_it_answers(desk: Desk) -> None:
    chat = desk.chat()
    silent = chat.ask(desk.fresh.words(3))
    silent.send(*desk.fresh.pieces(f"{desk.fresh.words(6)}\n{desk.fresh.words(3)}", 7))
    silent.expect_seen()
    silent.press_ctrl_c()
    silent.expect_left()
    silent.expect_done("aborted")
    silent.expect_text()
    silent.remember()

    flowing = chat.ask(desk.fresh.words(3))
    flowing.expect_history()
    flowing.send(*desk.fresh.pieces(desk.fresh.words(6), 4))
    flowing.expect_seen()
    flowing.press_ctrl_c()
    # In short lines: how many come before the key is heard depends on the machine, and what they look like must not.
    flowing.flow_until_left(desk.fresh.pieces("\n".join(desk.fresh.words(5) for _ in range(80)), 4))
    flowing.expect_done("aborted")
    flowing.expect_shown_is_prefix()
    flowing.remember(shown=flowing.shown)
    chat.ask_and_answer(desk.fresh.words(3), desk.fresh.word()).expect_history()


@probe("interrupt", exercise=2)
def before_any_text(desk: Desk) -> None:
    chat = desk.chat()
    turn = chat.ask(desk.fresh.words(3))
    turn.send_event(b": thinking\n\n")
    turn.press_ctrl_c()
    turn.expect_left()
    turn.expect_done("aborted")
    turn.expect_text("")
    chat.ask_and_answer(desk.fresh.words(3), desk.fresh.word()).expect_history()


# --- truncation: a stream that ends is no answer that ended ---


@probe("truncation", exercise=2)
def partial_text_is_remembered(desk: Desk) -> None:
    chat = desk.chat()
    turn = chat.ask(desk.fresh.words(3))
    turn.send(*desk.fresh.pieces(f"\n  {desk.fresh.words(5)}", 4))
    turn.cut()
    turn.expect_done("error")
    turn.remember()
    chat.ask_and_answer(desk.fresh.words(3), desk.fresh.word()).expect_history()

    offline = injected(desk)
    offline.expect_done("error")
    offline.remember()
    offline.expect_logged_history()


@probe("truncation", exercise=4)
def half_line_and_notice(desk: Desk) -> None:
    words = desk.fresh.words
    in_a_line, in_bold = f"{words(3)}\n{words(4)} {words(1)}", f"{words(3)} **{words(4)} {words(1)}"
    in_a_block = f"{words(1)}\n```\n{words(3)}\n{words(2)}"
    for answer in (in_a_line, in_bold, in_a_block):
        turn = desk.chat().ask(words(3))
        turn.send(*desk.fresh.pieces(answer, 4))
        turn.cut()
        expect_cut_off(turn)
        if answer is in_a_block:
            turn.expect_notice_not_in_code_style()
            expect_plain_line(desk)
    expect_cut_off(injected(desk))
    for terminal in (Size(), None):  # where escape sequences are not welcome, the sentence has none either
        chat = desk.chat(terminal=terminal, environment={"NO_COLOR": "1"})
        turn = chat.ask(words(3))
        turn.send(words(4))
        turn.cut()
        turn.expect_done("error")
        chat.expect_no_escape_sequence()


def expect_plain_line(desk: Desk) -> None:
    """The next turn knows nothing of the block in which the last one ended."""
    turn = desk.chat().ask(desk.fresh.words(3))
    turn.send(*desk.fresh.pieces(desk.fresh.words(4), 4))
    turn.finish()
    turn.expect_done("stop")
    turn.expect_styles()
    turn.remember()


def expect_cut_off(turn: Turn) -> None:
    turn.expect_done("error")
    turn.expect_notice()
    turn.expect_error(retryable=True)
    turn.remember()


def injected(desk: Desk) -> Turn:
    """A turn that is cut off without a gateway."""
    turn = desk.chat(offline=True, environment={"INJECT": "truncated"}).ask(desk.fresh.words(3))
    turn.sent = desk.script("fault-truncated")[:48]  # twelve deltas are played
    return turn


@probe("truncation", exercise=2)
def refusals(desk: Desk) -> None:
    silent = desk.chat().ask(desk.fresh.words(3))
    silent.send_event(b": thinking\n\n")
    silent.cut()
    expect_cut_off(silent)
    for status, retryable in {429: True, 503: True, 400: False}.items():
        turn = desk.chat().ask(desk.fresh.words(3))
        turn.refuse(status, desk.fresh.words(2))
        turn.expect_done("error")
        turn.expect_notice()
        turn.expect_error(retryable=retryable)


# --- tty-vs-pipe: the same text everywhere, and escape sequences only where they are welcome ---


@probe("tty-vs-pipe", exercise=3)
def pipe_is_verbatim(desk: Desk) -> None:
    answers = [f"{desk.fresh.markdown()}\n\x1b[1m\t\x07{desk.fresh.word()}", f"{desk.fresh.words(4)}\n"]
    with desk.program(terminal=None) as chat:
        for answer in answers:
            turn = chat.ask(desk.fresh.words(3))
            turn.send(*desk.fresh.pieces(answer, (1, 9)))
            turn.finish()
            turn.expect_done("stop")
        chat.end_input()
        chat.expect_exit(0)
        chat.expect_output("".join(answer.removesuffix("\n") + "\n" for answer in answers))


@probe("tty-vs-pipe", exercise=3)
def plain_terminal(desk: Desk) -> None:
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        chat = desk.chat(environment=environment)
        turn = chat.ask(desk.fresh.words(3))
        turn.send(*desk.fresh.pieces(desk.fresh.markdown(), (1, 9)))
        turn.expect_seen()
        turn.finish()
        turn.expect_done("stop")
        turn.expect_text()
        chat.expect_no_escape_sequence()


@probe("tty-vs-pipe", exercise=3)
def small_terminal(desk: Desk) -> None:
    chat = desk.chat(terminal=Size(40, 24))
    for size in (Size(40, 24), Size(41, 7)):
        chat.resize(size)
        taller = f"{desk.fresh.line(size.columns * (size.rows + 2) + 9)}{desk.fresh.han(5)}"
        # Painted again when they are exactly full, and, at an odd edge, over more rows than their width says.
        line, han = desk.fresh.line, desk.fresh.han
        full = f"{line(size.columns)}\n{line(size.columns)}\n{han(2 * size.columns)}"
        for answer, piece in [(desk.fresh.prose(size.columns), 11), (f"{desk.fresh.word()}\n{taller}", 29), (full, 1)]:
            turn = chat.ask(desk.fresh.words(2))
            turn.send(*desk.fresh.pieces(answer, piece))
            turn.finish()
            turn.expect_done("stop")
            turn.expect_text()
            turn.remember()
    turn = chat.ask(desk.fresh.words(2))
    turn.send(f"{desk.fresh.words(2)}\n")
    turn.expect_seen()
    chat.resize(Size(30, 7))
    turn.send(*desk.fresh.pieces(f"{line(70)}\n{line(50)}", 4))
    turn.finish()
    turn.expect_done("stop")
    turn.expect_text()


@probe("tty-vs-pipe", exercise=3)
def closed_pipe(desk: Desk) -> None:
    with desk.program(desk.fresh.words(3), terminal=None) as chat:
        chat.turn.send(desk.fresh.words(4))
        chat.turn.expect_seen()
        chat.close_output()
        chat.turn.send(*desk.fresh.pieces(desk.fresh.words(40), 9))
        chat.turn.finish()
        chat.expect_silent_end()
