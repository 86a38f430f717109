# SPDX-License-Identifier: Apache-2.0
"""What the netlist of an interleaved core does in each cycle: blocks are fed, and registers take."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from modmul.prove.netlist import State
from modmul.prove.product.argument import Argument
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Joined,
    Word,
    all_of,
    any_of,
    const,
    equal,
    implies,
    negation,
)

__all__ = [
    "ADD",
    "BLAKLEY",
    "BUSY",
    "DELAYED",
    "DOUBLE",
    "HELD",
    "SUBTRACT",
    "SUM",
    "THEN",
    "Move",
    "Source",
    "Stage",
    "Steps",
    "Use",
]

FRAME = "core.u_frame."
BUSY, DONE, STEP = (f"{FRAME}{name}" for name in ("busy_q", "done_q", "step_q"))
HELD = ("m", "x", "y")
"""What the bench remembers of the ports."""

SUM = "core.z_q"

THEN = "_n"
"""What the name of a word of the next state ends with."""


DELAYED = -1
"""In place of k, of a register with the multiple that the digit before asked for."""


@dataclass(frozen=True)
class Kind:
    """What blocks of a kind do: the output is the weighted sum of the inputs, less a multiple of M.

    Attributes:
        verb: what it does.
        weights: by input port.
        multiples: of M that may be taken away.
        below: the inputs that have to be below M; the others may be M.
    """

    verb: str
    weights: Mapping[str, int]
    multiples: tuple[int, ...]
    below: tuple[str, ...] = ()


DOUBLE = Kind("doubles", {"r_i": 2}, (0, 1))
ADD = Kind("adds", {"a_i": 1, "v_i": 1}, (0, 1))
SUBTRACT = Kind("subtracts", {"a_i": 1, "v_i": -1}, (0, -1), ("a_i",))
BLAKLEY = Kind("doubles and adds", {"a_i": 2, "v_i": 1}, (0, 1, 2), ("a_i",))
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
        minus: whether a multiple that is held (:data:`DELAYED`) is to be taken away.
        minus_then: the same of the next cycle.
        then: more that the next state does.
    """

    name: str
    where: tuple[str, ...]
    stage: Stage
    before: Mapping[str, int]
    behind: Mapping[str, int]
    digit: int | None = None
    minus: bool = False
    minus_then: bool = False
    then: tuple[str, ...] = ()


