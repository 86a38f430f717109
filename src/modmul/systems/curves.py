# SPDX-License-Identifier: Apache-2.0
"""Multiples of points of one curve as a system on a core.

The program is the one for the curve (docs/curves.md); the curve's numbers come with the context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

from modmul.core import Config, Core, EngineProgram, ceil_div
from modmul.moduli.curves import Curve
from modmul.moduli.multiples import blind_bits, chained, drawn, numbers, program_of, scalar_bits
from modmul.systems.batches import packed
from modmul.systems.power import fixed
from modmul.systems.running import ProgramConfig, on_engine

__all__ = ["CurveConfig", "on"]


@dataclass(frozen=True)
class CurveConfig(ProgramConfig):
    """The parameters of the multiples of a curve's points on the engine with a core.

    Attributes:
        curve: the curve.
        blind: bits that blind a scalar, 0 for none; as many as reach each of its bits, which depends on the
            curve.
    """

    curve: Curve = field(kw_only=True, repr=False)
    blind: int = field(default=-1, kw_only=True)

    def __post_init__(self) -> None:
        if self.width != self.curve.bits:
            raise ValueError(
                f"coordinates of {self.curve.name} have {self.curve.bits} bits, got a width of {self.width}"
            )
        if self.blind == -1:
            object.__setattr__(self, "blind", blind_bits(self.curve))
        if self.blind < 0:
            raise ValueError(f"blind must be 0 bits or more, got {self.blind}")
        object.__setattr__(self, "exponent_bits", scalar_bits(self.curve, self.blind))
        super().__post_init__()

    @property
    def name(self) -> str:
        """That of the program."""
        return program_of(self.curve)

    def own(self) -> dict[str, str]:
        engine = {name: of for name, of in super().own().items() if name != "ExponentBits"}
        return {"Blind": "blind", **engine}

    def gives(self, modulus: int, lane: int) -> Mapping[str, int]:
        """The curve's numbers; the one that blinds coordinates is the same each time, unless it is given."""
        del modulus, lane
        return numbers(self.curve, Random(self.curve.name)) | dict(self.given)

    @property
    def packed(self) -> bool:
        """Scalars are longer than the modulus, points hold two numbers."""
        return True

    @property
    def half(self) -> int:
        """Bits of a coordinate in an operand."""
        return self.number * self.word


def _with_long_words(inner: Config) -> list[Config]:
    """A build whose numbers have two words; none where multiplier blocks are not what it is made of."""
    options = inner.options()
    if not inner.multiplier_blocks or "Word" not in options or inner.beats <= 2:
        return []
    digit = options.get("Digit", 1)
    return [inner.with_parameters({"Word": ceil_div(ceil_div(inner.width, 2), digit) * digit})]


def on(core: Core, curve: Curve, read: Callable[[str], tuple[str, str]]) -> EngineProgram:
    """The multiples of a curve's points on a core.

    Args:
        core: what the engine multiplies with.
        curve: the curve.
        read: gives a program that comes with the package its name and text.

    Raises:
        ValueError: there is no program for the curve.
    """
    source = chained(read(program_of(curve))[1], curve)
    made = partial(CurveConfig, curve=curve, source=source)

    def builds(width: int) -> Sequence[CurveConfig]:
        """The core's default, and where there are multiplier blocks that with two words a number."""
        inner = [*(fixed(core, width, curve.modulus) or core.builds.at(width))[:1]]
        with suppress(ValueError):
            inner += _with_long_words(inner[0])
        return tuple(made(width, inner=each, core=core) for each in inner)

    def check(config: CurveConfig, modulus: int) -> None:
        if modulus != curve.modulus:
            raise ValueError(f"multiplies points of {curve.name} alone; its field is {curve.field}")
        served(config, modulus)

    def points(config: CurveConfig, modulus: int, random: Random) -> tuple[int, int]:
        at = config.at(modulus)
        if config.batch == 1:
            return drawn(curve, at.half, config.blind, random)
        several = [drawn(curve, at.half, config.blind, random) for _ in range(config.batch)]
        return packed(several, at.half, registers=at.x_registers)

    described = on_engine(core, made, source, f"ecc_{curve.name}", f"multiples of points of {curve.name}")
    served = described.core.function.check

    def moduli(_config: CurveConfig) -> Iterator[int]:
        return iter((curve.modulus,))

    return replace(
        described,
        core=described.core.changed(
            check=check,
            moduli=curve.field,
            examples=moduli,
            draw=points,
            explore=builds,
            for_modulus=None,
            variants=lambda _width: (),
            only_width=curve.bits,
            formula=lambda _config: "y · x, x a point",
        ),
    )
