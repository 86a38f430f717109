# SPDX-License-Identifier: Apache-2.0
"""rrm_split: Montgomery multiplication by re-injected residues, with two tables."""

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


@dataclass(frozen=True)
class RrmSplit(WordConfig):
    """A build.

    Attributes:
        word: bits of the data ports, and of the conversion at the end: 8, 16, 32 or 64.
        digit_bits: bits k of a digit of x, and of those dropped: 3, 4 or 5.
        delay: steps d from the one that drops a digit to the one that adds its residue: 1 or 2.
        chains: carry chains of a step: 2, of two terms each, or 1 of three.
        modulus: 0 for any modulus, or the only one, odd and of ``width`` bits.
    """

    word: int = 16
    digit_bits: int = 4
    delay: int = 1
    chains: int = 2
    modulus: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word not in WORDS:
            raise ValueError(f"word must be 8, 16, 32 or 64 bits, got {self.word}")
        if self.digit_bits not in (3, 4, 5):
            raise ValueError(f"digit_bits must be 3, 4 or 5, got {self.digit_bits}")
        if self.delay not in (1, 2):
            raise ValueError(f"delay must be 1 or 2, got {self.delay}")
        if self.digit_bits * self.delay > self.word:
            raise ValueError(
                f"delay digits must fit into a word: {self.delay} of {self.digit_bits} bits, got {self.word}"
            )
        if self.chains not in (1, 2):
            raise ValueError(f"chains must be 1 or 2, got {self.chains}")
        if self.modulus and (self.modulus % 2 == 0 or self.modulus.bit_length() != self.width):
            raise ValueError(f"modulus must be 0, or odd and of {self.width} bits, got {self.modulus:#x}")

    @property
    def extra(self) -> int:
        """Digits 0 behind those of x, which bring the result below 2M."""
        return 2

    @property
    def steps(self) -> int:
        """L: digits of x, and the extra ones."""
        return ceil_div(self.width, self.digit_bits) + self.extra

    @property
    def digits(self) -> int:
        """Digits of the sum but for the one at the top, which is for its sign."""
        return ceil_div(self.width, self.digit_bits) + 1

    @property
    def fill(self) -> int:
        """Cycles to fill the last group of columns; the others are filled while words of y come."""
        return 1 << (self.digit_bits - 1)

    @property
    def groups(self) -> list[int]:
        """Words of y in each group of columns that the table is filled with at a time."""
        most = min(ceil_div(2 * self.fill * self.digit_bits, self.word), self.beats)
        return [min(most, self.beats - first) for first in range(0, self.beats, most)]

    @property
    def parts(self) -> int:
        """Parts of a group, of up to 32 columns, one a cycle behind the other."""
        return ceil_div(max(self.groups) * self.word, 32)

    @property
    def late(self) -> int:
        """One where words of the sum are chosen in two cycles."""
        return int(self.beats > 16)

    @property
    def period(self) -> int:
        """Cycles of the loop: so many that it is certain that the sum before will be read, and leave."""
        convert = 2 * self.beats + 8 + self.late
        return max(self.steps + 1, (self.steps + convert + 6) // 2, convert)


def latency(config: RrmSplit) -> int:
    """The table, the loop, the words of the sum, and the pipelines between them."""
    return config.fill + config.steps + config.beats + 17 + config.parts + config.late


def cycles(config: RrmSplit) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: RrmSplit) -> int:
    """The loop, with the next table beside it; for the smallest widths, what else takes longer."""
    table = operand_cycles(config)[-1] + config.fill + 6 + config.parts
    return max(config.period, table)


def operand_cycles(config: RrmSplit) -> list[int]:
    """Words of y: the last of a group waits for the filler, and the next one comes five cycles later."""
    first, *others = config.groups
    found = [*range(first)]
    for words in others:
        last = found[-1]
        found += range(last + 5, last + 4 + words)
        found.append(last + max(config.fill + 1, words + 4))
    return found


def beside(config: RrmSplit) -> Beside:
    """The first word when the loop begins with the other table, whose last part is then filled."""
    return Beside([config.fill + 6 + config.parts] * config.beats)


def context_wait(config: RrmSplit) -> int:
    """Two passes for each residue, the result of each coming in as y; none where they are fixed."""
    if config.modulus:
        return 0
    return (2 << config.digit_bits) * (latency(config) + operand_cycles(config)[-1]) + 2


def domain(config: RrmSplit) -> Domain:
    """R = 2^(k (L - 1)): every digit but the last is shifted out."""
    return Domain("montgomery", 1 << (config.digit_bits * (config.steps - 1)))


def context(config: RrmSplit, modulus: int) -> Sequence[int]:
    """M, and unless it is fixed a word more that is taken when the residues are there."""
    return (*config.split(modulus), *[0] * (config.modulus == 0))


