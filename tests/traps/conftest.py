"""The solution of the lab, imported from where it lies: day 2 has a module of that name, too."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest

from grader.course.lab import ROOT


@pytest.fixture(scope="session")
def sse() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sse_of_the_traps", ROOT / "solutions" / "day-02-traps" / "sse.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
