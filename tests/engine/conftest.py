"""Launchers for the engine's tests: one cold and one warm, shared by a session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from theatre import Theatre

from grader.evidence.terminal.launch import Launcher


@pytest.fixture(scope="session", params=["cold", "warm"])
def launcher(request: pytest.FixtureRequest) -> Iterator[tuple[Launcher, bool]]:
    cold = request.param == "cold"
    launcher = Launcher() if cold else Launcher(["asyncio", "json", "httpx"])
    yield launcher, cold
    launcher.close()


@pytest.fixture
def theatre(launcher: tuple[Launcher, bool], tmp_path: Path) -> Iterator[Theatre]:
    theatre = Theatre(launcher[0], tmp_path.resolve(), cold=launcher[1])
    yield theatre
    theatre.close()
