# SPDX-License-Identifier: Apache-2.0
"""Run a program for the engine on simulated hardware, and show its schedule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from modmul.cli.completing import core_names, program_names
from modmul.cli.options import (
    JsonOption,
    ModulusOption,
    RoomsOption,
    WidthOption,
    lists,
    settings,
)
from modmul.cli.printing import out, print_json, print_table, say
from modmul.cli.progress import showing
from modmul.tools.extras import need

if TYPE_CHECKING:
    from modmul.use.program import Running

__all__ = ["run"]


def run(
    program: Annotated[
        str,
        typer.Argument(
            metavar="PROGRAM",
            help="A file, or a program that comes with modmul: inverse, modexp, ….",
            autocompletion=program_names,
        ),
    ],
    modulus_: ModulusOption,
    core: Annotated[
        str,
        typer.Option(
            metavar="CORE",
            help="What the engine multiplies with; 'modmul list' names them.",
            autocompletion=core_names,
        ),
    ],
    values: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=NUMBER",
            help="Operands and numbers of the program: decimal, 0x…, M for the modulus, or M-2 and the like. "
            "With --set Batch=3, an operand of each: x=5,7,9.",
        ),
    ] = None,
    width: WidthOption = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", "-D", metavar="NAME=VALUE", help="A parameter of core or engine: Word=64, EngineWord=16."
        ),
    ] = None,
    length: Annotated[
        int | None,
        typer.Option(
            min=1, help="Bits of the exponent for the hardware, on which the time depends. Default: its own."
        ),
    ] = None,
    entry: Annotated[bool, typer.Option("--entry", help="Begin at the program's .entry.")] = False,
    rows: Annotated[
        bool, typer.Option("--rows", help="Print the rows with their cycles, and the registers, too.")
    ] = False,
    count: Annotated[
        int, typer.Option("--verify", metavar="N", min=0, help="Also try N pairs of random operands.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Of the random operands.")] = 1,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """A program for the engine on the simulated hardware, checked against its model."""
    need("simulation")
    from modmul.moduli import modulus
    from modmul.use.program import prepare, read
    from modmul.use.program import run as run_on

    chosen = modulus(modulus_)
    name, text = read(program)
    running = prepare(
        name,
        text,
        core,
        chosen.value,
        lists(values or (), chosen.value),
        width=width,
        settings=settings(set_),
        length=length,
        entry=entry,
    )
    for note in running.notes:
        say(f"warning: {note}")
    with showing("nothing is kept") as listener:
        ran = run_on(running, count=count, seed=seed, listener=listener)
    schedule = running.schedule
    if as_json:
        shown = {
            "program": name,
            "core": core,
            "config": running.build.config.options(),
            "modulus": hex(chosen.value),
        }
        print_json(shown | ran.to_json() | {"warnings": [*running.notes], "schedule": schedule.to_json()})
        return
    for value in ran.values:
        out.print(hex(value), soft_wrap=True)
    out.print(ran.effort)
    if ran.time:
        out.print(ran.time)
    if rows:
        _print_schedule(running)
    if not ran.scheduled:
        say(
            f"note: the schedule says {schedule.cycles:,} cycles, the hardware takes {ran.latency:,}: "
            f"how long {core} holds up operands while it works on several operations is not in the model"
        )


def _print_schedule(running: Running) -> None:
    """Rows, registers, and how much of the time the core works."""
    schedule = running.schedule
    lines = []
    for row in schedule.rows:
        begins = "never" if row.begins is None else f"{row.begins:,}"
        last = f"{row.last:,}" if row.times > 1 else ""
        lines.append((f"{row.row}", f"{row.line}", begins, last, f"{row.times:,}", row.text))
    out.print("\nCycle 0 takes the last word of the operands.\n")
    print_table(("row", "line", "begins", "last", "times", ""), lines)
    if any(part.title for part in schedule.parts):
        shares = [
            (part.title, f"{part.rows:,}", f"{part.cycles:,}", f"{100 * part.cycles / schedule.cycles:.1f}")
            for part in schedule.parts
        ]
        out.print()
        print_table(("part", "rows", "cycles", "%"), shares)
    kept = []
    for register in schedule.registers:
        places = " ".join(map(str, register.places))
        written = _lines(register.written) or register.source
        if register.written and register.source != "row":
            written = f"{register.source}, {written}"
        live = "" if register.live is None else "{:,} … {:,}".format(*register.live)
        kept.append((register.name, places, written, _lines(register.read) or "never", live))
    out.print()
    print_table(("register", "place", "written", "read", "live, cycles"), kept)
    out.print(f"\n{len(kept)} registers in {schedule.places} places of the register file")
    counts = ((schedule.products, "product"), (schedule.squares, "square"))
    done = " and ".join(f"{number:,} {what}{'s' if number != 1 else ''}" for number, what in counts)
    out.print(f"{schedule.cycles:,} cycles to the first word of the result; {done}")
    if schedule.written != schedule.cycles:
        out.print(f"as they are written, these rows take {schedule.written:,} cycles")
    if schedule.bare:
        than = f"{abs(schedule.more):.2f} % {'more' if schedule.more >= 0 else 'fewer'}"
        out.print(
            f"one after the other on the core alone these take {schedule.bare:,}; the program takes {than}"
        )
    over = 100 * (schedule.cycles / schedule.bound - 1)
    out.print(
        f"no order of the rows takes less than {schedule.bound:,} cycles; the program takes {over:.2f} % more"
    )


def _lines(numbers: Sequence[int]) -> str:
    return f"line {', '.join(map(str, numbers))}" if numbers else ""
