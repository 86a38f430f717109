# SPDX-License-Identifier: Apache-2.0
"""A device on a bus that signs with a key: which build it is, and the context that a driver loads into it.

Only this knows how the context of a core is made of a key, so it makes it once, in a file; from then on the
driver in C does without Python (``examples/openssl``).
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, rsa

from modmul.bus.device import BusError
from modmul.bus.line import serve
from modmul.bus.shell import Shell
from modmul.bus.simulated import Simulated
from modmul.moduli import Curve
from modmul.moduli.curves import WEIERSTRASS
from modmul.moduli.keys import with_primes
from modmul.use.curve_keys import curve_of
from modmul.use.ecc import CurveError, Hardware
from modmul.use.power import build

__all__ = ["Prepared", "Signing", "listen", "prepared", "shell_of"]

Signing = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey
"""Keys that a device signs with."""

RSA, EC = "rsa", "ec"


@dataclass(frozen=True)
class Prepared:
    """A context for a device.

    Attributes:
        kind: ``"rsa"`` or ``"ec"``.
        of: the modulus of the key, or the order of the curve's group.
        shell: the device.
        words: of the context's frame behind its header.
        half: bits from x to y of a point in an operand; 0 for RSA.
        scalar: bits that a scalar may have, blinded; 0 for RSA.
        operand: bits of an operand.
    """

    kind: str
    of: int
    shell: Shell
    words: tuple[int, ...]
    operand: int
    half: int = 0
    scalar: int = 0

    @property
    def name(self) -> str:
        """Of its file: a driver finds it by the key."""
        digest = sha256(self.of.to_bytes(-(-self.of.bit_length() // 8))).hexdigest()
        return f"{self.kind}-{digest[:16]}.context"

    def text(self) -> str:
        """Of its file: names and numbers, then the context in words of 32 bits, in hexadecimal."""
        parts = [word >> 32 * k & 0xFFFFFFFF for word in self.words for k in range(self.shell.bus // 32)]
        head = {
            "modmul-context": "1",
            "kind": self.kind,
            "of": f"{self.of:x}",
            "build": f"{self.shell.build_id:x}",
            "operand": f"{-(-self.operand // 32)}",
            "half": f"{self.half}",
            "scalar": f"{self.scalar}",
            "words": f"{len(parts)}",
        }
        return "\n".join(
            (*(f"{name} {value}" for name, value in head.items()), *(f"{p:x}" for p in parts), "")
        )


def shell_of(
    key: rsa.RSAPublicKey | ec.EllipticCurvePublicKey, core: str, settings: Mapping[str, int], bus: int = 32
) -> Shell:
    """The device for keys like this one: ``rsa_crt`` of its length, or the program of its curve, on a core.

    Args:
        settings: parameters of the core or the system, other than the defaults.
        bus: bits of a word of the streams.

    Raises:
        ValueError: there is no such build, or the curve is of another form.
    """
    if isinstance(key, rsa.RSAPublicKey):
        return Shell(build("rsa_crt", core, key.key_size + key.key_size % 2, settings), bus)
    at = _curve(key)
    running, _ = Hardware(core, settings).prepared(at, 1, at.base)
    return Shell(running.build, bus)


def prepared(key: Signing, core: str, settings: Mapping[str, int], bus: int = 32) -> Prepared:
    """The context for a key. It holds a whole RSA key, but of a key of a curve only the curve.

    Raises:
        ValueError: as :func:`shell_of`; the primes of an RSA key differ in length.
    """
    if isinstance(key, rsa.RSAPrivateKey):
        numbers = key.private_numbers()
        whole = with_primes(numbers)
        if len(set(whole.lengths)) > 1:  # a device is made from the public key, which does not tell them
            listed = " and ".join(map(str, whole.lengths))
            raise ValueError(f"the primes of this key have {listed} bits, and devices take equal ones")
        shell = shell_of(key.public_key(), core, settings, bus)
        at = shell.build.config.at(whole)
        return Prepared(RSA, numbers.public_numbers.n, shell, tuple(shell.context(whole)), at.bits)
    curve = _curve(key.public_key())
    running, half = Hardware(core, settings).prepared(curve, 1, curve.base)
    shell = Shell(running.build, bus)
    at = shell.build.config.at(running.modulus)
    own: Any = running.build.config
    words = tuple(shell.context(running.modulus))
    return Prepared(EC, curve.order, shell, words, at.bits, half, own.exponent_bits)


def _curve(key: ec.EllipticCurvePublicKey) -> Curve:
    at = curve_of(key)
    if at.form != WEIERSTRASS:
        raise CurveError(f"devices sign on curves over GF(p) in Weierstrass form, and {at.name} is none")
    return at


def listen(shell: Shell, port: int, told: Callable[[int], None]) -> None:
    """Simulate a device at a TCP port of this machine; one connection after the other, for ever.

    Args:
        shell: the device.
        port: 0 for one that is free.
        told: called with the port once connections are taken.

    Raises:
        BusError: the port is taken.
        SimulatorError: a tool is missing or refuses the sources.
    """
    device = Simulated(shell)
    try:
        server = socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise BusError(f"port {port} cannot be opened: {error.strerror or error}; take another") from error
    with server:
        told(server.getsockname()[1])
        while True:
            connection, _ = server.accept()
            with connection, connection.makefile("rb") as incoming:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    serve(device, incoming.read, connection.sendall)
                except ConnectionError:
                    continue  # the other end has gone
