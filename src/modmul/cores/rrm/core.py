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
        digit_bits: bits k of a digit of x, and of those dropped: 1 or 2 with one table, 3 or 4 with two.
        delay: steps d from the one that drops a digit to the one that adds its residue: 1; with two tables
            also 2.
    """

    word: int = 16
    digit_bits: int = 2
    delay: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word not in WORDS:
            raise ValueError(f"word must be 8, 16, 32 or 64 bits, got {self.word}")
        if self.digit_bits not in (1, 2, 3, 4):
            raise ValueError(f"digit_bits must be 1 to 4, got {self.digit_bits}")
        if self.delay != 1 and not (self.delay == 2 and self.two_tables):
            raise ValueError(f"delay must be 1, or 2 for digit_bits above 2, got {self.delay}")

    @property
    def two_tables(self) -> bool:
        """Whether there are two tables, one of multiples of y and one of residues."""
        return self.digit_bits > 2

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
        """Digits of the sum; with two tables but for the one at the top, which is for its sign."""
        if self.two_tables:
            return ceil_div(self.width, self.digit_bits) + 1
        return max(ceil_div(self.width + 3, self.digit_bits), 4)

    @property
    def rows(self) -> int:
        """Multiples of y in a bank of the table, where there are two tables."""
        return 1 << (self.digit_bits - 1)

    @property
    def groups(self) -> list[int]:
        """Words of y in each group that the table is filled with at a time, where there are two tables."""
        most = min(ceil_div(2 * self.rows * self.digit_bits, self.word), self.beats)
        return [min(most, self.beats - first) for first in range(0, self.beats, most)]

    @property
    def parts(self) -> int:
        """Parts of a group, of up to 32 columns, one a cycle behind the other."""
        return ceil_div(max(self.groups) * self.word, 32)

    @property
    def period(self) -> int:
        """Cycles of the loop with two tables: so many that it is certain that the sum before will be read."""
        return max(self.steps + 1, ceil_div(self.steps + 2 * self.beats + 13, 2))

    @property
    def fill(self) -> int:
        """Cycles to fill the table.

        One table: its entries but those of row 0, in one cell behind the other. Two: the multiples of the
        last group, since those of the others are filled in while words of y come.
        """
        if self.two_tables:
            return self.rows
        rows = (1 << self.digit_bits) - 1
        return (rows << self.digit_bits) + ceil_div(self.trace_bits, CELL)

    @property
    def trace_bits(self) -> int:
        """Bits of the sum."""
        return self.digits * self.digit_bits


def latency(config: Rrm) -> int:
    """The table, the loop, the words of the sum, and the pipelines between them."""
    return config.fill + config.steps + config.beats + (17 + config.parts if config.two_tables else 10)


def cycles(config: Rrm) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: Rrm) -> int:
    """The loop, with the table before it or beside it; for the smallest widths, what else takes longer."""
    converter = 2 * config.beats + 8
    if not config.two_tables:
        return max(config.fill + config.steps, converter)
    first, *others = config.groups
    groups = first + 4 + sum(max(config.rows + 1, words + 4) for words in others)
    return max(config.period, groups + config.rows + 1 + config.parts, converter)


def pause(config: Rrm) -> int:
    """The table of multiples of M, then a residue for each digit; a few cycles are to spare."""
    if config.two_tables:
        return 0
    residue = config.fill + 2 * config.beats + 30
    return (config.fill + residue) + ((1 << config.digit_bits) - 1) * residue


def domain(config: Rrm) -> Domain:
    """R = 2^(k (L - 1)): every digit but the last is shifted out."""
    return Domain("montgomery", 1 << (config.digit_bits * (config.steps - 1)))


def context(config: Rrm, modulus: int) -> Sequence[int]:
    """M, and a word more that is taken when the table is there; with two tables M and the residues."""
    if config.two_tables:
        return config.split(modulus, *residues(config, modulus)[1:])
    return (*config.split(modulus), 0)


def refused(config: Rrm) -> Sequence[Sequence[int]]:
    """Even moduli."""
    top = 1 << config.width
    rest = config.beats * ((1 << config.digit_bits) - 1) if config.two_tables else 1
    return [(*config.split(m), *[0] * rest) for m in dict.fromkeys((0, 2, top // 2, top - 2)) if m < top]


def residues(config: Rrm, modulus: int) -> list[int]:
    """T[s] = s / B^(d+1) mod M."""
    inverse = pow(1 << (config.digit_bits * (config.delay + 1)), -1, modulus)
    return [s * inverse % modulus for s in range(1 << config.digit_bits)]


def trace(config: Rrm) -> dict[str, str]:
    if not config.two_tables:
        return {"S": "gen_merged.u_core.s", "C": "gen_merged.u_core.c"}
    core = "gen_split.u_core"
    return {"S": f"{core}.s", "C": f"{core}.c", "top": f"{core}.top"}


def model(config: Rrm, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number, the sum in digits with a saved carry each."""
    for _ in range(config.rows + 9 + config.parts if config.two_tables else config.fill + 2):
        yield Step("3", {})
    for sums in split_sums(config, m, x, y) if config.two_tables else merged_sums(config, m, x, y):
        yield Step("4", sums.registers(config.digit_bits))
    for _ in range(config.beats + 7):
        yield Step("5, 6", {})


