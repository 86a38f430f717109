# SPDX-License-Identifier: Apache-2.0
"""Of ``scalable_radix2_parallel``: R·z = x·y + k·M for an integer k, and 0 <= z < M.

From reset to result, at full width, for every context with the length ``Width`` and the M^ = (M + 1) / 2 that
belongs to M, for all operands x, y <= M and any behaviour at the ports, resets included. The row is that of
``scalable_radix2`` in another order: Q is the lowest bit of Z as it comes into an element, which halves Z and
adds Q·M^ and X·y at once. So these come in a bit higher than Z, and x·y twice; the last element drops the
word of which nothing is left but Q, and begins with the one above it a cycle later. With P for 2^m before
bit m, this is right of the words that come into element i, which takes the bit:

    VS + VC = 2^i·W                           VS and VC are the numbers that the words make up
    Y' = 2^(i+1)·y, M' = 2^(i+1)·M^           the same of the words of Y and M^
    P·W = (x mod P)·2y + l·M                  0 <= l < P
    0 <= W <= 2y + M

- **invariant** (bitwuzla, on the netlist): where everything is, :mod:`~modmul.prove.product.systolic`; and
  below which bit a first word is 0, also the one that follows the last word of Z.
- **step** (bitwuzla, on the netlist): each place of an operation has the place before behind it, with the
  same operands; the bit of x, Q, and what is carried out of the bit that Q is; what an element makes of a
  word, weighted: two carry-save adders and what feeds them, words of Y and M^ as they go up, and as they
  come in.
- **number** (z3, integers): the words sum up, their carries cancelling, and nothing is carried out of the
  last one; an element makes W' = (W - Q) / 2 + Q·M^ + X·y of W, which is (W + Q·M + X·2y) / 2. So the lemmas
  about a bit are those of :class:`~modmul.prove.product.scalable_radix2_right.BitByBit` with 2y for y.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Self

from modmul.prove.product.scalable_radix2 import BitByBitLeft
from modmul.prove.product.serial import COUNT
from modmul.prove.product.systolic import ARRAY, CONTROL, GATE, REDUCE, RESULT, SHELL, At, bench, header
from modmul.prove.product.systolic_row import FACTORS, Z, is_, same, when
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Fact,
    Word,
    all_of,
    any_of,
    const,
    equal,
    extract,
    implies,
    negation,
    shown_sum,
)
from modmul.room import Build

__all__ = ["BitsAtOnce"]


class BitsAtOnce(BitByBitLeft):
    """The obligations of a build in which no word of Z waits between two passes, and none is aligned."""

    @classmethod
    def of(cls, build: Build) -> Self:
        return cls.on(build, bench(build))

    # --- the row ----------------------------------------------------------------------------------

    def pos(self, i: int) -> int:
        """The lowest bit of the products in element i."""
        return (i + 1) % self.word

    def clears(self, i: int) -> bool:
        """No word becomes 0: the one that would is dropped before."""
        del i
        return False

    def drops(self, i: int) -> bool:
        """Whether element i drops the first word, of which Q alone is left."""
        return i == self.pes - 1

    @cached_property
    def flags(self) -> list[str]:
        """First flags, stage by stage."""
        return [*super().flags, f"{self.pe(self.pes - 1)}gen_discard.start_q"]

    # --- the invariant ----------------------------------------------------------------------------

    def _context(self, at: At) -> Iterator[str]:
        number, beat = f"{SHELL}number_q", f"{SHELL}ctx_beat_q"
        head, whole = header(self.build), at.high(f"{GATE}whole_q")
        none, one, two = (at.is_(number, k) for k in range(3))
        pause, begun = at.high(f"{SHELL}pause_q"), at.behind(beat, 0)
        yield any_of(none, one, two)
        for come, start in zip((none, one, two), (0, len(head), len(head) + self.beats), strict=True):
            yield implies(come, equal(at("ctx_at"), f"(bvadd {const(start, COUNT)} {at.counted(beat)})"))
            yield implies(come, at.below(beat, self.beats if start else len(head)))
        top = self.bits_of(f"{SHELL}n_q")
        for k in range(1, len(head)):
            came = extract(at(f"{SHELL}n_q"), top - 1, top - k * self.word)
            some = sum(each << (self.word * i) for i, each in enumerate(head[:k]))
            yield implies(all_of(none, at.is_(beat, k)), equal(came, const(some, k * self.word)))
        yield implies(pause, all_of(one, at.is_(beat, 0)))
        yield implies(whole, all_of(none, at.is_(beat, 0), negation(pause)))
        yield implies(any_of(one, two, whole), at.is_(f"{SHELL}n_q", self.width))
        yield implies(
            any_of(all_of(one, negation(pause)), two, whole),
            all_of(
                at.is_(f"{SHELL}last_beat_q", self.beats - 1),
                at.high(f"{SHELL}n_legal_q"),
                at.is_(f"{CONTROL}words_q", self.words),
            ),
        )
        yield implies(
            any_of(all_of(one, begun), two, whole),
            all_of(
                at.is_(f"{SHELL}beats_q", self.beats),
                at.is_(f"{CONTROL}end_q", self.period - 1),
                equal(at.high(f"{SHELL}odd_q"), equal(extract(at("m"), 0, 0), "#b1")),
            ),
        )
        yield implies(any_of(two, whole), at.is_(f"{CONTROL}before_end_q", self.period - 2))
        yield implies(whole, at.low(f"{SHELL}m_ext_q"))
        for k in range(self.beats):
            there = any_of(all_of(one, at.behind(beat, k)), two, whole)
            yield implies(there, equal(at(f"{REDUCE}u_modulus.words[{k}]"), self.cut(at("m"), k)))
            there = any_of(all_of(two, at.behind(beat, k)), whole)
            yield implies(there, equal(at(f"{SHELL}u_m.words[{k}]"), self.cut(at("h"), k)))
        busy = any_of(at.high(f"{GATE}open_q"), at.part, at.full, negation(at.is_(f"{SHELL}open_q", 0)))
        yield implies(busy, all_of(whole, at.high(f"{SHELL}odd_q")))

    def _flags(self, at: At) -> Iterator[str]:
        yield from self._firsts(at)
        # below which bit a first word is 0
        nothing = all_of(*(at.low(f"{ARRAY}{name}_below_q") for name in "ym"))
        yield implies(any_of(at.word_(1), at.tail(1)), nothing)
        for i in range(self.pes):
            pe, stage = self.pe(i), self.comes(i)
            facts = [at.ends(f"{pe}{name}_i", i) for name in Z]
            facts += [at.ends(f"{pe}{name}_i", i + 1) for name in "ym"]
            if not self.drops(i):
                facts += [at.low(f"{pe}{name}_below_q") for name in "ym"]
            yield implies(any_of(at.word_(stage), at.tail(stage)), all_of(*facts))

    # --- what the netlist does --------------------------------------------------------------------

    def _cut(self, i: int, name: str, at: At, cut: tuple[int, int]) -> Word:
        """Some bits of the first word of sum or carry that comes into element i."""
        return self.named(at, self.pe(i), f"{name}_i", 0, cut)

    def low_bits(self, i: int, at: At) -> list[Word]:
        """The bits of sum and carry that Q is."""
        return [self._cut(i, name, at, (i, i)) for name in Z]

    def taken_facts(self, i: int) -> Iterator[Fact]:
        """The bit of x that element i takes, and Q, in the cycle before its first word."""
        now, drops = self.now, self.drops(i)
        yield from super().taken_facts(i)
        bits = self.low_bits(i, now if drops else self.next)
        yield same(
            dict.fromkeys(bits, 1), {self.digit(i, "q", self.next): 1, self.digit(i, "h", self.next): 2}
        )
        if drops:
            for name, bit in zip(Z, bits, strict=True):
                yield same({self.named(now, self.pe(i), f"{name}_i", 0): 1}, {bit: 1 << i})

    def quotient(self, i: int) -> Word:
        """Q, which is known before the first word."""
        return self.digit(i, "q")

    def word_facts(self, i: int, w: int) -> Iterator[Fact]:
        """What element i makes of word w of its products."""
        now, then, pe, base, drops = self.now, self.next, self.pe(i), self.word, self.drops(i)
        out = {self.named(then, pe, f"{name}_o", w): 1 for name in Z}
        out |= {self.named(then, pe, name, w + 1): 1 << base for name in ("cx_q", "cq_q")}
        added = {self.named(now, pe, f"{name}_mul", w): 1 for name in "xq"}
        if w:
            added |= {self.named(now, pe, name, w): 1 for name in ("cx_q", "cq_q")}
        else:
            added |= {self.digit(i, "h"): 1 << self.pos(i)}
        if not (drops and w == self.period - 1):
            added |= {self.named(now, pe, f"{name}_i", w + drops): 1 for name in Z}
        if w == 0 and not drops:
            out |= dict.fromkeys(self.low_bits(i, now), 1 << i)
            for name, low in zip(Z, self.low_bits(i, now), strict=True):
                parts = {low: 1 << i, self._cut(i, name, now, (base - 1, i + 1)): 2 << i}
                yield same({self.named(now, pe, f"{name}_i", 0): 1}, parts)
        yield same(out, added)
        for digit, name in FACTORS:
            word, multiple = (
                self.named(now, pe, f"{name}_i", w + drops),
                self.named(now, pe, f"{digit}_mul", w),
            )
            taken = self.digit(i, "x") if digit == "x" else self.quotient(i)
            for value in (0, 1):
                yield when([is_(taken, value)], same({multiple: 1}, {word: 1} if value else {}))
            if drops and w == self.period - 1:
                yield is_(word, 0)
            if not drops:
                yield from self.goes_on(i, w, name)

    def gone_facts(self, i: int, w: int) -> Iterator[Fact]:
        """What is left of word w: the highest bits of Y and M^."""
        if not self.drops(i):
            yield from super().gone_facts(i, w)

    def enters(self, w: int) -> Iterator[Fact]:
        """Word w of Y and M^ as it comes into the first element, twice."""
        now, then, top = self.now, self.next, (self.word - 1, self.word - 1)
        for name in "ym":
            word, high = self.named(now, SHELL, f"{name}_o", w), self.named(now, SHELL, f"{name}_o", w, top)
            below, out = (
                self.named(now, ARRAY, f"{name}_below_q", w),
                self.named(now, self.pe(0), f"{name}_i", w),
            )
            if w == 0:
                yield is_(below, 0)
            yield same({out: 1, high: 1 << self.word}, {word: 2, below: 1})
            if w < self.period - 1:
                yield same({self.named(then, ARRAY, f"{name}_below_q", w + 1): 1}, {high: 1})

    def fetched(self, w: int) -> Iterator[Fact]:
        """Which words of Y and M^ come behind word w of a pass: theirs, and above them 0."""
        for name, value, term in (("y", "y", self.now.last("y")), ("m", "h", self.now("h"))):
            out = self.named(self.next, SHELL, f"{name}_o", w)
            if w < self.beats:
                yield same({out: 1}, {Word(f"{value}.{w}", self.cut(term, w), self.word): 1})
            else:
                yield is_(out, 0)

    def words_wired(self) -> Iterator[str]:
        """That elements are in a row, behind the way back and before the result unit."""
        now, then = self.now, self.next
        for i in range(self.pes):
            for name in Z:
                yield equal(then(f"{self.pe(i)}{name}_i"), now(f"{self.pe(i)}{name}_next_i"))
            for name in (*Z, "y", "m") if i else ():
                yield equal(now(f"{self.pe(i)}{name}_i"), now(f"{self.pe(i - 1)}{name}_o"))
        for name in Z:
            yield equal(now(f"{RESULT}{name}_i"), now(f"{self.pe(self.pes - 1)}{name}_o"))

    def _row(self) -> Iterator[Obligation]:
        now, then, period = self.now, self.next, self.period
        for i in range(self.pes):
            pe, takes = self.pe(i), self.takes(i)
            phases = [any_of(*now.phase(takes + w)) for w in range(period)]
            yield self._facts(
                f"element {i} takes its bit and Q", any_of(*now.phase(takes - 1)), *self.taken_facts(i)
            )
            stay = all_of(*(equal(then(f"{pe}{name}_q"), now(f"{pe}{name}_q")) for name in "xqh"))
            yield self._facts(f"element {i} keeps its bit and Q", any_of(*phases[:-1]), stay)
            yield self._by_word(f"element {i} adds", partial(self.word_facts, i), phases)
            if not self.drops(i):
                facts = self.gone_facts(i, 0)
                yield self._facts(f"what is left of a word in element {i}", any_of(*phases[:-1]), *facts)
        phases = [any_of(*now.phase(1 + w)) for w in range(period)]
        yield self._by_word("the words of Y and M^ come in shifted", self.enters, phases)
        yield self._facts("what leaves an element comes into the next one", "true", *self.words_wired())
        shown = [
            implies(now.word_(w), all_of(*(each.over_bits() for each in self.fetched(w))))
            for w in range(period)
        ]
        yield self._facts("which words of Y and M^ come", now.run, *shown, parts=tuple(self.invariant(now)))
        for j in range(self.passes):
            shown = [
                implies(
                    now.place(j * period + self.takes(i) - 1),
                    equal(now.number(f"{self.pe(i)}x_i"), self.window(now.last("x"), j * self.pes + i)),
                )
                for i in range(self.pes)
            ]
            yield self._facts(f"the bits of x in pass {j}", "true", *shown, parts=("digits", "loop"))
        yield self._facts("Z goes round, or begins with 0", now.run, *self.words_round(), parts=("loop",))
        yield from self._result_unit()

    def _by_word(self, name: str, said: Callable[[int], Iterator[Fact]], phases: Sequence[str]) -> Obligation:
        """What is said of the first word, of those between and of the last one, in the cycles of each."""
        last = self.period - 1
        texts = []
        for w, where in ((0, phases[:1]), (1, phases[1:last]), (last, phases[last:])):
            facts = [each.over_bits() for each in said(w)]
            texts.append(self.text(*self.known("flags"), any_of(*where), negation(all_of(*facts))))
        return self._asked("step", name, *texts)

    # --- numbers ----------------------------------------------------------------------------------

    @property
    def in_range(self) -> list[str]:
        """``y`` is twice the operand."""
        return ["(<= 0 W (+ y m))", f"(and (<= 0 y (* 2 m)) (< m {1 << self.width}))"]

    def _element_facts(self, i: int) -> list[Fact]:
        return [*self.taken_facts(i), *super()._element_facts(i)]

    def _above(self, i: int, name: str) -> str:
        """What is above the bit that Q is."""
        pos, words = self.pos(i), self._over(i, f"{name}_i", range(1, self.period))
        weights = {word.whole: 1 << (self.word * w - pos) for w, word in enumerate(words, not self.drops(i))}
        if not self.drops(i):
            weights[self._cut(i, name, self.now, (self.word - 1, pos)).whole] = 1
        return shown_sum(weights)

    def summed_up(self, i: int) -> str:
        """That what leaves element i is not what its words sum up to, but for what is carried out."""
        every, n, pos = range(self.period), 1 << self.sum_bits, 1 << self.pos(i)
        out = self._value(*(self._over(i, f"{name}_o", every, self.next) for name in Z))
        multiples = self._value(*(self._over(i, f"{name}_mul", every) for name in "xq"))
        over = [self.named(self.next, self.pe(i), name, self.period).whole for name in ("cx_q", "cq_q")]
        above, carry = [self._above(i, name) for name in Z], self.digit(i, "h").whole
        whole = f"(+ (* {pos} (+ {' '.join((*above, carry))})) {multiples})"
        goals = [equal(f"(+ {out} (* {n} (+ {' '.join(over)})))", whole)]
        for name, low, high in zip(
            Z, self.low_bits(i, self.now if self.drops(i) else self.next), above, strict=True
        ):
            came = self._value(self._over(i, f"{name}_i", every))
            goals.append(equal(came, f"(* {1 << i} (+ {low.whole} (* 2 {high})))"))
        return self._holding(self._element_facts(i), all_of(*goals))

    def _number(self, i: int, name: str) -> tuple[str, ...]:
        """What the words of Y or M^ stand for where they come into element i."""
        came = self._value(self._over(i, f"{name}_i", range(self.period)))
        return equal(came, f"(* {2 << i} V)"), f"(and (<= 0 V) (< V {1 << self.width}))"

    def multiple(self, i: int, digit: str, name: str, value: int) -> str:
        """That the multiples of a word of Y or M^ do not sum up to that of the number."""
        facts = [*self._element_facts(i), is_(self.digit(i, digit), value)]
        got = self._value(self._over(i, f"{digit}_mul", range(self.period)))
        goal = equal(got, f"(* {value << self.pos(i)} V)")
        words = self._over(i, f"{name}_i", range(self.period))
        return self._holding(facts, goal, *self._number(i, name), lines="(declare-const V Int)", words=words)

    def passed_on(self, i: int, name: str) -> str:
        """That the words of Y or M^ do not go on twice."""
        out = self._value(self._over(i, f"{name}_o", range(self.period), self.next))
        goal = equal(out, f"(* {4 << i} V)")
        known = self._number(i, name)
        return self._holding(self._element_facts(i), goal, *known, lines="(declare-const V Int)")

    def entered(self, name: str) -> str:
        """That Y or M^ comes into the first element otherwise than twice."""
        every = range(self.period)
        facts = [fact for w in every for fact in (*self.enters(w), *self.fetched(w))]
        value = self._value(
            [Word(f"{'y' if name == 'y' else 'h'}.{k}", "", self.word) for k in range(self.beats)]
        )
        return self._holding(facts, equal(self._value(self._over(0, f"{name}_i", every)), f"(* 2 {value})"))

    def element(self, i: int = 0, x: int = 0, q: int = 0) -> str:
        """That element i leaves something else than W', in terms of what its words sum up to.

        AS and AC are what is above the bits that Q is.
        """
        pos = 1 << self.pos(i)
        known = [
            *self.in_range,
            f"(= VS (* {1 << i} (+ qs (* 2 AS))))",
            f"(= VC (* {1 << i} (+ qc (* 2 AC))))",
            f"(= (+ VS VC) (* {1 << i} W))",
            f"(= (+ qs qc) (+ {q} (* 2 h)))",
            f"(= (* 2 XM) (* {x * pos} y))",
            f"(= QM (* {q * pos} H))",
            "(= (* 2 H) (+ m 1))",
            f"(= (+ out (* {1 << self.sum_bits} over)) (+ (* {pos} (+ AS AC h)) XM QM))",
            "(and (<= 0 out) (<= 0 over))",
        ]
        goals = ["(= over 0)", f"(= (* 2 out) (* {pos} (+ W (* {x} y) (* {q} m))))"]
        names = (*("VS", "VC", "W", "y", "m", "H", "XM", "QM", "out", "over"), "AS", "AC", "qs", "qc", "h")
        return self._denied(names, known, goals)

    def product(self) -> str:
        """That z is wrong, given what is right behind the last bit and what the result unit makes of it.

        It is 2R that P has become, and ``y`` is twice the operand.
        """
        radix, top, width = 1 << (self.passes * self.pes), 1 << (self.word * self.words), 1 << self.width
        known = [
            f"(and (<= 1 m) (< m {width}) (<= 0 x m) (<= 0 y (* 2 m)))",
            *self.right_of_bits(str(radix), "W", "xl", "xh", "l"),
            f"(<= 0 (* x y) (* {2 * width} m))",
            f"(<= 0 (* l m) (* {radix - 1} m))",
            f"(= (+ B (* {top} kappa)) W)",
            f"(and (<= 0 kappa) (< W {top}))",
            f"(and (<= 0 B) (< B {top}))",
            "(= once (ite (< B m) 0 1))",
            f"(= B (+ stored (* {width} above)))",
            f"(and (<= 0 stored) (< stored {width}))",
            f"(= z (+ (- stored (* once m)) (* {width} under)))",
            f"(and (<= 0 z) (< z {width}))",
        ]
        goals = ["(<= 0 z)", "(< z m)", f"(= (* {radix} z) (+ (* x y) (* (- l (* {radix} once)) m)))"]
        names = ("W", "xl", "xh", "l", "x", "y", "m", "B", "kappa", "once", "stored", "above", "under", "z")
        return self._denied(names, known, goals)

    def half(self) -> Iterator[str]:
        """That R·z = x·y + k·M is not half of 2R·z = x·2y + l·M, where l is not 2k; M = 2·M^ - 1."""
        radix, names = 1 << (self.passes * self.pes - 1), ("z", "x", "y", "k", "l", "H")
        twice = f"(= (* {2 * radix} z) (+ (* 2 x y) (* l (- (* 2 H) 1))))"
        yield self._denied(names, [twice, f"(= k (- (+ (* l H) (* x y)) (* {radix} z)))"], ["(= l (* 2 k))"])
        goal = f"(= (* {radix} z) (+ (* x y) (* k (- (* 2 H) 1))))"
        yield self._denied(names, [twice, "(= l (* 2 k))"], [goal])

    def of_numbers(self) -> Iterator[Obligation]:
        yield from super().of_numbers()
        yield Obligation("number", "half of it is R·z = x·y + k·M", "z3", tuple(self.half()))

    def possible(self) -> Iterator[str]:
        yield from super().possible()
        yield self._holding([fact for w in range(self.period) for fact in self.enters(w)], "false")
