# SPDX-License-Identifier: Apache-2.0
"""Points of a design that nothing reaches, by proof.

Yosys elaborates the design, and ABC merges registers and gates that always have one value, by induction over
clock cycles. A bit that never rises from one cycle to the next after the first reset, whatever comes at the
ports, or a condition that is always true, is found so. Registers without a reset begin at 0, as they do in
simulations that are counted. Functions that only parameters call are gone once the design is elaborated.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from math import prod
from pathlib import Path
from typing import Any

from modmul.design import CLOCK, Design
from modmul.measure.synthesis import elaboration, file_name, run_yosys
from modmul.prove.reach import abc
from modmul.tools.run import log_file, run_tool, work_dir
from modmul.verify.simulator import Point

__all__ = ["FLOW", "unreachable"]

CORE, WATCHED, GRAPH, MERGED = "core.json", "watched.json", "watched.aig", "merged.aig"

READ = ("proc -noopt", "flatten", "memory_collect", "memory_map")
GATES = (
    *("opt -full", "async2sync", "techmap", "opt -full", "dffunmap", "setundef -zero -init"),
    *("simplemap", "aigmap", "opt_clean"),
)
MERGE = "scleanup; lcorr; scorr; scorr -F 4; dc2; scorr"
FLOW = (*READ, *GATES, MERGE)
"""What the answer depends on, besides the design and the points."""

SECONDS = 900.0
"""That a tool may take."""

Node = dict[str, Any]
Bit = int | str
"""A bit of a netlist: its number, or its constant value."""
Value = tuple[Bit, str]
"""That a bit is ``"high"`` or ``"low"``, or that it is going to ``"rise"`` or ``"fall"``."""
Needed = Sequence[Sequence[Value]]
"""What must be seen for a point to happen: one of these, all of whose values are seen at some time."""


def unreachable(design: Design, points: Iterable[Point], among: Iterable[Point] = ()) -> set[Point]:
    """Those of the points that are proven never to happen.

    Args:
        design: the hardware.
        points: that are asked for.
        among: all points of the design: they tell how long the rows of a signal with two indices are, which
            the netlist has as one.

    Raises:
        ToolFailure: a tool failed.
    """
    asked = list(points)
    sizes = _sizes((*among, *asked))
    if not asked:
        return set()
    with work_dir() as folder:
        log = log_file(f"{file_name(design)}-unreachable-{design.digest[:12]}")
        commands = [line for line in elaboration(design) if line.split()[0] in ("read_verilog", "hierarchy")]
        run_yosys((*commands, *READ, f"write_json {CORE}"), design.sources, folder, log, SECONDS)
        netlist: Node = json.loads((folder / CORE).read_text())
        [module] = [m for m in netlist["modules"].values() if int(m["attributes"].get("top", "0"), 2)]
        wanted = _needed(design, module, asked, sizes)
        values = {value for needed in wanted.values() for group in needed for value in group}
        seen = _seen(netlist, module, sorted(values, key=str), folder, log)
    return {p for p, needed in wanted.items() if not any(all(v in seen for v in group) for group in needed)}


# --- what must be seen --------------------------------------------------------------------------------


Sizes = Mapping[str, tuple[int, ...]]
"""Of signals, by their paths with ``[]`` for every index, one more than the largest of each index."""


def _sizes(points: Iterable[Point]) -> Sizes:
    largest: dict[str, tuple[int, ...]] = {}
    for point in points:
        if point.kind == "toggle":
            name, indices = _indexed(_path(point))
            before = largest.get(name, (0,) * len(indices))
            largest[name] = tuple(max(a, b + 1) for a, b in zip(before, indices, strict=True))
    return largest


def _path(point: Point) -> str:
    """Of a signal and its bit, below the top."""
    return ".".join((*point.instance.split(".")[2:], point.what.rpartition(":")[0]))


def _indexed(path: str) -> tuple[str, tuple[int, ...]]:
    """A path without its last indices, with ``[]`` for each, and these."""
    bare = re.sub(r"(\[\d+\])*$", "", path)
    indices = tuple(map(int, re.findall(r"\d+", path[len(bare) :])))
    return bare + "[]" * len(indices), indices


def _needed(design: Design, module: Node, points: Iterable[Point], sizes: Sizes) -> dict[Point, Needed]:
    """What each point needs, where that is known."""
    lines = {source.name: source.read_text(encoding="utf-8").splitlines() for source in design.sources}
    constant = {name: _of_parameters("\n".join(text)) for name, text in lines.items()}
    muxes, ternaries = _deciding(module)
    nets = _nets(module)
    found: dict[Point, Needed] = {}
    for point in points:
        if point.kind in ("line", "branch") and point.line in constant[point.file]:
            found[point] = []
            continue
        if point.kind == "toggle":
            bit = _named(nets, point, sizes)
            if bit is not None:
                found[point] = [[(bit, "rise" if point.what.endswith(":0->1") else "fall")]]
            continue
        taken = point.what in ("if", "elsif", "cond_then")
        if not taken and point.what not in ("else", "cond_else"):
            continue
        column = point.column if taken else point.column - 1
        ternary = point.what.startswith("cond")
        if ternary:
            bits = _ternary(ternaries[point.file, point.line], column)
        else:
            bits = muxes[point.file, point.line, column]
        if bits:
            found[point] = [[(bit, "high" if taken else "low")] for bit in bits]
        elif _by_parameters(lines[point.file][point.line - 1], column - 1, ternary=ternary):
            found[point] = []
    return found


def _nets(module: Node) -> dict[str, Node]:
    """The nets by their paths, without Yosys's names of ``else if``; none of two with one path."""
    names = defaultdict(list)
    for name in module["netnames"]:
        names[re.sub(r"\bgenblk\d+\.", "", name)].append(name)
    return {path: module["netnames"][some[0]] for path, some in names.items() if len(some) == 1}


