"""What is looked at in a parser of the whole event-stream standard, and what a program must do to pass.

Six checks, each a list of probes in the order in which they are run. `vectors.json` holds 64 streams from real
providers, bug reports and the standard, with the events in them: each is one probe's. Every probe plays fresh streams
too, if its subject is one that a program could have by heart.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from grader.checks import Case, Desk, EventStream, probe

# --- The streams ---


def event(data: str, event: str = "message", id: str = "", retry: int | None = None) -> dict[str, Any]:
    """An event as `probe.py` shows it."""
    return {"class": "ServerSentEvent", "event": event, "data": data, "id": id, "retry": retry}


@cache
def vectors() -> dict[str, Case]:
    table = json.loads(Path(__file__).with_name("vectors.json").read_text("utf-8"))["vectors"]
    return {vector["name"]: case_of(vector) for vector in table}


def case_of(vector: dict[str, Any]) -> Case:
    events = [
        event(e["data"], e.get("event", "message"), e.get("id", ""), vector.get("retry")) for e in vector["expected"]
    ]
    return Case(base64.b64decode(vector["bytes_b64"]), events)


def as_the_standard_says(stream: bytes) -> Case:
    """A stream that was made up now, with the events that the engine's own parser finds in it."""
    return Case(stream, [event(e.data, e.type, e.id, e.retry) for e in EventStream().feed(stream)])


def fresh_stream(desk: Desk, end: str = "\n") -> bytes:
    """Events of every form, with lines that end like this."""
    word, words, han = desk.fresh.word, desk.fresh.words, desk.fresh.han
    lines = [
        f": {words(2)}", "",
        f"data: {words(4)}", "",
        f"event: {word()}", f"data: {han(4)} {desk.fresh.emoji()}", f"id: {word()}", "",
        f"data:{word()}", f": {word()}", "data", f"data:  {word()}", f"{word()}: {word()}", "",
        f"retry: {len(words(9))}", f"data: {word()}", "", "",
    ]  # fmt: skip
    return "".join(f"{line}{end}" for line in lines).encode()


def everywhere(desk: Desk, *names: str) -> None:
    """These vectors have their events whole, at every two-way cut, and byte by byte."""
    for name in names:
        desk.parser.expect_at_every_cut(vectors()[name])


# --- chunks: LF streams, and whatever the network does to them ---

PROVIDERS = [
    "anthropic-error-event", "anthropic-full", "assistants-thread-error", "mistral-data-json-scalar",
    "openai-data-after-done", "openai-error-object-midstream", "openai-finish-then-eof-no-done",
    "openai-truncated-no-finish", "openai-usage-empty-choices", "responses-api", "tool-call-args-split",
]  # fmt: skip


@probe("chunks", exercise=1)
def every_chunk_size(desk: Desk) -> None:
    cases = [vectors()[name] for name in PROVIDERS]
    words = [desk.fresh.words(3) for _ in range(8)]
    made_up = as_the_standard_says("".join(f"data: {it}\n\n" for it in words).encode())
    for case in (*cases, made_up):
        desk.parser.expect(case, [list(range(size, len(case.stream), size)) for size in range(1, 51)])


@probe("chunks", exercise=1)
def every_cut(desk: Desk) -> None:
    words = [desk.fresh.words(2) for _ in range(4)]
    desk.parser.expect_at_every_cut(as_the_standard_says("".join(f"data: {it}\n\n" for it in words).encode()))
    everywhere(desk, "responses-api", "assistants-thread-error")


@probe("chunks", exercise=1)
def characters_of_several_bytes(desk: Desk) -> None:
    text = f"é {desk.fresh.han(3)} {desk.fresh.emoji()}{desk.fresh.han(2)}"
    for case in (vectors()["utf8-4byte"], as_the_standard_says(f"data: {text}\n\n".encode())):
        inside = [place for place, byte in enumerate(case.stream) if byte & 0xC0 == 0x80]
        desk.parser.expect(case, [*([place] for place in inside), inside])


@probe("chunks", exercise=1)
def several_data_lines(desk: Desk) -> None:
    words = [desk.fresh.words(2) for _ in range(4)]
    made_up = "".join(f"data: {it}\n" for it in words) + "\n"
    for case in (
        vectors()["json-pretty-printed-multiline"],
        vectors()["many-data-lines"],
        as_the_standard_says(made_up.encode()),
    ):
        desk.parser.expect(case, [[]])


# --- fields: what a line says ---

FIELDS = {
    "one-space": ["event-name-space-kept", "trailing-space-kept", "tab-not-stripped"],
    "no-colon": ["event-field-cleared-by-empty"],
    "other-fields": ["leading-space-field", "space-before-colon", "uppercase-field", "last-event-field-wins"],
    "comments": ["comment-empty", "comment-inside-event", "comment-not-field", "openrouter-processing"],
    "event-without-data": ["anysep-file-start", "event-type-reset-by-empty-block", "explicit-message-type"],
    "empty-data": ["anthropic-ping-empty-data", "priming-event-empty-data"],
    "id-stays": ["wpt-id-nonascii-sticky", "comment-between-fields-sticky-id", "spec-four-blocks"],
    "id-with-nul": ["wpt-null-in-id-ignored"],
    "retry-of-digits": ["retry-ok", "retry-negative-and-plus", "retry-unicode-digits", "wpt-retry-bogus"],
}

