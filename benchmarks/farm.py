# SPDX-License-Identifier: Apache-2.0
"""Products a second of whole devices, beside those of OpenSSL and GMP on one core of this machine.

``python benchmarks/farm.py`` prints a row for each farm of :data:`FARMS`, from what is shipped or was placed
and routed here before, and a row for each way of the two libraries, measured now: the best of five runs of a
loop in ``farm.cpp``, by CPU time. ``python benchmarks/farm.py rrm_split --set Cores=8`` prints one farm;
with ``--place`` it is placed and routed if it is missing: a whole device takes most of an hour a seed.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from modmul.cli.options import settings
from modmul.cli.printing import out, print_table, say
from modmul.cli.progress import showing
from modmul.measure import CHIPS, SHIPPED, Job, Measurement, known, measure
from modmul.moduli import NAMED
from modmul.moduli.named import title_of
from modmul.registry import on
from modmul.room import Build
from modmul.study.shipping import FARMS as SHIPPED_FARMS
from modmul.tools.run import ToolFailure, end_tools_on_signals
from modmul.tools.store import Store

ECP5 = CHIPS["ecp5"]

BITS = (256, 1024)
"""Of the operands of the libraries, where there is no farm."""

FARMS = tuple((core, width, "", settings) for core, width, settings in SHIPPED_FARMS)
"""Core, bits, name of the only modulus, and parameters of the farms that are shipped."""

SOURCE = Path(__file__).with_suffix(".cpp")

LIBRARIES = {"OpenSSL": ("openssl/bn.h", "-DOPENSSL", "-lcrypto"), "GMP": ("gmp.h", "-DGMP", "-lgmp")}
"""Their headers, and what the compiler is told."""


def built(core: str, width: int, name: str, parameters: Mapping[str, int]) -> Build:
    """The farm."""
    return on("farm", core).build(width, parameters, NAMED[name].value if name else None)


def measured(job: Job, store: Store, *, place: bool) -> Measurement | None:
    """What is known of it; where it may be placed, all of it."""
    if not place:
        return known(job, store, SHIPPED)
    with showing() as listener:
        for _, outcome in measure([job], workers=1, store=store, listener=listener, shelf=SHIPPED):
            if isinstance(outcome, ToolFailure):
                say(f"{job.design.name}: {outcome}")
                return None
            return outcome
    return None


def ours(build: Build, found: Measurement | None) -> dict[str, Any]:
    """A row of a farm."""
    clock = median(found.timing.fmax_mhz.values()) if found and found.timing else None
    rate = clock / build.interval * 1e6 if clock else None
    luts = found.area.luts if found else None
    modulus = build.core.function.only_modulus(build.config)
    name = "" if modulus is None else title_of(modulus) or f"{modulus:#x}"
    assert ECP5.part
    return {
        "what": f"{build.slug} {name}".strip() + f", Cores={build.config.options()['Cores']}",
        "bits": build.config.width,
        "LUTs": luts,
        "LUTs, %": 100 * luts / ECP5.part.luts if luts else None,
        "FFs": found.area.ffs if found else None,
        "blocks": found.area.dsp if found else None,
        "MHz": clock,
        "cycles": build.interval,
        "products/s": rate,
        "a LUT": rate / luts if rate and luts else None,
    }


def theirs(widths: list[int]) -> Iterator[dict[str, Any]]:
    """Rows of the libraries."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "farm"
        flags = []
        for library, (header, *of_it) in LIBRARIES.items():
            text = f"#include <{header}>\nint main() {{ return 0; }}\n"
            command = ["g++", "-x", "c++", "-", "-o", str(program), of_it[1]]
            tried = subprocess.run(
                command, check=False, input=text, text=True, capture_output=True, timeout=60
            )
            if tried.returncode:
                say(f"{library} is not measured: its headers or its library are missing")
            else:
                flags += of_it
        command = ["g++", "-O2", "-march=native", str(SOURCE), "-o", str(program), *flags]
        subprocess.run(command, check=True, timeout=120)
        said = subprocess.run(
            [program, *map(str, widths)], check=True, capture_output=True, text=True, timeout=600
        )
    version = ""
    for line in said.stdout.splitlines():
        if line.startswith("# "):
            version = line.removeprefix("# ")
            continue
        what, bits, rate = line.split("\t")
        yield {"what": f"{what} ({version})", "bits": int(bits), "products/s": float(rate)}


def main(
    core: Annotated[str | None, typer.Argument(help="A core; by default all farms of the list.")] = None,
    width: Annotated[int, typer.Option(help="Bits of the operands.")] = 256,
    modulus: Annotated[str, typer.Option(help="Name of the only modulus.")] = "",
    set_: Annotated[list[str] | None, typer.Option("--set", "-D", metavar="NAME=VALUE")] = None,
    place: Annotated[bool, typer.Option("--place", help="Place and route what is not known.")] = False,
    seeds: Annotated[int, typer.Option(help="Placement seeds; 0 synthesises only.")] = 1,
    software: Annotated[bool, typer.Option(help="Measure OpenSSL and GMP.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Print a row for each farm, and for each library."""
    rows = []
    for each in [(core, width, modulus, settings(set_))] if core else FARMS:
        build = built(*each)
        job = Job(build.design, ECP5, tuple(range(1, seeds + 1)))
        rows.append(ours(build, measured(job, Store(), place=place)))
    if not rows:
        say("no farm is shipped: name a core, and --set Cores=N")
    if software:
        rows += theirs(sorted({row["bits"] for row in rows} or BITS))
    if as_json:
        out.print_json(json.dumps(rows))
        return
    columns = list(dict.fromkeys(column for row in rows for column in row))
    print_table(columns, [[_text(row.get(column)) for column in columns] for row in rows], numbers=True)


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 1000 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value or "")


if __name__ == "__main__":
    end_tools_on_signals()
    typer.run(main)
