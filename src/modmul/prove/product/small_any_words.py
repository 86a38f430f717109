# SPDX-License-Identifier: Apache-2.0
"""Of ``small_any``: the words of an operation, what defines them, and what is asked of them as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from modmul.prove.product.small_pipeline import denied, refuting, total
from modmul.prove.product.small_words import Chain, Products, pieces
from modmul.prove.terms import Compared, Word, all_of, equal, number

__all__ = ["Words"]

QUOTIENT, REST = "core.u_quotient.gen_whole.", "core.u_rest."


@dataclass
class Words(Products):
    """The words of an operation, with a whole product in step 2.

    Attributes:
        quotients: the chain of step 2.
        w: what it makes.
        rests: the chain of step 3.
        r: what it makes.
        digits: those of w that LUTs multiply, with what they make.
    """

    quotients: Chain = field(init=False)
    w: Word = field(init=False)
    rests: Chain = field(init=False)
    r: Word = field(init=False)
    digits: list[tuple[Word, Word]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.part(Compared({self.v: 1}, "=", {self.inverse: 1}, 1 << (self.v_bits - 1)))
        self._step_1()
        self.quotients = self._quotient()
        self.rests = self._rest()
        self._result()

    @property
    def guard(self) -> int:
        return int(self.config.guard)

    @property
    def long(self) -> bool:
        """Whether steps 2 and 3 have one block each."""
        return bool(self.config.whole and not self.config.short)

    @property
    def shift(self) -> int:
        """Bits below w."""
        return self.width + 1 + 2 * self.guard

    @property
    def t_place(self) -> int:
        """Where t begins in T."""
        return self.width - 1 - self.guard

    @property
    def v_bits(self) -> int:
        return self.width + 2 + self.guard

    @property
    def least(self) -> int:
        """How far below 0 what is below w may be."""
        return 0

    @property
    def ages(self) -> tuple[int, int, int]:
        """Those of T, w and r."""
        config = self.config
        t = int(config.product)
        return t, t + int(config.quotient), t + int(config.quotient) + int(config.rest)

    @property
    def modulus(self) -> Word:
        return self.given[-1].cut(self.width - 1, 0, "m")

    @property
    def inverse(self) -> Word:
        """v, all but its two highest bits."""
        kept = self.width + self.guard
        return self.given[-1].cut(self.width + kept - 1, self.width, "v")

    @property
    def v(self) -> Word:
        return Word("v", f"(concat #b10 {self.inverse.term})", self.v_bits)

    def _quotient(self) -> Chain:
        """Step 2: t times v, a digit of v a block."""
        age, chain = self.ages[0], Chain()
        _, t = self.split(self.product, self.t_place)
        cut = self.v_bits if self.long else self.cut
        count = int(self.config.quotient) - 1
        sizes = [cut] * (count - 1) + [self.v_bits - cut * (count - 1)]
        carry: dict[Word, int] = {}
        for j, v in enumerate(self.cuts(self.v, sizes)):
            path, last = f"{QUOTIENT}gen_block[{j}].", j == count - 1
            bits = self.width + 1 + self.shift - cut * j if last else t.bits + cut + 2
            if j:
                self.delay(f"{path}gen_next.u_t", age + j - 1, 1, t.term)
            block = self.block(f"{path}u_mac", age + j, (t, v), carry, bits, negative=last)
            _, carry = self._joined(chain, cut * j, block, self.shift - cut * j if last else cut)
        (self.w,) = carry
        self.place("core.w", self.ages[1], self.w.term)
        return chain

    def _rest(self) -> Chain:
        """Step 3: w times M and T, modulo 2**(n + 1)."""
        n, age, chain = self.width, self.ages[1], Chain()
        low, _ = self.split(self.product, n + 1)
        self.delay("core.u_product_late", self.ages[0], age - self.ages[0], low.term)
        first, w = self._first(low, age)
        cut = n if self.long else self.cut
        digits, carry = self.cuts(self.modulus, pieces(n, cut)), {first: 1}
        for j, m in enumerate(digits):
            path, left = f"{REST}gen_block[{j}].", n + 1 - cut * j
            if j:
                self.delay(f"{path}gen_next.u_w", age + j - 1, 1, w.term)
            block = self.block(f"{path}u_mac", age + j, (self.split(w, left)[0], m), carry, left)
            last = len(digits) - 1
            kept, carry = self._joined(chain, cut * j, block, cut if j < last else 0)
            self.delay(f"{path}u_kept", age + j + 2, last - j, kept.term)
        return chain

    def _first(self, low: Word, age: int) -> tuple[Word, Word]:
        """What the chain of step 3 begins with, by the lower bits of T, and of which bits of w."""
        self.delay(f"{REST}gen_t.u_first", age, 1, low.term)
        return low, self.w

    def _result(self) -> None:
        """Step 4: r, and M where it is negative."""
        n, age = self.width, self.ages[2]
        came = {word: 1 << place for place, word in self.rests.kept}
        self.r = self.made("r", n + 1, age, came)
        self.place("core.r", age, self.r.term)
        self._corrected(self.r, self.modulus, age + 1)

    # --- numbers ----------------------------------------------------------------------------------

    @property
    def chains(self) -> list[Chain]:
        return [*self.rows, self.quotients, self.rests]

    # ``q`` is 2**(2n + G) / M, rounded down, and ``rest`` what is left.

    @property
    def legal(self) -> tuple[str, str]:
        return f"(<= {1 << (self.width - 1)} M)", f"(< M {1 << self.width})"

    @property
    def belongs(self) -> tuple[str, ...]:
        """That the context belongs to M."""
        whole = 1 << (2 * self.width + self.guard)
        return f"(= {whole} (+ (* q M) rest))", "(<= 0 rest)", "(< rest M)"

    def inverse_right(self) -> Iterator[str]:
        """That v, read as a signed number, is not -q."""
        most = 1 << (self.width + 1 + self.guard)
        within = [f"(< {most // 2} q)", f"(<= q {most})"]
        yield denied(["q", "M", "rest"], [*self.legal, *self.belongs], *within)
        same = f"(= 0 (mod (+ {self.inverse.whole} q) {most // 2}))"
        goal = f"(= (- {self.v.whole} {1 << self.v_bits}) (- q))"
        yield refuting(self.known(self.v), goal, *within, same, names=["q"])

    def quotient(self) -> str:
        """That t times v, read as a signed number, is not W times a power of two and what is below it.

        ``low`` is what is below, w is W modulo 2**(n + 1), and ``value`` the product, but for its sign.
        """
        chain = self.quotients
        names, more = self.named(chain)
        value, below, others, known = self.quotient_value()
        more += [f"(= (- value) {value})", equal("low", below), *known]
        shifted = f"(* {1 << self.shift} {self.w.whole})"
        goal = f"(= 0 (mod (+ value low {shifted}) {1 << (self.shift + self.width + 1)}))"
        within = f"(and (<= {number(self.least)} low) (< low {1 << self.shift}))"
        facts = self.chained(chain)
        return refuting(facts, all_of(goal, within), *more, names=["value", "low", *names, *others])

    def quotient_value(self) -> tuple[str, str, list[str], list[str]]:
        """The product of t and v, what is below w, and other names with what is known of them."""
        chain, t = self.quotients, self.quotients.blocks[0][1].product.left
        return f"(- {chain.products} (* {1 << self.v_bits} {t.whole}))", chain.value, [], []

    def quotient_right(self) -> str:
        """That t times v, read as a signed number, is not the sum of t times its digits."""
        blocks = self.quotients.blocks
        digits = [f"v{j}" for j in range(len(blocks))]
        v = total((1 << place, each) for (place, _), each in zip(blocks, digits, strict=True))
        made = total((1 << p, f"(* t {each})") for (p, _), each in zip(blocks, digits, strict=True))
        above = 1 << self.v_bits
        return denied(["t", *digits], [], equal(f"(* t (- {v} {above}))", f"(- {made} (* {above} t))"))

    def reduced(self) -> Iterator[str]:
        """That T + W*M is out of range, W being t times -q, rounded down; ``tau`` is what t lacks of T."""
        n, g, s = self.width, self.guard, 1 << self.shift
        names = ["t", "q", "M", "rest", "W", "low", "T", "tau"]
        lines = [
            f"(= T (+ (* {1 << self.t_place} t) tau))",
            f"(= (* M (+ (* {s} W) (* t q) low)) 0)",
            f"(= (* t (+ (* q M) rest (- {1 << (2 * n + g)}))) 0)",
        ]
        yield denied("ae", ["(= e 0)"], "(= (* a e) 0)")
        goal = f"(= (* {s} (+ T (* W M))) (+ (* t rest) (* {s} tau) (- (* low M))))"
        yield denied(names, lines, goal)
        t_most = (1 << (n + 1 + g)) - 1
        least = number(self.least)
        known = [f"(<= {least} low)", f"(< low {s})", "(<= 1 M)"]
        yield denied(["low", "M"], known, f"(<= (* {least} M) (* low M) (* {s - 1} M))")
        known = [f"(<= 0 t {t_most})", "(<= 0 rest)", "(< rest M)"]
        yield denied(["t", "rest", "M"], known, f"(<= 0 (* t rest) (* {t_most} M))")
        known = [
            *self.legal,
            f"(<= (* {least} M) lost (* {s - 1} M))",
            f"(<= 0 more (* {t_most} M))",
            f"(and (<= 0 tau) (< tau {1 << self.t_place}))",
            f"(= (* {s} r) (+ more (* {s} tau) (- lost)))",
        ]
        yield denied(["r", "M", "lost", "more", "tau"], known, "(<= (- M) r)", "(< r M)")

    def corner(self) -> Iterator[str]:
        """That LUTs make something else than a digit of w times M."""
        for digit, multiple in self.digits:
            for k in range(1 << digit.bits):
                made = f"(- {multiple.whole} (* {k} {self.modulus.whole}))"
                goal = f"(= 0 (mod {made} {1 << multiple.bits}))"
                yield refuting(self.known(multiple, self.modulus), goal, f"(= {digit.whole} {k})")

    def rest(self) -> str:
        """That the chain makes something else than T and its products, modulo 2**(n + 1).

        ``c`` is a digit of w times M that LUTs make.
        """
        chain = self.rests
        names, more = self.named(chain)
        added = [word for word in self.defined if word.name in ("first", "corner")]
        known = [*self.chained(chain), *self.known(self.product, *added)]
        corner = []
        for i, (_, multiple) in enumerate(self.digits):
            more.append(f"(= 0 (mod (- {multiple.whole} c{i}) {1 << multiple.bits}))")
            corner.append((1 << self.wide + 2 * i, f"c{i}"))
        made = f"(- {chain.value} {self.product.whole} {chain.products} {total(corner)})"
        names += [name for _, name in corner]
        return refuting(known, f"(= 0 (mod {made} {2 << self.width}))", *more, names=names)

    def rest_right(self) -> str:
        """That those products are not W times M, modulo 2**(n + 1).

        ``u`` is what W differs in from w, ``d`` a digit of w that LUTs multiply, and ``h`` what a block
        leaves away of the rest of w.
        """
        blocks, whole = self.rests.blocks, 2 << self.width
        digits = [(1 << self.wide + 2 * i, f"d{i}") for i in range(len(self.digits))]
        m = total((1 << place, f"m{j}") for j, (place, _) in enumerate(blocks))
        w = f"(- (+ W (* {whole} u)) {total(digits)})"
        parts = [(1 << p, f"(* (- {w} (* {whole >> p} h{j})) m{j})") for j, (p, _) in enumerate(blocks)]
        made = total([*parts, *((weight, f"(* {digit} {m})") for weight, digit in digits)])
        less = total((1, f"(* h{j} m{j})") for j in range(len(blocks)))
        names = ["W", "u", *(f"{name}{j}" for j in range(len(blocks)) for name in "mh")]
        names += [digit for _, digit in digits]
        return denied(names, [], equal(made, f"(+ (* W {m}) (* {whole} (- (* u {m}) {less})))"))

    def result(self) -> str:
        """That z is out of range, or neither T + W*M nor that and M."""
        m, z = self.modulus.whole, self.z.whole
        known = (
            equal("M", m),
            *self.legal,
            f"(= 0 (mod (- {self.rests.value} made) {2 << self.width}))",
            "(<= (- M) made)",
            "(< made M)",
        )
        goal = f"(and (<= 0 {z}) (< {z} M) (or (= {z} made) (= {z} (+ made M))))"
        return refuting(self.known(self.r, self.z), goal, *known, names=["made", "M"])

    def ended(self) -> str:
        """That z is not x*y and a multiple of M."""
        known = ["(= made (+ xy (* W M)))", "(or (= z made) (= z (+ made M)))"]
        goal = "(or (= z (+ xy (* W M))) (= z (+ xy (* (+ W 1) M))))"
        return denied(["z", "made", "xy", "W", "M"], known, goal)
