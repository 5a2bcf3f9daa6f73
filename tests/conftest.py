"""How the tests are spread over the machine."""

from __future__ import annotations

import os

import pytest


def pytest_xdist_auto_num_workers() -> int:
    """Many tests wait for something to be stopped, so two of them share a core."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first: the whole bank."""
    items.sort(key=lambda item: "verify" not in item.path.parts)
