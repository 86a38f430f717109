# SPDX-License-Identifier: Apache-2.0
"""Of ``rrm_split``: z is x·y/R mod M, and the residues in its table are right.

From reset to result, at full width, for every odd M, all operands from 0 to M and any behaviour at the ports,
resets included; nothing is assumed of the context, since the core makes its table itself. The letters are
those of the header of ``mm_rrm_split``; B = 16, L is the number of steps, R = B^(L-1), V_k the sum S with its
carries behind k steps, p_k its lowest digit. Two layers:

- **invariant** (bitwuzla, on the netlist): what is in every register at every moment. Beside the netlist
  there are registers of the proof's own, which nothing in the core sees: counts of cycles and of words; the
  operands of step 1 and the rows of the table; what was added to the sum a cycle ago; V.
  ``rrm_split_where``: control; ``rrm_split_loop``: M, operands, table, digits, sum; ``rrm_split_convert``:
  the converter, and the residues.
- **number** (``rrm_split_numbers``; z3 over integers, of facts that bitwuzla shows): a step makes
  V_(k+1) = (V_k - p_k)/B + x_k·Y + T[p_(k-1)]. So with T[s]·B^2 = s mod M the sum stays
  B^(k-1)·(V_k + B·T[p_(k-1)]) = (x_0 + ... + x_(k-1)·B^(k-1))·Y mod M. The converter makes
  V = V_L + (p + q·M)/B of that, and z is V + M, V or V - M. A pass for a residue makes (s + q·M)/B of s, or
  (Y + q·M)/B of Y, the first one made odd.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Self

from modmul.prove.netlist import system
from modmul.prove.product.rrm_split_numbers import Numbers
from modmul.prove.product.rrm_split_where import FILLER, GROUP, HALF, OPERANDS, PASSES, At, B, K
from modmul.prove.product.rrm_where import bench, either
from modmul.prove.product.serial import TOP
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend
from modmul.room import Build

__all__ = ["Split"]

TOGETHER = 24
"""Facts of the invariant in a question."""
USES = {
    "control": (),
    "words of M": ("control",),
    "operands": ("control", "words of M"),
    "words of Y": ("control",),
    "rows": ("control", "words of Y"),
    "rows in the loop": ("control",),
    "digits of X": ("control",),
    "entries": ("control", "digits of X", "rows in the loop"),
    "writes": ("control",),
    "sums": ("control", "writes"),
    "q": ("control", "words of M", "sums"),
    "READ": ("control", "words of M"),
    "SHOW": ("control", "words of M", "READ"),
    "residues": ("control", "writes"),
}
"""By part of the invariant, the other parts that it rests on in the cycle before."""


class Split(Numbers):
    """The obligations of a build."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if config.digit_bits != K or config.delay != 1 or config.chains != 2 or config.modulus:
            raise ValueError(
                f"{build}: the proof is written for DigitBits=4, Delay=1, Chains=2 and any modulus"
            )
        beats = config.beats
        groups = config.width % GROUP == 0 and config.width > GROUP
        if not groups or config.word > 32 or beats > 16 or beats & (beats - 1):
            raise ValueError(
                f"{build}: the proof is written for two groups of columns or more, and 4, 8 or 16 words"
            )
        return cls(build, system(build.design, bench(build), TOP))

    # --- the obligations --------------------------------------------------------------------------

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        yield from self.of_operations()
        yield from self.of_numbers()
        name = "these lemmas make an induction over clock cycles"
        yield Obligation("number", name, "z3", (self.composed(),))

    def parts(self) -> dict[str, Callable[[At], Iterator[tuple[str, str]]]]:
        """The invariant, in parts."""
        return {
            "control": self.control,
            "words of M": self.modulus,
            "operands": self.operands,
            "words of Y": self.columns,
            **{f"rows, part {i}": partial(self.rows, i=i) for i in range(self.slices)},
            "rows in the loop": self.looped,
            "digits of X": self.numerals,
            "entries": self.entries,
            "writes": self.writes,
            "sums": self.sums,
            "q": self.takes,
            "READ": self.reading,
            "SHOW": self.showing,
            "residues": self.residues,
        }

    def known(self, name: str, *parts: str) -> str:
        """Parts of the invariant, or all of it, in a state without reset."""
        at, found = self.at(name), self.parts()
        facts = [fact for part in parts or tuple(found) for _, fact in found[part](at)]
        return implies(at.running, all_of(*facts))

    def of_netlist(self) -> Iterator[Obligation]:
        """It holds behind a cycle of reset, whatever was before, and goes on holding."""
        for name, part in self.parts().items():
            known = (
                self.known("s", name, *USES[name.partition(",")[0]]),
                self.system.step,
                self.at("n").running,
            )
            facts = [fact for _, fact in part(self.at("n"))]
            chunks = (facts[first : first + TOGETHER] for first in range(0, len(facts), TOGETHER))
            texts = tuple(self.text(*known, negation(all_of(*chunk))) for chunk in chunks)
            yield Obligation("invariant", name, "bitwuzla", texts)

    # --- operations ---------------------------------------------------------------------------------

    def own(self, at: At, side: str) -> str:
        """``x`` or ``y`` of the operation whose sum waits or is read."""
        return either(at.high("unread_q"), at.owner(side), at(f"{side}0"))

    def taken_there(self, at: At) -> str:
        """A sum has been taken, and V is not there yet."""
        later = either(at.pre, at.aged("ea", "bvuge", 3), at.aged("ea", "bvuge", 4))
        return all_of(later, any_of(at.high("unread_q"), all_of(at.high("read_q"), at.aged("c", "bvule", 1))))

    def v_there(self, at: At) -> str:
        """V is there, and is read or shown; in a pass also while it goes to the table."""
        shown = all_of(at.pre, at.aged("n0", "=", self.beats), at.low("filled_q", "go_q"))
        return any_of(all_of(at.busy, at.aged("c", "bvuge", 2)), shown)

    def behind(self, at: At) -> str:
        """All residues have been made."""
        return any_of(at.whole, all_of(at.state.is_("ctx_at", self.beats), negation(at.pre)))

    def made(self, at: At, s: int) -> str:
        """T[s] has been made."""
        count = zero_extend(at.c("gen_passes.pass_q"), 1)
        some = all_of(at.pre, f"(bvuge {count} {const(2 * s + 2, 6)})")
        return any_of(self.behind(at), some if 2 * s + 2 < PASSES else "false")

    def of_operations(self) -> Iterator[Obligation]:
        """What stays with an operation, or a residue, from cycle to cycle."""
        now, then = self.at("s"), self.at("n")
        asked: list[tuple[tuple[str, ...], str]] = []

        def follows(name: str, uses: tuple[str, ...], *pairs: tuple[str, str]) -> Obligation:
            known = (self.known("s", *uses), self.system.step, then.running, now.running)
            asked.extend((uses, when) for when, _ in pairs)
            texts = tuple(self.text(*known, when, negation(goal)) for when, goal in pairs)
            return Obligation("operations", name, "bitwuzla", texts)

        control = ("control",)
        same_m, product = equal(then("m"), now("m")), negation(then.pre)
        residues = all_of(*(equal(self.t(then, s), self.t(now, s)) for s in range(B)))
        same_pass = equal(then.c("gen_passes.pass_q"), now.c("gen_passes.pass_q"))
        kind = equal(then.pre, now.pre)
        yield from self._begins(follows, now, then)
        # the steps
        last = self.steps
        goals = [implies(then.place(k), now.place(k - 1)) for k in range(1, last + 1)]
        ends = [then.place(k) for k in range(1, last + 1)]
        in_loop = any_of(*ends[:-1], all_of(product, ends[-1]))
        goal = all_of(*goals, kind, same_pass, same_m, residues)
        yield follows(
            "the places of the sum follow each other", (*control, "words of M", "writes"), (in_loop, goal)
        )
        digit = equal(then.g("PD"), extract(now("core.s"), K - 1, 0))
        facts = [fact.over_bits() for fact in self.step_facts()]
        chunks = [facts[first : first + TOGETHER] for first in range(0, len(facts), TOGETHER)]
        top_word, sign = now("core.top"), now.flag("core.sign_e")
        below = equal(extract(top_word, K - 1, K - 1), "#b1")
        top = (
            f"(bvsub {either(below, const(B - 1, K), const(0, K))} {either(sign, const(1, K), const(0, K))})"
        )
        ranged = any_of(*(equal(then("core.top"), const(v % B, K)) for v in (0, -1, -2)))
        tops = all_of(equal(then("core.top"), top), ranged)
        yield follows(
            "a step of the loop",
            (*control, "sums"),
            (in_loop, all_of(digit, tops)),
            *((in_loop, all_of(*chunk)) for chunk in chunks),
        )
        sign = now.flag("core.u_loop.gen_cell[0].sign")
        goals = [equal(then.g("XP"), self.multiple(now)), equal(then.flag("core.sign_e"), sign)]
        digits = []
        for k in range(last):
            some, minus, row = self.parts_of(now, k)
            facts = [equal(equal(now.g("SP"), "#b1"), some), equal(sign, minus)]
            digits.append(implies(then.place(k), all_of(*facts, implies(some, equal(now.g("ER"), row)))))
        added = any_of(*(then.place(k) for k in range(last - 1)), all_of(product, then.place(last - 1)))
        uses = (*control, "digits of X", "entries")
        yield follows("the multiple of each digit", uses, (added, all_of(*goals)), (added, all_of(*digits)))
        loop = all_of(product, then.within("ra", 1, last))
        stay = [
            equal(then.g(name), now.g(name))
            for name in ("XR", "YR", "XL", "YL", *(f"L{r}" for r in range(HALF)))
        ]
        yield follows(
            "operands stay with the loop",
            (*control, "operands"),
            (
                any_of(loop, all_of(then.pre, then.within("ra", 1, last))),
                all_of(*stay, kind, same_m, same_pass),
            ),
            (loop, all_of(*(equal(then.looped(side), now.looped(side)) for side in "xy"))),
            (
                all_of(product, any_of(*(then.place(k) for k in range(last - 3, last + 1)))),
                all_of(*(equal(self.own(then, side), self.before(now, side)) for side in "xy")),
            ),
        )
        yield from self._leaves(follows, now, then)
        texts = tuple(
            self.text(self.known("s", *uses), self.system.step, now.running, then.running, when)
            for uses, when in dict.fromkeys(asked)
        )
        yield Obligation("operations", "places and cases are possible", "bitwuzla", texts, holds=False)
        cases = (all_of(then.flag("given"), then.full), all_of(then.pre, self.v_there(then), self.odd(then)))
        texts = tuple(
            self.text(self.known("s"), self.system.step, now.running, then.running, when) for when in cases
        )
        name = "operations, results and residues are possible"
        yield Obligation("invariant", name, "bitwuzla", texts, holds=False)

    def before(self, at: At, side: str) -> str:
        """``x`` or ``y`` of the operation whose last digits are dropped."""
        return either(at.aged("ra", "=", self.steps), at.looped(side), self.own(at, side))

    def _begins(self, follows: Callable[..., Obligation], now: At, then: At) -> Iterator[Obligation]:
        """The loop begins."""
        bank = now.flag(f"{OPERANDS}bank_q")
        some = all_of(now.high("go_q"), any_of(negation(now.pre), negation(now.is_("gen_passes.pass_q", 0))))
        parts = []
        for i in range(self.slices):
            high, low = self.bounds_of(i)
            for r in range(HALF):
                part = either(bank, self.stored(now, i, 1, r), self.stored(now, i, 0, r))
                if r:
                    before = either(bank, self.stored(now, i, 1, r - 1), self.stored(now, i, 0, r - 1))
                    made = self.added(now, i, r, part, before)
                else:
                    y = extract(now.g("YN"), low + 31, low)
                    made = equal(part, zero_extend(y, high - low - 31))
                parts.append(all_of(made, equal(extract(then.g(f"L{r}"), high, low), part)))
        words = [self.odd_word(now, side, k) for side in "xy" for k in range(self.beats)]
        same = [equal(then.g(f"{side}L"), now.g(f"{side}N")) for side in "XY"]
        same += [equal(then.g(f"{side}R"), now.g(f"{side}I")) for side in "XY"]
        same.append(equal(then("m"), now("m")))
        uses = ("control", "operands", *(f"rows, part {i}" for i in range(self.slices)))
        yield follows("what a loop begins with", uses, (some, all_of(*parts)), (some, all_of(*words, *same)))
        product = all_of(now.high("go_q"), negation(now.pre))
        both = [equal(then.looped(side), then.g(f"{side.upper()}R")) for side in "xy"]
        goal = all_of(self.odd(now), negation(then.pre), then.aged("ra", "=", 0), *both)
        yield follows("whose operands they are", ("control", "operands", "words of M"), (product, goal))
        begins = then.place(0)
        empty = [equal(then(f"core.{name}"), const(0, self.digits)) for name in ("c", "e_c")]
        empty += [equal(then("core.s"), const(0, self.sum_bits)), equal(then("core.top"), const(0, K))]
        yield follows("the sum begins as 0", ("control", "sums"), (begins, all_of(*empty)))

    def _leaves(self, follows: Callable[..., Obligation], now: At, then: At) -> Iterator[Obligation]:
        """From the loop to what leaves, or to the table."""
        product, same_m = negation(then.pre), equal(then("m"), now("m"))
        kind = equal(then.pre, now.pre)
        same_pass = equal(then.c("gen_passes.pass_q"), now.c("gen_passes.pass_q"))
        owner = all_of(*(equal(self.own(then, side), self.own(now, side)) for side in "xy"))
        bits, digits = self.long, self.taken_digits
        s = now("core.s")
        top = extract(now("core.top"), K - 1, K - 1)
        signs = f"((_ repeat {bits - self.sum_bits - K}) {top})"
        s_long = f"(concat {signs} {now('core.top')} {s})"
        c_long = " ".join(zero_extend(now(f"core.{name}"), digits - self.digits) for name in ("e_c", "c"))
        q = f"(bvadd (bvmul {now.g('PQ')} {self.odd_u(now)}) {const(10, K)})"
        taken = [
            now.high("take_q"),
            either(now.pre, now.place(self.steps - 1), now.place(self.steps)),
            equal(then("core.u_result.s_taken_q"), s_long),
            equal(then("core.u_result.c_taken_q"), f"(concat {c_long})"),
            equal(then("core.u_result.u_converter.raised_q"), q),
            implies(
                all_of(now.pre, negation(now.second)), equal(now.g("PQ"), f"(bvor {now.g('PD')} {now.row})")
            ),
            implies(any_of(negation(now.pre), now.second), equal(now.g("PQ"), now.g("PD"))),
        ]
        names = [f"core.u_result.{name}" for name in ("s_taken_q", "c_taken_q", "u_converter.raised_q")]
        stays = [self.taken_there(now), *(equal(then(name), now(name)) for name in names)]
        here = all_of(self.taken_there(then), self.odd(then))
        goal = all_of(kind, same_m, same_pass, any_of(all_of(*taken), all_of(*stays)))
        uses: tuple[str, ...] = ("control", "words of M", "q", "sums")
        yield follows(
            "a sum that waits is the one that was taken", uses, (here, goal), (all_of(here, product), owner)
        )
        there = self.v_there(then)
        v = f"(V {self.taken(now)})"
        comes = all_of(self.taken_there(now), now.aged("c", "=", 1), equal(then.g("VZ"), v))
        stays_v = all_of(self.v_there(now), equal(then.g("VZ"), now.g("VZ")))
        goal = all_of(kind, same_m, same_pass, any_of(comes, stays_v))
        first = all_of(*(equal(then(f"{side}0"), now(f"{side}0")) for side in "xy"))
        yield follows(
            "V is that of the sum that waited",
            ("control", "words of M"),
            (there, goal),
            (all_of(there, product), first),
        )
        result = extract(f"(result {now.g('VZ')} {now('m')})", self.width - 1, 0)
        left = [equal(then(side), now(f"{side}0")) for side in "xy"]
        left += [equal(then("z"), result), self.v_there(now), self.odd(now), negation(now.pre), same_m]
        given = then.flag("given")
        uses = ("control", "words of M", "SHOW")
        yield follows("what has left is the result", uses, (given, all_of(*left)))
        done = all_of(now.pre, now.flag(f"{FILLER}done_o"), self.v_there(now), same_m)
        for s_ in range(B):
            own = all_of(done, now.is_("gen_passes.pass_q", 2 * s_ + 1), equal(self.t(then, s_), result))
            kept = all_of(self.made(now, s_), equal(self.t(then, s_), self.t(now, s_)), same_m)
            uses = ("control", "words of M", "operands", "SHOW", "residues", "writes")
            yield follows(f"T[{s_}] is what was shown", uses, (self.made(then, s_), any_of(own, kept)))
        zero = all_of(then.pre, then.aged("c3", "=", self.beats))
        ways = []
        for k in range(self.beats):
            old = equal(self.t_word(then, 0, k), self.t_word(now, 0, k))
            new = all_of(
                self.v_there(now),
                equal(now.row, const(0, K)),
                equal(self.t_word(then, 0, k), self.wordof(result, k)),
            )
            ways.append(any_of(old, new))
        begun = all_of(*(equal(self.t_word(then, 0, k), const(0, self.word)) for k in range(self.beats)))
        goal = any_of(begun, all_of(now.pre, same_m, now.aged("c3", "=", self.beats), *ways))
        yield follows("T[0] stays or is what was shown", uses, (zero, goal))
        begins = all_of(now.pre, now.high("go_q"), negation(now.is_("gen_passes.pass_q", 0)))
        goal = equal(now.g("YI"), extract(f"(result {now.g('VZ')} {now('m')})", self.width - 1, 0))
        yield follows("a second pass begins with what was shown", ("control", "SHOW"), (begins, goal))
