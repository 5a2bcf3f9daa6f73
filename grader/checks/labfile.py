"""The Python files of a lab that belong to the grader: its checks, and what else is written for the engine."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType


@cache
def load(file: Path) -> ModuleType:
    """The module in a lab's file. Its name is the lab's and the file's, so labs do not meet."""
    name = f"{file.stem}_of_{file.parent.name}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
