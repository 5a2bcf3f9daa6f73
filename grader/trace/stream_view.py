"""A stream's steps as a table: one row a step, control characters as signs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import AnyStr

from rich.console import Console
from rich.text import Text

from ..checks.event_stream import Event, EventStream
from ..harmless import with_signs
from .columns import show_paragraph, show_table
from .parting import Parting
from .reading import Reading
from .steps import Step

Say = Callable[..., str]

# What a cell may hold, in characters, and how many events or deltas: the middle of more is left out.
CELL, ITEMS = 160, 8

EMPTY = '""'


def show_events(
    console: Console, say: Say, steps: Sequence[Step], parser: EventStream, reading: Reading | None = None
) -> None:
    """The four panes, and a sentence about the whole; with a reading, what a lab makes of the events."""
    headings = [say("trace.sent"), say("trace.arrived"), say("trace.held"), say("trace.events")]
    show_table(console, headings, [(str(step.number), _row(step, say, [_came(step, reading)])) for step in steps])
    for sentence in summary(say, steps, parser):
        show_paragraph(console, Text(sentence))


def show_beside(
    console: Console, say: Say, steps: Sequence[Step], reference: Reading, student: Reading, parting: Parting | None
) -> None:
    """What the student's parser yields beside the reference, up to the step where they part."""
    headings = [say(f"trace.{name}") for name in ("sent", "arrived", "held", "reference", "yours")]
    last = parting.step if parting else len(steps)
    rows = []
    for step in steps[:last]:
        mark, style = ("✗", "red") if parting and step.number == last else (" ", "")
        yields = [Text(_items(map(_line, reading.at(step.number))), style) for reading in (reference, student)]
        rows.append((f"{step.number}{mark}", _row(step, say, yields)))
    show_table(console, headings, rows)
    show_paragraph(console, Text(parting_sentence(say, parting, len(steps)) if parting else say("trace.agree")))


def parting_sentence(say: Say, parting: Parting, last: int) -> str:
    """What differs, and in which step; what one side comes to only later has its own step with it."""

    def side(line: str, step: int) -> str:
        if step == parting.step:
            return _line(line)
        return say("trace.in-step", line=_line(line), step=_step(say, step, last))

    return say(
        "trace.parted",
        step=_step(say, parting.step, last),
        wanted=side(parting.wanted, parting.wanted_step),
        seen=side(parting.seen, parting.seen_step),
    )


def summary(say: Say, steps: Sequence[Step], parser: EventStream) -> list[str]:
    """What the stream was, and where nothing came of it, what was seen instead; one sentence each."""
    stream = b"".join(step.arrived or b"" for step in steps)
    if not stream:
        return [say("trace.empty")]
    events, seen = sum(len(step.events) for step in steps), parser.seen
    sentences = [say("trace.summary", bytes=len(stream), chunks=len(steps) - 1, events=events)]
    if not events:
        sentences.append(
            say(
                "trace.no-event",
                data=seen["data"],
                comments=seen["comment"],
                fields=seen["event"] + seen["id"] + seen["retry"],
                unknown=seen["unknown"],
            )
        )
    if held := steps[-1].held:
        sentences.append(say("trace.dropped", bytes=len(held)))
    text = stream.decode("utf-8", "surrogateescape")
    if odd := sum((char < " " and char not in "\t\r\n") or "\udc80" <= char <= "\udcff" for char in text):
        sentences.append(say("trace.no-text", bytes=odd))
    return sentences


def _step(say: Say, step: int, last: int) -> str:
    return say("trace.last-step" if step == last else "trace.step", number=step)


def _row(step: Step, say: Say, rest: list[Text]) -> list[Text]:
    arrived = Text(say("trace.end"), "dim") if step.arrived is None else Text(_bytes(step.arrived))
    return [Text(_bytes(step.sent), "dim"), arrived, Text(_bytes(step.held)), *rest]


def _came(step: Step, reading: Reading | None) -> Text:
    events = Text(_items(map(_event, step.events)), "green")
    if reading and (came := reading.at(step.number)):
        events.append(("\n" if events else "") + _items(map(_line, came)), "bold")
    return events


def _event(event: Event) -> str:
    kind = f"event: {_line(event.type)} " if event.type != "message" else ""
    number = f"id: {_line(event.id)} " if event.id else ""
    return f"▸{kind}{number}{_line(event.data) or EMPTY}"


def _items(items: Iterable[str]) -> str:
    shown = list(items)
    if len(shown) > ITEMS:
        shown[ITEMS // 2 : -ITEMS // 2] = [f"… {len(shown) - ITEMS} …"]
    return "\n".join(shown)


def _line(line: str) -> str:
    """Anything from a stream or a student's process: short, harmless and on one line."""
    return _cut(with_signs(_ends(line)).replace("raise·", "raise ", 1))


def _bytes(data: bytes) -> str:
    """As signs; a new line behind each line feed, and bytes that are no whole character as their numbers."""
    text = _ends(data).decode("utf-8", "backslashreplace")
    return _cut(with_signs(text)).replace("↵", "↵\n").removesuffix("\n")


def _ends(long: AnyStr) -> AnyStr:
    """As much of both ends as a cell needs, whatever the rest would cost."""
    return long if len(long) <= 8 * CELL else long[: 4 * CELL] + long[-4 * CELL :]


def _cut(text: str) -> str:
    return text if len(text) <= CELL else f"{text[: CELL // 2]}…{text[-CELL // 2 :]}"
