# SPDX-License-Identifier: Apache-2.0
"""Proofs that a core's result is the product, for every modulus and all operands, at full width."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from modmul.prove.product import montgomery_csa2
from modmul.prove.solve import Obligation
from modmul.room import Build

__all__ = ["PRODUCTS"]

PRODUCTS: Mapping[str, Callable[[Build], Sequence[Obligation]]] = MappingProxyType(
    {"montgomery_csa2": montgomery_csa2.obligations}
)
"""By core, what proves its results right."""
