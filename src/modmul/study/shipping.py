# SPDX-License-Identifier: Apache-2.0
"""Which measurements come with the package, and how they are made and renewed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean
from types import MappingProxyType

from modmul.core import SystemConfig
from modmul.measure import (
    CHIPS,
    SHIPPED,
    SHIPPED_SEEDS,
    Job,
    Measurement,
    Record,
    Shelf,
    ToolFailure,
    measure,
)
from modmul.moduli.named import NAMED
from modmul.registry import DEFAULT_WIDTH, Build, on, rooms
from modmul.study import evidence, papers
from modmul.tools.machine import LOCAL, Machine
from modmul.tools.progress import Listener, ignore

__all__ = [
    "FARMS",
    "NARROW",
    "OTHERS",
    "PIPELINE",
    "SYSTEMS",
    "WIDTHS",
    "expected_seconds",
    "inner",
    "missing",
    "renew",
    "wanted",
]

PIPELINE = {"TileA": 18, "TileB": 18, "Leaf": 40, "Carry": 66, "Terms": 2}
"""Parameters of ``pipelined`` for one modulus of 255 or 256 bits, with the multiplier blocks of ecp5."""

SYSTEMS: tuple[tuple[str, str, int, Mapping[str, int]], ...] = (
    *(
        (system, core, 256, {})
        for system in ("modexp", "ladder")
        for core in ("fips", "montgomery_csa2", "rrm")
    ),
    ("rsa_crt", "rrm", 1024, {"Word": 16}),
    *(("rsa_crt", "rrm", width, {"Word": 32}) for width in (2048, 4096)),
    *(("rsa_crt", "rrm_split", width, {"Word": 32}) for width in (1024, 2048)),
    ("rsa_crt", "montgomery_dsp", 1024, {"Columns": 10, "Word": 36, "Lazy": 1}),
    ("rsa_crt", "montgomery_dsp", 2048, {"Columns": 22, "Word": 36, "Lazy": 1}),
    ("rsa_crt", "montgomery_dsp", 4096, {"Columns": 20, "Word": 36, "Lazy": 1}),
    *(
        ("rsa_crt", "fips", width, {"Multipliers": 2, "Word": 64, "FieldSet": 1, "Dsp": 1, "Depth": 4})
        for width in (2048, 4096)
    ),
    *(("rsa_crt", "rrm_plain", width, {"Word": 32}) for width in (1024, 2048, 4096)),
    *(("rsa_crt", "scalable_booth4_left", width, {"Word": 16}) for width in (1024, 2048)),
    ("rsa_crt", "scalable_booth4_right", 1024, {"Word": 16}),
    *(("rsa_crt", f"scalable_booth4_{way}", 4096, {"Word": 32}) for way in ("left", "right")),
    *((name, "rrm_split", 256, {}) for name in ("ecc_p256", "ecc_sm2")),
    ("ecc_p384", "rrm_split", 384, {}),
    ("ecc_p256", "montgomery_dsp", 256, {"Word": 64, "Digit": 32, "Product": 4}),
    ("ecc_x25519", "sparse_prime_dsp", 255, {"Word": 128, "Digit": 32}),
    *(
        (name, "sparse_prime_dsp", 255, {"Word": 64, "Digit": 32, "Product": 4, "Batch": 4, "Blind": 0})
        for name in ("ecc_x25519", "ecc_ed25519")
    ),
    ("ecc_ed25519", "sparse_prime_dsp", 255, {"Word": 64, "Digit": 32, "Product": 4}),
    (
        *("ecc_x25519", "pipelined", 255),
        {**PIPELINE, "Modulus": NAMED["curve25519"].value, "EngineWord": 255, "Batch": 32, "Blind": 0},
    ),
    ("ecc_p384", "sparse_prime_dsp", 384, {"Word": 64, "Digit": 32, "Product": 5}),
    *(
        (f"ecc_{letter}{degree}", "gf2m_fixed", degree, {"Digit": 16, "SquareAtOnce": 1})
        for letter in "bk"
        for degree in (163, 233, 283, 409, 571)
    ),
)
"""System, core, width and parameters of the systems that are placed and routed on ecp5."""

FARMS = tuple((core, width, settings) for system, core, width, settings in SYSTEMS if system == "farm")
"""Core, width and parameters of those of them that fill a device with a core."""

NOT_ALONE = (("rrm_plain", 4096), ("pipelined", 255))
"""Core and width of those whose core has not been placed and routed alone."""

WAITING = frozenset((("rsa_crt", "fips", 4096),))
"""System, core and width of those that are only synthesised.

