# SPDX-License-Identifier: Apache-2.0
"""Keys of elliptic curves in files, encodings of points, SM2: against OpenSSL and the standard's examples.

The model of a curve is in place of the hardware.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from modmul.cli import ecc as commands
from modmul.cli.app import app
from modmul.core import Polynomial
from modmul.moduli import CURVES, Curve, Point, curve
from modmul.moduli.curves import BINARY, EDWARDS, MONTGOMERY, WEIERSTRASS
from modmul.tools.progress import Listener
from modmul.use import curve_keys, ecc, points, sm2
from modmul.vectors import printed
from modmul.verify.failures import VerificationError

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
SM2 = CURVES["sm2"]


def openssl(*arguments: str | Path) -> bytes:
    return subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True).stdout


def wrong(at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
    x, y = ecc.model(at, scalar, point, listener)
    return x ^ 1, y


class Model(ecc.Hardware):
    """Hardware that is the model of the curve, or of the program for x alone."""

    def __call__(self, at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
        if at.form != MONTGOMERY:
            return ecc.model(at, scalar, point, listener)
        running, _ = self.prepared(at, scalar, point)
        config = running.build.config.at(at.modulus)
        return running.build.core.function.answer(config, at.modulus, *running.operands), 0

    def both(self, at: Curve, u: int, v: int, point: tuple[int, int], listener: Listener) -> Point:
        return at.add(at.multiply(u, at.base), at.multiply(v, point))


class Wrong(ecc.Hardware):
    """Hardware that is wrong."""

    def __call__(self, at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
        return wrong(at, scalar, point, listener)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "_hardware", Model)
    Path("message").write_bytes(b"attack at dawn\n")
    return tmp_path


def invoked(line: str) -> Result:
    return CliRunner().invoke(app, ["ecc", *line.split()])


def done(line: str) -> None:
    result = invoked(line)
    assert result.exit_code == 0, result.exception


def refused(line: str, reason: str) -> None:
    error = invoked(line).exception
    assert isinstance(error, ValueError) and re.search(reason, str(error)), error
    assert len(str(error).splitlines()) == 1


# --- points as bytes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "at",
    [
        Curve("toy", WEIERSTRASS, 31, 5, 23, (0, 0), 29),
        Curve("toy", WEIERSTRASS, 97, 2, 3, (0, 0), 100),
        Curve("toy", BINARY, Polynomial(0b100101), 1, 1, (0, 1), 22),
    ],
    ids=["p = 3 mod 4", "p = 1 mod 32", "GF(2^m)"],
)
def test_all_encodings_of_a_small_curve(at: Curve) -> None:
    """Those of its points lead back, and no others are taken."""
    size = 1 << at.bits
    own = {(x, y) for x in range(size) for y in range(size) if at.holds((x, y))}
    for compressed in (False, True):
        assert {points.decoded(at, points.encoded(at, each, compressed)) for each in own} == own
    found = 0
    for kind in (2, 3):
        for x in range(256):
            with suppress(ecc.CurveError):
                found += points.decoded(at, bytes([kind, x])) in own
    assert found == len(own)
    for other in (b"", b"\0", b"\2", b"\4\1", b"\5\1\1", b"\4\1\1\1"):
        with pytest.raises(ecc.CurveError, match="no point"):
            points.decoded(at, other)


@pytest.mark.parametrize("name", ["p224", "p521", "secp256k1", "b163", "k233"])
def test_encodings_of_large_curves(name: str, rng: random.Random) -> None:
    at = CURVES[name]
    point = at.multiply(rng.randrange(1, 1000), at.base)
    assert point
    for each in (point, at.negative(point)):
        assert each and points.decoded(at, points.encoded(at, each, compressed=True)) == each
    with pytest.raises(ecc.CurveError, match="no point"):
        points.decoded(at, b"\4" + (point[0] ^ 1).to_bytes(at.bytes) + point[1].to_bytes(at.bytes))


def test_edwards_points_have_another_encoding() -> None:
    at = next(each for each in CURVES.values() if each.form == EDWARDS)
    with pytest.raises(ecc.CurveError, match="another encoding"):
        points.encoded(at, at.base)


# --- SM2 ------------------------------------------------------------------------------------------


def test_encryption_of_the_standard() -> None:
    """GB/T 32918.5, annex C."""
    secret, nonce = (int(printed.SM2[each], 16) for each in ("secret", "nonce"))
    public = ecc.times(ecc.model, SM2, secret, SM2.base, lambda told: None)
    parts = sm2.encrypt(SM2, public, b"encryption standard", ecc.model, nonce=nonce)
    data = sm2.joined(SM2, *parts)
    assert data.hex() == printed.SM2["hidden"]
    assert sm2.decrypt(SM2, secret, *sm2.parted(SM2, data), ecc.model) == b"encryption standard"
    for at in (70, len(data) - 1):
        changed = bytes(each ^ (index == at) for index, each in enumerate(data))
        with pytest.raises(ecc.CurveError, match="or has been changed"):
            sm2.decrypt(SM2, secret, *sm2.parted(SM2, changed), ecc.model)
    with pytest.raises(VerificationError):
        sm2.decrypt(SM2, secret, *parts, wrong)
    with pytest.raises(ecc.CurveError, match="empty"):
        sm2.encrypt(SM2, public, b"", ecc.model)
    with pytest.raises(ecc.CurveError, match="too short"):
        sm2.parted(SM2, data[:97])


def test_key_exchange_of_the_standard() -> None:
    """GB/T 32918.5, annex B."""
    names = ("own", "other", "own once", "other once")
    own, other, own_once, other_once = (int(printed.SM2[each], 16) for each in names)

    def of(secret: int) -> tuple[int, int]:
        return ecc.model(SM2, secret, SM2.base, lambda told: None)

    one, two = sm2.Side(of(own), of(own_once)), sm2.Side(of(other), of(other_once))
    found = sm2.exchange(SM2, (own, own_once), one, two, ecc.model, begins=True)
    made = {"key": found.key, "first": found.first, "second": found.second}
    assert all(each.hex() == printed.SM2[name] for name, each in made.items())
    assert found == sm2.exchange(SM2, (other, other_once), two, one, ecc.model, begins=False)
    assert found != sm2.exchange(SM2, (other, other_once), two, one, ecc.model, begins=True)
    named = sm2.Side(two.public, two.once, b"ALICE123@YAHOO.COM")
    assert found.key != sm2.exchange(SM2, (own, own_once), one, named, ecc.model, begins=True).key


# --- files ----------------------------------------------------------------------------------------


@needs_openssl
@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("prime256v1", "p256"),
        ("P-384", "p384"),
        ("brainpoolP256r1", "brainpool256"),
        ("X25519", "x25519"),
        ("ED448", "ed448"),
        ("SM2", "sm2"),
        ("sect163k1", "k163"),
        ("B-163", "b163"),
        *(
            pytest.param(curve(name).other, name, marks=pytest.mark.long)
            for name, at in CURVES.items()
            if at.form == BINARY and at.bits > 163 and at.other
        ),
    ],
)
def test_openssl_reads_new_keys(asked: str, name: str, folder: Path) -> None:
    done(f"keygen {asked} -o key --public public")
    assert (folder / "key").stat().st_mode & 0o777 == 0o600
    assert openssl("pkey", "-in", "key", "-pubout") == (folder / "public").read_bytes()
    assert b"valid" in openssl("pkey", "-in", "key", "-check", "-noout")
    done("public -k key --der -o public.der")
    assert openssl("pkey", "-in", "key", "-pubout", "-outform", "DER") == (folder / "public.der").read_bytes()
    done(f"keygen {asked} --der -o key.der")
    openssl("pkey", "-in", "key.der", "-inform", "DER", "-noout")
    if CURVES[name].form in (WEIERSTRASS, BINARY):
        done("public -k key --compressed -o short")
        assert len((folder / "short").read_bytes()) < len((folder / "public").read_bytes())
        text = openssl("pkey", "-pubin", "-in", "public", "-text", "-noout").decode()
        short = openssl("ec", "-pubin", "-in", "short", "-conv_form", "uncompressed", "-text", "-noout")
        wanted, found = (re.sub(r"\s", "", each.partition("pub:")[2]) for each in (text, short.decode()))
        assert found == wanted
        done("public -k key --core rrm -o again")
        assert (folder / "again").read_bytes() == (folder / "public").read_bytes()


def new_key(at: Curve, file: str) -> None:
    """A key of OpenSSL's, and its public key with ``.pub``."""
    kind = [at.other]
    if at.form in (WEIERSTRASS, BINARY):
        named = {"secp192r1": "prime192v1", "secp256r1": "prime256v1"}.get(at.other, at.other)
        kind = ["EC", "-pkeyopt", f"ec_paramgen_curve:{named}"]
    openssl("genpkey", "-algorithm", *kind, "-out", file)
    openssl("pkey", "-in", file, "-pubout", "-out", f"{file}.pub")


