# SPDX-License-Identifier: Apache-2.0
"""The registers of a design, as Verilator finds them: what is assigned at a clock edge, memories included."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from modmul.design import Design
from modmul.verify.simulator import elaborated

__all__ = ["Register", "registers"]

Node = Mapping[str, Any]
Nodes = Mapping[str, Node]


@dataclass(frozen=True)
class Register:
    """A register or a memory.

    Attributes:
        path: below the top module: ``"u_lane.gen_sums.u_sum.carry_q"``.
        module: that declares it, without its parameters.
        bits: of a word.
        depth: words; 0 for a register, which is no array.
    """

    path: str
    module: str
    bits: int
    depth: int = 0


@cache
def registers(design: Design) -> tuple[Register, ...]:
    """All that a clock edge changes, in the order of the hierarchy.

    Raises:
        SimulatorError: Verilator is missing or refuses the sources.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = json.loads(elaborated(design, Path(folder)).read_text(encoding="utf-8"))
    modules = {each["addr"]: each for each in tree["modulesp"]}
    types = {each["addr"]: each for table in tree["miscsp"] for each in table.get("typesp", ())}
    return tuple(_of(_top(tree, design), "", modules, types))


def _top(tree: Node, design: Design) -> Node:
    return next(each for each in tree["modulesp"] if each["name"] == design.top)


def _of(
    module: Node, above: str, modules: Mapping[str, Node], types: Mapping[str, Node]
) -> Iterator[Register]:
    """Those of an instance of a module, and of the instances in it."""
    clocked = {
        reference["varp"]
        for assignment in _nodes(module, "ASSIGNDLY")
        for target in assignment["lhsp"]
        for reference in _nodes(target, "VARREF")
        if reference["access"] != "RD"
    }
    for path, node in _declared(module, above):
        if node["type"] == "CELL":
            yield from _of(modules[node["modp"]], f"{path}.", modules, types)
        elif node["addr"] in clocked:
            yield Register(path, module["origName"], *_size(types[node["dtypep"]], types))


def _declared(scope: Node, above: str) -> Iterator[tuple[str, Node]]:
    """Path and node of each variable and instance of a module, those in its generate blocks included."""
    for node in _children(scope):
        if node["type"] in ("VAR", "CELL"):
            yield above + node["name"], node
        elif node["type"] == "GENBLOCK":
            yield from _declared(node, f"{above}{node['name']}." if node["name"] else above)


def _size(kind: Node, types: Nodes) -> tuple[int, int]:
    """Bits of a word, and words; 0 of them for what is no array."""
    if kind["type"] == "UNPACKARRAYDTYPE":
        first, last = map(int, kind["declRange"].strip("[]").split(":"))
        return _size(types[kind["refDTypep"]], types)[0], abs(first - last) + 1
    if kind["type"] in ("ENUMDTYPE", "REFDTYPE"):
        return _size(types[kind["refDTypep"]], types)
    high, low = map(int, kind.get("range", "0:0").split(":"))
    return high - low + 1, 0


def _children(node: Node) -> Iterator[Node]:
    for value in node.values():
        if isinstance(value, list):
            yield from value


def _nodes(node: Node, kind: str) -> Iterator[Node]:
    """A node and those below it, of one kind."""
    if node["type"] == kind:
        yield node
    for child in _children(node):
        yield from _nodes(child, kind)
