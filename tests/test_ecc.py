# SPDX-License-Identifier: Apache-2.0
"""Elliptic curves: their parameters, the programs on the engine, protocols, the command line.

Curves and protocols are held against the cryptography library and published vectors. Most tests have the
model of a curve in place of the hardware.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from ctypes import CDLL, c_int, c_void_p, create_string_buffer
from ctypes.util import find_library
from dataclasses import replace
from functools import cache
from math import isqrt
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa, x448, x25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from typer.testing import CliRunner, Result

from modmul.cli import ecc as commands
from modmul.cli.app import app
from modmul.core import Polynomial
from modmul.moduli import CURVES, NAMED, Curve, ModulusError, Point, curve, multiples, two_points
from modmul.moduli.curves import BINARY, EDWARDS, MONTGOMERY, WEIERSTRASS
from modmul.registry import on
from modmul.systems import engine
from modmul.tools.progress import Listener, Progress, ignore
from modmul.use import ecc, eddsa, sm2
from modmul.use.program import prepare, read
from modmul.vectors import printed
from modmul.verify.failures import VerificationError
from modmul.verify.runner import Plan, verify
from modmul.verify.simulation import Simulation

MESSAGE = b"attack at dawn\n"
LIBRARY: dict[str, type[ec.EllipticCurve]] = {
    str(each.name).lower(): each
    for each in vars(ec).values()
    if isinstance(each, type) and issubclass(each, ec.EllipticCurve) and each is not ec.EllipticCurve
}
"""Curves of the cryptography library."""


def right(at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
    """Hardware that does what it should."""
    del listener
    if at.form == MONTGOMERY:
        return _ladder(at, scalar, point[0]), 0
    found = at.multiply(scalar, point)
    if found is None:
        raise ecc.CurveError("nothing")
    return found


def _ladder(at: Curve, scalar: int, x: int) -> int:
    """X of RFC 7748, section 5."""
    p, a24 = at.modulus, (at.a - 2) // 4
    x2, z2, x3, z3 = 1, 0, x, 1
    for bit in bin(scalar)[2:]:
        if bit == "1":
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        x3, z3 = (d * a + c * b) ** 2 % p, x * (d * a - c * b) ** 2 % p
        e = a * a - b * b
        x2, z2 = a * a * b * b % p, e * (a * a + a24 * e) % p
        if bit == "1":
            x2, z2, x3, z3 = x3, z3, x2, z2
    return x2 * pow(z2, p - 2, p) % p


def wrong(at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
    x, y = right(at, scalar, point, listener)
    return x ^ 1, y


# --- the curves -----------------------------------------------------------------------------------


def slow(name: str) -> bool:
    """Whether the model takes seconds for a product."""
    return CURVES[name].form == BINARY and CURVES[name].bits > 200


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if slow(name) else []) for name in CURVES]
)
def test_a_base_point_has_its_order(name: str) -> None:
    """The number of points is in Hasse's interval, so the cofactor is right, too."""
    at = CURVES[name]
    assert at.holds(at.base) and at.holds(at.neutral)
    assert at.multiply(at.order, at.base) == at.neutral
    assert at.multiply(at.order - 1, at.base) == at.negative(at.base)
    size = 1 << at.bits if isinstance(at.modulus, Polynomial) else at.modulus
    assert abs(at.order * at.cofactor - size - 1) <= isqrt(4 * size) + 1
    assert NAMED[at.field].value == at.modulus
    x, y = at.base
    assert not at.holds((x ^ 1, y)) and not at.holds((x + size, y))


@pytest.mark.parametrize("name", LIBRARY)
def test_curves_are_those_of_the_library(name: str) -> None:
    at = curve(name)
    assert at.form == WEIERSTRASS
    for scalar in (1, 2, 12345, at.order - 1):
        key = ec.derive_private_key(scalar, LIBRARY[name]()).public_key().public_numbers()
        assert (key.x, key.y) == at.multiply(scalar, at.base)


def test_a_curve_without_a_name() -> None:
    assert curve("secp256r1") is CURVES["p256"]
    with pytest.raises(ModulusError, match="there is no curve p257; did you mean p256"):
        curve("p257")


# --- the programs, on curves with all of their points -----------------------------------------------

TOYS = {
    "weierstrass_plus": Curve("toy", WEIERSTRASS, 31, 28, 7, (0, 0), 37),
    "weierstrass_minus": Curve("toy", WEIERSTRASS, 31, 3, 18, (0, 0), 37),
    "weierstrass_zero": Curve("toy", WEIERSTRASS, 31, 0, 3, (0, 0), 43),
    "weierstrass": Curve("toy", WEIERSTRASS, 29, 2, 8, (0, 0), 29),
    "edwards": Curve("toy", EDWARDS, 29, 4, 2, (0, 1), 20),
    "edwards_plus": Curve("toy", EDWARDS, 29, 1, 2, (0, 1), 40),
    "edwards_minus": Curve("toy", EDWARDS, 29, 28, 14, (0, 1), 20),
    "binary_curve": Curve("toy", BINARY, Polynomial(0b100101), 1, 1, (0, 1), 22),
}
"""By the program. The order is that of the whole group; the last four have points of small order."""


def points(at: Curve) -> list[tuple[int, int]]:
    """All but the one at infinity."""
    size = 1 << at.bits if isinstance(at.modulus, Polynomial) else at.modulus
    return [(x, y) for x in range(size) for y in range(size) if at.holds((x, y))]


def outcome(at: Curve, scalar: int, point: tuple[int, int]) -> tuple[int, int]:
    """What leaves: zeros for the point at infinity, and for what is not on the curve."""
    return (at.holds(point) and at.multiply(scalar, point)) or (0, 0)


