# SPDX-License-Identifier: Apache-2.0
"""A simulated device in this process: a transport through its AXI4-Lite port, and its streams."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from random import Random

from modmul.bus.device import SPAN, BusError
from modmul.bus.shell import Shell
from modmul.design import Design
from modmul.verify.simulator import Model, Unit

__all__ = ["Simulated", "SimulatedLine"]

LONGEST = 1 << 12
"""Clock cycles of the longest pause."""

LATE = (0, 0, 0, 1, 2, 5)
"""Clock cycles that a slow master is late by."""

INPUTS = (
    *("core_clk_i", "aw_addr_i", "aw_valid_i", "w_data_i", "w_strb_i", "w_valid_i", "b_ready_i"),
    *("ar_addr_i", "ar_valid_i", "r_ready_i", "s_valid_i", "s_data_i", "s_last_i", "m_ready_i"),
)


class Simulated:
    """A shell with its core in simulation, out of reset.

    Args:
        shell: with one clock.
        seed: of the registers at power-up.
        design: its hardware, if that has been changed.
        slow: of the cycles that address and data of a register's access, and its response, are late by;
            without it everything goes at once.

    Attributes:
        cycle: clock cycles so far.

    Raises:
        ValueError: the shell has two clocks.
        SimulatorError: a tool is missing or refuses the sources.
    """

    def __init__(
        self, shell: Shell, *, seed: int = 1, design: Design | None = None, slow: Random | None = None
    ) -> None:
        if shell.clocks != 1:
            raise ValueError("a device with two clocks is not simulated in process")
        self.shell, self.slow = shell, slow
        self.model = Model(Unit(design or shell.design), seed=seed)
        self.cycle = 0
        for name in INPUTS:
            self.model.poke(name, 0)
        self.model.poke("rst_ni", 0)
        self.step(2)
        self.model.poke("rst_ni", 1)
        self.step(20)

    def step(self, count: int = 1) -> None:
        """Clock cycles in which nothing is asked of the device."""
        self.model.edge(count)
        self.cycle += count

    def pause(self, turn: int) -> None:
        """Clock cycles: ever more."""
        self.step(min(LONGEST, 4 << min(turn, 10)))

    def read(self, address: int) -> int:
        """A register."""
        value, response = self.access(address)
        if response:
            raise BusError(f"reading {address:#06x} was answered {response}")
        return value

    def write(self, address: int, value: int) -> None:
        """Write a register."""
        _, response = self.access(address, value)
        if response:
            raise BusError(f"writing {address:#06x} was answered {response}")

    def access(self, address: int, value: int | None = None, strobes: int = 15) -> tuple[int, int]:
        """One transaction: what was read, and the response.

        Args:
            value: to write; ``None`` reads.
            strobes: the bytes to write.

        Raises:
            BusError: there is no response, or no such address: the registers have 13 bits of it.
        """
        if address not in range(SPAN):
            raise BusError(f"there is no register at {address:#06x}")
        model = self.model
        channels = ["ar"] if value is None else ["aw", "w"]
        back = "r" if value is None else "b"
        if value is None:
            model.poke("ar_addr_i", address)
        else:
            model.poke("aw_addr_i", address)
            model.poke("w_data_i", value)
            model.poke("w_strb_i", strobes)
        late = {name: self.slow.choice(LATE) if self.slow else 0 for name in (*channels, back)}
        model.poke(f"{back}_ready_i", int(not late[back]))
        for turn in range(50):
            offered = [channel for channel in channels if turn >= late[channel]]
            for channel in offered:
                model.poke(f"{channel}_valid_i", 1)
            taken = [channel for channel in offered if model.peek(f"{channel}_ready_o")]
            shown = model.peek(f"{back}_valid_o")
            done = shown and not late[back]
            data = model.peek("r_data_o") if done and value is None else 0
            response = model.peek(f"{back}_resp_o")
            self.step()
            for channel in taken:
                model.poke(f"{channel}_valid_i", 0)
                channels.remove(channel)
            if done:
                model.poke(f"{back}_ready_i", 0)
                return data, response
            if shown:
                late[back] -= 1
                model.poke(f"{back}_ready_i", int(not late[back]))
        raise BusError(f"no response at {address:#06x}")

    def stream(
        self,
        frames: Sequence[Sequence[int]],
        count: int,
        *,
        random: Random,
        pause: float = 0.0,
        stride: int = 1,
    ) -> list[list[int]]:
        """Send frames through the stream, and take so many from the other.

        Args:
            frames: each in words of the bus.
            count: frames to take.
            random: of the pauses on both sides.
            pause: chance of a cycle without a word offered, and of one without readiness.
            stride: clock cycles at a time while the device neither takes nor gives a word. With more than 1,
                words are offered once the device is ready, and taken once they are there.

        Raises:
            BusError: a stalled word changed or fell, or nothing moves.
        """
        model = self.model
        words = list(chain.from_iterable([(w, k == len(f) - 1) for k, w in enumerate(f)] for f in frames))
        got: list[list[int]] = []
        current: list[int] = []
        offered = False
        held: tuple[int, int] | None = None
        quiet, place = 0, 0
        limit = 10 * self.shell.timeout + 10 * self.shell.build.core.interface.context_wait(
            self.shell.build.config
        )
        while len(got) < count or place < len(words):
            if not offered and place < len(words) and random.random() >= pause:
                model.poke("s_data_i", words[place][0])
                model.poke("s_last_i", int(words[place][1]))
                offered = True
            took = offered and model.peek("s_ready_o")
            ready = random.random() >= pause and (stride == 1 or bool(model.peek("m_valid_o")))
            model.poke("s_valid_i", int(took if stride > 1 else offered))
            model.poke("m_ready_i", int(ready))
            shown = (model.peek("m_data_o"), model.peek("m_last_o")) if model.peek("m_valid_o") else None
            if held is not None and shown != held:
                raise BusError("a word of an answer changed or fell before it was taken")
            held = None if ready else shown
            moves = took or shown
            self.step(1 if moves else stride)
            quiet = 0 if took or (shown and ready) else quiet + (1 if moves else stride)
            if took:
                place += 1
                offered = False
            if shown and ready:
                current.append(shown[0])
                if shown[1]:
                    got.append(current)
                    current = []
            if quiet > limit + 4096:
                raise BusError(f"nothing moves: {place} of {len(words)} words sent, {len(got)} answers")
        model.poke("s_valid_i", 0)
        model.poke("m_ready_i", 0)
        return got


class SimulatedLine:
    """A serial line to a shell in simulation, bit by bit: a wire for :class:`modmul.bus.line.Line`.

    Args:
        shell: with a bus of 32 bits and one clock.
        divisor: clock cycles of a bit.
        patience: bits without a byte after which a read ends.
        design: its hardware, if that is another with the same ports.
    """

    def __init__(
        self, shell: Shell, *, divisor: int = 4, patience: int = 10_000_000, design: Design | None = None
    ) -> None:
        self.divisor, self.patience = divisor, patience
        self.model = Model(Unit(design or shell.on_line(divisor)))
        self.model.poke("rx_i", 1)
        self.model.poke("rst_ni", 0)
        self.model.edge(2)
        self.model.poke("rst_ni", 1)
        self.model.edge(20)

    def write(self, data: bytes) -> int:
        """Send bytes."""
        for byte in data:
            for bit in (0, *(byte >> k & 1 for k in range(8)), 1):
                self.model.poke("rx_i", bit)
                self.model.edge(self.divisor)
        return len(data)

    def read(self, size: int = 1) -> bytes:
        """So many bytes, or fewer where the line stays silent."""
        got = bytearray()
        for _ in range(size):
            for _ in range(self.patience * self.divisor):
                if not self.model.peek("tx_o"):
                    break
                self.model.edge()
            else:
                break
            self.model.edge(self.divisor + self.divisor // 2)
            byte = 0
            for k in range(8):
                byte |= self.model.peek("tx_o") << k
                self.model.edge(self.divisor)
            got.append(byte)
        return bytes(got)
