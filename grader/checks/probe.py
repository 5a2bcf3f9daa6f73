"""How a lab's `checks.py` names its probes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, TypeVar

from .desk import Desk

Function = TypeVar("Function", bound=Callable[..., None])


@dataclass(frozen=True)
class Probe:
    """One thing to be observed. `id` is unique in its check; `case` is what the function was handed, if anything."""

    check: str
    id: str
    exercise: int
    run: Callable[[Desk], None]
    case: Any = None


def probe(check: str, *, exercise: int, cases: Mapping[str, Any] | None = None) -> Callable[[Function], Function]:
    """Make a function a probe of a check; its name is the probe's id.

    With `cases` it is one probe for each of them: the key is the id, the value is handed to the function.
    """

    def mark(function: Function) -> Function:
        if cases is None:
            found = [Probe(check, function.__name__.replace("_", "-"), exercise, function)]
        else:
            found = [Probe(check, key, exercise, partial(function, case=case), case) for key, case in cases.items()]
        function.probes = found  # type: ignore[attr-defined]
        return function

    return mark


def probes_of(module: ModuleType) -> dict[str, list[Probe]]:
    """The probes of a lab by check, in the order of its file."""
    found: dict[str, list[Probe]] = {}
    for value in vars(module).values():
        for one in getattr(value, "probes", ()) if callable(value) else ():
            found.setdefault(one.check, []).append(one)
    return found
