# SPDX-License-Identifier: Apache-2.0
"""Systems: hardware built of a core, generic over which.

SystemVerilog cannot take a module as a parameter. So a system instantiates the module :data:`SOCKET`, and
Python writes that one file: the chosen core with its parameters behind ports that are the same for all cores.
A system on a core obeys the port contract itself, so it is described, verified and measured as a core.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from modmul.core.config import Config
from modmul.core.core import Core
from modmul.core.ports import PORTS

__all__ = ["SOCKET", "System", "socket"]

SOCKET = "mm_sys_core"
"""The module that a system instantiates for its core."""

CONTROLS = ("square_i", "chain_i", "keep_i")
"""The controls of a socket, whether the core has them or not."""


@dataclass(frozen=True)
class System:
    """One system.

    Attributes:
        slug: name of the room, a folder of ``modmul.systems``.
        title: one line for people.
        on: the system on a core: its description as a :class:`Core` whose ``config`` has the core's
            build in its field ``inner``. Its further arguments are the descriptions of the systems that it
            uses, on the same core. Raises ``ValueError`` where the core will not do.
        uses: slugs of the systems whose modules it instantiates.
    """

    slug: str
    title: str
    on: Callable[..., Core]
    uses: tuple[str, ...] = ()


def socket(core: Core, config: Config) -> str:
    """SystemVerilog of :data:`SOCKET` for a build of a core."""
    own = {control.name for control in core.controls}
    foreign = own.difference(CONTROLS)
    if foreign:
        raise ValueError(f"systems do not know the control {', '.join(sorted(foreign))} of {core.slug}")
    ports = []
    for name, direction, bits in PORTS:
        kind = "input  wire " if direction == "input" else "output logic"
        ports.append(f"  {kind} {f'[{config.word - 1}:0]' if bits == 'word' else ''} {name}")
        if name == "y_i":
            ports += [f"  input  wire   {control}" for control in CONTROLS]
    listed = ",\n".join(" ".join(port.split()).join(("  ", "")) for port in ports)
    generics = ",\n".join(f"    .{name}({value})" for name, value in config.parameters().items())
    pins = ", ".join(f".{port.name}" for port in core.ports(config))
    unused = [control for control in CONTROLS if control not in own]
    reader = f"  logic unused_controls;\n  assign unused_controls = ^{{{', '.join(unused)}}};\n\n"
    return f"""\
// SPDX-License-Identifier: Apache-2.0
//
// {SOCKET}: {core.slug} as the core of a system. Written by Python.
//
`default_nettype none

module {SOCKET} (
{listed}
);

{reader if unused else ""}  {core.top} #(
{generics}
  ) u_core (
    {pins}
  );

endmodule

`default_nettype wire
"""
