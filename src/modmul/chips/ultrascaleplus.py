# SPDX-License-Identifier: Apache-2.0
"""Xilinx UltraScale+.

Its carry cell is CARRY8. Yosys emits CARRY4 for this family all the same, and so do the twins, which are made
of LUT4, LUT6_2 and CARRY4: they are counted as on the 7 series. Neither carry cell counts as a LUT. Whether a
vendor's tool takes CARRY4 on this family was not tried.
"""

from modmul.chips._chip import Chip, Vendor
from modmul.chips._xilinx import BRAM_WEIGHT, DSP_WEIGHT, NO_DSP, TWINS, six_input_cells, synthesis

CHIP = Chip(
    name="ultrascaleplus",
    title="Xilinx UltraScale+",
    lut_inputs=6,
    synthesis=synthesis("xcup"),
    no_multiplier_blocks=NO_DSP,
    cells=six_input_cells({"DSP48E2": 1}, {"RAMB18E2": 1, "RAMB36E2": 2}),
    dsp_weight=DSP_WEIGHT,
    bram_weight=BRAM_WEIGHT,
    # Yosys' own block RAM cells of this family have ports of other widths.
    silenced=('logger -nowarn "Resizing cell port .*[.](ADDR|DIN|DOUT)[A-Z]* from"',),
    twins=TWINS,
    vendor=Vendor("vivado", "xcku5p-ffvb676-2-e", twins=True),
    relative="artix7",
    stands_for=(
        *(
            "ultrascale",
            "xcu",
            "xcku",
            "xcvu",
            "xczu",
            "xcau",
            "kintexu",
            "virtexu",
            "artixu",
            "zynqu",
            "zynqmp",
        ),
        *("kria", "alveo", "versal", "xcvc", "xcvm", "xcvp"),
    ),
)
