# SPDX-License-Identifier: Apache-2.0
"""Moduli: by name, as numbers and expressions, as polynomials, from key files and context files."""

from modmul.moduli.base import Modulus, ModulusError
from modmul.moduli.expression import number
from modmul.moduli.named import ALIASES, NAMED
from modmul.moduli.text import modulus

__all__ = ["ALIASES", "NAMED", "Modulus", "ModulusError", "modulus", "number"]
