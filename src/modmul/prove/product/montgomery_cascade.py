# SPDX-License-Identifier: Apache-2.0
"""Of ``montgomery_cascade``: z is x·y/R mod M.

As for ``montgomery_dsp``, in three layers: an invariant of the netlist (``montgomery_cascade_where``), what
each cycle does (``montgomery_cascade_row``), and here what follows of numbers. B is 2 to the bits of a digit,
N the number of digits, D the delay; S_t is the sum of both rows behind step t, with the carry that has come
into its lowest column; s_t is the lowest digit of S_(t-1).

- No carry leaves a column: it is a sum of so many products of two digits. So
  B·S_t + s_t = S_(t-1) + B·x_t·y + B·s_(t-D)·K[D+1], exactly.
- The columns of V are those of S_(N-1) and of the digits that are pending, each times its K.
- Q·M + V is h·B·2^e. The digits of the sum, from the second one on, make up h·2^e, since digit 0 and what
  the operation before has left in it are dropped by the shift, and digit N + 1, which may be the lowest one
  of the next operation, is 0.
- Therefore the words of Z make up h, and R·z = x·y + k·M with 0 <= z < M.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from modmul.prove.product.montgomery_cascade_row import ROWS, Moved
from modmul.prove.product.montgomery_cascade_where import CONVERTER, DELAY, EXTRA, FED
from modmul.prove.product.montgomery_dsp import total
from modmul.prove.solve import Obligation
from modmul.prove.terms import Fact, Word, all_of, equal, implies, number, shown_sum

__all__ = ["Cascade"]

SUM_Q, DIGITS, M_Q = (f"{CONVERTER}{name}" for name in ("sum_q", "digits_q", "m_q"))


def is_nothing(word: Word) -> str:
    """That a word is 0."""
    return equal(word.whole, "0")


class Cascade(Moved):
    """The obligations of a build."""

    def of_numbers(self) -> Iterator[Obligation]:
        n = self.steps

        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        yield z3("a product of two digits, or of Q and a digit", *self.most_of_products())
        yield z3("the blocks multiply digits of x", *(self.blocks("x", t) for t in range(n)))
        yield z3("the blocks multiply digits of S", *(self.blocks("s", t) for t in range(FED, n)))
        yield z3("the blocks have nothing to multiply", *(self.blocks("s", t) for t in range(FED)))
        yield z3("no carry leaves a column", *(self.moved(t) for t in range(n)))
        yield z3("the lowest column", *(self.lowest_of(t) for t in range(n)))
        for t in range(n):
            yield z3(f"step {t} of the sum", self.step(t))
        back = range(1, DELAY + 1)
        yield z3("the digits that are pending are multiplied", *(self.back(i) for i in back))
        yield z3("each column of V", *(self.v_column(c) for c in range(-1, n + 1)))
        yield z3("V", self.v_total())
        yield z3("the product that Q is made of", self.quotient_product(), self.quotient_above())
        yield z3("Q", self.quotient_whole())
        yield z3("the block of the converter multiplies", *(self.q_block_of(c) for c in range(-1, n + 1)))
        yield z3("each column of V + Q·M", *(self.q_column(c) for c in range(-1, n + 1)))
        yield z3("each digit of V + Q·M", *(self.digit_of(c) for c in range(n + 1)))
        yield z3("the digits of V + Q·M", self.digits_made())
        yield z3("the lowest digit of the next operation", *self.next_lowest())
        yield z3("the digit above the highest one", self.above_digits())
        yield z3("each word of Z", *(self.z_word_made(k) for k in range(n)))
        yield z3("the words of Z", self.z_words_made())
        yield z3("the words of Z - M", self.less_words())
        yield z3("the words of z", *(self.chosen(k) for k in range(self.beats)))
        yield z3("what is below what", *self.bounded())
        yield z3("Q·M + V is a multiple", self.exact())
        yield z3("z is right", *self.right())
        yield z3("these lemmas make an induction over ages and clock cycles", self.composed())

    # --- bounds -----------------------------------------------------------------------------------

    @property
    def most(self) -> int:
        """Of a product of two digits."""
        return (self.base - 1) ** 2

    @property
    def most_lowest(self) -> int:
        """Of the lowest column of a sum, with its carry."""
        return 2 * self.steps * (self.base - 1) * self.base

    @property
    def most_v(self) -> int:
        """Of a column of V."""
        return self.most_lowest + DELAY * self.most

    @property
    def most_sum(self) -> int:
        """Of a column of V + Q * M."""
        return self.most_v + (self.scale - 1) * (self.base - 1)

    @property
    def most_carried(self) -> int:
        """Of what is carried from one to the next."""
        return (2 * self.steps + DELAY + (1 << EXTRA)) * self.base

    @staticmethod
    def up_to(word: Word, most: int) -> str:
        return f"(<= 0 {word.whole} {most})"

    def most_of_products(self) -> Iterator[str]:
        """That it is more than that of the largest ones."""
        for most in (self.base - 1, self.scale - 1):
            known = [f"(<= 0 a {most})", f"(<= 0 b {self.base - 1})"]
            yield self.denied("ab", known, f"(<= 0 (* a b) {most * (self.base - 1)})")

    # --- words at an age --------------------------------------------------------------------------

    def column_at(self, name: str, t: int, c: int) -> Word:
        """Column c of a row behind step t."""
        return self.word_at(f"{self.row(name, c)}sum_q", t + 5)

    def product_at(self, name: str, t: int, c: int) -> Word:
        """The product that comes to it in step t."""
        return self.out_of(self.pair(t + 4), f"{self.row(name, c)}u_mul.")

    def lowest_at(self, t: int) -> Word:
        """The lowest column of S_t, with its carry."""
        return self.word_at("core.total_q", t + 7)

    def dropped_at(self, t: int) -> Word:
        """The lowest digit of S_t."""
        return self.low(self.pair(t + 7), "core.total_q")

    def sum_words(self, t: int) -> list[tuple[int, Word]]:
        words = [(1, self.lowest_at(t))]
        for c in range(1, self.columns):
            words += [(self.base**c, self.column_at(name, t, c)) for name in ROWS]
        return words

    def back_at(self, i: int, c: int) -> Word:
        """The product that comes to column c of V for a digit that is pending."""
        return self.out_of(self.pair(self.steps + 7 + c + i), f"{self.pending(i)}u_mul.")

    def v_at(self, c: int) -> Word:
        return self.word_at(self.v_end, self.zero + c)

    def q_at(self) -> Word:
        return self.word_at(f"{CONVERTER}q_q", self.zero + 3)

    def q_product_at(self, c: int) -> Word:
        """The product that comes to column c of V + Q * M."""
        return self.out_of(self.pair(self.zero + 5 + c), f"{CONVERTER}u_product.")

    def sum_at(self, c: int) -> Word:
        return self.word_at(SUM_Q, self.zero + 6 + c)

    def digits_at(self, c: int) -> Word:
        """Digit c of V + Q * M, with what is carried out of it."""
        return self.word_at(DIGITS, self.zero + 7 + c)

    def digit_at(self, c: int) -> Word:
        return self.low(self.pair(self.zero + 7 + c), DIGITS)

    def carried_at(self, c: int) -> Word:
        return self.high(self.pair(self.zero + 7 + c), DIGITS)

    def z_word(self, k: int) -> Word:
        return self.word_at(f"{CONVERTER}z_o", self.out + k)

    def less_word(self, k: int) -> Word:
        return self.word_at(f"{CONVERTER}less_o", self.out + k)

    def split_at(self, age: int, name: str) -> Fact:
        """That a word has a lowest digit, and what is above it."""
        return self.splits(self.pair(age), name, self.digit)

    # --- step 3 -----------------------------------------------------------------------------------

    def blocks(self, name: str, t: int) -> str:
        """That a block makes something else than the product of its digits, or not 0 where there is none."""
        facts = [*self.every(f"the blocks of {name}", t + 2, t + 3), *self.known_at(t + 2)]
        if name == "s":
            facts += [*self.every("the lowest column", t + 1), *self.flags(t + 1)]
        goals = []
        for c in range(self.steps):
            made = self.product_at(name, t, c)
            if name == "x":
                factors = f"(* {self.x_digit(t).whole} {self.y_digit(c).whole})"
            elif t < FED:
                factors = "0"
            else:
                factors = f"(* {self.fed_at(t - FED).whole} {self.k_digit(DELAY + 1, c).whole})"
            goals.append(equal(made.whole, factors))
        return self.holding(facts, all_of(*goals))

    def fed_at(self, t: int) -> Word:
        """The lowest digit of S_t, where it comes back."""
        return self.word_at("core.feed_q", t + 7)

    def is_moved(self, name: str, t: int, c: int) -> str:
        """That a column is the one above it, before, and its product."""
        came = [(1, self.product_at(name, t, c))]
        if t and c + 1 < self.columns:
            came.append((1, self.column_at(name, t - 1, c + 1)))
        return equal(self.column_at(name, t, c).whole, total(came))

    def moved(self, t: int) -> str:
        """That it is not, in some column, or too large, though what came was not."""
        facts = [*self.every("the columns of S", t + 4), *self.flags(t + 4)]
        if not t:
            facts += [*self.every("the columns of S", t + 3), *self.flags(t + 3)]
        more, goals = [], []
        for name in ROWS:
            for c in range(self.columns):
                more.append(self.up_to(self.product_at(name, t, c), self.most))
                if t and c:
                    more.append(self.up_to(self.column_at(name, t - 1, c), t * self.most))
                goals.append(self.is_moved(name, t, c))
                goals.append(self.up_to(self.column_at(name, t, c), (t + 1) * self.most))
        return self.holding(facts, all_of(*goals), *more)

    def lowest_is(self, t: int) -> str:
        """That the lowest column is made up of both rows and the carry."""
        came = [(1, self.column_at(name, t, 0)) for name in ROWS]
        if t:
            came.append((1, self.high(self.pair(t + 6), "core.total_q")))
        return equal(self.lowest_at(t).whole, total(came))

    def lowest_of(self, t: int) -> str:
        """That it is not, or too large, or that another digit comes back."""
        facts = [
            *self.every("the lowest column", t + 5, t + 6, t + 7),
            *self.flags(t + 5),
            *self.flags(t + 6),
        ]
        more = [self.up_to(self.column_at(name, t, 0), self.steps * self.most) for name in ROWS]
        if t:
            more.append(self.up_to(self.lowest_at(t - 1), self.most_lowest))
        goals = [self.lowest_is(t), self.up_to(self.lowest_at(t), self.most_lowest)]
        if t + FED < self.steps:
            goals.append(equal(self.fed_at(t).whole, self.dropped_at(t).whole))
        return self.holding(facts, all_of(*goals), *more)

    def step(self, t: int) -> str:
        """That a step makes another sum."""
        base = self.base
        facts = [self.split_at(t + 6, "core.total_q")] if t else []
        products = {
            name: [(base**c, self.product_at(name, t, c)) for c in range(self.columns)] for name in ROWS
        }
        words = [word for row in products.values() for _, word in row] + [w for _, w in self.sum_words(t)]
        words += [self.column_at(name, t, 0) for name in ROWS]
        more = [self.lowest_is(t), *(self.is_moved(n, t, c) for n in ROWS for c in range(self.columns))]
        came = [each for row in products.values() for each in row]
        if t < FED:
            more += [is_nothing(word) for _, word in products["s"]]
            came = products["x"]
        if t:
            words += [w for _, w in self.sum_words(t - 1)]
            words += [self.column_at(name, t - 1, 0) for name in ROWS]
            left = total([(base * weight, w) for weight, w in self.sum_words(t)])
            right = total([*self.sum_words(t - 1), *((base * weight, word) for weight, word in came)])
            goal = equal(f"(+ {left} {self.dropped_at(t - 1).whole})", right)
        else:
            goal = equal(total(self.sum_words(0)), total(came))
        return self.holding(facts, goal, *more, words=words)

    # --- step 4 -----------------------------------------------------------------------------------

    def back(self, i: int) -> str:
        """That the block for a digit that is pending makes something else than products with its K."""
        n = self.steps
        facts: list[Fact] = []
        for age in range(n + 1 + i, 2 * n + 7 + i):
            facts += [*self.given_back(self.pair(age), i), *self.flags(age)]
        for age in range(n + 3 + i, 2 * n + 5 + i):
            facts += self.k_comes(age, i)
        digit, j = self.dropped_at(n - 2 - DELAY + i), DELAY + 1 - i
        goals = [is_nothing(self.back_at(i, -1)), is_nothing(self.back_at(i, n))]
        for c in range(n):
            made = f"(* {digit.whole} {self.k_digit(j, c).whole})"
            goals.append(equal(self.back_at(i, c).whole, made))
        return self.holding(facts, all_of(*goals))

    def v_adds(self, c: int) -> str:
        """That a column of V is made up of the columns of S and the products for it."""
        if not 0 <= c < self.columns:
            return is_nothing(self.v_at(c))
        words = [(1, self.back_at(i, c)) for i in range(1, DELAY + 1)]
        return equal(self.v_at(c).whole, total([*((1, word) for word in self.s_column(c)), *words]))

    def s_column(self, c: int) -> list[Word]:
        """A column of S behind the last step."""
        last = self.steps - 1
        return [self.column_at(name, last, c) for name in ROWS] if c else [self.lowest_at(last)]

    def v_column(self, c: int) -> str:
        """That it is not, or too large."""
        n = self.steps
        facts = [*self.selected(n + 6 + c), *self.every("the columns of V", *range(n + 7 + c, self.zero + c))]
        more = [self.up_to(self.back_at(i, c), self.most) for i in range(1, DELAY + 1)]
        inside = 0 <= c < n
        if not inside:
            more = [is_nothing(self.back_at(i, c)) for i in range(1, DELAY + 1)]
        elif c:
            for age in range(n + 4, n + 6 + c):
                facts += [*self.taken(self.pair(age), c), *self.flags(age)]
        if inside:
            most = n * self.most if c else self.most_lowest
            more += [self.up_to(word, most) for word in self.s_column(c)]
        goal = all_of(self.v_adds(c), self.up_to(self.v_at(c), self.most_v))
        words = self.s_column(c) if inside else []
        return self.holding(facts, goal, *more, words=words)

    def v_total(self) -> str:
        """That V is something else than S and the products of pending digits."""
        columns, base = range(self.columns), self.base
        back = [(base**c, self.back_at(i, c)) for i in range(1, DELAY + 1) for c in columns]
        words = [w for _, w in (*back, *self.sum_words(self.steps - 1))] + [self.v_at(c) for c in columns]
        goal = equal(self.v_value(), total([*self.sum_words(self.steps - 1), *back]))
        return self.holding([], goal, *(self.v_adds(c) for c in columns), words=words)

    # --- step 5 -----------------------------------------------------------------------------------

    def quotient_product(self) -> str:
        """That the block of the quotient makes something else than -1 / M times the lowest digit of V."""
        facts = [*self.every("Q", self.zero, self.zero + 1), *self.known_at(self.zero)]
        made = self.out_of(self.pair(self.zero + 2), f"{CONVERTER}u_quotient.")
        lowest = self.low(self.pair(self.zero), self.v_end)
        return self.holding(facts, equal(made.whole, f"(* {self.c_whole().whole} {lowest.whole})"))

    def quotient_above(self) -> str:
        """That what is above it is not the next bits of V times -1 / M, but for a multiple of 2^e."""
        age, size = self.zero + 1, 1 << EXTRA
        facts = [*self.every("Q", self.zero, age), *self.known_at(age)]
        above, out = self.word_at(f"{CONVERTER}above", age), self.word_at(f"{CONVERTER}above_q", age + 1)
        least = self.word_at("core.inverse_q", age, (EXTRA - 1, 0))
        rest = self.word_at("core.inverse_q", age, (self.digit + EXTRA - 1, EXTRA))
        middle = self.word_at(self.v_end, self.zero, (self.digit + EXTRA - 1, self.digit))
        next_ = self.word_at(self.v_end, age, (EXTRA - 1, 0))
        lost = f"|above.product@{age}.high|"
        goals = [
            f"(= 0 (mod (- {above.whole} {middle.whole} {next_.whole}) {size}))",
            equal(f"(+ {out.whole} (* {size} {lost}))", f"(* {above.whole} {least.whole})"),
            equal(self.c_whole().whole, f"(+ {least.whole} (* {size} {rest.whole}))"),
        ]
        return self.holding(facts, all_of(*goals))

    def quotient_whole(self) -> str:
        """That Q is not, but for a multiple of B·2^e, made up of these."""
        age = self.zero + 2
        facts = [*self.every("Q", age), *self.flags(age)]
        product = self.out_of(self.pair(age), f"{CONVERTER}u_quotient.").whole
        above = self.word_at(f"{CONVERTER}above_q", age).whole
        goal = f"(= 0 (mod (- {self.q_at().whole} {product} (* {self.base} {above})) {self.scale}))"
        return self.holding(facts, goal)

    # --- step 6 -----------------------------------------------------------------------------------

    def q_block_of(self, c: int) -> str:
        """That the block of the converter makes something else than Q times a digit of M."""
        age = self.zero + 2 + c
        facts = [*self.every("the products of Q", age + 1, age + 2), *self.known_at(age)]
        for each in range(self.zero + 3, age + 1):
            facts += [*self.q_stays_or(self.pair(each)), *self.flags(each)]
        inside = 0 <= c < self.steps
        made = f"(* {self.q_at().whole} {self.m_word(c).whole})" if inside else "0"
        return self.holding(facts, equal(self.q_product_at(c).whole, made))

    def q_column(self, c: int) -> str:
        """That a column of V + Q·M is something else than that of V and its product, or too large."""
        facts = list(self.every("the products of Q", *range(self.zero + c, self.zero + 6 + c)))
        v, product = self.v_at(c), self.q_product_at(c)
        more = [self.up_to(v, self.most_v), self.up_to(product, (self.scale - 1) * (self.base - 1))]
        if not 0 <= c < self.steps:
            more = [is_nothing(v), is_nothing(product)]
        goal = all_of(self.sum_is(c), self.up_to(self.sum_at(c), self.most_sum))
        return self.holding(facts, goal, *more, words=[v, product])

    def sum_is(self, c: int) -> str:
        if not 0 <= c < self.steps:
            return is_nothing(self.sum_at(c))
        return equal(self.sum_at(c).whole, total([(1, self.v_at(c)), (1, self.q_product_at(c))]))

    def digit_is(self, c: int) -> str:
        """That a digit and its carry are made up of the column and the carry from below."""
        return equal(self.digits_at(c).whole, total([(1, self.sum_at(c)), (1, self.carried_at(c - 1))]))

    def digit_of(self, c: int) -> str:
        """That they are not, or too large; or that the operation before has left a digit or more."""
        age = self.zero + 6 + c
        facts = [*self.every("the digits of V + Q·M", age), *self.flags(age)]
        more = [self.up_to(self.sum_at(c), self.most_sum)]
        goals = [self.digit_is(c), self.up_to(self.digits_at(c), self.most_carried * self.base)]
        if c:
            more.append(self.up_to(self.digits_at(c - 1), self.most_carried * self.base))
        else:
            facts += self.every("the digits of V + Q·M", age - 1)
            more.append(is_nothing(self.sum_at(-1)))
            goals.append(f"(< {self.carried_at(-1).whole} {self.base})")
        return self.holding(facts, all_of(*goals), *more, words=[self.sum_at(c)])

    def digits_made(self) -> str:
        """That the digits are not those of the columns of V + Q·M and what the operation before has left."""
        base, every = self.base, range(self.steps + 1)
        facts = [self.split_at(self.zero + 7 + c, DIGITS) for c in every]
        more = [*(self.digit_is(c) for c in every), *(self.sum_is(c) for c in every)]
        over = base ** (self.steps + 1)
        got = total([*((base**c, self.digit_at(c)) for c in every), (over, self.carried_at(self.steps))])
        came = [(base**c, word) for c in range(self.steps) for word in (self.v_at(c), self.q_product_at(c))]
        words = [self.carried_at(-1), *(self.sum_at(c) for c in every), *(word for _, word in came)]
        return self.holding(facts, equal(got, total([(1, self.carried_at(-1)), *came])), *more, words=words)

    def next_lowest(self) -> Iterator[str]:
        """That an operation that follows as closely as it can has another lowest digit than 0.

        With p = C·a for the lowest digit a of its V, q = p + B·k, l = q·m0 and its sum q·m0 + v: since
        C·M + 1 = B·2^e·g, which the first question of :meth:`right` says times a, it is a multiple of B.
        """
        first, b = self.zero + self.steps + 1, self.base
        facts = [*self.every("Q", *range(first, first + 4)), *self.known_at(*range(first, first + 4))]
        facts += self.every("the products of Q", *range(first, first + 6))
        follows = equal(self.follows(self.now, first).whole, "1")
        lowest, v = self.low(self.pair(first), self.v_end), self.word_at(self.v_end, first)
        made = self.out_of(self.pair(first + 2), f"{CONVERTER}u_quotient.")
        q = self.word_at(f"{CONVERTER}q_q", first + 3)
        product = self.out_of(self.pair(first + 5), f"{CONVERTER}u_product.")
        sum_ = self.word_at(SUM_Q, first + 6)
        goals = [
            equal(made.whole, f"(* {self.c_whole().whole} {lowest.whole})"),
            f"(= 0 (mod (- {q.whole} {made.whole}) {b}))",
            equal(product.whole, f"(* {q.whole} {self.m_word(0).whole})"),
            f"(= 0 (mod (- {sum_.whole} {product.whole} {v.whole}) {b}))",
        ]
        yield self.holding(facts, goals[0])
        yield self.holding(facts, all_of(goals[1], goals[3]), follows)
        yield self.holding(facts, goals[2], follows)
        names = ("C", "a", "k", "q", "m0", "rest", "r", "s", "sum", "g")
        known = [
            f"(= q (+ (* C a) (* {b} k)))",
            f"(= sum (+ (* q m0) a (* {b} r) (* {b} s)))",
            f"(= (* a (+ (* C (+ m0 (* {b} rest))) 1 (* {number(-self.scale)} g))) 0)",
        ]
        multiple = f"(+ (* a (- (* {1 << EXTRA} g) (* C rest))) (* k m0) r s)"
        yield self.denied(names, known, f"(= sum (* {b} {multiple}))")

    def above_digits(self) -> str:
        """That the digit above the highest one is not 0."""
        n = self.steps
        age = self.zero + 7 + n
        facts = [*self.every("the digits of V + Q·M", age, age + 1), *self.known_at(*range(age - 6, age + 1))]
        lowest = f"(= 0 (mod {self.word_at(SUM_Q, age).whole} {self.base}))"
        follows = equal(self.follows(self.now, age - 6).whole, "1")
        more = [implies(follows, lowest), is_nothing(self.carried_at(n))]
        return self.holding(facts, is_nothing(self.digit_at(n + 1)), *more)

    # --- steps 6 and 7 ----------------------------------------------------------------------------

    def z_is(self, k: int) -> str:
        """That a word of Z is made up of two digits of V + Q·M."""
        high, low = (self.shifted(self.pair(self.out + k - 1 + i), DIGITS)[1 - i] for i in (0, 1))
        return equal(self.z_word(k).whole, total([(1, high), (self.base >> EXTRA, low)]))

    def z_word_made(self, k: int) -> str:
        """That it is not."""
        age = self.out + k
        return self.holding(self.every("Z and Z - M", age - 1, age), self.z_is(k))

    def z_words_made(self) -> str:
        """That the words of Z are not those of the digits above the lowest one, without e bits."""
        n = self.steps
        facts = [self.parted(self.pair(self.out - 1 + k), DIGITS) for k in range(n + 1)]
        more = [is_nothing(self.digit_at(n + 1)), *(self.z_is(k) for k in range(n))]
        first = self.shifted(self.pair(self.out - 1), DIGITS)[0].whole
        got = f"(+ (* {1 << EXTRA} {self.z_value()}) {first})"
        digits = total((self.base**c, self.digit_at(c + 1)) for c in range(n))
        return self.holding(facts, equal(got, digits), *more, words=[self.z_word(k) for k in range(n)])

    def less_words(self) -> str:
        """That the words of Z - M are others, or the sign."""
        facts: list[Fact] = []
        for age in range(self.zero + 3, self.last + 1):
            facts += [*self.every("Z and Z - M", age), *self.flags(age)]
        for k in range(self.beats):
            facts += [f for f in self.at_age(self.zero + 2 + k) if any(w.name == f"m.{k}" for w in f.words())]
        less = self.valued([self.less_word(k) for k in range(self.beats)])
        borrow = self.word_at(f"{CONVERTER}borrow_o", self.last).whole
        size = 1 << (self.word * self.beats)
        z, m = self.z_value(), self.m_value()
        goals = [
            equal(f"(+ {less} {m})", f"(+ {z} (* {size} {borrow}))"),
            equal(equal(borrow, "1"), f"(< {z} {m})"),
        ]
        return self.holding(facts, all_of(*goals))

    def chosen(self, k: int) -> str:
        """That word k of z is neither that of Z nor that of Z - M, as the sign says."""
        facts = [f for f in self.at_age(self.out + k) if any(w.name == f"w.{k}" for w in f.words())]
        facts += [f for f in self.at_age(self.last) if self.sign() in f.words()]
        sign = self.word_at(f"{CONVERTER}borrow_o", self.last).whole
        goal = equal(
            self.w_word(k).whole, f"(ite (= {sign} 1) {self.z_word(k).whole} {self.less_word(k).whole})"
        )
        return self.holding(facts, goal)

    # --- the theorem ------------------------------------------------------------------------------

    def bounded(self) -> Iterator[str]:
        """That a product of a digit, a sum S_t, or h is out of range; but for h as of ``montgomery_dsp``."""
        b, n = self.base, self.scale
        yield from islice(super().bounded(), 4)
        back = [f"r{i}" for i in range(DELAY)]
        known = ["(<= 1 M)", "(<= 0 S)", f"(< S (* {2 * b} M))", f"(<= 0 qM (* {n - 1} M))"]
        known += [f"(<= 0 {r} (* {b - 1} M))" for r in back]
        known += [f"(= V (+ S {' '.join(back)}))", f"(= (+ V qM) (* {n} h))"]
        yield self.denied(("S", "M", "V", "qM", "h", *back), known, "(<= 0 h)", "(< h (* 2 M))")

    def exact(self) -> str:
        """That Q·M + V is no multiple of B·2^e.

        v0 and v1 are the two lowest columns of V; v0 = a + B·mid + B·2^e·r0 and v1 = b + 2^e·r1. ``g`` is
        that of C·M + 1 = B·2^e·g, which the first question of :meth:`right` says times s = a + B·(mid + b).
        """
        n, base, size = self.scale, self.base, 1 << EXTRA
        names = ["M", "C", "V", "rest", "a", "mid", "r0", "b", "r1", "above", "k", "u", "lost", "least"]
        names += ["high", "q", "kappa", "g", "s"]
        known = [
            f"(= V (+ a (* {base} mid) (* {n} r0) (* {base} b) (* {n} r1) (* {base**2} rest)))",
            f"(= above (- (+ mid b) (* {size} k)))",
            f"(= least (- C (* {size} high)))",
            f"(= u (- (* above least) (* {size} lost)))",
            f"(= q (- (+ (* C a) (* {base} u)) (* {n} kappa)))",
            f"(= s (+ a (* {base} mid) (* {base} b)))",
            f"(= (* s (+ (* C M) 1 (* {number(-n)} g))) 0)",
        ]
        inner = "(+ (* k C) (* high above) lost kappa)"
        multiple = f"(+ (* s g) (- 0 (* M {inner})) r0 r1 (* {base >> EXTRA} rest))"
        return self.denied(names, known, f"(= (+ (* q M) V) (* {n} {multiple}))")

    def summed(self) -> str:
        """That B^(N-1)·V is not x·y and a multiple of M; with the letters of ``montgomery_dsp``."""
        b, steps = self.base, self.steps
        x = shown_sum({f"x.{t}": b**t for t in range(steps)})
        back = range(FED, steps + DELAY)
        names = ["y", "M", "V"]
        names += [f"{name}.{t}" for t in range(steps) for name in ("x", "S", "d")]
        names += [f"{name}.{t}" for t in back for name in ("r", "e")]
        known = ["(= S.0 (* x.0 y))"]
        for t in range(1, steps):
            comes = f" (* {b} r.{t})" if t >= FED else ""
            known.append(f"(= (+ (* {b} S.{t}) d.{t - 1}) (+ S.{t - 1} (* {b} (* x.{t} y)){comes}))")
        multiples = {}
        for t in back:
            j = FED if t < steps else steps + DELAY - t
            known.append(f"(= (* {b**j} r.{t}) (+ d.{t - FED} (* M e.{t})))")
            multiples[f"e.{t}"] = b ** (t - FED)
        known.append(f"(= V (+ S.{steps - 1} {' '.join(f'r.{t}' for t in range(steps, steps + DELAY))}))")
        goal = f"(= (* {b ** (steps - 1)} V) (+ (* {x} y) (* M {shown_sum(multiples)})))"
        return self.denied(names, known, goal)

    def reached(self) -> str:
        """That the words of Z are not those of (V + Q·M)/(B·2^e), or that something is carried out of them.

        ``low`` is digit 0, ``left`` what the operation before has left in it, ``T`` the other digits,
        ``first`` the e lowest bits of those.
        """
        b, n, size = self.base, self.scale, 1 << EXTRA
        over = b**self.steps
        known = [
            f"(= (+ low (* {b} T) (* {b * over} carry)) (+ left (* {n} h)))",
            f"(and (<= 0 low) (< low {b}) (<= 0 left) (< left {b}))",
            f"(and (<= 0 T) (< T {over}) (<= 0 carry))",
            f"(and (<= 0 h) (< h (* 2 M)) (< M {1 << self.width}))",
            f"(=> (= carry 0) (= (+ (* {size} Z) first) T))",
            f"(and (<= 0 first) (< first {size}))",
        ]
        names = ("low", "T", "carry", "left", "h", "M", "Z", "first")
        return self.denied(names, known, "(= carry 0)", "(= Z h)")
