"""What `sse.py` is asked by itself, to tell one idea from another.

Every stream is fixed and small, and made for one question: where two ideas give the same answers to all of them, the
kit cannot tell them apart, and says nothing.
"""

from __future__ import annotations

from typing import Any

from grader.checks.growth import SIZES, Growth
from grader.diagnosis.battery import Input

# --- What matters of an answer ---


def items(answer: dict[str, Any]) -> object:
    """The items and the chunk that each came with; the kind of error, and the chunk that it came with."""
    classes = answer["error"]["class"] if answer["error"] else ["-"]
    kind = next((one for one in classes if one in ("EventTooLarge", "-")), "crash")
    came = [[*map(short, answer["items"])], answer["asked"]]
    # Where it crashes depends on how it reads, and not only on the idea.
    return [*came, kind] if kind == "crash" else [*came, kind, answer["ended"]]


def short(item: dict[str, Any]) -> str:
    text = " ".join(str(value) for value in item.values())
    return text if len(text) < 60 else f"{text[:20]}… {len(text)} characters"


def growth(answer: dict[str, Any]) -> object:
    """Whether the cost grows with the square of the size."""
    quadratic = Growth(tuple(answer["quadratic"]))
    return "quadratic" if Growth(tuple(answer["costs"])).is_like(quadratic) else "linear"


def stream(name: str, text: str | bytes, *cuts: int, json: bool = False, limit: int | None = None) -> Input:
    data = text.encode() if isinstance(text, str) else text
    request = {"stream": data.decode("latin-1"), "cuts": cuts, "json": json, "limit": limit}
    return Input("sse.py", name, request, items)


def byte_by_byte(name: str, text: str) -> Input:
    return stream(name, text, *range(1, len(text.encode())))


def payloads(name: str, *texts: str, apart: bool = False) -> Input:
    """These as the data of an event each, in one chunk or in one each."""
    blocks = [f"data: {text}\n\n" for text in texts]
    ends = [len("".join(blocks[:count])) for count in range(1, len(blocks))]
    return stream(name, "".join(blocks), *(ends if apart else ()), json=True)


def cost(name: str, start: str, repeated: str, end: str, *, times: int, chunk: int) -> Input:
    sizes = [times, times * SIZES[-1]]
    request = {"start": start, "repeated": repeated, "end": end, "times": sizes, "chunk": chunk}
    return Input("sse.py", name, request, growth)


# --- The questions ---

TWO = "data: hi\n\ndata: there\n\n"
CRLF, CR = TWO.replace("\n", "\r\n"), TWO.replace("\n", "\r")
LINES = "event: a\ndata: b\ndata: c\n\n"
CRLF_LINES, CR_LINES = LINES.replace("\n", "\r\n"), LINES.replace("\n", "\r")
BOM = "\ufeff"

CHUNKS = [
    stream("whole", TWO),
    stream("at-the-blank-line", TWO, 10),
    stream("in-the-blank-line", TWO, 9),
    stream("in-a-line", TWO, 4, 14),
    stream("in-a-line-twice", TWO, 3, 5, 14, 16),
    stream("behind-the-blank-line", TWO, 13),
    byte_by_byte("byte-by-byte", TWO),
    stream("three-events", TWO + "data: you\n\n", 10),
    stream("several-lines", LINES),
    stream("several-lines-cut", LINES, 12, 18),
    stream("empty-lines", "data: a\ndata:\ndata: b\n\n"),
    stream("nothing", ""),
    stream("blank-lines", "\n\n\n" + TWO),
    stream("many-bytes", "data: né 🐙\n\n"),
    byte_by_byte("many-bytes-cut", "data: né 🐙\n\n"),
]

