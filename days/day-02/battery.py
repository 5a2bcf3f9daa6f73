"""What each file is asked by itself, to tell one idea from another.

Every input is fixed and small, and made for one question: where two ideas give the same answers to all of them, the kit
cannot tell them apart, and says nothing.
"""

from __future__ import annotations

from typing import Any

from grader.checks import wire
from grader.diagnosis.battery import Input
from grader.diagnosis.sight import Performance

# --- sse.py: which deltas came, when, and how it ended ---

HI, THERE, DONE, FINISH = wire.text("hi"), wire.text(" there"), wire.DONE, wire.finish()
CRLF = (HI + THERE + DONE).replace(b"\n", b"\r\n")
MANY_BYTES = wire.text("né 🐙") + DONE


def deltas(answer: dict[str, Any]) -> object:
    """The deltas, how many chunks had been asked for when each came, and the kind of error."""
    classes = answer["error"]["class"] if answer["error"] else ["-"]
    kinds = [kind for kind in ("StreamTruncatedError", "GatewayError", "-") if kind in classes]
    return [list(zip(map(short, answer["items"]), answer["asked"], strict=True)), (kinds or ["crash"])[0]]


def short(delta: dict[str, Any]) -> str:
    text = " ".join(str(value) for value in delta.values())
    return text if len(text) < 60 else f"{text[:20]}… {len(text)} characters"


def stream(name: str, data: bytes, *cuts: int) -> Input:
    return Input("sse.py", name, {"stream": data.decode("latin-1"), "cuts": cuts}, deltas)


PARSER = [
    stream("whole", HI + THERE + FINISH + wire.usage(3, 5) + DONE),
    stream("three-events", HI + THERE + FINISH + DONE, len(HI), len(HI + THERE)),
    stream("cut-in-an-event", HI + THERE + DONE, 9, len(HI) + 12),
    stream("cut-in-a-blank-line", HI + THERE + DONE, len(HI) - 1),
    stream("two-in-a-chunk", HI + THERE + HI + DONE, len(HI + THERE)),
    stream("crlf", CRLF),
    stream("crlf-cut-behind-the-line", CRLF, CRLF.index(b"\n")),
    stream("crlf-cut-in-the-blank-line", CRLF, CRLF.index(b"\r\n\r\n") + 3),
    stream("crlf-cut-in-each", CRLF, *(place for place, byte in enumerate(CRLF) if byte == 10)),
    stream("several-lines", HI.replace(b'"delta"', b'\ndata: "delta"') + DONE),
    stream("line-in-a-string", HI + wire.text("a~b").replace(b"~", b"\ndata: ") + DONE),
    stream("comment-between-lines", HI.replace(b'"delta"', b'\n: note\ndata: "delta"') + DONE),
    stream("comments", b": welcome\n\n" + HI + b":\n\n" + DONE),
    stream("comment-in-an-event", b": note\n" + HI + DONE),
    stream("empty-event", b"event: ping\n\n" + HI + DONE),
    stream("fields", b"event: message\nid: 7\n" + HI + DONE),
    stream("field-without-colon", b"proxy\n" + HI + DONE),
    stream("field-like-data", b"data2: no\n" + HI + DONE),
    stream("no-space", (HI + DONE).replace(b"data: ", b"data:")),
    stream("usage", FINISH + wire.usage(3, 5) + DONE),
    stream("behind-done", HI + DONE + THERE),
    stream("starts-like-done", HI + b"data: [DONE] soon\n\n" + THERE + DONE),
    stream("says-done", wire.text("[DONE]") + THERE + DONE),
    stream("says-data", wire.text("a data: b") + DONE),
    stream("no-done", HI + FINISH),
    stream("no-done-and-a-comment", HI + FINISH + b": note"),
    stream("no-terminator", HI + THERE),
    stream("nothing", b""),
    stream("only-comments", b": note\n\n"),
    stream("unfinished-event", HI + THERE[:-1]),
    stream("unfinished-line", HI + THERE[:-20]),
    stream("unfinished-done", HI + DONE[:-1]),
    stream("unfinished-done-line", HI + DONE[:-2]),
    stream("error", HI + wire.error("busy") + THERE + DONE),
    stream("not-json", HI + b"data: {oops\n\n" + THERE + DONE),
    stream("json-but-no-chunk", HI + b"data: 42\n\n" + THERE + DONE),
    stream("many-bytes", MANY_BYTES),
    stream("many-bytes-cut-in-two", MANY_BYTES, MANY_BYTES.index("é".encode()) + 1),
    stream("many-bytes-cut-in-four", MANY_BYTES, *(MANY_BYTES.index("🐙".encode()) + place for place in (1, 2, 3))),
    stream("line-separator", wire.text("a\u2028b") + DONE),
    stream("next-line", wire.text("a\u0085b") + DONE),
    stream("escapes", wire.text('one\n"two" \\ three') + DONE),
    stream("large", wire.text("x" * 70_000) + DONE, 512, 40_000, 69_000),
]

