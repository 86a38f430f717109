# SPDX-License-Identifier: Apache-2.0
"""Of ``sparse_prime_dsp``: z is x·y mod M, M = 2^Width - D being the modulus of the build.

From reset to result, at full width, for all x and y of Width bits and any behaviour at the ports, resets
included. n, X, H, L, Q, U, V and Z are those of the header of ``mm_sparse_prime_dsp``; B is 2 to the bits of
a digit, T the number of digits of X, D' = D·2^(n - Width), M' = 2^n - D'. Three layers, as for
``montgomery_dsp``:

- **invariant** (``sparse_prime_dsp_where``, on the netlist): where an operation is, and what it needs.
- **step** (``sparse_prime_dsp_row``, on the netlist): what each cycle does, as facts about words.
- **number** (here, over integers): a step makes B·S_t + l_(t-1) = S_(t-1) + B·X_t·y of them; S_(T-1) is B·H
  and the last digit of L, so X·y = H·2^n + L. Each node of the tree of additions is the sum or the difference
  of the nodes below it, but for a multiple of a power of 2 that is above all words. So U = L + H·D', which is
  below 2^n·(D + 1), and V = U mod 2^n + floor(U / 2^n)·D', which is below 2M'. The bit at 2^n of V + D' tells
  whether V reaches M', and Z is V or V - M'. X·y - Z is a multiple of M', so z = Z/2^(n - Width) leaves no
  rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from modmul.prove.product.montgomery_dsp import total
from modmul.prove.product.montgomery_dsp_where import ROW
from modmul.prove.product.sparse_prime_dsp_row import Node, Worked
from modmul.prove.product.sparse_prime_dsp_where import FIRST, HIGH, REDUCE, SECOND, TOTAL
from modmul.prove.solve import Obligation
from modmul.prove.terms import Fact, Word, all_of, equal, number, shown_sum

__all__ = ["RowAlone"]


class RowAlone(Worked):
    """The obligations of a build."""

    def of_numbers(self) -> Iterator[Obligation]:
        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        yield z3("the blocks multiply digits of X", *(self.products_made(t) for t in range(self.steps)))
        for t in range(self.steps):
            yield z3(f"step {t} of the sum", self.step(t))
        yield z3("the words of H", self.h_words())
        yield z3("the words of Q", self.q_made())
        yield z3("the words of L", self.l_made())
        yield z3("the words of U mod 2^n and above it", self.u_cut())
        for name, fold in (("U", FIRST), ("V", SECOND)):
            yield z3(f"nothing comes before or behind what is multiplied for {name}", self.idle(fold))
            indices = range(1, len(self.powers) + 1)
            yield z3(f"powers of 2 for {name}", *(self.shifted(fold, index) for index in indices))
            nodes = (each for level in self.tree()[1:] for each in level)
            yield z3(f"the additions for {name}", *(self.node_made(fold, each) for each in nodes))
            yield z3(f"the tree of {name}", self.tree_made(fold))
        yield z3("the words of V + D'", self.more_made())
        yield z3("the words of Z", *(self.chosen(k) for k in range(self.beats)))
        yield z3("the words of z", self.z_made())
        yield z3("what is below what", *self.bounded())
        yield z3("z is right", *self.right())
        yield z3("these lemmas make an induction over ages and clock cycles", self.composed())

    # --- the row ----------------------------------------------------------------------------------

    def sums(self, t: int) -> str:
        """S_t, with the carries and what the highest block has handed on."""
        age, base = t + self.first_s, 1 << self.digit
        words = [(base**self.columns, self.word_at(f"{ROW}top_q", age))]
        for c in range(self.columns):
            path = self.column(c)
            words.append((base**c, self.word_at(f"{path}sum_o", age)))
            words += [
                (base ** (c + 1), self.word_at(f"{path}{name}", age)) for name in ("s_carry", "x_keep_q")
            ]
        return total(words)

    def dropped_at(self, t: int) -> Word:
        """The lowest digit of S_t."""
        return self.word_at(f"{self.column(0)}sum_o", t + self.first_s)

    def made_of(self, t: int, c: int, value: str) -> str:
        """That both halves of a block's product in step t are those of a value."""
        low, high = (
            self.word_at(f"{self.column(c)}{name}", t + self.first_s - 1) for name in ("low_q", "high_o")
        )
        return equal(f"(+ {low.whole} (* {1 << self.digit} {high.whole}))", value)

    def product_sum(self, t: int) -> str:
        base = 1 << self.digit
        return shown_sum({self.product_name("x", t, c): base**c for c in range(self.columns)})

    def products_made(self, t: int) -> str:
        """That a block makes something else than the product of its digits."""
        facts = [*self.every("the blocks", *range(t + 2, t + self.mul + 3)), *self.at_age(t + 2)]
        x = self.x_digit(t).whole
        goals = [self.made_of(t, c, f"(* {x} {self.y_digit(c).whole})") for c in range(self.columns)]
        return self.holding(facts, all_of(*goals))

    def step(self, t: int) -> str:
        """That a step makes another sum."""
        age, base = t + self.first_s, 1 << self.digit
        facts = [*self.every("the columns", age - 2, age - 1, age)]
        facts += [*self.flags(age - 2), *self.flags(age - 1)]
        names = [self.product_name("x", t, c) for c in range(self.columns)]
        more = [self.made_of(t, c, name) for c, name in enumerate(names)]
        if t:
            left = f"(+ (* {base} {self.sums(t)}) {self.dropped_at(t - 1).whole})"
            goal = equal(left, f"(+ {self.sums(t - 1)} (* {base} {self.product_sum(t)}))")
        else:
            goal = equal(self.sums(t), self.product_sum(t))
        return self.holding(facts, goal, *more, names=names)

    def h_value(self) -> str:
        """H, of its words and the carries with them."""
        d, words = self.digit, []
        for j in range(self.beats):
            for lane in range(self.lanes):
                cut, weight = ((lane + 1) * d - 1, lane * d), 1 << (self.word * j + d * lane)
                for name in ("h_o", "carries_o"):
                    words.append((weight, self.word_at(f"{HIGH}{name}", self.first_h + j, cut)))
        return total(words)

    def h_words(self) -> str:
        """That H is not what is left of S, but for its lowest digit."""
        facts = [fact for age in range(self.tap, self.first_h + self.beats) for fact in self.h_comes(age)]
        last = self.steps - 1
        goal = equal(
            f"(+ (* {1 << self.digit} {self.h_value()}) {self.dropped_at(last).whole})", self.sums(last)
        )
        words = [self.dropped_at(last)]
        return self.holding(facts, goal, words=words)

    # --- words at an age --------------------------------------------------------------------------

    def factor_at(self, fold: str, j: int) -> Word:
        """Word j of what is multiplied by D', which may be before the first or behind the last."""
        return self.line(self.pair(self.first_of(fold) + j), fold, 0)

    def first_of(self, fold: str) -> int:
        """The age of the first words at a product by D'."""
        return self.first_q if fold == FIRST else self.first_r

    def factors_of(self, fold: str) -> int:
        """Words of what is multiplied."""
        return self.beats if fold == FIRST else self.above_words

    def words_in(self, fold: str) -> int:
        """Words of the sum."""
        return self.beats + (self.above_words if fold == FIRST else 1)

    def factor_value(self, fold: str) -> str:
        return self.valued([self.factor_at(fold, j) for j in range(self.factors_of(fold))])

    def node_words(self, fold: str, level: int, place: int) -> list[Word]:
        first = self.first_of(fold) + level
        return [self.node(self.pair(first + j), fold, level, place) for j in range(self.words_in(fold))]

    def node_value(self, fold: str, level: int, place: int) -> str:
        return self.valued(self.node_words(fold, level, place))

    @property
    def size(self) -> int:
        """2^n."""
        return 1 << (self.word * self.beats)

    def room_of(self, fold: str) -> int:
        """What is above all words of the sum."""
        return 1 << (self.word * self.words_in(fold))

    def made_between(self, kind: str, first: int, last: int) -> list[Fact]:
        """Facts of a kind with the windows, at ages from a first to a last one."""
        ages = range(first, last + 1)
        return [*self.every(kind, *ages), *chain.from_iterable(self.flags(age) for age in ages)]

    # --- Q, L, U and V ----------------------------------------------------------------------------

    def q_made(self) -> str:
        """That the words of Q, with the carry of the last one, are not H."""
        first = self.first_h
        facts = self.made_between("the words of Q", first - 1, first + self.beats - 1)
        carry = self.word_at(f"{TOTAL}carry_q", first + self.beats).whole
        return self.holding(
            facts, equal(f"(+ {self.factor_value(FIRST)} (* {self.size} {carry}))", self.h_value())
        )

    def l_made(self) -> str:
        """That the words of L are not the digits which the row has dropped."""
        first, base = self.first_q, 1 << self.digit
        facts = self.made_between("the words of L", first - 1, first + self.words_in(FIRST) - 2)
        ages = [*range(self.first_s, self.first_s + self.steps), *range(first - 1, first + self.beats - 1)]
        facts += [fact for age in ages for fact in self.at_age(age) if self.speaks_of(fact, "l.")]
        goal = equal(
            self.node_value(FIRST, 0, 0), total((base**t, self.dropped_at(t)) for t in range(self.steps))
        )
        return self.holding(facts, goal)

    @staticmethod
    def speaks_of(fact: Fact, name: str) -> bool:
        """Whether a fact has a word whose name begins so."""
        return any(word.name.startswith(name) for word in fact.words())

    def u_cut(self) -> str:
        """That the words at the second product by D' are not those of U."""
        facts = self.made_between("the parts of U", self.first_u, self.first_r + self.beats - 1)
        words = self.node_words(FIRST, self.levels, 0)
        low, high = self.valued(words[: self.beats]), self.valued(words[self.beats :])
        goals = (equal(self.node_value(SECOND, 0, 0), low), equal(self.factor_value(SECOND), high))
        return self.holding(facts, all_of(*goals))

    def idle_places(self, fold: str) -> list[int]:
        """The places before and behind the words of what is multiplied at which it has to be 0."""
        oldest = max(place for place, _ in self.powers) // self.word + 1
        return [*range(-oldest, 0), *range(self.factors_of(fold), self.words_in(fold))]

    def idle(self, fold: str) -> str:
        """That there are words which are not 0."""
        kind, first = "the words of Q" if fold == FIRST else "the parts of U", self.first_of(fold)
        facts, goals = [], []
        for j in self.idle_places(fold):
            facts += self.made_between(kind, first + j - 1, first + j - 1)
            goals.append(equal(self.factor_at(fold, j).whole, "0"))
        return self.holding(facts, all_of(*goals))

    def gone(self, fold: str, index: int) -> str:
        """What is above all words of what is multiplied, times a power of 2."""
        k, shift = divmod(self.powers[index - 1][0], self.word)
        words, first = self.words_in(fold), self.first_of(fold)
        found: list[tuple[int, Word]] = []
        for j in range(self.factors_of(fold)):
            p, place = self.pair(first + j), j + k - words
            if not shift:
                found += [(1 << (self.word * place), self.factor_at(fold, j))] if place >= 0 else []
                continue
            low, high = self.leaf_halves(p, fold, 0, shift)
            found += [(1 << (self.word * place + shift), low)] if place >= 0 else []
            found += [(1 << (self.word * (place + 1)), high)] if place >= -1 else []
        return total(found)

    def shifted(self, fold: str, index: int) -> str:
        """That a leaf is not what is multiplied, times a power of 2."""
        first, words, place = self.first_of(fold), self.words_in(fold), self.powers[index - 1][0]
        kind = "the words of U" if fold == FIRST else "the words of V"
        names = {self.node(self.pair(first), fold, 0, index).name.rpartition("@")[0]}
        oldest = place // self.word + 1
        ages = range(first - oldest, first + words)
        facts = [fact for fact in self.every(kind, *ages) if self.of_leaf(fact, fold, names)]
        more = [equal(self.factor_at(fold, j).whole, "0") for j in self.idle_places(fold)]
        words_idle = [self.factor_at(fold, j) for j in self.idle_places(fold)]
        value = f"(+ {self.node_value(fold, 0, index)} (* {self.room_of(fold)} {self.gone(fold, index)}))"
        goal = equal(value, f"(* {1 << place} {self.factor_value(fold)})")
        return self.holding(facts, goal, *more, words=words_idle)

    @staticmethod
    def of_leaf(fact: Fact, fold: str, names: set[str]) -> bool:
        """Whether a fact is about the line of words, or what a leaf takes from it."""
        own = {word.name.rpartition("@")[0] for word in fact.words()}
        return bool(own & names) or all(name.startswith(f"{fold}q[") for name in own)

    def node_carry(self, fold: str, each: Node) -> Word:
        """The carry of the last word of a sum."""
        age = self.first_of(fold) + each.level - 1 + self.words_in(fold)
        return self.word_at(self.carry_of(fold, each), age)

    def node_made(self, fold: str, each: Node) -> str:
        """That a node is not the sum or the difference of those below it."""
        first, words = self.first_of(fold) + each.level - 1, self.words_in(fold)
        facts: list[Fact] = []
        for age in range(first - 1, first + words):
            facts += [*self.added_up(self.pair(age), fold, each), *self.flags(age)]
        return self.holding(facts, self.node_is(fold, each))

    def node_is(self, fold: str, each: Node) -> str:
        """What a node is."""
        value = self.node_value(fold, each.level, each.place)
        parts = [self.node_value(fold, each.level - 1, 2 * each.place + i) for i in range(len(each.signs))]
        if len(parts) == 1:
            return equal(value, parts[0])
        over = f"(* {self.room_of(fold)} {self.node_carry(fold, each).whole})"
        if min(each.signs) > 0:
            return equal(f"(+ {value} {over})", f"(+ {' '.join(parts)})")
        added, taken = parts if each.signs[0] > 0 else reversed(parts)
        return equal(f"(+ {value} {taken})", f"(+ {added} {over})")

    def over(self, fold: str, each: Node) -> str:
        """What a node lacks of its number, in parts of what is above all words."""
        if not each.level:
            return self.gone(fold, each.place) if each.place else "0"
        below = self.tree()[each.level - 1]
        parts = [
            f"(* {number(sign)} {self.over(fold, below[2 * each.place + i])})"
            for i, sign in enumerate(each.signs)
        ]
        if len(parts) == 2:
            parts.append(f"(* {number(min(each.signs))} {self.node_carry(fold, each).whole})")
        return f"(+ 0 {' '.join(parts)})"

    def tree_made(self, fold: str) -> str:
        """That the tree of additions makes something else of its leaves."""
        more = [self.node_is(fold, each) for level in self.tree()[1:] for each in level]
        room, factor = self.room_of(fold), self.factor_value(fold)
        words = [self.factor_at(fold, j) for j in range(self.factors_of(fold))]
        for index, (place, _) in enumerate(self.powers, 1):
            value = f"(+ {self.node_value(fold, 0, index)} (* {room} {self.gone(fold, index)}))"
            more.append(equal(value, f"(* {1 << place} {factor})"))
            if shift := place % self.word:
                for j in range(self.factors_of(fold)):
                    words += self.leaf_halves(self.pair(self.first_of(fold) + j), fold, 0, shift)
        for level in self.tree():
            for each in level:
                words += self.node_words(fold, each.level, each.place)
                words += [self.node_carry(fold, each)] if len(each.signs) == 2 else []
        root = self.tree()[-1][0]
        value = f"(+ {self.node_value(fold, self.levels, 0)} (* {room} {self.over(fold, root)}))"
        goal = equal(value, f"(+ {self.node_value(fold, 0, 0)} (* {self.scaled} {factor}))")
        return self.holding([], goal, *more, words=words)

    # --- Z and z ----------------------------------------------------------------------------------

    def more_words(self) -> list[Word]:
        """The words of V + D'."""
        return [self.word_at(f"{REDUCE}u_more.z_o", self.first_v + j) for j in range(self.beats + 1)]

    def reaches_at(self, age: int) -> Word:
        return self.word_at(f"{REDUCE}reaches_q", age)

    def more_made(self) -> str:
        """That the words of V + D' are others, or that what is kept of them is not their bit at 2^n."""
        first, last = self.first_v, self.first_v + self.beats
        facts = self.made_between("V + D'", first - 1, last)
        for age in range(first - 1, last + 1):
            facts += [
                f
                for f in self.at_age(age)
                if self.speaks_of(f, f"{REDUCE}d_q") or self.speaks_of(f, f"{REDUCE}reaches")
            ]
        carry = self.word_at(f"{REDUCE}u_more.carry_q", last + 1).whole
        room = self.room_of(SECOND)
        got = f"(+ {self.valued(self.more_words())} (* {room} {carry}))"
        rest = self.more_cut(self.pair(last))[1]
        goals = [
            equal(got, f"(+ {self.node_value(SECOND, self.levels, 0)} {self.scaled})"),
            equal(
                self.more_words()[-1].whole, f"(+ {self.reaches_at(self.first_z).whole} (* 2 {rest.whole}))"
            ),
        ]
        return self.holding(facts, all_of(*goals))

    def z_word(self, k: int) -> Word:
        return self.word_at(f"{REDUCE}z", self.first_z + k)

    def chosen(self, k: int) -> str:
        """That word k of Z is neither that of V + D' nor that of V, as the bit says."""
        facts = [*self.every("the words of z", *range(self.first_v + k, self.first_z + k + 1))]
        for age in range(self.first_z, self.first_z + k):
            facts += [f for f in self.at_age(age) if self.speaks_of(f, f"{REDUCE}reaches")]
        bit, v = self.reaches_at(self.first_z).whole, self.node_words(SECOND, self.levels, 0)[k].whole
        goal = equal(self.z_word(k).whole, f"(ite (= {bit} 1) {self.more_words()[k].whole} {v})")
        return self.holding(facts, goal, words=[self.reaches_at(self.first_z)])

    def z_made(self) -> str:
        """That the words of z are not those of Z, shifted."""
        facts = self.made_between("the words of z", self.first_z, self.last)
        for k in range(self.beats):
            facts += [f for f in self.at_age(self.out + k) if self.speaks_of(f, "w.")]
        value = f"(* {1 << self.lift} {self.valued([self.w_word(k) for k in range(self.beats)])})"
        low = self.z_cut_at(self.pair(self.first_z), "z")[0].whole if self.lift else "0"
        z = self.valued([self.z_word(k) for k in range(self.beats)])
        return self.holding(facts, equal(f"(+ {value} {low})", z))

    # --- the theorem ------------------------------------------------------------------------------

    def bounded(self) -> Iterator[str]:
        """That a product of x and y, H, U, what is above 2^n in U, or V is out of range."""
        most, size, d = 1 << self.width, self.size, self.scaled >> self.lift
        factors = [f"(<= 0 {name} {most - 1})" for name in "xy"]
        yield self.denied("xy", factors, f"(<= 0 (* x y) {(most - 1) ** 2})")
        known = [f"(<= 0 xy {(most - 1) ** 2})", f"(= (* {1 << self.lift} xy) (+ (* {size} H) L))"]
        known += [
            f"(<= 0 L {size - 1})",
            f"(= (+ Q (* {size} carry)) H)",
            f"(<= 0 Q {size - 1})",
            "(<= 0 carry 1)",
        ]
        yield self.denied(("xy", "H", "L", "Q", "carry"), known, "(= Q H)", f"(<= 0 H {most - 1})")
        known = [f"(<= 0 H {most - 1})", f"(<= 0 L {size - 1})"]
        known += [f"(= (+ U (* {self.room_of(FIRST)} over)) (+ L (* {self.scaled} H)))"]
        known += [f"(<= 0 U {self.room_of(FIRST) - 1})", f"(= U (+ r (* {size} t)))", f"(<= 0 r {size - 1})"]
        goals = ("(= over 0)", f"(<= 0 t {d})")
        yield self.denied(("H", "L", "U", "over", "r", "t"), known, *goals)
        known = [f"(<= 0 r {size - 1})", f"(<= 0 t {d})", f"(<= 0 V {self.room_of(SECOND) - 1})"]
        known += [f"(= (+ V (* {self.room_of(SECOND)} over)) (+ r (* {self.scaled} t)))"]
        yield self.denied(
            ("r", "t", "V", "over"), known, "(= over 0)", f"(<= 0 V {2 * (size - self.scaled) - 1})"
        )

    def right(self) -> Iterator[str]:
        """That z is wrong, given what is right of sums, U, V and words."""
        yield self.operands_are()
        yield self.distributed()
        yield self.denied("ae", ["(= e 0)"], "(= (* a e) 0)")
        yield self.summed()
        yield self.ended()

    def operands_are(self) -> str:
        """That the digits of X do not make x, shifted up, or those of y not y, where it has Width bits."""
        base, rest = 1 << self.digit, self.y_rest()
        x = total((base**t, self.x_digit(t)) for t in range(self.steps))
        y = total((base**c, self.y_digit(c)) for c in range(self.columns))
        goals = (equal(x, f"(* {1 << self.lift} {self.x_whole().whole})"), equal(y, self.y_whole().whole))
        more = [equal(rest.whole, "0")] if rest else []
        return self.holding(self.operands_made(), all_of(*goals), *more)

    def distributed(self) -> str:
        """That a product of a digit of X and y is not the sum of those with the digits of y."""
        digits = {f"y{c}": (1 << self.digit) ** c for c in range(self.columns)}
        made = shown_sum({f"(* x {name})": weight for name, weight in digits.items()})
        return self.denied(("x", *digits), [], equal(f"(* x {shown_sum(digits)})", made))

    def summed(self) -> str:
        """That X·y is not H·2^n + L; y is a factor of X - 2^(n - Width)·x, which is 0."""
        b, steps = 1 << self.digit, self.steps
        names = ["y", "x", "H", *(f"{name}.{t}" for name in ("x", "S", "l") for t in range(steps))]
        known = ["(= S.0 (* x.0 y))"]
        for t in range(1, steps):
            known.append(f"(= (+ (* {b} S.{t}) l.{t - 1}) (+ S.{t - 1} (* {b} (* x.{t} y))))")
        known.append(f"(= (+ (* {b} H) l.{steps - 1}) S.{steps - 1})")
        x = shown_sum({f"x.{t}": b**t for t in range(steps)})
        low = shown_sum({f"l.{t}": b**t for t in range(steps)})
        known.append(f"(= (* y (- {x} (* {1 << self.lift} x))) 0)")
        goal = f"(= (* {1 << self.lift} (* x y)) (+ (* {self.size} H) {low}))"
        return self.denied(names, known, goal)

    def ended(self) -> str:
        """That z is out of range, or no multiple of M away from x·y."""
        size, d, m = self.size, self.scaled, self.modulus
        scale = 1 << self.lift
        names = (
            "xy",
            "H",
            "L",
            "U",
            "r",
            "t",
            "V",
            "v",
            "top",
            "T",
            "low",
            "reaches",
            "rest",
            "over",
            "Z",
            "z",
            "least",
        )
        known = [
            f"(= (* {scale} xy) (+ (* {size} H) L))",
            f"(= U (+ L (* {d} H)))",
            f"(= U (+ r (* {size} t)))",
            f"(= V (+ r (* {d} t)))",
            f"(<= 0 V {2 * (size - d) - 1})",
            f"(= V (+ v (* {size} top)))",
            f"(<= 0 v {size - 1})",
            f"(= (+ T (* {self.room_of(SECOND)} over)) (+ V {d}))",
            f"(<= 0 T {self.room_of(SECOND) - 1})",
            f"(= T (+ low (* {size} (+ reaches (* 2 rest)))))",
            f"(and (<= 0 low {size - 1}) (<= 0 reaches 1) (<= 0 rest))",
            "(= Z (ite (= reaches 1) low v))",
            f"(= Z (+ (* {scale} z) least))",
            f"(<= 0 least {scale - 1})",
        ]
        goal = f"(= (- xy z) (* {m} (+ H t reaches)))"
        return self.denied(names, known, "(<= 0 z)", f"(< z {m})", goal)
