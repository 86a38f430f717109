# SPDX-License-Identifier: Apache-2.0
"""Of ``fips_literal``: where an operation is, in every state, and what it needs; an invariant for bitwuzla.

There is one operation at a time, and nothing at the ports changes the order of its products: :class:`Listing`
has it. ``S0`` says in which cycle of the operation the core is, 0 while words come; it is a history variable,
defined beside the netlist. The product of place n is made in cycle n + :data:`MADE` and added in the next.

``X``, ``Y``, ``N``, ``inverse``, ``P`` are as of ``fips``, and ``E`` is what is in the one accumulator at
each place, by which v0, the words of m and those of the result are defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from modmul.core import ceil_div
from modmul.prove.netlist import system
from modmul.prove.product.fips_multiplier import Multiplying
from modmul.prove.product.fips_plan import Decision, Operation, Plan
from modmul.prove.product.fips_where import MUL as FIPS_MUL
from modmul.prove.product.fips_where import PLACE, WORDS, At, at_place
from modmul.prove.product.montgomery_dsp_bench import COUNT_BITS, bench
from modmul.prove.product.serial import COUNT, TOP
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Word,
    all_of,
    any_of,
    const,
    equal,
    extract,
    implies,
    negation,
    zero_extend,
)
from modmul.room import Build

__all__ = ["MUL", "InOneSum", "Listing", "Step"]

INPUT, GATE, CONTROL = "core.u_input.", "core.u_input.u_gate.", "core.gen_single.u_control."
UNIT, LANE = "core.u_unit.", "core.u_unit.gen_lane[0].u_lane."
MUL = f"{LANE}u_mul."

STATES = ("INIT", "S0", "S1", "S2", "S3", "S4", "S5", "S6", "S7")
KINDS = ("ab", "mn", "m")

MADE, ADDED = 3, 4
"""Cycles of an operation before its first product is made, and before it is added."""

AT_ONCE = 4
"""Facts about the multiplier in a question."""


@dataclass(frozen=True)
class Step(Operation):
    """A place of the list; :attr:`product` says that its product is added.

    Attributes:
        kind: ``ab``, x_j·y_k; ``mn``, m_j·n_k; ``m``, v0·n0'; ``""``, nothing.
        state: the controller's.
    """

    kind: str
    state: str


@dataclass(frozen=True)
class Listing(Plan):
    """In which order products are made, of a multiplication and of a square; at the end comes a place without
    one, in which the last word of the result is in the accumulator."""

    scans: tuple[tuple[Step, ...], tuple[Step, ...]] = field(init=False)

    def _scan(self, *, square: bool) -> tuple[Step, ...]:
        s, found = self.words, []
        for c in range(2 * s - 1):
            some: list[tuple[str, int, int, str]] = []
            for j in range(max(0, c - s + 1), min(c, s)):
                k, state = c - j, "S2" if c < s else "S6"
                if not square or j == k or (j < k and not self.binary):
                    some.append(("ab", j, k, state))
                some.append(("mn", j, k, state))
            if c < s:
                some += [("ab", c, 0, "S3")] if not square or c == 0 else []
                some += [("m", c, 0, "S4"), ("mn", c, 0, "S5")]
            for n, (kind, j, k, state) in enumerate(some):
                double = square and kind == "ab" and j < k
                ends = n == 0, n == len(some) - 1
                found.append(Step(c, j, k, *ends, double, kind != "m", 0, kind=kind, state=state))
        found.append(Step(2 * s - 1, 0, 0, True, True, False, False, 0, kind="", state="S7"))
        return tuple(found)

    def _decisions(self) -> list[Decision]:
        return []

    def asks(self, square: int) -> list[int]:
        """The places of v0·n0'."""
        return [n for n, each in enumerate(self.scans[square]) if each.kind == "m"]

    def written(self, square: int) -> list[int]:
        """The cycles in which the words of m, then those of the result, are written."""
        ends = self.ends(self.scans[square])[self.words :]
        return [n + MADE + 1 for n in self.asks(square)] + [n - 1 + ADDED for n in ends]

    def over(self, square: int) -> int:
        """The cycle from which on words of the result go out."""
        return self.written(square)[-1] + 1


