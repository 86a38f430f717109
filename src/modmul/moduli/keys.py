# SPDX-License-Identifier: Apache-2.0
"""The modulus of a key file: RSA keys, elliptic-curve keys and certificates of either, PEM or DER."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from modmul.core import RsaKey
from modmul.moduli.base import Modulus, ModulusError, printable
from modmul.moduli.curves import CURVES, OIDS
from modmul.moduli.multi_prime import MultiPrimeKey, multi_prime_key
from modmul.moduli.named import NAMED

__all__ = ["from_key", "key_readers", "primes_of", "with_primes"]

_CURVES = {each.other: each.field for each in CURVES.values()} | {"sect163r1": "b163"}
"""Field of a key's curve, by the curve name of the cryptography library."""

_OIDS = {oid: CURVES[name].field for oid, name in OIDS.items()} | {"1.3.132.0.2": "b163"}
"""The same by object identifier, of curves that the cryptography library does not read, but names."""


def from_key(path: Path, data: bytes) -> Modulus:
    """The modulus of an RSA key, of a private one with its primes, or the field of an elliptic-curve key.

    Args:
        path: where the data comes from, for the name and for messages.
        data: what the file holds.

    Raises:
        ModulusError: there is no key or certificate in it, it is encrypted, or it has no modulus.
    """
    key, name = _key(path, data), printable(path.name)
    if isinstance(key, Modulus):
        return key
    if isinstance(key, rsa.RSAPrivateKey | MultiPrimeKey):
        numbers = key.private_numbers()
        with suppress(ValueError):  # primes of different lengths: the modulus alone
            return Modulus(name, with_primes(numbers), source=f"RSA modulus of {name}", secret=True)
        key = key.public_key()
    if isinstance(key, rsa.RSAPublicKey):
        return Modulus(name, key.public_numbers().n, source=f"RSA modulus of {name}")
    if isinstance(key, ec.EllipticCurvePrivateKey):
        key = key.public_key()
    if isinstance(key, ec.EllipticCurvePublicKey):
        field = _CURVES.get(key.curve.name.lower())
        if field is None:
            raise ModulusError(f"{path}: keys of the curve {key.curve.name} are not known; give its modulus")
        return NAMED[field]
    raise ModulusError(f"{path}: {type(key).__name__} has no modulus; an RSA or elliptic-curve key has")


def primes_of(numbers: rsa.RSAPrivateNumbers | MultiPrimeKey) -> tuple[int, ...]:
    """The primes of a private key, in its order."""
    return numbers.primes if isinstance(numbers, MultiPrimeKey) else (numbers.p, numbers.q)


def with_primes(numbers: rsa.RSAPrivateNumbers | MultiPrimeKey) -> RsaKey:
    """The key as systems take it."""
    p, q, *more = primes_of(numbers)
    return RsaKey(p, q, numbers.public_numbers.e, numbers.d, more)


def key_readers(data: bytes, passphrase: bytes | None = None) -> tuple[Callable[[], object], ...]:
    """What may make a private key, public key or certificate of the bytes of a file, in the order to try.

    Args:
        data: PEM or DER.
        passphrase: of the private key. With one, a private key that is not encrypted is refused.

    Returns:
        Functions that give a key of the cryptography library, or a :class:`MultiPrimeKey`. They raise
        ``TypeError`` where a private key is encrypted and there is no passphrase, ``UnsupportedAlgorithm``
        for a kind of key that the library does not know, and ``ValueError`` for everything else that they
        cannot read.
    """
    if b"-----BEGIN " not in data:
        return (
            lambda: serialization.load_der_private_key(data, passphrase),
            lambda: multi_prime_key(data),
            lambda: serialization.load_der_public_key(data),
            lambda: x509.load_der_x509_certificate(data).public_key(),
        )
    if b"CERTIFICATE-----" in data:
        return (lambda: x509.load_pem_x509_certificate(data).public_key(),)
    if b"PRIVATE KEY-----" in data:
        return (
            lambda: serialization.load_pem_private_key(data, passphrase),
            lambda: multi_prime_key(data),
        )
    return (lambda: serialization.load_pem_public_key(data),)


def _key(path: Path, data: bytes) -> object:
    """The private key, public key or certificate in a file, PEM or DER; of an old curve, its field."""
    for reader in key_readers(data):
        try:
            return reader()
        except TypeError as error:
            raise ModulusError(f"{path} is encrypted; give the public key instead") from error
        except UnsupportedAlgorithm as error:
            for oid in re.findall(r"\d+(?:\.\d+)+", str(error)):
                if oid in _OIDS:
                    return NAMED[_OIDS[oid]]
        except ValueError:
            continue
    raise ModulusError(f"{path} holds no key or certificate that can be read")
