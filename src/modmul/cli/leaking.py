# SPDX-License-Identifier: Apache-2.0
"""Leakage: what the simulated power of a core or system tells of its secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from modmul.cli.options import (
    CoreArgument,
    JobsOption,
    JsonOption,
    RoomsOption,
    SetOption,
    WidthOption,
    settings,
)
from modmul.cli.printing import out, print_json, print_table, say
from modmul.cli.progress import showing
from modmul.tools.extras import need

if TYPE_CHECKING:
    from modmul.study.leakage import Leakage

__all__ = ["leakage"]

WIDTH = 16
"""Bits unless told otherwise: short operations, many traces."""


def leakage(
    core: CoreArgument,
    width: WidthOption = None,
    traces: Annotated[int, typer.Option(min=4, help="Of both sets together.")] = 2000,
    fixed: Annotated[
        str,
        typer.Option(
            metavar="exponent|operand",
            help="What is the same in all traces of one set: the exponent or scalar, or the first operand, a "
            "message or a point. Default: the exponent where there is one.",
        ),
    ] = "",
    blind: Annotated[
        int | None,
        typer.Option(
            min=0, help="Bits that blind the exponent. Default: those of the build; modexp, ladder: 0."
        ),
    ] = None,
    cycles: Annotated[
        int | None, typer.Option(min=1, help="Only the first clock cycles of an operation. Default: all.")
    ] = None,
    order: Annotated[
        int, typer.Option(min=1, max=2, help="2: variances are compared, too, not only means.")
    ] = 1,
    modulus_: Annotated[
        str | None, typer.Option("--modulus", "-m", help="The modulus or key. Default: a random one.")
    ] = None,
    only: Annotated[
        str, typer.Option(metavar="TEXT", help="Count only registers whose paths hold this: u_feed.")
    ] = "",
    seed: Annotated[int, typer.Option(help="Of everything random.")] = 1,
    set_: SetOption = None,
    jobs: JobsOption = 2,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Test whether simulated power, bits of registers that change, tells a secret: fixed against random."""
    need("simulation")
    from modmul.moduli import modulus
    from modmul.registry import operand_width
    from modmul.study.leakage import Run
    from modmul.study.sources import source

    chosen = modulus(modulus_).value if modulus_ else None
    bits = operand_width(WIDTH if width is None and chosen is None else width, chosen, "simulated")
    found = source(
        core, width=bits, fixed=fixed, blind=blind, settings=settings(set_), modulus=chosen, seed=seed
    )
    stopped, run = False, None
    try:
        with showing("what was traced counts") as listener:
            run = Run(found, seed=seed, order=order, edges=cycles, only=only, listener=listener)
            run.go(traces, jobs=jobs)
            told = run.told()
    except KeyboardInterrupt:
        if run is None or not run.sums.total:
            raise
        stopped = True
        told = run.told(registers=False)
    if as_json:
        print_json(told.to_json())
    else:
        _print(told)
    if stopped:
        raise KeyboardInterrupt
    if told.leaks:
        raise typer.Exit(1)


def _print(told: Leakage) -> None:
    from modmul.verify.leakage import THRESHOLD

    blinded = f", blinded with {told.blind} bits" if told.blind else ""
    out.print(f"{told.core} ({told.config})", soft_wrap=True)
    of = "" if told.edges == told.whole else f" of {told.whole:,}"
    out.print(
        f"{told.fixed}{blinded}, fixed against random: {told.traces:,} traces of {told.edges:,}{of} clock "
        f"cycles, {told.registers:,} bits of registers, seed {told.seed}",
        soft_wrap=True,
    )
    rows = []
    for each in told.tests:
        share = f"{each.above:,} ({100 * each.above / told.edges:.1f} %)"
        where = f"{each.first:,} … {each.last:,}" if each.above else "–"
        rows.append((str(each.order), share, where, f"{each.largest:,.1f}", f"{each.edge:,}"))
    titles = (
        "order",
        f"cycles with |t| > {THRESHOLD} in both halves",
        "from … to",
        "largest |t|",
        "in cycle",
    )
    print_table(titles, rows, numbers=True)
    if told.told:
        out.print(f"\nRegisters that leak at some of {told.looked} of these cycles, each where it does most:")
        lines = [(each.path, f"{each.edge:,}", f"{each.t:,.1f}") for each in told.told]
        print_table(("register", "cycle", "t"), lines)
        top = list(told.instances.items())[:6]
        out.print("and by instance, at how many: " + ", ".join(f"{name} {count}" for name, count in top))
    if told.exposed:
        out.print(
            f"bits of the second operand, as it goes in, that tell: {ranges(told.exposed)} of {told.given}",
            soft_wrap=True,
        )
    out.print(
        f"signal to noise of the secret's bits: {told.snr:.2g} at most, bit {told.snr_bit} in cycle "
        f"{told.snr_edge:,}; {told.snr_bits} of {told.bits} bits beyond chance",
        soft_wrap=True,
    )
    if not told.leaks:
        say("no leak was found; more traces, or registers alone (--only), may show one")


def ranges(bits: Sequence[int]) -> str:
    """Numbers in words: ``"0, 5 … 9"``."""
    found: list[list[int]] = []
    for bit in bits:
        if found and bit == found[-1][1] + 1:
            found[-1][1] = bit
        else:
            found.append([bit, bit])
    return ", ".join(str(low) if low == high else f"{low} … {high}" for low, high in found)
