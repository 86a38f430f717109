# SPDX-License-Identifier: Apache-2.0
"""The order of a program's rows: one in which they take fewer cycles and compute the same.

Rows change places between two labels, turns or ends alone. What a row needs of those before it stays
before it: registers, the table, f, the flag and the digit. So the model and the assembler's waits need no
rules of their own for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from modmul.systems.checking import PLAIN
from modmul.systems.rows import CHOICES, FLAG, STOPS, SUMS, TESTS, TURNS, F, Program, Row
from modmul.systems.timing import Unit
from modmul.systems.waits import waiting

__all__ = ["ordered", "reordered"]

SEED = 1
"""Of the orders that are tried."""

DIGIT = "#"
"""Among the registers that a row reads and writes: the digit."""
COME = "="
"""Likewise: that the words of products have come from which ``rewind`` takes bits."""


def ordered(program: Program, unit: Unit, time: Callable[[Program], int], tries: int) -> list[int]:
    """The best order of a program's rows that is found: for each place, which row of the text comes there.

    First come orders of a list: of the rows that need nothing more, the one that most others wait for. Then
    single rows are moved, where that helps.

    Args:
        unit: the cores, idle.
        time: what a program takes, in cycles; a short run of it will do.
        tries: how many moves are timed at most.
    """
    parts = [part for part in (_Part(program, each) for each in _parts(program)) if part.movable]
    best = [*range(len(program.rows))]
    if not parts:
        return best
    least = time(program)
    tried = {tuple(best)}

    def better(part: _Part, order: Sequence[int]) -> None:
        nonlocal best, least
        found = [*best]
        found[part.first : part.first + len(order)] = [part.first + at for at in order]
        if tuple(found) in tried:
            return
        tried.add(tuple(found))
        taken = time(_in_order(program, found))
        if taken <= least:
            best, least, part.order = found, taken, order

    for part in parts:
        for slack in (0, unit.beats, 2 * unit.beats, unit.stream.latency(False), 1 << 30):
            better(part, part.listed(unit, slack))
    rng = random.Random(SEED)
    for _ in range(tries):
        part = rng.choices(parts, [part.movable for part in parts])[0]
        if order := part.moved(rng):
            better(part, order)
    return best


def reordered(program: Program, order: Sequence[int]) -> Program:
    """The program with its rows in another order.

    Args:
        order: for each place, which row of the text comes there.

    Raises:
        ValueError: in this order the rows would not compute the same.
    """
    rows = range(len(program.rows))
    movable = {at for part in _parts(program) for at in part}
    if sorted(order) != [*rows] or any(order[at] != at for at in rows if at not in movable):
        raise ValueError("this is no order of the program's rows")
    for part in (_Part(program, each) for each in _parts(program)):
        found = [at - part.first for at in order[part.first : part.first + len(part.rows)]]
        if sorted(found) != [*range(len(part.rows))] or not part.legal(found):
            raise ValueError("rows of the program need each other in another order")
    return _in_order(program, order)


def _in_order(program: Program, order: Sequence[int]) -> Program:
    return waiting(replace(program, rows=tuple(program.rows[at] for at in order)))


def _parts(program: Program) -> Iterator[range]:
    """The parts of a program in which rows may change places."""
    rows = program.rows
    begins = {0, program.entry, *([program.setup] if program.setup >= 0 else [])}
    for at, row in enumerate(rows):
        if row.operation in TURNS:
            begins |= {row.target, at + 1, at}
        elif row.operation in STOPS:
            begins |= {at + 1, at}
    marks = sorted({*begins, len(rows)})
    for first, end in pairwise(marks):
        if end - first > 1:
            yield range(first, end)


def _tops(program: Program) -> frozenset[str]:
    """Registers of products from whose last word bits begin."""
    products = {row.d for row in program.rows if row.operation == "mul"}
    tops = {name for row in program.rows if row.operation == "rewind" for name in row.sources}
    return frozenset(products & tops)


def _comes(row: Row, tops: frozenset[str]) -> set[str]:
    """A plain sum, or a scan, between a product and ``rewind`` stays there."""
    waits = row.operation == "scan" or row.operation in PLAIN
    found = (row.operation in ("mul", "rewind") and not tops.isdisjoint({row.d, *row.sources})) or waits
    return {COME} if found and tops else set()


def _reads(row: Row) -> set[str]:
    found = {*row.reads}
    if F in (row.x, row.y):
        found.add(F)
    if row.choose == CHOICES[FLAG] or row.operation == "release":
        found.add(FLAG)
    elif row.choose:
        found.add(DIGIT)
    if row.operation in ("scan", "acc", "bits", "rewind"):
        found.add(DIGIT)
    return found


def _writes(row: Row) -> set[str]:
    found = {*row.writes}
    if row.operation == "mul":
        found.add(F)
    if row.operation in TESTS or row.test:
        found.add(FLAG)
    if row.operation in ("bits", "rewind"):
        found.add(DIGIT)
    return found


def _takes_latest(program: Program) -> list[bool]:
    """For each row, whether it or one behind it takes the result from f that was the latest before it."""
    rows = program.rows
    found = [F in (row.x, row.y) for row in rows]
    changed = True
    while changed:
        changed = False
        for at in reversed(range(len(rows))):
            row = rows[at]
            if found[at] or row.operation == "mul" or row.operation in STOPS:
                continue
            nexts = [row.target] if row.operation in TURNS else []
            nexts += [] if row.operation == "jump" else [at + 1]
            if any(found[each] for each in nexts):
                found[at] = changed = True
    return found


class _Part:
    """Rows that may change places.

    Attributes:
        first: the number of the first one.
        rows: as in the text.
        needs: for each, those that have to be before it.
        then: for each product whose result the next one takes from f, that one.
        order: the best one so far.
        movable: how many of them can be elsewhere.
    """

    def __init__(self, program: Program, part: range) -> None:
        self.first, self.rows = part.start, program.rows[part.start : part.stop]
        self.order: Sequence[int] = range(len(self.rows))
        tops = _tops(program)
        self.reads = [_reads(row) | _comes(row, tops) for row in self.rows]
        self.writes = [_writes(row) | _comes(row, tops) for row in self.rows]
        self.needs = [
            {before for before in range(at) if self._shared(before, at) - {F}} for at in range(len(self.rows))
        ]
        self.then: dict[int, int] = {}
        products = [at for at, row in enumerate(self.rows) if row.operation == "mul"]
        chains: list[list[int]] = []
        for at in products:
            if F in self.reads[at] and chains:
                self.then[chains[-1][-1]] = at
                self.needs[at].add(chains[-1][-1])
                chains[-1].append(at)
            else:
                chains.append([at])
        behind: list[set[int]] = []  # for each row, all that have to be before it
        for needs in self.needs:
            behind.append(needs.union(*(behind[need] for need in needs)))
        for chain in chains:  # what any of its products needs comes before the first
            others = set().union(*(behind[at] for at in chain)).intersection(products)
            self.needs[chain[0]] |= others.difference(chain)
        if products and F in self.reads[products[0]]:
            for at in products[len(chains[0]) :]:
                self.needs[at].add(chains[0][-1])
        if products and _takes_latest(program)[part.stop]:
            self.needs[chains[-1][0]] |= {*products}.difference(chains[-1])
        self.movable = sum(any(True for _ in self._elsewhere(row)) for row in self.order)

    def _shared(self, before: int, at: int) -> set[str]:
        """Why a row may not come before one that it is behind."""
        reads, writes = self.reads, self.writes
        return writes[before] & (reads[at] | writes[at]) | reads[before] & writes[at]

    def listed(self, unit: Unit, slack: int) -> list[int]:
        """An order, row by row: the one that most wait for, of those that can begin about first.

        Args:
            slack: cycles that a row may begin later than another one and come before it.
        """
        rows = self.rows
        waits = [_cycles(row, unit) for row in rows]
        longest = [wait for wait, _ in waits]
        for at in reversed(range(len(rows))):
            for need in self.needs[at]:
                longest[need] = max(longest[need], waits[need][0] + longest[at])
        done: dict[int, int] = {}
        order: list[int] = []
        now = core = reader = 0
        chained: int | None = None
        while len(order) < len(rows):
            begins = {}
            for at, row in enumerate(rows):
                product = row.operation == "mul"
                if at in done or self.needs[at] - done.keys() or (product and chained not in (None, at)):
                    continue
                values = [done[need] for need in self.needs[at] if self.writes[need] & self.reads[at]]
                ready = [core] if product else []
                ready += [reader] if row.reads or row.writes else []
                begins[at] = max(now, *values, *ready, 0)
            soonest = min(begins.values())
            at = max(
                (at for at in begins if begins[at] <= soonest + slack), key=lambda at: (longest[at], -at)
            )
            row, begin = rows[at], begins[at]
            wait, busy = waits[at]
            done[at] = begin + wait
            now = begin + (2 if unit.parts else 3)
            if row.operation == "mul":
                core = begin + busy
                chained = self.then.get(at)
            elif row.operation != "bits":
                reader = begin + busy
            order.append(at)
        return order

    def moved(self, rng: random.Random) -> list[int] | None:
        """The best order with a row elsewhere; ``None``: none can be."""
        orders = [*self._elsewhere(rng.choice(self.order))]
        return rng.choice(orders) if orders else None

    def _elsewhere(self, row: int) -> Iterator[list[int]]:
        """The best order with one row in any other place where it may be."""
        others = [at for at in self.order if at != row]
        first = max((place + 1 for place, at in enumerate(others) if at in self.needs[row]), default=0)
        last = min((place for place, at in enumerate(others) if row in self.needs[at]), default=len(others))
        for place in range(first, last + 1):
            order = [*others[:place], row, *others[place:]]
            if order != [*self.order] and self.legal(order):
                yield order

    def legal(self, order: Sequence[int]) -> bool:
        """Whether an order of all these rows computes the same."""
        done: set[int] = set()
        chained: int | None = None
        for at in order:
            if self.needs[at] - done:
                return False
            if self.rows[at].operation == "mul":
                if chained not in (None, at):
                    return False
                chained = self.then.get(at)
            done.add(at)
        return True


def _cycles(row: Row, unit: Unit) -> tuple[int, int]:
    """About how long it takes until others find what a row writes, and until the next of its kind begins."""
    if unit.parts and row.operation == "mul":
        return unit.stream.latency(row.square) + 4, unit.batch
    if unit.parts and row.operation in SUMS:
        return unit.parts + 4, unit.batch
    if row.operation == "mul":
        return unit.stream.latency(row.square) + unit.beats + 7, unit.stream.interval(row.square)
    if row.operation in SUMS:
        return 2 * unit.beats + 6, unit.beats + 5
    if row.operation in PLAIN:
        return unit.beats + 8, unit.beats + 8
    return 3, 3
