# SPDX-License-Identifier: Apache-2.0
"""What multiples of a curve's points take on a core: cycles, area and time, beside the figures of others."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from devices import shipped as of_record

from modmul.chips import CHIPS
from modmul.core import SystemConfig
from modmul.measure import SHIPPED, SHIPPED_SEEDS, Job, known
from modmul.measure.weights import Weights
from modmul.moduli import curve
from modmul.moduli.curves import EDWARDS
from modmul.moduli.multiples import MARGIN, scalar_bits
from modmul.registry import ECC, curve_on, room
from modmul.room import Build
from modmul.study.measuring import row
from modmul.study.shipping import PIPELINE
from modmul.systems.curves import CurveConfig
from modmul.systems.engine import multiplications
from modmul.systems.running import ProgramConfig, least
from modmul.tools.store import Store
from modmul.use.ecc import Hardware
from modmul.use.program import Running

__all__ = [
    "BATCHES",
    "BOTH_BUILDS",
    "CURVE_BUILDS",
    "EDDSA_BUILDS",
    "batch",
    "batch_build",
    "both",
    "eddsa",
    "engine_of",
    "met",
    "met_by_batch",
    "multiple",
    "running_both",
    "told",
]


def _of_prime(name: str, **others: int) -> Mapping[str, int]:
    """``pipelined`` for the prime of a curve alone, on the multiplier blocks of an ECP5-85k.

    Args:
        others: further parameters.
    """
    return {"EngineWord": curve(name).bits, "Modulus": curve(name).modulus, **PIPELINE, **others}


SOONEST = _of_prime("p256", Carry=263, Leaf=80, Terms=3)
"""With the fewest cycles for one operation, in 144 blocks."""

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
    ("p256", "pipelined", _of_prime("p256")),
    ("p256", "pipelined", SOONEST),
    ("p384", "rrm", {"Cores": 2}),
    ("p384", "rrm_split", {}),
    ("p384", "rrm_split", {"Cores": 2, "DigitBits": 5}),
    ("p384", "montgomery_dsp", {"Word": 198}),
    ("p384", "montgomery_dsp", {"Word": 192, "Digit": 32}),
    ("p384", "sparse_prime_dsp", {"Word": 64, "Digit": 32, "Product": 5}),
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
    ("ed25519", "rrm", {}),
    ("ed25519", "sparse_prime_dsp", {"Word": 64, "Digit": 32, "Product": 4}),
    ("b233", "gf2m_serial", {}),
    ("b233", "gf2m_fixed", {"Digit": 16, "SquareAtOnce": 1}),
    ("b233", "gf2m_pipelined", {"EngineWord": 233}),
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
            {"Engines": 4, "Word": 64, "Digit": 32, "Product": 5, "Batch": several},
        )
        for several in (4, 8)
    ),
    *(("x25519", "montgomery_dsp", {"Word": 128, "Digit": 32, "Batch": several}) for several in (1, 4, 8)),
    *(("x25519", "pipelined", {**_of_prime("x25519"), "Batch": several}) for several in (1, 4, 16, 32)),
    *(("x25519", "rrm_split", {"Cores": 4, "Batch": several}) for several in (1, 4, 8)),
    *(("p256", "pipelined", {**_of_prime("p256"), "Batch": several}) for several in (1, 4, 16, 32)),
    *(
        ("p256", "montgomery_dsp", {"Word": 64, "Digit": 32, "Product": 4, "Batch": several})
        for several in (1, 4)
    ),
    *(
        ("ed25519", "sparse_prime_dsp", {"Word": 64, "Digit": 32, "Product": 4, "Batch": several})
        for several in (1, 4)
    ),
    ("ed25519", "pipelined", {**_of_prime("ed25519"), "Batch": 32}),
    *(("b233", "gf2m_pipelined", {"EngineWord": 233, "Batch": several}) for several in (1, 4, 16)),
)
"""Likewise, for several scalars at a time; with ``Engines`` on so many engines in a farm."""

OPEN_SM2 = "an open SM2 core, in variable time and without the last inversion, 24,150"

OTHERS = {
    ("p256", False): "OTBN 670,089; CrypTech 1,114,977",
    ("p256", True): f"0.139 ms on a Virtex-7; {OPEN_SM2}",
    ("sm2", True): OPEN_SM2,
    ("p384", False): "Caliptra 736,978, a whole signature; here k·P alone",
    ("p384", True): "Caliptra 736,978, a whole signature; here k·P alone",
    ("x25519", True): "x25519-fpga 59,860, 18,480 slices of ECP5; curve25519-verilog 69,378, 15 blocks",
    ("ed25519", True): "Zynq-7020: 6,200 whole signatures a second; here k·P alone",
}
"""Others' figures, cycles if nothing else is said, by the curve and whether there are multiplier blocks."""

