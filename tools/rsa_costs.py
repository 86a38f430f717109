# SPDX-License-Identifier: Apache-2.0
"""What RSA's private operation takes on a core, beside what is asked for and the figures of others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any, NamedTuple

from modmul.chips import CHIPS
from modmul.core import SystemConfig
from modmul.measure import Measurement
from modmul.measure.weights import Weights
from modmul.room import Build
from modmul.study.rows import Row

__all__ = ["ASKED", "OTHERS", "Most", "private", "with_others"]


class Most(NamedTuple):
    """What is asked for.

    Attributes:
        ms: milliseconds of an operation at most.
        luts: at most; ``None`` for any number.
    """

    ms: float
    luts: int | None = None

    def __str__(self) -> str:
        return f"{self.ms:g} ms" + (f", {self.luts:,} LUTs" if self.luts else "")

    def met(self, ms: float | None, luts: int) -> str:
        """``"yes"``, or ``"no"`` and what is missing or too much.

        Args:
            ms: ``None`` where no clock is known.
        """
        short = ["not placed"] if ms is None else [f"{ms:.2f} ms"] if ms > self.ms else []
        if self.luts and luts > self.luts:
            short.append(f"{luts:,} LUTs")
        return f"no: {', '.join(short)}" if short else "yes"


ASKED: Mapping[tuple[int, str | bool], Most] = {
    (2048, "rrm"): Most(6.5, 16_000),
    (2048, True): Most(2.5),
    (4096, True): Most(25),
    (4096, False): Most(25),
}
"""By the bits of N and the core, or else whether there are multiplier blocks; with two primes."""

OTHERS = (
    ("OTBN of OpenTitan", 2048, "without CRT", 18_889_021),
    ("modexpng of CrypTech", 2048, "with multiplier blocks, at best", 1_200_000),
    ("modexpng of CrypTech", 2048, "with multiplier blocks, at worst", 3_200_000),
)
"""Cores of others, the bits of N, how they do it, and the cycles that they are said to take.

OTBN's: https://opentitan.org/book/hw/ip/otbn/doc/otbn_intro.html#performance.
"""


def private(
    build: Build, parameters: Mapping[str, int], found: Measurement, alone: Measurement | None = None
) -> dict[str, Any]:
    """A row of figures of a build of a system for keys with their primes.

    Args:
        parameters: of the build, where they are not the defaults.
        found: what was measured of it on ecp5.
        alone: the same of the core of a lane alone.
    """
    config, area = build.config, found.area
    assert isinstance(config, SystemConfig)
    core, bits = config.core.slug, config.width
    mhz, of_core = (each.timing.median_mhz if each and each.timing else None for each in (found, alone))
    figures = Row.of(
        build,
        *(None, "M-1", True),
        **{name: getattr(area, name) for name in ("luts", "ffs", "dsp", "bram")},
        fmax_mhz=mhz,
        weights=Weights.of(CHIPS["ecp5"]),
    )
    ms = None if figures.time_us is None else figures.time_us / 1000
    asked = None
    if config.options().get("Primes") == 2:
        asked = ASKED.get((bits, core)) or ASKED.get((bits, config.multiplier_blocks))
    return {
        "core": core,
        "bits": bits,
        "parameters": dict(parameters),
        "LUTs": area.luts,
        "FFs": area.ffs,
        "DSP": area.dsp,
        "RAM18": area.bram,
        "cycles": build.latency,
        "MHz": mhz,
        "MHz of the core": of_core,
        "ratio": mhz / of_core if mhz and of_core else None,
        "ms": ms,
        "a second": figures.operations_per_s,
        "a second per kLUTeq": figures.operations_per_kluteq,
        "asked": str(asked or ""),
        "met": asked.met(ms, area.luts) if asked else "",
    }


def with_others(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows by length and time, and behind those of a length others, of which only the cycles are known."""
    rows = sorted(rows, key=lambda row: (row["bits"], row["ms"] or inf))
    lengths = {row["bits"] for row in rows}
    rows += [
        {"core": name, "bits": bits, "parameters": how, "cycles": cycles}
        for name, bits, how, cycles in OTHERS
        if bits in lengths
    ]
    return sorted(rows, key=lambda row: row["bits"])
