# SPDX-License-Identifier: Apache-2.0
"""What a modulus is, wherever it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modmul.core import BINARY_FIELD, Polynomial, field_of, operand_length, size_name

__all__ = ["Modulus", "ModulusError", "long_name", "printable", "quoted"]

MANY_TERMS = 12


class ModulusError(ValueError):
    """Text that is no modulus; the message says what would be."""


@dataclass(frozen=True)
class Modulus:
    """A modulus and where it comes from.

    Attributes:
        name: short, for tables and file names.
        value: the modulus, at least 1; for a binary field a :class:`~modmul.core.Polynomial`.
        source: one line for people.
        secret: whether it came with somebody's private key.
    """

    name: str
    value: int
    source: str = ""
    secret: bool = False

    @property
    def field(self) -> str:
        """The arithmetic: of integers, whether or not the modulus is prime, or of polynomials over GF(2).

        ``"GF(p)"`` or ``"GF(2^m)"``, the latter whether or not the polynomial is irreducible.
        """
        return field_of(self.value)

    @property
    def bits(self) -> int:
        """Bits of an operand: the length of the modulus, or the degree of a polynomial."""
        return operand_length(self.value)

    @property
    def size(self) -> str:
        """``"256 bits"`` or ``"degree 163"``."""
        return size_name(self.value)

    @property
    def text(self) -> str:
        """As people read it: a polynomial of few terms as such, everything else in hexadecimal."""
        if isinstance(self.value, Polynomial) and self.value.bit_count() <= MANY_TERMS:
            return self.value.text
        return hex(self.value)

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``; where it comes from is not part of it.

        The value is a hexadecimal string: JSON readers other than Python's round large numbers.
        """
        return {"name": self.name, "value": hex(self.value), "bits": self.bits, "field": self.field}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Modulus:
        """The modulus that :meth:`to_json` wrote."""
        value = int(data["value"], 16)
        return cls(data["name"], Polynomial(value) if data.get("field") == BINARY_FIELD else value)


def long_name(value: int) -> str:
    """The name of a number whose text is too long for one: in hexadecimal, of a long one the first digits."""
    return hex(value) if value < 1 << 64 else f"{hex(value)[:10]}…({value.bit_length()} bits)"


def printable(text: str) -> str:
    """A name that comes from somebody's file, as it can be printed: on one line, and without control
    characters, which a terminal would obey, or half characters, which no output takes."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in " ".join(text.split()))


def quoted(text: str) -> str:
    """A text of any length in a message of one line."""
    return repr(text if len(text) <= 60 else f"{text[:50]}…")
