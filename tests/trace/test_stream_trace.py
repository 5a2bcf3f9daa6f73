"""The four panes of a stream in a file, in both languages."""

from __future__ import annotations

import xml.dom.minidom

import pytest
from tracing import GOLDEN, Tracing, compare

from grader.catalogue import LANGUAGES, Catalogue, Language
from grader.checks.cut import CutStream
from grader.picture import draw
from grader.statuses import WrongUsage
from grader.trace.steps import in_chunks
from grader.trace_command import file_trace

TWO_EVENTS = b'data: {"text":"hi"}\n\n: ping\n\ndata: {"text":"you"}\n\ndata: [DONE]\n\n'
STREAMS = {
    "two-events": (TWO_EVENTS, {"chunk": 14}),
    "crlf": (b"data: a\r\n\r\ndata: b\r\n\r\n", {"cuts": "8,10,20"}),
    "character-cut": ("data: 你好 🐙\n\n".encode(), {"cuts": "7,14"}),
    "fields": (b"\xef\xbb\xbfevent: ping\nid: 7\nretry: 3\ndata\n\nfoo: \x1b[31m\n\ndata: 2\n\ndata: 3\n", {}),
    "empty": (b"", {}),
    "garbage": (bytes(range(256)), {"chunk": 64}),
    "no-event": (b": one\n\nevent: ping\n\nnothing\n\ndata: half\n", {}),
    "large": (TWO_EVENTS * 30, {"cuts": "600"}),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", STREAMS)
def test_each_stream_reads_as_it_should(tracing: Tracing, name: str, language: Language) -> None:
    stream, how = STREAMS[name]
    compare(f"{name}.{language}.txt", tracing.stream(stream, lang=language, **how))


def test_no_line_is_wider_than_the_screen_or_ends_in_blanks() -> None:
    from wcwidth import wcswidth

    for file in GOLDEN.glob("*.txt"):
        for line in file.read_text("utf-8").splitlines():
            assert 0 <= wcswidth(line) <= 80 and line == line.rstrip(" "), (file.name, line)


def test_the_picture_is_well_formed_and_always_the_same(tracing: Tracing) -> None:
    file = tracing.directory / "stream"
    file.write_bytes(bytes(range(256)) + "data: 你好 <&>\n\n".encode())
    pictures = {draw(file_trace(str(file), 9, None, Catalogue("zh")), "trace") for _ in range(2)}
    assert len(pictures) == 1
    [picture] = pictures
    assert "@font-face" not in picture and "你好" in picture
    assert xml.dom.minidom.parseString(picture).documentElement.tagName == "svg"


@pytest.mark.parametrize("cuts", ["", "x", "5,", "0", "65", "-1", "5,²", "9" * 5000])
def test_cuts_that_are_none(tracing: Tracing, cuts: str) -> None:
    with pytest.raises(WrongUsage, match="--cuts 5,9"):
        tracing.stream(TWO_EVENTS[:65], cuts=cuts)


def test_without_a_wish_there_are_as_many_steps_as_anybody_follows() -> None:
    streams = [CutStream(b"x" * length) for length in (16, 17, 640, 641, 1 << 20)]
    assert [len(in_chunks(stream).chunks) for stream in streams] == [1, 2, 40, 38, 40]


def test_more_steps_than_anybody_follows(tracing: Tracing) -> None:
    with pytest.raises(WrongUsage, match="that would be 2000 steps"):
        tracing.stream(b"x" * 2000, chunk=1)
