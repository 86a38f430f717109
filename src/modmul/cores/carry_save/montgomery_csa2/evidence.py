# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence


def slope(see: Evidence, slug: str, target: str) -> float:
    """LUTs a bit, from 512 to 1,024 bits."""
    return (see.luts(slug, target, 1024) - see.luts(slug, target, 512)) / 512


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Amanor et al.."""
    yield Claim(
        "Sections 2.2 and 3.3",
        "n cycles, and a negligible time for the last addition",
        f"{see.cycles('montgomery_csa2', 1024):,} cycles at 1,024 bits, {see.cycles('montgomery_csa2')} at "
        "256",
        see.verdict(
            [see.cycles("montgomery_csa2", width) <= 1.1 * width for width in (1024, 256)],
            f"the addition and the subtraction of M take {see.cycles('montgomery_csa2', 1024) - 1024} cycles "
            "more at 1,024 bits",
        ),
        "modmul papers amanor2005",
    )
    two, one = see.luts("montgomery_csa2", "virtex2", 1024), see.luts("montgomery_csa1", "virtex2", 1024)
    step = {slug: slope(see, slug, "virtex2") for slug in ("montgomery_csa2", "montgomery_csa1")}
    yield Claim(
        "Section 3.2, Table 1",
        "by far the largest of the three: 45 % of the device at 1,024 bits, where one CSA takes 21 %",
        f"{two:,} and {one:,} LUTs in the 4-input fabric, {step['montgomery_csa2']:.1f} and "
        f"{step['montgomery_csa1']:.1f} a bit from 512 to 1,024 bits; on Artix-7 at 256 bits "
        f"{see.luts('montgomery_csa2', 'artix7'):,} and {see.luts('montgomery_csa1', 'artix7'):,}",
        see.verdict(
            (two > one, two >= 1.5 * one),
            "in order, not in distance: a LUT of four inputs takes an AND gate with a full adder's sum or "
            "carry, so a second CSA costs two LUTs a bit, and the selection among 0, Y, M and Y + M "
            "costs two as "
            "well; with six inputs the selection fits into the adder, and the distance is larger. "
            "The paper's "
            "own share grows 1.7 times from 256 to 512 bits and 2.8 times from there to 1,024",
        ),
        "modmul papers amanor2005",
    )
    mine, other = see.us("montgomery_csa2"), see.us("montgomery_csa1")
    yield Claim(
        "Section 2.2, Table 2",
        "a step takes two full adders, one with one CSA: 42.1 and 49.0 MHz at 1,024 bits, 47.0 and 46.0 at "
        "256",
        f"{see.mhz('montgomery_csa2'):.0f} and {see.mhz('montgomery_csa1'):.0f} MHz on ECP5 at 256 bits, "
        f"{mine:.2f} and {other:.2f} µs",
        see.verdict(
            other < mine,
            "a second adder is one level of LUTs; what selects among four multiples is one, too, and its "
            "select lines drive every bit",
        ),
        "modmul measure montgomery_csa2 montgomery_csa1",
    )
