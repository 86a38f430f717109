# SPDX-License-Identifier: Apache-2.0
"""Every row of the papers' tables: what is printed, what follows from it, and what the core gives here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

from modmul.core import PAPERS, Config, Published, SystemConfig, sources
from modmul.core.published import AREA, TRANSFORMS
from modmul.measure import CHIPS, SHIPPED, SHIPPED_SEEDS, Chip, Job, Measurement, ToolFailure, measure
from modmul.registry import DEFAULT_WIDTH, Build, Room, SystemRoom, on
from modmul.study.columns import DERIVED, DERIVED_MEANS, MISSING
from modmul.tools.progress import Listener, ignore

__all__ = [
    "COUNTED",
    "DEVICES",
    "LEGEND",
    "NAMES",
    "Figure",
    "Line",
    "Table",
    "cited",
    "half_ones",
    "jobs",
    "of_paper",
    "papers",
    "tables",
    "target_of",
]

DEVICES = {
    "Artix-7": "artix7",
    "Virtex-6": "virtex6",
    "Virtex-E": "virtex2",
    "Virtex-II": "virtex2",
    "Virtex-II Pro": "virtex2",
}
"""The target that stands for a paper's device: the same family, or the same 4-input fabric."""

CLOCKED = CHIPS["ecp5"]
"""The target of which there is a clock frequency."""

NAMES = {
    "slices_percent": "slices, %",
    "slices": "slices",
    "luts": "LUTs",
    "ffs": "FFs",
    "dsp": "DSP",
    "bram": "RAM18",
    "cycles": "cycles",
    "ct": "CT",
    "ct_inverse": "CT⁻¹",
    "nct": "NCT",
    "nct_inverse": "NCT⁻¹",
    "nct_half": "NCT, A=√2",
    "nct_inverse_half": "NCT⁻¹, A=√2",
    "power_cycles": "cycles of a power",
    "crt_cycles": "with CRT",
    "fmax_mhz": "MHz",
    "period_ns": "ns",
    "time_us": "µs",
    "saved_percent": "saved, %",
    "throughput_mbps": "Mbit/s",
    "slices_us_per_bit": "slices·µs/bit",
    "luts_us": "LUT·µs",
    "luts_us2": "LUT·µs²",
    "gain_percent": "gain, %",
    "power_ms": "power, ms",
    "crt_ms": "with CRT, ms",
}
"""The figures of :class:`~modmul.core.published.Published`, by the names that people see, in their order."""

COUNTED = ("slices_percent", "slices", *AREA, "cycles", *TRANSFORMS, "power_cycles", "crt_cycles")
"""The figures of the table of area and cycles; the others are those of the table of times."""

POWERS: Mapping[str, Mapping[str, tuple[str, Mapping[str, int], bool]]] = {
    "pinckney2008": {"power_cycles": ("modexp", {"Window": 1}, False)},
    "amanor2005": {
        "power_cycles": ("modexp", {"Window": 1}, True),
        "crt_cycles": ("rsa_crt", {"Window": 1, "Blind": 0, "BlindMessage": 0, "Check": 0}, False),
    },
}
"""By paper and figure: the system, and its parameters, that computes what the paper counts; and whether the
paper leaves out the products by bits of 0 (:func:`half_ones`)."""


@dataclass(frozen=True)
class Figure:
    """One figure of a row.

    Attributes:
        value: the paper's; ``None`` where it has none.
        derived: whether it is not printed, but follows from what is.
        follows: what it should be by the other figures of the paper; ``None`` where it stands alone.
        agrees: whether it is that, within its digits.
        ours: of the same core on open tools; ``None`` where we have none.
    """

    value: float | None
    derived: bool = False
    follows: float | None = None
    agrees: bool = True
    ours: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours over the paper's."""
        return self.ours / self.value if self.ours is not None and self.value else None


