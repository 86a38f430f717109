# SPDX-License-Identifier: Apache-2.0
"""Polynomials over GF(2), and which field a modulus is of."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Self

from modmul.core.arithmetic import ceil_div

if TYPE_CHECKING:
    from flint import nmod_poly

PRIME_FIELD = "GF(p)"
"""Arithmetic of integers modulo M, whether or not M is prime."""


BINARY_FIELD = "GF(2^m)"
"""Arithmetic of polynomials over GF(2) modulo M, whether or not M is irreducible."""


class Polynomial(int):
    """A polynomial over GF(2), as a modulus: bit i is the coefficient of x^i.

    An ``int`` in all but its arithmetic modulo itself, which is in :meth:`product` and
    :meth:`inverse`. It equals the plain integer of the same bits: ask :func:`field_of` which it is.

    Raises:
        ValueError: the bits are negative.
    """

    def __new__(cls, bits: int) -> Self:
        if bits < 0:
            raise ValueError(f"the bits of a polynomial are not negative, got {bits}")
        return super().__new__(cls, bits)

    def __repr__(self) -> str:
        return f"Polynomial({hex(self)})"

    @property
    def degree(self) -> int:
        """The degree; -1 for the zero polynomial."""
        return self.bit_length() - 1

    @property
    def text(self) -> str:
        """As people write it: ``"x^8+x^4+x^3+x+1"``."""
        names = {0: "1", 1: "x"}
        powers = (i for i in reversed(range(self.bit_length())) if (self >> i) & 1)
        return "+".join(names.get(i, f"x^{i}") for i in powers) or "0"

    def product(self, *factors: int) -> int:
        """The product of one or more polynomials, modulo this one.

        Raises:
            ZeroDivisionError: this is the zero polynomial.
        """
        modulus, (first, *rest) = _poly(self), map(_poly, factors)
        value = first % modulus
        for factor in rest:
            value = value * factor % modulus
        return _bits(value)

    def inverse(self, value: int) -> int:
        """The polynomial whose product with ``value`` is 1 modulo this one.

        Raises:
            ValueError: they have a common factor, or this is 0 or 1.
        """
        common, inverse, _ = _poly(value).xgcd(_poly(self))
        if self.degree < 1 or not common.is_one():
            raise ValueError(f"{Polynomial(value).text} has no inverse modulo {self.text}")
        return _bits(inverse % _poly(self))


@lru_cache(maxsize=256)  # moduli and inverses come again and again
def _poly(bits: int) -> nmod_poly:
    from flint import nmod_poly  # noqa: PLC0415 (slow to import, and most questions need no products)

    # The characters "0" and "1" are 48 and 49: 0 and 1 modulo 2.
    return nmod_poly(list(bin(bits)[:1:-1].encode()), 2)


def _bits(poly: nmod_poly) -> int:
    return int(bytes(48 + int(c) for c in reversed(poly.coeffs())) or b"0", 2)


def carryless_product(a: int, b: int) -> int:
    """The product of two polynomials over GF(2), not reduced; bit i is the coefficient of x^i."""
    return _bits(_poly(a) * _poly(b))


def field_of(modulus: int) -> str:
    """The field a modulus is of: ``"GF(2^m)"`` for a :class:`Polynomial`, otherwise ``"GF(p)"``."""
    return BINARY_FIELD if isinstance(modulus, Polynomial) else PRIME_FIELD


def operand_length(modulus: int) -> int:
    """Bits of a reduced operand: the length of an integer, the degree of a :class:`Polynomial`."""
    return modulus.degree if isinstance(modulus, Polynomial) else modulus.bit_length()


def size_name(modulus: int) -> str:
    """The size of a modulus for people: ``"256 bits"``, ``"degree 163"``."""
    if isinstance(modulus, Polynomial):
        return f"degree {modulus.degree}"
    return f"{modulus.bit_length()} bits"


def bound_name(bound: int, modulus: int) -> str:
    """A largest value as people write it: ``"M-1"``, ``"8M-1"``, ``"2^163-1"``, or in hexadecimal."""
    if not isinstance(modulus, Polynomial):
        factor = ceil_div(bound, modulus)
        less = factor * modulus - bound
        if factor in (1, 2, 3, 4, 8, 16, 32) and less <= 2:
            return f"{factor if factor > 1 else ''}M{f'-{less}' if less else ''}"
    power = (bound + 1).bit_length() - 1
    return f"2^{power}-1" if bound + 1 == 1 << power else hex(bound)


def radix_name(radix: int, modulus: int) -> str:
    """A Montgomery radix as people write it: ``"2^256"``, ``"2^512 - 1"``, ``"x^163"``, or in hexadecimal."""
    power = radix.bit_length() - 1
    if radix == 1 << power:
        return f"{'x' if isinstance(modulus, Polynomial) else '2'}^{power}"
    if radix + 1 == 2 << power and not isinstance(modulus, Polynomial):
        return f"2^{power + 1} - 1"
    return hex(radix)
