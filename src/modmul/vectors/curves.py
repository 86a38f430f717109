# SPDX-License-Identifier: Apache-2.0
"""Vectors for elliptic curves: NIST's, RFCs', SM2's and Wycheproof's. Those with SHA-1 are left out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import load_der_public_key, load_pem_private_key

from modmul.moduli import CURVES, Curve, curve
from modmul.tools.progress import ignore
from modmul.use import curve_files, ecc, eddsa, points, sm2
from modmul.vectors import printed
from modmul.vectors.files import Record, records, rfc_6979, text_of, wycheproof
from modmul.vectors.vector import Bench, Source, Vector

__all__ = ["ITERATIONS", "SOURCES", "agrees", "exchanged", "section"]

FIPS = "ECDSA/FIPS_186-3"
KAS = "ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly"
SECP256K1 = "ECDSA/SECP256K1/SigGen.txt"
CDH = "pycryptodome/Protocol/KAS_ECC_CDH_PrimitiveTest.txt"
RFC_6979 = "ECDSA/RFC6979/evppkey_ecdsa_rfc6979.txt"


def _number(record: Record, *names: str) -> tuple[int, ...]:
    return tuple(int(record[name], 16) for name in names)


def section(file: str, last: str, name: str) -> list[tuple[str, Record]]:
    """The records of a curve of NIST, in the section of P-256 for ``"p256"``.

    Raises:
        ValueError: there are none.
    """
    wanted = f"{name[0].upper()}-{name[1:]}"
    found = [pair for pair in records(file, last) if pair[0].split(",")[0] == wanted]
    if not found:
        raise ValueError(f"{file} has nothing of {wanted}")
    return found


def _of_curve(label: str, at: Curve, content: object, answer: Callable[[Bench], bool], **more: Any) -> Vector:
    """A vector for the system of a curve."""
    return Vector(label, f"ecc_{at.name}", at.name, repr(content), answer, **more)


def _verifying(
    label: str, at: Curve, content: object, answer: Callable[[Bench], bool], **more: Any
) -> Vector:
    """A verification, for u G + v P."""
    return Vector(label, "two_points", at.name, repr(content), answer, **more)


def _always(pair: tuple[int, int]) -> Callable[[], tuple[int, int]]:
    """What gives a point, or a signature, that needs no decoding."""
    return lambda: pair


# --- what is asked of the hardware ------------------------------------------------------------------


def _multiple(at: Curve, scalar: int, point: tuple[int, int], bench: Bench) -> bool:
    """k G is a point."""
    return ecc.times(bench.multiply, at, scalar, at.base, ignore) == point


def _signed(
    at: Curve, secret: int, k: int | None, message: bytes, digest: str, pair: tuple[int, int], bench: Bench
) -> bool:
    return ecc.sign(at, secret, message, bench.multiply, digest=digest, nonce=k) == pair


def _verified(
    at: Curve,
    public: tuple[int, int],
    message: bytes,
    digest: str,
    pair: Callable[[], tuple[int, int]],
    bench: Bench,
) -> bool:
    try:
        signature = pair()
    except ValueError as error:
        raise ecc.CurveError(f"no signature: {error}") from error
    return ecc.verify(at, public, message, signature, bench.multiply, digest=digest)


def agrees(at: Curve, secret: int, public: Callable[[], tuple[int, int]], shared: str, bench: Bench) -> bool:
    """The x of a private key times a public one is this, in hexadecimal.

    Raises:
        CurveError: a key is refused.
    """
    return ecc.agree(at, secret, public(), bench.multiply).hex() == shared.lower()


def _own_agrees(
    at: Curve, secret: int, own: tuple[int, int], public: tuple[int, int], shared: str, bench: Bench
) -> bool:
    """The same, if the public key that was printed belongs to the private one."""
    return _multiple(at, secret, own, bench) and agrees(at, secret, _always(public), shared, bench)


def exchanged(name: str, secret: bytes, public: bytes, shared: str, bench: Bench) -> bool:
    """X25519 or X448 gives this, in hexadecimal.

    Raises:
        CurveError: a key is refused.
    """
    return ecc.exchange(name, secret, public, bench.multiply).hex() == shared


ITERATIONS = 1000


def _iterated(bench: Bench) -> bool:
    """Each exchange has what the one before it gave."""
    k = u = (9).to_bytes(32, "little")
    for _ in range(ITERATIONS):
        k, u = ecc.exchange("x25519", k, u, bench.multiply), k
    return k.hex() == printed.RFC_7748_ITERATED


def _eddsa_signed(
    name: str, secret: bytes, public: bytes, message: bytes, signature: bytes, bench: Bench
) -> bool:
    return eddsa.sign(name, secret, message, bench.multiply, public=public) == signature


def _eddsa_verified(name: str, public: bytes, message: bytes, signature: bytes, bench: Bench) -> bool:
    """Or it is refused: what may be accepted may also be refused."""
    if not eddsa.verify(name, public, message, signature, bench.multiply):
        raise ecc.CurveError("the signature is not that of the message")
    return True


# --- NIST -------------------------------------------------------------------------------------------


def _sections(file: str, last: str) -> Iterator[tuple[str, Curve, str, Record]]:
    """Of each record what it is called, the curve, the hash and the fields."""
    counts: dict[str, int] = {}
    for head, record in records(file, last):
        name, _, hash_ = head.partition(",")
        counts[head] = counts.get(head, -1) + 1
        if hash_ != "SHA-1" and (name != "K-256" or file == SECP256K1):
            at = curve("secp256k1" if name == "K-256" else name)
            yield f"{head} {counts[head]}", at, hash_.lower().replace("sha-", "sha"), record


def _key_pairs() -> list[Vector]:
    found = []
    for label, at, _, record in _sections(f"{FIPS}/KeyPair.rsp", "Qy"):
        d, x, y = _number(record, "d", "Qx", "Qy")
        found.append(_of_curve(label, at, record, partial(_multiple, at, d, (x, y))))
    return found


def _signatures(file: str) -> list[Vector]:
    """With the k of the vector."""
    found = []
    for label, at, hash_, record in _sections(file, "S"):
        message = bytes.fromhex(record["Msg"])
        if "k" in record:
            d, k, r, s = _number(record, "d", "k", "R", "S")
            answer = partial(_signed, at, d, k, message, hash_, (r, s))
            found.append(_of_curve(label, at, record, answer, kind=hash_))
        else:
            x, y, r, s = _number(record, "Qx", "Qy", "R", "S")
            checked = partial(_verified, at, (x, y), message, hash_, _always((r, s)))
            found.append(_verifying(label, at, record, checked, kind=hash_))
    return found


def _key_pairs_of_signatures(file: str) -> list[Vector]:
    """Those that came with the signatures."""
    found = []
    for label, at, _, record in _sections(file, "S"):
        d, x, y = _number(record, "d", "Qx", "Qy")
        found.append(_of_curve(label, at, (d, x, y), partial(_multiple, at, d, (x, y))))
    return found


def _verifications() -> list[Vector]:
    found = []
    for label, at, hash_, record in _sections(f"{FIPS}/SigVer.rsp", "Result"):
        x, y, r, s = _number(record, "Qx", "Qy", "R", "S")
        message, valid = bytes.fromhex(record["Msg"]), record["Result"].startswith("P")
        answer = partial(_verified, at, (x, y), message, hash_, _always((r, s)))
        found.append(_verifying(label, at, record, answer, valid=valid, kind=record["Result"][:1]))
    return found


def _agreements(side: str) -> list[Vector]:
    """Of SP 800-56A: wrong keys are refused, and a wrong secret differs."""
    names = {"EA": "p192", "EB": "p224", "EC": "p256", "ED": "p384", "EE": "p521"}
    found = []
    for place, (head, record) in enumerate(records(f"{KAS}_{side}.fax", "Result")):
        at = CURVES[names[head.split()[0]]]
        a, b, d, x, y = _number(record, "QsCAVSx", "QsCAVSy", "dsIUT", "QsIUTx", "QsIUTy")
        answer = partial(_own_agrees, at, d, (x, y), (a, b), record["Z"])
        valid = record["Result"].startswith("P")
        more = {"valid": valid, "kind": record["Result"][:1]}
        found.append(_of_curve(f"{side} {place}", at, record, answer, **more))
    return found


def _primitives() -> list[Vector]:
    found = []
    for label, at, _, record in _sections(CDH, "ZIUT"):
        a, b, d, x, y = _number(record, "QCAVSx", "QCAVSy", "dIUT", "QIUTx", "QIUTy")
        answer = partial(_own_agrees, at, d, (x, y), (a, b), record["ZIUT"])
        found.append(_of_curve(label, at, record, answer))
    return found


def _multiples(name: str) -> list[Vector]:
    at, found = CURVES[name], []
    file = f"pycryptodome/PublicKey/ECC/point-at-infinity.org-{name.upper()}.txt"
    for _, record in records(file, "y"):
        x, y = _number(record, "x", "y")
        answer = partial(_multiple, at, int(record["k"]), (x, y))
        found.append(_of_curve(f"{name} {record['k']}", at, record, answer))
    return found


# --- RFCs and SM2 -----------------------------------------------------------------------------------


def _deterministic() -> list[Vector]:
    found = []
    for pem, record in rfc_6979(RFC_6979):
        if record["DigestSign"] != "SHA1":
            at = curve(record["Key"].partition("_")[0])
            answer = partial(_deterministic_signed, at, pem, record)
            label = f"{record['Key']} {record['DigestSign']} {record['Input']}"
            found.append(_of_curve(label, at, (pem, record), answer, kind=record["DigestSign"]))
    return found


def _deterministic_signed(at: Curve, pem: str, record: Record, bench: Bench) -> bool:
    message, hash_ = record["Input"].strip('"').encode(), record["DigestSign"].lower()
    pair = decode_dss_signature(bytes.fromhex(record["Output"]))
    return _secret(pem)[0] == at and _signed(at, _secret(pem)[1], None, message, hash_, pair, bench)


@cache
def _secret(pem: str) -> tuple[Curve, int]:
    """The curve and the private key, which is checked against the public one."""
    key = curve_files.read(pem.encode()) or load_pem_private_key(pem.encode(), None)
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return curve(key.curve.name), key.private_numbers().private_value
    assert isinstance(key, curve_files.OtherPrivateKey)
    return key.curve, key.secret


def _brainpool() -> list[Vector]:
    found = []
    for _, record in records("ECDH/brainpool.txt", "y_Z"):
        at = curve(record["curve"])
        a, b, z, *other = _number(record, "dA", "dB", "x_Z", "x_qB", "y_qB")
        shared = z.to_bytes(at.bytes).hex()
        answer = partial(_both_sides, at, a, b, (other[0], other[1]), shared)
        found.append(_of_curve(record["curve"], at, record, answer))
    return found


def _both_sides(at: Curve, a: int, b: int, public: tuple[int, int], shared: str, bench: Bench) -> bool:
    """b G is the public key of the other one, and a times that the secret."""
    return _multiple(at, b, public, bench) and agrees(at, a, _always(public), shared, bench)


def _rfc_5903() -> list[Vector]:
    found = []
    for section_, (name, given) in enumerate(printed.RFC_5903.items(), 1):
        at = CURVES[name]
        i, r = (int(given[each], 16) for each in "ir")
        for label, secret, other in (("i", i, r), ("r", r, i)):
            public = at.multiply(other, at.base)
            assert public
            answer = partial(agrees, at, secret, _always(public), given["shared"])
            found.append(_of_curve(f"8.{section_} {label}", at, given, answer))
    return found


def _rfc_7748(name: str) -> list[Vector]:
    at, found = CURVES[name], []
    for place, (_, record) in enumerate(records(f"{name.upper()}/rfc7748.txt", "OUTPUT_U")):
        secret, public = (bytes.fromhex(record[each]) for each in ("INPUT_SCALAR", "INPUT_U"))
        answer = partial(exchanged, name, secret, public, record["OUTPUT_U"])
        found.append(_of_curve(f"{name} {place}", at, record, answer))
    return found


def _a_thousand() -> list[Vector]:
    content = (ITERATIONS, printed.RFC_7748_ITERATED)
    return [_of_curve(f"5.2, {ITERATIONS} times", CURVES["x25519"], content, _iterated)]


def _ed25519() -> list[Vector]:
    found = []
    for place, line in enumerate(text_of("Ed25519/sign.input").splitlines()):
        secret, public, message, signed = (bytes.fromhex(each) for each in line.split(":")[:4])
        answer = partial(_eddsa_signed, "ed25519", secret[:32], public, message, signed[:64])
        found.append(_of_curve(str(place), CURVES["ed25519"], line, answer))
    return found


def _ed448() -> list[Vector]:
    """Those without a context."""
    found = []
    for place, (_, record) in enumerate(records("Ed448/rfc8032.txt", "SIGNATURE")):
        if "CONTEXT" not in record:
            secret, public, message, signature = (
                bytes.fromhex(record[each]) for each in ("SECRET", "PUBLIC", "MESSAGE", "SIGNATURE")
            )
            answer = partial(_eddsa_signed, "ed448", secret, public, message, signature)
            found.append(_of_curve(str(place), CURVES["ed448"], record, answer))
    return found


def _sm2() -> list[Vector]:
    at, given = CURVES["sm2"], printed.SM2
    return [
        _of_curve("signature", at, given, _sm2_signed),
        _verifying("verification", at, given, _sm2_verified),
        _of_curve("encryption", at, given, _sm2_encrypted),
        _of_curve("decryption", at, given, _sm2_decrypted),
        _of_curve("exchange A", at, given, partial(_sm2_exchanged, True)),
        _of_curve("exchange B", at, given, partial(_sm2_exchanged, False)),
    ]


def _sm2_number(name: str) -> int:
    return int(printed.SM2[name], 16)


def _sm2_public(name: str) -> tuple[int, int]:
    return ecc.times(ecc.model, CURVES["sm2"], _sm2_number(name), CURVES["sm2"].base, ignore)


def _sm2_signed(bench: Bench) -> bool:
    at, secret, nonce = CURVES["sm2"], _sm2_number("secret"), _sm2_number("nonce")
    made = sm2.sign(at, secret, b"message digest", bench.multiply, nonce=nonce)
    return made == (_sm2_number("r"), _sm2_number("s"))


def _sm2_verified(bench: Bench) -> bool:
    pair = _sm2_number("r"), _sm2_number("s")
    return sm2.verify(CURVES["sm2"], _sm2_public("secret"), b"message digest", pair, bench.multiply)


def _sm2_encrypted(bench: Bench) -> bool:
    at, nonce = CURVES["sm2"], _sm2_number("nonce")
    parts = sm2.encrypt(at, _sm2_public("secret"), b"encryption standard", bench.multiply, nonce=nonce)
    return sm2.joined(at, *parts).hex() == printed.SM2["hidden"]


def _sm2_decrypted(bench: Bench) -> bool:
    at = CURVES["sm2"]
    parts = sm2.parted(at, bytes.fromhex(printed.SM2["hidden"]))
    return sm2.decrypt(at, _sm2_number("secret"), *parts, bench.multiply) == b"encryption standard"


def _sm2_exchanged(begins: bool, bench: Bench) -> bool:
    sides = [sm2.Side(_sm2_public(each), _sm2_public(f"{each} once")) for each in ("own", "other")]
    own = "own" if begins else "other"
    secrets = _sm2_number(own), _sm2_number(f"{own} once")
    one, two = sides if begins else reversed(sides)
    found = sm2.exchange(CURVES["sm2"], secrets, one, two, bench.multiply, begins=begins)
    wanted = tuple(printed.SM2[each] for each in ("key", "first", "second"))
    return (found.key.hex(), found.first.hex(), found.second.hex()) == wanted


# --- Wycheproof -------------------------------------------------------------------------------------


def _validity(test: dict[str, Any]) -> dict[str, Any]:
    valid = {"valid": True, "invalid": False, "acceptable": None}[test["result"]]
    return {"valid": valid, "kind": f"{test['flags']} {test['result']}"}


def _told(*some: dict[str, Any]) -> str:
    """A group without its tests, and a test."""
    return json.dumps([{name: of for name, of in each.items() if name != "tests"} for each in some])


def _two_numbers(signature: bytes, size: int) -> tuple[int, int]:
    """r and s of so many bytes, one behind the other."""
    if len(signature) != 2 * size:
        raise ValueError("it has another length")
    return int.from_bytes(signature[:size]), int.from_bytes(signature[size:])


def _wycheproof_ecdsa(name: str, file: str, hash_: str) -> list[Vector]:
    """In DER, and as two numbers one behind the other."""
    at, found = CURVES[name], []
    size = at.order.bit_length() + 7 >> 3
    for group, test in wycheproof(file):
        key, message = group["publicKey"], bytes.fromhex(test["msg"])
        signature = bytes.fromhex(test["sig"])
        plain = file.endswith("p1363")
        pair = partial(_two_numbers, signature, size) if plain else partial(decode_dss_signature, signature)
        public = int(key["wx"], 16), int(key["wy"], 16)
        answer = partial(_verified, at, public, message, hash_, pair)
        label = f"{file} {test['tcId']}"
        found.append(_verifying(label, at, _told(group, test), answer, **_validity(test)))
    return found


def _wycheproof_eddsa(name: str) -> list[Vector]:
    found = []
    for group, test in wycheproof(name):
        public, message, signature = (
            bytes.fromhex(each) for each in (group["publicKey"]["pk"], test["msg"], test["sig"])
        )
        answer = partial(_eddsa_verified, name, public, message, signature)
        told = _told(group, test)
        found.append(_verifying(str(test["tcId"]), CURVES[name], told, answer, **_validity(test)))
    return found


def _key_in_der(at: Curve, data: bytes) -> tuple[int, int]:
    """The point of a public key in DER.

    Raises:
        CurveError: it cannot be read, or is of another curve.
    """
    try:
        key = load_der_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ecc.CurveError(f"no public key: {error}") from error
    if not isinstance(key, ec.EllipticCurvePublicKey) or key.curve.name != at.other:
        raise ecc.CurveError(f"no public key of {at.name}")
    return key.public_numbers().x, key.public_numbers().y


def _wycheproof_ecdh(
    name: str, form: str, decoded: Callable[[Curve, bytes], tuple[int, int]]
) -> list[Vector]:
    """With public keys in some form."""
    at, found = CURVES[name], []
    for group, test in wycheproof(f"ecdh_{at.other}{form}"):
        public = partial(decoded, at, bytes.fromhex(test["public"]))
        answer = partial(agrees, at, int(test["private"], 16), public, test["shared"])
        label = f"{name} {test['tcId']}"
        found.append(_of_curve(label, at, _told(group, test), answer, **_validity(test)))
    return found


def _wycheproof_exchanges(name: str) -> list[Vector]:
    """On the twist, too, and with coordinates above p; what comes to 0, or has another length, is refused."""
    at, found = CURVES[name], []
    for group, test in wycheproof(name):
        secret, public = bytes.fromhex(test["private"]), bytes.fromhex(test["public"])
        answer = partial(exchanged, name, secret, public, test["shared"])
        refused = len(public) != at.bytes or not int(test["shared"] or "0", 16)
        more = {"valid": not refused, "kind": f"{test['flags']} {test['result']}"}
        found.append(_of_curve(str(test["tcId"]), at, _told(group, test), answer, **more))
    return found


# --- all --------------------------------------------------------------------------------------------

ECDSA = (
    ("p192", "ecdsa_secp192r1_sha256", "sha256", 454, 230),
    ("p224", "ecdsa_secp224r1_sha224", "sha224", 452, 229),
    ("p256", "ecdsa_secp256r1_sha256", "sha256", 484, 262),
    ("p384", "ecdsa_secp384r1_sha384", "sha384", 504, 280),
    ("p521", "ecdsa_secp521r1_sha512", "sha512", 542, 318),
    ("secp256k1", "ecdsa_secp256k1_sha256", "sha256", 476, 252),
)
"""The curve, the file, the hash; vectors in DER, and as two numbers."""

OTHER_HASHES: Mapping[str, tuple[tuple[str, *tuple[int, ...]], ...]] = {
    "SHA-256": (("p224", 481, 258), ("p384", 472)),
    "SHA-512": (("p224", 550, 327), ("p256", 554, 332), ("p384", 542, 318), ("secp256k1", 546, 322)),
    "SHA3-224": (("p224", 470),),
    "SHA3-256": (("p224", 479), ("p256", 482), ("secp256k1", 474)),
    "SHA3-384": (("p384", 504),),
    "SHA3-512": (("p224", 544), ("p256", 548), ("p384", 536), ("p521", 534), ("secp256k1", 540)),
}
"""Likewise, by the hash."""

SOURCES = (
    Source("NIST CAVP, ECDSA key pairs", 150, _key_pairs),
    Source("NIST CAVP, ECDSA signatures", 900, partial(_signatures, f"{FIPS}/SigGen.txt")),
    Source("NIST CAVP, ECDSA verifications", 900, _verifications),
    *(
        Source("NIST CAVP, agreement of SP 800-56A", 150, partial(_agreements, side))
        for side in ("init", "resp")
    ),
    Source("NIST CAVP, ECC CDH", 125, _primitives),
    *(
        Source("point-at-infinity.org, multiples of G", count, partial(_multiples, name))
        for name, count in (("p192", 52), ("p224", 52), ("p256", 52), ("p384", 52), ("p521", 52))
    ),
    Source("cryptography, key pairs on secp256k1", 900, partial(_key_pairs_of_signatures, SECP256K1)),
    Source("cryptography, ECDSA on secp256k1", 900, partial(_signatures, SECP256K1)),
    Source("RFC 5903, ECDH", 6, _rfc_5903),
    Source("RFC 6979, ECDSA", 120, _deterministic),
    Source("RFC 7027, ECDH", 3, _brainpool),
    *(
        Source("RFC 7748, X25519 and X448", count, partial(_rfc_7748, name))
        for name, count in (("x25519", 3), ("x448", 3))
    ),
    Source("RFC 7748, X25519, a thousand times", 1, _a_thousand),
    Source("ed25519.cr.yp.to, Ed25519", 1024, _ed25519),
    Source("RFC 8032, Ed448", 8, _ed448),
    Source("GB/T 32918.5, SM2", 6, _sm2),
    *(
        Source(
            "Wycheproof, ECDSA",
            count,
            partial(_wycheproof_ecdsa, name, file + suffix, hash_),
        )
        for name, file, hash_, *counts in ECDSA
        for count, suffix in zip(counts, ("", "_p1363"), strict=True)
    ),
    *(
        Source(
            f"Wycheproof, ECDSA with {title}",
            count,
            partial(_wycheproof_ecdsa, name, f"ecdsa_{CURVES[name].other}_{hash_}{suffix}", hash_),
        )
        for title, some in OTHER_HASHES.items()
        for hash_ in [title.lower().replace("sha-", "sha").replace("-", "_")]
        for name, *counts in some
        for count, suffix in zip(counts, ("", "_p1363"), strict=False)
    ),
    *(
        Source("Wycheproof, ECDH", count, partial(_wycheproof_ecdh, name, form, decoded))
        for name, form, decoded, count in (
            ("p224", "_ecpoint", points.decoded, 458),
            ("p256", "_ecpoint", points.decoded, 355),
            ("p384", "_ecpoint", points.decoded, 790),
            ("p521", "_ecpoint", points.decoded, 661),
            ("secp256k1", "", _key_in_der, 752),
        )
    ),
    *(
        Source("Wycheproof, X25519 and X448", count, partial(_wycheproof_exchanges, name))
        for name, count in (("x25519", 518), ("x448", 510))
    ),
    *(
        Source("Wycheproof, EdDSA", count, partial(_wycheproof_eddsa, name))
        for name, count in (("ed25519", 210), ("ed448", 87))
    ),
)
"""In the order of the table."""
