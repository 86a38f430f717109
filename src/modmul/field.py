# SPDX-License-Identifier: Apache-2.0
"""A modulus by name, by number, or from a PEM file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

__all__ = ["NAMED", "Modulus", "ModulusError", "modulus"]

PRIME_FIELD = "GF(p)"


class ModulusError(ValueError):
    """Text that is no modulus; the message says what would be."""


@dataclass(frozen=True)
class Modulus:
    """A modulus and where it comes from.

    Attributes:
        name: short, for tables and file names.
        value: the modulus, at least 1; for a binary field its polynomial, bit i the coefficient of x^i.
        field: ``"GF(p)"``: arithmetic of integers, whether or not the modulus is prime.
        source: one line for people.
    """

    name: str
    value: int
    field: str = PRIME_FIELD
    source: str = ""

    @property
    def bits(self) -> int:
        """Length of the modulus in bits."""
        return self.value.bit_length()


_BLS_X = -0xD201000000010000
"""The parameter x of BLS12-381; r = x^4 - x^2 + 1 and p = (x - 1)^2 r / 3 + x."""
_BN_X = 4965661367192848881
"""The parameter x of BN254 (alt_bn128); p = 36x^4 + 36x^3 + 24x^2 + 6x + 1, r = p - 6x^2."""
_BLS_R = _BLS_X**4 - _BLS_X**2 + 1
_BN_P = 36 * _BN_X**4 + 36 * _BN_X**3 + 24 * _BN_X**2 + 6 * _BN_X + 1
_P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1

_PRIMES: tuple[tuple[str, int, str], ...] = (
    ("p192", 2**192 - 2**64 - 1, "NIST P-192, field prime"),
    ("p224", 2**224 - 2**96 + 1, "NIST P-224, field prime"),
    ("p256", _P256, "NIST P-256, field prime"),
    (
        "p256-order",
        0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
        "NIST P-256, group order",
    ),
    ("p384", 2**384 - 2**128 - 2**96 + 2**32 - 1, "NIST P-384, field prime"),
    ("p521", 2**521 - 1, "NIST P-521, field prime"),
    ("secp256k1", 2**256 - 2**32 - 977, "secp256k1, field prime"),
    (
        "secp256k1-order",
        0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
        "secp256k1, group order",
    ),
    ("sm2", 2**256 - 2**224 - 2**96 + 2**64 - 1, "SM2 recommended curve, field prime"),
    (
        "sm2-order",
        0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123,
        "SM2 recommended curve, group order",
    ),
    ("curve25519", 2**255 - 19, "Curve25519 and Ed25519, field prime"),
    ("ed25519-order", 2**252 + 27742317777372353535851937790883648493, "Ed25519, group order"),
    ("curve448", 2**448 - 2**224 - 1, "Curve448, field prime"),
    ("bls12-381-fp", (_BLS_X - 1) ** 2 * _BLS_R // 3 + _BLS_X, "BLS12-381, field prime"),
    ("bls12-381-fr", _BLS_R, "BLS12-381, group order"),
    ("bn254-fp", _BN_P, "BN254 (alt_bn128), field prime"),
    ("bn254-fr", _BN_P - 6 * _BN_X**2, "BN254 (alt_bn128), group order"),
    ("goldilocks", 2**64 - 2**32 + 1, "the Goldilocks prime"),
)

NAMED: Mapping[str, Modulus] = MappingProxyType(
    {name: Modulus(name, value, source=source) for name, value, source in _PRIMES}
)
"""The moduli that have a name."""

_CURVES = {
    "secp192r1": "p192",
    "secp224r1": "p224",
    "secp256r1": "p256",
    "secp384r1": "p384",
    "secp521r1": "p521",
    "secp256k1": "secp256k1",
}
"""Field prime of a key's curve, by the curve name of the cryptography library."""


