# SPDX-License-Identifier: Apache-2.0
"""RSA signatures and decryption around hardware that raises to the private exponent.

Keys, hashing and padding are the cryptography library's, which has no padding apart from keys: it makes the
signature or the message too, and what the hardware gives is held against that. docs/rsa.md says how.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from modmul.moduli.keys import key_readers, primes_of
from modmul.moduli.multi_prime import MultiPrimeKey
from modmul.tools.progress import Listener, ignore
from modmul.use.power import Answer
from modmul.verify.failures import VerificationError

__all__ = [
    "BITS",
    "DECRYPTION_PADDINGS",
    "HASHES",
    "SIGNATURE_PADDINGS",
    "Answer",
    "Engine",
    "Passphrase",
    "Power",
    "PrivateKey",
    "PrivateNumbers",
    "RSAError",
    "Result",
    "check_crt",
    "decrypt",
    "holds",
    "private_key",
    "public_key",
    "sign",
    "verify",
    "verify_on",
]

BITS = range(1024, 4097)
"""Lengths of the moduli that are taken, in bits."""

HASHES: dict[str, type[hashes.HashAlgorithm]] = {
    "sha1": hashes.SHA1,
    "sha224": hashes.SHA224,
    "sha256": hashes.SHA256,
    "sha384": hashes.SHA384,
    "sha512": hashes.SHA512,
}
"""By name. With PSS and OAEP the same one is in the mask generation function, MGF1."""

SIGNATURE_PADDINGS = ("pkcs1", "pss")
DECRYPTION_PADDINGS = ("pkcs1", "oaep")

LARGEST_FILE = 1 << 20
"""Bytes of a file that may hold a key."""


class RSAError(ValueError):
    """A key, message or scheme that is not taken; the message says why, in one line."""


PrivateKey = rsa.RSAPrivateKey | MultiPrimeKey
PrivateNumbers = rsa.RSAPrivateNumbers | MultiPrimeKey
"""Of a private key: ``d`` and ``public_numbers``; for its primes, ``modmul.moduli.keys.primes_of``."""

Engine = Callable[[PrivateNumbers, int, Listener], Answer]
"""Hardware for one length of modulus: the numbers of a key, x with 0 <= x < n, who is told -> x^d mod n.

Any prime may be the largest one; ``iqmp`` is q^-1 mod p.
"""

MOST_PRIMES = 4
"""Primes of a key that CRT takes."""

Power = Callable[[int, int, int, Listener], Answer]
"""Hardware for plain numbers: x with 0 <= x < n, an exponent, an odd n, who is told -> x^exponent mod n."""

Passphrase = Callable[[], bytes | None]
"""Asked for a passphrase once it is needed; ``None`` or nothing where there is none."""


@dataclass(frozen=True)
class Result:
    """What comes of an operation with a private key: a signature or a message, and the hardware's answer."""

    data: bytes
    answer: Answer


# --- keys -------------------------------------------------------------------------------------------


def private_key(path: Path, passphrase: Passphrase) -> PrivateKey:
    """The private RSA key in a file: PEM or DER, PKCS#1 or PKCS#8, encrypted or not.

    Raises:
        RSAError: there is none, it cannot be read, the passphrase is wrong or missing, or its length is not
            in :data:`BITS`.
    """
    key = _key(path, passphrase)
    if isinstance(key, PrivateKey):
        return key
    raise RSAError(f"{path} holds a public key; this takes the private one")


def public_key(path: Path, passphrase: Passphrase) -> rsa.RSAPublicKey:
    """The public RSA key in a file, which may hold the private key or a certificate as well.

    Raises:
        RSAError: as for :func:`private_key`.
    """
    key = _key(path, passphrase)
    return key.public_key() if isinstance(key, PrivateKey) else key


def check_crt(key: PrivateKey) -> None:
    """Make sure that the Chinese remainder theorem on hardware takes the primes: up to four.

    Raises:
        RSAError: it does not.
    """
    has = len(primes_of(key.private_numbers()))
    if has > MOST_PRIMES:
        raise RSAError(f"this key has {has} primes, and CRT takes up to {MOST_PRIMES}; use --no-crt")


