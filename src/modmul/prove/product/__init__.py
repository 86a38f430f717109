# SPDX-License-Identifier: Apache-2.0
"""Proofs that a core's result is the product, for every modulus and all operands, at full width."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from modmul.prove.product.argument import Argument
from modmul.prove.product.fips import Scanning
from modmul.prove.product.fips_binary import Carryless
from modmul.prove.product.fips_literal import AsPrinted
from modmul.prove.product.fips_literal_binary import CarrylessAsPrinted
from modmul.prove.product.fmlm3 import Spectral
from modmul.prove.product.gf2m_fixed import Horner
from modmul.prove.product.gf2m_pipelined import Karatsuba
from modmul.prove.product.gf2m_serial import Montgomery
from modmul.prove.product.interleaved_cores import CORES, SHARED
from modmul.prove.product.interleaved_csa import Tabulated
from modmul.prove.product.montgomery_cascade import Cascade
from modmul.prove.product.montgomery_csa1 import OneAdder
from modmul.prove.product.montgomery_csa2 import TwoAdders
from modmul.prove.product.montgomery_dsp import Rows
from modmul.prove.product.pipelined import Pipeline
from modmul.prove.product.rrm import Reinjected
from modmul.prove.product.rrm_plain import PushedOut
from modmul.prove.product.rrm_split import Split
from modmul.prove.product.scalable_booth4_left import LeftShifting
from modmul.prove.product.scalable_booth4_right import RightShifting
from modmul.prove.product.scalable_booth4_serial import InTurn
from modmul.prove.product.scalable_radix2 import BitByBitLeft
from modmul.prove.product.scalable_radix2_parallel import BitsAtOnce
from modmul.prove.product.scalable_radix2_right import BitByBit
from modmul.prove.product.scalable_radix4 import DigitByDigit
from modmul.prove.product.small_any import Barrett
from modmul.prove.product.small_fixed import ForOne
from modmul.prove.product.sparse_prime import AddedBack
from modmul.prove.product.sparse_prime_dsp import RowAlone
from modmul.room import Build

__all__ = ["PRODUCTS", "SHARED", "arguments", "kinds_of"]

PRODUCTS: Mapping[str, tuple[type[Argument], ...]] = MappingProxyType(
    {
        "montgomery_csa1": (OneAdder,),
        "montgomery_csa2": (TwoAdders,),
        "interleaved_csa": (Tabulated,),
        **{slug: (kind,) for slug, kind in CORES.items()},
        "scalable_booth4_left": (LeftShifting,),
        "scalable_booth4_right": (RightShifting,),
        "scalable_booth4_serial": (InTurn,),
        "scalable_radix2_right": (BitByBit,),
        "scalable_radix2": (BitByBitLeft,),
        "scalable_radix2_parallel": (BitsAtOnce,),
        "scalable_radix4": (DigitByDigit,),
        "gf2m_fixed": (Horner,),
        "gf2m_serial": (Montgomery,),
        "gf2m_pipelined": (Karatsuba,),
        "montgomery_dsp": (Rows,),
        "montgomery_cascade": (Cascade,),
        "pipelined": (Pipeline,),
        "fips": (Scanning, Carryless),
        "fips_literal": (AsPrinted, CarrylessAsPrinted),
        "fmlm3": (Spectral,),
        "rrm": (Reinjected,),
        "rrm_plain": (PushedOut,),
        "rrm_split": (Split,),
        "sparse_prime": (AddedBack,),
        "sparse_prime_dsp": (RowAlone,),
        "small_any": (Barrett,),
        "small_fixed": (ForOne,),
    }
)
"""By core, what proves its results right: several arguments where a build has runs of several kinds."""


def kinds_of(build: Build) -> tuple[type[Argument], ...]:
    """What proves the results of a build right.

    Raises:
        ValueError: there is nothing for its core.
    """
    if build.slug not in PRODUCTS:
        raise ValueError(f"there is no proof that {build.slug} is right, only of cores of this package")
    if getattr(build.config, "shared_taps", 0):
        return (SHARED[build.slug],)
    return tuple(kind for kind in PRODUCTS[build.slug] if kind.covers(build))


def arguments(build: Build) -> tuple[Argument, ...]:
    """The arguments for a build, which together speak of all its runs.

    Raises:
        ValueError: there is none for its core, or it does not cover these parameters.
        ToolFailure: Yosys failed.
    """
    return tuple(kind.of(build) for kind in kinds_of(build))
