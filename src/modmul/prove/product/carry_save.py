# SPDX-License-Identifier: Apache-2.0
"""Of the two Montgomery cores with carry-save adders: z·2^n = x·y + k·M for an integer k, and 0 <= z < M.

From reset to result, at full width, for every context, all operands x, y <= M and any behaviour at the ports,
resets included. Three layers, each of obligations that a solver discharges:

- **invariant** (bitwuzla, on the netlist): where every word is, in every state of the core. While bit i of x
  is processed, the shift register X holds what is left of x, the registers of y and M what crossed the ports;
  in the conversion, each stage of the word adder holds its word of S + C - M, and then of that + M where it
  is negative; while the result leaves, X holds what is left of E, which is defined below by S, C and M alone.
- **step** (bitwuzla, on the netlist): bit by bit, the carry-save adders add: weighted, what goes into a
  column comes out of it. And: S and C begin with 0, change in no other state than RUN, and the states follow
  each other as the loop of the next layer does. The columns of the adders that define E are proven in the
  same way.
- **number** (z3, integer arithmetic): the columns sum up to 2(S' + C') = S + C + x_i·y + q_i·M; therefore
  2^i(S + C) = (x mod 2^i)·y + Q·M and 0 <= S + C < M + y hold for i = 0, and for i + 1 when they hold for i,
  which makes them an invariant of the clock cycles; therefore E is S + C or S + C - M, and 0 <= E < M.

The first two layers are about the netlist that Yosys reads from the sources. A bit-vector relation that was
proven becomes a relation of integers in one place, :class:`~modmul.prove.terms.Relation`.

A core is a subclass of :class:`Proof`, which says where its words are and what its columns add.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from modmul.prove.netlist import State
from modmul.prove.product.argument import Argument
from modmul.prove.product.serial import COUNT
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Relation,
    Word,
    all_of,
    any_of,
    bounds,
    const,
    equal,
    extract,
    implies,
    negation,
    shown_sum,
    zero_extend,
)

__all__ = [
    "ADDER",
    "CONVERT",
    "FRAME",
    "GATE",
    "LOAD",
    "PRE",
    "RUN",
    "START",
    "UNIT",
    "UNLOAD",
    "At",
    "Proof",
]

LOAD, PRE, START, RUN, CONVERT, UNLOAD = range(6)
"""States of ``mm_word_frame``."""

PASSES = (0, 1)

FRAME, GATE, UNIT = "core.u_frame.", "core.u_frame.u_gate.", "core.u_unit."
ADDER = f"{UNIT}u_adder."
TOP_BITS = 4
"""Bits of ``sum_top_o``, the highest of which is the sign."""


@dataclass(frozen=True)
class At:
    """The terms of one state.

    Attributes:
        of: the proof.
        state: ``s`` or ``n``.
        tag: what the names of its definitions end with.
    """

    of: Proof
    state: State
    tag: str

    def __call__(self, name: str) -> str:
        """A definition of :meth:`definitions`."""
        return f"{name}{self.tag}"

    def in_(self, state: int) -> str:
        return self.state.is_(f"{FRAME}state_q", state)

    def beat(self, number: int) -> str:
        return self.state.is_(f"{FRAME}beat_q", number)

    def behind(self, number: int) -> str:
        """That the beat is a later one."""
        return f"(bvugt {self.state(f'{FRAME}beat_q')} {const(number, self.of.beat_bits)})"

    def converting(self, number: int, beat: int) -> str:
        """That a pass of the conversion is at a beat."""
        return all_of(self.in_(CONVERT), self.state.is_(f"{FRAME}pass_q", number), self.beat(beat))

    def preparing(self, beat: int) -> str:
        """That the pass before the loop is at a beat."""
        return all_of(self.in_(PRE), self.beat(beat))

    def definitions(self) -> str:
        """What S, C and M define: first D = S + C - M in two's complement, then E = D + M where D is
        negative.

        Each addition of three numbers is a carry-save adder (``_sum``, ``_save``) and an addition, each of
        two is written with its carries (``_ripple``), as the hardware has them.
        """
        state, longest = self.state, self.of.longest
        width, bits = self.of.width, self.of.bits
        both = f"(bvand X{self.tag} A{self.tag})"
        terms = {
            "S": zero_extend(state("core.s_q"), longest - width - 1),
            "C": zero_extend(state("core.c_q"), longest - width - 1),
            "M": zero_extend(state("m"), longest - bits),
            "N": f"(bvnot {self('M')})",
            "D_save": f"(bvor (bvand {self('S')} {self('C')}) (bvor (bvand {self('S')} {self('N')}) "
            f"(bvand {self('C')} {self('N')})))",
            "D_sum": f"(bvxor {self('S')} (bvxor {self('C')} {self('N')}))",
            "D_carry": f"(concat {extract(self('D_save'), longest - 2, 0)} #b1)",
            "D": f"(bvadd {self('D_sum')} {self('D_carry')})",
            "D_ripple": f"(bvxor {self('D')} (bvxor {self('D_sum')} {self('D_carry')}))",
            "X": f"(concat ((_ sign_extend {self.of.word - TOP_BITS}) "
            f"{extract(self('D'), bits + TOP_BITS - 1, bits)}) {extract(self('D'), bits - 1, 0)})",
            "A": f"(ite {self.of.bit(self('D'), self.of.sign)} {self('M')} {const(0, longest)})",
            **self.of.more_definitions(self),
            "E_save": both,
            "E_sum": f"(bvxor {self('X')} {self('A')})",
            "E_carry": f"(concat {extract(self('E_save'), longest - 2, 0)} #b0)",
            "E": f"(bvadd {self('E_sum')} {self('E_carry')})",
            "E_ripple": f"(bvxor {self('E')} (bvxor {self('E_sum')} {self('E_carry')}))",
            "D_over": self.majority("D_sum", "D_carry", "D_ripple"),
            "E_over": self.majority("E_sum", "E_carry", "E_ripple"),
        }
        return "\n".join(
            f"(define-fun {self(name)} () (_ BitVec {longest}) {term})" for name, term in terms.items()
        )

    def majority(self, *names: str) -> str:
        a, b, c = map(self, names)
        return f"(bvor (bvand {a} {b}) (bvor (bvand {a} {c}) (bvand {b} {c})))"

    def odd(self, signal: str) -> str:
        """That bit 0 of a signal is set."""
        return equal(extract(self.state(signal), 0, 0), "#b1")

    def word(self, term: str, number: int) -> str:
        word = self.of.word
        return extract(term, (number + 1) * word - 1, number * word)


class Proof(Argument):
    """The obligations of a build."""

    WORKING: ClassVar[tuple[int, ...]] = (START, RUN, CONVERT, UNLOAD)
    """The states from the last operand beat to the last result beat."""

    # --- what a core says of itself ---------------------------------------------------------------

    @abstractmethod
    def row(self, digit: int, quotient: int) -> list[Relation]:
        """The columns of a step in which ``digit``·y and ``quotient``·M are added."""

    @abstractmethod
    def chosen(self, digit: int, quotient: int) -> tuple[str, ...]:
        """That a step adds ``digit``·y and ``quotient``·M."""

    @abstractmethod
    def digit(self, at: At) -> str:
        """That the digit of a step is 1."""

    @abstractmethod
    def kept(self, at: At, k: int) -> tuple[list[str], list[str]]:
        """The registers that hold word k of M, and those that hold word k of y."""

    @abstractmethod
    def left(self, at: At) -> str:
        """What is left of x in a step of the loop."""

    def more_definitions(self, at: At) -> Mapping[str, str]:
        """Further words that a core needs."""
        del at
        return {}

    def more(self, at: At) -> Mapping[str, str]:
        """Further parts of the invariant."""
        del at
        return {}

    # --- sizes ------------------------------------------------------------------------------------

    def __post_init__(self) -> None:
        if self.word < TOP_BITS:
            raise ValueError(f"{self.build}: the proof is written for words of at least {TOP_BITS} bits")

    @property
    def word(self) -> int:
        return self.build.config.word

    @property
    def beats(self) -> int:
        return self.build.config.beats

    @property
    def bits(self) -> int:
        """Of the words of an operand."""
        return self.beats * self.word

    @property
    def longest(self) -> int:
        """Bits of D and E: one more word."""
        return self.bits + self.word

    @property
    def sign(self) -> int:
        """The bit of D that the hardware takes for its sign."""
        return self.bits + TOP_BITS - 1

    @property
    def beat_bits(self) -> int:
        return self.system.signals[f"{FRAME}beat_q"]

    @property
    def step_bits(self) -> int:
        return self.system.signals[f"{FRAME}step_q"]

    @cached_property
    def now(self) -> At:
        return At(self, self.system.state("s"), "")

    @cached_property
    def next(self) -> At:
        return At(self, self.system.state("n"), "_n")

    def all(self) -> Iterator[Obligation]:
        """Every obligation, layer by layer."""
        yield from self._invariant()
        yield from self._steps()
        yield from self._numbers()

    # --- the invariant ------------------------------------------------------------------------------

    def invariant(self, at: At) -> Mapping[str, str]:
        """What holds in every state, in parts."""
        is_, state = at.state.is_, at.state
        part = is_(f"{GATE}in_part_q", 1)
        whole, opened = is_(f"{GATE}whole_q", 1), is_(f"{GATE}open_q", 1)
        loading = all_of(at.in_(LOAD), negation(part))
        working = any_of(*map(at.in_, self.WORKING))
        busy = any_of(part, working)
        odd = at.odd("m")
        given = is_("given", 1)
        ended = {"m_at": loading, "in_at": part, "out_at": at.in_(UNLOAD)}
        counted = equal(zero_extend(state(f"{FRAME}beat_q"), COUNT - self.beat_bits), "{}")
        return {
            "states": all_of(
                any_of(at.in_(LOAD), working),
                f"(bvule {state(f'{FRAME}beat_q')} {const(self.beats + 1, self.beat_bits)})",
                implies(
                    any_of(at.in_(LOAD), at.in_(UNLOAD)),
                    f"(bvult {state(f'{FRAME}beat_q')} {const(self.beats, self.beat_bits)})",
                ),
                implies(any_of(at.in_(START), at.in_(RUN)), at.beat(0)),
                implies(negation(at.in_(CONVERT)), is_(f"{FRAME}pass_q", 0)),
                implies(part, all_of(at.in_(LOAD), negation(at.beat(0)))),
                is_(f"{FRAME}ctx_word_q", 0),
            ),
            "context": all_of(
                implies(any_of(busy, opened), all_of(whole, odd)),
                equal(whole, is_("whole", 1)),
                implies(all_of(whole, loading), at.beat(0)),
            ),
            "beats": all_of(
                *(implies(when, counted.format(state(name))) for name, when in ended.items()),
                *(implies(negation(when), is_(name, 0)) for name, when in ended.items()),
            ),
            "words": all_of(*self._loaded(at, loading, part, whole, working)),
            "multiplier": all_of(
                *(
                    implies(
                        all_of(part, at.beat(beat)),
                        equal(
                            extract(state(f"{UNIT}x_q"), self.bits - 1, self.bits - beat * self.word),
                            extract(state("x"), beat * self.word - 1, 0),
                        ),
                    )
                    for beat in range(1, self.beats)
                ),
                *(
                    implies(at.in_(before), equal(state(f"{UNIT}x_q"), state("x")))
                    for before in self.WORKING
                    if before in (PRE, START)
                ),
                implies(at.in_(RUN), equal(state(f"{UNIT}x_q"), self.left(at))),
                implies(at.in_(RUN), f"(bvult {self.step(at)} {const(self.width, self.bits)})"),
            ),
            **self.more(at),
            "passes": all_of(
                implies(at.in_(RUN), is_("core.second_q", 0)),
                implies(all_of(at.in_(CONVERT), is_(f"{FRAME}pass_q", 0)), is_("core.second_q", 0)),
                implies(
                    all_of(at.in_(CONVERT), is_(f"{FRAME}pass_q", 1), negation(at.beat(0))),
                    is_("core.second_q", 1),
                ),
            ),
            "conversion": all_of(
                *(
                    implies(at.converting(number, beat), all_of(*self._converted(at, number, beat)))
                    for number in PASSES
                    for beat in range(self.beats + 2)
                )
            ),
            "result": all_of(
                *(
                    implies(
                        all_of(at.in_(UNLOAD), at.beat(beat)),
                        all_of(
                            *(
                                equal(at.word(state(f"{UNIT}x_q"), k - beat), at.word(at("E"), k))
                                for k in range(beat, self.beats)
                            ),
                            *(equal(at.word(state("z"), k), at.word(at("E"), k)) for k in range(beat)),
                        ),
                    )
                    for beat in range(self.beats)
                ),
                implies(given, all_of(loading, whole, odd)),
                implies(given, equal(state("z"), extract(at("E"), self.bits - 1, 0))),
            ),
        }

    def step(self, at: At) -> str:
        """The number of the loop's step, as long as an operand."""
        return zero_extend(at.state(f"{FRAME}step_q"), self.bits - self.step_bits)

    def _loaded(self, at: At, loading: str, part: str, whole: str, working: str) -> Iterator[str]:
        """The registers of M and y hold what has crossed the ports, word by word."""
        state = at.state
        for k in range(self.beats):
            modulus, operand = self.kept(at, k)
            come = any_of(whole, all_of(loading, at.behind(k)))
            yield from (implies(come, equal(each, at.word(state("m"), k))) for each in modulus)
            if k == 0:
                yield implies(come, equal(state("core.legal_q"), at.odd("m")))
            come = any_of(working, all_of(part, at.behind(k)))
            yield from (implies(come, equal(each, at.word(state("y"), k))) for each in operand)

    def _converted(self, at: At, number: int, beat: int) -> Iterator[str]:
        """Where the words are in a beat of a pass: one in each stage of the adder, the others in X."""
        state, is_, last = at.state, at.state.is_, self.beats
        x = state(f"{UNIT}x_q")
        if beat >= 1:
            yield from self._stage_1(at, number, beat - 1)
        if beat >= 2:
            yield from self._stage_2(at, number, beat - 2)
        if beat >= 3:
            result, ripple = ("D", "D_ripple") if number == 0 else ("E", "E_ripple")
            for k in range(beat - 2):
                yield equal(at.word(x, last - (beat - 2) + k), at.word(at(result), k))
            yield is_(f"{ADDER}ripple_q", 1).join(
                ("(= ", f" {self.bit(at(ripple), (beat - 2) * self.word)})")
            )
        if number == 0:
            return
        for k in range(beat, last):
            yield equal(at.word(x, k - beat), at.word(at("D"), k))
        if beat == 0:
            yield from self._stage_2(at, 0, last)
            yield is_(f"{ADDER}valid_q", 0)
            yield equal(is_(f"{ADDER}ripple_q", 1), self.bit(at("D_ripple"), self.bits))
        else:
            yield equal(state(f"{ADDER}sum_top_o"), extract(at("D"), self.sign, self.bits))
        if beat == 1:
            yield is_(f"{ADDER}sum_valid_q", 0)

    def _stage_1(self, at: At, number: int, k: int) -> Iterator[str]:
        """Word k is registered."""
        state, is_ = at.state, at.state.is_
        zero = const(0, self.word)
        yield equal(state(f"{ADDER}a_q"), at.word(at("S" if number == 0 else "X"), k))
        yield equal(state(f"{ADDER}b_q"), at.word(at("C"), k) if number == 0 else zero)
        yield equal(state(f"{ADDER}m_q"), at.word(at("M"), k))
        yield is_(f"{ADDER}first_q", int(k == 0))
        yield is_(f"{ADDER}top_q", int(k == self.beats))
        yield is_(f"{ADDER}valid_q", 1)

    def _stage_2(self, at: At, number: int, k: int) -> Iterator[str]:
        """Word k has gone through the carry-save adder."""
        state, is_ = at.state, at.state.is_
        result = "D" if number == 0 else "E"
        yield equal(state(f"{ADDER}sum_q"), at.word(at(f"{result}_sum"), k))
        yield equal(state(f"{ADDER}carry_q"), at.word(at(f"{result}_carry"), k))
        if k < self.beats:
            carried = self.bit(at(f"{result}_carry"), (k + 1) * self.word)
            yield equal(is_(f"{ADDER}save_q", 1), carried)
        yield is_(f"{ADDER}sum_first_q", int(k == 0))
        yield is_(f"{ADDER}sum_top_q", int(k == self.beats))
        yield is_(f"{ADDER}sum_valid_q", 1)

    @staticmethod
    def bit(term: str, place: int) -> str:
        return equal(extract(term, place, place), "#b1")

    def definitions(self) -> str:
        return f"{self.now.definitions()}\n{self.next.definitions()}\n"

    @cached_property
    def _known(self) -> tuple[str, ...]:
        """That ``s`` fulfils the invariant, and that ``n`` follows it and is not in reset; ``s`` may be.

        A state in reset fulfils the invariant whatever came before it.
        """
        holds = self.invariant(self.now).values()
        return (*holds, self.system.step, self.next.state.is_("rst_ni", 1))

    def _invariant(self) -> Iterator[Obligation]:
        now, parts = self.now, self.invariant(self.now)
        broken = negation(all_of(*self.invariant(self.next).values()))
        reset = now.state.is_("rst_ni", 0)
        yield Obligation(
            "invariant",
            "holds in every cycle of reset, whatever the registers hold",
            "bitwuzla",
            (self.text(reset, negation(all_of(*parts.values()))),),
        )
        cases = {
            "LOAD": (now.in_(LOAD),),
            **({"PRE": tuple(map(now.preparing, range(self.beats + 2)))} if PRE in self.WORKING else {}),
            "START": (now.in_(START),),
            "RUN": (now.in_(RUN),),
            "CONVERT": tuple(
                now.converting(number, beat) for number in PASSES for beat in range(self.beats + 2)
            ),
            "UNLOAD": (now.in_(UNLOAD),),
        }
        yield Obligation(
            "invariant",
            "these are all states",
            "bitwuzla",
            (
                self.text(
                    *parts.values(), negation(any_of(*(case for some in cases.values() for case in some)))
                ),
            ),
        )
        for name, some in cases.items():
            texts = tuple(self.text(*self._known, case, broken) for case in some)
            yield Obligation("invariant", f"goes on holding from {name}", "bitwuzla", texts)
            running = self.now.state.is_("rst_ni", 1)
            possible = tuple(self.text(*self._known, running, case) for case in some)
            yield Obligation("invariant", f"{name} is possible", "bitwuzla", possible, holds=False)
        given = self.text(*self._known, now.state.is_("given", 1))
        yield Obligation("invariant", "a whole result is possible", "bitwuzla", (given,), holds=False)

    # --- the steps ----------------------------------------------------------------------------------

    def named(self, signal: str, bits: int, at: At | None = None) -> Word:
        state = self.now if at is None else at
        return Word(f"{signal}{state.tag}", state.state(signal), bits)

    @cached_property
    def sum(self) -> tuple[Word, Word]:
        return self.named("core.s_q", self.width + 1), self.named("core.c_q", self.width + 1)

    @cached_property
    def sum_next(self) -> tuple[Word, Word]:
        return (
            self.named("core.s_q", self.width + 1, self.next),
            self.named("core.c_q", self.width + 1, self.next),
        )

    @cached_property
    def modulus(self) -> Word:
        return self.named("m", self.width)

    @cached_property
    def operand(self) -> Word:
        return self.named("y", self.width)

    def difference(self) -> list[Relation]:
        """The columns of D = S + C - M; of each bit of M stands 1 - it, and above M a 1."""
        (s, c), top = self.sum, self.longest
        inverse = Word("N", self.now("N"), top)
        names = ("D_sum", "D_save", "D_carry", "D_ripple", "D_over", "D")
        part = {name: Word(name, self.now(name), top) for name in names}
        found = [Relation({(part["D_carry"], 0): 1}, {}, 1), Relation({(part["D_ripple"], 0): 1}, {})]
        for j in range(top):
            own = {(self.modulus, j): 1} if j < self.width else {}
            found.append(Relation({(inverse, j): 1, **own}, {}, 1))
            added = {(s, j): 1, (c, j): 1} if j <= self.width else {}
            found.append(
                Relation({(part["D_sum"], j): 1, (part["D_save"], j): 2}, {**added, (inverse, j): 1})
            )
            summed = {(part["D_sum"], j): 1, (part["D_carry"], j): 1, (part["D_ripple"], j): 1}
            found.append(Relation({(part["D"], j): 1, (part["D_over"], j): 2}, summed))
            if j + 1 < top:
                found.append(Relation({(part["D_carry"], j + 1): 1}, {(part["D_save"], j): 1}))
                found.append(Relation({(part["D_ripple"], j + 1): 1}, {(part["D_over"], j): 1}))
        return found

    def correction(self, negative: int) -> list[Relation]:
        """The columns of the words of E below the top one: D, and M where D is negative."""
        names = ("E_sum", "E_save", "E_carry", "E_ripple", "E_over", "E", "D")
        part = {name: Word(name, self.now(name), self.longest) for name in names}
        found = [Relation({(part["E_carry"], 0): 1}, {}), Relation({(part["E_ripple"], 0): 1}, {})]
        for j in range(self.bits):
            added = {(self.modulus, j): 1} if negative and j < self.width else {}
            found.append(
                Relation({(part["E_sum"], j): 1, (part["E_save"], j): 2}, {(part["D"], j): 1, **added})
            )
            summed = {(part["E_sum"], j): 1, (part["E_carry"], j): 1, (part["E_ripple"], j): 1}
            found.append(Relation({(part["E"], j): 1, (part["E_over"], j): 2}, summed))
            found.append(Relation({(part["E_carry"], j + 1): 1}, {(part["E_save"], j): 1}))
            found.append(Relation({(part["E_ripple"], j + 1): 1}, {(part["E_over"], j): 1}))
        return found

    def _columns(self, name: str, relations: Sequence[Relation], *where: str) -> Obligation:
        denied = negation(all_of(*(each.over_bits() for each in relations)))
        return Obligation("step", name, "bitwuzla", (self.text(*where, denied),))

    def _same(self, *signals: str) -> str:
        return all_of(*(equal(self.now.state(each), self.next.state(each)) for each in signals))

    def _steps(self) -> Iterator[Obligation]:
        now, then = self.now, self.next
        for digit, quotient in self._choices():
            yield self._columns(
                f"the columns of a step with x_i = {digit}, q_i = {quotient}",
                self.row(digit, quotient),
                *self._known,
                *self.chosen(digit, quotient),
            )
        bit = extract(f"(bvlshr {now.state('x')} {self.step(now)})", 0, 0)
        last = now.state.is_(f"{FRAME}step_q", self.width - 1)
        follows = equal(
            then.state(f"{FRAME}step_q"), f"(bvadd {now.state(f'{FRAME}step_q')} {const(1, self.step_bits)})"
        )
        first = then.state.is_(f"{FRAME}step_q", 0)
        kept, carried = ("m", "x", "y"), ("core.s_q", "core.c_q")
        zero = const(0, self.width + 1)
        facts = {
            "in step i, x_i is bit i of x": implies(now.in_(RUN), equal(self.digit(now), equal(bit, "#b1"))),
            "M, x and y stay from the last operand beat to the end of the result": implies(
                any_of(*map(now.in_, self.WORKING)), self._same(*kept)
            ),
            "S and C stay from the loop to the end of the result": implies(
                any_of(now.in_(CONVERT), now.in_(UNLOAD)), self._same(*carried)
            ),
            "step 0 comes behind START, with S = C = 0, and step i + 1 behind step i": implies(
                then.in_(RUN),
                any_of(
                    all_of(
                        now.in_(START),
                        then.state.is_(f"{FRAME}step_q", 0),
                        *(equal(then.state(each), zero) for each in carried),
                    ),
                    all_of(now.in_(RUN), negation(last), follows, negation(first)),
                ),
            ),
            "CONVERT comes behind the last step, or itself": implies(
                then.in_(CONVERT), any_of(all_of(now.in_(RUN), last), now.in_(CONVERT))
            ),
            "UNLOAD comes behind CONVERT, or itself": implies(
                then.in_(UNLOAD), any_of(now.in_(CONVERT), now.in_(UNLOAD))
            ),
            "a whole result comes behind UNLOAD": implies(then.state.is_("given", 1), now.in_(UNLOAD)),
        }
        for name, fact in facts.items():
            yield Obligation("step", name, "bitwuzla", (self.text(*self._known, negation(fact)),))
        yield Obligation(
            "step",
            "in reset there is no step, no conversion and no result",
            "bitwuzla",
            (
                self.text(
                    now.state.is_("rst_ni", 0),
                    any_of(*map(now.in_, (RUN, CONVERT, UNLOAD)), now.state.is_("given", 1)),
                ),
            ),
        )
        known = self.invariant(now).values()
        given = now.state.is_("given", 1)
        yield self._columns("the columns of D", self.difference(), *known, given)
        for negative in (0, 1):
            sign = equal(extract(now("D"), self.sign, self.sign), const(negative, 1))
            name = "not negative" if negative == 0 else "negative"
            yield self._columns(
                f"the columns of E, D being {name}", self.correction(negative), *known, given, sign
            )

    @staticmethod
    def _choices() -> Iterator[tuple[int, int]]:
        yield from ((digit, quotient) for digit in (0, 1) for quotient in (0, 1))

    # --- the numbers --------------------------------------------------------------------------------

    @staticmethod
    def _integers(relations: Sequence[Relation], goal: str, *more: str) -> str:
        """That relations hold and a goal does not."""
        names = [name for each in relations for name in each.used]
        lines = [*bounds((*names, *more)), *(f"(assert {each.over_integers()})" for each in relations)]
        return "\n".join((*lines, f"(assert {negation(goal)})"))

    @staticmethod
    def _total(*words: Word) -> dict[str, int]:
        return {word.bit(j): 1 << j for word in words for j in range(word.bits)}

    def _numbers(self) -> Iterator[Obligation]:
        before, after = self._total(*self.sum), self._total(*self.sum_next)
        names = [*before, *after, *self._total(self.modulus), *self._total(self.operand)]
        for digit, quotient in self._choices():
            added = self._total(*([self.operand] * digit), *([self.modulus] * quotient))
            goal = equal(
                shown_sum({name: 2 * weight for name, weight in after.items()}), shown_sum(before | added)
            )
            yield Obligation(
                "number",
                f"the columns sum up to 2(S' + C') = S + C + {digit}·y + {quotient}·M",
                "z3",
                (self._integers(self.row(digit, quotient), goal, *names),),
            )
        yield Obligation("number", "S = C = 0 is right for i = 0", "z3", (self.begun(),))
        for digit, quotient in self._choices():
            yield Obligation(
                "number",
                f"what is right for i is right for i + 1, with x_i = {digit}, q_i = {quotient}, for each i",
                "z3",
                tuple(self.induction(i, digit, quotient) for i in range(self.width)),
            )
        yield from self._ended()
        yield Obligation(
            "number", "these lemmas make an induction over clock cycles", "z3", (self.composed(),)
        )

    def right(self, i: int, total: str, low: str, quotients: str) -> str:
        """2^i·total = low·y + quotients·M and 0 <= total < M + y."""
        return all_of(
            equal(f"(* {1 << i} {total})", f"(+ (* {low} y) (* {quotients} M))"),
            f"(<= 0 {total})",
            f"(< {total} (+ M y))",
        )

    NUMBERS = (
        "(declare-const M Int)(declare-const y Int)(declare-const T Int)(declare-const L Int)"
        "(declare-const Q Int)(assert (<= 1 M))(assert (<= 0 y))"
    )

    def begun(self) -> str:
        return f"{self.NUMBERS}(assert {negation(self.right(0, '0', '0', '0'))})"

    def induction(self, i: int, digit: int, quotient: int) -> str:
        """That step i goes wrong: L is x mod 2^i, Q the sum of the quotient's bits so far, T = S + C."""
        x = [f"x.{j}" for j in range(i + 1)]
        low = shown_sum({name: 1 << j for j, name in enumerate(x[:i])})
        more = shown_sum({name: 1 << j for j, name in enumerate(x)})
        next_low, next_quotients = (f"(+ {name} {bit << i})" for name, bit in (("L", digit), ("Q", quotient)))
        goal = all_of(
            equal(next_low, more),
            self.right(i + 1, "T_n", next_low, next_quotients),
        )
        return "\n".join(
            (
                self.NUMBERS,
                "(declare-const T_n Int)",
                *bounds(x),
                f"(assert {equal('L', low)})",
                f"(assert {equal(x[i], str(digit))})",
                f"(assert {self.right(i, 'T', 'L', 'Q')})",
                f"(assert (= (* 2 T_n) (+ T (* {digit} y) (* {quotient} M))))",
                f"(assert {negation(goal)})",
            )
        )

    def composed(self) -> str:
        """That what the lemmas keep up does not go on holding: one step of the induction over clock cycles.

        ``right.i`` stands for :meth:`right` of the numbers in a state, ``run.i`` for step i of the loop, and
        the ending ``_n`` for the next state; the lemmas are those of the names above, in their words.
        """
        n = self.width
        states = ("start", "convert", "unload", "given")
        names = (*states, *(f"{name}.{i}" for name in ("run", "right") for i in range(n + 1)))

        def holds(ending: str) -> str:
            after = any_of(*(f"{each}{ending}" for each in states[1:]))
            return all_of(
                *(implies(f"run.{i}{ending}", f"right.{i}{ending}") for i in range(n)),
                implies(after, f"right.{n}{ending}"),
            )

        lemmas = (
            # behind START: step 0, with S = C = 0, which is right; behind step i: step i + 1, or CONVERT
            implies("run.0_n", all_of("start", "zero_n")),
            implies("zero_n", "right.0_n"),
            *(implies(f"run.{i + 1}_n", f"run.{i}") for i in range(n - 1)),
            *(implies(all_of(f"run.{i}", f"right.{i}"), f"right.{i + 1}_n") for i in range(n)),
            implies("convert_n", any_of(f"run.{n - 1}", "convert")),
            # behind CONVERT and UNLOAD the numbers are the same
            implies("unload_n", any_of("convert", "unload")),
            implies("given_n", "unload"),
            implies(all_of(any_of("convert", "unload"), f"right.{n}"), f"right.{n}_n"),
        )
        lines = (
            *(f"(declare-const {name}{ending} Bool)" for name in (*names, "zero") for ending in ("", "_n")),
            *(f"(assert {each})" for each in (*lemmas, holds(""), negation(holds("_n")))),
        )
        return "\n".join(lines)

    def _ended(self) -> Iterator[Obligation]:
        """From S + C to the result."""
        top, bits = self.longest, self.bits
        d, e = (Word(name, self.now(name), top) for name in "DE")
        save, over = (Word(name, self.now(name), top) for name in ("D_save", "D_over"))
        modulus = {self.modulus.bit(j): -(1 << j) for j in range(self.width)}
        # D = S + C - M + 2^top (1 - save - over), the carries out of the top column being save and over
        right = self._total(*self.sum) | modulus
        right |= {save.bit(top - 1): -(1 << top), over.bit(top - 1): -(1 << top)}
        yield Obligation(
            "number",
            "the columns of D sum up to D = S + C - M + 2^k (1 - its two carries)",
            "z3",
            (self._integers(self.difference(), equal(d.value, shown_sum(right, 1 << top)), *self._total(d)),),
        )
        overflow = Word("E_over", self.now("E_over"), top)
        for negative in (0, 1):
            low = {e.bit(j): 1 << j for j in range(bits)} | {overflow.bit(bits - 1): 1 << bits}
            low |= {} if bits == 0 else {Word("E_save", "", top).bit(bits - 1): 1 << bits}
            sides = {d.bit(j): 1 << j for j in range(bits)}
            sides |= self._total(self.modulus) if negative else {}
            yield Obligation(
                "number",
                f"the columns of E sum up, D being {'negative' if negative else 'not negative'}",
                "z3",
                (
                    self._integers(
                        self.correction(negative), equal(shown_sum(low), shown_sum(sides)), *low, *sides
                    ),
                ),
            )
        yield Obligation("number", "E is S + C or S + C - M, and 0 <= E < M", "z3", (self.reduced(),))
        yield Obligation("number", "z is right", "z3", (self.result(),))

    def reduced(self) -> str:
        """That E is wrong: of D it uses the sign, 3 bits below it and those above it, and all below these."""
        rest = self.word - TOP_BITS
        lines = (
            *(f"(declare-const {name} Int)" for name in ("M", "y", "T", "D", "low", "three", "rest", "E")),
            *bounds(("save", "over", "sign", "carry", "saved")),
            f"(assert (and (<= 1 M) (< M {1 << self.width}) (<= 0 y) (<= y M) (<= 0 T) (< T (+ M y))))",
            f"(assert (= D (+ T (* (- 1) M) (* {1 << self.longest} (- 1 save over)))))",
            f"(assert (and (<= 0 low) (< low {1 << self.bits}) (<= 0 three) (< three {1 << TOP_BITS - 1})))",
            f"(assert (and (<= 0 rest) (< rest {1 << rest})))",
            f"(assert (= D (+ low (* {1 << self.bits} (+ three (* {1 << TOP_BITS - 1} sign) "
            f"(* {1 << TOP_BITS} rest))))))",
            f"(assert (and (<= 0 E) (< E {1 << self.bits})))",
            f"(assert (= (+ E (* {1 << self.bits} (+ carry saved))) (+ low (ite (= sign 1) M 0))))",
        )
        goal = "(and (<= 0 E) (< E M) (or (= E T) (= E (- T M))))"
        return "\n".join((*lines, f"(assert {negation(goal)})"))

    def result(self) -> str:
        """That z does not fulfil the theorem, given the invariant of the last step and what E is."""
        radix = 1 << self.width
        lines = (
            self.NUMBERS,
            "(declare-const z Int)",
            f"(assert {self.right(self.width, 'T', 'L', 'Q')})",
            "(assert (and (<= 0 z) (< z M) (or (= z T) (= z (- T M)))))",
        )
        multiple = f"(ite (= z T) Q (- Q {radix}))"
        goal = all_of("(<= 0 z)", "(< z M)", equal(f"(* {radix} z)", f"(+ (* L y) (* {multiple} M))"))
        return "\n".join((*lines, f"(assert {negation(goal)})"))
