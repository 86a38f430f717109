# SPDX-License-Identifier: Apache-2.0
"""Of ``fmlm3``: the words of an operation, and what one step of its arithmetic makes of them.

Each fact speaks of words that a :class:`~modmul.prove.product.fmlm3_where.Run` defines, and is shown of what
the netlist makes of them between two cycles. A residue a is held as A = a - 1, -1 being all ones; its word
here is a itself. k, u, P and M = 2^k + 1 are those of the header of ``mm_fmlm3``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from modmul.prove.product.fmlm3_ages import DIGITS, OPERANDS, PRODUCT, SEGMENTS, STAGES, TRANSFORM, Run
from modmul.prove.product.fmlm3_atoms import Value, known
from modmul.prove.product.fmlm3_where import Walked
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Joined,
    Word,
    all_of,
    any_of,
    const,
    declared,
    equal,
    implies,
    negation,
)

__all__ = ["Multiplied", "Shown", "Transform", "Worded", "canonical"]

FFT = f"{TRANSFORM}u_fft."
BUTTERFLY = f"{FFT}gen_butterfly[0].u_butterfly."
ADDER = f"{PRODUCT}u_multiply_adder."
RCA = f"{SEGMENTS}u_rca."
VECTORS = {"CTX": 0, "NCTX": 1, "CTY": 2, "NCTY": 3, "NCTM": 4, "CTZ": 5}
"""Where a forward transform writes; of a square T(z0) is where T'(m) is."""
ONE = Word("one", "#b1", 1)
NAMES = re.compile(r"\bw\d+\b|\|[^|#]*\|")


def canonical(text: str) -> str:
    """A text whose words are numbered, so that two texts that say the same are the same."""
    found: dict[str, str] = {}
    return NAMES.sub(lambda match: found.setdefault(match[0], f"|{len(found)}|"), text)


@dataclass(frozen=True)
class Multiplied:
    """A word that is the product of two others modulo 2 to its length, which is that of all three."""

    whole: Word
    left: Word
    right: Word

    def __post_init__(self) -> None:
        if not self.whole.bits == self.left.bits == self.right.bits:
            raise ValueError("a product modulo a power of two is as long as each factor")

    def over_bits(self) -> str:
        """Over bit-vectors."""
        return equal(self.whole.term, f"(bvmul {self.left.term} {self.right.term})")

    def over_integers(self) -> str:
        """Over integers: the difference is a multiple of the power of two."""
        product = f"(* {self.left.whole} {self.right.whole})"
        return equal(f"(mod (- {product} {self.whole.whole}) {1 << self.whole.bits})", "0")

    def words(self) -> Iterator[Word]:
        yield from (self.whole, self.left, self.right)


@dataclass(frozen=True)
class Shown:
    """A fact about words, and of which cycles it is shown.

    Attributes:
        fact: what it says.
        run: whose words they are.
        values: of which they are parts, besides those that are given.
        given: the words that the fact takes for any.
        premises: what it takes for true.
    """

    fact: Fact
    run: Run
    values: tuple[Value, ...]
    given: tuple[Value, ...]
    premises: tuple[Fact, ...] = ()

    @cached_property
    def text(self) -> str:
        """That it is wrong."""
        atoms = self.run.atoms
        words = atoms.text((*self.given, *self.values), atoms.used(self.given))
        known_ = "".join(f"(assert {each.over_bits()})\n" for each in self.premises)
        return canonical(f"(set-logic QF_BV)\n{words}{known_}(assert {negation(self.fact.over_bits())})")


@dataclass(frozen=True)
class Transform:
    """A transform of an operation.

    Attributes:
        name: the state in which it runs.
    """

    name: str

    @property
    def inverse(self) -> bool:
        """From residues to digits."""
        return self.name.startswith("I")

    @property
    def nega(self) -> bool:
        """Of negacyclic products."""
        return "NCT" in self.name


