# SPDX-License-Identifier: Apache-2.0
"""Of ``small_fixed``: the words of an operation where M is k*2**m + 1: T is reduced by a division by k."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from modmul.prove.product.small_fixed_words import Fixed
from modmul.prove.product.small_pipeline import denied, refuting, total
from modmul.prove.terms import Compared, Congruent, Word, all_of, equal, number, zero_extend

__all__ = ["Digits", "Divided", "Proth"]


def summed(words: Iterable[Word]) -> str:
    """The sum of words."""
    return total((1, word.whole) for word in words)


@dataclass
class Divided(Fixed):
    """M is k*2**m + 1, and T is C*2**m + L, where C = k*Q + R.

    Attributes:
        r: R*2**m + L - Q.
    """

    r: Word = field(init=False)

    @property
    def k(self) -> int:
        return int(self.config.k)

    @property
    def low_bits(self) -> int:
        """m."""
        return int(self.config.place)

    @property
    def halves(self) -> tuple[Word, Word]:
        """L and C."""
        low, high = self.split(self.product, self.low_bits)
        return low, high

    def _rest(self, at: str, age: int, rest: Word, quotient: dict[Word, int]) -> None:
        """r at an age, by R and the words of Q; z behind it."""
        n = self.width
        taken = {word: weight for word, weight in quotient.items() if weight < 2 << n}
        self.r = Word("r", "|r|", n + 1)
        came = {rest: 1 << self.low_bits, self.halves[0]: 1}
        self.defined[self.r] = (age, Congruent({self.r: 1, **taken}, came, n + 1))
        self.place(at, age, self.r.term)
        self._corrected(self.r, self.modulus, age + 1)

    def rest(self, rest: Word, quotient: str, *words: Word) -> str:
        """That r is not what is asked for: R*2**m + L - Q, which is in range, and T but for a multiple of M.

        The words are all that Q consists of.
        """
        (low, high), m = self.halves, self.m
        known = (
            *self.largest,
            equal("Q", quotient),
            f"(= {high.whole} (+ (* {self.k} Q) {rest.whole}))",
            f"(<= 0 {rest.whole} {self.k - 1})",
            f"(= made (- (+ (* {1 << self.low_bits} {rest.whole}) {low.whole}) Q))",
        )
        goal = (
            f"(= 0 (mod (- {self.r.whole} made) {2 << self.width}))",
            f"(<= {number(-m)} made)",
            f"(< made {m})",
            f"(= {self.product.whole} (+ made (* {m} Q)))",
        )
        facts = self.known(self.product, self.r, *words)
        return refuting(facts, all_of(*goal), *known, names=["Q", "made"])

    def right(self) -> tuple[str, str]:
        known = f"(= T (+ made (* {self.m} Q)))"
        return self.corrected(self.r), self.ended(known, unknown=["Q"], multiple="Q")


@dataclass
class Proth(Divided):
    """k is 2**g - 1.

    Attributes:
        sums: E, level by level.
        x: what the last of several levels adds, which is kept apart.
        fraction: the sum of the bits behind the point of both.
        low: the sum of the lowest bits of both.
        remainder: C - k*q.
        more: whether that is k or more.
        top: R.
    """

    sums: list[Word] = field(init=False)
    x: Word | None = field(init=False, default=None)
    fraction: Word | None = field(init=False, default=None)
    low: Word = field(init=False)
    remainder: Word = field(init=False)
    more: Word = field(init=False)
    top: Word = field(init=False)

    @property
    def g(self) -> int:
        return int(self.config.g)

    @property
    def behind(self) -> int:
        """f."""
        return int(self.config.behind)

    @property
    def apart(self) -> int:
        return int(self.config.levels > 1)

    def shifted(self, word: Word, level: int) -> dict[Word, int]:
        """What a level adds to a word."""
        places = (self.g * 3**level * times for times in (1, 2))
        return {self.split(word, place)[1]: 1 for place in places if place < word.bits}

    def _reduce(self) -> None:
        n, f, levels, age = self.width, self.behind, int(self.config.levels), self.made_at
        self.sums = [self.split(self.product, n - f)[-1]]
        for i in range(levels - self.apart):
            e = self.sums[-1]
            self.sums.append(self.made(f"E{i + 1}", e.bits, age + 1, {e: 1, **self.shifted(e, i)}))
            if not self.apart or i < levels - 2:
                age += 1
                self.place(f"{self.reduce}gen_level[{i + 1}].late", age, self.sums[-1].term)
        if self.apart:
            age += 1
            self._apart(levels - 1, age)
        else:
            self.low = self.split(self.sums[-1], f + self.g + 1)[0]
        left, _ = self.split(self.product, n + 1)
        self.delay(f"{self.reduce}u_t", self.made_at, levels - self.apart, left.term)
        self._steps_3_and_4(age + 1)

    def _apart(self, level: int, age: int) -> None:
        """The last of several levels, at an age."""
        e, f = self.sums[-1], self.behind
        self.x = self.made("X", max(e.bits - self.g * 3**level, 1), age, self.shifted(e, level))
        self.low = self.made("low", min(f + self.g + 1, e.bits), age, {e: 1, self.x: 1})
        ends = {self.split(word, f)[0]: 1 for word in (e, self.x)}
        self.fraction = self.made("fraction", f + 1, age, ends)
        above = self.split(self.fraction, f)[1]
        x = zero_extend(self.x.term, e.bits - self.x.bits)
        held = {"e_late": e.term, "x_late": x, "low_late": self.low.term, "above_late": above.term}
        for name, term in held.items():
            self.place(f"{self.reduce}{name}", age, term)

    @property
    def quotient(self) -> list[Word]:
        """Words whose sum is q."""
        f, words = self.behind, [self.sums[-1], *([self.x] if self.x else [])]
        found = [piece for word in words for piece in self.split(word, f)[1:]]
        return [*found, *([self.split(self.fraction, f)[1]] if self.fraction else [])]

    def _steps_3_and_4(self, age: int) -> None:
        g, (_, high) = self.g, self.halves
        c, q = self.split(high, g + 1)[0], self.lowest
        lowest, _ = self.split(q, 1)
        self.remainder = self.made("C - kq", g + 1, age, {c: 1, q: 1, lowest: 1 << g})
        self.more = self.reaches("more", age, self.remainder, self.k)
        self.top = self.made("R", g, age, {self.split(self.remainder, g)[0]: 1, self.more: 1})
        words = dict.fromkeys((*self.quotient, self.more), 1)
        self._rest(f"{self.reduce}r_q", age, self.top, words)

    # --- numbers ----------------------------------------------------------------------------------

    def reduction(self) -> dict[str, Sequence[str]]:
        whole = summed([*self.quotient, self.more])
        return {
            "q": (self.divided(),),
            "the lowest bits of q": (self.lowest_right(),),
            "R": (*self.remains(), self.put_together()),
            "r": (self.rest(self.top, whole, *self.quotient, self.more),),
            "z is right": self.right(),
        }

    @property
    def near(self) -> tuple[str, str]:
        """That q is C / k, rounded down, or one less."""
        left = f"(- {self.halves[1].whole} (* {self.k} {summed(self.quotient)}))"
        return f"(<= 0 {left})", f"(< {left} {2 * self.k})"

    def divided(self) -> str:
        """That q is neither C / k, rounded down, nor one less."""
        more = [word for word in (self.x, self.fraction) if word]
        facts = self.known(self.product, *self.sums, *more)
        return refuting(facts, all_of(*self.near), *self.largest)

    @property
    def lowest(self) -> Word:
        """The g + 1 lowest bits of q."""
        return self.split(self.low, self.behind)[1]

    def lowest_right(self) -> str:
        """That those are others."""
        words = [word for word in (self.sums[-1], self.x, self.fraction, self.low) if word]
        goal = f"(= 0 (mod (- {summed(self.quotient)} {self.lowest.whole}) {2 << self.g}))"
        return refuting(self.known(*words), goal, words=(self.lowest, *self.quotient))

    def remains(self) -> Iterator[str]:
        """That C - k*q is another number; that R is not that, or that less k, or out of range."""
        high, top, rest = self.halves[1].whole, self.top.whole, self.remainder.whole
        known = [equal("q", summed(self.quotient)), f"(= 0 (mod (- q {self.lowest.whole}) {2 << self.g}))"]
        facts = self.known(self.halves[1], self.remainder, self.lowest)
        goal = f"(= {high} (+ (* {self.k} q) {rest}))"
        yield refuting(facts, goal, *known, *self.near, names=["q"], words=self.quotient)
        goal = f"(and (<= 0 {top} {self.k - 1}) (= {rest} (+ (* {self.k} {self.more.whole}) {top})))"
        yield refuting(self.known(self.more, self.top), goal, f"(<= 0 {rest} {2 * self.k - 1})")

    def put_together(self) -> str:
        """That R is not what the division leaves."""
        high, top, rest, more = "C", "R", "rest", "more"
        known = (f"(= {high} (+ (* {self.k} q) {rest}))", f"(= {rest} (+ (* {self.k} {more}) {top}))")
        return denied([high, top, rest, more, "q"], known, f"(= C (+ (* {self.k} (+ q more)) R))")


@dataclass
class Digits(Divided):
    """k is 1, 3, 5 or 7.

    Attributes:
        numbers: a remainder and the digit of C behind it, each divided by k, the highest first.
        states: the remainders.
        digits: of Q, with their places.
    """

    numbers: list[Word] = field(init=False, default_factory=list)
    states: list[Word] = field(init=False, default_factory=list)
    digits: list[tuple[int, Word]] = field(init=False, default_factory=list)

    @property
    def c(self) -> Word:
        """C, without the bits that are 0."""
        return self.split(self.halves[1], (self.m**2 >> self.low_bits).bit_length())[0]

    def _reduce(self) -> None:
        age, k, bits, c = self.made_at, self.k, self.k.bit_length(), self.c
        digit = 5 - bits
        lower = max(0, -(-(c.bits - 5) // digit))
        pieces = self.cuts(c, [digit] * lower + [c.bits - lower * digit])
        for j, piece in enumerate(reversed(pieces)):
            at = piece
            if j:
                state = self.states[-1]
                at = Word(f"number {j}", f"(concat {state.term} {piece.term})", 5)
                self.part(Compared({at: 1}, "=", {state: 1 << digit, piece: 1}))
            self.numbers.append(at)
            self.states.append(self.looked_up(f"rest {j}", bits, age + 1, at, lambda v: v % k))
            found = self.looked_up(f"digit {j}", piece.bits, age + 2, at, lambda v: v // k)
            self.digits.append(((lower - j) * digit, found))
        packed = [state.term for state in reversed(self.states)]
        self.place(f"{self.reduce}c_q", age + 1, c.term)
        self.place(
            f"{self.reduce}states_q",
            age + 1,
            packed[0] if len(packed) == 1 else f"(concat {' '.join(packed)})",
        )
        self.place(f"{self.reduce}low_q", age + 1, self.halves[0].term)
        weights = {word: 1 << place for place, word in self.digits}
        self._rest(f"{self.reduce}r", age + 2, self.states[-1], weights)

    # --- numbers ----------------------------------------------------------------------------------

    def reduction(self) -> dict[str, Sequence[str]]:
        quotient = total((1 << place, word.whole) for place, word in self.digits)
        return {
            "a digit of Q": tuple(self.digits_right()),
            "Q": (self.divided(quotient),),
            "r": (self.rest(self.states[-1], quotient, *(word for _, word in self.digits)),),
            "z is right": self.right(),
        }

    def step(self, j: int) -> tuple[str, str]:
        """What is right of a digit of Q, and the remainder behind it."""
        at, state, (_, digit) = self.numbers[j], self.states[j].whole, self.digits[j]
        return f"(= {at.whole} (+ (* {self.k} {digit.whole}) {state}))", f"(<= 0 {state} {self.k - 1})"

    def digits_right(self) -> Iterator[str]:
        """That a digit of Q or a remainder is wrong, where the one before is right."""
        for j, (at, state, (_, digit)) in enumerate(zip(self.numbers, self.states, self.digits, strict=True)):
            known = self.step(j - 1)[1:] if j else ()
            yield refuting(self.known(at, state, digit), all_of(*self.step(j)), *known)

    def divided(self, quotient: str) -> str:
        """That the digits of Q and the last remainder are not those of C."""
        steps = [each for j in range(len(self.numbers)) for each in self.step(j)]
        goal = f"(= {self.halves[1].whole} (+ (* {self.k} {quotient}) {self.states[-1].whole}))"
        words = [word for _, word in self.digits]
        facts = self.known(self.product, self.halves[1], self.c, *self.numbers)
        return refuting(facts, goal, *steps, *self.largest, words=[*words, *self.states])
