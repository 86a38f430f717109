# SPDX-License-Identifier: Apache-2.0
"""Rows of ``mm_engine``, and programs of them, as the hardware has them (:mod:`modmul.systems.assembly`)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from modmul.systems.checking import PLAIN, ProgramError
from modmul.systems.checking import TESTS as PLAIN_TESTS

__all__ = [
    "CHOICES",
    "CROSS",
    "CROSSED",
    "DIGITS",
    "ENDS",
    "FLAG",
    "MOST_PENDING",
    "ONE",
    "OPERATIONS",
    "READY",
    "STOPS",
    "SUMS",
    "TESTS",
    "TURNS",
    "F",
    "Program",
    "Row",
    "halves",
]

CODES = {
    "mul": 0,
    "out": 1,
    "scan": 2,
    "bits": 3,
    "loop": 4,
    "jump": 5,
    "add": 6,
    "sub": 6,
    "twice": 6,
    "repeat": 7,
    "less": 6,
    "equal": 6,
    "release": 1,
    "rewind": 3,
    **dict.fromkeys(PLAIN, 6),
    "ready": 5,
}
OPERATIONS = tuple(CODES)
TURNS = ("loop", "jump", "repeat")
"""Those that go to a label."""
ROWS_AT_ONCE = 64
"""Rows of a table that is read and fetched in one cycle, at most: it is few levels of logic."""
SUMS = ("add", "sub", "twice", "less", "equal")
"""Those of the unit for sums."""
TESTS = {"less": 1, "equal": 2}
"""Those of them that set the flag."""
ENDS = ("out", "release")
"""Those that end the program."""
DIGITS = (1, 2, 4, 8)
"""Bits that the digit of ``acc`` may have."""
READY = "ready"
STOPS = (*ENDS, READY)
"""Behind these no row comes next."""
MOST_PENDING = 7
"""Results that may be still to come: the row of another operation waits until there are fewer."""

F, ONE = "f", "1"
FLAG = "^"
CHOICES = {"?": 1, "!": 2, FLAG: 3}
CROSS = "@"
"""Before a register of the other lane, the last one of a sum."""
CROSSED = ("plus", "minus")
"""The plain sums that take one."""


def halves(name: str, longs: Container[str], parts: int) -> tuple[str, ...]:
    """A register as those of one place that it consists of."""
    return tuple(f"{name}.{part}" for part in range(parts)) if name in longs else (name,)


@dataclass(frozen=True)
class Row:
    """A row of a program.

    Attributes:
        operation: one of :data:`OPERATIONS`.
        line: of the text, from 1.
        d: register written; ``""``: none.
        x, y: register, ``"f"`` or ``"1"`` that words come from; ``""``: none.
        other: register in place of the one at x, y if the digit says so.
        choose: 1 if the last two bits of the digit decide, 2 if the last one does, 3 if the flag does.
        count: bits to take, 0: those of the context; of ``repeat``, how often its rows run; of ``rewind``,
            how many words of the register, or of its upper part, 0: all.
        counter: the count of ``.count`` in place of it.
        test: what sets the flag: ``"^"`` the carry, ``"="`` whether the result is 0; ``""``: nothing.
        long: those of its registers that are numbers of several.
        parts: of how many.
        target: row to go to.
        pending: the row waits until no more results than this are still to come.
        quiet: it waits until the reader is idle.
        settled: it waits until no word of a sum is still to be written.
        cross: of a sum or a plain one, whether y is the register of the lane behind.
        scanned: of ``scan``, all registers of its table.
    """

    operation: str
    line: int
    d: str = ""
    x: str = ""
    y: str = ""
    other: str = ""
    choose: int = 0
    count: int = 0
    counter: str = ""
    test: str = ""
    long: frozenset[str] = frozenset()
    parts: int = 2
    target: int = 0
    pending: int = MOST_PENDING
    quiet: bool = False
    settled: bool = False
    cross: bool = False
    scanned: tuple[str, ...] = ()

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """Registers whose words it reads, of long ones all parts."""
        named = dict.fromkeys(
            each for each in (self.x, self.y, self.other, *self.scanned) if each not in ("", F, ONE)
        )
        if self.operation in ("rewind", "bits"):
            return self.sources
        return tuple(part for name in named for part in halves(name, self.long, self.parts))

    @property
    def sources(self) -> tuple[str, ...]:
        """Registers whose bits ``bits`` takes behind this ``rewind``, the lowest first."""
        base = self.x.partition(".")[0]
        if self.below:
            return halves(base, (base,), self.below + 1)
        return (self.x,) if self.x else ()

    @property
    def below(self) -> int:
        """Parts of a long register below the one that ``rewind`` begins with."""
        _, _, part = self.x.partition(".")
        return self.parts - 1 if self.x in self.long else int(part or 0)

    @property
    def writes(self) -> tuple[str, ...]:
        """Registers whose words it writes, likewise."""
        return halves(self.d, self.long, self.parts) if self.d else ()

    @property
    def whole(self) -> bool:
        """Whether it goes through the words of long numbers."""
        return self.d in self.long if self.d else bool(self.long)

    def over(self, word: int, words: int) -> int:
        """How many bits ``bits 8`` behind this ``rewind`` takes fewer; modulo 4 or 2, ``bits 4`` or 2."""
        whole = (self.count or words) + words * self.below
        return -whole * word % DIGITS[-1]

    def taken(self, over: int) -> int:
        """Bits that ``bits`` takes, with so many over."""
        return self.count - (over % self.count if self.count in DIGITS else 0)

    def times(self, counts: Mapping[str, int]) -> int:
        """How often the rows of a ``repeat`` run."""
        return counts[self.counter] if self.counter else self.count

    @property
    def feeds(self) -> bool:
        """Whether words of numbers go to the core or the port."""
        return self.operation == "mul" or self.operation in ENDS

    @property
    def square(self) -> bool:
        """Whether both operands are the same number."""
        return self.operation == "mul" and self.x == self.y


@dataclass(frozen=True)
class Program:
    """An assembled program.

    Attributes:
        rows: in order.
        slots: register to its place in the register file; ``q~`` and ``q'`` stand for places of a pair.
        numbers: registers that come with the context, in order.
        operands: where x and y go.
        entries: of each table, which stand from place 0 on; 0 without one.
        entry: row to begin with if the control is high.
        places: of the whole register file.
        contents: what each of the numbers is: its name, behind ``~`` if it comes in the core's domain.
        modulus: the number that sums are reduced by; ``""``: none.
        setup: row to begin with on a context; -1: there is none.
        own: rows that run on a context.
        longs: registers that are numbers of several places.
        counts: names of the counts of ``repeat`` that come with the context, and how each is found.
        digit: bits of the digit of ``acc``; 0: there is none.
        lanes: that take the rows, 1 to 4.
        kept: whether the rows stay in their order, and registers in places of their own.
        batch: numbers of a register, with which each row does the same.
    """

    rows: tuple[Row, ...]
    slots: Mapping[str, int] = field(hash=False)
    numbers: tuple[str, ...]
    operands: tuple[str, str]
    entries: int
    entry: int
    places: int
    contents: tuple[str, ...] = ()
    modulus: str = ""
    setup: int = -1
    own: frozenset[int] = frozenset()
    longs: tuple[str, ...] = ()
    counts: tuple[tuple[str, str], ...] = ()
    digit: int = 0
    lanes: int = 1
    kept: bool = False
    batch: int = 1

    @property
    def parts(self) -> int:
        """Places of a long register: two, or as many as there are lanes."""
        return max(self.lanes, 2)

    @property
    def table(self) -> tuple[str, ...]:
        """Registers that ``scan`` reads."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.scanned))

    @property
    def bits(self) -> bool:
        """Whether bits are taken."""
        return any(row.operation == "bits" for row in self.rows)

    @property
    def plain(self) -> bool:
        """Whether it needs the unit for plain sums."""
        return bool(self.longs) or any(row.operation in PLAIN for row in self.rows)

    @property
    def rewinds(self) -> bool:
        """Whether bits come from other registers than the second operand."""
        return any(row.operation == "rewind" for row in self.rows)

    @property
    def width(self) -> int:
        """How many numbers' words go through the ports: 1 without long ones there."""
        ends = (name for row in self.rows if row.operation in ENDS for name in (row.x, row.other))
        return 1 if set(self.longs).isdisjoint((*self.operands, *ends)) else self.parts

    @property
    def sums(self) -> bool:
        """Whether it needs the unit for sums."""
        return any(row.operation in SUMS for row in self.rows)

    @property
    def adds(self) -> bool:
        """Whether it does with the operands, too."""
        return any(row.operation in SUMS for at, row in enumerate(self.rows) if at not in self.own)

    @property
    def flags(self) -> bool:
        """Whether it has a flag."""
        return any(row.operation in TESTS or row.test for row in self.rows)

    @property
    def ahead(self) -> int:
        """Registers between the tables of rows and the fetch: a long table is many levels of logic.

        With several lanes what a row waits for comes from far, and one of them is enough.
        """
        return 1 if self.lanes > 1 else 2 if len(self.rows) > ROWS_AT_ONCE else 0

    @property
    def doubles(self) -> bool:
        """Whether one of its sums doubles a number."""
        return any(row.operation == "twice" for row in self.rows)

    @property
    def repeats(self) -> int:
        """Bits of the counter of ``repeat``; 0 without one."""
        return max(
            ((row.count - 1).bit_length() for row in self.rows if row.operation == "repeat"), default=0
        )

    @property
    def slot_bits(self) -> int:
        """Bits of a place; with several numbers so many that a row holds the bits that are taken for all."""
        taken = max((row.count for row in self.rows if row.operation == "bits"), default=0) * self.batch
        return max((self.places - 1).bit_length(), 1, taken.bit_length() - 1 if self.batch > 1 else 0)

    @property
    def row_bits(self) -> int:
        """Bits of a row in the hardware."""
        return 15 + 3 * (self.slot_bits + 1) + (self.lanes > 1) + self.sums + 8 * self.plain

    def encode(self) -> int:
        """The rows as ``mm_engine_sequencer`` has them, the first in the lowest bits."""
        text = 0
        for at, row in enumerate(self.rows):
            text |= self._encode(row) << (at * self.row_bits)
        return text

    def _encode(self, row: Row) -> int:
        bits = self.slot_bits + 1

        def register(name: str) -> int:
            if name in ("", F, ONE):
                return 0
            if name[-1] in "~'":
                return 1 << self.slot_bits | self.slots[name]
            return self.slots[name]

        def source(name: str) -> int:
            return {F: 2, ONE: 3}.get(name, 1 if second and name == row.y else 0)

        second = not row.choose and row.y not in (row.x, F, ONE) and row.x not in (F, ONE)
        in_memory = [name for name in (row.x, row.y) if name not in ("", F, ONE)]
        a = register((in_memory or row.scanned)[0]) if in_memory or row.scanned else row.count
        b = register(row.other) if row.choose else register(row.y) if second else 0
        plain = row.operation in ENDS and row.x in row.long and 1 << 7
        d = register(row.d)
        if row.operation in TURNS:
            b, d = row.target % (1 << bits), row.target >> bits
        how: tuple[tuple[int, int], ...] = (
            (source(row.x), 2),
            (source(row.y), 2),
            (row.choose, 2),
            (row.square or row.operation == "release", 1),
            (row.operation == READY or (row.operation == "mul" and bool(row.d)), 1),
            (a, bits),
        )
        if row.operation in SUMS:
            test = TESTS.get(row.operation, 0)
            how = (({"add": 0, "twice": 2}.get(row.operation, 1), 2), (test, 6), (register(row.x), bits))
            b = register(row.y)
        elif row.operation in PLAIN:
            how = ((3, 2), (0, 2), (row.choose, 2), (0, 1), (bool(row.d), 1), (register(row.x), bits))
            b = register(row.other or row.y)
            plain = tuple(PLAIN).index(row.operation) + 1
            plain |= (row.x in row.long) << 3 | (row.y in row.long) << 4
            plain |= ("", *PLAIN_TESTS).index(row.test) << 5 | row.whole << 7
        elif row.operation == "rewind":
            exponent = row.x == self.operands[1] and not row.long
            how = ((0, 4), (bool(row.count) | exponent << 1, 2), (2, 2))
            how = (*how, (register(row.sources[-1]), bits))
            plain = bool(row.below) << 7
            first = max(row.count - 1, 0)
            b, d = first % (1 << bits), first >> bits
        elif row.operation == "bits":
            how = ((0, 8), (row.count * self.batch, bits))
        elif row.counter:
            index = [name for name, _ in self.counts].index(row.counter)
            how = ((0, 8), (1 << self.slot_bits | index, bits))
        elif row.operation == "repeat":
            how = ((row.count - 1, 8 + bits - bool(self.counts)), (0, int(bool(self.counts))))
        fields = (
            (CODES[row.operation], 3),
            (row.pending, 3),
            (row.quiet, 1),
            *how,
            (b, bits),
            (d, bits),
            *(((row.cross, 1),) if self.lanes > 1 else ()),
            *(((row.settled, 1),) if self.sums else ()),
            *(((plain, 8),) if self.plain else ()),
        )
        value = place = 0
        for present, size in fields:
            if not 0 <= int(present) < 1 << size:
                raise ProgramError(
                    f"line {row.line}: {present} does not fit into {size} bits of a row; "
                    "take fewer bits at once, fewer rows or more registers"
                )
            value |= int(present) << place
            place += size
        return value
