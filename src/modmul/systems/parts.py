# SPDX-License-Identifier: Apache-2.0
"""What the parts of a program take: the rows behind a line ``;; its title``, as far as the next such line."""

from __future__ import annotations

from bisect import bisect
from dataclasses import replace
from itertools import pairwise

from modmul.core import PART, Part
from modmul.systems.engine import EngineConfig, unit
from modmul.systems.rows import Program
from modmul.systems.timing import cycles

__all__ = ["parts", "run"]


def run(config: EngineConfig, program: Program | None = None) -> tuple[int, list[tuple[int, int]]]:
    """A run of a program, whatever the data.

    Args:
        config: a program's, while it serves a modulus or not.
        program: the rows in another order.

    Returns:
        Cycles from the one that takes the last operand word to the first word of the result; and of each row
        that runs, in this order, its number and the cycle in which it begins.
    """
    began: list[tuple[int, int]] = []
    taken = cycles(
        program or config.program,
        unit(config, config.lanes),
        config.word,
        config.first,
        config.rounds,
        config.product,
        lambda row, cycle: began.append((row, cycle)),
        counts=config.counts,
    )
    return taken, began


def parts(config: EngineConfig, ran: tuple[int, list[tuple[int, int]]] | None = None) -> tuple[Part, ...]:
    """The parts that run, in the order of the text; their cycles together are those of the program.

    Args:
        ran: what :func:`run` gives, if that is known.
    """
    config = replace(config, serving=config.at_core)
    text = config.text()
    titles = ((text.count("\n", 0, title.end()), title[1].strip()) for title in PART.finditer(text))
    found = [(0, ""), *titles]
    lines = [line for line, _ in found]
    parts_of_rows = [bisect(lines, row.line) - 1 for row in config.program.rows]
    taken, began = ran or run(config)
    rows, spent = [0] * len(found), [0] * len(found)
    ends = (*(cycle for _, cycle in began[1:]), taken)
    for (row, _), (begin, end) in zip(began, pairwise((0, *ends)), strict=True):
        part = parts_of_rows[row]
        rows[part] += 1
        spent[part] += end - begin
    return tuple(
        Part(title, *figures) for (_, title), *figures in zip(found, rows, spent, strict=True) if figures[0]
    )
