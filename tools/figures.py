# SPDX-License-Identifier: Apache-2.0
"""The tables of figures that stand beside the text of READMEs and docs; ``readme.py`` writes them there.

They come from the descriptions of cores and systems and from the shipped measurements.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from math import ceil
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

from curve_costs import (
    BATCHES,
    BOTH_BUILDS,
    CURVE_BUILDS,
    EDDSA_BUILDS,
    batch,
    both,
    eddsa,
    multiple,
    told,
)
from devices import shipped
from rsa_costs import private, with_others

from modmul.core import BINARY_FIELD, PRIME_FIELD, Part
from modmul.cores.fixed_modulus.sparse_prime_dsp.core import SparsePrimeDsp
from modmul.cores.multiplier_rows.montgomery_dsp.core import MontgomeryDsp
from modmul.measure import CHIPS, SHIPPED, SHIPPED_SEEDS, Job, Measurement, measure
from modmul.measure.weights import Weights
from modmul.moduli import modulus
from modmul.moduli.named import shown
from modmul.registry import Build, on, program, read_program, room, rooms, systems
from modmul.study.estimate import Costs
from modmul.study.measuring import row as row_of
from modmul.study.others import others
from modmul.study.papers import Line, of_paper, papers
from modmul.study.rows import Row
from modmul.study.shipping import FIELDS_PLACED, NARROW, OTHERS, SYSTEMS, inner
from modmul.systems.assembly import assemble
from modmul.systems.engine import EngineConfig, bare, multiplications
from modmul.systems.parts import parts as parts_of

__all__ = [
    "bare_of_power",
    "bare_of_rsa",
    "booth",
    "lines",
    "parts",
    "rsa_asked",
    "share_of_modexp",
    "span",
    "table_6",
]

ROOT = Path(__file__).parents[1]


# --- what the tables are made of ----------------------------------------------------------------


def measured(build: Build, target: str, seeds: tuple[int, ...] = ()) -> Measurement:
    """A shipped measurement of a build."""
    [(_, outcome)] = measure([Job(build.design, CHIPS[target], seeds)], shelf=SHIPPED)
    if not isinstance(outcome, Measurement):
        raise RuntimeError(f"{build.slug} on {target}: {outcome.reason}")
    return outcome


def luts(slug: str, width: int, target: str) -> int:
    """Of the default build."""
    return measured(room(slug).build(width), target).area.luts


def microseconds(slug: str) -> float:
    """Median time of a multiplication of 256 bits on ecp5."""
    build = room(slug).build(256)
    timing = measured(build, "ecp5", SHIPPED_SEEDS).timing
    assert timing
    return build.latency / timing.median_mhz


@cache
def lines(paper: str) -> tuple[Line, ...]:
    """The figures of a paper beside ours."""
    return tuple(papers(of_paper(tuple(rooms().values()), paper)))


def span(ratios: Iterable[float | None]) -> tuple[float, float]:
    """The least and the greatest of those that are there."""
    known = [ratio for ratio in ratios if ratio is not None]
    return min(known), max(known)


def table(headings: str, align: str, rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """A table in Markdown: headings and alignments as they stand there, numbers with their commas."""
    yield headings
    yield align
    for row in rows:
        yield f"| {' | '.join(f'{cell:,}' if isinstance(cell, int) else str(cell) for cell in row)} |"


# --- the README ---------------------------------------------------------------------------------


def findings() -> Iterator[str]:
    """What the papers print, and what we find."""
    yield from table(
        "| paper | what | here | printed |",
        "|---|---|--:|--:|",
        (*_javeed(), *_amanor(), *_pinckney(), *_zhang(), *_dai()),
    )


def _ratio(found: Iterable[Line], name: str) -> str:
    least, most = span(line.figure(name).ratio for line in found)
    return f"{least:.2f} to {most:.2f}"


def _javeed() -> Iterator[tuple[str, ...]]:
    yield "`javeed`", "LUTs of each core on Virtex-6, here over printed", _ratio(lines("javeed"), "luts"), "1"
    for radix in (4, 8):
        names = [f"imml_{kind}{radix}" for kind in ("booth", "radix")]
        yield (
            "`javeed`",
            f"{' and '.join(f'`{name}`' for name in names)}, 256 bits: LUTs on Virtex-6",
            ", ".join(f"{luts(name, 256, 'virtex6'):,}" for name in names),
            "–",
        )
        names = [f"{kind}{radix}" for kind in ("imml_booth", "interleaved_booth")]
        yield (
            "`javeed`",
            f"{' and '.join(f'`{name}`' for name in names)}, 256 bits on ECP5: time, µs",
            ", ".join(f"{microseconds(name):.2f}" for name in names),
            "–",
        )


def _amanor() -> Iterator[tuple[str, ...]]:
    slugs = ("montgomery_csa2", "interleaved_csa", "montgomery_csa1")
    printed = {line.room.core.slug: line for line in lines("amanor2005") if line.room and _is_1024(line)}
    shares = [printed[slug].published.slices_percent for slug in slugs]
    yield (
        "`amanor2005`",
        f"{', '.join(f'`{slug}`' for slug in slugs)}, "
        "1024 bits: LUTs in the 4-input fabric; printed: % of the device",
        ", ".join(f"{luts(slug, 1024, 'virtex2'):,}" for slug in slugs),
        ", ".join(f"{share:g}" for share in shares),
    )
    largest = (
        width
        for width in (32, 64, 128, 256, 512, 1024)
        if max(slugs, key=lambda slug: luts(slug, width, "virtex2")) == "interleaved_csa"
    )
    what = "`interleaved_csa` takes the most LUTs of the three, in the 4-input fabric, at these lengths"
    yield "`amanor2005`", what, ", ".join(map(str, largest)) or "none", "–"


def _is_1024(line: Line) -> bool:
    return line.published.width == 1024 and line.published.slices_percent is not None


def booth() -> list[Line]:
    """The rows of Pinckney et al. with an element or a kernel of a Booth design."""
    start = "Parallel radix-4 scalable Booth"
    return [line for line in lines("pinckney2008") if line.published.design.startswith(start)]


def _pinckney() -> Iterator[tuple[str, ...]]:
    for name, figure in (("LUTs", "luts"), ("flip-flops", "ffs")):
        what = f"{name} of an element and of a kernel of both Booth designs, here over printed"
        yield "`pinckney2008`", what, _ratio(booth(), figure), "1"
    slugs = ("scalable_radix4", "scalable_booth4_left")
    for chip, fabric in (("ecp5", "ECP5"), ("virtex2", "the 4-input fabric")):
        what = f"{' and '.join(f'`{slug}`' for slug in slugs)}, 256 bits: LUTs on {fabric}"
        yield "`pinckney2008`", what, ", ".join(f"{luts(slug, 256, chip):,}" for slug in slugs), "–"


def _zhang() -> Iterator[tuple[str, ...]]:
    build = room("fips").build(1024)
    [printed] = (p for p in room("fips").core.origin.published if p.luts and p.width == 1024)
    yield (
        "`zhang2020`",
        "`fips`, 1024 bits: LUTs on Artix-7",
        f"{luts('fips', 1024, 'artix7'):,}",
        f"{printed.luts:,}",
    )
    counts = (build.at((1 << 1024) - 1, square=square).cycles for square in (False, True))
    for (name, count), cycles in zip(
        (("product", PRODUCT_OF_ZHANG), ("square", printed.cycles)), counts, strict=True
    ):
        what = f"`fips`, 1024 bits: cycles of a {name} from the last operand word"
        yield "`zhang2020`", what, f"{cycles:,}", f"{count:,}"


PRODUCT_OF_ZHANG = 2084
"""Cycles of a product of 1024 bits (Section 5.3); the square stands in Table 2."""


def table_6() -> list[Line]:
    """The rows of Table 6 of Dai et al."""
    return [line for line in lines("dai2017") if line.published.table == "6"]


def _dai() -> Iterator[tuple[str, ...]]:
    rows = table_6()
    for what, name in (
        ("cycles in a chain of squares", "cycles"),
        ("LUTs", "luts"),
        ("multiplier blocks", "dsp"),
        ("memory blocks", "bram"),
    ):
        yield "`dai2017`", f"`fmlm3`, Table 6: {what}, here over printed", _ratio(rows, name), "1"
    more = sum(_new_product(line) > (line.published.cycles or 0) for line in rows)
    what = "`fmlm3`, Table 6: rows where a product of two new operands takes more cycles than printed"
    yield "`dai2017`", what, str(more), f"{len(rows)} rows"


def _new_product(line: Line) -> int:
    """Cycles of a product whose operands both come from outside."""
    assert line.room and line.config
    return line.room.core.algorithm.cycles(line.config.running(square=False, chain=False, keep=False))


# --- rooms --------------------------------------------------------------------------------------


def made_of() -> Iterator[str]:
    """What the LUTs of ``rrm`` are at 256 bits on ecp5."""
    area = measured(room("rrm").build(256), "ecp5", SHIPPED_SEEDS).area
    chains = 2 * area.carries  # a CCU2C is two LUTs
    yield from table(
        "| LUTs of `rrm` | memory | carry chains | logic | flip-flops |",
        "|--:|--:|--:|--:|--:|",
        [(area.luts, area.lut_ram, chains, area.luts - area.lut_ram - chains, area.ffs)],
    )


def example() -> Iterator[str]:
    """The steps of 7·9 modulo 11 in base 4."""
    m, y, digits = 11, 9, (3, 1, 0, 0)
    entries = [s * pow(16, -1, m) % m for s in range(4)]
    s = dropped = 0
    rows = []
    for step, x in enumerate(digits):
        before, late, dropped = s, dropped, s % 4
        entry = x * y + entries[late]
        s = before // 4 + entry
        after = f"{before // 4} + {entry} = {s}" if step else str(s)
        rows.append((step, x, late, entry, before, dropped, after))
    headings = "| step | x_i | s' | entry x_i·9 + T[s'] | S before | dropped | S after |"
    yield from table(headings, "|--:|--:|--:|--:|--:|--:|--:|", rows)


def waits(slug: str, *options: Mapping[str, int]) -> Iterator[str]:
    """Times of builds of 256 bits whose context waits."""

    def row(parameters: Mapping[str, int]) -> tuple[object, ...]:
        build = room(slug).build(256, parameters)
        interface = build.core.interface
        name = ", ".join(f"`{name}` = {value}" for name, value in parameters.items()) or "the default"
        assert interface.operand_cycles
        loading = interface.operand_cycles(build.config)[-1] + 1
        return name, build.interval, build.latency, loading, interface.context_wait(build.config)

    headings = "| cycles at 256 bits | interval | latency | loading | the last beat of a context waits |"
    yield from table(headings, "|---|--:|--:|--:|--:|", map(row, options))


def of_fips_literal() -> Iterator[str]:
    """Cycles at every length of Table 1, and at those between."""

    def row(s: int) -> Iterator[int]:
        yield from (s, 32 * s)
        for multipliers in (1, 2):
            build = room("fips_literal").build(2048, {"Multipliers": multipliers})
            for square, binary in ((False, False), (True, False), (True, True)):
                length = 32 * s - binary
                yield build.running(square=square, binary=binary, length=length).cycles

    yield from table(
        "| s | bits | multiplication | square | square in GF(2^m) | two multipliers: multiplication | square "
        "| square in GF(2^m) |",
        f"|{'--:|' * 8}",
        (tuple(row(s)) for s in (1, 2, 3, 4, 8, 16, 24, 32, 40, 48, 56, 64)),
    )


NAMES = {"secp256k1": "secp256k1", "curve25519": "Curve25519", "p256": "P-256"}


def _times(slug: str, name: str, parameters: Mapping[str, int]) -> str:
    """Interval and latency of a build for one prime."""
    prime = modulus(name).value
    build = room(slug).build(prime.bit_length(), {**parameters, "Modulus": prime})
    return f"{build.interval}, {build.latency}"


def of_sparse_prime() -> Iterator[str]:
    """Interval and latency by digit."""
    digits = (1, 2, 4)
    yield from table(
        f"| | {' | '.join(f'k = {digit}' for digit in digits)} |",
        f"|---|{'--:|' * len(digits)}",
        ((NAMES[name], *(_times("sparse_prime", name, {"Digit": d}) for d in digits)) for name in NAMES),
    )


def of_sparse_prime_dsp() -> Iterator[str]:
    """Interval and latency by columns."""

    def row(columns: int) -> Iterator[object]:
        yield from (columns, SparsePrimeDsp(256, columns=columns, modulus=modulus("p256").value).row)
        yield from (_times("sparse_prime_dsp", name, {"Columns": columns}) for name in NAMES)

    yield from table(
        f"| `Columns` | blocks | {' | '.join(NAMES.values())} |",
        f"|{'--:|' * (2 + len(NAMES))}",
        map(row, (2, 4, 8, 0)),
    )


def of_montgomery_dsp() -> Iterator[str]:
    """Blocks and cycles by columns, at 256 bits."""

    def row(columns: int) -> tuple[object, ...]:
        config = MontgomeryDsp(256, word=18 if columns == 1 else 36, columns=columns)
        exact, lazy = (room("montgomery_dsp").of(replace(config, lazy=lazy)) for lazy in (0, 1))
        blocks = 2 * min(config.row, config.steps) + (not config.folded) + config.lanes
        name = f"{columns}, `Word` = 18" if columns == 1 else columns
        return name, blocks, exact.interval, exact.latency, lazy.latency

    yield from table(
        "| `Columns` | blocks | interval, cycles | latency, cycles | with `Lazy` |",
        f"|{'--:|' * 5}",
        map(row, (1, 2, 4, 8, 0)),
    )


def of_long_digits(slug: str) -> Iterator[str]:
    """Area, clock and cycles of the further builds of a core that are shipped on ecp5."""

    def row(width: int, parameters: Mapping[str, int]) -> Iterator[object]:
        found = room(slug)
        build = found.of(found.core.builds.at(width, "ecp5")[0].with_parameters(parameters))
        made = measured(build, "ecp5", SHIPPED_SEEDS)
        assert made.timing
        yield from (", ".join(f"`{name} = {value}`" for name, value in parameters.items()), width)
        yield from (made.area.luts, made.area.dsp, round(made.timing.median_mhz))
        yield from (build.interval, build.latency)

    yield from table(
        "| build | bits | LUTs | blocks | MHz | interval | latency |",
        "|---|--:|--:|--:|--:|--:|--:|",
        (
            row(width, parameters)
            for name, chip, width, parameters in OTHERS
            if (name, chip) == (slug, "ecp5")
        ),
    )


# --- systems ------------------------------------------------------------------------------------


def _named(core: str, parameters: Mapping[str, int]) -> str:
    return ", ".join(
        [f"`{core}`", *(f"`{name} = {shown(name, value)}`" for name, value in parameters.items())]
    )


def steps(
    system: str, width: int, builds: Mapping[str, Mapping[str, int]], but: Mapping[str, int] | None = None
) -> Iterator[str]:
    """The parts of a system's program as it has them, and what they take on some builds.

    Args:
        builds: core and parameters.
        but: only the parts that builds with these parameters do not have.
    """

    def found(core: str, parameters: Mapping[str, int]) -> tuple[Part, ...]:
        config = on(system, core).build(width, parameters).config
        assert isinstance(config, EngineConfig)
        return parts_of(config)

    columns = [found(core, parameters) for core, parameters in builds.items()]
    left_out: set[str] = set()
    if but is not None:
        core, parameters = next(iter(builds.items()))
        left_out = {part.title for part in found(core, {**parameters, **but})}
    rows = []
    for number, (part, *beside) in enumerate(zip(*columns, strict=True), 1):
        assert all(other.title == part.title for other in beside), part.title
        if part.title not in left_out:
            taken = (
                f"{each.cycles:,} ({100 * each.cycles / sum(every.cycles for every in column):.1f} %)"
                for each, column in zip((part, *beside), columns, strict=True)
            )
            rows.append((number, part.title, *taken))
    names = [f"cycles, {_named(core, parameters)}" for core, parameters in builds.items()]
    yield from table(f"| step | operation | {' | '.join(names)} |", f"|--:|---|{'--:|' * len(columns)}", rows)


RSA: tuple[tuple[str, Mapping[str, int]], ...] = (
    ("montgomery_dsp", {}),
    ("fips", {"Word": 64, "Multipliers": 2}),
    ("imml_booth8", {}),
    ("rrm_split", {"Word": 32}),
    ("rrm", {"Word": 32}),
    ("montgomery_csa2", {"Word": 128}),
)
KEYS = (1024, 2048, 3072, 4096)


def rsa_cycles() -> Iterator[str]:
    """Latency of RSA operations."""
    yield from table(
        f"| two lanes | {' | '.join(f'RSA-{width}' for width in KEYS)} |",
        f"|---|{'--:|' * len(KEYS)}",
        (
            (_named(core, options), *(on("rsa_crt", core).build(width, options).latency for width in KEYS))
            for core, options in RSA
        ),
    )


MORE_PRIMES = ((3072, 3), (4096, 4))
"""Lengths of keys of more primes than two, and how many."""


def rsa_primes() -> Iterator[str]:
    """Latency of RSA operations with keys of more primes."""
    heads = [f"RSA-{width}, {primes} primes" for width, primes in MORE_PRIMES]
    yield from table(
        f"| a lane for each prime | {' | '.join(heads)} |",
        f"|---|{'--:|' * len(MORE_PRIMES)}",
        (
            (
                _named(core, options),
                *(
                    on("rsa_crt", core).build(width, {**options, "Primes": primes}).latency
                    for width, primes in MORE_PRIMES
                ),
            )
            for core, options in RSA
        ),
    )


def bare_of_rsa(core: str, parameters: Mapping[str, int]) -> tuple[int, int]:
    """Cycles of the multiplications of a lane alone, and of an RSA operation of 2048 bits."""
    build = on("rsa_crt", core).build(2048, parameters)
    assert isinstance(build.config, EngineConfig)
    return bare(build.config), build.latency


def rsa_shares() -> Iterator[str]:
    """What an RSA operation takes beside its multiplications."""

    def row(core: str, parameters: Mapping[str, int]) -> Sequence[object]:
        alone, taken = bare_of_rsa(core, parameters)
        return _named(core, parameters), taken, alone, f"{100 * (taken / alone - 1):.1f} %"

    yield from table(
        "| RSA-2048 | cycles | of a lane's multiplications | more |",
        "|---|--:|--:|--:|",
        (row(core, parameters) for core, parameters in RSA),
    )


def rsa_asked() -> list[dict[str, Any]]:
    """The shipped builds of RSA's private operation of which something is asked for."""
    rows = []
    for system, core, width, parameters in SYSTEMS:
        if system == "rsa_crt":
            build = on(system, core).build(width, parameters)
            found = shipped(build, "ecp5", SHIPPED_SEEDS) or measured(build, "ecp5")
            rows.append(private(build, parameters, found))
    return [row for row in rows if row["asked"]]