def modulus(text: str) -> Modulus:
    """The modulus that a text means.

    Args:
        text: a name of :data:`NAMED` (``p256``), a number (decimal, or ``0x`` and hexadecimal digits,
            ``_`` allowed between digits), or the path of a PEM or DER file with an RSA key (its public
            modulus), an elliptic-curve key (its curve's field prime) or a certificate of either.

    Raises:
        ModulusError: the text is none of these, or the number is not positive; the message says why.
    """
    text = text.strip()
    if text.lower() in NAMED:
        return NAMED[text.lower()]
    if re.fullmatch(r"[+-]?(0[xX][0-9a-fA-F_]+|[0-9][0-9_]*)", text):
        return _number(text)
    path = Path(text)
    try:
        path = path.expanduser()
        there = path.is_file()
    except (OSError, RuntimeError):  # too long a name, or the home of nobody
        there = False
    if there:
        return _from_file(path)
    if path.suffix in {".pem", ".der", ".key", ".crt", ".cer"} or path.parent != Path():
        raise ModulusError(f"no file {text!r}")
    near = get_close_matches(text.lower(), NAMED, n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(near)}?" if near else "'modmul list --moduli' shows the names"
    raise ModulusError(f"{text!r} is no modulus: not a name, a number (decimal or 0x…) or a key file; {hint}")


def _number(text: str) -> Modulus:
    if "__" in text or text.endswith("_"):
        raise ModulusError(f"{text!r} is not a number")
    try:
        # Decimal, since int() refuses text of more than a few thousand digits.
        value = int(text, 0) if "x" in text.lower() else int(Decimal(text))
    except (ValueError, InvalidOperation) as error:
        raise ModulusError(f"{text!r} is not a number") from error
    if value < 1:
        raise ModulusError(f"the modulus must be positive, got {text}")
    name = text if len(text) <= 20 else f"{hex(value)[:10]}…({value.bit_length()} bits)"
    return Modulus(name, value, source="given as a number")


def _from_file(path: Path) -> Modulus:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModulusError(f"cannot read {path}: {error.strerror}") from error
    key = _key(path, data)
    if isinstance(key, rsa.RSAPrivateKey):
        key = key.public_key()
    if isinstance(key, rsa.RSAPublicKey):
        return Modulus(path.name, key.public_numbers().n, source=f"RSA modulus of {path.name}")
    if isinstance(key, ec.EllipticCurvePrivateKey):
        key = key.public_key()
    if isinstance(key, ec.EllipticCurvePublicKey):
        name = _CURVES.get(key.curve.name)
        if name is None:
            raise ModulusError(f"{path}: keys of the curve {key.curve.name} are not known; give its prime")
        return NAMED[name]
    raise ModulusError(f"{path}: {type(key).__name__} has no modulus; an RSA or elliptic-curve key has")


def _key(path: Path, data: bytes) -> object:
    """The private key, public key or certificate in a file, PEM or DER."""
    readers: list[Callable[[bytes], object]]
    if b"-----BEGIN " not in data:
        readers = [_der_private_key, serialization.load_der_public_key, _der_certificate]
    elif b"CERTIFICATE-----" in data:
        readers = [_pem_certificate]
    elif b"PRIVATE KEY-----" in data:
        readers = [_pem_private_key]
    else:
        readers = [serialization.load_pem_public_key]
    for reader in readers:
        try:
            return reader(data)
        except TypeError as error:
            raise ModulusError(f"{path} is encrypted; give the public key instead") from error
        except (ValueError, UnsupportedAlgorithm):
            continue
    raise ModulusError(f"{path} holds no key or certificate that can be read")


def _pem_private_key(data: bytes) -> object:
    return serialization.load_pem_private_key(data, password=None)


def _der_private_key(data: bytes) -> object:
    return serialization.load_der_private_key(data, password=None)


def _pem_certificate(data: bytes) -> object:
    return x509.load_pem_x509_certificate(data).public_key()


def _der_certificate(data: bytes) -> object:
    return x509.load_der_x509_certificate(data).public_key()
