# SPDX-License-Identifier: Apache-2.0
"""scalable_radix2: the improved radix-2 multiplier that Pinckney et al. compare with, their [3]."""

from dataclasses import dataclass
from typing import ClassVar

from modmul.cores.scalable.systolic import SystolicConfig, element, exponentiation, systolic_core


@dataclass(frozen=True)
class ScalableRadix2(SystolicConfig):
    """A build of ``mm_scalable_radix2``."""

    radix2: ClassVar[int] = 1
    parallel: ClassVar[bool] = False


DESIGN = "Improved radix-2 scalable"

CORE = systolic_core(
    ScalableRadix2,
    slug="scalable_radix2",
    title="Scalable Montgomery multiplier, improved radix 2",
    section="Tables II and III, reference [3]: improved radix-2 scalable, left-shifting",
    steps="k*max(e + 1, p + ceil(p/w) + 1), k = ceil((n+3)/p) bits by p, e = ceil((n+3)/w) words",
    published=(
        element(DESIGN, 16, 285, luts=95, ffs=72),
        *exponentiation(DESIGN, 285, pes=64, luts=6317, ffs=4844, cycles=(345, 1173), ms=(0.62, 8.4)),
    ),
)
