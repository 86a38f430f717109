# SPDX-License-Identifier: Apache-2.0
"""imml_booth8: the Booth-encoded radix-8 IMML multiplier of Javeed and Wang."""

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
class ImmlBooth8(Config):
    """A build.

    Attributes:
        shared_taps: 0 is the paper's structure, 1 takes R2 and R4 from PU1's taps.
    """

    shared_taps: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shared_taps not in (0, 1):
            raise ValueError(f"shared_taps must be 0 or 1, got {self.shared_taps}")


def digits(config: Config) -> int:
    """Booth digits of an unsigned operand: ceil((n+1)/3), one more than printed when 3 divides n."""
    return ceil_div(config.width + 1, 3)


def cycles(config: ImmlBooth8) -> int:
    """Two cycles to precompute R2, R3 and R4, one a digit, and one for v's register if there is one."""
    return digits(config) + 2 + config.shared_taps


def latency(config: ImmlBooth8) -> int:
    return cycles(config) + 1


def trace(config: ImmlBooth8) -> dict[str, str]:
    own = {"v": "gen_shared.v_q"} if config.shared_taps else {"R2": "gen_paper.r2_q", "R4": "gen_paper.r4_q"}
    return {"R1": "r1_q", "R3": "r3_q", "z": "z_q"} | own


def model(config: ImmlBooth8, m: int, x: int, y: int) -> Iterator[Step]:
    """Algorithm 3, by the step numbers of the module header."""
    r1, r2, r4 = x, mod_double(x, m), mod_double(x, m, 2)
    r3 = r1 + r2 - (m if r1 + r2 >= m else 0)
    z = 0
    yield Step("1", {"R1": r1})
    if config.shared_taps:
        yield Step("1", {"R1": r1, "v": r2})
        yield Step("1", {"R1": r1, "R3": r3, "v": 0, "z": z})
        for i in range(digits(config)):
            d = booth_digit(y, i, 3)
            v = (0, r1, mod_double(r1, m), r3, mod_double(r1, m, 2))[abs(d)]
            r1, r3 = (mod_double(r, m, 3) for r in (r1, r3))
            yield Step("3-4" if i == 0 else "3-5", {"R1": r1, "R3": r3, "v": v, "z": z})
            z = (z + (v if d > 0 else -v)) % m
        yield Step("5", {"z": z})
        return
    yield Step("1", {"R1": r1, "R2": r2, "R4": r4})
    yield Step("1", {"R1": r1, "R2": r2, "R3": r3, "R4": r4, "z": z})
    for i in range(digits(config)):
        d = booth_digit(y, i, 3)
        v = (0, r1, r2, r3, r4)[abs(d)]
        z = (z + (v if d > 0 else -v)) % m
        r1, r2, r3, r4 = (mod_double(r, m, 3) for r in (r1, r2, r3, r4))
        yield Step("3-5", {"R1": r1, "R2": r2, "R3": r3, "R4": r4, "z": z})


ALONE = "cycles: the digits alone, without precomputation"

CORE = Core(
    slug="imml_booth8",
    title="Booth radix-8 interleaved multiplier with Montgomery-ladder concurrency (proposed)",
    interface=Interface(
        latency=latency,
        interval=latency,
    ),
    algorithm=Algorithm(
        steps="ceil((n+1)/3) + 2 (printed ceil(n/3) + 4)",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=ImmlBooth8,
        explore=lambda width: (ImmlBooth8(width), ImmlBooth8(width, shared_taps=1)),
    ),
    origin=Origin(
        paper="javeed",
        section="Section III-B, Algorithm 3, Fig. 4: BE Radix-8 IMML",
        published=tuple(
            Published(
                *("III", "BE Radix-8 IMML", "Virtex-6", width, slices, luts, ffs, mhz, count, time, note),
                throughput_mbps=rate,
                slices_us_per_bit=area_time,
                derived=("cycles",),
            )
            for width, slices, luts, ffs, mhz, count, time, rate, area_time, note in (
                (256, 3622, 10284, 1952, 123.43, 86, 0.696, 367.81, 9.84, f"{ALONE}; time: 0.697 cut off"),
                (224, 3326, 9115, 1727, 125.7, 75, 0.61, 367.2, 9.05, f"{ALONE}; time: they take 0.597 us"),
                (
                    192,
                    2745,
                    7728,
                    1502,
                    127.0,
                    64,
                    0.50,
                    384.0,
                    7.14,
                    "cycles: ceil(n/3) digits, where 65 are needed",
                ),
                (
                    160,
                    2306,
                    6334,
                    1276,
                    128.4,
                    54,
                    0.42,
                    609.5,
                    6.05,
                    f"{ALONE}; throughput: 609.5 is 256 / 0.42",
                ),
            )
        ),
    ),
)
