# SPDX-License-Identifier: Apache-2.0
"""What the rooms of GF(2^m) share: a modulus that a build may fix, and the moduli that it serves."""

from __future__ import annotations

from modmul.core import Config, Polynomial, check_odd

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
"""Degree to the powers between x^degree and 1 of an irreducible polynomial; those of curves, and sparse ones."""


def irreducible(degree: int) -> int:
    """The polynomial of :data:`OF_DEGREE`; where there is none, x^degree + x + 1, irreducible or not."""
    return 1 << degree | sum(1 << power for power in OF_DEGREE.get(degree, (1,))) | 1


def check_parameter(width: int, modulus: int) -> None:
    """Raise ValueError unless a build can be made for the polynomial of these bits."""
    if modulus.bit_length() - 1 != width or modulus % 2 == 0 or modulus < 0:
        raise ValueError(
            f"modulus must be a polynomial of degree {width} with the constant term 1, got {modulus:#x}"
        )


def check_binary(config: Config, fixed: int, modulus: int) -> None:
    """Raise ValueError unless a build serves the modulus: the one that it fixes, or any with constant term 1.

    Args:
        config: the build.
        fixed: its modulus; 0 for a build that takes it at run time.
        modulus: the one in question.
    """
    check_odd(config, modulus)
    if isinstance(modulus, Polynomial) and modulus.degree < 1:
        raise ValueError("the modulus of GF(2^m) must have a degree of at least 1")
    if fixed and modulus != fixed:
        raise ValueError(f"this build is for the modulus {Polynomial(fixed).text} alone")


def refused(config: Config, fixed: int) -> list[list[int]]:
    """Words of moduli without x^width that a build must refuse: others than its own, or those with constant term 0."""
    top = 1 << config.width
    if not fixed:
        return [config.split(even) for even in dict.fromkeys((0, 2, top // 2, top - 2))]
    own = fixed % top
    return [config.split(other) for other in dict.fromkeys((0, own ^ 1, own ^ top // 2, own ^ 2)) if other != own]
