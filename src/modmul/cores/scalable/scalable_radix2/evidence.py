# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Pinckney et al."""
    areas = [
        see.luts(f"scalable_{name}/element", "virtex2", Word=16) for name in ("radix2", "radix2_parallel")
    ]
    yield Claim(
        "Table II",
        "an element as large as that of the parallel radix-2 design (95 and 94 LUTs, 72 and 72 flip-flops)",
        f"{areas[0]} and {areas[1]} LUTs in the 4-input fabric",
        see.verdict(0.9 < areas[0] / areas[1] < 1.1),
        "modmul papers pinckney2008",
    )
