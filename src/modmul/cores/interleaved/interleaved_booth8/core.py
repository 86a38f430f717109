# SPDX-License-Identifier: Apache-2.0
"""interleaved_booth8: the serial Booth radix-8 multiplier, reference [13] of Javeed and Wang."""

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
    booth_digit,
    ceil_div,
    mod_double,
)


def digits(config: Config) -> int:
    """Booth digits of an unsigned operand: ceil((n+1)/3)."""
    return ceil_div(config.width + 1, 3)


def cycles(config: Config) -> int:
    """Two cycles to precompute R2, R3 and R4, then one a digit."""
    return digits(config) + 2


def latency(config: Config) -> int:
    return cycles(config) + 1


def trace(_config: Config) -> dict[str, str]:
    return {"R1": "r1_q", "R2": "r2_q", "R3": "r3_q", "R4": "r4_q", "z": "z_q"}


def model(config: Config, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number."""
    r1 = x
    yield Step("1", {"R1": r1})
    r2 = mod_double(x, m)
    r4 = mod_double(r2, m)
    yield Step("1", {"R1": r1, "R2": r2, "R4": r4})
    r3 = r1 + r2 - (m if r1 + r2 >= m else 0)
    yield Step("1", {"R1": r1, "R2": r2, "R3": r3, "R4": r4, "z": 0})
    z = 0
    for i in reversed(range(digits(config))):
        d = booth_digit(y, i, 3)
        v = (0, r1, r2, r3, r4)[abs(d)]
        z = (mod_double(z, m, 3) + (v if d > 0 else -v)) % m
        yield Step("3-5", {"z": z})


CORE = Core(
    slug="interleaved_booth8",
    title="Booth radix-8 interleaved multiplier, serial",
    interface=Interface(
        latency=latency,
        interval=latency,
    ),
    algorithm=Algorithm(
        steps="ceil((n+1)/3) + 2",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=Config,
    ),
    origin=Origin(
        paper="javeed",
        section="reference [13], Table III: BE Radix-8 IM",
        published=(
            Published(
                *("III", "BE Radix-8 IM [13]", "Virtex-6", 256, 1739, 5657, None, 71.0, 86, 1.21),
                throughput_mbps=211.0,
                slices_us_per_bit=8.21,
                note="cycles: the digits alone, without precomputation",
                derived=("cycles",),
            ),
        ),
    ),
)
