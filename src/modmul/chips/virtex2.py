# SPDX-License-Identifier: Apache-2.0
"""Xilinx Virtex-II, the 4-input fabric of Virtex-E."""

from pathlib import Path

from modmul.chips._chip import Cells, Chip
from modmul.chips._xilinx import DSP_WEIGHT, FLIP_FLOPS, MODELS, NO_DSP, SHIFT_REGISTERS, synthesis

SIDES = (1, 2, 4, 9, 18, 36)
"""Bits of a port of RAMB16."""

CHIP = Chip(
    name="virtex2",
    title="Xilinx Virtex-II, the 4-input fabric of Virtex-E",
    lut_inputs=4,
    synthesis=synthesis("xc2v"),
    no_multiplier_blocks=NO_DSP,
    cells=Cells(
        logic={"LUT1": 1, "LUT2": 1, "LUT3": 1, "LUT4": 1, "INV": 1},
        # 16 words a LUT.
        memory={
            "RAM16X1S": 1,
            "RAM16X1D": 2,
            "RAM32X1S": 2,
            "RAM32X1D": 4,
            "RAM64X1S": 4,
            "RAM64X1D": 8,
            "RAM128X1S": 8,
            **SHIFT_REGISTERS,
        },
        block_ram={f"RAMB16_S{a}": 1 for a in SIDES} | {f"RAMB16_S{a}_S{b}": 1 for a in SIDES for b in SIDES},
        carry="MUXCY",
        flip_flop=FLIP_FLOPS,
        multiplier={"MULT18X18": 1, "MULT18X18S": 1},
        free="MUXF[5-8]|XORCY|ORCY|MULT_AND|VCC|GND",
    ),
    dsp_weight=DSP_WEIGHT,
    # LUTs of four inputs for every 18 kbit: XC2V6000 469, XC2V3000 299; the same 400 as on ecp5.
    bram_weight=400,
    shipped=True,
    stands_for=("xc2", "xc3", "xc4", "xcv", "virtexe", "virtex4", "spartan2", "spartan3"),
    models=(str(Path(__file__).with_name("xilinx_ram16.v")), *MODELS),
)
