# SPDX-License-Identifier: Apache-2.0
"""Gates of no library: NAND2 equivalents and logic depth.

A cell counts its transistors in static CMOS as a share of the four of a NAND2. Memories are flip-flops, since
there are no macros.
"""

from fractions import Fraction

from modmul.chips._chip import READINGS, Cells, Chip

TRANSISTORS = {
    "$_NOT_": 2,
    "$_NAND_": 4,
    "$_NOR_": 4,
    "$_AND_": 6,
    "$_OR_": 6,
    "$_AOI3_": 6,
    "$_OAI3_": 6,
    "$_AOI4_": 8,
    "$_OAI4_": 8,
    # Two transmission gates and three inverters.
    "$_XOR_": 10,
    "$_XNOR_": 10,
    # Two transmission gates, the inverter of the select and those that restore the level.
    "$_MUX_": 10,
    "$_NMUX_": 8,
    # Two latches of two transmission gates and two inverters each, two inverters for the clock.
    "$_DFF_P_": 20,
    # A NAND or NOR in place of an inverter in each latch.
    "$_DFF_PN0_": 24,
    "$_DFF_PN1_": 24,
}
"""Of each cell."""

CHIP = Chip(
    name="gates",
    title="Gates of no library: NAND2 equivalents, logic depth",
    lut_inputs=2,
    synthesis="synth -flatten -noabc",
    after=(
        "dfflegalize -cell $_DFF_P_ x -cell $_DFF_PN0_ x -cell $_DFF_PN1_ x",
        "opt_clean",
        "abc -g cmos",
        "opt_clean",
        f"tee -q -o {READINGS} ltp -noff",
    ),
    readings={"depth": r"length=(\d+)"},
    cells=Cells(
        logic={cell: Fraction(count, 4) for cell, count in TRANSISTORS.items()},
        flip_flop=r"\$_DFF_P(N[01])?_",
    ),
    dsp_weight=0,
    bram_weight=0,
    unit="NAND2",
    stands_for=("asic", "nand2", "cmos"),
    notes=(
        "NAND2 equivalents: transistors in static CMOS over four, flip-flops included; memories are "
        "flip-flops. Depth: gates on the longest path between registers.",
    ),
)
