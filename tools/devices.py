# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/whole-devices.md: farms that are shipped, and how many cores devices hold.

``readme.py`` writes them there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from modmul.chips import Part
from modmul.core import SystemConfig
from modmul.measure import CHIPS, SHIPPED, SHIPPED_SEEDS, Area, Job, Measurement
from modmul.moduli import NAMED
from modmul.moduli.named import shown, title_of
from modmul.registry import on, room
from modmul.room import Build
from modmul.study.shipping import FARMS

__all__ = ["DEVICES", "SHARE", "Held", "held", "parts"]

PAGE = Path(__file__).parents[1] / "docs" / "whole-devices.md"

SHARE = 0.95
"""Of the LUTs and flip-flops of a device, that cores are given on paper."""

WIDTHS = (256, 1024)

PORTS = 3
"""Of as many bits as an operand: x, y, z."""


class Device(NamedTuple):
    """A device: the chip as which cores are synthesised for it, what it holds, and its pins for users."""

    chip: str
    part: Part
    pins: int


ECP5 = CHIPS["ecp5"].part
assert ECP5

DEVICES = (
    Device("ecp5", ECP5, 365),
    Device("artix7", Part("XC7A200T", luts=134_600, ffs=269_200, dsp=740, bram=730), 500),
    Device("artix7", Part("VU9P", luts=1_182_240, ffs=2_364_480, dsp=6_840, bram=4_320), 832),
    Device("artix7", Part("AGF 014", luts=487_200, ffs=1_948_800, dsp=4_510, bram=7_110), 768),
)
"""From their makers' tables; of the Agilex ALMs. The records of artix7 stand for the last two chips, too."""

CANDIDATES = (
    *(("rrm_split", ""), ("rrm", ""), ("montgomery_dsp", ""), ("montgomery_cascade", "")),
    *(
        ("scalable_booth4_left", ""),
        ("scalable_booth4_right", ""),
        ("montgomery_csa2", ""),
        ("pipelined", ""),
    ),
    *((core, name) for name in ("p256", "secp256k1") for core in ("sparse_prime", "sparse_prime_dsp")),
)
"""Cores, and the name of their only modulus."""


class Held(NamedTuple):
    """How many of something a device holds, and what there is not enough of for one more."""

    number: int
    bound: str


