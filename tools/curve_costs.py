# SPDX-License-Identifier: Apache-2.0
"""What multiples of a curve's points take on a core: cycles, area and time, beside the figures of others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from devices import shipped as of_record

from modmul.chips import CHIPS
from modmul.core import SystemConfig
from modmul.measure import SHIPPED, SHIPPED_SEEDS, Job, known
from modmul.measure.weights import Weights
from modmul.moduli import curve
from modmul.moduli.multiples import MARGIN, scalar_bits
from modmul.registry import ECC, curve_on, room
from modmul.room import Build
from modmul.study.measuring import row
from modmul.systems.curves import CurveConfig
from modmul.systems.engine import multiplications
from modmul.systems.running import least
from modmul.tools.store import Store
from modmul.use.ecc import Hardware
from modmul.use.program import Running

__all__ = [
    "BATCHES",
    "BOTH_BUILDS",
    "CURVE_BUILDS",
    "batch",
    "batch_build",
    "both",
    "engine_of",
    "multiple",
    "running_both",
]

CURVE_BUILDS: tuple[tuple[str, str, Mapping[str, int]], ...] = (
    ("p256", "rrm", {}),
    ("p256", "rrm", {"Cores": 2}),
    ("p256", "rrm_split", {}),
    ("p256", "rrm_split", {"Cores": 2, "DigitBits": 5}),
    ("p256", "montgomery_dsp", {}),
    ("p256", "montgomery_dsp", {"Word": 144}),
    ("p256", "montgomery_dsp", {"Word": 64, "Digit": 32, "Product": 4}),
    ("p256", "montgomery_dsp", {"Word": 128, "Digit": 32}),
    ("p256", "sparse_prime_dsp", {}),
    ("p256", "pipelined", {"EngineWord": 256}),
    ("p384", "rrm", {"Cores": 2}),
    ("p384", "rrm_split", {}),
    ("p384", "rrm_split", {"Cores": 2, "DigitBits": 5}),
    ("p384", "montgomery_dsp", {"Word": 198}),
    ("p384", "montgomery_dsp", {"Word": 192, "Digit": 32}),
    ("p384", "sparse_prime_dsp", {"Word": 64, "Digit": 32, "Product": 4}),
    ("p384", "sparse_prime_dsp", {"Word": 192, "Digit": 32}),
    ("p521", "montgomery_dsp", {"Word": 270}),
    ("secp256k1", "montgomery_dsp", {"Word": 144}),
    ("brainpool256", "rrm", {"Cores": 2}),
    ("sm2", "rrm_split", {}),
    ("sm2", "montgomery_dsp", {"Word": 144}),
    ("x25519", "montgomery_dsp", {"Word": 72}),
    ("x25519", "montgomery_dsp", {"Word": 144}),
    ("x25519", "montgomery_dsp", {"Word": 128, "Digit": 32}),
    ("x25519", "sparse_prime_dsp", {"Word": 128, "Digit": 32}),
    ("x448", "montgomery_dsp", {"Word": 234}),
    ("ed25519", "montgomery_dsp", {"Word": 144}),
    ("ed25519", "montgomery_dsp", {"Word": 128, "Digit": 32}),
    ("ed25519", "sparse_prime_dsp", {"Word": 64, "Digit": 32, "Product": 4}),
    ("ed25519", "sparse_prime_dsp", {"Word": 128, "Digit": 32}),
    ("ed448", "montgomery_dsp", {"Word": 234}),
    *(
        (f"{letter}{m}", core, parameters)
        for core, parameters in (("gf2m_serial", {}), ("gf2m_fixed", {"Digit": 16, "SquareAtOnce": 1}))
        for m in (163, 233, 283, 409, 571)
        for letter in "bk"
    ),
    ("b163", "fips", {}),
    ("b233", "fips", {}),
    ("sm2-binary", "gf2m_serial", {}),
)
"""Curve, core and parameters of builds whose rows are ordered with patience, and that are compared."""

BOTH_BUILDS: tuple[tuple[str, str, Mapping[str, int]], ...] = (
    ("p256", "rrm", {}),
    ("p256", "rrm", {"Cores": 2}),
    ("p256", "rrm_split", {}),
    ("p256", "montgomery_dsp", {}),
)
"""Likewise, for u G + v P."""

BATCHES: tuple[tuple[str, str, Mapping[str, int]], ...] = (
    *(
        ("x25519", "sparse_prime_dsp", {"Word": 64, "Digit": 32, "Product": 4, "Batch": several})
        for several in (1, 2, 4, 8)
    ),
    *(
        (
            *("x25519", "sparse_prime_dsp"),
            {"Engines": 4, "Word": 64, "Digit": 32, "Product": 4, "Batch": several},
        )
        for several in (4, 8)
    ),
    *(("x25519", "montgomery_dsp", {"Word": 128, "Digit": 32, "Batch": several}) for several in (1, 4, 8)),
    *(("x25519", "pipelined", {"EngineWord": 255, "Batch": several}) for several in (1, 4, 16)),
    *(("x25519", "rrm_split", {"Cores": 4, "Batch": several}) for several in (1, 4, 8)),
    *(("p256", "pipelined", {"EngineWord": 256, "Batch": several}) for several in (1, 4, 16, 32)),
    *(
        ("p256", "montgomery_dsp", {"Word": 64, "Digit": 32, "Product": 4, "Batch": several})
        for several in (1, 4)
    ),
    *(
        ("ed25519", "sparse_prime_dsp", {"Word": 64, "Digit": 32, "Product": 4, "Batch": several})
        for several in (1, 4)
    ),
    *(("b233", "gf2m_pipelined", {"EngineWord": 233, "Batch": several}) for several in (1, 4, 16)),
)
"""Likewise, for several scalars at a time; with ``Engines`` on so many engines in a farm."""

OTHERS = {
    ("p256", False): ("OTBN 670,089; CrypTech 1,114,977", 420_000),
    ("p256", True): ("an open SM2 core, in variable time and without the inversion, 24,150", 80_000),
    ("p384", False): ("Caliptra, whole signature, 736,978", 1_100_000),
    ("p384", True): ("Caliptra, whole signature, 736,978", 400_000),
    ("x25519", True): ("x25519-fpga 59,860; curve25519-verilog 69,378", 59_000),
    ("ed25519", True): ("6,200 signatures a second on a Zynq-7020", None),
}
"""By the curve and whether there are multiplier blocks: others' figures, and what is asked for here."""

