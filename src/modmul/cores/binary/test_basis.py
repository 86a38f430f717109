# SPDX-License-Identifier: Apache-2.0
"""The cores of GF(2^m) by pairs of basis elements.

A product is linear in each operand, so the products x^i * x^j fix all others. Random operands, which the
checks of the contract take, show that the hardware is linear; what is wrong for one of these pairs alone they
seldom meet.
"""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from modmul.core import Polynomial
from modmul.cores.binary.gf2m import irreducible
from modmul.registry import Room, room
from modmul.verify import checks
from modmul.verify.failures import VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

CORES = ("gf2m_fixed", "gf2m_pipelined", "gf2m_serial")
SMALL = 13
FULL = (233, 283)
SOME = 400
SEED = 28


def check_basis(simulation: Simulation, pairs: Sequence[tuple[int, int]]) -> int:
    """The products of x^i and x^j for pairs i, j, modulo the irreducible polynomial of the build's degree."""
    modulus = Polynomial(irreducible(simulation.config.width))
    simulation.load(modulus)
    xs, ys = ([1 << pair[turn] for pair in pairs] for turn in range(2))
    return checks.check_batch(simulation, modulus, xs, ys)


def all_pairs(width: int) -> list[tuple[int, int]]:
    """Every i and j below the width."""
    return [(i, j) for i in range(width) for j in range(width)]


@pytest.mark.parametrize("slug", CORES)
def test_every_pair_of_a_short_basis(slug: str) -> None:
    for config in room(slug).core.builds.at(SMALL):
        assert check_basis(Simulation(room(slug).of(config)), all_pairs(SMALL)) == SMALL * SMALL


@pytest.mark.parametrize("slug", CORES)
@pytest.mark.parametrize("width", FULL[:1])
def test_some_pairs_of_a_long_basis(slug: str, width: int) -> None:
    config = room(slug).core.builds.at(width)[0]
    pairs = random.Random(SEED).sample(all_pairs(width), SOME)
    assert check_basis(Simulation(room(slug).of(config)), pairs) == SOME


@pytest.mark.long
@pytest.mark.parametrize("slug", CORES)
@pytest.mark.parametrize("width", FULL)
def test_every_pair_of_a_long_basis(slug: str, width: int) -> None:
    for config in room(slug).core.builds.at(width):
        assert check_basis(Simulation(room(slug).of(config)), all_pairs(width)) == width * width


def wrong_for_one_pair(folder: Path) -> Room:
    """A multiplier that is wrong for x^11 * x^6 alone."""
    return mutant(
        room("gf2m_pipelined"),
        folder,
        "mm_gf2m_pipelined",
        ".a_i(x_i), .b_i(y_i)",
        ".a_i(x_i), .b_i(y_i ^ N'(x_i == N'(2048) && y_i == N'(64)))",
    )


def test_random_operands_miss_a_product_that_is_wrong_for_one_pair(tmp_path: Path) -> None:
    rng = random.Random(SEED)
    simulation = Simulation(wrong_for_one_pair(tmp_path).build(SMALL))
    modulus = Polynomial(irreducible(SMALL))
    assert sum(checks.check_random(simulation, modulus, 400, rng)) >= 400
    with pytest.raises(VerificationError, match=r"x = 0x800, y = 0x40:"):
        check_basis(simulation, all_pairs(SMALL))
