# SPDX-License-Identifier: Apache-2.0
"""The data of one comparison: what was measured of each core, and the papers' figures.

Nothing here measures or draws. A quantity that lacks an ingredient is ``None``, never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import inf
from typing import Any

from modmul.chips import Chip, chip
from modmul.core import PRIME_FIELD, Core, Published, SystemConfig
from modmul.measure.weights import Weights
from modmul.moduli import Modulus
from modmul.moduli.named import shown
from modmul.room import Build, SystemRoom
from modmul.study.columns import MISSING, OVERLAY_COLUMNS, ROW_COLUMNS, Column, in_unit

__all__ = [
    "UNREDUCED",
    "UNREDUCED_MEANS",
    "Comparison",
    "Overlay",
    "Row",
    "Skipped",
    "by_reason",
    "common_system",
    "short_labels",
]

UNREDUCED = "†"
"""What stands behind the name of a build whose results may be above M-1."""

UNREDUCED_MEANS = f"{UNREDUCED} results may be above M-1: the last subtraction is left to whoever takes them"


@dataclass(frozen=True)
class Skipped:
    """A core that was not measured, and why."""

    core: str
    reason: str


def by_reason(skipped: Iterable[Skipped]) -> dict[str, list[str]]:
    """The cores that were left out for each reason, in their order."""
    found: dict[str, list[str]] = {}
    for each in skipped:
        found.setdefault(each.reason, []).append(each.core)
    return found


@dataclass(frozen=True)
class Row:
    """One core in one configuration, as measured.

    Attributes:
        core: slug of the core.
        title: its title, one line for people.
        paper: key of its paper, or ``""``.
        config: its parameters but ``Width``.
        domain: ``"plain"`` or ``"montgomery"``.
        width: operand length in bits.
        cycles: compute cycles, without loading and unloading.
        latency: clock cycles from the last operand beat to the first result beat.
        interval: clock cycles between two successive operations.
        operations: of a system that takes several numbers at a time, how many each of these is.
        results: the largest result as people write it: ``"M-1"``, ``"8M-1"``.
        reduced: whether every result lies below M (``Build.reduced``).
        fields: those it computes in, as ``Config.fields`` names them.
        luts, ffs, dsp, bram: area of the core alone; ``luts`` in the unit of the target.
        cell_area: area of its cells in the unit of their library; ``None`` on FPGAs.
        depth: gates on the longest path; ``None`` where cells are no gates.
        delay_ns: delay of the longest path before layout; ``None`` without a library of cells.
        period_ns: shortest clock period before layout; ``None`` without a library of cells and OpenSTA.
        fmax_mhz: median clock frequency over the seeds, MHz.
        fmax_spread_mhz: largest less smallest frequency over the seeds, MHz.
        seeds: runs of place and route behind ``fmax_mhz``.
        verified: multiplications checked on the modulus of the comparison.
        system: whether it is a system on a core.
        shipped: day of the shipped record that area and frequency are from, ISO 8601; ``""`` when they were
            measured on this machine.
        failure: why there is no result (a tool crashed), or ``None``.
        log: path of the log of the failure.
        weights: what the blocks count in :attr:`lut_equivalents`.
    """

    core: str
    title: str
    paper: str
    config: dict[str, int]
    domain: str
    width: int
    cycles: int
    latency: int
    interval: int
    operations: int = 1
    results: str = "M-1"
    reduced: bool = True
    fields: tuple[str, ...] = (PRIME_FIELD,)
    luts: int | None = None
    ffs: int | None = None
    dsp: int | None = None
    bram: int | None = None
    cell_area: float | None = None
    depth: int | None = None
    delay_ns: float | None = None
    period_ns: float | None = None
    fmax_mhz: float | None = None
    fmax_spread_mhz: float | None = None
    seeds: int = 0
    verified: int | None = None
    system: bool = False
    shipped: str = ""
    failure: str | None = None
    log: str | None = None
    weights: Weights = field(default_factory=Weights)

    @classmethod
    def of(cls, build: Build, modulus: int | None, results: str, reduced: bool, **figures: Any) -> Row:
        """The row of a build.

        Args:
            modulus: what it serves; ``None`` for its full length.
            results, reduced: ``Build.results`` and ``Build.reduced`` for that modulus.
            figures: what was found of it, attributes of a row.
        """
        at = build if modulus is None else build.at(modulus)
        return cls(
            core=build.slug,
            title=build.core.title,
            paper=build.core.origin.paper,
            config=build.config.options(),
            domain=build.core.function.domain(at.config).name,
            width=build.config.width,
            cycles=at.cycles,
            latency=at.latency,
            interval=at.interval,
            operations=at.config.operations if isinstance(at.config, SystemConfig) else 1,
            results=results,
            reduced=reduced,
            fields=build.config.fields,
            system=isinstance(build.room, SystemRoom),
            **figures,
        )

    @property
    def label(self) -> str:
        """The core and its parameters, marked where results may be above M-1: ``rrm Word=16 Lazy=1 †``."""
        options = (f"{name}={shown(name, value)}" for name, value in self.config.items())
        return " ".join(filter(None, (self.core, *options, self.mark)))

    @property
    def mark(self) -> str:
        """What stands behind the label where results may be above M-1: :data:`UNREDUCED`, or nothing."""
        return "" if self.reduced else UNREDUCED

    @property
    def measured(self) -> str:
        """Where area and frequency are from: ``"here"`` or ``"shipped"``."""
        if self.luts is None:
            return MISSING
        return "shipped" if self.shipped else "here"

    @property
    def time_us(self) -> float | None:
        """Time of one multiplication, µs: latency / Fmax."""
        return None if self.fmax_mhz is None else self.latency / self.fmax_mhz

    @property
    def pace(self) -> float:
        """Cycles for each operation: the interval, shared by those that come at once."""
        return self.interval / self.operations

    @property
    def throughput_mops(self) -> float | None:
        """Multiplications a second, in millions: Fmax / pace."""
        return None if self.fmax_mhz is None else self.fmax_mhz / self.pace

    @property
    def operations_per_s(self) -> float | None:
        """Operations of a system a second: Fmax / pace; ``None`` for a core alone."""
        if self.fmax_mhz is None or not self.system:
            return None
        return self.fmax_mhz * 1e6 / self.pace

    @property
    def operations_per_kluteq(self) -> float | None:
        """Operations of a system a second for each 1,000 LUT-equivalents; ``None`` for a core alone."""
        if not self.lut_equivalents or self.operations_per_s is None:
            return None
        return 1000 * self.operations_per_s / self.lut_equivalents

    @property
    def throughput_mbps(self) -> float | None:
        """Operand bits a second, Mbit/s: width · Fmax / pace."""
        return None if self.fmax_mhz is None else self.width * self.fmax_mhz / self.pace

    @property
    def lut_equivalents(self) -> int | None:
        """LUTs, and what the multiplier and memory blocks count for."""
        return self.weights.equivalents(self.luts, self.dsp, self.bram)

    @property
    def area_time_per_bit(self) -> float | None:
        """LUT-equivalents · time / width, LUT·µs/bit."""
        if self.lut_equivalents is None or self.time_us is None:
            return None
        return self.lut_equivalents * self.time_us / self.width

    @property
    def lut_cycles(self) -> float | None:
        """LUT-equivalents · pace / width², LUT·cycles/bit²: usable where no Fmax is known."""
        if self.lut_equivalents is None:
            return None
        return self.lut_equivalents * self.pace / self.width**2

    @property
    def rank(self) -> tuple[float, float]:
        """Less is better: area × time where it is known, then area × cycles."""
        return (
            inf if self.area_time_per_bit is None else self.area_time_per_bit,
            inf if self.lut_cycles is None else self.lut_cycles,
        )

    def to_json(self) -> dict[str, Any]:
        """The fields but the weights, and the derived quantities."""
        return {"label": self.label} | _plain(self, ROW_COLUMNS)


def common_system(rows: Iterable[Row]) -> str:
    """What stands before the name of each core where all are of one system: ``"rsa_crt:"``; or nothing."""
    found = {row.core[: row.core.find(":") + 1] for row in rows}
    return found.pop() if len(found) == 1 else ""


def short_labels(rows: Sequence[Row]) -> list[str]:
    """The core of each row, with those of its parameters that differ among the rows of the core.

    Without the system where it is the same of all rows.
    """
    system = common_system(rows)
    values: dict[tuple[str, str], set[int]] = {}
    for row in rows:
        for name, value in row.config.items():
            values.setdefault((row.core, name), set()).add(value)
    return [
        replace(
            row, config={name: v for name, v in row.config.items() if len(values[row.core, name]) > 1}
        ).label.removeprefix(system)
        for row in rows
    ]


@dataclass(frozen=True, kw_only=True)
class Overlay(Published):
    """Published figures of one row; shown beside the measured ones, never mixed with them.

    Attributes:
        paper: name of the paper.
        core: slug of the core that implements it.
        weights: what the blocks count in :attr:`lut_equivalents`.
    """

    paper: str
    core: str
    weights: Weights = field(default_factory=Weights)

    @classmethod
    def of(cls, core: Core, published: Published, weights: Weights) -> Overlay:
        """The figures with who implements them."""
        return cls(**vars(published), paper=core.origin.paper, core=core.slug, weights=weights)

    @property
    def rate_mbps(self) -> float | None:
        """Operand bits a second, Mbit/s: width / time, printed or not."""
        return None if self.width is None or self.time_us is None else self.width / self.time_us

    @property
    def slices_time_per_bit(self) -> float | None:
        """Slices · time / width, slice·µs/bit: the papers' "AT/b"."""
        if self.width is None or self.slices is None or self.time_us is None:
            return None
        return self.slices * self.time_us / self.width

    @property
    def lut_equivalents(self) -> int | None:
        """The paper's LUTs, and what its multiplier and memory blocks count for."""
        return self.weights.equivalents(self.luts, self.dsp, self.bram)

    @property
    def area_time_per_bit(self) -> float | None:
        """LUT-equivalents · time / width, LUT·µs/bit."""
        if self.width is None or self.lut_equivalents is None or self.time_us is None:
            return None
        return self.lut_equivalents * self.time_us / self.width

    @property
    def lut_cycles(self) -> float | None:
        """LUT-equivalents · cycles / width², LUT·cycles/bit²."""
        if self.width is None or self.lut_equivalents is None or self.cycles is None:
            return None
        return self.lut_equivalents * self.cycles / self.width**2

    def to_json(self) -> dict[str, Any]:
        """The fields but the weights, and the derived quantities."""
        return _plain(self, OVERLAY_COLUMNS) | {
            "slices_time_per_bit": self.slices_time_per_bit,
            "lut_equivalents": self.lut_equivalents,
            "area_time_per_bit": self.area_time_per_bit,
            "lut_cycles": self.lut_cycles,
        }


