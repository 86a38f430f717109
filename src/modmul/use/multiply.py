# SPDX-License-Identifier: Apache-2.0
"""One product on simulated hardware: what a user of a core does, Montgomery's domain included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from modmul.core import Domain, check_tool
from modmul.room import Build
from modmul.tools.paths import cache_dir
from modmul.tools.progress import Listener, Progress, ignore
from modmul.verify.failures import VerificationError
from modmul.verify.simulation import Simulation

__all__ = ["Multiplier", "Product", "multiply"]


@dataclass(frozen=True)
class Product:
    """A checked product.

    Attributes:
        value: x * y mod M.
        operations: multiplications the core did for it: one, or two in the Montgomery domain.
        cycles: clock cycles from the first operand beat to the last result.
    """

    value: int
    operations: int
    cycles: int

    @property
    def effort(self) -> str:
        """How many operations and clock cycles it took, in words."""
        operations = "1 operation" if self.operations == 1 else f"{self.operations} operations"
        return f"{operations}, {self.cycles} clock cycles, checked"

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``; the product in hexadecimal."""
        return {"product": hex(self.value), "operations": self.operations, "cycles": self.cycles}


class Multiplier:
    """A simulated core that serves one modulus, for as many products as wanted.

    Args:
        build: the core.
        modulus: what it serves; for a Polynomial operands and results are polynomials over GF(2).
        listener: told before the simulator is made, unless the modulus is refused, and after each operation.

    Raises:
        ValueError: the core is too wide or cannot serve the modulus.
        PlaceError: the cache folder cannot be written.
        SimulatorError: a tool is missing or refuses the sources.
    """

    def __init__(self, build: Build, modulus: int, *, listener: Listener = ignore) -> None:
        check_tool("simulated", build.config.width, build.config.word)
        build.check(modulus)
        self.build, self.modulus, self.listener = build, modulus, listener
        self.at = build.config.at(modulus)
        self.operations = 1 if build.core.function.domain(self.at).radix == 1 else 2
        cache_dir()  # one that cannot be written is refused before anything is told
        listener(Progress("simulate", build.slug, 0, self.operations))
        self.simulation = Simulation(build)
        self.simulation.load(modulus)

    def multiply(self, x: int, y: int) -> Product:
        """x * y mod M, computed by the simulated core and checked without it.

        A Montgomery core first multiplies x by R^2 mod M, which brings x into its domain; the product of
        that and y then needs no further conversion. A result above M - 1 is reduced here.

        Raises:
            ValueError: an operand is out of range.
            VerificationError: the core's answer is wrong.
        """
        core, modulus = self.build.core, self.modulus
        core.check_operands(self.at, modulus, x, y)
        domain, plain = core.function.domain(self.at), Domain("plain", 1)
        # In Montgomery's domain R^2 takes the place of a first factor: (x * R^2 / R) * y / R = x * y.
        factors = [y] if domain.radix == 1 else [domain.enter(modulus, domain.radix), y]
        value, cycles = x, 0
        for done, factor in enumerate(factors, 1):
            batch = self.simulation.run([value], [factor])
            value = plain.product(modulus, batch.results[0], 1)
            cycles += int(batch.valid[0] - batch.accepted[0]) + self.at.beats
            self.listener(Progress("simulate", core.slug, done, self.operations))
        if value != plain.product(modulus, x, y):
            raise VerificationError(f"{core.slug}: {x:#x} * {y:#x} mod {modulus:#x} is not {value:#x}")
        return Product(value, self.operations, cycles)


def multiply(build: Build, modulus: int, x: int, y: int, *, listener: Listener = ignore) -> Product:
    """One product of a :class:`Multiplier`; operands are looked at before anything is made.

    Raises:
        ValueError: the core is too wide or cannot serve the modulus, or an operand is out of range.
        PlaceError: the cache folder cannot be written.
        VerificationError: the core's answer is wrong.
    """
    check_tool("simulated", build.config.width, build.config.word)
    build.check(modulus)
    build.core.check_operands(build.config.at(modulus), modulus, x, y)
    return Multiplier(build, modulus, listener=listener).multiply(x, y)
