# SPDX-License-Identifier: Apache-2.0
"""Vectors for RSA: those of NIST and of RSA Laboratories, as ``cryptography-vectors`` has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import lcm

from cryptography.hazmat.primitives.asymmetric import rsa

from modmul.use.rsa import decrypt, sign, verify, verify_on
from modmul.vectors.files import Record, rsa_records
from modmul.vectors.vector import Bench, Source, Vector

__all__ = ["FILES", "SOURCES", "File", "passes"]

FIPS = "FIPS_186-2"
LABS = "pkcs-1v2-1d2-vec"


def _signed(record: Record, scheme: str, bench: Bench) -> bool:
    """A signature with the private key: that of PKCS#1 v1.5 is the printed one, PSS has a salt."""
    message, digest = bytes.fromhex(record["Msg"]), record["SHAAlg"].lower()
    printed = bytes.fromhex(record["S"])
    key = _key(record["n"], record["e"], record["d"])
    made = sign(key, message, bench.private, padding=scheme, digest=digest).data
    if made != printed and scheme != "pss":
        return False
    public = key.public_key()
    return all(verify(public, message, each, padding=scheme, digest=digest) for each in (made, printed))


def _verified(record: Record, scheme: str, bench: Bench) -> bool:
    """A signature that passes or fails; one that passes is raised by the hardware, too."""
    public = rsa.RSAPublicNumbers(int(record["e"], 16), int(record["n"], 16)).public_key()
    message, printed = bytes.fromhex(record["Msg"]), bytes.fromhex(record["S"])
    found = verify(public, message, printed, padding=scheme, digest=record["SHAAlg"].lower())
    if found:
        verify_on(bench.power, public, printed)
    return found


def _signed_by_labs(record: Record, scheme: str, bench: Bench) -> bool:
    names = {"n": "Modulus", "e": "Public exponent", "d": "Exponent", "S": "Signature"}
    message = record.get("Message") or record["Message to be signed"]
    numbers = {name: record[long] for name, long in names.items()}
    return _signed(numbers | {"Msg": message, "SHAAlg": "SHA1"}, scheme, bench)


def _decrypted(record: Record, scheme: str, bench: Bench) -> bool:
    key = _key(record["Modulus"], record["Public exponent"], record["Exponent"])
    data = bytes.fromhex(record["Encryption"]).rjust((key.key_size + 7) // 8, b"\0")
    result = decrypt(key, data, bench.private, padding=scheme, digest=record.get("alg", "sha1"))
    return result.data == bytes.fromhex(record["Message"])


@cache
def _key(*texts: str) -> rsa.RSAPrivateKey:
    """A key of n, e and d in hexadecimal."""
    n, e, d = (int(text, 16) for text in texts)
    p, q = rsa.rsa_recover_prime_factors(n, e, d)
    d = pow(e, -1, lcm(p - 1, q - 1))
    public = rsa.RSAPublicNumbers(e, n)
    return rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public).private_key()


def passes(record: Record) -> bool:
    """Whether a signature is to pass; all are where nothing is said."""
    return record.get("Result", "P").startswith("P")


@dataclass(frozen=True)
class File:
    """A file of vectors, the field that ends a record, what is done with one, and how many there are."""

    file: str
    last: str
    check: Callable[[Record, str, Bench], bool]
    scheme: str
    count: int

    @property
    def private(self) -> bool:
        """Whether the vectors have private keys."""
        return self.check is not _verified

    def vectors(self) -> list[Vector]:
        """All of them, in order."""
        found = []
        for place, record in enumerate(rsa_records(f"RSA/{self.file}", self.last)):
            bits = int(record.get("n") or record["Modulus"], 16).bit_length()
            found.append(
                Vector(
                    f"{self.file} {place}",
                    "rsa_crt" if self.private else "modexp",
                    str(bits),
                    repr(record),
                    partial(self.check, record, self.scheme),
                    valid=passes(record),
                    kind=f"{record.get('SHAAlg', '')} {passes(record)}",
                )
            )
        return found


FILES = (
    File(f"{FIPS}/SigGen15_186-2.txt", "S", _signed, "pkcs1", 250),
    File(f"{FIPS}/SigGenPSS_186-2.txt", "S", _signed, "pss", 250),
    File(f"{FIPS}/SigGen15_186-3.rsp", "S", _verified, "pkcs1", 250),
    File(f"{FIPS}/SigGenPSS_186-3.rsp", "S", _verified, "pss", 250),
    File(f"{FIPS}/SigVer15_186-3.rsp", "Result", _verified, "pkcs1", 450),
    File(f"{FIPS}/SigVerPSS_186-3.rsp", "Result", _verified, "pss", 450),
    File("pkcs1v15sign-vectors.txt", "Signature", _signed_by_labs, "pkcs1", 300),
    File(f"{LABS}/pss-vect.txt", "Signature", _signed_by_labs, "pss", 60),
    File("pkcs1v15crypt-vectors.txt", "Encryption", _decrypted, "pkcs1", 300),
    File(f"{LABS}/oaep-vect.txt", "Encryption", _decrypted, "oaep", 60),
    *(
        File(f"oaep-custom/oaep-{name}-{name}.txt", "Encryption", _decrypted, "oaep", 60)
        for name in ("sha224", "sha256", "sha384", "sha512")
    ),
)
"""With OAEP, those whose two hashes are the same."""


def _source(file: File) -> Source:
    publisher = "NIST CAVP" if file.file.startswith(FIPS) else "RSA Laboratories"
    publisher = "cryptography" if "custom" in file.file else publisher
    what = "decryptions" if file.check is _decrypted else "signatures" if file.private else "verifications"
    return Source(f"{publisher}, RSA {what}, {file.scheme}", file.count, file.vectors)


SOURCES = tuple(_source(each) for each in FILES)
"""In the order of the table."""