@pytest.mark.parametrize("name", TOYS)
def test_programs_in_the_model(name: str, rng: random.Random) -> None:
    """All points with all scalars, blinded in many ways; and all that is not on the curve."""
    at = TOYS[name]
    core = "fips" if at.form == BINARY else "rrm"
    own = points(at)
    assert len(own) + (at.form != EDWARDS) == at.order
    others = [(x, y) for x in range(at.bits**2) for y in range(at.bits**2) if (x, y) not in own]
    pairs = [(scalar, each) for each in own for scalar in range(at.order + 2)]
    pairs += [(rng.randrange(at.order), each) for each in rng.sample(others, 20)]
    for blind in (0, None):
        for scalar, point in rng.sample(pairs, 25):
            assert modelled(at, core, scalar, point, blind) == outcome(at, scalar, point)


def modelled(at: Curve, core: str, scalar: int, point: tuple[int, int], blind: int | None) -> tuple[int, int]:
    running, half = ecc.Hardware(core, blind=blind).prepared(at, scalar, point)
    config = running.build.config.at(at.modulus)
    found = running.build.core.function.answer(config, at.modulus, *running.operands)
    return found % (1 << half), found >> half


@pytest.mark.parametrize("name", ["weierstrass", "weierstrass_plus"])
def test_two_points_in_the_model(name: str, rng: random.Random) -> None:
    """All kinds of sums, those at infinity and of points that are multiples of each other among them."""
    at = TOYS[name]
    own = points(at)
    at = replace(at, base=rng.choice(own))
    others = [(x, y) for x in range(at.modulus) for y in range(at.modulus) if (x, y) not in own]
    cases = [(rng.randrange(at.order), rng.randrange(at.order), rng.choice(own)) for _ in range(9)]
    cases += [(u, v, at.base) for u, v in ((0, 0), (0, 1), (1, 0), (3, at.order - 3), (5, at.order - 5))]
    cases += [(3, 4, rng.choice(others))]
    for u, v, point in cases:
        running, half = ecc.Hardware("rrm").prepared_both(at, u, v, point)
        config = running.build.config.at(at.modulus)
        found = running.build.core.function.answer(config, at.modulus, *running.operands)
        wanted = at.add(at.multiply(u, at.base), at.multiply(v, point)) if at.holds(point) else None
        assert (found % (1 << half), found >> half) == (wanted or (0, 0))


@pytest.mark.parametrize("name", [name for name, at in TOYS.items() if at.form == EDWARDS])
def test_two_points_of_an_edwards_curve_in_the_model(name: str, rng: random.Random) -> None:
    """The neutral one, those of small order and multiples of each other among them."""
    at = TOYS[name]
    own = points(at)
    at = replace(at, base=rng.choice(own))
    others = [(x, y) for x in range(at.modulus) for y in range(at.modulus) if (x, y) not in own]
    cases = [(rng.randrange(64), rng.randrange(64), rng.choice(own)) for _ in range(9)]
    cases += [
        (rng.randrange(64), rng.randrange(64), point) for point in own if at.multiply(4, point) == (0, 1)
    ]
    cases += [(u, v, at.base) for u, v in ((0, 0), (0, 1), (1, 0), (3, at.order - 3), (7, 7), (511, 448))]
    cases += [(3, 4, rng.choice(others))]
    for u, v, point in cases:
        running, half = ecc.Hardware("rrm").prepared_both(at, u, v, point)
        config = running.build.config.at(at.modulus)
        found = running.build.core.function.answer(config, at.modulus, *running.operands)
        wanted = at.add(at.multiply(u, at.base), at.multiply(v, point)) if at.holds(point) else (0, 0)
        assert (found % (1 << half), found >> half) == wanted


def test_two_points_of_a_binary_curve_in_the_model(rng: random.Random) -> None:
    """Sums of equal points, of a point and its negative, with 0, and with the point of order 2 among them."""
    at = TOYS["binary_curve"]
    own = points(at)
    others = [(x, y) for x in range(32) for y in range(32) if (x, y) not in own]
    cases = [(rng.randrange(64), rng.randrange(64), rng.choice(own), rng.choice(own)) for _ in range(9)]
    for base in (rng.choice(own), (0, 1)):
        cases += [(u, v, base, base) for u, v in ((0, 0), (0, 1), (1, 0), (3, 3), (5, at.order - 5), (9, 2))]
        cases += [(at.order - 1, v, base, rng.choice(own)) for v in (0, 1, at.order - 1, at.order)]
        cases += [(2, 3, base, (0, 1)), (3, 1, base, at.negative(base) or (0, 1))]
    cases += [(3, 4, rng.choice(own), rng.choice(others))]
    for u, v, base, point in cases:
        curve_ = replace(at, base=base)
        running, half = ecc.Hardware("fips").prepared_both(curve_, u, v, point)
        config = running.build.config.at(at.modulus)
        found = running.build.core.function.answer(config, at.modulus, *running.operands)
        wanted = at.add(at.multiply(u, base), at.multiply(v, point)) if at.holds(point) else None
        assert (found % (1 << half), found >> half) == (wanted or (0, 0)), (u, v, base, point)


def test_there_is_no_program_for_two_points_of_other_curves() -> None:
    with pytest.raises(ecc.CurveError, match="no program for two points of x25519"):
        ecc.Hardware("rrm").prepared_both(CURVES["x25519"], 1, 1, CURVES["x25519"].base)


def test_a_verification_on_the_hardware(rng: random.Random) -> None:
    """By one run."""
    at = replace(TOYS["weierstrass_plus"], base=(2, 28))
    hardware = ecc.Hardware("rrm", blind=0)
    public = rng.choice(points(at))
    wanted = at.add(at.multiply(5, at.base), at.multiply(9, public))
    assert ecc.both(at, 5, 9, public, hardware, lambda told: None) == wanted
    assert len(hardware.done.runs) == 1
    assert ecc.both(at, 5, at.order - 5, at.base, hardware, ignore) is None


