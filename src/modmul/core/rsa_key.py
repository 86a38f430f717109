# SPDX-License-Identifier: Apache-2.0
"""RSA keys, a kind of modulus that brings along what belongs to it."""

from __future__ import annotations

from math import gcd
from typing import Self


class RsaKey(int):
    """An RSA key; as an int it is its modulus N = p q.

    Args:
        p, q: two different odd primes of the same length. That they are prime is not checked.
        e: the public exponent.
        d: the private one; unless given, the smallest that fits.

    Raises:
        ValueError: with the reason, when these are not two such numbers and exponents.
    """

    p: int
    q: int
    e: int
    d: int

    def __new__(cls, p: int, q: int, e: int, d: int = 0) -> Self:
        key = super().__new__(cls, p * q)
        if p == q:
            raise ValueError("p and q must be different")
        if min(p, q) < 3 or p % 2 == 0 or q % 2 == 0:
            raise ValueError("p and q must be odd primes")
        if p.bit_length() != q.bit_length():
            raise ValueError(
                f"p and q must have the same length, these have {p.bit_length()} and {q.bit_length()} bits"
            )
        if gcd(p, q) != 1:
            raise ValueError("p and q have a common factor")
        both = (p - 1) * (q - 1) // gcd(p - 1, q - 1)
        if e < 1 or gcd(e, both) != 1:
            raise ValueError("e has a common factor with p - 1 or q - 1")
        d = d or pow(e, -1, both)
        if e * d % both != 1 % both:
            raise ValueError("d does not belong to e")
        key.p, key.q, key.e, key.d = p, q, e, d
        return key

    def __reduce__(self) -> tuple[type[RsaKey], tuple[int, int, int, int]]:
        return RsaKey, (self.p, self.q, self.e, self.d)

    @property
    def bits(self) -> int:
        """Bits of p and of q."""
        return self.p.bit_length()

    @property
    def halves(self) -> tuple[int, int]:
        """p and q."""
        return self.p, self.q

    @property
    def inverse(self) -> int:
        """1/q mod p."""
        return pow(self.q, -1, self.p)