def held(part: Part, area: Area) -> Held:
    """How many builds of an area go into a share of a device's LUTs and flip-flops, and all of its blocks."""
    limits = (
        ("LUTs", int(SHARE * part.luts), area.luts),
        ("flip-flops", int(SHARE * part.ffs), area.ffs),
        ("multipliers", part.dsp, area.dsp),
        ("memories", part.bram, area.bram),
    )
    return min(
        (Held(there // needed, what) for what, there, needed in limits if needed), key=lambda it: it[0]
    )


def shipped(build: Build, chip: str, seeds: tuple[int, ...]) -> Measurement | None:
    """What a record says of a build."""
    record = SHIPPED.find(build.design, CHIPS[chip], seeds)
    return Measurement.of(record, Job(build.design, CHIPS[chip], seeds)) if record else None


def table(headings: str, align: str, rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """A table in Markdown."""
    yield headings
    yield align
    for row in rows:
        yield f"| {' | '.join(f'{cell:,}' if isinstance(cell, int) else str(cell) for cell in row)} |"


def named(build: Build, *left_out: str) -> str:
    """A build's core and what is not as by default."""
    core = build.core.slug.partition(":")[2] or build.core.slug
    options, default = build.config.options(), _default(build).config.options()
    other = [
        f"`{key} = {shown(key, value)}`"
        for key, value in options.items()
        if value != default[key] and key not in ("Width", "Modulus", *left_out)
    ]
    return ", ".join([f"`{core}`", *other])


def _default(build: Build) -> Build:
    system, colon, core = build.core.slug.partition(":")
    found = on(system, core) if colon else room(system)
    modulus = build.core.function.only_modulus(build.config)
    return found.build(build.config.width, {}, modulus)


def of_modulus(build: Build) -> str:
    """Which moduli a build serves."""
    modulus = build.core.function.only_modulus(build.config)
    if modulus is not None:
        return title_of(modulus) or f"{modulus:#x}"
    return "2^(n-1) to 2^n" if build.core.slug == "pipelined" else "any odd"


# --- on paper -------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A device full of a build."""

    build: Build
    found: Measurement
    held: Held

    @property
    def rate(self) -> float:
        """Products a cycle."""
        return self.held.number / self.build.interval


def lines(device: Device, width: int) -> list[Line]:
    """The best build of each candidate of which there is a record, the most products first."""
    best: list[Line] = []
    seeds = SHIPPED_SEEDS if CHIPS[device.chip].route else ()
    for slug, name in CANDIDATES:
        if name and NAMED[name].value.bit_length() != width:
            continue
        builds = room(slug).fitting(width, NAMED[name].value if name else None, chip=device.chip)
        known = []
        for build in builds:
            if (build.core.function.only_modulus(build.config) is not None) != bool(name):
                continue
            found = shipped(build, device.chip, seeds) or shipped(build, device.chip, ())
            if found and (number := held(device.part, found.area)).number:
                known.append(Line(build, found, number))
        best += sorted(known, key=worth)[-1:]
    return sorted(best, key=worth, reverse=True)


def worth(line: Line) -> tuple[float, float]:
    """Products a second, as far as that is known; else, and behind it, a cycle."""
    timing = line.found.timing
    return (line.rate * timing.median_mhz if timing else 0, line.rate)


def _short(value: float) -> str:
    return f"{value:.2g}" if value < 1 else f"{value:.1f}"


def on_paper(device: Device) -> Iterator[str]:
    """A device full of cores, at each width."""
    part = device.part
    yield (
        f"{part.name}: {part.luts:,} LUTs, {part.ffs:,} flip-flops, {part.dsp:,} multiplier blocks, "
        f"{device.pins} pins."
    )
    yield ""
    rows = []
    for width in WIDTHS:
        pins = device.pins / (PORTS * width)
        for line in lines(device, width):
            area, timing = line.found.area, line.found.timing
            rows.append(
                (
                    *(width, named(line.build), of_modulus(line.build), area.luts, area.ffs, area.dsp),
                    *(line.build.interval, line.held.number, line.held.bound, _short(line.rate)),
                    _short(pins),
                    *(
                        (f"{timing.median_mhz:.0f}", f"{line.rate * timing.median_mhz:.1f}")
                        if timing
                        else "––"
                    ),
                )
            )
    yield from table(
        "| bits | core | moduli | LUTs | FFs | blocks | c | N | bound by | a cycle | pins | MHz | M/s |",
        "|--:|---|---|--:|--:|--:|--:|--:|---|--:|--:|--:|--:|",
        rows,
    )


# --- placed and routed ----------------------------------------------------------------------------


def farms() -> Iterator[str]:
    """The farms that are shipped."""
    device = DEVICES[0]
    rows = []
    for core, width, settings in FARMS:
        build = on("farm", core).build(width, settings)
        found = shipped(build, device.chip, SHIPPED_SEEDS)
        if found is None or found.timing is None:
            continue
        area, timing, cores = found.area, found.timing, build.config.options()["Cores"]
        assert isinstance(build.config, SystemConfig)
        alone = shipped(room(core).of(build.config.inner), device.chip, ())
        beside = area.luts - cores * alone.area.luts if alone else "–"
        rate = timing.median_mhz / build.interval
        rows.append(
            (
                *(width, named(build, "Cores"), of_modulus(build), cores),
                f"{area.luts:,} ({100 * area.luts / device.part.luts:.0f} %)",
                *(beside, f"{area.ffs:,} ({100 * area.ffs / device.part.ffs:.0f} %)"),
                *(area.dsp, f"{timing.median_mhz:.0f} ({timing.spread_mhz:.0f})", build.interval),
                *(f"{rate:.1f}", f"{1e6 * rate / area.luts:,.0f}"),
            )
        )
    if not rows:
        yield "No farm that fills a device is among the shipped measurements."
        return
    yield from table(
        "| bits | core | moduli | cores | LUTs | not of cores | FFs | blocks | MHz | c | M/s | 1/s, a LUT |",
        "|--:|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        rows,
    )


def parts() -> dict[Path, dict[str, list[str]]]:
    """The lines of each part of the page."""
    papers = {device.part.name.lower().replace(" ", "-"): list(on_paper(device)) for device in DEVICES}
    return {PAGE: {"farms": list(farms()), **papers}}
