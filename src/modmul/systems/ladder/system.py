# SPDX-License-Identifier: Apache-2.0
"""ladder: x^e mod M by the Montgomery powering ladder, on one or two of any core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from modmul.core import Builds, Config, Core, Origin, System
from modmul.systems.power import PowerConfig, Timing, computing, fixed, system_core


@dataclass(frozen=True)
class Ladder(PowerConfig):
    """The parameters of ``mm_sys_ladder`` on a core.

    Attributes:
        cores: 1 for product and square of a step one after the other, overlapped where the core holds several
            operations; 2 for both side by side.
    """

    cores: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cores not in (1, 2):
            raise ValueError(f"cores must be 1 or 2, got {self.cores}")

    def own(self) -> dict[str, str]:
        return {"Cores": "cores", **super().own()}


def latency(config: Ladder) -> int:
    """The schedule of ``mm_sys_ladder``: cycles behind the last operand beat."""
    return _latency(config.core.slug, config.core, replace(config, serving=config.at_core))


@lru_cache(maxsize=4096)
def _latency(_slug: str, core: Core, config: Ladder) -> int:
    time = Timing(core, config.at_core)
    _, after = time.operate(-time.gap, 1)  # step 2
    if config.product:
        return time.operate(after, chain=True)[1]  # step 5
    # Step 3: every step takes the same time.
    start, product = time.operate(0, chain=True)
    if config.cores == 2:
        step = max(product, time.operate(0, square=True)[1])
    elif core.interface.in_flight(config.at_core) == 1:
        step = start + time.every(chain=True) + time.beats - 1 + time.takes(square=True)
    else:
        step = product + time.every(square=True)
    return time.operate(after + config.exponent * step)[1]  # step 4


def on(core: Core) -> Core:
    """The system on a core."""

    def with_cores(width: int, builds: Sequence[Config]) -> Sequence[Ladder]:
        return tuple(
            Ladder(width, inner=inner, core=core, cores=cores) for inner in builds for cores in (1, 2)
        )

    def explore(width: int) -> Sequence[Ladder]:
        return with_cores(width, core.builds.at(width)[:1])

    def for_modulus(width: int, modulus: int) -> Sequence[Ladder]:
        return with_cores(width, fixed(core, width, modulus))

    def variants(width: int) -> Sequence[PowerConfig]:
        builds = filter(
            core.interface.carries_numbers, (*core.builds.at(width)[1:], *core.builds.variants(width))
        )
        return (
            *(Ladder(width, inner=inner, core=core, cores=1 + turn % 2) for turn, inner in enumerate(builds)),
            *computing(explore(width)[1:]),
        )

    return system_core(
        core,
        slug="ladder",
        title="x^e mod M by the ladder",
        steps="a product and a square for each bit of e",
        latency=latency,
        builds=Builds(
            Ladder,
            explore=explore,
            variants=variants,
            for_modulus=for_modulus if core.builds.for_modulus else None,
        ),
        origin=Origin("javeed", "Algorithm 1: the Montgomery powering ladder"),
    )


SYSTEM = System(slug="ladder", title="x^e mod M by the Montgomery powering ladder, on any core", on=on)
