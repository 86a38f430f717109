# SPDX-License-Identifier: Apache-2.0
"""The modulus of a context file: the ``context.json`` that ``modmul export`` writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

from modmul.core import BINARY_FIELD, MAX_WIDTH, PRIME_FIELD, Polynomial, operand_length
from modmul.moduli.base import Modulus, ModulusError, printable

__all__ = ["from_context", "is_json"]


def is_json(path: Path, data: bytes) -> bool:
    """Whether a file is to be read as JSON: by its name, or because it begins with a brace."""
    return path.suffix.lower() == ".json" or data.lstrip()[:1] == b"{"


def from_context(path: Path, data: bytes) -> Modulus:
    """The modulus of a context file, by the keys ``modulus`` (``"0x…"``), ``field`` and ``modulus_name``.

    Raises:
        ModulusError: the file is no JSON, another JSON, or its modulus is none.
    """
    try:
        told = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ModulusError(f"{path} is no JSON that can be read: {error}") from error
    if not isinstance(told, dict) or not {"modulus", "field"} <= told.keys():
        raise ModulusError(
            f"{path} is no context file: a context.json of 'modmul export' has the keys 'modulus' and 'field'"
        )
    digits, field = told["modulus"], told["field"]
    if not isinstance(digits, str) or not re.fullmatch(r"0[xX][0-9a-fA-F]+", digits):
        raise ModulusError(f"{path} is no context file: its 'modulus' is no text of hexadecimal digits, 0x…")
    if field not in (PRIME_FIELD, BINARY_FIELD):
        raise ModulusError(
            f"{path} is no context file: its 'field' is neither {PRIME_FIELD!r} nor {BINARY_FIELD!r}"
        )
    bits = int(digits, 16)
    value = Polynomial(bits) if field == BINARY_FIELD else bits
    if value < 1 or operand_length(value) > MAX_WIDTH:
        raise ModulusError(f"{path}: the modulus must be positive and have at most {MAX_WIDTH} bits")
    told_name = told.get("modulus_name")
    name = printable(told_name)[:60] if isinstance(told_name, str) else ""
    file = printable(path.name)
    return Modulus(name or file, value, f"modulus of {file}")
