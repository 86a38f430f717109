# SPDX-License-Identifier: Apache-2.0
"""The contract of docs/contract.md for every system, on cores of every kind.

A system on a core obeys the contract as a core does, so the checks are the same (modmul.verify.checks). All
cores are tried with every system; what takes long, on one core of each kind of control: bit-parallel,
word-serial, several operations in flight, both fields, operations that depend on earlier ones.
"""

import random

import pytest
from engine_program import differences, seen

from modmul.registry import on, rooms, systems
from modmul.systems.engine import EngineConfig
from modmul.verify import checks
from modmul.verify.key import verification_inputs
from modmul.verify.simulation import Simulation

KINDS = ("imml_booth8", "montgomery_csa2", "scalable_booth4_left", "fips")

each_system = pytest.mark.parametrize("system", list(systems()))
each_power = pytest.mark.parametrize("system", [system for system in systems() if system != "rsa_crt"])
"""Those that take any modulus of any width; rsa_crt, which takes keys, does the same in its own tests."""


@pytest.mark.parametrize(
    ("system", "core"),
    [
        # A farm gives its cores the words as they come: what long tests add are more of each kind.
        pytest.param(system, core, marks=pytest.mark.long if system == "farm" and core not in KINDS else ())
        for system in systems()
        if system not in ("modexp", "rsa_crt")
        for core in rooms()
    ],
)
def test_every_core(system: str, core: str, rng: random.Random) -> None:
    """Right, and in the time that the metadata say, on every core (modexp: in its own tests).

    On the engine each number that a row writes is that of its model.
    """
    found = on(system, core)
    for config in found.core.builds.at(13):
        engine = isinstance(config, EngineConfig)
        build = (seen(found) if engine else found).of(config)
        simulation = Simulation(build, seed=rng.getrandbits(31))
        for modulus in checks.interesting_moduli(build, rng, 4):
            assert sum(checks.check_random(simulation, modulus, 40, rng)) >= 4
            for x, y in build.core.function.drawn(simulation.at, modulus, rng, 2) if engine else ():
                assert differences(simulation, modulus, x, y) == []


@each_power
@pytest.mark.parametrize("core", KINDS)
def test_exhaustive(system: str, core: str) -> None:
    """Every legal M, x, e at two and three bits: right, and all in the same time. On two, in every build."""
    found = on(system, core)
    configs = [*found.core.builds.at(2), *found.core.builds.at(3)]
    if core in KINDS[:2]:
        configs += found.core.builds.variants(2)
    assert checks.check_exhaustive([*map(found.of, configs)]) >= 100


@each_power
@pytest.mark.parametrize("core", KINDS)
def test_handshakes(system: str, core: str, rng: random.Random) -> None:
    """Idle cycles and back-pressure, reset anywhere, contexts replaced, illegal ones refused."""
    found = on(system, core)
    for width in (4, 35):
        config = found.core.builds.at(width)[0]
        simulation = Simulation(found.of(config), seed=rng.getrandbits(31))
        moduli = checks.interesting_moduli(found.of(config), rng, 4)
        for modulus in checks.one_of_each_field(moduli):
            assert checks.check_back_pressure(simulation, modulus, 8, rng) == 40
        assert checks.check_reset(simulation, moduli, rng) >= 10
        assert checks.check_context(simulation, moduli, rng) >= 3
        assert checks.check_operands(simulation, moduli, rng) >= 6
        assert checks.check_paths(simulation, moduli, rng) >= 1


@each_power
@pytest.mark.parametrize("core", KINDS)
def test_power_up(system: str, core: str, rng: random.Random) -> None:
    """Nothing depends on what registers without a reset hold at first."""
    found = on(system, core)
    config = found.core.builds.at(4)[0]
    moduli = checks.interesting_moduli(found.of(config), rng, 4)
    assert checks.check_power_up(found.of(config), moduli, range(10)) >= 30


@each_system
@pytest.mark.parametrize("core", KINDS[:2])
def test_illegal_parameters(system: str, core: str) -> None:
    """What Python refuses of the parameters that are its own in SystemVerilog, too, stops elaboration."""
    assert checks.check_illegal_parameters(on(system, core)) >= 3


@each_system
def test_a_verification_rests_on_system_and_core(system: str) -> None:
    found = on(system, "fips")
    assert {*found.descriptions} == {found.path / "system.py", found.inner.path / "core.py"}
    assert {*found.descriptions} <= {*verification_inputs(found)}


@pytest.mark.parametrize(
    ("system", "core", "width"),
    [("ladder", "montgomery_csa2", 36), ("modexp", "scalable_radix2", 19)]
    + [(system, "fips", width) for system, width in (("modexp", 16), ("ladder", 21))],
)
def test_computed_constants(system: str, core: str, width: int, rng: random.Random) -> None:
    """R mod M and R^2 mod M by the hardware: the last beat waits for them, unless the core refuses M."""
    found = on(system, core)
    config = found.core.builds.at(width)[0].with_parameters({"ComputeR2": 1})
    simulation = Simulation(found.of(config), seed=rng.getrandbits(31))
    moduli = checks.interesting_moduli(found.of(config), rng, 6)
    for modulus in moduli:
        assert sum(checks.check_random(simulation, modulus, 4, rng)) >= 4
    assert checks.check_reset(simulation, moduli, rng) >= 10
    assert checks.check_context(simulation, moduli, rng) >= 3
    assert checks.check_paths(simulation, moduli, rng) >= 1
    legal = found.core.interface.context(config.at(moduli[0]), moduli[0])
    illegal = found.core.illegal_contexts(config)[-1]
    for context, waits in ((legal, True), (illegal, False), (legal, True)):
        simulation.reset()
        simulation.load_words(context[:-1])
        simulation.poke("ctx_data_i", context[-1])
        simulation.poke("ctx_valid_i", 1)
        simulation.edge(5)
        assert simulation.peek("ctx_ready_o") == (not waits)


@pytest.mark.parametrize("system", list(systems()))
def test_a_system_takes_numbers_at_the_ports(system: str) -> None:
    with pytest.raises(
        ValueError, match=r"a system needs numbers at the ports of fmlm3, unlike .*Spectral=1"
    ):
        on(system, "fmlm3").build(16, {"Spectral": 1})


def test_an_operation_that_is_interrupted(rng: random.Random) -> None:
    """It ends at once, and behind a reset the next one is right."""
    found = on("modexp", "montgomery_csa2")
    simulation = Simulation(found.of(found.core.builds.at(256)[0]))
    modulus = rng.getrandbits(256) | 1
    xs = [rng.randrange(modulus) for _ in range(1000)]
    told: list[int] = []

    def interrupt(cycles: int) -> None:
        told.append(cycles)
        raise KeyboardInterrupt

    simulation.load(modulus)
    with pytest.raises(KeyboardInterrupt):
        simulation.run_watched(xs, xs, interrupt)
    assert len(told) == 1 and 0 <= told[0] < 1000 * found.core.interface.interval(simulation.at)
    simulation.reset()
    simulation.load(modulus)
    batch = simulation.run_watched(xs[:2], xs[:2], told.append)
    assert batch.results == [pow(x, x, modulus) for x in xs[:2]]
