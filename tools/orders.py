# SPDX-License-Identifier: Apache-2.0
"""``make orders``: finds the orders of rows, and the cycles, that come with the package.

It goes through what ``modmul choose`` is likely to be asked of systems, and writes ``systems/orders.json``.
What is there already is kept, so an interrupted run goes on where it was, and after a change of the engine's
times only cycles are counted anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace

import typer

from modmul.chips import CHIPS
from modmul.cli.options import JobsOption
from modmul.cli.printing import say
from modmul.moduli import curve, modulus
from modmul.moduli.curves import CURVES, Curve
from modmul.registry import ECC, curve_on, systems
from modmul.study.choosing import Wish, choose
from modmul.study.shipping import CURVE_BUILDS
from modmul.systems import engine
from modmul.systems.curves import CurveConfig
from modmul.systems.kept import FILE, Kept, kept, learning

RSA_WIDTHS = (1024, 2048, 3072, 4096)
"""Bits of keys."""

PATIENT = 1500
"""Orders that are timed for the builds of :data:`CURVE_BUILDS`."""

WIDTHS = (*(64, 128, 192, 224, 255, 256, 381, 384, 448, 512, 521), *RSA_WIDTHS)
"""Bits for which systems of any modulus are asked about."""

Task = tuple[str, str, Mapping[str, int]]


def _tasks() -> Iterator[Task]:
    """A system, a core and parameters whose rows are ordered with patience; then systems on every core."""
    yield from ((f"{ECC}{name}", slug, parameters) for name, slug, parameters in CURVE_BUILDS)
    yield from ((name, "", {}) for name in systems())
    yield from ((f"{ECC}{name}", "", {}) for name in CURVES)


def _done(task: Task) -> Kept:
    """What one of them finds, or has found before."""
    name, slug, parameters = task
    kept.cache_clear()
    with learning() as found:
        if slug:
            _patiently(curve(name.removeprefix(ECC)), slug, parameters)
        else:
            for wish in _wishes(name):
                choose(wish)
        return found.tidied()


def _patiently(at: Curve, slug: str, parameters: Mapping[str, int]) -> None:
    _, room = curve_on(at, slug)
    config = room.build(at.bits, parameters, at.modulus).config
    assert isinstance(config, CurveConfig)
    engine.arrange(config.chosen.idle, PATIENT)
    for blind in (config.blind, 0):
        engine.latency(replace(config, blind=blind).at(at.modulus))


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
    tasks = [*_tasks()]
    with ProcessPoolExecutor(jobs) as pool:
        for part in (tasks[: len(CURVE_BUILDS)], tasks[len(CURVE_BUILDS) :]):  # the patient ones first
            runs = {pool.submit(_done, task): task for task in part}
            for run in as_completed(runs):
                found.add(run.result())
                before.add(found)
                FILE.write_text(before.text())
                name, slug, _ = runs[run]
                say(
                    f"{name} {slug or 'on every core'}: {len(found.orders)} orders, {len(found.cycles)} times"
                )
    FILE.write_text(found.text())


if __name__ == "__main__":
    typer.run(main)
