# SPDX-License-Identifier: Apache-2.0
"""Xilinx UltraScale+.

Its carry cell is CARRY8. Yosys emits CARRY4 for this family all the same, and so do the twins, which are made
of LUT4, LUT6_2 and CARRY4: they are counted as on the 7 series. Neither carry cell counts as a LUT. Whether a
vendor's tool takes CARRY4 on this family was not tried.
"""

from pathlib import Path

from modmul.chips._chip import Chip, Vendor
from modmul.chips._xilinx import BRAM_WEIGHT, DSP_WEIGHT, TWINS, six_input_cells, synthesis

BLOCKS = Path(__file__).with_name("ultrascaleplus.v")

SIZES = {
    **{"A_MAXWIDTH": 27, "B_MAXWIDTH": 18, "A_MAXWIDTH_PARTIAL": 18},
    **{"A_MINWIDTH": 2, "B_MINWIDTH": 2, "Y_MINWIDTH": 9},
}
"""Bits of the operands of a block as Yosys gives them for the 7 series, but for the wider A."""

CHIP = Chip(
    name="ultrascaleplus",
    title="Xilinx UltraScale+",
    lut_inputs=6,
    synthesis=synthesis("xcup"),
    # Yosys' own steps for the 7 series (help synth_xilinx), whose blocks then become those of this family. A
    # register that holds a bit of a sum twice would be left without its driver: registers without copies of
    # a sign have none, and whatever else is left so ends the run.
    multiplier_commands=(
        synthesis("xcup") + " -run begin:map_dsp",
        *("wreduce t:$*dff*", "memory_dff", "alumacc -macc-only", "maccmap -unmap", "opt_clean"),
        " ".join(
            (
                f"techmap -map +/mul2dsp.v -map {BLOCKS.name} -D DSP_NAME=$__MM_MUL27X18 -D DSP_SIGNEDONLY=1",
                *(f"-D DSP_{side}={bits}" for side, bits in SIZES.items()),
            )
        ),
        *("select a:mul2dsp", "setattr -unset mul2dsp", "opt_expr -fine", "wreduce", "select -clear"),
        *("xilinx_dsp -family xc7", "chtype -set $mul t:$__soft_mul", "chtype -set $__MM_DSP48E1 t:DSP48E1"),
        f"techmap -map {BLOCKS.name}",
        *("design -push-copy", "splitcells", "opt_clean", "check -assert", "design -pop"),
    ),
    multiplier_blocks="-run coarse:",
    files=(BLOCKS,),
    cells=six_input_cells({"DSP48E2": 1}, {"RAMB18E2": 1, "RAMB36E2": 2}),
    dsp_weight=DSP_WEIGHT,
    bram_weight=BRAM_WEIGHT,
    # Yosys' own block RAM cells of this family have ports of other widths.
    silenced=('logger -nowarn "Resizing cell port .*[.]((ADDR|DIN|DOUT)[A-Z]*|WEA) from"',),
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
