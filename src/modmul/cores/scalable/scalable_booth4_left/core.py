# SPDX-License-Identifier: Apache-2.0
"""scalable_booth4_left: the left-shifting Booth multiplier of Pinckney et al.."""

from dataclasses import dataclass
from typing import ClassVar

from modmul.cores.scalable.systolic import BoothConfig, element, exponentiation, systolic_core


@dataclass(frozen=True)
class ScalableBooth4Left(BoothConfig):
    """A build of ``mm_scalable_booth4_left``."""

    left: ClassVar[bool] = True


DESIGN = "Parallel radix-4 scalable Booth, L"

CORE = systolic_core(
    ScalableBooth4Left,
    slug="scalable_booth4_left",
    title="Scalable Montgomery multiplier, radix-4 Booth, left-shifting",
    section="Section IV, Figs. 3 and 6: parallelized radix-4 scalable Booth, left-shifting",
    steps="k*max(e + 1, p + ceil(2p/w) + 1), k = ceil((n+4)/2p) digits by p, e = ceil((n+5)/w) words",
    published=(
        element(DESIGN, 4, 216, luts=54, ffs=41),
        element(DESIGN, 8, 213, luts=102, ffs=60),
        element(
            DESIGN,
            16,
            186,
            luts=176,
            ffs=89,
            note="32 of them are more than Table III prints for the whole kernel",
        ),
        *exponentiation(DESIGN, 186, pes=16, luts=2469, ffs=1458, cycles=(171, 2178), ms=(0.47, 24)),
        *exponentiation(
            DESIGN,
            186,
            pes=32,
            luts=4852,
            ffs=2887,
            cycles=(185, 1122),
            ms=(0.52, 13),
            notes=("they take 0.511 ms", "they take 12.4 ms"),
        ),
        *exponentiation(DESIGN, 186, pes=64, luts=9637, ffs=5690, cycles=(219, 657), ms=(0.6, 7.2)),
    ),
)
