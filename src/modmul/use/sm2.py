# SPDX-License-Identifier: Apache-2.0
"""SM2 (GB/T 32918) around hardware that multiplies points: signatures, encryption, key exchange."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from secrets import randbelow

from cryptography.hazmat.primitives.hashes import SM3
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF

from modmul.moduli import Curve
from modmul.tools.progress import Listener, ignore
from modmul.use.ecc import CurveError, Multiplier, both, check_public, check_secret, hashed_by, times
from modmul.use.points import decoded, encoded

__all__ = [
    "IDENTITY",
    "Agreed",
    "Side",
    "decrypt",
    "digest",
    "encrypt",
    "exchange",
    "joined",
    "parted",
    "sign",
    "signer",
    "verify",
]

IDENTITY = b"1234567812345678"
"""Of those who have no other one (GM/T 0009)."""

HASH = 32
"""Bytes of SM3."""


# --- signatures -------------------------------------------------------------------------------------


def signer(at: Curve, public: tuple[int, int], identity: bytes) -> bytes:
    """Z: the hash of an identity, the curve and a public key (GB/T 32918.2, section 5.5).

    Raises:
        CurveError: the identity is longer than 8,191 bytes.
    """
    if len(identity) >> 13:
        raise CurveError("an identity has up to 8,191 bytes")
    numbers = b"".join(each.to_bytes(at.bytes) for each in (at.a, at.b, *at.base, *public))
    return hashed_by("sm3", (8 * len(identity)).to_bytes(2) + identity + numbers)


def digest(at: Curve, public: tuple[int, int], message: bytes, identity: bytes) -> int:
    """The digest by SM3 of the signer and a message (GB/T 32918.2, sections 5.5 and 6.1)."""
    return int.from_bytes(hashed_by("sm3", signer(at, public, identity) + message))


def sign(
    at: Curve,
    secret: int,
    message: bytes,
    multiply: Multiplier,
    *,
    identity: bytes = IDENTITY,
    nonce: int | None = None,
    listener: Listener = ignore,
) -> tuple[int, int]:
    """The signature r, s of SM2 (GB/T 32918.2, section 6.1); the first of two products is the public key.

    Args:
        identity: of the signer, up to 8,191 bytes.
        nonce: k, 1 to n - 1; only tests with known answers give it.

    Raises:
        CurveError: the private key is out of range or n - 1, or the identity is too long.
        VerificationError: the hardware is wrong.
    """
    check_secret(at, secret)
    n = at.order
    if secret == n - 1:
        raise CurveError("a private key of SM2 is not n-1")
    public = times(multiply, at, secret, at.base, listener)
    e = digest(at, public, message, identity)
    while True:
        k = nonce or 1 + randbelow(n - 1)
        x, _ = times(multiply, at, k, at.base, listener)
        r = (e + x) % n
        s = pow(1 + secret, -1, n) * (k - r * secret) % n
        if r and (r + k) % n and s:
            return r, s
        nonce = None


def verify(
    at: Curve,
    public: tuple[int, int],
    message: bytes,
    signature: tuple[int, int],
    multiply: Multiplier,
    *,
    identity: bytes = IDENTITY,
    listener: Listener = ignore,
) -> bool:
    """Whether a signature r, s of SM2 is that of a message (GB/T 32918.2, section 7.1).

    Raises:
        CurveError: the public key is not in the group.
        VerificationError: the hardware is wrong.
    """
    check_public(at, public)
    (r, s), n = signature, at.order
    if not (0 < r < n and 0 < s < n) or not (r + s) % n:
        return False
    point = both(at, s, (r + s) % n, public, multiply, listener)
    return point is not None and (digest(at, public, message, identity) + point[0]) % n == r


# --- encryption -------------------------------------------------------------------------------------


def _stream(at: Curve, point: tuple[int, int], length: int, names: bytes = b"") -> bytes:
    """Bytes from a point (section 5.4.3 of part 4), by a function that is that of ANSI X9.63."""
    return X963KDF(algorithm=SM3(), length=length, sharedinfo=None).derive(encoded(at, point)[1:] + names)


def encrypt(
    at: Curve,
    public: tuple[int, int],
    message: bytes,
    multiply: Multiplier,
    *,
    nonce: int | None = None,
    listener: Listener = ignore,
) -> tuple[tuple[int, int], bytes, bytes]:
    """A message for the owner of a public key (GB/T 32918.4, section 6.1), in two products of points.

    Args:
        message: a byte or more.
        nonce: k, 1 to n - 1; only tests with known answers give it.

    Returns:
        The point C1, the hash C3 and the message C2, in the order of the standard's encoding.

    Raises:
        CurveError: the public key is not in the group, or the message is empty.
        VerificationError: the hardware is wrong.
    """
    check_public(at, public)
    if not message:
        raise CurveError("an empty message cannot be encrypted by SM2")
    while True:
        k = nonce or 1 + randbelow(at.order - 1)
        start = times(multiply, at, k, at.base, listener)
        shared = times(multiply, at, k, public, listener)
        mask = _stream(at, shared, len(message))
        if any(mask):
            return start, _mark(at, shared, message), _masked(message, mask)
        nonce = None


def decrypt(
    at: Curve,
    secret: int,
    start: tuple[int, int],
    mark: bytes,
    hidden: bytes,
    multiply: Multiplier,
    *,
    listener: Listener = ignore,
) -> bytes:
    """The message in C1, C3 and C2 (GB/T 32918.4, section 7.1).

    Raises:
        CurveError: the private key is out of range, C1 is no point of the group, or the message is not for
            this key, or changed.
        VerificationError: the hardware is wrong.
    """
    check_secret(at, secret)
    check_public(at, start)
    shared = times(multiply, at, secret, start, listener)
    mask = _stream(at, shared, len(hidden)) if hidden else b""
    message = _masked(hidden, mask)
    if not any(mask) or not hmac.compare_digest(_mark(at, shared, message), mark):
        raise CurveError("this was not encrypted for this key, or has been changed")
    return message


def _mark(at: Curve, shared: tuple[int, int], message: bytes) -> bytes:
    """C3."""
    known = encoded(at, shared)
    return hashed_by("sm3", known[1 : at.bytes + 1] + message + known[at.bytes + 1 :])


def _masked(message: bytes, mask: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(message, mask, strict=True))


def joined(at: Curve, start: tuple[int, int], mark: bytes, hidden: bytes) -> bytes:
    """C1, C3 and C2 one behind the other."""
    return encoded(at, start) + mark + hidden


def parted(at: Curve, data: bytes) -> tuple[tuple[int, int], bytes, bytes]:
    """C1, C3 and C2 of what :func:`joined` gives; C1 may be compressed.

    Raises:
        CurveError: it is too short, or C1 is no point of the curve.
    """
    end = 2 * at.bytes + 1 if data[:1] == b"\4" else at.bytes + 1
    if len(data) <= end + HASH:
        raise CurveError("this is too short for what SM2 encrypts")
    return decoded(at, data[:end]), data[end : end + HASH], data[end + HASH :]


# --- key exchange -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Side:
    """One of the two who agree, as the other one knows them.

    Attributes:
        public: the public key.
        once: that of the key pair that is made for this time alone.
        identity: by name.
    """

    public: tuple[int, int]
    once: tuple[int, int]
    identity: bytes = IDENTITY


@dataclass(frozen=True)
class Agreed:
    """What an exchange gives.

    Attributes:
        key: the bytes that both have.
        first: S_A, which the one who began may send to show that it has the key.
        second: S_B, the other one's.
    """

    key: bytes
    first: bytes
    second: bytes


def exchange(
    at: Curve,
    secrets: tuple[int, int],
    own: Side,
    peer: Side,
    multiply: Multiplier,
    *,
    begins: bool,
    length: int = 16,
    listener: Listener = ignore,
) -> Agreed:
    """A key exchange by SM2 (GB/T 32918.3, section 6.1), in two products of points.

    Args:
        secrets: the private key, and that of the pair made for this time.
        begins: whether this is the one who begins, A of the standard.
        length: bytes of the key.

    Raises:
        CurveError: a private key is out of range, or a public one not in the group.
        VerificationError: the hardware is wrong.
    """
    for secret in secrets:
        check_secret(at, secret)
    for public in (own.public, own.once, peer.public, peer.once):
        check_public(at, public)
    half = 1 << (at.order.bit_length() + 1) // 2 - 1
    own_x, peer_x = (half + each.once[0] % half for each in (own, peer))
    t = (secrets[0] + own_x * secrets[1]) % at.order
    other = at.add(peer.public, times(multiply, at, peer_x, peer.once, listener))
    if not t or other is None:
        raise CurveError("nothing can be agreed on with these keys; make new ones for this time")
    shared = times(multiply, at, at.cofactor * t, other, listener)
    first, second = (own, peer) if begins else (peer, own)
    names = b"".join(signer(at, each.public, each.identity) for each in (first, second))
    x, y = (each.to_bytes(at.bytes) for each in shared)
    points = b"".join(encoded(at, each.once)[1:] for each in (first, second))
    inner = hashed_by("sm3", x + names + points)
    marks = (hashed_by("sm3", each + y + inner) for each in (b"\3", b"\2"))
    return Agreed(_stream(at, shared, length, names), *marks)
