# SPDX-License-Identifier: Apache-2.0
"""The counting rule: what a netlist of vendor cells costs. How a cell counts stands with its chip family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from modmul.chips import Chip

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


def count_cells(cells: Mapping[str, int], chip: Chip) -> Area:
    """Apply the counting rule of ``docs/measuring.md`` to the cells of a flat netlist.

    Args:
        cells: cell type to number of cells.
        chip: the family that they are of, which says how each counts.

    Raises:
        UnknownCell: naming every cell type the rule does not know.
    """
    luts = lut_ram = carries = ffs = dsp = bram = 0
    unknown = []
    rule = chip.cells
    for name, count in cells.items():
        if name in rule.logic or rule.is_carry(name):
            luts += rule.logic.get(name, 0) * count
            carries += count if rule.is_carry(name) else 0
        elif name in rule.memory:
            luts += rule.memory[name] * count
            lut_ram += rule.memory[name] * count
        elif rule.is_flip_flop(name):
            ffs += count
        elif rule.is_multiplier(name):
            dsp += count
        elif name in rule.block_ram:
            bram += rule.block_ram[name] * count
        elif not rule.is_free(name):
            unknown.append(name)
    if unknown:
        raise UnknownCell(f"the counting rule has no entry for {', '.join(sorted(unknown))} on {chip.name}")
    return Area(luts, lut_ram, carries, ffs, dsp, bram, dict(cells))