@dataclass(frozen=True)
class Line:
    """A row of a paper, and ours.

    Attributes:
        paper: the key of the paper.
        published: the paper's figures.
        room: the core that implements the design; ``None`` for what the paper does not describe.
        config: our build: the core's default at their width, with their options; ``None`` where none is.
        target: what ours was synthesised for; ``None`` where the paper prints no area.
        area: our area, of the same block where one is named, or why there is none.
        refused: why we have no such build; ``""`` if we have.
    """

    paper: str
    published: Published
    room: Room | None = None
    config: Config | None = None
    target: Chip | None = None
    area: Measurement | ToolFailure | None = None
    refused: str = ""

    @cached_property
    def _ours(self) -> dict[str, float]:
        """Our figures by name."""
        if self.room is None or self.config is None:
            return {}
        core, published = self.room.core, self.published
        ours: dict[str, float] = dict(core.origin.counts(self.config))
        if isinstance(self.area, Measurement):
            area = self.area.area
            ours |= {"luts": area.luts, "ffs": area.ffs, "dsp": area.dsp, "bram": area.bram}
        if published.cycles is not None or not published.block:
            ours["cycles"] = core.algorithm.cycles(self.config)
        for name, (system, parameters, halved) in POWERS.get(self.paper, {}).items():
            if getattr(published, name) is not None:
                ours[name] = _power(system, core.slug, self.config, parameters, halved=halved)
        return ours

    def figure(self, name: str) -> Figure:
        """One of the figures of :data:`NAMES`."""
        published = self.published
        return Figure(
            getattr(published, name),
            name in published.derived,
            published.follows(name),
            published.agrees(name),
            self._ours.get(name),
        )

    @property
    def figures(self) -> dict[str, Figure]:
        """Those of which there is something, by name."""
        found = {name: self.figure(name) for name in NAMES}
        return {name: f for name, f in found.items() if f.value is not None or f.ours is not None}

    @property
    def clocked_us(self) -> float | None:
        """Cycles of our build at its median frequency on ecp5, where a shipped measurement has that; µs."""
        if self.room is None or self.config is None or self.published.time_us is None:
            return None
        job = Job(self.room.design(self.config), CLOCKED, SHIPPED_SEEDS)
        record = SHIPPED.find(job.design, job.target, job.seeds)
        timing = Measurement.of(record, job).timing if record else None
        return self._ours["cycles"] / timing.median_mhz if timing else None

    @property
    def shipped(self) -> str | None:
        """The day of the shipped record that our area is from; ``None`` when it was synthesised here."""
        record = self.area.shipped if isinstance(self.area, Measurement) else None
        return record.date if record else None

    @property
    def failure(self) -> str | None:
        """Why there is no area of ours, or ``None``."""
        return self.area.reason if isinstance(self.area, ToolFailure) else None

    @property
    def why(self) -> str:
        """Why figures differ: what is special of this row."""
        return "; ".join(filter(None, (self.published.note, self.refused and f"none here: {self.refused}")))

    def to_json(self) -> dict[str, Any]:
        """The paper's figures and ours, by the names that people see."""
        published, config = self.published, self.config
        return {
            "paper": self.paper,
            "table": published.table,
            "design": published.design,
            "core": self.room.core.slug if self.room else None,
            "block": published.block,
            "parameters": config.parameters() if config else None,
            "width": published.width,
            "printed device": published.device or None,
            "our target": self.target.name if self.target else None,
            "figures": {
                NAMES[name]: {
                    "printed": None if figure.derived else figure.value,
                    "derived": figure.value if figure.derived else None,
                    "follows": figure.follows,
                    "agrees": figure.agrees,
                    "ours": figure.ours,
                    "ratio": figure.ratio,
                }
                for name, figure in self.figures.items()
            },
            "our us on ecp5": self.clocked_us,
            "why": self.why,
            "shipped": self.shipped,
            "failure": self.failure,
        }


def _power(system: str, slug: str, config: Config, parameters: Mapping[str, int], *, halved: bool) -> int:
    """Cycles of a power on a core as the paper builds it."""
    build = on(system, slug).build(config.width, {**config.options(), **parameters})
    return half_ones(build) if halved else build.latency


def half_ones(build: Build) -> int:
    """Cycles of a power bit by bit without its products by bits of 0, for an exponent of which half are 1.

    A system makes them, since its time may not depend on the exponent; here they are taken off, each with the
    cycles that a product takes alone.

    Args:
        build: of ``modexp``, with ``Window`` 1.
    """
    assert isinstance(build.room, SystemRoom) and isinstance(build.config, SystemConfig)
    interface, config = build.room.inner.core.interface, build.config.inner
    last = interface.operand_cycles(config)[-1] if interface.operand_cycles else config.beats - 1
    alone = interface.in_flight(config) == 1
    product = interface.interval(config) if alone else last + 1 + interface.latency(config)
    return build.latency - build.config.bits // 2 * product


