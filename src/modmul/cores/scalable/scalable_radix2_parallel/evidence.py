# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Pinckney et al."""
    clocks = [see.mhz(f"scalable_{name}") for name in ("radix2_parallel", "radix2")]
    yield Claim(
        "Table II",
        "318 MHz, where the improved radix-2 design reaches 285: Q is known before the step",
        f"{clocks[0]:.0f} and {clocks[1]:.0f} MHz on ECP5, whole cores of 256 bits",
        see.verdict(clocks[0] > clocks[1]),
        "modmul measure scalable_radix2_parallel scalable_radix2",
    )
