"""Bytes to text, on both transports, held to Python's own decoder."""

from __future__ import annotations

import codecs
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from providers_lab import Probe, latin

many = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

# Text and what breaks it: lead bytes, continuation bytes, surrogates, bytes that UTF-8 never has.
SCRAPS = [b"a", b"\n", "é".encode(), "字".encode(), "🧵".encode(), b"\xef\xbb\xbf", b"\xc3", b"\xe5\xad", b"\xf0\x9f"]
SCRAPS += [b"\x80", b"\xbf", b"\xff", b"\xc0\x80", b"\xe0\x80", b"\xed\xa0\x80", b"\xf4\x90", b"\xf5"]
malformed = st.lists(st.sampled_from(SCRAPS) | st.binary(max_size=3), max_size=12).map(b"".join)


@st.composite
def cut(draw: st.DrawFn) -> list[bytes]:
    data = draw(malformed)
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
    return [data[start:end] for start, end in itertools.pairwise([0, *cuts, len(data)])]


def decoded(chunks: list[bytes]) -> list[str]:
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    return [*map(decoder.decode, chunks), decoder.decode(b"", final=True)]


@many
@given(chunks=cut())
def test_each_character_comes_as_soon_as_it_is_whole(probe: Probe, chunks: list[bytes]) -> None:
    texts = probe.answer("utf8.py", chunks=[*map(latin, chunks)])
    assert texts == decoded(chunks)
    assert "".join(texts) == b"".join(chunks).decode("utf-8", errors="replace")


@many
@given(chunks=cut())
def test_the_handed_out_decoder_is_right_too(starter_probe: Probe, chunks: list[bytes]) -> None:
    texts = starter_probe.answer("utf8.py", chunks=[*map(latin, chunks)])
    assert "".join(texts) == b"".join(chunks).decode("utf-8", errors="replace")


@pytest.mark.parametrize("which", ["probe", "starter_probe"])
@many
@given(chunks=cut(), data=st.data())
def test_both_transports_hand_on_the_same(
    request: pytest.FixtureRequest, which: str, chunks: list[bytes], data: st.DataObject
) -> None:
    asked: Probe = request.getfixturevalue(which)
    steps = [["receive", latin(chunk)] for chunk in chunks] + [["end"]]
    expected = [[text] if text else [] for text in decoded(chunks)]
    assert asked.answer("transport.py", transport="chunks", steps=steps) == expected

    grown = list(itertools.accumulate(chunks))
    steps, told = [], []
    for number, so_far in enumerate(grown):
        steps.append(["receive", latin(so_far)])
        told.append(expected[number])
        for late in data.draw(st.lists(st.integers(0, number), max_size=3)):
            steps.append(["receive", latin(grown[late])])
            told.append([])
    after_the_end = [["end"], ["receive", latin(b"".join(chunks) + b"more")], ["end"]]
    found = asked.answer("transport.py", transport="growing", steps=steps + after_the_end)
    assert found == [*told, expected[-1], [], []]


def test_notifications_that_were_merged_lose_nothing(probe: Probe) -> None:
    half = "字".encode()[:2]
    steps = [["receive", latin(b"one two " + half)], ["receive", latin(b"one")], ["receive", latin(b"one two " + half)]]
    found = probe.answer("transport.py", transport="growing", steps=[*steps, ["end"]])
    assert found == [["one two "], [], [], ["\ufffd"]]
