# SPDX-License-Identifier: Apache-2.0
"""rrm: Montgomery multiplication by re-injected residues, without quotient digits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from modmul.core import Config, Core, Domain, Step, WordConfig, ceil_div, check_odd

WORDS = (8, 16, 32, 64)
CELL = 20
"""Least columns of a cell."""


@dataclass(frozen=True)
class Rrm(WordConfig):
    """A build.

    Attributes:
        word: bits of the data ports, and of the conversion at the end: 8, 16, 32 or 64.
        digit_bits: bits k of a digit of x, and of those dropped: 1 or 2.
        delay: steps d from the one that drops a digit to the one that adds its residue: 0, 1 or 2.
    """

    word: int = 16
    digit_bits: int = 2
    delay: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word not in WORDS:
            raise ValueError(f"word must be 8, 16, 32 or 64 bits, got {self.word}")
        if self.digit_bits not in (1, 2):
            raise ValueError(f"digit_bits must be 1 or 2, got {self.digit_bits}")
        if self.delay not in (0, 1, 2):
            raise ValueError(f"delay must be 0, 1 or 2, got {self.delay}")

    @property
    def extra(self) -> int:
        """Digits 0 behind those of x, which bring the result below 2M."""
        return self.delay + 2 if self.digit_bits == 1 else 2

    @property
    def steps(self) -> int:
        """L: digits of x, and the extra ones."""
        return ceil_div(self.width, self.digit_bits) + self.extra

    @property
    def digits(self) -> int:
        """Digits of the sum."""
        return max(ceil_div(self.width + 3, self.digit_bits), 4)

    @property
    def cells(self) -> Sequence[range]:
        """Digits of the sum in each cell, which hold a word of it at least."""
        step = max(CELL, self.word) // self.digit_bits
        return [range(i, min(i + step, self.digits)) for i in range(0, self.digits, step)]

    @property
    def fill(self) -> int:
        """Cycles to fill the lowest cell of the table: the entries of all rows but row 0, and one more."""
        rows = (1 << self.digit_bits) - 1
        return (rows << self.digit_bits) + 1


def latency(config: Rrm) -> int:
    """The table, the loop, the words of the sum, and the pipelines between them."""
    return config.fill + config.steps + config.beats + 10 + (config.beats > 16)


def cycles(config: Rrm) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: Rrm) -> int:
    """The table and the loop, without a cycle between them; for the smallest widths, the converter."""
    return max(config.fill + config.steps, 2 * config.beats + 8)


def pause(config: Rrm) -> int:
    """The table of multiples of M, then for each residue a short loop, the conversion and an entry of row 0."""
    residue = 2 * config.beats + 13 + config.delay + (config.delay > 0) + (config.beats > 16)
    table = config.fill + 2 * len(config.cells) + config.beats + 6
    return table + ((1 << config.digit_bits) - 1) * residue


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
    """T[s] = s / 2^(k (d + 1)) mod M."""
    inverse = pow(1 << (config.digit_bits * (config.delay + 1)), -1, modulus)
    return [s * inverse % modulus for s in range(1 << config.digit_bits)]


def trace(config: Rrm) -> dict[str, str]:
    cells = range(len(config.cells))
    return {f"{name}[{i}]": f"gen_cell[{i}].u_cell.{name.lower()}_q" for name in "SC" for i in cells}


def model(config: Rrm, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number, the sum in digits with a saved carry each.

    A cell is a cycle later than the one below it.
    """
    sums = [*_sums(config, m, x, y)]
    begin = config.fill + 2
    for cycle in range(latency(config)):
        state = {}
        for i, cell in enumerate(config.cells):
            step = cycle - begin - i
            if 0 <= step < len(sums):
                s, c = sums[step]
                state[f"S[{i}]"] = _number([s[j] for j in cell], config.digit_bits)
                state[f"C[{i}]"] = _number([c[j] for j in cell], 1)
        yield Step("3" if cycle < begin else "4" if cycle < begin + len(sums) else "5, 6", state)


def _sums(config: Rrm, m: int, x: int, y: int) -> Iterator[tuple[list[int], list[int]]]:
    """Digits and saved carries before the first step, and after each."""
    k = config.digit_bits
    base = 1 << k
    table = residues(config, m)
    s, c = [0] * (config.digits + 1), [0] * config.digits
    dropped = [0] * config.delay
    yield s, c
    for i in range(config.steps):
        dropped.append(s[0])
        entry = (x >> (k * i)) % base * y + table[dropped.pop(0)]
        sums = [s[j + 1] + (entry >> (k * j)) % base + c[j] for j in range(config.digits)]
        s, c = [*(v % base for v in sums), 0], [v // base for v in sums]
        yield s, c


def _number(digits: Sequence[int], bits: int) -> int:
    return sum(digit << (bits * j) for j, digit in enumerate(digits))


def explore(width: int) -> Sequence[Rrm]:
    """The default."""
    return (Rrm(width),)


def variants(width: int) -> Sequence[Config]:
    """Other words, digits of one bit, and other delays."""
    return (Rrm(width, word=8, delay=2), Rrm(width, word=32, digit_bits=1, delay=0))


CORE = Core(
    slug="rrm",
    title="Montgomery multiplier without quotients, by re-injected residues",
    family="montgomery",
    paper="",
    section="docs/rrm.md",
    parts=("mm_word_ram", "mm_context_gate", "mm_rrm_corrector", "mm_rrm_converter"),
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
