# SPDX-License-Identifier: Apache-2.0
"""montgomery_dsp: Montgomery multiplication in rows of multiplier blocks, quotient digits for nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from modmul.core import (
    Algorithm,
    Builds,
    Core,
    Domain,
    Function,
    Interface,
    Origin,
    Overlapping,
    Regular,
    Step,
    WordConfig,
    ceil_div,
    check_odd,
)

SLOTS = 4
"""Operations between their start and the last word of the result."""


@dataclass(frozen=True)
class MontgomeryDsp(WordConfig):
    """A build.

    Attributes:
        word: bits of the data ports, and of the conversion at the end: a number of digits.
        digit: bits w of a digit, 8 to 32: those of a multiplier block.
        columns: blocks in each of the two rows, those of a number of words; 0 for all digits of the sum.
        fanout: further registers between a digit and the blocks, 0, 1 or 2, for long rows.
        lazy: whether results go up to 2M - 1, and operands as well; otherwise results are reduced.
        product: cycles of a product: 3, or 4 with a register more where those of several blocks are added.
    """

    word: int = 36
    digit: int = 18
    columns: int = 0
    fanout: int = 0
    lazy: int = 0
    product: int = 3

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
        if self.fanout not in (0, 1, 2):
            raise ValueError(f"fanout must be 0, 1 or 2, got {self.fanout}")
        if self.lazy not in (0, 1):
            raise ValueError(f"lazy must be 0 or 1, got {self.lazy}")
        if self.product not in (3, 4):
            raise ValueError(f"product must be 3 or 4 cycles, got {self.product}")

    @property
    def multiplier_blocks(self) -> bool:
        """Rows of them are the architecture."""
        return True

    @property
    def bits(self) -> int:
        """Bits of an operand at the ports."""
        return self.width + self.lazy

    @property
    def lanes(self) -> int:
        """Digits in a word."""
        return self.word // self.digit

    @property
    def sum_digits(self) -> int:
        """Digits of the sums."""
        return ceil_div(self.width + 5, self.digit) + 1

    @property
    def row(self) -> int:
        """Columns of a row."""
        return self.columns if 0 < self.columns < self.sum_digits else self.sum_digits

    @property
    def folded(self) -> bool:
        """Whether a step takes several cycles."""
        return self.row < self.sum_digits

    @property
    def groups(self) -> int:
        """Cycles of a step."""
        return ceil_div(self.sum_digits, self.row)

    @property
    def parts(self) -> int:
        """Words of a number that go to the columns of a group."""
        return self.row // self.lanes if self.folded else self.beats

    @property
    def delay(self) -> int:
        """Steps from the one that drops a digit to the one that gives it back."""
        return ceil_div(self.product + 3 + self.fanout + self.folded, self.groups) - 1

    @property
    def halves(self) -> int:
        """e: bits of Q above a digit."""
        return (self.delay + 1 + self.lazy).bit_length()

    @property
    def quotient(self) -> int:
        """Bits of Q."""
        return self.digit + self.halves

    @property
    def steps(self) -> int:
        """T: those that shift."""
        return max(ceil_div(self.bits, self.digit), self.delay + 2)

    @property
    def words(self) -> int:
        """Words of the sum."""
        return ceil_div(self.sum_digits, self.lanes)

    @property
    def numbers(self) -> int:
        """Beats of a constant K in a context: in a folded build, with those above it."""
        return self.groups * self.parts if self.folded else self.beats


def _wait(config: MontgomeryDsp) -> int:
    """Cycles from the last operand word to the start."""
    return max(3 - config.beats, 1 if config.folded and config.beats <= config.parts else 0, 0)


def _slot(config: MontgomeryDsp) -> int:
    """The cycle in which the first digits are at the blocks; the last operand word comes in cycle 0.

    The first word of x, and in a folded build the first words of y, have been there for two cycles.
    """
    return _wait(config) + 1 + (config.fanout + 1 if config.folded else max(config.fanout - 1, 0))


def _quotient(config: MontgomeryDsp) -> int:
    """The cycle in which Q is there: behind the digit that step T would drop, and not too early for V."""
    behind = config.delay * config.groups
    if not config.folded:
        word = behind + 3
    else:
        word = (5 + behind - config.groups if config.delay else 3) + (2 if config.parts > 1 else 0)
    wait = max(5 + (config.row == 1) - behind, word - behind - config.halves, 0)
    return _slot(config) + config.steps * config.groups + behind + wait + config.product + 1


def _shift(config: MontgomeryDsp) -> int:
    """The cycles from there to the first word of Z."""
    return max(config.product, config.halves) + 3 + config.quotient // config.word


def _known(config: MontgomeryDsp) -> int:
    """The cycles from there until the sign of Z - M is known: the words of Z, or one less."""
    if config.lazy:
        return 0
    words, rest = divmod(config.width, config.word)
    early = words > 0 and rest + 1 + config.quotient % config.word <= config.word
    return words + 1 - early


def latency(config: MontgomeryDsp) -> int:
    """Operands, steps, the digits still pending, the conversion, the sign of Z - M."""
    return _quotient(config) + _shift(config) + _known(config)


def cycles(config: MontgomeryDsp) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: MontgomeryDsp) -> int:
    """The steps; or the words of the conversion; or a slot for each result."""
    slots = ceil_div(latency(config) - _wait(config) + config.beats + 3, SLOTS)
    return max(config.groups * config.steps, config.words + 4, slots)


def stream(config: MontgomeryDsp, known: Regular) -> Overlapping:
    """``mm_montgomery_dsp_control``: operands, the steps, and slots for results, which wait in a queue."""
    turn = interval(config)
    return Overlapping.of(known, _wait(config), lambda _square: 0, turn=turn, room=SLOTS, clears=4, queue=0)


def domain(config: MontgomeryDsp) -> Domain:
    """R = B^T * 2^e: T - 1 digits dropped by the loop, e bits and a digit by the conversion."""
    return Domain("montgomery", 1 << (config.digit * config.steps + config.halves))


def constants(config: MontgomeryDsp, modulus: int) -> list[int]:
    """K[Delay + 1] ... K[1], where K[j] = 1 / B^j mod M."""
    inverse = pow(1 << config.digit, -1, modulus)
    return [pow(inverse, j, modulus) for j in range(config.delay + 1, 0, -1)]


def context(config: MontgomeryDsp, modulus: int) -> Sequence[int]:
    """M, the constants C[Delay] ... C[0] of Q, where C[j] = -K[j] / M mod B * 2^e, and the constants K."""
    mask = (1 << config.word) - 1
    full = 1 << config.quotient
    inverse = -pow(modulus, -1, full)
    pending = [*constants(config, modulus)[1:], 1]
    beats = [*config.split(modulus)]
    for constant in pending:
        c = constant * inverse % full
        beats += [c >> (config.word * k) & mask for k in range(ceil_div(config.quotient, config.word))]
    for constant in constants(config, modulus):
        beats += config.split(constant)
        beats += [0] * (config.numbers - config.beats)
    return beats


def operand_max(config: MontgomeryDsp, modulus: int) -> int:
    """M, or what a result may be."""
    return result_max(config, modulus) if config.lazy else modulus


def result_max(config: MontgomeryDsp, modulus: int) -> int:
    """M - 1, or with ``lazy`` 2M - 1."""
    return (2 * modulus if config.lazy else modulus) - 1


def trace(config: MontgomeryDsp) -> dict[str, str]:
    """The lowest digit of S, Q, the words of Z."""
    signals = {"S": "u_row.gen_column[0].u_column.sum_o", "Q": "u_quotient.q_o"}
    return signals if config.lazy else signals | {"Z": "u_converter.gen_exact.z_q"}


def sums(config: MontgomeryDsp, modulus: int, x: int, y: int) -> Iterator[int]:
    """S after each of the steps 3, then V."""
    k, d, radix = constants(config, modulus), config.delay, 1 << config.digit
    total, dropped = 0, [0] * d
    for t in range(config.steps):
        dropped.append(total % radix)
        total = total // radix + (x >> (config.digit * t)) % radix * y + dropped[t] * k[0]
        yield total
    yield total + sum(
        digit * constant for digit, constant in zip(dropped[config.steps :], k[1:], strict=True)
    )


def model(config: MontgomeryDsp, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number, in the cycles in which their results are there."""
    radix = 1 << config.digit
    *steps, v = sums(config, m, x, y)
    states: dict[int, tuple[str, dict[str, int]]] = {}
    for t, total in enumerate(steps):
        states[_slot(config) + config.product + 2 + t * config.groups] = ("3", {"S": total % radix})
    q = -v * pow(m, -1, 1 << config.quotient) % (1 << config.quotient)
    z = (v + q * m) >> config.quotient
    states[_quotient(config) - 1] = ("5", {"Q": q})
    for k in range(0 if config.lazy else config.beats):
        word = (z >> (config.word * k)) % (1 << config.word)
        states[_quotient(config) + _shift(config) + k] = ("6", {"Z": word})
    for cycle in range(latency(config)):
        yield Step(*states.get(cycle, ("3-7", {})))


