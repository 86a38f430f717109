# SPDX-License-Identifier: Apache-2.0
"""Ways to arrange a program: other orders of rows, f in place of registers, shared places."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence

from modmul.systems.ordering import ordered, reordered
from modmul.systems.rows import Program
from modmul.systems.sharing import forwarded, shared
from modmul.systems.timing import Unit

__all__ = ["SHORT_RUN", "TRIES", "WAYS", "arranged", "arrangement"]

TRIES = 200
"""Orders of the rows that are timed at most, beside those of the lists."""

ROWS_TRIED = 20_000
"""Rows of all these orders, at most."""

SHORT_RUN = 3
"""Rounds of each loop, at most, in the runs that they are timed with."""

WHOLE_RUN = sys.maxsize
"""Likewise, where nothing is cut short."""

WAYS = 5
"""To arrange a program (:func:`arranged`)."""


def arranged(way: int, written: Program, order: Sequence[int]) -> Program:
    """0: as it is; 1: places shared; 2: f in place of registers, too; 3 and 4: the same in another order.

    Raises:
        ValueError: there is no such way, or in this order the rows would not compute the same.
    """
    if not 0 <= way < WAYS:
        raise ValueError(f"there are {WAYS} ways to arrange a program, got {way}")
    if not way:
        return written
    found = reordered(written, order) if way > 2 else written
    return shared(found if way % 2 else forwarded(found))


def arrangement(
    written: Program, unit: Unit, time: Callable[[Program, int], Sequence[int]], tries: int
) -> tuple[int, list[int]]:
    """The fastest way to arrange a program, never slower than as it is written.

    Args:
        unit: the cores, idle.
        time: what a program takes, in cycles, in each of the ways it is run; every loop and repetition has
            so many rounds at most.
        tries: orders of the rows that are timed at most, beside those of lists; fewer of long programs.

    Returns:
        the way of :func:`arranged`, and the order of the rows.
    """
    order = ordered(
        written,
        unit,
        lambda program: sum(time(program, SHORT_RUN)),
        min(tries, ROWS_TRIED * tries // TRIES // len(written.rows)),
    )
    before = time(written, WHOLE_RUN)
    best, least = 0, sum(before)
    for way in range(WAYS):
        taken = time(arranged(way, written, order), WHOLE_RUN)
        if all(map(operator.le, taken, before)) and sum(taken) <= least:
            best, least = way, sum(taken)
    return best, order
