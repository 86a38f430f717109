# SPDX-License-Identifier: Apache-2.0
"""rrm: the ranges of the README, by every modulus and operand of a few bits; the example of docs/rrm.md."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from modmul.cores.rrm.core import Rrm, residues

BUILDS = [(k, d) for k in (1, 2) for d in (0, 1, 2)]


def last_sums(config: Rrm, modulus: int, x: int, y: int) -> tuple[list[int], list[int]]:
    """The sum after each step, and the digits that are pending at the end, the last one last."""
    k, base = config.digit_bits, 1 << config.digit_bits
    table = residues(config, modulus)
    sums, dropped = [0], [0] * config.delay
    for i in range(config.steps):
        dropped.append(sums[-1] % base)
        sums.append((sums[-1] >> k) + (x >> (k * i)) % base * y + table[dropped.pop(0)])
    return sums[1:], dropped


def quotient(q: int, bits: int, digit_bits: int) -> int:
    """q mod 2^bits, of digits -2 to 1, a lone bit being -1 or 0; for digit_bits = 1 all are lone."""
    low = 1 if digit_bits == 1 or bits == 1 else 2
    if bits == 0:
        return 0
    half = 1 << (low - 1)
    digit = (q + half) % (2 * half) - half
    return digit + (quotient((q - digit) >> low, bits - low, digit_bits) << low)


def pending(config: Rrm, modulus: int, digits: Sequence[int]) -> int:
    """P: the residue of the pending digits."""
    k, bits = config.digit_bits, config.digit_bits * config.delay
    p = sum(digit << (k * i) for i, digit in enumerate(digits))
    value = p + quotient(-p * pow(modulus, -1, 1 << bits), bits, k) * modulus
    assert value % (1 << bits) == 0
    return value >> bits


@pytest.mark.parametrize(("digit_bits", "delay"), BUILDS)
def test_sums_and_results_lie_in_their_ranges(digit_bits: int, delay: int) -> None:
    """Also for short moduli in a wider build; the result is congruent to x * y / R."""
    for width in (2, 3, 4, 5, 7):
        config = Rrm(width, digit_bits=digit_bits, delay=delay)
        radix = 1 << (digit_bits * (config.steps - 1))
        for modulus in range(1, 1 << min(width, 5), 2):
            inverse = pow(radix, -1, modulus)
            for x in range(modulus + 1):
                for y in range(modulus + 1):
                    sums, digits = last_sums(config, modulus, x, y)
                    assert max(sums) < 1 << (width + 3)
                    value = sums[-1] + pending(config, modulus, digits)
                    assert -modulus < value < 2 * modulus
                    assert (value - x * y * inverse) % modulus == 0


@pytest.mark.parametrize("digit_bits", [1, 2])
def test_one_digit_less_is_too_few(digit_bits: int) -> None:
    """The extra digits are needed: with one less, V reaches 2M for k = 2."""

    class Short(Rrm):
        @property
        def extra(self) -> int:
            return 1

    config = Short(6, digit_bits=digit_bits)
    worst = max(
        (sums[-1] + pending(config, modulus, digits)) / modulus
        for modulus in range(33, 64, 2)
        for x in range(modulus + 1)
        for y in range(0, modulus + 1)
        for sums, digits in [last_sums(config, modulus, x, y)]
    )
    assert worst >= 2


@pytest.mark.parametrize(("digit_bits", "delay"), BUILDS)
def test_residues_are_exact_and_small(digit_bits: int, delay: int) -> None:
    worth = 1 << (digit_bits * (delay + 1))
    for modulus in range(1, 1 << 9, 2):
        for s, residue in enumerate(residues(Rrm(9, digit_bits=digit_bits, delay=delay), modulus)):
            exact, rest = divmod(s + -s * pow(modulus, -1, worth) % worth * modulus, worth)
            assert rest == 0 and residue == exact % modulus and exact <= modulus


def test_the_example_of_the_page() -> None:
    text = (Path(__file__).parents[4] / "docs" / "rrm.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (\d+) \| (\d) \| (\d) \| (\d+) \| (\d+) \| (\d) \| .*?(\d+) \|$", text, re.MULTILINE
    )
    config = Rrm(4)
    sums, [digit] = last_sums(config, 11, 7, 9)
    assert [int(row[-1]) for row in rows] == sums and len(rows) == config.steps
    assert digit == int(rows[-1][5]) == 0
    assert residues(config, 11) == [0, 9, 7, 5]
