# SPDX-License-Identifier: Apache-2.0
"""The main job: every core that fits a modulus, verified on it, measured, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from modmul.core import check_tool
from modmul.measure import Chip, Job, Store, is_recorded
from modmul.measure.weights import Weights
from modmul.moduli import Modulus
from modmul.room import Build, Room
from modmul.study.measuring import Tools, job, run_jobs, table, untimed
from modmul.study.rows import Comparison, Overlay, Skipped
from modmul.study.verifying import verify
from modmul.tools.extras import need
from modmul.tools.progress import Listener, ignore

__all__ = ["Request", "compare", "overlays"]


@dataclass(frozen=True)
class Request:
    """What to compare.

    Attributes:
        modulus: what all builds serve, and are verified on.
        width: operand length in bits, at least that of the modulus.
        target: what to synthesise for.
        rooms: the cores.
        seeds: placement seeds of each placed build; none means synthesis only.
        routed: slugs of the cores whose default build is placed and routed, the others being
            synthesised only; ``None`` to place and route every build.
        count: random multiplications verified of each build; 0 verifies nothing.
        weights: what the blocks count in LUT-equivalents; ``None`` for those of the target.
        tools: how tools are run.
        command: the command line that asks for the same, for the page.
        notes: what the reader must know besides.

    Raises:
        ValueError: the width is shorter than the modulus, or ``routed`` names a core that is not among the
            rooms.
    """

    modulus: Modulus
    width: int
    target: Chip
    rooms: tuple[Room, ...]
    seeds: tuple[int, ...] = (1, 2, 3)
    routed: tuple[str, ...] | None = None
    count: int = 10_000
    weights: Weights | None = None
    tools: Tools = field(default_factory=Tools)
    command: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.width < self.modulus.bits:
            raise ValueError(
                f"--width {self.width} is too short for a modulus of {self.modulus.size}; "
                f"take --width {self.modulus.bits}"
            )
        slugs = {room.core.slug for room in self.rooms}
        for slug in self.routed or ():
            if slug not in slugs:
                raise ValueError(f"--route names {slug}, which is not among --cores")

    def places(self, build: Build) -> bool:
        """Whether a build is to be placed and routed."""
        return self.routed is None or (build.slug in self.routed and build.is_default(self.target.name))


def compare(request: Request, listener: Listener = ignore) -> Comparison:
    """Verify and measure every core that fits, and put the results side by side.

    Whatever is finished is in the store; an interrupted comparison goes on from there. A core whose
    simulation, synthesis or place and route fails gets a row that says so, with its log.

    Args:
        listener: told at once of the first phase, unless the request is refused.

    Raises:
        ValueError: the width is too long, or no core fits the modulus, with each one's reason.
    """
    check_tool("synthesised", request.width)
    builds, skipped = _fitting(request)
    if not builds:
        reasons = "; ".join(
            f"{', '.join(core.core for core in skipped if core.reason == reason)}: {reason}"
            for reason in dict.fromkeys(core.reason for core in skipped)
        )
        raise ValueError(f"no core fits the modulus {request.modulus.name}: {reasons}")
    tools = request.tools
    jobs = {
        build: job(build, request.target, request.seeds if request.places(build) else (), tools)
        for build in builds
    }
    if not all(is_recorded(each, tools.shelf) for each in jobs.values()):
        need("synthesis")
    store = Store()
    verified = (
        verify(builds, request.modulus, request.count, workers=tools.workers, store=store, listener=listener)
        if request.count
        else dict.fromkeys(builds, 0)
    )
    good = {build: each for build, each in jobs.items() if isinstance(verified[build], int)}
    outcomes = run_jobs(good, tools, store, listener)
    found = table(
        jobs,
        outcomes,
        request.target,
        subject=request.modulus.name,
        weights=request.weights,
        modulus=request.modulus,
        verified=verified,
        notes=_notes(request, jobs),
    )
    return replace(
        found,
        skipped=skipped,
        overlays=overlays(request.rooms, request.width, found.weights),
        command=request.command,
        notes=[*found.notes, *request.notes],
    )


def _notes(request: Request, jobs: Mapping[Build, Job]) -> tuple[str, ...]:
    """Why some core has no clock frequency."""
    if request.target.route and request.seeds and request.routed:
        return (
            f"Placed and routed: the default configurations of {', '.join(request.routed)}. "
            "The others are synthesised only and have no clock frequency.",
        )
    return untimed(jobs, request.target, () if request.routed == () else request.seeds)


def _fitting(request: Request) -> tuple[list[Build], list[Skipped]]:
    builds: list[Build] = []
    skipped = []
    for room in request.rooms:
        try:
            builds += room.fitting(request.width, request.modulus.value, request.target.name)
        except ValueError as reason:
            skipped.append(Skipped(room.core.slug, str(reason)))
    return builds, skipped


def overlays(rooms: Iterable[Room], width: int, weights: Weights) -> list[Overlay]:
    """What the papers print of some cores at a width."""
    return [
        Overlay.of(room.core, published, weights)
        for room in rooms
        for published in room.core.origin.published
        if published.width == width and not published.block
    ]
