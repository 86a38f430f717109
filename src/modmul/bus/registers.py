# SPDX-License-Identifier: Apache-2.0
"""Registers of a core on a bus: made by 'make registers' from registers.rdl."""

from enum import IntEnum, IntFlag


class Register(IntEnum):
    """Addresses, in bytes."""

    ID = 0x000
    VERSION = 0x004
    BUILD = 0x008
    FEATURES = 0x00C
    OPERAND = 0x010
    WORD = 0x014
    LIMIT = 0x018
    CONTROL = 0x020
    STATUS = 0x024
    IRQ_ENABLE = 0x028
    IRQ_STATUS = 0x02C
    ANSWER = 0x030
    LENGTH = 0x034
    IN_DATA = 0x040
    IN_LAST = 0x044
    RELEASE = 0x048
    RESULT = 0x1000


class Code(IntEnum):
    """The field ``code`` of an answer."""

    OK = 0
    """It went well."""
    KIND = 1
    """The header names no kind of frame."""
    SHORT = 2
    """The frame ended too early."""
    LONG = 3
    """The frame went on too long."""
    RANGE = 4
    """An operand is above the largest one."""
    NO_CONTEXT = 5
    """No legal context was loaded."""
    REFUSED = 6
    """The core cannot serve the context."""
    LENGTH = 7
    """The build does not have operands of so many bits."""
    INCOMPLETE = 8
    """The beats are not those of a whole context."""
    WITHHELD = 9
    """The system found its own result wrong and holds it back."""
    TIMEOUT = 10
    """The core made no progress; context and length did not agree."""
    CONTROL = 11
    """The header sets a control that the core does not have."""


class Kind(IntEnum):
    """The field ``kind`` of an answer."""

    OPERATION = 1
    """Two operands; the answer holds the result."""
    CONTEXT = 2
    """What the core keeps per modulus; the answer holds nothing."""


class Control(IntFlag):
    """Control."""

    RESET = 0x1
    """Write 1: forget everything, the context too; reads 1 until that is done."""


class Status(IntFlag):
    """Status."""

    READY = 0x1
    """A word of a frame finds room."""
    DONE = 0x2
    """An answer is there; RELEASE makes room for the next."""
    BUSY = 0x4
    """A frame is being worked on, or an answer is on its way."""
    LOADED = 0x8
    """The core holds a legal context."""


class IrqEnable(IntFlag):
    """Interrupts that are passed on."""

    DONE = 0x1
    """As in IRQ_STATUS."""
    ERROR = 0x2
    """As in IRQ_STATUS."""
    REFUSED = 0x4
    """As in IRQ_STATUS."""


class IrqStatus(IntFlag):
    """Interrupts that were raised."""

    DONE = 0x1
    """An answer came."""
    ERROR = 0x2
    """An answer with a code other than OK came."""
    REFUSED = 0x4
    """A write was answered SLVERR."""


class Release(IntFlag):
    """The answer is read."""

    DONE = 0x1
    """Write 1: overwrite it with zeros."""
