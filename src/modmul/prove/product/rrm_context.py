# SPDX-License-Identifier: Apache-2.0
"""What ``rrm`` keeps of a context: the words of M, and u = -1/M."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from modmul.prove.product.rrm_operands import Operands
from modmul.prove.product.rrm_where import AGE, CONTROL, CONVERTER, CORE, At, K, either
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation

__all__ = ["Contexts"]

WORTH = 2 * K
"""Bits of u."""
SHIFTS = WORTH - 1
"""Cycles in which its bits are found, but the first."""


class Contexts(Operands):
    """The invariant over bits, of what comes of a context too."""

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        """Also ``ua``, cycles since the first word of M came."""
        at = At(self, self.system.state("s"))
        found = dict(super().remembered())
        first = at.high_of(f"{CORE}m_first_q")
        more = f"(bvadd {at.g('ua')} {const(1, AGE)})"
        counted = either(at.aged("ua", "bvuge", SHIFTS), const(SHIFTS, AGE), more)
        found["ua"] = (AGE, either(first, const(0, AGE), counted))
        return found

    def modulus(self, at: At) -> Iterator[tuple[str, str]]:
        """Words of M, and bits of u, as they come."""
        whole, bits = at.gate("whole_q"), self.system.signals[f"{CONTROL}beat_q"]
        ctx_at = at.counts("ctx_at")
        loads, first = at.high_of(f"{CORE}m_load_q"), at.high_of(f"{CORE}m_first_q")
        some = negation(at.state.is_("ctx_at", 0))
        old = at.aged("sr", "bvuge", 1)
        yield "m loads", implies(all_of(old, loads), all_of(negation(whole), some))
        yield "m pre", implies(all_of(old, loads), at.low("pre_q"))
        yield (
            "m beat",
            implies(
                all_of(old, loads), equal(at.counts(f"{CONTROL}beat_q"), f"(bvsub {ctx_at} {const(1, AGE)})")
            ),
        )
        yield "m first", implies(all_of(old, first), all_of(loads, equal(ctx_at, const(1, AGE))))
        yield "m later", implies(all_of(old, loads, negation(first)), f"(bvugt {ctx_at} {const(1, AGE)})")
        for k in range(self.beats):
            come = any_of(whole, f"(bvugt {ctx_at} {const(k, AGE)})")
            word = self.wordof(at("m"), k)
            own = all_of(loads, equal(at.c("beat_q"), const(k, bits)))
            stored = at(f"{CONVERTER}gen_any.u_m.words[{k}]")
            yield (
                "m words",
                implies(all_of(come, old), equal(f"(ite {own} {at(f'{CORE}m_in_q')} {stored})", word)),
            )
        m_in = at(f"{CORE}m_in_q")
        come = all_of(any_of(whole, some), old)
        for name, high in ((f"{CONVERTER}gen_any.m_low_q", K), (f"{CORE}m_low_q", WORTH)):
            found = f"(ite {first} {extract(m_in, high - 1, 0)} {at(name)})"
            yield "m low", implies(come, equal(found, extract(at("m"), high - 1, 0)))
        odd = equal(extract(at("m"), 0, 0), "#b1")
        yield "legal", implies(all_of(come, negation(first)), equal(at.high_of(f"{CORE}legal_q"), odd))
        yield "open", implies(at.gate("open_q"), at.high_of(f"{CORE}legal_q"))
        ops = any_of(at.gate("in_part_q"), at.full, at.loop, at.out)
        yield "odd", implies(ops, odd)
        low = at(f"{CORE}m_low_q")
        counted = all_of(come, negation(first))
        yield "ua", at.aged("ua", "bvule", SHIFTS)
        for m in range(1 << WORTH):
            rest, u = (~m & (1 << WORTH) - 1) >> 1, 3 << WORTH - 1
            for shifts in range(SHIFTS + 1):
                here = all_of(counted, equal(low, const(m, WORTH)), at.aged("ua", "=", shifts))
                facts = [equal(at(f"{CORE}u_q"), const(u, WORTH + 1))]
                if shifts < SHIFTS:
                    facts.append(equal(at(f"{CORE}rest_q"), const(rest, WORTH)))
                yield "u", implies(here, all_of(*facts))
                bit = rest & 1
                rest, u = (rest - (m if bit else 0)) % (1 << WORTH) >> 1, bit << WORTH | u >> 1
        for shifts in range(1, min(SHIFTS, self.cells) + 1):
            gap = all_of(at.high("zero_q"), at.low("reading_q"), at.aged("fa", "bvuge", shifts))
            yield "u comes", implies(gap, at.aged("ua", "bvuge", shifts))
        begun = any_of(whole, at.state.is_("ctx_at", self.beats))
        ready = all_of(begun, at.low("modulus_q", "zero_q"))
        yield "u is there", implies(ready, at.aged("ua", "=", SHIFTS))
