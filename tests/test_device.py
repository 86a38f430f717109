# SPDX-License-Identifier: Apache-2.0
"""Devices that sign: contexts of keys, the provider for OpenSSL at simulated ones."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Thread

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from modmul.bus.device import Device, Transport
from modmul.bus.line import serve
from modmul.bus.registers import Register
from modmul.bus.simulated import Simulated
from modmul.moduli import curve
from modmul.use.device import Prepared, prepared

ROOT = Path(__file__).parents[1]
CORE = "montgomery_dsp"


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the provider, compiled without a warning."""
    if not Path("/usr/include/openssl/core_dispatch.h").exists():
        pytest.skip("libssl-dev is not installed")
    folder = tmp_path_factory.mktemp("provider")
    subprocess.run(
        ["make", "-C", ROOT / "examples/openssl", f"OUT={folder}"], check=True, capture_output=True
    )
    return folder


@cache
def key(kind: str) -> bytes:
    """A private key, as PEM."""
    how = {"rsa": ("RSA", "rsa_keygen_bits:1024"), "ec": ("EC", "ec_paramgen_curve:prime256v1")}[kind]
    made = ["openssl", "genpkey", "-quiet", "-algorithm", how[0], "-pkeyopt", how[1]]
    return subprocess.run(made, check=True, capture_output=True).stdout


@cache
def device_for(kind: str) -> Prepared:
    private = load_pem_private_key(key(kind), None)
    assert isinstance(private, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey)
    return prepared(private, CORE, {})


class Wrong:
    """A device whose results have a wrong bit."""

    def __init__(self, inner: Simulated) -> None:
        self.inner = inner

    def read(self, address: int) -> int:
        return self.inner.read(address) ^ (address == Register.RESULT)

    def write(self, address: int, value: int) -> None:
        self.inner.write(address, value)

    def pause(self, turn: int) -> None:
        self.inner.pause(turn)


@contextmanager
def served(device: Transport) -> Iterator[str]:
    """A device at a port, for one connection; where it is."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def end() -> None:
            connection, _ = server.accept()
            with connection, connection.makefile("rb") as incoming:
                serve(device, incoming.read, connection.sendall)

        thread = Thread(target=end, daemon=True)
        thread.start()
        yield f"tcp:127.0.0.1:{server.getsockname()[1]}"
        thread.join(30)


def openssl(provider: Path, *command: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    ours: list[str | Path] = ["-provider-path", provider, "-provider", "modmul", "-provider", "default"]
    return subprocess.run(
        ["openssl", command[0], *ours, "-propquery", "?provider=modmul", *command[1:]],
        env=os.environ | env,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def signed(provider: Path, kind: str, folder: Path, device: str, *options: str) -> str:
    """Have OpenSSL sign a file by the device at a place, and check that alone; what it says."""
    (folder / "key.pem").write_bytes(key(kind))
    (folder / "message").write_text("to be signed")
    files = folder / "key.pem", folder / "message"
    what: tuple[str | Path, ...] = (
        "dgst",
        *options,
        "-sign",
        files[0],
        "-out",
        folder / "signature",
        files[1],
    )
    made = openssl(provider, *what, MODMUL_DEVICE=device, MODMUL_CONTEXTS=str(folder))
    if made.returncode:
        return made.stderr
    check: list[str | Path] = ["openssl", "dgst", *options, "-prverify", files[0], "-signature"]
    check += [folder / "signature", files[1]]
    return subprocess.run(check, capture_output=True, text=True, check=False).stdout


def test_the_provider_says_what_is_missing(provider: Path, tmp_path: Path) -> None:
    """No context, another key's, no device."""
    assert "there is no" in signed(provider, "ec", tmp_path, "tcp:127.0.0.1:1")
    name = "ec-c4e7f378ca3ca3ef.context"  # of the order of P-256
    (tmp_path / name).write_text("modmul-context 1\nkind ec\nof 11\n")
    assert "is no context of this key" in signed(provider, "ec", tmp_path, "tcp:127.0.0.1:1")
    order = curve("p256").order
    text = f"modmul-context 1\nkind ec\nof {order:x}\nbuild 1\noperand 18\nhalf 288\nscalar 320\nwords 1\n0\n"
    (tmp_path / name).write_text(text)
    nowhere = signed(provider, "ec", tmp_path, "tcp:127.0.0.1:1")
    assert "no modmul device answers at tcp:127.0.0.1:1" in nowhere
    (tmp_path / name).write_text(text.replace("scalar 320", "scalar 255"))
    assert "has no room for a scalar" in signed(provider, "ec", tmp_path, "tcp:127.0.0.1:1")


