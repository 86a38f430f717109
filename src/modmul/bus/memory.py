# SPDX-License-Identifier: Apache-2.0
"""A transport to a device whose registers lie in memory."""

from __future__ import annotations

import mmap
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from modmul.bus.device import SPAN, BusError

__all__ = ["MemoryMap"]

SLEEP = 1e-3
"""Seconds of the longest pause."""


class MemoryMap:
    """Registers in memory: ``/dev/uio0``, or ``/dev/mem`` with the address of the device.

    Args:
        path: of the file to map.
        offset: of the first register in it; a multiple of the page size.

    Raises:
        BusError: it cannot be mapped.
    """

    def __init__(self, path: Path, offset: int = 0) -> None:
        try:
            file = os.open(path, os.O_RDWR | os.O_SYNC)
            try:
                self._map = mmap.mmap(file, SPAN, offset=offset)
            finally:
                os.close(file)
        except (OSError, ValueError) as error:
            raise BusError(f"{path} cannot be mapped at {offset:#x}: {error}") from error
        self._words = memoryview(self._map).cast("I")

    def read(self, address: int) -> int:
        """A register."""
        return self._words[self._place(address)]

    def write(self, address: int, value: int) -> None:
        """Write a register."""
        self._words[self._place(address)] = value

    @staticmethod
    def _place(address: int) -> int:
        """The word at an address."""
        if address not in range(0, SPAN, 4):
            raise BusError(f"there is no register at {address:#06x}")
        return address // 4

    def pause(self, turn: int) -> None:
        """Ever longer, up to a millisecond."""
        if turn > 10:
            time.sleep(min(SLEEP, 1e-6 * turn))

    def close(self) -> None:
        """Unmap it."""
        self._words.release()
        self._map.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
