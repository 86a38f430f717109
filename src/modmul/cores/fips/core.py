# SPDX-License-Identifier: Apache-2.0
"""fips: FIPS Montgomery multiplication by words, in GF(p) and in GF(2^m), Zhang et al.."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple, Self

from modmul.core import (
    BINARY_FIELD,
    PRIME_FIELD,
    RUNTIME,
    SQUARE,
    Core,
    Domain,
    Polynomial,
    Published,
    ScalableConfig,
    Step,
    carryless_product,
    ceil_div,
    check_odd,
    to_beats,
)

WORDS = (8, 16, 32, 64)
MAX_WORDS = 2048
HEADER_BITS = 16
FIELDS = {1: (PRIME_FIELD,), 2: (BINARY_FIELD,), 3: (PRIME_FIELD, BINARY_FIELD)}


@dataclass(frozen=True)
class Fips(ScalableConfig):
    """The parameters of ``mm_fips``.

    Attributes:
        word: bits of a word: 8, 16, 32 or 64.
        multipliers: 1 or 2.
        square_optimized: 1 to leave out the symmetric products of a square, 0 for the traditional FIPS.
        field_set: 1 for GF(p), 2 for GF(2^m), 3 for both.
        depth: cycles of a multiplier behind its operand registers, 2 to 4.
        dsp: 1 for multipliers of GF(p) alone that synthesis maps to multiplier blocks.
        binary: the context is of GF(2^m); without one, that is so where there is no other field.
        square: the operation is a square.
    """

    multipliers: int = 1
    square_optimized: int = 1
    field_set: int = 3
    depth: int = 4
    dsp: int = 0
    binary: bool = field(default=False, metadata=RUNTIME)
    square: bool = field(default=False, metadata=RUNTIME)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word not in WORDS:
            raise ValueError(f"word must be 8, 16, 32 or 64 bits, got {self.word}")
        if self.max_words > MAX_WORDS:
            raise ValueError(f"width must be at most {MAX_WORDS} words, got {self.max_words}")
        if self.multipliers not in (1, 2):
            raise ValueError(f"multipliers must be 1 or 2, got {self.multipliers}")
        if self.square_optimized not in (0, 1):
            raise ValueError(f"square_optimized must be 0 or 1, got {self.square_optimized}")
        if self.field_set not in FIELDS:
            raise ValueError(f"field_set must be 1, 2 or 3, got {self.field_set}")
        if self.depth not in (2, 3, 4):
            raise ValueError(f"depth must be 2, 3 or 4, got {self.depth}")
        if self.dsp not in (0, 1) or (self.dsp and self.field_set != 1):
            raise ValueError(f"dsp must be 0 or 1, and 1 only with field_set 1, got {self.dsp}")

    @property
    def fields(self) -> tuple[str, ...]:
        return FIELDS[self.field_set]

    @property
    def multiplier_blocks(self) -> bool:
        return bool(self.dsp)

    @property
    def max_words(self) -> int:
        """Words of the longest operand."""
        return ceil_div(self.width, self.word)

    @property
    def trace_bits(self) -> int:
        """The accumulator."""
        return 2 * self.word + (self.max_words - 1).bit_length() + 2

    def at(self, modulus: int, **controls: bool) -> Self:
        return replace(super().at(modulus, **controls), binary=isinstance(modulus, Polynomial))

    @property
    def products(self) -> str:
        """Which products x_j * y_k are made: ``"all"``, ``"half"`` or ``"diagonal"``."""
        if not (self.square and self.square_optimized):
            return "all"
        return "diagonal" if self.binary or self.field_set == 2 else "half"


class Schedule(NamedTuple):
    """Clock cycles of an operation's events, counted from the cycle that accepts the last operand beat.

    Attributes:
        m: the decision to make each m_i.
        z: the decision for the last product behind each word of the result.
        idle: multiplier cycles without work from then on to the last product.
    """

    m: tuple[int, ...]
    z: tuple[int, ...]
    idle: int


class _Scan:
    """``mm_fips_scan``: the products x_j * y_k, column after column."""

    def __init__(self, words: int, products: str) -> None:
        self.words, self.products = words, products
        self.low = self.high = self.rest = self.lead = 0
        self.flush = self.done = False

    def issue(self, lanes: int) -> tuple[int, bool]:
        """Products issued into free lanes, and whether that closes a column."""
        if lanes == 0 or self.done:
            return 0, False
        if self.flush or (self.products == "diagonal" and (self.high - self.low) % 2):
            issued = 0
        else:
            issued = min(lanes, self.rest + 1)
            self.rest -= issued
            if self.rest >= 0:
                return issued, False
        self.done = self.flush
        if self.high == self.words - 1:
            self.low += 1
        else:
            self.high += 1
        self.flush = self.low == self.words
        length = self.high - self.low
        self.rest = {"all": length, "half": length // 2, "diagonal": 0}[self.products]
        return issued, True


@lru_cache(maxsize=256)
def schedule(words: int, products: str, multipliers: int, depth: int, ring: int) -> Schedule:
    """``mm_fips_control``, decision by decision; the operands' values play no part."""
    product, total = depth + 3, depth + 5  # cycles from a decision to its product, and to its sum
    scan = _Scan(words, products)
    m: list[int] = []
    z: list[int] = []
    written: list[int] = []  # when each word of x * y can be read
    read = 0
    state, i, rest, low, warm, idle = "S1", 0, 0, 1, 0, 0
    complete, wanted, added, m_there = 0, -words - 1, 0, 0  # from when on; added 0: not yet
    busy: set[int] = set()  # cycles with a product for v
    before, taken = 0, 0  # in the cycle before: the scan's lower bound, multipliers for m and N
    full = False
    at_once = multipliers == 2 or words == 1  # m_i * n_0 closes the next column
    t = min(2 - words, 1) - 1
    while len(z) < words:
        t += 1
        run = t > 0
        last = i == words - 1
        allowed = before > low
        before = scan.low
        used = 0
        m_now = n0 = n1 = closes = emits = False
        take_product = False
        if run:
            if state in ("S1", "S2") and complete <= t and added and added <= t:
                m_now = state == "S2" or warm == product + 4
            elif state == "S4" and t >= m_there and (allowed or not last or not at_once):
                n0, n1 = True, at_once and words > 1
            elif state == "S5" and (allowed or not last):
                n1 = True
            elif state == "S3" or (state == "S6" and low < words and (allowed or rest + 1 > multipliers)):
                take_product = True
            elif state == "S6" and low == words and allowed:
                used, closes, emits = 1, True, True
                low += 1
        if m_now:
            used, closes = 1, True
            m.append(t)
            m_there = t + product - 2
            wanted = t + 1 + product if not last else 1 << 60
            added, complete = 0, 1 << 60
            rest = i - 1 - last
            state = "S4" if rest < 0 else "S3"
        elif n0 or n1:
            used = n0 + n1
            if n1 or words == 1:
                complete = t + product
                emits = last
                state = "S6" if last else "S2"
                i += 1
                if last:
                    low, rest = 2, words - 3
            else:
                state = "S5"
        elif take_product:
            used = min(multipliers, rest + 1)
            rest -= used
            if rest < 0 and state == "S3":
                state = "S4"
            elif rest < 0:
                closes = emits = True
                low += 1
                rest = words - low - 1
        if m_now is False and (n0 or n1 or take_product):
            busy.add(t + 1 + product)
        if emits:
            z.append(t)
        # Words of x * y for the first loop.
        if not added and t >= wanted and read < len(written) and written[read] <= t and t not in busy:
            added, read = t + 1, read + 1
        issued, closed = scan.issue(0 if full else multipliers - taken)
        full = bool(ring) and scan.lead >= ring - 1
        if closed:
            written.append(t + total + 1)
        scan.lead += closed - closes
        warm = min(warm + 1, product + 4)
        idle += multipliers - taken - issued if run else 0
        taken = used
    return Schedule(tuple(m), tuple(z), idle)