def rsa_beside() -> Iterator[str]:
    """The same beside the cycles of others."""

    def line(row: Mapping[str, Any]) -> Iterator[object]:
        yield row["bits"]
        if "asked" in row:
            yield from (_named(row["core"], row["parameters"]), row["cycles"], row["LUTs"], _short(row["ms"]))
            yield from (row["asked"], row["met"])
        else:
            yield from (f"{row['core']}, {row['parameters']}", row["cycles"], "", "", "", "")

    yield from table(
        "| bits | core | cycles | LUTs | ms | asked for | met |",
        "|--:|---|--:|--:|--:|---|---|",
        map(line, with_others(rsa_asked())),
    )


def share_of_modexp(core: str) -> float:
    """Cycles of an RSA operation of 2048 bits, of those of one power of full length on the same core."""
    return on("rsa_crt", core).build(2048).latency / on("modexp", core).build(2048).latency


def rsa_of_modexp() -> Iterator[str]:
    """The same beside a power of full length."""
    core = "imml_booth8"
    yield from table(
        f"| 2048 bits on `{core}` | cycles | of those of `modexp` |",
        "|---|--:|--:|",
        (
            ("`rsa_crt`", on("rsa_crt", core).build(2048).latency, f"{100 * share_of_modexp(core):.0f} %"),
            ("`modexp`", on("modexp", core).build(2048).latency, "100 %"),
        ),
    )


