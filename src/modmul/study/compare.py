# SPDX-License-Identifier: Apache-2.0
"""The main job: every core that fits a modulus, verified on it, measured, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from modmul.core import check_tool
from modmul.measure import Chip, Job, Store, ToolFailure, known, need_tools
from modmul.measure.weights import Weights
from modmul.moduli import Modulus
from modmul.registry import serving
from modmul.room import Build, Room
from modmul.study.expecting import verification
from modmul.study.measuring import Outcome, Tools, job, run_jobs, seconds, table, unmeasured, untimed
from modmul.study.own import builds_of
from modmul.study.rows import Comparison, Overlay, Skipped, by_reason
from modmul.study.shipping import SYSTEMS
from modmul.study.verifying import verified_before, verify
from modmul.tools.extras import need
from modmul.tools.progress import Listener, ignore

__all__ = ["Comparing", "Request", "compare", "overlays"]


@dataclass(frozen=True)
class Request:
    """What to compare.

    Attributes:
        modulus: what all builds serve, and are verified on.
        width: operand length in bits, at least that of the modulus.
        target: what to synthesise for.
        rooms: the cores.
        seeds: placement seeds of each placed build; none means synthesis only.
        routed: slugs of the cores whose first build for the modulus is placed and routed, the others being
            synthesised only; ``None`` to place and route every build.
        count: random multiplications verified of each build; 0 verifies nothing.
        weights: what the blocks count in LUT-equivalents; ``None`` for those of the target.
        tools: how tools are run.
        command: the command line that asks for the same, for the page.
        notes: what the reader must know besides.
        parameters: of the one build of each core; none for all that are worth comparing on the target, and of
            systems also those that are shipped.
        left_out: cores that are not among the rooms, with the reason.
        unreduced: whether builds whose results may be above M-1 compete with the others.

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
    parameters: Mapping[str, int] = field(default_factory=dict, hash=False)
    left_out: tuple[Skipped, ...] = ()
    unreduced: bool = False

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


