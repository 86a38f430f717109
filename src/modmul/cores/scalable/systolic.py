# SPDX-License-Identifier: Apache-2.0
"""What the scalable multipliers of Pinckney et al. have in common: their schedule, ranges and model.

A kernel of ``pes`` processing elements works on words of ``word`` bits. The length n of the operands comes
with the context, so one build serves every n up to ``width``. The rooms ``scalable_*`` say with the
class attributes of their configuration how they differ; every formula stands here, once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from modmul.core import (
    Algorithm,
    Beside,
    Builds,
    Core,
    Domain,
    Function,
    Interface,
    Origin,
    Published,
    ScalableConfig,
    Step,
    ceil_div,
    check_odd,
    to_beats,
)

__all__ = ["BoothConfig", "SystolicConfig", "UnsignedConfig", "element", "exponentiation", "systolic_core"]

WORDS = (4, 8, 16, 32)
MOST_PES = 64


@dataclass(frozen=True)
class SystolicConfig(ScalableConfig):
    """A build of a scalable multiplier.

    Attributes:
        word: word length w of kernel and ports in bits: 4, 8, 16 or 32.
        pes: processing elements p, 1 to 64.
        reduce: 1: results below M. 0: results in the range of the operands, up to ``bound(M)``, for the
            next multiplication, and sooner.
    """

    word: int = 16
    pes: int = 16
    reduce: int = 1

    radix2: ClassVar[int] = 2
    """Bits v of a digit of X."""
    left: ClassVar[bool] = True
    """Operands shift left (a cycle an element) instead of the result right (two cycles)."""
    parallel: ClassVar[bool] = True
    """Orup's order: the quotient digit of a step is that of the step before, and M^ takes the place of M."""
    triples: ClassVar[bool] = False
    """The kernel takes 3Y and 3M^."""
    booth: ClassVar[bool] = False
    """Digits -2 ... 2 instead of 0 ... 3."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word not in WORDS:
            raise ValueError(f"word must be 4, 8, 16 or 32 bits, got {self.word}")
        if not 1 <= self.pes <= MOST_PES:
            raise ValueError(f"pes must be 1 to {MOST_PES}, got {self.pes}")
        if self.reduce not in (0, 1):
            raise ValueError(f"reduce must be 0 or 1, got {self.reduce}")

    # --- ranges -------------------------------------------------------------------------------------

    def multiple(self, _modulus: int) -> int:
        """M~ / M: which multiple of the modulus the kernel's quotient digits add."""
        return 1

    @property
    def most_multiples(self) -> int:
        """The largest ``abs(multiple(M))`` of any modulus."""
        return 1

    @property
    def wide(self) -> bool:
        """Operands up to 6M, which at some lengths need a word or a digit more than the paper counts."""
        return self.most_multiples > 1 and not self.reduce

    @property
    def with_tilde(self) -> bool:
        """M~ is a number of the context: it is neither M nor -M."""
        return False

    def bound(self, modulus: int) -> int:
        """2|M~|: operands below it give results below it, so that multiplications can be chained."""
        return 2 * abs(self.multiple(modulus)) * modulus

    @property
    def extra_bits(self) -> int:
        """Bits of an operand above n."""
        return 0 if self.reduce else (2 * self.most_multiples - 1).bit_length()

    @property
    def bits(self) -> int:
        """Bits of an operand at the ports."""
        return self.n + self.extra_bits

    # --- schedule (Section IV.C) --------------------------------------------------------------------

    @property
    def word_guard(self) -> int:
        """Bits of Z above n: growth and sign."""
        return 2 * self.radix2 + 1 + self.wide

    @property
    def digit_guard(self) -> int:
        """Bits above n that the digits of X cover, so that R and the digit that is never shifted fit."""
        return self.radix2 + 2 + 2 * self.wide

    @property
    def lag(self) -> int:
        """Cycles from the first element's input to the last one's output: l*p, and the discarded words."""
        return self.pes + ceil_div(self.radix2 * self.pes, self.word) if self.left else 2 * self.pes

    @property
    def words(self) -> int:
        """e: words of Z."""
        return ceil_div(self.n + self.word_guard, self.word)

    @property
    def period(self) -> int:
        """Cycles of a pipeline cycle: those of case I or, if the first element has to wait, of case II."""
        return max(self.words + self.left, self.lag + 1)

    @property
    def passes(self) -> int:
        """k: pipeline cycles of a multiplication."""
        return ceil_div(ceil_div(self.n + self.digit_guard, self.radix2), self.pes)

    @property
    def radix(self) -> int:
        """R: every digit but, in Orup's order, the last one is shifted out."""
        return 1 << (self.radix2 * (self.passes * self.pes - self.parallel))


SPACING = 8


