# SPDX-License-Identifier: Apache-2.0
"""Elliptic curves: their parameters, the programs on the engine, protocols, the command line.

Curves and protocols are held against the cryptography library and published vectors. Most tests have the model
of a curve in place of the hardware.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import product
from math import isqrt

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, x448, x25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from modmul.core import Polynomial
from modmul.moduli import CURVES, NAMED, Curve, ModulusError, Point, curve
from modmul.moduli.curves import BINARY, EDWARDS, MONTGOMERY, WEIERSTRASS
from modmul.tools.progress import Listener
from modmul.use import ecc
from modmul.verify.failures import VerificationError
from modmul.verify.simulation import Simulation

MESSAGE = b"attack at dawn\n"
LIBRARY = {
    each.name.lower(): each
    for each in vars(ec).values()
    if isinstance(each, type) and each.__base__ is ec.EllipticCurve
}
"""Curves of the cryptography library."""


def right(at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
    """Hardware that does what it should."""
    del listener
    if at.form == MONTGOMERY:
        at, point = at, (point[0], 0)
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


@pytest.mark.parametrize("name", CURVES)
def test_a_base_point_has_its_order(name: str) -> None:
    """The number of points is in Hasse's interval, so the cofactor is right, too."""
    at = CURVES[name]
    assert at.holds(at.base) and at.holds(at.neutral) == (at.form != EDWARDS or True)
    if at.bits < 400:
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
    with pytest.raises(ModulusError, match="there is no curve p257; there is p192"):
        curve("p257")


# --- the programs, on curves with all of their points -----------------------------------------------

TOYS = {
    "weierstrass3": Curve("toy", WEIERSTRASS, 31, 28, 7, (0, 0), 37),
    "weierstrass": Curve("toy", WEIERSTRASS, 31, 5, 23, (0, 0), 29),
    "edwards": Curve("toy", EDWARDS, 29, 28, 14, (0, 1), 20),
    "binary_curve": Curve("toy", BINARY, Polynomial(0b100101), 1, 1, (0, 1), 22),
}
"""By the program. The order is that of the whole group; the last two have points of small order."""


def points(at: Curve) -> list[tuple[int, int]]:
    """All but the one at infinity."""
    size = 1 << at.bits if isinstance(at.modulus, Polynomial) else at.modulus
    return [each for each in product(range(size), repeat=2) if at.holds(each)]


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
    others = [each for each in product(range(at.bits**2), repeat=2) if each not in own]
    pairs = [(scalar, each) for each in own for scalar in range(at.order + 2)]
    pairs += [(rng.randrange(at.order), each) for each in rng.sample(others, 20)]
    for blind in (0, 3):
        for scalar, point in rng.sample(pairs, 60):
            assert modelled(at, core, scalar, point, blind) == outcome(at, scalar, point)


def modelled(at: Curve, core: str, scalar: int, point: tuple[int, int], blind: int) -> tuple[int, int]:
    running, half = ecc.Hardware(core, blind=blind).prepared(at, scalar, point)
    config = running.build.config.at(at.modulus)
    found = running.build.core.function.answer(config, at.modulus, *running.operands)
    return found % (1 << half), found >> half


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
        "weierstrass3",
        "binary_curve",
        *(pytest.param(name, marks=pytest.mark.long) for name in ("weierstrass", "edwards")),
    ],
)
def test_programs_on_the_hardware(name: str, rng: random.Random) -> None:
    """Points of the curve and others, at the edges of the scalars."""
    at = TOYS[name]
    core = "fips" if at.form == BINARY else "rrm"
    own = [*rng.sample(points(at), 6), (0, 1), (1, 0), (3, 3)]
    assert on_hardware(at, core, (0, 1, 2, at.order - 1, at.order, at.order + 1), own) == 54


@pytest.mark.long
@pytest.mark.parametrize("core", ["rrm", "montgomery_dsp", "imml_booth4", "fips"])
@pytest.mark.parametrize("name", TOYS)
def test_all_points_with_all_scalars(name: str, core: str) -> None:
    at = TOYS[name]
    if (at.form == BINARY) > (core == "fips"):
        pytest.skip(f"{core} has no GF(2^m)")
    assert on_hardware(at, core, range(at.order + 2), points(at)) > 400


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
