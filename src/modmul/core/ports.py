# SPDX-License-Identifier: Apache-2.0
"""The port list of every core (``docs/contract.md``) as data, and the ports a room may add to it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PORTS", "SQUARE", "Control"]

PORTS: tuple[tuple[str, str, str], ...] = (
    ("clk_i", "input", "1"),
    ("rst_ni", "input", "1"),
    ("ctx_valid_i", "input", "1"),
    ("ctx_ready_o", "output", "1"),
    ("ctx_data_i", "input", "word"),
    ("ctx_error_o", "output", "1"),
    ("in_valid_i", "input", "1"),
    ("in_ready_o", "output", "1"),
    ("x_i", "input", "word"),
    ("y_i", "input", "word"),
    ("out_valid_o", "output", "1"),
    ("out_ready_i", "input", "1"),
    ("z_o", "output", "word"),
)
"""The ports that every core has, in order: name, direction, width (``1`` or ``word`` bits)."""


@dataclass(frozen=True)
class Control:
    """An input port of one bit that a room adds to :data:`PORTS`, in front of ``out_valid_o``.

    Its value is a run-time field of the core's configuration, named as the port without ``_i``.

    Attributes:
        name: of the port (``"square_i"``).
        meaning: what it does when it is high, for people.
        first_beat: it comes with the first beat of the operands, and is ignored with the others;
            otherwise it is held through all of them.
        depends: the result then depends on earlier operations, so that the first one behind a context
            has to have it low. ``Function.factors`` says how.
    """

    name: str
    meaning: str
    first_beat: bool = True
    depends: bool = False

    @property
    def field(self) -> str:
        """The run-time field: ``"square"`` for ``"square_i"``."""
        return self.name.removesuffix("_i")


SQUARE = Control("square_i", "z is the product of x and x; y_i is ignored")
"""The control of a core that squares in fewer clock cycles than it multiplies."""