# --- the tables -------------------------------------------------------------------------------------

DISAGREES = "≠"
"""What stands behind a figure that is not what follows."""

LEGEND = (
    f"Figures are the papers', printed but for those with a mark ({DERIVED_MEANS}). 'follows' is what a "
    f"printed figure should be by the other figures of the paper; {DISAGREES} marks one that is not. Ours: "
    "the core's default build, or with the parameters that the paper names; LUTs by the counting rule of "
    "docs/measuring.md; where no note says more, areas differ because tools do. Cycles are those of the "
    "hardware, those of powers of a system on the core. None of these devices has an open place and route: "
    "no frequency of ours stands beside the paper's, and 'ours, ecp5' is cycles at our frequency on an ECP5, "
    "to be compared down the column."
)


@dataclass(frozen=True)
class Table:
    """The rows of one table of a paper as people read them.

    Attributes:
        title: paper, table and what is in it.
        headings: of the columns.
        rows: the cells of each row, the last one the number of its note.
        notes: the notes, the first being number 1; the same for both tables of a paper's one.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


def tables(lines: Sequence[Line]) -> list[Table]:
    """For each table of the papers one of area and cycles and one of times, where it has such figures."""
    found = []
    for (paper, name), group in groupby(lines, key=lambda line: (line.paper, line.published.table)):
        members = list(group)
        notes = tuple(dict.fromkeys(line.why for line in members if line.why))
        for what, names in (
            ("area and cycles", [name for name in NAMES if name in COUNTED]),
            ("times and what follows from them", [name for name in NAMES if name not in COUNTED]),
        ):
            columns = list(_columns(members, names))
            if not columns:
                continue
            about = [
                ("design", [line.published.design for line in members]),
                ("core", [_core(line) for line in members]),
            ]
            if any(line.published.width for line in members):
                about.append(("n", [_cell(line.published.width) for line in members]))
            numbers = [str(notes.index(line.why) + 1) if line.why else "" for line in members]
            headings, cells = zip(*about, *columns, ("note", numbers), strict=True)
            found.append(
                Table(f"{paper}, {_where(name)}: {what}", headings, tuple(zip(*cells, strict=True)), notes)
            )
    return found


def cited(lines: Iterable[Line]) -> list[str]:
    """Each paper in full, and the works that the numbers of its designs mean."""
    return sources((line.paper, line.published.design) for line in lines)


def _columns(lines: Sequence[Line], names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Heading and cells of each figure that some line has; of ours only beside one of the paper's."""
    for name in names:
        figures = [line.figure(name) for line in lines]
        if all(figure.value is None for figure in figures):
            if name == "luts" and any(figure.ours is not None for figure in figures):
                yield "our LUTs", [_cell(figure.ours) for figure in figures]
            continue
        if name not in AREA:
            figures = [figure if figure.value is not None else Figure(None) for figure in figures]
        yield NAMES[name], [_marked(figure) for figure in figures]
        if any(figure.follows is not None for figure in figures):
            yield "follows", [_cell(figure.follows) for figure in figures]
        if any(figure.ours is not None for figure in figures):
            yield "ours", [_cell(figure.ours) for figure in figures]
            if name not in ("dsp", "bram"):
                yield "ratio", ["" if f.ratio is None else f"{f.ratio:.2f}" for f in figures]
    if "time_us" in names:
        clocked = [line.clocked_us for line in lines]
        if any(clocked):
            yield "ours, ecp5", [_cell(time) for time in clocked]


def _where(table: str) -> str:
    """Of the names of tables ``"6"``, ``"1 and 2"`` and ``"Section 5.3"``."""
    if table.startswith("Section"):
        return table
    return f"Tables {table}" if " and " in table else f"Table {table}"


def _core(line: Line) -> str:
    if line.room is None:
        return MISSING
    options = " ".join(f"{name}={value}" for name, value in line.published.options.items())
    return " ".join(filter(None, (line.room.core.slug, line.published.block, options)))


