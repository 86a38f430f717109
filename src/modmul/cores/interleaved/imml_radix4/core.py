# SPDX-License-Identifier: Apache-2.0
"""imml_radix4: the radix-4 IMML multiplier without Booth recoding, reference [18] of Javeed and Wang."""

from collections.abc import Iterator

from modmul.core import (
    Algorithm,
    Builds,
    Config,
    Core,
    Interface,
    Origin,
    Published,
    Step,
    ceil_div,
    mod_double,
)


def digits(config: Config) -> int:
    """Radix-4 digits of an unsigned operand."""
    return ceil_div(config.width, 2)


def cycles(config: Config) -> int:
    """Two cycles to precompute R2 and R3, then one a digit."""
    return digits(config) + 2


def latency(config: Config) -> int:
    return cycles(config) + 1


def trace(_config: Config) -> dict[str, str]:
    return {"R1": "r1_q", "R2": "r2_q", "R3": "r3_q", "z": "z_q"}


def model(config: Config, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number."""
    r1 = x
    yield Step("1", {"R1": r1})
    r2 = mod_double(x, m)
    yield Step("1", {"R1": r1, "R2": r2})
    r3 = r1 + r2 - (m if r1 + r2 >= m else 0)
    z = 0
    yield Step("1", {"R1": r1, "R2": r2, "R3": r3, "z": z})
    for i in range(digits(config)):
        z = (z + (0, r1, r2, r3)[(y >> (2 * i)) & 3]) % m
        r1, r2, r3 = (mod_double(r, m, 2) for r in (r1, r2, r3))
        yield Step("3-5", {"R1": r1, "R2": r2, "R3": r3, "z": z})


ALONE = "cycles: the digits alone, without precomputation"

CORE = Core(
    slug="imml_radix4",
    title="Radix-4 interleaved multiplier with Montgomery-ladder concurrency",
    interface=Interface(
        latency=latency,
        interval=latency,
    ),
    algorithm=Algorithm(
        steps="ceil(n/2) + 2",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=Config,
    ),
    origin=Origin(
        paper="javeed",
        section="reference [18], Table III: Radix-4 IMML",
        published=tuple(
            Published(
                *("III", "Radix-4 IMML [18]", "Virtex-6", width, slices, luts, ffs, mhz, count, time, note),
                throughput_mbps=rate,
                slices_us_per_bit=area_time,
                derived=("cycles",),
            )
            for width, slices, luts, ffs, mhz, count, time, rate, area_time, note in (
                (256, 1985, 6300, 2187, 166.0, 128, 0.78, 328.0, 6.04, f"{ALONE}; time: that of 130"),
                (224, 1745, 5367, 1883, 167.6, 112, 0.68, 329.4, 5.29, f"{ALONE}; time: that of 114"),
                (192, 1519, 4641, 1625, 168.7, 96, 0.57, 336.84, 4.52, ALONE),
            )
        ),
    ),
)
