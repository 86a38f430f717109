# SPDX-License-Identifier: Apache-2.0
"""Xilinx Virtex-6. Yosys maps it to the same cells as the 7 series."""

from modmul.chips._chip import Chip
from modmul.chips._xilinx import BRAM_WEIGHT, DSP_WEIGHT, MODELS, NO_DSP, TWINS, six_input_cells, synthesis

CHIP = Chip(
    name="virtex6",
    title="Xilinx Virtex-6",
    lut_inputs=6,
    synthesis=synthesis("xc6v"),
    no_multiplier_blocks=NO_DSP,
    cells=six_input_cells({"DSP48E1": 1}, {"RAMB18E1": 1, "RAMB36E1": 2}),
    dsp_weight=DSP_WEIGHT,
    bram_weight=BRAM_WEIGHT,
    twins=TWINS,
    relative="artix7",
    shipped=True,
    stands_for=("xc6", "spartan6", "virtex5", "xc5"),
    models=MODELS,
)