def cycles(config: SystolicConfig) -> int:
    """k pipeline cycles: the paper's k*e, k*(e+1) and k*(lp + vp/w + b) with b = 1."""
    return config.passes * config.period


def latency(config: SystolicConfig) -> int:
    """From the last operand beat until the result, gathered and compared word by word, is shown."""
    first_word = (config.passes - 1) * config.period + config.lag + 8 + config.triples
    return first_word + (config.words - 1 if config.reduce else 0)


def interval(config: SystolicConfig) -> int:
    """Loading and unloading run beside the kernel; only the shortest multiplications wait for them."""
    return max(cycles(config), 2 * config.words + SPACING)


def beside(config: SystolicConfig) -> Beside:
    """Operands come in when those before have begun, a cycle later where 3Y is made."""
    return Beside([2 + config.triples] * config.beats)


def header(config: SystolicConfig, length: int) -> list[int]:
    """The beats of a length, the first ones of a context."""
    return to_beats(length, config.width.bit_length(), config.word)


def numbers(config: SystolicConfig, modulus: int) -> list[int]:
    """The beats behind the length: M, in Orup's order M^, and M~ where the build wants it."""
    tilde = config.multiple(modulus) * modulus
    hat = ((tilde + 1) >> config.radix2) % (1 << (config.beats * config.word))
    return config.split(
        modulus, *((hat,) if config.parallel else ()), *((tilde,) if config.with_tilde else ())
    )


def context(config: SystolicConfig, modulus: int) -> list[int]:
    """The length, then the numbers of the modulus; a negative M^ in two's complement."""
    return [*header(config, config.n), *numbers(config, modulus)]


LONGER = 200
"""Bits beyond Width up to which lengths are tried that must be refused."""


def refused(config: SystolicConfig) -> list[list[int]]:
    """Even moduli, the lengths 0 and 1, and lengths above Width, each with as many numbers as it asks for.

    Some of the lengths above Width differ in one bit from one that is legal; one has all bits.
    """
    width = config.width
    bits = range(width.bit_length(), (width + LONGER).bit_length())
    higher = (*(2 + (1 << bit) for bit in bits), (1 << bits.stop) - 1)
    contexts = [
        context(replace(config, length=n), m) for n, m in ((2, 2), (width, 0), (width, 1 << (width - 1)))
    ]
    for length in (0, 1, width + 1, width + config.word, *higher):
        if length >> (config.word * len(header(config, width))) == 0:
            build = replace(config, width=max(length, 2), length=max(length, 1))
            contexts.append([*header(config, length), *numbers(build, 1)])
    return contexts


def domain(config: SystolicConfig) -> Domain:
    return Domain("montgomery", config.radix)


def operand_max(config: SystolicConfig, modulus: int) -> int:
    return modulus if config.reduce else config.bound(modulus) - 1


def result_max(config: SystolicConfig, modulus: int) -> int:
    return modulus - 1 if config.reduce else config.bound(modulus) - 1


# --- the model --------------------------------------------------------------------------------------


def _maj(a: int, b: int, c: int) -> int:
    return (a & b) | (a & c) | (b & c)


