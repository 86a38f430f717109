# SPDX-License-Identifier: Apache-2.0
"""ladder: x^e mod M by the Montgomery powering ladder, a program on the engine with any core."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from modmul.core import Core, Origin, System
from modmul.systems.describing import engine_core
from modmul.systems.engine import EngineConfig

PROGRAM = (Path(__file__).parents[1] / "programs" / "ladder.s").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Ladder(EngineConfig):
    """The parameters of the program: those of the engine."""

    def own(self) -> dict[str, str]:
        return {**super().own(), "ComputeR2": "compute_r2"}

    def text(self) -> str:
        return PROGRAM


def on(core: Core) -> Core:
    """The system on a core."""
    return engine_core(
        core,
        Ladder,
        slug="ladder",
        title="x^e mod M by the ladder",
        steps="a product and a square for each bit of e",
        origin=Origin("javeed", "Algorithm 1: the Montgomery powering ladder"),
    )


SYSTEM = System(slug="ladder", title="x^e mod M by the Montgomery powering ladder, on any core", on=on)
