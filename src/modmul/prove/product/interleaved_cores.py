# SPDX-License-Identifier: Apache-2.0
"""The interleaved cores: where their registers and blocks are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from modmul.prove.netlist import State
from modmul.prove.product.interleaved import Interleaved
from modmul.prove.product.interleaved_steps import (
    ADD,
    BLAKLEY,
    BUSY,
    DELAYED,
    DOUBLE,
    SUBTRACT,
    SUM,
    Move,
    Source,
    Stage,
    Use,
)
from modmul.prove.terms import Congruent, Fact, Joined, all_of, const, extract, implies

__all__ = ["CORES", "SHARED"]


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
    MULTIPLES: ClassVar[Mapping[int, str]] = {1: "core.r1_q", 2: "core.gen_paper.r2_q"}
    CHAINS: ClassVar[Mapping[int, str]] = {1: "core.u_eu1", 2: "core.gen_paper.u_eu2"}

    def before_loop(self) -> Sequence[Stage]:
        taps = self.multiplied(1)
        return (Stage(taps, {self.MULTIPLES[2]: taps[0].out}),)


class ImmlBooth8(Parallel):
    """imml_booth8."""

    LOG, BOOTH, AS = 3, True, "core.gen_paper.u_as"
    MULTIPLES: ClassVar[Mapping[int, str]] = {
        1: "core.r1_q",
        2: "core.gen_paper.r2_q",
        3: "core.r3_q",
        4: "core.gen_paper.r4_q",
    }
    CHAINS: ClassVar[Mapping[int, str]] = {
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


class Delayed(Parallel):
    """The multiple that a digit asks for goes into a register, and is added in the cycle behind that."""

    BOOTH, AS = True, "core.gen_shared.u_as"
    HELD_IN, MINUS = "core.gen_shared.v_q", "core.gen_shared.neg_q"

    @property
    def digits(self) -> int:
        return super().digits + 1

    def at_the_end(self) -> Mapping[str, int]:
        return {SUM: 0, self.HELD_IN: DELAYED}

    @abstractmethod
    def multiple(self, size: int) -> Source:
        """Where a multiple comes from."""

    def took(self, size: int, added: Use | None = None) -> Stage:
        """A cycle that takes a digit."""
        chains = {k: self.multiplied(k) for k in self.MULTIPLES}
        takes: dict[str, Source] = {self.MULTIPLES[k]: some[-1].out for k, some in chains.items()}
        uses = tuple(use for some in chains.values() for use in some)
        takes[self.HELD_IN] = self.multiple(size)
        return Stage(uses, takes) if added is None else Stage((*uses, added), {**takes, SUM: added.out})

    def in_loop(self, size: int, negative: bool) -> Stage:
        fed = {"a_i": SUM, "v_i": self.HELD_IN}
        return self.took(size, Use(SUBTRACT if negative else ADD, self.AS, fed))

    def looped(self, from_step: int) -> Iterator[Move]:
        """The cycles that add what the digit before asked for."""
        there = {**{register: k for k, register in self.MULTIPLES.items()}, SUM: 0, self.HELD_IN: DELAYED}
        for minus in (False, True):
            for told, size, negative in self.cases():
                where = (
                    self.in_steps(from_step, self.steps - 1),
                    told,
                    self.now.is_(self.MINUS, int(minus)),
                )
                name = (
                    f"a step with the digit {'-' if negative else ''}{size}, {'-' if minus else '+'} before"
                )
                yield Move(
                    name,
                    where,
                    self.in_loop(size, minus),
                    there,
                    there,
                    -size if negative else size,
                    minus,
                    negative,
                    (self.next.is_(self.MINUS, int(negative)),),
                )


class ImmlBooth4Shared(Delayed):
    """imml_booth4 with SharedTaps = 1: the first cycle takes a digit and adds nothing."""

    LOG, SUM_AT_FIRST = 2, 0
    MULTIPLES: ClassVar[Mapping[int, str]] = {1: "core.r1_q"}
    CHAINS: ClassVar[Mapping[int, str]] = {1: "core.u_eu1"}

    def multiple(self, size: int) -> Source:
        return (None, self.MULTIPLES[1], tap(self.CHAINS[1], 0))[size]

    def moves(self) -> Iterator[Move]:
        before = {self.MULTIPLES[1]: 1, SUM: 0}
        for told, size, negative in self.cases():
            yield Move(
                f"the first step, with the digit {'-' if negative else ''}{size}",
                (self.step(self.now, 0), told),
                self.took(size),
                before,
                {**before, self.HELD_IN: DELAYED},
                -size if negative else size,
                minus_then=negative,
                then=(self.next.is_(self.MINUS, int(negative)),),
            )
        yield from self.looped(1)


class ImmlBooth8Shared(Delayed):
    """imml_booth8 with SharedTaps = 1: two cycles before the loop make 3x."""

    LOG = 3
    MULTIPLES: ClassVar[Mapping[int, str]] = {1: "core.r1_q", 3: "core.r3_q"}
    CHAINS: ClassVar[Mapping[int, str]] = {1: "core.u_pu1", 3: "core.u_pu3"}

    def multiple(self, size: int) -> Source:
        first = self.CHAINS[1]
        return (None, self.MULTIPLES[1], tap(first, 0), self.MULTIPLES[3], tap(first, 1))[size]

    def before_loop(self) -> Sequence[Stage]:
        taps = self.multiplied(1)
        use = Use(ADD, self.AS, {"a_i": SUM, "v_i": self.HELD_IN})
        return (
            Stage(taps, {self.HELD_IN: taps[0].out}),
            Stage((use,), {self.MULTIPLES[3]: use.out, SUM: None, self.HELD_IN: None}),
        )

    def more(self, state: State) -> Iterator[str]:
        for step in (1, 2):
            yield implies(self.step(state, step), state.is_(self.MINUS, 0))

    def moves(self) -> Iterator[Move]:
        first, second = self.before_loop()
        loaded = {self.MULTIPLES[1]: 1, SUM: 1}
        doubled = {**loaded, self.HELD_IN: 2}
        ready = {self.MULTIPLES[1]: 1, self.MULTIPLES[3]: 3, SUM: 0, self.HELD_IN: DELAYED}
        yield Move("cycle 0 before the loop", (self.step(self.now, 0),), first, loaded, doubled)
        yield Move("cycle 1 before the loop", (self.step(self.now, 1),), second, doubled, ready)
        yield from self.looped(2)


class ImmlRadix4(Parallel):
    """imml_radix4."""

    LOG = 2
    MULTIPLES: ClassVar[Mapping[int, str]] = {k: f"core.r{k}_q" for k in (1, 2, 3)}
    CHAINS: ClassVar[Mapping[int, str]] = {k: f"core.u_eu{k}" for k in (1, 2, 3)}

    def before_loop(self) -> Sequence[Stage]:
        r, taps = self.MULTIPLES, self.multiplied(1)
        return Stage(taps, {r[2]: taps[0].out}), joined(added(self.AS, r[2], r[3]), cleared=True)


class ImmlRadix8(Parallel):
    """imml_radix8, whose multiples are in one array."""

    LOG = 3
    MULTIPLES: ClassVar[Mapping[int, str]] = {k: f"core.r_q.{k}" for k in range(1, 8)}
    CHAINS: ClassVar[Mapping[int, str]] = {k: f"core.gen_pu[{k}].u_pu" for k in range(1, 8)}

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
    MULTIPLES: ClassVar[Mapping[int, str]] = {k: f"core.r{k}_q" for k in (1, 2)}

    def before_loop(self) -> Sequence[Stage]:
        taps = chain(self.CHAIN, SUM, self.LOG)
        return (joined(Stage(taps, {self.MULTIPLES[2]: taps[0].out}), cleared=True),)


class InterleavedBooth8(Serial):
    """interleaved_booth8."""

    LOG, BOOTH, CHAIN = 3, True, "core.u_pu"
    MULTIPLES: ClassVar[Mapping[int, str]] = {k: f"core.r{k}_q" for k in (1, 2, 3, 4)}

    def before_loop(self) -> Sequence[Stage]:
        r, taps = self.MULTIPLES, chain(self.CHAIN, SUM, self.LOG)
        return (
            Stage(taps, {r[2]: taps[0].out, r[4]: taps[1].out}),
            joined(added(self.AS, r[2], r[3]), cleared=True),
        )


class InterleavedRadix2Parallel(Parallel):
    """interleaved_radix2_parallel, with one doubling block."""

    LOG, SUM_AT_FIRST, SHIFT = 1, 0, "core.y_q"
    MULTIPLES: ClassVar[Mapping[int, str]] = {1: "core.r_q"}

    def multiplied(self, k: int) -> tuple[Use, ...]:
        return (Use(DOUBLE, "core.u_a1", {"r_i": self.MULTIPLES[k]}),)


class InterleavedRadix2(Interleaved):
    """interleaved_radix2: its step is not made of blocks, and is taken for one, with z as its output."""

    LOG, DOWN, SUM_AT_FIRST, SHIFT, FACTORS = 1, True, 0, "core.x_q", ("y", "x")
    MULTIPLES: ClassVar[Mapping[int, str]] = {1: "core.y_q"}
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

    def inside(self, use: Use) -> list[Fact]:
        modulus, a, v, out = (self.word(f"{use.path}.{name}") for name in ("m_i", "a_i", "v_i", "z_o"))
        t, less, least = (self.word(f"core.{name}") for name in ("t", "t1", "t2"))
        is_t, is_less, is_least = (Congruent({out: 1}, {each: 1}, out.bits) for each in (t, less, least))
        left_less = Congruent({least: 1, modulus: 1}, {less: 1}, t.bits)
        left_t = Congruent({least: 1, modulus: 1}, {t: 1}, t.bits)
        choice = self.signed(less, [is_less], [is_t])
        return [
            Congruent({t: 1}, {a: 2, v: 1}, t.bits),
            Congruent({less: 1, modulus: 1}, {t: 1}, t.bits),
            *self.signed(less, [left_less], [left_t]),
            *self.signed(least, [is_least], [Joined(all_of, tuple(choice))]),
        ]

    def in_loop(self, size: int, negative: bool) -> Stage:
        use = Use(BLAKLEY, self.STEP, {"a_i": SUM, "v_i": self.MULTIPLES.get(size)})
        return Stage((use,), {SUM: use.out})


CORES: Mapping[str, type[Interleaved]] = MappingProxyType(
    {
        "imml_booth4": ImmlBooth4,
        "imml_booth8": ImmlBooth8,
        "imml_radix4": ImmlRadix4,
        "imml_radix8": ImmlRadix8,
        "interleaved_booth4": InterleavedBooth4,
        "interleaved_booth8": InterleavedBooth8,
        "interleaved_radix2": InterleavedRadix2,
        "interleaved_radix2_parallel": InterleavedRadix2Parallel,
    }
)
"""By core."""

SHARED: Mapping[str, type[Interleaved]] = MappingProxyType(
    {"imml_booth4": ImmlBooth4Shared, "imml_booth8": ImmlBooth8Shared}
)
"""By core, of the builds with SharedTaps = 1."""
