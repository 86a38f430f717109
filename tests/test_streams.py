# SPDX-License-Identifier: Apache-2.0
"""When cores that hold several operations take operands and show results: as their streams say."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from modmul.core import Config, Overlapping, Regular, Stream
from modmul.registry import room, rooms
from modmul.room import Room
from modmul.verify import checks
from modmul.verify.simulation import Simulation
from modmul.verify.streams import as_described, some_plan

WIDTH = 33
"""One of the contract's tests, of which simulations are shared."""

CORES = [slug for slug, found in rooms().items() if found.core.interface.stream]
"""Those whose latency and interval do not say it all."""


@pytest.fixture
def rng() -> random.Random:
    return random.Random(17)


def described(found: Room, config: Config, plans: int, rng: random.Random) -> bool:
    """Whether operations of several plans go as a build's stream says."""
    simulation = Simulation(found.of(config), seed=rng.getrandbits(31))
    for modulus in checks.interesting_moduli(simulation.build, rng, 1)[:2]:
        simulation.load(modulus)
        simulation.edge(3)
        at = simulation.at
        whole = 2 * found.core.interface.latency(at)
        stream = found.core.interface.operations(at)
        shortest = 3 if isinstance(stream, Overlapping) and stream.queue is not None else 1
        for _ in range(plans):
            count = 2 * found.core.interface.in_flight(at) + 3
            plan = some_plan(at.beats, whole, rng, count=count, gaps=False, shortest=shortest)
            if not as_described(simulation, plan):
                return False
            simulation.edge(2)
    return True


@pytest.mark.parametrize("core", CORES)
def test_operations_go_as_described(core: str, rng: random.Random) -> None:
    """Whenever operands are offered, and results are taken, of all kinds of builds."""
    builds = room(core).core.builds
    for config in dict.fromkeys((*builds.all(WIDTH), *builds.variants(WIDTH))):
        if not isinstance(room(core).core.interface.operations(config), Regular):
            assert described(room(core), config, 20, rng), config


def other(core: str, change: Callable[[Any], Stream[Any]]) -> Room:
    """A core with another stream."""
    found = room(core)
    given = found.core.interface.stream
    assert given

    def stream(config: Any, known: Any) -> Stream[Any]:
        return change(given(config, known))

    return replace(found, core=replace(found.core, interface=replace(found.core.interface, stream=stream)))


FACTS: list[tuple[str, str, Callable[[Any], Any]]] = [
    ("montgomery_dsp", "ready", lambda cycles: cycles + 1),
    ("montgomery_dsp", "turn", lambda cycles: cycles + 1),
    ("montgomery_dsp", "room", lambda results: results + 1),
    ("montgomery_dsp", "clears", lambda cycles: cycles - 1),
    ("sparse_prime_dsp", "queue", lambda _: None),
    ("sparse_prime_dsp", "queue", lambda cycles: cycles - 1),
    ("montgomery_cascade", "ahead", lambda ahead: not ahead),
    ("gf2m_serial", "loop", lambda loop: lambda square: loop(square) + 1),
]
"""A core, and something else that its stream could say."""


@pytest.mark.parametrize(("core", "name", "change"), FACTS)
def test_other_facts_are_found(
    core: str, name: str, change: Callable[[Any], Any], rng: random.Random
) -> None:
    found = other(core, lambda stream: replace(stream, **{name: change(getattr(stream, name))}))
    assert not described(found, found.core.builds.at(WIDTH)[0], 30, rng)


def test_a_pipeline_that_never_stands_still_is_found(rng: random.Random) -> None:
    found = other("small_any", lambda stream: Overlapping.of(stream, 0, lambda _square: 0, room=64))
    assert not described(found, found.core.builds.at(WIDTH)[0], 5, rng)
