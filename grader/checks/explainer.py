"""Why a program came to grief, as one sentence: from Python's last words, and from what the student's files hold.

Nothing here decides a verdict. A fault that is looked for only when something has failed can be wrong about nothing
that works.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..catalogue import Catalogue
from ..course.lab import Lab
from ..harmless import harmless

# What a file's functions are, by name: kind and number of parameters. `None` if it cannot be known.
Shapes = Mapping[str, Any]

_UNREADABLE = re.compile(r"(SyntaxError|IndentationError|TabError): (.*) \((\S+), line (\d+)\)$")
_MISSING_PACKAGE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'.* \((\S+), line \d+\)$")
_TOO_DEEP = re.compile(r"RecursionError: .*during (compilation|ast)|too many (statically )?nested")
_NO_MEMORY = re.compile(r"MemoryError.* \((\S+), line \d+\)$")
_NO_CONNECTION = re.compile(r"(\w*Connect\w*|URLError|gaierror|ProxyError|\w*Timeout\w*)[ :]")
_EXIT = re.compile(rb"^[^#\n]*?(?<![\w.])(sys\.exit|os\._exit|exit|quit|raise SystemExit)\b", re.MULTILINE)
_ADDRESS = re.compile(rb"https?://[\w.:-]+")


@dataclass(frozen=True)
class Explainer:
    """Speaks of one grading. `shapes` reads the student's files, in a process of its own."""

    catalogue: Catalogue
    files: Mapping[str, bytes]
    lab: Lab
    shapes: Callable[[], Mapping[str, Shapes]]

    @property
    def errors(self) -> tuple[str, ...]:
        """The error classes that it is right to raise."""
        return self.lab.errors

    def say(self, name: str, /, **fields: object) -> str:
        return self.catalogue.say(name, **fields)

    def crash(self, problem: str) -> str:
        """The sentence about an exception that left the student's code. `problem` is its line, made harmless."""
        if problem.startswith(("GatewayError", "StreamTruncatedError")):
            # Raising these is right; what is missing is the loop that makes events of them.
            return self.say("not-translated", name=problem.partition(" ")[0].rstrip(":"))
        return self._unreadable(problem) or self._missing(problem) or self.misshapen(problem) or self._any(problem)

    def early_end(self) -> str:
        """What follows when the program has ended by itself: the call that may have done it, if there is one."""
        for file, source in self.files.items():
            if found := _EXIT.search(source):
                return " " + self.say("calls-exit", file=file, name=found[1].decode("ascii"))
        return ""

    def no_request(self) -> str:
        """What follows when the gateway was not asked: another address that the student's files name, if any."""
        for file, source in self.files.items():
            if found := _ADDRESS.search(source):
                return " " + self.say("other-address", file=file, address=harmless(found[0].decode("ascii"), 100))
        return ""

    def _any(self, problem: str) -> str:
        connection = _NO_CONNECTION.match(problem)
        advice = self.no_request() if connection else ""
        return self.say("crashed", problem=problem) + (f".{advice}" if advice else "")

    def _unreadable(self, problem: str) -> str | None:
        """Source that Python cannot compile."""
        found = _UNREADABLE.match(problem)
        memory = _NO_MEMORY.match(problem)  # while one of the kit's files imports one of the student's
        if _TOO_DEEP.search(problem) or (memory and memory[1] not in self.files):
            return self.say("too-deep", problem=problem)
        if found and found[3] in self.files:
            return self.say("unreadable", file=found[3], line=found[4], reason=found[2].rstrip(".?"))
        return None

    def _missing(self, problem: str) -> str | None:
        """A package that is not there."""
        found = _MISSING_PACKAGE.match(problem)
        return (
            self.say("missing-package", file=found[2], package=found[1]) if found and found[2] in self.files else None
        )

    def misshapen(self, problem: str) -> str | None:
        """Something of another kind, or with other parameters, than the lab asks for."""
        if not problem.startswith(("TypeError", "ImportError", "AttributeError")):
            return None
        shapes = self.shapes()
        for contract in self.lab.contracts:
            if (found := shapes.get(contract.file)) is None:
                continue
            shape = found.get(contract.name, {"kind": "missing", "parameters": None})
            wanted = self.say(f"shape.{contract.kind}")
            fields = {"file": contract.file, "name": contract.name, "wanted": wanted, "count": contract.parameters}
            if shape["kind"] == "missing" and contract.name in problem:
                return self.say("shape-missing", found=harmless(", ".join(found) or "-", 200), **fields)
            if shape["kind"] not in (contract.kind, "unknown", "missing"):
                return self.say("shape-kind", found=self.say(f"shape.{shape['kind']}"), **fields)
            if shape["parameters"] not in (contract.parameters, None):
                return self.say("shape-parameters", found=shape["parameters"], **fields)
        return None
