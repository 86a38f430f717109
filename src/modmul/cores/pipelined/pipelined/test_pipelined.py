# SPDX-License-Identifier: Apache-2.0
"""pipelined: the ranges of the README, by every modulus and operand of up to six bits."""

import random
from fractions import Fraction

import pytest

from modmul.core import signed_powers
from modmul.cores.pipelined.pipelined.core import Pipelined, context, folded, latency
from modmul.moduli import modulus
from modmul.registry import room
from modmul.verify import checks
from modmul.verify.simulation import Simulation

SPARSE = ("p192", "p224", "p256", "p384", "p521", "curve25519", "ed448", "secp256k1", "sm2", "goldilocks")
PRIMES = {name: modulus(name).value for name in SPARSE}
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


@pytest.mark.parametrize("name", PRIMES)
def test_folds_of_the_primes(name: str) -> None:
    """They end below 2M, and the digits are those of 2^n - M."""
    config = Pipelined(PRIMES[name].bit_length(), modulus=PRIMES[name])
    m, n = config.modulus, config.width
    assert sum(digit << place for place, digit in signed_powers((1 << n) - m)) == (1 << n) - m
    *_, largest = config.folds()
    assert largest < 2 * m and 3 * ((1 << n) - m) <= 1 << n
    rng = random.Random(name)
    for _ in range(100):
        t = rng.getrandbits(2 * n)
        product = t
        for bound in config.folds():
            t = t % (1 << n) + (t >> n) * ((1 << n) - m)
            assert t <= bound
        assert t % m == product % m


@pytest.mark.long
@pytest.mark.parametrize("name", PRIMES)
def test_every_prime(name: str) -> None:
    """Thousands of products in the simulated hardware, with the latency."""
    config = Pipelined(PRIMES[name].bit_length(), modulus=PRIMES[name])
    rng = random.Random(name)
    simulation = Simulation(room("pipelined").of(config), seed=rng.getrandbits(31))
    assert sum(checks.check_random(simulation, config.modulus, 3000, rng)) >= 3000


def test_longer_carries_make_a_shorter_pipeline() -> None:
    assert latency(Pipelined(254, carry=256)) < latency(Pipelined(254)) < latency(Pipelined(254, carry=64))
