# SPDX-License-Identifier: Apache-2.0
"""fips: FIPS Montgomery multiplication by words, in GF(p) and in GF(2^m), Zhang et al.."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple, Self

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
TABLE1 = (
    *((4, 72, 60, 16.67), (8, 272, 216, 20.59), (16, 1056, 816, 22.73), (24, 2352, 1800, 23.47)),
    *((32, 4160, 3168, 23.85), (40, 6480, 4920, 24.07), (48, 9312, 7056, 24.23)),
    *((56, 12656, 9576, 24.34), (64, 16512, 12480, 24.42)),
)
"""s words of 32 bits, ns of a traditional square and of a proposed one, % saved (Zhang et al., Table 1):
2 ns, a cycle at an assumed 500 MHz, for each of 2s^2 + s and (3s^2 + 3s)/2 products."""
IN_FLIGHT = 2
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
    """Clock cycles of events in a stream of operations; the first one's last operand beat comes in cycle 0.

    Attributes:
        v: each column of the first loop of the first operation is complete in the accumulator.
        z: the decisions for the last product behind each word of the results.
        idle: multiplier cycles of the first operation without work, from cycle 1 to the last product.
    """

    v: tuple[int, ...]
    z: tuple[int, ...]
    idle: int


class _Scan:
    """``mm_fips_scan``: the products x_j * y_k, column after column."""

    def __init__(self, words: int, products: str, ring: int) -> None:
        self.words, self.products, self.ring = words, products, ring
        self.low = self.high = self.rest = self.lead = self.issued = 0
        self.flush = self.done = self.begun = self.full = False

    @property
    def ahead(self) -> bool:
        """A column is ahead of the controller."""
        return self.lead > 0

    def cycle(self, lanes: int, closes: bool) -> tuple[int, bool]:
        """Products issued into free lanes, and whether that frees a word of the operands."""
        issued, closed, freed = 0, False, False
        if lanes and not self.done and not self.full:
            self.begun = True
            if self.flush or (self.products == "diagonal" and (self.high - self.low) % 2):
                closed = True
            else:
                issued = min(lanes, self.rest + 1)
                self.rest -= issued
                closed = self.rest < 0
            freed = closed and self.low > 0
        self.full = bool(self.ring) and self.lead >= self.ring - 1
        self.lead += self.issued - closes
        self.issued = closed
        if closed:
            self.done = self.flush
            if self.high == self.words - 1:
                self.low += 1
            else:
                self.high += 1
            self.flush = self.low == self.words
            length = self.high - self.low
            self.rest = {"all": length, "half": length // 2, "diagonal": 0}[self.products]
        return issued, freed


class _Decision(NamedTuple):
    """What a cycle of the controller decides."""

    lanes: int = 0  # multipliers for m, N^, N and n0'
    closes: bool = False  # a column of the words of x * y
    column: bool = False  # of the first loop has its last product
    z: bool = False  # a column of the second loop has
    end: bool = False


class _Control:
    """``mm_fips_control`` from S1 to S6, decision by decision; the operands' values play no part."""

    def __init__(self, words: int, multipliers: int, depth: int) -> None:
        self.words, self.multipliers, self.depth = words, multipliers, depth
        self.state, self.i, self.rest, self.low = "S1", 0, 0, 0
        self.wanted = words > 1
        self.complete = self.m_there = 0  # from when on

    def decide(self, t: int, ahead: bool, out_busy: bool) -> _Decision:
        """In cycle ``t``, the words of x * y being ahead or not, a result on its way out or not."""
        last = self.i == self.words - 1
        at_once = self.multipliers == 2 or self.words == 1  # m_i * n_0 closes column s
        if self.state == "S1" and ahead:
            self.state, self.complete = "S2", t + self.depth + 3
            return _Decision(closes=True, column=True)
        if self.state == "S2" and self.wanted:
            self.wanted = not ahead
            return _Decision(closes=ahead)
        if self.state == "S2" and t >= self.complete:
            if last:
                self.state, self.m_there = "S4", t + self.depth + 1
                return _Decision(lanes=1)
            self.state, self.complete = "S3", t + self.depth + 3
            self.i, self.rest = self.i + 1, self.i
            self.wanted = self.i != self.words - 1
            return _Decision(lanes=1, column=True)
        if self.state == "S3":
            lanes = self._products()
            if self.rest < 0:
                self.state = "S2"
            return _Decision(lanes)
        if self.state == "S4" and t >= self.m_there and not at_once:
            self.state = "S5"
            return _Decision(lanes=1)
        if (self.state == "S5" or (self.state == "S4" and t >= self.m_there)) and ahead and not out_busy:
            lanes = 2 if self.state == "S4" and self.words > 1 else 1
            self.state, self.low, self.rest = "S6", 2, self.words - 2
            return _Decision(lanes, closes=True, z=True, end=self.words == 1)
        if self.state == "S6" and self.low < self.words and (ahead or self.rest + 1 > self.multipliers):
            lanes = self._products()
            if self.rest >= 0:
                return _Decision(lanes)
            self.low, self.rest = self.low + 1, self.words - 1 - self.low
            return _Decision(lanes, closes=True, z=True)
        if self.state == "S6" and self.low == self.words and ahead:
            return _Decision(closes=True, z=True, end=True)
        return _Decision()

    def _products(self) -> int:
        lanes = min(self.multipliers, self.rest + 1)
        self.rest -= lanes
        return lanes


