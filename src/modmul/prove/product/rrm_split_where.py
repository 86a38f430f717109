# SPDX-License-Identifier: Apache-2.0
"""Where operations are in ``rrm_split``: the invariant of its control, and what is remembered beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modmul.prove.netlist import State
from modmul.prove.product.argument import Argument
from modmul.prove.product.rrm_where import AGE, either
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend

__all__ = ["CONTROL", "FILLER", "GROUP", "HALF", "PASSES", "At", "B", "K", "Places"]

CONTROL, GATE = "core.u_control.", "core.u_control.u_gate."
FILLER, OPERANDS, CONTEXT = "core.u_multiples.u_filler.", "core.u_operands.", "core.u_context."
DROPPED, CONVERTER = "core.u_dropped.", "core.u_result.u_converter."

K, B = 4, 16
"""Bits of a digit, and its base."""
HALF = 8
"""Rows of a bank of the table."""
GROUP, PART = 64, 32
"""Columns that are filled at a time, and those of a part."""
PASSES = 2 * B
"""For the residues, two of each."""
SOON = 10
"""Cycles that are counted after a group of columns is begun."""


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

    def c(self, name: str) -> str:
        """A signal of the control, or a path from there."""
        return self.state(f"{CONTROL}{name}")

    def bits(self, name: str) -> str:
        """A signal as a word, though it may have one bit."""
        return self(name) if self.of.system.signals[name] else either(self(name), "#b1", "#b0")

    def flag(self, name: str) -> str:
        """That a flag of any kind is set."""
        return self.state.is_(name, 1)

    def high(self, *names: str) -> str:
        """That flags of the control are set."""
        return all_of(*(self.state.is_(f"{CONTROL}{name}", 1) for name in names))

    def low(self, *names: str) -> str:
        """That none of them is."""
        return all_of(*(self.state.is_(f"{CONTROL}{name}", 0) for name in names))

    def is_(self, name: str, value: int) -> str:
        """A value of the control's."""
        return self.state.is_(f"{CONTROL}{name}", value)

    def bit(self, name: str, place: int) -> str:
        """That a bit of a signal is set."""
        return equal(extract(self.bits(name), place, place), "#b1")

    def counts(self, name: str) -> str:
        """A signal that counts, in as many bits as cycles are counted in."""
        bits = self.of.system.signals[name]
        return zero_extend(self.bits(name), AGE - (bits or 1))

    # --- what is remembered -------------------------------------------------------------------------

    def g(self, name: str) -> str:
        return f"g{self.state.name}_{name}"

    def aged(self, name: str, sign: str, age: int) -> str:
        """How a count compares: ``=``, ``bvult``, ``bvule``, ``bvugt`` or ``bvuge``."""
        return f"({sign} {self.g(name)} {const(age, AGE)})"

    def within(self, name: str, least: int, most: int) -> str:
        return all_of(self.aged(name, "bvuge", least), self.aged(name, "bvule", most))

    # --- operations ---------------------------------------------------------------------------------

    @property
    def running(self) -> str:
        return self.state.is_("rst_ni", 1)

    @property
    def whole(self) -> str:
        """A context has come."""
        return self.flag(f"{GATE}whole_q")

    @property
    def pre(self) -> str:
        """Residues are being made."""
        return self.high("gen_passes.pre_q")

    @property
    def second(self) -> str:
        """It is the second pass of a residue."""
        return self.bit(f"{CONTROL}gen_passes.pass_q", 0)

    @property
    def row(self) -> str:
        """Which residue it is."""
        return extract(self.c("gen_passes.pass_q"), 4, 1)

    @property
    def full(self) -> str:
        """Operands wait for the loop."""
        return self.high("held_q")

    @property
    def summing(self) -> str:
        """An operation is in the loop, and its sum is not complete."""
        return all_of(negation(self.pre), self.high("sum_q"))

    @property
    def waits(self) -> str:
        """The sum of one is complete, or almost, and is not read."""
        return all_of(negation(self.pre), self.high("unread_q"))

    @property
    def out(self) -> str:
        """One is in the converter."""
        return all_of(negation(self.pre), self.low("rest_q"))

    @property
    def busy(self) -> str:
        """The converter works on a sum."""
        return self.low("rest_q")

    def _behind(self, name: str, *before: str) -> str:
        """``x`` or ``y`` of an operation that is behind others, if they are there."""
        found = self(f"{name}0")
        for k, some in enumerate(before):
            more = any_of(*before) if k == 0 else all_of(*before)
            found = either(more, self(f"{name}{k + 1}"), found)
            del some
        return found

    def owner(self, name: str) -> str:
        """``x`` or ``y`` of the operation whose sum waits."""
        return either(self.out, self(f"{name}1"), self(f"{name}0"))

    def looped(self, name: str) -> str:
        """The same of the one whose sum is being made."""
        return either(any_of(self.out, self.waits), self(f"{name}1"), self(f"{name}0"))

    def place(self, k: int) -> str:
        """The sum is that behind k steps."""
        last = self.of.steps
        if k <= last - 4:
            return self.aged("ra", "=", 4 + k)
        return self.aged("ea", "=", k - (last - 3))


