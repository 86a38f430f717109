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

__all__ = ["Product", "multiply"]


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


def multiply(build: Build, modulus: int, x: int, y: int, *, listener: Listener = ignore) -> Product:
    """x * y mod M, computed by the simulated core and checked without it.

    A Montgomery core first multiplies x by R^2 mod M, which brings x into its domain; the product of
    that and y then needs no further conversion. A result above M - 1 is reduced here. For a Polynomial
    modulus operands and result are polynomials over GF(2).

    Args:
        listener: told before the simulator is made, unless the call is refused, and after each operation.

    Raises:
        ValueError: the core is too wide or cannot serve the modulus, or an operand is out of range.
        PlaceError: the cache folder cannot be written.
        VerificationError: the core's answer is wrong.
    """
    core, config = build.core, build.config
    check_tool("simulated", config.width, config.word)
    core.function.check(config, modulus)
    at = config.at(modulus)
    core.check_operands(at, modulus, x, y)
    cache_dir()  # one that cannot be written is refused before anything is told
    operations = 1 if core.function.domain(at).radix == 1 else 2
    listener(Progress("simulate", core.slug, 0, operations))
    simulation = Simulation(build)
    simulation.load(modulus)
    domain, plain = core.function.domain(at), Domain("plain", 1)
    # In Montgomery's domain R^2 takes the place of a first factor: (x * R^2 / R) * y / R = x * y.
    factors = [y] if domain.radix == 1 else [domain.enter(modulus, domain.radix), y]
    value, cycles = x, 0
    for done, factor in enumerate(factors, 1):
        batch = simulation.run([value], [factor])
        value = plain.product(modulus, batch.results[0], 1)
        cycles += int(batch.valid[0] - batch.accepted[0]) + at.beats
        listener(Progress("simulate", core.slug, done, operations))
    if value != plain.product(modulus, x, y):
        raise VerificationError(f"{core.slug}: {x:#x} * {y:#x} mod {modulus:#x} is not {value:#x}")
    return Product(value, operations, cycles)
