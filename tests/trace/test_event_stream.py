"""The state machine against the standard's own rules, cut every way."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.checks.cut import CutStream
from grader.checks.event_stream import Event, EventStream

VECTORS = json.loads(Path(__file__).with_name("sse-vectors.json").read_text("utf-8"))["vectors"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_events_of_the_standard_at_every_cut(vector: dict[str, Any]) -> None:
    stream = base64.b64decode(vector["bytes_b64"])
    wanted = [Event(e["data"], e.get("event") or "message", e.get("id", "")) for e in vector["expected"]]
    places = range(1, len(stream))
    for cuts in [(), *((place,) for place in places), tuple(places)]:
        parser = EventStream()
        events = [event for chunk in CutStream(stream, cuts).chunks for event in parser.feed(chunk)]
        assert [replace(event, retry=None) for event in events] == wanted
        if "retry" in vector:
            assert parser.retry == vector["retry"]


def test_a_retry_belongs_to_the_event_among_whose_lines_it_stands() -> None:
    parser = EventStream()
    assert parser.feed(b"retry: 5\ndata: 1\n\ndata: 2\n\n") == [Event("1", retry=5), Event("2")]
    assert parser.retry == 5


def test_a_lone_carriage_return_ends_its_line_at_once() -> None:
    parser = EventStream()
    assert parser.feed(b"data: 1\r\r") == [Event("1")]
    assert parser.feed(b"\n") == []
    assert parser.feed(b"data: 2\r\n\r") == [Event("2")]
    assert parser.feed(b"\r") == []  # a blank line of its own


def test_the_buffer_holds_what_is_not_an_event_yet_and_nothing_else() -> None:
    parser = EventStream()
    for chunk, held in [
        (b"da", b"da"),
        (b"ta: 1\n: com", b"data: 1\n: com"),
        (b"ment\n", b"data: 1\n"),  # a comment is dropped as soon as it is whole
        (b"id: 7\ndata: \xe4\xbd", b"data: 1\nid: 7\ndata: \xe4\xbd"),
        (b"\xa0\n\n: x", b": x"),
    ]:
        came = parser.feed(chunk)
        assert parser.held == held
    assert came == [Event("1\n你", id="7")]


def test_a_number_that_no_computer_waits_for_is_passed_over() -> None:
    parser = EventStream()
    parser.feed(b"retry: " + b"9" * 5000 + b"\n")
    assert parser.retry is None
