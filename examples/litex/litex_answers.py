# SPDX-License-Identifier: Apache-2.0
"""What the program on the system on chip ought to print."""

from __future__ import annotations

from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256

__all__ = ["MESSAGE", "checked"]

MESSAGE = b"signed by a program on a system on chip"


def checked(found: Mapping[str, str], key: RSAPrivateKey, x: int, y: int) -> str:
    """What is wrong with what was printed; nothing if all is right."""
    missing = {"product", "signature", "interrupts", "failed"} - set(found)
    if missing:
        return f"the program did not print: {', '.join(sorted(missing))}"
    if int(found["failed"], 16):
        return f"the driver says {found['failed']}; docs/bus.md and modmul_bus.h have the codes"
    if int(found["product"], 16) != x * y % key.public_key().public_numbers().n:
        return "the product is wrong"
    try:
        signature = int(found["signature"], 16).to_bytes(key.key_size // 8)
        key.public_key().verify(signature, MESSAGE, PKCS1v15(), SHA256())
    except InvalidSignature:
        return "OpenSSL refuses the signature"
    answers = 3  # the context's, the product's and the power's
    if int(found["interrupts"], 16) != answers:
        return f"there were {int(found['interrupts'], 16)} interrupts, not {answers}"
    return ""
