# SPDX-License-Identifier: Apache-2.0
"""What the contract tests cannot know of fips_literal: the paper's cycles, counts and algorithms."""

import random
from itertools import product

import pytest

from modmul.core import Polynomial, carryless_product, to_beats
from modmul.cores.product_scanning.fips_literal.core import (
    TABLE1,
    FipsLiteral,
    algorithm_2,
    algorithm_3,
    algorithm_4,
    cycles,
    moments,
    order,
)
from modmul.cores.product_scanning.scanning import product_count
from modmul.moduli import modulus
from modmul.registry import room
from modmul.verify.checks import check_batch
from modmul.verify.simulation import Simulation

LITERAL = room("fips_literal")
KINDS = ("all", "half", "diagonal")


def number(words: list[int], word: int) -> int:
    return sum(value << (word * place) for place, value in enumerate(words))


def counted(simulation: Simulation, s: int, *, square: bool, binary: bool = False) -> int:
    """Clock cycles between the last operand beat and the result, counted at the hardware's ports."""
    ones = (1 << (32 * s)) - 1
    simulation.load(Polynomial(ones) if binary else ones)
    batch = simulation.run([3], [5], square=[square])
    return int(batch.latencies[0]) - 1


# --- the paper's figures ------------------------------------------------------------------------


