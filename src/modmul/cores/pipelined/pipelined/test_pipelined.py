# SPDX-License-Identifier: Apache-2.0
"""pipelined: the ranges of the README, by every modulus and operand of few bits; builds for one modulus."""

import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from modmul.cores.pipelined.pipelined.core import (
    Pipelined,
    context,
    fixed_steps,
    folded,
    latency,
    odd_digits,
)
from modmul.moduli import modulus
from modmul.registry import Room, room
from modmul.verify import checks
from modmul.verify.failures import VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

NAMES = (
    *("bn254-fp", "bn254-fr", "bls12-381-fp", "bls12-381-fr", "bls12-377-fp", "brainpool256"),
    *("p256", "p384", "p521", "curve25519", "secp256k1", "goldilocks"),
)
PRIMES = {name: modulus(name).value for name in NAMES}
BUILDS = [
    Pipelined(width, tile_a=a, tile_b=b)
    for width in (*range(2, 600, 7), 254, 255, 256, 381)
    for a, b in ((25, 18), (27, 18), (18, 18), (8, 8), (8, 64), (64, 8))
]


@pytest.mark.parametrize("width", [2, 3, 4, 5, 6])
def test_the_quotient_lacks_less_than_one(width: int) -> None:
    """Even if the rows of step 3 leave out all that they may: T' - q * M < 2M, and q has c + 2 bits."""
    config = Pipelined(width)
    c, b = config.half, config.behind
    lacking = Fraction(3, 4)
    for m in range(1 << (width - 1), 1 << width):
        _, k, *beats = context(config, m)
        u = sum(beat << (width * i) for i, beat in enumerate(beats))
        assert k < m and u < 1 << (c + 5)
        for x in range(m + 1):
            for y in range(m + 1):
                t = folded(config, m, x, y)
                assert (t - x * y) % m == 0 and t < 3 * m << c and t < 1 << (width + c + 1)
                exact = Fraction((t >> (width - b)) * u, 1 << (c + 4 + b))
                for q in {exact.__floor__(), max((exact - lacking).__floor__(), 0)}:
                    assert q < 1 << (c + 2) and 0 <= t - q * m < 2 * m