def test_digits_are_those_of_the_scalars(rng: random.Random) -> None:
    at = CURVES["p256"]
    for u, v in [
        (0, 0),
        (1, at.order - 1),
        *((rng.randrange(at.order), rng.randrange(at.order)) for _ in "ab"),
    ]:
        written, length = two_points.digits(at, u, v)
        assert written.bit_length() == length
        found = [0, 0]
        for place in range((length - 1) // 4):
            negative, entry = written >> 4 * place & 1, written >> 4 * place + 1 & 7
            pair = (2 * entry - 3, 1) if entry < 4 else (11 - 2 * entry, 3)
            for at_, digit in enumerate(pair):
                found[at_] += (-digit if negative else digit) << 2 * place
        assert [each % at.order for each in found] == [u, v]


def test_steps_are_those_of_the_scalars(rng: random.Random) -> None:
    at = CURVES["b163"]
    for u, v in [(0, 0), (1, at.order - 1), (1 << 170, 3), (rng.getrandbits(163), rng.getrandbits(163))]:
        written, length = two_points.steps(at, u, v)
        last, *pairs = [written >> place & 3 for place in reversed(range(0, length, 2))]
        found = [0]
        for pair in pairs:
            found.append(found[-1] ^ pair)
        assert last == (u & 1) << 1 | v & 1 == found[-1]
        assert sum((pair >> 1) << place for place, pair in enumerate(reversed(found))) == u
        assert sum((pair & 1) << place for place, pair in enumerate(reversed(found))) == v


def on_hardware(at: Curve, core: str, scalars: Iterable[int], own: Iterable[tuple[int, int]]) -> int:
    """Operations on the simulated hardware, right and all in one time; how many."""
    running, half = ecc.Hardware(core, blind=0).prepared(at, at.order + 1, (0, 0))
    simulation = Simulation(running.build)
    simulation.load(at.modulus)
    pairs = [(scalar, point) for point in own for scalar in scalars]
    leaving = [pair for pair in pairs if outcome(at, *pair) != (0, 0)]
    batch = simulation.run([x | y << half for _, (x, y) in leaving], [scalar for scalar, _ in leaving])
    wanted = [outcome(at, *pair) for pair in leaving]
    assert batch.results == [x | y << half for x, y in wanted]
    assert len(set(batch.latencies.tolist())) == 1
    for scalar, (x, y) in pairs:
        if outcome(at, scalar, (x, y)) == (0, 0):
            assert simulation.multiply(x | y << half, scalar) == 0
            assert simulation.peek("ctx_error_o")
            simulation.load(at.modulus)
    return len(pairs)


@pytest.mark.parametrize(
    "name",
    [
        *("weierstrass_plus", "binary_curve", "edwards_minus"),
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("weierstrass", "weierstrass_minus", "weierstrass_zero", "edwards", "edwards_plus")
        ),
    ],
)
def test_programs_on_the_hardware(name: str, rng: random.Random) -> None:
    """Points of the curve and others, at the edges of the scalars."""
    at = TOYS[name]
    core = "fips" if at.form == BINARY else "rrm"
    own = [*rng.sample(points(at), 6), (0, 1), (1, 0), (3, 3)]
    assert on_hardware(at, core, (0, 1, 2, at.order - 1, at.order, at.order + 1), own) == 54


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "core"),
    [
        (name, core)
        for name, at in TOYS.items()
        for core in ("rrm", "montgomery_dsp", "imml_booth4", "fips")
        if at.form != BINARY or core == "fips"
    ],
)
def test_all_points_with_all_scalars(name: str, core: str) -> None:
    at = TOYS[name]
    assert on_hardware(at, core, range(at.order + 2), points(at)) > 400


def test_what_is_wrong_does_not_leave() -> None:
    """A row that is another one: hardly any point of the wrong ones is on the curve, and zeros leave."""
    at = CURVES["p256"]
    running, half = ecc.Hardware("rrm", blind=0).prepared(at, 12345, at.base)
    name, text = read("weierstrass_plus")
    values = multiples.numbers(at) | {"p": running.operands[0], "k": 12345}
    found = []
    for row in ("add   dz, i, xx", "sub   u, h, u", "sub   u, q, h"):
        assert text.count(row) == 1
        flipped = row.replace("add", "sub") if row.startswith("add") else row.replace("sub", "add")
        for changed in (text, text.replace(row, flipped)):
            wrong = prepare(name, changed, "rrm", at.modulus, values, length=20)
            config = wrong.build.config.at(at.modulus)
            found.append(wrong.build.core.function.answer(config, at.modulus, *wrong.operands))
    point = at.multiply(12345, at.base)
    assert point and found == 3 * [point[0] | point[1] << half, 0]


