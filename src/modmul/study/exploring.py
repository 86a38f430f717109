# SPDX-License-Identifier: Apache-2.0
"""A search of the parameters of one core: which of its builds no other beats in both area and time.

Optuna proposes builds, batch by batch, as many as tools run at a time; each is synthesised as ``modmul
measure`` does, and what is known is not measured again. Its study lies in the cache folder and goes on where
it was. What nothing beats is then verified, placed and routed.
"""

from __future__ import annotations

import errno
import json
import shlex
import warnings
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from modmul.chips import Chip
from modmul.core import check_tool
from modmul.measure import Job, Measurement, Record, Store, ToolFailure, known, shortage
from modmul.measure.synthesis import digests, synthesis_flow
from modmul.measure.weights import Weights
from modmul.moduli import Modulus
from modmul.moduli.base import long_name
from modmul.room import Build, Room
from modmul.study.choosing import AIMS
from modmul.study.estimate import Costs
from modmul.study.expecting import expected
from modmul.study.measuring import Outcome, Tools, row, run_jobs, table, untimed
from modmul.study.rows import Comparison, Row
from modmul.study.space import Point, Space, space
from modmul.study.verifying import verify
from modmul.tools.extras import installed_versions, need
from modmul.tools.paths import cache_dir, writing
from modmul.tools.progress import Listener, Progress, ignore
from modmul.tools.run import DiskFull
from modmul.tools.store import StoreError

if TYPE_CHECKING:
    from optuna import Study
    from optuna.distributions import BaseDistribution

__all__ = ["Exploration", "Exploring", "Gain", "Search", "explore", "front"]

PHASE = "explore"

REFUSED = 20
"""Proposals that are illegal, or tried already, after which a random build is taken instead."""


@dataclass(frozen=True)
class Search:
    """What to search.

    Attributes:
        room: the core.
        width: operand length in bits.
        target: the chip family.
        modulus: what each build serves; ``None`` for any modulus of that length.
        trials: builds to try, those of earlier runs of the same search included.
        seeds: placement seeds of what no other build beats; none synthesises only.
        placed: whether every build that is tried is placed and routed, and compared by its own clock.
        aim: a name of ``AIMS``: ``"rate"`` sets the interval against the area, all others the latency; the
            front is sorted by it.
        fixed: parameters that do not vary, and their values.
        ranges: parameters that take other values than the usual ones.
        count: random products verified of each build that is shown, at least 1.
        weights: what the blocks count in LUT-equivalents; ``None`` for those of the target.
        unreduced: whether results may be above M-1.
        seed: of what is proposed.
        tools: how tools are run.

    Raises:
        ValueError: there is no such aim, less than one trial, or all are to be placed without a seed or on a
            target without place and route.
    """

    room: Room
    width: int
    target: Chip
    modulus: Modulus | None = None
    trials: int = 40
    seeds: tuple[int, ...] = (1, 2, 3)
    placed: bool = False
    aim: str = "area-time"
    fixed: Mapping[str, int] = field(default_factory=dict, hash=False)
    ranges: Mapping[str, Sequence[int]] = field(default_factory=dict, hash=False)
    count: int = 1000
    weights: Weights | None = None
    unreduced: bool = False
    seed: int = 1
    tools: Tools = field(default_factory=Tools)

    def __post_init__(self) -> None:
        if self.aim not in AIMS:
            raise ValueError(f"--for is one of {', '.join(AIMS)}, got {self.aim!r}")
        if self.trials < 1:
            raise ValueError(f"--trials is 1 or more, got {self.trials}")
        if self.placed and not self.target.route:
            raise ValueError(f"no open tools place and route {self.target.name}; leave out --route all")
        if self.placed and not self.seeds:
            raise ValueError("without a seed nothing can be placed; give --seeds 1, or no --route all")

    @property
    def placement(self) -> tuple[int, ...]:
        """The placement seeds, on a target that has place and route."""
        return self.seeds if self.target.route else ()


