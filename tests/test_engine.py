# SPDX-License-Identifier: Apache-2.0
"""The engine: its assembler, its model against the hardware, and what its programs promise."""

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from engine_program import contract, differences, seen

from modmul.core import ProgramError
from modmul.design import Design, Port, twin
from modmul.registry import on, shared
from modmul.room import Build
from modmul.systems.assembly import assemble
from modmul.systems.engine import EngineConfig
from modmul.systems.modelling import modelled
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation
from modmul.verify.simulator import Model, Unit

SYSTEMS = ("modexp", "ladder")
PRIME = 0xFFFFFFFFA9


@pytest.fixture
def rng() -> random.Random:
    return random.Random(27)


def built(system: str, core: str = "montgomery_csa2", width: int = 40, **settings: int) -> Build:
    return on(system, core).build(width, settings)


def config_of(build: Build) -> EngineConfig:
    assert isinstance(build.config, EngineConfig)
    return build.config


def model_of(
    build: Build, modulus: int, x: int, y: int, *, control: bool = False
) -> tuple[int, dict[str, int]]:
    """The result and the registers by the model of the engine."""
    return modelled(replace(config_of(build.at(modulus)), product=control), modulus, x, y)


# --- the assembler ------------------------------------------------------------------------------------

TEXT = """\
.number one r2
.operand x e
main: mul a, x, r2
      mul b, f, one
      mul -, f, a
      out f
"""


def test_what_a_row_waits_for() -> None:
    """For the operation that writes what it reads, and for no later one."""
    first, second, third, *_ = assemble(TEXT).rows
    assert (first.pending, second.pending, third.pending) == (6, 6, 1)


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        ("mul a, x, r2", "mul c, x, r2", r"line 5: a is read before it is written"),
        ("mul a, x, r2", "mul a, f, r2", r"line 3: f is read before it is written"),
        ("mul a, x, r2", "div a, x, r2", r"line 3: there is no div; there is mul, out"),
        ("mul a, x, r2", "mul a, x", r"line 3: mul takes 3 names, not 2"),
        ("      out f", "      loop away", r"line 6: there is no label away"),
        ("      out f", "      scan a", r"the last row must be out, release or jump"),
        (".operand x e", "", r"\.operand X Y"),
        ("main:", "main: main:", r"line 3: the label main is there twice"),
    ],
)
def test_what_the_assembler_refuses(right: str, wrong: str, reason: str) -> None:
    assert TEXT.count(right) == 1
    with pytest.raises(ProgramError, match=reason):
        assemble(TEXT.replace(right, wrong))


def test_a_value_that_only_one_way_has() -> None:
    """A register that a round writes is not there if there is no round."""
    text = """\
.operand x e
      mul a, x, x
      jump test
round: mul b, f, a
test: loop round
      out b
"""
    with pytest.raises(ProgramError, match="line 6: b is read before it is written"):
        assemble(text)


TOP_FIRST = """\
.number m
.operand x e
.modulus m
      mul a, x, x
      {between}
      rewind a
      bits 1
      acc b, e, x
      out b
"""


@pytest.mark.parametrize("between", ["add c, x, x", "mul c, x, x", "mul c, f, x", "equal x, e"])
def test_bits_of_a_product_that_may_be_on_its_way(between: str) -> None:
    """They begin with the last word, which is the last to come; other rows do not wait for it."""
    with pytest.raises(ProgramError, match="line 6: bits of a begin with its last word"):
        assemble(TOP_FIRST.format(between=between))


@pytest.mark.parametrize("between", ["move c, x", "plus c, x, x"])
def test_bits_of_a_product_that_has_come(between: str) -> None:
    assemble(TOP_FIRST.format(between=between))


# --- the model, and the hardware against it -----------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("core", ["imml_booth4", "rrm"])
def test_the_model_makes_powers(system: str, core: str, rng: random.Random) -> None:
    for length in (1, 2, 7, 40):
        build = built(system, core).running(length=length)
        for _ in range(5):
            x, e = rng.randrange(PRIME), rng.getrandbits(length)
            assert model_of(build, PRIME, x, e)[0] == pow(x, e, PRIME)
            assert model_of(build, PRIME, x, e, control=True)[0] == x * e % PRIME


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
)
"""What decides which words are read, sent and written, and when."""


