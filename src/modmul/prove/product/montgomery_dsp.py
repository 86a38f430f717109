# SPDX-License-Identifier: Apache-2.0
"""Of ``montgomery_dsp``: z is x·y/R mod M.

From reset to result, at full width, for all M and operands up to M and any behaviour at the ports, resets
included; of the context it is assumed that it belongs to M. B is 2 to the bits of a digit, T the number of
digits, D the delay, and S_t the sum behind step t with the carries that it leaves. Three layers:

- **invariant** (``montgomery_dsp_where``, on the netlist): where an operation is, and what it needs.
- **step** (``montgomery_dsp_row``, on the netlist): what each cycle does, as facts about words.
- **number** (here, over integers): each step makes S_t = (S_(t-1) - s_t)/B + x_t·y + s_(t-D)·K[D+1] of them,
  s_t being the lowest digit of S_(t-1); the columns of V are S_(T-1) and the digits that are pending, each
  times its K; the converter makes V + Q·M of V, Q and M, and Z or Z - M of that; Q·M + V is a multiple of
  B·2^e. Of these equations the theorem follows: R·z = x·y + k·M, and 0 <= z < M.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from modmul.prove.product.montgomery_dsp_row import EXACT, Facts
from modmul.prove.product.montgomery_dsp_where import CONVERTER, DELAY, HALVES, QUOTIENT
from modmul.prove.solve import Obligation
from modmul.prove.terms import Fact, Word, all_of, declared, equal, implies, negation, number, shown_sum

__all__ = ["Rows"]


def total(words: Iterable[tuple[int, Word]]) -> str:
    """A weighted sum of words."""
    found: dict[str, int] = {}
    for weight, word in words:
        found[word.whole] = found.get(word.whole, 0) + weight
    return shown_sum(found)


LOOP_S, LOOP_T = 7, 6
"""The age of S_0, and the steps from a digit of S to its product in S."""


class Rows(Facts):
    """The obligations of a build."""

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        yield from self.of_numbers()

    # --- texts ------------------------------------------------------------------------------------

    def holding(
        self,
        facts: Iterable[Fact],
        goal: str,
        *more: str,
        names: Sequence[str] = (),
        words: Sequence[Word] = (),
    ) -> str:
        """That facts and more hold, and a goal does not."""
        every = list(facts)
        words = [*words, *(word for fact in every for word in fact.words())]
        lines = [f"(declare-const {name} Int)" for name in dict.fromkeys(names)]
        shown = [f"(assert {each})" for each in (*(f.over_integers() for f in every), *more, negation(goal))]
        return "\n".join((*declared(words), *lines, *shown))

    @staticmethod
    def denied(names: Iterable[str], known: Iterable[str], *goals: str) -> str:
        """That something is known of integers, and not all goals hold."""
        lines = [f"(declare-const {name} Int)" for name in names]
        return "\n".join(
            (*lines, *(f"(assert {each})" for each in known), f"(assert {negation(all_of(*goals))})")
        )

    # --- words at an age --------------------------------------------------------------------------

    def word_at(self, name: str, age: int, cut: tuple[int, int] | None = None) -> Word:
        return self.pair(age).now(name, cut)

    def sums(self, t: int) -> str:
        """S_t, with the carries."""
        age, base = t + LOOP_S, 1 << self.digit
        words = []
        for c in range(self.columns):
            words.append((base**c, self.word_at(f"{self.column(c)}round_o", age)))
            words += [
                (base ** (c + 1), self.word_at(f"{self.column(c)}{name}", age)) for name in self.CARRIES
            ]
        return total(words)

    def dropped_at(self, t: int) -> Word:
        """The lowest digit of S_t."""
        return self.word_at(f"{self.column(0)}sum_o", t + LOOP_S)

    def product_name(self, name: str, t: int, c: int) -> str:
        """The integer that stands for the product of column c in the slot of step t."""
        return f"|{name}*{t}.{c}|"

    def factors(self, name: str, t: int, c: int) -> tuple[str, str]:
        if name == "x":
            return self.x_digit(t).whole, self.y_digit(c).whole
        j = DELAY + 1 if t < self.steps else self.steps + DELAY - t
        return self.dropped_at(t - LOOP_T).whole, self.k_digit(j, c).whole

    def is_product(self, name: str, t: int, c: int, value: str) -> str:
        """That both halves at the adders are a product."""
        low, high = self.halves_at(name, t, c)
        return equal(f"(+ {low.whole} (* {1 << self.digit} {high.whole}))", value)

    def halves_at(self, name: str, t: int, c: int) -> tuple[Word, Word]:
        path, age = self.column(c), t + 5
        return self.word_at(f"{path}low_{name}_q", age), self.word_at(f"{path}high_{name}_o", age)

    def products(self, name: str, t: int) -> str:
        base = 1 << self.digit
        return shown_sum({self.product_name(name, t, c): base**c for c in range(self.steps)})

    # --- the obligations --------------------------------------------------------------------------

    def of_numbers(self) -> Iterator[Obligation]:
        steps = self.steps

        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        yield z3("the blocks multiply digits of x", *(self.blocks("x", t) for t in range(steps)))
        pending = range(LOOP_T, steps + DELAY)
        yield z3("the blocks multiply digits of S", *(self.blocks("s", t) for t in pending))
        for t in range(steps):
            yield z3(f"step {t} of the sum", self.step(t))
        yield z3("each column of V", *(self.v_column(c) for c in range(self.columns)))
        yield z3("V", self.v_total())
        yield z3("the columns of V become words", self.v_words())
        yield z3("the blocks of the converter multiply", self.q_blocks())
        yield z3("the words of Q0 times M", self.q_words())
        yield z3("the bits of Q1 times M", *(self.q_half(k, bit) for k in range(HALVES) for bit in (0, 1)))
        yield z3("the words of V + Q·M", self.joined_words())
        yield z3("the words of Z", self.z_words_made())
        yield z3("the words of Z - M", self.less_words())
        yield z3("the words of z", *(self.chosen(k) for k in range(self.beats)))
        yield z3("digits of Q", *self.quotient_digits())
        yield z3("Q", *self.quotient_made())
        yield z3("what is below what", *self.bounded())
        yield z3("Q·M + V is a multiple", self.exact())
        yield z3("z is right", *self.right())
        yield z3("these lemmas make an induction over ages and clock cycles", self.composed())

    def every(self, name: str, *ages: int) -> Iterator[Fact]:
        """Facts of a kind, at ages."""
        for age in ages:
            yield from self.everywhere(self.pair(age))[name]()

    def known_at(self, *ages: int) -> Iterator[Fact]:
        for age in ages:
            yield from self.at_age(age)

    def blocks(self, name: str, t: int) -> str:
        """That a block makes something else than the product of its digits."""
        ages = range(t + 1, t + 5)
        before = [t] if t else []
        facts = [*self.every(f"the blocks of {name}", *ages), *self.known_at(*before, t + 1)]
        goals = []
        for c in range(self.steps):
            left, right = self.factors(name, t, c)
            goals.append(self.is_product(name, t, c, f"(* {left} {right})"))
        return self.holding(facts, all_of(*goals))

    def step(self, t: int) -> str:
        """That a step makes another sum."""
        facts = list(self.every("the columns of S", t + 4, t + 5, t + 6))
        for age in (t + 4, t + 5, t + 6):
            facts += self.flags(age)
        base, names, more = 1 << self.digit, [], []
        given_back = t >= LOOP_T
        for name in ("x", "s") if given_back else ("x",):
            names += [self.product_name(name, t, c) for c in range(self.steps)]
            more += [self.is_product(name, t, c, self.product_name(name, t, c)) for c in range(self.steps)]
        facts += self.empty(t + 4)
        came = [self.products("x", t)] + ([self.products("s", t)] if given_back else [])
        if t:
            got = f"(+ {self.sums(t - 1)} (* {base} (+ 0 {' '.join(came)})))"
            goal = equal(f"(+ (* {base} {self.sums(t)}) {self.dropped_at(t - 1).whole})", got)
        else:
            goal = equal(self.sums(t), f"(+ 0 {' '.join(came)})")
        return self.holding(facts, goal, *more, names=names)

    def empty(self, age: int) -> Iterator[Fact]:
        """That there is nothing in the columns without blocks."""
        for name in "xs":
            yield from self.nothing(self.pair(age), name)

    @property
    def v_age(self) -> int:
        """V leaves the columns."""
        return self.ending + self.to_v

    def v_column(self, c: int) -> str:
        """That a column of V is another sum."""
        base, first = 1 << self.digit, self.steps + 5
        facts: list[Fact] = []
        for age in range(first, self.v_age + 1):
            facts += self.drained(self.pair(age), c)
            facts += self.flags(age)
        return self.holding(facts, self.v_is(c, base, first))

    def v_is(self, c: int, base: int, first: int) -> str:
        words = [(1, self.word_at(f"{self.column(c)}round_o", self.steps - 1 + LOOP_S))]
        words += [
            (base, self.word_at(f"{self.column(c)}{name}", self.steps - 1 + LOOP_S)) for name in self.CARRIES
        ]
        for i in range(DELAY):
            words += [(1, word) for word in self.halves_of(self.pair(first + i), "s", c)]
        return equal(self.v_at(c).whole, total(words))

    def v_at(self, c: int) -> Word:
        return self.word_at(f"{self.column(c)}v_next_o", self.v_age)

    def v_value(self) -> str:
        base = 1 << self.digit
        return total((base**c, self.v_at(c)) for c in range(self.columns))

    def v_total(self) -> str:
        """That V is something else than S and the products of pending digits."""
        base, first = 1 << self.digit, self.steps + 5
        more = [self.v_is(c, base, first) for c in range(self.columns)]
        facts: list[Fact] = []
        names, back = [], []
        for t in range(self.steps, self.steps + DELAY):
            mine = [self.product_name("s", t, c) for c in range(self.steps)]
            names += mine
            more += [self.is_product("s", t, c, each) for c, each in enumerate(mine)]
            facts += self.nothing(self.pair(t + 4), "s")
            back.append(self.products("s", t))
        words = [self.v_at(c) for c in range(self.columns)]
        words += [
            self.word_at(f"{self.column(c)}{name}", self.steps - 1 + LOOP_S)
            for c in range(self.columns)
            for name in ("round_o", *self.CARRIES)
        ]
        words += [
            word
            for t in range(self.steps, self.steps + DELAY)
            for c in range(self.columns)
            for word in self.halves_of(self.pair(t + 5), "s", c)
        ]
        goal = equal(self.v_value(), f"(+ {self.sums(self.steps - 1)} {' '.join(back)})")
        return self.holding(facts, goal, *more, names=names, words=words)

    # --- the converter ----------------------------------------------------------------------------

    def words_of(self, name: str, first: int) -> list[Word]:
        """A register word by word, the first one at an age."""
        return [self.word_at(name, first + k) for k in range(self.words)]

    def valued(self, words: Sequence[Word]) -> str:
        return total((1 << (self.word * k), word) for k, word in enumerate(words))

    @property
    def room(self) -> int:
        return 1 << (self.word * self.words)

    def v_words(self) -> str:
        first = self.zero + HALVES - 1
        ages = range(first - 1, first + self.words)
        facts = list(self.every("the words of V", *ages))
        for age in ages:
            facts += [*self.flags(age), *self.v_moves(age)]
        got = self.words_of(f"{CONVERTER}u_resolve.sum_o", first + 1)
        over = [
            self.word_at(f"{CONVERTER}{name}", first + self.words) for name in ("u_resolve.carry_q", "high_q")
        ]
        carried = f"(* {self.room} (+ {over[0].whole} {over[1].whole}))"
        rest = [(1 << (self.digit * c), self.v_at(c)) for c in range(self.columns)]
        return self.holding(facts, equal(f"(+ {self.valued(got)} {carried})", total(rest)))

    def q_products(self) -> dict[str, int]:
        return {
            f"|q0*{k}.{lane}|": 1 << (self.word * k + self.digit * lane)
            for k in range(self.beats)
            for lane in range(self.lanes)
        }

    def q_word(self, cut: tuple[int, int]) -> Word:
        """Bits of Q."""
        return self.word_at(f"{QUOTIENT}q_o", self.zero, cut)

    def q_blocks(self) -> str:
        """That the converter's blocks make something else than products of Q0 and digits of M."""
        ages = range(self.zero, self.zero + self.words + 3)
        facts = list(self.every("the products of Q", *ages))
        facts += self.q_kept()
        for age in ages:
            facts += self.m_comes(age)
        low, goals = self.q_word((self.digit - 1, 0)), []
        for k in range(self.words):
            for lane in range(self.lanes):
                out = self.out_of(self.pair(self.zero + 3 + k), self.q_block(lane))
                factor = self.m_digit(k, lane).whole if k < self.beats else "0"
                goals.append(equal(out.whole, f"(* {low.whole} {factor})"))
        return self.holding(facts, all_of(*goals))

    def q_kept(self) -> Iterator[Fact]:
        """Q stays."""
        for age in range(self.zero, self.zero + self.words + 2):
            yield from self.q_stays(age)

    def q_words(self) -> str:
        """That the words of Q0·M are others."""
        first = self.zero + 3
        ages = range(first - 1, first + self.words)
        facts = list(self.every("the products of Q", *ages))
        more, names = [], list(self.q_products())
        for age in ages:
            facts += self.flags(age)
        for k in range(self.words):
            for lane in range(self.lanes):
                out = self.out_of(self.pair(first + k), self.q_block(lane))
                more.append(equal(out.whole, f"|q0*{k}.{lane}|" if k < self.beats else "0"))
        got = self.valued(self.words_of(f"{CONVERTER}u_product_sum.sum_o", first + 1))
        over = [
            self.word_at(f"{CONVERTER}{name}", first + self.words).whole
            for name in ("u_product_sum.carry_q", "product_high_q")
        ]
        goal = equal(f"(+ {got} (* {self.room} (+ {' '.join(over)})))", shown_sum(self.q_products()))
        return self.holding(facts, goal, *more, names=names)

    def m_value(self) -> str:
        return self.valued([self.m_word(k) for k in range(self.beats)])

    def q_half(self, k: int, bit: int) -> str:
        """That the words for a bit of Q are others than those of M, shifted, or 0."""
        first, facts = self.zero + max(k - 1, 0), list(self.q_kept())
        for age in range(first, first + self.words):
            facts += self.m_comes(age)
        facts += self.m_made()
        shift = self.digit + k
        value = self.q_word((shift, shift))
        got = self.words_of(self.halved(k), first + 1)
        high = self.m_split(self.beats - 1, shift)[1].whole
        over = f"(* {self.room} {high})" if self.words == self.beats else "0"
        goal = f"(+ (* {1 << shift} {self.m_value()}) (- 0 {over}))" if bit else "0"
        return self.holding(facts, equal(self.valued(got), goal), equal(value.whole, str(bit)))

    def joined_words(self) -> str:
        """That the words of V + Q·M are others, modulo what words there are for."""
        zero = self.zero
        facts: list[Fact] = []
        ages = range(zero, zero + self.words + 6)
        facts += self.every("the serial adders", *ages)
        for age in ages:
            facts += self.flags(age)
        parts = [
            self.words_of(f"{CONVERTER}u_resolve.sum_o", zero + HALVES),
            self.words_of(f"{CONVERTER}u_product_sum.sum_o", zero + 4),
            *(self.words_of(self.halved(k), zero + 1 + max(k - 1, 0)) for k in range(HALVES)),
        ]
        carries = [(f"{CONVERTER}gen_half[{k}].gen_more.u_add.carry_q", k) for k in range(1, HALVES)]
        carries += [(f"{CONVERTER}u_upper.carry_q", 3), (f"{CONVERTER}u_z_sum.carry_q", 4)]
        over = " ".join(self.word_at(name, zero + at + self.words).whole for name, at in carries)
        got = f"(+ {self.valued(self.total_words())} (* {self.room} (+ {over})))"
        return self.holding(facts, equal(got, f"(+ {' '.join(map(self.valued, parts))})"))

    def total_words(self) -> list[Word]:
        return self.words_of(f"{CONVERTER}u_z_sum.sum_o", self.zero + 5)

    def z_word(self, k: int) -> Word:
        return self.word_at(f"{CONVERTER}z", self.zero + self.shift + k)

    def z_value(self) -> str:
        return self.valued([self.z_word(k) for k in range(self.beats)])

    def z_facts(self) -> Iterator[Fact]:
        for age in range(self.zero + 5, self.zero + self.shift + self.beats):
            yield from (*self.flags(age), *self.m_comes(age))
            yield from self.every("Z and Z - M", age)
            yield from self.every("the serial adders", age)

    def z_words_made(self) -> str:
        """That the words of Z are not those of the sum without its lowest bits, and what is above them."""
        at, size = self.quotient, 1 << (self.word * self.beats)
        low = self.z_cut(self.pair(self.zero + 6), "z_sum_q2")[0].whole
        above = self.above()
        plain = equal(
            self.valued(self.total_words()),
            f"(+ {low} (* {1 << at} {self.z_value()}) (* {size << at} {above}))",
        )
        return self.holding(self.z_facts(), plain)

    def above(self) -> str:
        """What is above the words of Z in the sum."""
        words = self.total_words()
        if self.words == self.beats:
            return "0"
        high = self.z_cut(self.pair(self.zero + 5 + self.beats), "z_sum_q")[1].whole
        rest = {high: 1}
        w, at = self.word, self.quotient
        rest |= {each.whole: 1 << (w * k - at) for k, each in enumerate(words[self.beats + 1 :], 1)}
        return shown_sum(rest)

    def less_words(self) -> str:
        """That the words of Z - M are others, or the sign."""
        facts = [*self.z_facts(), *self.m_made()]
        first = self.zero + self.shift
        less = [self.word_at(f"{EXACT}less_q", first + 1 + k) for k in range(self.beats)]
        borrow = self.word_at(f"{EXACT}less", first + self.beats - 1, (self.word + 1, self.word + 1)).whole
        size = 1 << (self.word * self.beats)
        sign = self.word_at(f"{EXACT}sign_q", first + self.z_words - 1).whole
        z, m = self.z_value(), self.m_value()
        small = [f"(< {z} {2 << self.width})", f"(< {m} {1 << self.width})"]
        goals = [
            equal(f"(+ {self.valued(less)} {m})", f"(+ {z} (* {size} {borrow}))"),
            equal(equal(sign, "1"), f"(< {z} {m})"),
        ]
        return self.holding(facts, all_of(*goals), *small)

    def chosen(self, k: int) -> str:
        """That word k of z is neither that of Z nor that of Z - M, as the sign says."""
        first = self.zero + self.shift
        facts: list[Fact] = []
        for age in range(first + k, self.out + k + 1):
            facts += self.delayed(self.pair(age))
            facts += self.flags(age)
        for age in range(self.out, self.out + k):
            facts += self.delayed(self.pair(age))
            facts += self.flags(age)
        facts += [fact for fact in self.at_age(self.out + k) if any(w.name == f"w.{k}" for w in fact.words())]
        facts += self.every("Z and Z - M", first + k)
        sign = self.word_at(f"{EXACT}sign_q", self.out).whole
        less = self.word_at(f"{EXACT}less_q", first + k + 1).whole
        goal = equal(self.w_word(k).whole, f"(ite (= {sign} 1) {self.z_word(k).whole} {less})")
        return self.holding(facts, goal)

    # --- Q ----------------------------------------------------------------------------------------

    def part_of_q(self, i: int) -> str:
        """What comes to the sum of Q from digit i that is pending, without S above its lowest digit."""
        product = self.out_of(self.pair(self.steps + 4 + i), "core.gen_block.u_c_s.").whole
        above = self.word_at(f"{QUOTIENT}above_q", self.steps + 2 + i).whole
        return f"(+ {product} (* {1 << self.digit} {above}))"

    def quotient_digits(self) -> Iterator[str]:
        """That this is something else than the digit times its constant, modulo B·2^e."""
        d = self.digit
        for i in range(DELAY + 1):
            first = self.steps + 1 + i
            facts = [*self.every("Q", *range(first, first + 4)), *self.c_comes(i)]
            s, c = self.dropped_at(self.steps - DELAY - 1 + i), self.c_constant(i)
            high = f"|{QUOTIENT}c_q[{d + HALVES - 1}:{d}]@{first}|"
            rest = f"|{self.column(0)}sum_o[{d - 1}:{HALVES}]@{first}|"
            lost = f"|above.product@{first}.high|"
            gone = f"(* {1 << (d + HALVES)} (+ {lost} (* {rest} {high})))"
            goal = equal(f"(+ {self.part_of_q(i)} {gone})", f"(* {s.whole} {c.whole})")
            yield self.holding(facts, goal)

    def c_comes(self, i: int) -> Iterator[Fact]:
        """The constant of digit i."""
        name = self.c_constant(i).name
        return (f for f in self.at_age(self.steps + i) if any(word.name == name for word in f.words()))

    def quotient_made(self) -> Iterator[str]:
        """That Q is not made up of these; that S above its lowest digit is not what it should be."""
        d, n, first = self.digit, 1 << (self.digit + HALVES), self.steps
        names = {f"|p.{i}|": 1 for i in range(DELAY + 1)}
        facts: list[Fact] = []
        for age in range(first + 1, self.zero):
            facts += self.every("Q", age)
            facts += self.lines(age)
        more = [equal(name, self.part_of_q(i)) for i, name in enumerate(names)]
        upper_product = self.word_at(f"{QUOTIENT}upper_product_q", self.zero - 2).whole
        q = self.word_at(f"{QUOTIENT}q_o", self.zero).whole
        goal = f"(= 0 (mod (- {q} {shown_sum(names | {upper_product: 1 << d})}) {n}))"
        yield self.holding(facts, goal, *more, names=list(names))
        upper, least = (
            self.word_at(f"{QUOTIENT}upper_q", self.zero - 3),
            self.word_at(f"{QUOTIENT}c_q", self.zero - 4, (HALVES - 1, 0)),
        )
        facts = [*self.every("Q", self.zero - 4, self.zero - 3)]
        lost = f"|upper.product@{self.zero - 3}.high|"
        goal = equal(f"(+ {upper_product} (* {1 << HALVES} {lost}))", f"(* {upper.whole} {least.whole})")
        yield self.holding(facts, goal)
        facts = []
        for age in (self.zero - 4, self.zero - 3):
            facts += self.every("Q", age)
            facts += self.lines(age)
        facts += self.every("the columns of S", self.zero - 5)
        s = self.sums(self.steps - 1)
        goal = f"(= 0 (mod (- {s} {self.dropped_at(self.steps - 1).whole} (* {1 << d} {upper.whole})) {n}))"
        yield self.holding(facts, goal)

    def lines(self, age: int) -> Iterator[Fact]:
        """The line of the quotient's unit at an age."""
        yield from (
            fact
            for fact in self.at_age(age)
            if any(f"{QUOTIENT}line_q[" in word.name for word in fact.words())
        )

    # --- the theorem ------------------------------------------------------------------------------

    @property
    def base(self) -> int:
        return 1 << self.digit

    @property
    def scale(self) -> int:
        """B·2^e."""
        return 1 << self.quotient

    def bounded(self) -> Iterator[str]:
        """That a product of a digit, a sum S_t, V, or Z is out of range."""
        b, n = self.base, self.scale
        yield self.denied(
            "abM", ["(<= 0 a)", f"(< a {b})", "(<= 0 b)", "(<= b M)"], f"(<= 0 (* a b) (* {b - 1} M))"
        )
        yield self.denied("qM", ["(<= 0 q)", f"(< q {n})", "(<= 0 M)"], f"(<= 0 (* q M) (* {n - 1} M))")
        in_range = [f"(<= 0 {p} (* {b - 1} M))" for p in ("p", "r")]
        known = ["(<= 1 M)", *in_range, "(<= 0 S)", f"(< S (* {2 * b} M))", "(<= 0 d)"]
        names = ("S", "S_n", "M", "p", "r", "d")
        made = f"(= (+ (* {b} S_n) d) (+ S (* {b} p) (* {b} r)))"
        yield self.denied(names, [*known, made], f"(< S_n (* {2 * b} M))")
        yield self.denied("pM", ["(<= 1 M)", f"(<= 0 p (* {b - 1} M))"], f"(< p (* {2 * b} M))")
        back = [f"r{i}" for i in range(DELAY)]
        known = ["(<= 1 M)", "(<= 0 S)", f"(< S (* {2 * b} M))", f"(<= 0 qM (* {n - 1} M))"]
        known += [f"(<= 0 {r} (* {b - 1} M))" for r in back]
        known += [f"(= V (+ S {' '.join(back)}))", f"(= (+ V qM) (* {n} h))", f"(< M {1 << self.width})"]
        goals = ["(<= 0 h)", "(< h (* 2 M))", "(<= 0 (+ V qM))", f"(< (+ V qM) {self.room})"]
        yield self.denied(("S", "M", "V", "qM", "h", *back), known, *goals)

    def exact(self) -> str:
        """That Q·M + V is no multiple of B·2^e.

        ``g`` is that of C[0]·M + 1 = B·2^e·g: the difference is 0, and so is S times that, which the first
        question of :meth:`right` says.
        """
        n, b, h = self.scale, self.base, 1 << HALVES
        pending = range(DELAY)
        lines, names = (
            [],
            ["M", "S", "last", "upper", "sigma", "c", "least", "rest", "u", "lost", "q", "kappa", "g"],
        )
        names += [f"{name}{i}" for i in range(DELAY + 1) for name in ("p", "lost")]
        names += [f"{name}{i}" for i in pending for name in ("d", "c", "g", "K")]
        lines += [f"(= p{i} (- (* d{i} c{i}) (* {n} lost{i})))" for i in pending]
        lines += [f"(= p{DELAY} (- (* last c) (* {n} lost{DELAY})))"]
        lines += [f"(= K{i} (- (* {n} g{i}) (* c{i} M)))" for i in pending]
        lines += [
            f"(= last (- S (* {b} upper) (* {n} sigma)))",
            f"(= least (- c (* {h} rest)))",
            f"(= u (- (* upper least) (* {h} lost)))",
            f"(= q (+ {' '.join(f'p{i}' for i in range(DELAY + 1))} (* {b} u) (* {n} kappa)))",
            f"(= (* S (+ (* c M) 1 (* {number(-n)} g))) 0)",
        ]
        inner = " ".join(f"(- 0 lost{i})" for i in range(DELAY + 1))
        whole = f"(* M (+ {inner} (- 0 (* sigma c)) (- 0 (* upper rest)) (- 0 lost) kappa))"
        gs = " ".join(f"(* d{i} g{i})" for i in pending)
        v = f"(+ S {' '.join(f'(* d{i} K{i})' for i in pending)})"
        goal = f"(= (+ (* q M) {v}) (* {n} (+ {whole} {gs} (* S g))))"
        return self.denied(names, lines, goal)

    def right(self) -> Iterator[str]:
        """That z is wrong, given what is right of sums, V, words and Q."""
        b, steps = self.base, self.steps
        yield self.denied("ae", ["(= e 0)"], "(= (* a e) 0)")
        digits = [f"y{c}" for c in range(steps)]
        y = shown_sum({each: b**c for c, each in enumerate(digits)})
        made = shown_sum({f"(* x {each})": b**c for c, each in enumerate(digits)})
        yield self.denied(("x", *digits), [], equal(f"(* x {y})", made))
        yield self.summed()
        yield self.reached()
        yield self.ended()

    def summed(self) -> str:
        """That B^(T-1)·V is not x·y and a multiple of M.

        ``p.t`` is x_t·y, ``r.t`` what comes back in the slot of step t, a digit times K[j]; B^j·K[j] is 1 and
        a multiple of M, so B^j times that is the digit and a multiple, e.t, of M.
        """
        b, steps = self.base, self.steps
        x = shown_sum({f"x.{t}": b**t for t in range(steps)})
        back = range(LOOP_T, steps + DELAY)
        names = ["y", "M", "V"]
        names += [f"{name}.{t}" for t in range(steps) for name in ("x", "S", "d")]
        names += [f"{name}.{t}" for t in back for name in ("r", "e")]
        known = ["(= S.0 (* x.0 y))"]
        for t in range(1, steps):
            comes = f" (* {b} r.{t})" if t >= LOOP_T else ""
            known.append(f"(= (+ (* {b} S.{t}) d.{t - 1}) (+ S.{t - 1} (* {b} (* x.{t} y)){comes}))")
        multiples = {}
        for t in back:
            j = LOOP_T if t < steps else steps + DELAY - t
            known.append(f"(= (* {b**j} r.{t}) (+ d.{t - LOOP_T} (* M e.{t})))")
            multiples[f"e.{t}"] = b ** (t - LOOP_T)
        known.append(f"(= V (+ S.{steps - 1} {' '.join(f'r.{t}' for t in range(steps, steps + DELAY))}))")
        goal = f"(= (* {b ** (steps - 1)} V) (+ (* {x} y) (* M {shown_sum(multiples)})))"
        return self.denied(names, known, goal)

    def reached(self) -> str:
        """That the words of Z are not those of (V + Q·M)/(B·2^e)."""
        n, modulo, size = self.scale, self.room, 1 << (self.word * self.beats)
        halves = range(HALVES)
        names = ["T", "V", "v", "M", "q", "q0", "product", "low", "Z", "above", "h"]
        names += [f"{name}{k}" for k in halves for name in ("bit", "half", "top")]
        names += ["o1", "o2", "o3"]
        known = [
            f"(= (+ T (* {modulo} o1)) (+ v product {' '.join(f'half{k}' for k in halves)}))",
            f"(= (+ v (* {modulo} o2)) V)",
            f"(= (+ product (* {modulo} o3)) (* q0 M))",
            *(
                f"(= half{k} (- (* {1 << (self.digit + k)} (* bit{k} M)) (* {modulo} top{k})))"
                for k in halves
            ),
            f"(= q (+ q0 {shown_sum({f'bit{k}': 1 << (self.digit + k) for k in halves})}))",
            f"(= (+ V (* q M)) (* {n} h))",
            f"(<= 0 (* {n} h))",
            f"(< (* {n} h) {modulo})",
            f"(and (<= 0 T) (< T {modulo}))",
            f"(= T (+ low (* {n} Z) (* {n * size} above)))",
            f"(and (<= 0 low) (< low {n}) (<= 0 above) (<= 0 Z) (< Z {size}))",
            f"(and (< h (* 2 M)) (< M {1 << self.width}))",
        ]
        return self.denied(names, known, "(= Z h)")

    def ended(self) -> str:
        """That z is out of range, or no multiple of M away from x·y, R times."""
        steps, n, size = self.steps, self.scale, 1 << (self.word * self.beats)
        front = self.base ** (steps - 1)
        known = [
            f"(and (<= 0 Z) (< Z (* 2 M)) (<= 1 M) (< M {1 << self.width}))",
            f"(and (<= 0 z) (< z {size}) (<= 0 sign 1) (<= 0 borrow 1))",
            "(= (= sign 1) (< Z M))",
            f"(ite (= sign 1) (= z Z) (= (+ z M) (+ Z (* {size} borrow))))",
            f"(= (+ V qM) (* {n} Z))",
            f"(= (* {front} V) (+ xy eM))",
            "(= times (- 1 sign))",
        ]
        names = ("Z", "M", "z", "sign", "borrow", "V", "qM", "xy", "eM", "times")
        radix = front * n
        goal = f"(= (* {radix} z) (+ xy eM (* {front} qM) (- 0 (* {radix} (ite (= times 1) M 0)))))"
        return self.denied(names, known, "(<= 0 z)", "(< z M)", goal)

    def composed(self) -> str:
        """That what the lemmas keep up does not go on holding: one step of the induction over clock cycles.

        ``at.b`` stands for the operation at age b, ``past.b`` for a state at each age up to b, one behind the
        other, with the same operands and context; ``at.0`` for the time before its start. ``good`` is that w,
        the words that the converter has put out, are right; ``given`` and ``done`` that they have left, and
        that z is w and right. The ending ``_n`` is for the next state.
        """
        last = self.last
        names = [f"at.{b}" for b in range(last + 2)] + [f"past.{b}" for b in range(1, last + 1)]
        names += ["good", "given", "done"]

        def holds(ending: str) -> str:
            parts = [implies(f"at.{b}{ending}", f"past.{b}{ending}") for b in range(1, last + 1)]
            parts.append(implies(f"at.{last + 1}{ending}", f"good{ending}"))
            return all_of(*parts, implies(f"given{ending}", f"done{ending}"))

        lemmas = [implies("at.1_n", "past.1_n")]
        for b in range(2, last + 1):
            lemmas.append(implies(f"at.{b}_n", f"at.{b - 1}"))
            lemmas.append(implies(all_of(f"at.{b}_n", f"at.{b - 1}", f"past.{b - 1}"), f"past.{b}_n"))
        behind = f"(or at.{last} at.{last + 1})"
        lemmas += [
            implies(all_of(f"at.{last}", f"past.{last}"), "good"),
            implies(f"at.{last + 1}_n", all_of(behind, implies("good", "good_n"))),
            implies("given_n", all_of(behind, implies("good", "done_n"))),
        ]
        lines = [f"(declare-const {name}{ending} Bool)" for name in names for ending in ("", "_n")]
        lines += [f"(assert {each})" for each in (*lemmas, holds(""), negation(holds("_n")))]
        return "\n".join(lines)
