# SPDX-License-Identifier: Apache-2.0
"""Of ``fips``: that the multiplier multiplies, stage by stage, in either field."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from modmul.core import BINARY_FIELD, PRIME_FIELD
from modmul.prove.product.fips_where import MUL, PRODUCT, At, Followed
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
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

__all__ = ["Multiplying", "Shown"]


class Shown(Protocol):
    """What is shown of the netlist."""

    def over_bits(self) -> str:
        """Over bit-vectors."""


class Multiplying(Followed):
    """The obligations about the multiplier, but for what its tree and its last adder make."""

    @property
    def field(self) -> str:
        return "GF(2^m)" if self.binary else "GF(p)"

    @property
    def rule(self) -> str:
        """The field, where the build has both."""
        return self.field if len(self.config.fields) > 1 else ""

    @classmethod
    def covers(cls, build: Build) -> bool:
        config: Any = build.config
        return (BINARY_FIELD if cls.binary else PRIME_FIELD) in config.fields

    def all(self) -> Iterator[Obligation]:
        yield from self.of_places()
        yield from self.of_multiplier()
        yield from self.of_definitions()
        yield from self.of_numbers()

    @abstractmethod
    def of_definitions(self) -> Iterator[Obligation]:
        """That what is defined of bits is what is said of words."""

    @abstractmethod
    def of_numbers(self) -> Iterator[Obligation]:
        """That what is said of words makes up the theorem."""

    # --- the multiplier ---------------------------------------------------------------------------

    def thrice(self, b: str) -> str:
        wide = zero_extend(b, 2)
        if self.binary:
            return f"(bvxor {wide} (bvshl {wide} {const(1, self.word + 2)}))"
        return f"(bvmul {const(3, self.word + 2)} {wide})"

    def times(self, digit: str, b: str) -> str:
        """Two bits times a word, case by case, in two bits more than a word has."""
        row = self.word + 2
        once, twice = zero_extend(b, 2), f"(bvshl {zero_extend(b, 2)} {const(1, row)})"
        cases = f"(ite (= {digit} #b10) {twice} {self.thrice(b)})"
        return f"(ite (= {digit} #b00) {const(0, row)} (ite (= {digit} #b01) {once} {cases}))"

    def meant(self) -> str:
        """``d``, two bits, times the word ``b``: with carries, or bit by bit without."""
        wide = zero_extend("b", 2)
        if not self.binary:
            return f"(bvmul {zero_extend('d', self.word)} {wide})"
        none = const(0, self.word + 2)
        rows = (f"(bvshl {wide} {const(k, self.word + 2)})" for k in (0, 1))
        chosen = (f"(ite (= {extract('d', k, k)} #b1) {each} {none})" for k, each in enumerate(rows))
        return f"(bvxor {' '.join(chosen)})"

    def stages(self, at: At) -> Iterator[tuple[str, str]]:
        """What is in the registers of the multiplier where there is a product, tag by tag."""
        pairs, row = self.word // 4, self.word + 2
        first = equal(at(f"{MUL}b3_q"), self.thrice(at(f"{MUL}b_late_q")))
        yield "multiples of a word", implies(self.used(at, 3), first)
        a, b, rank = at.ghost("A4"), at.ghost("B4"), f"{MUL}gen_even_rank."
        parts = [
            equal(at(f"{rank}b_late_q2"), b),
            equal(at(f"{rank}b3_q2"), self.thrice(b)),
            equal(at(f"{rank}carry_even_q"), const(0, pairs * row) if self.binary else at(f"{rank}even_q")),
        ]
        for k in range(pairs):
            even, odd = self.digits(a, k)
            kept = extract(at(f"{rank}even_q"), (k + 1) * row - 1, k * row)
            parts.append(equal(kept, self.times(even, b)))
            parts.append(equal(extract(at(f"{rank}a_digits_q"), 2 * k + 1, 2 * k), odd))
        yield "rows for two bits", implies(self.used(at, 4), all_of(*parts))
        a, b, sums = at.ghost("A5"), at.ghost("B5"), []
        for k in range(pairs):
            low, high = (zero_extend(self.times(digit, b), 2) for digit in self.digits(a, k))
            sums.append(
                equal(self.row(at, k), f"({self.plus} {low} (bvshl {high} {const(2, self.word + 4)}))")
            )
        yield "rows for four bits", implies(self.used(at, 5), all_of(*sums))

    @staticmethod
    def digits(a: str, k: int) -> tuple[str, str]:
        """Four bits of a word, two by two."""
        return extract(a, 4 * k + 1, 4 * k), extract(a, 4 * k + 3, 4 * k + 2)

    def row(self, at: At, k: int) -> str:
        pair = self.word + 4
        return extract(at(f"{MUL}gen_sum_rank.sums_q"), (k + 1) * pair - 1, k * pair)

    def rows(self) -> Iterator[tuple[Word, Word]]:
        """What goes into the tree, row by row, and of what sum of two rows it is made."""
        bits, lines = 2 * self.word, self.now(f"{MUL}tree_rows")
        for k in range(self.word // 4):
            row = Word(f"row.{k}", extract(lines, (k + 1) * bits - 1, k * bits), bits)
            yield row, Word(f"sums.{k}", self.row(self.now, k), self.word + 4)

    def wires(self) -> Iterator[tuple[Word, Word]]:
        """What is the same in the tree: an input of an adder, or an output of the tree, and what it is."""
        some, found = [row for row, _ in self.rows()], self.adders()
        while len(some) > 2:
            after: list[Word] = []
            for k in range(len(some) // 3):
                *inputs, total, carry = next(found)
                yield from zip(inputs, some[3 * k : 3 * k + 3], strict=True)
                after += [total, carry]
            some = after + some[len(some) // 3 * 3 :]
        yield from zip((self.tree_word(f"{MUL}{name}") for name in ("sum", "carry")), some, strict=True)

    def adders(self) -> Iterator[tuple[Word, ...]]:
        """The carry-save adders of the tree, with their inputs and outputs."""
        rows, path = self.word // 4, f"{MUL}u_tree."
        while rows > 2:
            for k in range(rows // 3):
                csa = f"{path}gen_level.gen_adders[{k}].u_csa."
                yield tuple(
                    self.tree_word(f"{csa}{name}") for name in ("a_i", "b_i", "c_i", "sum_o", "carry_o")
                )
            path, rows = f"{path}gen_level.u_next.", rows - rows // 3

    def tree_word(self, name: str) -> Word:
        return Word(name, self.now(name), 2 * self.word)

    @abstractmethod
    def tree_facts(self) -> Iterator[Shown]:
        """What the tree makes of rows, adder by adder, and what feeds each adder."""

    @abstractmethod
    def last_facts(self) -> Iterator[Shown]:
        """The registers behind the tree and the last adder."""

    @abstractmethod
    def product_facts(self) -> Iterator[Shown]:
        """The product."""

    @abstractmethod
    def of_product(self) -> Iterator[Obligation]:
        """That the rows make up the product."""

    def of_multiplier(self) -> Iterator[Obligation]:
        """That the multiplier multiplies."""
        now, then = self.now, self.then
        step = (self.system.step, then.is_("rst_ni", 1), now.is_("fit", 1), then.is_("fit", 1))
        places = [self.part(now, name) for name in ("gate", "context", "operations", "lists", "controller")]
        ungated = now.is_(self.gated(f"{MUL}*_b_q")[1], 0)
        field = (negation if self.binary else all_of)(now.high("core.prime"))
        before = dict(self.stages(now))
        some = any_of(*(self.used(now, p) for p in range(2, PRODUCT)))
        calm = implies(self.used(now, 2), now.calm(2))
        other = self.text(*places, some, negation(all_of(field, calm)))
        yield Obligation("step", f"there are products in {self.field} alone", "bitwuzla", (other,))
        earlier = implies(self.used(now, 2), ungated)
        for name, term in self.stages(then):
            known = (*step, field, earlier)
            yield Obligation("step", name, "bitwuzla", (self.text(*known, negation(term)),))
            earlier = before[name]
        free = f"(declare-const d (_ BitVec 2))(declare-const b (_ BitVec {self.word}))"
        row = f"(set-logic QF_BV)\n{free}\n(assert {negation(equal(self.times('d', 'b'), self.meant()))})"
        yield Obligation("step", "a row is a digit times a word", "bitwuzla", (row,))
        for name, facts, here in (
            ("the tree of carry-save adders", self.tree_facts(), (field,)),
            (
                "the adder behind the tree",
                (*self.last_facts(), *self.product_facts()),
                (field, self.system.step),
            ),
        ):
            texts = (self.plain(*here, negation(fact.over_bits())) for fact in facts)
            yield Obligation("step", name, "bitwuzla", tuple(texts))
        yield from self.of_product()

    def plain(self, *assertions: str) -> str:
        """A text about the netlist, without what is defined beside it."""
        return self.system.header + "\n".join(f"(assert {each})" for each in assertions)

    def defined(self, *assertions: str) -> str:
        """A text about what is defined, without the netlist."""
        words = "".join((*self._tables(), *self._words()))
        return f"(set-logic QF_UFBV)\n{words}" + "\n".join(f"(assert {each})" for each in assertions)

    @staticmethod
    def denied(names: Iterable[str], known: Iterable[str], *goals: str) -> str:
        """That something is known of integers, and not all goals hold."""
        lines = [f"(declare-const {name} Int)" for name in names]
        shown = [*(f"(assert {each})" for each in known), f"(assert {negation(all_of(*goals))})"]
        return "\n".join((*lines, *shown))
