# SPDX-License-Identifier: Apache-2.0
"""The example: sums of points and a bucket loop on ``pipelined``, against ``ecdsa``; and broken ones."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from ecdsa.ellipticcurve import INFINITY, CurveEdTw, CurveFp, PointEdwards, PointJacobi
from flint import fmpz_mod_ctx

import msm
from modmul.verify.simulator import Model, Unit
from modmul.verify.simulator import build as compiled
from msm import CURVES, Build, Curve, Hardware, Point, by_library, combined, digits, schedule, write

EDWARDS, WEIERSTRASS = CURVES["tiny-edwards"], CURVES["tiny-weierstrass"]
REAL = ("bls12-377", "bn254")
PIECES = {"carry": 8, "leaf": 8}
"""Additions in pieces and products by Karatsuba's method, in few bits."""
LOOPS = (Build(EDWARDS, 4, log_queue=2), Build(WEIERSTRASS, 3, bits=11, log_queue=1, **PIECES))
"""Digits of 4, 3, 3 and 3 bits, and of 3."""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """The files of the example and of all below it."""
    return write(tmp_path_factory.mktemp("msm"))


def by_ecdsa(curve: Curve, point: Point) -> Any:
    """A point as ``ecdsa`` has it."""
    return INFINITY if point is None else PointJacobi(CurveFp(curve.modulus, 0, curve.b), *point, 1)


def plain(point: Any) -> Point:
    """A point of ``ecdsa`` as x and y."""
    return None if point == INFINITY else (int(point.x()), int(point.y()))


@cache
def multiples(curve: Curve) -> list[Point]:
    """Those of the generator, 0 times first, by ``ecdsa``."""
    total: Any = INFINITY
    found = []
    for _ in range(curve.order):
        found.append(plain(total))
        total = by_ecdsa(curve, curve.generator) + total
    assert total == INFINITY
    return found


# --- the curves ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CURVES)
def test_the_generator_has_the_order_of_the_group(name: str) -> None:
    curve = CURVES[name]
    x, y = curve.generator
    assert (y * y - x**3 - curve.b) % curve.modulus == 0
    assert by_ecdsa(curve, curve.generator) * curve.order == INFINITY
    assert curve.order % 2 == 1


@pytest.mark.parametrize("name", ["bls12-377", "tiny-edwards"])
def test_the_edwards_form(name: str, rng: random.Random) -> None:
    """Points go to a curve -x² + y² = 1 + d·x²·y² and back, and sums to sums."""
    curve = CURVES[name]
    m, d = curve.modulus, curve.d
    edwards = CurveEdTw(m, -1, d)
    points = msm.random_points(curve, 10, rng)
    for one, other in zip(points, reversed(points), strict=True):
        (x1, y1), (x2, y2) = curve.to_edwards(one), curve.to_edwards(other)
        assert (-x1 * x1 + y1 * y1 - 1 - d * x1 * x1 * y1 * y1) % m == 0
        assert curve.from_edwards(x1, y1) == one
        added = PointEdwards(edwards, x1, y1, 1, x1 * y1 % m) + PointEdwards(edwards, x2, y2, 1, x2 * y2 % m)
        right = plain(by_ecdsa(curve, one) + by_ecdsa(curve, other))
        assert curve.to_edwards(right) == ((0, 1) if added == INFINITY else (added.x(), added.y()))
    assert curve.to_edwards(None) == (0, 1) and curve.from_edwards(0, 1) is None
    with pytest.raises(ValueError, match="no place in the Edwards form"):
        curve.to_edwards((curve.modulus - pow_of_order_3(m), 0))


