# SPDX-License-Identifier: Apache-2.0
"""Moduli by name, by number and from files; ground truth is OpenSSL, Python and the curves' equations."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from base64 import encodebytes
from datetime import UTC, datetime, timedelta
from math import isqrt
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa, x448, x25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID

from modmul.core import Polynomial, RsaKey, field_of
from modmul.export import export
from modmul.moduli import ALIASES, NAMED, Modulus, ModulusError, keys, modulus
from modmul.registry import room

BITS = {
    "p192": 192,
    "p224": 224,
    "p256": 256,
    "p256-order": 256,
    "p384": 384,
    "p521": 521,
    "secp256k1": 256,
    "secp256k1-order": 256,
    "sm2": 256,
    "sm2-order": 256,
    "curve25519": 255,
    "ed25519-order": 253,
    "curve448": 448,
    "bls12-381-fp": 381,
    "bls12-381-fr": 255,
    "bls12-377-fp": 377,
    "bls12-377-fr": 253,
    "bn254-fp": 254,
    "bn254-fr": 254,
    "brainpool256": 256,
    "brainpool384": 384,
    "brainpool512": 512,
    "goldilocks": 64,
    "ml-kem": 12,
    "ml-dsa": 23,
    "falcon": 14,
    "mersenne31": 31,
    "babybear": 31,
    "koalabear": 31,
    "b163": 163,
    "b233": 233,
    "b283": 283,
    "b409": 409,
    "b571": 571,
    "sm2-binary": 257,
    **{f"modp{bits}": bits for bits in (1536, 2048, 3072, 4096, 6144, 8192)},
    **{f"ffdhe{bits}": bits for bits in (2048, 3072, 4096, 6144, 8192)},
    "rsa1024": 1024,
    "rsa2048": 2048,
    "rsa3072": 3072,
    "rsa4096": 4096,
}
KEYS = [name for name, named in NAMED.items() if isinstance(named.value, RsaKey)]
POLYNOMIALS = [name for name, named in NAMED.items() if isinstance(named.value, Polynomial)]
GROUPS = [name for name in NAMED if name.startswith(("modp", "ffdhe"))]
PRIMES = [name for name in NAMED if name not in (*KEYS, *POLYNOMIALS, *GROUPS)]

CURVES: tuple[tuple[str, ec.EllipticCurve, int], ...] = (
    ("p192", ec.SECP192R1(), -3),
    ("p224", ec.SECP224R1(), -3),
    ("p256", ec.SECP256R1(), -3),
    ("p384", ec.SECP384R1(), -3),
    ("p521", ec.SECP521R1(), -3),
    ("secp256k1", ec.SECP256K1(), 0),
)
"""Named prime, the curve over it in the cryptography library, and a of y^2 = x^3 + ax + b."""


# --- the named moduli ---------------------------------------------------------------------------


def is_prime(n: int, rng: random.Random) -> bool:
    """Miller-Rabin with 40 random bases."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(40):
        power = pow(rng.randrange(2, n - 1), odd, n)
        if power in (1, n - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % n
            if power == n - 1:
                break
        else:
            return False
    return True


def test_the_names_and_their_lengths() -> None:
    assert {name: m.bits for name, m in NAMED.items()} == BITS
    assert all(m.name == name and m.source and m.field == field_of(m.value) for name, m in NAMED.items())
    assert POLYNOMIALS == ["b163", "b233", "b283", "b409", "b571", "sm2-binary"]
    assert len({m.value for m in NAMED.values()}) == len(NAMED)


@pytest.mark.parametrize("name", PRIMES)
def test_all_are_prime(name: str, rng: random.Random) -> None:
    assert is_prime(NAMED[name].value, rng)
    assert not is_prime(NAMED[name].value + 2 * 3 * 5 * 7 * NAMED[name].value, rng)


@pytest.mark.parametrize("name", GROUPS)
def test_groups_are_those_of_openssl(name: str) -> None:
    group = name.replace("modp", "modp_")
    command = ["openssl", "genpkey", "-algorithm", "DH", "-pkeyopt", f"group:{group}"]
    made = subprocess.run(command, check=True, capture_output=True).stdout
    parsed = subprocess.run(["openssl", "asn1parse"], input=made, check=True, capture_output=True)
    _, prime, generator = re.findall(r"INTEGER +:(\w+)", parsed.stdout.decode())
    assert (int(prime, 16), int(generator, 16)) == (NAMED[name].value, 2)


@pytest.mark.parametrize("name", KEYS)
def test_keys_are_of_two_primes(name: str, rng: random.Random) -> None:
    """And are not taken for somebody's."""
    named = NAMED[name]
    assert isinstance(named.value, RsaKey) and named.value.e == 65537 and not named.secret
    assert all(is_prime(prime, rng) for prime in named.value.primes)


def power_of_x(exponent: int, m: Polynomial) -> int:
    """x^(2^exponent) modulo m."""
    value = m.product(2)
    for _ in range(exponent):
        value = m.product(value, value)
    return value


@pytest.mark.parametrize("name", POLYNOMIALS)
def test_all_polynomials_are_irreducible(name: str) -> None:
    """Rabin's test: x^(2^m) = x, and x^(2^(m/p)) - x has no factor in common, for every prime p of m."""
    m = NAMED[name].value
    assert isinstance(m, Polynomial)
    primes = [p for p in range(2, m.degree + 1) if m.degree % p == 0 and all(p % q for q in range(2, p))]
    assert power_of_x(m.degree, m) == 2
    for p in primes:
        m.inverse(power_of_x(m.degree // p, m) ^ 2)
    neighbour = Polynomial(m ^ 0b110)
    assert power_of_x(m.degree, neighbour) != 2


@pytest.mark.parametrize("m", [163, 233, 283, 409, 571])
def test_koblitz_curves_share_the_field(m: int) -> None:
    assert modulus(f"k{m}") is modulus(f"K{m}") is modulus(f"b{m}") is NAMED[f"b{m}"]
    assert f"K-{m}" in NAMED[f"b{m}"].source
    assert set(ALIASES) & set(NAMED) == set()


@pytest.mark.parametrize(("name", "curve", "a"), CURVES, ids=[name for name, _, _ in CURVES])
def test_the_points_of_openssl_lie_on_the_curve(name: str, curve: ec.EllipticCurve, a: int) -> None:
    """b = y^2 - x^3 - ax mod p is the same for every public key if, and only if, p is the field's prime."""
    p = NAMED[name].value
    points = [ec.generate_private_key(curve).public_key().public_numbers() for _ in range(8)]
    assert len({(point.y**2 - point.x**3 - a * point.x) % p for point in points}) == 1
    assert len({(point.y**2 - point.x**3 - a * point.x) % (p + 2) for point in points}) == 8


@pytest.mark.parametrize(
    ("name", "curve"), [("p256", ec.SECP256R1()), ("secp256k1", ec.SECP256K1())], ids=["p256", "secp256k1"]
)
def test_the_orders_of_openssl(name: str, curve: ec.EllipticCurve) -> None:
    """(n - 1) G = -G, and OpenSSL takes no private key n."""
    n = NAMED[f"{name}-order"].value
    first, last = (ec.derive_private_key(k, curve).public_key().public_numbers() for k in (1, n - 1))
    assert first.x == last.x
    assert first.y + last.y == NAMED[name].value
    with pytest.raises(ValueError):
        ec.derive_private_key(n, curve)


def is_square(value: int, p: int) -> bool:
    return pow(value, (p - 1) // 2, p) in (0, 1)


def test_curve25519_and_curve448() -> None:
    """u^3 + Au^2 + u of every X25519 and X448 public key is a square."""
    for _ in range(40):
        raw = x25519.X25519PrivateKey.generate().public_key().public_bytes_raw()
        u, p = int.from_bytes(raw, "little"), NAMED["curve25519"].value
        assert is_square(u**3 + 486662 * u**2 + u, p)
        raw = x448.X448PrivateKey.generate().public_key().public_bytes_raw()
        u, p = int.from_bytes(raw, "little"), NAMED["curve448"].value
        assert is_square(u**3 + 156326 * u**2 + u, p)


def test_ed25519_order() -> None:
    """The order times a public key of OpenSSL, a point of the twisted Edwards curve, is nothing."""
    p, order = NAMED["curve25519"].value, NAMED["ed25519-order"].value
    d = -121665 * pow(121666, -1, p) % p

    def add(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        (x1, y1), (x2, y2) = a, b
        t = d * x1 * x2 * y1 * y2
        return (
            (x1 * y2 + x2 * y1) * pow(1 + t, -1, p) % p,
            (y1 * y2 + x1 * x2) * pow(1 - t, -1, p) % p,
        )

    y = int.from_bytes(ed25519.Ed25519PrivateKey.generate().public_key().public_bytes_raw(), "little")
    y &= (1 << 255) - 1
    square = (y * y - 1) * pow(d * y * y + 1, -1, p) % p
    x = pow(square, (p + 3) // 8, p)
    x = x if x * x % p == square else x * pow(2, (p - 1) // 4, p) % p
    assert x * x % p == square, "the public key is a point"
    result, base, k = (0, 1), (x, y), order
    while k:
        result = add(result, base) if k & 1 else result
        base, k = add(base, base), k >> 1
    assert result == (0, 1)


Point = tuple[int, int] | None


def times(k: int, point: Point, a: int, p: int) -> Point:
    """k times a point of y^2 = x^3 + ax + b; None is the point at infinity."""

    def add(s: Point, t: Point) -> Point:
        if s is None or t is None:
            return t if s is None else s
        if s[0] == t[0] and (s[1] + t[1]) % p == 0:
            return None
        slope = (
            (3 * s[0] ** 2 + a) * pow(2 * s[1], -1, p) if s == t else (t[1] - s[1]) * pow(t[0] - s[0], -1, p)
        )
        x = (slope**2 - s[0] - t[0]) % p
        return x, (slope * (s[0] - x) - s[1]) % p

    result: Point = None
    while k:
        result = add(result, point) if k & 1 else result
        point, k = add(point, point), k >> 1
    return result


def some_point(a: int, b: int, p: int) -> tuple[int, int]:
    """A point of the curve, p = 3 mod 4."""
    assert p % 4 == 3
    x = next(x for x in range(1, 1000) if is_square(x**3 + a * x + b, p) and (x**3 + a * x + b) % p)
    return x, pow(x**3 + a * x + b, (p + 1) // 4, p)


SM2_B = 0x28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93
SM2_G = (
    0x32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7,
    0xBC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0,
)


def test_sm2() -> None:
    """The generator of GB/T 32918.5 lies on the curve, and n times it is nothing."""
    p, n = NAMED["sm2"].value, NAMED["sm2-order"].value
    assert p == 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF
    x, y = SM2_G
    assert (y**2 - x**3 + 3 * x - SM2_B) % p == 0
    assert times(n, SM2_G, -3, p) is None
    assert abs(p + 1 - n) <= 2 * isqrt(p) + 1


def test_bls12_381() -> None:
    """x = -2^63 - 2^62 - 2^60 - 2^57 - 2^48 - 2^16; h r points on y^2 = x^3 + 4; r divides p^12 - 1."""
    p, r = NAMED["bls12-381-fp"].value, NAMED["bls12-381-fr"].value
    x = -(2**63) - 2**62 - 2**60 - 2**57 - 2**48 - 2**16
    assert r == x**4 - x**2 + 1
    assert 3 * (p - x) == (x - 1) ** 2 * r
    assert times((x - 1) ** 2 // 3 * r, some_point(0, 4, p), 0, p) is None
    assert [k for k in range(1, 13) if pow(p, k, r) == 1] == [12]
    assert p == int(
        "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab", 16
    )


def test_bls12_377() -> None:
    """x = 2^63 + 2^58 + 2^56 + 2^51 + 2^47 + 2^46 + 1; r divides p^12 - 1; p as in EIP-2539."""
    p, r = NAMED["bls12-377-fp"].value, NAMED["bls12-377-fr"].value
    x = 2**63 + 2**58 + 2**56 + 2**51 + 2**47 + 2**46 + 1
    assert r == x**4 - x**2 + 1
    assert 3 * (p - x) == (x - 1) ** 2 * r
    assert [k for k in range(1, 13) if pow(p, k, r) == 1] == [12]
    assert p == int(
        "1ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001", 16
    )


def test_bn254() -> None:
    """r points on y^2 = x^3 + 3, (1, 2) one of them; r divides p^12 - 1; as Ethereum prints them."""
    p, r = NAMED["bn254-fp"].value, NAMED["bn254-fr"].value
    assert times(r, (1, 2), 0, p) is None
    assert [k for k in range(1, 13) if pow(p, k, r) == 1] == [12]
    assert p == 21888242871839275222246405745257275088696311157297823662689037894645226208583
    assert r == 21888242871839275222246405745257275088548364400416034343698204186575808495617


def test_goldilocks() -> None:
    """phi^2 - phi + 1 with phi = 2^32: 2 has order 192."""
    p = NAMED["goldilocks"].value
    assert p == 0xFFFFFFFF00000001
    assert pow(2, 96, p) == p - 1


# --- names and numbers --------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMED)
def test_by_name(name: str) -> None:
    assert modulus(name) is modulus(name.upper()) is modulus(f" {name}\n") is NAMED[name]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("251", 251),
        ("1", 1),
        ("+17", 17),
        ("007", 7),
        ("1_000_003", 1_000_003),
        ("0xfb", 251),
        ("0XFB", 251),
        ("0xFFFF_FFFF_0000_0001", 2**64 - 2**32 + 1),
        (f" {2**521 - 1} ", 2**521 - 1),
        (hex(2**8192 - 3), 2**8192 - 3),
    ],
)
def test_by_number(text: str, value: int) -> None:
    found = modulus(text)
    assert (found.value, found.bits, found.field) == (value, value.bit_length(), "GF(p)")
    assert found.source == "given as a number"
    assert 0 < len(found.name) < 40


P256 = NAMED["p256"].value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2^255-19", 2**255 - 19),
        ("2**255-19", 2**255 - 19),
        (" 2 ^ 255 - 19\n", 2**255 - 19),
        ("2^255−19", 2**255 - 19),
        ("2^256 - 2^224 + 2^192 + 2^96 - 1", P256),
        ("2^224*(2^32-1)+2^192+2^96-1", P256),
        ("(2^61-1)*3", 3 * (2**61 - 1)),
        ("3×(2^61−1)", 3 * (2**61 - 1)),
        ("-19+2^255", 2**255 - 19),
        ("2^0x10+1", 65537),
        ("2^2^3", 256),
        ("-(-2)^3", 8),
        ("2--3", 5),
        ("2*+3", 6),
        ("1_000*1_000+3", 1_000_003),
        ("(((7)))", 7),
        ("(0-1)^99999999999999999999*(0-7)", 7),
        ("(0-1)^99999999999999999998*7", 7),
        ("0^0+0^7", 1),
    ],
)
def test_by_expression(text: str, value: int) -> None:
    found = modulus(text)
    assert (found.value, found.field, found.source) == (value, "GF(p)", "given as an expression")
    assert 0 < len(found.name) < 40 and "\n" not in found.name


@pytest.mark.parametrize("text", ["2^1048576-1", "2^1048577-2^1048576-1", "2*(2^1048575-1)+1"])
def test_the_longest_number(text: str) -> None:
    assert modulus(text).value == 2**1048576 - 1


def test_expressions_agree_with_python(rng: random.Random) -> None:
    """Random ones, parentheses and signs anywhere, evaluated by Python where they are positive."""

    def some(depth: int) -> str:
        if depth == 0:
            return rng.choice([str(rng.randrange(20)), hex(rng.randrange(500)), "1_0"])
        kind = rng.randrange(6)
        if kind == 0:
            return f"({some(depth - 1)})"
        if kind == 1:
            return f"{rng.choice('-+')}{some(depth - 1)}"
        if kind == 2:
            return f"{some(0)}{rng.choice(['^', '**', ' ^ '])}{rng.randrange(9)}"
        return f"{some(depth - 1)}{rng.choice(['+', '-', '*', ' - '])}{some(depth - 1)}"

    positive = 0
    for _ in range(2000):
        text = f"({some(rng.randrange(1, 5))})*1"
        value = eval(text.replace("^", "**"))
        if value > 0:
            positive += 1
            assert modulus(text).value == value, text
        else:
            assert "must be positive" in refusal(text)
    assert positive > 500


def test_the_name_of_an_expression() -> None:
    assert modulus("2^256 - 2^224 + 2^192 + 2^96 - 1").name == "2^256-2^224+2^192+2^96-1"
    assert modulus("2^256 - 2^224 + 2^192 + 2^96 - 1 + 4 - 4").name == "0xffffffff…(256 bits)"
    assert modulus("0" * 30 + "7").name == "0x7"


N_HEX = "c34fd8a1b2"


@pytest.mark.parametrize(
    "text",
    [
        "0xc34f_d8a1_b2",
        "0xc34f d8a1 b2",
        "0x c34fd8a1 b2",
        "0xc3:4f:d8:a1:b2",
        "00:c3:4f:d8:a1:b2",
        "C3:4F:D8:A1:B2:",
        "    00:c3:4f:\n    d8:a1:b2\n",
        "Modulus=C34FD8A1B2",
    ],
)
def test_hexadecimal_in_pieces(text: str) -> None:
    found = modulus(text)
    assert (hex(found.value), found.name, found.source) == (f"0x{N_HEX}", f"0x{N_HEX}", "given as a number")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_what_openssl_prints_of_a_key(tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    file.write_bytes(written(RSA_KEY, Encoding.PEM)["public"])
    command = ["openssl", "rsa", "-pubin", "-in", str(file), "-noout"]
    line = subprocess.run([*command, "-modulus"], check=True, capture_output=True, text=True).stdout
    assert modulus(line).value == RSA_N
    text = subprocess.run([*command, "-text"], check=True, capture_output=True, text=True).stdout
    printed = text[text.index("Modulus:") + len("Modulus:") : text.index("Exponent")]
    assert modulus(printed).value == RSA_N


@pytest.mark.parametrize("bits", [13000, 16384])
def test_a_long_decimal_number(bits: int) -> None:
    """Python itself takes no more than 4300 decimal digits unless told to."""
    text = "1" + "0" * int(bits * 0.30103)
    assert modulus(text).value == 10 ** int(bits * 0.30103)


# --- context files ------------------------------------------------------------------------------


def context(folder: Path, core: str, text: str) -> Path:
    """The context file of an exported core."""
    found = room(core)
    chosen = modulus(text)
    export(
        found.of(found.core.builds.at(chosen.bits)[0]),
        chosen.value,
        folder / core,
        modulus_name=text,
        count=1,
    )
    return folder / core / "context.json"


@pytest.mark.parametrize(
    ("core", "text"), [("imml_booth4", "2^61-1"), ("fips", "x^61+x^5+x^2+x+1"), ("fips", "p192")]
)
def test_the_context_file_of_an_exported_core(core: str, text: str, tmp_path: Path) -> None:
    file = context(tmp_path, core, text)
    found, meant = modulus(str(file)), modulus(text)
    assert (found.value, found.field, found.name) == (meant.value, meant.field, text)
    assert found.source == "modulus of context.json"
    other = tmp_path / "of another name"
    other.write_bytes(file.read_bytes())
    assert modulus(str(other)).value == meant.value


def test_a_context_file_without_a_name_has_that_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('{"modulus": "0xfb", "field": "GF(p)"}')
    assert (modulus(str(file)).value, modulus(str(file)).name) == (251, "mine.json")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON that can be read"),
        ("{", "no JSON that can be read"),
        ("[" * 100_000, "no JSON that can be read"),
        ("\udcff", "no JSON that can be read"),
        ("[]", "no context file: a context.json of 'modmul export' has the keys 'modulus' and 'field'"),
        ('{"name": "p256"}', "no context file: a context.json of 'modmul export' has the keys"),
        ('{"modulus": "0xfb"}', "no context file: a context.json of 'modmul export' has the keys"),
        (
            '{"modulus": {"value": "0xfb"}, "field": "GF(p)"}',
            "its 'modulus' is no text of hexadecimal digits",
        ),
        ('{"modulus": 251, "field": "GF(p)"}', "its 'modulus' is no text of hexadecimal digits"),
        ('{"modulus": "fb", "field": "GF(p)"}', "its 'modulus' is no text of hexadecimal digits"),
        ('{"modulus": "0xfb", "field": "GF(3)"}', r"its 'field' is neither 'GF\(p\)' nor 'GF\(2\^m\)'"),
        ('{"modulus": "0x0", "field": "GF(p)"}', "the modulus must be positive"),
        (f'{{"modulus": "0x1{"0" * 262144}", "field": "GF(p)"}}', "at most 1048576 bits"),
    ],
    ids=range(13),
)
def test_other_json_files(text: str, reason: str, tmp_path: Path) -> None:
    assert re.search(reason, refusal_of_file(tmp_path / "other.json", text.encode(errors="surrogateescape")))


# --- key files ----------------------------------------------------------------------------------

RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
RSA_N = RSA_KEY.public_key().public_numbers().n
EC_KEY = ec.generate_private_key(ec.SECP256R1())
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey
OTHERS = (Encoding.PEM, Encoding.DER)


def certificate(key: Key, encoding: Encoding) -> bytes:
    """A self-signed certificate."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "modmul")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
    return builder.sign(key, hashes.SHA256()).public_bytes(encoding)


def written(key: Key, encoding: Encoding) -> dict[str, bytes]:
    """A key in every form of an encoding."""
    forms = {
        "PKCS#8": key.private_bytes(encoding, PrivateFormat.PKCS8, NoEncryption()),
        "traditional": key.private_bytes(encoding, PrivateFormat.TraditionalOpenSSL, NoEncryption()),
        "public": key.public_key().public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo),
        "certificate": certificate(key, encoding),
    }
    if isinstance(key, rsa.RSAPrivateKey):
        forms["PKCS#1 public"] = key.public_key().public_bytes(encoding, PublicFormat.PKCS1)
    return forms


FORMS = ("PKCS#8", "traditional", "public", "certificate", "PKCS#1 public")


@pytest.mark.parametrize("encoding", OTHERS, ids=["PEM", "DER"])
@pytest.mark.parametrize("form", FORMS)
def test_rsa_key(form: str, encoding: Encoding, tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    file.write_bytes(written(RSA_KEY, encoding)[form])
    found = modulus(str(file))
    assert (found.value, found.bits, found.name) == (RSA_N, 2048, "key.pem")
    assert found.source == "RSA modulus of key.pem"
    assert isinstance(found.value, RsaKey) == (form in FORMS[:2]), "with its primes where they are known"


@pytest.mark.parametrize("encoding", OTHERS, ids=["PEM", "DER"])
@pytest.mark.parametrize("form", FORMS[:4])
def test_elliptic_curve_key(form: str, encoding: Encoding, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_bytes(written(EC_KEY, encoding)[form])
    assert modulus(str(file)) is NAMED["p256"]


@pytest.mark.parametrize(("name", "curve", "_a"), CURVES, ids=[name for name, _, _ in CURVES])
def test_the_prime_of_each_curve(name: str, curve: ec.EllipticCurve, _a: int, tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    file.write_bytes(written(ec.generate_private_key(curve), Encoding.PEM)["PKCS#8"])
    assert modulus(str(file)) is NAMED[name]


def test_text_around_the_key_and_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").write_bytes(b"my key\n" + written(RSA_KEY, Encoding.PEM)["public"] + b"\nthe end\n")
    monkeypatch.chdir(tmp_path)
    assert modulus("mine").value == modulus("./mine").value == RSA_N
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir("/")
    assert modulus("~/mine").value == RSA_N


def test_a_key_after_its_parameters(tmp_path: Path) -> None:
    """As ``openssl ecparam -genkey`` writes it."""
    file = tmp_path / "key.pem"
    parameters = b"-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
    file.write_bytes(parameters + written(EC_KEY, Encoding.PEM)["traditional"])
    assert modulus(str(file)) is NAMED["p256"]


# --- data -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["p256", "251", "b163", "x^3+x+1"])
def test_a_modulus_as_data(text: str) -> None:
    found = modulus(text)
    data = found.to_json()
    assert data == {"name": found.name, "value": hex(found.value), "bits": found.bits, "field": found.field}
    back = Modulus.from_json(json.loads(json.dumps(data)))
    assert (back.value, back.field, back.name) == (found.value, found.field, found.name)


@pytest.mark.parametrize(
    ("text", "shown", "size"),
    [
        ("251", "0xfb", "8 bits"),
        ("x^3+x+1", "x^3+x+1", "degree 3"),
        ("+".join(f"x^{i}" for i in range(13)), "0x1fff", "degree 12"),
    ],
)
def test_a_modulus_for_people(text: str, shown: str, size: str) -> None:
    assert (modulus(text).text, modulus(text).size) == (shown, size)


# --- what is no modulus -------------------------------------------------------------------------


def refusal(text: str) -> str:
    """The one line with which a text is refused."""
    with pytest.raises(ModulusError) as refused:
        modulus(text)
    message = str(refused.value)
    assert message and "\n" not in message
    return message


def refusal_of_file(file: Path, data: bytes) -> str:
    file.write_bytes(data)
    message = refusal(str(file))
    assert str(file) in message
    return message


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("p265", "p256"),
        ("P-384", "p384"),
        ("secp256", "secp256k1"),
        ("bls12-381", "bls12-381-f"),
        ("sm2p", "sm2"),
    ],
)
def test_near_matches(text: str, near: str) -> None:
    assert re.search(f"did you mean .*{near}", refusal(text))


@pytest.mark.parametrize("text", ["", " ", "?", "hello world", "no/", "-", "0x", "fb", "1e9", "\0"])
def test_text_that_is_nothing(text: str) -> None:
    assert re.search("number|no file|'modmul list --moduli'|did you mean", refusal(text))


@pytest.mark.parametrize("text", ["0", "-1", "-251", "0x0", "-0xfb", "00", "+0"])
def test_numbers_that_are_not_positive(text: str) -> None:
    assert refusal(text) == f"the modulus must be positive, got {text}"


@pytest.mark.parametrize("text", ["1__0", "0x_", "5_", "0x1__0"])
def test_misplaced_underscores(text: str) -> None:
    assert refusal(text) == f"'{text}' is not a number"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "2^2^40",
            "is too long a number: more than 2097152 bits on the way, and a modulus has at most 1048576",
        ),
        ("3^9999999999-3^9999999999", "is too long a number"),
        ("2^1048576*2^1048577*2^1048576", "is too long a number"),
        ("2^1048576", "has 1048577 bits, more than 1048576"),
        ("9" * 700_000, "is too long a number"),
        ("2*" * 600 + "1", "has more than 1000 numbers and operators"),
        ("(" * 51 + "1" + ")" * 51, "nests parentheses and powers more than 50 deep"),
        ("1^" * 51 + "1", "nests parentheses and powers more than 50 deep"),
        ("2^-1", "a power has a negative exponent"),
        ("2^", "something is missing at the end; expressions look like 2^255-19"),
        ("(2^3", "something is missing at the end"),
        ("2^^3", "'^' stands where it cannot"),
        ("2^3)", "')' stands where it cannot"),
        ("2(3)", "'(' stands where it cannot"),
        ("()1", "')' stands where it cannot"),
        ("1 000 003", "digits are grouped with _, as in 1_000_003"),
        ("1,000,003", "write it without separators or with _, as in 1_000_003"),
        (
            "12345.678",
            "not a name, a number (decimal, 0x… or 2^255-19), a polynomial (x^8+x^4+x^3+x+1), a key",
        ),
        ("(2^127+1)/3", "expressions have + - * ^ ** and parentheses, and no division"),
        ("FFFFFFFF FFFFFFFF", "if it is hexadecimal, write 0x before it"),
        ("fffffffffffffffb", "if it is hexadecimal, write 0x before it"),
        ("19-2^8", "the modulus must be positive, got 19-2^8"),
        ("19 -\n 2^8", "the modulus must be positive, got 19 - 2^8"),
        ("x^8+" + "x" * 500, "is no term of a polynomial over GF(2)"),
        ("x^8+2^4", "'2^4' is no term of a polynomial over GF(2)"),
        ("missing.json", "no file 'missing.json'"),
        ("1" * 100_000 + "!", "is no modulus"),
        ("0x" + "1 " * 50_000 + "!", "is no modulus"),
        ("x^1" * 30_000 + "!", "is no modulus"),
    ],
    ids=range(29),
)
def test_near_misses(text: str, reason: str) -> None:
    message = refusal(text)
    assert reason in message
    assert len(message) < 250


@pytest.mark.parametrize("name", ["missing.pem", "missing.der", "folder/missing", "/missing"])
def test_a_missing_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal(name) == f"no file '{name}'"


def test_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert str(tmp_path) in refusal(str(tmp_path))
    (tmp_path / "keys.pem").mkdir()
    monkeypatch.chdir(tmp_path)
    assert "keys.pem" in refusal("keys.pem")


def test_the_text_of_a_key_instead_of_its_path() -> None:
    """``--modulus "$(cat key.pem)"``: too long for the name of a file."""
    refusal(written(RSA_KEY, Encoding.PEM)["PKCS#8"].decode())
    refusal("x" * 5000)


def test_the_home_of_nobody() -> None:
    refusal("~no-such-user/key.pem")


@pytest.mark.parametrize("encoding", OTHERS, ids=["PEM", "DER"])
@pytest.mark.parametrize("key", [RSA_KEY, EC_KEY], ids=["RSA", "EC"])
def test_an_encrypted_key(key: Key, encoding: Encoding, tmp_path: Path) -> None:
    data = key.private_bytes(encoding, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))
    assert re.search("is encrypted; give the public key", refusal_of_file(tmp_path / "key.pem", data))


@pytest.mark.parametrize("encoding", OTHERS, ids=["PEM", "DER"])
@pytest.mark.parametrize(
    "key", [ed25519.Ed25519PrivateKey.generate(), ed448.Ed448PrivateKey.generate()], ids=["Ed25519", "Ed448"]
)
def test_a_key_without_a_modulus(
    key: ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey, encoding: Encoding, tmp_path: Path
) -> None:
    private = key.private_bytes(encoding, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo)
    for data in (private, public):
        message = refusal_of_file(tmp_path / "key.pem", data)
        assert re.search(r"Ed\w+Key has no modulus; an RSA or elliptic-curve key has", message)


def test_a_curve_that_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(keys._CURVES, "brainpoolp256r1")
    data = written(ec.generate_private_key(ec.BrainpoolP256R1()), Encoding.PEM)["public"]
    message = refusal_of_file(tmp_path / "key.pem", data)
    assert message.endswith("keys of the curve brainpoolP256r1 are not known; give its modulus")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"garbage",
        bytes(range(256)),
        b"-----BEGIN PUBLIC KEY-----\n",
        b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        b"-----BEGIN PRIVATE KEY-----\ngarbage\n-----END PRIVATE KEY-----\n",
        b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        b"-----BEGIN DH PARAMETERS-----\nAAAA\n-----END DH PARAMETERS-----\n",
        b"251\n",
    ],
)
def test_a_file_that_is_no_key(data: bytes, tmp_path: Path) -> None:
    message = refusal_of_file(tmp_path / "key.pem", data)
    assert message.endswith("key.pem holds no key or certificate that can be read")


# --- polynomials --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("x^8+x^4+x^3+x+1", 0x11B),
        (" X^8 + x^4 + x^3 + X + 1 ", 0x11B),
        ("1 + x + x ^ 3", 0b1011),
        ("x^1+x^0", 0b11),
        ("x", 0b10),
        ("x^4", 0b10000),
        ("x^163+x^7+x^6+x^3+1", NAMED["b163"].value),
    ],
)
def test_polynomials_as_text(text: str, bits: int) -> None:
    found = modulus(text)
    assert found.value == bits and isinstance(found.value, Polynomial)
    assert (found.field, found.source) == ("GF(2^m)", "given as a polynomial")
    assert found.bits == bits.bit_length() - 1
    assert modulus(found.value.text).value == bits


def test_names_of_polynomials_are_short() -> None:
    assert modulus("x^8+x^4+x^3+x+1").name == "x^8+x^4+x^3+x+1"
    assert modulus("x^571+x^10+x^5+x^2+1").name == "x^571+x^10+x^5+x^2+1"
    assert modulus("x^571 + x^200 + x^5 + x^2 + 1").name == "x^571+…(5 terms)"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x^8+x^4+2", "'2' is no term of a polynomial"),
        ("x^8+3x+1", "'3x' is no term of a polynomial"),
        ("x^8+x^8+1", r"x\^8 comes twice in the polynomial; over GF\(2\) the two cancel"),
        ("x+1+1", "1 comes twice"),
        ("x^8-x+1", "'x\\^8-x' is no term"),
        ("x^8+", "'' is no term"),
        ("x^+1", "'x\\^' is no term"),
        ("x^8*x+1", "is no term"),
        ("x^1048577+1", "the degree 1048577 of the polynomial is above 1048576"),
        ("x^9999999999999+1", "is no term"),
    ],
)
def test_what_is_no_polynomial(text: str, reason: str) -> None:
    with pytest.raises(ModulusError, match=reason):
        modulus(text)


def element(tag: int, *contents: bytes) -> bytes:
    """DER: one element of up to 255 bytes."""
    inside = b"".join(contents)
    size = len(inside)
    length = bytes([size]) if size < 128 else bytes([0x81, size])
    return bytes([tag]) + length + inside


def identifier(text: str) -> bytes:
    """DER: an object identifier."""
    first, second, *others = map(int, text.split("."))
    data = bytearray([40 * first + second])
    for number in others:
        digits = [number & 127]
        while number := number >> 7:
            digits.insert(0, 128 | number & 127)
        data += bytes(digits)
    return element(6, bytes(data))


OF_CURVES = {
    "sect163k1": ("1.3.132.0.1", "b163"),
    "sect163r1": ("1.3.132.0.2", "b163"),
    "sect163r2": ("1.3.132.0.15", "b163"),
    "sect233k1": ("1.3.132.0.26", "b233"),
    "sect233r1": ("1.3.132.0.27", "b233"),
    "sect283k1": ("1.3.132.0.16", "b283"),
    "sect283r1": ("1.3.132.0.17", "b283"),
    "sect409k1": ("1.3.132.0.36", "b409"),
    "sect409r1": ("1.3.132.0.37", "b409"),
    "sect571k1": ("1.3.132.0.38", "b571"),
    "sect571r1": ("1.3.132.0.39", "b571"),
}
"""Object identifier (SEC 2, appendix A) and field of each curve."""


def binary_public_key(oid: str, degree: int) -> bytes:
    """SubjectPublicKeyInfo of a key on a curve over GF(2^m); the point is made up."""
    algorithm = element(0x30, identifier("1.2.840.10045.2.1"), identifier(oid))
    point = b"\x04" + bytes(2 * ((degree + 7) // 8))
    return element(0x30, algorithm, element(3, b"\0", point))


@pytest.mark.parametrize("curve", OF_CURVES)
@pytest.mark.parametrize("form", ["PEM", "DER"])
def test_keys_on_binary_curves_give_the_field(curve: str, form: str, tmp_path: Path) -> None:
    oid, name = OF_CURVES[curve]
    data = binary_public_key(oid, NAMED[name].bits)
    if form == "PEM":
        data = b"-----BEGIN PUBLIC KEY-----\n" + encodebytes(data) + b"-----END PUBLIC KEY-----\n"
    file = tmp_path / "key.pem"
    file.write_bytes(data)
    assert modulus(str(file)) is NAMED[name]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
@pytest.mark.parametrize("curve", ["sect163r2", "sect571k1"])
def test_private_keys_and_certificates_of_openssl(curve: str, tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    for command in (
        ["ecparam", "-name", curve, "-genkey", "-noout", "-out", key],
        ["req", "-x509", "-key", key, "-subj", "/CN=x", "-days", "1", "-out", certificate],
    ):
        subprocess.run(["openssl", *map(str, command)], check=True, capture_output=True)
    for file in (key, certificate):
        assert modulus(str(file)) is NAMED[OF_CURVES[curve][1]]