ASKED: Mapping[tuple[str, bool], Mapping[str, float]] = {
    ("p256", False): {"cycles": 420_000, "ms": 2.6, "LUTs": 6_000},
    ("p256", True): {"cycles": 80_000, "ms": 0.55},
    ("p384", False): {"cycles": 1_100_000},
    ("p384", True): {"cycles": 400_000},
    ("x25519", True): {"cycles": 59_000, "LUTs": 9_240, "FFs": 9_240},
}
"""What is asked for at most, likewise. An ECP5 slice has two LUTs and two flip-flops, so for X25519 that is a
quarter of x25519-fpga's."""

ASKED_OF_CORES: Mapping[tuple[str, str], Mapping[str, float]] = {("p256", "pipelined"): {"cycles": 40_000}}
"""Where it is another number on a core."""

ASKED_OF_BATCHES: Mapping[str, Mapping[str, float]] = {"x25519": {"k P a second": 10_000}}
"""What is asked for at least of several scalars at a time, in one ECP5-85k."""

OTHER_BATCHES = {"x25519": "Zynq-7020, several cores: 32,000 a second; FourQ 64,730"}
"""Others' figures beside these."""

EDDSA_OTHERS = "Zynq-7020: 6,200 signatures, 8,347 verifications a second"
"""Others' figures for Ed25519."""

EDDSA_BUILDS: tuple[tuple[str, str, Mapping[str, int]], ...] = tuple(
    ("ed25519", "sparse_prime_dsp", {"Word": 64, "Digit": 32, "Product": 4, **several})
    for several in ({}, {"Batch": 4})
)
"""Likewise, for signatures and verifications."""


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
    kind = name, build.config.multiplier_blocks
    asked = ASKED_OF_CORES.get((name, slug), ASKED.get(kind, {}))
    cycles = {
        "blinded": build.latency,
        "by a factor": plain.latency + build.running(length=MARGIN).latency,
        "as it is": plain.latency,
    }
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
        "blinded": cycles["blinded"],
        "by a factor": cycles["by a factor"],
        "no order goes below": least(config),
        "multiplications": sum(multiplications(config)),
        "asked": asked,
        "met": met(
            asked,
            {
                scalars: {**measured, "cycles": taken, "ms": _ms(taken, measured["MHz"])}
                for scalars, taken in cycles.items()
            },
        ),
        "ms as it is": _ms(plain.latency, measured["MHz"]),
        **measured,
        "others": OTHERS.get(kind, ""),
    }


def _ms(cycles: int, mhz: float | None) -> float | None:
    return None if mhz is None else cycles / mhz / 1000


def met(asked: Mapping[str, float], found: Mapping[str, Mapping[str, float | None]]) -> str:
    """With which scalars what is asked for is met, as far as it is known: the first of them that do.

    Args:
        asked: by the name of a figure the most that it may be; empty: nothing is asked for.
        found: by the kind of scalars all of these figures; ``None`` where one is not known.

    Returns:
        The scalars, and what is met where that is not all; or what falls short with the last scalars.
    """
    if not asked:
        return ""
    above: list[str] = []
    for scalars, figures in found.items():
        there = {name: value for name in asked if (value := figures[name]) is not None}
        above = [f"{told(value)} {name}" for name, value in there.items() if value > asked[name]]
        if not above:
            return scalars if len(there) == len(asked) else f"{scalars}, {' and '.join(there)} alone"
    return f"no: {', '.join(above)}"


