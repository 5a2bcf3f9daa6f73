"""What `grade verify` does for one lab."""

from __future__ import annotations

from contextlib import closing
from time import monotonic

from ..bar import bar
from ..catalogue import Language
from ..course.lab import Lab
from ..diagnosis.record import as_text, record_file
from ..engine import Engine
from .programs import declared_programs
from .verification import is_stale, verify


def verify_lab(lab: Lab, language: Language, *, write_record: bool) -> bool:
    """Verify a lab and print what is not as declared. Returns whether all is."""
    catalogue = lab.catalogue(language)
    begun = monotonic()
    with closing(Engine(lab)) as engine, bar(len(declared_programs(lab))) as advance:
        found = verify(engine, catalogue, lambda: advance(""))
    problems = list(found.problems)
    if write_record:
        record_file(lab).write_text(as_text(found.record), "utf-8")
    elif is_stale(lab, found.record):
        problems.append(catalogue.say("verify.stale", file=record_file(lab).name))
    for problem in problems:
        print(problem)
    fields = {
        "lab": lab.id,
        "programs": found.programs,
        "problems": len(problems),
        "seconds": round(monotonic() - begun),
    }
    print(catalogue.say("verify.failed" if problems else "verify.passed", **fields))
    return not problems
