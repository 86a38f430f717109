# SPDX-License-Identifier: Apache-2.0
"""Of ``pipelined``: how many operations there are, at which ages, and that the context stays.

The flags of the pipeline are many, so a question about the netlist does not add them up: ``older`` of the
flags and an age is any function, of which ``counted`` shows, for the number of flags that are set from that
age on, all that such a question knows of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from modmul.prove.netlist import State, system
from modmul.prove.product.gf2m_pipelined import BITS, CONTROL, RESULTS, Karatsuba, Node
from modmul.prove.product.pipelined_cone import Cone
from modmul.prove.product.pipelined_numbers import Numbers
from modmul.prove.product.serial import COUNT, TOP, instance, ports
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend
from modmul.room import Build

__all__ = ["THERE", "Counted"]

THERE = f"{RESULTS}there_q"
"""The operations in the pipeline, a flag for each age."""


def bench(build: Build, beats: int, depth: int) -> str:
    """A core with what remembers a chosen operation and a context of so many beats.

    ``followed`` says that there is one whose result has not left, ``at`` its age, up to one behind the last
    of the pipeline, ``ahead`` how many results leave before its own; ``given`` is high in the cycle after
    that has left.
    """
    bits = build.config.word
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{ports(bits)}
  input  wire pick_i,
  output logic [{bits - 1}:0] x, output logic [{bits - 1}:0] y, output logic [{bits - 1}:0] z,
  output logic [{beats * bits - 1}:0] ctx, output logic [{COUNT - 1}:0] ctx_at,
  output logic [{BITS - 1}:0] count, output logic [{BITS - 1}:0] ahead, output logic [{BITS - 1}:0] at,
  output logic whole, output logic followed, output logic given, output logic choose
);

  localparam int Word = {bits};

{instance(build)}

  logic ctx_take, ctx_last, in_take, out_take, left;

  assign ctx_take = ctx_valid_i && ctx_ready_o;
  assign ctx_last = ctx_at == {COUNT}'({beats - 1});
  assign in_take  = in_valid_i && in_ready_o;
  assign out_take = out_valid_o && out_ready_i;
  assign choose   = in_take && pick_i && !followed;
  assign left     = out_take && followed && ahead == '0;

  for (genvar k = 0; k < {beats}; k++) begin : gen_context
    always_ff @(posedge clk_i) if (ctx_take && ctx_at == {COUNT}'(k)) ctx[k*Word+:Word] <= ctx_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (choose) begin
      {{x, y}} <= {{x_i, y_i}};
      ahead    <= count - {BITS}'(out_take);
      at       <= {BITS}'(1);
    end else if (followed) begin
      if (out_take) ahead <= ahead - 1'b1;
      if (at != {BITS}'({depth + 1})) at <= at + 1'b1;
    end
    if (left) z <= z_o;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {{count, ctx_at}} <= '0;
      {{whole, followed, given}} <= '0;
    end else begin
      if (ctx_take) whole <= ctx_last;
      if (ctx_take) ctx_at <= ctx_last ? '0 : ctx_at + 1'b1;
      count    <= count + {BITS}'(in_take) - {BITS}'(out_take);
      followed <= choose || (followed && !left);
      given    <= left;
    end
  end

endmodule

`default_nettype wire
"""


