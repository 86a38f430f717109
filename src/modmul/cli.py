# SPDX-License-Identifier: Apache-2.0
"""The command line. It asks the library and prints; nothing is computed here.

Exit codes: 0 all went well, 1 a core or a tool failed, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from modmul import __version__
from modmul.core import (
    Config,
    Domain,
    ScalableConfig,
    bound_name,
    check_tool,
    radix_name,
    size_name,
)
from modmul.doctor import checks, healthy
from modmul.export import export as export_core
from modmul.measure import TARGETS, ToolFailure, target
from modmul.moduli import NAMED, Modulus, modulus
from modmul.multiply import Product
from modmul.multiply import multiply as multiply_once
from modmul.registry import Room, RoomError, choose_rooms, rooms
from modmul.registry import room as find_room
from modmul.report.compare import Request, verify_all
from modmul.report.compare import compare as run_comparison
from modmul.report.page import render
from modmul.report.papers import papers as run_papers
from modmul.report.rows import Comparison, Row
from modmul.tools.paths import check_writable
from modmul.verify.checks import VerificationError
from modmul.verify.runner import Plan, Verification
from modmul.verify.simulation import ProtocolError
from modmul.verify.simulator import SimulatorError

__all__ = ["app", "main"]

SEEDS = 3
DEMO_PAGE = Path("modmul-demo.html")
DEMO_ROUTED = ("imml_booth4", "montgomery_csa1", "montgomery_csa2", "interleaved_csa")

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Modular-multiplier hardware: compare, verify, measure and export published architectures.",
)
out = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
err = Console(stderr=True, highlight=False)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
CoresOption = Annotated[
    str | None, typer.Option("--cores", metavar="CORE,…", help="Only these cores. Default: all.")
]
CoreArguments = Annotated[list[str], typer.Argument(metavar="CORE…", help="Cores; 'modmul list' names them.")]
ModulusOption = Annotated[
    str,
    typer.Option(
        "--modulus",
        "-m",
        help="A name (p256, b163, …), a number (decimal, 0x…, 2^255-19), a polynomial (x^8+x^4+x^3+x+1), "
        "a key file or a context.json.",
    ),
]
WidthOption = Annotated[int | None, typer.Option("--width", "-w", help="Operand length in bits.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the core: SharedTaps=1, Word=64."),
]
TargetOption = Annotated[str, typer.Option("--target", "-t", help=f"One of {', '.join(TARGETS)}.")]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Tools running at the same time.")]


class BadInput(ValueError):
    """Something the user can put right; the message says how."""


def main() -> None:
    """Entry point: turns what the library raises into one line and an exit code."""
    try:
        app()
    except (SimulatorError, VerificationError, ProtocolError, RoomError) as error:
        _say(f"error: {error}")
        sys.exit(1)
    except ValueError as error:
        _say(f"error: {error}")
        sys.exit(2)


def _version(wanted: bool) -> None:
    if wanted:
        out.print(f"modmul {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


# --- what there is ------------------------------------------------------------------------------


@app.command("list")
def list_(
    moduli: Annotated[bool, typer.Option("--moduli", help="The moduli that have a name.")] = False,
    targets: Annotated[bool, typer.Option("--targets", help="The targets.")] = False,
    as_json: JsonOption = False,
) -> None:
    """The cores; or the named moduli, or the targets."""
    if moduli:
        data = [
            {"name": m.name, "field": m.field, "bits": m.bits, "source": m.source, "value": hex(m.value)}
            for m in NAMED.values()
        ]
        columns: tuple[str, ...] = ("name", "field", "bits", "source")
    elif targets:
        data = [
            {"name": t.name, "description": t.title, "place and route": "yes" if t.route else "no"}
            for t in TARGETS.values()
        ]
        columns = ("name", "description", "place and route")
    else:
        data = [
            {
                "core": r.core.slug,
                "paper": r.core.paper,
                "family": r.core.family,
                "cycles": r.core.steps,
                "interval at 256 bits": r.core.interval(r.core.configs(256)[0]),
                "description": r.core.title,
                "status": r.core.status,
            }
            for r in rooms().values()
        ]
        columns = ("core", "paper", "interval at 256 bits", "description", "status")
    if as_json:
        _print_json(data)
        return
    table = _table(*columns)
    for entry in data:
        table.add_row(*(str(entry[column]) for column in columns))
    out.print(table)


NOTHING = {"controls": "none", "paper": "none"}
"""What ``show`` prints of an empty entry."""


@app.command()
def show(core: str, width: WidthOption = 256, set_: SetOption = None, as_json: JsonOption = False) -> None:
    """One core: paper, parameters, ranges, cycles, context."""
    room = find_room(core)
    config = _config(room, _bits(width), set_)
    described = room.core
    sample = described.some_modulus(config)
    at = config.at(sample)
    scalable = isinstance(config, ScalableConfig)
    length = "2 … Width bits, chosen by the context" if scalable else f"{config.width} bits"
    data: dict[str, Any] = {
        "core": described.slug,
        "title": described.title,
        "paper": described.paper,
        "section": described.section,
        "family": described.family,
        "status": described.status,
        "top module": described.top,
        "sources": [source.name for source in room.sources],
        "parameters": config.parameters() if as_json else str(config),
        "also compared": [_options(other) for other in described.configs(config.width)[1:]],
        "word": config.word,
        "beats": config.beats,
        "operand length": length,
        "fields": list(config.fields),
        "computes": _computes(described.domain(at), sample),
        "moduli": described.moduli,
        "operands": f"0 … {bound_name(described.operand_max(at, sample), sample)}",
        "results": f"0 … {bound_name(described.result_max(at, sample), sample)}",
        "context": f"{len(described.context(at, sample))} × {config.word} bits",
        "controls": [f"{control.name}: {control.meaning}" for control in described.controls],
        "in flight": described.in_flight,
        "cycles": described.cycles(at),
        "cycle formula": described.steps,
        "latency": described.latency(at),
        "interval": described.interval(at),
    }
    notes = {title: list(lines) for title, lines in described.notes(config).items()}
    if as_json:
        _print_json(data | {"notes": notes})
        return
    for name, value in data.items():
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        out.print(f"{name:14} {text or NOTHING.get(name, 'nothing else')}", markup=False)
    out.print(f"{'more':14} {room.path / 'README.md'}", markup=False)
    for title, lines in notes.items():
        out.print(f"\n{title}", markup=False)
        for line in lines:
            out.print(f"  {line}", markup=False)


def _computes(domain: Domain, modulus: int) -> str:
    """The product, and in Montgomery's domain its radix; x^k for polynomials."""
    if domain.radix == 1:
        return "x * y mod M"
    return f"x * y * R^-1 mod M, R = {radix_name(domain.radix, modulus)}"