def _marked(figure: Figure) -> str:
    """The paper's figure in all its digits."""
    text = MISSING if figure.value is None else f"{figure.value:,}"
    return text + (DERIVED if figure.derived else "" if figure.agrees else f" {DISAGREES}")


def _cell(value: float | None) -> str:
    if value is None:
        return MISSING
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


# --- the lines --------------------------------------------------------------------------------------


def target_of(device: str) -> Chip:
    """The target that stands for a paper's device.

    Raises:
        KeyError: the device is not in :data:`DEVICES`.
    """
    return CHIPS[DEVICES[device.split(" (", maxsplit=1)[0]]]


def _build(room: Room, published: Published) -> Config:
    """Our configuration for figures of a paper, at the default width where they are of no length.

    Raises:
        ValueError: there is no such build.
    """
    default = room.core.builds.at(published.width or DEFAULT_WIDTH)[0]
    return replace(default.with_parameters(published.options), **published.runtime)


def _target(room: Room, published: Published) -> Chip:
    """What stands for the device of some figures; where they name none, for that of others of the core.

    Raises:
        ValueError: no figure of the core names a device.
    """
    devices = [published.device, *(other.device for other in room.core.origin.published)]
    named = [device for device in devices if device]
    if not named:
        raise ValueError(f"no figure of {room.core.slug} names a device")
    return target_of(named[0])


def _line(room: Room, published: Published) -> Line:
    """A row and our build, without its area."""
    paper = room.core.origin.paper
    try:
        config = _build(room, published)
    except ValueError as error:
        return Line(paper, published, room, refused=str(error))
    with_area = any(getattr(published, name) is not None for name in ("slices", *AREA))
    return Line(paper, published, room, config, _target(room, published) if with_area else None)


def _lines(rooms: Sequence[Room]) -> list[Line]:
    """The rows of the rooms' papers in the order of papers and tables, those of other designs last."""
    found = [_line(room, published) for room in rooms for published in room.core.origin.published]
    keys = {line.paper for line in found}
    found += [Line(key, row) for key in sorted(keys & set(PAPERS)) for row in PAPERS[key].others]
    order = list(dict.fromkeys((line.paper, line.published.table) for line in found))
    order.sort()
    return sorted(found, key=lambda line: order.index((line.paper, line.published.table)))


def _job(line: Line) -> Job | None:
    """What to synthesise for a line; nothing where the paper prints no area."""
    if line.room is None or line.config is None or line.target is None:
        return None
    block = line.published.block
    design = line.room.block(line.config, block) if block else line.room.design(line.config)
    return Job(design, line.target)


def papers(
    rooms: Sequence[Room], *, workers: int = 2, listener: Listener = ignore, fresh: bool = False
) -> list[Line]:
    """The rows of the papers; our areas are looked up, or synthesised as the papers' figures say.

    Args:
        rooms: the cores whose published figures to show. The rows of a paper that are of no core are there
            when one of its cores is.
        workers: tools running at the same time.
        listener: told at once, and after each synthesis.
        fresh: whether to take no shipped record, and synthesise everything on this machine.
    """
    lines = _lines(rooms)
    todo = [job for line in lines if (job := _job(line))]
    shelf = None if fresh else SHIPPED
    outcomes = iter(measure(todo, workers=workers, listener=listener, shelf=shelf))
    return [replace(line, area=next(outcomes)[1]) if _job(line) else line for line in lines]


def jobs(rooms: Sequence[Room]) -> list[Job]:
    """What :func:`papers` synthesises."""
    return [job for line in _lines(rooms) if (job := _job(line))]


def of_paper(rooms: Sequence[Room], paper: str) -> tuple[Room, ...]:
    """Those of the rooms that have figures of a paper.

    Raises:
        ValueError: there are figures of other papers only.
    """
    with_figures = [room for room in rooms if room.core.origin.published]
    known = sorted({room.core.origin.paper for room in with_figures})
    if paper not in known:
        raise ValueError(f"no figures of paper {paper!r}; there are {', '.join(known) or 'none'}")
    return tuple(room for room in with_figures if room.core.origin.paper == paper)
