# SPDX-License-Identifier: Apache-2.0
"""farm: many cores, columns and ports of every shape; what stands in its header can be broken, and is found."""

import random
from collections.abc import Callable
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
        ("montgomery_csa2", 8, {"Word": 4, "Cores": 40}),
        ("montgomery_csa2", 8, {"Word": 4, "Cores": 40, "Columns": 1, "PortWord": 4}),
        ("interleaved_radix2", 6, {"Cores": 24}),
        ("scalable_radix2", 32, {"Word": 8, "Pes": 2, "Cores": 6, "Columns": 2, "PortWord": 16}),
        ("rrm_split", 48, {"Cores": 6}),
        ("montgomery_dsp", 64, {"Cores": 4}),
        ("pipelined", 32, {"Cores": 3, "Columns": 3}),
    ],
)
def test_shapes(core: str, width: int, settings: dict[str, int], rng: random.Random) -> None:
    """Products right and as far apart as described, with more operations than there is room for."""
    build = farm(core, width, **settings)
    config = config_of(build)
    simulation = Simulation(build)
    for modulus in checks.interesting_moduli(build, rng, 3):
        simulation.load(modulus)
        limit = 1 + build.core.function.operand_max(simulation.at, modulus)
        xs, ys = ([rng.randrange(limit) for _ in range(3 * config.in_flight)] for _ in range(2))
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


CONTEXT, OPERANDS, RESET = checks.check_context, checks.check_operands, checks.check_reset

TOP, COLUMN, FEED, STATION, COLLECT, QUEUE = (
    "mm_sys_farm",
    "mm_sys_farm_column",
    "mm_sys_farm_feed",
    "mm_sys_farm_station",
    "mm_sys_farm_collect",
    "mm_sys_farm_queue",
)

MUTANTS: list[tuple[str, Check, str, str, str]] = [
    # 1
    ("no-pace", stream, TOP, "paced_q & ~full_q", "~full_q"),
    ("a-cycle-late", stream, TOP, "pace_q == PaceBits'(1)", "pace_q == PaceBits'(0)"),
    ("column-not-free", OPERANDS, TOP, "(|(column_free & in_turn_q))", "1'b1"),
    ("too-many-in-flight", OPERANDS, TOP, "count_next == CountBits'(InFlight)", "1'b0"),
    ("always-the-first-column", stream, TOP, "if (in_load && in_last) in_turn_q", "if (1'b0) in_turn_q"),
    ("turn-with-each-beat", stream, TOP, "if (in_load && in_last) in_turn_q", "if (in_load) in_turn_q"),
    # 2
    ("before-all-have-come", pressed, FEED, "valid_o = whole_q", "valid_o = busy_q"),
    ("beats-in-one-place", stream, FEED, "load_beat_i == PortBits'(i)", "PortBits'(0) == PortBits'(i)"),
    # 3
    ("two-in-a-row", stream, STATION, "BehindBits'(Behind) : pass_q", "BehindBits'(0) : pass_q"),
    ("a-turn-per-word", stream, STATION, "valid && operand && last && ready", "valid && operand && ready"),
    # 5
    ("result-before-its-turn", stream, STATION, "wait_q     <= BeforeBits'(Before);", "wait_q     <= '0;"),
    ("no-result-passes", stream, STATION, "out_ready_o   = ~adds & leave_ready", "out_ready_o   = 1'b0"),
    ("results-mixed", stream, STATION, "leave_ready && leave_last", "leave_ready"),
    # 6
    ("columns-in-no-order", stream, TOP, "out_there & out_turn_q)", "out_there)"),
    ("half-a-result", stream, COLLECT, "put & last_i)", "put)"),
    ("bits-above", stream, COLLECT, "z_q[CoreWord*i +: CoreWord] <= '0", "z_q[CoreWord*i] <= 1'b1"),
    # 7
    ("context-to-the-first-alone", stream, STATION, "(context_word & ~passed_q)", "1'b0"),
    ("not-to-the-last", stream, STATION, "(context_word & ~passed_q)", "(context_word & ~passed_q & (Behind != 1))"),
    ("context-twice", stream, STATION, "context_word & ~kept_q;", "context_word;"),
    ("next-core-first", stream, STATION, "(kept_q | ctx_ready) & (passed_q", "(passed_q"),
    # 8
    ("refusal-forgotten", CONTEXT, STATION, "x[0] | (check & ctx_error)", "x[0]"),
    ("refusal-of-a-column-forgotten", CONTEXT, TOP, "|(answer & refused)", "1'b0"),
    ("refused-for-ever", CONTEXT, TOP, "legal_q <= legal_q | copy", "legal_q <= legal_q"),
    ("taken-too-early", CONTEXT, TOP, "~token_valid_q & (~ctx_last | answered_q)", "~token_valid_q"),
    ("asked-too-early", CONTEXT, STATION, "said_q   <= ~ctx_take", "said_q   <= 1'b1"),
    ("old-answer", CONTEXT, TOP, "answers_q  <= answered_q ? '0 :", "answers_q  <="),
    ("context-in-flight", OPERANDS, TOP, "ctx_free = idle_q &", "ctx_free = 1'b1 &"),
    # the queue
    ("queue-overrun", OPERANDS, QUEUE, "!= {1'b1, AddrBits'(0)}", "!= {1'b0, AddrBits'(0)}"),
]


def mutated(found: SystemRoom) -> Build:
    """Two columns of two stations; an operand has three words, which are a beat and a half."""
    return found.build(11, {"Word": 4, "Cores": 4, "Columns": 2, "PortWord": 8, "Queue": 1})


@pytest.mark.parametrize(
    ("check", "file", "right", "wrong"), [each[1:] for each in MUTANTS], ids=[each[0] for each in MUTANTS]
)
def test_mutants(check: Check, file: str, right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    found = on("farm", "montgomery_csa2")
    build = mutated(found)
    moduli = checks.interesting_moduli(build, rng, 4)
    wrong_one = mutant(found, tmp_path, file, right, wrong).of(build.config)
    with pytest.raises((VerificationError, ProtocolError)):
        check(Simulation(wrong_one), moduli, rng)


@pytest.mark.parametrize("check", dict.fromkeys(each[1] for each in MUTANTS))
def test_what_is_right_passes(check: Check, rng: random.Random) -> None:
    """On the build that the mutants are made of."""
    build = mutated(on("farm", "montgomery_csa2"))
    check(Simulation(build), checks.interesting_moduli(build, rng, 4), rng)