# --- loop.py: which events came, after how many deltas, and what is remembered ---

BUSY, WRONG = "The gateway is busy.", "The gateway does not know this model."
HELLO, BYE = ["text", "hello"], ["text", " you"]


def events(answer: dict[str, Any]) -> object:
    """The events, how many deltas had been given when each came, the messages, and whether the gateway can be told to
    stop; what was raised."""
    shown = [[event["class"], *_fields(event), event["given"]] for event in answer["events"]]
    return [shown, answer["messages"], answer["signal"], answer["raised"][:1]]


def _fields(event: dict[str, Any]) -> list[Any]:
    if event["class"] == "ErrorEvent":
        given = event["message"] in (BUSY, WRONG) or "cut off" in event["message"]
        return ["the gateway's sentence", event["retryable"]] if given else ["another sentence"]
    return [event.get("text", event.get("reason"))]


def steps(name: str, *script: list[Any], aborted: bool = False) -> Input:
    return Input("loop.py", name, {"steps": script, "aborted": aborted}, events)


LOOP = [
    steps("answer", HELLO, BYE, ["finish", "stop"], ["usage", 3, 5]),
    steps("reasoning", ["reasoning", "hm"], HELLO, ["reasoning", "so"], BYE, ["finish", "stop"]),
    steps("tool-call", HELLO, ["tool", 0, "a", "read", "{}"], ["finish", "tool_calls"]),
    steps("too-long", HELLO, ["finish", "length"]),
    steps("no-finish", HELLO, BYE),
    steps("no-text", ["finish", "stop"]),
    steps("lines", ["text", "one\ntwo"], ["text", "\n"], ["finish", "stop"]),
    steps("aborted", HELLO, BYE, ["abort"], ["cut"]),
    steps("aborted-before-text", ["abort"], ["cut"]),
    steps("aborted-before-the-request", ["cut"], aborted=True),
    steps("aborted-while-it-thinks", ["reasoning", "hm"], ["abort"], ["cut"]),
    steps("cut", HELLO, BYE, ["cut"]),
    steps("cut-before-text", ["cut"]),
    steps("busy", ["fail", BUSY, True, 429]),
    steps("refused", ["fail", WRONG, False, 400]),
    steps("error-behind-text", HELLO, ["fail", BUSY, True, None]),
    steps("final-error-behind-text", HELLO, ["fail", WRONG, False, None]),
]

# --- render.py: what was to be seen after each event ---

NOTICE = "The answer was cut off."
CODE = "see\n```py\nx = `1` **2**\n# no heading\n~~~\n```\nbehind `it`\n"
SPANS = "# head `x` line\na `b` c **d e** f\n2 * 3 ** 4\n"
DANGER = "a \x1b[2J b\nc \x1b]0;title\x07 d\ne \x9b31m f\n"
WIDE = "甲乙丙丁戊己庚辛壬癸" * 5


def pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def turn(name: str, text: str, size: int = 4, **rest: Any) -> Input:
    performance = Performance(pieces(text, size), **rest)
    request = {"events": performance.events, "tty": performance.tty, "columns": performance.columns}
    return Input("render.py", name, request, performance.seen)


def mentions(name: str, *words: str) -> Input:
    """Whether the file names any of these at all."""
    return Input("render.py", name, {"mentions": words}, lambda answer: bool(answer["mentioned"]))


def closed(answer: dict[str, Any]) -> object:
    return [answer["raised"][:1], bool(answer["errors"])]


CLOSED = {"events": Performance(["one", " two"]).events, "tty": False, "columns": None, "closed": True}

