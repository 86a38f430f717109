# SPDX-License-Identifier: Apache-2.0
"""Where everything is in ``scalable_booth4_left``: the invariant over bits, and what crosses the ports.

An operation that has begun is at a place c: in the loop, c = j·T + w in word w of pass j, and behind it, with
the words of the result unit, c = k·T + g. A state tells at which places its operations are, and a place
which state it had before, so behind every result there is a row of states, one for each place.

The invariant says, besides what the words of operands and moduli are,

- which first flags are up: in word w of a pass the flag is in stage w of the row, and so it is in place g
  behind the loop; a second one would be of the operation that follows, and is above or below;
- below which bit the first word in a stage is 0;
- which digits of x have gone, and which are next;
- the number of operations: in the loop, behind it, in either buffer, on its way out;
- that what has gone out of a buffer is D = B - t·M, word by word, and the borrow that of this subtraction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from modmul.prove.netlist import State, system
from modmul.prove.product.argument import Argument
from modmul.prove.product.serial import COUNT, TOP, instance, ports
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend
from modmul.room import Build

__all__ = ["ARRAY", "CONTROL", "GATE", "REDUCE", "RESULT", "SHELL", "At", "Places"]

ARRAY, SHELL = "core.gen_core.u_array.", "core.gen_core.u_shell."
CONTROL, GATE, RESULT = f"{ARRAY}u_control.", f"{SHELL}u_gate.", f"{SHELL}u_result."
REDUCE = f"{RESULT}gen_reduce."

NUMBERS = 2
"""Numbers of a context: M and M^."""


def bench(build: Build) -> str:
    """A core with what has crossed its ports: M as ``m``, M^ as ``h``, and operands.

    ``xa``, ``ya`` are the operands that have come last, ``xb`` and ``xc`` those before; ``x``, ``y`` and
    ``z`` are those of the result that has left last, ``given`` in the cycle behind. ``fit`` falls with the
    first length that is not ``Width``, up to the next reset.
    """
    config: Any = build.config
    beats, word, head = config.beats, config.word, header(build)
    bits = beats * word
    lengths = " ".join(
        f"if (ctx_take && ctx_at == {COUNT}'({k}) && ctx_data_i != {word}'({length})) fit <= 1'b0;"
        for k, length in enumerate(head)
    )
    names = ("m", "h", "x_in", "y_in", "xa", "ya", "xb", "yb", "xc", "yc", "x", "y", "z")
    outputs = "\n".join(f"  output logic [{bits - 1}:0] {name}," for name in names)
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{ports(word)}
{outputs}
  output logic [{COUNT - 1}:0] ctx_at, output logic [{COUNT - 1}:0] in_at,
  output logic [{COUNT - 1}:0] out_at,
  output logic [1:0] count, output logic fit, output logic given
);

  localparam int Word  = {word};
  localparam int Beats = {beats};
  localparam int Head  = {len(head)};
  localparam logic [{COUNT - 1}:0] Last    = {COUNT}'(Beats - 1);
  localparam logic [{COUNT - 1}:0] CtxLast = {COUNT}'(Head + {NUMBERS} * Beats - 1);

{instance(build)}

  logic ctx_take, in_take, out_take, came, left;
  logic [{bits - 1}:0] x_next, y_next;

  assign ctx_take = ctx_valid_i && ctx_ready_o;
  assign in_take  = in_valid_i && in_ready_o;
  assign out_take = out_valid_o && out_ready_i;
  assign came     = in_take && in_at == Last;
  assign left     = out_take && out_at == Last;

  for (genvar k = 0; k < Beats; k++) begin : gen_word
    assign x_next[k*Word+:Word] = in_take && in_at == {COUNT}'(k) ? x_i : x_in[k*Word+:Word];
    assign y_next[k*Word+:Word] = in_take && in_at == {COUNT}'(k) ? y_i : y_in[k*Word+:Word];
    always_ff @(posedge clk_i) begin
      if (ctx_take && ctx_at == {COUNT}'(Head + k)) m[k*Word+:Word] <= ctx_data_i;
      if (ctx_take && ctx_at == {COUNT}'(Head + Beats + k)) h[k*Word+:Word] <= ctx_data_i;
      if (out_take && out_at == {COUNT}'(k)) z[k*Word+:Word] <= z_o;
    end
  end

  always_ff @(posedge clk_i) begin
    x_in <= x_next;
    y_in <= y_next;
    if (came) {{xa, ya, xb, yb, xc, yc}} <= {{x_next, y_next, xa, ya, xb, yb}};
    if (left) {{x, y}} <= count == 2'd3 ? {{xc, yc}} : count == 2'd2 ? {{xb, yb}} : {{xa, ya}};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {{ctx_at, in_at, out_at}} <= '0;
      {{count, given}} <= '0;
      fit <= 1'b1;
    end else begin
      given <= left;
      count <= count + 2'(came) - 2'(left);
      if (ctx_take) ctx_at <= ctx_at == CtxLast ? '0 : ctx_at + 1'b1;
      if (in_take) in_at <= in_at == Last ? '0 : in_at + 1'b1;
      if (out_take) out_at <= out_at == Last ? '0 : out_at + 1'b1;
      {lengths}
    end
  end

endmodule

`default_nettype wire
"""


