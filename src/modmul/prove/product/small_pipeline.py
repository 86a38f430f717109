# SPDX-License-Identifier: Apache-2.0
"""Of a core for small moduli whose pipeline stands still as a whole: which operation is at which age, and its
words.

The input ``pick_i``, of which the core knows nothing, chooses an operation; a bench keeps its operands and
the context, and counts the results that leave before its own. Its age is the number of enabled cycles since
its operands came, a history variable that is defined beside the netlist. Its words are numbers of the
operation: each is defined by those before it, and by x, y and the context. The invariant says which registers
hold which of them at an age. A product is a word that is never taken apart.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, Self

from modmul.prove.netlist import State, system
from modmul.prove.product.argument import Argument
from modmul.prove.product.serial import COUNT, TOP, instance, ports
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Word,
    all_of,
    any_of,
    const,
    declared,
    equal,
    extract,
    implies,
    negation,
    zero_extend,
)
from modmul.room import Build

__all__ = ["Block", "Flow", "Standing", "denied", "refuting", "total"]

CONTROL = "core.gen_stall.u_control."
BITS = 8
"""Bits in which operations and ages are counted."""


OPENED = re.compile(r"\(define-fun (\|[^|]*\|) \(\(state (\|[^|]*\|)\)\) (\(_ BitVec \d+\)) \(bvmul .*\)\)\n")
"""A product of a netlist, which is any function of the state where it is left open."""


def bench(build: Build, beats: int) -> str:
    """A core with what remembers a chosen operation and a context of so many beats.

    ``followed`` says that there is one whose result has not left, ``ahead`` how many results leave before its
    own; ``given`` is high in the cycle after that has left.
    """
    bits = build.config.word
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{ports(bits)}
  input  wire pick_i,
  output logic [{bits - 1}:0] x, output logic [{bits - 1}:0] y, output logic [{bits - 1}:0] z,
  output logic [{beats * bits - 1}:0] ctx, output logic [{COUNT - 1}:0] ctx_at,
  output logic [{BITS - 1}:0] count, output logic [{BITS - 1}:0] ahead,
  output logic whole, output logic followed, output logic given, output logic choose
);

  localparam int Word = {bits};

{instance(build)}

  logic ctx_take, ctx_last, in_take, out_take, left;

  assign ctx_take = ctx_valid_i && ctx_ready_o;
  assign ctx_last = ctx_at == {COUNT}'({beats - 1});
  assign in_take  = in_valid_i && in_ready_o;
  assign out_take = out_valid_o && out_ready_i;
  assign choose   = in_take && pick_i && !followed;
  assign left     = out_take && followed && ahead == '0;

  for (genvar k = 0; k < {beats}; k++) begin : gen_context
    always_ff @(posedge clk_i) if (ctx_take && ctx_at == {COUNT}'(k)) ctx[k*Word+:Word] <= ctx_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (choose) begin
      {{x, y}} <= {{x_i, y_i}};
      ahead    <= count - {BITS}'(out_take);
    end else if (out_take) begin
      ahead <= ahead - 1'b1;
    end
    if (left) z <= z_o;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {{count, ctx_at}} <= '0;
      {{whole, followed, given}} <= '0;
    end else begin
      if (ctx_take) whole <= ctx_last;
      if (ctx_take) ctx_at <= ctx_last ? '0 : ctx_at + 1'b1;
      count    <= count + {BITS}'(in_take) - {BITS}'(out_take);
      followed <= choose || (followed && !left);
      given    <= left;
    end
  end

endmodule

`default_nettype wire
"""


def total(words: Iterable[tuple[int, str]]) -> str:
    """A weighted sum of integers."""
    return f"(+ 0 {' '.join(f'(* {weight} {name})' for weight, name in words)})"


def signed(term: str, bits: int, wanted: int) -> str:
    """A signed word with more bits, as the netlist writes it."""
    sign, more = extract(term, bits - 1, bits - 1), wanted - bits
    return f"{f'(concat {sign} ' * more}{term}{')' * more}"


def denied(names: Iterable[str], known: Iterable[str], *goals: str) -> str:
    """That something is known of integers, and not all goals hold."""
    lines = [f"(declare-const {name} Int)" for name in names]
    return "\n".join(
        (*lines, *(f"(assert {each})" for each in known), f"(assert {negation(all_of(*goals))})")
    )


