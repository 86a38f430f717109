# SPDX-License-Identifier: Apache-2.0
"""montgomery_csa2: two carry-save adders a step, the first for x_i·y, the second for q_i·M."""

from __future__ import annotations

from modmul.prove.product.carry_save import RUN, At, Proof
from modmul.prove.terms import Relation, const, equal, extract

__all__ = ["TwoAdders"]


class TwoAdders(Proof):
    """Its digit is the lowest bit of X, its quotient digit the lowest bit of the first adder's sum."""

    def row(self, digit: int, quotient: int) -> list[Relation]:
        width = self.width
        (s, c), (s_next, c_next) = self.sum, self.sum_next
        s1, c1 = self.named("core.s1", width + 1), self.named("core.c1", width + 2)
        s2, c2 = self.named("core.s2", width + 2), self.named("core.c2", width + 3)
        found = [Relation({(c1, 0): 1}, {}), Relation({(c2, 0): 1}, {}), Relation({(s2, 0): 1}, {})]
        found.append(Relation({(c2, width + 2): 1}, {}))
        for j in range(width + 2):
            added = {(self.operand, j): 1} if digit and j < width else {}
            if j <= width:
                found.append(Relation({(s1, j): 1, (c1, j + 1): 2}, {(s, j): 1, (c, j): 1, **added}))
                found.append(Relation({(s_next, j): 1}, {(s2, j + 1): 1}))
                found.append(Relation({(c_next, j): 1}, {(c2, j + 1): 1}))
            taken = {(self.modulus, j): 1} if quotient and j < width else {}
            above = {(s1, j): 1} if j <= width else {}
            found.append(Relation({(s2, j): 1, (c2, j + 1): 2}, {**above, (c1, j): 1, **taken}))
        return found

    def chosen(self, digit: int, quotient: int) -> tuple[str, ...]:
        lowest = extract(self.now.state("core.s1"), 0, 0)
        return (
            self.now.in_(RUN),
            self.now.state.is_("core.x_bit", digit),
            equal(lowest, const(quotient, 1)),
        )

    def digit(self, at: At) -> str:
        return at.state.is_("core.x_bit", 1)

    def kept(self, at: At, k: int) -> tuple[list[str], list[str]]:
        state = at.state
        words = [at.word(state("core.u_m.value_q"), k), state(f"core.u_m_words.words[{k}]")]
        return words, [at.word(state("core.u_y.value_q"), k)]

    def left(self, at: At) -> str:
        return f"(bvlshr {at.state('x')} {self.step(at)})"
