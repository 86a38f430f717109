# SPDX-License-Identifier: Apache-2.0
"""What the netlist of ``montgomery_cascade`` does from one cycle to the next, as facts about words.

As in ``montgomery_dsp_row``, a word is named by its signal and an age, and facts hold in every cycle of every
run, or where an operation is at an age. An operation follows the one at an age as closely as it can where it
is one age more than there are columns behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from modmul.prove.product.montgomery_cascade_where import CONVERTER, DELAY, EXTRA, FED, Cascaded
from modmul.prove.product.montgomery_dsp_row import Pair, is_, same, when
from modmul.prove.product.montgomery_dsp_where import At
from modmul.prove.solve import Obligation
from modmul.prove.terms import Congruent, Fact, Product, Word, equal

__all__ = ["ROWS", "Moved", "between"]

ROWS = {"x": ("core.y_q", "core.x_q"), "s": ("core.k_q", "core.feed_q")}
"""By row, the number and the digit that its blocks multiply."""

MADE = "the words of M are made of digits"


def between(p: Pair, name: str, *places: int, behind: bool = False) -> list[Word]:
    """A signal, cut at places, the lowest bits first."""
    word = p.then if behind else p.now
    ends = [0, *places, p.of.system.signals[name]]
    return [word(name, (high - 1, low)) for low, high in pairwise(ends)]


class Moved(Cascaded):
    """The facts, and the obligations about them."""

    # --- names ------------------------------------------------------------------------------------

    def row(self, name: str, c: int) -> str:
        """A column of the row of x, or of s."""
        return f"core.u_row_{name}.gen_column[{c}]."

    def pending(self, i: int) -> str:
        """What is for the digit that is given back with K[DELAY + 1 - i]."""
        return f"{CONVERTER}gen_pending[{i}]."

    def cut_of(self, p: Pair, name: str, c: int) -> Word:
        """Digit c of a register."""
        return p.now(name, ((c + 1) * self.digit - 1, c * self.digit))

    def low(self, p: Pair, name: str, *, behind: bool = False) -> Word:
        """The lowest digit of a signal."""
        return (p.then if behind else p.now)(name, (self.digit - 1, 0))

    def high(self, p: Pair, name: str) -> Word:
        """What is above its lowest digit."""
        return p.now(name, (self.system.signals[name] - 1, self.digit))

    def splits(self, p: Pair, name: str, *places: int) -> Fact:
        """That a signal is made up of its parts."""
        parts = zip(between(p, name, *places), (0, *places), strict=True)
        return same({p.now(name): 1}, {part: 1 << place for part, place in parts})

    def out_of(self, p: Pair, path: str, cut: tuple[int, int] | None = None) -> Word:
        """The product of a block."""
        return p.now(f"{path}u_delay.gen_cycle[0].late_q", cut)

    def k_digit(self, j: int, c: int) -> Word:
        """Digit c of K[j]."""
        return Word(f"k{j}.{c}", self.wordof(self.now("ctx"), self.k_beat(j) + c), self.word)

    def c_whole(self) -> Word:
        """-1 / M modulo B * 2^e."""
        return Word("c", self.c_number(self.now), self.digit + EXTRA)

    def sign(self) -> Word:
        """The sign that the converter finds."""
        return Word("sign", "wb", 1)

    def v(self, p: Pair, i: int, *, behind: bool = False) -> Word:
        """S and i products."""
        word = p.then if behind else p.now
        return word(f"{self.pending(i)}v_q" if i else f"{CONVERTER}s_q")

    @property
    def v_bits(self) -> int:
        return self.system.signals[f"{CONVERTER}s_q"]

    @property
    def v_end(self) -> str:
        """V."""
        return f"{self.pending(DELAY)}v_q"

    @property
    def sum_bits(self) -> int:
        """Bits of a column of V + Q * M."""
        return self.system.signals[f"{CONVERTER}sum_q"]

    def pulse(self, p: Pair, i: int) -> Word:
        return p.now(f"{CONVERTER}pulse", (i, i))

    def going(self, p: Pair) -> Word:
        """Whether the digits of V + Q * M go on, which two flags say."""
        low = equal(f"((_ extract 1 0) {self.now(f'{CONVERTER}there')})", "#b00")
        return Word(f"going@{p.age}", f"(ite {low} #b0 #b1)", 1)

    def follows(self, at: At, age: int) -> Word:
        """Whether an operation follows as closely as it can."""
        return Word(f"next@{age}", f"(ite {at.age(age - self.steps - 1)} #b1 #b0)", 1)

    # --- in every cycle ---------------------------------------------------------------------------

    def block(self, p: Pair, path: str, left: Word, right: Word) -> Iterator[Fact]:
        """What a block takes and what it hands on, two cycles later."""
        yield same({p.then(f"{path}a_q"): 1}, {left: 1})
        yield same({p.then(f"{path}b_q"): 1}, {right: 1})
        product = p.then(f"{path}u_delay.gen_cycle[0].late_q")
        yield Product(product, p.now(f"{path}a_q"), p.now(f"{path}b_q"))

    def delayed_by(self, p: Pair, path: str, cycles: int, came: Word) -> Iterator[Fact]:
        """A line of registers."""
        for i in range(cycles):
            name = f"{path}gen_cycle[{i}].late_q"
            yield same({p.then(name): 1}, {came: 1})
            came = p.now(name)

    def multiplied(self, p: Pair, name: str) -> Iterator[Fact]:
        """The blocks of a row."""
        number, digit = ROWS[name]
        for c in range(self.columns):
            yield from self.block(p, f"{self.row(name, c)}u_mul.", self.cut_of(p, number, c), p.now(digit))

    def added(self, p: Pair) -> Iterator[Fact]:
        """The columns of both rows take their product and the column above."""
        run = p.now("core.row_run")
        for name in ROWS:
            for c in range(self.columns):
                path = self.row(name, c)
                sum_ = p.then(f"{path}sum_q")
                came = {self.out_of(p, f"{path}u_mul."): 1}
                if c + 1 < self.columns:
                    came |= {p.now(f"{self.row(name, c + 1)}sum_q"): 1}
                yield when(is_(run, 1), Congruent({sum_: 1}, came, sum_.bits))
                yield when(is_(run, 0), is_(sum_, 0))

    def lowest(self, p: Pair) -> Iterator[Fact]:
        """The lowest columns, their carry, and the digit that comes back."""
        both, total, carried = p.now("core.both_q"), p.now("core.total"), p.then("core.total_q")
        sums = {p.now(f"{self.row(name, 0)}sum_q"): 1 for name in ROWS}
        yield same({p.then("core.both_q"): 1}, sums)
        yield Congruent({total: 1}, {both: 1, self.high(p, "core.total_q"): 1}, total.bits)
        yield self.splits(p, "core.total", self.digit)
        yield self.splits(p, "core.total_q", self.digit)
        run, feed, fed = p.now("core.digit_run"), p.now("core.feed"), p.then("core.feed_q")
        yield when(is_(run, 1), same({carried: 1}, {total: 1}))
        yield when(is_(run, 0), is_(carried, 0))
        yield when(is_(feed, 1), same({fed: 1}, {self.low(p, "core.total"): 1}))
        yield when(is_(feed, 0), is_(fed, 0))

    def taken(self, p: Pair, c: int) -> Iterator[Fact]:
        """The converter takes a column of both sums, and keeps it."""
        start = self.pulse(p, 0)
        for name in ROWS if c else ():
            path = f"{CONVERTER}gen_column[{c}].{name}_q"
            yield when(is_(start, 1), same({p.then(path): 1}, {p.now(f"{self.row(name, c)}sum_q"): 1}))
            yield when(is_(start, 0), same({p.then(path): 1}, {p.now(path): 1}))

    def joined(self, p: Pair) -> Iterator[Fact]:
        """The columns of both sums that have been selected become one, and the products are added."""
        sums = {p.now(f"{CONVERTER}{name}_word_q"): 1 for name in ROWS}
        yield Congruent({self.v(p, 0, behind=True): 1}, sums, self.v_bits)
        for i in range(1, DELAY + 1):
            came = {self.out_of(p, f"{self.pending(i)}u_mul."): 1, self.v(p, i - 1): 1}
            yield Congruent({self.v(p, i, behind=True): 1}, came, self.v_bits)

    def given_back(self, p: Pair, i: int) -> Iterator[Fact]:
        """A digit that is pending, and the block that multiplies it."""
        yield from self.delayed_by(p, f"{CONVERTER}u_dropped.", DELAY - 2, self.low(p, "core.total_q"))
        path, pulse = self.pending(i), self.pulse(p, i - 1)
        digit = p.then(f"{path}digit_q")
        dropped = p.now(f"{CONVERTER}u_dropped.gen_cycle[{DELAY - 3}].late_q")
        yield when(is_(pulse, 1), same({digit: 1}, {dropped: 1}))
        yield when(is_(pulse, 0), same({digit: 1}, {p.now(f"{path}digit_q"): 1}))
        yield from self.block(p, f"{path}u_mul.", p.now(f"{path}digit_q"), p.now(f"{path}k_q"))

    def quotients(self, p: Pair) -> Iterator[Fact]:
        """Q."""
        d, e = self.digit, EXTRA
        v, block, product = self.v_end, f"{CONVERTER}u_quotient.", f"{CONVERTER}quotient"
        yield self.splits(p, v, d, d + e)
        yield self.splits(p, v, e)
        inverse, least = p.now("core.inverse_q", (d + e - 1, 0)), p.now("core.inverse_q", (e - 1, 0))
        yield same({inverse: 1}, {least: 1, p.now("core.inverse_q", (d + e - 1, e)): 1 << e})
        yield from self.block(p, block, inverse, self.low(p, v))
        yield same({self.out_of(p, block): 1}, {p.now(product): 1})
        yield self.splits(p, product, d, d + e)
        middle, above = f"{CONVERTER}middle_q", p.now(f"{CONVERTER}above")
        yield same({p.then(middle): 1}, {p.now(v, (d + e - 1, d)): 1})
        yield Congruent({above: 1}, {p.now(middle): 1, p.now(v, (e - 1, 0)): 1}, e)
        out = p.then(f"{CONVERTER}above_q")
        yield from self.modulo(out, self.times(p, "above", above, least), above, least)
        q = f"{CONVERTER}q"
        yield self.splits(p, q, d)
        yield same({self.low(p, q): 1}, {self.low(p, product): 1})
        came = {p.now(product, (d + e - 1, d)): 1, p.now(f"{CONVERTER}above_q"): 1}
        yield Congruent({self.high(p, q): 1}, came, e)
        yield from self.q_stays_or(p)

    def q_stays_or(self, p: Pair) -> Iterator[Fact]:
        """Q is taken, or stays."""
        pulse, q = self.pulse(p, DELAY + 6), f"{CONVERTER}q_q"
        yield when(is_(pulse, 1), same({p.then(q): 1}, {p.now(f"{CONVERTER}q"): 1}))
        yield when(is_(pulse, 0), same({p.then(q): 1}, {p.now(q): 1}))

    def q_multiplied(self, p: Pair) -> Iterator[Fact]:
        """The block for Q * M, and V, which waits for it."""
        block = f"{CONVERTER}u_product."
        yield from self.block(p, block, p.now(f"{CONVERTER}q_q"), p.now(f"{CONVERTER}m_q"))
        yield from self.delayed_by(p, f"{CONVERTER}u_v_late.", 4, p.now(self.v_end))
        late = p.now(f"{CONVERTER}u_v_late.gen_cycle[3].late_q")
        yield same({p.then(f"{CONVERTER}v_late_q"): 1}, {late: 1})
        came = {self.out_of(p, block): 1, p.now(f"{CONVERTER}v_late_q"): 1}
        yield Congruent({p.then(f"{CONVERTER}sum_q"): 1}, came, self.sum_bits)

    def resolved(self, p: Pair) -> Iterator[Fact]:
        """The columns of V + Q * M become digits."""
        digits = f"{CONVERTER}digits_q"
        going, then = self.going(p), p.then(digits)
        came = {p.now(f"{CONVERTER}sum_q"): 1, self.high(p, digits): 1}
        yield self.splits(p, digits, self.digit)
        yield when(is_(going, 1), Congruent({then: 1}, came, self.sum_bits))
        yield when(is_(going, 0), is_(then, 0))

    def shifted(self, p: Pair, name: str) -> tuple[Word, Word]:
        """The bits of a digit of V + Q * M that go to the digit of Z below, and the others."""
        return p.now(name, (EXTRA - 1, 0)), p.now(name, (self.digit - 1, EXTRA))

    def parted(self, p: Pair, name: str) -> Fact:
        """That a digit is made up of both."""
        least, rest = self.shifted(p, name)
        whole = p.now(name) if self.system.signals[name] == self.digit else self.low(p, name)
        return same({whole: 1}, {least: 1, rest: 1 << EXTRA})

    def reduced(self, p: Pair) -> Iterator[Fact]:
        """Digits of Z, and of Z - M."""
        d, digits, below = self.digit, f"{CONVERTER}digits_q", f"{CONVERTER}below_q"
        yield same({p.then(below): 1}, {self.low(p, digits): 1})
        yield from (self.parted(p, name) for name in (digits, below))
        z, lent = p.now(f"{CONVERTER}z_o"), p.now(f"{CONVERTER}borrow_o")
        parts = {self.shifted(p, below)[1]: 1, self.shifted(p, digits)[0]: 1 << (d - EXTRA)}
        yield same({z: 1}, parts)
        path, borrow = f"{CONVERTER}u_m_late.", f"{CONVERTER}borrow_q"
        yield from self.delayed_by(p, path, 6, p.now(f"{CONVERTER}m_q"))
        came = {p.now(f"{path}gen_cycle[5].late_q"): 1, p.now(borrow): 1, p.now(f"{CONVERTER}less_o"): 1}
        yield same({z: 1, lent: 1 << d}, came)
        write = p.now(f"{CONVERTER}write_o")
        yield when(is_(write, 1), same({p.then(borrow): 1}, {lent: 1}))
        yield when(is_(write, 0), is_(p.then(borrow), 0))

    def everywhere(self, p: Pair) -> Mapping[str, Callable[[], Iterator[Fact]]]:
        """What holds in every cycle."""
        back = range(1, DELAY + 1)
        return {
            "the blocks of x": lambda: self.multiplied(p, "x"),
            "the blocks of s": lambda: self.multiplied(p, "s"),
            "the columns of S": lambda: self.added(p),
            "the lowest column": lambda: self.lowest(p),
            "the columns that are taken": lambda: (
                fact for c in range(self.columns) for fact in self.taken(p, c)
            ),
            "the columns of V": lambda: self.joined(p),
            "the digits that are pending": lambda: (fact for i in back for fact in self.given_back(p, i)),
            "Q": lambda: self.quotients(p),
            "the products of Q": lambda: self.q_multiplied(p),
            "the digits of V + Q·M": lambda: self.resolved(p),
            "Z and Z - M": lambda: self.reduced(p),
        }

    # --- at an age --------------------------------------------------------------------------------

    def flags(self, b: int) -> Iterator[Fact]:
        """Which flags are set at an age."""
        p, n, zero = self.pair(b), self.steps, self.zero
        known = [(p.now("core.row_run"), 4, n + 3), (p.now("core.digit_run"), 6, n + 5)]
        known.append((p.now("core.feed"), DELAY + 2, n))
        known += [(self.pulse(p, i), n + 4 + i, n + 4 + i) for i in (*range(DELAY), DELAY + 6)]
        known += [
            (self.going(p), zero + 6, zero + 6 + n),
            (p.now(f"{CONVERTER}write_o"), self.out, self.last),
        ]
        for word, first, last in known:
            if self.flag_known(first, first, last, b):
                yield is_(word, int(first <= b <= last))
        follows = self.follows(self.now, b)
        if zero + n + 1 <= b < self.last:
            yield same({self.follows(self.then, b + 1): 1}, {follows: 1})
        if b == zero + 3 + n:
            yield same({self.pulse(p, DELAY + 6): 1}, {follows: 1})
        if b == zero + 7 + n:
            yield same({self.going(p): 1}, {follows: 1})

    def at_age(self, b: int) -> Iterator[Fact]:
        """What holds where the operation is at an age, b, of numbers that come and go."""
        yield from self.flags(b)
        p, n, columns = self.pair(b), self.steps, range(self.columns)
        if 2 <= b <= n + 1:
            yield same({p.now("core.x_q"): 1}, {self.x_digit(b - 2): 1})
            yield from (same({self.cut_of(p, "core.y_q", c): 1}, {self.y_digit(c): 1}) for c in columns)
        if FED + 2 <= b <= n + 1:
            yield from (
                same({self.cut_of(p, "core.k_q", c): 1}, {self.k_digit(DELAY + 1, c): 1}) for c in columns
            )
        yield from self.selected(b)
        for i in range(1, DELAY + 1):
            yield from self.k_comes(b, i)
        if self.zero <= b <= self.zero + n + 2:
            yield same({p.now("core.inverse_q", (self.digit + EXTRA - 1, 0)): 1}, {self.c_whole(): 1})
        j = b - self.zero - 2
        m_q = p.then(f"{CONVERTER}m_q")
        if 0 <= j < n:
            yield same({m_q: 1}, {self.m_word(j): 1})
        elif j in (-1, n):
            yield is_(m_q, 0)
        elif j == n + 1:
            yield when(is_(self.follows(self.now, b), 1), same({m_q: 1}, {self.m_word(0): 1}))
        if self.out <= b <= self.last:
            word = self.w_word(b - self.out)
            for value, name in enumerate(("less_o", "z_o")):
                chosen = same({word: 1}, {p.now(f"{CONVERTER}{name}"): 1})
                yield when(is_(self.sign(), value), chosen)
        if b == self.last:
            yield same({p.now(f"{CONVERTER}borrow_o"): 1}, {self.sign(): 1})

    def selected(self, b: int) -> Iterator[Fact]:
        """Which column of S comes to the sum of both rows."""
        p, j = self.pair(b), b - self.steps - 6
        words = {name: p.then(f"{CONVERTER}{name}_word_q") for name in ROWS}
        if j == 0:
            yield same({words["x"]: 1}, {p.now("core.total_q"): 1})
            yield is_(words["s"], 0)
        elif 0 < j < self.columns:
            for name, word in words.items():
                yield same({word: 1}, {p.now(f"{CONVERTER}gen_column[{j}].{name}_q"): 1})
        elif j in (-1, self.columns):
            yield from (is_(word, 0) for word in words.values())

    def k_comes(self, b: int, i: int) -> Iterator[Fact]:
        """Which digit of its constant comes to the block of a digit that is pending."""
        k_q, j = self.pair(b).then(f"{self.pending(i)}k_q"), b - self.steps - 4 - i
        if 0 <= j < self.columns:
            yield same({k_q: 1}, {self.k_digit(DELAY + 1 - i, j): 1})
        elif j in (-1, self.columns):
            yield is_(k_q, 0)

    def m_made(self) -> Iterator[Fact]:
        """The words of M are its digits."""
        yield from ()

    def of_netlist(self) -> Iterator[Obligation]:
        """What is shown of the netlist."""
        yield from (each for each in super().of_netlist() if each.name != MADE)