Their hardware has changed since they were placed and routed.
"""

NARROW = 16
"""Bits of the words with which powers of 256 bits, and their cores, are synthesised on ecp5, too."""

WIDTHS: tuple[tuple[str, int], ...] = (
    *(("rrm", width) for width in (128, 256, 512, 1024, 2048)),
    ("rrm_split", 1024),
    ("scalable_booth4_left", 1024),
)
"""Cores whose default configurations are placed and routed on ecp5 at other widths, too."""

CURVED_ON: Mapping[str, int] = MappingProxyType({"ecp5": 1024, "artix7": 1024, "gates": 384})
"""Chip to the greatest width in bits of :data:`CURVES` that is measured there."""

LINEAR = (
    *("interleaved_csa", "montgomery_csa1", "montgomery_csa2", "montgomery_cascade", "montgomery_dsp"),
    *("rrm", "rrm_plain", "rrm_split", "scalable_booth4_left", "scalable_booth4_right"),
    *("scalable_booth4_serial", "scalable_radix2", "scalable_radix2_parallel", "scalable_radix2_right"),
    "scalable_radix4",
)
"""Cores whose synthesis takes a minute or two even of long operands."""

CURVES: Mapping[int, tuple[str, ...]] = MappingProxyType({64: (), 384: LINEAR, 1024: LINEAR})
"""Width in bits to the cores that are synthesised at it, all if none is named."""

LEADING = (
    *("interleaved_csa", "montgomery_csa1", "montgomery_csa2", "montgomery_cascade", "montgomery_dsp"),
    *("rrm", "rrm_plain", "rrm_split", "scalable_booth4_left", "scalable_booth4_right"),
)
"""Cores that lead at 256 bits, in area, time or both, and that place and route in minutes at any width."""

FOREMOST = ("montgomery_csa2", "rrm", "rrm_split", "scalable_booth4_left")
"""Those of them that are placed and routed at further widths and on further chips."""

FURTHER = ("interleaved_csa", "montgomery_csa1", "rrm_plain", "scalable_booth4_right")
"""Others of them, for which that was a matter of minutes at 1,024 bits, too."""

PLACED: Mapping[int, tuple[str, ...]] = MappingProxyType(
    {
        **{64: (), 128: LEADING, 384: LEADING, 521: LEADING},
        **{1024: (*FOREMOST, *FURTHER), 2048: ("scalable_booth4_right",)},
    }
)
"""Width in bits to the cores that are placed and routed at it on ecp5, all if none is named."""

OTHERS: tuple[tuple[str, str, int, Mapping[str, int]], ...] = (
    ("pipelined", "ultrascaleplus", 254, {}),
    ("pipelined", "artix7", 254, {"Modulus": NAMED["bn254-fp"].value}),
    ("pipelined", "ultrascaleplus", 377, {"Modulus": NAMED["bls12-377-fp"].value}),
    ("pipelined", "ultrascaleplus", 381, {"Modulus": NAMED["bls12-381-fp"].value}),
    *(("sparse_prime_dsp", "ecp5", 255, {"Word": 64, "Digit": 32, "Product": product}) for product in (3, 4)),
    ("montgomery_dsp", "ecp5", 256, {"Word": 64, "Digit": 32, "Product": 4}),
    *(("rrm_split", "ecp5", 256, {"Modulus": NAMED[name].value}) for name in ("secp256k1", "p256")),
    ("gf2m_fixed", "ecp5", 233, {"Digit": 16}),
    ("gf2m_fixed", "ecp5", 283, {"Word": 64, "Digit": 16}),
    *(("gf2m_fixed", "artix7", width, {"Digit": 16}) for width in (233, 283)),
    *(("gf2m_pipelined", "artix7", width, {}) for width in (233, 283)),
)
"""Core, chip, width and parameters of further builds: for some primes, with long digits, and in GF(2^m).

They are placed and routed where the chip has open tools.
"""

SMALL: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {"small_fixed": (12, 14, 23, 31, 64), "small_any": (12, 23, 31, 32)}
)
"""Cores for small primes to the lengths, in bits, of those in use.

