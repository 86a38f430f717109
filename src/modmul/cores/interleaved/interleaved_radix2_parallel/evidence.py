# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Javeed and Wang."""
    yield Claim(
        "Section II",
        "n clock cycles for n bits",
        f"{see.cycles('interleaved_radix2_parallel'):,} cycles at 256 bits",
        see.verdict(see.cycles("interleaved_radix2_parallel") == 256),
        "modmul show interleaved_radix2_parallel",
    )
