# SPDX-License-Identifier: Apache-2.0
"""Of ``scalable_radix2``: R·z = x·y + k·M for an integer k, and 0 <= z < M.

From reset to result, at full width, for every context with the length ``Width``, for all operands x, y <= M
and any behaviour at the ports, resets included. What is around the row is that of ``scalable_radix2_right``,
and so is the argument. Here Z stays where it is, while Y and M go up by a bit in each element, so that their
lowest bit is bit i of the first word in element i, and below it everything is 0. There are as many elements
as a word has bits: in the last one the first word becomes 0, and the next pass begins with the one above it.
Element i has word w before it in cycle i + 1 + w of a pass, and what it makes of it goes on a cycle later.
With P for 2^m before bit m, this is right of the words that come into element i, which takes the bit:

    VS + VC = 2^i·W                           VS and VC are the numbers that the words make up
    Y' = 2^i·y, M' = 2^i·M                    the same of the words of Y and M
    P·W = (x mod P)·y + l·M                   0 <= l < P
    0 <= W <= y + M

- **invariant** (bitwuzla, on the netlist): where everything is, :mod:`~modmul.prove.product.systolic`; and
  where the lowest bit of a first word is, also of the one that follows the last word of Z: below it Y, M, ZS
  and ZC are 0, and of M it is 1.
- **step** (bitwuzla, on the netlist): each place of an operation has the place before behind it, with the
  same operands; what an element makes of a word, weighted: two carry-save adders and what feeds them, words
  of Y and M as they go up; that up to its lowest bit the first word becomes 0, all of it in the last element,
  where the one that follows the last word becomes 0, too.
- **number** (z3, integers): the words sum up, their carries cancelling, and nothing is carried out of the
  last one; an element makes W' = (W + X·y + Q·M) / 2 of W. The lemmas about bits of x, the result unit and
  the induction are those of :class:`~modmul.prove.product.scalable_radix2_right.BitByBit`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Self

from modmul.prove.product.scalable_radix2_right import BitByBit
from modmul.prove.product.systolic import CONTROL, At
from modmul.prove.product.systolic_row import FACTORS, Z, is_, same, when
from modmul.prove.solve import Obligation
from modmul.prove.terms import Fact, Word, all_of, any_of, equal, extract, implies, shown_sum
from modmul.room import Build

__all__ = ["BitByBitLeft"]


class BitByBitLeft(BitByBit):
    """The obligations of a build in which no word of Z waits between two passes, and none is aligned."""

    @classmethod
    def on(cls, build: Build, text: str) -> Self:
        config: Any = build.config
        if config.pes != config.word:
            raise ValueError(f"{build}: the proof is written for an element for each bit of a word")
        return super().on(build, text)

    # --- the row ----------------------------------------------------------------------------------

    def pos(self, i: int) -> int:
        """The lowest bit of the products in element i; behind the last one it is in another word."""
        return i % self.word

    def clears(self, i: int) -> bool:
        """Whether the first word has become 0 behind element i, so that the second takes its place."""
        return i == self.pes - 1

    def comes(self, i: int) -> int:
        """The word of a pass in which word 0 comes into element i."""
        return i + 1

    def gone(self, w: int) -> int:
        """Bits of x that a pass has taken before word w: each in the cycle before the first word."""
        return sum(self.takes(i) <= w for i in range(self.pes))

    @cached_property
    def flags(self) -> list[str]:
        """First flags, stage by stage."""
        return [f"{CONTROL}first_q", *(f"{self.pe(i)}first_q" for i in range(self.pes))]

    # --- the invariant ----------------------------------------------------------------------------

    def _loop(self, at: At) -> Iterator[str]:
        yield from super()._loop(at)
        gap = f"{CONTROL}gen_with_gaps.gap_q"
        for w in range(self.period):
            yield implies(at.word_(w), at.is_(gap, w % (self.word + 1)))

    def _flags(self, at: At) -> Iterator[str]:
        yield from self._firsts(at)
        # where the lowest bit of a first word is
        for i in range(self.pes):
            pe, pos, stage = self.pe(i), self.pos(i), self.takes(i)
            facts = [at.ends(f"{pe}{name}_i", pos) for name in (*Z, "y", "m")]
            facts.append(equal(extract(at(f"{pe}m_i"), pos, pos), "#b1"))
            if not self.clears(i):
                facts += [at.low(f"{pe}{name}_below_q") for name in "ym"]
            yield implies(any_of(at.word_(stage), at.tail(stage)), all_of(*facts))

    # --- what the netlist does --------------------------------------------------------------------

    def word_facts(self, i: int, w: int) -> Iterator[Fact]:
        """What element i makes of word w as it comes."""
        now, then, pe, base = self.now, self.next, self.pe(i), self.word
        out = {self.named(then, pe, f"{name}_o", w): 1 for name in Z}
        out |= {self.named(then, pe, name, w + 1): 1 << base for name in ("cx_q", "cq_q")}
        added = {self.named(now, pe, f"{name}_i", w): 1 for name in Z}
        added |= {self.named(now, pe, f"{name}_mul", w): 1 for name in "xq"}
        if w:
            added |= {self.named(now, pe, name, w): 1 for name in ("cx_q", "cq_q")}
        yield same(out, added)
        if w == 0:
            yield from self.cleared(i)
        for digit, name in FACTORS:
            word, multiple = self.named(now, pe, f"{name}_i", w), self.named(now, pe, f"{digit}_mul", w)
            taken = self.digit(i, "x") if digit == "x" else self.quotient(i)
            for value in (0, 1):
                yield when([is_(taken, value)], same({multiple: 1}, {word: 1} if value else {}))
            if not self.clears(i):
                yield from self.goes_on(i, w, name)

    def cleared(self, i: int) -> Iterator[Fact]:
        """That the first word of Z is 0 up to its lowest bit, as it leaves element i."""
        for name in Z:
            word = self.named(self.next, self.pe(i), f"{name}_o", 0)
            yield is_(word, 0) if self.clears(i) else same({word: 1}, {self._high(i, name): 2 << self.pos(i)})

    def _high(self, i: int, name: str) -> Word:
        """What is above."""
        return self.named(self.next, self.pe(i), f"{name}_o", 0, (self.word - 1, self.pos(i) + 1))

    def goes_on(self, i: int, w: int, name: str) -> Iterator[Fact]:
        """A word of Y or M, twice, as it leaves element i."""
        now, then, pe, base = self.now, self.next, self.pe(i), self.word
        word, out = self.named(now, pe, f"{name}_i", w), self.named(then, pe, f"{name}_o", w)
        top = self.named(now, pe, f"{name}_i", w, (base - 1, base - 1))
        below = self.named(now, pe, f"{name}_below_q", w)
        if w == 0:
            yield is_(below, 0)
        yield same({out: 1, top: 1 << base}, {word: 2, below: 1})

    def gone_facts(self, i: int, w: int) -> Iterator[Fact]:
        """What is left of word w: the highest bits of Y and M; the last element leaves 0 above that of Z."""
        now, then, pe, top = self.now, self.next, self.pe(i), (self.word - 1, self.word - 1)
        if self.clears(i):
            if w == self.period - 1:
                yield from (is_(self.named(then, pe, f"{name}_o", w + 1), 0) for name in Z)
        elif w < self.period - 1:
            for name in "ym":
                below = self.named(then, pe, f"{name}_below_q", w + 1)
                yield same({below: 1}, {self.named(now, pe, f"{name}_i", w, top): 1})

    def _row(self) -> Iterator[Obligation]:
        for each in super()._row():
            if not each.name.startswith("a word goes on"):
                yield each
        for i in range(self.pes):
            first, behind = self.takes(i), self.takes(i) + self.period
            cycles, w = ([behind], self.period - 1) if self.clears(i) else (range(first, behind - 1), 0)
            where = any_of(*(each for c in cycles for each in self.now.phase(c)))
            yield self._facts(f"what is left of a word in element {i}", where, *self.gone_facts(i, w))

    # --- numbers ----------------------------------------------------------------------------------

    def _over(self, i: int, name: str, labels: Iterable[int], at: At | None = None) -> list[Word]:
        """A signal of element i, word by word; what leaves it, as the next one counts."""
        dropped = self.clears(i) and name.endswith("_o")
        return super()._over(i, name, [label + dropped for label in labels], at)

    def _element_facts(self, i: int) -> list[Fact]:
        every = range(self.period)
        return [fact for w in every for fact in (*self.word_facts(i, w), *self.gone_facts(i, w))]

    def _left(self, i: int) -> tuple[str, str]:
        """What leaves element i, and that without the zeros below its lowest bit."""
        every = range(self.period)
        words = {name: self._over(i, f"{name}_o", every, self.next) for name in Z}
        out = self._value(*words.values())
        if self.clears(i):
            return out, out
        weights = {self._high(i, name).whole: 1 for name in Z}
        for each in words.values():
            weights |= {
                word.whole: 1 << (self.word * w - self.pos(i) - 1) for w, word in enumerate(each) if w
            }
        return out, shown_sum(weights)

    def summed_up(self, i: int) -> str:
        """That what leaves element i is not what its words sum up to, but for what is carried out."""
        every, n = range(self.period), 1 << self.sum_bits
        came = self._value(*(self._over(i, f"{name}_i", every) for name in Z))
        multiples = self._value(*(self._over(i, f"{name}_mul", every) for name in "xq"))
        over = [self.named(self.next, self.pe(i), name, self.period).whole for name in ("cx_q", "cq_q")]
        out, above = self._left(i)
        goals = [
            equal(
                f"(+ (* {2 << self.pos(i)} {above}) (* {n} (+ {' '.join(over)})))", f"(+ {came} {multiples})"
            ),
            equal(out, f"(* {1 << self.pos(i + 1)} {above})"),
        ]
        return self._holding(self._element_facts(i), all_of(*goals))

    def passed_on(self, i: int, name: str) -> str:
        """That the words of Y or M do not go on twice, counted from the lowest bit of the next element."""
        every = range(self.period)
        came, out = (
            self._value(self._over(i, f"{name}_{ending}", every, at))
            for ending, at in (("i", self.now), ("o", self.next))
        )
        known = [equal(came, f"(* {1 << self.pos(i)} V)"), f"(and (<= 0 V) (< V {1 << self.width}))"]
        goal = equal(out, f"(* {1 << self.pos(i + 1)} V)")
        return self._holding(self._element_facts(i), goal, *known, lines="(declare-const V Int)")

    def element(self, i: int = 0, x: int = 0, q: int = 0) -> str:
        """That element i leaves something else than W', in terms of what its words sum up to.

        ``V`` and ``over`` are sums of numbers that are not negative; so nothing is carried out.
        """
        scale = 1 << self.pos(i)
        known = [
            *self.in_range,
            f"(= (+ VS VC) (* {scale} W))",
            f"(= XM (* {x * scale} y))",
            f"(= QM (* {q * scale} m))",
            f"(= (+ (* {2 * scale} V) (* {1 << self.sum_bits} over)) (+ VS VC XM QM))",
            "(and (<= 0 V) (<= 0 over))",
        ]
        goals = ["(= over 0)", f"(= (* 2 V) (+ W (* {x} y) (* {q} m)))"]
        return self._denied(("VS", "VC", "W", "y", "m", "XM", "QM", "V", "over"), known, goals)

    def of_numbers(self) -> Iterator[Obligation]:
        yield from super().of_numbers()
        for i in range(1, self.pes):
            texts = tuple(self.element(i, x, q) for x in (0, 1) for q in (0, 1))
            yield Obligation("number", f"element {i} makes W' of W", "z3", texts)

    def possible(self) -> Iterator[str]:
        yield from super().possible()
        yield self._holding(self._element_facts(self.pes - 1), "false")
