# SPDX-License-Identifier: Apache-2.0
"""Where operations are in ``rrm_plain``: the invariant of its control, and what is remembered beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modmul.prove.netlist import State
from modmul.prove.product.argument import Argument
from modmul.prove.product.rrm_where import AGE, either
from modmul.prove.terms import all_of, any_of, const, equal, implies, negation, zero_extend
from modmul.room import Build

__all__ = ["ENTRIES", "At", "Places", "counted"]

CONTROL, CONVERTER = "core.u_control.", "core.u_converter."
INPUT, LOOP = f"{CONTROL}u_input.", f"{CONTROL}u_loop."
GATE = f"{INPUT}u_gate."

ENTRIES = (15, 0, 1, 2, 3, 4, 5, 6, 7)
"""Addresses of the table in the order in which its entries are made: t modulo 16."""

PASSES, MORE_PASSES = 13, 16
"""Passes of the converter: those of a product, and those of an entry of the table."""

BEFORE = 5
"""Cycles of a conversion before its first pass."""

BEHIND = 8
"""Cycles behind the steps of the loop, until nothing of it is left."""


def counted(build: Build) -> int:
    """The most cycles that are counted."""
    config: Any = build.config
    return int(max(BEFORE + MORE_PASSES * config.period, config.steps + BEHIND))


@dataclass(frozen=True)
class At:
    """The terms of one state.

    Attributes:
        of: the proof.
        state: ``s`` or ``n``.
    """

    of: Places
    state: State

    def __call__(self, name: str) -> str:
        return self.state(name)

    def bits(self, name: str) -> str:
        """A signal as a bit-vector, be it of one bit."""
        return self(name) if self.of.system.signals[name] else f"(ite {self(name)} #b1 #b0)"

    def counts(self, name: str) -> str:
        """A signal that counts, in as many bits as cycles are counted in."""
        return zero_extend(self.bits(name), AGE - (self.of.system.signals[name] or 1))

    # --- the control --------------------------------------------------------------------------------

    def control(self, name: str) -> str:
        """A signal of the control; of one bit, that it is set."""
        return self(f"{CONTROL}{name}")

    def input(self, name: str) -> str:
        """The same of what takes contexts and operands."""
        return self(f"{INPUT}{name}")

    def gate(self, name: str) -> str:
        return self(f"{GATE}{name}")

    def loop(self, name: str) -> str:
        return self(f"{LOOP}{name}")

    def conv(self, name: str) -> str:
        """The same of the converter."""
        return self(f"{CONVERTER}{name}")

    # --- what is remembered -------------------------------------------------------------------------

    def g(self, name: str) -> str:
        return f"g{self.state.name}_{name}"

    def aged(self, name: str, sign: str, age: int) -> str:
        """How a count of cycles compares: ``=``, ``bvult``, ``bvule``, ``bvugt`` or ``bvuge``."""
        return f"({sign} {self.g(name)} {const(age, AGE)})"

    def within(self, name: str, least: int, most: int) -> str:
        if least == most:
            return self.aged(name, "=", least)
        return all_of(self.aged(name, "bvuge", least), self.aged(name, "bvule", most))

    def since(self, cycles: int) -> str:
        """So many cycles ago there was no reset."""
        return self.aged("sr", "bvuge", min(cycles, self.of.clean))

    # --- operations ---------------------------------------------------------------------------------

    @property
    def whole(self) -> str:
        """A whole context has come, and none since."""
        return self.gate("whole_q")

    @property
    def tail(self) -> str:
        """All words of M have come, and not the word behind them."""
        return self.state.is_("ctx_at", self.of.beats)

    @property
    def full(self) -> str:
        """The operands of an operation wait."""
        return self.input("full_q")

    @property
    def part(self) -> str:
        """Some words of operands have come, and not all."""
        return self.gate("in_part_q")

    @property
    def busy(self) -> str:
        """An operation is in the loop, or its sum waits."""
        return self.loop("busy_q")

    @property
    def pre(self) -> str:
        """The table is being made."""
        return self.control("pre_q")

    @property
    def rest(self) -> str:
        return self.control("rest_q")

    @property
    def valid(self) -> str:
        return self.control("valid_q")

    @property
    def out(self) -> str:
        """An operation is in the converter, or the last word of its result waits."""
        return all_of(negation(self.pre), any_of(negation(self.rest), self.valid))

    @property
    def stays(self) -> str:
        """The converter stands still: nobody takes a word."""
        return negation(self.control("move_o"))

    def looped(self, name: str) -> str:
        """``x`` or ``y`` of the one in the loop."""
        return either(self.out, self(f"{name}1"), self(f"{name}0"))

    def waiting(self, name: str) -> str:
        """The same of the one that waits."""
        both, one = all_of(self.out, self.busy), any_of(self.out, self.busy)
        return either(both, self(f"{name}2"), either(one, self(f"{name}1"), self(f"{name}0")))

    # --- the converter ------------------------------------------------------------------------------

    @property
    def main(self) -> str:
        """The converter is in a pass."""
        return self.control("main_q")

    def in_pass(self, p: int) -> str:
        """The converter is in pass p."""
        first = self.of.first_of(p)
        return self.within("ca", first, first + self.of.period - 1)

    def index(self, *places: int) -> str:
        """The converter is in a pass, at one of these places."""
        return all_of(self.main, any_of(*(self.state.is_(f"{CONTROL}index_q", j) for j in places)))

    @property
    def shows(self) -> str:
        """The converter is in the last pass."""
        return all_of(self.main, self.control("show_q"))

    @property
    def pass_ends(self) -> str:
        """The next cycle is in another pass, or behind the last one."""
        return all_of(self.index(self.of.beats + 1), self.control("move_o"))


class Places(Argument):
    """The invariant over bits, of the control.

    Beside the netlist are counts of cycles: ``sr`` since a reset, ``la`` since the loop began, ``ca`` since
    the converter did, of which those are left out in which it stands still.
    """

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def config(self) -> Any:
        return self.build.config

    @property
    def word(self) -> int:
        return int(self.config.word)

    @property
    def beats(self) -> int:
        return int(self.config.beats)

    @property
    def steps(self) -> int:
        """L."""
        return int(self.config.steps)

    @property
    def in_word(self) -> int:
        """Digits of x in a word."""
        return self.word // 2

    @property
    def digits(self) -> int:
        """D."""
        return int(self.config.digits)

    @property
    def sum_bits(self) -> int:
        return 2 * self.digits

    @property
    def period(self) -> int:
        """Cycles of a pass of the converter."""
        return int(self.config.period)

    @property
    def clean(self) -> int:
        """Cycles from a reset until nothing of what was before it is in a pipeline."""
        return self.beats + 8

    @property
    def done(self) -> int:
        """What ``la`` counts up to: the loop was so long ago that nothing of it is left."""
        return self.steps + BEHIND

    @property
    def passes(self) -> int:
        """Those of a product."""
        return PASSES

    @property
    def more_passes(self) -> int:
        """Those of an entry of the table."""
        return MORE_PASSES

    def first_of(self, p: int) -> int:
        """What ``ca`` is in the first cycle of a pass."""
        return BEFORE + p * self.period

    @property
    def idle(self) -> int:
        """What ``ca`` is while the converter rests."""
        return self.first_of(self.more_passes)

    # --- what is remembered -------------------------------------------------------------------------

    def at(self, name: str) -> At:
        return At(self, self.system.state(name))

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        """Beside the netlist: by name the bits, and what follows on a state ``s``."""
        at = self.at("s")
        reset = at.state.is_("rst_ni", 0)

        def counted(name: str, most: int) -> str:
            more = f"(bvadd {at.g(name)} {const(1, AGE)})"
            return either(at.aged(name, "bvuge", most), const(most, AGE), more)

        one, idle, done = const(1, AGE), const(self.idle, AGE), const(self.done, AGE)
        moves = either(at.control("done"), idle, counted("ca", self.idle))
        ca = either(at.control("starts"), one, either(at.stays, at.g("ca"), moves))
        return {
            "sr": (AGE, either(reset, const(0, AGE), counted("sr", self.clean))),
            "la": (AGE, either(reset, done, either(at.loop("go_o"), one, counted("la", self.done)))),
            "ca": (AGE, either(reset, idle, ca)),
        }

    def definitions(self) -> str:
        found = []
        for name, (bits, follows) in self.remembered().items():
            sort = f"(_ BitVec {bits})" if bits else "Bool"
            found += [f"(declare-const g{state}_{name} {sort})" for state in "sn"]
            found.append(f"(assert {equal(f'gn_{name}', follows)})")
        return "\n".join(sorted(found, key=lambda each: each.startswith("(assert"))) + "\n"

    # --- the invariant ----------------------------------------------------------------------------

    def control(self, at: At) -> Iterator[tuple[str, str]]:
        yield from self._ports(at)
        yield from self._loop(at)
        yield from self._table(at)
        yield from self._converter(at)
        yield from self._since(at)

    def _ports(self, at: At) -> Iterator[tuple[str, str]]:
        beats, whole, tail = self.beats, at.whole, at.tail
        none, last, one = const(0, AGE), const(beats - 1, AGE), const(1, AGE)
        in_at, ctx_at, beat = at.counts("in_at"), at.counts("ctx_at"), at.counts(f"{INPUT}beat_q")
        m_load, x_load, modulus = at.input("m_load_q"), at.input("x_load_q"), at.input("modulus_q")
        yield "in_at", f"(bvult {in_at} {const(beats, AGE)})"
        yield "out_at", f"(bvult {at.counts('out_at')} {const(beats, AGE)})"
        yield "ctx_at", f"(bvule {ctx_at} {const(beats, AGE)})"
        yield "words of M", equal(at.input("whole_q"), tail)
        place = either(whole, in_at, either(tail, none, ctx_at))
        follows = either(equal(beat, last), equal(place, none), equal(place, f"(bvadd {beat} {one})"))
        yield "beat", f"(bvult {beat} {const(beats, AGE)})"
        yield "place", either(any_of(m_load, x_load), follows, equal(place, beat))
        yield "x load", implies(x_load, all_of(whole, any_of(at.part, at.full)))
        yield "m load", implies(m_load, all_of(negation(whole), negation(at.state.is_("ctx_at", 0))))
        yield "part", equal(at.part, negation(at.state.is_("in_at", 0)))
        some = any_of(at.part, at.full, at.gate("open_q"), at.busy, at.out)
        yield "whole", implies(some, whole)
        yield (
            "whole context",
            implies(whole, all_of(at.state.is_("ctx_at", 0), negation(any_of(modulus, at.pre)))),
        )
        yield "M is whole", implies(any_of(modulus, at.pre), tail)
        yield "modulus", equal(modulus, all_of(m_load, tail))
        yield "modulus before the table", implies(modulus, negation(at.pre))
        full2, full3 = at.input("full_q2"), at.input("full_q3")
        x_write = at.input("x_write_q")
        yield "full", implies(at.full, negation(at.part))
        yield "full since", all_of(implies(full3, full2), implies(full2, at.full))
        yield "loaded", implies(full2, negation(x_load))
        yield "written", implies(full3, negation(x_write))
        ops = [either(each, "#b01", "#b00") for each in (at.full, at.busy, at.out)]
        begins = negation(any_of(at.full, at.part, x_load))
        yield "the loop begins", implies(at.aged("la", "=", 1), begins)
        yield "count", equal(at("count"), f"(bvadd {' '.join(ops)})")
        busy = any_of(
            at.full, at.busy, at.pre, modulus, at.valid, at.control("write_q"), at.control("pre_begin_q2")
        )
        yield "free", implies(at.input("free_q"), all_of(at.rest, negation(busy)))

    def _loop(self, at: At) -> Iterator[tuple[str, str]]:
        steps, many, beats = self.steps, self.in_word, self.beats
        run = at.within("la", 1, steps)
        yield "la", all_of(at.aged("la", "bvuge", 1), at.aged("la", "bvule", self.done))
        yield "run", equal(at.loop("run_q"), run)
        yield "run last", equal(at.loop("run_last_q"), at.aged("la", "=", steps))
        step = f"(bvsub {at.g('la')} {const(1, AGE)})"
        yield "step", implies(run, equal(at.counts(f"{LOOP}step_q"), step))
        low = many.bit_length() - 1
        digit = f"(bvand {step} {const((1 << low) - 1, AGE)})"
        yield "digit", implies(run, equal(at.counts(f"{LOOP}digit_q"), digit))
        word = at.counts(f"{LOOP}x_word_q")
        yield "first word", implies(at.aged("la", "=", 1), equal(word, const(beats - 1, AGE)))
        for m in range(beats - 1):
            here = at.within("la", 2 + many * m, 1 + many * (m + 1))
            yield "word", implies(here, equal(word, const(beats - 2 - m, AGE)))
        still = negation(any_of(run, at.aged("la", "=", steps + 1)))
        zero = all_of(at.state.is_(f"{LOOP}step_q", 0), at.state.is_(f"{LOOP}digit_q", 0))
        yield "still", implies(still, all_of(zero, equal(word, const(beats - 1, AGE))))
        loads = any_of(*(at.aged("la", "=", 1 + many * m) for m in range(beats + 1)))
        yield "next word", equal(at.loop("next_q"), loads)
        late = at.loop("last_late_q")
        for k in range(1, 7):
            one = equal(f"((_ extract {k - 1} {k - 1}) {late})", "#b1")
            yield "last", equal(one, at.aged("la", "=", steps + k))
        for k in (1, 2):
            one = equal(f"((_ extract {k - 1} {k - 1}) {at.loop('run_late_q')})", "#b1")
            yield "run late", equal(one, at.within("la", 1 + k, steps + k))
        yield "idle", equal(at.loop("idle_q"), negation(at.within("la", 4, steps + 3)))
        yield "lead", equal(at.loop("lead_q"), at.aged("la", "=", 1))
        yield "busy", implies(at.aged("la", "bvule", steps + 5), at.busy)
        unread = all_of(at.busy, at.aged("la", "bvuge", steps + 6))
        yield "unread", equal(at.loop("unread_q"), unread)
        free = negation(at.busy)
        yield "free since", implies(free, at.aged("la", "bvuge", steps + 7))
        yield "just free", implies(all_of(free, at.aged("la", "=", steps + 7)), at.aged("ca", "=", 1))
        yield "no context", implies(negation(at.whole), at.aged("la", "=", self.done))
        for c in range(1, self.period + 5):
            begun = at.aged("la", "bvult", c)
            yield "begun", implies(at.aged("ca", "=", c), any_of(free, begun))

    def _table(self, at: At) -> Iterator[tuple[str, str]]:
        begin, begin2 = at.control("pre_begin_q"), at.control("pre_begin_q2")
        pre, rest, entry, write = at.pre, at.rest, at.control("entry_q"), at.control("write_q")
        yield "begins", implies(begin, all_of(pre, rest, negation(begin2)))
        yield "begins now", implies(begin2, all_of(pre, rest))
        yield "begun or not", implies(all_of(pre, rest), any_of(begin, begin2))
        yield "rests", implies(at.input("modulus_q"), rest)
        yield "no result", implies(any_of(at.input("modulus_q"), pre), negation(at.valid))
        yield "entry", implies(pre, any_of(*(equal(entry, const(e, 4)) for e in ENTRIES)))
        before = at.control("entry_q2")
        yield "entry before", implies(all_of(pre, negation(rest)), equal(before, entry))
        there = at.index(*range(3, self.beats + 2))
        yield "writes", implies(negation(rest), equal(write, all_of(pre, at.shows, there)))
        ends = all_of(at.tail, implies(pre, begin), equal(f"(bvadd {before} #x1)", entry))
        last = implies(negation(pre), equal(before, const(ENTRIES[-1], 4)))
        first = negation(equal(before, const(14, 4)))
        yield "last write", implies(all_of(rest, write), all_of(ends, last, first))
        own = all_of(begin, negation(equal(entry, const(ENTRIES[0], 4))))
        yield "last word of an entry", implies(own, write)

    def _converter(self, at: At) -> Iterator[tuple[str, str]]:
        index, passed = at.counts(f"{CONTROL}index_q"), at.counts(f"{CONTROL}pass_q")
        show, load, gap = at.control("show_q"), at.control("load_q"), self.beats + 1
        yield "ca", all_of(at.aged("ca", "bvuge", 1), at.aged("ca", "bvule", self.idle))
        yield "rest", equal(at.rest, at.aged("ca", "=", self.idle))
        late = at.control("start_late_q")
        for k in range(1, 5):
            one = equal(f"((_ extract {k - 1} {k - 1}) {late})", "#b1")
            yield "starts", equal(one, at.aged("ca", "=", k))
        yield "main", equal(at.main, at.within("ca", 5, self.idle - 1))
        early = at.within("ca", 1, 4)
        yield "gap", implies(early, equal(index, const(gap, AGE)))
        for p in range(self.more_passes):
            first = self.first_of(p)
            place = f"(bvsub {at.g('ca')} {const(first, AGE)})"
            if p < self.passes - 1:
                shows = "false"
            else:
                shows = at.pre if p == self.more_passes - 1 else negation(at.pre)
            facts = [equal(passed, const(p, AGE)), equal(index, place), equal(show, shows)]
            facts.append(equal(load, str(p == 0).lower()))
            if p >= self.passes:
                facts.append(at.pre)
            yield f"pass {p}", implies(at.in_pass(p), all_of(*facts))
        there = all_of(negation(at.pre), at.shows, at.index(*range(3, gap + 1)))
        yield "valid", implies(negation(at.rest), equal(at.valid, there))
        out_at = at.counts("out_at")
        left = f"(bvsub {index} {const(3, AGE)})"
        yield "left", implies(all_of(negation(at.rest), at.valid), equal(out_at, left))
        yield "last left", implies(all_of(at.rest, at.valid), equal(out_at, const(gap - 2, AGE)))
        yield "none left", implies(negation(at.valid), equal(out_at, const(0, AGE)))

    def _since(self, at: At) -> Iterator[tuple[str, str]]:
        """How long ago a reset was, at least."""
        beats = self.beats
        yield "sr", at.aged("sr", "bvule", self.clean)
        for k in range(1, beats + 1):
            yield "since a word", implies(at.state.is_("ctx_at", k), at.since(k))
        yield "since a context", implies(at.whole, at.since(self.clean))
        begin, begin2 = at.control("pre_begin_q"), at.control("pre_begin_q2")
        first = at.state.is_(f"{CONTROL}entry_q", ENTRIES[0])
        yield "since M", implies(all_of(begin, first), at.since(beats + 1))
        yield "since M a cycle", implies(all_of(begin2, first), at.since(beats + 2))
        for c in range(1, 7):
            yield "since a start", implies(at.aged("ca", "=", c), at.since(beats + 2 + c))
        running = all_of(negation(at.rest), at.aged("ca", "bvuge", 6))
        begun = all_of(at.pre, negation(first))
        over = all_of(at.tail, negation(any_of(at.pre, at.input("modulus_q"))))
        yield "since all", implies(any_of(running, begun, over), at.since(self.clean))
