# SPDX-License-Identifier: Apache-2.0
"""Every printed figure of the papers beside the same core on open tools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from modmul.core import Config, Published
from modmul.measure import TARGETS, Event, Job, Measurement, Target, ToolFailure, measure
from modmul.registry import Room

__all__ = ["DEVICES", "Line", "papers", "target_of"]

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


def papers(
    rooms: tuple[Room, ...], *, workers: int = 2, on_event: Callable[[Event], None] | None = None
) -> list[Line]:
    """Synthesise each core, or a block of it, as its paper's figures say: at the printed width, with options.

    Args:
        rooms: the cores whose printed figures to show.
        workers: tools running at the same time.
        on_event: as for :func:`modmul.measure.measure`.
    """
    figures = [(room, printed) for room in rooms for printed in room.core.published]
    builds = [_build(room, printed) for room, printed in figures]
    jobs = [
        Job(
            room.block(config, printed.block) if printed.block else room.design(config),
            target_of(printed.device),
        )
        for (room, printed), config in zip(figures, builds, strict=True)
    ]
    outcomes = measure(jobs, workers=workers, on_event=on_event)
    return [
        Line(room, printed, config, job.target, outcome)
        for (room, printed), config, (job, outcome) in zip(figures, builds, outcomes, strict=True)
    ]
