# SPDX-License-Identifier: Apache-2.0
"""A program for the engine as those see it who run it: what it asks for, and its schedule on a core."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modmul.core.core import Core

__all__ = ["PART", "EngineProgram", "Part", "ProgramError", "Register", "Schedule", "Scheduled"]

PART = re.compile(r"^;;(.*)\n", re.MULTILINE)
"""A line in front of a part of a program, with its title."""


class ProgramError(ValueError):
    """A program that the assembler refuses; the message names the line and says why."""


@dataclass(frozen=True)
class Scheduled:
    """A row of a program, and when it runs.

    Attributes:
        row: its number, from 0.
        line: of the text, from 1.
        text: that line, without its comment; or the row that the assembler has made of it, which takes f.
        begins: clock cycle in which it begins first, 0 being the one that takes the last word of the
            operands; ``None``: it does not run.
        last: the one in which it begins last.
        times: how often it runs.
    """

    row: int
    line: int
    text: str
    begins: int | None
    last: int | None
    times: int

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``."""
        return dict(vars(self))


@dataclass(frozen=True)
class Register:
    """A register of a program.

    Attributes:
        name: as in the text; ``q~ q'`` for a pair that changes places.
        places: in the register file.
        source: ``"context"``, ``"operand"``, or ``"row"`` for one that rows alone write.
        written: lines of the rows that write it.
        read: lines of the rows that read it; a scan reads all of the table, ``bits`` the second operand.
        live: the clock cycle in which the first row that writes it begins, 0 for what comes before, and
            that of the last row that reads it; ``None`` where no row of this run reads it.
    """

    name: str
    places: tuple[int, ...]
    source: str
    written: tuple[int, ...]
    read: tuple[int, ...]
    live: tuple[int, int] | None

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()
        }


@dataclass(frozen=True)
class Part:
    """A part of a program: the rows behind a line ``;; its title``, as far as the next such line.

    Attributes:
        title: as in the text; ``""`` for rows that stand behind none.
        rows: how many of them run, each as often as it does.
        cycles: from the beginning of each to that of the row that runs next, all together.
    """

    title: str
    rows: int
    cycles: int

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``."""
        return dict(vars(self))


@dataclass(frozen=True)
class Schedule:
    """When everything happens in a run of a program on a core, whatever the data.

    Attributes:
        rows: in order.
        parts: those that run, in the order of the text; their cycles together are those of the program.
        registers: in the order of their places; not those that f stands for.
        places: of the register file.
        cycles: from the one that takes the last word of the operands to the first word of the result.
        written: these of the rows as the text has them.
        products, squares: operations of the core, by kind.
        bare: cycles of these one after the other on the core alone, each loaded and unloaded.
        bound: cycles that no order of the rows goes below.
    """

    rows: tuple[Scheduled, ...]
    parts: tuple[Part, ...]
    registers: tuple[Register, ...]
    places: int
    cycles: int
    written: int
    products: int
    squares: int
    bare: int
    bound: int

    @property
    def more(self) -> float:
        """What ``cycles`` are above ``bare``, in per cent of these; negative where operations overlap."""
        return 100 * (self.cycles / self.bare - 1) if self.bare else 0.0

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``."""
        return {
            "cycles": self.cycles,
            "written_cycles": self.written,
            "products": self.products,
            "squares": self.squares,
            "bare_cycles": self.bare,
            "more_percent": round(self.more, 2) if self.bare else None,
            "bound_cycles": self.bound,
            "places": self.places,
            "rows": [row.to_json() for row in self.rows],
            "parts": [part.to_json() for part in self.parts],
            "registers": [register.to_json() for register in self.registers],
        }


@dataclass(frozen=True)
class EngineProgram:
    """A program on a core.

    Attributes:
        core: the description of the engine with this core and program.
        operands: names of the two operands; the second is ``""`` where there is none.
        numbers: names of the numbers of the context that whoever runs it gives.
        known: names of those that follow from the modulus, which nobody gives.
        entry: the label at which it begins if control ``control`` is high; ``""``: there is none.
        digits: whether a run takes the second operand as an exponent, bit by bit; for ``control``.
        longs: those of them that are as long as two numbers; of a configuration, how many bits these have is
            ``long_bits``.
        unused: registers that are written, or come, and that no row reads: name to line, 0 for the context.
        schedule: of a configuration.
        several: of a configuration, how many operations are one.
        packed: of a configuration, the operands of one that is several; ``parted``: the result of each.
    """

    core: Core
    operands: tuple[str, str]
    numbers: tuple[str, ...]
    known: tuple[str, ...]
    entry: str
    digits: Mapping[bool, bool]
    longs: frozenset[str]
    long_bits: Callable[[Any], int]
    unused: Mapping[str, int]
    schedule: Callable[[Any], Schedule]
    several: Callable[[Any], int]
    packed: Callable[[Any, Sequence[tuple[int, int]]], tuple[int, int]]
    parted: Callable[[Any, int], list[int]]
