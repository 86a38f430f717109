# SPDX-License-Identifier: Apache-2.0
"""rrm_plain: x * y mod M by re-injected residues, the most significant digit first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from modmul.core import (
    Algorithm,
    Builds,
    Config,
    Core,
    Function,
    Interface,
    Origin,
    Overlapping,
    Step,
    WordConfig,
    full_modulus,
)

WORDS = (16, 32, 64)
SHIFT = 11
"""Bits of the quotient that the converter finds: U < 2 * 2^SHIFT * M."""
DELAY = 3
"""Steps that a digit waits for its residue, after the one that pushes it out."""
ENTRIES = range(-1, 8)
"""The values that a digit pushed out may have."""
LATE = 3
"""Passes of the converter that an entry of the table takes more than a product."""


@dataclass(frozen=True)
class RrmPlain(WordConfig):
    """A build.

    Attributes:
        word: bits of the data ports, and of the conversion at the end: 16, 32 or 64.
    """

    word: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word not in WORDS:
            raise ValueError(f"word must be 16, 32 or 64 bits, got {self.word}")

    @property
    def steps(self) -> int:
        """L: digits of two bits in the words of x, and a leading one."""
        return self.beats * self.word // 2 + 1

    @property
    def digits(self) -> int:
        """D: digits of the sum that are not pushed out."""
        return max(self.width // 2 + 1, 3)

    @property
    def trace_bits(self) -> int:
        """Bits of these digits."""
        return 2 * self.digits

    @property
    def period(self) -> int:
        """Cycles of a pass of the converter: its words, one more than an operand, and a cycle between."""
        return self.beats + 2


def latency(config: RrmPlain) -> int:
    """The loop, all passes but the last, the first words of that, and the pipelines between."""
    return config.steps + (SHIFT + 1) * config.period + 17


def cycles(config: RrmPlain) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: RrmPlain) -> int:
    """The loop, from its start until the converter reads the sum, or the converter."""
    return max(config.steps + 7, (SHIFT + 2) * config.period + 5)


def context_wait(config: RrmPlain) -> int:
    """A conversion for each entry of the table; nothing waits before the first, nor for all of the last."""
    return len(ENTRIES) * ((SHIFT + 2 + LATE) * config.period + 8) - 16


def context(config: RrmPlain, modulus: int) -> Sequence[int]:
    """M, and a word more that is taken when the table is there."""
    return (*config.split(modulus), 0)


def refused(config: RrmPlain) -> Sequence[Sequence[int]]:
    """Moduli that are too short."""
    short = (1 << (config.width - 1)) - 1
    return [(*config.split(m), 0) for m in dict.fromkeys((0, 1, short))]


def table(config: RrmPlain, modulus: int) -> dict[int, int]:
    """t * 4^(D + 1 + DELAY) mod M, by t."""
    weight = 2 * (config.digits + 1 + DELAY)
    return {t: (t << weight) % modulus for t in ENTRIES}


def digits_of(config: RrmPlain, x: int) -> list[int]:
    """x in base 4 with digits -1, 0, 1, 2, the most significant first."""
    ones = sum(1 << (2 * i) for i in range(config.steps - 1))
    return [(((x + ones) >> (2 * i)) & 3) - (i < config.steps - 1) for i in reversed(range(config.steps))]


def trace(_config: RrmPlain) -> dict[str, str]:
    return {"S": "s", "C": "c"}


def model(config: RrmPlain, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number; the sum in digits with saved carries."""
    for _ in range(6):
        yield Step("2", {})
    yield Step("3", {"S": 0, "C": 0})
    for s, c, _ in sums(config, m, x, y):
        yield Step("3", {"S": s, "C": c})
    for _ in range(latency(config) - config.steps - 7):
        yield Step("4-6", {})


def sums(config: RrmPlain, m: int, x: int, y: int) -> Iterator[tuple[int, int, int]]:
    """S and C behind each step, and the digit t that the next shift pushes out."""
    n, entries = config.digits, table(config, m)
    s, c, before, top = [0] * n, [0] * n, [0] * n, 0
    pushed = [0] * DELAY
    for digit in digits_of(config, x):
        # E: the multiple, the residue, and the carries that S saved a cycle before; each digit saves a carry.
        # A negative multiple is the complement of y, and a carry for the lowest digit.
        negative = int(digit < 0)
        multiple, residue = digit * y - negative, entries[pushed[-DELAY]]
        moved = [negative, 0, 0, *before]
        in_e = [((multiple >> (2 * j)) & 3) + ((residue >> (2 * j)) & 3) + moved[j] for j in range(n)]
        pushed.append(top + c[n - 1] + before[n - 2])
        in_s = [(s[j - 1] + in_e[j - 1] // 4 if j else 0) + in_e[j] % 4 for j in range(n)]
        top = s[n - 1] - negative + before[n - 3] + in_e[n - 1] // 4
        before = c
        s, c = [v % 4 for v in in_s], [v // 4 for v in in_s]
        yield _number(s, 2), _number(c, 1), top + c[n - 1] + before[n - 2]


def _number(digits: Sequence[int], bits: int) -> int:
    return sum(digit << (bits * j) for j, digit in enumerate(digits))


def explore(width: int) -> Sequence[RrmPlain]:
    """The default; words of 16 bits where the operand is no longer."""
    return (RrmPlain(width, word=16 if width <= 16 else 32),)


def variants(width: int) -> Sequence[Config]:
    """Other words, up to 255 bits."""
    if width > 255:
        return ()
    return (RrmPlain(width, word=32 if width <= 16 else 64 if width % 2 else 16),)


CORE = Core(
    slug="rrm_plain",
    title="Interleaved multiplier by re-injected residues, of the product itself",
    interface=Interface(
        latency=latency,
        interval=interval,
        context=context,
        refused=refused,
        context_wait=context_wait,
        in_flight=lambda _config: 3,
        stream=lambda config, known: Overlapping.of(known, ready=3, loop=lambda _square: config.steps + 6),
    ),
    function=Function(
        check=full_modulus,
        moduli="2^(n-1) <= M < 2^n",
    ),
    algorithm=Algorithm(
        steps="w ceil(n/w) / 2 + 1, 13 passes of ceil(n/w) + 2 cycles to convert, and the pipeline",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=RrmPlain,
        explore=explore,
        variants=variants,
    ),
    origin=Origin(
        section="docs/rrm.md",
    ),
)
