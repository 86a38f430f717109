# SPDX-License-Identifier: Apache-2.0
"""When a core takes operands beside operations that run: the engine's schedule says so to the cycle."""

import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from engine_program import HEAD, programmed
from on_time import BITS, begins, on_time, some_rows

from modmul.core import Polynomial
from modmul.registry import room, rooms
from modmul.room import Room, SystemRoom
from modmul.verify import checks
from modmul.verify.failures import ProtocolError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

OVERLAP = """\
.number one r2
.operand x e
      mul a, x, x
      {}
      bits {}              ; behind the operands, however long those wait for the core
test: loop test            ; as many rounds as the length of e says
      mul b, one, x
      mul c, x, r2
      mul d, c, b
      out d
"""
"""Operations one right behind the other, and others that come any number of cycles later."""

BEFORE = [("", 1), ("", 2), ("mul k, one, x", 1)]
"""What else comes early, and bits taken then: rounds take three cycles."""

SEVERAL = ("mul k, one, x\n mul k, x, r2\n mul k, r2, x", 1)
"""So many that a third operation waits."""


@pytest.fixture
def rng() -> random.Random:
    return random.Random(31)


def differences(found: SystemRoom, width: int, settings: Mapping[str, int], rng: random.Random) -> set[int]:
    """By how many cycles the hardware comes later than the schedule says, for all lengths of e."""
    build = found.build(width, settings)
    simulation = Simulation(build, seed=rng.getrandbits(31))
    modulus = checks.interesting_moduli(build, rng, 1)[0]
    late = set()
    for length in range(3, width + 1):
        simulation.config = build.config.running(length=length)
        simulation.load(modulus)
        taken = simulation.run([rng.randrange(1 << 16)], [0]).latencies[0]
        late.add(int(taken) - found.core.interface.latency(simulation.at))
    return late


@pytest.mark.parametrize(
    ("core", "settings", "before"),
    [
        ("rrm", {}, BEFORE[0]),
        ("rrm", {"Word": 64}, BEFORE[2]),  # a whole number, behind a gear
        pytest.param("rrm", {"Word": 8, "Banks": 2}, BEFORE[2], marks=pytest.mark.long),
        pytest.param("rrm_split", {}, BEFORE[2], marks=pytest.mark.long),
        pytest.param("rrm_split", {"DigitBits": 3}, BEFORE[2], marks=pytest.mark.long),  # tables of one part
        pytest.param("fips", {"Word": 64}, BEFORE[0], marks=pytest.mark.long),
        ("fips", {"Word": 8}, BEFORE[2]),
        ("fips", {"Word": 8}, SEVERAL),
        pytest.param("rrm", {}, SEVERAL, marks=pytest.mark.long),
        pytest.param("scalable_radix2_right", {}, SEVERAL, marks=pytest.mark.long),
        ("fips", {"Word": 8, "Multipliers": 2, "Depth": 2}, BEFORE[0]),
        pytest.param("fips", {"Word": 8, "Multipliers": 2, "Depth": 3}, BEFORE[2], marks=pytest.mark.long),
    ],
)
def test_late_operations(
    core: str, settings: dict[str, int], before: tuple[str, int], rng: random.Random
) -> None:
    assert differences(programmed(core, OVERLAP.format(*before)), 64, settings, rng) == {0}


@pytest.mark.long
@pytest.mark.parametrize("core", list(rooms()))
def test_late_operations_on_every_core(core: str, rng: random.Random) -> None:
    """Of all builds that numbers go through."""
    builds = rooms()[core].core.builds
    for config in dict.fromkeys((builds.at(64)[0], *builds.variants(64))):
        for before in BEFORE:
            found = programmed(core, OVERLAP.format(*before))
            if not found.inner.core.interface.carries_numbers(config):
                continue
            try:
                late = differences(found, 64, config.options(), rng)
            except ValueError as refused:
                assert "take another core" in str(refused)
                continue
            assert (late, str(config)) == ({0}, str(config))


def silent(core: str) -> Room:
    """A core that says nothing of it."""
    found = room(core)
    interface = replace(found.core.interface, beside=None, stream=None)
    return replace(found, core=replace(found.core, interface=interface))


