# SPDX-License-Identifier: Apache-2.0
"""Several lanes of the engine: the same rows at the same time, with other numbers."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count as counting
from pathlib import Path

import pytest
from engine_program import ProgramConfig, contract, programmed

import modmul.room
from modmul.core import Config, Core, ProgramError, RsaKey, socket
from modmul.room import Build, SystemRoom
from modmul.systems.assembly import assemble
from modmul.systems.keys import examples
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

HEAD = """\
.lanes 2
.number one r2 m
.operand x y
.modulus m
      sub z, x, x
      add u, x, z        ; x mod p
"""

CROSSED = (
    HEAD
    + """\
      add v, y, z
      mul -, u, r2
      mul a, f, v        ; x y mod p
      add t, z, @a       ; that of the other lane, mod p
      sub d, a, t
      less u, v
      mul -, u^v, 1    ; by the flag of this lane alone
      mul c, f, r2
      add t, z, @c
      add d, d, t
      out d
"""
)
"""(x y mod p) - (x y mod q) + max(x mod q, y mod q), modulo p."""

RELEASED = (
    HEAD
    + """\
      add v, y, z
      mul -, u, r2
      mul a, f, v
      mul a, f, v
      equal u, v
      release u, z
"""
)
"""x mod p, if x = y modulo both."""

SHORT = HEAD + "mul -, u, r2\nout f\n"
"""The latest result leaves, with numbers shorter than y."""

DRAWN = (
    HEAD
    + """\
      bits first
      bits 1
      mul a, u!r2, u!r2  ; by a bit of the exponent, which is another one in each lane
      add t, z, @a
      sub d, a, t
      out d
"""
)
"""The difference of x^2 / R, or R^3, and the other lane's."""

FULL = (
    HEAD
    + """\
      mul k, u, r2
      mul k, u, one
      mul k, u, u
      mul k, u, r2
      mul k, u, one
      mul k, u, u
      bits 1             ; when the last one has left for the core
test: loop test          ; as many rounds as the length of y says
      mul k, k, u
      out k
"""
)
"""With numbers of one word, more products than a core and the stage in front of it take."""

BESIDE = (
    HEAD
    + """\
      bits 1
      mul a, u, r2
      mul b, u, u
      mul a, a, b
      mul b, b, u
      bits 1
test: loop test          ; as many rounds as the length of y says, of four cycles
      add c, u, u
      sub d, z, u          ; its first pass beside the second one of the sum before
      add g, u, z
      sub h, z, u
      add i, u, u
      sub c, c, g          ; behind all of them
      add d, d, i
      sub c, c, h
      add c, d, a
      add c, c, b
      out c
"""
)
"""Sums one behind the other while results come, which go before theirs."""

PARTS = """\
.lanes 2
.long s t u v x y
.number one=1 zero=0
.operand x y
.count digits=bits/2 more=(2*words+1)/2
      minus s, one, one
      rewind x.1, 1        ; from the lowest word of its second part on
digit:
      bits 2
      acc s, s, y
      repeat digits, digit
      plus t, y, x
      minus u, t, s
      minus v, y, @x
      half u, u, ^
      move t, t^v
      minus s, s, @t, ^    ; by what has gone out there in this lane alone
      plus s, s, 0^u
      plus v, zero, @v     ; that of the lane behind, in its own place
      minus -, t, v, =
      move s, s^t
      plus t.2, t.0, one, ^
      move u, t^s
more: plus s, s, u.2
      repeat more, more
      rewind s             ; all of it, from the top
      bits 2
      acc v, v, t
      rewind s.2, 1        ; from its lowest word, through s.1
low:  bits 2
      acc v, v, x
      repeat digits, low
      plus s, s, v
      out s
"""
"""Long numbers of all the lanes' places, long operands, and bits of them."""

