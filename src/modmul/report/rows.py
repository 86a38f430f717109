# SPDX-License-Identifier: Apache-2.0
"""The data of one comparison: what was measured of each core, and what the papers printed.

Nothing here measures or draws. A quantity that lacks an ingredient is ``None``, never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from modmul.moduli import Modulus

__all__ = ["Comparison", "Overlay", "Row", "Skipped", "Target"]


@dataclass(frozen=True)
class Target:
    """What the cores were synthesised for.

    Attributes:
        name: as on the command line (``"ecp5"``).
        description: device and speed grade, for people.
        placed_and_routed: whether open tools place and route it; without, no clock frequency is known.
    """

    name: str
    description: str
    placed_and_routed: bool


@dataclass(frozen=True)
class Skipped:
    """A core that was not measured, and why."""

    core: str
    reason: str


@dataclass(frozen=True)
class Row:
    """One core in one configuration, as measured.

    Attributes:
        core: slug of the core.
        title: its title, one line for people.
        paper: number of its paper, or ``""``.
        config: its parameters but ``Width``.
        domain: ``"plain"`` or ``"montgomery"``.
        width: operand length in bits.
        cycles: compute cycles by the paper's way of counting.
        latency: clock cycles from the last operand beat to the first result beat.
        interval: clock cycles between two successive operations.
        luts, ffs, dsp, bram: area of the core alone.
        fmax_mhz: median clock frequency over the seeds, MHz.
        fmax_spread_mhz: largest less smallest frequency over the seeds, MHz.
        seeds: runs of place and route behind ``fmax_mhz``.
        verified: multiplications checked on the modulus of the comparison.
        failure: why there is no result (a tool crashed), or ``None``.
        log: path of the log of the failure.
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
    luts: int | None = None
    ffs: int | None = None
    dsp: int | None = None
    bram: int | None = None
    fmax_mhz: float | None = None
    fmax_spread_mhz: float | None = None
    seeds: int = 0
    verified: int | None = None
    failure: str | None = None
    log: str | None = None

    @property
    def label(self) -> str:
        """The core and its parameters: ``imml_booth4 SharedTaps=1``."""
        return " ".join([self.core, *(f"{name}={value}" for name, value in self.config.items())])

    @property
    def time_us(self) -> float | None:
        """Time of one multiplication, µs: latency / Fmax."""
        return None if self.fmax_mhz is None else self.latency / self.fmax_mhz

    @property
    def throughput_mops(self) -> float | None:
        """Multiplications a second, in millions: Fmax / interval."""
        return None if self.fmax_mhz is None else self.fmax_mhz / self.interval

    @property
    def throughput_mbps(self) -> float | None:
        """Operand bits a second, Mbit/s: width · Fmax / interval."""
        return None if self.fmax_mhz is None else self.width * self.fmax_mhz / self.interval

    @property
    def area_time_per_bit(self) -> float | None:
        """LUTs · time / width, LUT·µs/bit."""
        if self.luts is None or self.time_us is None:
            return None
        return self.luts * self.time_us / self.width

    @property
    def lut_cycles(self) -> float | None:
        """LUTs · interval / width², LUT·cycles/bit²: usable where no Fmax is known."""
        return None if self.luts is None else self.luts * self.interval / self.width**2

    def to_json(self) -> dict[str, Any]:
        """The fields and the derived quantities."""
        return asdict(self) | {
            "label": self.label,
            "time_us": self.time_us,
            "throughput_mops": self.throughput_mops,
            "throughput_mbps": self.throughput_mbps,
            "area_time_per_bit": self.area_time_per_bit,
            "lut_cycles": self.lut_cycles,
        }


@dataclass(frozen=True)
class Overlay:
    """One published figure, as printed; shown beside the measured ones, never mixed with them.

    Attributes:
        paper: number of the paper.
        table: the paper's table.
        design: the paper's name for the design.
        core: slug of the core that implements it.
        device: the device the authors used.
        width: operand length in bits.
        slices, luts, ffs: area; ``None`` where the paper prints none.
        fmax_mhz: clock frequency, MHz.
        cycles: clock cycles of one multiplication.
        time_us: printed time of one multiplication, µs.
        note: what is wrong or missing in the print.
    """

    paper: str
    table: str
    design: str
    core: str
    device: str
    width: int
    slices: int | None = None
    luts: int | None = None
    ffs: int | None = None
    fmax_mhz: float | None = None
    cycles: int | None = None
    time_us: float | None = None
    note: str = ""

    @property
    def throughput_mbps(self) -> float | None:
        """Operand bits a second, Mbit/s: width / time."""
        return None if self.time_us is None else self.width / self.time_us

    @property
    def slices_time_per_bit(self) -> float | None:
        """Slices · time / width, slice·µs/bit: the papers' "AT/b"."""
        if self.slices is None or self.time_us is None:
            return None
        return self.slices * self.time_us / self.width

    @property
    def luts_time_per_bit(self) -> float | None:
        """LUTs · time / width, LUT·µs/bit."""
        if self.luts is None or self.time_us is None:
            return None
        return self.luts * self.time_us / self.width

    @property
    def lut_cycles(self) -> float | None:
        """LUTs · cycles / width², LUT·cycles/bit²."""
        if self.luts is None or self.cycles is None:
            return None
        return self.luts * self.cycles / self.width**2

    def to_json(self) -> dict[str, Any]:
        """The fields and the derived quantities."""
        return asdict(self) | {
            "throughput_mbps": self.throughput_mbps,
            "slices_time_per_bit": self.slices_time_per_bit,
            "luts_time_per_bit": self.luts_time_per_bit,
            "lut_cycles": self.lut_cycles,
        }


@dataclass(frozen=True)
class Comparison:
    """A comparison of cores on one modulus and one target.

    Attributes:
        title: heading of the report.
        modulus: what the cores multiply by.
        target: what they were synthesised for.
        rows: the measured cores, failures included.
        skipped: the cores that were not measured, with the reason.
        overlays: published figures.
        command: the command that reruns the comparison.
        created: date, ISO 8601.
        versions: tool to its version.
        notes: what the reader must know, one sentence or two each.
    """

    title: str
    modulus: Modulus
    target: Target
    rows: list[Row]
    skipped: list[Skipped] = field(default_factory=list)
    overlays: list[Overlay] = field(default_factory=list)
    command: str = ""
    created: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``, derived quantities included."""
        data = asdict(self)
        data["modulus"] = self.modulus.to_json()
        data["rows"] = [row.to_json() for row in self.rows]
        data["overlays"] = [overlay.to_json() for overlay in self.overlays]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Comparison:
        """The comparison that :meth:`to_json` wrote; derived quantities are computed anew."""
        plain = dict(data)
        plain["modulus"] = Modulus.from_json(plain["modulus"])
        plain["target"] = Target(**plain["target"])
        plain["rows"] = [Row(**_fields(Row, row)) for row in plain["rows"]]
        plain["skipped"] = [Skipped(**skipped) for skipped in plain["skipped"]]
        plain["overlays"] = [Overlay(**_fields(Overlay, overlay)) for overlay in plain["overlays"]]
        return cls(**plain)


def _fields(kind: type[Row] | type[Overlay], data: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` without the derived quantities of ``kind``."""
    return {name: value for name, value in data.items() if name in kind.__dataclass_fields__}
