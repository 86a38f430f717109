# SPDX-License-Identifier: Apache-2.0
"""Several operations as one: registers of several numbers, with which each row does the same."""

import random
import sys
from dataclasses import replace
from pathlib import Path
from subprocess import run as run_command

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from engine_program import differences, seen, sweep
from hypothesis import given
from hypothesis import strategies as st
from several_numbers import (
    CHOICES,
    POWERS,
    PRIME,
    config_of,
    drawn_for,
    points_right,
    powers,
    several_chosen,
)

from modmul.core import Polynomial
from modmul.moduli.curves import CURVES
from modmul.moduli.multiples import clamped
from modmul.registry import ProgramRoom, on, program, room
from modmul.room import Build
from modmul.study.rows import Row
from modmul.systems import batches
from modmul.systems.engine import multiplications
from modmul.systems.running import ProgramConfig
from modmul.use.program import prepare, run
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

SHORT = 8388617  # 2^23 + 9: sums of numbers below it are often above it, and have its bits


@pytest.fixture
def rng() -> random.Random:
    return random.Random(29)


def built(core: str, width: int = 24, **settings: int) -> tuple[ProgramRoom, Build]:
    """The program on a core. Its checks draw numbers for each operation."""
    _, found = program(POWERS, core)

    def draw(config: ProgramConfig, modulus: int, rng: random.Random) -> tuple[int, int]:
        most = (1 << 24) - 1 if isinstance(modulus, Polynomial) else modulus - 1
        edges = (0, 1, most)
        pairs = [
            (rng.choice((*edges, *(rng.randint(0, most) for _ in edges))), rng.getrandbits(config.exponent))
            for _ in range(config.batch)
        ]
        return batches.packed(pairs, config.number * config.word)

    found = replace(found, core=found.core.changed(draw=draw))
    return found, found.build(width, settings)


CASES = [
    ("rrm", 24, {"Word": 8, "Batch": 3}),
    ("rrm_split", 32, {"Word": 8, "Batch": 5, "Cores": 3}),
    ("pipelined", 24, {"EngineWord": 12, "Batch": 8}),
    ("imml_booth4", 24, {"EngineWord": 24, "Batch": 4}),
    ("pipelined", 24, {"EngineWord": 24, "Batch": 64}),  # more bits at once than a place has
    ("fips", 48, {"Word": 16, "Batch": 4, "Cores": 2}),
]


@pytest.mark.parametrize(("core", "width", "settings"), CASES)
def test_all_numbers_are_right(core: str, width: int, settings: dict[str, int], rng: random.Random) -> None:
    """In the cycles that are said, with pauses at both ends, and behind a reset in the middle."""
    _, build = built(core, width, **settings)
    modulus = (1 << width) - {24: 3, 32: 5, 48: 59}[width]
    simulation = Simulation(build)
    simulation.load(modulus)
    config = config_of(build.at(modulus))
    rounds = config.exponent - 1
    operands = build.core.function.drawn(config, modulus, rng, 8)
    batch = simulation.run([x for x, _ in operands], [y for _, y in operands])
    size = config.number * config.word
    for (x, y), z in zip(operands, batch.results, strict=True):
        each = batches.parted(config.batch, size, x, y)
        assert batches.parts(z, config.batch, size) == [powers(modulus, u, e, rounds) for u, e in each]
    assert {*batch.latencies.tolist()} == {build.core.interface.latency(config)}
    if core == "rrm":
        checks.check_back_pressure(simulation, modulus, 2, rng)
        checks.check_reset(simulation, [modulus], rng, resets=20)
        checks.check_context(simulation, [modulus], rng)


