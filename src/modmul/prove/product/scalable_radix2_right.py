# SPDX-License-Identifier: Apache-2.0
"""Of ``scalable_radix2_right``: R·z = x·y + k·M for an integer k, and 0 <= z < M.

From reset to result, at full width, for every context with the length ``Width``, for all operands x, y <= M
and any behaviour at the ports, resets included. What is around the row is that of ``scalable_booth4_right``
but for M^, which the context does not have, and for what is added to the last Z, which is nothing. Element i
has word w before it in cycle 2i + 1 + w of a pass, as there; it takes its bit of x a cycle before word 0, and
Q with word 0. Nothing is ever negative, so the numbers are those that the words make up, with no multiple of
2^N beside them. With P for 2^m before bit m, this is right of the words that come into the bit's element:

    VS + VC = W                               VS and VC are the numbers that the words make up
    Y' = y, M' = M                            the same of the words of Y and M
    P·W = (x mod P)·y + l·M                   0 <= l < P
    0 <= W <= y + M

- **invariant** (bitwuzla, on the netlist): where everything is, :mod:`~modmul.prove.product.systolic`; and
  that the first word of M, also the one that follows the last word of Z, is odd.
- **step** (bitwuzla, on the netlist): each place of an operation has the place before behind it, with the
  same operands; what an element makes of a word, weighted: two carry-save adders and what feeds them; that
  the lowest bits of the first word are 0, and what goes on of a word and the lowest bits of the next one. The
  same of the way back to the first element, of the words of operands as they enter, of the result unit.
- **number** (z3, integers): the words sum up, their carries cancelling, and nothing is carried out of the
  last one; an element makes W' = (W + X·y + Q·M) / 2 of W. The lemmas about comparison and the induction over
  places and clock cycles are those of :class:`~modmul.prove.product.scalable_booth4_left.LeftShifting`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Self

from modmul.prove.product.scalable_booth4_right import RightShifting
from modmul.prove.product.serial import COUNT
from modmul.prove.product.systolic import (
    CONTROL,
    GATE,
    NUMBERS,
    REDUCE,
    RESULT,
    SHELL,
    At,
    bench,
    header,
)
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
    zero_extend,
)
from modmul.room import Build

__all__ = ["BitByBit"]


class BitByBit(RightShifting):
    """The obligations of a build in which no word of Z waits between two passes."""

    @classmethod
    def of(cls, build: Build) -> Self:
        return cls.on(build, bench(build).replace(f"+ {NUMBERS} * Beats", "+ Beats"))

    # --- the row ----------------------------------------------------------------------------------

    @property
    def digits(self) -> int:
        """Bits of x as they are counted, from which on a pass counts down."""
        return self.width + int(self.config.digit_guard)

    @cached_property
    def flags(self) -> list[str]:
        """First flags, stage by stage."""
        firsts = [f"{self.pe(i)}{name}" for i in range(self.pes) for name in ("first_q", "first_next_o")]
        return [f"{CONTROL}first_q", *firsts[:-1]]

    def window(self, x: str, m: int) -> str:
        """Bit m of x."""
        return extract(self.padded(x), m, m)

    # --- the invariant ----------------------------------------------------------------------------

    def _context(self, at: At) -> Iterator[str]:
        number, beat = f"{SHELL}number_q", f"{SHELL}ctx_beat_q"
        head, whole = header(self.build), at.high(f"{GATE}whole_q")
        none, one = (at.is_(number, k) for k in range(2))
        pause, begun = at.high(f"{SHELL}pause_q"), at.behind(beat, 0)
        yield any_of(none, one)
        for come, start in ((none, 0), (one, len(head))):
            yield implies(come, equal(at("ctx_at"), f"(bvadd {const(start, COUNT)} {at.counted(beat)})"))
            yield implies(come, at.below(beat, self.beats if start else len(head)))
        top = self.bits_of(f"{SHELL}n_q")
        for k in range(1, len(head)):
            came = extract(at(f"{SHELL}n_q"), top - 1, top - k * self.word)
            some = sum(each << (self.word * i) for i, each in enumerate(head[:k]))
            yield implies(all_of(none, at.is_(beat, k)), equal(came, const(some, k * self.word)))
        yield implies(pause, all_of(one, at.is_(beat, 0)))
        yield implies(whole, all_of(none, at.is_(beat, 0), negation(pause)))
        yield implies(any_of(one, whole), at.is_(f"{SHELL}n_q", self.width))
        yield implies(
            any_of(all_of(one, negation(pause)), whole),
            all_of(
                at.is_(f"{SHELL}last_beat_q", self.beats - 1),
                at.high(f"{SHELL}n_legal_q"),
                at.is_(f"{CONTROL}words_q", self.words),
            ),
        )
        yield implies(
            any_of(all_of(one, begun), whole),
            all_of(
                at.is_(f"{SHELL}beats_q", self.beats),
                at.is_(f"{CONTROL}end_q", self.period - 1),
                equal(at.high(f"{SHELL}odd_q"), equal(extract(at("m"), 0, 0), "#b1")),
            ),
        )
        late = any_of(all_of(one, at.behind(beat, 1)), whole)
        yield implies(late, at.is_(f"{CONTROL}before_end_q", self.period - 2))
        yield implies(whole, at.low(f"{SHELL}m_ext_q"))
        for k in range(self.beats):
            there = any_of(all_of(one, at.behind(beat, k)), whole)
            for memory in (f"{REDUCE}u_modulus", f"{SHELL}u_m"):
                yield implies(there, equal(at(f"{memory}.words[{k}]"), self.cut(at("m"), k)))
        busy = any_of(at.high(f"{GATE}open_q"), at.part, at.full, negation(at.is_(f"{SHELL}open_q", 0)))
        yield implies(busy, all_of(whole, at.high(f"{SHELL}odd_q")))

    def _tail(self, at: At) -> Iterator[str]:
        yield from super()._tail(at)
        yield implies(at.tail(0), at.is_(f"{CONTROL}word_q", 0))

    def _flags(self, at: At) -> Iterator[str]:
        yield from self._firsts(at)
        # the first word of M is odd wherever it is
        for i in range(self.pes):
            odd = {self.takes(i): "m_i"} | ({self.takes(i) + 1: "m_q"} if i < self.pes - 1 else {})
            for stage, name in odd.items():
                lowest = equal(extract(at(f"{self.pe(i)}{name}"), 0, 0), "#b1")
                yield implies(any_of(at.word_(stage), at.tail(stage)), lowest)

    def _digits(self, at: At) -> Iterator[str]:
        """Where the bits of x are: those that have gone, those of a word, the next word."""
        x = self.padded(at.last("x"))
        waits, shown = at(f"{SHELL}x_wait_q"), at(f"{SHELL}digits_q")
        for j in range(self.passes):
            for w in range(self.period):
                gone = j * self.pes + self.gone(w)
                word, digit = divmod(gone, self.word)
                left = extract(x, (word + 1) * self.word - 1, gone)
                facts = [
                    at.is_(f"{SHELL}x_beat_q", 1 + word),
                    at.is_(f"{SHELL}digit_q", digit),
                    equal(shown, zero_extend(left, digit)),
                ]
                if digit:
                    facts.append(equal(waits, self.cut(x, word + 1)))
                yield implies(all_of(at.word_(w), at.pass_(j)), all_of(*facts))

    # --- what the netlist does --------------------------------------------------------------------

    def taken_facts(self, i: int) -> Iterator[Fact]:
        """The bit of x that element i takes, in the cycle before its first word."""
        yield same({self.digit(i, "x", self.next): 1}, {self.named(self.now, self.pe(i), "x_i", "digit"): 1})

    def quotient(self, i: int) -> Word:
        """Q, which is known with the first word."""
        return self.named(self.now, self.pe(i), "q", "digit")

    @property
    def parts(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The bits of a word above the lowest one, and that one."""
        return (self.word - 1, 1), (0, 0)

    def halved(self, i: int, name: str, w: int) -> tuple[Word, Word]:
        """The same of a word of sum or carry in element i."""
        high, low = (self.named(self.now, self.pe(i), name, w, cut) for cut in self.parts)
        return high, low

    def word_facts(self, i: int, w: int) -> Iterator[Fact]:
        """What element i makes of word w as it comes."""
        now, then, pe, base = self.now, self.next, self.pe(i), self.word
        out = {self.named(now, pe, name, w): 1 for name in ("s2", "c2")}
        out |= {self.named(then, pe, name, w + 1): 1 << base for name in ("cx_q", "cq_q")}
        added = {self.named(now, pe, f"{name}_i", w): 1 for name in Z}
        added |= {self.named(now, pe, f"{name}_mul", w): 1 for name in "xq"}
        if w:
            added |= {self.named(now, pe, name, w): 1 for name in ("cx_q", "cq_q")}
        yield same(out, added)
        for name, kept in (("s2", "zs_q"), ("c2", "zc_q")):
            high, low = self.halved(i, name, w)
            yield same({self.named(now, pe, name, w): 1}, {high: 2, low: 1})
            yield same({self.named(then, pe, kept, w): 1}, {high: 1})
            if w == 0:
                yield is_(low, 0)
        for digit, name in FACTORS:
            word, multiple = self.named(now, pe, f"{name}_i", w), self.named(now, pe, f"{digit}_mul", w)
            taken = self.digit(i, "x") if digit == "x" else self.quotient(i)
            for value in (0, 1):
                yield when([is_(taken, value)], same({multiple: 1}, {word: 1} if value else {}))
            if i < self.pes - 1:
                yield same({self.named(then, pe, f"{name}_q", w): 1}, {word: 1})

    def gone_facts(self, i: int, w: int) -> Iterator[Fact]:
        """What goes on of word w, in the cycle behind, with the lowest bits of the next one above it."""
        now, then, pe = self.now, self.next, self.pe(i)
        for name, made in (("zs", "s2"), ("zc", "c2")):
            _, low = self.halved(i, made, w + 1)
            kept = {self.named(now, pe, f"{name}_q", w): 1}
            if w == self.period - 1:
                yield is_(low, 0)
            yield same({self.named(then, pe, f"{name}_o", w): 1}, kept | {low: 1 << (self.word - 1)})
        if i < self.pes - 1:
            for name in "ym":
                out, kept_ = self.named(then, pe, f"{name}_o", w), self.named(now, pe, f"{name}_q", w)
                yield same({out: 1}, {kept_: 1})

    def _row(self) -> Iterator[Obligation]:
        now, then, period = self.now, self.next, self.period
        for i in range(self.pes):
            pe, takes = self.pe(i), self.takes(i)
            phases = [any_of(*now.phase(takes + w)) for w in range(period + 1)]
            yield self._facts(
                f"element {i} takes its bit", any_of(*now.phase(takes - 1)), *self.taken_facts(i)
            )
            stay = all_of(*(equal(then(f"{pe}{name}"), now(f"{pe}{name}")) for name in ("x_q", "q")))
            yield self._facts(f"element {i} keeps its bit and Q", any_of(*phases[:-2]), stay)
            added = []
            for w, where in ((0, phases[:1]), (1, phases[1:-1])):
                facts = [each.over_bits() for each in self.word_facts(i, w)]
                added.append(self.text(*self.known("flags"), any_of(*where), negation(all_of(*facts))))
            yield self._asked("step", f"element {i} adds", *added)
            left = []
            for w, where in ((0, phases[1:-1]), (period - 1, phases[-1:])):
                facts = [each.over_bits() for each in self.gone_facts(i, w)]
                left.append(self.text(*self.known("flags"), any_of(*where), negation(all_of(*facts))))
            yield self._asked("step", f"a word goes on from element {i}", *left)
        yield self._facts("what leaves an element comes into the next one", "true", *self.words_wired())
        shown = [
            implies(now.word_(w), all_of(*(each.over_bits() for each in self.fetched(w))))
            for w in range(period)
        ]
        yield self._facts("which words of Y and M come", now.run, *shown, parts=tuple(self.invariant(now)))
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

    def fetched(self, w: int) -> Iterator[Fact]:
        """Which words of Y and M come behind word w of a pass: theirs, and above them 0."""
        for name, term in (("y", self.now.last("y")), ("m", self.now("m"))):
            out = self.named(self.next, SHELL, f"{name}_o", w)
            if w < self.beats:
                yield same({out: 1}, {Word(f"{name}.{w}", self.cut(term, w), self.word): 1})
            else:
                yield is_(out, 0)

    def gathered(self, g: int) -> Iterator[Fact]:
        """Word g in the result unit's first stage."""
        now, then = self.now, self.next
        out = {self.named(then, RESULT, name, g): 1 for name in ("s_q", "c_q")}
        out |= {self.named(then, RESULT, "k_q", g + 1): 1 << self.word}
        came = {self.named(now, RESULT, f"{name}_i", g): 1 for name in Z}
        yield same(out, came | ({self.named(now, RESULT, "k_q", g): 1} if g else {}))
        if g == 0:
            yield is_(self.named(then, RESULT, "plus_q", 0), 0)

    def _result_unit(self) -> Iterator[Obligation]:
        now, then, e = self.now, self.next, self.words
        every = tuple(self.invariant(now))
        stages = (
            ("takes Z", self.gathered, 0),
            ("adds sum and carry", self.summed, 1),
            ("compares with M", self.compared, 2),
        )
        for name, said, late in stages:
            shown = [
                implies(now.tail(g + late), all_of(*(each.over_bits() for each in said(g)))) for g in range(e)
            ]
            yield self._facts(f"the result unit {name}", "true", *shown, parts=every)
        buffer = f"{RESULT}in_buf_q"
        stays = [implies(now.tail(g), equal(then(buffer), now(buffer))) for g in range(e + 1)]
        yield self._facts("the buffer stays", "true", *stays, parts=every)
        facts = []
        for b in (0, 1):
            once = extract(then(f"{REDUCE}times{b}_q"), 0, 0)
            less = f"(ite {then.high(f'{REDUCE}borrow1_q')} #b0 #b1)"
            own = now.is_(buffer, b)
            facts.append(implies(all_of(own, now.tail(e + 1)), equal(once, less)))
            for k in range(self.beats):
                word = f"{RESULT}u_results.words[{(b << self.word_bits) + k}]"
                for g in range(k + 2, e + 2):
                    source = now(f"{RESULT}b_word_q") if g == k + 2 else now(word)
                    facts.append(implies(all_of(own, now.tail(g)), equal(then(word), source)))
        yield self._facts(
            "the buffer takes the words, and whether M is to be taken away", "true", *facts, parts=every
        )

    # --- numbers ----------------------------------------------------------------------------------

    def summed_up(self, i: int) -> str:
        """That what leaves element i is not half of what its words sum up to, but for what is carried out."""
        every, n = range(self.period), 1 << self.sum_bits
        facts = [fact for w in every for fact in (*self.word_facts(i, w), *self.gone_facts(i, w))]
        came = self._value(*(self._over(i, f"{name}_i", every) for name in Z))
        out = self._value(*(self._over(i, f"{name}_o", every, self.next) for name in Z))
        multiples = self._value(*(self._over(i, f"{name}_mul", every) for name in "xq"))
        over = [self.named(self.next, self.pe(i), name, self.period).whole for name in ("cx_q", "cq_q")]
        left = f"(+ (* 2 {out}) (* {n} (+ {' '.join(over)})))"
        return self._holding(facts, equal(left, f"(+ {came} {multiples})"))

    def multiple(self, i: int, digit: str, name: str, value: int) -> str:
        """That the multiples of a word of Y or M do not sum up to that of the number."""
        every = range(self.period)
        facts = [fact for w in every for fact in self.word_facts(i, w)]
        facts.append(is_(self.digit(i, "x") if digit == "x" else self.quotient(i), value))
        got, word = (self._value(self._over(i, each, every)) for each in (f"{digit}_mul", f"{name}_i"))
        return self._holding(facts, equal(got, f"(* {value} {word})"))

    def passed_on(self, i: int, name: str) -> str:
        """That the words of Y or M are others behind element i than before it."""
        every = range(self.period)
        facts = [fact for w in every for fact in (*self.word_facts(i, w), *self.gone_facts(i, w))]
        came = self._value(self._over(i, f"{name}_i", every))
        return self._holding(facts, equal(self._value(self._over(i, f"{name}_o", every, self.next)), came))

    def entered(self, name: str) -> str:
        """That the words of Y or M which come are not those of the number."""
        every = range(self.period)
        facts = [fact for w in every for fact in self.fetched(w)]
        came = self._value([self.named(self.next, SHELL, f"{name}_o", w) for w in every])
        value = self._value([Word(f"{name}.{k}", "", self.word) for k in range(self.beats)])
        return self._holding(facts, equal(came, value))

    @property
    def in_range(self) -> list[str]:
        return ["(<= 0 W (+ y m))", f"(and (<= 0 y m) (< m {1 << self.width}))"]

    def element(self, i: int = 0, x: int = 0, q: int = 0) -> str:
        """That an element leaves something else than W', in terms of what its words sum up to.

        ``out`` and ``over`` are sums of numbers that are not negative; so nothing is carried out.
        """
        del i
        known = [
            *self.in_range,
            "(= (+ VS VC) W)",
            f"(= XM (* {x} y))",
            f"(= QM (* {q} m))",
            f"(= (+ (* 2 out) (* {1 << self.sum_bits} over)) (+ VS VC XM QM))",
            "(and (<= 0 out) (<= 0 over))",
        ]
        goals = ["(= over 0)", f"(= (* 2 out) (+ W (* {x} y) (* {q} m)))"]
        return self._denied(("VS", "VC", "W", "y", "m", "XM", "QM", "out", "over"), known, goals)

    def right_of_bits(self, p: str, w: str, xl: str, xh: str, low: str) -> tuple[str, str]:
        """What is right before a bit, an equation of products and what is linear."""
        return equal(f"(* {p} {w})", f"(+ (* {xl} y) (* {low} m))"), all_of(
            f"(= x (+ {xl} (* {p} {xh})))",
            f"(and (<= 0 {xl}) (< {xl} {p}) (<= 0 {xh}))",
            f"(and (<= 0 {low}) (< {low} {p}))",
            f"(<= 0 {w} (+ y m))",
        )

    def begun(self) -> str:
        """That it is wrong before bit 0."""
        right = self.right_of_bits("1", "0", "0", "x", "0")
        return self._denied(("x", "y", "m"), ["(<= 0 x)", "(<= 0 y)", "(<= 1 m)"], right)

    def bit(self, x: int, q: int) -> Iterator[str]:
        """That a bit makes it wrong, it and Q being known; ``V`` is W', of which :meth:`element` speaks."""
        before = self.right_of_bits("P", "W", "xl", "xh", "l")
        behind = self.right_of_bits("(* 2 P)", "V", f"(+ xl (* {x} P))", "xr", f"(+ l (* {q} P))")
        names = ("x", "y", "m", "W", "V", "xl", "xh", "xr", "l", "P")
        made = f"(= (* 2 V) (+ W (* {x} y) (* {q} m)))"
        ranges = ["(<= 1 P)", "(<= 0 y)", "(<= 1 m)", f"(= xh (+ {x} (* 2 xr)))"]
        yield self._denied(names, [made, before[0]], [behind[0]])
        yield self._denied(names, [made, before[1], *ranges], [behind[1]])

    def handed_over(self) -> str:
        """That the words which the result unit takes are not those of W."""
        top, last = 1 << (self.word * self.words), self.pes - 1
        words = [self._over(last, f"{name}_o", range(self.period), self.next) for name in Z]
        came = self._value(*(each[: self.words] for each in words))
        known = [equal(self._value(*words), "W"), *self.in_range]
        lines = "(declare-const W Int)(declare-const y Int)(declare-const m Int)"
        used = [each for some in words for each in some]
        return self._holding([], all_of(equal(came, "W"), f"(< W {top})"), *known, lines=lines, words=used)

    def taken_up(self) -> str:
        """That the words of the result unit do not sum up to what has come."""
        every = range(self.words)
        facts = [fact for g in every for fact in (*self.gathered(g), *self.summed(g))]
        came = self._value(*([self.named(self.now, RESULT, f"{name}_i", g) for g in every] for name in Z))
        over = [self.named(self.now, RESULT, name, self.words).whole for name in ("k_q", "b_carry_q")]
        left = f"(+ {self._value(self._results())} (* {1 << (self.word * self.words)} (+ {' '.join(over)})))"
        return self._holding(facts, equal(left, came))

    def product(self) -> str:
        """That z is wrong, given what is right behind the last bit and what the result unit makes of it.

        It is R that P has become. ``xy`` is x·y, ``lm`` is l·M, of which the lemma before says that they are
        in range.
        """
        radix, top, width = 1 << (self.passes * self.pes), 1 << (self.word * self.words), 1 << self.width
        known = [
            f"(and (<= 1 m) (< m {width}) (<= 0 x m) (<= 0 y m))",
            *self.right_of_bits(str(radix), "W", "xl", "xh", "l"),
            f"(<= 0 (* x y) (* {width} m))",
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

    def of_numbers(self) -> Iterator[Obligation]:
        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        for i in range(self.pes):
            yield z3(f"the words of element {i} sum up", self.summed_up(i))
            for digit, name in FACTORS:
                texts = [self.multiple(i, digit, name, value) for value in (0, 1)]
                yield z3(f"the multiples of {name} in element {i} sum up", *texts)
                if i < self.pes - 1:
                    yield z3(f"{name} goes on from element {i}", self.passed_on(i, name))
        cases = [(x, q) for x in (0, 1) for q in (0, 1)]
        yield z3("an element makes W' of W", *(self.element(0, x, q) for x, q in cases))
        yield Obligation("number", "the facts are possible", "z3", tuple(self.possible()), holds=False)
        yield z3("Y and M come in", *(self.entered(name) for name in "ym"))
        yield z3("the words that the result unit takes are those of W", self.handed_over())
        yield z3("before bit 0 it is right", self.begun())
        texts = [text for x, q in cases for text in self.bit(x, q)]
        yield z3("what is right before a bit is right behind it", *texts)
        yield z3("the result unit's words sum up", self.taken_up())
        yield z3("the comparison finds whether B < M", self.compared_all())
        yield z3("a product is not negative and monotonous", self.monotonous())
        yield z3("these lemmas make an induction over places and clock cycles", self.composed())
        yield z3("z is right", self.product())

    def possible(self) -> Iterator[str]:
        """The facts of an element and of the result unit, with nothing to be shown."""
        every = range(self.period)
        facts = [fact for w in every for fact in (*self.word_facts(0, w), *self.gone_facts(0, w))]
        yield self._holding((*facts, *self.taken_facts(0)), "false")
        yield self._holding([fact for w in every for fact in self.fetched(w)], "false")
        stages = (self.gathered, self.summed, self.compared)
        yield self._holding([f for g in range(self.words) for stage in stages for f in stage(g)], "false")
