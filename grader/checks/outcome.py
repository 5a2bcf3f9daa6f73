"""What a parser made of a stream, as its probe program reports it, and as lines that can be compared and shown.

A report came from the student's process, so nothing in it is taken for granted.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any


def outcomes_of(report: dict[str, Any], count: int) -> list[dict[str, Any]] | None:
    """The outcome for each of so many ways of cutting, or None if the report does not hold that."""
    outcomes, results = report.get("outcomes"), report.get("results")
    if not isinstance(outcomes, list) or not isinstance(results, list) or len(results) != count:
        return None
    if not all(map(_is_outcome, outcomes)):
        return None
    if not all(type(result) is int and 0 <= result < len(outcomes) for result in results):
        return None
    return [outcomes[result] for result in results]


def _is_outcome(value: object) -> bool:
    match value:
        case {"items": list(items), "asked": list(asked), "error": error, **others}:
            return (
                all(isinstance(item, dict) and isinstance(item.get("class"), str) for item in items)
                and all(type(number) is int for number in asked)
                and len(asked) in (0, len(items))
                and type(others.get("ended")) in (int, type(None))
                and (error is None or error_of(error))
            )
    return False


def error_of(value: object) -> bool:
    """Whether this is an error as a probe program reports it."""
    match value:
        case {"class": [str(), *others], "message": str()}:
            return all(isinstance(name, str) for name in others)
    return False


def kind_of_error(classes: Sequence[str], known: Collection[str]) -> str | None:
    """The error's class as far as it matters: the nearest of its classes that the lab knows, else its own."""
    return next((name for name in classes if name in known), next(iter(classes), None))


def item_line(item: Mapping[str, Any]) -> str:
    fields = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in item.items() if name != "class")
    return f"{item['class']}({', '.join(fields)})"


def ending_line(error: str | None) -> str:
    return f"raise {error}" if error else "end"
