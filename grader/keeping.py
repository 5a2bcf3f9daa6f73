"""`--keep`: what every program printed, and what went over the wire, so that a verdict can be looked at again.

Terminals are asciicasts (version 2, https://docs.asciinema.org/manual/asciicast/v2/), which `asciinema play` shows.
"""

from __future__ import annotations

import itertools
import json
import threading
from pathlib import Path
from typing import Any

from .evidence.gateway import Request
from .evidence.stage import Stage


class Keeper:
    """Writes one stage after another into a directory, numbered within their check."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._numbers: dict[str, itertools.count[int]] = {}
        directory.mkdir(parents=True, exist_ok=True)

    def __call__(self, stage: Stage, check: str) -> None:
        with self._lock:
            number = next(self._numbers.setdefault(check, itertools.count(1)))
        name = f"{check}-{number:02}"
        if stage.program.spec.terminal:
            (self._directory / f"{name}.cast").write_text(_asciicast(stage), "utf-8")
        else:
            (self._directory / f"{name}.stdout").write_bytes(stage.program.printed)
            (self._directory / f"{name}.stderr").write_bytes(stage.program.errors)
        if stage.gateway.requests:
            lines = "".join(_exchange(request, stage.program.started) for request in stage.gateway.requests)
            (self._directory / f"{name}.requests.jsonl").write_text(lines, "utf-8")


def _asciicast(stage: Stage) -> str:
    size = stage.program.spec.terminal
    assert size
    command = " ".join(stage.program.spec.arguments)
    lines: list[Any] = [{"version": 2, "width": size.columns, "height": size.rows, "command": command}]
    # A character may be cut in two by a read; the rest belongs to the next event.
    rest = b""
    for time, data in stage.program.output:
        whole, rest = _whole_characters(rest + data)
        lines.append([round(time, 6), "o", whole.decode("utf-8", "replace")])
    lines += [[round(time, 6), "r", f"{new.columns}x{new.rows}"] for time, new in stage.program.resized]
    lines[1:] = sorted(lines[1:], key=lambda event: event[0])
    return "".join(json.dumps(line) + "\n" for line in lines)


def _whole_characters(data: bytes) -> tuple[bytes, bytes]:
    """The data up to the last whole UTF-8 character, and the at most three bytes behind it."""
    for length in range(1, min(4, len(data) + 1)):
        byte = data[-length]
        if byte >= 0xC0:
            expected = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return (data[:-length], data[-length:]) if length < expected else (data, b"")
        if byte < 0x80:
            break
    return data, b""


def _exchange(request: Request, started: float) -> str:
    """One request and its reply as a line of JSON; times are seconds since the program's start."""
    return (
        json.dumps(
            {
                "at": round(request.at - started, 6),
                "method": request.method,
                "path": request.path,
                "headers": [header for header in request.headers if header[0].lower() != "authorization"],
                "body": request.body if request.body is not None else request.raw.decode("utf-8", "replace"),
                "reply": [
                    [round(at - started, 6), what, data.decode("utf-8", "replace")]
                    for at, what, data in request.replies
                ],
            }
        )
        + "\n"
    )
