# SPDX-License-Identifier: Apache-2.0
"""rrm: Montgomery multiplication by re-injected residues, without quotient digits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from modmul.core import (
    Algorithm,
    Beside,
    Builds,
    Config,
    Core,
    Domain,
    Function,
    Interface,
    Origin,
    Step,
    WordConfig,
    ceil_div,
    check_odd,
)

WORDS = (8, 16, 32, 64)
CELL = 20
"""Least columns of a cell; with lazy four more."""


@dataclass(frozen=True)
class Rrm(WordConfig):
    """A build.

    Attributes:
        word: bits of the data ports, and of the conversion at the end: 8, 16, 32 or 64.
        digit_bits: bits k of a digit of x, and of those dropped: 1 or 2.
        delay: steps d from the one that drops a digit to the one that adds its residue: 0, 1 or 2.
        banks: banks of the table, 1 or 2: one is filled while the loop runs with the other; not with delay 0.
        lazy: whether results are only below a multiple of M, and operands as well; 0, or with one bank 1.
    """

    word: int = 16
    digit_bits: int = 2
    delay: int = 1
    banks: int = 1
    lazy: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word not in WORDS:
            raise ValueError(f"word must be 8, 16, 32 or 64 bits, got {self.word}")
        if self.digit_bits not in (1, 2):
            raise ValueError(f"digit_bits must be 1 or 2, got {self.digit_bits}")
        if self.delay not in (0, 1, 2):
            raise ValueError(f"delay must be 0, 1 or 2, got {self.delay}")
        if self.banks not in (1, 2):
            raise ValueError(f"banks must be 1 or 2, got {self.banks}")
        if self.banks == 2 and self.delay == 0:
            raise ValueError("with two banks the delay must be 1 or 2, got 0")
        if self.lazy not in (0, 1):
            raise ValueError(f"lazy must be 0 or 1, got {self.lazy}")
        if self.lazy and self.banks == 2:
            raise ValueError("with lazy there must be one bank, got 2")

    @property
    def head(self) -> int:
        """With lazy: operands and results are below 2^head * M."""
        return self.digit_bits * self.delay + 3 - self.digit_bits if self.lazy else 0

    @property
    def bits(self) -> int:
        """Bits of an operand at the ports."""
        return self.width + self.head

    @property
    def extra(self) -> int:
        """Digits 0 behind those of x, which bring the result below 2M, or 2^head * M."""
        return self.delay + 2 if self.digit_bits == 1 or self.lazy else 2

    @property
    def steps(self) -> int:
        """L: digits of x, and the extra ones."""
        return ceil_div(self.bits, self.digit_bits) + self.extra

    @property
    def digits(self) -> int:
        """Digits of the sum."""
        return max(ceil_div(self.bits + 3, self.digit_bits), 4)

    @property
    def cells(self) -> Sequence[range]:
        """Digits of the sum in each cell, which hold a word of it at least."""
        step = max(CELL + 4 * self.lazy, self.word) // self.digit_bits
        return [range(i, min(i + step, self.digits)) for i in range(0, self.digits, step)]

    @property
    def fill(self) -> int:
        """Cycles to fill the table, or the last group of its columns.

        The entries of all rows but row 0, and one more; with two banks, the entries of all rows.
        """
        rows = (1 << self.digit_bits) - 1
        return (rows << self.digit_bits) + 1 if self.banks == 1 else 1 << (2 * self.digit_bits)

    @property
    def groups(self) -> Sequence[int]:
        """Words of y in each group of columns that the table is filled with at a time; with two banks."""
        most = min(ceil_div(16 if self.digit_bits == 1 else 48, self.word), self.beats)
        return [min(most, self.beats - first) for first in range(0, self.beats, most)]

    @property
    def late(self) -> int:
        """One where words of the sum are chosen in two cycles; with lazy the 17th of 17 is chosen apart."""
        return int(self.beats - (self.lazy and self.beats % 4 == 1) > 16)

    @property
    def period(self) -> int:
        """Cycles of the loop with two banks: so many that it is certain that the sum before will be read."""
        return max(self.steps + 1, (self.steps + 2 * self.beats + 14 + self.late) // 2)

    @property
    def trace_bits(self) -> int:
        return self.digits * self.digit_bits


def latency(config: Rrm) -> int:
    """The table, the loop, the words of the sum, and the pipelines between them."""
    if config.lazy:
        return config.fill + config.steps + 9 + config.late
    return config.fill + config.steps + config.beats + (10 if config.banks == 1 else 16) + config.late


def cycles(config: Rrm) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: Rrm) -> int:
    """The table and the loop, without a cycle between them; for the smallest widths, the converter.

    With two banks the loop alone; for small widths, what else takes longer, which with lazy nothing does.
    """
    if config.lazy:
        return config.fill + config.steps
    if config.banks == 1:
        return max(config.fill + config.steps, 2 * config.beats + 8)
    return max(
        config.period, operand_cycles(config)[-1] + config.fill + 5, 2 * config.beats + 8 + config.late
    )


def operand_cycles(config: Rrm) -> Sequence[int]:
    """A word a cycle; with two banks the last word of a group waits until the filler is nearly done.

    It takes a group two cycles after its last word, and the next one comes in the cycle after that.
    """
    if config.banks == 1:
        return range(config.beats)
    first, *others = config.groups
    words = [*range(first)]
    for more in others:
        taken = words[-1] + 2
        words += range(taken + 1, taken + more)
        words.append(taken + max(more, config.fill - 2))
    return words


def beside(config: Rrm) -> Beside:
    """With one bank, when the table is there, and each word when the loop has used the one it replaces.

    With two banks the first word when the loop begins with the other bank.
    """
    if config.banks == 2:
        return Beside([config.fill + 5] * config.beats)
    later = int(config.delay == 0)
    table = config.fill + 1 + len(config.cells) + later
    used = config.word // config.digit_bits
    words = [max(table, config.fill + 2 + later + word * used) for word in range(1, config.beats)]
    return Beside([table, *words], apart=3, until=config.fill + config.steps + 2 + later)


def context_wait(config: Rrm) -> int:
    """The table of multiples of M, then for each residue a short loop, the conversion and an entry of row 0.

    With two banks two passes for each residue, the result of each coming in as y.
    """
    if config.banks == 2:
        return (2 << config.digit_bits) * (latency(config) + operand_cycles(config)[-1]) + 2
    words = config.beats + 12 + config.delay if config.lazy else 2 * config.beats + 13
    residue = words + config.delay + (config.delay > 0) + config.late
    table = config.fill + 2 * len(config.cells) + config.beats + 6
    return table + ((1 << config.digit_bits) - 1) * residue


def domain(config: Rrm) -> Domain:
    """R = 2^(k (L - 1)): every digit but the last is shifted out; with lazy the pending ones are not."""
    shifts = config.steps - 1 - (config.delay if config.lazy else 0)
    return Domain("montgomery", 1 << (config.digit_bits * shifts))


def operand_max(config: Rrm, modulus: int) -> int:
    """M, or what a result may be."""
    return result_max(config, modulus) if config.lazy else modulus


def result_max(config: Rrm, modulus: int) -> int:
    """M - 1, or with lazy 2^head * M - 1."""
    return (modulus << config.head) - 1


def context(config: Rrm, modulus: int) -> Sequence[int]:
    """M, and a word more that is taken when the table is there."""
    return (*config.split(modulus), 0)


def refused(config: Rrm) -> Sequence[Sequence[int]]:
    """Even moduli."""
    top = 1 << config.width
    return [(*config.split(m), 0) for m in dict.fromkeys((0, 2, top // 2, top - 2)) if m < top]


def residues(config: Rrm, modulus: int) -> list[int]:
    """T[s] = s / 2^(k (d + 1)) mod M; with lazy M itself for an s that it divides."""
    inverse = pow(1 << (config.digit_bits * (config.delay + 1)), -1, modulus)
    found = [s * inverse % modulus for s in range(1 << config.digit_bits)]
    return [t or modulus * (s > 0) for s, t in enumerate(found)] if config.lazy else found


def trace(config: Rrm) -> dict[str, str]:
    if config.banks == 2:
        return {name: f"gen_legal.gen_two.u_rrm.{name.lower()}_q" for name in "SC"}
    cells = [f"gen_legal.gen_one.u_rrm.gen_cell[{i}].u_cell." for i in range(len(config.cells))]
    return {f"{name}[{i}]": f"{cell}{name.lower()}_q" for name in "SC" for i, cell in enumerate(cells)}


def model(config: Rrm, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number, the sum in digits with a saved carry each.

    With one bank, a cell is a cycle later than the one below it.
    """
    sums = [*_sums(config, m, x, y)]
    if config.banks == 2:
        after = config.beats + 7 + config.late
        for _ in range(latency(config) - len(sums) - after):
            yield Step("3", {})
        for s, c in sums:
            yield Step("4", {"S": _number(s, config.digit_bits), "C": _number(c, 1)})
        for _ in range(after):
            yield Step("5, 6", {})
        return
    begin, last = config.fill + 2, "7" if config.lazy else "5, 6"
    for cycle in range(latency(config)):
        state = {}
        for i, cell in enumerate(config.cells):
            step = cycle - begin - i
            if 0 <= step < len(sums):
                s, c = sums[step]
                state[f"S[{i}]"] = _number([s[j] for j in cell], config.digit_bits)
                state[f"C[{i}]"] = _number([c[j] for j in cell], 1)
        yield Step("3" if cycle < begin else "4" if cycle < begin + len(sums) else last, state)


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
    """The default; of 256 bits also lazy results."""
    return (Rrm(width), Rrm(width, lazy=1)) if width == 256 else (Rrm(width),)


