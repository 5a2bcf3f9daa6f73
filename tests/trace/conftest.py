"""Submissions to be traced: the solution with a fault of the test's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tracing import Tracing


@pytest.fixture
def tracing(tmp_path: Path) -> Tracing:
    return Tracing(tmp_path)