# --- verify, measure, compare -------------------------------------------------------------------


@app.command()
def verify(
    cores: CoreArguments,
    width: WidthOption = None,
    modulus_: Annotated[
        str | None,
        typer.Option("--modulus", "-m", help="Verify on this one. Default: ten different ones."),
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="Random multiplications at full width.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Of everything random.")] = 1,
    set_: SetOption = None,
    jobs: JobsOption = 2,
    as_json: JsonOption = False,
) -> None:
    """Prove cores right in simulation: exhaustively at small widths, then at full width."""
    chosen = modulus(modulus_) if modulus_ else None
    bits = _bits(width, chosen, "simulated")
    entries = []
    for slug in _names(cores):
        room = find_room(slug)
        config = _config(room, bits, set_)
        if chosen:
            room.core.check(config, chosen.value)
        entries.append((room, config))
    plan = Plan(modulus=chosen.value if chosen else None, count=count, seed=seed)
    started = time.monotonic()
    with _progress() as tell:
        results = verify_all(entries, plan, workers=jobs, on_progress=tell)
    seconds = time.monotonic() - started
    failed = {entry: result for entry, result in results.items() if not isinstance(result, Verification)}
    if as_json:
        data = [
            {
                "core": room.core.slug,
                "config": config.parameters(),
                "verified": result.total if isinstance(result, Verification) else 0,
                "checks": result.counts if isinstance(result, Verification) else {},
                "failure": None if isinstance(result, Verification) else str(result),
            }
            for (room, config), result in results.items()
        ]
        _print_json({"seed": seed, "seconds": round(seconds, 1), "results": data})
    else:
        table = _table("core", "parameters", "verified", "checks")
        for (room, config), result in results.items():
            if isinstance(result, Verification):
                counts = ", ".join(f"{name} {count:,}" for name, count in result.counts.items())
                table.add_row(room.core.slug, str(config), f"{result.total:,}", counts)
            else:
                table.add_row(room.core.slug, str(config), "FAILED", "")
        out.print(table)
        for (room, _), failure in failed.items():
            _say(f"{room.core.slug}: {failure}")
        out.print(f"seed {seed}, {seconds:.0f} s")
    if failed:
        raise typer.Exit(1)


