# SPDX-License-Identifier: Apache-2.0
"""Verify, measure, compare: the long commands, and the figures of the papers."""

from __future__ import annotations

import shlex
import sys
import time
import webbrowser
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from modmul.chips import chip
from modmul.cli.completing import core_names, system_names, target_names
from modmul.cli.options import (
    BadInput,
    CoreArgument,
    CoreArguments,
    CoresOption,
    CsvOption,
    FreshOption,
    JobsOption,
    JsonOption,
    OnOption,
    RecordsOption,
    RoomsOption,
    SetOption,
    SystemModulusOption,
    TargetOption,
    UnreducedOption,
    WeightsOption,
    WidthOption,
    names,
    settings,
    shelf,
    system_modulus,
    weights,
)
from modmul.cli.printing import out, print_comparison, print_csv, print_json, print_table, say
from modmul.cli.progress import showing
from modmul.prove import SECONDS
from modmul.registry import SystemRoom, choose_rooms, operand_width, room
from modmul.registry import on as system_on
from modmul.tools.extras import need
from modmul.tools.machines import machine_at
from modmul.tools.paths import check_writable, replacing
from modmul.tools.progress import hours

if TYPE_CHECKING:
    from modmul.study.compare import Comparing
    from modmul.study.rows import Comparison

__all__ = ["compare", "faults", "measure", "papers", "prove", "report", "verify"]

COUNT, NETLIST_COUNT, CURVE_COUNT = 100_000, 300, 20
"""Random multiplications of a source and of a netlist; random points of a system for a curve."""
SEEDS = 3
SHOWN = 8
"""Faults that are told one by one."""