@cache
def followed(system: str) -> Simulation:
    """What decides, and what is written."""
    return Simulation(seen(on(system, "montgomery_csa2"), *CONTROL).build(40, {"Word": 8}))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_register_is_that_of_the_model(system: str, rng: random.Random) -> None:
    """All that rows write, one after the other; behind the control, too."""
    simulation = followed(system)
    for _ in range(3):
        x, e = rng.randrange(PRIME), rng.getrandbits(40)
        assert differences(simulation, PRIME, x, e) == []
        assert differences(simulation, PRIME, x, e, product=True) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_data_decide_on_nothing_but_data(system: str, rng: random.Random) -> None:
    """Addresses, enables and rows are the same in every cycle for every base and exponent."""
    simulation = followed(system)
    simulation.load(PRIME)
    simulation.multiply(3, 5)
    powers = (0, 2**40 - 1, 2**39, rng.getrandbits(40))
    states = [simulation.follow(rng.randrange(PRIME), power)[1:] for power in powers]
    runs = [[{name: state[name] for name in CONTROL} for state in run] for run in states]
    assert all(each == runs[0] for each in runs)
    assert len({state["gen_lane[0].u_lane.u_reader.a_addr"] for state in runs[0]}) > 8


# --- the register file on ECP5 ------------------------------------------------------------------------

BLOCK = """\
module DP16KD #(
  parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18, REGMODE_A = "", REGMODE_B = "", WRITEMODE_A = "",
  parameter WRITEMODE_B = "", RESETMODE = "", GSR = "", CSDECODE_A = "", CSDECODE_B = "", CLKAMUX = "",
  parameter CLKBMUX = ""
) (
  input CLKA, WEA, CEA, OCEA, RSTA, CSA0, CSA1, CSA2, CLKB, WEB, CEB, OCEB, RSTB, CSB0, CSB1, CSB2,
  input {inputs},
  output {outputs}
);
  wire [13:0] a = {{{a}}}, b = {{{b}}};
  wire [17:0] d = {{{d}}};
  reg [17:0] q, out_q;
  reg bits [0:18431];
  // Of each 9 bits the ninth is for words of 9 and 18 bits alone.
  function integer place(input [13:0] address, input integer at);
    place = DATA_WIDTH_A >= 9 ? address[13:3] * 9 + at : address[13:3] * 9 + address[2:0] + at;
  endfunction
  integer at;
  always @(posedge CLKA) if (CEA && WEA)
    for (at = 0; at < DATA_WIDTH_A; at = at + 1)
      if (DATA_WIDTH_A < 18 || a[at / 9]) bits[place(a, at)] <= d[at];
  always @(posedge CLKB) begin
    if (CEB) for (at = 0; at < 18; at = at + 1) q[at] <= at < DATA_WIDTH_B && bits[place(b, at)];
    if (OCEB) out_q <= q;
  end
  assign {{{q}}} = REGMODE_B == "OUTREG" ? out_q : q;
endmodule
"""
"""DP16KD as far as the register file uses it."""


def block() -> str:
    def pins(name: str, bits: int) -> str:
        return ", ".join(f"{name}{bit}" for bit in reversed(range(bits)))

    inputs = ", ".join(pins(*pin) for pin in (("ADA", 14), ("ADB", 14), ("DIA", 18), ("DIB", 18)))
    names = {"a": pins("ADA", 14), "b": pins("ADB", 14), "d": pins("DIA", 18), "q": pins("DOB", 18)}
    return BLOCK.format(inputs=inputs, outputs=f"{pins('DOA', 18)}, {pins('DOB', 18)}", **names)