FIELDS = [
    stream("no-space", "data:hi\n\n"),
    stream("two-spaces", "data:  hi\nevent:  a\n\n"),
    stream("spaces-behind", "data: hi \nevent: a \n\n"),
    stream("tab", "data:\thi\t\n\n"),
    stream("only-a-space", "data: \n\n"),
    stream("colons", "data: a:b: c\n\n"),
    stream("data-without-colon", "data\n\n" + TWO),
    stream("event-without-colon", "event: a\nevent\ndata: b\n\n"),
    stream("other-without-colon", "note\ndata: a\n\n"),
    stream("unknown", "note: x\ndata: a\n\n"),
    stream("like-data", "data2: x\ndatabase\ndata: a\n\n"),
    stream("beginning-of-data", "dat: x\nd: y\ndata: a\n\n"),
    stream("capitals", "DATA: x\nEvent: x\nID: x\ndata: a\n\n"),
    stream("space-before-the-name", " data: x\ndata: a\n\n"),
    stream("space-before-the-colon", "data : x\ndata: a\n\n"),
    stream("two-names", "event: a\nevent: b\ndata: c\n\n"),
    stream("comment-in-an-event", "data: a\n: note\ndata: b\n\n"),
    stream("comment-before", ": note\n\n:\n\ndata: a\n\n"),
    stream("comment-like-data", ":data: x\n: data: y\ndata: a\n\n"),
    stream("name-alone", "event: a\n\ndata: b\n\n"),
    stream("name-of-the-event-before", "event: a\ndata: b\n\ndata: c\n\n"),
    stream("name-is-message", "event: message\ndata: a\n\n"),
    stream("empty-name", "event:\ndata: a\n\n"),
    stream("empty-data", "data:\n\nevent: ping\ndata: \n\n"),
    stream("two-empty-lines", "data\ndata\n\n"),
    stream("id", "id: 7\ndata: a\n\ndata: b\n\n"),
    stream("id-alone", "id: 7\n\ndata: a\n\n"),
    stream("id-emptied", "id: 7\ndata: a\n\nid:\ndata: b\n\n"),
    stream("id-and-a-heartbeat", "id: 7\ndata: a\n\n: ping\n\ndata: b\n\n"),
    stream("id-with-nul", "id: 7\ndata: a\n\nid: 8\0\ndata: b\n\n"),
    stream("nul", "data: a\0b\nevent: c\0\n\n"),
    stream("retry", "retry: 3000\ndata: a\n\ndata: b\n\n"),
    stream("retry-alone", "retry: 3000\n\ndata: a\n\n"),
    stream("retry-with-a-letter", "retry: 30s\ndata: a\n\n"),
    stream("retry-with-a-sign", "retry: +30\ndata: a\n\nretry: -30\ndata: b\n\n"),
    stream("retry-with-a-blank", "retry:  30\ndata: a\n\n"),
    stream("retry-with-an-underscore", "retry: 1_000\ndata: a\n\n"),
    stream("retry-in-other-digits", "retry: ٣٠\ndata: a\n\n"),
    stream("retry-squared", "retry: 3²\ndata: a\n\n"),
    stream("empty-retry", "retry:\ndata: a\n\n"),
]

LINE_ENDS = [
    stream("crlf", CRLF),
    stream("crlf-cut-behind-a-line", CRLF_LINES, 9),
    stream("crlf-cut-in-the-blank-line", CRLF, CRLF.index("\r\n\r\n") + 3),
    byte_by_byte("crlf-byte-by-byte", CRLF_LINES + CRLF),
    stream("cr", CR),
    stream("cr-cut", CR_LINES, 9, 17, 25),
    byte_by_byte("cr-byte-by-byte", CR_LINES + CR),
    stream("cr-behind-lf", TWO + CR + TWO),
    stream("lf-behind-cr", CR + TWO + CR),
    stream("lf-behind-crlf", CRLF + TWO + CRLF),
    stream("crlf-behind-lf", TWO + CRLF + TWO),
    stream("two-in-a-blank-line", "data: a\r\n\ndata: b\n\r\ndata: c\n\rdata: d\r\r\n"),
    stream("crlf-at-the-blank-lines", CRLF, CRLF.index("\r\n\r\n") + 4),
    stream("cr-at-the-blank-lines", CR, CR.index("\r\r") + 2),
    stream("cr-in-front-of-a-line", CR, CR.index("\r\r") + 4),
]

