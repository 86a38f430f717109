# SPDX-License-Identifier: Apache-2.0
"""Several operations as one, of an engine whose registers hold a number of each: how operands are packed.

Operand x holds one number behind the other, the first in the lowest bits. In y the scalars, or exponents,
lie bit by bit: bit j of number k is bit ``j * numbers + k``. So a digit has one bit of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["joined", "packed", "parted", "parts"]


def joined(numbers: Iterable[int], size: int) -> int:
    """Numbers of ``size`` bits each, one behind the other, the first in the lowest bits."""
    return sum(number << at * size for at, number in enumerate(numbers))


def packed(operands: Sequence[tuple[int, int]], size: int, *, bits: bool = True) -> tuple[int, int]:
    """The operands of one operation that does several.

    Args:
        operands: x and y of each.
        size: bits of a number of a register: a coordinate's words.
        bits: whether y is taken bit by bit; otherwise it is a number as x is.

    Raises:
        ValueError: there is a number of more bits, or a negative one.
    """
    xs, ys = ([each[at] for each in operands] for at in (0, 1))
    if any(each < 0 or each >> size for each in (*xs, *([] if bits else ys))) or min(ys) < 0:
        raise ValueError(f"numbers must be 0 to 2^{size}-1, and exponents no less than 0")
    y = sum(_spread(each, len(ys)) << at for at, each in enumerate(ys)) if bits else joined(ys, size)
    return joined(xs, size), y


def parted(numbers: int, size: int, x: int, y: int, *, bits: bool = True) -> list[tuple[int, int]]:
    """The operands of each of so many operations: the inverse of :func:`packed`."""
    ys = [_gathered(y >> at, numbers) for at in range(numbers)] if bits else parts(y, numbers, size)
    return list(zip(parts(x, numbers, size), ys, strict=True))


def parts(number: int, numbers: int, size: int) -> list[int]:
    """The inverse of :func:`joined`."""
    return [number >> at * size & (1 << size) - 1 for at in range(numbers)]


def _spread(number: int, apart: int) -> int:
    """The same bits, so far apart."""
    return int(("0" * (apart - 1)).join(f"{number:b}"), 2)


def _gathered(number: int, apart: int) -> int:
    """Every so-many-th bit, from the lowest on."""
    return int(f"{number:b}"[::-1][::apart][::-1] or "0", 2)
