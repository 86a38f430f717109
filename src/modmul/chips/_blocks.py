# SPDX-License-Identifier: Apache-2.0
"""Multiplications mapped to blocks before synthesis, where Yosys' own command gets them wrong."""

from __future__ import annotations

from pathlib import Path


def commands(models: Path, **sides: int) -> tuple[str, ...]:
    """Yosys commands that map multiplications to modules ``$__MM_MULNxN`` of a file.

    Args:
        models: the file, which lies beside the sources.
        sides: ``MULNxN`` to the fewest bits of the longer operand that such a block is taken for, the largest
            block first. The shorter operand has four at least.
    """
    mapped: list[str] = []
    for name, least in sides.items():
        side = int(name.rpartition("X")[2])
        sizes = {"A_MAXWIDTH": side, "B_MAXWIDTH": side, "A_MINWIDTH": least, "B_MINWIDTH": 4}
        defines = " ".join(f"-D DSP_{size}={bits}" for size, bits in sizes.items())
        mapped += [
            f"techmap -map +/mul2dsp.v {defines} -D DSP_NAME=$__MM_{name}",
            "chtype -set $mul t:$__soft_mul",
        ]
    return (
        *("flatten", "opt -nodffe -nosdff", "wreduce", "opt_clean"),
        *mapped,
        *("setattr -unset mul2dsp a:mul2dsp", f"techmap -map {models.name}"),
    )