@dataclass(frozen=True)
class Gain:
    """A build beside the default one.

    Attributes:
        area: LUT-equivalents saved, relative: 0.1 for a tenth less; negative where it is larger.
        time: the same of the time, from result to result where that was asked for; of cycles without a clock.

    Both are ``None`` where the default build has no such figure.
    """

    area: float | None
    time: float | None


@dataclass(frozen=True)
class Exploration:
    """What a search has found.

    Attributes:
        search: what was asked.
        values: the parameters that were varied, and their values.
        fixed: the others.
        combinations: of those values, legal or not.
        legal: how many of them are; ``None`` where these are too many to look at all.
        default: the row of the core's default build, by which gains are told.
        front: the builds that no other beats in both area and time, best first, verified.
        gains: of each of the front.
        comparison: the front, and the default build where it is not among it.
        tried: the row of every trial, as synthesised, in the order in which they were proposed.
        measured, known: trials that took a run of the tools, and those that were shipped or in the store.
        pruned: proposals of this run that are illegal, serve the modulus not, or have unwanted results.
        failed: trials whose tools failed, and builds whose verification, place or route did.
        records: of the front, to be written.
    """

    search: Search
    values: Mapping[str, Sequence[int]]
    fixed: Mapping[str, int]
    combinations: int
    legal: int | None
    default: Row
    front: tuple[Row, ...]
    gains: tuple[Gain, ...]
    comparison: Comparison
    tried: tuple[Row, ...]
    measured: int
    known: int
    pruned: int
    failed: tuple[Row, ...]
    records: tuple[Record, ...]

    @property
    def trials(self) -> int:
        """How many builds were tried."""
        return self.measured + self.known

    @property
    def whole(self) -> bool:
        """Whether every legal build was tried."""
        return self.legal is not None and self.trials >= self.legal

    def to_json(self) -> dict[str, Any]:
        """All of it but the records."""
        search = self.search
        return {
            "core": search.room.core.slug,
            "width": search.width,
            "target": search.target.name,
            "modulus": search.modulus.name if search.modulus else None,
            "for": search.aim,
            "seed": search.seed,
            "values": {name: list(values) for name, values in self.values.items()},
            "fixed": dict(self.fixed),
            "combinations": self.combinations,
            "legal": self.legal,
            "trials": self.trials,
            "measured": self.measured,
            "known": self.known,
            "pruned": self.pruned,
            "default": self.default.to_json(),
            "front": [
                row.to_json() | {"gain": asdict(gain)}
                for row, gain in zip(self.front, self.gains, strict=True)
            ],
            "tried": [row.to_json() for row in self.tried],
            "failed": [row.to_json() for row in self.failed],
        }


def front(points: Sequence[tuple[float, float]]) -> list[int]:
    """The places of the points that no other beats: less is better, and of equal ones the first."""
    return [
        at
        for at, mine in enumerate(points)
        if not any(
            its[0] <= mine[0] and its[1] <= mine[1] and (its != mine or place < at)
            for place, its in enumerate(points)
        )
    ]


