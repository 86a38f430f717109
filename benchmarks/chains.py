# SPDX-License-Identifier: Apache-2.0
"""A million products in the simulated pipeline: chains side by side, each product a factor of the next.

``python benchmarks/chains.py`` is modulo the prime of BLS12-381; ``--products 10000`` does less. Every
chain is checked against Python's integers at its end.
"""

from __future__ import annotations

import random
from typing import Annotated

import typer
from speed import cpu_seconds

from modmul.moduli import NAMED
from modmul.registry import room
from modmul.verify.simulation import Simulation

CHAINS = 2_000


def main(
    products: Annotated[int, typer.Option(help="In all.")] = 1_000_000, modulus: str = "bls12-381-fp"
) -> None:
    """Run the chains, and print products a second of processor time."""
    m = int(NAMED[modulus].value)
    rng = random.Random(1)
    found = room("pipelined")
    simulation = Simulation(found.build(m.bit_length()))
    simulation.load(m)
    factors = [rng.randrange(m) for _ in range(CHAINS)]
    hardware, right = list(factors), list(factors)
    start = cpu_seconds()
    steps = -(-products // CHAINS)
    for _ in range(steps):
        hardware = simulation.run(hardware, factors).results
    spent = cpu_seconds() - start
    for _ in range(steps):
        right = [x * y % m for x, y in zip(right, factors, strict=True)]
    if hardware != right:
        raise SystemExit("a product was wrong")
    print(f"{steps * CHAINS:,} products, all right: {steps * CHAINS / spent:,.0f} a second")


if __name__ == "__main__":
    typer.run(main)
