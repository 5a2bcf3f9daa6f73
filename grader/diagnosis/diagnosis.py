"""Naming what failed: which misconception explains a check, if exactly one does."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ..catalogue import Catalogue, Language
from ..checks.failure import Failure
from ..checks.runner import run_checks
from ..checks.workshop import open_workshop
from ..course.bank import Misconception, misconception
from ..engine import Engine
from ..evidence.limits import Limits
from ..evidence.terminal.launch import LaunchError
from ..results import CheckResult, MisconceptionResult
from .battery import Seen, observe
from .record import Fails, Record, read_record

# More than so many that answer alike are no explanation.
MOST_CANDIDATES = 3

# What is asked here is small: a file that is stopped at these limits is not like any on record.
BATTERY_LIMITS = Limits(silence_s=3.0, total_s=10.0, cpu_s=2)

# To hang in the same way as the student's program need not take as long.
CONFIRMING_SILENCE_S = 4.0


def diagnose(
    engine: Engine,
    student: Mapping[str, bytes],
    checks: Sequence[CheckResult],
    *,
    seed: int,
    catalogue: Catalogue,
    limits: Limits,
) -> list[CheckResult]:
    """The same results, each failure named that one misconception alone explains.

    A file is taken for a misconception's if it answers the whole battery like it. The misconception explains a check if
    it fails by the same probes, on record and, in the place of the student's file, on this run's fresh texts.
    """
    record = read_record(engine.lab)
    failed = [check for check in checks if check.status == "fail" and check.verdict != "refused"]
    if record is None:
        return list(checks)
    suspects = [id for id, entry in record.entries.items() if any(explains(entry.fails, check) for check in failed)]
    files = {file for id in suspects for file in record.entries[id].differs}
    alike = candidates(record, observe_files(engine, student, catalogue, files))
    named = names(record, alike, failed)
    bank = {id: misconception(engine.lab, id) for id in sorted(set(named.values()))}
    for id in bank:
        its = [check for check in failed if named.get(check.id) == id]
        if not confirmed(engine, student, bank[id], its, seed=seed, catalogue=catalogue, limits=limits):
            named = {check: other for check, other in named.items() if other != id}
    return [replace(check, misconception=_result(bank, named.get(check.id), catalogue.language)) for check in checks]


def observe_files(
    engine: Engine, student: Mapping[str, bytes], catalogue: Catalogue, files: Collection[str]
) -> dict[str, Seen]:
    """What each of these files answers to the battery; one that hangs or breaks off is left out."""
    seen: dict[str, Seen] = {}
    if not files:
        return seen
    with open_workshop(engine, student, catalogue, BATTERY_LIMITS) as workshop:
        for file in files:
            try:
                seen[file] = observe(workshop, file)
            except (Failure, LaunchError):
                continue
    return seen


def candidates(record: Record, seen: Mapping[str, Seen]) -> list[str]:
    """The misconceptions that the files answer like, for each file at most so many as can be told apart by checks."""
    found = [record.like(file, answers) for file, answers in seen.items()]
    return [id for ids in found if len(ids) <= MOST_CANDIDATES for id in ids]


def names(record: Record, alike: Sequence[str], failed: Sequence[CheckResult]) -> dict[str, str]:
    """Which of these misconceptions explains each failed check, by its id; only where exactly one does."""
    explained = {check.id: [id for id in alike if explains(record.entries[id].fails, check)] for check in failed}
    return {check: ids[0] for check, ids in explained.items() if len(ids) == 1}


def explains(fails: Fails, check: CheckResult) -> bool:
    """Whether a misconception that fails these probes explains the whole failure of the check."""
    return fails.get(check.id) == failing_probes(check)


def failing_probes(check: CheckResult) -> list[str]:
    """The probes that failed, and those that a limit kept from being run."""
    return [probe.id for probe in check.probes if probe.status == "fail"]


def confirmed(
    engine: Engine,
    student: Mapping[str, bytes],
    misconception: Misconception,
    checks: Sequence[CheckResult],
    *,
    seed: int,
    catalogue: Catalogue,
    limits: Limits,
) -> bool:
    """Whether the misconception's files in the place of the student's fail by the same probes of these checks."""
    swapped = {**student, **misconception.files}
    if swapped == student:
        return True  # the student's files are these very ones
    quick = replace(limits, silence_s=min(limits.silence_s, CONFIRMING_SILENCE_S))
    again = run_checks(engine, swapped, [check.id for check in checks], seed=seed, catalogue=catalogue, limits=quick)
    return list(map(failing_probes, again)) == list(map(failing_probes, checks))


def _result(bank: Mapping[str, Misconception], id: str | None, language: Language) -> MisconceptionResult | None:
    return MisconceptionResult(id, bank[id].title[language], bank[id].explanation[language]) if id else None
