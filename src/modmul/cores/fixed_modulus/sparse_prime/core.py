# SPDX-License-Identifier: Apache-2.0
"""sparse_prime: x * y mod M for a prime of few powers of 2, the most significant digit first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from operator import or_

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
    check_third,
    fixed_examples,
    fixed_refused,
    full_modulus,
    modulus_text,
    signed_powers,
)

WORDS = (16, 32, 64)
DIGITS = (1, 2, 4)
DELAY = 4
"""Steps until a digit that was pushed out is added again."""
GROUP = 16
"""Bits of the sum between two saved carries."""
LARGEST = {1: 1, 2: 2, 4: 10}
"""The largest digit of x, by its bits."""
OFFSET = {1: 0, 2: 1, 4: 5}
"""How far below 0 a digit of x, or one that is pushed out, can be."""


@dataclass(frozen=True)
class SparsePrime(WordConfig):
    """A build.

    Attributes:
        word: bits of the data ports, and of the conversion at the end: 16, 32 or 64.
        digit: bits of x in a step: 1, 2 or 4.
        modulus: the one of the build, 2^width - D: odd, of ``width`` bits, and 3 D + 2^w D- at most 2^width,
            w and D- those of :class:`Constants`; D- is 0 unless D has powers that are subtracted far below
            the others.
    """

    word: int = 32
    digit: int = 4
    modulus: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word not in WORDS:
            raise ValueError(f"word must be 16, 32 or 64 bits, got {self.word}")
        if self.digit not in DIGITS:
            raise ValueError(f"digit must be 1, 2 or 4 bits, got {self.digit}")
        check_parameter(self.width, self.modulus)
        check_third(self.width, self.modulus)
        if not self.constants.ends:
            raise ValueError(
                f"modulus must be 2^{self.width} - D with less to be subtracted in D, "
                f"{modulus_text(self.modulus)} is too near to two thirds of 2^{self.width}"
            )

    @property
    def steps(self) -> int:
        """L: digits in the words of x, and a leading one."""
        return self.beats * self.word // self.digit + 1

    @property
    def rows(self) -> int:
        """Multiples of y in a step."""
        return max(self.digit // 2, 1)

    @property
    def ages(self) -> int:
        """Steps that a saved carry waits."""
        return GROUP // self.digit

    @property
    def constants(self) -> "Constants":
        """What follows from the modulus."""
        return constants_of(self)


class Constants:
    """The constants of a build: step 3 to 6 of the module header, with its names."""

    def __init__(self, config: SparsePrime) -> None:
        self.config = config
        self.n, self.k, self.m = config.width, config.digit, config.modulus
        self.d = (1 << self.n) - self.m
        residue = (self.d << (DELAY * self.k)) % self.m
        self.g = residue - self.m if 2 * residue > self.m else residue
        powers = list(signed_powers(abs(self.g)))
        added, taken = (sum(1 << place for place, each in powers if each == sign) for sign in (1, -1))
        self.plus, self.minus = (added, taken) if self.g >= 0 else (taken, added)

    @cached_property
    def t_bits(self) -> int:
        """Bits of t + Offset."""
        return next(bits for bits in range(1, 16) if self._pushed(bits) < 1 << bits)

    def _pushed(self, bits: int) -> int:
        """The largest t + Offset, if T is that of so many bits."""
        top = (LARGEST[self.k] << self.n) + ((1 << bits) - 1) * max(self.plus, self.minus)
        return (top >> self.n) + (1 << self.k) + 2 + OFFSET[self.k]

    def t(self, pushed: int) -> int:
        """T, by t + Offset."""
        return pushed * self.plus + ((1 << self.t_bits) - 1 - pushed) * self.minus

    @cached_property
    def repeated(self) -> int:
        """The sum of 2^(k*j), j below DELAY."""
        return ((1 << (DELAY * self.k)) - 1) // ((1 << self.k) - 1)

    @cached_property
    def w_bits(self) -> int:
        """Bits of W."""
        return (((1 << self.t_bits) - 1) * self.repeated).bit_length()

    @cached_property
    def groups(self) -> list[list[tuple[int, int]]]:
        """The signed powers of D; those at most as far apart as W is long are together."""
        groups: list[list[tuple[int, int]]] = []
        for place, sign in signed_powers(self.d):
            if groups and place - groups[-1][-1][0] <= self.w_bits:
                groups[-1].append((place, sign))
            else:
                groups.append([(place, sign)])
        return groups

    @cached_property
    def signs(self) -> tuple[int, int]:
        """D+ and D-, of the groups above 0 and below."""
        values = [sum(sign << place for place, sign in group) for group in self.groups]
        return sum(v for v in values if v > 0), -sum(v for v in values if v < 0)

    @property
    def ends(self) -> bool:
        """Whether step 5 ends: from U = 2^n on, where floor(U / 2^n) is 1, to U < 2M."""
        return 3 * self.d + (self.signs[1] << self.w_bits) <= 1 << self.n

    @property
    def stages(self) -> int:
        """Additions in a product by W."""
        return max(map(len, self.groups))

    def f(self, w: int) -> int:
        """F of steps 4 and 5."""
        plus, minus = self.signs
        return w * plus + ((1 << self.w_bits) - 1 - w) * minus

    @cached_property
    def bounds(self) -> list[int]:
        """The largest U after step 4, and after each step 5."""
        plus, minus = self.signs
        most = (1 << self.w_bits) - 1
        found = [(2 << self.n) + most * (plus + minus)]
        while found[-1] >= 2 * self.m:
            found.append((1 << self.n) - 1 + (found[-1] >> self.n) * plus + most * minus)
        return found

    @property
    def folds(self) -> int:
        """How often step 5 is taken."""
        return len(self.bounds) - 1

    @cached_property
    def start(self) -> int:
        """S at first."""
        each, ends = self.t(OFFSET[self.k]), OFFSET[self.k] * self.repeated * self.d
        ends += (self.folds + 1) * ((1 << self.w_bits) - 1) * self.signs[1]
        radix = pow(2, self.k, self.m)
        sums = sum(each * pow(radix, i, self.m) for i in range(self.config.steps)) + ends
        return -sums * pow(radix, -self.config.steps, self.m) % self.m

    @cached_property
    def touched(self) -> int:
        """Bits of T that are ever 1."""
        return reduce(or_, map(self.t, range(1 << self.t_bits)))

    @cached_property
    def cuts(self) -> list[int]:
        """Where carries of S are saved, from the lowest bit on."""
        found, top = [self.n], self.n
        while top > 0:
            low = max(top - GROUP, 0)
            if top < self.n and self.touched >> low & ((1 << (top - low)) - 1):
                low = top - 2 * GROUP
                while low > 0 and self.touched >> (low + GROUP) & 1:
                    low -= GROUP
            else:
                low = top - GROUP
            if low > 0:
                found.append(low)
            top = low
        return found[::-1]

    @property
    def words(self) -> int:
        """Words of U."""
        return ceil_div(self.n + (self.bounds[0] >> self.n).bit_length(), self.config.word)

    @property
    def period(self) -> int:
        """Cycles of a pass of the converter: its words, and those that a product takes."""
        return self.words + self.stages + 2

    @property
    def wait(self) -> int:
        """Cycles that the converter waits for the product by W."""
        return max(self.stages - 3, 0)


@lru_cache(maxsize=64)
def constants_of(config: SparsePrime) -> Constants:
    """The constants of a build, computed once."""
    return Constants(config)


def latency(config: SparsePrime) -> int:
    """The loop, all passes but the last, the first words of that, and the pipelines between."""
    constants = config.constants
    passes = constants.folds + 2
    return config.steps + (config.rows - 1) + constants.wait + passes * constants.period + 15


def cycles(config: SparsePrime) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: SparsePrime) -> int:
    """The loop, from its start until the converter reads the sum, or the converter."""
    constants = config.constants
    return max(_loop(config) + 1, (constants.folds + 2) * constants.period + config.beats + 5)


def _loop(config: SparsePrime) -> int:
    """Cycles from its start until the converter reads the sum."""
    return config.steps + (config.rows - 1) + config.constants.wait + 6


def stream(config: SparsePrime, known: Regular) -> Overlapping:
    """``mm_sparse_prime_control``: operands, the loop and the converter."""
    return Overlapping.of(known, ready=3, loop=lambda _square: _loop(config))


def digits_of(config: SparsePrime, x: int) -> list[int]:
    """The digits x_i, the most significant first."""
    bits = config.beats * config.word
    if config.digit == 1:
        return [0, *(x >> i & 1 for i in reversed(range(bits)))]
    ones = sum(1 << i for i in range(0, bits, 2))
    fours = [((x + ones) >> i & 3) - (i < bits) for i in range(0, bits + 2, 2)]
    steps = range(0, bits // 2, config.rows)
    sums = [sum(four << 2 * j for j, four in enumerate(fours[i : i + config.rows])) for i in steps]
    return [fours[-1], *reversed(sums)]


def trace(_config: SparsePrime) -> dict[str, str]:
    return {"S": "s", "C": "c"}


def model(config: SparsePrime, _m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number; the sum, and the carries that are saved in it."""
    for _ in range(config.rows + 5):
        yield Step("1", {})
    yield Step("2", {"S": config.constants.start, "C": 0})
    for s, c, _ in sums(config, x, y):
        yield Step("3", {"S": s, "C": c})
    for _ in range(latency(config) - config.steps - config.rows - 6):
        yield Step("4-6", {})


