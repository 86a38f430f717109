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
    Regular,
    Step,
    Stream,
    carryless_product,
)
from modmul.cores.product_scanning.scanning import (
    WORDS,
    ScanningConfig,
    check,
    domain,
    header,
    inverse,
    longer,
    work,
)

IN_FLIGHT = 2

SETTLES = 2
"""Cycles from a column of x * y to the one from which it counts as ahead, and may hold up others."""


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


@dataclass(frozen=True, eq=False)
class Run:
    """Clock cycles of events in an operation, which begins in cycle 0.

    That is the cycle of its last operand beat; or, if that came before, the last one of the operation before.

    Attributes:
        v: each column of the first loop is complete in the accumulator.
        z: the decisions for the last product behind each word of the result; the last of them ends it.
        freed: each word of its operands has been used for the last time.
        idle: multiplier cycles without work, from cycle 1 to the last product.
    """

    v: tuple[int, ...]
    z: tuple[int, ...]
    freed: tuple[int, ...]
    idle: int

    @property
    def end(self) -> int:
        return self.z[-1]


class _Registers(NamedTuple):
    """Those of ``mm_fips_scan``, and whether S1 may end (``warm_q`` of ``mm_fips_control``)."""

    low: int = 0
    high: int = 0
    rest: int = 0
    lead: int = 0
    issued: bool = False
    flush: bool = False
    done: bool = False
    begun: bool = False
    full: bool = False
    warm: bool = False


class _Scan:
    """``mm_fips_scan``: the products x_j * y_k, column after column."""

    def __init__(self, words: int, products: str, ring: int, registers: _Registers) -> None:
        self.words, self.products, self.ring = words, products, ring
        self.low, self.high, self.rest, self.lead = registers[:4]
        self.issued, self.flush, self.done, self.begun, self.full, self.warm = registers[4:]

    @property
    def registers(self) -> _Registers:
        return _Registers(
            *(self.low, self.high, self.rest, self.lead),
            *(self.issued, self.flush, self.done, self.begun, self.full, self.warm),
        )

    @property
    def ahead(self) -> bool:
        """A column is ahead of the controller."""
        return self.lead > 0

    def cycle(self, slot: bool, lanes: int, closes: bool) -> tuple[int, bool]:
        """Products issued into free lanes, and whether that frees a word of the operands.

        Args:
            slot: a word of the operands has come in the cycle before, or all are there.
            lanes: that are free.
            closes: the controller closes a column.
        """
        issued, closed, freed = 0, False, False
        lanes = lanes if slot else 0
        self.warm = self.warm or (slot and self.begun)
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


class Kind(NamedTuple):
    """What the cycles of operations of one kind follow from.

    Attributes:
        words: of an operand.
        products: of words that are made (:attr:`ScanningConfig.products`).
        multipliers, depth: as of :class:`Fips`.
        ring: columns of x * y that may be ahead; 0: any.
    """

    words: int
    products: str
    multipliers: int
    depth: int
    ring: int

    @property
    def unload(self) -> int:
        """From the decision that ends an operation to the first cycle of its result."""
        return self.depth + 10


@lru_cache(maxsize=1024)
def operation(kind: Kind, registers: _Registers, behind: bool, busy: int) -> Run:
    """An operation of ``mm_fips``.

    Args:
        registers: of the scan, behind cycle 0.
        behind: whether the operation before ends in cycle 0.
        busy: the last cycle in which a result before leaves.
    """
    words, _, multipliers, depth, _ = kind
    if busy > 0:
        free = operation(kind, registers, behind, 0)
        if busy < free.z[0]:
            return free
    v: list[int] = []
    z: list[int] = []
    freed: list[int] = []
    scan, control = _Scan(words, kind.products, kind.ring, registers), _Control(words, multipliers, depth)
    taken = int(behind and words == 1)  # by the operation before
    idle = t = 0
    while True:
        t += 1
        decision = control.decide(t, scan.ahead, t <= busy) if scan.warm else _Decision()
        if decision.column:
            v.append(t + depth + 6)
        if decision.z:
            z.append(t)
        issued, frees = scan.cycle(True, multipliers - taken, decision.closes)
        if frees:
            freed.append(t)
        idle += multipliers - taken - issued
        taken = decision.lanes
        if decision.end:
            return Run(tuple(v), tuple(z), tuple(freed), idle)


