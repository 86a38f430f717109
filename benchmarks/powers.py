# SPDX-License-Identifier: Apache-2.0
"""Powers on every core, cycles counted on the simulated hardware, beside what the papers print or imply.

``make powers`` runs it; ``ARGS="--width 512 --cores fips,montgomery_csa2"`` asks for less. Each result is
checked.
"""

from __future__ import annotations

import random
from itertools import count
from typing import Annotated

import typer
from speed import cpu_seconds

from modmul.cli.options import names
from modmul.cli.printing import out, print_table
from modmul.cli.progress import showing
from modmul.core import RsaKey, ceil_div
from modmul.registry import choose_rooms, on, quickest
from modmul.study.papers import half_ones
from modmul.systems.engine import EngineConfig, bare, multiplications
from modmul.systems.power import Timing
from modmul.tools.progress import Listener
from modmul.use.power import build, operate, private_operation
from modmul.verify.simulation import Simulation

PINCKNEY = (
    *(("scalable_booth4_right", p, n, c) for p, n, c in ((16, 256, 297), (16, 1024, 2145), (32, 1024, 1105))),
    *(("scalable_booth4_left", p, n, c) for p, n, c in ((16, 256, 171), (16, 1024, 2178), (32, 1024, 1122))),
    ("scalable_radix4", 32, 1024, 1122),
    ("scalable_radix2_parallel", 64, 1024, 1173),
    ("scalable_radix2", 64, 1024, 1173),
)
"""Core, elements, bits, cycles of a multiplication (Table III, by its formulas), w = 16; a power there
is 2n + 2 of them."""

AMANOR = (
    ("interleaved_csa", 22.7, 69.4, 6.1, 64.9),
    ("montgomery_csa1", 32.2, 49.0, 9.1, 43.3),
    ("montgomery_csa2", 37.5, 42.1, 9.7, 40.8),
)
"""Core, ms of a private operation of 1024 bits without CRT, MHz (Table 3; its last rows are swapped there),
ms with CRT (Table 3), MHz of 512 bits (Table 2)."""

DAI = ((1024, 1, 5.63), (1024, 2, 4.0), (2048, 2, 7.9))
"""Bits, butterflies, µs of a multiplication (Table 7), P = 64 and 128."""

SIMULATED = 15
"""CPU-seconds that simulating an operation of RSA-2048 on the fastest core is to take at most."""


