"""A program on a pseudo-terminal or in a pipe, with limits, and always cleaned up."""
