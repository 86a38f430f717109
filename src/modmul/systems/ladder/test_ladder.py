# SPDX-License-Identifier: Apache-2.0
"""ladder: what the contract tests of systems cannot know: exponents of every length, two cores."""

import random

import pytest

from modmul.use.power import build
from modmul.verify import checks
from modmul.verify.simulation import Simulation


@pytest.fixture
def rng() -> random.Random:
    return random.Random(12)


@pytest.mark.parametrize("core", ["imml_booth4", "montgomery_csa1", "fips"])
def test_exponents(core: str, rng: random.Random) -> None:
    """0, 1, all ones, one bit, for lengths below, at and above the operands'; x = 0, 1, M-1, M."""
    made = build("ladder", core, 40, {"ExponentBits": 70, "Cores": 2})
    found, config = made.room, made.config
    for length in (1, 2, 17, 40, 41, 70):
        running = config.running(length=length)
        simulation = Simulation(found.of(running))
        for modulus in checks.interesting_moduli(found.of(config), rng, 3):
            simulation.load(modulus)
            bases = checks.corner_operands(found.of(running), modulus)
            powers = [0, 1, 2**length - 1, 1 << (length - 1), rng.getrandbits(length)]
            pairs = [(x, e) for x in (bases[0], bases[1], bases[-2], bases[-1]) for e in powers]
            checks.check_batch(simulation, modulus, [x for x, _ in pairs], [e for _, e in pairs])


@pytest.mark.parametrize("core", ["scalable_radix2", "fips"])
def test_two_cores_obey_the_contract(core: str, rng: random.Random) -> None:
    """Idle cycles, reset anywhere, contexts in pieces and in the way of operands."""
    made = build("ladder", core, 35, {"Cores": 2})
    found, config = made.room, made.config
    simulation = Simulation(found.of(config), seed=rng.getrandbits(31))
    moduli = checks.interesting_moduli(found.of(config), rng, 4)
    for modulus in checks.one_of_each_field(moduli):
        assert checks.check_back_pressure(simulation, modulus, 4, rng) == 20
    assert checks.check_reset(simulation, moduli, rng) >= 10
    assert checks.check_context(simulation, moduli, rng) >= 3
    assert checks.check_operands(simulation, moduli, rng) >= 6


def test_what_is_refused() -> None:
    for cores in (0, 5):
        with pytest.raises(ValueError, match=f"cores must be 1 to 4, got {cores}"):
            build("ladder", "imml_booth4", 16, {"Cores": cores})
