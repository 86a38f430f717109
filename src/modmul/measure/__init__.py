# SPDX-License-Identifier: Apache-2.0
"""Measures designs: area by synthesis, clock frequency by place and route (``docs/measuring.md``)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from modmul.chips import CHIPS, Chip, UnknownChip, chip
from modmul.design import Design
from modmul.measure.area import Area, UnknownCell, count_cells, shortage
from modmul.measure.records import (
    SHIPPED,
    SHIPPED_SEEDS,
    Record,
    RecordError,
    Shelf,
    add_records,
    read_records,
)
from modmul.measure.route import (
    Recorded,
    Router,
    Timing,
    known_timing,
    place_and_route,
    timing,
    unrecorded,
)
from modmul.measure.synthesis import known_area, synthesise
from modmul.tools.extras import MissingExtra, need, need_package
from modmul.tools.machine import LOCAL, Machine, MachineError
from modmul.tools.pool import run_all
from modmul.tools.progress import Listener, Progress, ignore
from modmul.tools.run import Stopped, ToolFailure, log_file, work_dir
from modmul.tools.store import Store

__all__ = [
    "CHIPS",
    "SHIPPED",
    "SHIPPED_SEEDS",
    "Area",
    "Chip",
    "Job",
    "MachineError",
    "Measurement",
    "Record",
    "RecordError",
    "Shelf",
    "Store",
    "Timing",
    "ToolFailure",
    "UnknownCell",
    "UnknownChip",
    "add_records",
    "chip",
    "count_cells",
    "is_recorded",
    "known",
    "measure",
    "need_tools",
    "place_and_route",
    "read_records",
    "shortage",
    "synthesise",
]


SYNTHESIS, ROUTE = "synthesise", "place and route"
"""The phases of a measurement."""


@dataclass(frozen=True)
class Job:
    """One design to measure on one target.

    Attributes:
        seeds: the placement seeds; none means synthesis only.

    Raises:
        ValueError: seeds for a target without place and route.
    """

    design: Design
    target: Chip
    seeds: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.seeds and not self.target.route:
            raise ValueError(f"there is no open place and route for {self.target.name}")

    @property
    def steps(self) -> int:
        """The number of results to get: one synthesis and each seed."""
        return 1 + len(self.seeds)


@dataclass(frozen=True)
class Measurement:
    """What was measured of a job.

    Attributes:
        area: what the design alone costs.
        timing: clock frequencies; ``None`` without place and route.
        failure: why place and route gave none, though there are seeds.
        shipped: the record it was taken from; ``None`` when it was measured on this machine.
    """

    area: Area
    timing: Timing | None
    failure: ToolFailure | None = None
    shipped: Record | None = None

    @classmethod
    def of(cls, record: Record, job: Job) -> Self:
        """What a record says of a job that it covers."""
        readings: dict[str, Any] = dict(record.readings)
        area = replace(count_cells(record.cells, job.target), seconds=record.seconds[0], **readings)
        if not job.seeds or record.timing is None:
            return cls(area, None, shipped=record)
        fmax = {seed: record.fmax_mhz[seed] for seed in job.seeds}
        return cls(area, replace(record.timing, fmax_mhz=fmax), shipped=record)


def need_tools(jobs: Iterable[Job], shelf: Shelf | None) -> None:
    """Make sure of the tools for jobs, but for those that a record of the shelf covers.

    Raises:
        MissingExtra: one is not installed.
    """
    for job in jobs:
        if not is_recorded(job, shelf):
            need("synthesis")
            if job.seeds and job.target.route:
                need_package(job.target.route.package, f"place and route for {job.target.name}")


def is_recorded(job: Job, shelf: Shelf | None) -> bool:
    """Whether a record of the shelf covers a job."""
    return shelf is not None and shelf.find(job.design, job.target, job.seeds) is not None


def known(job: Job, store: Store, shelf: Shelf | None = None) -> Measurement | None:
    """What is known of a job before any tool runs: from a record, or from what was measured here.

    The area alone, where no frequency is known or not of all seeds; ``None`` where there is not even that.
    """
    if shelf is not None:
        for seeds in dict.fromkeys((job.seeds, ())):
            wanted = replace(job, seeds=seeds)
            if record := shelf.find(job.design, job.target, seeds):
                return Measurement.of(record, wanted)
    try:
        area = known_area(job.design, job.target, store)
        if area is None:
            return None
        times = known_timing(job.design, job.target, job.seeds, store) if job.seeds else None
    except (MissingExtra, ToolFailure):
        return None
    return Measurement(area, times)


def measure(
    jobs: Iterable[Job],
    *,
    workers: int = 2,
    store: Store | None = None,
    listener: Listener = ignore,
    timeout: float = 3600,
    machine: Machine = LOCAL,
    shelf: Shelf | None = None,
    expected: Expected | None = None,
) -> list[tuple[Job, Measurement | ToolFailure]]:
    """Measure every job, several at a time, and return them in order with their outcome.

    What a record of the shelf covers is taken from it. All others are synthesised first; then those that the
    part can hold are placed and routed, the largest first. A job that fails does not stop the others. An
    exception that is no :class:`ToolFailure`, KeyboardInterrupt above all, kills the tools that are running
    and is raised again; what was measured until then is in the store.

    Args:
        workers: tools running at the same time on this machine, at least 1.
        store: the default :class:`Store` when ``None``.
        listener: told at the beginning of each phase and after each step; a failure finishes all steps of its
            job.
        timeout: seconds one run of a tool may take.
        machine: where the tools run. When it fails as a whole, the :class:`MachineError` is raised.
        shelf: where records may be taken from, :data:`SHIPPED` for those of the package; ``None`` to measure
            every job.
        expected: seconds that a job may take, so that progress says how many are left; ``None`` for progress
            that does not.

    Raises:
        MissingExtra: a job has to be measured, and the tools are not installed.
    """
    todo = list(jobs)
    found = [shelf.find(job.design, job.target, job.seeds) if shelf else None for job in todo]
    rest = [job for job, record in zip(todo, found, strict=True) if record is None]
    need_tools(rest, None)
    recorded = shelf.placed if shelf else unrecorded
    anew = iter(
        _measure(rest, recorded, workers, store, listener, timeout, machine, expected) if rest else ()
    )
    return [
        (job, Measurement.of(record, job) if record else next(anew))
        for job, record in zip(todo, found, strict=True)
    ]


def _measure(
    todo: Sequence[Job],
    recorded: Recorded,
    workers: int,
    store: Store | None,
    listener: Listener,
    timeout: float,
    machine: Machine,
    expected: Expected | None,
) -> list[Measurement | ToolFailure]:
    """Measure every job, taking of a record, which may be of earlier sources, what the same netlist gave."""
    results = store or Store()
    results.open()  # before anything is told

    def slots() -> int:
        return machine.slots(workers)

    costs = {id(job): expected(job) for job in todo} if expected else {}
    left = _Left({at: cost for at, (cost, _) in costs.items()}, slots)
    tell = _teller(SYNTHESIS, len(todo), listener, left)

    def synthesis(job: Job) -> Area | ToolFailure:
        try:
            area = synthesise(job.design, job.target, results, timeout, machine)
        except Stopped:
            raise  # nothing to tell
        except ToolFailure as failure:
            tell(job, failure.reason, 1)
            return failure
        tell(job, f"{area.luts} {job.target.unit}", 1)
        return area

    areas = run_all(todo, synthesis, workers=slots, on_failure=machine.stop)
    sizes = {at: area for at, area in enumerate(areas) if isinstance(area, Area) and todo[at].seeds}
    too_large = {
        at: ToolFailure(lacking, area.log or log_file("none"))
        for at, area in sizes.items()
        if (lacking := shortage(area, todo[at].target))
    }
    order = sorted(sizes.keys() - too_large.keys(), key=lambda at: (-sizes[at].luts, at))
    largest_first = {at: todo[at] for at in order}
    seeds = {id(job): costs[id(job)][1] * len(job.seeds) for job in largest_first.values() if costs}
    left = _Left(seeds, slots)
    timings = too_large | _place_and_route(
        largest_first, recorded, slots, results, listener, timeout, machine, left
    )

    def outcome(area: Area | ToolFailure, times: Timing | ToolFailure | None) -> Measurement | ToolFailure:
        if isinstance(area, ToolFailure):
            return area
        return Measurement(area, None, times) if isinstance(times, ToolFailure) else Measurement(area, times)

    return [outcome(area, timings.get(at)) for at, area in enumerate(areas)]


Teller = Callable[[Job, str, int], None]


Expected = Callable[[Job], tuple[float, float]]
"""Seconds that synthesis of a job, and place and route of each of its seeds, may take."""


SLOWEST = 20.0
"""As many times longer than expected the rest takes at most, by what was finished."""


class _Left:
    """The seconds that a phase may still take.

    Args:
        costs: the seconds that each job may take, by its identity; none where nobody knows.
        slots: jobs at the same time.
    """

    def __init__(self, costs: Mapping[int, float], slots: Callable[[], int]) -> None:
        self._costs, self._slots = dict(costs), slots
        self._left = dict(costs)
        self._began = time.monotonic()

    def finish(self, job: Job, part: float) -> None:
        """A part of a job, 1 for all of it, is no longer to be done."""
        if id(job) in self._costs:
            self._left[id(job)] = max(0.0, self._left[id(job)] - part * self._costs[id(job)])

    @property
    def seconds(self) -> float | None:
        """At least as many as the longest job takes; ``None`` where nobody knows.

        More where what is finished has taken longer than it was expected to.
        """
        if not any(self._costs.values()):
            return None
        finished = sum(self._costs.values()) - sum(self._left.values())
        taken = (time.monotonic() - self._began) * self._slots()
        slower = min(max(taken / finished, 1.0), SLOWEST) if finished else 1.0
        return slower * max(sum(self._left.values()) / self._slots(), *self._left.values())


def _teller(phase: str, total: int, listener: Listener, left: _Left) -> Teller:
    """What tells the events of a phase: the job, what happened, and how many steps that finished."""
    done = 0
    lock = threading.Lock()

    def tell(job: Job, text: str, steps: int) -> None:
        nonlocal done
        with lock:
            done += steps
            left.finish(job, steps / (len(job.seeds) if phase == ROUTE else 1))
            listener(Progress(phase, f"{job.design.name}: {text}", done, total, left.seconds))

    if total:
        listener(Progress(phase, "", 0, total, left.seconds))
    return tell


class _Placing:
    """A job on its way through place and route: what its steps share."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.results: dict[int, dict[str, Any]] = {}
        self.failure: ToolFailure | None = None
        self.lock = threading.Lock()
        self.router: Router | None = None


