# SPDX-License-Identifier: Apache-2.0
"""When a core takes operands and gives results while operations come one behind the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Self, TypeVar

__all__ = ["Beside", "Overlapping", "Regular", "Standing", "Stream"]

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True)
class Beside:
    """When a core takes the words of an operation while the one before runs.

    Cycles are those behind the one that took the last operand beat of the operation before; or, where that
    had to wait for another one, that many cycles of latency ahead of the first beat of its result.

    Attributes:
        earliest: for each beat, the first cycle in which it is taken.
        apart: cycles from one such beat to the next, at least.
        until: from this cycle on beats are taken as by an idle core; -1: it makes no difference.
    """

    earliest: Sequence[int]
    apart: int = 1
    until: int = -1


@dataclass(frozen=True, eq=False)
class Stream(ABC, Generic[State]):
    """When a core takes each beat of operands, whenever those are offered, and when its results come.

    What the core has done so far is a state, whose cycles are counted from any one; what comes is in cycle 1
    or later. Whoever asks goes through the operations in order: for each beat :meth:`take`, then
    :meth:`result`, then :meth:`leave`, and then the next operation.

    Attributes:
        offsets: for each beat of operands that come without a gap, the cycle in which an idle core takes it,
            the first being 0.
        latency, interval: of an operation with or without ``square``, as of an
            :class:`~modmul.core.interface.Interface`.
        alone: whether operands are taken only when the result before has left.
    """

    offsets: Sequence[int]
    latency: Callable[[bool], int]
    interval: Callable[[bool], int]
    alone: bool

    @property
    def beats(self) -> int:
        """Of an operand."""
        return len(self.offsets)

    @property
    def tells_waiting(self) -> bool:
        """Whether its cycles are those of results, too, that wait to be taken for some cycles."""
        return True

    @property
    @abstractmethod
    def facts(self) -> object:
        """All that decides its cycles besides the attributes, by its ``repr``."""

    @property
    @abstractmethod
    def idle(self) -> State:
        """The state of an idle core, which has taken no beats."""

    @abstractmethod
    def take(self, state: State, offered: int, square: bool) -> tuple[int, State]:
        """The cycle in which the core takes the next beat.

        Args:
            offered: the first cycle in which it is offered, behind the one that took the beat before.
            square: of the operation, the same for all of its beats.
        """

    @abstractmethod
    def result(self, state: State, square: bool) -> tuple[int, State]:
        """The first cycle of the result of the operation whose last beat has been taken."""

    @abstractmethod
    def leave(self, state: State, first: int, last: int) -> State:
        """That result's first beat may be taken from one cycle on, and the last one is taken in another."""

    @abstractmethod
    def later(self, state: State, cycles: int) -> State:
        """The state, between two operations, its cycles counted from so many later.

        What no longer decides on anything is the same in all such states.
        """


class _Known(NamedTuple):
    """What a regular core has done.

    Attributes:
        beat: beats of an operation that have been taken.
        first, last: the cycles of its first and its last one.
        free: the first cycle in which a first beat is taken.
        start: that of the operation before, by which :class:`Beside` counts; ``None``: it does not matter.
        left: the first cycle of its result; ``None``: likewise.
        pause: from the cycle in which its last beat is taken to the next operation's first one.
    """

    beat: int = 0
    first: int = 0
    last: int = 0
    free: int = 0
    start: int | None = None
    left: int | None = None
    pause: int = 0


@dataclass(frozen=True, eq=False)
class Regular(Stream[_Known]):
    """A core whose latency, interval and :class:`Beside` say it all.

    Attributes:
        beside: when it takes beats while an operation runs; ``None``: as soon as it has all those before.
    """

    beside: Beside | None = None

    @property
    def facts(self) -> object:
        return self.beside

    @property
    def idle(self) -> _Known:
        return _Known()

    def take(self, state: _Known, offered: int, square: bool) -> tuple[int, _Known]:
        del square
        beat, first, last, free, start, left, pause = state
        cycle = max(offered, first + self.offsets[beat] if beat else free)
        if self.beside and start is not None:
            cycle = max(cycle, self._earliest(self.beside, beat, last, start))
        return cycle, _Known(beat + 1, first if beat else cycle, cycle, free, start, left, pause)

    def _earliest(self, beside: Beside, beat: int, last: int, start: int) -> int:
        """Of a beat beside an operation that has started in that cycle."""
        earliest = start + beside.earliest[beat]
        if beat:
            earliest = max(earliest, last + beside.apart)
        return earliest if beside.until < 0 else min(earliest, start + beside.until)

    def result(self, state: _Known, square: bool) -> tuple[int, _Known]:
        latency, interval = self.latency(square), self.interval(square)
        comes = state.last + latency
        if state.left is not None and not self.alone:
            comes = max(comes, state.left + interval)
        start = comes - latency if self.beside else None
        return comes, _Known(start=start, pause=interval - latency - self.offsets[-1] - self.beats + 1)

    def leave(self, state: _Known, first: int, last: int) -> _Known:
        free = last + state.pause if self.alone else 0
        return _Known(free=free, start=state.start, left=None if self.alone else first)

    def later(self, state: _Known, cycles: int) -> _Known:
        start, left = state.start, state.left
        if start is not None and self.beside:
            start = max(start - cycles, -max(*self.beside.earliest, self.beside.until))
        if left is not None:
            left -= cycles
            if all(left + self.interval(square) <= self.latency(square) for square in (False, True)):
                left = None
        return _Known(free=max(state.free - cycles, 0), start=start, left=left)


