# SPDX-License-Identifier: Apache-2.0
"""Of ``pipelined``: the words of an operation, step by step."""

from __future__ import annotations

from dataclasses import dataclass, field

from modmul.prove.product.pipelined_kinds import Added, Split, Upper
from modmul.prove.product.pipelined_parts import Parts
from modmul.prove.terms import Compared, Congruent, Joined, Word, all_of, implies

__all__ = ["Steps"]

FOLD, QUOTIENT = "core.gen_any.u_fold", "core.gen_any.u_quotient"
REST, FINAL = "core.gen_any.u_remainder", "core.gen_final.u_final"


@dataclass
class Steps(Parts):
    """The words of an operation of a build for any modulus.

    Attributes:
        product: step 1, T.
        folds: step 2, the products of the highest bits of T with both halves of K.
        join: the sum of these, without the lowest bits.
        fold: the product of the highest bits of T with K.
        folded: T'.
        quotient: step 3, q.
        multiple_low: step 4, q times the lower bits of M.
        multiple_high: the same of those above, if there are any, of which the lower bits.
        multiple_sum: the sum of both, without the lowest bits.
        multiple: q times M, the lower bits.
        rest: r.
        difference: step 5, r - M.
    """

    product: Split = field(init=False)
    folds: tuple[Split, Split] = field(init=False)
    join: Added = field(init=False)
    fold: Word = field(init=False)
    folded: Added = field(init=False)
    quotient: Upper = field(init=False)
    multiple_low: Split = field(init=False)
    multiple_high: Upper | None = field(init=False, default=None)
    multiple_sum: Added | None = field(init=False, default=None)
    multiple: Word = field(init=False)
    rest: Added = field(init=False)
    difference: Added = field(init=False)

    def __post_init__(self) -> None:
        x, y, _ = self.given
        self.product = self.split_product("core.u_product", 0, x, y)
        stages = self.config.stages
        self._fold(stages["1"])
        self._quotient(stages["2"])
        self._rest(stages["3"])
        self._final(stages["4"])

    # --- the context and sizes ----------------------------------------------------------------------

    @property
    def half(self) -> int:
        return int(self.config.half)

    @property
    def fold_at(self) -> int:
        return int(self.config.fold_at)

    @property
    def behind(self) -> int:
        return int(self.config.behind)

    @property
    def corner(self) -> int:
        return int(self.config.tile_b) // 2

    @property
    def point(self) -> int:
        """Bits of t times U behind the point."""
        return self.half + 4 + self.behind

    @property
    def u_bits(self) -> int:
        return self.half + 5

    @property
    def modulus(self) -> Word:
        return self.slice(self.given[-1], 0, self.width)

    @property
    def k(self) -> Word:
        return self.slice(self.given[-1], self.width, self.width)

    @property
    def u(self) -> Word:
        return self.slice(self.given[-1], 2 * self.width, self.u_bits)

    # --- the steps ----------------------------------------------------------------------------------

    def _fold(self, age: int) -> None:
        """Step 2: T' = T mod 2**F + (T >> F) * K."""
        n, c = self.width, self.half
        low, high = self.split(self.product.out, self.fold_at)
        k_low, *above = self.split(self.k, c)
        k_high = self.longer(above[0], c)
        first = self.split_product(f"{FOLD}.u_low_product", age, high, k_low)
        second = self.split_product(f"{FOLD}.u_high_product", age, high, k_high)
        self.folds = (first, second)
        cycles, steps = int(self.config.mul_cycles(c)), self.steps(n)
        lower, upper = self.split(first.out, c)
        self.join = self.added(f"{FOLD}.u_join", age + cycles, self.longer(upper, n), self.low(second.out, n))
        self.delay(f"{FOLD}.u_lower", age + cycles, steps, lower.term)
        self.fold = self.joined("fold", [lower, self.join.sum])
        self.delay(f"{FOLD}.u_low", age, cycles + steps, low.term)
        bits = n + c + 1
        sides = (self.longer(each, bits) for each in (low, self.fold))
        self.folded = self.added(f"{FOLD}.u_sum", age + cycles + steps, *sides)

    def _quotient(self, age: int) -> None:
        """Step 3: q = t * U >> (c + 4 + b)."""
        config = self.config
        folded = self.folded.sum
        place = self.width - self.behind
        t = self.slice(folded, place, folded.bits - place)
        self.quotient = self.upper(
            QUOTIENT,
            age,
            self.u,
            t,
            self.half + 2,
            guard=int(config.guard),
            margin=int(config.margin),
            corner=self.corner,
        )
        cycles = int(config.stages["3"]) - age
        self.delay("core.gen_any.u_sum_late", age, cycles, self.low(folded, self.width + 1).term)

    def _rest(self, age: int) -> None:
        """Step 4: r = T' - q * M, in n + 1 bits."""
        n, q_bits, split = self.width, self.half + 2, int(self.config.lower)
        q, config = self.quotient.out, self.config
        m_low, *more = self.split(self.modulus, split)
        self.multiple_low = self.split_product(f"{REST}.u_low", age, q, self.longer(m_low, q_bits))
        low, cycles = self.low(self.multiple_low.out, n + 1), int(config.mul_cycles(q_bits))
        above, both, steps = n + 1 - split, cycles, 0
        self.multiple = low
        if more:
            high_cycles, steps = int(config.half_cycles(above, high=False)), self.steps(above)
            both = max(cycles, high_cycles)
            self.delay(f"{REST}.u_low_late", age + cycles, both - cycles, low.term)
            high = f"{REST}.gen_high"
            upper = self.upper(
                f"{high}.u_high",
                age,
                self.longer(more[0], above),
                self.low(q, above),
                above,
                corner=self.corner,
            )
            self.multiple_high = upper
            self.delay(f"{high}.u_high_late", age + high_cycles, both - high_cycles, upper.out.term)
            below, rest = self.split(low, split)
            self.multiple_sum = self.added(f"{high}.u_sum", age + both, rest, upper.out)
            self.delay(f"{high}.u_below", age + both, steps, below.term)
            self.multiple = self.joined("multiple", [below, self.multiple_sum.sum])
        folded = self.low(self.folded.sum, n + 1)
        self.delay(f"{REST}.u_t", age, both + steps, folded.term)
        self.rest = self.added(f"{REST}.u_less", age + both + steps, folded, self.multiple, True)

    def _final(self, age: int) -> None:
        """Step 5: r or r - M."""
        n = self.width
        r, m = (self.longer(each, n + 2) for each in (self.rest.sum, self.modulus))
        self.difference = self.added(f"{FINAL}.u_less", age, r, m, True)
        low, steps = self.low(self.rest.sum, n), self.steps(n + 2)
        self.delay(f"{FINAL}.u_r", age, steps, low.term)
        less, _, sign = self.split(self.difference.sum, n, n + 1)
        ways = ((1, low), (0, less))
        chosen = [
            Joined(implies, (Compared({sign: 1}, "=", {}, value), Congruent({self.z: 1}, {came: 1}, n)))
            for value, came in ways
        ]
        self.defined[self.z] = (age + steps + 1, Joined(all_of, tuple(chosen)))
        self.place(f"{FINAL}.z_q", age + steps + 1, self.z.term)