def refuting(
    facts: Iterable[Fact], goal: str, *more: str, names: Iterable[str] = (), words: Iterable[Word] = ()
) -> str:
    """That facts about words and more hold, and a goal does not."""
    every = list(facts)
    said = declared([*words, *(word for fact in every for word in fact.words())])
    return "\n".join((*said, denied(names, (*(fact.over_integers() for fact in every), *more), goal)))


@dataclass(frozen=True)
class Multiplied:
    """A word that is the product of two others, modulo its length.

    Attributes:
        whole: the product.
        left: is not negative.
        right: the same, or a negative number.
        negative: which of them.
    """

    whole: Word
    left: Word
    right: Word
    negative: bool

    @property
    def name(self) -> str:
        """The integer that stands for the product of both words."""
        return f"|{self.left.name}*{self.right.name}|"

    @property
    def most(self) -> int:
        """Of that integer."""
        return ((1 << self.left.bits) - 1) * ((1 << self.right.bits) - 1)

    def over_bits(self) -> str:
        """Over bit-vectors of the product's length."""
        bits = self.whole.bits
        left, right = (zero_extend(each.term, bits - each.bits) for each in (self.left, self.right))
        if self.negative:
            more = bits - self.right.bits
            right = f"(concat {const((1 << more) - 1, more)} {self.right.term})"
        return equal(self.whole.term, f"(bvmul {left} {right})")

    def factors(self) -> tuple[Word, Word]:
        """Both words as a block takes them."""
        left, right = self.left, self.right
        kept = right if self.negative else Word(right.name, zero_extend(right.term, 1), right.bits + 1)
        return Word(left.name, zero_extend(left.term, 1), left.bits + 1), kept

    def over_integers(self) -> str:
        """The same over integers; the product of both words is a name."""
        less = total([(1 << self.right.bits, self.left.whole)] if self.negative else [])
        return f"(= 0 (mod (- (+ {self.whole.whole} {less}) {self.name}) {1 << self.whole.bits}))"

    def words(self) -> Iterator[Word]:
        yield from (self.whole, self.left, self.right)


@dataclass(frozen=True)
class Block:
    """A multiplier block: its product, and the sum of it and what is added.

    Attributes:
        path: of its instance.
        age: at which its factors are in its registers.
        product: of those.
        out: the sum.
    """

    path: str
    age: int
    product: Multiplied
    out: Word

    @property
    def function(self) -> str:
        """Any function of both factors, which a question knows nothing else of."""
        return f"|{self.path} makes|"

    @property
    def declared(self) -> str:
        left, right = self.product.factors()
        sizes = (f"(_ BitVec {bits})" for bits in (left.bits, right.bits, self.product.whole.bits))
        return "(declare-fun {} ({} {}) {})".format(self.function, *sizes)

    def made_of(self, left: str, right: str) -> str:
        """The function of both factors."""
        return f"({self.function} {left} {right})"

    def netlist_form(self, left: str, right: str) -> str:
        """Their product as the block makes it, of signed words."""
        bits, sides = self.product.whole.bits, zip((left, right), self.product.factors(), strict=True)
        extended = (signed(term, word.bits, bits) for term, word in sides)
        return f"(bvmul {' '.join(extended)})"

    def in_registers(self, at: State, form: Callable[[str, str], str]) -> str:
        """That the product is a form of what is in the registers."""
        return equal(at(f"{self.path}.product"), form(at(f"{self.path}.a_q"), at(f"{self.path}.b_q")))

    def of_words(self, form: Callable[[str, str], str]) -> str:
        """That the word is a form of both factors."""
        left, right = self.product.factors()
        return equal(self.product.whole.term, form(left.term, right.term))