def told(value: float) -> str:
    """A number as tables have it: whole ones with all of their digits, others with three."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


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
        "FFs": figures.ffs,
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
    asked = {**ASKED_OF_CORES.get((name, slug), {}), **ASKED_OF_BATCHES.get(name, {})}
    return {
        "curve": name,
        "core": slug,
        "parameters": {each: value for each, value in parameters.items() if each != "Batch"},
        "scalars": engines * engine.batch,
        "cycles": build.latency,
        "cycles each": round(each),
        "no order goes below": round(least(engine) / engine.batch / engines),
        "asked": asked,
        "met": met_by_batch(asked, each, found["MHz"]),
        "LUTs": found["LUTs"],
        "LUTeq": found["LUTeq"],
        "MHz": found["MHz"],
        "k P a second": found["a second"],
        "others": OTHER_BATCHES.get(name, ""),
    }


def met_by_batch(asked: Mapping[str, float], cycles: float, mhz: float | None) -> str:
    """Whether what is asked for is met, or which clock it takes; not whether the device holds the build.

    Args:
        asked: the most cycles for each scalar, or the fewest ``"k P a second"``; empty: nothing is asked for.
        cycles: for each scalar.
        mhz: the clock; ``None``: it is not known.
    """
    if "cycles" in asked:
        return "yes, for each" if cycles <= asked["cycles"] else f"no: {round(cycles):,} cycles"
    if not asked:
        return ""
    needed = asked["k P a second"] * cycles / 1e6
    if mhz is None:
        return f"not placed; it takes {ceil(needed):,} MHz"
    return "yes" if mhz >= needed else f"no: {told(round(1e6 * mhz / cycles))} a second"


def eddsa(name: str, slug: str, parameters: Mapping[str, int], *, shipped: bool = False) -> dict[str, Any]:
    """A row of figures of EdDSA as ``modmul.use.ecc`` has it: a signature is one k B, a verification two
    multiples, of which nothing is secret. With ``Batch``, several at the same time.

    Args:
        shipped: as of :func:`multiple`.

    Raises:
        ValueError: as :func:`multiple` does.
    """
    if curve(name).form != EDWARDS:
        raise ValueError(f"{name} has no signatures by EdDSA; ed25519 and ed448 have")
    several = parameters.get("Batch", 1)
    found = (batch if several > 1 else multiple)(name, slug, parameters, shipped=shipped)
    mhz, area, blinded = found["MHz"], found["LUTeq"], found.get("blinded")
    signed = found["k P a second"] if several > 1 else mhz and 1e6 * mhz / found["cycles"]
    return {
        "curve": name,
        "core": slug,
        "parameters": found["parameters"],
        "scalars": several,
        "cycles": found["cycles"],
        "LUTs": found["LUTs"],
        "LUTeq": area,
        "MHz": mhz,
        "signatures/s": signed,
        "blinded": 1e6 * mhz / blinded if mhz and blinded else None,
        "verifications/s": signed and signed / 2,
        "signatures/s, kLUTeq": signed and 1000 * signed / area,
        "verifications/s, kLUTeq": signed and 500 * signed / area,
        "others": EDDSA_OTHERS if name == "ed25519" else "",
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
    config = running.build.config.at(running.modulus)
    assert isinstance(config, ProgramConfig)
    return {
        "curve": name,
        "core": slug,
        "parameters": dict(parameters),
        "program": running.name.removesuffix(".s"),
        "cycles": running.build.latency,
        "no order goes below": least(config),
        "multiplications": sum(multiplications(config)),
    }


def running_both(name: str, slug: str, parameters: Mapping[str, int]) -> Running:
    """A run of u G + v P.

    Raises:
        ValueError: as :func:`multiple` does.
    """
    at = curve(name)
    return Hardware(slug, parameters).prepared_both(at, at.order - 1, at.order - 2, at.base)[0]