@dataclass(frozen=True)
class Comparison:
    """A comparison of cores on one target, on one modulus or without any.

    Attributes:
        title: heading of the report.
        modulus: what the cores multiply by; ``None`` where the builds were measured alone.
        target: what they were synthesised for.
        rows: the measured cores, failures included.
        skipped: the cores that were not measured, with the reason.
        overlays: published figures.
        weights: what a multiplier block and a block RAM count in LUT-equivalents; those of the rows too.
        command: the command that reruns the comparison.
        created: date, ISO 8601.
        versions: tool to its version.
        notes: what the reader must know, one sentence or two each.
        unreduced: whether builds whose results may be above M-1 compete with the others.
    """

    title: str
    modulus: Modulus | None
    target: Chip
    rows: list[Row]
    skipped: list[Skipped] = field(default_factory=list)
    overlays: list[Overlay] = field(default_factory=list)
    weights: Weights = field(default_factory=Weights)
    command: str = ""
    created: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unreduced: bool = False

    @property
    def subject(self) -> str:
        """What was measured, on what, in one line."""
        modulus = f"M of {self.modulus.size}, " if self.modulus else ""
        return f"{self.title}: {modulus}{self.target.title}"

    @property
    def columns(self) -> tuple[Column, ...]:
        """Those of the rows, with the target's unit of area."""
        return in_unit(ROW_COLUMNS, self.target.unit)

    @property
    def timed(self) -> bool:
        """Whether some core has a clock frequency."""
        return bool(self.target.route) and any(
            row.fmax_mhz is not None and row.failure is None for row in self.rows
        )

    @property
    def ranked(self) -> list[Row]:
        """The rows, best first; behind them, unless they are asked for, those that are not reduced."""
        return sorted(self.rows, key=lambda row: (not (row.reduced or self.unreduced), row.rank))

    @property
    def contenders(self) -> list[Row]:
        """The rows among which a best one is looked for: those with a result, and of these, unless the others
        are asked for, the reduced ones where there is one."""
        found = [row for row in self.ranked if row.failure is None]
        reduced = [row for row in found if row.reduced]
        return found if self.unreduced or not reduced else reduced

    @property
    def failed(self) -> list[Row]:
        """The rows without a result."""
        return [row for row in self.rows if row.failure is not None]

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``, derived quantities and the meaning of the columns included."""
        return {
            "title": self.title,
            "modulus": self.modulus.to_json() if self.modulus else None,
            "target": {
                "name": self.target.name,
                "description": self.target.title,
                "placed_and_routed": bool(self.target.route),
            },
            "rows": [row.to_json() for row in self.rows],
            "skipped": [asdict(skipped) for skipped in self.skipped],
            "overlays": [overlay.to_json() for overlay in self.overlays],
            "weights": asdict(self.weights),
            "columns": {
                column.key: {"heading": column.heading, "unit": column.unit, "meaning": column.meaning}
                for column in self.columns
            },
            "command": self.command,
            "created": self.created,
            "versions": dict(self.versions),
            "notes": list(self.notes),
            "unreduced": self.unreduced,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Comparison:
        """The comparison that :meth:`to_json` wrote; derived quantities are computed anew.

        Raises:
            UnknownChip: it is of a target that there is no more.
        """
        plain = {name: value for name, value in data.items() if name in cls.__dataclass_fields__}
        if plain["modulus"] is not None:
            plain["modulus"] = Modulus.from_json(plain["modulus"])
        weights = plain["weights"] = Weights(**plain["weights"])
        plain["target"] = chip(plain["target"]["name"])
        plain["rows"] = [
            Row(**_fields(Row, row) | {"fields": tuple(row["fields"])}, weights=weights)
            for row in plain["rows"]
        ]
        plain["skipped"] = [Skipped(**skipped) for skipped in plain["skipped"]]
        plain["overlays"] = [
            Overlay(**_fields(Overlay, overlay) | {"derived": tuple(overlay["derived"])}, weights=weights)
            for overlay in plain["overlays"]
        ]
        return cls(**plain)


def _plain(record: Row | Overlay, columns: Iterable[Column]) -> dict[str, Any]:
    """The fields of a record but the weights, and the values of the columns."""
    data = asdict(record)
    del data["weights"]
    return data | {column.key: column.value(record) for column in columns}


def _fields(kind: type[Row] | type[Overlay], data: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` without the derived quantities of ``kind``."""
    return {name: value for name, value in data.items() if name in kind.__dataclass_fields__}
