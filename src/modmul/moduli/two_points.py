# SPDX-License-Identifier: Apache-2.0
"""What the engine's programs for u G + v P take, of which nothing is secret: names, numbers, scalars."""

from __future__ import annotations

from modmul.moduli.curves import BINARY, EDWARDS, WEIERSTRASS, Curve
from modmul.moduli.multiples import numbers, program_of

__all__ = ["FORMS", "digits", "numbers_of_two", "program_of_two", "scalars", "steps", "threes"]

FORMS = (BINARY, EDWARDS, WEIERSTRASS)
"""Forms of curves with a program for u G + v P."""


def program_of_two(at: Curve) -> str:
    """The program for u G + v P on a curve of one of :data:`FORMS`."""
    if at.form == EDWARDS:
        return f"two_{program_of(at)}"
    if at.form == BINARY:
        return "two_binary"
    return "two_points3" if at.a == at.modulus - 3 else "two_points"


def numbers_of_two(at: Curve) -> dict[str, int]:
    """Numbers of the context: those of the curve, of G, and more than the program takes."""
    return {BINARY: _of_binary, EDWARDS: _of_edwards, WEIERSTRASS: _of_weierstrass}[at.form](at)


def scalars(at: Curve, u: int, v: int) -> tuple[int, int]:
    """Two scalars as the program takes them, and in how many bits."""
    return {BINARY: steps, EDWARDS: threes, WEIERSTRASS: digits}[at.form](at, u, v)


def _of_weierstrass(at: Curve) -> dict[str, int]:
    """Numbers of the context of ``two_points``: the curve's, 2 G and -3 G."""
    double, triple = at.multiply(2, at.base), at.negative(at.multiply(3, at.base))
    assert double and triple
    points = {"g2x": double[0], "g2y": double[1], "g3x": triple[0], "g3y": triple[1]}
    return numbers(at) | {"b3": 3 * at.b % at.modulus} | points


def _of_edwards(at: Curve) -> dict[str, int]:
    """Numbers of the context of ``two_edwards`` and its like: the curve's, and those of B ... 7 B."""
    values = numbers(at)
    for times_ in range(1, 8):
        point = at.multiply(times_, at.base)
        assert point
        x, y = point
        of = {"x": x, "y": y, "d": y - x, "s": y + x, "t": at.b * x * y, "t2": 2 * at.b * x * y}
        values |= {f"b{times_}{what}": value % at.modulus for what, value in of.items()}
    return values


def _of_binary(at: Curve) -> dict[str, int]:
    """Numbers of the context of ``two_binary``: the curve's, and G."""
    return numbers(at) | {"inverse": (1 << at.bits) - 2, "gx": at.base[0], "gy": at.base[1]}


def steps(at: Curve, u: int, v: int) -> tuple[int, int]:
    """Two scalars as ``two_binary`` takes them, and in how many bits.

    First the last bits of u and v, then from the top of each of them in turn whether a bit is another one
    than the bit before it; of as many bits as the order has, or the longer scalar if it has more.
    """
    count = max(at.order.bit_length(), u.bit_length(), v.bit_length())
    found = (u & 1) << 1 | v & 1
    for place in reversed(range(count)):
        found = found << 2 | ((u ^ u >> 1) >> place & 1) << 1 | (v ^ v >> 1) >> place & 1
    return found, 2 * count + 2


def threes(at: Curve, u: int, v: int) -> tuple[int, int]:
    """Two scalars as ``two_edwards`` takes them, and in how many bits: a 1, then three bits of v and of u.

    From the top, of as many bits as the order has, or the longer scalar if it has more.
    """
    count = -(-max(at.order.bit_length(), u.bit_length(), v.bit_length()) // 3)
    found = 1
    for place in reversed(range(count)):
        found = found << 6 | (v >> 3 * place & 7) << 3 | u >> 3 * place & 7
    return found, 6 * count + 1


def digits(at: Curve, u: int, v: int) -> tuple[int, int]:
    """Two scalars as ``two_points`` takes them, and in how many bits: a 1, then four for two digits.

    Modulo the order, which is odd, both are odd sums of digits -3, -1, 1, 3 times powers of 4. Of two digits
    that of v is positive, or else both change their signs: the last bit. The others say which entry it is of
    P - 3 G, P - G, P + G, P + 3 G, 3 P + 3 G, 3 P + G, 3 P - G, 3 P - 3 G.
    """
    count = at.order.bit_length() // 2 + 1
    found = 1
    for i, j in zip(_odd_digits(at, u, count), _odd_digits(at, v, count), strict=True):
        negative = j < 0
        one, other = (-i, -j) if negative else (i, j)
        entry = (one + 3) // 2 if other == 1 else 4 + (3 - one) // 2
        found = found << 4 | entry << 1 | negative
    return found, 4 * count + 1


def _odd_digits(at: Curve, scalar: int, count: int) -> list[int]:
    """Of a scalar modulo the order, -3, -1, 1 or 3 each, the first one positive."""
    left = scalar % at.order
    left += (left % 2 == 0) * at.order
    found = []
    for _ in range(count - 1):
        digit = left % 8 - 4
        left = (left - digit) // 4
        found.append(digit)
    return [left, *reversed(found)]
