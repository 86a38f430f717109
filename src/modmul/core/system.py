# SPDX-License-Identifier: Apache-2.0
"""Systems: hardware built of a core, generic over which.

SystemVerilog cannot take a module as a parameter. So a system instantiates the module :data:`SOCKET`, and
Python writes that one file: the chosen core with its parameters behind ports that are the same for all cores.
A system on a core obeys the port contract itself, so it is described, verified and measured as a core.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from modmul.core.config import Config
from modmul.core.core import Core
from modmul.core.ports import PORTS
from modmul.design import literal

__all__ = ["SOCKET", "System", "SystemConfig", "socket"]

SOCKET = "mm_sys_core"
"""The module that a system instantiates for its core, unless it says otherwise."""

INNER = "Inner"
"""In front of the name of a core's parameter where the system has one of the same name."""

CONTROLS = ("square_i", "chain_i", "keep_i")
"""The controls of a socket, whether the core has them or not."""


@dataclass(frozen=True)
class SystemConfig(Config):
    """The parameters of a system on a core: those of the core's build, and the system's own.

    One of the core's that has the name of one of the system's own has :data:`INNER` in front of it.

    Attributes:
        inner: the build of the core.
        core: its description.
    """

    inner: Config = field(kw_only=True)
    core: Core = field(kw_only=True, repr=False, hash=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.core.interface.carries_numbers(self.inner):
            raise ValueError(f"a system needs numbers at the ports of {self.core.slug}, unlike {self.inner}")

    @property
    def word(self) -> int:
        return self.inner.word

    @property
    def multiplier_blocks(self) -> bool:
        return self.inner.multiplier_blocks

    @property
    def operations(self) -> int:
        """Operations that one at the ports is: those of a system that takes several numbers at a time."""
        return 1

    @property
    def crowded(self) -> bool:
        """Whether cells that belong together end up far apart with the usual placer."""
        return False

    @property
    def vast(self) -> bool:
        """Whether it is for a whole device: the usual router would take hours."""
        return False

    @property
    def left_out(self) -> frozenset[str]:
        """Modules that the system has and this build does not."""
        return frozenset()

    def own(self) -> dict[str, str]:
        """Those of the system alone."""
        return {}

    def options(self) -> dict[str, int]:
        own = self.own()
        inner = {INNER * (name in own) + name: value for name, value in self.inner.options().items()}
        return inner | {name: int(getattr(self, of)) for name, of in own.items()}

    def with_parameters(self, values: Mapping[str, int]) -> Self:
        own = self.own()
        twice = {INNER + name: name for name in self.inner.options() if name in own}
        inner = {twice.get(name, name): value for name, value in values.items() if name not in own}
        changed: dict[str, Any] = {own[name]: value for name, value in values.items() if name in own}
        return replace(self, inner=self.inner.with_parameters(inner), **changed)

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in {"Width": self.width, **self.options()}.items())


@dataclass(frozen=True)
class System:
    """One system.

    Attributes:
        slug: name of the room, a folder of ``modmul.systems``.
        title: one line for people.
        on: the system on a core: its description as a :class:`Core` whose ``config`` is a
            :class:`SystemConfig`. Raises ``ValueError`` where the core will not do.
        socket: the module that it instantiates for its core. With one of its own it takes other systems in
            place of a core, too.
    """

    slug: str
    title: str
    on: Callable[[Core], Core]
    socket: str = SOCKET

    @property
    def takes_systems(self) -> bool:
        """Whether its core may be a system."""
        return self.socket != SOCKET


def socket(core: Core, config: Config, module: str = SOCKET) -> str:
    """SystemVerilog of a socket for a build of a core; controls that systems do not know are low.

    Args:
        module: its name.
    """
    own = {control.name for control in core.interface.controls}
    ports = []
    for name, direction, bits in PORTS:
        kind = "input  wire " if direction == "input" else "output logic"
        ports.append(f"  {kind} {f'[{config.word - 1}:0]' if bits == 'word' else ''} {name}")
        if name == "y_i":
            ports += [f"  input  wire   {control}" for control in CONTROLS]
    listed = ",\n".join(" ".join(port.split()).join(("  ", "")) for port in ports)
    generics = ",\n".join(f"    .{name}({literal(value)})" for name, value in config.parameters().items())
    foreign = own.difference(CONTROLS)
    pins = ", ".join(
        f".{port.name}(1'b0)" if port.name in foreign else f".{port.name}"
        for port in core.interface.ports(config)
    )
    unused = [control for control in CONTROLS if control not in own]
    reader = f"  logic unused_controls;\n  assign unused_controls = ^{{{', '.join(unused)}}};\n\n"
    return f"""\
// SPDX-License-Identifier: Apache-2.0
//
// {module}: {core.slug} as the core of a system. Written by Python.
//
`default_nettype none

module {module} (
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
