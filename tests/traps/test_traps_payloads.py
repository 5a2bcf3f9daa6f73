"""The solution's `JSONEventStream`: what is bad costs nothing else, and what ends the stream ends it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import pytest
from traps_streams import bytewise

from grader.course.lab import ROOT

STREAM = (
    b'data: {"n": 1}\n\n: ping\n\ndata: {oops\n\ndata: [1,\ndata: 2]\n\n'
    b'data:\n\ndata: "[DONE]"\n\ndata: [DONE]\n\ndata: 3\n\n'
)


def items(sse: ModuleType, chunks: Iterable[bytes]) -> list[Any]:
    payloads = sse.JSONEventStream()
    return [item for chunk in chunks for item in payloads.feed(chunk)] + payloads.close()


def test_a_bad_payload_stands_in_its_place_at_every_cut(sse: ModuleType) -> None:
    wanted = [{"n": 1}, sse.PayloadError(1, "{oops"), [1, 2], sse.PayloadError(3, ""), "[DONE]"]
    for way in ([STREAM], bytewise(STREAM), *([STREAM[:place], STREAM[place:]] for place in range(len(STREAM)))):
        came = items(sse, way)
        assert came == wanted and [type(item) for item in came] == [type(item) for item in wanted]


@pytest.mark.parametrize(
    "data", ["[DONE] soon", " [DONE]", "[done]", "{", "'a'", "nothing", "[" * 100_000, '"\t"', "1 2", "\ufeff1"]
)
def test_what_is_not_json_ends_nothing(sse: ModuleType, data: str) -> None:
    came = items(sse, [f"data: {data}\n\ndata: 1\n\n".encode(), b"data: 2\n\n"])
    assert came == [sse.PayloadError(0, data), 1, 2]


def test_any_json_is_a_payload(sse: ModuleType) -> None:
    assert items(sse, [b"data: null\n\ndata: 0\n\ndata: []\n\ndata: false\n\nevent: x\ndata: 1e3\n\n"]) == [
        None, 0, [], False, 1000.0,
    ]  # fmt: skip


def test_nothing_comes_behind_the_end(sse: ModuleType) -> None:
    payloads = sse.JSONEventStream(max_event_bytes=20)
    assert payloads.feed(b"data: [DONE]\n\ndata: " + b"x" * 100) == []
    assert payloads.feed(b"data: 1\n\n" + b"x" * 100) == []
    assert payloads.close() == []


def test_an_end_without_its_blank_line_is_none(sse: ModuleType) -> None:
    payloads = sse.JSONEventStream()
    assert payloads.feed(b"data: [DONE]\n") == []
    assert payloads.feed(b": still\n\ndata: 1\n\n") == []
    payloads = sse.JSONEventStream()
    assert payloads.feed(b"data: [DONE]\ndata: and more\n\ndata: 1\n\n") == [
        sse.PayloadError(0, "[DONE]\nand more"),
        1,
    ]


def test_payloads_come_before_the_event_that_is_too_large(sse: ModuleType) -> None:
    payloads = sse.JSONEventStream(max_event_bytes=20)
    assert payloads.feed(b"data: 1\n\ndata: {\n\ndata: " + b"2" * 20) == [1, sse.PayloadError(1, "{")]
    with pytest.raises(sse.EventTooLarge):
        payloads.feed(b"\n\n")
    with pytest.raises(sse.EventTooLarge):
        payloads.close()


def test_the_recorded_streams_are_what_they_are_played_for(sse: ModuleType) -> None:
    """Each byte is as it was written: no tool has changed a line end."""
    recorded = {file.stem: file.read_bytes() for file in (ROOT / "offline_scripts" / "day-02-traps").glob("*.sse")}
    assert {name for name, data in recorded.items() if b"\r" in data} == {"bom", "cr", "crlf"}
    assert b"\n" not in recorded["cr"] and recorded["crlf"].count(b"\r\n") == recorded["crlf"].count(b"\n") > 0
    given = {}
    for name, data in recorded.items():
        parser = sse.SSEParser()
        whole = parser.feed(data)
        for seed in range(20):
            rng = random.Random(seed)
            again = sse.SSEParser()
            places = sorted(rng.sample(range(len(data)), 9))
            cut = [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]
            assert [event for chunk in cut for event in again.feed(chunk)] == whole
        given[name] = len(whole)
    assert given == {"answer": 8, "bad-payload": 8, "bom": 4, "comments": 4, "cr": 3, "crlf": 6}
    assert sum(isinstance(item, sse.PayloadError) for item in items(sse, [recorded["bad-payload"]])) == 3
