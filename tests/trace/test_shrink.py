"""What is left of a stream still fails, and nothing more can be taken away."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tracing import without_each

from grader.checks.cut import CutStream
from grader.trace.shrink import characters, events, lines, shrink, words

PIECES = (b"data: ab\n", b"data:1\n", b": c\n", b"\n", b"x\r\n", b"\r\n", "你\n".encode(), b"data: [DONE]\n\n", b"\xff")


@st.composite
def cut_streams(draw: st.DrawFn) -> CutStream:
    stream = b"".join(draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12)))
    places = draw(st.sets(st.integers(1, max(1, len(stream) - 1)), max_size=5))
    return CutStream(stream, tuple(sorted(place for place in places if place < len(stream))))


@settings(max_examples=200, deadline=None)
@given(
    cut_streams(),
    st.sets(st.sampled_from([b"a", b"\n\n", b"\r\n", b"D", "你".encode(), b": "]), max_size=3),
    st.booleans(),
)
def test_the_smallest_still_fails_and_nothing_smaller_does(cut: CutStream, needs: set[bytes], in_two: bool) -> None:
    asked: list[CutStream] = []

    def fails(some: CutStream) -> bool:
        asked.append(some)
        return all(need in some.stream for need in needs) and (bool(some.cuts) or not in_two)

    if not fails(cut):
        return
    asked.clear()
    small = shrink(cut, fails)
    assert fails(small)
    assert not any(map(fails, without_each(small, events, lines, words, characters)))
    for index in range(len(small.cuts)):
        assert not fails(CutStream(small.stream, small.cuts[:index] + small.cuts[index + 1 :]))
    assert shrink(cut, fails) == small


def test_a_budget_is_kept_and_what_was_found_is_returned() -> None:
    cut, count = CutStream(b"data: 1\n\n" * 50), 0

    def fails(some: CutStream) -> bool:
        nonlocal count
        count += 1
        return some.stream.count(b"1") > 9

    assert len(shrink(cut, fails, budget=4).stream) <= len(cut.stream)
    assert count == 4
    assert shrink(cut, fails).stream == b"1" * 10


def test_cuts_stay_between_the_bytes_that_are_left() -> None:
    assert CutStream(b"abcdef", (1, 3, 5)).without(2, 4) == CutStream(b"abef", (1, 2, 3))
    assert CutStream(b"abc", (1, 2)).without(0, 2) == CutStream(b"c")
    assert CutStream(b"").chunks == []
