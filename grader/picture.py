"""A picture of what a terminal would show, as SVG: always the same for the same text."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

from rich.console import Console


def draw(show: Callable[[Console], None], title: str) -> str:
    # Nothing of the caller's environment, as NO_COLOR or COLUMNS.
    console = Console(
        file=io.StringIO(), record=True, width=80, force_terminal=True, color_system="truecolor", highlight=False,
        _environ={},
    )  # fmt: skip
    show(console)
    svg = console.export_svg(title=title)
    # Without the fonts that it would fetch from the network: any monospaced one will do.
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
