# SPDX-License-Identifier: Apache-2.0
"""The engine where its words are whole numbers and its core takes one every cycle (``mm_engine_whole``)."""

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from engine_program import HEAD, differences, seen, some_program, sweep
from on_time import begins, on_time, some_rows
from several_numbers import CHOICES, POWERS, PRIME, config_of, drawn_for, points_right, several_chosen

from modmul.core import Polynomial
from modmul.registry import ProgramRoom, program
from modmul.room import Build
from modmul.systems import batches
from modmul.systems.running import ProgramConfig
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

WHOLE = {"EngineWord": 24, "ExponentBits": 40}
BATCHES = (1, 2, 3, 16)


@pytest.fixture
def rng() -> random.Random:
    return random.Random(37)


def built(text: str, core: str = "pipelined", **settings: int) -> tuple[ProgramRoom, Build]:
    """A program on a core of 24 bits, on numbers of which many are 0, 1 or the largest."""
    _, found = program(text, core)

    def draw(config: ProgramConfig, modulus: int, rng: random.Random) -> tuple[int, int]:
        most = (1 << 24) - 1 if isinstance(modulus, Polynomial) else modulus - 1
        pairs = [
            (
                rng.choice((0, 1, most, rng.randint(0, most), rng.randint(0, most))),
                rng.getrandbits(config.exponent),
            )
            for _ in range(config.batch)
        ]
        bits = config.written.bits
        pairs = pairs if bits else [(x, y % most) for x, y in pairs]
        return batches.packed(pairs, config.number * config.word, bits=bits)

    found = replace(found, core=found.core.changed(draw=draw))
    return found, found.build(24, {**WHOLE, **settings})


def right(simulation: Simulation, modulus: int, rng: random.Random, count: int = 3) -> bool:
    """Whether results are those of the model, and come when the schedule says."""
    build = simulation.build
    simulation.load(modulus)
    config = config_of(build.at(modulus))
    operands = build.core.function.drawn(config, modulus, rng, count)
    batch = simulation.run([x for x, _ in operands], [y for _, y in operands])
    answers = [build.core.function.answer(config, modulus, x, y) for x, y in operands]
    return batch.results == answers and {*batch.latencies.tolist()} == {build.latency}


def test_which_builds_have_whole_words() -> None:
    """Those of a core that takes a number every cycle, and of programs with sums."""
    assert config_of(built(POWERS)[1]).whole
    assert config_of(built(POWERS, Batch=3)[1]).whole
    assert config_of(built(POWERS, "gf2m_pipelined")[1]).whole
    for core, settings in (
        ("pipelined", {"EngineWord": 12}),
        ("pipelined", {"Cores": 2}),
        ("imml_booth4", {}),
        ("sparse_prime_dsp", {"Word": 24, "Digit": 8}),
    ):
        assert not config_of(built(POWERS, core, **settings)[1]).whole
    without = ".operand x e\nmul z, x, e\nout z\n"
    assert not config_of(built(without)[1]).whole
    other = POWERS.replace("sub   q, one, one", "sub   q, one, one\n    twice q, q, m")
    assert not config_of(built(other)[1]).whole


@pytest.mark.parametrize("batch", BATCHES)
def test_operations(batch: int, rng: random.Random) -> None:
    """Right and on time, with pauses at both ends, behind resets in the middle, and with other contexts."""
    _, build = built(POWERS, Batch=batch, SumBits=7)
    simulation = Simulation(build)
    assert right(simulation, PRIME, rng, 6)
    checks.check_back_pressure(simulation, PRIME, 2, rng)
    checks.check_reset(simulation, [PRIME], rng, resets=20)
    checks.check_context(simulation, [PRIME, 8388617], rng)


@pytest.mark.parametrize("batch", [1, 3])
def test_polynomials(batch: int, rng: random.Random) -> None:
    """Sums without carries."""
    simulation = Simulation(built(POWERS, "gf2m_pipelined", Batch=batch)[1])
    assert right(simulation, simulation.build.core.function.some_modulus(simulation.build.config), rng)


