# SPDX-License-Identifier: Apache-2.0
"""small_fixed: x * y mod M for a prime of few blocks that the build fixes, every clock cycle."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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
    check_fixed,
    check_parameter,
    fixed_examples,
    fixed_refused,
    full_modulus,
    modulus_text,
)
from modmul.cores.small.small import check_tiles, product_cycles, stream, sum_cycles

MOST_TABLES = 64
"""Bits of the longest modulus of any form; longer ones have one that folds by additions."""


@dataclass(frozen=True)
class SmallFixed(Config):
    """A build.

    Attributes:
        tile_a: bits of the wide side of a multiplier block, signed, 8 to 64: 25 on 7 series.
        tile_b: bits of the narrow side, 8 to 64 and at most ``tile_a``: 18 on 7 series.
        digit: bits that a table of the reduction is asked for, 2 to 8: 5 where LUTs have six inputs.
        carry: 0 for a short pipeline; otherwise, with registers behind each product, the bits of an
            addition in a cycle, from 8.
        queue: 1 for a pipeline that never stands still, with a memory of results behind it; 0 for one that
            waits with its result.
        modulus: the one of the build: odd, of ``width`` bits; of more than :data:`MOST_TABLES` bits of the
            form 2^n - 1 or 2^n - 2^m + 1.
    """

    tile_a: int = 25
    tile_b: int = 18
    digit: int = 5
    carry: int = 0
    queue: int = 0
    modulus: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_tiles(self.tile_a, self.tile_b)
        if not 2 <= self.digit <= 8:
            raise ValueError(f"digit must be 2 to 8 bits, got {self.digit}")
        if self.carry and self.carry < 8:
            raise ValueError(f"carry must be 0 or at least 8 bits, got {self.carry}")
        if self.queue not in (0, 1):
            raise ValueError(f"queue must be 0 or 1, got {self.queue}")
        check_parameter(self.width, self.modulus)
        if self.width > MOST_TABLES and self.way == "tables":
            raise ValueError(
                f"modulus of more than {MOST_TABLES} bits must be 2^{self.width} - 1 or 2^{self.width} "
                f"less a power of 2 plus 1, got {modulus_text(self.modulus)}"
            )

    @property
    def multiplier_blocks(self) -> bool:
        """They make the product."""
        return True

    @property
    def trace_bits(self) -> int:
        """T."""
        return 2 * self.width

    @property
    def place(self) -> int:
        """m: M = k * 2^m + 1 with an odd k."""
        below = self.modulus - 1
        return (below & -below).bit_length() - 1

    @property
    def k(self) -> int:
        """k: M = k * 2^m + 1."""
        return self.modulus >> self.place

    @property
    def g(self) -> int:
        """Bits of k."""
        return self.width - self.place

    @property
    def way(self) -> str:
        """How it reduces: ``"ones"``, ``"proth"``, ``"digits"`` or ``"tables"``, as the hardware decides."""
        if self.modulus == (1 << self.width) - 1:
            return "ones"
        if self.g > 3 and self.k == (1 << self.g) - 1:
            return "proth"
        return "digits" if self.k in (1, 3, 5, 7) and not self.deep else "tables"

    def cut_off(self, levels: int, behind: int) -> int:
        """256 times the bound on what the quotient of ``proth`` lacks, in units of the last of its bits."""
        largest = self.modulus**2 >> (self.width - behind)
        lost, place = 256, self.g
        for _ in range(levels):
            if self.deep:
                largest += largest >> place
                lost += (lost >> place) + 257
            else:
                largest += (largest >> place) + (largest >> 2 * place)
                lost += (lost >> place) + (lost >> 2 * place) + 514
            place *= 2 if self.deep else 3
        return lost + ((largest << 8) >> place) + 1

    @property
    def levels(self) -> int:
        """Additions of ``proth`` in the division by k: the fewest with which it is at most 1 too small."""
        most = min(self.width, 5)
        return next(count for count in range(1, 11) if self.cut_off(count, most) <= 256 << most)

    @property
    def behind(self) -> int:
        """Bits behind the point in that division: the fewest."""
        most = min(self.width, 5)
        return next(f for f in range(1, most + 1) if self.cut_off(self.levels, f) <= 256 << f)

    @property
    def folds(self) -> list[int]:
        """Bits of T after each fold of ``tables`` before the last."""
        bound, lengths = self.modulus**2, []
        while bound >> (self.width - 1 + self.digit):
            bound = (1 << (bound.bit_length() - self.digit)) + self.modulus - 2
            lengths.append(bound.bit_length())
        return lengths

    @property
    def deep(self) -> int:
        """1 with registers behind each product, 0 with few of them."""
        return int(self.carry > 0)

    @property
    def product(self) -> int:
        """Cycles of step 1."""
        return product_cycles(self.width, self.tile_a, self.tile_b, self.carry, self.queue)

    @property
    def reduction(self) -> int:
        """Cycles of what follows it."""
        n, g = self.width, self.g
        last = sum_cycles(n + 1, self.carry) + sum_cycles(n, self.carry)
        if self.way == "ones":
            return last + self.deep
        if self.way == "digits":
            return 3
        if self.way == "proth":
            if not self.deep:
                return max(self.levels - 1, 1) + 2
            level = sum_cycles(n + self.behind, self.carry)
            return self.levels * level + sum_cycles(g + 1, self.carry) + 2 + sum_cycles(g, self.carry) + last
        if self.deep:
            return sum(sum_cycles(length, self.carry) for length in self.folds) + last
        return ceil_div(len(self.folds), 2) + last


def depth(config: SmallFixed) -> int:
    """Registers of the pipeline."""
    return config.product + config.reduction


def latency(config: SmallFixed) -> int:
    """The pipeline, and the memory of results."""
    return depth(config) + config.queue


def interval(_config: SmallFixed) -> int:
    """Operands come every cycle."""
    return 1


def in_flight(config: SmallFixed) -> int:
    """As many as the pipeline holds; with a memory of results, as many as that has room for."""
    return latency(config) + 3 * config.queue


def trace(_config: SmallFixed) -> dict[str, str]:
    return {"T": "t", "z": "z"}


def model(config: SmallFixed, m: int, x: int, y: int) -> Iterator[Step]:
    """The product, and the result, in the cycles in which they are there."""
    for _ in range(config.product - 1):
        yield Step("1", {})
    yield Step("1", {"T": x * y})
    for _ in range(config.reduction - 1):
        yield Step("2 …", {})
    yield Step("z", {"z": x * y % m})
    for _ in range(config.queue):
        yield Step("", {})


OF_LENGTH: Mapping[int, tuple[int, ...]] = {
    12: (3329,),
    14: (12289,),
    23: (2**23 - 2**13 + 1,),
    31: (2**31 - 2**27 + 1, 2**31 - 2**24 + 1, 2**31 - 1),
    64: (2**64 - 2**32 + 1,),
}
"""The moduli of the default builds, by their length; otherwise 2^n - 2^(n/2) + 1.

