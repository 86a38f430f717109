# SPDX-License-Identifier: Apache-2.0
"""Of the interleaved cores: z = x·y + k·M for an integer k, and 0 <= z < M.

From reset to result, at full width, for every context, all operands x, y <= M and any behaviour at the ports,
resets included. Four layers, each of obligations that a solver discharges:

- **invariant** (bitwuzla, on the netlist): the core holds the modulus that crossed the ports, which is not 0,
  when an operation runs; an operation runs or a result waits, not both; the steps are counted.
- **block** (bitwuzla, on the netlist): a doubling block puts out 2r or 2r - M, the adder a + v or a + v - M, or
  a - v or a - v + M, and what goes in below M comes out below M. Of whole words, whatever feeds the block.
- **step** (bitwuzla, on the netlist): what a cycle of an operation does, as a list of blocks, each with what it
  is fed with, and of registers, each with what it takes; for each value of the digit. And: which cycle comes
  behind which, and what stays the same.
- **number** (z3, integer arithmetic): if the registers are right before such a cycle, they are right behind it.
  For integers P, L and Q, the Q of each register being its own, and x the multiplicand, y the multiplier:

      a multiple   R_k = k·P·x - Q·M, 0 <= R_k <= M    (k·x - Q·M where the highest digit goes first)
      the sum      z = L·x - Q·M, 0 <= z < M
      what is left of y in the shift register, and the digits' worth so far, which is L, make up y

  P begins with 1 and is multiplied by the radix in each step of the loop, so it is radix^i in step i: what is
  shown of any P at once is shown of each step.

A core is a subclass of :class:`Interleaved`, which lists its registers and its blocks.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from modmul.prove.netlist import State
from modmul.prove.product.argument import Argument
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Fact,
    Joined,
    Word,
    all_of,
    any_of,
    const,
    declared,
    equal,
    extract,
    implies,
    negation,
    number,
    shown_sum,
)
from modmul.room import Build

__all__ = [
    "ImmlBooth4",
    "ImmlBooth8",
    "ImmlRadix4",
    "ImmlRadix8",
    "Interleaved",
    "InterleavedBooth4",
    "InterleavedBooth8",
    "InterleavedRadix2",
    "InterleavedRadix2Parallel",
]

FRAME = "core.u_frame."
BUSY, DONE, STEP = (f"{FRAME}{name}" for name in ("busy_q", "done_q", "step_q"))
HELD = ("m", "x", "y")
"""What the bench remembers of the ports."""

SUM = "core.z_q"

THEN = "_n"
"""What the name of a word of the next state ends with."""


@dataclass(frozen=True)
class Kind:
    """What blocks of a kind do: the output is the weighted sum of the inputs, less a multiple of M.

    Attributes:
        weights: by input port.
        multiples: of M that may be taken away.
        below: the inputs that have to be below M; the others may be M.
    """

    weights: Mapping[str, int]
    multiples: tuple[int, ...]
    below: tuple[str, ...] = ()


DOUBLE = Kind({"r_i": 2}, (0, 1))
ADD = Kind({"a_i": 1, "v_i": 1}, (0, 1))
SUBTRACT = Kind({"a_i": 1, "v_i": -1}, (0, -1), ("a_i",))
BLAKLEY = Kind({"a_i": 2, "v_i": 1}, (0, 1, 2), ("a_i",))
"""Two conditional subtractions behind 2a + v."""

Source = str | None
"""Where a value comes from: a signal, or None for 0."""


@dataclass(frozen=True)
class Use:
    """A block at work in a cycle.

    Attributes:
        kind: what it does.
        path: of its instance.
        fed: the sources of its inputs, by port.
    """

    kind: Kind
    path: str
    fed: Mapping[str, Source]

    @property
    def out(self) -> str:
        """Its output."""
        return f"{self.path}.z_o"


@dataclass(frozen=True)
class Stage:
    """A cycle before the loop: its blocks, and what the registers take that change."""

    uses: tuple[Use, ...]
    takes: Mapping[str, Source]


@dataclass(frozen=True)
class Move:
    """What a cycle of an operation does.

    Attributes:
        name: for people.
        where: in which of the cycles with an operation.
        stage: its blocks and registers.
        before: by register, which multiple of the multiplicand it is, or 0 for the sum.
        behind: the same of the next cycle.
        digit: its worth in the loop, else None.
    """

    name: str
    where: tuple[str, ...]
    stage: Stage
    before: Mapping[str, int]
    behind: Mapping[str, int]
    digit: int | None = None


class Interleaved(Argument):
    """The obligations of a build."""

    LOG: ClassVar[int]
    """Of the radix, to the base 2."""
    BOOTH: ClassVar[bool] = False
    DOWN: ClassVar[bool] = False
    """Whether the highest digit goes first."""
    MULTIPLES: ClassVar[Mapping[int, str]] = {}
    """By k, the register of k times the multiplicand."""
    SHIFT: ClassVar[str] = "core.sr_q"
    FACTORS: ClassVar[tuple[str, str]] = ("x", "y")
    """Multiplicand and multiplier."""
    SUM_AT_FIRST: ClassVar[int] = 1
    """Which multiple the register of the sum is behind the load; 0 is a sum of nothing."""
    AS: ClassVar[str] = "core.u_as"
    """The adder."""

    @classmethod
    def of(cls, build: Build) -> Self:
        if getattr(build.config, "shared_taps", 0):
            raise ValueError(f"{build}: the proof is written for SharedTaps = 0")
        return super().of(build)

    # --- what a core says of itself ---------------------------------------------------------------

    def before_loop(self) -> Sequence[Stage]:
        """The cycles before the loop."""
        return ()

    @abstractmethod
    def in_loop(self, size: int, negative: bool) -> Stage:
        """A cycle of the loop, in which a multiple is added or, if negative, taken away."""

    # --- sizes, words and states ------------------------------------------------------------------

    @property
    def radix(self) -> int:
        return 1 << self.LOG

    @property
    def digits(self) -> int:
        """Of the multiplier."""
        return -(-(self.width + self.BOOTH) // self.LOG)

    @cached_property
    def first(self) -> int:
        """The step with which the loop begins."""
        return len(self.before_loop())

    @property
    def steps(self) -> int:
        return self.first + self.digits

    @cached_property
    def now(self) -> State:
        return self.system.state("s")

    @cached_property
    def next(self) -> State:
        return self.system.state("n")

    def at(self, state: State, signal: str) -> tuple[str, int]:
        """The term of a signal in a state, and its bits."""
        return state(signal), self.system.signals[signal]

    def word(self, signal: str) -> Word:
        """A word of the state, by its signal."""
        return Word(signal, *self.at(self.now, signal))

    def then(self, signal: str) -> Word:
        """A word of the next state."""
        return Word(signal + THEN, *self.at(self.next, signal))

    @property
    def modulus(self) -> Word:
        return self.word("m")

    def step(self, state: State, value: int) -> str:
        """That an operation runs and is in a step."""
        return all_of(state.is_(BUSY, 1), state.is_(STEP, value))

    def in_steps(self, low: int, high: int) -> str:
        """That an operation is in one of the steps from ``low`` to ``high``."""
        bits = self.system.signals[STEP]
        step = self.now(STEP)
        return all_of(
            self.now.is_(BUSY, 1), f"(bvule {const(low, bits)} {step})", f"(bvule {step} {const(high, bits)})"
        )

    # --- the moves ----------------------------------------------------------------------------------

    def moves(self) -> Iterator[Move]:
        """Every cycle of an operation."""
        there = {self.MULTIPLES[1]: 1, SUM: self.SUM_AT_FIRST}
        by_register = {register: k for k, register in self.MULTIPLES.items()}
        for i, stage in enumerate(self.before_loop()):
            behind = {**there, **{r: by_register.get(r, 0) for r in stage.takes}}
            yield Move(f"cycle {i} before the loop", (self.step(self.now, i),), stage, there, behind)
            there = behind
        for told, size, negative in self.cases():
            where = (self.in_steps(self.first, self.steps - 1), told)
            stage, digit = self.in_loop(size, negative), -size if negative else size
            name = f"a step with the digit {'-' if negative else ''}{size}"
            yield Move(name, where, stage, there, there, digit)

    def cases(self) -> Iterator[tuple[str, int, bool]]:
        """The digits: how they are told, their size, and whether it is taken away."""
        if not self.BOOTH:
            bits = [bit.term for bit in self.window(self.word(self.SHIFT))]
            for size in range(self.radix):
                yield all_of(*(equal(bit, const(size >> j & 1, 1)) for j, bit in enumerate(bits))), size, False
            return
        for negative in (False, True):
            for size in range(self.radix // 2 + 1):
                told = all_of(self.now.is_("core.neg", int(negative)), self.now.is_("core.mag", size))
                yield told, size, negative

    def window(self, shift: Word) -> list[Word]:
        """The bits of the shift register that decide on a digit, the lowest first."""
        bits = self.LOG + self.BOOTH
        low = shift.bits - bits if self.DOWN else 0
        return [shift.cut(low + j, low + j, str(low + j)) for j in range(bits)]

    def shared(self, shift: Word) -> Word:
        """With Booth's digits, the bit of the window that the digit taken before had in its own."""
        return self.window(shift)[-1 if self.DOWN else 0]

    def taken(self, digit: int) -> tuple[Fact, ...]:
        """What a cycle of the loop does to the shift register, and what its window is worth."""
        shift, then = self.word(self.SHIFT), self.then(self.SHIFT)
        window = self.window(shift)
        parts = {bit: 1 << j for j, bit in enumerate(window)}
        facts: list[Fact] = []
        if self.DOWN:
            below = shift.bits - len(window)
            rest = shift.cut(below - 1, 0, "rest")
            kept = {window[0]: 1 << (shift.bits - 1)} if self.BOOTH else {}
            facts.append(Compared({shift: 1}, "=", {b: w << below for b, w in parts.items()} | {rest: 1}))
            facts.append(Compared({then: 1}, "=", {rest: self.radix, **kept}))
        else:
            facts.append(Compared({shift: 1}, "=", self.above(then, window)))
        if not self.BOOTH:
            return (*facts, Compared(parts, "=", {}, digit))
        # the digit is -(radix/2)·w_k + ... + 2·w_2 + w_1 + w_0
        plus = {window[0]: 1} | {window[j]: 1 << (j - 1) for j in range(1, self.LOG)}
        minus = {window[-1]: self.radix // 2}
        sides = (plus, minus) if digit >= 0 else (minus, plus)
        facts.append(Compared(sides[0], "=", sides[1], abs(digit)))
        facts.append(Compared({self.shared(then): 1}, "=", {window[0 if self.DOWN else -1]: 1}))
        return tuple(facts)

    def above(self, then: Word, window: Sequence[Word]) -> Mapping[Word, int]:
        """The shift register of a core that begins with the lowest digit, by what is left of it."""
        return {then: self.radix} | {bit: 1 << j for j, bit in enumerate(window[: self.LOG])}

    def feeding(self, use: Use) -> Iterator[Fact]:
        """What a block is fed with."""
        yield Compared({self.word(f"{use.path}.m_i"): 1}, "=", {self.modulus: 1})
        for port, source in use.fed.items():
            yield self.same(self.word(f"{use.path}.{port}"), source)

    def taking(self, move: Move) -> Iterator[Fact]:
        """What the registers take in a cycle."""
        for register in move.behind:
            yield self.same(self.then(register), move.stage.takes.get(register, register))
        for signal in HELD:
            yield self.same(self.then(signal), signal)

    def shifted(self, move: Move) -> Iterator[Fact]:
        """What the shift register does in a cycle."""
        if move.digit is None:
            shift, then = self.word(self.SHIFT), self.then(self.SHIFT)
            yield Compared({then: 1}, "=", {shift: 1})
            yield Compared({self.shared(then): 1}, "=", {self.shared(shift): 1})
        else:
            yield from self.taken(move.digit)

    def same(self, word: Word, source: Source) -> Fact:
        return Compared({word: 1}, "=", {} if source is None else {self.word(source): 1})

    def does(self, use: Use) -> tuple[list[Fact], list[Fact], list[Fact]]:
        """What a block asks of its inputs, what it keeps, and its outputs, one of which is right."""
        modulus, out = self.word(f"{use.path}.m_i"), self.word(use.out)
        inputs = {port: self.word(f"{use.path}.{port}") for port in use.kind.weights}
        asked: list[Fact] = [
            Compared({word: 1}, "<" if port in use.kind.below else "<=", {modulus: 1})
            for port, word in inputs.items()
        ]
        least = Compared({next(iter(inputs.values())): 1}, "<", {modulus: 1})
        kept: list[Fact] = [
            Compared({out: 1}, "<=", {modulus: 1}),
            Joined(implies, (least, Compared({out: 1}, "<", {modulus: 1}))),
        ]
        ends: list[Fact] = []
        for times in use.kind.multiples:
            left = {inputs[port]: weight for port, weight in use.kind.weights.items() if weight > 0}
            right = {out: 1} | {inputs[p]: -weight for p, weight in use.kind.weights.items() if weight < 0}
            if times:
                (left if times < 0 else right)[modulus] = abs(times)
            ends.append(Compared(left, "=", right))
        return asked, kept, ends

    def computed(self, use: Use) -> Fact:
        """What a block does, as one fact."""
        asked, kept, ends = self.does(use)
        right = Joined(all_of, (*kept, Joined(any_of, tuple(ends))))
        return Joined(implies, (Joined(all_of, tuple(asked)), right))

    def chosen(self, use: Use) -> tuple[str, ...]:
        """That a block is to do what it is taken for."""
        if use.kind in (ADD, SUBTRACT):
            return (self.now.is_(f"{use.path}.sub_i", int(use.kind is SUBTRACT)),)
        return ()

    # --- obligations about the netlist ----------------------------------------------------------------

    def all(self) -> Iterator[Obligation]:
        """Every obligation, layer by layer."""
        yield from self._invariant()
        yield from self._blocks()
        yield from self._steps()
        yield from self._numbers()

    def invariant(self, state: State) -> str:
        """What holds in every state."""
        held, zero = state.is_("whole", 1), const(0, self.width)
        busy, done, opened = (state.is_(name, 1) for name in (BUSY, DONE, f"{FRAME}u_gate.open_q"))
        return all_of(
            *(state.is_(name, 0) for name in ("m_at", "in_at")),
            equal(state.is_(f"{FRAME}u_gate.whole_q", 1), held),
            implies(held, equal(state("core.m"), state("m"))),
            implies(any_of(busy, done, opened), all_of(held, negation(equal(state("m"), zero)))),
            negation(all_of(busy, done)),
            implies(busy, f"(bvule {state(STEP)} {const(self.steps - 1, self.system.signals[STEP])})"),
        )

    @cached_property
    def known(self) -> tuple[str, ...]:
        """That ``s`` fulfils the invariant, and that ``n`` follows it and is not in reset; ``s`` may be."""
        return self.invariant(self.now), self.system.step, self.next.is_("rst_ni", 1)

    def _asked(self, layer: str, name: str, *where: str, denied: str) -> Obligation:
        return Obligation(layer, name, "bitwuzla", (self.text(*where, negation(denied)),))

    def _invariant(self) -> Iterator[Obligation]:
        now, then = self.now, self.next
        reset = now.is_("rst_ni", 0)
        yield self._asked(
            "invariant", "holds in every cycle of reset", reset, denied=self.invariant(now)
        )
        yield self._asked("invariant", "goes on holding", *self.known, denied=self.invariant(then))
        for name, there in {"an operation": now.is_(BUSY, 1), "a result": now.is_(DONE, 1)}.items():
            text = self.text(*self.known, now.is_("rst_ni", 1), there)
            yield Obligation("invariant", f"{name} is possible", "bitwuzla", (text,), holds=False)

    def _blocks(self) -> Iterator[Obligation]:
        uses = {(use.path, use.kind.multiples): use for move in self.moves() for use in move.stage.uses}
        for use in uses.values():
            verb = {0: "doubles", 1: "adds", -1: "subtracts"}[use.kind.weights.get("v_i", 0)]
            yield self._asked(
                "block", f"{use.path} {verb}", *self.chosen(use), denied=self.computed(use).over_bits()
            )
            yield Obligation(
                "number", f"what {use.path} puts out is right where it {verb}", "z3", (self.block_kept(use),)
            )

    def _steps(self) -> Iterator[Obligation]:
        now, then = self.now, self.next
        begun, last = self.step(then, 0), self.step(now, self.steps - 1)
        counted = equal(then(STEP), f"(bvadd {now(STEP)} {const(1, self.system.signals[STEP])})")
        kept = all_of(*(equal(now(signal), then(signal)) for signal in (*HELD, SUM)))
        facts = {
            "behind a load the registers hold the operands": implies(
                begun, all_of(*(fact.over_bits() for fact in self.loaded()))
            ),
            "step i + 1 comes behind step i": implies(
                then.is_(BUSY, 1), any_of(begun, all_of(now.is_(BUSY, 1), negation(last), counted))
            ),
            "a result comes behind the last step, or stays": implies(
                then.is_(DONE, 1), any_of(last, all_of(now.is_(DONE, 1), kept))
            ),
            "what goes out is the sum": implies(
                now.is_("out_valid_o", 1), all_of(now.is_(DONE, 1), equal(now("z_o"), now(SUM)))
            ),
            "the shift register is the bit at its end and its rest": all_of(
                *(fact.over_bits() for at in (self.word, self.then) for fact in self.split(at(self.SHIFT)))
            ),
            "these are all digits": implies(
                self.in_steps(self.first, self.steps - 1), any_of(*(told for told, _, _ in self.cases()))
            ),
        }
        for name, fact in facts.items():
            yield self._asked("step", name, *self.known, denied=fact)
        yield self._asked(
            "step",
            "in reset there is no operation and no result",
            now.is_("rst_ni", 0),
            denied=negation(any_of(now.is_(BUSY, 1), now.is_(DONE, 1))),
        )
        for move in self.moves():
            facts = (*(fact for use in move.stage.uses for fact in self.feeding(use)), *self.taking(move), *self.shifted(move))
            done = [fact.over_bits() for fact in facts]
            done += [each for use in move.stage.uses for each in self.chosen(use)]
            where = (*self.known, *move.where)
            yield self._asked("step", f"in {move.name} the blocks are fed", *where, denied=all_of(*done))
            yield Obligation(
                "step", f"{move.name} is possible", "bitwuzla", (self.text(*where),), holds=False
            )

    def loaded(self) -> Iterator[Fact]:
        """What registers hold in step 0."""
        multiplicand, multiplier = (self.then(factor) for factor in self.FACTORS)
        yield Compared({self.then(self.MULTIPLES[1]): 1}, "=", {multiplicand: 1})
        yield Compared({self.then(SUM): 1}, "=", {multiplicand: 1} if self.SUM_AT_FIRST else {})
        yield Compared({self.then(self.SHIFT): 1}, "=", {multiplier: self.scale})

    # --- the numbers ----------------------------------------------------------------------------------

    @property
    def scale(self) -> int:
        """The shift register begins with this multiple of the multiplier: Booth's digits need a bit below."""
        return 1 + self.BOOTH

    @property
    def end(self) -> int:
        """P behind the loop."""
        return self.radix**self.digits

    def right(
        self, words: Mapping[str, int], tick: str, p: str, low: str, left: str, shared: str
    ) -> str:
        """That registers are right.

        Args:
            words: by register, which multiple it is, or 0 for the sum.
            tick: what the names of their integers end with.
            p: the number P.
            low: the number L.
            left: the shift register.
            shared: its bit :meth:`shared`, or 0.
        """
        facts = [
            self.near(f"{register}{tick}", self.linear(times, p, low), below=times == 0)
            for register, times in words.items()
        ]
        return all_of(*facts, self.left(p, low, left, shared))

    def left(self, p: str, low: str, left: str, shared: str) -> str:
        """That the digits so far and what is left of the multiplier make it up."""
        y = f"|{self.FACTORS[1]}|"
        if self.DOWN:
            so_far = f"(* {self.scale * self.end} (- {low} {shared}))"
            return equal(f"(* {self.scale} {p} {y})", f"(+ {so_far} {left})")
        return all_of(
            equal(f"(* {self.scale} {y})", f"(+ (* {self.scale} {low}) (* {p} (+ {left} {shared})))"),
            f"(< (* {p} {left}) {self.scale << self.width})",
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

    def split(self, shift: Word) -> Iterator[Fact]:
        """The shift register is its bit :meth:`shared` and its rest."""
        if self.BOOTH and self.DOWN:
            rest = shift.cut(shift.bits - 2, 0, "rest")
            yield Compared({shift: 1}, "=", {self.shared(shift): 1 << rest.bits, rest: 1})
        elif self.BOOTH:
            rest = shift.cut(shift.bits - 1, 1, "rest")
            yield Compared({shift: 1}, "=", {rest: 2, self.shared(shift): 1})

    def block_kept(self, use: Use) -> str:
        """That the output of a block is wrong though its inputs are right, whatever they stand for."""
        modulus, out = self.word(f"{use.path}.m_i"), self.word(use.out)
        ports = {port: f"{use.path}.{port}" for port in use.kind.weights}
        asked, kept, ends = self.does(use)
        value = {port: f"|value of {name}|" for port, name in ports.items()}
        lines = [f"(declare-const {each} Int)" for name in ports.values() for each in (self.quotient(name),)]
        lines += [f"(declare-const {each} Int)" for each in value.values()]
        known = [
            equal(f"|{name}|", self.less(value[port], name, modulus)) for port, name in ports.items()
        ]
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
        value = {register: self.linear(times, p, low) for register, times in move.before.items()}
        below = {register: times == 0 for register, times in move.before.items()}
        for use in move.stage.uses:
            weights = use.kind.weights
            value[use.out] = self.weighted({value[each]: weights[port] for port, each in use.fed.items() if each})
            below[use.out] = below[use.fed[next(iter(weights))] or ""]
        texts = []
        for register, times in move.behind.items():
            source, then = move.stage.takes.get(register, register), self.then(register)
            known = [] if source is None else [self.near(source, value[source], below=below[source])]
            right = self.near(then.name, self.linear(times, p_then, low_then), below=times == 0)
            text = self.holding(
                self.factors(), [self.same(then, source)], self.given(), *known
            )
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
        text = self.holding(
            [*self.factors(), shift, then, *shared],
            list(self.shifted(move)),
            self.left(p, low, left, self.bit(shift)),
            negation(self.left(p_then, low_then, then.whole, self.bit(then))),
        )
        return (*texts, lines + text)

    def result(self) -> str:
        """That the sum behind the loop is not the product."""
        shift = self.word(self.SHIFT)
        words = [*self.factors(), shift, self.word(SUM)]
        right = self.right({SUM: 0}, "", str(self.end), "L", shift.whole, self.bit(shift))
        value, modulus = self.word(SUM).whole, self.modulus.whole
        quotient = self.quotient(SUM)
        product = all_of(
            equal(value, f"(- (* |x| |y|) (* {quotient} {modulus}))"), f"(<= 0 {value})", f"(< {value} {modulus})"
        )
        declared_too = f"(declare-const L Int)(declare-const {quotient} Int)\n"
        return declared_too + self.holding(words, list(self.split(shift)), self.given(), right, negation(product))

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
        texts = {"the registers are right behind a load": (self.begun(),)}
        texts |= {f"{move.name} keeps the registers right": self.kept(move) for move in self.moves()}
        texts |= {
            "z is right behind the loop": (self.result(),),
            "these lemmas make an induction over clock cycles": (self.composed(),),
        }
        for name, some in texts.items():
            yield Obligation("number", name, "z3", some)


# --- the cores --------------------------------------------------------------------------------------------


def chain(path: str, source: str, length: int) -> tuple[Use, ...]:
    """Doubling blocks one behind the other."""
    names = [f"{path}.gen_a1[{j}].u_a1" for j in range(length)]
    sources = (source, *(f"{name}.z_o" for name in names))
    return tuple(Use(DOUBLE, name, {"r_i": fed}) for name, fed in zip(names, sources, strict=False))


def tap(path: str, number: int) -> str:
    """An output of such a chain."""
    return f"{path}.gen_a1[{number}].u_a1.z_o"


class Parallel(Interleaved):
    """The multiples are multiplied by the radix while one of them is added: the lowest digit goes first."""

    CHAINS: ClassVar[Mapping[int, str]]
    """By k, the doubling blocks of its register."""

    def multiplied(self, k: int) -> tuple[Use, ...]:
        """The blocks that multiply a register by the radix."""
        return chain(self.CHAINS[k], self.MULTIPLES[k], self.LOG)

    def in_loop(self, size: int, negative: bool) -> Stage:
        chains = {k: self.multiplied(k) for k in self.MULTIPLES}
        fed = {"a_i": SUM, "v_i": self.MULTIPLES.get(size)}
        added = Use(SUBTRACT if negative else ADD, self.AS, fed)
        takes = {self.MULTIPLES[k]: uses[-1].out for k, uses in chains.items()}
        return Stage((*(use for uses in chains.values() for use in uses), added), {**takes, SUM: added.out})


class Serial(Interleaved):
    """The sum is multiplied by the radix, and a multiple added behind that: the highest digit goes first."""

    DOWN = True
    CHAIN: ClassVar[str]
    """The doubling blocks of the sum."""

    def in_loop(self, size: int, negative: bool) -> Stage:
        shifted = chain(self.CHAIN, SUM, self.LOG)
        fed = {"a_i": shifted[-1].out, "v_i": self.MULTIPLES.get(size)}
        added = Use(SUBTRACT if negative else ADD, self.AS, fed)
        return Stage((*shifted, added), {SUM: added.out})


def added(path: str, multiple: str, to: str) -> Stage:
    """A cycle before the loop with the sum of z, which is x, and a multiple."""
    use = Use(ADD, path, {"a_i": SUM, "v_i": multiple})
    return Stage((use,), {to: use.out})


def joined(*stages: Stage, cleared: bool = False) -> Stage:
    """Cycles that are one; in the last before the loop z is cleared."""
    takes = {register: source for stage in stages for register, source in stage.takes.items()}
    uses = tuple(use for stage in stages for use in stage.uses)
    return Stage(uses, {**takes, SUM: None} if cleared else takes)


class ImmlBooth4(Parallel):
    """imml_booth4."""

    LOG, BOOTH, SUM_AT_FIRST, AS = 2, True, 0, "core.gen_paper.u_as"
    MULTIPLES = {1: "core.r1_q", 2: "core.gen_paper.r2_q"}
    CHAINS = {1: "core.u_eu1", 2: "core.gen_paper.u_eu2"}

    def before_loop(self) -> Sequence[Stage]:
        taps = self.multiplied(1)
        return (Stage(taps, {self.MULTIPLES[2]: taps[0].out}),)


class ImmlBooth8(Parallel):
    """imml_booth8."""

    LOG, BOOTH, AS = 3, True, "core.gen_paper.u_as"
    MULTIPLES = {
        1: "core.r1_q",
        2: "core.gen_paper.r2_q",
        3: "core.r3_q",
        4: "core.gen_paper.r4_q",
    }
    CHAINS = {
        1: "core.u_pu1",
        2: "core.gen_paper.u_pu2",
        3: "core.u_pu3",
        4: "core.gen_paper.u_pu4",
    }

    def before_loop(self) -> Sequence[Stage]:
        r, taps = self.MULTIPLES, self.multiplied(1)
        return (
            Stage(taps, {r[2]: taps[0].out, r[4]: taps[1].out}),
            joined(added(self.AS, r[2], r[3]), cleared=True),
        )


class ImmlRadix4(Parallel):
    """imml_radix4."""

    LOG = 2
    MULTIPLES = {k: f"core.r{k}_q" for k in (1, 2, 3)}
    CHAINS = {k: f"core.u_eu{k}" for k in (1, 2, 3)}

    def before_loop(self) -> Sequence[Stage]:
        r, taps = self.MULTIPLES, self.multiplied(1)
        return Stage(taps, {r[2]: taps[0].out}), joined(added(self.AS, r[2], r[3]), cleared=True)


class ImmlRadix8(Parallel):
    """imml_radix8, whose multiples are in one array."""

    LOG = 3
    MULTIPLES = {k: f"core.r_q.{k}" for k in range(1, 8)}
    CHAINS = {k: f"core.gen_pu[{k}].u_pu" for k in range(1, 8)}

    def at(self, state: State, signal: str) -> tuple[str, int]:
        array, _, k = signal.rpartition(".")
        if array != "core.r_q":
            return super().at(state, signal)
        return extract(state(array), int(k) * self.width - 1, (int(k) - 1) * self.width), self.width

    def before_loop(self) -> Sequence[Stage]:
        r, taps, threes = self.MULTIPLES, self.multiplied(1), self.multiplied(3)
        return (
            Stage(taps, {r[2]: taps[0].out, r[4]: taps[1].out}),
            added(self.AS, r[2], r[3]),
            joined(added(self.AS, r[4], r[5]), Stage(threes, {r[6]: threes[0].out})),
            joined(added(self.AS, r[6], r[7]), cleared=True),
        )


class InterleavedBooth4(Serial):
    """interleaved_booth4."""

    LOG, BOOTH, CHAIN = 2, True, "core.u_eu"
    MULTIPLES = {k: f"core.r{k}_q" for k in (1, 2)}

    def before_loop(self) -> Sequence[Stage]:
        taps = chain(self.CHAIN, SUM, self.LOG)
        return (joined(Stage(taps, {self.MULTIPLES[2]: taps[0].out}), cleared=True),)


class InterleavedBooth8(Serial):
    """interleaved_booth8."""

    LOG, BOOTH, CHAIN = 3, True, "core.u_pu"
    MULTIPLES = {k: f"core.r{k}_q" for k in (1, 2, 3, 4)}

    def before_loop(self) -> Sequence[Stage]:
        r, taps = self.MULTIPLES, chain(self.CHAIN, SUM, self.LOG)
        return (
            Stage(taps, {r[2]: taps[0].out, r[4]: taps[1].out}),
            joined(added(self.AS, r[2], r[3]), cleared=True),
        )


class InterleavedRadix2Parallel(Parallel):
    """interleaved_radix2_parallel, with one doubling block."""

    LOG, SUM_AT_FIRST, SHIFT = 1, 0, "core.y_q"
    MULTIPLES = {1: "core.r_q"}

    def multiplied(self, k: int) -> tuple[Use, ...]:
        return (Use(DOUBLE, "core.u_a1", {"r_i": self.MULTIPLES[k]}),)


class InterleavedRadix2(Interleaved):
    """interleaved_radix2: its step is not made of blocks, and is taken for one: what z takes is its output."""

    LOG, DOWN, SUM_AT_FIRST, SHIFT, FACTORS = 1, True, 0, "core.x_q", ("y", "x")
    MULTIPLES = {1: "core.y_q"}
    STEP = "core.step"

    def at(self, state: State, signal: str) -> tuple[str, int]:
        path, _, port = signal.rpartition(".")
        if path != self.STEP:
            return super().at(state, signal)
        if port == "v_i":
            top = extract(state(self.SHIFT), self.width - 1, self.width - 1)
            return f"(ite (= {top} #b1) {state(self.MULTIPLES[1])} {const(0, self.width)})", self.width
        return {"m_i": state("core.m"), "a_i": state(SUM), "z_o": self.next(SUM)}[port], self.width

    def chosen(self, use: Use) -> tuple[str, ...]:
        return self.now.is_(BUSY, 1), self.system.step

    def in_loop(self, size: int, negative: bool) -> Stage:
        use = Use(BLAKLEY, self.STEP, {"a_i": SUM, "v_i": self.MULTIPLES.get(size)})
        return Stage((use,), {SUM: use.out})
