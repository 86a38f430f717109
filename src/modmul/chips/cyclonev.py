# SPDX-License-Identifier: Apache-2.0
"""Intel Cyclone V."""

from modmul.chips._chip import Chip, Vendor
from modmul.chips._intel import BLOCKS, CELLS, MULTIPLIERS, SYNTHESIS

CHIP = Chip(
    name="cyclonev",
    title="Intel Cyclone V, LUTs in halves of an ALM",
    lut_inputs=6,
    synthesis=SYNTHESIS,
    multiplier_commands=MULTIPLIERS,
    files=(BLOCKS,),
    cells=CELLS,
    # The ratio that the authors of FIOS_DSP_MM use, on all families alike (docs/measuring.md).
    dsp_weight=133,
    # Halves of an ALM for every 18 kbit: 5CEA4 216, 5CEA7 296, 5CEA9 335.
    bram_weight=300,
    unit="half ALMs",
    vendor=Vendor("quartus", "5CEFA9F23C7", family="Cyclone V"),
    stands_for=(
        "cyclone",
        "arriav",
        "arriaii",
        "stratixv",
        "stratixiv",
        "5ce",
        "5cg",
        "5cs",
        "de10",
        "de1soc",
    ),
)