@dataclass(frozen=True)
class Sums:
    """What the loop holds: the sum's digits and saved carries.

    Attributes:
        s: the digits, the lowest first.
        c: the saved carry of each; it counts in the next digit.
        carried: with two tables, those of the E that is in the sum.
        top: with two tables, the digit above all others, from -2 to 0.
    """

    s: Sequence[int]
    c: Sequence[int]
    carried: Sequence[int] = ()
    top: int | None = None

    def value(self, k: int) -> int:
        carries = _number(self.c, k) + _number(self.carried, k)
        return _number(self.s, k) + (carries << k) + ((self.top or 0) << (k * len(self.s)))

    def registers(self, k: int) -> dict[str, int]:
        shown = {"S": _number(self.s, k), "C": _number(self.c, 1)}
        return shown if self.top is None else shown | {"top": self.top % (1 << k)}


def merged_sums(config: Rrm, m: int, x: int, y: int) -> Iterator[Sums]:
    """The loop with one table, before its first step and after each."""
    k, base = config.digit_bits, 1 << config.digit_bits
    table = residues(config, m)
    s, c = [0] * config.digits, [0] * config.digits
    yield Sums(s, c)
    before = 0
    for i in range(config.steps):
        entry = (x >> (k * i)) % base * y + table[before]
        before = s[0]
        added = [v + d + carry for v, d, carry in zip((*s[1:], 0), _digits(entry, k), c, strict=False)]
        s, c = [v % base for v in added], [v // base for v in added]
        yield Sums(s, c)


def split_sums(config: Rrm, m: int, x: int, y: int) -> Iterator[Sums]:
    """The loop with two tables, before its first step and after each."""
    k, base, d = config.digit_bits, 1 << config.digit_bits, config.delay
    table = residues(config, m)
    odd_x, odd_y = (v if v % 2 else m - v for v in (x, y))
    digits = ceil_div(config.width, k)
    bits = odd_x // 2 + (1 << (k * digits - 1))
    negative = (x + y) % 2
    s, c, e_c, top = [0] * config.digits, [0] * config.digits, [0] * config.digits, 0
    dropped = [0] * d
    yield Sums(s, c, e_c, top)
    for i in range(config.steps):
        digit = 2 * ((bits >> (k * i)) % base) - (base - 1) if i < digits else 0
        multiple = -digit * odd_y if negative else digit * odd_y
        terms = zip(_digits(multiple, k), _digits(table[dropped[0]], k), e_c, strict=False)
        dropped = [*dropped[1:], s[0]]
        e = [v + t + carry for v, t, carry in terms]
        added = [v + w % base + carry for v, w, carry in zip((*s[1:], top % base), e, c, strict=True)]
        top = top // base - (multiple < 0)
        e_c = [w // base for w in e]
        s, c = [v % base for v in added], [v // base for v in added]
        yield Sums(s, c, e_c, top)


def _digits(value: int, k: int) -> Iterator[int]:
    """All digits of k bits, the lowest first; of a negative number in two's complement."""
    while True:
        yield value % (1 << k)
        value >>= k


def _number(digits: Sequence[int], bits: int) -> int:
    return sum(digit << (bits * j) for j, digit in enumerate(digits))


def explore(width: int) -> Sequence[Rrm]:
    """One table, and two."""
    return (Rrm(width), Rrm(width, digit_bits=4))


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
