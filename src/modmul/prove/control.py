# SPDX-License-Identifier: Apache-2.0
"""Data decide on nothing but results: a proof on the netlist.

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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modmul.core import CONTROLS, SOCKET
from modmul.design import Design
from modmul.measure.synthesis import elaboration, file_name, run_yosys
from modmul.tools.run import log_file, work_dir

__all__ = ["HEADER", "OPERANDS", "OUTPUTS", "ROWS", "Control", "any_rows", "control"]

OUTPUTS = ("ctx_ready_o", "ctx_error_o", "in_ready_o", "out_valid_o")
"""The outputs that say when something happens (docs/contract.md)."""

OPERANDS = ("x_i", "y_i")

CONTEXT, RESULT = "ctx_data_i", "z_o"

ASKED = ("ctx_valid_i", "in_valid_i", "out_ready_i", *CONTROLS)
"""The inputs of a core that say when something happens."""

ROWS = "mm_engine_rows"
"""The module that holds the rows of a program (docs/engine.md)."""

HEADER = ("u_port.head_q", "u_port.head_legal_q", "u_port.gen_head_words.words_q")
"""Registers that hold the first words of a context of the engine: lengths and counts, which are public."""

MEMORY = ("RD_ADDR", "RD_EN", "WR_ADDR", "WR_EN")
"""The inputs of a memory but for the words and the clock."""

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
        bits: of registers and ports of memories that can reach what was asked about.
        paths: where data come from, to the signals on the way from there, both ends included; empty if none
            reach what was asked about.
    """

    bits: int
    paths: Mapping[str, tuple[str, ...]]

    @property
    def proven(self) -> bool:
        """Whether data decide on nothing but results."""
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
    ports = {name: module["ports"][name]["bits"] for name in (*OUTPUTS, *OPERANDS)}
    data = {name: ports[name] for name in OPERANDS}
    return _reached(module, [bit for name in OUTPUTS for bit in ports[name]], data, _named(module, told))


def any_rows(design: Design, told: Iterable[str] = ()) -> Control:
    """Whether data of the engine can reach what says when something happens, whatever its rows are.

    The rows are left open, and so is the core: of it is assumed that its handshakes and ``ctx_error_o``
    depend on those of others alone, which is what :func:`control` and constant time say of a core. Data are
    the words of operands, of contexts behind their header (:data:`HEADER`), and of the core's results. Asked
    about are the handshakes of the engine and of its core, every address and enable of a memory, and which
    row is next.

    Args:
        told: as for :func:`control`.

    Raises:
        ToolFailure: Yosys failed or took too long.
        ValueError: the design is no program of the engine.
    """
    module = _gates(design, (f"blackbox *{ROWS}*", f"blackbox {SOCKET}"))
    ports = {name: module["ports"][name]["bits"] for name in (*OUTPUTS, *OPERANDS, CONTEXT)}
    data = {name: list(ports[name]) for name in (*OPERANDS, CONTEXT)}
    asked = [bit for name in OUTPUTS for bit in ports[name]]
    for cell in module["cells"].values():
        pins = cell["connections"]
        if cell["type"] == SOCKET:
            data.setdefault(RESULT, []).extend(pins[RESULT])
            asked += [bit for name in ASKED for bit in pins[name]]
        elif ROWS in cell["type"]:
            asked += pins["index_i"]
        elif cell["type"].startswith("$mem"):
            asked += [bit for name in MEMORY for bit in pins[name]]
    if RESULT not in data:
        raise ValueError(f"{design.name} is no program of the engine")
    return _reached(module, asked, data, _named(module, (*HEADER, *told)))


def _reached(
    module: Node, asked: Iterable[int | str], data: Mapping[str, Sequence[int]], public: Collection[int]
) -> Control:
    """Which data reach some bits, through any cells but those open ones that :func:`_before` leaves away."""
    drivers = {bit: cell for cell in module["cells"].values() for bit in _bits(cell, _is_output)}
    names = _names(module)
    before: dict[int, int | None] = {bit: None for bit in asked if isinstance(bit, int) and bit not in public}
    waiting = deque(before)
    while waiting:
        bit = waiting.popleft()
        for other in _before(drivers[bit], bit) if bit in drivers else ():
            if other not in before and other not in public:
                before[other] = bit
                waiting.append(other)
    reached = {name: [bit for bit in bits if bit in before] for name, bits in data.items()}
    paths = {name: tuple(_way(bits[0], before, names)) for name, bits in reached.items() if bits}
    state = sum(bit in drivers and drivers[bit]["type"].startswith(STATE) for bit in before)
    return Control(state, paths)


def _before(cell: Node, bit: int) -> Iterator[int]:
    """What a bit that a cell drives depends on."""
    if cell["type"] != SOCKET or bit in cell["connections"][RESULT]:
        return _bits(cell, _is_input)
    return _bits(cell, lambda of, port: _is_input(of, port) and port not in (*OPERANDS, CONTEXT))


def _is_input(cell: Node, port: str) -> bool:
    return bool(cell["port_directions"][port] == "input")


def _is_output(cell: Node, port: str) -> bool:
    return not _is_input(cell, port)


def _gates(design: Design, opened: Sequence[str] = ()) -> Node:
    """The top module as Yosys writes it: ports, cells and names of nets.

    Args:
        opened: commands that leave modules open, before others are put into those above them.
    """
    with work_dir() as folder:
        commands = (*elaboration(design), *opened, *GATES, f"write_json {NETLIST}")
        log = log_file(f"{file_name(design)}-control-{design.digest[:12]}")
        run_yosys(commands, design.sources, folder, log, TIMEOUT)
        modules = json.loads((folder / NETLIST).read_text())["modules"]
    found: Node = next(each for each in modules.values() if int(each["attributes"].get("top", "0"), 2))
    return found


def _bits(cell: Node, which: Callable[[Node, str], bool]) -> Iterator[int]:
    for port, bits in cell["connections"].items():
        if which(cell, port):
            yield from (bit for bit in bits if isinstance(bit, int))


def _named(module: Node, paths: Iterable[str]) -> set[int]:
    """The bits of signals, by the end of their paths."""
    ends = tuple(f".{path}" for path in paths)
    return {
        bit
        for name, net in module["netnames"].items()
        if f".{re.sub(INDEX, '', name)}".endswith(ends)
        for bit in net["bits"]
    }


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
