# SPDX-License-Identifier: Apache-2.0
"""The parameters of a build, and what is chosen while it runs."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Self

from modmul.core.arithmetic import ceil_div, to_beats
from modmul.core.polynomial import PRIME_FIELD, operand_length

RUNTIME: Mapping[str, bool] = MappingProxyType({"runtime": True})
"""Metadata of a :class:`Config` field that is chosen at run time, by the context or a control port."""

MAX_WIDTH = 1 << 20
"""Bits of the longest operand, and of the longest word, that a core is described for."""


@dataclass(frozen=True)
class Config:
    """The parameters of one build of a core. Rooms subclass it and add their own.

    Fields marked with :data:`RUNTIME` are no parameters: the hardware gets them from the context or a
    control port. A configuration with them set is the build while it serves a modulus (:meth:`at`).

    Attributes:
        width: operand length in bits, from 2 to :data:`MAX_WIDTH`; the longest where the length is
            chosen at run time.

    Raises:
        ValueError: a parameter is out of range, with the reason.
    """

    width: int

    def __post_init__(self) -> None:
        if self.width < 2:
            raise ValueError(f"width must be at least 2 bits, got {self.width}")
        if self.width > MAX_WIDTH:
            raise ValueError(f"width must be at most {MAX_WIDTH} bits, got {self.width}")

    @property
    def word(self) -> int:
        """Bits of the data ports; the operand length itself for a bit-parallel core."""
        return self.width

    @property
    def bits(self) -> int:
        """Bits of an operand at the ports."""
        return self.width

    @property
    def beats(self) -> int:
        """Beats of an operand: ceil(bits / word)."""
        return ceil_div(self.bits, self.word)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields it computes in: :data:`PRIME_FIELD`, :data:`BINARY_FIELD` or both."""
        return (PRIME_FIELD,)

    @property
    def packed(self) -> bool:
        """Whether an operand holds several numbers, such as a point: no largest one then bounds it."""
        return False

    @property
    def multiplier_blocks(self) -> bool:
        """Whether synthesis may map multiplications to multiplier blocks; otherwise they are in LUTs."""
        return False

    @property
    def trace_bits(self) -> int:
        """Bits of the widest traced register: operands, a loop's sums, the words of X."""
        return self.beats * self.word + 2

    def at(self, modulus: int, **controls: bool) -> Self:
        """This build while it serves a modulus: its run-time fields as the context and controls set them.

        Args:
            modulus: one that ``Function.check`` lets through for this build.
            controls: value of each control, by its field (``square=True``); those not given stay.

        Raises:
            ValueError: there is no such control.
        """
        for name in controls:
            if not isinstance(self.runtime().get(name), bool):
                raise ValueError(f"there is no control {name!r}")
        return replace(self, **controls) if controls else self

    def running(self, **runtime: Any) -> Self:
        """This build with some run-time fields set."""
        return replace(self, **runtime)

    def runtime(self) -> dict[str, Any]:
        """The run-time fields and their values."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.metadata.get("runtime")}

    def split(self, *numbers: int) -> list[int]:
        """Each number as its ``beats`` beats of ``word`` bits, least significant first, one after another.

        Raises:
            ValueError: a number does not fit.
        """
        return [beat for number in numbers for beat in to_beats(number, self.bits, self.word)]

    def own(self) -> dict[str, str]:
        """The parameters that can be set, and the field of each; in SystemVerilog in UpperCamelCase."""
        return {
            "".join(part.capitalize() for part in f.name.split("_")): f.name
            for f in fields(self)
            if not f.metadata.get("runtime")
        }

    def meanings(self) -> dict[str, str]:
        """What each parameter that can be set means, with its range; as the classes' docstrings have it.

        Empty texts where Python runs without docstrings.
        """
        told: dict[str, str] = {}
        for kind in reversed(type(self).__mro__):
            told |= _attributes(kind)
        return {name: told.get(attribute, "") for name, attribute in self.own().items()}

    def parameters(self) -> dict[str, int]:
        """The SystemVerilog parameters: name and value."""
        return {name: int(getattr(self, attribute)) for name, attribute in self.own().items()}

    def with_parameters(self, values: Mapping[str, int]) -> Self:
        """This build with some SystemVerilog parameters changed.

        Raises:
            ValueError: there is no such parameter, or a value is out of range.
        """
        known = self.own()
        for name in values:
            if name not in known:
                raise ValueError(f"there is no parameter {name!r}; there is {', '.join(known)}")
        return replace(self, **{known[name]: value for name, value in values.items()})

    def options(self) -> dict[str, int]:
        """The parameters but ``Width``."""
        return {name: value for name, value in self.parameters().items() if name != "Width"}

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.parameters().items())


_ATTRIBUTE = re.compile(r"^    (\w+): ((?:.*\n?)(?:^     +\S.*\n?)*)", re.MULTILINE)
"""An attribute of a docstring, with the lines that go on from it."""

_ROLE = re.compile(r":\w+:`~?(?:[\w.]*\.)?(\w+)`")
"""What a docstring refers to, by its last name."""


@cache
def _attributes(kind: type) -> Mapping[str, str]:
    """The attributes that the docstring of a class tells of, in a line each; constants with their values."""
    known = vars(sys.modules[kind.__module__])

    def named(role: re.Match[str]) -> str:
        value = known.get(role[1])
        return f"{value:,}" if isinstance(value, int) else role[1]

    _, _, told = inspect.cleandoc(kind.__dict__.get("__doc__") or "").partition("\nAttributes:\n")
    return {
        match[1]: " ".join(_ROLE.sub(named, match[2]).replace("``", "").split())
        for match in _ATTRIBUTE.finditer(told.partition("\n\n")[0])
    }


@dataclass(frozen=True)
class WordConfig(Config):
    """A build whose operands come and go in words.

    Attributes:
        word: bits of the data ports, from 1 to :data:`MAX_WIDTH`.
    """

    word: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word < 1:
            raise ValueError(f"word must be at least 1 bit, got {self.word}")
        if self.word > MAX_WIDTH:
            raise ValueError(f"word must be at most {MAX_WIDTH} bits, got {self.word}")


@dataclass(frozen=True)
class ScalableConfig(WordConfig):
    """A build whose operand length is chosen with the context, up to ``width``.

    Attributes:
        length: bits of an operand at run time; 0 stands for ``width``.
    """

    length: int = field(default=0, metadata=RUNTIME)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.length <= self.width:
            raise ValueError(f"operands of {self.length} bits are longer than the core's {self.width}")

    @property
    def n(self) -> int:
        """Bits of an operand at run time."""
        return self.length or self.width

    @property
    def bits(self) -> int:
        """Bits of an operand at the ports: those at run time."""
        return self.n

    def at(self, modulus: int, **controls: bool) -> Self:
        """Operands as long as the modulus, and of at least two bits."""
        return replace(super().at(modulus, **controls), length=max(operand_length(modulus), 2))


def word_configs(width: int) -> tuple[WordConfig, ...]:
    """The default of a word-serial core: words of 32 bits, or one word where the operand is shorter."""
    return (WordConfig(width, word=min(32, width)),)


def word_variants(width: int) -> tuple[WordConfig, ...]:
    """Words of one bit, of few bits, of half the operand, of the whole operand and more."""
    words = (1, 3, width // 2 + 1, width + 3) if width <= 64 else (width // 2 + 1, width)
    return tuple(WordConfig(width, word=word) for word in dict.fromkeys(words))


def word_values(width: int) -> dict[str, tuple[int, ...]]:
    """Words worth trying: powers of two from 8 to 128 bits, or one for a shorter operand."""
    return {"Word": tuple(word for word in (8, 16, 32, 64, 128) if word <= width) or (width,)}
