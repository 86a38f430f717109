# SPDX-License-Identifier: Apache-2.0
"""interleaved_csa: redundant interleaved multiplication with one CSA and a table, Amanor et al."""

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
    full_modulus,
    word_configs,
    word_values,
    word_variants,
)

T = (2, 4, 6, 1, 3)
"""The context's multiples of 2^n mod M, behind M itself."""


def context(config: WordConfig, modulus: int) -> list[int]:
    """M, then t * 2^n mod M for t = 2, 4, 6, 1, 3."""
    return config.split(modulus, *((t << config.width) % modulus for t in T))


def cycles(config: WordConfig) -> int:
    """Six passes of beats + 2 cycles for the table, one to clear, one a bit, five passes to convert."""
    return 1 + config.width + 11 * (config.beats + 2)


def latency(config: WordConfig) -> int:
    return cycles(config) + 1


def interval(config: WordConfig) -> int:
    """A multiplication is loaded and unloaded between two others."""
    return cycles(config) + 2 * config.beats


def trace(_config: WordConfig) -> dict[str, str]:
    return {"S": "s_q", "C": "c_q", "index": "index_q", "X": "u_unit.x_q"}


def model(config: WordConfig, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number; ``index`` is 2t + the bit of x, the table's address."""
    n = config.width
    yield Step("load", {"X": x})
    for _ in range(6 * (config.beats + 2)):
        yield Step("0", {})
    table = [(((i >> 1) << (n + 1)) + (i & 1) * y) % m if i != 1 else y for i in range(8)]
    s = c = t = 0
    index = x >> (n - 1)
    yield Step("1", {"S": s, "C": c, "index": index})
    for i in reversed(range(n)):
        s, c = carry_save(2 * s, 2 * c, table[index])
        t = (s >> n) + (c >> n)
        s, c = s % (1 << n), c % (1 << n)
        state = {"S": s, "C": c}
        if i:
            index = 2 * t + ((x >> (i - 1)) & 1)
            state["index"] = index
        yield Step("3-5", state)
    f = s + c + (t << n) % m
    yield from _pass(config, "6", f)
    f -= 4 * m
    yield from _pass(config, "7", f)
    for multiple in (2 * m, m):
        f += multiple if f < 0 else -multiple
        yield from _pass(config, "7", f)
    yield from _pass(config, "7", f + m if f < 0 else f)


def _pass(config: WordConfig, label: str, value: int) -> Iterator[Step]:
    """A word-serial pass: X holds the value, two's complement, after its last cycle."""
    for _ in range(config.beats + 1):
        yield Step(label, {})
    yield Step(label, {"X": value % (1 << (config.beats * config.word))})


DEVICE = "Virtex-E (XCV2000E-6)"

CORE = Core(
    slug="interleaved_csa",
    title="Redundant interleaved multiplier with one carry-save adder and a table",
    interface=Interface(
        latency=latency,
        interval=interval,
        context=context,
    ),
    function=Function(
        check=full_modulus,
        moduli="2^(n-1) <= M < 2^n",
    ),
    algorithm=Algorithm(
        steps="n + 11 ceil(n/w) + 23: the table, the start, n bits, the conversion",
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
        section="Section 2.1, Fig. 1: Redundant Interleaved",
        published=(
            *(
                Published.from_share("1 and 2", "Redundant interleaved", DEVICE, 19_200, *row)
                for row in (
                    (32, 0.7, 14.2, 70.2),
                    (64, 1.4, 17.3, 57.7),
                    (128, 2.7, 20.7, 48.4),
                    (256, 5.4, 21.4, 46.8),
                    (512, 8.0, 15.4, 64.8),
                    (1024, 24.0, 14.4, 69.4),
                )
            ),
            Published.of_rsa(
                "3", "Redundant interleaved mult.", DEVICE, 1024, (69.4, 22.7, 6.1), (69.4, 64.8)
            ),
        ),
    ),
)
