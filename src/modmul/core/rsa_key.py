# SPDX-License-Identifier: Apache-2.0
"""RSA keys, a kind of modulus that brings along what belongs to it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import gcd, lcm, prod
from typing import NamedTuple, Self


class Lane(NamedTuple):
    """What hardware takes that has a lane for each prime of a key.

    Attributes:
        bits: of the lane's modulus, a prime or a multiple of one.
        shorter: by how many bits a prime may be shorter.
    """

    bits: int
    shorter: int


def lane(lengths: Sequence[int]) -> Lane:
    """The shortest lane for primes of such lengths, in bits: theirs, or two bits more than the longest.

    Any number has an odd multiple that is two or more bits longer and as long as one wants; one bit longer
    there may be none.
    """
    longest, shortest = max(lengths), min(lengths)
    bits = longest if longest == shortest else longest + 2
    return Lane(bits, bits - shortest)


def multiple(number: int, bits: int) -> int:
    """The least odd multiple of a number that has at least so many bits: itself if it has them."""
    return number * (-(-(1 << bits - 1) // number) | 1)


class RsaKey(int):
    """An RSA key; as an int it is its modulus N, the product of its primes.

    Args:
        p, q: two different odd primes. That they are prime is not checked.
        e: the public exponent.
        d: the private one; unless given, the smallest that fits.
        more: further primes (RFC 8017, section 3.2).

    Raises:
        ValueError: with the reason, when these are not two such numbers and exponents.
    """

    primes: tuple[int, ...]
    e: int
    d: int

    def __new__(cls, p: int, q: int, e: int, d: int = 0, more: Sequence[int] = ()) -> Self:
        primes = (p, q, *more)
        key = super().__new__(cls, prod(primes))
        names = "the primes" if more else "p and q"
        if len(set(primes)) < len(primes):
            raise ValueError(f"{names} must be different")
        if any(each < 3 or each % 2 == 0 for each in primes):
            raise ValueError(f"{names} must be odd primes")
        if any(gcd(a, b) != 1 for a, b in combinations(primes, 2)):
            raise ValueError(f"{names} have a common factor")
        order = lcm(*(each - 1 for each in primes))
        if e < 1 or gcd(e, order) != 1:
            less = "a prime less 1" if more else "p - 1 or q - 1"
            raise ValueError(f"e has a common factor with {less}")
        d = d or pow(e, -1, order)
        if e * d % order != 1 % order:
            raise ValueError("d does not belong to e")
        key.primes, key.e, key.d = primes, e, d
        return key

    def __reduce__(self) -> tuple[type[RsaKey], tuple[int, int, int, int, tuple[int, ...]]]:
        return RsaKey, (self.p, self.q, self.e, self.d, self.primes[2:])

    @property
    def p(self) -> int:
        """The first prime."""
        return self.primes[0]

    @property
    def q(self) -> int:
        """The second one."""
        return self.primes[1]

    @property
    def bits(self) -> int:
        """Bits of its longest prime."""
        return max(self.lengths)

    @property
    def lengths(self) -> tuple[int, ...]:
        """Bits of each prime."""
        return tuple(prime.bit_length() for prime in self.primes)
