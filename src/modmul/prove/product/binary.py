# SPDX-License-Identifier: Apache-2.0
"""What the arguments about the cores of GF(2^m) share, most of it those that take a digit of x a cycle.

Up to three operations overlap in such a core: one whose operands are there, one in the loop, one whose result
goes out. A bench keeps a queue of the operands that have crossed the ports. What the sum s and the result are
is said by the argument of the core.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modmul.prove.netlist import State
from modmul.prove.product.argument import Argument
from modmul.prove.product.serial import COUNT, TOP, instance, ports
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend
from modmul.room import Build

__all__ = ["CONTROL", "GATE", "LEAST", "At", "Digits", "Functional", "bench", "times"]

GATE, CONTROL, OPERANDS = "core.u_control.u_gate.", "core.u_control.", "core.u_operands."

LEAST = 4
"""Steps of the loop for which the cases below are written."""


def bench(build: Build, kept: str = "", keeping: str = "") -> str:
    """A core with a queue around it of the operands that have crossed its ports and whose results have not.

    ``x0``, ``y0`` are those of the oldest operation, ``count`` says how many there are; ``x``, ``y`` and
    ``z`` are those of the result that has left last, ``given`` in the cycle behind.

    Args:
        kept: ports of what else is remembered.
        keeping: how.
    """
    config = build.config
    beats, word = config.beats, config.word
    bits = beats * word
    squares = bool(build.core.interface.controls)
    square_port = "input  wire square_i, output logic square,\n  " if squares else ""
    of_square = "in_at == '0 ? square_i : square" if squares else "1'b0"
    keep_square = "if (in_take) square <= of_square;" if squares else ""
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{ports(word)}
  {square_port}{kept}output logic [{bits - 1}:0] x_in, output logic [{bits - 1}:0] y_in,
  output logic [{bits - 1}:0] x0, output logic [{bits - 1}:0] y0,
  output logic [{bits - 1}:0] x1, output logic [{bits - 1}:0] y1,
  output logic [{bits - 1}:0] x2, output logic [{bits - 1}:0] y2,
  output logic [{bits - 1}:0] x, output logic [{bits - 1}:0] y, output logic [{bits - 1}:0] z,
  output logic [{COUNT - 1}:0] in_at, output logic [{COUNT - 1}:0] out_at,
  output logic [1:0] count, output logic given
);

  localparam int Word  = {word};
  localparam int Beats = {beats};
  localparam logic [{COUNT - 1}:0] Last = {COUNT}'(Beats - 1);

{instance(build)}

  logic in_take, out_take, came, left, of_square;
  logic [{bits - 1}:0] x_next, y_next;
  logic [1:0] place;

  assign in_take   = in_valid_i && in_ready_o;
  assign out_take  = out_valid_o && out_ready_i;
  assign came      = in_take && in_at == Last;
  assign left      = out_take && out_at == Last;
  assign of_square = {of_square};
  assign place     = count - 2'(left);  // of operands that come

  for (genvar k = 0; k < Beats; k++) begin : gen_word
    assign x_next[k*Word+:Word] = in_take && in_at == {COUNT}'(k) ? x_i : x_in[k*Word+:Word];
    assign y_next[k*Word+:Word] = in_take && in_at == {COUNT}'(k) ? (of_square ? x_i : y_i)
                                                                  : y_in[k*Word+:Word];
    always_ff @(posedge clk_i) if (out_take && out_at == {COUNT}'(k)) z[k*Word+:Word] <= z_o;
  end

  always_ff @(posedge clk_i) begin
    x_in <= x_next;
    y_in <= y_next;
    {keep_square}
    if (left) {{x, y}} <= {{x0, y0}};
    if (came && place == 2'd0) {{x0, y0}} <= {{x_next, y_next}};
    else if (left)             {{x0, y0}} <= {{x1, y1}};
    if (came && place == 2'd1) {{x1, y1}} <= {{x_next, y_next}};
    else if (left)             {{x1, y1}} <= {{x2, y2}};
    if (came && place == 2'd2) {{x2, y2}} <= {{x_next, y_next}};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {{in_at, out_at}} <= '0;
      {{count, given}} <= '0;
    end else begin
      given <= left;
      count <= count + 2'(came) - 2'(left);
      if (in_take) in_at <= in_at == Last ? '0 : in_at + 1'b1;
      if (out_take) out_at <= out_at == Last ? '0 : out_at + 1'b1;
    end
  end
{keeping}
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

    of: Digits
    state: State

    def __call__(self, name: str) -> str:
        return self.state(name)

    def number(self, name: str) -> str:
        """A signal that counts, be it of one bit."""
        return self(name) if self.of.system.signals[name] else f"(ite {self(name)} #b1 #b0)"

    def high(self, name: str) -> str:
        """That a flag is set."""
        return self.state.is_(name, 1)

    @property
    def run(self) -> str:
        """An operation is in the loop."""
        return self.high(f"{CONTROL}run_q")

    @property
    def full(self) -> str:
        """The operands of one wait."""
        return self.high(f"{CONTROL}full_q")

    @property
    def out(self) -> str:
        """The result of one is on its way out."""
        return any_of(*(self.high(f"{CONTROL}{name}") for name in ("last_q", "last_q2", "valid_q")))

    @property
    def part(self) -> str:
        """Some words of operands have come, and not all."""
        return self.high(f"{GATE}in_part_q")

    def step(self, i: int) -> str:
        return all_of(self.run if i else negation(self.run), self.state.is_(f"{CONTROL}step_q", i))

    def behind(self, name: str) -> str:
        """``x`` or ``y`` of the operation in the loop: behind the one whose result goes out."""
        return f"(ite {self.out} {self(f'{name}1')} {self(f'{name}0')})"

    def waiting(self, name: str) -> str:
        """The same of the one that waits."""
        both, one = all_of(self.out, self.run), any_of(self.out, self.run)
        return f"(ite {both} {self(f'{name}2')} (ite {one} {self(f'{name}1')} {self(f'{name}0')}))"

    def stored(self, bank: int, k: int) -> str:
        """Word k of x in a bank of the memory."""
        return self(f"{OPERANDS}u_x.words[{(bank << self.of.word_bits) + k}]")


def times(a: str, a_bits: int, b: str, b_bits: int) -> str:
    """A product without carries, by definition: b for each bit of a, at its place."""
    bits = a_bits + b_bits - 1
    wide, zero = zero_extend(b, a_bits - 1), const(0, bits)
    terms = [
        f"(ite (= {extract(a, i, i)} #b1) (bvshl {wide} {const(i, bits)}) {zero})" for i in range(a_bits)
    ]
    return terms[0] if len(terms) == 1 else f"(bvxor {' '.join(terms)})"


class Functional(Argument):
    """Obligations in which there are functions of which only some things are known."""

    def text(self, *assertions: str) -> str:
        return super().text(*assertions).replace("(set-logic QF_BV)", "(set-logic QF_UFBV)", 1)


class Digits(Functional):
    """The obligations of a build."""

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
    def digit_bits(self) -> int:
        return int(self.config.digit)

    @property
    def steps(self) -> int:
        """L."""
        return int(self.config.steps)

    @property
    def word_bits(self) -> int:
        return (self.beats - 1).bit_length()

    # --- terms ------------------------------------------------------------------------------------

    @abstractmethod
    def pointed(self, i: int) -> int:
        """Which digit of x, the lowest being 0, is read in step i of the loop."""

    def wordof(self, term: str, k: int) -> str:
        return extract(term, (k + 1) * self.word - 1, k * self.word)

    def product(self, digit: str, y: str) -> str:
        """A digit times y, not reduced."""
        return times(digit, self.digit_bits, y, self.width)

    # --- the obligations --------------------------------------------------------------------------

    def all(self) -> Iterator[Obligation]:
        now, then = At(self, self.system.state("s")), At(self, self.system.state("n"))
        running = now.state.is_("rst_ni", 1)
        yield from self._steps(now, then)
        yield Obligation(
            "invariant",
            "holds in every cycle of reset, whatever the registers hold",
            "bitwuzla",
            (self.text(now.state.is_("rst_ni", 0), negation(all_of(*self.invariant(now).values()))),),
        )
        cases = [now.step(i) for i in range(self.steps + 1)]
        yield Obligation(
            "invariant",
            "these are all steps",
            "bitwuzla",
            (self.text(*self.invariant(now).values(), negation(any_of(*cases))),),
        )
        possible = []
        for i, case in enumerate(cases):
            name = f"goes on holding from step {i}" if i else "goes on holding between operations"
            follow = sorted({0, i, (i + 1) % len(cases)})  # 0: a reset, too
            known = (*self.invariant(now, (i,)).values(), self.system.step, case, *self._facts(now, then, i))
            wrong = negation(all_of(any_of(*map(then.step, follow)), *self.invariant(then, follow).values()))
            yield Obligation("invariant", name, "bitwuzla", (self.text(*known, wrong),))
            possible.append(self.text(*known, running))
        some = tuple(possible[i] for i in (0, 1, 2, 3, self.steps - 1, self.steps))
        yield Obligation("invariant", "steps are possible", "bitwuzla", some, holds=False)
        given = (self.text(*self.invariant(now).values(), now.high("given"), now.full, now.run, now.out),)
        yield Obligation("invariant", "a whole result is possible", "bitwuzla", given, holds=False)

    @abstractmethod
    def _steps(self, now: At, then: At) -> Iterator[Obligation]:
        """What a digit makes of s."""

    @abstractmethod
    def _facts(self, now: At, then: At, i: int) -> Iterator[str]:
        """What is used of the first layer, in step i of the loop."""

    # --- the invariant ----------------------------------------------------------------------------

    def invariant(self, at: At, steps: Sequence[int] | None = None) -> Mapping[str, str]:
        """What holds in every state, in parts; or in the states that are in some steps."""
        return {
            "ports": self._ports(at),
            "control": self._control(at),
            "operands": self._operands(at),
            "loop": self._loop(at, range(self.steps + 1) if steps is None else steps),
            "result": self._result(at),
        }

    def _ports(self, at: At) -> str:
        """Words are counted as at the ports, and operations too."""
        is_ = at.state.is_
        counted = zero_extend(at.number(f"{CONTROL}beat_q"), COUNT - self.word_bits)
        whole, part = at.high(f"{GATE}whole_q"), at.part
        out_beat = zero_extend(at.number(f"{CONTROL}out_beat_q"), COUNT - self.word_bits)
        ops = [f"(ite {each} #b01 #b00)" for each in (at.full, at.run, at.out)]
        squares = "square" in self.system.signals
        as_said = equal(at(f"{CONTROL}square_q"), at("square")) if squares else "true"
        return all_of(
            implies(at.high(f"{GATE}open_q"), whole),
            implies(part, all_of(whole, negation(at.full), equal(at("in_at"), counted))),
            implies(part, negation(is_("in_at", 0))),
            implies(negation(part), is_("in_at", 0)),
            implies(all_of(whole, negation(part)), is_(f"{CONTROL}beat_q", 0)),
            implies(any_of(at.full, at.run, at.out), whole),
            f"(bvult {at('in_at')} {const(self.beats, COUNT)})",
            f"(bvult {at('out_at')} {const(self.beats, COUNT)})",
            equal(at("out_at"), out_beat),
            implies(negation(at.high(f"{CONTROL}valid_q")), is_("out_at", 0)),
            equal(at("count"), f"(bvadd {' '.join(ops)})"),
            implies(part, as_said),
        )

    def _control(self, at: At) -> str:
        """Which digit is next, which bank is whose, and what follows what."""
        steps, is_ = self.steps, at.state.is_
        digits = self.word // self.digit_bits
        pointer = at.number(f"{CONTROL}x_word_q")
        if digits > 1:
            pointer = f"(concat {pointer} {at.number(f'{CONTROL}x_digit_q')})"
        bits = self.word_bits + (digits - 1).bit_length()
        alone = is_(f"{CONTROL}x_digit_q", 0) if digits == 1 else "true"  # of a word
        late = [at.high(f"{CONTROL}{name}") for name in ("last_q", "last_q2", "valid_q")]
        in_table = f"{CONTROL}in_table_q"
        no_table = is_(in_table, 0) if in_table in self.system.signals else "true"
        other = "(xor {} {})".format(*(at.high(f"{CONTROL}{name}") for name in ("bank_q", "x_bank_q")))
        return all_of(
            *(implies(at.step(i), equal(pointer, const(self.pointed(i), bits))) for i in range(steps)),
            any_of(*(at.step(i) for i in range(steps + 1))),
            equal(at.high(f"{CONTROL}step_last_q"), at.step(steps)),
            equal(at.high(f"{CONTROL}occupied_q"), at.out),
            equal(other, f"(xor {at.run} {at.full})"),
            *(negation(all_of(one, two)) for k, one in enumerate(late) for two in late[k + 1 :]),
            implies(late[0], all_of(negation(at.run), at.high(f"{CONTROL}add_q"))),
            implies(all_of(late[1], at.run), at.step(1)),
            implies(any_of(at.run, *late[:2]), equal(at.high("core.first"), at.step(1))),
            implies(at.high(f"{GATE}whole_q"), no_table),
            alone,
        )

    def _operands(self, at: At) -> str:
        """Where the words of operands are: those that come, those that wait, those in the loop."""
        found = []
        for bank in (0, 1):
            own = at.state.is_(f"{CONTROL}bank_q", bank)
            for k in range(self.beats):
                in_x, in_y = self.wordof(at("x_in"), k), self.wordof(at("y_in"), k)
                come = all_of(at.part, f"(bvugt {at('in_at')} {const(k, COUNT)})")
                found.append(implies(all_of(come, own), equal(at.stored(bank, k), in_x)))
                full = all_of(at.full, at.state.is_(f"{CONTROL}bank_q", 1 - bank))
                found.append(implies(full, equal(at.stored(bank, k), self.wordof(at.waiting("x"), k))))
                run = all_of(at.run, at.state.is_(f"{CONTROL}x_bank_q", bank))
                found.append(implies(run, equal(at.stored(bank, k), self.wordof(at.behind("x"), k))))
                if bank == 0:
                    found.append(implies(come, equal(self.wordof(at(f"{OPERANDS}y_next_q"), k), in_y)))
        found.append(implies(at.full, equal(at(f"{OPERANDS}y_next_q"), at.waiting("y"))))
        found.append(implies(at.run, equal(at("core.y"), at.behind("y"))))
        return all_of(*found)

    @abstractmethod
    def _loop(self, at: At, some: Sequence[int]) -> str:
        """What s is, and what comes to it, in some steps."""

    @abstractmethod
    def _result(self, at: At) -> str:
        """From s to what has left."""