ASKED = {("p256", "pipelined"): 40_000}
"""By the curve and the core, where that is another number."""


def multiple(name: str, slug: str, parameters: Mapping[str, int], *, shipped: bool = False) -> dict[str, Any]:
    """A row of figures of k P: the cycles of scalars as they are, and blinded, which the build is made for.

    Blinded by a multiple of the order, in one operation, or by a random factor, in two.

    Args:
        name: of the curve.
        slug: of the core.
        parameters: of the build, where they are not the defaults.
        shipped: whether area and clock are those of records alone, not of this machine.

    Raises:
        ValueError: the core cannot serve the curve, or there are no such parameters.
    """
    at = curve(name)
    _, room = curve_on(at, slug)
    build = room.build(at.bits, parameters, at.modulus)
    build = Build(room, build.config.at(at.modulus))
    plain = build.running(length=scalar_bits(at, 0))
    others, asked = OTHERS.get((name, build.config.multiplier_blocks), ("", None))
    asked = ASKED.get((name, slug), asked)
    factored = plain.latency + build.running(length=MARGIN).latency
    config = plain.config
    assert isinstance(config, CurveConfig)
    measured = _measured(build, shipped)
    return {
        "curve": name,
        "core": slug,
        "parameters": dict(parameters),
        "program": config.name,
        "cycles": plain.latency,
        "blind": build.config.options()["Blind"],
        "blinded": build.latency,
        "by a factor": factored,
        "no order goes below": least(config),
        "multiplications": sum(multiplications(config)),
        "asked": asked,
        "met": _met(asked, {"blinded": build.latency, "by a factor": factored, "as it is": plain.latency}),
        "ms as it is": measured["MHz"] and plain.latency / measured["MHz"] / 1000,
        **measured,
        "others": others,
    }


