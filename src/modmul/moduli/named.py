# SPDX-License-Identifier: Apache-2.0
"""Moduli with a name: field primes, group orders, field polynomials, Diffie-Hellman groups, RSA keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType

from modmul.core import Polynomial, RsaKey, modulus_text
from modmul.moduli.base import Modulus

__all__ = ["ALIASES", "NAMED", "shown", "title_of"]

_BLS_X = -0xD201000000010000
"""The parameter x of BLS12-381; r = x^4 - x^2 + 1 and p = (x - 1)^2 r / 3 + x."""
_BLS_377_X = 0x8508C00000000001
"""The same of BLS12-377."""
_BN_X = 4965661367192848881
"""The parameter x of BN254 (alt_bn128); p = 36x^4 + 36x^3 + 24x^2 + 6x + 1, r = p - 6x^2."""
_BLS_R = _BLS_X**4 - _BLS_X**2 + 1
_BLS_377_R = _BLS_377_X**4 - _BLS_377_X**2 + 1
_BN_P = 36 * _BN_X**4 + 36 * _BN_X**3 + 24 * _BN_X**2 + 6 * _BN_X + 1
_P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1

_PRIMES: tuple[tuple[str, int, str], ...] = (
    ("p192", 2**192 - 2**64 - 1, "NIST P-192, field prime"),
    ("p224", 2**224 - 2**96 + 1, "NIST P-224, field prime"),
    ("p256", _P256, "NIST P-256, field prime"),
    (
        "p256-order",
        0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
        "NIST P-256, group order",
    ),
    ("p384", 2**384 - 2**128 - 2**96 + 2**32 - 1, "NIST P-384, field prime"),
    ("p521", 2**521 - 1, "NIST P-521, field prime"),
    ("secp256k1", 2**256 - 2**32 - 977, "secp256k1, field prime"),
    (
        "secp256k1-order",
        0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
        "secp256k1, group order",
    ),
    ("sm2", 2**256 - 2**224 - 2**96 + 2**64 - 1, "SM2 recommended curve, field prime"),
    (
        "sm2-order",
        0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123,
        "SM2 recommended curve, group order",
    ),
    ("curve25519", 2**255 - 19, "Curve25519 and Ed25519, field prime"),
    ("ed25519-order", 2**252 + 27742317777372353535851937790883648493, "Ed25519, group order"),
    ("curve448", 2**448 - 2**224 - 1, "Curve448, field prime"),
    ("bls12-381-fp", (_BLS_X - 1) ** 2 * _BLS_R // 3 + _BLS_X, "BLS12-381, field prime"),
    ("bls12-381-fr", _BLS_R, "BLS12-381, group order"),
    ("bls12-377-fp", (_BLS_377_X - 1) ** 2 * _BLS_377_R // 3 + _BLS_377_X, "BLS12-377, field prime"),
    ("bls12-377-fr", _BLS_377_R, "BLS12-377, group order"),
    ("bn254-fp", _BN_P, "BN254 (alt_bn128), field prime"),
    ("bn254-fr", _BN_P - 6 * _BN_X**2, "BN254 (alt_bn128), group order"),
    (
        "brainpool256",
        0xA9FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5377,
        "brainpoolP256, field prime",
    ),
    (
        "brainpool384",
        int(
            "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b4"
            "12b1da197fb71123acd3a729901d1a71874700133107ec53",
            16,
        ),
        "brainpoolP384, field prime",
    ),
    (
        "brainpool512",
        int(
            "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330871"
            "7d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3",
            16,
        ),
        "brainpoolP512, field prime",
    ),
    ("goldilocks", 2**64 - 2**32 + 1, "the Goldilocks prime"),
    ("ml-kem", 3329, "ML-KEM (Kyber), FIPS 203"),
    ("ml-dsa", 2**23 - 2**13 + 1, "ML-DSA (Dilithium), FIPS 204"),
    ("falcon", 12289, "Falcon"),
    ("mersenne31", 2**31 - 1, "the Mersenne prime of 31 bits"),
    ("babybear", 2**31 - 2**27 + 1, "the BabyBear prime"),
    ("koalabear", 2**31 - 2**24 + 1, "the KoalaBear prime"),
)

_POLYNOMIALS: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("b163", (163, 7, 6, 3, 0), "NIST B-163 and K-163"),
    ("b233", (233, 74, 0), "NIST B-233 and K-233"),
    ("b283", (283, 12, 7, 5, 0), "NIST B-283 and K-283"),
    ("b409", (409, 87, 0), "NIST B-409 and K-409"),
    ("b571", (571, 10, 5, 2, 0), "NIST B-571 and K-571"),
    ("sm2-binary", (257, 12, 0), "SM2 example curve over GF(2^257)"),
)
"""Name, powers of x, curves."""

_KEYS: tuple[tuple[int, int, int], ...] = (
    (1024, 569, 629),
    (2048, 105, 179),
    (3072, 3453, 4977),
    (4096, 1557, 2543),
)
"""Bits of N, and what the two largest primes of half as many bits lack to the power of two above them."""


_GROUPS: tuple[tuple[str, str, Mapping[int, int]], ...] = (
    (
        "modp",
        "RFC 3526",
        {1536: 741804, 2048: 124476, 3072: 1690314, 4096: 240904, 6144: 929484, 8192: 4743158},
    ),
    ("ffdhe", "RFC 7919", {2048: 560316, 3072: 2625351, 4096: 5736041, 6144: 15705020, 8192: 10965728}),
)
"""Name, source, n to k of the primes 2^n - 2^(n-64) - 1 + 2^64 (floor(2^(n-130) c) + k).