class _Stages(NamedTuple):
    """What an overlapping core has done.

    Attributes:
        beat: beats of an operation that have been taken.
        last: the cycle in which it took the last one.
        free: the first cycle in which a first beat is taken.
        ended: the cycle in which the loop of the operation before ended.
        left: those from which on results have left the room for them, of the last operations that have it.
        gone: the cycle in which the last beat of the result before was taken.
        comes: the first cycle of the result.
    """

    beat: int = 0
    last: int = 0
    free: int = 0
    ended: int = -1
    left: tuple[int, ...] = ()
    gone: int = -1
    comes: int = 0


LONG_AGO = -1
"""A cycle that decides on nothing."""
QUEUED = 3
"""Cycles from a word that comes to ``mm_result_queue``, which others wait in, to its place at the port."""


@dataclass(frozen=True, eq=False)
class Overlapping(Stream[_Stages]):
    """A core with registers for the next operands, a loop for one operation, and room for results.

    Operands wait until the loop is free; the loop, at its end, until there is room for a result.

    Attributes:
        ready: cycles from the last operand beat to the start of the loop.
        loop: cycles from there to its end, of an operation with or without ``square``; with 0 the operands
            wait for the room, too.
        turn: cycles from its end to the next start.
        room: results that there is room for, from the end of the loop on.
        clears: cycles from the one that takes the last beat of a result to the first in which there is room.
        ahead: whether the last beat leaves the room for a register, in which it waits to be taken.
        queue: where results wait for each other in a ``mm_result_queue``, cycles from the one in which a word
            that finds it empty comes there to the one in which it is at the port; ``None``: there is none. A
            result whose first beat waits one or two cycles has a gap behind it, which is not told.
    """

    ready: int
    loop: Callable[[bool], int]
    turn: int = 1
    room: int = 1
    clears: int = 0
    ahead: bool = False
    queue: int | None = None

    @property
    def tells_waiting(self) -> bool:
        return self.queue is None

    @classmethod
    def of(cls, known: Stream[Any], ready: int, loop: Callable[[bool], int], **others: Any) -> Self:
        """A core whose latency and interval are known."""
        return cls(known.offsets, known.latency, known.interval, False, ready, loop, **others)

    @property
    def facts(self) -> object:
        loops = tuple(self.loop(square) for square in (False, True))
        room = (self.room, self.clears, self.ahead, self.queue)
        return (type(self).__name__, self.ready, loops, self.turn, *room)

    @property
    def idle(self) -> _Stages:
        return _Stages(ended=-self.turn, left=(LONG_AGO - self.clears,) * self.room)

    def take(self, state: _Stages, offered: int, square: bool) -> tuple[int, _Stages]:
        del square
        cycle = offered if state.beat else max(offered, state.free)
        return cycle, state._replace(beat=state.beat + 1, last=cycle)

    def result(self, state: _Stages, square: bool) -> tuple[int, _Stages]:
        loop = self.loop(square)
        start = max(state.last + self.ready, state.ended + self.turn)
        ended = max(start + loop, state.left[0] + self.clears)
        way = self.latency(square) - self.ready - loop
        comes = self._comes(ended + way, state.gone)
        free = (start if loop else ended) + 1
        return comes, _Stages(free=free, ended=ended, left=state.left, gone=state.gone, comes=comes)

    def _comes(self, alone: int, gone: int) -> int:
        """The first cycle of a result that would come then, behind one that is taken until ``gone``."""
        if self.queue is not None and alone - self.queue < gone:
            return max(alone - self.queue + QUEUED, gone + 1)
        return max(alone, gone + 1)

    def leave(self, state: _Stages, first: int, last: int) -> _Stages:
        leaves = last
        if self.ahead:
            leaves = (last if self.beats > 1 else state.comes) - 1
        return state._replace(left=(*state.left[1:], leaves), gone=last)

    def later(self, state: _Stages, cycles: int) -> _Stages:
        return _Stages(
            free=max(state.free - cycles, 0),
            ended=max(state.ended - cycles, -self.turn),
            left=tuple(max(left - cycles, LONG_AGO - self.clears) for left in state.left),
            gone=max(state.gone - cycles, LONG_AGO),
        )


class _Standing(NamedTuple):
    """What a pipeline has done that can stand still.

    Attributes:
        taken: the cycle in which it took an operation.
        comes: the first cycle of its result.
        still: runs of cycles in which nothing moved, each with the cycle behind it.
    """

    taken: int = 0
    comes: int = 0
    still: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Standing(Stream[_Standing]):
    """A pipeline that takes an operation a cycle, all of which stands still while a result waits."""

    @classmethod
    def of(cls, known: Stream[Any]) -> Self:
        """One whose latency and interval are known."""
        return cls(known.offsets, known.latency, known.interval, False)

    @property
    def facts(self) -> object:
        return type(self).__name__

    @property
    def idle(self) -> _Standing:
        return _Standing()

    def take(self, state: _Standing, offered: int, square: bool) -> tuple[int, _Standing]:
        del square
        for begin, end in state.still:
            if begin <= offered < end:
                offered = end
        return offered, state._replace(taken=offered)

    def result(self, state: _Standing, square: bool) -> tuple[int, _Standing]:
        comes = state.taken + self.latency(square)
        for begin, end in state.still:
            if state.taken < begin < comes:
                comes += end - begin
        return comes, state._replace(comes=comes)

    def leave(self, state: _Standing, first: int, last: int) -> _Standing:
        del first
        waited = ((state.comes, last),) if last > state.comes else ()
        return state._replace(still=state.still + waited)

    def later(self, state: _Standing, cycles: int) -> _Standing:
        still = tuple((max(begin - cycles, 0), end - cycles) for begin, end in state.still if end > cycles)
        return _Standing(still=still)
