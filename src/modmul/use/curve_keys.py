# SPDX-License-Identifier: Apache-2.0
"""Elliptic curves with key files: signatures and key agreement in the encodings that OpenSSL reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from secrets import randbelow

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, x448, x25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from modmul.moduli import Curve, ModulusError, curve
from modmul.moduli.keys import key_readers
from modmul.tools.progress import Listener, ignore
from modmul.use import curve_files, ecc, eddsa, sm2
from modmul.use.curve_files import OtherPrivateKey, OtherPublicKey
from modmul.use.ecc import CurveError, Multiplier
from modmul.use.rsa import LARGEST_FILE, Passphrase
from modmul.verify.failures import VerificationError

__all__ = [
    "PrivateKey",
    "PublicKey",
    "Sides",
    "curve_of",
    "decrypt",
    "derive",
    "encrypt",
    "make",
    "private_bytes",
    "private_key",
    "public",
    "public_bytes",
    "public_key",
    "sign",
    "verify",
]

PrivateKey = (
    ec.EllipticCurvePrivateKey
    | ed25519.Ed25519PrivateKey
    | ed448.Ed448PrivateKey
    | x25519.X25519PrivateKey
    | x448.X448PrivateKey
    | OtherPrivateKey
)
PublicKey = (
    ec.EllipticCurvePublicKey
    | ed25519.Ed25519PublicKey
    | ed448.Ed448PublicKey
    | x25519.X25519PublicKey
    | x448.X448PublicKey
    | OtherPublicKey
)


# --- keys -------------------------------------------------------------------------------------------


def curve_of(key: PrivateKey | PublicKey) -> Curve:
    """The curve of a key.

    Raises:
        CurveError: it is not known.
    """
    if isinstance(key, OtherPrivateKey | OtherPublicKey):
        return key.curve
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
            if other := curve_files.read(data):
                return other
            raise CurveError(
                f"{path} holds a key of a curve that is not known; of SM2 and binary curves encrypted keys"
                " and certificates are not read: openssl pkey, openssl x509 -pubkey"
            ) from error
        except ValueError:
            continue
    if other := curve_files.read(data):
        return other
    if passphrase is not None:
        raise CurveError(f"{path} cannot be decrypted: the passphrase is wrong, or the file is damaged")
    raise CurveError(f"{path} holds no key of an elliptic curve that can be read, neither PEM nor DER")


def make(name: str) -> PrivateKey:
    """A new private key of a curve, by the random numbers of the cryptography library, or else Python's.

    Raises:
        ModulusError: there is no such curve.
        CurveError: its keys have no name in files.
    """
    at = curve(name)
    if at.other in _GENERATED:
        return _GENERATED[at.other].generate()
    if at.other in _LIBRARY:
        return ec.generate_private_key(_LIBRARY[at.other])
    secret = 1 + randbelow(at.order - 2)  # SM2 takes no n-1
    point = at.multiply(secret, at.base)
    assert point
    made = OtherPrivateKey(at, secret, point)
    curve_files.written(made)
    return made


_LIBRARY: dict[str, ec.EllipticCurve] = {
    each.name.lower(): each
    for each in (
        ec.SECP192R1(),
        ec.SECP224R1(),
        ec.SECP256R1(),
        ec.SECP384R1(),
        ec.SECP521R1(),
        ec.SECP256K1(),
        ec.BrainpoolP256R1(),
        ec.BrainpoolP384R1(),
        ec.BrainpoolP512R1(),
    )
}
_GENERATED: dict[
    str,
    type[ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey | x25519.X25519PrivateKey | x448.X448PrivateKey],
] = {
    "ed25519": ed25519.Ed25519PrivateKey,
    "ed448": ed448.Ed448PrivateKey,
    "x25519": x25519.X25519PrivateKey,
    "x448": x448.X448PrivateKey,
}


def private_bytes(key: PrivateKey, *, der: bool = False, passphrase: bytes | None = None) -> bytes:
    """A private key in a file: PKCS #8, PEM or DER, encrypted if there is a passphrase.

    Raises:
        CurveError: the key is one of SM2 or a binary curve, which are not encrypted here.
    """
    if isinstance(key, OtherPrivateKey):
        if passphrase:
            raise CurveError(
                f"keys of {key.curve.name} are not encrypted here; 'openssl pkcs8 -topk8' does it"
            )
        data = curve_files.written(key)
        return data if der else curve_files.pem(curve_files.PRIVATE, data)
    how = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    return key.private_bytes(Encoding.DER if der else Encoding.PEM, PrivateFormat.PKCS8, how)


def public_bytes(key: PublicKey, *, der: bool = False, compressed: bool = False) -> bytes:
    """A public key in a file: SubjectPublicKeyInfo, PEM or DER.

    Raises:
        CurveError: the point is to be compressed, and the curve is of another form.
    """
    if isinstance(key, OtherPublicKey):
        data = curve_files.written(key)
    else:
        data = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if compressed:
        if not isinstance(key, OtherPublicKey | ec.EllipticCurvePublicKey):
            raise CurveError(f"keys of {curve_of(key).name} are short as they are; leave --compressed away")
        data = curve_files.compressing(curve_of(key), data)
    return data if der else curve_files.pem(curve_files.PUBLIC, data)


# --- operations -------------------------------------------------------------------------------------


def sign(
    key: PrivateKey,
    message: bytes,
    multiply: Multiplier,
    *,
    digest: str = "",
    random: bool = False,
    listener: Listener = ignore,
) -> bytes:
    """The signature of a message: ECDSA or SM2 in DER, or EdDSA. The cryptography library, or the model of
    the curve where the library lacks it, checks it.

    Args:
        digest: one of ``ecc.HASHES``, ``sm3`` for SM2 and for nothing else; of no meaning for EdDSA. Default:
            sha256, or sm3.
        random: whether k of ECDSA is random, not that of RFC 6979.

    Raises:
        CurveError: the key does not sign, or the hash is not known.
        VerificationError: the hardware is wrong.
    """
    at = curve_of(key)
    digest = _digest(at, digest)
    if isinstance(key, OtherPrivateKey) and at.name == "sm2":
        made = encode_dss_signature(*sm2.sign(at, key.secret, message, multiply, listener=listener))
    elif isinstance(key, ec.EllipticCurvePrivateKey | OtherPrivateKey):
        secret = key.secret if isinstance(key, OtherPrivateKey) else key.private_numbers().private_value
        pair = ecc.sign(at, secret, message, multiply, digest=digest, random=random, listener=listener)
        made = encode_dss_signature(*pair)
    elif isinstance(key, ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey):
        public = key.public_key().public_bytes_raw()
        secret_bytes = key.private_bytes_raw()
        made = eddsa.sign(at.name, secret_bytes, message, multiply, public=public, listener=listener)
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
    digest: str = "",
    listener: Listener = ignore,
) -> bool:
    """Whether a signature is that of a message, by the cryptography library or, where that lacks the curve,
    by the model of the curve; and by hardware if given.

    Raises:
        CurveError: the key does not sign, or the hash is not known.
        VerificationError: the hardware says otherwise.
    """
    at = curve_of(key)
    if isinstance(key, x25519.X25519PublicKey | x448.X448PublicKey):
        raise CurveError(f"a key of {at.name} does not sign; it agrees on a secret: modmul ecc derive")
    digest = _digest(at, digest)
    if not _right(key, message, signature, digest):
        return False
    if multiply is not None and not _verified(key, message, signature, multiply, digest, listener):
        raise VerificationError("the hardware takes a right signature for a wrong one")
    return True


_Signing = ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | ed448.Ed448PublicKey | OtherPublicKey


def _right(key: _Signing, message: bytes, signature: bytes, digest: str) -> bool:
    """By the library, or the model of the curve."""
    if isinstance(key, OtherPublicKey):
        return _verified(key, message, signature, ecc.model, digest, ignore)
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, message, ec.ECDSA(getattr(hashes, digest.upper())()))
        else:
            key.verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _verified(
    key: _Signing, message: bytes, signature: bytes, multiply: Multiplier, digest: str, listener: Listener
) -> bool:
    """By products of points."""
    at = curve_of(key)
    if isinstance(key, ed25519.Ed25519PublicKey | ed448.Ed448PublicKey):
        known = key.public_bytes_raw()
        return eddsa.verify(at.name, known, message, signature, multiply, listener=listener)
    try:
        pair = decode_dss_signature(signature)
    except ValueError:
        return False
    point = _point(key)
    if at.name == "sm2":
        return sm2.verify(at, point, message, pair, multiply, listener=listener)
    return ecc.verify(at, point, message, pair, multiply, digest=digest, listener=listener)


def _point(key: ec.EllipticCurvePublicKey | OtherPublicKey) -> tuple[int, int]:
    if isinstance(key, OtherPublicKey):
        return key.point
    return key.public_numbers().x, key.public_numbers().y


def public(key: PrivateKey, multiply: Multiplier, *, listener: Listener = ignore) -> PublicKey:
    """The public key of a private one by the hardware, the same as the library or the model finds.

    Raises:
        VerificationError: the hardware is wrong.
    """
    at, known = curve_of(key), key.public_key()
    match key:
        case ed25519.Ed25519PrivateKey() | ed448.Ed448PrivateKey():
            found = eddsa.public_key(at.name, key.private_bytes_raw(), multiply, listener=listener)
            right = found == key.public_key().public_bytes_raw()
        case x25519.X25519PrivateKey() | x448.X448PrivateKey():
            base = at.base[0].to_bytes(at.bytes, "little")
            found = ecc.exchange(at.name, key.private_bytes_raw(), base, multiply, listener=listener)
            right = found == key.public_key().public_bytes_raw()
        case OtherPrivateKey():
            right = ecc.times(multiply, at, key.secret, at.base, listener) == key.point
        case _:
            secret = key.private_numbers().private_value
            right = ecc.times(multiply, at, secret, at.base, listener) == _point(key.public_key())
    if not right:
        raise VerificationError("the public key that the hardware has made is wrong")
    return known


@dataclass(frozen=True)
class Sides:
    """What SM2's key exchange takes besides the two keys.

    Attributes:
        once: the own key pair made for this time.
        peer: the other's, without the private key.
        begins: whether the own side is the one who begins.
        length: bytes that are agreed on.
    """

    once: PrivateKey
    peer: PublicKey
    begins: bool
    length: int = 16


def derive(
    key: PrivateKey,
    peer: PublicKey,
    multiply: Multiplier,
    *,
    sides: Sides | None = None,
    listener: Listener = ignore,
) -> bytes:
    """What two keys agree on, by ECDH, X25519, X448 or SM2; the same as the cryptography library, or
    the model of the curve where that lacks it, finds.

    Args:
        sides: of SM2's exchange, and of no other.

    Raises:
        CurveError: the keys are of different curves, or of one that signs, or the peer's is of small order.
        VerificationError: the hardware is wrong.
    """
    at, other = curve_of(key), curve_of(peer)
    if at.name != other.name:
        raise CurveError(f"the keys are of {at.name} and {other.name}; both must be of one curve")
    if (sides is not None) != (at.name == "sm2"):
        raise CurveError(
            "keys of sm2, and no others, agree by further keys, made for this time: --once, --peer-once"
        )
    match key, peer:
        case OtherPrivateKey(), OtherPublicKey() if sides:
            return _exchanged(key, peer, sides, multiply, listener)
        case OtherPrivateKey(), OtherPublicKey():
            found = ecc.agree(at, key.secret, peer.point, multiply, listener=listener)
            right = ecc.agree(at, key.secret, peer.point, ecc.model)
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


def _exchanged(
    key: OtherPrivateKey, peer: OtherPublicKey, sides: Sides, multiply: Multiplier, listener: Listener
) -> bytes:
    """SM2's exchange, by the hardware and by the model of the curve."""
    once, other = sides.once, sides.peer
    for each in (once, other):
        if curve_of(each).name != key.curve.name:
            raise CurveError(f"a key made for this time is of {curve_of(each).name}; it must be of sm2, too")
    assert isinstance(once, OtherPrivateKey) and isinstance(other, OtherPublicKey)

    def by(multiply: Multiplier, listener: Listener) -> sm2.Agreed:
        return sm2.exchange(
            key.curve,
            (key.secret, once.secret),
            sm2.Side(key.point, once.point),
            sm2.Side(peer.point, other.point),
            multiply,
            begins=sides.begins,
            length=sides.length,
            listener=listener,
        )

    found = by(multiply, listener)
    if found != by(ecc.model, ignore):
        raise VerificationError("what the hardware has agreed on is wrong")
    return found.key


