# SPDX-License-Identifier: Apache-2.0
"""small_any: x * y mod M for any M of one length, every clock cycle, by Barrett's quotient."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from modmul.core import (
    Algorithm,
    Builds,
    Config,
    Core,
    Function,
    Interface,
    Origin,
    Step,
    ceil_div,
    full_modulus,
)
from modmul.cores.small.small import check_tiles, product_cycles, registers, stream

MOST = 32
"""Bits of the longest modulus whose products are cut for blocks of 18 bits."""


@dataclass(frozen=True)
class SmallAny(Config):
    """A build.

    Attributes:
        tile_a: bits of the wide side of a multiplier block, signed, 8 to 64: 25 on 7 series.
        tile_b: bits of the narrow side, 8 to 64 and at most ``tile_a``: 18 on 7 series.
        corner: a product of so many bits, and in as many, is made of LUTs in step 3, 0 to 16.
        carry: 0 for a short pipeline; otherwise, with registers behind each product, the bits of an
            addition in a cycle, from 8.
        queue: 1 for a pipeline that never stands still, with a memory of results behind it; 0 for one that
            waits with its result.
    """

    tile_a: int = 25
    tile_b: int = 18
    corner: int = 10
    carry: int = 0
    queue: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_tiles(self.tile_a, self.tile_b)
        if not 0 <= self.corner <= 16:
            raise ValueError(f"corner must be 0 to 16 bits, got {self.corner}")
        if self.carry and self.carry < 8:
            raise ValueError(f"carry must be 0 or at least 8 bits, got {self.carry}")
        if self.queue not in (0, 1):
            raise ValueError(f"queue must be 0 or 1, got {self.queue}")

    @property
    def multiplier_blocks(self) -> bool:
        """They make the products."""
        return True

    @property
    def trace_bits(self) -> int:
        """T."""
        return 2 * self.width

    @property
    def cut(self) -> int:
        """Bits of a piece on the narrow side."""
        return self.tile_b - 1

    @property
    def whole(self) -> bool:
        """Whether step 2 makes the whole product of t and v: t goes into one block, or not into halves."""
        return self.short or self.width + 2 > 2 * self.cut

    @property
    def short(self) -> bool:
        """Whether t goes into one block."""
        return self.width + 2 <= self.tile_a - 1

    @property
    def guard(self) -> int:
        """G: bits of t below M's highest."""
        return 1 if self.whole else 2

    @property
    def deep(self) -> int:
        """1 with registers behind each product, 0 with few of them."""
        return int(self.carry > 0)

    @property
    def product(self) -> int:
        """Cycles of step 1."""
        return product_cycles(self.width, self.tile_a, self.tile_b, self.carry, self.queue)

    @property
    def quotient(self) -> int:
        """Cycles of step 2."""
        blocks = ceil_div(self.width + 1 + self.guard, self.cut) if self.short else 1 if self.whole else 3
        return blocks + 1 + registers(self.carry, self.queue)

    @property
    def rest(self) -> int:
        """Cycles of step 3."""
        above = self.width + 1 - (self.tile_a - 1)
        blocks = ceil_div(self.width, self.cut) + (above > max(self.corner, 0))
        return (1 if self.whole and not self.short else blocks) + 1 + registers(self.carry, self.queue)


def latency(config: SmallAny) -> int:
    """The pipeline, and the memory of results."""
    return config.product + config.quotient + config.rest + 1 + config.deep + config.queue


def interval(_config: SmallAny) -> int:
    """Operands come every cycle."""
    return 1


def inverse(config: SmallAny, modulus: int) -> int:
    """-v."""
    return (1 << (2 * config.width + config.guard)) // modulus


def context(config: SmallAny, modulus: int) -> Sequence[int]:
    """M, and the bits of v below its highest two."""
    kept = config.width + config.guard
    v = -inverse(config, modulus) % (1 << kept)
    low = (1 << config.width) - 1
    return [modulus, *(v >> place & low for place in range(0, kept, config.width))]


def check(config: SmallAny, modulus: int) -> None:
    """Raise ValueError unless the modulus has all bits."""
    full_modulus(config, modulus)


