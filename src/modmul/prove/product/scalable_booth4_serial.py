# SPDX-License-Identifier: Apache-2.0
"""Of ``scalable_booth4_serial``: R·z = x·y + k·M for an integer k, and 0 <= z < M.

From reset to result, at full width, for every context with the length ``Width``, for all operands x, y <= M
and any behaviour at the ports, resets included. What is around the row is that of ``scalable_radix2_right``
but for the digits of x, which are those of ``scalable_booth4_right``, and for M, which is added to the last
Z. Element i has word w before it in cycle 2i + 1 + w of a pass, as in both; it takes its digit of x a cycle
before word 0, and Q with word 0. H, the carry out of the digits of Z that have gone, is 0 or 1; it stays
beside Z and goes on with word 0. With P for 4^m before digit m, this is right of the words that come into the
digit's element:

    VS + VC = W + a multiple of 2^N           VS and VC are the numbers that the words make up
    Y' = y, M' = M                            the same of the words of Y and M
    P·E = L·y + K·M, E = W + H                L = (x mod P) - P·t; t is the bit of x below digit m
    -(P - 1) <= 3·K <= 2·(P - 1)              K is worth the digits Q so far, -1 <= Q <= 2
    -(2·y + M) <= 3·E <= 2·(y + M)

- **invariant** (bitwuzla, on the netlist): where everything is, :mod:`~modmul.prove.product.systolic`; and
  that the first word of M is odd.
- **step** (bitwuzla, on the netlist): each place of an operation has the place before behind it, with the
  same operands; what an element makes of a word, weighted: two carry-save adders and what feeds them; that
  the two lowest bits of the first word, with H, are 4·H of the next element; what goes on of a word with the
  lowest bits of the next one or the sign above it. The same of the way back to the first element, of the
  words of operands as they enter, of the result unit.
- **number** (z3, integers): the words sum up, their carries cancelling; the sign that comes in above the last
  word; an element makes 4·E' = E + X·y + Q·M; what is right before a digit is right behind it; the result
  unit makes B = E + M. The lemmas about comparison and the induction over places and clock cycles are those
  of :class:`~modmul.prove.product.scalable_booth4_left.LeftShifting`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from modmul.prove.product.scalable_radix2_right import BitByBit
from modmul.prove.product.systolic import GATE, RESULT, SHELL, At
from modmul.prove.product.systolic_row import FACTORS, SIGNS, Z, is_, same, when
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Fact,
    Word,
    all_of,
    any_of,
    equal,
    implies,
    negation,
    number,
)

__all__ = ["InTurn"]

MADE = {"zs": "s2", "zc": "c2"}
"""Sum and carry behind the second adder, of those which go on."""

QUOTIENTS = ((0, 0), (0, 1), (0, 2), (1, 1))
"""Sign and magnitude of Q."""


class InTurn(BitByBit):
    """The obligations of a build in which no word of Z waits between two passes."""

    # --- the row ----------------------------------------------------------------------------------

    @property
    def digits(self) -> int:
        return super(BitByBit, self).digits

    def window(self, x: str, m: int) -> str:
        return super(BitByBit, self).window(x, m)

    # --- the invariant ----------------------------------------------------------------------------

    def _context(self, at: At) -> Iterator[str]:
        yield from super()._context(at)
        one, whole = at.is_(f"{SHELL}number_q", 1), at.high(f"{GATE}whole_q")
        for k in range(self.beats):
            there = any_of(all_of(one, at.behind(f"{SHELL}ctx_beat_q", k)), whole)
            word = at(f"{RESULT}gen_booth.u_tilde.words[{k}]")
            yield implies(there, equal(word, self.cut(at("m"), k)))

    def _digits(self, at: At) -> Iterator[str]:
        return super(BitByBit, self)._digits(at)

    # --- what the netlist does --------------------------------------------------------------------

    def taken_facts(self, i: int) -> Iterator[Fact]:
        """What element i makes of its digit of x, in the cycle before its first word."""
        high, middle, low = self._window(i)
        neg, mag = (self.digit(i, name, self.next) for name in ("x_neg", "x_mag"))
        yield same({neg: 1}, {high: 1})
        yield when([is_(neg, 0)], same({mag: 1}, {middle: 1, low: 1}))
        yield when([is_(neg, 1)], same({mag: 1, middle: 1, low: 1}, {}, 2))

    def _window(self, i: int) -> list[Word]:
        """The three bits of which a digit of x is made."""
        return [self.named(self.now, self.pe(i), "x_i", "digit", (b, b)) for b in (2, 1, 0)]

    def coding(self, i: int, digit: str) -> tuple[Word, Word]:
        """Sign and magnitude of a digit; those of Q are known with the first word."""
        if digit == "x":
            return self.digit(i, "x_neg"), self.digit(i, "x_mag")
        neg, mag = (self.named(self.now, self.pe(i), name, "digit") for name in ("q_neg", "q_mag"))
        return neg, mag

    def _low(self, i: int, name: str, w: int) -> Word:
        """The two lowest bits of a word of sum or carry behind the second adder of element i."""
        return self.named(self.now, self.pe(i), MADE[name], w, (1, 0))

    def _tops(self, i: int, name: str) -> tuple[Word, Word]:
        """The two highest bits of the last such word, and the others."""
        top, rest = (self.named(self.now, self.pe(i), MADE[name], self.period - 1, cut) for cut in self.tops)
        return top, rest

    def word_facts(self, i: int, w: int) -> Iterator[Fact]:
        """What element i makes of word w as it comes."""
        now, then, pe, base = self.now, self.next, self.pe(i), self.word
        made = {name: self.named(now, pe, MADE[name], w) for name in Z}
        out = dict.fromkeys(made.values(), 1)
        out |= {self.named(then, pe, name, w + 1): 1 << base for name in ("cx_q", "cq_q")}
        added = {self.named(now, pe, f"{name}_i", w): 1 for name in Z}
        added |= {self.named(now, pe, f"{name}_mul", w): 1 for name in "xq"}
        if w:
            added |= {self.named(now, pe, name, w): 1 for name in ("cx_q", "cq_q")}
        else:
            added |= {self.digit(i, "x_neg"): 1}
        yield same(out, added)
        for name, word in made.items():
            yield same({word: 1}, {self.named(then, pe, f"{name}_q", w): 4, self._low(i, name, w): 1})
        if w == 0:
            h, h_then = (self.named(at, pe, name, "digit") for at, name in ((now, "h_i"), (then, "h_o")))
            yield same({h: 1} | {self._low(i, name, 0): 1 for name in Z}, {h_then: 4})
            yield from self.quotient_facts(i)
        if w == self.period - 1:
            tops = {name: self._tops(i, name) for name in Z}
            for name, (top, rest) in tops.items():
                yield same({made[name]: 1}, {top: 1 << (base - 2), rest: 1})
            yield from self.sign_flags(pe, ("any", "all"), [top for top, _ in tops.values()], then)
        for digit, name in FACTORS:
            yield from self.factor_facts(i, w, digit, name)

    def quotient_facts(self, i: int) -> Iterator[Fact]:
        """That Q is one of four digits."""
        neg, mag = self.coding(i, "q")
        yield Compared({mag: 1}, "<=", {}, 2)
        yield when([is_(neg, 1)], is_(mag, 1))

    def factor_facts(self, i: int, w: int, digit: str, name: str) -> Iterator[Fact]:
        """The multiple that a digit takes of a word of Y or M, and that word as it is kept.

        M is odd: of -M the lowest bit is that of M, and nothing has to be added.
        """
        now, then, pe, base = self.now, self.next, self.pe(i), self.word
        word, multiple = self.named(now, pe, f"{name}_i", w), self.named(now, pe, f"{digit}_mul", w)
        top = self.named(now, pe, f"{name}_i", w, (base - 1, base - 1))
        below = self.named(now, pe, f"{name}_below", w)
        if w == 0:
            yield is_(below, 0)
        for neg, mag in SIGNS if digit == "x" else QUOTIENTS:
            where = [is_(each, value) for each, value in zip(self.coding(i, digit), (neg, mag), strict=True)]
            gains: dict[Word, int] = [{}, {word: 1}, {word: 2, below: 1}][mag]
            loses = {top: 1 << base} if mag == 2 else {}
            if neg:
                ones = (1 << base) - (digit == "x" or w > 0)
                yield when(where, same({multiple: 1} | gains, loses, ones))
            else:
                yield when(where, same({multiple: 1} | loses, gains))
        if i < self.pes - 1:
            yield same({self.named(then, pe, f"{name}_q", w): 1}, {word: 1})
        if w < self.period - 1:
            yield same({self.named(then, pe, f"{name}_below", w + 1): 1}, {top: 1})

    def gone_facts(self, i: int, w: int) -> Iterator[Fact]:
        """What goes on of word w, in the cycle behind, with what comes in above it."""
        now, then, pe, above = self.now, self.next, self.pe(i), 1 << (self.word - 2)
        for name, sign in zip(Z, ("any", "all"), strict=True):
            if w < self.period - 1:
                added = {self._low(i, name, w + 1): above}
            else:
                added = {self.named(now, pe, sign, w): 3 * above}
            kept = self.named(now, pe, f"{name}_q", w)
            yield same({self.named(then, pe, f"{name}_o", w): 1}, {kept: 1} | added)
        if i < self.pes - 1:
            for name in "ym":
                kept = self.named(now, pe, f"{name}_q", w)
                yield same({self.named(then, pe, f"{name}_o", w): 1}, {kept: 1})

    def _row(self) -> Iterator[Obligation]:
        now, then, period, last = self.now, self.next, self.period, self.period - 1
        for i in range(self.pes):
            pe, takes = self.pe(i), self.takes(i)
            before, *phases = (any_of(*now.phase(takes - 1 + w)) for w in range(period + 2))
            yield self._facts(f"element {i} takes its digit", before, *self.taken_facts(i))
            kept = ((name, phases[:-2]) for name in ("x_neg_q", "x_mag_q", "q_neg", "q_mag"))
            stay = (
                implies(any_of(*where), equal(then(f"{pe}{name}"), now(f"{pe}{name}")))
                for name, where in (*kept, ("h_o", phases[1:-1]))
            )
            yield self._facts(f"element {i} keeps its digits and H", "true", *stay)
            parts = {0: phases[:1], 1: phases[1:last], last: phases[last:-1]}
            yield self._of_words(f"element {i} adds", i, self.word_facts, parts)
            parts = {0: phases[1:-1], last: phases[-1:]}
            yield self._of_words(f"a word goes on from element {i}", i, self.gone_facts, parts)
        yield self._facts("what leaves an element comes into the next one", "true", *self.wires())
        come = (
            implies(now.word_(w), all_of(*(each.over_bits() for each in self.fetched(w))))
            for w in range(period)
        )
        yield self._facts("which words of Y and M come", now.run, *come, parts=tuple(self.invariant(now)))
        for j in range(self.passes):
            windows = (
                implies(
                    now.place(j * period + self.takes(i) - 1),
                    equal(now(f"{self.pe(i)}x_i"), self.window(now.last("x"), j * self.pes + i)),
                )
                for i in range(self.pes)
            )
            yield self._facts(f"the digits of x in pass {j}", "true", *windows, parts=("digits", "loop"))
        yield self._facts("Z and H go round, or begin with 0", now.run, *self.round(), parts=("loop",))
        yield from self._result_unit()

    def _of_words(
        self,
        name: str,
        i: int,
        said: Callable[[int, int], Iterator[Fact]],
        parts: Mapping[int, Sequence[str]],
    ) -> Obligation:
        """That facts of words of element i hold, by the first of the words of which they say the same."""
        texts = []
        for w, where in parts.items():
            shown = all_of(*(each.over_bits() for each in said(i, w)))
            texts.append(self.text(*self.known("flags"), any_of(*where), negation(shown)))
        return self._asked("step", name, *texts)

    def round(self) -> Iterator[str]:
        now, then = self.now, self.next
        yield from self.words_round()
        left = all_of(negation(now.first), then.high(f"{self.pe(self.pes - 1)}h_o"))
        yield equal(then.high(f"{self.pe(0)}h_i"), left)

    def wires(self) -> Iterator[str]:
        now = self.now
        yield from self.words_wired()
        for i in range(1, self.pes):
            yield equal(now(f"{self.pe(i)}h_i"), now(f"{self.pe(i - 1)}h_o"))
        yield equal(now(f"{RESULT}carry_i"), now(f"{self.pe(self.pes - 1)}h_o"))

    def gathered(self, g: int) -> Iterator[Fact]:
        """Word g in the result unit's first stage, with M and H."""
        now, then = self.now, self.next
        out = {self.named(then, RESULT, name, g): 1 for name in ("s_q", "c_q")}
        out |= {self.named(then, RESULT, "k_q", g + 1): 1 << self.word}
        added = {self.named(now, RESULT, f"{name}_i", g): 1 for name in Z}
        if g < self.beats:
            added |= {self._modulus()[g]: 1}
        added |= {self.named(now, RESULT, "k_q", g) if g else self.last_carry: 1}
        yield same(out, added)
        if g == 0:
            yield is_(self.named(then, RESULT, "plus_q", 0), 0)

    @property
    def last_carry(self) -> Word:
        """H as it comes into the result unit."""
        return self.named(self.now, RESULT, "carry_i", "last")

    # --- numbers ----------------------------------------------------------------------------------

    def summed_up(self, i: int) -> str:
        """That the words of sum and carry of element i do not sum up."""
        every, n, last = range(self.period), 1 << self.sum_bits, self.period - 1
        facts = [fact for w in every for fact in (*self.word_facts(i, w), *self.gone_facts(i, w))]
        came = self._value(*(self._over(i, f"{name}_i", every) for name in Z))
        multiples = self._value(*(self._over(i, f"{name}_mul", every) for name in "xq"))
        over = [self.named(self.next, self.pe(i), name, self.period).whole for name in ("cx_q", "cq_q")]
        words = {name: self._over(i, MADE[name], every) for name in Z}
        made = f"(+ {self._value(*words.values())} (* {n} (+ {' '.join(over)})))"
        goals = [equal(made, f"(+ {came} {multiples} {self.digit(i, 'x_neg').whole})")]
        for name, some in words.items():
            low, (top, rest) = self._low(i, name, 0).whole, self._tops(i, name)
            below = f"(+ {self._value(some[:-1])} (* {1 << (self.word * last)} {rest.whole}))"
            goals += [
                equal(self._value(some), f"(+ {low} (* 4 {self._above(i, name)}))"),
                equal(self._value(some), f"(+ (* {n // 4} {top.whole}) {below})"),
                f"(and (<= 0 {below}) (< {below} {n // 4}))",
            ]
        flags = [self.named(self.now, self.pe(i), name, last).whole for name in ("any", "all")]
        for flag, value, set_ in ((flags[0], 0, 0), (flags[1], 3, 1)):
            both = all_of(*(equal(self._tops(i, name)[0].whole, str(value)) for name in Z))
            goals.append(equal(equal(flag, str(set_)), both))
        out = self._value(*(self._over(i, f"{name}_o", every, self.next) for name in Z))
        above = " ".join(self._above(i, name) for name in Z)
        goals.append(equal(out, f"(+ {above} (* {3 * n // 4} (+ {' '.join(flags)})))"))
        return self._holding(facts, all_of(*goals))

    def multiplied(self, i: int, digit: str, name: str, neg: int, mag: int) -> Iterator[str]:
        """That the multiples of a word of Y or M do not sum up to that of the number."""
        every, n, bit = range(self.period), 1 << self.sum_bits, self.word - 1
        facts = [fact for w in every for fact in self.factor_facts(i, w, digit, name)]
        facts += [is_(each, value) for each, value in zip(self.coding(i, digit), (neg, mag), strict=True)]
        got, word = (self._value(self._over(i, each, every)) for each in (f"{digit}_mul", f"{name}_i"))
        top = self.named(self.now, self.pe(i), f"{name}_i", self.period - 1, (bit, bit)).whole
        times, over = number(-mag if neg else mag), f"(* {number(2 * neg - 1)} {top if mag == 2 else 0})"
        one = neg if digit == "x" else 0
        goal = equal(f"(+ {got} {one})", f"(+ (* {times} {word}) (* {n} (+ {neg} {over})))")
        yield self._holding(facts, goal)

    def coded(self, i: int) -> str:
        """That a digit of x is not that of its window, or Q none of -1, ..., 2."""
        neg, mag = (self.digit(i, name, self.next).whole for name in ("x_neg", "x_mag"))
        high, middle, low = (each.whole for each in self._window(i))
        q_neg, q_mag = (each.whole for each in self.coding(i, "q"))
        value = f"(ite (= {neg} 1) (- {mag}) {mag})"
        cases = [all_of(equal(q_neg, str(a)), equal(q_mag, str(b))) for a, b in QUOTIENTS]
        goals = [equal(value, f"(+ (* (- 2) {high}) {middle} {low})"), any_of(*cases)]
        return self._holding((*self.taken_facts(i), *self.quotient_facts(i)), all_of(*goals))

    @property
    def in_range(self) -> list[str]:
        """What is known of W and H, of y and of m."""
        return [self.between("(+ W h)"), f"(and (<= 0 y m) (< m {1 << self.width}) (<= 0 h 1))"]

    @staticmethod
    def between(e: str) -> str:
        """The range of E."""
        return f"(<= (- 0 (* 2 y) m) (* 3 {e}) (* 2 (+ y m)))"

    def element(self, i: int = 0, x: int = 0, q: int = 0) -> str:
        """That an element leaves something else than E', in terms of what its words sum up to.

        XM and QM are X·y and Q·M but for a 1 that is still to be added and a multiple of 2^N; VS and VC are
        sum and carry behind both adders, AS and AC what is above their two lowest bits, ``h_n`` is H behind
        the element. W' is ``out`` but for a multiple of 2^N.
        """
        del i
        n = 1 << self.sum_bits
        known = [
            f"(= V (+ W (* {n} kappa)))",
            f"(= (+ XM x_neg) (+ (* {number(x)} y) (* {n} ox)))",
            f"(= QM (+ (* {number(q)} m) (* {n} oq)))",
            f"(= (+ VS VC (* {n} over)) (+ V XM QM x_neg))",
            "(= VS (+ ls (* 4 AS)))",
            "(= VC (+ lc (* 4 AC)))",
            "(= (+ ls lc h) (* 4 h_n))",
            *self._tops_known(),
            f"(= out (+ AS AC (* {3 * n // 4} (+ any all))))",
        ]
        made = f"(+ W h (* {number(x)} y) (* {number(q)} m))"
        goal = f"(= (* 4 (+ (- out (* {n} (+ any all))) h_n)) {made})"
        names = ("V", "W", "h", "h_n", "y", "m", "kappa", "XM", "QM", "x_neg", "ox", "oq", "over")
        return self._denied((*names, "VS", "VC", "AS", "AC", "ls", "lc", "out", *self.TOPS), known, [goal])

    def right_of_digits(self, p: str, e: str, xl: str, xh: str, t: str, k: str) -> tuple[str, str]:
        """What is right before a digit, an equation of products and what is linear."""
        return equal(f"(* {p} {e})", f"(+ (* (- {xl} (* {p} {t})) y) (* {k} m))"), all_of(
            f"(= x (+ {xl} (* {p} {xh})))",
            f"(and (<= 0 {xl}) (< {xl} {p}) (<= 0 {xh}))",
            f"(<= (- 1 {p}) (* 3 {k}) (* 2 (- {p} 1)))",
            self.between(e),
        )

    def begun(self) -> str:
        """That it is wrong before digit 0."""
        right = self.right_of_digits("1", "0", "0", "x", "0", "0")
        return self._denied(("x", "y", "m"), ["(<= 0 x)", "(<= 0 y)", "(<= 1 m)"], right)

    def next_digit(self, window: int, q: int) -> Iterator[str]:
        """That a digit makes it wrong, its window and Q being known; ``F`` is E' of :meth:`element`."""
        high, middle, t = window >> 2, window >> 1 & 1, window & 1
        more = middle + 2 * high
        before = self.right_of_digits("P", "E", "xl", "xh", str(t), "k")
        x_then, k_then = f"(+ xl (* {more} P))", f"(+ k (* {number(q)} P))"
        behind = self.right_of_digits("(* 4 P)", "F", x_then, "xr", str(high), k_then)
        made = f"(= (* 4 F) (+ E (* {number(t + middle - 2 * high)} y) (* {number(q)} m)))"
        ranges = ["(<= 1 P)", "(<= 0 y)", "(<= 1 m)", f"(= xh (+ {more} (* 4 xr)))"]
        names = ("x", "y", "m", "E", "F", "xl", "xh", "xr", "k", "P")
        yield self._denied(names, [made, before[0]], [behind[0]])
        yield self._denied(names, [made, before[1], *ranges], [behind[1]])

    def handed_over(self) -> str:
        return super(BitByBit, self).handed_over()

    def taken_up(self) -> str:
        """That the words of the result unit do not sum up to what has come, with M and H."""
        every = range(self.words)
        facts = [fact for g in every for fact in (*self.gathered(g), *self.summed(g))]
        came = self._value(*([self.named(self.now, RESULT, f"{name}_i", g) for g in every] for name in Z))
        over = [self.named(self.now, RESULT, name, self.words).whole for name in ("k_q", "b_carry_q")]
        left = f"(+ {self._value(self._results())} (* {1 << (self.word * self.words)} (+ {' '.join(over)})))"
        added = f"(+ {came} {self._value(self._modulus())} {self.last_carry.whole})"
        return self._holding(facts, equal(left, added))

    def product(self) -> str:
        """That z is wrong, given what is right behind the last digit and what the result unit makes of it.

        It is R that P has become. The range of x·y, and of K·M, is what the lemma before says of them.
        """
        radix, top, width = 1 << (2 * self.passes * self.pes), 1 << (self.word * self.words), 1 << self.width
        known = [
            f"(and (<= 1 m) (< m {width}) (<= 0 x m) (<= 0 y m))",
            *self.right_of_digits(str(radix), "(+ W h)", "xl", "xh", "0", "k"),
            f"(<= 0 (* x y) (* {width} m))",
            f"(<= 0 (+ (* 3 (* k m)) (* {radix - 1} m)) (* {3 * (radix - 1)} m))",
            f"(= (+ B (* {top} kappa)) (+ W h m))",
            f"(and (<= 0 B) (< B {top}))",
            "(= once (ite (< B m) 0 1))",
            f"(= B (+ stored (* {width} above)))",
            f"(and (<= 0 stored) (< stored {width}))",
            f"(= z (+ (- stored (* once m)) (* {width} under)))",
            f"(and (<= 0 z) (< z {width}))",
        ]
        multiple = f"(+ k (* {radix} (- 1 once)))"
        goals = ["(<= 0 z)", "(< z m)", f"(= (* {radix} z) (+ (* x y) (* {multiple} m)))"]
        names = (
            "W",
            "h",
            "xl",
            "xh",
            "k",
            "x",
            "y",
            "m",
            "B",
            "kappa",
            "once",
            "stored",
            "above",
            "under",
            "z",
        )
        return self._denied(names, known, goals)

    def of_numbers(self) -> Iterator[Obligation]:
        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        for i in range(self.pes):
            yield z3(f"the words of element {i} sum up", self.summed_up(i))
            for (digit, name), values in zip(FACTORS, (SIGNS, QUOTIENTS), strict=True):
                texts = [text for each in values for text in self.multiplied(i, digit, name, *each)]
                yield z3(f"the multiples of {name} in element {i} sum up", *texts)
                if i < self.pes - 1:
                    yield z3(f"{name} goes on from element {i}", self.passed_on(i, name))
            yield z3(f"the digits of element {i} are those of their windows", self.coded(i))
        cases = [(x, q) for x in range(-2, 3) for q in range(-1, 3)]
        yield z3("an element makes E' of E", *(self.element(0, x, q) for x, q in cases))
        yield Obligation("number", "the facts are possible", "z3", tuple(self.possible()), holds=False)
        yield z3("Y and M come in", *(self.entered(name) for name in "ym"))
        yield z3("the words that the result unit takes are those of W", self.handed_over())
        yield z3("before digit 0 it is right", self.begun())
        cases = [(window, q) for window in range(8) for q in range(-1, 3)]
        texts = [text for window, q in cases for text in self.next_digit(window, q)]
        yield z3("what is right before a digit is right behind it", *texts)
        yield z3("the result unit's words sum up", self.taken_up())
        yield z3("the comparison finds whether B < M", self.compared_all())
        yield z3("a product is not negative and monotonous", self.monotonous())
        yield z3("these lemmas make an induction over places and clock cycles", self.composed())
        yield z3("z is right", self.product())
