# SPDX-License-Identifier: Apache-2.0
"""What a chip family is, as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


class ChipError(RuntimeError):
    """A chip family that cannot be used."""


@dataclass(frozen=True)
class Cells:
    """The cells that synthesis emits, and how each counts; any other cell is an error.

    Attributes:
        logic: cell to the LUTs it takes. A carry cell that occupies LUTs is here and in ``carry``.
        memory: RAM or shift register made of LUTs, to the LUTs it takes.
        block_ram: block memory, to its size in units of 18 kbit.
        carry: pattern of the names of carry cells.
        flip_flop: pattern of those of flip-flops.
        multiplier: pattern of those of multiplier blocks.
        free: pattern of those that cost nothing: constants, and multiplexers behind LUTs.
    """

    logic: Mapping[str, int]
    flip_flop: str
    carry: str = ""
    multiplier: str = ""
    free: str = ""
    memory: Mapping[str, int] = field(default_factory=dict)
    block_ram: Mapping[str, int] = field(default_factory=dict)

    def is_carry(self, cell: str) -> bool:
        """Whether it is a carry cell."""
        return re.fullmatch(self.carry, cell) is not None

    def is_flip_flop(self, cell: str) -> bool:
        """Whether it is a flip-flop."""
        return re.fullmatch(self.flip_flop, cell) is not None

    def is_multiplier(self, cell: str) -> bool:
        """Whether it is a multiplier block."""
        return re.fullmatch(self.multiplier, cell) is not None

    def is_free(self, cell: str) -> bool:
        """Whether it costs nothing. ``$scopeinfo`` is a note of Yosys in every netlist."""
        return cell == "$scopeinfo" or re.fullmatch(self.free, cell) is not None


@dataclass(frozen=True)
class Twins:
    """The twins of modules, ``mm_x.<family>.sv``, that a chip takes, and what is known of their cells.

    Attributes:
        family: as it stands in the names of the files.
        modelled: Yosys' name of the file that models the cells.
        declared: Yosys' name of the file that declares further cells.
        proofs: models of declared cells, for the proof that a twin equals its plain module.
    """

    family: str
    modelled: str
    declared: str
    proofs: tuple[Path, ...] = ()


@dataclass(frozen=True)
class PlaceAndRoute:
    """How nextpnr is run for a chip.

    Attributes:
        program: its command line behind ``python``, without options.
        package: the Python package that brings it, whose version decides whether results are kept.
        options: its options but for files and seed: the device and what else always holds.
        crowded: further options for designs that it cannot route otherwise (``Design.dense``).
    """

    program: tuple[str, ...]
    package: str
    options: tuple[str, ...]
    crowded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Vendor:
    """The vendor's own tool for a chip, for which ``modmul export`` writes a script.

    Attributes:
        tool: ``"vivado"``, ``"quartus"``, ``"radiant"`` or ``"diamond"``.
        part: the device, as the tool calls it.
        family: its family, where the tool asks for it (Quartus).
        twins: whether the tool knows the cells of the twins by the names that they have there.
    """

    tool: str
    part: str
    family: str = ""
    twins: bool = False


@dataclass(frozen=True)
class Chip:
    """One chip family and its flow.

    Attributes:
        name: what it is called on the command line.
        title: one line for people: family, device, speed grade.
        lut_inputs: inputs of the fabric's LUT.
        synthesis: the Yosys command that maps a design to it, multiplications to LUTs.
        cells: the cells that this command emits, and how they count.
        dsp_weight: LUTs that a multiplier block counts for in LUT-equivalents.
        bram_weight: LUTs that 18 kbit of block RAM count for.
        no_multiplier_blocks: the option in ``synthesis`` that keeps multiplications in LUTs; it is taken out
            for a core whose architecture are the blocks. Empty where the command has no blocks by itself.
        multiplier_blocks: the option put in for such a core, where the command needs one.
        silenced: Yosys commands that silence warnings about its own cells.
        twins: the twins that it takes; ``None`` for none.
        route: how it is placed and routed; ``None`` where there are no open tools.
        vendor: the vendor's own tool for it; ``None`` where no script is written for that.
        relative: the family whose tuned builds it takes where a room has none for itself; empty for none.
        shipped: whether the package brings measurements of it.
    """

    name: str
    title: str
    lut_inputs: int
    synthesis: str
    cells: Cells
    dsp_weight: int
    bram_weight: int
    no_multiplier_blocks: str = ""
    multiplier_blocks: str = ""
    silenced: tuple[str, ...] = ()
    twins: Twins | None = None
    route: PlaceAndRoute | None = None
    vendor: Vendor | None = None
    relative: str = ""
    shipped: bool = False

    def __post_init__(self) -> None:
        option = self.no_multiplier_blocks
        if option and f" {option}" not in self.synthesis:
            raise ChipError(f"{self.name}: {option} is not in the command {self.synthesis!r}")

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def family(self) -> str:
        """The family of the twins that it takes; empty for none."""
        return self.twins.family if self.twins else ""

    def command(self, dsp: bool) -> str:
        """The Yosys command for a core, with multiplier blocks or without."""
        if not dsp:
            return self.synthesis
        command = self.synthesis
        if self.no_multiplier_blocks:
            command = command.replace(f" {self.no_multiplier_blocks}", "")
        return f"{command} {self.multiplier_blocks}" if self.multiplier_blocks else command
