# SPDX-License-Identifier: Apache-2.0
"""Of ``rrm``: z is x·y/R mod M, and the residues in its table are right.

From reset to result, at full width, for every odd M, all operands and any behaviour at the ports, resets
included; nothing is assumed of the context, since the core makes its table itself. B = 4 is the base, L the
number of steps, R = B^(L-1), V_k the sum S with its carries behind k steps, p_k its lowest digit, x_k digit k
of x. Two layers:

- **invariant** (bitwuzla, on the netlist): what is in every register at every moment. Beside the netlist
  there are registers of the proof's own, which nothing in the core sees: counts of cycles since a filling, a
  run, a READ began; and the sum that the lowest cell adds up, as if all cells did so at once, with those of
  the cycles before for the cells above it. ``rrm_where``: control; ``rrm_cells``: table and sum;
  ``rrm_operands``: x and y; ``rrm_context``: M and u; ``rrm_convert``: the converter, and the residues.
- **number** (here; bitwuzla where a word is read as a number, z3 over integers): a step of the loop makes
  V_(k+1) = (V_k - p_k)/B + x_k·y + T[p_(k-1)] of V_k. If T[s]·B^2 = s mod M, then
  B^(k-1)·(V_k + B·T[p_(k-1)]) = (x_0 + ... + x_(k-1)·B^(k-1))·y mod M. The converter makes
  V = V_L + (p + q·M)/B of that, and z is V + M, V or V - M; the ranges say that 0 <= z < M. The loop for a
  residue makes (s + q·M)/B^2 of s, and T[s] is what the converter makes of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

from modmul.prove.netlist import system
from modmul.prove.product.rrm_convert import Residues
from modmul.prove.product.rrm_where import AGE, CONTROL, CORE, PRE, At, K, bench, either
from modmul.prove.product.serial import TOP
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Congruent,
    Relation,
    Word,
    all_of,
    any_of,
    const,
    equal,
    extract,
    implies,
    negation,
    shown_sum,
    zero_extend,
)
from modmul.room import Build

__all__ = ["Reinjected"]

BASE = 1 << K
TOGETHER, FEW = 48, 12
"""Facts of the invariant in a question; and of parts that take long."""
LONG = ("sums", "entries at each step", "READ", "residues")
"""The parts that take long."""
MADE = "made entry "
"""In front of an entry's number: the facts that it is the sum of another one and y."""


def denied(names: Iterable[str], known: Iterable[str], *goals: str) -> str:
    """That something is known of integers, and not all goals hold."""
    lines = [f"(declare-const {name} Int)" for name in names]
    lines += [f"(assert {each})" for each in (*known, negation(all_of(*goals)))]
    return "\n".join(lines)


