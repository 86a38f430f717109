# SPDX-License-Identifier: Apache-2.0
"""scalable_booth4_right: the right-shifting Booth multiplier of Pinckney et al.."""

from dataclasses import dataclass
from typing import ClassVar

from modmul.cores.scalable.systolic import BoothConfig, element, exponentiation, systolic_core


@dataclass(frozen=True)
class ScalableBooth4Right(BoothConfig):
    """A build of ``mm_scalable_booth4_right``."""

    left: ClassVar[bool] = False


DESIGN = "Parallel radix-4 scalable Booth, R"

CORE = systolic_core(
    ScalableBooth4Right,
    slug="scalable_booth4_right",
    title="Scalable Montgomery multiplier, radix-4 Booth, right-shifting",
    section="Section IV, Figs. 3, 4 and 5: parallelized radix-4 scalable Booth, right-shifting",
    steps="k*max(e, 2p + 1), k = ceil((n+4)/2p) digits by p, e = ceil((n+5)/w) words",
    published=(
        element(DESIGN, 4, 259, luts=50, ffs=49),
        element(DESIGN, 8, 249, luts=91, ffs=87, note="text: 248 MHz"),
        element(DESIGN, 16, 248, luts=154, ffs=149),
        *exponentiation(DESIGN, 248, pes=16, luts=3069, ffs=2640, cycles=(297, 2145), ms=(0.62, 18)),
        *exponentiation(
            DESIGN,
            248,
            pes=32,
            luts=5959,
            ffs=5079,
            cycles=(325, 1105),
            ms=(0.68, 9.1),
            notes=("they take 0.674 ms", ""),
        ),
        *exponentiation(
            DESIGN,
            248,
            pes=64,
            luts=11853,
            ffs=10292,
            cycles=(387, 1161),
            ms=(0.8, 9.7),
            notes=("", "they take 9.60 ms"),
        ),
    ),
)
