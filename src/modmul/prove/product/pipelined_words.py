# SPDX-License-Identifier: Apache-2.0
"""Of ``pipelined``: what the parts of the pipeline make of any operands, over words and over integers.

A part with operands of some lengths is asked once, however often it stands in the netlist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from modmul.core import ceil_div
from modmul.prove.product.pipelined_kinds import Split, Strip, Times, Upper
from modmul.prove.product.pipelined_parts import Parts
from modmul.prove.product.pipelined_steps import Steps
from modmul.prove.product.small_pipeline import denied, refuting, total
from modmul.prove.solve import Obligation
from modmul.prove.terms import Fact, Word, all_of, equal, negation

__all__ = ["Words", "product_range"]

Range = tuple[int, int]


def product_range(left: Range, right: Range) -> Range:
    """Of the product of two numbers in ranges."""
    ends = [a * b for a in left for b in right]
    return min(ends), max(ends)


def in_range(name: str, found: Range) -> str:
    """That an integer is in a range."""
    least, most = (str(each) if each >= 0 else f"(- {-each})" for each in found)
    return f"(<= {least} {name} {most})"


def unsigned(bits: int) -> Range:
    return 0, (1 << bits) - 1


def congruent(word: Word, name: str) -> str:
    """That a word is a number modulo its length."""
    return f"(= 0 (mod (- {word.whole} {name}) {1 << word.bits}))"


@dataclass
class Words(Steps):
    """The words of an operation, and what is asked of its parts."""

    # --- words --------------------------------------------------------------------------------------

    def of_words(self) -> Iterator[Obligation]:
        parts = tuple(map(self.apart, self.parts.values()))
        yield Obligation("word", "words in pieces", "bitwuzla", parts)
        sums: list[str] = []
        luts: list[str] = []
        for kind, *asked in self.kinds:
            if kind == "added":
                sums.append(self.adds(*asked))
            if kind == "strip":
                luts += self.in_luts(*asked)
        yield Obligation("word", "an addition in pieces adds", "bitwuzla", tuple(sums))
        if luts:
            yield Obligation("word", "LUTs make the lowest bits of a product", "bitwuzla", tuple(luts))

    @staticmethod
    def about(words: Iterable[Word], *assertions: str) -> str:
        """A text about words alone."""
        lines = dict.fromkeys(f"(declare-const {w.term} (_ BitVec {w.bits}))" for w in words)
        return "\n".join(("(set-logic QF_BV)", *lines, *(f"(assert {each})" for each in assertions)))

    def apart(self, fact: Fact) -> str:
        """That a word is not made up of its pieces."""
        said = negation(fact.over_bits())
        every = (*self.given, *self.defined, *self.forms)
        return self.about([word for word in every if word.term in said], said)

    def fresh(self, *sizes: int) -> tuple[Parts, tuple[Word, ...]]:
        """A part of its own, with any operands of so many bits."""
        flow = Parts(self.width, self.beats, config=self.config)
        return flow, tuple(Word(name, f"|{name}|", bits) for name, bits in zip("abc", sizes, strict=False))

    def adds(self, bits: int, asks: bool | tuple[int]) -> str:
        """That pieces make something else than the sum, or the difference."""
        flow, (a, b, c) = self.fresh(bits, bits, 1)
        found = flow.added("add", 0, a, b, c if isinstance(asks, tuple) else asks)
        made = (equal(word.term, term) for word, (_, term) in flow.forms.items())
        return self.about([a, b, c, *flow.forms], *made, negation(found.fact.over_bits()))

    def in_luts(
        self, a_bits: int, b_bits: int, bits: int, negative: tuple[bool, bool], cut: int, corner: int
    ) -> Iterator[str]:
        """That LUTs make something else than the lowest bits of a product."""
        flow, (a, b) = self.fresh(a_bits, b_bits)
        flow.strip("row", 0, a, b, bits=bits, negative=negative, cut=cut, corner=corner)
        for times in (each for found in flow.times.values() for each in found if each.kept):
            made = equal(times.whole.term, times.form())
            yield self.about([a, b, times.whole], made, negation(times.over_bits()))

    # --- numbers ------------------------------------------------------------------------------------

    def of_parts(self) -> dict[str, tuple[str, ...]]:
        """What is asked of each kind of part."""
        found: dict[str, list[str]] = {"what is within what": [], "a row of blocks multiplies": []}
        found |= {"rows multiply": [], "Karatsuba's rule": [], "a part of a product": []}
        names = {"strip": "a row of blocks multiplies", "leaf": "rows multiply"}
        names |= {"split_product": "Karatsuba's rule", "upper": "a part of a product"}
        ranges: dict[tuple[Range, Range], None] = {}
        for kind, *asked in self.kinds:
            if kind in names:
                ask: Any = getattr(self, f"{kind}_right")
                found[names[kind]] += ask(ranges, *asked)
        found["what is within what"] = [self.within(*each) for each in ranges]
        return {name: tuple(dict.fromkeys(texts)) for name, texts in found.items() if texts}

    @staticmethod
    def within(left: Range, right: Range) -> str:
        """That a product of two numbers in ranges is out of range."""
        known = [in_range("a", left), in_range("b", right)]
        return denied("ab", known, in_range("(* a b)", product_range(left, right)))

    @staticmethod
    def known_of(flow: Parts, *words: Word) -> list[Fact]:
        """What words are made up of, and what those are."""
        found: list[Fact] = []
        names = {word.name for word in words}
        left = list(flow.parts.values())
        while more := [fact for fact in left if {word.name for word in fact.left} & names]:
            found += more
            left = [fact for fact in left if fact not in more]
            names |= {word.name for fact in more for word in fact.words()}
        return found

    @staticmethod
    def value(flow: Parts, word: Word, *, negative: bool) -> str:
        """The number that a word is, with or without a sign."""
        if not negative:
            return word.whole
        *_, sign = flow.split(word, word.bits - 1)
        return f"(- {word.whole} (* {1 << word.bits} {sign.whole}))"

    def made_of(
        self, flow: Parts, whole: tuple[Word, bool], found: Sequence[tuple[int, Word, bool]]
    ) -> Iterator[str]:
        """That a number is not the sum of its digits, or a product not that of the products of its digits."""
        value = self.value(flow, whole[0], negative=whole[1])
        digits = [(1 << place, self.value(flow, word, negative=sign)) for place, word, sign in found]
        facts = self.known_of(flow, whole[0], *(word for _, word, _ in found))
        yield refuting(facts, equal(value, total(digits)), words=[whole[0]])
        names = [f"d{place}" for place, _, _ in found]
        weights = [1 << place for place, _, _ in found]
        left = f"(* a {total(zip(weights, names, strict=True))})"
        right = total(zip(weights, (f"(* a {name})" for name in names), strict=True))
        yield denied(["a", *names], [], equal(left, right))

    def strip_right(
        self,
        ranges: dict[tuple[Range, Range], None],
        a_bits: int,
        b_bits: int,
        bits: int,
        negative: tuple[bool, bool],
        cut: int,
        corner: int,
    ) -> Iterator[str]:
        """That a row of blocks does not multiply."""
        flow, (a, b) = self.fresh(a_bits, b_bits)
        strip = flow.strip("row", 0, a, b, bits=bits, negative=negative, cut=cut, corner=corner)
        times = [each for _, each in strip.blocks]
        ranges |= dict.fromkeys(each.ranges for each in times)
        known = [in_range(each.name, product_range(*each.ranges)) for each in times]
        facts = [*(fact for _, fact in flow.defined.values()), *flow.parts.values(), *times]
        made = total((1 << place, each.name) for place, each in strip.blocks)
        goal = f"(= 0 (mod (- {strip.out.whole} {made}) {1 << bits}))"
        yield refuting(facts, goal, *known, names=[each.name for each in times], words=[strip.out])
        digits = [(place, each.right, each.negative[1]) for place, each in strip.blocks]
        yield from self.made_of(flow, (b, negative[1]), digits)

    @staticmethod
    def strip_range(strip: Strip) -> tuple[Range, Range]:
        """Of the operands of a row."""
        left, right = (
            Times("", strip.out, word, word, (sign, sign)).ranges[0]
            for word, sign in zip((strip.a, strip.b), strip.negative, strict=True)
        )
        return left, right

    def rows(
        self, ranges: dict[tuple[Range, Range], None], found: Iterable[tuple[int, Strip]]
    ) -> tuple[list[str], list[str]]:
        """A name for the product of each row, and what is known of it."""
        names, known = [], []
        for place, strip in found:
            each = self.strip_range(strip)
            ranges[each] = None
            names.append(f"v{place}")
            known += [congruent(strip.out, names[-1]), in_range(names[-1], product_range(*each))]
        return names, known

    def leaf_right(self, ranges: dict[tuple[Range, Range], None], bits: int) -> Iterator[str]:
        """That rows make something else than the product."""
        flow, (a, b) = self.fresh(bits, bits)
        leaf = flow.leaf("leaf", 0, a, b)
        names, known = self.rows(ranges, leaf.strips)
        made = total((1 << place, name) for (place, _), name in zip(leaf.strips, names, strict=True))
        outs = [strip.out for _, strip in leaf.strips]
        facts = [flow.defined[word][1] for word in leaf.sums]
        facts += self.known_of(flow, leaf.out, *outs, *leaf.sums)
        goal = f"(= 0 (mod (- {leaf.out.whole} {made}) {1 << 2 * bits}))"
        yield refuting(facts, goal, *known, names=names, words=[leaf.out, *outs])
        digits = [(place, strip.a, strip.negative[0]) for place, strip in leaf.strips]
        yield from self.made_of(flow, (a, True), digits)

    def split_product_right(self, ranges: dict[tuple[Range, Range], None], bits: int) -> Iterator[str]:
        """That Karatsuba's rule, or a leaf, makes something else than the product."""
        flow, (a, b) = self.fresh(bits, bits)
        found = flow.split_product("mul", 0, a, b)
        if found.leaf is not None:
            leaf, both = found.leaf, (unsigned(bits), unsigned(bits))
            ranges[both] = None
            within = in_range("v", product_range(*both))
            facts = self.known_of(flow, leaf.out, found.out)
            goal = equal(found.out.whole, "v")
            yield refuting(facts, goal, within, congruent(leaf.out, "v"), names="v", words=[leaf.out])
            for word, longer in ((a, leaf.a), (b, leaf.b)):
                value = self.value(flow, longer, negative=True)
                yield refuting(self.known_of(flow, longer), equal(value, word.whole), words=[word])
            return
        lower, upper = unsigned(ceil_div(bits, 2)), unsigned(bits // 2)
        ranges |= dict.fromkeys(((lower, lower), (upper, upper), (lower, upper)))
        yield from self.karatsuba(flow, found)

    def karatsuba(self, flow: Parts, found: Split) -> Iterator[str]:
        """The same where operands are split; ``lo``, ``hi``, ``c`` and ``d`` are products of halves."""
        assert found.below is not None
        low, high, middle = found.below
        half, bits = low.a.bits, found.a.bits
        shorter = unsigned(bits - half)
        names = ["lo", "hi", "c", "d", "m", "v"]
        known = [
            in_range("lo", product_range(unsigned(half), unsigned(half))),
            in_range("hi", product_range(shorter, shorter)),
            *(in_range(name, product_range(unsigned(half), shorter)) for name in "cd"),
            equal(low.out.whole, "lo"),
            equal(high.out.whole, "hi"),
            f"(= v (+ lo (* {1 << half} (+ c d)) (* {1 << 2 * half} hi)))",
        ]
        differ = "(- (+ lo hi) (+ c d))"
        if found.equal is None:
            known.append(congruent(middle.out, differ))
        else:
            known += [
                equal(middle.out.whole, "m"),
                *(
                    f"(=> (= {found.equal.whole} {value}) (= {differ} {term}))"
                    for value, term in ((1, "m"), (0, "(- m)"))
                ),
            ]
        facts = [each.fact for each in found.sums]
        words = [found.out, low.out, high.out, middle.out, *(each.b for each in found.sums)]
        words += [word for each in found.sums for word in (each.sum, each.a)]
        words += [each for each in (found.equal, found.whole) if each is not None]
        facts += self.known_of(flow, *words)
        yield refuting(facts, equal(found.out.whole, "v"), *known, names=names, words=words)
        yield from self.differences(flow, found)
        whole = f"(* (+ (* a1 {1 << half}) a0) (+ (* b1 {1 << half}) b0))"
        parts = f"(+ (* a0 b0) (* {1 << half} (+ (* a1 b0) (* a0 b1))) (* {1 << 2 * half} a1 b1))"
        less = "(- (+ (* a0 b0) (* a1 b1)) (+ (* a1 b0) (* a0 b1)))"
        halves = ["a0", "a1", "b0", "b1"]
        yield denied(halves, [], equal(whole, parts))
        yield denied(halves, [], equal("(* (- a1 a0) (- b1 b0))", less))

    def differences(self, flow: Parts, found: Split) -> Iterator[str]:
        """That a1 - a0 and b1 - b0, or their sizes and signs, are something else."""
        less, sizes = found.differences[:2], found.differences[2:]
        for each in less:
            facts = [each.fact, *self.known_of(flow, each.a, each.b)]
            value = self.value(flow, each.sum, negative=True)
            facts += self.known_of(flow, each.sum)
            goal = equal(value, f"(- {each.a.whole} {each.b.whole})")
            yield refuting(facts, goal, words=[each.a, each.b, each.sum])
        signs = []
        for each, size in zip(less, sizes, strict=bool(sizes)) if sizes else ():
            own, sign = flow.split(each.sum, each.sum.bits - 1)
            signs.append(sign)
            value = self.value(flow, each.sum, negative=True)
            facts = [size.fact, *self.known_of(flow, each.sum, size.a)]
            least = f"(< (- {1 << own.bits}) {value})"
            goal = f"(= {size.sum.whole} (ite (= {sign.whole} 0) {value} (- {value})))"
            yield refuting(facts, goal, least, words=[each.sum, size.sum, sign])
        if found.equal is not None:
            facts = self.known_of(flow, found.equal)
            one, other = (sign.whole for sign in signs)
            goal = f"(= {found.equal.whole} (ite (= {one} {other}) 1 0))"
            yield refuting(facts, goal, words=[found.equal, *signs])
            for s, t in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                left, right = (f"(* {f'(- {-w})' if w < 0 else w} {n})" for w, n in ((s, "a"), (t, "b")))
                said = "(* a b)" if s == t else "(- (* a b))"
                yield denied("ab", [], equal(said, f"(* {left} {right})"))

    # --- a part of a product ------------------------------------------------------------------------

    def upper_right(
        self,
        ranges: dict[tuple[Range, Range], None],
        a_bits: int,
        b_bits: int,
        bits: int,
        guard: int,
        margin: int,
        corner: int,
    ) -> Iterator[str]:
        """That rows make something else than a part of the product."""
        flow, (a, b) = self.fresh(a_bits, b_bits)
        found = flow.upper("part", 0, a, b, bits, guard=guard, margin=margin, corner=corner)
        names, known = self.rows(ranges, found.rows)
        outs = [strip.out for _, strip in found.rows]
        facts = [each.fact for each in found.sums]
        words = [found.out, *outs, *found.owns, found.whole]
        words += [word for each in found.sums for word in (each.sum, each.a, each.b)]
        facts += self.known_of(flow, *words)
        ask = self.upper_half if guard else self.lower_half
        goal, more, also = ask(ranges, found, names)
        yield refuting(facts, goal, *known, *more, names=[*names, *also, "ab"], words=words)
        yield denied(["a", "b", "h", "k"], [], "(= (* a (+ (* k h) b)) (+ (* k (* a h)) (* a b)))")
        below = min(place for place, _ in found.rows)
        digits = [(place, strip.a, False) for place, strip in found.rows]
        if below:
            digits.append((0, flow.low(a, below), False))
        yield from self.made_of(flow, (a, False), digits)

    @staticmethod
    def lower_half(
        ranges: dict[tuple[Range, Range], None], found: Upper, names: Sequence[str]
    ) -> tuple[str, list[str], list[str]]:
        """The product modulo a power of two; ``g`` is what a row leaves away of b, times its digit of a."""
        del ranges
        more = [f"g{place}" for place, _ in found.rows]
        made = [
            (1 << place, f"(+ {name} (* {1 << strip.b.bits} {left}))")
            for (place, strip), name, left in zip(found.rows, names, more, strict=True)
        ]
        goal = f"(= 0 (mod (- {found.out.whole} ab) {1 << found.out.bits}))"
        return goal, [equal("ab", total(made))], more

    def upper_half(
        self, ranges: dict[tuple[Range, Range], None], found: Upper, names: Sequence[str]
    ) -> tuple[str, list[str], list[str]]:
        """The highest bits, rounded down or less; ``e`` is what a row lacks of b, times its digit of a."""
        made, known, also = [], [], []
        for (place, strip), name in zip(found.rows, names, strict=True):
            left = found.b.bits - strip.b.bits
            if left > 0:
                also.append(f"e{place}")
                both = (unsigned(strip.a.bits), unsigned(left))
                ranges[both] = None
                known.append(in_range(also[-1], product_range(*both)))
                made.append((1 << place, f"(+ (* {1 << left} {name}) {also[-1]})"))
            else:
                also.append(f"u{place}")
                known.append(equal(name, f"(* {1 << -left} {also[-1]})"))
                made.append((1 << place, also[-1]))
        below = min(place for place, _ in found.rows)
        if below:
            also.append("rest")
            both = (unsigned(below), unsigned(found.b.bits))
            ranges[both] = None
            known.append(in_range("rest", product_range(*both)))
            made.append((1, "rest"))
        one = 1 << found.a.bits + found.b.bits - found.out.bits
        q = found.out.whole
        goal = all_of(f"(<= (* {one} {q}) ab)", f"(< (* 4 ab) (* {one} (+ (* 4 {q}) 7)))")
        return goal, [*known, equal("ab", total(made))], also
