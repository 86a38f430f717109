# SPDX-License-Identifier: Apache-2.0
"""pipelined: a product every clock cycle, by Karatsuba's method, one fold, and Barrett's quotient."""

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
    check_fixed,
    check_parameter,
    check_third,
    full_modulus,
    modulus_text,
    signed_powers,
)

MOST_FOLDS = 64
"""Folds that the hardware's constant functions count."""


@dataclass(frozen=True)
class Pipelined(Config):
    """A build.

    Attributes:
        tile_a: bits of the wide side of a multiplier block, signed, 8 to 64: 25 on 7 series.
        tile_b: bits of the narrow side, 8 to 64: 18 on 7 series.
        leaf: bits of the longest operands that are multiplied without being split, with a sign, from 8.
        carry: bits of an addition in a cycle, from 8; more make fewer cycles and a slower clock.
        modulus: 0 for any modulus of ``width`` bits, or the only one: odd, of ``width`` bits, at least two
            thirds of 2^width, and reduced in at most :data:`MOST_FOLDS` folds.
    """

    tile_a: int = 25
    tile_b: int = 18
    leaf: int = 104
    carry: int = 144
    modulus: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, bits in (("tile_a", self.tile_a), ("tile_b", self.tile_b)):
            if not 8 <= bits <= 64:
                raise ValueError(f"{name} must be 8 to 64 bits, got {bits}")
        for name, bits in (("leaf", self.leaf), ("carry", self.carry)):
            if bits < 8:
                raise ValueError(f"{name} must be at least 8 bits, got {bits}")
        if self.modulus:
            check_parameter(self.width, self.modulus)
            check_third(self.width, self.modulus)
            if len(list(self.folds())) > MOST_FOLDS:
                raise ValueError(
                    f"modulus must be 2^{self.width} - D with a shorter D: "
                    f"{modulus_text(self.modulus)} takes more than {MOST_FOLDS} folds"
                )

    @property
    def multiplier_blocks(self) -> bool:
        """They are the architecture."""
        return True

    @property
    def trace_bits(self) -> int:
        """T' has half as many bits more as an operand, and one."""
        return self.width + self.half + 1

    @property
    def half(self) -> int:
        """c: half of the operand's bits, rounded up."""
        return ceil_div(self.width, 2)

    @property
    def fold_at(self) -> int:
        """F: what lies above it is folded."""
        return self.width + self.width // 2

    @property
    def behind(self) -> int:
        """b: bits of t behind those of T' / 2^n."""
        return min(self.width, 4)

    @property
    def guard(self) -> int:
        """Bits behind the point that are kept of the products in step 3."""
        return 5 + ceil_div(self.half + 5, self.tile_a - 1).bit_length()

    def steps(self, bits: int) -> int:
        """Cycles of an addition."""
        return ceil_div(bits, self.carry)

    def mul_cycles(self, bits: int) -> int:
        """Cycles of ``mm_pipelined_mul``."""
        cycles = 0
        while bits + 1 > self.leaf:
            half = ceil_div(bits, 2)
            cycles += self.steps(half + 1) + 2 * self.steps(2 * half + 1) + self.steps(2 * bits - half)
            cycles += self.steps(half) if half + 1 > self.leaf else 0
            bits = half
        return cycles + ceil_div(bits, self.tile_a - 1) + ceil_div(bits, self.tile_b - 1) + 1

    @property
    def margin(self) -> int:
        """Bits behind the point to which the rows of step 3 are served; they leave out at most 23/32."""
        return next(e for e in range(1, self.guard + 1) if self._left_out(e) <= 23 << 15)

    def _left_out(self, margin: int) -> int:
        """What the rows leave out at most, times 2^20; as the hardware computes it."""
        total = 0
        for row in range(ceil_div(self.half + 5, self.tile_a - 1)):
            weight = self.half + 2 - row * (self.tile_a - 1)
            blocks = ceil_div(max(weight + margin, 0), self.tile_b - 1)
            weight -= blocks * (self.tile_b - 1)
            if blocks * (self.tile_b - 1) < self.half + 1 + self.behind:
                total += 1 << (20 + weight) if weight > -20 else 1
        return total

    def half_cycles(self, bits: int, *, high: bool) -> int:
        """Cycles of ``mm_pipelined_half``: rows of blocks, the shortest first, and the additions."""
        cut = self.tile_a - 1
        served = bits + self.margin if high else bits
        rows = ceil_div(min(self.half + 5, served) if high else served, cut)
        done = 0
        for row in reversed(range(rows)):
            ready = ceil_div(served - row * cut, self.tile_b - 1) + 2
            kept = bits + self.guard - row * cut if high else bits - (row + 1) * cut
            done = ready if row == rows - 1 else max(ready, done) + self.steps(kept)
        return done

    @property
    def lower(self) -> int:
        """Bits of M that are multiplied by the whole quotient."""
        return min(self.half + 2, self.width)

    def folds(self) -> Iterator[int]:
        """The largest T after each fold of ``mm_pipelined_sparse``."""
        n, low = self.width, (1 << self.width) - 1
        largest = (1 << 2 * n) - 1
        while largest >= 2 * self.modulus:
            largest = low + (largest >> n) * ((1 << n) - self.modulus)
            yield largest

    @property
    def stages(self) -> dict[str, int]:
        """The cycle after the operands' in which the result of each step is there."""
        n, c = self.width, self.half
        times = {"1": self.mul_cycles(n)}
        if self.modulus:
            places = [place for place, _ in signed_powers((1 << n) - self.modulus)]
            bits = (max(largest.bit_length(), n) for largest in self.folds())
            folds = sum(self.steps(length - place) for length in bits for place in places)
            times["2-4"] = times["1"] + folds
            return times | {"5": times["2-4"] + self.steps(n + 2) + 1}
        times["2"] = times["1"] + self.mul_cycles(c) + self.steps(n) + self.steps(n + c + 1)
        times["3"] = times["2"] + self.half_cycles(c + 2, high=True)
        rest = n + 1 - self.lower
        upper = self.half_cycles(rest, high=False) if n > self.lower else 0
        join = self.steps(rest) if n > self.lower else 0
        times["4"] = times["3"] + max(self.mul_cycles(c + 2), upper) + join + self.steps(n + 1)
        times["5"] = times["4"] + self.steps(n + 2) + 1
        return times