class InOneSum(Multiplying):
    """The invariant of a build with one multiplier, for numbers of full length."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if config.multipliers != 1 or not config.square_optimized:
            raise ValueError(f"{build}: the proof is written for Multipliers = 1 and SquareOptimized = 1")
        if config.beats not in WORDS or config.width != config.beats * config.word:
            raise ValueError(f"{build}: the proof is written for operands of 4 or 8 whole words")
        known = build.core.interface.context(config, cls.some())
        text = bench(build, len(known), known[: ceil_div(16, config.word)])
        return cls(build, system(build.design, text, TOP))

    @property
    def context(self) -> int:
        return len(self.header) + 1 + self.beats

    @cached_property
    def plan(self) -> Listing:
        return Listing(self.beats, self.binary)

    @property
    def acc(self) -> int:
        return 3 * self.word

    # --- definitions ------------------------------------------------------------------------------

    def _tables(self) -> Iterator[str]:
        """The list, place by place and cycle by cycle."""
        plan, s = self.plan, self.beats

        def of_both(name: str, bits: int, values: Callable[[int], Sequence[int]]) -> Iterator[str]:
            for k in (0, 1):
                yield self._table(f"s.{name}.{k}", values(k), bits)
            yield self._either(name, bits)

        def of_place(name: str, bits: int, value: Callable[[Step], int]) -> Iterator[str]:
            return of_both(name, bits, lambda k: [int(value(each)) for each in plan.scans[k]])

        def of_cycle(name: str, bits: int, value: Callable[[int, int], int]) -> Iterator[str]:
            return of_both(name, bits, lambda k: [int(value(k, t)) for t in range(plan.over(k) + 1)])

        for kind in KINDS:
            yield from of_place(f"is.{kind}", 0, lambda each, kind=kind: each.kind == kind)  # type: ignore[misc]
        for name in ("first", "double", "product"):
            yield from of_place(name, 0, lambda each, name=name: getattr(each, name))  # type: ignore[misc]
        yield from of_place("last", 0, lambda each: each.last and each.product)
        yield from of_place("z", 0, lambda each: each.last and each.product and each.column >= s)
        yield from of_place("fresh", 0, lambda each: each.state == "S5")
        for name in ("j", "k"):
            yield from of_place(name, PLACE, lambda each, name=name: getattr(each, name))  # type: ignore[misc]
        yield from of_both("end", PLACE, lambda k: plan.ends(plan.scans[k]))
        yield from of_both("ask", PLACE, plan.asks)
        yield from of_cycle("state", 4, lambda k, t: STATES.index(self.state_at(k, t)))
        yield from of_cycle("count", PLACE, lambda k, t: sum(each < t for each in plan.written(k)) % s)
        yield from of_cycle("zs", PLACE, lambda k, t: sum(each < t for each in plan.written(k)[s:]))

    def state_at(self, square: int, cycle: int) -> str:
        """The state in a cycle of an operation."""
        states = [*STATES[:MADE], *(each.state for each in self.plan.scans[square])]
        return states[cycle] if cycle < len(states) else "S7"

    def _history(self) -> Iterator[str]:
        """The cycle of an operation: what it is in a state, and in the next one."""
        now, none = self.now, at_place(0)
        more = f"(ite (= {now.s(0)} {self.over(now)}) {now.s(0)} (bvadd {now.s(0)} {at_place(1)}))"
        busy = f"(ite {any_of(self.waits(now), now.high('core.unloaded'))} {none} {more})"
        yield f"(declare-const {now.s(0)} (_ BitVec {PLACE}))\n"
        begins = f"(ite {now.high('core.start')} {at_place(1)} {busy})"
        yield f"(define-fun {self.then.s(0)} () (_ BitVec {PLACE}) {begins})\n"
        yield f"(define-fun begin () Bool {self.waits(now)})\n"

    def _words(self) -> Iterator[str]:
        """The words of the operation that is followed, and what is made of them."""
        w, acc = self.word, self.acc
        place, word, double = f"(_ BitVec {PLACE})", f"(_ BitVec {w})", f"(_ BitVec {2 * w})"
        sum_, bit, s = f"(_ BitVec {acc})", "(_ BitVec 1)", at_place(self.beats)
        yield "".join(f"(declare-fun {name} ({place}) {word})\n" for name in "XYN")
        yield f"(declare-const inverse {word})(declare-const square Bool)\n"
        yield f"(declare-fun P ({word} {word}) {double})(declare-fun E ({place}) {sum_})\n"
        yield "".join(f"(declare-fun {name} ({place}) {bit})" for name in ("B1", "BO")) + "\n"
        for name, at in (("T", "end"), ("v0", "ask")):
            yield (
                f"(define-fun {name} ((k {place})) {word} {extract(f'(E (s.{at} square k))', w - 1, 0)})\n"
            )
        yield f"(define-fun m ((j {place})) {word} {extract('(P (v0 j) inverse)', w - 1, 0)})\n"
        j, k = "(s.j square n)", "(s.k square n)"
        kinds = {kind: f"(s.is.{kind} square n)" for kind in KINDS}
        yield (
            f"(define-fun left ((n {place})) {word} "
            f"(ite {kinds['ab']} (X {j}) (ite {kinds['m']} (v0 {j}) (m {j}))))\n"
            f"(define-fun right ((n {place})) {word} "
            f"(ite {kinds['ab']} (Y {k}) (ite {kinds['m']} inverse (N {k}))))\n"
        )
        product = zero_extend("(P (left n) (right n))", acc - 2 * w)
        twice = f"(ite (s.double square n) (bvshl {product} {const(1, acc)}) {product})"
        yield (
            f"(define-fun multiplied ((n {place})) {sum_} "
            f"(ite (s.product square n) {twice} {const(0, acc)}))\n"
        )
        yield f"(define-fun z ((k {place})) {word} (T (bvadd k {s})))\n"
        end = f"(E (s.end square {at_place(2 * self.beats - 1)}))"
        large = any_of(equal(extract(end, w, w), "#b1"), equal(f"(B1 {s})", "#b0"))
        yield f"(define-fun once () Bool {'false' if self.binary else large})\n"
        yield f"(define-fun less ((k {place})) {word} (ite once (N k) {const(0, w)}))\n"
        for name, subtrahend, borrow in (("D1", "N", "B1"), ("O", "less", "BO")):
            yield (
                f"(define-fun {name} ((k {place})) (_ BitVec {w + 1}) (bvsub (bvsub "
                f"{zero_extend('(z k)', 1)} {zero_extend(f'({subtrahend} k)', 1)}) "
                f"{zero_extend(f'({borrow} k)', w)}))\n"
            )

    # --- terms of a state -------------------------------------------------------------------------

    @staticmethod
    def waits(at: At) -> str:
        """No operation computes or goes out."""
        return equal(at.s(0), at_place(0))

    @staticmethod
    def squares(at: At) -> str:
        """The operation is a square."""
        return at.high(f"{INPUT}square_q")

    def over(self, at: At) -> str:
        """The cycle from which on words of the result go out."""
        product, square = (at_place(self.plan.over(k)) for k in (0, 1))
        return f"(ite {self.squares(at)} {square} {product})"

    def goes(self, at: At) -> str:
        """Words of the result go out."""
        return equal(at.s(0), self.over(at))

    @staticmethod
    def behind(at: At, cycles: int) -> str:
        """The place so many cycles ago; see :meth:`reached`."""
        return f"(bvsub {at.s(0)} {at_place(cycles)})"

    @staticmethod
    def reached(at: At, cycles: int) -> str:
        """There are so many cycles behind the beginning."""
        return f"(bvule {at_place(cycles)} {at.s(0)})"

    def has(self, at: At, name: str, cycles: int) -> str:
        """What a table says of the place so many cycles ago."""
        return f"(s.{name} {self.squares(at)} {self.behind(at, cycles)})"

    def now_in(self, at: At, name: str) -> str:
        """What a table says of a cycle."""
        return f"(s.{name} {self.squares(at)} {at.s(0)})"

    def mine(self, at: At) -> str:
        """The operation that is followed computes or goes out."""
        return all_of(at.high("followed"), negation(self.waits(at)))

    @staticmethod
    def bit_of(at: At, name: str) -> str:
        """A flag as a word."""
        return f"(ite {at.high(name)} #b1 #b0)"

    # --- the invariant ----------------------------------------------------------------------------

    def parts(self) -> Mapping[str, Callable[[At], Iterator[str]]]:
        return {
            "gate": self._gate,
            "context": self._context,
            "operations": self._operations,
            "controller": self._controller,
            "tags": self._tags,
            "operands": self._place,
            "factors": self._factors,
            "v": self._v,
            "m and z": self._m,
            "borrows": self._borrows,
            "words of the result": self._out,
        }

    ALWAYS = ("gate", "operations", "controller")
    """The parts that say in which cycle everything is."""

    USED: Mapping[str, tuple[str, ...]] = {
        "gate": ALWAYS,
        "context": (*ALWAYS, "context"),
        "operations": (*ALWAYS, "tags"),
        "controller": ALWAYS,
        "tags": (*ALWAYS, "tags"),
        "operands": (*ALWAYS, "operands"),
        "factors": (*ALWAYS, "tags", "context", "operands", "factors", "v", "m and z"),
        "v": (*ALWAYS, "tags", "factors", "v"),
        "m and z": (*ALWAYS, "tags", "factors", "v", "m and z"),
        "borrows": (*ALWAYS, "tags", "context", "factors", "v", "borrows", "words of the result"),
        "words of the result": (*ALWAYS, "tags", "context", "m and z", "borrows", "words of the result"),
    }

    def used_for(self, name: str) -> tuple[str, ...]:
        return self.USED[name]

    def _gate(self, at: At) -> Iterator[str]:
        h, s, is_ = len(self.header), self.beats, at.is_
        yield f"(bvult {at('ctx_at')} {const(self.context, COUNT)})"
        for a in range(self.context):
            expected = {
                "head_q": max(h - a, 0) or (0 if a else h),
                "inverse_q": int(a == h),
                "modulus_q": int(a > h),
            }
            parts = [is_(f"{INPUT}{name}", value) for name, value in expected.items()]
            if a:
                parts.append(is_(f"{INPUT}count_q", max(a - h - 1, 0)))
            yield implies(equal(at("ctx_at"), const(a, COUNT)), all_of(*parts))
        begun, part = negation(is_("ctx_at", 0)), at.high(f"{GATE}in_part_q")
        yield implies(begun, all_of(negation(at.high("whole")), self.waits(at), negation(part)))
        yield equal(at.high(f"{GATE}whole_q"), at.high("whole"))
        yield implies(at.high(f"{GATE}open_q"), at.high("whole"))
        header = sum(beat << (k * self.word) for k, beat in enumerate(self.header))
        yield implies(at.calm(1), equal(extract(at(f"{INPUT}header_q"), 15, 0), const(header, 16)))
        if h > 1:
            first = extract(at(f"{INPUT}header_q"), 15, self.word)
            yield implies(is_("ctx_at", 1), equal(first, const(self.header[0], self.word)))
        yield implies(at.calm(2), is_(f"{INPUT}last_index_q", s - 1))

    def _context(self, at: At) -> Iterator[str]:
        h = len(self.header)
        places = {h: [f"{UNIT}n0_inverse_q"]}
        for k in range(self.beats):
            places[h + 1 + k] = [f"{LANE}u_n.words[{k}]", f"{UNIT}u_n.words[{k}]"]
        for a, names in places.items():
            there = any_of(at.high("whole"), f"(bvult {const(a, COUNT)} {at('ctx_at')})")
            for name in names:
                yield implies(there, equal(at(name), self.wordof(at("ctx"), a)))
        yield implies(at.high("followed"), all_of(*self.belongs(at)))

    def belongs(self, at: At) -> Iterator[str]:
        h = len(self.header)
        yield equal("inverse", self.wordof(at("ctx"), h))
        for k in range(self.beats):
            yield equal(f"(N {at_place(k)})", self.wordof(at("ctx"), h + 1 + k))

    def _operations(self, at: At) -> Iterator[str]:
        """How many operations there are, which one is followed, and how many of its words have come."""
        part, waits, followed = at.high(f"{GATE}in_part_q"), self.waits(at), at.high("followed")
        yield f"(bvule {at.s(0)} {self.over(at)})"
        yield equal(part, negation(at.is_("in_at", 0)))
        yield f"(bvult {at('in_at')} {const(self.beats, COUNT)})"
        yield implies(any_of(part, negation(waits)), at.high("whole"))
        yield implies(part, waits)
        yield implies(all_of(waits, at.is_("ctx_at", 0)), at.same(f"{INPUT}count_q", at("in_at"), COUNT))
        going = f"(ite {self.goes(at)} {at.wide('out_at', PLACE)} {self.now_in(at, 'count')})"
        yield implies(negation(waits), at.same(f"{INPUT}count_q", going, PLACE))
        yield implies(negation(self.goes(at)), at.is_("out_at", 0))
        yield f"(bvult {at('out_at')} {const(self.beats, COUNT)})"
        yield equal(at("count"), f"(ite {waits} {const(0, COUNT_BITS)} {const(1, COUNT_BITS)})")
        yield equal(at.high("coming"), all_of(followed, waits))
        yield implies(followed, all_of(any_of(part, negation(waits)), at.high("whole"), at.is_("ahead", 0)))
        yield implies(followed, equal(self.squares(at), "square"))

    def _controller(self, at: At) -> Iterator[str]:
        """The registers of the controller."""
        waits = self.waits(at)
        yield equal(at(f"{CONTROL}state_q"), self.now_in(at, "state"))
        yield equal(at.high(f"{CONTROL}done_q"), all_of(self.goes(at), negation(waits)))
        late = f"(bvule {self.over(at)} (bvadd {at.s(0)} {at_place(1)}))"
        yield implies(negation(waits), equal(at.high(f"{CONTROL}added_q"), late))
        begins = equal(at.s(0), at_place(MADE - 1))
        yield implies(begins, all_of(*(at.is_(f"{CONTROL}{name}_q", 0) for name in "jk")))
        registers = [at.same(f"{CONTROL}{name}_q", self.has(at, name, MADE), PLACE) for name in "jk"]
        registers.append(equal(at.high(f"{CONTROL}mn_q"), self.has(at, "is.mn", MADE)))
        registers.append(equal(at.high(f"{CONTROL}double_q"), self.has(at, "double", MADE)))
        ends = negation(at.is_(f"{CONTROL}state_q", STATES.index("S7")))
        yield implies(all_of(self.reached(at, MADE), ends), all_of(*registers))

    def _tags(self, at: At) -> Iterator[str]:
        """What goes with a product to where it is added."""
        flags = {"column_end": "last", "z": "z", "added": "product"}
        some = self.reached(at, ADDED)
        for name, table in flags.items():
            flag = all_of(some, self.has(at, table, ADDED))
            yield implies(negation(self.waits(at)), equal(at.high(f"{UNIT}{name}_q"), flag))
        added = all_of(some, self.has(at, "product", ADDED))
        yield implies(added, equal(at.high(f"{UNIT}double_q"), self.has(at, "double", ADDED)))

    def _place(self, at: At) -> Iterator[str]:
        for k in range(self.beats):
            come = any_of(negation(self.waits(at)), f"(bvult {const(k, COUNT)} {at('in_at')})")
            for name, memory in (("X", "u_a"), ("Y", "u_b")):
                there = equal(at(f"{LANE}{memory}.words[{k}]"), f"({name} {at_place(k)})")
                yield implies(all_of(at.high("followed"), come), there)

    def _factors(self, at: At) -> Iterator[str]:
        """What is multiplied, but for v0 and a new word of m; and what has been multiplied."""
        live, dead = self.gated(f"{LANE}*_o")
        some = all_of(self.mine(at), self.reached(at, MADE))
        made = any_of(*(self.has(at, f"is.{kind}", MADE) for kind in KINDS))
        yield implies(all_of(some, made), equal(at(f"{LANE}right_q"), f"(right {self.behind(at, MADE)})"))
        late = any_of(self.has(at, "is.m", MADE), self.has(at, "fresh", MADE))
        read = all_of(some, made, negation(late))
        yield implies(read, equal(at(f"{LANE}left_o"), f"(left {self.behind(at, MADE)})"))
        some = all_of(self.mine(at), self.reached(at, ADDED))
        made = any_of(*(self.has(at, f"is.{kind}", ADDED) for kind in KINDS))
        n = self.behind(at, ADDED)
        yield implies(all_of(some, made), equal(at(live), f"(P (left {n}) (right {n}))"))
        yield implies(all_of(some, negation(made)), at.is_(live, 0))
        yield implies(negation(self.waits(at)), at.is_(dead, 0))

    def _v(self, at: At) -> Iterator[str]:
        """The accumulator is E."""
        n, none = self.behind(at, ADDED), const(0, self.acc)
        begins = f"(bvule {at.s(0)} {at_place(ADDED)})"
        old = f"(ite {self.has(at, 'first', ADDED)} (bvlshr (E {n}) {const(self.word, self.acc)}) (E {n}))"
        there = all_of(self.mine(at), negation(self.goes(at)))
        yield implies(there, equal(at(f"{UNIT}v_q"), f"(ite {begins} {none} {old})"))

    def _m(self, at: At) -> Iterator[str]:
        """The words of m, and those of the result in their place."""
        s = self.beats
        for j in range(s):
            times = [
                f"(ite square {at_place(square)} {at_place(product)})"
                for product, square in zip(*(self.plan.written(k)[j::s] for k in (0, 1)), strict=True)
            ]
            there = [all_of(self.mine(at), f"(bvult {each} {at.s(0)})") for each in times]
            stored = at(f"{LANE}u_m.words[{j}]")
            yield implies(all_of(there[0], negation(there[1])), equal(stored, f"(m {at_place(j)})"))
            yield implies(there[1], equal(stored, f"(z {at_place(j)})"))

    def _borrows(self, at: At) -> Iterator[str]:
        """The borrows of z - N, and then whether N is subtracted."""
        borrow, mine = self.bit_of(at, f"{UNIT}borrow_q"), self.mine(at)
        some = f"(B1 {self.now_in(at, 'zs')})"
        yield implies(all_of(mine, negation(self.goes(at))), equal(borrow, some))
        going = all_of(mine, self.goes(at))
        yield implies(going, equal(borrow, f"(BO {at.wide('out_at', PLACE)})"))
        yield implies(going, equal(at.high(f"{UNIT}above_q"), "once"))

    def _out(self, at: At) -> Iterator[str]:
        going, k = all_of(self.mine(at), self.goes(at)), at.wide("out_at", PLACE)
        yield implies(going, equal(at(f"{LANE}left_o"), f"(z {k})"))
        for i in range(self.beats):
            word = equal(self.wordof(at("z"), i), extract(f"(O {at_place(i)})", self.word - 1, 0))
            yield implies(all_of(going, f"(bvult {at_place(i)} {k})"), word)
            yield implies(at.high("given"), word)

    # --- the obligations --------------------------------------------------------------------------

    def facts(self, at: At) -> Iterator[str]:
        none = at_place(0)
        yield self.e_step(self.behind(at, ADDED))
        yield from (equal(f"({name} {none})", "#b0") for name in ("B1", "BO"))
        yield from self.borrow_step(self.now_in(at, "zs"), (("B1", "D1"),))
        yield from self.borrow_step(at.wide("out_at", PLACE), (("BO", "O"),))
        product = equal(at(f"{LANE}product"), f"(P {at(f'{LANE}left')} {at(f'{LANE}right_q')})")
        yield implies(negation(self.waits(at)), product)

    def possible(self) -> Iterator[str]:
        now, then = self.now, self.then
        step = (self.system.step, then.is_("rst_ni", 1), now.is_("fit", 1), then.is_("fit", 1))
        known = (*(self.part(now, name) for name in self.parts()), *step, *self.ports(now), *self.facts(now))
        places = [
            (chosen, n + MADE)
            for k, chosen in enumerate((negation("square"), "square"))
            for n in (self.plan.asks(k)[1], *self.plan.ends(self.plan.scans[k])[-3:])
        ]
        cases = [
            all_of(now.high("choose"), "square"),
            all_of(now.high("core.start"), now.high("coming")),
            *(all_of(self.mine(now), chosen, equal(now.s(0), at_place(t))) for chosen, t in places),
            all_of(self.mine(now), now.high("core.unloaded"), "true" if self.binary else "once", "square"),
            all_of(now.high("given"), now.high("choose")),
        ]
        yield from (self.text(*known, now.is_("rst_ni", 1), case) for case in cases)

    # --- the multiplier, a row for each bit -------------------------------------------------------

    def tree_word(self, name: str) -> Word:
        """A word of the tree, which is not where ``fips`` has it."""
        return super().tree_word(name.replace(FIPS_MUL, MUL))

    def adders(self) -> Iterator[tuple[Word, ...]]:
        rows, path = self.word, f"{MUL}u_tree."
        while rows > 2:
            for k in range(rows // 3):
                csa = f"{path}gen_level.gen_adders[{k}].u_csa."
                yield tuple(
                    self.tree_word(f"{csa}{name}") for name in ("a_i", "b_i", "c_i", "sum_o", "carry_o")
                )
            path, rows = f"{path}gen_level.u_next.", rows - rows // 3

    def rows(self) -> Iterator[tuple[Word, Word]]:
        """What goes into the tree, row by row, and the right word or 0, of which it is made."""
        bits, none = 2 * self.word, const(0, self.word)
        lines, left, right = (self.now(name) for name in (f"{MUL}rows", f"{LANE}left", f"{LANE}right_q"))
        for k in range(self.word):
            part = f"(ite {equal(extract(left, k, k), '#b1')} {right} {none})"
            row = extract(lines, (k + 1) * bits - 1, k * bits)
            yield Word(f"row.{k}", row, bits), Word(f"part.{k}", part, self.word)

    @property
    def multiple(self) -> Word:
        """The product."""
        return Word("product", self.now(f"{LANE}product"), 2 * self.word)

    def of_multiplier(self) -> Iterator[Obligation]:
        now = self.now
        field = (negation if self.binary else all_of)(now.high("core.prime"))
        places = (self.part(now, name) for name in ("gate", "operations"))
        other = self.text(*places, negation(self.waits(now)), negation(field))
        yield Obligation("step", f"there are products in {self.field} alone", "bitwuzla", (other,))
        facts = [fact.over_bits() for fact in (*self.tree_facts(), *self.product_facts())]
        some = (facts[k : k + AT_ONCE] for k in range(0, len(facts), AT_ONCE))
        texts = (self.plain(field, negation(all_of(*each))) for each in some)
        yield Obligation("step", "the rows and the tree of adders", "bitwuzla", tuple(texts))
        yield from self.of_product()