@pytest.mark.parametrize("multipliers", [1, 2])
def test_table_1_and_section_5_3(multipliers: int) -> None:
    """Every length of Table 1 and 4 cycles, as Fig. 10 says; half the products with two multipliers."""
    simulation = Simulation(LITERAL.of(FipsLiteral(2048, multipliers=multipliers)))
    found = {}
    for s, ns_old, ns_new, _saved in TABLE1:
        assert (ns_old // 2, ns_new // 2) == (product_count(s, "all"), product_count(s, "half"))
        found[s] = counted(simulation, s, square=False), counted(simulation, s, square=True)
        assert found[s] == (ns_old // 2 // multipliers + 4, ns_new // 2 // multipliers + 4)
        assert counted(simulation, s, square=False, binary=True) == found[s][0]
    assert found[32] == {1: (2084, 1588), 2: (1044, 796)}[multipliers]
    for s in (1, 2, 3):
        exact = (2 * s * s + s + 4, (3 * s * s + 3 * s) // 2 + 4)
        short = {1: exact, 2: {1: (7, 7), 2: (10, 10), 3: (15, 14)}[s]}[multipliers]
        assert (counted(simulation, s, square=False), counted(simulation, s, square=True)) == short


def test_the_declared_cycles_are_those_of_the_order() -> None:
    """A traditional square takes what a multiplication takes."""
    for s, multipliers in product((*range(1, 18), 32), (1, 2)):
        for square, binary in product((False, True), repeat=2):
            at = FipsLiteral(32 * s, multipliers=multipliers, square=square, binary=binary, length=32 * s - 1)
            assert cycles(at) == len(order(s, at.products, multipliers)) + 4
        old = FipsLiteral(32 * s, multipliers=multipliers, square_optimized=0, square=True)
        assert cycles(old) == cycles(FipsLiteral(32 * s, multipliers=multipliers))


@pytest.mark.parametrize("multipliers", [1, 2])
def test_every_product_is_made_once(multipliers: int) -> None:
    """And m_i is made when its column is complete, and used from then on."""
    for s, kind in product((1, 2, 3, 4, 7, 12), KINDS):
        made = [one for cycle in order(s, kind, multipliers) for one in cycle.lanes if one is not None]
        assert len(made) == len({(one.kind, one.j, one.k) for one in made}) == product_count(s, kind)
        columns = [one.column for one in made if one.kind != "m"]
        there = {one.j: turn for turn, one in enumerate(made) if one.kind == "m"}
        for i, turn in there.items():
            assert not [one for one in made[turn:] if one.column <= i and one.kind == "ab"]
            assert min(at for at, one in enumerate(made) if one.kind == "mn" and one.j == i) > turn
        assert max(columns) == 2 * s - 2


def test_counts() -> None:
    """Abstract, Sections 3.2 and 4.2, corrected: products saved (s^2 - s)/2, operand reads s^2 - s."""
    rng = random.Random(4)
    for s in (1, 2, 5, 32):
        n = rng.getrandbits(32 * s) | 1
        x = rng.randrange(n)
        _, whole = algorithm_4(n, x, x, s, 32)
        _, square = algorithm_4(n, x, x, s, 32, square=True)
        assert (whole.products, square.products) == (2 * s * s + s, (3 * s * s + 3 * s) // 2)
        assert whole.products - square.products == (s * s - s) // 2
        assert whole.reads - square.reads == s * s - s
        f = Polynomial(1 << (32 * s - 1) | 1)
        assert algorithm_4(f, 1, 1, s, 32)[1] == whole
        assert algorithm_4(f, 1, 1, s, 32, square=True)[1].products == s * s + 2 * s
        words = to_beats(x, 32 * s, 32)
        assert algorithm_2(words, words, 32)[1] == (s * s, 2 * s * s)
        assert algorithm_3(words, 32)[1] == ((s * s + s) // 2, s * s + s)
        assert algorithm_3(words, 32, binary=True)[1] == (s, 2 * s)


# --- the algorithms -----------------------------------------------------------------------------


@pytest.mark.parametrize(("word", "s"), [(1, 3), (1, 4), (2, 2), (2, 3), (3, 2)])
def test_algorithms_2_and_3_exhaustively(word: int, s: int) -> None:
    bits = word * s
    split = [to_beats(value, bits, word) for value in range(1 << bits)]
    for x, a in enumerate(split):
        assert number(algorithm_3(a, word)[0], word) == x * x
        assert number(algorithm_3(a, word, binary=True)[0], word) == carryless_product(x, x)
        for y, b in enumerate(split):
            assert number(algorithm_2(a, b, word)[0], word) == x * y
            assert number(algorithm_2(a, b, word, binary=True)[0], word) == carryless_product(x, y)


@pytest.mark.parametrize(("word", "s"), [(2, 1), (2, 2), (3, 1), (1, 4)])
@pytest.mark.parametrize("multipliers", [1, 2])
def test_algorithm_4_exhaustively(word: int, s: int, multipliers: int) -> None:
    radix = 1 << (word * s)
    for n in range(1, radix, 2):
        inverse = pow(radix, -1, n)
        for x, y in product(range(n + 1), repeat=2):
            assert algorithm_4(n, x, y, s, word, multipliers=multipliers)[0] == x * y * inverse % n
        for x in range(n + 1):
            found, _ = algorithm_4(n, x, x, s, word, square=True, multipliers=multipliers)
            assert found == x * x * inverse % n
    for f in map(Polynomial, range(3, radix, 2)):
        inverse = f.inverse(radix)
        for x, y in product(range(1 << f.degree), repeat=2):
            assert algorithm_4(f, x, y, s, word, multipliers=multipliers)[0] == f.product(x, y, inverse)
        for x in range(1 << f.degree):
            found, _ = algorithm_4(f, x, x, s, word, square=True, multipliers=multipliers)
            assert found == f.product(x, x, inverse)


def test_algorithms_at_full_length() -> None:
    rng = random.Random(5)
    s, bits = 32, 1024
    for multipliers in (1, 2):
        n = rng.getrandbits(bits) | 1 << (bits - 1) | 1
        f = Polynomial(rng.getrandbits(bits) | 1 << (bits - 1) | 1)
        x, y = rng.randrange(n), rng.randrange(n)
        a, b = (to_beats(value, bits, 32) for value in (x, y))
        assert number(algorithm_2(a, b, 32)[0], 32) == x * y
        assert number(algorithm_3(a, 32)[0], 32) == x * x
        inverse = pow(1 << bits, -1, n)
        assert algorithm_4(n, x, y, s, 32, multipliers=multipliers)[0] == x * y * inverse % n
        assert algorithm_4(n, x, x, s, 32, square=True, multipliers=multipliers)[0] == x * x * inverse % n
        x, y = x % (1 << f.degree), y % (1 << f.degree)
        inverse = f.inverse(1 << bits)
        assert algorithm_4(f, x, y, s, 32, multipliers=multipliers)[0] == f.product(x, y, inverse)
        found, _ = algorithm_4(f, x, x, s, 32, square=True, multipliers=multipliers)
        assert found == f.product(x, x, inverse)


def test_a_doubled_product_is_wrong_in_characteristic_2() -> None:
    """2ab = 0: with the shifted products of the paper's Formula 4 a square comes out wrong."""
    f = Polynomial(1 << 31 | 1 << 3 | 1)
    x = 0x1234_5678
    wrong = 0
    for moment in moments(order(4, "half", 1), f, x, x, 4, 8):
        wrong = moment.v
    right = 0
    for moment in moments(order(4, "diagonal", 1), f, x, x, 4, 8):
        right = moment.v
    assert wrong != right
    assert algorithm_4(f, x, x, 4, 8, square=True)[0] == f.product(x, x, f.inverse(1 << 32))


@pytest.mark.parametrize(
    ("multipliers", "kind", "bits"),
    [(1, "all", 24), (1, "half", 24), (2, "all", 28), (2, "half", 36)],
)
def test_the_accumulator_holds_the_longest_column(multipliers: int, kind: str, bits: int) -> None:
    """64 words of 8 bits, all ones: before a shift, v is below 2^bits."""
    ones = (1 << 512) - 1
    most = 0
    for moment in moments(order(64, kind, multipliers), ones, ones, ones, 64, 8):
        most = max(most, moment.v << 8 * moment.cycle.end)
    assert 1 << (bits - 6) < most < (1 << bits) - (1 << 16)


# --- the hardware -------------------------------------------------------------------------------


def test_fields() -> None:
    """NIST's and SM2's prime and binary fields, in turn, with two multipliers of 32 bits."""
    rng = random.Random(6)
    simulation = Simulation(LITERAL.of(FipsLiteral(2048, multipliers=2)))
    for name in ("p192", "b163", "p256", "b233", "sm2", "sm2-binary", "p521", "b571"):
        n = modulus(name).value
        simulation.load(n)
        top = LITERAL.core.function.operand_max(simulation.at, n)
        xs = [top, 0, 1, *(rng.randint(0, top) for _ in range(4))]
        ys = [top, top, 1, *(rng.randint(0, top) for _ in range(4))]
        for square in (False, True):
            assert check_batch(simulation, n, xs, ys, controls={"square": [square] * len(xs)})


def test_one_field_and_long_words() -> None:
    """A build of GF(2^m) alone, with words of 64 bits."""
    rng = random.Random(7)
    simulation = Simulation(LITERAL.of(FipsLiteral(233, word=64, field_set=2)))
    n = modulus("b233").value
    simulation.load(n)
    xs, ys = ([rng.getrandbits(233) for _ in range(20)] for _ in range(2))
    for square in (False, True):
        assert check_batch(simulation, n, xs, ys, controls={"square": [square] * len(xs)})


def test_a_degree_of_all_words_is_refused() -> None:
    """N has s words with its highest term: there is no room for x^(s w)."""
    core = LITERAL.core
    core.function.check(FipsLiteral(64), Polynomial(1 << 63 | 1))
    with pytest.raises(ValueError, match="degree 64; take --width 65"):
        core.function.check(FipsLiteral(64), Polynomial(1 << 64 | 1))
    assert core.function.some_modulus(FipsLiteral(64, field_set=2)) == Polynomial(1 << 63 | 1)