AT_ONCE = ("p256", "sm2", "b163", "x25519", "ed25519")
"""The others are for the long tests."""


@needs_openssl
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in AT_ONCE else pytest.mark.long)
        for name, at in CURVES.items()
        if at.other
    ],
)
def test_keys_of_openssl(name: str, folder: Path) -> None:
    """Each form that it writes is the same key; it takes signatures and secrets that are made with it."""
    at = CURVES[name]
    new_key(at, "key")
    openssl("pkcs8", "-topk8", "-nocrypt", "-in", "key", "-out", "new")
    openssl("pkey", "-in", "key", "-outform", "DER", "-out", "new.der")
    forms = ["key", "new", "new.der"]
    if at.form in (WEIERSTRASS, BINARY):
        openssl("ec", "-in", "key", "-out", "old")
        openssl("ec", "-in", "key", "-outform", "DER", "-out", "old.der")
        forms += ["old", "old.der"]
    found = [curve_keys.private_key(folder / each, lambda: None) for each in forms]
    assert {curve_keys.curve_of(each) for each in found} == {at}
    assert len({curve_keys.private_bytes(each) for each in found}) == 1
    done(f"public -k {forms[-1]} -o public --core rrm")
    assert (folder / "public").read_bytes() == (folder / "key.pub").read_bytes()
    if at.form == MONTGOMERY:
        new_key(at, "other")
        done(f"derive -k {forms[-1]} -p other.pub --core rrm -o secret")
        theirs = openssl("pkeyutl", "-derive", "-inkey", "other", "-peerkey", "key.pub")
        assert (folder / "secret").read_bytes() == theirs
        return
    done(f"sign -k {forms[-1]} -i message --core rrm -o signature")
    how = {
        "sm2": ("-digest", "sm3", "-pkeyopt", "distid:1234567812345678"),
        **dict.fromkeys(("ed25519", "ed448"), ()),
    }.get(name, ("-digest", "sha256"))
    signed = ("-rawin", "-in", "message", "-sigfile", "signature", *how)
    assert openssl("pkeyutl", "-verify", "-pubin", "-inkey", "key.pub", *signed)