TEXT = [
    stream("bom", BOM + TWO),
    stream("bom-cut", BOM + TWO, 1, 2),
    stream("bom-by-itself", BOM + TWO, 3),
    stream("two-boms", BOM + BOM + TWO),
    stream("bom-in-front-of-an-event", TWO + BOM + TWO),
    stream("bom-in-front-of-a-chunk", TWO + BOM + TWO, len(TWO)),
    stream("bom-in-front-of-a-line", "data: a\n" + BOM + "data: b\n\n"),
    stream("bom-in-front-of-a-line-and-a-chunk", "data: a\n" + BOM + "data: b\n\n", 8),
    stream("bom-in-data", f"data: a{BOM}b\ndata: {BOM}c\n\n"),
    stream("bom-in-data-and-in-front-of-a-chunk", f"data: a{BOM}b\n\n", 7),
    stream("only-bom", BOM),
    stream("bad-byte", b"data: a\xffb\n\n" + TWO.encode()),
    stream("bad-byte-in-a-name", b"event: a\xff\ndata: b\n\n"),
    stream("half-a-character", b"data: a\xf0\x9f\x98b\n\n"),
    stream("half-a-character-at-the-end", b"data: a\xe4\xbd\n\n"),
    stream("half-a-surrogate", b"data: a\xed\xa0\x80b\n\n"),
    stream("overlong", b"data: a\xc0\x8ab\n\n"),
    stream("line-separator", "data: a\u2028b\u2029c\n\n"),
    stream("next-line", "data: a\u0085b\n\n"),
    stream("vertical-tab", "data: a\x0bb\x0cc\n\n"),
    stream("separators", "data: a\x1cb\x1dc\x1ed\n\n"),
    stream("unfinished-event", TWO + "data: you\n"),
    stream("unfinished-crlf-event", CRLF + "data: you\r\n"),
    stream("unfinished-line", TWO + "data: you"),
    stream("unfinished-line-cut", TWO + "data: you", len(TWO) + 4),
]

A, B, BROKEN = '{"a": 1}', '{"b": 2}', "{oops"

PAYLOADS = [
    payloads("payloads", A, B),
    payloads("other-payloads", "[1]", "null", '"a"', "3"),
    payloads("bad-payload", A, BROKEN, B),
    payloads("bad-payload-in-a-chunk", A, BROKEN, B, apart=True),
    payloads("bad-payloads", BROKEN, A, BROKEN, BROKEN, B, BROKEN),
    payloads("empty-payload", A, "", B, BROKEN),
    payloads("done", A, "[DONE]"),
    payloads("behind-done", A, "[DONE]", B, BROKEN),
    payloads("behind-done-in-a-chunk", A, "[DONE]", B, BROKEN, apart=True),
    payloads("starts-like-done", A, "[DONE] soon", B),
    payloads("space-behind-done", A, "[DONE] ", B),
    payloads("says-done", '"[DONE]"', '{"a": "[DONE]"}'),
    payloads("done-behind-bad", BROKEN, "[DONE]", BROKEN),
]

# Three chunks are too much for the limit, two are not, however its bytes are counted.
SIZE, LIMIT = 100, 250


def large(name: str, text: str) -> Input:
    return stream(name, text, *range(SIZE, len(text), SIZE), limit=LIMIT)


LIMITS = [
    large("small-events", "data: 12345678901234567\n\n" * 40),
    large("large-line", f"data: {'x' * 900}\n\n"),
    large("line-without-end", f"data: {'x' * 900}"),
    large("large-lines", f"data: {'x' * 93}\n" * 9 + "\n"),
    large("lines-without-end", f"data: {'x' * 93}\n" * 9),
    large("comments-without-end", f": {'x' * 97}\n" * 9),
    large("large-behind-small", "data: 12345678901234567\n\n" * 8 + f"data: {'x' * 900}\n\n"),
    stream("large-in-a-chunk", f"data: {'x' * 900}\n\n", limit=LIMIT),
    stream("payloads-without-limit", f'data: "{"x" * 900}"\n\n', json=True),
    stream("large-payload", f'data: "{"x" * 900}"\n\n', *range(SIZE, 900, SIZE), json=True, limit=LIMIT),
]

COSTS = [
    cost("cost-of-a-large-event", "data: ", "x", "\n\n", times=60_000, chunk=512),
    cost("cost-of-many-lines", "", "data: 12345678\n", "\n", times=5_000, chunk=1 << 20),
]

BATTERY = [*CHUNKS, *FIELDS, *LINE_ENDS, *TEXT, *PAYLOADS, *LIMITS, *COSTS]
