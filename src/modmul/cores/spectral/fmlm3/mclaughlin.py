# SPDX-License-Identifier: Apache-2.0
"""Algorithm 1 of Dai et al.: McLaughlin's Montgomery multiplication, which fmlm3 computes by transforms.

A reference in Python's integers, by the line numbers of the paper, for studies and tests; the core's own
model is in ``core.py``.
"""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

__all__ = ["Product", "product"]


class Product(NamedTuple):
    """What the steps of Algorithm 1 leave. R = 2^l - 1, Q' = 2^l + 1.

    Attributes:
        m: step 1, 0 <= m < R.
        residue: step 2, S = xy + mN modulo Q'.
        w: step 3, 0 <= w < Q'.
        s: step 4, 0 <= s < Q'.
        t: step 5, 0 <= t < 2N; t = N happens.
        z: step 6, 0 <= z < N.
    """

    m: int
    residue: int
    w: int
    s: int
    t: int
    z: int


def product(l: int, modulus: int, x: int, y: int) -> Product:  # noqa: E741 (the paper's name)
    """x * y * R^-1 mod N, R = 2^l - 1, with all that leads to it.

    R is -2 modulo Q', so that t = (xy + mN) / R is -S/2 modulo Q'. It lies below 2N < 2Q', and Q' is odd: the
    parity of xy + mN, which is that of t, says whether t is s or s + Q'.

    Args:
        l: bits of R, at least 2.
        modulus: N, 1 <= N < 2^l, even or odd, without a factor in common with R.
        x, y: 0 <= x, y <= N.

    Raises:
        ValueError: an argument is out of range.
    """
    r, q = (1 << l) - 1, (1 << l) + 1
    if l < 2 or not 1 <= modulus <= r or gcd(modulus, r) > 1:
        raise ValueError(f"the modulus has to lie in 1 … R without a factor in common with R, got {modulus}")
    if not (0 <= x <= modulus and 0 <= y <= modulus):
        raise ValueError(f"operands lie in 0 … {modulus}, got {x} and {y}")
    inverse = -pow(modulus, -1, r) % r  # N'
    m = x * y * inverse % r
    whole = x * y + m * modulus
    residue = whole % q
    w = -residue % q  # S = 0 leaves 0, not Q'
    s = w // 2 if w % 2 == 0 else (w + q) // 2
    t = s if (whole - s) % 2 == 0 else s + q
    return Product(m, residue, w, s, t, t - modulus if t >= modulus else t)
