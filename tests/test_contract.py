# SPDX-License-Identifier: Apache-2.0
"""The contract of docs/contract.md, for every core of the registry, in simulation.

A new room is covered the moment it exists. Ground truth is Python's integers; the checks themselves
are those of ``modmul verify`` (modmul.verify.checks).
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from modmul.core import Config, Polynomial
from modmul.registry import Build, Room, rooms
from modmul.verify import checks
from modmul.verify.failures import VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.ports import Ports
from modmul.verify.simulation import Simulation, build_all

EXHAUSTIVE = (2, 3, 4, 5, 6)
SMALL = (9, 13, 16)
REST = (*EXHAUSTIVE, 7, 8, 10, 11, 12, 14, 15, 16, 31, 32, 37, 47, 64)
MIDDLE = (33, 64, 128)
LARGE = (255, 256)
HUGE = (1024,)
"""Of these ``make test`` tries the default alone."""
MORE = (127, 160, 192, 224, 255, 257, 384, 512, 521, 1024)
WIDTHS = {"9-16": SMALL, "33-128": MIDDLE, "255-256": LARGE, "1024": HUGE, "2-64": REST, "127-1024": MORE}
SOME_VARIED = (2, 3, 4, 5, 13, 33)
VARIED = (*SOME_VARIED, 6, 16, 47, 64, 255)
"""The widths that are tried with the test variants, too; in ``make test`` some of them."""
ALL = list(rooms().values())


def ids(room: Room) -> str:
    return room.core.slug


def all_configs(room: Room, widths: Sequence[int], varied: Sequence[int] = SOME_VARIED) -> list[Config]:
    """Default and alternatives at each width, and at some widths the test variants too."""
    found = [c for w in widths for c in room.core.builds.all(w)]
    found += [c for w in widths if w in varied for c in room.core.builds.variants(w)]
    return list(dict.fromkeys(found))


def lengths() -> Iterator[Any]:
    """Every core with each group of widths; what takes long to compile is left to ``make long``."""
    for name, widths in WIDTHS.items():
        for room in ALL:
            short = [width for width in widths if width <= room.core.builds.longest_in_test]
            longer = [width for width in widths if width > room.core.builds.longest_in_test]
            varied, most = VARIED if widths in (REST, MORE) else SOME_VARIED, 1 if widths is HUGE else None
            if short:
                marks = [pytest.mark.long] if widths in (REST, MORE) else []
                yield pytest.param(room, short, varied, most, id=f"{name}-{room.core.slug}", marks=marks)
            if longer:
                slug, marks = f"longer-{room.core.slug}", [pytest.mark.long]
                yield pytest.param(room, longer, varied, None, id=f"{name}-{slug}", marks=marks)


each_core = pytest.mark.parametrize("room", ALL, ids=ids)


each_extent = pytest.mark.parametrize(
    "varied", [pytest.param(SOME_VARIED, id="some"), pytest.param(VARIED, id="all", marks=pytest.mark.long)]
)


@each_core
def test_exhaustive(room: Room) -> None:
    """Every legal M, x, y at the smallest widths, in every configuration."""
    total = checks.check_exhaustive([*map(room.of, all_configs(room, EXHAUSTIVE, VARIED))])
    assert total > 10_000


@pytest.mark.parametrize(("room", "widths", "varied", "most_builds"), [*lengths()])
def test_every_width(
    room: Room, widths: Sequence[int], varied: Sequence[int], most_builds: int | None, rng: random.Random
) -> None:
    """Corners and random operands on sparse, dense, short, even and odd moduli, with the exact timing.

    A core that also computes in GF(2^m) gets polynomials, in turn with the integers.
    """
    configs = all_configs(room, widths, varied)[:most_builds]
    build_all(map(room.of, configs))
    for config in configs:
        simulation = Simulation(room.of(config), seed=rng.getrandbits(31))
        few = config.width > 256 or len(configs) > 20
        most = 4 if config.width > 256 else 6 if few else 8
        moduli = checks.interesting_moduli(room.of(config), rng, most)
        for modulus in moduli:
            assert sum(checks.check_random(simulation, modulus, 200 if few else 400, rng)) >= 4


@each_core
@each_extent
@pytest.mark.parametrize("width", [2, 5, 16, 33, 64, 256])
def test_model_step_by_step(room: Room, width: int, varied: Sequence[int], rng: random.Random) -> None:
    """The registers of the hardware are those of the model after every clock cycle."""
    configs = all_configs(room, [width], varied)[:3]
    build_all(map(room.of, configs))
    for config in configs:
        moduli = checks.interesting_moduli(room.of(config), rng, 6)
        assert checks.check_model(room.of(config), moduli, rng) >= 6


@each_core
@pytest.mark.parametrize("width", [4, 33, pytest.param(47, marks=pytest.mark.long), 255])
def test_handshakes(room: Room, width: int, rng: random.Random) -> None:
    """Idle cycles and back-pressure, reset anywhere, contexts replaced, illegal ones refused."""
    configs = all_configs(room, [width])[: 2 if width < 255 else 1]
    build_all(map(room.of, configs))
    for config in configs:
        simulation = Simulation(room.of(config), seed=rng.getrandbits(31))
        moduli = checks.interesting_moduli(room.of(config), rng, 8)
        for modulus in checks.one_of_each_field(moduli):
            assert checks.check_back_pressure(simulation, modulus, 60, rng) == 300
        assert checks.check_reset(simulation, moduli, rng) >= 10
        assert checks.check_context(simulation, moduli, rng) >= 3
        assert checks.check_operands(simulation, moduli, rng) >= 6
        assert checks.check_paths(simulation, moduli, rng) >= 1
        if width < 64:
            assert checks.check_walk(simulation, moduli, rng) >= 1


@each_core
@each_extent
@pytest.mark.parametrize("width", [4, 16])
def test_power_up(room: Room, width: int, varied: Sequence[int], rng: random.Random) -> None:
    """Nothing depends on what registers without a reset hold at first."""
    configs = all_configs(room, [width], varied)
    build_all(map(room.of, configs))
    for config in configs:
        moduli = checks.interesting_moduli(room.of(config), rng, 4)
        assert checks.check_power_up(room.of(config), moduli, range(40)) >= 100


def leave_alone(build: Build, rng: random.Random) -> None:
    """For as long as two operations take, behind a reset, with registers that begin with any values.

    Raises:
        ProtocolError, VerificationError: something comes of it.
    """
    for seed in range(4):
        ports = Ports(Simulation(build, seed=seed), rng)
        ports.reset()
        ports.idle(2 * build.core.interface.latency(build.config) + 8)


@each_core
@pytest.mark.parametrize("width", [4, 16])
def test_nothing_comes_of_a_core_that_is_left_alone(room: Room, width: int, rng: random.Random) -> None:
    builds = [room.of(config) for config in all_configs(room, [width])[:2]]
    build_all(builds)
    for build in builds:
        leave_alone(build, rng)


def test_what_a_reset_begins_is_found(tmp_path: Path, rng: random.Random) -> None:
    """A pass of rrm_plain that no operation has begun; checks that go on at once do not see it."""
    change = ("mm_rrm_plain_control", "start_late_q <= '0;", "start_late_q <= '1;")
    found = mutant(rooms()["rrm_plain"], tmp_path, *change)
    with pytest.raises(VerificationError, match="a result without operands"):
        leave_alone(found.build(16), rng)


@each_core
def test_illegal_parameters(room: Room) -> None:
    """Refused by Python with the reason, and by elaboration with the name of a missing module."""
    assert checks.check_illegal_parameters(room) >= 3


@each_core
def test_illegal_values(room: Room, rng: random.Random) -> None:
    """Moduli and operands out of range raise ValueError with the reason."""
    config = room.core.builds.at(16)[0]
    for modulus in (0, -1, 1 << 16, (1 << 16) + 1, Polynomial(0), Polynomial((1 << 17) + 1)):
        with pytest.raises(ValueError, match="modulus"):
            room.core.function.check(config, modulus)
    for modulus in checks.interesting_moduli(room.of(config), rng, 4):
        at = config.at(modulus)
        largest = room.core.function.operand_max(at, modulus)
        room.core.check_operands(at, modulus, 0, largest)
        for operand in (-1, largest + 1):
            with pytest.raises(ValueError, match=rf"operands of {room.core.slug} lie in 0 … .*, got "):
                room.core.check_operands(at, modulus, 1, operand)
    with pytest.raises(ValueError, match="there is no control 'sqare'"):
        config.at(modulus, sqare=True)


@each_core
def test_metadata(room: Room) -> None:
    """What the paper prints and what people read is there; cycles, latency and interval fit together."""
    core = room.core
    for width in (2, 160, 255, 256, 1024):
        for config in all_configs(room, [width]):
            assert config.width == width
            assert config.beats * config.word >= width
            assert (
                0
                < core.algorithm.cycles(config)
                <= max(core.interface.latency(config), core.interface.interval(config))
            )
            assert core.interface.interval(config) >= config.beats
            assert config.parameters()["Width"] == width
            assert core.illegal_contexts(config), "there is always a context to refuse"
            modulus = core.function.some_modulus(config)
            at = config.at(modulus)
            assert at.parameters() == config.parameters() and str(at) == str(config)
            assert at.beats <= config.beats
            assert all(0 <= beat < 1 << at.word for beat in core.interface.context(at, modulus))
            for control in core.interface.controls:
                assert getattr(config.at(modulus, **{control.field: True}), control.field) is True
    assert core.title and core.origin.section and core.algorithm.steps
    assert not core.origin.paper or bool(core.origin.published) != core.origin.prints_nothing
