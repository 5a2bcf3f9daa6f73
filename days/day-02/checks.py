"""What day 2 asks for, as a person at a terminal would notice it.

Six checks, each a list of probes in the order in which they are run. The texts of the offline scripts are famous and
fixed; every other answer is made up anew.
"""

from __future__ import annotations

from grader.checks import Case, Desk, Size, probe, wire

# --- framing: whatever the network does, the parser finds the same deltas ---


def text(piece: str) -> dict[str, str]:
    return {"class": "TextDelta", "text": piece}


STOP = {"class": "FinishDelta", "reason": "stop"}
HI, THERE, DONE = wire.text("hi"), wire.text(" there"), wire.DONE
CUT, FAILED = "StreamTruncatedError", "GatewayError"

STREAMS = {
    "line-feeds": Case(HI + wire.finish() + DONE, [text("hi"), STOP]),
    "carriage-returns": Case((HI + THERE + DONE).replace(b"\n", b"\r\n"), [text("hi"), text(" there")]),
    "several-data-lines": Case(
        HI.replace(b'"delta"', b'\ndata: "delta"').replace(b"}]", b"}\ndata:]") + DONE, [text("hi")]
    ),
    # The lines of one event are joined with a line feed, which no JSON string may hold.
    "joined-with-line-feed": Case(HI + wire.text("a~b").replace(b"~", b"\ndata: ") + DONE, [text("hi")], FAILED),
    "comments": Case(b": welcome\n\n" + HI + b":\n\n: still here\n\n" + DONE, [text("hi")]),
    "comment-inside-event": Case(HI.replace(b'"delta"', b'\n: still here\ndata: "delta"') + DONE, [text("hi")]),
    "no-space-after-colon": Case((HI + DONE).replace(b"data: ", b"data:"), [text("hi")]),
    "other-fields": Case(
        b"event: message\ndata2: no\nid: 7\nretry: 3000\n" + HI + b"event: ping\n\nproxy\n" + DONE, [text("hi")]
    ),
    "usage-without-choices": Case(
        wire.finish() + wire.usage(3, 5) + DONE,
        [STOP, {"class": "UsageDelta", "input_tokens": 3, "output_tokens": 5}],
    ),
    "bytes-after-done": Case(HI + DONE + THERE + b"data: {", [text("hi")]),
    "starts-like-done": Case(HI + b"data: [DONE] soon\n\n" + DONE, [text("hi")], FAILED),
    "content-says-done": Case(wire.text("[DONE]") + wire.text("data: {}") + DONE, [text("[DONE]"), text("data: {}")]),
    "finish-without-done": Case(HI + wire.finish(), [text("hi"), STOP]),
    "characters-of-several-bytes": Case(wire.text("né 你好 🐙") + DONE, [text("né 你好 🐙")]),
    "line-separators-in-data": Case(wire.text("a\u2028b\u2029c\u0085d") + DONE, [text("a\u2028b\u2029c\u0085d")]),
    "unfinished-last-event": Case(wire.finish() + HI[:-1], [STOP]),
    "unfinished-done": Case(HI + DONE[:-1], [text("hi")], CUT),
    "no-terminator": Case(HI + THERE, [text("hi"), text(" there")], CUT),
    "nothing-at-all": Case(b"", [], CUT),
    "error-in-the-stream": Case(HI + wire.error("overloaded") + DONE, [text("hi")], FAILED),
    "payload-that-is-not-json": Case(HI + b"data: {oops\n\n" + DONE, [text("hi")], FAILED),
}


@probe("framing", exercise=1, cases=STREAMS)
def the_same_at_every_cut(desk: Desk, case: Case) -> None:
    desk.parser.expect_at_every_cut(case)


@probe("framing", exercise=1)
def fresh_stream(desk: Desk) -> None:
    pieces = desk.fresh.pieces(desk.fresh.markdown(), (5, 60))
    stream = b"".join(map(wire.text, pieces)) + wire.finish() + DONE
    desk.parser.expect(Case(stream, [*map(text, pieces), STOP]), desk.fresh.cuts(len(stream), 40))


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
    desk.parser.expect_before_next_chunk([HI, THERE[:-1], THERE[-1:] + HI, DONE], deltas=[1, 1, 3])


# --- long-answer: what arrives is what is shown ---