def header(build: Build) -> list[int]:
    """The beats of the length ``Width``."""
    width, word = build.config.width, int(getattr(build.config, "word", 0))
    return [(width >> low) % (1 << word) for low in range(0, width.bit_length(), word)]


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

    def high(self, name: str) -> str:
        """That a flag is set."""
        return self.state.is_(name, 1)

    def low(self, name: str) -> str:
        return self.state.is_(name, 0)

    def number(self, name: str) -> str:
        """A signal that counts, be it of one bit."""
        return self(name) if self.of.system.signals[name] else f"(ite {self(name)} #b1 #b0)"

    def counted(self, name: str) -> str:
        """The same in as many bits as the bench counts in."""
        bits = self.of.bits_of(name)
        term = self.number(name)
        return extract(term, COUNT - 1, 0) if bits > COUNT else zero_extend(term, COUNT - bits)

    def is_(self, name: str, value: int) -> str:
        return equal(self.number(name), const(value, self.of.bits_of(name)))

    def below(self, name: str, value: int) -> str:
        """That it counts less."""
        bits = self.of.bits_of(name)
        return f"(bvult {self.number(name)} {const(value, bits)})" if value < 1 << bits else "true"

    def behind(self, name: str, value: int) -> str:
        """That it counts more."""
        return negation(self.below(name, value + 1))

    def ends(self, name: str, bits: int) -> str:
        """That the lowest bits of a word are 0."""
        return equal(extract(self(name), bits - 1, 0), const(0, bits)) if bits else "true"

    # --- places -----------------------------------------------------------------------------------

    @property
    def run(self) -> str:
        return self.high(f"{CONTROL}run_q")

    @property
    def full(self) -> str:
        """The operands of an operation wait."""
        return self.high(f"{SHELL}full_q")

    @property
    def part(self) -> str:
        return self.high(f"{GATE}in_part_q")

    @property
    def first(self) -> str:
        """In the first pass."""
        return self.pass_(0)

    def pass_(self, j: int) -> str:
        return self.is_(f"{CONTROL}left_q", self.of.digits - j * self.of.pes)

    def word_(self, w: int) -> str:
        """That an operation is in the loop, in word w of a pass."""
        return all_of(self.run, self.is_(f"{CONTROL}word_q", w))

    def tail(self, g: int) -> str:
        """That one is behind the loop, at place g."""
        if g > self.of.words + 1:
            return "false"
        first, gather = self.high(f"{CONTROL}result_o"), self.high(f"{RESULT}gather_q")
        sums, sums_up = self.high(f"{RESULT}sum_q"), self.high(f"{RESULT}b_q")
        if g == 0:
            return first
        if g < self.of.words:
            return all_of(gather, self.is_(f"{RESULT}idx_q", g))
        none = all_of(negation(first), negation(gather))
        return all_of(none, sums) if g == self.of.words else all_of(none, negation(sums), sums_up)

    @property
    def behind_loop(self) -> str:
        names = (f"{CONTROL}result_o", *(f"{RESULT}{each}" for each in ("gather_q", "sum_q", "b_q")))
        return any_of(*map(self.high, names))

    def filled(self, buffer: int) -> str:
        return equal(extract(self(f"{RESULT}full_q"), buffer, buffer), "#b1")

    @property
    def leaving(self) -> tuple[str, str]:
        """That the last word of a result has left its buffer, and is in the first or the second stage."""
        return (
            all_of(self.high(f"{RESULT}out_q"), self.high(f"{RESULT}out_last_q")),
            all_of(self.high(f"{RESULT}valid_q"), self.high(f"{RESULT}z_last_q")),
        )

    def place(self, c: int) -> str:
        """That an operation is at place c."""
        j, w = divmod(c, self.of.period)
        if j < self.of.passes:
            return all_of(self.word_(w), self.pass_(j))
        return self.tail(c - self.of.passes * self.of.period)

    def phase(self, c: int) -> tuple[str, ...]:
        """The ways in which a pass can be at its word c, which is counted on into the next one."""
        period = self.of.period
        if c < period:
            return (self.word_(c),)
        return (all_of(self.word_(c - period), negation(self.first)), self.tail(c - period))

    # --- operands ---------------------------------------------------------------------------------

    def last(self, name: str) -> str:
        """``x`` or ``y`` of the operation that began last."""
        return f"(ite {self.full} {self(f'{name}b')} {self(f'{name}a')})"

    def before(self, name: str) -> str:
        """The same of the one that began before."""
        return f"(ite {self.full} {self(f'{name}c')} {self(f'{name}b')})"

    def owned(self, newer: str, name: str) -> str:
        """The same of an operation: is there a newer one?"""
        return f"(ite {newer} {self.before(name)} {self.last(name)})"

    def of_tail(self, name: str) -> str:
        return self.owned(self.run, name)

    def of_buffer(self, buffer: int, name: str) -> str:
        other = all_of(self.filled(1 - buffer), self.is_(f"{RESULT}out_buf_q", buffer))
        return self.owned(any_of(self.run, self.behind_loop, other), name)

    def of_leaving(self, name: str) -> str:
        return self.owned(any_of(self.run, self.behind_loop, self.filled(0), self.filled(1)), name)

    # --- results ----------------------------------------------------------------------------------

    def stored(self, buffer: int) -> str:
        """The number in a buffer."""
        of = self.of
        names = [
            f"{RESULT}u_results.words[{(buffer << of.word_bits) + k}]" for k in reversed(range(of.beats))
        ]
        return f"(concat {' '.join(self(name) for name in names)})"

    def taken(self, buffer: int) -> str:
        """How much is to be taken away: t·M."""
        once = equal(extract(self(f"{REDUCE}times{buffer}_q"), 0, 0), "#b1")
        return f"(ite {once} {self('m')} {const(0, self.of.bits)})"

    def result(self, buffer: int) -> str:
        """D."""
        return f"(bvsub {self.stored(buffer)} {self.taken(buffer)})"

    def last_words(self, stage: int) -> str:
        """The result whose last word is in a stage of its way out: that word, and those before."""
        of = self.of
        words = [of.cut(self("z"), k) for k in range(of.beats)]
        if stage == 0:
            words[-1] = extract(self(f"{REDUCE}less"), of.word - 1, 0)
            words[-2] = f"(ite {self.high(f'{RESULT}valid_q')} {self('z_o')} {words[-2]})"
        else:
            words[-1] = self("z_o")
        return f"(concat {' '.join(reversed(words))})"


