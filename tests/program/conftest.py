"""A composed lab, and a gateway that misbehaves, both as programs of their own."""

from __future__ import annotations

import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from program_lab import Lab, Server


@pytest.fixture
def composed(tmp_path: Path) -> Iterator[Lab]:
    lab = Lab(tmp_path)
    yield lab
    lab.end()


@pytest.fixture(scope="session")
def gateway_address() -> Iterator[str]:
    command = [sys.executable, str(Path(__file__).with_name("server.py"))]
    # It ends when its standard input does, also after the tests were killed.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"


@pytest.fixture
def server(gateway_address: str) -> Server:
    return Server(gateway_address, uuid.uuid4().hex)
