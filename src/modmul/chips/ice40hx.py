# SPDX-License-Identifier: Apache-2.0
"""Lattice iCE40 HX. It has no multiplier blocks: cores that are made of them get LUTs."""

from modmul.chips import _ice40
from modmul.chips._chip import Chip, Part

CHIP = Chip(
    name="ice40hx",
    title="Lattice iCE40 HX8K-CT256",
    lut_inputs=4,
    synthesis="synth_ice40 -device hx",
    before=_ice40.REGISTERS,
    cells=_ice40.cells(),
    # None here; published figures beside ours count with it.
    dsp_weight=133,
    # 7,680 LUTs and 32 blocks of 4 kbit, 1,080 for every 18 kbit.
    bram_weight=1080,
    route=_ice40.route("--hx8k", "--package", "ct256"),
    part=Part("iCE40HX8K", luts=7_680, ffs=7_680, dsp=0, bram=7),
    relative="ecp5",
    stands_for=("ice40", "hx8k", "hx4k", "hx1k", "lp8k", "lp1k", "icestick"),
    models=_ice40.MODELS,
)
