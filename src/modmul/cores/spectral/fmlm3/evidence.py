# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence

LONG = {"Transform": 64, "Digit": 32, "Algorithm": 3, "Butterflies": 2}
"""A build of 2,048 bits."""


def chained(see: Evidence, build: dict[str, int]) -> int:
    """Cycles of a square in a chain, 1,024 bits."""
    return see.running("fmlm3", 1024, {"square": True, "chain": True}, **build)


def luts(see: Evidence, build: dict[str, int]) -> int:
    """On Virtex-6, 1,024 bits."""
    return see.luts("fmlm3", "virtex6", 1024, **build)


def transform(see: Evidence, length: int, butterflies: int) -> int:
    """Cycles of CT."""
    digit = {32: 32, 64: 16, 128: 16}[length]
    build = {"Transform": length, "Digit": digit, "Algorithm": 3, "Butterflies": butterflies}
    return see.count("fmlm3", "ct", 1024, **build)


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Dai et al.."""
    two, one = ({"Transform": 64, "Digit": 16, "Algorithm": 3, "Butterflies": n} for n in (2, 1))
    fewer, more = ({"Transform": 32, "Digit": 32, "Algorithm": n, "Butterflies": 2} for n in (3, 2))
    yield Claim(
        "Sections 1 and 4.2",
        "five transforms in the place of seven where the parameters allow Algorithm 3",
        f"1,024 bits, P = 32, two butterflies: {chained(see, fewer)} and {chained(see, more)} cycles",
        see.verdict(chained(see, fewer) < chained(see, more)),
        "modmul papers dai2017",
    )
    saved = [100 - 100 * transform(see, p, 2) / transform(see, p, 1) for p in (32, 64, 128)]
    yield Claim(
        "Section 5.5, Table 5",
        "the second butterfly saves 24.0, 39.9 and 48.8 % of the cycles of CT at P = 32, 64 and 128",
        ", ".join(f"{percent:.1f}" for percent in saved) + " %",
        see.verdict(
            [ours >= printed for ours, printed in zip(saved, (24.0, 39.9, 48.8), strict=True)],
            "more at small P, for our delays are shorter",
        ),
        "modmul papers dai2017",
    )
    costs = {n: luts(see, build) * chained(see, build) for n, build in ((1, one), (2, two))}
    yield Claim(
        "Section 6, Table 7",
        "two butterflies have the better area × latency: 24,172 and 28,143 LUTs × µs at 1,024 bits",
        f"LUTs × cycles on Virtex-6: {costs[2]:,} and {costs[1]:,}",
        see.verdict(costs[2] < costs[1]),
        "modmul papers dai2017",
    )
    yield Claim(
        "Abstract, Section 6",
        "area × latency up to 50.9 % better than the best before ([18]: 36,472 LUTs × µs at 1,084 bits)",
        f"{costs[2]:,} LUTs × cycles at 1,024 bits: below [18] from {costs[2] / 36472:.0f} MHz on, below the "
        f"paper's own design from {costs[2] / 24172:.0f} MHz on",
        see.verdict(
            costs[2] / 263 <= (1 - 0.509) * 36472,
            "at the 263 MHz that the paper reaches; no open tool gives the frequency on Virtex-6",
        ),
        "modmul papers dai2017",
    )
    blocks = [
        see.area("fmlm3", "virtex6", width, **build).dsp for width, build in ((1024, two), (2048, LONG))
    ]
    yield Claim(
        "Section 5.2, equation 25",
        "9 and 27 multiplier blocks for moduli 2^64 + 1 and 2^128 + 1",
        f"{blocks[0]} and {blocks[1]}",
        see.verdict(blocks == [9, 27]),
        "modmul papers dai2017",
    )
