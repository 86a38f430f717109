# SPDX-License-Identifier: Apache-2.0
"""The assembler of ``mm_engine``: from the text of a program to its rows, its registers and its cycles.

A program is text, a row a line, with labels and comments behind ``;``::

    .table   t 4           ; registers t0 ... t3, which scan reads; .table t u 4: also those of u, u0 ... u3
    .number  t0=one r2     ; registers that come with the context, in this order: below
    .operand x e           ; where the operands go; the digits are taken from e
    .entry   product       ; where the engine begins if its control is high
    .setup   constants     ; where it begins on a context, before the last word of that is taken
    .modulus m             ; which of the numbers sums are reduced by
    .lanes   2             ; 2 to 4 lanes take the same rows at the same time, each with numbers of its own
    .keep                  ; rows stay in this order, and no two registers share a place

    main:
        mul   t1, x, r2    ; d = a * b by the core; "-" for d: the result is only in f
        mul   -, f, f      ; f is the latest result, 1 is the number 1
        bits  first        ; bits of e into the digit: as many as the context says, or a number
        scan  s            ; s = t[digit], found by reading all of t; scan s, u: u[digit]
        jump  test
    round:  ...
        mul   q~, f, p~    ; two registers that change places in every round
        mul   -, a?b, a?b  ; b in place of a if the last two bits of the digit differ; a!b: if the last is 1
    test:
        loop  round        ; while rounds are left
        add   s, t1, x     ; s = t1 + x, reduced; sub s, t1, x: the difference. Registers alone
        sub   s, t1, @x    ; x of the lane behind, the first one behind the last; so in add, less, equal,
                           ; plus and minus
        twice s, x, t      ; s = 2 x; t is the number top
        less  s, x         ; the flag: s < x; equal s, x: s = x
        mul   -, a^b, a^b  ; b in place of a if the flag is 1
        release s, z       ; the end as with out: s if the flag is 1, otherwise z, and the error output rises
        repeat 3, test     ; the rows from test to here three times in all; or a count: .count
        out   f            ; to the result port, and the end
    constants:
        add   r2, r2, r2
        loop  constants    ; here while rounds of the context's are left, a number of its own
        ready              ; the end of the rows that run on a context

``q~`` names a pair of registers that change places with every round: ``q~`` is the one that this round
writes, ``q'`` the one that the round before has written. ``repeat`` leaves them in place. There is one
counter for it, so none may stand in the rows of another, and no row may leave them otherwise.

Plain sums have no modulus; what does not fit into d is dropped. A register of ``.long`` holds a number of
twice the words; on three or four lanes, of as many times the words. It is one for plain sums, ``out`` and
``release``, and two or more for all others: s.0, the lowest part, s.1, …::

    .long    s                 ; also of a number of the context, or of an operand
    .count   steps=bits/2      ; how often: (A*UNIT+B)/C, rounded up; UNIT: bits or words of a number, or n

        rewind h               ; bits come from h, from the top; rewind h, 2: from its second word from below;
                               ; of a long register, of that of its upper part; rewind s.1, 2: of that of
                               ; s.1; the parts below come behind it;
                               ; the first bits 2, 4 or 8 takes fewer if those behind it come out even so
    digit:
        bits  2
        acc   s, s, q          ; s = 4 s + digit q: 2^w s by the w bits of the bits row before it: 1, 2, 4, 8
        repeat steps, digit
        plus  d, a, b          ; d = a + b; minus d, a, b
        minus d, a, 0^b        ; b only if the flag is 1, otherwise d = a; also 0?b and 0!b
        half  d, a             ; shifted right by a bit
        minus -, a, b, ^       ; the flag: the carry, the borrow or the bit shifted out
        plus  d, a, b, =       ; the flag: whether d = 0
        move  d, a^b           ; a, or b if the flag is 1; also a?b, a!b, and move d, a; half d, a^b

``.number NAME`` is a register and the number in it: one that the engine knows (``engine.KNOWN``), or one that
whoever runs the program gives. ``.number ~NAME`` is the same in the core's domain, NAME R mod M, and
``.number REGISTER=NAME`` gives the register another name; there, NAME can be a number itself.
``-`` as the second operand: there is none.

Rows behind ``.setup`` find the numbers of the context, and change registers or add some. Others find what
those have written on every way, if none of them writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from modmul.systems.checking import (
    DIRECTIVES,
    NUMBER,
    PLAIN,
    ProgramError,
    check_count,
    check_directive,
    check_ends,
    check_longs,
    check_names,
    check_setup,
    check_words,
    reachable,
    short,
)
from modmul.systems.checking import TESTS as PLAIN_TESTS

__all__ = ["Lane", "Program", "ProgramError", "Row", "assemble", "run", "waiting"]

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
IDLE = "(idle)"
"""Stands among the registers with a value while no scan can be running."""
CALM = "(calm)"
"""Likewise while neither a scan can be running nor a plain sum that writes where bits come from."""
WRITTEN = "="
"""In front of a register: the operation that writes it, on some way at least."""
COMING = "=words of "
"""Likewise, while the words of its result may be on their way."""
FLAG = "^"
CHOICES = {"?": 1, "!": 2, FLAG: 3}
CROSS = "@"
"""Before a register of the other lane, the last one of a sum."""
CROSSED = ("plus", "minus")
"""The plain sums that take one."""


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


# --- from text to rows ------------------------------------------------------------------------------


def assemble(text: str, *, long: int = 1) -> Program:
    """Assemble a program.

    Args:
        text: as the module says.
        long: places that the second operand takes, a power of two.

    Raises:
        ProgramError: with the line and the reason.
    """
    labels: dict[str, int] = {}
    tables: tuple[str, ...] = ()
    entries, entry, setup = 0, "", ""
    numbers: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()
    operands = ("", "")
    seen: dict[str, int] = {}
    modulus, lanes = "", 1
    longs: tuple[str, ...] = ()
    counts: dict[str, str] = {}
    lines: list[tuple[int, str, list[str]]] = []
    for number, full in enumerate(text.splitlines(), 1):
        line = full.partition(";")[0].strip()
        while match := re.match(r"(\w+):\s*", line):
            if match[1] in labels:
                raise ProgramError(f"line {number}: the label {match[1]} is there twice; rename one of them")
            labels[match[1]] = len(lines)
            line = line[match.end() :]
        if not line:
            continue
        name, *rest = line.split(maxsplit=1)
        words = " ".join(rest).replace(",", " ").split()
        if name.startswith("."):
            check_directive(number, name, words, seen)
        if name == ".table":
            tables, entries = tuple(words[:-1]), int(words[-1])
        elif name == ".number":
            found = [match for word in words if (match := re.fullmatch(NUMBER, word, re.ASCII))]
            numbers += tuple(match["register"] or match["name"] for match in found)
            contents += tuple(match["domain"] + match["name"] for match in found)
        elif name == ".operand":
            operands = words[0], words[1]
        elif name == ".entry":
            entry = words[0]
        elif name == ".setup":
            setup = words[0]
        elif name == ".modulus":
            modulus = words[0]
        elif name == ".lanes":
            lanes = int(words[0])
        elif name == ".long":
            longs += tuple(words)
        elif name == ".count":
            for word in words:
                count = word.partition("=")[0]
                if count in counts:
                    raise ProgramError(f"line {number}: the count {count} is there twice; leave one of them")
                counts[count] = word
        elif name in OPERATIONS:
            lines.append((number, name, words))
        elif name not in DIRECTIVES:
            takes = f"{', '.join((*OPERATIONS, *DIRECTIVES))}; a label ends in a colon"
            raise ProgramError(f"line {number}: there is no {short(name)}; there is {takes}")
    if not operands[0]:
        raise ProgramError("the program does not say where its operands go: .operand X Y")

    def label(number: int, name: str) -> int:
        if name not in labels:
            raise ProgramError(f"line {number}: there is no label {name}; write {name}: before a row")
        return labels[name]

    rows = tuple(_row(number, name, words, label, counts) for number, name, words in lines)
    if not rows or rows[-1].operation not in (*STOPS, "jump"):
        where = f"line {rows[-1].line}: " if rows else ""
        raise ProgramError(f"{where}the last row must be out, release or jump; end the program with out f")
    if not numbers:  # the hardware takes at least one; no row can name this one
        numbers, contents = ("()",), ("one",)
    scans = [row.line for row in rows if row.operation == "scan"]
    in_tables = {table: tuple(f"{table}{index}" for index in range(entries)) for table in tables}
    scanned = [name for table in tables for name in in_tables[table]]
    check_names(seen, numbers, contents, operands, scanned, scans, modulus)
    longs, parts = tuple(dict.fromkeys(longs)), max(lanes, 2)
    check_longs(seen, longs, numbers, contents, scanned, modulus)
    contents = tuple(
        part
        for name, content in zip(numbers, contents, strict=True)
        for part in (halves(content, (content,), parts) if name in longs else (content,))
    )
    numbers = tuple(part for name in numbers for part in halves(name, longs, parts))
    rows = tuple(_with_longs(_with_table(row, in_tables), longs, parts) for row in rows)
    _check_sums(rows, modulus, lanes)
    _check_repeats(rows)
    slots, places = _place(rows, scanned, numbers, operands, long, longs, parts)
    begin = label(seen[".entry"], entry) if entry else 0
    before = label(seen[".setup"], setup) if setup else -1
    own = frozenset(reachable(rows, (before,)) if setup else ())
    check_setup(rows, (0, begin), own)
    check_ends(rows, (before,) if setup else ())
    rows = _with_sources(rows, (0, begin), operands[1], longs)
    made = Program(
        rows,
        slots,
        numbers,
        operands,
        entries,
        begin,
        places,
        contents,
        modulus,
        before,
        own,
        longs,
        tuple(counts.items()),
        _digit(rows),
        lanes,
        ".keep" in seen,
    )
    made = waiting(made)
    check_ends(rows, (0, begin))
    made.encode()
    return made


def waiting(program: Program) -> Program:
    """The program, each row with what it has to wait for: after a change of their order or of places.

    Raises:
        ProgramError: a register, the flag or f is read before it is written on some way.
    """
    rows, begins = _by_place(program), (0, program.entry)
    known = frozenset(program.numbers)
    coming = frozenset(
        part for name in program.operands for part in halves(name, program.longs, program.parts)
    )
    scheduled = rows
    if program.setup >= 0:
        first, written = _schedule(rows, (program.setup,), known)
        known |= written - {
            name for at, row in enumerate(rows) if at not in program.own for name in row.writes
        }
    scheduled, _ = _schedule(rows, begins, known | coming)
    waits = (first[at] if at in program.own else row for at, row in enumerate(scheduled))
    return replace(
        program,
        rows=tuple(
            _marked(row, each.pending, each.quiet, each.settled)
            for row, each in zip(program.rows, waits, strict=True)
        ),
    )


def _by_place(program: Program) -> tuple[Row, ...]:
    """The rows with one name for each place, the first of those that share it."""
    first: dict[int, str] = {}
    for name, place in program.slots.items():
        if name not in program.longs:
            first.setdefault(place, name)
    names = {name: first[place] for name, place in program.slots.items() if name not in program.longs}

    def named(row: Row) -> Row:
        there = row.d, row.x, row.y, row.other
        d, x, y, other = found = tuple(names.get(name, name) for name in there)
        return row if found == there else replace(row, d=d, x=x, y=y, other=other)

    return tuple(map(named, program.rows))


def halves(name: str, longs: Container[str], parts: int) -> tuple[str, ...]:
    """A register as those of one place that it consists of."""
    return tuple(f"{name}.{part}" for part in range(parts)) if name in longs else (name,)


def _with_table(row: Row, tables: Mapping[str, tuple[str, ...]]) -> Row:
    """A row, one of ``scan`` with all registers of its table, the first one where it names none.

    Raises:
        ProgramError: there is no such table.
    """
    if row.operation != "scan":
        return row
    name = row.x or next(iter(tables))
    if name not in tables:
        raise ProgramError(f"line {row.line}: there is no table {short(name)}; there is {', '.join(tables)}")
    return replace(row, x="", scanned=tables[name])


def _with_longs(row: Row, longs: Sequence[str], parts: int) -> Row:
    """A row with what it has of long registers.

    Raises:
        ProgramError: they are none of its business, or it takes half of a register that has none.
    """
    names = [name for name in (row.d, row.x, row.y, row.other) if name]
    for name in names:
        base, point, part = name.partition(".")
        if point and base not in longs:
            raise ProgramError(f"line {row.line}: {base} has no parts; let it be long: .long {base}")
        if point and int(part) >= parts:
            raise ProgramError(f"line {row.line}: the last part of {base} is {base}.{parts - 1}")
    found = frozenset(names).intersection(longs)
    if found and row.operation not in (*PLAIN, *ENDS, "rewind"):
        name = min(found)
        raise ProgramError(f"line {row.line}: {name} is long; {row.operation} takes {name}.0 or {name}.1")
    if row.operation in (*ENDS, "move", "half"):
        several = {name in found for name in (row.x, row.other) if name}
        if len(several) > 1:
            raise ProgramError(f"line {row.line}: {row.other} and {row.x} must both be .long, or neither")
    if row.operation in PLAIN and found and row.d and row.d not in found:
        name = min(found)
        raise ProgramError(
            f"line {row.line}: {name} is long, {row.d} is not; take {name}.0, or .long {row.d}"
        )
    return replace(row, long=found, parts=parts)


def _with_sources(
    rows: Sequence[Row], begins: Sequence[int], operand: str, longs: Sequence[str]
) -> tuple[Row, ...]:
    """The rows, those of ``bits`` with the register that the bits come from.

    Raises:
        ProgramError: there is none, or several, depending on the way.
    """
    found: dict[int, set[str]] = {}
    todo = [(begin, "" if operand in longs else operand) for begin in begins]
    while todo:
        at, source = todo.pop()
        if at >= len(rows) or source in found.setdefault(at, set()):
            continue
        found[at].add(source)
        row = rows[at]
        if row.operation == "rewind":
            source = row.x
        if row.operation in TURNS:
            todo.append((row.target, source))
        if row.operation != "jump" and row.operation not in ENDS:
            todo.append((at + 1, source))
    made = []
    for at, known in enumerate(rows):
        row = known
        if row.operation == "bits":
            sources = sorted(found.get(at, {operand}))
            if sources[0] == "":
                raise ProgramError(f"line {row.line}: say which register the bits are of: rewind {operand}")
            if len(sources) > 1:
                names = " and of ".join(sources)
                raise ProgramError(f"line {row.line}: bits are those of {names}; rewind before it")
            row = replace(row, x=sources[0], long=frozenset(sources).intersection(longs))
        made.append(row)
    return tuple(made)


def _digit(rows: Sequence[Row]) -> int:
    """Bits of the digit of ``acc``.

    Raises:
        ProgramError: the rows do not say, or differ.
    """
    digit, taken = 0, 0
    for row in rows:
        if row.operation == "bits":
            taken = row.count
        elif row.operation == "acc":
            if taken not in DIGITS:
                raise ProgramError(f"line {row.line}: acc takes the digit of 'bits 1', 2, 4 or 8 before it")
            if digit not in (0, taken):
                raise ProgramError(f"line {row.line}: digits of acc have {taken} bits here, {digit} before")
            digit = taken
    return digit


def _check_sums(rows: Sequence[Row], modulus: str, lanes: int) -> None:
    for row in rows:
        if row.cross and lanes == 1:
            raise ProgramError(f"line {row.line}: {CROSS}{row.y} is for programs on several lanes: .lanes 2")
        if row.operation in SUMS and not modulus:
            raise ProgramError(
                f"line {row.line}: {row.operation} needs a modulus, a number of the context: .modulus m"
            )
        if row.d and row.d == modulus:
            raise ProgramError(f"line {row.line}: {modulus} is the modulus, which nothing may write")


def _check_repeats(rows: Sequence[Row]) -> None:
    for at, row in enumerate(rows):
        if row.operation != "repeat":
            continue
        if row.target > at:
            raise ProgramError(f"line {row.line}: repeat goes back, to a label before it")
        for inner in rows[row.target : at]:
            if inner.operation == "repeat":
                raise ProgramError(
                    f"line {inner.line}: this repeat is in the rows of another, line {row.line}"
                )
            if inner.operation in TURNS and not row.target <= inner.target <= at:
                raise ProgramError(f"line {inner.line}: {inner.operation} leaves the rows of a repeat")


def _row(
    number: int, name: str, words: list[str], label: Callable[[int, str], int], counts: Container[str]
) -> Row:
    expected = {
        "mul": 3,
        "add": 3,
        "sub": 3,
        "twice": 3,
        "less": 2,
        "equal": 2,
        "repeat": 2,
        "release": 2,
        READY: 0,
    }.get(name, 1)
    if name in PLAIN or name in ("rewind", "scan"):
        check_count(number, name, words)
    elif len(words) != expected:
        raise ProgramError(f"line {number}: {name} takes {expected} names, not {len(words)}")
    last = 2 if name in CROSSED else len(words) - 1  # of the registers
    cross = name in (*SUMS, *CROSSED) and words[last].startswith(CROSS)
    words = [*words[:last], words[last].removeprefix(CROSS), *words[last + 1 :]] if cross else words
    check_words(number, name, words)
    if name == READY:
        return Row(name, number)
    if name == "mul":
        d, x, y = words
        if y == ONE:  # which is for x alone in the hardware
            x, y = y, x
        row = Row(name, number, d="" if d == "-" else d)
        for mark, choose in CHOICES.items():
            if mark in y:
                first, second = y.split(mark)
                if x not in (y, F, ONE):
                    raise ProgramError(f"line {number}: a choice is for both operands, or beside f or 1")
                return replace(row, x=first if x == y else x, y=first, other=second, choose=choose)
        return replace(row, x=x, y=y)
    if name in SUMS or name == "release":
        for word in words:
            if not re.fullmatch(r"[^\W\d]\w*(?:[~']|\.[0-3])?", word) or word == F:
                raise ProgramError(f"line {number}: {name} takes registers alone, not {word}")
        if name == "release":
            return Row(name, number, x=words[1], other=words[0], choose=CHOICES[FLAG])
        return Row(name, number, d="" if name in TESTS else words[0], x=words[-2], y=words[-1], cross=cross)
    if name == "rewind":
        return Row(name, number, x=words[0], count=int(words[1]) if len(words) > 1 else 0)
    if name in PLAIN:
        d, x, *others = words[: PLAIN[name]]
        test = words[PLAIN[name]] if len(words) > PLAIN[name] else ""
        d, y = "" if d == "-" else d, others[0] if others else ""
        row = Row(name, number, d=d, x=x, y=y, test=test, cross=cross)
        for mark, choose in CHOICES.items():
            if mark in x:
                first, second = x.split(mark)
                return replace(row, x=first, other=second, choose=choose)
            if mark in row.y:
                return replace(row, y=row.y.split(mark)[1], choose=choose)
        return row
    if name == "repeat" and words[0] in counts:
        return Row(name, number, counter=words[0], target=label(number, words[1]))
    if name == "repeat":
        if not words[0].isdecimal() or int(words[0]) < 1:
            raise ProgramError(f"line {number}: repeat takes a number from 1 on, not {words[0]}")
        return Row(name, number, count=int(words[0]), target=label(number, words[1]))
    if name == "out":
        return Row(name, number, x=words[0])
    if name == "scan":
        return Row(name, number, d=words[0], x=words[1] if len(words) > 1 else "")
    if name == "bits":
        return Row(name, number, count=0 if words[0] == "first" else int(words[0]))
    return Row(name, number, target=label(number, words[0]))


def _place(
    rows: Sequence[Row],
    scanned: Sequence[str],
    numbers: Sequence[str],
    operands: tuple[str, str],
    long: int,
    longs: Sequence[str],
    parts: int,
) -> tuple[dict[str, int], int]:
    """A place for each register: tables from 0, the second operand last.

    Pairs and long registers are at places that 2 divides; long ones of three or four at those that 4 does.
    """
    slots = {name: index for index, name in enumerate(scanned)}
    at = len(scanned)
    aligned = 1 << (parts - 1).bit_length()
    named = [*numbers, *halves(operands[0], longs, parts)]
    named += [name for row in rows for name in (*row.writes, *row.reads)]
    last = halves(operands[1], longs, parts)
    for name in dict.fromkeys(each for each in named if each[-1] in "~'"):
        pair = name[:-1]
        if f"{pair}~" not in slots:
            at += at % 2
            slots[f"{pair}~"], slots[f"{pair}'"] = at, at + 1
            at += 2
    for base in dict.fromkeys(each[:-2] for each in named if each[-2:-1] == "."):
        if base != operands[1]:
            at += -at % aligned
            slots[base] = at
            slots |= {name: at + part for part, name in enumerate(halves(base, (base,), parts))}
            at += parts
    for name in dict.fromkeys(named):
        if name not in slots and name not in last:
            slots[name] = at
            at += 1
    long = max(long, aligned if len(last) > 1 else 1)
    at = -(-at // long) * long
    slots[operands[1]] = at
    slots |= {name: at + part for part, name in enumerate(last)}
    return slots, at + long


# --- what has to wait for what ----------------------------------------------------------------------

State = tuple[dict[str, int], frozenset[str]]


def _schedule(
    rows: Sequence[Row], begins: Sequence[int], known: frozenset[str]
) -> tuple[tuple[Row, ...], frozenset[str]]:
    """The rows with what each has to wait for, on every way through the program.

    Also the registers that have a value at every ``ready``; pairs, which change places, are not among them.

    A state is, for each register with a value, how many operations have begun behind the one that writes it:
    at least so many results are still to come while it has not been written; and the registers that a sum
    may be about to write.

    Raises:
        ProgramError: a register, or f, is read before it is written on some way.
    """
    states: dict[int, State] = {}
    sources = {name for row in rows if row.operation == "bits" for name in row.reads}
    todo: list[tuple[int, State]] = [
        (begin, (dict.fromkeys((*known, IDLE, CALM), MOST_PENDING), frozenset())) for begin in begins
    ]
    while todo:
        at, (state, open_sums) = todo.pop()
        if at >= len(rows):
            raise ProgramError(
                f"line {rows[-1].line}: the program goes on behind its last row; end it with out"
            )
        before = states.get(at)
        if before is not None:
            state = _either(before[0], state)
            open_sums |= before[1]
            if (state, open_sums) == before:
                continue
        states[at] = state, open_sums
        row, after = rows[at], dict(state)
        if _settled(row, open_sums):
            open_sums = frozenset()
        if row.operation == "mul":
            after = {name: behind + (behind < MOST_PENDING) for name, behind in after.items()}
            after[F] = MOST_PENDING
            if row.d:
                after[row.d] = after[WRITTEN + row.d] = after[COMING + row.d] = 0
        elif row.operation == "scan":
            after[row.d] = MOST_PENDING
        elif row.operation in SUMS:
            after[row.d or FLAG] = MOST_PENDING
            open_sums |= {row.d or FLAG}
        elif row.operation in PLAIN:
            after |= dict.fromkeys((*row.writes, *([FLAG] if row.test else [])), MOST_PENDING)
        if row.operation in (READY, "scan", *PLAIN):  # it waits until no words come
            after = {name: behind for name, behind in after.items() if not name.startswith(COMING)}
        if row.operation == "scan" or row.operation in PLAIN:
            after.pop(IDLE, None)
            if row.operation == "scan" or not sources.isdisjoint(row.writes):
                after.pop(CALM, None)
            else:
                after[CALM] = MOST_PENDING
        elif (row.reads or row.d) and not _beside(row, state):
            after[IDLE] = after[CALM] = MOST_PENDING
        if row.operation == "loop":
            turned = {_turned(name): behind for name, behind in after.items()}
            todo.append((row.target, (turned, frozenset(map(_turned, open_sums)))))
        if row.operation in ("jump", "repeat"):
            todo.append((row.target, (after, open_sums)))
        if row.operation != "jump" and row.operation not in STOPS:
            todo.append((at + 1, (after, open_sums)))
    nothing: State = {}, frozenset()
    known_at_ready = [{*state} for at, (state, _) in states.items() if rows[at].operation == READY]
    kept = set.intersection(*known_at_ready) if known_at_ready else set()
    return (
        tuple(_waiting(row, states.get(at, nothing)) for at, row in enumerate(rows)),
        frozenset(name for name in kept - {F, FLAG, IDLE, CALM} if name[-1] not in "~'"),
    )


def _either(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """What is known where two ways meet: what is on both, and what either of them may be about to write."""
    found = {
        name: min(behind, one.get(name, behind))
        for name, behind in other.items()
        if name in one or name.startswith(WRITTEN)
    }
    for name in one.keys() - other.keys():
        if name.startswith(WRITTEN):
            found[name] = one[name]
    return found


def _beside(row: Row, state: Mapping[str, int]) -> bool:
    """Whether a row takes bits while a plain sum runs, which has its digit already."""
    return row.operation == "bits" and IDLE not in state and CALM in state


def _settled(row: Row, open_sums: frozenset[str]) -> bool:
    """Whether a row has to wait until all sums have been written.

    It does if it touches a register of theirs. A sum does not for writing one again: sums are written in
    order. A scan would write at the same time, and behind the last row others write.
    """
    if row.operation == "scan" or row.operation in (*STOPS, *PLAIN):
        return bool(open_sums)
    touched = {*row.reads, *_flag(row)}
    if row.operation not in SUMS:
        touched.add(row.d)
    return not open_sums.isdisjoint(touched)


def _turned(name: str) -> str:
    return f"{name[:-1]}'" if name[-1] == "~" else f"{name[:-1]}~" if name[-1] == "'" else name


def _flag(row: Row) -> tuple[str, ...]:
    return (FLAG,) if row.choose == CHOICES[FLAG] else ()


def _waiting(row: Row, known: State) -> Row:
    state, open_sums = known
    reads = row.reads
    sources = [*reads, *(name for name in (row.x, row.y) if name == F), *_flag(row)]
    for name in sources:
        if state and name not in state:
            what = "the flag" if name == FLAG else name
            how = "or let it come by .number or .operand"
            how = "by less, equal or a plain sum with ^ or =" if name == FLAG else how
            raise ProgramError(
                f"line {row.line}: {what} is read before it is written; "
                f"write it on every way to this line, {how}"
            )
    if row.operation == "rewind" and any(COMING + name in state for name in reads):
        raise ProgramError(
            f"line {row.line}: bits of {row.x} begin with its last word, which may still be on its way; "
            "put a plain sum or a scan between its product and rewind"
        )
    pending = min((state.get(name, MOST_PENDING) for name in reads), default=MOST_PENDING)
    # These write while results come: those that write, too, have come before.
    if row.operation == "scan" or row.operation in PLAIN:
        written = (behind for name, behind in state.items() if name.startswith(WRITTEN))
        pending = min((pending, *written))
    if row.operation in SUMS and row.d:  # results that write the same register have come before
        pending = min(pending, state.get(WRITTEN + row.d, MOST_PENDING))
    if row.operation == "mul":
        pending = min(pending, MOST_PENDING - 1)
    if row.operation in STOPS and row.x != F:  # at the end nothing is still to come, read or not
        pending = 0
    settled = _settled(row, open_sums)
    quiet = bool(reads) or bool(row.d) or settled or row.operation == "scan"
    quiet = quiet and not _beside(row, state)
    quiet = quiet or (row.operation in STOPS and IDLE not in state)
    return _marked(row, pending, quiet, settled)


def _marked(row: Row, pending: int, quiet: bool, settled: bool) -> Row:
    """A row with what it has to wait for; most keep it when others change places."""
    if (row.pending, row.quiet, row.settled) == (pending, quiet, settled):
        return row
    return replace(row, pending=pending, quiet=quiet, settled=settled)


# --- what a program computes ------------------------------------------------------------------------


@dataclass(frozen=True)
class Lane:
    """What one lane of the engine computes with.

    Attributes:
        values: of the context's numbers and the operands, by register.
        product: what the core computes.
        digits: begins anew with the bits of the exponent from the top, from the first word's highest bit on.
        wrote: told of each number that a row writes: the row, the place, the number. What comes in has the
            row -1; rows that run on a context are not told.
    """

    values: Mapping[str, int]
    product: Callable[[int, int], int]
    digits: Callable[[], Iterator[int]]
    wrote: Callable[[int, int, int], None] = lambda _row, _place, _number: None


Result = tuple[int, dict[str, int]]
"""The number that leaves, and all registers by place."""


def run(
    program: Program,
    lanes: Sequence[Lane],
    rounds: int,
    *,
    first: int,
    word: int,
    words: int,
    counts: Mapping[str, int],
    control: bool = False,
    binary: bool = False,
    setup_rounds: int = 0,
) -> list[Result]:
    """What the engine computes, row by row, in each of its lanes, which take the same rows at the same time.

    The rows that run on a context come first, where there are some.

    Args:
        rounds: of the loop.
        first: bits that ``bits first`` takes.
        word: bits of a word.
        words: of a number.
        counts: how often rows are repeated, by name.
        control: whether it begins at the entry.
        binary: whether sums are those of GF(2^m).
        setup_rounds: of the loop in the rows that run on a context.
    """
    running = [
        _run(program, lane, rounds, setup_rounds, first, word, words, counts, control, binary)
        for lane in lanes
    ]
    heard: list[int | None] = [None] * len(running)
    while True:
        told: list[tuple[str, int]] = []
        results: list[Result] = []
        for each, answer in zip(running, heard, strict=True):
            try:
                told.append(each.send(answer))  # type: ignore[arg-type]
            except StopIteration as end:
                results.append(end.value)
        if results:
            return results
        said = [value for _, value in told]
        heard = [min(said)] * len(said) if told[0][0] == FLAG else [*said[1:], said[0]]


def _run(
    program: Program,
    lane: Lane,
    rounds: int,
    setup_rounds: int,
    first: int,
    word: int,
    words: int,
    counts: Mapping[str, int],
    control: bool,
    binary: bool,
) -> Generator[tuple[str, int], int, Result]:
    """A lane. It yields a number and gets that of the lane behind; or its flag, and gets that of all."""
    values, product, digits = lane.values, lane.product, lane.digits
    size = word * words
    registers: dict[str, int] = {}
    at, phase, digit, latest, flag = 0, 0, 0, 0, 0
    ceiling, repeats = values.get(program.modulus, 0), 0

    def place(name: str) -> str:
        return str(program.slots[name] ^ (phase if name[-1] in "~'" else 0))

    def value(row: Row, name: str) -> int:
        if name in (F, ONE, ""):
            return {F: latest, ONE: 1, "": 0}[name]
        chosen = (0, (digit ^ digit >> 1) & 1, digit & 1, flag)[row.choose]
        if row.choose and not row.other:  # b, or 0
            return values_of(row, name) if chosen or name != row.y else 0
        return values_of(row, row.other if chosen else name)

    def values_of(row: Row, name: str) -> int:
        parts = halves(name, row.long, program.parts)
        return sum(registers[place(part)] << at * size for at, part in enumerate(parts))

    def write(parts: Sequence[str], value: int) -> None:
        for part in parts:
            kept = value % (1 << size) if len(parts) > 1 else value
            registers[place(part)] = kept
            lane.wrote(at - 1, int(place(part)), kept)
            value >>= size

    for name, given in values.items():
        write(halves(name, program.longs, program.parts), given)
    if program.setup >= 0:
        before = replace(program, entry=program.setup, setup=-1)
        quiet = Lane(values, product, digits)
        _, made = yield from _run(before, quiet, setup_rounds, 0, first, word, words, counts, True, binary)
        registers |= made
    taken, over = digits(), 0
    at = program.entry if control else 0

    while (row := program.rows[at]).operation not in STOPS:
        at += 1
        if row.operation == "mul":
            latest = product(value(row, row.x), value(row, row.y))
            write(row.writes, latest)
        elif row.operation == "scan":
            write(row.writes, registers[place(row.scanned[digit % program.entries])])
        elif row.operation == "bits":
            for _ in range(row.taken(over) or first):
                digit = digit << 1 | next(taken)
            over = 0
        elif row.operation == "rewind":
            digit = 0
            exponent = row.x == program.operands[1] and not row.long
            tops = [place(part) for part in reversed(row.sources)]
            over = 0 if exponent else row.over(word, words)
            taken = digits() if exponent else _bits(registers, tops, word, words, row)
        elif row.operation in PLAIN:
            most = size * (program.parts if row.whole else 1)
            x, y = value(row, row.x), value(row, row.y)
            if row.cross:
                y = yield CROSS, y
            outcome, flag = _plain(row, x, y, digit, flag, program.digit, most)
            write(row.writes, outcome)
        elif row.operation in SUMS:
            x, y = value(row, row.x), value(row, row.y)
            if row.cross:
                y = yield CROSS, y
            if row.operation in TESTS:
                flag = int(x < y if row.operation == "less" else x == y)
                continue
            if row.operation == "twice":
                total = 2 * x - ceiling * (2 * x >= ceiling)
                if binary:
                    total = (2 * x ^ (ceiling if x & y else 0)) % (1 << size)
            elif binary:
                total = x ^ y
            elif row.operation == "add":
                total = x + y - ceiling * (x + y >= ceiling)
            else:
                total = x - y + ceiling * (x < y)
            write(row.writes, total)
        elif row.operation == "repeat":
            repeats = (repeats + 1) % row.times(counts)
            at = row.target if repeats else at
        elif row.operation == "jump":
            at = row.target
        elif rounds:  # loop
            at, rounds, phase = row.target, rounds - 1, phase ^ 1
    if row.operation == "release":
        flag = yield FLAG, flag
    return value(row, row.x) if row.x else 0, registers


def _bits(
    registers: Mapping[str, int], places: Sequence[str], word: int, words: int, row: Row
) -> Iterator[int]:
    """Bits of a register, from the top; a word is read when its first bit is taken."""
    if row.count > words:
        raise ValueError(f"line {row.line}: rewind {row.x}, {row.count}: a number has {words} words")
    for at, place in enumerate(places):
        for beat in reversed(range(row.count if row.count and not at else words)):
            held = registers[place] >> beat * word
            yield from (held >> bit & 1 for bit in reversed(range(word)))
    raise ValueError(f"line {row.line}: more bits are taken of {row.x} than its {word * words * len(places)}")


def _plain(row: Row, x: int, y: int, digit: int, flag: int, taken: int, most: int) -> tuple[int, int]:
    """What a plain sum of so many bits gives, and the flag behind it."""
    carry = 0
    if row.operation == "acc":
        x = (x << taken) + digit % (1 << taken) * y
    elif row.operation == "plus":
        x += y
        carry = x >> most
    elif row.operation == "minus":
        carry = int(x < y)
        x -= y
    elif row.operation == "half":
        carry, x = x & 1, x >> 1
    x %= 1 << most
    return x, int(x == 0) if row.test == "=" else carry if row.test else flag
