# SPDX-License-Identifier: Apache-2.0
"""What is in the loop of ``rrm_plain``: operands, digits of x, what is pushed out, the sum in the cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from modmul.prove.product.rrm_plain_where import CONVERTER, ENTRIES, INPUT, At, Places
from modmul.prove.product.rrm_where import AGE, either
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend

__all__ = ["CELL", "Loop"]

CELL = 8
"""Digits of a cell, but for the last one."""


class Loop(Places):
    """The invariant over bits, of the loop too.

    Also remembered: ``K1`` and ``K2``, what chose the multiple of y one and two cycles ago, ``C1``, the
    saved carries of the sum a cycle ago, ``P3``, the digit that was pushed out three steps ago; ``W``, all
    that were pending when a sum was complete.
    """

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def cells(self) -> int:
        return -(-self.digits // CELL)

    def digits_in(self, i: int) -> int:
        """Digits of a cell."""
        return min(CELL, self.digits - CELL * i)

    def wordof(self, term: str, k: int) -> str:
        return extract(term, (k + 1) * self.word - 1, k * self.word)

    def bits_of(self, i: int) -> tuple[int, int]:
        """The highest and the lowest bit of the sum in a cell."""
        low = 2 * CELL * i
        return low + 2 * self.digits_in(i) - 1, low

    def cell(self, i: int) -> str:
        return f"core.gen_cell[{i}].u_cell."

    # --- terms ------------------------------------------------------------------------------------

    @property
    def even(self) -> str:
        """A 1 for each digit."""
        return const(sum(1 << j for j in range(0, self.sum_bits, 2)), self.sum_bits)

    def functions(self) -> str:
        """A digit a time: ``dS``, the sum of two words and of carries, ``dC``, the carries that it saves.

        ``spread`` has a carry at the lowest bit of its digit. ``times`` is what a code makes of y, ``rec``
        what step 2 makes of x, ``entered`` what comes to E besides the multiple and the residue.
        """
        bits, width = self.sum_bits, self.width
        word, carries, y = f"(_ BitVec {bits})", f"(_ BitVec {self.digits})", f"(_ BitVec {width})"
        one, two = const(1, bits), const(2, bits)
        spread = " ".join(f"#b0 {extract('c', j, j)}" for j in reversed(range(self.digits)))
        three = f"((a {word}) (b {word}) (c {word}))"

        def major(a: str, b: str, c: str) -> str:
            return f"(bvor (bvand {a} {b}) (bvand {a} {c}) (bvand {b} {c}))"

        inner = f"(bvshl (bvand {self.even} {major('a', 'b', 'c')}) {one})"
        long = zero_extend("y", bits - width)
        multiple = either(
            "(= k #b00)",
            f"(bvnot {long})",
            either("(= k #b01)", const(0, bits), either("(= k #b10)", long, f"(bvshl {long} {one})")),
        )
        ones = const(sum(1 << j for j in range(0, width, 2)), width + 1)
        moved = f"(bvshl (spread c) {const(6, bits)})"
        negative = either("(= k #b00)", one, const(0, bits))
        lines = (
            f"(define-fun spread ((c {carries})) {word} (concat {spread}))",
            f"(define-fun dS {three} {word} (bvxor a b c {inner}))",
            f"(define-fun dC {three} {word} (let ((k {inner})) "
            f"(bvlshr (bvand (bvshl {self.even} {one}) {major('a', 'b', 'k')}) {one})))",
            f"(define-fun times ((k (_ BitVec 2)) (y {y})) {word} {multiple})",
            f"(define-fun rec ((x {y})) (_ BitVec {width + 1}) (bvadd {zero_extend('x', 1)} {ones}))",
            f"(define-fun entered ((k (_ BitVec 2)) (c {carries})) {word} (bvor {moved} {negative}))",
            f"(define-fun down ((s {word})) {word} (bvshl s {two}))",
        )
        return "\n".join(lines) + "\n"

    def definitions(self) -> str:
        return self.functions() + super().definitions()

    def together(self, at: At, name: str) -> str:
        """A register of the cells, all of them at once."""
        parts = [at.bits(f"{self.cell(i)}{name}") for i in reversed(range(self.cells))]
        return f"(concat {' '.join(parts)})"

    def residue(self, at: At, address: str) -> str:
        """The entry at an address, from all columns."""
        found = const(0, self.width)
        for e in ENTRIES:
            found = either(equal(address, const(e, 4)), at.g(f"T{e}"), found)
        return zero_extend(found, self.sum_bits - self.width)

    def comes(self, at: At) -> str:
        """The residue in E."""
        none = at.aged("la", "bvule", 5)
        return either(none, const(0, self.sum_bits), self.residue(at, at.g("P3")))

    def top(self, at: At) -> str:
        """The digit that the next shift pushes out."""
        carry = extract(at("core.c"), self.digits - 1, self.digits - 1)
        carries = f"(concat #b000 {carry}) (concat #b000 {at.bits('core.c_high_q')})"
        return f"(bvadd {at('core.s_top_q')} {carries})"

    def code(self, x: str, k: int) -> str:
        """What digit k of x, the leading one being 0, chooses."""
        if k == 0:
            high = extract(f"(rec {x})", self.width, self.width)
            return f"(concat {high} (bvnot {high}))"
        low = self.width - 2 * k
        return extract(f"(rec {x})", low + 1, low)

    def pending(self, *digits: str) -> str:
        """Digits that were pushed out, the last one first, as one number."""
        long, found = self.shift + 1, []
        for place, digit in enumerate(digits):
            wide = f"((_ sign_extend {long - 4}) {digit})"
            found.append(f"(bvshl {wide} {const(2 * place, long)})" if place else wide)
        return f"(bvadd {' '.join(found)})" if len(found) > 1 else found[0]

    @property
    def shift(self) -> int:
        """Bits of the quotient."""
        return self.passes - 2

    # --- what is remembered -------------------------------------------------------------------------

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        at = self.at("s")
        found = dict(super().remembered())
        complete = at.aged("la", "=", self.steps + 4)
        pending = self.pending(self.top(at), at("core.addr_q"), at("core.pushed_q"), at.g("P3"))
        return found | {
            "K1": (2, at("core.code_q")),
            "K2": (2, at.g("K1")),
            "C1": (self.digits, at("core.c")),
            "P3": (4, at("core.pushed_q")),
            "W": (self.shift + 1, either(complete, pending, at.g("W"))),
        }

    # --- the invariant ----------------------------------------------------------------------------

    def words(self, at: At) -> Iterator[tuple[str, str]]:
        """Where the words of M and of operands are."""
        beats, word, width = self.beats, self.word, self.width
        beat, x_load = at.counts(f"{INPUT}beat_q"), at.input("x_load_q")
        m_load, ctx_at = at.input("m_load_q"), at.counts("ctx_at")
        for k in range(beats):
            m_k, here = self.wordof(at("m"), k), equal(beat, const(k, AGE))
            yield "word of M comes", implies(all_of(m_load, here), equal(at("core.m_in_q"), m_k))
            there = f"(bvugt {ctx_at} {const(k, AGE)})"
            behind = all_of(there, negation(all_of(m_load, here)))
            stored = equal(at(f"{CONVERTER}u_m.words[{k}]"), m_k)
            yield "word of M", implies(any_of(at.whole, behind), stored)
            facts = [equal(at(f"core.{n}_in_q"), self.wordof(at(f"{n}_in"), k)) for n in "xy"]
            yield "words come", implies(all_of(x_load, here), all_of(*facts))
        high = equal(extract(at("m"), width - 1, width - 1), "#b1")
        all_there = any_of(at.whole, all_of(at.tail, negation(m_load)))
        yield "legal", implies(all_there, equal(at("core.legal_q"), high))
        some = any_of(at.gate("open_q"), at.part, at.full, at.busy, at.out)
        yield "legal operations", implies(some, high)
        same = [equal(at.waiting(name), at(f"{name}_in")) for name in "xy"]
        yield "whole operands", implies(at.full, all_of(*same))
        # step 2, word by word
        rec = f"(rec {at('x_in')})"
        ones = const(sum(1 << j for j in range(0, width, 2)), width + 1)
        carries = f"(bvxor {rec} {ones} {zero_extend(at('x_in'), 1)})"
        count = either(at.full, const(beats, AGE), at.counts("in_at"))
        loading = either(x_load, const(1, AGE), const(0, AGE))
        storing = either(at.input("x_write_q"), const(1, AGE), const(0, AGE))
        loaded = f"(bvsub {count} {loading})"
        written = f"(bvsub {loaded} {storing})"
        carry, y_next = at("core.x_carry_q"), at("core.y_next_q")
        none = all_of(equal(loaded, const(0, AGE)), negation(at.aged("la", "=", 1)))
        made = all_of(any_of(at.pre, at.tail), negation(any_of(at.control("pre_begin_q"), m_load)))
        yield "no carry", implies(any_of(all_of(at.whole, none), made), negation(carry))
        for p in range(1, beats + 1):
            here = all_of(any_of(at.part, at.full), equal(loaded, const(p, AGE)))
            yield (
                "carry of x",
                implies(here, equal(carry, equal(extract(carries, p * word, p * word), "#b1"))),
            )
            pairs = [equal(self.wordof(y_next, beats - p + k), self.wordof(at("y_in"), k)) for k in range(p)]
            yield "words of y", implies(here, all_of(*pairs))
        bank = at("core.bank")
        for k in range(beats):
            rec_k = self.wordof(rec, k)
            here = all_of(at.input("x_write_q"), equal(at.counts(f"{INPUT}beat_q2"), const(k, AGE)))
            yield "word of x comes", implies(here, equal(at("core.x_sum_q"), rec_k))
            behind = f"(bvugt {written} {const(k, AGE)})"
            own = f"(rec {at.looped('x')})"
            for place, other in ((0, negation(bank)), (1, bank)):
                stored = at(f"core.u_x.words[{(place << self.bank_bits) + k}]")
                here = all_of(any_of(at.part, at.full), behind, other)
                yield "word of x", implies(here, equal(stored, rec_k))
                here = all_of(at.busy, negation(other))
                yield "word of x in the loop", implies(here, equal(stored, self.wordof(own, k)))
        yield "writes", implies(at.input("x_write_q"), any_of(at.part, at.full))
        before = implies(
            at.input("x_write_q"),
            equal(at.counts(f"{INPUT}beat_q2"), f"(bvsub {loaded} {const(1, AGE)})"),
        )
        yield "word before", before

    @property
    def bank_bits(self) -> int:
        return (self.beats - 1).bit_length()

    def numerals(self, at: At) -> Iterator[tuple[str, str]]:
        """The digits of x, from the words that are there, and y."""
        beats, many, width = self.beats, self.in_word, self.width
        x, y = at.looped("x"), at.looped("y")
        rec = f"(rec {x})"
        lead = at.aged("la", "=", 1)
        carry = equal(extract(rec, width, width), "#b1")
        yield "leading digit", implies(lead, equal(at("core.x_carry_q"), carry))
        yield "y comes", implies(lead, equal(at("core.y_next_q"), y))
        yield "y", implies(all_of(at.busy, negation(lead)), equal(at("core.y_q"), y))
        yield "highest word", implies(lead, equal(at("core.x_word_q"), self.wordof(rec, beats - 1)))
        for m in range(beats - 1):
            here = at.within("la", 3 + many * m, 2 + many * (m + 1))
            yield "word", implies(here, equal(at("core.x_word_q"), self.wordof(rec, beats - 2 - m)))
        for m in range(beats):
            for d in range(many):
                here = at.aged("la", "=", 2 + many * m + d)
                shifted = f"(bvshl {self.wordof(rec, beats - 1 - m)} {const(2 * d, self.word)})"
                yield "shifted", implies(here, equal(at("core.x_shift_q"), shifted))
        for k in range(self.steps):
            code = self.code(x, k)
            for lag, term in enumerate((at("core.code_q"), at.g("K1"), at.g("K2"))):
                yield f"digit, {lag}", implies(at.aged("la", "=", 2 + k + lag), equal(term, code))

    def pushed(self, at: At) -> Iterator[tuple[str, str]]:
        """The digits that are pushed out; what is 0 between two loops."""
        steps, digits = self.steps, self.digits
        s, c, top, high = at("core.s"), at("core.c"), at("core.s_top_q"), at("core.c_high_q")

        def before(cycles: int) -> str:
            """So many cycles of the sum have not begun, or are long over."""
            return any_of(
                at.aged("la", "bvule", 3 + cycles), at.aged("la", "bvuge", min(steps + 4 + cycles, self.done))
            )

        zero = all_of(
            equal(s, const(0, self.sum_bits)),
            equal(c, const(0, digits)),
            equal(top, "#x0"),
            negation(high),
        )
        yield "no sum", implies(before(1), zero)
        yield "no residue", implies(before(1), equal(self.together(at, "t_q"), const(0, self.sum_bits)))
        for lag, term in ((1, at("core.addr_q")), (2, at("core.pushed_q")), (3, at.g("P3"))):
            yield "no digit", implies(all_of(before(1 + lag), at.since(lag)), equal(term, "#x0"))
            some = any_of(*(equal(term, const(e, 4)) for e in ENTRIES))
            yield "digit in range", implies(at.since(lag), some)
        yield "carry before", implies(at.aged("la", "=", 4), equal(at.g("C1"), const(0, digits)))
        some = any_of(*(equal(top, const(e, 4)) for e in ENTRIES[:7]))
        yield "top in range", some
        yield "sign", equal(at("core.negative_q"), equal(at.g("K1"), "#b00"))
        third = f"(concat #b0 {extract(at.g('C1'), digits - 3, digits - 3)})"
        negative = either(equal(at.g("K2"), "#b00"), "#b01", "#b00")
        to_top = equal(at("core.e_top_q"), f"(bvsub {third} {negative})")
        yield "carry to the top", implies(at.since(1), to_top)
        yield "carry to the top in range", negation(equal(at("core.e_top_q"), "#b10"))
        summed = at.within("la", 4, steps + 4)
        second = equal(extract(at.g("C1"), digits - 2, digits - 2), "#b1")
        yield "carry above", implies(summed, equal(high, second))
        w = at("core.w_q")
        pushed, addr = at("core.pushed_q"), at("core.addr_q")
        yield "first pending", implies(at.aged("la", "=", steps + 4), equal(w, self.pending(at.g("P3"))))
        four = const(4, self.shift + 1)
        for lag, parts in ((5, (pushed, addr)), (6, (pushed,)), (7, ())):
            total = w
            for part in parts:
                total = f"(bvadd (bvmul {four} {total}) {self.pending(part)})"
            here = at.aged("la", "=", steps + lag)
            if lag == 7:
                waits = all_of(at.aged("la", "bvuge", steps + 7), at.busy)
                here = all_of(negation(at.pre), any_of(waits, self.early(at)))
            yield "pending", implies(here, equal(at.g("W"), total))

    def early(self, at: At) -> str:
        """The converter has begun, and is not behind its first pass."""
        return at.within("ca", 1, self.period + 4)

    def sums(self, at: At) -> Iterator[tuple[str, str]]:
        """What the cells hold besides the sum: the multiple, the residue, E."""
        steps, y = self.steps, at.looped("y")
        multiple, residue = f"(times {at.g('K1')} {y})", self.residue(at, at("core.pushed_q"))
        e_in = f"(times {at.g('K2')} {y}) {self.comes(at)} (entered {at.g('K2')} {at.g('C1')})"
        e, carries = f"(dS {e_in})", f"(dC {e_in})"
        for i in range(self.cells):
            cell, bits = self.cell(i), self.bits_of(i)
            here = at.within("la", 3, steps + 2)
            yield "multiple", implies(here, equal(at.bits(f"{cell}x_q"), extract(multiple, *bits)))
            here = at.within("la", 5, steps + 4)
            yield "residue", implies(here, equal(at.bits(f"{cell}t_q"), extract(residue, *bits)))
            here = at.within("la", 4, steps + 3)
            saved = at.bits(f"{cell}e_carry_q")
            parts = (f"#b0 {extract(saved, j, j)}" for j in reversed(range(self.digits_in(i))))
            spread = f"(concat {' '.join(parts)})"
            facts = [equal(at(f"{cell}e_q"), extract(e, *bits)), equal(spread, extract(carries, *bits))]
            yield "E", implies(here, all_of(*facts))
