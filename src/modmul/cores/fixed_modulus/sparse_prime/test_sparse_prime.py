# SPDX-License-Identifier: Apache-2.0
"""sparse_prime: the ranges of the README, and that no place gets two carries."""

import json
import random
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from modmul.cores.fixed_modulus.sparse_prime.core import (
    DELAY,
    DIGITS,
    GROUP,
    OFFSET,
    SparsePrime,
    digits_of,
    sums,
)
from modmul.measure.synthesis import elaboration, run_yosys
from modmul.moduli import modulus
from modmul.registry import Room, room
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

SPARSE = ("p192", "p224", "p256", "p384", "p521", "curve25519", "ed448", "secp256k1", "sm2", "goldilocks")
PRIMES = {name: modulus(name).value for name in SPARSE}
PRIME_BUILDS = [
    SparsePrime(prime.bit_length(), digit=digit, modulus=prime)
    for prime in PRIMES.values()
    for digit in DIGITS
]
SMALL_BUILDS = [
    SparsePrime(width, word=16, digit=digit, modulus=(1 << width) - less)
    for width in range(2, 10)
    for less in range(1, (1 << width) // 3 + 1, 2)
    for digit in DIGITS
]
rng = random.Random(14)
OTHER_BUILDS = [
    SparsePrime(
        width, digit=digit, modulus=(1 << width) - rng.randrange(1, min((1 << width) // 3, 1 << 31), 2)
    )
    for width in range(10, 80)
    for digit in DIGITS
]
BUILDS = [*PRIME_BUILDS, *SMALL_BUILDS, *OTHER_BUILDS]


def unreduced(config: SparsePrime, x: int, y: int) -> list[int]:
    """U after step 4, and after each step 5; every digit that is pushed out is in its range."""
    constants, n, k = config.constants, config.width, config.digit
    s, pushed = constants.start, [OFFSET[k]] * DELAY
    for digit in digits_of(config, x):
        total = (s << k) + digit * y + constants.t(pushed[-DELAY])
        s = total % (1 << n)
        pushed.append((total >> n) + OFFSET[k])
        assert 0 <= pushed[-1] < 1 << constants.t_bits
    w = sum(t << (k * j) for j, t in enumerate(reversed(pushed[-DELAY:])))
    found = [s + constants.f(w)]
    for _ in range(constants.folds):
        high = found[-1] >> n
        assert high < 1 << constants.w_bits
        found.append(found[-1] % (1 << n) + constants.f(high))
    return found


def operands(m: int, count: int) -> Iterable[tuple[int, int]]:
    """Corners and random ones."""
    for _ in range(count):
        x, y = (rng.choice((m, m - 1, rng.randrange(m + 1))) for _ in range(2))
        yield x, y


def test_the_constants_are_those_of_the_prime() -> None:
    """T and F are linear, with the right slopes; G is small; products of groups do not overlap."""
    for config in BUILDS:
        constants = config.constants
        g, m = constants.g, config.modulus
        assert (g - (constants.d << (DELAY * config.digit))) % m == 0 and 2 * abs(g) < m
        assert constants.t(1) - constants.t(0) == g and constants.f(1) - constants.f(0) == constants.d
        assert min(constants.t(0), constants.t((1 << constants.t_bits) - 1)) >= 0
        assert min(constants.f(0), constants.f((1 << constants.w_bits) - 1)) >= 0
        for group, above in zip(constants.groups, constants.groups[1:], strict=False):
            value = abs(sum(sign << (place - group[0][0]) for place, sign in group))
            assert value * ((1 << constants.w_bits) - 1) < 1 << (above[0][0] - group[0][0])


def test_sums_are_in_range() -> None:
    """U is x * y, below its bound after each step, and at the end below 2M."""
    for config in BUILDS:
        m, constants = config.modulus, config.constants
        for x, y in operands(m, 12):
            values = unreduced(config, x, y)
            assert (values[-1] - x * y) % m == 0 and values[-1] < 2 * m
            assert all(value <= bound for value, bound in zip(values, constants.bounds, strict=True))


@pytest.mark.parametrize("width", [2, 3, 4, 5])
def test_every_operand(width: int) -> None:
    for config in (build for build in SMALL_BUILDS if build.width == width):
        m = config.modulus
        for x in range(m + 1):
            for y in range(m + 1):
                last = unreduced(config, x, y)[-1]
                assert (last if last + config.constants.d < 1 << width else last - m) == x * y % m


def test_more_than_a_third_does_not_end() -> None:
    """The limit of D is where step 5 stops to make U smaller."""
    with pytest.raises(ValueError, match="at most a third"):
        SparsePrime(6, word=16, modulus=64 - 23)
    with pytest.raises(ValueError, match="must be odd"):
        SparsePrime(16, word=16, modulus=(1 << 16) - 2)


def cuts_of_yosys(config: SparsePrime, folder: Path) -> list[int]:
    """Where S is cut in what Yosys elaborates: the ends of the pieces, n among them."""
    design = room("sparse_prime").design(config)
    commands = (*elaboration(design), "write_json netlist.json")
    run_yosys(commands, design.sources, folder, folder / "yosys.log", 600)
    modules = json.loads((folder / "netlist.json").read_text())["modules"]
    [loop] = [module for name, module in modules.items() if "mm_sparse_prime_loop" in name]
    found = [re.fullmatch(r"gen_piece\[(\d+)\]\.gen_begin\.carry_in", name) for name in loop["netnames"]]
    begins = sorted(int(match[1]) for match in found if match)
    return [*begins[1:], config.width]


@pytest.mark.parametrize(
    "config",
    [
        pytest.param(
            config, marks=() if config.modulus == PRIMES["goldilocks"] else pytest.mark.long, id=str(config)
        )
        for config in PRIME_BUILDS
        if config.digit == 4
    ],
)
def test_synthesis_cuts_where_simulation_does(config: SparsePrime, tmp_path: Path) -> None:
    """The constant functions, by Yosys: with other cuts products may still be right, and carries longer."""
    assert cuts_of_yosys(config, tmp_path) == config.constants.cuts


def arrivals(cuts: list[int], touched: int, n: int) -> list[int]:
    """The bits at which carries count: those of S, moved by GROUP, and those of E with T."""
    pieces = zip([0, *cuts], cuts, strict=False)
    saved = [cut + GROUP for cut in cuts if cut + GROUP < n]
    return saved + [end for low, end in pieces if end < n and touched >> low & ((1 << (end - low)) - 1)]


def test_no_place_gets_two_carries() -> None:
    """A carry of S that comes to no cut finds a bit at which T is always 0."""
    for config in BUILDS:
        constants = config.constants
        found = arrivals(constants.cuts, constants.touched, constants.n)
        assert len(found) == len(set(found))
        assert not [at for at in found if at not in constants.cuts and constants.touched >> at & 1]


def longest(places: Iterable[int]) -> int:
    """Bits of the longest piece between two places, the first from 0 on."""
    cuts = list(places)
    return max(end - low for low, end in zip([0, *cuts], cuts, strict=False))


def test_carries_are_as_short_as_the_readme_says() -> None:
    for config in (config for config in PRIME_BUILDS if config.digit == 4):
        cuts, n = config.constants.cuts, config.width
        assert longest(cuts) <= (64 if config.modulus == PRIMES["secp256k1"] else 48)
        multiples = [cut for cut in cuts if cut < n and cut - GROUP in cuts]
        assert longest([*multiples, n + config.constants.t_bits]) <= 80


def test_cuts_all_along_would_give_some_place_two() -> None:
    constants = SparsePrime(256, modulus=PRIMES["secp256k1"]).constants
    cuts = list(range(GROUP, 257, GROUP))
    found = arrivals(cuts, constants.touched, 256)
    assert len(found) > len(set(found))


@pytest.mark.parametrize("config", [*PRIME_BUILDS[3:9], *SMALL_BUILDS[::40], *OTHER_BUILDS[::40]], ids=str)
def test_saved_carries_are_part_of_the_sum(config: SparsePrime) -> None:
    """The sum in pieces is the product, too, with the carries that are saved and digits that are pending."""
    constants, n = config.constants, config.width
    for x, y in operands(config.modulus, 6):
        steps = [(constants.start, 0, OFFSET[config.digit])] * DELAY + [*sums(config, x, y)]
        s, c, _ = steps[-1]
        w = sum(t << (config.digit * j) for j, (_, _, t) in enumerate(reversed(steps[-DELAY:])))
        assert c < 1 << n and s + c + constants.f(w) <= constants.bounds[0]
        more = constants.folds * constants.f(0)  # what steps 5 add
        assert (s + c + constants.f(w) + more - x * y) % config.modulus == 0


def test_digits_are_those_of_x() -> None:
    for digit in DIGITS:
        config = SparsePrime(16, word=16, digit=digit, modulus=(1 << 16) - 1)
        low, high = -OFFSET[digit], {1: 1, 2: 2, 4: 10}[digit]
        for x in range(0, 1 << 16, 7):
            digits = digits_of(config, x)
            assert len(digits) == config.steps and all(low <= each <= high for each in digits)
            assert x == sum(each << (digit * i) for i, each in enumerate(reversed(digits)))


MUTANTS = {
    "a carry is forgotten where T has bits": (
        "mm_sparse_prime_loop",
        "assign t[j] = c_q[Ages-2][j-Group];",
        "assign t[j] = 1'b0;",
    ),
    "the carry of T is forgotten": (
        "mm_sparse_prime_loop",
        "assign f_carry[End] = f_top_q & (End < N);",
        "assign f_carry[End] = f_top_q & (End < 0);",
    ),
    "pieces are not joined below T": (
        "mm_sparse_prime_loop",
        "if (top < N && (below",
        "if (top < 0 && (below",
    ),
    "the carry to 2^n is forgotten": (
        "mm_sparse_prime_loop",
        "assign crossing = c_q[Ages-1][N-Group];",
        "assign crossing = 1'b0;",
    ),
    "the second multiple lacks its one": (
        "mm_sparse_prime_loop",
        "low_q   <= negative_q[1];",
        "low_q   <= 1'b0;",
    ),
    "S begins with 0": ("mm_sparse_prime_loop", "s_q    <= Start;", "s_q    <= '0;"),
    "F of W is taken too early": (
        "mm_sparse_prime",
        "localparam int Gap       = Stages + 2;",
        "localparam int Gap = 2;",
    ),
    "U is not reduced at the end": ("mm_sparse_prime_converter", "show_i && !high_q[0]", "show_i"),
    "a word of the context is not compared": ("mm_sparse_prime", "(same_q | beat == '0)", "1'b1"),
}
"""What each rule of the hardware is for: it is broken, and a check sees it."""


def is_right(room_of: Room, config: SparsePrime) -> bool:
    """Whether random products, and what is refused, are right."""
    simulation = Simulation(room_of.of(config), seed=14)
    try:
        sum(checks.check_random(simulation, config.modulus, 400, random.Random(14)))
        return checks.check_context(simulation, [config.modulus], random.Random(14)) >= 1
    except (VerificationError, ProtocolError):
        return False


@pytest.mark.long
@pytest.mark.parametrize("rule", MUTANTS)
def test_mutants(rule: str, tmp_path: Path) -> None:
    meets = rule == "a carry is forgotten where T has bits"  # with four bits a step there is no such place
    config = SparsePrime(64, digit=2 if meets else 4, modulus=PRIMES["goldilocks"])
    assert not is_right(mutant(room("sparse_prime"), tmp_path / "room", *MUTANTS[rule]), config)


@pytest.mark.long
def test_no_mutant_is_right() -> None:
    assert is_right(room("sparse_prime"), SparsePrime(64, modulus=PRIMES["goldilocks"]))


@pytest.mark.long
@pytest.mark.parametrize("config", PRIME_BUILDS, ids=str)
def test_every_prime(config: SparsePrime) -> None:
    """Thousands of products in the simulated hardware, with the latency."""
    rng = random.Random(config.width)
    simulation = Simulation(room("sparse_prime").of(config), seed=rng.getrandbits(31))
    assert sum(checks.check_random(simulation, config.modulus, 3000, rng)) >= 3000


@pytest.mark.long
@pytest.mark.parametrize("config", OTHER_BUILDS[::7], ids=str)
def test_other_moduli(config: SparsePrime) -> None:
    rng = random.Random(config.width)
    simulation = Simulation(room("sparse_prime").of(config), seed=rng.getrandbits(31))
    assert sum(checks.check_random(simulation, config.modulus, 1000, rng)) >= 1000
