# SPDX-License-Identifier: Apache-2.0
"""The best parameters of a core: a search that goes on where it was."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modmul.chips import CHIPS, chip
from modmul.cli.options import (
    BadInput,
    CoreArgument,
    CsvOption,
    FreshOption,
    JobsOption,
    JsonOption,
    OnOption,
    RecordsOption,
    RoomsOption,
    SetOption,
    TargetOption,
    UnreducedOption,
    WeightsOption,
    WidthOption,
    ranges,
    settings,
    shelf,
    weights,
)
from modmul.cli.printing import out, print_csv, print_json, print_table, say
from modmul.cli.progress import showing
from modmul.measure import RecordError, add_records
from modmul.registry import operand_width, room
from modmul.tools.machines import machine_at
from modmul.tools.paths import check_writable, replacing
from modmul.tools.progress import hours

if TYPE_CHECKING:
    from modmul.study.exploring import Exploration
    from modmul.study.rows import Row

__all__ = ["explore"]

TRIALS = 40
SEEDS = 3

COLUMNS = ("luts", "ffs", "dsp", "bram", "lut_equivalents", "depth", "delay_ns", "fmax_mhz", "latency")
"""Of a build, before the interval and what follows from the clock."""

SHOWN = 12
"""Values of a parameter that are listed."""


def explore(
    core: CoreArgument,
    modulus_: Annotated[
        str | None,
        typer.Option("--modulus", "-m", help="What it is to serve. Default: any modulus of --width bits."),
    ] = None,
    width: WidthOption = None,
    target_: TargetOption = "ecp5",
    trials: Annotated[
        int, typer.Option(min=1, help="Builds to try, those of earlier runs of the same search included.")
    ] = TRIALS,
    seeds: Annotated[
        int, typer.Option(min=0, help="Placement seeds of the best builds; 0 synthesises only.")
    ] = SEEDS,
    route: Annotated[
        str,
        typer.Option(
            metavar="front|all",
            help="Place and route the front alone, or every trial, so that each is judged by its own clock.",
        ),
    ] = "front",
    aim: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="area-time|area|time|rate",
            help="What the front is sorted by; rate sets the cycles from result to result against the area.",
        ),
    ] = "area-time",
    set_: SetOption = None,
    range_: Annotated[
        list[str] | None,
        typer.Option(
            "--range", metavar="NAME=A..B", help="The values that a parameter takes: Pes=1..8, Word=8,16."
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="Products verified of each build shown.")] = 1000,
    seed: Annotated[int, typer.Option(help="Of what is proposed.")] = 1,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FILE", help="Add the front to this file of measurements, for --records."
        ),
    ] = None,
    weights_: WeightsOption = "",
    fresh: FreshOption = False,
    records: RecordsOption = None,
    unreduced: UnreducedOption = False,
    on: OnOption = None,
    jobs: JobsOption = 2,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds one run of a tool may take.")] = 3600,
    as_csv: CsvOption = False,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search a core's parameters: the builds that no other beats in both area and time, verified.

    The search goes on where it was: again with more --trials tries more.
    """
    from modmul.moduli import modulus
    from modmul.study.exploring import Exploring, Search
    from modmul.study.measuring import Tools

    if route not in ("front", "all"):
        raise BadInput(f"--route is front or all, got {route!r}")
    chosen = modulus(modulus_) if modulus_ else None
    target = chip(target_)
    if save:
        if target.name not in CHIPS:
            raise BadInput(
                f"measurements with a library of cells of your own, {target.name}, are in --json only"
            )
        check_writable("file", save)
        _check_records(save)
    known = shelf(records)
    with machine_at(on, say) as machine, showing() as listener:
        exploring = Exploring(
            Search(
                room(core),
                operand_width(width, chosen.value if chosen else None, "synthesised"),
                target,
                chosen,
                trials=trials,
                seeds=tuple(range(1, seeds + 1)),
                placed=route == "all",
                aim=aim,
                fixed=settings(set_),
                ranges=ranges(range_),
                count=count,
                weights=weights(weights_, target),
                unreduced=unreduced,
                seed=seed,
                tools=Tools(workers=jobs, machine=machine, timeout=timeout, fresh=fresh, records=known),
            )
        )
        seconds = exploring.seconds()
        if seconds >= 1:
            say(f"the trials may take about {hours(seconds)}; Ctrl-C keeps what is finished")
        found = exploring.finish(listener)
    if save and found.records:
        with replacing("file", save) as put:
            put(add_records(save, found.records))
    if as_json:
        print_json(found.to_json() | {"saved": str(save) if save and found.records else None})
    elif as_csv:
        print_csv(found.comparison)
    else:
        _print(found, save)
    for row in found.failed:
        say(f"{row.label}: {row.failure}; log: {row.log}")
    if found.failed or not found.front:
        raise typer.Exit(1)