def sums(config: SparsePrime, x: int, y: int) -> Iterator[tuple[int, int, int]]:
    """After each step S without the carries that are saved, these where they count, and t + Offset."""
    constants, k, n = config.constants, config.digit, config.width
    cuts, size = constants.cuts, config.width + constants.t_bits
    s = constants.start
    saved = [dict.fromkeys(cuts, 0) for _ in range(config.ages)]  # by age
    residues = [constants.t(OFFSET[k])] * DELAY
    for digit in digits_of(config, x):
        carries = {cut + GROUP: carry for cut, carry in saved[-1].items() if cut < n}
        crossing = carries.pop(n, 0)
        # E: the multiple of y, or of two in pieces; a negative one is its complement, and one more at bit 0.
        rows = [digit]
        if k == 4:
            low = (digit + 1) % 4 - 1
            rows = [low, (digit - low) // 4]
        multiples = [(row * y - (row < 0)) * 4**i + (4**i - 1) * (row < 0) for i, row in enumerate(rows)]
        addends = [value % (1 << size) for value in multiples]
        more = {0: int(rows[-1] < 0)}
        e = addends[0]
        if len(rows) > 1:
            starts = {0: int(rows[0] < 0)} | {at: carries[at] for at in carries if at in cuts}
            e, over = in_pieces(addends, starts, size)
            more |= over
        else:
            more |= {at: carries[at] for at in carries if at in cuts}
        # With T, and the carries that come to a bit that is no cut.
        apart = sum(carry << at for at, carry in carries.items() if at not in cuts)
        f, over = in_pieces([e, residues[-DELAY] + apart], dict.fromkeys([0, *cuts[:-1]], 0), size)
        more = {at: more.get(at, 0) + over.get(at, 0) for at in {**more, **over}}
        shifted = s << k
        s, over = in_pieces([shifted, f], {at: more.get(at, 0) for at in [0, *cuts[:-1]]}, n, top=True)
        pushed = ((shifted >> n) + (f >> n) + crossing + over[n] + OFFSET[k]) % (1 << constants.t_bits)
        residues.append(constants.t(pushed))
        saved = [over, *saved[:-1]]
        pending = (
            (at + k * age, bit) for age, each in enumerate(saved) for at, bit in each.items() if at < n
        )
        yield s, sum(bit << at for at, bit in pending), pushed


def in_pieces(
    addends: Sequence[int], carries: dict[int, int], size: int, *, top: bool = False
) -> tuple[int, dict[int, int]]:
    """The sum in pieces, each by itself, and what each carries out, by the place where it counts.

    Args:
        carries: what is added at the beginning of each piece; these are the places of the cuts.
        size: bits in all.
        top: whether the last piece has a carry, too.
    """
    places = sorted(carries)
    total, over = 0, {}
    for low, end in zip(places, [*places[1:], size], strict=True):
        mask = (1 << (end - low)) - 1
        value = sum(addend >> low & mask for addend in addends) + carries[low]
        total |= (value & mask) << low
        if end < size or top:
            over[end] = value >> (end - low)
    return total, over


P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
SECP256K1 = 2**256 - 2**32 - 977
SM2 = 2**256 - 2**224 - 2**96 + 2**64 - 1
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


def explore(width: int) -> Sequence[SparsePrime]:
    """A build for a prime of that length, if there is one; of 256 bits for three, and with another digit."""
    word = 16 if width <= 16 else 32
    if width == 256:
        others = (SparsePrime(width, modulus=modulus) for modulus in (P256, SM2))
        return (
            SparsePrime(width, modulus=SECP256K1),
            SparsePrime(width, modulus=SECP256K1, digit=2),
            *others,
        )
    return (SparsePrime(width, word=word, modulus=OF_LENGTH.get(width, (1 << width) - 1)),)


def for_modulus(width: int, modulus: int) -> Sequence[SparsePrime]:
    """The build for one modulus."""
    full_modulus(Config(width), modulus)
    return (SparsePrime(width, word=16 if width <= 16 else 32, modulus=modulus),)


def variants(width: int) -> Sequence[SparsePrime]:
    """Up to 16 bits another modulus and digit; above, other words."""
    top = 1 << width
    if width <= 16:
        less = 1 if width < 4 else 3 if width <= 6 else top // 3 - 1 + top // 3 % 2
        return (SparsePrime(width, word=16, digit=1 if width % 2 else 2, modulus=top - less),)
    if width == 33:
        return (SparsePrime(width, word=16, digit=2, modulus=top - (1 << 31) + 1),)
    return (SparsePrime(width, word=64, digit=1, modulus=OF_LENGTH[64]),) if width == 64 else ()


CORE = Core(
    slug="sparse_prime",
    title="Interleaved multiplier for a sparse prime",
    interface=Interface(
        latency=latency,
        interval=interval,
        refused=fixed_refused,
        in_flight=lambda _config: 3,
        stream=stream,
    ),
    function=Function(
        check=check_fixed,
        examples=fixed_examples,
        moduli="the one of the build",
    ),
    algorithm=Algorithm(
        steps="w ceil(n/w) / k + 1, four passes of ceil(n/w) words to convert, and the pipeline",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=SparsePrime,
        longest_in_test=300,
        explore=explore,
        for_modulus=for_modulus,
        variants=variants,
    ),
    origin=Origin(
        section="src/modmul/cores/fixed_modulus/sparse_prime/README.md",
    ),
)
