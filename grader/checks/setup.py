"""How a program is started for a check."""

from __future__ import annotations

from dataclasses import dataclass

from ..evidence.terminal.launch import Size


@dataclass(frozen=True)
class Setup:
    """`offline` lets the program play its own scripts; else the answers come from the grader's gateway."""

    terminal: Size | None = Size()
    offline: bool = False
    cold: bool = False
    environment: frozenset[tuple[str, str]] = frozenset()
    prompt: str | None = None  # one-prompt mode
    arguments: tuple[str, ...] = ()  # before the prompt
