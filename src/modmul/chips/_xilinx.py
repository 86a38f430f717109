# SPDX-License-Identifier: Apache-2.0
"""What the Xilinx families have in common."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from modmul.chips._chip import Cells, Twins

NO_DSP = "-nodsp"

MODELS = (
    *(str(Path(__file__).with_name(f"{name}.v")) for name in ("xilinx_ram", "ram18")),
    "+/xilinx/cells_sim.v",
)

TWINS = Twins("xilinx", "+/xilinx/cells_sim.v", "+/xilinx/cells_xtra.v")
"""Of the families with LUTs of six inputs: of LUT4, LUT6_2 and CARRY4, of which Yosys has models."""

DSP_WEIGHT = 133
"""LUTs of a multiplier block: the ratio that the authors of FIOS_DSP_MM use (``docs/measuring.md``)."""

BRAM_WEIGHT = 200
"""LUTs of six inputs for every 18 kbit of block RAM: XC7A200T 184, XC7A100T 235, XC6VLX240T 181."""

SHIFT_REGISTERS: Mapping[str, int] = MappingProxyType(
    dict.fromkeys(("SRL16", "SRL16E", "SRLC16", "SRLC16E", "SRLC32E"), 1)
)

FLIP_FLOPS = r"FD[CPRS]E(_1)?|FDCPE(_1)?|FDRSE(_1)?"


def synthesis(family: str) -> str:
    """The Yosys command for a family by Yosys' name: no pads, no clock buffers, multiplexers in LUTs."""
    return f"synth_xilinx -family {family} -flatten -noiopad -noclkbuf {NO_DSP} -nowidelut"


def six_input_cells(multiplier: Mapping[str, int], block_ram: Mapping[str, int]) -> Cells:
    """The cells of a fabric with LUTs of six inputs: 64 words of RAM a LUT, or 32 of two bits."""
    return Cells(
        logic={f"LUT{inputs}": 1 for inputs in range(1, 7)} | {"LUT6_2": 1, "INV": 1},
        memory={
            "RAM16X1S": 1,
            "RAM16X1D": 2,
            "RAM32X1S": 1,
            "RAM32X1D": 2,
            "RAM64X1S": 1,
            "RAM64X1D": 2,
            "RAM128X1S": 2,
            "RAM128X1D": 4,
            "RAM256X1S": 4,
            "RAM32M": 4,
            "RAM64M": 4,
            "RAM32M16": 8,
            "RAM64M8": 8,
            **SHIFT_REGISTERS,
        },
        block_ram=block_ram,
        carry="CARRY4",
        flip_flop=FLIP_FLOPS,
        multiplier=multiplier,
        free="MUXF[7-9]|VCC|GND",
    )
