# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Pinckney et al."""
    for width, holds in ((256, "short"), (1024, "long")):
        right, left = (
            see.cycles(f"scalable_radix2{name}", width, Word=16, Pes=16) for name in ("_right", "")
        )
        yield Claim(
            "Section I",
            "two cycles from element to element; with left shifts nearly one, for a few more iterations",
            f"{width:,} bits, 16 elements: {right:,} cycles, left-shifting {left:,}",
            see.verdict((right > left) == (holds == "short"), f"{holds} operands"),
            f"modmul show scalable_radix2_right --width {width} --set Word=16 --set Pes=16",
        )
