"""What `grade trace` does: find what is to be shown, show it, draw it."""

from __future__ import annotations

import difflib
import io
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from rich.console import Console

from .catalogue import Catalogue
from .checks.cut import CutStream
from .checks.event_stream import EventStream
from .checks.probe import Probe
from .course.lab import Lab
from .paper import paper
from .statuses import WrongUsage
from .trace.steps import in_chunks, steps_of
from .trace.stream_view import show_events

# More than a person looks at by far: what is larger was not meant, or has no end.
STREAM_LIMIT = 1 << 20  # in bytes
STEP_LIMIT = 1000

Show = Callable[[Console], None]


def stream_of(path: str, catalogue: Catalogue) -> bytes:
    """What a file holds, or standard input, whose name is `-`."""
    try:
        with open(sys.stdin.fileno() if path == "-" else path, "rb", closefd=path != "-") as file:
            stream = file.read(STREAM_LIMIT + 1)
    except (OSError, io.UnsupportedOperation) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise WrongUsage(catalogue.say("cli.cannot-read", path=path, problem=problem)) from None
    if len(stream) > STREAM_LIMIT:
        raise WrongUsage(catalogue.say("cli.stream-too-large", path=path, limit=STREAM_LIMIT >> 20))
    return stream


def cut_as_told(whole: CutStream, chunk: int | None, cuts: str | None, catalogue: Catalogue) -> CutStream:
    """The stream in chunks of one size, or cut at the places of a list, in bytes."""
    if chunk and cuts is not None:
        raise WrongUsage(catalogue.say("cli.chunk-and-cuts"))
    if cuts is None:
        cut = in_chunks(whole, chunk)
    else:
        places = {int(place) for place in cuts.split(",") if place.isascii() and place.isdigit() and len(place) < 10}
        if len(places) < len(cuts.split(",")) or not all(0 < place < len(whole.stream) for place in places):
            raise WrongUsage(catalogue.say("cli.wrong-cuts", cuts=cuts, bytes=len(whole.stream)))
        cut = whole.cut_anew(sorted(places))
    if len(cut.chunks) > STEP_LIMIT:
        raise WrongUsage(catalogue.say("cli.too-many-steps", steps=len(cut.chunks), limit=STEP_LIMIT))
    return cut


def is_stream(name: str) -> bool:
    """Whether this names a stream: a file, a pipe, or standard input."""
    return name == "-" or (Path(name).exists() and not Path(name).is_dir())


def file_trace(path: str, chunk: int | None, cuts: str | None, catalogue: Catalogue) -> Show:
    """The four panes of a stream in a file. Raises `WrongUsage`."""
    cut = cut_as_told(CutStream(stream_of(path, catalogue)), chunk, cuts, catalogue)
    parser = EventStream()
    steps = list(steps_of(cut, parser))
    return lambda console: show_events(console, catalogue.say, steps, parser)


def probe_trace(
    lab: Lab,
    target: Path,
    probe: Probe,
    seed: int | None,
    chunk: int | None,
    cuts: str | None,
    catalogue: Catalogue,
    *,
    beside: bool,
) -> Show:
    """What a probe of a lab gave to a student's program, and what came of it. Raises `WrongUsage` and `Refused`."""
    from .course.collecting import collect
    from .engine import Engine
    from .grading import new_seed
    from .trace import probe_trace
    from .trace.reading import reference_of

    if beside and not reference_of(lab):
        raise WrongUsage(catalogue.say("cli.no-reference", lab=lab.id))
    is_told = chunk is not None or cuts is not None
    as_told = partial(cut_as_told, chunk=chunk, cuts=cuts, catalogue=catalogue) if is_told else None
    student = collect(lab, target)
    with closing(Engine(lab)) as engine:
        seed = new_seed() if seed is None else seed
        return probe_trace.probe_trace(engine, student, probe, seed, catalogue, beside=beside, cut_as_told=as_told)


def probes_by_name(lab: Lab) -> dict[str, Probe]:
    """The probes of a lab, named as CHECK/PROBE."""
    from .checks.runner import lab_probes

    return {f"{probe.check}/{probe.id}": probe for probes in lab_probes(lab).values() for probe in probes}


def the_probe(lab: Lab, name: str | None, catalogue: Catalogue) -> Probe:
    """The probe of this name. Raises `WrongUsage`, which names the nearest ones."""
    probes = probes_by_name(lab)
    if name is None:
        raise WrongUsage(catalogue.say("cli.which-probe", lab=lab.id, example=next(iter(probes))))
    if name not in probes:
        nearest = ", ".join(nearest_probes(name, list(probes)))
        raise WrongUsage(catalogue.say("cli.unknown-probe", name=name, nearest=nearest))
    return probes[name]


def nearest_probes(name: str, names: Sequence[str]) -> list[str]:
    """Up to three that were probably meant: of the check of this name, or like it, also without the check."""
    of_check = [one for one in names if one.startswith(f"{name.rstrip('/')}/")]
    likeness = {one: max(_likeness(name, one), _likeness(name, one.partition("/")[2])) for one in names}
    return of_check[:3] or sorted(names, key=lambda one: -likeness[one])[:3]


def _likeness(name: str, other: str) -> float:
    return difflib.SequenceMatcher(None, name, other).ratio()


def present(show: Show, svg: Path | None, title: str, catalogue: Catalogue) -> None:
    """Print it, with colours if standard output is a terminal that wants them, and write the picture."""
    show(paper())
    sys.stdout.flush()
    if svg:
        from .picture import draw

        try:
            svg.write_text(draw(show, title), "utf-8")
        except OSError as error:
            raise WrongUsage(catalogue.say("cli.cannot-write", path=svg, problem=error.strerror)) from None
