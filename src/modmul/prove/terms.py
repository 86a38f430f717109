# SPDX-License-Identifier: Apache-2.0
"""SMT-LIB terms as text, and words that are read both as bits and as a number.

A :class:`Relation` is an equation of weighted bits, a :class:`Compared` an equation or inequation of weighted
words, a :class:`Congruent` such an equation modulo a power of two, a :class:`Joined` what is made of them.
Each is written once and rendered twice: over bit-vectors, as what a solver has to prove of a netlist, and
over the integers, as what a proof about numbers may then use. A bit is the integer 0 or 1, a word the sum of
its bits times powers of two; nothing else is assumed of the two readings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

__all__ = [
    "Compared",
    "Congruent",
    "Fact",
    "Joined",
    "Product",
    "Relation",
    "Word",
    "all_of",
    "any_of",
    "bounds",
    "const",
    "declared",
    "equal",
    "extract",
    "implies",
    "negation",
    "number",
    "shown_sum",
    "zero_extend",
]

CARRY_BITS = 8
"""Bits in which a relation is rendered: its weights and its constant are far below 2**8."""


def all_of(*terms: str) -> str:
    return "true" if not terms else terms[0] if len(terms) == 1 else f"(and {' '.join(terms)})"


def any_of(*terms: str) -> str:
    return "false" if not terms else terms[0] if len(terms) == 1 else f"(or {' '.join(terms)})"


def negation(term: str) -> str:
    return f"(not {term})"


def implies(condition: str, term: str) -> str:
    return f"(=> {condition} {term})"


def equal(left: str, right: str) -> str:
    return f"(= {left} {right})"


def const(value: int, bits: int) -> str:
    return f"(_ bv{value} {bits})"


def extract(term: str, high: int, low: int) -> str:
    return f"((_ extract {high} {low}) {term})"


def zero_extend(term: str, bits: int) -> str:
    return f"((_ zero_extend {bits}) {term})" if bits else term


def number(value: int) -> str:
    """An integer as SMT-LIB writes it."""
    return str(value) if value >= 0 else f"(- {-value})"


@dataclass(frozen=True)
class Word:
    """A word of a netlist, or of what is defined beside it.

    Attributes:
        name: of its integers.
        term: the bit-vector.
        bits: its length.
    """

    name: str
    term: str
    bits: int

    def bit(self, place: int) -> str:
        """The integer that stands for a bit."""
        return f"|{self.name}.{place}|"

    @property
    def value(self) -> str:
        """The number, as the sum of its bits."""
        return shown_sum({self.bit(place): 1 << place for place in range(self.bits)})

    @property
    def whole(self) -> str:
        """The integer that stands for the word where its bits are not looked at."""
        return f"|{self.name}|"

    def cut(self, high: int, low: int, name: str) -> Word:
        """Some of its bits, as a word."""
        return Word(f"{self.name}.{name}", extract(self.term, high, low), high - low + 1)


def shown_sum(weights: Mapping[str, int], constant: int = 0) -> str:
    """A weighted sum of integers."""
    terms = [f"(* {number(weight)} {name})" for name, weight in weights.items() if weight]
    if constant or not terms:
        terms.append(number(constant))
    return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"


def bounds(names: Iterable[str]) -> Iterator[str]:
    """The declarations of integers that are bits."""
    for name in dict.fromkeys(names):
        yield f"(declare-const {name} Int)(assert (and (<= 0 {name}) (<= {name} 1)))"


def declared(words: Iterable[Word]) -> Iterator[str]:
    """The declarations of integers that are words."""
    for word in {each.name: each for each in words}.values():
        yield (
            f"(declare-const {word.whole} Int)"
            f"(assert (and (<= 0 {word.whole}) (< {word.whole} {1 << word.bits})))"
        )


class Fact(Protocol):
    """What is read both as bits and as numbers."""

    def over_bits(self) -> str:
        """Over bit-vectors."""

    def over_integers(self) -> str:
        """Over integers."""

    def words(self) -> Iterator[Word]:
        """The words that it speaks of as wholes."""


@dataclass(frozen=True)
class Compared:
    """Weighted words, compared: ``left = right + constant``, or with ``<=`` or ``<``.

    Attributes:
        left: words, each with a weight above 0.
        sign: one of :attr:`SIGNS`.
        right: the same as left.
        constant: is not negative.
    """

    left: Mapping[Word, int]
    sign: str
    right: Mapping[Word, int]
    constant: int = 0

    SIGNS: ClassVar[Mapping[str, str]] = {"=": "=", "<=": "bvule", "<": "bvult"}
    """And how they are written over bit-vectors."""

    def __post_init__(self) -> None:
        if min((*self.left.values(), *self.right.values(), self.constant), default=0) < 0:
            raise ValueError("the weights of words are not negative")

    def over_bits(self) -> str:
        """Over bit-vectors that are too long for either side to overflow."""
        sides = ((self.left, 0), (self.right, self.constant))
        bits = max(self._most(*each) for each in sides).bit_length() or 1
        left, right = (self._sum(side, constant, bits) for side, constant in sides)
        return f"({self.SIGNS[self.sign]} {left} {right})"

    def over_integers(self) -> str:
        """The same over integers."""
        left, right = (
            {word.whole: weight for word, weight in side.items()} for side in (self.left, self.right)
        )
        return f"({self.sign} {shown_sum(left)} {shown_sum(right, self.constant)})"

    def words(self) -> Iterator[Word]:
        yield from (*self.left, *self.right)

    @staticmethod
    def _most(side: Mapping[Word, int], constant: int) -> int:
        return constant + sum(weight * ((1 << word.bits) - 1) for word, weight in side.items())

    @staticmethod
    def _sum(side: Mapping[Word, int], constant: int, bits: int) -> str:
        terms = [const(constant, bits)] if constant or not side else []
        for word, weight in side.items():
            term = zero_extend(word.term, bits - word.bits)
            terms.append(term if weight == 1 else f"(bvmul {const(weight, bits)} {term})")
        found = terms[0]
        for term in terms[1:]:
            found = f"(bvadd {found} {term})"
        return found


@dataclass(frozen=True)
class Congruent:
    """Weighted words, equal but for a multiple of 2**bits: what an adder of so many bits does.

    Attributes:
        left: words, each with a weight above 0.
        right: the same.
        bits: at least as many as any weight needs.
    """

    left: Mapping[Word, int]
    right: Mapping[Word, int]
    bits: int

    def __post_init__(self) -> None:
        weights = (*self.left.values(), *self.right.values())
        if min(weights, default=0) < 0 or max(weights, default=0) >= 1 << self.bits:
            raise ValueError("the weights of words are not negative, and fit")

    def over_bits(self) -> str:
        """Over bit-vectors of so many bits, in which sums may overflow."""
        return equal(self._sum(self.left), self._sum(self.right))

    def over_integers(self) -> str:
        """The same over integers."""
        weights = {word.whole: weight for word, weight in self.left.items()}
        for word, weight in self.right.items():
            weights[word.whole] = weights.get(word.whole, 0) - weight
        return f"(= 0 (mod {shown_sum(weights)} {1 << self.bits}))"

    def words(self) -> Iterator[Word]:
        """The words that it speaks of as wholes."""
        yield from (*self.left, *self.right)

    def _sum(self, side: Mapping[Word, int]) -> str:
        terms = [const(0, self.bits)] if not side else []
        for word, weight in side.items():
            fits = word.bits <= self.bits
            term = (
                zero_extend(word.term, self.bits - word.bits)
                if fits
                else extract(word.term, self.bits - 1, 0)
            )
            terms.append(term if weight == 1 else f"(bvmul {const(weight, self.bits)} {term})")
        found = terms[0]
        for term in terms[1:]:
            found = f"(bvadd {found} {term})"
        return found


@dataclass(frozen=True)
class Product:
    """A word that is the product of two others, and as long as both."""

    whole: Word
    left: Word
    right: Word

    def __post_init__(self) -> None:
        if self.whole.bits != self.left.bits + self.right.bits:
            raise ValueError("a product is as long as both factors")

    def over_bits(self) -> str:
        """Over bit-vectors, in which the product has room."""
        sides = (zero_extend(each.term, self.whole.bits - each.bits) for each in (self.left, self.right))
        return equal(self.whole.term, f"(bvmul {' '.join(sides)})")

    def over_integers(self) -> str:
        """The same over integers."""
        return equal(self.whole.whole, f"(* {self.left.whole} {self.right.whole})")

    def words(self) -> Iterator[Word]:
        yield from (self.whole, self.left, self.right)


@dataclass(frozen=True)
class Joined:
    """Facts, joined by :func:`all_of`, :func:`any_of`, :func:`implies` or :func:`negation`."""

    how: Callable[..., str]
    parts: tuple[Fact, ...]

    def over_bits(self) -> str:
        """Over bit-vectors."""
        return self.how(*(part.over_bits() for part in self.parts))

    def over_integers(self) -> str:
        """The same over integers."""
        return self.how(*(part.over_integers() for part in self.parts))

    def words(self) -> Iterator[Word]:
        for part in self.parts:
            yield from part.words()


@dataclass
class Relation:
    """Weighted bits whose sum is a constant on both sides: ``left = right + constant``.

    Attributes:
        left: pairs of a word and a place, each with a weight above 0.
        right: the same.
        constant: is not negative.
    """

    left: Mapping[tuple[Word, int], int]
    right: Mapping[tuple[Word, int], int]
    constant: int = 0
    used: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        weights = [*self.left.values(), *self.right.values(), self.constant]
        if min(weights) < 0 or sum(weights) >= 1 << CARRY_BITS:
            raise ValueError("the weights of a relation are small and not negative")
        for word, place in (*self.left, *self.right):
            if not 0 <= place < word.bits:
                raise ValueError(f"{word.name} has no bit {place}")
        self.used = tuple(word.bit(place) for word, place in (*self.left, *self.right))

    def over_bits(self) -> str:
        """The relation over bit-vectors that are too long for a sum to overflow."""
        return equal(self._bits(self.left, 0), self._bits(self.right, self.constant))

    def over_integers(self) -> str:
        """The same over integers."""
        left, right = (
            {word.bit(place): weight for (word, place), weight in side.items()}
            for side in (self.left, self.right)
        )
        return equal(shown_sum(left), shown_sum(right, self.constant))

    @staticmethod
    def _bits(side: Mapping[tuple[Word, int], int], constant: int) -> str:
        terms = [const(constant, CARRY_BITS)]
        for (word, place), weight in side.items():
            bit = zero_extend(extract(word.term, place, place), CARRY_BITS - 1)
            terms.append(bit if weight == 1 else f"(bvmul {const(weight, CARRY_BITS)} {bit})")
        found = terms[0]
        for term in terms[1:]:
            found = f"(bvadd {found} {term})"
        return found
