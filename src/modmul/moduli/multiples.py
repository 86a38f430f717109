# SPDX-License-Identifier: Apache-2.0
"""What the engine's programs for multiples of a point take: names, numbers of the context, operands."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from math import gcd
from random import Random
from secrets import SystemRandom

from flint import fmpz

from modmul.core import Polynomial
from modmul.moduli.base import ModulusError
from modmul.moduli.curves import EDWARDS, MONTGOMERY, WEIERSTRASS, Curve

__all__ = [
    "MARGIN",
    "SECURE",
    "blind_bits",
    "blinded",
    "chain",
    "chained",
    "clamped",
    "drawn",
    "factored",
    "in_group",
    "numbers",
    "on_twist",
    "operands",
    "program_of",
    "scalar_bits",
]

MARGIN = 64
"""Bits that a blind has more than the number of points has equal ones in a row; fewer for short orders."""

INVERSE = ";; the inverse\n"
"""Before the part of a program that is about the inverse."""

SECURE = SystemRandom()
"""The operating system's random numbers."""


def program_of(at: Curve) -> str:
    """The program that multiplies points of a curve, the one with the fewest products in a round.

    Raises:
        ModulusError: there is none.
    """
    if at.form == MONTGOMERY:
        if at.name not in ("x25519", "x448"):
            raise ModulusError(f"there is no program for {at.name}, only for x25519 and x448")
        return at.name
    if at.form == WEIERSTRASS:
        if not at.a:
            return "weierstrass_zero"
        return {1: "weierstrass_plus", -1: "weierstrass_minus", 0: "weierstrass"}[_unit(at)[0]]
    if at.form == EDWARDS:
        return {1: "edwards_plus", at.modulus - 1: "edwards_minus"}.get(at.a, "edwards")
    return "binary_curve"


