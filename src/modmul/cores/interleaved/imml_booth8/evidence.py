# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence

FASTER = {
    "imml_radix8": ("radix-8 IMML [18]", 0.69),
    "interleaved_booth8": ("BE radix-8 IM [13]", 1.21),
    "interleaved_radix2": ("radix-2 IM [7]", 2.03),
    "interleaved_radix2_parallel": ("radix-2 PIM [16]", 1.48),
}
"""With what the paper compares it on Virtex-6 at 256 bits: name, printed µs."""


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Javeed and Wang."""
    cycles = see.cycles("imml_booth8")
    yield Claim(
        "Abstract, Section IV",
        "ceil(n/3) + 4 cycles (Section IV also prints n/2 + 4): 90 at 256 bits",
        f"{cycles} cycles: 86 digits, {cycles - 86} of precomputation",
        see.verdict(
            cycles == 90, "precomputation is shorter here; where 3 divides n, a digit more is needed"
        ),
        "pytest tests/test_contract.py -k imml_booth8",
    )
    here, plain = see.luts("imml_booth8", "virtex6"), see.luts("imml_radix8", "virtex6")
    yield Claim(
        "Section V",
        "radix-8 IMML takes 1.2 times the slices (4,428 and 3,622)",
        f"{plain / here:.2f} times the LUTs on Virtex-6 ({plain:,} and {here:,})",
        see.verdict(here < plain),
        "modmul papers javeed",
    )
    mine = see.us("imml_booth8")
    for slug, (name, printed) in FASTER.items():
        other = see.us(slug)
        yield Claim(
            "Section V",
            f"{name}, {printed:.2f} µs, takes {printed / 0.696:.2f} times as long",
            f"{other / mine:.2f} times on ECP5 ({other:.2f} and {mine:.2f} µs)",
            see.verdict((other > mine) == (printed > 0.696))
            if abs(printed / 0.696 - 1) > 0.05
            else see.verdict(abs(other / mine - 1) <= 0.05, "as far apart"),
            f"modmul measure imml_booth8 {slug}",
        )
