# SPDX-License-Identifier: Apache-2.0
"""What every argument has that a core's result is the product: a netlist, and obligations about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from modmul.prove.netlist import System, system
from modmul.prove.product.serial import TOP, bench
from modmul.prove.solve import Obligation
from modmul.room import Build

__all__ = ["Argument"]


@dataclass(frozen=True)
class Argument(ABC):
    """The obligations of a build.

    Attributes:
        build: the core and its parameters.
        system: its netlist with the bench around it.
    """

    build: Build
    system: System

    @classmethod
    def of(cls, build: Build) -> Self:
        """The argument for a build.

        Raises:
            ValueError: it does not cover these parameters.
            ToolFailure: Yosys failed.
        """
        return cls(build, system(build.design, bench(build), TOP))

    @classmethod
    def covers(cls, build: Build) -> bool:
        """Whether a build has runs of which this is said."""
        del build
        return True

    @property
    def width(self) -> int:
        return self.build.config.width

    @property
    def rule(self) -> str:
        """Of which runs it is said; ``""``: of all."""
        return ""

    @abstractmethod
    def all(self) -> Iterator[Obligation]:
        """Every obligation, layer by layer."""

    def definitions(self) -> str:
        """What is defined beside the netlist."""
        return ""

    def text(self, *assertions: str) -> str:
        """A text about the netlist in which something holds."""
        return f"{self.system.header}{self.definitions()}" + "\n".join(
            f"(assert {each})" for each in assertions
        )