@pytest.mark.parametrize("batch", BATCHES)
def test_rows_in_any_order(batch: int, rng: random.Random) -> None:
    """Of programs drawn at random: every register is that of the model."""
    for bits in (0, 5, 24):
        text = some_program(rng, 30).replace("out ", "w: repeat 20, w\nout ")  # numbers behind the first come
        found, build = built(text, Batch=batch, SumBits=bits)
        simulation = Simulation(seen(found).of(build.config))
        config = config_of(build.at(PRIME))
        for x, y in build.core.function.drawn(config, PRIME, rng, 2):
            assert differences(simulation, PRIME, x, y) == []


@pytest.mark.parametrize("batch", [1, 2, 5])
def test_every_row_begins_on_time(batch: int, rng: random.Random) -> None:
    """In the cycle that the schedule says, beside whatever runs."""
    for _ in range(3):
        found = begins_of(some_rows(rng, 30))
        build = found.build(24, {**WHOLE, "ExponentBits": 64, "Batch": batch, "SumBits": rng.randint(3, 24)})
        assert config_of(build).whole
        assert on_time(Simulation(build), PRIME)


def begins_of(text: str) -> ProgramRoom:
    found = begins(program(text, "pipelined")[1])
    assert isinstance(found, ProgramRoom)
    return found


@pytest.mark.parametrize("batch", [1, 2, 6])
def test_choices(batch: int, rng: random.Random) -> None:
    """Digits, flags, tables, long numbers, and numbers that are kept back, of each number alone."""
    simulation = Simulation(built(CHOICES, Batch=batch, SumBits=5)[1])
    released = set()
    for _ in range(12):
        released |= several_chosen(simulation, PRIME, [drawn_for(PRIME, rng) for _ in range(batch)])
    assert released == {False, True}


SWEEP = sweep(range(1, 12)).replace("out d", "mul z, d, 1\nout z")

WAITS = (
    HEAD
    + """\
.keep
    add   x, x, one
    mul   a, x, y
    mul   b, f, x            ; waits for a in f, and sums for it: they write what it reads
    add   x, y, one
    mul   c, b, x
    sub   y, x, one
    mul   -, c, y
    mul   d, f, b
    add   b, d, y
    mul   d, b, f
    out   d
"""
)
"""Products that wait for the one before them beside sums that write their registers."""


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("text", [SWEEP, WAITS], ids=["beside", "behind"])
def test_sums_beside_products(text: str, batch: int, rng: random.Random) -> None:
    assert right(Simulation(built(text, Batch=batch)[1]), PRIME, rng)


LANE, SUM = "mm_engine_whole", "mm_engine_whole_sum"

