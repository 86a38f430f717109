# SPDX-License-Identifier: Apache-2.0
"""The tour: every core for the NIST P-256 prime, one of them measured anew, then real products."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from modmul.measure import (
    CHIPS,
    SHIPPED,
    SHIPPED_SEEDS,
    Job,
    Measurement,
    Record,
    Store,
    ToolFailure,
    count_cells,
    measure,
)
from modmul.moduli import NAMED, Modulus
from modmul.moduli import modulus as read
from modmul.registry import Build, choose_rooms, room, rooms
from modmul.study.compare import Request
from modmul.study.measuring import Tools, left_out
from modmul.tools.progress import Listener, Progress, ignore
from modmul.use.multiply import Product, multiply
from modmul.verify.runner import Plan, verify

__all__ = ["Anew", "Use", "anew", "openssl_modulus", "tour", "uses"]

TARGET = "ecp5"
COUNT = 2_000
RSA_BITS = 2048


def tour() -> Request:
    """The comparison of the tour: all cores, from the shipped measurements, not verified."""
    p256 = NAMED["p256"]
    return Request(
        modulus=p256,
        width=p256.bits,
        target=CHIPS[TARGET],
        rooms=choose_rooms(None, TARGET, p256.bits),
        left_out=left_out(CHIPS[TARGET], p256.bits),
        seeds=SHIPPED_SEEDS,
        count=0,
        tools=Tools(look_up=True),
        command="modmul demo",
        notes=(f"'modmul compare --modulus p256 --target {TARGET}' verifies them all on this modulus.",),
    )


@dataclass(frozen=True)
class Anew:
    """A core that was verified and measured on this machine, although there is a record of it.

    Attributes:
        core: slug of the core.
        verified: random products modulo the P-256 prime.
        shipped: the record.
        here: what this machine gave.
    """

    core: str
    verified: int
    shipped: Record
    here: Record

    @property
    def agrees(self) -> bool:
        """Whether every cell count and every frequency is that of the record."""
        return (self.here.cells, self.here.fmax_mhz) == (self.shipped.cells, self.shipped.fmax_mhz)

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``."""
        return {
            "core": self.core,
            "verified": self.verified,
            "agrees": self.agrees,
            "shipped": asdict(self.shipped),
            "here": asdict(self.here),
        }

    def __str__(self) -> str:
        verdict = "the same" if self.agrees else f"{_figures(self.shipped)}, with {_tools(self.shipped)}"
        return (
            f"{self.core}: {self.verified:,} random products right; measured here with {_tools(self.here)}: "
            f"{_figures(self.here)}. The record of {self.shipped.date} says {verdict}."
        )


def _figures(record: Record) -> str:
    area = count_cells(record.cells, CHIPS[record.target])
    seeds = ", ".join(f"{mhz:.1f}" for mhz in record.fmax_mhz.values())
    return f"{area.luts:,} LUTs, {area.ffs:,} FFs, {seeds} MHz"


def _tools(record: Record) -> str:
    return ", ".join(f"{tool} {version}" for tool, version in record.tools.items())


def anew(listener: Listener = ignore) -> Anew | None:
    """Verify and measure the core of the tour that takes the tools the shortest, as if nothing were known.

    Returns:
        ``None`` when there is no up-to-date record of any core.

    Raises:
        ToolFailure: a tool failed.
        Exception: what :func:`~modmul.verify.runner.verify` raises.
    """
    p256, target = NAMED["p256"], CHIPS[TARGET]
    found: list[tuple[Build, Record]] = []
    for one in rooms().values():
        build = one.build(p256.bits)
        record = SHIPPED.find(build.design, target, SHIPPED_SEEDS)
        if record:
            found.append((build, record))
    if not found:
        return None
    build, record = min(found, key=lambda entry: sum(entry[1].seconds))
    verified = verify(build, Plan(modulus=p256.value, count=COUNT, contract=False), listener=listener)
    with tempfile.TemporaryDirectory() as folder:
        job = Job(build.design, target, SHIPPED_SEEDS)
        [(_, outcome)] = measure([job], store=Store(Path(folder) / "results.sqlite"), listener=listener)
    failure = outcome if isinstance(outcome, ToolFailure) else outcome.failure
    if failure:
        raise failure
    assert isinstance(outcome, Measurement)
    here = Record.of(job.design, target, outcome.area, outcome.timing)
    return Anew(build.slug, verified.total, record, here)


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
    return Use(slug, chosen, x, y, multiply(found.build(chosen.bits), chosen.value, x, y))


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
