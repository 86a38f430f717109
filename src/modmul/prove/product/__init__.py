# SPDX-License-Identifier: Apache-2.0
"""Proofs that a core's result is the product, for every modulus and all operands, at full width."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from modmul.prove.product import interleaved
from modmul.prove.product.argument import Argument
from modmul.prove.product.montgomery_csa1 import OneAdder
from modmul.prove.product.montgomery_csa2 import TwoAdders

__all__ = ["PRODUCTS"]

PRODUCTS: Mapping[str, type[Argument]] = MappingProxyType(
    {
        "montgomery_csa1": OneAdder,
        "montgomery_csa2": TwoAdders,
        "imml_booth4": interleaved.ImmlBooth4,
        "imml_booth8": interleaved.ImmlBooth8,
        "imml_radix4": interleaved.ImmlRadix4,
        "imml_radix8": interleaved.ImmlRadix8,
        "interleaved_booth4": interleaved.InterleavedBooth4,
        "interleaved_booth8": interleaved.InterleavedBooth8,
        "interleaved_radix2": interleaved.InterleavedRadix2,
        "interleaved_radix2_parallel": interleaved.InterleavedRadix2Parallel,
    }
)
"""By core, what proves its results right."""
