"""Finding labs, reading `lab.toml`, making starters, composing directories."""

from .lab import Exercise, Lab, UnknownLab, find_lab, labs
from .regions import line_of_exercise, replace_regions
from .workdir import Refused, collect, compose, find_target, frozen_states, generated_files, starter_files

__all__ = [
    "Exercise",
    "Lab",
    "Refused",
    "UnknownLab",
    "collect",
    "compose",
    "find_lab",
    "find_target",
    "frozen_states",
    "generated_files",
    "labs",
    "line_of_exercise",
    "replace_regions",
    "starter_files",
]
