# SPDX-License-Identifier: Apache-2.0
"""``make readme``: writes what READMEs and the rooms' EVIDENCE.md tell of the shipped measurements."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from textwrap import wrap

import devices
import figures
import matplotlib as mpl
import signoff
from labels import label_offsets, log_range
from matplotlib.figure import Figure

from modmul.core import Config, Function, modulus_text
from modmul.measure import CHIPS, SHIPPED, SHIPPED_SEEDS, Job, Measurement, measure
from modmul.moduli.named import shown, title_of
from modmul.registry import (
    DEFAULT_WIDTH,
    PRIME_FIELD,
    Build,
    choose_rooms,
    on,
    room,
    rooms,
    systems,
    too_large,
)
from modmul.room import CORES
from modmul.study.columns import ROW_COLUMNS
from modmul.study.evidence import page
from modmul.study.facts import Facts, facts
from modmul.study.measuring import Tools
from modmul.study.measuring import measure as side_by_side
from modmul.study.others import COST, Other, times_better
from modmul.study.others import others as of_others
from modmul.study.rows import UNREDUCED_MEANS, Row
from modmul.study.shipping import OTHERS, SMALL, SYSTEMS, WAITING, WIDTHS, missing, wanted
from modmul.tools.blocks import filled

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PICTURES = {
    ROOT / f"docs/cores-{name}.svg": colours
    for name, colours in (
        (
            "light",
            {
                "ink": "#222222",
                "grid": "#dddddd",
                "plain": "#1f5a94",
                "montgomery": "#b3541e",
                "others": "#3d7a3d",
            },
        ),
        (
            "dark",
            {
                "ink": "#e6e6e6",
                "grid": "#444444",
                "plain": "#7fb4ea",
                "montgomery": "#f0a070",
                "others": "#8fce8f",
            },
        ),
    )
}
KINDS = {
    "montgomery": ("Montgomery product", "o"),
    "plain": ("x·y mod M", "o"),
    "others": ("others' cores, measured here", "D"),
}
"""What the picture shows: name and mark."""
TARGET = CHIPS["ecp5"]
SIZE = (860, 480)  # px


def rows() -> list[Row]:
    """Every configuration at 256 bits of every core that ecp5 holds, the best first.

    Raises:
        RuntimeError: a record is missing or stale.
    """
    if stale := missing(wanted()):
        raise RuntimeError(f"'make measurements' first: {', '.join(str(job.design) for job in stale)}")
    held = choose_rooms(None, TARGET.name, DEFAULT_WIDTH)
    builds = [build for held_room in held for build in held_room.fitting(DEFAULT_WIDTH)]
    return side_by_side(builds, TARGET, tools=Tools(look_up=True)).ranked


# --- the tables ---------------------------------------------------------------------------------


MEASURED = (
    *("cycles", "interval", "luts", "ffs", "dsp", "bram"),
    *("fmax_mhz", "time_us", "area_time_per_bit"),
)
"""What the measured table shows."""


def unbeaten(found: Sequence[Row]) -> list[Row]:
    """Those with reduced results that none is as small, quick and frequent as, and better in one of these.

    A build for one modulus beats no build that serves others, and what computes in GF(2^m) alone is left out.
    """

    def costs(row: Row) -> tuple[float, float, float]:
        return area(row), time(row), rate(row)

    def beats(one: Row, other: Row) -> bool:
        if open_to_many(other) and not open_to_many(one):
            return False
        pairs = list(zip(costs(one), costs(other), strict=True))
        return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)

    known = [
        row for row in of_integers(found) if row.reduced and row.fmax_mhz is not None and row.luts is not None
    ]
    return [row for row in known if not any(beats(other, row) for other in known)]


def measured(found: Sequence[Row]) -> Iterator[str]:
    """The lines of a table of measurements."""
    columns = [column for column in ROW_COLUMNS if column.key in MEASURED]
    yield f"| Core | {' | '.join(column.title for column in columns)} |"
    yield f"|---|{'--:|' * len(columns)}"
    for row, *texts in zip(found, *(column.texts(found) for column in columns), strict=True):
        yield f"| {link(row)} | {' | '.join(texts)} |"


def all_measured(found: Sequence[Row]) -> Iterator[str]:
    """The same of every build, for a page in ``docs``, and what is not in it."""
    integers, binary = of_integers(found), of_polynomials(found)
    yield from (line.replace("](src/", "](../src/") for line in measured(integers))
    yield ""
    yield "Those that compute in GF(2^m) alone:"
    yield ""
    yield from (line.replace("](src/", "](../src/") for line in measured(binary))
    yield ""
    if not all(row.reduced for row in found):
        yield from wrap(f"{UNREDUCED_MEANS}. Such builds stand behind the others.", 120)
        yield ""
    for each, reason in too_large(TARGET.name, DEFAULT_WIDTH).items():
        page = room_page(each.core.slug).replace("](src/", "](../src/")
        yield from wrap(f"Not in the table: {page}, for {reason}.", 120)


def link(row: Row) -> str:
    """The core's name with its room, its parameters where they are not the default's, and its mark."""
    return " ".join(filter(None, (room_page(row.core), *others(row), row.mark)))


def room_page(slug: str) -> str:
    """A core's name with its room's README."""
    return f"[`{slug}`]({(room(slug).path / 'README.md').relative_to(ROOT).as_posix()})"


def others(row: Row) -> list[str]:
    """The parameters that are not the default's."""
    return [
        f"`{name}={shown(name, value)}`" for name, value in row.config.items() if default(row)[name] != value
    ]