def exponent(bits: int, rng: random.Random) -> int:
    """An exponent of which half the bits are 1, the highest among them."""
    places = rng.sample(range(bits - 1), bits // 2 - 1)
    return sum(1 << place for place in (*places, bits - 1))


def power(
    system: str, core: str, bits: int, settings: dict[str, int], rng: random.Random, listener: Listener
) -> int:
    """Cycles of a checked power: a random odd modulus and an exponent of half ones, both of full length."""
    made = build(system, core, bits, settings)
    found, config = made.room, made.config
    odd = (rng.getrandbits(bits) | 1 << (bits - 1) | 1 for _ in count())
    modulus = next(modulus for modulus in odd if found.core.function.serves(config, modulus))
    x = rng.randrange(modulus)
    return operate(made, modulus, x, exponent(bits, rng), listener=listener).cycles


def halved(core: str, bits: int, settings: dict[str, int], rng: random.Random, listener: Listener) -> int:
    """The same bit by bit, less the products by bits of 0, which no system leaves out."""
    settings = {"Window": 1, **settings}
    build = on("modexp", core).build(bits, settings)
    return power("modexp", core, bits, settings, rng, listener) - build.latency + half_ones(build)


def private(core: str, bits: int, settings: dict[str, int], listener: Listener) -> int:
    """Cycles of a checked private operation with CRT, a key of a fixed example."""
    made = build("rsa_crt", core, bits, settings)
    found, config = made.room, made.config
    key = found.core.function.some_modulus(config)
    assert isinstance(key, RsaKey)
    return private_operation(made, key, 2 << (bits - 8), listener=listener).cycles


def of_rsa(
    cores: list[str] | None, bits: int, listener: Listener, settings: dict[str, int] | None = None
) -> None:
    """RSA on every core: clock cycles, and what the simulation of them takes, beside what is asked for."""
    rows = []
    settings = settings or {}
    for room in choose_rooms(cores):
        slug = room.core.slug
        made = build("rsa_crt", slug, bits, settings)
        began = cpu_seconds()
        Simulation(made)
        built = cpu_seconds()
        cycles = private(slug, bits, settings, listener)
        spent = cpu_seconds() - built
        asked = met = ""
        if (slug, bits) == (quickest("rsa_crt"), 2048):
            asked, met = f"{SIMULATED}", "yes" if spent <= SIMULATED else "no"
        rows.append([slug, f"{cycles:,}", f"{spent:.1f}", asked, met, f"{built - began:.1f}"])
    told = "".join(f", {name}={value}" for name, value in settings.items())
    out.print(f"\nRSA of {bits} bits with CRT{told}", markup=False)
    headings = ("core", "cycles", "simulated in CPU-s", "asked", "met", "built in CPU-s")
    print_table(headings, rows, numbers=True)


def of_cores(cores: str | None, width: int, rng: random.Random, listener: Listener) -> None:
    """Every core: the bare multiplications of a power, the power, what the system adds, the other methods."""
    rows = []
    for room in choose_rooms(names([cores]) if cores else None):
        slug = room.core.slug
        config = build("modexp", slug, width).config
        assert isinstance(config, EngineConfig)
        time = Timing(room.core, config.at(room.core.function.some_modulus(config.inner)).at_core)
        product, square = time.alone(), time.alone(square=True)
        taken = power("modexp", slug, width, {}, rng, listener)
        others = (
            power(system, slug, width, settings, rng, listener)
            for system, settings in (
                ("modexp", {"Window": 1}),
                ("ladder", {"Cores": 1}),
                ("ladder", {"Cores": 2}),
            )
        )
        shares = f"{100 * (taken / bare(config) - 1):.2f}"
        rows.append([slug, f"{product:,}", f"{square:,}", f"{taken:,}", shares, *(f"{c:,}" for c in others)])
    out.print(f"\nx^e mod M, {width} bits, cycles; half the bits of e are 1", markup=False)
    headings = (
        "core",
        "product",
        "square",
        "windows",
        "over, %",
        "binary",
        "ladder",
        "two cores",
    )
    print_table(headings, rows, numbers=True)


def of_pinckney(rng: random.Random, listener: Listener) -> None:
    """Pinckney and Harris, Table III: 2n + 2 multiplications."""
    rows = []
    for slug, elements, bits, cycles in PINCKNEY:
        taken = power("modexp", slug, bits, {"Window": 1, "Word": 16, "Pes": elements}, rng, listener)
        printed = (2 * bits + 2) * cycles
        best = power("modexp", slug, bits, {"Word": 16, "Pes": elements}, rng, listener)
        rows.append([f"{slug} p={elements}", str(bits), f"{printed:,}", f"{taken:,}", f"{best:,}"])
    out.print("\npinckney2008, Table III: cycles of a power, 2n + 2 multiplications", markup=False)
    print_table(("core", "bits", "paper's formula", "binary", "windows"), rows, numbers=True)


def of_zhang(rng: random.Random, listener: Listener) -> None:
    """Zhang et al., Fig. 11: left to right against ladder, half of the key's bits 1, s words of 32 bits."""
    rows = []
    for bits in (128, 256, 512, 1024):
        s = ceil_div(bits, 32)
        square, product = (3 * s * s + 3 * s) // 2 + 4, 2 * s * s + s + 4
        printed = bits * square + bits // 2 * product, bits * product
        ours = (
            halved("fips", bits, {"FieldSet": 1}, rng, listener),
            power("ladder", "fips", bits, {"Cores": 2, "FieldSet": 1}, rng, listener),
        )
        ratios = (f"{theirs[0] / theirs[1]:.2f}" for theirs in (printed, ours))
        rows.append([str(bits), *(f"{c:,}" for c in printed), *(f"{c:,}" for c in ours), *ratios])
    out.print(
        "\nzhang2020, Fig. 11: left to right on one multiplier (L_R) against the ladder on two (ML); the "
        "paper's counts from its cycles of a square and a product",
        markup=False,
    )
    headings = ("bits", "paper L_R", "paper ML", "L_R", "ML", "paper L_R/ML", "L_R/ML")
    print_table(headings, rows, numbers=True)


def of_dai(rng: random.Random, listener: Listener) -> None:
    """Dai et al., Table 7: a multiplication of an exponentiation that stays in the spectral domain."""
    rows = []
    for bits, butterflies, time in DAI:
        config = build("modexp", "fmlm3", bits, {"Butterflies": butterflies}).config
        assert isinstance(config, EngineConfig)
        squares, products = multiplications(config)
        taken = power("modexp", "fmlm3", bits, {"Butterflies": butterflies}, rng, listener)
        each = taken / (squares + products)
        shown = (
            f"{squares:,}",
            f"{products:,}",
            f"{taken:,}",
            f"{each:,.0f}",
            f"{time}",
            f"{each / time:.0f}",
        )
        rows.append([f"{bits:,}", str(butterflies), *shown])
    out.print("\ndai2017, Table 7: cycles of a power on fmlm3, and of one multiplication in it", markup=False)
    headings = ("bits", "BFS", "squares", "products", "power", "each", "paper, us", "equal at MHz")
    print_table(headings, rows, numbers=True)


def of_amanor(rng: random.Random, listener: Listener) -> None:
    """Amanor et al., Table 3: RSA of 1024 bits."""
    rows = []
    plain = {"Window": 1, "Blind": 0, "BlindMessage": 0, "Check": 0}
    for slug, whole, mhz, halves, mhz_halves in AMANOR:
        taken = halved(slug, 1024, {}, rng, listener)
        best = power("modexp", slug, 1024, {}, rng, listener)
        crt = private(slug, 1024, plain, listener), private(slug, 1024, {}, listener)
        paper = whole * mhz * 1000, halves * mhz_halves * 1000
        rows.append([slug, *(f"{c:,.0f}" for c in (paper[0], taken, best, paper[1], *crt))])
    out.print("\namanor2005, Table 3: cycles of a private operation of 1024 bits", markup=False)
    without = ("ms x MHz", "binary, without bits of 0", "windows")
    headings = ("core", *without, "CRT, ms x MHz", "binary", "protected")
    print_table(headings, rows, numbers=True)


def main(
    cores: Annotated[str | None, typer.Option(metavar="CORE,…", help="Only these cores.")] = None,
    width: Annotated[int, typer.Option(min=8, help="Bits of the moduli of the first table.")] = 1024,
    rsa: Annotated[int, typer.Option(help="Bits of the keys of the second; 0 leaves it out.")] = 2048,
    papers: Annotated[bool, typer.Option(help="Also what the papers print of exponentiation.")] = True,
    seed: Annotated[int, typer.Option(help="Of the numbers.")] = 1,
) -> None:
    """Print the tables."""
    rng = random.Random(seed)
    with showing("nothing is kept but the compiled simulations") as listener:
        of_cores(cores, width, rng, listener)
        if rsa:
            of_rsa(names([cores]) if cores else None, rsa, listener)
        if papers:
            of_pinckney(rng, listener)
            of_zhang(rng, listener)
            of_dai(rng, listener)
            of_amanor(rng, listener)


if __name__ == "__main__":
    typer.run(main)
