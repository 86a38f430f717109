# SPDX-License-Identifier: Apache-2.0
"""fips_literal: FIPS Montgomery multiplication by words in the data path that Zhang et al. print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from modmul.core import (
    BINARY_FIELD,
    PRIME_FIELD,
    SQUARE,
    Algorithm,
    Builds,
    Core,
    Function,
    Interface,
    Origin,
    Polynomial,
    Published,
    Step,
    carryless_product,
    ceil_div,
    to_beats,
)
from modmul.cores.product_scanning.scanning import (
    WORDS,
    ScanningConfig,
    domain,
    header,
    inverse,
    longer,
    product_count,
    work,
)
from modmul.cores.product_scanning.scanning import check as check_scanning

TABLE1 = (
    *((4, 72, 60, 16.67), (8, 272, 216, 20.59), (16, 1056, 816, 22.73), (24, 2352, 1800, 23.47)),
    *((32, 4160, 3168, 23.85), (40, 6480, 4920, 24.07), (48, 9312, 7056, 24.23)),
    *((56, 12656, 9576, 24.34), (64, 16512, 12480, 24.42)),
)
"""s words of 32 bits, ns of a traditional square and of a proposed one, % saved (Zhang et al., Table 1):
2 ns, a cycle at an assumed 500 MHz, for each of 2s^2 + s and (3s^2 + 3s)/2 products."""
AHEAD = 2
"""Columns that the second product of a pair may be ahead of the first."""


@dataclass(frozen=True)
class FipsLiteral(ScanningConfig):
    """The parameters of ``mm_fips_literal``: one multiplier is the data path of Fig. 7, two of Fig. 8."""

    @property
    def most_words(self) -> int:
        """As many as sum to a column of three words."""
        return min(super().most_words, 1 << (self.word - 2))

    @property
    def bits(self) -> int:
        """Those of the modulus: in GF(2^m) one more than its degree."""
        return self.n + self.binary

    @property
    def trace_bits(self) -> int:
        """The accumulator with its words ahead."""
        return (2 + AHEAD) * self.word + 4


# --- the order of the products ------------------------------------------------------------------


class Product(NamedTuple):
    """A product of two words.

    Attributes:
        kind: ``"ab"`` for a_j * b_k, ``"mn"`` for m_j * n_k, ``"m"`` for v0 * n0'.
        column: j + k; in ``"m"`` the column of v0.
        double: it is added twice.
    """

    kind: str
    column: int
    j: int
    k: int
    double: bool = False


class Cycle(NamedTuple):
    """What is multiplied in a clock cycle.

    Attributes:
        state: that of the control unit.
        lanes: a product or none for each multiplier.
        column: i, to which (v2, v1, v0) belongs.
        end: the column's last addition: v / W.
    """

    state: str
    lanes: tuple[Product | None, ...]
    column: int
    end: bool = False


def _inner(kind: str, i: int, j: int) -> tuple[Product, ...]:
    """Fig. 2: the products of column i at j."""
    k = i - j
    has_ab = kind == "all" or j == k or (j < k and kind == "half")
    ab = Product("ab", i, j, k, double=kind == "half" and j < k)
    return (*(ab,) * has_ab, Product("mn", i, j, k))


def _single(words: int, kind: str) -> Iterator[Cycle]:
    """``mm_fips_literal_single``: Algorithm 4 as it is printed, a product a cycle."""
    for i in range(words):
        for j in range(i):
            for product in _inner(kind, i, j):
                yield Cycle("S2", (product,), i)
        if i == 0 or kind == "all":
            yield Cycle("S3", (Product("ab", i, i, 0),), i)
        yield Cycle("S4", (Product("m", i, i, 0),), i)
        yield Cycle("S5", (Product("mn", i, i, 0),), i, end=True)
    for i in range(words, 2 * words - 1):
        products = [p for j in range(i - words + 1, words) for p in _inner(kind, i, j)]
        for product in products:
            yield Cycle("S6", (product,), i, end=product is products[-1])


def _stream(words: int, kind: str) -> Iterator[Product]:
    """``mm_fips_literal_next``: all products but v0 * n0', m_i * n_0 and m_i * n_1; in place of column 1 of a
    square in GF(2^m), which has none, one that is not valid."""
    for column in range(2 * words - 1):
        low, high = max(0, column - words + 1), min(column, words - 1)
        for j in range(low, high + 1):
            k = column - j
            if kind == "all" or j == k or (kind == "half" and j < k):
                yield Product("ab", column, j, k, double=kind == "half" and j < k)
        if column == 1 and kind == "diagonal":
            yield Product("none", 1, 0, 1)
        for j in range(low, min(column - 2, words - 1) + 1):
            yield Product("mn", column, j, column - j)


def _double(words: int, kind: str) -> Iterator[Cycle]:
    """``mm_fips_literal_double``: two products a cycle, the second of the same column or one behind."""
    end = Product("end", 2 * words - 1, 0, 0)
    rest = [end, *reversed([*_stream(words, kind)])]
    i = 0

    def take(ahead: bool) -> Product | None:
        """The next product if it is of column i or, where that is allowed, ahead of it."""
        product = rest[-1]
        reach = 0 if not ahead else 1 if product.kind == "mn" else AHEAD
        if product is end or product.column - i > reach:
            return None
        rest.pop()
        return product

    def lane(product: Product | None) -> Product | None:
        return None if product is not None and product.kind == "none" else product

    while i < 2 * words - 1:
        if i < words and rest[-1].column > i:
            yield Cycle("S4", (Product("m", i, i, 0), lane(take(ahead=True))), i)
            second = Product("mn", i + 1, i, 1) if words > 1 else None
            yield Cycle("S5", (Product("mn", i, i, 0), second), i, end=True)
            i += 1
        else:
            first = take(ahead=False)
            second = take(ahead=True) if first else None
            last = i >= words and rest[-1].column > i
            yield Cycle("S2" if i < words else "S6", (lane(first), lane(second)), i, end=last)
            i += last


@lru_cache(maxsize=64)
def order(words: int, kind: str, multipliers: int) -> tuple[Cycle, ...]:
    """What is multiplied, cycle by cycle, from the first product to the last.

    Args:
        words: s.
        kind: the products a_j * b_k that are made (:attr:`FipsLiteral.products`).
        multipliers: 1 or 2.
    """
    return tuple((_single if multipliers == 1 else _double)(words, kind))


# --- the algorithms -----------------------------------------------------------------------------


class Counts(NamedTuple):
    """Products of words, and words of operands read for them from the memories."""

    products: int
    reads: int


def _arithmetic(binary: bool) -> tuple[Callable[[int, int], int], Callable[[int, int], int]]:
    """Product and sum of integers or of polynomials over GF(2)."""
    if binary:
        return carryless_product, int.__xor__
    return int.__mul__, int.__add__


def algorithm_2(
    a: Sequence[int], b: Sequence[int], word: int, *, binary: bool = False
) -> tuple[list[int], Counts]:
    """Algorithm 2, corrected: the product of two operands of s words.

    Args:
        a, b: (s,) words, the least significant first.
        word: bits of a word.
        binary: polynomials over GF(2), not integers.

    Returns:
        (2s,) words of the product; what it took.
    """
    product, plus = _arithmetic(binary)
    s, mask = len(a), (1 << word) - 1
    t = [0] * (2 * s)
    for i in range(s):
        carry = 0
        for j in range(s):
            total = plus(plus(t[i + j], product(a[j], b[i])), carry)
            t[i + j], carry = total & mask, total >> word
        t[i + s] = carry  # line 7: C, not S
    return t, Counts(s * s, 2 * s * s)


def algorithm_3(a: Sequence[int], word: int, *, binary: bool = False) -> tuple[list[int], Counts]:
    """Algorithm 3, corrected: the square of an operand of s words.

    A carry, and t[i+s] between two rows, have w + 1 bits in GF(p). In GF(2^m), 2 * a_j * a_i is 0.

    Args and result as of :func:`algorithm_2`.
    """
    product, plus = _arithmetic(binary)
    s, mask = len(a), (1 << word) - 1
    t = [0] * (2 * s)
    made = 0
    for i in range(s):
        total = plus(t[2 * i], product(a[i], a[i]))
        made += 1
        t[2 * i], carry = total & mask, total >> word  # S is kept, too
        for j in range(i + 1, s):
            twice = 0 if binary else 2 * product(a[j], a[i])
            made += not binary
            total = plus(plus(t[i + j], twice), carry)
            t[i + j], carry = total & mask, total >> word
        t[i + s] = carry
    return t, Counts(made, 2 * made)


class Moment(NamedTuple):
    """What a cycle of :func:`order` leaves.

    Attributes:
        products: that of each multiplier; 0 without one.
        v: the accumulator after their addition.
        z: the word of the result, where a column of the second loop ends.
    """

    cycle: Cycle
    products: tuple[int, ...]
    v: int
    z: int | None


def moments(cycles: Sequence[Cycle], n: int, x: int, y: int, words: int, word: int) -> Iterator[Moment]:
    """Algorithm 4, lines 1 to 18, carried out in an order of products.

    Args:
        cycles: :func:`order` of as many words.
        n: a Polynomial in GF(2^m).
        x, y: operands; like n below 2^(words * word).
    """
    product, plus = _arithmetic(isinstance(n, Polynomial))
    n0, mask = inverse(n, word), (1 << word) - 1
    a, b, modulus = (to_beats(number, words * word, word) for number in (x, y, n))
    m = [0] * words
    v = 0
    for cycle in cycles:
        made = [0] * len(cycle.lanes)
        total = v
        for lane, one in enumerate(cycle.lanes):
            if one is None:
                continue
            if one.kind == "m":
                made[lane] = product(v & mask, n0)
                m[one.j] = made[lane] & mask
            else:
                left, right = (a[one.j], b[one.k]) if one.kind == "ab" else (m[one.j], modulus[one.k])
                made[lane] = product(left, right)
                total = plus(total, made[lane] << one.double << word * (one.column - cycle.column))
        v = total >> word if cycle.end else total
        yield Moment(cycle, tuple(made), v, total & mask if cycle.end and cycle.column >= words else None)


def algorithm_4(
    n: int, x: int, y: int, words: int, word: int, *, square: bool = False, multipliers: int = 1
) -> tuple[int, Counts]:
    """Algorithm 4, corrected: x * y / R mod N, R = 2^(words * word) or x^(words * word).

    Args:
        n: odd, or a Polynomial with constant term 1; below R.
        x, y: operands, at most N in GF(p), of lower degree in GF(2^m); y is x in a square.
        words, word: s words of w bits.
        square: leave out the products that a square does not need.
        multipliers: 1 or 2, for the order of the products.
    """
    binary = isinstance(n, Polynomial)
    cycles = order(words, "all" if not square else "diagonal" if binary else "half", multipliers)
    result, v, place = 0, 0, 0
    for moment in moments(cycles, n, x, y, words, word):
        v = moment.v
        if moment.z is not None:
            result |= moment.z << place
            place += word
    result |= v << place  # z_(s-1), line 16, and the carry, line 19
    made = [one for cycle in cycles for one in cycle.lanes if one is not None]
    counts = Counts(len(made), sum(2 for one in made if one.kind != "m"))
    return (result - n if not binary and result >= n else result), counts


# --- the core -----------------------------------------------------------------------------------


def cycles(config: FipsLiteral) -> int:
    """S0, S1, the products, the last addition, the end of S7; the memories are full before.

    With two multipliers and less than four words, not all pairs are full.
    """
    s, kind = config.beats, config.products
    if config.multipliers == 1:
        return product_count(s, kind) + 4
    if s < 4:
        return len(order(s, kind, 2)) + 4
    return ceil_div(product_count(s, kind) + (kind == "diagonal"), 2) + 4


def latency(config: FipsLiteral) -> int:
    return cycles(config) + 1


def interval(config: FipsLiteral) -> int:
    """A multiplication is loaded and unloaded between two others."""
    return latency(config) - 1 + 2 * config.beats


def context(config: FipsLiteral, modulus: int) -> list[int]:
    """Header, n0', the words of N."""
    binary = isinstance(modulus, Polynomial)
    return [
        *header(config, config.beats, binary=binary),
        inverse(modulus, config.word),
        *config.split(modulus),
    ]


