"""What each control and each sequence does to the grid, and what is noted about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from grader.evidence.screen import modes

from .grid import Grid
from .parser import printable
from .style import after_sgr

NOTES_LIMIT = 100
"""Different sequences that are remembered in each of the lists of a screen."""
NUMBER_LIMIT = 9999

_LINE_DRAWING = str.maketrans("_`abcdefghijklmnopqrstuvwxyz{|}~", "\xa0◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")
_CHARSET_SLOTS = {"(": 0, ")": 1, "*": 2, "+": 3}
_WINDOW_REPORTS = (11, 13, 14, 15, 16, 18, 19, 20, 21)
_WINDOW_WITHOUT_EFFECT = (1, 2, 5, 6, 7, 9, 10, 22, 23)
_OSC = re.compile(r"(\d{1,5})(?:;|\Z)")


class Interpreter:
    """Carries out what the parser reports."""

    def __init__(self, grid: Grid) -> None:
        self.title = ""
        self.cursor_visible = True
        self.cursor_was_hidden = False
        self.modes: set[str] = set()
        self.osc: list[int] = []
        self.queries: list[str] = []
        self.warnings: list[str] = []
        self.unmodelled: list[str] = []
        self._grid = grid
        self._charsets = ["B", "B", "B", "B"]
        self._shift = 0
        self._after_text = False
        self._saved_charsets = (["B", "B", "B", "B"], 0)
        self._controls = self._control_table()
        self._escapes = self._escape_table()
        self._sequences = self._sequence_table()

    # What the parser calls

    def print(self, text: str) -> None:
        if self._charsets[self._shift] == "0":
            text = text.translate(_LINE_DRAWING)
        self._grid.print(text)
        self._after_text = True

    def control(self, character: str) -> None:
        self._after_text = False
        action = self._controls.get(character)
        if action:
            action()
        elif character >= "\x80":
            self._unknown(f"C1 {ord(character):02X}")

    def escape(self, intermediates: str, final: str) -> None:
        self._after_text = False
        action = self._escapes.get(intermediates + final)
        if action:
            action()
        elif intermediates in _CHARSET_SLOTS and final in "B01":
            self._charsets[_CHARSET_SLOTS[intermediates]] = final
        else:
            self._unknown(" ".join(("ESC", *map(printable, intermediates + final))))

    def csi(self, private: str, parameters: str, intermediates: str, final: str) -> None:
        after_text, self._after_text = self._after_text, False
        if final == "m" and not private and not intermediates:
            self._grid.pen, known = after_sgr(self._grid.pen, parameters)
            if not known:
                self._unknown(_name("", parameters, "", "m"))
            return
        action = self._sequences.get(private + intermediates + final)
        numbers = _numbers(parameters)
        if final == "b" and not private and not intermediates and numbers is not None:
            if after_text:
                self._grid.repeat(numbers[0] or 1)
        elif action is None or numbers is None or action(numbers) is False:
            self._unknown(_name(private, parameters, intermediates, final))

    def string(self, kind: str, payload: str) -> None:
        self._after_text = False
        if kind == "OSC":
            self._operating_system_command(payload)
        elif kind == "DCS":
            if payload.startswith(("$q", "+q")):
                self._query(f"DCS {payload[:2]}")
            else:
                self._unknown(f"DCS {printable(payload)}")

    def malformed(self, sequence: str) -> None:
        self._after_text = False
        self._unknown(f"{sequence} (malformed)")

    # Notes

    def _unknown(self, name: str) -> None:
        _note(self.unmodelled, name)

    def _query(self, name: str) -> None:
        _note(self.queries, name)

    # Tables: what each control or sequence does

    def _control_table(self) -> dict[str, Callable[[], object]]:
        grid = self._grid
        return {
            "\x05": lambda: self._query("ENQ"),
            "\b": lambda: grid.move(grid.x - 1),
            "\t": lambda: grid.tab(1),
            "\n": grid.line_feed,
            "\v": grid.line_feed,
            "\f": grid.line_feed,
            "\r": grid.carriage_return,
            "\x0e": lambda: self._shift_to(1),
            "\x0f": lambda: self._shift_to(0),
            "\x84": grid.index,
            "\x85": grid.next_line,
            "\x88": lambda: grid.tab_stops.add(grid.x),
            "\x8d": grid.reverse_index,
            "\x9a": lambda: self._query("DECID"),
            "\x9c": lambda: None,
        }

    def _escape_table(self) -> dict[str, Callable[[], object]]:
        grid, nothing = self._grid, lambda: None
        return {
            "7": self._save,
            "8": self._restore,
            "#8": grid.fill_with_e,
            "#5": nothing,
            "=": lambda: self._switch(66, on=True),
            ">": lambda: self._switch(66, on=False),
            "D": grid.index,
            "E": grid.next_line,
            "H": lambda: grid.tab_stops.add(grid.x),
            "M": grid.reverse_index,
            "Z": lambda: self._query("DECID"),
            "\\": nothing,
            "c": self._reset,
            "n": lambda: self._shift_to(2),
            "o": lambda: self._shift_to(3),
            "%G": nothing,
            " F": nothing,
        }

    def _sequence_table(self) -> dict[str, Callable[[list[int]], object]]:
        grid = self._grid

        def counted(action: Callable[[int], object]) -> Callable[[list[int]], object]:
            return lambda n: action(n[0] or 1)

        def query(name: str) -> Callable[[list[int]], object]:
            return lambda n: self._query(f"{name} {n[0]}" if n[0] else name)

        def nothing(n: list[int]) -> None:
            pass

        table: dict[str, Callable[[list[int]], object]] = {
            "@": counted(grid.insert_characters),
            "A": counted(grid.up),
            "B": counted(grid.down),
            "C": counted(lambda n: grid.move(grid.x + n)),
            "D": counted(lambda n: grid.move(grid.x - n)),
            "E": counted(lambda n: self._in_first_column(grid.down, n)),
            "F": counted(lambda n: self._in_first_column(grid.up, n)),
            "G": counted(lambda n: grid.move(n - 1)),
            "H": lambda n: grid.move_addressed((n[1:] or [0])[0] - 1, n[0] - 1),
            "I": counted(grid.tab),
            "J": self._erase_in_display,
            "K": self._erase_in_line,
            "L": counted(grid.insert_lines),
            "M": counted(grid.delete_lines),
            "P": counted(grid.delete_characters),
            "S": counted(grid.scroll_up),
            "T": lambda n: grid.scroll_down(n[0] or 1) if len(n) == 1 else False,
            "X": counted(grid.erase_characters),
            "Z": counted(grid.tab_back),
            "c": query("DA"),
            "d": counted(lambda n: grid.move_addressed(None, n - 1)),
            "e": counted(lambda n: grid.move(y=grid.y + n)),
            "g": self._clear_tab_stops,
            "h": lambda n: self._each(n, self._ansi_mode, on=True),
            "l": lambda n: self._each(n, self._ansi_mode, on=False),
            "n": query("DSR"),
            "r": self._set_margins,
            "s": lambda n: self._save() if n == [0] else False,
            "t": self._window,
            "u": lambda n: self._restore(),
            "x": query("DECREQTPARM"),
            "?h": lambda n: self._each(n, self._switch, on=True),
            "?l": lambda n: self._each(n, self._switch, on=False),
            "?n": query("DSR ?"),
            "?m": query("XTQMODKEYS"),
            "?u": query("CSI ? u"),
            ">c": query("DA2"),
            "=c": query("DA3"),
            ">q": query("XTVERSION"),
            "$p": query("DECRQM"),
            "?$p": query("DECRQM ?"),
            "!p": self._soft_reset,
            " q": nothing,  # the shape of the cursor
            # Key and title preferences, and the keyboard protocol that xterm does not have.
            **dict.fromkeys((">m", ">n", ">p", ">t", ">T", ">f", ">u", "<u", "=u"), nothing),
        }
        same = {"`": "G", "a": "C", "f": "H", "^": "T", "?J": "J", "?K": "K"}
        return table | {key: table[other] for key, other in same.items()}

    # Single actions

    def _in_first_column(self, move: Callable[[int], None], count: int) -> None:
        move(count)
        self._grid.carriage_return()

    def _shift_to(self, slot: int) -> None:
        self._shift = slot

    def _save(self) -> None:
        self._grid.save_cursor()
        self._saved_charsets = (list(self._charsets), self._shift)

    def _restore(self) -> None:
        self._grid.restore_cursor()
        charsets, self._shift = self._saved_charsets
        self._charsets = list(charsets)

    def _soft_reset(self, numbers: list[int] | None = None) -> None:
        self._grid.soft_reset()
        self._charsets, self._shift = ["B", "B", "B", "B"], 0
        self._saved_charsets = (["B", "B", "B", "B"], 0)
        self.cursor_visible = True
        self.modes -= {"application-cursor", "application-keypad", "no-autowrap", "origin", "insert"}

    def _reset(self) -> None:
        self._grid.reset()
        self._grid.clear()
        self._soft_reset()
        self.modes.clear()
        self.title = ""

    def _erase_in_display(self, numbers: list[int]) -> bool:
        if numbers[0] == 0 and self._grid.pending:
            _note(self.warnings, "CSI J behind a full row")
        if numbers[0] <= 3:
            self._grid.erase_in_display(numbers[0])
        return numbers[0] <= 3

    def _erase_in_line(self, numbers: list[int]) -> bool:
        if numbers[0] == 0 and self._grid.pending:
            _note(self.warnings, "CSI K behind a full row")
        if numbers[0] <= 2:
            self._grid.erase_in_line(numbers[0])
        return numbers[0] <= 2

    def _clear_tab_stops(self, numbers: list[int]) -> bool:
        if numbers[0] == 0:
            self._grid.tab_stops.discard(self._grid.x)
        elif numbers[0] == 3:
            self._grid.tab_stops.clear()
        return numbers[0] in (0, 3)

    def _set_margins(self, numbers: list[int]) -> None:
        top, bottom = (*numbers, 0)[:2]
        height = self._grid.height
        self._grid.set_margins((top or 1) - 1, min(bottom or height, height) - 1)

    def _window(self, numbers: list[int]) -> bool:
        if numbers[0] in _WINDOW_REPORTS:
            self._query(f"XTWINOPS {numbers[0]}")
        return numbers[0] in _WINDOW_REPORTS or numbers[0] in _WINDOW_WITHOUT_EFFECT

    def _each(self, numbers: list[int], action: Callable[..., bool], *, on: bool) -> None:
        """Switch several modes of one sequence; each that is not modelled is noted by itself."""
        for number in numbers:
            if not action(number, on=on):
                private = "? " if action == self._switch else ""
                self._unknown(f"CSI {private}{number} {'h' if on else 'l'}")

    def _ansi_mode(self, number: int, *, on: bool) -> bool:
        if number == 4:
            self._grid.insert_mode = on
            self._report("insert", on=on)
        elif number == 20:
            self._grid.new_line_mode = on
            self._report("new-line", on=on)
        return number in (4, 20)

    def _switch(self, number: int, *, on: bool) -> bool:
        grid = self._grid
        if number == 6:
            grid.origin = on
            grid.home()
            self._report("origin", on=on)
        elif number == 7:
            grid.autowrap = on
            self._report("no-autowrap", on=not on)
        elif number == 25:
            self.cursor_visible = on
            self.cursor_was_hidden |= not on
        elif number == 1048:
            (self._save if on else self._restore)()
        elif number in (47, 1047, 1049):
            self._switch_screen(number, on=on)
        elif number not in modes.REPORTED:
            return number in modes.WITHOUT_EFFECT or (not on and number in modes.HARMLESS_WHEN_OFF)
        if number in modes.REPORTED:
            self._report(modes.REPORTED[number], on=on)
        return True

    def _switch_screen(self, number: int, *, on: bool) -> None:
        grid = self._grid
        if on:
            if number == 1049 and grid.buffer is grid.main:
                self._save()
            grid.show_alternate(cleared=number == 1049)
        else:
            grid.show_main(cleared=number == 1047)
            if number == 1049:
                self._restore()

    def _report(self, mode: str, *, on: bool) -> None:
        (self.modes.add if on else self.modes.discard)(mode)

    def _operating_system_command(self, payload: str) -> None:
        number = _OSC.match(payload)
        if number is None:
            self._unknown(f"OSC {printable(payload)}")
        elif int(number[1]) in (0, 1, 2):
            if int(number[1]) != 1:
                self.title = payload[number.end() :]
        else:
            _note(self.osc, int(number[1]))
            if payload.endswith(";?"):
                self._query(f"OSC {number[1]}")


_T = TypeVar("_T")


def _note(notes: list[_T], name: _T) -> None:
    if name not in notes and len(notes) < NOTES_LIMIT:
        notes.append(name)


def _numbers(parameters: str) -> list[int] | None:
    """The parameters, at least one; 0 stands for one left out. None if there are sub-parameters."""
    if ":" in parameters:
        return None
    return [min(int(number), NUMBER_LIMIT) if number else 0 for number in parameters.split(";")]


def _name(private: str, parameters: str, intermediates: str, final: str) -> str:
    return " ".join(part for part in ("CSI", private, printable(parameters), printable(intermediates), final) if part)
