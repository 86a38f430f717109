# SPDX-License-Identifier: Apache-2.0
"""The columns of a comparison, once: the terminal, the page and JSON take theirs from here.

A column names an attribute of a record (:class:`~modmul.study.rows.Row`,
:class:`~modmul.study.rows.Overlay`); the heading, unit, meaning and number format are here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

__all__ = [
    "DERIVED",
    "DERIVED_MEANS",
    "DISPENSABLE",
    "LAST",
    "MISSING",
    "OVERLAY_COLUMNS",
    "ROW_COLUMNS",
    "Column",
    "in_unit",
    "shown",
    "texts",
]

MISSING = "–"
"""What stands for a value that is not known."""

DERIVED = "*"
"""What stands behind a figure that a paper does not print."""

DERIVED_MEANS = f"{DERIVED}: not printed, but derived from what the paper prints; the note says how"

DIGITS = 3
"""Significant digits of the smallest value of a column of fractions."""

MAX_DECIMALS = 4


@dataclass(frozen=True)
class Column:
    """A column of numbers.

    Attributes:
        key: the attribute of the record, and the name in JSON.
        heading: for people, short.
        unit: ``""`` for a plain number.
        meaning: what it says.
        timed: follows from a clock frequency: shown only where one is known.
        optional: shown only where some value is neither zero nor missing (blocks, verifications).
        of_cores: of cores alone: not shown where all records are of systems.
        terminal: shown on the terminal too, not on the page alone.
        decimals: of every value; ``None`` for as many as the smallest needs (:func:`texts`).
    """

    key: str
    heading: str
    unit: str
    meaning: str
    timed: bool = False
    optional: bool = False
    of_cores: bool = False
    terminal: bool = True
    decimals: int | None = None

    @property
    def title(self) -> str:
        """The heading and the unit in one line."""
        return f"{self.heading}, {self.unit}" if self.unit else self.heading

    def value(self, record: object) -> float | None:
        """The value of a record; ``None`` where it is not known."""
        value: float | None = getattr(record, self.key)
        return value

    def texts(self, records: Iterable[object]) -> list[str]:
        """The values for people, as :func:`texts` has them.

        A value that a record names in ``derived`` has the mark :data:`DERIVED`.
        """
        records = list(records)
        marks = [DERIVED if self.key in getattr(record, "derived", ()) else "" for record in records]
        values = [self.value(record) for record in records]
        return [
            text if value is None else text + mark
            for text, value, mark in zip(texts(values, self.decimals), values, marks, strict=True)
        ]


def texts(values: Sequence[float | None], decimals: int | None = None) -> list[str]:
    """Numbers of one column for people.

    Args:
        decimals: of each; unless given the smallest keeps three significant digits, integers all.
    """
    known = [abs(value) for value in values if value]
    digits = DIGITS - 1 - math.floor(math.log10(min(known))) if known else 0
    whole = all(value is None or isinstance(value, int) for value in values)
    if decimals is None:
        decimals = 0 if whole else min(max(digits, 0), MAX_DECIMALS)
    return [MISSING if value is None else f"{value:,.{decimals}f}" for value in values]


def in_unit(columns: Iterable[Column], unit: str) -> tuple[Column, ...]:
    """The columns with the unit in which a chip counts logic as heading in place of LUTs."""
    return tuple(
        replace(column, heading=unit) if column.key == "luts" and unit != "LUTs" else column
        for column in columns
    )


def shown(
    columns: Iterable[Column], records: Sequence[object], *, timed: bool, terminal: bool = False
) -> list[Column]:
    """The columns to show of these records.

    Args:
        timed: a clock frequency is known.
        terminal: for the terminal, which has less room than the page.
    """
    systems = bool(records) and all(getattr(record, "system", False) for record in records)
    return [
        column
        for column in columns
        if (timed or not column.timed)
        and not (systems and column.of_cores)
        and (column.terminal or not terminal)
        and (not column.optional or any(column.value(record) for record in records))
    ]


ROW_COLUMNS = (
    Column("width", "Width", "bits", "operand length", terminal=False),
    Column("cycles", "Cycles", "", "compute cycles, without loading and unloading"),
    Column("latency", "Latency", "cycles", "last operand beat to first result beat"),
    Column("interval", "Interval", "cycles", "between two successive operations"),
    Column("luts", "LUTs", "", "look-up tables of the core alone"),
    Column("ffs", "FFs", "", "flip-flops of the core alone"),
    Column("dsp", "DSP", "", "multiplier blocks of the core alone", optional=True),
    Column("bram", "RAM18", "", "memory blocks of the core alone, in units of 18 kbit", optional=True),
    Column(
        "lut_equivalents",
        "LUTeq",
        "",
        "LUT-equivalents: LUTs, and what DSP and RAM18 count",
    ),
    Column("cell_area", "Area", "", "area of the cells in the unit of their library", optional=True),
    Column("depth", "Depth", "gates", "gates on the longest path between registers", optional=True),
    Column("delay_ns", "Delay", "ns", "of the longest path before layout", optional=True),
    Column("period_ns", "Period", "ns", "of the clock before layout", optional=True),
    Column("fmax_mhz", "Fmax", "MHz", "median clock frequency over the seeds", timed=True),
    Column(
        *("fmax_spread_mhz", "Spread", "MHz", "highest less lowest Fmax over the seeds"),
        timed=True,
        decimals=1,
    ),
    Column("time_us", "Time", "µs", "of one operation: latency / Fmax", timed=True),
    Column("throughput_mops", "Rate", "M/s", "million multiplications a second", timed=True, of_cores=True),
    Column(
        "operations_per_s", "Operations", "1/s", "operations of a system a second", timed=True, optional=True
    ),
    Column(
        *("operations_per_kluteq", "Ops/kLUTeq", "1/s"),
        "operations of a system a second, for each 1,000 LUT-equivalents",
        timed=True,
        optional=True,
    ),
    Column("throughput_mbps", "Throughput", "Mbit/s", "width · Fmax / interval", timed=True, terminal=False),
    Column("area_time_per_bit", "AT/bit", "LUTeq·µs", "LUT-equivalents · time / width", timed=True),
    Column("lut_cycles", "AC/bit²", "LUTeq·cyc", "LUT-equivalents · interval / width²"),
    Column("verified", "Verified", "", "operations checked on this modulus", optional=True),
)
"""Of the measured cores."""

DISPENSABLE = (
    "fmax_spread_mhz",
    "throughput_mops",
    "latency",
    "lut_equivalents",
    "lut_cycles",
    "interval",
    "verified",
    "bram",
    "area_time_per_bit",
)
"""The columns of the measured cores that a narrow terminal goes without, in this order."""

LAST = ("cycles", "ffs", "operations_per_kluteq")
"""Those that go behind them, where the names of the builds take several lines already."""

OVERLAY_COLUMNS = (
    Column("width", "Width", "bits", "operand length"),
    Column("cycles", "Cycles", "", "clock cycles behind the time"),
    Column("slices", "Slices", "", "slices"),
    Column("luts", "LUTs", "", "look-up tables"),
    Column("ffs", "FFs", "", "flip-flops"),
    Column("dsp", "DSP", "", "multiplier blocks", optional=True),
    Column("bram", "RAM18", "", "memory blocks in units of 18 kbit", optional=True),
    Column("fmax_mhz", "Fmax", "MHz", "clock frequency", timed=True),
    Column("time_us", "Time", "µs", "of one multiplication", timed=True),
    Column("rate_mbps", "Throughput", "Mbit/s", "width / time", timed=True),
)
"""Of the published figures."""
