# SPDX-License-Identifier: Apache-2.0
"""Where every word of ``interleaved_csa`` is: the bench around it, what its passes define, the invariant.

The word adder makes six passes before the loop and five behind it. A pass adds three numbers of one word more
than an operand has, and a carry at the bottom. What it makes is defined here from what a state holds for as
long as it counts: the context, y, S, C and t. The invariant says in which stage of the adder each of its
words is, in each cycle of each pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Self

from modmul.prove.netlist import State, system
from modmul.prove.product.argument import Argument
from modmul.prove.product.carry_save import (
    ADDER,
    CONVERT,
    FRAME,
    GATE,
    LOAD,
    PRE,
    RUN,
    START,
    TOP_BITS,
    UNIT,
    UNLOAD,
)
from modmul.prove.product.serial import COUNT, TOP, instance, ports
from modmul.prove.terms import (
    all_of,
    any_of,
    const,
    equal,
    extract,
    implies,
    negation,
    zero_extend,
)
from modmul.room import Build

__all__ = ["BEFORE", "BEHIND", "CONTEXT", "GIVEN", "PAIRS", "WORKING", "At", "Place", "Where"]

CONTEXT: Mapping[int, int] = MappingProxyType({2: 1, 4: 2, 6: 3, 1: 4, 3: 5})
"""For each t whose t·2^n mod M is in the context, as which of its numbers; M is number 0."""

PAIRS = (2, 4, 6)
"""Of which t the passes before the loop make an entry, two each: T - M with y added, then the entry."""

BEFORE, BEHIND = 2 * len(PAIRS), 5
"""Passes before the loop and behind it, called ``P0`` to ``P5`` and ``F0`` to ``F4``."""

WORKING = (PRE, START, RUN, CONVERT, UNLOAD)
"""The states from the last operand beat to the last result beat."""

TABLE = "core.u_table.gen_word[{}].u_memory.words[{}]"
"""A word of an entry."""

DEFINING: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"P": ("ctx", "y"), "F": ("ctx", "core.s_q", "core.c_q", "core.index_q")}
)
"""By the letter of a pass, what defines it."""

GIVEN = 6
"""A place where the state is LOAD, and the last word of a result has just been taken."""

FLAGS = ("core.pre_q", "core.sum_q", "core.res_q")
"""That a pass before the loop is in a stage of the adder."""


def bench(build: Build) -> str:
    """The text of a bench as that of ``serial``, which remembers the whole context.

    Raises:
        ValueError: words do not fill the operands, or are too short, or there are too many.
    """
    config = build.config
    beats, word = config.beats, config.word
    context = (1 + len(CONTEXT)) * beats
    if beats * word != config.width:
        raise ValueError(f"{build}: the proof is written for operands of whole words")
    if word < TOP_BITS:
        raise ValueError(f"{build}: the proof is written for words of at least {TOP_BITS} bits")
    if context >= 1 << COUNT:
        raise ValueError(f"{build}: the bench counts at most {(1 << COUNT) - 1} words of a context")
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{ports(word)}
  output logic [{context * word - 1}:0] ctx, output logic [{beats * word - 1}:0] x,
  output logic [{beats * word - 1}:0] y, output logic [{beats * word - 1}:0] z,
  output logic [{COUNT - 1}:0] ctx_at, output logic [{COUNT - 1}:0] in_at,
  output logic [{COUNT - 1}:0] out_at, output logic whole, output logic given
);

  localparam int Word = {word};
  localparam logic [{COUNT - 1}:0] Last    = {COUNT}'({beats - 1});
  localparam logic [{COUNT - 1}:0] CtxLast = {COUNT}'({context - 1});

{instance(build)}

  logic ctx_take, in_take, out_take;

  assign ctx_take = ctx_valid_i && ctx_ready_o;
  assign in_take  = in_valid_i && in_ready_o;
  assign out_take = out_valid_o && out_ready_i;

  for (genvar k = 0; k < {context}; k++) begin : gen_context
    always_ff @(posedge clk_i) if (ctx_take && ctx_at == {COUNT}'(k)) ctx[k*Word+:Word] <= ctx_data_i;
  end

  for (genvar k = 0; k < {beats}; k++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (in_take && in_at == {COUNT}'(k)) x[k*Word+:Word] <= x_i;
      if (in_take && in_at == {COUNT}'(k)) y[k*Word+:Word] <= y_i;
      if (out_take && out_at == {COUNT}'(k)) z[k*Word+:Word] <= z_o;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {{ctx_at, in_at, out_at}} <= '0;
      {{whole, given}} <= '0;
    end else begin
      given <= out_take && out_at == Last;
      if (ctx_take) whole <= ctx_at == CtxLast;
      if (ctx_take) ctx_at <= ctx_at == CtxLast ? '0 : ctx_at + 1'b1;
      if (in_take) in_at <= in_at == Last ? '0 : in_at + 1'b1;
      if (out_take) out_at <= out_at == Last ? '0 : out_at + 1'b1;
    end
  end

endmodule

`default_nettype wire
"""


