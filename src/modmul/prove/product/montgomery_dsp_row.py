# SPDX-License-Identifier: Apache-2.0
"""What the netlist of ``montgomery_dsp`` does from one cycle to the next, as facts about words.

A word is named by its signal and an age. Facts of one kind are the same at every age; most of them hold in
every cycle of every run, whatever the ages are, the others where an operation is at an age.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from modmul.prove.product.montgomery_dsp_where import (
    CONVERTER,
    DELAY,
    DIGITS,
    HALVES,
    QUOTIENT,
    ROW,
    SCHEDULE,
    At,
    Followed,
)
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Joined,
    Product,
    Word,
    all_of,
    any_of,
    equal,
    extract,
    implies,
    negation,
)

__all__ = ["Facts", "Pair", "is_", "same"]

EXACT = f"{CONVERTER}gen_exact."

AGES = 5
"""How many are asked for at once."""


def same(left: Mapping[Word, int], right: Mapping[Word, int], constant: int = 0) -> Compared:
    return Compared(left, "=", right, constant)


def is_(word: Word, value: int) -> Compared:
    return Compared({word: 1}, "=", {}, value)


def when(condition: Fact, *facts: Fact) -> Fact:
    return Joined(lambda first, *terms: implies(first, all_of(*terms)), (condition, *facts))


@dataclass(frozen=True)
class Pair:
    """A state in which an operation is at an age, and the one behind it.

    Attributes:
        of: the proof.
        age: of the first one.
    """

    of: Facts
    age: int

    def now(self, name: str, cut: tuple[int, int] | None = None) -> Word:
        """A signal, or its bits from one down to another, in the first state."""
        return self.of.signal(self.of.now, self.age, name, cut)

    def then(self, name: str, cut: tuple[int, int] | None = None) -> Word:
        """The same in the second state."""
        return self.of.signal(self.of.then, self.age + 1, name, cut)


class Facts(Followed):
    """The facts, and the obligations about them."""

    def signal(self, at: At, age: int, name: str, cut: tuple[int, int] | None = None) -> Word:
        bits = self.system.signals[name]
        if not bits:
            return Word(f"{name}@{age}", f"(ite {at(name)} #b1 #b0)", 1)
        if cut is None:
            return Word(f"{name}@{age}", at(name), bits)
        high, low = cut
        return Word(f"{name}[{high}:{low}]@{age}", extract(at(name), high, low), high - low + 1)

    def column(self, c: int) -> str:
        return f"{ROW}gen_column[{c}].u_column."

    def pair(self, age: int) -> Pair:
        return Pair(self, age)

    # --- numbers of the operation -----------------------------------------------------------------

    def x_digit(self, t: int) -> Word:
        return Word(f"x.{t}", self.digitof(self.now("x"), t), self.digit)

    def y_digit(self, c: int) -> Word:
        return Word(f"y.{c}", self.digitof(self.now("y"), c), self.digit)

    def k_digit(self, j: int, c: int) -> Word:
        """Digit c of K[j]."""
        i = self.k_word(DELAY + 1 - j, c)
        return Word(f"k{j}.{c}", self.lane(self.now, i, c), self.digit)

    def c_constant(self, i: int) -> Word:
        """C[DELAY - i]."""
        return Word(f"c.{i}", self.c_number(self.now, i), self.quotient)

    def c_cut(self, i: int, high: int, low: int) -> Word:
        return self.c_constant(i).cut(high, low, f"{high}:{low}")

    def m_word(self, k: int) -> Word:
        return Word(f"m.{k}", self.wordof(self.now("ctx"), k), self.word)

    def m_digit(self, k: int, lane: int) -> Word:
        return self.m_word(k).cut((lane + 1) * self.digit - 1, lane * self.digit, f"d{lane}")

    def m_split(self, k: int, shift: int) -> tuple[Word, Word]:
        """What a shift to the left keeps of a word of M, and what goes to the next one."""
        at, word = self.word - shift, self.m_word(k)
        return word.cut(at - 1, 0, f"low{shift}"), word.cut(self.word - 1, at, f"high{shift}")

    def w_word(self, k: int) -> Word:
        return Word(f"w.{k}", self.wordof("w", k), self.word)

    # --- in every cycle ---------------------------------------------------------------------------

    def block(self, p: Pair, path: str, left: Word, right: Word) -> Iterator[Fact]:
        """What a block takes and what it hands on, three cycles later."""
        late = [f"{path}u_delay.gen_cycle[{i}].late_q" for i in (0, 1)]
        yield same({p.then(f"{path}a_q"): 1}, {left: 1})
        yield same({p.then(f"{path}b_q"): 1}, {right: 1})
        yield Product(p.then(late[0]), p.now(f"{path}a_q"), p.now(f"{path}b_q"))
        yield same({p.then(late[1]): 1}, {p.now(late[0]): 1})

    def out_of(self, p: Pair, path: str, cut: tuple[int, int] | None = None) -> Word:
        return p.now(f"{path}u_delay.gen_cycle[1].late_q", cut)

    def dropped(self, p: Pair) -> Word:
        """The lowest digit of S."""
        return p.now(f"{self.column(0)}sum_o")

    def multiplied(self, p: Pair, name: str) -> Iterator[Fact]:
        """The blocks of x, or of s, in every column; up to the sum with the column below."""
        base = 1 << self.digit
        yield from self.nothing(p, name)
        for c in range(self.steps):
            path = self.column(c)
            low, high = p.then(f"{path}low_{name}_q"), p.then(f"{path}high_{name}_o")
            digits = f"{ROW}gen_column[{c}].gen_digits."
            left, right = (p.now(f"{DIGITS}x_q"), "y_q") if name == "x" else (self.dropped(p), "k_q")
            block = f"{path}gen_blocks.u_{name}."
            yield from self.block(p, block, left, p.now(f"{digits}{right}"))
            yield same({low: 1, high: base}, {self.out_of(p, block): 1})

    def nothing(self, p: Pair, name: str) -> Iterator[Fact]:
        """The columns without blocks."""
        for c in range(self.steps, self.columns):
            yield is_(p.then(f"{self.column(c)}low_{name}_q"), 0)
            if c + 1 < self.columns:
                yield is_(p.then(f"{self.column(c)}high_{name}_o"), 0)

    def halves_of(self, p: Pair, name: str, c: int) -> dict[Word, int]:
        """The low half of a column's product and the high half of the one below."""
        below = {p.now(f"{self.column(c - 1)}high_{name}_o"): 1} if c else {}
        return {p.now(f"{self.column(c)}low_{name}_q"): 1} | below

    def added(self, p: Pair) -> Iterator[Fact]:
        """The adders of all columns."""
        base = 1 << self.digit
        fresh, blank = p.now(f"{SCHEDULE}fresh_o"), p.now(f"{SCHEDULE}blank_o")
        for c in range(self.columns):
            path = self.column(c)

            def then(name: str, path: str = path) -> Word:
                return p.then(f"{path}{name}")

            def now(name: str, path: str = path) -> Word:
                return p.now(f"{path}{name}")

            came = self.halves_of(p, "x", c) | {now("x_next_q"): 1}
            yield same({then("x_sum_q"): 1, then("x_round_q"): base}, came)
            yield same({then("x_round_q2"): 1}, {now("x_round_q"): 1})
            yield when(is_(fresh, 0), same({then("x_next_q"): 1}, {then("x_round_q"): 1}))
            yield when(is_(fresh, 1), is_(then("x_next_q"), 0))
            came = self.halves_of(p, "s", c) | {now("s_carry_q"): 1}
            yield when(is_(blank, 0), same({then("s_sum_q"): 1, then("s_carry_q"): base}, came))
            yield when(is_(blank, 1), is_(then("s_sum_q"), 0), is_(then("s_carry_q"), 0))
            yield same({then("s_round_q"): 1}, {now("s_carry_q"): 1})
            above = {p.now(f"{self.column(c + 1)}next_o"): 1} if c + 1 < self.columns else {}
            names = ("x_sum_q", "s_sum_q", "twos_next_q", "sum_next_q")
            out = {then("round_o"): 1, then("twos_round_q"): base, then("sum_round_q"): base}
            yield same(out, above | {now(name): 1 for name in names})
            if c == 0:
                yield same({then("sum_o"): 1}, {then("round_o"): 1})
            nexts = [("twos_next_q", "twos_round_q"), ("sum_next_q", "sum_round_q")]
            nexts += [("next_o", "round_o")] if c else []
            yield when(is_(now("fresh_q"), 0), *(same({then(a): 1}, {then(b): 1}) for a, b in nexts))
            yield when(is_(now("fresh_q"), 1), *(is_(then(a), 0) for a, _ in nexts))
            yield same({then("fresh_q"): 1}, {fresh: 1})

    CARRIES = ("x_round_q2", "s_round_q", "twos_round_q", "sum_round_q")

    def drained(self, p: Pair, c: int) -> Iterator[Fact]:
        """What a column adds up to V."""
        path, base = f"{self.column(c)}gen_drain.", 1 << self.digit
        bits = self.system.signals[f"{path}v_round"]
        later, clear = p.now(f"{SCHEDULE}v_later_o"), p.now(f"{SCHEDULE}v_clear_o")
        yield same({p.then(f"{path}add_q"): 1}, self.halves_of(p, "s", c))
        tail = {p.now(f"{self.column(c)}round_o"): 1}
        tail |= {p.now(f"{self.column(c)}{name}"): base for name in self.CARRIES}
        yield when(is_(later, 0), same({p.then(f"{path}tail_q"): 1}, tail))
        yield when(is_(later, 1), is_(p.then(f"{path}tail_q"), 0))
        sums = {p.now(f"{path}tail_q"): 1, p.now(f"{path}add_q"): 1}
        yield Congruent({p.then(f"{path}add_q2"): 1}, sums, self.digit + 3)
        v_next, v_now = p.now(f"{self.column(c)}v_next_o"), p.now(f"{self.column(c)}v_o")
        yield Congruent({v_next: 1}, {v_now: 1, p.now(f"{path}add_q2"): 1}, bits)
        v_then = p.then(f"{self.column(c)}v_o")
        yield when(is_(clear, 0), same({v_then: 1}, {v_next: 1}))
        yield when(is_(clear, 1), is_(v_then, 0))

    @property
    def v_bits(self) -> int:
        return self.system.signals[f"{self.column(0)}v_o"]

    def v_place(self, p: Pair, c: int, *, behind: bool = False) -> Word:
        """What is in the place of column c of the words of V that have not left."""
        word = p.then if behind else p.now
        return word("core.u_sum.gen_shift.v_q", ((c + 1) * self.v_bits - 1, c * self.v_bits))

    def serial(self, p: Pair, path: str, came: Mapping[Word, int]) -> Iterator[Fact]:
        """A serial adder, whose inputs are made of words."""
        clear, sum_, carry = (p.now(f"{path}clear_i"), p.then(f"{path}sum_o"), p.then(f"{path}carry_q"))
        inputs = {**came, p.now(f"{path}carry_q"): 1}
        yield when(is_(clear, 0), same({sum_: 1, carry: 1 << self.word}, inputs))
        yield when(is_(clear, 1), is_(sum_, 0), is_(carry, 0))

    def resolved(self, p: Pair) -> Iterator[Fact]:
        """The columns of V become words."""
        d, came, high = self.digit, {}, None
        path, rest = f"{CONVERTER}u_resolve.", f"{CONVERTER}high_q"
        came[p.now(rest)] = 1
        for lane in range(self.lanes):
            v = self.v_place(p, lane)
            low, high = v.cut(d - 1, 0, "low"), v.cut(self.v_bits - 1, d, "high")
            yield same({v: 1}, {low: 1, high: 1 << d})
            came[low] = 1 << (d * lane)
            if lane < self.lanes - 1:
                came[high] = 1 << (d * (lane + 1))
        assert high is not None
        idle = p.now(f"{path}clear_i")
        yield when(is_(idle, 0), same({p.then(rest): 1}, {high: 1}))
        yield when(is_(idle, 1), is_(p.then(rest), 0))
        yield from self.serial(p, path, came)

    def q_block(self, lane: int) -> str:
        return f"{CONVERTER}gen_block[{lane}].u_q."

    def q_low(self, p: Pair) -> Word:
        return p.now(f"{QUOTIENT}q_o", (self.digit - 1, 0))

    def q_multiplied(self, p: Pair) -> Iterator[Fact]:
        """The blocks of the converter, and the words of their products."""
        d, came = self.digit, {}
        path, rest = f"{CONVERTER}u_product_sum.", f"{CONVERTER}product_high_q"
        came[p.now(rest)] = 1
        for lane in range(self.lanes):
            block = self.q_block(lane)
            line = p.now(f"{CONVERTER}m_line_q", ((lane + 1) * d - 1, lane * d))
            yield from self.block(p, block, self.q_low(p), line)
            whole = self.out_of(p, block)
            low, high = self.out_of(p, block, (d - 1, 0)), self.out_of(p, block, (2 * d - 1, d))
            yield same({whole: 1}, {low: 1, high: 1 << d})
            came[low] = 1 << (d * lane)
            if lane < self.lanes - 1:
                came[high] = 1 << (d * (lane + 1))
            else:
                idle = p.now(f"{path}clear_i")
                yield when(is_(idle, 0), same({p.then(rest): 1}, {high: 1}))
                yield when(is_(idle, 1), is_(p.then(rest), 0))
        yield from self.serial(p, path, came)

    def halved(self, k: int) -> str:
        return f"{CONVERTER}gen_half[{k}].add_q"

    def half_sum(self, k: int) -> str:
        """The register with the multiples for k + 1 bits of Q."""
        return f"{CONVERTER}gen_half[{k}].gen_more.u_add.sum_o" if k else self.halved(0)

    def joined(self, p: Pair) -> Iterator[Fact]:
        """The serial adders of multiples, of V and of products."""
        for k in range(1, HALVES):
            came = {p.now(self.half_sum(k - 1)): 1, p.now(self.halved(k)): 1}
            yield from self.serial(p, f"{CONVERTER}gen_half[{k}].gen_more.u_add.", came)
        names = ("u_resolve.sum_o", "u_upper.sum_o", "u_product_sum.sum_o", "u_z_sum.sum_o")
        v, upper, product, total = (f"{CONVERTER}{name}" for name in names)
        came = {p.now(v): 1, p.now(self.half_sum(HALVES - 1)): 1}
        yield from self.serial(p, f"{CONVERTER}u_upper.", came)
        yield from self.serial(p, f"{CONVERTER}u_z_sum.", {p.now(upper): 1, p.now(product): 1})
        yield same({p.now(f"{CONVERTER}z_sum_q"): 1}, {p.now(total): 1})
        yield same({p.then(f"{CONVERTER}z_sum_q2"): 1}, {p.now(total): 1})

    def z_cut(self, p: Pair, name: str, *, behind: bool = False) -> tuple[Word, Word]:
        """The bits of a word of the sum that are shifted out, and the others."""
        word, at = (p.then if behind else p.now)(f"{CONVERTER}{name}"), self.quotient
        return word.cut(at - 1, 0, "low"), word.cut(self.word - 1, at, "high")

    def reduced(self, p: Pair) -> Iterator[Fact]:
        """Words of Z, and of Z - M."""
        at, w = self.quotient, self.word
        for name in ("z_sum_q", "z_sum_q2"):
            low, high = self.z_cut(p, name)
            yield same({p.now(f"{CONVERTER}{name}"): 1}, {low: 1, high: 1 << at})
        sides = (self.z_cut(p, "z_sum_q"), self.z_cut(p, "z_sum_q2", behind=True))
        yield from (same({late: 1}, {early: 1}) for early, late in zip(*sides, strict=True))
        z, upper, lower = (
            p.now(f"{CONVERTER}z"),
            self.z_cut(p, "z_sum_q")[0],
            self.z_cut(p, "z_sum_q2")[1],
        )
        yield same({z: 1}, {lower: 1, upper: 1 << (w - at)})
        line = self.shift * w
        m = p.now(f"{CONVERTER}m_line_q", (line + w - 1, line))
        idle, borrow = p.now(f"{EXACT}z_idle"), p.then(f"{EXACT}borrow_q")
        lent = p.now(f"{EXACT}less", (w + 1, w + 1))
        came = {m: 1, p.now(f"{EXACT}borrow_q"): 1, p.then(f"{EXACT}less_q"): 1}
        yield same({z: 1, lent: 1 << w}, came)
        yield when(is_(idle, 0), same({borrow: 1}, {lent: 1}))
        yield when(is_(idle, 1), is_(borrow, 0))
        yield same({p.then(f"{EXACT}z_q"): 1}, {z: 1})
        top = self.width % w + 1
        z_top = upper_top = p.now(f"{CONVERTER}z_sum_q", (at + top - 1, at))
        line -= w
        m_top = p.now(f"{CONVERTER}m_line_q", (line + top - 1, line))
        less_top = p.now(f"{EXACT}less", (w + 1 + top, w + 2))
        sign = p.then(f"{EXACT}sign_q")
        yield same({upper_top: 1, sign: 1 << top}, {less_top: 1, m_top: 1, lent: 1})
        z_high = self.z_cut(p, "z_sum_q")[1]
        rest = p.now(f"{CONVERTER}z_sum_q", (w - 1, at + top)) if at + top < w else None
        yield same({z_high: 1}, {z_top: 1} | ({rest: 1 << top} if rest else {}))

    def delayed(self, p: Pair) -> Iterator[Fact]:
        """Words of Z and Z - M wait for the sign."""
        w, stages = self.word, self.known - self.shift - 1
        cuts = {"z": (2 * w - 1, w), "less": (w - 1, 0)}
        for name, cut in cuts.items():
            before = p.now(f"{EXACT}{name}_q")
            for i in range(stages):
                late = f"{EXACT}u_late.gen_cycle[{i}].late_q"
                yield same({p.then(late, cut): 1}, {before: 1})
                before = p.now(late, cut)
            chosen = same({p.now(f"{CONVERTER}z_o"): 1}, {before: 1})
            yield when(is_(p.now(f"{EXACT}subtract"), int(name == "less")), chosen)
        last, subtract = p.now(f"{EXACT}last"), p.now(f"{EXACT}subtract")
        yield when(is_(last, 1), same({subtract: 1, p.now(f"{EXACT}sign_q"): 1}, {}, 1))
        yield when(is_(last, 0), same({subtract: 1}, {p.now(f"{EXACT}subtract_q"): 1}))
        yield same({p.then(f"{EXACT}subtract_q"): 1}, {subtract: 1})

    def quotients(self, p: Pair) -> Iterator[Fact]:
        """The parts of Q."""
        d, h = self.digit, HALVES
        block, low = "core.gen_block.u_c_s.", (d - 1, 0)
        c_low, c_least = p.now(f"{QUOTIENT}c_q", low), p.now(f"{QUOTIENT}c_q", (h - 1, 0))
        c_high = p.now(f"{QUOTIENT}c_q", (d + h - 1, d))
        c_rest, q = p.now(f"{QUOTIENT}c_q", (d + h - 1, h)), f"{QUOTIENT}q_o"
        yield same({p.now(f"{QUOTIENT}c_q"): 1}, {c_low: 1, c_high: 1 << d})
        yield same({p.now(f"{QUOTIENT}c_q"): 1}, {c_least: 1, c_rest: 1 << h})
        upper_bits = {p.now(q, (d + k, d + k)): 1 << (d + k) for k in range(h)}
        yield same({p.now(q): 1}, {p.now(q, low): 1} | upper_bits)
        s, s_least = self.dropped(p), p.now(f"{self.column(0)}sum_o", (h - 1, 0))
        yield from self.block(p, block, s, c_low)
        above, product = p.then(f"{QUOTIENT}above_q"), self.times(p, "above", s_least, c_high)
        yield from self.modulo(above, product, s_least, c_high)
        yield same({p.then(f"{QUOTIENT}above_q2"): 1}, {p.now(f"{QUOTIENT}above_q"): 1})
        yield same({p.then(f"{QUOTIENT}low_q"): 1}, {c_least: 1})
        upper, least = p.now(f"{QUOTIENT}upper_q"), p.now(f"{QUOTIENT}low_q")
        out = p.then(f"{QUOTIENT}upper_product_q")
        yield from self.modulo(out, self.times(p, "upper", upper, least), upper, least)
        three = p.then(f"{QUOTIENT}above_q3")
        came = {p.now(f"{QUOTIENT}above_q2"): 1}
        with_upper = p.now(f"{QUOTIENT}line_q", (DELAY + 3, DELAY + 3))
        yield when(is_(with_upper, 0), same({three: 1}, came))
        both = came | {p.now(f"{QUOTIENT}upper_product_q"): 1}
        yield when(is_(with_upper, 1), Congruent({three: 1}, both, h))
        sum_, total = p.now(f"{QUOTIENT}sum"), p.now(f"{QUOTIENT}total_q")
        parts = {total: 1, p.now(f"{QUOTIENT}above_q3"): 1 << d, self.out_of(p, block): 1}
        yield Congruent({sum_: 1}, parts, d + h)
        bits = [p.now(f"{QUOTIENT}line_q", (j - 1, j - 1)) for j in range(1, DELAY + 6)]
        clear, adds, last = bits[3], bits[4 : DELAY + 4], bits[DELAY + 4]
        yield when(is_(clear, 1), is_(p.then(f"{QUOTIENT}total_q"), 0))
        goes = same({p.then(f"{QUOTIENT}total_q"): 1}, {sum_: 1})
        yield from (when(Joined(all_of, (is_(clear, 0), is_(each, 1))), goes) for each in adds)
        yield when(is_(last, 1), same({p.then(f"{QUOTIENT}q_o"): 1}, {sum_: 1}))
        yield when(is_(last, 0), same({p.then(f"{QUOTIENT}q_o"): 1}, {p.now(f"{QUOTIENT}q_o"): 1}))
        taken = p.then(f"{QUOTIENT}upper_q")
        least_1 = p.now(f"{self.column(1)}round_o", (h - 1, 0))
        came = {least_1: 1} | {p.now(f"{self.column(0)}{name}"): 1 for name in self.CARRIES}
        yield when(is_(bits[6], 1), Congruent({taken: 1}, came, h))
        yield when(is_(bits[6], 0), same({taken: 1}, {upper: 1}))
        for c, place in ((0, "sum_o"), (1, "round_o")):
            word = p.now(f"{self.column(c)}{place}")
            least, rest = (
                p.now(f"{self.column(c)}{place}", (h - 1, 0)),
                p.now(f"{self.column(c)}{place}", (d - 1, h)),
            )
            yield same({word: 1}, {least: 1, rest: 1 << h})

    def times(self, p: Pair, name: str, left: Word, right: Word) -> Word:
        """A product as a word, which the netlist does not have."""
        sides = (f"((_ zero_extend {2 * HALVES - each.bits}) {each.term})" for each in (left, right))
        return Word(f"{name}.product@{p.age}", f"(bvmul {' '.join(sides)})", 2 * HALVES)

    @staticmethod
    def modulo(out: Word, product: Word, left: Word, right: Word) -> Iterator[Fact]:
        """That a word is the lower half of a product."""
        yield Product(product, left, right)
        yield same({product: 1}, {out: 1, product.cut(product.bits - 1, out.bits, "high"): 1 << out.bits})

    def everywhere(self, p: Pair) -> Mapping[str, Callable[[], Iterator[Fact]]]:
        """What holds in every cycle."""
        columns = range(self.columns)
        return {
            "the blocks of x": lambda: self.multiplied(p, "x"),
            "the blocks of s": lambda: self.multiplied(p, "s"),
            "the columns of S": lambda: self.added(p),
            "the columns of V": lambda: (fact for c in columns for fact in self.drained(p, c)),
            "the words of V": lambda: self.resolved(p),
            "the products of Q": lambda: self.q_multiplied(p),
            "the serial adders": lambda: self.joined(p),
            "Z and Z - M": lambda: self.reduced(p),
            "the words of z wait": lambda: self.delayed(p),
            "Q": lambda: self.quotients(p),
        }

    # --- at an age --------------------------------------------------------------------------------

    def flags(self, b: int) -> Iterator[Fact]:
        """Which windows are open at an age."""
        p = self.pair(b)
        names = {
            "fresh_o": "u_fresh",
            "blank_o": "u_blank",
            "v_clear_o": "u_v_clear",
            "v_later_o": "u_v_later",
        }
        paths = {f"{SCHEDULE}{window}": f"{SCHEDULE}{name}" for name, window in names.items()}
        clears = {
            "u_product_idle": "u_product_sum.clear_i",
            "u_idle": "u_resolve.clear_i",
            "u_upper_idle": "u_upper.clear_i",
            "u_z_sum_idle": "u_z_sum.clear_i",
            "gen_exact.u_z_idle": "gen_exact.z_idle",
            "gen_exact.u_last": "gen_exact.last",
        }
        clears |= {
            f"gen_half[{k}].gen_more.u_rest": f"gen_half[{k}].gen_more.u_add.clear_i"
            for k in range(1, HALVES)
        }
        paths |= {f"{CONVERTER}{window}": f"{CONVERTER}{name}" for window, name in clears.items()}
        for each in self.windows:
            if each.path in paths and self.flag_known(each.base, each.first, each.base + each.line, b):
                inside = each.first <= b <= each.base + each.line
                yield is_(p.now(paths[each.path]), int(each.on == inside))

    def flag_known(self, base: int, first: int, last: int, b: int) -> bool:
        """Whether no other operation can open a window at an age of this one."""
        return (
            first <= b <= last
            or (b < first and last - b < self.period)
            or (b > last and b - first < self.period)
        )

    def at_age(self, b: int) -> Iterator[Fact]:
        """What holds where the operation is at an age, b, of numbers that come and go."""
        p, end = self.pair(b), self.ending
        yield from self.flags(b)
        if 1 <= b <= self.steps:
            yield same({p.now(f"{DIGITS}x_q"): 1}, {self.x_digit(b - 1): 1})
            for c in range(self.steps):
                yield same({p.now(f"{ROW}gen_column[{c}].gen_digits.y_q"): 1}, {self.y_digit(c): 1})
        j = DELAY + 1 if DELAY + 1 <= b <= end else DELAY + 1 - (b - end)
        if DELAY + 1 <= b <= end + DELAY:
            for c in range(self.steps):
                yield same({p.then(f"{ROW}gen_column[{c}].gen_digits.k_q"): 1}, {self.k_digit(j, c): 1})
        if end + 1 <= b <= end + DELAY + 1:
            yield same({p.then(f"{QUOTIENT}c_q"): 1}, {self.c_constant(b - end - 1): 1})
        if end + 1 <= b <= end + DELAY + 5:
            for i in (i for i in range(1, DELAY + 6) if abs(b - end - i) < self.period):
                yield is_(p.now(f"{QUOTIENT}line_q", (i - 1, i - 1)), int(i == b - end))
        if end + DELAY + 6 <= b <= self.zero + self.words + 1:
            yield is_(p.now(f"{QUOTIENT}line_q", (DELAY + 4, DELAY + 4)), 0)
        yield from self.v_moves(b)
        yield from self.m_comes(b)
        yield from self.q_stays(b)
        if self.out <= b <= self.last:
            yield same({p.now(f"{CONVERTER}z_o"): 1}, {self.w_word(b - self.out): 1})

    def q_stays(self, b: int) -> Iterator[Fact]:
        """The parts of Q stay while the converter uses them."""
        p, d = self.pair(b), self.digit
        if self.zero <= b <= self.zero + self.words + 1:
            for cut in ((d - 1, 0), *((d + k, d + k) for k in range(HALVES))):
                yield same({p.then(f"{QUOTIENT}q_o", cut): 1}, {p.now(f"{QUOTIENT}q_o", cut): 1})

    def v_moves(self, b: int) -> Iterator[Fact]:
        """The columns of V come into the line of words, and go through it."""
        p, first = self.pair(b), self.ending + self.to_v
        places = (self.words + 1) * self.lanes
        if b == first:
            for c in range(places):
                here = self.v_place(p, c, behind=True)
                if c < self.columns:
                    yield same({here: 1}, {p.now(f"{self.column(c)}v_next_o"): 1})
                else:
                    yield is_(here, 0)
        elif first < b < first + self.words:
            for c in range(places):
                here = self.v_place(p, c, behind=True)
                if c + self.lanes < places:
                    yield same({here: 1}, {self.v_place(p, c + self.lanes): 1})
                else:
                    yield is_(here, 0)

    def m_comes(self, b: int) -> Iterator[Fact]:
        """The words of M where they are used."""
        p, d, w = self.pair(b), self.digit, self.word
        k = b - self.zero
        if 0 <= k < self.words:
            for lane in range(self.lanes):
                here = p.now(f"{CONVERTER}m_line_q", ((lane + 1) * d - 1, lane * d))
                yield same({here: 1}, {self.m_digit(k, lane): 1} if k < self.beats else {})
        for i in range(HALVES):
            place, shift = max(i - 1, 0), d + i
            k = b - self.zero - place
            if not 0 <= k < self.words:
                continue
            low = {self.m_split(k, shift)[0]: 1 << shift} if k < self.beats else {}
            high = {self.m_split(k - 1, shift)[1]: 1} if 0 < k <= self.beats else {}
            bit, out = p.now(f"{QUOTIENT}q_o", (d + i, d + i)), p.then(self.halved(i))
            yield when(is_(bit, 1), same({out: 1}, low | high))
            yield when(is_(bit, 0), is_(out, 0))
        k = b - self.zero - self.shift
        if 0 <= k < self.beats:
            line = self.shift * w
            yield same({p.now(f"{CONVERTER}m_line_q", (line + w - 1, line)): 1}, {self.m_word(k): 1})
        if k == self.z_words - 2:
            top, line = self.width % w + 1, (self.shift - 1) * w
            here = p.now(f"{CONVERTER}m_line_q", (line + top - 1, line))
            yield same({here: 1}, {self.m_word(k + 1).cut(top - 1, 0, "top"): 1})

    def m_made(self) -> Iterator[Fact]:
        """The words of M are made up of their digits, and of the parts that are shifted."""
        for k in range(self.beats):
            digits = {self.m_digit(k, lane): 1 << (lane * self.digit) for lane in range(self.lanes)}
            yield same({self.m_word(k): 1}, digits)
            for i in range(HALVES):
                low, high = self.m_split(k, self.digit + i)
                yield same({self.m_word(k): 1}, {low: 1, high: 1 << low.bits})
        word, top = self.m_word(self.beats - 1), self.width % self.word + 1
        rest = {word.cut(self.word - 1, top, "rest"): 1 << top} if top < self.word else {}
        yield same({word: 1}, {word.cut(top - 1, 0, "top"): 1} | rest)

    # --- the obligations --------------------------------------------------------------------------

    def of_netlist(self) -> Iterator[Obligation]:
        """What is shown of the netlist."""
        yield from self.journey()
        now, then = self.now, self.then
        for name, facts in self.everywhere(self.pair(0)).items():
            wrong = negation(all_of(*dict.fromkeys(fact.over_bits() for fact in facts())))
            text = self.text(self.system.step, wrong)
            yield Obligation("step", f"in every cycle: {name}", "bitwuzla", (text,))
        made = negation(all_of(*(fact.over_bits() for fact in self.m_made())))
        yield Obligation("step", "the words of M are made of digits", "bitwuzla", (self.text(made),))
        running = (self.system.step, then.is_("rst_ni", 1))
        holds = [self.part(now, name) for name in self.PARTS if name not in ("queue", "result")]
        for first in range(1, self.last + 1, AGES):
            some = range(first, min(first + AGES, self.last + 1))
            shown = {b: all_of(*(fact.over_bits() for fact in self.at_age(b))) for b in some}
            wrong = any_of(*(all_of(now.at(b), negation(each)) for b, each in shown.items()))
            text = self.text(*running, *holds, self.produced(now), wrong)
            yield Obligation("step", f"at ages {first} to {some[-1]}", "bitwuzla", (text,))
        kept = [equal(then(name), now(name)) for name in ("ctx", "x", "y")]
        comes = [implies(then.at(b), all_of(now.at(b - 1), *kept)) for b in range(2, self.last + 1)]
        comes.append(implies(then.at(1), all_of(now.at(0), kept[0])))
        gone = then.at(self.last + 1)
        comes.append(implies(gone, self.either(now, *kept)))
        comes.append(implies(then.high("given"), self.either(now, *kept)))
        text = self.text(*running, *holds, self.part(now, "queue"), negation(all_of(*comes)))
        yield Obligation("step", "each age comes behind the one before", "bitwuzla", (text,))
        ages = (0, 1, self.ending, self.convert, self.out, self.last, self.last + 1)
        every = (self.holding_parts(now), *running)
        possible = [self.text(*every, self.produced(now), now.at(b)) for b in ages]
        possible.append(self.text(*every, now.high("given"), now.high("followed")))
        yield Obligation("step", "ages are possible", "bitwuzla", tuple(possible), holds=False)

    def holding_parts(self, at: At) -> str:
        return all_of(*(self.part(at, name) for name in self.PARTS))

    def either(self, now: At, *kept: str) -> str:
        """The operation was at its last age, or behind it."""
        return all_of(now.within(self.last, self.last + 1), *kept)
