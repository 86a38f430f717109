# SPDX-License-Identifier: Apache-2.0
"""modexp: exponents of every kind and length, full size on every core, and what the system costs in time."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from modmul.core import Polynomial
from modmul.moduli import NAMED
from modmul.registry import on, room, rooms
from modmul.systems.engine import bare
from modmul.systems.modexp.system import Modexp
from modmul.use.power import build, operate
from modmul.verify import checks
from modmul.verify.simulation import Simulation


@pytest.fixture
def rng() -> random.Random:
    return random.Random(11)


P512 = 2**512 - 569
"""A prime."""
QUICK = ("gf2m_pipelined",)
"""A product takes less time than its operands on their way to the core."""


def sized() -> Iterator[Any]:
    """Every core, in ``make test`` one of each wing: small operands are tried on all of them elsewhere."""
    wings = set()
    for slug, each in rooms().items():
        if each.wing == "binary":
            continue
        first = each.wing not in wings and each.core.builds.longest_in_test >= 512
        yield pytest.param(slug, marks=[] if first else pytest.mark.long)
        if first:
            wings.add(each.wing)


@pytest.mark.parametrize("core", [*sized()])
def test_full_size(core: str, rng: random.Random) -> None:
    """512 bits, an exponent as long as the modulus: x^(p-1) = 1, and a composite modulus, or the one."""
    made = build("modexp", core, 512)
    found, config = made.room, made.config
    assert isinstance(config, Modexp)
    simulation = Simulation(found.of(config))
    x = rng.randrange(2, P512)
    cases = [(P512, P512 - 1), (rng.getrandbits(512) | 1 | 1 << 511, rng.getrandbits(512))]
    only = room(core).core.function.only_modulus(config.inner)
    for modulus, power in [(only, rng.getrandbits(512))] if only else cases:
        simulation.load(modulus)
        batch = simulation.run([x % modulus], [power])
        assert found.core.function.accepts(simulation.at, modulus, pow(x, power, modulus), batch.results[0])
        assert batch.latencies.tolist() == [found.core.interface.latency(simulation.at)]
        if modulus == P512:
            assert batch.results[0] % modulus == 1


@pytest.mark.parametrize("core", ["imml_booth4", "montgomery_csa1", "fips"])
def test_exponents(core: str, rng: random.Random) -> None:
    """0, 1, all ones, one bit, for lengths below, at and above the operands'; x = 0, 1, M-1, M."""
    made = build("modexp", core, 40, {"ExponentBits": 70})
    found, config = made.room, made.config
    for length in (1, 2, 17, 39, 40, 41, 64, 65, 70):
        running = config.running(length=length)
        simulation = Simulation(found.of(running))
        for modulus in checks.interesting_moduli(found.of(config), rng, 3):
            simulation.load(modulus)
            at = simulation.at
            assert at.beats * at.word >= max(length, modulus.bit_length() - 1)
            bases = checks.corner_operands(found.of(running), modulus)
            powers = [0, 1, 2**length - 1, 1 << (length - 1), rng.getrandbits(length)]
            pairs = [(x, e) for x in (bases[0], bases[1], bases[-2], bases[-1]) for e in powers]
            checks.check_batch(simulation, modulus, [x for x, _ in pairs], [e for _, e in pairs])


@pytest.mark.parametrize("core", ["fips", "gf2m_fixed", "gf2m_pipelined", "gf2m_serial"])
def test_polynomials(core: str, rng: random.Random) -> None:
    """A field's element to the order of its group is 1."""
    b163 = Polynomial(2**163 + 0b11001001)
    made = build("modexp", core, 163, {"ExponentBits": 164})
    found, config = made.room, made.config
    x = rng.getrandbits(163) | 1
    assert operate(found.of(config), b163, x, 2**163 - 1).value == 1
    assert operate(found.of(config), b163, x, 2**163).value == x


LONG = [slug for slug, found in rooms().items() if found.core.builds.made_for >= 2048 and slug not in QUICK]


@pytest.mark.parametrize("core", LONG)
@pytest.mark.parametrize("width", [1024, 2048])
def test_overhead(core: str, width: int) -> None:
    """At most 5 % more than the bare multiplications one after the other, each loaded and unloaded."""
    made = build("modexp", core, width)
    found, config = made.room, made.config
    assert isinstance(config, Modexp)
    assert found.core.interface.latency(config) <= 1.05 * bare(config)


def test_what_is_refused() -> None:
    for settings, reason in (
        ({"Window": 7}, "window must be 1 to 6"),
        ({"Window": -1}, "window must be 1 to 6"),
        ({"ExponentBits": -3}, "exponent_bits must be at least 1"),
        ({"ComputeR2": 2}, "compute_r2 must be 0 or 1"),
        ({"Foo": 1}, "no parameter 'Foo'"),
    ):
        with pytest.raises(ValueError, match=reason):
            build("modexp", "imml_booth4", 16, settings)
    with pytest.raises(ValueError, match="no system named 'modexq'"):
        on("modexq", "fips")
    made = build("modexp", "imml_booth4", 16)
    found, config = made.room, made.config
    with pytest.raises(ValueError, match="exponents of 17 bits are longer"):
        config.running(length=17)
    with pytest.raises(ValueError, match="exponents of this build have up to 16 bits"):
        operate(found.of(config), 65521, 3, 1 << 16)
    with pytest.raises(ValueError, match="operands of modexp:imml_booth4 lie in"):
        operate(found.of(config), 65521, 70000, 3)


@pytest.mark.parametrize("system", ["modexp", "ladder"])
def test_the_modulus_picks_the_build_of_a_core_for_one(system: str) -> None:
    """In place of the core's usual one."""
    for name in ("p256", "secp256k1"):
        modulus = NAMED[name].value
        found = build(system, "sparse_prime", 256, {"ExponentBits": 3}, modulus)
        assert found.config.options()["Modulus"] == modulus
        found.check(modulus)
    with pytest.raises(ValueError, match="at most a third"):
        build(system, "sparse_prime", 256, None, (1 << 255) + 95)
