"""`grade`, also as `python -m grader`."""

from __future__ import annotations


def main() -> None:
    from .cli import run

    run()


if __name__ == "__main__":
    main()
