# SPDX-License-Identifier: Apache-2.0
"""What the paper says of its data path, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence, NoClaim


def taken(see: Evidence, *, square: bool = False, **parameters: int) -> int:
    """Cycles at 1,024 bits."""
    return see.running("fips_literal", 1024, {"square": square}, **parameters)


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Zhang et al.."""
    product, square = (taken(see, square=square) for square in (False, True))
    pair, square_pair = (taken(see, square=square, Multipliers=2) for square in (False, True))
    yield Claim(
        "Section 5.3",
        "1,024 bits: 2,084 cycles, a square 1,588; with two multipliers 1,044 and 796",
        f"{product:,} and {square:,}; {pair:,} and {square_pair:,} cycles",
        see.verdict(
            (product, square, pair, square_pair) == (2084, 1588, 1044, 796),
            "two multipliers with an accumulator of more words than Fig. 8 has",
        ),
        "modmul papers zhang2020 --cores fips_literal",
    )
    area = see.luts("fips_literal", "artix7", 1024)
    yield Claim(
        "Table 2",
        "2,557 LUTs on Artix-7 at 1,024 bits",
        f"{area:,} LUTs",
        see.verdict(area <= 2557, "by a counting rule with two LUTs for a full adder"),
        "modmul measure fips_literal --width 1024 --target artix7",
    )
    yield Claim(
        "Sections 5.3 and 6, Tables 1 and 2",
        "500 MHz",
        f"{see.mhz('fips_literal'):.0f} MHz on ECP5 at 256 bits",
        NoClaim("a frequency that the paper sets, not one that it measures"),
        "modmul measure fips_literal",
    )
    double = see.luts("fips_literal", "artix7", 1024, Multipliers=2)
    yield Claim(
        "Section 5.2",
        "two multipliers: twice the speed, twice the area",
        f"{pair:,} and {product:,} cycles, {double:,} and {area:,} LUTs",
        see.verdict((1.8 <= product / pair <= 2.2, 1.8 <= double / area <= 2.2)),
        "modmul papers zhang2020 --cores fips_literal",
    )
