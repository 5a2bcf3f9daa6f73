"""The standard (WHATWG HTML 9.2.5 and 9.2.6) in its own order, one character after another.

Slow, and hard to get wrong: nothing can be fed in chunks, and no line is shared with the solution.
"""

from __future__ import annotations

from typing import NamedTuple


class Dispatched(NamedTuple):
    """An event, in the solution's fields. `retry` is what its own block asked for: the standard keeps the last one of
    the stream, and does not say to which event it belongs."""

    event: str
    data: str
    id: str
    retry: int | None


def dispatched(stream: bytes) -> list[Dispatched]:
    """The events of a stream that ends here."""
    text = stream.decode("utf-8", "replace")
    if text[:1] == "\ufeff":
        text = text[1:]
    events: list[Dispatched] = []
    data_buffer = type_buffer = id_buffer = ""
    retry: int | None = None
    for line in lines(text):
        if line == "":
            if data_buffer != "":
                data = data_buffer[:-1] if data_buffer[-1] == "\n" else data_buffer
                events.append(Dispatched(type_buffer if type_buffer != "" else "message", data, id_buffer, retry))
            data_buffer = type_buffer = ""
            retry = None
            continue
        if line[0] == ":":
            continue
        if ":" in line:
            colon = line.index(":")
            field, value = line[:colon], line[colon + 1 :]
            if value[:1] == " ":
                value = value[1:]
        else:
            field, value = line, ""
        if field == "event":
            type_buffer = value
        elif field == "data":
            data_buffer += value
            data_buffer += "\n"
        elif field == "id":
            if "\0" not in value:
                id_buffer = value
        elif field == "retry" and value != "" and all(character in "0123456789" for character in value):
            retry = int(value)
    return events


def lines(text: str) -> list[str]:
    """The lines that have ended: what stands behind the last end is not one."""
    ended: list[str] = []
    line = ""
    place = 0
    while place < len(text):
        if text[place] == "\r":
            ended.append(line)
            line = ""
            if text[place + 1 : place + 2] == "\n":
                place += 1
        elif text[place] == "\n":
            ended.append(line)
            line = ""
        else:
            line += text[place]
        place += 1
    return ended


def before_large_block(stream: bytes, limit: int) -> bytes:
    """What stands before the first block of lines, ended or not, that has more bytes than this, line ends apart; the
    whole stream if there is none."""
    begun = 0
    for place in range(1, len(stream) + 1):
        block = stream[begun:place].decode("latin-1")
        if len(block.replace("\r", "").replace("\n", "")) > limit:
            return stream[:begun]
        if lines(stream[:place].decode("latin-1"))[-1:] == [""] and block[-1] in "\r\n":
            begun = place
    return stream
