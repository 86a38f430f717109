# SPDX-License-Identifier: Apache-2.0
"""Of ``fmlm3``: a product of two residues, by Karatsuba's rule, divided by P; and its sum with another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from modmul.prove.product.fmlm3_ages import PRODUCT, Run
from modmul.prove.product.fmlm3_atoms import Value, constant, joined
from modmul.prove.product.fmlm3_words import (
    ADDER,
    ONE,
    Held,
    Multiplied,
    Shown,
    Worded,
    holding,
    is_one,
    plus,
    times,
)
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Joined,
    Word,
    all_of,
    any_of,
    equal,
    extract,
    implies,
)

__all__ = ["Multiplying"]

EXTRA = 2


@dataclass(frozen=True)
class Signed:
    """A word that is read with a sign."""

    whole: Word

    @property
    def top(self) -> Word:
        return self.whole.cut(self.whole.bits - 1, self.whole.bits - 1, "top")

    @property
    def rest(self) -> Word:
        return self.whole.cut(self.whole.bits - 2, 0, "rest")

    @property
    def parts(self) -> Compared:
        return Compared({self.whole: 1}, "=", {self.rest: 1, self.top: 1 << (self.whole.bits - 1)})

    @property
    def number(self) -> str:
        return plus((self.whole.whole, times(-(1 << self.whole.bits), self.top.whole)))

    def extended(self, bits: int) -> dict[Word, int]:
        """The same number modulo 2^bits, as words."""
        return {self.whole: 1, self.top: ((1 << bits) - (1 << self.whole.bits)) % (1 << bits)}


@dataclass(frozen=True)
class Part:
    """A multiplier of the recursion, and what it holds.

    Attributes:
        path: of the module.
        bits: of the operands, without those for signs.
        levels: of the recursion below.
        age: at which the operands are there.
        a, b: the operands.
        low, high: the most and the least of both.
        narrow: whether LUTs multiply some bits.
    """

    path: str
    bits: int
    levels: int
    age: int
    a: Value
    b: Value
    low: int
    high: int
    narrow: bool = False

    @property
    def size(self) -> int:
        return self.bits + EXTRA

    @property
    def h(self) -> int:
        return (self.bits + 1) // 2


class Multiplying(Worded):
    """What the multiply adder makes."""

    def top(self, run: Run, age: int) -> Part:
        """The multiplier, whose operands are there at an age."""
        a, b = (
            joined((*run.value(f"{ADDER}{name}", age), *constant(EXTRA - 1, 0))) for name in ("a_q", "b_q")
        )
        return Part(f"{ADDER}u_karatsuba.", self.k, self.levels, age, a, b, 0, 1 << self.k)

    def below(self, run: Run, node: Part) -> tuple[Part, Part, Part]:
        """The three multipliers of a recursion: of the low halves, the high ones, the differences."""
        h, lo, hi = node.h, node.low >> node.h, node.high >> node.h
        found = []
        for name, regs, low, high in (
            ("u_low", ("a0_q", "b0_q"), 0, (1 << h) - 1),
            ("u_high", ("a1_q", "b1_q"), lo, hi),
            ("u_difference", ("d_q", "e_q"), -hi, (1 << h) - 1 - lo),
        ):
            a, b = (run.value(f"{node.path}gen_split.{each}", node.age + 1) for each in regs)
            path = f"{node.path}gen_split.{name}."
            narrow = node.narrow or (name == "u_difference" and node.path.endswith("u_karatsuba."))
            found.append(Part(path, h, node.levels - 1, node.age + 1, a, b, low, high, narrow))
        return found[0], found[1], found[2]

    def product(self, run: Run, node: Part) -> Value:
        """What a multiplier puts out."""
        age = node.age + 3 + 4 * node.levels
        if node.levels:
            return run.value(f"{node.path}p_o", age)
        return run.value(f"{node.path}p_o", age)

    def multiplied(self, run: Run, node: Part) -> Iterator[tuple[list[Shown], list[str]]]:
        """Of a multiplier and those below it, what is shown, and what that says of numbers."""
        if not node.levels:
            yield self.leaf(run, node)
            return
        yield self.split(run, node)
        for each in self.below(run, node):
            yield from self.multiplied(run, each)

    def signed(self, run: Run, name: str, value: Value) -> Signed:
        return Signed(self.word(run, name, value))

    def inside(self, number: str, low: int, high: int) -> str:
        return f"(<= {low if low >= 0 else f'(- {-low})'} {number} {high})"

    def split(self, run: Run, node: Part) -> tuple[list[Shown], list[str]]:
        low, high, diff = self.below(run, node)
        h, part_, size = node.h, node.h + EXTRA, node.size
        shown, texts = [], []
        for name, whole, a0, a1, d in (
            ("a", node.a, low.a, high.a, diff.a),
            ("b", node.b, low.b, high.b, diff.b),
        ):
            x, x0, x1, xd = (
                self.signed(run, f"{name}{i}", each) for i, each in enumerate((whole, a0, a1, d))
            )
            upper = Signed(x.whole.cut(size - 1, h, "upper"))
            lower = x.whole.cut(h - 1, 0, "lower")
            facts: list[Fact] = [
                *(each.parts for each in (x, x0, x1, xd, upper)),
                Compared({x.whole: 1}, "=", {lower: 1, upper.whole: 1 << h}),
                Compared({x.top: 1}, "=", {upper.top: 1}),
                Compared({x0.whole: 1}, "=", {lower: 1}),
                Congruent({x1.whole: 1}, upper.extended(part_), part_),
                Congruent({xd.whole: 1, x1.whole: 1}, {x0.whole: 1}, part_),
            ]
            shown.append(Shown(Joined(all_of, tuple(facts)), run, (a0, a1, d), (whole,)))
            goals = (
                equal(x.number, plus((x0.number, times(1 << h, x1.number)))),
                equal(xd.number, f"(- {x0.number} {x1.number})"),
                self.inside(x0.number, low.low, low.high),
                self.inside(x1.number, high.low, high.high),
                self.inside(xd.number, diff.low, diff.high),
            )
            texts.append(holding(facts, all_of(*goals), self.inside(x.number, node.low, node.high)))
        outs = [self.product(run, each) for each in (low, high, diff)]
        p0, p1, pd = (self.signed(run, f"p{i}", each) for i, each in enumerate(outs))
        middle_value = run.value(f"{node.path}gen_split.middle_q", node.age + 2 + 4 * node.levels)
        middle, p = self.signed(run, "middle", middle_value), self.signed(run, "p", self.product(run, node))
        p0_low = p0.whole.cut(2 * h - 1, 0, "low")
        p0_high = p0.whole.cut(2 * part_ - 1, 2 * h, "high")
        bits = 2 * size
        weights = {p0_low: 1, p1.whole: 1 << (2 * h), middle.whole: 1 << h}
        weights[middle.top] = -(1 << (2 * part_ + h)) % (1 << bits)
        facts = [
            *(each.parts for each in (p0, p1, pd, middle, p)),
            Compared({p0.whole: 1}, "=", {p0_low: 1, p0_high: 1 << (2 * h)}),
            Congruent({middle.whole: 1, pd.whole: 1}, {p0.whole: 1, p1.whole: 1}, 2 * part_),
            Congruent({p.whole: 1}, weights, bits),
        ]
        shown.append(
            Shown(Joined(all_of, tuple(facts)), run, (middle_value, self.product(run, node)), tuple(outs))
        )
        total = plus(
            (
                times(1 << h, f"(- (+ {p0.number} {p1.number}) {pd.number})"),
                times(1 << (2 * h), p1.number),
                p0.number,
            )
        )
        ranges = [
            self.inside(p0.number, 0, (1 << (2 * h)) - 1),
            self.inside(p1.number, -(1 << (2 * h + 2)), 1 << (2 * h + 2)),
            self.inside(
                f"(- (+ {p0.number} {p1.number}) {pd.number})",
                1 - (1 << (2 * part_ - 1)),
                (1 << (2 * part_ - 1)) - 1,
            ),
            self.inside(total, -(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        ]
        texts.append(holding(facts, equal(p.number, total), *ranges))
        texts += self.identity(node, low, high)
        return shown, texts

    def identity(self, node: Part, low: Part, high: Part) -> list[str]:
        """Karatsuba's rule, and what is below what."""
        h, part_, bits = node.h, node.h + EXTRA, 2 * node.size
        names = [f"{x}{i}" for x in "ab" for i in range(2)]
        lines = "".join(f"(declare-const {name} Int)" for name in names)
        bounds = "".join(
            f"(assert {self.inside(f'{x}{i}', each.low, each.high)})"
            for x in "ab"
            for i, each in enumerate((low, high))
        )
        a, b = (plus((f"{x}0", times(1 << h, f"{x}1"))) for x in "ab")
        p0, p1, pd = "(* a0 b0)", "(* a1 b1)", "(* (- a0 a1) (- b0 b1))"
        total = plus((times(1 << h, f"(- (+ {p0} {p1}) {pd})"), times(1 << (2 * h), p1), p0))
        goals = [equal(total, f"(* {a} {b})"), equal(f"(- (+ {p0} {p1}) {pd})", "(+ (* a0 b1) (* a1 b0))")]
        most = max(abs(node.low), abs(node.high))
        texts = [f"{lines}(assert (not {goal}))" for goal in goals]
        sides = {"0": max(abs(low.low), low.high), "1": max(abs(high.low), high.high)}
        for i, j in ("00", "01", "10", "11"):
            bound = sides[i] * sides[j]
            least = 0 if i == j == "0" else -bound
            texts.append(f"{lines}{bounds}(assert (not {self.inside(f'(* a{i} b{j})', least, bound)}))")
        ranges = (self.inside(name, node.low, node.high) for name in "ab")
        ab = "(declare-const a Int)(declare-const b Int)" + "".join(f"(assert {each})" for each in ranges)
        texts.append(f"{ab}(assert (not {self.inside('(* a b)', -most * most, most * most)}))")
        # So what is asked of the sum is below what its words have room for.
        assert sides["0"] ** 2 < 1 << (2 * h) and sides["1"] ** 2 <= 1 << (2 * h + 2)
        assert 2 * sides["0"] * sides["1"] < 1 << (2 * part_ - 1) and most * most < 1 << (bits - 1)
        return texts

    def leaf(self, run: Run, node: Part) -> tuple[list[Shown], list[str]]:
        size, out = node.size, self.product(run, node)
        a, b, p = (self.signed(run, name, each) for name, each in (("a", node.a), ("b", node.b), ("p", out)))
        if size <= 18:
            return self.whole_product(run, a, b, p, (node.a, node.b), out)
        path = f"{node.path}genblk1.gen_double.u_double."
        m0_v, m1_v = (run.value(f"{path}{name}", node.age + 2) for name in ("m0_q", "m1_q"))
        m0, m1 = self.signed(run, "m0", m0_v), self.signed(run, "m1", m1_v)
        low, rest, bits = 17, size - 17, 2 * size
        b0, b1 = b.whole.cut(low - 1, 0, "low"), Signed(b.whole.cut(size - 1, low, "high"))
        cut: list[Fact] = [
            Compared({b.whole: 1}, "=", {b0: 1, b1.whole: 1 << low}),
            Compared({b.top: 1}, "=", {b1.top: 1}),
            *(each.parts for each in (a, b, b1, p, m0, m1)),
        ]
        shown = []
        wide0 = Word("wide0", f"((_ sign_extend {low + 1}) {a.whole.term})", size + low + 1)
        wide_b = Word("wideb", f"((_ zero_extend {size + 1}) {b0.term})", size + low + 1)
        left: list[Fact] = [
            Compared({wide0: 1}, "=", a.extended(size + low + 1)),
            Compared({wide_b: 1}, "=", {b0: 1}),
            Multiplied(m0.whole, wide0, wide_b),
        ]
        wide1 = Word("wide1", f"((_ sign_extend {rest}) {a.whole.term})", size + rest)
        wide2 = Word("wide2", f"((_ sign_extend {size}) {b1.whole.term})", size + rest)
        right: list[Fact] = [Compared({wide1: 1}, "=", a.extended(size + rest))]
        if node.narrow:
            for value in range(1 << rest):
                number = value - (1 << rest) if value >> (rest - 1) else value
                sides = (
                    ({m1.whole: 1}, {wide1: number}) if number >= 0 else ({m1.whole: 1, wide1: -number}, {})
                )
                made = Congruent(*sides, size + rest)
                right.append(Joined(implies, (Compared({b1.whole: 1}, "=", {}, value), made)))
        else:
            right.append(Compared({wide2: 1}, "=", b1.extended(size + rest)))
            right.append(Multiplied(m1.whole, wide1, wide2))
        summed = Congruent(
            {p.whole: 1},
            {**m0.extended(bits), **{w: (f << low) % (1 << bits) for w, f in m1.extended(bits).items()}},
            bits,
        )
        shown.append(Shown(Joined(all_of, (*cut[:2], *left)), run, (m0_v,), (node.a, node.b)))
        shown += [Shown(each, run, (m1_v,), (node.a, node.b)) for each in right]
        shown.append(Shown(Joined(all_of, (summed, p.parts, m0.parts, m1.parts)), run, (out,), (m0_v, m1_v)))
        texts = []
        for sign in (0, 1):
            given = [*cut, Compared({a.top: 1}, "=", {}, sign)]
            texts.append(holding([*given, *left], equal(m0.number, f"(* {a.number} {b0.whole})")))
            for value in range(1 << rest):
                one = [*given, *right, Compared({b1.whole: 1}, "=", {}, value)]
                number = value - (1 << rest) if value >> (rest - 1) else value
                goal = equal(m1.number, times(number, a.number))
                texts.append(
                    holding(
                        one, all_of(goal, equal(b1.number, str(number) if number >= 0 else f"(- {-number})"))
                    )
                )
        total = plus((m0.number, times(1 << low, m1.number)))
        room = self.inside(total, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        texts.append(holding([*cut, summed], equal(p.number, total), room))
        texts.append(holding(cut, equal(b.number, plus((b0.whole, times(1 << low, b1.number))))))
        names = "".join(f"(declare-const {name} Int)" for name in ("a", "low", "high"))
        joined_ = equal(
            f"(+ (* a low) {times(1 << low, '(* a high)')})", f"(* a (+ low {times(1 << low, 'high')}))"
        )
        texts.append(f"{names}(assert (not {joined_}))")
        most = 1 << (size - 1)
        texts.append(
            f"{names}(assert {self.inside('a', -most, most - 1)})"
            f"(assert {self.inside('low', -most, most - 1)})"
            f"(assert (not {self.inside('(* a low)', -most * most, most * most)}))"
        )
        return shown, texts

    def whole_product(
        self, run: Run, a: Signed, b: Signed, p: Signed, given: tuple[Value, Value], out: Value
    ) -> tuple[list[Shown], list[str]]:
        """Of a multiplier that is one block."""
        size, bits = a.whole.bits, 2 * a.whole.bits
        wide = [
            Word(f"wide{i}", f"((_ sign_extend {size}) {each.whole.term})", bits)
            for i, each in enumerate((a, b))
        ]
        facts: list[Fact] = [
            *(each.parts for each in (a, b, p)),
            *(Compared({w: 1}, "=", each.extended(bits)) for w, each in zip(wide, (a, b), strict=True)),
            Multiplied(p.whole, *wide),
        ]
        shown = [Shown(Joined(all_of, tuple(facts)), run, (out,), given)]
        texts = []
        most = 1 << (size - 1)
        product = f"(* {a.number} {b.number})"
        for i in (0, 1):
            for j in (0, 1):
                signs = (Compared({a.top: 1}, "=", {}, i), Compared({b.top: 1}, "=", {}, j))
                texts.append(
                    holding(
                        (*facts, *signs),
                        equal(p.number, product),
                        self.inside(product, -most * most, most * most),
                    )
                )
        names = "".join(
            f"(declare-const {name} Int)(assert {self.inside(name, -most, most - 1)})" for name in "ab"
        )
        texts.append(f"{names}(assert (not {self.inside('(* a b)', -most * most, most * most)}))")
        return shown, texts

    # --- the residue ---------------------------------------------------------------------------------

    def reduced(self, run: Run, age: int) -> Iterator[tuple[Shown, str]]:
        """The residue of a product whose factors are there at an age."""
        k, v = self.k, self.v
        node = self.top(run, age)
        p_v = self.product(run, node)
        r_v = run.value(f"{ADDER}residue_o", age + self.latency + 2)
        sum_v = run.value(f"{ADDER}v_q", age + self.latency + 1)
        p, r, total = self.word(run, "p", p_v), Held(self.word(run, "r", r_v), k), self.word(run, "v", sum_v)
        top, high = p.cut(p.bits - 1, 2 * k, "top"), p.cut(2 * k - 1, k + v, "high")
        middle, low = p.cut(k + v - 1, v, "middle"), p.cut(v - 1, 0, "low")
        # 2^2k has no lower bits, and its own stands for the lowest of p.
        lowest, others = p.cut(0, 0, "lowest"), p.cut(v - 1, 1, "others")
        either = Word("either", f"(bvor {lowest.term} {extract(p.term, 2 * k, 2 * k)})", 1)
        h = {high: 1, others: 1 << (k - v + 1), either: 1 << (k - v)}
        whole = Compared({p: 1}, "=", {top: 1 << (2 * k), high: 1 << (k + v), middle: 1 << v, low: 1})
        cut: list[Fact] = [
            whole,
            Compared({low: 1}, "=", {lowest: 1, others: 2}),
            Joined(implies, (Compared({top: 1}, "=", {}), Compared({either: 1}, "=", {lowest: 1}))),
            Joined(implies, (Compared({top: 1}, "=", {}, 1), Compared({either: 1}, "=", {}, 1))),
        ]
        summed = Compared({total: 1, **h}, "=", {middle: 1, ONE: 1}, (1 << k) - 1)
        yield (
            Shown(Joined(all_of, (*cut, summed)), run, (sum_v,), (p_v,)),
            self.residue_right(total, [*cut, summed, is_one(ONE)], whole),
        )
        over, rest = total.cut(k, k, "over"), total.cut(k - 1, 0, "rest")
        made: list[Fact] = [
            Compared({total: 1}, "=", {rest: 1, over: 1 << k}),
            Congruent({r.whole: 1, over: 1}, {rest: 1}, k + 1),
            r.parts,
        ]
        yield (
            Shown(Joined(all_of, tuple(made)), run, (r_v,), (sum_v,)),
            holding(
                made,
                all_of(
                    r.legal().over_integers(),
                    any_of(
                        *(
                            equal(r.number(), plus((total.whole, "1", times(-e * self.m, "1"))))
                            for e in (0, 1)
                        )
                    ),
                ),
                self.inside(total.whole, 1, (1 << (k + 1)) - 1),
            ),
        )

    def residue_right(self, total: Word, facts: list[Fact], whole: Compared) -> str:
        """That V times P is not the product, but for a multiple of M."""
        k, v = self.k, self.v
        left = times(1 << v, f"(+ {total.whole} 1)")
        (p,) = whole.left
        top, high, _, low = whole.right
        multiple = plus((times(1 << v, high.whole), low.whole))
        normal = equal(f"(- {p.whole} {left})", times(self.m, f"(- {multiple} {1 << v})"))
        largest = equal(f"(- {p.whole} {left})", times(self.m, str((1 << k) - (1 << v))))
        goal = f"(ite (= {top.whole} 0) {normal} {largest})"
        inside = self.inside(total.whole, 1, (1 << (k + 1)) - 1)
        return holding(facts, all_of(goal, inside), f"(<= {p.whole} {1 << (2 * k)})")

    # --- what goes into an inverse transform ----------------------------------------------------------------

    def digit_of_index(self, i: int) -> int:
        """Which residue comes at an index: those of one row after the other."""
        return i ^ i >> (self.v - 1)

    def residue_at(self, run: Run, name: str, i: int) -> Value:
        """The residue of the product at an index."""
        return run.value(f"{ADDER}residue_o", run.begins[name] + i + 3 + self.latency + 2)

    def written(self, run: Run, name: str, i: int, into: Value) -> Shown:
        """That a residue goes into the transform, or its sum with the addend."""
        r_v = self.residue_at(run, name, i)
        r, y = Held(self.word(run, "r", r_v), self.k), Held(self.word(run, "y", into), self.k)
        if name != "P4":
            return Shown(Compared({y.whole: 1}, "=", {r.whole: 1}), run, (into,), (r_v,), (r.legal(),))
        c_v = run.value(f"{PRODUCT}addend_q", run.begins[name] + i + 3 + self.latency + 2)
        c = Held(self.word(run, "c", c_v), self.k)
        one = 1 << self.k
        left, right = {y.low: 1, r.top: one, c.top: one}, {r.low: 1, c.low: 1, y.top: one}
        sums = (Compared(left, "=", right, 1), Compared(right, "=", left, self.m - 1))
        fact = Joined(all_of, (Joined(any_of, sums), y.legal()))
        return Shown(fact, run, (into,), (r_v, c_v), (r.legal(), c.legal()))