@dataclass(frozen=True)
class At:
    """The terms of one state.

    Attributes:
        of: the proof.
        state: ``s`` or ``n``.
    """

    of: Where
    state: State

    def in_(self, *states: int) -> str:
        """That the state is one of some."""
        return any_of(*(self.state.is_(f"{FRAME}state_q", each) for each in states))

    def beat(self, number: int) -> str:
        return self.state.is_(f"{FRAME}beat_q", number)

    def word(self, term: str, number: int) -> str:
        word = self.of.word
        return extract(term, (number + 1) * word - 1, number * word)

    def context(self, number: int) -> str:
        """A number of the context."""
        width = self.of.width
        return extract(self.state("ctx"), (number + 1) * width - 1, number * width)

    @property
    def full(self) -> str:
        """That the highest bit of M is set."""
        return self.of.bit(self.state("ctx"), self.of.width - 1)

    @property
    def t(self) -> str:
        """What has been cut off above S and C."""
        return extract(self.state("core.index_q"), 2, 1)


@dataclass(frozen=True)
class Place:
    """Where a state may be: a state of ``mm_word_frame`` or GIVEN, and how many cycles of passes are over."""

    state: int
    cycle: int = 0


def majority(a: str, b: str, c: str) -> str:
    return f"(bvor (bvand {a} {b}) (bvor (bvand {a} {c}) (bvand {b} {c})))"


