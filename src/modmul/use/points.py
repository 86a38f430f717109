# SPDX-License-Identifier: Apache-2.0
"""Points of curves as bytes, compressed or not (SEC 1, sections 2.3.3 and 2.3.4), in GF(p) and GF(2^m).

Roots are found here in Python, and serve for encodings alone; whether a point is on the curve is checked in
any case. Points of Ed25519 and Ed448 have an encoding of their own.
"""

from __future__ import annotations

from flint import fmpz

from modmul.core import Polynomial
from modmul.moduli import Curve
from modmul.moduli.curves import BINARY, WEIERSTRASS
from modmul.use.ecc import CurveError

__all__ = ["decoded", "encoded"]

PLAIN, EVEN, ODD = 4, 2, 3
"""The first byte: x and y follow; x alone, and this is what is odd or even."""


def encoded(at: Curve, point: tuple[int, int], compressed: bool = False) -> bytes:
    """A point as bytes: its kind, x and, unless it is compressed, y, each as long as a coordinate.

    Raises:
        CurveError: the curve is of another form.
    """
    _check_form(at)
    x, y = point
    if compressed:
        return bytes([EVEN + _bit(at, x, y)]) + x.to_bytes(at.bytes)
    return bytes([PLAIN]) + x.to_bytes(at.bytes) + y.to_bytes(at.bytes)


def decoded(at: Curve, data: bytes) -> tuple[int, int]:
    """The point of an encoding, on the curve.

    Raises:
        CurveError: it is none, or the curve is of another form.
    """
    _check_form(at)
    kind, x, y = data[:1], int.from_bytes(data[1 : at.bytes + 1]), int.from_bytes(data[at.bytes + 1 :])
    point: tuple[int, int] | None = None
    if kind == bytes([PLAIN]) and len(data) == 2 * at.bytes + 1:
        point = x, y
    elif kind in (bytes([EVEN]), bytes([ODD])) and len(data) == at.bytes + 1:
        point = _lifted(at, x, kind[0] - EVEN)
    if point is None or not at.holds(point):
        raise CurveError(f"what is encoded is no point of {at.name}")
    return point


def _check_form(at: Curve) -> None:
    if at.form not in (BINARY, WEIERSTRASS):
        raise CurveError(f"points of {at.name} have another encoding")


def _bit(at: Curve, x: int, y: int) -> int:
    """What tells two points with the same x from each other: whether y, or y / x in GF(2^m), is odd."""
    if at.form == WEIERSTRASS:
        return y & 1
    return at.product(y, at.inverse(x)) & 1 if x else 0


def _lifted(at: Curve, x: int, bit: int) -> tuple[int, int] | None:
    """The point of an x whose bit is this one; ``None``: there is none."""
    if x >> at.bits:
        return None
    m = at.modulus
    if isinstance(m, Polynomial):
        if not x:  # y^2 = b
            return None if bit else (0, _squared(at, at.b, at.bits - 1))
        xx = m.product(x, x)
        z = _half_trace(at, x ^ at.a ^ m.product(at.b, m.inverse(xx)))
        return x, m.product(x, z ^ (z & 1 ^ bit))
    square = (x * (x * x + at.a) + at.b) % m
    if pow(square, m // 2, m) == m - 1:
        return None
    root = int(fmpz(square).sqrtmod(fmpz(m)))
    return x, m - root if root % 2 != bit else root


def _squared(at: Curve, value: int, times: int) -> int:
    for _ in range(times):
        value = at.product(value, value)
    return value


def _half_trace(at: Curve, value: int) -> int:
    """The sum of its powers by 4^i up to 2^(m-1): z with z^2 + z = value, where there is one. m is odd."""
    found = power = value
    for _ in range(at.bits // 2):
        power = _squared(at, power, 2)
        found ^= power
    return found