class Places(Argument):
    """The invariant over bits."""

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
    def xdigits(self) -> int:
        return self.steps - 2

    @property
    def period(self) -> int:
        return int(self.config.period)

    @property
    def words_in(self) -> int:
        """Words of a group."""
        return GROUP // self.word

    @property
    def groups(self) -> int:
        return self.width // GROUP

    @property
    def read(self) -> int:
        """Cycles of READ."""
        return self.beats + 5

    @property
    def shown(self) -> int:
        """Cycles from the first of READ that are counted."""
        return self.read + 4

    def at(self, name: str) -> At:
        return At(self, self.system.state(name))

    def wordof(self, term: str, k: int) -> str:
        return extract(term, (k + 1) * self.word - 1, k * self.word)

    # --- what is remembered -------------------------------------------------------------------------

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        """Beside the netlist: by name the bits, and what follows on a state ``s``.

        ``sr``, ``ra``, ``ea``, ``c`` count cycles since a reset, since the loop began, since the last digit
        was dropped, since READ began. ``n0`` counts the words of operands that have come since the loop
        began, ``n1`` to ``n3`` are it one to three cycles ago; ``c1`` to ``c3`` the same of the words of a
        context. ``fa`` counts cycles since a group of columns was begun, ``g0`` the groups; ``fb``, ``g1``
        and ``fc``, ``g2`` are these one and two cycles ago.
        """
        at = self.at("s")
        reset = at.state.is_("rst_ni", 0)

        def more(name: str, most: int) -> str:
            one = f"(bvadd {at.g(name)} {const(1, AGE)})"
            return either(at.aged(name, "bvuge", most), const(most, AGE), one)

        def count(name: str, most: int, begins: str, least: int | None = None) -> tuple[int, str]:
            first = const(most if least is None else least, AGE)
            return AGE, either(reset, first, either(begins, const(0, AGE), more(name, most)))

        zero = const(0, AGE)
        done = all_of(at.pre, at.flag(f"{FILLER}done_o"), at.high("gen_passes.pass_last_q"))
        anew = any_of(reset, at.high("go_q"), done)
        move = at.bit(f"{FILLER}move", 0)
        ended = any_of(reset, at.high("ctx_load", "ctx_last_q"))
        found = {
            "sr": count("sr", self.shown, "false", 0),
            "ra": count("ra", self.period, at.high("go_q")),
            "ea": count("ea", 5, at.high("sum_last_q")),
            "c": count("c", self.shown, all_of(at.high("reads"), at.high("move_o"))),
            "fa": count("fa", SOON, move),
            "n0": (
                AGE,
                either(anew, zero, f"(bvadd {at.g('n0')} {either(at.high('in_load'), const(1, AGE), zero)})"),
            ),
            "g0": (AGE, either(anew, zero, f"(bvadd {at.g('g0')} {either(move, const(1, AGE), zero)})")),
            "c1": (AGE, either(ended, zero, at.counts("ctx_at"))),
        }
        for name, before in (("n1", "n0"), ("n2", "n1"), ("n3", "n2"), ("g1", "g0"), ("g2", "g1")):
            found[name] = (AGE, either(anew, zero, at.g(before)))
        for name, before in (("c2", "c1"), ("c3", "c2")):
            found[name] = (AGE, either(ended, zero, at.g(before)))
        for name, before in (("fb", "fa"), ("fc", "fb")):
            found[name] = (AGE, either(reset, const(SOON, AGE), at.g(before)))
        return found

    def functions(self) -> str:
        return ""

    def definitions(self) -> str:
        found = []
        for name, (bits, follows) in self.remembered().items():
            found += [f"(declare-const g{state}_{name} (_ BitVec {bits}))" for state in "sn"]
            found.append(f"(assert {equal(f'gn_{name}', follows)})")
        lines = sorted(found, key=lambda each: each.startswith("(assert"))
        return self.functions() + "\n".join(lines) + "\n"

    # --- the invariant ----------------------------------------------------------------------------

    def control(self, at: At) -> Iterator[tuple[str, str]]:
        yield from self._ports(at)
        yield from self._loads(at)
        yield from self._filling(at)
        yield from self._running(at)
        yield from self._converting(at)

    def _ports(self, at: At) -> Iterator[tuple[str, str]]:
        beats, whole, pre = self.beats, at.whole, at.pre
        in_at, ctx_at, next_q = at.counts("in_at"), at.counts("ctx_at"), at.counts(f"{CONTROL}next_q")
        n0, last = at.g("n0"), const(beats - 1, AGE)
        part, zero = at.flag(f"{GATE}in_part_q"), const(0, AGE)
        behind = all_of(negation(whole), equal(ctx_at, const(beats, AGE)))
        yield "in_at", f"(bvult {in_at} {const(beats, AGE)})"
        yield "out_at", f"(bvult {at.counts('out_at')} {const(beats, AGE)})"
        yield "ctx_at", f"(bvule {ctx_at} {const(beats, AGE)})"
        yield "ctx_last_q", equal(at.high("ctx_last_q"), behind)
        yield "whole", implies(whole, all_of(equal(ctx_at, zero), negation(pre)))
        yield "pre", implies(pre, behind)
        yield "part", equal(part, negation(equal(in_at, zero)))
        moves = any_of(at.flag(f"{GATE}open_q"), part, at.full)
        yield "part whole", implies(moves, whole)
        coming = all_of(negation(whole), negation(behind))
        loaded = either(at.aged("n0", "=", beats), zero, n0)
        yield "next_q", equal(next_q, either(coming, ctx_at, loaded))
        yield "in_last_q", equal(at.high("in_last_q"), equal(next_q, last))
        bits = self.words_in.bit_length() - 1
        place = extract(either(coming, zero, n0), bits - 1, 0)
        yield "place_q", equal(at.bits(f"{CONTROL}place_q"), place)
        closing = equal(place, const(self.words_in - 1, bits))
        yield "closing_q", equal(at.high("closing_q"), closing)
        yield "n0", at.aged("n0", "bvule", beats)
        yield "n0 in_at", implies(whole, equal(in_at, loaded))
        yield "held", implies(whole, equal(at.full, at.aged("n0", "=", beats)))
        yield "held whole", implies(at.full, whole)
        yield "room", implies(at.high("room_q"), at.low("held_q", "closed_q"))
        for r in range(beats):
            yield "young words", implies(at.aged("ra", "=", r), at.aged("n0", "bvule", r))
        idle = all_of(negation(whole), negation(pre))
        still = all_of(at.aged("ra", "=", self.period), at.aged("n0", "=", 0), at.high("rest_q"))
        yield "idle", implies(idle, all_of(still, at.low("unread_q", "go_q", "filled_q")))
        yield "idle filler", implies(idle, all_of(at.aged("fc", "bvuge", 8), at.aged("g0", "=", 0)))
        free = all_of(at.aged("ra", "=", self.period), at.high("rest_q"), at.low("unread_q", "held_q"))
        yield "free", implies(at.high("free_q"), all_of(free, negation(pre)))
        ops = [f"(ite {each} #b01 #b00)" for each in (at.full, at.summing, at.waits, at.out)]
        yield "count", equal(at("count"), f"(bvadd {' '.join(ops)})")
        yield "one of two", negation(all_of(at.high("sum_q", "unread_q"), at.low("rest_q")))
        yield "never three", negation(all_of(at.full, at.high("sum_q", "unread_q")))
        yield "sr", at.aged("sr", "bvule", self.shown)
        yield "since a reset", any_of(at.aged("sr", "=", self.shown), f"(bvuge {at.g('sr')} {ctx_at})")
        yield "since M", implies(any_of(whole, pre), at.aged("sr", "bvuge", beats))
        for lag, name in enumerate(("c1", "c2", "c3"), 1):
            some = f"(bvuge {at.g('sr')} (bvadd {at.g(name)} {const(lag, AGE)}))"
            since = any_of(at.aged(name, "=", 0), at.aged("sr", "=", self.shown), some)
            yield f"since {name}", since
        old = at.aged("sr", "=", self.shown)
        for r in range(self.shown):
            yield (
                "since the loop",
                implies(at.aged("ra", "=", r), at.aged("sr", "bvuge", min(self.shown, r + beats))),
            )
        late = any_of(
            at.aged("ea", "bvult", 5),
            at.high("unread_q"),
            at.low("rest_q"),
            at.aged("c", "bvult", self.shown),
        )
        yield "since a sum", implies(any_of(late, at.within("ra", self.shown, self.period - 1)), old)

    def _loads(self, at: At) -> Iterator[tuple[str, str]]:
        """Words on their way."""
        bits = self.system.signals[f"{CONTROL}beat_o"]
        group = self.words_in.bit_length() - 1
        ctx_at, words = at.counts("ctx_at"), const(self.words_in - 1, group)
        for late, early in (("c1", ctx_at), ("c2", at.g("c1")), ("c3", at.g("c2"))):
            one = f"(bvadd {at.g(late)} {const(1, AGE)})"
            yield late, any_of(equal(early, at.g(late)), equal(early, one))
            yield f"{late} most", at.aged(late, "bvule", self.beats)
        for k, (late, early) in enumerate((("n1", at.g("n0")), ("n2", at.g("n1")), ("n3", at.g("n2")))):
            one = f"(bvadd {at.g(late)} {const(1, AGE)})"
            yield late, any_of(equal(early, at.g(late)), equal(early, one))
            yield f"{late} most", at.aged(late, "bvule", self.beats)
            some = negation(equal(early, at.g(late)))
            name = (f"{CONTROL}in_load_o", f"{OPERANDS}in_load_q", f"{OPERANDS}in_load_q2")[k]
            beat = (f"{CONTROL}beat_o", f"{OPERANDS}beat_q", f"{OPERANDS}beat_q2")[k]
            place = (f"{CONTROL}place_o", f"{OPERANDS}place_q", f"{OPERANDS}place_q2")[k]
            full = (f"{CONTROL}full_o", f"{OPERANDS}full_q", f"{OPERANDS}full_q2")[k]
            yield name, equal(at.flag(name), some)
            yield beat, implies(some, equal(at.bits(beat), extract(at.g(late), bits - 1, 0)))
            low = extract(at.g(late), group - 1, 0)
            yield place, implies(some, equal(at.bits(place), low))
            yield full, implies(some, equal(at.flag(full), equal(low, words)))
        for name, early, late in (
            (f"{CONTROL}ctx_load_o", ctx_at, at.g("c1")),
            (f"{CONTEXT}m_load_q", at.g("c1"), at.g("c2")),
        ):
            some = f"(bvugt {early} {late})"
            yield (
                name,
                implies(at.aged("sr", "bvuge", 0 if "ctx_load" in name else 1), equal(at.flag(name), some)),
            )
            beat = f"{CONTROL}beat_o" if "ctx_load" in name else f"{CONTEXT}m_beat_q"
            yield beat, implies(some, equal(at.bits(beat), extract(late, bits - 1, 0)))
        for r, late in enumerate(("c1", "c2", "c3")):
            most = at.aged(late, "=", self.beats)
            yield f"{late} whole", implies(at.whole, at.aged(late, "=", 0))
            idle = all_of(equal(ctx_at, const(self.beats, AGE)), negation(at.pre))
            yield f"{late} idle", implies(idle, most)
            loop = (at.high("go_q"), at.aged("ra", "bvult", self.period), at.within("ra", 1, self.period - 1))
            begun = any_of(*loop[r:2], loop[2])
            yield f"{late} pre", implies(all_of(at.pre, begun), most)
            late_pass = any_of(
                negation(at.aged("n0", "=", 0)),
                at.high("unread_q"),
                at.low("rest_q"),
                negation(at.is_("gen_passes.pass_q", 0)),
            )
            yield f"{late} pass", implies(all_of(at.pre, late_pass), most)

    def _filling(self, at: At) -> Iterator[tuple[str, str]]:
        """The filler."""
        group = self.words_in.bit_length() - 1
        count = self.groups
        loaded = {n: f"(bvlshr {at.g(n)} {const(group, AGE)})" for n in ("n0", "n3")}
        yield "closed_q", equal(at.high("closed_q"), f"(bvugt {loaded['n0']} {at.g('g0')})")
        yield "full_q", equal(at.flag(f"{FILLER}full_q"), f"(bvugt {loaded['n3']} {at.g('g0')})")
        for n in ("n0", "n3"):
            yield "groups", f"(bvule {loaded[n]} (bvadd {at.g('g0')} {const(1, AGE)}))"
        most = f"(bvshl (bvadd {at.g('g0')} {const(1, AGE)}) {const(group, AGE)})"
        yield "words", f"(bvule {at.g('n0')} {most})"
        base = f"(bvshl {at.g('g0')} {const(group, AGE)})"
        yield "begun", implies(at.aged("fa", "=", 0), equal(at.g("n0"), base))
        yield "moved", f"(bvule {at.g('g0')} {loaded['n3']})"
        yield "g0", at.aged("g0", "bvule", count)
        one = const(1, AGE)
        for late, early, fa in (("g1", "g0", "fa"), ("g2", "g1", "fb")):
            move = all_of(at.aged(fa, "=", 0), equal(at.g(early), f"(bvadd {at.g(late)} {one})"))
            yield late, any_of(all_of(equal(at.g(early), at.g(late)), negation(at.aged(fa, "=", 0))), move)
        for age in ("fa", "fb", "fc"):
            yield age, at.aged(age, "bvule", SOON)
        for late, early in (("fb", "fa"), ("fc", "fb")):
            after = equal(
                at.g(early), either(at.aged(late, "=", SOON), const(SOON, AGE), f"(bvadd {at.g(late)} {one})")
            )
            begun = all_of(at.aged(early, "=", 0), at.aged(late, "bvuge", 8))
            yield f"{late} {early}", any_of(after, begun)
        for age, groups in (("fa", "g0"), ("fb", "g1"), ("fc", "g2")):
            yield f"{age} {groups}", implies(at.aged(age, "bvult", 8), at.aged(groups, "bvuge", 1))
        yield "busy_q", equal(at.flag(f"{FILLER}busy_q"), at.aged("fa", "bvult", 8))
        row = extract(at.g("fa"), 2, 0)
        yield "row_q", equal(at(f"{FILLER}row_q"), either(at.aged("fa", "bvult", 8), row, "#b000"))

        def hot(groups: str, busy: str, last: bool = False) -> str:
            """The flag of the group that is filled, or is next."""
            index = either(busy, f"(bvsub {groups} {one})", groups)
            bits = [
                either(
                    any_of(
                        equal(index, const(g, AGE)), equal(index, const(count, AGE)) if not g else "false"
                    ),
                    "#b1",
                    "#b0",
                )
                for g in reversed(range(count))
            ]
            return f"(concat {' '.join(bits)})" if count > 1 else bits[0]

        busy = {age: at.aged(age, "bvult", 8) for age in ("fa", "fb", "fc")}
        yield "group_q", equal(at.bits(f"{FILLER}group_q"), hot(at.g("g0"), busy["fa"]))
        part = f"{FILLER}gen_part[0].gen_next."
        yield "move 1", equal(at.flag(f"{part}next_move_q"), at.aged("fa", "=", 0))
        yield "busy 1", equal(at.flag(f"{part}next_busy_q"), busy["fb"])
        yield "row 1", implies(busy["fb"], equal(at(f"{part}next_row_q"), extract(at.g("fb"), 2, 0)))
        yield "group 1", implies(busy["fb"], equal(at.bits(f"{part}next_group_q"), hot(at.g("g1"), "true")))
        for p, age, groups in ((0, "fb", "g1"), (1, "fc", "g2")):
            write = extract(at(f"{FILLER}write_o"), count * p + count - 1, count * p)
            written = either(busy[age], hot(at.g(groups), "true"), const(0, count))
            yield "write", equal(write, written)
            row = extract(at(f"{FILLER}row_o"), 3 * p + 2, 3 * p)
            yield "row", implies(busy[age], equal(row, extract(at.g(age), 2, 0)))
            single = at.flag(f"{FILLER}gen_part[{p}].single_q")
            yield "single", equal(single, negation(busy[age]))
        done = all_of(at.aged("fc", "=", 7), at.aged("g2", "=", count))
        yield "done_o", equal(at.flag(f"{FILLER}done_o"), done)

    def complete(self, at: At) -> str:
        """The table is filled, and waits."""
        return all_of(
            at.aged("n3", "=", self.beats), at.aged("g2", "=", self.groups), at.aged("fc", "bvuge", 8)
        )

    def _running(self, at: At) -> Iterator[tuple[str, str]]:
        """The loop, and passes."""
        last, period, digits = self.steps, self.period, self.xdigits
        ra, pre = at.g("ra"), at.pre
        yield "ra", at.aged("ra", "bvule", period)
        yield "ea", at.aged("ea", "bvule", 5)
        yield "run_q", equal(at.high("run_q"), at.aged("ra", "bvult", period))
        step = either(at.high("run_q"), ra, const(0, AGE))
        yield (
            "step_q",
            implies(
                any_of(at.high("run_q"), at.aged("sr", "bvuge", 0)),
                equal(at.counts(f"{CONTROL}step_q"), step),
            ),
        )
        yield "run_near_q", equal(at.high("run_near_q"), at.aged("ra", "=", period - 2))
        yield "run_last_q", equal(at.high("run_last_q"), at.aged("ra", "=", period - 1))
        yield "sum_q", equal(at.high("sum_q"), at.aged("ra", "bvule", last))
        yield "sum_last_q", equal(at.high("sum_last_q"), at.aged("ra", "=", last))
        yield "some_q", equal(at.high("some_q"), at.aged("ra", "bvult", digits))
        for k in range(3):
            yield "begins_q", equal(at.bit(f"{CONTROL}begins_q", k), at.aged("ra", "=", k))
            yield "ends_q", equal(at.bit(f"{CONTROL}ends_q", k), at.aged("ea", "=", k))
        takes = either(pre, at.aged("ea", "=", 2), at.aged("ea", "=", 3))
        yield "take_q", equal(at.high("take_q"), takes)
        here = at.aged("ra", "bvult", period)
        yield "x_last_o", implies(here, equal(at.high("x_last_o"), at.aged("ra", "=", digits)))
        some = either(pre, all_of(at.aged("ra", "=", digits), at.second), at.within("ra", 1, digits))
        yield "x_some_o", implies(here, equal(at.high("x_some_o"), some))
        clear = any_of(pre, at.within("ra", 2, 3))
        near = any_of(here, at.aged("ea", "bvule", 3))
        yield "clear_t_o", implies(near, equal(at.high("clear_t_o"), clear))
        yield (
            "clear_e_o",
            implies(at.aged("sr", "bvuge", 1), equal(at.high("clear_e_o"), at.aged("ra", "=", 2))),
        )
        yield (
            "clear_s_o",
            implies(at.aged("sr", "bvuge", 1), equal(at.high("clear_s_o"), at.aged("ra", "=", 3))),
        )
        # how the ends of a loop and the next one meet
        gap = period - last - 1
        for k in range(5):
            if last + 1 + k < period:
                yield "ea ra", implies(at.aged("ra", "=", last + 1 + k), at.aged("ea", "=", min(k, 5)))
        young = at.within("ra", 0, last)
        after = f"(bvuge {at.g('ea')} (bvadd {ra} {const(min(gap, 5), AGE)}))"
        yield "ea young", implies(young, any_of(at.aged("ea", "=", 5), after))
        yield "go ea", implies(at.high("go_q"), any_of(at.aged("ra", "bvuge", period - 1)))
        yield (
            "ra ea",
            implies(all_of(at.aged("ra", "=", period), negation(pre)), at.aged("ea", "bvuge", min(gap, 5))),
        )
        yield "ra ea pre", implies(at.aged("ra", "=", period), at.aged("ea", "bvuge", min(gap, 5)))
        goes_on = any_of(at.high("filled_q"), at.high("go_q"))
        none = all_of(pre, at.is_("gen_passes.pass_q", 0), at.aged("n0", "=", 0), at.aged("fc", "bvuge", 8))
        begun = all_of(pre, goes_on, at.is_("gen_passes.pass_q", 0))
        yield "first pass", implies(begun, at.aged("n0", "=", 0))
        yield "filled", implies(goes_on, any_of(none, self.complete(at)))
        yield "filled held", implies(all_of(goes_on, at.whole), at.full)
        yield "filled once", negation(at.high("filled_q", "go_q"))
        full = all_of(at.aged("g2", "=", self.groups), at.aged("fc", "bvuge", 8))
        yield "filled or goes", implies(full, goes_on)
        yield (
            "go unread",
            implies(
                at.high("go_q"),
                all_of(
                    any_of(at.low("unread_q"), at.aged("ea", "bvule", 2)),
                    any_of(at.high("rest_q"), at.low("unread_q", "sum_q")),
                ),
            ),
        )
        yield "unread", implies(at.high("unread_q"), any_of(at.high("rest_q"), at.aged("ra", "bvugt", last)))
        yield (
            "unread sum",
            implies(at.high("unread_q", "sum_q"), all_of(at.high("rest_q"), at.aged("ea", "bvule", 2))),
        )
        yield "ends unread", implies(at.aged("ea", "bvule", 1), at.high("unread_q"))
        first = all_of(at.high("read_q"), at.aged("c", "=", 0))
        yield "end unread", implies(at.aged("ea", "=", 2), any_of(at.high("unread_q")))
        yield "third end", implies(at.aged("ea", "=", 3), any_of(at.high("unread_q"), first))
        # a READ and the loop beside it
        read = at.high("read_q")
        early = f"(bvule {ra} (bvadd {at.g('c')} {const(4, AGE)}))"
        yield (
            "read run",
            implies(
                all_of(read, at.aged("ra", "bvult", period)), any_of(early, at.aged("ra", "bvugt", last))
            ),
        )
        yield "read late run", implies(all_of(read, at.within("ra", last + 1, period - 1)), any_of(early))
        for c, least in enumerate((3, 4)):
            yield "read ea", implies(at.aged("c", "=", c), at.aged("ea", "bvuge", least))
        yield "read ea later", implies(all_of(read, at.aged("c", "bvuge", 2)), at.aged("ea", "=", 5))
        yield "read unread", implies(read, at.low("unread_q"))
        # passes
        busy = any_of(at.aged("ra", "bvult", period), at.high("unread_q"), at.high("read_q"))
        yield (
            "pre n0",
            implies(
                all_of(pre, any_of(at.aged("ra", "bvule", last), at.high("unread_q"), at.high("read_q"))),
                all_of(at.aged("n0", "=", 0), at.aged("g0", "=", 0), at.aged("fc", "bvuge", 8)),
            ),
        )
        del busy
        converts = all_of(pre, at.low("rest_q"))
        waits = all_of(at.aged("n0", "=", 0), at.high("rest_q"))
        begins = any_of(goes_on, at.high("sum_q"), at.high("unread_q"))
        yield "pre", implies(all_of(pre, waits), begins)
        yield "pre loads", implies(all_of(pre, negation(at.aged("n0", "=", 0))), at.low("unread_q", "sum_q"))
        yield (
            "pre rest",
            implies(
                all_of(
                    pre, any_of(at.high("sum_q"), at.high("unread_q"), at.high("go_q"), at.high("filled_q"))
                ),
                at.high("rest_q"),
            ),
        )
        yield "pre rest words", implies(all_of(pre, at.aged("n0", "=", self.beats)), at.high("rest_q"))
        yield (
            "pre some words",
            implies(
                all_of(pre, negation(at.aged("n0", "=", 0)), at.aged("n0", "bvult", self.beats)),
                at.low("rest_q"),
            ),
        )
        yield "pre sum", implies(pre, negation(at.high("sum_q", "unread_q")))
        yield "pre filled", implies(all_of(pre, goes_on), at.low("unread_q", "sum_q"))
        yield (
            "pre ra",
            implies(
                all_of(pre, any_of(negation(at.aged("n0", "=", 0)), at.high("filled_q"))),
                at.aged("ra", "=", period),
            ),
        )
        yield "pre ea", implies(all_of(pre, at.high("filled_q")), at.aged("ea", "=", 5))
        yield "pre show ra", implies(all_of(converts, negation(read)), at.aged("ra", "=", period))
        yield "pass", implies(negation(pre), at.is_("gen_passes.pass_q", 0))
        ones = equal(at.high("gen_passes.pass_last_q"), at.is_("gen_passes.pass_q", PASSES - 1))
        yield "pass_last_q", any_of(ones, all_of(at.aged("fc", "=", 8)))
        yield (
            "pass end",
            implies(all_of(negation(pre), at.aged("fc", "bvuge", 9)), at.low("gen_passes.pass_last_q")),
        )
        yield "pass whole", implies(at.whole, any_of(at.low("gen_passes.pass_last_q")))

    def _converting(self, at: At) -> Iterator[tuple[str, str]]:
        states = [at.high(name) for name in ("rest_q", "read_q", "show_q", "last_q")]
        yield "a state of the converter", any_of(*states)
        for i, one in enumerate(states):
            for two in states[i + 1 :]:
                yield "no two of the converter", negation(all_of(one, two))
        beats, pre = self.beats, at.pre
        rest, read, show, last = states
        there, valid = at.high("there_q"), at.high("valid_q")
        yield "c", at.aged("c", "bvule", self.shown)
        yield "read c", equal(read, at.aged("c", "bvult", self.read))
        token = at.flag(f"{CONVERTER}read_last_o")
        yield "read last", implies(read, equal(token, at.aged("c", "=", self.read - 1)))
        for j in range(beats + 5):
            word = negation(at.bit(f"{CONVERTER}other_q", j))
            yield "tokens", implies(at.aged("sr", "bvuge", j + 1), equal(word, at.aged("c", "=", j + 1)))
        for c in range(self.shown):
            yield "since", implies(at.aged("c", "=", c), at.aged("sr", "bvuge", c + 1))
        first, bits = at.high("first_q"), self.system.signals[f"{CONTROL}word_q"]
        yield "first", implies(read, equal(first, at.aged("c", "=", 0)))
        yield "first show", implies(show, equal(first, at.is_("word_q", 0)))
        yield "first last", implies(last, negation(first))
        yield "word", implies(read, equal(at.c("word_q"), extract(at.g("c"), bits - 1, 0)))
        yield "quiet", implies(any_of(rest, read), negation(any_of(there, valid)))
        word = at.counts(f"{CONTROL}word_q")
        out_at = either(pre, at.g("n0"), at.counts("out_at"))
        for k in range(beats):
            here = all_of(show, at.is_("word_q", k))
            yield "there", implies(here, equal(there, "true" if k >= 1 else "false"))
            yield "valid in show", implies(here, equal(valid, "true" if k >= 2 else "false"))
            yield "out in show", implies(here, equal(out_at, const(max(k - 2, 0), AGE)))
            yield "at last", implies(here, equal(at.high("at_last_q"), str(k == beats - 1).lower()))
        yield "words", implies(show, f"(bvult {word} {const(beats, AGE)})")
        yield "last there", implies(all_of(last, there), all_of(valid, equal(out_at, const(beats - 2, AGE))))
        late = all_of(valid, equal(out_at, const(beats - 1, AGE)))
        yield "last valid", implies(all_of(last, negation(there)), late)
        none = equal(at.counts("out_at"), const(0, AGE))
        yield "no words", implies(any_of(rest, read, pre), none)
