# SPDX-License-Identifier: Apache-2.0
"""What there is to say of one build of a core: ``modmul show`` and the exported README say it from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modmul.core import Config, Polynomial, ScalableConfig, bound_name, radix_name
from modmul.registry import DEFAULT_WIDTH, Build, Room

__all__ = ["Facts", "about", "facts", "result_range", "under_controls"]


@dataclass(frozen=True)
class Facts:
    """A build while it serves a modulus.

    Attributes:
        parameters: the SystemVerilog parameters: name and value.
        word: bits of the data ports.
        beats: beats of an operand.
        bits: bits of an operand.
        longest: bits of the longest operand of the build.
        length_at_run_time: whether the context chooses the length of the operands.
        fields: the fields it computes in.
        formula: what it computes: ``"x * y mod M"``.
        montgomery: whether that is the Montgomery product.
        radix: the Montgomery radix R as people write it; ``"1"`` for a plain product.
        moduli: the moduli it serves, in words.
        one_modulus: whether it serves one alone.
        operand_max, result_max: the largest operand and result.
        operands, results: the same as people write them: ``"M-1"``.
        reduced: whether every result is below M.
        context: the beats of the context.
        controls: control port to what it does when it is high.
        in_flight: operations it holds at most.
        steps: the paper's cycle count as text.
        cycles: compute cycles by the paper's way of counting.
        latencies: clock cycles from the last operand beat to the first result beat, under each setting of the
            controls: control port i is bit i of the index.
        interval: clock cycles between two successive operations.
    """

    parameters: Mapping[str, int]
    word: int
    beats: int
    bits: int
    longest: int
    length_at_run_time: bool
    fields: tuple[str, ...]
    formula: str
    montgomery: bool
    radix: str
    moduli: str
    one_modulus: bool
    operand_max: int
    operands: str
    result_max: int
    results: str
    reduced: bool
    context: tuple[int, ...]
    controls: Mapping[str, str]
    in_flight: int
    steps: str
    cycles: int
    latencies: tuple[int, ...]
    interval: int

    @property
    def latency(self) -> int:
        """The latency with all controls low."""
        return self.latencies[0]

    @property
    def computes(self) -> str:
        """The formula, with R where there is one."""
        return f"{self.formula}, R = {self.radix}" if self.montgomery else self.formula

    @property
    def operand_length(self) -> str:
        """The length of the operands, in words."""
        if self.length_at_run_time:
            return "2 … Width bits, chosen by the context"
        return f"{self.longest} bits"

    @property
    def last_beat(self) -> int:
        """Bits of the number in the last beat of an operand."""
        return self.bits - (self.beats - 1) * self.word

    def named(self) -> dict[str, Any]:
        """The facts for people, by their names in ``modmul show``."""
        return {
            "word": self.word,
            "beats": self.beats,
            "operand length": self.operand_length,
            "fields": list(self.fields),
            "computes": self.computes,
            "moduli": self.moduli,
            "operands": f"0 … {self.operands}",
            "results": f"0 … {self.results}",
            "context": f"{len(self.context)} × {self.word} bits",
            "controls": [f"{name}: {meaning}" for name, meaning in self.controls.items()],
            "in flight": self.in_flight,
            "cycles": self.cycles,
            "cycle formula": self.steps,
            "latency": self.latency,
            "interval": self.interval,
        }


def facts(build: Build, modulus: int | None = None) -> Facts:
    """What there is to say of a build while it serves a modulus; by default one of full length.

    Raises:
        ValueError: the build cannot serve the modulus.
    """
    core, config = build.core, build.config
    value = core.function.some_modulus(config) if modulus is None else modulus
    core.function.check(config, value)
    at = config.at(value)
    domain = core.function.domain(at)
    operand_max, result_max = core.function.operand_max(at, value), core.function.result_max(at, value)
    results, reduced = result_range(build, value)
    return Facts(
        parameters=config.parameters(),
        word=at.word,
        beats=at.beats,
        bits=at.bits,
        longest=config.width,
        length_at_run_time=isinstance(config, ScalableConfig),
        fields=config.fields,
        formula=core.function.computes(at),
        montgomery=domain.radix != 1,
        radix=radix_name(domain.radix, value),
        moduli=core.function.moduli,
        one_modulus=core.function.only_modulus(config) is not None,
        operand_max=operand_max,
        operands=bound_name(operand_max, value),
        result_max=result_max,
        results=results,
        reduced=reduced,
        context=tuple(core.interface.context(at, value)),
        controls={control.name: control.meaning for control in core.interface.controls},
        in_flight=core.interface.in_flight(at),
        steps=core.algorithm.steps,
        cycles=core.algorithm.cycles(at),
        latencies=tuple(
            core.interface.latency(under_controls(build, value, mask))
            for mask in range(1 << len(core.interface.controls))
        ),
        interval=core.interface.interval(at),
    )


def result_range(build: Build, modulus: int | None = None) -> tuple[str, bool]:
    """The largest result of a build as people write it, and whether it is below the modulus.

    Args:
        modulus: what it serves; by default one of full length.

    Raises:
        ValueError: the build serves none of full length.
    """
    function = build.core.function
    value = function.some_modulus(build.config) if modulus is None else modulus
    most = function.result_max(build.config.at(value), value)
    return bound_name(most, value), isinstance(value, Polynomial) or most == value - 1


def under_controls(build: Build, modulus: int, mask: int) -> Config:
    """The build while it serves a modulus, control port i being bit i of the mask."""
    controls = enumerate(build.core.interface.controls)
    return build.config.at(modulus, **{c.field: bool((mask >> i) & 1) for i, c in controls})


def about(room: Room, width: int = DEFAULT_WIDTH) -> dict[str, Any]:
    """A core in a few words, by their names in ``modmul list``; the interval is the default build's."""
    core = room.core
    return {
        "core": core.slug,
        "paper": core.origin.paper,
        "wing": room.wing,
        "cycles": core.algorithm.steps,
        f"interval at {width} bits": room.build(width).interval,
        "description": core.title,
        "status": core.status,
    }
