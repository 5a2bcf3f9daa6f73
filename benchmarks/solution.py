"""The solutions of the labs and the frozen files that they import, from where they lie in the checkout.

They are no package, and in the student's directory they lie side by side: so their two directories go on the path,
and their types are said here once more.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, Protocol, TextIO

from environments import ROOT

SOLUTION = ROOT / "solutions" / "day-02"

sys.path += [str(SOLUTION), str(ROOT / "days" / "day-02")]


class Renderer(Protocol):
    def handle(self, event: object) -> None: ...


class MakeRenderer(Protocol):
    def __call__(self, out: TextIO, *, tty: bool) -> Renderer: ...


def parser() -> Callable[[AsyncIterator[bytes]], AsyncIterator[Any]]:
    """`read_deltas`: the bytes of a reply to deltas."""
    read_deltas: Callable[[AsyncIterator[bytes]], AsyncIterator[Any]] = import_module("sse").read_deltas
    return read_deltas


def chunk_parser() -> Callable[[str], list[Any]]:
    """`parse_chunk`: the payload of one event to deltas."""
    parse_chunk: Callable[[str], list[Any]] = import_module("deltas").parse_chunk
    return parse_chunk


def renderer() -> MakeRenderer:
    make: MakeRenderer = import_module("render").Renderer
    return make


def text_event() -> Callable[[str], object]:
    make: Callable[[str], object] = import_module("events").TextEvent
    return make


def done_event() -> object:
    return import_module("events").DoneEvent("stop")


class MakeEventParser(Protocol):
    def __call__(self, *, max_event_bytes: int | None = None) -> Any: ...


def event_parser() -> MakeEventParser:
    """`SSEParser` of day-02-traps. Its file is called like day-02's, so it is loaded under another name."""
    spec = spec_from_file_location("sse_of_the_traps", ROOT / "solutions" / "day-02-traps" / "sse.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    make: MakeEventParser = module.SSEParser
    return make
