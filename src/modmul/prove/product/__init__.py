# SPDX-License-Identifier: Apache-2.0
"""Proofs that a core's result is the product, for every modulus and all operands, at full width."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from modmul.prove.product.carry_save import Proof
from modmul.prove.product.montgomery_csa1 import OneAdder
from modmul.prove.product.montgomery_csa2 import TwoAdders

__all__ = ["PRODUCTS"]

PRODUCTS: Mapping[str, type[Proof]] = MappingProxyType(
    {"montgomery_csa1": OneAdder, "montgomery_csa2": TwoAdders}
)
"""By core, what proves its results right."""