@cache
def _unit(at: Curve) -> tuple[int, int]:
    """1 and the root of a, or -1 and that of -a if a has none, or 0 and 1 if neither has one, or a is 0."""
    m = at.modulus
    for sign in (1, -1):
        if pow(sign * at.a, m // 2, m) == 1:
            return sign, int(fmpz(sign * at.a % m).sqrtmod(fmpz(m)))
    return 0, 1


def chained(text: str, at: Curve) -> str:
    """The program with the inverse by a chain for the curve's field, if it has one with few products.

    z^(2^m - 2) over GF(2^m), of Itoh and Tsujii (1988); z^(p - 2) if p - 2 has long runs of ones and zeros.
    """
    if at.form == MONTGOMERY:  # its text has one
        return text
    before, mark, rest = text.partition(INVERSE)
    assert mark, "a program without a part for the inverse"
    # Windows begin with the square of what is inverted.
    base = re.findall(r"mul +\w+, (\w+), \1$", rest, re.MULTILINE)[0]
    power = (1 << at.bits) - 2 if isinstance(at.modulus, Polynomial) else at.modulus - 2
    rows, products = chain(power, base)
    if products > at.bits // 4 + 15:  # what windows of four bits take
        return text
    return before + INVERSE + rows + ";;\n" + rest.partition(";;\n")[2]


@cache
def chain(exponent: int, base: str) -> tuple[str, int]:
    """Rows that raise a register to a power, v, and how many products there are besides the squares.

    zN is the base to the 2^N - 1. For some L the chain of doublings and steps by one to zL makes further zN
    on its way; the runs of ones in the exponent are put together of these, the longest first.

    Args:
        exponent: at least 2.
        base: a register, not v and none that begins with z or s.
    """
    found = (_Chain(exponent, base, longest) for longest in range(1, len(_runs(exponent)[0][0]) + 1))
    best = min(found, key=lambda each: each.products)
    return best.rows, best.products


def _runs(exponent: int) -> list[tuple[str, str]]:
    """Ones and the zeros behind them, from the highest bit on."""
    return re.findall("(1+)(0*)", f"{exponent:b}")


class _Chain:
    """The chain by way of z to the 2^longest - 1."""

    def __init__(self, exponent: int, base: str, longest: int) -> None:
        self.rows, self.products = "", 0
        known = {1: base}
        at = 1
        for bit in f"{longest:b}"[1:]:
            at = self._grow(known, at, at)
            if bit == "1":
                at = self._grow(known, at, 1)
        register, squares = "", 0
        for ones, zeros in _runs(exponent):
            left = len(ones)
            while left:
                piece = max(each for each in known if each <= left)
                squares, left = squares + piece, left - piece
                if register:
                    self._squares(squares, register)
                    self._row(f"mul   -, f, {known[piece]}")
                    self.products += 1
                register, squares = ("f" if register else known[piece]), 0
            squares = len(zeros)
        if squares:
            self._squares(squares, register)
        *others, last = self.rows.splitlines()
        self.rows = "\n".join((*others, last.replace("-,", "v,"), ""))

    def _grow(self, known: dict[int, str], at: int, by: int) -> int:
        """z to the 2^(at + by) - 1."""
        self._squares(by, known[at])
        known[at + by] = f"z{at + by}"
        self._row(f"mul   {known[at + by]}, f, {known[by]}")
        self.products += 1
        return at + by

    def _squares(self, count: int, register: str) -> None:
        self._row(f"mul   -, {register}, {register}")
        if count == 2:
            self._row("mul   -, f, f")
        elif count > 2:
            label = f"s{len(self.rows)}"
            self.rows += f"{label}: mul -, f, f\n"
            self._row(f"repeat {count - 1}, {label}")

    def _row(self, text: str) -> None:
        self.rows += f"    {text}\n"


def numbers(at: Curve, random: Random = SECURE) -> dict[str, int]:
    """Numbers of the context; blind is new in each call."""
    m = at.modulus
    if isinstance(m, Polynomial):
        blind = random.randrange(1, 1 << at.bits)
        return {"a": at.a, "b": at.b, "root": _root(m, at.b), "blind": blind}
    blind = random.randrange(1, m)
    if at.form == MONTGOMERY:
        return {"blind": blind}
    shared = {"inverse": m - 2, "blind": blind}
    if at.form == EDWARDS:
        return shared | {"a": at.a, "d": at.b}
    shared |= {"a": at.a, "b": at.b}
    sign, up = _unit(at)
    if not sign:
        return shared | {"b4": 4 * at.b % m}
    down = pow(up, -1, m)
    return shared | {"up": up, "down": down, "c4": 4 * at.b * down**3 % m}


@cache
def _root(m: Polynomial, b: int) -> int:
    """The square root of b."""
    for _ in range(m.degree - 1):
        b = m.product(b, b)
    return b


# --- operands ---------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def on_twist(at: Curve, x: int) -> bool:
    """Whether an x of a Montgomery curve is that of points of the twist."""
    return pow(x * (x * (x + at.a) + 1), at.modulus // 2, at.modulus) == at.modulus - 1


def clamped(at: Curve, secret: int) -> int:
    """The scalar of a private key of X25519 or X448 (RFC 7748, section 5)."""
    return secret & -at.cofactor & (1 << at.bits - 1) - 1 | 1 << at.bits - 1


def _multiples(at: Curve) -> tuple[int, ...]:
    """How many points the curve has; of Montgomery curves, and its twist."""
    own = at.order * at.cofactor
    return (own, 2 * at.modulus + 2 - own) if at.form == MONTGOMERY else (own,)


@cache
def blind_bits(at: Curve) -> int:
    """Bits of a random multiple of the number of points that blinds every bit of a scalar; whole bytes.

    Where so many bits of that number are equal, a multiple by r moves the bits below and above them by as
    many places as r has bits. If that is fewer, the scalar shows in the bits between. :data:`MARGIN` bits
    more, and each bit of the sum is even but for 2^-64.
    """
    runs = re.findall("0+|1+", " ".join(f"{number:b}" for number in {at.order, *_multiples(at)}))
    return -(-(max(map(len, runs)) + min(MARGIN, at.order.bit_length())) // 8) * 8


def scalar_bits(at: Curve, blind: int) -> int:
    """Bits of a scalar as it goes in, with so many that blind it."""
    if at.form == MONTGOMERY and not blind:
        return at.bits
    return max(_multiples(at)).bit_length() + blind


@lru_cache(maxsize=1024)
def in_group(at: Curve, point: tuple[int, int]) -> bool:
    """Whether a point is one of the group that the order is of, or no point of the curve at all."""
    if at.cofactor == 1 or point == at.base or not at.holds(point):
        return True
    return at.multiply(at.order, point) == at.neutral


def _modulo(at: Curve, point: tuple[int, int]) -> int:
    """What multiples of a point repeat by: the order in the group, otherwise the number of all points."""
    if at.form != MONTGOMERY and in_group(at, point):
        return at.order
    return _multiples(at)[at.form == MONTGOMERY and on_twist(at, point[0])]


def blinded(at: Curve, scalar: int, point: tuple[int, int], blind: int, random: Random = SECURE) -> int:
    """A scalar as it goes in.

    What is added is a multiple of the order; for points that are not in the group one of the number of
    points, which may be even, and then the lowest bits stay as they are.

    Args:
        scalar: not negative; where it is too long, what is left of it modulo the number of points.
        point: that it is for; of Montgomery curves x counts alone.
        blind: bits of the random multiple; 0 for none.
    """
    multiple = _modulo(at, point)
    if scalar.bit_length() > scalar_bits(at, 0):
        scalar %= multiple
    return scalar + random.getrandbits(blind) * multiple if blind else scalar


def factored(
    at: Curve, scalar: int, point: tuple[int, int], bits: int, random: Random = SECURE
) -> tuple[int, int]:
    """A random number, and the one whose product with it is the scalar, modulo the order.

    Args:
        scalar, point: as for :func:`blinded`.
        bits: of the random number at most; a few more than 1.
    """
    multiple = _modulo(at, point)
    while True:
        factor = random.getrandbits(bits)
        if gcd(factor, multiple) == 1:
            rest = scalar * pow(factor, -1, multiple) % multiple
            if rest.bit_length() <= scalar_bits(at, 0):
                return factor, rest


def operands(at: Curve, scalar: int, point: tuple[int, int], half: int) -> tuple[int, int]:
    """A point and a scalar, blinded or not, as the two operands.

    Args:
        half: bits of a coordinate in the engine.

    Raises:
        ModulusError: a coordinate or the scalar is negative, or a coordinate is longer.
    """
    x, y = point
    if scalar < 0 or min(x, y) < 0 or (max(x, y) >> half and at.form != MONTGOMERY):
        raise ModulusError(f"coordinates lie in 0 … 2^{half}-1, and scalars in 0 and above")
    return (x % at.modulus if at.form == MONTGOMERY else x | y << half), scalar


def drawn(at: Curve, half: int, blind: int, random: Random) -> tuple[int, int]:
    """Operands whose product leaves: any point of the group but the neutral one, any scalar but 0.

    Args:
        half, blind: as above.
    """
    point = at.multiply(random.randrange(1, at.order), at.base)
    assert point
    scalar = random.randrange(1, at.order)
    if at.form == MONTGOMERY:
        scalar = clamped(at, scalar)
    return operands(at, blinded(at, scalar, point, blind, random), point, half)