@app.command()
def measure(
    cores: CoreArguments,
    width: WidthOption = 256,
    target_: TargetOption = "ecp5",
    seeds: Annotated[int, typer.Option(min=0, help="Placement seeds; 0 synthesises only.")] = SEEDS,
    jobs: JobsOption = 2,
    as_json: JsonOption = False,
) -> None:
    """Area and, where open tools place and route the target, clock frequency of cores."""
    bits = _bits(width, None, "synthesised")
    chosen = choose_rooms(_names(cores))
    chip = target(target_)
    comparison = _compare(
        Request(
            modulus=_common_modulus(chosen, bits),
            width=bits,
            target=chip,
            rooms=chosen,
            seeds=tuple(range(1, seeds + 1)) if chip.route else (),
            count=0,
            workers=jobs,
        )
    )
    _report(comparison, as_json)
    if any(row.failure for row in comparison.rows):
        raise typer.Exit(1)


@app.command()
def compare(
    modulus_: ModulusOption,
    target_: TargetOption = "ecp5",
    cores: CoresOption = None,
    width: WidthOption = None,
    seeds: Annotated[int, typer.Option(min=1, help="Placement seeds of each placed configuration.")] = SEEDS,
    route: Annotated[
        str,
        typer.Option(metavar="all|none|CORE,…", help="Place and route all, none, or these cores' defaults."),
    ] = "all",
    count: Annotated[
        int, typer.Option(min=1, help="Multiplications verified of each configuration.")
    ] = 10_000,
    page: Annotated[Path | None, typer.Option("--page", "-o", help="Where to write the page.")] = None,
    browse: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    jobs: JobsOption = 2,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds one run of a tool may take.")] = 3600,
    as_json: JsonOption = False,
) -> None:
    """The main job: every core that fits, verified on this modulus, measured, side by side."""
    chosen = modulus(modulus_)
    chip = target(target_)
    routed = None if route == "all" else () if route == "none" else tuple(_names([route]))
    compared = choose_rooms(_names([cores]) if cores is not None else None)
    for slug in routed or ():
        if find_room(slug) not in compared:
            raise BadInput(f"--route names {slug}, which is not among --cores")
    file = _writable(page or Path(f"modmul-{_file_name(chosen.name)}-{chip.name}.html"))
    comparison = _compare(
        Request(
            modulus=chosen,
            width=_bits(width, chosen, "synthesised"),
            target=chip,
            rooms=compared,
            seeds=tuple(range(1, seeds + 1)),
            routed=routed,
            count=count,
            workers=jobs,
            timeout=timeout,
            command=shlex.join(["modmul", *sys.argv[1:]]),
            notes=_notes(chip.route, routed),
        )
    )
    file.write_text(render(comparison), encoding="utf-8")
    _report(comparison, as_json, file)
    if browse:
        webbrowser.open(file.resolve().as_uri())
    if any(row.failure for row in comparison.rows):
        raise typer.Exit(1)


def _notes(route: Sequence[str], routed: tuple[str, ...] | None) -> tuple[str, ...]:
    if not route:
        return ("No open tools place and route this target: area and cycles only, no clock frequency.",)
    if routed == ():
        return ("Synthesis only, as asked for: no clock frequency.",)
    if routed:
        return (
            f"Placed and routed: the default configurations of {', '.join(routed)}. "
            "The others are synthesised only and have no clock frequency.",
        )
    return ()


