# SPDX-License-Identifier: Apache-2.0
"""The assembler of ``mm_engine``: from the text of a program to its rows, its registers and its cycles.

A program is text, a row a line, with labels and comments behind ``;``::

    .table   t 4           ; registers t0 ... t3, which scan reads
    .number  t0=one r2     ; registers that come with the context, in this order: below
    .operand x e           ; where the operands go; the digits are taken from e
    .entry   product       ; where the engine begins if its control is high

    main:
        mul   t1, x, r2    ; d = a * b by the core; "-" for d: the result is only in f
        mul   -, f, f      ; f is the latest result, 1 is the number 1
        bits  first        ; bits of e into the digit: as many as the context says, or a number
        scan  s            ; s = t[digit], found by reading all of t
        jump  test
    round:  ...
        mul   q~, f, p~    ; two registers that change places in every round
        mul   -, a?b, a?b  ; b in place of a if the last two bits of the digit differ; a!b: if the last is 1
    test:
        loop  round        ; while rounds are left
        out   f            ; to the result port, and the end

``q~`` names a pair of registers that change places with every round: ``q~`` is the one that this round
writes, ``q'`` the one that the round before has written.

``.number NAME`` is a register and the number in it: one that the engine knows (``engine.KNOWN``), or one that
whoever runs the program gives. ``.number ~NAME`` is the same in the core's domain, NAME R mod M, and
``.number REGISTER=NAME`` gives the register another name. ``-`` as the second operand: there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from modmul.systems.checking import (
    DIRECTIVES,
    NUMBER,
    ProgramError,
    check_directive,
    check_ends,
    check_names,
    check_words,
    short,
)

__all__ = ["Program", "ProgramError", "Row", "Unit", "assemble", "cycles", "multiplications", "run"]

OPERATIONS = ("mul", "out", "scan", "bits", "loop", "jump")
MOST_PENDING = 7
"""Results that may be still to come: the row of another operation waits until there are fewer."""

F, ONE = "f", "1"
IDLE = "(idle)"
"""Stands among the registers with a value while no scan can be running."""
CHOICES = {"?": 1, "!": 2}


@dataclass(frozen=True)
class Row:
    """A row of a program.

    Attributes:
        operation: one of :data:`OPERATIONS`.
        line: of the text, from 1.
        d: register written; ``""``: none.
        x, y: register, ``"f"`` or ``"1"`` that words come from; ``""``: none.
        other: register in place of the one at x, y if the digit says so.
        choose: 1 if the last two bits of the digit decide, 2 if the last one does.
        count: bits to take; 0: those of the context.
        target: row to go to.
        pending: the row waits until no more results than this are still to come.
        quiet: it waits until the reader is idle.
    """

    operation: str
    line: int
    d: str = ""
    x: str = ""
    y: str = ""
    other: str = ""
    choose: int = 0
    count: int = 0
    target: int = 0
    pending: int = MOST_PENDING
    quiet: bool = False

    @property
    def reads(self) -> tuple[str, ...]:
        """Registers whose words it reads."""
        return tuple(dict.fromkeys(each for each in (self.x, self.y, self.other) if each not in ("", F, ONE)))

    @property
    def feeds(self) -> bool:
        """Whether words of numbers go to the core or the port."""
        return self.operation in ("mul", "out")

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
        entries: of the table, from place 0 on; 0 without one.
        entry: row to begin with if the control is high.
        places: of the whole register file.
        contents: what each of the numbers is: its name, behind ``~`` if it comes in the core's domain.
    """

    rows: tuple[Row, ...]
    slots: Mapping[str, int] = field(hash=False)
    numbers: tuple[str, ...]
    operands: tuple[str, str]
    entries: int
    entry: int
    places: int
    contents: tuple[str, ...] = ()

    @property
    def slot_bits(self) -> int:
        """Bits of a place."""
        return max((self.places - 1).bit_length(), 1)

    @property
    def row_bits(self) -> int:
        """Bits of a row in the hardware."""
        return 15 + 3 * (self.slot_bits + 1)

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
        a = register(in_memory[0]) if in_memory else row.count
        b = register(row.other) if row.choose else register(row.y) if second else 0
        d = register(row.d)
        if row.operation in ("loop", "jump"):
            b, d = row.target % (1 << bits), row.target >> bits
        fields = (
            (OPERATIONS.index(row.operation), 3),
            (row.pending, 3),
            (row.quiet, 1),
            (source(row.x), 2),
            (source(row.y), 2),
            (row.choose, 2),
            (row.square, 1),
            (row.operation == "mul" and bool(row.d), 1),
            (a, bits),
            (b, bits),
            (d, bits),
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
    table, entries, entry, entry_line = "", 0, "", 0
    numbers: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()
    operands = ("", "")
    seen: dict[str, int] = {}
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
            table, entries = words[0], int(words[1])
        elif name == ".number":
            found = [match for word in words if (match := re.fullmatch(NUMBER, word, re.ASCII))]
            numbers += tuple(match["register"] or match["name"] for match in found)
            contents += tuple(match["domain"] + match["name"] for match in found)
        elif name == ".operand":
            operands = words[0], words[1]
        elif name == ".entry":
            entry, entry_line = words[0], number
        elif name in OPERATIONS:
            lines.append((number, name, words))
        else:
            takes = f"{', '.join((*OPERATIONS, *DIRECTIVES))}; a label ends in a colon"
            raise ProgramError(f"line {number}: there is no {short(name)}; there is {takes}")
    if not operands[0]:
        raise ProgramError("the program does not say where its operands go: .operand X Y")

    def label(number: int, name: str) -> int:
        if name not in labels:
            raise ProgramError(f"line {number}: there is no label {name}; write {name}: before a row")
        return labels[name]

    rows = tuple(_row(number, name, words, label) for number, name, words in lines)
    if not rows or rows[-1].operation not in ("out", "jump"):
        where = f"line {rows[-1].line}: " if rows else ""
        raise ProgramError(f"{where}the last row must be out or jump; end the program with out f")
    if not numbers:  # the hardware takes at least one; no row can name this one
        numbers, contents = ("()",), ("one",)
    scans = [row.line for row in rows if row.operation == "scan"]
    check_names(seen, numbers, contents, operands, table, entries, scans)
    slots, places = _place(rows, table, entries, numbers, operands, long)
    begin = label(entry_line, entry) if entry else 0
    known = frozenset((*numbers, *operands))
    besides = {"scan": tuple(f"{table}{index}" for index in range(entries)), "bits": (operands[1],)}
    scheduled = _schedule(rows, (0, begin), known, besides)
    check_ends(rows, (0, begin))
    made = Program(scheduled, slots, numbers, operands, entries, begin, places, contents)
    made.encode()
    return made


def _row(number: int, name: str, words: list[str], label: Callable[[int, str], int]) -> Row:
    expected = {"mul": 3, "out": 1, "scan": 1, "bits": 1, "loop": 1, "jump": 1}[name]
    if len(words) != expected:
        raise ProgramError(f"line {number}: {name} takes {expected} names, not {len(words)}")
    check_words(number, name, words)
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
    if name == "out":
        return Row(name, number, x=words[0])
    if name == "scan":
        return Row(name, number, d=words[0])
    if name == "bits":
        return Row(name, number, count=0 if words[0] == "first" else int(words[0]))
    return Row(name, number, target=label(number, words[0]))


def _place(
    rows: Sequence[Row],
    table: str,
    entries: int,
    numbers: Sequence[str],
    operands: tuple[str, str],
    long: int,
) -> tuple[dict[str, int], int]:
    """A place for each register: the table from 0 on, pairs at even places, the second operand last."""
    slots = {f"{table}{index}": index for index in range(entries)}
    at = entries
    named = [*numbers, operands[0], *(name for row in rows for name in (row.d, *row.reads) if name)]
    for name in dict.fromkeys(each for each in named if each[-1] in "~'"):
        pair = name[:-1]
        if f"{pair}~" not in slots:
            at += at % 2
            slots[f"{pair}~"], slots[f"{pair}'"] = at, at + 1
            at += 2
    for name in dict.fromkeys(named):
        if name not in slots and name != operands[1]:
            slots[name] = at
            at += 1
    at = -(-at // long) * long
    slots[operands[1]] = at
    return slots, at + long


# --- what has to wait for what ----------------------------------------------------------------------


def _schedule(
    rows: Sequence[Row], begins: Sequence[int], known: frozenset[str], besides: Mapping[str, tuple[str, ...]]
) -> tuple[Row, ...]:
    """The rows with what each has to wait for, on every way through the program.

    A state is, for each register with a value, how many operations have begun behind the one that writes it:
    at least so many results are still to come while it has not been written. ``besides`` are the registers
    that an operation reads without naming them.

    Raises:
        ProgramError: a register, or f, is read before it is written on some way.
    """
    states: dict[int, dict[str, int]] = {}
    todo = [(begin, dict.fromkeys((*known, IDLE), MOST_PENDING)) for begin in begins]
    while todo:
        at, state = todo.pop()
        if at >= len(rows):
            raise ProgramError(
                f"line {rows[-1].line}: the program goes on behind its last row; end it with out"
            )
        before = states.get(at)
        if before is not None:
            state = {name: min(before[name], state[name]) for name in before if name in state}
            if state == before:
                continue
        states[at] = state
        row, after = rows[at], dict(state)
        if row.operation == "mul":
            after = {name: min(behind + 1, MOST_PENDING) for name, behind in after.items()}
            after[F] = MOST_PENDING
            if row.d:
                after[row.d] = 0
        elif row.operation == "scan":
            after[row.d] = MOST_PENDING
        if row.operation == "scan":
            after.pop(IDLE, None)
        elif row.reads or row.d or row.operation == "bits":
            after[IDLE] = MOST_PENDING
        if row.operation == "loop":
            turned = {_turned(name): behind for name, behind in after.items()}
            todo.append((row.target, turned))
        if row.operation == "jump":
            todo.append((row.target, after))
        elif row.operation != "out":
            todo.append((at + 1, after))
    return tuple(_waiting(row, states.get(at, {}), besides) for at, row in enumerate(rows))


def _turned(name: str) -> str:
    return f"{name[:-1]}'" if name[-1] == "~" else f"{name[:-1]}~" if name[-1] == "'" else name


def _waiting(row: Row, state: Mapping[str, int], besides: Mapping[str, tuple[str, ...]]) -> Row:
    reads = (*row.reads, *besides.get(row.operation, ()))
    sources = [*reads, *(name for name in (row.x, row.y) if name == F)]
    for name in sources:
        if state and name not in state:
            raise ProgramError(
                f"line {row.line}: {name} is read before it is written; "
                "write it on every way to this line, or let it come by .number or .operand"
            )
    pending = min((state.get(name, MOST_PENDING) for name in reads), default=MOST_PENDING)
    if row.operation == "scan":  # it writes while results come: those that write, too, have come before
        pending = min(state.values(), default=MOST_PENDING)
    if row.operation == "mul":
        pending = min(pending, MOST_PENDING - 1)
    if row.operation == "out" and row.x != F:  # at the end nothing is still to come, read or not
        pending = 0
    quiet = bool(reads) or bool(row.d) or row.operation in ("scan", "bits")
    quiet = quiet or (row.operation == "out" and IDLE not in state)
    return replace(row, pending=pending, quiet=quiet)


# --- what a program computes ------------------------------------------------------------------------


def run(
    program: Program,
    values: Mapping[str, int],
    product: Callable[[int, int], int],
    digits: Iterator[int],
    rounds: int,
    *,
    first: int,
    control: bool = False,
) -> tuple[int, dict[str, int]]:
    """What the engine computes, row by row: the number that leaves, and all registers by place.

    Args:
        values: of the context's numbers and the operands, by register.
        product: what the core computes.
        digits: bits of the exponent from the top, from the first word's highest bit on.
        rounds: of the loop.
        first: bits that ``bits first`` takes.
        control: whether it begins at the entry.
    """
    registers = {str(program.slots[name]): value for name, value in values.items()}
    at, phase, digit, latest = program.entry if control else 0, 0, 0, 0

    def place(name: str) -> str:
        return str(program.slots[name] ^ (phase if name[-1] in "~'" else 0))

    def value(row: Row, name: str) -> int:
        if name in (F, ONE):
            return latest if name == F else 1
        chosen = (0, (digit ^ digit >> 1) & 1, digit & 1)[row.choose]
        return registers[place(row.other if chosen else name)]

    while (row := program.rows[at]).operation != "out":
        at += 1
        if row.operation == "mul":
            latest = product(value(row, row.x), value(row, row.y))
            if row.d:
                registers[place(row.d)] = latest
        elif row.operation == "scan":
            registers[place(row.d)] = registers[str(digit % program.entries)]
        elif row.operation == "bits":
            for _ in range(row.count or first):
                digit = digit << 1 | next(digits)
        elif row.operation == "jump":
            at = row.target
        elif rounds:  # loop
            at, rounds, phase = row.target, rounds - 1, phase ^ 1
    return value(row, row.x), registers


# --- time -------------------------------------------------------------------------------------------


@dataclass
class Unit:
    """When the cores of the engine take words and give results; operation k is that of core k mod ``cores``.

    Attributes:
        beats: words of a number.
        latency: from the cycle that takes the last word to the first word of the result, for an operation
            with or without ``square``.
        interval: between results of operations that wait behind each other.
        offsets: for each word of an operand, the earliest cycle behind the first in which it is taken.
        alone: whether a core takes operands only when the result before has left.
        gear: whether it takes whole numbers, behind a gear.
        cores: how many there are.
    """

    beats: int
    latency: Callable[[bool], int]
    interval: Callable[[bool], int]
    offsets: Sequence[int]
    alone: bool
    gear: bool
    cores: int = 1
    free: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    words: list[list[int]] = field(default_factory=list)

    def takes(self, word: int, offered: int) -> int:
        """The cycle that takes a word of the next operation.

        Several cores have a stage each in front of them, which takes the word and holds two.
        """
        operation = len(self.left)
        if word == 0:
            self.words.append([])
        taken = self.words[operation]
        before = [*(self.words[operation - self.cores][-2:] if operation >= self.cores else []), *taken]
        staged = self.cores > 1
        accepted = max(offered, before[-2] + 1 if len(before) > 1 else 0) if staged else offered
        earliest = self.free[operation - self.cores] if operation >= self.cores else 0
        if word:
            earliest = taken[0] + self.offsets[word]
        if staged and before:
            earliest = max(earliest, before[-1] + 1)
        taken.append(max(accepted + staged, earliest))
        return accepted if staged else taken[-1]

    def begins(self, square: bool) -> int:
        """The first cycle of the result of the next operation, whose words have been taken."""
        latency, interval = self.latency(square), self.interval(square)
        operation = len(self.left)
        last = self.words[operation][-1]
        before = self.left[operation - self.cores] if operation >= self.cores else None
        start = last + 1 if self.gear else last
        if self.gear and self.alone and before is not None:
            start = max(start, before + self.beats - 1 + interval - latency)
        leaves = start + latency
        if before is not None and not self.alone and not self.gear:
            leaves = max(leaves, before + interval)
        if self.left and (self.gear or self.cores > 1):
            leaves = max(leaves, self.left[-1] + self.beats + (self.cores > 1))
        if self.gear:
            free = start + 1
        elif self.alone:
            free = leaves + interval - self.offsets[-1] - latency
        else:
            free = last + 1
        self.free.append(free)
        self.left.append(leaves)
        return leaves + (self.gear or self.cores > 1)


def cycles(
    program: Program,
    unit: Unit,
    words: int,
    word: int,
    first: int,
    rounds: int,
    control: bool,
    told: Callable[[int, int], None] = lambda _row, _cycle: None,
) -> int:
    """Cycles from the one that takes the last operand word to the first in which a result is at the port.

    Args:
        unit: the cores, idle.
        words: of the result at the port.
        word: bits of a word.
        first: bits that ``bits first`` takes.
        rounds: of the loop.
        control: whether the engine begins at the entry.
        told: for each row that is run, which it is and the cycle in which it begins.
    """
    beats = unit.beats
    at, fetch = program.entry if control else 0, 1
    ends: list[int] = []  # cycle from which each result is no longer to come
    results: list[int] = []
    reader = 0  # idle from this cycle on
    one_before = two_before = 0  # cycles in which the words before were taken
    left = 0  # bits in the word of the exponent
    valid = -1
    while True:
        row = program.rows[at]
        at += 1
        begin = fetch + 1
        if len(ends) > row.pending:
            begin = max(begin, ends[len(ends) - row.pending - 1])
        if row.quiet:
            begin = max(begin, reader)
        begin += 1
        told(at - 1, begin)
        if row.operation in ("loop", "jump"):
            if row.operation == "jump":
                at = row.target
            elif rounds:
                at, rounds = row.target, rounds - 1
            fetch = begin + 1
        elif row.operation == "scan":
            reader = begin + program.entries * beats + 4
            fetch = begin + 1
        elif row.operation == "bits":
            now = begin + 1
            for _ in range(row.count or first):
                if not left:
                    now, left = now + 5, word
                now, left = now + 1, left - 1
            fetch = now + 1
        else:
            count = words if row.operation == "out" else beats
            moved = begin + (4 if row.reads else 2 if F in (row.x, row.y) else 1) - 1
            taken = 0
            for index in range(count):
                move = max(moved + 1, two_before + 1)
                if F in (row.x, row.y):
                    latest = results[-1]
                    move = max(move, min(latest + index + 2, latest + beats + 1))
                moved = move
                if row.operation == "out":
                    taken = max(moved, one_before) + 1
                    if index == 0:
                        valid = taken
                else:
                    taken = unit.takes(index, max(moved, one_before) + 1)
                one_before, two_before = taken, one_before
            if row.operation == "out":
                return valid
            if row.operation == "mul":
                result = unit.begins(row.square)
                results.append(result)
                ends.append(result + beats)
            fetch = moved + 2


def multiplications(program: Program, rounds: int, *, control: bool = False) -> dict[bool, int]:
    """How many operations of the core a run takes: ``True`` for squares, ``False`` for others.

    Args:
        rounds: of the loop.
        control: whether the engine begins at the entry.
    """
    counts = {False: 0, True: 0}
    at = program.entry if control else 0
    while (row := program.rows[at]).operation != "out":
        at += 1
        if row.operation == "mul":
            counts[row.square] += 1
        elif row.operation == "jump" or (row.operation == "loop" and rounds):
            rounds -= row.operation == "loop"
            at = row.target
    return counts