@probe("long-answer", exercise=2)
def english_script(desk: Desk) -> None:
    turn = desk.chat(offline=True, cold=True).ask("tell me about streaming")
    turn.expect_done("stop")
    turn.expect_text(desk.script("long-answer.en"))
    turn.expect_deltas(34)
    desk.facts["deltas"] = turn.deltas


@probe("long-answer", exercise=2)
def chinese_script(desk: Desk) -> None:
    turn = desk.chat(offline=True, cold=True).ask("讲讲流式")
    turn.expect_done("stop")
    turn.expect_text(desk.script("long-answer.zh"))
    turn.expect_deltas(34)


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
    turn.expect_deltas(len(pieces))
    turn.remember()


SIZES = {"one": 1, "two": 2, "three": 3, "seven": 7, "any": (1, 40), "all": 10_000}


@probe("long-answer", exercise=3, cases={f"delta-size-{name}": size for name, size in SIZES.items()})
def any_delta_size(desk: Desk, case: int | tuple[int, int]) -> None:
    answer = desk.fresh_for("any delta size").prose()
    turn = desk.chat().ask(desk.fresh.words(3))
    turn.send(*desk.fresh.pieces(answer, case))
    turn.finish()
    turn.expect_done("stop")
    turn.expect_text(answer)
    turn.remember()


# --- fenced-answer: Markdown that is never shown in a style that it does not keep ---


@probe("fenced-answer", exercise=3, cases={"english-script": "en", "chinese-script": "zh"})
def fenced_script(desk: Desk, case: str) -> None:
    prompt = {"en": "what does the parser look like", "zh": "解析器长什么样"}[case]
    with desk.program(prompt, offline=True) as chat:
        chat.turn.expect_done("stop")
        desk.facts.update(chat.turn.facts)
        chat.turn.expect_deltas(44)
        chat.turn.expect_styles(desk.script(f"fenced-answer.{case}"))
        chat.turn.expect_frames(51)
        chat.turn.expect_code_blocks(1)
        chat.expect_exit(0)


@probe("fenced-answer", exercise=3, cases={f"delta-size-{size}": size for size in (1, 3, 4, 7, 13, 10_000)})
def every_construct(desk: Desk, case: int) -> None:
    turn = desk.chat().ask(desk.fresh.words(3))
    turn.send(*desk.fresh.pieces(desk.fresh.markdown(), case))
    turn.finish()
    turn.expect_done("stop")
    turn.expect_styles()
    turn.remember()


HELD_BACK = {
    "tail-of-a-line": "{} {}",
    "tail-of-a-heading": "# {} {}",
    "tail-in-a-block": "```\n{}\n{} {}",
    "tail-in-a-fence": "{}\n``",
    "tail-in-bold": "{} **{}",
    "tail-in-a-marker": "{} **{}*",
    "tail-in-code": "{} `{}",
}


@probe("fenced-answer", exercise=3, cases=HELD_BACK)
def tail_is_shown(desk: Desk, case: str) -> None:
    turn = desk.chat().ask(desk.fresh.words(3))
    turn.send(*desk.fresh.pieces(case.format(*(desk.fresh.word() for _ in range(3))), 4))
    turn.expect_seen()
    turn.send(f"\n{desk.fresh.word()}")
    turn.expect_seen()
    turn.finish()
    turn.expect_done("stop")
    turn.expect_styles()
    turn.remember()


@probe("fenced-answer", exercise=3, cases={"control-characters": {}, "control-characters-no-color": {"NO_COLOR": "1"}})
def control_characters_are_shown(desk: Desk, case: dict[str, str]) -> None:
    turn = desk.chat(environment=case).ask(desk.fresh.words(3))
    before, after = desk.fresh.word(), desk.fresh.word()
    for danger in ("\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\r", "\x08\x08", "\x7f", "\x1b[?25l"):
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


# --- interrupt: Ctrl-C ends the turn and keeps what was shown ---


@probe("interrupt", exercise=2)
def while_it_flows(desk: Desk) -> None:
    chat = desk.chat()
    turn = chat.ask(desk.fresh.words(3))
    turn.send(*desk.fresh.pieces(desk.fresh.words(6), 4))
    turn.expect_seen()
    turn.press_ctrl_c()
    turn.flow_until_left(desk.fresh.pieces(desk.fresh.words(400), 4))
    turn.expect_done("aborted")
    turn.expect_shown_is_prefix()
    turn.remember(shown=turn.shown)
    chat.ask_and_answer(desk.fresh.words(3), desk.fresh.word()).expect_history()


