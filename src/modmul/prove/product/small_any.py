# SPDX-License-Identifier: Apache-2.0
"""Of ``small_any``: z is x·y mod M, by Barrett's quotient.

From reset to result, at full width, for all M of n bits, all operands and any behaviour at the ports, resets
included; of the context it is assumed that it belongs to M. Four layers:

- **control**, **data** (``small_pipeline``, on the netlist): how many operations there are, and at which
  ages; that the context stays; age by age, which registers hold which words of the one that is followed.
- **block** (``small_pipeline``, on the netlist): a multiplier block makes the product of its registers.
- **word** (``small_pipeline``): what the words of an operation are made up of.
- **number** (here, over integers): the blocks of step 1 make T = x*y; v is -q, where q*M is 2**(2n + G) but
  for less than M; those of step 2 make t*v, of which w is the upper part, W modulo 2**(n + 1); so T + W*M is
  at least -M and below M, r tells what it is, and z is that, or that and M.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from modmul.prove.product.small_pipeline import Block, Flow, Standing, denied, refuting, total
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Joined,
    Word,
    all_of,
    equal,
    extract,
    implies,
    negation,
)
from modmul.room import Build

__all__ = ["Barrett"]

PRODUCT, QUOTIENT, REST = "core.u_product.gen_rows.", "core.u_quotient.gen_whole.", "core.u_rest."


@dataclass
class Chain:
    """Blocks, each of which adds what the one before leaves above its lowest digit.

    Attributes:
        blocks: the first one first, with the place of the lowest bit of each.
        kept: the digits that they leave, and the sum of the last one, with their places.
    """

    blocks: list[tuple[int, Block]] = field(default_factory=list)
    kept: list[tuple[int, Word]] = field(default_factory=list)

    @property
    def value(self) -> str:
        return total((1 << place, word.whole) for place, word in self.kept)

    @property
    def products(self) -> str:
        return total((1 << place, block.product.name) for place, block in self.blocks)


def pieces(bits: int, cut: int) -> list[int]:
    """The lengths of the pieces of a number."""
    return [min(cut, bits - place) for place in range(0, bits, cut)]


@dataclass
class Words(Flow):
    """The words of an operation.

    Attributes:
        config: the build's.
        rows: of step 1, a digit of x times y each.
        nodes: their sums, level by level; the last one is T.
        quotients: the chain of step 2.
        w: what it makes.
        rests: the chain of step 3.
        r: what it makes.
    """

    config: Any = None
    rows: list[Chain] = field(init=False)
    nodes: list[list[Word]] = field(init=False)
    quotients: Chain = field(init=False)
    w: Word = field(init=False)
    rests: Chain = field(init=False)
    r: Word = field(init=False)

    def __post_init__(self) -> None:
        self.part(Compared({self.v: 1}, "=", {self.inverse: 1}, 1 << (self.v_bits - 1)))
        self.rows = self._rows()
        self.nodes = self._tree()
        self.quotients = self._quotient()
        self.rests = self._rest()
        self._result()

    @property
    def cut(self) -> int:
        """Bits of a digit of y."""
        return int(self.config.cut)

    @property
    def wide(self) -> int:
        """Bits of a digit of x."""
        return int(self.config.tile_a) - 1

    @property
    def guard(self) -> int:
        return int(self.config.guard)

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

    def _joined(self, chain: Chain, place: int, block: Block, cut: int) -> tuple[Word, dict[Word, int]]:
        """A block joins a chain: what it leaves, so many bits or all, and what the next one adds."""
        kept, *above = self.split(block.out, cut)
        chain.blocks.append((place, block))
        chain.kept.append((place, kept))
        return kept, dict.fromkeys(above, 1)

    def _rows(self) -> list[Chain]:
        """Step 1: each digit of x times y."""
        n, wide, cut = self.width, self.wide, self.cut
        last, found = len(pieces(n, cut)) - 1, []
        digits = self.cuts(self.given[0], pieces(n, wide))
        for r, a in enumerate(digits):
            part = wide if len(digits) > 1 and a.bits <= cut else cut
            chain, row = Chain(), f"{PRODUCT}gen_row[{r}]."
            ys = self.cuts(self.given[1], pieces(n, part))
            carry: dict[Word, int] = {}
            for j, b in enumerate(ys):
                path = f"{row}gen_block[{j}]."
                self.delay(f"{path}u_b", 0, j, b.term)
                if j:
                    self.delay(f"{path}gen_next.u_a", j - 1, 1, a.term)
                block = self.block(f"{path}u_mac", j, (a, b), carry, a.bits + b.bits)
                kept, carry = self._joined(chain, part * j, block, part if j < len(ys) - 1 else 0)
                self.delay(f"{path}u_kept", j + 2, last - j, kept.term)
            found.append(chain)
        return found

    def _tree(self) -> list[list[Word]]:
        """The sums of rows, level by level; each is shorter than T by its place."""
        n, wide = self.width, self.wide
        age = len(pieces(n, self.cut)) + 1
        level = []
        for r, chain in enumerate(self.rows):
            leaf = self.made(
                f"row {r}", 2 * n - r * wide, age, {word: 1 << place for place, word in chain.kept}
            )
            self.place(f"{PRODUCT}gen_row[{r}].whole", age, leaf.term, r * wide)
            level.append(leaf)
        nodes, low = [level], wide
        if len(level) == 3:
            whole = self.made("T", 2 * n, age + 1, {word: 1 << (r * wide) for r, word in enumerate(level)})
            nodes.append([whole])
        while len(nodes[-1]) > 1:
            below, level = nodes[-1], []
            age += 1
            for r in range(0, len(below), 2):
                node = below[r]
                if r + 1 < len(below):
                    came = {below[r]: 1, below[r + 1]: 1 << low}
                    node = self.made(f"node {len(nodes)}.{r // 2}", below[r].bits, age, came)
                path = f"{PRODUCT}gen_level[{len(nodes)}].gen_node[{r // 2}].sum"
                self.place(path, age, node.term, 2 * n - node.bits)
                level.append(node)
            nodes.append(level)
            low *= 2
        self.place("core.product", self.ages[0], nodes[-1][0].term)
        return nodes

    @property
    def product(self) -> Word:
        """T."""
        return self.nodes[-1][0]

    def _quotient(self) -> Chain:
        """Step 2: t times v, a digit of v a block."""
        age, chain = self.ages[0], Chain()
        _, t = self.split(self.product, self.t_place)
        cut = self.v_bits if not self.config.short else self.cut
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
        self.delay(f"{REST}gen_t.u_first", age, 1, low.term)
        cut = self.cut if self.config.short else n
        digits, carry = self.cuts(self.modulus, pieces(n, cut)), {low: 1}
        for j, m in enumerate(digits):
            path, left = f"{REST}gen_block[{j}].", n + 1 - cut * j
            if j:
                self.delay(f"{path}gen_next.u_w", age + j - 1, 1, self.w.term)
            block = self.block(f"{path}u_mac", age + j, (self.split(self.w, left)[0], m), carry, left)
            last = len(digits) - 1
            kept, carry = self._joined(chain, cut * j, block, cut if j < last else 0)
            self.delay(f"{path}u_kept", age + j + 2, last - j, kept.term)
        return chain

    def _result(self) -> None:
        """Step 4: r, and M where it is negative."""
        n, age = self.width, self.ages[2]
        came = {word: 1 << place for place, word in self.rests.kept}
        self.r = self.made("r", n + 1, age, came)
        self.place("core.r", age, self.r.term)
        low, sign = self.split(self.r, n)
        least, less = (dict.fromkeys(each, 1) for each in ((low,), (low, self.modulus)))
        sums = [
            Joined(implies, (Compared({sign: 1}, "=", {}, value), Congruent({self.z: 1}, came, n)))
            for value, came in ((0, least), (1, less))
        ]
        self.defined[self.z] = (age + 1, Joined(all_of, tuple(sums)))
        self.place("core.z", age + 1, self.z.term)


class Barrett(Standing):
    """The obligations of a build that makes the whole product in step 2."""

    @classmethod
    def check(cls, build: Build) -> None:
        super().check(build)
        config: Any = build.config
        square = config.tile_a <= config.width <= 2 * config.cut
        if not config.whole or square or config.width < 3:
            raise ValueError(
                f"{build}: the proof is written for operands of three bits or more that are not cut in halves"
            )

    @cached_property
    def flow(self) -> Words:
        return Words(self.width, self.beats, config=self.build.config)

    # --- the obligations --------------------------------------------------------------------------

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        now = self.system.state("s")
        highest = extract(self.flow.given[-1].term, self.width - 1, self.width - 1)
        holds = (*self.control(now).values(), now.is_("followed", 1), self.holds(now, self.flow, 0))
        legal = self.text(*holds, negation(equal(highest, "#b1")))
        yield Obligation("data", "the highest bit of M is set", "bitwuzla", (legal,))
        yield from self.of_numbers()

    def of_numbers(self) -> Iterator[Obligation]:
        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        yield z3("what is below what", *self.bounded())
        yield z3(
            "a row is a digit of x times y",
            *map(self.row, self.flow.rows),
            *map(self.row_right, self.flow.rows),
        )
        yield z3("T", self.summed(), self.product_right())
        yield z3("v", *self.inverse_right())
        yield z3("w", self.quotient(), self.quotient_right())
        yield z3("Barrett's quotient", *self.reduced())
        yield z3("r", self.rest(), self.rest_right())
        yield z3("z is right", self.result(), self.ended())

    @property
    def chains(self) -> list[Chain]:
        return [*self.flow.rows, self.flow.quotients, self.flow.rests]

    @staticmethod
    def named(*chains: Chain) -> tuple[list[str], list[str]]:
        """The products of chains, and their ranges."""
        products = [block.product for chain in chains for _, block in chain.blocks]
        return [p.name for p in products], [f"(<= 0 {p.name} {p.most})" for p in products]

    def bounded(self) -> Iterator[str]:
        """That a product of two words is out of range."""
        products = [block.product for chain in self.chains for _, block in chain.blocks]
        for (a, b), most in {(p.left.bits, p.right.bits): p.most for p in products}.items():
            known = [f"(<= 0 a {(1 << a) - 1})", f"(<= 0 b {(1 << b) - 1})"]
            yield denied("ab", known, f"(<= 0 (* a b) {most})")

    def chained(self, chain: Chain) -> list[Fact]:
        """What is known of the blocks of a chain."""
        return self.flow.known(*(word for _, b in chain.blocks for word in (b.product.whole, b.out)))

    def row(self, chain: Chain) -> str:
        """That the blocks of a row make something else than the sum of their products."""
        names, more = self.named(chain)
        return refuting(self.chained(chain), equal(chain.value, chain.products), *more, names=names)

    def row_right(self, chain: Chain) -> str:
        """That the products of a row are not a digit of x times y, digit by digit."""
        digits = [f"y{j}" for j in range(len(chain.blocks))]
        y = total((1 << place, each) for (place, _), each in zip(chain.blocks, digits, strict=True))
        made = total((1 << p, f"(* x {each})") for (p, _), each in zip(chain.blocks, digits, strict=True))
        return denied(["x", *digits], [], equal(f"(* x {y})", made))

    def summed(self) -> str:
        """That the rows make something else than T."""
        words = [word for level in self.flow.nodes for word in level]
        value = total((1 << (r * self.flow.wide), chain.value) for r, chain in enumerate(self.flow.rows))
        more = (f"(<= 0 xy {((1 << self.width) - 1) ** 2})", equal("xy", value))
        known = self.flow.known(*words)
        kept = [word for chain in self.flow.rows for _, word in chain.kept]
        return refuting(known, equal(self.flow.product.whole, "xy"), *more, names=["xy"], words=kept)

    def product_right(self) -> str:
        """That x times y is not the sum of the digits of x times y."""
        digits = [f"x{r}" for r in range(len(self.flow.rows))]
        x = total((1 << (r * self.flow.wide), each) for r, each in enumerate(digits))
        made = total((1 << (r * self.flow.wide), f"(* {each} y)") for r, each in enumerate(digits))
        return denied(["y", *digits], [], equal(f"(* {x} y)", made))

    # ``q`` is 2**(2n + G) / M, rounded down, and ``rest`` what is left.

    @property
    def legal(self) -> tuple[str, str]:
        return f"(<= {1 << (self.width - 1)} M)", f"(< M {1 << self.width})"

    @property
    def belongs(self) -> tuple[str, ...]:
        """That the context belongs to M."""
        whole = 1 << (2 * self.width + self.flow.guard)
        return f"(= {whole} (+ (* q M) rest))", "(<= 0 rest)", "(< rest M)"

    def inverse_right(self) -> Iterator[str]:
        """That v, read as a signed number, is not -q."""
        most = 1 << (self.width + 1 + self.flow.guard)
        within = [f"(< {most // 2} q)", f"(<= q {most})"]
        yield denied(["q", "M", "rest"], [*self.legal, *self.belongs], *within)
        same = f"(= 0 (mod (+ {self.flow.inverse.whole} q) {most // 2}))"
        goal = f"(= (- {self.flow.v.whole} {1 << self.flow.v_bits}) (- q))"
        yield refuting(self.flow.known(self.flow.v), goal, *within, same, names=["q"])

    def quotient(self) -> str:
        """That t times v, read as a signed number, is not W times a power of two and what is below it.

        ``low`` is what is below, w is W modulo 2**(n + 1), and ``value`` the product, but for its sign.
        """
        chain, t = self.flow.quotients, self.flow.quotients.blocks[0][1].product.left
        names, more = self.named(chain)
        more += [
            f"(= (- value) (- {chain.products} (* {1 << self.flow.v_bits} {t.whole})))",
            equal("low", chain.value),
        ]
        shifted = f"(* {1 << self.flow.shift} {self.flow.w.whole})"
        goal = f"(= 0 (mod (+ value low {shifted}) {1 << (self.flow.shift + self.width + 1)}))"
        within = f"(and (<= 0 low) (< low {1 << self.flow.shift}))"
        known = self.chained(chain)
        return refuting(known, all_of(goal, within), *more, names=["value", "low", *names])

    def quotient_right(self) -> str:
        """That t times v, read as a signed number, is not the sum of t times its digits."""
        blocks = self.flow.quotients.blocks
        digits = [f"v{j}" for j in range(len(blocks))]
        v = total((1 << place, each) for (place, _), each in zip(blocks, digits, strict=True))
        made = total((1 << p, f"(* t {each})") for (p, _), each in zip(blocks, digits, strict=True))
        above = 1 << self.flow.v_bits
        return denied(["t", *digits], [], equal(f"(* t (- {v} {above}))", f"(- {made} (* {above} t))"))

    def reduced(self) -> Iterator[str]:
        """That T + W*M is out of range, W being t times -q, rounded down; ``tau`` is what t lacks of T."""
        n, g, s = self.width, self.flow.guard, 1 << self.flow.shift
        names = ["t", "q", "M", "rest", "W", "low", "T", "tau"]
        lines = [
            f"(= T (+ (* {1 << self.flow.t_place} t) tau))",
            f"(= (* M (+ (* {s} W) (* t q) low)) 0)",
            f"(= (* t (+ (* q M) rest (- {1 << (2 * n + g)}))) 0)",
        ]
        yield denied("ae", ["(= e 0)"], "(= (* a e) 0)")
        goal = f"(= (* {s} (+ T (* W M))) (+ (* t rest) (* {s} tau) (- (* low M))))"
        yield denied(names, lines, goal)
        t_most = (1 << (n + 1 + g)) - 1
        yield denied(
            ["low", "M"], ["(<= 0 low)", f"(< low {s})", "(<= 1 M)"], f"(<= 0 (* low M) (* {s - 1} M))"
        )
        known = [f"(<= 0 t {t_most})", "(<= 0 rest)", "(< rest M)"]
        yield denied(["t", "rest", "M"], known, f"(<= 0 (* t rest) (* {t_most} M))")
        known = [
            *self.legal,
            f"(<= 0 lost (* {s - 1} M))",
            f"(<= 0 more (* {t_most} M))",
            f"(and (<= 0 tau) (< tau {1 << self.flow.t_place}))",
            f"(= (* {s} r) (+ more (* {s} tau) (- lost)))",
        ]
        yield denied(["r", "M", "lost", "more", "tau"], known, "(<= (- M) r)", "(< r M)")

    def rest(self) -> str:
        """That the chain makes something else than T and its products, modulo 2**(n + 1)."""
        chain = self.flow.rests
        names, more = self.named(chain)
        known = [*self.chained(chain), *self.flow.known(self.flow.product)]
        made = f"(- {chain.value} {self.flow.product.whole} {chain.products})"
        return refuting(known, f"(= 0 (mod {made} {2 << self.width}))", *more, names=names)

    def rest_right(self) -> str:
        """That those products are not W times M, modulo 2**(n + 1).

        ``u`` is what W differs in from w, and ``h`` what a block leaves away of w.
        """
        blocks, whole = self.flow.rests.blocks, 2 << self.width
        m = total((1 << place, f"m{j}") for j, (place, _) in enumerate(blocks))
        ws = [f"(- (+ W (* {whole} u)) (* {whole >> place} h{j}))" for j, (place, _) in enumerate(blocks)]
        made = total(
            (1 << place, f"(* {w} m{j})") for (j, (place, _)), w in zip(enumerate(blocks), ws, strict=True)
        )
        less = total((1, f"(* h{j} m{j})") for j in range(len(blocks)))
        names = ["W", "u", *(f"{name}{j}" for j in range(len(blocks)) for name in "mh")]
        return denied(names, [], equal(made, f"(+ (* W {m}) (* {whole} (- (* u {m}) {less})))"))

    def result(self) -> str:
        """That z is out of range, or neither T + W*M nor that and M."""
        m, z = self.flow.modulus.whole, self.flow.z.whole
        known = (
            equal("M", m),
            *self.legal,
            f"(= 0 (mod (- {self.flow.rests.value} made) {2 << self.width}))",
            "(<= (- M) made)",
            "(< made M)",
        )
        goal = f"(and (<= 0 {z}) (< {z} M) (or (= {z} made) (= {z} (+ made M))))"
        return refuting(self.flow.known(self.flow.r, self.flow.z), goal, *known, names=["made", "M"])

    def ended(self) -> str:
        """That z is not x*y and a multiple of M."""
        known = ["(= made (+ xy (* W M)))", "(or (= z made) (= z (+ made M)))"]
        goal = "(or (= z (+ xy (* W M))) (= z (+ xy (* (+ W 1) M))))"
        return denied(["z", "made", "xy", "W", "M"], known, goal)
