# SPDX-License-Identifier: Apache-2.0
"""Point multiplications on the engine beside others': cycles, area and time.

``python benchmarks/ecc.py`` prints a row for each build of ``tools/curve_costs.py``, and with a curve and a
core, ``python benchmarks/ecc.py p384 rrm``, one row; with ``--both`` that of u G + v P, with ``--batches``
that of several scalars at a time, ``python benchmarks/ecc.py x25519 rrm --set Batch=4 --batches``; with
``--eddsa`` rows of signatures and verifications by Ed25519. Cycles are those of the schedule, from the last
word of the operands to the first of the result, inversion and checks included; coordinates are blinded. Area,
clock and time are those of a build that was placed and routed on ecp5, here or by whoever ships it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from printed import print_rows

from modmul.cli.options import settings
from modmul.cli.printing import say
from modmul.moduli import curve, two_points

sys.path.append(str(Path(__file__).parents[1] / "tools"))
from curve_costs import BATCHES, CURVE_BUILDS, EDDSA_BUILDS, batch, eddsa, multiple
from curve_costs import both as of_both


def main(
    name: Annotated[str | None, typer.Argument(help="A curve: 'modmul ecc curves'.")] = None,
    core: Annotated[str, typer.Argument(help="A core.")] = "rrm",
    set_: Annotated[list[str] | None, typer.Option("--set", "-D", metavar="NAME=VALUE")] = None,
    both: Annotated[bool, typer.Option("--both", help="u G + v P in place of k P.")] = False,
    batches: Annotated[
        bool, typer.Option("--batches", help="Several scalars at a time: --set Batch=4, or those compared.")
    ] = False,
    signatures: Annotated[
        bool, typer.Option("--eddsa", help="Signatures and verifications, of Ed25519 and Ed448.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Print a row for each curve and core."""
    if both + batches + signatures > 1:
        raise typer.BadParameter("take one of --both, --batches and --eddsa")
    figures: Callable[..., dict[str, Any]] = multiple
    compared = CURVE_BUILDS
    if batches:
        figures, compared = batch, BATCHES
    elif both:
        figures = of_both
        compared = tuple(each for each in CURVE_BUILDS if curve(each[0]).form in two_points.FORMS)
    elif signatures:
        figures, compared = eddsa, EDDSA_BUILDS
    rows = []
    for each in [(name, core, settings(set_))] if name else compared:
        say(" ".join(map(str, each[:2])))
        try:
            rows.append(figures(*each))
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error
    print_rows(rows, as_json=as_json)


if __name__ == "__main__":
    typer.run(main)
