# SPDX-License-Identifier: Apache-2.0
"""Point multiplications on the engine beside others': cycles, area and time.

``python benchmarks/ecc.py`` prints a row for each of some builds, ``python benchmarks/ecc.py p384 rrm``
one row, with ``--both`` that of u G + v P. Cycles are those of the schedule, from the last word of the
operands to the first of the result, inversion and checks included; coordinates are blinded. Area, clock and
time are those of a build that was placed and routed on ecp5, here or by whoever ships it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from modmul.chips import CHIPS
from modmul.cli.options import settings
from modmul.cli.printing import out, print_table, say
from modmul.measure import SHIPPED, SHIPPED_SEEDS, Job, known
from modmul.measure.weights import Weights
from modmul.moduli import curve
from modmul.moduli.curves import WEIERSTRASS
from modmul.moduli.multiples import scalar_bits
from modmul.registry import Build, curve_on
from modmul.study.measuring import row
from modmul.study.shipping import CURVE_BUILDS
from modmul.tools.store import Store
from modmul.use.ecc import Hardware

OTHERS = {
    ("p256", False): ("OTBN 670,089; CrypTech 1,114,977", 420_000),
    ("p256", True): ("an open SM2 core, in variable time and without the inversion, 24,150", 80_000),
    ("p384", False): ("Caliptra, whole signature, 736,978", 1_100_000),
    ("p384", True): ("Caliptra, whole signature, 736,978", 400_000),
    ("x25519", True): ("x25519-fpga 59,860; curve25519-verilog 69,378", 59_000),
    ("ed25519", True): ("6,200 signatures a second on a Zynq-7020", None),
}
"""By the curve and whether there are multiplier blocks: others' figures, and what is asked for here."""

ASKED = {("p256", "pipelined"): 40_000}
"""By the curve and the core, where that is another number."""


def main(
    name: Annotated[str | None, typer.Argument(help="A curve: 'modmul ecc curves'.")] = None,
    core: Annotated[str, typer.Argument(help="A core.")] = "rrm",
    set_: Annotated[list[str] | None, typer.Option("--set", "-D", metavar="NAME=VALUE")] = None,
    both: Annotated[
        bool, typer.Option("--both", help="u G + v P in place of k P, on Weierstrass curves.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Print a row for each curve and core."""
    chosen = [(name, core, settings(set_))] if name else CURVE_BUILDS
    rows = []
    for each in chosen:
        if both and curve(each[0]).form != WEIERSTRASS:
            continue
        say(" ".join(map(str, each[:2])))
        rows.append((_both if both else _multiple)(*each))
    if as_json:
        out.print_json(json.dumps(rows))
        return
    print_table(list(rows[0]), [[_text(value) for value in row.values()] for row in rows], numbers=True)


def _multiple(name: str, slug: str, parameters: Mapping[str, int]) -> dict[str, Any]:
    """k P: the cycles of scalars as they are, and blinded, which the build is made for."""
    at = curve(name)
    described, room = curve_on(at, slug)
    build = room.build(at.bits, parameters, at.modulus)
    build = Build(room, build.config.at(at.modulus))
    plain = build.running(length=scalar_bits(at, 0))
    schedule = described.schedule(plain.config)
    others, asked = OTHERS.get((name, build.config.multiplier_blocks), ("", None))
    config: Any = build.config
    return {
        "curve": name,
        "core": _named(slug, parameters),
        "program": config.name,
        "cycles": schedule.cycles,
        "blinded": build.latency,
        "no order goes below": schedule.bound,
        "multiplications": schedule.products + schedule.squares,
        "asked": ASKED.get((name, slug), asked),
        **_measured(build),
        "others": others,
    }


def _measured(build: Build) -> dict[str, Any]:
    """Area, clock and time of a blinded operation, where they are known."""
    chip = CHIPS["ecp5"]
    found = known(Job(build.design, chip, SHIPPED_SEEDS), Store(), SHIPPED)
    figures = row(build, Weights.of(chip), None, 0, found)
    return {
        "LUTs": figures.luts,
        "LUTeq": figures.lut_equivalents,
        "MHz": figures.fmax_mhz,
        "ms": figures.time_us and figures.time_us / 1000,
        "a second": figures.operations_per_s,
    }


def _both(name: str, slug: str, parameters: Mapping[str, int]) -> dict[str, Any]:
    """U G + v P, of which nothing is blinded."""
    at = curve(name)
    running, _ = Hardware(slug, parameters).prepared_both(at, at.order - 1, at.order - 2, at.base)
    schedule = running.schedule
    return {
        "curve": name,
        "core": _named(slug, parameters),
        "program": running.name.removesuffix(".s"),
        "cycles": schedule.cycles,
        "no order goes below": schedule.bound,
        "multiplications": schedule.products + schedule.squares,
    }


def _named(slug: str, parameters: Mapping[str, int]) -> str:
    return " ".join([slug, *(f"{key}={value}" for key, value in parameters.items())])


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value or "")


if __name__ == "__main__":
    typer.run(main)