def _named(nets: Mapping[str, Node], point: Point, sizes: Sizes) -> Bit | None:
    """The bit of a signal, by its path; the netlist has some of the indices in the signal's name, or none."""
    path = _path(point)
    name, indices = _indexed(path)
    for inside in range(len(indices) + 1):
        net = nets.get(re.sub(rf"(\[\d+\]){{{inside}}}$", "", path))
        if net is None:
            continue
        bits: list[Bit] = net["bits"]
        if inside == 1:
            at = indices[-1] - net.get("offset", 0)
            return bits[at] if 0 <= at < len(bits) else None
        at = 0
        for index, size in zip(
            indices[len(indices) - inside :], sizes[name][len(indices) - inside :], strict=True
        ):
            at = at * size + index
        return bits[at] if len(bits) == prod(sizes[name][len(indices) - inside :]) else None
    return None


Places = Mapping[tuple[str, int, int], list[Bit]]
Ranges = Mapping[tuple[str, int], list[tuple[int, int, Bit]]]


def _deciding(module: Node) -> tuple[Places, Ranges]:
    """The bits that decide: of each ``if`` by its place, of ternaries by line and columns."""
    muxes: dict[tuple[str, int, int], list[Bit]] = defaultdict(list)
    ternaries: dict[tuple[str, int], list[tuple[int, int, Bit]]] = defaultdict(list)
    for cell in module["cells"].values():
        if cell["type"] != "$mux":
            continue
        [bit] = cell["connections"]["S"]
        places = re.findall(r"(\w+\.sv):(\d+)\.(\d+)-(\d+)\.(\d+)", cell["attributes"].get("src", ""))
        if len(places) == 1:
            [(file, line, start, last, end)] = places
            ternaries[file, int(line)].append((int(start), int(end) if last == line else 10**6, bit))
        for file, line, start, _, _ in places[1:]:
            muxes[file, int(line), int(start)].append(bit)
    return muxes, ternaries


def _ternary(spans: Sequence[tuple[int, int, Bit]], column: int) -> list[Bit]:
    """Those of the shortest ternaries of a line that span a column."""
    around = [(end - start, bit) for start, end, bit in spans if start <= column <= end]
    return [bit for length, bit in around if length == min(around)[0]]


def _by_parameters(line: str, at: int, *, ternary: bool) -> bool:
    """Whether parameters alone decide the ``if``, or the ternary whose value is at a place.

    Their names begin with a capital, and those of states are capitals alone.
    """
    if ternary:
        condition = re.split(r"(?<![=!])=(?!=)|[?:,({]", line[: max(line.rfind("?", 0, at), 0)])[-1]
    else:
        opened = line.find("(", at)
        condition = line[opened + 1 : _closing(line, opened)]
    names = re.findall(r"\b[A-Za-z_]\w*", re.sub(r"\d*'[bdhs]+\w*", "", condition))
    return bool(names) and all(name[0].isupper() and not name.isupper() for name in names)


FUNCTION = re.compile(
    r"^ *function\b(?:[\w\s]|\[[^\]]*\])*?\b(\w+)\s*[(;].*?^ *endfunction\b", re.MULTILINE | re.DOTALL
)