def _compare(request: Request) -> Comparison:
    if request.width < request.modulus.bits:
        raise BadInput(
            f"--width {request.width} is too short for a modulus of {size_name(request.modulus.value)}; "
            f"take --width {request.modulus.bits}"
        )
    with _progress() as tell:
        return run_comparison(request, tell)


def _report(comparison: Comparison, as_json: bool, page: Path | None = None) -> None:
    if as_json:
        _print_json(comparison.to_json() | ({"page": str(page)} if page else {}))
        return
    out.print(f"\n{comparison.title}: M of {comparison.modulus.size}, {comparison.target.description}")
    columns: tuple[tuple[str, Callable[[Row], str]], ...] = (
        ("core", lambda r: r.label),
        ("cycles", lambda r: str(r.cycles)),
        ("latency", lambda r: str(r.latency)),
        ("interval", lambda r: str(r.interval)),
        ("LUT", lambda r: _number(r.luts)),
        ("FF", lambda r: _number(r.ffs)),
        *([("DSP", lambda r: _number(r.dsp))] if any(r.dsp for r in comparison.rows) else []),
        *([("RAM18", lambda r: _number(r.bram))] if any(r.bram for r in comparison.rows) else []),
        (
            "Fmax MHz",
            lambda r: "–" if r.fmax_mhz is None else f"{r.fmax_mhz:.1f} ±{(r.fmax_spread_mhz or 0) / 2:.1f}",
        ),
        ("time µs", lambda r: _number(r.time_us, 2)),
        ("Mmul/s", lambda r: _number(r.throughput_mops, 3)),
        ("LUT·µs/bit", lambda r: _number(r.area_time_per_bit, 1)),
        ("LUT·cyc/bit²", lambda r: _number(r.lut_cycles, 2)),
        ("verified", lambda r: _number(r.verified)),
    )
    table = _table(*(heading for heading, _ in columns), numbers=True)
    for row in sorted(comparison.rows, key=_rank):
        table.add_row(*(cell(row) for _, cell in columns))
    out.print(table)
    for row in comparison.rows:
        if row.failure:
            _say(f"{row.label}: {row.failure}; log: {row.log}")
    for skipped in comparison.skipped:
        out.print(f"not compared: {skipped.core}: {skipped.reason}", markup=False)
    for note in comparison.notes:
        out.print(note, markup=False)
    if page:
        out.print(f"page: {page}", markup=False)


def _rank(row: Row) -> tuple[float, float]:
    """Best first: by area × time where it is known, then by LUT · cycles."""
    missing = float("inf")
    area_time, lut_cycles = row.area_time_per_bit, row.lut_cycles
    return (
        missing if area_time is None else area_time,
        missing if lut_cycles is None else lut_cycles,
    )


@app.command()
def papers(
    cores: CoresOption = None,
    paper: Annotated[str | None, typer.Option("--paper", help="Only this paper, e.g. 000.")] = None,
    jobs: JobsOption = 2,
    as_json: JsonOption = False,
) -> None:
    """The printed figures of the papers beside ours, synthesised with open tools."""
    chosen = choose_rooms(_names([cores]) if cores is not None else None)
    if paper is not None:
        known = sorted({r.core.paper for r in rooms().values() if r.core.published})
        if paper not in known:
            raise BadInput(f"no figures of paper {paper!r}; there are {', '.join(known)}")
        chosen = tuple(r for r in chosen if r.core.paper == paper)
    with _progress() as tell:
        lines = run_papers(
            chosen,
            workers=jobs,
            on_event=lambda e: tell(e.phase, e.text, e.done, e.total),
        )
    data: list[dict[str, Any]] = [
        {
            "paper": line.room.core.paper,
            "table": line.printed.table,
            "design": line.printed.design,
            "core": line.room.core.slug,
            "block": line.printed.block,
            "parameters": line.config.parameters(),
            "width": line.printed.width,
            "printed device": line.printed.device,
            "printed slices": line.printed.slices,
            "printed LUTs": line.printed.luts,
            "our target": line.target.name,
            "our LUTs": line.luts,
            "LUT ratio": line.lut_ratio,
            "printed FFs": line.printed.ffs,
            "our FFs": line.ffs,
            "FF ratio": line.ff_ratio,
            "printed DSP": line.printed.dsp,
            "our DSP": line.dsp,
            "printed block RAM": line.printed.bram,
            "our block RAM": line.bram,
            "printed cycles": line.printed.cycles,
            "our cycles": line.cycles,
            "printed time us": line.printed.time_us,
            "recomputed time us": line.recomputed_time_us,
            "note": line.printed.note,
            "failure": line.ours.reason if isinstance(line.ours, ToolFailure) else None,
        }
        for line in lines
    ]
    if as_json:
        _print_json(data)
    else:
        _print_papers(data)
    failed = [line for line in lines if isinstance(line.ours, ToolFailure)]
    for line in failed:
        _say(f"{line.room.core.slug}: {line.ours}")
    if failed:
        raise typer.Exit(1)


