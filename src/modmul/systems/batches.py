# SPDX-License-Identifier: Apache-2.0
"""Several operations as one, where registers hold a number of each: programs of that, and operands.

Operand x holds one number behind the other, the first in the lowest bits. Of numbers of two registers, as the
coordinates of points, it holds the lower ones of all, and behind them the upper ones. In y the scalars, or
exponents, lie bit by bit: bit j of number k is bit ``j * numbers + k``. So a digit has one bit of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from modmul.systems.rows import ENDS, TESTS, TURNS, F, Program, Row
from modmul.systems.waits import waiting

__all__ = ["joined", "of_several", "packed", "parted", "parts"]

SEVERAL = ("mul", "add", "sub", "move", "bits", "scan", *TESTS, *ENDS, *TURNS)
"""Rows that do the same with several numbers."""


@lru_cache(maxsize=256)
def of_several(program: Program, batch: int) -> Program:
    """A program whose registers hold so many numbers. Numbers move there by products with 1.

    Raises:
        ValueError: one of its rows does not work with several.
    """
    for row in program.rows:
        if row.operation not in SEVERAL or (row.operation == "move" and row.long):
            what = f"{row.operation} of long registers" if row.long else row.operation
            raise ValueError(
                f"line {row.line}: {what} is not there for several numbers at a time; take Batch=1"
            )
        if row.operation != "bits" and program.operands[1] in row.reads and program.bits:
            raise ValueError(
                f"line {row.line}: {program.operands[1]} is a number here, and bits come from it elsewhere; "
                "with several numbers at a time it is one or the other"
            )
    if program.lanes > 1 or program.operands[1] in program.longs:
        raise ValueError("lanes and a long y are not there for several numbers at a time; take Batch=1")
    return replace(_without_moves(program), batch=batch)


def _without_moves(program: Program) -> Program:
    """The program with products in place of moves: with R mod M, in f where b may come in place of a.

    Raises:
        ValueError: R mod M is none of its numbers.
    """
    moves = [row for row in program.rows if row.operation == "move"]
    one = next((at for name, at in zip(program.contents, program.numbers, strict=True) if name == "one"), "")
    if moves and not one:
        raise ValueError(
            f"line {moves[0].line}: with several numbers at a time, move is a product by 1; add .number one"
        )
    places, rows = [0], list[Row]()
    for row in program.rows:
        if row.operation == "move" and row.choose:
            rows.append(replace(row, operation="mul", d="", x=one, y=one, other="", choose=0))
            rows.append(replace(row, operation="mul", x=F, y=row.x))
        else:
            rows.append(replace(row, operation="mul", y=one) if row.operation == "move" else row)
        places.append(len(rows))
    return waiting(
        replace(
            program,
            rows=tuple(replace(row, target=places[row.target]) for row in rows),
            entry=places[program.entry],
        )
    )


def joined(numbers: Iterable[int], size: int, registers: int = 1) -> int:
    """Numbers of some registers of ``size`` bits each, as the words of these follow each other."""
    numbers = tuple(numbers)
    return sum(
        (number >> part * size & (1 << size) - 1) << (part * len(numbers) + at) * size
        for at, number in enumerate(numbers)
        for part in range(registers)
    )


def packed(
    operands: Sequence[tuple[int, int]], size: int, *, registers: int = 1, bits: bool = True
) -> tuple[int, int]:
    """The operands of one operation that does several.

    Args:
        operands: x and y of each.
        size: bits of a number of a register: a coordinate's words.
        registers: of each x.
        bits: whether y is taken bit by bit; otherwise it is a number of one register.

    Raises:
        ValueError: there is a number of more bits, or a negative one.
    """
    xs, ys = ([each[at] for each in operands] for at in (0, 1))
    too_long = [*(each >> registers * size for each in xs), *([] if bits else [each >> size for each in ys])]
    if any(too_long) or min(*xs, *ys) < 0:
        raise ValueError(f"numbers must be 0 to 2^{registers * size}-1, and exponents no less than 0")
    y = sum(_spread(each, len(ys)) << at for at, each in enumerate(ys)) if bits else joined(ys, size)
    return joined(xs, size, registers), y


def parted(
    numbers: int, size: int, x: int, y: int, *, registers: int = 1, bits: bool = True
) -> list[tuple[int, int]]:
    """The operands of each of so many operations: the inverse of :func:`packed`."""
    ys = [_gathered(y >> at, numbers) for at in range(numbers)] if bits else parts(y, numbers, size)
    return list(zip(parts(x, numbers, size, registers), ys, strict=True))


def parts(number: int, numbers: int, size: int, registers: int = 1) -> list[int]:
    """The inverse of :func:`joined`."""
    words = [number >> at * size & (1 << size) - 1 for at in range(numbers * registers)]
    return [joined(words[at::numbers], size) for at in range(numbers)]


def _spread(number: int, apart: int) -> int:
    """The same bits, so far apart."""
    return int(("0" * (apart - 1)).join(f"{number:b}"), 2)


def _gathered(number: int, apart: int) -> int:
    """Every so-many-th bit, from the lowest on."""
    return int(f"{number:b}"[::-1][::apart][::-1] or "0", 2)