def examples(config: SmallAny) -> Iterator[int]:
    """Moduli of full length: up to six bits all of them."""
    top = 1 << config.width
    if config.width <= 6:
        yield from reversed(range(top // 2, top))
    else:
        yield from (top - 1, top // 2 + 1, top // 2, top - 2, top // 2 + (1 << config.width // 2) + 1)
        rng = random.Random(config.width)
        yield from (top // 2 + rng.randrange(top // 2) for _ in range(20))


def quotient(config: SmallAny, m: int, t: int) -> int:
    """w of step 2, by T."""
    n, g = config.width, config.guard
    top = t >> (n - 1 - g) if n > g else t << (g + 1 - n)
    v, shift = -inverse(config, m), n + 1 + 2 * g
    if config.whole:
        return top * v >> shift
    low = n + 1 + g - (n + 3) // 2
    dropped = (top % (1 << low)) * (v % (1 << low))
    return top * v - dropped + (1 << (shift - 1)) >> shift


def in_flight(config: SmallAny) -> int:
    """As many as the pipeline holds; with a memory of results, as many as that has room for."""
    return latency(config) + 3 * config.queue


def trace(_config: SmallAny) -> dict[str, str]:
    return {"T": "product", "w": "w", "r": "r", "z": "z_q"}


def model(config: SmallAny, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number, in the cycles in which their results are there."""
    t = x * y
    w = quotient(config, m, t)
    r = t + w * m
    wrap = (1 << (config.width + 1)) - 1
    for label, cycles, state in (
        ("1", config.product, {"T": t}),
        ("2", config.quotient, {"w": w & wrap}),
        ("3", config.rest, {"r": r & wrap}),
        ("4", 1 + config.deep, {"z": r % m}),
        ("", config.queue, {}),
    ):
        for cycle in range(1, cycles + 1):
            yield Step(label, state if cycle == cycles else {})


def explore(width: int) -> Sequence[SmallAny]:
    """The default; above 64 bits for blocks as wide as may be."""
    return (SmallAny(width),) if width <= 64 else (SmallAny(width, tile_a=64, tile_b=64),)


def explore_ecp5(width: int) -> Sequence[SmallAny]:
    """Blocks of 18 by 18 bits, and registers for a fast clock; from 31 bits on a queue, and no enable."""
    if width > 64:
        return explore(width)
    long = width > 30
    return (SmallAny(width, tile_a=18, tile_b=18, corner=0, carry=36, queue=int(long)),)


def explore_dsp48e2(width: int) -> Sequence[SmallAny]:
    """Multiplier blocks with a wide side of 27 bits."""
    return (SmallAny(width, tile_a=27),) if width <= 64 else explore(width)


def variants(width: int) -> Sequence[SmallAny]:
    """Short blocks, for all the ways that products are cut."""
    if width > 16:
        return (SmallAny(width, tile_a=27, corner=4),) if width == 33 else ()
    return (SmallAny(width, tile_a=10, tile_b=8, corner=width % 5 + 1, carry=width % 2 * 8),)


def values(_width: int) -> Mapping[str, Sequence[int]]:
    """The sides of the blocks there are."""
    return {"TileA": (17, 18, 25, 27), "TileB": (17, 18), "Corner": (0, 6, 8, 10)}


CORE = Core(
    slug="small_any",
    title="Pipelined multiplier for any small modulus: one result a clock cycle",
    interface=Interface(
        latency=latency,
        interval=interval,
        context=context,
        in_flight=in_flight,
        stream=stream,
    ),
    function=Function(
        check=check,
        examples=examples,
        moduli="2^(n-1) <= M < 2^n",
    ),
    algorithm=Algorithm(
        steps="1 a result; three products one behind the other for the first",
        cycles=latency,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=SmallAny,
        explore=explore,
        tuned={"ecp5": explore_ecp5, "ultrascaleplus": explore_dsp48e2},
        variants=variants,
        values=values,
        longest_in_test=64,
        made_for=MOST,
    ),
    origin=Origin(section="src/modmul/cores/small/small_any/README.md"),
)
