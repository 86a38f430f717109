# SPDX-License-Identifier: Apache-2.0
"""Where everything is in ``scalable_radix4``, and what its netlist does from one place to the next.

Besides what is the same in the other rows of elements, there are triples: 3Y and 3M^, made word by word while
Y and M^ come in, and 2M and 3M, made word by word while a result is compared with them and while a multiple
of M is taken away from it. So the words of three times a number are defined beside the netlist, one by one:

    triple.k(v) = 3·v_k + over.k(v)           v_k is word k of v, and 0 above it
    over.0(v) = 0, over.(k+1)(v)              what is above the lowest word of triple.k(v)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Self

from modmul.prove.netlist import system
from modmul.prove.product.scalable_booth4_right import RightShifting
from modmul.prove.product.scalable_radix2_parallel import BitsAtOnce
from modmul.prove.product.scalable_radix2_right import BitByBit
from modmul.prove.product.serial import TOP
from modmul.prove.product.systolic import ARRAY, GATE, REDUCE, RESULT, SHELL, At, bench
from modmul.prove.product.systolic_row import FACTORS, UNIT, Z, is_, same, when
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

__all__ = ["DIGITS", "MULTIPLES", "THRICE", "WORDS", "Tripled"]

TRIPLES, MULTIPLES = f"{SHELL}gen_triples.", f"{REDUCE}gen_three."

THRICE: Mapping[str, str] = {"y": "y3", "m": "m3"}
"""Ports of an element: of the words of a number, and of three times that number."""

WORDS = (*THRICE, *THRICE.values())

DIGITS = range(4)
"""What a digit may be."""

AT_ONCE = 4
"""Words of triples of which one question asks."""


def over(v: str, k: int) -> str:
    """What three times the words below word k of v carry into it."""
    return f"(|over.{k}| {v})"


@dataclass(frozen=True)
class Late(At):
    """The terms of one state; operands wait for the highest word of 3Y before they count as full."""

    @property
    def full(self) -> str:
        """All words of operands have come that wait, also while the highest word of 3Y is made."""
        return any_of(super().full, self.high(f"{SHELL}tail_q"))

    def taken(self, buffer: int) -> str:
        """How much is to be taken away: t·M, as long as M."""
        of, m, times = self.of, self("m"), self(f"{REDUCE}times{buffer}_q")
        high, low = (equal(extract(times, k, k), "#b1") for k in (1, 0))
        three = " ".join(extract(f"(|triple.{k}| {m})", of.word - 1, 0) for k in reversed(range(of.beats)))
        twice = f"(concat {extract(m, of.bits - 2, 0)} #b0)"
        return f"(ite {high} (ite {low} (concat {three}) {twice}) (ite {low} {m} {const(0, of.bits)}))"


class Tripled(BitsAtOnce):
    """The obligations about the netlist of a build in which no word of Z waits between two passes."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if config.beats * config.word != config.width or config.beats < 2 or not config.reduce:
            raise ValueError(f"{build}: the proof is written for operands of words and Reduce")
        straight = config.period == config.lag + 1 and 2 * config.pes % config.word
        if not straight or config.passes < 2:
            raise ValueError(
                f"{build}: the proof is written for two passes or more in which no word waits, "
                f"and for an aligner"
            )
        found = cls(build, system(build.design, bench(build), TOP))
        if found.takes(found.pes - 1) > found.words:
            raise ValueError(
                f"{build}: the proof is written for elements that all have begun with the result"
            )
        return found

    @cached_property
    def now(self) -> At:
        return Late(self, self.system.state("s"))

    @cached_property
    def next(self) -> At:
        return Late(self, self.system.state("n"))

    # --- the row, where words are as in scalable_booth4_left ----------------------------------------

    @property
    def digits(self) -> int:
        return super(BitByBit, self).digits

    def pos(self, i: int) -> int:
        return super(RightShifting, self).pos(i)

    def drops(self, i: int) -> bool:
        return super(RightShifting, self).drops(i)

    def comes(self, i: int) -> int:
        return super(RightShifting, self).comes(i)

    def gone(self, w: int) -> int:
        return super(RightShifting, self).gone(w)

    @cached_property
    def flags(self) -> list[str]:
        return super(RightShifting, self).flags

    def window(self, x: str, m: int) -> str:
        """Digit m of x."""
        return extract(self.padded(x), 2 * m + 1, 2 * m)

    def low(self, i: int) -> int:
        """The lowest bit of Z where it comes into element i, which is that of Q."""
        return (self.pos(i) or self.word) - 2

    # --- triples ----------------------------------------------------------------------------------

    def part(self, v: str, k: int) -> str:
        """Word k of v, as long as M; above, it is 0."""
        return self.cut(v, k) if k < self.beats else const(0, self.word)

    def twice(self, v: str, k: int) -> str:
        """Word k of 2v."""
        low = "#b0" if k == 0 else extract(self.part(v, k - 1), self.word - 1, self.word - 1)
        return f"(concat {extract(self.part(v, k), self.word - 2, 0)} {low})"

    def thrice(self, v: str, k: int) -> str:
        """Word k of 3v."""
        return extract(f"(|triple.{k}| {v})", self.word - 1, 0)

    def definitions(self) -> str:
        """The words of three times a number, and what is carried from each into the next one."""
        v, more = f"((v (_ BitVec {self.bits})))", self.word
        lines = [f"(define-fun |over.0| {v} (_ BitVec 2) #b00)"]
        for k in range(self.words):
            word = zero_extend(self.part("v", k), 2)
            sums = f"(bvadd {word} (bvmul {const(2, more + 2)} {word}) {zero_extend(over('v', k), more)})"
            lines.append(f"(define-fun |triple.{k}| {v} (_ BitVec {more + 2}) {sums})")
            above = extract(f"(|triple.{k}| v)", more + 1, more)
            lines.append(f"(define-fun |over.{k + 1}| {v} (_ BitVec 2) {above})")
        return "\n".join((*lines, ""))

    def numbers(self, at: At) -> Mapping[str, str]:
        """The numbers that are tripled, by their letters."""
        return {"y": at.last("y"), "h": at("h"), "m": at("m")}

    def triple_facts(self, letter: str) -> Iterator[Fact]:
        """The words of three times a number, by those of the number."""
        v = self.numbers(self.now)[letter]
        for k in range(self.words):
            out = {self.tripled(letter, k): 1, self._over_into(letter, k + 1): 1 << self.word}
            came = {Word(f"{letter}.{k}", self.cut(v, k), self.word): 3} if k < self.beats else {}
            yield same(out, came | ({self._over_into(letter, k): 1} if k else {}))

    def tripled(self, letter: str, k: int) -> Word:
        """A word of three times a number."""
        return Word(f"{letter}3.{k}", self.thrice(self.numbers(self.now)[letter], k), self.word)

    def _over_into(self, letter: str, k: int) -> Word:
        return Word(f"{letter}3.over.{k}", over(self.numbers(self.now)[letter], k), 2)

    def double_facts(self) -> Iterator[Fact]:
        """The words of 2M, by those of M."""
        m, top = self.now("m"), self.word - 1
        words = [Word(f"m.{k}", self.cut(m, k), self.word) for k in range(self.beats)]
        tops = [word.cut(top, top, "top") for word in words]
        for k in range(self.words):
            came = {words[k]: 2} if k < self.beats else {}
            came |= {tops[k - 1]: 1} if 0 < k <= self.beats else {}
            gone = {tops[k]: 1 << self.word} if k < self.beats else {}
            yield same({self.doubled(k): 1} | gone, came)

    def doubled(self, k: int) -> Word:
        """A word of 2M."""
        return Word(f"m2.{k}", self.twice(self.now("m"), k), self.word)

    # --- the invariant ----------------------------------------------------------------------------

    def invariant(self, at: At) -> Mapping[str, str]:
        """The same, with triples: how far they have come, and some words of each at a time."""
        parts = {"making": all_of(*self._making(at))}
        for low in range(0, self.beats + 1, AT_ONCE):
            words = range(low, min(low + AT_ONCE, self.beats + 1))
            parts[f"triple {low}"] = all_of(*(each for k in words for each in self._triple(at, k)))
        fit = at.high("fit")
        return {**super().invariant(at), **{name: implies(fit, part) for name, part in parts.items()}}

    def _invariant(self) -> Iterator[Obligation]:
        yield from super()._invariant()
        now, times = self.now, f"{REDUCE}times0_q"
        states = (
            now.high(f"{TRIPLES}u_m3.tail_q"),
            all_of(now.high(f"{SHELL}tail_q"), now.run),
            *(all_of(now.filled(0), self.issued(now, 0), now.is_(times, t)) for t in (2, 3)),
        )
        texts = tuple(self.text(*self.known(), now.high("rst_ni"), state) for state in states)
        name = "highest words of triples and 2M and 3M to be taken away are possible"
        yield Obligation("invariant", name, "bitwuzla", texts, holds=False)

    def _making(self, at: At) -> Iterator[str]:
        """How far 3Y and 3M^ have come while Y and M^ come in."""
        unit, two = f"{TRIPLES}u_m3.", at.is_(f"{SHELL}number_q", 2)
        tail = at.high(f"{unit}tail_q")
        busy = any_of(at.high(f"{GATE}open_q"), at.part, at.full, negation(at.is_(f"{SHELL}open_q", 0)))
        yield implies(tail, all_of(at.high(f"{GATE}whole_q"), negation(busy)))
        yield from self._come(at, unit, two, f"{SHELL}ctx_beat_q", at("h"))
        unit, tail = f"{TRIPLES}u_y3.", at.high(f"{SHELL}tail_q")
        yield negation(all_of(tail, at.high(f"{SHELL}full_q")))
        yield equal(at.high(f"{unit}tail_q"), tail)
        same_half = equal(at.high(f"{unit}tail_buf_q"), at.high(f"{SHELL}load_buf_q"))
        yield implies(tail, all_of(same_half, equal(at("ya"), at("y_in"))))
        yield from self._come(at, unit, "true", f"{SHELL}in_beat_q", at("y_in"))

    def _come(self, at: At, unit: str, comes: str, beat: str, v: str) -> Iterator[str]:
        """How far three times a number has come that comes by beats."""
        tail = at.high(f"{unit}tail_q")
        yield implies(tail, at.is_(f"{unit}addr_q", self.beats))
        yield implies(tail, equal(at(f"{unit}over_q"), over(v, self.beats)))
        for k in range(self.beats):
            here = all_of(negation(tail), comes, at.is_(beat, k))
            yield implies(here, at.is_(f"{unit}addr_q", k))
            yield implies(here, equal(at(f"{unit}over_q"), over(v, k)))
        none = all_of(negation(tail), negation(comes))
        yield implies(none, all_of(at.is_(f"{unit}addr_q", 0), at.is_(f"{unit}over_q", 0)))

    def _triple(self, at: At, k: int) -> Iterator[str]:
        """Where word k of 3Y and of 3M^ is; there is one more than of Y and M^, which comes a cycle later."""
        unit, highest = f"{TRIPLES}u_m3.", k == self.beats
        whole, tail = at.high(f"{GATE}whole_q"), at.high(f"{unit}tail_q")
        come = all_of(at.is_(f"{SHELL}number_q", 2), at.behind(f"{SHELL}ctx_beat_q", k))
        come = all_of(whole, negation(tail)) if highest else any_of(come, whole)
        yield implies(come, equal(at(f"{unit}u_words.words[{k}]"), self.thrice(at("h"), k)))
        there = at.high(f"{SHELL}full_q") if highest else at.full
        for half in (0, 1):
            stored = at(f"{TRIPLES}u_y3.u_words.words[{(half << (self.word_bits + 1)) + k}]")
            loads, runs = (at.is_(f"{SHELL}{each}_buf_q", half) for each in ("load", "run"))
            if not highest:
                come = all_of(at.behind(f"{SHELL}in_beat_q", k), loads)
                yield implies(come, equal(stored, self.thrice(at("y_in"), k)))
            yield implies(all_of(there, loads), equal(stored, self.thrice(at("ya"), k)))
            yield implies(all_of(at.run, runs), equal(stored, self.thrice(at.last("y"), k)))

    def _operands(self, at: At) -> Iterator[str]:
        never = at.low(f"{SHELL}tail_q")
        return (each for each in super()._operands(at) if each != never)

    def _loop(self, at: At) -> Iterator[str]:
        return super(RightShifting, self)._loop(at)

    def _tail(self, at: At) -> Iterator[str]:
        yield from super()._tail(at)
        m, top = at("m"), self.word - 1
        for g in range(2, self.words + 2):
            k = g - 2
            below = at.number(f"{MULTIPLES}in_below_q")
            facts = [
                equal(at(f"{MULTIPLES}m2_q"), self.twice(m, k)),
                equal(at(f"{MULTIPLES}m3_q"), self.thrice(m, k)),
                equal(below, extract(self.part(m, k), top, top)),
                self._carried(at, "in", k + 1),
            ]
            yield implies(at.tail(g), all_of(*facts))

    def _carried(self, at: At, when_: str, k: int) -> str:
        """That what 2M and M carry into word k of 3M is what three times the words of M below it do."""
        both = (zero_extend(at.number(f"{MULTIPLES}{when_}_{name}_q"), 1) for name in ("below", "carry"))
        return equal(f"(bvadd {' '.join(both)})", over(at("m"), k))

    def _result(self, at: At) -> Iterator[str]:
        yield from super()._result(at)
        m, top = at("m"), self.word - 1
        for k in range(1, self.beats):
            below = at.number(f"{MULTIPLES}out_below_q")
            facts = [equal(below, extract(self.part(m, k - 1), top, top)), self._carried(at, "out", k)]
            yield implies(at.is_(f"{RESULT}out_idx_q", k), all_of(*facts))

    def _flags(self, at: At) -> Iterator[str]:
        yield from super(RightShifting, self)._flags(at)
        # the same of triples
        for i in range(self.pes):
            stage, pe, bits = self.comes(i) + 1, self.pe(i), self.pos(i) or self.word
            ends = [at.ends(f"{pe}{name}_i", bits) for name in THRICE.values()]
            yield implies(any_of(at.word_(stage), at.tail(stage)), all_of(*ends))
            if i < self.pes - 1:
                nothing = [at.is_(f"{pe}{name}_below_q", 0) for name in THRICE.values()]
                later = stage + self.drops(i)
                yield implies(any_of(at.word_(later), at.tail(later)), all_of(*nothing))
        nothing = [at.is_(f"{ARRAY}{name}_below_q", 0) for name in THRICE.values()]
        yield implies(any_of(at.word_(1), at.tail(1)), all_of(*nothing))

    def _digits(self, at: At) -> Iterator[str]:
        """Where the digits of x are: those that have gone, those of a word, the next word."""
        x = self.padded(at.last("x"))
        waits, shown = at(f"{SHELL}x_wait_q"), at(f"{SHELL}digits_q")
        for j in range(self.passes):
            for w in range(self.period):
                gone = j * self.pes + self.gone(w)
                word, digit = divmod(gone, self.word // 2)
                facts = [
                    at.is_(f"{SHELL}x_beat_q", 1 + word),
                    at.is_(f"{SHELL}digit_q", digit),
                    equal(shown, zero_extend(extract(x, (word + 1) * self.word - 1, 2 * gone), 2 * digit)),
                ]
                if digit:
                    facts.append(equal(waits, self.cut(x, word + 1)))
                yield implies(all_of(at.word_(w), at.pass_(j)), all_of(*facts))

    # --- what the netlist does --------------------------------------------------------------------

    def low_bits(self, i: int, at: At) -> list[Word]:
        """The two bits of sum and carry that Q is made of."""
        return super(RightShifting, self).low_bits(i, at)

    def taken_facts(self, i: int) -> Iterator[Fact]:
        """The digit of x that element i takes, and Q, in the cycle before its first word."""
        now, then, pe, drops = self.now, self.next, self.pe(i), self.drops(i)
        yield same({self.digit(i, "x", then): 1}, {self.named(now, pe, "x_i", "digit"): 1})
        low = self.low_bits(i, now if drops else then)
        yield same(dict.fromkeys(low, 1), {self.digit(i, "q", then): 1, self.digit(i, "h", then): 4})
        if drops:
            for name, bits in zip(Z, low, strict=True):
                yield same({self.named(now, pe, f"{name}_i", 0): 1}, {bits: 1 << self.low(i)})
            yield from (is_(self.named(now, pe, f"{name}_i", 0), 0) for name in WORDS)

    def word_facts(self, i: int, w: int) -> Iterator[Fact]:
        """What element i makes of word w of its products."""
        now, then, pe, base, drops = self.now, self.next, self.pe(i), self.word, self.drops(i)
        gone = drops and w == self.period - 1  # no word comes that is one of Z
        out = {self.named(then, pe, f"{name}_o", w): 1 for name in Z}
        out |= {self.named(then, pe, name, w + 1): 1 << base for name in ("cx_q", "cq_q")}
        added = {self.named(now, pe, f"{name}_mul", w): 1 for name in "xq"}
        if w:
            added |= {self.named(now, pe, name, w): 1 for name in ("cx_q", "cq_q")}
        else:
            added |= {self.digit(i, "h"): 1 << self.pos(i)}
        if not gone:
            added |= {self.named(now, pe, f"{name}_i", w + drops): 1 for name in Z}
        if w == 0 and not drops:
            low = self.low_bits(i, now)
            out |= dict.fromkeys(low, 1 << self.low(i))
            for name, bits in zip(Z, low, strict=True):
                above = self._cut(i, name, now, (base - 1, self.pos(i)))
                parts = {bits: 1 << self.low(i), above: 1 << self.pos(i)}
                yield same({self.named(now, pe, f"{name}_i", 0): 1}, parts)
        yield same(out, added)
        for name in WORDS:
            if gone:
                yield is_(self.named(now, pe, f"{name}_i", w + drops), 0)
            if name in THRICE or i < self.pes - 1:
                yield from self.four_times(i, w, name)
        for digit, name in FACTORS:
            yield from self.multiple_facts(i, w, digit, name)

    def multiple_facts(self, i: int, w: int, digit: str, name: str) -> Iterator[Fact]:
        """The multiple that a digit takes of a word of Y or M^."""
        now, pe, came, top = self.now, self.pe(i), w + self.drops(i), (self.word - 1, self.word - 1)
        word, three = (self.named(now, pe, f"{each}_i", came) for each in (name, THRICE[name]))
        high = self.named(now, pe, f"{name}_i", came, top)
        below = self.named(now, pe, f"{name}_below_q", w, (1, 1))
        multiple = self.named(now, pe, f"{digit}_mul", w)
        gains: tuple[dict[Word, int], ...] = ({}, {word: 1}, {word: 2, below: 1}, {three: 1})
        for value, gain in zip(DIGITS, gains, strict=True):
            left = {multiple: 1} | ({high: 1 << self.word} if value == 2 else {})
            yield when([is_(self.digit(i, digit), value)], same(left, gain))

    def four_times(self, i: int, w: int, name: str) -> Iterator[Fact]:
        """A word of a multiple as it leaves element i, or as it comes into the first one, with -1 for i.

        Of the last element nothing goes on; what is kept of a word of Y or M^ counts for twice the next one.
        """
        now, then, base, first = self.now, self.next, self.word, i < 0
        path, source, ending = (ARRAY, SHELL, "o") if first else (self.pe(i), self.pe(i), "i")
        came = w if first else w + self.drops(i)
        word = self.named(now, source, f"{name}_{ending}", came)
        tops = [self.named(now, source, f"{name}_{ending}", came, (base - k, base - k)) for k in (1, 2)]
        high, low = (self.named(now, path, f"{name}_below_q", w, (k, k)) for k in (1, 0))
        if w == 0:
            yield from (is_(each, 0) for each in (high, low))
        if i < self.pes - 1:
            out = self.named(*((now, self.pe(0), f"{name}_i") if first else (then, path, f"{name}_o")), w)
            left = {out: 1} | {each: k << base for k, each in zip((2, 1), tops, strict=True)}
            yield same(left, {word: 4, high: 2, low: 1})
        if w < self.period - 1:
            for k, each in zip((1, 0), tops, strict=True):
                yield same({self.named(then, path, f"{name}_below_q", w + 1, (k, k)): 1}, {each: 1})

    def enters(self, w: int) -> Iterator[Fact]:
        """Word w of each multiple as it comes into the first element, four times."""
        for name in WORDS:
            yield from self.four_times(-1, w, name)

    def fetched(self, w: int) -> Iterator[Fact]:
        """Which words come behind word w of a pass: those of Y, M^ and their triples, and above them 0."""
        yield from super().fetched(w)
        for name, letter in (("y3", "y"), ("m3", "h")):
            out = self.named(self.next, SHELL, f"{name}_o", w)
            yield same({out: 1}, {self.tripled(letter, w): 1}) if w <= self.beats else is_(out, 0)

    def aligned(self, w: int, at: At, before: At) -> Iterator[Fact]:
        """Word w behind the aligner; it always comes in in one state, and is there in the next one."""
        del at, before
        return super().aligned(w, self.next, self.now)

    def words_wired(self) -> Iterator[str]:
        """That elements are in a row, between the way back and the aligner, before the result unit."""
        now, then, last = self.now, self.next, self.pe(self.pes - 1)
        for i in range(self.pes):
            for name in Z:
                yield equal(then(f"{self.pe(i)}{name}_i"), now(f"{self.pe(i)}{name}_next_i"))
            for name in (*Z, *WORDS) if i else ():
                yield equal(now(f"{self.pe(i)}{name}_i"), now(f"{self.pe(i - 1)}{name}_o"))
        for name in Z:
            yield equal(now(f"{UNIT}{name}_i"), now(f"{last}{name}_o"))
            yield equal(now(f"{RESULT}{name}_i"), now(f"{UNIT}{name}_o"))

    def words_round(self) -> Iterator[str]:
        """What comes into the first element in the next cycle: what leaves the aligner, or 0 at first."""
        now, then = self.now, self.next
        for name in Z:
            came, zero = then(f"{self.pe(0)}{name}_i"), const(0, self.word)
            yield equal(came, f"(ite {now.first} {zero} {now(f'{UNIT}{name}_o')})")

    def compared(self, g: int) -> Iterator[Fact]:
        """Word g in the result unit's third stage: less the words of M, 2M and 3M there."""
        yield from super().compared(g)
        now, then, base = self.now, self.next, self.word
        for times, word in ((2, self.doubled(g)), (3, self.tripled("m", g))):
            left = {
                self.named(now, RESULT, "b_word_q", g): 1,
                self.named(then, MULTIPLES, f"borrow{times}_q", g + 1): 1 << base,
            }
            right = {self.named(now, MULTIPLES, f"minus{times}", g, (base - 1, 0)): 1, word: 1}
            if g:
                right[self.named(now, MULTIPLES, f"borrow{times}_q", g)] = 1
            yield same(left, right)

    def _row(self) -> Iterator[Obligation]:
        now, then, period = self.now, self.next, self.period
        facts = [*self.double_facts(), *(f for letter in "yhm" for f in self.triple_facts(letter))]
        yield self._facts("the words of two and three times a number", "true", *facts, parts=("loop",))
        for i in range(self.pes):
            pe, takes = self.pe(i), self.takes(i)
            phases = [any_of(*now.phase(takes + 1 + w)) for w in range(period)]
            yield self._facts(
                f"element {i} takes its digit and Q", any_of(*now.phase(takes)), *self.taken_facts(i)
            )
            stay = all_of(*(equal(then(f"{pe}{name}_q"), now(f"{pe}{name}_q")) for name in "xqh"))
            yield self._facts(f"element {i} keeps its digit and Q", any_of(*phases[:-1]), stay)
            yield self._by_word(f"element {i} adds", partial(self.word_facts, i), phases)
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
                    now.place(j * period + self.takes(i)),
                    equal(now(f"{self.pe(i)}x_i"), self.window(now.last("x"), j * self.pes + i)),
                )
                for i in range(self.pes)
            ]
            yield self._facts(f"the digits of x in pass {j}", "true", *shown, parts=("digits", "loop"))
        yield self._facts("Z goes round, or begins with 0", now.run, *self.words_round(), parts=("loop",))
        yield self._asked("step", "the aligner shifts", *self._shifting())
        yield from self._result_unit()

    def _shifting(self) -> Iterator[str]:
        """That the first word, one between or the last one is another behind the aligner."""
        then, last = self.next, self.period - 1
        ways = [then.phase(self.period + w) for w in range(self.period)]
        behind = self.invariant(then)["flags"]
        for w, some in ((0, ways[:1]), (1, ways[1:last]), (last, ways[last:])):
            where = any_of(*(each for way in some for each in way))
            facts = [each.over_bits() for each in self.aligned(w, then, self.now)]
            yield self.text(*self.known(), behind, then.high("fit"), where, negation(all_of(*facts)))

    def _result_unit(self) -> Iterator[Obligation]:
        now, then, e = self.now, self.next, self.words
        for each in super()._result_unit():
            if not each.name.startswith("the buffer takes"):
                yield each
        low = [then.high(f"{path}borrow{k}_q") for k, path in ((1, REDUCE), (2, MULTIPLES), (3, MULTIPLES))]
        times = f"(ite {low[1]} (ite {low[0]} #b00 #b01) (ite {low[2]} #b10 #b11))"
        facts = []
        for b in (0, 1):
            own = now.is_(f"{RESULT}in_buf_q", b)
            here = all_of(own, now.tail(e + 1))
            facts.append(implies(here, equal(then(f"{REDUCE}times{b}_q"), times)))
            for k in range(self.beats):
                word = f"{RESULT}u_results.words[{(b << self.word_bits) + k}]"
                for g in range(k + 2, e + 2):
                    source = now(f"{RESULT}b_word_q") if g == k + 2 else now(word)
                    facts.append(implies(all_of(own, now.tail(g)), equal(then(word), source)))
        every = tuple(self.invariant(now))
        yield self._facts(
            "the buffer takes the words, and how often M is to be taken away", "true", *facts, parts=every
        )
