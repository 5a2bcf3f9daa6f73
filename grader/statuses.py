"""Exit statuses of `grade`. `run` hands on the program's own."""

PASSED = 0
FAILED = 1
WRONG_USAGE = 2
COULD_NOT_GRADE = 3
INTERRUPTED = 130
