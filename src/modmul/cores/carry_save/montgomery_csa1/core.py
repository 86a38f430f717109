# SPDX-License-Identifier: Apache-2.0
"""montgomery_csa1: Montgomery multiplication with one carry-save adder and a table, Amanor et al.."""

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


def cycles(config: WordConfig) -> int:
    """One pass of beats + 2 cycles for y + M, one to clear the sum, one a bit, two passes to convert."""
    return 1 + config.width + 3 * (config.beats + 2)


def latency(config: WordConfig) -> int:
    return cycles(config) + 1


def interval(config: WordConfig) -> int:
    """A multiplication is loaded and unloaded between two others."""
    return cycles(config) + 2 * config.beats


def trace(_config: WordConfig) -> dict[str, str]:
    return {"S": "s_q", "C": "c_q", "index": "index_q", "X": "u_unit.x_q"}


def model(config: WordConfig, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number; ``index`` is 2q + the bit of x, the table's address."""
    yield Step("load", {"X": x})
    for _ in range(config.beats + 2):
        yield Step("0", {})
    table = (0, y, m, y + m)
    s = c = 0
    index = 3 * (x & y & 1) or x & 1
    yield Step("1", {"S": s, "C": c, "index": index})
    for i in range(config.width):
        s, c = carry_save(s, c, table[index])
        s, c = s >> 1, c >> 1
        state = {"S": s, "C": c}
        if i + 1 < config.width:
            x_i = (x >> (i + 1)) & 1
            index = 2 * ((s ^ c ^ (x_i & y)) & 1) + x_i
            state["index"] = index
        yield Step("3-5", state)
    p = s + c
    for value in (p - m, p - m if p >= m else p):
        for _ in range(config.beats + 1):
            yield Step("6", {})
        yield Step("6", {"X": value % (1 << (config.beats * config.word))})


DEVICE = "Virtex-E (XCV2000E-6)"

CORE = Core(
    slug="montgomery_csa1",
    title="Montgomery multiplier with one carry-save adder and a table",
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
        steps="n + 3 ceil(n/w) + 7: y + M, the start, n bits, the conversion",
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
        section="Section 2.2, Fig. 2: Montgomery with one CSA",
        published=(
            *(
                Published.from_share("1 and 2", "Montgomery with one CSA", DEVICE, 19_200, *row)
                for row in (
                    (32, 0.7, 16.4, 61.1),
                    (64, 1.4, 16.0, 62.5),
                    (128, 2.7, 19.5, 51.3),
                    (256, 5.4, 21.8, 46.0),
                    (512, 8.0, 23.1, 43.3),
                    (1024, 21.0, 20.4, 49.0),
                )
            ),
            Published.of_rsa(
                *("3", "Montgomery mult. with 1 CSA", DEVICE, 1024, (42.1, 37.5, 9.1), (49.0, 43.3)),
                conversions=1,
                note="MHz and power are those of two CSAs: the rows are swapped",
            ),
        ),
    ),
)
