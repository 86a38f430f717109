# SPDX-License-Identifier: Apache-2.0
"""What the Intel families of adaptive logic modules (ALMs) have in common.

A LUT here is half an ALM: a function of two to five inputs, a bit of carry with its logic, or 32 bits of
memory. A function of six inputs takes the whole ALM, two halves. Two functions share an ALM where their
inputs allow it, which is taken for granted: half the LUTs are the ALMs at least.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from modmul.chips import _blocks
from modmul.chips._chip import Cells

SYNTHESIS = "synth_intel_alm -family cyclonev -nodsp -noiopad -noclkbuf"

BLOCKS = Path(__file__).with_name("intel.v")

MULTIPLIERS = _blocks.commands(BLOCKS, MUL27X27=19, MUL18X18=4)
"""For cores that are made of multiplier blocks. Yosys' command maps them, too, but takes unsigned operands
for signed ones."""

CELLS = Cells(
    logic={
        **{f"MISTRAL_ALUT{inputs}": 1 for inputs in range(2, 6)},
        **{"MISTRAL_ALUT6": 2, "MISTRAL_ALUT_ARITH": 1, "MISTRAL_NOT": 1},
    },
    # A bit of 32 words; an MLAB of ten ALMs holds twenty.
    memory={"MISTRAL_MLAB": 1},
    block_ram={"MISTRAL_M10K": Fraction(10, 18)},
    # A block multiplies 27×27, twice 18×18 or three times 9×9.
    multiplier={
        "MISTRAL_MUL27X27": 1,
        "MISTRAL_MUL18X18": Fraction(1, 2),
        "MISTRAL_MUL9X9": Fraction(1, 3),
    },
    carry="MISTRAL_ALUT_ARITH",
    flip_flop="MISTRAL_FF",
)
