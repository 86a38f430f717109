# SPDX-License-Identifier: Apache-2.0
"""sparse_prime_dsp: the ranges of the README, rows of all lengths, what each rule is for."""

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from modmul.cores.fixed_modulus.sparse_prime_dsp.core import (
    BIAS,
    CORE,
    SparsePrimeDsp,
    row_sums,
    unreduced,
)
from modmul.measure import CHIPS
from modmul.measure.synthesis import synthesise
from modmul.moduli import modulus
from modmul.registry import Room, room
from modmul.tools.store import Store
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

SPARSE = ("p192", "p224", "p256", "p384", "p521", "curve25519", "ed448", "secp256k1", "sm2", "goldilocks")
PRIMES = {name: modulus(name).value for name in SPARSE}
PRIME_BUILDS = [
    SparsePrimeDsp(prime.bit_length(), modulus=prime, columns=columns)
    for prime in PRIMES.values()
    for columns in (0, 2)
]
SMALL_BUILDS = [
    SparsePrimeDsp(width, word=8, digit=8, modulus=(1 << width) - less)
    for width in range(2, 9)
    for less in range(1, 1 << width, 2)
    if less * (less + 2) <= 1 << width
]
rng = random.Random(14)
OTHER_BUILDS = [
    SparsePrimeDsp(
        width,
        word=(16, 24, 36)[width % 3],
        digit=(8, 12, 18)[width % 3],
        columns=2 * (width % 4),
        modulus=(1 << width) - rng.randrange(1, min(1 << width // 2, 1 << 31), 2),
    )
    for width in range(10, 90)
]
BUILDS = [*PRIME_BUILDS, *SMALL_BUILDS, *OTHER_BUILDS]
WIDE = [config for config in PRIME_BUILDS if config.wide]


def operands(m: int, count: int) -> Iterable[tuple[int, int]]:
    """Corners and random ones."""
    for _ in range(count):
        x, y = (rng.choice((m, m - 1, rng.randrange(m + 1))) for _ in range(2))
        yield x, y


def check_ranges(config: SparsePrimeDsp, x: int, y: int) -> None:
    """L and H make the product; U and V are in their ranges, and Z is right."""
    lowest, high = row_sums(config, x, y)
    low, above = (sum(each << config.digit * i for i, each in enumerate(digits)) for digits in (lowest, high))
    assert low + (above << config.n) == (x << config.shift) * y
    scaled = config.modulus << config.shift
    _, u, v = unreduced(config, x, y)
    assert 0 <= u >> config.n < 1 << (6 if config.wide else config.above * config.word)
    assert 0 <= v < 2 * scaled
    z = v - scaled if v + config.scaled >> config.n else v
    assert z == x * y % config.modulus << config.shift


def test_sums_are_in_their_ranges() -> None:
    for config in BUILDS:
        for x, y in operands(config.modulus, 8):
            check_ranges(config, x, y)


@pytest.mark.parametrize("width", [2, 3, 4, 5])
def test_every_operand(width: int) -> None:
    for config in (build for build in SMALL_BUILDS if build.width == width):
        for x in range(config.modulus + 1):
            for y in range(config.modulus + 1):
                check_ranges(config, x, y)


def test_two_products_are_enough_up_to_the_limit_of_less() -> None:
    """floor(U / 2^n) <= D, so V < 2M, as long as D * (D + 2) <= 2^Width."""
    for width in range(2, 20):
        for less in range(1, 1 << width, 2):
            if less * (less + 2) > 1 << width:
                break
            m = (1 << width) - less
            top = (1 << width) - 1 + (m * m >> width) * less
            assert top >> width <= less and (1 << width) - 1 + less * less < 2 * m
    with pytest.raises(ValueError, match="neither"):
        SparsePrimeDsp(6, word=8, digit=8, modulus=64 - 9)
    with pytest.raises(ValueError, match="must be odd"):
        SparsePrimeDsp(16, modulus=(1 << 16) - 2)


@pytest.mark.parametrize("config", WIDE, ids=str)
def test_words_of_q_and_the_bias_cover_every_product(config: SparsePrimeDsp) -> None:
    """What a word of H adds to those of Q, summed up by sign, with the most that a word can be."""
    k = config.beats
    impulse = [1]
    for i in range(1, k):
        impulse.append(sum(sign * impulse[i - (k - j)] for j, sign in config.taps.items() if i >= k - j))
    most = (1 << config.word) - 1 + sum(2 << config.digit * lane for lane in range(config.lanes))
    highest = most * sum(each for each in impulse if each > 0)
    lowest = most * sum(each for each in impulse if each < 0)
    assert -1 << (config.word + 4) <= lowest and highest < 1 << (config.word + 4)
    # U / 2^n is L, the words of Q that come back below 2^n, and the bias; all_below: the highest of them and
    # those behind it.
    signs = [*config.taps.values(), 1 if config.scaled % 4 == 1 else -1]
    all_below = 1 + 2 / (1 << config.word)
    up = sum(highest if sign > 0 else -lowest for sign in signs) / (1 << config.word) * all_below
    down = sum(lowest if sign > 0 else -highest for sign in signs) / (1 << config.word) * all_below
    assert down + BIAS * (1 - config.scaled / (1 << config.n)) >= 0 and up + 1 + BIAS < 1 << 6
    assert (1 << config.n) + 63 * config.scaled < 2 * (config.modulus << config.shift)


def test_less_bias_would_not_do() -> None:
    """U of P-256 is negative for some products without it."""
    config = next(build for build in WIDE if build.width == 256)
    m = config.modulus
    assert any(unreduced(config, x, y)[1] < BIAS * m for x, y in operands(m, 200))


@pytest.mark.parametrize(
    "config",
    [
        *(
            SparsePrimeDsp(
                37, word=8, digit=8, columns=columns, modulus=(1 << 37) - (1 << 18) + 1 + 2 * columns
            )
            for columns in (1, 2, 3, 4, 5)
        ),
        SparsePrimeDsp(95, word=40, digit=20, product=4, modulus=(1 << 95) - 15),
        SparsePrimeDsp(95, word=20, digit=20, columns=2, product=5, modulus=(1 << 95) - 15),
        SparsePrimeDsp(95, word=16, digit=16, product=5, modulus=(1 << 95) - 15),
    ],
    ids=str,
)
def test_rows_of_all_lengths(config: SparsePrimeDsp) -> None:
    """Of one block, of few, of nearly all, with the digits of y in one group or in many.

    Digits of 20 bits take four blocks, whose products have another cycle, or two.
    """
    simulation = Simulation(room(CORE.slug).of(config))
    assert sum(checks.check_random(simulation, config.modulus, 200, random.Random(config.columns))) >= 200


KEPT = "(* keep_hierarchy *)"


@pytest.mark.parametrize(("kept", "registers"), [(KEPT, 4 * 2), ("", 4 + 1)])
def test_each_column_has_registers_of_its_own(kept: str, registers: int, tmp_path: Path) -> None:
    """Synthesis leaves those of all four columns; where it may, it makes one of those of x."""
    found = mutant(room(CORE.slug), tmp_path / "room", ROWS, KEPT, kept or " ")

    def flip_flops(product: int) -> int:
        config = SparsePrimeDsp(64, product=product, modulus=(1 << 64) - 59)
        return synthesise(found.of(config).design, CHIPS["ecp5"], Store()).ffs

    of_control = flip_flops(5) - flip_flops(4) - 16 * registers
    assert 0 <= of_control < 16


def test_columns_are_blocks() -> None:
    """A row of 256 bits has as many blocks as columns, and a whole one one for each digit."""
    for columns in (2, 4, 8, 0):
        config = SparsePrimeDsp(256, columns=columns, modulus=PRIMES["secp256k1"])
        assert config.row == (columns or 16)


TOP, COLUMN = "mm_sparse_prime_dsp", "mm_sparse_prime_dsp_column"
FOLD, QUOTIENT = "mm_sparse_prime_dsp_fold", "mm_sparse_prime_dsp_quotient"
CONTROL, QUEUE = "mm_sparse_prime_dsp_control", "mm_result_queue"
ROWS, LOW = "mm_sparse_prime_dsp_row", "mm_sparse_prime_dsp_low"
HIGH, REDUCE = "mm_sparse_prime_dsp_high", "mm_sparse_prime_dsp_reduce"
GAPLESS = SparsePrimeDsp(64, word=32, digit=8, modulus=(1 << 64) - 9)
ROW = SparsePrimeDsp(37, word=8, digit=8, modulus=(1 << 37) - (1 << 18) + 9)
EVEN = SparsePrimeDsp(47, word=8, digit=8, columns=2, modulus=(1 << 47) - (1 << 18) + 9)
FOLDED = SparsePrimeDsp(37, word=8, digit=8, columns=2, modulus=(1 << 37) - (1 << 18) + 9)
P256 = SparsePrimeDsp(256, modulus=PRIMES["p256"])
MUTANTS = {
    "a carry of x * y goes into the next operation": (
        GAPLESS,
        COLUMN,
        "clear_x_i ? 1'b0 : x_carry",
        "x_carry",
    ),
    "S goes into the next operation": (GAPLESS, COLUMN, "clear_s_i ? '0 : above_i", "above_i"),
    "its carry does": (GAPLESS, COLUMN, "clear_s_i ? 1'b0 : s_carry_late", "s_carry_late"),
    "digits of L a cycle early": (
        SparsePrimeDsp(37, word=8, digit=8, product=4, modulus=(1 << 37) - (1 << 18) + 9),
        ROWS,
        ".Cycles(Mul + 3)",
        ".Cycles(6)",
    ),
    "digits of x in front of a block, and none of y": (
        SparsePrimeDsp(37, word=8, digit=8, columns=2, product=5, modulus=(1 << 37) - (1 << 18) + 9),
        ROWS,
        ".x_i(x_far), .y_i(y_far)",
        ".x_i(x_far), .y_i(y[c])",
    ),
    "products a cycle late": (
        SparsePrimeDsp(37, word=8, digit=8, product=5, modulus=(1 << 37) - (1 << 18) + 9),
        ROWS,
        ".Mul(Mul - 1)",
        ".Mul(Mul)",
    ),
    "the highest digit is lost": (ROW, ROWS, "assign above[Row-1] = top_q;", "assign above[Row-1] = '0;"),
    "a carry to H is lost": (ROW, COLUMN, "{x_keep_q, s_carry_late}", "{x_keep_q, 1'b0}"),
    "two carries are one": (ROW, HIGH, "{&pairs[l], ^pairs[l]}", "{1'b0, ^pairs[l]}"),
    "x is not moved up": (ROW, ROWS, ": x_before_q} << Shift", ": x_before_q} << 0"),
    "L of two operations in one place": (ROW, LOW, "<= half_q ^ start_i", "<= 1'b0"),
    "what is above 2^n has a word too few": (
        ROW,
        REDUCE,
        ".Length(Above)",
        ".Length(Above > 1 ? Above - 1 : 1)",
    ),
    "M is taken away too often": (ROW, REDUCE, "reaches_q ? more_late", "1'b1 ? more_late"),
    "a difference is a sum": (
        ROW,
        FOLD,
        ".Minus(Difference ? 1 : 0)",
        ".Minus(0)",
    ),
    "too many operations at a time": (ROW, CONTROL, "ops_q != OpBits'(Slots)", "1'b1"),
    "a word before its turn": (ROW, QUEUE, "next_there_q ? next_q : word_i", "write_i ? word_i : next_q"),
    "the high half of another group": (EVEN, ROWS, "none ? '0 : high", "high"),
    "y of the operation before": (FOLDED, ROWS, "there ? y_digit : '0", "y_digit"),
    "the highest digit of another group": (FOLDED, ROWS, "top_late ? top_q : next_group", "next_group"),
    "x of the next operation": (FOLDED, CONTROL, "if (start) half_run_q <= half_q", "half_run_q <= half_q"),
}
LONG_MUTANTS = {
    "U is negative": (P256, TOP, "Bias  = 16", "Bias  = 0"),
    "Q is taken for H": (P256, QUOTIENT, "h_low_q - sum[TBits-1:0]", "'0"),
    "the sign of Q is lost": (
        P256,
        QUOTIENT,
        "{sum[Bits-1], sum[Bits-1:Word]} :",
        "{1'b0, sum[Bits-1:Word]} :",
    ),
    "Q goes on behind its words": (P256, QUOTIENT, "s_on ? next : '0", "next"),
}


def is_right(room_of: Room, config: SparsePrimeDsp) -> bool:
    """Whether random products are right, one behind the other and with idle cycles."""
    simulation = Simulation(room_of.of(config), seed=14)
    try:
        sum(checks.check_random(simulation, config.modulus, 300, random.Random(14)))
        checks.check_back_pressure(simulation, config.modulus, 200, random.Random(14))
    except (VerificationError, ProtocolError):
        return False
    return True


@pytest.mark.parametrize("rule", MUTANTS)
def test_a_broken_rule_is_found(rule: str, tmp_path: Path) -> None:
    config, module, right, wrong = MUTANTS[rule]
    assert not is_right(mutant(room(CORE.slug), tmp_path / "room", module, right, wrong), config)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("(&same_part_q)", "same_part_q[0]"),
        ("(same_q | first_q)", "1'b1"),
        ("(same_q | first_q)", "same_q"),
    ],
    ids=["all parts of a word", "the words before", "the first word"],
)
def test_a_broken_rule_of_the_context_is_found(right: str, wrong: str, tmp_path: Path) -> None:
    found = mutant(room(CORE.slug), tmp_path / "room", "mm_sparse_prime_dsp_context", right, wrong)
    simulation = Simulation(found.of(ROW), seed=1)
    with pytest.raises(VerificationError):
        checks.check_context(simulation, [ROW.modulus], random.Random(1))


@pytest.mark.parametrize("config", [GAPLESS, ROW, EVEN, FOLDED], ids=str)
def test_no_mutant_is_right(config: SparsePrimeDsp) -> None:
    assert is_right(room(CORE.slug), config)


@pytest.mark.long
@pytest.mark.parametrize("rule", LONG_MUTANTS)
def test_a_broken_rule_of_q_is_found(rule: str, tmp_path: Path) -> None:
    config, module, right, wrong = LONG_MUTANTS[rule]
    assert not is_right(mutant(room(CORE.slug), tmp_path / "room", module, right, wrong), config)


@pytest.mark.long
@pytest.mark.parametrize("config", PRIME_BUILDS, ids=str)
def test_every_prime(config: SparsePrimeDsp) -> None:
    """Thousands of products in the simulated hardware, with the latency; and the sums against the model."""
    rng = random.Random(config.width)
    simulation = Simulation(room(CORE.slug).of(config), seed=rng.getrandbits(31))
    assert sum(checks.check_random(simulation, config.modulus, 3000, rng)) >= 3000
    assert checks.check_model(room(CORE.slug).of(config), [config.modulus], rng) >= 6
