# SPDX-License-Identifier: Apache-2.0
"""Use a core: export it, or multiply on the simulated hardware."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from modmul.cli.completing import core_names, system_names
from modmul.cli.options import (
    CoreArgument,
    JsonOption,
    ModulusOption,
    RoomsOption,
    SetOption,
    WidthOption,
    integer,
    numbers,
    settings,
    system_modulus,
)
from modmul.cli.printing import out, print_json, say
from modmul.cli.progress import showing
from modmul.registry import ECC, operand_width, room
from modmul.tools.extras import need

__all__ = ["export", "modexp", "multiply", "new_room"]


def export(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A core; with --core a system, a program's file: mine.s, or a curve: ecc_p256.",
            autocompletion=core_names,
        ),
    ],
    values: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NUMBER=VALUE", help="Numbers of the context that a program asks for. Default: any."
        ),
    ] = None,
    core: Annotated[
        str,
        typer.Option(
            metavar="CORE",
            help="The core of a system or a program; SYSTEM:CORE is the same.",
            autocompletion=core_names,
        ),
    ] = "",
    width: WidthOption = None,
    modulus_: Annotated[
        str | None,
        typer.Option("--modulus", "-m", help="Of the bench's vectors. Default: 2^width - 1."),
    ] = None,
    folder: Annotated[Path | None, typer.Option("--output", "-o", help="The folder to write.")] = None,
    count: Annotated[
        int | None,
        typer.Option(
            min=1, help="Operations in the bench. Default: some hundred, fewer of those that take long."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is in the folder.")] = False,
    targets: Annotated[
        list[str] | None,
        typer.Option("--target", "-t", help="A chip to write scripts for; repeatable. Default: all of them."),
    ] = None,
    bus: Annotated[
        str,
        typer.Option(
            metavar="BUS", help="axi: the core behind AXI4-Lite and AXI4-Stream as well, with a driver."
        ),
    ] = "",
    bus_width: Annotated[
        int, typer.Option(metavar="BITS", help="Of a word of the streams: 32, 64 or 128.")
    ] = 32,
    core_clock: Annotated[
        bool, typer.Option("--core-clock", help="On a bus, give the core a clock of its own.")
    ] = False,
    own_name: Annotated[
        str,
        typer.Option(
            "--name",
            metavar="OWN",
            help="What all names of the folder begin with: a design takes several folders that are named.",
        ),
    ] = "",
    set_: SetOption = None,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """A folder to drop into a design: sources, self-checking bench, scripts that give the figures, README."""
    from modmul.bus.shell import Shell
    from modmul.chips import chip
    from modmul.export import export as write
    from modmul.export import simulator

    found = room(f"{name}:{core}" if core else name)
    chosen = system_modulus(found.core.slug, modulus_)
    value = chosen.value if chosen else None
    build = found.build(operand_width(width, value, "exported"), settings(set_), value)
    place = folder or Path(own_name or (name.partition(":")[0] if name.startswith(ECC) else found.core.top))
    if values:
        need("simulation")
        from modmul.use.program import giving

        build = giving(build, numbers(values, value))
    if bus not in ("", "axi"):
        raise ValueError(f"there is no bus {bus!r}; there is axi")
    if not bus and (bus_width != 32 or core_clock):
        raise ValueError("--bus-width and --core-clock go with --bus axi")
    shell = Shell(build, bus_width, 2 if core_clock else 1) if bus else None
    written = write(
        build,
        value,
        place,
        modulus_name=chosen.name if chosen else "",
        chips=[chip(target) for target in dict.fromkeys(targets)] if targets else None,
        count=count,
        force=force,
        shell=shell,
        name=own_name,
    )
    whole = chosen is not None and not build.core.function.serves(build.config, int(chosen.value))
    if chosen and chosen.secret and whole:  # N alone will not do
        header = f"{own_name}_modmul_context.h" if own_name else "modmul_context.h"
        more = f", axi/frame.hex and axi/driver/{header}" if shell else ""
        say(f"keep {place} secret: context.hex, context.json{more} hold the private key")
    if as_json:
        print_json({"folder": str(place), "files": [str(path) for path in written]})
        return
    out.print(f"{len(written)} files in {place}; its README.md says what they are", markup=False)
    out.print(f"try it: make -C {shlex.quote(str(place))} {simulator(build)}", markup=False)


def new_room(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the core, and of the folder.")],
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where the folder is made.")
    ] = Path(),
    as_json: JsonOption = False,
) -> None:
    """The folder of a new core that works, to be changed into your own."""
    from modmul.export.new_room import new_room as write

    written = write(name, folder)
    place = shlex.quote(str(folder / name))
    if as_json:
        print_json({"folder": str(folder / name), "files": [str(path) for path in written]})
        return
    for path in written:
        out.print(str(path), markup=False)
    out.print(f"is it right? modmul verify {name} --room {place} --width 16", markup=False)
    out.print(f"beside others: modmul compare --room {place} --modulus p256", markup=False)


def multiply(
    core: CoreArgument,
    x: str,
    y: str,
    modulus_: ModulusOption,
    width: WidthOption = None,
    set_: SetOption = None,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """x * y mod M on the simulated hardware, checked."""
    need("simulation")
    from modmul.moduli import modulus
    from modmul.use.multiply import multiply as run

    chosen = modulus(modulus_)
    build = room(core).build(operand_width(width, chosen.value, "simulated"), settings(set_), chosen.value)
    operands = integer("x", x), integer("y", y)
    with showing() as listener:
        product = run(build, chosen.value, *operands, listener=listener)
    if as_json:
        shown = {"core": core, "config": build.config.parameters(), "modulus": hex(chosen.value)}
        print_json(shown | product.to_json())
        return
    out.print(hex(product.value))
    out.print(product.effort)


def modexp(
    core: CoreArgument,
    x: str,
    exponent: str,
    modulus_: ModulusOption,
    width: WidthOption = None,
    length: Annotated[
        int | None,
        typer.Option(
            min=1, help="Bits of the exponent for the hardware, on which the time depends. Default: its own."
        ),
    ] = None,
    system: Annotated[
        str, typer.Option(help="How: a system of 'modmul list --systems'.", autocompletion=system_names)
    ] = "modexp",
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """x ^ exponent mod M on the simulated hardware, checked."""
    need("simulation")
    from modmul.moduli import modulus
    from modmul.use.power import build, operate

    chosen = modulus(modulus_)
    base, power = integer("x", x), integer("exponent", exponent)
    bits = max(length or power.bit_length(), 1)
    if not 0 <= power < 1 << bits:
        raise ValueError(f"an exponent is not negative and no longer than --length, got {exponent}")
    width = operand_width(width, chosen.value, "simulated")
    found = build(system, core, width, {"ExponentBits": bits} | settings(set_), chosen.value)
    with showing("nothing is kept") as listener:
        answer = operate(found.running(length=bits), chosen.value, base, power, listener=listener)
    if as_json:
        shown = {
            "core": core,
            "system": system,
            "config": found.config.options(),
            "modulus": hex(chosen.value),
        }
        print_json(shown | {"power": hex(answer.value)} | answer.to_json())
        return
    out.print(hex(answer.value))
    out.print(answer.effort)
