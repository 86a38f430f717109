# SPDX-License-Identifier: Apache-2.0
"""Registers that need no place, as f has what they hold, and registers that share one, needed one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from modmul.systems.rows import ONE, STOPS, TURNS, F, Program
from modmul.systems.waits import waiting

__all__ = ["forwarded", "shared"]


def shared(program: Program) -> Program:
    """The program with registers in places that others no longer need.

    Left alone are the table, pairs, long registers, the second operand, the numbers of the context and what
    rows that run on a context touch: these stay from one operation to the next, or stand where they must.
    """
    free = _free(program)
    beside = _beside(program, free)
    last = program.slots[program.operands[1]]
    length = program.places - last
    unused = program.slots.keys() - _stays(program) - free
    taken = {place for name, place in program.slots.items() if name not in free | unused and place < last}
    slots: dict[str, int] = {}
    for name in sorted(free, key=lambda name: program.slots[name]):
        others = taken | {slots[other] for other in beside[name] if other in slots}
        slots[name] = next(place for place in range(last) if place not in others)
    end = max(taken.union(slots.values()), default=-1) + 1
    moved = last - -(-end // length) * length
    slots = {
        name: slots.get(name, place - moved if place >= last else place)
        for name, place in program.slots.items()
        if name not in unused
    }
    return waiting(replace(program, slots=slots, places=program.places - moved))


def forwarded(program: Program) -> Program:
    """The program with f in place of a register where that holds the latest result.

    A result that nobody takes from its register any more is not written there.
    """
    rows = [*program.rows]
    begins = {0, program.entry, program.setup, *(row.target for row in rows if row.operation in TURNS)}
    latest = ""  # the register that holds what f holds
    for at, row in enumerate(rows):
        if at in begins or (at and rows[at - 1].operation in TURNS):
            latest = ""
        if latest and latest in (row.x, row.y) and not row.choose:
            if row.operation == "mul":
                x, y = (F if name == latest else name for name in (row.x, row.y))
                rows[at] = replace(row, x=y, y=x) if y == F and x != ONE else replace(row, x=x, y=y)
            elif row.operation == "out" and program.width == 1:
                rows[at] = replace(row, x=F)
        if row.operation == "mul":
            latest = row.d
        elif latest in row.writes:
            latest = ""
    program = replace(program, rows=tuple(rows))
    free = _free(program)
    _, behind = _needed(program, free)
    return waiting(
        replace(
            program,
            rows=tuple(
                replace(row, d="") if row.operation == "mul" and row.d in free - behind[at] else row
                for at, row in enumerate(rows)
            ),
        )
    )


def _free(program: Program) -> set[str]:
    """Registers that nobody needs from one operation to the next, and that can stand anywhere."""
    used = {name for row in program.rows for name in (*row.reads, *row.writes)} | {program.operands[0]}
    return used - _stays(program)


def _stays(program: Program) -> set[str]:
    """The others: table, numbers of the context and what is computed of them, second operand, pairs."""
    own = {name for at in program.own for name in (*program.rows[at].reads, *program.rows[at].writes)}
    double = {name for name in program.slots if name[-1] in "~'" or "." in name}
    return own.union(double, program.table, program.numbers, program.operands[1:], program.longs)


def _needed(program: Program, free: set[str]) -> tuple[list[set[str]], list[set[str]]]:
    """For each row, which of some registers are still needed before it and behind it."""
    rows = program.rows
    live: list[set[str]] = [set() for _ in rows]
    behind: list[set[str]] = [set() for _ in rows]
    changed = True
    while changed:
        changed = False
        for at in reversed(range(len(rows))):
            row = rows[at]
            nexts = [row.target] if row.operation in TURNS else []
            nexts += [] if row.operation == "jump" or row.operation in STOPS else [at + 1]
            behind[at] = set().union(*(live[each] for each in nexts))
            found = (behind[at] - {*row.writes} | {*row.reads}) & free
            if found != live[at]:
                live[at], changed = found, True
    return live, behind


def _beside(program: Program, free: set[str]) -> Mapping[str, set[str]]:
    """For each register, those whose numbers are still needed when it is written, and the other way round."""
    live, behind = _needed(program, free)
    beside: dict[str, set[str]] = {name: set() for name in free}

    def written(name: str, needed: set[str]) -> None:
        for other in needed - {name} if name in free else ():
            beside[name].add(other)
            beside[other].add(name)

    for at, row in enumerate(program.rows):
        for name in row.writes:
            written(name, behind[at])
    for begin in (0, program.entry):
        written(program.operands[0], live[begin])
    return beside
