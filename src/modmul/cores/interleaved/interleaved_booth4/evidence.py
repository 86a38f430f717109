# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Javeed and Wang."""
    mine, parallel = see.mhz("interleaved_booth4"), see.mhz("imml_booth4")
    yield Claim(
        "Section V",
        "as many cycles as the parallel design, a longer critical path",
        f"{see.cycles('interleaved_booth4')} and {see.cycles('imml_booth4')} cycles, "
        f"{mine:.1f} and {parallel:.1f} MHz on ECP5",
        see.verdict(mine < parallel),
        "modmul measure interleaved_booth4 imml_booth4",
    )