def _check_records(file: Path) -> None:
    """Refuse a file that holds something else, before there is anything to add."""
    try:
        add_records(file, ())
    except RecordError as error:
        raise BadInput(f"--save adds to a file of measurements or writes a new one: {error}") from error


def _print(found: Exploration, save: Path | None) -> None:
    from modmul.study.rows import UNREDUCED_MEANS

    search = found.search
    what = search.modulus.name if search.modulus else "any modulus"
    out.print(f"{search.room.core.slug} for {what} of {search.width} bits on {search.target.name}\n")
    for name, values in found.values.items():
        listed = ", ".join(map(str, values[:SHOWN])) + (f", … {values[-1]}" if len(values) > SHOWN else "")
        out.print(f"  {name}: {listed}", soft_wrap=True)
    if found.legal is None:
        of = f"{found.combinations:,} combinations"
    else:
        illegal = found.combinations - found.legal
        of = f"{found.legal:,} builds" + (f" ({illegal:,} combinations are illegal)" if illegal else "")
    out.print(
        f"{found.trials} of {of} tried: {found.measured} measured, {found.known} known before"
        + (f"; illegal proposals passed over: {found.pruned}" if found.pruned else "")
        + f"; seed {search.seed}\n"
    )
    if not found.front:
        out.print("no build has a result")
        return
    _print_rows(found)
    times = "time" if found.front[0].fmax_mhz is not None else "cycles"
    against = f"{times} from result to result" if search.aim == "rate" else times
    out.print(f"* no build that was tried is both smaller and better in {against}; each is verified")
    if not all(row.reduced for row in (*found.front, found.default)):
        out.print(UNREDUCED_MEANS)
    if times == "cycles" and search.target.route:
        out.print("without a clock: --seeds 3 places and routes the front")
    elif not search.target.route:
        out.print(f"no open tools place and route {search.target.name}: no clock")
    best = found.front[0]
    changed = _changed(best, found.default)
    line = ["modmul", "measure", best.core, "--width", str(best.width), "--target", search.target.name]
    line += [part for name, value in changed.items() for part in ("--set", f"{name}={value}")]
    out.print(f"\nthe first again: {shlex.join(line)}", soft_wrap=True)
    if not found.whole:
        more = min(2 * found.trials, found.legal or 2 * found.trials)
        out.print(f"--trials {more} goes on from here")
    if save:
        out.print(f"saved: {save}; 'modmul choose --records {save}' takes it into account", soft_wrap=True)


def _changed(row: Row, default: Row) -> dict[str, int]:
    """The parameters that are not those of the default build."""
    return {name: value for name, value in row.config.items() if value != default.config.get(name)}


def _print_rows(found: Exploration) -> None:
    from dataclasses import replace

    from modmul.moduli.named import shown as named_value
    from modmul.study.columns import ROW_COLUMNS, in_unit, shown

    default = found.default
    rows = [*found.front]
    gains = [(_percent(gain.area), _percent(gain.time)) for gain in found.gains]
    if all(row.config != default.config for row in rows):
        rows.append(default)
        gains.append(("", ""))
    named = {column.key: column for column in in_unit(ROW_COLUMNS, found.search.target.unit)}
    rates = ("throughput_mops", "operations_per_s")
    keys = (*COLUMNS, "interval", "time_us", *rates, "fmax_spread_mhz", "verified")
    timed = any(row.fmax_mhz is not None for row in rows)
    kept = shown([named[key] for key in keys], rows, timed=timed, terminal=True)
    labels = []
    for at, row in enumerate(rows):
        changed = _changed(row, default)
        name = replace(row, config=changed).label
        if not changed:
            options = (f"{name}={named_value(name, value)}" for name, value in row.config.items())
            name = " ".join(filter(None, (row.core, *options, row.mark))) + ", the default"
        labels.append(("* " if at < len(found.front) else "  ") + name)
    cells = zip(
        labels,
        *(column.texts(rows) for column in kept),
        *zip(*gains, strict=True),
        strict=True,
    )
    of = "cycles" if not timed else "time"
    of = {"cycles": "interval", "time": "period"}[of] if found.search.aim == "rate" else of
    headings = ["  build", *(f"{c.heading}\n{c.unit}" for c in kept), "area\nsaved", f"{of}\nsaved"]
    print_table(headings, list(cells), numbers=True)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"