def powers() -> Iterator[str]:
    """Cycles of the ladder and of windows."""
    yield from table(
        "| 256 bits on `imml_booth4` | cycles |",
        "|---|--:|",
        (
            *(
                (f"`ladder`, `Cores = {n}`", on("ladder", "imml_booth4").build(256, {"Cores": n}).latency)
                for n in (1, 2)
            ),
            ("`modexp`", on("modexp", "imml_booth4").build(256).latency),
        ),
    )


def bare_of_power(core: str, parameters: Mapping[str, int]) -> tuple[int, int, int]:
    """Of a power of 1024 bits: multiplications, their cycles alone, and the cycles of the power."""
    build = on("modexp", core).build(1024, parameters)
    assert isinstance(build.config, EngineConfig)
    return sum(multiplications(build.config)), bare(build.config), build.latency


def on_top() -> Iterator[str]:
    """What ``modexp`` adds to the multiplications of a power."""

    def row(core: str, parameters: Mapping[str, int]) -> Sequence[object]:
        number, alone, taken = bare_of_power(core, parameters)
        return _named(core, parameters), number, alone, taken, f"{100 * (taken / alone - 1):.2g} %"

    yield from table(
        "| 1024 bits | multiplications | their cycles | cycles of the power | more |",
        "|---|--:|--:|--:|--:|",
        (row("imml_booth8", {}), row("montgomery_csa2", {"Word": 128})),
    )


