# SPDX-License-Identifier: Apache-2.0
"""Of the interleaved cores: z = x·y + k·M for an integer k, and 0 <= z < M.

From reset to result, at full width, for every context, all operands x, y <= M and any behaviour at the ports,
resets included. Four layers, each of obligations that a solver discharges:

- **invariant** (bitwuzla, on the netlist): the core holds the modulus that crossed the ports, which is not 0,
  when an operation runs; an operation runs or a result waits, not both; the steps are counted.
- **block** (bitwuzla, on the netlist): a doubling block puts out 2r or 2r - M, the adder a + v or a + v - M,
  or a - v or a - v + M, and what goes in below M comes out below M. Of whole words, whatever feeds the block.
- **step** (bitwuzla, on the netlist): what a cycle of an operation does, as a list of blocks, each with what
  it is fed with, and of registers, each with what it takes; for each value of the digit. And: which cycle
  comes behind which, and what stays the same.
- **number** (z3, integer arithmetic): if the registers are right before such a cycle, they are right behind
  it. For integers P, L and Q, each register having its own Q, for the multiplicand x and the multiplier y:

      a multiple   R_k = k·P·x - Q·M, 0 <= R_k <= M    (k·x - Q·M where the highest digit goes first)
      the sum      z = L·x - Q·M, 0 <= z < M
      L is what the digits so far are worth: with what is left in the shift register it makes up y

  A block keeps this up whatever its inputs stand for; what its output stands for is put together of these
  lemmas. P begins with 1 and is multiplied by the radix in each step of the loop, so it is radix^i in step i:
  what is shown of any P at once is shown of each step.

The first three are in :mod:`~modmul.prove.product.interleaved_steps`. A core is a subclass of
:class:`Interleaved`, which lists its registers and its blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from modmul.prove.product.interleaved_steps import DELAYED, HELD, SUM, THEN, Move, Source, Steps, Use
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Fact,
    Word,
    all_of,
    any_of,
    declared,
    equal,
    implies,
    negation,
    number,
    shown_sum,
)

__all__ = ["Interleaved"]


class Interleaved(Steps):
    """The obligations of a build."""

    def all(self) -> Iterator[Obligation]:
        yield from self.of_netlist()
        yield from self._numbers()

    @property
    def end(self) -> int:
        """P behind the loop."""
        return 1 << (self.LOG * self.digits)

    def right(
        self,
        words: Mapping[str, int],
        tick: str,
        p: str,
        low: str,
        left: str,
        shared: str,
        *,
        held: str = "0",
        minus: bool = False,
    ) -> str:
        """That registers are right.

        Args:
            words: by register, which multiple it is, or 0 for the sum.
            tick: what the names of their integers end with.
            p: the number P.
            low: the number L.
            left: the shift register.
            shared: its bit :meth:`shared`, or 0.
            held: the number V of a register whose multiple is to be added in the next cycle.
            minus: whether it is to be taken away.
        """
        facts = [
            self.near(
                f"{register}{tick}", self.stands(words, register, p, low, held, minus), below=times == 0
            )
            for register, times in words.items()
        ]
        return all_of(*facts, self.left(p, low, left, shared, held))

    def stands(
        self, words: Mapping[str, int], register: str, p: str, low: str, held: str, minus: bool
    ) -> str:
        """What a register stands for; the sum misses what is still to be added."""
        if words[register] == DELAYED:
            return f"(* {held} |{self.FACTORS[0]}|)"
        if words[register] == 0 and DELAYED in words.values():
            low = f"({'+' if minus else '-'} {low} {held})"
        return self.linear(words[register], p, low)

    def left(self, p: str, low: str, left: str, shared: str, held: str = "0") -> str:
        """That the digits so far and what is left of the multiplier make it up.

        What is held is nothing when all of the multiplier has been taken for a whole step: in the step before
        P was smaller, and something was left.
        """
        y = f"|{self.FACTORS[1]}|"
        if self.DOWN:
            so_far = f"(* {self.scale * self.end} (- {low} {shared}))"
            return equal(f"(* {self.scale} {p} {y})", f"(+ {so_far} {left})")
        return all_of(
            equal(f"(* {self.scale} {y})", f"(+ (* {self.scale} {low}) (* {p} (+ {left} {shared})))"),
            f"(< (* {p} {left}) {self.scale << self.width})",
            *([] if held == "0" else [f"(or (= {held} 0) (< {p} {self.radix * self.scale << self.width}))"]),
        )

    def linear(self, times: int, p: str, low: str) -> str:
        """What a register stands for: a multiple of the multiplicand, or L times it."""
        x = f"|{self.FACTORS[0]}|"
        if times == 0:
            return f"(* {low} {x})"
        return f"(* {times} {x})" if self.DOWN else f"(* {times} {p} {x})"

    def near(self, word: str, value: str, *, below: bool) -> str:
        """That a word is a value less Q·M, and not above M, or even below it."""
        modulus = self.modulus.whole
        return all_of(
            equal(f"|{word}|", self.less(value, word, self.modulus)),
            f"(<= 0 |{word}|)",
            f"({'<' if below else '<='} |{word}| {modulus})",
        )

    def less(self, value: str, word: str, modulus: Word) -> str:
        """A value less Q·M, with the Q of a word."""
        return f"(- {value} (* {self.quotient(word)} {modulus.whole}))"

    @staticmethod
    def weighted(terms: Mapping[str, int], constant: int = 0) -> str:
        return shown_sum({term: weight for term, weight in terms.items() if term != "0"}, constant)

    @staticmethod
    def quotient(word: Source) -> str:
        """The integer Q of a word."""
        return "0" if word is None else f"|Q of {word}|"

    def given(self) -> str:
        """What is given of the operands and the modulus."""
        return all_of(f"(<= 1 {self.modulus.whole})", f"(<= |{self.FACTORS[0]}| {self.modulus.whole})")

    def bit(self, shift: Word) -> str:
        """The bit :meth:`shared` as an integer."""
        return self.shared(shift).whole if self.BOOTH else "0"

    def holding(self, words: Sequence[Word], facts: Sequence[Fact], *assertions: str) -> str:
        """A text about numbers in which facts and more hold."""
        every = (*words, *(word for fact in facts for word in fact.words()))
        lines = (*declared(every), *(f"(assert {fact.over_integers()})" for fact in facts))
        return "\n".join((*lines, *(f"(assert {each})" for each in assertions)))

    def factors(self) -> list[Word]:
        return [self.word(signal) for signal in HELD]

    def begun(self) -> str:
        """That the registers are wrong behind a load, in terms of the operands that came."""
        loaded = list(self.loaded())
        shift, there = self.then(self.SHIFT), {self.MULTIPLES[1]: 1, SUM: self.SUM_AT_FIRST}
        pairs = [Compared({self.then(signal): 1}, "=", {self.word(signal): 1}) for signal in HELD]
        zero = "".join(f"(define-fun {self.quotient(each + THEN)} () Int 0)" for each in there)
        right = self.right(there, THEN, "1", "0", shift.whole, self.bit(shift))
        facts = [*loaded, *pairs, *self.split(shift)]
        return f"{zero}\n" + self.holding(self.factors(), facts, self.given(), negation(right))

    def block_right(self, use: Use) -> str:
        """That the adders of a block, and its choice, make an output that is wrong."""
        computed = self.computed(use)
        return self.holding(list(computed.words()), self.inside(use), negation(computed.over_integers()))

    def block_kept(self, use: Use) -> str:
        """That the output of a block is wrong though its inputs are right, whatever they stand for."""
        modulus, out = self.word(f"{use.path}.m_i"), self.word(use.out)
        ports = {port: f"{use.path}.{port}" for port in use.kind.weights}
        asked, kept, ends = self.does(use)
        value = {port: f"|value of {name}|" for port, name in ports.items()}
        lines = [f"(declare-const {each} Int)" for name in ports.values() for each in (self.quotient(name),)]
        lines += [f"(declare-const {each} Int)" for each in value.values()]
        known = [equal(f"|{name}|", self.less(value[port], name, modulus)) for port, name in ports.items()]
        *others, found = (
            self.weighted({self.quotient(ports[p]): w for p, w in use.kind.weights.items()}, times)
            for times in use.kind.multiples
        )
        for end, each in reversed(list(zip(ends, others, strict=False))):
            found = f"(ite {end.over_integers()} {each} {found})"
        total = self.weighted({value[port]: weight for port, weight in use.kind.weights.items()})
        goal = all_of(
            equal(out.whole, self.less(total, use.out, modulus)), *(fact.over_integers() for fact in kept)
        )
        facts = [*asked, self.computed(use)]
        return "\n".join(
            (
                *lines,
                self.holding([modulus, out], facts, f"(<= 1 {modulus.whole})", *known),
                f"(define-fun {self.quotient(use.out)} () Int {found})",
                f"(assert {negation(goal)})",
            )
        )

    def kept(self, move: Move) -> tuple[str, ...]:
        """That a cycle leaves a register wrong, having found what it takes right; or the shift register."""
        p, low, p_then, low_then = "1", "0", "1", "0"
        lines = "(declare-const P Int)(declare-const L Int)(assert (<= 1 P))\n"
        if move.digit is not None:
            worth = number(move.digit)
            p, low, p_then = "P", "L", f"(* {self.radix} P)"
            low_then = f"(+ (* {self.radix} L) {worth})" if self.DOWN else f"(+ L (* {worth} P))"
        held, held_then = "0", "0"
        if DELAYED in move.before.values():
            held, lines = "V", f"{lines}(declare-const V Int)\n"
        if DELAYED in move.behind.values() and move.digit is not None:
            held_then = f"(* {abs(move.digit)} P)"
        value = {
            register: self.stands(move.before, register, p, low, held, move.minus) for register in move.before
        }
        below = {register: times == 0 for register, times in move.before.items()}
        for use in move.stage.uses:
            weights = use.kind.weights
            fed = [(value[each], weights[port]) for port, each in use.fed.items() if each is not None]
            value[use.out] = f"(+ {' '.join(f'(* {number(weight)} {each})' for each, weight in fed)} 0)"
            below[use.out] = below[use.fed[next(iter(weights))] or ""]
        texts = []
        for register, times in move.behind.items():
            source, then = move.stage.takes.get(register, register), self.then(register)
            known = [] if source is None else [self.near(source, value[source], below=below[source])]
            wanted = self.stands(move.behind, register, p_then, low_then, held_then, move.minus_then)
            right = self.near(then.name, wanted, below=times == 0)
            text = self.holding(self.factors(), [self.same(then, source)], self.given(), *known)
            texts.append(
                f"{lines}(declare-const {self.quotient(source or 'it')} Int)"
                f"(define-fun {self.quotient(then.name)} () Int {self.quotient(source)})\n"
                f"{text}\n(assert {negation(right)})"
            )
        shift, then = self.word(self.SHIFT), self.then(self.SHIFT)
        left = shift.whole
        if move.digit is not None and not self.DOWN:
            above = self.above(then, self.window(shift))
            left = shown_sum({word.whole: weight for word, weight in above.items()})
        shared = [self.shared(shift), self.shared(then)] if self.BOOTH else []
        facts = list(self.shifted(move))
        if held_then != "0":
            facts += self.split(then)
        text = self.holding(
            [*self.factors(), shift, then, *shared],
            facts,
            self.left(p, low, left, self.bit(shift), held),
            negation(self.left(p_then, low_then, then.whole, self.bit(then), held_then)),
        )
        return (*texts, lines + text)

    def result(self) -> tuple[str, ...]:
        """That the sum behind the loop is not the product."""
        shift, there = self.word(self.SHIFT), self.at_the_end()
        words = [*self.factors(), shift, *map(self.word, there)]
        value, modulus = self.word(SUM).whole, self.modulus.whole
        product = all_of(
            equal(value, f"(- (* |x| |y|) (* {self.quotient(SUM)} {modulus}))"),
            f"(<= 0 {value})",
            f"(< {value} {modulus})",
        )
        delayed = DELAYED in there.values()
        names = ("L", *(["V"] if delayed else []), *map(self.quotient, there))
        lines = "".join(f"(declare-const {name} Int)" for name in names)
        texts = []
        for minus in (False, True) if delayed else (False,):
            held, left = "V" if delayed else "0", (shift.whole, self.bit(shift))
            right = self.right(there, "", str(self.end), "L", *left, held=held, minus=minus)
            facts = list(self.split(shift))
            texts.append(f"{lines}\n{self.holding(words, facts, self.given(), right, negation(product))}")
        return tuple(texts)

    def at_the_end(self) -> Mapping[str, int]:
        """What is to be known of registers behind the loop."""
        return {SUM: 0}

    def composed(self) -> str:
        """That what the lemmas keep up does not go on holding: one step of the induction over clock cycles.

        ``right.i`` stands for :meth:`right` of the registers in step i, P being the power of the radix that
        belongs to it, and ``run.i`` for step i; the ending ``_n`` is for the next state. The lemmas are those
        of the names above, in their words.
        """
        n = self.steps
        names = ("done", "load", "stay", *(f"{name}.{i}" for name in ("run", "right") for i in range(n + 1)))

        def holds(ending: str) -> str:
            return all_of(
                *(implies(f"run.{i}{ending}", f"right.{i}{ending}") for i in range(n)),
                implies(f"done{ending}", f"right.{n}{ending}"),
            )

        lemmas = (
            implies("run.0_n", "load"),
            implies("load", "right.0_n"),
            *(implies(f"run.{i + 1}_n", f"run.{i}") for i in range(n - 1)),
            *(implies(all_of(f"run.{i}", f"right.{i}"), f"right.{i + 1}_n") for i in range(n)),
            implies("done_n", any_of(f"run.{n - 1}", all_of("done", "stay"))),
            implies(all_of("stay", f"right.{n}"), f"right.{n}_n"),
        )
        lines = (
            *(f"(declare-const {name}{ending} Bool)" for name in names for ending in ("", "_n")),
            *(f"(assert {each})" for each in (*lemmas, holds(""), negation(holds("_n")))),
        )
        return "\n".join(lines)

    def _numbers(self) -> Iterator[Obligation]:
        texts: dict[str, tuple[str, ...]] = {
            f"{use.path} {use.kind.verb} modulo M": (self.block_right(use),) for use in self.blocks()
        }
        texts |= {
            f"what {use.path} puts out is right where it {use.kind.verb}": (self.block_kept(use),)
            for use in self.blocks()
        }
        texts["the registers are right behind a load"] = (self.begun(),)
        texts |= {f"{move.name} keeps the registers right": self.kept(move) for move in self.moves()}
        texts |= {
            "z is right behind the loop": self.result(),
            "these lemmas make an induction over clock cycles": (self.composed(),),
        }
        for name, some in texts.items():
            yield Obligation("number", name, "z3", some)