RENDERER = [
    turn("a-line", "one two three four", frames=6),
    turn("two-lines", "one **two**\nthree four\n", frames=6),
    turn("lines", "one two\n\nthree four\n", 3),
    turn("lines-in-one-piece", "one\ntwo\n\nthree\nfour", 100),
    turn("piece-with-a-line-end", "ab\ncd\nef", 2),
    turn("spans", SPANS, 100),
    turn("spans-in-pieces", SPANS, 3),
    turn("spans-by-character", SPANS, 1),
    turn("odd-backtick", "it is a ` and no more\nnext\n", 1),
    turn("two-backticks", "a `` b\nnext\n", 1),
    turn("three-backticks-in-a-line", "a ``` b\nnext line\nc ```` d\n", 3),
    turn("double-code", "a ``b ` c`` d\n", 1),
    turn("one-asterisk-less", "a **b c* d** e\n", 1),
    turn("open-bold", "a **b c d e\nnext\n", 1),
    turn("emphasis", "a *b c* d\nnext\n", 1),
    turn("blanks-in-bold", "a ** b ** c\n", 100),
    turn("names", "snake_case_name and __two__\n", 100),
    turn("no-headings", "#one\n####### seven\n", 100),
    turn("block", CODE, 100),
    turn("block-in-pieces", CODE, 4),
    turn("block-by-character", CODE, 1),
    turn("tilde-in-a-block", "```\na\n~~~\nb\n```\nc\n", 5),
    turn("shorter-fence-in-a-block", "````\na\n```\nb\n````\nc\n", 5),
    turn("open-block", "a\n```\nb\nc d", 3),
    turn("half-a-fence", "a\n``", 1),
    turn("half-a-heading", "# one tw", 3),
    turn("half-a-bold-span", "a **b c", 3),
    turn("half-a-marker", "a **b c*", 1),
    turn("half-a-code-span", "a `b c", 3),
    turn("ends-in-bold", "a **b**", 3),
    turn("ends-in-code", "a `b`", 3),
    turn("wrapped", "x" * 70 + " " + "y" * 60 + "\nnext\n", 10),
    turn("wrapped-span", "x" * 70 + " **" + "y" * 30 + "** z\nnext\n", 10),
    turn("as-wide-as-the-screen", "x" * 80 + "\nnext\n", 8),
    turn("wide", WIDE + "\nnext\n", 3),
    turn("wide-at-an-odd-edge", "x" + WIDE + "\nnext\n", 3),
    turn("wrapped-at-the-bottom", "x" * 100 + "\nnext\n", 10, rows_before=23),
    turn("below-other-text", "one\ntwo\n", 3, rows_before=2),
    turn("below-a-full-row", "one\n" + "x" * 80 + "\nnext\n", 4),
    turn("sixty-columns", "x" * 70 + "\nnext\n", 10, columns=60),
    turn("forty-columns", "x" * 50 + "\nnext\n", 10, columns=40),
    turn("wide-at-two-odd-edges", "x" + "甲" * 78 + "y" + "乙" * 5 + "\nnext\n", 1),
    turn("taller-than-the-screen", "0123456 89" * 200 + "\nnext\n", 40),
    turn("control", DANGER, 5),
    turn("control-without-escapes", DANGER, 5, tty=False),
    turn("control-in-a-pipe", DANGER, 5, tty=False, columns=None),
    turn("without-escapes", SPANS + CODE, 4, tty=False),
    turn("pipe", SPANS + CODE, 4, tty=False, columns=None),
    turn("pipe-without-line-end", "one\ntwo", 4, tty=False, columns=None),
    turn("cut", "one\ntwo thr", 4, notice=NOTICE),
    turn("cut-behind-a-line", "one\ntwo\n", 4, notice=NOTICE),
    turn("cut-in-bold", "a **b c", 4, notice=NOTICE),
    turn("cut-in-a-block", "a\n```\nb\nc d", 4, notice=NOTICE),
    turn("cut-without-escapes", "one\ntwo thr", 4, notice=NOTICE, tty=False),
    turn("cut-in-a-pipe", "one\ntwo thr", 4, notice=NOTICE, tty=False, columns=None),
    turn("aborted", "one\ntwo thr", 4, ending="aborted"),
    turn("refused", "", notice=NOTICE),
    mentions("names-of-the-gateway", "deltas", "gateway", "TextDelta", "choices", "finish_reason"),
    Input("render.py", "closed-pipe", CLOSED, closed),
]

BATTERY = [*PARSER, *LOOP, *RENDERER]