def refused(config: RrmSplit) -> Sequence[Sequence[int]]:
    """Even moduli; with a fixed one, also what differs from it in a bit of one word."""
    top = 1 << config.width
    moduli = [0, 2, top // 2, top - 2]
    if config.modulus:
        places = (min(config.word * j + 1, config.width - 1) for j in range(config.beats))
        moduli = [*(config.modulus ^ 1 << place for place in places), *moduli]
    return [context(config, m) for m in dict.fromkeys(moduli) if m < top]


def check(config: RrmSplit, modulus: int) -> None:
    """Raise ValueError unless the modulus is odd and fits, and is that of the build if it has one."""
    check_odd(config, modulus)
    if config.modulus and modulus != config.modulus:
        raise ValueError(f"this build is for the modulus {config.modulus:#x} alone")


def examples(config: RrmSplit) -> Iterator[int] | None:
    """The modulus of a build that has one."""
    return iter((config.modulus,)) if config.modulus else None


def residues(config: RrmSplit, modulus: int) -> list[int]:
    """T[s] = s / B^(d+1) mod M."""
    inverse = pow(1 << (config.digit_bits * (config.delay + 1)), -1, modulus)
    return [s * inverse % modulus for s in range(1 << config.digit_bits)]


def trace(_config: RrmSplit) -> dict[str, str]:
    return {"S": "s", "C": "c", "top": "top"}


def model(config: RrmSplit, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number, the sum in digits with a saved carry each."""
    for _ in range(config.fill + 9 + config.parts):
        yield Step("3", {})
    for found in sums(config, m, x, y):
        yield Step("4", found.registers(config.digit_bits))
    for _ in range(config.beats + 7 + config.late):
        yield Step("5, 6", {})


@dataclass(frozen=True)
class Sums:
    """What the loop holds: the sum's digits and saved carries.

    Attributes:
        s: the digits, the lowest first.
        c: the saved carry of each; it counts in the next digit.
        carried: the other one, of the E that is in the sum, or with one chain of the majorities.
        top: the digit above all others, from -2 to 0.
    """

    s: Sequence[int]
    c: Sequence[int]
    carried: Sequence[int]
    top: int

    def value(self, k: int) -> int:
        carries = _number(self.c, k) + _number(self.carried, k)
        return _number(self.s, k) + (carries << k) + (self.top << (k * len(self.s)))

    def registers(self, k: int) -> dict[str, int]:
        return {"S": _number(self.s, k), "C": _number(self.c, 1), "top": self.top % (1 << k)}


def sums(config: RrmSplit, m: int, x: int, y: int) -> Iterator[Sums]:
    """The loop, before its first step and after each."""
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
        above = (*s[1:], top % base)
        if config.chains == 1:
            pairs = [joint(k, *them) for them in zip(above, *zip(*terms, strict=True), c, strict=True)]
            added, e_c = [v for v, _ in pairs], [h for _, h in pairs]
        else:
            e = [v + t + carry for v, t, carry in terms]
            added = [v + w % base + carry for v, w, carry in zip(above, e, c, strict=True)]
            e_c = [w // base for w in e]
        top = top // base - (multiple < 0)
        s, c = [v % base for v in added], [v // base for v in added]
        yield Sums(s, c, e_c, top)


def joint(k: int, s: int, x: int, t: int, h: int, c: int) -> tuple[int, int]:
    """What the one chain of a digit adds up, with the carry at the top, and the majority there."""
    major = (s & x) | (s & t) | (x & t)
    return (s ^ x ^ t) + (2 * major) % (1 << k) + h + c, major >> (k - 1)


def _digits(value: int, k: int) -> Iterator[int]:
    """All digits of k bits, the lowest first; of a negative number in two's complement."""
    while True:
        yield value % (1 << k)
        value >>= k


def _number(digits: Sequence[int], bits: int) -> int:
    return sum(digit << (bits * j) for j, digit in enumerate(digits))


def explore(width: int) -> Sequence[RrmSplit]:
    """The default."""
    return (RrmSplit(width),)


def explore_lut6(width: int) -> Sequence[RrmSplit]:
    """One chain: a LUT of six inputs takes three terms."""
    return (RrmSplit(width, chains=1),)


def variants(width: int) -> Sequence[Config]:
    """Other words, digits of five bits in one chain, and the other delay."""
    return (RrmSplit(width, word=8, delay=2), RrmSplit(width, word=32, digit_bits=5, chains=1))


CORE = Core(
    slug="rrm_split",
    title="Montgomery multiplier without quotients, by re-injected residues in two tables",
    interface=Interface(
        latency=latency,
        interval=interval,
        operand_cycles=operand_cycles,
        beside=beside,
        context=context,
        refused=refused,
        context_wait=context_wait,
        in_flight=lambda _config: 3,
    ),
    function=Function(
        check=check,
        examples=examples,
        moduli="odd M < 2^n, or the modulus of the build",
        domain=domain,
    ),
    algorithm=Algorithm(
        steps="ceil(n/k) + 2, and filling the table, the conversion and the pipeline",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=RrmSplit,
        explore=explore,
        tuned={"artix7": explore_lut6},
        variants=variants,
    ),
    origin=Origin(
        section="docs/rrm.md",
    ),
)