def engine_costs() -> Iterator[str]:
    """What the engine adds to cores on ecp5: LUTs, and cycles of a power. The clock: :func:`clocks`."""

    def row(core: str) -> Sequence[object]:
        both = room(core).build(256), on("modexp", core).build(256)
        alone, whole = (measured(build, "ecp5", SHIPPED_SEEDS) for build in both)
        more = []
        for width in (256, 1024):
            build = on("modexp", core).build(width)
            assert isinstance(build.config, EngineConfig)
            more.append(f"{100 * (build.latency / bare(build.config) - 1):.2g} %")
        small, large = (
            measured(each.build(256, {"Word": NARROW}), "ecp5", ()).area.luts
            for each in (room(core), on("modexp", core))
        )
        luts = alone.area.luts, whole.area.luts - alone.area.luts, large - small
        return f"`{core}`", *luts, *more

    yield from table(
        f"| core | its LUTs | more | more with `Word = {NARROW}` | cycles, 256 bits | cycles, 1,024 bits |",
        "|---|--:|--:|--:|--:|--:|",
        (row(core) for system, core, _, _ in SYSTEMS if system == "modexp"),
    )


def clocks() -> Iterator[str]:
    """Systems placed and routed on ecp5, each beside its core alone with the same parameters."""

    def row(system: str, core: str, width: int, settings: Mapping[str, int]) -> Sequence[object]:
        whole = on(system, core).build(width, settings)
        found = [shipped(build, "ecp5", SHIPPED_SEEDS) for build in (whole, inner(whole))]
        mhz, of_core = (each.timing.median_mhz if each and each.timing else None for each in found)
        set_ = " ".join(f"{name}={shown(name, value)}" for name, value in settings.items())
        named = f"`{core}` `{set_}`" if set_ else f"`{core}`"
        told = (f"{each:.0f}" if each else "–" for each in (of_core, mhz))
        return f"`{system}`", named, f"{width:,}", *told, f"{mhz / of_core:.2f}" if mhz and of_core else "–"

    yield from table(
        "| system | core | bits | MHz of the core | MHz | ratio |",
        "|---|---|--:|--:|--:|--:|",
        (row(*of) for of in SYSTEMS),
    )


