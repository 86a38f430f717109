# SPDX-License-Identifier: Apache-2.0
"""A build behind AXI4-Lite and AXI4-Stream: the hardware, and what a driver has to know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from modmul.core import PORTS, to_beats
from modmul.design import Design, Port, hierarchy, literal
from modmul.room import Build
from modmul.tools.paths import cache_or_scratch

__all__ = ["BUSES", "MAX_BITS", "SOCKET", "Shell"]

HERE = Path(__file__).parent

SOCKET = "mm_bus_core"
"""The module in which the shell finds the core; Python writes it."""

BUSES = (32, 64, 128)
"""Bits of a word of the streams."""

MAX_BITS = 32768
"""Bits of the longest operand: as many as the window of results holds."""

MAX_CONTROLS = 8

PATIENCE = 64
"""Clock cycles beyond twice the longest operation after which one without progress ends in an error."""


@dataclass(frozen=True)
class Shell:
    """A build behind a bus.

    Attributes:
        build: the core or system.
        bus: bits of a word of both streams, one of :data:`BUSES`.
        clocks: 1, or 2 where the core has its own clock.

    Raises:
        ValueError: ``bus`` or ``clocks`` is none of these, the operands are longer than :data:`MAX_BITS`, or
            the core has more than eight controls.
    """

    build: Build
    bus: int = 32
    clocks: int = 1

    def __post_init__(self) -> None:
        if self.bus not in BUSES:
            raise ValueError(f"the bus has 32, 64 or 128 bits, not {self.bus}")
        if self.clocks not in (1, 2):
            raise ValueError(f"there are 1 or 2 clocks, not {self.clocks}")
        if self.build.config.bits > MAX_BITS:
            raise ValueError(
                f"the bus takes operands of at most {MAX_BITS} bits, not {self.build.config.bits}"
            )
        if len(self.build.core.interface.controls) > MAX_CONTROLS:
            raise ValueError(f"the bus takes at most {MAX_CONTROLS} controls")

    @property
    def lengths(self) -> bool:
        """Whether the context says how long operands are."""
        return "length" in self.build.config.runtime()

    @cached_property
    def timeout(self) -> int:
        """Clock cycles of the core without progress after which an operation ends in an error.

        Twice the longest operation under any control, and :data:`PATIENCE`.
        """
        config = self.build.config
        interface = self.build.core.interface
        states = [config]
        for control in interface.controls:
            states += [state.running(**{control.field: True}) for state in states]
        longest = max(max(interface.latency(state), interface.interval(state)) for state in states)
        return 2 * longest + PATIENCE

    @property
    def parameters(self) -> dict[str, int]:
        """The parameters of ``mm_bus``."""
        config, interface = self.build.config, self.build.core.interface
        return {
            "Bus": self.bus,
            "Word": config.word,
            "Bits": config.bits,
            "Lengths": int(self.lengths),
            "Controls": len(interface.controls),
            "Numbers": int(interface.carries_numbers(config)),
            "Clocks": self.clocks,
            "Timeout": self.timeout,
            "BuildId": self.build_id,
        }

    @cached_property
    def build_id(self) -> int:
        """31 bits of the digest of the build's hardware, which the device tells."""
        return int(self.build.design.digest[:8], 16) >> 1

    @property
    def controls(self) -> int:
        """Bits of the socket's port for controls: at least one."""
        return max(1, len(self.build.core.interface.controls))

    def socket(self) -> str:
        """SystemVerilog of :data:`SOCKET`: the core with its parameters, its controls in one port."""
        core, config = self.build.core, self.build.config
        own = core.interface.controls
        ports = []
        for name, direction, bits in PORTS:
            kind = "input  wire " if direction == "input" else "output logic"
            ports.append(f"  {kind} {f'[{config.word - 1}:0]' if bits == 'word' else ''} {name}")
            if name == "y_i":
                ports.append(f"  input  wire  [{self.controls - 1}:0] controls_i")
        listed = ",\n".join(" ".join(port.split()).join(("  ", "")) for port in ports)
        generics = ",\n".join(f"    .{name}({literal(value)})" for name, value in config.parameters().items())
        places = {control.name: f"controls_i[{number}]" for number, control in enumerate(own)}
        pins = ", ".join(
            f".{port.name}({places[port.name]})" if port.name in places else f".{port.name}"
            for port in core.interface.ports(config)
        )
        unread = "" if own else "  logic unused_controls;\n  assign unused_controls = ^controls_i;\n\n"
        return f"""\
// SPDX-License-Identifier: Apache-2.0
//
// {SOCKET}: {core.slug} behind mm_bus. Written by Python.
//
`default_nettype none

module {SOCKET} (
{listed}
);

{unread}  {core.top} #(
{generics}
  ) u_core (
    {pins}
  );

endmodule

`default_nettype wire
"""

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files of the shell alone, the top last; the socket is not among them."""
        return hierarchy(HERE / "mm_bus.sv", _own)

    @cached_property
    def design(self) -> Design:
        """The whole, for the tools: ``mm_bus`` with the core in its socket."""
        return self._design(self.sources, self.parameters, ports(self.bus))

    def on_line(self, divisor: int) -> Design:
        """The whole at the end of a serial line: ``mm_bus_serial``.

        Args:
            divisor: clock cycles of a bit, at least 4.

        Raises:
            ValueError: the bus has not 32 bits, there are two clocks, or the divisor is below 4.
        """
        if (self.bus, self.clocks) != (32, 1) or divisor < 4:
            raise ValueError("a line takes a bus of 32 bits, one clock, and at least 4 clock cycles a bit")
        parameters = {name: value for name, value in self.parameters.items() if name not in ("Bus", "Clocks")}
        names = {"clk_i": "input", "rst_ni": "input", "rx_i": "input", "tx_o": "output", "busy_o": "output"}
        return self._design(
            hierarchy(HERE / "mm_bus_serial.sv", _own),
            {"Divisor": divisor, **parameters},
            tuple(Port(name, way, 1) for name, way in names.items()),
        )

    def _design(self, sources: Sequence[Path], parameters: dict[str, int], ports: tuple[Port, ...]) -> Design:
        inner = self.build.design
        *below, top = sources
        return Design(
            f"{self.build.slug} on a bus",
            top.stem,
            (*inner.sources, _written(self.socket()), *below, top),
            parameters,
            ports,
            self.build.config.multiplier_blocks,
            foreign=inner.foreign,
        )

    def bound(self, modulus: int) -> int:
        """The largest operand, as it crosses the ports; all ones where operands are encoded, or points."""
        at = self.build.config.at(modulus)
        ones = (1 << at.bits) - 1
        if at.packed or not self.build.core.interface.carries_numbers(self.build.config):
            return ones
        return min(ones, self.build.core.function.operand_max(at, modulus))

    def context(self, modulus: int) -> list[int]:
        """The words of a context frame behind its header, each of ``bus`` bits.

        Raises:
            ValueError: the core cannot serve the modulus.
        """
        self.build.check(modulus)
        at = self.build.config.at(modulus)
        beats = self.build.core.interface.context(at, modulus)
        return [at.bits, len(beats), *self.words(self.bound(modulus), at.bits), *self.packed(beats)]

    def packed(self, beats: Sequence[int]) -> list[int]:
        """Beats of a context without gaps, in words."""
        word = self.build.config.word
        run = sum(beat << (word * number) for number, beat in enumerate(beats))
        return self.words(run, max(word * len(beats), 1)) if beats else []

    def words(self, value: int, bits: int) -> list[int]:
        """A number of so many bits in words of the bus, the least significant first.

        Raises:
            ValueError: it does not fit.
        """
        return to_beats(value, bits, self.bus)


def ports(bus: int) -> tuple[Port, ...]:
    """The ports of ``mm_bus``, in order."""
    listed = {
        "clk_i": 1, "core_clk_i": 1, "rst_ni": 1,
        "aw_addr_i": 13, "aw_valid_i": 1, "aw_ready_o": 1, "w_data_i": 32, "w_strb_i": 4, "w_valid_i": 1,
        "w_ready_o": 1, "b_resp_o": 2, "b_valid_o": 1, "b_ready_i": 1, "ar_addr_i": 13, "ar_valid_i": 1,
        "ar_ready_o": 1, "r_data_o": 32, "r_resp_o": 2, "r_valid_o": 1, "r_ready_i": 1, "irq_o": 1,
        "s_valid_i": 1, "s_ready_o": 1, "s_data_i": bus, "s_last_i": 1,
        "m_valid_o": 1, "m_ready_i": 1, "m_data_o": bus, "m_last_o": 1,
    }  # fmt: skip
    return tuple(
        Port(name, "output" if name.endswith("_o") else "input", bits) for name, bits in listed.items()
    )


def _own(module: str) -> Path | None:
    """A module of this folder; ``None`` for the socket."""
    found = HERE / f"{module}.sv"
    return found if found.is_file() else None


def _written(text: str) -> Path:
    """The socket in a file of its own, kept by its contents."""
    folder = cache_or_scratch() / "sockets" / sha256(text.encode()).hexdigest()[:16]
    written = folder / f"{SOCKET}.sv"
    if not written.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=folder, delete=False) as file:
            file.write(text)
        Path(file.name).replace(written)
    return written
