# SPDX-License-Identifier: Apache-2.0
"""``make orders``: finds the orders of rows, and the cycles, that come with the package.

It goes through what ``modmul choose`` is likely to be asked of systems, and writes ``systems/orders.json``.
What is there already is kept, so an interrupted run goes on where it was, and after a change of the engine's
times only cycles are counted anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import replace

import typer
from curve_costs import BATCHES, BOTH_BUILDS, CURVE_BUILDS, SOONEST, batch_build, engine_of, running_both

from modmul.chips import CHIPS
from modmul.cli.options import JobsOption
from modmul.cli.printing import say
from modmul.moduli import curve, modulus
from modmul.moduli.curves import CURVES
from modmul.moduli.multiples import MARGIN, scalar_bits
from modmul.registry import ECC, curve_on, systems
from modmul.study.choosing import Wish, choose
from modmul.systems.curves import CurveConfig
from modmul.systems.engine import EngineConfig, arrange, latency
from modmul.systems.kept import FILE, Kept, kept, learning

RSA_WIDTHS = (1024, 2048, 3072, 4096)
"""Bits of keys."""

Build = tuple[str, str, Mapping[str, int]]

PATIENT = 1500
"""Orders that are timed for the builds of :data:`CURVE_BUILDS`."""

MOST = 8000
"""Those for the builds that a time is asked of: some minutes, for one to three cycles of a hundred."""

ASKED: tuple[Build, ...] = (
    ("p256", "rrm_split", {}),
    ("p256", "montgomery_dsp", {"Word": 64, "Digit": 32, "Product": 4}),
    ("p256", "pipelined", SOONEST),
)
"""These builds."""

WIDTHS = (*(64, 128, 192, 224, 255, 256, 381, 384, 448, 512, 521), *RSA_WIDTHS)
"""Bits for which systems of any modulus are asked about."""


def _build(build: Build, *, two: bool) -> Kept:
    """What is found of a curve on a core, of k P or of u G + v P, with patience."""
    name, slug, parameters = build
    at, tries = curve(name), MOST if build in ASKED else PATIENT
    kept.cache_clear()
    with learning() as found:
        if two:
            config = running_both(*build).build.config
            assert isinstance(config, EngineConfig)
            arrange(config.idle, tries)
            latency(config)
        else:
            of_curve = curve_on(at, slug)[1].build(at.bits, parameters, at.modulus).config
            assert isinstance(of_curve, CurveConfig)
            for blind in (of_curve.blind, 0):
                blinded = replace(of_curve, blind=blind)
                arrange(blinded.idle, tries)
                latency(blinded.at(at.modulus))
            for length in (scalar_bits(at, 0), MARGIN):
                latency(of_curve.at(at.modulus).running(length=length))
        return found.tidied()


def _batch(build: Build) -> Kept:
    """What is found of a curve on a core, of several scalars at a time."""
    kept.cache_clear()
    with learning() as found:
        latency(engine_of(batch_build(*build)))
        return found.tidied()


def _system(name: str) -> Kept:
    """What is found of a system on every core."""
    kept.cache_clear()
    with learning() as found:
        for wish in _wishes(name):
            choose(wish)
        return found.tidied()


def _wishes(name: str) -> Iterator[Wish]:
    for chip in CHIPS.values():
        if name.startswith(ECC):
            at = curve(name.removeprefix(ECC))
            yield Wish(at.bits, chip, modulus(at.field), system=name)
        else:
            for width in RSA_WIDTHS if name == "rsa_crt" else WIDTHS:
                yield Wish(width, chip, system=name)


def main(jobs: JobsOption = 2) -> None:
    """Find what is missing, count anew what is stale, and drop what nobody asks for."""
    before, found = kept(), Kept({})
    with ProcessPoolExecutor(jobs) as pool:
        patient = {pool.submit(_build, each, two=True): each for each in BOTH_BUILDS}
        patient |= {pool.submit(_build, each, two=False): each for each in CURVE_BUILDS}
        _keep(patient, before, found)
        _keep({pool.submit(_batch, each): each for each in BATCHES}, before, found)
        compared = dict.fromkeys(name for name, _, _ in CURVE_BUILDS)  # what most ask for comes first
        names = (*systems(), *(f"{ECC}{name}" for name in dict.fromkeys((*compared, *CURVES))))
        _keep({pool.submit(_system, name): name for name in names}, before, found)
    _write(found)


def _keep(runs: Mapping[Future[Kept], object], before: Kept, found: Kept) -> None:
    """Write what is found as it comes."""
    for run in as_completed(runs):
        found.add(run.result())
        before.add(found)
        _write(before)
        say(f"{runs[run]}: {len(found.orders)} orders, {len(found.cycles)} times")


def _write(found: Kept) -> None:
    """All at once, for others read meanwhile."""
    whole = FILE.with_suffix(".new")
    whole.write_text(found.text())
    whole.replace(FILE)


if __name__ == "__main__":
    typer.run(main)
