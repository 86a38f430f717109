# SPDX-License-Identifier: Apache-2.0
"""Of ``fips``: z is x·y/R mod N in GF(p).

From reset to result, at full width, for all N, all operands up to N, products and squares, and any behaviour
at the ports, resets included; of the context it is assumed that it belongs to N. Three layers:

- **invariant** (``fips_where``, on the netlist): how far the two lists are, and what registers and memories
  hold there. The multiplier is any function P of two words; E and U are what is in the accumulators.
- **step**: on the netlist the multiplier, stage by stage: multiples of a word, their sums, a tree of
  carry-save adders, an adder; so P is the product. And that E, U, the words of the result and the borrows,
  which are defined over bits, are what is said of them over integers.
- **number** (here, over integers): the columns of E make up x·y, those of U what the algorithm makes of it;
  the last m takes away v0; the result is below 3N, and N or 2N is subtracted if it is not below. Of this the
  theorem follows: R·z = x·y + k·N, and 0 <= z < N.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from modmul.prove.product.fips_multiplier import Multiplying
from modmul.prove.product.fips_where import MUL, at_place
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
    declared,
    equal,
    extract,
    implies,
    negation,
    shown_sum,
)

__all__ = ["Scanning"]


class Scanning(Multiplying):
    """The obligations of a build."""

    # --- the multiplier ---------------------------------------------------------------------------

    def tree_facts(self) -> Iterator[Fact]:
        bits = 2 * self.word
        for wire, source in self.wires():
            yield Compared({wire: 1}, "=", {source: 1})
        for a, b, c, total, carry in self.adders():
            yield Congruent({total: 1, carry: 1}, {a: 1, b: 1, c: 1}, bits)
        for k, (row, sums) in enumerate(self.rows()):
            yield Congruent({row: 1}, {sums: 1 << (4 * k)}, bits)

    def last_facts(self) -> Iterator[Fact]:
        """The registers behind the tree and the last adder."""
        then, bits = self.then, 2 * self.word
        for name in ("sum", "carry"):
            register = Word(f"{name}_q", then(f"{MUL}{name}_q"), bits)
            yield Compared({register: 1}, "=", {self.tree_word(f"{MUL}{name}"): 1})
        none = Word("plain_q", then(f"{MUL}plain_q"), bits)
        yield Compared({none: 1}, "=", {}, 0)

    def product_facts(self) -> Iterator[Fact]:
        """The product."""
        now, then, bits = self.now, self.then, 2 * self.word
        words = [Word(f"{name}_q", now(f"{MUL}{name}_q"), bits) for name in ("sum", "carry", "plain")]
        whole = Word("p", then(f"{MUL}p_o"), bits)
        added = Congruent({whole: 1}, {words[0]: 1, words[1]: 1}, bits)
        yield Joined(implies, (Compared({words[2]: 1}, "=", {}, 0), added))

    def of_product(self) -> Iterator[Obligation]:
        yield Obligation("number", "the rows make up the product", "z3", tuple(self.multiplied()))

    def multiplied(self) -> Iterator[str]:
        """That sum and carry are not the rows; that the product is another one, or too long."""
        w, pairs, size = self.word, self.word // 4, 1 << (2 * self.word)
        facts = [*self.tree_facts(), *self.last_facts()]
        rows = {f"|sums.{k}|": 1 << (4 * k) for k in range(pairs)}
        goal = f"(= 0 (mod (- (+ |sum_q| |carry_q|) {shown_sum(rows)}) {size}))"
        yield self.holding(facts, goal)
        digits = [f"d{i}" for i in range(2 * pairs)]
        a = shown_sum({digit: 1 << (2 * i) for i, digit in enumerate(digits)})
        sums = [f"(+ (* d{2 * k} b) (* 4 (* d{2 * k + 1} b)))" for k in range(pairs)]
        made = shown_sum({each: 1 << (4 * k) for k, each in enumerate(sums)})
        yield self.denied(["b", *digits], [], equal(made, f"(* {a} b)"))
        most = (1 << w) - 1
        known = [f"(<= 0 a {most})", f"(<= 0 b {most})", "(= ab (* a b))"]
        yield self.denied(["a", "b", "ab"], known, f"(<= 0 ab {most * most})")
        known = [f"(= 0 (mod (- p ab) {size}))", f"(<= 0 ab {most * most})", f"(and (<= 0 p) (< p {size}))"]
        yield self.denied(["p", "ab"], known, "(= p ab)")

    # --- texts ------------------------------------------------------------------------------------

    @staticmethod
    def holding(facts: Iterable[Fact], goal: str, *more: str, names: Sequence[str] = ()) -> str:
        """That facts and more hold, and a goal does not."""
        every = list(facts)
        lines = [f"(declare-const {name} Int)" for name in dict.fromkeys(names)]
        shown = [f"(assert {each})" for each in (*(f.over_integers() for f in every), *more, negation(goal))]
        return "\n".join((*declared(word for fact in every for word in fact.words()), *lines, *shown))

    # --- words and what is known of them ----------------------------------------------------------

    def acc_word(self, name: str, n: int) -> Word:
        """E or U at a place."""
        return Word(f"{name}.{n}", f"({name} {at_place(n)})", self.acc)

    def low(self, name: str, n: int) -> Word:
        return self.acc_word(name, n).cut(self.word - 1, 0, "low")

    def high(self, name: str, n: int) -> Word:
        return self.acc_word(name, n).cut(self.acc - 1, self.word, "high")

    def factor(self, name: str, k: int) -> Word:
        """A word of an operand, of the context."""
        return Word(f"{name}.{k}", f"({name} {at_place(k)})", self.word)

    def v0(self, i: int) -> Word:
        """What is lowest in v behind column i of the first loop."""
        return self.low("U", self.plan.completing(i) + 1)

    def made(self) -> Word:
        """v0 of column s-1 times n0'."""
        return Word("made", f"(P (v0 {at_place(self.beats - 1)}) inverse)", 2 * self.word)

    def m(self, j: int) -> Word:
        return self.made().cut(self.word - 1, 0, "low") if j == self.beats - 1 else self.v0(j)

    def xy(self, j: int, k: int) -> Word:
        return Word(f"x{j}*y{k}", f"(P (X {at_place(j)}) (Y {at_place(k)}))", 2 * self.word)

    def of_m(self, j: int, k: int, of: str) -> Word:
        """m_j times word k of N or N^."""
        return Word(f"m{j}*{of}{k}", f"(P (m {at_place(j)}) ({of} {at_place(k)}))", 2 * self.word)

    def halves(self, name: str, n: int) -> Fact:
        parts = {self.low(name, n): 1, self.high(name, n): 1 << self.word}
        return Compared({self.acc_word(name, n): 1}, "=", parts)

    @staticmethod
    def cut(word: Word, bits: int) -> Fact:
        """A word is made up of two."""
        low, high = word.cut(bits - 1, 0, "low"), word.cut(word.bits - 1, bits, "high")
        return Compared({word: 1}, "=", {low: 1, high: 1 << bits})

    def e_fact(self, square: int, n: int) -> Fact:
        """What place n of the scan adds."""
        each = self.plan.scans[square][n]
        right: dict[Word, int] = {}
        if n:
            right[self.high("E", n) if each.first else self.acc_word("E", n)] = 1
        if each.product:
            right[self.xy(each.j, each.k)] = 1 + each.double
        return Compared({self.acc_word("E", n + 1): 1}, "=", right)

    def column(self, square: int, c: int) -> Word:
        """T: word c of x·y."""
        ends = self.plan.ends(self.plan.scans[square])
        return self.low("E", ends[c])

    @property
    def nonzero(self) -> Word:
        none = const(0, self.word)
        return Word("nonzero", f"(ite (= {self.v0(self.beats - 1).term} {none}) #b0 #b1)", 1)

    def product_of(self, n: int) -> Word:
        """That of a decision."""
        each = self.plan.decisions[n]
        return self.of_m(each.j, each.k, "H" if each.kind == "m" else "N")

    def u_fact(self, square: int, n: int) -> Fact:
        """What a decision adds."""
        each, w = self.plan.decisions[n], self.word
        right: dict[Word, int] = {}
        if n:
            right[self.high("U", n) if each.opens else self.acc_word("U", n)] = 1
        if each.kind == "xy":
            right[self.column(square, each.column)] = 1
        elif each.kind == "n0":
            right[self.product_of(n).cut(2 * w - 1, w, "high")] = 1
            right[self.nonzero] = 1
        elif each.adds:
            right[self.product_of(n)] = 1
        return Compared({self.acc_word("U", n + 1): 1}, "=", right)

    def u_bounds(self) -> list[int]:
        """What v is at most at each place."""
        word, found = (1 << self.word) - 1, [0]
        for each in self.plan.decisions:
            before = found[-1] >> self.word if each.opens else found[-1]
            more = {"xy": word, "n0": word + 1, "m": word * word, "n": word * word}.get(each.kind, 0)
            found.append(before + more)
        return found

    def of_definitions(self) -> Iterator[Obligation]:
        """That what is defined of bits is what is said of numbers."""
        most, w = const(((1 << self.word) - 1) ** 2, 2 * self.word), self.word

        def at_most(word: Word, bound: int) -> str:
            return f"(bvule {word.term} {const(bound, word.bits)})"

        for square, name in enumerate(("product", "square")):
            chosen = "square" if square else negation("square")
            bounds, texts = self.bounds(self.plan.scans[square]), []
            for n, each in enumerate(self.plan.scans[square]):
                known = [
                    chosen,
                    self.e_step(at_place(n)),
                    at_most(self.acc_word("E", n), bounds[n]) if n else "true",
                ]
                if each.product:
                    known.append(f"(bvule {self.xy(each.j, each.k).term} {most})")
                shown = (
                    self.e_fact(square, n).over_bits(),
                    self.halves("E", n + 1).over_bits(),
                    at_most(self.acc_word("E", n + 1), bounds[n + 1]),
                )
                texts.append(self.defined(*known, negation(all_of(*shown))))
            yield Obligation("step", f"the columns of x·y, of a {name}", "bitwuzla", tuple(texts))
            bounds, texts = self.u_bounds(), []
            for n, decision in enumerate(self.plan.decisions):
                known = [
                    chosen,
                    self.u_step(at_place(n)),
                    at_most(self.acc_word("U", n), bounds[n]) if n else "true",
                ]
                known.append(equal(f"(U {at_place(0)})", const(0, self.acc)))
                if decision.adds:
                    known.append(f"(bvule {self.product_of(n).term} {most})")
                shown = (
                    self.u_fact(square, n).over_bits(),
                    self.halves("U", n + 1).over_bits(),
                    at_most(self.acc_word("U", n + 1), bounds[n + 1]),
                )
                texts.append(self.defined(*known, negation(all_of(*shown))))
            yield Obligation("step", f"the columns of v, of a {name}", "bitwuzla", tuple(texts))
            texts = []
            for k in range(self.beats):
                known = [chosen, *self.known_of_result(k)]
                texts += [self.defined(*known, negation(f.over_bits())) for f in self.result_facts(square, k)]
            texts += [self.defined(chosen, negation(fact.over_bits())) for fact in self.choice_facts()]
            yield Obligation("step", f"the words of the result, of a {name}", "bitwuzla", tuple(texts))
        texts = [
            self.defined(negation(fact.over_bits()))
            for fact in (
                self.cut(self.made(), w),
                self.cut(self.of_m(self.beats - 1, 0, "N"), w),
                *self.zero_facts(),
            )
        ]
        yield Obligation("step", "the halves of a product", "bitwuzla", tuple(texts))

    # --- the result -------------------------------------------------------------------------------

    def z_word(self, k: int) -> Word:
        return Word(f"Z.{k}", f"(Z {at_place(k)})", self.word + 1)

    def bit(self, name: str, k: int) -> Word:
        """A carry, a borrow, a bit of N, into word k."""
        return Word(f"{name}.{k}", f"({name} {at_place(k)})", 1)

    def part_of(self, name: str, k: int) -> Word:
        """The word that a subtraction leaves."""
        return Word(f"{name}.{k}", extract(f"({name} {at_place(k)})", self.word - 1, 0), self.word)

    def known_of_result(self, k: int) -> Iterator[str]:
        yield self.z_step(at_place(k))
        yield from self.borrow_step(at_place(k), (("B1", "D1"), ("B2", "D2"), ("BO", "O")))
        yield from (equal(f"({name} {at_place(0)})", "#b0") for name in ("B1", "B2", "BO"))

    def result_facts(self, square: int, k: int) -> Iterator[Fact]:
        """What word k of the result is, and the borrows behind it."""
        size, w = 1 << self.word, self.word
        whole = self.z_word(k)
        z = whole.cut(w - 1, 0, "low")
        parts = {self.low("U", self.plan.z_end(k) + 1): 1, self.column(square, self.beats + k): 1}
        yield Compared({whole: 1}, "=", parts | {self.bit("carry", k): 1})
        yield Compared({whole: 1}, "=", {z: 1, self.bit("carry", k + 1): size})
        n, twice = self.factor("N", k), Word(f"twice.{k}", f"(twice {at_place(k)})", w)
        less = Word(f"less.{k}", f"(less {at_place(k)})", w)
        yield Compared({twice: 1, self.bit("above", k + 1): size}, "=", {n: 2, self.bit("above", k): 1})
        for name, borrow, subtrahend in (("D1", "B1", n), ("D2", "B2", twice), ("O", "BO", less)):
            left = {z: 1, self.bit(borrow, k + 1): size}
            yield Compared(left, "=", {subtrahend: 1, self.bit(borrow, k): 1, self.part_of(name, k): 1})
        once, both = self.flag("once"), self.flag("two")
        yield Joined(implies, (self.is_(both, 1), Compared({less: 1}, "=", {twice: 1})))
        yield Joined(
            implies, (self.both(self.is_(both, 0), self.is_(once, 1)), Compared({less: 1}, "=", {n: 1}))
        )
        yield Joined(implies, (self.both(self.is_(both, 0), self.is_(once, 0)), self.is_(less, 0)))

    @staticmethod
    def is_(word: Word, value: int) -> Fact:
        return Compared({word: 1}, "=", {}, value)

    @staticmethod
    def both(*facts: Fact) -> Fact:
        return Joined(all_of, facts)

    def flag(self, name: str) -> Word:
        return Word(name, f"(ite {name} #b1 #b0)", 1)

    def choice_facts(self) -> Iterator[Fact]:
        """Whether N or 2N is subtracted."""
        s = self.beats
        carry, above = self.bit("carry", s), self.bit("above", s)
        top, b1, b2 = self.top, self.bit("B1", s), self.bit("B2", s)
        c, t, less1 = self.is_(carry, 1), self.is_(top, 1), self.is_(b1, 0)
        large = Joined(any_of, (c, t, less1))
        yield from self.same(self.flag("once"), large)
        a, less2 = self.is_(above, 1), self.is_(b2, 1)
        more = Joined(
            any_of,
            (
                self.both(c, t),
                self.both(Joined(any_of, (c, t)), Joined(negation, (self.both(a, less2),))),
                Joined(negation, (Joined(any_of, (a, less2)),)),
            ),
        )
        yield from self.same(self.flag("two"), more)

    def same(self, flag: Word, fact: Fact) -> Iterator[Fact]:
        """A flag says whether a fact holds."""
        yield Joined(implies, (self.is_(flag, 1), fact))
        yield Joined(implies, (self.is_(flag, 0), Joined(negation, (fact,))))

    @property
    def top(self) -> Word:
        return self.acc_word("U", self.plan.ending + 1).cut(self.word, self.word, "top")

    def zero_facts(self) -> Iterator[Fact]:
        """What is not 0; and what is above the top bit of v."""
        none = self.is_(self.v0(self.beats - 1), 0)
        yield Joined(implies, (self.is_(self.nonzero, 0), none))
        yield Joined(implies, (self.is_(self.nonzero, 1), Joined(negation, (none,))))
        high = self.high("U", self.plan.ending + 1)
        rest = self.acc_word("U", self.plan.ending + 1).cut(self.acc - 1, self.word + 1, "rest")
        yield Compared({high: 1}, "=", {self.top: 1, rest: 2})
        yield self.is_(self.bit("carry", 0), 0)
        yield self.is_(self.bit("above", 0), 0)

    # --- numbers ----------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """W."""
        return 1 << self.word

    def value(self, words: Sequence[Word]) -> str:
        return shown_sum({word.whole: 1 << (self.word * k) for k, word in enumerate(words)})

    def xy_sum(self, square: int) -> str:
        """x·y, product by product."""
        some = [each for each in self.plan.scans[square] if each.product]
        weights = {self.xy(e.j, e.k).whole: (1 + e.double) << (self.word * e.column) for e in some}
        return shown_sum(weights)

    def of_numbers(self) -> Iterator[Obligation]:
        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        yield z3(
            "the words of x·y", *(self.columns_sum(square) for square in (0, 1)), *self.operands_multiplied()
        )
        yield z3("the last m takes v0 away", self.removed())
        yield z3("the columns of v", *(self.reduced(square) for square in (0, 1)), *self.context_multiplied())
        yield z3("the words of the sum", *(self.result_sum(square) for square in (0, 1)))
        yield z3("what is below what", *self.ranges())
        yield z3("z is right", *self.right())

    def columns_sum(self, square: int) -> str:
        """That the words of x·y are not the sum of the products."""
        scan, s = self.plan.scans[square], self.beats
        facts = [self.e_fact(square, n) for n in range(len(scan))]
        facts += [self.halves("E", n) for n in range(1, len(scan) + 1)]
        facts.append(Compared({self.acc_word("E", len(scan)): 1}, "<=", {}, self.bounds(scan)[-1]))
        words = [self.column(square, c) for c in range(2 * s)]
        return self.holding(facts, equal(self.value(words), self.xy_sum(square)))

    def operands_multiplied(self) -> Iterator[str]:
        """That the sum of the products of words is not x·y, or of a square not x·x."""
        s = self.beats
        names = [f"{name}{k}" for name in "xy" for k in range(s)]
        values = {name: shown_sum({f"{name}{k}": self.size**k for k in range(s)}) for name in "xy"}
        for square, other in ((0, "y"), (1, "x")):
            some = [each for each in self.plan.scans[square] if each.product]
            made = {f"(* x{e.j} {other}{e.k})": (1 + e.double) * self.size**e.column for e in some}
            yield self.denied(names, [], equal(shown_sum(made), f"(* {values['x']} {values[other]})"))

    def removed(self) -> str:
        """That v0 and the lower word of m_(s-1)·n_0 do not make up W or 0, as v0 is 0 or not.

        ``g`` is that of n_0·n0' + 1 = g·W, ``h`` the upper word of v0·n0'. Two lines are the products of an
        equation and a number; that such a product is 0 is among the questions of :meth:`right`.
        """
        w = self.size
        known = [
            f"(= (+ (* n0 i) 1) (* {w} g))",
            f"(= (* v0 i) (+ m (* {w} h)))",
            f"(= (* m n0) (+ low (* {w} high)))",
            f"(= (* v0 (- (+ (* n0 i) 1) (* {w} g))) 0)",
            f"(= (* n0 (- (* v0 i) (+ m (* {w} h)))) 0)",
            f"(and (<= 0 v0) (< v0 {w}) (<= 0 low) (< low {w}))",
            "(= t (- (* v0 g) (* h n0) high))",
            "(= nonzero (ite (= v0 0) 0 1))",
        ]
        names = ("n0", "i", "g", "v0", "m", "h", "low", "high", "nonzero", "t")
        return self.denied(names, known, f"(= (+ v0 low) (* {w} t))", f"(= (+ v0 low) (* {w} nonzero))")

    def v_value(self) -> str:
        """V, the sum without the upper words of x·y."""
        s, end = self.beats, self.plan.ending + 1
        words = [self.low("U", self.plan.z_end(k) + 1) for k in range(s - 1)]
        return f"(+ {self.value(words)} (* {self.size ** (s - 1)} {self.acc_word('U', end).whole}))"

    def reduced(self, square: int) -> str:
        """That W^s·V is not made up of the lower words of x·y and of the products of m."""
        s, w, plan = self.beats, self.size, self.plan
        facts = [self.u_fact(square, n) for n in range(len(plan.decisions))]
        facts += [self.halves("U", n) for n in range(1, len(plan.decisions) + 1)]
        first = self.of_m(s - 1, 0, "N")
        facts.append(self.cut(first, self.word))
        low = first.cut(self.word - 1, 0, "low").whole
        removed = f"(= (+ {self.v0(s - 1).whole} {low}) (* {w} {self.nonzero.whole}))"
        lower = self.value([self.column(square, c) for c in range(s)])
        hats = {self.of_m(j, k, "H").whole: w ** (j + k + 1) for j in range(s - 1) for k in range(s)}
        ns = {self.of_m(s - 1, k, "N").whole: w ** (s - 1 + k) for k in range(s)}
        gone = self.value([self.m(j) for j in range(s - 1)])
        left = f"(+ (* {w**s} {self.v_value()}) {gone})"
        return self.holding(facts, equal(left, f"(+ {lower} {shown_sum(hats)} {shown_sum(ns)})"), removed)

    def context_multiplied(self) -> Iterator[str]:
        """That the products of words of m and of N^ and N are not those of numbers."""
        s, w = self.beats, self.size
        names = [f"{name}{k}" for name in "mhn" for k in range(s)]
        hat = shown_sum({f"h{k}": w**k for k in range(s)})
        n = shown_sum({f"n{k}": w**k for k in range(s)})
        m = shown_sum({f"m{j}": w**j for j in range(s - 1)})
        products = {f"(* m{j} h{k})": w ** (j + k + 1) for j in range(s - 1) for k in range(s)}
        yield self.denied(names, [], equal(shown_sum(products), f"(* {w} (* {m} {hat}))"))
        products = {f"(* m{s - 1} n{k})": w ** (s - 1 + k) for k in range(s)}
        yield self.denied(names, [], equal(shown_sum(products), f"(* {w ** (s - 1)} (* m{s - 1} {n}))"))

    def result_sum(self, square: int) -> str:
        """That the words of the sum, with what is above, are not V and the upper words of x·y; that z is not
        that, less what is subtracted; that a borrow tells something else."""
        s, w, end = self.beats, self.size, self.plan.ending + 1
        facts = [*self.zero_facts(), self.halves("U", end)]
        for k in range(s):
            facts += self.result_facts(square, k)
        z = self.value([self.z_word(k).cut(self.word - 1, 0, "low") for k in range(s)])
        rest = self.acc_word("U", end).cut(self.acc - 1, self.word + 1, "rest").whole
        carry, above = self.bit("carry", s).whole, self.bit("above", s).whole
        high = self.value([self.column(square, s + k) for k in range(s)])
        n = self.value([self.factor("N", k) for k in range(s)])
        twice, less = (
            self.value([Word(f"{name}.{k}", "", self.word) for k in range(s)]) for name in ("twice", "less")
        )
        once, two = self.flag("once").whole, self.flag("two").whole
        zero = [equal(self.bit(name, 0).whole, "0") for name in ("B1", "B2", "BO")]
        total = f"(+ {z} (* {w**s} (+ {carry} {self.top.whole} (* 2 {rest}))))"
        goals = [equal(total, f"(+ {self.v_value()} {high})")]
        for name, borrow, other in (("D1", "B1", n), ("D2", "B2", twice), ("O", "BO", less)):
            left = self.value([self.part_of(name, k) for k in range(s)])
            goals.append(equal(f"(+ {z} (* {w**s} {self.bit(borrow, s).whole}))", f"(+ {other} {left})"))
        goals.append(equal(f"(+ {twice} (* {w**s} {above}))", f"(* 2 {n})"))
        chosen = f"(ite (= {two} 1) {twice} (ite (= {once} 1) {n} 0))"
        goals.append(equal(less, chosen))
        return self.holding(facts, all_of(*goals), *zero)

    def ranges(self) -> Iterator[str]:
        """That V or the sum is too large.

        ``S`` is the number that the words of m but the last make up, ``a`` that of W·N^ = 1 + a·N, ``m`` the
        last word of m, ``K`` the multiple of N that is added.
        """
        w, r, front = self.size, self.size**self.beats, self.size ** (self.beats - 1)
        known = [
            f"(and (<= 1 N) (< N {r}) (<= 0 H) (< H N))",
            f"(= (* {w} H) (+ 1 (* a N)))",
        ]
        yield self.denied(("N", "H", "a", "aN"), [*known, "(= aN (* a N))"], f"(< aN (* {w} N))")
        yield self.denied(("a", "N"), ["(<= 1 N)", f"(< (* a N) (* {w} N))"], f"(< a {w})")
        known = [f"(and (<= 0 S) (< S {front}))", f"(< a {w})", "(= aS (* a S))"]
        yield self.denied(("a", "S", "aS"), known, f"(<= aS {(w - 1) * (front - 1)})")
        known = [f"(<= aS {(w - 1) * (front - 1)})", f"(<= 0 m {w - 1})", f"(= K (+ aS (* {front} m)))"]
        yield self.denied(("aS", "m", "K"), known, f"(<= K {2 * r - 1})")
        known = [f"(<= K {2 * r - 1})", "(<= 1 N)", "(= KN (* K N))"]
        yield self.denied(("K", "N", "KN"), known, f"(<= KN (* {2 * r - 1} N))")
        known = ["(<= 0 x N)", "(<= 0 y N)", f"(< N {r})", "(= xy (* x y))"]
        yield self.denied(("x", "y", "xy", "N"), known, f"(<= 0 xy (* {r} N))")

    def right(self) -> Iterator[str]:
        """That z is wrong, given what is right of words and ranges.

        ``low`` and ``high`` are the halves of x·y.
        """
        r, front, w = self.size**self.beats, self.size ** (self.beats - 1), self.size
        # The multiple of N.
        yield self.denied("ae", ["(= e 0)"], "(= (* a e) 0)")
        made = f"(- (+ (* {w} (* S H)) (* {front} (* m N))) S)"
        goal = equal(made, f"(+ (* (* a S) N) (* {front} (* m N)))")
        yield self.denied(("H", "a", "N", "S", "m"), [f"(= (- (* {w} (* S H)) S (* (* a S) N)) 0)"], goal)
        names = ["N", "V", "low", "high", "KN", "xy", "top", "rest", "below", "end", "carry", "z", "sum"]
        known = [
            f"(= (* {r} V) (+ low KN))",
            f"(= xy (+ low (* {r} high)))",
            f"(and (<= 0 low) (< low {r}) (<= 0 high))",
            f"(<= KN (* {2 * r - 1} N))",
            f"(<= 0 xy (* {r} N))",
            f"(and (<= 1 N) (< N {r}))",
            f"(= V (+ below (* {front} end)))",
            f"(= end (+ endlow (* {w} (+ top (* 2 rest)))))",
            "(and (<= 0 below) (<= 0 endlow) (<= 0 rest) (<= 0 top 1))",
            f"(= (+ z (* {r} (+ carry top (* 2 rest)))) (+ V high))",
            f"(= sum (+ z (* {r} (+ carry top))))",
        ]
        names.append("endlow")
        yield self.denied(
            names, known, "(= rest 0)", f"(= (* {r} sum) (+ xy KN))", "(< sum (* 3 N))", "(<= 0 V)"
        )
        flags = ("once", "two", "carry", "top", "above", "b1", "b2", "bo")
        names = ["N", "z", "sum", "twice", "less", "d1", "d2", "o", *flags]
        words = [
            f"(and (<= 0 {each}) (< {each} {r}))" for each in ("N", "z", "twice", "less", "d1", "d2", "o")
        ]
        either = any_of("(= carry 1)", "(= top 1)")
        above, below = "(= above 1)", "(= b2 1)"
        both = any_of(
            all_of("(= carry 1)", "(= top 1)"),
            all_of(either, negation(all_of(above, below))),
            negation(any_of(above, below)),
        )
        known = [
            *words,
            *(f"(<= 0 {each} 1)" for each in flags),
            f"(= sum (+ z (* {r} (+ carry top))))",
            "(< sum (* 3 N))",
            f"(= (+ twice (* {r} above)) (* 2 N))",
            f"(= (+ z (* {r} b1)) (+ N d1))",
            f"(= (+ z (* {r} b2)) (+ twice d2))",
            f"(= (+ z (* {r} bo)) (+ less o))",
            equal("(= once 1)", any_of(either, "(= b1 0)")),
            equal("(= two 1)", both),
            "(= less (ite (= two 1) twice (ite (= once 1) N 0)))",
        ]
        times = "(ite (= two 1) (* 2 N) (ite (= once 1) N 0))"
        yield self.denied(names, known, f"(= o (- sum {times}))", "(<= 0 o)", "(< o N)")
