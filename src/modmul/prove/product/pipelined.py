# SPDX-License-Identifier: Apache-2.0
"""Of ``pipelined``: z is x·y mod M, by Karatsuba's products, one fold, and Barrett's quotient.

From reset to result, at full width, for all M of n bits, all operands and any behaviour at the ports, resets
included; of the context it is assumed that it belongs to M. An input of which the core knows nothing chooses
the operation that is followed. Its age is the number of cycles since its operands came; the pipeline never
stalls. Layers:

- **control** (``pipelined_control``, on the netlist): how many operations there are, and where; that the
  context stays.
- **block** (on the netlist): a multiplier block makes the product of its registers.
- **data** (on the netlist): age by age, which registers hold which words of the operation
  (``pipelined_steps``; part by part, ``pipelined_parts``); then where z is in the memory of results.
- **word** (``pipelined_words``): what words are made up of; that an addition in pieces adds.
- **number** (``pipelined_words`` and ``pipelined_numbers``, over integers): what each part makes; T' and q
  are in their ranges; r is T' - q*M, and z is that, or that less M.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from modmul.prove.netlist import State
from modmul.prove.product.gf2m_pipelined import BITS
from modmul.prove.product.pipelined_control import Counted
from modmul.prove.product.pipelined_kinds import Times
from modmul.prove.product.small_pipeline import OPENED
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, equal, extract, implies, negation

__all__ = ["Pipeline"]


@dataclass(frozen=True)
class Pipeline(Counted):
    """The obligations of a build for any modulus."""

    # --- texts --------------------------------------------------------------------------------------

    def text(self, *assertions: str) -> str:
        """A text in which nothing is known of products but what is said."""
        return OPENED.sub(r"(declare-fun \1 (\2) \3)\n", self.with_products(*assertions))

    def with_products(self, *assertions: str) -> str:
        """A text about those parts of the netlist which its assertions name, and on which these depend."""
        said = "\n".join(f"(assert {each})" for each in assertions)
        lines = ["(set-logic QF_UFBV)", *self.cone.lines(said)]
        return "\n".join((*lines, *self.declarations(said), said))

    def declarations(self, said: str) -> Iterator[str]:
        """The words that a text names, any that fulfil what it says of them, and its functions."""
        flow = self.flow
        for word in (*flow.given, *flow.defined, *flow.forms):
            if word.term in said:
                yield f"(declare-const {word.term} (_ BitVec {word.bits}))"
        if "(older " in said:
            yield f"(declare-fun older ((_ BitVec {self.depth}) (_ BitVec {BITS})) (_ BitVec {BITS}))"
        every = (each for found in flow.times.values() for each in found)
        yield from dict.fromkeys(each.declared for each in every if each.function in said)

    def holds(self, at: State, age: int) -> str:
        """That registers hold the words of the operation at an age, but for those that Yosys leaves out."""
        found = []
        for signal, low, term in self.flow.places.get(age, []):
            if self.cone.driven(signal):
                bits = self.system.signals[signal]
                held = at(signal) if bits else f"(ite {at(signal)} #b1 #b0)"
                found.append(equal(extract(held, bits - 1, low) if low else held, term))
        return all_of(*found)

    def data(self, at: State, j: int) -> str:
        """What holds of the operation at an age."""
        return self.holds(at, j) if j <= self.depth else super().data(at, j)

    def there(self, times: Times) -> bool:
        """Whether a block makes a product that something reads."""
        return not times.kept and f"{times.path}.product" in self.system.signals

    # --- the obligations ----------------------------------------------------------------------------

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        yield from self.flow.of_words()
        yield from self.flow.of_numbers()

    def of_netlist(self) -> Iterator[Obligation]:
        yield from self.of_control()
        now = self.system.state("s")
        yield Obligation("block", "a block multiplies its factors", "bitwuzla", tuple(self.blocks(now)))
        yield Obligation("data", "the operands are in their registers", "bitwuzla", tuple(self.begins()))
        for j in range(1, self.depth + 2):
            text = self.follows(j)
            yield Obligation("data", f"goes on holding from age {j}", "bitwuzla", (text,))
        some = (now.is_("rst_ni", 1), now.is_("followed", 1), *self.operands(now))
        possible = (
            self.text(*some, now.is_("at", j), self.data(now, j), *self.flow.facts(j + 1))
            for j in range(1, self.depth + 2)
        )
        yield Obligation("data", "each age is possible", "bitwuzla", tuple(possible), holds=False)

    def blocks(self, at: State) -> Iterator[str]:
        """That a block makes no product of its registers."""
        for each in (each for found in self.flow.times.values() for each in found if self.there(each)):
            registers = (at(f"{each.path}.{name}") for name in ("a_q", "b_q"))
            made = equal(at(f"{each.path}.product"), each.multiplied(*registers))
            yield self.with_products(negation(made))

    def begins(self) -> Iterator[str]:
        """That an operation which is chosen has not the context of the ports, or its operands are not in the
        first registers."""
        now, then = self.system.state("s"), self.system.state("n")
        known = (self.system.step, now.is_("choose", 1))
        right = all_of(self.same_context(then), then.is_("at", 1))
        yield self.text(*known, *self.held(now).values(), then.is_("followed", 1), negation(right))
        yield self.text(*known, *self.operands(then), *self.flow.facts(1), negation(self.holds(then, 1)))

    def follows(self, age: int) -> str:
        """That registers hold the words of an age, and not those of the next one a cycle later."""
        now, then, flow = self.system.state("s"), self.system.state("n"), self.flow
        known = [self.system.step, now.is_("followed", 1), now.is_("at", age), *self.operands(now)]
        known += [self.data(now, age), *flow.facts(age), *flow.facts(age + 1)]
        known += [each.in_registers(now) for each in flow.times.get(age, []) if self.there(each)]
        if age >= self.depth:
            known += [*self.held(now).values(), *self.goes_on(now, then)]
        following = min(age + 1, self.depth + 1)
        after = all_of(then.is_("followed", 1), *self.operands(then))
        right = implies(after, all_of(then.is_("at", following), self.data(then, following)))
        if age > self.depth:
            right = all_of(right, self.told(then))
        return self.text(*known, negation(right))
