# SPDX-License-Identifier: Apache-2.0
"""RSA around hardware: keys, paddings, checks, the command line; against OpenSSL and published vectors.

Python's ``pow`` is the hardware here.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import lcm, prod
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from modmul.cli import main
from modmul.cli import rsa as commands
from modmul.core import ceil_div
from modmul.moduli.keys import primes_of
from modmul.moduli.multi_prime import MultiPrimeKey
from modmul.tools.paths import PlaceError, replacing
from modmul.tools.progress import Listener, Progress, ignore
from modmul.use import ecc
from modmul.use.rsa import (
    DECRYPTION_PADDINGS,
    HASHES,
    SIGNATURE_PADDINGS,
    Answer,
    Engine,
    Passphrase,
    PrivateKey,
    PrivateNumbers,
    RSAError,
    check_crt,
    decrypt,
    holds,
    private_key,
    public_key,
    sign,
    verify,
    verify_on,
)
from modmul.vectors.rsa import FILES, File
from modmul.vectors.vector import Bench, Vector
from modmul.verify.failures import VerificationError

CORE = "montgomery_csa2"
BITS = 1536
"""Of a key that is long enough for every scheme with every hash."""
MESSAGE = b"attack at dawn\n"
PASSPHRASE = b"open sesame"
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")


# --- the hardware, and keys -----------------------------------------------------------------------


def right(numbers: PrivateNumbers, number: int, listener: Listener) -> Answer:
    """Hardware that does what it should, in as many cycles as the modulus has bits squared."""
    n = numbers.public_numbers.n
    assert 0 <= number < n
    listener(Progress("exponentiate", "", 0, 1))
    listener(Progress("exponentiate", "", 1, 1))
    return Answer(pow(number, numbers.d, n), n.bit_length() ** 2, 125.0)


def wrong(numbers: PrivateNumbers, number: int, listener: Listener) -> Answer:
    return Answer(right(numbers, number, listener).value ^ 1, 1)


def too_large(numbers: PrivateNumbers, number: int, listener: Listener) -> Answer:
    """The right power, but not reduced."""
    return Answer(right(numbers, number, listener).value + numbers.public_numbers.n, 1)


def interrupted(numbers: PrivateNumbers, number: int, listener: Listener) -> Answer:
    listener(Progress("exponentiate", "", 0, 9))
    raise KeyboardInterrupt


def unused(numbers: PrivateNumbers, number: int, listener: Listener) -> Answer:
    raise AssertionError("the hardware was asked")


@cache
def key_of(bits: int) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, bits)


def key_from(p: int, q: int, e: int = 65537) -> rsa.RSAPrivateKey:
    d = pow(e, -1, lcm(p - 1, q - 1))
    public = rsa.RSAPublicNumbers(e, p * q)
    return rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public).private_key()


@cache
def unequal_key() -> rsa.RSAPrivateKey:
    """Its primes have 512 and 1024 bits."""
    return key_from(key_of(1024).private_numbers().p, key_of(2048).private_numbers().q)


def private_bytes(
    key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey,
    encoding: Encoding = Encoding.PEM,
    form: PrivateFormat = PrivateFormat.PKCS8,
    encryption: KeySerializationEncryption | None = None,
) -> bytes:
    return key.private_bytes(encoding, form, encryption or NoEncryption())


def public_bytes(
    key: rsa.RSAPrivateKey,
    encoding: Encoding = Encoding.PEM,
    form: PublicFormat = PublicFormat.SubjectPublicKeyInfo,
) -> bytes:
    return key.public_key().public_bytes(encoding, form)


def der(*numbers: int) -> bytes:
    """DER: a sequence of integers; a tuple of the same is a key of PKCS#1."""
    return sequence(*map(integer, numbers))


def sequence(*contents: bytes) -> bytes:
    return b"\x30" + length(b"".join(contents))


