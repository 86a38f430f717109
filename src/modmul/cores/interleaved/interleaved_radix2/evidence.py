# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Javeed and Wang."""
    mine, parallel = see.us("interleaved_radix2"), see.us("interleaved_radix2_parallel")
    yield Claim(
        "Section V, Table III",
        "slower than the parallel form [16] (2.03 and 1.48 µs), and smaller (2,900 and 3,207 LUTs)",
        f"{mine:.2f} and {parallel:.2f} µs on ECP5, {see.luts('interleaved_radix2', 'virtex6'):,} and "
        f"{see.luts('interleaved_radix2_parallel', 'virtex6'):,} LUTs on Virtex-6",
        see.verdict(mine > parallel, "in time; the areas are the same here"),
        "modmul papers javeed",
    )