@lru_cache(maxsize=256)
def schedule(words: int, products: str, multipliers: int, depth: int, ring: int, operations: int) -> Schedule:
    """``mm_fips`` with operands that wait to be taken, and results that are taken at once.

    The first operation has the core to itself but for the operands of the next.
    """
    v: list[int] = []
    z: list[int] = []
    room, freed, beats, load = words, False, 0, False  # of the operands
    whole = 0  # operations whose operands are all there
    leaving = 0  # when the last word of a result does
    taken = idle = ended = 0
    scan, control, warm = _Scan(words, products, ring), _Control(words, multipliers, depth), False
    t = -words
    while ended < operations:
        t += 1
        decision = control.decide(t, scan.ahead, t <= leaving) if whole and warm else _Decision()
        if decision.column and not ended:
            v.append(t + depth + 6)
        if decision.z:
            z.append(t)
        # A slot for each word that comes, and from the last one on in every cycle.
        slot = whole > 0 or load
        warm = warm or (slot and scan.begun)
        issued, freed_now = scan.cycle(multipliers - taken if slot else 0, decision.closes)
        if t > 0 and not ended:
            idle += multipliers - taken - issued
        taken = decision.lanes
        # Operand words come where others have been used for the last time.
        flying = beats // words - ended + (t <= leaving)
        load = room > 0 and (beats % words > 0 or flying < IN_FLIGHT)
        beats += load
        room += freed - load
        freed = freed_now
        whole += (load and beats % words == 0) - decision.end
        if decision.end:
            ended, leaving = ended + 1, t + depth + 9 + words
            scan, control, warm = _Scan(words, products, ring), _Control(words, multipliers, depth), False
    return Schedule(tuple(v), tuple(z), idle)


def ring(config: Fips) -> int:
    """Columns of x * y that may be ahead."""
    return 0 if config.max_words <= 16 else 21


def timing(config: Fips, operations: int = 1) -> Schedule:
    """The schedule of a configuration's operations."""
    return schedule(config.beats, config.products, config.multipliers, config.depth, ring(config), operations)


def latency(config: Fips) -> int:
    """The last product, its sum, its word of the result, and that the result is below N."""
    return timing(config).z[-1] + config.depth + 10


def cycles(config: Fips) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: Fips) -> int:
    """From last product to last product: the operands are there, and the result before has left."""
    z = timing(config, 2).z
    return z[-1] - z[config.beats - 1]


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


def hat(config: Fips, modulus: int) -> int:
    """N^: 1/2^w mod N in GF(p), 1/x^w mod N in GF(2^m)."""
    if isinstance(modulus, Polynomial):
        return modulus.inverse(1 << config.word)
    return pow(1 << config.word, -1, modulus)


def header(config: Fips, words: int, binary: bool, implicit: bool) -> list[int]:
    """The header's beats: the number of words, whether N has a term x^(s w), the field."""
    return to_beats(words << 2 | implicit << 1 | binary, HEADER_BITS, config.word)