def explore(width: int) -> Sequence[MontgomeryDsp]:
    """A whole row of blocks, and a row for a word of y where y has several; of 256 bits also lazy results."""
    row = MontgomeryDsp(width)
    lazy = (MontgomeryDsp(width, lazy=1),) if width == 256 else ()
    folded = (MontgomeryDsp(width, columns=row.lanes),) if row.beats > 1 else ()
    return (row, *lazy, *folded)


def explore_dsp48(width: int) -> Sequence[MontgomeryDsp]:
    """The same builds with unsigned digits of a DSP48: 17 bits, or 16 where the steps are no more.

    With digits of 18 bits each column takes two blocks.
    """
    digit = 16 if ceil_div(width, 16) == ceil_div(width, 17) else 17
    row = MontgomeryDsp(width, word=2 * digit, digit=digit)
    lazy = (replace(row, lazy=1),) if width == 256 else ()
    folded = (replace(row, columns=row.lanes),) if row.beats > 1 else ()
    return (row, *lazy, *folded)


def variants(width: int) -> Sequence[MontgomeryDsp]:
    """Short digits, for short operands: a row of one or two, folded; words of three, if there are several."""
    folded = MontgomeryDsp(width, word=8, digit=8, columns=1 if width <= 24 else 2, fanout=1)
    row = MontgomeryDsp(width, word=24, digit=8, fanout=2, lazy=1)
    lazy = MontgomeryDsp(width, lazy=1)
    if width > 48:
        return ()
    return (folded, row, lazy) if row.width > row.digit else (folded, lazy)


def values(width: int) -> Mapping[str, Sequence[int]]:
    """Digits of the blocks there are, words of one to four of them, rows for a word up to all at a time."""
    digits = (16, 17, 18)
    words = {lanes * digit for digit in digits for lanes in (1, 2, 3, 4)}
    rows = (columns for columns in (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32) if 16 * columns <= width)
    return {"Digit": digits, "Word": sorted(words), "Columns": tuple(rows)}


CORE = Core(
    slug="montgomery_dsp",
    title="Montgomery multiplier in rows of multiplier blocks",
    interface=Interface(
        latency=latency,
        interval=interval,
        context=context,
        in_flight=lambda _config: SLOTS + 1,
        stream=stream,
    ),
    function=Function(
        check=check_odd,
        moduli="odd M < 2^n",
        domain=domain,
        operand_max=operand_max,
        result_max=result_max,
    ),
    algorithm=Algorithm(
        steps="ceil(n/w) a product; the digits still pending and the conversion for the latency",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=MontgomeryDsp,
        explore=explore,
        tuned={"artix7": explore_dsp48},
        variants=variants,
        values=values,
    ),
    origin=Origin(
        section="docs/montgomery_dsp.md",
    ),
)
