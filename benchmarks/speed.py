# SPDX-License-Identifier: Apache-2.0
"""Speeds that people wait for, printed and never judged: a loaded machine is slow, not wrong.

Each line is CPU time of this process and of the tools it started. ``make bench`` runs it.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable
from functools import partial

from modmul.core import Domain, Polynomial
from modmul.registry import room
from modmul.verify import checks
from modmul.verify.simulation import Simulation

B571 = Polynomial((1 << 571) | (1 << 10) | (1 << 5) | (1 << 2) | 1)
P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1


def cpu_seconds() -> float:
    """CPU time so far, children that have ended included."""
    return sum(os.times()[:4])


def report(what: str, count: int, unit: str, work: Callable[[], object]) -> None:
    """Print how long a piece of work took, and for how many units a second that makes."""
    start = cpu_seconds()
    work()
    spent = max(cpu_seconds() - start, 0.01)
    print(f"{what:<56}{spent:8.2f} s {count / spent:14,.1f} {unit}/s", flush=True)


def checked(simulation: Simulation, modulus: int) -> int:
    """Ten thousand random operations, each compared with the right product."""
    return sum(checks.check_random(simulation, modulus, 10_000, random.Random(1)))


def main() -> None:
    """Print the table."""
    rng = random.Random(1)
    products = 5_000
    for name, modulus, bits in (("P-256", P256, 256), ("B-571", B571, 571)):
        domain = Domain("montgomery", 1 << bits)
        pairs = [(rng.getrandbits(bits - 1), rng.getrandbits(bits - 1)) for _ in range(products)]

        def multiply(
            domain: Domain = domain, modulus: int = modulus, pairs: list[tuple[int, int]] = pairs
        ) -> None:
            for x, y in pairs:
                domain.product(modulus, x, y)

        report(f"right products, {name}", products, "products", multiply)
    for slug in ("imml_booth4", "montgomery_csa1", "scalable_booth4_left", "fips"):
        found = room(slug)
        config = found.core.builds.at(256)[0]
        report(f"{slug}: build the simulation", 1, "builds", partial(Simulation, found.of(config)))
        simulation = Simulation(found.of(config))
        modulus = checks.interesting_moduli(found.of(config), rng, 1)[0]
        report(
            f"{slug}: checked operations, 256 bits",
            10_000,
            "operations",
            partial(checked, simulation, modulus),
        )
        contexts = partial(checks.check_context, simulation, [modulus], rng)
        report(f"{slug}: contexts in pieces", 1, "checks", contexts)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        os.environ["MODMUL_CACHE"] = empty
        main()
