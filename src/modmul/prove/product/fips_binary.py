# SPDX-License-Identifier: Apache-2.0
"""Of ``fips``: z is x·y/R mod N in GF(2^m).

As in GF(p), for polynomials N with the constant term 1 of a degree up to s words, with and without a term
t^(s·w), which the header tells and the words of N leave out; and for all x, y of a lower degree. Sums are
without carries, the product of two words is one of polynomials, W is t^w. Squares have the products of a word
with itself alone. The invariant is that of :mod:`~modmul.prove.product.fips_where`; then:

- **step**, on the netlist: the multiplier, stage by stage. The sum of the rows of two bits, each moved to its
  place, is what a product of polynomials means.
- **step**: what E, U and the words of the result are, place by place.
- **word** (bitwuzla): what E and U hold at the ends of columns, put together, is the sum of all products,
  each at its column. Words are any bit-vectors here, so it is true of all.
- **ring** (z3): equations of polynomials with whole coefficients, such as that of distributivity. What is
  true of these is true in every commutative ring; in that of polynomials over GF(2), twice anything is 0.
- **degree** (z3): of a product and of a sum; therefore z has a lower degree than N.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from modmul.prove.product.fips_multiplier import Multiplying
from modmul.prove.product.fips_where import MUL, at_place
from modmul.prove.solve import Obligation
from modmul.prove.terms import Word, all_of, const, equal, extract, implies, negation, zero_extend

__all__ = ["Carryless"]


def exclusive(terms: Iterable[str], bits: int) -> str:
    """A sum without carries."""
    some = list(terms)
    if not some:
        return const(0, bits)
    return some[0] if len(some) == 1 else f"(bvxor {' '.join(some)})"


def moved(term: str, own: int, up: int, bits: int) -> str:
    """A word of so many bits as a longer one, some places up."""
    wide = zero_extend(term, bits - own)
    return f"(bvshl {wide} {const(up, bits)})" if up else wide


def joined(words: Iterable[str]) -> str:
    """Words beside each other, the lowest first."""
    return f"(concat {' '.join(reversed(list(words)))})"


@dataclass(frozen=True)
class Exclusive:
    """A word that is the sum without carries of others, each moved up some places."""

    left: Word
    right: Mapping[Word, int]

    def over_bits(self) -> str:
        return self._shown({word: word.term for word in (self.left, *self.right)})

    def over_names(self) -> str:
        """The same of words by their names."""
        return self._shown({word: word.whole for word in (self.left, *self.right)})

    def _shown(self, terms: Mapping[Word, str]) -> str:
        bits = self.left.bits
        parts = (moved(terms[word], word.bits, up, bits) for word, up in self.right.items())
        return equal(terms[self.left], exclusive(parts, bits))


@dataclass(frozen=True)
class Given:
    """A fact where another one holds."""

    condition: Exclusive
    fact: Exclusive

    def over_bits(self) -> str:
        return implies(self.condition.over_bits(), self.fact.over_bits())


class Carryless(Multiplying):
    """The obligations of a build."""

    binary: ClassVar[bool] = True

    # --- the multiplier ---------------------------------------------------------------------------

    def tree_facts(self) -> Iterator[Exclusive]:
        for wire, source in self.wires():
            yield Exclusive(wire, {source: 0})
        for a, b, c, total, carry in self.adders():
            yield Exclusive(total, {a: 0, b: 0, c: 0})
            yield Exclusive(carry, {})
        for k, (row, sums) in enumerate(self.rows()):
            yield Exclusive(row, {sums: 4 * k})

    def last_facts(self) -> Iterator[Exclusive]:
        live, dead = self.gated(f"{MUL}*_q")
        for register, name in ((f"{MUL}sum_q", "sum"), (live, "carry")):
            yield Exclusive(self.register(register, then=True), {self.tree_word(f"{MUL}{name}"): 0})
        yield Exclusive(self.register(dead, then=True), {})

    def product_facts(self) -> Iterator[Given]:
        """The product, where the register with carries is 0."""
        live, dead = self.gated(f"{MUL}*_q")
        parts = {self.register(name): 0 for name in (f"{MUL}sum_q", live)}
        whole = Exclusive(self.register(f"{MUL}p_o", then=True), parts)
        yield Given(Exclusive(self.register(dead), {}), whole)

    def register(self, name: str, *, then: bool = False) -> Word:
        return Word(name, (self.then if then else self.now)(name), 2 * self.word)

    def of_product(self) -> Iterator[Obligation]:
        yield Obligation("word", "the rows make up the product", "bitwuzla", tuple(self.multiplied()))

    def multiplied(self) -> Iterator[str]:
        """That a row of four bits is too long; that the product is not the sum of the rows, or too long."""
        w, bits = self.word, 2 * self.word
        low, high = (zero_extend(self.times(extract("a", k + 1, k), "b"), 2) for k in (0, 2))
        row = f"(bvxor {low} (bvshl {high} {const(2, w + 4)}))"
        most = const((1 << (w + 3)) - 1, w + 4)
        yield self.free({"a": 4, "b": w}, (), f"(bvule {row} {most})")
        (given,) = self.product_facts()
        facts = [*self.tree_facts(), *self.last_facts(), given.fact]
        known = [f"(bvule |sums.{k}| {most})" for k in range(w // 4)]
        product = self.register(f"{MUL}p_o").whole
        whole = exclusive((moved(f"|sums.{k}|", w + 4, 4 * k, bits) for k in range(w // 4)), bits)
        goals = (equal(product, whole), f"(bvule {product} {const(self.largest, bits)})")
        yield self.named(facts, *known, negation(all_of(*goals)))

    # --- texts ------------------------------------------------------------------------------------

    @staticmethod
    def named(facts: Iterable[Exclusive], *assertions: str) -> str:
        """That facts and more hold of words that are known by their names alone."""
        every = list(facts)
        words = {word.name: word for fact in every for word in (fact.left, *fact.right)}
        lines = [f"(declare-const {word.whole} (_ BitVec {word.bits}))" for word in words.values()]
        shown = [f"(assert {each})" for each in (*(fact.over_names() for fact in every), *assertions)]
        return "\n".join(("(set-logic QF_BV)", *lines, *shown))

    @staticmethod
    def free(words: Mapping[str, int], lines: Iterable[str], goal: str) -> str:
        """That a goal fails, of any words of so many bits, and of others that lines define."""
        declared = (f"(declare-const {name} (_ BitVec {bits}))" for name, bits in words.items())
        return "\n".join(("(set-logic QF_BV)", *declared, *lines, f"(assert {negation(goal)})"))

    # --- words ------------------------------------------------------------------------------------

    def low(self, term: str) -> str:
        return extract(term, self.word - 1, 0)

    def dropped(self, term: str) -> str:
        """An accumulator behind the end of a column."""
        return f"(bvlshr {term} {const(self.word, self.acc)})"

    def e_next(self, square: int, n: int, old: str, product: str) -> str:
        """E behind place n of the scan."""
        each, parts = self.plan.scans[square][n], []
        if n:
            parts.append(self.dropped(old) if each.first else old)
        if each.product:
            parts.append(zero_extend(product, self.acc - 2 * self.word))
        return exclusive(parts, self.acc)

    def u_next(self, n: int, old: str, column: str, product: str) -> str:
        """U behind a decision, with a word of x·y or a product."""
        each, w, parts = self.plan.decisions[n], self.word, []
        if n:
            parts.append(self.dropped(old) if each.opens else old)
        if each.kind == "xy":
            parts.append(zero_extend(column, self.acc - w))
        elif each.kind == "n0":
            parts.append(zero_extend(extract(product, 2 * w - 1, w), self.acc - w))
        elif each.adds:
            parts.append(zero_extend(product, self.acc - 2 * w))
        return exclusive(parts, self.acc)

    def of_definitions(self) -> Iterator[Obligation]:
        ends = []
        for square, name in enumerate(("product", "square")):
            chosen = "square" if square else negation("square")
            texts = []
            for n, each in enumerate(self.plan.scans[square]):
                made = self.e_next(
                    square, n, f"(E {at_place(n)})", f"(P (X {at_place(each.j)}) (Y {at_place(each.k)}))"
                )
                shown = equal(f"(E {at_place(n + 1)})", made)
                texts.append(self.defined(chosen, self.e_step(at_place(n)), negation(shown)))
            yield Obligation("step", f"the columns of x·y, of a {name}", "bitwuzla", tuple(texts))
            for c, end in enumerate(self.plan.ends(self.plan.scans[square])):
                word = equal(f"(T {at_place(c)})", self.low(f"(E {at_place(end)})"))
                ends.append(self.defined(chosen, negation(word)))
        yield Obligation("step", "the words of x·y are what E holds", "bitwuzla", tuple(ends))
        yield Obligation("step", "the columns of v", "bitwuzla", tuple(self.v_columns()))
        yield Obligation("step", "the words of the result", "bitwuzla", tuple(self.result_words()))

    def v_columns(self) -> Iterator[str]:
        """That U is not what a decision adds to it; that a word of m is another one."""
        last = at_place(self.beats - 1)
        for n, each in enumerate(self.plan.decisions):
            of = "H" if each.kind == "m" else "N"
            product = f"(P (m {at_place(each.j)}) ({of} {at_place(each.k)}))"
            made = self.u_next(n, f"(U {at_place(n)})", f"(T {at_place(each.column)})", product)
            yield self.defined(self.u_step(at_place(n)), negation(equal(f"(U {at_place(n + 1)})", made)))
        for j in range(self.beats):
            v0 = self.low(f"(U {at_place(self.plan.completing(j) + 1)})")
            word = equal(f"(v0 {at_place(j)})", v0)
            made = self.low(f"(P (v0 {last}) inverse)") if j == self.beats - 1 else v0
            yield self.defined(negation(all_of(word, equal(f"(m {at_place(j)})", made))))

    def result_words(self) -> Iterator[str]:
        """That a word of the result is not the sum of its parts; that another one leaves."""
        s, w, last = self.beats, self.word, at_place(self.beats - 1)
        for k in range(s):
            parts = [self.low(f"(U {at_place(self.plan.z_end(k) + 1)})"), f"(T {at_place(s + k)})"]
            if k == s - 1:
                parts.append(f"(ite implicit (m {last}) {const(0, w)})")
            z = equal(f"(z {at_place(k)})", exclusive(parts, w))
            yield self.defined(self.z_step(at_place(k)), negation(z))
            none = equal(f"(BO {at_place(k)})", "#b0")
            goes = equal(self.low(f"(O {at_place(k)})"), f"(z {at_place(k)})")
            still = equal(f"(BO {at_place(k + 1)})", "#b0")
            known = self.borrow_step(at_place(k), (("BO", "O"),))
            yield self.defined(none, *known, negation(all_of(goes, still)))

    # --- the theorem ------------------------------------------------------------------------------

    def of_numbers(self) -> Iterator[Obligation]:
        def asked(layer: str, name: str, solver: str, *texts: str) -> Obligation:
            return Obligation(layer, name, solver, texts)

        sums = (self.columns_sum(square) for square in (0, 1))
        yield asked("word", "the words of x·y are the sum of its products", "bitwuzla", *sums)
        yield asked("ring", "products of words make up x·y", "z3", *self.operands_multiplied())
        yield asked("ring", "what the last m leaves is a multiple of W", "z3", self.removed())
        yield asked("word", "so it is 0, being shorter", "bitwuzla", self.nothing())
        yield asked("word", "the columns of v are the sum of its products", "bitwuzla", self.reduced())
        yield asked("ring", "products of words make up those of m", "z3", *self.context_multiplied())
        yield asked("ring", "R·Z = x·y + K·N", "z3", self.congruent())
        yield asked("degree", "Z has a lower degree than N", "z3", self.degrees())
        yield asked("word", "z is Z", "bitwuzla", self.result())

    def columns_sum(self, square: int) -> str:
        """That the words of x·y are not the sum of all products, of a square of those of a word with itself,
        each at its column."""
        s, w = self.beats, self.word
        bits, lines = 2 * s * w, []
        for n, each in enumerate(self.plan.scans[square]):
            made = self.e_next(square, n, f"E{n}", f"|x{each.j}*y{each.k}|")
            lines.append(f"(define-fun E{n + 1} () (_ BitVec {self.acc}) {made})")
        pairs = sorted(((j, k) for j in range(s) for k in range(s)), key=sum)
        some = {f"|x{j}*y{k}|": w * (j + k) for j, k in pairs if j == k or not square}
        terms = (moved(name, 2 * w, up, bits) for name, up in some.items())
        whole = joined(self.low(f"E{end}") for end in self.plan.ends(self.plan.scans[square]))
        return self.free(dict.fromkeys(some, 2 * w), lines, equal(whole, exclusive(terms, bits)))

    def power(self, k: int) -> str:
        """W^k."""
        return f"(* {' '.join(['W'] * k)})" if k > 1 else "W" if k else "1"

    def polynomial(self, letter: str, count: int) -> str:
        """Words, put together."""
        return f"(+ {' '.join(f'(* {letter}{k} {self.power(k)})' for k in range(count))})"

    def operands_multiplied(self) -> Iterator[str]:
        """That the products of words do not make up x·y; those of a square x·x, but for twice something."""
        s = self.beats
        x, y = self.polynomial("x", s), self.polynomial("y", s)
        pairs = [(j, k) for j in range(s) for k in range(s)]
        some = " ".join(f"(* x{j} y{k} {self.power(j + k)})" for j, k in pairs)
        names = ["W", *(f"{letter}{k}" for letter in "xy" for k in range(s))]
        yield self.denied(names, [], equal(f"(+ {some})", f"(* {x} {y})"))
        own = " ".join(f"(* x{j} x{j} {self.power(2 * j)})" for j in range(s))
        twice = " ".join(f"(* x{j} x{k} {self.power(j + k)})" for j, k in pairs if j < k)
        names = ["W", *(f"x{k}" for k in range(s))]
        yield self.denied(names, [], equal(f"(+ {own} (* 2 (+ {twice})))", f"(* {x} {x})"))

    def removed(self) -> str:
        """That v0 and the lower word of m·n_0 are not W·t, but for twice v0, where three things are 0.

        Those are ``e1``, what n_0·n0' and 1 + g·W differ by, ``e2``, the same of v0·n0' and m + h·W, and
        ``e3``, of m·n_0 and low + high·W.
        """
        known = (
            "(= e1 (- (* n0 i) (+ 1 (* W g))))",
            "(= e2 (- (* v0 i) (+ m (* W h))))",
            "(= e3 (- (* m n0) (+ low (* W high))))",
        )
        names = ("W", "n0", "i", "g", "v0", "m", "h", "low", "high", "e1", "e2", "e3")
        t = "(- (* v0 g) (* h n0) high)"
        rest = "(+ (* 2 v0) (- (* v0 e1) (* n0 e2) e3))"
        return self.denied(names, known, equal(f"(- (+ v0 low) (* W {t}))", rest))

    def nothing(self) -> str:
        """That two words make up W·t, and not 0."""
        w = self.word
        left = zero_extend("(bvxor v0 low)", 2 * w)
        goal = implies(equal(left, f"(concat t {const(0, w)})"), equal("v0", "low"))
        return self.free({"v0": w, "low": w, "t": 2 * w}, (), goal)

    def reduced(self) -> str:
        """That W^s·V, with the words of m but the last, is not the sum of the lower words of x·y and of the
        products of m with N^, of the last one with N, each at its column."""
        s, w, plan = self.beats, self.word, self.plan
        bits, lines = self.acc + (2 * s - 1) * w, []
        for n, each in enumerate(plan.decisions):
            product = f"|m{each.j}*{'h' if each.kind == 'm' else 'n'}{each.k}|"
            made = self.u_next(n, f"U{n}", f"T{each.column}", product)
            lines.append(f"(define-fun U{n + 1} () (_ BitVec {self.acc}) {made})")
        columns = {f"T{c}": w * c for c in range(s)}
        some = {f"|m{j}*h{k}|": w * (j + k + 1) for j in range(s - 1) for k in range(s)}
        some |= {f"|m{s - 1}*n{k}|": w * (s - 1 + k) for k in range(s)}
        words = {**dict.fromkeys(columns, w), **dict.fromkeys(some, 2 * w)}
        ordered = sorted((columns | some).items(), key=lambda each: each[1])
        terms = (moved(name, words[name], up, bits) for name, up in ordered)
        v0 = [self.low(f"U{plan.completing(j) + 1}") for j in range(s)]
        nothing = equal(v0[-1], self.low(f"|m{s - 1}*n0|"))
        above = [self.low(f"U{plan.z_end(k) + 1}") for k in range(s - 1)]
        whole = joined([*v0[:-1], const(0, w), *above, f"U{plan.ending + 1}"])
        return self.free(words, lines, implies(nothing, equal(whole, exclusive(terms, bits))))

    def context_multiplied(self) -> Iterator[str]:
        """That the products of words of m and of N^ and N are not those of polynomials."""
        s = self.beats
        names = ["W", *(f"{letter}{k}" for letter in "mhn" for k in range(s))]
        m, h, n = self.polynomial("m", s - 1), self.polynomial("h", s), self.polynomial("n", s)
        some = " ".join(f"(* m{j} h{k} {self.power(j + k + 1)})" for j in range(s - 1) for k in range(s))
        yield self.denied(names, [], equal(f"(+ {some})", f"(* W {m} {h})"))
        some = " ".join(f"(* m{s - 1} n{k} {self.power(s - 1 + k)})" for k in range(s))
        yield self.denied(names, [], equal(f"(+ {some})", f"(* {self.power(s - 1)} m{s - 1} {n})"))

    @staticmethod
    def congruent() -> str:
        """That R·Z is not x·y + K·N where five things are 0.

        ``e1`` is what x·y and its words differ by, ``e2`` the same of W^s·V and its products, ``e3`` of W·N^
        and 1 + a·N, ``e4`` of N and its words with or without the term above them, which ``t`` says, ``e5``
        of Z and V, the upper words of x·y and, with that term, the last m. ``S`` are the words of m but the
        last, ``M`` is W^(s-1) times that, ``K`` is a·S + M.
        """
        known = (
            "(= e1 (- xy (+ low (* R high))))",
            "(= e2 (- (+ (* R V) S) (+ low (* W S H) (* M n))))",
            "(= e3 (- (* W H) (+ 1 (* a N))))",
            "(= e4 (- N (+ n (* t R))))",
            "(= e5 (- Z (+ V high (* t M))))",
            "(= K (+ (* a S) M))",
        )
        names = ("W", "R", "Z", "V", "xy", "low", "high", "S", "H", "M", "n", "N", "a", "t", "K")
        rest = "(+ (* R e5) (* S e3) e2 (- (+ e1 (* M e4))))"
        goal = equal("(- (* R Z) (+ xy (* K N)))", rest)
        return Carryless.denied((*names, "e1", "e2", "e3", "e4", "e5"), known, goal)

    def degrees(self) -> str:
        """That a, K or Z is too long.

        ``lf`` is the length of f: 0 of the polynomial 0, else one more than the degree; ``d`` is the degree
        of N.
        """
        w, s = self.word, self.beats

        def product(whole: str, f: str, g: str) -> str:
            return equal(whole, f"(ite (or (= {f} 0) (= {g} 0)) 0 (+ {f} {g} (- 1)))")

        def sum_(whole: str, f: str, g: str) -> str:
            return f"(or (<= {whole} {f}) (<= {whole} {g}))"

        known = [
            f"(and (<= 0 d) (<= d {s * w}) (= lN (+ d 1)))",
            *(f"(<= 0 {each} d)" for each in ("lx", "ly", "lH")),
            f"(and (<= 0 lS {(s - 1) * w}) (<= 0 lm {w}))",
            *(f"(<= 0 {each})" for each in ("la", "lK", "lZ")),
            product("laN", "la", "lN"),
            product("lWH", str(w + 1), "lH"),
            sum_("laN", "lWH", "1"),
            product("laS", "la", "lS"),
            product("lM", str((s - 1) * w + 1), "lm"),
            sum_("lK", "laS", "lM"),
            product("lKN", "lK", "lN"),
            product("lxy", "lx", "ly"),
            product("lRZ", str(s * w + 1), "lZ"),
            sum_("lRZ", "lxy", "lKN"),
        ]
        lengths = (*"NxyHSmaKZ", "aN", "WH", "aS", "M", "KN", "xy", "RZ")
        names = ("d", *(f"l{f}" for f in lengths))
        return self.denied(names, known, f"(<= la {w})", f"(<= lK {s * w})", "(<= lZ d)")

    def result(self) -> str:
        """That the words of the result are not Z, which is not longer than N."""
        s, w = self.beats, self.word
        bits = self.acc + (s - 1) * w
        words = {**{f"V{k}": w for k in range(s - 1)}, "end": self.acc, "m": w, "t": 1}
        words |= {f"T{k}": w for k in range(s)}
        above = f"(ite (= t #b1) m {const(0, w)})"
        lower = [f"V{k}" for k in range(s - 1)]
        upper = joined(f"T{k}" for k in range(s))
        parts = [joined([*lower, "end"]), zero_extend(upper, bits - s * w)]
        parts.append(moved(above, w, (s - 1) * w, bits))
        z = [f"(bvxor {v} T{k})" for k, v in enumerate(lower)]
        z.append(f"(bvxor {self.low('end')} T{s - 1} {above})")
        short = f"(bvult Z {const(1 << (s * w), bits)})"
        lines = [f"(define-fun Z () (_ BitVec {bits}) {exclusive(parts, bits)})"]
        return self.free(words, lines, implies(short, equal(zero_extend(joined(z), bits - s * w), "Z")))
