# SPDX-License-Identifier: Apache-2.0
"""scalable_radix4: radix 4 without Booth encoding, with which Pinckney et al. compare theirs, their [6]."""

from dataclasses import dataclass
from typing import ClassVar

from modmul.cores.scalable.systolic import UnsignedConfig, element, exponentiation, systolic_core


@dataclass(frozen=True)
class ScalableRadix4(UnsignedConfig):
    """A build of ``mm_scalable_radix4``."""

    triples: ClassVar[bool] = True


DESIGN = "Parallel radix-4 scalable non-Booth"

CORE = systolic_core(
    ScalableRadix4,
    slug="scalable_radix4",
    title="Scalable Montgomery multiplier, radix 4 without Booth encoding",
    section="Tables II and III, reference [6]: parallel radix-4 scalable non-Booth, left-shifting",
    steps="k*max(e + 1, p + ceil(2p/w) + 1), k = ceil((n+4)/2p) digits by p, e = ceil((n+5)/w) words",
    published=(
        element(DESIGN, 16, 248, luts=132, ffs=120),
        *exponentiation(
            DESIGN,
            248,
            pes=32,
            luts=4997,
            ffs=4051,
            cycles=(185, 1122),
            ms=(0.38, 9.4),
            notes=("", "they take 9.27 ms"),
        ),
    ),
)
