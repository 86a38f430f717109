# SPDX-License-Identifier: Apache-2.0
"""Adaptive logic modules as on Intel Agilex 7, by Yosys' mapping for Cyclone V.

Yosys has no cells of this family. Its ALM has the LUTs and the carry of the Cyclone V. Memory blocks hold
20 kbit in place of 10: those of 10 are counted, which is the least that their contents take.
"""

from modmul.chips._chip import Chip, Vendor
from modmul.chips._intel import BLOCKS, CELLS, MULTIPLIERS, SYNTHESIS

CHIP = Chip(
    name="agilex",
    title="ALMs like Intel Agilex 7's, mapped as Cyclone V, LUTs in halves of an ALM",
    lut_inputs=6,
    synthesis=SYNTHESIS,
    multiplier_commands=MULTIPLIERS,
    files=(BLOCKS,),
    cells=CELLS,
    # The ratio that the authors of FIOS_DSP_MM use, on all families alike (docs/measuring.md).
    dsp_weight=133,
    # Halves of an ALM for every 18 kbit: AGF014 123, AGF027 124.
    bram_weight=125,
    unit="half ALMs",
    relative="cyclonev",
    vendor=Vendor("quartus", "AGFB014R24A2E2V", family="Agilex 7"),
    stands_for=("agilex", "agf", "agi", "agm", "arria10", "stratix10", "cyclone10gx", "10ax", "1sg"),
)
