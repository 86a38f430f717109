# SPDX-License-Identifier: Apache-2.0
"""rsa_crt: c^d mod N with the Chinese remainder theorem, blinded and checked, on any core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from secrets import randbelow
from typing import Any, Self

from modmul.core import (
    RUNTIME,
    Algorithm,
    Builds,
    Config,
    Core,
    Function,
    Interface,
    Memory,
    Origin,
    RsaKey,
    System,
    SystemConfig,
    ceil_div,
    to_beats,
)
from modmul.systems.keys import examples
from modmul.systems.rsa_crt.power import Power, header
from modmul.systems.rsa_crt.power import context as engine_context
from modmul.systems.rsa_crt.power import latency as engine_latency
from modmul.systems.rsa_crt.power import refused as engine_refused

PUBLIC = 17
"""Bits of e where nobody says otherwise: those of 65537."""


@dataclass(frozen=True)
class RsaCrt(SystemConfig):
    """The parameters of ``mm_sys_rsa_crt`` on a core.

    Attributes:
        width: bits of N, 2 n; p and q have n.
        inner: the build of the core, n bits wide.
        core: its description.
        engines: 2 for both halves at the same time, or 1 for one after the other.
        blind: bits of the random numbers that blind the exponents, 0 to n; 0 for none.
        blind_message: 1 to blind the message.
        check: 1 to check the result against e before it leaves.
        window: bits of a digit of an exponent, 1 to 6; 0 for those with the fewest multiplications.
        public: bits of the present e; 0 stands for :data:`PUBLIC`, or n where that is less.
    """

    engines: int = field(default=2, kw_only=True)
    blind: int = field(default=-1, kw_only=True)
    blind_message: int = field(default=1, kw_only=True)
    check: int = field(default=1, kw_only=True)
    window: int = field(default=0, kw_only=True)
    public: int = field(default=0, kw_only=True, metadata=RUNTIME)

    def __post_init__(self) -> None:
        super().__post_init__()
        n = self.half
        if self.width % 2:
            raise ValueError(f"width must be even, twice that of the primes, got {self.width}")
        if self.inner.width != n:
            raise ValueError(f"the core must be {n} bits wide, half of {self.width}, got {self.inner.width}")
        if self.core.function.only_modulus(self.inner):
            raise ValueError(f"a key has two primes, and this build of {self.core.slug} serves one modulus")
        if n % self.word:
            raise ValueError(f"word must divide the {n} bits of a prime, got {self.word}")
        if self.blind == -1:
            object.__setattr__(self, "blind", min(64, n // 2))
        if not 0 <= self.blind <= n:
            raise ValueError(f"blind must be 0 to {n} bits, got {self.blind}")
        if self.blind_message not in (0, 1):
            raise ValueError(f"blind_message must be 0 or 1, got {self.blind_message}")
        if self.check not in (0, 1):
            raise ValueError(f"check must be 0 or 1, got {self.check}")
        if self.engines not in (1, 2):
            raise ValueError(f"engines must be 1 or 2, got {self.engines}")
        object.__setattr__(self, "window", self.engine.window)
        if not 0 <= self.public <= n:
            raise ValueError(f"e of {self.public} bits is longer than the {n} of a prime")

    @property
    def half(self) -> int:
        """Bits of p and of q."""
        return self.width // 2

    @property
    def half_beats(self) -> int:
        """Beats of p and of q."""
        return self.half // self.word

    @property
    def public_bits(self) -> int:
        """Bits of the present e."""
        return self.public or min(PUBLIC, self.half)

    @property
    def engine(self) -> Power:
        """The build of an engine, for exponents as they are when they are blinded."""
        bits = self.half + self.blind
        return Power(self.half, inner=self.inner, core=self.core, exponent_bits=bits, window=self.window)

    @property
    def long_beats(self) -> int:
        """Beats of an operand of an engine, while its exponents are the long ones."""
        return max(self.inner.beats, self.engine.exponent_beats)

    @property
    def head_beats(self) -> int:
        """Beats of the header of an engine's context."""
        return len(header(self.engine, 1))

    @property
    def core_beats(self) -> int:
        """Beats of the core's context for a modulus of n bits."""
        return _core_beats(self.core.slug, self.inner, self.core)

    def at(self, modulus: int, **controls: bool) -> Self:
        at = super().at(modulus, **controls)
        return replace(at, public=modulus.e.bit_length()) if isinstance(modulus, RsaKey) else at

    def parameters(self) -> dict[str, int]:
        engine = self.engine
        return {
            "Word": self.word,
            "Beats": self.inner.beats,
            "HalfBeats": self.half_beats,
            "HeadBeats": self.head_beats,
            "CoreBeats": self.core_beats,
            "ContextBeats": engine.context_beats,
            "ExponentBeats": engine.exponent_beats,
            "Window": self.window,
            "Blind": self.blind,
            "BlindMessage": self.blind_message,
            "Check": self.check,
            "Engines": self.engines,
        }

    def own(self) -> dict[str, str]:
        return {
            "Engines": "engines",
            "Blind": "blind",
            "BlindMessage": "blind_message",
            "Check": "check",
            "Window": "window",
        }


