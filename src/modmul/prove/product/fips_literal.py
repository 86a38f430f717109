# SPDX-License-Identifier: Apache-2.0
"""Of ``fips_literal``: z is x·y/R mod N in GF(p).

From reset to result, at full width, for all odd N, all operands up to N, products and squares, and any
behaviour at the ports, resets included; of the context it is assumed that it belongs to N. As of ``fips``:

- **invariant** (``fips_literal_where``, on the netlist): in which cycle of an operation the core is, and what
  registers and memories hold there. P is any function of two words; E is what is in the accumulator.
- **step**: on the netlist the rows of the multiplier, the adders of its tree and the last one; so P is the
  product. And that E, the words of the result and the borrows are over integers what they are over bits.
- **number** (over integers): the words that E leaves make up x·y + M·N, M being the words of m; each m makes
  the lowest of them 0. So R·Z = x·y + M·N, Z < 2N, and N is subtracted if Z is not below it.
"""

from __future__ import annotations

from collections.abc import Iterator

from modmul.prove.product.fips import Scanning
from modmul.prove.product.fips_literal_where import MUL, InOneSum, Step
from modmul.prove.product.fips_where import at_place
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Joined,
    Word,
    all_of,
    any_of,
    const,
    equal,
    implies,
    negation,
    shown_sum,
)

__all__ = ["AsPrinted"]