@needs_openssl
@pytest.mark.parametrize("name", ["sm2", "b163"])
def test_damaged_keys_of_openssl(name: str, folder: Path) -> None:
    """And those that are encrypted, of curves that the library does not read."""
    new_key(CURVES[name], "key")
    openssl("ec", "-in", "key", "-outform", "DER", "-out", "old.der")
    data = bytearray((folder / "old.der").read_bytes())
    data[20] ^= 1
    (folder / "bad").write_bytes(data)
    refused("public -k bad", "not that of the private one")
    openssl("pkcs8", "-topk8", "-in", "key", "-out", "locked", "-passout", "pass:x")
    refused("public -k locked", "is encrypted")


@needs_openssl
def test_sm2_with_openssl(folder: Path) -> None:
    openssl("genpkey", "-algorithm", "SM2", "-out", "key")
    openssl("pkey", "-in", "key", "-pubout", "-out", "public")
    message = (folder / "message").read_bytes()
    done("encrypt -k public -i message --core rrm -o hidden")
    assert openssl("pkeyutl", "-decrypt", "-inkey", "key", "-in", "hidden") == message
    openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", "public", "-in", "message", "-out", "theirs")
    done("encrypt -k public -i message --core rrm -o raw --raw")
    for hidden in ("theirs", "raw"):
        done(f"decrypt -k key -i {hidden} --core rrm -o shown")
        assert (folder / "shown").read_bytes() == message
    refused("decrypt -k key -i message --core rrm -o other", "not what SM2 encrypts")
    identity = ("-rawin", "-digest", "sm3", "-pkeyopt", "distid:1234567812345678")
    done("sign -k key -i message --core rrm")
    signed = ("-in", "message", "-sigfile", "message.sig")
    assert openssl("pkeyutl", "-verify", "-pubin", "-inkey", "public", *signed, *identity)
    openssl("pkeyutl", "-sign", "-inkey", "key", "-in", "message", "-out", "signature", *identity)
    done("verify -k public -i message -s signature --core rrm")
    (folder / "signature").write_bytes(b"no signature")
    assert invoked("verify -k public -i message -s signature").exit_code == 1
    refused("sign -k key -i message --core rrm --hash sha256", "unknown hash 'sha256' for sm2; there is sm3")


