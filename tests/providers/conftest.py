"""The finished lab and the handed-out one, each composed once and asked through one probe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from providers_lab import LAB, Probe, composed


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return composed(tmp_path_factory.mktemp("finished") / "lab")


@pytest.fixture(scope="session")
def handed_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return composed(tmp_path_factory.mktemp("handed-out") / "lab", {exercise.number for exercise in LAB.exercises})


@pytest.fixture(scope="session")
def probe(finished: Path) -> Iterator[Probe]:
    asked = Probe(finished)
    yield asked
    asked.end()


@pytest.fixture(scope="session")
def starter_probe(handed_out: Path) -> Iterator[Probe]:
    asked = Probe(handed_out)
    yield asked
    asked.end()
