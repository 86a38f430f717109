# SPDX-License-Identifier: Apache-2.0
"""Registers that share a place of the register file, as their numbers are never needed at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from modmul.systems.assembly import STOPS, TURNS, Program, waiting

__all__ = ["shared"]


def shared(program: Program) -> Program:
    """The program with registers in places that others no longer need.

    Left alone are the table, pairs, long registers, the second operand, the numbers of the context and what
    rows that run on a context touch: these stay from one operation to the next, or stand where they must.
    """
    own = {name for at in program.own for name in (*program.rows[at].reads, *program.rows[at].writes)}
    used = {name for row in program.rows for name in (*row.reads, *row.writes)} | {program.operands[0]}
    fixed = own.union(program.table, program.numbers, program.operands[1:], program.longs)
    free = {name for name in used - fixed if name[-1] not in "~'" and "." not in name}
    if len(free) < 2:
        return program
    beside = _beside(program, free)
    last = program.slots[program.operands[1]]
    length = program.places - last
    taken = {place for name, place in program.slots.items() if name not in free and place < last}
    slots: dict[str, int] = {}
    for name in sorted(free, key=lambda name: program.slots[name]):
        others = taken | {slots[other] for other in beside[name] if other in slots}
        slots[name] = next(place for place in range(last) if place not in others)
    end = max(taken.union(slots.values()), default=-1) + 1
    moved = last - -(-end // length) * length
    slots = {
        name: slots.get(name, place - moved if place >= last else place)
        for name, place in program.slots.items()
    }
    return waiting(replace(program, slots=slots, places=program.places - moved))


def _beside(program: Program, free: set[str]) -> Mapping[str, set[str]]:
    """For each register, those whose numbers are still needed when it is written, and the other way round."""
    rows = program.rows
    live: list[set[str]] = [set() for _ in (*rows, None)]
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
    beside: dict[str, set[str]] = {name: set() for name in free}

    def written(name: str, needed: set[str]) -> None:
        for other in needed - {name} if name in free else ():
            beside[name].add(other)
            beside[other].add(name)

    for at, row in enumerate(rows):
        for name in row.writes:
            written(name, behind[at])
    for begin in (0, program.entry):
        written(program.operands[0], live[begin])
    return beside
