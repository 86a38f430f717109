# SPDX-License-Identifier: Apache-2.0
"""Which moduli a build can serve: the checks that several rooms share."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from modmul.core.config import Config
from modmul.core.polynomial import Polynomial, field_of, operand_length, size_name

TOOL_WIDTHS: Mapping[str, int] = MappingProxyType(
    {"simulated": 1 << 15, "exported": 1 << 15, "synthesised": 1 << 14}
)
"""What can be done with a core, to the longest operands in bits with which that ends in reasonable time."""


class EvenModulus(ValueError):
    """Montgomery's method does not take a modulus, which other methods do.

    Attributes:
        modulus: an even number, or a polynomial that is a multiple of x.
    """

    def __init__(self, modulus: int) -> None:
        super().__init__(
            "Montgomery multiplication needs the constant term 1, this polynomial is a multiple of x"
            if isinstance(modulus, Polynomial)
            else "Montgomery multiplication needs an odd modulus, this one is even"
        )
        self.modulus = modulus


def check_tool(done: str, width: int, word: int = 1) -> None:
    """Raise ValueError if a core is too wide for a tool to end in reasonable time.

    Args:
        done: what the tool does with the core, a name of :data:`TOOL_WIDTHS`.
        width: bits of an operand.
        word: bits of its data ports.
    """
    most = TOOL_WIDTHS[done]
    for name, bits in (("width", width), ("word", word)):
        if bits > most:
            raise ValueError(
                f"{name} must be at most {most} bits for a core to be {done} in reasonable time, got {bits}; "
                f"take a {name} of {most} or less"
            )


def check_positive(config: Config, modulus: int) -> None:
    """Raise ValueError unless ``modulus`` is positive and of a field that the core computes in."""
    if field_of(modulus) not in config.fields:
        raise ValueError(f"works in {' and '.join(config.fields)}, this modulus is of {field_of(modulus)}")
    if modulus < 1:
        raise ValueError(f"the modulus must be positive, got {modulus}")


def check_width(config: Config, modulus: int) -> None:
    """Raise ValueError unless the modulus is positive and its operands have at most ``width`` bits.

    That is ``1 <= modulus < 2**width`` for an integer, degree <= ``width`` for a Polynomial.
    """
    check_positive(config, modulus)
    if operand_length(modulus) > config.width:
        raise ValueError(
            f"the modulus has {size_name(modulus)}, more than the core's {config.width}; "
            f"take --width {operand_length(modulus)}"
        )


def check_odd(config: Config, modulus: int) -> None:
    """Raise ValueError unless the modulus fits and is odd, as Montgomery's method needs.

    A Polynomial has to have the constant term 1.
    """
    check_width(config, modulus)
    if modulus % 2 == 0:
        raise EvenModulus(modulus)


def full_modulus(config: Config, modulus: int) -> None:
    """Raise ValueError unless the operands of the modulus have exactly ``width`` bits."""
    check_width(config, modulus)
    if operand_length(modulus) != config.width:
        raise ValueError(
            f"this core needs a modulus of exactly {config.width} bits (its top bit set), this "
            f"one has {size_name(modulus)}; take --width {max(operand_length(modulus), 2)}"
        )