def default(row: Row) -> dict[str, int]:
    """The parameters of the default configuration of a row's core."""
    return room(row.core).build(row.width).config.options()


Wish = tuple[str, Callable[[Row], bool], Callable[[Row], float]]


def area_time(row: Row) -> float:
    """LUT-equivalents · µs."""
    return row.rank[0]


def area(row: Row) -> float:
    """LUT-equivalents."""
    return row.lut_equivalents or math.inf


def time(row: Row) -> float:
    """Of one multiplication, µs."""
    return row.time_us or math.inf


def rate(row: Row) -> float:
    """Multiplications per µs, as a cost."""
    return -(row.throughput_mops or 0)


EVERY = Function().moduli
"""What a core says that serves every modulus."""


def open_to_many(row: Row) -> bool:
    """Whether a build serves more than one modulus."""
    return not build(row).one_modulus


def of_integers(found: Sequence[Row]) -> list[Row]:
    """The rows of builds that compute in GF(p); a product in GF(2^m) costs a fraction of one there."""
    return [row for row in found if PRIME_FIELD in build(row).fields]


def of_polynomials(found: Sequence[Row]) -> list[Row]:
    """The others, of builds that compute in GF(2^m) alone."""
    return [row for row in found if PRIME_FIELD not in build(row).fields]


def plain_and_open(row: Row) -> bool:
    """Whether it gives the product itself, too."""
    return open_to_many(row) and not build(row).montgomery


def reduced(row: Row) -> bool:
    """Whether it serves more than one modulus, with results below it."""
    return open_to_many(row) and build(row).reduced


def without_blocks(row: Row) -> bool:
    """The same without multiplier blocks."""
    return reduced(row) and not row.dsp


def every(row: Row) -> bool:
    """Whether it serves every modulus."""
    return build(row).moduli == EVERY


def plain_and_fixed(row: Row) -> bool:
    """Whether it gives the product itself for one modulus."""
    return build(row).one_modulus and not build(row).montgomery


WISHES: tuple[Wish, ...] = (
    ("the least area × time (any odd M, results below M)", reduced, area_time),
    ("the same in chains, where results may be above M", open_to_many, area_time),
    ("the shortest time of one multiplication", reduced, time),
    ("the same in chains, where results may be above M", open_to_many, time),
    ("the shortest time without multiplier blocks", without_blocks, time),
    ("the most multiplications a second", reduced, rate),
    ("the most a second without multiplier blocks", without_blocks, rate),
    ("the fewest LUTs without multiplier blocks (any odd M, results below M)", without_blocks, area),
    ("x·y mod M itself, with the least area × time", plain_and_open, area_time),
    ("the same for every M, even or short", every, area_time),
    ("the same with the shortest time", every, time),
    ("x·y mod M for one M that the build fixes", plain_and_fixed, area_time),
    ("the same without multiplier blocks", lambda row: plain_and_fixed(row) and not row.dsp, area_time),
    ("the length of the operands chosen at run time", lambda row: build(row).length_at_run_time, area_time),
    ("GF(2^m) beside GF(p)", lambda row: len(build(row).fields) > 1, area_time),
)
"""What people look for at 256 bits: in words, which builds have it, and which of these is the best.

A build for one modulus is only told of where that is what somebody looks for.
"""

