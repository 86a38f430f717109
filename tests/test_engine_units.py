# SPDX-License-Identifier: Apache-2.0
"""What the engine has besides the core: sums, counted loops; in programs that are for the tests alone."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from engine_program import (
    FLAGS,
    HEAD,
    SUMS,
    TABLE,
    ProgramConfig,
    contract,
    programmed,
    some_program,
    sweep,
)

from modmul.core import Polynomial, ProgramError
from modmul.registry import rooms
from modmul.room import Build, SystemRoom
from modmul.systems.assembly import assemble
from modmul.systems.contexts import ceiling
from modmul.systems.modelling import modelled
from modmul.systems.timing import multiplications
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

PRIME = 0xFFFFFFFFA9


@pytest.fixture
def rng() -> random.Random:
    return random.Random(28)


def build_of(found: SystemRoom, width: int, **settings: int) -> Build:
    return found.build(width, settings)


def config_of(build: Build) -> ProgramConfig:
    assert isinstance(build.config, ProgramConfig)
    return build.config


# --- the assembler ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("add a, x, f\nout a\n", r"line 4: add takes registers alone, not f"),
        ("add a, x, 1\nout a\n", r"line 4: add takes registers alone, not 1"),
        ("sub -, x, y\nout x\n", r"line 4: sub takes registers alone, not -"),
        ("add a, x?y, y\nout a\n", r"line 4: add takes registers alone, not x\?y"),
        ("add a, b, y\nout a\n", r"line 4: b is read before it is written"),
        ("add m, x, y\nout m\n", r"line 4: m is the modulus, which nothing may write"),
        ("mul m, x, y\nout m\n", r"line 4: m is the modulus, which nothing may write"),
        ("at: repeat 0, at\nout x\n", r"line 4: repeat takes a number from 1 on, not 0"),
        ("repeat 2, at\nat: out x\n", r"line 4: repeat goes back"),
        ("a: b: repeat 2, b\nrepeat 2, a\nout x\n", r"line 4: this repeat is in the rows of another, line 5"),
        ("mul -, x^y, x^y\nout f\n", r"line 4: the flag is read before it is written"),
        ("equal x, y\nrelease x, f\n", r"line 5: release takes registers alone, not f"),
        ("less x\nout x\n", r"line 4: less takes 2 names, not 1"),
        ("a: loop b\nrepeat 2, a\nb: out x\n", r"line 4: loop leaves the rows of a repeat"),
    ],
)
def test_what_the_assembler_refuses(text: str, reason: str) -> None:
    with pytest.raises(ProgramError, match=reason):
        assemble(HEAD + text)


def test_sums_need_a_modulus() -> None:
    with pytest.raises(ProgramError, match=r"line 3: add needs a modulus"):
        assemble(SUMS.replace(".modulus m\n", "").replace("mul a, x, r2", "add a, x, r2"))


def test_a_count_that_no_row_holds() -> None:
    text = HEAD + "at: repeat {}, at\nout x\n"
    bits = 8 + assemble(text.format(2)).slot_bits + 1
    assert assemble(text.format(1 << bits)).encode()
    with pytest.raises(ProgramError, match="does not fit"):
        assemble(text.format((1 << bits) + 1)).encode()


def test_what_waits_for_sums() -> None:
    """A row that touches their registers, until one has waited; a scan and the last row for all."""
    text = """\
.table t 2
.number t0=one m
.operand x y
.modulus m
      add t1, x, y
      add t1, x, m
      mul a, x, m
      mul -, t1, m
      mul b, t1, m
      add c, x, y
      sub d, a, c
      scan e
      add a, x, y
      mul -, f, f
      mul a, f, f
      out f
