# SPDX-License-Identifier: Apache-2.0
"""Where operations are in ``rrm``: the invariant of its control, and what is remembered beside it."""

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

__all__ = ["AGE", "CONTROL", "CONVERTER", "CORE", "GATE", "At", "Places", "bench"]

CORE = "core.gen_legal.gen_one.u_rrm."
CONTROL, CONVERTER = f"{CORE}u_control.", f"{CORE}gen_exact.u_converter."
GATE = f"{CONTROL}u_gate."

K = 2
"""Bits of a digit."""
ENTRIES = 16
"""Of the table."""
FILL = 12
"""Entries that a filling makes: all but row 0."""
PRE = 3
"""Steps of the loop for a residue."""
AGE = 10
"""Bits in which cycles are counted."""


def bench(build: Build) -> str:
    """A queue of operands around the core, and M as ``m``, whose words ``ctx_at`` counts."""
    config: Any = build.config
    beats, word = config.beats, config.word
    kept = f"output logic [{beats * word - 1}:0] m, output logic [{COUNT - 1}:0] ctx_at,\n  "
    keeping = f"""
  logic ctx_take;

  assign ctx_take = ctx_valid_i && ctx_ready_o;

  for (genvar k = 0; k < Beats; k++) begin : gen_m_word
    always_ff @(posedge clk_i) if (ctx_take && ctx_at == {COUNT}'(k)) m[k*Word+:Word] <= ctx_data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ctx_at <= '0;
    else if (ctx_take) ctx_at <= ctx_at == {COUNT}'(Beats) ? '0 : ctx_at + 1'b1;
  end
"""
    return queue(build, kept, keeping)


