"""Running a lab's checks side by side, each on a desk of its own, and making their results."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import cache

from ..catalogue import Catalogue
from ..course.lab import Lab
from ..engine import Engine, Stopped
from ..evidence.limits import Limits
from ..evidence.terminal.launch import LaunchError
from ..harmless import harmless, trouble_in_words
from ..results import Cause, CheckResult, ProbeResult, Status
from .desk import Desk
from .failure import Failure
from .labfile import load
from .probe import Probe, probes_of
from .workshop import Keep, Workshop, keep_nothing, open_workshop

# Half of the time in which a program that does nothing at all is stopped. On an idle machine it takes a tenth of a
# second to start one; with sixteen busy loops on two cores, two.
TOO_SLOW_S = 5.0


def run_checks(
    engine: Engine,
    student: Mapping[str, bytes],
    checks: Sequence[str],
    *,
    seed: int,
    catalogue: Catalogue,
    limits: Limits,
    keep: Keep = keep_nothing,
    done: Callable[[CheckResult], None] = lambda result: None,
) -> list[CheckResult]:
    """Grade a student's files by these checks. `done` hears of each result as it is known. Raises `Stopped`."""
    probes = lab_probes(engine.lab)
    with open_workshop(engine, student, catalogue, limits, keep) as workshop, ThreadPoolExecutor(len(checks)) as pool:

        def run(check: str) -> CheckResult:
            # Among all checks one starts a program cold by itself; among some, the first has to.
            cold_first = check == checks[0] and len(checks) < len(engine.lab.checks)
            result = run_check(workshop, check, probes[check], seed, cold_first=cold_first)
            if result.status == "error" and not engine.closed:
                # Once more, by itself and cold: another check's program may have killed what all share.
                with suppress(OSError), engine.cold_launcher() as own:
                    result = run_check(replace(workshop, launcher=lambda: own), check, probes[check], seed)
            if engine.closed:
                raise Stopped
            done(result)
            return result

        try:
            return list(pool.map(run, checks))
        except (KeyboardInterrupt, SystemExit):
            engine.close()  # every check ends with its programs
            raise
        except Exception:
            if engine.closed:  # whatever it was, it came of that
                raise Stopped from None
            raise


@cache
def lab_probes(lab: Lab) -> dict[str, list[Probe]]:
    """The probes in the lab's `checks.py`, by check."""
    return probes_of(load(lab.directory / "checks.py"))


def run_check(
    workshop: Workshop, check: str, probes: Sequence[Probe], seed: int, *, cold_first: bool = False
) -> CheckResult:
    """Run a check's probes one after another. A limit ends the check: what hangs once would hang again."""
    say = workshop.catalogue.say
    begun = time.monotonic()
    results: list[ProbeResult] = []
    first: tuple[Probe, Failure] | None = None
    over = False
    with ExitStack() as clean_up:
        desk = Desk(workshop, check, f"{seed}/{check}", cold_first=cold_first)
        clean_up.callback(desk.discard)
        for probe in probes:
            if over:
                results.append(ProbeResult(probe.id, probe.exercise, "fail", say("not-reached")))
                continue
            failure = run_probe(desk, probe, last=probe is probes[-1])
            if failure is None:
                results.append(ProbeResult(probe.id, probe.exercise, "pass", say(f"probes.{check}.{probe.id}")))
                continue
            desk.discard()
            status: Status = "error" if failure.verdict == "error" else "fail"
            results.append(ProbeResult(probe.id, probe.exercise, status, failure.message))
            first = first or (probe, failure)
            over = failure.limit is not None or failure.verdict == "error"
        facts, advice = desk.facts, tuple(desk.advice)
    failed = sum(result.status != "pass" for result in results)
    return CheckResult(
        id=check,
        title=say(f"checks.{check}.title"),
        exercises=tuple(sorted({probe.exercise for probe in probes})),
        status="pass" if first is None else "error" if first[1].verdict == "error" else "fail",
        verdict=first[1].verdict if first else "pass",
        summary=first[1].message if first else say(f"checks.{check}.passed", **facts),
        score=0.0 if first else 1.0,
        max_score=1.0,
        duration_s=round(time.monotonic() - begun, 3),
        facts=facts,
        probes=tuple(results),
        advice=advice,
        cause=(
            _cause(workshop.catalogue, workshop.lab.id, seed, *first, general=2 * failed >= len(probes))
            if first
            else None
        ),
    )


def run_probe(desk: Desk, probe: Probe, *, last: bool) -> Failure | None:
    """What the probe failed with, or None. Trouble that is not the student's is a failure with the verdict `error`.

    The last one also looks at what the programs have written.
    """
    desk.begin(probe.id)
    try:
        probe.run(desk)
        if last:
            desk.check_disk()
    except Failure as failure:
        if failure.limit and failure.limit.name in ("silence", "total") and (seconds := desk.calibrate()) > TOO_SLOW_S:
            return Failure(desk.say("machine-too-slow", figure=f"{seconds:.0f} s"), verdict="error")
        return failure
    except Exception as trouble:  # whatever it is, it must not be taken for the student's
        problem = str(trouble) if isinstance(trouble, LaunchError) else trouble_in_words(trouble)
        return Failure(desk.say("grader-trouble", problem=harmless(problem, 300)), verdict="error")
    return None


def _cause(catalogue: Catalogue, lab: str, seed: int, probe: Probe, failure: Failure, *, general: bool) -> Cause:
    """`general` says that so many probes failed that the hint for the whole check is in place."""
    expected, actual, first_difference = failure.sides()
    hint = catalogue.say("looked-at", probe=catalogue.say(f"probes.{probe.check}.{probe.id}"))
    if failure.at:
        command = f"grade trace {lab} {probe.check}/{probe.id} --seed {seed}"
        hint += " " + catalogue.say("trace-it", command=command)
    if general:
        hint += " " + catalogue.say(f"checks.{probe.check}.hint")
    return Cause(
        message=failure.message,
        expected=expected,
        actual=actual,
        first_difference=first_difference,
        hint=hint if failure.verdict in ("wrong", "limit") else None,
        lesson=None,
    )