@pytest.mark.parametrize(
    ("word", "bits", "right", "wrong"),
    [
        (20, 4, "", ""),
        (6, 12, "", ""),
        (20, 4, '.REGMODE_B("OUTREG")', '.REGMODE_B("NOREG")'),
        (6, 12, ".OCEB(read_i)", ".OCEB(1'b1)"),
    ],
)
def test_the_register_file_of_ecp5_is_the_plain_one(
    word: int, bits: int, right: str, wrong: str, tmp_path: Path, rng: random.Random
) -> None:
    """And one that is not is found."""
    plain = shared()["mm_engine_memory"]
    source = twin(plain, "ecp5")
    assert source
    text = source.read_text()
    assert text.count(right) == 1 or not right
    tuned = tmp_path / source.name
    tuned.write_text(text.replace(right, wrong) if right else text)
    model = tmp_path / "DP16KD.v"
    model.write_text(block())
    parameters = {"Word": word, "AddrBits": bits}
    sizes = (("write_i", 1), ("write_addr_i", bits), ("word_i", word), ("read_i", 1), ("read_addr_i", bits))
    ports = (Port("clk_i", "input", 1), *(Port(name, "input", size) for name, size in sizes))
    ports = (*ports, Port("word_o", "output", word))
    both = [
        Model(Unit(Design(name, "mm_engine_memory", sources, parameters, ports)))
        for name, sources in (("plain", (plain,)), ("tuned", (model, tuned)))
    ]
    places = [rng.getrandbits(bits) for _ in range(8)]
    rows = [[1, place, rng.getrandbits(word), 0, 0] for place in places]
    for _ in range(300):
        write, read = rng.sample(places, 2)
        rows.append([rng.getrandbits(1), write, rng.getrandbits(word), rng.getrandbits(1), read])
    one, other = (model.rows(rows) for model in both)
    begin = next(at for at in range(8, 300) if rows[at][3]) + 1
    second = next(at for at in range(begin, 300) if rows[at][3]) + 1
    assert (one[second:] == other[second:]) == (not right)
    assert len({*map(tuple, one[second:])}) > 20


# --- the contract -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "core", "settings"),
    [
        ("modexp", "rrm", {}),
        ("ladder", "imml_booth8", {"EngineWord": 5, "Cores": 2}),
    ],
)
def test_contract(system: str, core: str, settings: dict[str, int], rng: random.Random) -> None:
    contract(built(system, core, 19, **settings), rng)


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("mm_engine_reader", "{Word{~first_q2}} & kept_word_q", "kept_word_q"),
        ("mm_engine_reader", "hit_q    <= a_entry == index_i", "hit_q    <= a_entry == '0"),
        ("mm_engine_feed", "~f_needed_q | there)", "1'b1)"),
        ("mm_engine_feed", "words_take_o = ~valid_pair_q | pair_take", "words_take_o = 1'b1"),
        ("mm_engine_feed", "out_q ? latest : one_q", "1'b1 ? latest : one_q"),
        ("mm_engine_feed", "chosen_i && y_from_i == FromA", "1'b0 && y_from_i == FromA"),
        ("mm_engine_sequencer", "phase_q  <= ~phase_q;", "phase_q  <= phase_q;"),
    ],
)
def test_mutants(file: str, right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    system = "modexp" if "reader" in file else "ladder"
    build = built(system, Word=8, width=40 if "pair" in right else 20)  # words enough to fill every register
    found = on(system, "montgomery_csa2")
    wrong_one = mutant(found, tmp_path, file, right, wrong)
    simulation = Simulation(wrong_one.of(build.config))
    modulus = PRIME if "pair" in right else 0xFFFFD
    with pytest.raises((VerificationError, ProtocolError)):
        for _ in checks.check_random(simulation, modulus, 20, rng):
            pass
        checks.check_back_pressure(simulation, modulus, 2, rng)


TWO = (60, {"Word": 8, "Cores": 2})
"""Squares of fips are done sooner than the product before them: results wait for their turn."""


def test_two_cores(rng: random.Random) -> None:
    build = built("ladder", "fips", TWO[0], **TWO[1])
    simulation = Simulation(build)
    assert sum(checks.check_random(simulation, (1 << 60) - 3, 2, rng)) >= 2
    alone = built("ladder", "fips", TWO[0], **{**TWO[1], "Cores": 1})
    latency = build.core.interface.latency
    assert latency(build.config) < 0.7 * latency(alone.config)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("pause_q <= leave_last", "pause_q <= 1'b0"),
        ("if (take_last)  in_q ", "if (1'b0)  in_q "),
        ("if (leave_last) out_q ", "if (take_last) out_q "),
        (".ctx_valid_i(ctx_valid)", ".ctx_valid_i(ctx_valid & (core == 0))"),
        ("assign ctx_error_o = |ctx_error", "assign ctx_error_o = &ctx_error ^ |ctx_error"),
    ],
)
def test_mutants_of_two_cores(right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    found = on("ladder", "fips")
    build = found.build(*TWO)
    wrong_one = mutant(found, tmp_path, "mm_engine_cores", right, wrong)
    simulation = Simulation(wrong_one.of(build.config))
    with pytest.raises((VerificationError, ProtocolError)):
        for _ in checks.check_random(simulation, (1 << 60) - 3, 1, rng):
            pass
        checks.check_context(simulation, [(1 << 60) - 3], rng)
