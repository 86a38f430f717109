# SPDX-License-Identifier: Apache-2.0
"""Elliptic curves around hardware that multiplies points: key agreement and signatures.

Keys, encodings and hashes are left to libraries. What the hardware gives is held against the model of the
curve, which is another way to the same point. docs/curves.md says how.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from secrets import randbelow
from typing import Any

from modmul.core import check_tool
from modmul.moduli import Curve, Point, curve, two_points
from modmul.moduli.curves import MONTGOMERY
from modmul.moduli.multiples import (
    SECURE,
    blind_bits,
    blinded,
    chained,
    clamped,
    factored,
    in_group,
    numbers,
    operands,
)
from modmul.registry import curve_on
from modmul.registry import program as on_core
from modmul.tools.progress import Listener, ignore
from modmul.use.program import Ran, Running, prepare, read, run
from modmul.verify.failures import VerificationError

__all__ = [
    "HASHES",
    "CurveError",
    "Hardware",
    "Multiplier",
    "Work",
    "agree",
    "both",
    "check_public",
    "check_secret",
    "deterministic",
    "exchange",
    "hashed_by",
    "model",
    "sign",
    "times",
    "verify",
]

HASHES = ("sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256", "sha3_384", "sha3_512", "sm3")
"""Of messages that are signed, by the names of ``hashlib``."""


class CurveError(ValueError):
    """A point, scalar, key or message that is not taken; the message says why, in one line."""


# --- the hardware -----------------------------------------------------------------------------------


Multiplier = Callable[[Curve, int, tuple[int, int], Listener], tuple[int, int]]
"""Hardware: a curve, a scalar, a point of the curve, who is told -> the scalar times the point.