def of_orders() -> Iterator[str]:
    """Cycles of the program ``x25519`` as its text has the rows, and in the order that is found."""
    prime, text = modulus("curve25519").value, read_program("x25519")[1]
    registers = assemble(text).places

    def row(core: str) -> Sequence[object]:
        described, found = program(text, core)
        schedule = described.schedule(found.build(255, {}, prime).config.at(prime))
        above = 100 * (schedule.cycles / schedule.bound - 1)
        return f"`{core}`", schedule.written, schedule.cycles, f"{above:.1f} %", schedule.places

    yield from table(
        f"| core | as written, cycles | arranged | above the bound | places of {registers} registers |",
        "|---|--:|--:|--:|--:|",
        map(row, ("rrm", "sparse_prime", "fips", "montgomery_dsp")),
    )


def inverses() -> Iterator[str]:
    """Cycles of the programs that invert, at 256 bits."""
    prime = modulus("p256").value

    def row(name: str, moduli: str) -> Sequence[object]:
        cycles = []
        for core in ("rrm", "montgomery_dsp"):
            _, found = program(read_program(name)[1], core)
            cycles.append(found.build(256, {}, prime).latency)
        return f"`{name}`", moduli, *cycles

    yield from table(
        "| program | M | cycles on `rrm` | cycles on `montgomery_dsp` |",
        "|---|---|--:|--:|",
        (row("inverse", "prime"), row("odd_inverse", "odd"), row("safegcd", "odd")),
    )