def test_the_rows_leave_out_less_than_three_quarters() -> None:
    """What the blocks and bits that are left out can be worth at most, summed exactly."""
    for config in BUILDS:
        c, guard = config.half, config.guard
        wide, narrow = config.tile_a - 1, config.tile_b - 1
        u_bits, t_bits = c + 5, c + 1 + config.behind
        left_out = Fraction(0)
        for row in range(-(-u_bits // wide)):
            top = u_bits - row * wide
            piece = min(wide, top)
            blocks = max(-(-(c + 2 - row * wide + config.margin) // narrow), 0)
            bits = max(t_bits - narrow * blocks, 0)
            dropped = ((1 << piece) - 1) * ((1 << bits) - 1) << (top - piece)
            left_out += Fraction(dropped, 1 << (c + 4 + config.behind)) + Fraction(1, 1 << guard)
        assert left_out < Fraction(3, 4)


def test_a_smaller_margin_would_leave_out_too_much() -> None:
    """The margin is not larger than it has to be, and the guard bits hold it."""
    for config in BUILDS:
        assert 1 <= config.margin <= config.guard
        assert config.margin == 1 or config._left_out(config.margin - 1) > 23 << 15


# --- builds for one modulus -------------------------------------------------------------------------


def fixed(width: int, **settings: int) -> Pipelined:
    """A build for a modulus without a form, a bit above 5/9 of 2^width."""
    return Pipelined(width, modulus=(5 << width) // 9 | 1, **settings)


def signed(number: int, bits: int) -> int:
    return number - ((number >> bits - 1) << bits)


def check_fixed_steps(config: Pipelined, t: int) -> None:
    """The ranges of q and r, in the arithmetic of the hardware."""
    steps, m = fixed_steps(config, t), config.modulus
    q, r = signed(steps["2"]["q"], config.width + 1), signed(steps["3"]["r"], config.width + 1)
    assert 2 * t - 3 * m < 2 * m * q <= 2 * t
    assert r == t - q * m - m and -m <= r < m


@pytest.mark.parametrize("width", [2, 3, 4, 5])
def test_fixed_steps_of_every_product(width: int) -> None:
    for m in range((1 << width - 1) | 1, 1 << width, 2):
        config = Pipelined(width, modulus=m)
        for t in range(m * m + 1):
            check_fixed_steps(config, t)


@pytest.mark.parametrize("name", PRIMES)
def test_fixed_steps_of_primes(name: str) -> None:
    m = PRIMES[name]
    config, rng = Pipelined(m.bit_length(), modulus=m), random.Random(name)
    for t in (0, 1, m - 1, m, m + 1, m * m - 1, m * m, *(rng.randrange(m * m + 1) for _ in range(100))):
        check_fixed_steps(config, t)


def test_what_products_by_constants_leave_out() -> None:
    """Less than they have rows, in units of the last bit, and less than a quarter of q in all."""
    rng = random.Random(5)
    for width in (*range(2, 40), 100, 254, 381):
        config = Pipelined(width, modulus=rng.getrandbits(width) | 1 << width - 1 | 1)
        times, multiple = config.quotient, config.multiple
        assert 4 * times.rows << times.base <= 1 << config.point
        for a in (0, 1, (1 << times.a_bits) - 1, rng.getrandbits(times.a_bits)):
            bits = times.top - times.base
            less = signed((a * times.factor - (times.of(a) << times.base)) % (1 << times.top), times.top + 1)
            assert 0 <= less < times.rows << times.base, (bits, a)
            assert multiple.of(a) == (a * config.modulus + config.modulus) % (1 << multiple.top)


def test_digits_of_a_constant() -> None:
    """Their sum is the constant; they are odd and at least four places apart."""
    rng = random.Random(6)
    for factor in (1, 7, 8, 9, 15, 16, *(rng.getrandbits(bits) for bits in range(1, 300))):
        digits = list(odd_digits(factor, factor.bit_length() + 1))
        assert sum(digit << place for place, digit in digits) == factor
        assert all(digit % 2 and abs(digit) < 8 for _, digit in digits)
        assert all(later - place >= 4 for (place, _), (later, _) in pairwise(digits))


def is_right(room_of: Room, config: Pipelined) -> bool:
    """Whether random products are right, and q and r those of the model."""
    build, rng = room_of.of(config), random.Random(14)
    try:
        sum(checks.check_random(Simulation(build, seed=14), config.modulus, 300, rng))
        checks.check_model(build, [config.modulus], rng)
    except VerificationError:
        return False
    return True


TOP, FIXED, TIMES = "mm_pipelined", "mm_pipelined_fixed", "mm_pipelined_times"
HEAP, SUM, SKEW = "mm_pipelined_heap", "mm_pipelined_sum3", "mm_pipelined_skew"
MUTANTS = {
    "a negative row is not inverted": (HEAP, "== 1 && All[row*RowBits+19]", "== 1 && 1'b0"),
    "a row waits too long": (HEAP, "Level - 1 - levels(Own)", "Level - 1"),
    "a piece of a multiple comes early": (HEAP, "[(i*4+Which)*ABits+:ABits]", "[Which*ABits+:ABits]"),
    "what inverting adds stays": (TIMES, "if (Given[i*RowBits+19])", "if (1'b0)"),
    "a digit of 7 is one of 5": (TIMES, "late = {seven_times, ", "late = {five_times, "),
    "two carries are one": (SUM, "{gen_piece[i-1].carry_q[1], |", "{1'b0, |"),
    "pieces are not held back": (SKEW, "Back != 0 ? Pieces - 1 - i : i", "i"),
    "q has no sign": (FIXED, "q            = q_long[N+Guard:Guard]", "q = {1'b0, q_long[N-1+Guard:Guard]}"),
    "q has no bits behind the point": (TOP, "$clog2(TopRows) + 2", "0"),
    "M is not taken off first": (FIXED, ".Addend(AtFirst)", ".Addend(0)"),
    "M is not put back": (FIXED, "{N{r[N]}}", "{N{1'b0}}"),
}


@pytest.mark.parametrize("rule", MUTANTS)
def test_a_broken_rule_is_found(rule: str, tmp_path: Path) -> None:
    module, right, wrong = MUTANTS[rule]
    assert not is_right(
        mutant(room("pipelined"), tmp_path / "room", module, right, wrong), fixed(33, carry=12)
    )


@pytest.mark.parametrize("terms", [2, 3])
def test_no_mutant_is_right(terms: int) -> None:
    assert is_right(room("pipelined"), fixed(33, carry=12, terms=terms))


@pytest.mark.long
@pytest.mark.parametrize("terms", [2, 3])
def test_every_modulus(terms: int) -> None:
    """Every odd modulus of two to six bits, every x and y."""
    builds = [
        room("pipelined").of(Pipelined(width, modulus=m, terms=terms, carry=8))
        for width in (2, 3, 4, 5, 6)
        for m in range((1 << width - 1) | 1, 1 << width, 2)
    ]
    assert checks.check_exhaustive(builds) > 10_000


@pytest.mark.long
@pytest.mark.parametrize("name", PRIMES)
def test_every_prime(name: str) -> None:
    """Thousands of products in the simulated hardware, with the latency; and q and r against the model."""
    config = Pipelined(PRIMES[name].bit_length(), modulus=PRIMES[name])
    rng = random.Random(name)
    build = room("pipelined").of(config)
    assert sum(checks.check_random(Simulation(build, seed=7), config.modulus, 3000, rng)) >= 3000
    assert checks.check_model(build, [config.modulus], rng) >= 6


def test_longer_carries_make_a_shorter_pipeline() -> None:
    assert latency(Pipelined(254, carry=256)) < latency(Pipelined(254)) < latency(Pipelined(254, carry=64))
