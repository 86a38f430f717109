# SPDX-License-Identifier: Apache-2.0
"""Elliptic curves with key files: signatures and key agreement in the encodings that OpenSSL reads."""

from __future__ import annotations

from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, x448, x25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from modmul.moduli import Curve, ModulusError, curve
from modmul.moduli.keys import key_readers
from modmul.tools.progress import Listener, ignore
from modmul.use import ecc
from modmul.use.ecc import CurveError, Multiplier
from modmul.use.rsa import LARGEST_FILE, Passphrase
from modmul.verify.failures import VerificationError

__all__ = ["PrivateKey", "PublicKey", "curve_of", "derive", "private_key", "public_key", "sign", "verify"]

PrivateKey = (
    ec.EllipticCurvePrivateKey
    | ed25519.Ed25519PrivateKey
    | ed448.Ed448PrivateKey
    | x25519.X25519PrivateKey
    | x448.X448PrivateKey
)
PublicKey = (
    ec.EllipticCurvePublicKey
    | ed25519.Ed25519PublicKey
    | ed448.Ed448PublicKey
    | x25519.X25519PublicKey
    | x448.X448PublicKey
)


# --- keys -------------------------------------------------------------------------------------------


def curve_of(key: PrivateKey | PublicKey) -> Curve:
    """The curve of a key.

    Raises:
        CurveError: it is not known.
    """
    if isinstance(key, ec.EllipticCurvePrivateKey | ec.EllipticCurvePublicKey):
        name = key.curve.name
    else:
        name = type(key).__name__.removesuffix("PrivateKey").removesuffix("PublicKey").lower()
    try:
        return curve(name)
    except ModulusError as error:
        raise CurveError(str(error)) from error


def private_key(path: Path, passphrase: Passphrase) -> PrivateKey:
    """The private key of an elliptic curve in a file, PEM or DER, encrypted or not.

    Raises:
        CurveError: there is none, it cannot be read, or the passphrase is wrong or missing.
    """
    key = _key(path, passphrase)
    if isinstance(key, PrivateKey):
        return key
    raise CurveError(f"{path} holds a public key; this takes the private one")


def public_key(path: Path, passphrase: Passphrase) -> PublicKey:
    """The public key of an elliptic curve in a file, which may hold the private key or a certificate as well.

    Raises:
        CurveError: as for :func:`private_key`.
    """
    key = _key(path, passphrase)
    return key.public_key() if isinstance(key, PrivateKey) else key


def _key(path: Path, passphrase: Passphrase) -> PrivateKey | PublicKey:
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise CurveError(f"cannot read the key {path}: {error.strerror or error}") from error
    if len(data) > LARGEST_FILE:
        raise CurveError(f"{path} is too large for a key")
    try:
        key = _parsed(path, data, None)
    except TypeError as error:
        secret = passphrase()
        if not secret:
            raise CurveError(
                f"{path} is encrypted; give its passphrase with --passphrase-file or in MODMUL_PASSPHRASE"
            ) from error
        key = _parsed(path, data, secret)
    if not isinstance(key, PrivateKey | PublicKey):
        kind = type(key).__name__.removesuffix("PrivateKey").removesuffix("PublicKey")
        raise CurveError(f"{path} holds a key of another kind ({kind}); that of an elliptic curve is needed")
    curve_of(key)
    return key


def _parsed(path: Path, data: bytes, passphrase: bytes | None) -> object:
    """The key in a file.

    Raises:
        TypeError: it is encrypted, and there is no passphrase.
        CurveError: there is none that can be read.
    """
    for reader in key_readers(data, passphrase):
        try:
            return reader()
        except UnsupportedAlgorithm as error:
            raise CurveError(f"{path} holds a key of a curve that the cryptography library lacks") from error
        except ValueError:
            continue
    if passphrase is not None:
        raise CurveError(f"{path} cannot be decrypted: the passphrase is wrong, or the file is damaged")
    raise CurveError(f"{path} holds no key of an elliptic curve that can be read, neither PEM nor DER")


# --- operations -------------------------------------------------------------------------------------


