"""Exit statuses of `grade`, and exceptions that lead to them. `run` hands on the program's own."""

PASSED = 0
FAILED = 1
WRONG_USAGE = 2
COULD_NOT_GRADE = 3
INTERRUPTED = 130


class WrongUsage(Exception):
    """The command line asks for something that is not there. The message is a sentence."""


class CouldNotGrade(Exception):
    """The grader had trouble of its own. The message is a sentence."""
