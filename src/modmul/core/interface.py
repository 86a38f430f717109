# SPDX-License-Identifier: Apache-2.0
"""What crosses the ports of a core, and when: for whoever drives it (``docs/contract.md``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from modmul.core.config import Config
from modmul.core.ports import PORTS, SQUARE, Control
from modmul.core.stream import Beside, Regular, Stream
from modmul.design import Port

__all__ = ["Interface"]


def _modulus_itself(config: Config, modulus: int) -> Sequence[int]:
    return config.split(modulus)


@dataclass(frozen=True)
class Interface:
    """Ports, context and times of a core.

    Every function takes a configuration: ``config.at(modulus)`` where a modulus is known. Without ``at`` it
    describes the build at its full length.

    Attributes:
        latency: clock cycles from the cycle that accepts the last operand beat to the first in
            which ``out_valid_o`` is high, for an operation accepted while no other is in flight.
        interval: clock cycles between the first operand beats of two successive operations when
            neither side waits, in the steady state of a stream (see ``in_flight``).
        operand_cycles: for each beat of operands that come without a gap, the clock cycle in which an idle
            core takes it, the first being 0; ``None``: one after the other.
        beside: when it takes operands while an operation runs; ``None``: as soon as those before have come.
        stream: when it takes operands and gives results, of a core that the facts above do not say all of; it
            is given what they say. ``None``: they say all.
        in_flight: operations it holds at most, from an operation's first operand beat to the last beat
            of its result. The steady state begins behind the first ``in_flight`` operations; with 1, all are
            in it.
        context: the beats to load, in order, each below ``2**word``.
        context_wait: the most clock cycles that a beat of a context waits while the core computes from those
            before it.
        refused: for a build, contexts (each a run of beats) that the hardware must refuse with
            ``ctx_error_o``; ``None`` for those of :meth:`Core.illegal_contexts
            <modmul.core.core.Core.illegal_contexts>`.
        controls: the input ports it has besides :data:`~modmul.core.ports.PORTS`.
        told: signals, by the end of their paths, that depend on operands and that ctx_error_o tells to
            everybody; no other may decide when something happens (``modmul.prove``).
        encode: an operand or result of a build as it crosses the ports, a number of ``config.bits`` bits; the
            number itself unless given.
        decode: the inverse; -1 for what encodes no number.
    """

    latency: Callable[[Any], int]
    interval: Callable[[Any], int]
    operand_cycles: Callable[[Any], Sequence[int]] | None = None
    beside: Callable[[Any], Beside] | None = None
    stream: Callable[[Any, Regular], Stream[Any]] | None = None
    in_flight: Callable[[Any], int] = lambda _config: 1
    context: Callable[[Any, int], Sequence[int]] = _modulus_itself
    context_wait: Callable[[Any], int] = lambda _config: 0
    refused: Callable[[Any], Sequence[Sequence[int]]] | None = None
    controls: tuple[Control, ...] = ()
    told: Callable[[Any], Sequence[str]] = lambda _config: ()
    encode: Callable[[Any, Any], int] = lambda _config, value: int(value)
    decode: Callable[[Any, int], Any] = lambda _config, value: value

    def operations(self, config: Config) -> Stream[Any]:
        """When a build takes each beat of operations one behind the other, and gives their results."""
        squares = SQUARE.field in {control.field for control in self.controls}

        def build(square: bool) -> Config:
            return config.running(square=True) if square and squares else config

        known = Regular(
            offsets=self.operand_cycles(config) if self.operand_cycles else range(config.beats),
            latency=cache(lambda square: self.latency(build(square))),
            interval=cache(lambda square: self.interval(build(square))),
            alone=self.in_flight(config) == 1,
            beside=self.beside(config) if self.beside else None,
        )
        return self.stream(config, known) if self.stream else known

    def ports(self, config: Config) -> tuple[Port, ...]:
        """The port list of a build: :data:`PORTS` with the controls behind ``y_i``."""
        contract = [Port(name, way, config.word if bits == "word" else 1) for name, way, bits in PORTS]
        place = [port.name for port in contract].index("y_i") + 1
        return (*contract[:place], *(Port(c.name, "input", 1) for c in self.controls), *contract[place:])

    def carries_numbers(self, config: Config) -> bool:
        """Whether numbers cross the ports of a build as they are, and not encoded."""
        return self.encode(config, 1) == 1

    @property
    def remembers(self) -> bool:
        """Whether a control makes results depend on earlier operations."""
        return any(control.depends for control in self.controls)
