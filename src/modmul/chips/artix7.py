# SPDX-License-Identifier: Apache-2.0
"""Xilinx 7 series."""

from modmul.chips._chip import Chip, Vendor
from modmul.chips._xilinx import BRAM_WEIGHT, DSP_WEIGHT, MODELS, NO_DSP, TWINS, six_input_cells, synthesis

CHIP = Chip(
    name="artix7",
    title="Xilinx 7 series",
    lut_inputs=6,
    synthesis=synthesis("xc7"),
    no_multiplier_blocks=NO_DSP,
    cells=six_input_cells({"DSP48E1": 1}, {"RAMB18E1": 1, "RAMB36E1": 2}),
    dsp_weight=DSP_WEIGHT,
    bram_weight=BRAM_WEIGHT,
    twins=TWINS,
    vendor=Vendor("vivado", "xc7a200tfbg484-1", twins=True),
    shipped=True,
    stands_for=("xc7", "spartan7", "kintex7", "virtex7", "zynq", "arty", "basys", "nexys", "pynq", "7series"),
    models=MODELS,
)
