"""The engine of the lab kit: it plays the gateway, looks at the terminal, and judges what it saw."""

__version__ = "0.1.0"
