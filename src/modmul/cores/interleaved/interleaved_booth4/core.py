# SPDX-License-Identifier: Apache-2.0
"""interleaved_booth4: the serial Booth radix-4 multiplier, reference [13] of Javeed and Wang."""

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
    """Booth digits of an unsigned operand: ceil((n+1)/2)."""
    return ceil_div(config.width + 1, 2)


def cycles(config: Config) -> int:
    """One cycle to precompute R2, then one a digit."""
    return digits(config) + 1


def latency(config: Config) -> int:
    return cycles(config) + 1


def trace(_config: Config) -> dict[str, str]:
    return {"R1": "r1_q", "R2": "r2_q", "z": "z_q"}


def model(config: Config, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number."""
    r1 = x
    yield Step("1", {"R1": r1})
    r2 = mod_double(x, m)
    yield Step("1", {"R1": r1, "R2": r2, "z": 0})
    z = 0
    for i in reversed(range(digits(config))):
        d = booth_digit(y, i, 2)
        v = (0, r1, r2)[abs(d)]
        z = (mod_double(z, m, 2) + (v if d > 0 else -v)) % m
        yield Step("3-5", {"z": z})


CORE = Core(
    slug="interleaved_booth4",
    title="Booth radix-4 interleaved multiplier, serial",
    interface=Interface(
        latency=latency,
        interval=latency,
    ),
    algorithm=Algorithm(
        steps="ceil((n+1)/2) + 1",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=Config,
    ),
    origin=Origin(
        paper="javeed",
        section="reference [13], Table III: BE Radix-4 IM",
        published=(
            Published(
                *("III", "BE Radix-4 IM [13]", "Virtex-6", 256, 1375, 4630, None, 86.6, 129, 1.49),
                throughput_mbps=171.8,
                slices_us_per_bit=7.42,
                note="cycles: the digits needed, which take the printed time; the text counts ceil(n/2); "
                "slices x us / bit: 7.42 is a misprint for 8.00",
                derived=("cycles",),
            ),
        ),
    ),
)