# The same with words that nobody knows beforehand.
MADE_UP = {
    "one-space": "event:  {a}\ndata:   {b} {c}  \n\ndata:\t{a}\n\n",
    "no-colon": "data: {a}\ndata\ndata: {b}\n\nevent: {a}\nevent\ndata: {b}\n\n",
    "other-fields": "{a}: {b}\ndata: {a}\ndat: {b}\ndatas: {c}\nDATA: {c}\n\n",
    "comments": ": {a}\n\n:{b}\ndata: {b}\n:data: {c}\n: data: {a}\ndata: {c}\n\n:\n\n",
    "event-without-data": "event: {a}\n\ndata: {b}\n\nevent: {c}\n: {a}\n\ndata: {a}\n\n\n\n",
    "empty-data": "data:\n\nevent: {a}\ndata: \n\ndata: {b}\n\n",
    "id-stays": "id: {a}\ndata: {b}\n\ndata: {c}\n\nid: {c}\n\ndata: {a}\n\nid\ndata: {b}\n\n",
    "id-with-nul": "id: {a}\ndata: {b}\n\nid: {b}\0{c}\ndata: {c}\n\n",
    "retry-of-digits": "retry: 7{a}\ndata: {b}\n\nretry: 3000\ndata: {c}\n\ndata: {a}\n\nretry: +5\ndata: {b}\n\n",
}


@probe("fields", exercise=1, cases={name: [name, *names] for name, names in FIELDS.items()})
def lines_are_understood(desk: Desk, case: Sequence[str]) -> None:
    name, *names = case
    everywhere(desk, *names)
    words = {letter: desk.fresh.word() for letter in "abc"}
    desk.parser.expect_at_every_cut(as_the_standard_says(MADE_UP[name].format(**words).encode()))


# --- line-ends: LF, CRLF, lone CR, and all of them in one stream ---


@probe("line-ends", exercise=1)
def carriage_return_line_feed(desk: Desk) -> None:
    everywhere(
        desk, "crlf-basic", "gemini-crlf", "openai-crlf", "bom-then-crlf", "cr-lf-cr-lf-lf", "gemini-last-unterminated"
    )
    desk.parser.expect_at_every_cut(as_the_standard_says(fresh_stream(desk, "\r\n")))


@probe("line-ends", exercise=1)
def carriage_return_alone(desk: Desk) -> None:
    desk.parser.expect_at_every_cut(as_the_standard_says(fresh_stream(desk, "\r")))


@probe("line-ends", exercise=1)
def mixed(desk: Desk) -> None:
    names = ["mixed-lf-cr", "eventsource326-event-crlf-data-lf", "blank-lines-only"]
    lf, crlf, cr = (fresh_stream(desk, end) for end in ("\n", "\r\n", "\r"))
    for case in (*(vectors()[name] for name in names), as_the_standard_says(lf + crlf + lf + cr + lf)):
        desk.parser.expect(case, [[]])


# --- text: from bytes to characters, and from lines to what is never an event ---


@probe("text", exercise=1)
def byte_order_mark(desk: Desk) -> None:
    everywhere(desk, "only-bom", "bom-inside-data", "wpt-double-bom")
    word = desk.fresh.word()
    desk.parser.expect_at_every_cut(as_the_standard_says(f"\ufeffdata: {word}\n\n\ufeffdata: {word}\n\n".encode()))


