"""From bytes to what they ask a terminal to do: the escape sequence parser of the VT500 family, as in xterm.

Whole sequences in ordinary output are recognised by one regular expression; whatever that does not match at
once (a sequence cut between two reads, controls inside a sequence, strings) goes character by character
through the state machine. Both tell the sink the same, so it does not matter where the bytes were cut.
"""

from __future__ import annotations

import codecs
import re
from typing import Protocol

PARAMETER_LIMIT = 256
"""Characters of a sequence's parameters that are looked at; a longer sequence counts as malformed."""
STRING_LIMIT = 4096
"""Characters of a control string that are kept; the rest is swallowed."""


class Sink(Protocol):
    """What the parser reports to."""

    def print(self, text: str) -> None: ...

    def control(self, character: str) -> None:
        """A C0 or C1 control that begins no sequence."""

    def escape(self, intermediates: str, final: str) -> None: ...

    def csi(self, private: str, parameters: str, intermediates: str, final: str) -> None: ...

    def string(self, kind: str, payload: str) -> None:
        """A finished control string; `kind` is "OSC", "DCS", "APC", "PM" or "SOS"."""

    def malformed(self, sequence: str) -> None: ...


_BODY = rf"([<-?]?)([0-9:;]{{0,{PARAMETER_LIMIT}}})([ -/]{{0,8}})"
_CSI_BODY = re.compile(_BODY + r"\Z")
_TOKEN = re.compile(
    r"([^\x00-\x1f\x7f-\x9f]+)"
    rf"|\x1b\[{_BODY}([@-~])"
    r"|([\x00-\x1a\x1c-\x1f\x7f])"
)
_STRING_END = re.compile("[\x07\x18\x1a\x1b\x9c]")
_STRINGS_7BIT = {"]": "OSC", "P": "DCS", "X": "SOS", "^": "PM", "_": "APC"}
_STRINGS_8BIT = {"\x9d": "OSC", "\x90": "DCS", "\x98": "SOS", "\x9e": "PM", "\x9f": "APC"}
_CANCEL = "\x18\x1a"


class Parser:
    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._state = ""  # "", "ESC", "CSI" or the kind of the string that is open
        self._collected = ""

    @property
    def unfinished(self) -> str | None:
        """The sequence in which the bytes end so far, made printable."""
        if not self._state:
            return None
        return f"{self._state} {printable(self._collected)}".strip()

    def feed(self, data: bytes) -> None:
        text = self._decoder.decode(data)
        position = 0
        while position < len(text):
            if not self._state:
                position = self._take_whole(text, position)
            if position < len(text):
                position = self._step(text, position)

    def _take_whole(self, text: str, position: int) -> int:
        """Take text, controls and whole sequences, up to the first thing that is none of these."""
        show, control, csi = self._sink.print, self._sink.control, self._sink.csi
        for token in _TOKEN.finditer(text, position):
            if token.start() != position:
                break
            position = token.end()
            kind = token.lastindex
            if kind == 1:
                show(token[1])
            elif kind == 5:
                csi(token[2], token[3], token[4], token[5])
            else:
                control(token[6])
        return position

    def _step(self, text: str, position: int) -> int:
        """Take one character (inside a string: all up to its end) and return the position behind it."""
        if self._state not in ("", "ESC", "CSI"):
            return self._step_string(text, position)
        character = text[position]
        if character == "\x1b":
            self._enter("ESC")
        elif "\x80" <= character <= "\x9f":
            self._c1(character)
        elif character in _CANCEL:
            self._enter("")
        elif character < " ":
            self._sink.control(character)
        elif character == "\x7f":
            pass
        elif character > "\x7f":
            # No sequence holds such a character. It breaks the sequence off and is shown: text is not lost.
            self._sink.malformed(f"{self._state} {printable(self._collected)}".strip())
            self._enter("")
            return position
        elif self._state == "ESC":
            self._escape(character)
        elif character < "@":
            if len(self._collected) < PARAMETER_LIMIT + 16:
                self._collected += character
        else:
            self._csi(character)
        return position + 1

    def _enter(self, state: str) -> None:
        self._state = state
        self._collected = ""

    def _escape(self, character: str) -> None:
        if character < "0":
            self._collected = (self._collected + character)[:8]
            return
        intermediates = self._collected
        if not intermediates and character == "[":
            self._enter("CSI")
        elif not intermediates and character in _STRINGS_7BIT:
            self._enter(_STRINGS_7BIT[character])
        else:
            self._enter("")
            self._sink.escape(intermediates, character)

    def _csi(self, final: str) -> None:
        body, whole = self._collected, _CSI_BODY.match(self._collected)
        self._enter("")
        if whole is None:
            self._sink.malformed(f"CSI {printable(body)} {final}")
        else:
            self._sink.csi(whole[1], whole[2], whole[3], final)

    def _c1(self, character: str) -> None:
        if character == "\x9b":
            self._enter("CSI")
        elif character in _STRINGS_8BIT:
            self._enter(_STRINGS_8BIT[character])
        else:
            self._enter("")
            self._sink.control(character)

    def _step_string(self, text: str, position: int) -> int:
        found = _STRING_END.search(text, position)
        end = found.start() if found else len(text)
        self._collected += text[position : min(end, position + STRING_LIMIT - len(self._collected))]
        if found is None:
            return end
        kind, payload, ending = self._state, self._collected, found[0]
        if ending == "\x07" and kind != "OSC":
            return end + 1
        # An escape ends the string whatever follows it; if that is a backslash, the two are the terminator.
        self._enter("ESC" if ending == "\x1b" else "")
        if ending not in _CANCEL:
            self._sink.string(kind, payload)
        return end + 1


def printable(text: str, limit: int = 24) -> str:
    """`text` in letters that a report can show, cut to a length that it can bear."""
    shown = "".join(c if " " < c <= "~" else "SP" if c == " " else f"<{ord(c):02X}>" for c in text[:limit])
    return shown + ("..." if len(text) > limit else "")
