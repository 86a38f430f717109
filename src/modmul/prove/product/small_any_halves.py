# SPDX-License-Identifier: Apache-2.0
"""Of ``small_any``: the words of an operation for whose step 2 t and v are cut in halves.

The product of the lower halves is left out there, and in step 3 LUTs may multiply the upper bits of w.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from modmul.prove.product.small_any_words import Words
from modmul.prove.product.small_pipeline import denied, total
from modmul.prove.product.small_words import Chain, pieces
from modmul.prove.terms import Compared, Congruent, Joined, Word, all_of, const, equal, implies

__all__ = ["Halved"]

QUOTIENT, CORNER = "core.u_quotient.gen_halves.", "core.u_rest.gen_corner."


@dataclass
class Halved(Words):
    """The words of an operation."""

    # --- step 2 -----------------------------------------------------------------------------------

    @property
    def half(self) -> int:
        """Bits of a lower half."""
        return self.width + 1 + self.guard - (self.width + 3) // 2

    @property
    def least(self) -> int:
        return -(1 << self.shift - 1)

    def _quotient(self) -> Chain:
        age, low = self.ages[0], self.half
        _, t = self.split(self.product, self.t_place)
        (t0, t1), (v0, v1) = self.split(t, low), self.split(self.v, low)
        bits = t.bits + 3
        value = 1 << self.shift - 1 - low
        rounds = Word("half", const(value, bits), bits)
        self.part(Compared({rounds: 1}, "=", {}, value))
        self.delay(f"{QUOTIENT}u_t0", age, 1, t0.term)
        self.delay(f"{QUOTIENT}u_t1", age, 2, t1.term)
        first = self.block(f"{QUOTIENT}u_cross_v", age, (t1, v0), {rounds: 1}, bits)
        second = self.block(f"{QUOTIENT}u_cross_t", age + 1, (t0, v1), {first.out: 1}, bits, negative=True)
        lower, carry = self.split(second.out, low)
        whole = self.width + 1 + self.shift - 2 * low
        third = self.block(
            f"{QUOTIENT}u_high", age + 2, (t1, v1), self.extended(carry, whole), whole, negative=True
        )
        least, self.w = self.split(third.out, self.shift - 2 * low)
        self.place("core.w", self.ages[1], self.w.term)
        blocks = [(low, first), (low, second), (2 * low, third)]
        return Chain(blocks, [(low, lower), (2 * low, least)])

    def bounded(self) -> Iterator[str]:
        yield from super().bounded()
        yield self.within(self.half, self.half)

    def quotient_value(self) -> tuple[str, str, list[str], list[str]]:
        """The product of t and v, and what is below w less the half that is added; ``d`` is t0 times v0."""
        chain, low = self.quotients, self.half
        first, second, _ = (block.product for _, block in chain.blocks)
        above = 1 << self.v_bits
        lost = total([(above, second.left.whole), (above << low, first.left.whole)])
        value = f"(- (+ {chain.products} d) {lost})"
        below = f"(- (+ {chain.value} d) {-self.least})"
        return value, below, ["d"], [f"(<= 0 d {((1 << low) - 1) ** 2})"]

    def quotient_right(self) -> str:
        base, above = 1 << self.half, 1 << self.v_bits
        made = total([(base, "(* t1 v0)"), (base, "(* t0 v1)"), (base * base, "(* t1 v1)"), (1, "(* t0 v0)")])
        t, v = (f"(+ {each}0 (* {base} {each}1))" for each in "tv")
        lost = total([(above, "t0"), (above * base, "t1")])
        return denied(["t0", "t1", "v0", "v1"], [], equal(f"(* {t} (- {v} {above}))", f"(- {made} {lost})"))

    # --- step 3 -----------------------------------------------------------------------------------

    def _first(self, low: Word, age: int) -> tuple[Word, Word]:
        """LUTs add the product of the upper bits of w to those of T."""
        if self.width < self.wide:
            return super()._first(low, age)
        w, upper = self.split(self.w, self.wide)
        t, came = self.split(low, self.wide)
        sums = {came: 1}
        m, _ = self.split(self.modulus, upper.bits)
        for i, digit in enumerate(self.cuts(upper, pieces(upper.bits, 2))):
            bits = upper.bits - 2 * i
            multiple = Word(f"multiple {i}", f"|multiple {i}|", bits)
            cases = (
                Joined(
                    implies,
                    (Compared({digit: 1}, "=", {}, k), Congruent({multiple: 1}, {m: k} if k else {}, bits)),
                )
                for k in range(min(1 << digit.bits, 1 << bits))
            )
            self.defined[multiple] = (age + 1, Joined(all_of, tuple(cases)))
            self.digits.append((digit, multiple))
            sums[multiple] = 1 << 2 * i
        corner = self.made("corner", upper.bits, age + 1, sums)
        first = self.made("first", self.width + 1, age + 1, {t: 1, corner: 1 << self.wide})
        self.delay(f"{CORNER}u_first", age, 1, first.term)
        return first, w