BINARY_WISHES: tuple[Wish, ...] = (
    ("GF(2^m) alone, for any polynomial", open_to_many, area_time),
    ("the same for one polynomial that the build fixes", plain_and_fixed, area_time),
    ("a product every cycle there", lambda row: row.interval == 1, area_time),
)
"""The same of what computes in GF(2^m) alone."""


def needs(found: Sequence[Row]) -> Iterator[str]:
    """The lines of the table of needs, best first where frequencies do not tell cores apart."""
    yield "| you want | take | it gives | for moduli | LUTs | time |"
    yield "|---|---|---|---|--:|--:|"
    integers, binary = of_integers(found), of_polynomials(found)
    for kind, wishes in ((integers, WISHES), (binary, BINARY_WISHES)):
        yield from _needs(kind, wishes)


def _needs(found: Sequence[Row], wishes: Sequence[Wish]) -> Iterator[str]:
    for wish, has, cost in wishes:
        ranked = sorted((row for row in found if row.time_us and has(row)), key=cost)
        best = ranked[0]
        for row in ranked:
            if row is best or (cost is not area and close(cost(best), cost(row), best, row)):
                known = build(row)
                gives = "x·y·R⁻¹ mod M" if known.montgomery else "x·y mod M"
                if not known.reduced:
                    gives += f" (up to {known.results})"
                blocks = f", {row.dsp} DSP, {row.bram} RAM18" if row.dsp or row.bram else ""
                first = wish if row is best else "or"
                yield (
                    f"| {first} | {link(row)} | {gives} | {moduli(row)} | {row.luts:,}{blocks} | "
                    f"{row.time_us:.2f} µs |"
                )


def close(one: float, other: float, *rows: Row) -> bool:
    """Whether two costs differ by no more than the frequencies of a core among the seeds."""
    spread = max((row.fmax_spread_mhz or 0) / (row.fmax_mhz or 1) for row in rows)
    return abs(other / one - 1) <= spread


def build(row: Row) -> Facts:
    """What there is to say of a row's build."""
    return facts(room(row.core).of(config_of(row)))


def config_of(row: Row) -> Config:
    """The configuration of a row."""
    [config] = [each for each in room(row.core).core.builds.at(row.width) if each.options() == row.config]
    return config


def moduli(row: Row) -> str:
    """Those that a row's build serves, a single one by its name."""
    core = room(row.core).core
    only = core.function.only_modulus(config_of(row))
    return core.function.moduli if only is None else shown("Modulus", only)


def cores() -> Iterator[str]:
    """The lines of the table of cores."""
    yield "| core | what it is | from | [signed off](docs/verification.md) |"
    yield "|---|---|---|---|"
    for each in rooms().values():
        core = each.core
        origin = (
            f"{core.origin.citation}: {core.origin.where}"
            if core.origin.paper
            else f"[{core.origin.where}]({core.origin.where})"
        )
        done = ", ".join(signoff.complete(core.slug))
        yield f"| {room_page(core.slug)} | {core.title} | {origin} | {done} |"


# --- the tables of rooms and systems ------------------------------------------------------------


def clock(found: Sequence[Row]) -> Iterator[str]:
    """Those of Pinckney et al., the fastest product first."""
    family = [row for row in found if room(row.core).core.origin.paper == "pinckney2008"]
    yield "| | p | interval | latency | LUTs | MHz, median (spread) | time of a product |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for row in sorted(family, key=time):
        yield (
            f"| `{row.core}` | {row.config['Pes']} | {row.interval} | {row.latency} | {row.luts:,} | "
            f"{row.fmax_mhz:.1f} ({row.fmax_spread_mhz:.1f}) | {row.time_us:.2f} µs |"
        )


