# SPDX-License-Identifier: Apache-2.0
"""A modulus by name, by number, as a polynomial, or from a key file."""

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

from modmul.core import BINARY_FIELD, PRIME_FIELD, Polynomial, operand_length

__all__ = ["ALIASES", "NAMED", "Modulus", "ModulusError", "modulus"]

MAX_DEGREE = 100_000
"""Of a polynomial given as text: far above any hardware, and quick to write down."""


class ModulusError(ValueError):
    """Text that is no modulus; the message says what would be."""


@dataclass(frozen=True)
class Modulus:
    """A modulus and where it comes from.

    Attributes:
        name: short, for tables and file names.
        value: the modulus, at least 1; for a binary field a :class:`~modmul.core.Polynomial`.
        field: ``"GF(p)"``, arithmetic of integers, whether or not the modulus is prime; or
            ``"GF(2^m)"``, arithmetic of polynomials over GF(2), whether or not it is irreducible.
        source: one line for people.
    """

    name: str
    value: int
    field: str = PRIME_FIELD
    source: str = ""

    @property
    def bits(self) -> int:
        """Bits of an operand: the length of the modulus, or the degree of a polynomial."""
        return operand_length(self.value)


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

_POLYNOMIALS: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("b163", (163, 7, 6, 3, 0), "NIST B-163 and K-163"),
    ("b233", (233, 74, 0), "NIST B-233 and K-233"),
    ("b283", (283, 12, 7, 5, 0), "NIST B-283 and K-283"),
    ("b409", (409, 87, 0), "NIST B-409 and K-409"),
    ("b571", (571, 10, 5, 2, 0), "NIST B-571 and K-571"),
    ("sm2-binary", (257, 12, 0), "SM2 example curve over GF(2^257)"),
)
"""Name, powers of x, curves."""


def _binary(name: str, powers: tuple[int, ...], curves: str) -> Modulus:
    value = Polynomial(sum(1 << power for power in powers))
    return Modulus(name, value, BINARY_FIELD, f"{curves}, field polynomial {value.text}")


NAMED: Mapping[str, Modulus] = MappingProxyType(
    {name: Modulus(name, value, source=source) for name, value, source in _PRIMES}
    | {entry[0]: _binary(*entry) for entry in _POLYNOMIALS}
)
"""The moduli that have a name."""

ALIASES: Mapping[str, str] = MappingProxyType({f"k{m}": f"b{m}" for m in (163, 233, 283, 409, 571)})
"""Further names: a Koblitz curve and a random one of NIST share the field."""

_CURVES = {
    "secp192r1": "p192",
    "secp224r1": "p224",
    "secp256r1": "p256",
    "secp384r1": "p384",
    "secp521r1": "p521",
    "secp256k1": "secp256k1",
    **{f"sect163{kind}": "b163" for kind in ("k1", "r1", "r2")},
    **{f"sect{m}{kind}": f"b{m}" for m in (233, 283, 409, 571) for kind in ("k1", "r1")},
}
"""Field of a key's curve, by the curve name of the cryptography library."""

_OIDS = {
    **dict.fromkeys(("1.3.132.0.1", "1.3.132.0.2", "1.3.132.0.15"), "b163"),
    **dict.fromkeys(("1.3.132.0.26", "1.3.132.0.27"), "b233"),
    **dict.fromkeys(("1.3.132.0.16", "1.3.132.0.17"), "b283"),
    **dict.fromkeys(("1.3.132.0.36", "1.3.132.0.37"), "b409"),
    **dict.fromkeys(("1.3.132.0.38", "1.3.132.0.39"), "b571"),
}
"""The same by object identifier, of curves that the cryptography library no longer reads, but names."""


def modulus(text: str) -> Modulus:
    """The modulus that a text means.

    Args:
        text: a name of :data:`NAMED` or :data:`ALIASES` (``p256``, ``b163``), a number (decimal, or ``0x``
            and hexadecimal digits, ``_`` allowed between digits), a polynomial over GF(2)
            (``x^163+x^7+x^6+x^3+1``), or the path of a PEM or DER file with an RSA key (its public
            modulus), an elliptic-curve key (the field prime or polynomial of its curve) or a certificate
            of either.

    Raises:
        ModulusError: the text is none of these, the number is not positive, or a power of x comes twice;
            the message says why.
    """
    text = text.strip()
    name = ALIASES.get(text.lower(), text.lower())
    if name in NAMED:
        return NAMED[name]
    if re.fullmatch(r"[+-]?(0[xX][0-9a-fA-F_]+|[0-9][0-9_]*)", text):
        return _number(text)
    if re.fullmatch(r"[0-9xX^+*\s-]*", text) and re.search(r"[xX]\s*[\^+]|\+\s*[xX]|^[xX]$", text):
        return _polynomial(text)
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
    near = get_close_matches(text.lower(), [*NAMED, *ALIASES], n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(near)}?" if near else "'modmul list --moduli' shows the names"
    raise ModulusError(
        f"{text!r} is no modulus: not a name, a number (decimal or 0x…), a polynomial (x^8+x^4+x^3+x+1) "
        f"or a key file; {hint}"
    )


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


def _polynomial(text: str) -> Modulus:
    powers: set[int] = set()
    for term in map(str.strip, text.split("+")):
        match = re.fullmatch(r"1|[xX]\s*(?:\^\s*([0-9]{1,9}))?", term)
        if match is None:
            raise ModulusError(
                f"{term!r} is no term of a polynomial over GF(2), which is a sum of powers of x: x^163+x^7+1"
            )
        power = 0 if term == "1" else int(match[1] or 1)
        if power > MAX_DEGREE:
            raise ModulusError(f"the degree {power} of the polynomial is above {MAX_DEGREE}")
        if power in powers:
            raise ModulusError(f"{term} comes twice in the polynomial; over GF(2) the two cancel")
        powers.add(power)
    value = Polynomial(sum(1 << power for power in powers))
    name = value.text if len(value.text) <= 20 else f"x^{value.degree}+…({value.bit_count()} terms)"
    return Modulus(name, value, BINARY_FIELD, "given as a polynomial")


def _from_file(path: Path) -> Modulus:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModulusError(f"cannot read {path}: {error.strerror}") from error
    key = _key(path, data)
    if isinstance(key, Modulus):
        return key
    if isinstance(key, rsa.RSAPrivateKey):
        key = key.public_key()
    if isinstance(key, rsa.RSAPublicKey):
        return Modulus(path.name, key.public_numbers().n, source=f"RSA modulus of {path.name}")
    if isinstance(key, ec.EllipticCurvePrivateKey):
        key = key.public_key()
    if isinstance(key, ec.EllipticCurvePublicKey):
        name = _CURVES.get(key.curve.name)
        if name is None:
            raise ModulusError(f"{path}: keys of the curve {key.curve.name} are not known; give its modulus")
        return NAMED[name]
    raise ModulusError(f"{path}: {type(key).__name__} has no modulus; an RSA or elliptic-curve key has")


def _key(path: Path, data: bytes) -> object:
    """The private key, public key or certificate in a file, PEM or DER; of an old curve, its field."""
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
        except UnsupportedAlgorithm as error:
            for oid in re.findall(r"\d+(?:\.\d+)+", str(error)):
                if oid in _OIDS:
                    return NAMED[_OIDS[oid]]
        except ValueError:
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
