# SPDX-License-Identifier: Apache-2.0
"""Signatures by Ed25519 and Ed448, without a context (RFC 8032), with point multiplications in hardware."""

from __future__ import annotations

import hashlib

from modmul.moduli import Curve, curve
from modmul.tools.progress import Listener, ignore
from modmul.use.ecc import CurveError, Multiplier, both, times

__all__ = ["public_key", "sign", "verify"]


def _ed(name: str) -> Curve:
    if name not in ("ed25519", "ed448"):
        raise CurveError(f"{name} is neither ed25519 nor ed448")
    return curve(name)


def _expand(at: Curve, secret: bytes) -> tuple[int, bytes]:
    """The scalar and the prefix of a private key (RFC 8032, sections 5.1.5 and 5.2.5)."""
    size = at.bits // 8 + 1
    if len(secret) != size:
        raise CurveError(f"private keys of {at.name} have {size} bytes")
    hashed = _wide(at, secret)
    scalar = int.from_bytes(hashed[:size], "little") & -at.cofactor & (1 << at.bits - 1) - 1
    return scalar | 1 << at.bits - 1, hashed[size:]


def _wide(at: Curve, data: bytes) -> bytes:
    """The hash of twice the length of a key."""
    return hashlib.sha512(data).digest() if at.name == "ed25519" else hashlib.shake_256(data).digest(114)


def _challenge(at: Curve, *parts: bytes) -> int:
    mark = b"" if at.name == "ed25519" else b"SigEd448\0\0"
    return int.from_bytes(_wide(at, mark + b"".join(parts)), "little") % at.order


def _encoded(at: Curve, point: tuple[int, int]) -> bytes:
    size = at.bits // 8 + 1
    return (point[1] | (point[0] & 1) << 8 * size - 1).to_bytes(size, "little")


def _decoded(at: Curve, data: bytes) -> tuple[int, int] | None:
    """The point of an encoding (RFC 8032, sections 5.1.3 and 5.2.3); ``None``: it is none."""
    size, m = at.bits // 8 + 1, at.modulus
    if len(data) != size:
        return None
    value = int.from_bytes(data, "little")
    y, odd = value % (1 << 8 * size - 1), value >> 8 * size - 1
    if y >= m:
        return None
    square = (1 - y * y) * pow(at.a - at.b * y * y, -1, m) % m
    x = pow(square, (m + 1) // 4 if m % 4 == 3 else (m + 3) // 8, m)
    if (x * x - square) % m:
        x = x * pow(2, (m - 1) // 4, m) % m
    if (x * x - square) % m or (odd and not x):
        return None
    return (m - x if x % 2 != odd else x), y


def public_key(name: str, secret: bytes, multiply: Multiplier, *, listener: Listener = ignore) -> bytes:
    """The public key of a private one of Ed25519 or Ed448.

    Raises:
        CurveError: there is no such scheme, or the key has another length.
        VerificationError: the hardware is wrong.
    """
    at = _ed(name)
    return _encoded(at, times(multiply, at, _expand(at, secret)[0], at.base, listener))


def sign(
    name: str,
    secret: bytes,
    message: bytes,
    multiply: Multiplier,
    *,
    public: bytes | None = None,
    listener: Listener = ignore,
) -> bytes:
    """The signature of a message by Ed25519 or Ed448, without a context (RFC 8032).

    Args:
        secret: the private key, 32 or 57 bytes.
        public: its public key; where it is not given, the hardware computes it.

    Raises:
        CurveError: there is no such scheme, or the key has another length.
        VerificationError: the hardware is wrong.
    """
    at = _ed(name)
    scalar, prefix = _expand(at, secret)
    known = public or public_key(name, secret, multiply, listener=listener)
    r = _challenge(at, prefix, message)
    point = _encoded(at, times(multiply, at, r, at.base, listener))
    s = (r + _challenge(at, point, known, message) * scalar) % at.order
    return point + s.to_bytes(len(point), "little")


def verify(
    name: str,
    public: bytes,
    message: bytes,
    signature: bytes,
    multiply: Multiplier,
    *,
    listener: Listener = ignore,
) -> bool:
    """Whether a signature by Ed25519 or Ed448 is that of a message: S B = R + k A, without the cofactor.

    Raises:
        CurveError: there is no such scheme, or the public key is no point.
        VerificationError: the hardware is wrong.
    """
    at = _ed(name)
    size = at.bits // 8 + 1
    key = _decoded(at, public)
    if key is None:
        raise CurveError(f"the public key is no point of {name}")
    point = _decoded(at, signature[:size])
    s = int.from_bytes(signature[size:], "little")
    if len(signature) != 2 * size or point is None or s >= at.order:
        return False
    k = _challenge(at, signature[:size], public, message)
    minus = at.negative(key)
    assert minus
    return both(at, s, k, minus, multiply, listener) == point
