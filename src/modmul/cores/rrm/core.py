# SPDX-License-Identifier: Apache-2.0
"""rrm: Montgomery multiplication by re-injected residues, without quotient digits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from modmul.core import Config, Core, Domain, Step, WordConfig, ceil_div, check_odd

WORDS = (8, 16, 32, 64)
CELL = 20
"""Columns of the table that are filled at a time."""


@dataclass(frozen=True)
class Rrm(WordConfig):
    """A build.

    Attributes:
        word: bits of the data ports, and of the conversion at the end: 8, 16, 32 or 64.
        digit_bits: bits k of a digit of x, and of those dropped: 1 or 2.
    """

    word: int = 16
    digit_bits: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word not in WORDS:
            raise ValueError(f"word must be 8, 16, 32 or 64 bits, got {self.word}")
        if self.digit_bits not in (1, 2):
            raise ValueError(f"digit_bits must be 1 or 2, got {self.digit_bits}")

    @property
    def extra(self) -> int:
        """Digits 0 behind those of x, which bring the sum below 2M."""
        return 3 if self.digit_bits == 1 else 2

    @property
    def steps(self) -> int:
        """L: digits of x, and the extra ones."""
        return ceil_div(self.width, self.digit_bits) + self.extra

    @property
    def digits(self) -> int:
        """Digits of the sum."""
        return max(ceil_div(self.width + 3, self.digit_bits), 4)

    @property
    def fill(self) -> int:
        """Cycles to fill the table: its entries but those of row 0, in one cell behind the other."""
        rows = (1 << self.digit_bits) - 1
        return (rows << self.digit_bits) + ceil_div(self.trace_bits, CELL)

    @property
    def trace_bits(self) -> int:
        """Bits of the sum."""
        return self.digits * self.digit_bits


def latency(config: Rrm) -> int:
    """The table, the loop, the words of the sum, and the pipelines between them."""
    return config.fill + config.steps + config.beats + 10


def cycles(config: Rrm) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: Rrm) -> int:
    """The table and the loop, without a cycle between them; for the smallest widths, the converter."""
    return max(config.fill + config.steps, 2 * config.beats + 8)


def pause(config: Rrm) -> int:
    """The table of multiples of M, then a residue for each digit; a few cycles are to spare."""
    residue = config.fill + 2 * config.beats + 30
    return (config.fill + residue) + ((1 << config.digit_bits) - 1) * residue


def domain(config: Rrm) -> Domain:
    """R = 2^(k (L - 1)): every digit but the last is shifted out."""
    return Domain("montgomery", 1 << (config.digit_bits * (config.steps - 1)))


def context(config: Rrm, modulus: int) -> Sequence[int]:
    """M, and a word more that is taken when the table is there."""
    return (*config.split(modulus), 0)


def refused(config: Rrm) -> Sequence[Sequence[int]]:
    """Even moduli."""
    top = 1 << config.width
    return [(*config.split(m), 0) for m in dict.fromkeys((0, 2, top // 2, top - 2)) if m < top]


def residues(config: Rrm, modulus: int) -> list[int]:
    """T[s] = s / 2^(2k) mod M."""
    inverse = pow(1 << (2 * config.digit_bits), -1, modulus)
    return [s * inverse % modulus for s in range(1 << config.digit_bits)]


def trace(_config: Rrm) -> dict[str, str]:
    return {"S": "s", "C": "c"}


def model(config: Rrm, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number, the sum in digits with a saved carry each."""
    k = config.digit_bits
    base = 1 << k
    table = residues(config, m)
    for _ in range(2 + config.fill):
        yield Step("3", {})
    s, c = [0] * (config.digits + 1), [0] * config.digits
    yield Step("4", {"S": 0, "C": 0})
    before = 0
    for i in range(config.steps):
        entry = (x >> (k * i)) % base * y + table[before]
        before = s[0]
        sums = [s[j + 1] + (entry >> (k * j)) % base + c[j] for j in range(config.digits)]
        s[:-1], c = [v % base for v in sums], [v // base for v in sums]
        yield Step("4", {"S": _number(s, k), "C": _number(c, 1)})
    for _ in range(config.beats + 7):
        yield Step("5, 6", {})


def _number(digits: Sequence[int], bits: int) -> int:
    return sum(digit << (bits * j) for j, digit in enumerate(digits))


def explore(width: int) -> Sequence[Rrm]:
    """The default."""
    return (Rrm(width),)


def variants(width: int) -> Sequence[Config]:
    """Other words, and digits of one bit."""
    return (Rrm(width, word=8), Rrm(width, word=32, digit_bits=1))


CORE = Core(
    slug="rrm",
    title="Montgomery multiplier without quotients, by re-injected residues",
    family="montgomery",
    paper="",
    section="docs/rrm.md",
    parts=("mm_word_ram", "mm_context_gate"),
    config=Rrm,
    steps="ceil(n/k) + 2, and the table's entries, the conversion and the pipeline",
    cycles=cycles,
    latency=latency,
    interval=interval,
    model=model,
    trace=trace,
    check=check_odd,
    moduli="odd M < 2^n",
    context=context,
    refused=refused,
    pause=pause,
    domain=domain,
    in_flight=3,
    explore=explore,
    variants=variants,
)