c is pi in RFC 3526 (section 2 to 7), and e in RFC 7919 (appendix A).
"""


class _Named(Mapping[str, Modulus]):
    """Moduli that are made when somebody asks for them: groups and keys take a while.

    Args:
        makers: what makes that of a name.
    """

    def __init__(self, makers: Mapping[str, Callable[[], Modulus]]) -> None:
        self._makers = makers
        self._made: dict[str, Modulus] = {}

    def __getitem__(self, name: str) -> Modulus:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __contains__(self, name: object) -> bool:
        return name in self._makers


def _group(name: str, source: str, bits: int, least: int) -> Modulus:
    from flint import arb, ctx  # noqa: PLC0415 (slow to import)

    precision, ctx.prec = ctx.prec, bits
    constant = arb.pi() if name == "modp" else arb.const_e()
    digits = (constant * arb(2) ** (bits - 130)).floor().unique_fmpz()
    ctx.prec = precision
    if digits is None:
        raise ArithmeticError(f"{bits} bits are too few for the digits of {name}{bits}")
    value = 2**bits - 2 ** (bits - 64) - 1 + ((int(digits) + least) << 64)
    return Modulus(f"{name}{bits}", value, f"Diffie-Hellman group of {bits} bits, {source}; generator 2")


def _binary(name: str, powers: tuple[int, ...], curves: str) -> Modulus:
    value = Polynomial(sum(1 << power for power in powers))
    return Modulus(name, value, f"{curves}, field polynomial {value.text}")


def _key(bits: int, *below: int) -> Modulus:
    p, q = ((1 << bits // 2) - less for less in below)
    source = f"a key that everybody knows: the two largest primes of {bits // 2} bits, e = 65537"
    return Modulus(f"rsa{bits}", RsaKey(p, q, 65537), source)


NAMED: Mapping[str, Modulus] = _Named(
    {prime[0]: partial(Modulus, *prime) for prime in _PRIMES}
    | {entry[0]: partial(_binary, *entry) for entry in _POLYNOMIALS}
    | {
        f"{name}{bits}": partial(_group, name, source, bits, least)
        for name, source, groups in _GROUPS
        for bits, least in groups.items()
    }
    | {f"rsa{entry[0]}": partial(_key, *entry) for entry in _KEYS}
)
"""The moduli that have a name."""

ALIASES: Mapping[str, str] = MappingProxyType(
    {f"k{m}": f"b{m}" for m in (163, 233, 283, 409, 571)} | {"ed25519": "curve25519", "ed448": "curve448"}
)
"""Further names: a Koblitz curve and a random one of NIST share the field, as do X448 and Ed448."""

_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "p192": "P-192",
        "p224": "P-224",
        "p256": "P-256",
        "p384": "P-384",
        "p521": "P-521",
        "sm2": "SM2",
        "curve25519": "Curve25519",
        "curve448": "Ed448",
        "brainpool256": "brainpoolP256",
        "brainpool384": "brainpoolP384",
        "brainpool512": "brainpoolP512",
        "goldilocks": "Goldilocks",
        "ml-kem": "ML-KEM",
        "ml-dsa": "ML-DSA",
        "falcon": "Falcon",
        "mersenne31": "Mersenne31",
        "babybear": "BabyBear",
        "koalabear": "KoalaBear",
    }
)
"""How people write a name, where that is not as on the command line."""


def title_of(value: int) -> str | None:
    """What people call a modulus with a name, a number or the bits of a polynomial; ``None`` for others."""
    return _BY_VALUE.get(value)


_BY_VALUE: Mapping[int, str] = MappingProxyType(
    {sum(1 << power for power in powers): name for name, powers, _ in _POLYNOMIALS}
    | {value: _TITLES.get(name, name) for name, value, _ in reversed(_PRIMES)}
)


def shown(parameter: str, value: int) -> str:
    """The value of a parameter for people: of ``Modulus`` the name, or what the number is the sum of."""
    if parameter != "Modulus" or not value:
        return str(value)
    text = value.text if isinstance(value, Polynomial) else modulus_text(value).replace(" ", "")
    return title_of(value) or text