def best(found: Sequence[Row], *slugs: str) -> Iterator[str]:
    """Cores of no paper beside the best core of a paper in their domain."""
    own = [row for row in found if row.core in slugs]
    first = next(row for row in found if room(row.core).core.origin.paper and row.domain == own[0].domain)
    yield (
        "| | LUTs | interval, cycles | latency, cycles | MHz, median (spread) | LUTs · interval, LUT·µs "
        "| latency, µs |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for row in (*own, first):
        name = " ".join(filter(None, (f"`{row.core}`", *others(row), row.mark)))
        yield (
            f"| {name} | {row.luts:,} | {row.interval} | {row.latency} | {row.fmax_mhz:.1f} "
            f"({row.fmax_spread_mhz:.1f}) | {(row.luts or 0) / (row.throughput_mops or 1):,.0f} | "
            f"{row.time_us:.2f} |"
        )


def builds(slug: str, found: Sequence[Row]) -> Iterator[str]:
    """Those of a core, with the time from one product to the next."""
    yield (
        "| build | LUTs | blocks | interval, cycles | latency, cycles | MHz, median (spread) "
        "| LUTeq · interval, LUTeq·µs | interval, µs | latency, µs |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for row in found:
        if row.core != slug:
            continue
        interval = 1 / (row.throughput_mops or 1)
        name = " ".join(filter(None, (*(others(row) or ["the default"]), row.mark)))
        yield (
            f"| {name} | {row.luts:,} | {row.dsp} | {row.interval} | {row.latency} | "
            f"{row.fmax_mhz:.1f} ({row.fmax_spread_mhz:.1f}) | {area(row) * interval:,.0f} | "
            f"{interval:.3f} | {row.time_us:.2f} |"
        )


def _costs(build: Build) -> str:
    """The cells of a shipped build on ecp5: LUTs, interval, clock, area times time, latency."""
    [(_, outcome)] = measure([Job(build.design, TARGET, SHIPPED_SEEDS)], shelf=SHIPPED)
    assert isinstance(outcome, Measurement) and outcome.timing
    luts, mhz, spread = outcome.area.luts, outcome.timing.median_mhz, outcome.timing.spread_mhz
    return (
        f"{luts:,} | {build.interval} | {mhz:.1f} ({spread:.1f}) | {luts * build.interval / mhz:,.0f} | "
        f"{build.latency / mhz:.2f}"
    )


def widths() -> Iterator[str]:
    """The shipped builds of cores at several widths on ecp5."""
    yield "| | bits | LUTs | interval | MHz, median (spread) | LUTs · interval, LUT·µs | latency, µs |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for slug, width in WIDTHS:
        yield f"| `{slug}` | {width:,} | {_costs(room(slug).fitting(width)[0])} |"


def fixed(slug: str) -> Iterator[str]:
    """The shipped builds of a core for one modulus each on ecp5, beside that for any."""
    yield "| M | LUTs | interval | MHz, median (spread) | LUTs · interval, LUT·µs | latency, µs |"
    yield "|---|--:|--:|--:|--:|--:|"
    yield f"| any | {_costs(room(slug).build(256))} |"
    for core, chip, width, parameters in OTHERS:
        if (core, chip, width) == (slug, TARGET.name, 256):
            modulus = parameters["Modulus"]
            name = title_of(modulus) or modulus_text(modulus)
            yield f"| {name} | {_costs(room(slug).build(width, parameters))} |"


def small(slug: str) -> Iterator[str]:
    """The shipped builds of a core for small primes, on three chips."""
    yield "| prime | bits | chip | LUTs | FFs | blocks | latency, cycles | MHz, median (spread) |"
    yield "|---|--:|---|--:|--:|--:|--:|--:|"
    for width in SMALL[slug]:
        for name in ("artix7", "ultrascaleplus", "ecp5"):
            for each in room(slug).fitting(width, chip=name):
                seeds = SHIPPED_SEEDS if CHIPS[name].route else ()
                [(_, outcome)] = measure([Job(each.design, CHIPS[name], seeds)], shelf=SHIPPED)
                assert isinstance(outcome, Measurement)
                area, timing = outcome.area, outcome.timing
                modulus = each.core.function.only_modulus(each.config)
                prime = "any" if modulus is None else title_of(modulus) or modulus_text(modulus)
                mhz = f"{timing.median_mhz:.1f} ({timing.spread_mhz:.1f})" if timing else "–"
                yield (
                    f"| {prime} | {width} | `{name}` | {area.luts:,} | {area.ffs:,} | {area.dsp} "
                    f"| {each.latency} | {mhz} |"
                )


def placed(system: str) -> Iterator[str]:
    """The shipped builds of a system on ecp5."""
    yield "| core | bits | LUTs | FFs | DSP | RAM18 | MHz | cycles | ms |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name, core, width, settings in SYSTEMS:
        if name != system:
            continue
        build = on(system, core).build(width, settings)
        seeds = () if (system, core, width) in WAITING else SHIPPED_SEEDS
        [(_, outcome)] = measure([Job(build.design, TARGET, seeds)], shelf=SHIPPED)
        assert isinstance(outcome, Measurement)
        area, timing, latency = outcome.area, outcome.timing, build.latency
        mhz = f"{timing.median_mhz:.0f} ({timing.spread_mhz:.0f})" if timing else "–"
        took = f"{latency / timing.median_mhz / 1000:.2f}" if timing else "–"
        label = ", ".join([f"`{core}`", *(f"`{key} = {value}`" for key, value in settings.items())])
        yield (
            f"| {label} | {width:,} | {area.luts:,} | {area.ffs:,} | {area.dsp} | {area.bram} "
            f"| {mhz} | {latency:,} | {took} |"
        )


def members(name: str, found: Sequence[Row]) -> Iterator[str]:
    """The cores of a wing at 256 bits on ecp5; those without a build there have a line without figures."""
    yield "| core | what it is | moduli | domain | interval, cycles | LUTs | DSP | MHz, median | time, µs |"
    yield "|---|---|---|---|--:|--:|--:|--:|--:|"
    for each in rooms().values():
        if each.wing != name:
            continue
        core = each.core
        page, shown = (
            f"[`{core.slug}`]({core.slug}/README.md)",
            [row for row in found if row.core == core.slug],
        )
        for row in shown:
            label = " ".join(filter(None, (page, *others(row), row.mark)))
            mhz = f"{row.fmax_mhz:.1f}" if row.fmax_mhz else "–"
            time_us = f"{row.time_us:.2f}" if row.time_us else "–"
            yield (
                f"| {label} | {core.title} | {moduli(row)} | {row.domain} | {row.interval:,} | "
                f"{row.luts:,} | {row.dsp or 0} | {mhz} | {time_us} |"
            )
        if not shown:
            known = facts(each.build(DEFAULT_WIDTH))
            domain = "montgomery" if known.montgomery else "plain"
            yield (
                f"| {page} | {core.title} | {known.moduli} | {domain} | {known.interval:,} | – | – | – | – |"
            )


def wings() -> dict[str, Path]:
    """The name of each wing and its page."""
    found = sorted({each.wing for each in rooms().values() if each.wing})
    return {name: CORES / name / "README.md" for name in found}


# --- others' cores --------------------------------------------------------------------------------


def known_others() -> list[Other]:
    """Cores of others that were measured on the chip and at the width of the tables."""
    return of_others(TARGET, DEFAULT_WIDTH)


def rivals(found: Sequence[Row]) -> list[Row]:
    """Ours beside them: reduced results, and for more than one modulus."""
    return [row for row in of_integers(found) if row.reduced and open_to_many(row)]


def beside(found: Sequence[Row]) -> Iterator[str]:
    """How many times the best of others costs what the best of ours does, in a sentence each."""
    theirs = {each.record.design: each for each in known_others()}
    for cost in COST:
        best = times_better(cost, rivals(found), [each.row() for each in theirs.values()])
        if best is None:
            raise RuntimeError("no core of somebody else was measured: 'make peers PEERS=DIR'")
        times, ours, other = best
        name = f"[`{other.core}`](examples/peers/{other.core}) of {theirs[other.core].repository}"
        yield from wrap(
            f"- {cost.name[0].upper()}{cost.name[1:]}: {link(ours)} takes {cost.of(ours):,.0f} LUTeq·µs; "
            f"the best of the others, {name}, {cost.of(other):,.0f}, **{times:.1f} times** as many.",
            120,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )


def peers(found: Sequence[Row]) -> Iterator[str]:
    """The table of others' cores, and behind them the best of ours."""
    headings = ("core", "commit", "licence", "LUTs", "DSP", "Fmax, MHz", "seeds", "interval", "latency")
    yield f"| {' | '.join((*headings, *(f'LUTeq·µs, {cost.name}' for cost in COST)))} | z up to |"
    yield f"|---|---|---|{'--:|' * 8}---|"
    for each in known_others():
        row = each.row()
        name = f"[`{row.core}`]({row.core}) of [{each.repository}]({each.checkout.url})"
        yield _peer(row, name, each.commit[:12], each.licence or "none named")
    ours = rivals(found)
    best = [known[1] for cost in COST if (known := times_better(cost, ours, ours))]
    for row in {row.label: row for row in best}.values():
        yield _peer(row, link(row).replace("](src/", "](../../src/"), "this", "Apache-2.0")


def _peer(row: Row, name: str, commit: str, licence: str) -> str:
    numbers = (row.luts or 0, row.dsp or 0, round(row.fmax_mhz or 0), row.seeds, row.interval, row.latency)
    costs = (f"{cost.of(row):,.0f}" for cost in COST)
    cells = (name, commit, licence, *(f"{number:,}" for number in numbers), *costs, row.results)
    return f"| {' | '.join(cells)} |"


# --- the bus ------------------------------------------------------------------------------------


def bus() -> Iterator[str]:
    """The block diagram and the example in C of docs/bus.md."""
    blocks = re.findall(r"^```.*?^```$", (ROOT / "docs/bus.md").read_text(encoding="utf-8"), re.DOTALL | re.M)
    [diagram] = [block for block in blocks if "s_axis ──►" in block]
    [example] = [block for block in blocks if block.startswith("```c\n")]
    yield from (*diagram.splitlines(), "", *example.splitlines())


# --- the picture --------------------------------------------------------------------------------


def key(found: Sequence[Row]) -> str:
    """What the picture shows, as a digest that it carries."""
    drawn = [*of_integers(found), *(each.row() for each in known_others())]
    content = [(row.label, row.domain, row.lut_equivalents, row.throughput_mops) for row in drawn]
    return sha256(repr(content).encode()).hexdigest()[:16]


def twos_and_fives(value: float, _place: float) -> str:
    """The text of a tick where there is no room for those of all digits."""
    return f"{value:,.10g}" if f"{value:e}"[0] in "25" else ""


def all_but_nine(value: float, _place: float) -> str:
    """The text of a tick where there is room for all but 9, which would touch 10."""
    return "" if f"{value:e}"[0] == "9" else f"{value:,.10g}"


def draw(found: Sequence[Row], file: Path, colours: dict[str, str]) -> None:
    """Throughput against area, both logarithmic, each core labelled."""
    theirs = [each.row() for each in known_others()]
    points = [
        (row, row.lut_equivalents, row.throughput_mops)
        for row in (*(row for row in of_integers(found) if row.config == default(row)), *theirs)
        if row.lut_equivalents and row.throughput_mops
    ]
    kinds = {id(row): "others" for row in theirs}
    with mpl.rc_context({"svg.hashsalt": "modmul", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(SIZE[0] / 72, SIZE[1] / 72), facecolor="none")
        axes = figure.add_axes((0.07, 0.11, 0.91, 0.8), facecolor="none")
        axes.set(xscale="log", yscale="log")
        ends = [log_range([x for _, x, _ in points]), log_range([y for _, _, y in points])]
        axes.set_xlim(*(10**end for end in ends[0]))
        axes.set_ylim(*(10**end for end in ends[1]))
        inner = (round(SIZE[0] * 0.91), round(SIZE[1] * 0.8))
        places = [
            tuple(
                (math.log10(value) - low) / (high - low) * length
                for value, (low, high), length in zip((x, y), ends, inner, strict=True)
            )
            for _, x, y in points
        ]
        for kind, (name, mark) in KINDS.items():
            group = [(x, y) for row, x, y in points if kinds.get(id(row), row.domain) == kind]
            axes.plot(
                [x for x, _ in group], [y for _, y in group], mark, color=colours[kind], label=name, ms=6
            )
        offsets = label_offsets(places, [row.core for row, _, _ in points], inner)
        for (row, x, y), offset in zip(points, offsets, strict=True):
            axes.annotate(
                row.core, (x, y), offset, textcoords="offset points", ha="center", va="center",
                color=colours[kinds.get(id(row), row.domain)], fontsize=8.5,
                arrowprops={"arrowstyle": "-", "color": colours["grid"], "lw": 0.6},
            )  # fmt: skip
        titles = ("LUT-equivalents", "million multiplications a second")
        for axis, text, (low, high) in zip((axes.xaxis, axes.yaxis), titles, ends, strict=True):
            axis.set_major_formatter("{x:,.10g}")
            axis.set_minor_formatter(all_but_nine if high - low < 2 else twos_and_fives)
            axis.set_label_text(text, color=colours["ink"])
        axes.tick_params(which="both", colors=colours["ink"], labelsize=8)
        axes.grid(True, which="both", color=colours["grid"], lw=0.5)
        for spine in axes.spines.values():
            spine.set_color(colours["grid"])
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=len(KINDS),
            frameon=False,
            labelcolor=colours["ink"],
        )
        figure.savefig(file, metadata={"Date": None, "Creator": None, "Description": key(found)})


# --- the files ----------------------------------------------------------------------------------


def parts(found: Sequence[Row]) -> dict[Path, dict[str, list[str]]]:
    """The lines of each part of a file that is made here."""
    placed_in = {
        folder / "README.md": list(placed(name))
        for name, (_, folder) in systems().items()
        if name != "farm"  # docs/whole-devices.md has those
    }
    from_rows = {
        README: {
            "needs": list(needs(found)),
            "measured": list(measured(unbeaten(found))),
            "cores": list(cores()),
            "others": list(beside(found)),
            "bus": list(bus()),
        },
        ROOT / "examples/peers/README.md": {"peers": list(peers(found))},
        ROOT / "docs/cores.md": {"measured": list(all_measured(found))},
        room("scalable_booth4_right").path / "README.md": {"clock": list(clock(found))},
        ROOT / "docs/rrm.md": {
            "best": list(best(found, "rrm", "rrm_split")),
            "plain": list(best(found, "rrm_plain")),
            "widths": list(widths()),
            "fixed": list(fixed("rrm_split")),
        },
        ROOT / "docs/montgomery_dsp.md": {"builds": list(builds("montgomery_dsp", found))},
        **{room(slug).path / "README.md": {"small": list(small(slug))} for slug in SMALL},
        **{file: {"members": list(members(name, found))} for name, file in wings().items()},
    }
    found_placed = {file: {"placed": lines} for file, lines in placed_in.items() if len(lines) > 2}
    made = (from_rows, found_placed, devices.parts(), figures.parts(), signoff.parts())
    files = dict.fromkeys(file for each in made for file in each)
    return {
        file: {name: lines for each in made for name, lines in each.get(file, {}).items()} for file in files
    }


def texts(found: Sequence[Row]) -> dict[Path, str]:
    """Every file that is made here, in whole or in part, but the pictures."""
    return {
        **{
            file: filled(file.read_text(encoding="utf-8"), {name: "\n".join(of) for name, of in made.items()})
            for file, made in parts(found).items()
        },
        **{each.path / "EVIDENCE.md": page(each) for each in rooms().values() if each.core.origin.paper},
    }


def main() -> None:
    """Write the tables, the pictures and the pages."""
    found = rows()
    for file, text in texts(found).items():
        file.write_text(text, encoding="utf-8")
    for file, colours in PICTURES.items():
        draw(found, file, colours)


if __name__ == "__main__":
    main()
