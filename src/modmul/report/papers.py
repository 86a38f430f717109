# SPDX-License-Identifier: Apache-2.0
"""Every figure of the papers beside the same core on open tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from modmul.core import Config, Published, sources
from modmul.measure import SHIPPED, TARGETS, Job, Measurement, Target, ToolFailure, measure
from modmul.registry import DEFAULT_WIDTH, Room
from modmul.report.columns import DERIVED, DERIVED_MEANS, MISSING
from modmul.tools.progress import Listener, ignore

__all__ = ["DEVICES", "Line", "Table", "jobs", "of_paper", "papers", "table", "target_of"]

DEVICES = {
    "Artix-7": "artix7",
    "Virtex-6": "virtex6",
    "Virtex-E": "virtex2",
    "Virtex-II": "virtex2",
    "Virtex-II Pro": "virtex2",
}
"""The target that stands for a paper's device: the same family, or the same 4-input fabric."""


@dataclass(frozen=True)
class Line:
    """The figures of one row of a paper, and ours.

    Attributes:
        room: the core that implements the design.
        published: the paper's figures.
        config: our configuration: the core's default at their width, with their options.
        target: what ours was synthesised for.
        ours: our area, of the same block where one is named, or why there is none.
    """

    room: Room
    published: Published
    config: Config
    target: Target
    ours: Measurement | ToolFailure

    @property
    def luts(self) -> int | None:
        """Our LUTs, by the counting rule of docs/measuring.md."""
        return self.ours.area.luts if isinstance(self.ours, Measurement) else None

    @property
    def ffs(self) -> int | None:
        """Our flip-flops."""
        return self.ours.area.ffs if isinstance(self.ours, Measurement) else None

    @property
    def dsp(self) -> int | None:
        """Our multiplier blocks."""
        return self.ours.area.dsp if isinstance(self.ours, Measurement) else None

    @property
    def bram(self) -> int | None:
        """Our block memories in units of 18 kbit."""
        return self.ours.area.bram if isinstance(self.ours, Measurement) else None

    @property
    def lut_ratio(self) -> float | None:
        """Our LUTs over the paper's."""
        return self.luts / self.published.luts if self.luts and self.published.luts else None

    @property
    def ff_ratio(self) -> float | None:
        """Our flip-flops over the paper's."""
        return self.ffs / self.published.ffs if self.ffs and self.published.ffs else None

    @property
    def recomputed_time_us(self) -> float | None:
        """The paper's cycles at its frequency, µs."""
        cycles, fmax = self.published.cycles, self.published.fmax_mhz
        return cycles / fmax if cycles and fmax else None

    @property
    def cycles(self) -> int | None:
        """Our compute cycles; ``None`` for a block of which the paper has no time."""
        if self.published.block and self.published.cycles is None:
            return None
        return int(self.room.core.cycles(self.config))

    @property
    def shipped(self) -> str | None:
        """The day of the shipped record that ours is from; ``None`` when it was synthesised here."""
        record = self.ours.shipped if isinstance(self.ours, Measurement) else None
        return record.date if record else None

    @property
    def failure(self) -> str | None:
        """Why there is no area of ours, or ``None``."""
        return self.ours.reason if isinstance(self.ours, ToolFailure) else None

    def to_json(self) -> dict[str, Any]:
        """The paper's figures and ours, by the names that people see.

        ``"printed X"`` is ``None`` where the paper prints no X; what follows from the print is in
        ``"derived"``.
        """
        core, published = self.room.core, self.published
        derived = {
            what: getattr(published, name) for what, name in NAMES.items() if name in published.derived
        }
        printed = {f"printed {what}": published.printed(name) for what, name in NAMES.items()}
        return {
            "paper": core.paper,
            "table": published.table,
            "design": published.design,
            "core": core.slug,
            "block": published.block,
            "parameters": self.config.parameters(),
            "width": published.width,
            "printed device": published.device or None,
            **printed,
            "derived": derived,
            "our target": self.target.name,
            "our LUTs": self.luts,
            "LUT ratio": self.lut_ratio,
            "our FFs": self.ffs,
            "FF ratio": self.ff_ratio,
            "our DSP": self.dsp,
            "our block RAM": self.bram,
            "our cycles": self.cycles,
            "recomputed time us": self.recomputed_time_us,
            "note": published.note,
            "shipped": self.shipped,
            "failure": self.failure,
        }


NAMES = {
    "slices": "slices",
    "LUTs": "luts",
    "FFs": "ffs",
    "DSP": "dsp",
    "block RAM": "bram",
    "MHz": "fmax_mhz",
    "cycles": "cycles",
    "time us": "time_us",
}
"""The figures of a paper: name for people to field of ``Published``."""

COLUMNS = {
    "paper": "paper",
    "design": "design",
    "core": "core",
    "width": "n",
    "printed slices": "slices",
    "printed LUTs": "LUTs",
    "our target": "our target",
    "our LUTs": "our LUTs",
    "LUT ratio": "ratio",
    "printed FFs": "FFs",
    "our FFs": "our FFs",
    "FF ratio": "ratio",
    "printed DSP": "DSP",
    "our DSP": "our DSP",
    "printed block RAM": "RAM18",
    "our block RAM": "our RAM18",
    "printed cycles": "cycles",
    "our cycles": "our cycles",
    "printed time us": "µs",
    "recomputed time us": "recomputed",
}
"""The columns of the table: name of :meth:`Line.to_json` to heading. Derived figures have no others."""

