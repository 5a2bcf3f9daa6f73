"""One module per report format, all from the model in `grader/results.py`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TextIO

from ..catalogue import Catalogue
from ..results import Report

Write = Callable[[Report, Catalogue, TextIO], None]

FORMATS = {"console": "console", "json": "document"}


def writer(name: str) -> Write:
    """The function `write` of the module for a format. Raises `KeyError`."""
    write: Write = import_module(f".{FORMATS[name]}", __name__).write
    return write
