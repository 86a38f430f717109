# SPDX-License-Identifier: Apache-2.0
"""The primes that a build can be made for: 2^n less a sum of few powers of 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from modmul.core.config import WordConfig
from modmul.core.legal import full_modulus

SPARSE_PRIMES: tuple[tuple[str, int], ...] = (
    ("P-192", 2**192 - 2**64 - 1),
    ("P-224", 2**224 - 2**96 + 1),
    ("P-256", 2**256 - 2**224 + 2**192 + 2**96 - 1),
    ("P-384", 2**384 - 2**128 - 2**96 + 2**32 - 1),
    ("P-521", 2**521 - 1),
    ("Curve25519", 2**255 - 19),
    ("Ed448", 2**448 - 2**224 - 1),
    ("secp256k1", 2**256 - 2**32 - 977),
    ("SM2", 2**256 - 2**224 - 2**96 + 2**64 - 1),
    ("Goldilocks", 2**64 - 2**32 + 1),
)
"""Names and values. A build names one by its number, counted from 1 (the parameter ``prime``)."""


def sparse_prime(number: int, width: int) -> int:
    """The prime of that number; 0 for 0.

    Raises:
        ValueError: there is none of that number, or it has not ``width`` bits.
    """
    if not 0 <= number <= len(SPARSE_PRIMES):
        raise ValueError(f"prime must be 0 to {len(SPARSE_PRIMES)}, got {number}")
    if not number:
        return 0
    name, modulus = SPARSE_PRIMES[number - 1]
    if modulus.bit_length() != width:
        raise ValueError(f"{name} has {modulus.bit_length()} bits, width is {width}")
    return modulus


class SparseConfig(WordConfig):
    """A build for one modulus. Rooms give it two fields.

    Attributes:
        prime: which of :data:`SPARSE_PRIMES`; it must have ``width`` bits. 0: 2^width - ``less``.
        less: odd; not used where there is a prime.
    """

    prime: int
    less: int

    def __post_init__(self) -> None:
        super().__post_init__()
        sparse_prime(self.prime, self.width)

    @property
    def modulus(self) -> int:
        """M."""
        return sparse_prime(self.prime, self.width) or (1 << self.width) - self.less

    @property
    def modulus_name(self) -> str:
        """What people call it."""
        return SPARSE_PRIMES[self.prime - 1][0] if self.prime else f"2^{self.width} - {self.less}"


def check_sparse(config: SparseConfig, modulus: int) -> None:
    """Raise ValueError unless the modulus is the one of the build."""
    full_modulus(config, modulus)
    if modulus != config.modulus:
        raise ValueError(f"this build is for the modulus {config.modulus_name} alone")


def sparse_examples(config: SparseConfig) -> Iterator[int]:
    """The modulus of the build."""
    yield config.modulus


def sparse_refused(config: SparseConfig) -> Sequence[Sequence[int]]:
    """Contexts of other moduli: 0, 1, and those that differ in one bit, low or high."""
    m = config.modulus
    others = (0, 1, m ^ 1, m ^ (1 << (config.width - 1)), m ^ (1 << config.width // 2))
    return [config.split(other) for other in dict.fromkeys(others) if other != m]


def signed_powers(number: int) -> Iterator[tuple[int, int]]:
    """The digits 1 and -1 that a number is the sum of, with their places, no two of them neighbours."""
    place = 0
    while number:
        if number & 1:
            digit = 2 - number % 4
            yield place, digit
            number -= digit
        number >>= 1
        place += 1
