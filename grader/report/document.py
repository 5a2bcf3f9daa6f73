"""The JSON report: one object, held to `report.schema.json`."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, TextIO

from ..catalogue import Catalogue
from ..results import Report

SCHEMA = "coding-agent-labs/report"
SCHEMA_VERSION = 1


def document(report: Report) -> dict[str, Any]:
    """The report as plain data, its keys in the order in which one would tell it."""
    fields = dataclasses.asdict(report)
    repeat = fields.pop("repeat")
    checks = fields.pop("checks")
    return {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "kit_version": fields["kit_version"],
        "lab": fields["lab"],
        "target": fields["target"],
        "status": report.status,
        "passed": report.passed,
        "total": report.total,
        "score": sum(check["score"] for check in checks),
        "max_score": sum(check["max_score"] for check in checks),
        "duration_s": fields["duration_s"],
        "seed": fields["seed"],
        "confinement": fields["confinement"],
        "frozen": fields["frozen"],
        "exercises": fields["exercises"],
        "checks": checks,
        "error": fields["error"],
        **({"repeat": repeat} if repeat else {}),
    }


def write(report: Report, catalogue: Catalogue, out: TextIO) -> None:
    # ASCII: half a surrogate pair, which a program can print, has no other form that every reader accepts.
    out.write(json.dumps(document(report), indent=2) + "\n")