@dataclass(frozen=True)
class Counted(Karatsuba):
    """What the control of a build for any modulus holds; ``gf2m_pipelined`` has the same memory."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if config.modulus:
            raise ValueError(f"{build}: the proof is written for builds for any modulus")
        if build.core.interface.in_flight(config) > 1 << BITS - 1:
            raise ValueError(f"{build}: the proof is written for up to {1 << BITS - 1} operations in flight")
        depth = max(config.stages.values())
        return cls(build, system(build.design, bench(build, cls.beats_of(build), depth), TOP))

    @staticmethod
    def beats_of(build: Build) -> int:
        """Beats of a context."""
        config = build.config
        return len(build.core.interface.context(config, build.core.function.some_modulus(config)))

    @property
    def beats(self) -> int:
        return self.beats_of(self.build)

    @cached_property
    def flow(self) -> Numbers:
        """The words of an operation."""
        return Numbers(self.width, self.beats, config=self.build.config)

    @cached_property
    def cone(self) -> Cone:
        return Cone.of(self.system)

    def root(self, state: State) -> Node:
        """The operands, of whose product nothing is said here."""
        return Node("", self.width, (), (state("x"), state("y")))

    def result(self, state: State) -> str:
        del state
        return self.flow.z.term

    def operands(self, at: State) -> tuple[str, ...]:
        """That x, y and the context are those of the operation."""
        context = equal(at(f"{CONTROL}ctx_q"), self.flow.given[-1].term)
        return context, *(equal(at(each.name), each.term) for each in self.flow.given)

    # --- the obligations ----------------------------------------------------------------------------

    def of_control(self) -> Iterator[Obligation]:
        now, then = self.system.state("s"), self.system.state("n")
        control, followed = self.held(now), now.is_("followed", 1)
        none = equal(self.older(const(0, self.depth), 0), const(0, BITS))
        reset = self.text(now.is_("rst_ni", 0), none, negation(all_of(*control.values())))
        yield Obligation("control", "there are none in reset", "bitwuzla", (reset,))
        known = (self.system.step, *control.values())
        for name, part in self.held(then).items():
            text = self.text(*known, *self.goes_on(now, then), negation(part))
            yield Obligation("control", f"{name} goes on", "bitwuzla", (text,))
        known += (*self.bounded(now(THERE)), followed)
        stay = self.text(*known, *self.operands(now), negation(all_of(*self.operands(then))))
        yield Obligation("control", "the operands and the context stay", "bitwuzla", (stay,))
        early = f"(bvule {now('at')} {const(self.depth, BITS)})"
        leaves = self.text(*known, early, then.is_("given", 1))
        yield Obligation("control", "no result leaves before it is there", "bitwuzla", (leaves,))
        some = (now.is_("rst_ni", 1), followed, *control.values(), *self.operands(now))
        highest = extract(self.flow.given[-1].term, self.width - 1, self.width - 1)
        legal = self.text(*some, *self.bounded(now(THERE)), negation(equal(highest, "#b1")))
        yield Obligation("control", "the highest bit of M is set", "bitwuzla", (legal,))
        alone = [equal(self.older(now(THERE), j), const(int(j == 0), BITS)) for j in range(self.depth + 1)]
        possible = self.text(*some, *alone, now.is_(THERE, 1), now.is_("at", 1))
        yield Obligation("control", "an operation is possible", "bitwuzla", (possible,), holds=False)
        yield self.counted()

    # --- the invariant ------------------------------------------------------------------------------

    def held(self, at: State) -> Mapping[str, str]:
        """What the control holds, by name."""
        counts, order = self.control(at)
        return {
            "the count": counts,
            "the order": order,
            "the context": all_of(*self._context(at)),
            "the gate": all_of(*self._gate(at)),
        }

    def _counts(self, at: State) -> str:
        """How many operations there are."""
        slots = zero_extend(at(f"{CONTROL}slots_q"), BITS - self.system.signals[f"{CONTROL}slots_q"])
        whole = self._sum([self.older(at(THERE), 0), self._waiting(at), self._valid(at)])
        return all_of(
            equal(slots, whole),
            equal(at("count"), whole),
            f"(bvule {whole} {const(self.slots, BITS)})",
            equal(at.is_(f"{CONTROL}full_q", 1), equal(slots, const(self.slots, BITS))),
            equal(at.is_(f"{CONTROL}empty_q", 1), equal(slots, const(0, BITS))),
        )

    def _order(self, at: State) -> str:
        """Where the operation that is followed is, and what is ahead of it."""
        flags, age = at(THERE), at("at")
        waiting = self._sum([self._waiting(at), self._valid(at)])
        within = f"(bvule {age} {const(self.depth, BITS)})"
        ahead = f"(bvadd (older {flags} {age}) {waiting})"
        found = [f"(bvule {const(1, BITS)} {age})", f"(bvule {age} {const(self.depth + 1, BITS)})"]
        for j in range(1, self.depth + 1):
            found.append(implies(at.is_("at", j), equal(extract(flags, j - 1, j - 1), "#b1")))
        found.append(implies(within, equal(at("ahead"), ahead)))
        found.append(implies(negation(within), f"(bvult {at('ahead')} {waiting})"))
        return implies(at.is_("followed", 1), all_of(*found))

    def same_context(self, at: State) -> str:
        """That the core has the context which crossed the ports."""
        return equal(at(f"{CONTROL}ctx_q"), at("ctx"))

    def _context(self, at: State) -> Iterator[str]:
        """Beats are counted as at the ports, and are where they go."""
        beats, whole = self.beats, at.is_("whole", 1)
        yield f"(bvult {at('ctx_at')} {const(beats, COUNT)})"
        yield from (equal(at.is_("ctx_at", i), at.is_(f"{CONTROL}beat_q", i)) for i in range(beats))
        yield equal(at.is_(f"{CONTROL}u_gate.whole_q", 1), whole)
        yield implies(whole, all_of(at.is_("ctx_at", 0), self.same_context(at)))
        for i in range(1, beats):
            stored = extract(at(f"{CONTROL}ctx_q"), beats * self.width - 1, (beats - i) * self.width)
            yield implies(at.is_("ctx_at", i), equal(stored, extract(at("ctx"), i * self.width - 1, 0)))

    def _gate(self, at: State) -> Iterator[str]:
        """While operations are under way the context stays, whole and legal."""
        opened, some = at.is_(f"{CONTROL}u_gate.open_q", 1), negation(at.is_("count", 0))
        yield at.is_(f"{CONTROL}u_gate.in_part_q", 0)
        yield implies(any_of(opened, some), all_of(at.is_("whole", 1), at.is_("core.legal", 1)))

    # --- how many flags are set ---------------------------------------------------------------------

    @staticmethod
    def older(flags: str, age: int) -> str:
        """How many operations are older."""
        return f"(older {flags} {const(age, BITS)})"

    @staticmethod
    def flag(flags: str, k: int) -> str:
        """Whether a flag is set, as a number."""
        return f"(concat {const(0, BITS - 1)} {extract(flags, k, k)})"

    def goes_on(self, now: State, then: State) -> Iterator[str]:
        """What is used of the numbers where all operations become a cycle older, and one may come."""
        flags, last = now(THERE), self.depth - 1
        after = f"(concat {extract(flags, last - 1, 0)} {extract(then(THERE), 0, 0)})"
        for j in range(self.depth):
            less = f"(bvsub {self.older(flags, j)} {self.flag(flags, last)})"
            yield equal(self.older(after, j + 1), less)
        yield equal(self.older(const(0, self.depth), 0), const(0, BITS))
        for each in (flags, after):
            yield from self.bounded(each)

    def bounded(self, flags: str) -> Iterator[str]:
        """What is used of them at any time."""
        whole = self.older(flags, 0)
        yield equal(whole, f"(bvadd {self.older(flags, 1)} {self.flag(flags, 0)})")
        yield equal(self.older(flags, self.depth), const(0, BITS))
        yield f"(bvule {whole} {const(self.depth, BITS)})"
        for j in range(self.depth):
            own = self.older(flags, j)
            yield f"(and (bvule {self.flag(flags, j)} {own}) (bvule {own} {whole}))"

    def counted(self) -> Obligation:
        """That something of this is not so: step by step from the oldest flag on, of any flags."""
        bits = self.depth

        def number(flags: Sequence[str], first: int) -> str:
            return self._sum([const(0, BITS), *flags[first:]])

        flags = [self.flag("t", k) for k in range(bits)]
        after = [self.flag("b", 0), *flags[:-1]]
        texts = [equal(number(after, j + 1), f"(bvsub {number(flags, j)} {flags[-1]})") for j in range(bits)]
        texts += [equal(number(flags, j), f"(bvadd {number(flags, j + 1)} {flags[j]})") for j in range(bits)]
        texts.append(implies(f"(= t {const(0, bits)})", equal(number(flags, 0), const(0, BITS))))
        for j, flag in enumerate(flags):
            known = all_of(equal("u", f"(bvadd v {flag})"), f"(bvule v {const(bits - j - 1, BITS)})")
            goal = all_of(f"(bvule u {const(bits - j, BITS)})", f"(bvule {flag} u)", "(bvule v u)")
            texts.append(implies(known, goal))
        sizes = {"t": bits, "b": 1, "u": BITS, "v": BITS}
        begin = "".join(f"(declare-const {name} (_ BitVec {size}))" for name, size in sizes.items())
        asked = tuple(f"(set-logic QF_BV)\n{begin}\n(assert {negation(each)})" for each in texts)
        return Obligation("control", "how many flags are set", "bitwuzla", asked)
