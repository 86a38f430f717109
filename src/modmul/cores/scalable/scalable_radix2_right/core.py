# SPDX-License-Identifier: Apache-2.0
"""scalable_radix2_right: the first scalable multiplier, radix 2, Pinckney et al.'s [2]."""

from dataclasses import dataclass
from typing import ClassVar

from modmul.cores.scalable.systolic import SystolicConfig, systolic_core


@dataclass(frozen=True)
class ScalableRadix2Right(SystolicConfig):
    """A build of ``mm_scalable_radix2_right``."""

    radix2: ClassVar[int] = 1
    left: ClassVar[bool] = False
    parallel: ClassVar[bool] = False


CORE = systolic_core(
    ScalableRadix2Right,
    slug="scalable_radix2_right",
    title="Scalable Montgomery multiplier, radix 2, right-shifting",
    prints_nothing=True,
    section="Sections I, III and IV, reference [2]: scalable radix 2, right-shifting",
    steps="k*max(e, 2p + 1), k = ceil((n+3)/p) bits by p, e = ceil((n+3)/w) words",
)
