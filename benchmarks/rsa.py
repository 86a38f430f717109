# SPDX-License-Identifier: Apache-2.0
"""RSA's private operation on lanes of the engine, placed and routed: area, clock, time.

``python benchmarks/rsa.py`` prints what is shipped, from its records, the shortest keys and times first.
``python benchmarks/rsa.py rrm --width 2048`` places and routes the system, and the core of a lane alone, of
half the length and with the same parameters, such as those of ``--set Word=32``. With ``--seeds 0`` both are
only synthesised. The time is that of the system at its own clock, for e = 65537, blinding and check included.
"""

from __future__ import annotations

import json
from statistics import median
from typing import Annotated, Any

import typer

from modmul.cli.options import settings
from modmul.cli.printing import out, print_table
from modmul.cli.progress import showing
from modmul.measure import CHIPS, SHIPPED, Job, measure
from modmul.registry import room
from modmul.study.shipping import SYSTEMS, inner
from modmul.tools.run import ToolFailure, end_tools_on_signals
from modmul.tools.store import Store

ECP5 = CHIPS["ecp5"]


def main(
    cores: Annotated[list[str] | None, typer.Argument(help="Cores; none for what is shipped.")] = None,
    system: Annotated[str, typer.Option(help="A system for keys with their primes.")] = "rsa_crt",
    width: Annotated[int, typer.Option(help="Bits of N.")] = 2048,
    set_: Annotated[list[str] | None, typer.Option("--set", "-D", metavar="NAME=VALUE")] = None,
    seeds: Annotated[int, typer.Option(help="Placement seeds; 0 synthesises only.")] = 3,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Runs of the tools at a time.")] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Print a row for each core."""
    chosen = [(core, width, settings(set_)) for core in cores or ()] or [
        (core, bits, dict(values)) for name, core, bits, values in SYSTEMS if name == system
    ]
    rows: list[dict[str, Any]] = []
    for core, bits, values in chosen:
        whole = room(f"{system}:{core}").build(bits, values)
        alone = inner(whole)
        placing = tuple(range(1, seeds + 1))
        known = {each for each in (whole, alone) if cores or SHIPPED.find(each.design, ECP5, placing)}
        pair = [Job(each.design, ECP5, placing if each in known else ()) for each in (whole, alone)]
        pair = pair if alone in known else pair[:1]
        made = []
        with showing() as listener:
            for _, outcome in measure(pair, workers=jobs, store=Store(), listener=listener, shelf=SHIPPED):
                if isinstance(outcome, ToolFailure) or outcome.failure:
                    failure = outcome if isinstance(outcome, ToolFailure) else outcome.failure
                    raise typer.BadParameter(f"{core}: {failure}")
                made.append(outcome)
        clocks = [median(each.timing.fmax_mhz.values()) if each.timing else None for each in made] + [None]
        milliseconds = whole.latency / clocks[0] / 1000 if clocks[0] else None
        rows.append(
            {
                "core": core,
                "bits": bits,
                "parameters": " ".join(f"{name}={value}" for name, value in values.items()),
                "LUTs": made[0].area.luts,
                "FFs": made[0].area.ffs,
                "blocks": made[0].area.dsp,
                "RAM18": made[0].area.bram,
                "cycles": whole.latency,
                "MHz": clocks[0],
                "MHz of the core": clocks[1],
                "ratio": clocks[0] / clocks[1] if clocks[0] and clocks[1] else None,
                "ms": milliseconds,
                "operations/s": 1000 / milliseconds if milliseconds else None,
                "operations/s/kLUT": 1e6 / milliseconds / made[0].area.luts if milliseconds else None,
            }
        )
    rows.sort(key=lambda row: (row["bits"], row["ms"] or 0.0))
    if as_json:
        out.print_json(json.dumps(rows))
        return
    shown = [[_text(value) for value in row.values()] for row in rows]
    print_table(list(rows[0]), shown, numbers=True)


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value or "")


if __name__ == "__main__":
    end_tools_on_signals()
    typer.run(main)
