# SPDX-License-Identifier: Apache-2.0
"""pipelined: a product every clock cycle, by Karatsuba's method, one fold, and Barrett's quotient."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

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
    full_modulus,
)


def odd_digits(factor: int, top: int) -> Iterator[tuple[int, int]]:
    """The odd digits from -7 to 7 that make up a constant, with their places; those below place ``top``."""
    for place in range(top):
        if factor >> place & 1:
            digit = (factor >> place) % 16
            digit -= 16 * (digit > 8)
            factor -= digit << place
            yield place, digit


@dataclass(frozen=True)
class Times:
    """A product by a constant, of which bits from place ``base`` to below place ``top`` are asked for.

    Attributes:
        a_bits: bits of the other factor.
        factor: the constant.
        addend: what is added to it, from 0 on.
    """

    a_bits: int
    factor: int
    base: int
    top: int
    addend: int = 0

    @cached_property
    def rows(self) -> int:
        """Numbers that are added: one for each digit, and one for what their signs ask for."""
        return 1 + sum(1 for _ in odd_digits(self.factor, self.top))

    def of(self, a: int) -> int:
        """What the hardware gives: each row without its bits below ``base``, negative ones inverted."""
        ones = (1 << self.a_bits + 3) - 1
        total, constant = 0, self.addend
        for place, digit in odd_digits(self.factor, self.top):
            if digit < 0:
                constant -= ones << place
            total += ((digit * a if digit > 0 else ones + digit * a) << place) >> self.base
        return (total + (constant % (1 << self.top) >> self.base)) % (1 << self.top - self.base)


@dataclass(frozen=True)
class Pipelined(Config):
    """A build.

    Attributes:
        tile_a: bits of the wide side of a multiplier block, signed, 8 to 64: 25 on 7 series.
        tile_b: bits of the narrow side, 8 to 64: 18 on 7 series.
        leaf: bits of the longest operands that are multiplied without being split, with a sign, from 8.
        carry: bits of an addition in a cycle, from 8; more make fewer cycles and a slower clock.
        terms: numbers that an addition takes where constants are multiplied by: 3 where a LUT with both its
            outputs serves a bit of such an addition, as on Xilinx' devices, otherwise 2.
        modulus: 0 for any modulus of ``width`` bits, or the only one: odd, of ``width`` bits.
    """

    tile_a: int = 25
    tile_b: int = 18
    leaf: int = 104
    carry: int = 144
    terms: int = 3
    modulus: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, bits in (("tile_a", self.tile_a), ("tile_b", self.tile_b)):
            if not 8 <= bits <= 64:
                raise ValueError(f"{name} must be 8 to 64 bits, got {bits}")
        for name, bits in (("leaf", self.leaf), ("carry", self.carry)):
            if bits < 8:
                raise ValueError(f"{name} must be at least 8 bits, got {bits}")
        if self.terms not in (2, 3):
            raise ValueError(f"terms must be 2 or 3, got {self.terms}")
        if self.modulus:
            check_parameter(self.width, self.modulus)

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

    @property
    def point(self) -> int:
        """Bits behind the point of t * U in a build for one modulus."""
        return self.width + 3 + self.behind

    @cached_property
    def quotient(self) -> Times:
        """t * U of a build for one modulus, with bits behind the point: all rows lose less than a quarter."""
        n = self.width
        whole = Times(n + self.behind, (1 << 2 * n + 3) // self.modulus, 0, self.point + n + 1)
        return replace(whole, base=self.point - (whole.rows - 1).bit_length() - 2)

    @cached_property
    def multiple(self) -> Times:
        """q * M + M of a build for one modulus, the lower bits."""
        return Times(self.width + 1, self.modulus, 0, self.width + 1, self.modulus)

    def times_cycles(self, times: Times) -> int:
        """Cycles of ``mm_pipelined_times``: the multiples, the tree, and a cycle for each further piece."""
        level = next(level for level in range(20) if self.terms**level >= times.rows)
        return self.steps(times.a_bits + 3) + level + self.steps(times.top - times.base) - 1

    @property
    def stages(self) -> dict[str, int]:
        """The cycle after the operands' in which the result of each step is there."""
        n, c = self.width, self.half
        times = {"1": self.mul_cycles(n)}
        if self.modulus:
            times["2"] = times["1"] + self.times_cycles(self.quotient)
            times["3"] = times["2"] + self.times_cycles(self.multiple) + self.steps(n + 1)
            return times | {"4": times["3"] + self.steps(n)}
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
    if not config.modulus:
        return {"T'": "gen_any.sum"}
    return {"q": "gen_fixed.u_fixed.q", "r": "gen_fixed.u_fixed.r"}


def folded(config: Pipelined, m: int, x: int, y: int) -> int:
    """T' of step 2."""
    high, low = divmod(x * y, 1 << config.fold_at)
    return low + high * pow(2, config.fold_at, m)


def fixed_steps(config: Pipelined, t: int) -> dict[str, dict[str, int]]:
    """q and r of steps 2 and 3 in a build for one modulus, in two's complement of n + 1 bits."""
    q = config.quotient.of(t >> config.width - config.behind) >> config.point - config.quotient.base
    r = (t - config.multiple.of(q)) % (2 << config.width)
    return {"2": {"q": q}, "3": {"r": r}}


def model(config: Pipelined, m: int, x: int, y: int) -> Iterator[Step]:
    """What the trace shows, in the cycle in which it is there."""
    stages = config.stages
    shown = fixed_steps(config, x * y) if config.modulus else {"2": {"T'": folded(config, m, x, y)}}
    ends = {stages[label]: state for label, state in shown.items()}
    for cycle in range(1, latency(config) + 1):
        label = next((label for label, end in stages.items() if cycle <= end), "z")
        yield Step(label, ends.get(cycle, {}))


def explore(width: int) -> Sequence[Pipelined]:
    """The default."""
    return (Pipelined(width),)


def explore_dsp48e2(width: int) -> Sequence[Pipelined]:
    """Multiplier blocks with a wide side of 27 bits."""
    return (Pipelined(width, tile_a=27),)


def variants(width: int) -> Sequence[Pipelined]:
    """Other blocks, and splitting and carries for short operands; fixed moduli."""
    fixed = {64: 2**64 - 2**32 + 1, 255: 2**255 - 19}
    if width in fixed:
        return (Pipelined(width, modulus=fixed[width]),)
    more, less = (11 << width) // 13 | 1, (5 << width) // 9 | 1
    short = Pipelined(width, tile_a=18, tile_b=18, leaf=8, carry=8)
    if width > 16:
        return (Pipelined(width, carry=20, modulus=less),) if width < 64 else ()
    return short, replace(short, terms=2, modulus=more) if width % 2 else Pipelined(width, modulus=less)


def values(_width: int) -> Mapping[str, Sequence[int]]:
    """The sides of the blocks there are; leaves of some blocks, additions of some words."""
    return {
        "TileA": (17, 18, 25, 27),
        "TileB": (17, 18),
        "Leaf": (26, 52, 78, 104, 130, 156, 208),
        "Carry": (36, 48, 72, 96, 144, 192, 288),
        "Terms": (2, 3),
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
