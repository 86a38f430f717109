# SPDX-License-Identifier: Apache-2.0
"""The counting rule: what a netlist of vendor cells costs. How a cell counts stands with its chip family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import NamedTuple, Protocol

from modmul.chips import Chip, Count

__all__ = ["Area", "UnknownCell", "count_cells", "shortage", "too_small"]


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
        depth: gates on the longest path between registers; ``None`` where cells are no gates.
        delay_ps: delay of that path in ps, without wires, registers' own delay and set-up; ``None`` where
            unknown.
        period_ps: shortest clock period in ps by OpenSTA, with clock-to-output and set-up, without wires;
            ``None`` where it was not run.
        cell_area: area of the cells in the unit of the library they are from; ``None`` without one.
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
    depth: int | None = None
    delay_ps: float | None = None
    period_ps: float | None = None
    cell_area: float | None = None


def count_cells(cells: Mapping[str, int], chip: Chip) -> Area:
    """Apply the counting rule of ``docs/measuring.md`` to the cells of a flat netlist.

    Args:
        cells: cell type to number of cells.
        chip: the family that they are of, which says how each counts.

    Raises:
        UnknownCell: naming every cell type the rule does not know.
    """
    luts: Count = 0
    lut_ram: Count = 0
    dsp: Count = 0
    bram: Count = 0
    carries = ffs = 0
    unknown = []
    for name, count in cells.items():
        cell = _cell(name, chip)
        luts += (cell.logic + cell.memory) * count
        lut_ram += cell.memory * count
        dsp += cell.multiplier * count
        bram += cell.block_ram * count
        carries += cell.carry * count
        ffs += cell.flip_flop * count
        if not cell.known:
            unknown.append(name)
    if unknown:
        raise UnknownCell(f"the counting rule has no entry for {', '.join(sorted(unknown))} on {chip.name}")
    return Area(
        luts=ceil(luts),
        lut_ram=ceil(lut_ram),
        carries=carries,
        ffs=ffs,
        dsp=ceil(dsp),
        bram=ceil(bram),
        cells=dict(cells),
        cell_area=None if chip.unit_area is None else float(luts) * chip.unit_area,
    )


class _Cell(NamedTuple):
    """What one cell counts, by the names of :class:`~modmul.chips.Cells`; whether there is a rule for it."""

    logic: Count
    memory: Count
    multiplier: Count
    block_ram: Count
    carry: bool
    flip_flop: bool
    known: bool


@lru_cache(maxsize=4096)
def _cell(name: str, chip: Chip) -> _Cell:
    rule = chip.cells
    kinds = (rule.logic, rule.memory, rule.multiplier, rule.block_ram)
    carry, flip_flop = rule.is_carry(name), rule.is_flip_flop(name)
    known = carry or flip_flop or rule.is_free(name) or any(name in kind for kind in kinds)
    logic, memory, multiplier, block_ram = (kind.get(name, 0) for kind in kinds)
    return _Cell(logic, memory, multiplier, block_ram, carry, flip_flop, known)


class Sized(Protocol):
    """What has an area, as :class:`Area` counts it."""

    @property
    def luts(self) -> int: ...
    @property
    def ffs(self) -> int: ...
    @property
    def dsp(self) -> int: ...
    @property
    def bram(self) -> int: ...


def shortage(area: Sized, chip: Chip) -> str:
    """What a chip's part lacks for a core alone, in one line; empty where nothing.

    A core for which nothing is lacking may still be too large: packing is not counted.
    """
    if chip.part is None:
        return ""
    wanted = {"LUTs": "luts", "flip-flops": "ffs", "multiplier blocks": "dsp", "RAM18": "bram"}
    amounts = {name: (getattr(area, key), getattr(chip.part, key)) for name, key in wanted.items()}
    return too_small(chip.part.name, {name: each for name, each in amounts.items() if each[0] > each[1]})


def too_small(part: str, lacking: Mapping[str, tuple[int, int]]) -> str:
    """A line that says how much of what a part would have to hold; empty where nothing is lacking.

    Args:
        lacking: resource to (needed, there).
    """
    sizes = (f"{needed:,} {name} needed, {there:,} there" for name, (needed, there) in lacking.items())
    return f"{part} is too small: {'; '.join(sizes)}" if lacking else ""
