# SPDX-License-Identifier: Apache-2.0
"""montgomery_cascade: Montgomery multiplication in rows of multiplier blocks that add up among themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
class MontgomeryCascade(WordConfig):
    """A build.

    Attributes:
        word: bits w of a digit, 8 to 18, and of the data ports: 17 is what a DSP48 takes.
        fanout: further registers between a digit and the blocks, 0 or 1, for long rows.
    """

    word: int = 17
    fanout: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 8 <= self.word <= 18:
            raise ValueError(f"word must be 8 to 18 bits, got {self.word}")
        if self.fanout not in (0, 1):
            raise ValueError(f"fanout must be 0 or 1, got {self.fanout}")

    @property
    def multiplier_blocks(self) -> bool:
        """Rows of them are the architecture."""
        return True

    @property
    def trace_bits(self) -> int:
        """Those of Q may be more than those of an operand."""
        return max(super().trace_bits, self.quotient)

    @property
    def delay(self) -> int:
        """Steps from the one that drops a digit to the one that gives it back."""
        return 4 + self.fanout

    @property
    def extra(self) -> int:
        """e: bits of Q above a digit."""
        return (self.delay + 1).bit_length()

    @property
    def quotient(self) -> int:
        """Bits of Q."""
        return self.word + self.extra

    @property
    def result_digits(self) -> int:
        """Digits of V + Q * M."""
        return ceil_div(self.width + 1 + self.quotient, self.word)

    @property
    def z_digits(self) -> int:
        """Digits of Z."""
        return ceil_div(self.width + 1, self.word)


def _sum(config: MontgomeryCascade) -> int:
    """The cycle in which the first column of V is there; the last operand word comes in cycle 0."""
    return config.beats + 8 + config.fanout + config.delay


def latency(config: MontgomeryCascade) -> int:
    """Operands, steps, the way through the blocks, the conversion, the sign of Z - M."""
    return _sum(config) + 11 + config.z_digits


def cycles(config: MontgomeryCascade) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: MontgomeryCascade) -> int:
    """The steps, and one to clear the sum; or the digits of the conversion; or a slot for each result."""
    slots = ceil_div(latency(config) + config.beats - 3, SLOTS)
    return max(config.beats + 1, config.delay + 1, config.result_digits, slots)


def stream(config: MontgomeryCascade, known: Regular) -> Overlapping:
    """``mm_montgomery_cascade_control``: operands, the steps, and slots for results."""
    return Overlapping.of(known, 1, lambda _square: 0, turn=interval(config), room=SLOTS, ahead=True)


def domain(config: MontgomeryCascade) -> Domain:
    """R = B^N * 2^e: N - 1 digits dropped by the loop, e bits and a digit by the conversion."""
    return Domain("montgomery", 1 << (config.word * config.beats + config.extra))


def constants(config: MontgomeryCascade, modulus: int) -> list[int]:
    """K[Delay + 1] ... K[1], where K[j] = 1 / B^j mod M."""
    inverse = pow(1 << config.word, -1, modulus)
    return [pow(inverse, j, modulus) for j in range(config.delay + 1, 0, -1)]


def context(config: MontgomeryCascade, modulus: int) -> Sequence[int]:
    """M, -1 / M mod B * 2^e in two beats, and the constants K."""
    inverse = -pow(modulus, -1, 1 << config.quotient) % (1 << config.quotient)
    low, high = inverse % (1 << config.word), inverse >> config.word
    return [*config.split(modulus), low, high, *config.split(*constants(config, modulus))]


def trace(_config: MontgomeryCascade) -> dict[str, str]:
    """The digit that comes back, Q, and the digits of V + Q * M."""
    return {"s": "feed_q", "Q": "u_converter.q_q", "digit": "u_converter.below_q"}


def sums(config: MontgomeryCascade, modulus: int, x: int, y: int) -> Iterator[int]:
    """S after each of the steps 3, then V."""
    k, d, radix = constants(config, modulus), config.delay, 1 << config.word
    total, dropped = 0, [0] * d
    for t in range(config.beats):
        dropped.append(total % radix)
        total = total // radix + (x >> (config.word * t)) % radix * y + dropped[t] * k[0]
        yield total
    yield total + sum(
        digit * constant for digit, constant in zip(dropped[config.beats :], k[1:], strict=True)
    )


def model(config: MontgomeryCascade, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number, in the cycles in which their results are there."""
    radix, there = 1 << config.word, _sum(config)
    *steps, v = sums(config, m, x, y)
    states: dict[int, tuple[str, dict[str, int]]] = {}
    for t, total in enumerate(steps[: max(0, config.beats - config.delay - 1)]):
        states[7 + config.fanout + t] = ("3", {"s": total % radix})
    q = -v * pow(m, -1, 1 << config.quotient) % (1 << config.quotient)
    states[there + 3] = ("5", {"Q": q})
    for k in range(config.result_digits):
        states[there + 8 + k] = ("6", {"digit": (v + q * m >> config.word * k) % radix})
    for cycle in range(latency(config)):
        yield Step(*states.get(cycle, ("3-7", {})))


def explore(width: int) -> Sequence[MontgomeryCascade]:
    """One build."""
    return (MontgomeryCascade(width),)


def variants(width: int) -> Sequence[MontgomeryCascade]:
    """Short digits, for short operands."""
    return (MontgomeryCascade(width, word=8, fanout=1),) if width <= 48 else ()


CORE = Core(
    slug="montgomery_cascade",
    title="Montgomery multiplier in cascades of multiplier blocks",
    interface=Interface(
        latency=latency,
        interval=interval,
        context=context,
        in_flight=lambda _config: SLOTS + 2,
        stream=stream,
    ),
    function=Function(
        check=check_odd,
        moduli="odd M < 2^n",
        domain=domain,
    ),
    algorithm=Algorithm(
        steps="ceil(n/w) + 1 a product; the digits still pending and the conversion for the latency",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=MontgomeryCascade,
        explore=explore,
        variants=variants,
    ),
    origin=Origin(
        section="docs/montgomery_dsp.md",
    ),
)