def encrypt(
    key: PublicKey, message: bytes, multiply: Multiplier, *, raw: bool = False, listener: Listener = ignore
) -> bytes:
    """A message encrypted by SM2.

    Args:
        raw: whether C1, C3 and C2 stand one behind the other; otherwise in DER, as OpenSSL has it.

    Raises:
        CurveError: the key is one of another curve, or the message is empty.
        VerificationError: the hardware is wrong.
    """
    _check_sm2(key)
    assert isinstance(key, OtherPublicKey)
    parts = sm2.encrypt(key.curve, key.point, message, multiply, listener=listener)
    return sm2.joined(key.curve, *parts) if raw else curve_files.enveloped(*parts)


def decrypt(key: PrivateKey, data: bytes, multiply: Multiplier, *, listener: Listener = ignore) -> bytes:
    """What :func:`encrypt` or OpenSSL has encrypted by SM2, of either form.

    Raises:
        CurveError: the key is one of another curve, or the data are not for it, or changed.
        VerificationError: the hardware is wrong.
    """
    _check_sm2(key)
    assert isinstance(key, OtherPrivateKey)
    parts = sm2.parted(key.curve, data) if data[:1] in (b"\2", b"\3", b"\4") else curve_files.opened(data)
    return sm2.decrypt(key.curve, key.secret, *parts, multiply, listener=listener)


def _check_sm2(key: PrivateKey | PublicKey) -> None:
    if curve_of(key).name != "sm2":
        raise CurveError(f"a key of {curve_of(key).name} does not encrypt; one of sm2 does")


def _digest(at: Curve, name: str) -> str:
    """The hash by name, or that of the curve."""
    own = "sm3" if at.name == "sm2" else "sha256"
    known = ["sm3"] if at.name == "sm2" else [each for each in ecc.HASHES if each != "sm3"]
    if name and name not in known:
        raise CurveError(f"unknown hash {name!r} for {at.name}; there is {', '.join(known)}")
    return name or own
