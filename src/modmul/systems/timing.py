# SPDX-License-Identifier: Apache-2.0
"""When ``mm_engine`` does what: the cycles of a program, row by row, with a core's latency and interval."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple, Self

from modmul.core import Stream
from modmul.systems.checking import PLAIN
from modmul.systems.rows import ENDS, READY, STOPS, SUMS, TESTS, TURNS, F, Program
from modmul.systems.whole import cycles as cycles_of_whole

__all__ = ["Geared", "Sums", "Unit", "cycles", "multiplications"]


ALONE = ("scan", READY, *PLAIN)
"""Rows that wait until no words of results come, for they write, or let others write."""

BEHIND = ("scan", "bits", "rewind", *PLAIN)
"""Rows that wait until all words for the core have left, besides those that send some."""


class _Gear(NamedTuple):
    """What a core behind a gear has done.

    Attributes:
        core: the state of the core.
        word: words of an operand that the gear holds.
        last: the cycle in which it took the last one.
        free: the first cycle in which it takes a first word.
        left: the cycle in which the last word of a result is read.
    """

    core: Hashable
    word: int = 0
    last: int = 0
    free: int = 0
    left: int = 0


@dataclass(frozen=True, eq=False)
class Geared(Stream[_Gear]):
    """A core that takes whole numbers, behind a gear that takes words (``mm_engine_core``).

    Attributes:
        core: the core alone.
    """

    core: Stream[Any]

    @classmethod
    def of(cls, core: Stream[Any], words: int) -> Self:
        """Behind a gear that takes so many words."""
        return cls(range(words), core.latency, core.interval, core.alone, core)

    @property
    def facts(self) -> object:
        return self.core.facts

    @property
    def idle(self) -> _Gear:
        return _Gear(self.core.idle)

    def take(self, state: _Gear, offered: int, square: bool) -> tuple[int, _Gear]:
        core, word, _, free, left = state
        cycle = offered if word else max(offered, free)
        if word == self.beats - 1:
            taken, core = self.core.take(core, cycle + 1, square)
            free = taken + 1
        return cycle, _Gear(core, word + 1, cycle, free, left)

    def result(self, state: _Gear, square: bool) -> tuple[int, _Gear]:
        comes, core = self.core.result(state.core, square)
        return max(comes, state.left + 1), _Gear(core, free=state.free)

    def leave(self, state: _Gear, first: int, last: int) -> _Gear:
        """The core holds its result until the last word has been read."""
        return _Gear(self.core.leave(state.core, first, last), free=state.free, left=last)

    def later(self, state: _Gear, cycles: int) -> _Gear:
        core = self.core.later(state.core, cycles)
        return _Gear(core, free=max(state.free - cycles, 0), left=max(state.left - cycles, 0))


class _Turn(NamedTuple):
    """A core between two operations, in cycles from one on.

    Attributes:
        since: that one.
        core: the core's state.
        second, last: cycles in which it took the last two words, where a stage in front of it holds two.
    """

    since: int
    core: Hashable
    second: int = -1
    last: int = -1

    def later(self, stream: Stream[Any], cycle: int) -> _Turn:
        """The same from another cycle on; what is long ago is the same."""
        ago = cycle - self.since
        second, last = max(self.second - ago, -1), max(self.last - ago, -1)
        return _Turn(cycle, stream.later(self.core, ago), second, last)

    @property
    def known(self) -> tuple[Hashable, int, int]:
        """All but the cycle that it is counted from."""
        return self.core, self.second, self.last


class _Fed(NamedTuple):
    """Words of an operation that have left for its core, in cycles from the one before their first on.

    Attributes:
        moved: the cycle in which the last one left.
        left: those in which words left the reader, if they come from there.
        one_before, two_before: those in which the last two were taken, by the stage in front of the core if
            there is one.
        results: the first cycle of the result of each number.
        turns: the cores, the one that the next operation goes to first.
    """

    moved: int
    left: tuple[int, ...]
    one_before: int
    two_before: int
    results: tuple[int, ...]
    turns: tuple[_Turn, ...]


@dataclass
class Unit:
    """When the cores of the engine take words and give results; operation k is that of core k mod ``cores``.

    Attributes:
        stream: when one of them does, behind its gear if it has one.
        cores: how many there are.
        staged: whether one has registers in front of it and behind it, too.
        pairs: whether two words of registers wait for it, not one (``mm_engine_feed``).
        batch: numbers of a register, each an operation of its own.
        parts: cycles of a sum where words are whole numbers and nothing waits; 0 elsewhere.
    """

    stream: Stream[Any]
    cores: int = 1
    staged: bool = False
    pairs: bool = False
    batch: int = 1
    parts: int = 0
    turns: list[_Turn] = field(init=False)
    left: int = field(init=False)
    fed: dict[tuple[object, ...], _Fed] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.turns = [_Turn(0, self.stream.idle)] * self.cores
        self.left = -self.each

    @property
    def each(self) -> int:
        """Words of a number."""
        return self.stream.beats

    @property
    def beats(self) -> int:
        """Words of a register."""
        return self.each * self.batch

    @property
    def gear(self) -> bool:
        return isinstance(self.stream, Geared)

    @property
    def facts(self) -> tuple[object, ...]:
        """All that it is while idle."""
        stream = self.stream
        ways = tuple((stream.latency(square), stream.interval(square)) for square in (False, True))
        how = (stream.alone, self.gear, self.cores, self.staged, stream.facts)
        several = [self.batch] if self.batch > 1 else []
        whole_words = ["whole", self.parts] if self.parts else []
        return (self.each, *ways, tuple(stream.offsets), *how, *several, *whole_words)

    def operate(self, square: bool, moved: int, one_before: int, two_before: int, f: int | None) -> _Fed:
        """The words of the next operation leave for its core, which takes them and gives the result.

        With several numbers these are as many operations, one behind the other.

        Args:
            square: whether it is a square.
            moved: the cycle before the first in which a word can leave.
            one_before, two_before: cycles in which the words before were taken.
            f: the first cycle of the result, of the last number's, where words of it are among them.

        Returns:
            when they have left, and the first cycle of each result.
        """
        taking = min(self.batch, self.cores)
        turns = [turn.later(self.stream, moved) for turn in self.turns[:taking]]
        left = max(self.left - moved, -self.each - 1) if self.cores > 1 else 0
        before = (
            None if f is None else max(f - moved, -self.each),
            max(one_before - moved, 0),
            max(two_before - moved, 0),
            left,
        )
        key = (square, *before, *(turn.known for turn in turns))
        if key not in self.fed:
            self.fed[key] = self._feed(square, *before, turns)
        fed = self.fed[key]
        self.turns = [*self.turns[taking:], *(turn._replace(since=moved) for turn in fed.turns)]
        self.left = moved + fed.results[-1]
        late = 2 if self.staged else int(self.gear or self.cores > 1)
        return _Fed(
            moved + fed.moved,
            tuple(moved + each for each in fed.left),
            moved + fed.one_before,
            moved + fed.two_before,
            tuple(moved + each + late for each in fed.results),
            fed.turns,
        )

    def _feed(
        self,
        square: bool,
        f: int | None,
        one_before: int,
        two_before: int,
        results_left: int,
        turns: list[_Turn],
    ) -> _Fed:
        """The words of an operation: from cycle 1 on they can leave. What is long ago is 0 or -1.

        A stage in front of a core takes words, and holds two.
        """
        staged = self.staged or self.cores > 1
        moved = 0
        times: list[int] = []
        left: list[int] = []
        results: list[int] = []
        for number in range(self.batch):
            _, core, second, last = turns[0]
            for word in range(self.each):
                moved = (moved if moved > two_before else two_before) + 1
                if f is not None and not number and moved <= f + word:
                    moved = f + word + 1
                times.append(moved)
                room = times[:-1][-1:] if not self.pairs else [each + 1 for each in times[:-2][-1:]]
                left.append(max(left[-1] + 1 if left else 0, *room, 0))
                offered = accepted = (moved if moved > one_before else one_before) + 1
                if staged:
                    accepted = accepted if accepted > second else second + 1
                    offered = (last if last > accepted else accepted) + 1
                taken, core = self.stream.take(core, offered, square)
                two_before, one_before = one_before, accepted if staged else taken
                if staged:
                    second, last = last, taken
            result, core = self.stream.result(core, square)
            if self.cores > 1:  # results come in the order of the operations, a cycle between them
                result = max(result, results_left + self.each + 1)
            core = self.stream.leave(core, result, result + self.each - 1)
            results_left = result
            results.append(result)
            turns = [*turns[1:], _Turn(0, core, second, last)]
        return _Fed(moved, tuple(left), one_before, two_before, tuple(results), tuple(turns))

    def state(self, cycle: int) -> tuple[object, ...]:
        """All that decides what follows, in cycles from one on; what is long ago is the same."""
        left = max(self.left - cycle, -self.each - 1) if self.cores > 1 else None
        return left, tuple(turn.later(self.stream, cycle).known for turn in self.turns)


@dataclass
class Sums:
    """The unit for sums, and the reader while it has words for it: cycle by cycle, as the hardware has them.

    Attributes:
        beats: words of a register.
        late: whether there are registers behind its memories.
        batch: numbers of a register.
        starts: cycles in which sums begin that have not begun yet: whether they have a second pass.
        keep: whether the one in the first pass has.
        writes: first cycles of results that go to the register file, each with the words of a number behind
            it.
        stands: first and last cycles in which a word on its way to the core waits in the reader.
        now: the cycle that the rest belongs to.
        left: words of the first pass still to be addressed.
        fetched: whether there is a word in each of the reader's stages.
        first: a sum has begun, and its second pass has not.
        beat: words that the first pass has taken.
        taken, word: it has taken one in the cycle before, and which.
        valid, last, top: there is a word behind its first adder; it is the number's last; the register's.
        second, place: the second pass runs; the word that it reads.
        read: a word of it is in the registers behind the memories.
        waits: a word of it waits to be written.
        room: the first pass may take a word.
        waiting: of several numbers, those whose first pass has ended, and whose second has not begun.
        open: of several numbers, sums whose second pass has not ended.
        addressed, gone, written: the cycles from which on all words have been addressed; have left the
            reader; are written, or leave for that.
        each: words of a number.
    """

    beats: int
    late: bool = False
    batch: int = 1
    starts: dict[int, bool] = field(default_factory=dict)
    writes: list[int] = field(default_factory=list)
    stands: list[tuple[int, int]] = field(default_factory=list)
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
    top: bool = False
    second: bool = False
    place: int = 0
    read: bool = False
    waits: bool = False
    room: bool = True
    waiting: int = 0
    open: int = 0
    addressed: int = 0
    gone: int = 0
    written: int = 0
    each: int = field(init=False)

    def __post_init__(self) -> None:
        self.each = self.beats // self.batch

    def state(self, cycle: int) -> tuple[object, ...]:
        """All that decides what follows, in cycles from one on."""
        return (
            tuple((start - cycle, passes) for start, passes in self.starts.items()),
            tuple(first - cycle for first in self.writes if first + self.each > self.now),
            tuple((first - cycle, last - cycle) for first, last in self.stands if last >= self.now),
            tuple(max(each - cycle, 0) for each in (self.addressed, self.gone, self.written)),
            self.now - cycle,
            *(self.keep, self.left, self.fetched, self.first, self.beat, self.taken, self.word),
            *(self.valid, self.last, self.top, self.second, self.place, self.read, self.waits, self.room),
            *(self.waiting, self.open),
        )

    @property
    def addressing(self) -> bool:
        return bool(self.starts) or self.left > 0

    @property
    def reading(self) -> bool:
        return self.addressing or any(self.fetched)

    @property
    def held(self) -> bool:
        """A word of the second pass waits for a result."""
        return self.waits and any(first <= self.now < first + self.each for first in self.writes)

    @property
    def writing(self) -> bool:
        return self.first or self.second or self.read or self.held or self.open > 0

    def step(self) -> bool:
        """One cycle.

        Returns:
            whether words in the reader move.
        """
        now, each, several = self.now, self.each, self.batch > 1
        start, held, second = now in self.starts, self.held, self.second
        arrived, waiting = self.fetched
        next_cycle = now + 1
        if self.starts or self.left > 0:
            self.addressed = self.gone = next_cycle
        elif arrived or waiting:
            self.gone = next_cycle
        if self.first or second or self.read or held or self.open > 0:
            self.written = next_cycle
        taken = waiting and self.room
        advance = taken or not (waiting or any(first <= now <= last for first, last in self.stands))
        first_end, tested = self.valid and self.last, self.valid and self.top and not self.keep
        top = self.beats - 1
        self.room = self.open < 2 if several else not second or not self.first
        self.room = self.room or self.place > self.beat + 1
        self.first = start or (self.first and not first_end)
        self.valid, self.last, self.top = self.taken, self.word % each == each - 1, self.word == top
        self.taken, self.word = taken, self.beat
        self.beat = 0 if start else self.beat + taken
        if not held:
            self.waits = self.read if self.late else second
            self.read = self.late and second
        goes = second and not held
        ends = goes and self.place % each == each - 1
        if several:
            begins = self.waiting > 0 and (not second or ends)
            self.waiting += (first_end and self.keep) - begins
            self.open += start - (ends and self.place == top) - tested
            self.place = (self.place + goes) % self.beats
        else:
            begins = first_end and self.keep
            self.place = 0 if first_end else self.place + goes
        self.second = begins or (second and not ends)
        if advance:
            self.fetched = self.left > 0, arrived
            if self.left > 0:
                self.left -= 1
        if start:
            self.left = self.beats
            self.keep = self.starts.pop(now)
        self.now = next_cycle
        return advance

    def go(self, cycle: int) -> None:
        """To a cycle, unless it is behind."""
        while self.now < cycle:
            if self.reading or self.writing or self.waits or self.valid or self.taken:
                self.step()
            else:
                self.now, self.room = cycle, True

    def until(self, cycle: int, *, feed: bool, settled: bool) -> int:
        """The first cycle from this one on in which a row may begin.

        Args:
            feed: whether it is a feed, which begins as soon as all words of sums have been addressed.
            settled: whether it waits until they are written.
        """
        self.writes = [first for first in self.writes if first + self.each > self.now]
        self.stands = [stand for stand in self.stands if stand[1] >= self.now]
        self.go(cycle)
        while (self.addressing if feed else self.reading) or (settled and self.writing):
            self.step()
        return max(cycle, self.addressed if feed else self.gone, self.written if settled else 0)

    def behind(self, start: int) -> tuple[int, int]:
        """When the first word of a feed is addressed, and when it is there, behind words of sums."""
        self.go(start + 1)
        if not self.reading:
            return start + 1, start + 3
        moves: list[int] = []
        while len(moves) < 2:
            moves += [self.now - 1] if self.step() else []
        return moves[0], moves[1] + 1


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
    if unit.parts:
        latency = unit.stream.latency(False)
        return cycles_of_whole(
            *(program, latency, unit.batch, unit.parts, word, first, rounds, control, told), counts=counts
        )
    beats = unit.beats
    ahead = int(program.ahead > 0)  # a row behind a turn is fetched a cycle later
    late = int(unit.staged)  # lanes are told a cycle later, heard of and their results written, too
    at = program.setup if setup else program.entry if control else 0
    fetch = 1 + ahead + (0 if setup else late)
    results: list[int] = []  # first cycle of each, of several numbers that of the last one
    firsts: list[int] = []  # that of the first one
    sums, repeats = Sums(beats, unit.staged, unit.batch), 0
    reader = 0  # but for sums, idle from this cycle on, or words of a feed are addressed
    feed = 0  # idle from this cycle on
    one_before = two_before = 0  # cycles in which the words before were taken
    left = 0  # bits in the word of the exponent
    over = 0  # bits that the next row takes fewer
    most_pending = 2 + max(row.pending for row in program.rows)
    seen: dict[tuple[object, ...], tuple[int, int]] = {}  # state of a loop: rounds to come, and the cycle
    skipped = 0  # cycles of rounds that were counted

    def again(turn: int, to_come: int, *others: int) -> int:
        """How many of the rounds to come are as long as those since the same state, which are skipped."""
        nonlocal skipped
        state = (
            (turn, left, over, *others),
            tuple(max(each - begin, 0) for each in (reader, feed, one_before, two_before)),
            tuple(max(each - begin, -beats) for each in (*firsts[-most_pending:], *results[-most_pending:])),
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
        if len(results) > row.pending:
            begin = max(begin, results[len(results) - row.pending - 1] + 1 + late)
        if row.feeds or row.operation in BEHIND:
            begin = max(begin, feed + late)
        if row.quiet:
            begin = max(begin - late, reader)
            begin = sums.until(begin, feed=row.feeds, settled=row.settled) + late
        if row.operation in ALONE:
            for first_word, result in zip(firsts[-most_pending:], results[-most_pending:], strict=True):
                after = result + unit.each
                begin = after + late if first_word < begin - late < after else begin
        begin += 1
        if told:
            told(at - 1, begin)
        if row.operation == READY:
            return begin + skipped
        if row.operation in TURNS:
            behind, turns = at, row.operation == "jump"
            if turns:
                at = row.target
            elif row.operation == "repeat":
                repeats = (repeats + 1) % row.times(counts)
                turns = repeats > 0
                if turns:
                    at = row.target
                    repeats += 0 if told else again(behind, row.times(counts) - 1 - repeats, rounds)
            elif rounds:
                turns, at, rounds = True, row.target, rounds - 1
                rounds -= 0 if told else again(behind, rounds, repeats)
            fetch = begin + 1 + (ahead if turns else 0)
        elif row.operation == "scan":
            reader = begin + program.entries * beats + 4 + late
            feed = max(feed, begin + 2 * late)
            fetch = begin + 1
        elif row.operation in SUMS:
            sums.starts[begin + late] = row.operation not in TESTS
            feed = max(feed, begin + 2 * late)
            fetch = begin + 1
        elif row.operation in PLAIN:
            levels = max(program.digit, 2).bit_length() - 2  # of additions, beside the first
            reader = begin + (row.parts if row.whole else 1) * beats + 6 + late + levels
            feed = max(feed, begin + 2 * late)
            fetch = begin + 1
        elif row.operation == "rewind":
            left = 0
            over = 0 if row.x == program.operands[1] and not row.long else row.over(word, beats)
            fetch = begin + 2
        elif row.operation == "bits":
            now = begin + 1
            for _ in range(row.taken(over) * program.batch or first):
                if not left:
                    now = sums.until(max(now - late, reader), feed=False, settled=False) + 5 + 2 * late
                    left = word
                now, left = now + 1, left - 1
            over = 0
            fetch = now + 1
        else:
            f = results[-1] + late if F in (row.x, row.y) else None  # words of F are read ahead there
            moved = begin + late + (0 if f is None else late)
            if row.reads:
                addressed, moved = sums.behind(begin + late)
            if row.operation in ENDS:
                moved = max(moved, two_before, moved if f is None else f) + 1
                return max(moved, one_before) + 1 + 3 * late + skipped
            fed = unit.operate(row.square, moved, one_before, two_before, f)
            if row.reads:
                # The last word is addressed as the third one before it leaves.
                *_, addressed = (addressed, moved - 1, *fed.left[:-2])[:beats]
                reader = addressed + 1
                sums.stands += [(a + 1, b - 1) for a, b in pairwise(fed.left[-3:]) if b - a > 1]
            elif late:
                reader = max(reader, begin + 2)
            one_before, two_before = fed.one_before, fed.two_before
            firsts.append(fed.results[0])
            results.append(fed.results[-1])
            sums.writes += [each + 1 for each in fed.results] if row.d else []  # a register behind the core
            feed = fed.moved + 1
            fetch = begin + 1


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