Their builds are placed and routed on ecp5, and synthesised on artix7 and ultrascaleplus.
"""

ELSEWHERE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "nexus": LEADING,
        "gowin": tuple(slug for slug in LEADING if slug != "montgomery_dsp"),  # too long a run
        "ice40hx": (*FOREMOST[:2], "scalable_booth4_left", "scalable_booth4_right"),
        "ice40up": ("montgomery_csa2",),
    }
)
"""Chip to the leading cores that are placed and routed there at 256 bits, beside its anchors."""

FIELDS: Mapping[int, tuple[str, ...]] = MappingProxyType(
    {
        163: ("gf2m_fixed", "gf2m_serial"),
        233: ("gf2m_fixed", "gf2m_serial"),
        283: ("gf2m_fixed", "gf2m_serial"),
        571: ("gf2m_fixed", "gf2m_serial"),
    }
)
"""Degree of a curve's field to the cores whose default builds for it are synthesised on ecp5 and artix7."""

FIELDS_PLACED = (233, 283)
"""Degrees for which they are placed and routed on ecp5, too."""

ANCHORS = (
    *("fips", "imml_booth4", "interleaved_radix2_parallel", "montgomery_csa2", "montgomery_dsp"),
    *("rrm", "rrm_plain", "rrm_split", "scalable_booth4_left", "sparse_prime"),
)
"""Cores whose default builds of the least width of :data:`CURVES` are measured on the chips without records.

They say how large a build is there beside other chips, and how fast where the chip has open tools.
"""

UNPLACED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"fips": (), "montgomery_dsp": ("ice40hx", "ice40up"), "scalable_booth4_left": ("ice40up",)}
)
"""Anchors whose area alone is measured: core to the chips, all if none is named.

The part is too small, the router does not end, or a seed takes more than ten minutes.
"""


def wanted() -> list[Job]:
    """What is shipped: enough to compare all cores, to back the evidence, and to estimate the rest.

    Every configuration of every core at 256 bits on its targets, what the evidence rests on, systems, and
    default builds of other widths (:data:`CURVES`), those for curves over GF(2^m) (:data:`FIELDS`), and on
    further chips (:data:`ANCHORS`, :data:`ELSEWHERE`, :data:`OTHERS`), and those for :data:`SMALL` primes.
    Placed and routed, where the target has open tools, are cores of 256 bits, :data:`WIDTHS`, :data:`PLACED`,
    :data:`FIELDS_PLACED`, :data:`ANCHORS`, :data:`ELSEWHERE`, :data:`OTHERS`, :data:`SMALL`, and
    :data:`SYSTEMS` with the cores of most.
    """
    found: dict[tuple[str, str, str], Job] = {}
    everything = tuple(rooms().values())
    for job in (
        *(*_cores(), *_widths(), *papers.jobs(everything), *evidence.jobs(everything), *_systems()),
        *_placed(),
        *_curves(),
        *_fields(),
        *_anchors(),
        *_elsewhere(),
        *_others(),
        *_small(),
    ):
        found.setdefault((job.design.name, job.design.digest, job.target.name), job)
    return list(found.values())


def _cores() -> Iterator[Job]:
    for room in rooms().values():
        for target in CHIPS.values():
            if target.shipped and room.core.builds.fits(target.name, DEFAULT_WIDTH):
                for build in room.fitting(DEFAULT_WIDTH, chip=target.name):
                    yield Job(build.design, target, SHIPPED_SEEDS if target.route else ())


def _widths() -> Iterator[Job]:
    for slug, width in WIDTHS:
        found = rooms()[slug]
        yield Job(found.design(found.core.builds.at(width, "ecp5")[0]), CHIPS["ecp5"], SHIPPED_SEEDS)


def _placed() -> Iterator[Job]:
    chip = CHIPS["ecp5"]
    for width, slugs in PLACED.items():
        for slug in slugs or rooms():
            found = rooms()[slug]
            if found.core.builds.fits(chip.name, width):
                yield Job(found.design(found.core.builds.at(width, chip.name)[0]), chip, SHIPPED_SEEDS)


def _curves() -> Iterator[Job]:
    for width, slugs in CURVES.items():
        for slug in slugs or rooms():
            found = rooms()[slug]
            for chip in (CHIPS[name] for name, most in CURVED_ON.items() if width <= most):
                if found.core.builds.fits(chip.name, width):
                    design = found.design(found.core.builds.at(width, chip.name)[0])
                    yield Job(design, chip)


