# SPDX-License-Identifier: Apache-2.0
"""How long work will take, as far as the shipped measurements tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from modmul.measure import SHIPPED, Job, Record, RecordError, Shelf
from modmul.room import Build

__all__ = ["expected", "verification"]

GROWTH = 1.5
"""The time of a tool grows with the width by about this power; a guess where no record is of that width."""

SPEED = 2e8
"""Bits of operands a second that a simulation passes through its cycles; the guess of a machine."""

COMPILING = 8.0
"""Seconds that the simulation of a build of 256 bits takes to compile; the guess of a machine."""


def expected(job: Job, shelf: Shelf = SHIPPED) -> tuple[float, float]:
    """Seconds that synthesis of a job, and place and route of each of its seeds, may take on one processor.

    From the record of the build, which may be stale; otherwise from those of its core with the nearest width,
    on the same target if there are any. Zeros where the shelf knows nothing of the core.
    """
    try:
        records = shelf.records(job.design.name)
        exact = shelf.earlier(job.design, job.target)
    except RecordError:
        return 0.0, 0.0
    known = [exact] if exact else _nearest(job, records)
    times = [_scaled(job, record) for record in known]
    seeds = [seed for _, seed in times if seed] or [
        _scaled(job, record)[1] for record in records if record.fmax_mhz
    ]
    synthesis = median([first for first, _ in times]) if times else 0.0
    return synthesis, median(seeds) if seeds and job.seeds else 0.0


def _nearest(job: Job, records: Sequence[Record]) -> list[Record]:
    """Those of the same target, if there are any, and of the nearest width."""
    same = [record for record in records if record.target == job.target.name] or list(records)
    width = _width(job.design.parameters)
    ratios = {id(record): _ratio(width, _width(record.parameters)) for record in same}
    best = min((max(ratio, 1 / ratio) for ratio in ratios.values()), default=1.0)
    return [record for record in same if max(ratios[id(record)], 1 / ratios[id(record)]) <= best * 1.01]


def _scaled(job: Job, record: Record) -> tuple[float, float]:
    """Seconds of synthesis and of a seed, as of the width of the job."""
    growth = _ratio(_width(job.design.parameters), _width(record.parameters)) ** GROWTH
    seeds = record.seconds[1] / len(record.fmax_mhz) if record.fmax_mhz else 0.0
    return record.seconds[0] * growth, seeds * growth


def _width(parameters: Mapping[str, int]) -> int:
    """Bits of the operands; of a system those of its words together."""
    return parameters.get("Width") or parameters.get("Word", 1) * parameters.get("Beats", 1)


def _ratio(width: int, other: int) -> float:
    return max(width, 1) / max(other, 1)


def verification(builds: Sequence[Build], count: int) -> float:
    """Seconds that simulations of some builds, for so many random operations each, may take on one processor.

    A guess: most of it is compiling, which grows with the width; then come the cycles of the operations.
    """
    return sum(
        COMPILING * max(build.config.width / 256, 0.3) + count * build.interval * build.config.width / SPEED
        for build in builds
    )
