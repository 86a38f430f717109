# SPDX-License-Identifier: Apache-2.0
"""scalable_radix2_parallel: the parallel radix-2 multiplier that Pinckney et al. compare with, their [12]."""

from dataclasses import dataclass
from typing import ClassVar

from modmul.cores.scalable.systolic import SystolicConfig, element, exponentiation, systolic_core


@dataclass(frozen=True)
class ScalableRadix2Parallel(SystolicConfig):
    """A build of ``mm_scalable_radix2_parallel``."""

    radix2: ClassVar[int] = 1


DESIGN = "Parallel radix-2 scalable"

CORE = systolic_core(
    ScalableRadix2Parallel,
    slug="scalable_radix2_parallel",
    title="Scalable Montgomery multiplier, parallel radix 2",
    section="Tables II and III, reference [12]: parallel radix-2 scalable, left-shifting",
    steps="k*max(e + 1, p + ceil(p/w) + 1), k = ceil((n+3)/p) bits by p, e = ceil((n+3)/w) words",
    published=(
        element(DESIGN, 16, 318, luts=94, ffs=72),
        *exponentiation(
            DESIGN,
            318,
            pes=64,
            luts=6006,
            ffs=4597,
            cycles=(345, 1173),
            ms=(0.66, 8.0),
            notes=("they take 0.558 ms", "they take 7.56 ms"),
        ),
    ),
)
