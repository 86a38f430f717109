# SPDX-License-Identifier: Apache-2.0
"""When a core takes operands beside operations that run: the engine's schedule says so to the cycle."""

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from engine_program import programmed

from modmul.registry import rooms
from modmul.room import SystemRoom
from modmul.verify import checks
from modmul.verify.simulation import Simulation

OVERLAP = """\
.number one r2
.operand x e
      mul a, x, x
      {}
      bits {}              ; behind the operands, however long those wait for the core
test: loop test            ; as many rounds as the length of e says
      mul b, one, x
      mul c, x, r2
      mul d, c, b
      out d
"""
"""Operations one right behind the other, and others that come any number of cycles later."""

BEFORE = [("", 1), ("", 2), ("mul k, one, x", 1)]
"""What else comes early, and bits taken then: rounds take three cycles."""


@pytest.fixture
def rng() -> random.Random:
    return random.Random(31)


def differences(found: SystemRoom, width: int, settings: Mapping[str, int], rng: random.Random) -> set[int]:
    """By how many cycles the hardware comes later than the schedule says, for all lengths of e."""
    build = found.build(width, settings)
    simulation = Simulation(build, seed=rng.getrandbits(31))
    modulus = checks.interesting_moduli(build, rng, 1)[0]
    late = set()
    for length in range(3, width + 1):
        simulation.config = build.config.running(length=length)
        simulation.load(modulus)
        taken = simulation.run([rng.randrange(1 << 16)], [0]).latencies[0]
        late.add(int(taken) - found.core.interface.latency(simulation.at))
    return late


@pytest.mark.parametrize(
    ("core", "settings", "before"),
    [
        ("rrm", {}, BEFORE[0]),
        ("rrm", {"Word": 64}, BEFORE[2]),  # a whole number, behind a gear
        pytest.param("rrm", {"Word": 8, "Banks": 2}, BEFORE[2], marks=pytest.mark.long),
        pytest.param("rrm_split", {}, BEFORE[2], marks=pytest.mark.long),
        pytest.param("rrm_split", {"DigitBits": 3}, BEFORE[2], marks=pytest.mark.long),  # tables of one part
        pytest.param("fips", {"Word": 64}, BEFORE[0], marks=pytest.mark.long),
    ],
)
def test_late_operations(
    core: str, settings: dict[str, int], before: tuple[str, int], rng: random.Random
) -> None:
    assert differences(programmed(core, OVERLAP.format(*before)), 64, settings, rng) == {0}


@pytest.mark.long
@pytest.mark.parametrize("core", [core for core in rooms() if core != "fips"])  # docs/engine.md says why
def test_late_operations_on_every_core(core: str, rng: random.Random) -> None:
    """Of all builds that numbers go through."""
    builds = rooms()[core].core.builds
    for config in dict.fromkeys((builds.at(64)[0], *builds.variants(64))):
        for before in BEFORE:
            found = programmed(core, OVERLAP.format(*before))
            if not found.inner.core.interface.carries_numbers(config):
                continue
            try:
                late = differences(found, 64, config.options(), rng)
            except ValueError as refused:
                assert "take another core" in str(refused)
                continue
            assert (late, str(config)) == ({0}, str(config))


@pytest.mark.parametrize("core", ["rrm"])
def test_a_core_that_says_nothing_of_it_is_found(core: str, rng: random.Random) -> None:
    found = programmed(core, OVERLAP.format(*BEFORE[2]))
    interface = replace(found.inner.core.interface, beside=None)
    silent = replace(found.inner, core=replace(found.inner.core, interface=interface))
    found = programmed(silent, OVERLAP.format(*BEFORE[2]))
    assert max(differences(found, 64, {}, rng)) > 0
