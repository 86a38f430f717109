# SPDX-License-Identifier: Apache-2.0
"""scalable_booth4_serial: radix-4 Booth in the original order of the steps, Pinckney et al.'s [4]."""

from dataclasses import dataclass
from typing import ClassVar

from modmul.cores.scalable.systolic import SystolicConfig, systolic_core


@dataclass(frozen=True)
class ScalableBooth4Serial(SystolicConfig):
    """A build of ``mm_scalable_booth4_serial``."""

    left: ClassVar[bool] = False
    parallel: ClassVar[bool] = False
    booth: ClassVar[bool] = True


CORE = systolic_core(
    ScalableBooth4Serial,
    slug="scalable_booth4_serial",
    title="Scalable Montgomery multiplier, radix-4 Booth, one product after the other",
    prints_nothing=True,
    section="Sections I to IV, reference [4]: scalable radix-4 Booth, right-shifting",
    steps="k*max(e, 2p + 1), k = ceil((n+4)/2p) digits by p, e = ceil((n+5)/w) words",
)
