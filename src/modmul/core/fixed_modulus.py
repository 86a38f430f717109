# SPDX-License-Identifier: Apache-2.0
"""Builds made for one modulus: the parameter ``Modulus`` holds it, and all constants follow from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from modmul.core.config import Config
from modmul.core.legal import full_modulus

MANY_POWERS = 8
"""A modulus that is the sum of more signed powers of 2 is written in hexadecimal."""


class FixedModulus(Protocol):
    """A configuration with the field ``modulus``; 0 stands for any modulus, where a core has such builds."""

    @property
    def width(self) -> int: ...

    @property
    def modulus(self) -> int: ...

    def split(self, *numbers: int) -> list[int]: ...


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


def modulus_text(modulus: int) -> str:
    """A modulus in messages: ``2^255 - 2^4 - 2^2 + 1`` where it has few powers, otherwise in hexadecimal."""
    powers = list(signed_powers(modulus))
    if len(powers) > MANY_POWERS:
        digits = f"{modulus:#x}"
        return digits if len(digits) <= 24 else f"{digits[:16]}… ({modulus.bit_length()} bits)"
    signs = (" + " if sign > 0 else " - " for _, sign in reversed(powers))
    terms = (f"2^{place}" if place else "1" for place, _ in reversed(powers))
    return "".join(sign + term for sign, term in zip(signs, terms, strict=True)).removeprefix(" + ")


def check_parameter(width: int, modulus: int) -> None:
    """Raise ValueError unless a build can be made for the modulus as far as its length and parity go."""
    if modulus < 1 or modulus.bit_length() != width:
        raise ValueError(
            f"modulus must be odd and of exactly {width} bits, got one of {modulus.bit_length()} bits"
            if modulus > 0
            else f"modulus must be given: odd, and of exactly {width} bits, got {modulus}"
        )
    if modulus % 2 == 0:
        raise ValueError(f"modulus must be odd, {modulus_text(modulus)} is even")


def check_third(width: int, modulus: int) -> None:
    """Raise ValueError unless a product by 2^width - modulus makes a number shorter, as folding needs."""
    less = (1 << width) - modulus
    if 3 * less > 1 << width:
        raise ValueError(
            f"modulus must be 2^{width} - D with D at most a third of 2^{width}, "
            f"of {modulus_text(modulus)} D has {less.bit_length()} bits"
        )


def check_fixed(config: FixedModulus, modulus: int) -> None:
    """Raise ValueError unless the modulus is the one of the build."""
    full_modulus(Config(config.width), modulus)
    if modulus != config.modulus:
        raise ValueError(f"this build is for the modulus {modulus_text(config.modulus)} alone")


def fixed_examples(config: FixedModulus) -> Iterator[int]:
    """The modulus of the build."""
    yield config.modulus


def fixed_refused(config: FixedModulus) -> Sequence[Sequence[int]]:
    """Contexts of other moduli: 0, 1, and those that differ in one bit."""
    m = config.modulus
    others = (0, 1, *(m ^ 1 << bit for bit in range(config.width)))
    return [config.split(other) for other in dict.fromkeys(others) if other != m]
