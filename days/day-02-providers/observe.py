"""Calls one of the student's files by itself, so that what it does can be told from what the others do.

Started with the file's name in a composed directory. It asks as `probe.py` does, which already asks every file alone:
one JSON object a line comes in, one goes out on the descriptor that `OBSERVE` names, with the same `id`.
"""

from __future__ import annotations

import os
import sys

sys.path[0] = ""  # the composed directory, wherever this file lies
os.environ["PROBE"] = os.environ["OBSERVE"]

import probe  # noqa: E402

probe.main()
