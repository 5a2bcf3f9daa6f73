"""The record: what the right solution and every misconception answer to the battery, and which probes catch each.

It is made by `grade verify`, committed beside the misconceptions, and held to by the tests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..course.lab import Lab
from .battery import Seen

# The probes of each check that fail.
Fails = dict[str, list[str]]


@dataclass(frozen=True)
class Entry:
    """One misconception: what its files answer otherwise than the right ones, and what it fails."""

    differs: Mapping[str, Seen]  # by file
    fails: Fails


@dataclass(frozen=True)
class Record:
    """`right` is what the solution's files answer; `entries` are by id."""

    right: Mapping[str, Seen]
    entries: Mapping[str, Entry]

    def like(self, file: str, seen: Seen) -> list[str]:
        """The misconceptions whose file of this name answers exactly so, in every single thing."""
        return [
            id
            for id, entry in self.entries.items()
            if (differs := entry.differs.get(file)) and seen == {**self.right[file], **differs}
        ]


def record_file(lab: Lab) -> Path:
    return lab.misconceptions / "record.json"


def read_record(lab: Lab) -> Record | None:
    """The committed record; None for a lab without a bank."""
    try:
        table = json.loads(record_file(lab).read_text("utf-8"))
    except OSError:
        return None
    entries = {id: Entry(entry["differs"], entry["fails"]) for id, entry in table["misconceptions"].items()}
    return Record(table["right"], entries)


def as_text(record: Record) -> str:
    """As JSON with a line for each answer, so that a change can be read."""
    right = _object({file: _answers(seen) for file, seen in record.right.items()})
    entries = _object(
        {
            id: _object(
                {
                    "differs": _object({file: _answers(seen) for file, seen in entry.differs.items()}),
                    "fails": json.dumps(entry.fails),
                }
            )
            for id, entry in record.entries.items()
        }
    )
    return _object({"right": right, "misconceptions": entries}) + "\n"


def _answers(seen: Seen) -> str:
    return _object({id: json.dumps(answer, ensure_ascii=False) for id, answer in seen.items()})


def _object(members: Mapping[str, str]) -> str:
    """A JSON object of members that are JSON already, one on a line."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {member}" for name, member in members.items()) + "\n}"


def differences(right: Mapping[str, Seen], seen: Mapping[str, Seen]) -> dict[str, Seen]:
    """What is answered otherwise than right, by file; files that answer all alike are left out."""
    return {
        file: found
        for file, answers in seen.items()
        if (found := {id: answer for id, answer in answers.items() if answer != right[file][id]})
    }
