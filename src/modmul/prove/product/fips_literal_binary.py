# SPDX-License-Identifier: Apache-2.0
"""Of ``fips_literal``: z is x·y/R mod N in GF(2^m).

As in GF(p), for polynomials N with the constant term 1 of a degree below s words, and all x, y of a lower
degree. Sums are without carries, the product of two words is one of polynomials, W is t^w; squares have the
products of a word with itself alone. Therefore the layers behind the invariant are those of ``fips_binary``.
"""

from __future__ import annotations

from collections.abc import Iterator

from modmul.prove.product.fips_binary import Carryless, Exclusive, Given, exclusive, joined, moved
from modmul.prove.product.fips_literal_where import MUL, InOneSum, Step
from modmul.prove.product.fips_where import at_place
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, const, equal, implies, negation

__all__ = ["CarrylessAsPrinted"]


class CarrylessAsPrinted(InOneSum, Carryless):
    """The obligations of a build."""

    # --- the multiplier ---------------------------------------------------------------------------

    def tree_facts(self) -> Iterator[Exclusive]:
        for wire, source in self.wires():
            yield Exclusive(wire, {source: 0})
        for a, b, c, total, carry in self.adders():
            yield Exclusive(total, {a: 0, b: 0, c: 0})
            yield Exclusive(carry, {})
        for k, (row, part) in enumerate(self.rows()):
            yield Exclusive(row, {part: k})

    def product_facts(self) -> Iterator[Given]:
        total, carry = (self.tree_word(f"{MUL}{name}") for name in ("sum", "carry"))
        yield Given(Exclusive(carry, {}), Exclusive(self.multiple, {total: 0}))

    def multiplied(self) -> Iterator[str]:
        """That the product is not the sum of the rows."""
        [last] = self.product_facts()
        bits = 2 * self.word
        rows = exclusive((moved(f"|part.{k}|", self.word, k, bits) for k in range(self.word)), bits)
        goals = (last.condition.over_names(), equal(self.multiple.whole, rows))
        yield self.named([*self.tree_facts(), last.fact], negation(all_of(*goals)))

    # --- words ------------------------------------------------------------------------------------

    @staticmethod
    def made_at(each: Step) -> str:
        """The product of a place that has one to be added."""
        left, right = "XY" if each.kind == "ab" else "mN"
        return f"(P ({left} {at_place(each.j)}) ({right} {at_place(each.k)}))"

    def of_definitions(self) -> Iterator[Obligation]:
        removed = []
        for square, name in enumerate(("product", "square")):
            chosen = "square" if square else negation("square")
            texts = []
            for n, each in enumerate(self.plan.scans[square]):
                made = self.e_next(square, n, f"(E {at_place(n)})", self.made_at(each))
                shown = equal(f"(E {at_place(n + 1)})", made)
                texts.append(self.defined(chosen, self.e_step(at_place(n)), negation(shown)))
            yield Obligation("step", f"the columns, of a {name}", "bitwuzla", tuple(texts))
            removed += [self.defined(chosen, *texts) for texts in self.lowest(square)]
        yield Obligation("step", "what each m is added to", "bitwuzla", tuple(removed))
        yield Obligation("step", "the words of the result", "bitwuzla", tuple(self.result_words()))

    def lowest(self, square: int) -> Iterator[tuple[str, ...]]:
        """That m is not the lower word of v0·n0'; that the lowest word of a column is not the sum of v0 and
        that of m·n_0."""
        for i, n in enumerate(self.plan.asks(square)):
            k, end = at_place(i), self.plan.ends(self.plan.scans[square])[i]
            parts = [f"(v0 {k})", self.low(f"(P (m {k}) (N {at_place(0)}))")]
            shown = (
                equal(f"(m {k})", self.low(f"(P (v0 {k}) inverse)")),
                equal(self.low(f"(E {at_place(end)})"), exclusive(parts, self.word)),
            )
            yield self.e_step(at_place(n)), self.e_step(at_place(n + 1)), negation(all_of(*shown))

    def result_words(self) -> Iterator[str]:
        """That a word of the result is not what E holds at its end; that another one leaves."""
        for k in range(self.beats):
            here, more = at_place(k), at_place(k + 1)
            for square, chosen in enumerate((negation("square"), "square")):
                end = self.plan.ends(self.plan.scans[square])[self.beats + k]
                word = equal(f"(z {here})", self.low(f"(E {at_place(end)})"))
                yield self.defined(chosen, negation(word))
            goes = equal(self.low(f"(O {here})"), f"(z {here})")
            known = (equal(f"(BO {here})", "#b0"), *self.borrow_step(here, (("BO", "O"),)))
            yield self.defined(*known, negation(all_of(goes, equal(f"(BO {more})", "#b0"))))

    # --- the theorem ------------------------------------------------------------------------------

    def of_numbers(self) -> Iterator[Obligation]:
        def asked(layer: str, name: str, solver: str, *texts: str) -> Obligation:
            return Obligation(layer, name, solver, texts)

        sums = (self.columns_sum(square) for square in (0, 1))
        yield asked("ring", "what each m leaves is a multiple of W", "z3", self.removed())
        yield asked("word", "so it is 0, being shorter", "bitwuzla", self.nothing())
        yield asked("word", "R·Z is the sum of all products", "bitwuzla", *sums)
        yield asked("ring", "products of words make up x·y, and M·N", "z3", *self.operands_multiplied())
        yield asked("degree", "Z has a lower degree than N", "z3", self.degrees())

    def columns_sum(self, square: int) -> str:
        """That the upper words which E leaves, where the lower ones are 0, are not the sum of all products,
        each at its column; of a square, of those of a word with itself."""
        s, w = self.beats, self.word
        bits, lines = 2 * s * w, []
        for n, each in enumerate(self.plan.scans[square]):
            name = f"|{'x{}*y{}' if each.kind == 'ab' else 'm{}*n{}'}|".format(each.j, each.k)
            lines.append(
                f"(define-fun E{n + 1} () (_ BitVec {self.acc}) {self.e_next(square, n, f'E{n}', name)})"
            )
        some = {f"|m{j}*n{k}|": w * (j + k) for j in range(s) for k in range(s)}
        some |= {f"|x{j}*y{k}|": w * (j + k) for j in range(s) for k in range(s) if j == k or not square}
        terms = (moved(name, 2 * w, up, bits) for name, up in sorted(some.items(), key=lambda each: each[1]))
        words = [self.low(f"E{end}") for end in self.plan.ends(self.plan.scans[square])]
        none = const(0, w)
        whole = equal(joined([none] * s + words[s:]), exclusive(terms, bits))
        goal = implies(all_of(*(equal(word, none) for word in words[:s])), whole)
        return self.free(dict.fromkeys(some, 2 * w), lines, goal)

    def degrees(self) -> str:
        """That Z is too long.

        ``lf`` is the length of f: 0 of the polynomial 0, else one more than the degree; ``d`` is the degree
        of N.
        """
        bits = self.beats * self.word

        def product(whole: str, f: str, g: str) -> str:
            return equal(whole, f"(ite (or (= {f} 0) (= {g} 0)) 0 (+ {f} {g} (- 1)))")

        known = [
            f"(and (<= 0 d) (< d {bits}) (= lN (+ d 1)))",
            *(f"(<= 0 {each} d)" for each in ("lx", "ly")),
            f"(and (<= 0 lM {bits}) (<= 0 lZ))",
            product("lxy", "lx", "ly"),
            product("lMN", "lM", "lN"),
            product("lRZ", str(bits + 1), "lZ"),
            "(or (<= lRZ lxy) (<= lRZ lMN))",
        ]
        return self.denied(
            ("d", *(f"l{f}" for f in ("x", "y", "M", "N", "Z", "xy", "MN", "RZ"))), known, "(<= lZ d)"
        )
