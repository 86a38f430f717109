# SPDX-License-Identifier: Apache-2.0
"""What a multiplier block and a block RAM count beside LUTs, where one number has to stand for the area.

The weights of a family stand in its file in ``modmul.chips``, the reasons in ``docs/measuring.md``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Self

from modmul.chips import Chip

__all__ = ["Weights"]

DSP, BRAM = 133, 200
"""Those of most families, where no chip is named."""


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
    bram: int = BRAM

    def __post_init__(self) -> None:
        for name, value in self.named().items():
            if value < 0:
                raise ValueError(f"the weight of {name} is not negative, got {value}")

    @classmethod
    def of(cls, chip: Chip) -> Self:
        """The weights of a chip family unless others are asked for."""
        return cls(chip.dsp_weight, chip.bram_weight)

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
                raise ValueError(f"weights are given as dsp={DSP},bram={BRAM}, in LUTs; got {part!r}")
            values[name] = int(value)
        return replace(self, **values)

    def equivalents(self, luts: int | None, dsp: int | None, bram: int | None) -> int | None:
        """LUT-equivalents: the LUTs and what the blocks count; ``None`` without LUTs.

        A number of blocks that is not known counts nothing.
        """
        return None if luts is None else luts + self.dsp * (dsp or 0) + self.bram * (bram or 0)

    def __str__(self) -> str:
        return f"LUTs + {self.dsp} · DSP + {self.bram} · RAM18"
