# SPDX-License-Identifier: Apache-2.0
"""This machine: what it lacks, and a tour of what it can do."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from modmul.cli.options import JsonOption
from modmul.cli.printing import out, print_comparison, print_json, print_table
from modmul.cli.progress import showing
from modmul.tools.extras import need
from modmul.tools.paths import check_writable

__all__ = ["demo", "doctor"]

DEMO_PAGE = Path("modmul-demo.html")


def doctor(as_json: JsonOption = False) -> None:
    """What this machine has and lacks, and the command that mends it."""
    from modmul.tools.doctor import checks, healthy

    found = checks()
    if as_json:
        print_json([vars(check) for check in found])
    else:
        rows = []
        for check in found:
            state = "ok" if check.ok else "MISSING" if check.required else "missing"
            mend = "" if check.ok else check.mend
            rows.append((state, check.name, check.found or "", check.needed_for, mend))
        print_table(("", "what", "found", "needed for", "mend"), rows)
    if not healthy(found):
        raise typer.Exit(1)


def demo(
    page: Annotated[Path, typer.Option("--page", "-o", help="Where to write the page.")] = DEMO_PAGE,
    as_json: JsonOption = False,
) -> None:
    """A tour: every core for the NIST P-256 prime, one of them measured anew, then real products."""
    need("simulation", "synthesis")
    from modmul.report.demo import anew, tour, uses
    from modmul.report.page import render
    from modmul.study.compare import compare

    check_writable("page", page)
    started = time.monotonic()
    with showing() as listener:
        comparison = compare(tour(), listener)
        page.write_text(render(comparison), encoding="utf-8")
        if not as_json:
            print_comparison(comparison, page)
            out.print(f"{time.monotonic() - started:.0f} s\n\nOne of them verified and measured anew:")
    with showing() as listener:
        again = anew(listener)
    if not as_json:
        out.print(f"  {again or 'no shipped measurement is up to date'}\n", markup=False)
        out.print("Real use, on the simulated hardware:")
    with showing() as listener:
        products = uses(listener)
    seconds = round(time.monotonic() - started)
    if as_json:
        told = {
            "page": str(page),
            "anew": again.to_json() if again else None,
            "products": [use.to_json() for use in products],
            "seconds": seconds,
        }
        print_json(comparison.to_json() | told)
    else:
        for use in products:
            out.print(f"  {use}", markup=False)
        out.print(f"\n{seconds} s")
    if comparison.failed or (again and not again.agrees):
        raise typer.Exit(1)
