# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence

BUILD = {"Word": 16, "Pes": 32}
"""That of the paper's comparison."""


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Pinckney et al."""
    mine, left = (see.cycles(f"scalable_{name}", **BUILD) for name in ("radix4", "booth4_left"))
    yield Claim(
        "Section IV.C, Table III",
        "as many cycles as the left-shifting Booth design",
        f"{mine} and {left} at 256 bits",
        see.verdict(mine == left),
        "modmul papers pinckney2008",
    )
    triples = see.luts("scalable_radix4", "ecp5") - see.luts("scalable_booth4_left", "ecp5")
    yield Claim(
        "Sections I and VI",
        "needs 3Y and 3M^, which Booth encoding avoids",
        f"{triples:,} LUTs more than `scalable_booth4_left` on ECP5 at 256 bits, memories and adders of the "
        "triples and the selectors together",
        see.verdict(triples > 0),
        "modmul measure scalable_radix4 scalable_booth4_left",
    )