@dataclass(frozen=True)
class Where(Argument):
    """The invariant over bits of a build."""

    @classmethod
    def of(cls, build: Build) -> Self:
        return cls(build, system(build.design, bench(build), TOP))

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def word(self) -> int:
        return self.build.config.word

    @property
    def beats(self) -> int:
        return self.build.config.beats

    @property
    def period(self) -> int:
        """Cycles of a pass."""
        return self.beats + 2

    @property
    def longest(self) -> int:
        """Bits of what a pass makes: one more word."""
        return self.width + self.word

    @property
    def sign(self) -> int:
        """The bit of it that the hardware takes for its sign."""
        return self.width + TOP_BITS - 1

    @property
    def beat_bits(self) -> int:
        return self.system.signals[f"{FRAME}beat_q"]

    @property
    def step_bits(self) -> int:
        return self.system.signals[f"{FRAME}step_q"]

    @cached_property
    def now(self) -> At:
        return At(self, self.system.state("s"))

    @cached_property
    def next(self) -> At:
        return At(self, self.system.state("n"))

    @staticmethod
    def bit(term: str, place: int) -> str:
        return equal(extract(term, place, place), "#b1")

    def step(self, at: At) -> str:
        """The number of the loop's step, as long as an operand."""
        return zero_extend(at.state(f"{FRAME}step_q"), self.width - self.step_bits)

    # --- the passes -------------------------------------------------------------------------------

    def definitions(self) -> str:
        """What each pass adds and makes.

        Of a pass: two numbers ``_a`` and ``_b``, what is at the third port ``_at``, what becomes of that
        ``_m``, and the carry ``_in``. It has a carry-save adder (``_sum``, ``_save``) and an adder whose
        carries are ``_ripple``, as the hardware has them.
        """
        numbers = (self._defined(name, term) for name, term in self._numbers().items())
        passes = (line for name, added in self._passes().items() for line in self.added(name, *added))
        return "\n".join((*numbers, *passes, ""))

    def _defined(self, name: str, term: str) -> str:
        return f"(define-fun {name} () (_ BitVec {self.longest}) {term})"

    def _numbers(self) -> dict[str, str]:
        """Multiples of M, y, S, C and the rest of the context, as long as a pass."""
        now, more = self.now, self.longest - self.width
        modulus = zero_extend(now.context(0), more)
        return {
            "S": zero_extend(now.state("core.s_q"), more),
            "C": zero_extend(now.state("core.c_q"), more),
            "Y": zero_extend(now.state("y"), more),
            **{f"M{1 << k}": f"(bvshl {modulus} {const(k, self.longest)})" for k in range(3)},
            **{f"T{t}": zero_extend(now.context(number), more) for t, number in CONTEXT.items()},
        }

    def _passes(self) -> dict[str, tuple[str, str, str, str, str]]:
        """Of each pass ``_a``, ``_b``, ``_at``, ``_m`` and ``_in``."""
        nothing, has = const(0, self.longest), [equal(self.now.t, const(t, 2)) for t in range(4)]
        found = {}
        for j, t in enumerate(PAIRS):
            first, second = f"P{2 * j}", f"P{2 * j + 1}"
            added, below = ("Y", f"T{t}", "M1"), self.negative(first)
            found[first] = (*added, "(bvnot M1)", "#b1")
            found[second] = (*added, f"(ite {below} {nothing} (bvnot M1))", f"(ite {below} #b0 #b1)")
        some = f"(ite {has[2]} T2 (ite {has[1]} T1 T3))"
        found["F0"] = ("S", "C", some, f"(ite {has[0]} {nothing} {some})", "#b0")
        found["F1"] = (self._again("F0"), nothing, "M4", "(bvnot M4)", "#b1")
        for name, before, more in (("F2", "F1", "M2"), ("F3", "F2", "M1")):
            below = self.negative(before)
            m = f"(ite {below} {more} (bvnot {more}))"
            found[name] = (self._again(before), nothing, more, m, f"(ite {below} #b0 #b1)")
        found["F4"] = (self._again("F3"), nothing, "M1", f"(ite {self.negative('F3')} M1 {nothing})", "#b0")
        return found

    def negative(self, name: str) -> str:
        """That the hardware takes what a pass has made for a negative number."""
        return self.bit(name, self.sign)

    def _again(self, name: str) -> str:
        """What a pass has made, as the next one takes it: above the words four bits count, with a sign."""
        top = extract(name, self.sign, self.width)
        return f"(concat ((_ sign_extend {self.word - TOP_BITS}) {top}) {extract(name, self.width - 1, 0)})"

    def added(self, name: str, a: str, b: str, at: str, m: str, carry: str) -> Iterator[str]:
        """The definitions of a pass by what it adds."""
        yield f"(define-fun {name}_in () (_ BitVec 1) {carry})"
        terms = {
            "_a": a,
            "_b": b,
            "_at": at,
            "_m": m,
            "_save": majority(f"{name}_a", f"{name}_b", f"{name}_m"),
            "_sum": f"(bvxor {name}_a (bvxor {name}_b {name}_m))",
            "_carry": f"(concat {extract(f'{name}_save', self.longest - 2, 0)} {name}_in)",
            "": f"(bvadd {name}_sum {name}_carry)",
            "_ripple": f"(bvxor {name} (bvxor {name}_sum {name}_carry))",
            "_over": majority(f"{name}_sum", f"{name}_carry", f"{name}_ripple"),
        }
        yield from (self._defined(f"{name}{part}", term) for part, term in terms.items())

    # --- the invariant ------------------------------------------------------------------------------

    def common(self, at: At) -> tuple[str, ...]:
        """What holds in every state."""
        return (*self._states(at), *self._context(at), *self._words(at))

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Where a state may be."""
        return (
            Place(LOAD),
            *(Place(PRE, cycle) for cycle in range(BEFORE * self.period)),
            Place(START, BEFORE * self.period),
            Place(RUN, BEFORE * self.period + 1),
            *(Place(CONVERT, cycle) for cycle in range(BEHIND * self.period)),
            Place(UNLOAD),
            Place(GIVEN),
        )

    def behind(self, place: Place) -> tuple[Place, ...]:
        """Where the next state may be."""
        first, second, *_ = self.places
        if place.state in (LOAD, GIVEN):
            return first, second
        following = self.places[self.places.index(place) + 1]
        return (place, following) if place.state in (RUN, UNLOAD) else (following,)

    def here(self, at: At, place: Place) -> str:
        """That a state is at a place."""
        if place.state in (LOAD, GIVEN):
            return all_of(at.in_(LOAD), at.state.is_("given", int(place.state == GIVEN)))
        if place.state not in (PRE, CONVERT):
            return at.in_(place.state)
        number, beat = divmod(place.cycle, self.period)
        return all_of(at.in_(place.state), at.state.is_(f"{FRAME}pass_q", number), at.beat(beat))

    def own(self, at: At, place: Place) -> tuple[str, ...]:
        """What holds at a place besides."""
        held, x = at.state(f"{UNIT}x_q"), at.state("x")
        idle = self._flagged(at, (0, 0, 0))
        if place.state == LOAD:
            return (idle, *self._loaded(at))
        if place.state in (PRE, START):
            flags = (int(place.cycle > 0), int(place.cycle > 1), int(place.cycle > 2))
            return (equal(held, x), self._flagged(at, flags), *self._prepared(at, place.cycle))
        if place.state == RUN:
            return (*self._running(at), *self._made(at, place.cycle))
        if place.state == CONVERT:
            return (idle, *self._converted(at, place.cycle))
        return (idle, *(self._leaving(at) if place.state == UNLOAD else self._given(at)))

    def stays(self, *said: str) -> str:
        """That what defines the passes that are spoken of stays, so that they are those of the next state."""
        found = {kind for each in said for kind in re.findall(r"\b([PF])\d", each)}
        return self.same(*dict.fromkeys(name for kind in sorted(found) for name in DEFINING[kind]))

    def same(self, *signals: str) -> str:
        """That signals stay as they are."""
        return all_of(*(equal(self.now.state(each), self.next.state(each)) for each in signals))

    def _part(self, at: At) -> str:
        """That some beats of the operands have come, and not all."""
        return at.state.is_(f"{GATE}in_part_q", 1)

    def _loading(self, at: At) -> str:
        """That the next beat may be one of a context."""
        return all_of(at.in_(LOAD), negation(self._part(at)))

    def _come(self, at: At, beat: int) -> str:
        """That a beat of the context has."""
        behind = f"(bvugt {at.state('ctx_at')} {const(beat, COUNT)})"
        return any_of(at.state.is_("whole", 1), all_of(self._loading(at), behind))

    def _states(self, at: At) -> Iterator[str]:
        state, part = at.state, self._part(at)
        beat, number = state(f"{FRAME}beat_q"), state(f"{FRAME}pass_q")
        yield at.in_(LOAD, *WORKING)
        yield f"(bvule {beat} {const(self.beats + 1, self.beat_bits)})"
        yield implies(at.in_(LOAD, UNLOAD), f"(bvult {beat} {const(self.beats, self.beat_bits)})")
        yield implies(at.in_(START, RUN), at.beat(0))
        yield implies(at.in_(RUN), f"(bvult {self.step(at)} {const(self.width, self.width)})")
        for passing, passes in ((PRE, BEFORE), (CONVERT, BEHIND)):
            yield implies(at.in_(passing), f"(bvult {number} {const(passes, 3)})")
        yield implies(negation(at.in_(PRE, CONVERT)), state.is_(f"{FRAME}pass_q", 0))
        yield implies(part, all_of(at.in_(LOAD), negation(at.beat(0))))
        yield implies(state.is_("given", 1), at.in_(LOAD))
        counted = zero_extend(beat, COUNT - self.beat_bits)
        for name, when in {"in_at": part, "out_at": at.in_(UNLOAD)}.items():
            yield implies(when, equal(state(name), counted))
            yield implies(negation(when), state.is_(name, 0))

    def _context(self, at: At) -> Iterator[str]:
        state, is_ = at.state, at.state.is_
        loading, whole = self._loading(at), is_(f"{GATE}whole_q", 1)
        word = state(f"{FRAME}ctx_word_q")
        busy = any_of(self._part(at), at.in_(*WORKING), is_(f"{GATE}open_q", 1))
        yield implies(busy, all_of(whole, at.full))
        yield equal(whole, is_("whole", 1))
        yield implies(whole, is_("ctx_at", 0))
        yield f"(bvule {word} {const(len(CONTEXT), 3)})"
        beats = f"(bvmul {zero_extend(word, COUNT - 3)} {const(self.beats, COUNT)})"
        beat = zero_extend(state(f"{FRAME}beat_q"), COUNT - self.beat_bits)
        yield implies(loading, equal(state("ctx_at"), f"(bvadd {beats} {beat})"))
        yield implies(negation(loading), all_of(is_("ctx_at", 0), is_(f"{FRAME}ctx_word_q", 0)))

    def _words(self, at: At) -> Iterator[str]:
        """The memories of M, of the rest of the context and of y hold what has crossed the ports."""
        state, part = at.state, self._part(at)
        ctx, y = state("ctx"), state("y")
        yield implies(self._come(at, self.beats - 1), equal(state.is_("core.legal_q", 1), at.full))
        for k in range(self.beats):
            yield implies(self._come(at, k), equal(state(f"core.u_m_words.words[{k}]"), at.word(ctx, k)))
            for t, number in CONTEXT.items():
                place = number * self.beats + k
                kept = [state(f"core.u_t_words.words[{place - self.beats}]")]
                kept += [state(TABLE.format(k, t))] if t in PAIRS else []
                holds = (equal(each, at.word(ctx, place)) for each in kept)
                yield implies(self._come(at, place), all_of(*holds))
            behind = f"(bvugt {state('in_at')} {const(k, COUNT)})"
            come = any_of(at.in_(*WORKING), all_of(part, behind))
            for each in (state(f"core.u_y_words.words[{k}]"), state(TABLE.format(k, 1))):
                yield implies(come, equal(each, at.word(y, k)))

    def _loaded(self, at: At) -> Iterator[str]:
        """The register X holds what has come of x."""
        part, x = self._part(at), at.state("x")
        for beat in range(1, self.beats):
            lower = extract(x, beat * self.word - 1, 0)
            upper = extract(at.state(f"{UNIT}x_q"), self.width - 1, self.width - beat * self.word)
            yield implies(all_of(part, at.beat(beat)), equal(upper, lower))

    def _running(self, at: At) -> Iterator[str]:
        """The register X holds what is left of x, from the top; the bit above it is in the index."""
        held, left = at.state(f"{UNIT}x_q"), f"(bvshl {at.state('x')} {self.step(at)})"
        yield equal(held, f"(bvshl {left} {const(1, self.width)})")
        digit = extract(at.state("core.index_q"), 0, 0)
        yield equal(digit, extract(left, self.width - 1, self.width - 1))
        first, second = (at.state.is_(f"{FRAME}step_q", step) for step in (0, 1))
        later = negation(any_of(first, second))
        for when, flags in ((first, (0, 1, 1)), (second, (0, 0, 1)), (later, (0, 0, 0))):
            yield implies(when, self._flagged(at, flags))

    @staticmethod
    def _flagged(at: At, flags: tuple[int, int, int]) -> str:
        return all_of(*(at.state.is_(name, flag) for name, flag in zip(FLAGS, flags, strict=True)))

    def _prepared(self, at: At, cycle: int) -> Iterator[str]:
        """Where the words of the passes before the loop are."""
        yield from self._stages(at, "P", cycle)
        yield from self._made(at, cycle)
        for name, behind in (("beat_q", 1), ("sum_beat_q", 2)):
            if cycle >= behind:
                yield at.state.is_(f"{UNIT}{name}", (cycle - behind) % self.period)
        if cycle < 3:
            return
        number, k = divmod(cycle - 3, self.period)
        yield at.state.is_("core.res_pass_q", number)
        yield at.state.is_("core.res_valid", int(k < self.beats))
        if k < self.beats:
            yield at.state.is_("core.res_beat", k)
            yield equal(at.state("core.res"), at.word(f"P{number}", k))

    def _made(self, at: At, cycle: int) -> Iterator[str]:
        """The words of entries that are in the table in a cycle."""
        for j, t in enumerate(PAIRS):
            for k in range(self.beats):
                if (2 * j + 1) * self.period + k + 4 <= cycle:
                    yield equal(at.state(TABLE.format(k, t + 1)), at.word(f"P{2 * j + 1}", k))

    def _stages(self, at: At, kind: str, cycle: int) -> Iterator[str]:
        """Which word is in each stage of the adder, in a cycle of the passes before or behind the loop."""
        state, is_, last = at.state, at.state.is_, self.beats
        if cycle >= 1:
            number, k = divmod(cycle - 1, self.period)
            yield is_("core.pass_q", number)
            yield is_(f"{ADDER}valid_q", int(k <= last))
            if k <= last:
                for port, part in (("a_q", "a"), ("b_q", "b"), ("m_q", "at")):
                    yield equal(state(f"{ADDER}{port}"), at.word(f"{kind}{number}_{part}", k))
                yield is_(f"{ADDER}first_q", int(k == 0))
                yield is_(f"{ADDER}top_q", int(k == last))
        if cycle >= 2:
            number, k = divmod(cycle - 2, self.period)
            yield is_("core.sum_pass_q", number)
            yield is_(f"{ADDER}sum_valid_q", int(k <= last))
            if k <= last:
                carry = f"{kind}{number}_carry"
                yield equal(state(f"{ADDER}sum_q"), at.word(f"{kind}{number}_sum", k))
                yield equal(state(f"{ADDER}carry_q"), at.word(carry, k))
                yield is_(f"{ADDER}sum_first_q", int(k == 0))
                yield is_(f"{ADDER}sum_top_q", int(k == last))
                if k < last:
                    yield equal(is_(f"{ADDER}save_q", 1), self.bit(carry, (k + 1) * self.word))
        if cycle >= 3:
            number, k = divmod(cycle - 3, self.period)
            if k < last:
                ripple = self.bit(f"{kind}{number}_ripple", (k + 1) * self.word)
                yield equal(is_(f"{ADDER}ripple_q", 1), ripple)
        ended = (cycle - 3 - last) // self.period
        if ended >= 0:
            yield equal(state(f"{ADDER}sum_top_o"), extract(f"{kind}{ended}", self.sign, self.width))

    def _converted(self, at: At, cycle: int) -> Iterator[str]:
        """Where the words of the passes behind the loop are: in the adder, or in X."""
        last = self.beats
        number, beat = divmod(cycle, self.period)
        yield from self._stages(at, "F", cycle)
        x = at.state(f"{UNIT}x_q")
        for k in range(beat - 2):
            yield equal(at.word(x, last - (beat - 2) + k), at.word(f"F{number}", k))
        if number:
            for k in range(beat, last):
                yield equal(at.word(x, k - beat), at.word(f"F{number - 1}", k))
        if 1 <= beat <= last:
            above = extract(at.state("ctx"), beat * self.word - 1, beat * self.word - 2)
            yield equal(at.state("core.below_q"), above)

    def _leaving(self, at: At) -> Iterator[str]:
        """What has left, and what is left, of the words that the last pass has made."""
        made = f"F{BEHIND - 1}"
        for beat in range(self.beats):
            left = (
                equal(at.word(at.state(f"{UNIT}x_q"), k - beat), at.word(made, k))
                for k in range(beat, self.beats)
            )
            gone = (equal(at.word(at.state("z"), k), at.word(made, k)) for k in range(beat))
            yield implies(at.beat(beat), all_of(*left, *gone))

    def _given(self, at: At) -> Iterator[str]:
        """A whole result is what the last pass has made."""
        yield from (negation(self._part(at)), at.state.is_(f"{GATE}whole_q", 1), at.full)
        yield equal(at.state("z"), extract(f"F{BEHIND - 1}", self.width - 1, 0))
