# SPDX-License-Identifier: Apache-2.0
"""Measures cores: area by synthesis, clock frequency by place and route (``docs/measuring.md``)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from modmul.core import Config
from modmul.measure.area import Area, UnknownCell, count_cells
from modmul.measure.route import Timing, place_and_route
from modmul.measure.store import Store
from modmul.measure.synthesis import synthesise
from modmul.measure.targets import TARGETS, Target, UnknownTarget, target
from modmul.measure.tool import ToolFailure, kill_tools
from modmul.registry import Room

__all__ = [
    "TARGETS",
    "Area",
    "Event",
    "Job",
    "Measurement",
    "Store",
    "Target",
    "Timing",
    "ToolFailure",
    "UnknownCell",
    "UnknownTarget",
    "count_cells",
    "measure",
    "place_and_route",
    "synthesise",
    "target",
]


@dataclass(frozen=True)
class Job:
    """One configuration of a core to measure on one target.

    Attributes:
        seeds: the placement seeds; none means synthesis only.
        block: a name of ``Core.blocks``, to synthesise that part alone; ``""`` for the whole core.

    Raises:
        ValueError: seeds for a target without place and route, or for a block.
    """

    room: Room
    config: Config
    target: Target
    seeds: tuple[int, ...] = ()
    block: str = ""

    def __post_init__(self) -> None:
        if self.seeds and self.block:
            raise ValueError(f"only whole cores are placed and routed, not {self.block}")
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
        room: slug of the core.
        config: the configuration as text.
        target: name of the target.
        area: what the core alone costs.
        timing: clock frequencies; ``None`` without place and route.
    """

    room: str
    config: str
    target: str
    area: Area
    timing: Timing | None


@dataclass(frozen=True)
class Event:
    """Progress of :func:`measure`.

    Attributes:
        job: the job concerned.
        text: what happened, in a few words.
        done: steps finished so far over all the jobs; a failure finishes all steps of its job.
        total: steps of all the jobs.
    """

    job: Job
    text: str
    done: int
    total: int


def measure(
    jobs: Iterable[Job],
    *,
    workers: int = 2,
    store: Store | None = None,
    on_event: Callable[[Event], None] | None = None,
    timeout: float = 3600,
) -> list[tuple[Job, Measurement | ToolFailure]]:
    """Measure every job, several at a time, and return them in order with their outcome.

    A job that fails does not stop the others. An exception that is no :class:`ToolFailure`,
    KeyboardInterrupt above all, kills the tools that are running and is raised again; what was
    measured until then is in the store.

    Args:
        workers: tools running at the same time, at least 1.
        store: the default :class:`Store` when ``None``.
        on_event: called after each step, by one thread at a time.
        timeout: seconds one run of a tool may take.
    """
    todo = list(jobs)
    results = store or Store()
    total = sum(job.steps for job in todo)
    done = 0
    lock = threading.Lock()

    def tell(job: Job, text: str, steps: int) -> None:
        nonlocal done
        with lock:
            done += steps
            if on_event:
                on_event(Event(job, text, done, total))

    def work(job: Job) -> Measurement | ToolFailure:
        left = job.steps

        def step(text: str) -> None:
            nonlocal left
            left -= 1
            tell(job, text, 1)

        try:
            area = synthesise(job.room, job.config, job.target, results, timeout, job.block)
            step(f"{area.luts} LUTs")
            timing = None
            if job.seeds:
                timing = place_and_route(
                    job.room,
                    job.config,
                    job.target,
                    job.seeds,
                    results,
                    timeout,
                    lambda seed, fmax: step(f"seed {seed}: {fmax:.1f} MHz"),
                )
        except ToolFailure as failure:
            tell(job, failure.reason, left)
            return failure
        return Measurement(job.room.core.slug, str(job.config), job.target.name, area, timing)

    pool = ThreadPoolExecutor(workers)
    futures = [pool.submit(work, job) for job in todo]
    try:
        return [(job, future.result()) for job, future in zip(todo, futures, strict=True)]
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for future in futures):
            kill_tools()
            time.sleep(0.05)
        raise
    finally:
        pool.shutdown()