def holding(facts: Iterable[Fact], goal: str, *more: str, ints: Iterable[str] = ()) -> str:
    """That a goal over integers is wrong though facts hold.

    Raises:
        ValueError: two words have one name.
    """
    found = list(facts)
    every = {word for fact in found for word in fact.words()}
    words = {word.name: word for word in every}
    if len(words) != len(every):
        raise ValueError("two words have one name")
    lines = [
        *declared(words[name] for name in sorted(words)),
        *(f"(declare-const {name} Int)" for name in ints),
    ]
    lines += [f"(assert {fact.over_integers()})" for fact in found] + [f"(assert {each})" for each in more]
    return canonical("\n".join((*lines, f"(assert {negation(goal)})")))


def plus(terms: Iterable[str]) -> str:
    """A sum."""
    found = list(terms)
    return found[0] if len(found) == 1 else f"(+ {' '.join(found)})" if found else "0"


def times(weight: int, term: str) -> str:
    return f"(* {weight if weight >= 0 else f'(- {-weight})'} {term})"


class Worded(Walked):
    """The words of an operation, and facts about them."""

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def v(self) -> int:
        return self.p.bit_length() - 1

    @property
    def m(self) -> int:
        """M."""
        return (1 << self.k) + 1

    @property
    def grain(self) -> int:
        """Bits by which an exponent shifts."""
        return self.k // self.p

    @property
    def delay(self) -> int:
        return 7

    @property
    def stage(self) -> int:
        """Cycles of a stage but the last."""
        return max(self.p // 2, self.p // 4 + self.delay)

    @property
    def levels(self) -> int:
        """Recursions of the multiplier."""
        found = 0
        while self.k > 20 << found:
            found += 1
        return found

    @property
    def latency(self) -> int:
        """Cycles of the multiplier."""
        return 3 + 4 * self.levels

    @property
    def carry(self) -> int:
        """Bits of a carry above a half."""
        return self.k + 2 - self.u

    # --- words ------------------------------------------------------------------------------------

    def word(self, run: Run, name: str, value: Value) -> Word:
        return Word(name, run.atoms.term(value), sum(piece[0] for piece in value))

    def number(self, run: Run, name: str, value: Value) -> Word:
        """The residue that is held less 1."""
        return Word(name, f"(bvadd {run.atoms.term(value)} {const(1, self.k + 1)})", self.k + 1)

    def place(self, kind: str, words: int, region: int, place: int) -> str:
        """The word of a memory in which a digit or a residue is."""
        bank = place & 1 ^ place >> (self.v - 1)
        return self.memory(kind.format(bank), words << (self.v - 1), region << (self.v - 1) | place >> 1)

    def digits_at(self, run: Run, region: int, place: int, age: int) -> Value:
        return run.value(self.place(DIGITS, 4, region, place), age)

    def same(self, run: Run, wanted: Value, found: Value) -> Shown:
        """That two registers hold the same word."""
        return Shown(
            Compared({self.word(run, "wanted", wanted): 1}, "=", {self.word(run, "found", found): 1}),
            *(run, (), (wanted, found)),
        )

    # --- butterflies --------------------------------------------------------------------------------

    def read_at(self, run: Run, kind: Transform, stage: int, step: int) -> int:
        """The age at which a step of a stage reads its digits."""
        return run.begins[kind.name] + stage * self.stage + step

    def comes(self, run: Run, kind: Transform, stage: int, place: int) -> Value:
        """What a stage reads at a place."""
        region = 0 if stage == 0 else 1 if stage % 2 else 2
        return self.digits_at(run, region, place, self.read_at(run, kind, stage, place // 2))

    def goes(self, run: Run, kind: Transform, stage: int, place: int) -> Value:
        """What a stage makes for a place."""
        step = place % (self.p // 2)
        age = self.read_at(run, kind, stage, step) + self.delay
        if stage < self.v - 1:
            return self.digits_at(run, 2 if stage % 2 else 1, place, age)
        if kind.inverse:
            return run.value(f"{BUTTERFLY}y{int(place >= self.p // 2)}_o", age - 1)
        return run.value(self.place(OPERANDS, 8, self.vector(run, kind.name), place), age)

    def vector(self, run: Run, name: str) -> int:
        return 4 if name == "CTZ" and "LY" not in run.begins else VECTORS[name]

    def exponents(self, run: Run, kind: Transform, stage: int, step: int) -> tuple[int, int]:
        """Those of both factors of a butterfly."""
        age = self.read_at(run, kind, stage, step) + 2
        found = [known(run.value(f"{STAGES}{name}", age)) for name in ("e0_o", "e1_o")]
        if None in found:
            raise ValueError(f"{self.build}: an exponent of {kind.name} is not known")
        return found[0] or 0, found[1] or 0

    def factor(self, exponent: int) -> int:
        """What an exponent stands for; its highest bit is a sign."""
        sign, shift = divmod(exponent, self.p)
        return (-1 if sign else 1) << (self.grain * shift)

    def butterfly(self, run: Run, kind: Transform, stage: int, step: int) -> Butterfly:
        """A butterfly of a stage."""
        age = self.read_at(run, kind, stage, step)
        paths = ("gen_scale.u_shift0", "u_shift1")
        values = {f"x{i}": self.comes(run, kind, stage, 2 * step + i) for i in (0, 1)}
        values |= {f"d{i}": run.value(f"{BUTTERFLY}{path}.y_o", age + 4) for i, path in enumerate(paths)}
        values |= {f"v{i}": run.value(f"{BUTTERFLY}v{i}_q", age + 5) for i in (0, 1)}
        values |= {f"y{i}": self.goes(run, kind, stage, step + i * (self.p // 2)) for i in (0, 1)}
        word = {name: self.word(run, name, value) for name, value in values.items()}
        held = {name: Held(each, self.k) for name, each in word.items()}
        e0, e1 = self.exponents(run, kind, stage, step)
        return Butterfly(
            *(run, self.k, (self.factor(e0), self.factor(e1)), [held["x0"], held["x1"]]),
            *([word["d0"], word["d1"]], [word["v0"], word["v1"]], [held["y0"], held["y1"]]),
            *(stage == self.v - 1 and not kind.inverse, values),
        )

    def coefficients(self, run: Run, kind: Transform) -> list[list[int]]:
        """What a transform makes of what it is given, place by place modulo M."""
        rows = [[int(i == j) for j in range(self.p)] for i in range(self.p)]
        for stage in range(self.v):
            after = [[0] * self.p for _ in range(self.p)]
            for step in range(self.p // 2):
                f0, f1 = map(self.factor, self.exponents(run, kind, stage, step))
                for i, sign in ((0, 1), (1, -1)):
                    pairs = zip(rows[2 * step], rows[2 * step + 1], strict=True)
                    after[step + i * (self.p // 2)] = [(f0 * a + sign * f1 * b) % self.m for a, b in pairs]
            rows = after
        return rows

    def linear(self, run: Run, kind: Transform) -> str:
        """That the results of a transform are not those sums of what it is given, but for multiples of M."""
        lines, goals = [], []
        names = [f"in{i}" for i in range(self.p)]
        lines += [f"(declare-const {name} Int)" for name in names]
        # What each place is: exact weights of what came, and of the multiples of M.
        exact = [{name: 1} for name in names]
        over: list[dict[str, int]] = [{} for _ in names]
        for stage in range(self.v):
            next_names, next_exact, next_over = names[:], exact[:], over[:]
            for step in range(self.p // 2):
                f0, f1 = map(self.factor, self.exponents(run, kind, stage, step))
                a, b = 2 * step, 2 * step + 1
                for i, sign in ((0, 1), (1, -1)):
                    place, f = step + i * (self.p // 2), sign * f1
                    name, lack = f"s{stage}.{place}", f"k{stage}.{place}"
                    lines += [f"(declare-const {name} Int)", f"(declare-const {lack} Int)"]
                    value = plus((times(f0, names[a]), times(f, names[b]), times(self.m, lack)))
                    lines.append(f"(assert (= {name} {value}))")
                    next_names[place] = name
                    next_exact[place] = joined_sum(exact[a], f0, exact[b], f)
                    next_over[place] = joined_sum(joined_sum(over[a], f0, over[b], f), 1, {lack: 1}, 1)
            names, exact, over = next_names, next_exact, next_over
        rows = self.coefficients(run, kind)
        for place, name in enumerate(names):
            wanted = {f"in{i}": weight for i, weight in enumerate(rows[place])}
            rest = {each: (exact[place].get(each, 0) - weight) for each, weight in wanted.items()}
            multiples = {each: weight // self.m for each, weight in rest.items()}
            right = [times(weight, each) for each, weight in wanted.items()]
            lack = plus(times(weight, each) for each, weight in (multiples | over[place]).items())
            goals.append(equal(name, plus((*right, times(self.m, lack)))))
        return "\n".join((*lines, f"(assert {negation(all_of(*goals))})"))


@dataclass(frozen=True)
class Held:
    """A residue a in a word, as A = a - 1; or, in a memory of operands, as it is.

    Of A it looks at the lower k bits, and at the highest one, which says that a is 0.

    Attributes:
        whole: the word.
        k: its bits but one.
    """

    whole: Word
    k: int

    @cached_property
    def low(self) -> Word:
        return self.whole.cut(self.k - 1, 0, "low")

    @cached_property
    def top(self) -> Word:
        return self.whole.cut(self.k, self.k, "top")

    @property
    def parts(self) -> Compared:
        """Of what the word is made up."""
        return Compared({self.whole: 1}, "=", {self.low: 1, self.top: 1 << self.k})

    def legal(self, plain: bool = False) -> Joined:
        """That the word stands for a residue."""
        rest = Compared({self.low: 1}, "=", {}, 0 if plain else (1 << self.k) - 1)
        return Joined(implies, (is_one(self.top), rest))

    def number(self, plain: bool = False) -> str:
        """The residue."""
        if plain:
            return self.whole.whole
        return plus((self.low.whole, "1", times(-(1 << self.k), self.top.whole)))


def is_one(bit: Word) -> Compared:
    return Compared({bit: 1}, "=", {}, 1)


def is_zero(bit: Word) -> Compared:
    return Compared({bit: 1}, "=", {})


@dataclass(frozen=True)
class Butterfly:
    """A butterfly in a cycle, and what its registers hold.

    Attributes:
        run: whose it is.
        k: M is 2^k + 1.
        factors: what x0 and x1 are multiplied by.
        ins: x0 and x1.
        turned: both times powers of two, if they are not 0.
        sums: V0, V1.
        outs: y0, y1.
        plain: whether these are residues as they are.
        values: of each word.
    """

    run: Run
    k: int
    factors: tuple[int, int]
    ins: list[Held]
    turned: list[Word]
    sums: list[Word]
    outs: list[Held]
    plain: bool
    values: Mapping[str, Value]

    @property
    def m(self) -> int:
        return (1 << self.k) + 1

    def shift(self, i: int) -> int:
        return abs(self.factors[i]).bit_length() - 1

    def halves(self, i: int) -> tuple[Word | None, Word]:
        """What wraps around, and the rest."""
        x, s = self.ins[i].low, self.shift(i)
        if not s:
            return None, x
        return x.cut(self.k - 1, self.k - s, "high"), x.cut(self.k - s - 1, 0, "rest")

    def cut(self, i: int) -> Compared:
        """Of what the lower bits are made up."""
        high, rest = self.halves(i)
        s = self.shift(i)
        return Compared({self.ins[i].low: 1}, "=", {rest: 1, **({high: 1 << (self.k - s)} if high else {})})

    def rotated(self, i: int) -> Fact:
        """That a shift operator rotates, and inverts what wraps around; that of x0 also applies the sign."""
        (high, rest), s, d = self.halves(i), self.shift(i), self.turned[i]
        over = {high: 1} if high else {}
        right = Compared({d: 1, **over}, "=", {rest: 1 << s}, (1 << s) - 1)
        if i:
            return right
        if self.factors[0] < 0:
            right = Compared({d: 1, rest: 1 << s}, "=", over, (1 << self.k) - (1 << s))
        top = self.ins[0].top
        none = Compared({d: 1}, "=", {}, (1 << self.k) - 1)
        return Joined(all_of, (Joined(implies, (is_one(top), none)), Joined(implies, (is_zero(top), right))))

    def added(self, i: int) -> Fact:
        """V0 is the sum, V1 the difference, by the sign of the factor of x1; or what x0 is if x1 is 0."""
        v, (d0, d1), (x0, x1), bits = self.sums[i], self.turned, self.ins, self.k + 2
        first = {d0: 1, x0.top: (1 << bits) - (1 << self.k)}
        if (self.factors[1] < 0) == bool(i):
            right = Congruent({v: 1}, {**first, d1: 1, ONE: 1}, bits)
        else:
            right = Congruent({v: 1, d1: 1}, {**first, ONE: 1 << self.k}, bits)
        none = Congruent({v: 1}, first, bits)
        return Joined(
            all_of, (Joined(implies, (is_zero(x1.top), right)), Joined(implies, (is_one(x1.top), none)))
        )

    def cuts(self, i: int) -> tuple[Word, Word, Word]:
        """V without its two highest bits, and these."""
        v, k = self.sums[i], self.k
        return v.cut(k - 1, 0, "low"), v.cut(k, k, "over"), v.cut(k + 1, k + 1, "sign")

    def made_up(self, i: int) -> Compared:
        low, over, sign = self.cuts(i)
        return Compared({self.sums[i]: 1}, "=", {low: 1, over: 1 << self.k, sign: 2 << self.k})

    def corrected(self, i: int) -> Fact:
        """Y is V, less M if V is above it; and one more where the residue is wanted as it is."""
        (low, over, sign), y, bits = self.cuts(i), self.outs[i].whole, self.k + 1
        more = {ONE: 1} if self.plain else {}
        kept = Congruent({y: 1}, {low: 1, sign: 1 << self.k, **more}, bits)
        less = Congruent({y: 1, ONE: 1}, {low: 1, **({ONE: 1} if self.plain else {})}, bits)
        if self.plain:
            less = Congruent({y: 1}, {low: 1}, bits)
        above = Joined(all_of, (is_one(over), is_zero(sign)))
        return Joined(all_of, (Joined(implies, (above, less)), Joined(any_of, (above, kept))))

    @property
    def facts(self) -> Iterator[Shown]:
        """What is shown of the netlist."""
        x0, x1 = (self.run_value(x.whole) for x in self.ins)
        for i, x in enumerate((x0, x1)):
            parts = (self.cut(i), self.ins[i].parts, self.rotated(i))
            yield Shown(Joined(all_of, parts), self.run, (self.run_value(self.turned[i]),), (x,))
        d0, d1 = map(self.run_value, self.turned)
        for i in (0, 1):
            v, y = self.run_value(self.sums[i]), self.run_value(self.outs[i].whole)
            yield Shown(Joined(all_of, (self.added(i), self.made_up(i))), self.run, (v,), (x0, x1, d0, d1))
            yield Shown(Joined(all_of, (self.corrected(i), self.outs[i].parts)), self.run, (y,), (v,))

    def run_value(self, word: Word) -> Value:
        return self.values[word.name]

    def numbers(self, i: int) -> Iterator[str]:
        """That an output is no sum of the inputs times their factors, modulo M, or no residue."""
        facts: list[Fact] = [
            self.added(i),
            self.made_up(i),
            self.corrected(i),
            self.outs[i].parts,
            is_one(ONE),
        ]
        for j in (0, 1):
            facts += [self.cut(j), self.ins[j].parts, self.rotated(j), self.ins[j].legal()]
        f0, f1 = self.factors[0], -self.factors[1] if i else self.factors[1]
        exact = [times(f, x.number()) for f, x in zip((f0, f1), self.ins, strict=True)]
        over = []
        for j, f in enumerate((f0, f1)):
            high, _ = self.halves(j)
            if high:
                over.append((-1 if f > 0 else 1, high.whole, self.ins[j].top.whole))
        goals = []
        b = self.outs[i].number(self.plain)
        lacks = [times(sign, f"(ite (= {top} 1) 0 {high})") for sign, high, top in over]
        for e in range(-3, 4):
            goals.append(
                equal(b, plus((*exact, times(self.m, plus((f"(- {-e})" if e < 0 else str(e), *lacks))))))
            )
        yield holding(facts, all_of(any_of(*goals), self.outs[i].legal(self.plain).over_integers()))


def joined_sum(a: Mapping[str, int], f: int, b: Mapping[str, int], g: int) -> dict[str, int]:
    """Weighted names, weighted."""
    return {name: f * a.get(name, 0) + g * b.get(name, 0) for name in {**a, **b}}
