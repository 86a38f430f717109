# SPDX-License-Identifier: Apache-2.0
"""What the netlist of ``scalable_booth4_left`` does from one place of an operation to the next.

Facts of a word speak of signals by the number of the word that the element has then: what element i makes of
word w is said once, for every cycle in which it has that word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from modmul.prove.product.systolic import ARRAY, REDUCE, RESULT, SHELL, At, Places
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Fact,
    Joined,
    Word,
    all_of,
    any_of,
    const,
    equal,
    extract,
    implies,
    negation,
)

__all__ = ["FACTORS", "SIGNS", "UNIT", "Row", "Z", "is_"]

UNIT = f"{ARRAY}u_align."

Z = ("zs", "zc")
FACTORS = (("x", "y"), ("q", "m"))
"""Digits, and what they multiply."""

SIGNS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))
"""Sign and magnitude of a digit."""


def same(left: Mapping[Word, int], right: Mapping[Word, int], constant: int = 0) -> Compared:
    return Compared(left, "=", right, constant)


def is_(word: Word, value: int) -> Compared:
    return Compared({word: 1}, "=", {}, value)


def when(conditions: Sequence[Fact], *facts: Fact) -> Fact:
    return Joined(
        lambda *terms: implies(all_of(*terms[: len(conditions)]), all_of(*terms[len(conditions) :])),
        (*conditions, *facts),
    )


class Row(Places):
    """The obligations about the netlist."""

    def of_netlist(self) -> Iterator[Obligation]:
        yield from self._invariant()
        yield from self._places()
        yield from self._row()

    # --- the invariant ----------------------------------------------------------------------------

    def known(self, *parts: str) -> tuple[str, ...]:
        """That ``s`` fulfils the invariant, or some parts of it, and ``n`` follows it, not in reset."""
        holds = self.invariant(self.now)
        some = [holds[name] for name in parts or holds]
        running = self.next.state.is_("rst_ni", 1)
        return (*some, self.now.high("fit"), self.system.step, running)

    def _invariant(self) -> Iterator[Obligation]:
        now, then = self.now, self.next
        parts, follow = self.invariant(now), self.invariant(then)
        reset = now.state.is_("rst_ni", 0)
        yield self._asked(
            "invariant",
            "holds in every cycle of reset, whatever the registers hold",
            self.text(reset, negation(all_of(*parts.values()))),
        )
        running = then.state.is_("rst_ni", 1)
        fit = implies(then.high("fit"), now.high("fit"))
        yield self._asked(
            "invariant",
            "a run with another length is left alone up to the next reset",
            self.text(self.system.step, running, negation(fit)),
        )
        for b in (0, 1):
            begun = (then.high("fit"), self.issued(then, b))
            holds = ("context", "operands", "loop", "tail", "count", "result", f"buffer {b}")
            held = all_of(equal(then.stored(b), now.stored(b)), equal(then.taken(b), now.taken(b)))
            facts = [held, *self.going(then, now, b)]
            texts = tuple(self.text(*self.known(*holds), *begun, negation(each)) for each in facts)
            yield self._asked("invariant", f"buffer {b} goes on holding", *texts)
        for name, part in follow.items():
            if name.startswith("buffer"):
                continue
            text = self.text(*self.known(), then.high("fit"), negation(part))
            yield self._asked("invariant", f"{name} goes on holding", text)
        places = (
            0,
            1,
            self.period,
            self.passes * self.period - 1,
            self.passes * self.period,
            self.places - 1,
        )
        possible = [self.text(*self.known(), now.high("rst_ni"), now.place(c)) for c in places]
        both = all_of(now.filled(0), now.full, any_of(now.run, now.filled(1)))
        possible += [self.text(*self.known(), both), self.text(*self.known(), now.high("given"))]
        yield Obligation("invariant", "places are possible", "bitwuzla", tuple(possible), holds=False)

    @staticmethod
    def _asked(layer: str, name: str, *texts: str) -> Obligation:
        return Obligation(layer, name, "bitwuzla", texts)

    # --- places -----------------------------------------------------------------------------------

    def _places(self) -> Iterator[Obligation]:
        now, then = self.now, self.next
        known = (*self.known(), then.high("fit"))
        loop = self.passes * self.period

        numbers = all_of(*(equal(then(name), now(name)) for name in "mh"))

        def owned(before: Callable[[At, str], str], behind: Callable[[At, str], str]) -> str:
            pairs = (equal(behind(then, name), before(now, name)) for name in "xy")
            return all_of(numbers, *pairs)

        lasts = owned(At.last, At.last)
        for j in range(self.passes):
            facts = [
                implies(then.place(c), all_of(now.place(c - 1), lasts))
                for c in range(j * self.period, (j + 1) * self.period)
                if c
            ]
            yield self._asked(
                "step",
                f"each place of pass {j} comes behind the one before",
                self.text(*known, negation(all_of(*facts))),
            )
        facts = [implies(then.tail(0), all_of(now.place(loop - 1), owned(At.last, At.of_tail)))]
        facts += [
            implies(then.tail(g), all_of(now.tail(g - 1), owned(At.of_tail, At.of_tail)))
            for g in range(1, self.words + 2)
        ]
        yield self._asked(
            "step",
            "each place behind the loop comes behind the one before",
            self.text(*known, negation(all_of(*facts))),
        )
        own_of: tuple[Callable[[At, str], str], ...]
        own_of = (lambda at, name: at.of_buffer(0, name), lambda at, name: at.of_buffer(1, name))
        for b, own in enumerate(own_of):
            stays = all_of(now.filled(b), equal(then.result(b), now.result(b)), owned(own, own))
            comes = all_of(now.tail(self.words + 1), now.is_(f"{RESULT}in_buf_q", b), owned(At.of_tail, own))
            yield self._asked(
                "step",
                f"the result in buffer {b} stays, or comes from behind the loop",
                self.text(*known, then.filled(b), negation(any_of(stays, comes))),
            )
        leaves = [
            all_of(
                now.filled(b),
                now.is_(f"{RESULT}out_buf_q", b),
                equal(then.last_words(0), now.result(b)),
                owned(own, At.of_leaving),
            )
            for b, own in enumerate(own_of)
        ]
        moves = owned(At.of_leaving, At.of_leaving)
        stay = [all_of(now.leaving[v], equal(then.last_words(v), now.last_words(v)), moves) for v in (0, 1)]
        passes = all_of(now.leaving[0], equal(then.last_words(1), now.last_words(0)), moves)
        given = all_of(
            now.leaving[1],
            equal(then("z"), now.last_words(1)),
            owned(At.of_leaving, lambda at, name: at(name)),
        )
        facts = [
            implies(then.leaving[0], any_of(stay[0], *leaves)),
            implies(then.leaving[1], any_of(stay[1], passes)),
            implies(then.high("given"), given),
        ]
        yield self._asked(
            "step", "a result leaves its buffer word by word", self.text(*known, negation(all_of(*facts)))
        )
        some = any_of(now.run, now.behind_loop, now.filled(0), now.filled(1), *now.leaving, now.high("given"))
        yield self._asked(
            "step",
            "in reset there is no operation and no result",
            self.text(now.state.is_("rst_ni", 0), some),
        )

    # --- the row ----------------------------------------------------------------------------------

    def named(self, at: At, path: str, name: str, label: object, bits: tuple[int, int] | None = None) -> Word:
        """A signal, or some of its bits, by the word that its element has."""
        term, width = at.number(path + name), self.bits_of(path + name)
        if bits is None:
            return Word(f"{name}.{label}", term, width)
        high, low = bits
        return Word(f"{name}[{high}:{low}].{label}", extract(term, high, low), high - low + 1)

    @property
    def tops(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The two highest bits of a word, and the others."""
        return (self.word - 1, self.word - 2), (self.word - 3, 0)

    def digit(self, i: int, name: str, at: At | None = None) -> Word:
        return self.named(at or self.now, self.pe(i), f"{name}_q", "digit")

    def taken_facts(self, i: int) -> Iterator[Fact]:
        """What element i makes of its digits, in the cycle before its first word."""
        now, then, pe = self.now, self.next, self.pe(i)
        high, middle, low = (self.named(now, pe, "x_i", "digit", (b, b)) for b in (2, 1, 0))
        neg, mag = self.digit(i, "x_neg", then), self.digit(i, "x_mag", then)
        yield same({neg: 1}, {high: 1})
        yield when([is_(neg, 0)], same({mag: 1}, {middle: 1, low: 1}))
        yield when([is_(neg, 1)], same({mag: 1, middle: 1, low: 1}, {}, 2))
        one, two = (self.named(now, pe, "q", "digit", (b, b)) for b in (0, 1))
        before = self.named(now, pe, "q_neg_i", "digit")
        neg, mag, over = (self.digit(i, name, then) for name in ("q_neg", "q_mag", "h"))
        yield same(
            dict.fromkeys(self.low_bits(i, now if self.drops(i) else then), 1) | {before: 1},
            {one: 1, two: 2, over: 4},
        )
        yield same({neg: 1}, {two: 1})
        yield when([is_(neg, 0)], same({mag: 1}, {one: 1, before: 1}))
        yield when([is_(neg, 1)], same({mag: 1, one: 1, before: 1}, {}, 2))
        if self.drops(i):
            for name, each in zip(Z, self.low_bits(i, now), strict=True):
                yield same({self.named(now, pe, f"{name}_i", 0): 1}, {each: 1 << (self.word - 2)})
            yield from (is_(self.named(now, pe, f"{name}_i", 0), 0) for name in "ym")

    def low_bits(self, i: int, at: At) -> list[Word]:
        """The two bits of sum and carry that make the quotient's digit."""
        top = (self.pos(i) or self.word) - 1
        return [self.named(at, self.pe(i), f"{name}_i", 0, (top, top - 1)) for name in Z]

    def word_facts(self, i: int, w: int) -> Iterator[Fact]:
        """What element i does in word w of its products."""
        yield from self.sum_facts(i, w)
        for digit, name in FACTORS:
            yield from self.factor_facts(i, w, digit, name)

    def sum_facts(self, i: int, w: int) -> Iterator[Fact]:
        """The two adders, and the sign that comes in above where a word is dropped."""
        now, then, pe, base = self.now, self.next, self.pe(i), self.word
        drops, pos, first, last = self.drops(i), self.pos(i), w == 0, w == self.period - 1
        came = w + drops  # the word that comes in
        out = {self.named(then, pe, f"{name}_o", w): 1 for name in Z}
        out |= {self.named(then, pe, name, w + 1): 1 << base for name in ("cx_q", "cq_q")}
        added = {self.named(now, pe, f"{name}_mul", w): 1 for name in "xq"}
        if first:
            added |= {self.digit(i, name): 1 << pos for name in ("x_neg", "h")}
        else:
            added |= {self.named(now, pe, name, w): 1 for name in ("cx_q", "cq_q")}
        if drops and last:
            signs = [self.named(now, f"{pe}gen_discard.", name, w) for name in ("any_q", "all_q")]
            yield same(out, added | dict.fromkeys(signs, (1 << base) - 1))
        else:
            came_in = [self.named(now, pe, f"{name}_i", came) for name in Z]
            gone = {} if drops or not first else dict.fromkeys(self.low_bits(i, now), 1 << pos - 2)
            yield same(out | gone, added | dict.fromkeys(came_in, 1))
        if first and not drops:
            for name, low in zip(Z, self.low_bits(i, now), strict=True):
                above = self.named(now, pe, f"{name}_i", 0, (base - 1, pos))
                yield same({self.named(now, pe, f"{name}_i", 0): 1}, {low: 1 << (pos - 2), above: 1 << pos})
        if drops and w == self.period - 2:
            tops = []
            for name in Z:
                top, rest = (self.named(now, pe, f"{name}_i", came, cut) for cut in self.tops)
                tops.append(top)
                yield same({self.named(now, pe, f"{name}_i", came): 1}, {top: 1 << (base - 2), rest: 1})
            yield from self.sign_flags(f"{pe}gen_discard.", ("any_q", "all_q"), tops, then)

    def factor_facts(self, i: int, w: int, digit: str, name: str) -> Iterator[Fact]:
        """The multiple that a digit takes of a word of Y or M^, and that word as it goes on."""
        now, then, pe, base = self.now, self.next, self.pe(i), self.word
        drops, pos, first, last = self.drops(i), self.pos(i), w == 0, w == self.period - 1
        came = w + drops
        word = self.named(now, pe, f"{name}_i", came)
        top, second = (self.named(now, pe, f"{name}_i", came, (base - k, base - k)) for k in (1, 2))
        high, low = (self.named(now, pe, f"{name}_below_q", w, (k, k)) for k in (1, 0))
        multiple = self.named(now, pe, f"{digit}_mul", w)
        ones = (1 << base) - (1 << pos if first else 1)
        above = drops and last
        if first:
            yield from (is_(each, 0) for each in (high, low))
        if above:
            yield is_(word, 0)
        for neg, mag in SIGNS:
            where: list[Fact] = [
                is_(self.digit(i, f"{digit}_neg"), neg),
                is_(self.digit(i, f"{digit}_mag"), mag),
            ]
            if above and name == "m":
                for sign in (0, 1):
                    value = ones * (neg ^ (sign & (mag > 0)))
                    yield when([*where, is_(high, sign)], is_(multiple, value))
                continue
            gains = [{}, {word: 1}, {word: 2, high: 1}][mag]
            loses = {top: 1 << base} if mag == 2 else {}
            if neg:
                yield when(where, same({multiple: 1} | gains, loses, ones))
            else:
                yield when(where, same({multiple: 1} | loses, gains))
        if i < self.pes - 1:
            yield from self.goes_on(i, w, name)
        if not last:
            for k, each in ((1, top), (0, second)):
                kept = self.named(then, pe, f"{name}_below_q", w + 1, (k, k))
                yield same({kept: 1}, {each: 1})

    def goes_on(self, i: int, w: int, name: str) -> Iterator[Fact]:
        """A word of Y or M^, four times, as it leaves element i."""
        now, then, pe, base = self.now, self.next, self.pe(i), self.word
        came = w + self.drops(i)
        word, out = self.named(now, pe, f"{name}_i", came), self.named(then, pe, f"{name}_o", w)
        top, second = (self.named(now, pe, f"{name}_i", came, (base - k, base - k)) for k in (1, 2))
        high, low = (self.named(now, pe, f"{name}_below_q", w, (k, k)) for k in (1, 0))
        goes_on = same({out: 1, top: 2 << base, second: 1 << base}, {word: 4, high: 2, low: 1})
        if self.drops(i) and w == self.period - 1 and name == "m":
            yield when([is_(high, 0)], goes_on)
            yield when([is_(high, 1)], is_(out, (1 << base) - 1))
        else:
            yield goes_on

    def enters(self, w: int) -> Iterator[Fact]:
        """Word w of Y and M^ as it comes into the first element."""
        now, then, base = self.now, self.next, self.word
        for name in "ym":
            word = self.named(now, SHELL, f"{name}_o", w)
            top, second = (self.named(now, SHELL, f"{name}_o", w, (base - k, base - k)) for k in (1, 2))
            high, low = (self.named(now, ARRAY, f"{name}_below_q", w, (k, k)) for k in (1, 0))
            out = self.named(now, self.pe(0), f"{name}_i", w)
            if w == 0:
                yield from (is_(each, 0) for each in (high, low))
            yield same({out: 1, top: 2 << base, second: 1 << base}, {word: 4, high: 2, low: 1})
            if w < self.period - 1:
                for k, each in ((1, top), (0, second)):
                    yield same({self.named(then, ARRAY, f"{name}_below_q", w + 1, (k, k)): 1}, {each: 1})

    def aligned(self, w: int, at: At, before: At) -> Iterator[Fact]:
        """Word w behind the aligner, of that word and the one above, or the sign."""
        pos, base = self.pos(self.pes - 1), self.word
        last = w == self.period - 1
        tops = []
        for name in Z:
            word = self.named(before, UNIT, f"{name}_i", w)
            high, rest = self.halves(w, name, before)
            out = self.named(at, UNIT, f"{name}_o", w)
            yield self.split(w, name, before)
            if w == 0:
                yield is_(rest, 0)
            if last:
                flag = self.named(at, f"{UNIT}gen_shift.", "any" if name == "zs" else "all", w)
                yield same({out: 1}, {high: 1, flag: ((1 << pos) - 1) << (base - pos)})
                top, others = (self.named(before, UNIT, f"{name}_i", w, cut) for cut in self.tops)
                yield same({word: 1}, {top: 1 << (base - 2), others: 1})
                tops.append(top)
            else:
                _, low = self.halves(w + 1, name, at)
                yield same({out: 1}, {high: 1, low: 1 << (base - pos)})
        if last:
            yield from self.sign_flags(f"{UNIT}gen_shift.", ("any", "all"), tops, at)

    def halves(self, w: int, name: str, at: At) -> tuple[Word, Word]:
        """A word before the aligner from its lowest bit on, and what is below, of the word before."""
        pos = self.pos(self.pes - 1)
        high, low = ((self.word - 1, pos), (pos - 1, 0))
        first, second = (self.named(at, UNIT, f"{name}_i", w, cut) for cut in (high, low))
        return first, second

    def split(self, w: int, name: str, at: At) -> Fact:
        """That a word is made of both."""
        high, low = self.halves(w, name, at)
        return same({self.named(at, UNIT, f"{name}_i", w): 1}, {high: 1 << self.pos(self.pes - 1), low: 1})

    def sign_flags(self, path: str, names: Sequence[str], tops: Sequence[Word], at: At) -> Iterator[Fact]:
        """That a flag is low where the highest bits of sum and carry are 0, one high where they are 3."""
        for flag, value in zip(names, (0, 3), strict=True):
            known = self.named(at, path, flag, self.period - 1)
            both = Joined(all_of, tuple(is_(top, value) for top in tops))
            yield Joined(equal, (is_(known, int(value == 3)), both))

    def gathered(self, g: int) -> Iterator[Fact]:
        """Word g in the result unit's first stage."""
        now, then, base = self.now, self.next, self.word
        out = {self.named(then, RESULT, name, g): 1 for name in ("s_q", "c_q")}
        out |= {self.named(then, RESULT, "k_q", g + 1): 1 << base}
        neg = self.named(now, f"{RESULT}gen_booth.gen_last_multiple.", "q_neg", "last")
        extra = self.named(now, RESULT, "extra", g)
        came = {self.named(now, RESULT, f"{name}_i", g): 1 for name in Z}
        carry = neg if g == 0 else self.named(now, RESULT, "k_q", g)
        yield same(out, came | {extra: 1, carry: 1})
        yield from self.extra(g, neg, extra)
        if g == 0:
            yield same({self.named(then, RESULT, "plus_q", 0): 1}, {neg: 1})

    def extra(self, g: int, neg: Word, extra: Word) -> Iterator[Fact]:
        """What is added to word g: a word of M, or nothing."""
        sign = self.named(self.now, SHELL, "m_neg_q", "last")
        if g >= self.beats:
            yield is_(extra, 0)
            return
        word = Word(f"m.{g}", self.cut(self.now("m"), g), self.word)
        for a in (0, 1):
            for b in (0, 1):
                yield when([is_(neg, a), is_(sign, b)], same({extra: 1}, {word: 1} if a != b else {}))

    def summed(self, g: int) -> Iterator[Fact]:
        """Word g in its second stage."""
        now, then, base = self.now, self.next, self.word
        out = {
            self.named(then, RESULT, "b_word_q", g): 1,
            self.named(then, RESULT, "b_carry_q", g + 1): 1 << base,
        }
        carry = self.named(now, RESULT, "plus_q", 0) if g == 0 else self.named(now, RESULT, "b_carry_q", g)
        yield same(out, {self.named(now, RESULT, name, g): 1 for name in ("s_q", "c_q")} | {carry: 1})

    def compared(self, g: int) -> Iterator[Fact]:
        """Word g in its third stage: less the word of M there."""
        now, then, base = self.now, self.next, self.word
        left = {
            self.named(now, RESULT, "b_word_q", g): 1,
            self.named(then, REDUCE, "borrow1_q", g + 1): 1 << base,
        }
        right = {self.named(now, REDUCE, "minus1", g, (base - 1, 0)): 1}
        if g < self.beats:
            right[Word(f"m.{g}", self.cut(now("m"), g), base)] = 1
        if g:
            right[self.named(now, REDUCE, "borrow1_q", g)] = 1
        yield same(left, right)

    # --- what the netlist does --------------------------------------------------------------------

    def _facts(
        self, name: str, where: str, *facts: Fact | str, parts: Sequence[str] = ("flags",)
    ) -> Obligation:
        shown = [each if isinstance(each, str) else each.over_bits() for each in facts]
        return self._asked("step", name, self.text(*self.known(*parts), where, negation(all_of(*shown))))

    def _row(self) -> Iterator[Obligation]:
        now, then, period = self.now, self.next, self.period
        for i in range(self.pes):
            pe, takes = self.pe(i), self.takes(i)
            held = [f"{pe}{name}_q" for name in ("x_neg", "x_mag", "q_neg", "q_mag", "h")]
            yield self._facts(
                f"element {i} takes its digits", any_of(*now.phase(takes)), *self.taken_facts(i)
            )
            phases = [any_of(*now.phase(takes + 1 + w)) for w in range(period)]
            stay = all_of(*(equal(then(each), now(each)) for each in held))
            yield self._facts(f"element {i} keeps its digits", any_of(*phases[:-1]), stay)
            texts = []
            for w, where in (
                (0, phases[0]),
                (1, any_of(*phases[1:-2])),
                (period - 2, phases[-2]),
                (period - 1, phases[-1]),
            ):
                facts = [each.over_bits() for each in self.word_facts(i, w)]
                texts.append(self.text(*self.known("flags"), where, negation(all_of(*facts))))
            yield self._asked("step", f"element {i} adds", *texts)
        yield self._facts("what leaves an element comes into the next one", "true", *self.wires())
        texts = []
        for w in (0, 1, period - 1):
            some = range(1, period - 1) if w == 1 else (w,)
            where = any_of(*(each for v in some for each in now.phase(1 + v)))
            facts = [each.over_bits() for each in self.enters(w)]
            texts.append(self.text(*self.known("flags"), where, negation(all_of(*facts))))
        yield self._asked("step", "the words of Y and M^ come in shifted", *texts)
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
        texts = []
        ways = [then.phase(period + w) for w in range(period)]
        for w in (0, 1, period - 1):
            some = range(1, period - 1) if w == 1 else (w,)
            where = any_of(*(each for v in some for each in ways[v]))
            facts = [each.over_bits() for each in self.aligned(w, then, now)]
            behind = self.invariant(then)["flags"]
            texts.append(self.text(*self.known(), behind, then.high("fit"), where, negation(all_of(*facts))))
        yield self._asked("step", "the aligner shifts", *texts)
        fifo = f"{SHELL}u_fifo."
        facts = []
        for name in Z:
            out, zero = then(f"{fifo}{name}_o"), const(0, self.word)
            facts.append(implies(now.first, equal(out, zero)))
            facts.append(implies(negation(now.first), equal(out, now(f"{ARRAY}u_align.{name}_o"))))
        q_neg = now.high(f"{self.pe(0)}q_neg_i")
        last = now.high(f"{self.pe(self.pes - 1)}q_neg_q")
        facts.append(equal(q_neg, all_of(negation(now.first), last)))
        yield self._facts("Z goes round, or begins with 0", now.run, *facts, parts=("loop",))
        yield from self._result_unit()

    def wires(self) -> Iterator[str]:
        """That elements are in a row."""
        now, then = self.now, self.next
        for i in range(self.pes):
            for name in Z:
                yield equal(then(f"{self.pe(i)}{name}_i"), now(f"{self.pe(i)}{name}_next_i"))
            if i:
                for name in (*Z, "y", "m"):
                    yield equal(now(f"{self.pe(i)}{name}_i"), now(f"{self.pe(i - 1)}{name}_o"))
                yield equal(now(f"{self.pe(i)}q_neg_i"), now(f"{self.pe(i - 1)}q_neg_q"))
        for name in Z:
            yield equal(now(f"{self.pe(0)}{name}_i"), now(f"{SHELL}u_fifo.{name}_o"))
            yield equal(now(f"{ARRAY}u_align.{name}_i"), now(f"{self.pe(self.pes - 1)}{name}_o"))
            yield equal(now(f"{RESULT}{name}_i"), now(f"{ARRAY}u_align.{name}_o"))
        yield equal(now(f"{RESULT}carry_i"), now(f"{self.pe(self.pes - 1)}q_neg_q"))

    def fetched(self, w: int) -> Iterator[Fact]:
        """Which words of Y and M^ come behind word w of a pass: theirs, and above them 0 and the sign."""
        out, m_out = (self.named(self.next, SHELL, f"{name}_o", w) for name in "ym")
        if w < self.beats:
            yield same({out: 1}, {Word(f"y.{w}", self.cut(self.now.last("y"), w), self.word): 1})
            hat = Word(f"h.{w}", self.cut(self.now("h"), w), self.word)
            yield same({m_out: 1}, {hat: 1})
            if w == self.beats - 1:
                yield same(
                    {hat: 1}, {self.hat_sign: 1 << (self.word - 1), hat.cut(self.word - 2, 0, "low"): 1}
                )
        else:
            yield is_(out, 0)
            yield same({m_out: 1}, {self.hat_sign: (1 << self.word) - 1})

    @property
    def hat_sign(self) -> Word:
        return Word("h.sign", extract(self.now("h"), self.bits - 1, self.bits - 1), 1)

    def _result_unit(self) -> Iterator[Obligation]:
        now, then, e = self.now, self.next, self.words
        every = tuple(self.invariant(now))
        stages = (
            ("adds the last multiple", self.gathered, 0),
            ("adds sum and carry", self.summed, 1),
            ("compares with M", self.compared, 2),
        )
        for name, said, late in stages:
            shown = [
                implies(now.tail(g + late), all_of(*(each.over_bits() for each in said(g)))) for g in range(e)
            ]
            yield self._facts(f"the result unit {name}", "true", *shown, parts=every)
        neg = f"{RESULT}gen_booth.gen_last_multiple.q_neg"
        buffer = f"{RESULT}in_buf_q"
        facts = [
            implies(now.tail(0), equal(now(neg), now(f"{self.pe(self.pes - 1)}q_neg_q"))),
            *(implies(now.tail(g), equal(then(neg), now(neg))) for g in range(e - 1)),
            *(implies(now.tail(g), equal(then(buffer), now(buffer))) for g in range(e + 1)),
            *(
                implies(now.tail(g), equal(then(f"{SHELL}m_neg_q"), now(f"{SHELL}m_neg_q")))
                for g in range(e + 1)
            ),
        ]
        legal = implies(
            any_of(*map(now.tail, range(e + 2))),
            all_of(
                equal(now.high(f"{SHELL}m_neg_q"), equal(extract(now("m"), 1, 1), "#b0")),
                equal(extract(now("m"), 0, 0), "#b1"),
            ),
        )
        yield self._facts(
            "M is odd; the sign of Q, that of M^ and the buffer stay", "true", *facts, legal, parts=every
        )
        facts = []
        for b in (0, 1):
            once = extract(then(f"{REDUCE}times{b}_q"), 0, 0)
            less = f"(ite {then.high(f'{REDUCE}borrow1_q')} #b0 #b1)"
            own = now.is_(buffer, b)
            facts.append(implies(all_of(own, now.tail(e + 1)), equal(once, less)))
            for k in range(self.beats):
                word = f"{RESULT}u_results.words[{(b << self.word_bits) + k}]"
                for g in range(e + 2):
                    source = now(f"{RESULT}b_word_q") if g == k + 2 else now(word)
                    if g >= k + 2:
                        facts.append(implies(all_of(own, now.tail(g)), equal(then(word), source)))
        yield self._facts(
            "the buffer takes the words, and whether M is to be taken away", "true", *facts, parts=every
        )
