# SPDX-License-Identifier: Apache-2.0
"""Small functions that several cores' models and formulas are made of."""

from __future__ import annotations


def ceil_div(a: int, b: int) -> int:
    """ceil(a / b) for integers, b > 0."""
    return -(-a // b)


def to_beats(value: int, bits: int, word: int) -> list[int]:
    """A number of ``bits`` bits as its ceil(bits / word) beats of ``word`` bits, least significant first.

    Raises:
        ValueError: the number is negative or does not fit into these beats.
    """
    beats = ceil_div(bits, word)
    if value < 0 or value >> (beats * word):
        raise ValueError(f"{value:#x} does not fit into {beats} beats of {word} bits")
    return [(value >> (word * i)) & ((1 << word) - 1) for i in range(beats)]


def booth_digit(y: int, index: int, radix2: int) -> int:
    """Digit ``index`` of ``y`` in radix ``2**radix2`` Booth recoding (Javeed and Wang, Figs. 1 and 2)."""
    window = ((y << 1) >> (index * radix2)) & ((1 << (radix2 + 1)) - 1)
    top = window >> radix2
    return ((window + 1) >> 1) - (top << radix2)


def mod_double(r: int, m: int, times: int = 1) -> int:
    """``times`` cascaded A1 blocks (``mm_mod_double``): 2r, less M when that is not negative.

    r lies in 0 … M and so does the result; M itself stays M.
    """
    for _ in range(times):
        r = 2 * r - m if 2 * r >= m else 2 * r
    return r


def carry_save(a: int, b: int, c: int) -> tuple[int, int]:
    """The carry-save adder (``mm_csa``): sum and carry with sum + carry = a + b + c."""
    return a ^ b ^ c, ((a & b) | (a & c) | (b & c)) << 1