def latency(config: Pipelined) -> int:
    """The steps, and the memory of results."""
    return max(config.stages.values()) + 2


def cycles(config: Pipelined) -> int:
    """From the operands to the result."""
    return latency(config)


def interval(_config: Pipelined) -> int:
    """Operands come every cycle."""
    return 1


def in_flight(config: Pipelined) -> int:
    """As many as the pipeline and the way out hold."""
    return latency(config) + 1


def context(config: Pipelined, modulus: int) -> Sequence[int]:
    """M, K = 2^F mod M, U = 2^(n + c + 4) / M rounded down, in as many beats as it needs; a fixed M alone."""
    if config.modulus:
        return [modulus]
    n, c = config.width, config.half
    u = min((1 << (n + c + 4)) // modulus, (1 << (c + 5)) - 1)
    beats = [u >> shift & ((1 << n) - 1) for shift in range(0, c + 5, n)]
    return [modulus, (1 << config.fold_at) % modulus, *beats]


def check(config: Pipelined, modulus: int) -> None:
    """Raise ValueError unless the modulus has all bits, and is the one of the build if it has one."""
    if config.modulus:
        check_fixed(config, modulus)
    full_modulus(config, modulus)


def examples(config: Pipelined) -> Iterator[int]:
    """The modulus of a build for one; otherwise moduli of full length: up to six bits all of them."""
    top = 1 << config.width
    if config.modulus:
        yield config.modulus
    elif config.width <= 6:
        yield from reversed(range(top // 2, top))
    else:
        yield from (top - 1, top // 2 + 1, top // 2, top - 2, top // 2 + (1 << config.width // 2) + 1)
        rng = random.Random(config.width)
        yield from (top // 2 + rng.randrange(top // 2) for _ in range(20))


def trace(config: Pipelined) -> dict[str, str]:
    return {} if config.modulus else {"T'": "gen_any.sum"}


def folded(config: Pipelined, m: int, x: int, y: int) -> int:
    """T' of step 2."""
    high, low = divmod(x * y, 1 << config.fold_at)
    return low + high * pow(2, config.fold_at, m)


def model(config: Pipelined, m: int, x: int, y: int) -> Iterator[Step]:
    """Step 2 in the cycle in which its result is there."""
    stages = config.stages
    for cycle in range(1, latency(config) + 1):
        label = next((label for label, end in stages.items() if cycle <= end), "z")
        yield Step(label, {"T'": folded(config, m, x, y)} if cycle == stages.get("2") else {})


def explore(width: int) -> Sequence[Pipelined]:
    """The default."""
    return (Pipelined(width),)


def explore_dsp48e2(width: int) -> Sequence[Pipelined]:
    """Multiplier blocks with a wide side of 27 bits."""
    return (Pipelined(width, tile_a=27),)


def variants(width: int) -> Sequence[Pipelined]:
    """Other blocks, and splitting and carries for short operands; two fixed moduli."""
    fixed = {64: 2**64 - 2**32 + 1, 255: 2**255 - 19}
    if width in fixed:
        return (Pipelined(width, modulus=fixed[width]),)
    return (Pipelined(width, tile_a=18, tile_b=18, leaf=8, carry=8),) if width <= 16 else ()


def values(_width: int) -> Mapping[str, Sequence[int]]:
    """The sides of the blocks there are; leaves of some blocks, additions of some words."""
    return {
        "TileA": (17, 18, 25, 27),
        "TileB": (17, 18),
        "Leaf": (26, 52, 78, 104, 130, 156, 208),
        "Carry": (36, 48, 72, 96, 144, 192, 288),
    }


CORE = Core(
    slug="pipelined",
    title="Pipelined multiplier: one result a clock cycle",
    interface=Interface(
        latency=latency,
        interval=interval,
        context=context,
        in_flight=in_flight,
    ),
    function=Function(
        check=check,
        examples=examples,
        moduli="2^(n-1) <= M < 2^n, or the modulus of the build",
    ),
    algorithm=Algorithm(
        steps="1 a result; the pipeline is as long as multiplications and additions make it",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=Pipelined,
        longest_in_test=200,
        device_limits={"ecp5": 96, "virtex2": 0},
        explore=explore,
        tuned={"ultrascaleplus": explore_dsp48e2},
        variants=variants,
        values=values,
    ),
    origin=Origin(
        section="src/modmul/cores/pipelined/pipelined/README.md",
    ),
)