On Montgomery curves both points are x and 0. It raises :class:`CurveError` for the point at infinity, which
does not leave.
"""


def model(at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
    """The model of a curve in place of hardware, for what is checked without any."""
    del listener
    found = at.multiply(scalar, point)
    if found is None:
        raise CurveError(f"the result is the point at infinity of {at.name}")
    return found


@dataclass
class Work:
    """What the hardware has done so far.

    Attributes:
        runs: a point multiplication each.
    """

    runs: list[Ran] = field(default_factory=list)

    @property
    def cycles(self) -> int:
        """Of all of them."""
        return sum(ran.cycles for ran in self.runs)

    @property
    def effort(self) -> str:
        """Cycles and time in words."""
        number = len(self.runs)
        text = f"{number} point multiplication{'s' * (number != 1)}, {self.cycles:,} clock cycles, checked"
        clock = self.runs[0].clock if self.runs else None
        if clock is None:
            return text
        milliseconds = self.cycles / clock.mhz / 1000
        return f"{text}; {milliseconds:,.3f} ms at {clock.mhz:.1f} MHz, the clock of {clock.of}"

    def to_json(self) -> dict[str, object]:
        """Plain data for ``json.dumps``."""
        clock = self.runs[0].clock if self.runs else None
        return {
            "multiplications": len(self.runs),
            "cycles": self.cycles,
            "fmax_mhz": clock.mhz if clock else None,
            "clocked": clock.of if clock else "",
            "seconds": self.cycles / (clock.mhz * 1e6) if clock else None,
        }


@dataclass
class Hardware:
    """The engine with a core, simulated; a :data:`Multiplier`.

    Attributes:
        core: slug of the multiplier.
        settings: parameters of the core or the engine, other than the defaults.
        blind: bits that blind a scalar, 0 for none; ``None`` for what the settings say, or what the curve
            needs.
        factor: bits of a random factor that blinds a scalar in place of a multiple, in two operations; 0 for
            none.
        done: what it has done.
    """

    core: str
    settings: Mapping[str, int] = field(default_factory=dict)
    blind: int | None = None
    factor: int = 0
    done: Work = field(default_factory=Work)

    def __call__(self, at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
        """The scalar times the point, checked.

        Raises:
            CurveError: there is no program for the curve, or the result is the point at infinity.
            ValueError: the core cannot serve the curve.
            VerificationError: the result is wrong.
        """
        if self.factor:
            factor, scalar = factored(at, scalar, point, self.factor)
            point = self._ran(at, self._running(at, factor, point, 0, self.factor), listener)
            return self._ran(at, self._running(at, scalar, point, 0), listener)
        return self._ran(at, self.prepared(at, scalar, point), listener)

    def _ran(self, at: Curve, prepared: tuple[Running, int], listener: Listener) -> tuple[int, int]:
        """The point that comes of a run."""
        running, half = prepared
        ran = run(running, listener=listener)
        self.done.runs.append(ran)
        found = ran.value % (1 << half), ran.value >> half
        if found == (0, 0) and at.form != MONTGOMERY:
            raise CurveError(f"no point of {at.name} comes of this: the scalar is 0, or the point wrong")
        return found

    def both(self, at: Curve, u: int, v: int, point: tuple[int, int], listener: Listener) -> Point:
        """The sum u G + v P by one program, checked; on all curves but Montgomery's. Nothing is blinded.

        Raises:
            CurveError: there is no program for the curve.
            ValueError: the core cannot serve the curve.
            VerificationError: the result is wrong.
        """
        running, half = self.prepared_both(at, u, v, point)
        ran = run(running, listener=listener)
        self.done.runs.append(ran)
        return (ran.value % (1 << half), ran.value >> half) if ran.value else None

    def prepared_both(self, at: Curve, u: int, v: int, point: tuple[int, int]) -> tuple[Running, int]:
        """What the engine is to run for u G + v P, and the bits of a coordinate in its numbers.

        Raises:
            CurveError: there is no program for the curve.
            ValueError: the core cannot serve the curve.
        """
        if at.form not in two_points.FORMS:
            raise CurveError(f"there is no program for two points of {at.name}")
        name, text = read(two_points.program_of_two(at))
        text = chained(text, at)
        written, length = two_points.scalars(at, u, v)
        described, room = on_core(text, self.core)
        config = room.build(at.bits, dict(self.settings), at.modulus).config.at(at.modulus)
        half = described.long_bits(config) // 2
        given = two_points.numbers_of_two(at)
        values = {number: value for number, value in given.items() if number in described.numbers}
        values |= {described.operands[0]: point[0] | point[1] << half, described.operands[1]: written}
        return prepare(
            *(name, text, self.core, at.modulus, values),
            width=at.bits,
            settings=self.settings,
            length=length,
        ), half

    def prepared(
        self, at: Curve, scalar: int, point: tuple[int, int], random: Random = SECURE
    ) -> tuple[Running, int]:
        """What the engine is to run, in the fewest cycles, and the bits of a coordinate in its numbers.

        Args:
            random: where the numbers that blind come from.

        Raises:
            ValueError: there is no program for the curve, the core cannot serve it, the point or the scalar
                is negative or too long, or more bits would have to blind it.
        """
        return self._running(at, scalar, point, self.blind, random=random)

    def _running(
        self,
        at: Curve,
        scalar: int,
        point: tuple[int, int],
        blind: int | None,
        length: int = 0,
        random: Random = SECURE,
    ) -> tuple[Running, int]:
        """The same, with another number of bits that blind.

        Args:
            length: of the scalar, in bits, if that is not the most that there may be.
        """
        described, room = curve_on(at, self.core)
        chosen = {} if blind is None else {"Blind": blind}
        build = room.build(at.bits, {**self.settings, **chosen}, at.modulus)
        config: Any = build.config.at(at.modulus)
        if 0 < config.blind < blind_bits(at):
            raise CurveError(
                f"{config.blind} bits do not blind all bits of a scalar of {at.name}; take a build with "
                f"Blind={blind_bits(at)}, or Blind=0 to blind none of them"
            )
        check_tool("simulated", config.width, config.word)
        build.check(at.modulus)
        given = operands(at, blinded(at, scalar, point, config.blind, random), point, config.half)
        build = build.running(given=tuple(numbers(at, random).items()), length=length)
        return Running(f"{config.name}.s", described, build, at.modulus, given), config.half


def times(
    multiply: Multiplier, at: Curve, scalar: int, point: tuple[int, int], listener: Listener
) -> tuple[int, int]:
    """The scalar times the point by hardware, held against the model.

    Raises:
        CurveError: the point is not on the curve, or the result is the point at infinity.
        VerificationError: the hardware is wrong.
    """
    if not at.holds(point):
        raise CurveError(f"the point is not on {at.name}")
    found = multiply(at, scalar, point, listener)
    if multiply is not model and found != at.multiply(scalar, point):
        raise VerificationError(f"what the hardware has made of a point of {at.name} is wrong")
    return found


def check_secret(at: Curve, secret: int) -> None:
    """A private key.

    Raises:
        CurveError: it is out of range.
    """
    if not 0 < secret < at.order:
        raise CurveError(f"a private key of {at.name} lies in 1 … n-1, n the order of its group")


def check_public(at: Curve, public: tuple[int, int]) -> None:
    """A point of the group, without those that standards refuse.

    Raises:
        CurveError: it is not.
    """
    if not at.holds(public):
        raise CurveError(f"the public key is not on {at.name}")
    if not in_group(at, public):
        raise CurveError(f"the public key is not in the group of {at.name}, whose order is n")


# --- key agreement ----------------------------------------------------------------------------------


def agree(
    at: Curve, secret: int, public: tuple[int, int], multiply: Multiplier, *, listener: Listener = ignore
) -> bytes:
    """ECDH: the x of the private key times the other's public one (SP 800-56A, RFC 5903), as long as p.

    Raises:
        CurveError: the private key is out of range, or the public one is not in the group.
        VerificationError: the hardware is wrong.
    """
    check_secret(at, secret)
    check_public(at, public)
    x, _ = times(multiply, at, secret, public, listener)
    return x.to_bytes(at.bytes)


def exchange(
    name: str, secret: bytes, public: bytes, multiply: Multiplier, *, listener: Listener = ignore
) -> bytes:
    """X25519 or X448 (RFC 7748) of a private and a public key.

    Args:
        name: ``"x25519"`` or ``"x448"``.

    Raises:
        CurveError: a key has another length, or the result is 0: the public key is of small order.
    """
    at = curve(name)
    if at.form != MONTGOMERY:
        raise CurveError(f"{name} is neither x25519 nor x448")
    if len(secret) != at.bytes or len(public) != at.bytes:
        raise CurveError(f"keys of {name} have {at.bytes} bytes")
    k = clamped(at, int.from_bytes(secret, "little"))
    u = int.from_bytes(public, "little") & (1 << at.bits) - 1
    x, _ = multiply(at, k, (u % at.modulus, 0), listener)
    if not x:
        raise CurveError("the public key is of small order: nothing can be agreed on with it")
    return x.to_bytes(at.bytes, "little")


# --- ECDSA ------------------------------------------------------------------------------------------


def _leftmost(digest: bytes, order: int) -> int:
    """The leftmost bits of a digest, as many as the order has."""
    value = int.from_bytes(digest)
    return value >> max(8 * len(digest) - order.bit_length(), 0)


def deterministic(at: Curve, secret: int, digest: bytes, hash_: str) -> int:
    """The k of RFC 6979, section 3.2, for a private key and a digest."""
    bits, size = at.order.bit_length(), -(-at.order.bit_length() // 8)
    told = secret.to_bytes(size) + (_leftmost(digest, at.order) % at.order).to_bytes(size)
    length = hashlib.new(hash_).digest_size
    v, key = b"\1" * length, b"\0" * length
    for mark in (b"\0", b"\1"):
        key = hmac.digest(key, v + mark + told, hash_)
        v = hmac.digest(key, v, hash_)
    while True:
        made = b""
        while len(made) < size:
            v = hmac.digest(key, v, hash_)
            made += v
        k = int.from_bytes(made[:size]) >> 8 * size - bits
        if 0 < k < at.order:
            return k
        key = hmac.digest(key, v + b"\0", hash_)
        v = hmac.digest(key, v, hash_)


def hashed_by(hash_: str, message: bytes) -> bytes:
    """The digest of a message.

    Raises:
        CurveError: the hash is not one of :data:`HASHES`.
    """
    if hash_ not in HASHES:
        raise CurveError(f"unknown hash {hash_!r}; there are {', '.join(HASHES)}")
    return hashlib.new(hash_, message).digest()


def sign(
    at: Curve,
    secret: int,
    message: bytes,
    multiply: Multiplier,
    *,
    digest: str = "sha256",
    random: bool = False,
    nonce: int | None = None,
    listener: Listener = ignore,
) -> tuple[int, int]:
    """ECDSA (FIPS 186-5, section 6.4.1): r and s.

    Args:
        digest: one of :data:`HASHES`.
        random: whether k is a random number, not that of RFC 6979.
        nonce: k, 1 to n - 1; only tests with known answers give it.

    Raises:
        CurveError: the private key is out of range, or the hash is not known.
        VerificationError: the hardware is wrong.
    """
    check_secret(at, secret)
    n, hashed = at.order, hashed_by(digest, message)
    while True:
        k = nonce or (1 + randbelow(n - 1) if random else deterministic(at, secret, hashed, digest))
        x, _y = times(multiply, at, k, at.base, listener)
        r = x % n
        s = pow(k, -1, n) * (_leftmost(hashed, n) + r * secret) % n
        if r and s:
            return r, s
        random, nonce = True, None


def verify(
    at: Curve,
    public: tuple[int, int],
    message: bytes,
    signature: tuple[int, int],
    multiply: Multiplier,
    *,
    digest: str = "sha256",
    listener: Listener = ignore,
) -> bool:
    """Whether an ECDSA signature (r, s) is that of a message (FIPS 186-5, section 6.4.2).

    Raises:
        CurveError: the public key is not in the group, or the hash is not known.
        VerificationError: the hardware is wrong.
    """
    check_public(at, public)
    (r, s), n, hashed = signature, at.order, hashed_by(digest, message)
    if not (0 < r < n and 0 < s < n):
        return False
    w = pow(s, -1, n)
    point = both(at, _leftmost(hashed, n) * w % n, r * w % n, public, multiply, listener)
    return point is not None and point[0] % n == r


def both(
    at: Curve, u: int, v: int, public: tuple[int, int], multiply: Multiplier, listener: Listener
) -> Point:
    """u G + v Q, of which nothing is secret, held against the model.

    :class:`Hardware` has a program for it. Otherwise there are two products, and the model's sum of them.

    Raises:
        VerificationError: the hardware is wrong.
    """
    if isinstance(multiply, Hardware):
        found = multiply.both(at, u, v, public, listener)
        if found != at.add(at.multiply(u, at.base), at.multiply(v, public)):
            raise VerificationError(f"what the hardware has made of two points of {at.name} is wrong")
        return found
    one = times(multiply, at, u, at.base, listener) if u else at.neutral
    two = times(multiply, at, v, public, listener) if v else at.neutral
    return at.add(one, two)