def _place_and_route(
    jobs: Mapping[int, Job],
    recorded: Recorded,
    slots: Callable[[], int],
    store: Store,
    listener: Listener,
    timeout: float,
    machine: Machine,
    left: _Left,
) -> dict[int, Timing | ToolFailure]:
    """Each job's frequencies, or why there are none; the jobs have seeds, and keep their keys."""
    tell = _teller(ROUTE, sum(len(job.seeds) for job in jobs.values()), listener, left)
    placings = {at: _Placing(job) for at, job in jobs.items()}

    def work(step: tuple[int, int | None]) -> None:
        """A seed; or the netlist for all of them."""
        at, seed = step
        placing = placings[at]
        job = placing.job
        try:
            with placing.lock:
                if placing.router is None:
                    (folder / str(at)).mkdir()
                    own = folder / str(at)
                    placing.router = Router(job.design, job.target, store, own, timeout, machine, recorded)
            if seed is None:
                if any(placing.router.known(seed) is None for seed in job.seeds):
                    placing.router.netlist()
            elif placing.failure is None:
                result = placing.router.run(seed)
                with placing.lock:
                    if placing.failure is None:
                        placing.results[seed] = result
                        tell(job, f"seed {seed}: {result['fmax_mhz']:.1f} MHz", 1)
        except Stopped:
            raise  # nothing to tell
        except ToolFailure as failure:
            with placing.lock:
                if placing.failure is None:
                    placing.failure = failure
                    tell(job, failure.reason, len(job.seeds) - len(placing.results))

    # The netlist of the next job comes before the seeds of this one, so that no worker waits for it.
    steps: list[tuple[int, int | None]] = []
    before: list[tuple[int, int | None]] = []
    for at, job in jobs.items():
        steps += [(at, None), *before]
        before = [(at, seed) for seed in job.seeds]
    steps += before
    with work_dir() as folder:
        run_all(steps, work, workers=slots, on_failure=machine.stop)
    return {
        at: placing.failure or timing({seed: placing.results[seed] for seed in placing.job.seeds})
        for at, placing in placings.items()
    }
