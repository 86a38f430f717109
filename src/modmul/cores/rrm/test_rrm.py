# SPDX-License-Identifier: Apache-2.0
"""rrm: the ranges of the README, by every modulus and operand of a few bits; the example of docs/rrm.md."""

import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from modmul.cores.rrm.core import Rrm, residues, split_sums
from modmul.registry import room
from modmul.verify import checks
from modmul.verify.simulation import Simulation


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


SPLIT = [(k, d) for k in (3, 4) for d in (1, 2)]


def split_results(
    config: Rrm, modulus: int, operands: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int, list[int], int]]:
    """x, y, the sum after each step and V, with two tables; q as in the converter, of digits from -2 to 1."""
    k, d = config.digit_bits, config.delay
    top = 1 << (k * d)
    offset = sum(2 << i for i in range(0, k * d - 1, 2)) + (top >> 1 if k * d % 2 else 0)
    negative = -pow(modulus, -1, top)
    for x, y in operands:
        states = list(split_sums(config, modulus, x, y))
        sums = [state.value(k) for state in states]
        p = sum(state.s[0] << (k * i) for i, state in enumerate(states[-1 - d : -1]))
        q = (p * negative + offset) % top - offset
        value, rest = divmod(p + q * modulus, top)
        assert rest == 0
        yield x, y, sums, sums[-1] + value


@pytest.mark.parametrize(("digit_bits", "delay"), SPLIT)
def test_two_tables_keep_to_their_ranges(digit_bits: int, delay: int) -> None:
    """The sum, with its sign, and V, also for short moduli in a wider build; a carry is a bit."""
    for width, longest in ((2, 2), (3, 3), (4, 4), (8, 3)):
        config = Rrm(width, digit_bits=digit_bits, delay=delay)
        base = 1 << digit_bits
        radix = 1 << (digit_bits * (config.steps - 1))
        for modulus in range(1, 1 << longest, 2):
            inverse = pow(radix, -1, modulus)
            operands = ((x, y) for x in range(modulus + 1) for y in range(modulus + 1))
            for x, y, sums, value in split_results(config, modulus, operands):
                assert all(abs(total) * (base - 1) < (base * base + base) * modulus for total in sums)
                assert -modulus <= value < 2 * modulus
                assert (value - x * y * inverse) % modulus == 0
            for state in split_sums(config, modulus, modulus // 2, modulus):
                assert max(state.s) < base and max(state.c) < 2 and max(state.carried) < 2
                assert state.top in (0, -1, -2)


def test_one_digit_less_is_too_few_for_two_tables() -> None:
    """With one digit 0 behind those of x, V falls below -M."""

    class Short(Rrm):
        @property
        def extra(self) -> int:
            return 1

    config = Short(4, digit_bits=4)
    operands = ((x, y) for x in range(16) for y in range(16))
    assert min(value for *_, value in split_results(config, 15, operands)) < -15


OTHERS = [
    Rrm(9, word=8, digit_bits=3, delay=2),
    Rrm(37, digit_bits=3),
    Rrm(40, word=32, digit_bits=4, delay=2),
]


@pytest.mark.parametrize("config", OTHERS, ids=str)
def test_other_builds_with_two_tables(config: Rrm) -> None:
    """Digits that do not fill words, and residues that come two steps later: as in the contract's tests."""
    found, rng = room("rrm"), random.Random(config.width)
    moduli = checks.interesting_moduli(found, config, rng, 4)
    assert checks.check_model(found, config, moduli, rng) >= 6
    simulation = Simulation(found, config, seed=config.width)
    assert all(sum(checks.check_random(simulation, modulus, 100, rng)) >= 4 for modulus in moduli)
    assert checks.check_back_pressure(simulation, moduli[0], 20, rng) == 100


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
