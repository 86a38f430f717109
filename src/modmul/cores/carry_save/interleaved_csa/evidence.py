# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence

SLUGS = ("interleaved_csa", "montgomery_csa1", "montgomery_csa2")


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Amanor et al.."""
    ours = {slug: see.us(slug) for slug in SLUGS}
    fastest = min(ours, key=lambda slug: ours[slug])
    shown = ", ".join(f"`{slug}` {time:.2f}" for slug, time in ours.items())
    yield Claim(
        "Section 4, Table 2",
        "the fastest of the three at 1,024 bits: 69.4 MHz, where the others reach 49.0 and 42.1",
        f"µs on ECP5 at 256 bits: {shown}",
        see.verdict(
            fastest == "interleaved_csa",
            "its loop has a table of eight entries behind the adder, and its result needs up to four "
            "subtractions; at 64 to 256 bits the paper's own clocks do not show it either",
        ),
        f"modmul measure {' '.join(SLUGS)}",
    )
    products = {slug: ours[slug] * see.luts(slug, "ecp5") for slug in SLUGS}
    shown = ", ".join(f"`{slug}` {value:,.0f}" for slug, value in products.items())
    yield Claim(
        "Abstract, Section 4, Fig. 3",
        "the least area × time of all three",
        f"LUTs × µs on ECP5 at 256 bits: {shown}",
        see.verdict(min(products, key=lambda slug: products[slug]) == "interleaved_csa"),
        f"modmul measure {' '.join(SLUGS)}",
    )
    all_of_it = see.cycles("interleaved_csa", 1024)
    yield Claim(
        "Section 2.1",
        "n cycles, one carry-save adder, an estimate of few values",
        f"n steps with a table of eight entries; {all_of_it:,} cycles at 1,024 bits with the table's "
        "precomputation and the conversion of the result",
        see.verdict(
            all_of_it <= 1.1 * 1024,
            "the steps alone take n cycles; what the paper leaves out takes a third more",
        ),
        "modmul show interleaved_csa --width 1024",
    )
