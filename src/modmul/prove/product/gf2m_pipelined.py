# SPDX-License-Identifier: Apache-2.0
"""Of ``gf2m_pipelined``: z is the product of two polynomials, put together by Karatsuba's rule, mod M.

From reset to result, at full width, for all operands and any behaviour at the ports, resets included. Many
operations are under way. The input ``pick_i``, of which the core knows nothing, chooses one of them; a bench
keeps its operands, counts the results that leave before its own, and the cycles since it came. Layers:

- **identity** (z3): a·b = a1·b1·X² + ((a1 + a0)·(b1 + b0) - a1·b1 - a0·b0)·X + a0·b0 for a = a1·X + a0 and
  b = b1·X + b0, as an identity of polynomials with whole coefficients. So it holds in every commutative ring,
  and in that of polynomials over GF(2), where + and - are sums without carries and X = t^h a shift by h.
- **residue** (bitwuzla, on the netlist): what is made of t is t mod M, bit by bit.
- **control** (bitwuzla, on the netlist): results leave in the order in which operands came, and the memory
  has a place for each.
- **data** (bitwuzla, on the netlist): where the chosen operation is, from cycle to cycle: in the registers of
  operands, of short products, of longer ones, of the residue, in the memory, at the output. A product is any
  function of two polynomials that Karatsuba's rule is true of, and of short ones what it is by definition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from modmul.prove.netlist import State, system
from modmul.prove.product.binary import Functional, times
from modmul.prove.product.serial import TOP, instance, ports
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, const, equal, extract, implies, negation, zero_extend
from modmul.room import Build

__all__ = ["Karatsuba"]

CONTROL, RESULTS, PRODUCT = "core.u_control.", "core.u_results.", "core.u_product"
BITS = 8
"""Bits in which operations and cycles are counted."""


def bench(build: Build, depth: int) -> str:
    """A core with what remembers a chosen operation.

    ``followed`` says that there is one whose result has not left, ``at`` in which cycle since its operands
    came, up to one behind the last of the pipeline, ``ahead`` how many results leave before its own;
    ``given`` is high in the cycle after that has left.
    """
    bits = build.config.word
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{ports(bits)}
  input  wire pick_i,
  output logic [{bits - 1}:0] x, output logic [{bits - 1}:0] y, output logic [{bits - 1}:0] z,
  output logic [{BITS - 1}:0] count, output logic [{BITS - 1}:0] ahead, output logic [{BITS - 1}:0] at,
  output logic followed, output logic given, output logic choose
);

{instance(build)}

  logic in_take, out_take, left;

  assign in_take  = in_valid_i && in_ready_o;
  assign out_take = out_valid_o && out_ready_i;
  assign choose   = in_take && pick_i && !followed;
  assign left     = out_take && followed && ahead == '0;

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
      count    <= '0;
      followed <= 1'b0;
      given    <= 1'b0;
    end else begin
      count    <= count + {BITS}'(in_take) - {BITS}'(out_take);
      followed <= choose || (followed && !left);
      given    <= left;
    end
  end

endmodule

`default_nettype wire
"""


@dataclass(frozen=True)
class Node:
    """A product in the tree, or the whole one.

    Attributes:
        path: of its instance.
        bits: of its operands.
        parts: those that it is made of: low, high, of the sums; none of a short product.
        forms: its operands as terms of x and of y.
    """

    path: str
    bits: int
    parts: tuple[Node, ...]
    forms: tuple[str, str]

    @property
    def height(self) -> int:
        return self.parts[0].height + 1 if self.parts else 0

    def level(self, height: int) -> Iterator[Node]:
        """Those of a height."""
        if self.height == height:
            yield self
        for part in self.parts:
            yield from part.level(height)


def tree(path: str, bits: int, leaf: int, forms: tuple[str, str]) -> Node:
    """A product with all below it."""
    if bits <= leaf:
        return Node(path, bits, (), forms)
    half = bits // 2
    low = [extract(form, half - 1, 0) for form in forms]
    high = [extract(form, bits - 1, half) for form in forms]
    both = [f"(bvxor {a} {b})" for a, b in zip(low, high, strict=True)]
    parts = (("low", low), ("high", high), ("both", both))
    return Node(
        path,
        bits,
        tuple(tree(f"{path}.gen_halves.u_{name}", half, leaf, (a, b)) for name, (a, b) in parts),
        forms,
    )


