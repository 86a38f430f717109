# SPDX-License-Identifier: Apache-2.0
"""What is in ``rrm_split`` up to its sum: M, operands, the table, digits of X, residues, the sum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from modmul.prove.product.rrm_split_where import (
    CONTEXT,
    CONTROL,
    DROPPED,
    FILLER,
    HALF,
    OPERANDS,
    PART,
    At,
    B,
    K,
    Places,
)
from modmul.prove.product.rrm_where import AGE, either
from modmul.prove.terms import (
    Relation,
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

__all__ = ["CELL", "Loop"]

CELL = 8
"""Digits of a cell."""
DIGITS = "core.u_digits."


class Loop(Places):
    """The invariant over bits, of the loop too."""

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def digits(self) -> int:
        """Digits of the sum, but for the one at the top."""
        return int(self.config.digits)

    @property
    def sum_bits(self) -> int:
        return self.digits * K

    @property
    def slices(self) -> int:
        """Parts of all groups."""
        return self.width // PART

    @property
    def near(self) -> int:
        """Words that take the same copy of an address."""
        return max(1, 16 // self.word)

    def bounds_of(self, i: int) -> tuple[int, int]:
        """The highest and the lowest column of part i of a multiple."""
        return (self.sum_bits if i == self.slices - 1 else (i + 1) * PART) - 1, i * PART

    # --- registers that are many ---------------------------------------------------------------------

    def together(self, at: At, name: str) -> str:
        """A register of the cells, all of them at once."""
        count = -(-self.digits // CELL)
        parts = [
            at.bits(f"core.u_loop.gen_cell[{i}].gen_cell_of_two.u_cell.{name}")
            for i in reversed(range(count))
        ]
        return f"(concat {' '.join(parts)})"

    def stored(self, at: At, i: int, bank: int, r: int) -> str:
        """Part i of a row of the table."""
        group, part = divmod(i, 2)
        place = f"gen_group[{group}].gen_part[{part}].gen_some"
        return at(f"core.u_multiples.{place}.u_multiples.words[{bank * HALF + r}]")

    def stored_x(self, at: At, bank: int, k: int) -> str:
        return at(f"{DIGITS}u_x.words[{bank * self.beats + k}]")

    def t_word(self, at: At, s: int, k: int) -> str:
        """A word of T[s]."""
        return at(f"{DROPPED}gen_residue[{k}].gen_table.u_residues.words[{s}]")

    def t(self, at: At, s: int) -> str:
        """T[s]."""
        return f"(concat {' '.join(self.t_word(at, s, k) for k in reversed(range(self.beats)))})"

    # --- what is remembered -------------------------------------------------------------------------

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        """Also the operands, and what is added to the sum.

        ``XI`` and ``YI`` are the operands that come, ``XN`` and ``YN`` what step 1 makes of them, ``KX`` and
        ``KY`` the carries between its words; ``K1`` ... those between the parts of a row of the table. Of
        the operation in the loop ``XR`` and ``YR`` are the operands, ``XL`` and ``YL`` those of step 1,
        ``L0`` ... the rows. ``XP`` and ``TP`` are the multiple and the residue that E was made of, ``PD``
        the digit that was dropped a step before; ``ER``, ``SP`` and ``NG`` the row, whether there was one,
        and the sign of the product, all of a cycle ago.
        """
        at = self.at("s")
        found = dict(super().remembered())
        beats, bits = self.beats, self.width

        def word_by_word(name: str, when: str, index: str, value: str) -> str:
            old = at.g(name)
            parts = [
                either(all_of(when, equal(index, const(k, AGE))), value, self.wordof(old, k))
                for k in reversed(range(beats))
            ]
            return f"(concat {' '.join(parts)})"

        def bit_by_bit(name: str, size: int, cases: dict[int, tuple[str, str]]) -> str:
            old, parts = at.g(name), []
            for i in reversed(range(size)):
                kept = extract(old, i, i)
                parts.append(
                    either(cases[i][0], either(cases[i][1], "#b1", "#b0"), kept) if i in cases else kept
                )
            return f"(concat {' '.join(parts)})"

        in_load = at.high("in_load")
        made, last = at.flag(f"{OPERANDS}in_load_q"), at.g("n2")
        z = either(at.pre, at("core.z_o"), at("y_i"))
        found["XI"] = (bits, word_by_word("XI", in_load, at.g("n0"), at("x_i")))
        found["YI"] = (bits, word_by_word("YI", in_load, at.g("n0"), z))
        for side in "xy":
            odd, name = f"{side.upper()}N", f"K{side.upper()}"
            found[odd] = (bits, word_by_word(odd, made, last, at(f"{OPERANDS}{side}_odd")))
            carry = at.flag(f"{OPERANDS}{side}_carry")
            cases = {k + 1: (all_of(made, equal(last, const(k, AGE))), carry) for k in range(beats)}
            found[name] = (beats + 1, bit_by_bit(name, beats + 1, cases))
            go = at.high("go_q")
            found[f"{side.upper()}R"] = (bits, either(go, at.g(f"{side.upper()}I"), at.g(f"{side.upper()}R")))
            found[f"{side.upper()}L"] = (bits, either(go, at.g(odd), at.g(f"{side.upper()}L")))
        for r in range(1, HALF):
            cases = {}
            for i in range(self.slices - 1):
                group, part = divmod(i, 2)
                age, groups = (("fa", "g0"), ("fb", "g1"))[part]
                when = all_of(at.aged(age, "=", r), at.aged(groups, "=", group + 1))
                cases[i + 1] = (when, at.bit(f"{FILLER}gen_part[{part}].sum", PART))
            found[f"K{r}"] = (self.slices + 1, bit_by_bit(f"K{r}", self.slices + 1, cases))
        bank = at.flag(f"{OPERANDS}bank_q")
        for r in range(HALF):
            rows = [self.whole_row(at, b, r) for b in range(2)]
            found[f"L{r}"] = (
                self.sum_bits,
                either(at.high("go_q"), either(bank, rows[1], rows[0]), at.g(f"L{r}")),
            )
        sign = at.flag("core.u_loop.gen_cell[0].sign")
        multiple = at("core.multiple")
        found["XP"] = (self.sum_bits, either(sign, f"(bvnot {multiple})", multiple))
        found["TP"] = (bits, at("core.t"))
        found["PD"] = (K, extract(at("core.s"), K - 1, 0))
        found["ER"] = (K - 1, at("core.u_multiples.gen_group[0].gen_part[0].gen_some.entry_row"))
        found["SP"] = (1, either(at.flag(f"{DIGITS}some_q"), "#b1", "#b0"))
        found["NG"] = (1, either(at.flag(f"{OPERANDS}negative_q"), "#b1", "#b0"))
        return found

    def whole_row(self, at: At, bank: int, r: int) -> str:
        """A row of the table."""
        return f"(concat {' '.join(self.stored(at, i, bank, r) for i in reversed(range(self.slices)))})"

    # --- the invariant ----------------------------------------------------------------------------

    def odd(self, at: At) -> str:
        """M is odd."""
        return equal(extract(at("m"), 0, 0), "#b1")

    def odd_u(self, at: At) -> str:
        """-1/M modulo B of the lowest digit of an odd M."""
        found = const(0, K)
        for m in range(1, B, 2):
            found = either(
                equal(extract(at("m"), K - 1, 0), const(m, K)), const(-pow(m, -1, B) % B, K), found
            )
        return found

    def modulus(self, at: At) -> Iterator[tuple[str, str]]:
        """Words of M, and what follows on the first."""
        beats, whole = self.beats, at.whole
        ctx_at, any_ = at.counts("ctx_at"), "gen_any."
        yield (
            "ctx",
            implies(
                at.flag(f"{CONTROL}ctx_load_o"), equal(at(f"{CONTEXT}ctx_q"), self._word_at(at, "m", "c1"))
            ),
        )
        late = all_of(at.flag(f"{CONTEXT}m_load_q"), at.aged("sr", "bvuge", 1))
        yield "m_q", implies(late, equal(at(f"{CONTEXT}m_q"), self._word_at(at, "m", "c2")))
        for k in range(beats):
            for memory, name in ((f"{CONTEXT}{any_}", "c2"), ("core.u_result.u_converter.gen_any.", "c2")):
                come = all_of(self.come(at, k), f"(bvugt {at.g(name)} {const(k, AGE)})")
                come = any_of(all_of(whole, equal(ctx_at, const(0, AGE))), come)
                waits = all_of(at.flag(f"{CONTEXT}m_load_q"), at.aged("c2", "=", k))
                stored = at(f"{memory}u_m.words[{k}]")
                yield (
                    "m words",
                    implies(all_of(come, negation(waits)), equal(stored, self.wordof(at("m"), k))),
                )
        first = at.flag(f"{CONTEXT}{any_}m_first_q")
        begun = all_of(at.flag(f"{CONTEXT}m_load_q"), at.aged("c2", "=", 0))
        yield "m_first_q", implies(at.aged("sr", "bvuge", 1), equal(first, begun))
        some = any_of(whole, all_of(at.aged("c2", "bvugt", 0), self.come(at, 0)))
        low = extract(at("m"), K - 1, 0)
        for name in (f"{CONTEXT}{any_}m_low_q", "core.u_result.u_converter.gen_any.m_low_q"):
            yield "m_low_q", implies(some, equal(at(name), low))
        yield "legal_q", implies(some, equal(at.flag(f"{CONTEXT}{any_}legal_q"), self.odd(at)))
        later = any_of(whole, all_of(at.aged("c3", "bvugt", 0), self.come(at, 0)))
        yield "u_q", implies(all_of(later, self.odd(at)), equal(at(f"{CONTEXT}{any_}u_q"), self.odd_u(at)))
        yield "odd", implies(any_of(at.flag(f"{CONTROL}u_gate.open_q"), at.full, self.some(at)), self.odd(at))
        yield "some whole", implies(any_of(at.full, self.some(at)), whole)

    def some(self, at: At) -> str:
        """Operands have come, or are in the loop, or in the converter."""
        ops = all_of(negation(at.pre), any_of(at.high("sum_q"), at.high("unread_q"), at.low("rest_q")))
        return any_of(
            at.flag(f"{CONTROL}u_gate.in_part_q"), ops, all_of(negation(at.pre), at.aged("n0", "bvugt", 0))
        )

    def come(self, at: At, k: int) -> str:
        """Word k of M has come, of this context."""
        return all_of(negation(at.whole), f"(bvugt {at.counts('ctx_at')} {const(k, AGE)})")

    def _word_at(self, at: At, name: str, count: str) -> str:
        """The word that a count is at."""
        found = self.wordof(at(name), self.beats - 1)
        for k in range(self.beats - 1):
            found = either(at.aged(count, "=", k), self.wordof(at(name), k), found)
        return found

    def known_m(self, at: At) -> str:
        """All words of M are where operands take them."""
        return any_of(at.whole, all_of(at.pre, at.aged("c3", "=", self.beats)))

    def operands(self, at: At) -> Iterator[tuple[str, str]]:
        """Operands, as they come, and step 1."""
        beats, whole, word = self.beats, at.whole, self.word
        n0, n1, n2, n3 = (at.g(f"n{i}") for i in range(4))
        zero = const(0, word)

        def over(n: str, k: int) -> str:
            return f"(bvugt {n} {const(k, AGE)})"

        for side in "xy":
            raw, odd, carry = (at.g(f"{side.upper()}I"), at.g(f"{side.upper()}N"), at.g(f"K{side.upper()}"))
            even = equal(extract(raw, 0, 0), "#b0")
            for k in range(beats):
                here = all_of(whole, over(n0, k))
                yield (
                    f"{side} comes",
                    implies(here, equal(self.wordof(raw, k), self.wordof(at(f"{side}_in"), k))),
                )
                first = all_of(equal(n1, const(k, AGE)), over(n0, k))
                yield f"{side}_q", implies(first, equal(at(f"{OPERANDS}{side}_q"), self.wordof(raw, k)))
                second = all_of(equal(n2, const(k, AGE)), over(n1, k))
                yield f"{side}_q2", implies(second, equal(at(f"{OPERANDS}{side}_q2"), self.wordof(raw, k)))
                m = either(even, self.wordof(at("m"), k), zero)
                yield (
                    f"m_{side}_q",
                    implies(all_of(second, self.known_m(at)), equal(at(f"{OPERANDS}m_{side}_q"), m)),
                )
                carries = even if k == 0 else equal(extract(carry, k, k), "#b1")
                held = second if k == 0 else equal(n2, const(k, AGE))
                yield f"{side}_carry_q", implies(held, equal(at.flag(f"{OPERANDS}{side}_carry_q"), carries))
                third = all_of(equal(n3, const(k, AGE)), over(n2, k))
                yield (
                    f"{side}_odd_q",
                    implies(third, equal(at(f"{OPERANDS}{side}_odd_q"), self.wordof(odd, k))),
                )
                yield (
                    f"{side} odd",
                    implies(all_of(over(n2, k), self.known_m(at)), self.odd_word(at, side, k)),
                )
            yield f"{side}_even_q", implies(over(n1, 0), equal(at.flag(f"{OPERANDS}{side}_even_q"), even))
            yield f"{side} waits", implies(at.full, equal(at(f"{side}_in"), self.waiting(at, side)))
            yield f"{side} in the loop", implies(at.summing, equal(at.g(f"{side.upper()}R"), at.looped(side)))
        evens = [equal(extract(at.g(f"{side}R"), 0, 0), "#b0") for side in "XY"]
        negative = f"(xor {all_of(evens[0], negation(at.pre))} {evens[1]})"
        running = at.aged("ra", "bvult", self.period)
        second = any_of(negation(at.pre), negation(at.is_("gen_passes.pass_q", 0)))
        yield (
            "negative_q",
            implies(all_of(running, second), equal(at.flag(f"{OPERANDS}negative_q"), negative)),
        )

    def waiting(self, at: At, side: str) -> str:
        """``x`` or ``y`` of the operation that waits for the loop."""
        others = [at.summing, at.waits, at.out]
        none = negation(any_of(*others))
        two = any_of(*(all_of(a, b) for k, a in enumerate(others) for b in others[k + 1 :]))
        return either(none, at(f"{side}0"), either(two, at(f"{side}2"), at(f"{side}1")))

    def odd_word(self, at: At, side: str, k: int) -> str:
        """A word of step 1 is right: the operand's, or that of M minus it."""
        raw, odd, carry = (at.g(f"{side.upper()}I"), at.g(f"{side.upper()}N"), at.g(f"K{side.upper()}"))
        even = equal(extract(raw, 0, 0), "#b0")
        word = self.wordof(raw, k)
        into = either(even, "#b1", "#b0") if k == 0 else extract(carry, k, k)
        terms = [
            zero_extend(either(even, f"(bvnot {word})", word), 1),
            zero_extend(either(even, self.wordof(at("m"), k), const(0, self.word)), 1),
            zero_extend(into, self.word),
        ]
        total = f"(bvadd {' '.join(terms)})"
        return equal(f"(concat {extract(carry, k + 1, k + 1)} {self.wordof(odd, k)})", total)

    def columns(self, at: At) -> Iterator[tuple[str, str]]:
        """Words of Y in the filler."""
        n3, yn = at.g("n3"), at.g("YN")
        words = self.words_in
        multiple, zero = at(f"{FILLER}multiple_o"), const(0, PART)
        for k in range(self.beats):
            group, place = divmod(k, words)
            # until they are moved; part 1 takes its words a cycle later
            part = ((place + 1) * self.word - 1) // PART
            moved = "g0" if part == 0 else "g1"
            here = all_of(f"(bvugt {n3} {const(k, AGE)})", at.aged(moved, "bvule", group))
            stored = extract(at(f"{FILLER}words_q"), (place + 1) * self.word - 1, place * self.word)
            yield "words_q", implies(here, equal(stored, self.wordof(yn, k)))
            third = all_of(at.aged("n3", "=", k), f"(bvugt {at.g('n2')} {const(k, AGE)})")
            yield "word", implies(third, equal(at(f"{OPERANDS}y_odd_q"), self.wordof(yn, k)))
        for i in range(self.slices):
            group, part = divmod(i, 2)
            low = i * PART
            path = f"{FILLER}gen_part[{part}]."
            own = at.aged(("g0", "g1")[part], "=", group + 1)
            below = "false" if i == 0 else equal(extract(yn, low - 1, low - 1), "#b1")
            facts = [equal(at(f"{path}y_q"), extract(yn, low + PART - 1, low))]
            facts.append(equal(at.flag(f"{path}low_q"), below))
            yield "y_q", implies(own, all_of(*facts))
            yield from self.carries(at, i, 0)
        for part in range(2):
            none = at.aged(("fb", "fc")[part], "bvuge", 8)
            value = extract(multiple, part * PART + PART - 1, part * PART)
            yield "no row", implies(none, equal(value, zero))
        last = all_of(at.aged("fc", "bvult", 8), at.aged("g2", "=", self.groups))
        top = extract(multiple, 2 * PART + K - 1, 2 * PART)
        yield "no top", implies(negation(last), equal(top, const(0, K)))

    def rows(self, at: At, i: int) -> Iterator[tuple[str, str]]:
        """Part i of the rows of the table: row r is 2Y more than the one before."""
        bank, yn = at.flag(f"{OPERANDS}bank_q"), at.g("YN")
        multiple = at(f"{FILLER}multiple_o")
        group, part = divmod(i, 2)
        high, low = self.bounds_of(i)
        size = high - low + 1
        later, later_groups = (("fb", "g1"), ("fc", "g2"))[part]
        y_part = extract(yn, low + PART - 1, low)
        for r in range(HALF):
            if r:
                yield from self.carries(at, i, r)
            value = extract(multiple, part * PART + size - 1, part * PART)
            there = all_of(at.aged(later_groups, "=", group + 1), at.aged(later, "=", r))
            if r:
                before = either(bank, self.stored(at, i, 1, r - 1), self.stored(at, i, 0, r - 1))
                yield "row comes", implies(there, self.added(at, i, r, value, before))
            else:
                yield "first row comes", implies(there, equal(value, zero_extend(y_part, size - PART)))
            begun = f"(bvugt {at.g(later_groups)} {const(group + 1, AGE)})"
            written = any_of(begun, all_of(at.aged(later_groups, "=", group + 1), at.aged(later, "bvugt", r)))
            stored = either(bank, self.stored(at, i, 1, r), self.stored(at, i, 0, r))
            if r:
                fact = self.added(at, i, r, stored, before)
            else:
                fact = equal(stored, zero_extend(y_part, size - PART))
            yield "row", implies(written, fact)

    def carries(self, at: At, i: int, r: int) -> Iterator[tuple[str, str]]:
        """The carry into part i of row r, in the filler, and where it is kept for the next group."""
        group, part = divmod(i, 2)
        age, groups = (("fa", "g0"), ("fb", "g1"))[part]
        into = at.flag(f"{FILLER}gen_part[0].gen_next.next_carry_q" if part else f"{FILLER}first_carry_q")
        here = all_of(at.aged(groups, "=", group + 1), at.aged(age, "=", r))
        yield "carry", implies(here, equal(into, self.carry(at, r, i)))
        if i and not part:
            stored = at.flag(f"{FILLER}u_carries.words[{r}]")
            here = all_of(at.aged("g1", "=", group), at.aged("fb", "bvugt", r))
            yield "carries", implies(here, equal(stored, self.carry(at, r, i)))
            here = all_of(at.aged("g1", "=", group + 1), at.aged("fb", "bvule", r))
            yield "carries before", implies(here, equal(stored, self.carry(at, r, i)))

    def looped(self, at: At) -> Iterator[tuple[str, str]]:
        """The rows that the loop takes."""
        running = at.aged("ra", "bvult", self.period)
        bank = at.flag(f"{OPERANDS}bank_q")
        banks = equal(at.flag(f"{OPERANDS}run_bank_q"), negation(bank))
        yield "banks", implies(running, banks)
        for r in range(HALF):
            row = either(bank, self.whole_row(at, 0, r), self.whole_row(at, 1, r))
            yield "row in the loop", implies(running, equal(row, at.g(f"L{r}")))

    def carry(self, at: At, r: int, i: int) -> str:
        """The carry into part i of row r."""
        return "false" if r == 0 or i == 0 else equal(extract(at.g(f"K{r}"), i, i), "#b1")

    def added(self, at: At, i: int, r: int, value: str, before: str) -> str:
        """Part i of a row is that of the row before and 2Y."""
        high, low = self.bounds_of(i)
        size = high - low + 1
        yn = f"(concat {const(0, self.sum_bits - self.width - 1)} {at.g('YN')} #b0)"
        twice = extract(yn, high, low)
        into = either(self.carry(at, r, i), "#b1", "#b0")
        terms = [zero_extend(each, 1) for each in (before, twice)] + [zero_extend(into, size)]
        total = f"(bvadd {' '.join(terms)})"
        if i == self.slices - 1:
            return equal(value, extract(total, size - 1, 0))
        return equal(f"(concat {extract(at.g(f'K{r}'), i + 1, i + 1)} {value})", total)

    def code(self, at: At, k: int) -> tuple[str, str]:
        """Digit k of X: which row, and whether it is above 0."""
        x = at.g("XL")
        low = extract(x, K * k + K - 1, K * k + 1)
        if k == self.xdigits - 1:
            return low, "true"
        up = equal(extract(x, K * k + K, K * k + K), "#b1")
        return either(up, low, f"(bvnot {low})"), up

    def numerals(self, at: At) -> Iterator[tuple[str, str]]:
        """Words of X, and its digits."""
        beats, word, n3 = self.beats, self.word, at.g("n3")
        bank = at.flag(f"{OPERANDS}bank_q")
        for b in range(2):
            is_bank = bank if b else negation(bank)
            for k in range(beats):
                stored = self.stored_x(at, b, k)
                come = all_of(is_bank, f"(bvugt {n3} {const(k, AGE)})")
                if b:
                    third = all_of(at.aged("n3", "=", k), f"(bvugt {at.g('n2')} {const(k, AGE)})")
                    yield (
                        "x word",
                        implies(third, equal(at(f"{OPERANDS}x_odd_q"), self.wordof(at.g("XN"), k))),
                    )
                yield "x stored", implies(come, equal(stored, self.wordof(at.g("XN"), k)))
                loop = all_of(at.aged("ra", "bvult", self.period), negation(is_bank), negation(at.pre))
                yield "x in the loop", implies(loop, equal(stored, self.wordof(at.g("XL"), k)))
        idle = at.aged("ra", "bvuge", self.xdigits + 1)
        facts = [at.flag(f"{DIGITS}x_load_q"), equal(at(f"{DIGITS}x_beat_q"), const(0, self.beat_bits))]
        facts.append(equal(at.flag(f"{DIGITS}x_bank_q"), bank))
        yield "x rests", implies(idle, all_of(*facts))
        each, size = word // K, word + K
        product = negation(at.pre)
        left, load, more, beat = word - K, False, True, 1
        for r in range(self.xdigits):
            here = at.aged("ra", "=", r)
            w, o = divmod(r, each)
            shift = f"(bvlshr {zero_extend(self.wordof(at.g('XL'), w), K)} {const(K * o, size)})"
            yield "x digits", implies(all_of(here, product), equal(at(f"{DIGITS}x_shift_q"), shift))
            bits = self.system.signals[f"{DIGITS}left_q"]
            facts = [
                equal(at(f"{DIGITS}left_q"), const(left, bits)),
                equal(at.flag(f"{DIGITS}x_load_q"), str(load).lower()),
                equal(at.flag(f"{DIGITS}x_more_q"), str(more).lower()),
                equal(at(f"{DIGITS}x_beat_q"), const(beat % beats, self.beat_bits)),
                equal(at.flag(f"{DIGITS}x_bank_q"), negation(bank)),
            ]
            yield "x loads", implies(here, all_of(*facts))
            # what follows
            now_more = more and not (load and beat % beats == beats - 1)
            left, load, beat = (
                left + word - K if load else left - K,
                now_more and (left + word - K if load else left - K) < K,
                beat + load,
            )
            more = now_more
        yield (
            "x digits in pre",
            implies(
                all_of(at.pre, at.within("ra", 0, self.xdigits + 1)),
                equal(at(f"{DIGITS}x_shift_q"), const(0, size)),
            ),
        )
        copies = [
            at(f"core.u_multiples.gen_group[{i // 2}].gen_part[{i % 2}].gen_some.entry_row")
            for i in range(self.slices)
        ]
        signs = [at.flag(f"core.u_loop.gen_cell[{i}].sign") for i in range(-(-self.digits // CELL))]
        for k in range(self.steps):
            some, sign, row = self.parts_of(at, k)
            if k == self.xdigits - 1:  # the next loop may have begun
                late = all_of(either(at.pre, at.second, "true"), equal(at.g("NG"), "#b1"))
            else:
                late = sign
            if k < self.xdigits:
                low = extract(at.g("XL"), K * k + K - 1, K * k)
                digit = equal(at(f"{DIGITS}digit_q"), either(at.pre, const(0, K), low))
                yield "digit", implies(self.after(at, k + 1), digit)
            facts = [equal(at.flag(f"{DIGITS}some_q"), some), equal(at.flag(f"{DIGITS}sign_q"), sign)]
            if k < self.xdigits:
                facts += [implies(some, equal(each, row)) for each in copies]
            yield "sign", implies(self.after(at, k + 2), all_of(*facts))
            facts = [equal(at.flag(f"{DIGITS}one_q"), all_of(some, negation(sign)))]
            facts.append(equal(at.flag(f"{DIGITS}sign_before_q"), sign))
            facts += [equal(each, sign) for each in signs]
            facts.append(equal(equal(at.g("SP"), "#b1"), some))
            facts.append(implies(some, equal(at.g("ER"), row)))
            yield "signs", implies(self.after(at, k + 3), all_of(*facts))
            yield (
                "sign of E",
                implies(self.after(at, k + 4), equal(at.flag(f"{DIGITS}gen_now.sign_e_q"), late)),
            )

    def parts_of(self, at: At, k: int) -> tuple[str, str, str]:
        """Of digit k: whether Y counts, whether it is taken away, and which row of the table it is."""
        if k >= self.xdigits:
            return "false", "false", const(0, K - 1)
        row, up = self.code(at, k)
        some = either(at.pre, all_of(at.second, str(k == self.xdigits - 1).lower()), "true")
        up = either(at.pre, "true", up)
        sign = all_of(some, f"(xor {up} {negation(at.flag(f'{OPERANDS}negative_q'))})")
        return some, sign, either(at.pre, const(0, K - 1), row)

    def entries(self, at: At) -> Iterator[tuple[str, str]]:
        """The entry of the table for each digit, but for its lowest bit."""
        entry = extract(at("core.u_multiples.entry_q"), self.sum_bits - 1, 1)
        chosen = extract(self.chosen(at, at.g("ER")), self.sum_bits - 1, 1)
        made = either(equal(at.g("SP"), "#b1"), chosen, const(0, self.sum_bits - 1))
        begun = any_of(at.within("ra", 3, self.steps), at.aged("ea", "bvule", 1))
        yield "entry", implies(begun, equal(entry, made))

    @property
    def beat_bits(self) -> int:
        return (self.beats - 1).bit_length()

    def after(self, at: At, r: int) -> str:
        """Cycle r of the loop, which may be beyond its end."""
        return at.aged("ra", "=", r) if r <= self.steps else at.aged("ea", "=", r - self.steps - 1)

    def multiple(self, at: At) -> str:
        """What a digit makes of Y, a cycle before it is added; the lowest bit of a row is 1."""
        chosen = self.chosen(at, at.g("ER"))
        sign = at.flag("core.u_loop.gen_cell[0].sign")
        high = extract(either(sign, f"(bvnot {chosen})", chosen), self.sum_bits - 1, 1)
        return either(equal(at.g("SP"), "#b1"), f"(concat {high} #b1)", const(0, self.sum_bits))

    def chosen(self, at: At, row: str) -> str:
        """A row of the operation in the loop."""
        found = at.g("L0")
        for r in range(1, HALF):
            found = either(equal(row, const(r, K - 1)), at.g(f"L{r}"), found)
        return found

    def sums(self, at: At) -> Iterator[tuple[str, str]]:
        """What a step adds: the residue of the digit that was dropped; and E."""
        s, low = at("core.s"), extract(at("core.s"), K - 1, 0)
        copies = sorted({k // self.near for k in range(self.beats)})
        begun = self.within_loop(at, 3)
        zero = any_of(at.pre, at.aged("ra", "=", 3))
        for i in copies:
            addr = (
                at(
                    f"{DROPPED}addr",
                )
                if len(copies) == 1
                else extract(at(f"{DROPPED}addr"), K * i + K - 1, K * i)
            )
            yield "address", implies(begun, equal(addr, either(zero, const(0, K), low)))
        some = self.within_loop(at, 4)
        empty = all_of(
            equal(s, const(0, self.sum_bits)),
            *(equal(at(f"core.{name}"), const(0, self.digits)) for name in ("c", "e_c")),
            equal(at("core.top"), const(0, K)),
        )
        yield "empty", implies(at.aged("ra", "=", 4), empty)
        yield (
            "one sign",
            implies(at.aged("sr", "bvuge", 1), self.one_sign(at)),
        )
        yield (
            "first E",
            implies(at.aged("ra", "=", 3), equal(self.together(at, "e_c_q"), const(0, self.digits))),
        )
        address = either(any_of(at.pre, at.aged("ra", "=", 4)), const(0, K), at.g("PD"))
        for k in range(self.beats):
            found = self.t_word(at, 0, k)
            for r in range(1, B):
                found = either(equal(address, const(r, K)), self.t_word(at, r, k), found)
            yield "residue", implies(some, equal(self.wordof(at.g("TP"), k), found))
        chunk = []
        for fact in self.e_facts(at):
            chunk.append(fact.over_bits())
        for first in range(0, len(chunk), CELL):
            yield "E", implies(some, all_of(*chunk[first : first + CELL]))

    def one_sign(self, at: At) -> str:
        """All cells have the same sign."""
        signs = [at.flag(f"core.u_loop.gen_cell[{i}].sign") for i in range(-(-self.digits // CELL))]
        return all_of(*(equal(each, signs[0]) for each in signs[1:]))

    def within_loop(self, at: At, first: int) -> str:
        """From so many cycles of the loop on, to the end of its sum."""
        return any_of(at.within("ra", first, self.steps), at.aged("ea", "bvule", 2))

    # --- facts as relations ----------------------------------------------------------------------------

    def words_of(self, at: At, names: tuple[str, ...]) -> dict[str, Word]:
        """Words of a state that facts about numbers speak of."""
        bits, digits = self.sum_bits, self.digits
        terms = {
            "s": (at("core.s"), bits),
            "c": (at("core.c"), digits),
            "h": (at("core.e_c"), digits),
            "e": (self.together(at, "e_q"), bits),
            "g": (self.together(at, "e_c_q"), digits),
            "x": (at.g("XP"), bits),
            "t": (zero_extend(at.g("TP"), bits - self.width), bits),
            "top": (at("core.top"), K),
        }
        return {name: Word(f"{name}{at.state.name}", *terms[name]) for name in names}

    def e_facts(self, at: At) -> Iterator[Relation]:
        """Each digit of E: what it is the sum of."""
        w = self.words_of(at, ("e", "g", "x", "t", "h"))
        for j in range(self.digits):
            left = {(w["e"], K * j + b): 1 << b for b in range(K)} | {(w["g"], j): B}
            right = {(w[name], K * j + b): 1 << b for name in "xt" for b in range(K)} | {(w["h"], j): 1}
            yield Relation(left, right)

    def step_facts(self) -> Iterator[Relation]:
        """Each digit of the next sum."""
        old = self.words_of(self.at("s"), ("s", "e", "c", "g", "top"))
        new = self.words_of(self.at("n"), ("s", "c", "h"))
        for j in range(self.digits):
            left = {(new["s"], K * j + b): 1 << b for b in range(K)} | {(new["c"], j): B}
            above = (old["s"], K * j + K) if j + 1 < self.digits else (old["top"], 0)
            right = {(above[0], above[1] + b): 1 << b for b in range(K)}
            right |= {(old["e"], K * j + b): 1 << b for b in range(K)} | {(old["c"], j): 1}
            yield Relation(left, right)
            yield Relation({(new["h"], j): 1}, {(old["g"], j): 1})
