# SPDX-License-Identifier: Apache-2.0
"""What the contract tests cannot know of fips: cycle counts, named fields, arithmetic parts."""

import random
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from modmul.core import Polynomial
from modmul.cores.product_scanning.fips.core import Fips, hat, interval, latency, timing
from modmul.cores.product_scanning.scanning import inverse
from modmul.moduli import modulus
from modmul.registry import room
from modmul.verify.checks import check_batch
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation
from modmul.verify.streams import Planned, as_described, some_plan

FIPS = room("fips")
PAPER = {s: (2 * s * s + s + 4, (3 * s * s + 3 * s) // 2 + 4) for s in (4, 8, 16, 24, 32, 40, 48, 56, 64)}
"""Cycles of the paper by words: a multiplication and a square with one multiplier (Fig. 10)."""
SHORT = {4: (54, 54, 45, 45), 8: (137, 109, 81, 81)}
"""Where a count of the paper is out of reach: multiplication and square with one multiplier, with two."""


@pytest.fixture
def rng() -> random.Random:
    return random.Random(2)


def pairs(simulation: Simulation, n: int, rng: random.Random, count: int = 6) -> tuple[list[int], list[int]]:
    """Operands: the largest, 0, 1, random ones."""
    top = FIPS.core.function.operand_max(simulation.at, n)
    xs = [top, 0, 1, *(rng.randint(0, top) for _ in range(count))]
    return xs, [top, top, 1, *(rng.randint(0, top) for _ in range(count))]


def right(simulation: Simulation, n: int, rng: random.Random, count: int = 6) -> None:
    """Products and squares, with the declared latency; y differs from x in the squares."""
    simulation.load(n)
    xs, ys = pairs(simulation, n, rng, count)
    for square in (False, True):
        assert check_batch(simulation, n, xs, ys, controls={"square": [square] * len(xs)})


def counted(simulation: Simulation, s: int, *, square: bool) -> int:
    """Clock cycles between the last operand beat and the result, counted at the hardware's ports."""
    simulation.load((1 << (32 * s)) - 1)
    batch = simulation.run([3], [5], square=[square])
    return int(batch.latencies[0]) - 1


def test_table_1_and_fig_10() -> None:
    """Every length of Table 1: the traditional algorithm, the proposed square, one multiplier and two."""
    configs = [Fips(2048), Fips(2048, square_optimized=0), Fips(2048, multipliers=2, depth=3)]
    one, old, two = (Simulation(FIPS.of(config)) for config in configs)
    for s, (multiplication, square) in PAPER.items():
        found = tuple(counted(at, s, square=kind) for at in (one, two) for kind in (False, True))
        assert counted(old, s, square=True) == found[0]
        if s in SHORT:
            assert found == SHORT[s]
        else:
            assert found[:2] == (2 * s * s - s + 17, (3 * s * s - s) // 2 + 18)
            assert found[0] <= multiplication and found[1] <= square
            assert found[2] <= multiplication / 2 + 2 and found[3] <= square / 2 + 2


def test_a_stream_takes_no_longer_than_the_products() -> None:
    """From 8 words on, 2s^2 + 1 of a multiplication and two cycles more, loading and unloading included."""
    for s in (8, 12, 16, 32):
        at = Fips(32 * s)
        assert interval(at) == 2 * s * s + 3
        assert s < 12 or interval(replace(at, square=True)) == (3 * s * s + s) // 2 + 4
    assert [interval(Fips(128, multipliers=m, depth=d)) for m, d in ((1, 4), (2, 3))] == [43, 35]


def test_1024_bits() -> None:
    """Section 5.3: 2084 and 1588 cycles with one multiplier, 1044 and 796 with two."""
    found = {}
    for depth in (2, 3, 4):
        one = [latency(Fips(1024, depth=depth, square=square)) - 1 for square in (False, True)]
        two = [latency(Fips(1024, depth=depth, multipliers=2, square=square)) - 1 for square in (False, True)]
        assert one[0] <= 2084 and one[1] <= 1588
        assert two[0] <= 1044 and two[1] <= 796
        found[depth] = (*one, *two)
    assert found == {2: (2031, 1536, 1020, 772), 3: (2032, 1537, 1019, 774), 4: (2033, 1538, 1020, 776)}
    assert timing(Fips(1024)).idle < 24


def test_results_below_three_moduli(rng: random.Random) -> None:
    """From the words of a result N is taken away never, once or twice, also where they are N or 2N."""
    config = Fips(64, word=8)
    simulation = Simulation(FIPS.of(config))
    for n in (0xFFFFFFFFFFFFFF01, 0xFFFFFFFFFFFFFFFD, 0x8000000000000001):
        at = config.at(n)
        simulation.load(n)
        xs = [n] * 100 + [rng.randint(0, n) for _ in range(300)]
        ys = [rng.randint(0, n) for _ in xs]
        words = [before_subtraction(at, n, x, y) for x, y in zip(xs, ys, strict=True)]
        assert {z // n for z in words} == {0, 1, 2} and {n, 2 * n} <= set(words)
        assert check_batch(simulation, n, xs, ys)


def before_subtraction(at: Fips, n: int, x: int, y: int) -> int:
    """The result before lines 20 to 22."""
    z = x * y
    for _ in range(at.beats - 1):
        z = (z >> at.word) + (z & ((1 << at.word) - 1)) * hat(at, n)
    return (z + (z * inverse(n, at.word) & ((1 << at.word) - 1)) * n) >> at.word


@pytest.mark.parametrize("multipliers", [1, 2])
def test_binary_fields(multipliers: int, rng: random.Random) -> None:
    """The NIST fields, that of SM2, dense polynomials, degrees around multiples of the word."""
    simulation = Simulation(FIPS.of(Fips(576, multipliers=multipliers)))
    for name in ("b163", "b233", "b283", "b409", "b571", "sm2-binary"):
        right(simulation, modulus(name).value, rng)
    for degree in (1, 31, 32, 33, 64, 255, 256, 575, 576):
        right(simulation, Polynomial((1 << degree) | 1), rng)
        right(simulation, Polynomial((2 << degree) - 1), rng)
        right(simulation, Polynomial((1 << degree) | rng.getrandbits(degree) | 1), rng)


@pytest.mark.parametrize("multipliers", [1, 2])
def test_prime_fields(multipliers: int, rng: random.Random) -> None:
    """SM2's prime and order, P-192 to P-521, in turn with a binary field."""
    simulation = Simulation(FIPS.of(Fips(576, multipliers=multipliers)))
    for name in ("sm2", "sm2-order", "p192", "p224", "p256", "p384", "p521"):
        right(simulation, modulus(name).value, rng)
        right(simulation, modulus("b233").value, rng, 1)


def test_rsa(rng: random.Random) -> None:
    """Moduli of 1024 to 4096 bits, products of two odd numbers, on one build."""
    for config in (Fips(4096), Fips(4096, multipliers=2, depth=3), Fips(4096, word=64, field_set=1, dsp=1)):
        simulation = Simulation(FIPS.of(config))
        for bits in (1024, 2048, 3072, 4096):
            p, q = (rng.getrandbits(bits // 2) | 3 << (bits // 2 - 2) | 1 for _ in range(2))
            assert (p * q).bit_length() == bits
            right(simulation, p * q, rng, 2)


def test_the_literal_square_is_wrong_in_characteristic_2() -> None:
    """2ab = 0: the doubled products of the paper's Formula 4 must not be there."""
    config = Fips(64, word=16)
    simulation = Simulation(FIPS.of(config))
    n = Polynomial((1 << 61) | 0b100111)
    simulation.load(n)
    at = config.at(n, square=True)
    x = 0x1234_5678_9ABC_DEF1 & ((1 << 61) - 1)
    [z] = simulation.run([x], [0], square=[True]).results
    assert z == n.product(x, x, n.inverse(1 << 64)) == FIPS.core.function.answer(at, n, x, 0)


# --- when words are taken -----------------------------------------------------------------------------


def loaded(simulation: Simulation, words: int, *, binary: bool) -> bool:
    """Load a modulus of so many words; whether the build serves it."""
    bits = simulation.config.word * words
    n = Polynomial((1 << (bits - 1)) | 1) if binary else (1 << bits) - 1
    if not FIPS.core.function.serves(simulation.config, n):
        return False
    simulation.load(n)
    simulation.edge(3)
    return True


def planned(words: int, rng: random.Random) -> list[Planned]:
    """Some operations."""
    return some_plan(words, 2 * words * words + 40, rng)


BUILDS = [
    dict(zip(("Multipliers", "Depth", "SquareOptimized", "FieldSet", "Dsp"), values, strict=True))
    for values in product((1, 2), (2, 3, 4), (0, 1), (1, 2, 3), (0, 1))
    if values[3:] not in ((2, 1), (3, 1))
]
"""All parameters but the widths."""

SOME = [BUILDS[at] for at in (3, 13, 20, 30, 42)]


def described(settings: Mapping[str, int], words: int, count: int, rng: random.Random) -> bool:
    """Whether some operations of every length go as described."""
    simulation = Simulation(FIPS.build(8 * words, {"Word": 8, **settings}), seed=rng.getrandbits(31))
    return all(
        as_described(simulation, planned(length, rng))
        for length in range(1, words + 1)
        for binary in (False, True)
        if loaded(simulation, length, binary=binary)
        for _ in range(count)
    )


@pytest.mark.parametrize("settings", SOME, ids=str)
def test_words_are_taken_when_the_description_says(settings: dict[str, int], rng: random.Random) -> None:
    """Whenever they are offered, and results are taken; words of operations that run, and of those behind."""
    assert described(settings, 6, 40, rng)


def test_the_same_where_columns_wait_for_their_memory(rng: random.Random) -> None:
    """From 17 words on it is finite; squares in GF(2^m) fill it first."""
    assert described({"Multipliers": 2}, 24, 2, rng)


@pytest.mark.long
@pytest.mark.parametrize("settings", BUILDS, ids=str)
def test_the_same_with_all_parameters(settings: dict[str, int], rng: random.Random) -> None:
    assert described(settings, 8, 60, rng)
    assert described(settings, 22, 2, rng)


@pytest.mark.long
@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.parametrize("multipliers", [1, 2])
def test_all_that_short_operations_can_wait(multipliers: int, depth: int) -> None:
    """Of up to three words, between two that come as early as they can: all waits that make a difference."""
    simulation = Simulation(FIPS.build(24, {"Word": 8, "Multipliers": multipliers, "Depth": depth}))
    for words, binary in product((1, 2, 3), (False, True)):
        if not loaded(simulation, words, binary=binary):
            continue
        at = simulation.at
        assert isinstance(at, Fips)
        slow = interval(at) + latency(at) + words
        at_once = (0,) * words
        for squares in product((False, True), repeat=3):
            for waits in product(range(slow), *[(0, 1, 2, 7)] * (words - 1)):
                plan = zip(squares, (at_once, waits, at_once), strict=True)
                assert as_described(simulation, [Planned(*each, at_once) for each in plan]), (squares, waits)


@pytest.mark.long
def test_long_operations_whose_words_come_slowly(rng: random.Random) -> None:
    """With 64 words the memory of columns is full before the last word comes, sooner if there are gaps."""
    simulation = Simulation(FIPS.build(512, {"Word": 8, "Multipliers": 2}))
    loaded(simulation, 64, binary=False)
    for waits in ((0,) * 64, (5,) * 64, *(planned(64, rng)[0].waits for _ in range(8))):
        assert as_described(simulation, [Planned(True, waits, (0,) * 64)] * 2)


@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        ("control", "freed_q     <= freed;", "freed_q     <= freed & room_q == '0;"),
        ("control", "clear_o & ~in_load ? words", "(clear_o | end_op) & ~in_load ? words"),
        ("control", "& (in_part | ~flight_q[1])", ""),
        ("control", "slot = whole_q | in_load_q", "slot = whole_q"),
        ("control", "slot = whole_q | in_load_q", "slot = whole_q | in_part"),
        ("control", "ahead & ~out_busy_q", "ahead"),
        ("scan", "lead_q >= LeadBits'(Ring - 1)", "lead_q >= LeadBits'(Ring - 6)"),
    ],
)
def test_other_times_are_found(
    module: str, right: str, wrong: str, tmp_path: Path, rng: random.Random
) -> None:
    found = mutant(FIPS, tmp_path, f"mm_fips_{module}", right, wrong)
    simulation = Simulation(found.build(8 * 24, {"Word": 8, "Multipliers": 2}))
    lengths = (24,) if module == "scan" else (1, 3, 6)
    assert not all(
        as_described(simulation, planned(length, rng))
        for length in lengths
        for binary in (False, True)
        if loaded(simulation, length, binary=binary)
        for _ in range(20)
    )


# --- parts --------------------------------------------------------------------------------------------

BENCH = """
`default_nettype none
module bench;
  localparam int Word = 8;
  localparam int Depth = DEPTH;
  logic clk = 0, prime;
  logic [7:0] a, b, a_late;
  logic [15:0] p;
  int errors = 0, seen = 0;

  mm_dual_mul #(.Word(Word), .Depth(Depth)) u_mul (
    .clk_i(clk), .prime_i(prime), .b_i(b), .a_i(a_late), .p_o(p)
  );

  logic [3:0] x, y, z, sum, carry, added;
  logic c;
  mm_dual_csa #(.Width(4)) u_csa (.prime_i(prime), .a_i(x), .b_i(y), .c_i(z), .sum_o(sum), .carry_o(carry));
  mm_dual_adder #(.Width(4)) u_adder (
    .carry_a_i(prime ? x : 4'd0), .plain_a_i(prime ? 4'd0 : x), .b_i(y), .carry_i(c & prime), .sum_o(added)
  );

  function automatic logic [15:0] product(input logic prime_field, input logic [7:0] f, input logic [7:0] g);
    product = 16'd0;
    for (int k = 0; k < 8; k++) begin
      if (g[k] && prime_field) product = product + (16'(f) << k);
      else if (g[k]) product = product ^ (16'(f) << k);
    end
  endfunction

  logic [15:0] wanted [0:15];

  initial begin
    for (int field = 0; field < 2; field++) begin
      prime = field[0];
      for (int n = 0; n < 8192; n++) begin
        {c, x, y, z} = 13'(n);
        #1;
        if (prime && (4'(sum + carry) !== 4'(x + y + z) || added !== 4'(x + y + 4'(c)))) errors++;
        if (!prime && (sum !== (x ^ y ^ z) || carry !== 4'd0 || added !== (x ^ y))) errors++;
        seen++;
      end
      for (int n = 0; n < 65536 + 16; n++) begin
        a_late = a;
        {a, b} = 16'(n);
        #1 clk = 1;
        #1 clk = 0;
        for (int k = 15; k > 0; k--) wanted[k] = wanted[k-1];
        wanted[0] = product(prime, a, b);
        if (n >= 16) begin
          if (p !== wanted[Depth+1]) errors++;
          seen++;
        end
      end
    end
    $display("%0d seen, %0d wrong", seen, errors);
    $finish;
  end
endmodule
`default_nettype wire
"""


@pytest.mark.parametrize("depth", [*(pytest.param(k, marks=pytest.mark.long) for k in (2, 3)), 4])
def test_dual_field_parts(depth: int, tmp_path: Path) -> None:
    """Full adders and adder at 4 bits and the multiplier at 8 bits: every operand in both fields (Icarus)."""
    bench = tmp_path / "bench.sv"
    bench.write_text(BENCH.replace("DEPTH", str(depth)))
    known = {source.stem: source for source in FIPS.sources}
    sources = [known[f"mm_dual_{part}"] for part in ("csa", "adder", "wallace", "mul")]
    program = tmp_path / "bench.vvp"
    subprocess.run(["iverilog", "-g2012", "-s", "bench", "-o", program, *sources, bench], check=True)
    done = subprocess.run(["vvp", "-n", program], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == f"{2 * (8192 + 65536)} seen, 0 wrong"


def test_a_build_says_whether_it_takes_multiplier_blocks() -> None:
    """It is measured as it is built: with Dsp = 1, and only then, multiplications go to blocks."""
    blocks = [FIPS.design(Fips(64, field_set=1, dsp=dsp)).multiplier_blocks for dsp in (0, 1)]
    assert blocks == [False, True]