@probe("interrupt", exercise=2)
def while_it_is_silent(desk: Desk) -> None:
    chat = desk.chat()
    turn = chat.ask(desk.fresh.words(3))
    turn.send(*desk.fresh.pieces(f"{desk.fresh.words(6)}\n{desk.fresh.words(3)}", 7))
    turn.expect_seen()
    turn.press_ctrl_c()
    turn.expect_left()
    turn.expect_done("aborted")
    turn.expect_text()
    turn.remember()
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
    turn.send(*desk.fresh.pieces(desk.fresh.words(5), 4))
    turn.cut()
    turn.expect_done("error")
    turn.remember()
    chat.ask_and_answer(desk.fresh.words(3), desk.fresh.word()).expect_history()


@probe("truncation", exercise=4, cases={"cut-in-a-line": "{}\n{} {}", "cut-in-bold": "{} **{} {}"})
def half_line_and_notice(desk: Desk, case: str) -> None:
    turn = desk.chat().ask(desk.fresh.words(3))
    turn.send(*desk.fresh.pieces(case.format(desk.fresh.words(3), desk.fresh.words(4), desk.fresh.word()), 4))
    turn.cut()
    turn.expect_done("error")
    turn.expect_notice()
    turn.expect_error(retryable=True)
    turn.remember()


@probe("truncation", exercise=4)
def cut_in_a_block(desk: Desk) -> None:
    turn = desk.chat().ask(desk.fresh.words(3))
    turn.send(*desk.fresh.pieces(f"{desk.fresh.word()}\n```\n{desk.fresh.words(3)}\n{desk.fresh.words(2)}", 4))
    turn.cut()
    turn.expect_done("error")
    turn.expect_notice()
    turn.expect_notice_not_in_code_style()
    turn.remember()


@probe("truncation", exercise=4)
def injected_offline(desk: Desk) -> None:
    turn = desk.chat(offline=True, environment={"INJECT": "truncated"}).ask(desk.fresh.words(3))
    turn.sent = desk.script("fault-truncated")[:48]  # twelve deltas are played
    turn.expect_done("error")
    turn.expect_notice()
    turn.expect_error(retryable=True)
    turn.remember()
    turn.expect_logged_history()


@probe("truncation", exercise=2, cases={"too-many-requests": (429, True), "bad-request": (400, False)})
def refused(desk: Desk, case: tuple[int, bool]) -> None:
    status, retryable = case
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


@probe("tty-vs-pipe", exercise=3, cases={"no-color": {"NO_COLOR": "1"}, "dumb-terminal": {"TERM": "dumb"}})
def plain_terminal(desk: Desk, case: dict[str, str]) -> None:
    chat = desk.chat(environment=case)
    turn = chat.ask(desk.fresh.words(3))
    turn.send(*desk.fresh.pieces(desk.fresh.markdown(), (1, 9)))
    turn.finish()
    turn.expect_done("stop")
    turn.expect_text()
    chat.expect_no_escape_sequence()


@probe("tty-vs-pipe", exercise=3, cases={"narrow-terminal": Size(40, 24), "odd-terminal": Size(41, 7)})
def small_terminal(desk: Desk, case: Size) -> None:
    chat = desk.chat(terminal=Size(40, 24))
    chat.resize(case)
    taller = f"{desk.fresh.line(case.columns * case.rows + 9)}{desk.fresh.han(5)}"
    # Painted again when they are exactly full, and, at an odd edge, over more rows than their width says.
    full = f"{desk.fresh.line(case.columns)}\n{desk.fresh.line(case.columns)}\n{desk.fresh.han(2 * case.columns)}"
    for answer, size in [(desk.fresh.prose(case.columns), 11), (f"{desk.fresh.word()}\n{taller}", 29), (full, 1)]:
        turn = chat.ask(desk.fresh.words(2))
        turn.send(*desk.fresh.pieces(answer, size))
        turn.finish()
        turn.expect_done("stop")
        turn.expect_text()
        turn.remember()


@probe("tty-vs-pipe", exercise=3)
def closed_pipe(desk: Desk) -> None:
    with desk.program(desk.fresh.words(3), terminal=None) as chat:
        chat.turn.send(desk.fresh.words(4))
        chat.turn.expect_seen()
        chat.close_output()
        chat.turn.send(*desk.fresh.pieces(desk.fresh.words(40), 9))
        chat.turn.finish()
        chat.expect_silent_end()
