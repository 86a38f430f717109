# SPDX-License-Identifier: Apache-2.0
"""What is in the loop of ``sparse_prime``: contexts, operands, digits of x, and the sum in its pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from modmul.prove.product.sparse_prime_where import COUNTED, GROUP, INPUT, LOOP, SUM, At, Places
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Joined,
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

__all__ = ["Loops"]


class Loops(Places):
    """The invariant over bits, of the loop too."""

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def offset(self) -> int:
        """How far below 0 a digit that is pushed out can be."""
        return {1: 0, 2: 1, 4: 5}[self.digit]

    @property
    def t_bits(self) -> int:
        """Bits of t + Offset."""
        return int(self.constants.t_bits)

    @property
    def w_bits(self) -> int:
        return int(self.constants.w_bits)

    @property
    def long(self) -> int:
        """Bits of E and T."""
        return self.width + self.t_bits

    @property
    def ages(self) -> int:
        """Steps that a saved carry waits."""
        return GROUP // self.digit

    @property
    def code_bits(self) -> int:
        """Bits of a digit of x, two a row."""
        return 2 * self.rows

    @cached_property
    def pieces(self) -> list[tuple[int, int]]:
        """Where those of S begin and end."""
        cuts = [0, *self.constants.cuts]
        return list(pairwise(cuts))

    @cached_property
    def meets(self) -> list[int]:
        """Where a saved carry is added with T."""
        cuts = self.constants.cuts
        return [cut + GROUP for cut in cuts if cut + GROUP < self.width and cut + GROUP not in cuts]

    @cached_property
    def arrivals(self) -> list[int]:
        """The cuts where one comes to, but for 2^n."""
        cuts = self.constants.cuts
        return [cut + GROUP for cut in cuts if cut + GROUP < self.width and cut + GROUP in cuts]

    @cached_property
    def sums_of_rows(self) -> list[tuple[int, int]]:
        """Where the pieces of E begin and end, if it is a sum of two."""
        cuts = [0, *self.arrivals, self.width]
        return list(pairwise(cuts))

    # --- terms ------------------------------------------------------------------------------------

    def recoded(self) -> str:
        """The digits of x as they are looked up; a bit more than x has."""
        bits = self.operand
        if self.digit == 1:
            return zero_extend("x", 1)
        ones = sum(1 << i for i in range(0, bits, 2))
        return f"(bvadd {zero_extend('x', 1)} {const(ones, bits + 1)})"

    def row(self, r: int, code: str, y: str) -> str:
        """The multiple of y that a row takes, in two's complement, without the one that it lacks below 0."""
        bits, digit = self.long, extract(code, 2 * r + 1, 2 * r)
        wide = zero_extend(y, bits - self.width)
        once = f"(bvshl {wide} {const(2 * r, bits)})"
        twice = f"(bvshl {wide} {const(2 * r + 1, bits)})"
        cases = (f"(bvnot {once})", const(0, bits), once)
        found = twice
        for value, case in reversed(list(enumerate(cases))):
            found = f"(ite {equal(digit, const(value, 2))} {case} {found})"
        return found

    def residue(self, pushed: str) -> str:
        """T, by t + Offset."""
        found = const(self.constants.t((1 << self.t_bits) - 1), self.long)
        for value in reversed(range((1 << self.t_bits) - 1)):
            own = equal(pushed, const(value, self.t_bits))
            found = f"(ite {own} {const(self.constants.t(value), self.long)} {found})"
        return found

    def numbers(self) -> str:
        """Functions of words."""
        bits = self.operand
        lines = [f"(define-fun rec ((x (_ BitVec {bits}))) (_ BitVec {bits + 1}) {self.recoded()})"]
        words = f"((c (_ BitVec {self.code_bits})) (y (_ BitVec {self.width})))"
        lines += [
            f"(define-fun row{r} {words} (_ BitVec {self.long}) {self.row(r, 'c', 'y')})"
            for r in range(self.rows)
        ]
        table = f"((t (_ BitVec {self.t_bits}))) (_ BitVec {self.long})"
        lines.append(f"(define-fun T {table} {self.residue('t')})")
        return "\n".join(lines) + "\n"

    def carry(self, x: str, k: int) -> str:
        """The carry into word k of its digits."""
        if k == 0 or self.digit == 1:
            return "false"
        ones = sum(1 << i for i in range(0, self.operand, 2))
        place = k * self.word
        if k == self.beats:
            return equal(extract(f"(rec {x})", place, place), "#b1")
        carry = f"(bvxor {zero_extend(x, 1)} {const(ones, self.operand + 1)} (rec {x}))"
        return equal(extract(carry, place, place), "#b1")

    def code(self, x: str, i: int) -> str:
        """Digit i of x, the leading one being 0, as it is looked up."""
        digits = f"(rec {x})"
        if i == 0:
            top = extract(digits, self.operand, self.operand)
            low = f"(concat {top} (bvnot {top}))"
            return f"(concat #b01 {low})" if self.rows == 2 else low
        place = self.operand - i * self.digit
        found = extract(digits, place + self.digit - 1, place)
        return f"(concat {found} (bvnot {found}))" if self.digit == 1 else found

    def y(self, name: str) -> str:
        """n bits of it."""
        return extract(name, self.width - 1, 0) if self.operand > self.width else name

    def definitions(self) -> str:
        return self.numbers() + super().definitions()

    # --- what is remembered -------------------------------------------------------------------------

    @property
    def late(self) -> int:
        """Cycles from a digit of x to the sum."""
        return self.rows + 1

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        """Also the digits of x of the last cycles, what was pushed out three before, and E and T before."""
        at = At(self, self.system.state("s"))
        found = dict(super().remembered())
        found["cd1"] = (self.code_bits, at("core.code_q"))
        for j in range(2, self.late + 1):
            found[f"cd{j}"] = (self.code_bits, at.g(f"cd{j - 1}"))
        found["pu"] = (self.t_bits, at("core.t_q"))
        found["e"] = (self.long, at(f"{SUM}e"))
        found["t"] = (self.long, at(f"{SUM}t"))
        return found

    # --- the invariant ----------------------------------------------------------------------------

    def context(self, at: At) -> Iterator[tuple[str, str]]:
        """Operations are only behind a context that is M."""
        come, whole = at.counts("ctx_at"), at.whole
        load = at.high(f"{INPUT}m_load_q")
        modulus = const(self.modulus, self.operand)
        bits = self.system.signals[f"{INPUT}beat_q"] or 1
        for k in range(1, self.beats + 1):
            here = whole if k == self.beats else all_of(negation(whole), equal(come, const(k, COUNTED)))
            low = self.word * k - 1
            same = equal(extract(at("m"), low, 0), extract(modulus, low, 0))
            yield "legal", implies(here, equal(at.high("core.legal"), same))
            own = all_of(
                equal(at.number(f"{INPUT}beat_q"), const(k - 1, bits)),
                equal(at("core.m_in_q"), self.wordof(at("m"), k - 1)),
            )
            yield "word of a context", implies(all_of(load, here), own)
        none = all_of(negation(whole), equal(come, const(0, COUNTED)))
        yield "no word of a context", implies(none, negation(load))
        some = (f"{INPUT}u_gate.open_q", "given")
        ops = any_of(at.part, at.full, at.busy, at.out, *(at.high(name) for name in some))
        yield "M", implies(ops, equal(at("m"), modulus))

    def operands(self, at: At) -> Iterator[tuple[str, str]]:
        """Words of x and y: those that come, those that wait, those in the loop."""
        beats, part, full = self.beats, at.part, at.full
        load, write = at.high(f"{INPUT}x_load_q"), at.high(f"{INPUT}x_write_q")
        bits = self.system.signals[f"{INPUT}beat_q"] or 1
        in_at, loop_bank = at.counts("in_at"), at.high(f"{LOOP}bank_q")
        index_bits = max(1, (beats - 1).bit_length())
        cases = ((part, at("x_in"), at("y_in")), (full, at.waiting("x"), at.waiting("y")))
        for k in range(beats):
            here = equal(at.number(f"{INPUT}beat_q"), const(k, bits))
            there = all_of(write, equal(at.number(f"{INPUT}beat_q2"), const(k, bits)))
            stored = [at(f"core.u_x.words[{(bank << index_bits) + k}]") for bank in (0, 1)]
            own, other = (f"(ite {loop_bank} {stored[b]} {stored[1 - b]})" for b in (1, 0))
            for when, x, y in cases:
                come = all_of(when, f"(bvugt {in_at} {const(k, COUNTED)})") if when == part else when
                fresh = all_of(
                    equal(at("core.x_in_q"), self.wordof(x, k)), equal(at("core.y_in_q"), self.wordof(y, k))
                )
                found = f"(ite {there} {at('core.x_sum_q')} {own})"
                digits = equal(found, self.wordof(f"(rec {x})", k))
                yield "words of x", implies(come, f"(ite {all_of(load, here)} {fresh} {digits})")
                carried = all_of(load, here, when)
                yield "carries", implies(carried, equal(at.high("core.x_carry_q"), self.carry(x, k)))
            run = at.high(f"{LOOP}run_q")
            yield "x in the loop", implies(run, equal(other, self.wordof(f"(rec {at.looped('x')})", k)))
        quiet = negation(load)
        for k in range(1, beats):
            come = all_of(part, quiet, equal(in_at, const(k, COUNTED)))
            yield "carries", implies(come, equal(at.high("core.x_carry_q"), self.carry(at("x_in"), k)))
        lead = at.high(f"{LOOP}lead_q")
        top = self.carry(at.waiting("x"), beats)
        yield "last carry", implies(all_of(full, quiet), equal(at.high("core.x_carry_q"), top))
        top = self.carry(at.looped("x"), beats)
        yield "leading digit", implies(lead, equal(at.high("core.x_carry_q"), top))
        yield "leads", implies(lead, negation(any_of(part, full, load)))
        none = all_of(at.whole, negation(any_of(part, full, lead, at.high(f"{INPUT}m_load_q"))))
        yield "no carry", implies(none, at.low("core.x_carry_q"))
        y_next = at("core.y_next_q")
        for count in range(1, beats + 1):
            for late in (False, True):
                moved, arrives = count - late, load if late else quiet
                if not moved:
                    continue
                low = (beats - moved) * self.word
                shifted = extract(y_next, self.operand - 1, low)
                here = all_of(part, equal(in_at, const(count, COUNTED)), arrives)
                yield "y comes", implies(here, equal(shifted, extract(at("y_in"), moved * self.word - 1, 0)))
                if count == beats:
                    y = extract(at.waiting("y"), moved * self.word - 1, 0)
                    yield "y waits", implies(all_of(full, arrives), equal(shifted, y))
        yield "y leads", implies(lead, equal(y_next, at.looped("y")))
        run = at.within("ph", 2, self.taken)
        yield "y in the loop", implies(run, equal(at("core.y_q"), self.y(at.looped("y"))))

    def digits(self, at: At) -> Iterator[tuple[str, str]]:
        """Digits of x, from the memory to the sum."""
        each, beats, x = self.digits_word, self.beats, at.looped("x")
        for m in range(beats):
            word = self.wordof(f"(rec {x})", beats - 1 - m)
            yield "word", implies(at.aged("ph", "=", 1 + m * each), equal(at("core.x_word_q"), word))
            for r in range(each):
                left = extract(at("core.x_shift_q"), self.word - 1, self.digit * r)
                rest = extract(word, self.word - 1 - self.digit * r, 0)
                yield "digits", implies(at.aged("ph", "=", 2 + m * each + r), equal(left, rest))
        for j in range(self.late + 1):
            name = at.g(f"cd{j}") if j else at("core.code_q")
            for i in range(self.steps):
                yield "digit", implies(at.aged("ph", "=", 2 + i + j), equal(name, self.code(x, i)))

    def rests(self, at: At) -> Iterator[tuple[str, str]]:
        """The sum between two loops."""

        def resting(late: int) -> str:
            apart = any_of(
                at.aged("ph", "bvule", self.first + late), at.aged("ph", "bvuge", self.taken + 1 + late)
            )
            return all_of(apart, at.aged("sr", "bvuge", 1 + late))

        carries = self.system.signals[f"{SUM}c_q"]
        start = all_of(
            equal(at(f"{SUM}s_q"), const(self.constants.start, self.width)),
            equal(at(f"{SUM}c_q"), const(0, carries)),
            equal(at(f"{SUM}high_q"), const(0, self.t_bits)),
        )
        yield "S is Start", implies(resting(0), start)
        yield "no other carries", implies(at.aged("sr", "bvuge", 1), self.no_others(at))
        offset = const(self.offset, self.t_bits)
        for late, name in enumerate((at(f"{SUM}pushed_q"), at("core.t_q"), at.g("pu")), 1):
            yield "nothing was pushed out", implies(resting(late), equal(name, offset))

    def no_others(self, at: At) -> str:
        """No carries are saved but those of the pieces."""
        bits = self.width + 1
        used = sum(1 << (bits * age + cut) for age in range(self.ages) for _, cut in self.pieces)
        rest = const(~used & (1 << bits * self.ages) - 1, bits * self.ages)
        return equal(f"(bvand {at(f'{SUM}c_q')} {rest})", const(0, bits * self.ages))

    def addends(self, at: At) -> Iterator[tuple[str, str]]:
        """What comes to the sum: multiples of y, E, T and F."""
        y = at("core.y_q")
        x_bits = self.width + 2
        behind = at.aged("ph", "bvuge", 3)
        for r in range(self.rows):
            made = f"(row{r} {at.g('cd1')} {y})"
            own = extract(at(f"{SUM}x_q"), (r + 1) * x_bits - 1, r * x_bits)
            wide = f"((_ sign_extend {self.t_bits - 2 - 2 * r}) {own})"
            if r:
                wide = f"(concat {wide} (ite {at.bit(f'{SUM}negative_q', r)} #b11 #b00))"
            negative = equal(at.bit(f"{SUM}negative_q", r), equal(self.of_row(at.g("cd1"), r), "#b00"))
            yield "multiples", implies(behind, all_of(equal(wide, made), negative))
        if self.rows == 2:
            e = Word("e", at(f"{SUM}e"), self.long)
            here = at.within("ph", 4, self.taken)
            for fact in self.of_e(at, e, at.g("cd2"), self.ages - 2, self.e_leaves(at)):
                yield "E", implies(here, fact.over_bits())
            negative = equal(self.of_row(at.g("cd2"), 1), "#b00")
            yield "low", implies(here, equal(at.high(f"{SUM}gen_two.low_q"), negative))
            for low, _ in self.pieces[1:]:
                if low not in self.arrivals:
                    yield "no carry of E", equal(self.e_leaves(at)(low).term, "#b0")
                    later = equal(self.e_carry(at, low).term, "#b0")
                    yield "no carry of E", implies(at.aged("sr", "bvuge", 1), later)
        here = at.within("ph", self.first, self.taken)
        for fact in self.of_f(at):
            yield "F", implies(here, fact.over_bits())
        residue = f"(bvand {at(f'{SUM}t')} {self.no_carries})"
        yield "T", equal(residue, f"(T {at('core.t_q')})")
        for j in self.meets:
            saved = self.saved(at, self.ages - 2, j - GROUP)
            yield "carries with T", equal(extract(at(f"{SUM}t"), j, j), saved.term)

    @property
    def no_carries(self) -> str:
        """Where no saved carry is added with T."""
        return const((1 << self.long) - 1 - sum(1 << j for j in self.meets), self.long)

    def of_row(self, code: str, r: int) -> str:
        return extract(code, 2 * r + 1, 2 * r)

    # --- words of a step ----------------------------------------------------------------------------

    def bit(self, name: str, condition: str) -> Word:
        return Word(name, f"(ite {condition} #b1 #b0)", 1)

    def saved(self, at: At, age: int, cut: int) -> Word:
        """A saved carry, by its age and the cut below which it was."""
        place = age * (self.width + 1) + cut
        return Word(f"c{at.state.name}{age}.{cut}", extract(at(f"{SUM}c_q"), place, place), 1)

    def negative(self, code: str, r: int) -> Word:
        """That a multiple of y is below 0."""
        return self.bit(f"neg{r}", equal(self.of_row(code, r), "#b00"))

    def multiple(self, at: At, code: str, r: int) -> Word:
        return Word(f"row{r}", f"(row{r} {code} {at('core.y_q')})", self.long)

    def end(self, top: int) -> int:
        """The end of a piece of E, or of F: the highest has all from 2^n on, too."""
        return self.long if top == self.width else top

    def parts(self, word: Word) -> dict[int, Word]:
        """E, or T, cut as S is: by where each begins."""
        return {low: word.cut(self.end(top) - 1, low, str(low)) for low, top in self.pieces}

    def carry_in(self, at: At, low: int) -> Word:
        """What is added at the beginning of a piece of S."""
        return self.bit(f"in{low}", at.high(f"{SUM}gen_piece[{low}].gen_begin.carry_in"))

    def e_carry(self, at: At, low: int) -> Word:
        """The carry of E that comes to a piece of S; or a saved one, if E is one multiple."""
        if self.rows == 1:
            return self.saved(at, self.ages - 1, low - GROUP)
        path = f"{SUM}gen_piece[{low}].gen_begin."
        (name,) = (
            name for name in self.system.signals if name.startswith(path) and name.endswith(".e_carry_q")
        )
        return self.bit(f"ec{low}", at.high(name))

    def e_leaves(self, at: At) -> Callable[[int], Word]:
        """The carries of E, a cycle before."""
        return lambda end: Word(f"ec{end}", extract(at(f"{SUM}gen_two.carry_q"), end, end), 1)

    def f_carry(self, at: At, end: int) -> Word:
        return Word(f"fc{end}", extract(at(f"{SUM}f_carry"), end, end), 1)

    def of_e(self, at: At, e: Word, code: str, age: int, over: Callable[[int], Word]) -> Iterator[Fact]:
        """The pieces of E, the sum of two multiples; of what age the carries are that came to it."""
        rows, parts = [self.multiple(at, code, r) for r in (0, 1)], self.parts(e)
        for begin, top in self.sums_of_rows:
            end = self.end(top)
            left = {part: 1 << (i - begin) for i, part in parts.items() if begin <= i < top}
            right = {row.cut(end - 1, begin, str(begin)): 1 for row in rows}
            right[self.saved(at, age, begin - GROUP) if begin else self.negative(code, 0)] = 1
            if top == self.width:
                yield Congruent(left, right, end - begin)
            else:
                yield Compared({**left, over(end): 1 << (end - begin)}, "=", right)

    def of_f(self, at: At) -> Iterator[Fact]:
        """What comes to S, F and carries: of E, T, and saved carries."""
        code, age = at.g(f"cd{self.late}"), self.ages - 1
        e, t = (Word(name, at.g(name), self.long) for name in "et")
        f = Word("f", at(f"{SUM}f_q"), self.long)
        if self.rows == 2:
            yield from self.of_e(at, e, code, age, lambda end: self.e_carry(at, end))
        else:
            row = self.multiple(at, code, 0)
            for low, part in self.parts(e).items():
                yield Compared({part: 1}, "=", {self.parts(row)[low]: 1})
        for low, top in self.pieces:
            right = {self.parts(word)[low]: 1 for word in (e, t)}
            left = {f.cut(top - 1, low, str(low)): 1}
            if top == self.width:
                left[f.cut(self.long - 1, self.width, "high")] = 1 << (top - low)
                yield Congruent(left, right, self.long - low)
            else:
                yield Compared({**left, self.f_carry(at, top): 1 << (top - low)}, "=", right)
        saved = {self.saved(at, age, j - GROUP): 1 << j for j in self.meets}
        residue = Word("T", f"(T {at.g('pu')})", self.long)
        yield Compared({t: 1}, "=", {residue: 1, **saved})
        yield Compared({self.carry_in(at, 0): 1}, "=", {self.negative(code, self.rows - 1): 1})
        for low, _ in self.pieces[1:]:
            come = {self.f_carry(at, low): 1}
            if low in self.arrivals:
                come[self.e_carry(at, low)] = 1
            yield Compared({self.carry_in(at, low): 1}, "=", come)

    def of_s(self, now: At, then: At) -> Iterator[Fact]:
        """A step of S, and what is saved and pushed out."""
        n, k, age = self.width, self.digit, self.ages - 1
        s, s_next = (Word(f"S{at.state.name}", at(f"{SUM}s_q"), n) for at in (now, then))
        f = Word("f", now(f"{SUM}f_q"), self.long)
        for low, top in self.pieces:
            down = s.cut(top - k - 1, max(low - k, 0), str(low))
            right = {down: 1 if low else 1 << k, f.cut(top - 1, low, str(low)): 1, self.carry_in(now, low): 1}
            left = {s_next.cut(top - 1, low, str(low)): 1, self.saved(then, 0, top): 1 << (top - low)}
            yield Compared(left, "=", right)
        for cut in (top for _, top in self.pieces if top < n):
            for older in range(1, self.ages):
                yield Compared({self.saved(then, older, cut): 1}, "=", {self.saved(now, older - 1, cut): 1})
        high = {s.cut(n - 1, n - k, "high"): 1, f.cut(self.long - 1, n, "high"): 1}
        if n > GROUP:
            high[self.saved(now, age, n - GROUP)] = 1
        pushed = Word("high", then(f"{SUM}high_q"), self.t_bits)
        yield Congruent({pushed: 1}, high, self.t_bits)
        yield Compared({self.offsets: 1}, "=", {}, self.offset)
        yield Congruent(
            {self.pushed(then): 1}, {pushed: 1, self.saved(then, 0, n): 1, self.offsets: 1}, self.t_bits
        )

    @property
    def offsets(self) -> Word:
        """Offset as a word."""
        return Word("Offset", const(self.offset, self.t_bits), self.t_bits)

    def pushed(self, at: At) -> Word:
        """t + Offset, of the digit that was pushed out last."""
        over = zero_extend(self.saved(at, 0, self.width).term, self.t_bits - 1)
        term = f"(bvadd {at(f'{SUM}high_q')} {over} {self.offsets.term})"
        return Word(f"p{at.state.name}", term, self.t_bits)

    def w(self, at: At) -> Word:
        """W of the digits that were pushed out last, while the sum is in the loop."""
        digits = (self.pushed(at).term, at(f"{SUM}pushed_q"), at("core.t_q"), at.g("pu"))
        bits = self.w_bits
        terms = [
            f"(bvshl {zero_extend(each, bits - self.t_bits)} {const(self.digit * j, bits)})"
            for j, each in enumerate(digits)
        ]
        return Word(f"W{at.state.name}", f"(bvadd {' '.join(terms)})", bits)

    def of_w(self, now: At, then: At) -> Iterator[Fact]:
        """W before a step, and behind it."""
        registers = (now(f"{SUM}pushed_q"), now("core.t_q"), now.g("pu"))
        older = [Word(f"p{j}", each, self.t_bits) for j, each in enumerate(registers, 1)]
        before = [self.pushed(now), *older]
        behind = [self.pushed(then), *before[:-1]]
        for at, digits in ((now, before), (then, behind)):
            yield Compared({self.w(at): 1}, "=", {each: 1 << self.digit * j for j, each in enumerate(digits)})
        yield Compared({Word("pu", now.g("pu"), self.t_bits): 1}, "=", {older[-1]: 1})

    def wholes(self, now: At, then: At) -> Iterator[Fact]:
        """Words that are made of others."""
        n, k = self.width, self.digit
        s, s_next = (Word(f"S{at.state.name}", at(f"{SUM}s_q"), n) for at in (now, then))
        down = {
            s.cut(top - k - 1, max(low - k, 0), str(low)): 1 << max(low - k, 0) for low, top in self.pieces
        }
        yield Compared({s: 1}, "=", {**down, s.cut(n - 1, n - k, "high"): 1 << (n - k)})
        parts = {s_next.cut(top - 1, low, str(low)): 1 << low for low, top in self.pieces}
        yield Compared({s_next: 1}, "=", parts)
        t = Word("t", now.g("t"), self.long)
        yield Compared({t: 1}, "=", {part: 1 << low for low, part in self.parts(t).items()})
        for r in range(self.rows):
            row = self.multiple(now, now.g(f"cd{self.late}"), r)
            cuts = self.sums_of_rows if self.rows == 2 else self.pieces
            cut = {row.cut(self.end(top) - 1, low, str(low)): 1 << low for low, top in cuts}
            yield Compared({row: 1}, "=", cut)
        for at in (now, then):
            c = Word(f"C{at.state.name}", at(f"{SUM}c_o"), n)
            saved = {
                self.saved(at, age, cut): 1 << (cut + k * age)
                for age in range(self.ages)
                for _, cut in self.pieces
                if cut < n
            }
            yield Compared({c: 1}, "=", saved)

    def of_rows(self, at: At) -> Iterator[Fact]:
        """The multiples, by the digit of a row."""
        code = at.g(f"cd{self.late}")
        y = Word("y", at("core.y_q"), self.width)
        for r in range(self.rows):
            row, negative = self.multiple(at, code, r), self.negative(code, r)
            digit = self.digit_of(code, r)
            for value in range(4):
                is_it = Compared({digit: 1}, "=", {}, value)
                if value == 0:
                    facts = (
                        Compared({row: 1, y: 1 << 2 * r}, "=", {}, (1 << self.long) - 1),
                        Compared({negative: 1}, "=", {}, 1),
                    )
                else:
                    times = {y: (value - 1) << 2 * r} if value > 1 else {}
                    facts = (Compared({row: 1}, "=", times), Compared({negative: 1}, "=", {}))
                yield from (Joined(implies, (is_it, fact)) for fact in facts)

    def digit_of(self, code: str, r: int, name: str = "code") -> Word:
        """What a row is told, one more than its digit of x."""
        return Word(f"{name}{r}", self.of_row(code, r), 2)

    def of_digits(self, at: At) -> Iterator[Fact]:
        """Which digits there are: of a bit, no others than 0 and 1."""
        if self.digit == 1:
            digit = self.digit_of(at.g(f"cd{self.late}"), 0)
            yield Compared({}, "<", {digit: 1})
            yield Compared({digit: 1}, "<", {}, 3)

    def of_x(self) -> Iterator[Fact]:
        """x as its digits."""
        bits, digits = self.operand, Word("rec", "(rec x)", self.operand + 1)
        ones = 0 if self.digit == 1 else sum(1 << i for i in range(0, bits, 2))
        yield Compared({digits: 1}, "=", {Word("x", "x", bits): 1}, ones)
        top = digits.cut(bits, bits, "top")
        codes = [
            [self.digit_of(self.code("x", i), r, f"x{i}.") for r in range(self.rows)]
            for i in range(self.steps)
        ]
        yield Compared({codes[0][0]: 1}, "=", {top: 1}, 1)
        yield from (Compared({code: 1}, "=", {}, 1) for code in codes[0][1:])
        parts = {top: 1 << bits}
        for i, own in enumerate(codes[1:], 1):
            low = bits - i * self.digit
            if self.digit == 1:
                bit = digits.cut(low, low, str(low))
                yield Compared({own[0]: 1}, "=", {bit: 1}, 1)
                parts[bit] = 1 << low
            else:
                parts |= {code: 1 << (low + 2 * r) for r, code in enumerate(own)}
        yield Compared({digits: 1}, "=", parts)

    def of_table(self, at: At) -> Fact:
        """T as a sum of two products."""
        plus, minus = int(self.constants.plus), int(self.constants.minus)
        pushed = Word("pu", at.g("pu"), self.t_bits)
        residue = Word("T", f"(T {pushed.term})", self.long)
        most = (1 << self.t_bits) - 1
        left = {residue: 1, pushed: minus} if minus else {residue: 1}
        return Compared(left, "=", {pushed: plus} if plus else {}, most * minus)