ML-KEM, Falcon, ML-DSA, BabyBear, KoalaBear and Mersenne31, Goldilocks.
"""


def default_moduli(width: int) -> tuple[int, ...]:
    """Those of the default builds: 3 and 5 for the shortest, which have no other form."""
    return OF_LENGTH.get(width, ((1 << width) - (1 << width // 2) + 1 if width > 3 else 2 * width - 1,))


def explore(width: int) -> Sequence[SmallFixed]:
    """One for each prime of that length in use, or a default."""
    return tuple(SmallFixed(width, modulus=modulus) for modulus in default_moduli(width))


def on_ecp5(config: SmallFixed) -> SmallFixed:
    """Blocks of 18 by 18 bits, tables for LUTs of four inputs, registers for a fast clock.

    From 37 bits on a queue takes the place of an enable of so many registers.
    """
    return replace(config, tile_a=18, tile_b=18, digit=4, carry=36, queue=int(config.width > 36))


def explore_ecp5(width: int) -> Sequence[SmallFixed]:
    """Those for ECP5; above 64 bits the default."""
    return tuple(map(on_ecp5, explore(width))) if width <= MOST_TABLES else explore(width)


def explore_dsp48e2(width: int) -> Sequence[SmallFixed]:
    """Multiplier blocks with a wide side of 27 bits; above 64 bits the default."""
    if width > MOST_TABLES:
        return explore(width)
    return tuple(replace(config, tile_a=27) for config in explore(width))


def for_modulus(width: int, modulus: int) -> Sequence[SmallFixed]:
    """The build for one modulus."""
    full_modulus(Config(width), modulus)
    return (SmallFixed(width, modulus=modulus),)


def variants(width: int) -> Sequence[SmallFixed]:
    """Each way of reduction, short blocks, long pipelines, and queues."""
    top = 1 << width
    if width > 64:
        return ()
    if width > 6:
        ones, proth, digits, dense = (
            *(top - 1, top - (1 << width - 4) + 1, (top >> 1) + 1),
            top - 3 * (top >> 3) + 27,
        )
        short = {"tile_a": 11, "tile_b": 9, "carry": 11}
        return (
            SmallFixed(width, modulus=ones, queue=1),
            SmallFixed(width, modulus=digits),
            *(SmallFixed(width, modulus=modulus, **short) for modulus in (ones, proth)),
            SmallFixed(width, modulus=dense, digit=3, queue=1, **short)
            if width < 48
            else SmallFixed(width, modulus=dense),
        )
    some = sorted({top - 1, top - 3, (top >> 1) + 1, top - (top >> 3) - 3 | 1})
    return (
        *(SmallFixed(width, modulus=modulus) for modulus in some if modulus >> width - 1 == 1),
        SmallFixed(width, modulus=top - 1, carry=8, queue=1),
        SmallFixed(width, modulus=top - 3 if width > 2 else 3, carry=8, digit=4),
    )


def values(_width: int) -> Mapping[str, Sequence[int]]:
    """The sides of the blocks there are, and digits for LUTs of four and six inputs."""
    return {"TileA": (17, 18, 25, 27), "TileB": (17, 18), "Digit": (3, 4, 5, 6)}


CORE = Core(
    slug="small_fixed",
    title="Pipelined multiplier for a small prime of the build: one result a clock cycle",
    interface=Interface(
        latency=latency,
        interval=interval,
        in_flight=in_flight,
        stream=stream,
        refused=fixed_refused,
    ),
    function=Function(
        check=check_fixed,
        examples=fixed_examples,
        moduli="the one of the build",
    ),
    algorithm=Algorithm(
        steps="1 a result; the blocks of a chain and two to five additions for the first",
        cycles=latency,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=SmallFixed,
        explore=explore,
        tuned={"ecp5": explore_ecp5, "ultrascaleplus": explore_dsp48e2},
        for_modulus=for_modulus,
        variants=variants,
        values=values,
        longest_in_test=64,
        made_for=MOST_TABLES,
    ),
    origin=Origin(section="src/modmul/cores/small/small_fixed/README.md"),
)
