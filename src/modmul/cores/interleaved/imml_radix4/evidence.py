# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Javeed and Wang."""
    mine, booth = see.us("imml_radix4"), see.us("imml_booth4")
    yield Claim(
        "Section V",
        "16 % faster than with Booth encoding (0.77 and 0.93 µs)",
        f"{mine / booth:.2f} of the time on ECP5 ({mine:.2f} and {booth:.2f} µs)",
        see.verdict(mine < 0.95 * booth, "the selection of a multiple is not in the slowest path here"),
        "modmul measure imml_radix4 imml_booth4",
    )