@pytest.mark.parametrize("name", ["x25519", "x448"])
def test_ladders_are_those_of_the_library(name: str) -> None:
    make: Any = {"x25519": x25519.X25519PrivateKey, "x448": x448.X448PrivateKey}[name]
    own, other = make.generate(), make.generate().public_key()

    def model(at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
        del listener
        running, _ = ecc.Hardware("rrm").prepared(at, scalar, point)
        config = running.build.config.at(at.modulus)
        return int(running.build.core.function.answer(config, at.modulus, *running.operands)), 0

    found = ecc.exchange(name, own.private_bytes_raw(), other.public_bytes_raw(), model)
    assert found == own.exchange(other)
    at, scalar = (
        CURVES[name],
        multiples.clamped(CURVES[name], int.from_bytes(own.private_bytes_raw(), "little")),
    )
    twisted = next(x for x in range(2, 99) if multiples.on_twist(at, x))
    for x in (twisted, 0, 1, at.modulus - 1):  # others are of small order, or on the twist as well
        assert model(at, scalar, (x, 0), ignore) == (_ladder(at, scalar, x), 0)


@pytest.mark.parametrize(
    "name", ["b163", *(pytest.param(f"k{m}", marks=pytest.mark.long) for m in (233, 283, 409, 571)), "toy"]
)
def test_inverses_over_every_field(name: str) -> None:
    """By the chain for its degree, and that for another one is wrong."""
    at = CURVES.get(name, TOYS["binary_curve"])
    short = replace(at, order=11, cofactor=1)
    point = at.base if name != "toy" else points(at)[3]
    assert modelled(short, "fips", 5, point, 0) == at.multiply(5, point)
    rows = multiples.chained(read("binary_curve")[1], at)
    other = replace(at, modulus=Polynomial(at.modulus ^ 5 << at.bits))
    assert rows != multiples.chained(read("binary_curve")[1], other) and ".number  inverse" not in rows


def test_chains_are_short(rng: random.Random) -> None:
    """They make the power, with few products beside the squares; random primes have windows."""
    for exponent in (2, 3, 5, 6, 27, 0b1110111, *(rng.getrandbits(40) | 1 << 40 for _ in "abcd")):
        assert raised(multiples.chain(exponent, "t1")[0]) == exponent
    for name, most in (("p256", 13), ("p521", 13), ("sm2", 17), ("secp256k1", 16), ("b571", 12)):
        at = CURVES[name]
        wanted = (1 << at.bits) - 2 if isinstance(at.modulus, Polynomial) else at.modulus - 2
        rows, products = multiples.chain(wanted, "t1")
        assert raised(rows) == wanted and products == most
    text = read("weierstrass")[1]
    assert multiples.chained(text, CURVES["brainpool256"]) == text
    for name in ("weierstrass", "weierstrass_plus", "two_points3"):
        assert ".number  inverse" not in multiples.chained(read(name)[1], CURVES["p256"])


def raised(rows: str) -> int:
    """The power that rows make of t1."""
    powers, lines, f, at = {"t1": 1}, rows.splitlines(), 0, 0
    while at < len(lines):
        words = lines[at].rpartition(":")[2].replace(",", "").split()
        at += 1
        if words[0] == "repeat":  # rows of one square
            f <<= int(words[1]) - 1
        else:
            powers["f"] = f
            f = powers[words[2]] + powers[words[3]]
            powers[words[1]] = f
    return powers["v"]


# --- protocols ------------------------------------------------------------------------------------


def test_ecdsa_of_rfc_6979() -> None:
    """Appendix A.2.5."""
    secret = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
    r = 0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
    s = 0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8
    assert ecc.sign(CURVES["p256"], secret, b"sample", right) == (r, s)


@pytest.mark.parametrize("name", ["secp192r1", "secp384r1", "secp521r1", "brainpoolp256r1"])
@pytest.mark.parametrize("hash_", ["sha224", "sha512"])
def test_ecdsa_is_that_of_the_library(name: str, hash_: str, rng: random.Random) -> None:
    at = curve(name)
    secret = rng.randrange(1, at.order)
    key = ec.derive_private_key(secret, LIBRARY[name]())
    algorithm = {"sha224": hashes.SHA224, "sha512": hashes.SHA512}[hash_]()
    known = decode_dss_signature(key.sign(MESSAGE, ec.ECDSA(algorithm, deterministic_signing=True)))
    assert ecc.sign(at, secret, MESSAGE, right, digest=hash_) == known
    other = ecc.sign(at, secret, MESSAGE, right, digest=hash_, random=True)
    assert other != known
    key.public_key().verify(encode_dss_signature(*other), MESSAGE, ec.ECDSA(algorithm))


def test_verification_on_hardware(rng: random.Random) -> None:
    at = CURVES["p256"]
    secret = rng.randrange(1, at.order)
    public = at.multiply(secret, at.base)
    assert public
    r, s = ecc.sign(at, secret, MESSAGE, right)
    assert ecc.verify(at, public, MESSAGE, (r, s), right)
    for other in ((r, s ^ 1), (s, r), (0, s), (r, 0), (r, at.order), (r + at.order, s)):
        assert not ecc.verify(at, public, MESSAGE, other, right)
    assert not ecc.verify(at, public, MESSAGE + b"!", (r, s), right)
    with pytest.raises(ecc.CurveError, match="the public key is not on p256"):
        ecc.verify(at, (public[0], public[1] ^ 1), MESSAGE, (r, s), right)
    with pytest.raises(VerificationError):
        ecc.sign(at, secret, MESSAGE, wrong)
    for bad in (0, at.order):
        with pytest.raises(ecc.CurveError, match=r"lies in 1 … n-1"):
            ecc.sign(at, bad, MESSAGE, right)
    with pytest.raises(ecc.CurveError, match="unknown hash 'md5'"):
        ecc.sign(at, secret, MESSAGE, right, digest="md5")


@pytest.mark.parametrize(
    "name", ["b163", *(pytest.param(name, marks=pytest.mark.long) for name in ("k233", "sm2-binary"))]
)
def test_ecdsa_over_binary_fields(name: str, rng: random.Random) -> None:
    at = CURVES[name]
    secret = rng.randrange(1, at.order)
    public = at.multiply(secret, at.base)
    assert public
    pair = ecc.sign(at, secret, MESSAGE, right, digest="sm3", random=True)
    assert ecc.verify(at, public, MESSAGE, pair, right, digest="sm3")
    small = 0, _root(at)
    assert at.holds(small)
    with pytest.raises(ecc.CurveError, match="not in the group"):
        ecc.agree(at, secret, small, right)


def _root(at: Curve) -> int:
    """The square root of b: y of the point of order 2."""
    found = at.b
    for _ in range(at.bits - 1):
        found = at.product(found, found)
    return found


@pytest.mark.parametrize("name", ["x25519", "x448"])
def test_exchange_is_that_of_the_library(name: str) -> None:
    make: Any = {"x25519": x25519.X25519PrivateKey, "x448": x448.X448PrivateKey}[name]
    own, other = make.generate(), make.generate()
    raw, public = own.private_bytes_raw(), other.public_key().public_bytes_raw()
    assert ecc.exchange(name, raw, public, right) == own.exchange(other.public_key())
    with pytest.raises(ecc.CurveError, match="of small order"):
        ecc.exchange(name, raw, bytes(len(public)), right)
    with pytest.raises(ecc.CurveError, match="have"):
        ecc.exchange(name, raw, public[1:], right)


@pytest.mark.parametrize("name", ["ed25519", "ed448"])
def test_eddsa_is_that_of_the_library(name: str) -> None:
    make: Any = {"ed25519": ed25519.Ed25519PrivateKey, "ed448": ed448.Ed448PrivateKey}[name]
    key = make.generate()
    raw, public = key.private_bytes_raw(), key.public_key().public_bytes_raw()
    signed = eddsa.sign(name, raw, MESSAGE, right)
    assert signed == key.sign(MESSAGE)
    assert eddsa.verify(name, public, MESSAGE, signed, right)
    for at in (0, len(signed) // 2 + 3):
        other = bytes(each ^ (index == at) for index, each in enumerate(signed))
        assert not eddsa.verify(name, public, MESSAGE, other, right)
    assert not eddsa.verify(name, public, MESSAGE[1:], signed, right)


def test_eddsa_takes_a_public_key_of_small_order() -> None:
    """As RFC 8032 and the library do: with a key of order 2, R is S B where the challenge is even."""
    at = CURVES["ed25519"]
    public, point = (at.modulus - 1).to_bytes(32, "little"), at.multiply(12345, at.base)
    assert point
    signed = eddsa._encoded(at, point) + (12345).to_bytes(32, "little")
    messages = [bytes([each]) for each in range(16)]
    taken = [each for each in messages if eddsa.verify("ed25519", public, each, signed, right)]
    assert 0 < len(taken) < len(messages)
    for each in taken:
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signed, each)


def test_eddsa_of_rfc_8032() -> None:
    """Section 7.1, test 2."""
    secret = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    assert eddsa.sign("ed25519", secret, b"r", right).hex() == (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )


def test_sm2_of_the_standard() -> None:
    """The example on the recommended curve."""
    at = CURVES["sm2"]
    secret, nonce, r, s = (int(printed.SM2[each], 16) for each in ("secret", "nonce", "r", "s"))
    assert sm2.sign(at, secret, b"message digest", right, nonce=nonce) == (r, s)
    public = at.multiply(secret, at.base)
    assert public and sm2.verify(at, public, b"message digest", (r, s), right)
    for other in ((r, s ^ 1), (0, s), (r, at.order - r)):
        assert not sm2.verify(at, public, b"message digest", other, right)


# --- the command line -----------------------------------------------------------------------------


class Model(ecc.Hardware):
    """Hardware that is the model."""

    def __call__(self, at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
        return right(at, scalar, point, listener)

    def both(self, at: Curve, u: int, v: int, point: tuple[int, int], listener: Listener) -> Point:
        return at.add(at.multiply(u, at.base), at.multiply(v, point))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key of each kind, and a message."""
    made: dict[str, Any] = {
        "p256": ec.generate_private_key(ec.SECP256R1()),
        "ed25519": ed25519.Ed25519PrivateKey.generate(),
        "x25519": x25519.X25519PrivateKey.generate(),
        "rsa": rsa.generate_private_key(65537, 1024),
    }
    for name, key in made.items():
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (tmp_path / f"{name}.pem").write_bytes(private)
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        (tmp_path / f"{name}.pub").write_bytes(public)
    (tmp_path / "message").write_bytes(MESSAGE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "_hardware", Model)
    return tmp_path


def invoked(line: str) -> Result:
    return CliRunner().invoke(app, ["ecc", *line.split()])


@pytest.mark.parametrize("name", ["p256", "ed25519"])
def test_a_signature_in_a_file(name: str, folder: Path) -> None:
    assert invoked(f"sign -k {name}.pem -i message --core rrm").exit_code == 0
    told = invoked(f"verify -k {name}.pub -i message -s message.sig --core rrm --json")
    assert told.exit_code == 0 and json.loads(told.stdout)["valid"]
    (folder / "message").write_bytes(b"other")
    assert invoked(f"verify -k {name}.pub -i message -s message.sig").exit_code == 1


@pytest.mark.parametrize("name", ["p256", "x25519"])
def test_a_secret_in_a_file(name: str, folder: Path) -> None:
    found = invoked(f"derive -k {name}.pem -p {name}.pub --core rrm -o secret --json")
    assert found.exit_code == 0 and json.loads(found.stdout)["curve"] == name
    assert len((folder / "secret").read_bytes()) == 32


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("sign -k x25519.pem -i message --core rrm", "a key of x25519 does not sign"),
        ("sign -k p256.pub -i message --core rrm", "p256.pub holds a public key"),
        ("sign -k rsa.pem -i message --core rrm", r"a key of another kind \(RSA\)"),
        ("sign -k message -i message --core rrm", "message holds no key"),
        ("sign -k gone -i message --core rrm", "cannot read the key gone"),
        ("sign -k p256.pem -i message --core rrm --hash md5", "unknown hash 'md5'"),
        ("sign -k p256.pem -i message --core rrm -o p256.pem", "would overwrite the key p256.pem"),
        ("derive -k ed25519.pem -p ed25519.pub --core rrm -o secret", "a key of ed25519 signs"),
        ("derive -k p256.pem -p x25519.pub --core rrm -o secret", "the keys are of p256 and x25519"),
    ],
)
def test_what_is_refused(line: str, reason: str, folder: Path) -> None:
    done = invoked(line)
    assert isinstance(done.exception, ValueError)
    assert re.search(reason, str(done.exception)) and len(str(done.exception).splitlines()) == 1
    assert not (folder / "secret").exists() and not (folder / "message.sig").exists()


def test_every_curve_is_shown() -> None:
    assert {each["name"] for each in json.loads(invoked("curves --json").stdout)} == set(CURVES)


# --- into a design --------------------------------------------------------------------------------


def test_a_curve_is_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bench's operands are points with scalars, and its results their products."""
    monkeypatch.chdir(tmp_path)
    line = ["export", "ecc_sect163r2", "--core", "gf2m_serial", "--count", "2", "-t", "ecp5"]
    assert CliRunner().invoke(app, line).exit_code == 0
    at, folder = CURVES["b163"], tmp_path / "ecc_sect163r2"
    assert "Lopez and Dahab" in (folder / "ecc_b163.s").read_text()
    told = json.loads((folder / "context.json").read_text())
    assert told["modulus_bits"] == at.bits + 1
    half = told["word_bits"] * -(-at.bits // told["word_bits"])
    rows = [
        [int(number, 16) for number in row.split()]
        for row in (folder / "bench" / "vectors.hex").read_text().splitlines()
        if not row.startswith("//")
    ]
    assert len(rows) == 2
    for x, scalar, z, *_controls in rows:
        point = x % (1 << half), x >> half
        assert at.holds(point) and at.multiply(scalar, point) == (z % (1 << half), z >> half)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("ecc_p265 --core rrm", "there is no curve p265; did you mean p256"),
        ("ecc_p256", "ecc_p256 takes a core"),
        ("ecc_p256 --core rrn", "no core named 'rrn'"),
        ("ecc_x25519 --core rrm -m p256", "coordinates of x25519 have 255 bits"),
        ("ecc_x25519 --core rrm -m 2^255-21", "multiplies points of x25519 alone; its field is curve25519"),
    ],
)
def test_what_export_refuses(line: str, reason: str) -> None:
    error = CliRunner().invoke(app, ["export", *line.split()]).exception
    assert isinstance(error, ValueError) and re.search(reason, str(error))


# --- as a system ------------------------------------------------------------------------------------


def test_a_curve_is_a_system_on_any_core(rng: random.Random) -> None:
    """What checks draw for it leaves, and is right; the build is that of ``modmul ecc``."""
    build = on("ecc_sect163r2", "gf2m_serial").build(163)
    at = CURVES["b163"]
    config: Any = build.config.at(at.modulus)
    [(x, y)] = build.core.function.drawn(config, at.modulus, rng, 1)
    point = x % (1 << config.half), x >> config.half
    z = build.core.function.answer(config, at.modulus, x, y)
    assert at.multiply(y, point) == (z % (1 << config.half), z >> config.half)
    running, _ = ecc.Hardware("gf2m_serial").prepared(at, 1, at.base)
    assert running.build.design.digest == build.design.digest
    assert build.room.build(163, {"Blind": 0}).latency < build.latency
    for settings, reason in (({"Blind": -2}, "blind must be 0"), ({"ExponentBits": 9}, "no parameter")):
        with pytest.raises(ValueError, match=reason):
            build.room.build(163, settings)
    with pytest.raises(ValueError, match="coordinates of b163 have 163 bits, got a width of 256"):
        build.room.build(256)


@pytest.mark.parametrize("name", CURVES)
def test_the_default_blind_is_that_of_the_curve(name: str) -> None:
    """No run of equal bits in the order is as long; nor in the number of points, of the twist's either."""
    at = CURVES[name]
    core = "gf2m_serial" if at.form == BINARY else "rrm"
    build = on(f"ecc_{name}", core).build(at.bits)
    blind = build.config.options()["Blind"]
    own = at.order * at.cofactor
    every = [at.order, own, *([2 * at.modulus + 2 - own] if at.form == MONTGOMERY else [])]
    for number in every:
        for run in range(blind - multiples.MARGIN + 1, number.bit_length() + 1):
            windows = {number >> at & (1 << run) - 1 for at in range(number.bit_length() - run + 1)}
            assert not windows & {0, (1 << run) - 1}
    config: Any = build.config
    assert config.exponent_bits >= max(every).bit_length() + blind


def test_a_build_that_blinds_too_few_bits_is_refused(
    rng: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless it blinds none. In which order the rows of the program come does not matter."""
    monkeypatch.setattr(engine, "_arranged", lambda _slug, config, _core: config.written)
    monkeypatch.setattr(engine, "_latency", None)  # that of another order is not to be remembered
    for name, core, blind, needed in (
        ("p384", "rrm", 64, 264),
        ("p256", "rrm", 135, 136),
        ("k283", "fips", 64, 208),
    ):
        at = CURVES[name]
        for hardware in (ecc.Hardware(core, blind=blind), ecc.Hardware(core, {"Blind": blind})):
            with pytest.raises(
                ecc.CurveError, match=f"{blind} bits do not blind .* of {name}; .*Blind={needed}"
            ):
                hardware.prepared(at, 5, at.base)
        for enough in (0, needed, needed + 1):
            running, _ = ecc.Hardware(core, {"Blind": enough}).prepared(at, 5, at.base, rng)
            assert (running.operands[1] == 5) == (not enough)
            assert running.operands[1] % at.order == 5


@pytest.mark.parametrize("name", CURVES)
def test_a_factor_and_the_rest_are_the_scalar(name: str, rng: random.Random) -> None:
    at = CURVES[name]
    scalar = (
        multiples.clamped(at, rng.getrandbits(at.bits)) if at.form == MONTGOMERY else rng.randrange(at.order)
    )
    found = {multiples.factored(at, scalar, at.base, 64, rng) for _ in range(20)}
    assert len(found) == 20
    for factor, rest in found:
        assert 0 < factor < 1 << 64 and rest.bit_length() <= multiples.scalar_bits(at, 0)
        assert factor * rest % at.order == scalar % at.order


def test_a_factor_on_the_hardware(rng: random.Random) -> None:
    """In two operations, the first of which is short; and the point at infinity does not leave."""
    at = TOYS["weierstrass_plus"]
    hardware = ecc.Hardware("rrm", factor=3)
    point = rng.choice(points(at))
    assert hardware(at, 9, point, ignore) == at.multiply(9, point)
    first, second = hardware.done.runs
    assert first.latency < second.latency
    with pytest.raises(ecc.CurveError, match="no point of toy"):
        hardware(at, 0, point, ignore)


def test_a_point_outside_of_the_group_gets_a_multiple_of_all_points(rng: random.Random) -> None:
    """In the group it is one of the order, which is odd, so the lowest bits are blinded, too."""
    at = CURVES["k233"]
    outside = at.add(at.base, (0, 1))  # the point of order 2
    assert outside and at.holds(outside)
    for point, multiple in ((at.base, at.order), (outside, at.order * at.cofactor)):
        given = [multiples.blinded(at, 4, point, 184, rng) - 4 for _ in range(20)]
        assert all(each % multiple == 0 for each in given) and len(set(given)) == 20
        assert any(each % (2 * multiple) for each in given)


def test_a_curve_is_verified_and_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its field is that of the curve without a word about it; a wrong result fails."""
    monkeypatch.chdir(tmp_path)
    line = ["compare", "--system", "ecc_b163", "--cores", "gf2m_serial", "--route", "none", "--json"]
    found = CliRunner().invoke(app, [*line, "--known"])
    [row] = json.loads(found.stdout)["rows"]
    assert row["core"] == "ecc_b163:gf2m_serial" and row["width"] == 163
    build = on("ecc_b163", "gf2m_serial").build(163)
    plan = Plan(modulus=CURVES["b163"].modulus, count=1, contract=True)
    assert set(verify(build, plan).counts) == {"back-pressure", "random"}
    core = build.core.changed(compute=lambda _config, _modulus, x, _y, _memory: x)
    other = replace(build, room=replace(build.room, core=core))
    with pytest.raises(VerificationError, match="hardware says"):
        verify(other, plan)


# --- all on the simulated hardware ----------------------------------------------------------------


class LibCrypto:
    """A curve of OpenSSL's library, which has those that the cryptography library lacks."""

    def __init__(self, at: Curve) -> None:
        name = find_library("crypto")
        if name is None:
            pytest.skip("OpenSSL's libcrypto is not installed")
        self.library = CDLL(name)
        if at.other:
            named = self.call("OBJ_sn2nid", at.other.replace("sm2", "SM2").encode())
            self.group = self.call("EC_GROUP_new_by_curve_name", c_int(named))
            return
        made = self.group = self.call("EC_GROUP_new_curve_GF2m", *self.numbers(at.modulus, at.a, at.b), None)
        base = self.call("EC_POINT_new", made)
        x, y, order, cofactor = self.numbers(*at.base, at.order, at.cofactor)
        self.call("EC_POINT_set_affine_coordinates", made, base, x, y, None)
        self.call("EC_GROUP_set_generator", made, base, order, cofactor)

    def call(self, name: str, *arguments: object) -> int:
        """A function of which 0 says that something is wrong; numbers are addresses."""
        function = self.library[name]
        function.restype = c_void_p if "_new" in name or name == "BN_bin2bn" else c_int
        found = function(*(c_void_p(each) if isinstance(each, int) else each for each in arguments))
        assert found, name
        return int(found)

    def numbers(self, *values: int) -> list[int]:
        data = [value.to_bytes(value.bit_length() + 7 >> 3) for value in values]
        return [self.call("BN_bin2bn", each, c_int(len(each)), None) for each in data]

    def value(self, number: int) -> int:
        data = create_string_buffer(-(-self.call("BN_num_bits", number) // 8))
        self.call("BN_bn2bin", number, data)
        return int.from_bytes(data.raw)

    def multiple(self, scalar: int) -> tuple[int, int]:
        """The scalar times the base point."""
        k, x, y = self.numbers(scalar, 0, 0)
        point = self.call("EC_POINT_new", self.group)
        self.call("EC_POINT_mul", self.group, point, k, None, None, None)
        self.call("EC_POINT_get_affine_coordinates", self.group, point, x, y, None)
        found = self.value(x), self.value(y)
        self.library.EC_POINT_free(c_void_p(point))
        for each in (k, x, y):
            self.library.BN_free(c_void_p(each))
        return found


def multiplier(at: Curve) -> Callable[[int], tuple[int, int]]:
    """Multiples of the base point by a library; on Edwards curves by the model."""

    def of_weierstrass(scalar: int) -> tuple[int, int]:
        numbers = ec.derive_private_key(scalar, LIBRARY[at.other]()).public_key().public_numbers()
        return numbers.x, numbers.y

    def of_montgomery(scalar: int) -> tuple[int, int]:
        make: Any = {"x25519": x25519.X25519PrivateKey, "x448": x448.X448PrivateKey}[at.name]
        key = make.from_private_bytes(scalar.to_bytes(at.bytes, "little")).public_key()
        return int.from_bytes(key.public_bytes_raw(), "little"), 0

    if at.form == EDWARDS:
        return lambda scalar: right(at, scalar, at.base, ignore)
    if at.form == MONTGOMERY:
        return of_montgomery
    return of_weierstrass if at.other in LIBRARY else LibCrypto(at).multiple


def seeded(at: Curve, rng: random.Random) -> tuple[int, tuple[int, int]]:
    """The scalar of a private key on an Edwards curve, and the library's public key."""
    make: Any = {"ed25519": ed25519.Ed25519PrivateKey, "ed448": ed448.Ed448PrivateKey}[at.name]
    seed = rng.randbytes(at.bits // 8 + 1)
    point = eddsa._decoded(at, make.from_private_bytes(seed).public_key().public_bytes_raw())
    assert point
    return eddsa._expand(at, seed)[0], point


def some(at: Curve, count: int, rng: random.Random) -> Iterator[tuple[int, tuple[int, int]]]:
    """Scalars, those at the edges among them, each with its multiple of the base point."""
    multiple = multiplier(at)
    for scalar in (1, 2, at.order - 1, *(rng.randrange(3, at.order - 1) for _ in range(count - 3))):
        if at.form == EDWARDS and 2 < scalar < at.order - 1:
            yield seeded(at, rng)
        else:
            taken = multiples.clamped(at, scalar) if at.form == MONTGOMERY else scalar
            yield taken, multiple(taken)


def left(at: Curve, value: int, half: int) -> tuple[int, int]:
    return (value, 0) if at.form == MONTGOMERY else (value % (1 << half), value >> half)


@pytest.mark.parametrize("name", ["k163", "sm2", "sm2-binary", "ed25519"])
def test_libraries_agree_with_the_model(name: str, rng: random.Random) -> None:
    """What curves are held against in the long tests, since the model takes long."""
    at = CURVES[name]
    for scalar, point in some(at, 4, rng):
        assert at.multiply(scalar, at.base) == point


@pytest.mark.long
@pytest.mark.parametrize("name", CURVES)
def test_every_curve_on_the_hardware(name: str, rng: random.Random) -> None:
    """A hundred scalars, blinded, all in one time."""
    at = CURVES[name]
    core = "gf2m_serial" if at.form == BINARY else "montgomery_dsp"
    pairs = list(some(at, 100, rng))
    every = [ecc.Hardware(core).prepared(at, scalar, at.base) for scalar, _ in pairs]
    simulation = Simulation(every[0][0].build)
    simulation.load(at.modulus)
    batch = simulation.run(*zip(*(running.operands for running, _ in every), strict=True))
    for (_, point), value in zip(pairs, batch.results, strict=True):
        assert left(at, value, every[0][1]) == point
    assert len(set(batch.latencies.tolist())) == 1


PARITY = str.maketrans("0123456789abcdef", "01" * 8)


@cache
def terms(modulus: int) -> list[int]:
    """The places of its ones, without the first."""
    return [place for place in range(modulus.bit_length() - 1) if modulus >> place & 1]


def quick_product(modulus: Polynomial, *factors: int) -> int:
    """As ``Polynomial.product``, several times as quick: of integers with 12 bits for each coefficient."""

    def spread(value: int) -> int:
        return int(bin(value)[2:].replace("0", "000").replace("1", "001"), 16)

    found, *others = factors
    m, places = modulus.bit_length() - 1, terms(modulus)
    for factor in others:
        if factor == found:
            found = int(bin(found)[2:].replace("0", "00").replace("1", "01"), 2)
        else:
            digits = f"{spread(found) * spread(factor):x}"[::-3]
            found = int(digits.translate(PARITY)[::-1], 2)
        while top := found >> m:
            found ^= top << m
            for place in places:
                found ^= top << place
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", CURVES)
def test_every_curve_in_the_model(name: str, rng: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand scalars; of binary curves, whose products take long, a hundred to 752."""
    at = CURVES[name]
    core, count = "montgomery_dsp", 10_000
    if isinstance(at.modulus, Polynomial):
        core, count = "gf2m_serial", max(100, 20_000_000 // at.bits**2)
        for _ in range(100):
            x, y = rng.getrandbits(at.bits), rng.getrandbits(at.bits)
            for pair in ((x, y), (x, x)):
                assert quick_product(at.modulus, *pair) == at.modulus.product(*pair)
        monkeypatch.setattr(Polynomial, "product", quick_product)
    for scalar, point in some(at, count, rng):
        running, half = ecc.Hardware(core).prepared(at, scalar, at.base)
        config = running.build.config.at(at.modulus)
        value = running.build.core.function.answer(config, at.modulus, *running.operands)
        assert left(at, value, half) == point


def test_what_does_not_leave_stops_nothing(rng: random.Random) -> None:
    """Scalars 0 and n, points off the curve, Ctrl-C in the middle: an error, and the next one is right."""
    at = TOYS["weierstrass_plus"]
    hardware = ecc.Hardware("rrm", blind=0)
    own = points(at)

    def next_one() -> None:
        scalar, point = rng.randrange(1, at.order), rng.choice(own)
        assert hardware(at, scalar, point, ignore) == at.multiply(scalar, point)

    def interrupt(told: Progress) -> None:
        if told.phase == "simulate":
            raise KeyboardInterrupt

    next_one()
    for scalar, point in ((0, own[0]), (at.order, own[0]), (5, (3, 3)), (5, (0, 0))):
        with pytest.raises(
            ecc.CurveError, match="no point of toy comes of this: the scalar is 0, or the point"
        ):
            hardware(at, scalar, point, ignore)
        next_one()
    for scalar, point in ((-1, own[0]), (5, (-1, 3)), (5, (1 << 40, 3))):
        with pytest.raises(ValueError, match="coordinates lie in 0 …"):
            hardware(at, scalar, point, ignore)
    with pytest.raises(KeyboardInterrupt):
        hardware(at, 5, own[0], interrupt)
    next_one()
    for core, reason in (
        ("gf2m_serial", "no modulus|GF"),
        ("modexp:rrm", "is a system"),
        ("rrn", "no core named"),
    ):
        with pytest.raises(ValueError, match=reason):
            ecc.Hardware(core)(at, 5, own[0], ignore)
