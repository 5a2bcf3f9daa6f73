"""The sentences that a student reads, in English and in Chinese.

A catalogue is a TOML file: a sentence is a table with the keys `en` and `zh`, and its name is the dotted path to it.
Fields stand in braces: `{limit}`. The engine has one catalogue, each lab another.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


class Catalogue:
    """Says sentences in one language. Later files add to earlier ones."""

    def __init__(self, language: Language, *files: Path) -> None:
        self.language = language
        self._sentences: dict[str, dict[str, str]] = {}
        for file in (Path(__file__).with_name("messages.toml"), *files):
            self._sentences.update(sentences(file))

    def say(self, name: str, /, **fields: object) -> str:
        """The sentence, with its fields filled in. Raises `KeyError` for a name that the catalogue does not have."""
        return self._sentences[name][self.language].format(**fields)

    def find(self, name: str) -> str | None:
        """The sentence, or None where it is optional and not there."""
        return self.say(name) if name in self._sentences else None


@cache
def sentences(file: Path) -> dict[str, dict[str, str]]:
    """Every sentence of a file by its name, in all its languages."""
    return dict(_walk(tomllib.loads(file.read_text("utf-8")), ""))


def _walk(table: dict[str, Any], prefix: str) -> Iterator[tuple[str, dict[str, str]]]:
    if any(language in table for language in LANGUAGES):
        yield prefix, {key: value for key, value in table.items() if isinstance(value, str)}
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _walk(value, f"{prefix}.{key}" if prefix else key)


def language_of_locale() -> Language:
    """The language that the environment asks for, as POSIX orders the variables."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
