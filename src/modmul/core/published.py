# SPDX-License-Identifier: Apache-2.0
"""Figures of the papers, printed or derived from what is printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FIGURES = ("slices", "luts", "ffs", "dsp", "bram", "fmax_mhz", "cycles", "time_us")
"""The fields of :class:`Published` that are figures."""


@dataclass(frozen=True)
class Published:
    """One row of figures of the core's paper, as printed but for ``derived`` and what ``note`` says.

    Attributes:
        table: the paper's table.
        design: the paper's name for the design.
        device: the device the authors used; ``""`` where the paper names none.
        width: operand length in bits; ``None`` where the paper names none.
        slices, luts, ffs: area; ``None`` where the paper prints none.
        dsp: multiplier blocks.
        bram: block memories in units of 18 kbit: a RAMB36 counts two.
        fmax_mhz: clock frequency.
        cycles: clock cycles behind ``time_us``.
        time_us: time of one multiplication.
        note: what is wrong or missing in the print, and what derived figures follow from.
        options: the SystemVerilog parameters of the build it is of, where they differ from the default.
        runtime: the run-time fields of its operations, where they differ from the default.
        block: the part of the design the area is of, a name of :attr:`Core.blocks`; ``""`` for the whole.
        derived: those of :data:`FIGURES` that are not printed but follow from what is: from a formula, a
            share of the device, the clock's period, the time of something else.

    Raises:
        ValueError: ``derived`` names something that is no figure of this row.
    """

    table: str
    design: str
    device: str
    width: int | None
    slices: int | None = None
    luts: int | None = None
    ffs: int | None = None
    fmax_mhz: float | None = None
    cycles: int | None = None
    time_us: float | None = None
    note: str = ""
    options: Mapping[str, int] = field(default_factory=dict, hash=False)
    runtime: Mapping[str, Any] = field(default_factory=dict, hash=False)
    block: str = ""
    dsp: int | None = None
    bram: int | None = None
    derived: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.derived:
            if name not in FIGURES or getattr(self, name) is None:
                raise ValueError(f"{self.design}: derived names {name!r}, which is no figure of this row")

    def printed(self, name: str) -> Any:
        """One of :data:`FIGURES`; ``None`` where it is not printed."""
        return None if name in self.derived else getattr(self, name)

    @classmethod
    def from_share(
        cls, table: str, design: str, device: str, device_slices: int, width: int, percent: float, fmax: float
    ) -> Published:
        """A row that prints a share of the device and a frequency, for a design of one cycle a bit."""
        return cls(
            *(table, design, device, width),
            slices=round(device_slices * percent / 100),
            fmax_mhz=fmax,
            cycles=width,
            time_us=round(width / fmax, 3),
            note=f"slices: the printed share of {device_slices:,}; time: n cycles at the printed frequency",
            derived=("slices", "cycles", "time_us"),
        )
