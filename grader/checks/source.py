"""Which names a source file mentions: found in a process of its own, since even reading hostile source is a risk."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

_LIMIT_S = 20

_NAMES = """
import ast, json, sys
tree = ast.parse(open(sys.argv[1], "rb").read())
names = set()
for node in ast.walk(tree):
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            names.add(name)
        case ast.alias(name=name, asname=other):
            names.update([*name.split("."), other or name])
        case ast.ImportFrom(module=str(name)):
            names.update(name.split("."))
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            names.add(name)
        case ast.Constant(value=str(text)):
            names.add(text)
        case ast.MatchClass(kwd_attrs=attributes):
            names.update(attributes)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            names.add(name)
        case ast.MatchMapping(rest=str(name)):
            names.add(name)
        case ast.Global(names=several) | ast.Nonlocal(names=several):
            names.update(several)
print(json.dumps(sorted(names)))
"""


def names_in(file: Path) -> set[str] | None:
    """Every identifier, attribute, import and string constant of a Python file; None if Python cannot read it."""
    try:
        found = subprocess.run(
            [sys.executable, "-I", "-S", "-B", "-c", _NAMES, str(file)],
            capture_output=True,
            timeout=_LIMIT_S,
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    return set(json.loads(found.stdout))
