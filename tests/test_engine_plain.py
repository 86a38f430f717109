# SPDX-License-Identifier: Apache-2.0
"""Sums without a modulus, long registers, bits of any register and counts, against integers."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from engine_program import DOUBLE, PLAIN, ProgramConfig, contract, programmed

from modmul.core import Polynomial, ProgramError
from modmul.room import Build, SystemRoom
from modmul.systems.assembly import assemble
from modmul.systems.modelling import modelled
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

PRIME = 0xFFFFFFFFA9


@pytest.fixture
def rng() -> random.Random:
    return random.Random(29)


def config_of(build: Build) -> ProgramConfig:
    assert isinstance(build.config, ProgramConfig)
    return build.config


# --- a program with all of it -------------------------------------------------------------------------


def truth(x: int, y: int, k: int, size: int, word: int) -> int:
    """What ``PLAIN`` gives for a long x, with numbers of so many bits and words of so many."""
    both = (1 << 2 * size) - 1
    low, high = x & (1 << size) - 1, x >> size
    s, t = x * y & both, x + y & both
    u = t - s & both
    a, b = (y, low) if low < y else (low, y)
    u = u + (a - b if low < y else 0) & both
    t, s = (u >> 2, u >> 1) if u & 1 else (t >> 1, s)
    s = s + b * -(-(2 * (size // word) + 1) // 2) & both
    bits = high & (1 << word) - 1
    t = 4 * t + (bits >> word - 2) * k & both
    c = b if bits >> word - 4 & 1 else a
    c = 4 * c + (low >> size - 2) * y & (1 << size) - 1
    t = 4 * t + (low >> size - 4 & 3) * c & both
    a = 1 if a == b else a
    high = (s >> size) + a & (1 << size) - 1
    return (high << size | s & (1 << size) - 1) + t & both


CONTROL = (
    "u_sequencer.state_q",
    "u_sequencer.row_q",
    "u_sequencer.exp_slot_o",
    "u_sequencer.exp_beat_o",
    "gen_lane[0].u_lane.u_reader.a_addr",
    "gen_lane[0].u_lane.u_reader.b_addr",
    "gen_lane[0].u_lane.u_reader.advance",
    "gen_lane[0].u_lane.write_q",
    "gen_lane[0].u_lane.write_addr_q",
    "gen_lane[0].u_lane.read_busy_o",
)


def plain_program(core: str) -> SystemRoom:
    found = programmed(core, PLAIN)
    signals = {name: f"u_engine.{name}" for name in CONTROL}
    return replace(found, core=found.core.changed(trace=lambda _config: signals))


def right(found: SystemRoom, width: int, rng: random.Random, count: int, **settings: int) -> Simulation:
    """Results are those of integers, and of the model; times are those of the model."""
    k = rng.getrandbits(width)
    build = found.build(width, settings).running(given=(("k", k),))
    simulation = Simulation(build, seed=rng.getrandbits(31))
    for modulus in (checks.interesting_moduli(build, rng, 2)[-1], (1 << width) - 1):
        config = config_of(build).at(modulus)
        size = config.number * config.word
        simulation.load(modulus)
        most = build.core.function.operand_max(config, modulus)
        pairs = [(rng.getrandbits(2 * size), rng.randint(0, most)) for _ in range(count)]
        pairs += [((1 << 2 * size) - 1, most), (0, 0), (7, 7), (1 << size, 0), (6, 7)]
        batch = simulation.run(*map(list, zip(*pairs, strict=True)))
        for (x, y), z in zip(pairs, batch.results, strict=True):
            assert z == truth(x, y, k, size, config.word) == modelled(config, modulus, x, y)[0], (x, y)
        assert set(batch.latencies.tolist()) == {build.core.interface.latency(config)}
    return simulation


def test_plain_sums(rng: random.Random) -> None:
    """And no data reach what decides when something happens, and where."""
    simulation = right(plain_program("montgomery_csa2"), 40, rng, 20, Word=8)
    size = 40
    pairs = ((0, 0), ((1 << 2 * size) - 1, PRIME - 1), (0, PRIME - 1), (rng.getrandbits(80), 5))
    runs = [simulation.follow(x, y)[1:] for x, y in pairs]
    assert all(each == runs[0] for each in runs)
    assert len({state["gen_lane[0].u_lane.u_reader.a_addr"] for state in runs[0]}) > 8


@pytest.mark.long
@pytest.mark.parametrize(
    ("core", "width", "settings"),
    [
        ("rrm", 40, {}),
        ("fips", 24, {"Word": 8}),
        ("montgomery_csa2", 20, {"Word": 32}),  # one word
        ("montgomery_csa2", 20, {"Word": 10}),  # two
        ("imml_booth8", 43, {"EngineWord": 6, "Cores": 2}),
    ],
)
def test_plain_sums_on_other_cores(
    core: str, width: int, settings: dict[str, int], rng: random.Random
) -> None:
    right(plain_program(core), width, rng, 20, **settings)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("plain", "else if (valid_p) carry_q <= carry", "else if (valid_p) carry_q <= 1'b0"),
        ("plain", "else if (there[Below]) more_q <= more;", "else if (there[Below]) more_q <= 1'b0;"),
        ("plain", "above_q <= b_in[Word-1 -: Most-1];", "above_q <= '0;"),
        ("plain", "near_q & a_in[0]", "1'b0"),
        ("plain", "b_word_q & {Word{~upper_q | b_long_q}}", "b_word_q"),
        ("plain", "{Word{~upper_q | a_long_q}}", "{Word{1'b1}}"),
        ("plain", "carry_q ^ minus_q", "carry_q"),
        ("plain", "some_q[place] | (|octets", "(|octets"),
        ("plain", "if (start_i && test_i[1])", "if (1'b0)"),
        ("lane", "by_zero_q ? zero : flag_q", "flag_q"),
        ("plain", "if (valid_q && !there_q[1]) below_q", "if (valid_q) below_q"),
        ("plain", "SlotCount'(part_q)", "SlotCount'(0)"),
        ("reader", "~long_q | (part_q == LastPart);", "1'b1;"),
        ("feed", "out_i && long_i ?", "1'b0 ?"),
        ("port", "half_beat_q == last_beat_o", "1'b0"),
        ("sequencer", "if (go && rewind) any_q <= 1'b0;\n      else if", "if"),
        ("sequencer", "? '0 : slot_q[PartBits-1:0] - 1'b1;", "? slot_q[PartBits-1:0] : '0;"),
        ("sequencer", "choose_o[0] ? InBits'(target) :", ""),
        ("sequencer", "known = counts_i[each*Repeats +: Repeats]", "known = '0"),
    ],
)
@pytest.mark.long
def test_mutants(file: str, old: str, new: str, tmp_path: Path, rng: random.Random) -> None:
    found = mutant(plain_program("montgomery_csa2"), tmp_path, f"mm_engine_{file}", old, new)
    with pytest.raises((AssertionError, VerificationError, ProtocolError)):
        right(found, 40, rng, 20, Word=8)


BOTH = """\
.long u v
.number one r2 m
.operand x y
.modulus m
.count nine=(3*words+2)/1 three=3
      minus v, one, one
      minus v, v, y
      plus u, v, one, ^
      mul a, x, r2
      half u, u
      move b, x^y
      plus w, b, a, ^
      mul c, a^b, a^b
      minus u.1, u.1, c, ^
      rewind u, 1
      bits 1
      acc v, v, a
      rewind u.0
      mul e, f, x