def ring(config: Fips) -> int:
    """Columns of x * y that may be ahead."""
    return 0 if config.max_words <= 16 else 21


def timing(config: Fips) -> Schedule:
    """The schedule of a configuration's operation."""
    return schedule(config.beats, config.products, config.multipliers, config.depth, ring(config))


def latency(config: Fips) -> int:
    """The last product, its sum, its word of the result, and that the result is below N."""
    return timing(config).z[-1] + config.depth + 10


def cycles(config: Fips) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: Fips) -> int:
    """A multiplication is loaded and unloaded between two others."""
    return latency(config) - 1 + 2 * config.beats


def work(config: Fips) -> Mapping[str, int]:
    """Products of words in an operation, and the words of x and y that are read for them."""
    s = config.beats
    of_operands = {"all": s * s, "half": s * (s + 1) // 2, "diagonal": s}[config.products]
    return {"products": of_operands + s * s + s, "operand_reads": 2 * of_operands}


def inverse(config: Fips, modulus: int) -> int:
    """n0': -1/N mod 2^w in GF(p), 1/N mod x^w in GF(2^m)."""
    if isinstance(modulus, Polynomial):
        return Polynomial(1 << config.word).inverse(modulus & ((1 << config.word) - 1))
    return -pow(modulus, -1, 1 << config.word) % (1 << config.word)


def header(config: Fips, words: int, binary: bool, implicit: bool) -> list[int]:
    """The header's beats: the number of words, whether N has a term x^(s w), the field."""
    return to_beats(words << 2 | implicit << 1 | binary, HEADER_BITS, config.word)


def context(config: Fips, modulus: int) -> list[int]:
    """Header, n0', the words of N without the term x^(s w)."""
    binary = isinstance(modulus, Polynomial)
    bits = config.beats * config.word
    implicit = bool(modulus >> bits)
    words = config.split(modulus & ((1 << bits) - 1))
    return [*header(config, config.beats, binary, implicit), inverse(config, modulus), *words]


def refused(config: Fips) -> list[list[int]]:
    """Even N, N(0) = 0, no words, too many words, a field the build lacks, a term x^(s w) in GF(p)."""
    found: list[list[int]] = []
    for binary in (False, True):
        served = (BINARY_FIELD if binary else PRIME_FIELD) in config.fields
        most = config.max_words
        found.append([*header(config, most, binary, False), 1, *[0] * most])
        found.append([*header(config, most, binary, False), 1, 2, *[1] * (most - 1)])
        found.append([*header(config, 0, binary, False), 1])
        found.append([*header(config, most + 1, binary, False), 1, *[1] * (most + 1)])
        if not served:
            found.append([*header(config, most, binary, False), 1, *[1] * most])
        if not binary:
            found.append([*header(config, 1, binary, True), 1, 1])
    return found


def check(config: Fips, modulus: int) -> None:
    """Raise ValueError unless the modulus fits, is odd or has the constant term 1, and is no constant."""
    check_odd(config, modulus)
    if isinstance(modulus, Polynomial) and modulus.degree < 1:
        raise ValueError("the modulus of GF(2^m) must have a degree of at least 1")


def domain(config: Fips) -> Domain:
    """R = 2^(s w) or x^(s w), s being the words of the operands."""
    return Domain("montgomery", 1 << (config.beats * config.word))


def trace(_config: Fips) -> dict[str, str]:
    return {"v": "u_v.value_o", "z": "u_reduce.sum_q"}


def model(config: Fips, n: int, x: int, y: int) -> Iterator[Step]:
    """Algorithm 4, by its line numbers, the registers where a column is complete."""
    w, s, binary = config.word, config.beats, isinstance(n, Polynomial)
    mask = (1 << w) - 1
    n0 = inverse(config, n)
    t = carryless_product(x, x if config.square else y) if binary else x * (x if config.square else y)
    states: dict[int, tuple[str, dict[str, int]]] = {}
    plan = timing(config)
    total = config.depth + 5

    # Lines 1 to 11: with m_0 ... m_i made, v * W^i is the sum of the columns up to i.
    m = 0
    for i, decided in enumerate(plan.m):
        column = t & ((1 << (w * (i + 1))) - 1)
        low = n & ((1 << (w * (i + 1))) - 1)
        known = _columns(m, low, i, w, binary)
        v = (column ^ known if binary else column + known) >> (w * i)
        states[decided + 3] = ("2-7", {"v": v})
        digit = (carryless_product(v & mask, n0) if binary else (v & mask) * n0) & mask
        m |= digit << (w * i)

    # Lines 12 to 19: the words of t + m * N above R.
    result = (t ^ carryless_product(m, n) if binary else t + m * n) >> (w * s)
    for k, decided in enumerate(plan.z):
        states[decided + total + 3] = ("12-17", {"z": (result >> (w * k)) & mask})
    for cycle in range(1, latency(config) + 1):
        label, state = states.get(cycle, ("", {}))
        yield Step(label or ("1-11" if cycle < plan.m[-1] else "12-22"), state)


def _columns(m: int, n: int, top: int, w: int, binary: bool) -> int:
    """The products m_j * n_k with j + k <= top, each at its place."""
    mask = (1 << w) - 1
    total = 0
    for j in range(top):
        digit = (m >> (w * j)) & mask
        low = n & ((1 << (w * (top - j + 1))) - 1)
        if binary:
            total ^= carryless_product(digit, low) << (w * j)
        else:
            total += digit * low << (w * j)
    return total


def explore(width: int) -> tuple[Fips, ...]:
    """Words of 32 bits, or one shorter word; with one multiplier and with two."""
    word = next((w for w in WORDS[:2] if w >= width), 32)
    return (Fips(width, word=word), Fips(width, word=word, multipliers=2, depth=3))


def variants(width: int) -> tuple[Fips, ...]:
    """Other words, depths, fields and kinds of multiplier."""
    short = Fips(width, word=8, multipliers=2, depth=2)
    plain = Fips(width, word=16, square_optimized=0, field_set=1, dsp=1)
    long = Fips(width, word=64, field_set=2, depth=3)
    return (short, plain, long) if width <= 512 else (plain,)


PUBLISHED = Published(
    *("2", "Ours", "Artix-7", 1024),
    luts=2557,
    fmax_mhz=500,
    cycles=1588,
    time_us=3.18,
    luts_us2=25857.41,
    note="a square at a set, not routed, 500 MHz, cycles of Section 5.3; a multiplication: 2084, 4.17 us",
    runtime={"square": True},
)
"""The others of the paper's rows are those of fips_literal."""

CORE = Core(
    slug="fips",
    title="Dual-field FIPS Montgomery multiplier",
    family="montgomery",
    paper="zhang2020",
    section="Sections 4 and 5, Algorithm 4, Figs. 4 to 9: efficient dual-field FIPS",
    parts=(
        *("mm_dual_csa", "mm_dual_adder", "mm_dual_wallace", "mm_dual_mul"),
        *("mm_word_ram", "mm_context_gate"),
    ),
    config=Fips,
    steps="one multiplier, s = n/w >= 16: 2s^2 + Depth + 12, square (3s^2 + s)/2 + Depth + 13",
    cycles=cycles,
    latency=latency,
    interval=interval,
    model=model,
    trace=trace,
    check=check,
    moduli="odd M < 2^n, or a polynomial of degree 1 … n with constant term 1",
    context=context,
    refused=refused,
    domain=domain,
    controls=(SQUARE,),
    explore=explore,
    variants=variants,
    published=(PUBLISHED,),
    work=work,
)
