# SPDX-License-Identifier: Apache-2.0
"""The counting rule: what a netlist of vendor cells costs, the same on every target."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from modmul.measure.targets import Target

__all__ = ["Area", "UnknownCell", "count_cells"]


class UnknownCell(ValueError):
    """A cell type the counting rule does not know."""


@dataclass(frozen=True)
class Area:
    """What a core costs after synthesis.

    Attributes:
        luts: look-up tables by the counting rule, those of ``lut_ram`` included.
        lut_ram: the look-up tables used as memory or shift register.
        carries: carry cells (CARRY4, MUXCY or CCU2C).
        ffs: flip-flops.
        dsp: multiplier blocks.
        bram: block memories in units of 18 kbit.
        cells: cell type to count, as the tool reports it.
        seconds: run time of the synthesis, also when the result comes from the store.
        log: the tool's output; ``None`` when the cells were counted without a tool run.
    """

    luts: int
    lut_ram: int
    carries: int
    ffs: int
    dsp: int
    bram: int
    cells: Mapping[str, int]
    seconds: float = 0.0
    log: Path | None = None


_LOGIC = {f"LUT{inputs}": 1 for inputs in range(1, 7)} | {"LUT6_2": 1, "INV": 1, "CCU2C": 2}

_SHIFT = dict.fromkeys(("SRL16", "SRL16E", "SRLC16", "SRLC16E", "SRLC32E"), 1)

# LUTs of each RAM: 16 words a LUT in a 4-input fabric, 64 words (or 32 of two bits) in a 6-input one.
_RAM: Mapping[int, Mapping[str, int]] = {
    4: {
        "RAM16X1S": 1,
        "RAM16X1D": 2,
        "RAM32X1S": 2,
        "RAM32X1D": 4,
        "RAM64X1S": 4,
        "RAM64X1D": 8,
        "RAM128X1S": 8,
        "TRELLIS_DPR16X4": 6,
    },
    6: {
        "RAM16X1S": 1,
        "RAM16X1D": 2,
        "RAM32X1S": 1,
        "RAM32X1D": 2,
        "RAM64X1S": 1,
        "RAM64X1D": 2,
        "RAM128X1S": 2,
        "RAM128X1D": 4,
        "RAM256X1S": 4,
        "RAM32M": 4,
        "RAM64M": 4,
        "RAM32M16": 8,
        "RAM64M8": 8,
    },
}

_CARRY = re.compile(r"CARRY4|MUXCY|CCU2C")
_FF = re.compile(r"FD[CPRS]E(_1)?|FDCPE(_1)?|FDRSE(_1)?|TRELLIS_FF")
_DSP = re.compile(r"DSP48E[12]|MULT18X18S?|MULT18X18D|ALU54B")
_BRAM = {"RAMB18E1": 1, "RAMB36E1": 2, "RAMB18E2": 1, "RAMB36E2": 2, "DP16KD": 1, "PDPW16KD": 1}
_BRAM_VIRTEX2 = re.compile(r"RAMB16(_S\d+){1,2}")
_FREE = re.compile(r"MUXF[5-9]|PFUMX|L6MUX21|XORCY|ORCY|MULT_AND|VCC|GND|\$scopeinfo")


def count_cells(cells: Mapping[str, int], target: Target) -> Area:
    """Apply the counting rule of ``docs/measuring.md`` to the cells of a flat netlist.

    Args:
        cells: cell type to number of cells.
        target: decides how many LUTs a RAM takes.

    Raises:
        UnknownCell: naming every cell type the rule does not know.
    """
    luts = lut_ram = carries = ffs = dsp = bram = 0
    unknown = []
    memory = {**_RAM[target.lut_inputs], **_SHIFT}
    for name, count in cells.items():
        if name in _LOGIC:
            luts += _LOGIC[name] * count
            carries += count if _CARRY.fullmatch(name) else 0
        elif name in memory:
            luts += memory[name] * count
            lut_ram += memory[name] * count
        elif _CARRY.fullmatch(name):
            carries += count
        elif _FF.fullmatch(name):
            ffs += count
        elif _DSP.fullmatch(name):
            dsp += count
        elif name in _BRAM or _BRAM_VIRTEX2.fullmatch(name):
            bram += _BRAM.get(name, 1) * count
        elif not _FREE.fullmatch(name):
            unknown.append(name)
    if unknown:
        raise UnknownCell(f"the counting rule has no entry for {', '.join(sorted(unknown))} on {target.name}")
    return Area(luts, lut_ram, carries, ffs, dsp, bram, dict(cells))
