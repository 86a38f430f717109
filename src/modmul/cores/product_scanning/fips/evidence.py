# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence, NoClaim


def taken(see: Evidence, *, square: bool = False, **parameters: int) -> int:
    """Cycles at 1,024 bits."""
    return see.running("fips", 1024, {"square": square}, **parameters)


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Zhang et al.."""
    product, square = (taken(see, square=square) for square in (False, True))
    yield Claim(
        "Abstract, Section 7",
        "a square of 1,024 bits is 23.8 % faster than by the traditional algorithm (2,084 and 1,588 cycles)",
        f"{100 - 100 * square / product:.1f} % ({product:,} and {square:,} cycles)",
        see.verdict(square < 0.77 * product),
        "modmul papers zhang2020 --cores fips",
    )
    area = see.luts("fips", "artix7", 1024)
    yield Claim(
        "Table 2",
        "2,557 LUTs on Artix-7 at 1,024 bits",
        f"{area:,} LUTs",
        see.verdict(area <= 2557),
        "modmul papers zhang2020 --cores fips",
    )
    yield Claim(
        "Sections 5.3 and 6, Table 2",
        "500 MHz",
        f"{see.mhz('fips'):.0f} MHz on ECP5 at 256 bits",
        NoClaim("a frequency that the paper sets, not one that it measures"),
        "modmul measure fips",
    )
    pair = taken(see, Multipliers=2, Depth=3)
    double = see.luts("fips", "artix7", 1024, Multipliers=2, Depth=3)
    yield Claim(
        "Section 5.2",
        "two multipliers: twice the speed, twice the area",
        f"{pair:,} and {product:,} cycles, {double:,} and {area:,} LUTs",
        see.verdict((1.8 <= product / pair <= 2.2, 1.8 <= double / area <= 2.2)),
        "modmul papers zhang2020 --cores fips",
    )
    binary, ladder = (
        see.half_ones("fips", 1024),
        see.power("ladder", "fips", 1024, Cores=2),
    )
    paper = (1024 * 1588 + 512 * 2084) / (1024 * 2084)
    yield Claim(
        "Section 6, Fig. 11",
        "left to right on one multiplier beside the ladder on two, half the key's bits 1: 1.25 times",
        f"{binary / ladder:.2f} times the cycles ({binary:,} and {ladder:,} at 1,024 bits)",
        see.verdict(
            abs(binary / ladder / 1.25 - 1) <= 0.05,
            f"the paper's own cycles give {paper:.2f}; on half the hardware",
        ),
        "make powers",
    )