CORE, WIDTH, KEY = "montgomery_csa2", 40, RsaKey(0xFFFFB, 0xFFFFD, 17)
MORE = {
    2: KEY,
    3: RsaKey(0xFFFFB, 0xFFFFD, 17, more=[0xFFFEF]),
    4: RsaKey(0xFFFFB, 0xFFFFD, 17, more=[0xFFFEF, 0xFFFDD]),
}
OTHERS = {2: RsaKey(0xFFFFB, 0xFFFEF, 17), 3: RsaKey(0xFFFFB, 0xFFFFD, 17, more=[0xFFFDD])}
"""Keys of as many primes, and others of another last one."""


@pytest.fixture
def rng() -> random.Random:
    return random.Random(29)


def laned(text: str, core: str = CORE, *, long: bool = False, lanes: int = 2) -> SystemRoom:
    """A program on several lanes of a core, for keys."""
    text = text.replace(".lanes 2", f".lanes {lanes}")
    found = programmed(core, text)
    inner = found.inner.core
    whole = ".long" in text  # operands are long numbers, too

    def explore(width: int) -> Sequence[ProgramConfig]:
        bits = width if long else width // lanes
        return tuple(
            ProgramConfig(width, source=text, inner=build, core=inner, exponent_bits=bits)
            for build in inner.builds.at(width // lanes)[:1]
        )

    described = found.core.changed(
        explore=explore,
        variants=lambda _width: (),
        examples=examples,
        operand_max=lambda config, _key: (1 << (config.bits if whole else config.width // lanes)) - 1,
        result_max=lambda config, key: (1 << config.bits) - 1 if whole else max(key.primes) - 1,
    )
    return replace(found, core=described)


def build_of(found: SystemRoom, width: int = WIDTH, **settings: int) -> Build:
    return found.build(width, settings or {"Word": 5})


def crossed(key: RsaKey, x: int, y: int) -> int:
    """What ``CROSSED`` computes."""
    p, q = key.primes[:2]
    return (x * y % p - x * y % q + max(x % q, y % q)) % p


# --- the text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        (".lanes 2", ".lanes 5", r"line 1: \.lanes takes 1, 2, 3 or 4"),
        (".lanes 2", ".lanes 1", r"line 10: @a is for programs on several lanes"),
        ("z, @a ", "@z, a ", r"line 10: add takes registers alone, not @z"),
        ("z, @a ", "z, @f ", r"line 10: add takes registers alone, not f"),
        ("u, r2", "u, @r2", r"line 8: @r2 is no factor"),
    ],
)
def test_what_the_assembler_refuses(right: str, wrong: str, reason: str) -> None:
    assert CROSSED.count(right) == 1
    with pytest.raises(ProgramError, match=reason):
        assemble(CROSSED.replace(right, wrong))


def test_two_lanes_take_keys() -> None:
    build = build_of(laned(CROSSED))
    build.check(KEY)
    with pytest.raises(ValueError, match="a whole RSA key"):
        build.check(int(KEY))


# --- the hardware -------------------------------------------------------------------------------------


def agree(build: Build, rng: random.Random, count: int) -> None:
    """Results and cycles are those of the model."""
    simulation = Simulation(build, seed=rng.getrandbits(31))
    for key in checks.interesting_moduli(build, rng, 3):
        assert sum(checks.check_random(simulation, key, count, rng)) >= count


@pytest.mark.parametrize(
    ("core", "settings"),
    [(CORE, {"Word": 5}), pytest.param("imml_booth8", {"EngineWord": 4}, marks=pytest.mark.long)],
)
def test_numbers_of_the_other_lane(core: str, settings: dict[str, int], rng: random.Random) -> None:
    build = build_of(laned(CROSSED, core), **settings)
    agree(build, rng, 30)
    simulation = Simulation(build, seed=rng.getrandbits(31))
    simulation.load(KEY)
    for _ in range(20):
        x, y = rng.randrange(1 << 20), rng.randrange(1 << 20)
        assert simulation.multiply(x, y) == crossed(KEY, x, y)


def beside(changed: Callable[[SystemRoom], SystemRoom], rng: random.Random) -> None:
    """Results come at any time beside sums, with numbers of eight words and of one."""
    for word, bits in ((5, 1), (5, 2), (5, 3), (5, 4), (40, 1)):
        found = changed(laned(BESIDE.replace("bits 1\ntest", f"bits {bits}\ntest")))
        build = build_of(found, 80, Word=word, EngineWord=word, ExponentBits=60)
        simulation = Simulation(build, seed=rng.getrandbits(31))
        [key] = checks.interesting_moduli(build, rng, 1)
        for length in range(3, 14):
            simulation.config = build.config.running(length=length)
            assert sum(checks.check_random(simulation, key, 8, rng)) >= 8


def test_sums_beside_results(rng: random.Random) -> None:
    beside(lambda room: room, rng)


@pytest.mark.long
@pytest.mark.parametrize(
    ("program", "file", "right", "wrong"),
    [
        (CROSSED, "sequencer", "read_sum_busy_q | begun_q2", "read_sum_busy_q"),
        (CROSSED, "sequencer", "= feed_busy_q | begun_q2", "= feed_busy_q"),
        (CROSSED, "sequencer", "if (begins != come_q)", "if (1'b1)"),
        (CROSSED, "sequencer", "feed_q & ~feed_out_o;", "feed_q;"),
        (DRAWN, "sequencer", "ask_q2 | ask_q3", "ask_q2"),
        (BESIDE, "sequencer", "Ahead != 0 && turn_q ? TURN : FETCH", "FETCH"),
        (CROSSED, "sequencer", "Ahead != 0 ? TURN : FETCH", "FETCH"),
        (BESIDE, "sequencer", "pc_q[PcBits-1:4] == (PcBits-4)'(part)", "part == 0"),
        (CROSSED, "sequencer", "assign start   = start_q;", "assign start   = start_i;"),
        (CROSSED, "sequencer", "(state_q == IDLE) & ~started", "state_q == IDLE"),
        (CROSSED, "feed", "last_read_q <= beat_q == before_last_q", "last_read_q <= 1'b0"),
        (SHORT, "feed", "f_words_q & ~top_q", "f_words_q"),
        (CROSSED, "feed", "(waits_q & there) |", "waits_q |"),
        (CROSSED, "feed", "f_needed & latest :", "f_needed :"),
        (CROSSED, "feed", "& ~full & words_q & f_ready", "& ~full & words_q"),
    ],
)
def test_mutants_of_what_lanes_do_later(
    program: str, file: str, right: str, wrong: str, tmp_path: Path, rng: random.Random
) -> None:
    found = laned(program, long=program == DRAWN)
    found = mutant(found, tmp_path, f"mm_engine_{file}", right, wrong)
    settings = {"Word": 5, "ExponentBits": 60 if program == SHORT else 20}
    with pytest.raises((AssertionError, VerificationError, ProtocolError)):
        agree(build_of(found, **settings), rng, 10)


def test_the_latest_result_leaves(rng: random.Random) -> None:
    """Behind its words come zeros, up to the length of the operands."""
    agree(build_of(laned(SHORT), Word=5, ExponentBits=60), rng, 10)


@pytest.mark.long
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("= {any_q, use_u_q2, addr_q", "= {any_q, use_u_q, addr_q"),
        ("else if (go) any_q <= run_q", "else         any_q <= run_q"),
        ("if (go) {use_u_q2, addr_q", "{use_u_q2, addr_q"),
        ("run_q | any | (sum_write_o", "run_q | (sum_write_o"),
    ],
)
def test_mutants_of_late_sums(right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    folders = (tmp_path / str(number) for number in counting())
    with pytest.raises((AssertionError, VerificationError, ProtocolError)):
        beside(lambda room: mutant(room, next(folders), "mm_engine_sum", right, wrong), rng)


@pytest.mark.long
@pytest.mark.parametrize("lanes", [3, 4])
def test_numbers_of_the_lane_behind(lanes: int, rng: random.Random) -> None:
    build = build_of(laned(CROSSED, lanes=lanes), 20 * lanes)
    agree(build, rng, 10)
    simulation = Simulation(build, seed=rng.getrandbits(31))
    simulation.load(MORE[lanes])
    for _ in range(20):
        x, y = rng.randrange(1 << 20), rng.randrange(1 << 20)
        assert simulation.multiply(x, y) == crossed(MORE[lanes], x, y)


@pytest.mark.parametrize(
    ("lanes", "core", "width", "settings"),
    [
        (3, CORE, 60, {"Word": 5}),  # four words
        pytest.param(3, CORE, 48, {"Word": 16}, marks=pytest.mark.long),  # one
        pytest.param(3, CORE, 60, {"Word": 7}, marks=pytest.mark.long),  # three, whose bits 2 does not divide
        pytest.param(4, CORE, 80, {"Word": 5}, marks=pytest.mark.long),
        pytest.param(4, "imml_booth8", 92, {"EngineWord": 5}, marks=pytest.mark.long),
        pytest.param(3, "rrm", 129, {"Word": 8}, marks=pytest.mark.long),
    ],
)
def test_parts(lanes: int, core: str, width: int, settings: dict[str, int], rng: random.Random) -> None:
    agree(build_of(laned(PARTS, core, long=True, lanes=lanes), width, **settings), rng, 20)


@pytest.mark.parametrize("settings", [{"Word": 5}, {"Word": 20}])
def test_other_random_bits(settings: dict[str, int], rng: random.Random) -> None:
    build = build_of(laned(DRAWN, long=True), **settings)
    agree(build, rng, 30)
    simulation = Simulation(build, seed=rng.getrandbits(31))
    simulation.load(KEY)
    results = {(a, b): simulation.multiply(5, a << 38 | b << 18) for a in range(4) for b in range(4)}
    assert len(set(results.values())) == 4
    assert results[0, 0] == results[2, 2] == results[0, 2]


@pytest.mark.parametrize("cores", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_core_whose_stage_is_full(cores: int) -> None:
    """The words behind wait for it, and so does the row behind."""
    settings = {"EngineWord": 20, "ExponentBits": 160, "Cores": cores}
    build = build_of(laned(FULL, "interleaved_csa"), **settings)
    simulation = Simulation(build)
    for length in range(100, 160, 7):
        simulation.config = build.config.running(length=length)
        simulation.load(KEY)
        assert simulation.run([3], [0]).latencies.tolist() == [build.core.interface.latency(simulation.at)]


def test_contract(rng: random.Random) -> None:
    contract(build_of(laned(CROSSED)), rng, 10)


def released(found: SystemRoom, rng: random.Random, lanes: int = 2) -> None:
    """A number is released if all lanes say so."""
    key = MORE[lanes]
    least = min(key.primes)  # below it, what lanes release is the same number
    simulation = Simulation(build_of(found, 20 * lanes), seed=rng.getrandbits(31))
    alone = [(prime + 1, 1) for prime in key.primes]  # equal modulo this prime
    for x, y in [(9, 9), (9, 8), *alone, (0, 0), (least - 1, least - 1), (1, key.q + 1)]:
        simulation.load(key)
        right = all((x - y) % prime == 0 for prime in key.primes)
        assert simulation.multiply(x, y) == (x % key.p if right else 0)
        assert simulation.peek("ctx_error_o") != right


@pytest.mark.parametrize("lanes", [2, pytest.param(3, marks=pytest.mark.long)])
def test_release(lanes: int, rng: random.Random) -> None:
    released(laned(RELEASED, lanes=lanes), rng, lanes)


LEFT = """\
.lanes 2
.number one r2 m g
.operand x y
.modulus m
.entry shown
      mul g, x, r2
      sub z, x, x
      equal x, y
      release x, z
shown:
      sub z, x, x
      add u, z, @g
      out {}
"""
"""Behind a number that is not released: what is left of a product, in this lane or the other one."""


def left(text: str, folder: Path, right: str = "", wrong: str = "") -> list[int]:
    """What a copy of the engine that goes on behind an error shows."""
    found = mutant(
        laned(text),
        folder / "port",
        "mm_engine_port",
        ": head_legal_q & ~core_error_i & ~refused",
        ": head_legal_q",
    )
    if right:
        found = mutant(found, folder / "wrong", "mm_engine", right, wrong)
    build = build_of(found)
    config = replace(build.config, given=(("g", 0),))  # type: ignore[call-arg]
    simulation = Simulation(found.of(config))
    simulation.load(KEY)
    results = []
    for x, y in ((5, 5), (5, 6)):
        simulation.multiply(x, y)
        results += simulation.run([0], [0], product=[True]).results
    return results


@pytest.mark.parametrize("register", ["g", "u"])
def test_a_refused_release_leaves_nothing(register: str, tmp_path: Path) -> None:
    kept, wiped = left(LEFT.format(register), tmp_path)
    assert kept
    assert not wiped


def test_what_a_refused_release_leaves_is_found(tmp_path: Path) -> None:
    assert left(LEFT.format("g"), tmp_path, "wiping_q  <= refused |", "wiping_q  <= 1'b0 |")[1]


# --- faults -------------------------------------------------------------------------------------------


def late(monkeypatch: pytest.MonkeyPatch, prime: int, operation: int) -> None:
    """Cores of a prime hold a result back for a cycle: that of an operation, counted from the context on."""

    def text(core: Core, config: Config, module: str) -> str:
        right = socket(core, config, module)
        ports = right[right.index("`default_nettype") : right.index(");\n")]
        return f"""\
{right.replace("mm_sys_core", "mm_sys_right_core")}
{ports});

  logic [15:0] number_q;
  logic [7:0]  beat_q;
  logic        first_q, held_q, hold, valid;
  logic [{config.word - 1}:0] modulus_q;

  assign hold = number_q == 16'd{operation} && beat_q == '0 && !held_q
             && modulus_q == {config.word}'d{prime % (1 << config.word)};
  assign out_valid_o = valid & ~hold;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q <= '0;
      beat_q   <= '0;
      first_q  <= 1'b1;
      held_q   <= 1'b0;
    end else begin
      first_q <= (first_q & ~(ctx_valid_i & ctx_ready_o)) | (in_valid_i & in_ready_o);
      held_q  <= valid & hold;
      if (ctx_valid_i) number_q <= '0;
      if (out_valid_o && out_ready_i) begin
        beat_q <= beat_q == 8'd{config.beats - 1} ? '0 : beat_q + 1'b1;
        if (beat_q == 8'd{config.beats - 1}) number_q <= number_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) if (first_q && ctx_valid_i && ctx_ready_o) modulus_q <= ctx_data_i;

  mm_sys_right_core u_right (
    .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o,
    .x_i, .y_i, .square_i, .chain_i, .keep_i, .out_valid_o(valid), .out_ready_i(out_ready_i & ~hold), .z_o
  );

endmodule

`default_nettype wire
"""

    monkeypatch.setattr(modmul.room, "socket", text)


def delayed(found: SystemRoom, operation: int, monkeypatch: pytest.MonkeyPatch, lanes: int = 2) -> None:
    """The last lane comes late: no word leaves until a reset."""
    late(monkeypatch, MORE[lanes].primes[-1], operation)
    simulation = Simulation(build_of(found, 20 * lanes))
    fault = operation <= 2
    other = OTHERS[lanes]
    for key, refused in ((other, False), (MORE[lanes], fault), (other, fault)):
        simulation.load(key)
        simulation.edge(2)
        assert not simulation.peek("ctx_error_o")
        try:
            left = simulation.multiply(7, 7)
        except ProtocolError:
            left = None
        assert left == (None if refused else 7)
        assert simulation.peek("ctx_error_o") == refused
    simulation.reset()
    simulation.load(other)
    assert simulation.multiply(7, 7) == 7


@pytest.mark.parametrize(
    ("operation", "lanes"), [(0, 2), (2, 2), (3, 2), pytest.param(0, 3, marks=pytest.mark.long)]
)
def test_of_lanes_that_differ_no_word_leaves(
    operation: int, lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    delayed(laned(RELEASED, lanes=lanes), operation, monkeypatch, lanes)


# --- the tests above can fail -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "file", "right", "wrong"),
    [
        (CROSSED, "lane", "cross_q ? b_word_i : b_word", "b_word"),
        pytest.param(CROSSED, "lane", "feed_out ? agreed_i : flag_o", "agreed_i", marks=pytest.mark.long),
        pytest.param(
            CROSSED, "", "Lanes == 1 || write_lane == PartBits'(lane)", "1'b1", marks=pytest.mark.long
        ),
        (RELEASED, "", "agreed_q <= &flag", "agreed_q <= flag[0]"),
        pytest.param(RELEASED, "", "agreed_q <= &flag", "agreed_q <= flag[1]", marks=pytest.mark.long),
        pytest.param(RELEASED, "lane", "feed_out ? agreed_i : flag_o", "flag_o", marks=pytest.mark.long),
        (DRAWN, "", "if (write_y & ~wiping) addr[SlotBits", "if (1'b0) addr[SlotBits"),
        (CROSSED, "stage", "if (!full_q && !put_q) even_q", "if (!put_q) even_q"),
    ],
)
def test_mutants(program: str, file: str, right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    name = "mm_engine_" + file if file else "mm_engine"
    found = mutant(laned(program, long=program == DRAWN), tmp_path, name, right, wrong)
    with pytest.raises((AssertionError, VerificationError, ProtocolError)):
        released(found, rng) if program == RELEASED else agree(build_of(found), rng, 30)


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "build", "right", "wrong"),
    [
        ("", 0, "Word*((lane+1)%Lanes)", "Word*((lane+Lanes-1)%Lanes)"),
        ("", 0, "part + PartBits'(Lanes - lane)", "part"),
        ("reader", 1, "& (part_next != LastPart);", "& 1'b0;"),
        ("reader", 0, "assign part_next     = part_q + 1'b1;", "assign part_next     = PartBits'(1);"),
        ("plain", 0, "part_q <= part_q + 1'b1", "part_q <= PartBits'(1)"),
        ("port", 0, "half_last_q && !last_part ? part_q + 1'b1", "half_last_q && !last_part ? PartBits'(1)"),
        ("port", 0, "lane_last || !head_legal_q ? '0 : lane_q + 1'b1", "{1'b0, ~lane_q[0] & head_legal_q}"),
        ("feed", 0, "part < Parts; part++) long_top", "part < 2; part++) long_top"),
        ("sequencer", 0, "slot_q[PartBits-1:0] - 1'b1", "'0"),
        ("sequencer", 2, "3'(a[PartBits-1:0])", "{2'b0, |a[PartBits-1:0]}"),
    ],
)
def test_mutants_of_parts(
    file: str, build: int, right: str, wrong: str, tmp_path: Path, rng: random.Random
) -> None:
    width, settings = [(60, {"Word": 5}), (48, {"Word": 16}), (60, {"Word": 7})][build]
    name = "mm_engine_" + file if file else "mm_engine"
    found = mutant(laned(PARTS, long=True, lanes=3), tmp_path, name, right, wrong)
    with pytest.raises((AssertionError, VerificationError, ProtocolError)):
        agree(build_of(found, width, **settings), rng, 10)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("| (|parts_q)", ""),
        ("<= stray_q | (|does_parts_q)", "<= (|does_parts_q)"),
    ],
)
def test_mutants_that_miss_differences(
    right: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = mutant(laned(RELEASED), tmp_path, "mm_engine", right, wrong)
    with pytest.raises(AssertionError):
        delayed(found, 0, monkeypatch)


@pytest.mark.long
def test_a_third_lane_that_nobody_hears_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = mutant(laned(RELEASED, lanes=3), tmp_path, "mm_engine", "| (|parts_q)", "| (|parts_q[3:0])")
    with pytest.raises(AssertionError):
        delayed(found, 0, monkeypatch, 3)