def _key(path: Path, passphrase: Passphrase) -> PrivateKey | rsa.RSAPublicKey:
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise RSAError(f"cannot read the key {path}: {error.strerror or error}") from error
    if len(data) > LARGEST_FILE:
        raise RSAError(f"{path} is too large for a key")
    try:
        key = _parsed(path, data, None)
    except TypeError as error:
        secret = passphrase()
        if not secret:
            raise RSAError(
                f"{path} is encrypted; give its passphrase with --passphrase-file or in MODMUL_PASSPHRASE"
            ) from error
        key = _parsed(path, data, secret)
    if not isinstance(key, PrivateKey | rsa.RSAPublicKey):
        kind = type(key).__name__.removesuffix("PrivateKey").removesuffix("PublicKey")
        raise RSAError(f"{path} holds a key of another kind ({kind}); an RSA key is needed")
    if key.key_size not in BITS:
        raise RSAError(f"{path} has {key.key_size} bits; RSA keys of {BITS[0]} to {BITS[-1]} bits are taken")
    public = key.public_key() if isinstance(key, PrivateKey) else key
    if public.public_numbers().n % 2 == 0:
        raise RSAError(f"{path} has an even modulus, which no RSA key has")
    return key


_REASONS = {
    "Invalid private key": "is damaged: its numbers do not belong together",
    "Invalid key": "is damaged",
    "e must be": "is damaged: its public exponent is not odd, or out of range",
}
"""What the cryptography library says of a key that is one, by the beginning, and what it means."""


def _parsed(path: Path, data: bytes, passphrase: bytes | None) -> object:
    """The key in a file.

    Raises:
        TypeError: it is encrypted, and there is no passphrase.
        RSAError: there is none that can be read.
    """
    said = []
    for reader in key_readers(data, passphrase):
        try:
            return reader()
        except UnsupportedAlgorithm as error:
            raise RSAError(f"{path} holds a key of a kind that is not known; an RSA key is needed") from error
        except ValueError as error:
            said.append(str(error))
    if passphrase is not None and "Invalid key" in said:
        raise RSAError(
            f"{path} is damaged, or has more than two primes and is encrypted, which is not supported; "
            "'openssl rsa -in KEY -out COPY' decrypts a copy"
        )
    for beginning, meaning in _REASONS.items():
        if any(text == beginning or text.startswith((f"{beginning} ", f"{beginning}:")) for text in said):
            raise RSAError(f"{path} {meaning}")
    if passphrase is not None:
        raise RSAError(f"{path} cannot be decrypted: the passphrase is wrong, or the file is damaged")
    if b"-----BEGIN OPENSSH PRIVATE KEY-----" in data:
        raise RSAError(f"{path} is in OpenSSH's own format; 'ssh-keygen -p -m PKCS8 -f' makes PEM of a copy")
    raise RSAError(f"{path} holds no RSA key that can be read, neither PEM nor DER")


# --- schemes ----------------------------------------------------------------------------------------


def _hash(name: str) -> hashes.HashAlgorithm:
    if name not in HASHES:
        raise RSAError(f"unknown hash {name!r}; there are {', '.join(HASHES)}")
    return HASHES[name]()


def _signature_padding(name: str, key: PrivateKey, digest: hashes.HashAlgorithm) -> padding.AsymmetricPadding:
    _check_padding(name, SIGNATURE_PADDINGS)
    if name == "pkcs1":
        return padding.PKCS1v15()
    salt = min(digest.digest_size, padding.calculate_max_pss_salt_length(key.public_key(), digest))
    return padding.PSS(padding.MGF1(digest), salt)


def _verification_padding(name: str, digest: hashes.HashAlgorithm) -> padding.AsymmetricPadding:
    _check_padding(name, SIGNATURE_PADDINGS)
    return padding.PKCS1v15() if name == "pkcs1" else padding.PSS(padding.MGF1(digest), padding.PSS.AUTO)


def _decryption_padding(name: str, digest: hashes.HashAlgorithm) -> padding.AsymmetricPadding:
    _check_padding(name, DECRYPTION_PADDINGS)
    return padding.PKCS1v15() if name == "pkcs1" else padding.OAEP(padding.MGF1(digest), digest, None)


