# SPDX-License-Identifier: Apache-2.0
"""How fast the rows of a program could be at best: what no order of them goes below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from modmul.systems.checking import PLAIN
from modmul.systems.rows import ENDS, SUMS, TURNS, F, Program, Row
from modmul.systems.timing import Unit

__all__ = ["bound"]

HANDOVER = 2
"""Cycles from a word of a result to the same word at a core at least: through f (docs/engine.md)."""


def bound(
    program: Program, unit: Unit, rounds: int, *, control: bool = False, counts: Mapping[str, int]
) -> int:
    """Cycles from the last operand word to the first word of the result that the same rows take at least.

    Three things bound any order of them. What a number is made of is there before: a multiplication takes
    its latency, its words and the way back to a core; a sum modulo M twice the words, since it is known
    behind the first pass alone which result is right. Several numbers of a register go through a core and
    through the passes one behind the other. A core begins an operation an interval behind the one
    before. And the register file is read for one row at a time. Where words are whole numbers, products and
    sums have ports of their own, sums take as many cycles as they have parts, and of several numbers only the
    first has to be there.

    Args:
        unit: the cores, idle.
        rounds: of the loop.
        control: whether the engine begins at the entry.
        counts: how often rows are repeated, by name.
    """
    ready: dict[str, int] = {}
    busy = read = sums = last = 0
    for row in _run(program, rounds, control, counts):
        begins = max((ready.get(name, 0) for name in (*row.reads, *_latest(row))), default=0)
        if row.operation in ENDS:
            break
        done = begins + 1
        if row.operation == "mul":
            last = unit.stream.interval(row.square)
            done = begins + HANDOVER + unit.stream.offsets[-1] + unit.stream.latency(row.square)
            done += 0 if unit.parts else (unit.batch - 1) // unit.cores * last
            busy += unit.batch * last
            ready[F] = done
            read += unit.beats * bool(row.reads)
        elif row.operation in SUMS:
            done = begins + (unit.parts or unit.beats + unit.each)
            sums += unit.beats
        elif row.operation in PLAIN:
            done = begins + unit.beats
            read += unit.beats
        elif row.operation == "scan":
            read += program.entries * unit.beats
        for name in row.writes:
            ready[name] = done
    return max(begins, (busy - last) // unit.cores, max(read, sums) if unit.parts else read + sums)


def _latest(row: Row) -> tuple[str, ...]:
    return (F,) if F in (row.x, row.y) else ()


def _run(program: Program, rounds: int, control: bool, counts: Mapping[str, int]) -> Iterator[Row]:
    """The rows that run, one after the other; registers of a pair have names that stay in all rounds."""
    at, repeats, phase = program.entry if control else 0, 0, 0
    placed: tuple[dict[int, Row], dict[int, Row]] = {}, {}  # of each phase
    while True:
        row = program.rows[at]
        at += 1
        if row.operation in TURNS:
            if row.operation == "repeat":
                repeats = (repeats + 1) % row.times(counts)
                at = row.target if repeats else at
            elif row.operation == "jump":
                at = row.target
            elif rounds:
                at, rounds, phase = row.target, rounds - 1, 1 - phase
            continue
        if at not in placed[phase]:
            d, x, y, other = (_placed(name, phase) for name in (row.d, row.x, row.y, row.other))
            placed[phase][at] = replace(row, d=d, x=x, y=y, other=other)
        yield placed[phase][at]
        if row.operation in ENDS:
            return


def _placed(name: str, phase: int) -> str:
    """``q~`` and ``q'`` change places in every round."""
    return name[:-1] + "'~"[(name[-1] == "~") ^ phase] if name[-1:] in ("'", "~") else name