class Comparing:
    """A comparison: what is known of it at once, what that leaves to do, and how long this may take.

    Args:
        request: what to compare.

    Attributes:
        jobs: each build that can serve the modulus, and what to measure of it.
        skipped: the cores that have none, with the reason.
        verified: the builds that were verified on this modulus before, and by how many products.
        measured: what is known of builds: shipped, or measured here before; of some only the area.
        unverified: the builds to be verified.
        unmeasured: those to be measured, and what.

    Raises:
        ValueError: the width is too long, or no core fits the modulus, with each one's reason.
        StoreError: the results store cannot be used.
        RecordError: a file of shipped measurements is damaged.
    """

    def __init__(self, request: Request) -> None:
        check_tool("synthesised", request.width)
        self.request = request
        builds, skipped = _fitting(request)
        if not builds:
            reasons = [f"{', '.join(cores)}: {reason}" for reason, cores in by_reason(skipped).items()]
            others = serving(request.modulus.value, request.width)
            if others and not request.parameters:
                reasons.append(f"these do: {', '.join(others)}")
            raise ValueError(f"no core fits the modulus {request.modulus.name}: {'; '.join(reasons)}")
        self.skipped = [*skipped, *request.left_out]
        tools = request.tools
        placed = set(builds)
        if request.routed is not None:
            first = {build.slug: build for build in reversed(builds)}
            placed = {build for slug, build in first.items() if slug in request.routed}
        self.jobs = {
            build: job(build, request.target, request.seeds if build in placed else (), tools)
            for build in builds
        }
        self.store = Store()
        self.verified = (
            verified_before(builds, request.modulus, request.count, self.store) if request.count else {}
        )
        self.unverified = [build for build in builds if request.count and build not in self.verified]
        found = {build: known(each, self.store, tools.shelf) for build, each in self.jobs.items()}
        self.measured = {build: measurement for build, measurement in found.items() if measurement}
        self.unmeasured = unmeasured(self.jobs, found)

    @property
    def pending(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.unverified or self.unmeasured)

    def seconds(self, *, routed: bool = True) -> float:
        """How long that may take with this many tools at a time, as far as the shipped measurements tell.

        Args:
            routed: with place and route, where that is asked for.
        """
        request = self.request
        checks = verification(self.unverified, request.count) / request.tools.workers
        return checks + seconds(self.unmeasured.values(), request.tools, routed=routed)

    def check_extras(self) -> None:
        """Make sure of the tools that what is left takes.

        Raises:
            MissingExtra: some are not installed.
        """
        need(*(["simulation"] if self.unverified else []), *(["synthesis"] if self.unmeasured else []))
        need_tools(self.unmeasured.values(), None)

    def known(self) -> Comparison:
        """What is known before any tool runs; what is not yet known of a row is missing from it."""
        return self._comparison(self.verified, self.measured)

    def finish(self, listener: Listener = ignore) -> Comparison:
        """Verify and measure what is left, and put everything side by side.

        Whatever is finished is in the store; an interrupted comparison goes on from there. A core whose
        simulation, synthesis or place and route fails gets a row that says so, with its log.

        Args:
            listener: told at once of the first phase.

        Raises:
            MissingExtra: something has to be verified or measured, and the tools are not installed.
        """
        request = self.request
        tools = request.tools
        self.check_extras()
        verified: Mapping[Build, int | ToolFailure] = self.verified
        if self.unverified:
            verified = verify(
                list(self.jobs),
                request.modulus,
                request.count,
                workers=tools.workers,
                store=self.store,
                listener=listener,
            )
        good = {
            build: each
            for build, each in self.jobs.items()
            if not isinstance(verified.get(build), ToolFailure)
        }
        return self._comparison(verified, run_jobs(good, tools, self.store, listener))

    def _comparison(
        self, verified: Mapping[Build, int | ToolFailure], outcomes: Mapping[Build, Outcome]
    ) -> Comparison:
        request = self.request
        found = table(
            self.jobs,
            outcomes,
            request.target,
            subject=request.modulus.name,
            weights=request.weights,
            modulus=request.modulus,
            verified=verified,
            notes=_notes(request, self.jobs),
        )
        return replace(
            found,
            skipped=self.skipped,
            overlays=overlays(request.rooms, request.width, found.weights),
            command=request.command,
            notes=[*found.notes, *request.notes],
            unreduced=request.unreduced,
        )


def compare(request: Request, listener: Listener = ignore) -> Comparison:
    """Verify and measure every core that fits, and put the results side by side: :class:`Comparing` at once.

    Args:
        listener: told at once of the first phase, unless the request is refused.

    Raises:
        ValueError: the width is too long, or no core fits the modulus, with each one's reason.
        Exception: what :meth:`Comparing.finish` raises.
    """
    return Comparing(request).finish(listener)


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
            if request.parameters:
                modulus, chip = request.modulus.value, request.target.name
                build = room.build(request.width, request.parameters, modulus, chip=chip)
                build.check(modulus)
                builds.append(build)
            else:
                fitting = room.fitting(request.width, request.modulus.value, request.target.name)
                builds += dict.fromkeys((*fitting, *_shipped(request, room), *_own(request, room)))
        except ValueError as reason:
            skipped.append(Skipped(room.core.slug, str(reason)))
    return builds, skipped


def _shipped(request: Request, room: Room) -> Iterator[Build]:
    """The builds of a system whose measurements come with the package, and that serve the modulus."""
    for system, core, width, settings in SYSTEMS:
        asked = (room.core.slug, request.width, request.target.name)
        if asked == (f"{system}:{core}", width, "ecp5"):
            build = room.build(width, settings)
            if build.core.function.serves(build.config, request.modulus.value):
                yield build


def _own(request: Request, room: Room) -> Iterator[Build]:
    """The builds of a core that the user's own records are of, and that serve the modulus."""
    shelf, modulus = request.tools.shelf, request.modulus.value
    for build in builds_of(shelf, room, request.width, request.target) if shelf else ():
        if build.core.function.serves(build.config, modulus):
            yield build


def overlays(rooms: Iterable[Room], width: int, weights: Weights) -> list[Overlay]:
    """What the papers print of some cores at a width."""
    return [
        Overlay.of(room.core, published, weights)
        for room in rooms
        for published in room.core.origin.published
        if published.width == width and not published.block
    ]
