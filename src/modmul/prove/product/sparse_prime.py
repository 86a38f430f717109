# SPDX-License-Identifier: Apache-2.0
"""Of ``sparse_prime``: z is x·y mod M, M = 2^n - D being the modulus of the build.

From reset to result, at full width, for all x, all y of n bits and any behaviour at the ports, resets
included. L digits of x are taken, the leading one first; S_i is the sum with its carries behind i of them,
h_i the digit that the next step pushes out at 2^n. Layers:

- **invariant** (bitwuzla, on the netlist): what is in every register in each cycle of the loop and of the
  converter. Beside the netlist there are registers of the proof's own, which nothing in the core sees:
  counts of cycles, digits and addends of the cycles before, and the two numbers that a pass of the converter
  adds. ``sparse_prime_where``: control; ``sparse_prime_loop``: operands and the sum;
  ``sparse_prime_convert``: the converter.
- **operations** (bitwuzla, on the netlist): what is right of the sum in the loop goes on being right up to z,
  of the same operands. What it is that is right is any relation of which only the steps of the next layer
  are known, each where the netlist takes it.
- **step** (bitwuzla, on the netlist): pieces, products and passes as equations of words.
- **number** (here; z3 over integers): the pieces sum up to a step, S_(i+1) = 2^k·(S_i - h·2^n) + x_i·y +
  T(h_(i-4)), so S_i + 2^n·W_i = X_i·y + A_i + (a multiple of M), X_i being the first i digits of x, W_i the
  digits that are still to be added, and A_i a constant. The passes make U = X_L·y + A + (a multiple of M)
  below 2M, where A is a multiple of M, too; z is U or U - M.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Self

from modmul.prove.netlist import System, system
from modmul.prove.product.serial import COUNT, TOP
from modmul.prove.product.sparse_prime_convert import Converters
from modmul.prove.product.sparse_prime_where import CONVERTER, COUNTED, SUM, At, bench
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Fact,
    all_of,
    const,
    declared,
    equal,
    extract,
    implies,
    negation,
    number,
    shown_sum,
    zero_extend,
)
from modmul.room import Build

__all__ = ["AddedBack"]

TOGETHER = 24
"""Facts of the invariant in a question."""
NEEDS: Mapping[str, tuple[str, ...]] = {
    "control": (),
    "contexts": (),
    "operands": (),
    "digits of x": ("operands",),
    "sum at rest": (),
    "addends": ("operands", "sum at rest"),
    "W": ("sum at rest",),
    "products": ("passes",),
    "words of the sum": (),
    "passes": ("W", "products", "words of the sum"),
    "result": ("passes",),
}
"""The parts of the invariant, and which others each needs besides itself and the control."""


def refuting(facts: Iterable[Fact], names: Iterable[str], known: Iterable[str], *goals: str) -> str:
    """That facts about words and more is known of integers, and not all goals hold."""
    every = list(facts)
    lines = [*declared(word for fact in every for word in fact.words())]
    lines += [f"(declare-const {name} Int)" for name in names]
    said = (*(fact.over_integers() for fact in every), *known, negation(all_of(*goals)))
    return "\n".join((*lines, *(f"(assert {each})" for each in said)))


class AddedBack(Converters):
    """The obligations of a build."""

    @classmethod
    def of(cls, build: Build) -> Self:
        sizes = cls(build, System(TOP, "", {}))
        if max(sizes.rest, sizes.last) + 1 >= 1 << COUNTED or sizes.beats + 2 >= 1 << COUNT:
            raise ValueError(
                f"{build}: the proof is written for operations of less than {1 << COUNTED} cycles"
            )
        if sizes.width <= sizes.digit:
            raise ValueError(f"{build}: the proof is written for operands that are longer than a digit")
        if sizes.steps < sizes.words or sizes.high_bits > sizes.w_bits:
            raise ValueError(f"{build}: the proof is written for loops that are longer than U has words")
        return cls(build, system(build.design, bench(build), TOP))

    # --- the obligations --------------------------------------------------------------------------

    def definitions(self) -> str:
        """Also relations, of which only some things are known."""
        n, room, x = self.width, self.room, self.operand
        bits = (COUNTED, n, n, self.w_bits, x, n)
        lines = [f"(declare-fun Right ({' '.join(f'(_ BitVec {each})' for each in bits)}) Bool)"]
        for p in range(self.folds + 1):
            lines.append(f"(declare-fun Right{p} ((_ BitVec {room}) (_ BitVec {x}) (_ BitVec {n})) Bool)")
        lines.append(f"(declare-fun Result ((_ BitVec {x}) (_ BitVec {x}) (_ BitVec {n})) Bool)")
        return super().definitions() + "\n".join((*lines, ""))

    def text(self, *assertions: str) -> str:
        return super().text(*assertions).replace("(set-logic QF_BV)", "(set-logic QF_UFBV)", 1)

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        yield from self.of_operations()
        yield from self.of_steps()
        yield from self.of_numbers()

    def parts_of(self) -> dict[str, Callable[[At], Iterator[tuple[str, str]]]]:
        """The invariant, in parts."""
        return {
            "control": self.control,
            "contexts": self.context,
            "operands": self.operands,
            "digits of x": self.digits,
            "sum at rest": self.rests,
            "addends": self.addends,
            "W": self.takes,
            "products": self.folding,
            "words of the sum": self.sums,
            "passes": self.passes,
            "result": self.leaves,
        }

    def known(self, at: At, *names: str) -> str:
        """Parts of the invariant, and its control, in a state without reset."""
        parts = self.parts_of()
        facts = [fact for name in dict.fromkeys(("control", *names)) for _, fact in parts[name](at)]
        return implies(at.running, all_of(*facts))

    def of_netlist(self) -> Iterator[Obligation]:
        """The invariant holds behind a cycle of reset, whatever was before, and goes on holding."""
        now, then = self.at("s"), self.at("n")
        for name, part in self.parts_of().items():
            given = (self.known(now, name, *NEEDS[name]), self.system.step, then.running)
            facts = [fact for _, fact in part(then)]
            chunks = (facts[first : first + TOGETHER] for first in range(0, len(facts), TOGETHER))
            texts = tuple(self.text(*given, negation(all_of(*chunk))) for chunk in chunks)
            yield Obligation("invariant", name, "bitwuzla", texts)
        places = [now.aged("ph", "=", place) for place in (1, self.first, self.taken - 1, self.taken)]
        begins = (*(self.begins(p) for p in range(self.folds + 3)), self.last)
        places += [now.aged("q", "=", place) for place in begins]
        places += [all_of(now.full, now.busy, now.out), now.high("given")]
        known = (self.known(now, *NEEDS), *self.right(now), now.running, self.system.step, then.running)
        used = (self.known(then, "sum at rest", "result"), *(lemma for _, lemma in self.lemmas(now, then)))
        texts = tuple(self.text(*known, *used, place) for place in places)
        yield Obligation(
            "invariant",
            "all places, three operations and a result are possible",
            "bitwuzla",
            texts,
            holds=False,
        )

    # --- operations ---------------------------------------------------------------------------------

    def in_loop(self, at: At) -> str:
        """The sum is there, and a step follows."""
        return at.within("ph", self.first, self.taken - 1)

    def of_loop(self, at: At, x: str, y: str) -> str:
        """That the sum in the loop is right."""
        return f"(Right {at.g('ph')} {at(f'{SUM}s_q')} {at(f'{SUM}c_o')} {self.w(at).term} {x} {y})"

    def of_taken(self, at: At, w: str, x: str, y: str) -> str:
        """That the one is which was taken, with W."""
        s, c = (at(f"{CONVERTER}{name}_taken_q") for name in "sc")
        return f"(Right {const(self.taken, COUNTED)} {s} {c} {w} {x} {y})"

    def out_of(self, at: At) -> tuple[str, str]:
        """The operands of the operation in the converter."""
        return at("x0"), self.y(at("y0"))

    def w_waiting(self, at: At) -> str:
        """W, of which the last digits are on their way."""
        bits, k = self.w_bits, self.digit
        pushed, late = (zero_extend(at(name), bits - self.t_bits) for name in (f"{SUM}pushed_q", "core.t_q"))
        w = at("core.w_q")

        def up(term: str, digits: int) -> str:
            return f"(bvshl {term} {const(k * digits, bits)})"

        first = f"(bvadd {up(w, 2)} {up(late, 1)} {pushed})"
        second = f"(bvadd {up(w, 1)} {late})"
        then = f"(ite {at.aged('ph', '=', self.taken + 2)} {second} {w})"
        return f"(ite {at.aged('ph', '=', self.taken + 1)} {first} {then})"

    def result(self, u: str) -> str:
        """z of the sum of the last pass."""
        return zero_extend(extract(u, self.width - 1, 0), self.operand - self.width)

    def right(self, at: At) -> Iterator[str]:
        """What is right, of which operands."""
        x, y = at.looped("x"), self.y(at.looped("y"))
        yield implies(at.within("ph", self.first, self.taken), self.of_loop(at, x, y))
        waits = all_of(at.busy, at.aged("ph", "bvugt", self.taken))
        yield implies(waits, self.of_taken(at, self.w_waiting(at), x, y))
        x, y = self.out_of(at)
        yield implies(at.within("q", 1, 4), self.of_taken(at, at("core.w_q"), x, y))
        for p in range(self.folds + 1):
            here = at.within("q", self.begins(p) + 1, self.begins(p + 1))
            yield implies(here, f"(Right{p} {at.g('U')} {x} {y})")
        here = at.within("q", self.compares + 1, self.shows)
        yield implies(here, f"(Right{self.folds} {at.g('A')} {x} {y})")
        here = at.within("q", self.shows + 1, self.last)
        yield implies(here, f"(Result {self.result(at.g('U'))} {x} {y})")
        yield implies(at.high("given"), f"(Result {at('z')} {at('x')} {self.y(at('y'))})")

    def lemmas(self, now: At, then: At) -> Iterator[tuple[str, str]]:
        """What is known of the relations, where it is used: by name."""
        begin = const(self.first, COUNTED)
        start, none = const(self.constants.start, self.width), const(0, self.width)
        w = const(self.offset * int(self.constants.repeated), self.w_bits)
        x, y = then.looped("x"), self.y(then.looped("y"))
        yield "begin", f"(Right {begin} {start} {none} {w} {x} {y})"
        x, y = now.looped("x"), self.y(now.looped("y"))
        goes = f"(bvadd {now.g('ph')} {const(1, COUNTED)})"
        behind = f"(Right {goes} {then(f'{SUM}s_q')} {then(f'{SUM}c_o')} {self.w(then).term} {x} {y})"
        step = implies(self.of_loop(now, x, y), behind)
        taken = now.g(f"cd{self.late}")
        digits = (
            implies(now.aged("ph", "=", self.first + i), equal(taken, self.code(x, i)))
            for i in range(self.steps)
        )
        same = all_of(equal(now("core.y_q"), y), *digits)
        yield "step", implies(all_of(now.running, self.in_loop(now), same), step)
        x, y = self.out_of(now)
        for p in range(self.folds + 1):
            before = (
                f"(Right{p - 1} {now.g('U')} {x} {y})" if p else self.of_taken(now, now("core.w_q"), x, y)
            )
            fold = implies(before, f"(Right{p} {then.g('U')} {x} {y})")
            yield f"fold {p}", implies(all_of(now.running, now.aged("q", "=", self.begins(p))), fold)
        compared = f"(Right{self.folds} {now.g('A')} {x} {y})"
        shown = implies(compared, f"(Result {self.result(then.g('U'))} {x} {y})")
        yield "result", implies(all_of(now.running, now.aged("q", "=", self.shows)), shown)

    def of_operations(self) -> Iterator[Obligation]:
        """What is right goes on being right, of the same operands."""
        now, then = self.at("s"), self.at("n")
        facts = [*self.lemmas(now, then)]
        known = (implies(now.running, all_of(*self.right(now))), self.system.step, then.running)
        texts = []
        for k, fact in enumerate(self.right(then)):
            names = ("digits of x", "operands") if k == 0 else ("sum at rest", "W", "passes", "result")
            parts = (self.known(now, *names), self.known(then, "sum at rest", "result"))
            texts.append(self.text(*known, *parts, *(lemma for _, lemma in facts), negation(fact)))
        yield Obligation("operations", "what is right goes on being right", "bitwuzla", tuple(texts))

    # --- steps --------------------------------------------------------------------------------------

    def of_steps(self) -> Iterator[Obligation]:
        """The facts that the numbers rest on."""
        now, then = self.at("s"), self.at("n")

        def shown(name: str, known: Iterable[str], facts: Iterable[Fact]) -> Obligation:
            found = [fact.over_bits() for fact in facts]
            chunks = (found[first : first + TOGETHER] for first in range(0, len(found), TOGETHER))
            texts = tuple(self.text(*known, negation(all_of(*chunk))) for chunk in chunks)
            return Obligation("step", name, "bitwuzla", texts)

        names = ("digits of x", "sum at rest", "addends")
        known: tuple[str, ...] = (self.known(now, *names), now.running, self.in_loop(now), self.system.step)
        yield shown("what comes to the sum", known, (*self.of_f(now), *self.of_digits(now)))
        yield shown("the pieces of the sum, what is saved and pushed out", known, self.of_s(now, then))
        yield shown("words that are made of others", known, self.wholes(now, then))
        yield shown("W and the digits that are pushed out", known, self.of_w(now, then))
        yield shown("multiples of y and T", (), (*self.of_rows(now), self.of_table(now)))
        for p in range(self.folds + 1):
            known = (self.known(now, "W", "products", "passes"), now.running, self.system.step)
            here = now.aged("q", "=", self.begins(p))
            yield shown(f"pass {p}", (*known, here), self.of_fold(now, then, p))
        here = now.aged("q", "=", self.shows)
        yield shown("the last pass", (*known, here), self.of_result(now, then))
        x = f"(declare-const x (_ BitVec {self.operand}))"
        texts = tuple(
            f"(set-logic QF_BV)\n{self.numbers()}{x}(assert {negation(fact.over_bits())})"
            for fact in self.of_x()
        )
        yield Obligation("step", "digits of x", "bitwuzla", texts)

    # --- numbers ------------------------------------------------------------------------------------

    def of_numbers(self) -> Iterator[Obligation]:
        def integers(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        yield integers("pieces sum up to a step", self.summed())
        yield integers("a step keeps the sum right", self.kept_right())
        yield integers("digits times y", *self.distributed())
        yield integers("x is its digits", self.digits_right())
        yield integers("the constants are a multiple of M", self.begun(), self.constants_right())
        yield integers("each pass keeps U right, and in its range", *self.folded())
        yield integers("0 <= z < M, and z is x·y less a multiple of M", self.result_right())

    @property
    def products(self) -> list[str]:
        """The names of each row's digit times y."""
        return [f"D{r}" for r in range(self.rows)]

    def step_made(self) -> str:
        """S' + 2^n·(h + Offset) = 2^k·S + x_i·y + T + 2^n·Offset."""
        n, k = self.width, 1 << self.digit
        right = shown_sum(
            {"|Ss|": k, "|Cs|": k, **dict.fromkeys(self.products, 1), "|T|": 1}, self.offset << n
        )
        return equal(shown_sum({"|Sn|": 1, "|Cn|": 1, "|pn|": 1 << n}), right)

    def summed(self) -> str:
        """That a step is another one."""
        now, then = self.at("s"), self.at("n")
        facts = [*self.of_f(now), *self.of_s(now, then), *self.wholes(now, then)]
        facts += [*self.of_rows(now), self.of_table(now), *self.of_digits(now)]
        known = []
        for r, name in enumerate(self.products):
            for value in range(4):
                times = f"(= {name} (* {number((value - 1) << 2 * r)} |y|))"
                known.append(implies(f"(= |code{r}| {value})", times))
        return refuting(facts, self.products, known, self.step_made())

    @property
    def removed(self) -> int:
        """2^(n + 4k) - G as a multiple of M."""
        g = int(self.constants.plus) - int(self.constants.minus)
        return ((1 << (self.width + 4 * self.digit)) - g) // self.modulus

    @property
    def added(self) -> int:
        """What a step adds to 2^k times A."""
        most = (1 << self.t_bits) - 1
        return most * int(self.constants.minus) + (self.offset << self.width)

    def kept_right(self) -> str:
        """That S + 2^n·W is not that of one digit more."""
        now, then = self.at("s"), self.at("n")
        n, k, m = 1 << self.width, 1 << self.digit, self.modulus
        facts = [*self.of_w(now, then), self.of_table(now)]
        known = [self.step_made(), f"(= (+ |Ss| |Cs| (* {n} |Ws|)) (+ Xy A (* {m} Q)))"]
        left = shown_sum({"|Sn|": 1, "|Cn|": 1, "|Wn|": n})
        right = {"Xy": k, "A": k, "Q": k * m, "|pu|": -m * self.removed, **dict.fromkeys(self.products, 1)}
        names = ("|Ss|", "|Cs|", "|Sn|", "|Cn|", "Xy", "A", "Q", *self.products)
        return refuting(facts, names, known, equal(left, shown_sum(right, self.added)))

    def distributed(self) -> Iterator[str]:
        """That (2^k·X + a digit)·y is not 2^k·X·y and what the rows add; for each digit."""
        k = 1 << self.digit
        for row in range(self.rows):
            for value in range(4):
                digit = number((value - 1) << 2 * row)
                made = f"(* (+ (* {k} X) {digit} e) y)"
                yield refuting((), "Xye", (), equal(made, f"(+ (* {k} (* X y)) (* {digit} y) (* e y))"))

    def digits_right(self) -> str:
        """That the digits make up another number than x."""
        weights, constant = {}, 0
        for i in range(self.steps):
            for r in range(self.rows):
                weight = 1 << (self.digit * (self.steps - 1 - i) + 2 * r)
                weights[f"|x{i}.{r}|"] = weight
                constant -= weight
        return refuting(self.of_x(), (), (), equal("|x|", shown_sum(weights, constant)))

    @property
    def first_constant(self) -> int:
        """A before the first step."""
        return int(self.constants.start) + (self.offset * int(self.constants.repeated) << self.width)

    def begun(self) -> str:
        """That S + 2^n·W is not A before the first step."""
        known = [f"(= S {self.constants.start})", "(= C 0)", f"(= W {self.offset * self.constants.repeated})"]
        goal = f"(= (+ S C (* {1 << self.width} W)) (+ (* 0 y) {self.first_constant} (* {self.modulus} 0)))"
        return refuting((), "SCWy", known, goal)

    def constants_right(self) -> str:
        """That A behind the last pass is no multiple of M; ``A.i`` is A behind i digits."""
        names = [f"A.{i}" for i in range(self.steps + 1)]
        known = [f"(= A.0 {self.first_constant})"]
        for before, behind in pairwise(names):
            known.append(equal(behind, shown_sum({before: 1 << self.digit}, self.added)))
        goal = f"(= 0 (mod (+ {names[-1]} {(self.folds + 1) * self.more}) {self.modulus}))"
        return refuting((), names, known, goal)

    @property
    def more(self) -> int:
        """What F(w) is more than w·D."""
        return ((1 << self.w_bits) - 1) * sum(
            group.size << group.low for group in self.groups if group.negative
        )

    @property
    def most(self) -> list[int]:
        """The largest U behind each pass."""
        return [int(bound) for bound in self.constants.bounds]

    def folded(self) -> Iterator[str]:
        """That U is not X·y and A, less a multiple of M, or out of its range."""
        now, then, n, m = self.at("s"), self.at("n"), self.width, self.modulus
        bounds = self.most
        for p in range(self.folds + 1):
            facts = list(self.of_fold(now, then, p))
            made = f"(= |U| (+ Xy K {self.more} (* {m} Q) (* {-m} |w|)))".replace(
                f"(* {-m}", f"(* {number(-m)}"
            )
            if p == 0:
                known = [f"(= (+ |S| |C| (* {1 << n} |w|)) (+ Xy K (* {m} Q)))"]
            else:
                known = [f"(= |Us| (+ Xy K (* {m} Q)))", f"(<= |Us| {bounds[p - 1]})"]
            yield refuting(facts, ("Xy", "K", "Q"), known, made, f"(<= |U| {bounds[p]})")

    def result_right(self) -> str:
        """That z is not below M, or not X·y less a multiple of M; A is one, too."""
        m = self.modulus
        facts = list(self.of_result(self.at("s"), self.at("n")))
        known = [f"(= |As| (+ Xy K (* {m} Q)))", f"(= K (* {m} a))", f"(<= |As| {self.most[-1]})"]
        goal = f"(= |U.low| (+ Xy (* {m} (- (+ a Q) |Us.bit|))))"
        return refuting(facts, ("Xy", "K", "Q", "a"), known, goal, f"(< |U.low| {m})")
