# SPDX-License-Identifier: Apache-2.0
"""rrm: the ranges of the README, by every modulus and operand of a few bits; the example of docs/rrm.md."""

import re
from pathlib import Path

import pytest

from modmul.cores.rrm.core import Rrm, residues


def last_sums(config: Rrm, modulus: int, x: int, y: int) -> tuple[list[int], int]:
    """The sum after each step, and the digit that is pending at the end."""
    k, base = config.digit_bits, 1 << config.digit_bits
    table = residues(config, modulus)
    sums, dropped, before = [0], 0, 0
    for i in range(config.steps):
        before, dropped = dropped, sums[-1] % base
        sums.append((sums[-1] >> k) + (x >> (k * i)) % base * y + table[before])
    return sums[1:], dropped


def pending(config: Rrm, modulus: int, digit: int) -> int:
    """P: the residue of the pending digit, with the quotient of least amount, downwards."""
    base = 1 << config.digit_bits
    q = -digit * pow(modulus, -1, base) % base
    return (digit + (q if q < base // 2 else q - base) * modulus) // base


@pytest.mark.parametrize("digit_bits", [1, 2])
def test_sums_and_results_lie_in_their_ranges(digit_bits: int) -> None:
    """Also for short moduli in a wider build; the result is congruent to x * y / R."""
    for width in (2, 3, 4, 5, 7):
        config = Rrm(width, digit_bits=digit_bits)
        radix = 1 << (digit_bits * (config.steps - 1))
        for modulus in range(1, 1 << min(width, 5), 2):
            inverse = pow(radix, -1, modulus)
            for x in range(modulus + 1):
                for y in range(modulus + 1):
                    sums, digit = last_sums(config, modulus, x, y)
                    assert max(sums) < 1 << (width + 3)
                    value = sums[-1] + pending(config, modulus, digit)
                    assert -modulus <= value < 2 * modulus
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
        (sums[-1] + pending(config, modulus, digit)) / modulus
        for modulus in range(33, 64, 2)
        for x in range(modulus + 1)
        for y in range(0, modulus + 1)
        for sums, digit in [last_sums(config, modulus, x, y)]
    )
    assert worst >= 2


def test_residues_are_exact_and_small() -> None:
    for digit_bits in (1, 2):
        for modulus in range(1, 1 << 9, 2):
            for s, residue in enumerate(residues(Rrm(9, digit_bits=digit_bits), modulus)):
                q = -s * pow(modulus, -1, 1 << (2 * digit_bits)) % (1 << (2 * digit_bits))
                exact, rest = divmod(s + q * modulus, 1 << (2 * digit_bits))
                assert rest == 0 and residue == exact % modulus and exact <= modulus


def test_the_example_of_the_page() -> None:
    text = (Path(__file__).parents[4] / "docs" / "rrm.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (\d+) \| (\d) \| (\d) \| (\d+) \| (\d+) \| (\d) \| .*?(\d+) \|$", text, re.MULTILINE
    )
    config = Rrm(4)
    sums, digit = last_sums(config, 11, 7, 9)
    assert [int(row[-1]) for row in rows] == sums and len(rows) == config.steps
    assert digit == int(rows[-1][5]) == 0
    assert residues(config, 11) == [0, 9, 7, 5]