def _check_padding(name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise RSAError(f"the padding here is {' or '.join(known)}, not {name!r}")


# --- operations -------------------------------------------------------------------------------------


def sign(
    key: PrivateKey,
    message: bytes,
    engine: Engine,
    *,
    padding: str = "pkcs1",
    digest: str = "sha256",
    listener: Listener = ignore,
) -> Result:
    """The signature of a message, computed by hardware.

    The cryptography library signs first; opening that signature with the public exponent gives the padded
    block, which the hardware then signs anew.

    Args:
        padding: one of :data:`SIGNATURE_PADDINGS`; the salt of PSS is as long as the digest, or as the key
            allows.
        digest: one of :data:`HASHES`.

    Raises:
        RSAError: the scheme is not known.
        VerificationError: the hardware's signature is not that of the library.
    """
    algorithm = _hash(digest)
    signature = key.sign(message, _signature_padding(padding, key, algorithm), algorithm)
    right = int.from_bytes(signature)
    numbers = key.private_numbers()
    public = numbers.public_numbers
    answer = engine(numbers, pow(right, public.e, public.n), listener)
    if answer.value != right:
        raise VerificationError("the signature that the hardware has made is wrong")
    return Result(signature, answer)


def decrypt(
    key: PrivateKey,
    ciphertext: bytes,
    engine: Engine,
    *,
    padding: str = "pkcs1",
    digest: str = "sha256",
    listener: Listener = ignore,
) -> Result:
    """The message in a ciphertext, raised to the private exponent by hardware.

    The hardware's answer is raised to the public exponent, which must give the ciphertext back. The
    cryptography library takes off the padding, for which it decrypts by itself.

    Args:
        ciphertext: as many bytes as the modulus has, most significant first.
        padding: one of :data:`DECRYPTION_PADDINGS`.
        digest: one of :data:`HASHES`; of no meaning with ``"pkcs1"``. The label of OAEP is empty.

    Raises:
        RSAError: the scheme is not known, the ciphertext has another length, is not below the modulus, or is
            no message to this key in this scheme.
        VerificationError: the hardware's answer is wrong.
    """
    scheme = _decryption_padding(padding, _hash(digest))
    numbers = key.private_numbers()
    public = numbers.public_numbers
    size = (key.key_size + 7) // 8
    if len(ciphertext) != size:
        raise RSAError(f"the ciphertext has {len(ciphertext):,} bytes; with this key it has {size}")
    number = int.from_bytes(ciphertext)
    if number >= public.n:
        raise RSAError("the ciphertext as a number is not below the modulus: it was not made with this key")
    with_hash = "" if padding == "pkcs1" else f" and {digest}"
    other = RSAError(f"the ciphertext is no message to this key with {padding} padding{with_hash}")
    try:
        message = key.decrypt(ciphertext, scheme)
    except ValueError as error:
        raise other from error
    answer = engine(numbers, number, listener)
    if not 0 <= answer.value < public.n or pow(answer.value, public.e, public.n) != number:
        raise VerificationError("what the hardware has decrypted is wrong")
    # Where the padding is wrong, the library gives a random message in place of an error.
    if padding == "pkcs1" and not holds(answer.value.to_bytes(size), message):
        raise other
    return Result(message, answer)


def holds(block: bytes, message: bytes) -> bool:
    """Whether a block of PKCS#1 v1.5 encryption (RFC 8017, section 7.2.1) holds this message."""
    end = len(block) - len(message)
    filler = block[2 : end - 1]
    framed = block[:2] == b"\0\2" and block[end - 1 :] == b"\0" + message
    return framed and len(filler) >= 8 and 0 not in filler


def verify(
    key: rsa.RSAPublicKey, message: bytes, signature: bytes, *, padding: str = "pkcs1", digest: str = "sha256"
) -> bool:
    """Whether a signature is that of a message; with PSS, whatever the length of the salt.

    Raises:
        RSAError: the scheme is not known.
    """
    algorithm = _hash(digest)
    try:
        key.verify(signature, message, _verification_padding(padding, algorithm), algorithm)
    except InvalidSignature:
        return False
    return True


def verify_on(
    power: Power, key: rsa.RSAPublicKey, signature: bytes, *, listener: Listener = ignore
) -> Answer:
    """Raise a signature to the public exponent on hardware, and check that.

    Raises:
        RSAError: the signature as a number is not below the modulus.
        VerificationError: the hardware's answer is wrong.
    """
    public = key.public_numbers()
    number = int.from_bytes(signature)
    if number >= public.n:
        raise RSAError("the signature as a number is not below the modulus: it was not made with this key")
    answer = power(number, public.e, public.n, listener)
    if answer.value != pow(number, public.e, public.n):
        raise VerificationError("what the hardware has made of the signature is wrong")
    return answer
