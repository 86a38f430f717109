# SPDX-License-Identifier: Apache-2.0
"""fips: FIPS Montgomery multiplication by words, in GF(p) and in GF(2^m), Zhang et al.."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

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
)
from modmul.cores.product_scanning.scanning import WORDS, ScanningConfig, check, domain, header, inverse, work

IN_FLIGHT = 2


@dataclass(frozen=True)
class Fips(ScanningConfig):
    """The parameters of ``mm_fips``.

    Attributes:
        depth: cycles of a multiplier behind its operand registers, 2 to 4.
        dsp: 1 for multipliers of GF(p) alone, made of multiplier blocks.
    """

    depth: int = 4
    dsp: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth not in (2, 3, 4):
            raise ValueError(f"depth must be 2, 3 or 4, got {self.depth}")
        if self.dsp not in (0, 1) or (self.dsp and self.field_set != 1):
            raise ValueError(f"dsp must be 0 or 1, and 1 only with field_set 1, got {self.dsp}")

    @property
    def multiplier_blocks(self) -> bool:
        return bool(self.dsp)

    @property
    def trace_bits(self) -> int:
        """The accumulator."""
        return 2 * self.word + (self.max_words - 1).bit_length() + 2


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


def hat(config: Fips, modulus: int) -> int:
    """N^: 1/2^w mod N in GF(p), 1/x^w mod N in GF(2^m)."""
    if isinstance(modulus, Polynomial):
        return modulus.inverse(1 << config.word)
    return pow(1 << config.word, -1, modulus)


def context(config: Fips, modulus: int) -> list[int]:
    """Header, n0', the words of N without the term x^(s w), those of N^."""
    binary = isinstance(modulus, Polynomial)
    bits = config.beats * config.word
    implicit = bool(modulus >> bits)
    words = config.split(modulus & ((1 << bits) - 1))
    known = [inverse(modulus, config.word), *words, *config.split(hat(config, modulus))]
    return [*header(config, config.beats, binary=binary, bit_1=implicit), *known]


def refused(config: Fips) -> list[list[int]]:
    """Even N, N(0) = 0, no words, too many words, a field the build lacks, a term x^(s w) in GF(p)."""
    found: list[list[int]] = []
    for binary in (False, True):
        served = (BINARY_FIELD if binary else PRIME_FIELD) in config.fields
        most = config.max_words
        full = header(config, most, binary=binary)
        found.append([*full, 1, *[0] * (2 * most)])
        found.append([*full, 1, 2, *[1] * (2 * most - 1)])
        found.append([*header(config, 0, binary=binary), 1])
        found.append([*header(config, most + 1, binary=binary), 1, *[1] * (2 * most + 2)])
        if not served:
            found.append([*full, 1, *[1] * (2 * most)])
        if not binary:
            found.append([*header(config, 1, binary=False, bit_1=True), 1, 1, 1])
    return found


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
    result = total(t, product(product(t & mask, inverse(n, config.word)) & mask, n)) >> w
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
    interface=Interface(
        latency=latency,
        interval=interval,
        in_flight=lambda _config: IN_FLIGHT,
        context=context,
        refused=refused,
        controls=(SQUARE,),
    ),
    function=Function(
        check=check,
        moduli="odd M < 2^n, or a polynomial of degree 1 … n with constant term 1",
        domain=domain,
    ),
    algorithm=Algorithm(
        steps="one multiplier, s = n/w >= 12: 2s^2 - s + Depth + 13, square (3s^2 - s)/2 + Depth + 14",
        cycles=cycles,
        model=model,
        trace=trace,
        work=work,
    ),
    builds=Builds(
        config=Fips,
        explore=explore,
        variants=variants,
    ),
    origin=Origin(
        paper="zhang2020",
        section="Sections 4 and 5, Algorithm 4, Figs. 4 to 9: efficient dual-field FIPS",
        published=(PUBLISHED,),
    ),
)
