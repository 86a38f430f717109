# SPDX-License-Identifier: Apache-2.0
"""interleaved_radix2_parallel: the parallel radix-2 multiplier, reference [16] of Javeed and Wang."""

from collections.abc import Iterator

from modmul.core import Algorithm, Builds, Config, Core, Interface, Origin, Published, Step, mod_double


def cycles(config: Config) -> int:
    """One cycle a bit."""
    return config.width


def latency(config: Config) -> int:
    return cycles(config) + 1


def trace(_config: Config) -> dict[str, str]:
    return {"R": "r_q", "z": "z_q"}


def model(config: Config, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number."""
    z, r = 0, x
    yield Step("1", {"R": r, "z": z})
    for i in range(config.width):
        if (y >> i) & 1:
            z = (z + r) % m
        r = mod_double(r, m)
        yield Step("3-4", {"R": r, "z": z})


CORE = Core(
    slug="interleaved_radix2_parallel",
    title="Radix-2 interleaved multiplier, doubling and addition in parallel",
    interface=Interface(
        latency=latency,
        interval=latency,
    ),
    algorithm=Algorithm(
        steps="n",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=Config,
    ),
    origin=Origin(
        paper="javeed",
        section="reference [16], Table III: Radix-2 PIM",
        published=(
            Published(
                *("III", "Radix-2 PIM [16]", "Virtex-II Pro", 256, 3475, None, None, 80.0, 256, 3.02),
                throughput_mbps=84.76,
                slices_us_per_bit=40.99,
                note="cycles: a bit each; time: they take 3.2 us, as Section II of the paper says",
                derived=("cycles",),
            ),
            Published(
                *("III", "Radix-2 PIM [16]", "Virtex-6", 256, 1190, 3207, 1075, 174.1, 256, 1.48),
                throughput_mbps=172.9,
                slices_us_per_bit=6.879,
                note="cycles: a bit each; time: they take 1.47 us; Section V gives 171.8 MHz, the "
                "throughput of the next row",
                derived=("cycles",),
            ),
        ),
    ),
)