@dataclass
class Flow:
    """The words of an operation, and where they are.

    Attributes:
        width: bits of an operand.
        beats: of a context.
        defined: each word that is declared, with the age of the first register that holds it and what
            defines it.
        places: by age, signals, from which bit on, and what they hold.
        parts: words that are made up of others.
        blocks: by its product, each block.
    """

    width: int
    beats: int
    defined: dict[Word, tuple[int, Fact]] = field(default_factory=dict)
    places: dict[int, list[tuple[str, int, str]]] = field(default_factory=dict)
    parts: dict[str, Compared] = field(default_factory=dict)
    blocks: dict[Word, Block] = field(default_factory=dict)

    @property
    def given(self) -> tuple[Word, Word, Word]:
        """x, y and the context."""
        sizes = {"x": self.width, "y": self.width, "ctx": self.beats * self.width}
        x, y, context = (Word(name, f"|of {name}|", bits) for name, bits in sizes.items())
        return x, y, context

    @property
    def z(self) -> Word:
        """The result."""
        return Word("z", "|z|", self.width)

    def place(self, signal: str, age: int, term: str, low: int = 0) -> None:
        """A signal, from a bit on, holds something at an age."""
        self.places.setdefault(age, []).append((signal, low, term))

    def delay(self, path: str, age: int, cycles: int, term: str) -> None:
        """What comes at an age goes through registers."""
        for i in range(cycles):
            self.place(f"{path}.gen_cycle[{i}].late", age + 1 + i, term)

    def made(self, name: str, bits: int, age: int, came: Mapping[Word, int]) -> Word:
        """A sum of words modulo its length."""
        word = Word(name, f"|{name}|", bits)
        self.defined[word] = (age, Congruent({word: 1}, came, bits))
        return word

    def cuts(self, word: Word, sizes: Sequence[int]) -> list[Word]:
        """A word in pieces, the lowest first."""
        if len(sizes) == 1:
            return [word]
        low, found = 0, []
        for bits in sizes:
            found.append(word.cut(low + bits - 1, low, f"{low + bits - 1}:{low}"))
            low += bits
        places = accumulate(sizes, initial=0)
        self.part(
            Compared({word: 1}, "=", {piece: 1 << place for piece, place in zip(found, places, strict=False)})
        )
        return found

    def part(self, fact: Compared) -> None:
        """What a word is made up of."""
        self.parts[fact.over_integers()] = fact

    def split(self, word: Word, *places: int) -> list[Word]:
        """A word, cut at places."""
        inner = [place for place in places if 0 < place < word.bits]
        ends = [0, *inner, word.bits]
        return self.cuts(word, [b - a for a, b in pairwise(ends)])

    def extended(self, word: Word, bits: int) -> dict[Word, int]:
        """A signed word in more bits, or in as many."""
        if word.bits >= bits:
            return {word: 1}
        _, sign = self.split(word, word.bits - 1)
        return {word: 1, sign: (1 << bits) - (1 << word.bits)}

    def block(
        self,
        path: str,
        age: int,
        factors: tuple[Word, Word],
        added: Mapping[Word, int],
        bits: int,
        *,
        negative: bool = False,
    ) -> Block:
        """A block whose factors come at an age, and what is added one later; the sum is there two later."""
        left, right = factors
        product = Word(f"{path}.product", f"|{path}.product|", left.bits + right.bits + 2 - negative)
        times = Multiplied(product, left, right, negative)
        out = self.made(f"{path}.sum", bits, age + 2, {**self.extended(product, bits), **added})
        for name, word in zip(("a_q", "b_q", "product"), (*times.factors(), product), strict=True):
            self.place(f"{path}.{name}", age + 1, word.term)
        self.place(f"{path}.s_q", age + 2, out.term)
        found = Block(path, age + 1, times, out)
        self.blocks[product] = found
        return found

    def facts(self, age: int) -> list[str]:
        """What defines the words that come into registers at an age."""
        made = [fact.over_bits() for first, fact in self.defined.values() if first == age]
        return [*made, *(block.of_words(block.made_of) for block in self.blocks_at(age))]

    def blocks_at(self, age: int) -> list[Block]:
        """Those whose factors come at an age."""
        return [block for block in self.blocks.values() if block.age == age]

    def known(self, *words: Word) -> list[Fact]:
        """What defines words, and what those and the words in that are made up of."""
        facts: list[Fact] = [self.defined[word][1] for word in words if word in self.defined]
        facts += [self.blocks[word].product for word in words if word in self.blocks]
        named = {word.name for word in (*words, *(each for fact in facts for each in fact.words()))}
        parts = (each for each in self.parts.values() if {word.name for word in each.words()} & named)
        return [*facts, *parts]