MUTANTS = [
    # where a register's value is
    (LANE, "by_sum_q[slot] <= sums;", "by_sum_q[slot] <= 1'b0;"),
    (LANE, "port_slot == SlotCount'(slot)) by_sum_q[slot] <= 1'b0;", "1'b0) by_sum_q[slot] <= 1'b0;"),
    (LANE, "a_sum_q  <= by_sum_q[a_slot_i];", "a_sum_q  <= by_sum_q[b_slot_i];"),
    (LANE, "sum_b_q      <= by_sum_q[b_slot_i];", "sum_b_q      <= by_sum_q[a_slot_i];"),
    # products
    (LANE, "run_q    <= begins | ", "run_q    <= feed_start_i | "),
    (LANE, "begins     = (feed_start_i & (~wants_f | there))", "begins     = (feed_start_i & ~wants_f)"),
    (LANE, "read_sum_busy_o = wait_q | ", "read_sum_busy_o = "),
    (LANE, "y_q           <= y_f_3 ? f_word : y_b_3 ? b_word : a_or_b;", "y_q <= y_b_3 ? b_word : a_or_b;"),
    (LANE, "(run_q & (count_q != Near) & ~count_last)", "1'b0"),
    (LANE, "pending_o = pending_q - {2'b00, come};", "pending_o = '0;"),
    (LANE, "if (z_valid && z_count_q == Last) read_q <= read_q + 1'b1;", "read_q <= '0;"),
    (LANE, ".read_addr_i(count_3), .word_o(f_word)", ".read_addr_i('0), .word_o(f_word)"),
    # sums
    (LANE, "sum_run_q & (sum_count_q != Near) & (sum_count_q != Last)", "1'b0"),
    (LANE, "settles_q <= WaitBits'(Settles);", "settles_q <= WaitBits'(Settles - 1);"),
    (LANE, "if (k_write) k_q <= port_word_i;", "if (port_write_i) k_q <= port_word_i;"),
    (
        SUM,
        "carry, u_carry, below} = {subtract_q[0], 2'b10};",
        "carry, u_carry, below} = {subtract_q[0], 2'b00};",
    ),
    (
        SUM,
        "{over_q[part-1], u_over_q[part-1], u_top_q[part-1]};",
        "{over_q[part-1], u_over_q[part-1], 1'b0};",
    ),
    (SUM, "{over_q[part-1], u_over_q[part-1], u_top_q[part-1]};", "{over_q[part-1], 1'b0, u_top_q[part-1]};"),
    (
        SUM,
        "{over_q[part-1], u_over_q[part-1], u_top_q[part-1]};",
        "{1'b0, u_over_q[part-1], u_top_q[part-1]};",
    ),
    (SUM, "u_over_q[Parts-1] | u_top_q[Parts-1]);", "u_over_q[Parts-1]);"),
    (SUM, "? ~over_q[Parts-1] :", "? over_q[Parts-1] :"),
    (SUM, "^ {Bits{~subtract_q[part]}};", "^ {Bits{~subtract_q[0]}};"),
    # words that leave
    (LANE, "if (out_3 & over_3) x_q <= '0;", ""),
    (LANE, "out_valid_q  <= out_3 | (out_valid_q & ~out_ready_i);", "out_valid_q  <= out_3;"),
    (LANE, "assign feed_empty_o = ~out_valid_q | out_ready_i;", "assign feed_empty_o = 1'b1;"),
    # the next row is fetched
    ("mm_engine_sequencer", " & ~(feeds_q & feed_out_o) :", " :"),
    ("mm_engine_sequencer", "if (Quick != 0 ? may & (jumps_q", "if (Quick == 0 ? may & (jumps_q"),
]