def context(config: Fips, modulus: int) -> list[int]:
    """Header, n0', the words of N without the term x^(s w), those of N^."""
    binary = isinstance(modulus, Polynomial)
    bits = config.beats * config.word
    implicit = bool(modulus >> bits)
    words = config.split(modulus & ((1 << bits) - 1))
    known = [inverse(config, modulus), *words, *config.split(hat(config, modulus))]
    return [*header(config, config.beats, binary, implicit), *known]


def refused(config: Fips) -> list[list[int]]:
    """Even N, N(0) = 0, no words, too many words, a field the build lacks, a term x^(s w) in GF(p)."""
    found: list[list[int]] = []
    for binary in (False, True):
        served = (BINARY_FIELD if binary else PRIME_FIELD) in config.fields
        most = config.max_words
        found.append([*header(config, most, binary, False), 1, *[0] * (2 * most)])
        found.append([*header(config, most, binary, False), 1, 2, *[1] * (2 * most - 1)])
        found.append([*header(config, 0, binary, False), 1])
        found.append([*header(config, most + 1, binary, False), 1, *[1] * (2 * most + 2)])
        if not served:
            found.append([*header(config, most, binary, False), 1, *[1] * (2 * most)])
        if not binary:
            found.append([*header(config, 1, binary, True), 1, 1, 1])
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
    plan, nhat = timing(config), hat(config, n)
    factor = x if config.square else y
    states: dict[int, tuple[str, dict[str, int]]] = {}

    def product(a: int, b: int) -> int:
        return carryless_product(a, b) if binary else a * b

    def total(a: int, b: int) -> int:
        return a ^ b if binary else a + b

    # Lines 1 to 11. The register has the columns up to i, of x * y whole words, of m_j * N^ the products.
    t = product(x, factor)
    m: list[int] = []
    v = 0
    for i, cycle in enumerate(plan.v):
        v = total(v >> w, (t >> (w * i)) & mask)
        for j, digit in enumerate(m):
            v = total(v, product(digit, (nhat >> (w * (i - 1 - j))) & mask))
        states[cycle] = ("2-7", {"v": v})
        m.append(v & mask)

    # Lines 8 to 19: each m_j once, the last one times N.
    for _ in range(s - 1):
        t = total(t >> w, product(t & mask, nhat))
    result = total(t, product(product(t & mask, inverse(config, n)) & mask, n)) >> w
    for k, decided in enumerate(plan.z):
        states[decided + config.depth + 8] = ("12-17", {"z": (result >> (w * k)) & mask})
    for cycle in range(1, latency(config) + 1):
        label, state = states.get(cycle, ("", {}))
        yield Step(label or ("1-11" if cycle < plan.v[-1] else "12-22"), state)


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


def _published() -> Iterator[Published]:
    """Table 1, the cycles of Section 5.3, Table 2."""
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
    both: dict[str, Any] = {"options": {"Multipliers": 2, "Depth": 3}}
    note = "cycles: those of a multiplication of the proposed design as well; ours begin with the last word"
    ours = "cycles: ours begin with the last operand word (Measured, in the README)"
    for design, cycles_, note_, kind in (
        ("Traditional FIPS", 2084, note, {}),
        ("Traditional FIPS, two multipliers", 1044, note, both),
        ("Proposed FIPS, square", 1588, ours, square),
        ("Proposed FIPS, square, two multipliers", 796, ours, square | both),
    ):
        yield Published("Section 5.3", design, "", 1024, cycles=cycles_, note=note_, **kind)
    yield Published(
        *("2", "Ours", "Artix-7", 1024),
        luts=2557,
        fmax_mhz=500,
        cycles=1588,
        time_us=3.18,
        luts_us2=25857.41,
        note="a square at a set, not routed, 500 MHz, cycles of Section 5.3; a multiplication: 2084, 4.17 us",
        **square,
    )


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
    steps="one multiplier, s = n/w >= 12: 2s^2 - s + Depth + 13, square (3s^2 - s)/2 + Depth + 14",
    cycles=cycles,
    latency=latency,
    interval=interval,
    in_flight=IN_FLIGHT,
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
    published=tuple(_published()),
    work=work,
)
