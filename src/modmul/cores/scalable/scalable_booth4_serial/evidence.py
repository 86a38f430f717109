# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Pinckney et al."""
    mine, parallel = see.mhz("scalable_booth4_serial"), see.mhz("scalable_booth4_right")
    yield Claim(
        "Sections I and VI",
        "with its products in parallel the right-shifting Booth design has the shorter critical path",
        f"{mine:.0f} MHz, in parallel {parallel:.0f} on ECP5",
        see.verdict(mine < parallel),
        "modmul measure scalable_booth4_serial scalable_booth4_right",
    )
    luts = see.luts("scalable_booth4_serial", "ecp5"), see.luts("scalable_booth4_right", "ecp5")
    yield Claim(
        "Section IV.A",
        "one carry fewer to be added: S_Q is in the multiple of the odd modulus",
        f"{luts[0]:,} LUTs, in parallel {luts[1]:,} on ECP5",
        see.verdict(luts[0] < luts[1], "the element adds one carry fewer, but the result unit adds M"),
        "modmul measure scalable_booth4_serial scalable_booth4_right",
    )
