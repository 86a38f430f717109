# SPDX-License-Identifier: Apache-2.0
"""The example: a number-theoretic transform on ``pipelined``, its butterfly alone, and broken butterflies."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from modmul.registry import room
from modmul.verify.simulator import Model, Unit
from ntt import MODULUS, Hardware, cycles, design, root, transform, write


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], tuple[Path, ...]]:
    """The files of a transform, by the logarithm of its points."""

    def written(log_points: int) -> tuple[Path, ...]:
        return write(tmp_path_factory.mktemp("ntt"), log_points)

    return written


# --- the transform ------------------------------------------------------------------------------


def test_plain_python_has_the_definition() -> None:
    w = root(16)
    assert pow(w, 16, MODULUS) == 1 and pow(w, 8, MODULUS) == MODULUS - 1
    rng = random.Random(1)
    values = [rng.randrange(MODULUS) for _ in range(16)]
    assert transform(values, w) == [
        sum(x * pow(w, i * j, MODULUS) for i, x in enumerate(values)) % MODULUS for j in range(16)
    ]


@pytest.mark.parametrize("log_points", [2, 6, 10])
def test_a_transform_and_its_inverse(
    log_points: int, sources: Callable[[int], tuple[Path, ...]], rng: random.Random
) -> None:
    """As Python has it, in the cycles of ``ntt.cycles``; pauses on both sides change nothing."""
    hardware = Hardware(design(sources(log_points), log_points))
    points = hardware.points
    values = [rng.choice((0, 1, MODULUS - 1, rng.randrange(MODULUS))) for _ in range(points)]
    there = transform(values, root(points))
    for pause in (0, 0.3):
        assert hardware(values, pause=pause) == there
        assert hardware(there, inverse=True, pause=pause) == values
        if not pause:
            assert hardware.cycles == cycles(log_points)


def test_a_product_of_polynomials(sources: Callable[[int], tuple[Path, ...]], rng: random.Random) -> None:
    """What transforms are for: two there, the products, one back."""
    hardware = Hardware(design(sources(6), 6))
    f, g = ([rng.randrange(MODULUS) for _ in range(32)] for _ in "fg")
    padded = [hardware([*values, *[0] * 32]) for values in (f, g)]
    product = hardware([a * b % MODULUS for a, b in zip(*padded, strict=True)], inverse=True)
    right = [0] * 64
    for i, a in enumerate(f):
        for j, b in enumerate(g):
            right[i + j] = (right[i + j] + a * b) % MODULUS
    assert product == right


@pytest.mark.parametrize("log_points", [1, 17])
def test_other_numbers_of_points_are_refused(log_points: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"a transform has 2\^2 to 2\^16 points, not 2\^{log_points}"):
        write(tmp_path, log_points)


# --- the butterfly ------------------------------------------------------------------------------


def check_butterfly(sources: tuple[Path, ...], rng: random.Random) -> None:
    """Some hundred butterflies, the first of them one a cycle; then with pauses, until it is full and stalls.

    Raises:
        AssertionError: one is wrong, comes uncalled for or changes while it waits, or the rate is lower.
    """
    model = Model(Unit(design(sources)))
    model.rows([[0] * 7] * 2)
    model.poke("rst_ni", 1)
    corners = (0, 1, 2**32 - 1, 2**32, (MODULUS - 1) // 2, MODULUS - 1)
    expected: list[tuple[int, int]] = []
    held: tuple[int, int] | None = None
    valid, cycle, done = False, 0, 0
    half = pow(2, -1, MODULUS)
    for pause, stall, count in ((0.0, 0, 200), (0.5, 40, 200), (0.1, 40, 200)):
        start = cycle
        left, waited, first, shown = count, 0, -1, -1
        while left or expected or valid:
            if not valid and left and rng.random() >= pause:
                valid = True
                halve = rng.getrandbits(1)
                w, a, b = (rng.choice((*corners, rng.randrange(MODULUS))) for _ in "wab")
                for port, value in (("halve_i", halve), ("w_i", w), ("a_i", a), ("b_i", b)):
                    model.poke(port, value)
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
                t = w * b
                expected.append(((a + t) * factor % MODULUS, (a - t) * factor % MODULUS))
                valid, left, waited = False, left - 1, 0
            waited += 1
            assert waited < 200 and len(expected) <= 40
            model.edge()
            cycle += 1
        if not pause:  # 2 cycles more than the multiplier takes, for steps 2 and 3
            multiplier = room("pipelined")
            assert (
                shown - first
                == multiplier.core.interface.latency(multiplier.build(64, {"Modulus": MODULUS}).config) + 2
            )
            assert cycle - first == count + shown - first
    assert done == 600


def test_the_butterfly(sources: Callable[[int], tuple[Path, ...]], rng: random.Random) -> None:
    check_butterfly(sources(2), rng)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("less[64] ? sum[63:0] : less[63:0]", "sum[63:0]"),
        ("(difference[64] ? M : 64'd0)", "64'd0"),
        ("(number[0] ? {1'b0, M} : 65'd0)", "65'd0"),
        ("assign step2 = mul_out_valid & move;", "assign step2 = mul_out_valid;"),
        ("halve_q <= halve;", "halve_q <= halve_i;"),
    ],
)
def test_a_broken_butterfly_is_found(right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    files = write(tmp_path, 2)
    [broken] = (file for file in files if file.stem == "mm_ntt_butterfly")
    text = broken.read_text(encoding="utf-8")
    assert text.count(right) == 1
    broken.write_text(text.replace(right, wrong), encoding="utf-8")
    with pytest.raises(AssertionError):
        check_butterfly(files, rng)
