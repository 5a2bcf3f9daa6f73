"""The other side of the comparison: the smallest real check50 problem with six checks.

Each check starts a trivial Python program under pexpect, answers its one prompt, matches its one line, and
looks at its exit status. Nothing needs a network: the problem is a local folder, run with `--dev`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from measure import WrongWork

# An ordinary `pip install` in an empty environment, for Python 3.11 or newer. What it needs is left to pip:
# pexpect (4.6 or newer), lib50, and setuptools, which is declared and never imported.
REQUIREMENTS = ["check50==3.5.0"]

CHECKS = 6

PROGRAM = 'name = input("name? ")\nprint(f"hello, {name}")\n'

CONFIGURATION = """\
check50:
  files:
    - !exclude "*"
    - !require hello.py
"""

HEAD = "import check50\n"

CHECK = '''

@check50.check()
def greets_{number}():
    """greets visitor {number}"""
    program = check50.run("python3 hello.py").stdin("visitor {number}")
    program.stdout("hello, visitor {number}\\n", regex=False).exit(0)
'''


@dataclass(frozen=True)
class Problem:
    """`checks` is the folder with the checks, `submission` the one with what is graded."""

    checks: Path
    submission: Path

    @property
    def arguments(self) -> list[str]:
        return ["--dev", "--output", "json", "--", str(self.checks)]


def write_problem(directory: Path) -> Problem:
    problem = Problem(directory / "greeting", directory / "submission")
    problem.checks.mkdir()
    (problem.checks / ".cs50.yaml").write_text(CONFIGURATION)
    checks = [CHECK.format(number=number) for number in range(1, CHECKS + 1)]
    (problem.checks / "__init__.py").write_text(HEAD + "".join(checks))
    problem.submission.mkdir()
    (problem.submission / "hello.py").write_text(PROGRAM)
    return problem


def verify_report(printed: str) -> None:
    """Every check was run, and passed; check50 itself exits 0 whatever they found."""
    passed = [result["passed"] for result in json.loads(printed).get("results", [])]
    if passed != [True] * CHECKS:
        raise WrongWork(f"check50: {passed}\n{printed}")