def either(condition: str, yes: str, no: str) -> str:
    """One of two terms."""
    return f"(ite {condition} {yes} {no})"


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
        """A signal of the control."""
        return self.state(f"{CONTROL}{name}")

    def high(self, *names: str) -> str:
        """That flags of the control are set."""
        return all_of(*(self.state.is_(f"{CONTROL}{name}", 1) for name in names))

    def low(self, *names: str) -> str:
        """That none of them is."""
        return all_of(*(self.state.is_(f"{CONTROL}{name}", 0) for name in names))

    def high_of(self, name: str) -> str:
        """That a flag of any kind is set."""
        return self.state.is_(name, 1)

    def is_(self, name: str, value: int) -> str:
        """A value of the control's."""
        return self.state.is_(f"{CONTROL}{name}", value)

    def gate(self, name: str) -> str:
        return self.state.is_(f"{GATE}{name}", 1)

    def counts(self, name: str) -> str:
        """A signal that counts, in as many bits as cycles are counted in."""
        bits = self.of.system.signals[name]
        term = self(name) if bits else f"(ite {self(name)} #b1 #b0)"
        return zero_extend(term, AGE - (bits or 1))

    # --- what is remembered -------------------------------------------------------------------------

    def g(self, name: str) -> str:
        return f"g{self.state.name}_{name}"

    def aged(self, name: str, sign: str, age: int) -> str:
        """How a count of cycles compares: ``=``, ``bvult``, ``bvule``, ``bvugt`` or ``bvuge``."""
        return f"({sign} {self.g(name)} {const(age, AGE)})"

    def within(self, name: str, least: int, most: int) -> str:
        return all_of(self.aged(name, "bvuge", least), self.aged(name, "bvule", most))

    @property
    def writing(self) -> str:
        """That the last filling was of an entry of row 0."""
        return equal(self.g("w"), "#b1")

    @property
    def settled(self) -> str:
        """The last filling is over in all cells."""
        cells = self.of.cells
        written, filled = self.aged("fa", "bvuge", 4 + cells), self.aged("fa", "=", self.of.filled)
        return either(self.writing, written, filled)

    # --- operations ---------------------------------------------------------------------------------

    @property
    def full(self) -> str:
        return self.high("full_q")

    @property
    def loop(self) -> str:
        """An operation is in the loop, or its sum waits."""
        return all_of(self.low("pre_q"), any_of(self.high("run_q"), self.high("unread_q")))

    @property
    def out(self) -> str:
        """One is in the converter."""
        return all_of(self.low("rest_q"), self.low("inner_q"))

    @property
    def busy(self) -> str:
        """The converter works on a sum."""
        return self.low("rest_q", "bare_q")

    def looped(self, name: str) -> str:
        """``x`` or ``y`` of the one in the loop."""
        return f"(ite {self.out} {self(f'{name}1')} {self(f'{name}0')})"

    def waiting(self, name: str) -> str:
        """The same of the one that waits to be filled in, or is."""
        both, one = all_of(self.out, self.loop), any_of(self.out, self.loop)
        return f"(ite {both} {self(f'{name}2')} (ite {one} {self(f'{name}1')} {self(f'{name}0')}))"

    def r(self, r: int) -> str:
        """Cycle r of the loop."""
        return all_of(self.high("run_q"), self.is_("step_q", self.of.word // K + 1 + r))


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
    def cells(self) -> int:
        return len(self.config.cells)

    @property
    def filled(self) -> int:
        """Cycles from the first of a filling until the last entry is in the last cell."""
        return FILL + 3 + self.cells

    @property
    def clean(self) -> int:
        """Cycles from a reset until nothing of what was before it is in a cell."""
        return max(self.cells + 5, self.beats + 7)

    @property
    def read(self) -> int:
        """Cycles of READ."""
        return self.beats + 5 + int(self.config.late)

    @property
    def shown(self) -> int:
        """Cycles from the first of READ until all of its words are in the memory of V, and more."""
        return self.read + 4

    def wordof(self, term: str, k: int) -> str:
        return extract(term, (k + 1) * self.word - 1, k * self.word)

    # --- what is remembered -------------------------------------------------------------------------

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        """Beside the netlist: by name the bits, and what follows on a state ``s``.

        ``sr``, ``fa``, ``c``, ``tk`` count cycles since a reset, the first cycle of a filling, that of
        READ, and the one in which a sum was taken; ``w`` is that the filling was of an entry of row 0.
        """
        at = At(self, self.system.state("s"))

        def counted(name: str, most: int) -> str:
            more = f"(bvadd {at.g(name)} {const(1, AGE)})"
            return f"(ite {at.aged(name, 'bvuge', most)} {const(most, AGE)} {more})"

        reset = at.state.is_("rst_ni", 0)
        reading = at.high("reading")
        entry = f"(bvadd {at.counts(f'{CONTROL}entry_q')} {const(1, AGE)})"
        fa = f"(ite {reset} {const(self.filled, AGE)} (ite {reading} {entry} {counted('fa', self.filled)}))"
        row_0 = f"(ite {at.high('row_0_q')} #b1 #b0)"
        return {
            "sr": (AGE, f"(ite {reset} {const(0, AGE)} {counted('sr', self.clean)})"),
            "fa": (AGE, fa),
            "w": (1, f"(ite {reset} #b0 (ite {reading} {row_0} {at.g('w')}))"),
            "c": (
                AGE,
                either(
                    reset,
                    const(self.shown, AGE),
                    either(at.high("reads"), const(0, AGE), counted("c", self.shown)),
                ),
            ),
            "tk": (
                AGE,
                either(
                    reset,
                    const(self.cells, AGE),
                    either(at.high("take_q"), const(1, AGE), counted("tk", self.cells)),
                ),
            ),
        }

    def definitions(self) -> str:
        found = []
        for name, (bits, follows) in self.remembered().items():
            found += [f"(declare-const g{state}_{name} (_ BitVec {bits}))" for state in "sn"]
            found.append(f"(assert {equal(f'gn_{name}', follows)})")
        return "\n".join(sorted(found, key=lambda each: each.startswith("(assert"))) + "\n"

    # --- the invariant ----------------------------------------------------------------------------

    def control(self, at: At) -> Iterator[tuple[str, str]]:
        yield from self._ports(at)
        yield from self._engine(at)
        yield from self._behind_run(at)
        yield from self._filling(at)
        yield from self._converter(at)

    def _ports(self, at: At) -> Iterator[tuple[str, str]]:
        beats = self.beats
        whole, part, full = at.gate("whole_q"), at.gate("in_part_q"), at.full
        next_q = at.counts(f"{CONTROL}next_q")
        in_at, ctx_at = at.counts("in_at"), at.counts("ctx_at")
        word = f"(ite {whole} {in_at} {ctx_at})"
        yield "in_at", f"(bvult {in_at} {const(beats, AGE)})"
        yield "out_at", f"(bvult {at.counts('out_at')} {const(beats, AGE)})"
        yield "ctx_at", f"(bvule {ctx_at} {const(beats, AGE)})"
        yield "next_q", equal(next_q, word)
        last = const(beats - 1, AGE)
        yield "in_last_q", equal(at.high("in_last_q"), equal(word, last))
        behind = all_of(negation(whole), equal(ctx_at, const(beats, AGE)))
        yield "ctx_last_q", equal(at.high("ctx_last_q"), behind)
        yield "first_q", equal(at.high("first_q"), equal(word, const(0, AGE)))
        yield "part", equal(part, negation(at.state.is_("in_at", 0)))
        yield "part whole", implies(any_of(part, full, at.gate("open_q"), at.loop, at.out), whole)
        yield "whole", implies(whole, all_of(at.state.is_("ctx_at", 0), at.low("modulus_q", "pre_q")))
        yield "modulus", implies(any_of(at.high("modulus_q"), at.high("pre_q")), behind)
        yield "full", implies(full, all_of(at.low("room_q"), negation(part)))
        yield (
            "filling",
            implies(all_of(at.high("filling_q"), at.low("pre_q")), all_of(at.low("room_q"), negation(part))),
        )
        ops = [f"(ite {each} #b01 #b00)" for each in (full, at.loop, at.out)]
        yield "count", equal(at("count"), f"(bvadd {' '.join(ops)})")
        yield (
            "free",
            implies(
                at.high("free_q"),
                all_of(at.high("idle_q", "rest_q"), at.low("unread_q", "full_q", "pre_q", "modulus_q")),
            ),
        )
        yield "sr", at.aged("sr", "bvule", self.clean)
        yield "since", any_of(at.aged("sr", "=", self.clean), f"(bvuge {at.g('sr')} {ctx_at})")
        clean = at.aged("sr", "=", self.clean)
        after = all_of(equal(ctx_at, const(beats, AGE)), at.low("modulus_q", "pre_q"))
        moves = any_of(
            *(at.high(name) for name in ("wait_q", "go_q", "run_q", "unread_q", "read_q", "done_q"))
        )
        residue = any_of(
            all_of(at.high("reading_q", "row_0_q"), at.low("zero_q")),
            all_of(at.high("latch_q"), at.low("bare_q"), any_of(at.low("rest_q"), at.high("y_there_q"))),
        )
        yield "since a context", implies(any_of(whole, after, moves, residue), clean)
        reads = all_of(at.high("reading_q"), at.low("row_0_q"))
        bare = all_of(at.high("latch_q", "bare_q"))
        yield (
            "since M",
            implies(all_of(bare, at.high("show_q")), at.aged("sr", "bvuge", min(self.clean, beats + 1))),
        )
        for k in range(beats):
            shows = all_of(bare, at.high("show_q"), at.is_("word_q", k))
            yield "since M is shown", implies(shows, at.aged("sr", "bvuge", min(self.clean, beats + 1 + k)))
        shown = all_of(at.high("latch_q"), any_of(at.high("last_q", "bare_q"), at.high("y_there_q")))
        yield "since M was shown", implies(shown, at.aged("sr", "bvuge", min(self.clean, 2 * beats)))
        for e in range(FILL):
            least = min(self.clean, 2 * beats + 1 + e)
            yield (
                "since a filling",
                implies(all_of(reads, at.is_("entry_q", e)), at.aged("sr", "bvuge", least)),
            )

    def _engine(self, at: At) -> Iterator[tuple[str, str]]:
        gap = all_of(at.high("zero_q"), at.low("reading_q"))
        states = [
            at.high(name) for name in ("idle_q", "reading_q", "wait_q", "go_q", "run_q", "latch_q", "done_q")
        ]
        states.append(gap)
        yield "one state", any_of(*states)
        for i, one in enumerate(states):
            for two in states[i + 1 :]:
                yield "no two states", negation(all_of(one, two))
        yield "idle", implies(any_of(at.high("idle_q"), at.high("modulus_q")), at.low("pre_q", "zero_q"))
        yield (
            "modulus idle",
            implies(at.high("modulus_q"), all_of(at.high("idle_q", "rest_q"), at.low("unread_q"))),
        )
        yield (
            "pre",
            implies(any_of(*(at.high(name) for name in ("latch_q", "done_q", "zero_q"))), at.high("pre_q")),
        )
        yield "row 0", implies(any_of(at.high("done_q"), at.high("zero_q")), at.high("row_0_q"))
        yield "row 0 pre", implies(all_of(at.high("row_0_q"), at.low("pre_q")), at.high("idle_q"))
        yield "row 0 ready", implies(all_of(at.high("row_0_q", "idle_q")), negation(at.full))
        busy = any_of(at.high("reading_q"), at.high("wait_q"), at.high("go_q"))
        yield "busy", implies(all_of(busy, at.low("pre_q")), at.full)
        yield "entry last", implies(at.high("entry_last_q"), at.high("reading_q"))
        yield "entry", implies(at.low("reading_q"), at.is_("entry_q", 0))
        last = any_of(
            all_of(at.high("row_0_q"), at.is_("entry_q", 0)),
            all_of(at.low("row_0_q"), at.is_("entry_q", FILL - 1)),
        )
        yield "entry is last", implies(at.high("reading_q"), equal(at.high("entry_last_q"), last))
        yield (
            "entries",
            implies(at.high("reading_q"), f"(bvult {at.counts(f'{CONTROL}entry_q')} {const(FILL, AGE)})"),
        )
        yield "entry of row 0", implies(at.high("reading_q", "row_0_q"), at.is_("entry_q", 0))
        yield "zero reading", implies(at.high("zero_q", "reading_q"), at.high("row_0_q"))
        yield "no column", implies(at.gate("whole_q"), at.is_("col_q", 0))
        yield "zero column", implies(at.high("zero_q"), at.is_("col_q", 0))
        ends = either(at.high("pre_q"), at.r(PRE - 1), at.r(self.steps - 1))
        yield "run last", equal(at.high("run_last_q"), ends)
        step, first = at.counts(f"{CONTROL}step_q"), self.word // K + 1
        most = either(at.high("pre_q"), *(const(first + cycles - 1, AGE) for cycles in (PRE, self.steps)))
        within = all_of(f"(bvuge {step} {const(first, AGE)})", f"(bvule {step} {most})")
        yield "steps", implies(at.high("run_q"), within)
        yield "run waits", implies(at.high("run_q"), at.low("unread_q"))
        yield "go waits", implies(at.high("go_q"), at.low("unread_q"))

    def _behind_run(self, at: At) -> Iterator[tuple[str, str]]:
        """Until the sum is taken, in an operation or for a residue."""
        tail = [at.high(name) for name in ("run_last_q2", "run_last_q3", "take_q")]
        tail = [all_of(each, at.aged("sr", "bvuge", k)) for k, each in enumerate(tail)]  # since a reset
        for k, one in enumerate(tail):
            early = all_of(at.high("reading_q"), f"(bvule {at.counts(f'{CONTROL}entry_q')} {const(k, AGE)})")
            yield "tail", implies(one, any_of(at.high("idle_q"), at.high("latch_q"), early))
            for two in tail[k + 1 :]:
                yield "no two of the tail", negation(all_of(one, two))
        first = all_of(at.high("read_q"), at.aged("c", "=", 0))
        yield "tail unread", implies(any_of(*tail[:2]), at.high("unread_q"))
        yield "taken", implies(tail[2], any_of(at.high("unread_q"), first))
        latch = at.high("latch_q")
        waits = all_of(at.high("unread_q", "rest_q"), at.low("y_there_q"))
        ways = [
            waits,
            all_of(at.low("rest_q", "unread_q")),
            all_of(at.high("rest_q", "y_there_q"), at.low("unread_q")),
        ]
        yield "latch", implies(latch, any_of(*ways))
        yield (
            "pre rests",
            implies(all_of(at.high("pre_q"), negation(latch)), all_of(at.high("rest_q"), at.low("unread_q"))),
        )
        yield "pre waits", implies(at.high("pre_q"), at.low("wait_q"))
        yield "tail latch", implies(all_of(latch, tail[2]), first)
        yield "tail latch waits", implies(all_of(latch, any_of(*tail[:2])), waits)

    def _filling(self, at: At) -> Iterator[tuple[str, str]]:
        cells = self.cells
        reading = at.high("reading_q")
        entry = at.counts(f"{CONTROL}entry_q")
        some = negation(at.is_("entry_q", 0))
        yield "fa", all_of(at.aged("fa", "bvule", self.filled), at.aged("fa", "bvuge", 1))
        yield (
            "fa entry",
            implies(all_of(reading, some), all_of(equal(at.g("fa"), entry), negation(at.writing))),
        )
        yield "fa ready", implies(all_of(reading, negation(some)), at.settled)
        for i in range(cells):
            one = equal(extract(at.c("fill_last_q"), i, i), "#b1")
            ages = f"(ite {at.writing} {at.aged('fa', '=', 1 + i)} {at.aged('fa', '=', FILL + i)})"
            yield "fill last", equal(one, ages)
        span = f"(ite {at.writing} {at.within('fa', 1, cells)} {at.within('fa', 1, FILL - 1 + cells)})"
        yield "filling_q", equal(at.high("filling_q"), any_of(span, "false"))
        # how long ago it was
        for name, early, late in (("wait_q", 1, FILL), ("go_q", 1, FILL)):
            yield (
                f"{name} fa",
                implies(
                    at.high(name),
                    f"(ite {at.writing} {at.aged('fa', 'bvuge', early)} {at.aged('fa', 'bvuge', late)})",
                ),
            )
        yield (
            "idle fa",
            implies(
                at.high("idle_q"), f"(ite {at.writing} {at.aged('fa', 'bvuge', 2 + cells)} {at.settled})"
            ),
        )
        yield "free fa", implies(at.high("free_q"), implies(at.writing, at.aged("fa", "bvuge", 3 + cells)))
        yield "whole fa", implies(at.gate("whole_q"), implies(at.writing, at.aged("fa", "bvuge", 4 + cells)))
        first = self.word // K + 1
        lag = either(at.writing, const(2, AGE), const(FILL + 1, AGE))
        ago = f"(bvsub (bvadd {at.counts(f'{CONTROL}step_q')} {lag}) {const(first, AGE)})"
        yield "run fa", implies(at.high("run_q"), any_of(at.settled, f"(bvuge {at.g('fa')} {ago})"))
        yield (
            "op fa",
            implies(
                any_of(at.loop, at.out, all_of(at.full, any_of(at.high("go_q"), at.high("wait_q")))),
                negation(at.writing),
            ),
        )
        some = all_of(negation(at.state.is_("ctx_at", 0)), negation(at.state.is_("ctx_at", self.beats)))
        begun = all_of(negation(at.gate("whole_q")), any_of(some, at.high("modulus_q")))
        yield "begun fa", implies(all_of(begun, at.writing), at.aged("fa", "bvuge", 4 + cells))
        yield "done fa", implies(at.high("done_q"), at.writing)
        yield "pre fa", implies(all_of(at.high("zero_q"), at.low("reading_q")), at.writing)

        bare = at.high("bare_q")
        here = at.high("latch_q")
        shows = any_of(at.high("show_q"), at.high("last_q"))
        done = all_of(here, any_of(all_of(shows, negation(bare)), at.high("y_there_q")))
        yield "latch fa", implies(done, at.settled)
        ago = f"(ite {at.writing} {const(PRE + 2, AGE)} {const(FILL + PRE + 1, AGE)})"
        yield (
            "unread fa",
            implies(all_of(here, at.high("unread_q")), any_of(at.settled, f"(bvuge {at.g('fa')} {ago})")),
        )
        more = f"(bvuge {at.g('fa')} (bvadd {ago} {at.g('c')}))"
        yield "read fa", implies(all_of(here, at.high("read_q")), any_of(at.settled, more))
        zero = all_of(at.writing, at.aged("fa", "bvuge", 1 + cells))
        yield "bare fa", implies(all_of(here, bare, negation(at.high("rest_q"))), zero)
        for k in range(self.beats):
            now = all_of(here, bare, at.high("show_q"), at.is_("word_q", k))
            yield "bare show fa", implies(now, at.aged("fa", "bvuge", min(self.filled, 1 + cells + k)))
        shown = at.aged("fa", "bvuge", min(self.filled, 1 + cells + self.beats))
        yield "bare last fa", implies(all_of(here, bare, at.high("last_q")), all_of(at.settled, shown))

    def _converter(self, at: At) -> Iterator[tuple[str, str]]:
        states = [at.high(name) for name in ("rest_q", "read_q", "show_q", "last_q")]
        yield "a state of the converter", any_of(*states)
        for i, one in enumerate(states):
            for two in states[i + 1 :]:
                yield "no two of the converter", negation(all_of(one, two))
        beats = self.beats
        rest, read, show, last = states
        there, valid, inner = at.high("there_q"), at.high("valid_q"), at.high("inner_q")
        yield "c", at.aged("c", "bvule", self.shown)
        yield "tk", at.aged("tk", "bvule", self.cells)
        yield "read c", equal(read, at.aged("c", "bvult", self.read))
        yield (
            "read last",
            implies(
                read, equal(at.state.is_(f"{CONVERTER}read_last_o", 1), at.aged("c", "=", self.read - 1))
            ),
        )
        for j in range(self.beats + 5 + int(self.config.late)):
            word = equal(extract(at(f"{CONVERTER}other_q"), j, j), "#b0")
            clean = at.aged("sr", "bvuge", j + 2)
            yield "tokens", implies(clean, equal(word, at.aged("c", "=", j + 1)))
        begin, bits = at.high("begin_q"), self.system.signals[f"{CONTROL}word_q"]
        yield "begin", implies(read, equal(begin, at.aged("c", "=", 0)))
        yield "begin show", implies(show, equal(begin, at.is_("word_q", 0)))
        yield "begin last", implies(last, negation(begin))
        yield "word", implies(read, equal(at.c("word_q"), extract(at.g("c"), bits - 1, 0)))
        yield "quiet", implies(any_of(rest, read), negation(any_of(there, valid)))
        word = at.counts(f"{CONTROL}word_q")
        out_at = at.counts("out_at")
        yield "valid", implies(valid, negation(inner))
        yield "inner", implies(all_of(negation(rest), inner), at.high("pre_q", "latch_q"))
        for k in range(beats):
            here = all_of(show, at.is_("word_q", k))
            yield "there", implies(here, equal(there, "true" if k >= 1 else "false"))
            yield "valid in show", implies(here, equal(valid, negation(inner) if k >= 2 else "false"))
            yield (
                "out in show",
                implies(all_of(here, negation(inner)), equal(out_at, const(max(k - 2, 0), AGE))),
            )
            yield "at last", implies(here, equal(at.high("at_last_q"), str(k == beats - 1).lower()))
        yield "words", implies(show, f"(bvult {word} {const(beats, AGE)})")
        yield (
            "last there",
            implies(
                all_of(last, there, negation(inner)), all_of(valid, equal(out_at, const(beats - 2, AGE)))
            ),
        )
        yield (
            "last valid",
            implies(
                all_of(last, negation(there), negation(inner)),
                all_of(valid, equal(out_at, const(beats - 1, AGE))),
            ),
        )
        yield "no words", implies(any_of(rest, read, inner), equal(out_at, const(0, AGE)))
        yield "to y", implies(at.high("to_y_q"), all_of(inner, negation(rest)))
        yield "y there", implies(at.high("y_there_q"), rest)