@probe("text", exercise=1)
def malformed_utf_8(desk: Desk) -> None:
    everywhere(desk, "utf8-overlong-newline", "utf8-truncated-seq-before-lf", "utf8-noncharacter")
    before, after = desk.fresh.word().encode(), desk.fresh.word().encode()
    for fault in (b"\xff", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xe4\xbd"):
        desk.parser.expect_at_every_cut(as_the_standard_says(b"data: " + before + fault + after + b"\n\n"))


@probe("text", exercise=1)
def no_other_line_ends(desk: Desk) -> None:
    everywhere(desk, "fs-gs-rs-in-data", "u0085-in-data", "u2028-in-data", "u2029-in-data")
    signs = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
    text = "".join(f"{desk.fresh.word()}{sign}" for sign in signs)
    desk.parser.expect_at_every_cut(as_the_standard_says(f"data: {text}\n\n".encode()))


@probe("text", exercise=1)
def unfinished_event(desk: Desk) -> None:
    everywhere(
        desk,
        "eof-mid-json",
        "eof-no-newline",
        "id-not-applied-until-blank-line",
        "gemini-raw-json-error",
        "spec-blank-blocks",
    )
    desk.parser.expect_at_every_cut(
        as_the_standard_says(f"data: {desk.fresh.word()}\n\ndata: {desk.fresh.word()}\n".encode())
    )


# --- promptness: an event is out as soon as its blank line is there ---


@probe("promptness", exercise=1)
def at_the_line_feed(desk: Desk) -> None:
    out_with_their_chunks(desk, "\n")


@probe("promptness", exercise=1)
def at_the_carriage_return(desk: Desk) -> None:
    out_with_their_chunks(desk, "\r")
    out_with_their_chunks(desk, "\r\n", held="\n")
    case = vectors()["lf-cr-is-two-eols"]
    desk.parser.expect_at_every_cut(case)
    desk.parser.expect_before_next_chunk(case, [9], [1, 2])


def out_with_their_chunks(desk: Desk, end: str, held: str = "") -> None:
    """Each event is given out with the chunk that ends its blank line; what is `held` of it comes with the next chunk,
    and is not waited for."""
    events = [f"data: {desk.fresh.words(2)}{end}{end}" for _ in range(4)]
    cuts, place = [], 0
    for one in events:
        place += len(one)
        cuts.append(place - len(held))
    case = as_the_standard_says("".join(events).encode())
    desk.parser.expect(case, [cuts])
    desk.parser.expect_before_next_chunk(case, cuts, [1, 2, 3, 4])


# --- endurance: bad payloads, endless events, large ones ---

JSON = {"json": True}


def payload(value: object) -> dict[str, Any]:
    return {"class": "Payload", "json": json.dumps(value, ensure_ascii=False)}


def bad(position: int, data: str) -> dict[str, Any]:
    return {"class": "PayloadError", "position": position, "data": data}


@probe("endurance", exercise=3)
def bad_payloads(desk: Desk) -> None:
    first, second, third = ({"text": desk.fresh.words(2)} for _ in range(3))
    broken, cut = "{" + desk.fresh.word(), json.dumps({"text": desk.fresh.word()})[:-2]
    parts = [json.dumps(first), broken, "", json.dumps(second), cut, "[]", json.dumps(third)]
    items = [payload(first), bad(1, broken), bad(2, ""), payload(second), bad(4, cut), payload([]), payload(third)]
    stream = "".join(f"data: {part}\n\n" for part in parts).encode()
    for case in (Case(stream, items, told=JSON), Case(stream + b"data: [DONE]\n\n", items, told=JSON)):
        desk.parser.expect(case, [[], *([size * 7] for size in range(1, 9)), list(range(5, len(stream), 5))])


@probe("endurance", exercise=3)
def done_ends_the_stream(desk: Desk) -> None:
    value, other = {"text": desk.fresh.word()}, desk.fresh.word()
    says, starts = {"text": "[DONE]"}, f"[DONE] {other}"
    stream = f"data: {json.dumps(says)}\n\ndata: {starts}\n\ndata: {json.dumps(value)}\n\ndata: [DONE]\n\n".encode()
    items = [payload(says), bad(1, starts), payload(value)]
    behind = f"data: {json.dumps(value)}\n\ndata: {{oops\n\ndata: [DONE]\n\n".encode()
    case = Case(stream + behind, items, told=JSON)
    desk.parser.expect(case, [[], [len(stream)], [len(stream) - 1], list(range(9, len(case.stream), 9))])


LIMIT = 1000


@probe("endurance", exercise=2)
def limit_of_an_event(desk: Desk) -> None:
    small = f"data: {desk.fresh.words(3)}\n\n"
    many = as_the_standard_says(small.encode() * (3 * LIMIT // len(small)))
    desk.parser.expect(told_limit(many), [[], list(range(64, len(many.stream), 64))])
    one_line = f"data: {'x' * 2 * LIMIT}"
    for too_large in (f"{one_line}\n\n", one_line, f"data: {'x' * 90}\n" * (2 * LIMIT // 90) + "\n"):
        stream = f"{small}{too_large}".encode()
        case = Case(stream, as_the_standard_says(small.encode()).items, "EventTooLarge")
        desk.parser.expect(told_limit(case), [list(range(size, len(stream), size)) for size in (7, len(small))])


def told_limit(case: Case) -> Case:
    return Case(case.stream, case.items, case.error, {"limit": LIMIT})


# Bytes of the smallest event, and the sizes of its chunks; lines of the smallest event.
LARGE, CHUNK, LINES, MANY_LINES_CHUNK = 200_000, 1024, 4_000, 4096


@probe("endurance", exercise=1)
def large_event(desk: Desk) -> None:
    costs_no_more(desk, lambda times: "x" * (LARGE * times), CHUNK)


@probe("endurance", exercise=1)
def many_lines(desk: Desk) -> None:
    costs_no_more(desk, lambda times: "\n".join(["12345678"] * (LINES * times)), MANY_LINES_CHUNK)


def costs_no_more(desk: Desk, data: Callable[[int], str], chunk: int) -> None:
    """One event, twice as large, four times as large: the cost grows with it, and not with its square."""
    texts = [f"{desk.fresh.word()}{data(times)}" for times in (1, 2, 4)]
    cases = [Case(f"data: {text}\n\n".replace("\n1", "\ndata: 1").encode(), [event(text)]) for text in texts]
    with desk.stand_in("quadratic") as quadratic:
        desk.parser.expect_linear(cases, chunk, quadratic)