class Exploring:
    """A search, as far as it has come: :meth:`seconds` tells how long it may take, :meth:`finish` does it.

    Args:
        search: what to search.

    Attributes:
        space: the builds that it may try.

    Raises:
        ValueError: as :func:`~modmul.study.space.space` says, or the width is too long.
        MissingExtra: Optuna, or a tool, is not installed.
        StoreError: the study or the results store cannot be used.
        RecordError: a file of shipped measurements is damaged.
    """

    def __init__(self, search: Search) -> None:
        check_tool("synthesised", search.width)
        self.search = search
        room, shelf = search.room, search.tools.shelf
        value = search.modulus.value if search.modulus else None
        recorded = Costs(shelf).builds(room, search.width, search.target, value) if shelf else ()
        self.space: Space = space(
            room,
            search.width,
            search.target,
            value,
            fixed=search.fixed,
            ranges=search.ranges,
            known=recorded,
            unreduced=search.unreduced,
        )
        need("exploration", "simulation", "synthesis")
        self.weights = search.weights or Weights.of(search.target)
        served = self.space.modulus
        self.modulus = search.modulus or Modulus(long_name(served), served)
        self.store = Store()
        self.store.open()
        self._names = list(self.space.values)
        self._pruned = 0
        self._pending: dict[Build, int] = {}
        self._tried: dict[Build, None] = {}
        place = self.file
        with self._guarded():
            self._study = self._open(place)
            self._resume()
        self._rng = Random(f"{search.seed} {len(self._tried)}")
        self._queue = deque(self._first())

    # ---- the study, and what it knows

    @cached_property
    def file(self) -> Path:
        """Where the study lies: a name for people, and a digest of all that decides its results.

        Another core, modulus, flow, range, weight or version of the tools makes another study.
        """
        search, default = self.search, self.space.default
        design = default.design.tuned(search.target.family)
        decides = {
            "sources": design.digest,
            "modulus": hex(self.space.modulus),
            "values": {name: list(values) for name, values in self.space.values.items()},
            "fixed": dict(self.space.fixed),
            "flow": [*synthesis_flow(design, search.target), *digests(search.target)],
            "seeds": search.placement if search.placed else (),
            "rate": search.aim == "rate",
            "weights": str(self.weights),
            "tools": installed_versions("pyosys", *self._router),
        }
        digest = sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:12]
        folder = cache_dir() / "studies"
        with writing("folder", folder, "set MODMUL_CACHE to another"):
            folder.mkdir(exist_ok=True)
        return folder / f"{search.room.core.slug}-{search.width}-{search.target.slug}-{digest}.journal"

    @property
    def _router(self) -> tuple[str, ...]:
        route = self.search.target.route if self.search.placed else None
        return (route.package,) if route else ()

    def _open(self, file: Path) -> Study:
        """The study, made where there is none."""
        import optuna  # noqa: PLC0415 (an extra, and slow to import)
        from optuna.storages import JournalStorage  # noqa: PLC0415
        from optuna.storages.journal import JournalFileBackend  # noqa: PLC0415

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            study = optuna.create_study(
                storage=JournalStorage(JournalFileBackend(str(file))),
                study_name=file.stem,
                directions=["minimize", "minimize"],
                load_if_exists=True,
            )
            # What it proposes depends on the seed and on what was tried, in this run or in others.
            study.sampler = optuna.samplers.TPESampler(
                seed=self.search.seed + len(study.get_trials(deepcopy=False)),
                n_startup_trials=min(10, self.search.trials // 3),
                multivariate=True,
                constant_liar=True,
            )
        return study

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn what a damaged study raises into one line.

        Raises:
            StoreError: it cannot be read or written.
            DiskFull: there is no room to write it.
        """
        try:
            yield
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull(self.file) from error
            raise StoreError(f"cannot use the study {self.file}: {error.strerror or error}") from error
        except Exception as error:
            aside = shlex.join(["mv", str(self.file), f"{self.file}.damaged"])
            raise StoreError(
                f"the study {self.file} is damaged ({type(error).__name__}: {error}); put it aside to begin "
                f"anew, what was measured is kept: {aside}"
            ) from error

    def _resume(self) -> None:
        """Take up what was tried before, and what was under way when it was interrupted."""
        from optuna.trial import TrialState  # noqa: PLC0415

        for trial in self._study.get_trials(deepcopy=False):
            if trial.state not in (TrialState.COMPLETE, TrialState.RUNNING):
                continue
            try:
                build = self.space.build(trial.params)
            except ValueError:
                build = None
            if build is not None and trial.state == TrialState.COMPLETE:
                self._tried.setdefault(build)
            elif build is not None and build not in self._pending and build not in self._tried:
                self._pending[build] = trial.number
            elif trial.state == TrialState.RUNNING:
                self._study.tell(trial.number, state=TrialState.FAIL, skip_if_finished=True)

    def _first(self) -> Iterator[Point]:
        """What to try before anything is proposed: known builds; all, where they are few enough."""
        space, legal = self.space, self.space.legal
        if legal is not None and len(legal) <= self.search.trials:
            yield from legal.values()
        else:
            yield from map(space.point, space.starts)

    # ---- trials

    @cached_property
    def _distributions(self) -> dict[str, BaseDistribution]:
        from optuna.distributions import CategoricalDistribution, IntDistribution  # noqa: PLC0415

        found: dict[str, BaseDistribution] = {}
        for name, values in self.space.values.items():
            steps = {after - value for value, after in pairwise(values)}
            if len(steps) == 1 and len(values) > 2 and min(steps) > 0:
                found[name] = IntDistribution(values[0], values[-1], step=steps.pop())
            else:
                found[name] = CategoricalDistribution(list(values))
        return found

    def _ask(self) -> tuple[Build, int] | None:
        """A build that was not tried, and the number of its trial; ``None`` where there is no more."""
        from optuna.trial import TrialState  # noqa: PLC0415

        refused = 0
        while True:
            seen = {**self._tried, **self._pending}
            point: Point | None = None
            while self._queue and point is None:
                point = self._queue.popleft()
                if self.space.build(point) in seen:
                    point = None
            if point is None and (refused >= REFUSED or not self._left(seen)):
                point = self.space.unseen(seen, self._rng)
                if point is None:
                    return None
            with self._guarded(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if point is not None:
                    self._study.enqueue_trial(point)
                trial = self._study.ask(self._distributions)
                try:
                    build = self.space.build(trial.params)
                except ValueError:
                    self._study.tell(trial.number, state=TrialState.PRUNED)
                    self._pruned += 1
                    refused += 1
                    continue
                if build in seen:
                    self._study.tell(trial.number, state=TrialState.FAIL)
                    refused += 1
                    continue
                return build, trial.number

    def _left(self, seen: Mapping[Build, object]) -> bool:
        """Whether there may be a build that was not tried."""
        legal = self.space.legal
        return legal is None or any(build not in seen for build in legal)

    def _job(self, build: Build, seeds: Sequence[int] = ()) -> Job:
        return Job(build.design, self.search.target, tuple(seeds))

    @property
    def _trial_seeds(self) -> tuple[int, ...]:
        return self.search.placement if self.search.placed else ()

    def seconds(self) -> float:
        """How long the trials that are left may take, as far as the shipped measurements tell."""
        search = self.search
        left = search.trials - len(self._tried)
        if self.space.legal is not None:
            left = min(left, len(self.space.legal) - len(self._tried))
        synthesis, seed = expected(self._job(self.space.default, search.placement))
        slots = max(1, search.tools.machine.slots(search.tools.workers))
        return max(left, 0) * (synthesis + seed * len(self._trial_seeds)) / slots

    def finish(self, listener: Listener = ignore) -> Exploration:
        """Try builds until there are as many as asked for; then verify, place and route the best.

        Every result is in the store at once, and every trial in the study: an interrupted search goes on from
        there. A trial whose tools fail counts in this run, and is tried again in the next.

        Args:
            listener: told at once.
        """
        search, outcomes = self.search, dict[Build, Outcome]()
        kept = self._known([*self._tried])
        listener(Progress(PHASE, "", len(self._tried), search.trials))
        outcomes |= self._measure([*self._tried], listener)
        taken = len(self._tried)  # trials, those that failed included
        while taken < search.trials:
            slots = max(1, search.tools.machine.slots(search.tools.workers))
            batch = self._batch(min(slots, search.trials - taken), outcomes)
            if not batch:
                break
            kept += self._known([*batch])
            outcomes |= self._measure([*batch], listener, taken)
            taken += len(batch)
            for build, number in batch.items():
                self._tell(build, number, outcomes[build])
        if taken < search.trials:
            listener(Progress(PHASE, "", taken, taken))
        return self._found(outcomes, kept, listener)

    def _batch(self, size: int, outcomes: Mapping[Build, Outcome]) -> dict[Build, int]:
        """As many builds as asked for, if there are, and the number of the trial of each."""
        left = {build: number for build, number in self._pending.items() if build not in outcomes}
        batch = dict([*left.items()][:size])
        while len(batch) < size and (asked := self._ask()):
            build, number = asked
            batch[build] = self._pending[build] = number
        return batch

    def _known(self, builds: Sequence[Build]) -> int:
        """Of how many builds everything is known."""
        found = 0
        for build in builds:
            job = self._job(build, self._trial_seeds)
            measurement = known(job, self.store, self.search.tools.shelf)
            found += measurement is not None and (measurement.timing is not None or not job.seeds)
        return found

    def _measure(
        self, builds: Sequence[Build], listener: Listener, done: int | None = None
    ) -> dict[Build, Outcome]:
        """What was measured of some trials."""
        jobs = {build: self._job(build, self._trial_seeds) for build in builds}

        def tell(step: Progress) -> None:
            finished = step.done if step.phase.startswith("synth") and not self._trial_seeds else 0
            if done is not None and step.text:
                listener(Progress(PHASE, step.text, done + finished, self.search.trials))

        return run_jobs(jobs, self.search.tools, self.store, tell)

    def _tell(self, build: Build, number: int, outcome: Outcome) -> None:
        """The study gets the result of a trial; a failure is not kept, as nowhere."""
        if not self._good(outcome):
            return
        values = self._point(self._row(build, outcome))
        with self._guarded():
            self._study.tell(number, list(values), skip_if_finished=True)
        self._tried.setdefault(build)
        self._pending.pop(build, None)

    @staticmethod
    def _good(outcome: Outcome) -> bool:
        return isinstance(outcome, Measurement) and outcome.failure is None

    # ---- results

    def _row(self, build: Build, outcome: Outcome, checked: int | ToolFailure = 0) -> Row:
        return row(build, self.weights, self.search.modulus, checked, outcome)

    def _table(
        self, outcomes: Mapping[Build, Outcome], checked: Mapping[Build, int | ToolFailure] | None = None
    ) -> Comparison:
        search = self.search
        seeds = search.placement if any(_timed(outcome) for outcome in outcomes.values()) else ()
        jobs = {build: self._job(build, seeds) for build in outcomes}
        return table(
            jobs,
            outcomes,
            search.target,
            subject=search.modulus.name if search.modulus else f"{search.width} bits",
            weights=self.weights,
            modulus=search.modulus,
            verified=checked,
            notes=untimed(jobs, search.target, seeds),
        )

    def _point(self, row: Row) -> tuple[float, float]:
        """Area and time of a row: µs, delay × cycles, gates × cycles or cycles, as the target has them."""
        cycles = row.pace if self.search.aim == "rate" else row.latency
        area = float(row.lut_equivalents or 0)
        if row.fmax_mhz is not None:
            return area, cycles / row.fmax_mhz
        return area, cycles * (row.delay_ns or row.depth or 1)

    def _found(self, outcomes: Mapping[Build, Outcome], kept: int, listener: Listener) -> Exploration:
        """The front of what was tried, verified, placed and routed, beside the default build.

        The default build is placed and routed, too, and may then be of the front again by its clock.
        """
        search, space = self.search, self.space
        default = space.default
        rows = {build: self._row(build, outcome) for build, outcome in outcomes.items()}
        good = {build: row for build, row in rows.items() if self._fits(outcomes[build])}
        checked, best = self._verified(good, listener)
        if default in good and search.placement and not isinstance(checked.get(default), ToolFailure):
            best = [*dict.fromkeys((default, *best))]
        whole = self._measured([*dict.fromkeys((default, *best))], listener)
        failures = [row for build, row in rows.items() if build not in good and row.failure]
        failures += [
            replace(rows[build], failure=said.reason, log=str(said.log))
            for build, said in checked.items()
            if isinstance(said, ToolFailure)
        ]
        final = {build: self._row(build, whole[build], checked.get(build, 0)) for build in best}
        failures += [row for row in final.values() if row.failure]
        final = {build: row for build, row in final.items() if not row.failure}
        places = front([*map(self._point, final.values())])
        order = AIMS[search.aim].key
        shown = sorted(([*final][at] for at in places), key=lambda build: order(final[build]))
        reference = self._row(default, whole[default], checked.get(default, 0))
        beside = {build: whole[build] for build in dict.fromkeys((*shown, default))}
        return Exploration(
            search=search,
            values=space.values,
            fixed=space.fixed,
            combinations=space.combinations,
            legal=None if space.legal is None else len(space.legal),
            default=reference,
            front=tuple(final[build] for build in shown),
            gains=tuple(self._gain(final[build], reference) for build in shown),
            comparison=replace(
                self._table(beside, {build: checked.get(build, 0) for build in beside}),
                unreduced=space.unreduced,
            ),
            tried=tuple(rows.values()),
            measured=len(outcomes) - kept,
            known=kept,
            pruned=self._pruned,
            failed=tuple(failures),
            records=tuple(self._record(build, whole[build]) for build in shown),
        )

    def _fits(self, outcome: Outcome) -> bool:
        """Whether it is a result, of a build that the part holds."""
        return (
            isinstance(outcome, Measurement)
            and outcome.failure is None
            and not shortage(outcome.area, self.search.target)
        )

    def _verified(
        self, good: Mapping[Build, Row], listener: Listener
    ) -> tuple[dict[Build, int | ToolFailure], list[Build]]:
        """What verification said, and the front of the builds that it has not found wrong."""
        checked: dict[Build, int | ToolFailure] = {}
        while True:
            left = [build for build in good if not isinstance(checked.get(build), ToolFailure)]
            best = [left[at] for at in front([self._point(good[build]) for build in left])]
            wanted = [self.space.default] if self.search.placement and self.space.default in good else []
            new = [build for build in dict.fromkeys((*wanted, *best)) if build not in checked]
            if not new:
                return checked, best
            search = self.search
            checked |= verify(
                new,
                self.modulus,
                search.count,
                workers=search.tools.workers,
                store=self.store,
                listener=listener,
            )

    def _measured(self, builds: Sequence[Build], listener: Listener) -> dict[Build, Outcome]:
        """Placed and routed, where that is wanted."""
        jobs = {build: self._job(build, self.search.placement) for build in builds}
        return run_jobs(jobs, self.search.tools, self.store, listener)

    def _gain(self, row: Row, default: Row) -> Gain:
        (area, time), (its_area, its_time) = self._point(row), self._point(default)
        alike = (row.fmax_mhz is None) == (default.fmax_mhz is None)
        return Gain(
            1 - area / its_area if its_area else None,
            1 - time / its_time if its_time and alike and default.luts is not None else None,
        )

    def _record(self, build: Build, outcome: Outcome) -> Record:
        assert isinstance(outcome, Measurement)
        if outcome.shipped:
            return outcome.shipped
        return Record.of(build.design, self.search.target, outcome.area, outcome.timing)


def explore(search: Search, listener: Listener = ignore) -> Exploration:
    """Search the parameters of a core: :class:`Exploring` at once.

    Args:
        listener: told at once, unless the search is refused.

    Raises:
        ValueError: as :class:`Exploring` says.
        Exception: what :meth:`Exploring.finish` raises.
    """
    return Exploring(search).finish(listener)


def _timed(outcome: Outcome) -> bool:
    return isinstance(outcome, Measurement) and outcome.timing is not None
