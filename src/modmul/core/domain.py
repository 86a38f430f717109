# SPDX-License-Identifier: Apache-2.0
"""What a core computes, and the right answer without the hardware."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from modmul.core.config import Config
from modmul.core.polynomial import Polynomial


@dataclass(frozen=True)
class Domain:
    """What a core computes: ``x * y / R mod M``, of integers or, for a Polynomial M, of polynomials.

    Attributes:
        name: ``"plain"`` or ``"montgomery"``.
        radix: the Montgomery radix R; 1 in the plain domain. For a Polynomial modulus its bits are
            coefficients: R = x^k is ``1 << k``.
    """

    name: str
    radix: int

    def product(self, modulus: int, x: int, y: int) -> int:
        """The right answer, reduced, without the hardware: ``x * y / R mod M``.

        Raises:
            ValueError: R and M have a common factor.
        """
        if isinstance(modulus, Polynomial):
            if self.radix == 1:
                return modulus.product(x, y)
            return modulus.product(x, y, _binary_inverse(self.radix, modulus))
        if self.radix == 1:
            return x * y % modulus
        return x * y * _inverse(self.radix, modulus) % modulus

    @property
    def formula(self) -> str:
        """What it computes, as people write it."""
        return "x * y mod M" if self.radix == 1 else "x * y * R^-1 mod M"

    def enter(self, modulus: int, value: int) -> int:
        """``value * R mod M``: the representation the core works on. A product with 1 leaves it."""
        if isinstance(modulus, Polynomial):
            return modulus.product(value, self.radix)
        return value * self.radix % modulus


@lru_cache(maxsize=256)
def _inverse(radix: int, modulus: int) -> int:
    return pow(radix, -1, modulus)


@lru_cache(maxsize=256)
def _binary_inverse(radix: int, modulus: Polynomial) -> int:
    return modulus.inverse(radix) if modulus.degree > 0 else 0


def plain_domain(_config: Config) -> Domain:
    """The domain of a core that computes x * y mod M."""
    return Domain("plain", 1)


def montgomery_domain(config: Config) -> Domain:
    """The domain of a core that computes x * y * 2^-Width mod M."""
    return Domain("montgomery", 1 << config.width)
