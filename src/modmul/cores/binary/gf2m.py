# SPDX-License-Identifier: Apache-2.0
"""What the rooms of GF(2^m) share: their moduli, and the builds that take a digit a cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from modmul.core import (
    BINARY_FIELD,
    Config,
    Overlapping,
    Polynomial,
    Regular,
    WordConfig,
    ceil_div,
    check_odd,
    full_modulus,
)

MOST_DIGIT = 64
"""Bits of the longest digit."""
OF_DEGREE = {
    64: (4, 3, 1),
    128: (7, 2, 1),
    160: (5, 3, 2),
    163: (7, 6, 3),
    192: (7, 2, 1),
    224: (9, 8, 3),
    233: (74,),
    255: (52,),
    256: (10, 5, 2),
    257: (12,),
    283: (12, 7, 5),
    384: (12, 3, 2),
    409: (87,),
    512: (8, 5, 2),
    521: (32,),
    571: (10, 5, 2),
    1024: (19, 6, 1),
}
"""Degree to the powers between x^degree and 1 of an irreducible polynomial."""


def irreducible(degree: int) -> int:
    """The polynomial of :data:`OF_DEGREE`; where there is none, x^degree + x + 1, irreducible or not."""
    return 1 << degree | sum(1 << power for power in OF_DEGREE.get(degree, (1,))) | 1


def check_binary(config: Config, modulus: int) -> None:
    """Raise ValueError unless the modulus is of GF(2^m), fits, has a constant term, and is no constant."""
    check_odd(config, modulus)
    if isinstance(modulus, Polynomial) and modulus.degree < 1:
        raise ValueError("the modulus of GF(2^m) must have a degree of at least 1")


def check_parameter(width: int, modulus: int) -> None:
    """Raise ValueError unless a build can be made for the polynomial of these bits."""
    if modulus < 0 or modulus.bit_length() - 1 != width or modulus % 2 == 0:
        raise ValueError(
            f"modulus must be given: a polynomial of degree {width} with the constant term 1, bit i for x^i, "
            f"got {modulus:#x}"
        )


def check_buildable(config: Config, modulus: int) -> None:
    """Raise ValueError unless there is a build for the modulus, of the width of this one."""
    check_binary(config, modulus)
    full_modulus(config, modulus)


def check_fixed(config: Config, fixed: int, modulus: int) -> None:
    """Raise ValueError unless the modulus is the one that the build fixes."""
    check_binary(config, modulus)
    if modulus != fixed:
        raise ValueError(f"this build is for the modulus {Polynomial(fixed).text} alone")


def fixed_context(config: Config, modulus: int) -> Sequence[int]:
    """M without x^n."""
    return config.split(modulus & ((1 << config.width) - 1))


def fixed_refused(config: Config, fixed: int) -> Sequence[Sequence[int]]:
    """Contexts of other moduli: 0, and those that differ in one bit."""
    n = config.width
    own = fixed & ((1 << n) - 1)
    others = (0, *(own ^ 1 << bit for bit in range(n)))
    return [config.split(other) for other in dict.fromkeys(others) if other != own]


def some_moduli(width: int) -> tuple[int, int]:
    """Moduli to try: a sparse one, and one of short operands with all terms, of long ones with twelve."""
    return irreducible(width), (2 << width) - 1 if width <= 64 else 1 << width | (1 << 12) - 1


@dataclass(frozen=True)
class DigitSerial(WordConfig):
    """A build that takes a digit of x a cycle.

    Attributes:
        digit: bits of x in a cycle, 1 to :data:`MOST_DIGIT`; they divide a word.
    """

    digit: int = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.digit <= MOST_DIGIT or self.word % self.digit:
            raise ValueError(
                f"digit must be 1 to {MOST_DIGIT} bits and divide the word of {self.word}, got {self.digit}"
            )

    @property
    def fields(self) -> tuple[str, ...]:
        return (BINARY_FIELD,)

    @property
    def trace_bits(self) -> int:
        """s."""
        return self.width + self.digit

    @property
    def steps(self) -> int:
        """L: digits of x."""
        return ceil_div(self.width, self.digit)

    @property
    def in_flight(self) -> int:
        """One comes in, one is computed, one goes out."""
        return 3


def latency(config: DigitSerial) -> int:
    """The digits, and one more; into the memory, out of it, the product of a digit."""
    return config.steps + 4


def interval(config: DigitSerial) -> int:
    """The loop, or the way out."""
    return max(config.steps + 1, config.beats + 3)


def stream(_config: DigitSerial, known: Regular) -> Overlapping:
    """``mm_gf2m_control``: operands come in while digits are taken, and a result goes out."""
    return Overlapping.of(known, ready=1, loop=lambda square: known.latency(square) - 4, clears=1)


def digits(width: int) -> Iterator[tuple[int, int]]:
    """Words and digits worth comparing, the default first; one short word for short operands."""
    word = min(width, 8) if width <= 8 else min(ceil_div(width, 16) * 16, 32)
    yield word, min(word, 8)
    if width > 32:
        yield word, 16


def lengths() -> Iterator[tuple[int, int]]:
    """Words and digits that the tests cover besides: odd ones, and some longer than the operand."""
    yield from ((3, 1), (15, 5), (24, 24))


def values(width: int) -> Mapping[str, Sequence[int]]:
    """Words and digits worth trying."""
    return {
        "Word": tuple(word for word in (8, 16, 32, 64) if word <= max(width, 8)),
        "Digit": (1, 2, 4, 8, 16, 32),
    }
