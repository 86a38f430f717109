# SPDX-License-Identifier: Apache-2.0
"""small_fixed: what its reductions rest on, in integers; and each prime in use in the hardware."""

import random
from collections.abc import Iterator

import pytest

from modmul.cores.small.small_fixed.core import SmallFixed
from modmul.moduli.named import NAMED
from modmul.registry import room
from modmul.verify import checks
from modmul.verify.simulation import Simulation

IN_USE = {
    "ml-kem": ("tables", 5),
    "falcon": ("digits", 5),
    "ml-dsa": ("proth", 6),
    "mersenne31": ("ones", 7),
    "babybear": ("proth", 8),
    "koalabear": ("proth", 8),
    "goldilocks": ("proth", 9),
}
"""The way that the modulus allows, and the latency of the default build."""


def divided(config: SmallFixed, t: int) -> int:
    """q of step 2 of ``mm_small_fixed_proth`` or ``_deep``."""
    e, place = t >> (config.width - config.behind), config.g
    for _ in range(config.levels):
        e += (e >> place) + (0 if config.deep else e >> 2 * place)
        place *= 2 if config.deep else 3
    return e >> config.behind


def telling(m: int, step: int, rng: random.Random) -> Iterator[int]:
    """Products around multiples of k * 2^m, near the ends and anywhere."""
    yield from (0, 1, m - 1, m, m * m - 1, m * m)
    for _ in range(60):
        near = rng.randrange(m * m // step + 1) * step
        yield from (t for t in (near - 1, near, near + 1) if 0 <= t <= m * m)
    top = m * m // step
    yield from (t for k in range(20) for t in ((top - k) * step - 1, (top - k) * step) if 0 <= t <= m * m)


@pytest.mark.parametrize("carry", [0, 16])
def test_the_quotient_is_right_or_one_less(carry: int) -> None:
    """For all g at some lengths."""
    rng, less = random.Random(1), 0
    for n in (*range(5, 14), 23, 31, 32, 64, 128):
        for g in range(4, n):
            m = (1 << n) - (1 << n - g) + 1
            config = SmallFixed(n, modulus=m, carry=carry)
            if config.way != "proth":
                assert config.modulus == (1 << n) - 1
                continue
            k_step = config.k << config.place
            for t in telling(m, k_step, rng):
                lacking = t // k_step - divided(config, t)
                assert lacking in (0, 1), (n, g, t)
                less += lacking
    assert less > 100, "the second step of the division is for something"


def test_one_fold_is_what_tables_leave() -> None:
    """The last table is asked for ``Digit`` bits, for every modulus of 2 to 10 bits."""
    for n in range(2, 11):
        for m in range((1 << n - 1) + 1, 1 << n, 2):
            config = SmallFixed(n, modulus=m, carry=16)
            largest = m * m
            for bits in config.folds:
                largest = (1 << largest.bit_length() - config.digit) + m - 2
                assert largest.bit_length() == bits
            assert largest < 1 << n - 1 + config.digit


@pytest.mark.parametrize("name", IN_USE)
def test_a_prime_in_use(name: str) -> None:
    """Few registers, many, and a queue: right results, in the cycles that its page tells."""
    rng = random.Random(1)
    modulus = NAMED[name].value
    found = room("small_fixed")
    width = modulus.bit_length()
    default = found.build(width, modulus=modulus)
    assert (SmallFixed(width, modulus=modulus).way, default.latency) == IN_USE[name]
    for build in (default, *found.fitting(width, modulus, "ecp5")[:1]):
        assert sum(checks.check_random(Simulation(build), modulus, 2000, rng)) >= 2000