@lru_cache(maxsize=4096)
def _core_beats(_slug: str, inner: Config, core: Core) -> int:
    modulus = core.function.some_modulus(inner)
    return len(core.interface.context(inner.at(modulus), modulus))


def compute(_config: RsaCrt, modulus: int, x: int, _y: int, _memory: Memory) -> int:
    """The private operation of a key, whatever the second operand."""
    assert isinstance(modulus, RsaKey)
    return pow(x, modulus.d, modulus)


def check(config: RsaCrt, modulus: int) -> None:
    """Raise ValueError unless the build can serve the key."""
    if not isinstance(modulus, RsaKey):
        raise ValueError("works with a whole RSA key, not with its modulus alone")
    if modulus.bits != config.half:
        raise ValueError(
            f"needs primes of exactly {config.half} bits, these have {modulus.bits}; "
            f"take --width {2 * modulus.bits}"
        )
    if modulus.e.bit_length() > config.half:
        raise ValueError(
            f"e must not be longer than the {config.half} bits of a prime, it has {modulus.e.bit_length()}"
        )
    for prime in modulus.halves:
        config.core.function.check(config.inner, prime)
        if config.core.function.result_max(config.inner.at(prime), prime) >= 2 * prime:
            raise ValueError(f"{config.core.slug} gives results of 2 p and more in this build")


def context(config: RsaCrt, key: int) -> Sequence[int]:
    """The context as ``mm_sys_rsa_crt`` tells of it; v, which blinds the message, is new in each call."""
    assert isinstance(key, RsaKey)
    engine, beats = config.engine, config.inner.beats
    run: list[int] = []

    def add(value: int) -> None:
        run.extend(to_beats(value, beats * config.word, config.word))

    for prime in key.halves:
        add(prime)
        add(key.d % (prime - 1))
        add((1 << config.half) % prime)
        if config.blind_message:
            v = 1 + randbelow(prime - 1)
            add(pow(v, key.e, prime))
            add(pow(v, -1, prime))
        at = engine.at(prime)
        long = engine_context(at, prime)
        if config.check:
            short = engine_context(replace(at, length=key.e.bit_length()), prime)
            run += [*long[: config.head_beats], *short]
        else:
            run += long
    add(key.inverse)
    if config.check:
        add(key.e)
    return run


def refused(config: RsaCrt) -> Sequence[Sequence[int]]:
    """A context with each illegal context of the engines, of the right length, for one half or the other."""
    key = config_example(config)
    legal = list(context(config.at(key), key))
    size = config.head_beats + config.core_beats + 2 * config.inner.beats
    half = (3 + 2 * config.blind_message) * config.inner.beats + config.check * config.head_beats
    found = []
    for number, illegal in enumerate(engine_refused(config.engine)):
        # An engine stops behind an illegal header; what is left of the context still comes.
        whole = [*illegal, *legal[half + len(illegal) : half + size]]
        if len(whole) == size:
            at = half if number % 2 == 0 else 2 * half + size
            found.append([*legal[:at], *whole, *legal[at + size :]])
    return found


# --- time ----------------------------------------------------------------------------------------------


def latency(config: RsaCrt) -> int:
    """The schedule of ``mm_sys_rsa_crt``: cycles behind the last operand beat."""
    return _latency(config.core.slug, config.core, config)


