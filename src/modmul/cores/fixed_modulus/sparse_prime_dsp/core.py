# SPDX-License-Identifier: Apache-2.0
"""sparse_prime_dsp: x * y mod M for a prime of few powers of 2, in a row of multiplier blocks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from modmul.core import (
    Algorithm,
    Builds,
    Config,
    Core,
    Function,
    Interface,
    Origin,
    Overlapping,
    Regular,
    Step,
    WordConfig,
    ceil_div,
    check_fixed,
    check_parameter,
    fixed_examples,
    fixed_refused,
    full_modulus,
    modulus_text,
    signed_powers,
)

SLOTS = 4
"""The most operations between their start and the last word of the result, or those of 32 words."""

PRODUCTS = (3, 4, 5)
"""Cycles that a product may take."""

BIAS = 16
"""What is taken from Q in wide builds, so that U is not negative."""


@dataclass(frozen=True)
class SparsePrimeDsp(WordConfig):
    """A build.

    Attributes:
        word: bits of the data ports, and of all that follows the row: a number of digits.
        digit: bits w of a digit, 8 to 32: those of a multiplier block.
        columns: blocks in the row, those of a number of words; 0 for all digits of y.
        product: cycles of a product: 3; 4 with a register more where those of several blocks are added; 5
            also with one in front of the blocks of each column.
        modulus: the one of the build, 2^width - D: odd, of ``width`` bits, with D * (D + 2) at most 2^width;
            or a wide build, if the powers of 2 in D are few and at multiples of ``word``.
    """

    word: int = 32
    digit: int = 16
    columns: int = 0
    product: int = 3
    modulus: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 8 <= self.digit <= 32:
            raise ValueError(f"digit must be 8 to 32 bits, got {self.digit}")
        if self.word % self.digit:
            raise ValueError(f"word must be a number of digits of {self.digit} bits, got {self.word}")
        if self.columns < 0 or self.columns % self.lanes:
            raise ValueError(
                f"columns must be 0 or those of a number of words, of {self.lanes} each, got {self.columns}"
            )
        if self.product not in PRODUCTS:
            raise ValueError(f"product must be 3, 4 or 5 cycles, got {self.product}")
        check_parameter(self.width, self.modulus)
        if self.wide:
            self._check_wide()

    def _check_wide(self) -> None:
        """Raise ValueError unless step 3 works: D's powers are at words, all words of Q and U in range."""
        text = modulus_text(self.modulus)
        powers = list(signed_powers((1 << self.width) - self.modulus))
        if self.shift or any(place % self.word for place, _ in powers):
            raise ValueError(
                f"modulus must be 2^{self.width} - D with D below 2^{self.width // 2}, or with the width "
                f"and all powers of 2 in D at multiples of the word, {self.word} bits; {text} is neither"
            )
        impulse = [1]
        for i in range(1, self.beats):
            back = ((i - self.beats + j, sign) for j, sign in self.taps.items())
            impulse.append(sum(sign * impulse[at] for at, sign in back if at >= 0))
        up, down = sum(v for v in impulse if v > 0), -sum(v for v in impulse if v < 0)
        added = sum(sign > 0 for _, sign in powers)
        taken = len(powers) - added
        if max(up, down, added * down + taken * up) > 15 or added * up + taken * down > 46:
            raise ValueError(
                f"modulus must be 2^{self.width} - D with fewer powers of 2 in D, or lower ones, than {text}"
            )

    @property
    def multiplier_blocks(self) -> bool:
        """A row of them is the architecture."""
        return True

    @property
    def lanes(self) -> int:
        """Digits in a word."""
        return self.word // self.digit

    @property
    def n(self) -> int:
        """Bits of the words of an operand."""
        return self.beats * self.word

    @property
    def shift(self) -> int:
        """What they have more than the modulus."""
        return self.n - self.width

    @property
    def scaled(self) -> int:
        """D': 2^n - M * 2^shift."""
        return ((1 << self.width) - self.modulus) << self.shift

    @property
    def digits(self) -> int:
        """Digits of y."""
        return ceil_div(self.width, self.digit)

    @property
    def steps(self) -> int:
        """T: digits of X."""
        return self.beats * self.lanes

    @property
    def row(self) -> int:
        """Columns of the row."""
        return self.columns if 0 < self.columns < self.digits else self.digits

    @property
    def folded(self) -> bool:
        """Whether a step takes several cycles."""
        return self.row < self.digits

    @property
    def groups(self) -> int:
        """Cycles of a step."""
        return ceil_div(self.digits, self.row)

    @property
    def run(self) -> int:
        """Cycles of all steps."""
        return self.groups * self.steps

    @property
    def wide(self) -> bool:
        """Whether two products by D' are too few to reduce H * 2^n."""
        less = (1 << self.width) - self.modulus
        return less * (less + 2) > 1 << self.width

    @property
    def taps(self) -> dict[int, int]:
        """d_j, by j from 1 on: D' is the sum of d_j * 2^(word * j) in wide builds."""
        return {place // self.word: sign for place, sign in signed_powers(self.scaled) if place}

    @property
    def far(self) -> int:
        """Words that one of Q comes back below."""
        return self.beats - min(self.taps)

    @property
    def levels(self) -> int:
        """Additions one behind the other in U = L + Q * D'."""
        return len(list(signed_powers(self.scaled))).bit_length()

    @property
    def above(self) -> int:
        """Words of floor(U / 2^n)."""
        return 1 if self.wide else ceil_div((self.scaled >> self.shift).bit_length(), self.word)

    @property
    def busy(self) -> int:
        """Cycles from one product by D' to the next, or from one Q to the next."""
        reach = self.scaled.bit_length() // self.word + 1
        if self.wide:
            return max(self.beats + 1 + reach, 2 * self.beats)
        return self.beats + max(reach, self.above + 1)

    @cached_property
    def slots(self) -> int:
        """Operations from their start to the last word of the result."""
        needed = ceil_div(latency(self) + self.beats + 2, max(self.run, self.busy))
        return min(needed, max(SLOTS, 32 // self.beats))


def _quotient(config: SparsePrimeDsp) -> int:
    """The cycle in which the first word of Q is there; the last operand word comes in cycle 0."""
    taken = config.run + config.product
    if config.wide:
        return taken + config.groups + config.far + config.beats + 9
    return taken + (6 if config.folded and config.row == config.lanes else 8)


def _reduced(config: SparsePrimeDsp) -> int:
    """The cycle in which the first word of V is there."""
    return _quotient(config) + 2 * config.levels + config.beats + 1


def latency(config: SparsePrimeDsp) -> int:
    """Operands, steps, U, V, the comparison."""
    return _reduced(config) + config.beats + 3


def cycles(config: SparsePrimeDsp) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: SparsePrimeDsp) -> int:
    """The steps; or the words of a product by D'; or a slot for each result."""
    return max(config.run, config.busy, ceil_div(latency(config) + config.beats + 2, config.slots))


def stream(config: SparsePrimeDsp, known: Regular) -> Overlapping:
    """``mm_sparse_prime_dsp_control``: operands, the steps, and slots for results, which wait in a queue."""
    turn = interval(config)
    return Overlapping.of(known, 1, lambda _square: 0, turn=turn, room=config.slots, clears=3, queue=1)


def trace(_config: SparsePrimeDsp) -> dict[str, str]:
    """The lowest digit of S, the words of Q, U and V."""
    return {"S": "u_low.digit_q", "Q": "q", "U": "u_reduce.u", "V": "u_reduce.v"}


def row_sums(config: SparsePrimeDsp, x: int, y: int) -> tuple[list[int], list[int]]:
    """The digits of L, and those of H with the carries that are saved there."""
    w, count = config.digit, config.groups * config.row
    mask = (1 << w) - 1
    above, x_carries, s_carries = [0] * count, [0] * count, [0] * count
    lowest = []
    for t in range(config.steps):
        digit = x << config.shift >> (w * t) & mask
        products = [digit * (y >> (w * c) & mask) for c in range(count)]
        highs = [0, *(product >> w for product in products)]
        sums = [(products[c] & mask) + highs[c] + x_carries[c] for c in range(count)]
        x_carries = [total >> w for total in sums]
        totals = [above[c] + (sums[c] & mask) + s_carries[c] for c in range(count)]
        s_carries = [total >> w for total in totals]
        lowest.append(totals[0] & mask)
        above = [*(total & mask for total in totals[1:]), highs[-1]]
    return lowest, [sum(each) for each in zip(above, x_carries, s_carries, strict=True)]


def quotient(config: SparsePrimeDsp, high: Sequence[int]) -> int:
    """Q, by the digits of H with carries; in wide builds its words fit the hardware's or OverflowError."""
    if not config.wide:
        return sum(digit << (config.digit * i) for i, digit in enumerate(high))
    k = config.beats
    words = [0] * k
    for i, digit in enumerate(high[: config.steps]):
        words[i // config.lanes] += digit << (config.digit * (i % config.lanes))
    for i in reversed(range(k)):
        words[i] += sum(sign * words[i + k - j] for j, sign in config.taps.items() if i < j)
        if not -1 << (config.word + 4) <= words[i] < 1 << (config.word + 4):
            raise OverflowError(f"word {i} of Q is {words[i]}")
    return sum(word << (config.word * i) for i, word in enumerate(words)) - BIAS


def unreduced(config: SparsePrimeDsp, x: int, y: int) -> tuple[int, int, int]:
    """Q, U and V."""
    q = quotient(config, row_sums(config, x, y)[1])
    u = (x << config.shift) * y - q * ((1 << config.n) - config.scaled)
    return q, u, u % (1 << config.n) + (u >> config.n) * config.scaled


def model(config: SparsePrimeDsp, _m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number, in the cycles in which their results are there."""
    states: list[tuple[str, dict[str, int]]] = [("1-6", {}) for _ in range(latency(config))]
    for t, digit in enumerate(row_sums(config, x, y)[0]):
        states[config.product + 5 + t * config.groups][1]["S"] = digit
    q, u, v = unreduced(config, x, y)
    first = _quotient(config)
    for name, value, cycle, count in (
        ("Q", q, first, config.beats),
        ("U", u, first + config.levels, config.beats + (0 if config.wide else config.above)),
        ("V", v, _reduced(config), config.beats + 1),
    ):
        for j in range(count):
            states[cycle - 1 + j][1][name] = value >> (config.word * j) & ((1 << config.word) - 1)
    for label, state in states:
        yield Step(label, state)


P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
SECP256K1 = 2**256 - 2**32 - 977
OF_LENGTH = {
    64: 2**64 - 2**32 + 1,
    192: 2**192 - 2**64 - 1,
    224: 2**224 - 2**96 + 1,
    255: 2**255 - 19,
    384: 2**384 - 2**128 - 2**96 + 2**32 - 1,
    448: 2**448 - 2**224 - 1,
    521: 2**521 - 1,
}
"""The modulus of the default build, by its length; otherwise 2^width - 1."""


def explore(width: int) -> Sequence[SparsePrimeDsp]:
    """A whole row for a prime of that length, if there is one; of 256 bits for two, one also folded."""
    if width == 256:
        return (
            SparsePrimeDsp(width, modulus=SECP256K1),
            SparsePrimeDsp(width, modulus=SECP256K1, columns=2),
            SparsePrimeDsp(width, modulus=P256),
        )
    return (SparsePrimeDsp(width, modulus=OF_LENGTH.get(width, (1 << width) - 1)),)


def for_modulus(width: int, modulus: int) -> Sequence[SparsePrimeDsp]:
    """The build for one modulus, with a whole row."""
    full_modulus(Config(width), modulus)
    return (SparsePrimeDsp(width, modulus=modulus),)


def variants(width: int) -> Sequence[SparsePrimeDsp]:
    """Short digits, for short operands: rows of one and two, folded."""
    if width > 48:
        return ()
    modulus = (1 << width) - max(d for d in range(1, 200, 2) if d == 1 or d * (d + 2) <= 1 << width)
    return (
        SparsePrimeDsp(width, word=8, digit=8, columns=1, modulus=modulus),
        SparsePrimeDsp(width, word=16, digit=8, columns=4 if width > 32 else 2, modulus=modulus),
    )


def values(width: int) -> Mapping[str, Sequence[int]]:
    """Digits of the blocks there are, words of one to four of them, rows for a word up to all at a time."""
    digits = (16, 17, 18)
    words = {lanes * digit for digit in digits for lanes in (1, 2, 3, 4)}
    rows = (columns for columns in (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32) if 16 * columns <= width)
    return {"Digit": digits, "Word": sorted(words), "Columns": tuple(rows)}


CORE = Core(
    slug="sparse_prime_dsp",
    title="Row of multiplier blocks for a sparse prime",
    interface=Interface(
        latency=latency,
        interval=interval,
        refused=fixed_refused,
        in_flight=lambda config: config.slots + 1,
        stream=stream,
    ),
    function=Function(
        check=check_fixed,
        examples=fixed_examples,
        moduli="the one of the build",
    ),
    algorithm=Algorithm(
        steps="ceil(n/w) a product; four times ceil(n/Word) and the pipeline for the latency",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=SparsePrimeDsp,
        explore=explore,
        for_modulus=for_modulus,
        variants=variants,
        values=values,
    ),
    origin=Origin(
        section="src/modmul/cores/fixed_modulus/sparse_prime_dsp/README.md",
    ),
)
