# SPDX-License-Identifier: Apache-2.0
"""At what clock frequency a system or a program runs: that of this very build, placed and routed, or none."""

from __future__ import annotations

from dataclasses import dataclass

from modmul.measure import CHIPS, SHIPPED, SHIPPED_SEEDS, Job, known
from modmul.registry import Build
from modmul.tools.store import Store

__all__ = ["CLOCKED_ON", "Clock", "clock"]

CLOCKED_ON = CHIPS["ecp5"]
"""The target whose clock frequencies turn cycles into time."""


@dataclass(frozen=True)
class Clock:
    """A measured clock frequency.

    Attributes:
        mhz: in MHz, the median of the seeds.
        of: what was placed and routed, and where.
    """

    mhz: float
    of: str


def clock(build: Build) -> Clock | None:
    """That of a build, shipped or measured on this machine; ``None``: it was not placed and routed."""
    found = known(Job(build.design, CLOCKED_ON, SHIPPED_SEEDS), Store(), SHIPPED)
    if found is None or found.timing is None:
        return None
    return Clock(found.timing.median_mhz, f"{build.slug} of this size on {CLOCKED_ON.name}")