BLOCK_COLUMNS = ("DSP", "block RAM")
"""Shown where a paper has them."""

LEGEND = (
    "Slices, LUTs, FFs, DSP, RAM18, cycles and µs are the paper's, printed but for those with a mark "
    f"({DERIVED_MEANS}). 'recomputed' is these cycles at the paper's frequency. Ours: the core's default "
    "configuration, or with the parameters that the paper names, and LUTs by the counting rule of "
    "docs/measuring.md. These devices have no open place and route, so no frequency of ours stands beside "
    "the paper's."
)


@dataclass(frozen=True)
class Table:
    """The lines as people read them.

    Attributes:
        headings: of the columns.
        rows: the cells of each line, the last one the number of its note.
        notes: the notes, the first being number 1.
        papers: each paper in full, and the works that the numbers of its designs mean.
        legend: what the columns are.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    papers: tuple[str, ...]
    legend: str = LEGEND


def table(lines: Sequence[Line]) -> Table:
    """The table of some lines, each note once below it."""
    data = [line.to_json() for line in lines]
    notes = list(dict.fromkeys(entry["note"] for entry in data if entry["note"]))
    hidden = {
        f"{whose} {what}"
        for what in BLOCK_COLUMNS
        if all(entry[f"printed {what}"] is None and what not in entry["derived"] for entry in data)
        for whose in ("printed", "our")
    }
    names = [name for name in COLUMNS if name not in hidden]
    rows = []
    for entry in data:
        core = " ".join(filter(None, (entry["core"], entry["block"])))
        derived = {f"printed {what}": f"{_cell(value)}{DERIVED}" for what, value in entry["derived"].items()}
        values = map((entry | {"core": core} | derived).get, names)
        rows.append((*map(_cell, values), str(notes.index(entry["note"]) + 1) if entry["note"] else ""))
    headings = (*(COLUMNS[name] for name in names), "note")
    papers = sources((line.room.core.paper, line.published.design) for line in lines)
    shipped = sum(1 for line in lines if line.shipped)
    taken = f" {shipped} of {len(lines)} of ours are shipped measurements; --fresh synthesises here."
    return Table(headings, tuple(rows), tuple(notes), tuple(papers), LEGEND + (taken if shipped else ""))


def _cell(value: object) -> str:
    if value is None:
        return MISSING
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def target_of(device: str) -> Target:
    """The target that stands for a paper's device.

    Raises:
        KeyError: the device is not in :data:`DEVICES`.
    """
    return TARGETS[DEVICES[device.split(" (", maxsplit=1)[0]]]


def _build(room: Room, published: Published) -> Config:
    """Our configuration for figures of a paper, at the default width where they are of no length."""
    default = room.core.configs(published.width or DEFAULT_WIDTH)[0]
    return replace(default.with_parameters(published.options), **published.runtime)


def _target(room: Room, published: Published) -> Target:
    """What stands for the device of some figures; where they name none, for that of others of the core.

    Raises:
        ValueError: no figure of the core names a device.
    """
    devices = [published.device, *(other.device for other in room.core.published)]
    named = [device for device in devices if device]
    if not named:
        raise ValueError(f"no figure of {room.core.slug} names a device")
    return target_of(named[0])


def of_paper(rooms: Sequence[Room], paper: str) -> tuple[Room, ...]:
    """Those of the rooms that have figures of a paper.

    Raises:
        ValueError: there are figures of other papers only.
    """
    with_figures = [room for room in rooms if room.core.published]
    known = sorted({room.core.paper for room in with_figures})
    if paper not in known:
        raise ValueError(f"no figures of paper {paper!r}; there are {', '.join(known) or 'none'}")
    return tuple(room for room in with_figures if room.core.paper == paper)


def papers(
    rooms: Sequence[Room], *, workers: int = 2, listener: Listener = ignore, fresh: bool = False
) -> list[Line]:
    """Synthesise each core, or a block of it, as its paper's figures say: at their width, with their options.

    Args:
        rooms: the cores whose published figures to show.
        workers: tools running at the same time.
        listener: told at once, and after each synthesis.
        fresh: whether to take no shipped record, and synthesise everything on this machine.
    """
    found = list(_figures(rooms))
    outcomes = measure(
        [job for *_, job in found], workers=workers, listener=listener, shelf=None if fresh else SHIPPED
    )
    return [
        Line(room, published, config, job.target, outcome)
        for (room, published, config, job), (_, outcome) in zip(found, outcomes, strict=True)
    ]


def jobs(rooms: Sequence[Room]) -> list[Job]:
    """What :func:`papers` synthesises."""
    return [job for *_, job in _figures(rooms)]


def _figures(rooms: Sequence[Room]) -> Iterator[tuple[Room, Published, Config, Job]]:
    """The figures of each row of the papers, with our configuration and what to synthesise."""
    for room in rooms:
        for published in room.core.published:
            config = _build(room, published)
            design = room.block(config, published.block) if published.block else room.design(config)
            yield room, published, config, Job(design, _target(room, published))
