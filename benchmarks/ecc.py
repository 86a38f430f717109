# SPDX-License-Identifier: Apache-2.0
"""Point multiplications on the engine beside others': cycles.

``python benchmarks/ecc.py`` prints a row for each of the builds below, ``python benchmarks/ecc.py p384 rrm``
one row, with ``--both`` that of u G + v P. Cycles are those of the schedule, from the last word of the
operands to the first of the result, inversion and checks included. Coordinates are blinded, scalars by as
many bits as ``--blind`` says; nothing is in u G + v P.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from modmul.cli.options import settings
from modmul.cli.printing import out, print_table
from modmul.moduli import curve
from modmul.moduli.curves import WEIERSTRASS
from modmul.use.ecc import Hardware

OTHERS = {
    ("p256", False): ("OTBN 670,089; CrypTech 1,114,977", 420_000),
    ("p256", True): ("an open SM2 core, in variable time and without the inversion, 24,150", 80_000),
    ("p384", False): ("Caliptra, whole signature, 736,978", 1_100_000),
    ("p384", True): ("Caliptra, whole signature, 736,978", 400_000),
    ("x25519", True): ("x25519-fpga 59,860; curve25519-verilog 69,378", 59_000),
}
"""By the curve and whether there are multiplier blocks: others' cycles, and what is asked for here."""

ROWS: tuple[tuple[str, str, dict[str, int]], ...] = (
    ("p256", "rrm", {}),
    ("p256", "rrm", {"Cores": 2}),
    ("p256", "rrm_split", {}),
    ("p256", "montgomery_dsp", {}),
    ("p384", "rrm", {"Cores": 2}),
    ("p384", "montgomery_dsp", {}),
    ("p521", "montgomery_dsp", {}),
    ("secp256k1", "montgomery_dsp", {}),
    ("sm2", "montgomery_dsp", {}),
    ("brainpool256", "rrm", {"Cores": 2}),
    ("x25519", "sparse_prime_dsp", {}),
    ("x448", "montgomery_dsp", {}),
    ("ed25519", "montgomery_dsp", {}),
    ("ed448", "montgomery_dsp", {}),
    ("b163", "fips", {}),
    ("b163", "gf2m_serial", {}),
    ("b233", "fips", {}),
    ("b233", "gf2m_serial", {}),
    ("sm2-binary", "fips", {}),
)
BLOCKS = ("montgomery_dsp", "montgomery_cascade", "sparse_prime_dsp", "pipelined")


def main(
    name: Annotated[str | None, typer.Argument(help="A curve: 'modmul ecc curves'.")] = None,
    core: Annotated[str, typer.Argument(help="A core.")] = "rrm",
    set_: Annotated[list[str] | None, typer.Option("--set", "-D", metavar="NAME=VALUE")] = None,
    both: Annotated[
        bool, typer.Option("--both", help="u G + v P in place of k P, on Weierstrass curves.")
    ] = False,
    blind: Annotated[int, typer.Option(help="Bits that blind a scalar.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Print a row for each curve and core."""
    chosen = [(name, core, settings(set_))] if name else ROWS
    rows: list[dict[str, Any]] = []
    for each, slug, parameters in chosen:
        at = curve(each)
        point = at.base if each not in ("x25519", "x448") else (at.base[0], 0)
        if both and at.form != WEIERSTRASS:
            continue
        hardware = Hardware(slug, parameters, blind)
        if both:
            running, _ = hardware.prepared_both(at, at.order - 1, at.order - 2, point)
        else:
            running, _ = hardware.prepared(at, 1 << at.bits - 1, point)
        schedule = running.schedule
        others, asked = OTHERS.get((each, slug in BLOCKS), ("", None))
        rows.append(
            {
                "curve": each,
                "core": " ".join([slug, *(f"{key}={value}" for key, value in parameters.items())]),
                "program": running.name.removesuffix(".s"),
                "cycles": schedule.cycles,
                "no order goes below": schedule.bound,
                "multiplications": schedule.products + schedule.squares,
                "asked": None if both else asked,
                "others, cycles": "" if both else others,
            }
        )
    if as_json:
        out.print_json(json.dumps(rows))
        return
    print_table(list(rows[0]), [[_text(value) for value in row.values()] for row in rows], numbers=True)


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value or "")


if __name__ == "__main__":
    typer.run(main)
