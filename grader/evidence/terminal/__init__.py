"""A program on a pseudo-terminal or in a pipe, with limits, and always cleaned up."""

from .launch import Launcher, LaunchError, ProgramSpec, Size
from .program import REPORT_DESCRIPTOR, Ended, Program

__all__ = ["REPORT_DESCRIPTOR", "Ended", "LaunchError", "Launcher", "Program", "ProgramSpec", "Size"]