again:
      bits 1
      acc u, u, a
      acc v, v, u.0
      repeat three, again
      rewind y
      add g, a, x
      bits 1
      acc u, u, g
      half v, v, ^
      mul h, g, f
      half h, h
      plus -, h, g, =
      move t, g^h
      minus -, u, v, ^
      move u, u^v
      less a, c
      sub g, c, a
      plus u, u, g
      minus -, u, t, ^
      move t, t^g
more:
      plus u, u, one
      repeat nine, more
      rewind e
      bits 1
      acc u, u, t
      out u
"""
"""Plain sums beside products and sums modulo M."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("core", "width", "settings"),
    [
        ("montgomery_csa2", 40, {"Word": 8}),
        ("montgomery_csa2", 19, {"Word": 32}),
        ("fips", 42, {"Word": 8}),
        ("imml_booth8", 43, {"EngineWord": 7, "Cores": 2}),
        ("rrm", 40, {}),
    ],
)
def test_beside_the_core(core: str, width: int, settings: dict[str, int], rng: random.Random) -> None:
    contract(programmed(core, BOTH).build(width, settings), rng)
    if settings.get("Word") != 32:  # numbers have two words at least
        contract(programmed(core, UNEVEN).build(width, settings), rng)


# --- words of any length ------------------------------------------------------------------------------

