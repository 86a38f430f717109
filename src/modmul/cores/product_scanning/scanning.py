# SPDX-License-Identifier: Apache-2.0
"""What the rooms of product scanning (FIPS, Zhang et al.) share: parameters, context, counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from modmul.core import (
    BINARY_FIELD,
    PRIME_FIELD,
    RUNTIME,
    Domain,
    Polynomial,
    ScalableConfig,
    ceil_div,
    check_odd,
    to_beats,
)

__all__ = [
    "MAX_WORDS",
    "WORDS",
    "ScanningConfig",
    "check",
    "domain",
    "header",
    "inverse",
    "product_count",
    "work",
]

WORDS = (8, 16, 32, 64)
MAX_WORDS = 2048
HEADER_BITS = 16
FIELDS = {1: (PRIME_FIELD,), 2: (BINARY_FIELD,), 3: (PRIME_FIELD, BINARY_FIELD)}


@dataclass(frozen=True)
class ScanningConfig(ScalableConfig):
    """A build of a dual-field multiplier by words.

    Attributes:
        word: bits of a word: 8, 16, 32 or 64.
        multipliers: 1 or 2.
        square_optimized: 1 to leave out the symmetric products of a square, 0 for the traditional FIPS.
        field_set: 1 for GF(p), 2 for GF(2^m), 3 for both.
        binary: the context is of GF(2^m); without one, that is so where there is no other field.
        square: the operation is a square.
    """

    multipliers: int = 1
    square_optimized: int = 1
    field_set: int = 3
    binary: bool = field(default=False, metadata=RUNTIME)
    square: bool = field(default=False, metadata=RUNTIME)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word not in WORDS:
            raise ValueError(f"word must be 8, 16, 32 or 64 bits, got {self.word}")
        if self.max_words > self.most_words:
            raise ValueError(
                f"width must be at most {self.most_words} words of {self.word} bits, got {self.max_words}"
            )
        if self.multipliers not in (1, 2):
            raise ValueError(f"multipliers must be 1 or 2, got {self.multipliers}")
        if self.square_optimized not in (0, 1):
            raise ValueError(f"square_optimized must be 0 or 1, got {self.square_optimized}")
        if self.field_set not in FIELDS:
            raise ValueError(f"field_set must be 1, 2 or 3, got {self.field_set}")

    @property
    def fields(self) -> tuple[str, ...]:
        return FIELDS[self.field_set]

    @property
    def most_words(self) -> int:
        """The most words a build may have."""
        return MAX_WORDS

    @property
    def max_words(self) -> int:
        """Words of the longest operand."""
        return ceil_div(self.width, self.word)

    def at(self, modulus: int, **controls: bool) -> Self:
        return replace(super().at(modulus, **controls), binary=isinstance(modulus, Polynomial))

    @property
    def products(self) -> str:
        """Which products of words of the operands are made: ``"all"``, ``"half"`` or ``"diagonal"``."""
        if not (self.square and self.square_optimized):
            return "all"
        return "diagonal" if self.binary or self.field_set == 2 else "half"


def inverse(modulus: int, word: int) -> int:
    """n0': -1/N mod 2^word in GF(p), 1/N mod x^word in GF(2^m)."""
    if isinstance(modulus, Polynomial):
        return Polynomial(1 << word).inverse(modulus & ((1 << word) - 1))
    return -pow(modulus, -1, 1 << word) % (1 << word)


def header(config: ScanningConfig, words: int, *, binary: bool, bit_1: bool = False) -> list[int]:
    """The header's beats: the number of words, bit 1 by the room's meaning, the field."""
    return to_beats(words << 2 | bit_1 << 1 | binary, HEADER_BITS, config.word)


LONGEST = 64
"""Words up to which numbers are tried that are too long."""


def longer(most: int) -> list[int]:
    """Numbers of words above the most of a build, each but for one bit a number that it serves."""
    return [1 + (1 << bit) for bit in range(most.bit_length(), LONGEST.bit_length()) if 1 << bit < LONGEST]


def check(config: ScanningConfig, modulus: int) -> None:
    """Raise ValueError unless the modulus fits, is odd or has the constant term 1, and is no constant."""
    check_odd(config, modulus)
    if isinstance(modulus, Polynomial) and modulus.degree < 1:
        raise ValueError("the modulus of GF(2^m) must have a degree of at least 1")


def domain(config: ScanningConfig) -> Domain:
    """R = 2^(s w) or x^(s w), s being the words of the operands."""
    return Domain("montgomery", 1 << (config.beats * config.word))


def product_count(words: int, kind: str) -> int:
    """Products of words that a multiplication or square of s words has, those with n0' included.

    ``kind`` is that of :attr:`ScanningConfig.products`.
    """
    s = words
    return {"all": 2 * s * s + s, "half": (3 * s * s + 3 * s) // 2, "diagonal": s * s + 2 * s}[kind]


def work(config: ScanningConfig) -> Mapping[str, int]:
    """Products of words in an operation, and the words of x and y that are read for them."""
    s = config.beats
    products = product_count(s, config.products)
    return {"products": products, "operand_reads": 2 * (products - s * s - s)}