class Places(Argument):
    """The invariant over bits."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        whole = config.beats * config.word == config.width and config.beats >= 2
        if not whole or not config.reduce or not config.signed_m:
            raise ValueError(f"{build}: the proof is written for operands of words, Reduce and SignedM")
        straight = config.period == config.lag + 1 and 2 * config.pes % config.word
        if not straight or config.passes < 2 or config.words + 1 > config.period:
            raise ValueError(
                f"{build}: the proof is written for two passes or more in which no word waits, "
                f"and for an aligner"
            )
        found = cls(build, system(build.design, bench(build), TOP))
        if found.takes(found.pes - 1) > found.words:
            raise ValueError(
                f"{build}: the proof is written for elements that all have begun with the result"
            )
        return found

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
    def bits(self) -> int:
        return self.beats * self.word

    @property
    def word_bits(self) -> int:
        return (self.beats - 1).bit_length()

    @property
    def pes(self) -> int:
        return int(self.config.pes)

    @property
    def period(self) -> int:
        """T: words of Z, and cycles of a pass."""
        return int(self.config.period)

    @property
    def words(self) -> int:
        """e: words of Z that the result unit takes."""
        return int(self.config.words)

    @property
    def passes(self) -> int:
        """k."""
        return int(self.config.passes)

    @property
    def digits(self) -> int:
        """Digits as they are counted, from which on a pass counts down."""
        return -(-(self.width + int(self.config.digit_guard)) // 2)

    @property
    def places(self) -> int:
        """Places of an operation from its begin to the last word of its result in the buffer."""
        return self.passes * self.period + self.words + 2

    @cached_property
    def now(self) -> At:
        return At(self, self.system.state("s"))

    @cached_property
    def next(self) -> At:
        return At(self, self.system.state("n"))

    def bits_of(self, name: str) -> int:
        return self.system.signals[name] or 1

    def cut(self, term: str, k: int) -> str:
        """Word k."""
        return extract(term, (k + 1) * self.word - 1, k * self.word)

    # --- the row ----------------------------------------------------------------------------------

    @staticmethod
    def pe(i: int) -> str:
        return f"{ARRAY}gen_pe[{i}].u_pe."

    def pos(self, i: int) -> int:
        """The lowest bit of the products in element i."""
        return (2 * i + 2) % self.word

    def drops(self, i: int) -> bool:
        """Whether element i drops a word."""
        return self.pos(i) == 0

    def comes(self, i: int) -> int:
        """The word of a pass in which word 0 is told to element i, which it has in the next one."""
        return i + 2 * i // self.word

    def takes(self, i: int) -> int:
        """The word of a pass in which element i takes its digits."""
        return self.comes(i) + self.drops(i)

    @cached_property
    def flags(self) -> list[str]:
        """First flags, stage by stage."""
        found = [f"{CONTROL}first_q"]
        for i in range(self.pes):
            found.append(f"{self.pe(i)}first_q")
            if self.drops(i):
                found.append(f"{self.pe(i)}gen_discard.start_q")
        return [*found, f"{ARRAY}first_q"]

    # --- the digits of x --------------------------------------------------------------------------

    def gone(self, w: int) -> int:
        """Digits of x that a pass has taken before word w."""
        return sum(self.takes(i) < w for i in range(self.pes))

    def padded(self, x: str) -> str:
        """x with zeros above, as long as all digits."""
        more = 2 * self.passes * self.pes + 2 * self.word
        return zero_extend(x, more)

    def window(self, x: str, m: int) -> str:
        """Digit m of x and the bit below."""
        if m == 0:
            return f"(concat {extract(x, 1, 0)} #b0)"
        return extract(self.padded(x), 2 * m + 1, 2 * m - 1)

    # --- the invariant ----------------------------------------------------------------------------

    def invariant(self, at: At) -> Mapping[str, str]:
        """What holds in every state of a run with no other length, in parts."""
        parts = {
            "context": self._context(at),
            "operands": self._operands(at),
            "loop": self._loop(at),
            "tail": self._tail(at),
            "flags": self._flags(at),
            "digits": self._digits(at),
            "count": self._count(at),
            "result": self._result(at),
            **{f"buffer {b}": self.going(at, at, b) for b in (0, 1)},
        }
        return {name: implies(at.high("fit"), all_of(*some)) for name, some in parts.items()}

    def _context(self, at: At) -> Iterator[str]:
        number, beat = f"{SHELL}number_q", f"{SHELL}ctx_beat_q"
        head, whole = header(self.build), at.high(f"{GATE}whole_q")
        none, one, two = (at.is_(number, k) for k in range(3))
        pause, begun = at.high(f"{SHELL}pause_q"), at.behind(beat, 0)
        yield any_of(none, one, two)
        starts = zip((none, one, two), (0, len(head), len(head) + self.beats), strict=True)
        for when, start in starts:
            yield implies(when, equal(at("ctx_at"), f"(bvadd {const(start, COUNT)} {at.counted(beat)})"))
            yield implies(when, at.below(beat, self.beats if start else len(head)))
        top = self.bits_of(f"{SHELL}n_q")
        for k in range(1, len(head)):
            come = extract(at(f"{SHELL}n_q"), top - 1, top - k * self.word)
            some = sum(each << (self.word * i) for i, each in enumerate(head[:k]))
            yield implies(all_of(none, at.is_(beat, k)), equal(come, const(some, k * self.word)))
        yield implies(pause, all_of(one, at.is_(beat, 0)))
        yield implies(whole, all_of(none, at.is_(beat, 0), negation(pause)))
        yield implies(any_of(one, two, whole), at.is_(f"{SHELL}n_q", self.width))
        yield implies(
            any_of(all_of(one, negation(pause)), two, whole),
            all_of(
                at.is_(f"{SHELL}last_beat_q", self.beats - 1),
                at.high(f"{SHELL}n_legal_q"),
                at.is_(f"{CONTROL}words_q", self.words),
            ),
        )
        m_there = any_of(all_of(one, begun), two, whole)
        yield implies(
            m_there,
            all_of(
                at.is_(f"{SHELL}beats_q", self.beats),
                at.is_(f"{CONTROL}end_q", self.period - 1),
                equal(at.high(f"{SHELL}odd_q"), equal(extract(at("m"), 0, 0), "#b1")),
                equal(at.high(f"{SHELL}m_neg_q"), equal(extract(at("m"), 1, 1), "#b0")),
            ),
        )
        yield implies(any_of(two, whole), at.is_(f"{CONTROL}before_end_q", self.period - 2))
        sign = equal(extract(at("h"), self.bits - 1, self.bits - 1), "#b1")
        yield implies(whole, equal(at.high(f"{SHELL}m_ext_q"), sign))
        for k in range(self.beats):
            for memory in (f"{REDUCE}u_modulus", f"{RESULT}gen_booth.u_tilde"):
                come = any_of(all_of(one, at.behind(beat, k)), two, whole)
                yield implies(come, equal(at(f"{memory}.words[{k}]"), self.cut(at("m"), k)))
            come = any_of(all_of(two, at.behind(beat, k)), whole)
            yield implies(come, equal(at(f"{SHELL}u_m.words[{k}]"), self.cut(at("h"), k)))
        busy = any_of(at.high(f"{GATE}open_q"), at.part, at.full, negation(at.is_(f"{SHELL}open_q", 0)))
        yield implies(busy, all_of(whole, at.high(f"{SHELL}odd_q")))

    def _operands(self, at: At) -> Iterator[str]:
        beat = f"{SHELL}in_beat_q"
        yield at.low(f"{SHELL}tail_q")
        yield implies(at.part, all_of(negation(at.full), at.behind(beat, 0)))
        yield implies(negation(at.part), at.is_(beat, 0))
        yield at.below(beat, self.beats)
        yield equal(at("in_at"), at.counted(beat))
        begun = any_of(at.run, negation(at.is_(f"{SHELL}open_q", 0)))
        yield implies(begun, negation(equal(at.high(f"{SHELL}run_buf_q"), at.high(f"{SHELL}load_buf_q"))))
        for name in "xy":
            for k in range(self.beats):
                for half in (0, 1):
                    stored = at(f"{SHELL}u_{name}.words[{(half << self.word_bits) + k}]")
                    loads, runs = (at.is_(f"{SHELL}{each}_buf_q", half) for each in ("load", "run"))
                    come = all_of(at.behind(beat, k), loads)
                    yield implies(come, equal(stored, self.cut(at(f"{name}_in"), k)))
                    yield implies(all_of(at.full, loads), equal(stored, self.cut(at(f"{name}a"), k)))
                    yield implies(all_of(at.run, runs), equal(stored, self.cut(at.last(name), k)))
        first = at(f"{SHELL}x_first_q")
        yield implies(at.behind(beat, 0), equal(first, self.cut(at("x_in"), 0)))
        yield implies(at.full, equal(first, self.cut(at("xa"), 0)))

    def _loop(self, at: At) -> Iterator[str]:
        end, last = self.period - 1, self.passes - 1
        yield implies(at.run, at.below(f"{CONTROL}word_q", self.period))
        yield implies(at.run, any_of(*(at.pass_(j) for j in range(self.passes))))
        yield implies(at.run, equal(at.high(f"{CONTROL}new_q"), at.first))
        yield implies(at.run, equal(at.high(f"{CONTROL}at_end_q"), at.is_(f"{CONTROL}word_q", end)))
        within = all_of(at.run, at.behind(f"{CONTROL}word_q", 0))
        yield implies(within, equal(at.high(f"{CONTROL}last_q"), at.pass_(last)))
        gap = f"{CONTROL}gen_with_gaps.gap_q"
        for w in range(self.period):
            yield implies(at.word_(w), at.is_(gap, w % (self.word // 2 + 1)))

    def _tail(self, at: At) -> Iterator[str]:
        e = self.words
        first, gather, sums, sums_up = (
            at.high(name)
            for name in (
                f"{CONTROL}result_o",
                f"{RESULT}gather_q",
                f"{RESULT}sum_q",
                f"{RESULT}b_q",
            )
        )
        yield implies(first, negation(any_of(gather, sums, sums_up)))
        yield implies(gather, any_of(*(at.is_(f"{RESULT}idx_q", g) for g in range(1, e))))
        for g in range(e + 2):
            here = at.tail(g)
            for flag, name, k in ((sums, "sum", g - 1), (sums_up, "b", g - 2)):
                if 0 <= k < e:
                    yield implies(
                        here,
                        all_of(
                            flag,
                            at.is_(f"{RESULT}{name}_idx_q", k),
                            equal(at.high(f"{RESULT}{name}_first_q"), str(k == 0).lower()),
                            equal(at.high(f"{RESULT}{name}_last_q"), str(k == e - 1).lower()),
                        ),
                    )
                else:
                    yield implies(here, negation(flag))
            k = g - 2
            if k >= 0:
                word = self.cut(at("m"), k) if k < self.beats else const(0, self.word)
                yield implies(here, equal(at(f"{REDUCE}m1_q"), word))
            if 1 <= g <= e:
                inside = equal(at.high(f"{REDUCE}sum_in_q"), str(g - 1 < self.beats).lower())
                yield implies(here, inside)
            ways = [all_of(at.first, at.below(f"{CONTROL}word_q", g + 1))]
            if g >= self.period:
                ways.append(all_of(at.pass_(1), at.below(f"{CONTROL}word_q", g - self.period + 1)))
            yield implies(all_of(here, at.run), any_of(*ways))

    def _flags(self, at: At) -> Iterator[str]:
        for d, flag in enumerate(self.flags):
            for w in range(self.period):
                here, there = at.word_(w), at.tail(w)
                if w == d:
                    yield implies(any_of(here, there), at.high(flag))
                elif d < w:
                    yield implies(here, at.low(flag))
                else:
                    yield implies(any_of(all_of(here, negation(at.first)), there), at.low(flag))
        # below which bit the first word in a stage is 0
        for i in range(self.pes):
            stage = self.comes(i) + 1
            here = any_of(at.word_(stage), at.tail(stage))
            pe, bits = self.pe(i), self.pos(i) or self.word
            ends = [at.ends(f"{pe}{name}", bits) for name in ("y_i", "m_i")]
            ends += [at.ends(f"{pe}{name}", bits - 2 if i else 0) for name in ("zs_i", "zc_i")]
            if not self.drops(i):
                ends += [at.is_(f"{pe}{name}_below_q", 0) for name in "ym"]
            else:
                started = any_of(at.word_(stage + 1), at.tail(stage + 1))
                yield implies(started, all_of(*(at.is_(f"{pe}{name}_below_q", 0) for name in "ym")))
            yield implies(here, all_of(*ends))
        here = any_of(at.word_(1), at.tail(1))
        yield implies(here, all_of(*(at.is_(f"{ARRAY}{name}_below_q", 0) for name in "ym")))
        ending = any_of(at.word_(self.period - 1), at.tail(self.period - 1))
        for name in ("zs_i", "zc_i"):
            yield implies(ending, at.ends(f"{ARRAY}u_align.{name}", self.pos(self.pes - 1)))

    def _digits(self, at: At) -> Iterator[str]:
        """Where the digits of x are: those that have gone, those of a word, the next word."""
        x, each = self.padded(at.last("x")), self.word // 2
        waits, shown = at(f"{SHELL}x_wait_q"), at(f"{SHELL}digits_q")
        for j in range(self.passes):
            for w in range(self.period):
                gone = j * self.pes + self.gone(w)
                word, digit = divmod(gone, each)
                left = extract(x, (word + 1) * self.word - 1, word * self.word + 2 * digit)
                facts = [
                    at.is_(f"{SHELL}x_beat_q", 1 + word),
                    at.is_(f"{SHELL}digit_q", digit),
                    equal(shown, zero_extend(left, 2 * digit)),
                ]
                below = equal(extract(x, 2 * gone - 1, 2 * gone - 1), "#b1") if gone else "false"
                facts.append(equal(at.high(f"{SHELL}x_below_q"), below))
                if digit:
                    facts.append(equal(waits, self.cut(x, word + 1)))
                yield implies(all_of(at.word_(w), at.pass_(j)), all_of(*facts))

    def _count(self, at: At) -> Iterator[str]:
        """Operations that have begun: in the loop, behind it, in a buffer, on their way out."""

        def one(term: str) -> str:
            return f"(ite {term} (_ bv1 3) (_ bv0 3))"

        open_q = zero_extend(at(f"{SHELL}open_q"), 1)
        some = (at.run, at.behind_loop, at.filled(0), at.filled(1), *at.leaving)
        yield equal(open_q, f"(bvadd {' '.join(map(one, some))})")
        yield f"(bvule {open_q} (_ bv2 3))"
        yield equal(zero_extend(at("count"), 1), f"(bvadd {open_q} {one(at.full)})")
        same = equal(at.high(f"{RESULT}in_buf_q"), at.high(f"{RESULT}out_buf_q"))
        yield equal(same, equal(at.filled(0), at.filled(1)))
        for buffer in (0, 1):
            only = all_of(at.filled(buffer), negation(at.filled(1 - buffer)))
            yield implies(only, at.is_(f"{RESULT}out_buf_q", buffer))

    def _result(self, at: At) -> Iterator[str]:
        """Words on their way out."""
        out, valid = at.high(f"{RESULT}out_q"), at.high(f"{RESULT}valid_q")
        index, last = f"{RESULT}out_idx_q", self.beats - 1
        none = negation(any_of(*(at.filled(b) for b in (0, 1))))
        yield at.below(index, self.beats)
        yield at.below("out_at", self.beats)
        yield implies(negation(at.is_(index, 0)), negation(none))
        for c in range(self.beats):
            here = at.is_("out_at", c)
            for v, o in ((0, 0), (0, 1), (1, 0), (1, 1)):
                when = all_of(here, valid if v else negation(valid), out if o else negation(out))
                yield implies(when, at.is_(index, (c + v + o) % self.beats))
                if o:
                    passing = (c + v) % self.beats
                    yield implies(when, equal(at.high(f"{RESULT}out_last_q"), str(passing == last).lower()))
                    yield implies(when, equal(at.high(f"{RESULT}out_first_q"), str(passing == 0).lower()))
                if v:
                    yield implies(when, equal(at.high(f"{RESULT}z_last_q"), str(c == last).lower()))

    def issued(self, at: At, buffer: int) -> str:
        """That words of a buffer have gone out, and not all."""
        return all_of(at.is_(f"{RESULT}out_buf_q", buffer), negation(at.is_(f"{RESULT}out_idx_q", 0)))

    def going(self, at: At, held: At, buffer: int) -> Iterator[str]:
        """What has left of a buffer some of whose words are still there, and is on its way out."""
        yield implies(self.issued(at, buffer), at.filled(buffer))
        behind_other = all_of(self.issued(at, buffer), at.leaving[1], at.high(f"{RESULT}out_q"))
        yield implies(behind_other, self._passing(at, held, buffer, 0))
        for k in range(self.beats):
            yield self.going_word(at, held, buffer, k)

    def going_word(self, at: At, held: At, buffer: int, k: int) -> str:
        """Word k: it is D's where it has left; before, the borrow that comes into it is D's.

        Args:
            at: the state.
            held: one that has the same in the buffer.
            buffer: which one.
            k: the word.
        """
        out, valid = at.high(f"{RESULT}out_q"), at.high(f"{RESULT}valid_q")
        own = all_of(self.issued(at, buffer), *map(negation, at.leaving))
        stored, taken, result = (each(buffer) for each in (held.stored, held.taken, held.result))
        ripple = f"(bvxor {stored} {taken} {result})"
        word = self.cut(result, k)
        facts = [
            implies(at.behind("out_at", k), equal(self.cut(at("z"), k), word)),
            implies(all_of(valid, at.is_("out_at", k)), equal(at("z_o"), word)),
        ]
        for v in range(min(k + 1, 2)):
            passing = all_of(valid if v else negation(valid), at.is_("out_at", k - v))
            if k:
                borrow = equal(extract(ripple, k * self.word, k * self.word), "#b1")
                facts.append(implies(passing, equal(at.high(f"{REDUCE}borrow_q"), borrow)))
            facts.append(implies(all_of(passing, out), self._passing(at, held, buffer, k)))
        return implies(own, all_of(*facts))

    def _passing(self, at: At, held: At, buffer: int, k: int) -> str:
        """That word k is in the first stage."""
        words = ((f"{RESULT}out_word_q", held.stored(buffer)), (f"{REDUCE}taken_q", held.taken(buffer)))
        return all_of(*(equal(at(name), self.cut(term, k)) for name, term in words))
