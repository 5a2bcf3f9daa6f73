"""Reads Python files without running them: which names each mentions, and what it defines.

A program of its own, run by path like those under test, since even reading hostile source is a risk: it can be nested
too deep for the compiler. For each file that can be read one JSON object goes to the descriptor that `READER` names:

    {"file": "sse.py", "names": ["chunks", ...], "defines": {"read_deltas": {"kind": "async-generator", ...}, ...}}
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Iterator
from typing import Any


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


def definitions(tree: ast.Module) -> dict[str, dict[str, Any]]:
    """What the file defines at its top level. What else it mentions there is of a kind that is not known."""
    found: dict[str, dict[str, Any]] = {}
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if not node.decorator_list:
                found[name] = {"kind": kind_of(node), "parameters": parameters_of(node.args)}
            case ast.ClassDef(name=name):
                found[name] = {"kind": "class", "parameters": None}
            case _:  # an import, an assignment, a definition under a condition
                names = {name for inner in ast.walk(node) for name in names_of(inner)}
                found |= {name: {"kind": "unknown", "parameters": None} for name in names if len(name) < 100}
    return found


def kind_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    yields = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(function))
    if isinstance(function, ast.AsyncFunctionDef):
        return "async-generator" if yields else "coroutine"
    # A plain function may return an async generator that something else has made.
    returns = any(isinstance(node, ast.Return) and isinstance(node.value, ast.Call) for node in own_nodes(function))
    return "generator" if yields else "unknown" if returns else "function"


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions and classes inside it."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield child
            yield from own_nodes(child)


def parameters_of(arguments: ast.arguments) -> int | None:
    """How many positional arguments a call must give; None if it may give more or fewer."""
    if arguments.vararg or arguments.defaults or any(default is None for default in arguments.kw_defaults):
        return None
    return len(arguments.posonlyargs) + len(arguments.args)


def main() -> None:
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            tree = ast.parse(file.read(), path)
        names = {name for node in ast.walk(tree) for name in names_of(node)}
        entry = {"file": path, "names": sorted(names), "defines": definitions(tree)}
        os.write(int(os.environ["READER"]), json.dumps(entry).encode() + b"\n")


if __name__ == "__main__":
    main()