def _magnitude(window: int) -> int:
    """|d| of a radix-4 Booth digit; its sign is the window's top bit, also of a zero."""
    return abs((window + 1) // 2 - (window >> 2) * 4)


@dataclass
class _Kernel:
    """The row of elements: Z as sum and carry, N = T*w bits of each, where the row has moved them."""

    config: SystolicConfig
    y: int
    m: int
    s: int = 0
    c: int = 0
    q_neg: int = 0
    h: int = 0

    @property
    def bits(self) -> int:
        return self.config.period * self.config.word

    def sign(self, places: int) -> None:
        """``places`` bits are gone at the bottom: bring in the sign at the top (mm_scalable_sign)."""
        tops = [(v >> (self.bits - 2)) & 3 for v in (self.s, self.c)]
        above = ((1 << places) - 1) << (self.bits - places)
        self.s = (self.s >> places) | (above if any(tops) else 0)
        self.c = (self.c >> places) | (above if tops == [3, 3] else 0)

    def add(self, multiple: int, negative: int, carry: int, place: int) -> None:
        """A CSA: add a multiple, inverted from ``place`` on if negative, with a carry injected there."""
        mask = (1 << self.bits) - 1
        term = (~(multiple >> place) << place if negative else multiple) & mask
        self.s, self.c = self.s ^ self.c ^ term, ((_maj(self.s, self.c, term) << 1) | (carry << place)) & mask

    def element(self, index: int, x: int) -> None:
        """One digit: ``x`` is the window of X, a Booth window or the digit with a bit below it."""
        config, v, word = self.config, self.config.radix2, self.config.word
        place = (index + 1) * v % word if config.left else 0
        if not config.parallel:
            return self.serial(x, index % word if config.left else 0)
        low = (place or word) - v if config.left else 0
        digits = ((self.s >> low) % (1 << v), (self.c >> low) % (1 << v))
        total = sum(digits) + self.q_neg
        q, h = total % (1 << v), total >> v
        if not config.left:
            self.sign(v)
        elif place == 0:
            self.sign(word)
        else:
            keep = ~(((1 << v) - 1) << low)
            self.s, self.c = self.s & keep, self.c & keep
        y, m = self.y << place, self.m << place
        if config.booth:
            x_neg, q_neg = x >> 2, q >> 1
            q_window = 2 * q + self.q_neg
            self.q_neg = q_neg
            self.add(_magnitude(x) * y, x_neg, x_neg, place)
            self.add(_magnitude(q_window) * m, q_neg, h, place)
        else:
            self.add((x >> 1) * y, 0, 0, place)
            self.add(q * m, 0, h, place)
        return None

    def serial(self, x: int, place: int) -> None:
        """The original order: Z + d(X)*Y, then + Q*M, with Q from the digit of that sum at its place."""
        config, v = self.config, self.config.radix2
        x_neg = x >> 2 if config.booth else 0
        self.add((_magnitude(x) if config.booth else x >> 1) * (self.y << place), x_neg, x_neg, place)
        q = -((self.s >> place) + (self.c >> place) + self.h) * pow(self.m, -1, 1 << v) % (1 << v)
        if config.booth and q == 3:
            q = -1
        self.add(q * (self.m << place), 0, 0, place)
        if config.booth:
            self.h = (self.s % (1 << v) + self.c % (1 << v) + self.h) >> v
            self.sign(v)
        elif not config.left or place == config.word - 1:  # its digit, or all of the lowest word, is zero
            drop = config.word if config.left else v
            self.s, self.c = self.s >> drop, self.c >> drop


def model(config: SystolicConfig, modulus: int, x: int, y: int) -> Iterator[Step]:
    """Z as it leaves the last element, a word a cycle, by the steps of the module header."""
    tilde = config.multiple(modulus) * modulus
    v, word, period = config.radix2, config.word, config.period
    m = (tilde + 1) >> v if config.parallel else modulus
    kernel = _Kernel(config, y, m)
    states: list[dict[str, int]] = [{} for _ in range(latency(config))]
    shifted = config.pes * v % word if config.left else 0
    for turn in range(config.passes):
        for index in range(config.pes):
            digit = turn * config.pes + index
            kernel.element(index, (x << 1 >> (digit * v)) % (2 << v))
        at = turn * period + config.lag - bool(shifted) + 2 + config.triples
        for j, state in zip(range(period), states[at:], strict=False):
            state["ZS"] = (kernel.s >> (j * word)) % (1 << word)
            state["ZC"] = (kernel.c >> (j * word)) % (1 << word)
        if shifted:
            kernel.sign(shifted)
    for state in states:
        yield Step("4" if state else "", state)


def trace(config: SystolicConfig) -> Mapping[str, str]:
    last = f"gen_core.u_array.gen_pe[{config.pes - 1}].u_pe"
    return {"ZS": f"{last}.zs_o", "ZC": f"{last}.zc_o"}


@dataclass(frozen=True)
class UnsignedConfig(SystolicConfig):
    """A build that takes the paper's M^ = (M'M+1)/2^v, M' = -M^-1 mod 2^v, for v = 2: M~ is M or 3M."""

    def multiple(self, modulus: int) -> int:
        return 1 if modulus % 4 == 3 else 3

    @property
    def most_multiples(self) -> int:
        return 3


@dataclass(frozen=True)
class BoothConfig(UnsignedConfig):
    """A build of one of the paper's two Booth designs.

    Attributes:
        signed_m: 1: M^ is (M+1)/4 or -(M-1)/4, whichever is an integer, so that results stay below M and a
            bit, with the step counts as the paper prints them. 0: the paper's M^ = (M'M+1)/4, at most 3M/4.
    """

    signed_m: int = 1

    booth: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.signed_m not in (0, 1):
            raise ValueError(f"signed_m must be 0 or 1, got {self.signed_m}")

    def multiple(self, modulus: int) -> int:
        if self.signed_m:
            return 1 if modulus % 4 == 3 else -1
        return super().multiple(modulus)

    @property
    def most_multiples(self) -> int:
        return 1 if self.signed_m else 3

    @property
    def with_tilde(self) -> bool:
        return not self.signed_m

    @property
    def extra_bits(self) -> int:
        return super().extra_bits if self.signed_m else 3


# --- the rooms --------------------------------------------------------------------------------------

DEVICE = "Virtex-II (XC2V2000-6)"
ELEMENT, ARRAY = "element", "kernel"


def element(design: str, word: int, fmax: float, luts: int, ffs: int, note: str = "") -> Published:
    """A row of Table II: one processing element, which is the same for every operand length."""
    return Published(
        *("II", design, DEVICE, None),
        luts=luts,
        ffs=ffs,
        fmax_mhz=fmax,
        note=note,
        options={"Word": word},
        block=ELEMENT,
    )


def exponentiation(
    design: str,
    fmax: float,
    pes: int,
    luts: int,
    ffs: int,
    cycles: tuple[int, int],
    ms: tuple[float, float],
    notes: tuple[str, str] = ("", ""),
) -> tuple[Published, ...]:
    """The rows of Table III for 256 and 1024 bits: kernel with controller, w = 16.

    Args:
        cycles: clock cycles of a multiplication, by the paper's formulas with b = 1.
        ms: printed times of an exponentiation.
        notes: on each of them.
    """
    return tuple(
        Published(
            *("III", design, DEVICE, width),
            luts=luts,
            ffs=ffs,
            fmax_mhz=fmax,
            cycles=count,
            time_us=round(time * 1000 / (2 * width + 2), 3),
            power_ms=time,
            power_cycles=(2 * width + 2) * count,
            note="cycles by the paper's formulas; power: 2n + 2 multiplications, here each waits for the one "
            "before; time: one of them" + (f"; {note}" if note else ""),
            derived=("cycles", "time_us", "power_cycles"),
            options={"Word": 16, "Pes": pes},
            block=ARRAY,
        )
        for width, count, time, note in zip((256, 1024), cycles, ms, notes, strict=True)
    )


def explore(config: type[SystolicConfig], width: int) -> list[SystolicConfig]:
    """As many elements as never wait for each other (case I): more of them only help longer operands."""
    word = 4 if width < 32 else 8 if width < 64 else 16
    builds = [config(width, word=word, pes=pes) for pes in range(1, MOST_PES + 1)]
    return [[build for build in builds if build.lag < build.words + build.left or build.pes == 1][-1]]


def values(config: type[SystolicConfig], width: int) -> dict[str, list[int]]:
    """For each number of passes the fewest processing elements that do it."""
    digits = config(width, pes=1).passes
    counts = {ceil_div(digits, passes) for passes in range(1, digits + 1)}
    return {"Pes": sorted(count for count in counts if count <= MOST_PES)}


def variants(config: type[SystolicConfig], width: int) -> list[SystolicConfig]:
    """Two of five shapes, in turn by the width: every word length, ranges and M^ of both kinds."""
    unsigned = {"signed_m": 0} if issubclass(config, BoothConfig) else {}
    shapes = (
        {"word": 4, "pes": 6, "reduce": 0, **unsigned},
        {"word": 4, "pes": 1},
        {"word": 8, "pes": 1, "reduce": 0},
        {"word": 8, "pes": 3, **unsigned},
        {"word": 32, "pes": 2},
    )
    return [config(width, **shapes[(width + turn) % len(shapes)]) for turn in (0, 2)]


def systolic_core(
    config: type[SystolicConfig],
    *,
    slug: str,
    title: str,
    section: str,
    steps: str,
    published: tuple[Published, ...] = (),
    prints_nothing: bool = False,
) -> Core:
    """The description of a room of the family; the arguments are what is its own.

    The blocks that the paper counts are its modules ``mm_<slug>_pe``, where a word is dropped (there it is
    largest), and ``mm_<slug>_array``.
    """

    def blocks(build: SystolicConfig) -> dict[str, tuple[str, dict[str, int]]]:
        place = {"Pos": 0 if build.parallel else build.word - 1} if build.left else {}
        wide = {"Wide": int(build.wide)} if isinstance(build, UnsignedConfig) else {}
        array = {"Width": build.width, "Word": build.word, "Pes": build.pes, **wide}
        return {ELEMENT: (f"mm_{slug}_pe", {"Word": build.word, **place}), ARRAY: (f"mm_{slug}_array", array)}

    return Core(
        slug=slug,
        title=title,
        interface=Interface(
            latency=latency,
            interval=interval,
            context=context,
            refused=refused,
            in_flight=lambda _config: 3,
            beside=beside,
        ),
        function=Function(
            check=check_odd,
            moduli="odd M, of any length up to n",
            domain=domain,
            operand_max=operand_max,
            result_max=result_max,
        ),
        algorithm=Algorithm(
            steps=steps,
            cycles=cycles,
            model=model,
            trace=trace,
        ),
        builds=Builds(
            config=config,
            explore=lambda width: explore(config, width),
            variants=lambda width: variants(config, width),
            values=lambda width: values(config, width),
        ),
        origin=Origin(
            paper="pinckney2008",
            section=section,
            published=published,
            prints_nothing=prints_nothing,
            blocks=blocks,
        ),
    )
