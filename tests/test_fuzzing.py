# SPDX-License-Identifier: Apache-2.0
"""What somebody feeds to a parser means something, and the same again when it is written, or is refused.

The refusal is the error that the parser names, in one line; never another exception. Hypothesis finds the
inputs: of the parser's own letters, anything at all, and right ones with something changed. They follow from
MODMUL_SEED. ``make long`` tries many more.
"""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa, x25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from modmul.chips import UnknownChip, chip
from modmul.cli.app import _status, app
from modmul.cli.options import BadInput, numbers, ranges
from modmul.cli.options import settings as parameters
from modmul.core import Polynomial, ProgramError
from modmul.measure import SHIPPED, Record, RecordError, read_records
from modmul.measure.records import _FACTS, add_records
from modmul.measure.weights import Weights
from modmul.moduli import CURVES, Modulus, ModulusError, modulus, number
from modmul.moduli.keys import from_key
from modmul.moduli.multi_prime import MultiPrimeKey, _OtherPrime, _PrivateKey, multi_prime_key
from modmul.registry import programs, read_program
from modmul.study.own import shelf_with
from modmul.systems.assembly import assemble
from modmul.tools.store import Store, StoreError
from modmul.use import curve_files, curve_keys, ecc, points
from modmul.use import rsa as rsa_keys
from modmul.use.curve_files import OtherPrivateKey
from modmul.use.ecc import CurveError
from modmul.use.rsa import RSAError