class AsPrinted(InOneSum, Scanning):
    """The obligations of a build."""

    # --- the multiplier ---------------------------------------------------------------------------

    def tree_facts(self) -> Iterator[Fact]:
        bits = 2 * self.word
        for wire, source in self.wires():
            yield Compared({wire: 1}, "=", {source: 1})
        for a, b, c, total, carry in self.adders():
            yield Congruent({total: 1, carry: 1}, {a: 1, b: 1, c: 1}, bits)
        for k, (row, part) in enumerate(self.rows()):
            yield Compared({row: 1}, "=", {part: 1 << k})

    def product_facts(self) -> Iterator[Fact]:
        ends = {self.tree_word(f"{MUL}{name}"): 1 for name in ("sum", "carry")}
        yield Congruent({self.multiple: 1}, ends, 2 * self.word)

    def multiplied(self) -> Iterator[str]:
        """That the product is not the sum of the rows; that a row is no bit times a word; that the rows make
        up another product, or one that is too long."""
        w, size = self.word, 1 << (2 * self.word)
        rows = shown_sum({f"|part.{k}|": 1 << k for k in range(w)})
        goal = f"(= 0 (mod (- {self.multiple.whole} {rows}) {size}))"
        yield self.holding([*self.tree_facts(), *self.product_facts()], goal)
        yield self.denied(["d", "b"], ["(<= 0 d 1)"], "(= (ite (= d 1) b 0) (* d b))")
        bits = [f"d{k}" for k in range(w)]
        made = shown_sum({f"(* {bit} b)": 1 << k for k, bit in enumerate(bits)})
        a = shown_sum({bit: 1 << k for k, bit in enumerate(bits)})
        yield self.denied(["b", *bits], [], equal(made, f"(* {a} b)"))
        most = (1 << w) - 1
        known = [f"(<= 0 a {most})", f"(<= 0 b {most})", "(= ab (* a b))"]
        yield self.denied(["a", "b", "ab"], known, f"(<= 0 ab {most * most})")
        known = [f"(= 0 (mod (- p ab) {size}))", f"(<= 0 ab {most * most})", f"(and (<= 0 p) (< p {size}))"]
        yield self.denied(["p", "ab"], known, "(= p ab)")

    # --- words and what is known of them ----------------------------------------------------------

    def made_at(self, each: Step) -> Word:
        """The product of a place that has one to be added."""
        return self.xy(each.j, each.k) if each.kind == "ab" else self.of_m(each.j, each.k, "N")

    def e_fact(self, square: int, n: int) -> Fact:
        each = self.plan.scans[square][n]
        right: dict[Word, int] = {}
        if n:
            right[self.high("E", n) if each.first else self.acc_word("E", n)] = 1
        if each.product:
            right[self.made_at(each)] = 1 + each.double
        return Compared({self.acc_word("E", n + 1): 1}, "=", right)

    def end(self, square: int) -> Word:
        """What is in the accumulator at the end."""
        return self.acc_word("E", len(self.plan.scans[square]))

    def end_parts(self, square: int) -> tuple[Word, Word]:
        """The carry out of the last word, and what is above."""
        end = self.end(square)
        return end.cut(self.word, self.word, "carry"), end.cut(self.acc - 1, self.word + 1, "rest")

    def z_words(self, square: int) -> list[Word]:
        """Those of the sum."""
        return [self.column(square, self.beats + k) for k in range(self.beats)]

    def of_definitions(self) -> Iterator[Obligation]:
        most = const(self.largest, 2 * self.word)

        def at_most(n: int, bound: int) -> str:
            return f"(bvule (E {at_place(n)}) {const(bound, self.acc)})"

        for square, name in enumerate(("product", "square")):
            chosen = "square" if square else negation("square")
            bounds, texts = self.bounds(self.plan.scans[square]), []
            for n, each in enumerate(self.plan.scans[square]):
                known = [chosen, self.e_step(at_place(n)), at_most(n, bounds[n]) if n else "true"]
                if each.product:
                    known.append(f"(bvule {self.made_at(each).term} {most})")
                shown = (self.e_fact(square, n).over_bits(), self.halves("E", n + 1).over_bits())
                goal = all_of(*shown, at_most(n + 1, bounds[n + 1]))
                texts.append(self.defined(*known, negation(goal)))
            yield Obligation("step", f"the columns, of a {name}", "bitwuzla", tuple(texts))
            texts = []
            for k in range(self.beats):
                steps = self.borrow_step(at_place(k), (("B1", "D1"), ("BO", "O")))
                known = [chosen, *steps, *(equal(f"({b} {at_place(0)})", "#b0") for b in ("B1", "BO"))]
                texts += [self.defined(*known, negation(f.over_bits())) for f in self.result_facts(square, k)]
            texts += [self.defined(chosen, negation(f.over_bits())) for f in self.choice_facts(square)]
            yield Obligation("step", f"the words of the result, of a {name}", "bitwuzla", tuple(texts))
            texts = [self.defined(chosen, negation(fact.over_bits())) for fact in self.m_facts(square)]
            yield Obligation("step", f"the words of m, of a {name}", "bitwuzla", tuple(texts))

    def result_facts(self, square: int, k: int) -> Iterator[Fact]:
        """What is left of word k where something is subtracted, and the borrows behind it."""
        z, n = self.z_words(square)[k], self.factor("N", k)
        less, once = self.factor("less", k), self.flag("once")
        for name, borrow, subtrahend in (("D1", "B1", n), ("O", "BO", less)):
            left = {z: 1, self.bit(borrow, k + 1): self.size}
            yield Compared(left, "=", {subtrahend: 1, self.bit(borrow, k): 1, self.part_of(name, k): 1})
        yield Joined(implies, (self.is_(once, 1), Compared({less: 1}, "=", {n: 1})))
        yield Joined(implies, (self.is_(once, 0), self.is_(less, 0)))
        if k == 0:
            yield from (self.is_(self.bit(borrow, 0), 0) for borrow in ("B1", "BO"))

    def choice_facts(self, square: int = 0) -> Iterator[Fact]:
        """Whether N is subtracted; what is above the carry."""
        carry, rest = self.end_parts(square)
        large = Joined(any_of, (self.is_(carry, 1), self.is_(self.bit("B1", self.beats), 0)))
        yield from self.same(self.flag("once"), large)
        yield Compared({self.high("E", len(self.plan.scans[square])): 1}, "=", {carry: 1, rest: 2})

    def m_facts(self, square: int) -> Iterator[Fact]:
        """Words of m are the lower halves of products of v0, which is in the accumulator."""
        for i, n in enumerate(self.plan.asks(square)):
            yield Compared({self.factor("v0", i): 1}, "=", {self.low("E", n): 1})
            made = Word(f"made.{i}", f"(P (v0 {at_place(i)}) inverse)", 2 * self.word)
            m = self.factor("m", i)
            yield Compared({made: 1}, "=", {m: 1, made.cut(2 * self.word - 1, self.word, "high"): self.size})

    # --- numbers ----------------------------------------------------------------------------------

    def of_numbers(self) -> Iterator[Obligation]:
        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        both = (0, 1)
        yield z3("the words are the sum of all products", *(self.columns_sum(square) for square in both))
        yield z3("products of words make up x·y + M·N", *self.operands_multiplied())
        yield z3(
            "each m makes a word 0",
            *(self.removed_at(square, i) for square in both for i in range(self.beats)),
            self.removed(),
        )
        yield z3("the words of the result", *(self.result_sum(square) for square in both))
        yield z3("what is below what", *self.ranges())
        yield z3("z is right", *self.right())

    def columns_sum(self, square: int) -> str:
        """That the words which E leaves, the lower ones first, are not the sum of the products."""
        scan, last = self.plan.scans[square], 2 * self.beats - 1
        facts = [self.e_fact(square, n) for n in range(len(scan))]
        facts += [self.halves("E", n) for n in range(1, len(scan))]
        words = [*(self.column(square, c) for c in range(last)), self.end(square)]
        some = (each for each in scan if each.product)
        weights = {self.made_at(e).whole: (1 + e.double) * self.size**e.column for e in some}
        return self.holding(facts, equal(self.value(words), shown_sum(weights)))

    def operands_multiplied(self) -> Iterator[str]:
        """That the sum of the products of words is not x·y + M·N, or of a square x·x + M·N."""
        names = [f"{name}{k}" for name in "xymn" for k in range(self.beats)]
        x, y, m, n = (shown_sum({f"{name}{k}": self.size**k for k in range(self.beats)}) for name in "xymn")
        for scan, other, value in zip(self.plan.scans, "yx", (y, x), strict=True):
            made = {
                f"(* x{e.j} {other}{e.k})" if e.kind == "ab" else f"(* m{e.j} n{e.k})": (1 + e.double)
                * self.size**e.column
                for e in scan
                if e.product
            }
            yield self.denied(names, [], equal(shown_sum(made), f"(+ (* {x} {value}) (* {m} {n}))"))

    def removed_at(self, square: int, i: int) -> str:
        """That the lowest word of column i is not what :meth:`removed` says of its letters."""
        n = self.plan.asks(square)[i]
        facts = [self.e_fact(square, n), self.e_fact(square, n + 1)]
        facts += [self.halves("E", n), self.halves("E", n + 2)]
        made = self.of_m(i, 0, "N").whole
        goal = (
            f"(= (+ {self.column(square, i).whole} (* {self.size} {self.high('E', n + 2).whole})) "
            f"(+ {self.low('E', n).whole} (* {self.size} {self.high('E', n).whole}) {made}))"
        )
        return self.holding(facts, goal)

    def removed(self) -> str:
        """That the lowest word behind m_i·n_0 is not 0.

        ``v0`` and ``up`` are halves before it, ``T`` and ``high`` behind it; ``g`` is that of n_0·n0' + 1 =
        g·W, ``h`` the upper word of v0·n0'. Two lines are the products of an equation and a number; that such
        a product is 0 is among the questions of :meth:`right`.
        """
        w = self.size
        known = [
            f"(= (+ T (* {w} high)) (+ v0 (* {w} up) (* m n0)))",
            f"(= (* v0 (- (+ (* n0 i) 1) (* {w} g))) 0)",
            f"(= (* n0 (- (* v0 i) (+ m (* {w} h)))) 0)",
            f"(and (<= 0 T) (< T {w}))",
            "(= t (- (+ (* v0 g) up) (* h n0) high))",
        ]
        names = ("n0", "i", "g", "v0", "m", "h", "up", "T", "high", "t")
        return self.denied(names, known, f"(= T (* {w} t))", "(= T 0)")

    def result_sum(self, square: int) -> str:
        """That the words of the sum, with what is above, are not Z; that z is not that, less what is
        subtracted."""
        s, w, z = self.beats, self.size, self.z_words(square)
        facts = [self.halves("E", len(self.plan.scans[square])), *self.choice_facts(square)]
        for k in range(s):
            facts += self.result_facts(square, k)
        carry, rest = (word.whole for word in self.end_parts(square))
        n, less = (self.value([self.factor(name, k) for k in range(s)]) for name in ("N", "less"))
        total = self.value([*z[:-1], self.end(square)])
        goals = [equal(total, f"(+ {self.value(z)} (* {w**s} (+ {carry} (* 2 {rest}))))")]
        for name, borrow, other in (("D1", "B1", n), ("O", "BO", less)):
            left = self.value([self.part_of(name, k) for k in range(s)])
            goals.append(
                equal(f"(+ {self.value(z)} (* {w**s} {self.bit(borrow, s).whole}))", f"(+ {other} {left})")
            )
        goals.append(equal(less, f"(ite (= {self.flag('once').whole} 1) {n} 0)"))
        return self.holding(facts, all_of(*goals))

    def ranges(self) -> Iterator[str]:
        """That x·y or M·N is too large."""
        r = self.size**self.beats
        known = ["(<= 0 x N)", "(<= 0 y N)", f"(< N {r})", "(= xy (* x y))"]
        yield self.denied(("x", "y", "xy", "N"), known, f"(<= 0 xy (* {r - 1} N))")
        known = [f"(<= 0 M {r - 1})", "(<= 0 N)", "(= MN (* M N))"]
        yield self.denied(("M", "N", "MN"), known, f"(<= 0 MN (* {r - 1} N))")

    def right(self) -> Iterator[str]:
        """That z is wrong, given what is right of words and ranges.

        ``low`` is what the lower words make up, which are 0; ``z`` the words of the result without the carry.
        """
        r = self.size**self.beats
        yield self.denied("ae", ["(= e 0)"], "(= (* a e) 0)")
        known = [
            f"(= (+ low (* {r} Z)) (+ xy MN))",
            "(= low 0)",
            f"(<= 0 xy (* {r - 1} N))",
            f"(<= 0 MN (* {r - 1} N))",
        ]
        yield self.denied(
            ("low", "Z", "xy", "MN", "N"), [*known, "(<= 1 N)"], f"(= (* {r} Z) (+ xy MN))", "(< Z (* 2 N))"
        )
        words, flags = ("N", "z", "less", "d1", "o"), ("once", "carry", "b1", "bo")
        known = [
            *(f"(and (<= 0 {each}) (< {each} {r}))" for each in words),
            *(f"(<= 0 {each} 1)" for each in flags),
            "(<= 0 rest)",
            f"(= Z (+ z (* {r} (+ carry (* 2 rest)))))",
            "(< Z (* 2 N))",
            f"(= (+ z (* {r} b1)) (+ N d1))",
            f"(= (+ z (* {r} bo)) (+ less o))",
            equal("(= once 1)", any_of("(= carry 1)", "(= b1 0)")),
            "(= less (ite (= once 1) N 0))",
        ]
        goal = "(= o (- Z (ite (= once 1) N 0)))"
        yield self.denied((*words, *flags, "Z", "rest"), known, goal, "(<= 0 o)", "(< o N)")
