# SPDX-License-Identifier: Apache-2.0
"""imml_booth4: the Booth-encoded radix-4 IMML multiplier of Javeed and Wang."""

from collections.abc import Iterator
from dataclasses import dataclass

from modmul.core import (
    Algorithm,
    Builds,
    Config,
    Core,
    Interface,
    Origin,
    Published,
    Step,
    booth_digit,
    ceil_div,
    mod_double,
)


@dataclass(frozen=True)
class ImmlBooth4(Config):
    """A build.

    Attributes:
        shared_taps: 0 is the paper's structure, 1 takes R2 from EU1's first tap.
    """

    shared_taps: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shared_taps not in (0, 1):
            raise ValueError(f"shared_taps must be 0 or 1, got {self.shared_taps}")


def digits(config: Config) -> int:
    """Booth digits of an unsigned operand: ceil((n+1)/2), one more than printed for even n."""
    return ceil_div(config.width + 1, 2)


def cycles(config: ImmlBooth4) -> int:
    """One cycle to precompute R2 (or to fill v's register), then one a digit."""
    return digits(config) + 1


def latency(config: ImmlBooth4) -> int:
    return cycles(config) + 1


def trace(config: ImmlBooth4) -> dict[str, str]:
    shared = {"R1": "r1_q", "z": "z_q"}
    return shared | ({"v": "gen_shared.v_q"} if config.shared_taps else {"R2": "gen_paper.r2_q"})


def model(config: ImmlBooth4, m: int, x: int, y: int) -> Iterator[Step]:
    """Algorithm 2, by its line numbers."""
    z, r1 = 0, x
    yield Step("1", {"R1": r1, "z": z})
    if config.shared_taps:
        for i in range(digits(config)):
            d = booth_digit(y, i, 2)
            v = (0, r1, mod_double(r1, m))[abs(d)]
            r1 = mod_double(r1, m, 2)
            yield Step("3-9" if i == 0 else "3-9, 11-14", {"R1": r1, "v": v, "z": z})
            z = (z + (v if d > 0 else -v)) % m
        yield Step("11-14", {"z": z})
        return
    r2 = mod_double(x, m)
    yield Step("1", {"R1": r1, "R2": r2, "z": z})
    for i in range(digits(config)):
        d = booth_digit(y, i, 2)
        v = (0, r1, r2)[abs(d)]
        z = (z + (v if d > 0 else -v)) % m
        r1, r2 = (mod_double(r, m, 2) for r in (r1, r2))
        yield Step("3-14", {"R1": r1, "R2": r2, "z": z})


CORE = Core(
    slug="imml_booth4",
    title="Booth radix-4 interleaved multiplier with Montgomery-ladder concurrency (proposed)",
    interface=Interface(
        latency=latency,
        interval=latency,
    ),
    algorithm=Algorithm(
        steps="ceil((n+1)/2) + 1 (printed ceil(n/2) + 2)",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=ImmlBooth4,
        explore=lambda width: (ImmlBooth4(width), ImmlBooth4(width, shared_taps=1)),
    ),
    origin=Origin(
        paper="javeed",
        section="Section III-A, Algorithm 2, Fig. 3: BE Radix-4 IMML",
        published=tuple(
            Published(
                *("III", "BE Radix-4 IMML", "Virtex-6", width, slices, luts, ffs, mhz, count, time, note),
                throughput_mbps=rate,
                slices_us_per_bit=area_time,
                derived=("cycles",),
            )
            for width, slices, luts, ffs, mhz, count, time, rate, area_time, note in (
                (
                    256,
                    1631,
                    4935,
                    1382,
                    137.87,
                    128,
                    0.93,
                    275.26,
                    5.9,
                    "cycles: ceil(n/2) digits, where 129 are needed",
                ),
                (
                    224,
                    1496,
                    4427,
                    1221,
                    142.7,
                    112,
                    0.79,
                    283.54,
                    5.27,
                    "cycles: ceil(n/2) digits, where 113 are needed",
                ),
                (
                    192,
                    1395,
                    3846,
                    1057,
                    145.7,
                    96,
                    0.66,
                    290.9,
                    4.8,
                    "cycles: ceil(n/2) digits, where 97 are needed",
                ),
                (
                    160,
                    1042,
                    3184,
                    910,
                    147.0,
                    80,
                    0.54,
                    296.2,
                    3.51,
                    "cycles: ceil(n/2) digits, where 81 are needed",
                ),
            )
        ),
    ),
)
