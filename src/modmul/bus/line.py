# SPDX-License-Identifier: Apache-2.0
"""A transport to a device at the end of a line of bytes: serial, or TCP.

On a line, the master sends a command and the device answers it. All numbers have their low byte first.

    read    0x52, address (2 bytes)                  status, value (4 bytes)
    write   0x57, address (2 bytes), value (4 bytes) status

The status is the response of AXI: 0, or 2 for an error. ``mm_bus_uart`` is the device's end on a serial line,
:func:`serve` for a simulated device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from modmul.bus.device import BusError, Transport
from modmul.tools.extras import needing

with needing("bus"):
    import serial

__all__ = ["Line", "Wire", "serve"]

READ, WRITE = b"R", b"W"
SLVERR = 2
FIRST = 2
"""Turn of the pause between two commands that differ."""


class Wire(Protocol):
    """Bytes in both directions; an open port of pyserial is one."""

    def write(self, data: bytes, /) -> int | None:
        """Send them."""

    def read(self, size: int = 1, /) -> bytes:
        """So many, or fewer after a time."""


class Line:
    """A device at the other end of a line.

    Args:
        wire: the line; or where it is, as pyserial has it: ``"/dev/ttyUSB0"``, ``"socket://localhost:4000"``.
        baud: bits a second of a serial line.
        timeout: seconds to wait for an answer.

    Raises:
        BusError: the line cannot be opened.
    """

    def __init__(self, wire: Wire | str, *, baud: int = 115200, timeout: float = 5.0) -> None:
        if isinstance(wire, str):
            try:
                self.wire: Wire = serial.serial_for_url(wire, baud, timeout=timeout)
            except (OSError, ValueError) as error:
                raise BusError(f"{wire} cannot be opened: {error}") from error
        else:
            self.wire = wire

    def read(self, address: int) -> int:
        """A register."""
        answer = self._ask(READ + address.to_bytes(2, "little"), 5)
        return int.from_bytes(answer[1:], "little")

    def write(self, address: int, value: int) -> None:
        """Write a register."""
        self._ask(WRITE + address.to_bytes(2, "little") + value.to_bytes(4, "little"), 1)

    def pause(self, turn: int) -> None:
        """Nothing: the line itself is slow."""

    def close(self) -> None:
        """Close the line."""
        close = getattr(self.wire, "close", None)
        if close is not None:
            close()

    def _ask(self, command: bytes, count: int) -> bytes:
        self.wire.write(command)
        answer = self.wire.read(count)
        if len(answer) != count:
            raise BusError(
                f"the device sent {len(answer)} of {count} bytes: reset it, and open the line again"
            )
        if answer[0]:
            raise BusError(
                f"access to {int.from_bytes(command[1:3], 'little'):#06x} was answered {answer[0]}"
            )
        return answer


def serve(transport: Transport, read: Callable[[int], bytes], write: Callable[[bytes], object]) -> None:
    """Be the device's end of a line for another transport, until the line ends.

    Args:
        transport: what the commands are carried out on; a simulation is given time between them, ever more
            while the same register is read again and again.
        read: so many bytes of the line; fewer at its end.
        write: sends bytes.
    """
    before, turn = b"", FIRST
    while command := read(1):
        if command not in (READ, WRITE):
            continue
        body = read(2 if command == READ else 6)
        if len(body) < (2 if command == READ else 6):
            return
        address, value = int.from_bytes(body[:2], "little"), int.from_bytes(body[2:], "little")
        told, status = 0, 0
        try:
            if command == READ:
                told = transport.read(address)
            else:
                transport.write(address, value)
        except BusError:
            status = SLVERR
        again = command == READ and body == before
        before, turn = (body if command == READ else b""), turn + 1 if again else FIRST
        transport.pause(turn)
        write(bytes([status]) + (told.to_bytes(4, "little") if command == READ else b""))