@pytest.mark.parametrize(("file", "correct", "wrong"), MUTANTS)
def test_mutants(file: str, correct: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    def failed(text: str, batch: int, bits: int) -> bool:
        found, build = built(text, Batch=batch, SumBits=bits)
        folder = tmp_path / f"{batch}-{bits}-{len(text)}"
        folder.mkdir()
        simulation = Simulation(mutant(found, folder, file, correct, wrong).of(build.config))
        try:
            if not right(simulation, PRIME, rng):
                return True
            checks.check_back_pressure(simulation, PRIME, 2, rng)
        except (VerificationError, ProtocolError):
            return True
        return False

    assert any(failed(text, batch, 7) for text in (POWERS, SWEEP, WAITS) for batch in (1, 3))


MUTANTS_OF_CHOICES = [
    (LANE, "looks ? by_sum_q[a_slot_q] : a_sum_q", "a_sum_q"),
    (LANE, "chosen_q <= Batch'({chosen_q, chosen_q} >> 1);", "chosen_q <= chosen_q;"),
    (LANE, "(&choose_i) ? flags_o", "(&choose_i) ? {Batch{flags_o[0]}}"),
    (LANE, "over_q  <= ~long_q | upper_q;", "over_q  <= 1'b1;"),
    (LANE, "{a_slot_q[0], b_slot_q[0]} <= 2'b11;", "{a_slot_q[0], b_slot_q[0]} <= 2'b10;"),
    (LANE, "= digit_q[bit_at*Batch + number]", "= digit_q[number*IndexBits + bit_at]"),
    (LANE, "({indices_q, indices_q} >> IndexBits)", "(indices_q)"),
    (LANE, "({Word{~first_3}} & kept_q) |", "kept_q |"),
    (LANE, "coming_o  = (Batch > 1) & (z_valid | (z_count_q != '0));", "coming_o  = 1'b0;"),
    (LANE, "z_write ? place(", "z_valid ? place("),
    (LANE, "flags_q[flag_number] <= flag;", "flags_q[0] <= flag;"),
    (SUM, "less_q    <= ~over_q[Parts-1];", "less_q    <= over_q[Parts-1];"),
    (SUM, "1'b0 : by_less_q)", "1'b0 : 1'b0)"),
    ("mm_engine", "(feed_start & feed_out) | (open_q", "(open_q"),
]


@pytest.mark.parametrize(("file", "correct", "wrong"), MUTANTS_OF_CHOICES)
def test_mutants_of_choices(file: str, correct: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    found, build = built(CHOICES, Batch=3)
    simulation = Simulation(mutant(found, tmp_path, file, correct, wrong).of(build.config))
    with pytest.raises((AssertionError, ProtocolError)):
        for _ in range(8):
            several_chosen(simulation, PRIME, [drawn_for(PRIME, rng) for _ in "abc"])


FLAGGED = (
    HEAD
    + """\
.keep
    sub   q~, x, y
    sub   p~, q~, one
    mul   -, one, one
w:  repeat 20, w
    less  x, y
    mul   a, f, x^y          ; the greater one
    equal x, y
    mul   b, f, x^one
    less  b, a
    mul   a, f, a^b
    mul   a, f, q~
    mul   a, f, p~
    out   a
"""
)
"""Rows right behind the tests whose flags they take."""


def flags_right(simulation: Simulation, rng: random.Random) -> bool:
    """Of numbers that are alike, but for a bit of some."""
    simulation.load(PRIME)
    config = config_of(simulation.build.at(PRIME))
    operands = []
    for at in range(24):
        xs = [rng.randrange(1 << 23) for _ in range(config.batch)]
        ys = [(x ^ rng.choice((0, 1 << at))) % PRIME for x in xs]
        operands.append(batches.packed(list(zip(xs, ys, strict=True)), 24, bits=False))
    batch = simulation.run([x for x, _ in operands], [y for _, y in operands])
    answer = simulation.build.core.function.answer
    return batch.results == [answer(config, PRIME, x, y) for x, y in operands]


@pytest.mark.parametrize("batch", BATCHES)
def test_flags(batch: int, rng: random.Random) -> None:
    assert flags_right(Simulation(built(FLAGGED, Batch=batch)[1]), rng)


TOO_SOON = (LANE, "tests_q <= WaitBits'(Tests);", "tests_q <= WaitBits'(Tests - 1);")
SHORT = (SUM, "some[part] = |padded[8*part +: 8];", "some[part] = |padded[7:0];")
KEPT = "valid_q[Parts] & (test == 2'd0);"


@pytest.mark.parametrize(
    ("batch", "file", "correct", "wrong"),
    [
        (1, *TOO_SOON),
        (3, *TOO_SOON),
        (1, *SHORT),
        (3, *SHORT),
        (1, SUM, f"assign write_o = {KEPT}", "assign write_o = valid_q[Parts];"),
        (3, SUM, f"else         write_o <= {KEPT}", "else write_o <= valid_q[Parts];"),
    ],
)
def test_mutants_of_flags(
    batch: int, file: str, correct: str, wrong: str, tmp_path: Path, rng: random.Random
) -> None:
    found, build = built(FLAGGED, Batch=batch)
    assert not flags_right(Simulation(mutant(found, tmp_path, file, correct, wrong).of(build.config)), rng)


POINTS: list[tuple[str, str, Mapping[str, int]]] = [
    ("p256", "pipelined", {"EngineWord": 256, "Batch": 1}),
    ("p256", "pipelined", {"EngineWord": 256, "Batch": 2}),
    ("b163", "gf2m_pipelined", {"EngineWord": 163, "Batch": 3}),
]


@pytest.mark.parametrize(("name", "core", "settings"), POINTS)
def test_multiples_of_points(name: str, core: str, settings: Mapping[str, int], rng: random.Random) -> None:
    assert config_of(points_right(name, core, settings, rng)).whole
