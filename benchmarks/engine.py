# SPDX-License-Identifier: Apache-2.0
"""What the engine adds to a core: LUTs, clock frequency and cycles of a power, beside the core alone.

``python benchmarks/engine.py rrm montgomery_csa2`` places and routes both at 256 bits; with ``--seeds 0`` it
only synthesises them. Cycles are those at 256 and 1,024 bits; "more" is what they are above those of the
power's multiplications one after the other, each loaded and unloaded.
"""

from __future__ import annotations

import json
from statistics import median
from typing import Annotated, Any

import typer

from modmul.cli.printing import out, print_table
from modmul.cli.progress import showing
from modmul.measure import CHIPS, SHIPPED, Job, Measurement, measure
from modmul.registry import room
from modmul.systems.engine import EngineConfig, bare
from modmul.tools.run import ToolFailure, end_tools_on_signals
from modmul.tools.store import Store

ECP5 = CHIPS["ecp5"]


def overhead(system: str, core: str, width: int) -> tuple[int, float]:
    """Cycles of a power, and what they are above those of its multiplications, in per cent."""
    build = room(f"{system}:{core}").build(width)
    config, made = build.config, build.latency
    assert isinstance(config, EngineConfig)
    return made, 100 * (made / bare(config) - 1)


def main(
    cores: Annotated[list[str], typer.Argument(help="Cores.")],
    system: Annotated[str, typer.Option(help="A system on the engine.")] = "modexp",
    width: Annotated[int, typer.Option(help="Bits of the builds that are placed and routed.")] = 256,
    seeds: Annotated[int, typer.Option(help="Placement seeds; 0 synthesises only.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Print a row for each core."""
    jobs: dict[str, Job] = {}
    for core in cores:
        for name in (core, f"{system}:{core}"):
            jobs[name] = Job(room(name).build(width).design, ECP5, tuple(range(1, seeds + 1)))
    with showing() as listener:
        outcomes = measure(jobs.values(), workers=1, store=Store(), listener=listener, shelf=SHIPPED)
    made: dict[str, Measurement] = {}
    for name, (_, outcome) in zip(jobs, outcomes, strict=True):
        failure = outcome if isinstance(outcome, ToolFailure) else outcome.failure
        if failure or isinstance(outcome, ToolFailure):
            raise typer.BadParameter(f"{name}: {failure}")
        made[name] = outcome
    rows: list[dict[str, Any]] = []
    for core in cores:
        alone, engine = made[core], made[f"{system}:{core}"]
        clocks = [median(each.timing.fmax_mhz.values()) if each.timing else None for each in (alone, engine)]
        row: dict[str, Any] = {
            "core": core,
            "core_luts": alone.area.luts,
            "more_luts": engine.area.luts - alone.area.luts,
            "core_mhz": clocks[0],
            "mhz": clocks[1],
            "ratio": clocks[1] / clocks[0] if clocks[0] and clocks[1] else None,
        }
        for bits in (256, 1024):
            row[f"cycles_{bits}"], row[f"more_percent_{bits}"] = overhead(system, core, bits)
        rows.append(row)
    if as_json:
        out.print_json(json.dumps(rows))
        return
    shown = [[_text(value) for value in row.values()] for row in rows]
    print_table([name.replace("_", " ") for name in rows[0]], shown, numbers=True)


def _text(value: object) -> str:
    return (
        f"{value:,.2f}"
        if isinstance(value, float)
        else f"{value:,}"
        if isinstance(value, int)
        else str(value or "")
    )


if __name__ == "__main__":
    end_tools_on_signals()
    typer.run(main)
