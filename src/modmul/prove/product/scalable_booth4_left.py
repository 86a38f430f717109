# SPDX-License-Identifier: Apache-2.0
"""Of ``scalable_booth4_left``: R·z = x·y + k·M for an integer k, and 0 <= z < M.

From reset to result, at full width, for every context with the length ``Width`` and the M^ that belongs to
M, for all operands x, y <= M and any behaviour at the ports, resets included. With N for the T·w bits of a
sum, P for 4^m before digit m, and σ for the place of the lowest bit of Z where it comes into an element, this
is what is right before digit m, in the words that come into its element, whichever states these cross:

    VS + VC = 2^σ·W + a multiple of 2^N       VS and VC are the numbers that the words make up
    Y' = 2^(σ+2)·y, M' = 2^(σ+2)·M^           modulo 2^N, the same of the words of Y and M^
    P·(W + 2s) = 4·L·y + K·M~                 M~ = 4·M^ - 1 = M or -M; s is S_Q of the element before
    L = (x mod P) - P·t, K = l - P·s          t is the bit of x below digit m; 0 <= l < P, l mod 4 = 0
    3·|W + 2s| <= 2·M + 8·y

- **invariant** (bitwuzla, on the netlist): where everything is, :mod:`~modmul.prove.product.systolic`.
- **step** (bitwuzla, on the netlist): each place of an operation has the place before behind it, with the
  same operands; and what an element makes of a word in its place, weighted: two carry-save adders, what feeds
  them, what goes on to the next element, how the digits are coded. The same of the aligner, of the words of
  operands as they enter, of the result unit.
- **number** (z3, integers): the words sum up, their carries cancelling; what is right before a digit is right
  behind it, for any P; the sign that comes in where a word is dropped, and behind the last element; what the
  result unit makes of it; and that this makes an induction over places and clock cycles.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from modmul.prove.product.systolic import REDUCE, RESULT, SHELL, At
from modmul.prove.product.systolic_row import FACTORS, SIGNS, UNIT, Row, Z, is_
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Fact,
    Word,
    all_of,
    any_of,
    declared,
    equal,
    implies,
    negation,
    number,
    shown_sum,
)

__all__ = ["LeftShifting"]


def total(words: Iterable[Word], base: int) -> dict[str, int]:
    """The number that words make up, the lowest being the first."""
    return {word.whole: 1 << (base * k) for k, word in enumerate(words)}


class LeftShifting(Row):
    """The obligations of a build in which no word of Z waits between two passes."""

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        yield from self._numbers()

    @property
    def sum_bits(self) -> int:
        """N."""
        return self.period * self.word

    # --- numbers ----------------------------------------------------------------------------------

    def _holding(
        self, facts: Iterable[Fact], goal: str, *more: str, lines: str = "", words: Sequence[Word] = ()
    ) -> str:
        """That facts and more hold, and a goal does not."""
        every = list(facts)
        some = [*words, *(word for fact in every for word in fact.words())]
        shown = [f"(assert {each})" for each in (*(f.over_integers() for f in every), *more, negation(goal))]
        return "\n".join((lines, *declared(some), *shown))

    def _over(self, i: int, name: str, labels: Iterable[int], at: At | None = None) -> list[Word]:
        """A signal of element i, word by word."""
        return [self.named(at or self.now, self.pe(i), name, label) for label in labels]

    def _value(self, *words: Sequence[Word]) -> str:
        """The sum of the numbers that words make up."""
        return f"(+ 0 {' '.join(shown_sum(total(each, self.word)) for each in words)})"

    def summed_up(self, i: int) -> str:
        """That the words of sum and carry of element i do not sum up."""
        base, every, n = self.word, range(self.period), 1 << self.sum_bits
        facts = [fact for w in every for fact in self.sum_facts(i, w)]
        out = self._value(*(self._over(i, f"{name}_o", every, self.next) for name in Z))
        over = [self.named(self.next, self.pe(i), name, self.period).whole for name in ("cx_q", "cq_q")]
        multiples = self._value(*(self._over(i, f"{name}_mul", every) for name in "xq"))
        pos = 1 << self.pos(i)
        ones = f"(* {pos} (+ {self.digit(i, 'x_neg').whole} {self.digit(i, 'h').whole}))"
        left = f"(+ {out} (* {n} (+ {' '.join(over)})))"
        if self.drops(i):
            came = self._value(*(self._over(i, f"{name}_i", range(1, self.period)) for name in Z))
            flags = [
                self.named(self.now, f"{self.pe(i)}gen_discard.", name, self.period - 1).whole
                for name in ("any_q", "all_q")
            ]
            signs = f"(* {(n >> base) * ((1 << base) - 1)} (+ {' '.join(flags)}))"
            goals = [equal(left, f"(+ {came} {signs} {multiples} {ones})")]
            more, used = self._sign_facts(flags, self.pe(i))
            goals += more
            for name in Z:
                whole = self._value(self._over(i, f"{name}_i", every))
                above = self._value(self._over(i, f"{name}_i", range(1, self.period)))
                lowest = self.named(self.now, self.pe(i), f"{name}_i", 0).whole
                goals.append(equal(whole, f"(+ {lowest} (* {1 << base} {above}))"))
            return self._holding(facts, all_of(*goals), words=used)
        low = [word.whole for word in self.low_bits(i, self.now)]
        came = self._value(*(self._over(i, f"{name}_i", every) for name in Z))
        gone = f"(* {pos // 4} (+ {' '.join(low)}))"
        goals = [equal(f"(+ {left} {gone})", f"(+ {came} {multiples} {ones})")]
        for name, each in zip(Z, low, strict=True):
            whole = self._value(self._over(i, f"{name}_i", every))
            goals.append(equal(whole, f"(+ (* {pos // 4} {each}) (* {pos} {self._above(i, name)}))"))
        return self._holding(facts, all_of(*goals))

    def _above(self, i: int, name: str) -> str:
        """What is above the bits that make the quotient's digit."""
        pos = self.pos(i)
        high = self.named(self.now, self.pe(i), f"{name}_i", 0, (self.word - 1, pos))
        rest = self._over(i, f"{name}_i", range(1, self.period))
        return shown_sum(
            {high.whole: 1} | {w.whole: 1 << (self.word * k - pos) for k, w in enumerate(rest, 1)}
        )

    def _sign_facts(self, flags: Sequence[str], path: str) -> tuple[list[str], list[Word]]:
        """That two flags tell the two highest bits of sum and carry, and which words that speaks of."""
        last, quarter, goals = self.period - 1, 1 << (self.sum_bits - 2), []
        tops, used = [], []
        for name in Z:
            top, rest = (self.named(self.now, path, f"{name}_i", last, cut) for cut in self.tops)
            words = [self.named(self.now, path, f"{name}_i", w) for w in range(self.period)]
            below = f"(+ {self._value(words[:-1])} (* {1 << (self.word * last)} {rest.whole}))"
            goals.append(equal(self._value(words), f"(+ (* {quarter} {top.whole}) {below})"))
            goals.append(f"(and (<= 0 {below}) (< {below} {quarter}))")
            tops.append(top.whole)
            used += words
        for flag, value, set_ in ((flags[0], 0, 0), (flags[1], 3, 1)):
            both = all_of(*(equal(top, str(value)) for top in tops))
            goals.append(equal(equal(flag, str(set_)), both))
        return goals, used

    def multiplied(self, i: int, digit: str, name: str, neg: int, mag: int) -> Iterator[str]:
        """That the multiples of a word of Y or M^ do not sum up to that of the number."""
        every, n, drops = range(self.period), 1 << self.sum_bits, self.drops(i)
        facts = [fact for w in every for fact in self.factor_facts(i, w, digit, name)]
        facts += [is_(self.digit(i, f"{digit}_neg"), neg), is_(self.digit(i, f"{digit}_mag"), mag)]
        pos = self.pos(i)
        got = f"(+ {self._value(self._over(i, f'{digit}_mul', every))} {neg << pos})"
        worth = f"(* {number((-mag if neg else mag) << pos)} V)"
        top = self._top(i, name)
        lines, more = self._factor(i, name)
        if not drops:
            over = f"(- (* {mag} mu) {top if mag == 2 else 0})"
            over = f"(- 1 {over})" if neg else over
            yield self._holding(facts, equal(got, f"(+ {worth} (* {n} {over}))"), *more, lines=lines)
            return
        facts.append(is_(self.named(self.now, self.pe(i), f"{name}_i", 0), 0))
        for sign in (0, 1) if name == "m" else (0,):
            beyond = neg ^ (sign & (mag > 0))
            known = [equal(top, str(sign))] if name == "m" else []
            yield self._holding(facts, equal(got, f"(+ {worth} {n * beyond})"), *more, *known, lines=lines)

    def _top(self, i: int, name: str, place: int = 1) -> str:
        """A highest bit of the last word of Y or M^ that comes into element i."""
        bit = self.word - place
        return self.named(self.now, self.pe(i), f"{name}_i", self.period - 1, (bit, bit)).whole

    def _factor(self, i: int, name: str) -> tuple[str, list[str]]:
        """What the words of Y or M^ stand for where they come into element i."""
        scale, n, width = 1 << (self.pos(i) or self.word), 1 << self.sum_bits, self.width
        whole = self._value(self._over(i, f"{name}_i", range(self.period)))
        low, high = ("0", 1 << width) if name == "y" else (number(-(1 << (width - 1))), 1 << (width - 1))
        return "(declare-const V Int)(declare-const mu Int)", [
            equal(whole, f"(+ (* {scale} V) (* {n} mu))"),
            f"(<= {low} V)",
            f"(< V {high})",
        ]

    def passed_on(self, i: int, name: str) -> str:
        """That the words of Y or M^ do not go on four times."""
        every, n, scale = range(self.period), 1 << self.sum_bits, 4 << self.pos(i)
        [digit] = [digit for digit, other in FACTORS if other == name]
        facts = [fact for w in every for fact in self.factor_facts(i, w, digit, name)]
        out = self._value(self._over(i, f"{name}_o", every, self.next))
        lines, more = self._factor(i, name)
        if self.drops(i):
            facts.append(is_(self.named(self.now, self.pe(i), f"{name}_i", 0), 0))
            goal = equal(out, f"(+ (* {scale} V) (* {n} {self._top(i, name)}))")
        else:
            over = f"(- (* 4 mu) (* 2 {self._top(i, name)}) {self._top(i, name, 2)})"
            goal = equal(out, f"(+ (* {scale} V) (* {n} {over}))")
        return self._holding(facts, goal, *more, lines=lines)

    def coded(self, i: int) -> str:
        """That the digits are not those of their windows, or Q not what is left of two bits."""
        now, then, pe = self.now, self.next, self.pe(i)
        goals = []
        for digit in "xq":
            neg, mag = self.digit(i, f"{digit}_neg", then).whole, self.digit(i, f"{digit}_mag", then).whole
            goals.append(f"(<= 0 {mag} 2)")
            if digit == "x":
                high, middle, low = (self.named(now, pe, "x_i", "digit", (b, b)).whole for b in (2, 1, 0))
                value = f"(+ (* (- 2) {high}) {middle} {low})"
            else:
                one, two = (self.named(now, pe, "q", "digit", (b, b)).whole for b in (0, 1))
                before = self.named(now, pe, "q_neg_i", "digit").whole
                value = f"(- (+ {one} (* 2 {two}) {before}) (* 4 {neg}))"
                low_bits = [word.whole for word in self.low_bits(i, now if self.drops(i) else then)]
                over = self.digit(i, "h", then).whole
                goals.append(
                    equal(f"(+ {' '.join(low_bits)} {before})", f"(+ {one} (* 2 {two}) (* 4 {over}))")
                )
                goals.append(equal(neg, two))
            goals.append(equal(f"(ite (= {neg} 1) (- {mag}) {mag})", value))
        return self._holding(self.taken_facts(i), all_of(*goals))

    NAMES = ("VS", "VC", "W", "kappa", "out", "XM", "QM", "XX", "QQ", "ox", "oq", "over", "AS", "AC")

    def element(self, i: int) -> str:
        """That element i leaves something else than W', in terms of what its words sum up to.

        XX and QQ are the multiples of y and M^, which XM and QM are but for a 1 that is still to be added and
        a multiple of 2^N. Where a word is dropped, AS and AC are what is above it.
        """
        drops, n = self.drops(i), 1 << self.sum_bits
        pos = 1 << self.pos(i)
        low = (1 << (self.word - 2)) if drops else pos // 4
        above = 4 * low
        ones = f"(* {pos} (+ x_neg h))"
        known = [
            f"(= VS (+ (* {low} qs) (* {above} AS)))",
            f"(= VC (+ (* {low} qc) (* {above} AC)))",
            f"(= (+ VS VC) (+ (* {low} W) (* {n} kappa)))",
            "(= (+ qs qc s) (+ Q (* 4 h)))",
            f"(= (+ XM (* {pos} x_neg)) (+ (* {pos} XX) (* {n} ox)))",
            f"(= (+ QM (* {pos} s_n)) (+ (* {pos} QQ) (* {n} oq)))",
        ]
        if drops:
            known += self._tops_known()
            known.append(
                f"(= (+ out (* {n} over)) (+ AS AC (* {n - (n >> self.word)} (+ any all)) XM QM {ones}))"
            )
        else:
            known.append(f"(= (+ out (* {n} over) (* {low} (+ qs qc))) (+ VS VC XM QM {ones}))")
        quarter = f"(+ AS AC h (* {number(-(n // above))} kappa))"
        goals = [
            f"(= (- (+ W s) Q) (* 4 {quarter}))",
            f"(= out (+ (* {pos} (- (+ {quarter} XX QQ) s_n)) (* {n} (- (+ kappa ox oq) over))))",
        ]
        names = (*self.NAMES, "qs", "qc", "s", "Q", "h", "x_neg", "s_n", *(self.TOPS if drops else ()))
        return self._denied(names, known, goals)

    @staticmethod
    def _denied(names: Iterable[str], known: Iterable[str], goals: Sequence[str]) -> str:
        """That integers fulfil what is known and not what is to be shown."""
        lines = [f"(declare-const {name} Int)" for name in names]
        lines += [f"(assert {each})" for each in (*known, negation(all_of(*goals)))]
        return "\n".join(lines)

    def _tops_known(self) -> list[str]:
        """The sign: what two flags tell of the two highest bits of sum and carry, W being in range."""
        n = 1 << self.sum_bits
        return [
            *(f"(<= 0 {top} 3)" for top in ("ts", "tc")),
            *(f"(and (<= 0 {rest}) (< {rest} {n // 4}))" for rest in ("rs", "rc")),
            *(f"(= V{a} (+ (* {n // 4} t{b}) r{b}))" for a, b in (("S", "s"), ("C", "c"))),
            "(= any (ite (and (= ts 0) (= tc 0)) 0 1))",
            "(= all (ite (and (= ts 3) (= tc 3)) 1 0))",
            *self.in_range,
        ]

    TOPS = ("any", "all", "ts", "tc", "rs", "rc")

    def _numbers(self) -> Iterator[Obligation]:
        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        for i in range(self.pes):
            yield z3(f"the words of element {i} sum up", self.summed_up(i))
            for digit, name in FACTORS:
                texts = [t for neg, mag in SIGNS for t in self.multiplied(i, digit, name, neg, mag)]
                yield z3(f"the multiples of {name} in element {i} sum up", *texts)
                if i < self.pes - 1:
                    yield z3(f"{name} goes on from element {i} four times", self.passed_on(i, name))
            yield z3(f"the digits of element {i} are those of their windows", self.coded(i))
            yield z3(f"element {i} makes W' of W", self.element(i))

        yield Obligation("number", "the facts are possible", "z3", tuple(self.possible()), holds=False)
        yield z3("Y and M^ come in four times", *(self.entered(name) for name in "ym"))
        yield z3("the words behind the aligner sum up", *map(self.shifted, (self.period, self.words)))
        yield z3("what is behind the aligner is W", self.signed())
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
        """The facts of a kind of element, of the aligner and of the result unit, with nothing to be shown."""
        for drops in (False, True):
            for i in [i for i in range(self.pes) if self.drops(i) == drops][:1]:
                facts = [fact for w in range(self.period) for fact in self.word_facts(i, w)]
                yield self._holding((*facts, *self.taken_facts(i)), "false")
        yield self._holding(
            [f for w in range(self.period) for f in self.aligned(w, self.now, self.now)], "false"
        )
        stages = (self.gathered, self.summed, self.compared)
        yield self._holding([f for g in range(self.words) for stage in stages for f in stage(g)], "false")

    def entered(self, name: str) -> str:
        """That Y or M^ comes into the first element otherwise than four times."""
        every, n = range(self.period), 1 << self.sum_bits
        facts = [f for w in every for f in (*self.enters(w), *self.fetched(w))]
        out = self._value(self._over(0, f"{name}_i", every))
        words = [Word(f"{'y' if name == 'y' else 'h'}.{k}", "", self.word) for k in range(self.beats)]
        last, bit = self.period - 1, self.word - 1
        top, second = (self.named(self.now, SHELL, f"{name}_o", last, (b, b)).whole for b in (bit, bit - 1))
        sign = self.hat_sign.whole
        value, ranges = self._value(words), []
        if name == "m":
            value, over = (
                f"(- {value} (* {1 << self.width} {sign}))",
                f"(- (* 4 {sign}) (* 2 {top}) {second})",
            )
            half = 1 << (self.width - 1)
            ranges = [f"(<= {number(-half)} {value})", f"(< {value} {half})"]
        else:
            over = f"(- 0 (* 2 {top}) {second})"
        return self._holding(facts, all_of(equal(out, f"(+ (* 4 {value}) (* {n} {over}))"), *ranges))

    def shifted(self, count: int) -> str:
        """That some words behind the aligner are not what is above its lowest bits, with the sign above.

        The result unit takes fewer words than there are; what is above these does not count there.
        """
        base, pos, period = self.word, self.pos(self.pes - 1), self.period
        facts = [f for w in range(count) for f in self.aligned(w, self.now, self.now)]
        facts += [f for w in range(count, period) for name in Z for f in [self.split(w, name, self.now)]]
        goals, n = [], 1 << (base * count)
        flags = [self.named(self.now, f"{UNIT}gen_shift.", f, period - 1).whole for f in ("any", "all")]
        for name, flag in zip(Z, flags, strict=True):
            words, out = (
                [self.named(self.now, UNIT, f"{name}{ending}", w) for w in range(many)]
                for ending, many in (("_i", period), ("_o", count))
            )
            above: dict[str, int] = {}
            for w in range(period):
                high, low = self.halves(w, name, self.now)
                above |= {high.whole: 1 << (base * w)} | ({low.whole: 1 << (base * w - pos)} if w else {})
            sign = f"(* {((1 << pos) - 1) << (base * period - pos)} {flag})" if count == period else "0"
            beyond = shown_sum({each: weight // n for each, weight in above.items() if weight >= n})
            got = f"(+ {self._value(out)} (* {n if count < period else 0} {beyond}))"
            goals.append(equal(got, f"(+ {shown_sum(above)} {sign})"))
            goals.append(equal(self._value(words), f"(* {1 << pos} {shown_sum(above)})"))
        if count == period:
            goals += self._sign_facts(flags, UNIT)[0]
        return self._holding(facts, all_of(*goals))

    def signed(self) -> str:
        """That what is behind the aligner is something else than W."""
        pos, n = 1 << self.pos(self.pes - 1), 1 << self.sum_bits
        known = [
            f"(= VS (* {pos} AS))",
            f"(= VC (* {pos} AC))",
            f"(= (+ VS VC) (+ (* {pos} W) (* {n} kappa)))",
            *self._tops_known(),
            f"(= out (+ AS AC (* {n - n // pos} (+ any all))))",
        ]
        names = ("VS", "VC", "AS", "AC", "W", "kappa", "out", *self.TOPS)
        return self._denied(names, known, [f"(= out (+ W (* {n} kappa)))"])

    def right(
        self, p: str, w: str, s: str, xl: str, xh: str, t: str, low: str, low_4: str
    ) -> tuple[str, str]:
        """What is right before a digit, an equation of products and what is linear; H stands for M^."""
        quotients = f"(* (- {low} (* {p} {s})) (- (* 4 H) 1))"
        product = equal(f"(* {p} (+ {w} (* 2 {s})))", f"(+ (* 4 (- {xl} (* {p} {t})) y) {quotients})")
        return product, all_of(
            f"(= x (+ {xl} (* {p} {xh})))",
            f"(and (<= 0 {xl}) (< {xl} {p}) (<= 0 {xh}))",
            f"(and (<= 0 {low}) (< {low} {p}) (= {low} (* 4 {low_4})))",
            *(f"(<= (* {sign} 3 (+ {w} (* 2 {s}))) (+ (* 2 m) (* 8 y)))" for sign in ("1", "(- 1)")),
        )

    HAT = "(ite (< H 1) (= (* 4 H) (- 1 m)) (= (* 4 H) (+ m 1)))"
    """M^ is that of M: M~ = 4·M^ - 1 is M or -M; of M = 1 it is 0."""

    def begun(self) -> str:
        """That it is wrong before digit 0."""
        right = self.right("1", "0", "0", "0", "x", "0", "0", "0")
        return self._denied(("x", "y", "H", "m"), ["(<= 0 x)", "(<= 0 y)", "(<= 1 m)"], right)

    def ranged(self) -> str:
        """That W is longer than the sign is taken of."""
        known = [
            f"(and (<= 0 y m) (< m {1 << self.width}) (<= 0 s 1))",
            *(f"(<= (* {sign} 3 (+ W (* 2 s))) (+ (* 2 m) (* 8 y)))" for sign in ("1", "(- 1)")),
        ]
        return self._denied(("W", "s", "m", "y"), known, self.in_range)

    @property
    def in_range(self) -> list[str]:
        most = 4 << self.width
        return [f"(<= {number(-most)} W {most})"]

    def induction(self, window: int, q: int, s: int, first: bool = False) -> Iterator[str]:
        """That a digit makes it wrong, its window and the one of Q being known.

        Behind the first digit P is a multiple of 4. The quarter that is an integer is :meth:`element`'s.
        """
        high, middle, t = window >> 2, window >> 1 & 1, window & 1
        x_digit, then, more = -2 * high + middle + t, q >> 1, middle + 2 * high
        q_digit = q + s - 4 * then
        w_then = f"(- (+ quarter (* {number(x_digit)} y) (* {number(q_digit)} H)) {then})"
        w = f"(+ (* 4 quarter) {number(q - s)})"
        p, xl, low_4 = ("1", "0", "0") if first else ("(* 4 P4)", "xl", "l4")
        low_4_then = "0" if first else f"(+ l4 (* {q} P4))"
        before = self.right(p, w, str(s), xl, "xh", str(t), f"(* 4 {low_4})", low_4)
        x_then, q_then = f"(+ {xl} (* {more} {p}))", f"(+ (* 4 {low_4}) (* {q} {p}))"
        behind = self.right(f"(* 4 {p})", w_then, str(then), x_then, "xr", str(high), q_then, low_4_then)
        names = ("xl", "xh", "l4", "x", "y", "H", "m", "quarter", "xr", "P4")
        begun = [f"(= {w} 0)"] if first else []
        ranges = [self.HAT, "(<= 1 m)", "(<= 0 y)", "(<= 1 P4)", f"(= xh (+ {more} (* 4 xr)))"]
        yield self._denied(names, [*begun, before[0]], [behind[0]])
        yield self._denied(names, [*begun, before[1], *ranges], [behind[1]])

    def gathered_up(self, neg: int, sign: int) -> str:
        """That the words of the result unit do not sum up to what they are to be."""
        e, base = self.words, self.word
        facts = [f for g in range(e) for f in (*self.gathered(g), *self.summed(g))]
        signs = (
            self.named(self.now, f"{RESULT}gen_booth.gen_last_multiple.", "q_neg", "last"),
            self.named(self.now, SHELL, "m_neg_q", "last"),
        )
        facts += [is_(word, value) for word, value in zip(signs, (neg, sign), strict=True)]
        came = self._value(*([self.named(self.now, RESULT, f"{name}_i", g) for g in range(e)] for name in Z))
        total_ = self._value(self._results())
        over = [self.named(self.now, RESULT, name, e).whole for name in ("k_q", "b_carry_q")]
        modulus = self._value(self._modulus()) if neg != sign else "0"
        goal = equal(
            f"(+ {total_} (* {1 << (base * e)} (+ {' '.join(over)})))", f"(+ {came} {modulus} {2 * neg})"
        )
        return self._holding(facts, goal)

    def _results(self) -> list[Word]:
        return [self.named(self.now, RESULT, "b_word_q", g) for g in range(self.words)]

    def _modulus(self) -> list[Word]:
        return [Word(f"m.{k}", self.cut(self.now("m"), k), self.word) for k in range(self.beats)]

    def compared_all(self) -> str:
        """That the last borrow does not say whether B < M."""
        facts = [f for g in range(self.words) for f in self.compared(g)]
        borrow = self.named(self.now, REDUCE, "borrow1_q", self.words).whole
        less = f"(< {self._value(self._results())} {self._value(self._modulus())})"
        return self._holding(facts, equal(equal(borrow, "1"), less))

    def result(self, sign: int, s: int) -> str:
        """That z is wrong, given what is right behind the last digit and what the result unit makes of it.

        It is 4^m that P has become, m being the number of digits; R is a quarter of it. ``xy`` is x·y, ``lm``
        is l/4·M, of which the lemma before says that they are in range.
        """
        p = 1 << (2 * self.passes * self.pes)
        radix, top, width = p // 4, 1 << (self.word * self.words), 1 << self.width
        known = [
            self.HAT,
            f"(= m (+ (* 4 quarter) {1 if sign else 3}))",
            f"(and (<= 1 m) (< m {width}) (<= 0 x m) (<= 0 y m))",
            *self.right(str(p), "W", str(s), "xl", "xh", "0", "l", "l4"),
            f"(<= 0 (* x y) (* {width} m))",
            f"(<= 0 (* l4 m) (* {radix - 1} m))",
            f"(= (+ B (* {top} kappa)) (+ W {2 * s} {'m' if s != sign else '0'}))",
            f"(and (<= 0 B) (< B {top}))",
            "(= once (ite (< B m) 0 1))",
            f"(= B (+ stored (* {width} above)))",
            f"(and (<= 0 stored) (< stored {width}))",
            f"(= z (+ (- stored (* once m)) (* {width} under)))",
            f"(and (<= 0 z) (< z {width}))",
        ]
        multiple = f"(- {'(- 0 l4)' if sign else 'l4'} (* {radix} (- once {sign})))"
        goals = ["(<= 0 z)", "(< z m)", f"(= (* {radix} z) (+ (* x y) (* {multiple} m)))"]
        names = (
            *("W", "xl", "xh", "l", "l4", "x", "y", "H", "m"),
            "B",
            "kappa",
            "once",
            "stored",
            "above",
            "under",
            "z",
            "quarter",
        )
        return self._denied(names, known, goals)

    def monotonous(self) -> str:
        """That a product is out of range: of x <= 2^n and l/4 <= R - 1."""
        known = ["(<= 0 a c)", "(<= 0 b)"]
        return self._denied("abc", known, ["(<= 0 (* a b) (* c b))"])

    def composed(self) -> str:
        """That what the lemmas keep up does not go on holding: one step of the induction over clock cycles.

        ``at.c`` stands for an operation at place c, ``facts.c`` for the facts of all its places before,
        ``right.m`` for what is right before digit m, of the operation that has m digits behind it there;
        ``full.b`` and ``good.b`` for a result in a buffer, and that it is the product; so ``leave`` and
        ``gone`` for one whose last word is in a stage of its way out, ``given`` and ``done`` for one that has
        left. The ending ``_n`` is for the next state. The lemmas are those of the names above, in their
        words.
        """
        ends = [
            j * self.period + self.takes(i) + self.period + 1
            for j in range(self.passes)
            for i in range(self.pes)
        ]
        last, digits = self.places - 1, len(ends)
        behind = [sum(end <= c for end in ends) for c in range(self.places)]
        names = [f"{name}.{c}" for name in ("at", "facts") for c in range(self.places)]
        names += [f"right.{m}" for m in range(digits + 1)]
        names += [
            f"{name}.{b}"
            for name in ("full", "good", "leave", "gone", "stay", "come", "rest")
            for b in (0, 1)
        ]
        names += ["given", "done", "product"]

        def holds(ending: str) -> str:
            return all_of(
                *(
                    implies(f"at.{c}{ending}", all_of(f"facts.{c}{ending}", f"right.{behind[c]}{ending}"))
                    for c in range(self.places)
                ),
                *(
                    implies(f"{a}.{b}{ending}", f"{g}.{b}{ending}")
                    for a, g in (("full", "good"), ("leave", "gone"))
                    for b in (0, 1)
                ),
                implies(f"given{ending}", f"done{ending}"),
            )

        lemmas = [implies("at.0_n", all_of("facts.0_n", "right.0_n"))]
        for c in range(1, self.places):
            lemmas.append(implies(f"at.{c}_n", f"at.{c - 1}"))
            lemmas.append(implies(all_of(f"at.{c}_n", f"at.{c - 1}", f"facts.{c - 1}"), f"facts.{c}_n"))
            before = all_of(f"at.{c}_n", f"facts.{c}_n", f"right.{behind[c - 1]}")
            lemmas.append(implies(before, f"right.{behind[c]}_n"))
        lemmas.append(implies(all_of(f"at.{last}", f"facts.{last}", f"right.{digits}"), "product"))
        for b in (0, 1):
            lemmas += [
                implies(
                    f"full.{b}_n", any_of(all_of(f"full.{b}", f"stay.{b}"), all_of(f"at.{last}", f"come.{b}"))
                ),
                implies(all_of(f"stay.{b}", f"good.{b}"), f"good.{b}_n"),
                implies(all_of(f"come.{b}", "product"), f"good.{b}_n"),
                implies(all_of(f"rest.{b}", f"gone.{b}"), f"gone.{b}_n"),
            ]
        lemmas += [
            implies(
                "leave.0_n",
                any_of(
                    all_of("leave.0", "rest.0"),
                    "(and full.0 (=> good.0 gone.0_n))",
                    "(and full.1 (=> good.1 gone.0_n))",
                ),
            ),
            implies("leave.1_n", any_of(all_of("leave.1", "rest.1"), "(and leave.0 (=> gone.0 gone.1_n))")),
            implies("given_n", "(and leave.1 (=> gone.1 done_n))"),
        ]
        if behind[last] != digits or any(b - a > 1 for a, b in itertools.pairwise(behind)):
            raise ValueError(f"{self.build}: not all digits end in their turn")
        lines = [f"(declare-const {name}{ending} Bool)" for name in names for ending in ("", "_n")]
        lines += [f"(assert {each})" for each in (*lemmas, holds(""), negation(holds("_n")))]
        return "\n".join(lines)