def test_a_key_with_primes_of_different_lengths_is_refused() -> None:
    """A device is made from the public key, which does not tell them."""
    p, q, e = (1 << 607) - 1, (1 << 521) - 1, 65537
    d = pow(e, -1, (p - 1) * (q - 1))
    public = rsa.RSAPublicNumbers(e, p * q)
    numbers = rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public)
    with pytest.raises(ValueError, match="have 607 and 521 bits, and devices take equal ones"):
        prepared(numbers.private_key(), CORE, {})


@pytest.mark.parametrize("blind", [0, 136, 150])
def test_a_context_has_room_for_blinded_scalars(blind: int) -> None:
    private = load_pem_private_key(key("ec"), None)
    assert isinstance(private, ec.EllipticCurvePrivateKey)
    found = prepared(private, CORE, {"Blind": blind})
    assert found.scalar == curve("p256").order.bit_length() + blind
    assert 32 * -(-found.operand // 32) >= found.scalar
    with pytest.raises(ValueError, match=r"do not blind all bits of a scalar of p256; .*Blind=136"):
        prepared(private, CORE, {"Blind": 64})


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("rsa", ("-sha256",)),
        ("rsa", ("-sha384", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest")),
        ("ec", ("-sha256",)),
        ("ec", ("-sha512",)),
    ],
)
def test_openssl_signs_by_the_device(
    kind: str, options: tuple[str, ...], provider: Path, tmp_path: Path
) -> None:
    found = device_for(kind)
    (tmp_path / found.name).write_text(found.text())
    with served(Simulated(found.shell)) as place:
        assert signed(provider, kind, tmp_path, place, *options) == "Verified OK\n"


@pytest.mark.long
@pytest.mark.parametrize("kind", ["rsa", "ec"])
def test_no_signature_comes_of_a_wrong_result(kind: str, provider: Path, tmp_path: Path) -> None:
    found = device_for(kind)
    (tmp_path / found.name).write_text(found.text())
    with served(Wrong(Simulated(found.shell))) as place:
        assert "the device's result is wrong" in signed(provider, kind, tmp_path, place)
    assert not (tmp_path / "signature").exists() or not (tmp_path / "signature").read_bytes()


@pytest.mark.long
def test_another_build_signs_nothing(provider: Path, tmp_path: Path) -> None:
    found = device_for("ec")
    (tmp_path / found.name).write_text(found.text().replace(f"build {found.shell.build_id:x}", "build 1"))
    with served(Simulated(found.shell)) as place:
        assert "holds another build" in signed(provider, "ec", tmp_path, place)


@pytest.mark.long
def test_a_certificate_is_signed_by_the_device(provider: Path, tmp_path: Path) -> None:
    found = device_for("ec")
    (tmp_path / found.name).write_text(found.text())
    (tmp_path / "key.pem").write_bytes(key("ec"))
    files = "-key", tmp_path / "key.pem", "-out", tmp_path / "certificate"
    what: tuple[str | Path, ...] = ("req", "-new", "-x509", "-subj", "/CN=modmul", *files)
    with served(Simulated(found.shell)) as place:
        made = openssl(provider, *what, MODMUL_DEVICE=place, MODMUL_CONTEXTS=str(tmp_path))
    assert not made.returncode, made.stderr
    check: list[str | Path] = [
        "openssl",
        "verify",
        "-CAfile",
        tmp_path / "certificate",
        tmp_path / "certificate",
    ]
    assert subprocess.run(check, capture_output=True, check=False).returncode == 0


@pytest.mark.long
def test_a_point_on_the_bus() -> None:
    """An operand is a point there, which no largest number bounds."""
    found = device_for("ec")
    device = Device(Simulated(found.shell), found.shell)
    private = load_pem_private_key(key("ec"), None)
    assert isinstance(private, ec.EllipticCurvePrivateKey)
    at = curve("p256")
    device.load(at.modulus)
    secret = private.private_numbers().private_value
    point = device.run(at.base[0] | at.base[1] << found.half, secret)
    public = private.public_key().public_numbers()
    assert (point % (1 << found.half), point >> found.half) == (public.x, public.y)
    with pytest.raises(ValueError, match="does not fit"):
        device.run(1 << found.operand, 1)
