# SPDX-License-Identifier: Apache-2.0
"""Of ``small_fixed``: z is x*y mod M, for the M of the build.

From reset to result, at full width, for all operands up to M and any behaviour at the ports, resets included.
Four layers:

- **control**, **data** (``small_pipeline``, on the netlist): how many operations there are, and at which
  ages; that the context is M; age by age, which registers hold which words of the one that is followed.
- **block** (``small_pipeline``, on the netlist): a multiplier block makes the product of its registers.
- **word** (``small_pipeline``): what the words of an operation are made up of.
- **number** (``small_words``, ``small_fixed_words``, ``small_fixed_divided``, over integers): the blocks of
  step 1 make T = x*y; what the reduction makes of T is T less a multiple of M, at least -M and below M; z is
  that, or that and M.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from modmul.prove.netlist import State
from modmul.prove.product.serial import TOP
from modmul.prove.product.small_fixed_divided import Digits, Proth
from modmul.prove.product.small_fixed_words import Fixed, Ones, Tables
from modmul.prove.product.small_pipeline import CONTROL, Flow, Standing
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation

__all__ = ["ForOne"]

KINDS: dict[str, type[Fixed]] = {"ones": Ones, "proth": Proth, "digits": Digits, "tables": Tables}
"""By the way of reduction."""


class ForOne(Standing):
    """The obligations of a build."""

    @cached_property
    def flow(self) -> Fixed:
        config: Any = self.build.config
        # Blocks of an "else if" have names of their own, which Yosys chooses.
        (reduce,) = (
            name.removesuffix("z_o") for name in self.system.signals if name.endswith(".u_reduce.z_o")
        )
        return KINDS[config.way](self.width, self.beats, config=config, reduce=reduce)

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        now, flow = self.system.state("s"), self.flow
        known = (*self.control(now).values(), now.is_("followed", 1), self.holds(now, flow, 0))
        other = negation(equal(flow.given[-1].term, const(flow.m, self.width)))
        yield Obligation("data", "the context is M", "bitwuzla", (self.text(*known, other),))
        yield from self.of_numbers()

    def of_numbers(self) -> Iterator[Obligation]:
        flow = self.flow
        questions = {
            "how large T is": flow.product_bounded(),
            "what is below what": flow.bounded(),
            "a row is a digit of x times y": flow.rows_right(),
            "T": (flow.summed(), flow.product_right()),
            **flow.reduction(),
        }
        for name, texts in questions.items():
            yield Obligation("number", name, "z3", tuple(texts))

    # --- texts ------------------------------------------------------------------------------------

    def text(self, *assertions: str) -> str:
        """A text, without the netlist where nothing is said of it."""
        if any(f"|{TOP}_" in each for each in assertions):
            return super().text(*assertions)
        return self.of_words(*assertions)

    def of_words(self, *assertions: str) -> str:
        """A text about the words of an operation alone."""
        flow = self.flow
        lines = [
            f"(declare-const {w.term} (_ BitVec {w.bits}))"
            for w in (*flow.given, *flow.defined, *flow.blocks)
        ]
        return "\n".join(("(set-logic QF_BV)", *lines, *(f"(assert {each})" for each in assertions)))

    def multiplied(self, at: State) -> Iterator[str]:
        """That some block makes no signed product of its registers, or a word that it stands for none."""
        blocks = self.flow.blocks.values()
        made = negation(all_of(*(block.in_registers(at, block.netlist_form) for block in blocks)))
        yield f"{self.system.header}{self.definitions()}(assert {made})"
        for block in blocks:
            yield self.of_words(block.of_words(block.netlist_form), negation(block.product.over_bits()))

    def holds(self, at: State, flow: Flow, age: int) -> str:
        found = []
        for signal, low, term in flow.places.get(age, []):
            bits = self.system.signals[signal]
            held = at(signal) if bits else f"(ite {at(signal)} #b1 #b0)"
            found.append(equal(extract(held, bits - 1, low) if low else held, term))
        return all_of(*self.operands(at), *found)

    # --- the invariant of the control -------------------------------------------------------------

    def _context(self, at: State) -> Iterator[str]:
        """A context is one beat, and legal where it is M."""
        yield at.is_("ctx_at", 0)
        yield at.is_(f"{CONTROL}beat_q", 0)
        whole = at.is_("whole", 1)
        yield equal(at.is_(f"{CONTROL}u_gate.whole_q", 1), whole)
        same = equal(at("ctx"), const(self.flow.m, self.width))
        yield implies(whole, equal(at.is_("core.legal_q", 1), same))

    def _gate(self, at: State) -> Iterator[str]:
        """While operations are under way the context stays, and is legal."""
        opened = at.is_(f"{CONTROL}u_gate.open_q", 1)
        yield at.is_(f"{CONTROL}u_gate.in_part_q", 0)
        yield implies(any_of(opened, self._some(at)), all_of(at.is_("whole", 1), at.is_("core.legal_q", 1)))
        yield implies(at.is_(f"{CONTROL}none_q", 1), negation(self._some(at)))
