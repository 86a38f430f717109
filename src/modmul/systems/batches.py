# SPDX-License-Identifier: Apache-2.0
"""Several operations as one, of an engine whose registers hold a number of each: how operands are packed.

Operand x holds one number behind the other, the first in the lowest bits. Of numbers of two registers, as the
coordinates of points, it holds the lower ones of all, and behind them the upper ones. In y the scalars, or
exponents, lie bit by bit: bit j of number k is bit ``j * numbers + k``. So a digit has one bit of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["joined", "packed", "parted", "parts"]


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
