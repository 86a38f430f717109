# SPDX-License-Identifier: Apache-2.0
"""Printed figures of the papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Published:
    """One printed figure of the core's paper, as printed unless ``note`` says otherwise.

    Attributes:
        table: the paper's table.
        design: the paper's name for the design.
        device: the device the authors used.
        width: operand length in bits.
        slices, luts, ffs: area; ``None`` where the paper prints none.
        dsp: multiplier blocks.
        bram: block memories in units of 18 kbit: a RAMB36 counts two.
        fmax_mhz: clock frequency.
        cycles: clock cycles behind ``time_us``.
        time_us: printed time of one multiplication.
        note: what is wrong or missing in the print.
        options: the SystemVerilog parameters of the build it is of, where they differ from the default.
        runtime: the run-time fields of its operations, where they differ from the default.
        block: the part of the design the area is of, a name of :attr:`Core.blocks`; ``""`` for the whole.
    """

    table: str
    design: str
    device: str
    width: int
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

    @classmethod
    def from_share(
        cls, table: str, design: str, device: str, device_slices: int, width: int, percent: float, fmax: float
    ) -> Published:
        """A figure printed as a share of the device and a frequency, for a design of one cycle a bit."""
        return cls(
            *(table, design, device, width),
            slices=round(device_slices * percent / 100),
            fmax_mhz=fmax,
            cycles=width,
            time_us=round(width / fmax, 3),
            note=f"slices: printed share of {device_slices:,}; time: n cycles at the printed frequency",
        )