PAPER_COLUMNS = {
    "paper": "paper",
    "design": "design",
    "core": "core",
    "width": "n",
    "printed slices": "slices",
    "printed LUTs": "LUTs",
    "our target": "our target",
    "our LUTs": "our LUTs",
    "LUT ratio": "ratio",
    "printed FFs": "FFs",
    "our FFs": "our FFs",
    "FF ratio": "ratio",
    "printed DSP": "DSP",
    "our DSP": "our DSP",
    "printed block RAM": "RAM18",
    "our block RAM": "our RAM18",
    "printed cycles": "cycles",
    "our cycles": "our cycles",
    "printed time us": "µs",
    "recomputed time us": "recomputed",
}


BLOCK_COLUMNS = ("DSP", "block RAM")
"""Shown where a paper prints them."""


def _print_papers(data: Sequence[dict[str, Any]]) -> None:
    """The table, each note once below it."""
    notes = list(dict.fromkeys(entry["note"] for entry in data if entry["note"]))
    hidden = {
        f"{whose} {what}"
        for what in BLOCK_COLUMNS
        if all(entry[f"printed {what}"] is None for entry in data)
        for whose in ("printed", "our")
    }
    shown = [name for name in PAPER_COLUMNS if name not in hidden]
    table = _table(*(PAPER_COLUMNS[name] for name in shown), "note")
    for entry in data:
        core = " ".join(filter(None, (entry["core"], entry["block"])))
        cells = (
            "–" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
            for value in map((entry | {"core": core}).get, shown)
        )
        table.add_row(*cells, str(notes.index(entry["note"]) + 1) if entry["note"] else "")
    out.print(table)
    for number, note in enumerate(notes, 1):
        out.print(f"{number}: {note}", markup=False)
    out.print(
        "Slices, LUTs, FFs, DSP, RAM18, cycles and µs are printed figures; 'recomputed' is printed cycles "
        "at the printed frequency. Ours: the core's default configuration, or with the parameters that "
        "the paper names, and LUTs by the counting rule of docs/measuring.md. "
        "These devices have no open place and route, so no frequency of ours stands beside the printed ones."
    )


# --- use ----------------------------------------------------------------------------------------