"""
    rows = assemble(text).rows
    assert [at for at, row in enumerate(rows) if row.settled] == [3, 6, 7, 10]
    assert [rows[at].pending for at in (0, 6, 8)] == [7, 2, 2]


# --- the model, and the hardware against it -----------------------------------------------------------


def truth(modulus: int, x: int, y: int) -> int:
    """What ``SUMS`` computes."""
    if isinstance(modulus, Polynomial):
        return modulus.product(x, x ^ y)
    return (x * (x + y) - 8 * (x - y)) % modulus


def test_the_model_adds(rng: random.Random) -> None:
    build = build_of(programmed("fips", SUMS), 40)
    config = config_of(build)
    for modulus in checks.interesting_moduli(build, rng, 8):
        for _ in range(5):
            x, y = (
                rng.randrange(config.core.function.operand_max(config.at(modulus), modulus)) for _ in "xy"
            )
            assert modelled(config.at(modulus), modulus, x, y)[0] == truth(modulus, x, y)


def test_repeats_count() -> None:
    """In the rounds of the header's loop, too, each time anew."""
    text = HEAD + "round: again: mul -, x, y\nrepeat 3, again\nloop round\nout f\n"
    assert multiplications(assemble(text), 4) == {False: 15, True: 0}


def agree(build: Build, rng: random.Random, count: int, moduli: int = 2) -> None:
    """Results and cycles are those of the model."""
    simulation = Simulation(build, seed=rng.getrandbits(31))
    for modulus in checks.interesting_moduli(build, rng, moduli):
        assert sum(checks.check_random(simulation, modulus, count, rng)) >= count


@pytest.mark.parametrize(
    ("core", "width", "settings"),
    [
        pytest.param("rrm", 40, {}, marks=pytest.mark.long),
        ("rrm", 19, {"Word": 8, "Lazy": 1}),  # results up to 8 M
        pytest.param("montgomery_csa2", 19, {"Word": 32}, marks=pytest.mark.long),  # one word
        ("montgomery_csa2", 128, {"Word": 64}),  # long words, all of whose bits K may have: sums have a carry
        ("montgomery_csa2", 20, {"Word": 5}),  # likewise
        ("montgomery_csa2", 50, {"Word": 64}),  # one of them
        ("fips", 21, {"Word": 8}),  # both fields
        ("imml_booth8", 23, {"EngineWord": 5}),
    ],
)
def test_sums(core: str, width: int, settings: dict[str, int], rng: random.Random) -> None:
    build = build_of(programmed(core, SUMS), width, **settings)
    agree(build, rng, 20, 4)
    modulus = checks.interesting_moduli(build, rng, 1)[0]
    config = config_of(build).at(modulus)
    simulation = Simulation(build, seed=rng.getrandbits(31))
    simulation.load(modulus)
    for _ in range(20):
        x, y = rng.randrange(modulus), rng.randrange(modulus)
        [z] = simulation.run([x], [y]).results
        assert z % modulus == truth(modulus, x, y)
        assert z < max(ceiling(config, modulus), 1)


@pytest.mark.long
@pytest.mark.parametrize("core", list(rooms()))
def test_sums_on_every_core(core: str, rng: random.Random) -> None:
    found = programmed(core, SUMS)
    for config in found.core.builds.at(21):
        agree(found.of(config), rng, 8)


@pytest.mark.long
@pytest.mark.parametrize(
    ("core", "settings"), [("montgomery_csa2", {"Word": 8}), ("imml_booth8", {"EngineWord": 8})]
)
def test_any_program(core: str, settings: dict[str, int], rng: random.Random) -> None:
    agree(build_of(programmed(core, some_program(rng, 14)), 20, **settings), rng, 8)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("core", ["montgomery_csa2", "imml_booth8", "fips_literal"])
def test_many_programs(core: str, seed: int) -> None:
    rng = random.Random(seed)
    found = programmed(core, some_program(rng, 20))
    for config in (*found.core.builds.at(21), *found.core.builds.variants(21)):
        agree(found.of(config), rng, 5)


