# SPDX-License-Identifier: Apache-2.0
"""SMT-LIB terms as text, and words that are read both as bits and as a number.

A :class:`Relation` is an equation of weighted bits. It is written once and rendered twice: over bit-vectors,
as what a solver has to prove of a netlist, and over the integers, as what a proof about numbers may then use.
A bit is the integer 0 or 1, a word the sum of its bits times powers of two; nothing else is assumed of the
two readings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

__all__ = [
    "Relation",
    "Word",
    "all_of",
    "any_of",
    "bounds",
    "const",
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
