# SPDX-License-Identifier: Apache-2.0
"""Moduli: by name, as numbers, expressions and polynomials, from key and context files; elliptic curves."""

from modmul.moduli.base import Modulus, ModulusError
from modmul.moduli.curves import CURVES, Curve, Point, curve
from modmul.moduli.expression import number
from modmul.moduli.named import ALIASES, NAMED
from modmul.moduli.text import modulus

__all__ = [
    "ALIASES",
    "CURVES",
    "NAMED",
    "Curve",
    "Modulus",
    "ModulusError",
    "Point",
    "curve",
    "modulus",
    "number",
]
