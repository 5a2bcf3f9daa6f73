"""A real terminal to write to, whose other end is read by a process of its own."""

from __future__ import annotations

import fcntl
import io
import os
import struct
import subprocess
import tempfile
import termios
from types import TracebackType
from typing import Any, BinaryIO, TextIO

COLUMNS, ROWS = 80, 24


class Terminal:
    """A pseudo-terminal of 80 by 24. What is written to `out` can be read from `record` once it is closed.

    The reader is no thread: it would take turns with the writer that is measured.
    """

    def __init__(self) -> None:
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._file: BinaryIO = tempfile.TemporaryFile()
        # It ends with an error when the terminal is closed: there is no other end of file.
        self._reader = subprocess.Popen(["cat"], stdin=master, stdout=self._file, stderr=subprocess.DEVNULL)
        os.close(master)
        self._raw = _CountedFile(slave, "w")
        # As standard output is opened on a terminal.
        self.out: TextIO = io.TextIOWrapper(io.BufferedWriter(self._raw), encoding="utf-8", line_buffering=True)
        self.record = b""

    @property
    def written(self) -> int:
        """Bytes that the program has written, before the terminal turns each line feed into two."""
        return self._raw.written

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.out.close()
        self._reader.wait()
        with self._file:
            self._file.seek(0)
            self.record = self._file.read()


class _CountedFile(io.FileIO):
    written = 0

    def write(self, data: Any, /) -> int:
        count = super().write(data)
        self.written += count
        return count
