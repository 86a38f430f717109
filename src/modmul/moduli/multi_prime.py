# SPDX-License-Identifier: Apache-2.0
"""RSA keys of more than two primes (RFC 8017, A.1.2), which the cryptography library does not read."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass
from math import lcm, prod

from cryptography.hazmat import asn1
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

__all__ = ["MultiPrimeKey", "multi_prime_key"]


@dataclass(frozen=True)
class MultiPrimeKey:
    """A private RSA key of three primes or more, with what the cryptography library's keys do.

    Attributes:
        primes: odd, no two with a common factor. That they are prime is not checked.
        e: the public exponent.
        d: the private one.
    """

    primes: tuple[int, ...]
    e: int
    d: int

    @property
    def public_numbers(self) -> rsa.RSAPublicNumbers:
        return rsa.RSAPublicNumbers(self.e, prod(self.primes))

    @property
    def key_size(self) -> int:
        """Bits of the modulus."""
        return self.public_numbers.n.bit_length()

    def public_key(self) -> rsa.RSAPublicKey:
        return self.public_numbers.public_key()

    def private_numbers(self) -> MultiPrimeKey:
        """The key itself, which has ``d``, ``public_numbers`` and ``primes``."""
        return self

    def sign(self, message: bytes, scheme: padding.AsymmetricPadding, digest: hashes.HashAlgorithm) -> bytes:
        """The signature of a message."""
        return self._of_two_factors().sign(message, scheme, digest)

    def decrypt(self, ciphertext: bytes, scheme: padding.AsymmetricPadding) -> bytes:
        """The message in a ciphertext; ValueError: it is none."""
        return self._of_two_factors().decrypt(ciphertext, scheme)

    def _of_two_factors(self) -> rsa.RSAPrivateKey:
        """The library's key, with all primes but the last as one factor."""
        *others, q = self.primes
        p = prod(others)
        dmp1 = self.d % lcm(*(prime - 1 for prime in others))
        numbers = rsa.RSAPrivateNumbers(
            p, q, self.d, dmp1, self.d % (q - 1), pow(q, -1, p), self.public_numbers
        )
        return numbers.private_key(unsafe_skip_rsa_key_validation=True)


@asn1.sequence
class _OtherPrime:
    prime: int
    exponent: int
    coefficient: int


@asn1.sequence
class _PrivateKey:
    version: int
    modulus: int
    e: int
    d: int
    p: int
    q: int
    dp: int
    dq: int
    coefficient: int
    others: list[_OtherPrime]


@asn1.sequence
class _PrivateKeyInfo:
    """PKCS#8."""

    version: int
    algorithm: asn1.TLV
    key: bytes


def multi_prime_key(data: bytes) -> MultiPrimeKey:
    """The private key of more than two primes in a file that is not encrypted: PEM or DER, PKCS#1 or PKCS#8.

    Raises:
        ValueError: there is none; or, beginning with "Invalid private key", its numbers are wrong.
    """
    if match := re.search(rb"-----BEGIN (?:RSA )?PRIVATE KEY-----([^-]*)-----END ", data):
        data = b64decode(match[1])
    try:
        key = asn1.decode_der(_PrivateKey, data)
    except ValueError:
        key = asn1.decode_der(_PrivateKey, asn1.decode_der(_PrivateKeyInfo, data).key)
    rest = key.others
    primes = (key.p, key.q, *(each.prime for each in rest))
    if any(prime < 3 or prime % 2 == 0 for prime in primes):
        raise ValueError("Invalid private key: it has a prime that is none")
    exponents = (key.dp, key.dq, *(each.exponent for each in rest))
    inverses = [(key.coefficient, key.q, key.p)]  # each modulo a prime: that of the product of those before
    inverses += [(each.coefficient, prod(primes[:at]), each.prime) for at, each in enumerate(rest, 2)]
    right = (
        key.version == 1
        and bool(rest)
        and prod(primes) == key.modulus
        and all(key.e * key.d % (prime - 1) == 1 for prime in primes)
        and all(key.d % (prime - 1) == exponent for prime, exponent in zip(primes, exponents, strict=True))
        and all(inverse * number % prime == 1 for inverse, number, prime in inverses)
    )
    if not right:
        raise ValueError("Invalid private key: its numbers do not belong together")
    return MultiPrimeKey(primes, key.e, key.d)
