# SPDX-License-Identifier: Apache-2.0
"""Where operations are in ``sparse_prime``: the invariant of its control, and what is remembered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modmul.prove.netlist import State
from modmul.prove.product.argument import Argument
from modmul.prove.product.binary import bench as queue
from modmul.prove.product.serial import COUNT
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend
from modmul.room import Build

__all__ = [
    "CONTROL",
    "CONVERTER",
    "COUNTED",
    "GATE",
    "GROUP",
    "INPUT",
    "LOOP",
    "SUM",
    "At",
    "Places",
    "bench",
]

CONTROL, SUM, CONVERTER = "core.u_control.", "core.u_loop.", "core.u_converter."
INPUT, LOOP = f"{CONTROL}u_input.", f"{CONTROL}u_loop."
GATE = f"{INPUT}u_gate."

GROUP = 16
"""Bits of the sum between two saved carries."""
COUNTED = 12
"""Bits in which cycles are counted."""


def bench(build: Build) -> str:
    """A queue of operands around the core, and the last context as ``m``, whose words ``ctx_at`` counts."""
    config: Any = build.config
    bits = config.beats * config.word
    kept = f"output logic [{bits - 1}:0] m, output logic [{COUNT - 1}:0] ctx_at,\n  "
    keeping = f"""
  logic ctx_take;

  assign ctx_take = ctx_valid_i && ctx_ready_o;

  for (genvar k = 0; k < Beats; k++) begin : gen_m_word
    always_ff @(posedge clk_i) if (ctx_take && ctx_at == {COUNT}'(k)) m[k*Word+:Word] <= ctx_data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ctx_at <= '0;
    else if (ctx_take) ctx_at <= ctx_at == Last ? '0 : ctx_at + 1'b1;
  end
"""
    return queue(build, kept, keeping)


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

    def high(self, *names: str) -> str:
        """That flags are set."""
        return all_of(*(self.state.is_(name, 1) for name in names))

    def low(self, *names: str) -> str:
        """That none of them is."""
        return all_of(*(self.state.is_(name, 0) for name in names))

    def bit(self, name: str, place: int) -> str:
        """That a bit of a signal is set, be it of one bit."""
        if not self.of.system.signals[name]:
            return self(name)
        return equal(extract(self(name), place, place), "#b1")

    def number(self, name: str) -> str:
        """A signal in as many bits as it has, be it one."""
        return self(name) if self.of.system.signals[name] else f"(ite {self(name)} #b1 #b0)"

    def counts(self, name: str) -> str:
        """A signal that counts, in as many bits as cycles are counted in."""
        return zero_extend(self.number(name), COUNTED - (self.of.system.signals[name] or 1))

    # --- what is remembered -------------------------------------------------------------------------

    def g(self, name: str) -> str:
        return f"g{self.state.name}_{name}"

    def aged(self, name: str, sign: str, age: int) -> str:
        """How a count of cycles compares: ``=``, ``bvult``, ``bvule``, ``bvugt`` or ``bvuge``."""
        return f"({sign} {self.g(name)} {const(age, COUNTED)})"

    def within(self, name: str, least: int, most: int) -> str:
        return all_of(self.aged(name, "bvuge", least), self.aged(name, "bvule", most))

    # --- operations ---------------------------------------------------------------------------------

    @property
    def running(self) -> str:
        return self.state.is_("rst_ni", 1)

    @property
    def whole(self) -> str:
        return self.high(f"{GATE}whole_q")

    @property
    def part(self) -> str:
        """Some words of operands have come, and not all."""
        return self.high(f"{GATE}in_part_q")

    @property
    def full(self) -> str:
        """All words of operands have come, and wait."""
        return self.high(f"{INPUT}full_q")

    @property
    def busy(self) -> str:
        """An operation is in the loop, or its sum waits."""
        return self.high(f"{LOOP}busy_q")

    @property
    def out(self) -> str:
        """One is in the converter."""
        return self.aged("q", "bvule", self.of.last)

    @property
    def moves(self) -> str:
        """The converter goes on."""
        return self.high(f"{CONTROL}move_o")

    def looped(self, name: str) -> str:
        """``x`` or ``y`` of the one in the loop."""
        return f"(ite {self.out} {self(f'{name}1')} {self(f'{name}0')})"

    def waiting(self, name: str) -> str:
        """The same of the one that waits."""
        both, one = all_of(self.out, self.busy), any_of(self.out, self.busy)
        return f"(ite {both} {self(f'{name}2')} (ite {one} {self(f'{name}1')} {self(f'{name}0')}))"


class Places(Argument):
    """The invariant over bits, of the control."""

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def config(self) -> Any:
        return self.build.config

    @property
    def constants(self) -> Any:
        """The constants of the build's modulus, as the core's description has them."""
        return self.config.constants

    @property
    def modulus(self) -> int:
        return int(self.config.modulus)

    @property
    def word(self) -> int:
        return int(self.config.word)

    @property
    def beats(self) -> int:
        return int(self.config.beats)

    @property
    def operand(self) -> int:
        """Bits of the words of an operand."""
        return self.beats * self.word

    @property
    def digit(self) -> int:
        """k."""
        return int(self.config.digit)

    @property
    def rows(self) -> int:
        return int(self.config.rows)

    @property
    def steps(self) -> int:
        """L."""
        return int(self.config.steps)

    @property
    def digits_word(self) -> int:
        """Digits of x in a word."""
        return self.word // self.digit

    @property
    def words(self) -> int:
        """Words of U."""
        return int(self.constants.words)

    @property
    def folds(self) -> int:
        """How often step 5 is taken."""
        return int(self.constants.folds)

    @property
    def stages(self) -> int:
        """Additions in a product by W."""
        return int(self.constants.stages)

    @property
    def wait(self) -> int:
        return int(self.constants.wait)

    # Cycles of the loop, from the one behind its start on.

    @property
    def first(self) -> int:
        """In which the sum is that behind no step."""
        return 3 + self.rows

    @property
    def taken(self) -> int:
        """In which it is that behind all of them."""
        return self.first + self.steps

    @property
    def unread(self) -> int:
        """From which on it may be read."""
        return self.taken + 2 + self.wait

    @property
    def rest(self) -> int:
        """From which on they are not counted."""
        return self.unread + self.stages + 8

    # Cycles of the converter in which it goes on, from the one behind its start on.

    @property
    def period(self) -> int:
        """Of a pass."""
        return self.words + self.stages + 2

    def begins(self, p: int) -> int:
        """In which pass p reads word 0."""
        return 4 + p * self.period

    @property
    def compares(self) -> int:
        return self.begins(self.folds + 1)

    @property
    def shows(self) -> int:
        return self.begins(self.folds + 2)

    @property
    def last(self) -> int:
        """In which the last word of a result waits."""
        return self.shows + self.beats + 1

    @property
    def clean(self) -> int:
        """Cycles from a reset until nothing of what was before it is in the converter."""
        return self.words + 8

    def wordof(self, term: str, k: int) -> str:
        return extract(term, (k + 1) * self.word - 1, k * self.word)

    # --- what is remembered -------------------------------------------------------------------------

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        """Beside the netlist: by name the bits, and what follows on a state ``s``.

        ``sr``, ``ph`` and ``q`` count cycles since a reset, since a loop began, and since the converter did.
        """
        at = At(self, self.system.state("s"))

        def more(name: str, most: int) -> str:
            one = f"(bvadd {at.g(name)} {const(1, COUNTED)})"
            return f"(ite {at.aged(name, 'bvuge', most)} {const(most, COUNTED)} {one})"

        reset, one = at.state.is_("rst_ni", 0), const(1, COUNTED)
        rest, idle = const(self.rest, COUNTED), const(self.last + 1, COUNTED)
        ph = f"(ite {at.high(f'{LOOP}go_o')} {one} {more('ph', self.rest)})"
        q = f"(ite {at.high(f'{CONTROL}starts')} {one} {more('q', self.last + 1)})"
        return {
            "sr": (COUNTED, f"(ite {reset} {const(0, COUNTED)} {more('sr', self.clean)})"),
            "ph": (COUNTED, f"(ite {reset} {rest} {ph})"),
            "q": (COUNTED, f"(ite {reset} {idle} (ite {at.moves} {q} {at.g('q')}))"),
        }

    def definitions(self) -> str:
        found = []
        for name, (bits, follows) in self.remembered().items():
            found += [f"(declare-const g{state}_{name} (_ BitVec {bits}))" for state in "sn"]
            found.append(f"(assert {equal(f'gn_{name}', follows)})")
        return "\n".join(sorted(found, key=lambda each: each.startswith("(assert"))) + "\n"

    def at(self, name: str) -> At:
        return At(self, self.system.state(name))

    # --- the invariant ----------------------------------------------------------------------------

    def control(self, at: At) -> Iterator[tuple[str, str]]:
        """What each register of the control is, in each cycle of the loop and of the converter."""
        yield from self._ports(at)
        yield from self._loop(at)
        yield from self._converter(at)

    def _ports(self, at: At) -> Iterator[tuple[str, str]]:
        """Words are counted as at the ports, and operations too."""
        beats, last = self.beats, const(self.beats - 1, COUNTED)
        whole, part, full, busy, out = at.whole, at.part, at.full, at.busy, at.out
        in_at, ctx_at, out_at = (at.counts(name) for name in ("in_at", "ctx_at", "out_at"))
        beat, zero = at.counts(f"{INPUT}beat_q"), const(0, COUNTED)
        m_load, x_load = at.high(f"{INPUT}m_load_q"), at.high(f"{INPUT}x_load_q")
        for name, count in (("in_at", in_at), ("ctx_at", ctx_at), ("out_at", out_at), ("beat", beat)):
            yield name, f"(bvult {count} {const(beats, COUNTED)})"
        following = f"(ite (= {beat} {last}) {zero} (bvadd {beat} {const(1, COUNTED)}))"
        counted = f"(ite {any_of(m_load, x_load)} {following} {beat})"
        yield "beat", equal(counted, f"(ite {whole} {in_at} {ctx_at})")
        yield "part", equal(part, negation(equal(in_at, zero)))
        ops = any_of(part, full, busy, out)
        yield "whole", implies(any_of(ops, at.high(f"{GATE}open_q"), x_load), whole)
        yield "whole context", implies(whole, equal(ctx_at, zero))
        yield "full", implies(full, negation(part))
        full_2, full_3 = at.high(f"{INPUT}full_q2"), at.high(f"{INPUT}full_q3")
        yield "full 2", implies(full_2, all_of(full, negation(x_load)))
        yield "full 3", implies(full_3, all_of(full_2, at.low(f"{INPUT}x_write_q")))
        yield "loads", negation(all_of(m_load, any_of(ops, x_load)))
        yield "no beats", at.low(f"{INPUT}modulus_q", f"{INPUT}whole_q")
        yield "load", implies(x_load, any_of(part, full))
        write = all_of(at.high(f"{INPUT}x_write_q"), at.aged("sr", "bvuge", 1))
        yield "write", implies(write, any_of(part, full))
        written = at.counts(f"{INPUT}beat_q2")
        one = f"(ite (= {written} {last}) {zero} (bvadd {written} {const(1, COUNTED)}))"
        yield "written", implies(write, equal(beat, one))
        yield "write first", implies(all_of(write, full), any_of(x_load, equal(beat, zero)))
        free = at.high(f"{INPUT}free_q")
        yield "free", implies(free, negation(any_of(full, busy, out)))
        counts = [f"(ite {each} #b01 #b00)" for each in (full, busy, out)]
        yield "count", equal(at("count"), f"(bvadd {' '.join(counts)})")
        yield "sr", at.aged("sr", "bvule", self.clean)
        loaded = any_of(part, full, x_load)
        opened = at.high(f"{GATE}open_q")
        for least, flag in enumerate((any_of(whole, m_load), opened, loaded, full_2, full_3), 1):
            yield "since a reset", implies(flag, at.aged("sr", "bvuge", least))

    def _loop(self, at: At) -> Iterator[tuple[str, str]]:
        """Of the schedule of the loop."""
        steps, beats, digits = self.steps, self.beats, self.digits_word
        ph, busy, unread = at.g("ph"), at.busy, at.high(f"{LOOP}unread_q")
        yield "ph", at.within("ph", 1, self.rest)
        late = at.aged("ph", "bvuge", self.unread)
        yield "busy", implies(negation(late), busy)
        yield "unread", equal(unread, all_of(busy, late))
        yield "not read yet", implies(negation(busy), at.aged("ph", "bvuge", self.unread + 1))
        least = f"(bvuge {at.g('sr')} (bvadd {ph} {const(5, COUNTED)}))"
        some = at.aged("ph", "bvult", self.rest)
        yield "ph sr", implies(any_of(some, busy), any_of(at.aged("sr", "=", self.clean), least))
        yield "run", equal(at.high(f"{LOOP}run_q"), at.aged("ph", "bvule", steps))
        yield "run last", equal(at.high(f"{LOOP}run_last_q"), at.aged("ph", "=", steps))
        extra = self.rows - 1
        for i in range(1, 7 + extra + self.wait):
            yield "last late", equal(at.bit(f"{LOOP}last_late_q", i - 1), at.aged("ph", "=", steps + i))
        for i in range(1, 3 + extra):
            yield (
                "run late",
                equal(at.bit(f"{LOOP}run_late_q", i - 1), at.within("ph", 1 + i, steps + i)),
            )
        yield "idle", equal(at.low(f"{LOOP}idle_q"), at.within("ph", self.first, self.taken - 1))
        yield "lead", equal(at.high(f"{LOOP}lead_q"), at.aged("ph", "=", 1))
        none = all_of(at.aged("ph", "bvuge", steps + 2), at.aged("sr", "bvuge", 1))
        at_last = equal(at.counts(f"{LOOP}x_word_q"), const(beats - 1, COUNTED))
        nothing = all_of(at.low(f"{LOOP}step_q", f"{LOOP}digit_q"), at_last)
        yield "steps rest", implies(none, nothing)
        bits = self.system.signals[f"{LOOP}x_word_q"] or 1
        for r in range(1, steps + 1):
            step, gone = r - 1, (r - 2) // digits + 1 if r > 1 else 0
            facts = [
                equal(at.counts(f"{LOOP}step_q"), const(step, COUNTED)),
                equal(at.counts(f"{LOOP}digit_q"), const(step % digits, COUNTED)),
                equal(at.number(f"{LOOP}x_word_q"), const((beats - 1 - gone) % (1 << bits), bits)),
                equal(at.high(f"{LOOP}next_q"), str(step % digits == 0).lower()),
            ]
            yield "steps", implies(at.aged("ph", "=", r), all_of(*facts))

    def _converter(self, at: At) -> Iterator[tuple[str, str]]:
        """Of the passes."""
        shows, beats, last = self.shows, self.beats, self.last
        main = at.within("q", 4, shows + beats)
        yield "q", at.within("q", 1, last + 1)
        yield "q sr", implies(at.out, at.aged("sr", "=", self.clean))
        yield "main", equal(at.high(f"{CONTROL}main_q"), main)
        for i in range(1, 4):
            yield "start late", equal(at.bit(f"{CONTROL}start_late_q", i - 1), at.aged("q", "=", i))
        yield "rest", equal(at.high(f"{CONTROL}rest_q"), at.aged("q", "bvuge", shows + beats + 1))
        valid = at.within("q", shows + 2, last)
        yield "valid", equal(at.high(f"{CONTROL}valid_q"), valid)
        high = at.within("q", 5 + self.words, self.begins(self.folds + 1))
        started = at.aged("sr", "bvuge", 1)
        yield "high", implies(started, equal(at.high(f"{CONTROL}high_q"), high))
        index, passes = at.counts(f"{CONTROL}index_q"), at.counts(f"{CONTROL}pass_q")
        for q in range(4, shows + beats + 1):
            p, j = divmod(q - 4, self.period) if q < shows else (self.folds + 2, q - shows)
            facts = [equal(index, const(j, COUNTED)), equal(passes, const(p, COUNTED))]
            flags = (("first_q", p == 0), ("fold_q", p <= self.folds), ("show_q", q >= shows))
            facts += [equal(at.high(f"{CONTROL}{name}"), str(value).lower()) for name, value in flags]
            yield "pass", implies(at.aged("q", "=", q), all_of(*facts))
        out_at = f"(ite {valid} (bvsub {at.g('q')} {const(shows + 2, COUNTED)}) {const(0, COUNTED)})"
        yield "words that have left", equal(at.counts("out_at"), out_at)
        # The next loop begins when the sum has been taken over.
        early, ph = at.within("q", 1, 4 + self.words), at.g("ph")
        waited = f"(bvuge {ph} (bvadd {at.g('q')} {const(self.unread, COUNTED)}))"
        behind = any_of(at.aged("ph", "=", self.rest), waited)
        again = f"(bvult {ph} {at.g('q')})"
        yield "the next loop", implies(early, any_of(all_of(negation(at.busy), behind), again))
