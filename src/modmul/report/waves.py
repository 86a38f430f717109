# SPDX-License-Identifier: Apache-2.0
"""What the ports and registers of a core did during one small multiplication: recorded from simulation.

The recordings come with the package, one file a core, so that a page needs no simulator; ``make waves``
renews them, and one whose sources have changed since is not shown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from modmul.core import PRIME_FIELD, Polynomial
from modmul.registry import Build, Room

__all__ = ["FOLDER", "KINDS", "WIDTH", "Signal", "Wave", "found", "small"]

FOLDER = Path(__file__).parent / "recordings"
"""Where the recordings lie: ``<core>.json``."""

WIDTH = 8
"""Bits of the operands of a recording."""

KINDS = ("input", "register", "output")

DIGITS = 16


@dataclass(frozen=True)
class Signal:
    """A port or a register over the clock cycles of a recording.

    Attributes:
        name: of the port, or of the register as the model of the core calls it.
        kind: one of :data:`KINDS`.
        bits: of a port; 0 for a register, whose width nobody has said.
        values: one for each clock cycle, before its rising edge; ``None`` where it means nothing, as data
            without valid do, or was not looked at.
    """

    name: str
    kind: str
    bits: int
    values: tuple[int | None, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data: in place of the values, the cycle and the value of each change, in hexadecimal."""
        changes = [
            [cycle, None if value is None else f"{value:x}"]
            for cycle, value in enumerate(self.values)
            if cycle == 0 or value != self.values[cycle - 1]
        ]
        return {"name": self.name, "kind": self.kind, "bits": self.bits, "changes": changes}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], cycles: int) -> Self:
        """The signal that :meth:`to_json` wrote, of a recording of so many clock cycles."""
        starts = [cycle for cycle, _ in data["changes"]]
        values: list[int | None] = []
        for (cycle, text), end in zip(data["changes"], [*starts[1:], cycles], strict=True):
            values += [None if text is None else int(text, 16)] * (end - cycle)
        return cls(data["name"], data["kind"], data["bits"], tuple(values))


@dataclass(frozen=True)
class Wave:
    """A recording.

    Attributes:
        core: slug of the core.
        parameters: of the build, ``Width`` included.
        modulus, x, y: what was multiplied.
        result: what came out, decoded.
        last: the clock cycle that accepted the last beat of the operands; the first was offered in cycle 0.
        valid: the first clock cycle in which the result was shown.
        cycles: clock cycles of the recording.
        signals: inputs, registers, outputs.
        tool: the simulator and its version.
        digest: of the design; of another design it is not shown.
    """

    core: str
    parameters: dict[str, int]
    modulus: int
    x: int
    y: int
    result: int
    last: int
    valid: int
    cycles: int
    signals: tuple[Signal, ...]
    tool: str
    digest: str

    def lines(self) -> str:
        """The recording as JSON, a line for each fact and for each signal."""
        data = asdict(self)
        signals = ",\n  ".join(json.dumps(signal.to_json()) for signal in self.signals)
        facts = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in data.items() if k != "signals"]
        return "{" + ",\n ".join(facts) + f',\n "signals": [\n  {signals}]}}\n'

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The recording that :meth:`lines` wrote."""
        signals = tuple(Signal.from_json(signal, data["cycles"]) for signal in data["signals"])
        return cls(**{**data, "signals": signals})

    def is_of(self, build: Build) -> bool:
        """Whether it is of this very design."""
        return self.digest == build.design.digest[:DIGITS] and self.core == build.slug

    def steps(self, build: Build) -> tuple[str, ...]:
        """The numbered steps of the algorithm that each clock cycle carries out; ``""`` outside of it."""
        at, core = build.config.at(self.modulus), build.core
        factors = core.function.factors(at, self.x, self.y, {})
        labels = [step.label for step in core.algorithm.model(at, self.modulus, *factors)]
        return tuple(
            labels[cycle - self.last] if 0 <= cycle - self.last < len(labels) else ""
            for cycle in range(self.cycles)
        )


def small(room: Room) -> Build:
    """The build of a core that is recorded: its default at :data:`WIDTH`."""
    return room.build(WIDTH)


def found(room: Room, folder: Path = FOLDER) -> Wave | None:
    """The recording of a core; ``None`` where there is none that is of its sources as they are."""
    file = folder / f"{room.core.slug}.json"
    if not file.is_file():
        return None
    wave, build = Wave.from_json(json.loads(file.read_text(encoding="utf-8"))), small(room)
    if PRIME_FIELD not in build.config.fields:
        wave = replace(wave, modulus=Polynomial(wave.modulus))
    return wave if wave.is_of(build) else None


def trimmed(values: Sequence[int | None], valid: Sequence[int | None]) -> tuple[int | None, ...]:
    """Data only where valid is high."""
    return tuple(value if ok else None for value, ok in zip(values, valid, strict=True))
