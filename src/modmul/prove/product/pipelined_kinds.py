# SPDX-License-Identifier: Apache-2.0
"""Of ``pipelined``: the kinds of parts of which the pipeline is made up, with their words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from modmul.prove.netlist import State
from modmul.prove.product.small_pipeline import signed
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Joined,
    Word,
    all_of,
    const,
    equal,
    extract,
    implies,
    zero_extend,
)

__all__ = ["Added", "Leaf", "Split", "Strip", "Times", "Upper"]


@dataclass(frozen=True)
class Times:
    """A product in a multiplier block.

    Attributes:
        path: of the block.
        whole: the product.
        left: a factor, without what is above its highest bit.
        right: the other one.
        negative: of each, whether its highest bit is a sign.
        kept: the lowest bits of the product, where LUTs make no others; 0: a block makes all of them.
    """

    path: str
    whole: Word
    left: Word
    right: Word
    negative: tuple[bool, bool]
    kept: int = 0

    @property
    def name(self) -> str:
        """The integer that stands for the product of both numbers."""
        return f"|{self.left.name}*{self.right.name}|"

    @property
    def ranges(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Of both factors."""
        left, right = (
            (-(1 << word.bits - 1), (1 << word.bits - 1) - 1) if sign else (0, (1 << word.bits) - 1)
            for word, sign in zip((self.left, self.right), self.negative, strict=True)
        )
        return left, right

    @property
    def sizes(self) -> tuple[int, int]:
        """Bits of both factors as a block takes them."""
        return self.left.bits + 1, self.right.bits + 1

    @property
    def function(self) -> str:
        """Any function of two factors of these sizes, which a question knows nothing else of."""
        return f"|times {self.sizes[0]} {self.sizes[1]}|"

    @property
    def declared(self) -> str:
        """Its declaration."""
        sizes = [f"(_ BitVec {bits})" for bits in (*self.sizes, sum(self.sizes))]
        return f"(declare-fun {self.function} ({sizes[0]} {sizes[1]}) {sizes[2]})"

    def factors(self) -> tuple[str, str]:
        """Both as a block takes them, with a sign."""
        left, right = (
            signed(word.term, word.bits, word.bits + 1) if sign else zero_extend(word.term, 1)
            for word, sign in zip((self.left, self.right), self.negative, strict=True)
        )
        return left, right

    def multiplied(self, left: str, right: str) -> str:
        """The product of two factors as a block makes it, of signed words."""
        bits = sum(self.sizes)
        sides = (signed(term, own, bits) for term, own in zip((left, right), self.sizes, strict=True))
        return f"(bvmul {' '.join(sides)})"

    def in_registers(self, at: State) -> str:
        """That the block puts out the function of what is in its registers."""
        registers = (at(f"{self.path}.{name}") for name in ("a_q", "b_q"))
        return equal(at(f"{self.path}.product"), f"({self.function} {' '.join(registers)})")

    def form(self) -> str:
        """The product, as a question about the netlist writes it."""
        if not self.kept:
            return f"({self.function} {' '.join(self.factors())})"
        a, b = (fitted(term, own, self.kept) for term, own in zip(self.factors(), self.sizes, strict=True))
        found = const(0, self.kept)
        for i in range(self.kept):
            shifted = f"(bvshl {a} {const(i, self.kept)})"
            found = f"(ite {equal(extract(b, i, i), '#b1')} (bvadd {found} {shifted}) {found})"
        return found

    def over_bits(self) -> str:
        """That the word is the product, modulo its length."""
        if not self.kept:
            return equal(self.whole.term, self.multiplied(*self.factors()))
        sides = (fitted(term, own, self.kept) for term, own in zip(self.factors(), self.sizes, strict=True))
        return equal(self.whole.term, f"(bvmul {' '.join(sides)})")

    def over_integers(self) -> str:
        """The same over integers; the product of both numbers is a name."""
        return f"(= 0 (mod (- {self.whole.whole} {self.name}) {1 << self.whole.bits}))"

    def words(self) -> Iterator[Word]:
        yield self.whole


def fitted(term: str, own: int, bits: int) -> str:
    """A word of some bits in more, with zeros above, or its lowest ones."""
    return zero_extend(term, bits - own) if bits >= own else extract(term, bits - 1, 0)


@dataclass(frozen=True)
class Added:
    """An addition, or a subtraction, in pieces.

    Attributes:
        sum: of both, modulo its length.
        a: a number.
        b: the other one.
        less: whether it is subtracted, or what says so.
        pieces: of the sum, with the carries.
    """

    sum: Word
    a: Word
    b: Word
    less: bool | Word
    pieces: tuple[Word, ...]

    @property
    def fact(self) -> Fact:
        """What the addition does."""
        more = Congruent({self.sum: 1}, {self.a: 1, self.b: 1}, self.sum.bits)
        less = Congruent({self.sum: 1, self.b: 1}, {self.a: 1}, self.sum.bits)
        if not isinstance(self.less, Word):
            return less if self.less else more
        said = (Compared({self.less: 1}, "=", {}, value) for value in (0, 1))
        return Joined(all_of, tuple(Joined(implies, pair) for pair in zip(said, (more, less), strict=True)))


@dataclass(frozen=True)
class Strip:
    """A row of blocks.

    Attributes:
        out: what it makes of both operands.
        a: the first one.
        b: the other one.
        blocks: with the place of each.
        sums: what each leaves, and with it the carry.
        negative: whether each operand has a sign.
    """

    out: Word
    a: Word
    b: Word
    blocks: tuple[tuple[int, Times], ...]
    sums: tuple[Word, ...]
    negative: tuple[bool, bool]


@dataclass(frozen=True)
class Leaf:
    """A product of short operands with signs.

    Attributes:
        out: the product.
        a: the first operand, cut in rows.
        b: the other one.
        strips: the rows, each with its place in a.
        sums: of a row and what is left of those below it.
    """

    out: Word
    a: Word
    b: Word
    strips: tuple[tuple[int, Strip], ...]
    sums: tuple[Word, ...]


@dataclass(frozen=True)
class Split:
    """A product by Karatsuba's method.

    Attributes:
        out: the product.
        a: an operand.
        b: the other one.
        leaf: where operands are not split.
        differences: a1 - a0 and b1 - b0, and where they are longer than a leaf their sizes.
        below: low, high and middle product; of leaves the last is one with signs.
        equal: whether both differences have the same sign.
        sums: the additions of steps 2 and 3.
        whole: low and high product.
    """

    out: Word
    a: Word
    b: Word
    leaf: Leaf | None = None
    differences: tuple[Added, ...] = ()
    below: tuple[Split, Split, Split | Leaf] | None = None
    equal: Word | None = None
    sums: tuple[Added, ...] = ()
    whole: Word | None = None


@dataclass(frozen=True)
class Upper:
    """A part of a product, by rows.

    Attributes:
        out: what is made of both operands.
        a: the first one, cut in rows.
        b: the other one.
        rows: each, with its place in a, the last one first.
        owns: what is kept of each.
        sums: of rows, from the last but one to the first.
        whole: the sum of all.
    """

    out: Word
    a: Word
    b: Word
    rows: tuple[tuple[int, Strip], ...]
    owns: tuple[Word, ...]
    sums: tuple[Added, ...]
    whole: Word
