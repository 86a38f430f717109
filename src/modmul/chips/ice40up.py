# SPDX-License-Identifier: Apache-2.0
"""Lattice iCE40 UltraPlus. Its large single-port memories (SPRAM) are not used."""

from pathlib import Path

from modmul.chips import _blocks, _ice40
from modmul.chips._chip import Chip, Part, Vendor

BLOCKS = Path(__file__).with_name("ice40.v")

CHIP = Chip(
    name="ice40up",
    title="Lattice iCE40 UltraPlus, iCE40UP5K-SG48",
    lut_inputs=4,
    synthesis="synth_ice40 -device u",
    multiplier_commands=_blocks.commands(BLOCKS, MUL16X16=4),
    files=(BLOCKS,),
    before=_ice40.REGISTERS,
    cells=_ice40.cells(SB_MAC16=1),
    # The ratio that the authors of FIOS_DSP_MM use, on all families alike (docs/measuring.md).
    dsp_weight=133,
    # 5,280 LUTs and 30 blocks of 4 kbit, 792 for every 18 kbit.
    bram_weight=800,
    route=_ice40.route("--up5k", "--package", "sg48"),
    part=Part("iCE40UP5K", luts=5_280, ffs=5_280, dsp=8, bram=6),
    relative="ecp5",
    vendor=Vendor("radiant", "iCE40UP5K-SG48I"),
    stands_for=("ice40", "up5k", "up3k", "icebreaker", "ultraplus"),
    models=_ice40.MODELS,
)