def test_each_of_several_counts() -> None:
    """Operations a second are those of all numbers; of a farm, likewise."""
    engine, farm = on("ecc_x25519", "rrm"), room("farm:ecc_x25519:rrm")
    settings = {"Batch": 4, "Blind": 0}
    for build in (engine.build(255, settings), farm.build(255, {**settings, "Cores": 2})):
        row = Row.of(build, None, "M-1", True, fmax_mhz=100.0, luts=1000)
        assert row.operations == 4
        assert row.operations_per_s == pytest.approx(4 * 100e6 / build.interval)
        assert row.throughput_mops == pytest.approx(4 * 100 / build.interval)
        assert row.operations_per_kluteq == row.operations_per_s
        assert (build.results(), build.reduced()) == ("M-1", True), "each of them"
        assert {**build.design.inner}.items() >= settings.items()
    lazy = engine.build(255, {**settings, "Lazy": 1})
    assert (lazy.results(), lazy.reduced()) == ("8M-1", False)
    assert not engine.build(255).design.inner


def test_several_are_quicker_than_one() -> None:
    """The core is busy: a batch on one of long latency takes little more than its intervals."""
    alone = built("pipelined", EngineWord=24)[1]
    several = built("pipelined", EngineWord=24, Batch=16)[1]
    assert several.latency < 5 * alone.latency
    assert several.latency > 16 * sum(multiplications(config_of(several)))


def test_fields_of_polynomials(rng: random.Random) -> None:
    """Sums and products of GF(2^m), too."""
    _, build = built("fips", 24, Word=8, Batch=3)
    modulus = Polynomial(0x100001B)
    simulation = Simulation(build)
    simulation.load(modulus)
    config = config_of(build.at(modulus))
    operands = build.core.function.drawn(config, modulus, rng, 6)
    batch = simulation.run([x for x, _ in operands], [y for _, y in operands])
    assert batch.results == [build.core.function.answer(config, modulus, x, y) for x, y in operands]


def test_every_register_is_that_of_the_model(rng: random.Random) -> None:
    found, build = built("rrm", Word=8, Batch=4)
    simulation = Simulation(seen(found).of(build.config))
    for x, y in build.core.function.drawn(config_of(build.at(PRIME)), PRIME, rng, 2):
        assert differences(simulation, PRIME, x, y) == []


CONTROL = (
    "u_sequencer.state_q",
    "u_sequencer.row_q",
    *(
        f"gen_numbers.u_numbers.{name}"
        for name in (
            *("u_reader.a_addr", "u_reader.b_addr", "u_reader.advance", "write_q", "write_addr_q"),
            *("core_valid", "core_ready", "z_valid", "u_feed.next_q", "u_feed.pending_q"),
            *("gen_sums.u_sums.waiting_q", "gen_sums.u_sums.rows_q", "gen_sums.u_sums.write_beat_q"),
        )
    ),
)