def refused(config: FipsLiteral) -> list[list[int]]:
    """Even N, N(0) = 0, no words, too many words, a field the build lacks, bit 1 of the header."""
    found: list[list[int]] = []
    for binary in (False, True):
        served = (BINARY_FIELD if binary else PRIME_FIELD) in config.fields
        most = config.max_words
        full = header(config, most, binary=binary)
        found.append([*full, 1, *[0] * most])
        found.append([*full, 1, 2, *[1] * (most - 1)])
        found.append([*header(config, 0, binary=binary), 1])
        for words in (most + 1, *longer(most)):
            found.append([*header(config, words, binary=binary), 1, *[1] * words])
        found.append([*header(config, 1, binary=binary, bit_1=True), 1, 1])
        if not served:
            found.append([*full, 1, *[1] * most])
    return found


def check(config: FipsLiteral, modulus: int) -> None:
    """As all FIPS multipliers; here the term of the highest degree must fit as well."""
    check_scanning(config, modulus)
    if isinstance(modulus, Polynomial) and modulus.degree == config.max_words * config.word:
        raise ValueError(
            f"the modulus of GF(2^m) must fit into {config.max_words} words of {config.word} bits, not "
            f"degree {modulus.degree}; take --width {modulus.degree + 1}"
        )


def trace(_config: FipsLiteral) -> dict[str, str]:
    return {"v": "u_unit.v_q", "carry": "u_unit.carry", "plain": "u_unit.plain"}


