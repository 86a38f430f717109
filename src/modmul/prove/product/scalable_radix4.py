# SPDX-License-Identifier: Apache-2.0
"""Of ``scalable_radix4``: R·z = x·y + k·M for an integer k, and 0 <= z < M.

From reset to result, at full width, for every context with the length ``Width`` and the M^ that belongs to
M, for all operands x, y <= M and any behaviour at the ports, resets included. The row is that of
``scalable_booth4_left`` with digits 0 ... 3 instead of signed ones, and so with 3Y and 3M^ beside Y and M^.
Nothing is ever negative, as in ``scalable_radix2_parallel``: the words make up the numbers themselves, with
no multiple of 2^N beside them. With P for 4^m before digit m, and σ for the place of the lowest bit of Z
where it comes into an element, this is right of the words that come into the element of digit m:

    VS + VC = 2^σ·W                           VS and VC are the numbers that the words make up
    Y' = 2^(σ+2)·y, M' = 2^(σ+2)·M^           the same of the words of Y and M^; of the others 3Y' and 3M'
    P·W = (x mod P)·4y + l·M~                 M~ = 4·M^ - 1 = M or 3M; 0 <= l < P
    0 <= W <= 4y + M~

- **invariant** (bitwuzla, on the netlist): where everything is, :mod:`~modmul.prove.product.systolic`, and
  how far triples have come, :mod:`~modmul.prove.product.scalable_radix4_where`.
- **step** (bitwuzla, on the netlist): each place of an operation has the place before behind it, with the
  same operands; the digit of x, Q, and what is carried out of the two bits that Q is; what an element makes
  of a word, weighted: two carry-save adders and what feeds them, words of Y, M^ and their triples as they go
  up, and as they come in. The same of the aligner, of the way back to the first element, of the result unit,
  which compares with M, 2M and 3M at once; and of the words of twice and three times a number.
- **number** (z3, integers): the words sum up, their carries cancelling, and nothing is carried out of the
  last one; an element makes W' = (W - Q) / 4 + Q·M^ + X·y of W, which is (W + Q·M~ + X·4y) / 4; what is right
  before a digit is right behind it, for any P. Behind the last digit l is 4k, so R·W = x·y + k·M~ and
  W < 4M; z is that W, less the t·M that the comparisons say.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from modmul.prove.product.scalable_radix4_where import DIGITS, MULTIPLES, THRICE, WORDS, Tripled
from modmul.prove.product.systolic import REDUCE
from modmul.prove.product.systolic_row import FACTORS, Z, is_
from modmul.prove.solve import Obligation
from modmul.prove.terms import Fact, Word, all_of, equal

__all__ = ["DigitByDigit"]

PAIRS = tuple(itertools.product(DIGITS, DIGITS))
"""Digits of x and Q."""

TIMES = (1, 3)
"""How often M is in M~."""


class DigitByDigit(Tripled):
    """The obligations of a build in which no word of Z waits between two passes."""

    # --- words ------------------------------------------------------------------------------------

    def _element_facts(self, i: int) -> list[Fact]:
        return [*self.taken_facts(i), *(f for w in range(self.period) for f in self.word_facts(i, w))]

    def summed_up(self, i: int) -> str:
        """That what leaves element i is not what its words sum up to, but for what is carried out."""
        every, n, pos = range(self.period), 1 << self.sum_bits, 1 << self.pos(i)
        out = self._value(*(self._over(i, f"{name}_o", every, self.next) for name in Z))
        multiples = self._value(*(self._over(i, f"{name}_mul", every) for name in "xq"))
        carried = [self.named(self.next, self.pe(i), name, self.period).whole for name in ("cx_q", "cq_q")]
        above, carry = [self._above(i, name) for name in Z], self.digit(i, "h").whole
        whole = f"(+ (* {pos} (+ {' '.join((*above, carry))})) {multiples})"
        goals = [equal(f"(+ {out} (* {n} (+ {' '.join(carried)})))", whole)]
        low = self.low_bits(i, self.now if self.drops(i) else self.next)
        for name, bits, high in zip(Z, low, above, strict=True):
            came = self._value(self._over(i, f"{name}_i", every))
            goals.append(equal(came, f"(* {1 << self.low(i)} (+ {bits.whole} (* 4 {high})))"))
        return self._holding(self._element_facts(i), all_of(*goals))

    def _number(self, i: int, name: str, times: int = 1) -> tuple[str, ...]:
        """What the words of Y or M^ stand for where they come into element i, or those of a triple."""
        came = self._value(self._over(i, f"{name}_i", range(self.period)))
        return equal(came, f"(* {times << (self.low(i) + 2)} V)"), f"(and (<= 0 V) (< V {1 << self.width}))"

    def multiple(self, i: int, digit: str, name: str, value: int) -> str:
        """That the multiples of a word of Y or M^ do not sum up to that of the number."""
        every, three = range(self.period), THRICE[name]
        facts = [*self._element_facts(i), is_(self.digit(i, digit), value)]
        got = self._value(self._over(i, f"{digit}_mul", every))
        goal = equal(got, f"(* {value << self.pos(i)} V)")
        words = [word for each in (name, three) for word in self._over(i, f"{each}_i", every)]
        known = (*self._number(i, name), *self._number(i, three, 3))
        return self._holding(facts, goal, *known, lines="(declare-const V Int)", words=words)

    def passed_on(self, i: int, name: str) -> str:
        """That the words of a multiple do not go on four times."""
        times = 1 if name in THRICE else 3
        out = self._value(self._over(i, f"{name}_o", range(self.period), self.next))
        goal = equal(out, f"(* {4 * times << self.pos(i)} V)")
        known = self._number(i, name, times)
        return self._holding(self._element_facts(i), goal, *known, lines="(declare-const V Int)")

    def parts_of(self, letter: str) -> list[Word]:
        """The words of a number."""
        return [Word(f"{letter}.{k}", "", self.word) for k in range(self.beats)]

    def three_times(self, letter: str) -> str:
        """That the words of a triple do not sum up to three times the number."""
        return self._holding(self.triple_facts(letter), self._times(3, letter, self._threes(letter)))

    def two_times(self) -> str:
        """That the words of 2M do not sum up to 2M."""
        return self._holding(self.double_facts(), self._times(2, "m", self._twos()))

    def _times(self, times: int, letter: str, words: Sequence[Word]) -> str:
        """That words make up a multiple of a number, all of them, or one more than the number has.

        And that as many as it has make up the multiple but for one of 2^n.
        """
        whole, beats = f"(* {times} {self._value(self.parts_of(letter))})", self.beats
        lower, higher = self._value(words[:beats]), self._value(words[beats:])
        return all_of(
            equal(self._value(words), whole),
            equal(self._value(words[: beats + 1]), whole),
            equal(f"(+ {lower} (* {1 << self.bits} {higher}))", whole),
        )

    def entered(self, name: str) -> str:
        """That a multiple comes into the first element otherwise than four times."""
        every, letter = range(self.period), {"y": "y", "m": "h"}[name[0]]
        facts = [fact for w in every for fact in (*self.enters(w), *self.fetched(w))]
        words = self.parts_of(letter) if name in THRICE else self._threes(letter)[: self.beats + 1]
        return self._holding(
            facts, equal(self._value(self._over(0, f"{name}_i", every)), f"(* 4 {self._value(words)})")
        )

    def shifted_down(self) -> Iterator[str]:
        """That the words behind the aligner do not sum up, all of them, or those of the result unit."""
        yield from (self.shifted(count) for count in (self.period, self.words))

    # --- numbers; y stands for 4y, m for M~ -----------------------------------------------------------

    @property
    def in_range(self) -> list[str]:
        return [
            "(<= 0 W (+ y m))",
            f"(and (<= 0 y) (< y {4 << self.width}) (<= 0 m) (< m {3 << self.width}))",
        ]

    def element(self, i: int = 0, x: int = 0, q: int = 0) -> str:
        """That element i leaves something else than W', in terms of what its words sum up to.

        AS and AC are what is above the bits that Q is.
        """
        pos, low = 1 << self.pos(i), 1 << self.low(i)
        known = [
            *self.in_range,
            f"(= VS (* {low} (+ qs (* 4 AS))))",
            f"(= VC (* {low} (+ qc (* 4 AC))))",
            f"(= (+ VS VC) (* {low} W))",
            f"(= (+ qs qc) (+ {q} (* 4 h)))",
            f"(= XM (* {x * pos} Y))",
            "(= y (* 4 Y))",
            f"(= QM (* {q * pos} H))",
            "(= (* 4 H) (+ m 1))",
            f"(= (+ out (* {1 << self.sum_bits} over)) (+ (* {pos} (+ AS AC h)) XM QM))",
            "(and (<= 0 out) (<= 0 over))",
        ]
        made = f"(+ AS AC h (* {x} Y) (* {q} H))"
        goals = [
            "(= over 0)",
            f"(= out (* {pos} {made}))",
            f"(= (* 4 {made}) (+ W (* {x} y) (* {q} m)))",
        ]
        names = ("VS", "VC", "W", "Y", "y", "m", "H", "XM", "QM", "out", "over", "AS", "AC", "qs", "qc", "h")
        return self._denied(names, known, goals)

    def signed(self) -> str:
        """That what is behind the aligner is something else than W: no sign comes in above it."""
        pos, n = 1 << self.pos(self.pes - 1), 1 << self.sum_bits
        known = [
            f"(= VS (* {pos} AS))",
            f"(= VC (* {pos} AC))",
            "(and (<= 0 VS) (<= 0 VC))",
            f"(= (+ VS VC) (* {pos} W))",
            *self._tops_known(),
            f"(= out (+ AS AC (* {n - n // pos} (+ any all))))",
        ]
        names = ("VS", "VC", "AS", "AC", "W", "y", "m", "out", *self.TOPS)
        return self._denied(names, known, ["(= out W)"])

    def bit(self, x: int, q: int) -> Iterator[str]:
        """That a digit makes it wrong, it and Q being known; ``V`` is W', of which :meth:`element` speaks."""
        before = self.right_of_bits("P", "W", "xl", "xh", "l")
        behind = self.right_of_bits("(* 4 P)", "V", f"(+ xl (* {x} P))", "xr", f"(+ l (* {q} P))")
        names = ("x", "y", "m", "W", "V", "xl", "xh", "xr", "l", "P")
        made = f"(= (* 4 V) (+ W (* {x} y) (* {q} m)))"
        ranges = ["(<= 1 P)", "(<= 0 y)", "(<= 1 m)", f"(= xh (+ {x} (* 4 xr)))"]
        yield self._denied(names, [made, before[0]], [behind[0]])
        yield self._denied(names, [made, before[1], *ranges], [behind[1]])

    @property
    def radix(self) -> int:
        """R, a quarter of what P has become behind the last digit."""
        return 1 << (2 * self.passes * self.pes - 2)

    def quarter(self) -> Iterator[str]:
        """That behind the last digit R·W is not x·y + k·M~ with 0 <= k < R, for l = 4k."""
        radix, names = self.radix, ("W", "xl", "xh", "x", "y", "Y", "l", "k", "m", "H")
        right = self.right_of_bits(str(4 * radix), "W", "xl", "xh", "l")
        yield self._denied(names, [right[1], f"(< x {1 << self.width})"], ["(= xl x)"])
        known = [f"(= (* {4 * radix} W) (+ (* x y) (* l m)))", "(= y (* 4 Y))", "(= m (- (* 4 H) 1))"]
        chosen = f"(= k (- (+ (* l H) (* x Y)) (* {radix} W)))"
        yield self._denied(names, [*known, chosen], ["(= l (* 4 k))"])
        yield self._denied(
            names, [known[0], known[1], "(= l (* 4 k))"], [f"(= (* {radix} W) (+ (* x Y) (* k m)))"]
        )
        ranged = [right[1], "(= l (* 4 k))"]
        yield self._denied(names, ranged, [f"(<= 0 k {radix - 1})"])

    def counted(self, times: int, borrow: str) -> str:
        """That the last borrow does not say whether B < M, or 2M, or 3M."""
        facts = [f for g in range(self.words) for f in self.compared(g)]
        words = [self.parts_of("m"), self._twos(), self._threes("m")][times - 1]
        found = self.named(self.now, *(MULTIPLES, borrow) if times > 1 else (REDUCE, borrow), self.words)
        less = f"(< {self._value(self._results())} {self._value(words)})"
        return self._holding(facts, equal(equal(found.whole, "1"), less))

    def _twos(self) -> list[Word]:
        return [self.doubled(k) for k in range(self.words)]

    def _threes(self, letter: str) -> list[Word]:
        return [self.tripled(letter, k) for k in range(self.words)]

    def belongs(self) -> Iterator[str]:
        """That a number of the context is out of range: M~ of M, or M^ of M~; or that M is 0."""
        for times in TIMES:
            known = [f"(= (* 4 H) (+ (* {times} M) 1))", f"(and (<= 0 M) (< M {1 << self.width}))"]
            known.append(f"(= m (* {times} M))")
            goals = ["(<= 1 M)", f"(< H {1 << self.width})", f"(< m {3 << self.width})", "(<= 1 m)"]
            yield self._denied(("M", "H", "m"), known, goals)

    def _ended(self, times: int) -> list[str]:
        """What is right behind the last digit, and that B is what the result unit makes of it.

        Of x·y and k·M the lemma before says that they are in range. M~ is so many times M.
        """
        radix, top, width = self.radix, 1 << (self.word * self.words), 1 << self.width
        return [
            f"(and (<= 1 m) (< m {width}))",
            f"(= (* {radix} W) (+ (* x y) (* {times} (* k m))))",
            f"(<= 0 (* x y) (* {width} m))",
            f"(<= 0 (* k m) (* {radix - 1} m))",
            f"(= (+ B (* {top} kappa)) W)",
            f"(and (<= 0 B) (< B {top}))",
        ]

    def bounded(self, times: int) -> str:
        """That B is not below M + M~."""
        names = ("W", "x", "y", "m", "k", "B", "kappa")
        return self._denied(names, self._ended(times), [f"(< B (* {times + 1} m))"])

    def product_of(self, times: int, t: int) -> str:
        """That z is wrong, given what is right of B, of which t·M is taken away."""
        radix, width = self.radix, 1 << self.width
        known = [
            *self._ended(times),
            f"(= {t} (ite (< B (* 2 m)) (ite (< B m) 0 1) (ite (< B (* 3 m)) 2 3)))",
            f"(= B (+ stored (* {width} above)))",
            f"(and (<= 0 stored) (< stored {width}))",
            f"(= (* {t} m) (+ taken (* {width} beyond)))",
            f"(= z (+ (- stored taken) (* {width} under)))",
            f"(and (<= 0 z) (< z {width}))",
        ]
        goals = [
            "(<= 0 z)",
            "(< z m)",
            f"(= (* {radix} z) (+ (* x y) (* (- (* {times} k) {radix * t}) m)))",
        ]
        names = ("W", "x", "y", "m", "k", "B", "kappa", "stored", "above", "taken", "beyond", "under")
        return self._denied((*names, "z"), known, goals)

    # --- all --------------------------------------------------------------------------------------

    def of_numbers(self) -> Iterator[Obligation]:
        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        for i in range(self.pes):
            yield z3(f"the words of element {i} sum up", self.summed_up(i))
            for digit, name in FACTORS:
                texts = [self.multiple(i, digit, name, value) for value in DIGITS]
                yield z3(f"the multiples of {name} in element {i} sum up", *texts)
            if i < self.pes - 1:
                texts = [self.passed_on(i, name) for name in WORDS]
                yield z3(f"Y, M^ and their triples go on from element {i} four times", *texts)
            yield z3(f"element {i} makes W' of W", *(self.element(i, x, q) for x, q in PAIRS))
        yield Obligation("number", "the facts are possible", "z3", tuple(self.possible()), holds=False)
        texts = [self.two_times(), *(self.three_times(letter) for letter in "yhm")]
        yield z3("the words of two and three times a number sum up", *texts)
        yield z3("Y, M^ and their triples come in four times", *(self.entered(name) for name in WORDS))
        yield z3("the words behind the aligner sum up", *self.shifted_down())
        yield z3("what is behind the aligner is W", self.signed())
        yield z3("the numbers of the context are in range", *self.belongs())
        yield z3("before digit 0 it is right", self.begun())
        texts = [text for x, q in PAIRS for text in self.bit(x, q)]
        yield z3("what is right before a digit is right behind it", *texts)
        yield z3("behind the last digit R·W = x·y + k·M~", *self.quarter())
        yield z3("the result unit's words sum up", self.taken_up())
        texts = [self.counted(times, f"borrow{times}_q") for times in (1, 2, 3)]
        yield z3("the comparisons find whether B < M, B < 2M, B < 3M", *texts)
        yield z3("a product is not negative and monotonous", self.monotonous())
        yield z3("these lemmas make an induction over places and clock cycles", self.composed())
        yield z3("B < M + M~", *map(self.bounded, TIMES))
        texts = [self.product_of(times, t) for times in TIMES for t in range(times + 1)]
        yield z3("z is right", *texts)

    def possible(self) -> Iterator[str]:
        """The facts of a kind of element, of what is around the row, with nothing to be shown."""
        for drops in (False, True):
            for i in [i for i in range(self.pes) if self.drops(i) == drops][:1]:
                yield self._holding(self._element_facts(i), "false")
        every: Sequence[int] = range(self.period)
        yield self._holding([f for w in every for f in (*self.enters(w), *self.fetched(w))], "false")
        yield self._holding([f for w in every for f in self.aligned(w, self.now, self.now)], "false")
        stages = (self.gathered, self.summed, self.compared)
        facts = [f for g in range(self.words) for stage in stages for f in stage(g)]
        facts += [*self.double_facts(), *(f for letter in "yhm" for f in self.triple_facts(letter))]
        yield self._holding(facts, "false")
