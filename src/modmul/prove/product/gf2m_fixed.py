# SPDX-License-Identifier: Apache-2.0
"""Of ``gf2m_fixed``: z is what Horner's rule gives, bit by bit, and so x·y mod M.

From reset to result, at full width, for all operands and any behaviour at the ports, resets included.
Horner's rule begins with P = 0 and does for each bit of x, the highest first, P = P·t mod M + that bit·y, t
being what the polynomials are in. With P_j for what it gives behind j digits of x the theorem is z = P_L. Two
layers, both of questions for bitwuzla:

- **step** (on the netlist): with s behind a digit that is added, s mod M is what Horner's rule makes of what
  it was before, in as many steps as a digit has bits, for any s, digit and y.
- **invariant** (on the netlist): where the operations are. Up to three are under way: one whose operands are
  there, one in the loop, one whose result goes out; behind the ports a queue of their operands remembers
  what crossed them. In step i of the loop s mod M is P_(i-2), the register of the product has digit i-2 times
  y, that of the digit has digit i-1; and so on up to z. Here P_j is any function of x and y, and a step of
  Horner's rule any function of P, a digit and y, that have the first layer's property; P_0 is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

from modmul.prove.netlist import system
from modmul.prove.product.binary import CONTROL, LEAST, At, Digits, bench
from modmul.prove.product.serial import COUNT, TOP
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation
from modmul.room import Build

__all__ = ["Horner"]


class Horner(Digits):
    """The obligations of a build without ``SquareAtOnce``."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if config.beats * config.word != config.width or config.square_at_once:
            raise ValueError(
                f"{build}: the proof is written for operands of whole words, without SquareAtOnce"
            )
        digits = config.word // config.digit
        if config.digit > 8 or digits & (digits - 1) or config.steps < LEAST or config.beats < 2:
            raise ValueError(
                f"{build}: the proof is written for digits of up to 8 bits, 1, 2, 4, ... to a word, and for "
                f"{LEAST} of them or more in several words"
            )
        return cls(build, system(build.design, bench(build), TOP))

    # --- terms ------------------------------------------------------------------------------------

    def pointed(self, i: int) -> int:
        """Which digit of x, the lowest being 0, is read in step i of the loop."""
        return self.steps - 1 - i

    def digit(self, x: str, j: int) -> str:
        """Digit j of x, the highest being 0."""
        low = (self.steps - 1 - j) * self.digit_bits
        return extract(x, low + self.digit_bits - 1, low)

    def horner(self, p: str, digit: str, y: str) -> str:
        """What Horner's rule makes of P with the bits of a digit, the highest first."""
        n = self.width
        modulus = const(self.config.modulus & ((1 << n) - 1), n)
        for i in reversed(range(self.digit_bits)):
            over = f"(= {extract(p, n - 1, n - 1)} #b1)"
            shifted = f"(bvshl {p} {const(1, n)})"
            more = f"(ite (= {extract(digit, i, i)} #b1) {y} {const(0, n)})"
            p = f"(bvxor {shifted} (ite {over} {modulus} {const(0, n)}) {more})"
        return p

    def definitions(self) -> str:
        """P_j and a step of Horner's rule: any functions."""
        word = f"(_ BitVec {self.width})"
        return (
            "".join(f"(declare-fun P{j} ({word} {word}) {word})" for j in range(self.steps + 1))
            + f"(declare-fun Step ({word} (_ BitVec {self.digit_bits}) {word}) {word})"
        )

    # --- the obligations --------------------------------------------------------------------------

    def _steps(self, now: At, then: At) -> Iterator[Obligation]:
        """That a digit is a few steps of Horner's rule."""
        d, y = (f"(_ BitVec {bits})" for bits in (self.digit_bits, self.width))
        free = f"(declare-const d {d})(declare-const y {y})"
        adds = (
            self.system.step,
            now.state.is_("rst_ni", 1),
            now.high("core.add"),
            negation(now.high("core.first")),
            equal(now("core.p"), self.product("d", "y")),
        )
        wrong = negation(equal(then("core.r"), self.horner(now("core.r"), "d", "y")))
        text = "\n".join(f"(assert {each})" for each in (*adds, wrong))
        yield Obligation(
            "step",
            "a digit is some steps of Horner's rule",
            "bitwuzla",
            (f"{self.system.header}{free}{text}",),
        )

    def _facts(self, now: At, then: At, i: int) -> Iterator[str]:
        """What is used of P and of the first layer, in step i of the loop."""
        pairs = [(now("x0"), now("y0"), self.steps - 1)]  # of what has left the loop
        if i >= 2:
            pairs.append((now.behind("x"), now.behind("y"), i - 2))
        if i == self.steps:
            pairs.append((now.behind("x"), now.behind("y"), self.steps - 1))
        for x, y, j in pairs:
            digit = self.digit(x, j)
            yield equal(f"(P{j + 1} {x} {y})", f"(Step (P{j} {x} {y}) {digit} {y})")
            added = all_of(
                now.high("core.add"),
                negation(now.high("core.first")),
                equal(now("core.p"), self.product(digit, y)),
            )
            yield implies(added, equal(then("core.r"), f"(Step {now('core.r')} {digit} {y})"))
        yield from (
            equal(f"(P0 {at.behind('x')} {at.behind('y')})", const(0, self.width)) for at in (now, then)
        )

    # --- the invariant ----------------------------------------------------------------------------

    def _loop(self, at: At, some: Sequence[int]) -> str:
        """What s mod M is, and what comes to it, in some steps."""
        steps = self.steps
        x, y = at.behind("x"), at.behind("y")
        adds, adds_next = at.high(f"{CONTROL}add_q2"), at.high(f"{CONTROL}add_q")
        found = []
        for i in filter(None, some):
            behind_1 = equal(at("core.x"), self.digit(x, i - 1))
            facts = [adds_next, behind_1]
            if i >= 2:
                facts += [adds, equal(at("core.p"), self.product(self.digit(x, i - 2), y))]
                facts.append(equal(at("core.r"), f"(P{i - 2} {x} {y})"))
            if i < steps:
                found.append(implies(at.step(i), all_of(*facts)))
                continue
            once = [
                negation(adds_next),
                adds,
                equal(at("core.p"), self.product(self.digit(x, steps - 1), y)),
                equal(at("core.r"), f"(P{steps - 1} {x} {y})"),
            ]
            done = [negation(adds_next), negation(adds), equal(at("core.r"), f"(P{steps} {x} {y})")]
            found.append(implies(at.step(i), any_of(all_of(*facts), all_of(*once), all_of(*done))))
        return all_of(*found)

    def _result(self, at: At) -> str:
        """From s to what has left."""
        steps = self.steps
        x, y = at("x0"), at("y0")
        whole = f"(P{steps} {x} {y})"
        adds = at.high(f"{CONTROL}add_q2")
        last = equal(at("core.r"), f"(P{steps - 1} {x} {y})")
        product = equal(at("core.p"), self.product(self.digit(x, steps - 1), y))
        valid = at.high(f"{CONTROL}valid_q")
        return all_of(
            implies(
                at.high(f"{CONTROL}last_q"),
                f"(ite {adds} {all_of(last, product)} {equal(at('core.r'), whole)})",
            ),
            implies(at.high(f"{CONTROL}last_q2"), equal(at("core.r"), whole)),
            implies(valid, equal(at("core.z_q"), whole)),
            *(
                implies(
                    all_of(valid, f"(bvugt {at('out_at')} {const(k, COUNT)})"),
                    equal(self.wordof(at("z"), k), self.wordof(whole, k)),
                )
                for k in range(self.beats)
            ),
            implies(at.high("given"), equal(at("z"), f"(P{steps} {at('x')} {at('y')})")),
        )