CURVE_NAMES = {"p256": "P-256", "p384": "P-384", "sm2": "SM2", "x25519": "X25519", "ed25519": "Ed25519"}
CURVE_NAMES |= {
    f"{letter}{degree}": f"{letter.upper()}-{degree}"
    for letter in "bk"
    for degree in (163, 233, 283, 409, 571)
}
ON_CURVES = tuple(
    build
    for build in CURVE_BUILDS
    if build[0] in CURVE_NAMES
    and build[1]
    in ("rrm_split", "montgomery_dsp", "sparse_prime_dsp", "pipelined", "gf2m_serial", "gf2m_fixed")
)


def of_curves() -> Iterator[str]:
    """Cycles of k P, area and clock of builds for a curve on ecp5."""

    def row(name: str, core: str, parameters: Mapping[str, int]) -> Iterator[object]:
        found = multiple(name, core, parameters, shipped=True)
        yield from (CURVE_NAMES[name], _named(core, parameters))
        yield from (found[each] for each in ("cycles", "blinded", "by a factor", "no order goes below"))
        yield from (_asked(found["asked"]), found["met"], found["LUTs"] or "", found["FFs"] or "")
        yield from (_short(found[each]) for each in ("MHz", "ms as it is", "ms"))
        yield found["others"]

    yield from table(
        "| curve | core | cycles | blinded | by a factor | no order goes below | asked for | met "
        "| LUTs | FFs | MHz | ms | ms, blinded | others |",
        "|---|---|--:|--:|--:|--:|---|---|--:|--:|--:|--:|--:|---|",
        (row(*build) for build in ON_CURVES),
    )