def _met(asked: int | None, cycles: Mapping[str, int]) -> str:
    """With which scalars what is asked for is met: the first that do."""
    if asked is None:
        return ""
    return next((name for name, taken in cycles.items() if taken <= asked), "no")


def _measured(build: Build, shipped: bool) -> dict[str, Any]:
    """Area, clock and time of a blinded operation, where they are known."""
    chip = CHIPS["ecp5"]
    if shipped:
        found = of_record(build, chip.name, SHIPPED_SEEDS)
    else:
        found = known(Job(build.design, chip, SHIPPED_SEEDS), Store(), SHIPPED)
    figures = row(build, Weights.of(chip), None, 0, found)
    return {
        "LUTs": figures.luts,
        "LUTeq": figures.lut_equivalents,
        "MHz": figures.fmax_mhz,
        "ms": figures.time_us and figures.time_us / 1000,
        "a second": figures.operations_per_s,
    }


def batch_build(name: str, slug: str, parameters: Mapping[str, int]) -> Build:
    """A build for several scalars at a time, as they are.

    Raises:
        ValueError: as :func:`multiple` does.
    """
    at, own = curve(name), {"Blind": 0, **parameters}
    engines, system = own.pop("Engines", 1), f"{ECC}{name}:{slug}"
    if engines > 1:
        own, system = {"Cores": engines, **own}, f"farm:{system}"
    build = room(system).build(at.bits, own, at.modulus)
    build.check(at.modulus)
    return Build(build.room, build.config.at(at.modulus))


def batch(name: str, slug: str, parameters: Mapping[str, int], *, shipped: bool = False) -> dict[str, Any]:
    """A row of figures of k P with several scalars at a time.

    Args:
        shipped: as of :func:`multiple`.

    Raises:
        ValueError: as :func:`multiple` does.
    """
    build = batch_build(name, slug, parameters)
    engine, engines = engine_of(build), parameters.get("Engines", 1)
    each = (build.interval if engines > 1 else build.latency) / engine.batch
    found = _measured(build, shipped)
    return {
        "curve": name,
        "core": slug,
        "parameters": {each: value for each, value in parameters.items() if each != "Batch"},
        "scalars": engines * engine.batch,
        "cycles": build.latency,
        "cycles each": round(each),
        "no order goes below": round(least(engine) / engine.batch / engines),
        "LUTs": found["LUTs"],
        "MHz": found["MHz"],
        "k P a second": found["a second"],
    }


def engine_of(build: Build) -> CurveConfig:
    """The engine of a build for several scalars, one of those of a farm."""
    config = build.config
    if isinstance(config, CurveConfig):
        return config
    assert isinstance(config, SystemConfig)
    assert isinstance(config.inner, CurveConfig)
    return config.inner.at(config.inner.curve.modulus)


def both(name: str, slug: str, parameters: Mapping[str, int]) -> dict[str, Any]:
    """The same of u G + v P, of which nothing is blinded."""
    running = running_both(name, slug, parameters)
    schedule = running.schedule
    return {
        "curve": name,
        "core": slug,
        "parameters": dict(parameters),
        "program": running.name.removesuffix(".s"),
        "cycles": schedule.cycles,
        "no order goes below": schedule.bound,
        "multiplications": schedule.products + schedule.squares,
    }


def running_both(name: str, slug: str, parameters: Mapping[str, int]) -> Running:
    """A run of u G + v P.

    Raises:
        ValueError: as :func:`multiple` does.
    """
    at = curve(name)
    return Hardware(slug, parameters).prepared_both(at, at.order - 1, at.order - 2, at.base)[0]
