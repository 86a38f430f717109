# SPDX-License-Identifier: Apache-2.0
"""Of ``rrm_plain``: z is x·y mod M, and the residues in its table are right.

From reset to result, at full width, for every M whose highest bit is set, even ones too, all operands and any
behaviour at the ports, resets included; nothing is assumed of the context, since the core makes its table
itself. The letters are those of the header of ``mm_rrm_plain``; P is 4^D, a_k the digit that is pushed out
behind step k, Q_k what is left below it, with the carries of two cycles. Two layers:

- **invariant** (bitwuzla, on the netlist): what is in every register at every moment. Beside the netlist
  there are registers of the proof's own, which nothing in the core sees: counts of cycles since a reset and
  since the loop and the converter began; what was in some registers a few cycles ago; U, and what a pass of
  the converter makes, as whole numbers. ``rrm_plain_where``: control; ``rrm_plain_loop``: x, y, M and the
  sum; ``rrm_plain_convert``: the converter and the table.
- **number** (``rrm_plain_numbers``; z3 over integers, of facts that bitwuzla shows): a step makes
  Q_(k+1) + P·a_(k+1) = 4·Q_k + x_k·y + table[a_(k-3)]. So with table[t] = t·P·4^4 mod M the sum, with what is
  pushed out and pending, is Q_k + P·(a_k + 4a_(k-1) + 16a_(k-2) + 64a_(k-3)) = (the first k digits of x)·y
  mod M. For k = L that is U; the converter divides it by M, and z is what remains. An entry of the table is
  what the converter leaves of t·2^5·P, in three passes more, which multiply it by 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self

from modmul.prove.netlist import system
from modmul.prove.product.rrm_plain_numbers import Numbers
from modmul.prove.product.rrm_plain_where import ENTRIES, At, counted
from modmul.prove.product.rrm_where import AGE, bench, either
from modmul.prove.product.serial import TOP
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, any_of, const, equal, implies, negation
from modmul.room import Build

__all__ = ["PushedOut"]

TOGETHER = 48
"""Facts of the invariant in a question."""


class PushedOut(Numbers):
    """The obligations of a build."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if config.beats * config.word != config.width or config.beats < 2:
            raise ValueError(f"{build}: the proof is written for operands of two or more whole words")
        if counted(build) >= 1 << AGE:
            raise ValueError(f"{build}: the proof is written for conversions of less than {1 << AGE} cycles")
        return cls(build, system(build.design, bench(build), TOP))

    # --- the obligations --------------------------------------------------------------------------

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        yield from self.of_operations()
        yield from self.of_numbers()
        yield Obligation(
            "number",
            "these lemmas make an induction over clock cycles",
            "z3",
            (self.composed(),),
        )

    def parts(self) -> dict[str, Callable[[At], Iterator[tuple[str, str]]]]:
        """The invariant, in parts."""
        return {
            "control": self.control,
            "words": self.words,
            "digits of x": self.numerals,
            "what is pushed out": self.pushed,
            "sums": self.sums,
            "sums that are taken": self.takes,
            "passes": self.passes_whole,
            "words of a pass": self.passing,
            "results": self.leaving,
            "table": self.table,
        }

    def known(self, name: str) -> str:
        """The invariant, in a state without reset."""
        at = self.at(name)
        facts = [fact for part in self.parts().values() for _, fact in part(at)]
        return implies(at.state.is_("rst_ni", 1), all_of(*facts))

    def of_netlist(self) -> Iterator[Obligation]:
        """It holds behind a cycle of reset, whatever was before, and goes on holding."""
        known = (self.known("s"), self.system.step, self.at("n").state.is_("rst_ni", 1))
        for name, part in self.parts().items():
            facts = [fact for _, fact in part(self.at("n"))]
            chunks = (facts[first : first + TOGETHER] for first in range(0, len(facts), TOGETHER))
            texts = tuple(self.text(*known, negation(all_of(*chunk))) for chunk in chunks)
            yield Obligation("invariant", name, "bitwuzla", texts)

    # --- operations ---------------------------------------------------------------------------------

    def places(self, at: At) -> dict[str, str]:
        """Where an operation, or an entry of the table, may be."""
        product, entry = negation(at.pre), at.pre
        found = {
            "waits": all_of(at.busy, at.aged("la", "bvuge", self.steps + 5)),
            "begins": all_of(product, self.early(at)),
            "ended": all_of(product, at.rest, at.valid),
            "entry begins": all_of(entry, self.early(at)),
        }
        for p in range(1, self.passes):
            found[f"pass {p}"] = all_of(product, at.in_pass(p))
        for p in range(1, self.more_passes):
            found[f"entry pass {p}"] = all_of(entry, at.in_pass(p))
        return found

    def of_operations(self) -> Iterator[Obligation]:
        """What stays with an operation from cycle to cycle."""
        now, then = self.at("s"), self.at("n")
        here, there = self.places(now), self.places(then)
        running = now.state.is_("rst_ni", 1)
        known = (self.known("s"), self.system.step, then.state.is_("rst_ni", 1))
        asked: list[str] = []

        def follows(name: str, *pairs: tuple[str, str]) -> Obligation:
            asked.extend(when for when, _ in pairs)
            texts = tuple(self.text(*known, when, negation(goal)) for when, goal in pairs)
            return Obligation("operations", name, "bitwuzla", texts)

        def stays(*names: str) -> str:
            return all_of(*(equal(then.g(name), now.g(name)) for name in names))

        steps, same_m = self.steps, equal(then("m"), now("m"))
        table = stays(*(f"T{e}" for e in ENTRIES))
        looped = all_of(*(equal(then.looped(name), now.looped(name)) for name in "xy"))
        begins, step = then.aged("la", "=", 4), then.within("la", 5, steps + 4)
        one = equal(then.g("la"), f"(bvadd {now.g('la')} {const(1, AGE)})")
        zero = [equal(then("core.s"), const(0, self.sum_bits)), equal(then("core.c"), const(0, self.digits))]
        zero.append(equal(then.g("C1"), const(0, self.digits)))
        digits = (self.top(then), then("core.addr_q"), then("core.pushed_q"), then.g("P3"))
        zero += [equal(digit, "#x0") for digit in digits]
        yield follows("the sum begins as 0", (begins, all_of(*zero)))
        yield follows(
            "the steps of the loop follow each other",
            (step, all_of(running, one, now.whole, looped, same_m, table)),
        )
        moved = (self.top(now), now("core.addr_q"), now("core.pushed_q"))
        onward = [equal(behind, before) for behind, before in zip(digits[1:], moved, strict=True)]
        early = implies(now.aged("la", "bvule", 5), equal(now.g("P3"), "#x0"))
        ranged = any_of(*(equal(now.g("P3"), const(e, 4)) for e in ENTRIES))
        yield follows(
            "what is pushed out waits for its residue",
            (step, all_of(*onward, equal(then.g("C1"), now("core.c")), early, ranged)),
        )
        facts = [fact.over_bits() for fact in self.step_facts()]
        chunks = [facts[first : first + TOGETHER] for first in range(0, len(facts), TOGETHER)]
        yield follows("each digit of a step", *((step, all_of(*chunk)) for chunk in chunks))
        yield from self._waiting(follows, here, there)
        yield from self._passing(follows, here, there)
        given = all_of(running, here["ended"], now.whole, same_m, stays("R"))
        left = all_of(*(equal(then(name), now(f"{name}0")) for name in "xy"))
        yield follows("what has left is the result", (then("given"), all_of(given, left)))
        for e in ENTRIES:
            last = all_of(
                here[f"entry pass {self.more_passes - 1}"], equal(now.control("entry_q"), const(e, 4))
            )
            comes = all_of(last, equal(then.g(f"T{e}"), self.result(now.g("N"))))
            kept = all_of(self.made(now, e), stays(f"T{e}"))
            goal = all_of(running, same_m, any_of(comes, kept))
            yield follows(f"entry {e} is what was made", (self.made(then, e), goal))
        crowded = all_of(then.aged("la", "=", steps + 4), then.full, then.out)
        some = [*dict.fromkeys(asked), crowded, all_of(then("given"), then.busy, then.full)]
        some += [
            all_of(then.rest, then.control("write_q")),
            there["pass 1"],
            there[f"pass {self.passes - 1}"],
        ]
        some += [there["entry pass 1"], there[f"entry pass {self.more_passes - 1}"]]
        texts = tuple(self.text(*known, running, when) for when in some)
        yield Obligation("operations", "places and cases are possible", "bitwuzla", texts, holds=False)

    def _waiting(
        self, follows: Callable[..., Obligation], here: dict[str, str], there: dict[str, str]
    ) -> Iterator[Obligation]:
        """From the loop to the converter."""
        now, then = self.at("s"), self.at("n")
        running, same_m = now.state.is_("rst_ni", 1), equal(then("m"), now("m"))
        s, c, d = (f"{name}_taken_q" for name in "scd")
        digits = (self.top(now), now("core.addr_q"), now("core.pushed_q"), now.g("P3"))
        ranged = (any_of(*(equal(digit, const(e, 4)) for e in ENTRIES)) for digit in digits)
        taken = [
            now.aged("la", "=", self.steps + 4),
            equal(then.conv(s), now("core.s")),
            equal(then.conv(c), now("core.c")),
            equal(then.conv(d), now.g("C1")),
            equal(then.g("W"), self.pending(*digits)),
            *ranged,
        ]
        kept = [here["waits"], equal(then.g("W"), now.g("W"))]
        kept += [equal(then.conv(name), now.conv(name)) for name in (s, c, d)]
        looped = all_of(*(equal(then.looped(name), now.looped(name)) for name in "xy"))
        yield follows(
            "a sum that waits is the one that was complete",
            (there["waits"], all_of(running, looped, same_m, any_of(all_of(*taken), all_of(*kept)))),
        )
        words = [equal(then.g(name), now.g(name)) for name in ("US", "U")]

        def made(above: str, *parts: str) -> list[str]:
            u_s, u_d = f"(ext {above} {parts[0]})", f"(carried {parts[1]} {parts[2]})"
            return [equal(then.g("US"), u_s), equal(then.g("U"), f"(bvadd {u_s} {u_d})")]

        owner = all_of(*(equal(then(f"{name}0"), now.looped(name)) for name in "xy"))
        oldest = all_of(*(equal(then(f"{name}0"), now(f"{name}0")) for name in "xy"))
        comes = all_of(here["waits"], owner, *made(now.g("W"), *(now.conv(name) for name in (s, c, d))))
        stays = all_of(here["begins"], oldest, *words)
        yield follows(
            "U is that of the sum that waited",
            (there["begins"], all_of(running, same_m, any_of(comes, stays))),
        )
        zero = (const(0, self.sum_bits), const(0, self.digits), const(0, self.digits))
        entry = equal(then.control("entry_q"), now.control("entry_q"))
        begun = all_of(*made(self.entry_above(now), *zero))
        stays = all_of(here["entry begins"], *words)
        yield follows(
            "U is that of an entry",
            (there["entry begins"], all_of(running, same_m, entry, any_of(begun, stays))),
        )

    def _passing(
        self, follows: Callable[..., Obligation], here: dict[str, str], there: dict[str, str]
    ) -> Iterator[Obligation]:
        """From pass to pass."""
        now, then = self.at("s"), self.at("n")
        running, same_m = now.state.is_("rst_ni", 1), equal(then("m"), now("m"))
        new, old = equal(then.g("R"), now.g("N")), equal(then.g("R"), now.g("R"))
        oldest = all_of(*(equal(then(f"{name}0"), now(f"{name}0")) for name in "xy"))
        entry = equal(then.control("entry_q"), now.control("entry_q"))
        for kind, count, same in (("", self.passes, oldest), ("entry ", self.more_passes, entry)):
            pairs = []
            for p in range(1, count):
                before = here[f"{kind}pass {p - 1}" if p > 1 else f"{kind}begins"]
                comes, stays = all_of(before, new), all_of(here[f"{kind}pass {p}"], old)
                pairs.append((there[f"{kind}pass {p}"], all_of(running, same_m, same, any_of(comes, stays))))
            when = any_of(*(place for place, _ in pairs))
            goal = all_of(*(implies(place, each) for place, each in pairs))
            yield follows(f"{kind}passes follow each other", (when, goal))
        comes = all_of(here[f"pass {self.passes - 1}"], new)
        stays = all_of(here["ended"], old)
        yield follows(
            "a result waits", (there["ended"], all_of(running, same_m, oldest, any_of(comes, stays)))
        )
        plus, minus = negation(self.negative(now.g("US"))), self.negative(now.g("R"))
        before, made, m = now.g("R"), now.g("N"), now("m")
        pairs = []
        for p in range(self.more_passes):
            in_pass = all_of(running, now.in_pass(p))
            if p == 0:
                goal = equal(made, f"(added {now.g('U')} {m} {plus} {plus})")
                pairs.append((in_pass, goal))
                continue
            middle = equal(made, f"(added {self.twice(before)} {m} true {negation(minus)})")
            last = equal(made, f"(added {before} {m} {minus} false)")
            if p == self.passes - 1:
                middle = either(now.pre, middle, last)
            pairs.append((in_pass, last if p == self.more_passes - 1 else middle))
        goal = all_of(*(implies(when, each) for when, each in pairs))
        yield follows("what a pass makes", (any_of(*(when for when, _ in pairs)), goal))

    # --- the induction --------------------------------------------------------------------------------

    def composed(self) -> str:
        """That what the lemmas keep up does not go on holding: one step of the induction over clock cycles.

        ``at.k`` is that the sum of an operation is behind k steps, ``sum.k`` that it is right; ``waits`` and
        ``sum`` the same of a sum that was taken, ``begins`` and ``u`` of U, ``p.k`` and ``r.k`` of R in pass
        k, ``ended`` and ``r`` of the result, ``given`` and ``z`` of what has left. With ``e.`` in front they
        are of an entry of the table; ``T.t`` is that entry t is right if it is ``made.t``. The ending ``_n``
        is for the next state.
        """
        last = self.steps
        pairs = {f"at.{k}": f"sum.{k}" for k in range(last + 1)}
        pairs |= {"waits": "sum", "begins": "u", "ended": "r", "given": "z", "e.begins": "e.u"}
        pairs |= {f"p.{k}": f"r.{k}" for k in range(1, self.passes)}
        pairs |= {f"e.p.{k}": f"e.r.{k}" for k in range(1, self.more_passes)}
        pairs |= {f"made.{t}": f"T.{t}" for t in ENTRIES}

        def holds(e: str) -> str:
            return all_of(*(implies(f"{place}{e}", f"{right}{e}") for place, right in pairs.items()))

        def comes(place: str, *ways: str) -> str:
            """A place comes behind others, or behind itself; what is right stays so."""
            right = pairs[place]
            kept = all_of(place, implies(right, f"{right}_n"))
            return implies(f"{place}_n", any_of(*ways, kept))

        def behind(place: str, following: str) -> str:
            return all_of(place, implies(pairs[place], f"{pairs[following]}_n"))

        table = all_of(*(f"T.{t}" for t in ENTRIES))
        lemmas = ["sum.0_n", implies("whole", all_of(*(f"made.{t}" for t in ENTRIES)))]
        for k in range(1, last + 1):
            lemmas.append(implies(f"at.{k}_n", all_of(f"at.{k - 1}", "whole")))
            lemmas.append(implies(all_of(f"at.{k}_n", f"sum.{k - 1}", table), f"sum.{k}_n"))
        lemmas.append(comes("waits", behind(f"at.{last}", "waits")))
        lemmas.append(comes("begins", behind("waits", "begins")))
        lemmas.append(comes("e.begins", "e.u_n"))
        for e, count in (("", self.passes), ("e.", self.more_passes)):
            lemmas.append(comes(f"{e}p.1", behind(f"{e}begins", f"{e}p.1")))
            lemmas += [comes(f"{e}p.{k}", behind(f"{e}p.{k - 1}", f"{e}p.{k}")) for k in range(2, count)]
        lemmas.append(comes("ended", behind(f"p.{self.passes - 1}", "ended")))
        lemmas.append(implies("given_n", behind("ended", "given")))
        made = f"e.p.{self.more_passes - 1}"
        lemmas += [comes(f"made.{t}", behind(made, f"made.{t}")) for t in ENTRIES]
        flags = ["whole", *pairs, *pairs.values()]
        lines = [f"(declare-const {name}{e} Bool)" for name in flags for e in ("", "_n")]
        lines += [f"(assert {each})" for each in (*lemmas, holds(""), negation(holds("_n")))]
        return "\n".join(lines)
