# SPDX-License-Identifier: Apache-2.0
"""What a multiplier block and a block RAM count beside LUTs, where one number has to stand for the area.

The reasons for the weights are in ``docs/measuring.md``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Self

from modmul.measure.targets import Target

__all__ = ["Weights"]

DSP = 133
"""LUTs of a multiplier block: the ratio that the authors of FIOS_DSP_MM use."""

BRAM: Mapping[int, int] = MappingProxyType({4: 400, 6: 200})
"""LUTs of 18 kbit of block RAM, by the inputs of the fabric's LUT."""


@dataclass(frozen=True)
class Weights:
    """LUTs that each block counts for.

    Attributes:
        dsp: of a multiplier block.
        bram: of a block memory of 18 kbit.

    Raises:
        ValueError: a weight is negative.
    """

    dsp: int = DSP
    bram: int = BRAM[6]

    def __post_init__(self) -> None:
        for name, value in self.named().items():
            if value < 0:
                raise ValueError(f"the weight of {name} is not negative, got {value}")

    @classmethod
    def of(cls, target: Target) -> Self:
        """The weights of a target unless others are asked for."""
        return cls(bram=BRAM[target.lut_inputs])

    def named(self) -> dict[str, int]:
        """Name and value of each."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def changed(self, text: str) -> Self:
        """These weights with some changed: ``"dsp=100,bram=0"``.

        Raises:
            ValueError: the text is not of this form, or names something else.
        """
        values: dict[str, int] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, _, value = part.partition("=")
            if name not in self.named() or not re.fullmatch(r"[0-9]{1,9}", value):
                raise ValueError(f"weights are given as dsp={DSP},bram={BRAM[6]}, in LUTs; got {part!r}")
            values[name] = int(value)
        return replace(self, **values)

    def equivalents(self, luts: int | None, dsp: int | None, bram: int | None) -> int | None:
        """LUT-equivalents: the LUTs and what the blocks count; ``None`` without LUTs.

        A number of blocks that is not known counts nothing.
        """
        return None if luts is None else luts + self.dsp * (dsp or 0) + self.bram * (bram or 0)

    def __str__(self) -> str:
        return f"LUTs + {self.dsp} · DSP + {self.bram} · RAM18"
