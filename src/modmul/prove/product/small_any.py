# SPDX-License-Identifier: Apache-2.0
"""Of ``small_any``: z is x·y mod M, by Barrett's quotient.

From reset to result, at full width, for all M of n bits, all operands and any behaviour at the ports, resets
included; of the context it is assumed that it belongs to M. Four layers:

- **control**, **data** (``small_pipeline``, on the netlist): how many operations there are, and at which
  ages; that the context stays; age by age, which registers hold which words of the one that is followed.
- **block** (``small_pipeline``, on the netlist): a multiplier block makes the product of its registers.
- **word** (``small_pipeline``): what the words of an operation are made up of.
- **number** (``small_any_words``, over integers): the blocks of step 1 make T = x*y; v is -q, where q*M is
  2**(2n + G) but for less than M; those of step 2 make t*v, nearly, of which w is the upper part, W modulo
  2**(n + 1); so T + W*M is at least -M and below M, r tells what it is, and z is that, or that and M.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from modmul.prove.product.small_any_halves import Halved
from modmul.prove.product.small_any_words import Words
from modmul.prove.product.small_pipeline import Standing
from modmul.prove.solve import Obligation
from modmul.prove.terms import equal, extract, negation
from modmul.room import Build

__all__ = ["Barrett"]


class Barrett(Standing):
    """The obligations of a build without a block behind the chain of step 3."""

    @classmethod
    def check(cls, build: Build) -> None:
        super().check(build)
        config: Any = build.config
        above = 0 if config.whole else config.width + 2 - config.tile_a
        if above > config.corner or config.width < 4:
            raise ValueError(
                f"{build}: the proof is written for four bits or more, and for upper bits of w in LUTs"
            )

    @cached_property
    def flow(self) -> Words:
        config: Any = self.build.config
        kind = Words if config.whole else Halved
        return kind(self.width, self.beats, config=config)

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        now = self.system.state("s")
        highest = extract(self.flow.given[-1].term, self.width - 1, self.width - 1)
        holds = (*self.control(now).values(), now.is_("followed", 1), self.holds(now, self.flow, 0))
        legal = self.text(*holds, negation(equal(highest, "#b1")))
        yield Obligation("data", "the highest bit of M is set", "bitwuzla", (legal,))
        yield from self.of_numbers()

    def of_numbers(self) -> Iterator[Obligation]:
        flow = self.flow
        questions = {
            "what is below what": flow.bounded(),
            "a row is a digit of x times y": flow.rows_right(),
            "T": (flow.summed(), flow.product_right()),
            "v": flow.inverse_right(),
            "w": (flow.quotient(), flow.quotient_right()),
            "Barrett's quotient": flow.reduced(),
            "r": (*flow.corner(), flow.rest(), flow.rest_right()),
            "z is right": (flow.result(), flow.ended()),
        }
        for name, texts in questions.items():
            yield Obligation("number", name, "z3", tuple(texts))