def verify(
    cores: CoreArguments,
    width: WidthOption = None,
    modulus_: Annotated[
        str | None,
        typer.Option("--modulus", "-m", help="Verify on this one. Default: ten different ones."),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Random multiplications at full width. Default: 100,000, of a netlist 300, of curves 20.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of everything random.")] = 1,
    set_: SetOption = None,
    netlist: Annotated[
        str | None,
        typer.Option(
            "--netlist",
            metavar="CHIP",
            help="Verify the netlist that synthesis makes for this chip family, in place of the source.",
            autocompletion=target_names,
        ),
    ] = None,
    jobs: JobsOption = 2,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prove cores right in simulation: exhaustively at small widths, then at full width."""
    need("simulation")
    from modmul.moduli import modulus
    from modmul.study.netlists import on_netlist
    from modmul.verify.pool import verify_all
    from modmul.verify.runner import Plan, Verification

    chosen = modulus(modulus_).value if modulus_ else None
    bits = operand_width(width, chosen, "simulated")
    placed = chip(netlist) if netlist else None
    family = placed.name if placed else ""
    builds = [
        found.build(width or found.core.builds.only_width or bits, settings(set_), chosen, chip=family)
        for found in map(room, names(cores))
    ]
    for build in builds:
        if chosen is not None:
            build.check(chosen)
        else:
            build.core.function.some_modulus(build.config)  # a program's numbers may be too long for all
    if placed:
        builds = [on_netlist(build, placed) for build in builds]
    tried = count or (NETLIST_COUNT if placed else COUNT)
    started = time.monotonic()
    with showing() as listener:
        results = verify_all(
            builds,
            Plan(chosen, tried, count or CURVE_COUNT, seed=seed, source=placed is None),
            workers=jobs,
            listener=listener,
        )
    seconds = time.monotonic() - started
    failures = {
        build.slug: result for build, result in results.items() if not isinstance(result, Verification)
    }
    if as_json:
        data = [
            {
                "core": build.slug,
                "config": build.config.parameters(),
                "verified": result.total if isinstance(result, Verification) else 0,
                "checks": result.counts if isinstance(result, Verification) else {},
                "failure": None if isinstance(result, Verification) else str(result),
            }
            for build, result in results.items()
        ]
        told = {"netlist": placed.name} if placed else {}
        print_json({"seed": seed, **told, "seconds": round(seconds, 1), "results": data})
    else:
        rows = []
        for build, result in results.items():
            verified, checks = "FAILED", ""
            if isinstance(result, Verification):
                verified = f"{result.total:,}"
                checks = ", ".join(f"{name} {done:,}" for name, done in result.counts.items())
            rows.append((build.slug, str(build.config), verified, checks))
        print_table(("core", "parameters", "verified", "checks"), rows)
        for slug, failure in failures.items():
            say(f"{slug}: {failure}")
        out.print(f"{f'netlists for {placed.name}, ' if placed else ''}seed {seed}, {seconds:.0f} s")
    if failures:
        raise typer.Exit(1)


def faults(
    core: CoreArgument,
    width: WidthOption = None,
    modulus_: Annotated[
        str | None, typer.Option("--modulus", "-m", help="The modulus or key. Default: one of that width.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="Faults.")] = 1000,
    only: Annotated[
        str, typer.Option(metavar="TEXT", help="Only registers whose paths hold this: u_feed.")
    ] = "",
    seed: Annotated[int, typer.Option(help="Of everything random.")] = 1,
    set_: SetOption = None,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Flip bits of registers in simulated operations, and say what came of it."""
    need("simulation")
    from modmul.moduli import modulus
    from modmul.verify.faults import OUTCOMES, Strike, strikes

    chosen = modulus(modulus_).value if modulus_ else None
    bits = operand_width(width, chosen, "simulated")
    build = room(core).build(bits, settings(set_), chosen)
    if chosen is not None:
        build.check(chosen)
    done: list[Strike] = []
    stopped = False
    try:
        with showing() as listener:
            done.extend(strikes(build, count, seed=seed, modulus=chosen, only=only, listener=listener))
    except KeyboardInterrupt:
        stopped = True
    modules = {each.register.module: Counter[str]() for each in done}
    for each in done:
        modules[each.register.module][each.outcome] += 1
    total = Counter(each.outcome for each in done)
    wrong = [str(each) for each in done if each.outcome == "wrong"]
    if as_json:
        print_json(
            {
                "core": build.slug,
                "config": build.config.parameters(),
                "seed": seed,
                "count": len(done),
                "meanings": OUTCOMES,
                "total": {name: total[name] for name in OUTCOMES},
                "modules": {
                    module: {name: found[name] for name in OUTCOMES} for module, found in modules.items()
                },
                "wrong": wrong,
            }
        )
    else:
        lines = [*sorted(modules.items()), ("all", total)]
        shown = [(name, *(f"{found[each]:,}" for each in OUTCOMES)) for name, found in lines]
        print_table(("registers of", *OUTCOMES), shown)
        for name, meaning in OUTCOMES.items():
            out.print(f"{name}: {meaning}", markup=False)
        for text in wrong[:SHOWN]:
            say(f"wrong: {text}")
        out.print(f"{len(done):,} faults, seed {seed}")
    if stopped:
        raise KeyboardInterrupt
    if wrong:
        raise typer.Exit(1)


def prove(
    cores: Annotated[
        list[str] | None,
        typer.Argument(metavar="CORE", help="Cores or systems. Default: all.", autocompletion=core_names),
    ] = None,
    width: WidthOption = None,
    modulus_: Annotated[
        str | None,
        typer.Option(
            "--modulus",
            "-m",
            help="Prove builds that serve this one, of its length. Default: the builds of docs/proofs.md.",
        ),
    ] = None,
    set_: SetOption = None,
    properties: Annotated[
        list[str] | None,
        typer.Option(
            "--property",
            "-p",
            help="operands: no operand decides when something happens. contract: the port contract. "
            "time: two copies with different operands, or moduli of one length, never differ in time. "
            "whole: of a few bits, the first operation gives the product, for every modulus. "
            "product: every result is right. rows: of a system, whatever its program, no data decide. "
            "Default: all that there is; with --width, --modulus or --set, operands.",
        ),
    ] = None,
    limit: Annotated[
        float, typer.Option("--limit", min=1, help="Seconds that a solver may take for one question.")
    ] = SECONDS,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prove hardware right, for all operands and for ever; without --width, --modulus and --set, the builds
    of docs/proofs.md."""
    need("synthesis")
    from modmul.moduli import modulus
    from modmul.prove.plan import Goal, excuse, failed, goals, prove_all
    from modmul.prove.prover import PROPERTIES
    from modmul.tools.store import Store

    chosen = names(properties) if properties else []
    for name in chosen:
        if name not in PROPERTIES:
            raise BadInput(f"no property {name!r}; there is {', '.join(PROPERTIES)}")
    slugs = names(cores) if cores else None
    if width is None and modulus_ is None and not set_:
        planned = list(goals(slugs))
        wanted = [goal for goal in planned if not chosen or goal.kind in chosen]
        if not wanted:
            raise BadInput(f"there is no proof of {', '.join(chosen)} of {', '.join(slugs or ())}")
    else:
        if slugs is None:
            raise BadInput("name the cores to prove at a width, for a modulus or with parameters of yours")
        served = modulus(modulus_).value if modulus_ else None
        bits = operand_width(width, served, "synthesised")
        builds = [room(slug).build(bits, settings(set_), served) for slug in slugs]
        if served is not None:
            for build in builds:
                build.check(served)
        wanted = [Goal(build, name) for build in builds for name in chosen or ("operands",)]
    if any(goal.kind == "product" for goal in wanted):
        need("proof")
    with showing() as listener:
        found = list(prove_all(wanted, Store(), limit, listener))
    wrong = [proof for proof in found if failed(proof)]
    if as_json:
        data = [
            {
                "core": proof.core,
                "config": proof.config,
                "width": proof.width,
                "property": proof.kind,
                "rule": proof.rule,
                "verdict": str(proof.verdict),
                "proven": proof.proven,
                "method": proof.method,
                "seconds": proof.seconds,
                "detail": proof.detail,
                "excuse": excuse(proof),
            }
            for proof in found
        ]
        print_json({"results": data})
    else:
        rows = [
            (
                proof.core,
                str(proof.width),
                proof.name,
                str(proof.verdict) if proof.proven else str(proof.verdict).upper(),
                proof.method,
                f"{proof.seconds:.1f}",
            )
            for proof in found
        ]
        print_table(("core", "width", "property", "verdict", "method", "s"), rows)
        for proof in found:
            if not proof.proven:
                say(f"{proof}: {proof.verdict}: {excuse(proof) or proof.detail or 'no proof was found'}")
            elif failed(proof):
                say(f"{proof}: proven, though it is listed as not to be: take it off the list")
    if wrong:
        raise typer.Exit(1)


def measure(
    cores: Annotated[
        list[str] | None,
        typer.Argument(metavar="CORE", help="Cores. Default: all.", autocompletion=core_names),
    ] = None,
    width: WidthOption = None,
    target_: TargetOption = "ecp5",
    seeds: Annotated[int, typer.Option(min=0, help="Placement seeds; 0 synthesises only.")] = SEEDS,
    set_: SetOption = None,
    weights_: WeightsOption = "",
    fresh: FreshOption = False,
    records: RecordsOption = None,
    unreduced: UnreducedOption = False,
    on: OnOption = None,
    jobs: JobsOption = 2,
    as_csv: CsvOption = False,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Area and, where open tools place and route the target, clock frequency of cores."""
    from modmul.study.measuring import Tools, left, left_out, wanted
    from modmul.study.measuring import measure as run
    from modmul.study.measuring import seconds as expected

    target = chip(target_)
    chosen = tuple(map(room, names(cores))) if cores else ()
    only = {found.core.builds.only_width for found in chosen} - {0}
    if width is None and len(only) == 1:
        width = only.pop()
    bits = operand_width(width, None, "synthesised")
    chosen = chosen or choose_rooms(None, target.name, bits)
    builds, skipped = wanted(chosen, bits, settings(set_), target)
    with machine_at(on, say) as machine, showing() as listener:
        tools = Tools(workers=jobs, machine=machine, fresh=fresh, records=shelf(records))
        if todo := left(builds, target, range(1, seeds + 1), tools):
            _announce(
                f"{len(todo)} of {len(builds)} builds to measure",
                expected(todo.values(), tools),
                {"--seeds 0 places nothing": expected(todo.values(), tools, routed=False)},
                ["" if cores else "CORE … takes few cores"],
            )
        comparison = run(
            builds,
            target,
            seeds=range(1, seeds + 1),
            weights=weights(weights_, target),
            tools=tools,
            listener=listener,
        )
    if not cores:
        skipped += left_out(target, bits)
    comparison = replace(comparison, skipped=skipped, unreduced=unreduced)
    if as_json:
        print_json(comparison.to_json())
    elif as_csv:
        print_csv(comparison)
    else:
        print_comparison(comparison)
    if comparison.failed:
        raise typer.Exit(1)


def compare(
    modulus_: SystemModulusOption = None,
    target_: TargetOption = "ecp5",
    cores: CoresOption = None,
    system: Annotated[
        str | None,
        typer.Option(
            metavar="SYSTEM",
            help="This system on each of the cores: modexp, rsa_crt, ecc_p256, ….",
            autocompletion=system_names,
        ),
    ] = None,
    width: WidthOption = None,
    set_: SetOption = None,
    seeds: Annotated[int, typer.Option(min=0, help="Placement seeds of each placed configuration.")] = SEEDS,
    route: Annotated[
        str,
        typer.Option(metavar="all|none|CORE,…", help="Place and route all, none, or these cores' defaults."),
    ] = "all",
    verified: Annotated[
        bool, typer.Option("--verify/--no-verify", help="Verify each configuration on the modulus.")
    ] = True,
    count: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Operations verified of each configuration. Default: 10,000, of systems 20, of curves 1.",
        ),
    ] = None,
    known: Annotated[
        bool,
        typer.Option("--known", help="Only what is shipped, or was measured here before: run nothing."),
    ] = False,
    weights_: WeightsOption = "",
    fresh: FreshOption = False,
    records: RecordsOption = None,
    unreduced: UnreducedOption = False,
    page: Annotated[Path | None, typer.Option("--page", "-o", help="Where to write the page.")] = None,
    browse: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    on: OnOption = None,
    jobs: JobsOption = 2,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds one run of a tool may take.")] = 3600,
    as_csv: CsvOption = False,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """The main job: every core that fits, verified on this modulus, measured, side by side.

    What is known is printed at once; then the rest is verified and measured, and the table printed again.
    """
    from modmul.study.compare import Comparing, Request
    from modmul.study.measuring import Tools, left_out

    if not seeds:
        raise BadInput("without a seed nothing can be placed; --route none synthesises only")
    chosen = system_modulus(system or "", modulus_)
    if chosen is None:
        raise BadInput("say what the cores are to serve: --modulus p256")
    target = chip(target_)
    routed = None if route == "all" else () if route == "none" else tuple(names([route]))
    bits = operand_width(width, chosen.value, "synthesised")
    chosen_rooms = choose_rooms(names([cores]) if cores is not None else None, target.name, bits)
    if system is not None:
        chosen_rooms = tuple(system_on(system, found.core.slug) for found in chosen_rooms)
    usual = 10_000
    if any(isinstance(found, SystemRoom) for found in chosen_rooms):
        usual = 1 if any(found.core.function.draw for found in chosen_rooms) else 20
    request = Request(
        modulus=chosen,
        width=bits,
        target=target,
        rooms=chosen_rooms,
        seeds=tuple(range(1, seeds + 1)),
        routed=routed and tuple(room(slug).core.slug for slug in routed),
        count=(count or usual) if verified else 0,
        weights=weights(weights_, target),
        tools=Tools(workers=jobs, timeout=timeout, fresh=fresh, records=shelf(records)),
        command=shlex.join(["modmul", *sys.argv[1:]]),
        parameters=settings(set_),
        left_out=() if cores is not None or system is not None else left_out(target, bits),
        unreduced=unreduced,
    )
    file = page or Path(f"modmul-{_file_name(chosen.name)}-{target.slug}.html")
    check_writable("page", file)
    with machine_at(on, say) as machine, showing() as listener:
        comparing = Comparing(replace(request, tools=replace(request.tools, machine=machine)))
        comparison = comparing.known()
        if comparing.pending and not known:
            if not (as_json or as_csv):
                print_comparison(comparison, title=f"Known so far of {comparison.subject}")
                sys.stdout.flush()
            comparing.check_extras()
            _announce_comparison(comparing)
            comparison = comparing.finish(listener)
        from modmul.report.page import render

        with replacing("page", file) as put:
            put(render(comparison).encode())
    if as_json:
        print_json(_compared(comparison) | {"page": str(file)})
    elif as_csv:
        print_csv(comparison)
    else:
        print_comparison(comparison, file)
    if browse:
        webbrowser.open(file.resolve().as_uri())
    if comparison.failed:
        raise typer.Exit(1)


LONG = 900.0
"""Seconds of work before which a way out of it is named."""


def _announce(work: str, seconds: float, shorter: Mapping[str, float], ways: Sequence[str]) -> None:
    """What is about to be done, how long that may take, and if it is long, how to have less of it.

    Args:
        shorter: a way to have less, and how long it then takes.
        ways: further ones; empty texts are none.
    """
    say(f"{work}: this may take about {hours(seconds)}; Ctrl-C keeps what is finished")
    if seconds > LONG:
        found = [f"{way}, about {hours(short)}" for way, short in shorter.items() if short < seconds / 2]
        say(f"less: {'; '.join(filter(None, (*found, *ways, '--jobs and --on use more processors')))}")


def _announce_comparison(comparing: Comparing) -> None:
    todo = [
        f"{len(builds)} of {len(comparing.jobs)} builds to {what}"
        for what, builds in (("verify", comparing.unverified), ("measure", comparing.unmeasured))
        if builds
    ]
    ways = [
        "--known has what is known and runs nothing",
        "--no-verify only measures" if comparing.unverified else "",
        "--cores CORE,… takes few cores",
    ]
    shorter = {"--route none places nothing": comparing.seconds(routed=False)}
    _announce(", ".join(todo), comparing.seconds(), shorter, ways)


def report(
    modulus_: Annotated[
        str | None,
        typer.Option("--modulus", "-m", help="Only what serves this one. Default: any of the width."),
    ] = None,
    target_: TargetOption = "ecp5",
    cores: CoresOption = None,
    width: WidthOption = None,
    weights_: WeightsOption = "",
    page: Annotated[Path | None, typer.Option("--page", "-o", help="Where to write the page.")] = None,
    browse: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    as_json: JsonOption = False,
) -> None:
    """The page of what is known: the shipped measurements of a width on a chip; nothing is run."""
    from modmul.moduli import modulus
    from modmul.report.page import render
    from modmul.study.recorded import recorded

    chosen = modulus(modulus_) if modulus_ else None
    target = chip(target_)
    bits = operand_width(width, chosen.value if chosen else None, "synthesised")
    rooms = choose_rooms(names([cores]) if cores is not None else None)
    subject = _file_name(chosen.name) if chosen else f"{bits}-bits"
    file = page or Path(f"modmul-{subject}-{target.name}.html")
    check_writable("page", file)
    comparison = recorded(
        rooms,
        bits,
        target,
        modulus=chosen,
        weights=weights(weights_, target),
        command=shlex.join(["modmul", *sys.argv[1:]]),
    )
    file.write_text(render(comparison), encoding="utf-8")
    if as_json:
        print_json(_compared(comparison) | {"page": str(file)})
    else:
        out.print(f"{len(comparison.rows)} builds: {file}", markup=False)
    if browse:
        webbrowser.open(file.resolve().as_uri())


def papers(
    paper: Annotated[
        str | None, typer.Argument(metavar="PAPER", help="Only this paper, e.g. javeed. Default: all.")
    ] = None,
    cores: CoresOption = None,
    page: Annotated[
        Path | None, typer.Option("--page", "-o", help="Write a page with the papers' figures redrawn.")
    ] = None,
    fresh: FreshOption = False,
    jobs: JobsOption = 2,
    as_json: JsonOption = False,
) -> None:
    """Every row of the papers' tables: as printed, what follows from it, and ours on open tools."""
    from modmul.report.redrawn import Drawing, extras, redrawn
    from modmul.study.papers import LEGEND, cited, of_paper, tables
    from modmul.study.papers import papers as run

    chosen = choose_rooms(names([cores]) if cores is not None else None)
    if paper is not None:
        chosen = of_paper(chosen, paper)
    if page:
        need(*extras(chosen))
        check_writable("page", page)
    with showing() as listener:
        lines = run(chosen, workers=jobs, listener=listener, fresh=fresh)
    drawings: list[Drawing] = []
    if page:
        from modmul.report.page import render_papers

        drawings = redrawn(lines)
        command = shlex.join(["modmul", *sys.argv[1:]])
        today = datetime.now(UTC).date().isoformat()
        page.write_text(render_papers(lines, drawings, command, today), encoding="utf-8")
    if as_json:
        data: dict[str, Any] = {"rows": [line.to_json() for line in lines]}
        if page:
            data |= {"figures": [drawing.to_json() for drawing in drawings], "page": str(page)}
        print_json(data)
    else:
        shown = tables(lines)
        for at, table in enumerate(shown):
            out.print(f"\n{table.title}", markup=False)
            print_table(table.headings, table.rows)
            if at + 1 == len(shown) or shown[at + 1].notes != table.notes:
                for number, note in enumerate(table.notes, 1):
                    out.print(f"{number}: {note}", markup=False)
        out.print()
        for cited_paper in cited(lines):
            out.print(cited_paper, markup=False)
        out.print(LEGEND, markup=False)
        if page:
            out.print(f"page: {page}", markup=False)
    failed = [line for line in lines if line.room and line.failure is not None]
    for line in failed:
        say(f"{line.room and line.room.core.slug}: {line.area}")
    if failed:
        raise typer.Exit(1)


def _compared(comparison: Comparison) -> dict[str, Any]:
    """A comparison and others' cores beside it, as plain data."""
    from modmul.study.others import beside

    theirs = [each.to_json(comparison.weights) for each in beside(comparison)]
    return comparison.to_json() | {"others": theirs}


def _file_name(text: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in text)