def sign(
    key: PrivateKey,
    message: bytes,
    multiply: Multiplier,
    *,
    digest: str = "sha256",
    random: bool = False,
    listener: Listener = ignore,
) -> bytes:
    """The signature of a message: ECDSA in DER, or EdDSA. The cryptography library checks it.

    Args:
        digest: one of ``ecc.HASHES`` but ``sm3``; of no meaning for EdDSA.
        random: whether k of ECDSA is random, not that of RFC 6979.

    Raises:
        CurveError: the key does not sign, or the hash is not known.
        VerificationError: the hardware is wrong.
    """
    at = curve_of(key)
    if isinstance(key, ec.EllipticCurvePrivateKey):
        _algorithm(digest)
        secret = key.private_numbers().private_value
        pair = ecc.sign(at, secret, message, multiply, digest=digest, random=random, listener=listener)
        made = encode_dss_signature(*pair)
    elif isinstance(key, ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey):
        public = key.public_key().public_bytes_raw()
        secret_bytes = key.private_bytes_raw()
        made = ecc.eddsa_sign(at.name, secret_bytes, message, multiply, public=public, listener=listener)
    else:
        raise CurveError(f"a key of {at.name} does not sign; it agrees on a secret: modmul ecc derive")
    if not verify(key.public_key(), message, made, digest=digest):
        raise VerificationError("the signature that the hardware has made is wrong")
    return made


def verify(
    key: PublicKey,
    message: bytes,
    signature: bytes,
    multiply: Multiplier | None = None,
    *,
    digest: str = "sha256",
    listener: Listener = ignore,
) -> bool:
    """Whether a signature is that of a message, by the cryptography library, and by hardware if given.

    Raises:
        CurveError: the key does not sign, or the hash is not known.
        VerificationError: the hardware says otherwise.
    """
    at = curve_of(key)
    if isinstance(key, x25519.X25519PublicKey | x448.X448PublicKey):
        raise CurveError(f"a key of {at.name} does not sign; it agrees on a secret: modmul ecc derive")
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, message, ec.ECDSA(_algorithm(digest)))
        else:
            key.verify(signature, message)
        right = True
    except InvalidSignature:
        right = False
    if multiply is None or not right:
        return right
    if isinstance(key, ec.EllipticCurvePublicKey):
        point = key.public_numbers().x, key.public_numbers().y
        pair = decode_dss_signature(signature)
        found = ecc.verify(at, point, message, pair, multiply, digest=digest, listener=listener)
    else:
        public = key.public_bytes_raw()
        found = ecc.eddsa_verify(at.name, public, message, signature, multiply, listener=listener)
    if not found:
        raise VerificationError("the hardware takes a right signature for a wrong one")
    return True


def derive(key: PrivateKey, peer: PublicKey, multiply: Multiplier, *, listener: Listener = ignore) -> bytes:
    """What two keys agree on, by ECDH, X25519 or X448; the same as the cryptography library finds.

    Raises:
        CurveError: the keys are of different curves, or of one that signs, or the peer's is of small order.
        VerificationError: the hardware is wrong.
    """
    at, other = curve_of(key), curve_of(peer)
    if at.name != other.name:
        raise CurveError(f"the keys are of {at.name} and {other.name}; both must be of one curve")
    match key, peer:
        case ec.EllipticCurvePrivateKey(), ec.EllipticCurvePublicKey():
            numbers = peer.public_numbers()
            secret = key.private_numbers().private_value
            found = ecc.agree(at, secret, (numbers.x, numbers.y), multiply, listener=listener)
            right = key.exchange(ec.ECDH(), peer)
        case x25519.X25519PrivateKey(), x25519.X25519PublicKey():
            own, theirs = key.private_bytes_raw(), peer.public_bytes_raw()
            found = ecc.exchange(at.name, own, theirs, multiply, listener=listener)
            right = key.exchange(peer)
        case x448.X448PrivateKey(), x448.X448PublicKey():
            own, theirs = key.private_bytes_raw(), peer.public_bytes_raw()
            found = ecc.exchange(at.name, own, theirs, multiply, listener=listener)
            right = key.exchange(peer)
        case _:
            raise CurveError(f"a key of {at.name} signs; keys of x25519, x448 and p256, for example, agree")
    if found != right:
        raise VerificationError("what the hardware has agreed on is wrong")
    return found


def _algorithm(name: str) -> hashes.HashAlgorithm:
    if name not in ecc.HASHES or name == "sm3":
        known = ", ".join(each for each in ecc.HASHES if each != "sm3")
        raise CurveError(f"unknown hash {name!r}; there are {known}")
    found: hashes.HashAlgorithm = getattr(hashes, name.upper())()
    return found
