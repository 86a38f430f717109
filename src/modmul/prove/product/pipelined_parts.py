# SPDX-License-Identifier: Apache-2.0
"""Of ``pipelined``: the words of an operation in its parts, which registers hold them, and what defines them.

A part is an addition, a row of multiplier blocks, a sum of such rows, a product by Karatsuba's method. What
is built of it depends on the lengths of its operands alone, so a part is described once; each place of the
netlist in which it stands gives the words other names. ``pipelined_words`` asks of a part, for any operands,
what it makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from modmul.core import ceil_div
from modmul.prove.product.pipelined_kinds import Added, Leaf, Split, Strip, Times, Upper
from modmul.prove.product.small_pipeline import Flow
from modmul.prove.product.small_words import pieces
from modmul.prove.terms import Compared, Word, const, equal, extract, zero_extend

__all__ = ["Parts"]


@dataclass
class Parts(Flow):
    """The words of an operation, part by part.

    Attributes:
        config: the build's.
        forms: words that are written as the netlist makes them, with their ages.
        times: each product in a block, by the age at which its factors are in its registers.
        kinds: what stands somewhere in the netlist: a kind of part with the lengths of its operands.
    """

    config: Any = None
    forms: dict[Word, tuple[int, str]] = field(default_factory=dict)
    times: dict[int, list[Times]] = field(default_factory=dict)
    kinds: dict[tuple[Any, ...], None] = field(default_factory=dict)

    # --- words and where they are -------------------------------------------------------------------

    @property
    def cuts_of(self) -> tuple[int, int]:
        """Bits of both sides of a block, without a sign."""
        return int(self.config.tile_a) - 1, int(self.config.tile_b) - 1

    def delay(self, path: str, age: int, cycles: int, term: str) -> None:
        """What comes at an age goes through registers."""
        for i in range(cycles):
            self.place(f"{path}.gen_cycle[{i}].late_q", age + 1 + i, term)

    def joined(self, name: str, found: Sequence[Word]) -> Word:
        """Words, the lowest first, as one."""
        if len(found) == 1:
            return found[0]
        term = f"(concat {' '.join(word.term for word in reversed(found))})"
        word, low, weights = Word(name, term, sum(each.bits for each in found)), 0, {}
        for each in found:
            weights[each] = 1 << low
            low += each.bits
        self.part(Compared({word: 1}, "=", weights))
        return word

    def longer(self, word: Word, bits: int) -> Word:
        """A word with zeros above it, or the same."""
        if word.bits == bits:
            return word
        found = Word(f"{word.name}+{bits - word.bits}", zero_extend(word.term, bits - word.bits), bits)
        self.part(Compared({found: 1}, "=", {word: 1}))
        return found

    def formed(self, name: str, bits: int, age: int, term: str) -> Word:
        """A word that is written as the netlist makes it."""
        word = Word(name, f"|{name}|", bits)
        self.forms[word] = (age, term)
        return word

    def low(self, word: Word, bits: int) -> Word:
        """The lowest bits of a word, or all."""
        return self.split(word, bits)[0]

    def facts(self, age: int) -> list[str]:
        """What defines the words that come into registers at an age."""
        made = [fact.over_bits() for first, fact in self.defined.values() if first == age]
        return [
            *made,
            *(equal(word.term, term) for word, (first, term) in self.forms.items() if first == age),
        ]

    # --- an addition --------------------------------------------------------------------------------

    def steps(self, bits: int) -> int:
        """Cycles of an addition."""
        return int(self.config.steps(bits))

    def added(self, path: str, age: int, a: Word, b: Word, less: bool | Word = False) -> Added:
        """``mm_pipelined_add``."""
        bits, carry = a.bits, int(self.config.carry)
        sign = less.term if isinstance(less, Word) else const(int(less), 1)
        asks = (less.bits,) if isinstance(less, Word) else less
        self.kinds["added", bits, asks] = None
        lengths = pieces(bits, carry)
        found: list[Word] = []
        kept: list[Word] = []
        for i, length in enumerate(lengths):
            low, step = i * carry, f"{path}.gen_step[{i}]"
            own_a, own_b = (extract(each.term, low + length - 1, low) for each in (a, b))
            self.delay(f"{step}.u_late", age, i, f"(concat {sign} {own_a} {own_b})")
            begins = extract(found[-1].term, found[-1].bits - 1, found[-1].bits - 1) if i else sign
            flipped = (
                f"(bvxor {own_b} (concat {' '.join([sign] * length)}))"
                if length > 1
                else (f"(bvxor {own_b} {sign})")
            )
            total = f"(bvadd (concat #b0 {own_a} #b1) (concat #b0 {flipped} {begins}))"
            piece = self.formed(f"{path}.{i}", length + 1, age + i + 1, extract(total, length + 1, 1))
            found.append(piece)
            kept.append(Word(f"{path}.{i} kept", extract(piece.term, length - 1, 0), length))
            self.place(f"{step}.sum_q", age + i + 1, kept[-1].term)
            if i < len(lengths) - 1:
                self.place(f"{step}.carry_q", age + i + 1, extract(piece.term, length, length))
            self.delay(f"{step}.u_sum", age + i + 1, len(lengths) - 1 - i, kept[-1].term)
        term = kept[0].term
        if len(kept) > 1:
            term = f"(concat {' '.join(each.term for each in reversed(kept))})"
        return Added(Word(f"{path}.sum", term, bits), a, b, less, tuple(found))

    # --- rows of blocks -----------------------------------------------------------------------------

    def strip(
        self,
        path: str,
        age: int,
        a: Word,
        b: Word,
        *,
        bits: int = 0,
        negative: tuple[bool, bool] = (False, False),
        cut: int = 0,
        corner: int = 0,
    ) -> Strip:
        """``mm_pipelined_strip``: the result comes two cycles more than blocks later."""
        bits, cut = bits or a.bits + b.bits, cut or self.cuts_of[1]
        self.kinds["strip", a.bits, b.bits, bits, negative, cut, corner] = None
        count = max(1, ceil_div(b.bits - negative[1], cut))
        sizes = [cut] * (count - 1) + [b.bits - cut * (count - 1)]
        blocks: list[tuple[int, Times]] = []
        sums: list[Word] = []
        kept: list[Word] = []
        for j, own in enumerate(self.cuts(b, sizes)):
            block, last, place = f"{path}.gen_block[{j}]", j == count - 1, cut * j
            length = min(bits - place, a.bits + own.bits) if last else a.bits + own.bits
            luts = last and own.bits <= corner and length <= corner
            self.delay(f"{block}.u_a", age, j, a.term)
            self.delay(f"{block}.u_b", age, j, own.term)
            signs = (negative[0], negative[1] and last)
            name = f"{block}.product"
            product = Word(name, f"|{name}|", length if luts else a.bits + own.bits + 2)
            times = Times(block, product, a, own, signs, length if luts else 0)
            for register, held in zip(("a_q", "b_q"), times.factors(), strict=True):
                self.place(f"{block}.{register}", age + j + 1, held)
            self.forms[product] = (age + j + 1, times.form())
            self.times.setdefault(age + j + 1, []).append(times)
            self.place(f"{block}.product_q", age + j + 2, self.fit(product, length))
            came = {product: 1}
            if j:
                above = kept.pop()
                came |= self.extended(above, length) if negative[0] else {above: 1}
            out = self.made(f"{block}.sum", length, age + j + 3, came)
            self.place(f"{block}.sum_q", age + j + 3, out.term)
            sums.append(out)
            blocks.append((place, times))
            if last:
                kept.append(out)
            else:
                low, above = self.split(out, cut)
                kept += [low, above]
                self.delay(f"{block}.gen_low.u_low", age + j + 3, count - 1 - j, low.term)
        return Strip(self.joined(f"{path}.p", kept), a, b, tuple(blocks), tuple(sums), negative)

    @staticmethod
    def fit(word: Word, bits: int) -> str:
        """The lowest bits of a word, as a term."""
        return word.term if word.bits == bits else extract(word.term, bits - 1, 0)

    def leaf(self, path: str, age: int, a: Word, b: Word) -> Leaf:
        """``mm_pipelined_leaf``."""
        bits, (wide, narrow) = a.bits, self.cuts_of
        self.kinds["leaf", bits] = None
        count, blocks = (max(1, ceil_div(bits - 1, cut)) for cut in (wide, narrow))
        rest = bits - (count - 1) * wide
        turned = count > 1 and rest <= narrow + 1 and count < blocks
        strips: list[tuple[int, Strip]] = []
        sums: list[Word] = []
        kept: list[Word] = []
        for i, own in enumerate(self.cuts(a, [wide] * (count - 1) + [rest])):
            last, row = i == count - 1, f"{path}.gen_strip[{i}]"
            other = last and turned
            wait = (blocks - count if other else 0) + max(i - 1, 0)
            strip = self.strip(
                f"{row}.u_strip", age, own, b, negative=(last, True), cut=wide if other else narrow
            )
            own_blocks = len(strip.blocks)
            self.delay(f"{row}.u_late", age + own_blocks + 2, wait, strip.out.term)
            total, at = strip.out, age + blocks + 2 + i
            if i:
                length = own.bits + bits + 1
                below = kept.pop()
                came = self.extended(strip.out, length) | self.extended(below, length)
                total = self.made(f"{row}.sum", length, at, came)
                self.place(f"{row}.gen_add.sum_q", at, total.term)
                sums.append(total)
            if last:
                kept.append(self.low(total, own.bits + bits))
            else:
                low, above = self.split(total, wide)
                kept += [low, above]
                self.delay(f"{row}.gen_low.u_low", at, count - 1 - i, low.term)
            strips.append((i * wide, strip))
        return Leaf(self.joined(f"{path}.p", kept), a, b, tuple(strips), tuple(sums))

    # --- a product by Karatsuba's method ------------------------------------------------------------

    def split_product(self, path: str, age: int, a: Word, b: Word) -> Split:
        """``mm_pipelined_mul``."""
        bits, longest = a.bits, int(self.config.leaf)
        self.kinds["split_product", bits] = None
        if bits + 1 <= longest:
            long_a, long_b = (self.longer(each, bits + 1) for each in (a, b))
            leaf = self.leaf(f"{path}.gen_leaf.u_leaf", age, long_a, long_b)
            return Split(self.low(leaf.out, 2 * bits), a, b, leaf)
        path, half = f"{path}.gen_split", ceil_div(bits, 2)
        whole = half + 1 <= longest
        (a0, a1), (b0, b1) = ([self.longer(p, half) for p in self.split(each, half)] for each in (a, b))
        differ, middle = self.steps(half + 1), self.steps(2 * half + 1)
        absolute = 0 if whole else self.steps(half)
        begin = age + differ + absolute
        inner = int(self.config.mul_cycles(half))
        halves = f"(concat {b1.term} {a1.term} {b0.term} {a0.term})"
        self.delay(f"{path}.u_halves", age, differ + absolute, halves)
        low = self.split_product(f"{path}.u_low", begin, a0, b0)
        high = self.split_product(f"{path}.u_high", begin, a1, b1)
        found = [
            self.added(
                f"{path}.u_{name}", age, self.longer(one, half + 1), self.longer(other, half + 1), less=True
            )
            for name, one, other in (("da", a1, a0), ("db", b1, b0))
        ]
        da, db = (each.sum for each in found)
        end, same = begin + inner, None
        less: bool | Word = True
        below: Split | Leaf
        if whole:
            below = self.leaf(f"{path}.gen_signed.u_middle", begin, da, db)
            d = self.low(below.out, 2 * half + 1)
        else:
            path_d, sizes, signs = f"{path}.gen_magnitude", [], []
            zero = Word(f"{path_d}.zero", const(0, half), half)
            self.part(Compared({zero: 1}, "=", {}))
            for name, each in (("da", da), ("db", db)):
                own, sign = self.split(each, half)
                sizes.append(self.added(f"{path_d}.u_{name}_size", age + differ, zero, own, sign))
                signs.append(sign)
            found += sizes
            below = self.split_product(f"{path_d}.u_middle", begin, *(each.sum for each in sizes))
            d = self.longer(below.out, 2 * half + 1)
            term = f"(bvnot (bvxor {signs[0].term} {signs[1].term}))"
            less = same = self.same(f"{path_d}.equal", term, signs)
            self.delay(f"{path_d}.u_equal", age + differ, absolute + inner + middle, term)
        p0, p1 = (self.longer(each.out, 2 * half + 1) for each in (low, high))
        outer = self.added(f"{path}.u_outer", end, p0, p1)
        self.delay(f"{path}.u_d", end, middle, d.term)
        cross = self.added(f"{path}.u_less", end + middle, outer.sum, d, less)
        both = self.joined(f"{path}.whole", [low.out, high.out])
        self.delay(f"{path}.u_whole", end, 2 * middle, both.term)
        lower, rest = self.split(both, half)
        upper = self.low(rest, 2 * bits - half)
        addend = self.fitting(cross.sum, upper.bits)
        last = self.added(f"{path}.u_upper", end + 2 * middle, upper, addend)
        self.delay(f"{path}.u_lower", end + 2 * middle, self.steps(upper.bits), lower.term)
        out = self.joined(f"{path}.p", [lower, last.sum])
        return Split(out, a, b, None, tuple(found), (low, high, below), same, (outer, cross, last), both)

    def same(self, name: str, term: str, signs: Sequence[Word]) -> Word:
        """A bit that is set where two others are equal."""
        found = Word(name, term, 1)
        self.part(Compared({found: 1, **dict.fromkeys(signs, 1)}, "=", {self.both(signs): 2}, 1))
        return found

    def both(self, signs: Sequence[Word]) -> Word:
        """A bit that is set where two others are."""
        return Word(f"{signs[0].name}&{signs[1].name}", f"(bvand {signs[0].term} {signs[1].term})", 1)

    def fitting(self, word: Word, bits: int) -> Word:
        """A word in so many bits: with zeros above, or its lowest bits."""
        return self.longer(word, bits) if word.bits <= bits else self.low(word, bits)

    # --- a part of a product ------------------------------------------------------------------------

    def upper(
        self,
        path: str,
        age: int,
        a: Word,
        b: Word,
        bits: int,
        *,
        guard: int = 0,
        margin: int = 0,
        corner: int = 0,
    ) -> Upper:
        """``mm_pipelined_half``, with ``High = 1`` where there is a guard."""
        self.kinds["upper", a.bits, b.bits, bits, guard, margin, corner] = None
        (wide, narrow), served = self.cuts_of, bits + margin
        count = ceil_div(min(a.bits, served) if guard else served, wide)
        lengths = [
            min(wide, a.bits - i * wide) if guard else min(wide, bits - i * wide) for i in range(count)
        ]
        least = a.bits - sum(lengths)
        if guard:
            digits = self.cuts(a, [*([least] if least else []), *reversed(lengths)])[::-1]
        else:
            digits = self.cuts(a, [*lengths, *([least] if least else [])])
        rows, owns, sums = [], [], []
        total, done = None, 0
        for i in reversed(range(count)):
            row, blocks = f"{path}.gen_row[{i}]", ceil_div(served - i * wide, narrow)
            kept, own_a = bits + guard - i * wide, digits[i]
            if guard:
                place, length = a.bits - i * wide - own_a.bits, blocks * narrow
                other = self.upmost(b, length, f"{row}.b")
                strip = self.strip(f"{row}.u_strip", age, own_a, other, corner=corner)
                shift = place + b.bits - length - (a.bits + b.bits - bits - guard)
                own = self.shifted(strip.out, shift, f"{row}.own")
            else:
                place, other = i * wide, self.low(b, kept)
                strip = self.strip(f"{row}.u_strip", age, own_a, other, bits=kept, corner=corner)
                own = strip.out
            rows.append((place, strip))
            owns.append(own)
            ready = blocks + 2
            if total is None:
                total, done = own, ready
                continue
            start, passed = max(ready, done), 0 if guard else wide
            add = f"{row}.gen_add"
            self.delay(f"{add}.u_own", age + ready, start - ready, own.term)
            self.delay(f"{add}.u_below", age + done, start - done, total.term)
            lower, *rest = self.split(own, passed)
            above = rest[0] if rest else lower
            found = self.added(f"{add}.u_add", age + start, above, self.longer(total, above.bits))
            sums.append(found)
            total, done = found.sum, start + self.steps(above.bits)
            if passed:
                self.delay(f"{add}.gen_pass.u_lower", age + start, done - start, lower.term)
                total = self.joined(f"{row}.sum", [lower, found.sum])
        assert total is not None
        out = self.slice(total, guard, bits)
        return Upper(out, a, b, tuple(rows), tuple(owns), tuple(sums), total)

    def slice(self, word: Word, low: int, bits: int) -> Word:
        """Some bits of a word."""
        if low == 0:
            return self.low(word, bits)
        rest = self.split(word, low, low + bits)
        return rest[1]

    def upmost(self, word: Word, bits: int, name: str) -> Word:
        """The highest bits of a word, or all with zeros below."""
        if bits <= word.bits:
            return self.slice(word, word.bits - bits, bits)
        return self.shifted(word, bits - word.bits, name)

    def shifted(self, word: Word, places: int, name: str) -> Word:
        """A word with zeros below it, or without its lowest bits."""
        if places <= 0:
            return self.slice(word, -places, word.bits + places)
        found = Word(name, f"(concat {word.term} {const(0, places)})", word.bits + places)
        self.part(Compared({found: 1}, "=", {word: 1 << places}))
        return found