UNEVEN = """\
.long u s y
.number zero=0
.operand x y
.count digits=bits/2
      minus s, zero, zero
      rewind x
digit:
      bits 2
      acc s, s, y
      repeat digits, digit
      move u.0, x
      move u.1, y.0
      rewind x
      bits 4
      bits 2
      acc a, y.1, x
      rewind u, 2
      bits 4
      bits 2
      acc b, x, y.0
      plus s.0, s.0, a
      plus s.1, s.1, b
      out s
"""


def uneven(found: SystemRoom, rng: random.Random) -> None:
    """Digits come out even at the bottom, whatever the number of bits."""
    for width, word in ((15, 5), (18, 6)):
        build = found.build(width, {"Word": word})
        simulation = Simulation(build, seed=rng.getrandbits(31))
        modulus = (1 << width) - 1
        simulation.load(modulus)
        pairs = [(rng.randrange(modulus), rng.getrandbits(2 * width)) for _ in range(20)]
        batch = simulation.run(*map(list, zip(*pairs, strict=True)))
        for (x, y), z in zip(pairs, batch.results, strict=True):
            low, high = y % (1 << width), y >> width
            first = (width - 1) % 4 + 1
            more = width + 2 * word
            a = 4 * high + (x >> width - first - 2 & 3) * x
            b = 4 * x + ((low << width | x) >> more - ((more - 1) % 4 + 1) - 2 & 3) * low
            assert z % (1 << width) == (x * y + a) % (1 << width)
            assert z >> width == ((x * y >> width) + b) % (1 << width)
        assert set(batch.latencies.tolist()) == {build.latency}


def test_words_of_any_length(rng: random.Random) -> None:
    uneven(programmed("montgomery_csa2", UNEVEN), rng)


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("times(3'(Word % 8), words)", "words"),
        ("{3{long_o}} & 3'(a[PartBits-1:0])", "3'd0"),
        ("3'(target) :", "3'(last_beat_i) :"),
        ("over & {3{rewind & ~choose_o[1]}}", "rewind ? over : over_q"),
        ("FirstBits'(over_q[0]) :", "'0 :"),
        ("assign y_place     = half_place_q", "assign y_place = AddrBits'(in_beat_q2)"),
    ],
)
def test_mutants_of_words(old: str, new: str, tmp_path: Path, rng: random.Random) -> None:
    file = "mm_engine_port" if "place" in old else "mm_engine_sequencer"
    found = mutant(programmed("montgomery_csa2", UNEVEN), tmp_path, file, old, new)
    with pytest.raises(AssertionError):
        uneven(found, rng)


# --- digits of more bits ------------------------------------------------------------------------------

DIGITS = """\
.long s
.number zero=0
.operand x y
.count digits=bits/{taken}
      minus s, zero, zero
      rewind x
digit:
      bits {taken}
      acc s, s, y
      repeat digits, digit
      minus s, s, x
      out s
"""
"""The first digit has fewer bits where they do not divide those of x."""


def by_digits(taken: int, changed: Callable[[SystemRoom], SystemRoom] = lambda room: room) -> SystemRoom:
    return changed(programmed("montgomery_csa2", DIGITS.format(taken=taken)))


def digits(found: SystemRoom, rng: random.Random) -> None:
    """The product less x, with words of even and odd lengths and numbers that digits do not divide."""
    for width, word in ((40, 8), (15, 15), (18, 9), (33, 11), (20, 10)):
        build = found.build(width, {"Word": word})
        simulation = Simulation(build, seed=rng.getrandbits(31))
        modulus = (1 << width) - 1
        simulation.load(modulus)
        pairs = [(rng.randrange(modulus), rng.randrange(modulus)) for _ in range(20)]
        pairs += [(modulus - 1, modulus - 1), (0, modulus - 1), (1 << width - 1, 7)]
        batch = simulation.run(*map(list, zip(*pairs, strict=True)))
        assert batch.results == [(x * y - x) % (1 << 2 * width) for x, y in pairs]
        assert set(batch.latencies.tolist()) == {build.latency}


@pytest.mark.parametrize("taken", [1, 4, 8])
def test_digits(taken: int, rng: random.Random) -> None:
    digits(by_digits(taken), rng)