def test_data_decide_on_nothing_but_data(rng: random.Random) -> None:
    """Addresses, enables and rows are the same in every cycle for all numbers and exponents."""
    found, build = built("montgomery_csa2", Word=8, Batch=3)
    traced = replace(found, core=found.core.changed(trace=lambda _config: {each: each for each in CONTROL}))
    config = config_of(build.at(PRIME))
    simulation = Simulation(traced.of(config))
    simulation.load(PRIME)
    operands = [(0, 0), *build.core.function.drawn(config, PRIME, rng, 4)]
    simulation.multiply(*operands[0])
    runs = [simulation.follow(*each)[1:] for each in operands]
    assert all(each == runs[0] for each in runs)
    assert len({state[CONTROL[2]] for state in runs[0]}) > 20


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("mm_engine_sums", "last_q ? subtract_q : carry;", "carry;"),
        ("mm_engine_sums", "last_q2 ? ~subtract_q : u_carry;", "u_carry;"),
        ("mm_engine_sums", "over_queue_q[begin_q] |", "over_queue_q[0] |"),
        ("mm_engine_sums", "add_queue_q[begin_q] & carry_queue_q[begin_q]", "carry_queue_q[begin_q]"),
        ("mm_engine_sums", "& carry_queue_q[begin_q]", "& carry_queue_q[0]"),
        ("mm_engine_sums", "if (row_begins) slot_q2", "if (begins) slot_q2"),
        ("mm_engine_numbers", "write_addr_q <= result ? result_addr : sum_addr", "write_addr_q <= sum_addr"),
        ("mm_engine_numbers", "if (beat_q == Last) chosen_q", "if (1'b1) chosen_q"),
        ("mm_engine_numbers", "^ digit_q[2*Batch-1:Batch])", "^ digit_q[2*Batch-2:Batch-1])"),
        ("mm_engine_numbers", ".last_beat_i(Last)", ".last_beat_i('0)"),
        ("mm_engine_feed", "z_beat_q == BeatBits'(Beats - Each)", "z_beat_q == '0"),
        ("mm_engine_feed", "~out_q & (next_q % InBits'(Each) == '0)", "1'b0"),
        ("mm_engine_port", "& (last_beat_o == BeatBits'(Beats - 1))", "& 1'b1"),
    ],
)
def test_mutants(file: str, right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    found, build = built("rrm", 24, Word=8, Batch=3, Cores=2 if "last_beat_i" in right else 1)
    wrong_one = mutant(found, tmp_path, file, right, wrong)
    simulation = Simulation(wrong_one.of(build.config))
    with pytest.raises((VerificationError, ProtocolError)):
        for prime in (PRIME, SHORT):
            sum(checks.check_random(simulation, prime, 4, rng))
        checks.check_context(simulation, [PRIME], rng)


SWEEP = sweep(range(1, 9)).replace("out d", "mul z, d, 1\nout z")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("~rows_q[1] | ", "1'b1 | "),
        ("assign busy_o = (rows_q != '0) | ", "assign busy_o = "),
        ("go && run_q) write_beat_q", "run_q) write_beat_q"),
    ],
)
def test_sums_beside_products(right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    """Some are written while words of results come, others wait for places; and mutants are found."""
    found = program(SWEEP, "pipelined")[1]
    build = found.build(24, {"EngineWord": 8, "Batch": 4})
    chosen = mutant(found, tmp_path, "mm_engine_sums", right, wrong) if right else found
    simulation = Simulation(chosen.of(build.config))
    simulation.load(PRIME)
    config = config_of(build.at(PRIME))
    pairs = [tuple(batches.joined((rng.randrange(PRIME) for _ in "abcd"), 24) for _ in "xy") for _ in "abc"]
    answers = [build.core.function.answer(config, PRIME, x, y) for x, y in pairs]
    try:
        batch = simulation.run([x for x, _ in pairs], [y for _, y in pairs])
        same = batch.results == answers and {*batch.latencies.tolist()} == {build.latency}
    except ProtocolError:  # no result comes
        same = False
    assert same == (not right)


@pytest.mark.parametrize(
    ("core", "width", "settings"),
    [
        ("rrm", 24, {"Word": 8, "Batch": 3}),
        ("pipelined", 24, {"EngineWord": 24, "Batch": 6}),
        ("fips", 32, {"Word": 16, "Batch": 2, "Cores": 2}),
        ("montgomery_csa2", 24, {"Word": 12, "Batch": 5}),
    ],
)
def test_flags_tables_and_long_numbers(
    core: str, width: int, settings: dict[str, int], rng: random.Random
) -> None:
    """Each number has choices, an entry and a release of its own; those that are not released are 0."""
    build = program(CHOICES, core)[1].build(width, settings)
    simulation, modulus = Simulation(build), (1 << width) - {24: 3, 32: 5}[width]
    released = set()
    for _ in range(12):
        several = [drawn_for(modulus, rng) for _ in range(settings["Batch"])]
        released |= several_chosen(simulation, modulus, several)
    assert released == {False, True}


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("mm_engine_sums", "last_q2 ? '0 : some;", "some;"),
        ("mm_engine_sums", "number_q  <= end_q;", "number_q  <= '0;"),
        ("mm_engine_sums", "(number_end & ~tests) != begins", "number_end != begins"),
        ("mm_engine_sums", " | (number_end & tests & (end_q == LastNumber))", ""),
        ("mm_engine_sums", "1'b0 : by_less_q)", "1'b0 : 1'b0)"),
        ("mm_engine_numbers", "(Long != 0) & chosen_q[0]", "1'b0"),
        ("mm_engine_numbers", "(&choose_i) ? flags_o", "(&choose_i) ? {Batch{flags_o[0]}}"),
        ("mm_engine_numbers", "= digit_q[place*Batch + number]", "= digit_q[number*IndexBits + place]"),
        ("mm_engine_numbers", "indices_q >> IndexBits", "indices_q"),
        ("mm_engine_numbers", "read_scan_i || count_q == LastCount", "count_q == LastCount"),
        ("mm_engine", "= &flags;", "= |flags;"),
    ],
)
def test_mutants_of_choices(file: str, right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    found = program(CHOICES, "rrm")[1]
    build = found.build(24, {"Word": 8, "Batch": 3})
    simulation = Simulation(mutant(found, tmp_path, file, right, wrong).of(build.config))
    with pytest.raises((AssertionError, ProtocolError)):
        for _ in range(8):
            several_chosen(simulation, PRIME, [drawn_for(PRIME, rng) for _ in "abc"])


def test_what_is_refused() -> None:
    for settings, reason in (
        ({"Batch": 0}, "batch must be 1 to 64, got 0"),
        ({"Batch": 65}, "batch must be 1 to 64, got 65"),
    ):
        with pytest.raises(ValueError, match=reason):
            built("rrm", **settings)
    with pytest.raises(ValueError, match=r"a modulus has all 3 words of this build; take a --width"):
        built("fips", Word=8, Batch=2)[1].check(0xFFF1)
    with pytest.raises(ValueError, match="results of several sparse_prime_dsp wait for each other"):
        several = on("ecc_x25519", "sparse_prime_dsp").build(255, {"Batch": 4, "Cores": 2})
        several.check(CURVES["x25519"].modulus)
    lines = {
        ".number m\n.operand x e\n.modulus m\ntwice x, x, m\nout x\n": "line 4: twice is not there",
        ".number m\n.operand x e\nbits 2\nmul z, x, e\nout z\n": "line 4: e is a number here, and bits come",
        ".long e s\n.number s=5 one\n.operand x e\nmul z, x, x\nout z\n": "lanes and a long y are not there",
        ".long p s\n.number s=5 one\n.operand p e\nmove p, s\nout p\n": "line 4: move of long registers is",
        ".number r2\n.operand x e\nmul y, x, r2\nmove x, y\nout x\n": "line 4: .* is a product by 1",
    }
    for text, reason in lines.items():
        with pytest.raises(ValueError, match=reason):
            program(text, "rrm")[1].build(24, {"Batch": 2})
    with pytest.raises(ValueError, match="rewind is not there for several numbers"):
        on("ecc_brainpoolp256r1", "rrm").build(256, {"Batch": 2})


CURVES_AT_ONCE = [
    ("p256", "montgomery_dsp", {"Word": 64, "Digit": 32, "Product": 4, "Batch": 4}),
    ("b163", "gf2m_fixed", {"Digit": 16, "SquareAtOnce": 1, "Batch": 3}),
    ("ed25519", "sparse_prime_dsp", {"Word": 64, "Digit": 32, "Product": 4, "Batch": 4}),
]


@pytest.mark.parametrize(("name", "core", "settings"), CURVES_AT_ONCE)
def test_multiples_of_points(name: str, core: str, settings: dict[str, int], rng: random.Random) -> None:
    points_right(name, core, settings, rng)


numbers = st.lists(st.tuples(st.integers(0, 999), st.integers(0, 1 << 70)), min_size=1, max_size=9)


@given(numbers)
def test_what_is_packed_comes_apart(pairs: list[tuple[int, int]]) -> None:
    for size, registers in ((10, 1), (5, 2), (3, 4)):
        made = batches.packed(pairs, size, registers=registers)
        assert batches.parted(len(pairs), size, *made, registers=registers) == pairs
    short = [(x, y % 1024) for x, y in pairs]
    assert batches.parted(len(pairs), 10, *batches.packed(short, 10, bits=False), bits=False) == short


@pytest.mark.parametrize("wrong", [(1024, 0), (-1, 0), (0, -1)])
def test_what_is_not_packed(wrong: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"numbers must be 0 to 2\^10-1"):
        batches.packed([(1, 1), wrong], 10)


def test_a_program_with_several_operands(tmp_path: Path) -> None:
    values = {"x": [3, 5, 7], "e": [9, 200, 255]}
    running = prepare("powers", POWERS, "rrm", PRIME, values, settings={"Batch": 3, "Word": 8})
    ran = run(running, count=4)
    assert ran.values == tuple(powers(PRIME, x, e, 7) for x, e in zip(*values.values(), strict=True))
    assert ran.scheduled
    running = prepare("powers", POWERS, "rrm", PRIME, {"x": [3, 5], "e": 9}, settings={"Batch": 2, "Word": 8})
    assert running.operands[1] == 0b11000011
    for settings, wrong, reason in (
        (
            {"Batch": 2},
            {"x": [1, 2, 3]},
            "an operand is 2 numbers, or one for all, got 3; take --set Batch=3",
        ),
        ({}, {"x": [1, 2]}, "an operand is one number, got 2; take --set Batch=2"),
    ):
        with pytest.raises(ValueError, match=reason):
            prepare("powers", POWERS, "rrm", PRIME, {"e": [9], **wrong}, settings=settings)


def test_exchanges_are_those_of_the_library(rng: random.Random) -> None:
    """X25519 (RFC 7748) with four keys at a time, on the hardware."""
    build = on("ecc_x25519", "sparse_prime_dsp").build(255, {"Word": 64, "Digit": 32, "Batch": 4, "Blind": 0})
    at = CURVES["x25519"]
    keys = [X25519PrivateKey.from_private_bytes(rng.randbytes(32)) for _ in range(8)]
    pairs = []
    for own, other in zip(keys[:4], keys[4:], strict=True):
        scalar = clamped(at, int.from_bytes(own.private_bytes_raw(), "little"))
        pairs.append((int.from_bytes(other.public_key().public_bytes_raw(), "little"), scalar))
    simulation = Simulation(build)
    simulation.load(at.modulus)
    config = config_of(build.at(at.modulus))
    size = config.number * config.word
    batch = simulation.run(*([each] for each in batches.packed(pairs, size)))
    found = [each.to_bytes(32, "little") for each in batches.parts(batch.results[0], 4, size)]
    assert found == [own.exchange(other.public_key()) for own, other in zip(keys[:4], keys[4:], strict=True)]
    assert batch.latencies.tolist() == [build.latency]


def test_a_farm_of_engines_with_several_numbers(rng: random.Random) -> None:
    """Parameters of the engine that a farm has, too, have Inner in front."""
    settings = {"Cores": 2, "InnerCores": 3, "Batch": 3}
    build = room("farm:ecc_x25519:rrm").build(255, settings)
    options = build.config.options()
    assert {name: options[name] for name in settings} == settings
    assert room("farm:montgomery_dsp").build(64, {"InnerColumns": 2}).config.options()["InnerColumns"] == 2


def test_verify_knows_the_only_width() -> None:
    """That of the curve."""
    script = Path(sys.executable).with_name("modmul")
    settings = ("--set", "Batch=2", "--set", "Blind=0", "--count", "1")
    done = run_command(
        [script, "verify", "ecc_x25519:sparse_prime_dsp", *settings], check=True, capture_output=True
    )
    assert b"Width=255" in done.stdout
