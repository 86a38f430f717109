# SPDX-License-Identifier: Apache-2.0
"""Secrets of cores and systems, fixed or random: contexts and operands for the traces of a test.

Everything else, the other operand and what blinds, is random (docs/leakage.md).
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd

from flint import fmpz

from modmul.core import Config, Polynomial, RsaKey
from modmul.moduli import Curve, curve
from modmul.moduli.curves import MONTGOMERY, WEIERSTRASS
from modmul.moduli.multiples import blinded, clamped, numbers, operands
from modmul.registry import ECC, Build, Room, curve_on, room

__all__ = ["EXPONENT", "FIXED", "OPERAND", "SMALL", "Context", "Source", "scalar", "source"]

EXPONENT, OPERAND = "exponent", "operand"
FIXED = (EXPONENT, OPERAND)
"""What is fixed in one of the sets: the exponent or scalar; or the first operand, a message or a point."""

SMALL = Curve("small20", WEIERSTRASS, 745859, 10509, 734951, (0, 10327), order=745307)
"""Of 20 bits, for more traces than curves in use allow; neither field nor order is near a power of two."""


@dataclass(frozen=True)
class Context:
    """What a core is loaded with.

    Attributes:
        modulus: or key.
        config: the build's, with other run-time fields.
        secret: what it brings along; 0 if nothing.
    """

    modulus: int
    config: Config
    secret: int = 0


@dataclass(frozen=True)
class Source(ABC):
    """Where operands come from.

    Attributes:
        build: of the core or system.
        fixed: one of :data:`FIXED`.
    """

    build: Build
    fixed: str

    blind = 0
    """Bits that blind an exponent."""
    hidden = ""
    """How the other operand is blinded, in words; empty if it is not."""
    in_context = False
    """Whether the secret comes with the context."""

    @property
    @abstractmethod
    def bits(self) -> int:
        """Of the secret."""

    @abstractmethod
    def context(self, rng: random.Random, fixed: bool) -> Context:
        """One to load."""

    @abstractmethod
    def operands(self, at: Context, rng: random.Random, fixed: bool) -> tuple[int, int, int]:
        """x, y and the secret."""


def _prime(bits: int, rng: random.Random) -> int:
    """A random one of so many bits, 3 modulo 4: of multiples of one less only the lowest bit is always 0."""
    while True:
        number = rng.getrandbits(bits) | 1 << bits - 1 | 3
        if fmpz(number).is_prime():
            return number


@dataclass(frozen=True)
class Product(Source):
    """A multiplier: the first operand is fixed or random, the second one random."""

    modulus: int
    largest: int
    known: int

    @property
    def bits(self) -> int:
        return self.largest.bit_length()

    def context(self, rng: random.Random, fixed: bool) -> Context:
        del rng, fixed
        return Context(self.modulus, self.build.config)

    def operands(self, at: Context, rng: random.Random, fixed: bool) -> tuple[int, int, int]:
        del at
        x = rng.randint(0, self.largest)
        return self.known if fixed else x, rng.randint(0, self.largest), x


@dataclass(frozen=True)
class Power(Source):
    """x^e modulo a prime: e is as M − 1 has it, odd, and blinded by a random multiple of that.

    Attributes:
        modulus: the prime.
        known: the fixed x and e.
    """

    modulus: int
    known: tuple[int, int]
    blind: int = 0

    @property
    def bits(self) -> int:
        return self.modulus.bit_length()

    def context(self, rng: random.Random, fixed: bool) -> Context:
        del rng, fixed
        return Context(self.modulus, self.build.config)

    def operands(self, at: Context, rng: random.Random, fixed: bool) -> tuple[int, int, int]:
        x, e = power_operands(self.modulus, rng)
        secret = e if self.fixed == EXPONENT else x
        if self.fixed == EXPONENT:
            e = self.known[1] if fixed else e
        else:
            x, e = self.known[0] if fixed else x, self.known[1]
        return x, e + rng.getrandbits(self.blind) * (self.modulus - 1), secret


def power_operands(modulus: int, rng: random.Random) -> tuple[int, int]:
    """x and an odd e below a prime."""
    return rng.randrange(1, modulus), rng.randrange(modulus - 1) | 1


@dataclass(frozen=True)
class Private(Source):
    """RSA's private operation: the private exponent comes with the key.

    Attributes:
        key: whose primes are fixed in both sets.
        known: the fixed message.
    """

    key: RsaKey
    known: int
    hidden = "blinded"

    @property
    def blind(self) -> int:  # type: ignore[override]
        return int(self.build.config.options()["Blind"])

    @property
    def in_context(self) -> bool:  # type: ignore[override]
        return self.fixed == EXPONENT

    @property
    def bits(self) -> int:
        return self.key.bits * len(self.key.primes)

    def context(self, rng: random.Random, fixed: bool) -> Context:
        if self.fixed == OPERAND or fixed:
            return Context(self.key, self.build.config, _residues(self.key))
        other = _with_other_exponent(self.key, rng)
        return Context(other, self.build.config, _residues(other))

    def operands(self, at: Context, rng: random.Random, fixed: bool) -> tuple[int, int, int]:
        x = rng.randrange(self.key)
        y = rng.getrandbits(self.build.config.at(at.modulus).bits)
        if self.fixed == EXPONENT:
            return x, y, at.secret
        return self.known if fixed else x, y, x


def _residues(key: RsaKey) -> int:
    """d modulo each prime less 1, one behind the other."""
    return sum(key.d % (p - 1) << k * key.bits for k, p in enumerate(key.primes))


def _with_other_exponent(key: RsaKey, rng: random.Random) -> RsaKey:
    """A key of the same primes, with an e of their length, all of which take the same time."""
    while True:
        e = rng.getrandbits(key.bits) | 1 << key.bits - 1 | 1
        if all(gcd(e, p - 1) == 1 for p in key.primes):
            return RsaKey(key.p, key.q, e, more=key.primes[2:])


def new_key(bits: int, count: int, rng: random.Random) -> RsaKey:
    """A key of so many random primes, each of so many bits."""
    primes: set[int] = set()
    while len(primes) < count:
        primes.add(_prime(bits, rng))
    p, q, *more = primes
    return _with_other_exponent(RsaKey(p, q, 1, more=more), rng)


@dataclass(frozen=True)
class Multiple(Source):
    """k·P of a curve.

    Attributes:
        at: the curve.
        known: the fixed scalar and point.
    """

    at: Curve
    known: tuple[int, tuple[int, int]]
    hidden = "blinded"

    @property
    def blind(self) -> int:  # type: ignore[override]
        return int(self.build.config.options()["Blind"])

    @property
    def bits(self) -> int:
        return self.at.order.bit_length() if self.fixed == EXPONENT else self.at.bits

    def context(self, rng: random.Random, fixed: bool) -> Context:
        del fixed
        given = tuple(numbers(self.at, rng).items())
        return Context(self.at.modulus, self.build.config.running(given=given))

    def operands(self, at: Context, rng: random.Random, fixed: bool) -> tuple[int, int, int]:
        k, point = multiple_operands(self.at, rng)
        secret = k if self.fixed == EXPONENT else point[0]
        if self.fixed == EXPONENT:
            k = self.known[0] if fixed else k
        else:
            k, point = self.known[0], self.known[1] if fixed else point
        half = at.config.at(at.modulus).half  # type: ignore[attr-defined]
        return *operands(self.at, blinded(self.at, k, point, self.blind, rng), point, half), secret


def multiple_operands(at: Curve, rng: random.Random) -> tuple[int, tuple[int, int]]:
    """A scalar and a point."""
    point = at.multiply(rng.randrange(1, at.order), at.base)
    assert point
    return scalar(at, rng), point


def scalar(at: Curve, rng: random.Random) -> int:
    """A secret one."""
    k = rng.randrange(1, at.order)
    return clamped(at, k) if at.form == MONTGOMERY else k


def source(
    slug: str,
    *,
    width: int,
    fixed: str = "",
    blind: int | None = None,
    settings: Mapping[str, int] | None = None,
    modulus: int | None = None,
    seed: int = 1,
) -> Source:
    """Where the traces of a core or system come from.

    Args:
        slug: ``CORE``, ``SYSTEM:CORE``.
        width: of the build; of ``ecc_`` that of the curve.
        fixed: one of :data:`FIXED`; ``""`` for the exponent where there is one.
        blind: bits that blind the exponent; ``None`` for those of the build, 0 where it has none.
        settings: parameters.
        modulus: or a key; one is drawn where there is none.
        seed: of what is fixed.

    Raises:
        ValueError: there is no such core or build, nothing of that kind is secret in it, or it cannot be
            blinded.
    """
    rng = random.Random(f"{seed} {slug} fixed")
    system, colon, _ = slug.partition(":")
    kind = fixed or (EXPONENT if colon else OPERAND)
    if kind not in FIXED:
        raise ValueError(f"either the {' or the '.join(FIXED)} is fixed, not {kind!r}")
    if not colon and kind == EXPONENT:
        raise ValueError(f"{slug} has no exponent; systems have one: modexp:{slug}")
    chosen = dict(settings or {})
    if system.startswith(ECC):
        name = system.removeprefix(ECC)
        at = SMALL if name == SMALL.name else curve(name)
        return _multiple(curve_on(at, slug.partition(":")[2])[1], at, kind, blind, chosen, rng)
    found = room(slug)
    if system == "rsa_crt":
        chosen |= {} if blind is None else {"Blind": blind}
        if kind == EXPONENT:  # the check raises to e, which differs where d does, and is no secret
            chosen = {"Check": 0} | chosen
        build = found.build(width, chosen)
        count = int(build.config.options()["Primes"])
        key = modulus if isinstance(modulus, RsaKey) else new_key(width // count, count, rng)
        build.check(key)
        return Private(build, kind, key, rng.randrange(key))
    if system in ("modexp", "ladder"):
        return _power(slug, kind, width, blind or 0, chosen, modulus, rng)
    if colon and kind == EXPONENT:
        raise ValueError(f"{slug} has no exponent that is known here; --fixed operand takes any program")
    if blind:
        raise ValueError(f"{slug} has no exponent that could be blinded")
    build = found.build(width, chosen, modulus)
    chosen_modulus = _modulus(build, modulus, rng)
    largest = build.core.function.operand_max(build.config.at(chosen_modulus), chosen_modulus)
    return Product(build, kind, chosen_modulus, largest, rng.randint(0, largest))


def _modulus(build: Build, modulus: int | None, rng: random.Random) -> int:
    """One that a build serves: as given, its own, or a random one."""
    function, config = build.core.function, build.config
    if modulus is not None:
        build.check(modulus)
        return modulus
    drawn = rng.getrandbits(config.width) | 1 << config.width - 1 | 1
    if function.tried(config) is None and function.serves(config, drawn):
        return drawn
    return function.some_modulus(config)


def _power(
    slug: str,
    kind: str,
    width: int,
    blind: int,
    chosen: Mapping[str, int],
    modulus: int | None,
    rng: random.Random,
) -> Power:
    build = room(slug).build(width, {"ExponentBits": width + blind} | dict(chosen), modulus)
    if modulus is None:
        modulus = build.core.function.only_modulus(build.config)
    if modulus is None:
        modulus = next(
            p for p in iter(lambda: _prime(width, rng), 0) if build.core.function.serves(build.config, p)
        )
    build.check(modulus)
    if isinstance(modulus, Polynomial) or not fmpz(modulus).is_prime():
        raise ValueError("an exponent is blinded by multiples of M − 1 here; take a prime for the modulus")
    return Power(build, kind, modulus, power_operands(modulus, rng), blind)


def _multiple(
    found: Room, at: Curve, kind: str, blind: int | None, chosen: Mapping[str, int], rng: random.Random
) -> Multiple:
    build = found.build(at.bits, dict(chosen) | ({} if blind is None else {"Blind": blind}))
    return Multiple(build, kind, at, multiple_operands(at, rng))
