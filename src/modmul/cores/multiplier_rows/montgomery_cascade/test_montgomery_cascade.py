# SPDX-License-Identifier: Apache-2.0
"""montgomery_cascade: the ranges of the README by all operands of a few bits; rules of streams."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from modmul.cores.multiplier_rows.montgomery_cascade.core import (
    MontgomeryCascade,
    constants,
    domain,
    interval,
    sums,
)
from modmul.cover.plan import exclusions, known
from modmul.registry import Room, room
from modmul.verify import checks
from modmul.verify.failures import ProtocolError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation
from modmul.verify.simulator import covering


class Small(MontgomeryCascade):
    """Digits that are too short for the hardware, and any number of pending ones."""

    pending = 4

    def __post_init__(self) -> None:
        """Nothing is refused."""

    @property
    def delay(self) -> int:
        return self.pending


def builds(digit: int, widest: int = 5) -> Iterator[Small]:
    for width in range(2, widest + 1):
        for pending in (2, 4, 5):
            build = Small(width, word=digit)
            object.__setattr__(build, "pending", pending)
            yield build


def operations(config: Small) -> Iterator[tuple[int, int, int]]:
    """All M, x and y."""
    for m in range(1, 1 << config.width, 2):
        for x in range(m + 1):
            for y in range(m + 1):
                yield m, x, y


def result(config: Small, m: int, v: int, extra: int) -> int:
    """Z, with a Q that has ``extra`` bits above a digit."""
    full = 1 << (config.word + extra)
    return (v + -v * pow(m, -1, full) % full * m) // full


@pytest.mark.parametrize("digit", [2, 3])
def test_sums_and_results_lie_in_their_ranges(digit: int) -> None:
    """Also for short moduli; Z is congruent to x * y / R."""
    base = 1 << digit
    for config in builds(digit):
        radix = domain(config).radix
        for m, x, y in operations(config):
            *steps, v = sums(config, m, x, y)
            z = result(config, m, v, config.extra)
            assert max(steps) < 2 * base * m
            assert v < (config.delay + 2) * base * m <= (1 << config.extra) * base * m
            assert z < 2 * m
            assert (z * radix - x * y) % m == 0


def columns(config: Small, m: int, x: int, y: int) -> Iterator[tuple[list[int], list[int], int]]:
    """The columns of both sums after each step, and the carry into the lowest."""
    n, radix = config.beats, 1 << config.word
    y_digits, k_digits = config.split(y), config.split(constants(config, m)[0])
    dropped = [0] * config.delay
    products, residues, carry = [0] * n, [0] * n, 0
    for t, x_digit in enumerate(config.split(x)):
        total = products[0] + residues[0] + carry
        dropped.append(total % radix)
        carry = total // radix
        products = [s + x_digit * d for s, d in zip([*products[1:], 0], y_digits, strict=True)]
        residues = [s + dropped[t] * d for s, d in zip([*residues[1:], 0], k_digits, strict=True)]
        yield products, residues, carry


@pytest.mark.parametrize("digit", [2, 3])
def test_no_carry_leaves_a_column(digit: int) -> None:
    """The columns are those of the sums, and lie in their ranges."""
    base = 1 << digit
    for config in builds(digit, 4):
        n = config.beats
        for m, x, y in operations(config):
            totals = sums(config, m, x, y)
            for products, residues, carry in columns(config, m, x, y):
                both = [p + r for p, r in zip(products, residues, strict=True)]
                assert sum(s << (digit * j) for j, s in enumerate(both)) + carry == next(totals)
                assert max(*products, *residues) <= n * (base - 1) ** 2
                assert carry <= 2 * n * (base - 1)


# --- rules that show when operations follow each other --------------------------------------------------

RULES = {
    "no digit comes back from before an operation": (
        *("mm_montgomery_cascade_control", "step_q) >= 32'(Delay);", "step_q) >= 32'(Delay - 1);"),
    ),
    "sums start anew": (
        *("mm_montgomery_cascade_row", "run_i ? Bits'(product) + above : '0;", "Bits'(product) + above;"),
    ),
    "carries start anew": ("mm_montgomery_cascade", "digit_run ? total : '0;", "total;"),
    "a column holds N products": ("mm_montgomery_cascade", "2 * W + $clog2(N); ", "2 * W + $clog2(N) - 1; "),
    "M ends with its last digit": (*("mm_montgomery_cascade_converter", "at_m[At-1] ? m : '0;", "m;"),),
    "K ends with its last digit": (*("mm_montgomery_cascade_converter", "at[i*At-1] ? k : '0;", "k;"),),
    "the sums end with their last column": (
        *("mm_montgomery_cascade_converter", "at[2*At-1] ? {x_word, s_word} : '0;", "{x_word, s_word};"),
    ),
    "the sign is that of the last digit": (
        *("mm_montgomery_cascade_converter", "|there[ZDigits-Columns+3:3] & less", "less"),
    ),
    "a digit waits for its product": (
        *(
            "mm_montgomery_cascade_converter",
            ".Bits(Digit), .Cycles(Delay - 2)",
            ".Bits(Digit), .Cycles(Delay - 3)",
        ),
    ),
}
"""A source, what stands there, and what breaks the rule."""


CROWDED = (0xFFFFFFF6F6F7, 0xFFFFFFF6D8D4, 0xFFFFFFF6DAEF)
"""A modulus of 48 bits and operands, with nine products in a column that are nearly 255 * 255 each."""


def test_the_highest_bits_of_the_converter_change() -> None:
    """Those that no random operands reach: ``cover/exclusions.toml`` says that this operation does."""
    build = room("montgomery_cascade").of(MontgomeryCascade(48, word=8, fanout=1))
    modulus, *operands = CROWDED
    with covering() as found:
        simulation = Simulation(build)
        simulation.load(modulus)
        checks.check_batch(simulation, modulus, *([operand] for operand in operands))
        del simulation
    seen = set()
    for point, count in found.points.items():
        if count:
            signal, _, way = point.what.rpartition(":")
            seen.add(f"{'.'.join((*point.instance.split('.')[2:], signal))} {way}")
    [entry] = [each for each in exclusions().excluded if Path(__file__).name in each.reason]
    [coverage] = [each for each in known() if each.core == build.slug]
    asked = {item.text for config, item in coverage.left if entry.matches(build.slug, config, item)}
    assert len(asked) == 28 and asked <= seen


def right_in_a_row(found: Room) -> bool:
    """Operations one behind the other, as close as the steps and the conversion allow."""
    config = MontgomeryCascade(124, word=8)
    assert interval(config) == config.beats + 1 == config.result_digits
    simulation = Simulation(found.of(config))
    rng = random.Random(1)
    for modulus in ((1 << 124) - 1, (1 << 124) - 59):
        xs, ys = ([modulus, *(rng.randrange(modulus + 1) for _ in range(15))] for _ in "xy")
        simulation.load(modulus)
        right = [domain(config).product(modulus, x, y) for x, y in zip(xs, ys, strict=True)]
        try:
            if simulation.run(xs, ys).results != right:
                return False
        except ProtocolError:  # a result that is longer than an operand
            return False
    return True


@pytest.mark.parametrize(
    "rule",
    [pytest.param(rule, marks=[pytest.mark.long] if number else []) for number, rule in enumerate(RULES)],
)
def test_a_rule_that_is_broken_gives_wrong_results(rule: str, tmp_path: Path) -> None:
    assert right_in_a_row(room("montgomery_cascade"))
    assert not right_in_a_row(mutant(room("montgomery_cascade"), tmp_path, *RULES[rule]))