def _of_parameters(text: str) -> set[int]:
    """Lines of functions that are called for the values of parameters and nowhere else."""
    said = re.sub(r"//[^\n]*", "", text)
    spans = {found[1]: found.span() for found in FUNCTION.finditer(said)}
    outside = FUNCTION.sub(lambda found: " " * len(found[0]), said)

    def for_a_parameter(at: int) -> bool:
        """Whether a place is in a declaration of parameters, or in the brackets of ``#(``."""
        statement = outside[outside.rfind(";", 0, at) + 1 : at]
        _, hashed, behind = statement.rpartition("#(")
        given = bool(hashed) and _closing(f"({behind}", 0) == 0
        return given or bool(re.search(r"\b(local)?param(eter)?\b", statement))

    names, before = dict(spans), 0
    while len(names) != before:
        before = len(names)
        inside = [spans[name] for name in names]
        names = {
            name: span
            for name, span in names.items()
            if all(
                any(start <= used.start() < end for start, end in inside) or for_a_parameter(used.start())
                for used in re.finditer(rf"\b{name}\b", said)
            )
        }
    return {
        number
        for start, end in names.values()
        for number in range(1 + said.count("\n", 0, start), 2 + said.count("\n", 0, end))
    }


def _closing(line: str, opened: int) -> int:
    depth = 0
    for at in range(opened, len(line)):
        depth += {"(": 1, ")": -1}.get(line[at], 0)
        if depth == 0:
            return at
    return opened


# --- what is seen -------------------------------------------------------------------------------------


def _seen(netlist: Node, module: Node, values: Sequence[Value], folder: Path, log: Path) -> set[Value]:
    """Those of the values that are not proven never to be there after the first reset."""
    known = {(bit, how) for bit, how in values if (bit, how) in {("1", "high"), ("0", "low")} or bit == "x"}
    asked = [(bit, how) for bit, how in values if isinstance(bit, int)]
    if not asked:
        return known
    outputs = _watch(module, asked)
    (folder / WATCHED).write_text(json.dumps(netlist))
    commands = (f"read_json {WATCHED}", *GATES, f"write_aiger -zinit {GRAPH}")
    run_yosys(commands, (), folder, log.with_suffix(".gates.log"), SECONDS)
    script = f"read {GRAPH}; {MERGE}; write_aiger {MERGED}"
    run_tool((str(abc()), "-q", script), folder=folder, log=log.with_suffix(".abc.log"), timeout=SECONDS)
    constant = list(_constant(folder / MERGED))[-outputs:]
    return known | {value for value, never in zip(asked, constant, strict=True) if not never}


def _watch(module: Node, values: Sequence[Value]) -> int:
    """Add outputs to a module, each high when a value is there after a reset; returns their number."""
    used = (bit for net in module["netnames"].values() for bit in net["bits"] if isinstance(bit, int))
    free = count(1 + max(used))
    [clock], [reset] = (module["ports"][name]["bits"] for name in (CLOCK, "rst_ni"))

    def gate(kind: str, *inputs: Bit, output: Bit | None = None) -> Bit:
        """The output of one more cell, of one bit."""
        names = {"$dff": ("CLK", "D", "Q"), "$not": ("A", "Y")}.get(kind, ("A", "B", "Y"))
        made = next(free) if output is None else output
        settings = {f"{name}_WIDTH": "1" for name in names} | {f"{name}_SIGNED": "0" for name in names[:-1]}
        ways = (*("input" for _ in inputs), "output")
        module["cells"][f"watching_{made}"] = {
            "hide_name": 0,
            "type": kind,
            "parameters": {"WIDTH": "1", "CLK_POLARITY": "1"} if kind == "$dff" else settings,
            "attributes": {},
            "port_directions": dict(zip(names, ways, strict=True)),
            "connections": {name: [bit] for name, bit in zip(names, (*inputs, made), strict=True)},
        }
        return made

    def register(name: str, value: Bit, output: Bit | None = None) -> Bit:
        made = gate("$dff", clock, value, output=output)
        module["netnames"][f"watch_{name}"] = {"hide_name": 0, "bits": [made], "attributes": {"init": "0"}}
        return made

    first = next(free)  # that a reset has been before
    register("first", gate("$or", first, gate("$not", reset)), first)
    before = register("before", first)
    outputs = []
    for number, (bit, how) in enumerate(values):
        now = bit if how in ("high", "rise") else gate("$not", bit)
        if how in ("high", "low"):
            outputs.append(gate("$and", now, first))
        else:
            last = register(f"last_{number}", gate("$not", now))
            outputs.append(gate("$and", gate("$and", now, last), before))
    module["ports"] = {name: port for name, port in module["ports"].items() if port["direction"] != "output"}
    module["ports"]["watched"] = {"direction": "output", "bits": outputs}
    module["netnames"]["watched"] = {"hide_name": 0, "bits": outputs, "attributes": {}}
    return len(outputs)


def _constant(file: Path) -> Iterator[bool]:
    """Of each output of a graph, whether it is never high."""
    head, *lines = file.read_bytes().split(b"\n")
    _, _, _, latches, outputs, *_ = head.split()
    for line in lines[int(latches) : int(latches) + int(outputs)]:
        yield int(line) == 0
