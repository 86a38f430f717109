# SPDX-License-Identifier: Apache-2.0
"""gf2m_serial: x * y / R mod M in GF(2^m), a digit of x a cycle, the lowest first."""

from collections.abc import Iterator, Sequence

from modmul.core import (
    Algorithm,
    Builds,
    Core,
    Domain,
    Function,
    Interface,
    Origin,
    Step,
    carryless_product,
    ceil_div,
)
from modmul.cores.binary.gf2m import (
    DigitSerial,
    check_binary,
    digits,
    interval,
    latency,
    lengths,
    stream,
    values,
)

GROUP = 4
"""Bits of s that choose an entry of a table."""


def cycles(config: DigitSerial) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def domain(config: DigitSerial) -> Domain:
    """R = x^(D*L)."""
    return Domain("montgomery", 1 << (config.digit * config.steps))


def folded(config: DigitSerial, modulus: int, s: int) -> int:
    """Step 4: s, and the multiple of M that makes it divisible by x^D, without these bits."""
    for i in range(config.digit):
        s ^= modulus << i if s >> i & 1 else 0
    return s >> config.digit


def context(config: DigitSerial, modulus: int) -> Sequence[int]:
    """M without x^n, and the tables, one for each four bits of s."""
    found = config.split(modulus & ((1 << config.width) - 1))
    for low in range(0, config.digit, GROUP):
        most = 1 << min(GROUP, config.digit - low)
        for entry in range(1 << GROUP):
            found += config.split(folded(config, modulus, entry % most << low))
    return found


def refused(config: DigitSerial) -> Sequence[Sequence[int]]:
    """Moduli with the constant term 0, and tables of zeros."""
    top = 1 << config.width
    tables = [0] * (ceil_div(config.digit, GROUP) << GROUP) * config.beats
    return [[*config.split(even), *tables] for even in dict.fromkeys((0, 2, top // 2, top - 2))]


def trace(_config: DigitSerial) -> dict[str, str]:
    return {"s": "s_q", "z": "z_q"}


def model(config: DigitSerial, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number."""
    yield Step("", {})
    yield Step("", {})
    s = 0
    yield Step("1", {"s": s})
    for i in range(config.steps):
        digit = x >> config.digit * i & ((1 << config.digit) - 1)
        s = folded(config, m, s) ^ carryless_product(digit, y)
        yield Step("3-5", {"s": s})
    yield Step("4-6", {"z": folded(config, m, s)})


def explore(width: int) -> tuple[DigitSerial, ...]:
    """Digits of 8 and of 16 bits, or shorter ones for short operands."""
    return tuple(DigitSerial(width, word=word, digit=digit) for word, digit in digits(width))


def variants(width: int) -> tuple[DigitSerial, ...]:
    """Other words and digits, some longer than the operand."""
    return tuple(DigitSerial(width, word=word, digit=digit) for word, digit in lengths())


CORE = Core(
    slug="gf2m_serial",
    title="Digit-serial multiplier in GF(2^m)",
    interface=Interface(
        latency=latency,
        interval=interval,
        in_flight=lambda config: config.in_flight,
        context=context,
        refused=refused,
        stream=stream,
    ),
    function=Function(
        check=check_binary,
        moduli="a polynomial of degree 1 … n with constant term 1",
        domain=domain,
    ),
    algorithm=Algorithm(
        steps="n/D + 3, D bits of x a cycle",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=DigitSerial,
        explore=explore,
        variants=variants,
        values=values,
    ),
    origin=Origin(section="src/modmul/cores/binary/gf2m_serial/README.md"),
)
