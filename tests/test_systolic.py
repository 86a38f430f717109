# SPDX-License-Identifier: Apache-2.0
"""The scalable multipliers of paper 003: what the contract tests cannot know of them."""

import random
from dataclasses import replace
from typing import cast

import pytest

from modmul.core import Published
from modmul.registry import Room, room, rooms
from modmul.report.papers import Line, papers
from modmul.systolic import BoothConfig, SystolicConfig
from modmul.verify import checks
from modmul.verify.simulation import Simulation

LENGTHS = (32, 97, 160, 256, 512, 1024, 2048, 4096)
FAMILY = [found for found in rooms().values() if found.core.family == "scalable"]
BOOTH = [found for found in FAMILY if issubclass(found.core.config, BoothConfig)]
TABLE_III = [(found, row) for found in FAMILY for row in found.core.published if row.table == "III"]

each_core = pytest.mark.parametrize("room", FAMILY, ids=lambda room: room.core.slug)


def build(room: Room, **fields: int) -> SystolicConfig:
    return cast(SystolicConfig, room.core.config(**fields))


def odd_modulus(rng: random.Random, bits: int) -> int:
    return rng.getrandbits(bits) | 1 << (bits - 1) | 1


def printed(slug: str, table: str) -> list[Line]:
    """Our figures beside those of one table."""
    found = room(slug)
    figures = tuple(row for row in found.core.published if row.table == table)
    return papers((replace(found, core=replace(found.core, published=figures)),))


@each_core
def test_one_build_serves_every_length(room: Room, rng: random.Random) -> None:
    """From 32 to 4096 bits on one build, in any order, each with the timing of its length."""
    simulation = Simulation(room, build(room, width=4096, word=32, pes=16), seed=rng.getrandbits(31))
    for length in rng.sample(LENGTHS, len(LENGTHS)):
        assert sum(checks.check_random(simulation, odd_modulus(rng, length), 20, rng)) >= 20
        assert cast(SystolicConfig, simulation.at).n == length


@pytest.mark.parametrize(
    ("room", "row"),
    TABLE_III,
    ids=[f"{r.core.slug}-p{row.options['Pes']}-n{row.width}" for r, row in TABLE_III],
)
def test_cycles_of_table_iii(room: Room, row: Published, rng: random.Random) -> None:
    """Case I and case II: counted on the hardware between multiplications, loading and unloading beside."""
    config = build(room, width=1024, word=row.options["Word"], pes=row.options["Pes"])
    simulation = Simulation(room, config, seed=rng.getrandbits(31))
    modulus = odd_modulus(rng, row.width)
    simulation.load(modulus)
    operands = [rng.randrange(modulus) for _ in range(12)]
    batch = simulation.run(operands, operands[::-1])
    assert set(batch.intervals[room.core.in_flight :].tolist()) == {row.cycles}
    assert room.core.cycles(simulation.at) == row.cycles


@each_core
@pytest.mark.parametrize("signed", [1, 0])
def test_chain_without_final_subtraction(room: Room, signed: int, rng: random.Random) -> None:
    """Results go back in as they are, and stay in the operands' range; a product with 1 ends the chain."""
    booth = {"signed_m": signed} if room in BOOTH else {}
    simulation = Simulation(room, build(room, width=128, word=8, pes=6, reduce=0, **booth))
    for length in (128, 128, 127, 65):
        modulus = odd_modulus(rng, length)
        simulation.load(modulus)
        at = cast(SystolicConfig, simulation.at)
        domain = room.core.domain(at)
        limit = at.bound(modulus)
        value = base = domain.enter(modulus, rng.randrange(modulus))
        exact = base
        for _ in range(40):
            value = simulation.run([value], [value if rng.random() < 0.7 else limit - 1]).results[0]
            exact = value % modulus
            assert 0 <= value < limit
        squared = simulation.run([value], [value]).results[0]
        assert squared % modulus == domain.product(modulus, exact, exact)
        assert simulation.run([squared], [1]).results[0] % modulus == domain.product(modulus, squared, 1)


def test_order_of_flip_flops() -> None:
    """Table II, w = 16: right > radix 4 > left > parallel radix 2 >= improved radix 2, as printed."""
    ours = {}
    for found in FAMILY:
        [line] = [row for row in printed(found.core.slug, "II") if row.printed.options["Word"] == 16]
        ours[found.core.slug] = line.ffs or 0
    order = ("booth4_right", "radix4", "booth4_left", "radix2_parallel", "radix2")
    assert sorted(ours, key=lambda slug: -ours[slug]) == [f"scalable_{name}" for name in order]


@pytest.mark.parametrize("slug", [found.core.slug for found in BOOTH])
def test_element_takes_no_more_than_printed(slug: str) -> None:
    """Table II: LUTs and flip-flops of an element, for every word length."""
    lines = printed(slug, "II")
    assert [line.printed.options["Word"] for line in lines] == [4, 8, 16]
    for line in lines:
        assert line.lut_ratio is not None and line.lut_ratio <= 1, line
        assert line.ff_ratio is not None and line.ff_ratio <= 1, line


@pytest.mark.long
@pytest.mark.parametrize("slug", [found.core.slug for found in BOOTH])
def test_kernel_takes_no_more_than_printed(slug: str) -> None:
    """Table III: kernel and controller for 16, 32 and 64 elements."""
    lines = printed(slug, "III")
    assert len(lines) == 6
    for line in lines:
        assert line.lut_ratio is not None and line.lut_ratio <= 1, line
        assert line.ff_ratio is not None and line.ff_ratio <= 1, line
