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

Facts of a word speak of signals by the number of the word that the element has then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from modmul.prove.product.systolic import ARRAY, CONTROL, REDUCE, RESULT, SHELL, At, Places
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Fact,
    Joined,
    Word,
    all_of,
    any_of,
    const,
    declared,
    equal,
    extract,
    implies,
    negation,
    number,
    shown_sum,
)

__all__ = ["LeftShifting"]

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
    return Joined(lambda *terms: implies(all_of(*terms[: len(conditions)]), all_of(*terms[len(conditions) :])),
                  (*conditions, *facts))


def total(words: Iterable[Word], base: int) -> dict[str, int]:
    """The number that words make up, the lowest being the first."""
    return {word.whole: 1 << (base * k) for k, word in enumerate(words)}


class LeftShifting(Places):
    """The obligations of a build in which no word of Z waits between two passes."""

    def all(self) -> Iterator[Obligation]:
        yield from self._invariant()
        yield from self._places()
        yield from self._row()
        yield from self._numbers()

    @property
    def sum_bits(self) -> int:
        """N."""
        return self.period * self.word

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
            same_ = all_of(*(equal(each(then), each(now)) for each in (lambda at: at.stored(b), lambda at: at.taken(b))))
            facts = [same_, *self.going(then, now, b)]
            texts = tuple(self.text(*self.known(*holds), *begun, negation(each)) for each in facts)
            yield self._asked("invariant", f"buffer {b} goes on holding", *texts)
        for name, part in follow.items():
            if name.startswith("buffer"):
                continue
            text = self.text(*self.known(), then.high("fit"), negation(part))
            yield self._asked("invariant", f"{name} goes on holding", text)
        places = (0, 1, self.period, self.passes * self.period - 1, self.passes * self.period, self.places - 1)
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

        def same_of(term: Callable[[At], str], other: Callable[[At], str] | None = None) -> str:
            return equal((other or term)(then), term(now))

        numbers = all_of(same_of(lambda at: at("m")), same_of(lambda at: at("h")))

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
            yield self._asked("step", f"each place of pass {j} comes behind the one before",
                              self.text(*known, negation(all_of(*facts))))
        facts = [implies(then.tail(0), all_of(now.place(loop - 1), owned(At.last, At.of_tail)))]
        facts += [
            implies(then.tail(g), all_of(now.tail(g - 1), owned(At.of_tail, At.of_tail)))
            for g in range(1, self.words + 2)
        ]
        yield self._asked("step", "each place behind the loop comes behind the one before",
                          self.text(*known, negation(all_of(*facts))))
        for b in (0, 1):
            own = lambda at, name, b=b: at.of_buffer(b, name)  # noqa: E731
            stays = all_of(now.filled(b), equal(then.result(b), now.result(b)), owned(own, own))
            comes = all_of(now.tail(self.words + 1), now.is_(f"{RESULT}in_buf_q", b), owned(At.of_tail, own))
            yield self._asked("step", f"the result in buffer {b} stays, or comes from behind the loop",
                              self.text(*known, then.filled(b), negation(any_of(stays, comes))))
        leaves = [
            all_of(
                now.filled(b),
                now.is_(f"{RESULT}out_buf_q", b),
                equal(then.last_words(0), now.result(b)),
                owned(lambda at, name, b=b: at.of_buffer(b, name), At.of_leaving),
            )
            for b in (0, 1)
        ]
        moves = owned(At.of_leaving, At.of_leaving)
        stay = [
            all_of(now.leaving[v], equal(then.last_words(v), now.last_words(v)), moves) for v in (0, 1)
        ]
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
        yield self._asked("step", "a result leaves its buffer word by word",
                          self.text(*known, negation(all_of(*facts))))
        some = any_of(
            now.run, now.behind_loop, now.filled(0), now.filled(1), *now.leaving, now.high("given")
        )
        yield self._asked("step", "in reset there is no operation and no result",
                          self.text(now.state.is_("rst_ni", 0), some))

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
        yield same({each: 1 for each in self.low_bits(i, now if self.drops(i) else then)} | {before: 1},
                   {one: 1, two: 2, over: 4})
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
            yield same(out, added | {each: (1 << base) - 1 for each in signs})
        else:
            came_in = [self.named(now, pe, f"{name}_i", came) for name in Z]
            gone = {} if drops or not first else {each: 1 << (pos - 2) for each in self.low_bits(i, now)}
            yield same(out | gone, added | {each: 1 for each in came_in})
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
            where: list[Fact] = [is_(self.digit(i, f"{digit}_neg"), neg), is_(self.digit(i, f"{digit}_mag"), mag)]
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
        """That one flag is low where the two highest bits of sum and carry are 0, one high where they are 3."""
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
        out = {self.named(then, RESULT, "b_word_q", g): 1, self.named(then, RESULT, "b_carry_q", g + 1): 1 << base}
        carry = self.named(now, RESULT, "plus_q", 0) if g == 0 else self.named(now, RESULT, "b_carry_q", g)
        yield same(out, {self.named(now, RESULT, name, g): 1 for name in ("s_q", "c_q")} | {carry: 1})

    def compared(self, g: int) -> Iterator[Fact]:
        """Word g in its third stage: less the word of M there."""
        now, then, base = self.now, self.next, self.word
        left = {self.named(now, RESULT, "b_word_q", g): 1, self.named(then, REDUCE, "borrow1_q", g + 1): 1 << base}
        right = {self.named(now, REDUCE, "minus1", g, (base - 1, 0)): 1}
        if g < self.beats:
            right[Word(f"m.{g}", self.cut(now("m"), g), base)] = 1
        if g:
            right[self.named(now, REDUCE, "borrow1_q", g)] = 1
        yield same(left, right)

    # --- what the netlist does --------------------------------------------------------------------

    def _facts(self, name: str, where: str, *facts: Fact | str, parts: Sequence[str] = ("flags",)) -> Obligation:
        shown = [each if isinstance(each, str) else each.over_bits() for each in facts]
        return self._asked("step", name, self.text(*self.known(*parts), where, negation(all_of(*shown))))

    def _row(self) -> Iterator[Obligation]:
        now, then, period = self.now, self.next, self.period
        for i in range(self.pes):
            pe, takes = self.pe(i), self.takes(i)
            held = [f"{pe}{name}_q" for name in ("x_neg", "x_mag", "q_neg", "q_mag", "h")]
            yield self._facts(f"element {i} takes its digits", any_of(*now.phase(takes)), *self.taken_facts(i))
            phases = [any_of(*now.phase(takes + 1 + w)) for w in range(period)]
            stay = all_of(*(equal(then(each), now(each)) for each in held))
            yield self._facts(f"element {i} keeps its digits", any_of(*phases[:-1]), stay)
            texts = []
            for w, where in ((0, phases[0]), (1, any_of(*phases[1:-2])), (period - 2, phases[-2]), (period - 1, phases[-1])):
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
        yield self._asked("step", "Y and M^ come in four times", *texts)
        facts = [
            implies(now.word_(w), all_of(*(each.over_bits() for each in self.fetched(w)))) for w in range(period)
        ]
        yield self._facts("the words of Y and M^", now.run, *facts, parts=tuple(self.invariant(now)))
        for j in range(self.passes):
            facts = [
                implies(now.place(j * period + self.takes(i)),
                        equal(now(f"{self.pe(i)}x_i"), self.window(now.last("x"), j * self.pes + i)))
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
                yield same({hat: 1}, {self.hat_sign: 1 << (self.word - 1), hat.cut(self.word - 2, 0, "low"): 1})
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
        for name, facts, late in stages:
            shown = [
                implies(now.tail(g + late), all_of(*(each.over_bits() for each in facts(g)))) for g in range(e)
            ]
            yield self._facts(f"the result unit {name}", "true", *shown, parts=every)
        neg = f"{RESULT}gen_booth.gen_last_multiple.q_neg"
        buffer = f"{RESULT}in_buf_q"
        facts = [
            implies(now.tail(0), equal(now(neg), now(f"{self.pe(self.pes - 1)}q_neg_q"))),
            *(implies(now.tail(g), equal(then(neg), now(neg))) for g in range(e - 1)),
            *(implies(now.tail(g), equal(then(buffer), now(buffer))) for g in range(e + 1)),
            *(implies(now.tail(g), equal(then(f"{SHELL}m_neg_q"), now(f"{SHELL}m_neg_q"))) for g in range(e + 1)),
        ]
        legal = implies(any_of(*map(now.tail, range(e + 2))),
                        equal(now.high(f"{SHELL}m_neg_q"), equal(extract(now("m"), 1, 1), "#b0")))
        yield self._facts("the sign of Q, that of M^ and the buffer stay", "true", *facts, legal, parts=every)
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
        yield self._facts("the buffer takes the words, and whether M is to be taken away", "true", *facts, parts=every)

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
        return shown_sum({high.whole: 1} | {w.whole: 1 << (self.word * k - pos) for k, w in enumerate(rest, 1)})

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
            over = f"(- (* {mag} mu) {f'{top}' if mag == 2 else 0})"
            over = f"(- 1 {over})" if neg else over
            yield self._holding(facts, equal(got, f"(+ {worth} (* {n} {over}))"), *more, lines=lines)
            return
        facts.append(is_(self.named(self.now, self.pe(i), f"{name}_i", 0), 0))
        for sign in (0, 1) if name == "m" else (0,):
            over = (1 - (sign and mag > 0)) if neg else int(bool(sign and mag > 0))
            known = [equal(top, str(sign))] if name == "m" else []
            yield self._holding(facts, equal(got, f"(+ {worth} {n * over})"), *more, *known, lines=lines)

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
        facts = [fact for w in every for fact in self.factor_facts(i, w, dict((b, a) for a, b in FACTORS)[name], name)]
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
                goals.append(equal(f"(+ {' '.join(low_bits)} {before})", f"(+ {one} (* 2 {two}) (* 4 {over}))"))
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
            known.append(f"(= (+ out (* {n} over)) (+ AS AC (* {n - (n >> self.word)} (+ any all)) XM QM {ones}))")
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

        yield z3("Y and M^ come in four times", *(self.entered(name) for name in "ym"))
        yield z3("the words behind the aligner sum up", *map(self.shifted, (self.period, self.words)))
        yield z3("what is behind the aligner is W", self.signed())
        yield z3("before digit 0 it is right", self.begun())
        yield z3("Z is in range", self.ranged())
        cases = [(x, q, s) for x in range(8) for q in range(4) for s in (0, 1)]
        yield z3("what is right before a digit is right behind it", *(self.induction(*each) for each in cases))
        texts = [self.gathered_up(neg, sign) for neg in (0, 1) for sign in (0, 1)]
        yield z3("the result unit's words sum up", *texts)
        yield z3("the comparison finds whether B < M", self.compared_all())
        yield z3("a product is not negative and monotonous", self.monotonous())
        yield z3("these lemmas make an induction over places and clock cycles", self.composed())
        yield z3("z is right", *(self.result(sign, neg) for sign in (0, 1) for neg in (0, 1)))

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
            value, over = f"(- {value} (* {1 << self.width} {sign}))", f"(- (* 4 {sign}) (* 2 {top}) {second})"
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
            above = {}
            for w in range(period):
                high, low = self.halves(w, name, self.now)
                above |= {high.whole: 1 << (base * w)} | ({low.whole: 1 << (base * w - pos)} if w else {})
            sign = f"(* {((1 << pos) - 1) << (base * period - pos)} {flag})" if count == period else "0"
            beyond = shown_sum({name: weight // n for name, weight in above.items() if weight >= n})
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

    RIGHT = ("P", "W", "s", "xl", "xh", "t", "l", "l4", "x", "y", "H", "m")

    def right(self, p: str, w: str, s: str, xl: str, xh: str, t: str, low: str, low_4: str) -> str:
        """What is right before a digit; H stands for M^."""
        return all_of(
            f"(= (* {p} (+ {w} (* 2 {s}))) (+ (* 4 (- {xl} (* {p} {t})) y) (* (- {low} (* {p} {s})) (- (* 4 H) 1))))",
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
        return self._denied(("x", "y", "H", "m"), ["(<= 0 x)", "(<= 0 y)", "(<= 1 m)"], [right])

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

    def induction(self, window: int, q: int, s: int) -> str:
        """That a digit makes it wrong, its window and the one of Q being known; the first Q is 0.

        The quarter that is an integer is :meth:`element`'s.
        """
        high, middle, t = window >> 2, window >> 1 & 1, window & 1
        x_digit, then = -2 * high + middle + t, q >> 1
        q_digit = q + s - 4 * then
        w = f"(- (+ quarter (* {number(x_digit)} y) (* {number(q_digit)} H)) {then})"
        known = [
            self.HAT,
            "(<= 1 m)",
            "(<= 0 y)",
            "(or (and (= P 1) (= W 0) (= l 0) (= s 0) (= t 0)) (= P (* 4 P4)))",
            f"(= s {s})",
            f"(= t {t})",
            f"(= W (+ (* 4 quarter) (- {q} {s})))",
            self.right("P", "W", str(s), "xl", "xh", str(t), "l", "l4"),
            f"(= xh (+ {middle + 2 * high} (* 4 xr)))",
            "(<= 1 P)",
        ]
        more = middle + 2 * high
        right = self.right("(* 4 P)", w, str(then), f"(+ xl (* {more} P))", "xr", str(high), f"(+ l (* {q} P))",
                           f"(ite (= P 1) 0 (+ l4 (* {q} P4)))")
        return self._denied((*self.RIGHT, "quarter", "xr", "P4"), known, [right])

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
        goal = equal(f"(+ {total_} (* {1 << (base * e)} (+ {' '.join(over)})))", f"(+ {came} {modulus} {2 * neg})")
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
            self.right(str(p), "W", str(s), "xl", "xh", "0", "l", "l4"),
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
        names = (*(n for n in self.RIGHT if n not in "Pst"), "B", "kappa", "once", "stored", "above", "under", "z", "quarter")
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
            j * self.period + self.takes(i) + self.period + 1 for j in range(self.passes) for i in range(self.pes)
        ]
        last, digits = self.places - 1, len(ends)
        behind = [sum(end <= c for end in ends) for c in range(self.places)]
        names = [f"{name}.{c}" for name in ("at", "facts") for c in range(self.places)]
        names += [f"right.{m}" for m in range(digits + 1)]
        names += [f"{name}.{b}" for name in ("full", "good", "leave", "gone", "stay", "come", "rest") for b in (0, 1)]
        names += ["given", "done", "product"]

        def holds(ending: str) -> str:
            return all_of(
                *(
                    implies(f"at.{c}{ending}", all_of(f"facts.{c}{ending}", f"right.{behind[c]}{ending}"))
                    for c in range(self.places)
                ),
                *(implies(f"{a}.{b}{ending}", f"{g}.{b}{ending}") for a, g in (("full", "good"), ("leave", "gone"))
                  for b in (0, 1)),
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
                implies(f"full.{b}_n", any_of(all_of(f"full.{b}", f"stay.{b}"), all_of(f"at.{last}", f"come.{b}"))),
                implies(all_of(f"stay.{b}", f"good.{b}"), f"good.{b}_n"),
                implies(all_of(f"come.{b}", "product"), f"good.{b}_n"),
                implies(all_of(f"rest.{b}", f"gone.{b}"), f"gone.{b}_n"),
            ]
        lemmas += [
            implies("leave.0_n", any_of(all_of("leave.0", "rest.0"), "(and full.0 (=> good.0 gone.0_n))",
                                        "(and full.1 (=> good.1 gone.0_n))")),
            implies("leave.1_n", any_of(all_of("leave.1", "rest.1"), "(and leave.0 (=> gone.0 gone.1_n))")),
            implies("given_n", "(and leave.1 (=> gone.1 done_n))"),
        ]
        if behind[last] != digits or any(b - a > 1 for a, b in zip(behind, behind[1:], strict=False)):
            raise ValueError(f"{self.build}: not all digits end in their turn")
        lines = [f"(declare-const {name}{ending} Bool)" for name in names for ending in ("", "_n")]
        lines += [f"(assert {each})" for each in (*lemmas, holds(""), negation(holds("_n")))]
        return "\n".join(lines)
