# SPDX-License-Identifier: Apache-2.0
"""montgomery_csa1: one carry-save adder a step, which adds an entry of the table 0, y, M, y + M.

The last entry is made word by word before the loop, in the state PRE. The index of the entry is made a cycle
ahead: its lower bit is the digit x_i, its upper one q_i, with which S + C + x_i·y + q_i·M is even.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from modmul.prove.product.carry_save import (
    ADDER,
    CONVERT,
    FRAME,
    GATE,
    LOAD,
    PRE,
    RUN,
    START,
    UNIT,
    UNLOAD,
    At,
    Proof,
)
from modmul.prove.terms import Relation, Word, all_of, const, equal, extract, implies, negation, zero_extend

__all__ = ["OneAdder"]


class OneAdder(Proof):
    """Its digits are in ``index_q``; Y stands for y + M, one word longer than an operand."""

    WORKING = (PRE, START, RUN, CONVERT, UNLOAD)

    def more_definitions(self, at: At) -> Mapping[str, str]:
        more, longest = self.longest - self.bits, self.longest
        return {
            "Y_one": zero_extend(at.state("y"), more),
            "Y_save": f"(bvand {at('Y_one')} {at('M')})",
            "Y_sum": f"(bvxor {at('Y_one')} {at('M')})",
            "Y_carry": f"(concat {extract(at('Y_save'), longest - 2, 0)} #b0)",
            "Y": f"(bvadd {at('Y_sum')} {at('Y_carry')})",
            "Y_ripple": f"(bvxor {at('Y')} (bvxor {at('Y_sum')} {at('Y_carry')}))",
            "Y_over": at.majority("Y_sum", "Y_carry", "Y_ripple"),
        }

    def more(self, at: At) -> Mapping[str, str]:
        state, is_, last = at.state, at.state.is_, self.beats
        stages = [f"core.{name}" for name in ("pre_q", "sum_q", "res_q")]
        table = all_of(*(self.entry(at, k) for k in range(last)))
        lowest = f"(bvxor {extract(state('core.s_q'), 0, 0)} {extract(state('core.c_q'), 0, 0)})"
        index = state("core.index_q")
        own = f"(bvand {extract(index, 0, 0)} {extract(state('y'), 0, 0)})"
        first, second = (is_(f"{FRAME}step_q", step) for step in (0, 1))

        def in_stages(*values: int) -> str:
            return all_of(*(is_(name, value) for name, value in zip(stages, values, strict=True)))

        return {
            "table": all_of(
                *(
                    implies(at.preparing(beat), all_of(*self.prepared(at, beat), in_stages(*flags)))
                    for beat in range(last + 2)
                    for flags in [tuple(int(beat > after) for after in range(3))]
                ),
                implies(at.in_(START), all_of(*self.prepared(at, last + 2), in_stages(1, 1, 1))),
                implies(at.in_(RUN), table),
                implies(at.in_(RUN), equal(state(f"{ADDER}sum_top_o"), self.top_of_y(at))),
                implies(all_of(at.in_(RUN), first), all_of(in_stages(0, 1, 1), is_("core.res_valid", 0))),
                implies(all_of(at.in_(RUN), second), all_of(in_stages(0, 0, 1), is_("core.res_valid", 0))),
                implies(all_of(at.in_(RUN), negation(first), negation(second)), in_stages(0, 0, 0)),
                implies(all_of(at.in_(RUN), first), is_(f"{ADDER}sum_valid_q", 0)),
                implies(at.in_(RUN), is_(f"{ADDER}valid_q", 0)),
                implies(all_of(at.in_(RUN), negation(first)), is_(f"{ADDER}sum_valid_q", 0)),
                *(implies(at.in_(each), in_stages(0, 0, 0)) for each in (CONVERT, UNLOAD, LOAD)),
            ),
            "index": all_of(
                *(implies(at.in_(each), self.lowest_of_y(at)) for each in self.WORKING),
                implies(at.state.is_(f"{GATE}in_part_q", 1), self.lowest_of_y(at)),
                implies(at.in_(RUN), equal(extract(index, 0, 0), self.bit_of_x(at))),
                implies(at.in_(RUN), equal(extract(index, 1, 1), f"(bvxor {lowest} {own})")),
            ),
        }

    def prepared(self, at: At, beat: int) -> Iterator[str]:
        """Where the words of y + M are in a beat of PRE, START being the beat behind its last."""
        state, is_, last = at.state, at.state.is_, self.beats
        zero = const(0, self.word)
        if 1 <= beat <= last + 1:
            k = beat - 1
            yield equal(state(f"{ADDER}a_q"), at.word(at("Y_one"), k))
            yield equal(state(f"{ADDER}b_q"), zero)
            yield equal(state(f"{ADDER}m_q"), at.word(at("M"), k))
            yield is_(f"{ADDER}first_q", int(k == 0))
            yield is_(f"{ADDER}top_q", int(k == last))
            yield is_(f"{ADDER}valid_q", 1)
            yield is_(f"{UNIT}beat_q", k)
        if beat == last + 2:
            yield is_(f"{ADDER}valid_q", 0)
        if beat >= 2:
            k = beat - 2
            yield equal(state(f"{ADDER}sum_q"), at.word(at("Y_sum"), k))
            yield equal(state(f"{ADDER}carry_q"), at.word(at("Y_carry"), k))
            if k < last:
                carried = self.bit(at("Y_carry"), (k + 1) * self.word)
                yield equal(is_(f"{ADDER}save_q", 1), carried)
            yield is_(f"{ADDER}sum_first_q", int(k == 0))
            yield is_(f"{ADDER}sum_top_q", int(k == last))
            yield is_(f"{ADDER}sum_valid_q", 1)
            yield is_(f"{UNIT}sum_beat_q", k)
        if beat >= 3:
            k = beat - 3
            yield equal(is_(f"{ADDER}ripple_q", 1), self.bit(at("Y_ripple"), (k + 1) * self.word))
            yield equal(state("core.res"), at.word(at("Y"), k))
            yield is_("core.res_beat", k)
            yield is_("core.res_valid", 1)
        yield from (self.entry(at, k) for k in range(beat - 3))

    def entry(self, at: At, k: int) -> str:
        """That word k of the table's last entry is that of y + M."""
        return equal(at.state(f"core.u_table.gen_word[{k}].u_memory.words[3]"), at.word(at("Y"), k))

    def top_of_y(self, at: At) -> str:
        return extract(at("Y"), self.sign, self.bits)

    def lowest_of_y(self, at: At) -> str:
        return equal(at.state.is_("core.y0_q", 1), at.odd("y"))

    def bit_of_x(self, at: At) -> str:
        return extract(f"(bvlshr {at.state('x')} {self.step(at)})", 0, 0)

    def row(self, digit: int, quotient: int) -> list[Relation]:
        width = self.width
        (s, c), (s_next, c_next) = self.sum, self.sum_next
        entry, out = self.named("core.u_csa.c_i", width + 1), self.named("core.s", width + 1)
        carry = self.named("core.c", width + 2)
        found = [
            Relation({(carry, 0): 1}, {}),
            Relation({(out, 0): 1}, {}),
            Relation({(s_next, width): 1}, {}),
        ]
        both = [Word(f"Y{part}", self.now(f"Y{part}"), self.longest) for part in ("", "_sum", "_save")]
        whole, part, save = both
        shifted, ripple, over = (
            Word(f"Y_{each}", self.now(f"Y_{each}"), self.longest) for each in ("carry", "ripple", "over")
        )
        if digit and quotient:
            found += [Relation({(shifted, 0): 1}, {}), Relation({(ripple, 0): 1}, {})]
            found.append(Relation({(over, width): 1}, {}))
        for j in range(width + 1):
            found.append(Relation({(out, j): 1, (carry, j + 1): 2}, {(s, j): 1, (c, j): 1, (entry, j): 1}))
            found.append(Relation({(c_next, j): 1}, {(carry, j + 1): 1}))
            if j < width:
                found.append(Relation({(s_next, j): 1}, {(out, j + 1): 1}))
            own = {(self.operand, j): 1} if digit and j < width else {}
            own |= {(self.modulus, j): 1} if quotient and j < width else {}
            if not (digit and quotient):
                found.append(Relation({(entry, j): 1}, own))
                continue
            found.append(Relation({(entry, j): 1}, {(whole, j): 1}))
            found.append(Relation({(part, j): 1, (save, j): 2}, own))
            summed = {(part, j): 1, (shifted, j): 1, (ripple, j): 1}
            found.append(Relation({(whole, j): 1, (over, j): 2}, summed))
            found.append(Relation({(shifted, j + 1): 1}, {(save, j): 1}))
            found.append(Relation({(ripple, j + 1): 1}, {(over, j): 1}))
        return found

    def chosen(self, digit: int, quotient: int) -> tuple[str, ...]:
        return self.now.in_(RUN), self.now.state.is_("core.index_q", 2 * quotient + digit)

    def digit(self, at: At) -> str:
        return self.bit(at.state("core.index_q"), 0)

    def kept(self, at: At, k: int) -> tuple[list[str], list[str]]:
        memory = f"core.u_table.gen_word[{k}].u_memory.words"
        modulus = [at.state(f"core.u_m_words.words[{k}]"), at.state(f"{memory}[2]")]
        operand = [at.state(f"core.u_y_words.words[{k}]"), at.state(f"{memory}[1]")]
        return modulus, operand

    def left(self, at: At) -> str:
        return f"(bvlshr (bvlshr {at.state('x')} {self.step(at)}) {const(1, self.bits)})"
