# SPDX-License-Identifier: Apache-2.0
"""Key files of curves that the cryptography library does not know: SM2, and those over GF(2^m).

The structures are those of RFC 5280, 5915 and 5958, encoded by the library. Encrypted keys and
certificates of these curves are not read.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from cryptography.hazmat import asn1
from cryptography.x509 import ObjectIdentifier

from modmul.moduli import CURVES, Curve
from modmul.moduli.curves import OIDS
from modmul.use.ecc import CurveError
from modmul.use.points import decoded, encoded

__all__ = [
    "PRIVATE",
    "PUBLIC",
    "OtherPrivateKey",
    "OtherPublicKey",
    "compressing",
    "enveloped",
    "opened",
    "pem",
    "read",
    "written",
]

PUBLIC, PRIVATE = "PUBLIC KEY", "PRIVATE KEY"
"""What PEM calls them."""

_EC = ObjectIdentifier("1.2.840.10045.2.1")


@dataclass(frozen=True)
class OtherPublicKey:
    """A point of such a curve."""

    curve: Curve
    point: tuple[int, int]


@dataclass(frozen=True)
class OtherPrivateKey:
    """A number of 1 … n-1 with its point."""

    curve: Curve
    secret: int
    point: tuple[int, int]

    def public_key(self) -> OtherPublicKey:
        """The point alone."""
        return OtherPublicKey(self.curve, self.point)


# --- what is in the files ---------------------------------------------------------------------------


@asn1.sequence
class _Algorithm:
    algorithm: ObjectIdentifier
    curve: ObjectIdentifier


@asn1.sequence
class _Public:
    algorithm: _Algorithm
    point: asn1.BitString


@asn1.sequence
class _Private:
    version: int
    algorithm: _Algorithm
    key: bytes


@asn1.sequence
class _Encrypted:
    x: int
    y: int
    mark: bytes
    hidden: bytes


@asn1.sequence
class _EcPrivate:
    version: int
    secret: bytes
    curve: Annotated[ObjectIdentifier | None, asn1.Explicit(0)]
    point: Annotated[asn1.BitString | None, asn1.Explicit(1)]


def _oid(at: Curve) -> ObjectIdentifier:
    for oid, name in OIDS.items():
        if name == at.name:
            return ObjectIdentifier(oid)
    raise CurveError(f"there is no name for {at.name} in key files; from Python it works")


def pem(label: str, data: bytes) -> bytes:
    """DER in PEM."""
    text = base64.b64encode(data).decode()
    lines = (text[at : at + 64] for at in range(0, len(text), 64))
    return "\n".join((f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", "")).encode()


def written(key: OtherPrivateKey | OtherPublicKey) -> bytes:
    """A key in DER: PKCS #8, or the SubjectPublicKeyInfo.

    Raises:
        CurveError: the curve has no name in key files.
    """
    algorithm = _Algorithm(algorithm=_EC, curve=_oid(key.curve))
    bits = asn1.BitString(data=encoded(key.curve, key.point), padding_bits=0)
    if isinstance(key, OtherPublicKey):
        return asn1.encode_der(_Public(algorithm=algorithm, point=bits))
    length = -(-key.curve.order.bit_length() // 8)
    inner = _EcPrivate(version=1, secret=key.secret.to_bytes(length), curve=None, point=bits)
    return asn1.encode_der(_Private(version=0, algorithm=algorithm, key=asn1.encode_der(inner)))


def compressing(at: Curve, data: bytes) -> bytes:
    """The SubjectPublicKeyInfo of a Weierstrass or binary curve with its point compressed.

    Raises:
        CurveError: it is that of another curve.
    """
    found = asn1.decode_der(_Public, data)
    point = encoded(at, decoded(at, found.point.as_bytes()), compressed=True)
    bits = asn1.BitString(data=point, padding_bits=0)
    return asn1.encode_der(_Public(algorithm=found.algorithm, point=bits))


def enveloped(start: tuple[int, int], mark: bytes, hidden: bytes) -> bytes:
    """What SM2 encrypts, C1, C3 and C2, in DER (GM/T 0009), as OpenSSL has it."""
    return asn1.encode_der(_Encrypted(x=start[0], y=start[1], mark=mark, hidden=hidden))


def opened(data: bytes) -> tuple[tuple[int, int], bytes, bytes]:
    """C1, C3 and C2 of that.

    Raises:
        CurveError: it is none.
    """
    try:
        found = asn1.decode_der(_Encrypted, data)
    except ValueError as error:
        raise CurveError("this is not what SM2 encrypts, neither DER nor C1, C3, C2") from error
    return (found.x, found.y), found.mark, found.hidden


# --- reading ----------------------------------------------------------------------------------------


def read(data: bytes) -> OtherPrivateKey | OtherPublicKey | None:
    """The key in a file, PEM or DER; ``None``: there is none of these curves.

    Raises:
        CurveError: it is one, and damaged.
    """
    for label, body in _bodies(data):
        for taken, reader in _READERS:
            if label in ("", *taken):
                try:
                    return reader(body)
                except ValueError as error:
                    if isinstance(error, CurveError):
                        raise
    return None


def _bodies(data: bytes) -> list[tuple[str, bytes]]:
    """Labels and contents of PEM; DER as it is, without a label."""
    if b"-----BEGIN " not in data:
        return [("", data)]
    found = []
    for label, text in re.findall(rb"-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----", data):
        with suppress(ValueError):  # letters of base64 that are none together
            found.append((label.decode(), base64.b64decode(text)))
    return found


def _curve(oid: ObjectIdentifier | None) -> Curve:
    if oid is None or oid.dotted_string not in OIDS:
        raise ValueError("another curve")
    return CURVES[OIDS[oid.dotted_string]]


def _public(data: bytes) -> OtherPublicKey:
    found = asn1.decode_der(_Public, data)
    at = _curve(found.algorithm.curve)
    return OtherPublicKey(at, decoded(at, found.point.as_bytes()))


def _pkcs8(data: bytes) -> OtherPrivateKey:
    found = asn1.decode_der(_Private, data)
    at = _curve(found.algorithm.curve)
    return _made(at, asn1.decode_der(_EcPrivate, found.key))


def _sec1(data: bytes) -> OtherPrivateKey:
    found = asn1.decode_der(_EcPrivate, data)
    return _made(_curve(found.curve), found)


def _made(at: Curve, found: _EcPrivate) -> OtherPrivateKey:
    secret = int.from_bytes(found.secret)
    if not 0 < secret < at.order:
        raise CurveError(f"a private key of {at.name} lies in 1 … n-1, n the order of its group")
    point = at.multiply(secret, at.base)
    assert point
    if found.point and decoded(at, found.point.as_bytes()) != point:
        raise CurveError("the public key in the file is not that of the private one")
    return OtherPrivateKey(at, secret, point)


_READERS: tuple[tuple[tuple[str, ...], Callable[[bytes], OtherPrivateKey | OtherPublicKey]], ...] = (
    ((PUBLIC,), _public),
    ((PRIVATE,), _pkcs8),
    (("EC PRIVATE KEY", "SM2 PRIVATE KEY"), _sec1),
)
"""What PEM calls a key, and what reads it."""