class Standing(Argument):
    """The obligations of a build without a memory of results."""

    @classmethod
    def of(cls, build: Build) -> Self:
        cls.check(build)
        return cls(build, system(build.design, bench(build, cls.beats_of(build)), TOP))

    @classmethod
    def check(cls, build: Build) -> None:
        """Raise ValueError unless these parameters are covered."""
        config: Any = build.config
        if config.carry or config.queue:
            raise ValueError(f"{build}: the proof is written for Carry = 0 and Queue = 0")

    @staticmethod
    def beats_of(build: Build) -> int:
        """Beats of a context."""
        config = build.config
        return len(build.core.interface.context(config, build.core.function.some_modulus(config)))

    @cached_property
    @abstractmethod
    def flow(self) -> Flow:
        """The words of an operation."""

    # --- sizes and words --------------------------------------------------------------------------

    @property
    def beats(self) -> int:
        return self.beats_of(self.build)

    @property
    def depth(self) -> int:
        """The age at which the result is at the port."""
        return self.build.cycles

    # --- texts ------------------------------------------------------------------------------------

    def definitions(self) -> str:
        """The words of the operation, any that fulfil what a question says of them, and its age."""
        flow = self.flow
        words = (*flow.given, *flow.defined, *flow.blocks)
        lines = [block.declared for block in flow.blocks.values()]
        lines += [f"(declare-const {word.term} (_ BitVec {word.bits}))" for word in words]
        now = self.system.state("s")
        runs = f"(ite {now.is_(f'{CONTROL}en_o', 1)} (bvadd age_s {const(1, BITS)}) age_s)"
        lines += [
            f"(declare-const age_s (_ BitVec {BITS}))",
            f"(define-fun age_n () (_ BitVec {BITS}) (ite {now.is_('choose', 1)} {const(1, BITS)} {runs}))",
        ]
        return "\n".join(lines) + "\n"

    def holds(self, at: State, flow: Flow, age: int) -> str:
        """That registers hold the words of the operation that is at an age."""
        found = []
        for signal, low, term in flow.places.get(age, []):
            bits = self.system.signals[signal]
            held = at(signal) if bits else f"(ite {at(signal)} #b1 #b0)"
            found.append(equal(extract(held, bits - 1, low) if low else held, term))
        return all_of(equal(at("core.ctx_q"), flow.given[-1].term), *self.operands(at), *found)

    def operands(self, at: State) -> tuple[str, ...]:
        """That x, y and the context are those of the operation."""
        return tuple(equal(at(each.name), each.term) for each in self.flow.given)

    # --- the obligations --------------------------------------------------------------------------

    def of_netlist(self) -> Iterator[Obligation]:
        now, then = self.system.state("s"), self.system.state("n")
        flow = self.flow
        parts = [negation(each.over_bits()) for each in flow.parts.values()]
        yield Obligation("word", "words in pieces", "bitwuzla", tuple(map(self.text, parts)))
        control = self.control(now)
        reset = self.text(now.is_("rst_ni", 0), negation(all_of(*control.values())))
        yield Obligation("control", "there are none in reset", "bitwuzla", (reset,))
        known = (self.system.step, *control.values())
        for name, part in self.control(then).items():
            yield Obligation("control", f"{name} goes on", "bitwuzla", (self.text(*known, negation(part)),))
        yield Obligation("block", "a block multiplies its factors", "bitwuzla", tuple(self.multiplied(now)))
        chosen = [now.is_("choose", 1), then.is_("followed", 1), *self.operands(then), *flow.facts(1)]
        chosen += [block.in_registers(then, block.made_of) for block in flow.blocks_at(1)]
        begins = self.text(*known, *chosen, negation(self.holds(then, flow, 1)))
        yield Obligation("data", "the operands are in their registers", "bitwuzla", (begins,))
        for j in range(1, self.depth + 1):
            stays = (now.is_("followed", 1), self.own(now, j), self.holds(now, flow, j))
            defined = [*flow.facts(j), *flow.facts(j + 1)]
            defined += [b.in_registers(then, b.made_of) for k in (j, j + 1) for b in flow.blocks_at(k)]
            follows = [implies(self.own(then, j), self.holds(then, flow, j))]
            if j < self.depth:
                follows.append(implies(self.own(then, j + 1), self.holds(then, flow, j + 1)))
            one = any_of(self.own(then, j), self.own(then, j + 1)) if j < self.depth else self.own(then, j)
            right = all_of(implies(then.is_("followed", 1), all_of(one, *follows)), self.told(then))
            yield Obligation(
                "data",
                f"goes on holding from age {j}",
                "bitwuzla",
                (self.text(*known, *stays, *defined, negation(right)),),
            )
        some = (now.is_("rst_ni", 1), now.is_("followed", 1), *control.values())
        yield Obligation(
            "data",
            "each age is possible",
            "bitwuzla",
            tuple(
                self.text(
                    *some,
                    self.own(now, j),
                    self.holds(now, flow, j),
                    *flow.facts(j + 1),
                )
                for j in range(1, self.depth + 1)
            ),
            holds=False,
        )

    def multiplied(self, at: State) -> Iterator[str]:
        """That a block makes no signed product of its registers, or the word that it stands for none."""
        for block in self.flow.blocks.values():
            header = f"{self.system.header}{self.definitions()}"
            yield f"{header}(assert {negation(block.in_registers(at, block.netlist_form))})"
            words = (block.of_words(block.netlist_form), negation(block.product.over_bits()))
            yield header + "".join(f"(assert {each})" for each in words)

    def text(self, *assertions: str) -> str:
        """A text in which nothing is known of products but what is said."""
        return OPENED.sub(r"(declare-fun \1 (\2) \3)\n", super().text(*assertions))

    @staticmethod
    def own(at: State, age: int) -> str:
        """That the operation is at an age."""
        return equal(f"age_{at.name}", const(age, BITS))

    def told(self, at: State) -> str:
        """That the result has left."""
        return implies(at.is_("given", 1), equal(at("z"), self.flow.z.term))

    # --- the invariant of the control -------------------------------------------------------------

    def control(self, at: State) -> dict[str, str]:
        """What the control holds, by name."""
        return {
            "the context": all_of(*self._context(at)),
            "the gate": all_of(*self._gate(at)),
            "the count": all_of(*self._counts(at)),
        }

    def _there(self, at: State, first: int = 1) -> list[str]:
        """Operations from an age on, as flags."""
        there = at(f"{CONTROL}there_q")
        return [equal(extract(there, j - 1, j - 1), "#b1") for j in range(first, self.depth + 1)]

    def _some(self, at: State) -> str:
        return negation(at.is_(f"{CONTROL}there_q", 0))

    def _context(self, at: State) -> Iterator[str]:
        """Beats are counted as at the ports, and are where they go."""
        here, beats = at("ctx_at"), self.beats
        yield f"(bvult {here} {const(beats, COUNT)})"
        yield from (equal(at.is_("ctx_at", i), at.is_(f"{CONTROL}beat_q", i)) for i in range(beats))
        whole = at.is_("whole", 1)
        yield equal(at.is_(f"{CONTROL}u_gate.whole_q", 1), whole)
        yield implies(whole, at.is_("ctx_at", 0))
        yield implies(whole, equal(at("core.ctx_q"), at("ctx")))
        for i in range(1, beats):
            stored = extract(at("core.ctx_q"), beats * self.width - 1, (beats - i) * self.width)
            yield implies(at.is_("ctx_at", i), equal(stored, extract(at("ctx"), i * self.width - 1, 0)))

    def _gate(self, at: State) -> Iterator[str]:
        """While operations are under way the context stays, whole."""
        opened = at.is_(f"{CONTROL}u_gate.open_q", 1)
        yield at.is_(f"{CONTROL}u_gate.in_part_q", 0)
        yield implies(any_of(opened, self._some(at)), all_of(at.is_("whole", 1), at.is_("core.legal", 1)))
        yield implies(at.is_(f"{CONTROL}none_q", 1), negation(self._some(at)))

    def _counts(self, at: State) -> Iterator[str]:
        """How many operations there are, and how many are ahead of the one that is followed."""
        yield equal(at("count"), self._number(self._there(at)))
        found = [any_of(*(self.own(at, j) for j in range(1, self.depth + 1)))]
        for j, there in enumerate(self._there(at), 1):
            ahead = equal(at("ahead"), self._number(self._there(at, j + 1)))
            found.append(implies(self.own(at, j), all_of(there, ahead)))
        yield implies(at.is_("followed", 1), all_of(*found))

    @staticmethod
    def _number(flags: Sequence[str]) -> str:
        """How many flags are set."""
        found = const(0, BITS)
        for flag in flags:
            found = f"(bvadd {found} (ite {flag} {const(1, BITS)} {const(0, BITS)}))"
        return found
