# SPDX-License-Identifier: Apache-2.0
"""Of ``small_fixed``: the words of an operation behind T, what defines them, and what is asked of them.

There is a kind for each way of reduction, here those without a division. M is a number in every question, so
all of them but those about products are linear.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

from modmul.prove.product.small_pipeline import denied, refuting
from modmul.prove.product.small_words import Products
from modmul.prove.terms import (
    Compared,
    Congruent,
    Joined,
    Word,
    all_of,
    any_of,
    const,
    implies,
    negation,
    number,
)

__all__ = ["Fixed", "Ones", "Tables"]


@dataclass
class Fixed(Products):
    """The words of an operation.

    Attributes:
        reduce: the path of the module behind T, with a dot behind it.
    """

    reduce: str = ""

    SIGNAL: ClassVar[str] = "core.t"

    def __post_init__(self) -> None:
        self._step_1()
        self._reduce()

    @abstractmethod
    def _reduce(self) -> None:
        """The words from T to z."""

    @abstractmethod
    def reduction(self) -> dict[str, Sequence[str]]:
        """By name, what is asked of them: that something does not hold."""

    # --- words ------------------------------------------------------------------------------------

    @property
    def m(self) -> int:
        """M."""
        return int(self.config.modulus)

    @property
    def modulus(self) -> Word:
        """M, as a word that is always the same."""
        return self.constant("m", self.m, self.width)

    def constant(self, name: str, value: int, bits: int) -> Word:
        """A word that is always the same."""
        word = Word(name, const(value, bits), bits)
        self.part(Compared({word: 1}, "=", {}, value))
        return word

    def looked_up(self, name: str, bits: int, age: int, at: Word, entry: Callable[[int], int]) -> Word:
        """So many bits of an entry of a table; which one, a word tells."""
        word = Word(name, f"|{name}|", bits)
        cases = (
            (Compared({at: 1}, "=", {}, k), Compared({word: 1}, "=", {}, entry(k) % (1 << bits)))
            for k in range(1 << at.bits)
        )
        self.defined[word] = (age, Joined(any_of, tuple(Joined(all_of, case) for case in cases)))
        return word

    def reaches(self, name: str, age: int, word: Word, least: int) -> Word:
        """A bit that says whether a word is as large as a number."""
        bit, below = Word(name, f"|{name}|", 1), Compared({word: 1}, "<", {}, least)
        cases = ((below, 0), (Joined(negation, (below,)), 1))
        made = (Joined(implies, (case, Compared({bit: 1}, "=", {}, value))) for case, value in cases)
        self.defined[bit] = (age, Joined(all_of, tuple(made)))
        return bit

    # --- numbers ----------------------------------------------------------------------------------

    @property
    def largest(self) -> tuple[str, str]:
        """That T is a product of two numbers up to M."""
        t, m = self.product.whole, self.m
        return f"(<= 0 {t})", f"(or (<= {t} {m * m - m}) (= {t} {m * m}))"

    def product_bounded(self) -> Iterator[str]:
        """That a product of numbers up to M is above M*M - M, though one is below M, or M*M is not M*M."""
        m = self.m
        for x, y in ((f"(<= 0 x {m - 1})", f"(<= 0 y {m})"), (f"(<= 0 x {m})", f"(<= 0 y {m - 1})")):
            yield denied("xy", [x, y], f"(<= 0 (* x y) {m * m - m})")
        yield denied("xy", [f"(= x {m})", f"(= y {m})"], f"(= (* x y) {m * m})")

    def corrected(self, r: Word) -> str:
        """That z is out of range, or neither what r tells nor that and M."""
        z, m = self.z.whole, self.m
        known = (
            f"(= 0 (mod (- {r.whole} made) {2 << self.width}))",
            f"(<= {number(-m)} made)",
            f"(< made {m})",
        )
        goal = f"(and (<= 0 {z}) (< {z} {m}) (or (= {z} made) (= {z} (+ made {m}))))"
        return refuting(self.known(r, self.z, self.modulus), goal, *known, names=["made"])

    def ended(self, *known: str, unknown: Iterable[str], multiple: str) -> str:
        """That z is not T less a multiple of M, where so much is known of what r tells."""
        m = self.m
        made = f"(or (= z made) (= z (+ made {m})))"
        goal = f"(or (= T (+ z (* {m} {multiple}))) (= T (+ z (* {m} (- {multiple} 1)))))"
        return denied(["z", "made", "T", *unknown], (*known, made), goal)


@dataclass
class Ones(Fixed):
    """M is 2**n - 1.

    Attributes:
        t: of step 2.
        above: whether t is as large as M.
    """

    t: Word = field(init=False)
    above: Word = field(init=False)

    def _reduce(self) -> None:
        n, age = self.width, self.made_at
        low, high = self.split(self.product, n)
        self.t = self.made("t", n + 1, age + 1, {low: 1, high: 1})
        self.place(f"{self.reduce}sum", age + 1, self.t.term)
        self.above = self.reaches("above", age + 2, self.t, self.m)
        self.defined[self.z] = (age + 2, Congruent({self.z: 1}, {self.t: 1, self.above: 1}, n))
        self.place("core.z", age + 2, self.z.term)

    def reduction(self) -> dict[str, Sequence[str]]:
        known = (f"(= T (+ t (* {self.m} high)))", f"(= t (+ made {self.m}))")
        ended = self.ended(*known, unknown=["t", "high"], multiple="(+ high 1)")
        return {"t": (self.folded(),), "z is right": (self.result(), ended)}

    def folded(self) -> str:
        """That t is out of range, or not T and a multiple of M."""
        t, (_, high) = self.t.whole, self.split(self.product, self.width)
        goal = f"(and (<= 0 {t} {2 * self.m - 1}) (= {self.product.whole} (+ {t} (* {self.m} {high.whole}))))"
        return refuting(self.known(self.product, self.t), goal, *self.largest)

    def result(self) -> str:
        """That z is out of range, or neither t nor t - M."""
        t, z, m = self.t.whole, self.z.whole, self.m
        known = (f"(<= 0 {t} {2 * m - 1})", f"(= {t} (+ made {m}))")
        goal = f"(and (<= 0 {z}) (< {z} {m}) (or (= {z} made) (= {z} (+ made {m}))))"
        return refuting(self.known(self.above, self.z), goal, *known, names=["made"])


@dataclass
class Tables(Fixed):
    """M is any number.

    Attributes:
        sums: T, fold by fold.
        folds: of each fold the place at which it cuts, what is above that, and the table's entry; step 3 is
            the last one.
        r: what step 3 makes.
    """

    sums: list[Word] = field(init=False)
    folds: list[tuple[int, Word, Word]] = field(init=False, default_factory=list)
    r: Word = field(init=False)

    @property
    def lengths(self) -> list[int]:
        """Bits of T before each fold, and behind the last one."""
        return [(self.m**2).bit_length(), *self.config.folds]

    def _fold(self, t: Word, place: int, top: int, age: int, less: int) -> dict[Word, int]:
        """What a table makes of the bits from a place on, and those below; its entries lack so much."""
        rest, high, *_ = self.split(t, place, top)
        unit = 1 << place

        def value(high: int) -> int:
            return high * unit % self.m - less

        entry = self.looked_up(f"entry {len(self.folds)}", self.width + 1, age, high, value)
        self.folds.append((place, high, entry))
        return {rest: 1, entry: 1}

    def _reduce(self) -> None:
        n, d, age = self.width, int(self.config.digit), self.made_at
        self.sums = [self.product]
        for j, (bits, left) in enumerate(pairwise(self.lengths)):
            came = self._fold(self.sums[-1], bits - d, bits, age + 1, 0)
            self.sums.append(self.made(f"T{j + 1}", left, age + 1, came))
            if j % 2 == 1 or j == len(self.lengths) - 2:
                age += 1
                self.place(f"{self.reduce}gen_fold[{j}].sum", age, self.sums[-1].term)
        came = self._fold(self.sums[-1], n - 1, n - 1 + d, age + 1, self.m)
        self.r = self.made("r", n + 1, age + 1, came)
        self.place(f"{self.reduce}r", age + 1, self.r.term)
        self._corrected(self.r, self.modulus, age + 2)

    # --- numbers ----------------------------------------------------------------------------------

    def reduction(self) -> dict[str, Sequence[str]]:
        return {
            "a table holds residues": tuple(map(self.residue, range(len(self.folds)))),
            "a fold takes a multiple of M": tuple(map(self.fold, range(len(self.folds)))),
            "z is right": (self.corrected(self.r), self.closed()),
        }

    def entry(self, j: int) -> str:
        """The residue of a fold: an entry of its table, to which M is added in step 3."""
        entry = self.folds[j][2].whole
        return f"(- {entry} {(2 << self.width) - self.m})" if j == len(self.sums) - 1 else entry

    def multiple(self, j: int) -> str:
        """That the entry of a fold is a multiple of M less, ``u`` times M."""
        place, high, _ = self.folds[j]
        return f"(= (* {1 << place} {high.whole}) (+ {self.entry(j)} (* {self.m} u)))"

    def residue(self, j: int) -> str:
        """That an entry of a table is not the residue."""
        place, high, entry = self.folds[j]
        same = f"(= 0 (mod (- (* {1 << place} {high.whole}) {self.entry(j)}) {self.m}))"
        return refuting(self.known(entry), f"(and (<= 0 {self.entry(j)} {self.m - 1}) {same})")

    def fold(self, j: int) -> str:
        """That a fold takes something else than a multiple of M, or that r is out of range."""
        t, m, (_, high, _) = self.sums[j].whole, self.m, self.folds[j]
        known = [f"(<= 0 {self.entry(j)} {m - 1})", self.multiple(j), *(() if j else self.largest)]
        if j < len(self.sums) - 1:
            left = self.sums[j + 1]
            goal = f"(= {t} (+ {left.whole} (* {m} u)))"
            return refuting(self.known(self.sums[j], left), goal, *known, names=["u"], words=[high])
        known.append(f"(= {t} (+ made (* {m} (+ u 1))))")
        goal = all_of(
            f"(= 0 (mod (- {self.r.whole} made) {2 << self.width}))",
            f"(<= {number(-m)} made)",
            f"(< made {m})",
        )
        facts = self.known(self.sums[j], self.r)
        return refuting(facts, goal, *known, names=["u", "made"], words=[high])

    def closed(self) -> str:
        """That z is not T and a multiple of M."""
        places = range(len(self.sums))
        sums = ["T", *(f"T{j}" for j in places[1:])]
        known = [f"(= {a} (+ {b} (* {self.m} u{j})))" for j, (a, b) in enumerate(pairwise(sums))]
        known.append(f"(= {sums[-1]} (+ made (* {self.m} (+ u{places[-1]} 1))))")
        multiples = [f"u{j}" for j in places]
        multiple = f"(+ 1 {' '.join(multiples)})"
        return self.ended(*known, unknown=[*sums[1:], *multiples], multiple=multiple)
