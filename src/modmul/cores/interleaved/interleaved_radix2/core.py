# SPDX-License-Identifier: Apache-2.0
"""interleaved_radix2: Blakley's serial interleaved multiplication, reference [7] of Javeed and Wang."""

from collections.abc import Iterator

from modmul.core import Algorithm, Builds, Config, Core, Interface, Origin, Published, Step


def cycles(config: Config) -> int:
    """One cycle a bit."""
    return config.width


def latency(config: Config) -> int:
    return cycles(config) + 1


def trace(_config: Config) -> dict[str, str]:
    return {"z": "z_q"}


def model(config: Config, m: int, x: int, y: int) -> Iterator[Step]:
    """Algorithm 1 of Amanor et al., by its line numbers."""
    z = 0
    yield Step("1", {"z": z})
    for i in reversed(range(config.width)):
        t = 2 * z + ((x >> i) & 1) * y
        if t >= m:
            t -= m
        if t >= m:
            t -= m
        z = t
        yield Step("3-7", {"z": z})


CORE = Core(
    slug="interleaved_radix2",
    title="Radix-2 interleaved multiplier, serial (Blakley)",
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
        section="reference [7], Table III: Radix-2 IM; Amanor et al., Algorithm 1",
        published=(
            Published(
                *("III", "Radix-2 IM [7]", "Virtex-6", 256, 1012, 2900, 777, 125.0, 256, 2.03),
                throughput_mbps=126.0,
                slices_us_per_bit=8.02,
                note="cycles: a bit each; time: they take 2.05 us",
                derived=("cycles",),
            ),
        ),
    ),
)
