"""`python -m grader.course` writes the starter of every lab anew; with `--check` it only says whether one is stale."""

from __future__ import annotations

import sys

from .lab import labs
from .workdir import starter_files


def main() -> int:
    stale = 0
    for lab in labs():
        for name, text in starter_files(lab).items():
            file = lab.starter / name
            if file.is_file() and file.read_text("utf-8") == text:
                continue
            stale += 1
            print(f"{file.relative_to(lab.starter.parent.parent)} is not what its solution and exercises make of it")
            if "--check" not in sys.argv:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, "utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