@pytest.mark.parametrize(
    ("core", "settings"), [("montgomery_csa2", {"Word": 8}), pytest.param("rrm", {}, marks=pytest.mark.long)]
)
def test_sums_beside_scans(core: str, settings: dict[str, int], rng: random.Random) -> None:
    """A table of sums, sums of its entries, and pairs that change places."""
    build = build_of(programmed(core, TABLE), 40, **settings).running(length=33)
    agree(build, rng, 8, 1)
    config = config_of(build).at(PRIME)
    simulation = Simulation(build, seed=rng.getrandbits(31))
    simulation.load(PRIME)
    for _ in range(5):
        x, e = rng.randrange(PRIME), rng.getrandbits(33)
        top = -(-config.exponent // config.word) * config.word
        digits = [e >> top - 2 * at & 3 for at in (1, 2, 3)]
        right = sum(digit * x or 1 for digit in digits) + config.rounds * x
        assert simulation.multiply(x, e) == right % PRIME


def flagged(modulus: int, x: int, y: int) -> int:
    """What ``FLAGS`` computes."""
    return (x * max(x, y) - (x * y if x != y else 0)) % modulus


@pytest.mark.parametrize(
    ("core", "width", "settings"),
    [
        ("montgomery_csa2", 19, {"Word": 5}),
        ("montgomery_csa2", 130, {"Word": 64}),
        pytest.param("imml_booth8", 23, {"EngineWord": 23}, marks=pytest.mark.long),
        pytest.param("fips", 24, {"Word": 8}, marks=pytest.mark.long),
    ],
)
def test_flags(core: str, width: int, settings: dict[str, int], rng: random.Random) -> None:
    build = build_of(programmed(core, FLAGS), width, **settings)
    agree(build, rng, 60, 3)
    modulus = checks.interesting_moduli(build, rng, 1)[0]
    simulation = Simulation(build, seed=rng.getrandbits(31))
    simulation.load(modulus)
    pairs = [
        (x, y) for x in checks.corner_operands(build, modulus)[:8] for y in (x, x ^ 1, rng.randrange(modulus))
    ]
    pairs = [(x, y) for x, y in pairs if y < modulus]
    results = simulation.run(*map(list, zip(*pairs, strict=True))).results
    assert results == [flagged(modulus, x, y) for x, y in pairs]


def test_flags_need_reduced_numbers() -> None:
    build = build_of(programmed("rrm", FLAGS), 19, Word=8, Lazy=1)
    with pytest.raises(ValueError, match="equal needs reduced numbers"):
        build.check(0x7FFED)


def test_less_is_for_integers() -> None:
    build = build_of(programmed("fips", FLAGS), 19, Word=8)
    with pytest.raises(ValueError, match="less compares integers"):
        build.check(Polynomial(1 << 19 | 39))


RELEASE = (
    HEAD
    + """\
      sub z, x, x
      equal x, y
      release x, z
"""
)


def released(found: SystemRoom, rng: random.Random) -> None:
    """Numbers that are not released: zeros leave at the same time, and it is an error until a new context."""
    build = build_of(found, 20, Word=8)
    simulation = Simulation(build, seed=rng.getrandbits(31))
    latencies = set()
    for x, y in ((5, 5), (5, 4), (0x0F00, 0x0F01), (9, 9), (0x70000, 0), (0, 0), (0x123, 0x10123)):
        simulation.load(0xFFFFD)
        batch = simulation.run([x], [y])
        latencies.add(int(batch.latencies[0]))
        assert batch.results == [x if x == y else 0]
        assert simulation.peek("ctx_error_o") == (x != y)
        if x != y:
            assert not simulation.peek("in_ready_o")
    assert len(latencies) == 1


def test_release(rng: random.Random) -> None:
    released(programmed("montgomery_csa2", RELEASE), rng)


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        pytest.param(
            "sequencer", "(Flags != 0) & feed_q & feed_out_o & feed_square_o", "1'b0", marks=pytest.mark.long
        ),
        pytest.param("port", "(refused_q | refused_i) & ~ctx_load", "refused_i", marks=pytest.mark.long),
        pytest.param(
            "port", "(refused_q | refused_i) & ~ctx_load", "refused_q | refused_i", marks=pytest.mark.long
        ),
        pytest.param("sum", "some_q2   <= some;", "some_q2   <= {Parts{|t_q}};", marks=pytest.mark.long),
    ],
)
def test_mutants_of_release(file: str, right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    found = mutant(programmed("montgomery_csa2", RELEASE), tmp_path, f"mm_engine_{file}", right, wrong)
    with pytest.raises((AssertionError, VerificationError, ProtocolError)):
        released(found, rng)


SUM = "u_engine.gen_lane[0].u_lane.gen_sums.u_sum"
SEEN = {"go": f"{SUM}.go", "room": "u_engine.gen_lane[0].u_lane.sum_room"}


def traced(found: SystemRoom, signals: dict[str, str]) -> SystemRoom:
    return replace(found, core=found.core.changed(trace=lambda _config: signals))


@pytest.mark.parametrize(
    ("core", "settings"),
    [
        ("montgomery_csa2", {"Word": 4}),
        pytest.param("imml_booth8", {"EngineWord": 4}, marks=pytest.mark.long),
    ],
)
def test_sums_beside_results(core: str, settings: dict[str, int], rng: random.Random) -> None:
    """Results that are written meanwhile go first, and hold up the sum, and the one behind it."""
    found = traced(programmed(core, sweep(range(1, 40, 3))), SEEN)
    build = build_of(found, 40, **settings)
    agree(build, rng, 4, 1)
    simulation = Simulation(build, seed=rng.getrandbits(31))
    simulation.load(PRIME)
    states = simulation.follow(3, 5)
    assert sum(not state["go"] for state in states) > 3
    assert sum(not state["room"] for state in states) > 3


CONTROL = (
    "u_sequencer.state_q",
    "u_sequencer.row_q",
    "gen_lane[0].u_lane.u_reader.a_addr",
    "gen_lane[0].u_lane.u_reader.b_addr",
    "gen_lane[0].u_lane.u_reader.advance",
    "gen_lane[0].u_lane.write_q",
    "gen_lane[0].u_lane.write_addr_q",
    "gen_lane[0].u_lane.core_valid",
    "gen_lane[0].u_lane.core_ready",
    "gen_lane[0].u_lane.z_valid",
    "gen_lane[0].u_lane.u_feed.next_q",
    "gen_lane[0].u_lane.u_feed.pending_q",
    "gen_lane[0].u_lane.sum_room",
    "gen_lane[0].u_lane.sum_busy_o",
    "gen_lane[0].u_lane.late",
    "gen_lane[0].u_lane.gen_sums.u_sum.go",
    "gen_lane[0].u_lane.gen_sums.u_sum.write_beat_q",
)
"""What decides which words are read, sent and written, and when."""


@pytest.mark.parametrize("program", [pytest.param(SUMS, marks=pytest.mark.long), FLAGS])
def test_data_decide_on_nothing_but_data(program: str, rng: random.Random) -> None:
    found = traced(programmed("montgomery_csa2", program), {name: f"u_engine.{name}" for name in CONTROL})
    simulation = Simulation(build_of(found, 40, Word=8))
    simulation.load(PRIME)
    simulation.multiply(3, 5)
    pairs = ((0, 0), (PRIME - 1, PRIME - 1), (0, PRIME - 1), (rng.randrange(PRIME), rng.randrange(PRIME)))
    runs = [simulation.follow(x, y)[1:] for x, y in pairs]
    assert all(each == runs[0] for each in runs)
    assert len({state["gen_lane[0].u_lane.u_reader.a_addr"] for state in runs[0]}) > 8


@pytest.mark.long
def test_contract(rng: random.Random) -> None:
    contract(build_of(programmed("fips", SUMS), 19, Word=8), rng)


SWEPT = sweep(range(1, 40))


CHOICE = "use_u        = Binary == 2 ? 1'b0 : subtract_q ? ~carry_q : carry_q | u_carry"
"""Which candidate is the result, in a unit that does not double."""


@pytest.mark.parametrize(
    ("program", "file", "right", "wrong"),
    [
        pytest.param(SUMS, "sum", CHOICE, CHOICE.replace("carry_q |", ""), marks=pytest.mark.long),
        pytest.param(SUMS, "sum", CHOICE, CHOICE.replace("| u_carry", ""), marks=pytest.mark.long),
        pytest.param(SUMS, "sum", CHOICE, CHOICE.replace("? ~carry_q", "? carry_q"), marks=pytest.mark.long),
        pytest.param(
            SUMS,
            "sum",
            "write_i & (write_slot == SlotCount'(ModulusSlot))",
            "write_i",
            marks=pytest.mark.long,
        ),
        pytest.param(
            SUMS,
            "sum",
            "added        = Binary == 2 ? 1'b0 : ~binary_i;",
            "added        = 1'b1;",
            marks=pytest.mark.long,
        ),
        pytest.param(FLAGS, "digit", "&choose_i ? flag_i : by_digit", "by_digit", marks=pytest.mark.long),
        pytest.param(
            FLAGS,
            "sum",
            "less_q    <= Binary == 2 ? 1'b0 : ~carry_q",
            "less_q    <= carry_q",
            marks=pytest.mark.long,
        ),
        (SWEPT, "sum", "~(sum_write_o & hold_i)", "1'b1"),
        (SWEPT, "sum", "~run_q | ~first_q | ({1'b0, write_beat_q} > next_q)", "1'b1"),
        pytest.param(
            SWEPT,
            "sum",
            "(AddrBits'(slot_q2) << SlotBits)",
            "(AddrBits'(slot_q) << SlotBits)",
            marks=pytest.mark.long,
        ),
        pytest.param(SWEPT, "sum", "| any | (sum_write_o & hold_i);", "| any;", marks=pytest.mark.long),
        (SUMS, "sequencer", "~(settled & sum_busy)", "1'b1"),
        pytest.param(SUMS, "sequencer", "repeats_q != most_times", "repeats_q == '0", marks=pytest.mark.long),
        pytest.param(
            SWEPT, "sequencer", "turn_q ? repeats_q + 1'b1 : '0", "repeats_q + 1'b1", marks=pytest.mark.long
        ),
        (SWEPT, "sequencer", "turn_q ? target[3:0] : pc_q[3:0];", "pc_q[3:0];"),
        (SWEPT, "sequencer", "turn_q ? target_hit_q : pc_hit_q", "pc_hit_q"),
        (SWEPT, "sequencer", "pc_hit_q << 1 : pc_hit_q", "pc_hit_q : pc_hit_q"),
        (SWEPT, "sequencer", "row[TargetAt+4 +: PcBits-4] == (PcBits-4)'(part)", "part == 0"),
        pytest.param(SWEPT, "reader", "& (~sum_q3 | room_i)", "", marks=pytest.mark.long),
    ],
)
def test_mutants(program: str, file: str, right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    found = programmed("fips", program) if "inary" in right else programmed("montgomery_csa2", program)
    build = build_of(found, 40, Word=4 if program == SWEPT else 8)
    wrong_one = mutant(found, tmp_path, f"mm_engine_{file}", right, wrong)
    simulation = Simulation(wrong_one.of(build.config))
    with pytest.raises((VerificationError, ProtocolError)):
        for modulus in (PRIME, *checks.interesting_moduli(build, rng, 4)):
            for _ in checks.check_random(simulation, modulus, 20, rng):
                pass
