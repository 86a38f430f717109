# SPDX-License-Identifier: Apache-2.0
"""LUTs and cycles of ``rrm`` and ``rrm_split`` on LUTs of six inputs, also of builds that are not shipped.

``python benchmarks/lut6.py --width 1024`` synthesises them for the 7 series, ``--target ecp5`` for LUTs of
four inputs; nothing is placed. With ``--modulus secp256k1``, or any other modulus of that width, it is fixed
in ``rrm_split``.
"""

from __future__ import annotations

import typer

from modmul.chips import CHIPS
from modmul.core import Config
from modmul.cores.residue.rrm.core import Rrm
from modmul.cores.residue.rrm_split.core import RrmSplit
from modmul.measure.synthesis import synthesise
from modmul.moduli import modulus as parsed
from modmul.registry import Room, room
from modmul.tools.run import end_tools_on_signals
from modmul.tools.store import Store

BUILDS = ((3, 2), (4, 2), (4, 1), (5, 1))
"""Bits of a digit, and carry chains."""


def main(width: int = 256, target: str = "artix7", modulus: str = "") -> None:
    """Print a line for each build: LUTs with memory, interval in cycles, and their product over width²."""
    store = Store()
    fixed = parsed(modulus).value if modulus else 0
    rrm, split = room("rrm"), room("rrm_split")
    builds: list[tuple[str, Room, Config]] = [
        (f"k={k} Banks={banks}", rrm, Rrm(width, digit_bits=k, banks=banks))
        for k in (2, 1)
        for banks in (1, 2)
    ]
    builds += [
        (f"k={k} Chains={chains}", split, RrmSplit(width, digit_bits=k, chains=chains, modulus=fixed))
        for k, chains in BUILDS
    ]
    for name, found, config in builds:
        area = synthesise(found.design(config), CHIPS[target], store)
        cycles = found.core.interface.interval(config)
        print(
            f"{found.core.slug:10}{name:14}{area.luts:6} LUTs, {area.lut_ram} of them memory,"
            f" every {cycles} cycles: {area.luts * cycles / width**2:.2f} n²"
        )


if __name__ == "__main__":
    end_tools_on_signals()
    typer.run(main)
