# SPDX-License-Identifier: Apache-2.0
"""Cores side by side from the shipped measurements alone: no tool runs, and nothing is verified."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from modmul.chips import Chip
from modmul.measure import SHIPPED, SHIPPED_SEEDS, Job, Measurement
from modmul.measure.weights import Weights
from modmul.moduli import Modulus
from modmul.room import Build, Room
from modmul.study.compare import overlays
from modmul.study.measuring import Tools, job, table, untimed
from modmul.study.rows import Comparison, Skipped

__all__ = ["recorded"]

UNKNOWN = "no measurement is shipped"
"""Why a build that fits is left out."""


def recorded(
    rooms: Iterable[Room],
    width: int,
    target: Chip,
    *,
    modulus: Modulus | None = None,
    weights: Weights | None = None,
    command: str = "",
) -> Comparison:
    """What the shipped measurements say of some cores on a chip.

    Args:
        width: operand length in bits.
        modulus: what they are to serve; ``None`` for any of that length.
        weights: what the blocks count in LUT-equivalents; ``None`` for those of the target.
        command: the command line that asks for the same, for the page.

    Raises:
        ValueError: no build that fits has a record; the message says what measures one.
    """
    rooms = tuple(rooms)
    jobs: dict[Build, Job] = {}
    outcomes: dict[Build, Measurement] = {}
    skipped = []
    for room in rooms:
        try:
            builds = room.fitting(width, modulus.value if modulus else None, target.name)
        except ValueError as reason:
            skipped.append(Skipped(room.core.slug, str(reason)))
            continue
        unfit = room.core.builds.unfit(target.name, width)
        for build in builds:
            wanted = job(build, target, SHIPPED_SEEDS, Tools(look_up=True))
            record = SHIPPED.find(wanted.design, target, wanted.seeds)
            if record is None:
                skipped.append(Skipped(str(build), unfit or UNKNOWN))
            else:
                jobs[build], outcomes[build] = wanted, Measurement.of(record, wanted)
    if not jobs:
        fits = any(each.reason == UNKNOWN for each in skipped)
        instead = (
            f"'modmul compare --modulus {modulus.name} --target {target.name}' measures them"
            if modulus
            else f"'modmul measure --width {width} --target {target.name}' measures them"
        )
        raise ValueError(
            f"no measurement of {width} bits on {target.name} is shipped; {instead}"
            if fits
            else "no core fits: " + "; ".join(dict.fromkeys(each.reason for each in skipped))
        )
    found = table(
        jobs,
        outcomes,
        target,
        subject=modulus.name if modulus else f"{width} bits",
        weights=weights,
        modulus=modulus,
        notes=(*untimed(jobs, target, SHIPPED_SEEDS), "Nothing was verified for this page."),
    )
    return replace(found, skipped=skipped, overlays=overlays(rooms, width, found.weights), command=command)
