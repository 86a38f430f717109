# SPDX-License-Identifier: Apache-2.0
"""Of ``scalable_booth4_right``: R·z = x·y + k·M for an integer k, and 0 <= z < M.

From reset to result, at full width, for every context with the length ``Width`` and the M^ that belongs to
M, for all operands x, y <= M and any behaviour at the ports, resets included. What is around the row is that
of ``scalable_booth4_left``, and so is the argument. Here Z goes down by a digit in each element, while Y and
M^ stay where they are, so all elements are alike: element i has word w before it in cycle 2i + 1 + w of a
pass, takes its digits with word 0, and has made of a word what goes on two cycles later. With N for the T·w
bits of a sum, and P for 4^m before digit m, this is right of the words that come into the digit's element:

    VS + VC = W + a multiple of 2^N           VS and VC are the numbers that the words make up
    Y' = y, M' = M^                           modulo 2^N, the same of the words of Y and M^
    P·(W + 2s) = 4·L·y + K·M~                 M~ = 4·M^ - 1 = M or -M; s is S_Q of the element before
    L = (x mod P) - P·t, K = l - P·s          t is the bit of x below digit m; 0 <= l < P, l mod 4 = 0
    3·|W + 2s| <= 2·M + 8·y

- **invariant** (bitwuzla, on the netlist): where everything is, :mod:`~modmul.prove.product.systolic`, with
  two first flags an element.
- **step** (bitwuzla, on the netlist): each place of an operation has the place before behind it, with the
  same operands; what an element keeps of a word that comes, and what it makes of it in the next cycle,
  weighted: two carry-save adders, what feeds them, what comes in above the word, two bits of the next one or
  the sign; how the digits are coded. The same of the way back to the first element, of the words of operands
  as they enter, of the result unit.
- **number** (z3, integers): the words sum up, their carries cancelling; the sign that comes in above the last
  word; an element makes W' of W. The lemmas about digits, about the result unit and about the induction over
  places and clock cycles are those of :class:`~modmul.prove.product.scalable_booth4_left.LeftShifting`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Self

from modmul.prove.netlist import system
from modmul.prove.product.scalable_booth4_left import LeftShifting
from modmul.prove.product.serial import TOP
from modmul.prove.product.systolic import ARRAY, CONTROL, RESULT, SHELL, At, bench
from modmul.prove.product.systolic_row import FACTORS, SIGNS, Z, is_, same, when
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Fact,
    Word,
    all_of,
    any_of,
    const,
    equal,
    implies,
    negation,
    number,
    shown_sum,
)
from modmul.room import Build

__all__ = ["RightShifting"]


class RightShifting(LeftShifting):
    """The obligations of a build in which no word of Z waits between two passes."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if not config.signed_m:
            raise ValueError(f"{build}: the proof is written for SignedM")
        return cls.on(build, bench(build))

    @classmethod
    def on(cls, build: Build, text: str) -> Self:
        """With the text of a bench.

        Raises:
            ValueError: the build is none that the proof is written for.
        """
        config: Any = build.config
        if config.beats * config.word != config.width or config.beats < 2 or not config.reduce:
            raise ValueError(f"{build}: the proof is written for operands of words and Reduce")
        if config.period != config.lag + 1 or config.passes < 2:
            raise ValueError(f"{build}: the proof is written for two passes or more in which no word waits")
        found = cls(build, system(build.design, text, TOP))
        if found.takes(found.pes - 1) > found.words:
            raise ValueError(
                f"{build}: the proof is written for elements that all have begun with the result"
            )
        return found

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        yield from self.of_numbers()

    # --- the row ----------------------------------------------------------------------------------

    def pos(self, i: int) -> int:
        """The lowest bit of the products is that of their words."""
        del i
        return 0

    def drops(self, i: int) -> bool:
        """No element drops a word."""
        del i
        return False

    def comes(self, i: int) -> int:
        """The word of a pass in which word 0 comes into element i."""
        return 2 * i + 1

    @cached_property
    def flags(self) -> list[str]:
        """First flags, stage by stage."""
        firsts = [f"{self.pe(i)}{name}" for i in range(self.pes) for name in ("first_q", "first_o")]
        return [f"{CONTROL}first_q", f"{ARRAY}first_q", *firsts[:-1]]

    # --- the invariant ----------------------------------------------------------------------------

    def _loop(self, at: At) -> Iterator[str]:
        end, last = self.period - 1, self.passes - 1
        yield implies(at.run, at.below(f"{CONTROL}word_q", self.period))
        yield implies(at.run, any_of(*(at.pass_(j) for j in range(self.passes))))
        yield implies(at.run, equal(at.high(f"{CONTROL}new_q"), at.first))
        yield implies(at.run, equal(at.high(f"{CONTROL}at_end_q"), at.is_(f"{CONTROL}word_q", end)))
        within = all_of(at.run, at.behind(f"{CONTROL}word_q", 0))
        yield implies(within, equal(at.high(f"{CONTROL}last_q"), at.pass_(last)))

    def _firsts(self, at: At) -> Iterator[str]:
        """Where the first flags of a pass are."""
        for d, flag in enumerate(self.flags):
            for w in range(self.period):
                here, there = at.word_(w), at.tail(w)
                if w == d:
                    yield implies(any_of(here, there), at.high(flag))
                elif d < w:
                    yield implies(here, at.low(flag))
                else:
                    yield implies(any_of(all_of(here, negation(at.first)), there), at.low(flag))

    def _flags(self, at: At) -> Iterator[str]:
        yield from self._firsts(at)
        for i in range(self.pes):
            stage = self.takes(i) + 1
            nothing = all_of(*(at.is_(f"{self.pe(i)}{name}_below_q", 0) for name in "ym"))
            yield implies(any_of(at.word_(stage), at.tail(stage)), nothing)

    # --- what the netlist does --------------------------------------------------------------------

    def low_bits(self, i: int, at: At) -> list[Word]:
        """The two bits of sum and carry that make the quotient's digit: known as the first word comes in."""
        del at
        return [self._low(i, name, 0) for name in Z]

    def _low(self, i: int, name: str, w: int) -> Word:
        """The two lowest bits of a word of sum or carry that comes into element i."""
        return self.named(self.now, self.pe(i), f"{name}_i", w, (1, 0))

    def came_facts(self, i: int, w: int) -> Iterator[Fact]:
        """What becomes of word w as it comes into element i; it is there in the next cycle."""
        now, then, pe = self.now, self.next, self.pe(i)
        for name in Z:
            kept = self.named(then, pe, f"{name}_q", w)
            yield same({self.named(now, pe, f"{name}_i", w): 1}, {kept: 4, self._low(i, name, w): 1})
        for name in "ym":
            yield same({self.named(then, pe, f"{name}_q", w): 1}, {self.named(now, pe, f"{name}_i", w): 1})
        if w == self.period - 1:
            tops = []
            for name in Z:
                word = self.named(now, pe, f"{name}_i", w)
                top, rest = (self.named(now, pe, f"{name}_i", w, cut) for cut in self.tops)
                tops.append(top)
                yield same({word: 1}, {top: 1 << (self.word - 2), rest: 1})
            yield from self.sign_flags(pe, ("any", "all"), tops, then)

    def sum_facts(self, i: int, w: int) -> Iterator[Fact]:
        """The two adders, and what comes in above a word: two bits of the next one, or the sign."""
        now, then, pe, base = self.now, self.next, self.pe(i), self.word
        out = {self.named(then, pe, f"{name}_o", w): 1 for name in Z}
        out |= {self.named(then, pe, name, w + 1): 1 << base for name in ("cx_q", "cq_q")}
        added = {self.named(now, pe, f"{name}_mul", w): 1 for name in "xq"}
        added |= {self.named(now, pe, f"{name}_q", w): 1 for name in Z}
        if w == 0:
            added |= {self.digit(i, name): 1 for name in ("x_neg", "h")}
        else:
            added |= {self.named(now, pe, name, w): 1 for name in ("cx_q", "cq_q")}
        if w == self.period - 1:
            added |= {self.named(now, pe, name, w): 3 << (base - 2) for name in ("any", "all")}
        else:
            added |= {self._low(i, name, w + 1): 1 << (base - 2) for name in Z}
        yield same(out, added)

    def factor_facts(self, i: int, w: int, digit: str, name: str) -> Iterator[Fact]:
        """The multiple that a digit takes of a word of Y or M^, and that word as it goes on."""
        now, then, pe, base = self.now, self.next, self.pe(i), self.word
        word, multiple = self.named(now, pe, f"{name}_q", w), self.named(now, pe, f"{digit}_mul", w)
        top = self.named(now, pe, f"{name}_q", w, (base - 1, base - 1))
        below = self.named(now, pe, f"{name}_below_q", w)
        if w == 0:
            yield is_(below, 0)
        for neg, mag in SIGNS:
            where = [
                is_(self.digit(i, f"{digit}_neg"), neg),
                is_(self.digit(i, f"{digit}_mag"), mag),
            ]
            gains: dict[Word, int] = [{}, {word: 1}, {word: 2, below: 1}][mag]
            loses = {top: 1 << base} if mag == 2 else {}
            if neg:
                yield when(where, same({multiple: 1} | gains, loses, (1 << base) - 1))
            else:
                yield when(where, same({multiple: 1} | loses, gains))
        if i < self.pes - 1:
            yield same({self.named(then, pe, f"{name}_o", w): 1}, {word: 1})
        if w < self.period - 1:
            yield same({self.named(then, pe, f"{name}_below_q", w + 1): 1}, {top: 1})

    def _row(self) -> Iterator[Obligation]:
        now, then, period = self.now, self.next, self.period
        for i in range(self.pes):
            pe, takes = self.pe(i), self.takes(i)
            held = [f"{pe}{name}_q" for name in ("x_neg", "x_mag", "q_neg", "q_mag", "h")]
            phases = [any_of(*now.phase(takes + w)) for w in range(period + 1)]
            yield self._facts(f"element {i} takes its digits", phases[0], *self.taken_facts(i))
            stay = all_of(*(equal(then(each), now(each)) for each in held))
            yield self._facts(f"element {i} keeps its digits", any_of(*phases[1:-1]), stay)
            came, added = [], []
            for w, where in (
                (0, phases[:1]),
                (1, phases[1 : period - 1]),
                (period - 1, phases[period - 1 : period]),
            ):
                facts = [each.over_bits() for each in self.came_facts(i, w)]
                came.append(self.text(*self.known("flags"), any_of(*where), negation(all_of(*facts))))
            for w, where in (
                (0, phases[1:2]),
                (1, phases[2:period]),
                (period - 1, phases[period:]),
            ):
                facts = [each.over_bits() for each in self.word_facts(i, w)]
                added.append(self.text(*self.known("flags"), any_of(*where), negation(all_of(*facts))))
            yield self._asked("step", f"element {i} keeps a word that comes", *came)
            yield self._asked("step", f"element {i} adds", *added)
        yield self._facts("what leaves an element comes into the next one", "true", *self.wires())
        facts = [
            implies(now.word_(w), all_of(*(each.over_bits() for each in self.fetched(w))))
            for w in range(period)
        ]
        yield self._facts("which words of Y and M^ come", now.run, *facts, parts=tuple(self.invariant(now)))
        for j in range(self.passes):
            facts = [
                implies(
                    now.place(j * period + self.takes(i)),
                    equal(now(f"{self.pe(i)}x_i"), self.window(now.last("x"), j * self.pes + i)),
                )
                for i in range(self.pes)
            ]
            yield self._facts(f"the digits of x in pass {j}", "true", *facts, parts=("digits", "loop"))
        yield self._facts("Z goes round, or begins with 0", now.run, *self.round(), parts=("loop",))
        yield from self._result_unit()

    def round(self) -> Iterator[str]:
        """What comes into the first element in the next cycle: what leaves the last one, or 0 at first."""
        now, then, last = self.now, self.next, self.pe(self.pes - 1)
        yield from self.words_round()
        left = all_of(negation(now.first), then.high(f"{last}q_neg_q"))
        yield equal(then.high(f"{self.pe(0)}q_neg_i"), left)

    def words_round(self) -> Iterator[str]:
        """The same of the words of Z."""
        now, then = self.now, self.next
        for name in Z:
            came, zero = then(f"{self.pe(0)}{name}_i"), const(0, self.word)
            yield equal(came, f"(ite {now.first} {zero} {now(f'{self.pe(self.pes - 1)}{name}_o')})")

    def wires(self) -> Iterator[str]:
        """That elements are in a row, behind the memories and before the result unit."""
        now, last = self.now, self.pe(self.pes - 1)
        yield from self.words_wired()
        for i in range(1, self.pes):
            yield equal(now(f"{self.pe(i)}q_neg_i"), now(f"{self.pe(i - 1)}q_neg_q"))
        yield equal(now(f"{RESULT}carry_i"), now(f"{last}q_neg_q"))

    def words_wired(self) -> Iterator[str]:
        """The same of the words of Z, Y and M^."""
        now = self.now
        for i in range(1, self.pes):
            for name in (*Z, "y", "m"):
                yield equal(now(f"{self.pe(i)}{name}_i"), now(f"{self.pe(i - 1)}{name}_o"))
        for name in "ym":
            yield equal(now(f"{self.pe(0)}{name}_i"), now(f"{SHELL}{name}_o"))
        for name in Z:
            yield equal(now(f"{RESULT}{name}_i"), now(f"{self.pe(self.pes - 1)}{name}_o"))

    # --- numbers ----------------------------------------------------------------------------------

    def summed_up(self, i: int) -> str:
        """That the words of sum and carry of element i do not sum up."""
        every, n, last = range(self.period), 1 << self.sum_bits, self.period - 1
        facts = [fact for w in every for fact in (*self.came_facts(i, w), *self.sum_facts(i, w))]
        out = self._value(*(self._over(i, f"{name}_o", every, self.next) for name in Z))
        over = [self.named(self.next, self.pe(i), name, self.period).whole for name in ("cx_q", "cq_q")]
        multiples = self._value(*(self._over(i, f"{name}_mul", every) for name in "xq"))
        flags = [self.named(self.now, self.pe(i), name, last).whole for name in ("any", "all")]
        above = [self._above(i, name) for name in Z]
        ones = [self.digit(i, name).whole for name in ("x_neg", "h")]
        left = f"(+ {out} (* {n} (+ {' '.join(over)})))"
        signs = f"(* {3 * n // 4} (+ {' '.join(flags)}))"
        goals = [equal(left, f"(+ {' '.join((*above, signs, multiples, *ones))})")]
        for name, each in zip(Z, above, strict=True):
            came = self._value(self._over(i, f"{name}_i", every))
            goals.append(equal(came, f"(+ {self._low(i, name, 0).whole} (* 4 {each}))"))
        more, used = self._sign_facts(flags, self.pe(i))
        return self._holding(facts, all_of(*goals, *more), words=used)

    def _above(self, i: int, name: str) -> str:
        """What is above the bits that make the quotient's digit."""
        kept = [self.named(self.now, self.pe(i), f"{name}_q", w) for w in range(self.period)]
        low = [self._low(i, name, w) for w in range(1, self.period)]
        weights = {each.whole: 1 << (self.word * w) for w, each in enumerate(kept)}
        weights |= {each.whole: 1 << (self.word * w - 2) for w, each in enumerate(low, 1)}
        return shown_sum(weights)

    def _top(self, i: int, name: str, place: int = 1) -> str:
        """A highest bit of the last word of Y or M^ in element i."""
        bit = self.word - place
        return self.named(self.now, self.pe(i), f"{name}_q", self.period - 1, (bit, bit)).whole

    def _factor(self, i: int, name: str) -> tuple[str, list[str]]:
        """What the words of Y or M^ stand for in element i."""
        n, width = 1 << self.sum_bits, self.width
        whole = self._value(self._over(i, f"{name}_q", range(self.period)))
        low, high = ("0", 1 << width) if name == "y" else (number(-(1 << (width - 1))), 1 << (width - 1))
        return "(declare-const V Int)(declare-const mu Int)", [
            equal(whole, f"(+ V (* {n} mu))"),
            f"(<= {low} V)",
            f"(< V {high})",
        ]

    def passed_on(self, i: int, name: str) -> str:
        """That the words of Y or M^ are others in element i than before it, or behind it."""
        every = range(self.period)
        [digit] = [digit for digit, other in FACTORS if other == name]
        facts = [f for w in every for f in (*self.came_facts(i, w), *self.factor_facts(i, w, digit, name))]
        came, there = (self._value(self._over(i, f"{name}_{ending}", every)) for ending in "iq")
        goals = [equal(there, came)]
        if i < self.pes - 1:
            goals.append(equal(self._value(self._over(i, f"{name}_o", every, self.next)), came))
        return self._holding(facts, all_of(*goals))

    def entered(self, name: str) -> str:
        """That the words of Y or M^ which come are not those of the number, or that of M^ is out of range."""
        n, every, half = 1 << self.sum_bits, range(self.period), 1 << (self.width - 1)
        facts = [fact for w in every for fact in self.fetched(w)]
        came = self._value([self.named(self.next, SHELL, f"{name}_o", w) for w in every])
        value = self._value(
            [Word(f"{'y' if name == 'y' else 'h'}.{k}", "", self.word) for k in range(self.beats)]
        )
        if name == "y":
            return self._holding(facts, equal(came, value))
        sign = self.hat_sign.whole
        value = f"(- {value} (* {1 << self.width} {sign}))"
        ranges = [f"(<= {number(-half)} {value})", f"(< {value} {half})"]
        return self._holding(facts, all_of(equal(came, f"(+ {value} (* {n} {sign}))"), *ranges))

    def element(self, i: int = 0) -> str:
        """That an element leaves something else than W', in terms of what its words sum up to.

        XX and QQ are the multiples of y and M^, which XM and QM are but for a 1 that is still to be added and
        a multiple of 2^N; AS and AC are what is above the two lowest bits.
        """
        del i
        n = 1 << self.sum_bits
        known = [
            "(= VS (+ qs (* 4 AS)))",
            "(= VC (+ qc (* 4 AC)))",
            f"(= (+ VS VC) (+ W (* {n} kappa)))",
            "(= (+ qs qc s) (+ Q (* 4 h)))",
            f"(= (+ XM x_neg) (+ XX (* {n} ox)))",
            f"(= (+ QM s_n) (+ QQ (* {n} oq)))",
            *self._tops_known(),
            f"(= (+ out (* {n} over)) (+ AS AC (* {3 * n // 4} (+ any all)) XM QM x_neg h))",
        ]
        quarter = f"(+ AS AC h (* {number(-(n // 4))} kappa))"
        goals = [
            f"(= (- (+ W s) Q) (* 4 {quarter}))",
            f"(= out (+ (- (+ {quarter} XX QQ) s_n) (* {n} (- (+ kappa ox oq) over))))",
        ]
        names = (*self.NAMES, "qs", "qc", "s", "Q", "h", "x_neg", "s_n", *self.TOPS)
        return self._denied(names, known, goals)

    def handed_over(self) -> str:
        """That the words which the result unit takes are not those of W."""
        top, n = 1 << (self.word * self.words), 1 << self.sum_bits
        last = self.pes - 1
        words = [self._over(last, f"{name}_o", range(self.period), self.next) for name in Z]
        came = self._value(*(each[: self.words] for each in words))
        above = self._value(*(each[self.words :] for each in words))
        known = equal(self._value(*words), f"(+ W (* {n} kappa))")
        goal = equal(came, f"(+ W (* {top} (- (* {n // top} kappa) {above})))")
        lines = "(declare-const W Int)(declare-const kappa Int)"
        return self._holding([], goal, known, lines=lines, words=[each for some in words for each in some])

    def of_numbers(self) -> Iterator[Obligation]:
        """The obligations about numbers."""

        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        for i in range(self.pes):
            yield z3(f"the words of element {i} sum up", self.summed_up(i))
            for digit, name in FACTORS:
                texts = [t for neg, mag in SIGNS for t in self.multiplied(i, digit, name, neg, mag)]
                yield z3(f"the multiples of {name} in element {i} sum up", *texts)
                yield z3(f"{name} goes on from element {i}", self.passed_on(i, name))
            yield z3(f"the digits of element {i} are those of their windows", self.coded(i))
        yield z3("an element makes W' of W", self.element())
        yield Obligation("number", "the facts are possible", "z3", tuple(self.possible()), holds=False)
        yield z3("Y and M^ come in", *(self.entered(name) for name in "ym"))
        yield z3("the words that the result unit takes are those of W", self.handed_over())
        yield z3("before digit 0 it is right", self.begun())
        yield z3("Z is in range", self.ranged())
        firsts = [(window, q, 0, True) for window in range(0, 8, 2) for q in range(4)]
        texts = [text for window, q, s, first in firsts for text in self.induction(window, q, s, first)]
        yield z3("what is right before digit 0 is right behind it", *texts)
        cases = [(window, q, s) for window in range(8) for q in range(4) for s in (0, 1)]
        texts = [text for each in cases for text in self.induction(*each)]
        yield z3("what is right before another is right behind it", *texts)
        texts = [self.gathered_up(neg, sign) for neg in (0, 1) for sign in (0, 1)]
        yield z3("the result unit's words sum up", *texts)
        yield z3("the comparison finds whether B < M", self.compared_all())
        yield z3("a product is not negative and monotonous", self.monotonous())
        yield z3("these lemmas make an induction over places and clock cycles", self.composed())
        yield z3("z is right", *(self.result(sign, neg) for sign in (0, 1) for neg in (0, 1)))

    def possible(self) -> Iterator[str]:
        """The facts of an element and of the result unit, with nothing to be shown."""
        every = range(self.period)
        facts = [fact for w in every for fact in (*self.came_facts(0, w), *self.word_facts(0, w))]
        yield self._holding((*facts, *self.taken_facts(0)), "false")
        yield self._holding([fact for w in every for fact in self.fetched(w)], "false")
        stages = (self.gathered, self.summed, self.compared)
        yield self._holding([f for g in range(self.words) for stage in stages for f in stage(g)], "false")
