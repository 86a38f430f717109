# SPDX-License-Identifier: Apache-2.0
"""Of ``small_any``: the words of an operation, what defines them, and what is asked of them as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from modmul.prove.product.small_pipeline import Block, Flow, denied, refuting, total
from modmul.prove.terms import Compared, Congruent, Fact, Joined, Word, all_of, equal, implies, number

__all__ = ["Chain", "Words", "pieces"]

SQUARE, PRODUCT = "core.u_product.gen_square.", "core.u_product.gen_rows."
QUOTIENT, REST = "core.u_quotient.gen_whole.", "core.u_rest."


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
    """The words of an operation, with a whole product in step 2.

    Attributes:
        config: the build's.
        rows: of step 1, a digit of x times y each.
        nodes: their sums, level by level; the last one is T.
        quotients: the chain of step 2.
        w: what it makes.
        rests: the chain of step 3.
        r: what it makes.
        digits: those of w that LUTs multiply, with what they make.
    """

    config: Any = None
    rows: list[Chain] = field(init=False)
    nodes: list[list[Word]] = field(init=False)
    quotients: Chain = field(init=False)
    w: Word = field(init=False)
    rests: Chain = field(init=False)
    r: Word = field(init=False)
    digits: list[tuple[Word, Word]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.part(Compared({self.v: 1}, "=", {self.inverse: 1}, 1 << (self.v_bits - 1)))
        self.rows = [self._square()] if self.square else self._rows()
        self.nodes = self._whole() if self.square else self._tree()
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
    def square(self) -> bool:
        """Whether both operands are cut in two pieces."""
        return self.wide < self.width <= 2 * self.cut

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

    def _square(self) -> Chain:
        """Step 1 with both operands in two pieces: one chain of four blocks."""
        cut, high_bits = self.cut, self.width - self.cut
        (a0, a1), (b0, b1) = (self.split(each, cut) for each in self.given[:2])
        delays = {"a0": (0, 1, a0), "b1": (0, 1, b1), "b0": (0, 1, b0), "b0_2": (1, 1, b0)}
        delays |= {"a1": (0, 2, a1), "a1_3": (2, 1, a1), "b1_3": (1, 2, b1)}
        for name, (age, cycles, word) in delays.items():
            self.delay(f"{SQUARE}u_{name}", age, cycles, word.term)
        chain = Chain()
        low = self.block(f"{SQUARE}u_low", 0, (a0, b0), {}, 2 * cut)
        first, carry = self._joined(chain, 0, low, cut)
        cross = self.block(f"{SQUARE}u_cross_b", 1, (a0, b1), carry, 2 * cut + 1)
        chain.blocks.append((cut, cross))
        cross = self.block(f"{SQUARE}u_cross_a", 2, (b0, a1), {cross.out: 1}, 2 * cut + 1)
        second, carry = self._joined(chain, cut, cross, cut)
        high = self.block(f"{SQUARE}u_high", 3, (a1, b1), carry, 2 * high_bits)
        self._joined(chain, 2 * cut, high, 0)
        self.delay(f"{SQUARE}u_low0", 2, 3, first.term)
        self.delay(f"{SQUARE}u_low2", 4, 1, second.term)
        return chain

    def _whole(self) -> list[list[Word]]:
        """T, of one chain."""
        came = {word: 1 << place for place, word in self.rows[0].kept}
        whole = self.made("T", 2 * self.width, self.ages[0], came)
        self.place("core.product", self.ages[0], whole.term)
        return [[whole]]

    @property
    def product(self) -> Word:
        """T."""
        return self.nodes[-1][0]

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
        low, sign = self.split(self.r, n)
        least, less = (dict.fromkeys(each, 1) for each in ((low,), (low, self.modulus)))
        sums = [
            Joined(implies, (Compared({sign: 1}, "=", {}, value), Congruent({self.z: 1}, came, n)))
            for value, came in ((0, least), (1, less))
        ]
        self.defined[self.z] = (age + 1, Joined(all_of, tuple(sums)))
        self.place("core.z", age + 1, self.z.term)

    # --- numbers ----------------------------------------------------------------------------------

    @property
    def chains(self) -> list[Chain]:
        return [*self.rows, self.quotients, self.rests]

    @staticmethod
    def named(*chains: Chain) -> tuple[list[str], list[str]]:
        """The products of chains, and their ranges."""
        products = [block.product for chain in chains for _, block in chain.blocks]
        return [p.name for p in products], [f"(<= 0 {p.name} {p.most})" for p in products]

    def bounded(self) -> Iterator[str]:
        """That a product of two words is out of range."""
        products = [block.product for chain in self.chains for _, block in chain.blocks]
        for a, b in {(p.left.bits, p.right.bits): None for p in products}:
            yield self.within(a, b)

    @staticmethod
    def within(a: int, b: int) -> str:
        """That a product of two words of so many bits is out of range."""
        known = [f"(<= 0 a {(1 << a) - 1})", f"(<= 0 b {(1 << b) - 1})"]
        return denied("ab", known, f"(<= 0 (* a b) {((1 << a) - 1) * ((1 << b) - 1)})")

    def chained(self, chain: Chain) -> list[Fact]:
        """What is known of the blocks of a chain."""
        return self.known(*(word for _, b in chain.blocks for word in (b.product.whole, b.out)))

    def rows_right(self) -> Iterator[str]:
        """That a row is not a digit of x times y."""
        yield from map(self.row, self.rows)
        yield from map(self.row_right, self.rows)

    def row(self, chain: Chain) -> str:
        """That the blocks of a row make something else than the sum of their products."""
        names, more = self.named(chain)
        return refuting(self.chained(chain), equal(chain.value, chain.products), *more, names=names)

    def row_right(self, chain: Chain) -> str:
        """That the products of a row are not a digit of x, or x, times y, digit by digit."""
        if self.square:
            base = 1 << self.cut
            parts = [(1, "(* x0 y0)"), (base, "(* x0 y1)"), (base, "(* y0 x1)"), (base**2, "(* x1 y1)")]
            whole_x, whole_y = (f"(+ {each}0 (* {base} {each}1))" for each in "xy")
            return denied(["x0", "x1", "y0", "y1"], [], equal(f"(* {whole_x} {whole_y})", total(parts)))
        digits = [f"y{j}" for j in range(len(chain.blocks))]
        y = total((1 << place, each) for (place, _), each in zip(chain.blocks, digits, strict=True))
        made = total((1 << p, f"(* x {each})") for (p, _), each in zip(chain.blocks, digits, strict=True))
        return denied(["x", *digits], [], equal(f"(* x {y})", made))

    def summed(self) -> str:
        """That the rows make something else than T."""
        words = [word for level in self.nodes for word in level]
        value = total((1 << (r * self.wide), chain.value) for r, chain in enumerate(self.rows))
        more = (f"(<= 0 xy {((1 << self.width) - 1) ** 2})", equal("xy", value))
        known = self.known(*words)
        kept = [word for chain in self.rows for _, word in chain.kept]
        return refuting(known, equal(self.product.whole, "xy"), *more, names=["xy"], words=kept)

    def product_right(self) -> str:
        """That x times y is not the sum of the digits of x times y."""
        digits = [f"x{r}" for r in range(len(self.rows))]
        x = total((1 << (r * self.wide), each) for r, each in enumerate(digits))
        made = total((1 << (r * self.wide), f"(* {each} y)") for r, each in enumerate(digits))
        return denied(["y", *digits], [], equal(f"(* {x} y)", made))

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
