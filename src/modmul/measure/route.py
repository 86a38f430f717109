# SPDX-License-Identifier: Apache-2.0
"""Place and route of a design inside a wrapper of registers, by the tool that its chip family names."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

from modmul.chips import Chip, ChipError, PlaceAndRoute
from modmul.design import CLOCK, Design, Port
from modmul.measure.area import too_small
from modmul.measure.synthesis import digests, elaboration, file_name, reading, run_yosys, strict
from modmul.tools.machine import LOCAL, Machine
from modmul.tools.run import ToolFailure, log_file, work_dir
from modmul.tools.store import Store, result_key, tool_versions

__all__ = ["Router", "Timing", "known_timing", "place_and_route", "route_flow", "timing", "wrapper"]

WRAPPER = "mm_scan_wrapper"
NETLIST = "netlist.json"
DIGITS = 32
"""Hexadecimal digits of a digest of what is placed."""


@dataclass(frozen=True)
class Timing:
    """Clock frequencies after place and route.

    Attributes:
        fmax_mhz: seed to the highest clock frequency, in MHz, of the slowest register-to-register
            path.
        utilisation: the tool's resource to (used, available), the wrapper included; empty when shipped.
        seconds: run time of all the seeds, also when results come from the store or are shipped.
        logs: seed to the output of the tool; empty when shipped.
        placed: digest of what was placed and routed, and how (:meth:`Router.placed`).
    """

    fmax_mhz: Mapping[int, float]
    utilisation: Mapping[str, tuple[int, int]]
    seconds: float
    logs: Mapping[int, Path]
    placed: str = ""

    @property
    def seeds(self) -> tuple[int, ...]:
        """The placement seeds."""
        return tuple(self.fmax_mhz)

    @property
    def median_mhz(self) -> float:
        """Median frequency over the seeds, in MHz."""
        return median(self.fmax_mhz.values())

    @property
    def spread_mhz(self) -> float:
        """Highest less lowest frequency over the seeds, in MHz."""
        return max(self.fmax_mhz.values()) - min(self.fmax_mhz.values())


def wrapper(design: Design) -> str:
    """SystemVerilog of the module that puts registers around a design with known ports.

    Every input but the clock, the reset included, comes from one stage of a shift chain. Every
    output goes straight into a register; these registers are XORed, one a stage, into a second
    shift chain. Three pins are left, and no bit of the design can be optimised away.
    """
    inputs = outputs = 0
    connections = []
    for port in design.ports:
        if port.name == CLOCK:
            connections.append(f".{port.name}(clk_i)")
        elif port.is_input:
            connections.append(f".{port.name}(in_q[{inputs} +: {port.bits}])")
            inputs += port.bits
        else:
            connections.append(f".{port.name}(out[{outputs} +: {port.bits}])")
            outputs += port.bits
    settings = {} if design.foreign else design.settings  # slang has set them
    parameters = ", ".join(f".{name}({value})" for name, value in settings.items())
    return f"""\
