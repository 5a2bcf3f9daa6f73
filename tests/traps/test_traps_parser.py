"""The solution's parser: beside the standard's own words, beside the recorded vectors, and beside another parser."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from traps_oracle import before_large_block, dispatched
from traps_peer import recorded
from traps_streams import BOM, bytewise, chunks, stream

VECTORS = json.loads((Path(__file__).parent.parent / "trace" / "sse-vectors.json").read_text("utf-8"))["vectors"]
STREAMS = 4_000
LARGE = 1 << 30


def events(sse: ModuleType, chunks: Iterable[bytes], limit: int | None = None) -> list[Any]:
    parser = sse.SSEParser(max_event_bytes=limit)
    return [event for chunk in chunks for event in parser.feed(chunk)] + parser.close()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_vector_at_every_cut(sse: ModuleType, vector: dict[str, Any]) -> None:
    data = base64.b64decode(vector["bytes_b64"])
    wanted = [(event.get("event", "message"), event["data"], event.get("id", "")) for event in vector["expected"]]
    ways = [[data], bytewise(data), *([data[:place], data[place:]] for place in range(len(data)))]
    for way in ways:
        for limit in (None, LARGE):
            came = events(sse, way, limit)
            assert [event[:3] for event in came] == wanted
            if "retry" in vector:
                assert [event.retry for event in came] == [vector["retry"]]


def test_the_oracle_knows_the_vectors() -> None:
    for vector in VECTORS:
        wanted = [(event.get("event", "message"), event["data"], event.get("id", "")) for event in vector["expected"]]
        assert [event[:3] for event in dispatched(base64.b64decode(vector["bytes_b64"]))] == wanted, vector["name"]


def test_random_streams_are_what_the_standard_says_and_no_event_waits(sse: ModuleType) -> None:
    """Whatever has been fed, the parser has given what the standard gives for just that: nothing comes late."""
    given = 0
    for seed in range(STREAMS):
        rng = random.Random(seed)
        data = stream(rng)
        for way in (chunks(rng, data), bytewise(data) if seed % 8 == 0 else [data]):
            parser = sse.SSEParser(max_event_bytes=rng.choice((None, LARGE)))
            came: list[Any] = []
            fed = b""
            for chunk in way:
                came += parser.feed(chunk)
                fed += chunk
                assert came == dispatched(fed), (seed, way)
            assert parser.close() == []
        given += len(came)
    assert given > STREAMS


def test_a_limit_holds_wherever_the_stream_is_cut(sse: ModuleType) -> None:
    """All events before the one that is too large come; then the error, and nothing but the error."""
    refused = 0
    for seed in range(STREAMS):
        rng = random.Random(seed)
        data, limit = stream(rng), rng.randint(1, 60)
        before = before_large_block(data, limit)
        wanted = dispatched(before)
        for way in ([data], chunks(rng, data), bytewise(data)):
            parser = sse.SSEParser(max_event_bytes=limit)
            came: list[Any] = []
            raised = False
            for call in [*(partial(parser.feed, chunk) for chunk in way), parser.close, parser.close]:
                try:
                    gave = call()
                except sse.EventTooLarge as error:
                    raised = True
                    assert error.limit == limit and str(limit) in str(error)
                else:
                    assert not (raised and gave)
                    came += gave
            assert (came, raised) == (wanted, before != data), (seed, way)
        refused += raised
    assert STREAMS / 10 < refused < STREAMS


def test_a_large_event_is_refused_as_soon_as_it_is_too_large(sse: ModuleType) -> None:
    parser = sse.SSEParser(max_event_bytes=100)
    assert parser.feed(b"data: " + b"x" * 94 + b"\r\n\r\n") == [sse.ServerSentEvent(data="x" * 94)]
    assert parser.feed(b"data: " + b"x" * 94) == []
    with pytest.raises(sse.EventTooLarge, match="more than 100 bytes"):
        parser.feed(b"x")
    with pytest.raises(sse.EventTooLarge):
        parser.feed(b"\n\ndata: small\n\n")


def test_who_goes_on_after_the_error_fills_no_memory(sse: ModuleType) -> None:
    parser = sse.SSEParser(max_event_bytes=100)
    for _ in range(1000):
        with pytest.raises(sse.EventTooLarge):
            parser.feed(b"x" * 101)
    assert sum(map(len, parser._rest)) <= 101


def test_an_event_is_immutable_and_has_defaults(sse: ModuleType) -> None:
    event = sse.ServerSentEvent()
    assert (event.event, event.data, event.id, event.retry) == ("message", "", "", None)
    with pytest.raises(AttributeError):
        event.data = "x"


def test_a_number_that_no_clock_holds_is_passed_over(sse: ModuleType) -> None:
    assert events(sse, [b"retry: " + b"9" * 5000 + b"\ndata: x\n\n"]) == [sse.ServerSentEvent(data="x")]


def test_another_parser_gives_the_same_at_the_same_chunk(sse: ModuleType) -> None:
    """eventsource-parser 4.1.3, on streams of the same kind, with a decoder that leaves the byte order mark to it."""
    record = recorded()
    assert len(record) >= 500 and sum(len(one.events) for one in record) > len(record)
    for one in record:
        parser = sse.SSEParser()
        came = [
            (number, event.event, event.data, event.id)
            for number, chunk in enumerate(one.chunks, start=1)
            for event in parser.feed(chunk)
        ]
        assert came == one.events, one.seed


def test_with_its_usual_decoder_the_other_parser_takes_a_second_byte_order_mark_away(sse: ModuleType) -> None:
    """The one difference, and by the standard ours is right: one mark is dropped, and a second one is a character."""
    differing = 0
    for one in recorded():
        data = b"".join(one.chunks)
        ours = [event.data for event in events(sse, one.chunks)]
        if ours != one.plain:
            assert data.startswith(BOM + BOM)
            assert one.plain == [event.data for event in events(sse, [data.removeprefix(BOM)])]
            differing += 1
    assert differing > 10
