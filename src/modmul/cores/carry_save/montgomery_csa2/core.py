# SPDX-License-Identifier: Apache-2.0
"""montgomery_csa2: Montgomery multiplication with two carry-save adders, Amanor et al.."""

from collections.abc import Iterator

from modmul.core import (
    Algorithm,
    Builds,
    Core,
    Function,
    Interface,
    Origin,
    Published,
    Step,
    WordConfig,
    carry_save,
    check_odd,
    montgomery_domain,
    word_configs,
    word_values,
    word_variants,
)


def conversion(config: WordConfig) -> int:
    """Two word-serial passes of beats + 2 cycles."""
    return 2 * (config.beats + 2)


def cycles(config: WordConfig) -> int:
    """One cycle to clear the sum, one a bit, and the final conversion."""
    return 1 + config.width + conversion(config)


def latency(config: WordConfig) -> int:
    return cycles(config) + 1


def interval(config: WordConfig) -> int:
    """A multiplication is loaded and unloaded between two others."""
    return cycles(config) + 2 * config.beats


def trace(_config: WordConfig) -> dict[str, str]:
    return {"S": "s_q", "C": "c_q", "X": "u_unit.x_q"}


def model(config: WordConfig, m: int, x: int, y: int) -> Iterator[Step]:
    """Algorithm 2, by its line numbers, the sum kept as S + C."""
    yield Step("load", {"X": x})
    s = c = 0
    yield Step("1", {"S": s, "C": c})
    for i in range(config.width):
        s, c = carry_save(s, c, y if (x >> i) & 1 else 0)
        s, c = carry_save(s, c, m if s & 1 else 0)
        s, c = s >> 1, c >> 1
        yield Step("3-5", {"S": s, "C": c})
    p = s + c
    for value in (p - m, p - m if p >= m else p):
        for _ in range(config.beats + 1):
            yield Step("6", {})
        yield Step("6", {"X": value % (1 << (config.beats * config.word))})


DEVICE = "Virtex-E (XCV2000E-6)"

CORE = Core(
    slug="montgomery_csa2",
    title="Montgomery multiplier with two carry-save adders",
    interface=Interface(
        latency=latency,
        interval=interval,
    ),
    function=Function(
        check=check_odd,
        moduli="odd M < 2^n",
        domain=montgomery_domain,
    ),
    algorithm=Algorithm(
        steps="n + 2 ceil(n/w) + 5: the start, n bits, the conversion",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=WordConfig,
        explore=word_configs,
        variants=word_variants,
        values=word_values,
    ),
    origin=Origin(
        paper="amanor2005",
        section="Section 2.2, Algorithm 2 with reference [5]: Montgomery with two CSAs",
        published=(
            *(
                Published.from_share("1 and 2", "Montgomery with two CSAs", DEVICE, 19_200, *row)
                for row in (
                    (32, 1.2, 17.7, 56.5),
                    (64, 2.4, 20.3, 49.2),
                    (128, 4.7, 18.7, 53.4),
                    (256, 9.4, 21.3, 47.0),
                    (512, 16.1, 24.5, 40.8),
                    (1024, 45.0, 23.8, 42.1),
                )
            ),
            Published.of_rsa(
                *("3", "Montgomery mult. with 2 CSAs", DEVICE, 1024, (49.0, 32.2, 9.7), (42.1, 40.8)),
                conversions=1,
                note="MHz and power are those of one CSA: the rows are swapped",
            ),
        ),
    ),
)
