"""Running a lab's programs through the same code as a student's, and comparing with what is declared."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ..catalogue import Catalogue
from ..checks.runner import lab_probes, run_checks
from ..course.lab import Lab
from ..diagnosis.battery import Seen
from ..diagnosis.diagnosis import candidates, failing_probes, names, observe_files
from ..diagnosis.record import Entry, Record, as_text, differences, record_file
from ..engine import Engine
from ..evidence.limits import Limits
from ..results import CheckResult
from .programs import Declared, declared_programs

# So many gradings at once for each core: a program that hangs takes none.
AT_ONCE = 3

# Any will do; a fixed one makes a failure come again.
SEED = 2


@dataclass(frozen=True)
class Graded:
    """A program with its results, and what its files answer to the battery."""

    program: Declared
    checks: Sequence[CheckResult]
    seen: Mapping[str, Seen]

    @property
    def failed(self) -> list[CheckResult]:
        return [check for check in self.checks if check.status != "pass"]


@dataclass(frozen=True)
class Verification:
    """`problems` are sentences, empty if all is as declared; `record` is what was found, for the committed file."""

    programs: int
    problems: tuple[str, ...]
    record: Record


def verify(engine: Engine, catalogue: Catalogue, done: Callable[[], None]) -> Verification:
    """Grade every program of the engine's lab. `done` is called after each."""

    def run(program: Declared) -> Graded:
        checks = run_checks(engine, program.files, engine.lab.checks, seed=SEED, catalogue=catalogue, limits=Limits())
        asked = program.misconception.files if program.misconception else engine.lab.student_files
        graded = Graded(program, checks, observe_files(engine, program.files, catalogue, asked))
        done()
        return graded

    programs = declared_programs(engine.lab)
    with ThreadPoolExecutor(AT_ONCE * (os.cpu_count() or 1)) as pool:
        try:
            graded = list(pool.map(run, programs))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            engine.close()  # what is being graded ends with its programs
            raise
    record = _record(graded)
    problems = [
        *_lessons(engine.lab, programs, catalogue),
        *(problem for one in graded for problem in _scores(one, catalogue)),
        *(problem for one in graded for problem in _names(one, record, catalogue)),
        *_idle_probes(engine.lab, record, catalogue),
    ]
    return Verification(len(programs), tuple(problems), record)


def is_stale(lab: Lab, record: Record) -> bool:
    """Whether the committed record says otherwise."""
    file = record_file(lab)
    return not file.is_file() or file.read_text("utf-8") != as_text(record)


def _record(graded: Sequence[Graded]) -> Record:
    right = next(one.seen for one in graded if one.program.kind == "solution")
    return Record(right, {one.program.name: _entry(right, one) for one in graded if one.program.misconception})


def _entry(right: Mapping[str, Seen], graded: Graded) -> Entry:
    fails = {check.id: failing_probes(check) for check in graded.failed}
    return Entry(differences(right, graded.seen), fails)


def _lessons(lab: Lab, programs: Sequence[Declared], catalogue: Catalogue) -> Iterator[str]:
    """Misconceptions that name a section which the lesson does not have."""
    for one in filter(None, (program.misconception for program in programs)):
        if one.lesson not in lab.sections:
            yield catalogue.say("verify.lesson", name=one.id, lesson=one.lesson, sections=", ".join(lab.sections))


def _scores(graded: Graded, catalogue: Catalogue) -> Iterator[str]:
    """Checks that should have ended otherwise, and crashes that nobody declared."""
    name, declared = graded.program.name, graded.program
    for check in graded.checks:
        if (check.status == "pass") != (check.id in declared.passes) or check.status == "error":
            wanted = "pass" if check.id in declared.passes else "fail"
            yield catalogue.say(
                "verify.score", name=name, check=check.id, wanted=wanted, found=check.status, summary=check.summary
            )
        elif declared.misconception and check.verdict == "crash" and check.id not in declared.crashes:
            yield catalogue.say("verify.crash", name=name, check=check.id, summary=check.summary)


def _names(graded: Graded, record: Record, catalogue: Catalogue) -> Iterator[str]:
    """Names that are wrong, and misconceptions that nothing names."""
    name, declared = graded.program.name, graded.program
    alike = candidates(record, graded.seen)
    if declared.kind in ("solution", "variant"):
        for other in alike:
            yield catalogue.say("verify.named", name=name, other=other)
    if declared.misconception is None:
        return
    named = set(names(record, alike, graded.failed).values())
    for other in sorted(named - {name}):
        yield catalogue.say("verify.named", name=name, other=other)
    if name not in named:
        yield catalogue.say("verify.nameless", name=name, others=", ".join(id for id in alike if id != name) or "-")


def _idle_probes(lab: Lab, record: Record, catalogue: Catalogue) -> Iterator[str]:
    """Probes without which every misconception would still fail the same checks."""
    for check, probes in lab_probes(lab).items():
        alone = [fails[check] for entry in record.entries.values() if check in (fails := entry.fails)]
        for probe in probes:
            if [probe.id] not in alone:
                yield catalogue.say("verify.idle", probe=f"{check}/{probe.id}")
