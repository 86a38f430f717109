# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence

BUILD = {"Word": 16, "Pes": 32}
"""That of the paper's comparison."""

WHY = (
    "with |d| in two bits and the sign in the carry-save adder, a Booth selector is one LUT of four inputs a "
    "bit; a multiplexer of 0, Y, 2Y and 3Y is two, and one of six inputs"
)


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Pinckney et al."""
    mine, other = (
        see.area(f"scalable_{name}/kernel", "virtex2", **BUILD) for name in ("booth4_right", "radix4")
    )
    six = [see.luts(f"scalable_{name}/kernel", "virtex6", **BUILD) for name in ("booth4_right", "radix4")]
    yield Claim(
        "Abstract, Section V, Table III",
        "19 % more LUTs than without Booth encoding at w = 16, p = 32 (17 % in the abstract)",
        f"{mine.luts / other.luts:.2f} times as many LUTs of four inputs ({mine.luts:,} and {other.luts:,}), "
        f"{six[0] / six[1]:.2f} times as many of six ({six[0]:,} and {six[1]:,})",
        see.verdict(mine.luts > other.luts, WHY),
        "modmul papers pinckney2008",
    )
    yield Claim(
        "Abstract, Section V, Table III",
        "25 to 33 % more flip-flops than without Booth encoding (25 % at p = 32)",
        f"{100 * (mine.ffs / other.ffs - 1):+.0f} % ({mine.ffs:,} and {other.ffs:,})",
        see.verdict(mine.ffs > other.ffs),
        "modmul papers pinckney2008",
    )
    clocks = [see.mhz(f"scalable_{name}") for name in ("booth4_right", "radix4")]
    yield Claim(
        "Section V, Table II",
        "the same clock as without Booth encoding, 248 MHz",
        f"{clocks[0]:.0f} and {clocks[1]:.0f} MHz on ECP5, whole cores of 256 bits",
        see.verdict(
            abs(clocks[0] / clocks[1] - 1) <= 0.05,
            "a multiplexer of four multiples takes two LUTs in a row on this fabric, a Booth selector one",
        ),
        "modmul measure scalable_booth4_right scalable_radix4",
    )
    yield Claim(
        "Section IV.C",
        "k·e cycles, or k(2p + 1) where the first element has to wait",
        f"{see.cycles('scalable_booth4_right', **BUILD)} at 256 bits, "
        f"{see.cycles('scalable_booth4_right', 1024, **BUILD):,} at 1,024",
        see.verdict(
            [see.cycles("scalable_booth4_right", n, **BUILD) == k * 65 for n, k in ((256, 5), (1024, 17))],
            "exactly",
        ),
        "modmul papers pinckney2008",
    )
    power = see.power("modexp", "scalable_booth4_right", 1024, Window=1, **BUILD)
    yield Claim(
        "Abstract, Table III",
        "1,024-bit exponentiation in 9.1 ms at 248 MHz: 2,265,250 cycles",
        f"{power:,} cycles with every result waited for; with windows "
        f"{see.power('modexp', 'scalable_booth4_right', 1024, **BUILD):,}",
        see.verdict(
            (
                2050 * see.cycles("scalable_booth4_right", 1024, **BUILD) == 2_265_250,
                abs(power / 2_265_250 - 1) <= 0.05,
            ),
            "for the multiplications; the paper leaves out what lies between them",
        ),
        "make powers",
    )