def pow_of_order_3(m: int) -> int:
    """A third root of unity other than 1."""
    return next(root for base in range(2, 20) if (root := pow(base, (m - 1) // 3, m)) != 1)


@pytest.mark.parametrize("name", ["bls12-377", "tiny-edwards"])
def test_the_edwards_form_is_complete_for_points_of_odd_order_only(name: str) -> None:
    """d is a square: every P but those of order 4 or less has a Q whose sum has no Z; its order is even."""
    curve = CURVES[name]
    m, d = curve.modulus, curve.d
    root = int(fmpz_mod_ctx(m)(d).sqrt())
    assert root * root % m == d and pow(m - 1, (m - 1) // 2, m) == 1
    x, y = curve.to_edwards(curve.generator)
    x2, y2 = pow(root * y, -1, m), pow(root * x, -1, m)
    assert (-x2 * x2 + y2 * y2 - 1 - d * x2 * x2 * y2 * y2) % m == 0
    other = x2, y2, 1, x2 * y2 % m
    assert curve.add(curve.bucket(curve.generator), other)[2] == 0
    assert by_ecdsa(curve, curve.from_edwards(x2, y2)) * curve.order != INFINITY


@pytest.mark.parametrize("name", ["bn254", "tiny-weierstrass"])
def test_the_other_curve_has_no_points_of_order_2(name: str) -> None:
    """Which its formulas ask for: -b is no cube."""
    curve = CURVES[name]
    assert pow(-curve.b, (curve.modulus - 1) // 3, curve.modulus) != 1


@pytest.mark.parametrize("curve", [EDWARDS, WEIERSTRASS], ids=["edwards", "weierstrass"])
def test_plain_python_adds_as_ecdsa_does(curve: Curve) -> None:
    points = multiples(curve)
    for i, j in product(range(0, curve.order, 4), range(curve.order)):
        one, other = curve.bucket(points[i], 2), curve.bucket(points[j], 3)
        assert curve.point(curve.add(one, other)) == points[(i + j) % curve.order]
    assert curve.point(curve.times(30, curve.bucket(points[2]))) == points[60 % curve.order]


def test_digits() -> None:
    """Their range, and what they stand for; every scalar of few bits, and the largest ones of many."""
    for window, bits in ((2, 2), (2, 5), (3, 8), (4, 8), (5, 7)):
        for scalar in range(1 << bits):
            check_digits(scalar, window, bits)
    for window in range(2, 17):
        for scalar in (0, 1, (1 << 253) - 1, CURVES["bls12-377"].order - 1):
            check_digits(scalar, window, 253)
    for scalar in (-1, 16):
        with pytest.raises(ValueError, match="a scalar must be below"):
            digits(scalar, 2, 4)


def check_digits(scalar: int, window: int, bits: int) -> None:
    found, spans = digits(scalar, window, bits), msm.spans(window, bits)
    assert max(spans) <= window and max(spans) - min(spans) < 2 and sum(spans) == bits + 1
    assert sum(digit << sum(spans[:place]) for place, digit in enumerate(found)) == scalar
    assert all(-(1 << c - 1) < digit <= 1 << c - 1 for digit, c in zip(found, spans, strict=True))


# --- an addition --------------------------------------------------------------------------------


def check_additions(build: Build, sources: tuple[Path, ...], rng: random.Random, every: int = 1) -> None:
    """Every point and every point added to it or taken off, one a cycle; each result comes in its cycle.

    Args:
        every: of so many pairs one, by chance.

    Raises:
        AssertionError, ValueError: one is wrong.
    """
    curve = build.curve
    points = multiples(curve)
    others = range(curve.order) if curve.edwards else range(1, curve.order)
    pairs = [case for case in product(range(curve.order), others, (0, 1)) if rng.randrange(every) == 0]
    rng.shuffle(pairs)
    scaled = [[curve.bucket(point, rng.randrange(1, curve.modulus)) for point in points] for _ in range(4)]
    buckets = [[joined(bucket, curve) for bucket in each] for each in scaled]
    given = [0 if i not in others else joined(curve.given(points[i]), curve) for i in range(curve.order)]
    rows = [[subtract, rng.choice(buckets)[i], given[j]] for i, j, subtract in pairs]
    rows += [[0, 0, 0]] * build.latency
    results = Model(Unit(build.adder(sources))).rows(rows)[build.latency :]
    for (i, j, subtract), [result] in zip(pairs, results, strict=True):
        sum_of = split(result, curve)
        assert max(sum_of) < curve.modulus
        assert curve.point(sum_of) == points[(i - j if subtract else i + j) % curve.order]


def joined(numbers: Iterable[int], curve: Curve) -> int:
    """Side by side, the first lowest."""
    return sum(number << curve.width * place for place, number in enumerate(numbers))


def split(numbers: int, curve: Curve) -> tuple[int, ...]:
    """The coordinates of a bucket."""
    return tuple(numbers >> curve.width * i & (1 << curve.width) - 1 for i in range(curve.coordinates))


@pytest.mark.parametrize("curve", [EDWARDS, WEIERSTRASS], ids=["edwards", "weierstrass"])
@pytest.mark.parametrize("settings", [{}, PIECES], ids=["default", "pieces"])
def test_every_sum(
    curve: Curve, settings: dict[str, int], sources: tuple[Path, ...], rng: random.Random
) -> None:
    """P + P, P - P, the neutral element, and points of order 3 in the Edwards form are among them."""
    check_additions(Build(curve, **settings), sources, rng)


# --- the bucket loop ----------------------------------------------------------------------------


def check_buckets(hardware: Hardware, scalars: Sequence[int], rng: random.Random, pause: float = 0) -> None:
    """Every bucket, and their sum; without pauses the cycles as well.

    Raises:
        AssertionError, RuntimeError, ValueError: one is wrong.
    """
    build, curve = hardware.build, hardware.build.curve
    table = multiples(curve)
    numbers = [rng.randrange(1, curve.order) for _ in scalars]
    if rng.getrandbits(1):  # one point again and again
        numbers = numbers[:1] * len(numbers)
    points = [table[number] for number in numbers]
    buckets = hardware(points, scalars, pause=pause)
    right = [0] * build.buckets
    for number, scalar in zip(numbers, scalars, strict=True):
        for window, digit in enumerate(build.digits(scalar)):
            if digit:
                place = window * build.each + abs(digit) - 1
                right[place] += number if digit > 0 else -number
    assert [curve.point(bucket) for bucket in buckets] == [table[each % curve.order] for each in right]
    assert combined(build, buckets) == by_library(curve, points, scalars)
    if not pause:
        assert hardware.cycles == schedule(build, scalars)[1]


def check_loop(hardware: Hardware, rng: random.Random) -> None:
    """Random scalars; equal ones, among them the lowest and the highest, and ends of digits; pauses."""
    bits = hardware.build.scalar_bits
    top = (1 << bits) - 1
    check_buckets(hardware, [rng.getrandbits(bits) for _ in range(60)], rng)
    for scalar in (0, 1, top, top // 7 * 4, rng.getrandbits(bits)):  # 7: three bits that are equal
        check_buckets(hardware, [scalar] * 8, rng)
    check_buckets(hardware, [rng.choice((0, 1, 2, top, top - 1)) for _ in range(30)], rng)
    for pause in (0.1, 0.8):
        check_buckets(hardware, [rng.getrandbits(bits) for _ in range(20)], rng, pause)
    check_buckets(hardware, [rng.getrandbits(bits)], rng)


@cache
def loop(build: Build, sources: tuple[Path, ...]) -> Hardware:
    return Hardware(build, sources)


each_loop = pytest.mark.parametrize("build", LOOPS, ids=["edwards", "weierstrass"])


@each_loop
def test_the_bucket_loop(build: Build, sources: tuple[Path, ...], rng: random.Random) -> None:
    check_loop(loop(build, sources), rng)


def check_reset(hardware: Hardware, rng: random.Random) -> None:
    """After a reset, while points come or buckets leave, nothing is left of what was before."""
    curve, bits = hardware.build.curve, hardware.build.scalar_bits
    points = msm.random_points(curve, 12, rng)
    for count in (1, 5, 12):
        hardware.begin(points[:count], [rng.choice((5, rng.getrandbits(bits))) for _ in range(count)])
        hardware.reset()
        check_buckets(hardware, [rng.getrandbits(bits) for _ in range(5)], rng)
    hardware(points, [5] * 12, most=hardware.build.buckets // 2)
    hardware.reset()
    check_buckets(hardware, [rng.getrandbits(bits) for _ in range(5)], rng)


@each_loop
def test_reset(build: Build, sources: tuple[Path, ...], rng: random.Random) -> None:
    check_reset(loop(build, sources), rng)


def check_the_next_point_waits(hardware: Hardware, rng: random.Random) -> None:
    """What is offered after the last point is not taken before all buckets have left.

    Raises:
        AssertionError: it is, or they do not leave.
    """
    model, build = hardware.model, hardware.build
    [point] = msm.random_points(build.curve, 1, rng)
    hardware([point], [1], most=0)
    model.poke("in_valid_i", 1)
    gone = 0
    for _ in range(2 * (build.latency + build.buckets) + 50):
        assert gone == build.buckets or not model.peek("in_ready_o")
        ready = rng.random() < 0.9 and gone < build.buckets
        model.poke("out_ready_i", int(ready))
        gone += ready and model.peek("out_valid_o")
        model.edge()
    hardware.reset()
    assert gone == build.buckets


@each_loop
def test_the_next_point_waits(build: Build, sources: tuple[Path, ...], rng: random.Random) -> None:
    check_the_next_point_waits(loop(build, sources), rng)


def test_random_scalars_lose_few_cycles() -> None:
    """The README's figures come from this schedule, which the hardware keeps to the cycle."""
    for name in REAL:
        build = Build(CURVES[name], 8)
        begun, _ = msm.cycles(build, 10)
        assert build.windows == 32 and begun < 1.002 * 32 * 1024


def test_what_the_hardware_does_not_take(sources: tuple[Path, ...]) -> None:
    edwards, weierstrass = (loop(build, sources) for build in LOOPS)
    with pytest.raises(ValueError, match="a sum of no multiples"):
        edwards([], [])
    with pytest.raises(ValueError, match="a scalar must be below"):
        edwards([None], [1 << 12])
    with pytest.raises(ValueError, match="the neutral element has no x and y"):
        weierstrass([None], [1])
    for window in (1, 17):
        with pytest.raises(ValueError, match="a window has 2 to 16 bits"):
            Build(EDWARDS, window)
    with pytest.raises(ValueError, match="longer than a scalar"):
        Build(EDWARDS, 13)


# --- the real curves ----------------------------------------------------------------------------

STAND_IN = re.compile(r"  mm_pipelined_mul #\(.*(?=\nendmodule)", re.DOTALL)
PRODUCT = """
  localparam int Last   = (Width + Carry) / Carry + (Width + Carry - 1) / Carry;
  localparam int Cycles = MulCycles + TopCycles + LowCycles + Last;

  logic [Width-1:0] z;

  assign product = x_i * y_i;
  assign z       = Width'(product % (2*Width)'(Modulus));

  mm_delay #(
    .Bits(Width), .Cycles(Cycles)
  ) u_z (
    .clk_i, .d_i(z), .q_o(z_o)
  );
"""
"""In place of the multiplier: as many cycles, and compiled in a fraction of the time."""


def quick_sources(folder: Path) -> tuple[Path, ...]:
    """The files of the example with the stand-in."""
    files = write(folder)
    [file] = (each for each in files if each.stem == "mm_msm_mul")
    text, count = STAND_IN.subn(PRODUCT, file.read_text(encoding="utf-8"))
    assert count == 1
    file.write_text(text, encoding="utf-8")
    return files


def check_real(hardware: Hardware, count: int, rng: random.Random) -> None:
    """Random points, some again, and scalars, the largest among them; in the cycles of the schedule."""
    build, curve = hardware.build, hardware.build.curve
    points = msm.random_points(curve, count, rng)
    points[1] = points[0]
    points[2] = plain(-by_ecdsa(curve, points[0]))
    scalars = [rng.randrange(curve.order) for _ in points]
    scalars[:3] = [curve.order - 1] * 3
    buckets = hardware(points, scalars)
    assert hardware.cycles == schedule(build, scalars)[1]
    assert combined(build, buckets) == by_library(curve, points, scalars)


@pytest.mark.parametrize("name", REAL)
def test_a_sum_of_32_multiples(name: str, tmp_path: Path, rng: random.Random) -> None:
    """With a stand-in for the multiplier, which has tests of its own; ``make long`` has the real one."""
    check_real(Hardware(Build(CURVES[name], 4), quick_sources(tmp_path)), 32, rng)


@pytest.mark.long
@pytest.mark.parametrize("name", REAL)
def test_a_sum_of_1024_multiples(name: str, sources: tuple[Path, ...], rng: random.Random) -> None:
    check_real(Hardware(Build(CURVES[name], 8), sources), 1024, rng)


# --- the command line ---------------------------------------------------------------------------


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["msm.py", *arguments])
    msm.main()


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that can be repeated by its seed, and sources in a folder."""
    command(monkeypatch, "5", "--curve", "tiny-edwards", "--seed", "7", "-o", str(tmp_path / "msm"))
    said = capsys.readouterr().out
    assert "seed 7" in said and "32 multiples" in said
    command(monkeypatch, "5", "--curve", "tiny-edwards", "--seed", "7")
    assert re.sub(r"in \d+ s", "", capsys.readouterr().out) == re.sub(r"in \d+ s", "", said)
    assert {"mm_msm.sv", "mm_pipelined_mul.sv"} <= {file.name for file in (tmp_path / "msm").iterdir()}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("17",), r"2\^0 to 2\^16 points, not 2\^17"),
        (("--window", "1"), "a window has 2 to 16 bits, not 1"),
        (("--curve", "p256"), "invalid choice"),
        (("ten",), "invalid int value"),
        (("5", "-o", "{file}"), "no sources in .*file"),
    ],
)
def test_the_command_refuses(
    arguments: Sequence[str],
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SystemExit):
        command(monkeypatch, *(argument.format(file=file) for argument in arguments))
    assert re.search(reason, capsys.readouterr().err)


def test_the_command_finds_wrong_hardware(sources: tuple[Path, ...], rng: random.Random) -> None:
    hardware = Hardware(LOOPS[0], sources)
    hardware.begin(msm.random_points(EDWARDS, 1, rng), [1])  # in the buckets as well
    with pytest.raises(SystemExit, match="the hardware is wrong"):
        msm.run(hardware, 4, rng)


# --- broken hardware ----------------------------------------------------------------------------

LOOP, ADD, TIMES = "mm_msm", "mm_msm_add", "mm_msm_times"
OF_EDWARDS, OF_WEIERSTRASS = "mm_msm_edwards", "mm_msm_weierstrass"
BROKEN_ADDITIONS = {
    "F and G stay in their places": (OF_EDWARDS, "subtract_late ? {less, more}", "1'b0 ? {less, more}"),
    "u and v stay in their places": (OF_EDWARDS, "subtract_i ? {point_i[N-1:0]", "1'b0 ? {point_i[N-1:0]"),
    "2 Z is Z + Y": (OF_EDWARDS, ".a_i(z1), .b_i(z1)", ".a_i(z1), .b_i(y1)"),
    "2 Z comes early": (OF_EDWARDS, ".Bits(N), .Cycles(Product)", ".Bits(N), .Cycles(Product - 1)"),
    "M is not put back": (ADD, "& {N{r[N]}}", "& {N{1'b0}}"),
    "M is not taken off": (ADD, "{(N+1){1'b1}} - M + 1'b1", "M - M"),
    "y keeps its sign": (
        OF_WEIERSTRASS,
        ".clk_i, .subtract_i, .a_i(y_from)",
        ".clk_i, .subtract_i(1'b0), .a_i(y_from)",
    ),
    "3 b Z comes early": (OF_WEIERSTRASS, "Add + Product - TimesB", "Add + Product - TimesB - 1"),
    "L and K change places": (OF_WEIERSTRASS, "last_y = {g_late, l_late,", "last_y = {g_late, k_late,"),
    "a multiple is another": (TIMES, "more_times = once << Shift", "more_times = once << 1"),
    "a multiple stays negative": (TIMES, "& {N{r[N]}}", "& {N{1'b0}}"),
    "the quotient is too high": (TIMES, "quotient = QBits'(i);", "quotient = QBits'(i + 1);"),
}
BROKEN_LOOPS = {
    "a digit reads what is being written": (
        "same_offer[i] = there_q[i] &",
        "same_offer[i] = i < Latency & there_q[i] &",
    ),
    "the queue reads what is being written": (
        "same_head[i]  = there_q[i] &",
        "same_head[i] = i < Latency & there_q[i] &",
    ),
    "the queue overflows": ("~offer_free & ~full;", "~offer_free;"),
    "an addition is queued and stays": ("gone       = offer_free | push", "gone = offer_free"),
    "an addition leaves the queue unseen": ("pop        = head_free & ~offer_free", "pop = head_free"),
    "the queue survives a reset": ("      write_q <= '0;\n      read_q  <= '0;\n", ""),
    "half of a window is negative": ("digit > half", "digit >= half"),
    "every digit has as many bits": ("{1'b0, window_q} < (WindowNo+1)'(First)", "1'b1"),
    "a digit has no carry": ("carry_q  <= negative", "carry_q  <= 1'b0"),
    "a carry goes to the next point": (
        "ended_q  <= last_i;\n        carry_q  <= 1'b0;",
        "ended_q  <= last_i;",
    ),
    "zeros go to a bucket": ("held_q & ~none;", "held_q;"),
    "buckets stay": ("state_q == CLEAR | wipe_q", "state_q == CLEAR"),
    "buckets survive a reset": ("state_q == CLEAR | wipe_q", "wipe_q"),
    "buckets leave before the queue is empty": ("~offer_q & ~some & ~(|there_q)", "~offer_q & ~(|there_q)"),
    "buckets leave before additions are done": ("& ~some & ~(|there_q)", "& ~some"),
    "a point is taken after the last": ("run & ~ended_q & (~held_q", "run & (~held_q"),
    "a bucket is not waited for": ("left & (~valid_q | out_ready_i)", "left"),
}


def broken(folder: Path, module: str, right: str, wrong: str) -> tuple[Path, ...]:
    """The sources with a change in one of them, and the stand-in."""
    files = quick_sources(folder)
    [file] = (each for each in files if each.stem == module)
    text = file.read_text(encoding="utf-8")
    assert text.count(right) == 1, right
    file.write_text(text.replace(right, wrong), encoding="utf-8")
    return files


@pytest.fixture(scope="module")
def mutants(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, ...]]:
    """Their sources by name; compiled together, which takes less time."""
    found, units = {}, []
    for name, (module, right, wrong) in BROKEN_ADDITIONS.items():
        found[name] = broken(tmp_path_factory.mktemp("broken"), module, right, wrong)
        units += [Unit(build.adder(found[name])) for build in broken_builds(module)]
    for name, (right, wrong) in BROKEN_LOOPS.items():
        found[name] = broken(tmp_path_factory.mktemp("broken"), LOOP, right, wrong)
        units.append(Unit(LOOPS[0].loop(found[name])))
    compiled(*units)
    return found


def broken_builds(module: str) -> list[Build]:
    """The builds that have a module."""
    curves = {OF_EDWARDS: [EDWARDS], ADD: [EDWARDS]}
    return [Build(curve) for curve in curves.get(module, [WEIERSTRASS])]


def test_nothing_else_is_found(tmp_path: Path, rng: random.Random) -> None:
    """With the stand-in alone all is right."""
    files = quick_sources(tmp_path)
    for curve in (EDWARDS, WEIERSTRASS):
        check_additions(Build(curve), files, rng, every=20)
    hardware = Hardware(LOOPS[0], files)
    check_loop(hardware, rng)
    check_reset(hardware, rng)
    check_the_next_point_waits(hardware, rng)


@pytest.mark.parametrize("name", BROKEN_ADDITIONS)
def test_a_broken_addition_is_found(
    name: str, mutants: dict[str, tuple[Path, ...]], rng: random.Random
) -> None:
    for build in broken_builds(BROKEN_ADDITIONS[name][0]):
        with pytest.raises((AssertionError, ValueError)):
            check_additions(build, mutants[name], rng, every=20)


@pytest.mark.parametrize("name", BROKEN_LOOPS)
def test_a_broken_loop_is_found(name: str, mutants: dict[str, tuple[Path, ...]], rng: random.Random) -> None:
    with pytest.raises((AssertionError, RuntimeError, ValueError)):
        hardware = Hardware(LOOPS[0], mutants[name])
        check_loop(hardware, rng)
        check_reset(hardware, rng)
        check_the_next_point_waits(hardware, rng)
