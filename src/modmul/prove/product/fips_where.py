# SPDX-License-Identifier: Apache-2.0
"""Of ``fips``: where an operation is, in every state, and what it needs; an invariant for bitwuzla.

The scan and the controller work through the two lists of :mod:`~modmul.prove.product.fips_plan`. ``S0`` and
``V0`` say how far they are in the operation that they have, ``S1``, ``V1`` and so on how far they were that
many cycles ago; so two neighbours tell what is at a tag. These are history variables: they are defined beside
the netlist, by its decisions. So are ``M0`` and so on, that this operation is the one which the bench
follows, and ``phase``, of that one: it comes while another one computes; it computes; its result goes out.

``X`` and ``Y`` are the words of that operation's operands as they cross the ports, Y those of x in a square;
``N``, ``H`` and ``inverse`` are its context: N, N^ and n0'. ``P`` is what the multiplier makes of two words.
``E`` and ``U`` are what is in the accumulators of x·y and of v at each place of the lists: they are defined
by what is added, and of them the words of the result, the borrows and what goes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from modmul.core import Polynomial, ceil_div
from modmul.prove.netlist import State, system
from modmul.prove.product.argument import Argument
from modmul.prove.product.fips_plan import STATES, Decision, Operation, Plan
from modmul.prove.product.montgomery_dsp_bench import COUNT_BITS, bench
from modmul.prove.product.serial import COUNT, TOP
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend
from modmul.room import Build

__all__ = ["At", "Followed", "at_place"]

CONTROL, GATE, SCAN = "core.u_control.", "core.u_control.u_gate.", "core.u_control.u_scan."
LANE, REDUCE = "core.gen_lane[0].u_lane.", "core.u_reduce."
MUL = f"{LANE}gen_dual.u_mul."

PLACE = 8
"""Bits of a place in a list."""

WORDS = (4, 8)
"""Words of operands: with two the controller has no third column, of which it is asked that its places are
possible; with 16 the lists have more places than :data:`PLACE` bits count."""

DEPTH = 4
"""Cycles of the multiplier, for which this is written."""

PRODUCT, SUM = DEPTH + 3, DEPTH + 5
"""The tags with a product, and with its sum in an accumulator."""

LATE = SUM + 4
"""Cycles for which it is remembered how far the controller was."""

IMPLICIT = 2
"""The bit of a header that says that N has a term x^(s * Word)."""


def at_place(n: int) -> str:
    """A place in a list, or the number of a word."""
    return const(n, PLACE)


@dataclass(frozen=True)
class At:
    """The terms of one state.

    Attributes:
        of: the proof.
        state: ``s`` or ``n``.
    """

    of: Followed
    state: State

    def __call__(self, name: str) -> str:
        return self.state(name)

    def is_(self, name: str, value: int) -> str:
        return self.state.is_(name, value)

    def high(self, name: str) -> str:
        """That a flag is set."""
        return self.state.is_(name, 1)

    def wide(self, name: str, bits: int) -> str:
        """A signal that counts, in so many bits."""
        own = self.of.system.signals[name]
        if own == 0:
            return f"(ite {self(name)} {const(1, bits)} {const(0, bits)})"
        return zero_extend(self(name), bits - own) if own <= bits else extract(self(name), bits - 1, 0)

    def bit(self, name: str, place: int) -> str:
        """That a bit of a line is set."""
        if self.of.system.signals[name] == 0:
            return self(name)
        return equal(extract(self(name), place, place), "#b1")

    def same(self, name: str, term: str, bits: int) -> str:
        """That a signal has a value, a bit-vector of so many bits of which it keeps as many as it has."""
        own = self.of.system.signals[name]
        if own == 0:
            return equal(self(name), equal(extract(term, 0, 0), "#b1"))
        return equal(self(name), extract(term, own - 1, 0) if own < bits else zero_extend(term, own - bits))

    def ghost(self, name: str) -> str:
        """A history variable."""
        return f"{name}_{self.state.name}"

    def v(self, p: int) -> str:
        """How far the controller was p cycles ago."""
        return self.ghost(f"V{p}")

    def s(self, p: int) -> str:
        """How far the scan was p cycles ago."""
        return self.ghost(f"S{p}")

    def mine(self, p: int) -> str:
        """The operation that they had then is the one that is followed."""
        return self.phase(2) if p == 0 else self.ghost(f"M{p}")

    def square(self, p: int) -> str:
        return self.high(f"{CONTROL}xy_square_q") if p == 0 else self.ghost(f"Q{p}")

    def phase(self, k: int) -> str:
        return equal(self.ghost("phase"), const(k, 2))

    # --- what is at a tag -------------------------------------------------------------------------

    def decided(self, p: int) -> str:
        """A decision is at tag p of the controller: that which :meth:`decision` names."""
        return negation(equal(self.v(p), self.v(p + 1)))

    def decision(self, p: int) -> str:
        return self.v(p + 1)

    def issued(self, p: int) -> str:
        """An operation of the scan is at tag p: that which ``s(p)`` names."""
        return equal(self.s(p - 1), f"(bvadd {self.s(p)} {const(1, PLACE)})")

    def of_v(self, name: str, p: int) -> str:
        """What a table says of the decision at tag p."""
        return f"(v.{name} {self.decision(p)})"

    def of_s(self, name: str, p: int) -> str:
        """What a table says of the operation at tag p of the scan, or of the place in the list."""
        return f"(s.{name} {self.square(p)} {self.s(p)})"

    def kind(self, p: int, *kinds: str) -> str:
        """A decision of these kinds is at tag p."""
        return all_of(self.decided(p), any_of(*(self.of_v(f"is.{kind}", p) for kind in kinds)))

    # --- operations -------------------------------------------------------------------------------

    @property
    def part(self) -> str:
        return self.high(f"{GATE}in_part_q")

    @property
    def whole(self) -> str:
        """All words of the operation that computes are there."""
        return self.high(f"{CONTROL}whole_q")

    @property
    def next_whole(self) -> str:
        return self.high(f"{CONTROL}next_whole_q")

    @property
    def behind(self) -> str:
        """The result of one is on its way out, its last decision is taken."""
        return all_of(self.high(f"{CONTROL}out_busy_q"), negation(self.in_state("S6")))

    def in_state(self, *names: str) -> str:
        return any_of(*(self.is_(f"{CONTROL}state_q", STATES.index(name)) for name in names))

    @property
    def idle(self) -> str:
        return self.high(f"{CONTROL}idle_q")

    def taken_next(self, bits: int) -> str:
        """Words of the next operation that have been taken while one computes."""
        full = const(self.of.beats, bits)
        some = f"(ite {self.part} {self.wide('in_at', bits)} {const(0, bits)})"
        return f"(ite {self.whole} (ite {self.next_whole} {full} {some}) {const(0, bits)})"

    def calm(self, k: int) -> str:
        """The header has been there for k cycles, or a whole context."""
        least = len(self.of.header) - 1 + k
        return any_of(self.high("whole"), f"(bvuge {self('ctx_at')} {const(least, COUNT)})")

    @property
    def flows(self) -> str:
        """No place of the operation before is among those that are remembered of the controller."""
        return f"(bvule {self.v(LATE)} {self.v(0)})"

    def wrapped(self, p: int, q: int) -> str:
        """Between p and q cycles ago an operation ended."""
        return f"(bvult {self.v(p)} {self.v(q)})"

    def ended(self, p: int) -> str:
        """The last decision of an operation is at tag p."""
        return all_of(
            equal(self.v(p + 1), const(self.of.plan.ending, PLACE)), equal(self.v(p), const(0, PLACE))
        )

    def count_v(self, name: str, p: int) -> str:
        return f"(v.{name} {self.v(p)})"

    def columns(self, p: int, q: int = 0) -> str:
        """Columns of x·y that had ended p cycles ago, of the operation of q cycles ago."""
        old = f"(bvult {self.s(q)} {self.s(p)})" if p > q else "false"
        return f"(ite {old} {const(0, PLACE)} (s.columns {self.square(p)} {self.s(p)}))"


class Followed(Argument):
    """The invariant of a build with one multiplier that is not made of blocks, for numbers of full length.

    Attributes:
        binary: in GF(2^m); otherwise in GF(p).
    """

    binary: ClassVar[bool] = False

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if config.multipliers != 1 or config.dsp or config.depth != DEPTH:
            raise ValueError(
                f"{build}: the proof is written for Multipliers = 1, Dsp = 0 and Depth = {DEPTH}"
            )
        if config.beats not in WORDS or config.width != config.beats * config.word:
            raise ValueError(f"{build}: the proof is written for operands of 4 or 8 whole words")
        if not config.square_optimized:
            raise ValueError(f"{build}: the proof is written for SquareOptimized = 1")
        known = build.core.interface.context(config, cls.some())
        text = bench(build, len(known), known[: ceil_div(16, config.word)], IMPLICIT if cls.binary else 0)
        return cls(build, system(build.design, text, TOP))

    @classmethod
    def some(cls) -> int:
        """A modulus of the field."""
        return Polynomial(3) if cls.binary else 3

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def config(self) -> Any:
        return self.build.config

    @property
    def beats(self) -> int:
        """s."""
        return int(self.config.beats)

    @property
    def word(self) -> int:
        return int(self.config.word)

    @cached_property
    def header(self) -> list[int]:
        return list(self.build.core.interface.context(self.config, self.some())[: ceil_div(16, self.word)])

    @property
    def context(self) -> int:
        """Beats of a context."""
        return len(self.header) + 1 + 2 * self.beats

    @cached_property
    def plan(self) -> Plan:
        return Plan(self.beats, self.binary)

    @property
    def index(self) -> int:
        """Bits of the number of a word."""
        return (self.beats - 1).bit_length()

    @property
    def acc(self) -> int:
        """Bits of an accumulator."""
        return 2 * self.word + self.index + 2

    @property
    def plus(self) -> str:
        """How sums are added up."""
        return "bvxor" if self.binary else "bvadd"

    def gated(self, name: str) -> tuple[str, str]:
        """The two registers in front of a dual-field adder: the one that is used, the one that is 0."""
        pair = [name.replace("*", each) for each in ("carry", "plain")]
        return (pair[1], pair[0]) if self.binary else (pair[0], pair[1])

    @property
    def now(self) -> At:
        return At(self, self.system.state("s"))

    @property
    def then(self) -> At:
        return At(self, self.system.state("n"))

    @property
    def last(self) -> tuple[int, int]:
        """The ends of the lists: of a multiplication's scan and of a square's."""
        return len(self.plan.scans[0]), len(self.plan.scans[1])

    # --- definitions ------------------------------------------------------------------------------

    @staticmethod
    def _table(name: str, values: Sequence[int], bits: int) -> str:
        """A function of a place."""
        shown = [
            ("true" if value else "false") if bits == 0 else const(value % (1 << bits), bits)
            for value in values
        ]
        term, kept = shown[-1], shown[-1]
        for place in reversed(range(len(shown) - 1)):
            if shown[place] != kept:
                term = f"(ite (bvule n {const(place, PLACE)}) {shown[place]} {term})"
                kept = shown[place]
        sort = "Bool" if bits == 0 else f"(_ BitVec {bits})"
        return f"(define-fun {name} ((n (_ BitVec {PLACE}))) {sort} {term})\n"

    def _tables(self) -> Iterator[str]:
        """The lists."""
        plan = self.plan

        def of_v(name: str, bits: int, value: Callable[[Decision], int]) -> str:
            values = [int(value(each)) for each in plan.decisions]
            return self._table(f"v.{name}", [*values, values[-1]], bits)

        for kind in ("xy", "m", "inverse", "n0", "n", "empty"):
            yield of_v(f"is.{kind}", 0, lambda each, kind=kind: each.kind == kind)  # type: ignore[misc]
        for name in ("wanted", "v_last", "z", "opens", "multiplies", "adds", "closes"):
            yield of_v(name, 0, lambda each, name=name: getattr(each, name))  # type: ignore[misc]
        for name in ("i", "j", "k", "rest", "low"):
            yield of_v(name, PLACE, lambda each, name=name: getattr(each, name))  # type: ignore[misc]
        yield of_v("state", 3, lambda each: STATES.index(each.state))
        yield of_v("new", 0, lambda each: each.kind == "inverse" or (each.kind == "m" and each.state == "S2"))
        yield self._table("v.awaited", plan.awaited(), PLACE)
        counts: dict[str, Callable[[Decision], bool]] = {
            "closed": lambda each: each.closes,
            "words": lambda each: each.kind == "xy",
            "zs": lambda each: each.z,
            "ms": lambda each: each.v_last,
        }
        for name, which in counts.items():
            yield self._table(f"v.{name}", plan.counted(which), PLACE)
        yield self._table("v.completing", [plan.completing(each.i) for each in plan.decisions], PLACE)

        def of_s(name: str, bits: int, value: Callable[[Operation], int]) -> Iterator[str]:
            for k, scan in enumerate(plan.scans):
                values = [int(value(each)) for each in scan]
                yield self._table(f"s.{name}.{k}", [*values, values[-1]], bits)
            yield self._either(name, bits)

        s = self.beats
        for name in ("first", "last", "double", "product"):
            yield from of_s(name, 0, lambda each, name=name: getattr(each, name))  # type: ignore[misc]
        for name in ("column", "j", "k", "rest"):
            yield from of_s(name, PLACE, lambda each, name=name: getattr(each, name))  # type: ignore[misc]
        yield from of_s("low", PLACE, lambda each: max(0, each.column - s + 1))
        yield from of_s("high", PLACE, lambda each: min(each.column, s - 1))
        for k, scan in enumerate(plan.scans):
            columns = plan.columns(scan)
            yield self._table(f"s.columns.{k}", columns, PLACE)
            yield self._table(f"s.freed.{k}", [max(0, each - s) for each in columns], PLACE)
            yield self._table(f"s.bound.{k}", self.bounds(scan), self.acc)
            yield self._table(f"s.end.{k}", plan.ends(scan), PLACE)
        yield from (self._either(name, PLACE) for name in ("columns", "freed", "end"))
        yield self._either("bound", self.acc)

    @staticmethod
    def _either(name: str, bits: int) -> str:
        sort = "Bool" if bits == 0 else f"(_ BitVec {bits})"
        found = f"(ite q (s.{name}.1 n) (s.{name}.0 n))"
        return f"(define-fun s.{name} ((q Bool) (n (_ BitVec {PLACE}))) {sort} {found})\n"

    def bounds(self, scan: Sequence[Operation]) -> list[int]:
        """What the accumulator of x·y is at most at each place."""
        most, found = self.largest, [(1 << self.word) - 1]
        for each in scan:
            before = found[-1] >> self.word if each.first else found[-1]
            more = (most << each.double) if each.product else 0
            found.append(max(before, more) if self.binary else before + more)
        return found

    @property
    def largest(self) -> int:
        """What a product of two words is at most; of polynomials, all of its bits."""
        return (1 << (2 * self.word - 1)) - 1 if self.binary else ((1 << self.word) - 1) ** 2

    def _history(self) -> Iterator[str]:
        """The history variables: what they are in a state, and in the next one."""
        now, then = self.now, self.then
        place, word = f"(_ BitVec {PLACE})", f"(_ BitVec {self.word})"
        end = now.high(f"{CONTROL}end_op")
        ended = equal(now.v(0), const(self.plan.ending, PLACE))
        step = f"(ite {ended} {const(0, PLACE)} (bvadd {now.v(0)} {const(1, PLACE)}))"
        decides = any_of(
            *(
                now.high(f"{CONTROL}do_{each}")
                for each in ("xy", "m", "inverse", "n0", "n1", "products", "empty")
            )
        )
        more = f"(bvadd {now.s(0)} {const(1, PLACE)})"
        scanned = f"(ite {now.high(f'{SCAN}ready')} {more} {now.s(0)})"
        phase = now.ghost("phase")
        chosen = f"(ite {all_of(now.whole, negation(end))} {const(1, 2)} {const(2, 2)})"
        moved = f"(ite {any_of(now.phase(1), now.phase(2))} (bvadd {phase} {const(1, 2)}) {phase})"
        kept = f"(ite {end} {moved} (ite {self.left} {const(0, 2)} {phase}))"
        variables = {
            "V0": (place, f"(ite {decides} {step} {now.v(0)})", const(0, PLACE)),
            "S0": (
                place,
                f"(ite {now.high(f'{SCAN}clear_i')} {const(0, PLACE)} {scanned})",
                const(0, PLACE),
            ),
            "phase": ("(_ BitVec 2)", f"(ite {now.high('choose')} {chosen} {kept})", const(0, 2)),
        }
        for p in range(1, LATE + 1):
            variables[f"V{p}"] = (place, now.v(p - 1), const(0, PLACE))
            variables[f"M{p}"] = ("Bool", now.mine(p - 1), "false")
        for p in range(1, SUM + 1):
            variables[f"S{p}"] = (place, now.s(p - 1), const(0, PLACE))
            variables[f"Q{p}"] = ("Bool", now.square(p - 1), "false")
        for name, register in (("A", f"{MUL}a_q"), ("B", f"{MUL}b_late_q")):
            for p in range(DEPTH, PRODUCT + 1):
                before = now(register) if p == DEPTH else now.ghost(f"{name}{p - 1}")
                variables[f"{name}{p}"] = (word, before, const(0, self.word))
        for name, (sort, _, _) in variables.items():
            yield f"(declare-const {now.ghost(name)} {sort})\n"
        for name, (sort, after, _) in variables.items():
            yield f"(define-fun {then.ghost(name)} () {sort} {after})\n"
        begin = (equal(now.ghost(name), reset) for name, (_, _, reset) in variables.items())
        yield f"(define-fun begin () Bool {all_of(*begin)})\n"

    @property
    def left(self) -> str:
        """The last word of the result of the operation that is followed leaves."""
        return all_of(self.now.phase(3), self.now.high(f"{CONTROL}unload_last"))

    def _words(self) -> Iterator[str]:
        """The words of the operation that is followed, and what is made of them."""
        w, acc = self.word, self.acc
        place, word, double = f"(_ BitVec {PLACE})", f"(_ BitVec {w})", f"(_ BitVec {2 * w})"
        sum_, bit, plan = f"(_ BitVec {acc})", "(_ BitVec 1)", self.plan
        for name in "XYNH":
            yield f"(declare-fun {name} ({place}) {word})\n"
        yield f"(declare-const inverse {word})(declare-const square Bool)\n"
        if self.binary:
            yield "(declare-const implicit Bool)\n"
        yield f"(declare-fun P ({word} {word}) {double})\n"
        yield f"(declare-fun E ({place}) {sum_})(declare-fun U ({place}) {sum_})\n"
        yield f"(declare-fun Z ({place}) (_ BitVec {w + 1}))\n"
        yield "".join(f"(declare-fun {name} ({place}) {bit})" for name in ("B1", "B2", "BO")) + "\n"
        yield (f"(define-fun T ((c {place})) {word} {extract('(E (s.end square c))', w - 1, 0)})\n")
        yield self._table("completing", [plan.completing(i) + 1 for i in range(self.beats)], PLACE)
        yield f"(define-fun v0 ((i {place})) {word} {extract('(U (completing i))', w - 1, 0)})\n"
        last = const(self.beats - 1, PLACE)
        made = extract(f"(P (v0 {last}) inverse)", w - 1, 0)
        yield f"(define-fun m ((j {place})) {word} (ite (= j {last}) {made} (v0 j)))\n"
        yield (
            f"(define-fun left ((n {place})) {word} (ite (v.is.inverse n) (v0 {last}) (m (v.j n))))\n"
            f"(define-fun right ((n {place})) {word} "
            f"(ite (v.is.inverse n) inverse (ite (v.is.m n) (H (v.k n)) (N (v.k n)))))\n"
        )
        product = "(P (left n) (right n))"
        high = zero_extend(extract(product, 2 * w - 1, w), acc - w)
        column = zero_extend("(T (v.i.xy n))", acc - w)
        yield self._table("v.i.xy", [each.column for each in plan.decisions], PLACE)
        yield (
            f"(define-fun added ((n {place})) {sum_} (ite (v.is.xy n) {column} (ite (v.is.n0 n) {high} "
            f"(ite (v.adds n) {zero_extend(product, acc - 2 * w)} {const(0, acc)}))))\n"
        )
        nonzero = "false" if self.binary else f"(not (= (v0 {last}) {const(0, w)}))"
        yield (
            f"(define-fun carried ((n {place})) {sum_} "
            f"(ite (and (v.is.n0 n) {nonzero}) {const(1, acc)} {const(0, acc)}))\n"
        )
        xy = zero_extend("(P (X (s.j square n)) (Y (s.k square n)))", acc - 2 * w)
        yield (
            f"(define-fun multiplied ((n {place})) {sum_} (ite (s.product square n) "
            f"(ite (s.double square n) (bvshl {xy} {const(1, acc)}) {xy}) {const(0, acc)}))\n"
        )
        yield self._table("z.end", [plan.z_end(k) + 1 for k in range(self.beats)], PLACE)
        top = extract(f"(U {const(plan.ending + 1, PLACE)})", w, w)
        yield f"(define-fun top () Bool (= {top} #b1))\n"
        before = f"(bvsub k {const(1, PLACE)})"
        over = "#b0" if self.binary else extract(f"(Z {before})", w, w)
        yield (
            f"(define-fun z ((k {place})) {word} {extract('(Z k)', w - 1, 0)})\n"
            f"(define-fun carry ((k {place})) {bit} (ite (= k {const(0, PLACE)}) #b0 {over}))\n"
            f"(define-fun above ((k {place})) {bit} (ite (= k {const(0, PLACE)}) #b0 "
            f"{extract(f'(N {before})', w - 1, w - 1)}))\n"
            f"(define-fun twice ((k {place})) {word} (concat {extract('(N k)', w - 2, 0)} (above k)))\n"
        )
        s = const(self.beats, PLACE)
        if self.binary:
            more = f"(ite (and implicit (= k {last})) (m {last}) {const(0, w)})"
            yield f"(define-fun entering ((k {place})) {word} (bvxor (T (bvadd k {s})) {more}))\n"
        c, b1, b2, a = (f"(= ({name} {s}) #b1)" for name in ("carry", "B1", "B2", "above"))
        once = any_of(c, "top", negation(b1))
        both = any_of(
            all_of(c, "top"), all_of(any_of(c, "top"), negation(all_of(a, b2))), negation(any_of(a, b2))
        )
        once, both = ("false", "false") if self.binary else (once, both)
        yield f"(define-fun once () Bool {once})(define-fun two () Bool {both})\n"
        yield (f"(define-fun less ((k {place})) {word} (ite two (twice k) (ite once (N k) {const(0, w)})))\n")
        for name, subtrahend, borrow in (("D1", "N", "B1"), ("D2", "twice", "B2"), ("O", "less", "BO")):
            yield (
                f"(define-fun {name} ((k {place})) (_ BitVec {w + 1}) (bvsub (bvsub "
                f"{zero_extend('(z k)', 1)} {zero_extend(f'({subtrahend} k)', 1)}) "
                f"{zero_extend(f'({borrow} k)', w)}))\n"
            )

    # --- what the words are -----------------------------------------------------------------------

    def e_step(self, n: str) -> str:
        """What E is behind a place."""
        old = f"(ite (s.first square {n}) (bvlshr (E {n}) {const(self.word, self.acc)}) (E {n}))"
        old = f"(ite (= {n} {const(0, PLACE)}) {const(0, self.acc)} {old})"
        return equal(f"(E (bvadd {n} {const(1, PLACE)}))", f"({self.plus} {old} (multiplied {n}))")

    def u_step(self, n: str) -> str:
        """What U is behind a place."""
        old = f"(ite (v.opens {n}) (bvlshr (U {n}) {const(self.word, self.acc)}) (U {n}))"
        old = f"(ite (= {n} {const(0, PLACE)}) {const(0, self.acc)} {old})"
        return equal(f"(U (bvadd {n} {const(1, PLACE)}))", f"({self.plus} {old} (added {n}) (carried {n}))")

    def z_step(self, k: str) -> str:
        """What word k of the sum is."""
        word = self.word
        parts = (extract(f"(U (z.end {k}))", word - 1, 0), self.entering(k))
        words = " ".join(zero_extend(each, 1) for each in parts)
        return equal(f"(Z {k})", f"({self.plus} {words} {zero_extend(f'(carry {k})', word)})")

    def entering(self, k: str) -> str:
        """What comes to a word of v in word k of the sum: a word of x·y, and in GF(2^m) the last m."""
        return f"(entering {k})" if self.binary else f"(T (bvadd {k} {const(self.beats, PLACE)}))"

    def borrow_step(self, k: str, names: Iterable[tuple[str, str]]) -> Iterator[str]:
        """What borrows there are behind word k."""
        for borrow, difference in names:
            behind = extract(f"({difference} {k})", self.word, self.word)
            yield equal(f"({borrow} (bvadd {k} {const(1, PLACE)}))", behind)

    def definitions(self) -> str:
        return "".join((*self._tables(), *self._words(), *self._history()))

    def text(self, *assertions: str) -> str:
        return super().text(*assertions).replace("(set-logic QF_BV)", "(set-logic QF_UFBV)", 1)

    # --- the invariant ----------------------------------------------------------------------------

    def parts(self) -> Mapping[str, Callable[[At], Iterator[str]]]:
        """What holds in every state of a run with no other length or field, in parts."""
        return {
            "gate": self._gate,
            "context": self._context,
            "operations": self._operations,
            "lists": self._lists,
            "scan": self._scan,
            "controller": self._controller,
            "lead": self._lead,
            "tags": self._tags,
            "addresses": self._addresses,
            "place": self._place,
            "operands": self._operands,
            "bounds": self._bounds,
            "products of x and y": self._products,
            "words of x·y": self._ring,
            "v": self._v,
            "m": self._m,
            "result": self._result,
            "words of the result": self._out,
        }

    ORDER = ("gate", "operations", "lists", "scan", "controller", "lead")
    """The parts that say how far everything is."""

    USED: Mapping[str, tuple[str, ...]] = {
        "gate": ORDER,
        "context": ("gate", "operations", "context"),
        "operations": (*ORDER, "tags", "words of the result"),
        "lists": (*ORDER, "tags", "result", "words of the result"),
        "scan": (*ORDER, "tags"),
        "controller": (*ORDER, "tags"),
        "lead": (*ORDER, "tags"),
        "tags": (*ORDER, "tags"),
        "addresses": (*ORDER, "tags", "addresses"),
        "place": (*ORDER, "place"),
        "operands": (*ORDER, "context", "tags", "addresses", "place", "operands", "v", "m", "words of x·y"),
        "bounds": (*ORDER, "tags", "bounds"),
        "products of x and y": (*ORDER, "tags", "operands", "bounds", "products of x and y"),
        "words of x·y": (*ORDER, "tags", "bounds", "products of x and y", "words of x·y"),
        "v": (*ORDER, "tags", "operands", "bounds", "words of x·y", "v"),
        "m": (*ORDER, "tags", "operands", "v", "m"),
        "result": (*ORDER, "tags", "context", "words of x·y", "v", "result", "words of the result"),
        "words of the result": (*ORDER, "tags", "context", "result", "words of the result"),
    }
    """The parts, and for each those that it goes on holding with."""

    def used_for(self, name: str) -> tuple[str, ...]:
        """The parts that a part goes on holding with: in GF(2^m) the last m goes to the result, too."""
        return (*self.USED[name], *(("m",) if self.binary and name == "result" else ()))

    def part(self, at: At, name: str) -> str:
        return all_of(*self.parts()[name](at))

    def _gate(self, at: At) -> Iterator[str]:
        """Beats of a context, and what has followed of its header."""
        h, s, is_ = len(self.header), self.beats, at.is_
        yield f"(bvult {at('ctx_at')} {const(self.context, COUNT)})"
        for a in range(self.context):
            here = equal(at("ctx_at"), const(a, COUNT))
            expected = {
                "head_q": max(h - a, 0) or (0 if a else h),
                "inverse_q": int(a == h),
                "modulus_q": int(h < a <= h + s),
                "hat_q": int(h + s < a),
            }
            parts = [is_(f"{CONTROL}{name}", value) for name, value in expected.items()]
            if a > h:
                parts.append(is_(f"{CONTROL}count_q", (a - h - 1) % s))
            elif a:
                parts.append(is_(f"{CONTROL}count_q", 0))
            if h < a <= h + s:
                parts.append(is_(f"{CONTROL}first_word_q", int(a == h + 1)))
            yield implies(here, all_of(*parts))
        begun = negation(is_("ctx_at", 0))
        yield implies(begun, all_of(negation(at.high("whole")), at.idle, negation(at.part)))
        yield equal(at.high(f"{GATE}whole_q"), at.high("whole"))
        yield implies(at.high(f"{GATE}open_q"), at.high("whole"))
        header = sum(beat << (k * self.word) for k, beat in enumerate(self.header))
        known = self.either(extract(at(f"{CONTROL}header_q"), 15, 0), 16)
        yield implies(at.calm(1), equal(known, const(header, 16)))
        if h > 1:
            first = self.either(extract(at(f"{CONTROL}header_q"), 15, self.word), self.word)
            yield implies(is_("ctx_at", 1), equal(first, const(self.header[0], self.word)))
        yield implies(
            at.calm(2),
            all_of(
                is_(f"{CONTROL}last_index_q", s - 1),
                is_(f"{CONTROL}one_word_q", 0),
                is_(f"{CONTROL}two_words_q", int(s == 2)),
            ),
        )

    def either(self, header: str, bits: int) -> str:
        """A header, or its first beat, without what it may say either way."""
        return f"(bvand {header} {const((1 << bits) - 1 - IMPLICIT, bits)})" if self.binary else header

    def _context(self, at: At) -> Iterator[str]:
        """Where the words of a context are; those of the operation that is followed."""
        h, s = len(self.header), self.beats
        places = {h: ["core.inverse_q"]}
        for k in range(s):
            places[h + 1 + k] = [f"{LANE}u_n.words[{s + k}]", f"{REDUCE}u_modulus.words[{k}]"]
            places[h + 1 + s + k] = [f"{LANE}u_n.words[{k}]"]
        for a, names in places.items():
            there = any_of(at.high("whole"), f"(bvult {const(a, COUNT)} {at('ctx_at')})")
            for name in names:
                yield implies(there, equal(at(name), self.wordof(at("ctx"), a)))
        yield implies(at.high("followed"), all_of(at.high("whole"), *self.belongs(at)))

    def belongs(self, at: At) -> Iterator[str]:
        """The context is that of the operation that is followed."""
        h, s = len(self.header), self.beats
        if self.binary:
            yield equal("implicit", at.bit(f"{CONTROL}header_q", 1))
        yield equal("inverse", self.wordof(at("ctx"), h))
        for k in range(s):
            yield equal(f"(N {const(k, PLACE)})", self.wordof(at("ctx"), h + 1 + k))
            yield equal(f"(H {const(k, PLACE)})", self.wordof(at("ctx"), h + 1 + s + k))

    def wordof(self, term: str, k: int) -> str:
        return extract(term, (k + 1) * self.word - 1, k * self.word)

    def _operations(self, at: At) -> Iterator[str]:
        """How many operations there are, which one is followed, and for how many words there is room."""
        s, part, whole, next_whole = self.beats, at.part, at.whole, at.next_whole

        def one(flag: str, bits: int) -> str:
            return f"(ite {flag} {const(1, bits)} {const(0, bits)})"

        ops = (any_of(whole, part), all_of(whole, any_of(part, next_whole)), at.behind)
        total = f"(bvadd {' '.join(one(each, 3) for each in ops)})"
        yield equal(at.wide(f"{CONTROL}flight_q", 3), total)
        yield f"(bvule {total} {const(2, 3)})"
        yield equal(at.idle, at.is_(f"{CONTROL}flight_q", 0))
        yield implies(negation(at.idle), at.high("whole"))
        yield equal(part, negation(at.is_("in_at", 0)))
        yield f"(bvult {at('in_at')} {const(s, COUNT)})"
        yield implies(at.is_("ctx_at", 0), at.same(f"{CONTROL}count_q", at("in_at"), COUNT))
        yield implies(next_whole, all_of(whole, negation(part)))
        complete = (whole, next_whole, at.behind)
        count = f"(bvadd {' '.join(one(each, COUNT_BITS) for each in complete)})"
        yield equal(at("count"), count)
        phases = [at.phase(k) for k in range(4)]
        yield equal(at.high("followed"), negation(phases[0]))
        coming = any_of(all_of(phases[1], negation(next_whole)), all_of(phases[2], negation(whole)))
        yield equal(at.high("coming"), coming)
        yield implies(phases[1], all_of(whole, any_of(part, next_whole), at.is_("ahead", 1)))
        yield implies(phases[2], all_of(any_of(whole, part), equal(at("ahead"), one(at.behind, COUNT_BITS))))
        yield implies(phases[3], all_of(at.behind, at.is_("ahead", 0)))
        yield implies(phases[2], equal(at.square(0), "square"))
        yield implies(at.high("coming"), equal(at.high(f"{CONTROL}square_q"), "square"))
        yield implies(all_of(phases[1], next_whole), equal(at.high(f"{CONTROL}square_q"), "square"))
        fresh = all_of(any_of(part, whole), equal(at.s(0), const(0, PLACE)))
        yield implies(fresh, equal(at.square(0), at.high(f"{CONTROL}square_q")))
        freed = f"(ite (bvult {at.s(0)} {at.s(1)}) {const(0, PLACE)} {at.of_s('freed', 1)})"
        come = f"(bvsub {freed} {at.taken_next(PLACE)})"
        room = f"(ite {whole} {come} (bvsub {const(s, PLACE)} {at.wide('in_at', PLACE)}))"
        yield implies(at.calm(3), at.same(f"{CONTROL}room_q", room, PLACE))
        frees = f"(s.freed {at.square(1)} (bvadd {at.s(1)} {const(1, PLACE)}))"
        now = all_of(at.issued(1), negation(equal(frees, at.of_s("freed", 1))))
        yield implies(at.calm(2), equal(at.high(f"{CONTROL}freed_q"), now))
        two = f"(ite (bvult {at.s(0)} {at.s(2)}) {const(0, PLACE)} {at.of_s('freed', 2)})"
        yield f"(bvule {at.taken_next(PLACE)} {two})"
        loaded = all_of(at.is_("rst_ni", 1), at.high(f"{CONTROL}in_load_q"))
        yield implies(loaded, any_of(part, whole))
        slots = f"(bvadd {at.s(0)} {one(at.high(f'{CONTROL}in_load_q'), PLACE)})"
        running = at.is_("rst_ni", 1)
        yield implies(all_of(negation(whole), running), f"(bvule {slots} {at.wide('in_at', PLACE)})")
        yield implies(negation(whole), f"(bvule {at.s(0)} {at.wide('in_at', PLACE)})")

    def _lists(self, at: At) -> Iterator[str]:
        """How far the lists were, cycle by cycle."""
        plan, none = self.plan, const(0, PLACE)
        for p in range(LATE + 1):
            yield f"(bvule {at.v(p)} {const(plan.ending, PLACE)})"
        for p in range(LATE):
            more = f"(bvadd {at.v(p + 1)} {const(1, PLACE)})"
            yield any_of(equal(at.v(p), at.v(p + 1)), equal(at.v(p), more), at.ended(p))
            if p:
                yield implies(at.ended(p), equal(at.v(p - 1), none))
                yield implies(at.mine(p), any_of(at.phase(2), at.phase(3)))
            begins = equal(at.v(p), none) if p > SUM else all_of(equal(at.v(p), none), equal(at.s(p), none))
            yield implies(all_of(at.phase(3), at.ended(p)), at.mine(p + 1))
            yield implies(at.mine(p + 1), f"(xor {at.mine(p)} {at.ended(p)})")
            yield implies(all_of(at.mine(p), negation(at.mine(p + 1))), any_of(begins, at.ended(p)))
        yield implies(at.mine(LATE), any_of(at.phase(2), at.phase(3)))
        for p in range(SUM + 1):
            ends = f"(ite {at.square(p)} {const(self.last[1], PLACE)} {const(self.last[0], PLACE)})"
            yield f"(bvule {at.s(p)} {ends})"
            yield implies(at.mine(p), equal(at.square(p), "square"))
            if p < SUM:
                stays = any_of(equal(at.s(p), at.s(p + 1)), at.issued(p + 1))
                old = f"(ite {at.square(p + 1)} {const(self.last[1], PLACE)} {const(self.last[0], PLACE)})"
                over = all_of(equal(at.s(p), none), equal(at.s(p + 1), old))
                yield f"(ite {at.ended(p)} {over} {stays})"
                same = equal(at.square(p), at.square(p + 1))
                yield implies(negation(any_of(at.ended(p), equal(at.s(p + 1), none))), same)
        yield implies(at.ended(0), at.in_state("S0"))
        # What a decision waits for.
        for p in range(LATE - 6):
            waits = f"(v.awaited {at.v(p)})"
            there = all_of(f"(bvule {waits} {at.v(p + 7)})", f"(bvule {at.v(p + 7)} {at.v(p)})")
            yield implies(negation(equal(waits, none)), there)
        for p in range(LATE - 4):
            behind = f"(bvult {const(plan.n0, PLACE)} {at.v(p)})"
            yield implies(
                behind,
                all_of(
                    f"(bvult {const(plan.inverse, PLACE)} {at.v(p + 5)})", f"(bvule {at.v(p + 5)} {at.v(p)})"
                ),
            )
        for p in range(SUM - 1):
            yield f"(bvule {at.count_v('closed', p)} {at.columns(p + 2, p)})"
        # The result unit has one result at a time.
        some = any_of(
            *(f"(bvult {const(plan.n1, PLACE)} {at.v(p)})" for p in range(LATE + 1)),
            *(at.ended(p) for p in range(LATE)),
        )
        busy, out = at.high(f"{CONTROL}out_busy_q"), at.high(f"{CONTROL}out_q")
        yield implies(some, all_of(busy, negation(out)))
        yield implies(out, at.behind)
        yield implies(
            all_of(at.calm(1), at.high(f"{REDUCE}restart_q")), all_of(negation(some), negation(out))
        )
        yield implies(any_of(*(at.ended(p) for p in range(LATE))), at.behind)
        yield implies(at.ended(SUM), equal(at.s(SUM), none))
        yield implies(at.idle, negation(some))

    def _scan(self, at: At) -> Iterator[str]:
        """The registers of the scan."""
        n, calm = at.s(0), at.calm(3)
        running = negation(at.high(f"{SCAN}done_q"))
        ends = f"(ite {at.square(0)} {const(self.last[1], PLACE)} {const(self.last[0], PLACE)})"
        yield implies(calm, equal(at.high(f"{SCAN}done_q"), equal(n, ends)))
        yield implies(calm, equal(at.high(f"{SCAN}begun_q"), negation(equal(n, const(0, PLACE)))))
        product = at.of_s("product", 0)
        ending = equal(at.of_s("column", 0), const(2 * self.beats - 1, PLACE))
        flush = ending if self.binary else negation(product)
        parts = [at.same(f"{SCAN}{name}_q", at.of_s(name, 0), PLACE) for name in ("low", "high", "column")]
        length = f"(bvsub {at.of_s('high', 0)} {at.of_s('low', 0)})"
        parts += [at.same(f"{SCAN}length_q", length, PLACE)]
        parts += [
            implies(product, at.same(f"{SCAN}{name}_q", at.of_s(name, 0), PLACE))
            for name in ("rest", "j", "k")
        ]
        parts += [
            equal(at.high(f"{SCAN}first_q"), at.of_s("first", 0)),
            equal(at.high(f"{SCAN}flush_q"), flush),
            equal(
                at.high(f"{SCAN}upper_q"), f"(bvule {const(self.beats - 1, PLACE)} {at.of_s('column', 0)})"
            ),
        ]
        yield implies(all_of(calm, running), all_of(*parts))

    def _lead(self, at: At) -> Iterator[str]:
        """Columns of x·y that are ahead."""
        lead = f"(bvsub {at.columns(1)} {at.count_v('closed', 0)})"
        yield implies(at.calm(3), at.same(f"{SCAN}lead_q", lead, PLACE))
        issued = all_of(at.issued(1), at.of_s("last", 1))
        yield implies(at.calm(3), equal(at.high(f"{SCAN}issued_q"), issued))
        ahead = negation(at.is_(f"{SCAN}lead_q", 0))
        yield implies(at.calm(3), equal(at.high(f"{SCAN}ahead_o"), ahead))
        yield f"(bvule {at.count_v('closed', 0)} {at.columns(1)})"

    def _controller(self, at: At) -> Iterator[str]:
        """The registers of the controller."""
        n, calm, plan, s = at.v(0), at.calm(3), self.plan, self.beats

        def of(name: str) -> str:
            return f"(v.{name} {n})"

        begun = negation(equal(n, const(0, PLACE)))
        yield implies(begun, equal(at(f"{CONTROL}state_q"), of("state")))
        yield implies(negation(begun), at.in_state("S0", "S1"))
        yield implies(negation(at.in_state("S0")), at.whole)
        index = zero_extend(at(f"{CONTROL}i_q"), PLACE - self.system.signals[f"{CONTROL}i_q"])
        yield implies(
            calm,
            all_of(
                equal(index, of("i")),
                equal(at.high(f"{CONTROL}last_i_q"), equal(of("i"), const(s - 1, PLACE))),
                equal(at.high(f"{CONTROL}wanted_q"), of("wanted")),
                equal(at.high(f"{CONTROL}first_q"), of("opens")),
            ),
        )
        first, late = at.in_state("S3"), at.in_state("S6")
        several = any_of(first, all_of(late, of("is.m")))
        counted = any_of(first, all_of(late, negation(of("is.empty"))))
        for name, where in (("j", counted), ("k", several), ("rest", counted), ("low", late)):
            yield implies(where, at.same(f"{CONTROL}{name}_q", of(name), PLACE))
        yield implies(late, equal(at.high(f"{CONTROL}low_end_q"), equal(of("low"), const(s, PLACE))))
        inverse = const(plan.inverse, PLACE)
        there = all_of(f"(bvult {of('completing')} {at.v(7)})", f"(bvule {at.v(7)} {n})")
        yield implies(
            all_of(calm, f"(bvule {n} {inverse})"),
            all_of(equal(at.high(f"{CONTROL}complete_q"), there), at.is_(f"{CONTROL}m_there_q", 0)),
        )
        made = all_of(f"(bvult {inverse} {at.v(5)})", f"(bvule {at.v(5)} {n})")
        yield implies(at.in_state("S4"), equal(at.high(f"{CONTROL}m_there_q"), made))

    def _tags(self, at: At) -> Iterator[str]:
        """What is at the tags."""
        plan = self.plan

        def tag(name: str, place: int, flag: str) -> str:
            return equal(at.bit(f"{CONTROL}{name}", place), flag)

        for p in range(SUM + 1):
            yield tag("v_last_q", p, all_of(at.decided(p), at.of_v("v_last", p)))
            yield tag("z_q", p, all_of(at.decided(p), at.of_v("z", p)))
            yield tag("end_q", p, at.ended(p))
            if p:
                yield tag("xy_last_q", p - 1, all_of(at.issued(p), at.of_s("last", p)))
        for p in range(PRODUCT + 1):
            yield tag("to_v_q", 2 * p, all_of(at.decided(p), at.of_v("adds", p)))
            yield tag("to_v_q", 2 * p + 1, "false")
            yield tag("make_m_q", p, at.kind(p, "inverse"))
            yield tag("v_first_q", p, all_of(at.decided(p), at.of_v("opens", p)))
            yield tag("xy_add_q", p, at.kind(p, "xy"))
            if p:
                product = all_of(at.issued(p), at.of_s("product", p))
                yield tag("to_xy_q", 2 * p - 2, product)
                yield tag("to_xy_q", 2 * p - 1, "false")
                yield implies(product, tag("double_q", 2 * p - 2, at.of_s("double", p)))
                yield tag("xy_first_q", p - 1, all_of(at.issued(p), at.of_s("first", p)))
                taken = all_of(at.decided(p), at.of_v("multiplies", p))
                yield negation(all_of(at.issued(p), taken))
        for p in range(PRODUCT + 2):
            yield tag("high_q", p, at.kind(p, "n0"))
        for p in range(3):
            sum_ = all_of(
                equal(at.v(p + 8), at.of_v("completing", p)),
                equal(at.v(p + 7), f"(bvadd {at.v(p + 8)} {const(1, PLACE)})"),
            )
            yield tag("left_v0_q", p, all_of(at.decided(p), at.of_v("new", p), sum_))
            inverse = all_of(
                equal(at.v(p + 6), const(plan.inverse, PLACE)),
                equal(at.v(p + 5), const(plan.inverse + 1, PLACE)),
            )
            yield tag("left_new_q", p, all_of(at.kind(p, "n0"), inverse))

    def _addresses(self, at: At) -> Iterator[str]:
        """Which words are read."""

        def low(name: str, term: str) -> str:
            return equal(extract(at(f"{CONTROL}{name}"), self.index - 1, 0), extract(term, self.index - 1, 0))

        def of_n(p: int) -> str:
            return any_of(at.of_v("is.n", p), at.of_v("is.n0", p))

        decided = [all_of(at.decided(p), at.of_v("multiplies", p)) for p in range(3)]
        known = negation(at.of_v("is.inverse", 0))
        yield implies(decided[0], at.same(f"{CONTROL}mn_j_q", at.of_v("j", 0), PLACE))
        yield implies(all_of(decided[0], known), at.same(f"{CONTROL}mn_k_q", at.of_v("k", 0), PLACE))
        yield implies(all_of(decided[0], known), equal(at.bit(f"{CONTROL}mn_n_q", 0), of_n(0)))
        known = negation(at.of_v("is.inverse", 1))
        yield implies(
            decided[1], all_of(low("left_addr_q", at.of_v("j", 1)), at.bit(f"{CONTROL}right_mn_o", 0))
        )
        yield implies(
            all_of(decided[1], known),
            all_of(low("right_addr_o", at.of_v("k", 1)), equal(at.bit(f"{CONTROL}right_n_o", 0), of_n(1))),
        )
        product = all_of(at.issued(1), at.of_s("product", 1))
        yield implies(
            product,
            all_of(
                low("left_addr_q", at.of_s("j", 1)),
                low("right_addr_o", at.of_s("k", 1)),
                negation(at.bit(f"{CONTROL}right_mn_o", 0)),
            ),
        )
        yield implies(
            decided[2], all_of(low("left_addr_o", at.of_v("j", 2)), at.bit(f"{CONTROL}left_mn_o", 0))
        )
        product = all_of(at.issued(2), at.of_s("product", 2))
        yield implies(
            product, all_of(low("left_addr_o", at.of_s("j", 2)), negation(at.bit(f"{CONTROL}left_mn_o", 0)))
        )

    def _place(self, at: At) -> Iterator[str]:
        """The operands of the operation that is followed, where they are."""
        for k in range(self.beats):
            come = f"(bvult {const(k, COUNT)} {at('in_at')})"
            used = f"(bvule {at.taken_next(PLACE)} {const(k, PLACE)})"
            there = any_of(
                all_of(at.phase(1), any_of(at.next_whole, come)),
                all_of(at.phase(2), f"(ite {at.whole} {used} {come})"),
            )
            for name in "xy":
                word = f"({name.upper()} {const(k, PLACE)})"
                yield implies(there, equal(at(f"{LANE}u_{name}.words[{k}]"), word))

    def _operands(self, at: At) -> Iterator[str]:
        """The factors of a product, on their way to the multiplier and in it."""
        right, none = self.gated(f"{MUL}*_b_q")
        yield implies(at.calm(2), at.is_(none, 0))
        rights, lefts = {2: right, 3: f"{MUL}b_late_q"}, {3: f"{MUL}a_q"}
        for p in range(2, PRODUCT + 1):
            of_v = all_of(at.decided(p), at.of_v("multiplies", p), at.mine(p + 1))
            of_s = all_of(at.issued(p), at.of_s("product", p), at.mine(p))
            factor = at(rights[p]) if p in rights else at.ghost(f"B{p}")
            yield implies(of_v, equal(factor, f"(right {at.decision(p)})"))
            yield implies(of_s, equal(factor, f"(Y {at.of_s('k', p)})"))
            if p > 2:
                left = at(lefts[p]) if p in lefts else at.ghost(f"A{p}")
                yield implies(of_v, equal(left, f"(left {at.decision(p)})"))
                yield implies(of_s, equal(left, f"(X {at.of_s('j', p)})"))

    def used(self, at: At, p: int) -> str:
        """There is a product at tag p."""
        return any_of(
            all_of(at.decided(p), at.of_v("multiplies", p)), all_of(at.issued(p), at.of_s("product", p))
        )

    def multiplies(self, at: At) -> str:
        """What is used of the multiplier."""
        product = at("core.products")
        most = self.largest
        factors = f"(P {at.ghost(f'A{PRODUCT}')} {at.ghost(f'B{PRODUCT}')})"
        return implies(
            self.used(at, PRODUCT),
            all_of(equal(product, factors), f"(bvule {product} {const(most, 2 * self.word)})"),
        )

    def _bounds(self, at: At) -> Iterator[str]:
        """What is in the accumulator of x·y is not too much, whatever the operation."""
        none, most = const(0, self.acc), self.largest
        addend = at(self.gated("core.u_xy.*_addend_q")[0])
        product = all_of(at.issued(8), at.of_s("product", 8))
        once, both = const(most, self.acc), const(2 * most, self.acc)
        at_most = f"(ite {product} (ite {at.of_s('double', 8)} {both} {once}) {none})"
        yield implies(at.calm(3), f"(bvule {addend} {at_most})")
        yield implies(at.calm(3), f"(bvule {at('core.xy')} {at.of_s('bound', 8)})")
        for name in ("xy", "v"):
            yield implies(at.calm(2), equal(at(self.gated(f"core.u_{name}.*_addend_q")[1]), none))
        yield implies(
            at.calm(2), equal(at.high("core.u_xy.shift_q"), all_of(at.issued(8), at.of_s("first", 8)))
        )
        decided = at.decided(8)
        yield implies(at.calm(2), equal(at.high("core.u_v.shift_q"), all_of(decided, at.of_v("opens", 8))))
        idle = any_of(negation(decided), at.of_v("is.inverse", 8), at.of_v("is.empty", 8))
        yield implies(all_of(at.calm(3), idle), equal(at(self.gated("core.u_v.*_addend_q")[0]), none))
        start = all_of(equal(at.v(SUM), const(0, PLACE)), negation(at.ended(SUM)))
        yield implies(all_of(at.calm(3), start), equal(at("core.v"), none))

    def _products(self, at: At) -> Iterator[str]:
        """The sum of x·y is E."""
        added = all_of(at.issued(8), at.mine(8))
        yield implies(added, equal(at(self.gated("core.u_xy.*_addend_q")[0]), f"(multiplied {at.s(8)})"))
        some = all_of(at.mine(8), negation(equal(at.s(8), const(0, PLACE))))
        yield implies(some, equal(at("core.xy"), f"(E {at.s(8)})"))

    def ring(self, at: At, name: str, term: str) -> str:
        """That a pointer into the words of x·y has a value."""
        return at.same(f"core.{name}", term, PLACE)

    def _ring(self, at: At) -> Iterator[str]:
        """Words of x·y, and where the next one goes to and comes from."""
        s = self.beats
        yield implies(at.calm(2), self.ring(at, "xy_write_q", at.of_s("columns", 9)))
        words = f"(ite {at.wrapped(8, 10)} {const(s, PLACE)} {at.count_v('words', 8)})"
        yield implies(at.calm(2), self.ring(at, "xy_read_q", f"(bvadd {words} {at.count_v('zs', 10)})"))
        for c in range(2 * s):
            word = f"(T {const(c, PLACE)})"
            there = all_of(at.mine(9), f"(bvult {const(c, PLACE)} {at.of_s('columns', 9)})")
            if c == 2 * s - 1:
                there = any_of(there, all_of(at.ended(9), at.mine(10)))
            yield implies(there, equal(at(f"core.u_xy_words.words[{c}]"), word))

    def _v(self, at: At) -> Iterator[str]:
        """The sum v is U."""
        added = all_of(at.decided(8), at.mine(9))
        yield implies(added, equal(at(self.gated("core.u_v.*_addend_q")[0]), f"(added {at.v(9)})"))
        yield implies(all_of(at.mine(9), negation(at.ended(9))), equal(at("core.v"), f"(U {at.v(9)})"))
        end = const(self.plan.ending + 1, PLACE)
        yield implies(all_of(at.ended(9), at.mine(10)), equal(at("core.v"), f"(U {end})"))
        first = self.plan.completing(self.beats - 1) + 1
        inside = all_of(
            at.mine(9),
            f"(bvult {const(first, PLACE)} {at.v(9)})",
            f"(bvule {at.v(9)} {const(self.plan.n0, PLACE)})",
        )
        last = f"(v0 {const(self.beats - 1, PLACE)})"
        nonzero = "false" if self.binary else negation(equal(last, const(0, self.word)))
        yield implies(inside, equal(at.high("core.v0_nonzero_q"), nonzero))

    def _m(self, at: At) -> Iterator[str]:
        """The words of m."""
        s, plan = self.beats, self.plan
        yield implies(at.calm(2), at.same("core.m_index_q", at.count_v("ms", 10), PLACE))
        for j in range(s):
            stored = at(f"{LANE}u_m.words[{j}]")
            there = all_of(at.mine(10), f"(bvult {const(plan.completing(j), PLACE)} {at.v(10)})")
            if j < s - 1:
                yield implies(there, equal(stored, f"(m {const(j, PLACE)})"))
                continue
            before = all_of(
                there, f"(bvule {at.v(10)} {at.v(8)})", f"(bvule {at.v(8)} {const(plan.inverse, PLACE)})"
            )
            yield implies(before, equal(stored, f"(v0 {const(j, PLACE)})"))
            made = all_of(at.mine(8), f"(bvult {const(plan.inverse, PLACE)} {at.v(8)})")
            yield implies(made, equal(stored, f"(m {const(j, PLACE)})"))
            if self.binary:
                kept = any_of(made, *(all_of(at.ended(p), at.mine(p + 1)) for p in (8, SUM)))
                yield implies(kept, equal(at(f"{REDUCE}last_m_q"), f"(m {const(j, PLACE)})"))

    def _result(self, at: At) -> Iterator[str]:
        """The words of the sum, on their way to the memory, and the borrows."""
        s, word = self.beats, self.word
        none = const(0, PLACE)
        out, restart = at.high(f"{CONTROL}out_q"), at.high(f"{REDUCE}restart_q")
        for p, name in ((10, "valid_q"), (11, "valid_q2")):
            yield equal(at.high(f"{REDUCE}{name}"), all_of(at.decided(p), at.of_v("z", p)))
        for p, name in ((10, "last_q"), (11, "end_q")):
            yield implies(at.calm(p - 9), equal(at.high(f"{REDUCE}{name}"), at.ended(p)))
        yield equal(at.high(f"{REDUCE}fetch_q"), at.ended(12))
        free = all_of(at.calm(3), negation(out), negation(restart))
        yield implies(free, at.same(f"{REDUCE}index_q", at.count_v("zs", 10), PLACE))
        for p, name in ((10, "index_q2"), (11, "index_q3")):
            there = all_of(at.decided(p), at.of_v("z", p))
            yield implies(there, at.same(f"{REDUCE}{name}", at.count_v("zs", p + 1), PLACE))
        addend, zero = self.gated(f"{REDUCE}*_addend_q")
        yield implies(at.calm(2), at.is_(zero, 0))
        # Words that are at tag 10, then 11.
        there, k = all_of(at.decided(10), at.of_v("z", 10), at.mine(11)), at.count_v("zs", 11)
        low = extract(f"(U (z.end {k}))", word - 1, 0)
        yield implies(
            there,
            all_of(
                equal(at(f"{REDUCE}v0_q"), low),
                equal(at(addend), self.entering(k)),
                equal(at(f"{REDUCE}n_q"), f"(N {k})"),
            ),
        )
        there, k = all_of(at.decided(11), at.of_v("z", 11), at.mine(12)), at.count_v("zs", 12)
        yield implies(
            there,
            all_of(
                equal(at(f"{REDUCE}sum_q"), f"(z {k})"),
                equal(at(f"{REDUCE}less_q"), f"(N {k})"),
                equal(at(f"{REDUCE}twice_q"), f"(twice {k})"),
            ),
        )
        # What there is of the words before: carry, the bit above, borrows.
        late = [at.ended(p) for p in (11, 12)]
        clean = all_of(free, equal(at.count_v("zs", 11), none), negation(any_of(*late)))
        whole, some = const(s, PLACE), {p: negation(equal(at.count_v("zs", p), none)) for p in (11, 12)}
        for name, of in (("carry_q", "carry"), ("msb_q", "above")):
            bit = f"(ite {at.high(f'{REDUCE}{name}')} #b1 #b0)"
            yield implies(clean, equal(bit, "#b0"))
            yield implies(all_of(at.mine(11), some[11]), equal(bit, f"({of} {at.count_v('zs', 11)})"))
            for p in (11, 12):
                yield implies(all_of(at.ended(p), at.mine(p + 1)), equal(bit, f"({of} {whole})"))
        clean = all_of(free, equal(at.count_v("zs", 12), none), negation(late[1]))
        for name, of in (("borrow_q", "B1"), ("borrow2_q", "B2")):
            bit = f"(ite {at.high(f'{REDUCE}{name}')} #b1 #b0)"
            yield implies(clean, equal(bit, "#b0"))
            yield implies(all_of(at.mine(12), some[12]), equal(bit, f"({of} {at.count_v('zs', 12)})"))
            yield implies(all_of(at.ended(12), at.mine(13)), equal(bit, f"({of} {whole})"))
        for p in (10, 11, 12):
            yield implies(all_of(at.ended(p), at.mine(p + 1)), equal(at.high(f"{REDUCE}top_q"), "top"))
        for i in range(s):
            there = any_of(
                all_of(at.mine(12), f"(bvult {const(i, PLACE)} {at.count_v('zs', 12)})"),
                all_of(at.ended(12), at.mine(13)),
                all_of(at.phase(3), out),
            )
            yield implies(there, equal(at(f"{REDUCE}u_result.words[{i}]"), f"(z {const(i, PLACE)})"))

    def _out(self, at: At) -> Iterator[str]:
        """The words that go out, and those that have left."""
        s, out = self.beats, at.high(f"{CONTROL}out_q")
        k = at.wide(f"{CONTROL}out_count_q", PLACE)
        more = f"(bvadd {k} {const(1, PLACE)})"
        yield f"(bvult {k} {const(s, PLACE)})"
        yield equal(at.wide("out_at", PLACE), k)
        yield implies(negation(out), at.is_(f"{CONTROL}out_count_q", 0))
        yield implies(out, at.same(f"{REDUCE}index_q", more, PLACE))
        mine = all_of(at.phase(3), out)

        def bit(name: str) -> str:
            return f"(ite {at.high(f'{REDUCE}{name}')} #b1 #b0)"

        yield implies(
            mine,
            all_of(
                equal(at(f"{REDUCE}sum_q"), f"(z {k})"),
                equal(at(f"{REDUCE}less_q"), f"(less {k})"),
                equal(bit("borrow_q"), f"(BO {k})"),
                equal(bit("msb_q"), f"(above {more})"),
                equal(at.high(f"{REDUCE}above_q"), "once"),
                equal(at.high(f"{REDUCE}above2_q"), "two"),
            ),
        )
        for i in range(s):
            word = equal(self.wordof(at("z"), i), extract(f"(O {const(i, PLACE)})", self.word - 1, 0))
            yield implies(all_of(mine, f"(bvult {const(i, PLACE)} {k})"), word)
            yield implies(at.high("given"), word)

    # --- the obligations --------------------------------------------------------------------------

    def ports(self, at: At) -> Iterator[str]:
        """What the words of the operation that is followed are: those that cross the ports."""
        takes = at.high("core.operand_load")
        mine = all_of(takes, any_of(at.high("choose"), at.high("coming")))
        k = zero_extend(at("in_at"), PLACE - COUNT) if PLACE > COUNT else at("in_at")
        yield implies(mine, equal(at("core.x_i"), f"(X {k})"))
        yield implies(mine, equal(f"(ite square {at('core.x_i')} {at('core.y_i')})", f"(Y {k})"))
        yield implies(at.high("choose"), all_of(equal(at.high("core.square_i"), "square"), *self.belongs(at)))

    def facts(self, at: At) -> Iterator[str]:
        """What E, U and the words of the result are, where it is used."""
        none = const(0, PLACE)
        yield equal(f"(U {none})", const(0, self.acc))
        yield self.e_step(at.s(8))
        yield self.u_step(at.v(9))
        yield self.z_step(at.count_v("zs", 11))
        yield from (equal(f"({name} {none})", "#b0") for name in ("B1", "B2", "BO"))
        yield from self.borrow_step(at.count_v("zs", 12), (("B1", "D1"), ("B2", "D2")))
        yield from self.borrow_step(at.wide(f"{CONTROL}out_count_q", PLACE), (("BO", "O"),))
        yield self.multiplies(at)

    def of_places(self) -> Iterator[Obligation]:
        """That the invariant holds in reset and goes on holding."""
        now, then = self.now, self.then
        everything = [self.part(now, name) for name in self.parts()]
        reset = (self.text(now.is_("rst_ni", 0), "begin", negation(all_of(*everything))),)
        yield Obligation(
            "invariant", "holds in every cycle of reset, whatever the registers hold", "bitwuzla", reset
        )
        step = (self.system.step, then.is_("rst_ni", 1), now.is_("fit", 1), then.is_("fit", 1))
        more = (*step, *self.ports(now), *self.facts(now))
        for name in self.parts():
            known = (*(self.part(now, each) for each in self.used_for(name)), *more)
            text = self.text(*known, negation(self.part(then, name)))
            yield Obligation("invariant", f"{name} goes on holding", "bitwuzla", (text,))
        yield Obligation("invariant", "places are possible", "bitwuzla", tuple(self.possible()), holds=False)

    def possible(self) -> Iterator[str]:
        """That something holds in a state of the invariant and in a next one, with all that is assumed."""
        now, then, plan = self.now, self.then, self.plan
        step = (self.system.step, then.is_("rst_ni", 1), now.is_("fit", 1), then.is_("fit", 1))
        known = (*(self.part(now, name) for name in self.parts()), *step, *self.ports(now), *self.facts(now))
        known = (*known, now.is_("rst_ni", 1))

        def place(n: int) -> str:
            return all_of(
                now.mine(0), equal(now.v(0), const(n, PLACE)), equal(then.v(0), const(n + 1, PLACE))
            )

        cases = [
            all_of(now.high("choose"), "square"),
            all_of(now.high("choose"), now.whole),
            *(place(n) for n in (0, plan.completing(2), plan.inverse, plan.n0, plan.n1, plan.ending - 1)),
            *(all_of(now.kind(p, "inverse"), now.mine(p + 1)) for p in (2, PRODUCT)),
            *(all_of(now.ended(p), now.mine(p + 1)) for p in (0, SUM, LATE - 1)),
            all_of(now.phase(3), now.high(f"{CONTROL}unload_last"), "implicit" if self.binary else "two"),
            all_of(now.high("given"), now.whole, "square"),
        ]
        yield from (self.text(*known, case) for case in cases)
