# SPDX-License-Identifier: Apache-2.0
"""The tour: the main job on the NIST P-256 prime, then real products on the simulated hardware."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from modmul.measure import TARGETS
from modmul.moduli import NAMED, Modulus
from modmul.moduli import modulus as read
from modmul.multiply import Product, multiply
from modmul.registry import room, rooms
from modmul.report.compare import Request
from modmul.tools.progress import Listener, Progress, ignore

__all__ = ["Use", "openssl_modulus", "tour", "uses"]

ROUTED = ("imml_booth4", "montgomery_csa1", "montgomery_csa2", "interleaved_csa")
TARGET = "ecp5"
COUNT = 2_000
RSA_BITS = 2048


def tour() -> Request:
    """The comparison of the tour: all cores, some of them placed and routed."""
    p256 = NAMED["p256"]
    return Request(
        modulus=p256,
        width=p256.bits,
        target=TARGETS[TARGET],
        rooms=tuple(rooms().values()),
        routed=ROUTED,
        count=COUNT,
        command="modmul demo",
        notes=(f"'modmul compare --modulus p256 --target {TARGET}' places and routes them all.",),
    )


@dataclass(frozen=True)
class Use:
    """A product of two operands of full length, on the default build of a core.

    Attributes:
        core: slug of the core.
        modulus: what it multiplies by.
        x, y: the operands.
        product: what the hardware made of them.
    """

    core: str
    modulus: Modulus
    x: int
    y: int
    product: Product

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``; long numbers in hexadecimal."""
        return {
            "core": self.core,
            "modulus": hex(self.modulus.value),
            "x": hex(self.x),
            "y": hex(self.y),
            **self.product.to_json(),
        }

    def __str__(self) -> str:
        return (
            f"{self.core}: x * y mod M, {self.modulus.source} ({self.modulus.bits} bits): "
            f"{hex(self.product.value)[:18]}…, {self.product.effort}"
        )


def uses(listener: Listener = ignore) -> list[Use]:
    """The products; the last is modulo the modulus of a fresh RSA key.

    Args:
        listener: told before the first and after each.
    """
    p256 = NAMED["p256"]
    chosen = (
        ("imml_booth4", p256),
        ("montgomery_csa1", p256),
        ("montgomery_csa1", openssl_modulus(RSA_BITS)),
    )
    listener(Progress("multiply", "", 0, len(chosen)))
    products = []
    for slug, modulus in chosen:
        products.append(_use(slug, modulus))
        listener(Progress("multiply", f"{slug}: {modulus.bits} bits", len(products), len(chosen)))
    return products


def _use(slug: str, chosen: Modulus) -> Use:
    found = room(slug)
    x, y = chosen.value // 3, chosen.value - 5
    return Use(slug, chosen, x, y, multiply(found, found.build(chosen.bits), chosen.value, x, y))


def openssl_modulus(bits: int) -> Modulus:
    """The modulus of a fresh RSA key that OpenSSL made, read back from its PEM file."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"rsa{bits}.pem"
        file.write_bytes(pem)
        return read(str(file))
