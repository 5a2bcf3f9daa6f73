"""One grading: from a student's directory to a report."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from . import __version__
from .catalogue import Catalogue
from .checks.runner import lab_probes, run_checks
from .checks.workshop import Keep, keep_nothing
from .course.collecting import Refused, collect
from .course.lab import Lab
from .course.regions import line_of_exercise
from .course.workdir import frozen_states, starter_files
from .engine import Engine
from .evidence.limits import Limits
from .harmless import harmless
from .results import Cause, CheckResult, ExerciseResult, Flip, ProbeResult, Repeat, Report

SEED_LIMIT = 2**31


@dataclass(frozen=True)
class Job:
    """What is to be graded, and how."""

    lab: Lab
    target: Path
    checks: Sequence[str]
    catalogue: Catalogue
    limits: Limits = Limits()


def new_seed() -> int:
    return random.SystemRandom().randrange(SEED_LIMIT)


def grade(
    engine: Engine,
    job: Job,
    seed: int,
    *,
    keep: Keep = keep_nothing,
    done: Callable[[CheckResult], None] = lambda result: None,
    named: bool = True,
) -> Report:
    """Grade once. `done` hears of each check as its result is known. `named` says whether failures get the name of
    their misconception, for which programs are run once more."""
    begun = time.monotonic()
    student: dict[str, bytes] = {}
    try:
        student = collect(job.lab, job.target)
    except Refused as refusal:
        checks = [_refused(job, check, refusal) for check in job.checks]
        for check in checks:
            done(check)
    else:
        checks = run_checks(
            engine, student, job.checks, seed=seed, catalogue=job.catalogue, limits=job.limits, keep=keep, done=done
        )
        if named and any(check.status == "fail" for check in checks):
            from .diagnosis.diagnosis import diagnose  # a program that passes need not wait for it

            checks = diagnose(engine, student, checks, seed=seed, catalogue=job.catalogue, limits=job.limits)
    return Report(
        kit_version=__version__,
        lab=job.lab.id,
        target=harmless(str(job.target), 200).replace("\n", "\\n"),
        seed=seed,
        duration_s=round(time.monotonic() - begun, 3),
        frozen=frozen_states(job.lab, job.target),
        exercises=exercise_results(job.lab, student, checks, job.catalogue),
        checks=tuple(checks),
    )


def grade_repeatedly(
    engine: Engine, job: Job, seed: int, runs: int, *, keep: Keep, done: Callable[[CheckResult], None]
) -> Report:
    """Grade several times, each time with another seed drawn from the first. The report is the first run's."""
    seeds = random.Random(seed)
    first = grade(engine, job, seed, keep=keep, done=done)
    flips: list[Flip] = []
    for _ in range(runs - 1):
        again = grade(engine, job, drawn := seeds.randrange(SEED_LIMIT), keep=keep, done=done, named=False)
        flips += [
            Flip(now.id, drawn, now.status)
            for before, now in zip(first.checks, again.checks, strict=True)
            if now.status != before.status
        ]
    return replace(first, repeat=Repeat(runs, tuple(flips)))


def _refused(job: Job, check: str, refusal: Refused) -> CheckResult:
    """The result of a check whose files were never run."""
    say = job.catalogue.say
    message = refusal.in_words(say)
    probes = lab_probes(job.lab)[check]
    return CheckResult(
        id=check,
        title=say(f"checks.{check}.title"),
        exercises=tuple(sorted({probe.exercise for probe in probes})),
        status="fail",
        verdict=refusal.verdict,
        summary=message,
        score=0.0,
        max_score=1.0,
        duration_s=0.0,
        facts={},
        probes=tuple(ProbeResult(probe.id, probe.exercise, "fail", say("not-run")) for probe in probes),
        cause=Cause(message),
    )


def exercise_results(
    lab: Lab, student: Mapping[str, bytes], checks: Sequence[CheckResult], catalogue: Catalogue
) -> tuple[ExerciseResult, ...]:
    """How far each exercise is, counted over the checks that were run."""
    handed_out = starter_files(lab)
    results = []
    for exercise in lab.exercises:
        probes = [probe for check in checks for probe in check.probes if probe.exercise == exercise.number]
        source = student.get(exercise.file, b"").decode("utf-8", "replace")
        line = line_of_exercise(source, exercise.number) or line_of_exercise(handed_out[exercise.file], exercise.number)
        results.append(
            ExerciseResult(
                number=exercise.number,
                title=catalogue.say(f"exercises.{exercise.number}.title"),
                file=exercise.file,
                line=line or 1,
                probes_passed=sum(probe.status == "pass" for probe in probes),
                probes_total=len(probes),
            )
        )
    return tuple(results)