LINES = {"S2": "2-4", "S3": "6", "S4": "8", "S5": "9-10", "S6": "13-18"}


def model(config: FipsLiteral, n: int, x: int, y: int) -> Iterator[Step]:
    """Algorithm 4, by its line numbers: mul_result_reg and the accumulator after every clock cycle."""
    s, w = config.beats, config.word
    cycles = order(s, config.products, config.multipliers)
    empty = {"v": 0, "carry": 0, "plain": 0}
    yield Step("", empty)  # the last operand word
    yield Step("", empty)  # S0
    yield Step("", empty)  # S1
    v = 0
    register = "plain" if isinstance(n, Polynomial) else "carry"
    for moment in moments(cycles, n, x, x if config.square else y, s, w):
        products = sum(one << (2 * w * lane) for lane, one in enumerate(moment.products))
        yield Step(LINES[moment.cycle.state], empty | {"v": v, register: products})
        v = moment.v
    yield Step("16-17", empty | {"v": v})  # S7: the last addition
    yield Step("19-20", empty | {"v": v})


def explore(width: int) -> tuple[FipsLiteral, ...]:
    """Words of 32 bits, or one shorter word."""
    return (FipsLiteral(width, word=next((w for w in WORDS[:2] if w >= width), 32)),)


def variants(width: int) -> tuple[FipsLiteral, ...]:
    """Two multipliers and two to eight words: squares at odd widths, the traditional ones at even widths."""
    if not WORDS[0] < width <= 64:
        return ()
    if width % 2:
        return (FipsLiteral(width, word=8, multipliers=2),)
    return (FipsLiteral(width, word=16, multipliers=2, square_optimized=0, field_set=1),)


