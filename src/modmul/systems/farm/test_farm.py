# SPDX-License-Identifier: Apache-2.0
"""farm: cores, columns and ports of every shape; each rule of its header can be broken, and that is found."""

import random
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from modmul.core import ceil_div
from modmul.moduli import NAMED
from modmul.registry import on, room
from modmul.room import Build, SystemRoom
from modmul.systems.farm.system import Farm
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.ports import Ports
from modmul.verify.simulation import Simulation


@pytest.fixture
def rng() -> random.Random:
    return random.Random(17)


def farm(core: str, width: int, **settings: int) -> Build:
    return on("farm", core).build(width, settings)


def config_of(build: Build) -> Farm:
    assert isinstance(build.config, Farm)
    return build.config


@pytest.mark.parametrize(
    ("core", "width", "settings"),
    [
        ("montgomery_csa2", 8, {"Word": 4, "Cores": 9, "Columns": 1, "PortWord": 4}),
        ("scalable_radix2", 32, {"Word": 8, "Pes": 2, "Cores": 6, "Columns": 2, "PortWord": 16}),
        ("pipelined", 32, {"Cores": 3, "Columns": 3}),
        ("modexp:montgomery_csa2", 8, {"Word": 4, "Cores": 3}),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in (
                ("montgomery_csa2", 8, {"Word": 4, "Cores": 40}),
                ("montgomery_csa2", 8, {"Word": 4, "Cores": 40, "Columns": 1, "PortWord": 4}),
                ("interleaved_radix2", 6, {"Cores": 24}),
                ("rrm_split", 48, {"Cores": 6}),
                ("montgomery_dsp", 64, {"Cores": 4}),
                ("ecc_x25519:sparse_prime_dsp", 255, {"Word": 128, "Blind": 0, "Cores": 2}),
            )
        ),
    ],
)
def test_shapes(core: str, width: int, settings: dict[str, int], rng: random.Random) -> None:
    """Products right and as far apart as described, with more operations than there is room for."""
    build = farm(core, width, **settings)
    config = config_of(build)
    simulation = Simulation(build)
    for modulus in checks.interesting_moduli(build, rng, 3):
        simulation.load(modulus)
        operands = build.core.function.drawn(simulation.at, modulus, rng, 3 * config.in_flight)
        xs, ys = zip(*operands, strict=True)
        checks.check_batch(simulation, modulus, xs, ys)
        checks.check_batch(simulation, modulus, xs, ys, idle=2, stall=3)


@pytest.mark.parametrize("cores", [1, 2, 3, 4, 6, 8, 12, 16, 28, 32, 36, 60, 256])
@pytest.mark.parametrize("core", ["rrm_split", "montgomery_csa2", "scalable_booth4_left", "imml_booth8"])
def test_nothing_holds_up_the_cores(core: str, cores: int) -> None:
    """By default a farm takes as many operations as its cores, if the whole port is not shorter than that."""
    build = farm(core, 256, Cores=cores)
    config = config_of(build)
    alone = room(core).build(256).interval
    assert config.stations * config.columns == cores
    assert build.interval >= ceil_div(alone, cores)
    if config.columns < cores:
        assert build.interval == max(ceil_div(alone, cores), config.beats)


