# SPDX-License-Identifier: Apache-2.0
"""The description of one architecture as data and small functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from modmul.core.config import Config
from modmul.core.domain import Domain, plain_domain
from modmul.core.legal import check_width
from modmul.core.papers import PAPERS, resolved
from modmul.core.polynomial import Polynomial, bound_name
from modmul.core.ports import PORTS, Control
from modmul.core.published import Published
from modmul.design import Port

State = Mapping[str, int]
Memory = dict[str, int]


@dataclass(frozen=True)
class Step:
    """The registers after one clock cycle of an operation.

    Attributes:
        label: the numbered steps of the algorithm that this cycle carries out (``"9-14"``).
        state: register name of :attr:`Core.trace` to its value; a register whose value the
            algorithm leaves open in this cycle is absent.
    """

    label: str
    state: State


def _modulus_itself(config: Config, modulus: int) -> Sequence[int]:
    return config.split(modulus)


def _operand_max(_config: Config, modulus: int) -> int:
    return (1 << modulus.degree) - 1 if isinstance(modulus, Polynomial) else modulus


def _result_max(_config: Config, modulus: int) -> int:
    return (1 << modulus.degree) - 1 if isinstance(modulus, Polynomial) else modulus - 1


def _factors(config: Config, x: int, y: int, _memory: Memory) -> tuple[int, int]:
    return x, x if getattr(config, "square", False) else y


def _no_blocks(_config: Config) -> Mapping[str, tuple[str, Mapping[str, int]]]:
    return {}


def _no_steps(_config: Config, _modulus: int, _x: int, _y: int) -> Iterator[Step]:
    return iter(())


def _no_trace(_config: Config) -> Mapping[str, str]:
    return {}


def _no_counts(_config: Config) -> Mapping[str, int]:
    return {}


def _no_work(_config: Config) -> Mapping[str, int]:
    return {}


def _no_notes(_config: Config) -> Mapping[str, Sequence[str]]:
    return {}


@dataclass(frozen=True)
class Core:
    """One architecture: everything the tools need to know of it.

    Every function takes one configuration: ``config.at(modulus)`` where a modulus is known. Without
    ``at`` it describes the build at its full length.

    Attributes:
        slug: name of the room; the top module is ``mm_<slug>``.
        title: one line for people.
        paper: key of the paper in :data:`~modmul.core.papers.PAPERS`, or another name where it is not there;
            ``""`` for none.
        section: where in the paper, with the paper's name for the design.
        config: its :class:`Config` class.
        steps: the paper's cycle count as text, for people.
        cycles: compute cycles of an operation by the paper's way of counting, corrected where
            the print is wrong: precomputation and iterations, without loading and unloading.
        latency: clock cycles from the cycle that accepts the last operand beat to the first in
            which ``out_valid_o`` is high, for an operation accepted while no other is in flight.
        latency_by: the same for one y, where builds take less time for some; ``None``: it is ``latency``.
        loading: for each beat of operands that come without a gap, the clock cycle in which an idle core
            takes it, the first being 0; ``None``: one after the other.
        interval: clock cycles between the first operand beats of two successive operations when
            neither side waits, in the steady state of a stream (see ``in_flight``).
        model: the registers after every clock cycle of an operation on these ``factors``, first the one that
            accepts the last operand beat; the last step is the one after which the result is valid.
            Systems have none, and no traced registers.
        trace: for a configuration, register name of :class:`Step` to the signal's path below the
            top module.
        check: raises ``ValueError`` with the reason when a build cannot serve a modulus.
        moduli: what ``check`` lets through, for people.
        context: the beats to load, in order, each below ``2**word``.
        pause: clock cycles that a beat of a context may wait while the core computes from those before it.
        encode: an operand or result of a build as it crosses the ports, a number of ``config.bits`` bits; the
            number itself unless given.
        decode: the inverse; -1 for what encodes no number.
        refused: for a build, contexts (each a run of beats) that the hardware must refuse with
            ``ctx_error_o``; ``None`` for those of :meth:`illegal_contexts`.
        domain: plain or Montgomery, with its radix.
        operand_max: the largest legal operand for a modulus; M for integers, 2^degree - 1 for
            polynomials unless given.
        result_max: the largest result for a modulus; a result is congruent to the product and lies in
            0 … result_max. Unless given it is reduced: M-1 for integers, 2^degree - 1 for polynomials.
        in_flight: operations it holds at most, from an operation's first operand beat to the last beat
            of its result, or a function of the configuration; :meth:`holds` is the number. The steady state
            begins behind the first ``in_flight`` operations; with 1, all are in it.
        pauses: clock cycles in which it takes no beat of a context that comes without a gap.
        controls: the input ports it has besides :data:`~modmul.core.ports.PORTS`.
        factors: the two numbers an operation multiplies: for ``config.at(modulus, …)``, its operands, and a
            memory of earlier operations, which it may change; ``memory["z"]`` is their last reduced product.
            Unless given: x and y, or x twice where the run-time field ``square`` is set.
        explore: configurations of a width worth comparing, the default first.
        for_modulus: for a core whose builds are each for one modulus, the builds for a modulus at a width; raises
            ``ValueError`` with the reason where there is none.
        variants: further configurations of a width that the tests cover.
        published: the paper's figures, printed or derived from what is printed.
        counts: for a configuration, further figures of :class:`~modmul.core.published.Published`, in cycles.
        work: for a configuration, what an operation consists of where its paper counts that: a name
            (``"products"``) to its number.
        blocks: for a configuration, the inner modules whose area the paper prints: name of the block
            to its module and parameters. They can be synthesised, placed and routed alone.
        notes: for a configuration, what ``modmul show`` tells besides: a title to its lines.
        examples: for a build, moduli that it serves, the most telling first, or the only one
            (:meth:`only_modulus`); ``None``, for all or for some builds, where numbers of its width can be
            tried (:meth:`tried`).
        module: the top module, where it is not ``mm_<slug>``.
        status: ``"stable"`` or what is missing.
        simulated: the longest operands, in bits, with which ``make test`` simulates it: a simulation of
            longer ones may take minutes to compile, and is in ``make long``.
        longest: name of a target to the longest operands, in bits, of a build that its device holds; one that
            is not named holds any.
        dense: whether nextpnr is to take its other placer: with the usual one wide builds cannot be routed.
    """

    slug: str
    title: str
    paper: str
    section: str
    config: type[Config]
    steps: str
    cycles: Callable[[Any], int]
    latency: Callable[[Any], int]
    interval: Callable[[Any], int]
    loading: Callable[[Any], Sequence[int]] | None = None
    model: Callable[[Any, int, int, int], Iterator[Step]] = _no_steps
    trace: Callable[[Any], Mapping[str, str]] = _no_trace
    check: Callable[[Any, int], None] = check_width
    moduli: str = "1 <= M < 2^n"
    context: Callable[[Any, int], Sequence[int]] = _modulus_itself
    pause: Callable[[Any], int] = lambda _config: 0
    encode: Callable[[Any, int], int] = lambda _config, value: value
    decode: Callable[[Any, int], int] = lambda _config, value: value
    refused: Callable[[Any], Sequence[Sequence[int]]] | None = None
    domain: Callable[[Any], Domain] = plain_domain
    operand_max: Callable[[Any, int], int] = _operand_max
    result_max: Callable[[Any, int], int] = _result_max
    in_flight: int | Callable[[Any], int] = 1
    pauses: int = 0
    controls: tuple[Control, ...] = ()
    factors: Callable[[Any, int, int, Memory], tuple[int, int]] = _factors
    explore: Callable[[int], Sequence[Config]] | None = None
    for_modulus: Callable[[int, int], Sequence[Config]] | None = None
    variants: Callable[[int], Sequence[Config]] = field(default=lambda _width: ())
    latency_by: Callable[[Any, int], int] | None = None
    published: tuple[Published, ...] = ()
    counts: Callable[[Any], Mapping[str, int]] = _no_counts
    work: Callable[[Any], Mapping[str, int]] = _no_work
    blocks: Callable[[Any], Mapping[str, tuple[str, Mapping[str, int]]]] = _no_blocks
    notes: Callable[[Any], Mapping[str, Sequence[str]]] = _no_notes
    status: str = "stable"
    dense: bool = False
    simulated: int = 1 << 20
    longest: Mapping[str, int] = field(default_factory=dict, hash=False)
    examples: Callable[[Any], Iterator[int] | None] | None = None
    module: str = ""

    @property
    def top(self) -> str:
        """The top module."""
        return self.module or f"mm_{self.slug}"

    @property
    def citation(self) -> str:
        """The paper in running text, authors and year; its name where it is none of PAPERS."""
        return PAPERS[self.paper].short if self.paper in PAPERS else self.paper

    @property
    def source(self) -> str:
        """The paper in full, or its name where it is none of PAPERS; ``""`` if there is none."""
        return PAPERS[self.paper].full if self.paper in PAPERS else self.paper

    @property
    def where(self) -> str:
        """The section, with authors and year behind the number of each reference."""
        return resolved(self.paper, self.section)

    def ports(self, config: Config) -> tuple[Port, ...]:
        """Its port list: :data:`PORTS` with the controls behind ``y_i``."""
        contract = [Port(name, way, config.word if bits == "word" else 1) for name, way, bits in PORTS]
        place = [port.name for port in contract].index("y_i") + 1
        return (*contract[:place], *(Port(c.name, "input", 1) for c in self.controls), *contract[place:])

    def carries_numbers(self, config: Config) -> bool:
        """Whether numbers cross the ports of a build as they are, and not encoded."""
        return self.encode(config, 1) == 1

    def measured_on(self, target: str, width: int) -> bool:
        """Whether the device of that target, by its name, holds a build of so many bits."""
        return width <= self.longest.get(target, width)

    def holds(self, config: Config) -> int:
        """Operations that a build holds at most."""
        return self.in_flight if isinstance(self.in_flight, int) else self.in_flight(config)

    @property
    def remembers(self) -> bool:
        """Whether a control makes results depend on earlier operations."""
        return any(control.depends for control in self.controls)

    def configs(self, width: int) -> Sequence[Config]:
        """Configurations worth comparing at ``width`` bits, the default first."""
        return self.explore(width) if self.explore else (self.config(width=width),)

    def serves(self, config: Config, modulus: int) -> bool:
        """Whether ``check`` lets the modulus through."""
        try:
            self.check(config, modulus)
        except ValueError:
            return False
        return True

    def tried(self, config: Config) -> Iterator[int] | None:
        """Moduli that a build has as examples; ``None`` where numbers of its width can be tried."""
        return self.examples(config) if self.examples else None

    def only_modulus(self, config: Config) -> int | None:
        """The modulus of a build for one alone: its only example; ``None`` for a build that serves others."""
        found = tuple(islice(self.tried(config) or (), 2))
        return found[0] if len(found) == 1 else None

    def some_modulus(self, config: Config) -> int:
        """A modulus of full length that the build can serve, for figures that need one.

        Raises:
            ValueError: it serves none of those tried, with its reason.
        """
        if (examples := self.tried(config)) is not None:
            candidates = tuple(islice(examples, 1))
        else:
            top = 1 << config.width
            numbers = (top // 2 + 1, top - 1, top // 2)
            candidates = (*numbers, *map(Polynomial, (top | 3, top, top // 2 + 1)))
        for modulus in candidates:
            if self.serves(config, modulus):
                return modulus
        for modulus in candidates:
            self.check(config, modulus)
        raise ValueError(f"{self.slug} serves no modulus of {config.width} bits")

    def product(self, config: Config, modulus: int, x: int, y: int, memory: Memory | None = None) -> int:
        """The right answer, reduced, without the hardware; ``config`` is ``config.at(modulus, …)``.

        Args:
            memory: of the operations since the context was loaded, if any; this one is added.
        """
        known = {} if memory is None else memory
        z = self.domain(config).product(modulus, *self.factors(config, x, y, known))
        known["z"] = z
        return z

    def right(self, config: Config, modulus: int, product: int, result: int) -> bool:
        """Whether a result is congruent to the reduced product and not above ``result_max``."""
        if not 0 <= result <= self.result_max(config, modulus):
            return False
        return result == product or (
            not isinstance(modulus, Polynomial) and (result - product) % modulus == 0
        )

    def illegal_contexts(self, config: Config) -> list[Sequence[int]]:
        """Contexts that the hardware must refuse with ``ctx_error_o``.

        Those of ``refused``; by default a modulus that ``check`` refuses (of 0, 1, 2, 4, 2^(width-1)
        and 2^width - 2), at full length, with zeros behind it up to the length of a legal context.
        """
        if self.refused is not None:
            return list(self.refused(config))
        top = 1 << config.width
        legal = self.some_modulus(config)
        length = len(self.context(config.at(legal), legal))
        candidates = (m for m in (0, 1, 2, 4, top // 2, top - 2) if m < top)
        illegal = [m for m in dict.fromkeys(candidates) if not self.serves(config, m)]
        runs = map(config.split, illegal)
        return [[*run, *[0] * (length - len(run))] for run in runs]

    def check_operands(self, config: Config, modulus: int, *operands: int) -> None:
        """Raise ValueError unless every operand lies in ``0 … operand_max(config, modulus)``."""
        largest = self.operand_max(config, modulus)
        for operand in operands:
            if not 0 <= operand <= largest:
                bound = bound_name(largest, modulus)
                raise ValueError(f"operands of {self.slug} lie in 0 … {bound}, got {operand}")
