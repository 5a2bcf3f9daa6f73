"""What passed when it was last graded, in one file of the user's.

    {"schema_version": 1, "labs": {LAB: {"checks": {CHECK: {"passed": true, "at": "2026-02-03T04:05:06Z"}}}}}

Labs and checks stand under their ids, so a course that grows or is put in another order loses nothing. What a later
version has added is left as it is.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .catalogue import Catalogue
from .results import Report
from .workspace import keep_aside


class _Broken(Exception):
    """The file is not what this program writes."""


class Progress:
    """`warn` hears a sentence when the file cannot be read or written; nothing else comes of it."""

    def __init__(self, catalogue: Catalogue, warn: Callable[[str], None]) -> None:
        self._say = catalogue.say
        self._warn = warn
        self._file = data_directory() / "progress.json"

    def read(self) -> dict[str, dict[str, bool]]:
        """Whether each check passed when it was last graded, by lab and check; those that never were are not there."""
        try:
            try:
                document = self._load()
            except _Broken:
                with self._locked():
                    document = self._load_or_set_aside()
        except OSError as error:
            self._warn(self._say("progress.unreadable", file=self._file, problem=error.strerror))
            return {}
        return {
            lab: {check: entry.get("passed") is True for check, entry in table.get("checks", {}).items()}
            for lab, table in document.get("labs", {}).items()
        }

    def record(self, report: Report) -> None:
        """Keep the verdicts of the checks that were run. A report that is an error, or is in doubt, says nothing."""
        if report.status == "error" or (report.repeat and report.repeat.flips):
            return
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        try:
            with self._locked():
                document: dict[str, Any] = {"schema_version": 1, "labs": {}} | self._load_or_set_aside()
                checks = document["labs"].setdefault(report.lab, {}).setdefault("checks", {})
                for check in report.checks:
                    if check.verdict != "refused":
                        checks.setdefault(check.id, {}).update(passed=check.status == "pass", at=at)
                self._write(document)
        except OSError as error:
            self._warn(self._say("progress.not-kept", file=self._file, problem=error.strerror))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Nobody else changes the file meanwhile. The lock is a file beside it: it is itself replaced by each write."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _load(self) -> dict[str, Any]:
        """What the file holds, or nothing. Raises `_Broken`, and `OSError`."""
        try:
            document = json.loads(self._file.read_bytes())
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError):
            raise _Broken from None
        if not _is_sound(document):
            raise _Broken
        return dict(document)

    def _load_or_set_aside(self) -> dict[str, Any]:
        """The same, under the lock: a broken file makes room for a new one."""
        try:
            return self._load()
        except _Broken:
            copy = keep_aside(self._file, "broken")
            self._warn(self._say("progress.broken", file=self._file, copy=copy.name))
            return {}

    def _write(self, document: dict[str, Any]) -> None:
        """Under the lock: the whole file at once. What a crash leaves of it is overwritten by the next."""
        unfinished = self._file.with_suffix(".new")
        with unfinished.open("w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._file)


def data_directory() -> Path:
    """As the XDG base directory specification has it, which ignores a path that is not absolute."""
    base = Path(os.environ.get("XDG_DATA_HOME", ""))
    if not base.is_absolute():
        try:
            base = Path.home() / ".local" / "share"
        except RuntimeError:
            base = Path(os.devnull)  # a user without a home: nothing can be kept below this
    return base / "coding-agent-labs"


def _is_sound(document: Any) -> bool:
    """Whether everything that is looked at is a table."""
    labs = document.get("labs", {}) if isinstance(document, dict) else None
    if not isinstance(labs, dict) or not all(isinstance(lab, dict) for lab in labs.values()):
        return False
    tables = [lab.get("checks", {}) for lab in labs.values()]
    return all(
        isinstance(checks, dict) and all(isinstance(entry, dict) for entry in checks.values()) for checks in tables
    )
