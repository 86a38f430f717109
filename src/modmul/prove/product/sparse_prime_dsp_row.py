# SPDX-License-Identifier: Apache-2.0
"""What the netlist of ``sparse_prime_dsp`` does from one cycle to the next, as facts about words.

As for ``montgomery_dsp``: most facts hold in every cycle of every run, the others where an operation is at an
age.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from modmul.prove.product.montgomery_dsp_row import AGES, Pair, is_, same, when
from modmul.prove.product.montgomery_dsp_where import ROW
from modmul.prove.product.sparse_prime_dsp_where import (
    FIRST,
    HIGH,
    LOW,
    REDUCE,
    SECOND,
    TOTAL,
    Placed,
)
from modmul.prove.solve import Obligation
from modmul.prove.terms import Fact, Product, Word, all_of, any_of, equal, extract, implies, negation

__all__ = ["Node", "Worked"]

KEPT = f"{ROW}u_keep_x.on_o"
LATER = f"{ROW}keep_s_q"


@dataclass(frozen=True)
class Node:
    """A node of the tree of additions of a product by D'.

    Attributes:
        level: 0 for a leaf.
        place: in its level.
        signs: of the sums below that are added, the first one and the second one, 1 or -1; ``()`` for a leaf;
            of one that waits for the others a single sum.
        sign: with which its own sum counts.
    """

    level: int
    place: int
    signs: tuple[int, ...]
    sign: int


class Worked(Placed):
    """The facts, and the obligations about them."""

    # --- numbers of the operation -----------------------------------------------------------------

    def x_digit(self, t: int) -> Word:
        """Digit t of X."""
        return Word(f"x.{t}", self.digitof(self.raised(self.now), t), self.digit)

    def x_whole(self) -> Word:
        """x, of Width bits."""
        return Word("x", extract(self.now("x"), self.width - 1, 0), self.width)

    def y_whole(self) -> Word:
        return Word("y", extract(self.now("y"), self.width - 1, 0), self.width)

    def y_rest(self) -> Word | None:
        """What the highest digit of y has above Width bits."""
        bits = self.columns * self.digit - self.width
        return (
            Word("y.rest", extract(self.now("y"), self.width + bits - 1, self.width), bits) if bits else None
        )

    def l_word(self, t: int) -> Word:
        """Digit t of L."""
        return Word(f"l.{t}", self.l_digit(t), self.digit)

    def d_word(self, k: int) -> int:
        """Word k of D'."""
        return self.scaled >> (self.word * k) & ((1 << self.word) - 1)

    # --- signals ----------------------------------------------------------------------------------

    def y_at(self, p: Pair, c: int) -> Word:
        return p.now(*self.y_place("y_q", c))

    def block_outs(self, c: int) -> list[str]:
        """The registers behind the product of a block."""
        path = f"{self.column(c)}u_block.u_delay."
        return [f"{path}gen_cycle[{i}].late_q" for i in range(self.mul - 1)]

    def above_at(self, p: Pair, c: int) -> Word:
        """What is above a column: the sum of the next one, or what the highest block has handed on."""
        return p.now(f"{self.column(c + 1)}sum_o" if c + 1 < self.columns else f"{ROW}top_q")

    def line(
        self, p: Pair, fold: str, k: int, cut: tuple[int, int] | None = None, late: bool = False
    ) -> Word:
        """A word of the factor of a product by D', k cycles old, or bits of it."""
        high, low = cut or (self.word - 1, 0)
        return (p.then if late else p.now)(f"{fold}q", (k * self.word + high, k * self.word + low))

    def node(self, p: Pair, fold: str, level: int, place: int, late: bool = False) -> Word:
        low = (level * (len(self.powers) + 1) + place) * self.word
        return (p.then if late else p.now)(f"{fold}node", (low + self.word - 1, low))

    def carry_of(self, fold: str, each: Node) -> str:
        return f"{fold}gen_level[{each.level}].gen_node[{each.place}].gen_sum.u_sum.carry_q"

    def leaf_halves(self, p: Pair, fold: str, k: int, shift: int, *, late: bool = False) -> tuple[Word, Word]:
        """What a shift to the left keeps of a word, and what goes to the next one."""
        at = self.word - shift
        return (
            self.line(p, fold, k, (at - 1, 0), late),
            self.line(p, fold, k, (self.word - 1, at), late),
        )

    def tree(self) -> list[list[Node]]:
        """The levels of the tree, from the leaves on."""
        signs = [1, *(sign for _, sign in self.powers)]
        levels = [[Node(0, i, (), sign) for i, sign in enumerate(signs)]]
        for level in range(1, self.levels + 1):
            below, nodes = levels[-1], []
            for i in range(0, len(below), 2):
                pair = below[i : i + 2]
                sign = max(each.sign for each in pair)
                nodes.append(Node(level, i // 2, tuple(sign * each.sign for each in pair), sign))
            levels.append(nodes)
        return levels

    # --- in every cycle ---------------------------------------------------------------------------

    def multiply(self, p: Pair) -> Iterator[Fact]:
        """The blocks, up to the halves of their products."""
        for c in range(self.columns):
            path, outs = self.column(c), self.block_outs(c)
            a, b = f"{path}u_block.a_q", f"{path}u_block.b_q"
            yield same({p.then(a): 1}, {p.now(f"{ROW}x_q"): 1})
            yield same({p.then(b): 1}, {self.y_at(p, c): 1})
            yield Product(p.then(outs[0]), p.now(a), p.now(b))
            yield from (same({p.then(late): 1}, {p.now(early): 1}) for early, late in pairwise(outs))
            low, high = p.then(f"{path}low_q"), p.then(f"{path}high_o")
            yield same({low: 1, high: 1 << self.digit}, {p.now(outs[-1]): 1})

    def halves_now(self, p: Pair, c: int) -> dict[Word, int]:
        """The low half of a column's product and the high half of the one below."""
        below = {p.now(f"{self.column(c - 1)}high_o"): 1} if c else {}
        return {p.now(f"{self.column(c)}low_q"): 1} | below

    def columns_add(self, p: Pair) -> Iterator[Fact]:
        """Both additions of all columns."""
        base = 1 << self.digit
        kept, later = p.now(KEPT), p.now(LATER)
        yield same({p.then(f"{ROW}top_q"): 1}, {p.now(f"{self.column(self.columns - 1)}high_o"): 1})
        for c in range(self.columns):
            path = self.column(c)
            carry = p.now(f"{path}x_carry_q")
            keep = p.then(f"{path}x_keep_q")
            yield same({p.then(f"{path}x_sum_q"): 1, keep: base}, self.halves_now(p, c) | {carry: 1})
            held = p.then(f"{path}x_carry_q")
            yield when(is_(kept, 1), same({held: 1}, {keep: 1}))
            yield when(is_(kept, 0), is_(held, 0))
            names = ("above_q", "x_sum_q", "s_carry_q")
            out = {p.now(f"{path}sum_o"): 1, p.now(f"{path}s_carry"): base}
            yield same(out, {p.now(f"{path}{name}"): 1 for name in names})
            above, carry = p.then(f"{path}above_q"), p.then(f"{path}s_carry_q")
            gone = (
                same({above: 1}, {self.above_at(p, c): 1}),
                same({carry: 1}, {p.now(f"{path}s_carry"): 1}),
            )
            yield when(is_(later, 1), *gone)
            yield when(is_(later, 0), is_(above, 0), is_(carry, 0))

    def summed_up(self, p: Pair) -> Iterator[Fact]:
        """The words of Q."""
        on, carry = p.now(f"{TOTAL}u_h_on.on_o"), p.then(f"{TOTAL}carry_q")
        out = self.line(p, FIRST, 0, late=True)
        d, lanes = self.digit, range(self.lanes)
        came = {p.now(f"{TOTAL}carry_q"): 1}
        for name in (f"{HIGH}h_o", f"{HIGH}carries_o"):
            came |= {p.now(name, ((lane + 1) * d - 1, lane * d)): 1 << (lane * d) for lane in lanes}
        yield when(is_(on, 1), same({out: 1, carry: 1 << self.word}, came))
        yield when(is_(on, 0), is_(out, 0), is_(carry, 0))

    def l_taken(self, p: Pair) -> Iterator[Fact]:
        """The words of L at the first product by D'."""
        on, out = p.now(f"{REDUCE}u_l_on.on_o"), self.node(p, FIRST, 0, 0, late=True)
        yield when(is_(on, 1), same({out: 1}, {p.now(f"{LOW}word_o"): 1}))
        yield when(is_(on, 0), is_(out, 0))

    def folded(self, p: Pair, fold: str) -> Iterator[Fact]:
        """A product by D' and a number, word by word."""
        for index, (place, _) in enumerate(self.powers, 1):
            k, shift = divmod(place, self.word)
            leaf = self.node(p, fold, 0, index)
            if not shift:
                yield same({leaf: 1}, {self.line(p, fold, k): 1})
                for m in range(k):
                    yield same({self.line(p, fold, m + 1, late=True): 1}, {self.line(p, fold, m): 1})
                continue
            kept, gone = self.leaf_halves(p, fold, k, shift)[0], self.leaf_halves(p, fold, k + 1, shift)[1]
            yield same({leaf: 1}, {kept: 1 << shift, gone: 1})
            low, high = self.leaf_halves(p, fold, 0, shift)
            yield same({self.line(p, fold, 0): 1}, {low: 1, high: 1 << (self.word - shift)})
            for m in range(k + 1):
                early = self.leaf_halves(p, fold, m, shift)
                late = self.leaf_halves(p, fold, m + 1, shift, late=True)
                if m < k:
                    yield same({late[0]: 1}, {early[0]: 1})
                yield same({late[1]: 1}, {early[1]: 1})
        for nodes in self.tree()[1:]:
            for each in nodes:
                yield from self.added_up(p, fold, each)

    def added_up(self, p: Pair, fold: str, each: Node) -> Iterator[Fact]:
        """A sum of the tree."""
        out = self.node(p, fold, each.level, each.place, late=True)
        parts = [self.node(p, fold, each.level - 1, 2 * each.place + i) for i in range(len(each.signs))]
        if len(parts) == 1:
            yield same({out: 1}, {parts[0]: 1})
            return
        carry, later = (word(self.carry_of(fold, each)) for word in (p.now, p.then))
        size = 1 << self.word
        added = {part: 1 for part, sign in zip(parts, each.signs, strict=True) if sign > 0}
        taken = {part: 1 for part, sign in zip(parts, each.signs, strict=True) if sign < 0}
        if taken:
            goes = same({out: 1, carry: 1} | taken, added | {later: size})
        else:
            goes = same({out: 1, later: size}, added | {carry: 1})
        on = self.on_at(p, fold, each.level - 1)
        yield when(is_(on, 1), goes)
        yield when(is_(on, 0), is_(later, 0))

    def on_at(self, p: Pair, fold: str, level: int) -> Word:
        """Whether words of a level are valid."""
        return p.now(f"{fold}on", (level, level))

    def u_out(self, p: Pair) -> Word:
        """A word of U."""
        return self.node(p, FIRST, self.levels, 0)

    def v_out(self, p: Pair) -> Word:
        return self.node(p, SECOND, self.levels, 0)

    def u_parted(self, p: Pair) -> Iterator[Fact]:
        """The words of U wait; those of U mod 2^n, and of what is above."""
        names = [f"{REDUCE}u_u_before.gen_cycle[{i}].late_q" for i in range(self.beats)]
        yield same({p.then(names[0]): 1}, {self.u_out(p): 1})
        for early, late in pairwise(names):
            yield same({p.then(late): 1}, {p.now(early): 1})
        parts = (
            (self.node(p, SECOND, 0, 0, late=True), "u_r_on", p.now(names[-1])),
            (self.line(p, SECOND, 0, late=True), "u_t_on", self.u_out(p)),
        )
        for out, window, source in parts:
            on = p.now(f"{REDUCE}{window}.on_o")
            yield when(is_(on, 1), same({out: 1}, {source: 1}))
            yield when(is_(on, 0), is_(out, 0))

    def v_more(self, p: Pair) -> Iterator[Fact]:
        """V + D'."""
        more, carry = p.now(f"{REDUCE}u_more.z_o"), p.then(f"{REDUCE}u_more.carry_q")
        first = p.now(f"{REDUCE}first_q")
        came = {self.v_out(p): 1, p.now(f"{REDUCE}d_q"): 1, p.now(f"{REDUCE}u_more.carry_q"): 1}
        yield when(is_(first, 0), same({more: 1, carry: 1 << self.word}, came))
        yield when(is_(first, 1), is_(carry, 0))
        low, high = self.more_cut(p)
        yield same({more: 1}, {low: 1, high: 2})

    def more_cut(self, p: Pair) -> tuple[Word, Word]:
        """The lowest bit of a word of V + D', and the others."""
        name = f"{REDUCE}u_more.z_o"
        return p.now(name, (0, 0)), p.now(name, (self.word - 1, 1))

    def z_waits(self, p: Pair) -> Iterator[Fact]:
        """Words of V and V + D' wait until it is known which are those of Z; the words of z."""
        w = self.word
        cuts = {"v": (2 * w - 1, w), "more": (w - 1, 0)}
        sources = {"v": self.v_out(p), "more": p.now(f"{REDUCE}u_more.z_o")}
        z, reaches = p.now(f"{REDUCE}z"), p.now(f"{REDUCE}reaches_q")
        for name, cut in cuts.items():
            yield same({p.then(f"{REDUCE}{name}_q"): 1}, {sources[name]: 1})
            before = p.now(f"{REDUCE}{name}_q")
            for i in range(self.beats):
                late = f"{REDUCE}u_results.gen_cycle[{i}].late_q"
                yield same({p.then(late, cut): 1}, {before: 1})
                before = p.now(late, cut)
            yield when(is_(reaches, int(name == "more")), same({z: 1}, {before: 1}))
        out = p.now(f"{REDUCE}z_o")
        if not self.lift:
            yield same({p.then(f"{REDUCE}z_q"): 1}, {z: 1})
            yield same({out: 1}, {p.now(f"{REDUCE}z_q"): 1})
            return
        for each, after in zip(self.z_cut_at(p, "z"), self.z_cut_at(p, "z_q", late=True), strict=True):
            yield same({after: 1}, {each: 1})
        low, high = self.z_cut_at(p, "z")
        yield same({z: 1}, {low: 1, high: 1 << self.lift})
        rest, on = self.z_cut_at(p, "z_q")[1], p.now(f"{REDUCE}u_z_more.on_o")
        yield when(is_(on, 1), same({out: 1}, {rest: 1, low: 1 << (w - self.lift)}))
        yield when(is_(on, 0), same({out: 1}, {rest: 1}))

    def z_cut_at(self, p: Pair, name: str, *, late: bool = False) -> tuple[Word, Word]:
        """The bits of a word of Z that are shifted out, and the others."""
        word = p.then if late else p.now
        return word(f"{REDUCE}{name}", (self.lift - 1, 0)), word(
            f"{REDUCE}{name}", (self.word - 1, self.lift)
        )

    def everywhere(self, p: Pair) -> Mapping[str, Callable[[], Iterator[Fact]]]:
        """What holds in every cycle."""
        return {
            "the blocks": lambda: self.multiply(p),
            "the columns": lambda: self.columns_add(p),
            "the words of Q": lambda: self.summed_up(p),
            "the words of L": lambda: self.l_taken(p),
            "the words of U": lambda: self.folded(p, FIRST),
            "the parts of U": lambda: self.u_parted(p),
            "the words of V": lambda: self.folded(p, SECOND),
            "V + D'": lambda: self.v_more(p),
            "the words of z": lambda: self.z_waits(p),
        }

    # --- at an age --------------------------------------------------------------------------------

    def flags(self, b: int) -> Iterator[Fact]:
        """Which windows are open at an age."""
        p = self.pair(b)
        for each in self.windows:
            if each.path.endswith("u_z_on"):
                continue
            last = each.first + each.length - 1
            if each.path.endswith("u_u_on") or each.path.endswith("u_v_on"):
                fold = FIRST if each.path.endswith("u_u_on") else SECOND
                for level in range(self.levels):
                    first, end = each.first + level, last + level
                    if b > level and self.flag_known(first, first, end, b):
                        yield is_(self.on_at(p, fold, level), int(first <= b <= end))
                continue
            if self.flag_known(each.first, each.first, last, b):
                yield is_(p.now(f"{each.path}.on_o"), int(each.first <= b <= last))
            if each.path.endswith("u_keep_x") and self.flag_known(0, each.first + 1, last + 1, b):
                yield is_(p.now(LATER), int(each.first < b <= last + 1))
        told = self.first_v - 1
        if self.flag_known(0, told, told, b):
            yield is_(p.now(f"{REDUCE}first_q"), int(b == told))

    def at_age(self, b: int) -> Iterator[Fact]:
        """What holds where the operation is at an age, b, of numbers that come and go."""
        p = self.pair(b)
        yield from self.flags(b)
        if 2 <= b <= self.steps + 1:
            yield same({p.now(f"{ROW}x_q"): 1}, {self.x_digit(b - 2): 1})
            for c in range(self.columns):
                yield same({self.y_at(p, c): 1}, {self.y_digit(c): 1})
        if 0 <= b - self.first_s < self.steps:
            yield same({p.now(f"{self.column(0)}sum_o"): 1}, {self.l_word(b - self.first_s): 1})
        yield from self.h_comes(b)
        k = b - self.first_q + 1
        if 0 <= k < self.beats:
            digits = {self.l_word(k * self.lanes + i): 1 << (i * self.digit) for i in range(self.lanes)}
            yield same({p.now(f"{LOW}word_o"): 1}, digits)
        k = b - self.first_v + 1
        if 0 <= k <= self.beats:
            yield is_(p.then(f"{REDUCE}d_q"), self.d_word(k))
        later = p.then(f"{REDUCE}reaches_q")
        if b == self.first_z - 1:
            yield same({later: 1}, {self.more_cut(p)[0]: 1})
        elif self.first_z <= b < self.first_z + self.beats - 1:
            yield same({later: 1}, {p.now(f"{REDUCE}reaches_q"): 1})
        if self.out <= b <= self.last:
            yield same({p.now(f"{REDUCE}z_o"): 1}, {self.w_word(b - self.out): 1})

    def taken(self, p: Pair, i: int, *, late: bool = False) -> tuple[Word, list[Word]]:
        """Digit i of H with the carries that count there."""
        word, path = p.then if late else p.now, f"{HIGH}gen_taken.gen_digit[{i}].gen_some."
        return word(f"{path}digit_q"), [word(f"{path}carry_q", (k, k)) for k in (0, 1)]

    def chosen_at(self, p: Pair, i: int, *, late: bool = False) -> tuple[Word, list[Word]]:
        """The same where a word of H is chosen."""
        word, d = p.then if late else p.now, self.digit
        carries = [word(f"{HIGH}gen_taken.chosen_carries_q", (2 * i + k, 2 * i + k)) for k in (0, 1)]
        return word(f"{HIGH}gen_taken.chosen_q", ((i + 1) * d - 1, i * d)), carries

    def h_comes(self, b: int) -> Iterator[Fact]:
        """H is taken from the row, and goes on word by word."""
        p, d = self.pair(b), self.digit
        if b == self.tap:
            for i in range(self.columns):
                digit, carries = self.taken(p, i, late=True)
                yield same({digit: 1}, {self.above_at(p, i): 1})
                for each, name in zip(carries, ("s_carry", "x_keep_q"), strict=True):
                    yield same({each: 1}, {p.now(f"{self.column(i)}{name}"): 1})
        elif self.tap < b < self.tap + self.beats:
            for i in range(self.columns):
                digit, carries = self.taken(p, i)
                later, held = self.taken(p, i, late=True)
                yield same({later: 1}, {digit: 1})
                yield from (same({new: 1}, {old: 1}) for new, old in zip(held, carries, strict=True))
        j = b - self.tap - 1
        if 0 <= j < self.beats:
            for i in range(j * self.lanes, (j + 1) * self.lanes):
                out, outs = self.chosen_at(p, i, late=True)
                if i < self.columns:
                    digit, carries = self.taken(p, i)
                    yield same({out: 1}, {digit: 1})
                    yield from (same({new: 1}, {old: 1}) for new, old in zip(outs, carries, strict=True))
                else:
                    yield from (is_(each, 0) for each in (out, *outs))
        j = b - self.tap - 2
        if 0 <= j < self.beats:
            for lane in range(self.lanes):
                digit, carries = self.chosen_at(p, j * self.lanes + lane)
                cut = ((lane + 1) * d - 1, lane * d)
                yield same({p.then(f"{HIGH}h_o", cut): 1}, {digit: 1})
                yield same({p.then(f"{HIGH}carries_o", cut): 1}, dict.fromkeys(carries, 1))

    def operands_made(self) -> Iterator[Fact]:
        """The digits of X make x * 2^(n - Width), where x has Width bits; those of y make y."""
        d = self.digit
        digits = {self.x_digit(t): 1 << (d * t) for t in range(self.steps)}
        yield same(digits, {self.x_whole(): 1 << self.lift})
        digits = {self.y_digit(c): 1 << (d * c) for c in range(self.columns)}
        rest = self.y_rest()
        yield same(digits, {self.y_whole(): 1} | ({rest: 1 << self.width} if rest else {}))

    # --- the obligations --------------------------------------------------------------------------

    def of_netlist(self) -> Iterator[Obligation]:
        """What is shown of the netlist."""
        yield from self.journey()
        now, then = self.now, self.then
        for name, facts in self.everywhere(self.pair(0)).items():
            wrong = negation(all_of(*dict.fromkeys(fact.over_bits() for fact in facts())))
            text = self.text(self.system.step, wrong)
            yield Obligation("step", f"in every cycle: {name}", "bitwuzla", (text,))
        made = negation(all_of(*(fact.over_bits() for fact in self.operands_made())))
        yield Obligation("step", "operands are made of digits", "bitwuzla", (self.text(made),))
        running = (self.system.step, then.is_("rst_ni", 1))
        holds = [self.part(now, name) for name in self.PARTS if name not in ("queue", "result")]
        for first in range(1, self.last + 1, AGES):
            some = range(first, min(first + AGES, self.last + 1))
            shown = {b: all_of(*(fact.over_bits() for fact in self.at_age(b))) for b in some}
            wrong = any_of(*(all_of(now.at(b), negation(each)) for b, each in shown.items()))
            text = self.text(*running, *holds, self.produced(now), wrong)
            yield Obligation("step", f"at ages {first} to {some[-1]}", "bitwuzla", (text,))
        kept = [equal(then(name), now(name)) for name in ("x", "y")]
        comes = [implies(then.at(b), all_of(now.at(b - 1), *kept)) for b in range(2, self.last + 1)]
        comes.append(implies(then.at(1), now.at(0)))
        comes.append(implies(then.at(self.last + 1), self.either(now, *kept)))
        comes.append(implies(then.high("given"), self.either(now, *kept)))
        text = self.text(*running, *holds, self.part(now, "queue"), negation(all_of(*comes)))
        yield Obligation("step", "each age comes behind the one before", "bitwuzla", (text,))
        other = (now.high("given"), negation(self._is_m(now, self.beats)))
        text = self.text(*(self.part(now, name) for name in ("gate", "context", "words")), *other)
        yield Obligation("step", "the context of a result is M", "bitwuzla", (text,))
        ages = (0, 1, self.tap, self.first_u, self.first_z, self.out, self.last, self.last + 1)
        every = (self.holding_parts(now), *running)
        possible = [self.text(*every, self.produced(now), now.at(b)) for b in ages]
        possible.append(self.text(*every, now.high("given"), now.high("followed")))
        yield Obligation("step", "ages are possible", "bitwuzla", tuple(possible), holds=False)
