# SPDX-License-Identifier: Apache-2.0
"""The example: number-theoretic transforms on ``small_fixed``, the butterfly alone, and broken ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from modmul.registry import room
from modmul.verify.simulator import Model, Unit
from ntt import FIELDS, GOLDILOCKS, Field, Hardware, cycles, design, inverse_transform, root, transform, write

KEM, DSA = FIELDS["ml-kem"], FIELDS["ml-dsa"]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int, Field], tuple[Path, ...]]:
    """The files of a transform, by the logarithm of its points and the field."""

    def written(log_points: int, field: Field = GOLDILOCKS) -> tuple[Path, ...]:
        return write(tmp_path_factory.mktemp("ntt"), log_points, field)

    return written


def some(field: Field, count: int, rng: random.Random) -> list[int]:
    """Points, corners among them."""
    return [rng.choice((0, 1, field.modulus - 1, rng.randrange(field.modulus))) for _ in range(count)]


# --- by the definitions, with nothing of the example's but the constants of the standards -------


def value(values: Sequence[int], at: int, m: int) -> int:
    """A polynomial with these coefficients, the lowest first, at a place."""
    found = 0
    for coefficient in reversed(values):
        found = (found * at + coefficient) % m
    return found


def bits_reversed(number: int, bits: int) -> int:
    """BitRev of the standards."""
    return int(f"{number:0{bits}b}"[::-1], 2)


def of_fips_203(f: Sequence[int]) -> list[int]:
    """FIPS 203, section 4.3: f modulo X^2 - 17^(2 BitRev7(i) + 1), for i = 0 ... 127."""
    q = 3329
    gammas = [pow(17, 2 * bits_reversed(i, 7) + 1, q) for i in range(128)]
    return [value(f[odd::2], gamma, q) for gamma in gammas for odd in (0, 1)]


def of_fips_204(f: Sequence[int]) -> list[int]:
    """FIPS 204, section 2.5: f at 1753^(2 BitRev8(i) + 1), for i = 0 ... 255."""
    q = 8380417
    return [value(f, pow(1753, 2 * bits_reversed(i, 8) + 1, q), q) for i in range(256)]


def test_the_constants_of_the_standards() -> None:
    """17 and 1753 have orders 256 and 512, as the standards say; their primes are what they say."""
    assert (KEM.modulus, KEM.base, KEM.layers) == (3329, 17, 7)
    assert (DSA.modulus, DSA.base, DSA.layers) == (8380417, 1753, 8)
    assert pow(17, 128, 3329) == 3328 and pow(1753, 256, 8380417) == 8380416


@pytest.mark.parametrize(("field", "defined"), [(KEM, of_fips_203), (DSA, of_fips_204)])
def test_plain_python_has_the_standards(
    field: Field, defined: Callable[[Sequence[int]], list[int]], rng: random.Random
) -> None:
    values = some(field, 256, rng)
    there = transform(values, field)
    assert there == defined(values)
    assert inverse_transform(there, field) == values


@pytest.mark.parametrize("name", ["goldilocks", "babybear", "koalabear", "falcon"])
def test_plain_python_has_the_definition(name: str, rng: random.Random) -> None:
    field = FIELDS[name]
    m, w = field.modulus, root(16, field)
    assert pow(w, 16, m) == 1 and pow(w, 8, m) == m - 1
    values = [rng.randrange(m) for _ in range(16)]
    there = transform(values, field)
    assert there == [sum(x * pow(w, i * j, m) for i, x in enumerate(values)) % m for j in range(16)]
    assert inverse_transform(there, field) == values


# --- the transform ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "log_points"),
    [
        *(("goldilocks", k) for k in (2, 6, 10)),
        *(("babybear", 7), ("koalabear", 5), ("falcon", 9), ("ml-kem", 8), ("ml-dsa", 8)),
    ],
)
def test_a_transform_and_its_inverse(
    name: str, log_points: int, sources: Callable[[int, Field], tuple[Path, ...]], rng: random.Random
) -> None:
    """As Python has it, in the cycles of ``ntt.cycles``; pauses on both sides change nothing."""
    field = FIELDS[name]
    hardware = Hardware(design(sources(log_points, field), log_points, field=field))
    values = some(field, hardware.points, rng)
    there = transform(values, field)
    for pause in (0, 0.3):
        assert hardware(values, pause=pause) == there
        assert hardware(there, inverse=True, pause=pause) == values
        if not pause:
            assert hardware.cycles == cycles(log_points, field)


@pytest.mark.parametrize(("field", "defined"), [(KEM, of_fips_203), (DSA, of_fips_204)])
def test_the_hardware_has_the_standards(
    field: Field,
    defined: Callable[[Sequence[int]], list[int]],
    sources: Callable[[int, Field], tuple[Path, ...]],
    rng: random.Random,
) -> None:
    """Coefficient by coefficient, in their order."""
    hardware = Hardware(design(sources(8, field), 8, field=field))
    values = some(field, 256, rng)
    assert hardware(values) == defined(values)


@pytest.mark.long
@pytest.mark.parametrize("name", ["goldilocks", "babybear", "koalabear"])
def test_a_transform_of_65536_points(
    name: str, sources: Callable[[int, Field], tuple[Path, ...]], rng: random.Random
) -> None:
    """Some of its points by the definition, all of them from the inverse."""
    field = FIELDS[name]
    hardware = Hardware(design(sources(16, field), 16, field=field))
    m, w = field.modulus, root(1 << 16, field)
    values = some(field, 1 << 16, rng)
    there = hardware(values)
    assert hardware.cycles == cycles(16, field)
    for j in (0, 1, 1 << 15, (1 << 16) - 1, *(rng.randrange(1 << 16) for _ in range(20))):
        assert there[j] == value(values, pow(w, j, m), m)
    assert hardware(there, inverse=True) == values


def test_a_product_of_polynomials(
    sources: Callable[[int, Field], tuple[Path, ...]], rng: random.Random
) -> None:
    """What transforms are for: two there, the products, one back."""
    field = FIELDS["babybear"]
    m = field.modulus
    hardware = Hardware(design(sources(6, field), 6, field=field))
    f, g = ([rng.randrange(m) for _ in range(32)] for _ in "fg")
    padded = [hardware([*values, *[0] * 32]) for values in (f, g)]
    product = hardware([a * b % m for a, b in zip(*padded, strict=True)], inverse=True)
    right = [0] * 64
    for i, a in enumerate(f):
        for j, b in enumerate(g):
            right[i + j] = (right[i + j] + a * b) % m
    assert product == right


def test_a_product_in_the_ring_of_ml_dsa(
    sources: Callable[[int, Field], tuple[Path, ...]], rng: random.Random
) -> None:
    """Modulo X^256 + 1, point by point."""
    m = DSA.modulus
    hardware = Hardware(design(sources(8, DSA), 8, field=DSA))
    f, g = ([rng.randrange(m) for _ in range(256)] for _ in "fg")
    there = [hardware(values) for values in (f, g)]
    right = [0] * 256
    for i, a in enumerate(f):
        for j, b in enumerate(g):
            right[(i + j) % 256] += a * b if i + j < 256 else -a * b
    product = hardware([a * b % m for a, b in zip(*there, strict=True)], inverse=True)
    assert product == [each % m for each in right]


@pytest.mark.parametrize(
    ("name", "log_points", "reason"),
    [
        ("goldilocks", 1, r"a transform has 2\^2 to 2\^16 points, not 2\^1"),
        ("koalabear", 17, r"a transform has 2\^2 to 2\^16 points, not 2\^17"),
        ("falcon", 13, r"a transform has 2\^2 to 2\^12 points, not 2\^13"),
        ("ml-kem", 7, r"the transform of the standard has 2\^8 points, not 2\^7"),
        ("mersenne31", 4, "M - 1 = 2147483646 is twice an odd number: there is no root of unity of order 4"),
    ],
)
def test_other_numbers_of_points_are_refused(name: str, log_points: int, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=reason):
        write(tmp_path, log_points, FIELDS[name])


# --- the butterfly ------------------------------------------------------------------------------


def check_butterfly(sources: tuple[Path, ...], rng: random.Random, field: Field = GOLDILOCKS) -> None:
    """Some hundred butterflies, the first of them one a cycle; then with pauses, until it is full and stalls.

    Raises:
        AssertionError: one is wrong, comes uncalled for or changes while it waits, or the rate is lower.
    """
    modulus = field.modulus
    model = Model(Unit(design(sources, field=field)))
    model.rows([[0] * 8] * 2)
    model.poke("rst_ni", 1)
    for _ in range(4):  # the multiplier gets its context
        model.edge()
    corners = (0, 1, (2**32 - 1) % modulus, 2**32 % modulus, (modulus - 1) // 2, modulus - 1)
    expected: list[tuple[int, int]] = []
    held: tuple[int, int] | None = None
    valid, cycle, done = False, 0, 0
    half = pow(2, -1, modulus)
    for pause, stall, count in ((0.0, 0, 200), (0.5, 40, 200), (0.1, 40, 200)):
        start = cycle
        left, waited, first, shown = count, 0, -1, -1
        while left or expected or valid:
            if not valid and left and rng.random() >= pause:
                valid = True
                halve, gentleman = rng.getrandbits(1), rng.getrandbits(1)
                w, a, b = (rng.choice((*corners, rng.randrange(modulus))) for _ in "wab")
                modes = (("halve_i", halve), ("gentleman_i", gentleman))
                for port, given in (*modes, ("w_i", w), ("a_i", a), ("b_i", b)):
                    model.poke(port, given)
            ready = cycle >= start + stall and rng.random() >= pause
            model.poke("in_valid_i", int(valid))
            model.poke("out_ready_i", int(ready))
            if model.peek("out_valid_o"):
                shown = cycle if shown < 0 else shown
                result = model.peek("u_o"), model.peek("v_o")
                assert expected and result == expected[0]
                if ready:
                    expected.pop(0)
                    done += 1
                held = None if ready else result
            else:
                assert held is None
            if valid and model.peek("in_ready_o"):
                first = cycle if first < 0 else first
                factor = half if halve else 1
                u, v = (a + b, w * (b - a)) if gentleman else (a + w * b, a - w * b)
                expected.append((u * factor % modulus, v * factor % modulus))
                valid, left, waited = False, left - 1, 0
            waited += 1
            assert waited < 200 and len(expected) <= 40
            model.edge()
            cycle += 1
        if not pause:  # 3 cycles more than the multiplier takes, for steps 1, 3 and 4
            multiplier = room("small_fixed").build(field.width, {"Modulus": modulus})
            assert shown - first == multiplier.latency + 3
            assert cycle - first == count + shown - first
    assert done == 600


@pytest.mark.parametrize(("name", "log_points"), [("goldilocks", 2), ("ml-kem", 8), ("koalabear", 2)])
def test_the_butterfly(
    name: str, log_points: int, sources: Callable[[int, Field], tuple[Path, ...]], rng: random.Random
) -> None:
    check_butterfly(sources(log_points, FIELDS[name]), rng, FIELDS[name])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("less[Width] ? sum[Width-1:0] : less[Width-1:0]", "sum[Width-1:0]"),
        ("(difference[Width] ? M : Width'(0))", "Width'(0)"),
        ("(number[0] ? Long : (Width+1)'(0))", "(Width+1)'(0)"),
        ("assign step3 = mul_out_valid & move;", "assign step3 = mul_out_valid;"),
        ("halve_q <= halve;", "halve_q <= halve_i;"),
        ("assign in_ready_o = ~first_valid_q | first;", "assign in_ready_o = 1'b1;"),
        ("minus(b_i, a_i)", "minus(a_i, b_i)"),
        ("gentleman ? t : minus(c, t)", "minus(c, t)"),
    ],
)
def test_a_broken_butterfly_is_found(right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    files = write(tmp_path, 8, KEM)
    [broken] = (file for file in files if file.stem == "mm_ntt_butterfly")
    text = broken.read_text(encoding="utf-8")
    assert text.count(right) == 1
    broken.write_text(text.replace(right, wrong), encoding="utf-8")
    with pytest.raises(AssertionError):
        check_butterfly(files, rng, KEM)