@app.command()
def export(
    core: str,
    width: WidthOption = None,
    modulus_: Annotated[
        str | None,
        typer.Option("--modulus", "-m", help="Of the bench's vectors. Default: 2^width - 1."),
    ] = None,
    folder: Annotated[Path | None, typer.Option("--output", "-o", help="The folder to write.")] = None,
    count: Annotated[int, typer.Option(min=1, help="Multiplications in the bench.")] = 200,
    force: Annotated[bool, typer.Option("--force", help="Replace what is in the folder.")] = False,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """A flat folder to drop into a design: sources, file lists, self-checking bench, README."""
    room = find_room(core)
    chosen = modulus(modulus_) if modulus_ else None
    bits = _bits(width, chosen, "exported")
    config = _config(room, bits, set_)
    value = chosen or _full_modulus(room, config)
    place = folder or Path(room.core.top)
    written = export_core(room, config, value.value, place, modulus_name=value.name, count=count, force=force)
    if as_json:
        _print_json({"folder": str(place), "files": [str(path) for path in written]})
        return
    for path in written:
        out.print(str(path), markup=False)
    out.print(f"try it: make -C {shlex.quote(str(place))} icarus", markup=False)


@app.command()
def multiply(
    core: str,
    x: str,
    y: str,
    modulus_: ModulusOption,
    width: WidthOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """x * y mod M on the simulated hardware, checked."""
    room = find_room(core)
    chosen = modulus(modulus_)
    config = _config(room, _bits(width, chosen, "simulated"), set_)
    product = multiply_once(room, config, chosen.value, _integer("x", x), _integer("y", y))
    if as_json:
        _print_json(
            {
                "core": core,
                "config": config.parameters(),
                "modulus": hex(chosen.value),
                "product": hex(product.value),
                "operations": product.operations,
                "cycles": product.cycles,
            }
        )
        return
    out.print(hex(product.value))
    out.print(_effort(product))


@app.command()
def doctor(as_json: JsonOption = False) -> None:
    """What this machine has and lacks, and the command that mends it."""
    found = checks()
    if as_json:
        _print_json([vars(check) for check in found])
    else:
        table = _table("", "what", "found", "needed for", "mend")
        for check in found:
            state = "ok" if check.ok else "MISSING" if check.required else "missing"
            table.add_row(
                state, check.name, check.found or "", check.needed_for, "" if check.ok else check.mend
            )
        out.print(table)
    if not healthy(found):
        raise typer.Exit(1)


@app.command()
def demo(
    page: Annotated[Path, typer.Option("--page", "-o", help="Where to write the page.")] = DEMO_PAGE,
    as_json: JsonOption = False,
) -> None:
    """A tour in a few minutes: the main job on the NIST P-256 prime, then real products."""
    _writable(page)
    started = time.monotonic()
    p256 = NAMED["p256"]
    chip = TARGETS["ecp5"]
    comparison = _compare(
        Request(
            modulus=p256,
            width=p256.bits,
            target=chip,
            rooms=tuple(rooms().values()),
            seeds=tuple(range(1, SEEDS + 1)),
            routed=DEMO_ROUTED,
            count=2_000,
            command="modmul demo",
            notes=(
                *_notes(chip.route, DEMO_ROUTED),
                f"'modmul compare --modulus p256 --target {chip.name}' places and routes them all.",
            ),
        )
    )
    page.write_text(render(comparison), encoding="utf-8")
    if not as_json:
        _report(comparison, False, page)
        out.print("\nReal use, on the simulated hardware:")
    secret = _openssl_modulus(2048)
    uses = [("imml_booth4", p256), ("montgomery_csa1", p256), ("montgomery_csa1", secret)]
    products = [_demo_product(slug, chosen, as_json) for slug, chosen in uses]
    seconds = round(time.monotonic() - started)
    if as_json:
        _print_json(comparison.to_json() | {"page": str(page), "products": products, "seconds": seconds})
    else:
        out.print(f"\n{seconds} s")
    if any(row.failure for row in comparison.rows):
        raise typer.Exit(1)


def _openssl_modulus(bits: int) -> Modulus:
    """The modulus of a fresh RSA key that OpenSSL made, read back from its PEM file."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"rsa{bits}.pem"
        file.write_bytes(pem)
        return modulus(str(file))


def _demo_product(slug: str, chosen: Modulus, quiet: bool) -> dict[str, Any]:
    """Two operands of full length, multiplied by the default configuration of a core."""
    room = find_room(slug)
    x, y = chosen.value // 3, chosen.value - 5
    product = multiply_once(room, room.core.configs(chosen.bits)[0], chosen.value, x, y)
    if not quiet:
        out.print(
            f"  {slug}: x * y mod M, {chosen.source} ({chosen.bits} bits): "
            f"{hex(product.value)[:18]}…, {_effort(product)}",
            markup=False,
        )
    return {
        "core": slug,
        "modulus": hex(chosen.value),
        "x": hex(x),
        "y": hex(y),
        "product": hex(product.value),
        "operations": product.operations,
        "cycles": product.cycles,
    }


def _effort(product: Product) -> str:
    """How many operations and clock cycles, in words."""
    operations = "1 operation" if product.operations == 1 else f"{product.operations} operations"
    return f"{operations}, {product.cycles} clock cycles, checked"


# --- helpers ------------------------------------------------------------------------------------


def _say(text: str) -> None:
    """One line on standard error, never wrapped."""
    err.print(text, markup=False, soft_wrap=True)


def _names(texts: Sequence[str]) -> list[str]:
    """The names in comma-separated texts, each once."""
    names = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    if not names:
        raise BadInput("name at least one core; 'modmul list' shows them")
    return list(dict.fromkeys(names))


def _bits(width: int | None, chosen: Modulus | None = None, done: str = "") -> int:
    """The operand length: as asked for, or the modulus' length, or 256; refused where it is too long.

    Args:
        done: what is to be done with a core of this length, a name of ``TOOL_WIDTHS``; nothing if empty.
    """
    bits = width if width is not None else max(chosen.bits, 2) if chosen else 256
    if done:
        check_tool(done, bits)
    return Config(bits).width


def _writable(page: Path) -> Path:
    """The page's path, refused before any work where it cannot be written."""
    check_writable("page", page)
    return page


def _full_modulus(room: Room, config: Config) -> Modulus:
    """A modulus of full length: 2^width - 1 where the core serves it."""
    ones = (1 << config.width) - 1
    if room.core.serves(config, ones):
        return Modulus(f"2^{config.width} - 1", ones)
    value = room.core.some_modulus(config)
    return Modulus(hex(value), value)


def _common_modulus(chosen: Sequence[Room], bits: int) -> Modulus:
    """A modulus of full length that the cores serve, or most of them: 2^bits - 1 where it is one.

    Measuring looks at the hardware alone; the modulus is for the figures.
    """

    def served(value: int) -> int:
        """How many of the cores have a configuration for it."""
        return sum(fits(room, value) for room in chosen)

    def fits(room: Room, value: int) -> bool:
        try:
            return bool(room.fitting(bits, value))
        except ValueError:
            return False

    names = {(1 << bits) - k: f"2^{bits} - {k}" for k in range(1, min(1 << (bits - 1), 100), 2)}
    for room in chosen:
        with suppress(ValueError):  # one that serves none of this length; it is skipped with its reason
            value = room.core.some_modulus(room.core.configs(bits)[0])
            names.setdefault(value, hex(value))
    best = next((value for value in names if served(value) == len(chosen)), None) or max(names, key=served)
    return Modulus(names[best], best)


def _config(room: Room, width: int, settings: Sequence[str] | None) -> Config:
    """The default configuration at a width, with the parameters that were set."""
    default = room.core.configs(width)[0]
    values: dict[str, int] = {}
    for setting in settings or ():
        name, _, value = setting.partition("=")
        if name not in default.options():
            options = ", ".join(default.options()) or "none"
            raise BadInput(f"{room.core.slug} has no parameter {name!r} to set; it has {options}")
        values[name] = _integer(name, value)
    return default.with_parameters(values)


def _integer(name: str, text: str) -> int:
    try:
        return int(text, 0)
    except ValueError as error:
        raise BadInput(f"{name} must be a number (decimal or 0x…), got {text!r}") from error


def _options(config: Config) -> str:
    return " ".join(f"{name}={value}" for name, value in config.options().items())


def _file_name(text: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in text)


def _number(value: float | None, digits: int = 0) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def _print_json(data: object) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False))


def _table(*columns: str, numbers: bool = False) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if numbers and index else "left", no_wrap=numbers)
    return table


@contextmanager
def _progress() -> Iterator[Callable[[str, str, int, int], None]]:
    """A progress bar a phase, on standard error."""
    columns = (
        TextColumn("{task.fields[phase]:16}"),
        BarColumn(24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    progress = Progress(*columns, TextColumn("{task.description}", markup=False), console=err)
    tasks: dict[str, Any] = {}

    def tell(phase: str, text: str, done: int, total: int) -> None:
        progress.start()  # at the first call: bad input found before it stays one line
        if phase not in tasks:
            tasks[phase] = progress.add_task(text, phase=phase, total=total)
        progress.update(tasks[phase], description=text, completed=done, total=total)

    try:
        yield tell
    except KeyboardInterrupt:
        progress.stop()
        _say("interrupted; what was finished is kept, the same command goes on from there")
        raise
    finally:
        if tasks:
            progress.stop()