def test_what_is_not_named_follows() -> None:
    """From the number of cores, also where that is changed."""
    few = config_of(farm("rrm_split", 256, Cores=4))
    many = config_of(farm("rrm_split", 256, Cores=28))
    assert few.with_parameters({"Cores": 28}) == many
    assert (many.columns, many.port_word) != (few.columns, few.port_word)
    named = config_of(farm("rrm_split", 256, Cores=28, Columns=28, PortWord=256))
    assert (named.columns, named.port_word, named.beats) == (28, 256, 1)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"Cores": 0}, "cores must be 1 to 512"),
        ({"Cores": 513}, "cores must be 1 to 512"),
        ({"Cores": 6, "Columns": 4}, "columns must divide the 6 cores"),
        ({"PortWord": 40}, "port_word must be a multiple of 16"),
        ({"Queue": 2}, "queue must be 0 or 1"),
    ],
)
def test_what_is_refused(settings: dict[str, int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        farm("rrm_split", 256, **settings)


@pytest.mark.parametrize(
    ("core", "reason"),
    [
        ("farm:rrm", "farm:rrm is such a system itself"),
        ("rsa_crt:rrm", "rsa_crt:rrm may refuse results"),
        ("ecc_p256:rrm", "ecc_p256:rrm may refuse results"),
    ],
)
def test_systems_that_are_refused(core: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        farm(core, 256)


def test_a_modulus_of_its_own() -> None:
    """A core for one modulus makes a farm for it."""
    modulus = NAMED["p256"].value
    build = on("farm", "sparse_prime").build(256, {"Cores": 2}, modulus)
    assert build.config.options()["Modulus"] == modulus
    build.check(modulus)


# --- mutants --------------------------------------------------------------------------------------

Check = Callable[[Simulation, list[int], random.Random], object]


def stream(simulation: Simulation, moduli: list[int], rng: random.Random) -> None:
    for modulus in moduli:
        for _ in checks.check_random(simulation, modulus, 60, rng):
            pass


def pressed(simulation: Simulation, moduli: list[int], rng: random.Random) -> None:
    checks.check_back_pressure(simulation, moduli[0], 60, rng)


def stalled(simulation: Simulation, moduli: list[int], rng: random.Random) -> None:
    """More operations than there is room for, while no result is taken."""
    ports = Ports(simulation, rng)
    ports.start(moduli[0])
    ports.fill(2 * simulation.build.core.interface.in_flight(simulation.config), moduli[0])
    ports.finish()


CONTEXT = checks.check_context

BASE, WAITS = "montgomery_csa2", "rrm_split"
"""A core, and one whose context waits and that may hold three operations."""

TOP, COLUMN, FEED, STATION, COLLECT, QUEUE = (
    "mm_sys_farm",
    "mm_sys_farm_column",
    "mm_sys_farm_feed",
    "mm_sys_farm_station",
    "mm_sys_farm_collect",
    "mm_sys_farm_queue",
)

MUTANTS: list[tuple[str, Check, str, str, str, str]] = [
    # 1
    ("no-pace", stream, BASE, TOP, "paced_q & ~full_q", "~full_q"),
    ("a-cycle-late", stream, BASE, TOP, "pace_q == PaceBits'(1)", "pace_q == PaceBits'(0)"),
    ("too-many-in-flight", stalled, BASE, TOP, "count_q == CountBits'(InFlight - 1)", "1'b0"),
    (
        "always-the-first-column",
        stream,
        BASE,
        TOP,
        "if (in_load && in_last) in_turn_q",
        "if (1'b0) in_turn_q",
    ),
    ("turn-with-each-beat", stream, BASE, TOP, "if (in_load && in_last) in_turn_q", "if (in_load) in_turn_q"),
    # 2
    (
        "before-all-have-come",
        pressed,
        BASE,
        FEED,
        "come       = load_i & load_last_i",
        "come       = load_i & (put_beat_q == '0)",
    ),
    (
        "beats-in-one-place",
        stream,
        BASE,
        FEED,
        "write_addr_i({put_q, put_beat_q})",
        "write_addr_i({put_q, beat_q})",
    ),
    # 3
    ("two-in-a-row", stream, BASE, STATION, "own_q ? Behind == 0 :", "own_q ? 1'b1 :"),
    (
        "a-turn-per-word",
        stream,
        BASE,
        STATION,
        "valid && operand && last && ready",
        "valid && operand && ready",
    ),
    # 5
    ("its-result-first", stream, BASE, STATION, "adds_q     <= Before == 0;", "adds_q     <= 1'b1;"),
    (
        "no-result-passes",
        stream,
        BASE,
        STATION,
        "out_ready_o   = ~adds_q & leave_ready",
        "out_ready_o   = 1'b0",
    ),
    ("results-mixed", stream, BASE, STATION, "leave_ready && leave_last", "leave_ready"),
    # 6
    ("results-of-one-column", stream, BASE, TOP, "if (out_last) out_turn_q", "if (1'b0) out_turn_q"),
    ("half-a-result", stream, BASE, COLLECT, "come    = put & last_i", "come    = put"),
    ("bits-above", stream, BASE, COLLECT, "z_i & ~{CoreWord{side_q[0]}}", "z_i"),
    ("still-there", stream, BASE, COLLECT, "whole_q != (RoomBits + 1)'(1)", "1'b1"),
    # 7
    ("context-to-the-first-alone", stream, BASE, STATION, "(context_word & ~passed_q)", "1'b0"),
    ("not-to-the-last", stream, BASE, STATION, "context_word & ~passed_q", "context_word & (Behind > 1)"),
    ("context-twice", stream, WAITS, STATION, "context_word & ~passed_q", "context_word"),
    ("core-left-out", stream, WAITS, STATION, "ready = ctx_take", "ready = passed_q"),
    # 8
    ("refusal-forgotten", CONTEXT, BASE, STATION, "x[0] | (check & ctx_error)", "x[0]"),
    ("refusals-of-columns-forgotten", CONTEXT, BASE, TOP, "|(answer & refused)", "1'b0"),
    ("refused-for-ever", CONTEXT, BASE, TOP, "legal_q <= legal_q | copy", "legal_q <= legal_q"),
    ("taken-too-early", CONTEXT, BASE, TOP, "~token_valid_q & (~ctx_last_q | answered_q)", "~token_valid_q"),
    ("asked-too-early", CONTEXT, BASE, STATION, "said_q   <= ~ctx_take", "said_q   <= 1'b1"),
    ("old-answers", CONTEXT, BASE, TOP, "answers_q  <= answered_q ? '0 :", "answers_q  <="),
    ("context-in-flight", checks.check_operands, BASE, TOP, "ctx_free = idle_q &", "ctx_free = 1'b1 &"),
    # the queue
    ("queue-overrun", stalled, BASE, QUEUE, "!= {1'b1, AddrBits'(0)}", "!= {1'b0, AddrBits'(0)}"),
    ("queue-of-two-overrun", pressed, BASE, QUEUE, "Depth == 2 ? ~here_q", "Depth == 2 ? 1'b1"),
    ("second-of-two-lost", pressed, BASE, QUEUE, "Depth == 2 ? ~free_q", "Depth == 2 ? 1'b0"),
    ("its-kind-stays", stream, BASE, QUEUE, "if (gone || !here_q) first_q", "if (!here_q) first_q"),
    ("kind-of-the-next", pressed, BASE, QUEUE, "more ? second_q : data_i", "more ? data_i : data_i"),
]


def mutated(found: SystemRoom) -> Build:
    """Two columns of two stations; an operand has three words, which are a beat and a half."""
    if found.inner.core.slug == WAITS:
        return found.build(24, {"Word": 8, "Cores": 4, "Columns": 2, "PortWord": 16, "Queue": 1})
    return found.build(11, {"Word": 4, "Cores": 4, "Columns": 2, "PortWord": 8, "Queue": 1})


QUICK = ("two-in-a-row", "its-result-first", "bits-above", "taken-too-early")
"""The others take long together."""


@pytest.mark.parametrize(
    ("check", "core", "file", "right", "wrong"),
    [
        pytest.param(*each[1:], id=each[0], marks=() if each[0] in QUICK else pytest.mark.long)
        for each in MUTANTS
    ],
)
def test_mutants(
    check: Check, core: str, file: str, right: str, wrong: str, tmp_path: Path, rng: random.Random
) -> None:
    found = on("farm", core)
    build = mutated(found)
    moduli = checks.interesting_moduli(build, rng, 4)
    wrong_one = mutant(found, tmp_path, file, right, wrong).of(build.config)
    with pytest.raises((VerificationError, ProtocolError)):
        check(Simulation(wrong_one), moduli, rng)


@pytest.mark.parametrize(("check", "core"), dict.fromkeys((each[1], each[2]) for each in MUTANTS))
def test_what_is_right_passes(check: Check, core: str, rng: random.Random) -> None:
    """On the builds that the mutants are made of."""
    build = mutated(on("farm", core))
    check(Simulation(build), checks.interesting_moduli(build, rng, 4), rng)


class Unlimited(Farm):
    """A farm that counts further than there is room."""

    @property
    def in_flight(self) -> int:
        return 60


@pytest.mark.long
def test_a_column_has_no_room(tmp_path: Path, rng: random.Random) -> None:
    """Then it is that, and not their number, which holds up operations."""
    found = on("farm", BASE)
    config = config_of(mutated(found))
    build = found.of(Unlimited(**{each.name: getattr(config, each.name) for each in fields(config)}))
    moduli = checks.interesting_moduli(build, rng, 4)
    stalled(Simulation(build), moduli, rng)
    wrong = mutant(found, tmp_path, TOP, "(|(column_free & in_turn_q))", "1'b1").of(build.config)
    with pytest.raises((VerificationError, ProtocolError)):
        stalled(Simulation(wrong), moduli, rng)