class Steps(Argument):
    """What the netlist of a build does."""

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

    # --- what a core says of itself ---------------------------------------------------------------

    def before_loop(self) -> Sequence[Stage]:
        """The cycles before the loop."""
        return ()

    @abstractmethod
    def in_loop(self, size: int, negative: bool) -> Stage:
        """A cycle of the loop, in which a multiple is added or, if negative, taken away."""

    def more(self, state: State) -> Iterator[str]:
        """More that holds in every state."""
        del state
        yield from ()

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
                yield (
                    all_of(*(equal(bit, const(size >> j & 1, 1)) for j, bit in enumerate(bits))),
                    size,
                    False,
                )
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

    def of_netlist(self) -> Iterator[Obligation]:
        """The obligations about the netlist."""
        yield from self._invariant()
        yield from self._blocks()
        yield from self._steps()

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
            *self.more(state),
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
        yield self._asked("invariant", "holds in every cycle of reset", reset, denied=self.invariant(now))
        yield self._asked("invariant", "goes on holding", *self.known, denied=self.invariant(then))
        for name, there in {"an operation": now.is_(BUSY, 1), "a result": now.is_(DONE, 1)}.items():
            text = self.text(*self.known, now.is_("rst_ni", 1), there)
            yield Obligation("invariant", f"{name} is possible", "bitwuzla", (text,), holds=False)

    def blocks(self) -> list[Use]:
        """Each block that is used, once for all that it does."""
        return list(
            {(use.path, use.kind.verb): use for move in self.moves() for use in move.stage.uses}.values()
        )

    def inside(self, use: Use) -> list[Fact]:
        """What the adders of a block do, and how it chooses its output."""
        signal = {name: self.word(f"{use.path}.{name}") for name in ("m_i", "z_o", *use.kind.weights)}
        modulus, out = signal["m_i"], signal["z_o"]
        if use.kind is DOUBLE:
            doubled = {signal["r_i"]: 2}
            less = self.word(f"{use.path}.diff")
            return [
                Congruent({less: 1, modulus: 1}, doubled, less.bits),
                *self.signed(
                    less, [Congruent({out: 1}, {less: 1}, out.bits)], [Congruent({out: 1}, doubled, out.bits)]
                ),
            ]
        a, v = signal["a_i"], signal["v_i"]
        t, u = (self.word(f"{use.path}.{name}") for name in "tu")
        if use.kind is ADD:
            sums = ({t: 1}, {a: 1, v: 1}), ({u: 1, modulus: 1}, {t: 1})
            told, ends = u, (u, t)
        else:
            sums = ({t: 1, v: 1}, {a: 1}), ({u: 1}, {t: 1, modulus: 1})
            told, ends = t, (t, u)
        positive, negative = ([Congruent({out: 1}, {end: 1}, out.bits)] for end in ends)
        return [
            *(Congruent(left, right, t.bits) for left, right in sums),
            *self.signed(told, positive, negative),
        ]

    @staticmethod
    def signed(word: Word, positive: Sequence[Fact], negative: Sequence[Fact]) -> list[Fact]:
        """What holds as the highest bit of a word says, and that a word is this bit and its rest."""
        rest = word.cut(word.bits - 2, 0, "rest")
        sign = word.cut(rest.bits, rest.bits, "sign")
        cases = [
            Joined(implies, (Compared({sign: 1}, "=", {}, value), fact))
            for value, facts in enumerate((positive, negative))
            for fact in facts
        ]
        return [Compared({word: 1}, "=", {sign: 1 << rest.bits, rest: 1}), *cases]

    def _blocks(self) -> Iterator[Obligation]:
        for use in self.blocks():
            name = f"the adders of {use.path}, which {use.kind.verb}"
            facts = (negation(fact.over_bits()) for fact in self.inside(use))
            texts = tuple(self.text(*self.chosen(use), each) for each in facts)
            yield Obligation("block", name, "bitwuzla", texts)

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
            fed = [fact for use in move.stage.uses for fact in self.feeding(use)]
            done = [fact.over_bits() for fact in (*fed, *self.taking(move), *self.shifted(move))]
            done += [each for use in move.stage.uses for each in self.chosen(use)]
            done += move.then
            where = (*self.known, *move.where)
            texts = tuple(self.text(*where, negation(each)) for each in done)
            yield Obligation("step", f"in {move.name} the blocks are fed", "bitwuzla", texts)
            yield Obligation(
                "step", f"{move.name} is possible", "bitwuzla", (self.text(*where),), holds=False
            )

    def loaded(self) -> Iterator[Fact]:
        """What registers hold in step 0."""
        multiplicand, multiplier = (self.then(factor) for factor in self.FACTORS)
        yield Compared({self.then(self.MULTIPLES[1]): 1}, "=", {multiplicand: 1})
        yield Compared({self.then(SUM): 1}, "=", {multiplicand: 1} if self.SUM_AT_FIRST else {})
        yield Compared({self.then(self.SHIFT): 1}, "=", {multiplier: self.scale})

    @property
    def scale(self) -> int:
        """The shift register begins with this multiple of the multiplier: Booth's digits need a bit below."""
        return 1 + self.BOOTH

    def split(self, shift: Word) -> Iterator[Fact]:
        """The shift register is its bit :meth:`shared` and its rest."""
        if self.BOOTH and self.DOWN:
            rest = shift.cut(shift.bits - 2, 0, "rest")
            yield Compared({shift: 1}, "=", {self.shared(shift): 1 << rest.bits, rest: 1})
        elif self.BOOTH:
            rest = shift.cut(shift.bits - 1, 1, "rest")
            yield Compared({shift: 1}, "=", {rest: 2, self.shared(shift): 1})
