# SPDX-License-Identifier: Apache-2.0
"""Numbers as people write them: decimal, hexadecimal, and sums, products and powers of these.

Nothing is handed to Python to evaluate, and no number is computed that is much longer than
:data:`~modmul.core.MAX_WIDTH`: ``2^2^40`` is refused, not tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from modmul.core import MAX_WIDTH
from modmul.moduli.base import Modulus, ModulusError, long_name, quoted

__all__ = ["expression", "is_expression", "number", "printed_bytes"]

NUMBER = r"0[xX][0-9a-fA-F_]+|[0-9][0-9_]*"
TOKEN = re.compile(rf"({NUMBER}|\*\*|[-+*^()])\s*")
SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*"})
"""What a typeset page has for minus and times."""

DEEPEST = 50
"""Parentheses and powers within each other."""
MOST_TOKENS = 1000
LONGEST_STEP = 2 * MAX_WIDTH
"""Bits of any number on the way to the result: a difference of longer ones may be short enough."""


def printed_bytes(text: str) -> Modulus | None:
    """The number that a text means if it is hexadecimal in pieces, or ``None`` if it is not.

    That is ``0x`` and digits with ``_``, colons or white space between them (but not two underscores), the
    bytes that OpenSSL prints (``00:c3:…``, over several lines), and its ``Modulus=C3…``.
    """
    for pattern in (
        r"0[xX]((?:_|[:\s]+)?[0-9a-fA-F]+(?:(?:_|[:\s]+)[0-9a-fA-F]+)*)",
        r"([0-9a-fA-F]{1,2}(?::\s*[0-9a-fA-F]{2})+:?)",
        r"Modulus=([0-9a-fA-F]+)",
    ):
        match = re.fullmatch(pattern, text)
        if match is not None:
            value = int(re.sub(r"[_:\s]", "", match[1]), 16)
            return _checked(value, hex(value), "given as a number")
    return None


def is_expression(text: str) -> bool:
    """Whether a text is made of numbers, operators and parentheses alone, with or without mistakes."""
    return not TOKEN.sub("", text.translate(SIGNS)).strip() and bool(re.search("[0-9]", text))


def expression(text: str) -> Modulus:
    """The number that a text means: ``+``, ``-``, ``*``, powers (``^`` or ``**``) and parentheses.

    A power binds as in mathematics: ``-2^2^3`` is -(2^8).

    Raises:
        ModulusError: the text is not well formed, the number is not positive, or it or one on the way to
            it is too long.
    """
    plain = text.translate(SIGNS).strip()
    simple = re.fullmatch(rf"[+-]?(?:{NUMBER})", plain)
    value = _Reader(plain).value
    return _checked(value, text.strip(), "given as a number" if simple else "given as an expression")


def number(text: str, names: Mapping[str, int]) -> int:
    """The number that a text means, which need not be a modulus: as :func:`expression` reads it.

    Args:
        text: ``"0x1f"``, ``"M-2"``.
        names: what stands for a number.

    Raises:
        ModulusError: the text is not well formed, or a number on the way is too long.
    """
    plain = text.translate(SIGNS)
    for name, value in names.items():
        plain = re.sub(rf"\b{name}\b", f"({value:#x})", plain)
    if not is_expression(plain):
        known = "".join(f", {name}" for name in names)
        raise ModulusError(f"{quoted(text)} is not a number: decimal, 0x…{known}, or an expression of these")
    return _Reader(plain.strip()).value


def _checked(value: int, text: str, source: str) -> Modulus:
    if value < 1:
        shown = " ".join(text.split()) if len(text) <= 60 else quoted(text)
        raise ModulusError(f"the modulus must be positive, got {shown}")
    if value.bit_length() > MAX_WIDTH:
        raise ModulusError(f"{quoted(text)} has {value.bit_length()} bits, more than {MAX_WIDTH}")
    short = re.sub(r"\s+", "", text)
    return Modulus(short if len(short) <= 25 else long_name(value), value, source)


class _Reader:
    """Reads an expression from left to right; ``value`` is what it means."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = TOKEN.findall(text)
        if len(self.tokens) > MOST_TOKENS:
            raise ModulusError(f"{quoted(text)} has more than {MOST_TOKENS} numbers and operators")
        self.place = 0
        self.value = self.sum(0)
        if self.ahead:
            raise self.malformed()

    @property
    def ahead(self) -> str:
        """The next token; nothing at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def taken(self, *wanted: str) -> Iterator[str]:
        """The next token, again and again, as long as it is one of those wanted."""
        while self.ahead in wanted:
            self.place += 1
            yield self.tokens[self.place - 1]

    def malformed(self) -> ModulusError:
        what = f"{self.ahead!r} stands where it cannot" if self.ahead else "something is missing at the end"
        if self.place and self.ahead[:1].isdigit() and self.tokens[self.place - 1][0].isdigit():
            what = "digits are grouped with _, as in 1_000_003"
        return ModulusError(f"{quoted(self.text)} is not a number: {what}; expressions look like 2^255-19")

    def fitting(self, bits: int) -> None:
        """Refuse a step whose result has so many bits or more."""
        if bits > LONGEST_STEP:
            raise ModulusError(
                f"{quoted(self.text)} is too long a number: more than {LONGEST_STEP} bits on the way, "
                f"and a modulus has at most {MAX_WIDTH}"
            )

    def sum(self, depth: int) -> int:
        value = self.product(depth)
        for sign in self.taken("+", "-"):
            term = self.product(depth)
            value = value + term if sign == "+" else value - term
            self.fitting(value.bit_length())
        return value

    def product(self, depth: int) -> int:
        value = self.signed(depth)
        for _ in self.taken("*"):
            factor = self.signed(depth)
            self.fitting(value.bit_length() + factor.bit_length() - 1)
            value *= factor
        return value

    def signed(self, depth: int) -> int:
        negative = list(self.taken("+", "-")).count("-") % 2
        value = self.power(depth)
        return -value if negative else value

    def power(self, depth: int) -> int:
        base = self.atom(depth)
        for _ in self.taken("^", "**"):
            exponent = self.signed(self.below(depth))
            if exponent < 0:
                raise ModulusError(f"{quoted(self.text)} is not a number: a power has a negative exponent")
            if abs(base) > 1:
                self.fitting((base.bit_length() - 1) * exponent + 1)
            else:
                exponent = min(exponent, 2 + exponent % 2)
            base **= exponent
        return base

    def atom(self, depth: int) -> int:
        token = self.ahead
        if token in ("", "+", "-", "*", "**", "^", ")"):
            raise self.malformed()
        self.place += 1
        if token != "(":
            return self.number(token)
        value = self.sum(self.below(depth))
        if self.ahead != ")":
            raise self.malformed()
        self.place += 1
        return value

    def below(self, depth: int) -> int:
        if depth == DEEPEST:
            raise ModulusError(f"{quoted(self.text)} nests parentheses and powers more than {DEEPEST} deep")
        return depth + 1

    def number(self, token: str) -> int:
        if "__" in token or token.endswith("_"):
            raise ModulusError(f"{quoted(token)} is not a number")
        digits = token.replace("_", "")
        self.fitting(3 * (len(digits.lstrip("0xX")) - 1))
        if digits[:2] in ("0x", "0X"):
            return int(digits, 16)
        from flint import fmpz  # noqa: PLC0415 (int() refuses more than a few thousand decimal digits)

        return int(fmpz(digits))
