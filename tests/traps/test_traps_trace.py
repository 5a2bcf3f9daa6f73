"""`grade trace` holds a parser to the lab's reference: a right one agrees, a wrong one parts where its fault is."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console
from traps_grading import LAB

from grader.checks.cut import CutStream
from grader.checks.desk import Desk
from grader.checks.runner import lab_probes
from grader.checks.workshop import open_workshop
from grader.course.bank import misconceptions
from grader.engine import Engine
from grader.evidence.limits import Limits
from grader.trace.parting import parting
from grader.trace.reading import reference_of, reference_reading, student_reading
from grader.trace_command import probe_trace, the_probe

REFERENCE = reference_of(LAB)
assert REFERENCE
CATALOGUE = LAB.catalogue("en")

# What is wrong, the probe that sees it, and where its parser parts from the reference.
PARTINGS = [
    ("holds-cr-back", "promptness/at-the-carriage-return", "but only in step 2, the end of the stream."),
    ("one-event-behind", "promptness/at-the-line-feed", "but only in step"),
    (
        "no-limit",
        "endurance/limit-of-an-event",
        "They part in step 1. The reference: raise EventTooLarge. Yours: ServerSentEvent(",
    ),
    ("drops-bad-payloads", "endurance/bad-payloads", "The reference: PayloadError("),
    ("goes-on-after-done", "endurance/done-ends-the-stream", 'The reference: end. Yours: Payload(json="{'),
    ("every-line-end-chunk-by-chunk", "line-ends/carriage-return-line-feed", "They part in step 2."),
]


@pytest.mark.parametrize(("wrong", "probe", "says"), PARTINGS, ids=[wrong for wrong, *_ in PARTINGS])
def test_a_wrong_parser_parts_from_the_reference(tmp_path: Path, wrong: str, probe: str, says: str) -> None:
    [files] = [one.files for one in misconceptions(LAB) if one.id == wrong]
    (tmp_path / "sse.py").write_bytes(files["sse.py"])
    out = io.StringIO()
    asked = the_probe(LAB, probe, CATALOGUE)
    show = probe_trace(LAB, tmp_path, asked, 7, None, None, CATALOGUE, beside=True)
    show(Console(file=out, width=80, highlight=False))
    assert says in " ".join(out.getvalue().split()), out.getvalue()


@contextmanager
def solution_at_the_desk(engine: Engine, check: str) -> Iterator[Desk]:
    with open_workshop(engine, {"sse.py": (LAB.solution / "sse.py").read_bytes()}, CATALOGUE, Limits()) as workshop:
        desk = Desk(workshop, check, "7")
        try:
            yield desk
        finally:
            desk.discard()


@pytest.mark.parametrize("check", LAB.checks)
def test_the_solution_and_the_reference_agree(engine: Engine, check: str) -> None:
    with solution_at_the_desk(engine, check) as desk:
        for probe in lab_probes(LAB)[check]:
            desk.begin(probe.id)
            probe.run(desk)
        small = [cut for cut in desk.asked if len(cut.stream) < 5_000]
        assert small
        for cut in {(one.stream, one.told): one for one in small}.values():
            for way in (cut, CutStream(cut.stream, tuple(range(5, len(cut.stream), 5)), cut.told)):
                wanted = reference_reading(REFERENCE, way)
                seen = student_reading(desk.parser, way, wanted, any_ending=False)
                assert parting(wanted, seen, way, prompt_at_cr=REFERENCE.prompt_at_cr) is None, way
