# SPDX-License-Identifier: Apache-2.0
"""Which core? An answer from records, in a second."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from modmul.chips import Chip, chip
from modmul.cli.options import (
    BadInput,
    JobsOption,
    JsonOption,
    OnOption,
    RecordsOption,
    TargetOption,
    UnreducedOption,
    WeightsOption,
    WidthOption,
    shelf,
    system_modulus,
    weights,
)
from modmul.cli.printing import out, print_builds, print_json, print_table, say
from modmul.cli.progress import showing
from modmul.registry import operand_width
from modmul.tools.machines import machine_at

if TYPE_CHECKING:
    from modmul.study.choosing import Candidate, Choice
    from modmul.study.rows import Row

__all__ = ["choose"]

SHOWN = 8
SECONDS = {"": 1e6, "s": 1e6, "ms": 1e3, "us": 1.0, "µs": 1.0, "ns": 1e-3}
"""Units of a time, in µs."""

COLUMNS = (
    *("luts", "dsp", "bram", "lut_equivalents", "fmax_mhz", "latency", "interval", "time_us"),
    *("throughput_mops", "operations_per_s", "operations_per_kluteq"),
)
"""Of a build."""


def choose(
    modulus_: Annotated[
        str | None,
        typer.Option(
            "--modulus",
            "-m",
            help="What it is to serve: a name (p256, b163, …), a number, a polynomial, a key file. "
            "Default: any modulus of --width bits.",
        ),
    ] = None,
    width: WidthOption = None,
    target_: TargetOption = "ecp5",
    max_luts: Annotated[float | None, typer.Option(metavar="N", help="LUTs at most.")] = None,
    max_dsp: Annotated[float | None, typer.Option(metavar="N", help="Multiplier blocks at most.")] = None,
    max_bram: Annotated[
        float | None, typer.Option(metavar="N", help="Block RAMs of 18 kbit at most.")
    ] = None,
    max_ffs: Annotated[float | None, typer.Option(metavar="N", help="Flip-flops at most.")] = None,
    max_time: Annotated[
        str | None, typer.Option(metavar="TIME", help="Time of one operation at most: 1us, 500ns, 2.5ms.")
    ] = None,
    max_latency: Annotated[
        float | None, typer.Option(metavar="N", help="Clock cycles of one operation at most.")
    ] = None,
    max_interval: Annotated[
        float | None,
        typer.Option(metavar="N", help="Clock cycles from result to result at most; 1 is one every clock."),
    ] = None,
    min_rate: Annotated[
        float | None, typer.Option(metavar="N", help="Operations a second at least: 5e5.")
    ] = None,
    min_mhz: Annotated[float | None, typer.Option(metavar="N", help="Clock frequency at least.")] = None,
    aim: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="area-time|area|time|rate",
            help="What is to be best: area × time, area, the time of one operation, operations a second.",
        ),
    ] = "area-time",
    domain: Annotated[
        str, typer.Option(metavar="plain|montgomery", help="x·y mod M, or x·y/R mod M. Default: both.")
    ] = "",
    reduced: Annotated[bool, typer.Option("--reduced", help="Leave out results above M-1.")] = False,
    unreduced: UnreducedOption = False,
    system: Annotated[
        str, typer.Option(metavar="SYSTEM", help="A system on the core: modexp, rsa_crt, ecc_p256, ….")
    ] = "",
    clock: Annotated[
        float | None, typer.Option(metavar="MHZ", help="Count on this clock for all, not on their own.")
    ] = None,
    weights_: WeightsOption = "",
    rows: Annotated[int, typer.Option(min=1, help="Builds to show.")] = SHOWN,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure the builds shown where their figures are estimates.")
    ] = False,
    accuracy: Annotated[
        bool, typer.Option("--accuracy", help="Print how far estimates are from left-out records, and end.")
    ] = False,
    records: RecordsOption = None,
    on: OnOption = None,
    jobs: JobsOption = 2,
    as_json: JsonOption = False,
) -> None:
    """Which core for this modulus, chip and budget: an answer from measurements, in a second."""
    from modmul.study.choosing import Wish, measured
    from modmul.study.choosing import choose as run
    from modmul.study.estimate import Costs
    from modmul.study.measuring import Tools

    if accuracy:
        _print_accuracy(as_json)
        return
    chosen = system_modulus(system, modulus_)
    if chosen is None and width is None:
        raise BadInput("say what the core is to serve: --modulus p256, or --width 256 for any modulus")
    target = chip(target_)
    wish = Wish(
        operand_width(width, chosen.value if chosen else None),
        target,
        chosen,
        system=system,
        aim=aim,
        domain=domain,
        reduced=reduced,
        unreduced=unreduced,
        clock_mhz=clock,
        weights=weights(weights_, target),
        max_luts=max_luts,
        max_dsp=max_dsp,
        max_bram=max_bram,
        max_ffs=max_ffs,
        max_time=_microseconds(max_time),
        max_latency=max_latency,
        max_interval=max_interval,
        min_rate=min_rate,
        min_mhz=min_mhz,
    )
    known = shelf(records)
    choice = run(wish, Costs(known), tested=rows)
    if measure:
        with machine_at(on, say) as machine, showing() as listener:
            choice = measured(choice, rows, Tools(workers=jobs, machine=machine, records=known), listener)
    if as_json:
        print_json(choice.to_json())
    else:
        _print(choice, rows)
    if choice.best is None:
        raise typer.Exit(1)


def _microseconds(text: str | None) -> float | None:
    """A time as people write it, in µs.

    Raises:
        BadInput: it is none.
    """
    if text is None:
        return None
    found = re.fullmatch(r"\s*([0-9.]+(?:e[-+]?[0-9]+)?)\s*([mnuµ]?s?)\s*", text)
    if not found or found[2] not in SECONDS:
        raise BadInput(f"--max-time is a number and a unit, 1us, 500ns, 2.5ms or 0.1s; got {text!r}")
    return float(found[1]) * SECONDS[found[2]]


def _print(choice: Choice, count: int) -> None:
    from modmul.study.choosing import AIMS
    from modmul.study.rows import UNREDUCED_MEANS

    wish = choice.wish
    limits = [
        f"{'at least' if limit.least else 'at most'} {value:,g} {limit.unit}" for limit, value in wish.limits
    ]
    out.print(
        f"{wish.subject} on {wish.chip.name}{''.join(f', {each}' for each in limits)}; {AIMS[wish.aim].means}"
    )
    best = choice.best
    if best is None:
        _print_nearest(choice, count)
    else:
        rows = [each for at, each in enumerate(choice.fitting) if at < count or each.front]
        if best.row.luts is None:
            out.print(
                f"\nno measurement tells what these cost on {wish.chip.name}: "
                "--measure measures the first of them\n"
            )
        else:
            out.print(f"\ntake {_name(best)}\n  {shlex.join(choice.export(best))}\n")
        _print_rows(rows, wish.chip)
        more = len(choice.fitting) - len(rows)
        out.print(
            "* no other that fits is both smaller and faster" + (f"; {more} more fit, --rows" if more else "")
        )
        if any(not each.row.reduced for each in rows):
            out.print(UNREDUCED_MEANS)
        if not all(each.is_measured for each in rows):
            out.print(
                "from …, between …: estimated, ± the median error of such estimates of this core's LUTs "
                "and clock where records tell; --measure measures"
            )
        if wish.chip.route and not any(each.row.fmax_mhz for each in rows):
            out.print(
                f"no clock on {wish.chip.name} is shipped: --measure finds it, --clock MHZ counts on one"
            )
        elif not wish.chip.route and wish.clock_mhz is None:
            out.print(
                f"no open tools place and route {wish.chip.name}: cycles and no times; "
                "--clock MHZ counts on a clock"
            )
    words: dict[str, list[str]] = {}
    for word, skipped in choice.out:
        words.setdefault(word, []).append(skipped.core.partition(":")[2] or skipped.core)
    for word, cores in words.items():
        out.print(f"out for {word}: {', '.join(cores)}", soft_wrap=True)
    if choice.others:
        out.print("\nbeside them, others' cores as measured here (examples/peers); none is among the above:")
        _print_others(choice)


def _print_nearest(choice: Choice, count: int) -> None:
    if not choice.nearest:
        out.print("\nno core serves this")
        return
    out.print("\nnone fits; the nearest, and what they need:")
    print_table(
        ("core", "needs", "figures"),
        [(_name(each), each.needs, each.basis) for each in choice.nearest[:count]],
    )


def _name(candidate: Candidate) -> str:
    """The core and the parameters that are not its usual ones."""
    build = candidate.build
    try:
        usual = build.room.build(build.config.width).config.options()
    except ValueError:
        usual = {}
    changed = {name: value for name, value in candidate.row.config.items() if value != usual.get(name)}
    return candidate.labelled(changed)


def _print_rows(rows: list[Candidate], chip: Chip) -> None:
    from modmul.study.rows import common_system

    builds = [each.row for each in rows]
    system = common_system(builds)
    names = [("* " if each.front else "  ") + _name(each).removeprefix(system) for each in rows]
    _print_figures("  core", names, builds, chip, "figures", [each.basis for each in rows])


def _print_others(choice: Choice) -> None:
    rows = [each.row(choice.wish.weights) for each in choice.others]
    sources = [str(each.checkout) for each in choice.others]
    _print_figures("core", [row.label for row in rows], rows, choice.wish.chip, "from", sources)


def _print_figures(
    first: str, names: list[str], rows: list[Row], chip: Chip, last: str, sources: list[str]
) -> None:
    """A table of builds: name, area, clock and times, the largest result, and where the figures are from."""
    from modmul.study.columns import ROW_COLUMNS, in_unit, shown

    named = {column.key: column for column in in_unit(ROW_COLUMNS, chip.unit)}
    timed = any(row.fmax_mhz is not None for row in rows)
    kept = shown([named[key] for key in COLUMNS], rows, timed=timed, terminal=True)
    behind = {"results\nup to": [row.results for row in rows], last: sources}
    print_builds(first, names, rows, kept, behind)


def _print_accuracy(as_json: bool) -> None:
    from modmul.study.estimate import Costs

    found = Costs().accuracy()
    if as_json:
        print_json([vars(each) for each in found])
        return
    print_table(
        ("core", "chip", "how", "of", "records", "median", "worst"),
        [
            (a.core, a.chip, a.how, a.quantity, str(a.records), f"{a.middle:.1%}", f"{a.worst:.1%}")
            for a in found
        ],
    )
    out.print("relative errors of estimates, each record left out in turn; 'estimated' is from another chip")
