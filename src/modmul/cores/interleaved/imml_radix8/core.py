# SPDX-License-Identifier: Apache-2.0
"""imml_radix8: radix-8 IMML without Booth recoding, Javeed and Wang's extension of their reference [18]."""

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
    """Radix-8 digits of an unsigned operand."""
    return ceil_div(config.width, 3)


def cycles(config: Config) -> int:
    """Four cycles to precompute R2 to R7, then one a digit."""
    return digits(config) + 4


def latency(config: Config) -> int:
    return cycles(config) + 1


def trace(_config: Config) -> dict[str, str]:
    return {"z": "z_q"}


def model(config: Config, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number."""

    for _ in range(4):
        yield Step("1", {"z": x})
    z = 0
    yield Step("1", {"z": z})
    r = [k * x % m for k in range(8)]
    for i in range(digits(config)):
        z = (z + r[(y >> (3 * i)) & 7]) % m
        r = [mod_double(value, m, 3) for value in r]
        yield Step("3-5", {"z": z})


ALONE = "cycles: the digits alone, without precomputation"

CORE = Core(
    slug="imml_radix8",
    title="Radix-8 interleaved multiplier with Montgomery-ladder concurrency",
    interface=Interface(
        latency=latency,
        interval=latency,
    ),
    algorithm=Algorithm(
        steps="ceil(n/3) + 4",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=Config,
        crowded=True,
    ),
    origin=Origin(
        paper="javeed",
        section="reference [18] extended to radix 8, Table III: Radix-8 IMML",
        published=tuple(
            Published(
                *("III", "Radix-8 IMML [18]", "Virtex-6", width, slices, luts, ffs, mhz, count, time, note),
                throughput_mbps=rate,
                slices_us_per_bit=area_time,
                derived=("cycles",),
            )
            for width, slices, luts, ffs, mhz, count, time, rate, area_time, note in (
                (
                    256,
                    4428,
                    13880,
                    2756,
                    124.4,
                    86,
                    0.69,
                    79.2,
                    11.93,
                    f"{ALONE}; throughput: 79.2 is a misprint for 371",
                ),
                (224, 4014, 12737, 2436, 127.6, 75, 0.59, 379.66, 10.57, ALONE),
                (192, 3631, 10520, 2116, 132.6, 64, 0.48, 400.0, 9.07, ALONE),
            )
        ),
    ),
)