@lru_cache(maxsize=4096)
def _latency(_slug: str, core: Core, config: RsaCrt) -> int:
    engine = config.engine.at(core.function.some_modulus(config.inner))  # its length alone counts
    beats, half, word = config.inner.beats, config.half_beats, config.word
    exponent = engine.exponent_beats
    mask, test, two = bool(config.blind_message), bool(config.check), config.engines == 2
    busy = [0, 0]  # the cycle in which the engine of a half shows its result
    at = 1  # the cycle in which the next pass begins
    long = True

    def idle() -> None:
        nonlocal at
        at += 1

    def passes(number: int, words: int = beats) -> None:
        """Passes over the words of a number."""
        nonlocal at
        at += number * (words + 3)

    def load(to_long: bool) -> None:
        nonlocal long
        long = to_long
        passes(
            1,
            config.head_beats
            + config.core_beats
            + 2 * beats
            + core.interface.context_gaps
            + core.interface.context_wait(config.inner),
        )

    def sent() -> int:
        return config.long_beats if long else beats

    def give(to: int, product: bool) -> None:
        passes(1, sent())
        build = engine if long else replace(engine, length=config.public_bits)
        busy[to] = at - 1 + engine_latency(replace(build, product=product))

    def get(of: int) -> None:
        nonlocal at
        at = max(at + 1, busy[of]) + sent()
        passes(2)

    def loop(bits: int, words: int, grows: bool) -> None:
        """The words of a multiplier: each is fetched, then there is a pass for every two bits."""
        drawn = ceil_div(bits, word)
        top = bits - (drawn - 1) * word
        for number in range(drawn):
            passes(1, 1)
            bits_here = top if number == 0 else word
            passes(ceil_div(bits_here, 2), words + number + 1 if grows else words)

    def blinded_exponent(_half: int) -> None:
        passes(1, exponent)
        if config.blind:
            loop(config.blind, exponent, grows=False)
        else:
            idle()
            idle()
        passes(1, exponent)

    def product(on: bool) -> list[Any]:
        return [lambda h: give(h, True) if on else idle(), lambda h: get(h) if on else idle()]

    def modulo(_half: int) -> None:
        passes(2)

    def total(_half: int) -> None:
        passes(3)

    reduction = [
        modulo,
        lambda h: give(h, True),
        modulo,
    ]
    powers = [
        lambda _: load(True) if test or not two else idle(),
        *reduction,
        blinded_exponent,
        get,
        total,
        *product(mask),
        lambda h: give(h, False),
        get,
        *(row for _ in range(3) for row in product(mask)),
    ]
    checks = [
        lambda _: load(False),
        *reduction,
        get,
        total,
        lambda h: give(h, False),
        modulo,
        modulo,
        get,
        lambda h: give(h, True),
        get,
        total,
        lambda _: passes(1),
    ]

    def both(rows: list[Any]) -> None:
        if two:
            for row in rows:
                row(0)
                row(1)
        else:
            for half_ in (0, 1):
                for row in rows:
                    row(half_)

    both(powers)
    idle() if two else load(True)
    modulo(0)
    modulo(0)
    give(0, True)
    get(0)
    passes(1, 2 * half)
    loop(config.half, half, grows=True)
    passes(1, 2 * half)
    if test:
        both(checks)
    else:
        for _ in range(2 * len(checks)):
            idle()
    idle()
    idle()
    return at + 3


def interval(config: RsaCrt) -> int:
    """Operands come, the result is made and leaves, and the next operands come a cycle later."""
    return latency(config) + 2 * config.beats - 1


def config_example(config: RsaCrt) -> RsaKey:
    """The first of the examples.

    Raises:
        ValueError: there is none.
    """
    for key in examples(config):
        return key
    raise ValueError(f"{config.core.slug} serves no two primes of {config.half} bits")


def _with_fitting_word(inner: Config) -> Config:
    """A build of the core as it is, or else with the longest shorter words that divide an operand.

    Raises:
        ValueError: there are none.
    """
    for word in range(inner.word, 0, -1):
        if inner.width % word == 0:
            try:
                return inner if word == inner.word else inner.with_parameters({"Word": word})
            except ValueError:
                continue
    raise ValueError(f"no words of this core divide the {inner.width} bits of a prime")


# --- the description -----------------------------------------------------------------------------------


def on(core: Core) -> Core:
    """The system on a core."""

    def default(width: int) -> RsaCrt:
        if width < 4 or width % 2:
            raise ValueError(f"width must be even, twice that of the primes, and at least 4, got {width}")
        return RsaCrt(width, inner=_with_fitting_word(core.builds.at(width // 2)[0]), core=core)

    def explore(width: int) -> Sequence[Config]:
        return default(width), replace(default(width), engines=1)

    def variants(width: int) -> Sequence[Config]:
        return (
            replace(default(width), blind=0),
            replace(default(width), blind_message=0),
            replace(default(width), check=0),
            replace(default(width), engines=1, blind=0, blind_message=0, check=0),
        )

    return Core(
        slug=f"rsa_crt:{core.slug}",
        title=f"RSA's private operation with the Chinese remainder theorem, with {core.slug}",
        interface=Interface(
            latency=latency,
            interval=interval,
            context=context,
            refused=refused,
        ),
        function=Function(
            check=check,
            moduli="two primes of n/2 bits",
            compute=compute,
            formula=lambda _config: "x^d mod N",
            examples=examples,
        ),
        algorithm=Algorithm(
            steps="two powers of half the length, and what brings them together and checks them",
            cycles=lambda config: latency(config) - 1,
        ),
        builds=Builds(
            config=RsaCrt,
            explore=explore,
            variants=variants,
            crowded=core.builds.crowded,
        ),
        origin=Origin(
            section="RSA",
        ),
        status=core.status,
        module="mm_sys_rsa_crt",
    )


SYSTEM = System(slug="rsa_crt", title="RSA with the Chinese remainder theorem, on any core", on=on)