class _Words(NamedTuple):
    """What the core has done.

    Attributes:
        run, began: the operation before, and its cycle 0; ``None``: it has ended before cycle 0.
        left, before: the last words of its result leave; those of the operation before it.
        beat, last: beats of the next operation that have been taken, and when the last one was.
        scan: the registers of the scan once this operation has the multipliers.
        known: the cycle behind which they are these.
    """

    run: Run | None = None
    began: int = 0
    left: int = 0
    before: int = 0
    beat: int = 0
    last: int = 0
    scan: _Registers = _Registers()
    known: int = 0

    @property
    def end(self) -> int | None:
        """The last cycle of the operation before."""
        return self.began + self.run.end if self.run else None


@dataclass(frozen=True, eq=False)
class Scanning(Stream[_Words]):
    """When ``mm_fips`` takes words: in place of those that have been used for the last time.

    Attributes:
        kinds: of a multiplication, of a square.
    """

    kinds: tuple[Kind, Kind]

    @property
    def facts(self) -> object:
        """Also when words of an operation that was alone are free."""
        return self.kinds, *(alone(kind).freed for kind in self.kinds)

    @property
    def idle(self) -> _Words:
        return _Words()

    def take(self, state: _Words, offered: int, square: bool) -> tuple[int, _Words]:
        run, began, left, before, beat, _, registers, known = state
        cycle = offered
        if run:
            cycle = max(cycle, began + run.freed[beat] + 2)
        if beat == 0:
            cycle = max(cycle, before + 1)
        if run is None or cycle >= began + run.end:
            kind = self.kinds[square]
            scan = _Scan(kind.words, kind.products, kind.ring, registers)
            for _ in range(min(cycle - known, SETTLES)):
                scan.cycle(False, 0, False)
            known = cycle
            if beat < kind.words - 1:  # with the last word, the operation begins
                scan.cycle(True, kind.multipliers, False)
                known += 1
            registers = scan.registers
        return cycle, _Words(run, began, left, before, beat + 1, cycle, registers, known)

    def result(self, state: _Words, square: bool) -> tuple[int, _Words]:
        kind, end = self.kinds[square], state.end
        began = state.last if end is None else max(state.last, end)
        found = operation(kind, state.scan, end == began, max(state.left - began, 0))
        comes = began + found.end + kind.unload
        return comes, _Words(found, began, state.left)

    def leave(self, state: _Words, first: int, last: int) -> _Words:
        del first
        return _Words(state.run, state.began, left=last, before=state.left)

    def later(self, state: _Words, cycles: int) -> _Words:
        left, before = max(state.left - cycles, 0), max(state.before - cycles, 0)
        if state.end is None or state.end <= cycles:
            return _Words(left=left, before=before)
        return _Words(state.run, state.began - cycles, left, before)


def kind(config: Fips) -> Kind:
    """That of a configuration's operations."""
    ring = 0 if config.max_words <= 16 else 21
    return Kind(config.beats, config.products, config.multipliers, config.depth, ring)


@lru_cache(maxsize=256)
def alone(kind: Kind) -> Run:
    """An operation whose words come one after the other to an idle core."""
    scan = _Scan(kind.words, kind.products, kind.ring, _Registers())
    for _ in range(kind.words - 1):
        scan.cycle(True, kind.multipliers, False)
    return operation(kind, scan.registers, False, 0)


def timing(config: Fips) -> Run:
    """The operation of a configuration, alone."""
    return alone(kind(config))


def latency(config: Fips) -> int:
    """The last product, its sum, its word of the result, and that the result is below N."""
    return timing(config).end + kind(config).unload


def cycles(config: Fips) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: Fips) -> int:
    """From last product to last product: the operands are there, and the result before has left."""
    of = kind(config)
    return operation(of, _Registers(), True, of.unload + of.words - 1).end


def stream(config: Fips, known: Regular) -> Scanning:
    """Operations of a build."""
    multiplication, square = (kind(config.running(square=square)) for square in (False, True))
    return Scanning(known.offsets, known.latency, known.interval, False, (multiplication, square))


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
        for words in (most + 1, *longer(most)):
            found.append([*header(config, words, binary=binary), 1, *[1] * (2 * words)])
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
        stream=stream,
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
