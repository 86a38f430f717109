# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence

FASTER = {
    "imml_radix4": ("radix-4 IMML [18]", 0.78),
    "interleaved_booth4": ("BE radix-4 IM [13]", 1.49),
    "interleaved_radix2": ("radix-2 IM [7]", 2.03),
    "interleaved_radix2_parallel": ("radix-2 PIM [16]", 1.48),
}
"""With what the paper compares it on Virtex-6 at 256 bits: name, printed µs."""

REST = ("imml_booth8", "imml_radix8", "interleaved_booth8")


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Javeed and Wang."""
    cycles, digits = see.cycles("imml_booth4"), 129
    yield Claim(
        "Sections III.A and IV",
        "ceil(n/2) iterations and 2 cycles of precomputation: 130 cycles at 256 bits",
        f"{cycles} cycles: {digits} digits, {cycles - digits} of precomputation",
        see.verdict(
            (cycles == 130, cycles - digits == 2),
            "in sum only; with ceil(n/2) digits y of full length gives wrong products (M = 3, x = 1, y = "
            "2), and 2x mod M takes one cycle",
        ),
        "pytest tests/test_contract.py -k imml_booth4",
    )
    here, plain = see.luts("imml_booth4", "virtex6"), see.luts("imml_radix4", "virtex6")
    yield Claim(
        "Abstract, Section V",
        "18 % fewer slices than radix-4 IMML [18] (1,631 and 1,985)",
        f"{100 - 100 * here / plain:.0f} % fewer LUTs on Virtex-6 ({here:,} and {plain:,})",
        see.verdict(here < plain),
        "modmul papers javeed",
    )
    ours = {slug: see.us(slug) for slug in (*FASTER, "imml_booth4")}
    mine = ours["imml_booth4"]
    for slug, (name, printed) in FASTER.items():
        yield Claim(
            "Section V",
            f"{name}, {printed:.2f} µs, takes {printed / 0.93:.2f} times as long",
            f"{ours[slug] / mine:.2f} times on ECP5 ({ours[slug]:.2f} and {mine:.2f} µs)",
            see.verdict((ours[slug] > mine) == (printed > 0.93)),
            f"modmul measure imml_booth4 {slug}",
        )
    products = {slug: ours[slug] * see.luts(slug, "ecp5") for slug in ours}
    others = {slug: see.us(slug) * see.luts(slug, "ecp5") for slug in REST}
    best = min(products | others, key=lambda slug: (products | others)[slug])
    yield Claim(
        "Section V, Fig. 5",
        "the lowest area × time of all that are compared",
        f"LUTs × µs on ECP5: {products['imml_booth4']:,.0f}; the lowest is `{best}` with "
        f"{(products | others)[best]:,.0f}",
        see.verdict(
            best == "imml_booth4",
            "the parallel radix-2 design is small, and takes hardly longer on LUT4 carry chains",
        ),
        "modmul papers javeed --page javeed.html",
    )