SEED = int(os.environ.get("MODMUL_SEED", "4004"), 0)
FEW, MANY = 60, 4000
often = pytest.mark.parametrize("times", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
"""Of how many inputs a property holds: in ``make test``, and in ``make long``."""


def holds(check: Callable[[Any], None], inputs: st.SearchStrategy[Any], times: int) -> None:
    """A property of so many inputs; the smallest one of which it does not hold is told."""
    unhurried = settings(
        max_examples=times,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    unhurried(seed(SEED)(given(inputs)(check)))()


def one_line(error: BaseException) -> None:
    assert len(str(error).splitlines()) == 1, repr(str(error))


# --- changes of what is right ------------------------------------------------------------------------


def changed(originals: Sequence[bytes], pieces: Sequence[bytes] = ()) -> st.SearchStrategy[bytes]:
    """One of some texts with a few bytes changed, left out, doubled, or with pieces put between."""
    return st.composite(lambda draw: _changed(draw, originals, pieces))()


def _changed(draw: st.DrawFn, originals: Sequence[bytes], pieces: Sequence[bytes]) -> bytes:
    data = bytearray(originals[draw(st.integers(0, len(originals) - 1))])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        end = min(at + draw(st.sampled_from((1, 2, 8, 64, len(data)))), len(data))
        match draw(st.integers(0, 4)):
            case 0 if at < len(data):
                data[at] ^= 1 << draw(st.integers(0, 7))
            case 1:
                del data[at:end]
            case 2:
                data[at:at] = data[at:end]
            case 3:
                data[at:end] = draw(st.binary(max_size=4))
            case _ if pieces:
                data[at:end] = pieces[draw(st.integers(0, len(pieces) - 1))]
    return bytes(data)


# --- moduli -----------------------------------------------------------------------------------------

LETTERS = "0123456789abcdefxXM+-*^() _:.,/%\n\t·−×=\x00é"
TOKENS = ("0x", "2^", "**", "x^", "(", ")", "-", "+", "1", "19", "255", "_", ":", "Modulus=", " ", "x", "00")

texts = st.one_of(
    st.text(LETTERS, max_size=30),
    st.text(max_size=20),
    st.lists(st.sampled_from(TOKENS), max_size=20).map("".join),
    changed([b"2^255-19", b"x^163+x^7+x^6+x^3+1", b"0xffff_ffff", b"00:c3:5f", b"p256", b"(2^5-1)*3"]).map(
        lambda data: data.decode("utf-8", "surrogateescape")
    ),
)


def same_again(found: Modulus) -> None:
    """A modulus as it is written means itself."""
    value = found.value
    assert value >= 1
    text = value.text if isinstance(value, Polynomial) and value > 1 else hex(value)
    again = modulus(text)
    assert again.value == value and (again.field == found.field or value == 1)
    assert Modulus.from_json(json.loads(json.dumps(found.to_json()))).value == value
    f"{found.name} {found.source} {found.text}".encode()  # can be printed
    assert found.name.isprintable()


@often
def test_a_text_is_a_modulus_or_none(times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def check(text: str) -> None:
        try:
            found = modulus(text)
        except ModulusError as error:
            one_line(error)
        else:
            same_again(found)

    holds(check, texts, times)


@st.composite
def sums(draw: st.DrawFn, depth: int = 3) -> tuple[str, int]:
    """An expression, and what it means."""
    kind = draw(st.integers(0, 4)) if depth else 0
    if kind == 0:
        value = draw(st.integers(0, 300))
        return f"{value}" if draw(st.booleans()) else f"{value:#x}", value
    left, value = draw(sums(depth - 1))
    right, other = draw(sums(depth - 1))
    match kind:
        case 1:
            return f"({left}) - ({right})", value - other
        case 2:
            return f"({left})*({right})", value * other
        case 3:
            exponent = draw(st.integers(0, 5))
            return f"({left}){draw(st.sampled_from(('^', '**')))}{exponent}", value**exponent
    return f"{left} + ({right})", value + other


@often
def test_an_expression_means_what_it_says(times: int) -> None:
    def check(pair: tuple[str, int]) -> None:
        text, value = pair
        assert number(text, {}) == value

    holds(check, sums(), times)


@often
def test_any_polynomial_is_read_as_it_is_written(times: int) -> None:
    powers = st.sets(st.integers(1, 600), min_size=1)
    holds(
        lambda some: same_again(modulus(" + ".join(f"x^{power}" for power in some))),
        powers,
        times,
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@often
def test_a_context_file_is_a_modulus_or_none(times: int, tmp_path: Path) -> None:
    file = tmp_path / "context.json"
    right: dict[str, Any] = {"modulus": "0xfb", "field": "GF(p)", "modulus_name": "small"}
    values = st.text(max_size=8) | JSON | st.sampled_from(("0xfb", "0x0", "GF(2^m)", "GF(p)", "0x1"))
    whole = st.dictionaries(st.sampled_from(tuple(right)), values).map(lambda some: json.dumps(right | some))

    def check(data: bytes) -> None:
        file.write_bytes(data)
        try:
            found = modulus(str(file))
        except ModulusError as error:
            one_line(error)
        else:
            same_again(found)

    holds(
        check, whole.map(str.encode) | changed([json.dumps(right).encode()], [b"[" * 3000, b"\\ud800"]), times
    )


# --- keys -------------------------------------------------------------------------------------------

_MORE_PRIMES = (1009, 1013, 1019)


def multi_prime(p: int, q: int, r: int, e: int, wrong: Mapping[str, int]) -> bytes:
    """The DER of an RSA key of three primes, some of its numbers others."""
    from cryptography.hazmat import asn1  # noqa: PLC0415

    with suppress(ValueError, ZeroDivisionError):
        d = pow(e, -1, (p - 1) * (q - 1) * (r - 1))
        return asn1.encode_der(
            replace(
                _PrivateKey(
                    version=1,
                    modulus=p * q * r,
                    e=e,
                    d=d,
                    p=p,
                    q=q,
                    dp=d % (p - 1),
                    dq=d % (q - 1),
                    coefficient=pow(q, -1, p),
                    others=[_OtherPrime(prime=r, exponent=d % (r - 1), coefficient=pow(p * q, -1, r))],
                ),
                **dict[str, Any](wrong),
            )
        )
    return b""


@cache
def key_files() -> tuple[bytes, ...]:
    """Right keys of every kind, PEM and DER."""
    keys: list[Any] = [
        rsa.generate_private_key(65537, 1024),
        ec.generate_private_key(ec.SECP256R1()),
        ed25519.Ed25519PrivateKey.generate(),
        x25519.X25519PrivateKey.generate(),
    ]
    found = []
    for key in keys:
        for encoding in (Encoding.PEM, Encoding.DER):
            found.append(key.private_bytes(encoding, PrivateFormat.PKCS8, NoEncryption()))
            found.append(key.public_key().public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo))
    found.append(keys[1].private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")))
    for name in ("sm2", "b233"):
        at = CURVES[name]
        own = OtherPrivateKey(at, 12345, at.multiply(12345, at.base) or (0, 0))
        for other in (own, own.public_key()):
            found += [curve_files.written(other), curve_files.pem("PRIVATE KEY", curve_files.written(other))]
    three = multi_prime(*_MORE_PRIMES, 65537, {})
    found += [
        three,
        b"-----BEGIN RSA PRIVATE KEY-----\n" + b64encode(three) + b"\n-----END RSA PRIVATE KEY-----\n",
    ]
    return tuple(found)


LABELS = (
    b"-----BEGIN ",
    b"-----END ",
    b"PRIVATE KEY-----",
    b"CERTIFICATE-----",
    b"PUBLIC KEY-----",
    b"=",
    b"\n",
)
DER = (
    b"\x30\x80",
    b"\x02\x01\x00",
    b"\x02\x01\xff",
    b"\x30\x84\xff\xff\xff\xff",
    b"\x05\x00",
    b"\x03\x01\x00",
)


@often
def test_a_key_file_is_read_or_refused(times: int, tmp_path: Path) -> None:
    file = tmp_path / "key"
    readers: tuple[tuple[Callable[[], object], type[ValueError]], ...] = (
        (lambda: from_key(file, file.read_bytes()), ModulusError),
        (lambda: rsa_keys.private_key(file, lambda: b"secret"), RSAError),
        (lambda: rsa_keys.public_key(file, lambda: None), RSAError),
        (lambda: curve_keys.private_key(file, lambda: b"secret"), CurveError),
        (lambda: curve_keys.public_key(file, lambda: None), CurveError),
    )

    def check(data: bytes) -> None:
        file.write_bytes(data)
        for reader, refusal in readers:
            try:
                found = reader()
            except refusal as error:
                one_line(error)
            else:
                if isinstance(found, Modulus):
                    same_again(found)

    holds(check, changed(key_files(), LABELS + DER) | st.binary(max_size=60), times)


@often
def test_numbers_of_a_key_of_three_primes(times: int) -> None:
    some = st.integers(-3, 40) | st.sampled_from(_MORE_PRIMES)
    names = st.sampled_from(("version", "modulus", "e", "d", "p", "q", "dp", "dq", "coefficient"))
    wrong = st.dictionaries(names, st.integers(-(1 << 70), 1 << 70) | some, max_size=2)

    def check(told: tuple[int, int, int, int, dict[str, int]]) -> None:
        data = multi_prime(*told)
        try:
            found = multi_prime_key(data)
        except ValueError:
            return
        assert isinstance(found, MultiPrimeKey) and len(found.primes) == 3
        message = 2 % found.public_numbers.n
        n = found.public_numbers.n
        assert all(
            pow(pow(message, found.e, p), found.d, p) == message % p for p in _MORE_PRIMES if n % p == 0
        )

    holds(check, st.tuples(some, some, some, some | st.just(65537), wrong), times)


@often
@pytest.mark.parametrize("name", ["p256", "sm2", "b233"])
def test_bytes_are_a_point_or_none(name: str, times: int) -> None:
    at = CURVES[name]

    def check(data: bytes) -> None:
        try:
            point = points.decoded(at, data)
        except CurveError as error:
            one_line(error)
        else:
            compressed = len(data) == at.bytes + 1
            assert at.holds(point) and points.encoded(at, point, compressed) == data

    known = [points.encoded(at, at.base, compressed) for compressed in (False, True)]
    some = st.binary(min_size=at.bytes, max_size=at.bytes).map(lambda x: b"\2" + x)
    holds(check, changed(known) | some | st.binary(max_size=3), times)


@often
@pytest.mark.parametrize("name", ["p256", "sm2", "b233", "ed25519", "ed448"])
def test_a_wrong_signature_is_none(name: str, times: int) -> None:
    key = curve_keys.make(name)
    few = 10 if name == "b233" else 3  # Python takes its time for polynomials
    right = curve_keys.sign(key, b"message", ecc.model)
    public = key.public_key()

    def check(data: bytes) -> None:
        assume(data != right)
        assert not curve_keys.verify(public, b"message", data, ecc.model)

    holds(check, changed([right], DER) | st.binary(max_size=140), times // few)


@often
def test_a_changed_ciphertext_of_sm2_is_refused(times: int) -> None:
    key = curve_keys.make("sm2")
    assert isinstance(key, OtherPrivateKey)
    right = [curve_keys.encrypt(key.public_key(), b"message", ecc.model, raw=raw) for raw in (False, True)]

    def check(data: bytes) -> None:
        with pytest.raises(CurveError) as refused:
            assume(data not in right)
            curve_keys.decrypt(key, data, ecc.model)
        one_line(refused.value)

    holds(check, changed(right, DER) | st.binary(max_size=140), times // 3 + 1)


# --- records and results ----------------------------------------------------------------------------


@cache
def some_records() -> tuple[dict[str, Any], ...]:
    file = SHIPPED.folder / "imml_booth4.json"
    return tuple(json.loads(file.read_text(encoding="utf-8"))[:3])


@st.composite
def record_files(draw: st.DrawFn) -> bytes:
    """Records with some of their facts, or parts of these, others."""
    picked = draw(st.lists(st.integers(0, 2), max_size=2))
    found = [json.loads(json.dumps(some_records()[number])) for number in picked]
    for record in found:
        for name in draw(st.sets(st.sampled_from([*record]), max_size=2)):
            if isinstance(record[name], dict) and record[name] and draw(st.booleans()):
                record[name][draw(st.sampled_from([*record[name]]) | st.text(max_size=4))] = draw(JSON)
            elif draw(st.booleans()):
                record[name] = draw(JSON)
            else:
                del record[name]
    return json.dumps(found).encode()


@often
def test_a_file_of_records_is_read_or_refused(times: int, tmp_path: Path) -> None:
    file = tmp_path / "records.json"
    whole = json.dumps(some_records()).encode()

    def check(data: bytes) -> None:
        file.write_bytes(data)
        try:
            found = read_records(file)
        except RecordError as error:
            one_line(error)
            with pytest.raises(RecordError):
                shelf_with([file])
            return
        again = add_records(file, found)
        assert not data or add_records(file, []) == again
        file.write_bytes(again)
        assert set(map(str, read_records(file))) == set(
            map(str, {each.build: each for each in found}.values())
        )
        shelf, _ = shelf_with([file])
        for record in found:
            shelf.records(record.design)

    holds(check, record_files() | changed([whole], [b"[" * 3000, b"NaN", b"1e999", b"null"]), times)


@often
def test_the_store_gives_back_what_it_was_given(times: int, tmp_path: Path) -> None:
    store = Store(tmp_path / "results.sqlite")

    def check(pair: tuple[str, dict[str, Any]]) -> None:
        key, value = pair
        store.put(key, value)
        assert repr(store.get(key)) == repr(value)

    safe = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    holds(check, st.tuples(safe, st.dictionaries(st.text(max_size=8), JSON, max_size=3)), times // 2)


@often
def test_a_changed_store_is_said_to_be_damaged_or_gives_back_results(times: int, tmp_path: Path) -> None:
    whole = tmp_path / "whole.sqlite"
    value = {"cells": {"LUT4": 5}, "seconds": 1.5}
    Store(whole).put("key", value)
    data = whole.read_bytes()
    file = tmp_path / "results.sqlite"

    def check(data: bytes) -> None:
        file.write_bytes(data)
        try:
            found = Store(file).get("key")
        except StoreError as error:
            one_line(error)
            assert file.read_bytes() == data
        else:
            assert found is None or isinstance(found, dict)

    holds(check, changed([data], [b"[]", b"null", b"\xff" * 40]), times)


# --- programs ---------------------------------------------------------------------------------------


@cache
def program_texts() -> tuple[str, ...]:
    return tuple(text for text in map(read_text, programs()) if len(text) < 6000)


def read_text(name: str) -> str:
    return read_program(name)[1]


@st.composite
def program_like(draw: st.DrawFn) -> str:
    """A program with lines left out, doubled or moved, and words of it put elsewhere."""
    lines = draw(st.sampled_from(program_texts())).splitlines()
    lines = [line.partition(";")[0] for line in lines if line.partition(";")[0].strip()]
    words = [word for line in lines for word in line.split()]
    odd = st.sampled_from(
        ("", "-1", "0", "1e9", "99999999999999999999", ".table", ".long", "x" * 70, "é", ",", ":")
    )
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.integers(0, 3)):
            case 0 if len(lines) > 1:
                del lines[at]
            case 1:
                lines.insert(draw(st.integers(0, len(lines))), lines[at])
            case _:
                parts = lines[at].split() or [""]
                parts[draw(st.integers(0, len(parts) - 1))] = draw(st.sampled_from(words) | odd)
                lines[at] = " ".join(parts)
    return "\n".join(lines)


@often
def test_a_program_is_assembled_or_refused(times: int) -> None:
    def check(text: str) -> None:
        try:
            found = assemble(text)
        except ProgramError as error:
            one_line(error)
        else:
            assert found == assemble("\n; again\n".join(text.splitlines())) or found.rows
            assert found.rows[-1].operation

    holds(check, program_like() | st.text(max_size=40), times)


@often
def test_a_program_file_is_read_or_refused(times: int, tmp_path: Path) -> None:
    file = tmp_path / "program.s"

    def check(data: bytes) -> None:
        file.write_bytes(data)
        try:
            name, text = read_program(str(file))
        except ValueError as error:
            one_line(error)
        else:
            assert name == file.name and isinstance(text, str)

    like = [b".like modexp\n;; the power\nrow\n", b";;\n.like inverse\n", b".operand X Y\nout f\n"]
    holds(
        check, changed(like, [b";;", b".like ", b"\n;; \n", b"\r", b"modexp"]) | st.binary(max_size=20), times
    )


# --- options and files of chips ---------------------------------------------------------------------

OPTIONS = st.lists(
    st.sampled_from(("A=", "B", "=", ",", "..", "1", "0x", "-", "5", "99999", " ", "M", "p256", "é"))
)


@often
@pytest.mark.parametrize(
    "read",
    [
        lambda text: ranges([text]),
        lambda text: parameters([text]),
        lambda text: numbers([text], 97),
        lambda text: Weights().changed(text),
    ],
    ids=["ranges", "settings", "numbers", "weights"],
)
def test_options_are_read_or_refused(read: Callable[[str], Any], times: int) -> None:
    def check(text: str) -> None:
        try:
            found = read(text)
        except (BadInput, ModulusError) as error:
            one_line(error)
        except ValueError as error:
            assert type(error) is ValueError
            one_line(error)
        else:
            assert isinstance(found, dict | Weights)

    holds(check, OPTIONS.map("".join) | st.text(max_size=12), times)


LIBERTY = b"""library(l) {
  cell(NAND2X1) { area : 2.0; pin(Y) { function : "!(A*B)"; } }
  cell(BUFX1) { area : 1.5; pin(Y) { function : "A"; } }
  cell(DFF) { area : 9; ff(IQ, IQN) { } }
}
"""


@often
def test_a_liberty_file_is_read_or_refused(times: int, tmp_path: Path) -> None:
    file = tmp_path / "cells.lib"
    file.write_bytes(LIBERTY)
    assert chip(f"liberty:{file}").unit_area == 2

    def check(data: bytes) -> None:
        file.write_bytes(data)
        try:
            found = chip(f"liberty:{file}")
        except UnknownChip as error:
            one_line(error)
        else:
            assert found.unit_area is not None and found.unit_area > 0

    pieces = [b"1e999999999", b"cell(", b"{", b"}", b"/*", b"area : -1", b"e+-.", b'"', b"1e-999999999"]
    holds(check, changed([LIBERTY], pieces), times)


# --- the command line -------------------------------------------------------------------------------


@often
def test_the_command_line_shows_no_traceback(
    times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever stands for a modulus, a parameter, a chip, a core, a program or a file of records."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path / "cache"))
    Path("records.json").write_text('[{"design": 5}]')
    Path("\udcff.pem").write_bytes(key_files()[1])
    words = st.sampled_from(
        ("p256", "records.json", "\udcff.pem", "0", "-", "imml_booth4", "inverse", "é", "2^2^9")
    )
    given_as = words | texts
    lines = st.one_of(
        st.builds(lambda m: ["show", "imml_booth4", "--modulus", m], given_as),
        st.builds(lambda s: ["show", "rrm", "--width", "16", "--set", s], OPTIONS.map("".join)),
        st.builds(lambda c: ["show", c], given_as),
        st.builds(lambda t, m: ["choose", "-t", t, "-m", m], given_as, given_as),
        st.builds(lambda r: ["choose", "-t", "ecp5", "-w", "16", "--records", r], given_as),
        st.builds(lambda k: ["rsa", "verify", "--key", k, "--in", k, "--signature", k], given_as),
        st.builds(lambda k: ["ecc", "verify", "--key", k, "--in", k, "--signature", k], given_as),
    )

    def check(line: list[str]) -> None:
        assume(not any("\0" in word for word in line))
        error = CliRunner().invoke(app, line).exception
        assert error is None or isinstance(error, SystemExit) or _status(error) is not None, repr(error)  # type: ignore[arg-type]

    holds(check, lines, times)


def test_a_property_that_does_not_hold_is_found() -> None:
    def check(text: str) -> None:
        with suppress(ModulusError):
            assert modulus(text).value != 1

    with pytest.raises(AssertionError):
        holds(check, texts, MANY)


# --- what was found ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["\x1b[2J", "\ud800", "a\u202eb"])
def test_a_name_from_a_file_can_be_printed(name: str, tmp_path: Path) -> None:
    file = tmp_path / "context.json"
    file.write_text(json.dumps({"modulus": "0xfb", "field": "GF(p)", "modulus_name": name}))
    same_again(modulus(str(file)))
    key = tmp_path / "a\x1bb\udcff.pem"
    key.write_bytes(key_files()[0])
    same_again(modulus(str(key)))


def test_letters_of_base64_that_are_none_together(tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    file.write_text("-----BEGIN PRIVATE KEY-----\nabcde\n-----END PRIVATE KEY-----\n")
    with pytest.raises(CurveError):
        curve_keys.private_key(file, lambda: None)


@pytest.mark.parametrize("area", ["1e999999999", "1e-999999999", "e+-", "-"])
def test_an_area_that_is_none(area: str, tmp_path: Path) -> None:
    """The first two are numbers of a billion digits, which nobody lives to see."""
    file = tmp_path / "cells.lib"
    file.write_bytes(LIBERTY.replace(b"2.0", area.encode()))
    with pytest.raises(UnknownChip):
        chip(f"liberty:{file}")


@pytest.mark.parametrize(
    "wrong",
    [
        {"design": 5},
        {"parameters": {"Width": "8"}},
        {"parameters": []},
        {"cells": {"LUT4": 1.5}},
        {"cells": {"LUT4": True}},
        {"fmax_mhz": {"1": None}},
        {"fmax_mhz": {"1": float("nan")}},
        {"seconds": {"1": 2}},
        {"tools": {"pyosys": 0}},
        {"inner": {"Word": "8"}},
        {"more\nthan": "a line"},
    ],
    ids=str,
)
def test_facts_of_another_kind_are_no_record(wrong: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "records.json"
    file.write_text(json.dumps([some_records()[0] | wrong]))
    with pytest.raises(RecordError) as error:
        shelf_with([file])
    one_line(error.value)


def test_each_fact_of_a_record_has_a_kind() -> None:
    assert [each.name for each in fields(Record)] == sorted(_FACTS, key=[*Record.__annotations__].index)


def test_json_that_nests_too_deep_is_no_record(tmp_path: Path) -> None:
    file = tmp_path / "records.json"
    file.write_text("[" * 100_000)
    with pytest.raises(RecordError):
        read_records(file)


@pytest.mark.parametrize("text", ["A\nB=x", "\r", "A\nB=2..1"])
def test_a_name_of_a_parameter_is_told_on_one_line(text: str) -> None:
    for read in (ranges, parameters):
        with pytest.raises(BadInput) as error:
            read([text])
        one_line(error.value)
