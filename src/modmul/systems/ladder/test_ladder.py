# SPDX-License-Identifier: Apache-2.0
"""ladder: what the contract tests of systems cannot know: addresses, exponents of every length, two cores."""

import random
from dataclasses import replace

import pytest

from modmul.registry import on
from modmul.systems.ladder.system import Ladder
from modmul.use.power import build
from modmul.verify import checks
from modmul.verify.simulation import Simulation

ADDRESSES = (
    *("b_read_addr", "b_write_addr", "b_write", "root_read_addr"),
    *("u_frame.feed_beat_o", "u_frame.a_write", "u_frame.a_beat"),
)
"""What decides which words of A, B and the constants are read and written."""


@pytest.fixture
def rng() -> random.Random:
    return random.Random(12)


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("core", ["montgomery_csa2", "scalable_radix4", "fips"])
def test_addresses(core: str, cores: int, rng: random.Random) -> None:
    """The same in every cycle for every exponent; what is squared is not."""
    made = build("ladder", core, 40, {"Cores": cores})
    found, config = made.room, made.config
    signals = {name: name for name in (*ADDRESSES, "state_q", "pick_q")}
    traced = replace(found, core=found.core.changed(trace=lambda _config: signals))
    simulation = Simulation(traced.of(config))
    simulation.load(0xFFFFFFFFA9)
    runs = [simulation.follow(rng.getrandbits(39), e) for e in (0, 2**40 - 1, 2**39, rng.getrandbits(40))]
    picks = {tuple(state.pop("pick_q") for state in run[1:]) for run in runs}
    assert len(picks) == len(runs)
    assert all(run[1:] == runs[0][1:] for run in runs)
    assert len({state["u_frame.a_beat"] for state in runs[0]}) > 1


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


@pytest.mark.parametrize("core", ["imml_booth4", "scalable_booth4_right", "fips"])
def test_steps(core: str) -> None:
    """L steps: with one core a product and a square in a row, with two as long as the product."""
    found = on("ladder", core)
    inner = found.inner.core
    bare = inner.builds.at(256)[0]
    operation = square = inner.interface.interval(bare)
    if any(control.name == "square_i" for control in inner.interface.controls):
        square = inner.interface.interval(bare.at(inner.function.some_modulus(bare), square=True))

    def takes(cores: int, length: int) -> int:
        return found.core.interface.latency(Ladder(256, inner=bare, core=inner, cores=cores, length=length))

    one, two = ((takes(cores, 250) - takes(cores, 200)) / 50 for cores in (1, 2))
    # It takes operands in the cycle of a result, which passes two registers first: A or B, and the core's.
    stored = 2 if bare.beats == 1 else 0
    if inner.interface.in_flight(bare) == 1:
        assert (one, two) == (operation + square + stored, operation + stored)
    else:
        assert one == two + square
        assert two == inner.interface.latency(bare) + bare.beats + 1


def test_what_is_refused() -> None:
    for cores in (0, 3):
        with pytest.raises(ValueError, match=f"cores must be 1 or 2, got {cores}"):
            build("ladder", "imml_booth4", 16, {"Cores": cores})
