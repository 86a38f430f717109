# SPDX-License-Identifier: Apache-2.0
"""rrm_plain: the ranges of the README."""

import random
from collections.abc import Iterator

import pytest

from modmul.cores.residue.rrm_plain.core import DELAY, ENTRIES, SHIFT, RrmPlain, digits_of, sums, table


def unreduced(config: RrmPlain, modulus: int, x: int, y: int) -> tuple[int, int]:
    """U, and W, what of it stands at 4^D and above; every digit pushed out is one of the table."""
    pushed = [0] * DELAY
    entries, radix = table(config, modulus), 1 << (2 * config.digits)
    total = 0
    for digit, (_, _, t) in zip(digits_of(config, x), sums(config, modulus, x, y), strict=True):
        assert t in ENTRIES
        total = 4 * (total - (pushed[-1] if len(pushed) > DELAY else 0) * radix)
        total += digit * y + entries[pushed[-DELAY - 1] if len(pushed) > DELAY else 0]
        pushed.append(t)
    high = sum(t << (2 * i) for i, t in enumerate(reversed(pushed[-DELAY - 1 :])))
    return total + (high - pushed[-1]) * radix, high


def operations(width: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Moduli of ``width`` bits with operands up to them, corners among them."""
    rng = random.Random(width)
    for _ in range(count):
        low = 1 << (width - 1)
        modulus = rng.choice((low, 2 * low - 1, rng.randrange(low, 2 * low)))
        x, y = (rng.choice((modulus, rng.randrange(modulus + 1))) for _ in range(2))
        yield modulus, x, y


@pytest.mark.parametrize("width", [2, 3, 4, 5, 12, 13, 24, 33])
def test_sums_are_congruent_and_in_range(width: int) -> None:
    config = RrmPlain(width, word=16)
    for modulus, x, y in operations(width, 400):
        value, high = unreduced(config, modulus, x, y)
        scaled = modulus << SHIFT
        assert (value - x * y) % modulus == 0
        assert -scaled <= (value - scaled if high >= 0 else value) < scaled


def test_one_bit_less_of_the_quotient_is_too_few() -> None:
    """For even lengths, where U is largest."""
    config = RrmPlain(16)
    worst = max(unreduced(config, *each)[0] / each[0] for each in operations(16, 400))
    assert 1 << SHIFT < worst < 2 << SHIFT


@pytest.mark.parametrize("width", [2, 3, 16, 17, 64, 65])
def test_entries_are_made_in_range(width: int) -> None:
    """Step 1 begins within -M' and M', for the digits that occur at this length."""
    config = RrmPlain(width)
    assert max(map(abs, ENTRIES)) << (2 * config.digits + 5) < 1 << (width - 1 + SHIFT) or width < 4


def test_digits_are_those_of_x() -> None:
    config = RrmPlain(16, word=16)
    for x in range(0, 1 << 16, 7):
        digits = digits_of(config, x)
        assert len(digits) == config.steps and set(digits) <= {-1, 0, 1, 2}
        assert x == sum(digit << (2 * i) for i, digit in enumerate(reversed(digits)))