@pytest.mark.parametrize(("core", "settings"), [("rrm", {}), ("fips", {"Word": 8})])
def test_a_core_that_says_nothing_of_it_is_found(
    core: str, settings: dict[str, int], rng: random.Random
) -> None:
    found = programmed(silent(core), OVERLAP.format(*BEFORE[2]))
    assert max(differences(found, 64, settings, rng)) > 0


# --- every row ----------------------------------------------------------------------------------------


def every_row_on_time(
    core: str | Room, words: int, settings: Mapping[str, int], rng: random.Random, programs: int
) -> bool:
    """The same of some programs, and moduli of several lengths and fields."""
    settings = {**settings, "ExponentBits": BITS}
    for _ in range(programs):
        build = begins(programmed(core, some_rows(rng, 30))).build(8 * words, settings)
        bits = [8 * length for length in {1, words // 2 + 1, words}]
        moduli = [*((1 << n) - 1 for n in bits), *(Polynomial((1 << (n - 1)) | 1) for n in bits)]
        served = [modulus for modulus in moduli if build.core.function.serves(build.config, modulus)]
        simulation = Simulation(build, seed=rng.getrandbits(31))
        simulation.config = build.config.running(length=rng.randint(BITS - 20, BITS))
        for modulus in served or checks.interesting_moduli(build, rng, 1):
            if not on_time(simulation, modulus):
                return False
    return True


FIPS = [
    (3, {"Word": 8}),
    (5, {"Word": 8, "Multipliers": 2, "Depth": 2}),
    (2, {"Word": 8, "Depth": 3, "Cores": 2}),
    (1, {"Word": 8, "EngineWord": 3, "SquareOptimized": 0}),  # a whole number, behind a gear
    (20, {"Word": 8, "Multipliers": 2}),  # columns wait for their memory
]


@pytest.mark.parametrize(("words", "settings"), FIPS, ids=str)
def test_every_row_begins_on_time(words: int, settings: dict[str, int], rng: random.Random) -> None:
    assert every_row_on_time("fips", words, settings, rng, 1)


@pytest.mark.long
@pytest.mark.parametrize("dsp", [0, 1])
@pytest.mark.parametrize("squares", [0, 1])
@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.parametrize("multipliers", [1, 2])
def test_every_row_begins_on_time_with_all_parameters(
    multipliers: int, depth: int, squares: int, dsp: int, rng: random.Random
) -> None:
    given = {"Multipliers": multipliers, "Depth": depth, "SquareOptimized": squares, "Dsp": dsp}
    for fields, words in product((1,) if dsp else (2, 3), (1, 2, 3, 5)):
        settings = {"Word": 8, "FieldSet": fields, "Cores": rng.randint(1, 3), **given}
        assert every_row_on_time("fips", words, settings, rng, 1), (words, settings)


@pytest.mark.long
@pytest.mark.parametrize(
    ("core", "words"),
    [(core, words) for core in rooms() for words in (2, 5)],
)
def test_every_row_begins_on_time_on_every_core(core: str, words: int, rng: random.Random) -> None:
    try:
        assert every_row_on_time(core, words, {}, rng, 1)
    except ValueError as refused:
        pytest.skip(str(refused))


def test_a_row_that_begins_at_another_time_is_found(rng: random.Random) -> None:
    assert not every_row_on_time(silent("fips"), 3, {"Word": 8}, rng, 3)


SUMMED = """\
      mul p, x, e
      bits {bits}
at{at}: repeat {times}, at{at}
      add a, x, e          ; the last words of one of these wait: p is written
      add b, x, one
      add c, e, one
      sub d, x, e
"""

LATEST = """\
      mul p, x, e
      bits {bits}
at{at}: repeat {times}, at{at}
      mul -, f, f          ; one of these begins as p comes
"""


def swept(rows: str, first: int) -> str:
    """Rows behind a product in every cycle from one on."""
    each = (rows.format(at=at, bits=1 + at % 4, times=first + at // 4) for at in range(42))
    return "".join((HEAD.replace(" y", " e"), *each, "out x\n"))


COMING = f"""\
.table t 2
{HEAD.replace("one", "t0=one").replace(" y", " e")}
      mul t1, x, r2
      bits 1
      scan d               ; its first word has come, and it reads the last one late
      mul a, d, t1
      out a
"""

MIXED = some_rows(random.Random(31), 120)
SWEEPS = {
    MIXED: ("fips", 3),
    swept(SUMMED, 6): ("montgomery_csa2", 87),
    swept(LATEST, 14): ("fips", 87),
    COMING: ("fips", 87),
}
"""Programs in which rows that begin at another time are seen: core, and how far M is below 2^40."""

IN_ALL, WITH_SUMS, WITH_LATEST, WITH_SCAN = SWEEPS
LONG = pytest.mark.long


@pytest.mark.parametrize(
    ("program", "file", "right", "wrong"),
    [
        (IN_ALL, "sequencer", "~(behind & feed_busy)", "1'b1"),
        (WITH_SCAN, "sequencer", "~(alone & coming)", "1'b1"),
        pytest.param(IN_ALL, "sequencer", "read_busy | (~feeds_q & read_sum_busy)", "read_busy", marks=LONG),
        pytest.param(IN_ALL, "sequencer", "~feeds_q & read_sum_busy", "read_sum_busy", marks=LONG),
        (IN_ALL, "reader", "| ((Sums != 0) & ~feed_q3)", ""),
        pytest.param(IN_ALL, "reader", "feed_q | sum_q ? ends : others_end", "ends", marks=LONG),
        pytest.param(IN_ALL, "reader", "feed_q | sum_q ? ends", "feed_q ? ends", marks=LONG),
        (WITH_SUMS, "reader", "~(sum_q3 & ~sum_q2 & room_i)", "~(sum_q3 & ~sum_q2)"),
        pytest.param(IN_ALL, "sum", "busy_o = first_q | run_q", "busy_o = run_q", marks=LONG),
        (IN_ALL, "sum", "any | (sum_write_o & hold_i)", "any | sum_write_o"),
        (WITH_LATEST, "feed", "| (one_q & come_o)", ""),
        (IN_ALL, "feed", "| (two_q & come_o)", ""),
        pytest.param(IN_ALL, "feed", "z_valid_i & z_first_q;", "z_last;", marks=LONG),
        (IN_ALL, "feed", "if (!feed_q) end_q", "end_q"),
        pytest.param(IN_ALL, "feed", ".data_i({square_q, y, x})", ".data_i({square_i, y, x})", marks=LONG),
    ],
)
def test_rows_that_begin_at_another_time_are_found(
    program: str, file: str, right: str, wrong: str, tmp_path: Path
) -> None:
    core, below = SWEEPS[program]
    changed = mutant(programmed(core, program), tmp_path, f"mm_engine_{file}", right, wrong)
    simulation = Simulation(begins(changed).build(40, {"Word": 8, "ExponentBits": 120}))
    with pytest.raises((AssertionError, ProtocolError)):
        assert on_time(simulation, (1 << 40) - below)


@pytest.mark.parametrize("program", SWEEPS)
def test_rows_begin_on_time_behind_others(program: str) -> None:
    core, below = SWEEPS[program]
    simulation = Simulation(begins(programmed(core, program)).build(40, {"Word": 8, "ExponentBits": 120}))
    assert on_time(simulation, (1 << 40) - below)


SCANNED = """\
.table t 2
.number t0=one r2 m
.operand x e
.modulus m
      mul t1, x, r2
      bits 1
      add c, x, x
      jump in
more: scan d
in:   mul b, c, t1         ; the first time it waits for the sum, then for the last word of the scan
      repeat 4, more
      mul a, b, t1
      out a
"""


@pytest.mark.parametrize("core", ["montgomery_csa2", pytest.param("rrm", marks=pytest.mark.long)])
def test_a_row_behind_a_scan_that_waits_for_sums(core: str) -> None:
    """A scan's words go through the register of the sums."""
    simulation = Simulation(begins(programmed(core, SCANNED)).build(16, {"Word": 8}))
    assert on_time(simulation, 0xFFF1)
