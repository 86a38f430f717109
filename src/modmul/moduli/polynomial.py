# SPDX-License-Identifier: Apache-2.0
"""Polynomials over GF(2) as people write them: ``x^163+x^7+x^6+x^3+1``."""

from __future__ import annotations

import re

from modmul.core import MAX_WIDTH, Polynomial
from modmul.moduli.base import Modulus, ModulusError, quoted

__all__ = ["is_polynomial", "polynomial"]


def is_polynomial(text: str) -> bool:
    """Whether a text means one, with or without mistakes: x stands in it, and not for hexadecimal."""
    return bool(re.fullmatch(r"[0-9xX^+*\s-]*", text) and re.search(r"[xX]\s*[\^+*]|\+\s*[xX]|^[xX]$", text))


def polynomial(text: str) -> Modulus:
    """The polynomial that a text means: a sum of powers of x, with ``^`` or ``**``.

    Raises:
        ModulusError: a term is no power of x, comes twice, or is of a degree above
            :data:`~modmul.core.MAX_WIDTH`.
    """
    powers: set[int] = set()
    for term in map(str.strip, text.split("+")):
        match = re.fullmatch(r"1|[xX]\s*(?:(?:\^|\*\*)\s*([0-9]{1,9}))?", term)
        if match is None:
            raise ModulusError(
                f"{quoted(term)} is no term of a polynomial over GF(2), "
                "which is a sum of powers of x: x^163+x^7+1"
            )
        power = 0 if term == "1" else int(match[1] or 1)
        if power > MAX_WIDTH:
            raise ModulusError(f"the degree {power} of the polynomial is above {MAX_WIDTH}")
        if power in powers:
            raise ModulusError(f"{term} comes twice in the polynomial; over GF(2) the two cancel")
        powers.add(power)
    value = Polynomial(sum(1 << power for power in powers))
    name = value.text if len(value.text) <= 20 else f"x^{value.degree}+…({value.bit_count()} terms)"
    return Modulus(name, value, "given as a polynomial")
