# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Javeed and Wang."""
    mine, booth = see.us("imml_radix8"), see.us("imml_booth8")
    yield Claim(
        "Section V",
        "larger than with Booth encoding without any significant speed improvement (0.69 and 0.696 µs)",
        f"{mine:.2f} and {booth:.2f} µs on ECP5",
        see.verdict(mine > 0.95 * booth),
        "modmul measure imml_radix8 imml_booth8",
    )