class Reinjected(Residues):
    """The obligations of a build."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if config.digit_bits != K or config.delay != 1 or config.banks != 1 or config.lazy:
            raise ValueError(
                f"{build}: the proof is written for DigitBits=2, Delay=1, Banks=1 and results below M"
            )
        if config.beats * config.word != config.width or not 3 <= config.beats <= 16 or config.word < 16:
            raise ValueError(
                f"{build}: the proof is written for operands of 3 to 16 whole words of 16 bits or more"
            )
        found = cls(build, system(build.design, bench(build), TOP))
        if found.steps < max(found.started, found.read) + 3 or found.cells > found.beats + 6:
            raise ValueError(
                f"{build}: the proof is written for loops that are longer than what is around them"
            )
        return found

    # --- the obligations --------------------------------------------------------------------------

    def text(self, *assertions: str) -> str:
        """A text about the netlist, in which F is a function of which some things are known."""
        found = super().text(*self.begins(), *assertions)
        return found.replace("(set-logic QF_BV)", "(set-logic QF_UFBV)", 1)

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        yield from self.of_operations()
        yield from self.of_numbers()

    def parts(self) -> dict[str, Callable[[At], Iterator[tuple[str, str]]]]:
        """The invariant, in parts."""
        return {
            "control": self.control,
            "chains of the cells": self.chains,
            "table": self.tables,
            "words of operands": self.words,
            "digits of x": self.digits,
            "addresses": self.addresses,
            "sums": self.sums,
            "entries at each step": self.places,
            "words of M": self.modulus,
            "sums that are taken": self.takes,
            "READ": self.reading,
            "SHOW": self.showing,
            "residues": self.residues,
        }

    def at(self, name: str) -> At:
        return At(self, self.system.state(name))

    def known(self, name: str) -> str:
        """The invariant, in a state without reset."""
        at = self.at(name)
        facts = [fact for part in self.parts().values() for _, fact in part(at)]
        return implies(at.state.is_("rst_ni", 1), all_of(*facts))

    def of_netlist(self) -> Iterator[Obligation]:
        """It holds behind a cycle of reset, whatever was before, and goes on holding.

        What only the residues need of themselves the questions of other parts do not know.
        """
        now, then = self.at("s"), self.at("n")
        known = (self.known("s"), self.system.step, then.state.is_("rst_ni", 1))
        for name, part in self.parts().items():
            before, behind = ([*self.loads(at)] if name == "residues" else [] for at in (now, then))
            facts = [fact for what, fact in (*part(then), *behind) if not what.startswith(MADE)]
            helped = *known, *(implies(now.state.is_("rst_ni", 1), fact) for _, fact in before)
            size = FEW if name in LONG else TOGETHER
            chunks = (facts[first : first + size] for first in range(0, len(facts), size))
            texts = tuple(self.text(*helped, negation(all_of(*chunk))) for chunk in chunks)
            yield Obligation("invariant", name, "bitwuzla", texts)
        made: dict[str, list[str]] = {}
        for what, fact in self.tables(then):
            if what.startswith(MADE):
                made.setdefault(what, []).append(fact)
        texts = tuple(
            self.text(*known, *self.goes_on(int(what.removeprefix(MADE))), negation(all_of(*facts)))
            for what, facts in made.items()
        )
        yield Obligation("invariant", "entries are sums of others", "bitwuzla", texts)
        out = all_of(now.high("valid_q"), now.high("run_q"), now.full, now.low("pre_q"))
        residue = all_of(now.high("latch_q", "read_q"), self.odd(now))
        some = (out, residue, now.high_of("given"), self.place(now, self.steps))
        texts = tuple(
            self.text(self.known("s"), now.state.is_("rst_ni", 1), each, self.system.step) for each in some
        )
        yield Obligation(
            "invariant", "operations, residues and results are possible", "bitwuzla", texts, holds=False
        )

    def of_operations(self) -> Iterator[Obligation]:
        """What stays with an operation from cycle to cycle."""
        now, then = self.at("s"), self.at("n")
        running = now.state.is_("rst_ni", 1)
        known = (self.known("s"), self.system.step, then.state.is_("rst_ni", 1))

        def follows(name: str, *pairs: tuple[str, str]) -> Obligation:
            texts = tuple(self.text(*known, when, negation(goal)) for when, goal in pairs)
            return Obligation("operations", name, "bitwuzla", texts)

        first = self.word // K + 3  # step_q in cycle 2 of the loop
        step = f"(bvadd {now.counts(f'{CONTROL}step_q')} {const(1, AGE)})"
        run = all_of(then.high("run_q"), f"(bvugt {then.counts(f'{CONTROL}step_q')} {const(first, AGE)})")
        one = equal(then.counts(f"{CONTROL}step_q"), step)
        tail = ("run_last_q2", "run_last_q3", "take_q")
        before = (now.high("run_last_q"), now.high(tail[0]), now.high(tail[1]))
        pre = equal(now.high("pre_q"), then.high("pre_q"))
        old = then.aged("sr", "=", self.clean)
        places = [(run, all_of(running, now.high("run_q"), one, pre))]
        places += [
            (all_of(then.high(flag), old), all_of(running, past, pre))
            for flag, past in zip(tail, before, strict=True)
        ]
        yield follows("the places of the sum follow each other", *places)
        loops = any_of(run, *(all_of(then.high(flag), old) for flag in tail))
        sums = all_of(
            equal(then.g("HS0"), f"(fS {now.g('HS0')} {now.g('HC0')} {now.g('EV0')})"),
            equal(then.g("HC0"), f"(fC {now.g('HS0')} {now.g('HC0')} {now.g('EV0')})"),
            equal(then.g("HS1"), now.g("HS0")),
        )
        yield follows("a step of the loop", (loops, sums))
        same = all_of(*(equal(self.owns(then, name), self.owns(now, name)) for name in "xy"))
        whole = then.gate("whole_q")
        yield follows("operands stay with the loop", (all_of(loops, whole), same))
        kept = [equal(then("m"), now("m"))]
        kept += [equal(then.g(f"T{s}"), now.g(f"T{s}")) for s in range(1, BASE)]
        later = all_of(self.later(then), then.low("pre_q"))
        context = any_of(all_of(self.later(now), now.low("pre_q")), now.high("pre_q"))
        yield follows("M and its residues stay", (any_of(whole, later), all_of(running, context, *kept)))
        pre_kept = all_of(self.filled_in(then, 1), then.high("pre_q"))
        yield follows(
            "M stays while its residues are made", (pre_kept, all_of(running, now.high("pre_q"), kept[0]))
        )
        yield from self._waiting(follows, running)
        yield from self._leaving(follows, running)
        yield from self._residues(follows, running)

    def waits(self, at: At) -> str:
        """A sum has been taken, and V is not there yet."""
        tail = any_of(*(at.high(name) for name in ("run_last_q2", "run_last_q3", "take_q")))
        unread = all_of(at.high("unread_q"), negation(tail))
        early = all_of(at.high("read_q"), at.aged("c", "bvule", 1), negation(at.high("take_q")))
        return any_of(unread, early)

    def converts(self, at: At) -> str:
        """V is there, and is read or shown."""
        return all_of(at.busy, at.aged("c", "bvuge", 2))

    def owner(self, at: At, name: str) -> str:
        """``x`` or ``y`` of the operation whose sum waits, or is to be taken."""
        return either(at.high("unread_q"), at.looped(name), at(f"{name}0"))

    def owns(self, at: At, name: str) -> str:
        """The same of the one in the loop."""
        return either(at.high("run_q"), at.looped(name), self.owner(at, name))

    def _waiting(self, follows: Callable[..., Obligation], running: str) -> Iterator[Obligation]:
        """From the loop to the converter."""
        now, then = self.at("s"), self.at("n")
        taken = [equal(then.g(f"Z{name}"), now.g(f"H{name}0")) for name in "SC"]
        taken.append(equal(then.g("ZP"), extract(now.g("HS1"), K - 1, 0)))
        stays = [equal(then.g(f"Z{name}"), now.g(f"Z{name}")) for name in "SCP"]
        same = [equal(self.owner(then, name), self.owner(now, name)) for name in "xy"]
        pre = equal(now.high("pre_q"), then.high("pre_q"))
        whole = then.gate("whole_q")
        take = now.high("take_q")
        waits = self.waits(then)
        yield follows(
            "a sum that waits is the one that was taken",
            (waits, all_of(running, pre, either(take, all_of(*taken), all_of(self.waits(now), *stays)))),
            (all_of(waits, whole), all_of(*same)),
        )
        converts = self.converts(then)
        comes = all_of(self.waits(now), equal(then.g("VZ"), self.v(now)))
        goes = all_of(self.converts(now), equal(then.g("VZ"), now.g("VZ")))
        yield follows(
            "V is that of the sum that waited",
            (
                converts,
                all_of(
                    running,
                    pre,
                    either(self.read_begins(now), comes, goes),
                ),
            ),
            (
                all_of(converts, whole),
                all_of(
                    *(
                        equal(
                            then(f"{name}0"),
                            either(self.read_begins(now), self.owner(now, name), now(f"{name}0")),
                        )
                        for name in "xy"
                    )
                ),
            ),
        )

    def read_begins(self, at: At) -> str:
        """The first cycles of READ, in which V is not there yet."""
        return all_of(at.high("read_q"), at.aged("c", "bvule", 1))

    def _leaving(self, follows: Callable[..., Obligation], running: str) -> Iterator[Obligation]:
        """The result that leaves."""
        now, then = self.at("s"), self.at("n")
        result = extract(f"(result {now.g('VZ')} {now('m')})", self.width - 1, 0)
        facts = [equal(then(name), now(f"{name}0")) for name in "xy"]
        facts += [equal(then("z"), result), equal(then("m"), now("m"))]
        given = then.high_of("given")
        yield follows(
            "what has left is the result",
            (given, all_of(running, self.converts(now), now.gate("whole_q"), *facts)),
        )

    def _residues(self, follows: Callable[..., Obligation], running: str) -> Iterator[Obligation]:
        """A residue goes from the loop to the table."""
        now, then = self.at("s"), self.at("n")
        odd = self.odd(then)
        col, q = then.c("col_q"), then(f"{CORE}q_q")
        u, m = then(f"{CORE}u"), extract(then("m"), 2 * K - 1, 0)
        at_work = all_of(
            then.high("pre_q"), any_of(then.high("run_q"), then.high("latch_q")), self.filled_in(then, 1)
        )
        times = f"(bvmul {u} {zero_extend(col, K)})"
        yield follows(
            "q is -s/M modulo B^2",
            (
                all_of(at_work, odd, negation(all_of(then.high("run_q"), then.aged("ra", "=", 0)))),
                all_of(
                    equal(q, times),
                    equal(f"(bvmul {u} {m})", const(15, 2 * K)),
                    negation(equal(col, const(0, K))),
                ),
            ),
        )
        moves = all_of(at_work, any_of(now.high("run_q"), now.high("latch_q")), now.aged("ra", "bvuge", 2))
        same = all_of(equal(q, now(f"{CORE}q_q")), equal(col, now.c("col_q")))
        yield follows("q and s stay", (moves, same))
        for s in range(1, BASE):
            is_s = all_of(
                now.high("reading_q", "row_0_q", "pre_q"),
                now.low("zero_q"),
                equal(now.c("col_q"), const(s, K)),
            )
            result = extract(f"(result {now.g('VZ')} {now('m')})", self.width - 1, 0)
            yield follows(
                f"T[{s}] is what was shown",
                (
                    all_of(is_s, self.odd(now)),
                    all_of(running, equal(then.g(f"T{s}"), result), self.shows_residue(now)),
                ),
                (
                    all_of(self.made(then, s), self.odd(then)),
                    all_of(
                        running,
                        self.odd(now),
                        any_of(is_s, all_of(self.made(now, s), equal(then.g(f"T{s}"), now.g(f"T{s}")))),
                    ),
                ),
            )
        reads = all_of(then.high("reading_q", "row_0_q", "pre_q"), then.low("zero_q"), odd)
        came = all_of(
            running,
            self.converts(now),
            equal(then.g("VZ"), now.g("VZ")),
            equal(then.c("col_q"), now.c("col_q")),
        )
        there = all_of(
            running,
            self.shows_residue(now),
            equal(then.g("VZ"), now.g("VZ")),
            equal(then.c("col_q"), now.c("col_q")),
        )
        yield follows(
            "what is shown is V's",
            (reads, any_of(came, there)),
            (all_of(self.shows_residue(then), odd), any_of(came, there)),
        )

    def shows_residue(self, at: At) -> str:
        """A residue has been shown, and is not in the table yet."""
        y_there = all_of(at.high("latch_q", "y_there_q"), at.low("bare_q"))
        return any_of(y_there, all_of(at.high("reading_q", "row_0_q", "pre_q"), at.low("zero_q")))

    def made(self, at: At, s: int) -> str:
        """T[s] has been shown."""
        columns = any_of(*(equal(at.g("wc"), const(t, K)) for t in range(s, BASE)))
        making = all_of(self.filled_in(at, 1), at.high("pre_q"), at.writing, columns)
        return any_of(making, all_of(self.later(at), at.low("pre_q")))

    # --- numbers ----------------------------------------------------------------------------------

    def pure(self, constants: dict[str, int], *assertions: str) -> str:
        """A text about words alone."""
        lines = [f"(declare-const {name} (_ BitVec {bits}))" for name, bits in constants.items()]
        lines += [f"(assert {each})" for each in assertions]
        return "(set-logic QF_BV)\n" + self.summed() + self.numbers() + "\n".join(lines)

    def of_numbers(self) -> Iterator[Obligation]:
        def bits(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "bitwuzla", texts)

        def integers(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        yield bits("each digit of a step", self.digits_made())
        yield integers("they sum up to the step", self.step_summed())
        yield bits("an entry is x·y + T[s]", *self.entries_made())
        yield integers("B^(k-1)·(V_k + B·T) goes on being x·y", *self.loop_goes_on())
        yield integers("digits times y are x·y", self.distributed())
        yield integers("V_k stays in its range", *self.in_range())
        yield bits("each column of V", self.columns_made(), *self.words_made())
        yield bits("the term of P, its fraction and what is rounded", *self.terms_made())
        yield integers("V is V_L + (p + q·M)/B", self.v_summed())
        yield bits("z by the signs of V and V - M", *self.results_made())
        yield integers("0 <= z < M, and z - V is a multiple of M", *self.results_right())
        yield integers("the result is x·y/R", self.product_right())
        yield integers("the loop for a residue", *self.residue_right())
        yield integers("these lemmas make an induction over clock cycles", self.composed())

    def digits_made(self) -> str:
        """That a digit of a step is another sum."""
        bits = self.sum_bits
        even = const(sum(1 << j for j in range(0, bits, K)), bits)
        whole = {name: Word(name, name, bits) for name in "SCe"}
        s_n, c_n = Word("S_n", "(fS S C e)", bits), Word("C_n", "(fC S C e)", bits)
        facts = []
        for j in range(0, bits, K):
            left = {(s_n, j): 1, (s_n, j + 1): 2, (c_n, j): 4}
            right = {(whole["C"], j): 1, (whole["e"], j): 1, (whole["e"], j + 1): 2}
            if j + K < bits:
                right |= {(whole["S"], j + K): 1, (whole["S"], j + K + 1): 2}
            facts.append(Relation(left, right).over_bits())
        spread = equal(f"(bvand {even} (fC S C e))", "(fC S C e)")
        known = equal(f"(bvand {even} C)", "C")
        return self.pure(dict.fromkeys("SCe", bits), known, negation(all_of(spread, *facts)))

    def step_summed(self) -> str:
        """That B·(V' - E) + p is not V, though each digit is right."""
        digits = self.sum_bits // K
        names = [f"{name}{j}" for name in ("s", "c", "e", "sn", "cn") for j in range(digits)]
        known = []
        for j in range(digits):
            above = f"s{j + 1}" if j + 1 < digits else "0"
            known.append(f"(= (+ sn{j} (* {BASE} cn{j})) (+ {above} e{j} c{j}))")

        def value(s: str, c: str | None = None) -> str:
            weights = {f"{s}{j}": BASE**j for j in range(digits)}
            if c:
                weights |= {f"{c}{j}": BASE ** (j + 1) for j in range(digits)}
            return shown_sum(weights)

        goal = f"(= (+ (* {BASE} {value('sn', 'cn')}) s0) (+ {value('s', 'c')} (* {BASE} {value('e')})))"
        return denied(names, known, goal)

    def entries_made(self) -> Iterator[str]:
        """That F is not what the invariant takes it for, or x·y + T another number."""
        bits, width = self.sum_bits, self.width
        words = {"y": width, "t": bits}
        long = zero_extend("y", bits - width)
        yield self.pure(words, negation(equal(f"(F {const(0, K)} y t)", "t")))
        for x in range(1, BASE):
            more = f"(bvadd (F {const(x - 1, K)} y t) {long})"
            yield self.pure(words, negation(equal(f"(F {const(x, K)} y t)", more)))
        y, t = (Word(name, name, width) for name in "yt")
        for x in range(BASE):
            entry = Word("E", f"(F {const(x, K)} y {zero_extend('t', bits - width)})", bits)
            fact = Compared({entry: 1}, "=", {t: 1} | ({y: x} if x else {}))
            yield self.pure({"y": width, "t": width}, negation(fact.over_bits()))

    def loop_goes_on(self) -> Iterator[str]:
        """That it is not right behind step k, though it was before; and behind the first."""
        known = ["(= V 0)", "(= p 0)", "(= T 0)", f"(= (+ (* {BASE} Vn) p) (+ V (* {BASE} (+ xy T))))"]
        yield denied(("V", "p", "T", "Vn", "xy", "Tn"), [*known, "(= Tn 0)"], f"(= (+ Vn (* {BASE} Tn)) xy)")
        for k in range(1, self.steps):
            weight = BASE ** (k - 1)
            known = [
                f"(= (+ (* {BASE} Vn) p) (+ V (* {BASE} (+ xy T))))",
                f"(= (* {weight} (+ V (* {BASE} T))) (+ XY MQ))",
                f"(= (* {BASE**2} Tn) (+ p Me))",
            ]
            more = BASE * weight
            goal = f"(= (* {more} (+ Vn (* {BASE} Tn))) (+ XY (* {more} xy) MQ (* {weight} Me)))"
            yield denied(("V", "p", "T", "Vn", "xy", "Tn", "XY", "MQ", "Me"), known, goal)
        yield denied("MQew", [], "(= (+ (* M Q) (* w (* M e))) (* M (+ Q (* w e))))")

    def distributed(self) -> str:
        digits = [f"x{k}" for k in range(self.steps)]
        x = shown_sum({each: BASE**k for k, each in enumerate(digits)})
        made = shown_sum({f"(* {each} y)": BASE**k for k, each in enumerate(digits)})
        return denied(("y", *digits), [], equal(f"(* {x} y)", made))

    def in_range(self) -> Iterator[str]:
        """That V_k is not; the last two digits of x are 0."""
        made = f"(= (+ (* {BASE} Vn) p) (+ V (* {BASE} (+ xy T))))"
        known = [made, f"(<= 0 p {BASE - 1})", "(<= 0 V)", "(<= 0 T)", "(< T M)", "(<= 0 xy)", "(<= 1 M)"]
        names = ("V", "Vn", "p", "T", "xy", "M")
        yield denied(
            names, [*known, f"(<= xy (* {BASE - 1} M))", "(< V (* 6 M))"], "(<= 0 Vn)", "(< Vn (* 6 M))"
        )
        yield denied(names, [*known, "(= xy 0)", "(< V (* 6 M))"], "(<= 0 Vn)", "(< (* 2 Vn) (* 5 M))")
        last = "(<= 0 Vn)", f"(< (* 2 (+ (* {BASE} Vn) p)) (* 13 M))"
        yield denied(names, [*known, "(= xy 0)", "(< (* 2 V) (* 5 M))"], *last)
        for digit in range(BASE):
            yield denied(
                "xyM", [f"(= x (* {digit} y))", "(<= 0 y)", "(<= y M)"], f"(<= 0 x (* {BASE - 1} M))"
            )

    def columns_made(self) -> str:
        """That a column of V is another sum."""
        long, bits = self.long, self.sum_bits
        numbers = "S C p m"
        known = {"S": bits, "C": bits, "p": K, "m": self.width}
        term = Word("t", "(term (raised p m) m)", long)
        a = Word("a", zero_extend("S", long - bits), long)
        b = Word("b", f"(bvshl {zero_extend('C', long - bits)} {const(K, long)})", long)
        sums, carries = Word("s", f"(sums {numbers})", long), Word("c", f"(carries {numbers})", long)
        facts = []
        for j in range(long - 1):
            left = {(sums, j): 1, (carries, j + 1): 2}
            facts.append(Relation(left, {(a, j): 1, (b, j): 1, (term, j): 1}).over_bits())
        high = long - 1
        top = f"(bvxor {' '.join(extract(word.term, high, high) for word in (a, b, term))})"
        facts.append(equal(extract(sums.term, high, high), top))
        rounds = equal(extract(carries.term, 0, 0), "(ite (= (part (raised p m) m) #b00) #b0 #b1)")
        return self.pure(known, negation(all_of(rounds, *facts)))

    def words_made(self) -> Iterator[str]:
        """That V is not the sum of both words, modulo what words there are for."""
        long = self.long
        known = {"S": self.sum_bits, "C": self.sum_bits, "p": K, "m": self.width}
        v, s, c = (Word(name, f"({name} S C p m)", long) for name in ("V", "sums", "carries"))
        yield self.pure(known, negation(Congruent({v: 1}, {s: 1, c: 1}, long).over_bits()))

    def terms_made(self) -> Iterator[str]:
        """That B·term + part is not (q - 2)·M for a raised digit q, or part + p no multiple of B."""
        long = self.long + K
        odd = equal(extract("m", 0, 0), "#b1")
        m = Word("m", zero_extend("m", long - self.width), long)
        for q in range(BASE):
            digit = const(q, K)
            term = Word("t", f"((_ sign_extend {K}) (term {digit} m))", long)
            part = Word("part", zero_extend(f"(part {digit} m)", long - K), long)
            made = {term: BASE, part: 1}
            less, more = ({m: 2 - q}, {}) if q < 2 else ({}, {m: q - 2} if q > 2 else {})
            fact = Congruent(made | less, more, long)
            yield self.pure({"m": self.width}, odd, negation(fact.over_bits()))
        of_p = "(part (raised p m) m)"
        total = f"(bvadd (concat #b00 {of_p}) (concat #b00 p))"
        rounded = f"(ite (= {of_p} #b00) #b0000 #b0100)"
        yield self.pure({"m": self.width, "p": K}, odd, negation(equal(total, rounded)))

    def v_summed(self) -> str:
        """That V is another number, given its columns, term and fraction; modulo what words there are for.

        The term is in two's complement, with ``sign``.
        """
        long = self.long
        room = 1 << long
        names = [f"{name}{j}" for name in "abtsc" for j in range(long)]
        names += ["VL", "p", "q", "M", "part", "round", "V", "over", "sign", "lost", "top"]
        known = [f"(= (+ s{j} (* 2 c{j + 1})) (+ a{j} b{j} t{j}))" for j in range(long - 1)]
        known.append(f"(= (+ s{long - 1} (* 2 top)) (+ a{long - 1} b{long - 1} t{long - 1}))")

        def value(name: str) -> str:
            return shown_sum({f"{name}{j}": 1 << j for j in range(long)})

        known += [
            "(= c0 round)",
            f"(= (+ part p) (* {BASE} round))",
            f"(= VL (+ {value('a')} {value('b')}))",
            f"(= (+ (* {BASE} (- {value('t')} (* {room} sign))) part) (+ (* q M) (* {BASE * room} over)))",
            f"(= (+ V (* {room} lost)) (+ {value('s')} {value('c')}))",
        ]
        more = f"(* {BASE * room} (- (+ over sign) (+ lost top)))"
        goal = f"(= (* {BASE} V) (+ (* {BASE} VL) p (* q M) {more}))"
        return denied(names, known, goal)

    def results_made(self) -> Iterator[str]:
        """That the result is none of the three."""
        long = self.long
        v, m = Word("V", "v", long), Word("m", zero_extend("m", long - self.width), long)
        result = Word("z", "(result v m)", long)
        high = long - 1
        below = equal(extract("v", high, high), "#b1")
        less = equal(extract(f"(bvsub v {m.term})", high, high), "#b1")
        known = {"v": long, "m": self.width}
        for when, fact in (
            (all_of(below, less), Congruent({result: 1}, {v: 1, m: 1}, long)),
            (all_of(negation(below), less), Congruent({result: 1}, {v: 1}, long)),
            (all_of(negation(below), negation(less)), Congruent({result: 1, m: 1}, {v: 1}, long)),
        ):
            yield self.pure(known, when, negation(fact.over_bits()))

    def results_right(self) -> Iterator[str]:
        """That z is not below M, or not V and a multiple; V is v modulo what words there are for."""
        room = 1 << self.long
        known = [
            f"(and (<= 1 M) (< M {1 << self.width}))",
            "(and (<= (- M) v) (< v (* 2 M)))",
            f"(and (<= 0 V) (< V {room}) (= v (+ V (* {room} i))))",
            f"(and (<= 0 d) (< d {room}) (= (- V M) (+ d (* {room} j))))",
            f"(and (<= 0 w) (< w {room}))",
            f"(= below (>= V {room // 2}))",
            f"(= less (>= d {room // 2}))",
            f"(=> (and below less) (= (- (+ V M) w) (* {room} l)))",
            "(=> (and (not below) less) (= w V))",
            f"(=> (and (not below) (not less)) (= (- V (+ w M)) (* {room} l)))",
            f"(= z (mod w {1 << self.width}))",
        ]
        goal = all_of("(<= 0 z)", "(< z M)", "(or (= z (+ v M)) (= z v) (= z (- v M)))")
        flags = "(declare-const below Bool)(declare-const less Bool)\n"
        yield flags + denied("MvVdwzijl", known, goal)

    def product_right(self) -> str:
        """That R·z is not x·y and a multiple of M, or z out of range, given what is known of V_L and V."""
        radix = BASE ** (self.steps - 1)
        known = [
            f"(= (* {radix} (+ VL (* {BASE} T))) (+ XY MQ))",
            f"(= (* {BASE**2} T) (+ p Me))",
            f"(= (* {BASE} v) (+ VL4 p Mq))",
            f"(= VL4 (* {BASE} VL))",
            "(= z (+ v Mi))",
            f"(= goal (+ XY MQ (* {radix // BASE} (- Mq Me)) (* {radix} Mi)))",
            f"(and (<= 0 VL) (< (* 2 (+ VL4 p)) (* 13 M)) (<= 0 p {BASE - 1}) (<= 1 M))",
            "(and (<= (* (- 2) M) Mq) (<= Mq M))",
        ]
        names = ("VL", "VL4", "T", "XY", "MQ", "p", "Me", "v", "Mq", "z", "Mi", "goal", "M")
        return denied(names, known, f"(= (* {radix} z) goal)", "(<= (- M) v)", "(< v (* 2 M))")

    def residue_right(self) -> Iterator[str]:
        """That the loop for a residue makes something else than (s + q·M)/B^2, or that not a residue.

        For each s and each M modulo B^2, of which u and q follow.
        """
        square = BASE**2
        for low in range(1, square, 2):
            u = -pow(low, -1, square) % square
            known = [f"(= (mod (* u {low}) {square}) {square - 1})", f"(<= 0 u {square - 1})"]
            yield denied("u", known, f"(= u {u})")
            for s in range(1, BASE):
                q = s * u % square
                known = ["(<= 1 M)", f"(= M (+ {low} (* {square} Mh)))", f"(= V0 {BASE * s})"]
                for k, digit in enumerate((q % BASE, q // BASE, 0)):
                    step = f"(= (+ (* {BASE} V{k + 1}) p{k}) (+ V{k} (* {BASE * digit} M)))"
                    known.append(all_of(step, f"(= p{k} (mod V{k} {BASE}))"))
                goals = ("(= p2 0)", f"(= (* {square} V3) (+ {s} (* {q} M)))", "(<= 0 V3)", "(<= V3 M)")
                yield denied(("M", "Mh", "V0", "V1", "V2", "V3", "p0", "p1", "p2"), known, *goals)
        # The converter adds no P to it: p is 0, and so is q. Then V is V_3, and T is that or 0.
        known = [f"(= (* {square} v) (+ s Mq))", "(= T (+ v Mi))", "(<= 0 v)", "(<= v M)"]
        known += ["(<= 0 T)", "(< T M)", "(or (= Mi M) (= Mi 0) (= Mi (- M)))"]
        goal = f"(= (* {square} T) (+ s Mq (* {square} Mi)))"
        yield denied(("v", "s", "Mq", "T", "Mi", "M"), known, goal)

    def composed(self) -> str:
        """That what the lemmas keep up does not go on holding: one step of the induction over clock cycles.

        ``at.k`` is that the sum of an operation is behind k steps, ``sum.k`` that it is right; ``waits`` and
        ``V`` the same of a sum that was taken, ``converts`` and ``v`` of V, ``given`` and ``z`` of a result.
        With ``pre.`` in front they are of a residue; ``T.s`` is that T[s] is right if it is ``made.s``. The
        ending ``_n`` is for the next state.
        """
        last, residues = self.steps, range(1, BASE)
        flags = [f"at.{k}" for k in range(last + 1)] + [f"pre.{k}" for k in range(PRE + 1)]
        flags += [f"sum.{k}" for k in range(last + 1)] + [f"presum.{k}" for k in range(PRE + 1)]
        flags += [
            "waits",
            "sum",
            "prewaits",
            "presum",
            "converts",
            "v",
            "preconverts",
            "prev",
            "shown",
            "preshown",
        ]
        flags += ["whole", "given", "z"] + [f"made.{s}" for s in residues] + [f"T.{s}" for s in residues]

        def holds(e: str) -> str:
            table = all_of(*(implies(f"made.{s}{e}", f"T.{s}{e}") for s in residues))
            parts = [implies(f"at.{k}{e}", f"sum.{k}{e}") for k in range(last + 1)]
            parts += [implies(f"pre.{k}{e}", f"presum.{k}{e}") for k in range(PRE + 1)]
            parts += [
                implies(f"waits{e}", f"sum{e}"),
                implies(f"prewaits{e}", f"presum{e}"),
                implies(f"converts{e}", f"v{e}"),
                implies(f"preconverts{e}", f"prev{e}"),
                implies(f"shown{e}", f"preshown{e}"),
                implies(f"given{e}", f"z{e}"),
                implies(f"whole{e}", all_of(*(f"made.{s}{e}" for s in residues))),
            ]
            return all_of(table, *parts)

        table = all_of(*(f"T.{s}" for s in residues))
        lemmas = ["sum.0_n", "presum.0_n", implies("whole_n", all_of(*(f"made.{s}_n" for s in residues)))]
        for k in range(1, last + 1):
            lemmas.append(implies(f"at.{k}_n", all_of(f"at.{k - 1}", "whole")))
            lemmas.append(implies(all_of(f"at.{k}_n", f"sum.{k - 1}", table), f"sum.{k}_n"))
        for k in range(1, PRE + 1):
            lemmas.append(implies(f"pre.{k}_n", f"pre.{k - 1}"))
            lemmas.append(implies(all_of(f"pre.{k}_n", f"presum.{k - 1}"), f"presum.{k}_n"))
        for e in ("", "pre"):
            place, sums = (f"at.{last}", f"sum.{last}") if not e else (f"pre.{PRE}", f"presum.{PRE}")
            waits, converts = (f"{e}waits", f"{e}converts") if e else ("waits", "converts")
            good, v = ("sum", "v") if not e else ("presum", "prev")
            lemmas.append(
                implies(
                    f"{waits}_n",
                    any_of(
                        all_of(place, implies(sums, f"{good}_n")), all_of(waits, implies(good, f"{good}_n"))
                    ),
                )
            )
            right = implies(all_of(good, table) if not e else good, f"{v}_n")
            known = all_of(waits, right) if e else all_of(waits, "whole", right)
            lemmas.append(implies(f"{converts}_n", any_of(known, all_of(converts, implies(v, f"{v}_n")))))
        lemmas.append(
            implies(
                "shown_n",
                any_of(
                    all_of("preconverts", implies("prev", "preshown_n")),
                    all_of("shown", implies("preshown", "preshown_n")),
                ),
            )
        )
        for s in residues:
            lemmas.append(
                implies(
                    f"made.{s}_n",
                    any_of(
                        all_of("shown", implies("preshown", f"T.{s}_n")),
                        all_of(f"made.{s}", implies(f"T.{s}", f"T.{s}_n")),
                    ),
                )
            )
        lemmas.append(implies("given_n", all_of("converts", implies("v", "z_n"))))
        lines = [f"(declare-const {name}{e} Bool)" for name in flags for e in ("", "_n")]
        lines += [f"(assert {each})" for each in (*lemmas, holds(""), negation(holds("_n")))]
        return "\n".join(lines)
