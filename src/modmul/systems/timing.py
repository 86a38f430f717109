# SPDX-License-Identifier: Apache-2.0
"""When ``mm_engine`` does what: the cycles of a program, row by row, with a core's latency and interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from modmul.core import Beside
from modmul.systems.assembly import ENDS, READY, STOPS, SUMS, TESTS, TURNS, F, Program
from modmul.systems.checking import PLAIN

__all__ = ["Sums", "Unit", "cycles", "multiplications"]


_Fed = tuple[int | None, int, int, int, int, int, int | None]
_Moves = tuple[int, int, int, int, int]


@dataclass
class Unit:
    """When the cores of the engine take words and give results; operation k is that of core k mod ``cores``.

    Attributes:
        beats: words of a number.
        latency: from the cycle that takes the last word to the first word of the result, for an operation
            with or without ``square``.
        interval: between results of operations that wait behind each other.
        offsets: for each word of an operand, the earliest cycle behind the first in which it is taken.
        beside: when a core takes words while an operation runs; ``None``: as soon as it has all those before.
        alone: whether a core takes operands only when the result before has left.
        gear: whether it takes whole numbers, behind a gear.
        cores: how many there are.
        staged: whether one has registers in front of it and behind it, too.
    """

    beats: int
    latency: Callable[[bool], int]
    interval: Callable[[bool], int]
    offsets: Sequence[int]
    alone: bool
    gear: bool
    cores: int = 1
    staged: bool = False
    beside: Beside | None = None
    free: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    words: list[tuple[int, int]] = field(default_factory=list)
    fed: dict[_Fed, _Moves] = field(default_factory=dict)

    @property
    def facts(self) -> tuple[object, ...]:
        """All that it is while idle."""
        ways = tuple((self.latency(square), self.interval(square)) for square in (False, True))
        how = (self.alone, self.gear, self.cores, self.staged, self.beside)
        return (self.beats, *ways, tuple(self.offsets), *how)

    def feed(self, moved: int, one_before: int, two_before: int, f: int | None) -> tuple[int, int, int]:
        """The words of the next operation leave for it, and are taken.

        Args:
            moved: the cycle before the first in which a word can leave.
            one_before, two_before: cycles in which the words before were taken.
            f: the first cycle of the result, where words of it are among them.

        Returns:
            the same three for what comes behind.
        """
        operation = len(self.left)
        known = (
            None if f is None else max(f - moved, -self.beats),
            max(one_before - moved, 0),
            max(two_before - moved, 0),
        )
        if operation >= self.cores:  # this core has had one
            second, last = self.words[operation - self.cores]
            key = (
                *known,
                max(self.free[operation - self.cores] - moved, 0),
                max(second - moved, -1),
                max(last - moved, -1),
                self.starts[operation - self.cores] - moved if self.beside and not self.gear else None,
            )
        else:
            key = (*known, 0, -1, -1, None)
        if key not in self.fed:
            self.fed[key] = self._feed(*key)
        cycles = self.fed[key]
        second, last, moves, one, two = (moved + cycle for cycle in cycles)
        self.words.append((second, last))
        return moves, one, two

    def _feed(
        self,
        f: int | None,
        one_before: int,
        two_before: int,
        free: int,
        second: int,
        last: int,
        start: int | None,
    ) -> _Moves:
        """The words of an operation: from cycle 1 on they can leave. What is long ago is 0 or -1.

        A stage in front of a core takes words, and holds two.

        Args:
            free, second, last, start: of the core: when it takes the first word; when it took the last two of
                the operation before; when that started, if this one may come beside it.
        """
        offsets, beside = self.offsets, self.beside
        staged = self.staged or self.cores > 1
        moved = first = 0
        earliest = free
        for word in range(self.beats):
            moved = (moved if moved > two_before else two_before) + 1
            if f is not None and moved <= f + word:
                moved = f + word + 1
            accepted = (moved if moved > one_before else one_before) + 1
            if word:
                earliest = first + offsets[word]
            if beside and start is not None:
                earliest = max(earliest, self._beside(beside, word, last, start))
            two_before = one_before
            if staged:
                accepted = accepted if accepted > second else second + 1
                taken = (last if last > accepted else accepted) + 1
                taken = taken if taken > earliest else earliest
                one_before = accepted
            else:
                one_before = taken = accepted if accepted > earliest else earliest
            second, last = last, taken
            first = first if word else taken
        return second if self.beats > 1 else -1, last, moved, one_before, two_before

    def _beside(self, beside: Beside, word: int, last: int, start: int) -> int:
        """The earliest cycle for a word beside an operation that has started in that cycle."""
        earliest = start + beside.earliest[word]
        if word:
            earliest = max(earliest, last + beside.apart)
        return earliest if beside.until < 0 else min(earliest, start + beside.until)

    def state(self, cycle: int) -> tuple[object, ...]:
        """All that decides what follows, in cycles from one on; what is long ago is the same."""
        loading = max(self.interval(square) - self.latency(square) for square in (False, True))
        ago = -self.beats - 1 - max(loading, 0)
        beside = -max(self.beside.earliest) if self.beside else 0
        return (
            tuple(max(start - cycle, beside) for start in self.starts[-self.cores :]) if self.beside else (),
            tuple(max(free - cycle, 0) for free in self.free[-self.cores :]),
            tuple(max(leaves - cycle, ago) for leaves in self.left[-self.cores :]),
            tuple(
                (max(second - cycle, -1), max(last - cycle, -1)) for second, last in self.words[-self.cores :]
            ),
        )

    def begins(self, square: bool) -> int:
        """The first cycle of the result of the next operation, whose words have been taken."""
        latency, interval = self.latency(square), self.interval(square)
        operation = len(self.left)
        last = self.words[operation][-1]
        before = self.left[operation - self.cores] if operation >= self.cores else None
        start = last + 1 if self.gear else last
        if self.gear and self.alone and before is not None:
            start = max(start, before + self.beats - 1 + interval - latency)
        if self.gear and self.beside and operation >= self.cores:
            start = max(start, self.starts[operation - self.cores] + self.beside.earliest[0])
        leaves = start + latency
        if before is not None and not self.alone:
            leaves = max(leaves, before + interval)
        self.starts.append(leaves - latency)
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
        return leaves + (2 if self.staged else self.gear or self.cores > 1)


@dataclass
class Sums:
    """The unit for sums, and the reader while it reads for it: cycle by cycle, as the hardware has them.

    Attributes:
        beats: words of a number.
        starts: cycles in which sums begin that have not begun yet: whether they have a second pass.
        keep: whether the one in the first pass has.
        writes: first cycles of results that go to the register file, each with the words behind it.
        now: the cycle that the rest belongs to.
        left: words of the first pass still to be addressed.
        fetched: whether there is a word in each of the reader's stages.
        first: a sum has begun, and its second pass has not.
        beat: words that the first pass has taken.
        taken, word: it has taken one in the cycle before, and which.
        valid, last: there is a word behind its first adder; it is the number's last.
        second, place: the second pass runs; the word that it reads.
        waits: a word of it waits to be written.
        room: the first pass may take a word.
    """

    beats: int
    starts: dict[int, bool] = field(default_factory=dict)
    writes: list[int] = field(default_factory=list)
    now: int = 0
    keep: bool = True
    left: int = 0
    fetched: tuple[bool, bool] = (False, False)
    first: bool = False
    beat: int = 0
    taken: bool = False
    word: int = 0
    valid: bool = False
    last: bool = False
    second: bool = False
    place: int = 0
    waits: bool = False
    room: bool = True

    def state(self, cycle: int) -> tuple[object, ...]:
        """All that decides what follows, in cycles from one on."""
        return (
            tuple((start - cycle, passes) for start, passes in self.starts.items()),
            tuple(first - cycle for first in self.writes if first + self.beats > self.now),
            self.now - cycle,
            *(self.keep, self.left, self.fetched, self.first, self.beat, self.taken, self.word),
            *(self.valid, self.last, self.second, self.place, self.waits, self.room),
        )

    @property
    def reading(self) -> bool:
        return bool(self.starts) or self.left > 0 or any(self.fetched)

    @property
    def writing(self) -> bool:
        return self.taken or self.valid or self.second or self.waits

    def step(self) -> None:
        """One cycle."""
        start = self.now in self.starts
        advance = self.room
        taken = self.fetched[1] and advance
        held = self.waits and any(first <= self.now < first + self.beats for first in self.writes)
        first_end = self.valid and self.last
        begins = first_end and self.keep
        top = self.beats - 1
        self.room = not self.second or not self.first or self.place > self.beat + 1
        self.first = start or (self.first and not first_end)
        self.valid, self.last = self.taken, self.word == top
        self.taken, self.word = taken, self.beat
        self.beat = 0 if start else self.beat + taken
        self.waits = self.waits if held else self.second
        goes = self.second and not held
        self.second = begins or (self.second and not (goes and self.place == top))
        self.place = 0 if first_end else self.place + goes
        if advance:
            self.fetched = self.left > 0, self.fetched[0]
            self.left = max(self.left - 1, 0)
        if start:
            self.left = self.beats
            self.keep = self.starts.pop(self.now)
        self.now += 1

    def until(self, cycle: int, *, settled: bool) -> int:
        """The first cycle from this one on in which the reader is idle; and all is written, if so asked."""
        self.writes = [first for first in self.writes if first + self.beats > self.now]
        while self.now < cycle or self.reading or (settled and self.writing):
            if self.reading or self.writing:
                self.step()
            else:
                self.now, self.room = cycle, True
        return self.now


def cycles(
    program: Program,
    unit: Unit,
    word: int,
    first: int,
    rounds: int,
    control: bool,
    told: Callable[[int, int], None] | None = None,
    *,
    counts: Mapping[str, int],
    setup: bool = False,
) -> int:
    """Cycles from the one that takes the last operand word to the first in which a result is at the port.

    A loop that comes into a state in which it has been takes the same cycles from there on: unless each row
    is told, further rounds are counted and not run.

    Args:
        unit: the cores, idle.
        word: bits of a word.
        first: bits that ``bits first`` takes.
        rounds: of the loop.
        control: whether the engine begins at the entry.
        told: takes, for each row that is run, which it is and the cycle in which it begins.
        counts: how often rows are repeated, by name.
        setup: the cycles are those of the rows that run on a context, from the one in which they are started
            to the one in which ``ready`` begins.
    """
    beats = unit.beats
    at, fetch = program.setup if setup else program.entry if control else 0, 1
    ends: list[int] = []  # cycle from which each result is no longer to come
    results: list[int] = []
    sums, repeats = Sums(beats), 0
    reader = 0  # idle from this cycle on
    one_before = two_before = 0  # cycles in which the words before were taken
    left = 0  # bits in the word of the exponent
    over = 0  # bits that the next row takes fewer
    late = int(unit.staged)  # lanes are told a cycle later, and their results written
    most_pending = 1 + max(row.pending for row in program.rows)
    seen: dict[tuple[object, ...], tuple[int, int]] = {}  # state of a loop: rounds to come, and the cycle
    skipped = 0  # cycles of rounds that were counted

    def again(turn: int, to_come: int, *others: int) -> int:
        """How many of the rounds to come are as long as those since the same state, which are skipped."""
        nonlocal skipped
        state = (
            (turn, left, over, *others),
            tuple(max(each - begin, 0) for each in (reader, one_before, two_before)),
            tuple(max(end - begin, 0) for end in ends[-most_pending:]),
            max(results[-1] - begin, -beats) if results else None,
            sums.state(begin),
            unit.state(begin),
        )
        before = seen.setdefault(state, (to_come, begin))
        period = before[0] - to_come
        if period <= 0:
            return 0
        skipped += to_come // period * (begin - before[1])
        seen.clear()
        return to_come // period * period

    while True:
        row = program.rows[at]
        at += 1
        begin = fetch + 1
        if len(ends) > row.pending:
            begin = max(begin, ends[len(ends) - row.pending - 1])
        if row.quiet:
            begin = sums.until(max(begin, reader), settled=row.settled)
        begin += 1
        if told:
            told(at - 1, begin)
        if row.operation == READY:
            return begin + skipped
        if row.operation in TURNS:
            if row.operation == "jump":
                at = row.target
            elif row.operation == "repeat":
                turn, repeats = at, (repeats + 1) % row.times(counts)
                if repeats:
                    at = row.target
                    repeats += 0 if told else again(turn, row.times(counts) - 1 - repeats, rounds)
            elif rounds:
                turn, at, rounds = at, row.target, rounds - 1
                rounds -= 0 if told else again(turn, rounds, repeats)
            fetch = begin + 1
        elif row.operation == "scan":
            reader = begin + program.entries * beats + 4 + late
            fetch = begin + 1
        elif row.operation in SUMS:
            sums.starts[begin + late] = row.operation not in TESTS
            fetch = begin + 1
        elif row.operation in PLAIN:
            reader = begin + (row.parts if row.whole else 1) * beats + 5 + late + (program.digit == 4)
            fetch = begin + 1
        elif row.operation == "rewind":
            left = 0
            over = 0 if row.x == program.operands[1] and not row.long else row.over(word, beats)
            fetch = begin + 2
        elif row.operation == "bits":
            now = begin + 1
            for _ in range(row.taken(over) or first):
                if not left:
                    now, left = sums.until(max(now, reader), settled=False) + 5 + late, word
                now, left = now + 1, left - 1
            over = 0
            fetch = now + 1
        else:
            moved = begin + late + (4 if row.reads else 1) - 1
            f = results[-1] if F in (row.x, row.y) else None
            if row.operation in ENDS:
                moved = max(moved, two_before, moved if f is None else f) + 1
                return max(moved, one_before) + 1 + 3 * late + skipped
            moved, one_before, two_before = unit.feed(moved, one_before, two_before, f)
            result = unit.begins(row.square)
            results.append(result)
            sums.writes += [result + late] if row.d else []
            ends.append(result + beats)
            fetch = moved + 2


def multiplications(
    program: Program, rounds: int, *, control: bool = False, counts: Mapping[str, int] | None = None
) -> dict[bool, int]:
    """How many operations of the core a run takes: ``True`` for squares, ``False`` for others.

    Args:
        rounds: of the loop.
        control: whether the engine begins at the entry.
        counts: how often rows are repeated, by name.
    """
    found = {False: 0, True: 0}
    at, repeats = program.entry if control else 0, 0
    while (row := program.rows[at]).operation not in STOPS:
        at += 1
        if row.operation == "mul":
            found[row.square] += 1
        elif row.operation == "repeat":
            repeats = (repeats + 1) % row.times(counts or {})
            at = row.target if repeats else at
        elif row.operation == "jump" or (row.operation == "loop" and rounds):
            rounds -= row.operation == "loop"
            at = row.target
    return found
