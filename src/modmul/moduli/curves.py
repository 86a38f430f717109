# SPDX-License-Identifier: Apache-2.0
"""Elliptic curves by name, with their groups as a model: what hardware is held against.

Parameters are those of SEC 2, FIPS 186, RFC 5639, RFC 7748, RFC 8032 and GB/T 32918; the model is affine,
and serves for nothing that is secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from modmul.core import Polynomial
from modmul.moduli.base import ModulusError
from modmul.moduli.named import NAMED

__all__ = ["BINARY", "CURVES", "EDWARDS", "MONTGOMERY", "OIDS", "WEIERSTRASS", "Curve", "Point", "curve"]

WEIERSTRASS = "weierstrass"
"""y^2 = x^3 + a x + b."""
BINARY = "binary"
"""y^2 + x y = x^3 + a x^2 + b, over GF(2^m)."""
MONTGOMERY = "montgomery"
"""y^2 = x^3 + a x^2 + x."""
EDWARDS = "edwards"
"""a x^2 + y^2 = 1 + b x^2 y^2."""

Point = tuple[int, int] | None
"""x and y; ``None`` is the point at infinity, which Edwards curves do not have."""


@dataclass(frozen=True)
class Curve:
    """A curve and the point that its protocols begin with.

    Attributes:
        name: as the command line has it.
        form: :data:`WEIERSTRASS`, :data:`BINARY`, :data:`MONTGOMERY` or :data:`EDWARDS`.
        modulus: of the field.
        a, b: coefficients, reduced; what they stand for says the form.
        base: the point.
        order: of the point, a prime.
        cofactor: points of the curve are this many times the order.
        other: the name that the cryptography library knows it by, in small letters; ``""``: none.
        field: the modulus by name; ``""``: it has none.
    """

    name: str
    form: str
    modulus: int
    a: int
    b: int
    base: tuple[int, int]
    order: int
    cofactor: int = 1
    other: str = ""
    field: str = ""

    @property
    def bits(self) -> int:
        """Of a coordinate."""
        return self.modulus.degree if isinstance(self.modulus, Polynomial) else self.modulus.bit_length()

    @property
    def bytes(self) -> int:
        """Of a coordinate in a file."""
        return -(-self.bits // 8)

    @property
    def neutral(self) -> Point:
        """The point that changes none."""
        return (0, 1) if self.form == EDWARDS else None

    def product(self, *factors: int) -> int:
        """Of elements of the field."""
        if isinstance(self.modulus, Polynomial):
            return self.modulus.product(*factors)
        found = 1
        for factor in factors:
            found = found * factor % self.modulus
        return found

    def inverse(self, value: int) -> int:
        """Of an element of the field.

        Raises:
            ValueError: it is 0.
        """
        return (
            self.modulus.inverse(value)
            if isinstance(self.modulus, Polynomial)
            else pow(value, -1, self.modulus)
        )

    def holds(self, point: Point) -> bool:
        """Whether a point is on the curve, with reduced coordinates."""
        if point is None:
            return self.form != EDWARDS
        x, y = point
        if x >> self.bits or y >> self.bits or min(x, y) < 0:
            return False
        m = self.modulus
        if isinstance(m, Polynomial):
            xx = m.product(x, x)
            return m.product(y, y) ^ m.product(x, y) == m.product(xx, x ^ self.a) ^ self.b
        if max(x, y) >= m:
            return False
        if self.form == EDWARDS:
            return (self.a * x * x + y * y - 1 - self.b * x * x * y * y) % m == 0
        if self.form == MONTGOMERY:
            return (y * y - x * (x * x + self.a * x + 1)) % m == 0
        return (y * y - x * (x * x + self.a) - self.b) % m == 0

    def negative(self, point: Point) -> Point:
        """The point whose sum with this one is the neutral one."""
        if point is None:
            return None
        x, y = point
        if self.form == BINARY:
            return x, x ^ y
        if self.form == EDWARDS:
            return -x % self.modulus, y
        return x, -y % self.modulus

    def add(self, one: Point, two: Point) -> Point:
        """The sum of two points of the curve."""
        if one is None:
            return two
        if two is None:
            return one
        m, (x1, y1), (x2, y2) = self.modulus, one, two
        if self.form == EDWARDS:
            both = self.b * x1 * x2 * y1 * y2 % m
            x = (x1 * y2 + y1 * x2) * pow(1 + both, -1, m) % m
            return x, (y1 * y2 - self.a * x1 * x2) * pow(1 - both, -1, m) % m
        if one == self.negative(two):
            return None
        if isinstance(m, Polynomial):
            if one == two:
                slope = x1 ^ m.product(y1, m.inverse(x1))
                x = m.product(slope, slope) ^ slope ^ self.a
                return x, m.product(x1, x1) ^ m.product(slope ^ 1, x)
            slope = m.product(y1 ^ y2, m.inverse(x1 ^ x2))
            x = m.product(slope, slope) ^ slope ^ x1 ^ x2 ^ self.a
            return x, m.product(slope, x1 ^ x) ^ x ^ y1
        squares = self.a if self.form == MONTGOMERY else 0
        if one == two:
            rise = 3 * x1 * x1 + (2 * self.a * x1 + 1 if self.form == MONTGOMERY else self.a)
            slope = rise * pow(2 * y1, -1, m)
        else:
            slope = (y2 - y1) * pow(x2 - x1, -1, m)
        x = (slope * slope - squares - x1 - x2) % m
        return x, (slope * (x1 - x) - y1) % m

    def multiply(self, scalar: int, point: Point) -> Point:
        """The sum of as many points, scalar >= 0."""
        found = self.neutral
        for bit in bin(scalar)[2:]:
            found = self.add(found, found)
            if bit == "1":
                found = self.add(found, point)
        return found


def _curve(name: str, form: str, entry: _Entry) -> Curve:
    field, a, b, x, y, order, cofactor, other = entry
    m = NAMED[field].value
    a, b, x, y, order = (int(each, 16) if isinstance(each, str) else each for each in (a, b, x, y, order))
    if form != BINARY:
        a, b = a % m, b % m
    return Curve(name, form, m, a, b, (x, y), order, cofactor, other.lower(), field)


_Number = int | str
_Entry = tuple[str, _Number, _Number, _Number, _Number, _Number, int, str]

_WEIERSTRASS: Mapping[str, _Entry] = {
    "p192": (
        "p192",
        -3,
        "64210519e59c80e70fa7e9ab72243049feb8deecc146b9b1",
        "188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012",
        "7192b95ffc8da78631011ed6b24cdd573f977a11e794811",
        "ffffffffffffffffffffffff99def836146bc9b1b4d22831",
        1,
        "secp192r1",
    ),
    "p224": (
        "p224",
        -3,
        "b4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4",
        "b70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21",
        "bd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34",
        "ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d",
        1,
        "secp224r1",
    ),
    "p256": (
        "p256",
        -3,
        "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
        "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        1,
        "secp256r1",
    ),
    "p384": (
        "p384",
        -3,
        "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
        "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
        "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f",
        "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
        1,
        "secp384r1",
    ),
    "p521": (
        "p521",
        -3,
        "51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e1561939"
        "51ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
        "c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e"
        "77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66",
        "11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee7"
        "2995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650",
        "1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868"
        "783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
        1,
        "secp521r1",
    ),
    "secp256k1": (
        "secp256k1",
        0,
        7,
        "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
        "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
        1,
        "secp256k1",
    ),
    "brainpool256": (
        "brainpool256",
        "7d5a0975fc2c3057eef67530417affe7fb8055c126dc5c6ce94a4b44f330b5d9",
        "26dc5c6ce94a4b44f330b5d9bbd77cbf958416295cf7e1ce6bccdc18ff8c07b6",
        "8bd2aeb9cb7e57cb2c4b482ffc81b7afb9de27e1e3bd23c23a4453bd9ace3262",
        "547ef835c3dac4fd97f8461a14611dc9c27745132ded8e545c1d54c72f046997",
        "a9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7",
        1,
        "brainpoolP256r1",
    ),
    "brainpool384": (
        "brainpool384",
        "7bc382c63d8c150c3c72080ace05afa0c2bea28e4fb22787139165efba91f90f8aa5814a503ad4eb04a8c7dd22ce2826",
        "4a8c7dd22ce28268b39b55416f0447c2fb77de107dcd2a62e880ea53eeb62d57cb4390295dbc9943ab78696fa504c11",
        "1d1c64f068cf45ffa2a63a81b7c13f6b8847a3e77ef14fe3db7fcafe0cbd10e8e826e03436d646aaef87b2e247d4af1e",
        "8abe1d7520f9c2a45cb1eb8e95cfd55262b70b29feec5864e19c054ff99129280e4646217791811142820341263c5315",
        "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b31f166e6cac0425a7cf3ab6af6b7fc3103b883202e9046565",
        1,
        "brainpoolP384r1",
    ),
    "brainpool512": (
        "brainpool512",
        "7830a3318b603b89e2327145ac234cc594cbdd8d3df91610a83441caea9863bc2ded5d5a"
        "a8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94ca",
        "3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9"
        "e7c1ac4d77fc94cadc083e67984050b75ebae5dd2809bd638016f723",
        "81aee4bdd82ed9645a21322e9c4c6a9385ed9f70b5d916c1b43b62eef4d0098eff3b1f78"
        "e2d0d48d50d1687b93b97d5f7c6d5047406a5e688b352209bcb9f822",
        "7dde385d566332ecc0eabfa9cf7822fdf209f70024a57b1aa000c55b881f8111b2dcde49"
        "4a5f485e5bca4bd88a2763aed1ca2b2fa8f0540678cd1e0f3ad80892",
        "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870553e5c41"
        "4ca92619418661197fac10471db1d381085ddaddb58796829ca90069",
        1,
        "brainpoolP512r1",
    ),
    "sm2": (
        "sm2",
        -3,
        "28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93",
        "32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7",
        "bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0",
        "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123",
        1,
        "sm2",
    ),
    "k163": (
        "b163",
        1,
        1,
        "2fe13c0537bbc11acaa07d793de4e6d5e5c94eee8",
        "289070fb05d38ff58321f2e800536d538ccdaa3d9",
        "4000000000000000000020108a2e0cc0d99f8a5ef",
        2,
        "sect163k1",
    ),
    "b163": (
        "b163",
        1,
        "20a601907b8c953ca1481eb10512f78744a3205fd",
        "3f0eba16286a2d57ea0991168d4994637e8343e36",
        "d51fbc6c71a0094fa2cdd545b11c5c0c797324f1",
        "40000000000000000000292fe77e70c12a4234c33",
        2,
        "sect163r2",
    ),
    "k233": (
        "b233",
        0,
        1,
        "17232ba853a7e731af129f22ff4149563a419c26bf50a4c9d6eefad6126",
        "1db537dece819b7f70f555a67c427a8cd9bf18aeb9b56e0c11056fae6a3",
        "8000000000000000000000000000069d5bb915bcd46efb1ad5f173abdf",
        4,
        "sect233k1",
    ),
    "b233": (
        "b233",
        1,
        "66647ede6c332c7f8c0923bb58213b333b20e9ce4281fe115f7d8f90ad",
        "fac9dfcbac8313bb2139f1bb755fef65bc391f8b36f8f8eb7371fd558b",
        "1006a08a41903350678e58528bebf8a0beff867a7ca36716f7e01f81052",
        "1000000000000000000000000000013e974e72f8a6922031d2603cfe0d7",
        2,
        "sect233r1",
    ),
    "k283": (
        "b283",
        0,
        1,
        "503213f78ca44883f1a3b8162f188e553cd265f23c1567a16876913b0c2ac2458492836",
        "1ccda380f1c9e318d90f95d07e5426fe87e45c0e8184698e45962364e34116177dd2259",
        "1ffffffffffffffffffffffffffffffffffe9ae2ed07577265dff7f94451e061e163c61",
        4,
        "sect283k1",
    ),
    "b283": (
        "b283",
        1,
        "27b680ac8b8596da5a4af8a19a0303fca97fd7645309fa2a581485af6263e313b79a2f5",
        "5f939258db7dd90e1934f8c70b0dfec2eed25b8557eac9c80e2e198f8cdbecd86b12053",
        "3676854fe24141cb98fe6d4b20d02b4516ff702350eddb0826779c813f0df45be8112f4",
        "3ffffffffffffffffffffffffffffffffffef90399660fc938a90165b042a7cefadb307",
        2,
        "sect283r1",
    ),
    "k409": (
        "b409",
        0,
        1,
        "60f05f658f49c1ad3ab1890f7184210efd0987e307c84c27accfb8f9f67cc2c460189eb5"
        "aaaa62ee222eb1b35540cfe9023746",
        "1e369050b7c4e42acba1dacbf04299c3460782f918ea427e6325165e9ea10e3da5f6c42e"
        "9c55215aa9ca27a5863ec48d8e0286b",
        "7ffffffffffffffffffffffffffffffffffffffffffffffffffe5f83b2d4ea20400ec455"
        "7d5ed3e3e7ca5b4b5c83b8e01e5fcf",
        4,
        "sect409k1",
    ),
    "b409": (
        "b409",
        1,
        "21a5c2c8ee9feb5c4b9a753b7b476b7fd6422ef1f3dd674761fa99d6ac27c8a9a197b272"
        "822f6cd57a55aa4f50ae317b13545f",
        "15d4860d088ddb3496b0c6064756260441cde4af1771d4db01ffe5b34e59703dc255a868"
        "a1180515603aeab60794e54bb7996a7",
        "61b1cfab6be5f32bbfa78324ed106a7636b9c5a7bd198d0158aa4f5488d08f38514f1fdf"
        "4b4f40d2181b3681c364ba0273c706",
        "10000000000000000000000000000000000000000000000000001e2aad6a612f33307be5"
        "fa47c3c9e052f838164cd37d9a21173",
        2,
        "sect409r1",
    ),
    "k571": (
        "b571",
        0,
        1,
        "26eb7a859923fbc82189631f8103fe4ac9ca2970012d5d46024804801841ca4437095849"
        "3b205e647da304db4ceb08cbbd1ba39494776fb988b47174dca88c7e2945283a01c8972",
        "349dc807f4fbf374f4aeade3bca95314dd58cec9f307a54ffc61efc006d8a2c9d4979c0a"
        "c44aea74fbebbb9f772aedcb620b01a7ba7af1b320430c8591984f601cd4c143ef1c7a3",
        "200000000000000000000000000000000000000000000000000000000000000000000001"
        "31850e1f19a63e4b391a8db917f4138b630d84be5d639381e91deb45cfe778f637c1001",
        4,
        "sect571k1",
    ),
    "b571": (
        "b571",
        1,
        "2f40e7e2221f295de297117b7f3d62f5c6a97ffcb8ceff1cd6ba8ce4a9a18ad84ffabbd8"
        "efa59332be7ad6756a66e294afd185a78ff12aa520e4de739baca0c7ffeff7f2955727a",
        "303001d34b856296c16c0d40d3cd7750a93d1d2955fa80aa5f40fc8db7b2abdbde53950f"
        "4c0d293cdd711a35b67fb1499ae60038614f1394abfa3b4c850d927e1e7769c8eec2d19",
        "37bf27342da639b6dccfffeb73d69d78c6c27a6009cbbca1980f8533921e8a684423e43b"
        "ab08a576291af8f461bb2a8b3531d2f0485c19b16e2f1516e23dd3c1a4827af1b8ac15b",
        "3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe"
        "661ce18ff55987308059b186823851ec7dd9ca1161de93d5174d66e8382e9bb2fe84e47",
        2,
        "sect571r1",
    ),
    "sm2-binary": (
        "sm2-binary",
        0,
        "e78bcd09746c202378a7e72b12bce00266b9627ecb0b5a25367ad1ad4cc6242b",
        "cdb9ca7f1e6b0441f658343f4b10297c0ef9b6491082400a62e7a7485735fadd",
        "13de74da65951c4d76dc89220d5f7777a611b1c38bae260b175951dc8060c2b3e",
        "7fffffffffffffffffffffffffffffffbc972cf7e6b6f900945b3c6a0cf6161d",
        4,
        "",
    ),
}
"""Name of the field, a, b, the base point, its order, the cofactor, the other name."""


def _ed25519() -> Curve:
    m = NAMED["curve25519"].value
    d = -121665 * pow(121666, -1, m) % m
    y = 4 * pow(5, -1, m) % m
    base = _even_root(m, d, y), y
    return Curve("ed25519", EDWARDS, m, m - 1, d, base, _L25519, 8, "ed25519", "curve25519")


def _even_root(m: int, d: int, y: int) -> int:
    """The even x of -x^2 + y^2 = 1 + d x^2 y^2, for m = 5 mod 8."""
    square = (y * y - 1) * pow(d * y * y + 1, -1, m) % m
    x = pow(square, (m + 3) // 8, m)
    if (x * x - square) % m:
        x = x * pow(2, (m - 1) // 4, m) % m
    return m - x if x % 2 else x


_L25519 = NAMED["ed25519-order"].value
_L448 = 2**446 - 0x8335DC163BB124B65129C96FDE933D8D723A70AADC873D6D54A7BB0D
_ED448_BASE = (
    int(
        "4f1970c66bed0ded221d15a622bf36da9e146570470f1767ea6de324"
        "a3d3a46412ae1af72ab66511433b80e18b00938e2626a82bc70cc05e",
        16,
    ),
    int(
        "693f46716eb6bc248876203756c9c7624bea73736ca3984087789c1e"
        "05a0c2d73ad3ff1ce67c39c4fdbd132c4ed7c8ad9808795bf230fa14",
        16,
    ),
)


def _montgomery(name: str, field: str, a: int, x: int, y: str, order: int, cofactor: int) -> Curve:
    return Curve(name, MONTGOMERY, NAMED[field].value, a, 1, (x, int(y, 16)), order, cofactor, name, field)


def _others() -> tuple[Curve, ...]:
    m = NAMED["curve448"].value
    return (
        _montgomery(
            "x25519",
            "curve25519",
            486662,
            9,
            "20ae19a1b8a086b4e01edd2c7748d14c923d4d7e6d7c61b229e9c5a27eced3d9",
            _L25519,
            8,
        ),
        _montgomery(
            "x448",
            "curve448",
            156326,
            5,
            "7d235d1295f5b1f66c98ab6e58326fcecbae5d34f55545d060f75dc2"
            "8df3f6edb8027e2346430d211312c4b150677af76fd7223d457b5b1a",
            _L448,
            4,
        ),
        _ed25519(),
        Curve("ed448", EDWARDS, m, 1, -39081 % m, _ED448_BASE, _L448, 4, "ed448", "curve448"),
    )


CURVES: Mapping[str, Curve] = MappingProxyType(
    {
        name: _curve(name, BINARY if isinstance(NAMED[entry[0]].value, Polynomial) else WEIERSTRASS, entry)
        for name, entry in _WEIERSTRASS.items()
    }
    | {each.name: each for each in _others()}
)
"""The curves that have a name."""


OIDS: Mapping[str, str] = MappingProxyType(
    {
        "1.2.156.10197.1.301": "sm2",
        "1.3.132.0.1": "k163",
        "1.3.132.0.15": "b163",
        "1.3.132.0.26": "k233",
        "1.3.132.0.27": "b233",
        "1.3.132.0.16": "k283",
        "1.3.132.0.17": "b283",
        "1.3.132.0.36": "k409",
        "1.3.132.0.37": "b409",
        "1.3.132.0.38": "k571",
        "1.3.132.0.39": "b571",
    }
)
"""Curves by their object identifiers in key files (SEC 2, GM/T 0006) that the cryptography library does not
read."""

_ALIASES = {each.other: each for each in CURVES.values() if each.other} | {
    "prime192v1": CURVES["p192"],
    "prime256v1": CURVES["p256"],
}
"""Names of the cryptography library and of OpenSSL, in small letters."""


def curve(name: str) -> Curve:
    """The curve of a name: ours, that of the cryptography library, of OpenSSL, or of NIST (``P-256``).

    Raises:
        ModulusError: there is none; the message names those that are near.
    """
    small = name.lower()
    for known, key in ((CURVES, small), (_ALIASES, small), (CURVES, small.replace("-", ""))):
        if found := known.get(key):
            return found
    near = get_close_matches(small, [*CURVES, *_ALIASES], n=3, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there is {', '.join(CURVES)}"
    raise ModulusError(f"there is no curve {name}; {hint}")
