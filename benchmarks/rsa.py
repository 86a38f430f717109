# SPDX-License-Identifier: Apache-2.0
"""RSA's private operation on lanes of the engine, placed and routed, beside what is asked for and others.

``python benchmarks/rsa.py`` prints what is shipped, from its records, the shortest keys and times first, and
behind those of each length the cycles of others' cores (``tools/rsa_costs.py``).
``python benchmarks/rsa.py rrm --width 2048`` places and routes the system, and the core of a lane alone, of
half the length and with the same parameters, such as those of ``--set Word=32``. With ``--seeds 0`` both are
only synthesised. The time is that of the system at its own clock, for e = 65537, blinding and check included.

``python benchmarks/rsa.py --simulate`` runs an operation on the simulated hardware, and prints the CPU time.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from powers import of_rsa
from printed import print_rows

from modmul.cli.options import settings
from modmul.cli.progress import showing
from modmul.measure import CHIPS, SHIPPED, Job, Measurement, measure
from modmul.registry import quickest, room
from modmul.study.shipping import SYSTEMS, inner
from modmul.tools.run import ToolFailure, end_tools_on_signals
from modmul.tools.store import Store

sys.path.append(str(Path(__file__).parents[1] / "tools"))
from rsa_costs import private, with_others

ECP5 = CHIPS["ecp5"]


def main(
    cores: Annotated[list[str] | None, typer.Argument(help="Cores; none for what is shipped.")] = None,
    system: Annotated[str, typer.Option(help="A system for keys with their primes.")] = "rsa_crt",
    width: Annotated[int, typer.Option(help="Bits of N.")] = 2048,
    set_: Annotated[list[str] | None, typer.Option("--set", "-D", metavar="NAME=VALUE")] = None,
    seeds: Annotated[int, typer.Option(help="Placement seeds; 0 synthesises only.")] = 3,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Runs of the tools at a time.")] = 2,
    simulate: Annotated[
        bool,
        typer.Option("--simulate", help="Run an operation on the simulated hardware, of the fastest core."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Print a row for each core."""
    if simulate:
        with showing() as listener:
            of_rsa(cores or [quickest("rsa_crt")], width, listener, settings(set_))
        return
    chosen = [(core, width, settings(set_)) for core in cores or ()] or [
        (core, bits, dict(values)) for name, core, bits, values in SYSTEMS if name == system
    ]
    rows = []
    for core, bits, values in chosen:
        whole = room(f"{system}:{core}").build(bits, values)
        alone = inner(whole)
        placing = tuple(range(1, seeds + 1))
        known = {each for each in (whole, alone) if cores or SHIPPED.find(each.design, ECP5, placing)}
        pair = [Job(each.design, ECP5, placing if each in known else ()) for each in (whole, alone)]
        pair = pair if alone in known else pair[:1]
        made: list[Measurement] = []
        with showing() as listener:
            for _, outcome in measure(pair, workers=jobs, store=Store(), listener=listener, shelf=SHIPPED):
                if isinstance(outcome, ToolFailure) or outcome.failure:
                    failure = outcome if isinstance(outcome, ToolFailure) else outcome.failure
                    raise typer.BadParameter(f"{core}: {failure}")
                made.append(outcome)
        rows.append(private(whole, values, *made))
    print_rows(with_others(rows), as_json=as_json)


if __name__ == "__main__":
    end_tools_on_signals()
    typer.run(main)