@pytest.mark.long
@pytest.mark.parametrize(
    ("taken", "file", "old", "new"),
    [
        (4, "mm_engine_plain", "more_q <= more;", "more_q <= 1'b0;"),
        (8, "mm_engine_plain", "if (there[Below]) more_q", "if (there[Levels]) more_q"),
        (4, "mm_engine_plain", "above_q <= b_in[Word-1 -: Most-1];", "above_q <= (Most-1)'(b_in[Word-1]);"),
        (8, "mm_engine_plain", "{Word{times_q[place]}}", "{Word{times_q[place] & (place < 7)}}"),
        (8, "mm_engine_plain", "near_q | (|there);", "near_q | (|there[Levels-1:0]);"),
        (8, "mm_engine_sequencer", "FirstBits'(over_q)\n", "FirstBits'(over_q[1:0])\n"),
        (8, "mm_engine_sequencer", "times(3'(Word % 8), words)", "times(3'(Word % 4), words)"),
    ],
)
def test_mutants_of_digits(
    taken: int, file: str, old: str, new: str, tmp_path: Path, rng: random.Random
) -> None:
    found = by_digits(taken, lambda room: mutant(room, tmp_path, file, old, new))
    with pytest.raises((AssertionError, VerificationError, ProtocolError)):
        digits(found, rng)


# --- doubling -----------------------------------------------------------------------------------------


def doubled(found: SystemRoom, rng: random.Random) -> None:
    for width in (23, 24):  # of GF(2^24) M has a bit more than its words
        build = found.build(width, {"Word": 8})
        simulation = Simulation(build, seed=rng.getrandbits(31))
        for modulus in checks.interesting_moduli(build, rng, 6):
            simulation.load(modulus)
            config = config_of(build).at(modulus)
            most = modulus - 1 if not isinstance(modulus, Polynomial) else (1 << modulus.degree) - 1
            pairs = [(rng.randint(0, most), rng.randint(0, most)) for _ in range(20)] + [
                (most, 0),
                (most, most),
            ]
            results = simulation.run(*map(list, zip(*pairs, strict=True))).results
            for (x, y), z in zip(pairs, results, strict=True):
                right = (32 * (x + y) - y) % modulus
                if isinstance(modulus, Polynomial):
                    right = modulus.product(x ^ y, modulus.product(32)) ^ y
                assert z == right == modelled(config, modulus, x, y)[0]


def test_doubling(rng: random.Random) -> None:
    """In both fields."""
    doubled(programmed("fips", DOUBLE), rng)


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("twice_q & hit_q", "twice_q"),
        ("binary ? t_q ^ k_q : u_total", "u_total"),
        ("{Word{~subtract_q & ~binary}}", "{Word{~subtract_q}}"),
        ("assign added      = ~binary | twice_q", "assign added      = ~binary"),
        ("twice_q & hit_q", "hit_q"),
    ],
)
def test_mutants_of_doubling(old: str, new: str, tmp_path: Path, rng: random.Random) -> None:
    found = mutant(programmed("fips", DOUBLE), tmp_path, "mm_engine_sum", old, new)
    with pytest.raises((AssertionError, VerificationError, ProtocolError)):
        doubled(found, rng)


# --- the assembler ------------------------------------------------------------------------------------

