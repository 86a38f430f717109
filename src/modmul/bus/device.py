# SPDX-License-Identifier: Apache-2.0
"""The driver: a core or a system on a bus, from Python, over any transport (``docs/bus.md``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from modmul.bus.registers import Code, Control, Kind, Register, Release, Status
from modmul.bus.shell import Shell

__all__ = ["SPAN", "Answer", "BusError", "Device", "DeviceError", "Transport"]

ID = 0x4D4D554C
SPAN = 0x2000
"""Bytes of a device's registers."""
MAJOR = 1
"""Version of the registers that this driver knows."""
TAGS = 1 << 16


class BusError(OSError):
    """A read or write that the device answered with an error, or did not answer."""


class DeviceError(RuntimeError):
    """An answer other than OK.

    Attributes:
        code: what went wrong.
    """

    def __init__(self, code: Code, told: str) -> None:
        super().__init__(told)
        self.code = code


class Transport(Protocol):
    """How registers are read and written: 32-bit words, by their addresses from the device's first."""

    def read(self, address: int) -> int:
        """A register.

        Raises:
            BusError: there is none, or it is write only.
        """

    def write(self, address: int, value: int) -> None:
        """Write a register.

        Raises:
            BusError: there is none, it is read only, or a word of a frame found no room.
        """

    def pause(self, turn: int) -> None:
        """Wait a little before the device is asked again; ``turn`` is how often it was asked before."""


@dataclass(frozen=True)
class Answer:
    """What comes back for a frame.

    Attributes:
        code: how it went.
        kind: of the frame.
        tag: of the frame.
        words: of the result, 32 bits each, the least significant first.
    """

    code: Code
    kind: int
    tag: int
    words: tuple[int, ...] = ()

    @property
    def value(self) -> int:
        """The result as it crossed the core's ports."""
        return sum(word << (32 * number) for number, word in enumerate(self.words))


class Device:
    """A build on a bus, whatever the bus is.

    Args:
        transport: how to reach it.
        shell: what it ought to be.
        patience: how often it is asked before it counts as stuck.

    Raises:
        BusError: nobody answers.
        DeviceError: the device is something else than ``shell``.
    """

    def __init__(self, transport: Transport, shell: Shell, *, patience: int = 1_000_000) -> None:
        self.transport, self.shell, self.patience = transport, shell, patience
        self.modulus = 0
        self._tag = 0
        self._check()
        self.reset()

    def _check(self) -> None:
        found = self.transport.read(Register.ID)
        if found != ID:
            raise DeviceError(Code.KIND, f"no modmul device there: ID reads {found:#010x}, not {ID:#010x}")
        major = self.transport.read(Register.VERSION) >> 16
        if major != MAJOR:
            raise DeviceError(
                Code.KIND, f"the device's registers have version {major}, this driver's {MAJOR}"
            )
        built, wanted = self.transport.read(Register.BUILD), self.shell.build_id
        if built != wanted:
            raise DeviceError(
                Code.KIND, f"the device holds build {built:#x}, not {wanted:#x} ({self.shell.build})"
            )

    def _until(self, wanted: Status, told: str) -> None:
        for turn in range(self.patience):
            if self.transport.read(Register.STATUS) & wanted:
                return
            self.transport.pause(turn)
        raise BusError(f"the device is stuck: {told}")

    def reset(self) -> None:
        """Forget everything: the context, a frame of which a part was sent, an answer that was not read."""
        self.transport.write(Register.CONTROL, Control.RESET)
        for turn in range(self.patience):
            if not self.transport.read(Register.CONTROL) & Control.RESET:
                break
            self.transport.pause(turn)
        self.modulus = 0

    def exchange(self, kind: int, words: Sequence[int], *, controls: int = 0) -> Answer:
        """Send a frame and take its answer, whatever it says.

        Args:
            kind: of the frame.
            words: behind the header, each as long as a word of the bus.
            controls: bit i is the core's control i.

        Raises:
            BusError: the device is stuck or refuses a word.
        """
        self._tag = (self._tag + 1) % TAGS
        slices = self.shell.bus // 32
        frame = [kind | controls << 8 | self._tag << 16, *words]
        parts = [(word >> (32 * k)) & 0xFFFFFFFF for word in frame for k in range(slices)]
        for number, part in enumerate(parts):
            self._until(Status.READY, "a word of a frame finds no room")
            last = number == len(parts) - 1
            self.transport.write(Register.IN_LAST if last else Register.IN_DATA, part)
        return self.answer()

    def answer(self) -> Answer:
        """Wait for an answer, read it, and have the device overwrite it.

        Raises:
            BusError: none comes.
        """
        self._until(Status.DONE, "no answer comes")
        header = self.transport.read(Register.ANSWER)
        count = self.transport.read(Register.LENGTH)
        words = tuple(self.transport.read(Register.RESULT + 4 * number) for number in range(count))
        self.transport.write(Register.RELEASE, Release.DONE)
        return Answer(Code(header & 0xFF), header >> 8 & 0xFF, header >> 16, words)

    def load(self, modulus: int) -> None:
        """Load the context of a modulus.

        Raises:
            ValueError: the core cannot serve it.
            DeviceError: the device refuses it.
        """
        words = self.shell.context(modulus)
        self.modulus = 0
        self._good(self.exchange(Kind.CONTEXT, words))
        self.modulus = modulus

    def run(self, x: Any, y: Any, **controls: bool) -> Any:
        """One operation: for a multiplier the product in its own domain.

        Args:
            x, y: the operands, as ``Simulation.run`` takes them.
            controls: the core's controls that are high, by field (``square=True``).

        Raises:
            ValueError: an operand is too long, there is no such control, or no modulus is loaded.
            DeviceError: the device refuses the operands, or holds the result back.
        """
        if not self.modulus:
            raise ValueError("load a modulus first")
        build = self.shell.build
        interface = build.core.interface
        at = build.config.at(self.modulus, **controls)
        known = [control.field for control in interface.controls]
        mask = sum(int(value) << known.index(name) for name, value in controls.items())
        x_words, y_words = (self.shell.words(interface.encode(at, number), at.bits) for number in (x, y))
        answer = self.exchange(Kind.OPERATION, [*x_words, *y_words], controls=mask)
        self._good(answer)
        return interface.decode(at, answer.value)

    def multiply(self, x: int, y: int) -> int:
        """The same without controls, for a core: x·y in its own domain."""
        return int(self.run(x, y))

    def _good(self, answer: Answer) -> None:
        if answer.tag != self._tag:
            raise BusError(f"the answer is that of frame {answer.tag}, not {self._tag}: reset the device")
        if answer.code != Code.OK:
            if not self.transport.read(Register.STATUS) & Status.LOADED:
                self.modulus = 0
            raise DeviceError(answer.code, f"{self.shell.build}: {Code(answer.code).name.lower()}")