def integer(number: int) -> bytes:
    return b"\x02" + length(number.to_bytes(number.bit_length() // 8 + 1))


def length(inside: bytes) -> bytes:
    size = len(inside)
    if size < 128:
        return bytes([size]) + inside
    digits = size.to_bytes((size.bit_length() + 7) // 8)
    return bytes([128 + len(digits)]) + digits + inside


def parts(key: rsa.RSAPrivateKey) -> list[int]:
    """n, e, d, p, q, d mod p - 1, d mod q - 1, q^-1 mod p: the order of PKCS#1."""
    numbers = key.private_numbers()
    public = numbers.public_numbers
    return [
        *(public.n, public.e, numbers.d, numbers.p, numbers.q),
        *(numbers.dmp1, numbers.dmq1, numbers.iqmp),
    ]


def given(passphrase: bytes | None) -> Passphrase:
    return lambda: passphrase


def not_asked() -> bytes | None:
    raise AssertionError("asked for a passphrase")


def openssl(*arguments: str | Path, data: bytes = b"") -> bytes:
    done = subprocess.run(["openssl", *map(str, arguments)], input=data, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- reading keys ---------------------------------------------------------------------------------

FORMS = [
    (encoding, form)
    for encoding in (Encoding.PEM, Encoding.DER)
    for form in (PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL)
]


@pytest.mark.parametrize(("encoding", "form"), FORMS)
def test_private_keys(encoding: Encoding, form: PrivateFormat, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_bytes(private_bytes(key_of(1024), encoding, form))
    assert private_key(file, not_asked).private_numbers() == key_of(1024).private_numbers()
    assert public_key(file, not_asked).public_numbers() == key_of(1024).public_key().public_numbers()


@pytest.mark.parametrize("form", [PublicFormat.SubjectPublicKeyInfo, PublicFormat.PKCS1])
@pytest.mark.parametrize("encoding", [Encoding.PEM, Encoding.DER])
def test_public_keys(encoding: Encoding, form: PublicFormat, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_bytes(public_bytes(key_of(1024), encoding, form))
    assert public_key(file, not_asked).public_numbers() == key_of(1024).public_key().public_numbers()
    with pytest.raises(RSAError, match="key holds a public key; this takes the private one"):
        private_key(file, not_asked)


ENCRYPTED = [form for form in FORMS if form != (Encoding.DER, PrivateFormat.TraditionalOpenSSL)]
"""An encrypted key of PKCS#1 is always PEM."""


@pytest.mark.parametrize(("encoding", "form"), ENCRYPTED)
def test_encrypted_keys(encoding: Encoding, form: PrivateFormat, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_bytes(private_bytes(key_of(1024), encoding, form, BestAvailableEncryption(PASSPHRASE)))
    assert private_key(file, given(PASSPHRASE)).private_numbers() == key_of(1024).private_numbers()
    for nothing in (None, b""):
        with pytest.raises(RSAError, match="is encrypted; give its passphrase with --passphrase-file or in"):
            private_key(file, given(nothing))
    for other in (b"open", b"\0\xff", b"x" * 2000):
        with pytest.raises(RSAError, match="cannot be decrypted: the passphrase is wrong, or the file is da"):
            private_key(file, given(other))


@needs_openssl
def test_keys_of_openssl(tmp_path: Path) -> None:
    file = tmp_path / "key"
    secret = f"pass:{PASSPHRASE.decode()}"
    for arguments in (
        ["genrsa", "1024"],
        ["genrsa", "-traditional", "1025"],
        ["genrsa", "-3", "1026"],
        ["genrsa", "-aes256", "-passout", secret, "1024"],
        ["genrsa", "-aes128", "-traditional", "-passout", secret, "1024"],
        ["genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024"],
    ):
        file.write_bytes(openssl(*arguments))
        key = private_key(file, given(PASSPHRASE))
        modulus = openssl("rsa", "-in", file, "-passin", secret, "-noout", "-modulus")
        assert int(modulus.partition(b"=")[2], 16) == key.private_numbers().public_numbers.n


def refusal(data: bytes, folder: Path, *, public: bool = False) -> str:
    """The one line with which a file is refused as a private key, and as a public one if so asked."""
    file = folder / "key.pem"
    file.write_bytes(data)
    with pytest.raises(RSAError) as refused:
        (public_key if public else private_key)(file, given(None))
    message = str(refused.value)
    assert message.startswith(f"{file} ") and "\n" not in message
    return message.removeprefix(f"{file} ")


@pytest.mark.parametrize("public", [False, True])
def test_other_kinds_of_key(public: bool, tmp_path: Path) -> None:
    others: dict[str, ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey] = {
        "EC": ec.generate_private_key(ec.SECP256R1()),
        "Ed25519": ed25519.Ed25519PrivateKey.generate(),
    }
    for name, other in others.items():
        for encoding in (Encoding.PEM, Encoding.DER):
            written = [
                private_bytes(other, encoding),
                other.public_key().public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo),
            ]
            for data in written:
                kind = f"holds a key of another kind ({name}); an RSA key is needed"
                assert refusal(data, tmp_path, public=public) == kind
    ssh = private_bytes(key_of(1024), form=PrivateFormat.OpenSSH)
    assert "OpenSSH's own format" in refusal(ssh, tmp_path, public=public)


def pem() -> bytes:
    return private_bytes(key_of(1024))


@pytest.mark.parametrize(
    "broken",
    [
        lambda: b"",
        lambda: b"hello",
        lambda: bytes(range(256)),
        lambda: pem()[:400],
        lambda: pem()[:300] + pem()[340:],
        lambda: pem().replace(b"PRIVATE", b"PUBLIC"),
        lambda: b"-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----\n",
        lambda: b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        lambda: public_bytes(key_of(1024), Encoding.OpenSSH, PublicFormat.OpenSSH),
        lambda: private_bytes(key_of(1024), Encoding.DER)[:-9],
    ],
    ids=range(10),
)
def test_files_that_are_no_key(broken: Callable[[], bytes], tmp_path: Path) -> None:
    for public in (False, True):
        message = refusal(broken(), tmp_path, public=public)
        assert message == "holds no RSA key that can be read, neither PEM nor DER"


def test_keys_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.pem", tmp_path):
        with pytest.raises(RSAError, match=re.escape(f"cannot read the key {path}: ")):
            private_key(path, given(None))
    assert refusal(bytes(1 << 21), tmp_path) == "is too large for a key"


def test_lengths_that_are_not_taken(tmp_path: Path) -> None:
    small, large = (1 << 1022) + 1, (1 << 4096) + 1
    for n, bits in ((small, 1023), (large, 4097)):
        message = refusal(der(n, 65537), tmp_path, public=True)
        assert message == f"has {bits} bits; RSA keys of 1024 to 4096 bits are taken"
    file = tmp_path / "key"
    for n in ((1 << 1023) + 1, (1 << 4096) - 1):
        file.write_bytes(der(n, 65537))
        assert public_key(file, not_asked).public_numbers().n == n


def test_keys_whose_numbers_are_wrong(tmp_path: Path) -> None:
    good = parts(key_of(1024))
    assert private_key_of(der(0, *good), tmp_path) == key_of(1024).private_numbers()
    for index in range(len(good)):
        bad = list(good)
        bad[index] += 2
        assert refusal(der(0, *bad), tmp_path).startswith("is damaged")
    assert (
        refusal(der(1 << 1023, 65537), tmp_path, public=True) == "has an even modulus, which no RSA key has"
    )
    for e in (1, 4):
        message = refusal(der(good[0], e), tmp_path, public=True)
        assert message == "is damaged: its public exponent is not odd, or out of range"


def private_key_of(data: bytes, folder: Path) -> PrivateNumbers:
    file = folder / "key"
    file.write_bytes(data)
    return private_key(file, not_asked).private_numbers()


@cache
def primes_from(count: int) -> tuple[int, ...]:
    """So many primes of 512 bits."""
    pairs = [rsa.generate_private_key(65537, 1024).private_numbers() for _ in range(ceil_div(count, 2))]
    return tuple(prime for pair in pairs for prime in (pair.p, pair.q))[:count]


def multi_prime(*primes: int) -> list[int | list[int]]:
    """The numbers of PKCS#1: version 1, and for each further prime its exponent and its coefficient."""
    p, q, *more = primes
    d = pow(65537, -1, lcm(*(prime - 1 for prime in primes)))
    numbers = [1, prod(primes), 65537, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p)]
    return [
        *numbers,
        *([r, d % (r - 1), pow(prod(primes[:at]), -1, r)] for at, r in enumerate(more, 2)),
    ]


def multi_prime_der(numbers: list[int | list[int]]) -> bytes:
    alone = [integer(number) for number in numbers if isinstance(number, int)]
    return sequence(*alone, sequence(*(der(*each) for each in numbers if isinstance(each, list))))


@pytest.mark.parametrize("count", [3, 4])
def test_keys_of_more_primes(count: int, tmp_path: Path) -> None:
    primes = primes_from(count)
    (tmp_path / "key").write_bytes(multi_prime_der(multi_prime(*primes)))
    key = private_key(tmp_path / "key", not_asked)
    check_crt(key)
    assert primes_of(key.private_numbers()) == primes
    public = public_key(tmp_path / "key", not_asked)
    assert public.public_numbers() == rsa.RSAPublicNumbers(65537, prod(primes))
    for scheme in SIGNATURE_PADDINGS:
        signed = sign(key, MESSAGE, right, padding=scheme)
        assert verify(public, MESSAGE, signed.data, padding=scheme)
    for scheme in DECRYPTION_PADDINGS:
        secret = encrypted(key, MESSAGE, scheme, "sha256")
        assert decrypt(key, secret, right, padding=scheme).data == MESSAGE
        with pytest.raises(RSAError, match="is no message to this key"):
            decrypt(key, (int.from_bytes(secret) ^ 1).to_bytes(len(secret)), right, padding=scheme)
    for engine in (wrong, too_large):
        with pytest.raises(VerificationError):
            sign(key, MESSAGE, engine)


def test_keys_of_more_primes_whose_numbers_are_wrong(tmp_path: Path) -> None:
    """Each of them in turn; and keys that have no further prime, or one whose lists are torn."""
    good = multi_prime(*primes_from(4))
    for index, number in enumerate(good):
        for inner in range(len(number) if isinstance(number, list) else 1):
            bad = [list(each) if isinstance(each, list) else each for each in good]
            if isinstance(number, list):
                bad[index] = [each + 2 * (at == inner) for at, each in enumerate(number)]
            else:
                bad[index] = number + 2
            assert refusal(multi_prime_der(bad), tmp_path).startswith("is damaged: its numbers")
    for bad in (good[:9], [*good[:9], good[9][:2]]):  # type: ignore[index]
        assert refusal(multi_prime_der(bad), tmp_path).startswith(("is damaged", "holds no RSA key"))


@needs_openssl
def test_keys_of_more_primes_from_openssl(tmp_path: Path) -> None:
    """Of 1026 bits, those of each prime are 342; of 1024 they differ, and the hardware takes them, too."""
    for form in ([], ["-traditional"]):
        (tmp_path / "key").write_bytes(openssl("genrsa", *form, "-primes", "3", "1026"))
        key = private_key(tmp_path / "key", not_asked)
        check_crt(key)
        modulus = openssl("rsa", "-in", tmp_path / "key", "-noout", "-modulus")
        assert prod(primes_of(key.private_numbers())) == int(modulus.partition(b"=")[2], 16)
        (tmp_path / "key").write_bytes(openssl("genrsa", *form, "-primes", "3", "1024"))
        key = private_key(tmp_path / "key", not_asked)
        assert verify(key.public_key(), MESSAGE, sign(key, MESSAGE, right).data)
        check_crt(key)
        lengths = [prime.bit_length() for prime in primes_of(key.private_numbers())]
        assert sorted(lengths) == [341, 341, 342]
    engine = commands.hardware_engine("montgomery_csa2", key.key_size, True, {"Word": 128}, lengths)
    assert verify(key.public_key(), MESSAGE, sign(key, MESSAGE, engine).data)
    secret = ("-aes128", "-passout", "pass:secret")
    (tmp_path / "key").write_bytes(openssl("genrsa", *secret, "-primes", "3", "1024"))
    with pytest.raises(RSAError, match="more than two primes and is encrypted, which is not supported"):
        private_key(tmp_path / "key", given(b"secret"))


def test_primes_that_are_for_no_crt() -> None:
    check_crt(key_of(1024))
    check_crt(unequal_key())
    with pytest.raises(RSAError, match=r"has 5 primes, and CRT takes up to 4; use --no-crt"):
        check_crt(MultiPrimeKey(primes_from(5), 65537, 3))
    result = sign(unequal_key(), MESSAGE, right)
    assert verify(unequal_key().public_key(), MESSAGE, result.data)


# --- operations -----------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [1024, 1025, 1031])
@pytest.mark.parametrize("digest", HASHES)
@pytest.mark.parametrize("scheme", SIGNATURE_PADDINGS)
def test_signatures(scheme: str, digest: str, bits: int) -> None:
    key = key_of(bits)
    result = sign(key, MESSAGE, right, padding=scheme, digest=digest)
    assert len(result.data) == (bits + 7) // 8
    assert (int.from_bytes(result.data), bits**2) == (result.answer.value, result.answer.cycles)
    public = key.public_key()
    assert verify(public, MESSAGE, result.data, padding=scheme, digest=digest)
    assert not verify(public, MESSAGE + b".", result.data, padding=scheme, digest=digest)
    for other in {*SIGNATURE_PADDINGS} - {scheme}:
        assert not verify(public, MESSAGE, result.data, padding=other, digest=digest)
    for other in {*HASHES} - {digest}:
        assert not verify(public, MESSAGE, result.data, padding=scheme, digest=other)
    assert not verify(key_of(2048).public_key(), MESSAGE, result.data, padding=scheme, digest=digest)


def encrypted(key: PrivateKey, message: bytes, scheme: str, digest: str) -> bytes:
    algorithm = HASHES[digest]()
    how: padding.AsymmetricPadding = padding.PKCS1v15()
    if scheme == "oaep":
        how = padding.OAEP(padding.MGF1(algorithm), algorithm, None)
    return key.public_key().encrypt(message, how)


@pytest.mark.parametrize(
    ("scheme", "digest"), [("pkcs1", "sha256"), *(("oaep", digest) for digest in HASHES)]
)
def test_decryption(scheme: str, digest: str) -> None:
    key = key_of(BITS)
    longest = BITS // 8 - (11 if scheme == "pkcs1" else 2 * HASHES[digest]().digest_size + 2)
    for message in (b"", b"\0", MESSAGE, bytes(longest)):
        data = encrypted(key, message, scheme, digest)
        result = decrypt(key, data, right, padding=scheme, digest=digest)
        assert result.data == message
        numbers = key.private_numbers()
        assert result.answer.value == pow(int.from_bytes(data), numbers.d, numbers.public_numbers.n)


@pytest.mark.parametrize("engine", [wrong, too_large])
def test_wrong_answers_are_noticed(engine: Engine) -> None:
    key = key_of(1024)
    for scheme in SIGNATURE_PADDINGS:
        with pytest.raises(VerificationError, match="the signature that the hardware has made is wrong"):
            sign(key, MESSAGE, engine, padding=scheme)
    for scheme in DECRYPTION_PADDINGS:
        data = encrypted(key, MESSAGE, scheme, "sha256")
        with pytest.raises(VerificationError, match="what the hardware has decrypted is wrong"):
            decrypt(key, data, engine, padding=scheme)
        assert decrypt(key, data, right, padding=scheme).data == MESSAGE


def test_ciphertexts_that_are_none() -> None:
    key = key_of(1024)
    n = key.public_key().public_numbers().n
    for scheme in DECRYPTION_PADDINGS:
        for data in (b"", bytes(127), bytes(129)):
            with pytest.raises(RSAError, match=f"has {len(data)} bytes; with this key it has 128"):
                decrypt(key, data, unused, padding=scheme)
        for number in (n, n + 1, (1 << 1024) - 1):
            with pytest.raises(RSAError, match="not below the modulus"):
                decrypt(key, number.to_bytes(128), unused, padding=scheme)
    with pytest.raises(RSAError, match="no message to this key with oaep padding and sha1"):
        decrypt(key, encrypted(key, MESSAGE, "oaep", "sha256"), unused, padding="oaep", digest="sha1")
    with pytest.raises(RSAError, match="no message to this key with oaep padding and sha512"):
        decrypt(key, bytes(128), unused, padding="oaep", digest="sha512")


@pytest.mark.parametrize(
    "block",
    [
        b"\0\2" + b"\1" * 125 + b"\1",  # no end of the filler
        b"\0\1" + b"\1" * 100 + b"\0" + b"m" * 25,
        b"\1\2" + b"\1" * 100 + b"\0" + b"m" * 25,
        b"\0\2" + b"\1" * 7 + b"\0" + b"m" * 118,  # too short a filler
        bytes(127) + b"\2",
    ],
)
def test_wrong_padding_of_pkcs1_is_told(block: bytes) -> None:
    """The cryptography library gives a random message in its place."""
    key = key_of(1024)
    public = key.public_key().public_numbers()
    number = int.from_bytes(block)
    data = pow(number, public.e, public.n).to_bytes(128)
    with pytest.raises(RSAError, match=r"no message to this key with pkcs1 padding$"):
        decrypt(key, data, right)


@pytest.mark.parametrize(
    ("block", "message", "held"),
    [
        (b"\0\2" + b"f" * 8 + b"\0" + b"message", b"message", True),
        (b"\0\2" + b"f" * 8 + b"\0", b"", True),
        (b"\0\2" + b"f" * 8 + b"\0" + b"a\0b", b"a\0b", True),
        (b"\0\2" + b"f" * 8 + b"\0" + b"a\0b", b"b", False),
        (b"\0\2" + b"f" * 8 + b"\0" + b"message", b"passage", False),
        (b"\0\2" + b"f" * 8 + b"\0" + b"message", b"essage", False),
        (b"\0\2" + b"f" * 7 + b"\0" + b"message", b"message", False),
        (b"\0\1" + b"f" * 8 + b"\0" + b"message", b"message", False),
        (b"\1\2" + b"f" * 8 + b"\0" + b"message", b"message", False),
        (b"\0\2\0", b"\0\2\0", False),
    ],
)
def test_which_message_a_block_of_pkcs1_holds(block: bytes, message: bytes, held: bool) -> None:
    assert holds(block, message) is held


def test_schemes_that_are_not_known() -> None:
    key = key_of(1024)
    for scheme in ("oaep", "none", ""):
        with pytest.raises(RSAError, match=f"the padding here is pkcs1 or pss, not '{scheme}'"):
            sign(key, MESSAGE, unused, padding=scheme)
        with pytest.raises(RSAError, match="the padding here is pkcs1 or pss"):
            verify(key.public_key(), MESSAGE, bytes(128), padding=scheme)
    with pytest.raises(RSAError, match="the padding here is pkcs1 or oaep, not 'pss'"):
        decrypt(key, bytes(128), unused, padding="pss")
    for call in (sign, decrypt):
        with pytest.raises(
            RSAError, match="unknown hash 'md5'; there are sha1, sha224, sha256, sha384, sha5"
        ):
            call(key, bytes(128), unused, digest="md5")


def raised(number: int, exponent: int, n: int, listener: Listener) -> Answer:
    listener(Progress("exponentiate", "", 1, 1))
    return Answer(pow(number, exponent, n), 17)


def test_the_public_operation_on_hardware() -> None:
    key = key_of(1024)
    public = key.public_key()
    signature = sign(key, MESSAGE, right).data
    answer = verify_on(raised, public, signature)
    assert answer.value.to_bytes(128).startswith(b"\0\1\xff") and answer.cycles == 17
    with pytest.raises(VerificationError, match="what the hardware has made of the signature is wrong"):
        verify_on(lambda number, *_: Answer(number, 17), public, signature)
    with pytest.raises(RSAError, match="not below the modulus"):
        verify_on(raised, public, public.public_numbers().n.to_bytes(128))


def test_what_is_said_of_an_answer() -> None:
    assert Answer(5, 1_234_567).effort == "1,234,567 clock cycles, checked"
    timed = Answer(5, 1_250_000, 125.0)
    assert timed.effort == "1,250,000 clock cycles, checked; 10.000 ms at 125.0 MHz"
    assert timed.to_json() == {"cycles": 1_250_000, "fmax_mhz": 125.0, "clocked": "", "seconds": 0.01}
    assert Answer(5, 9).to_json() == {"cycles": 9, "fmax_mhz": None, "clocked": "", "seconds": None}
    assert Answer(5, 9, 1.0, "fips on ecp5").effort.endswith("; 0.009 ms at 1.0 MHz, that of fips on ecp5")


# --- files that are written as a whole ------------------------------------------------------------


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    with replacing("thing", file) as put:
        assert not file.exists()
        put(b"first")
    file.chmod(0o640)
    link.symlink_to(file)
    with replacing("thing", link) as put:
        assert file.read_bytes() == b"first"
        put(b"second")
    assert file.read_bytes() == b"second" and link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    for error in (RuntimeError, KeyboardInterrupt, SystemExit):
        with pytest.raises(error), replacing("thing", file):
            raise error
    assert file.read_bytes() == b"second"
    assert {path.name for path in tmp_path.iterdir()} == {"file", "link"}


def test_places_that_cannot_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "none" / "file", tmp_path / "file" / "file"):
        with pytest.raises(PlaceError, match="cannot write the thing"), replacing("thing", place):
            raise AssertionError("the body was entered")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_device_stays_a_device() -> None:
    before = Path("/dev/null").stat()
    with replacing("thing", Path("/dev/null")) as put:
        put(b"gone")
    after = Path("/dev/null").stat()
    assert (after.st_ino, after.st_rdev) == (before.st_ino, before.st_rdev)
    with pytest.raises(PlaceError, match="No space left"), replacing("thing", Path("/dev/full")) as put:
        put(bytes(100_000))


# --- the command line -----------------------------------------------------------------------------


@dataclass
class Done:
    code: int
    out: bytes
    err: str

    @property
    def error(self) -> str:
        """The one line of an error; nothing on standard output."""
        assert self.out == b""
        line = self.err.splitlines()[-1]
        assert line.startswith("error: ")
        return line.removeprefix("error: ")


class Tool:
    """The program in this process, in a folder of its own with a key, on hardware of choice."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[bytes]
    ) -> None:
        self.folder, self.capture, self.monkeypatch = folder, capture, monkeypatch
        self.engine: Engine = right
        self.asked: tuple[Any, ...] = ()
        self.primes: Sequence[int] = ()
        monkeypatch.chdir(folder)
        monkeypatch.delenv("MODMUL_PASSPHRASE", raising=False)
        self.give(b"")

    def give(self, data: bytes) -> None:
        """What is on standard input."""
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    def hardware(
        self, core: str, bits: int, crt: bool, parameters: Mapping[str, int], primes: Sequence[int]
    ) -> Engine:
        self.asked, self.primes = (core, bits, crt, dict(parameters)), primes
        return self.engine

    def __call__(self, command: str, *arguments: str | Path, code: int = 0) -> Done:
        self.monkeypatch.setattr(sys, "argv", ["modmul", "rsa", command, *map(str, arguments)])
        self.capture.readouterr()
        try:
            main()
            status: Any = 0
        except SystemExit as leaving:
            status = leaving.code
        read = self.capture.readouterr()
        done = Done(status or 0, read.out, read.err.decode())
        assert done.code == code, done
        return done

    @property
    def files(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()}


@pytest.fixture
def modmul(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Iterator[Tool]:
    folder = tmp_path / "here"
    folder.mkdir()
    tool = Tool(folder, monkeypatch, capsysbinary)
    monkeypatch.setattr(import_module("modmul.cli.app"), "end_tools_on_signals", lambda: None)
    monkeypatch.setattr(commands, "hardware_engine", tool.hardware)
    monkeypatch.setattr(commands, "hardware_power", lambda core, bits: raised)
    (folder / "key.pem").write_bytes(private_bytes(key_of(BITS)))
    (folder / "public.pem").write_bytes(public_bytes(key_of(BITS)))
    (folder / "message").write_bytes(MESSAGE)
    yield tool


KEY = ("--key", "key.pem", "--core", CORE)
SIGN = (*KEY, "--in", "message")
VERIFY = ("--key", "public.pem", "--in", "message", "--signature", "message.sig")


def test_sign_and_verify(modmul: Tool) -> None:
    done = modmul("sign", *SIGN)
    assert done.out == b""
    assert done.err.endswith(
        "signature: message.sig\n2,359,296 clock cycles, checked; 18.874 ms at 125.0 MHz\n"
    )
    assert modmul.asked == (CORE, BITS, True, {})
    assert modmul("verify", *VERIFY).out == b"the signature is right\n"
    assert modmul("verify", *VERIFY[2:], "--key", "key.pem").out == b"the signature is right\n"
    (modmul.folder / "message").write_bytes(b"attack at noon\n")
    assert modmul("verify", *VERIFY, code=1).error.startswith(
        "message.sig is not a signature of this message"
    )
    assert json.loads(modmul("verify", *VERIFY, "--json", code=1).out)["valid"] is False


def test_signing_in_json(modmul: Tool) -> None:
    done = modmul(
        "sign",
        *SIGN,
        "--no-crt",
        "--padding",
        "pss",
        "--hash",
        "sha384",
        "--out",
        "s",
        "--json",
        "--set",
        "Word=64",
    )
    assert json.loads(done.out) == {
        "core": CORE,
        "bits": BITS,
        "crt": False,
        "padding": "pss",
        "hash": "sha384",
        "cycles": BITS**2,
        "fmax_mhz": 125.0,
        "clocked": "",
        "seconds": BITS**2 / 125e6,
        "signature": "s",
    }
    assert modmul.asked == (CORE, BITS, False, {"Word": 64})
    scheme = ("--padding", "pss", "--hash", "sha384", "--signature", "s")
    assert json.loads(modmul("verify", *VERIFY, *scheme, "--json").out) == {
        "valid": True,
        "bits": BITS,
        "padding": "pss",
        "hash": "sha384",
    }


def test_verify_on_hardware(modmul: Tool) -> None:
    modmul("sign", *SIGN)
    assert "17 clock cycles, checked" in modmul("verify", *VERIFY, "--core", CORE).err
    assert json.loads(modmul("verify", *VERIFY, "--core", CORE, "--json").out)["cycles"] == 17


def test_decrypt(modmul: Tool) -> None:
    (modmul.folder / "c").write_bytes(encrypted(key_of(BITS), MESSAGE, "oaep", "sha256"))
    done = modmul("decrypt", *KEY, "--in", "c", "--padding", "oaep")
    assert done.out == MESSAGE and "clock cycles, checked" in done.err
    modmul("decrypt", *KEY, "--in", "c", "--padding", "oaep", "--out", "plain")
    assert (modmul.folder / "plain").read_bytes() == MESSAGE
    (modmul.folder / "c").write_bytes(encrypted(key_of(BITS), b"\xff\0\n", "pkcs1", "sha256"))
    assert modmul("decrypt", *KEY, "--in", "c").out == b"\xff\0\n"
    found = json.loads(modmul("decrypt", *KEY, "--in", "c", "--out", "plain", "--json").out)
    assert (found["message"], found["padding"], found["cycles"]) == ("plain", "pkcs1", BITS**2)
    assert "standard output" in modmul("decrypt", *KEY, "--in", "c", "--json", code=2).error


def test_standard_input_and_output(modmul: Tool) -> None:
    modmul.give(MESSAGE)
    signature = modmul("sign", *KEY, "--in", "-").out
    assert verify(key_of(BITS).public_key(), MESSAGE, signature)
    assert modmul("sign", *SIGN, "--out", "-").out == signature
    (modmul.folder / "s").write_bytes(signature)
    modmul.give(MESSAGE)
    modmul("verify", "--key", "public.pem", "--in", "-", "--signature", "s")
    assert modmul.files == {"key.pem", "public.pem", "message", "s"}


def test_passphrases_of_the_command_line(modmul: Tool) -> None:
    encrypted_key = private_bytes(key_of(BITS), encryption=BestAvailableEncryption(PASSPHRASE))
    (modmul.folder / "key.pem").write_bytes(encrypted_key)
    assert "key.pem is encrypted; give its passphrase" in modmul("sign", *SIGN, code=2).error
    (modmul.folder / "good").write_bytes(PASSPHRASE + b"\r\nsecond line\n")
    (modmul.folder / "bad").write_bytes(PASSPHRASE + b" \n")
    modmul("sign", *SIGN, "--passphrase-file", "good")
    error = modmul("sign", *SIGN, "--passphrase-file", "bad", code=2).error
    assert error == "key.pem cannot be decrypted: the passphrase is wrong, or the file is damaged"
    assert (
        "cannot read the passphrase none" in modmul("sign", *SIGN, "--passphrase-file", "none", code=2).error
    )
    modmul.monkeypatch.setenv("MODMUL_PASSPHRASE", PASSPHRASE.decode())
    modmul("sign", *SIGN)
    modmul("sign", *SIGN, "--passphrase-file", "bad", code=2)
    modmul.monkeypatch.delenv("MODMUL_PASSPHRASE")
    modmul.monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    prompts = []

    def getpass(prompt: str, stream: object) -> str:
        prompts.append(prompt)
        return PASSPHRASE.decode()

    modmul.monkeypatch.setattr("getpass.getpass", getpass)
    modmul("sign", *SIGN)
    assert prompts == ["passphrase of key.pem: "]


def test_bad_input_of_the_command_line(modmul: Tool) -> None:
    modmul.engine = unused
    for arguments, reason in (
        (("--key", "none.pem"), "cannot read the key none.pem: No such file"),
        (("--key", "public.pem"), "public.pem holds a public key"),
        (("--key", "message"), "message holds no RSA key"),
        (("--in", "none"), "cannot read the input none: No such file"),
        (("--in", "."), "cannot read the input .: Is a directory"),
        (("--out", "."), "cannot write the signature .: Is a directory"),
        (("--out", "none/s"), "cannot write the signature none/s"),
        (("--out", "key.pem"), "the signature would overwrite the key key.pem"),
        (("--out", "./message"), "the signature would overwrite the input message"),
        (("--padding", "oaep"), "the padding here is pkcs1 or pss, not 'oaep'"),
        (("--hash", "md5"), "unknown hash 'md5'"),
        (("--core", "montgomery"), "montgomery"),
    ):
        assert reason in modmul("sign", *SIGN, *arguments, code=2).error
    (modmul.folder / "c").write_bytes(b"\xff" * (BITS // 8))
    assert "not below the modulus" in modmul("decrypt", *KEY, "--in", "c", code=2).error
    assert "bytes" in modmul("decrypt", *KEY, "--in", "message", code=2).error
    assert "cannot read the signature" in modmul("verify", *VERIFY, code=2).error
    assert modmul.files == {"key.pem", "public.pem", "message", "c"}


def test_unequal_primes_on_the_command_line(modmul: Tool) -> None:
    (modmul.folder / "key.pem").write_bytes(private_bytes(unequal_key()))
    modmul("sign", *SIGN)
    assert list(modmul.primes) == [512, 1024]


@pytest.mark.parametrize("before", [None, b"what was there"])
def test_nothing_is_written_half(before: bytes | None, modmul: Tool) -> None:
    """Wrong hardware and Ctrl-C leave the files as they were; the next operation is right."""
    signature = modmul.folder / "message.sig"
    if before is not None:
        signature.write_bytes(before)
    files = modmul.files
    modmul.engine = wrong
    assert modmul("sign", *SIGN, code=1).error == "the signature that the hardware has made is wrong"
    modmul.engine = interrupted
    assert "interrupted; nothing was written" in modmul("sign", *SIGN, code=130).err
    assert modmul.files == files and (before is None or signature.read_bytes() == before)
    modmul.engine = right
    modmul("sign", *SIGN)
    assert verify(key_of(BITS).public_key(), MESSAGE, signature.read_bytes())


def test_a_wrong_decryption_is_not_printed(modmul: Tool) -> None:
    (modmul.folder / "c").write_bytes(encrypted(key_of(BITS), MESSAGE, "pkcs1", "sha256"))
    modmul.engine = wrong
    assert modmul("decrypt", *KEY, "--in", "c", code=1).error == "what the hardware has decrypted is wrong"
    modmul.engine = interrupted
    assert modmul("decrypt", *KEY, "--in", "c", code=130).out == b""


# --- OpenSSL --------------------------------------------------------------------------------------


@needs_openssl
@pytest.mark.parametrize("digest", ["sha1", "sha256", "sha512"])
@pytest.mark.parametrize("scheme", SIGNATURE_PADDINGS)
def test_signatures_that_openssl_reads_and_makes(scheme: str, digest: str, modmul: Tool) -> None:
    options = ("--padding", scheme, "--hash", digest)
    how = [f"-{digest}"]
    if scheme == "pss":
        how += ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"]
    modmul("sign", *SIGN, *options)
    check = ("-verify", "public.pem", "-signature", "message.sig", "message")
    assert openssl("dgst", *how, *check) == b"Verified OK\n"
    openssl("dgst", *how, "-sign", "key.pem", "-out", "message.sig", "message")
    modmul("verify", *VERIFY, *options)


@needs_openssl
@pytest.mark.parametrize(
    ("scheme", "how"),
    [
        (("--padding", "pkcs1"), ["rsa_padding_mode:pkcs1"]),
        (("--padding", "oaep"), ["rsa_padding_mode:oaep", "rsa_oaep_md:sha256"]),
        (("--padding", "oaep", "--hash", "sha1"), ["rsa_padding_mode:oaep"]),
    ],
)
def test_decryption_of_what_openssl_encrypts(scheme: tuple[str, ...], how: list[str], modmul: Tool) -> None:
    options = [word for option in how for word in ("-pkeyopt", option)]
    file = ("-in", "message", "-out", "c")
    openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", "public.pem", *options, *file)
    assert modmul("decrypt", *KEY, "--in", "c", *scheme).out == MESSAGE


@needs_openssl
def test_certificates_verify(modmul: Tool) -> None:
    openssl("req", "-x509", "-key", "key.pem", "-subj", "/CN=x", "-days", "1", "-out", "public.pem")
    modmul("sign", *SIGN)
    modmul("verify", *VERIFY)


# --- published vectors ----------------------------------------------------------------------------


def with_model(engine: Engine) -> Bench:
    """RSA by some engine, the public operation by Python."""
    return Bench(ecc.model, engine, lambda x, exponent, n, listener: Answer(pow(x, exponent, n), 1))


each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.file)


@each_file
def test_some_vectors_of_each_file(file: File) -> None:
    pytest.importorskip("cryptography_vectors")
    vectors = file.vectors()
    assert len(vectors) == file.count
    passing = next(index for index, vector in enumerate(vectors) if vector.valid)
    for index in sorted({0, passing, len(vectors) // 2}):
        assert vectors[index].outcome(with_model(right)).right


@pytest.mark.long
@each_file
def test_all_vectors(file: File) -> None:
    pytest.importorskip("cryptography_vectors")
    for vector in file.vectors():
        assert vector.outcome(with_model(right)).right, vector.label


# --- on the hardware ------------------------------------------------------------------------------

LONG = 2048
"""Bits of a key with which the hardware takes every vector; of longer keys it takes one for each hash."""


@cache
def hardware(primes: tuple[int, ...]) -> Engine:
    return commands.hardware_engine("montgomery_dsp", sum(primes), True, {}, primes)


def by_hardware(numbers: PrivateNumbers, number: int, listener: Listener) -> Answer:
    """Modulo each prime, as ``modmul rsa`` does it."""
    lengths = tuple(prime.bit_length() for prime in primes_of(numbers))
    return hardware(lengths)(numbers, number, listener)


@pytest.mark.long
@pytest.mark.parametrize("file", [each for each in FILES if each.private], ids=lambda file: file.file)
def test_vectors_on_the_hardware(file: File) -> None:
    """Those that have a private key: all up to :data:`LONG` bits, of longer keys one for each hash."""
    pytest.importorskip("cryptography_vectors")
    chosen: dict[tuple[str, ...], Vector] = {}
    for vector in file.vectors():
        is_long = int(vector.size) > LONG
        chosen.setdefault((vector.size, vector.kind) if is_long else (vector.label,), vector)
    for vector in chosen.values():
        assert vector.outcome(with_model(by_hardware)).right, vector.label


@pytest.mark.parametrize(
    ("count", "core", "word"),
    [
        (3, "montgomery_csa2", {"Word": 128}),
        pytest.param(4, "montgomery_dsp", {}, marks=pytest.mark.long),
        pytest.param(3, "rrm", {"Word": 32}, marks=pytest.mark.long),
    ],
)
def test_the_hardware_takes_keys_of_more_primes(count: int, core: str, word: dict[str, int]) -> None:
    numbers = multi_prime(*primes_from(count))
    key = MultiPrimeKey(primes_from(count), 65537, int(str(numbers[3])))
    lengths = [prime.bit_length() for prime in primes_from(count)]
    parts = commands.hardware_engine(core, key.key_size, True, word, lengths)
    signed = sign(key, MESSAGE, parts)
    assert verify(key.public_key(), MESSAGE, signed.data)
    secret = encrypted(key, MESSAGE, "oaep", "sha256")
    assert decrypt(key, secret, parts, padding="oaep").data == MESSAGE


@pytest.mark.parametrize(("core", "word"), [("montgomery_csa2", {"Word": 128}), ("imml_booth8", {})])
def test_the_hardware_signs_and_decrypts(core: str, word: dict[str, int]) -> None:
    """In halves and in one; a key whose smaller prime comes first as well."""
    key = key_of(1024)
    halves = commands.hardware_engine(core, 1024, True, word)
    whole = commands.hardware_engine(core, 1024, False, word)
    signed = sign(key, MESSAGE, halves, padding="pkcs1", digest="sha256")
    assert verify(key.public_key(), MESSAGE, signed.data, padding="pkcs1", digest="sha256")
    again = sign(key, MESSAGE, whole, padding="pkcs1", digest="sha256")
    assert again.data == signed.data
    assert signed.answer.cycles < again.answer.cycles
    numbers = key.private_numbers()
    turned = rsa.RSAPrivateNumbers(
        p=numbers.q,
        q=numbers.p,
        d=numbers.d,
        dmp1=numbers.dmq1,
        dmq1=numbers.dmp1,
        iqmp=rsa.rsa_crt_iqmp(numbers.q, numbers.p),
        public_numbers=numbers.public_numbers,
    )
    assert halves(turned, 12345, ignore).value == pow(12345, numbers.d, numbers.public_numbers.n)
    raised = commands.hardware_power(core, 1024)
    assert raised(12345, 65537, numbers.public_numbers.n, ignore).value == pow(
        12345, 65537, numbers.public_numbers.n
    )
