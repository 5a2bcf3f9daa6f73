"""Prints every identifier, attribute, import and string constant of a Python file.

A program of its own, run by path like those under test, since even reading hostile source is a risk: it can be nested
too deep for the compiler. One JSON object goes to the descriptor that `NAMES` names.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Iterator


def names_of(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            yield name
        case ast.alias(name=name, asname=other):
            yield from (*name.split("."), other or name)
        case ast.ImportFrom(module=str(name)):
            yield from name.split(".")
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Constant(value=str(text)):
            yield text
        case ast.MatchClass(kwd_attrs=names) | ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        tree = ast.parse(file.read(), sys.argv[1])
    found = {name for node in ast.walk(tree) for name in names_of(node)}
    os.write(int(os.environ["NAMES"]), json.dumps({"names": sorted(found)}).encode() + b"\n")
