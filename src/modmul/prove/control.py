# SPDX-License-Identifier: Apache-2.0
"""Operands decide on nothing but results: a proof on the netlist.

Yosys elaborates a design and takes it apart into gates of one bit, registers and memories. From the outputs
that say when something happens, all bits that can reach them through any number of gates, registers and clock
cycles are collected. If no bit of an operand is among them, two runs that start in the same state and differ
in operands alone have equal control outputs in every cycle. That is a proof, with no bound on cycles and no
solver. The other way round, a path that is found need not be one that values can take.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modmul.design import Design
from modmul.measure.synthesis import elaboration, file_name, run_yosys
from modmul.tools.run import log_file, work_dir

__all__ = ["OPERANDS", "OUTPUTS", "Control", "control"]

OUTPUTS = ("ctx_ready_o", "ctx_error_o", "in_ready_o", "out_valid_o")
"""The outputs that say when something happens (docs/contract.md)."""

OPERANDS = ("x_i", "y_i")

GATES = (
    *("setattr -mod -unset keep_hierarchy", "setattr -unset keep_hierarchy"),
    *("flatten", "opt_expr", "opt_clean"),
    *("memory_dff", "memory_collect", "opt_clean", "opt -full -fine"),
    *("simplemap", "opt", "splitnets"),
)
"""The Yosys commands that make gates of an elaborated design; registers and memories stay."""

NETLIST = "netlist.json"

STATE = ("$_DFF", "$_SDFF", "$_ALDFF", "$_DLATCH", "$dff", "$mem")

INDEX = re.compile(r"\[\d+\]$")

TIMEOUT = 1800.0
"""Seconds that Yosys may take."""

Node = Mapping[str, Any]


@dataclass(frozen=True)
class Control:
    """What decides when something happens.

    Attributes:
        bits: of registers and ports of memories that can reach one of :data:`OUTPUTS`.
        paths: operand to the signals on the way from it to an output, itself and the output included; empty
            if no operand reaches one.
    """

    bits: int
    paths: Mapping[str, tuple[str, ...]]

    @property
    def proven(self) -> bool:
        """Whether operands decide on nothing but results."""
        return not self.paths


def control(design: Design, told: Iterable[str] = ()) -> Control:
    """Whether operands of a design behind the contract's ports can reach what says when something happens.

    Args:
        told: signals, by the end of their paths, that may depend on operands, since what they hold is told
            to everybody (``Interface.told``).

    Raises:
        ToolFailure: Yosys failed or took too long.
    """
    module = _gates(design)
    drivers = {bit: cell for cell in module["cells"].values() for bit in _bits(cell, "output")}
    names = _names(module)
    ends = tuple(f".{path}" for path in told)
    public = {
        bit
        for name, net in module["netnames"].items()
        if f".{re.sub(INDEX, '', name)}".endswith(ends)
        for bit in net["bits"]
    }
    ports = {name: module["ports"][name]["bits"] for name in (*OUTPUTS, *OPERANDS)}
    before: dict[int, int | None] = {bit: None for name in OUTPUTS for bit in ports[name]}
    waiting = deque(before)
    while waiting:
        bit = waiting.popleft()
        for other in _bits(drivers[bit], "input") if bit in drivers else ():
            if other not in before and other not in public:
                before[other] = bit
                waiting.append(other)
    reached = {name: [bit for bit in ports[name] if bit in before] for name in OPERANDS}
    paths = {name: tuple(_way(bits[0], before, names)) for name, bits in reached.items() if bits}
    state = sum(bit in drivers and drivers[bit]["type"].startswith(STATE) for bit in before)
    return Control(state, paths)


def _gates(design: Design) -> Node:
    """The top module as Yosys writes it: ports, cells and names of nets."""
    with work_dir() as folder:
        commands = (*elaboration(design), *GATES, f"write_json {NETLIST}")
        log = log_file(f"{file_name(design)}-control-{design.digest[:12]}")
        run_yosys(commands, design.sources, folder, log, TIMEOUT)
        modules = json.loads((folder / NETLIST).read_text())["modules"]
    found: Node = next(each for each in modules.values() if int(each["attributes"].get("top", "0"), 2))
    return found


def _bits(cell: Node, direction: str) -> Iterator[int]:
    for port, bits in cell["connections"].items():
        if cell["port_directions"][port] == direction:
            yield from (bit for bit in bits if isinstance(bit, int))


def _names(module: Node) -> dict[int, str]:
    """Bit to a name of it, one of the sources where it has one."""
    found: dict[int, str] = {}
    for name, net in sorted(module["netnames"].items(), key=lambda item: item[1]["hide_name"], reverse=True):
        for bit in net["bits"]:
            if isinstance(bit, int):
                found[bit] = name
    return found


def _way(bit: int, before: Mapping[int, int | None], names: Mapping[int, str]) -> Iterator[str]:
    """The signals that have a name in the sources, from a bit on."""
    at: int | None = bit
    while at is not None:
        if "$" not in names[at]:
            yield names[at]
        at = before[at]
