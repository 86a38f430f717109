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
        see.area(f"scalable_{name}/kernel", "virtex2", **BUILD) for name in ("booth4_left", "radix4")
    )
    six = [see.luts(f"scalable_{name}/kernel", "virtex6", **BUILD) for name in ("booth4_left", "radix4")]
    yield Claim(
        "Abstract, Section V, Table III",
        "3 % fewer LUTs than without Booth encoding at w = 16, p = 32",
        f"{mine.luts / other.luts:.2f} times as many LUTs of four inputs ({mine.luts:,} and {other.luts:,}), "
        f"{six[0] / six[1]:.2f} times as many of six ({six[0]:,} and {six[1]:,})",
        see.verdict(mine.luts < other.luts, WHY),
        "modmul papers pinckney2008",
    )
    yield Claim(
        "Abstract, Section V, Table III",
        "29 to 33 % fewer flip-flops than without Booth encoding (29 % at p = 32)",
        f"{100 * (mine.ffs / other.ffs - 1):+.0f} % ({mine.ffs:,} and {other.ffs:,})",
        see.verdict(mine.ffs < other.ffs),
        "modmul papers pinckney2008",
    )
    clocks = [see.mhz(f"scalable_{name}") for name in ("booth4_left", "radix4")]
    yield Claim(
        "Section V, Table II",
        "a clock 25 % slower than without Booth encoding: 186 and 248 MHz",
        f"{clocks[0]:.0f} and {clocks[1]:.0f} MHz on ECP5, whole cores of 256 bits",
        see.verdict(
            clocks[0] <= 0.85 * clocks[1],
            "for the same reason; slower than the right-shifting one, as the paper says",
        ),
        "modmul measure scalable_booth4_left scalable_radix4",
    )
    left, right = (see.cycles(f"scalable_booth4_{name}", **BUILD) for name in ("left", "right"))
    yield Claim(
        "Sections IV.C and V",
        "a cycle from element to element instead of two: short operands take fewer cycles (185 and 325 at "
        "256 bits)",
        f"{left} and {right} cycles; {see.us('scalable_booth4_left'):.2f} and "
        f"{see.us('scalable_booth4_right'):.2f} µs on ECP5 in the builds that are compared",
        see.verdict(left < right),
        "modmul papers pinckney2008",
    )