HEAD = ".long s\n.number one\n.operand x y\n.count some=bits/2\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("acc x, x, y\nout x\n", r"line 5: acc takes the digit of 'bits 1', 2, 4 or 8 before it"),
        ("bits 3\nacc x, x, y\nout x\n", r"line 6: acc takes the digit"),
        ("bits 1\nacc x, x, y\nbits 2\nacc x, x, y\nout x\n", r"line 8: digits of acc have 2 bits here, 1"),
        ("plus s, x\nout x\n", r"line 5: plus takes 3 names and, for the flag, \^ or =, not 2"),
        ("move s, x, ^\nout x\n", r"line 5: move takes 2 names, not 3"),
        ("plus a, x, f\nout x\n", r"line 5: plus takes registers alone, not f"),
        ("plus a, x, x^y\nout x\n", r"line 5: plus takes registers alone, not x\^y"),
        ("plus -, x, y\nout x\n", r"line 5: this gives nothing"),
        ("plus a, x, y, ?\nout x\n", r"line 5: behind the registers stands \^ or =, not \?"),
        ("plus a, s, y\nout x\n", r"line 5: s is long, a is not; take s.0, or .long a"),
        ("plus s, s, y\nout x\n", r"line 5: s.0 is read before it is written"),
        ("mul s.0, x, y\nout s\n", r"line 6: s.1 is read before it is written"),
        ("mul s, x, y\nout x\n", r"line 5: s is long; mul takes s.0 or s.1"),
        ("mul a.0, x, y\nout x\n", r"line 5: a has no parts; let it be long: .long a"),
        ("move s, x\nminus a, x, y, ^\nrelease s, a\n", r"line 7: s and a must both be .long, or neither"),
        ("move a, x^y\nout x\n", r"line 5: the flag is read before it is written"),
        ("rewind f\nout x\n", r"line 5: rewind takes a register, not f"),
        ("rewind x, 0\nout x\n", r"line 5: rewind takes how many words, at least 1, not 0"),
        ("rewind a\nbits 1\nout x\n", r"line 5: a is read before it is written"),
        ("a: bits 1\nrewind x\nloop a\nout x\n", r"line 5: bits are those of x and of y; rewind before it"),
        ("a: repeat other, a\nout x\n", r"line 5: repeat takes a number from 1 on, not other"),
    ],
)
def test_what_the_assembler_refuses(text: str, reason: str) -> None:
    with pytest.raises(ProgramError, match=reason):
        assemble(HEAD + text)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (".count some=bits\n", r"line 5: the count some is there twice"),
        (".count n\n", r"line 5: n is no count; it is NAME="),
        (".count k=n**2\n", r"line 5: k=n\*\*2 is no count"),
        (".long 3\n", r"line 5: .long takes registers"),
        (".long one\n.modulus one\n", r"line 5: one is the modulus, which is not long"),
        (".long t1\n.table t 2\n", r"line 5: t1 is in the table, which is not long"),
        (".long k\n.number ~k\n", r"line 5: k is long, and the core's domain is not; leave ~ away"),
        (".long y\nbits 1\n", r"line 6: say which register the bits are of: rewind y"),
    ],
)
def test_what_directives_refuse(wrong: str, reason: str) -> None:
    with pytest.raises(ProgramError, match=reason):
        assemble(f"{HEAD}{wrong}out x\n")


def test_bits_are_taken_beside_a_plain_sum() -> None:
    """Unless it writes where they come from, or a scan runs, which reads the digit."""
    text = ".table t 2\n.number t0=one t1=one\n.operand x y\n{}bits 1\nacc a, x, y\nbits 1\nout a\n"
    beside, written, scanned = (
        assemble(text.format(more))
        for more in ("rewind x\n", "move a, x\nrewind a\n", "rewind x\nscan a\nbits 1\n")
    )
    assert [row.quiet for row in beside.rows if row.operation == "bits"] == [True, False]
    assert [row.quiet for row in written.rows if row.operation == "bits"] == [True, True]
    assert [row.quiet for row in scanned.rows if row.operation == "bits"] == [True, True, False]


def test_results_that_are_written_come_before_scans_and_plain_sums() -> None:
    """Also those of registers that have no value before the first round; and before sums that write them."""
    for row, waits in (("scan s", 0), ("plus s, x, x", 0), ("add a, x, x", 0), ("add s, x, x", 7)):
        head = ".table t 2\n.number t0=one t1=one m\n.operand x y\n.modulus m\n"
        rows = assemble(f"{head}round: {row}\nmul a, x, x\nloop round\nout x\n").rows
        assert rows[0].pending == waits


def test_what_only_a_run_can_tell() -> None:
    """More bits than there are; counts below 1; lazily reduced cores."""
    text = ".number one\n.operand x -\nrewind x\nbits 3\nbits 3\nbits 3\nplus a, x, x\nout a\n"
    build = programmed("montgomery_csa2", text).build(6, {"Word": 3})
    with pytest.raises(ValueError, match="line 3: more bits are taken of x than its 6"):
        modelled(config_of(build).at(61), 61, 5, 0)
    less = text.replace("bits 3", "half x, x", 2).replace("rewind x", "rewind x, 3")
    build = programmed("montgomery_csa2", less).build(6, {"Word": 3})
    with pytest.raises(ValueError, match="line 3: rewind x, 3: a number has 2 words"):
        modelled(config_of(build).at(61), 61, 5, 0)
    with pytest.raises(ValueError, match="half needs reduced numbers"):
        programmed("rrm", less).build(19, {"Lazy": 1}).check(0x7FFED)
    none = ".number one\n.operand x -\n.count k=n-6\na: half x, x\nrepeat k, a\nout x\n"
    build = programmed("montgomery_csa2", none).build(6, {"Word": 3})
    with pytest.raises(ValueError, match="the count k=n-6 is 0 here; it must be at least 1"):
        build.check(61)
