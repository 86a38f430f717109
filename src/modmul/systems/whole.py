# SPDX-License-Identifier: Apache-2.0
"""When ``mm_engine`` does what where its words are whole numbers (``mm_engine_whole``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from modmul.systems.rows import ENDS, MOST_PENDING, SUMS, TESTS, TURNS, F, Program, Row

__all__ = ["apart", "cycles"]

ADDRESSED = 1
"""Cycles from a row's begin to its first address."""


def read(batch: int) -> int:
    """Cycles from an address to its word, for so many numbers of a register."""
    return 2 if batch > 1 else 1


def apart(batch: int) -> int:
    """Cycles from a word that leaves to the next one."""
    return read(batch) + 2


@dataclass
class _Lane:
    """What the lane is doing: the first cycles in which a row is let begin, one cycle before it does.

    Attributes:
        batch: numbers of a register.
        products: the cycle in which the first number of each result comes.
        feed: for a product, a scan, or bits.
        read: for any row that reads, behind a scan.
        sums: for a sum.
        settled: for a row that waits for sums, and for flags.
    """

    batch: int
    products: list[int] = field(default_factory=list)
    feed: int = 0
    read: int = 0
    sums: int = 0
    settled: int = 0

    def lets(self, row: Row, cycle: int) -> int:
        """The first cycle from this one on in which it may begin."""
        waits = [cycle]
        if len(self.products) > row.pending:
            waits.append(self.products[-row.pending - 1])
        if row.feeds or row.operation in ("scan", "bits"):
            waits.append(self.feed)
        if row.quiet:
            waits.append(self.read)
            waits += [] if row.feeds else [self.sums]
        if row.settled:
            waits.append(self.settled)
        found = max(waits)
        if row.operation == "scan" and self.batch > 1:
            for first in self.products[-MOST_PENDING - 1 :]:
                if first <= found < first + self.batch:
                    found = first + self.batch
        return found

    def addresses(self, row: Row, begin: int) -> int:
        """The cycle of its first address: a product that takes F waits for its first word."""
        addressed = begin + ADDRESSED
        if F in (row.x, row.y):
            addressed = max(addressed, self.products[-1] + 1)
            self.sums = max(self.sums, addressed)
        self.feed = addressed + max(self.batch - 2, 0)
        return addressed

    def state(self, cycle: int, most: int) -> tuple[object, ...]:
        """All that decides what follows, in cycles from one on."""
        waits = (max(each - cycle, 0) for each in (self.feed, self.read, self.sums, self.settled))
        return (*waits, *(max(each - cycle, -self.batch) for each in self.products[-most:]))


def cycles(
    program: Program,
    latency: int,
    batch: int,
    parts: int,
    word: int,
    first: int,
    rounds: int,
    control: bool,
    told: Callable[[int, int], None] | None = None,
    *,
    counts: Mapping[str, int],
) -> int:
    """As :func:`modmul.systems.timing.cycles`.

    Args:
        latency: of the core, the same for squares.
        batch: numbers of a register.
        parts: cycles of a sum.
    """
    at = program.entry if control else 0
    fetch, left, repeats, skipped = 1 + (program.ahead > 0), 0, 0, 0
    lane = _Lane(batch)
    words = read(batch) + 1  # cycles from an address to the core, or to the port
    most = 2 + max(row.pending for row in program.rows)
    seen: dict[tuple[object, ...], tuple[int, int]] = {}

    def again(turn: int, to_come: int, other: int) -> int:
        """How many of the rounds to come are as long as those since the same state, which are skipped."""
        nonlocal skipped
        before = seen.setdefault((turn, left, other, *lane.state(begin, most)), (to_come, begin))
        period = before[0] - to_come
        if told or period <= 0:
            return 0
        skipped += to_come // period * (begin - before[1])
        seen.clear()
        return to_come // period * period

    while True:
        row = program.rows[at]
        begin = lane.lets(row, fetch + 1) + 1
        if told:
            told(at, begin)
        at += 1
        fetch = begin  # while it begins
        if row.operation in TURNS:
            fetch = begin + 1
            behind, turns = at, row.operation == "jump"
            if row.operation == "repeat":
                repeats = (repeats + 1) % row.times(counts)
                turns = repeats > 0
                repeats += again(behind, row.times(counts) - 1 - repeats, rounds) if turns else 0
            elif row.operation == "loop" and rounds:
                turns, rounds = True, rounds - 1
                rounds -= again(behind, rounds, repeats)
            at = row.target if turns else at
        elif row.operation == "scan":
            lane.read = begin + program.entries * batch + words
        elif row.operation in SUMS:
            lane.sums = begin + ADDRESSED + max(batch - 2, 0)
            known = begin + words + parts
            if row.operation in TESTS:
                known += batch + 1
            elif batch > 1:
                known += 1
            lane.settled = max(lane.settled, known)
        elif row.operation == "bits":
            now = begin + 1
            bits = row.taken(0) * batch or first
            for _ in range(bits):
                if not left:
                    now, left = max(now, lane.read) + 2 + words, word
                now, left = now + 1, left - 1
            fetch = now if bits else now + 1  # as the last one is taken
        elif row.operation in ENDS:
            return lane.addresses(row, begin) + words + skipped
        else:
            come = lane.addresses(row, begin) + words + latency
            lane.products.append(come if batch > 1 else come - 1)  # of one number it is known before