def _fields() -> Iterator[Job]:
    for degree, slugs in FIELDS.items():
        for slug in slugs:
            for chip in (CHIPS["ecp5"], CHIPS["artix7"]):
                seeds = SHIPPED_SEEDS if chip.route and degree in FIELDS_PLACED else ()
                yield Job(rooms()[slug].fitting(degree, chip=chip.name)[0].design, chip, seeds)


def _anchors() -> Iterator[Job]:
    width = min(CURVES)
    for chip in CHIPS.values():
        for slug in () if chip.shipped else ANCHORS:
            found = rooms()[slug]
            if found.core.builds.fits(chip.name, width):
                design = found.design(found.core.builds.at(width, chip.name)[0])
                placed = chip.route and not (slug in UNPLACED and chip.name in (UNPLACED[slug] or CHIPS))
                yield Job(design, chip, SHIPPED_SEEDS if placed else ())


def _elsewhere() -> Iterator[Job]:
    for name, slugs in ELSEWHERE.items():
        for slug in slugs:
            found = rooms()[slug]
            yield Job(found.design(found.core.builds.at(DEFAULT_WIDTH, name)[0]), CHIPS[name], SHIPPED_SEEDS)


def _others() -> Iterator[Job]:
    for slug, name, width, settings in OTHERS:
        found, chip = rooms()[slug], CHIPS[name]
        usual = found.core.builds.at(width, name)[0]
        yield Job(found.design(usual.with_parameters(settings)), chip, SHIPPED_SEEDS if chip.route else ())


def _small() -> Iterator[Job]:
    for name in ("ecp5", "artix7", "ultrascaleplus"):
        for slug, widths in SMALL.items():
            for width in widths:
                for build in rooms()[slug].fitting(width, chip=name):
                    yield Job(build.design, CHIPS[name], SHIPPED_SEEDS if CHIPS[name].route else ())


def _systems() -> Iterator[Job]:
    """Systems, and the core of each alone, whose clock is what theirs could be."""
    chip = CHIPS["ecp5"]
    for system, core, width, settings in SYSTEMS:
        build = on(system, core).build(width, settings)
        yield Job(build.design, chip, () if (system, core, width) in WAITING else SHIPPED_SEEDS)
        if (core, width) not in NOT_ALONE:
            yield Job(inner(build).design, chip, SHIPPED_SEEDS)
        if system == "modexp":
            for found in (rooms()[core], on(system, core)):
                yield Job(found.build(width, {"Word": NARROW}).design, chip)


def inner(build: Build) -> Build:
    """The core of a system alone, with the same parameters."""
    assert isinstance(build.config, SystemConfig)
    return rooms()[build.config.core.slug].of(build.config.inner)


def missing(jobs: Sequence[Job], shelf: Shelf = SHIPPED) -> list[Job]:
    """Those that no record covers: there is none, or the sources or the flow have changed since."""
    return [job for job in jobs if shelf.find(job.design, job.target, job.seeds) is None]


def expected_seconds(jobs: Sequence[Job], shelf: Shelf = SHIPPED) -> float | None:
    """Run time of the tools for some jobs, one after the other, as far as the records tell.

    A build that was never measured counts as the mean of those that were; ``None`` when there were none.
    """
    earlier = [shelf.earlier(job.design, job.target) for job in jobs]
    known = [sum(record.seconds) for record in earlier if record]
    return mean(known) * len(jobs) if known else None


def renew(
    jobs: Sequence[Job],
    *,
    workers: int = 2,
    listener: Listener = ignore,
    timeout: float = 3600,
    machine: Machine = LOCAL,
    shelf: Shelf = SHIPPED,
) -> list[tuple[Job, ToolFailure]]:
    """Measure what no record covers, and write records of all jobs and of nothing else.

    After an interruption the next call takes from the store of this machine what was measured before.

    Returns:
        the jobs without a record, and why.
    """
    records: list[Record] = []
    failed: list[tuple[Job, ToolFailure]] = []
    measured = measure(
        jobs, workers=workers, listener=listener, timeout=timeout, machine=machine, shelf=shelf
    )
    for job, outcome in measured:
        failure = outcome.failure if isinstance(outcome, Measurement) else outcome
        if failure:
            failed.append((job, failure))
        elif isinstance(outcome, Measurement):
            records.append(outcome.shipped or Record.of(job.design, job.target, outcome.area, outcome.timing))
    shelf.write(records)
    return failed