`default_nettype none

module {WRAPPER} (
  input  wire  clk_i,
  input  wire  scan_i,
  output logic scan_o
);

  logic [{inputs - 1}:0] in_q;
  logic [{outputs - 1}:0] out, out_q, fold_q;

  always_ff @(posedge clk_i) begin
    in_q   <= {{scan_i, in_q[{inputs - 1}:1]}};
    out_q  <= out;
    fold_q <= {{1'b0, fold_q[{outputs - 1}:1]}} ^ out_q;
  end

  assign scan_o = fold_q[0];

  (* keep_hierarchy *)
  {design.top} #({parameters}) u_core (
    {f",{chr(10)}    ".join(connections)}
  );

endmodule

`default_nettype wire
"""


def netlist_flow(design: Design, target: Chip) -> tuple[str, ...]:
    """The Yosys commands that make the netlist of a design in its wrapper."""
    return (
        *strict(design),
        *target.silenced,
        f"read_verilog -sv -defer {WRAPPER}.sv",
        *elaboration(design, WRAPPER),
        *target.commands(design.multiplier_blocks),
        "setattr -unset keep_hierarchy c:u_core",
        "flatten",
        *_route_of(target).netlist,
        f"write_json {NETLIST}",
    )


def route_flow(design: Design, target: Chip) -> tuple[str, ...]:
    """All that decides a frequency besides the sources, the versions of the tools and the seed.

    The wrapper, the commands of Yosys and the options of place and route, for a design with known ports.
    """
    return (
        wrapper(design),
        *netlist_flow(design, target),
        *_route_of(target).settings(design.crowded, design.vast),
    )


def _route_of(target: Chip) -> PlaceAndRoute:
    if target.route is None:
        raise ValueError(f"there is no open place and route for {target.name}")
    return target.route


def with_ports(design: Design, timeout: float, machine: Machine = LOCAL) -> Design:
    """The design with its ports, read off the elaborated module where nobody has said them.

    Raises:
        ToolFailure: Yosys refuses it.
    """
    if design.ports:
        return design
    with work_dir() as folder:
        log = log_file(f"{file_name(design)}-ports-{design.digest[:12]}")
        commands = (*strict(design), *elaboration(design), f"write_json {NETLIST}")
        run_yosys(commands, design.sources, folder, log, timeout, machine)
        with reading(log):
            modules = json.loads((folder / NETLIST).read_text())["modules"]
            [top] = [module for module in modules.values() if int(module["attributes"].get("top", "0"), 2)]
            ports = [Port(name, port["direction"], len(port["bits"])) for name, port in top["ports"].items()]
    return replace(design, ports=tuple(ports))


Recorded = Callable[[str, str], Timing | None]


def unrecorded(_name: str, _placed: str) -> None:
    """Nothing is recorded of any netlist."""


class Router:
    """A design on a target, placed and routed with several seeds from one netlist.

    Args:
        design: what to place and route.
        target: one with place and route.
        store: where the result of each seed is kept as soon as it is there.
        folder: an empty folder for the netlist, there for as long as seeds are run.
        timeout: seconds one run of a tool may take.
        machine: where the tools run.
        recorded: what a record tells of a design that was placed and routed from this netlist, by its
            name and :meth:`placed`.

    Raises:
        ValueError: the target has no place and route.
        ToolFailure: Yosys cannot elaborate a design whose ports nobody has said.
    """

    def __init__(
        self,
        design: Design,
        target: Chip,
        store: Store,
        folder: Path,
        timeout: float,
        machine: Machine = LOCAL,
        recorded: Recorded = unrecorded,
    ) -> None:
        _route_of(target)
        design = with_ports(design.tuned(target.family), timeout, machine)
        self._design, self._store, self._folder, self._timeout = design, store, folder, timeout
        self._target, self._machine, self._recorded = target, machine, recorded
        self._lock = threading.Lock()

    def _key(self, seed: int) -> str:
        return _key(self._design, self._target, seed)

    def known(self, seed: int) -> dict[str, Any] | None:
        """The result of a seed, if the store has it."""
        return self._store.get(self._key(seed))

    def netlist(self) -> Path:
        """The netlist, made by Yosys at the first call; a second caller waits for it.

        Raises:
            ToolFailure: Yosys failed or took too long.
        """
        with self._lock:
            made = self._folder / NETLIST
            if not made.exists():
                (self._folder / f"{WRAPPER}.sv").write_text(wrapper(self._design))
                name = f"{file_name(self._design)}-{self._target.slug}-{self._design.digest[:12]}-netlist"
                commands = netlist_flow(self._design, self._target)
                sources, log = (*self._design.sources, *self._target.files), log_file(name)
                run_yosys(commands, sources, self._folder, log, self._timeout, self._machine)
                with reading(log):
                    made.stat()
            return made

    def run(self, seed: int) -> dict[str, Any]:
        """The result of a seed, from the store or by place and route.

        Raises:
            ToolFailure: a tool failed or took too long.
        """
        result = self.known(seed)
        if result is None:
            key, placed = self._key(seed), self.placed()
            same = f"{placed} {seed}"
            result = self._store.get(same) or self._told(seed, placed) or self._place(seed, key)
            result["placed"] = placed
            self._store.put(same, result)
            self._store.put(key, result)
        return result

    def _told(self, seed: int, placed: str) -> dict[str, Any] | None:
        """The result of a seed of the same netlist in a record, maybe of earlier sources."""
        found = self._recorded(self._design.name, placed)
        if found is None or seed not in found.fmax_mhz:
            return None
        seconds = found.seconds / len(found.fmax_mhz)
        return {"fmax_mhz": found.fmax_mhz[seed], "utilisation": {}, "seconds": seconds, "log": ""}

    def _place(self, seed: int, key: str) -> dict[str, Any]:
        """Run a seed; the log is named by the key."""
        log = log_file(f"{file_name(self._design)}-{self._target.slug}-{key[:12]}-seed{seed}")
        with work_dir() as folder:
            for source in self._target.files:
                shutil.copyfile(source, folder / source.name)
            # YoWASP sees no other folder when they are in /tmp.
            (folder / NETLIST).hardlink_to(self.netlist())
            crowded, vast = self._design.crowded, self._design.vast
            arguments = _route_of(self._target).arguments(NETLIST, seed, crowded, vast)
            return _run(self._target, arguments, folder, log, self._timeout, self._machine)

    def placed(self) -> str:
        """Digest of the netlist, of the options and of the tool, which decide all but the seed.

        A change of sources that leaves it as it is costs no run.
        """
        return result_key(
            "netlist",
            inputs=(netlist_digest(self.netlist()), *digests(self._target)),
            target=self._target.name,
            options=_route_of(self._target).settings(self._design.crowded, self._design.vast),
            tools=tool_versions(_route_of(self._target).package),
        )[:DIGITS]


def netlist_digest(netlist: Path) -> str:
    """SHA-256, in hexadecimal, of a netlist of Yosys.

    Without what a change of sources changes that leaves the cells and wires as they are: the places and the
    parameters of the modules they come from, and the numbers in names that Yosys makes, which stay in order.
    """
    text = re.sub(r'"(\w*src|module)": "[^"]*"', "", netlist.read_text(encoding="utf-8"))
    numbers: dict[str, int] = {}
    text = re.sub(
        r"\$(techmap)?(\d+)\b",
        lambda match: f"${match[1] or ''}{numbers.setdefault(match[2], len(numbers))}",
        text,
    )
    return sha256(text.encode()).hexdigest()


def _key(design: Design, target: Chip, seed: int) -> str:
    """The key of the result of a seed of a design with known ports, as tuned for a target."""
    return result_key(
        "route",
        inputs=(design.digest, *digests(target)),
        target=target.name,
        options=(*route_flow(design, target), f"--seed {seed}"),
        tools=tool_versions("pyosys", _route_of(target).package),
    )


def known_timing(design: Design, target: Chip, seeds: Sequence[int], store: Store) -> Timing | None:
    """Clock frequencies of a design with known ports on a target, if the store has those of all seeds.

    Raises:
        MissingExtra: Yosys or nextpnr, on whose versions results depend, is not installed.
    """
    tuned = design.tuned(target.family)
    results = {seed: store.get(_key(tuned, target, seed)) for seed in seeds}
    found = {seed: result for seed, result in results.items() if result is not None}
    return timing(found) if found and len(found) == len(results) else None


def timing(results: Mapping[int, Mapping[str, Any]]) -> Timing:
    """What the results of one or more seeds say together."""
    first = next(iter(results.values()))
    return Timing(
        fmax_mhz={seed: result["fmax_mhz"] for seed, result in results.items()},
        utilisation={name: (used, available) for name, (used, available) in first["utilisation"].items()},
        seconds=sum(result["seconds"] for result in results.values()),
        logs={seed: Path(result["log"]) for seed, result in results.items() if result["log"]},
        placed=first.get("placed", ""),
    )


def place_and_route(
    design: Design,
    target: Chip,
    seeds: Sequence[int],
    store: Store,
    timeout: float = 3600,
    machine: Machine = LOCAL,
) -> Timing:
    """Clock frequencies of a design on a target, from the store or by running the tools.

    Args:
        seeds: at least one placement seed.
        timeout: seconds one run of a tool may take.
        machine: where the tools run.

    Raises:
        ValueError: no seeds, or a target without place and route.
        ToolFailure: a tool failed or took too long.
    """
    if not seeds:
        raise ValueError("place and route needs at least one seed")
    with work_dir() as folder:
        router = Router(design, target, store, folder, timeout, machine)
        return timing({seed: router.run(seed) for seed in seeds})


def _run(
    target: Chip,
    arguments: Sequence[str],
    folder: Path,
    log: Path,
    timeout: float,
    machine: Machine,
) -> dict[str, Any]:
    """Place and route one seed."""
    route = _route_of(target)
    try:
        seconds = machine.run(arguments, folder=folder, log=log, timeout=timeout)
    except ToolFailure as failure:
        part = target.part.name if target.part else target.title
        text = log.read_text(errors="replace") if log.exists() else ""
        raise ToolFailure(too_small(part, route.overfull(text)) or failure.reason, log) from failure
    with reading(log):
        try:
            found = route.result(folder)
        except ChipError as error:
            raise ToolFailure(str(error), log) from error
    return {
        "fmax_mhz": found.fmax_mhz,
        "utilisation": found.utilisation,
        "seconds": seconds,
        "log": str(log),
    }
