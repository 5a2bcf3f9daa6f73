"""A stream step by step, and a terminal frame by frame: for looking at what a probe has only judged."""