@needs_openssl
def test_a_binary_curve_with_openssl(folder: Path) -> None:
    for each in ("key", "other"):
        done(f"keygen b163 -o {each} --public {each}.pub")
    done("sign -k key -i message --core rrm")
    signed = ("-signature", "message.sig", "message")
    assert openssl("dgst", "-sha256", "-verify", "key.pub", *signed) == b"Verified OK\n"
    done("derive -k key -p other.pub --core rrm -o secret")
    theirs = openssl("pkeyutl", "-derive", "-inkey", "other", "-peerkey", "key.pub")
    assert (folder / "secret").read_bytes() == theirs


def test_a_key_exchange_in_files(folder: Path) -> None:
    for each in ("a", "b", "ra", "rb"):
        done(f"keygen sm2 -o {each} --public {each}.pub")
    done("derive -k a -p b.pub --once ra --peer-once rb.pub --core rrm --bytes 48 -o one")
    done("derive -k b -p a.pub --once rb --peer-once ra.pub --answers --core rrm --bytes 48 -o two")
    assert (folder / "one").read_bytes() == (folder / "two").read_bytes()
    assert len((folder / "one").read_bytes()) == 48
    refused("derive -k a -p b.pub --core rrm -o one", "--once, --peer-once")
    refused("derive -k a -p b.pub --once ra --core rrm -o one", "go together")
    done("keygen p256 -o p --public p.pub")
    refused("derive -k p -p p.pub --once ra --peer-once rb.pub --core rrm -o one", "and no others")


def test_what_keygen_refuses(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done("keygen p256 -o key --json --core rrm")
    before = (folder / "key").read_bytes()
    refused("keygen p256 -o key", "there is a file key")
    refused("keygen p256 -o new --public key", "there is a file key")
    refused("keygen p256 -o new --public new", "go to two files")
    refused("keygen p257 -o new", "there is no curve p257; did you mean p256")
    refused("keygen sm2-binary -o new", "no name for sm2-binary in key files")
    refused("keygen x25519 -o new --compressed", "leave --compressed away")
    (folder / "word").write_text("open sesame\n")
    refused("keygen sm2 -o new --passphrase-file word", "openssl pkcs8 -topk8")
    refused("encrypt -k key -i message --core rrm -o new", "a key of p256 does not encrypt")
    monkeypatch.setattr(commands, "_hardware", Wrong)
    assert isinstance(invoked("keygen p256 -o new --core rrm").exception, VerificationError)
    assert (folder / "key").read_bytes() == before and not (folder / "new").exists()
    done("keygen p256 -o locked --passphrase-file word")
    assert (
        json.loads(invoked("public -k locked --passphrase-file word -o p --json").stdout)["curve"] == "p256"
    )
    refused("public -k locked", "is encrypted")
