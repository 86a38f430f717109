# SPDX-License-Identifier: Apache-2.0
"""Of cores for small moduli: the words of an operation up to T = x*y, and what is asked of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from modmul.prove.product.small_pipeline import Block, Flow, denied, refuting, total
from modmul.prove.terms import Compared, Congruent, Fact, Joined, Word, all_of, const, equal, implies

__all__ = ["Chain", "Products", "pieces"]

SQUARE, PRODUCT = "core.u_product.gen_square.", "core.u_product.gen_rows."


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
class Products(Flow):
    """The words of ``mm_small_product``.

    Attributes:
        config: the build's.
        rows: of step 1, a digit of x times y each.
        nodes: their sums, level by level; the last one is T.
    """

    config: Any = None
    rows: list[Chain] = field(init=False)
    nodes: list[list[Word]] = field(init=False)

    SIGNAL: ClassVar[str] = "core.product"
    """T in the netlist."""

    def _step_1(self) -> None:
        self.rows = [self._square()] if self.square else self._rows()
        self.nodes = self._whole() if self.square else self._tree()

    @property
    def cut(self) -> int:
        """Bits of a digit of y."""
        return int(self.config.tile_b) - 1

    @property
    def wide(self) -> int:
        """Bits of a digit of x."""
        return int(self.config.tile_a) - 1

    @property
    def square(self) -> bool:
        """Whether both operands are cut in two pieces."""
        return self.wide < self.width <= 2 * self.cut

    @property
    def made_at(self) -> int:
        """The age at which T is there."""
        return int(self.config.product)

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
            self._node(f"{PRODUCT}gen_row[{r}].whole", age, leaf, wide)
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
                self._node(path, age, node, 2 * low)
                level.append(node)
            nodes.append(level)
            low *= 2
        self.place(self.SIGNAL, self.made_at, nodes[-1][0].term)
        return nodes

    def _node(self, path: str, age: int, word: Word, low: int) -> None:
        """A signal as long as T holds a word, and below it zeros from a bit on: the next level adds no bits
        below that, whose registers Yosys leaves out where nothing reads them."""
        place = 2 * self.width - word.bits
        zeros = max(place - low, 0)
        held = f"(concat {word.term} {const(0, zeros)})" if zeros else word.term
        self.place(path, age, held, place - zeros)

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
        whole = self.made("T", 2 * self.width, self.made_at, came)
        self.place(self.SIGNAL, self.made_at, whole.term)
        return [[whole]]

    @property
    def product(self) -> Word:
        """T."""
        return self.nodes[-1][0]

    def _corrected(self, r: Word, modulus: Word, age: int) -> None:
        """z at an age: r, and M where it is negative."""
        low, sign = self.split(r, self.width)
        least, less = (dict.fromkeys(each, 1) for each in ((low,), (low, modulus)))
        sums = [
            Joined(implies, (Compared({sign: 1}, "=", {}, value), Congruent({self.z: 1}, came, self.width)))
            for value, came in ((0, least), (1, less))
        ]
        self.defined[self.z] = (age, Joined(all_of, tuple(sums)))
        self.place("core.z", age, self.z.term)

    # --- numbers ----------------------------------------------------------------------------------

    @property
    def chains(self) -> list[Chain]:
        """Those of blocks."""
        return self.rows

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