@dataclass(frozen=True)
class Karatsuba(Functional):
    """The obligations of a build."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if not config.levels or config.width % (1 << config.levels) or config.word != config.width:
            raise ValueError(
                f"{build}: the proof is written for operands that are halved, and without a rest"
            )
        return cls(build, system(build.design, bench(build, build.cycles), TOP))

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """Cycles of the pipeline."""
        return self.system.signals[f"{RESULTS}there_q"]

    @property
    def slots(self) -> int:
        """Operations that may be in flight."""
        return self.build.core.interface.in_flight(self.build.config)

    @property
    def address_bits(self) -> int:
        return self.system.signals[f"{RESULTS}write_q"]

    # --- terms ------------------------------------------------------------------------------------

    def root(self, state: State) -> Node:
        """The product of the operands that are remembered."""
        config: Any = self.build.config
        return tree(PRODUCT, self.width, config.leaf, (state("x"), state("y")))

    def product(self, node: Node) -> str:
        return f"(K{node.bits} {node.forms[0]} {node.forms[1]})"

    def joined(self, node: Node) -> str:
        """What Karatsuba's rule makes of three products."""
        half, wide = node.bits // 2, 2 * node.bits - 1
        low, high, both = map(self.product, node.parts)
        middle = zero_extend(f"(bvxor {low} {high} {both})", wide - (2 * half - 1))
        whole = zero_extend(f"(concat {high} #b0 {low})", wide - (4 * half - 1))
        return f"(bvxor {whole} (bvshl {middle} {const(half, wide)}))"

    def residue(self, t: str) -> str:
        """t mod M, the highest bit first."""
        config: Any = self.build.config
        wide = 2 * self.width - 1
        u, defined = t, ""
        for k in reversed(range(self.width, wide)):
            over = f"(= {extract(f'u{k}', k, k)} #b1)"
            defined += f"(let ((u{k} {u})) "
            modulus = const(int(config.modulus) << k - self.width, wide)
            u = f"(bvxor u{k} (ite {over} {modulus} {const(0, wide)}))"
        return f"{defined}{extract(u, self.width - 1, 0)}{')' * (self.width - 1)}"

    def result(self, state: State) -> str:
        """What is to come of the operands that are remembered."""
        return f"(Residue {self.product(self.root(state))})"

    def definitions(self) -> str:
        wide = 2 * self.width - 1
        found, bits = "", self.width
        leaf = next(iter(self.root(self.system.state("s")).level(0))).bits
        while bits > leaf:
            found += f"(declare-fun K{bits} ((_ BitVec {bits}) (_ BitVec {bits})) (_ BitVec {2 * bits - 1}))"
            bits //= 2
        word, short = f"(_ BitVec {leaf})", times("a", leaf, "b", leaf)
        found += f"(define-fun K{leaf} ((a {word}) (b {word})) (_ BitVec {2 * leaf - 1}) {short})"
        return f"{found}(declare-fun Residue ((_ BitVec {wide})) (_ BitVec {self.width}))"

    # --- the obligations --------------------------------------------------------------------------

    def all(self) -> Iterator[Obligation]:
        now, then = self.system.state("s"), self.system.state("n")
        yield self._identity()
        t = now("core.t")
        yield Obligation(
            "residue",
            "what is made of t is t mod M",
            "bitwuzla",
            (f"{self.system.header}(assert {negation(equal(now('core.z'), self.residue(t)))})",),
        )
        control = self.control(now)
        reset = self.text(now.is_("rst_ni", 0), negation(all_of(*control)))
        yield Obligation("control", "there are none in reset", "bitwuzla", (reset,))
        known = (self.system.step, *control)
        yield Obligation(
            "control",
            "results keep their order",
            "bitwuzla",
            tuple(self.text(*known, negation(each)) for each in self.control(then)),
        )
        yield Obligation(
            "data",
            "the operands are in their registers behind the cycle in which they come",
            "bitwuzla",
            (self.text(*known, now.is_("choose", 1), negation(self.data(then, 1))),),
        )
        for j in range(1, self.depth + 2):
            chosen = (now.is_("followed", 1), now.is_("at", j), self.data(now, j))
            stays = (*known, *chosen, *self._facts(now, j))
            after = min(j + 1, self.depth + 1)
            wrong = negation(
                all_of(implies(then.is_("followed", 1), self.data(then, after)), self.told(then))
            )
            yield Obligation(
                "data", f"goes on holding from cycle {j}", "bitwuzla", (self.text(*stays, wrong),)
            )
        some = (now.is_("rst_ni", 1), now.is_("followed", 1), *control)
        yield Obligation(
            "data",
            "each cycle is possible",
            "bitwuzla",
            tuple(self.text(*some, now.is_("at", j)) for j in range(1, self.depth + 2)),
            holds=False,
        )

    def _identity(self) -> Obligation:
        declared = "".join(f"(declare-const {name} Int)" for name in ("a0", "a1", "b0", "b1", "X"))
        whole = "(* (+ (* a1 X) a0) (+ (* b1 X) b0))"
        middle = "(- (* (+ a1 a0) (+ b1 b0)) (* a1 b1) (* a0 b0))"
        rule = f"(+ (* a1 b1 X X) (* {middle} X) (* a0 b0))"
        return Obligation(
            "identity",
            "Karatsuba's rule is one of polynomials with whole coefficients",
            "z3",
            (f"(set-logic QF_NIA)\n{declared}\n(assert (not (= {whole} {rule})))",),
        )

    def _facts(self, now: State, j: int) -> Iterator[str]:
        """What is used of products in cycle j, and of the residue."""
        root = self.root(now)
        yield equal(now("core.z"), f"(Residue {now('core.t')})")
        for node in root.level(j - 1) if j >= 2 else ():
            yield equal(self.product(node), self.joined(node))

    # --- the invariant ----------------------------------------------------------------------------

    def control(self, at: State) -> tuple[str, str]:
        """How many operations are where, and what is ahead of the chosen one."""
        return self._counts(at), self._order(at)

    def _sum(self, terms: Sequence[str]) -> str:
        return f"(bvadd {' '.join(terms)})" if len(terms) > 1 else terms[0]

    def _flag(self, condition: str) -> str:
        return f"(ite {condition} {const(1, BITS)} {const(0, BITS)})"

    def _there(self, at: State, first: int = 0) -> list[str]:
        """Operations that began more than so many cycles ago, and are in the pipeline."""
        there = at(f"{RESULTS}there_q")
        return [self._flag(equal(extract(there, k, k), "#b1")) for k in range(first, self.depth)]

    def _waiting(self, at: State) -> str:
        """Results in the memory."""
        between = f"(bvsub {at(f'{RESULTS}write_q')} {at(f'{RESULTS}read_q')})"
        return zero_extend(between, BITS - self.address_bits)

    def _valid(self, at: State) -> str:
        return self._flag(at.is_(f"{RESULTS}valid_q", 1))

    def _counts(self, at: State) -> str:
        slots = zero_extend(at(f"{CONTROL}slots_q"), BITS - self.system.signals[f"{CONTROL}slots_q"])
        whole = self._sum([*self._there(at), self._waiting(at), self._valid(at)])
        return all_of(
            equal(slots, whole),
            equal(at("count"), whole),
            f"(bvule {whole} {const(self.slots, BITS)})",
            equal(at.is_(f"{CONTROL}full_q", 1), equal(slots, const(self.slots, BITS))),
            equal(at.is_(f"{CONTROL}empty_q", 1), equal(slots, const(0, BITS))),
        )

    def _order(self, at: State) -> str:
        """Where the chosen operation is, and what is ahead of it."""
        found = []
        there = at(f"{RESULTS}there_q")
        for j in range(1, self.depth + 1):
            older = self._sum([*self._there(at, j), self._waiting(at), self._valid(at)])
            mine = all_of(equal(extract(there, j - 1, j - 1), "#b1"), equal(at("ahead"), older))
            found.append(implies(at.is_("at", j), mine))
        whole = self._sum([self._waiting(at), self._valid(at)])
        found.append(implies(at.is_("at", self.depth + 1), f"(bvult {at('ahead')} {whole})"))
        found.append(f"(bvule {const(1, BITS)} {at('at')})")
        found.append(f"(bvule {at('at')} {const(self.depth + 1, BITS)})")
        return implies(at.is_("followed", 1), all_of(*found))

    def data(self, at: State, j: int) -> str:
        """What holds of the chosen operation in cycle j since its operands came."""
        root = self.root(at)
        if j == 1:
            leaves = root.level(0)
            return all_of(
                *(
                    equal(at(f"{leaf.path}.gen_leaf.{name}_q"), form)
                    for leaf in leaves
                    for name, form in zip("ab", leaf.forms, strict=True)
                )
            )
        if j <= root.height + 2:
            return all_of(*(equal(at(f"{n.path}.p_q"), self.product(n)) for n in root.level(j - 2)))
        if j == self.depth:
            return equal(at("core.z_q"), self.result(at))
        out = all_of(at.is_("ahead", 0), at.is_(f"{RESULTS}valid_q", 1))
        ahead, valid = (extract(each, self.address_bits - 1, 0) for each in (at("ahead"), self._valid(at)))
        address = f"(bvsub (bvadd {at(f'{RESULTS}read_q')} {ahead}) {valid})"
        return all_of(
            implies(out, equal(at(f"{RESULTS}z_q"), self.result(at))),
            *(
                implies(
                    all_of(negation(out), equal(address, const(k, self.address_bits))),
                    equal(at(f"{RESULTS}u_results.words[{k}]"), self.result(at)),
                )
                for k in range(1 << self.address_bits)
            ),
        )

    def told(self, at: State) -> str:
        """The theorem."""
        return implies(at.is_("given", 1), equal(at("z"), self.result(at)))
