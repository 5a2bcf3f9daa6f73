"""What the scripts that measure parts of the kit have in common: options, environment, heading, ending."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from environments import default_cache, go_inside
from measure import WrongWork, machine


@dataclass(frozen=True)
class Options:
    rounds: int
    seed: int
    cache: Path


def run(
    description: str | None,
    rounds: int,
    measure: Callable[[Options], Sequence[str]],
    *,
    packages: Sequence[str] = (),
    named: Sequence[str] = (),
) -> int:
    """Print the tables that `measure` makes, and return the exit status.

    It is called under the Python of an environment that has the kit, and `packages` as pip names them; before, there
    may be nothing but the standard library. The versions of those `named` stand in the heading.
    """
    options = parse_options(description, rounds)
    script = Path(sys.argv[0])
    go_inside(options.cache, f"kit-{script.stem}" if packages else "kit", packages)
    load_before = os.getloadavg()[0]
    try:
        tables = measure(options)
    except WrongWork as trouble:
        print(f"{script.name}: {trouble}", file=sys.stderr)
        return 1
    print(", ".join([machine(), *(f"{package} {version(package)}" for package in named)]))
    print(
        f"seed {options.seed}; {options.rounds} rounds in turns; load {load_before:.1f}, then {os.getloadavg()[0]:.1f}"
    )
    print()
    print(*tables, sep="\n\n")
    return 0


def parse_options(description: str | None, rounds: int) -> Options:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=rounds, help=f"after the one for warm-up ({rounds})")
    parser.add_argument("--seed", type=int, default=1, help="of the made-up texts (1)")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where the environments are kept")
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error("--rounds must be at least 1")
    return Options(given.rounds, given.seed, given.cache)
