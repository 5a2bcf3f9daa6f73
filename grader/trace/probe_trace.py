"""A probe, run to be looked at: the stream that its parser was given, or the frames of its terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from rich.console import Console
from rich.text import Text

from ..catalogue import Catalogue
from ..checks.cut import CutStream
from ..checks.desk import Desk
from ..checks.event_stream import EventStream
from ..checks.failure import Failure
from ..checks.probe import Probe
from ..checks.runner import run_probe
from ..checks.workshop import open_workshop
from ..engine import Engine
from ..evidence.limits import Limits
from ..evidence.stage import Stage
from ..statuses import CouldNotGrade, WrongUsage
from .columns import show_paragraph
from .frames import frames, recording_of
from .frames_view import show_frames
from .parting import parting
from .reading import ReadEvents, reference_of, reference_reading, student_reading
from .shrink import shrink
from .steps import steps_of, telling_cuts
from .stream_view import show_beside, show_events

Show = Callable[[Console], None]
CutAsTold = Callable[[CutStream], CutStream]


def probe_trace(
    engine: Engine,
    student: Mapping[str, bytes],
    probe: Probe,
    seed: int,
    catalogue: Catalogue,
    *,
    beside: bool,
    cut_as_told: CutAsTold | None,
) -> Show:
    """Run the probe, and make what is to be shown of it.

    What that is follows from what ran: the parser's stream, with the student's parser beside the reference if wanted,
    or a terminal's frames. Raises `WrongUsage` if that does not fit what is wanted, and `CouldNotGrade`.
    """
    stages: list[Stage] = []
    with open_workshop(engine, student, catalogue, Limits(), lambda stage, check: stages.append(stage)) as workshop:
        desk = Desk(workshop, probe.check, f"{seed}/{probe.check}")
        try:
            failure = run_probe(desk, probe, last=False)
            if failure and failure.verdict == "error":
                raise CouldNotGrade(failure.message)
            title = Text(f"{engine.lab.id} {probe.check}/{probe.id} --seed {seed}", "bold")
            verdict = Text(failure.message if failure else catalogue.say("trace.passes"))
            if desk.asked:
                reference = reference_of(engine.lab)
                show = stream_of(desk, reference, failure, catalogue, beside=beside, cut_as_told=cut_as_told)
            else:
                desk.discard()
                if beside or cut_as_told:
                    raise WrongUsage(catalogue.say("cli.only-for-streams", probe=f"{probe.check}/{probe.id}"))
                show = frames_of(stages, failure, probe, catalogue)
        finally:
            desk.discard()

    def show_all(console: Console) -> None:
        show_paragraph(console, title)
        show_paragraph(console, verdict)
        show(console)

    return show_all


def frames_of(stages: list[Stage], failure: Failure | None, probe: Probe, catalogue: Catalogue) -> Show:
    """The turn that failed, which is the last one that was begun; without a failure the first."""
    terminals = [stage for stage in stages if stage.program.spec.terminal]
    if not terminals:
        raise WrongUsage(catalogue.say("cli.nothing-to-trace", probe=f"{probe.check}/{probe.id}"))
    begun = sorted(terminals, key=lambda stage: stage.program.started + max(stage.turns, default=0))
    last = -1 if failure else 0
    shown = frames(recording_of(begun[last], last))
    return lambda console: show_frames(console, catalogue.say, shown)


def stream_of(
    desk: Desk,
    read_events: ReadEvents | None,
    failure: Failure | None,
    catalogue: Catalogue,
    *,
    beside: bool,
    cut_as_told: CutAsTold | None,
) -> Show:
    """The stream at which the probe failed, as small as it still fails; without such a failure one that was asked."""
    say = catalogue.say
    failed = failure.at if failure else None
    any_ending = bool(failure and failure.any_ending)
    cut, notes = failed or telling_cuts(desk.asked[-1 if failure else 0]), []
    if cut_as_told:
        cut = cut_as_told(cut)
    elif failed and read_events:
        cut = smallest(desk, read_events, failed, any_ending=any_ending)
        if cut != failed:
            notes.append(Text(say("trace.smallest", bytes=len(cut.stream), before=len(failed.stream))))
    parser = EventStream()
    steps = list(steps_of(cut, parser))
    reference = reference_reading(read_events, cut) if read_events else None
    student = None
    if beside and reference and not (failure and failure.limit):  # what hangs once would hang again
        with suppress(Failure):  # one that does not answer has failed with that, which is said already
            desk.discard()
            student = student_reading(desk.parser, cut, reference, any_ending=any_ending)
    if failed and reference and not beside:
        notes.append(Text(say("trace.student")))

    def show(console: Console) -> None:
        for note in notes:
            show_paragraph(console, note)
        if reference and student:
            show_beside(console, say, steps, reference, student, parting(reference, student, cut))
        else:
            show_events(console, say, steps, parser, reference)

    return show


def smallest(desk: Desk, read_events: ReadEvents, failed: CutStream, *, any_ending: bool) -> CutStream:
    """The smallest stream at which the student's parser and the reference part in the same way as at this one.

    A parser that stops answering meanwhile has shown enough.
    """
    answers = True

    def part(cut: CutStream) -> tuple[str, str, bool] | None:
        nonlocal answers
        if not answers:
            return None
        reference = reference_reading(read_events, cut)
        try:
            found = parting(reference, student_reading(desk.parser, cut, reference, any_ending=any_ending), cut)
        except Failure:
            answers = False
            return None
        return found.kind if found else None

    kind = part(failed)
    return shrink(failed, lambda cut: part(cut) == kind) if kind else failed
