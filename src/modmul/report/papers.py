# SPDX-License-Identifier: Apache-2.0
"""Every printed figure of the papers beside the same core on open tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from modmul.core import Config, Published
from modmul.measure import SHIPPED, TARGETS, Job, Measurement, Target, ToolFailure, measure
from modmul.registry import Room
from modmul.report.columns import MISSING
from modmul.tools.progress import Listener, ignore

__all__ = ["DEVICES", "Line", "Table", "jobs", "of_paper", "papers", "table", "target_of"]

DEVICES = {
    "Artix-7": "artix7",
    "Virtex-6": "virtex6",
    "Virtex-E": "virtex2",
    "Virtex-II": "virtex2",
    "Virtex-II Pro": "virtex2",
}
"""The target that stands for a printed device: the same family, or the same 4-input fabric."""


@dataclass(frozen=True)
class Line:
    """One printed figure and ours.

    Attributes:
        room: the core that implements the design.
        printed: the paper's figure.
        config: our configuration: the core's default at the printed width, with the options of the figure.
        target: what ours was synthesised for.
        ours: our area, of the printed block where one is named, or why there is none.
    """

    room: Room
    printed: Published
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
        """Our LUTs over the printed ones."""
        return self.luts / self.printed.luts if self.luts and self.printed.luts else None

    @property
    def ff_ratio(self) -> float | None:
        """Our flip-flops over the printed ones."""
        return self.ffs / self.printed.ffs if self.ffs and self.printed.ffs else None

    @property
    def recomputed_time_us(self) -> float | None:
        """The printed cycles at the printed frequency, µs."""
        cycles, fmax = self.printed.cycles, self.printed.fmax_mhz
        return cycles / fmax if cycles and fmax else None

    @property
    def cycles(self) -> int | None:
        """Our compute cycles; ``None`` for a block of which the paper prints no time."""
        if self.printed.block and self.printed.cycles is None:
            return None
        return int(self.room.core.cycles(self.config))

    @property
    def failure(self) -> str | None:
        """Why there is no area of ours, or ``None``."""
        return self.ours.reason if isinstance(self.ours, ToolFailure) else None

    def to_json(self) -> dict[str, Any]:
        """The printed figure and ours, by the names that people see."""
        core, printed = self.room.core, self.printed
        return {
            "paper": core.paper,
            "table": printed.table,
            "design": printed.design,
            "core": core.slug,
            "block": printed.block,
            "parameters": self.config.parameters(),
            "width": printed.width,
            "printed device": printed.device,
            "printed slices": printed.slices,
            "printed LUTs": printed.luts,
            "our target": self.target.name,
            "our LUTs": self.luts,
            "LUT ratio": self.lut_ratio,
            "printed FFs": printed.ffs,
            "our FFs": self.ffs,
            "FF ratio": self.ff_ratio,
            "printed DSP": printed.dsp,
            "our DSP": self.dsp,
            "printed block RAM": printed.bram,
            "our block RAM": self.bram,
            "printed cycles": printed.cycles,
            "our cycles": self.cycles,
            "printed time us": printed.time_us,
            "recomputed time us": self.recomputed_time_us,
            "note": printed.note,
            "shipped": self.ours.shipped.date
            if isinstance(self.ours, Measurement) and self.ours.shipped
            else None,
            "failure": self.failure,
        }


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
"""The columns of the table: name of :meth:`Line.to_json` to heading."""

BLOCK_COLUMNS = ("DSP", "block RAM")
"""Shown where a paper prints them."""

LEGEND = (
    "Slices, LUTs, FFs, DSP, RAM18, cycles and µs are printed figures; 'recomputed' is printed cycles "
    "at the printed frequency. Ours: the core's default configuration, or with the parameters that "
    "the paper names, and LUTs by the counting rule of docs/measuring.md. "
    "These devices have no open place and route, so no frequency of ours stands beside the printed ones."
)


@dataclass(frozen=True)
class Table:
    """The lines as people read them.

    Attributes:
        headings: of the columns.
        rows: the cells of each line, the last one the number of its note.
        notes: the notes, the first being number 1.
        legend: what the columns are.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    legend: str = LEGEND


def table(lines: Sequence[Line]) -> Table:
    """The table of some lines, each note once below it."""
    data = [line.to_json() for line in lines]
    notes = list(dict.fromkeys(entry["note"] for entry in data if entry["note"]))
    hidden = {
        f"{whose} {what}"
        for what in BLOCK_COLUMNS
        if all(entry[f"printed {what}"] is None for entry in data)
        for whose in ("printed", "our")
    }
    names = [name for name in COLUMNS if name not in hidden]
    rows = []
    for entry in data:
        core = " ".join(filter(None, (entry["core"], entry["block"])))
        values = map((entry | {"core": core}).get, names)
        rows.append((*map(_cell, values), str(notes.index(entry["note"]) + 1) if entry["note"] else ""))
    return Table((*(COLUMNS[name] for name in names), "note"), tuple(rows), tuple(notes))


def _cell(value: object) -> str:
    if value is None:
        return MISSING
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def target_of(device: str) -> Target:
    """The target that stands for a printed device.

    Raises:
        KeyError: the device is not in :data:`DEVICES`.
    """
    return TARGETS[DEVICES[device.split(" (", maxsplit=1)[0]]]


def _build(room: Room, printed: Published) -> Config:
    """Our configuration for a printed figure."""
    default = room.core.configs(printed.width)[0]
    return replace(default.with_parameters(printed.options), **printed.runtime)


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
    """Synthesise each core, or a block of it, as its paper's figures say: at the printed width, with options.

    Args:
        rooms: the cores whose printed figures to show.
        workers: tools running at the same time.
        listener: told at once, and after each synthesis.
        fresh: whether to take no shipped record, and synthesise everything on this machine.
    """
    found = list(_figures(rooms))
    outcomes = measure(
        [job for *_, job in found], workers=workers, listener=listener, shelf=None if fresh else SHIPPED
    )
    return [
        Line(room, printed, config, job.target, outcome)
        for (room, printed, config, job), (_, outcome) in zip(found, outcomes, strict=True)
    ]


def jobs(rooms: Sequence[Room]) -> list[Job]:
    """What :func:`papers` synthesises."""
    return [job for *_, job in _figures(rooms)]


def _figures(rooms: Sequence[Room]) -> Iterator[tuple[Room, Published, Config, Job]]:
    """Each printed figure of some cores, with our configuration and what to synthesise."""
    for room in rooms:
        for printed in room.core.published:
            config = _build(room, printed)
            design = room.block(config, printed.block) if printed.block else room.design(config)
            yield room, printed, config, Job(design, target_of(printed.device))
