# SPDX-License-Identifier: Apache-2.0
"""The point additions and the bucket loop of this folder from Python: curves, sources in a folder, a run.

``python examples/msm/msm.py 10`` simulates a multi-scalar multiplication of 2^10 points of BLS12-377, and
checks it against the package ``ecdsa``; ``-o FOLDER`` leaves all sources there.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from shutil import copyfile
from typing import Any

from ecdsa.ellipticcurve import INFINITY, CurveFp, PointJacobi
from flint import fmpz_mod_ctx

from modmul.cores.pipelined.pipelined.core import Pipelined
from modmul.design import Design, Port, hierarchy, twins
from modmul.measure import CHIPS
from modmul.measure.synthesis import synthesise
from modmul.moduli import modulus
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.simulator import Model, Unit

__all__ = [
    "CURVES",
    "HERE",
    "Build",
    "Curve",
    "Hardware",
    "Point",
    "by_library",
    "combined",
    "cycles",
    "digits",
    "random_points",
    "schedule",
    "spans",
    "write",
]

HERE = Path(__file__).parent

Point = tuple[int, int] | None
"""x and y on y² = x³ + b; ``None`` is the neutral element."""

# --- curves -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Curve:
    """A curve y² = x³ + b over GF(M), and how the hardware adds its points.

    Attributes:
        modulus: M, the prime.
        b: of the equation; 1 for a curve that is brought to the twisted Edwards form.
        order: how many points the group has in which the hardware is right for all sums: a subgroup of odd
            order in the Edwards form, the whole curve otherwise.
        generator: a point of that order.
        edwards: whether its points are added in the Edwards form.
        scalar_bits: of the scalars, unless a build has others.
    """

    modulus: int
    b: int
    order: int
    generator: tuple[int, int]
    edwards: bool
    scalar_bits: int

    @property
    def width(self) -> int:
        """Bits of a coordinate."""
        return self.modulus.bit_length()

    @property
    def words(self) -> int:
        """Coordinates of a point that is added."""
        return 3 if self.edwards else 2

    @property
    def coordinates(self) -> int:
        """Those of a bucket: X, Y, Z, T, or X, Y, Z."""
        return 4 if self.edwards else 3

    @property
    def neutral(self) -> tuple[int, ...]:
        """The neutral element, as a bucket."""
        return (0, 1, 1, 0) if self.edwards else (0, 1, 0)

    @cached_property
    def montgomery(self) -> int:
        """s, 1 / √3: u = s·(x + 1), v = s·y bring y² = x³ + 1 to s·v² = u³ - 3·s·u² + u.

        For with 3·s² = 1 that is s³·(y² - (x + 1)³ + 3·(x + 1)² - 3·(x + 1)), and x³ + 1 is
        (x + 1)³ - 3·(x + 1)² + 3·(x + 1). Of both roots it is the one that gives the smaller d.
        """
        root = pow(int(fmpz_mod_ctx(self.modulus)(3).sqrt()), -1, self.modulus)
        return min(root, self.modulus - root, key=self._d)

    def _d(self, s: int) -> int:
        """d of the Edwards form for a root, (2 - A) / (2 + A) with A = -3·s of the Montgomery form."""
        return (2 + 3 * s) * pow(2 - 3 * s, -1, self.modulus) % self.modulus

    @cached_property
    def d(self) -> int:
        """-x² + y² = 1 + d·x²·y² is the Edwards form.

        B·v² = u³ + A·u² + u becomes a·x² + y² = 1 + d'·x²·y² with x = u / v, y = (u - 1) / (u + 1),
        a = (A + 2) / B, d' = (A - 2) / B (Bernstein, Birkner, Joye, Lange and Peters, 2008); with √(-a)·x in
        place of x it is -x² + y² = 1 - d' / a·x²·y².
        """
        return self._d(self.montgomery)

    @cached_property
    def stretch(self) -> int:
        """√(-a), that of :attr:`d`: the smaller root."""
        s, m = self.montgomery, self.modulus
        root = int(fmpz_mod_ctx(m)((3 * s - 2) * pow(s, -1, m)).sqrt())
        return min(root, m - root)

    def to_edwards(self, point: Point) -> tuple[int, int]:
        """x and y in the Edwards form.

        Raises:
            ValueError: a point that has none: two of order 2, and points of order 4.
        """
        if point is None:
            return 0, 1
        m, s = self.modulus, self.montgomery
        u, v = s * (point[0] + 1) % m, s * point[1] % m
        if u == v == 0:
            return 0, m - 1
        if v == 0 or u == m - 1:
            raise ValueError(f"{point} has no place in the Edwards form")
        return self.stretch * u * pow(v, -1, m) % m, (u - 1) * pow(u + 1, -1, m) % m

    def from_edwards(self, x: int, y: int) -> Point:
        """The point of the curve that has these coordinates in the Edwards form."""
        m, s = self.modulus, self.montgomery
        if x == 0:
            return None if y == 1 else (m - 1, 0)
        u = (1 + y) * pow(1 - y, -1, m)
        v = u * self.stretch * pow(x, -1, m)
        return (u * pow(s, -1, m) - 1) % m, v * pow(s, -1, m) % m

    def given(self, point: Point) -> tuple[int, ...]:
        """What the hardware takes to add a point: y - x, y + x, 2·d·x·y in the Edwards form; otherwise x, y.

        Raises:
            ValueError: a point that has no such numbers.
        """
        m = self.modulus
        if self.edwards:
            x, y = self.to_edwards(point)
            return (y - x) % m, (y + x) % m, 2 * self.d * x * y % m
        if point is None:
            raise ValueError("the neutral element has no x and y")
        return tuple(each % m for each in point)

    def bucket(self, point: Point, z: int = 1) -> tuple[int, ...]:
        """A point as a bucket, with this Z; a neutral element without Z has it as Y."""
        if self.edwards:
            x, y = self.to_edwards(point)
            coordinates: tuple[int, ...] = (x, y, 1, x * y)
        else:
            coordinates = self.neutral if point is None else (*point, 1)
        return tuple(each * z % self.modulus for each in coordinates)

    def point(self, bucket: Sequence[int]) -> Point:
        """The point of a bucket.

        Raises:
            ValueError: it is none.
        """
        x, y, z = bucket[:3]
        m = self.modulus
        if self.edwards:
            if z == 0 or (x * y - z * bucket[3]) % m:
                raise ValueError(f"{tuple(bucket)} is no point")
            return self.from_edwards(x * pow(z, -1, m) % m, y * pow(z, -1, m) % m)
        if (y * y * z - x**3 - self.b * z**3) % m or x == y == z == 0:
            raise ValueError(f"{tuple(bucket)} is no point")
        return (x * pow(z, -1, m) % m, y * pow(z, -1, m) % m) if z else None

    def add(self, one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
        """The sum of two buckets: as the hardware adds, but any two of the group."""
        m = self.modulus
        if self.edwards:  # Hisil, Wong, Carter and Dawson, 2008
            (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
            a, b, c, d = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2), 2 * self.d * t1 * t2, 2 * z1 * z2
            e, f, g, h = b - a, d - c, d + c, b + a
            return e * f % m, g * h % m, f * g % m, e * h % m
        (x1, y1, z1), (x2, y2, z2) = one, other  # Renes, Costello and Batina, 2016, algorithm 7
        xx, yy, zz = x1 * x2, y1 * y2, 3 * self.b * z1 * z2
        xy, yz, xz = x1 * y2 + x2 * y1, y1 * z2 + y2 * z1, 3 * self.b * (x1 * z2 + x2 * z1)
        return (
            (xy * (yy - zz) - yz * xz) % m,
            ((yy + zz) * (yy - zz) + 3 * xx * xz) % m,
            (yz * (yy + zz) + 3 * xx * xy) % m,
        )

    def negative(self, bucket: Sequence[int]) -> tuple[int, ...]:
        """-P, as a bucket."""
        x, y, z, *t = bucket
        if self.edwards:
            return -x % self.modulus, y, z, -t[0] % self.modulus
        return x, -y % self.modulus, z

    def times(self, scalar: int, bucket: Sequence[int]) -> tuple[int, ...]:
        """A multiple, by doubling and adding."""
        result, power = self.neutral, tuple(bucket)
        while scalar:
            if scalar & 1:
                result = self.add(result, power)
            power, scalar = self.add(power, power), scalar >> 1
        return result


CURVES = {
    "bls12-377": Curve(
        modulus("bls12-377-fp").value,
        1,
        modulus("bls12-377-fr").value,
        (
            0x8848DEFE740A67C8FC6225BF87FF5485951E2CAA9D41BB188282C8BD37CB5CD5481512FFCD394EEAB9B16EB21BE9EF,
            0x1914A69C5102EFF1F674F5D30AFEEC4BD7FB348CA3E52D96D182AD44FB82305C2FE3D3634A9591AFD82DE55559C8EA6,
        ),
        edwards=True,
        scalar_bits=253,
    ),
    "bn254": Curve(
        modulus("bn254-fp").value, 3, modulus("bn254-fr").value, (1, 2), edwards=False, scalar_bits=254
    ),
    "tiny-edwards": Curve(577, 1, 39, (139, 249), edwards=True, scalar_bits=12),
    "tiny-weierstrass": Curve(163, 3, 181, (1, 2), edwards=False, scalar_bits=12),
}
"""G1 of both curves; and two of the same forms whose points can all be tried."""


def random_points(curve: Curve, count: int, rng: random.Random) -> list[Point]:
    """Points of the group, none of them neutral: a random walk of random steps."""
    start, *steps = (
        curve.times(rng.randrange(1, curve.order), curve.bucket(curve.generator)) for _ in range(17)
    )
    found = list[Point]()
    while len(found) < count:
        start = curve.add(start, rng.choice(steps))
        point = curve.point(start)
        if point is not None:
            found.append(point)
    return found


# --- what is to come out ------------------------------------------------------------------------


def spans(window_bits: int, scalar_bits: int) -> list[int]:
    """Bits of each digit of a scalar, the lowest first: up to ``window_bits``, the later ones maybe one less.

    Together they have one bit more than the scalar, for the last carry.
    """
    count = -(-(scalar_bits + 1) // window_bits)
    short, more = divmod(scalar_bits + 1, count)
    return [short + 1] * more + [short] * (count - more)


def digits(scalar: int, window_bits: int, scalar_bits: int) -> list[int]:
    """The digits of a scalar, the lowest first; one of c bits is from -2^(c-1) + 1 to 2^(c-1).

    Raises:
        ValueError: the scalar is negative or has more bits.
    """
    if not 0 <= scalar < 1 << scalar_bits:
        raise ValueError(f"a scalar must be below 2^{scalar_bits} and not negative, got {scalar}")
    found = []
    for bits in spans(window_bits, scalar_bits):
        digit = scalar % (1 << bits)
        digit -= (digit > 1 << bits - 1) << bits
        scalar = scalar - digit >> bits
        found.append(digit)
    return found


def combined(build: Build, buckets: Sequence[Sequence[int]]) -> Point:
    """The sum of all that the buckets stand for: running sums in each window, and windows by doublings."""
    curve = build.curve
    total = curve.neutral
    for number, bits in reversed(list(enumerate(build.spans))):
        for _ in range(bits):
            total = curve.add(total, total)
        running = window = curve.neutral
        start = number * build.each
        for bucket in reversed(buckets[start : start + build.each]):
            running = curve.add(running, bucket)
            window = curve.add(window, running)
        total = curve.add(total, window)
    return curve.point(total)


def by_library(curve: Curve, points: Sequence[Point], scalars: Sequence[int]) -> Point:
    """The sum of all multiples by the package ``ecdsa``, on y² = x³ + b."""
    equation = CurveFp(curve.modulus, 0, curve.b)
    total: Any = INFINITY
    for point, scalar in zip(points, scalars, strict=True):
        if point is not None and scalar:
            total = PointJacobi(equation, *point, 1) * scalar + total
    return None if total == INFINITY else (int(total.x()), int(total.y()))


# --- builds -------------------------------------------------------------------------------------

_CONTROL = (Port("clk_i", "input", 1), Port("rst_ni", "input", 1))
QUEUE = 5
"""The logarithm of the places in the queue of additions that wait for their bucket."""


@dataclass(frozen=True)
class Build:
    """The hardware for a curve.

    Attributes:
        curve: one of :data:`CURVES`, or another of these forms with a group of odd order.
        window_bits: bits of a digit at most, from 2 to 16.
        bits: of a scalar; 0 for those of the curve.
        log_queue: the logarithm of the places in the queue.
        tile_a: the wide side of a multiplier block, in bits: 25 on 7 series, 27 on UltraScale+, 18 on ECP5.
        leaf: bits of the longest operands that are multiplied without being split, with a sign.
        carry: bits of an addition in a cycle.
    """

    curve: Curve
    window_bits: int = 8
    bits: int = 0
    log_queue: int = QUEUE
    tile_a: int = 25
    leaf: int = 104
    carry: int = 144

    def __post_init__(self) -> None:
        if not 2 <= self.window_bits <= 16:
            raise ValueError(f"a window has 2 to 16 bits, not {self.window_bits}")
        if self.scalar_bits < self.window_bits:
            raise ValueError(f"a window of {self.window_bits} bits is longer than a scalar")
        _ = self.multiplier

    @property
    def multiplier(self) -> Pipelined:
        """The build of ``pipelined`` whose product and reduction are taken."""
        curve = self.curve
        return Pipelined(
            curve.width, tile_a=self.tile_a, leaf=self.leaf, carry=self.carry, modulus=curve.modulus
        )

    @property
    def scalar_bits(self) -> int:
        """Bits of a scalar."""
        return self.bits or self.curve.scalar_bits

    @property
    def spans(self) -> list[int]:
        """Bits of each digit, the lowest first."""
        return spans(self.window_bits, self.scalar_bits)

    @property
    def windows(self) -> int:
        """W, digits of a scalar."""
        return len(self.spans)

    @property
    def each(self) -> int:
        """Buckets of a window; one with a bit less has no use for half of them."""
        return 1 << self.spans[0] - 1

    @property
    def buckets(self) -> int:
        """Of all windows."""
        return self.windows * self.each

    def digits(self, scalar: int) -> list[int]:
        """:func:`digits` of a scalar."""
        return digits(scalar, self.window_bits, self.scalar_bits)

    @property
    def latency(self) -> int:
        """Cycles from a point and a bucket to their sum."""
        multiplier, n = self.multiplier, self.curve.width
        product = max(multiplier.stages.values())
        add = multiplier.steps(n + 1) + multiplier.steps(n)
        if self.curve.edwards:
            return 2 * (add + product) + 1
        times = multiplier.steps(n + self._shift + 1) + 1 + add
        return multiplier.steps(n) + 3 * add + times + 2 * product

    @property
    def _shift(self) -> int:
        """3·b - 1 is a power of two."""
        return (3 * self.curve.b - 1).bit_length() - 1

    def _shared(self) -> dict[str, int]:
        """Parameters of an addition; the last four follow from the others."""
        build = self.multiplier
        schedule = {
            "MulCycles": build.mul_cycles(build.width),
            "TopCycles": build.times_cycles(build.quotient),
            "LowCycles": build.times_cycles(build.multiple),
            "Guard": build.point - build.quotient.base,
        }
        return build.parameters() | schedule

    def adder(self, sources: tuple[Path, ...]) -> Design:
        """The addition of points alone, of what :func:`write` wrote."""
        curve = self.curve
        name = "mm_msm_edwards" if curve.edwards else "mm_msm_weierstrass"
        parameters = self._shared() | ({} if curve.edwards else {"Shift": self._shift})
        ports = (
            *(_CONTROL[0], Port("subtract_i", "input", 1)),
            Port("sum_i", "input", curve.coordinates * curve.width),
            Port("point_i", "input", curve.words * curve.width),
            Port("sum_o", "output", curve.coordinates * curve.width),
        )
        return Design("addition", name, sources, parameters, ports, multiplier_blocks=True)

    def loop(self, sources: tuple[Path, ...]) -> Design:
        """``mm_msm``, of what :func:`write` wrote."""
        curve = self.curve
        own = {"Edwards": int(curve.edwards), "WindowBits": self.window_bits}
        own |= {"ScalarBits": self.scalar_bits, "LogQueue": self.log_queue}
        own |= {} if curve.edwards else {"Shift": self._shift}
        ports = (
            *_CONTROL,
            *(Port("in_valid_i", "input", 1), Port("in_ready_o", "output", 1), Port("last_i", "input", 1)),
            Port("scalar_i", "input", self.scalar_bits),
            Port("point_i", "input", curve.words * curve.width),
            *(Port("out_valid_o", "output", 1), Port("out_ready_i", "input", 1)),
            Port("bucket_o", "output", curve.coordinates * curve.width),
        )
        return Design("msm", "mm_msm", sources, own | self._shared(), ports, multiplier_blocks=True)


def write(folder: Path) -> tuple[Path, ...]:
    """Copy the bucket loop and all below it into a folder, and their twins for families of FPGAs.

    Returns:
        The files, without the twins, ``mm_msm.sv`` last.
    """
    pipelined = room("pipelined")

    def find(module: str) -> Path | None:
        own = HERE / f"{module}.sv"
        return own if own.is_file() else pipelined.find(module)

    folder.mkdir(parents=True, exist_ok=True)
    copies = []
    for source in hierarchy(HERE / "mm_msm.sv", find):
        for each in (source, *twins(source)):
            copyfile(each, folder / each.name)
        copies.append(folder / source.name)
    return tuple(copies)


# --- cycles -------------------------------------------------------------------------------------


def schedule(build: Build, scalars: Sequence[int]) -> tuple[int, int]:
    """What ``mm_msm`` does cycle by cycle, where a point is always there and every bucket taken at once.

    Returns:
        Cycles from the first point to the last addition that is begun, both included; and from the first
        point to the last bucket that leaves.
    """
    flight, most = build.latency + 1, 1 << build.log_queue
    free_at: dict[int, int] = {}
    queue: deque[int] = deque()
    left, held, offer = deque(scalars), deque[int](), 0  # 0: none; places count from 1
    cycle, last = 0, -1 - flight
    while True:
        offer_free = offer and free_at.get(offer, 0) <= cycle
        head_free = queue and free_at.get(queue[0], 0) <= cycle
        push = offer and not offer_free and len(queue) < most
        move = not offer or offer_free or push
        step = held and move
        accept = left and (not held or (step and len(held) == 1))
        if not (left or held or offer or queue):
            break
        if offer_free or head_free:
            begun = offer if offer_free else queue.popleft()
            free_at[begun] = cycle + 1 + flight
            last = cycle
        if push:
            queue.append(offer)
        if move:
            offer = held.popleft() if step else 0
        if accept:
            found = build.digits(left.popleft())
            held.extend(window * build.each + abs(d) if d else 0 for window, d in enumerate(found))
        cycle += 1
    # The last one comes back; a cycle to see that, one to read the first bucket.
    return max(last + 1, 0), max(cycle, last + flight + 1) + 1 + 1 + build.buckets


def cycles(build: Build, log_points: int, seed: int = 0) -> tuple[int, int]:
    """:func:`schedule` of 2^k random scalars."""
    rng = random.Random(seed)
    return schedule(build, [rng.randrange(build.curve.order) for _ in range(1 << log_points)])


# --- a run --------------------------------------------------------------------------------------


class Hardware:
    """A simulated bucket loop.

    Args:
        build: what it is built for.
        sources: from :func:`write`.

    Attributes:
        cycles: from the first point of the last run to its last bucket, both included.
    """

    def __init__(self, build: Build, sources: tuple[Path, ...]) -> None:
        self.build = build
        self.cycles = 0
        self.model = Model(Unit(build.loop(sources)))
        self.reset()

    def reset(self) -> None:
        """One cycle, with nothing at the inputs."""
        for port in ("rst_ni", "in_valid_i", "last_i", "scalar_i", "point_i", "out_ready_i"):
            self.model.poke(port, 0)
        self.model.edge()
        self.model.poke("rst_ni", 1)

    def begin(self, points: Sequence[Point], scalars: Sequence[int]) -> None:
        """Give it points, none of them the last, and leave it there."""
        for _ in self._give(points, scalars, 0, random.Random(0), last=False):
            pass

    def __call__(
        self,
        points: Sequence[Point],
        scalars: Sequence[int],
        *,
        pause: float = 0,
        most: int | None = None,
        told: Callable[[int], None] | None = None,
    ) -> list[tuple[int, ...]]:
        """The buckets of a sum of multiples.

        Args:
            points: of the group; the neutral element only in the Edwards form.
            scalars: one for each point, not negative, of the bits of the build.
            pause: chance of a cycle in which no point is offered, and of one in which no bucket is taken.
            most: leave the rest of the buckets where they are when so many have left.
            told: called with the number of points taken so far.

        Raises:
            ValueError: no points, or what the hardware does not take.
            RuntimeError: it does not get on.
        """
        if not points:
            raise ValueError("a sum of no multiples")
        model, curve, rng = self.model, self.build.curve, random.Random(len(points))
        self.cycles = 0
        for taken in self._give(points, scalars, pause, rng):
            if told:
                told(taken)
        # Every addition that is left may have to wait for the one before it.
        patience = self.cycles + (self.build.latency + 2) * ((2 << self.build.log_queue) + 8)
        patience += 100 * self.build.buckets
        buckets = list[tuple[int, ...]]()
        while len(buckets) < (self.build.buckets if most is None else most):
            ready = rng.random() >= pause
            model.poke("out_ready_i", int(ready))
            if ready and model.peek("out_valid_o"):
                buckets.append(_split(model.peek("bucket_o"), curve.width, curve.coordinates))
            model.edge()
            self.cycles += 1
            if self.cycles > patience:
                raise RuntimeError(
                    f"{len(buckets)} of {self.build.buckets} buckets after {self.cycles} cycles"
                )
        model.poke("out_ready_i", 0)
        if most is None and model.peek("out_valid_o"):
            raise RuntimeError("more buckets than there are")
        return buckets

    def _give(
        self,
        points: Sequence[Point],
        scalars: Sequence[int],
        pause: float,
        rng: random.Random,
        last: bool = True,
    ) -> Iterator[int]:
        """Points one after the other; yields how many are taken, and counts cycles from the first on."""
        model, curve = self.model, self.build.curve
        limit = (self.build.latency + 2) * (self.build.windows + 1) + 2 * self.build.buckets
        for number, (point, scalar) in enumerate(zip(points, scalars, strict=True), 1):
            self.build.digits(scalar)  # checks it
            given = _joined(curve.given(point), curve.width)
            while rng.random() < pause:
                for port, bits in (("scalar_i", self.build.scalar_bits), ("point_i", curve.width)):
                    model.poke(port, rng.getrandbits(bits))
                model.poke("last_i", rng.getrandbits(1))
                self._edge(number)
            for port, value in (("scalar_i", scalar), ("point_i", given), ("in_valid_i", 1)):
                model.poke(port, value)
            model.poke("last_i", int(last and number == len(points)))
            for _ in range(limit):
                taken = model.peek("in_ready_o")
                self._edge(number + taken)
                if taken:
                    break
            else:
                raise RuntimeError(f"point {number} is not taken")
            model.poke("in_valid_i", 0)
            yield number

    def _edge(self, number: int) -> None:
        """Cycles count from the one that takes the first point."""
        self.model.edge()
        self.cycles += number > 1


def _joined(numbers: Sequence[int], width: int) -> int:
    """Numbers as the hardware has them side by side, the first lowest."""
    return sum(number << width * place for place, number in enumerate(numbers))


def _split(joined: int, width: int, count: int) -> tuple[int, ...]:
    """The numbers that were joined."""
    return tuple(joined >> width * place & (1 << width) - 1 for place in range(count))


# --- the command line ---------------------------------------------------------------------------


def size(build: Build, sources: tuple[Path, ...], chip: str) -> str:
    """What an addition of points takes on a chip, and one of its multipliers, from Yosys."""
    adder = build.adder(sources)
    own = {name: value for name, value in adder.parameters.items() if name != "Shift"}
    one = Design("product", "mm_msm_mul", sources, own, multiplier_blocks=True)
    lines = []
    for name, design in (("a multiplier", one), ("an addition", adder)):
        area = synthesise(design, CHIPS[chip], Store(), timeout=7200)
        memory = f"{area.lut_ram:,} of them memory and shift registers"
        lines.append(f"{name}: {area.luts:,} LUTs, {memory}, {area.ffs:,} flip-flops, {area.dsp:,} blocks")
    return "\n".join(lines)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="A multi-scalar multiplication, simulated and checked.")
    parser.add_argument("log_points", type=int, nargs="?", default=10, help="of 2^0 to 2^16 points; 10")
    parser.add_argument("-c", "--curve", choices=CURVES, default="bls12-377", help="the curve")
    parser.add_argument("-w", "--window", type=int, help="bits of a digit at most, 2 to 16; log_points - 2")
    parser.add_argument("-s", "--seed", type=int, help="of the points and scalars; random")
    parser.add_argument("-o", "--output", type=Path, help="a folder for the sources")
    parser.add_argument("--size", choices=CHIPS, help="only synthesise an addition for this chip")
    parser.add_argument("--tile-a", type=int, choices=(18, 25, 27), help="TileA; 25, or 27 on ultrascaleplus")
    arguments = parser.parse_args()
    if not 0 <= arguments.log_points <= 16:
        parser.error(f"2^0 to 2^16 points, not 2^{arguments.log_points}")
    window = min(max(arguments.log_points - 2, 4), 12) if arguments.window is None else arguments.window
    tile_a = arguments.tile_a or (27 if arguments.size == "ultrascaleplus" else 25)
    try:
        build = Build(CURVES[arguments.curve], window, tile_a=tile_a)
    except ValueError as error:
        parser.error(str(error))
    with tempfile.TemporaryDirectory() as scratch:
        try:
            sources = write(arguments.output or Path(scratch))
        except OSError as error:
            parser.error(f"no sources in {arguments.output}: {error.strerror}")
        if arguments.size:
            print(size(build, sources, arguments.size))
            return
        seed = random.SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
        print(f"{arguments.curve}, {build.windows} windows of {window} bits, seed {seed}", flush=True)
        hardware = Hardware(build, sources)
    run(hardware, 1 << arguments.log_points, random.Random(seed))


def run(hardware: Hardware, count: int, rng: random.Random) -> None:
    """Random points and scalars, and what comes of them.

    Raises:
        SystemExit: the hardware is wrong.
    """
    build = hardware.build
    curve = build.curve
    points = random_points(curve, count, rng)
    scalars = [rng.randrange(curve.order) for _ in points]

    def told(taken: int) -> None:
        if taken % max(count // 8, 32) == 0:
            print(f"  {taken:,} of {count:,} points", flush=True)

    start = time.monotonic()
    found = combined(build, hardware(points, scalars, told=told))
    print(f"simulated in {time.monotonic() - start:.0f} s; now the same with ecdsa", flush=True)
    if found != by_library(curve, points, scalars):
        raise SystemExit("the hardware is wrong")
    additions = sum(bool(d) for k in scalars for d in build.digits(k))
    print(f"the sum of {count:,} multiples, as ecdsa has it: {found}")
    begun, _ = schedule(build, scalars)
    print(
        f"{additions:,} additions of {build.latency} cycles each, begun within {begun:,} cycles; "
        f"{hardware.cycles:,} with {build.buckets:,} buckets that leave"
    )


if __name__ == "__main__":
    main()
