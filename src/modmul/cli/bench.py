# SPDX-License-Identifier: Apache-2.0
"""Operations a second of a device on a bus, beside OpenSSL's on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from modmul.cli.completing import core_names
from modmul.cli.options import JsonOption, SetOption, settings
from modmul.cli.printing import out, print_json, print_table
from modmul.cli.progress import showing
from modmul.registry import ECC, operand_width, room
from modmul.tools.extras import need

__all__ = ["bench"]

WIDTH = 2048
"""Bits of a system unless told otherwise."""


def bench(
    system: Annotated[
        str,
        typer.Option(
            "--system", metavar="SYSTEM", help="rsa_crt, modexp, ladder; or points of a curve: ecc_p256."
        ),
    ],
    core: Annotated[
        str,
        typer.Option(
            metavar="CORE", help="The multiplier; 'modmul list' names them.", autocompletion=core_names
        ),
    ],
    width: Annotated[
        int | None, typer.Option("--width", "-w", help="Bits of a system. Default: 2048.")
    ] = None,
    bus_width: Annotated[int, typer.Option("--bus-width", help="Bits of a word of the streams.")] = 32,
    mhz: Annotated[
        float | None, typer.Option(metavar="MHZ", help="A clock frequency, where another is wanted.")
    ] = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Operations a second through driver, bus and system, simulated, beside OpenSSL's on this machine."""
    need("simulation")
    from dataclasses import replace
    from math import inf

    from modmul.bus.shell import Shell
    from modmul.moduli import curve
    from modmul.use import bench as use
    from modmul.use.clock import Clock

    slug, parameters = room(core).core.slug, settings(set_)
    at = curve(system.removeprefix(ECC)) if system.startswith(ECC) else None
    if at is not None and width is not None:
        raise ValueError(f"{system} has the width of its curve; leave --width away")
    if mhz is not None and not 0 < mhz < inf:
        raise ValueError(f"a clock frequency is a number of MHz above 0, not {mhz:g}")
    bits = operand_width(WIDTH if width is None else width, done="simulated")
    build, modulus, operands = use.of_system(system, slug, bits, parameters)
    with showing("nothing is kept") as listener:
        found = use.bench(Shell(build, bus_width), modulus, operands, listener=listener)
    if mhz is not None:
        found = replace(found, clock=Clock(mhz, "as given"), own=True)
    beside = use.software(build, at)
    if as_json:
        other = {"rate": beside[0], "what": beside[1]} if beside else None
        print_json(found.to_json() | {"openssl": other})
        return
    out.print(f"{build}, {bus_width} bits a word", soft_wrap=True)
    ways = {
        "through the registers, one by one": found.registers,
        "through the stream, the first": found.first,
        "through the stream, each that follows": found.stream,
        "in the system alone": found.latency,
    }
    rows = [
        (name, f"{cycles:,}", "–" if (rate := found.rate(cycles)) is None else f"{rate:,.1f}")
        for name, cycles in ways.items()
    ]
    print_table(("an operation", "clock cycles", "operations a second"), rows, numbers=True)
    chosen = "".join(f" --set {name}={value}" for name, value in parameters.items())
    command = f"modmul measure {build.slug} --width {build.config.width}{chosen} -t ecp5"
    if found.clock is None:
        out.print(f"no clock of it is known: {command} measures it, --mhz MHZ takes another", soft_wrap=True)
    elif found.own:
        out.print(f"at {found.clock.mhz:.1f} MHz: {found.clock.of}", soft_wrap=True)
    else:
        out.print(
            f"at {found.clock.mhz:.1f} MHz, that of its multiplier alone: {found.clock.of}; "
            f"the system is slower: {command} measures it",
            soft_wrap=True,
        )
    if beside is None:
        out.print("openssl speed has nothing to set beside it here")
    else:
        out.print(
            f"beside it, on one processor of this machine: {beside[0]:,.1f} {beside[1]}", soft_wrap=True
        )