def _published() -> Iterator[Published]:
    """Table 1, the cycles of Section 5.3."""
    traditional: dict[str, Any] = {"options": {"SquareOptimized": 0}, "runtime": {"square": True}}
    square: dict[str, Any] = {"runtime": {"square": True}}
    for s, old, new, saved in TABLE1:
        misprint = "; '46' is a misprint for 48" if s == 48 else ""
        for design, products, ns, kind in (
            ("Traditional", "2s^2 + s", old, traditional),
            ("Proposed", "(3s^2 + 3s)/2", new, square | {"saved_percent": saved}),
        ):
            yield Published(
                *("1", design, "", 32 * s),
                fmax_mhz=500,
                cycles=ns // 2,
                time_us=ns / 1000,
                note=f"cycles: a square's {products} products alone, one each, at a set 500 MHz{misprint}",
                derived=("cycles",),
                recomputed={"saved_percent": 100 * (1 - new / old)} if "saved_percent" in kind else {},
                **kind,
            )
    both: dict[str, Any] = {"options": {"Multipliers": 2}}
    note = "cycles: those of a multiplication of the proposed design as well"
    for design, cycles_, note_, kind in (
        ("Traditional FIPS", 2084, note, {}),
        ("Traditional FIPS, two multipliers", 1044, note, both),
        ("Proposed FIPS, square", 1588, "", square),
        ("Proposed FIPS, square, two multipliers", 796, "", square | both),
    ):
        yield Published("Section 5.3", design, "", 1024, cycles=cycles_, note=note_, **kind)


CORE = Core(
    slug="fips_literal",
    title="Dual-field FIPS Montgomery multiplier, as printed",
    interface=Interface(
        latency=latency,
        interval=interval,
        context=context,
        refused=refused,
        controls=(SQUARE,),
    ),
    function=Function(
        check=check,
        moduli="odd M < 2^n, or a polynomial with constant term 1 of degree 1 … n, below w·⌈n/w⌉",
        domain=domain,
    ),
    algorithm=Algorithm(
        steps="one multiplier, s = n/w: 2s^2 + s + 4, square (3s^2 + 3s)/2 + 4; two: half the products + 4",
        cycles=cycles,
        model=model,
        trace=trace,
        work=work,
    ),
    builds=Builds(
        config=FipsLiteral,
        explore=explore,
        variants=variants,
    ),
    origin=Origin(
        paper="zhang2020",
        section="Sections 4 and 5, Algorithm 4, Figs. 2 and 4 to 9: efficient dual-field FIPS, as printed",
        published=tuple(_published()),
    ),
)