def _asked(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{told(value)} {name}" for name, value in figures.items())


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


def of_batches() -> Iterator[str]:
    """Cycles of k P with several scalars at a time, and area and clock of the engine."""

    def row(name: str, core: str, parameters: Mapping[str, int]) -> Iterator[object]:
        found = batch(name, core, parameters, shipped=True)
        yield from (CURVE_NAMES[name], _named(core, found["parameters"]), found["scalars"])
        yield from (found[each] for each in ("cycles", "cycles each", "no order goes below"))
        yield from (_asked(found["asked"]).replace("k P", "k·P"), found["met"])
        yield from (found["LUTs"] or "", _short(found["MHz"]), _rounded(found["k P a second"]))
        yield found["others"]

    yield from table(
        "| curve | core | scalars | cycles | for each | no order goes below | asked for | met "
        "| LUTs | MHz | k·P a second | others |",
        "|---|---|--:|--:|--:|--:|---|---|--:|--:|--:|---|",
        (row(*build) for build in BATCHES),
    )


def of_eddsa() -> Iterator[str]:
    """Signatures and verifications by Ed25519 a second."""

    def row(name: str, core: str, parameters: Mapping[str, int]) -> Iterator[object]:
        found = eddsa(name, core, parameters, shipped=True)
        yield from (_named(core, found["parameters"]), found["scalars"], found["cycles"])
        yield from (found["LUTeq"] or "", _short(found["MHz"]))
        for each in ("signatures/s", "blinded", "verifications/s"):
            yield _rounded(found[each])
        yield from (_rounded(found[f"{each}, kLUTeq"]) for each in ("signatures/s", "verifications/s"))
        yield found["others"]

    yield from table(
        "| Ed25519 on | scalars | cycles | LUTeq | MHz | signatures a second | with k blinded "
        "| verifications a second | signatures, per kLUTeq | verifications, per kLUTeq | others |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|",
        (row(*build) for build in EDDSA_BUILDS),
    )


def _rounded(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def of_two_points() -> Iterator[str]:
    """Cycles of u G + v P beside those of two products."""

    def row(name: str, core: str, parameters: Mapping[str, int]) -> Iterator[object]:
        found, one = both(name, core, parameters), multiple(name, core, parameters)
        yield from (CURVE_NAMES[name], _named(core, parameters))
        yield from (found["cycles"], 2 * one["cycles"], 2 * one["blinded"])
        yield found["no order goes below"]

    yield from table(
        "| curve | core | u·G + v·P, cycles | two multiples | the same, blinded | no order goes below |",
        "|---|---|--:|--:|--:|--:|",
        (row(*build) for build in BOTH_BUILDS),
    )


def spectral_powers() -> Iterator[str]:
    """Cycles of a multiplication in a power on ``fmlm3``, beside those that are printed for a chained one."""
    printed = {
        line.options["Butterflies"]: line
        for line in room("fmlm3").core.origin.published
        if line.table == "6" and line.width == 1024 and line.options["Transform"] == 64
    }

    def row(butterflies: int) -> Sequence[object]:
        build = on("modexp", "fmlm3").build(1024, {"Butterflies": butterflies})
        assert isinstance(build.config, EngineConfig)
        each = build.latency / sum(multiplications(build.config))
        line = printed[butterflies]
        return butterflies, round(each), line.cycles, f"{line.time_us:.2f}"

    yield from table(
        "| butterflies | cycles of a multiplication, 1024 bits | printed, chained | printed, µs |",
        f"|{'--:|' * 4}",
        (row(1), row(2)),
    )


def constants() -> Iterator[str]:
    """How long the last beat waits where the hardware computes R mod M and R² mod M."""
    build = on("ladder", "montgomery_csa2").build(256, {"ComputeR2": 1})
    yield from table(
        "| `ladder` on `montgomery_csa2`, 256 bits, `ComputeR2 = 1` | cycles |",
        "|---|--:|",
        (
            ("the last beat of a context waits at most", build.core.interface.context_wait(build.config)),
            ("a power", build.latency),
        ),
    )


# --- examples -----------------------------------------------------------------------------------


def example_of(name: str) -> ModuleType:
    """The Python file of an example, by its name."""
    spec = spec_from_file_location(name, ROOT / f"examples/{name}/{name}.py")
    assert spec and spec.loader
    found = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def of_ntt() -> Iterator[str]:
    """Cycles of a transform by its points."""
    ntt = example_of("ntt")
    rows = (
        (name, 1 << k, ntt.cycles(k, ntt.FIELDS[name]))
        for name, k in (
            *(("ml-kem", 8), ("ml-dsa", 8), ("falcon", 10)),
            *((name, k) for name in ("koalabear", "babybear", "goldilocks") for k in (10, 16)),
        )
    )
    yield from table("| prime | N | cycles |", "|---|--:|--:|", rows)


def of_msm() -> Iterator[str]:
    """Cycles of the bucket loop by its points."""
    msm = example_of("msm")

    def rows() -> Iterator[tuple[object, ...]]:
        for name in ("bls12-377", "bn254"):
            for k, window in ((10, 8), (12, 9), (14, 11)):
                build = msm.Build(msm.CURVES[name], window)
                begun, whole = msm.cycles(build, k)
                digits = build.windows << k
                yield name, build.latency, 1 << k, build.windows, build.buckets, digits, begun - digits, whole

    yield from table(
        "| curve | latency | points | W | buckets | digits | lost | cycles |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
        rows(),
    )


# --- the files ----------------------------------------------------------------------------------


def accuracy() -> Iterator[str]:
    """How far the estimates of ``modmul choose`` are from left-out records, over all cores and chips."""
    errors: dict[tuple[str, str], list[float]] = {}
    for point in Costs().errors():
        errors.setdefault((point.how, point.quantity), []).append(point.error)
    return table(
        "| estimate | of | records left out | median error | 9 of 10 within | worst |",
        "|---|---|--:|--:|--:|--:|",
        (
            (how, quantity, len(found), *(f"{100 * each:.0f} %" for each in _spread(found)))
            for (how, quantity), found in sorted(errors.items())
        ),
    )


def _spread(errors: Sequence[float]) -> tuple[float, float, float]:
    """The median, the ninth decile and the largest."""
    ordered = sorted(errors)
    return median(ordered), ordered[ceil(0.9 * len(ordered)) - 1], ordered[-1]


# --- others' cores ------------------------------------------------------------------------------


def binary_peers(target: str) -> Iterator[str]:
    """Multipliers of others in GF(2^m), and behind those of a width the best of ours, on a chip.

    Area × time is in LUTeq·µs where the chip has open tools to place and route, elsewhere in LUTeq·cycles.
    Behind it in brackets: how many times that of the best of ours.
    """
    chip = CHIPS[target]
    unit = "µs" if chip.route else "cycles"

    def costs(row: Row) -> list[float]:
        assert row.lut_equivalents and (row.fmax_mhz or not chip.route)
        return [row.lut_equivalents * cycles / (row.fmax_mhz or 1) for cycles in (row.interval, row.latency)]

    def cells(row: Row, name: str, best: Sequence[float]) -> Iterator[object]:
        yield from (row.width, name, row.luts, "–" if row.fmax_mhz is None else round(row.fmax_mhz))
        yield from (row.seeds or "–", row.interval, row.latency)
        yield from (f"{own:,.0f} ({own / least:.2f})" for own, least in zip(costs(row), best, strict=True))

    def rows() -> Iterator[Iterator[object]]:
        for width in FIELDS_PLACED:
            ours = list(of_binary(width, target))
            best = [min(values) for values in zip(*map(costs, ours), strict=True)]
            for each in others(chip, width, fields=(BINARY_FIELD,)):
                row = each.row()
                source = f"[{each.repository}]({each.checkout.url}) at {each.commit[:12]}"
                licence = each.licence or "no licence named"
                yield cells(row, f"{_named(row.core, _chosen(row))} of {source}, {licence}", best)
            for row in ours:
                if any(own == least for own, least in zip(costs(row), best, strict=True)):
                    yield cells(row, _named(row.core, _chosen(row)), best)

    yield from table(
        "| bits | core | LUTs | MHz, median | seeds | interval | latency "
        f"| LUTeq·{unit}, from one result to the next | LUTeq·{unit}, from operands to result |",
        "|--:|---|--:|--:|--:|--:|--:|--:|--:|",
        rows(),
    )


def of_binary(width: int, target: str) -> Iterator[Row]:
    """The shipped builds of a width that compute in GF(2^m) alone, on a chip; where it has tools, placed."""
    chip = CHIPS[target]
    seeds = SHIPPED_SEEDS if chip.route else ()
    for found in rooms().values():
        if PRIME_FIELD in found.build(width).config.fields:
            continue
        for record in SHIPPED.records(found.core.slug):
            parameters = dict(record.parameters)
            if (record.target, parameters.pop("Width")) == (target, width) and (record.fmax_mhz or not seeds):
                build = found.build(width, parameters)
                yield row_of(build, Weights.of(chip), None, 0, measured(build, target, seeds))


def _chosen(row: Row) -> dict[str, int]:
    """The parameters of a row but the polynomial."""
    return {name: value for name, value in row.config.items() if name != "Modulus"}


@cache
def parts() -> dict[Path, dict[str, list[str]]]:
    """The lines of each part of a file that is made here."""
    folders = {name: folder / "README.md" for name, (_, folder) in systems().items()}
    pages = {slug: found.path / "README.md" for slug, found in rooms().items()}
    made: dict[Path, dict[str, Iterable[str]]] = {
        ROOT / "README.md": {"findings": findings()},
        ROOT / "docs/rrm.md": {"example": example(), "luts": made_of()},
        ROOT / "examples/msm/README.md": {"cycles": of_msm()},
        ROOT / "examples/ntt/README.md": {"cycles": of_ntt()},
        ROOT / "docs/engine.md": {
            "costs": engine_costs(),
            "clocks": clocks(),
            "orders": of_orders(),
            "inverses": inverses(),
        },
        ROOT / "docs/curves.md": {
            "multiples": of_curves(),
            "batches": of_batches(),
            "eddsa": of_eddsa(),
            "both": of_two_points(),
        },
        ROOT / "docs/systems.md": {"constants": constants()},
        ROOT / "docs/choosing.md": {"accuracy": accuracy()},
        folders["rsa_crt"]: {
            "steps": steps("rsa_crt", 2048, {"rrm": {"Word": 32}, "fips": {"Word": 64, "Multipliers": 2}}),
            "more": steps("rsa_crt", 3072, {"rrm": {"Word": 32, "Primes": 3}}, {"Primes": 2}),
            "cycles": rsa_cycles(),
            "primes": rsa_primes(),
            "shares": rsa_shares(),
            "asked": rsa_beside(),
            "modexp": rsa_of_modexp(),
        },
        folders["ladder"]: {"steps": steps("ladder", 256, {"rrm": {}}), "cycles": powers()},
        folders["modexp"]: {
            "steps": steps("modexp", 256, {"rrm": {}}),
            "cycles": on_top(),
            "spectral": spectral_powers(),
        },
        ROOT / "examples/peers/README.md": {
            "binary": [*binary_peers("ecp5"), "", *binary_peers("artix7")],
        },
        pages["rrm"]: {"waits": waits("rrm", {}, {"Lazy": 1}, {"Banks": 2})},
        pages["rrm_split"]: {"waits": waits("rrm_split", {})},
        pages["fips_literal"]: {"cycles": of_fips_literal()},
        pages["sparse_prime"]: {"cycles": of_sparse_prime()},
        pages["sparse_prime_dsp"]: {
            "cycles": of_sparse_prime_dsp(),
            "digits": of_long_digits("sparse_prime_dsp"),
        },
        pages["montgomery_dsp"]: {"cycles": of_montgomery_dsp(), "digits": of_long_digits("montgomery_dsp")},
    }
    return {file: {name: list(found) for name, found in each.items()} for file, each in made.items()}
