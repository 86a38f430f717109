# SPDX-License-Identifier: Apache-2.0
"""What the converter of ``sparse_prime`` makes of a sum, word by word and pass by pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from modmul.core import signed_powers
from modmul.prove.product.sparse_prime_loop import Loops
from modmul.prove.product.sparse_prime_where import CONVERTER, COUNTED, At
from modmul.prove.terms import (
    Compared,
    Congruent,
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

__all__ = ["Converters", "Group"]


@dataclass(frozen=True)
class Group:
    """Powers of D that are multiplied together.

    Attributes:
        low: the lowest place of it.
        top: where the next one begins, or U ends.
        powers: place, from ``low`` on, and sign of each, the lowest first; of minus it, if it is negative.
        negative: whether it is below 0.
    """

    low: int
    top: int
    powers: tuple[tuple[int, int], ...]
    negative: bool

    @property
    def size(self) -> int:
        """Without its sign."""
        return self.so_far(len(self.powers))

    def so_far(self, m: int) -> int:
        """The sum of so many powers."""
        return sum(sign << place for place, sign in self.powers[:m])


class Converters(Loops):
    """The invariant over bits, of the converter too."""

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def room(self) -> int:
        """Bits of the words of U."""
        return self.words * self.word

    @property
    def d(self) -> int:
        """D."""
        return (1 << self.width) - self.modulus

    @property
    def high_bits(self) -> int:
        """Bits of what may stand at 2^n and above."""
        return int(self.constants.bounds[0] >> self.width).bit_length()

    @cached_property
    def groups(self) -> list[Group]:
        found: list[list[tuple[int, int]]] = []
        for place, sign in signed_powers(self.d):
            if found and place - found[-1][-1][0] <= self.w_bits:
                found[-1].append((place, sign))
            else:
                found.append([(place, sign)])
        tops = [*(group[0][0] for group in found[1:]), self.room]
        groups = []
        for group, top in zip(found, tops, strict=True):
            low, sign = group[0][0], group[-1][1]
            groups.append(Group(low, top, tuple((i - low, sign * each) for i, each in group), sign < 0))
        return groups

    # --- terms ------------------------------------------------------------------------------------

    def times(self, group: Group) -> str:
        """The path of the product of a group."""
        return f"{CONVERTER}gen_place[{group.low}].gen_group.u_times."

    def factor(self, at: At, high: bool) -> str:
        """What F is of: what stands at 2^n and above, or W."""
        if not high:
            return at("core.w_q")
        return zero_extend(at(f"{CONVERTER}high_q"), self.w_bits - self.high_bits)

    def product_bits(self, group: Group) -> int:
        """Bits of the product of a group."""
        return self.system.signals[f"{self.times(group)}p_o"]

    def numbers(self) -> str:
        """And what each addition of a product makes of its factor."""
        lines = []
        for group in self.groups:
            bits, so_far = self.product_bits(group), ""
            for m, (place, sign) in enumerate(group.powers):
                term = f"(bvshl {zero_extend('w', bits - self.w_bits)} {const(place, bits)})"
                before = so_far or const(0, bits)
                made = f"(bvadd {before} {term})" if sign > 0 else f"(bvsub {before} {term})"
                name = f"P{group.low}.{m}"
                lines.append(f"(define-fun {name} ((w (_ BitVec {self.w_bits}))) (_ BitVec {bits}) {made})")
                so_far = f"({name} w)"
        return super().numbers() + "\n".join((*lines, ""))

    def own(self, group: Group, factor: str) -> str:
        """What a group multiplies: the factor, or its complement."""
        return f"(bvnot {factor})" if group.negative else factor

    def stage(self, at: At, group: Group, m: int, factor: str) -> str:
        """That an addition of a group has been made with a factor."""
        made = at(f"{self.times(group)}gen_place[{group.powers[m][0]}].gen_stage.sum_q")
        return equal(made, f"(P{group.low}.{m} {self.own(group, factor)})")

    def sum_taken(self, at: At) -> str:
        """S and the carries that were taken, added up."""
        s, c = (zero_extend(at(f"{CONVERTER}{name}_taken_q"), self.room - self.width) for name in ("s", "c"))
        return f"(bvadd {s} {c})"

    def low_bits(self, term: str) -> str:
        """A word of U modulo 2^n."""
        return zero_extend(extract(term, self.width - 1, 0), self.room - self.width)

    def ripple(self, a: str, b: str, total: str, place: int) -> str:
        """What is carried to a place."""
        if place == 0:
            return "false"
        bits = (extract(each, place, place) for each in (a, b, total))
        return equal(f"(bvxor {' '.join(bits)})", "#b1")

    def kept(self, j: int) -> int:
        """The bits of word j that are below 2^n."""
        below = max(0, min(self.word, self.width - j * self.word))
        return (1 << below) - 1

    # --- what is remembered -------------------------------------------------------------------------

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        """Also ``A`` and ``B``, the numbers that a pass adds, and ``U``, their sum."""
        at = At(self, self.system.state("s"))
        found = dict(super().remembered())
        d, zero = const(self.d, self.room), const(0, self.room)
        product = at(f"{CONVERTER}product")
        bit = equal(extract(at(f"{CONVERTER}high_q"), 0, 0), "#b1")
        a, b = at.g("A"), at.g("B")
        cases = [(self.begins(0), self.sum_taken(at), product)]
        cases += [(self.begins(p), self.low_bits(at.g("U")), product) for p in range(1, self.folds + 1)]
        cases += [(self.compares, at.g("U"), d), (self.shows, a, f"(ite {bit} {d} {zero})")]
        for q, first, second in cases:
            here = all_of(at.aged("q", "=", q), at.moves)
            a, b = f"(ite {here} {first} {a})", f"(ite {here} {second} {b})"
        found |= {"A": (self.room, a), "B": (self.room, b)}
        found["U"] = (self.room, "(bvadd gn_A gn_B)")
        return found

    # --- the invariant ----------------------------------------------------------------------------

    def takes(self, at: At) -> Iterator[tuple[str, str]]:
        """W, as its digits come, and the products by it."""
        after, w = self.taken, at("core.w_q")
        first = zero_extend(at.g("pu"), self.w_bits - self.t_bits)
        yield "first of W", implies(at.aged("ph", "=", after), equal(w, first))
        for group in self.groups:
            for m in range(len(group.powers)):
                long = at.aged("ph", "bvuge", after + 4 + m)
                begun = at.within("q", max(1, 2 + m - self.wait), 4 + self.words)
                again = all_of(begun, f"(bvult {at.g('ph')} {at.g('q')})")
                apart = any_of(
                    at.aged("q", "bvule", 4 + self.words), at.aged("q", "bvuge", self.compares + 2 + m)
                )
                known = all_of(any_of(long, again), apart, at.aged("sr", "bvuge", 2 + m))
                yield "products by W", implies(known, self.stage(at, group, m, self.factor(at, high=False)))

    def folding(self, at: At) -> Iterator[tuple[str, str]]:
        """The products by what stands at 2^n and above."""
        for p in range(self.folds):
            first, last = self.begins(p) + self.words + 2, self.begins(p + 1) + self.words + 1
            for group in self.groups:
                for m in range(len(group.powers)):
                    here = at.within("q", first + 1 + m, last)
                    yield "products", implies(here, self.stage(at, group, m, self.factor(at, high=True)))

    def sums(self, at: At) -> Iterator[tuple[str, str]]:
        """The words of S and of its carries, and their sum."""
        words, word = self.words, self.word
        s, c = (zero_extend(at(f"{CONVERTER}{name}_taken_q"), self.room - self.width) for name in "sc")
        total = self.sum_taken(at)
        for j in range(words):
            chosen = negation(at.bit(f"{CONVERTER}other_q", j))
            yield (
                "tokens",
                implies(at.aged("sr", "bvuge", j + 1), equal(chosen, at.aged("q", "=", 1 + j))),
            )
            for name, own in (("s", s), ("c", c)):
                found = extract(at(f"{CONVERTER}{name}_chosen_q"), (j + 1) * word - 1, j * word)
                here = at.aged("q", "=", 2 + j)
                yield "chosen", implies(here, equal(found, self.wordof(own, j)))
                none = all_of(negation(here), at.aged("sr", "bvuge", j + 2))
                yield "not chosen", implies(none, equal(found, const(0, word)))
                here = at.aged("q", "=", 3 + j)
                yield "word", implies(here, equal(at(f"{CONVERTER}{name}_q"), self.wordof(own, j)))
                if j == 0:
                    early = at.within("q", 1, 2)
                    yield "no word", implies(early, equal(at(f"{CONVERTER}{name}_q"), const(0, word)))
            carry = self.ripple(s, c, total, j * word)
            carried = at.high(f"{CONVERTER}u_carry_q")
            yield "carry", implies(at.aged("q", "=", 3 + j), equal(carried, carry))
            here = at.aged("q", "=", 4 + j)
            yield "sum", implies(here, equal(at(f"{CONVERTER}u_q"), self.wordof(total, j)))
        yield "no carry", implies(at.aged("q", "=", 2), at.low(f"{CONVERTER}u_carry_q"))

    def passes(self, at: At) -> Iterator[tuple[str, str]]:
        """What each pass adds, word by word, and what it leaves."""
        words, word, conv = self.words, self.word, CONVERTER
        a, b, u = at.g("A"), at.g("B"), at.g("U")
        product = at(f"{conv}product")
        yield "U", equal(u, f"(bvadd {a} {b})")
        start = self.begins(0)
        yield "S", implies(at.within("q", start + 1, start + words), equal(a, self.sum_taken(at)))
        for p in range(self.folds + 3):
            begins, shows = self.begins(p), p == self.folds + 2
            count = self.beats if shows else words
            last = self.last if shows else self.begins(p + 1)
            if p <= self.folds:
                here = at.within("q", begins + 1, begins + words - 1)
                yield "F", implies(here, equal(b, product))
            if p == self.folds + 1:
                here = at.within("q", begins + 1, last)
                yield "D", implies(here, equal(b, const(self.d, self.room)))
            if shows:
                here = at.within("q", begins + 1, last)
                bit = equal(extract(at(f"{conv}high_q"), 0, 0), "#b1")
                other = f"(ite {bit} {const(self.d, self.room)} {const(0, self.room)})"
                yield "D or 0", implies(here, equal(b, other))
            if 1 <= p <= self.folds:
                here = at.within("q", begins + 1, last)
                yield "U modulo 2^n", implies(here, equal(a, self.low_bits(a)))
            for j in range(count):
                here = at.aged("q", "=", begins + 1 + j)
                facts = [
                    equal(at(f"{conv}a_q"), self.wordof(a, j)),
                    equal(at(f"{conv}b_q"), self.wordof(b, j)),
                ]
                facts.append(equal(at.counts(f"{conv}index_q"), const(j, COUNTED)))
                facts.append(equal(at.high(f"{conv}carry_q"), self.ripple(a, b, u, j * word)))
                writes = str(p <= self.folds).lower()
                facts.append(equal(at.high(f"{conv}write_q"), writes))
                facts.append(equal(at.high(f"{conv}far_q"), str(j == words - 1).lower()))
                yield "word of a pass", implies(here, all_of(*facts))
                here = at.aged("q", "=", begins + 2 + j)
                own = self.wordof(u, j)
                facts = [equal(at(f"{conv}sum_q"), own)]
                facts.append(equal(at.high(f"{conv}write_q2"), writes))
                facts.append(equal(at.counts(f"{conv}index_q2"), const(j, COUNTED)))
                facts.append(equal(at.high(f"{conv}far_q2"), str(j == words - 1).lower()))
                if self.width < self.operand:
                    facts.append(equal(at.high(f"{conv}cut_q"), str(j == self.beats - 1).lower()))
                yield "sum of a pass", implies(here, all_of(*facts))
            yield from self._memory(at, p)
        yield from self._quiet(at)
        yield from self._above(at)

    def _memory(self, at: At, p: int) -> Iterator[tuple[str, str]]:
        """The memory of U, in a pass."""
        words, begins = self.words, self.begins(p)
        a, u = at.g("A"), at.g("U")
        if p > self.folds:
            for j in range(words):
                here = at.within(
                    "q", begins + 1, self.begins(p + 1) if p == self.folds + 1 else begins + words
                )
                stored = at(f"{CONVERTER}u_u.words[{j}]")
                yield "U stays", implies(here, equal(stored, self.wordof(a, j)))
            return
        for j in range(words):
            stored = at(f"{CONVERTER}u_u.words[{j}]")
            here = at.within("q", begins + 3 + j, self.begins(p + 1))
            yield "U", implies(here, equal(stored, self.wordof(u, j)))
            if p:
                here = at.within("q", begins + 1, begins + j)
                own = f"(bvand {stored} {const(self.kept(j), self.word)})"
                yield "U of before", implies(here, equal(own, self.wordof(a, j)))

    def _quiet(self, at: At) -> Iterator[tuple[str, str]]:
        """When nothing is written, and nothing new stands above."""
        for p in range(self.folds + 2):
            for name, late in (("", 1), ("2", 2)):
                behind = self.begins(p) + self.words + late
                quiet = at.within("q", behind, self.begins(p + 1) - 1 + late)
                yield "no more above", implies(quiet, at.low(f"{CONVERTER}far_q{name}"))
                if p <= self.folds:
                    end = self.last if p == self.folds else self.begins(p + 1) - 1 + late
                    quiet = at.within("q", behind, end)
                    yield "no writing", implies(quiet, at.low(f"{CONVERTER}write_q{name}"))

    def _above(self, at: At) -> Iterator[tuple[str, str]]:
        """What stands at 2^n and above, behind each pass but the last."""
        words, word, n = self.words, self.word, self.width
        u = at.g("U")
        far = words - n // word
        for p in range(self.folds + 2):
            begins, end = self.begins(p), self.begins(p + 1)
            for a in range(far - 1):
                for j in range(words - far + 1 + a, words):
                    if j - 1 - a < 0:
                        continue
                    here = at.aged("q", "=", begins + 2 + j)
                    top = (far - 1 - a) * word
                    found = extract(at(f"{CONVERTER}gen_far.before_q"), top - 1, top - word)
                    yield "words above", implies(here, equal(found, self.wordof(u, j - 1 - a)))
            here = at.within("q", begins + words + 2, end)
            high = extract(u, n + self.high_bits - 1, n)
            yield "above", implies(here, equal(at(f"{CONVERTER}high_q"), high))

    def leaves(self, at: At) -> Iterator[tuple[str, str]]:
        """The words of the result that wait or have left."""
        u, n = at.g("U"), self.width
        z = zero_extend(extract(u, n - 1, 0), self.operand - n)
        for k in range(self.beats):
            here = at.aged("q", "=", self.shows + 2 + k)
            yield "z", implies(here, equal(at("z_o"), self.wordof(z, k)))
            left = all_of(at.aged("q", "bvugt", self.shows + 2 + k), at.out)
            yield "left", implies(left, equal(self.wordof(at("z"), k), self.wordof(z, k)))
        yield "given", implies(at.high("given"), equal(at("z"), z))
        behind = any_of(at.aged("q", "=", 1), at.aged("q", "=", self.last + 1))
        yield "a place behind", implies(at.high("given"), behind)

    # --- facts for numbers ------------------------------------------------------------------------

    def of_product(self, at: At, high: bool) -> Iterator[Fact]:
        """The product by W, or by what stands above: that of each group, each at its place."""
        product = Word("F", at(f"{CONVERTER}product"), self.room)
        factor = Word("w", self.factor(at, high), self.w_bits)
        parts = {}
        for group in self.groups:
            own = Word(f"w{group.low}", self.own(group, factor.term), self.w_bits)
            if group.negative:
                yield Compared({own: 1, factor: 1}, "=", {}, (1 << self.w_bits) - 1)
            else:
                yield Compared({own: 1}, "=", {factor: 1})
            bits = self.product_bits(group)
            so_far: dict[Word, int] = {}
            for m, (place, sign) in enumerate(group.powers):
                made = Word(f"P{group.low}.{m}", f"(P{group.low}.{m} {own.term})", bits)
                left, right = {made: 1}, so_far
                (right if sign > 0 else left)[own] = 1 << place
                yield Congruent(left, right, bits)
                so_far = {made: 1}
            part = product.cut(group.top - 1, group.low, str(group.low))
            parts[part] = 1 << group.low
            yield Congruent({part: 1}, so_far, part.bits)
        yield Compared({product: 1}, "=", parts)

    def of_fold(self, now: At, then: At, p: int) -> Iterator[Fact]:
        """What pass p of those that fold makes of the number before, or of the sum that was taken."""
        n, factor = self.width, Word("w", self.factor(now, high=p > 0), self.w_bits)
        a, b, u = (Word(name, then.g(name), self.room) for name in "ABU")
        yield from self.of_product(now, high=p > 0)
        yield Compared({b: 1}, "=", {Word("F", now(f"{CONVERTER}product"), self.room): 1})
        yield Congruent({u: 1}, {a: 1, b: 1}, self.room)
        if p == 0:
            taken = {Word(name.upper(), now(f"{CONVERTER}{name}_taken_q"), n): 1 for name in "sc"}
            yield Compared({a: 1}, "=", taken)
            return
        before = Word("Us", now.g("U"), self.room)
        low, rest = before.cut(n - 1, 0, "low"), before.cut(self.room - 1, n, "rest")
        yield Compared({before: 1}, "=", {low: 1, rest: 1 << n})
        yield Compared({a: 1}, "=", {low: 1})
        high = Word("high", now(f"{CONVERTER}high_q"), self.high_bits)
        yield Congruent({high: 1}, {rest: 1}, self.high_bits)
        yield Compared({factor: 1}, "=", {high: 1})

    def of_result(self, now: At, then: At) -> Iterator[Fact]:
        """The result, by the number that was compared."""
        n = self.width
        a, u, d = Word("As", now.g("A"), self.room), Word("Us", now.g("U"), self.room), self.d
        second = Word("Bs", now.g("B"), self.room)
        yield Compared({second: 1}, "=", {}, d)
        yield Congruent({u: 1}, {a: 1, second: 1}, self.room)
        low, bit = u.cut(n - 1, 0, "low"), u.cut(n, n, "bit")
        rest = u.cut(self.room - 1, n + 1, "rest")
        yield Compared({u: 1}, "=", {low: 1, bit: 1 << n, rest: 2 << n})
        first, other, z = (Word(name, then.g(name), self.room) for name in "ABU")
        yield Compared({first: 1}, "=", {a: 1})
        yield Compared({other: 1}, "=", {bit: d})
        yield Congruent({z: 1}, {first: 1, other: 1}, self.room)
        low, rest = z.cut(n - 1, 0, "low"), z.cut(self.room - 1, n, "rest")
        yield Compared({z: 1}, "=", {low: 1, rest: 1 << n})
