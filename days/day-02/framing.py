"""The streams of the framing check, and the deltas that a parser must find in them, by the name of the probe."""

from __future__ import annotations

from grader.checks import ANY_ENDING, Case, wire


def text(piece: str) -> dict[str, str]:
    return {"class": "TextDelta", "text": piece}


STOP = {"class": "FinishDelta", "reason": "stop"}
USAGE = {"class": "UsageDelta", "input_tokens": 3, "output_tokens": 5}
HI, THERE, DONE = wire.text("hi"), wire.text(" there"), wire.DONE
CUT, FAILED = "StreamTruncatedError", "GatewayError"

# Some gateways count along, beside choices that say nothing new.
COUNTED = wire.event(wire.chunk({}) | {"usage": {"prompt_tokens": 3, "completion_tokens": 5}})

STREAMS = {
    "carriage-returns": [Case((HI + THERE + DONE).replace(b"\n", b"\r\n"), [text("hi"), text(" there")])],
    "several-data-lines": [
        Case(HI.replace(b'"delta"', b'\ndata: "delta"').replace(b"}]", b"}\ndata: ]") + DONE, [text("hi")]),
        Case(HI.replace(b'"delta"', b'\n: still here\ndata: "delta"') + DONE, [text("hi")]),
    ],
    # The lines of one event are joined with a line feed, which no JSON string may hold. How a payload that is no JSON
    # ends the stream is for another probe.
    "joined-with-line-feed": [
        Case(HI + wire.text("a~b").replace(b"~", b"\ndata: ") + DONE, [text("hi")], ANY_ENDING),
    ],
    "comments": [Case(b": welcome\n\n: note\n" + HI + b":\n\n: still here\n\nevent: ping\n\n" + DONE, [text("hi")])],
    "no-space-after-colon": [Case((HI + DONE).replace(b"data: ", b"data:"), [text("hi")])],
    "other-fields": [
        Case(b"event: message\ndata2: no\nid: 7\nretry: 3000\n" + HI + b"proxy\n" + DONE, [text("hi")]),
        Case(b"event: chunk\nData: no\n" + HI + DONE, [text("hi")]),
    ],
    "usage-without-choices": [Case(wire.finish() + wire.usage(3, 5) + DONE, [STOP, USAGE])],
    "bytes-after-done": [Case(HI + DONE + THERE + b"data: {", [text("hi")])],
    "content-says-done": [
        Case(wire.text("[DONE]") + wire.text("data: {}") + DONE, [text("[DONE]"), text("data: {}")]),
    ],
    "finish-without-done": [
        Case(HI + wire.finish(), [text("hi"), STOP]),
        Case(HI + wire.finish() + b": still", [text("hi"), STOP]),
        Case(HI + wire.finish("length"), [text("hi"), {"class": "FinishDelta", "reason": "length"}]),
    ],
    "characters-of-several-bytes": [
        Case(wire.text("né 你好 🐙") + DONE, [text("né 你好 🐙")]),
        Case(wire.text("a\u2028b\u2029c\u0085d") + DONE, [text("a\u2028b\u2029c\u0085d")]),
    ],
    "unfinished-last-event": [Case(HI + THERE[:-1], [text("hi")], CUT)],
    "unfinished-done": [Case(HI + DONE[:-1], [text("hi")], CUT)],
    "no-terminator": [
        Case(HI + THERE, [text("hi"), text(" there")], CUT),
        Case(b"", [], CUT),
        Case(HI + COUNTED, [text("hi"), USAGE], CUT),
    ],
    "error-in-the-stream": [Case(HI + wire.error("overloaded") + DONE, [text("hi")], FAILED)],
    "payload-that-is-not-json": [
        Case(HI + b"data: {oops\n\n" + DONE, [text("hi")], FAILED),
        Case(HI + b"data: [DONE] soon\n\n" + DONE, [text("hi")], FAILED),
    ],
}