def explore_lut6(width: int) -> Sequence[Rrm]:
    """Also two banks: with LUTs of six inputs fewer cycles, from 256 bits on for hardly a LUT."""
    return (*explore(width), Rrm(width, banks=2))


def variants(width: int) -> Sequence[Config]:
    """Other words, digits of one bit, other delays, two banks, and lazy results.

    These have 64 or 256 times as many pairs of operands, too many to try all of five or six bits but in
    ``make long``.
    """
    exact = (
        Rrm(width, word=8, banks=2),
        Rrm(width, word=8, delay=2),
        Rrm(width, word=32, digit_bits=1, delay=0),
    )
    if width in (5, 6):
        return exact
    return (*exact, Rrm(width, word=8, lazy=1), Rrm(width, word=8, digit_bits=1, delay=2, lazy=1))


CORE = Core(
    slug="rrm",
    title="Montgomery multiplier without quotients, by re-injected residues",
    interface=Interface(
        latency=latency,
        interval=interval,
        context=context,
        refused=refused,
        context_wait=context_wait,
        in_flight=lambda _config: 3,
        operand_cycles=operand_cycles,
        beside=beside,
    ),
    function=Function(
        check=check_odd,
        moduli="odd M < 2^n",
        domain=domain,
        operand_max=operand_max,
        result_max=result_max,
    ),
    algorithm=Algorithm(
        steps="the digits of x and some zeros, the table's entries, the conversion and the pipeline",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=Rrm,
        explore=explore,
        tuned={"artix7": explore_lut6},
        variants=variants,
    ),
    origin=Origin(
        section="docs/rrm.md",
    ),
)
