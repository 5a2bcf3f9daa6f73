"""From a failure to its name: which misconception a program has, told from what its files do.

`days/*/battery.py` asks each of the student's files by itself, through `days/*/observe.py`. What every misconception
answers is on record; a file that answers exactly as one of them is taken for it, if that explains what failed.
"""
