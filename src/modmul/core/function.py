# SPDX-License-Identifier: Apache-2.0
"""What a core computes: for whoever wants the right answer without the hardware."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from modmul.core.config import Config
from modmul.core.domain import Domain, plain_domain
from modmul.core.legal import check_width
from modmul.core.polynomial import Polynomial

__all__ = ["Function", "Memory"]

Memory = dict[str, Any]
"""What a core remembers of earlier operations; ``"z"`` is the last result."""


def _operand_max(_config: Config, modulus: int) -> int:
    return (1 << modulus.degree) - 1 if isinstance(modulus, Polynomial) else modulus


def _result_max(_config: Config, modulus: int) -> int:
    return (1 << modulus.degree) - 1 if isinstance(modulus, Polynomial) else modulus - 1


def _factors(config: Config, x: int, y: int, _memory: Memory) -> tuple[int, int]:
    return x, x if getattr(config, "square", False) else y


@dataclass(frozen=True)
class Function:
    """The moduli, operands and results of a core, and the right result.

    A multiplier gives its ``domain``, and ``factors`` where an operation does not multiply x by y. What is no
    multiplier gives ``compute``: ``modexp`` a power. Operands and results may then be anything that
    ``Interface.encode`` makes a number of the port's length of, a point of a curve for one.

    Attributes:
        check: raises ``ValueError`` with the reason when a build cannot serve a modulus.
        moduli: what ``check`` lets through, for people.
        domain: plain or Montgomery, with its radix.
        formula: what is computed, as people write it; ``""`` for that of the domain.
        operand_max: the largest legal operand for a modulus; M for integers, 2^degree - 1 for
            polynomials unless given.
        result_max: the largest result for a modulus; a result is congruent to the right one and lies in
            0 … result_max. Unless given it is reduced: M-1 for integers, 2^degree - 1 for polynomials.
        factors: the two numbers an operation multiplies: for ``config.at(modulus, …)``, its operands, and a
            memory of earlier operations, which it may change. Unless given: x and y, or x twice where the
            run-time field ``square`` is set.
        compute: the right result, reduced, for ``config.at(modulus, …)``, a modulus, x, y, and a memory of
            earlier operations; ``None`` for the product of the ``factors`` in the ``domain``.
        examples: for a build, moduli that it serves, the most telling first, or the only one
            (:meth:`only_modulus`); ``None``, for all or for some builds, where numbers of its width can be
            tried (:meth:`tried`).
        draw: for ``config``, a modulus and random numbers, two operands that the checks may take; ``None``
            where any two up to ``operand_max`` will do (:meth:`drawn`).
    """

    check: Callable[[Any, int], None] = check_width
    moduli: str = "1 <= M < 2^n"
    domain: Callable[[Any], Domain] = plain_domain
    formula: Callable[[Any], str] | None = None
    operand_max: Callable[[Any, int], int] = _operand_max
    result_max: Callable[[Any, int], int] = _result_max
    factors: Callable[[Any, int, int, Memory], tuple[int, int]] = _factors
    compute: Callable[[Any, int, Any, Any, Memory], Any] | None = None
    examples: Callable[[Any], Iterator[int] | None] | None = None
    draw: Callable[[Any, int, Random], tuple[int, int]] | None = None

    def answer(self, config: Config, modulus: int, x: Any, y: Any, memory: Memory | None = None) -> Any:
        """The right result, reduced, without the hardware; ``config`` is ``config.at(modulus, …)``.

        Args:
            memory: of the operations since the context was loaded, if any; this one is added.
        """
        known = {} if memory is None else memory
        if self.compute is None:
            z = self.domain(config).product(modulus, *self.factors(config, x, y, known))
        else:
            z = self.compute(config, modulus, x, y, known)
        known["z"] = z
        return z

    def accepts(self, config: Config, modulus: int, answer: Any, result: Any) -> bool:
        """Whether a result is the right answer, or congruent to it and not above ``result_max``."""
        if not isinstance(result, int):
            return bool(result == answer)
        if not 0 <= result <= self.result_max(config, modulus):
            return False
        return bool(result == answer) or (
            not isinstance(modulus, Polynomial) and (result - answer) % modulus == 0
        )

    def drawn(self, config: Config, modulus: int, random: Random, count: int) -> list[tuple[int, int]]:
        """So many pairs of operands that a build may take, for ``config.at(modulus)`` and a modulus."""
        if self.draw:
            return [self.draw(config, modulus, random) for _ in range(count)]
        largest = self.operand_max(config, modulus)
        return [(random.randint(0, largest), random.randint(0, largest)) for _ in range(count)]

    def computes(self, config: Config) -> str:
        """What is computed, as people write it."""
        return self.formula(config) if self.formula else self.domain(config).formula

    def serves(self, config: Config, modulus: int) -> bool:
        """Whether ``check`` lets the modulus through."""
        try:
            self.check(config, modulus)
        except ValueError:
            return False
        return True

    def tried(self, config: Config) -> Iterator[int] | None:
        """Moduli that a build has as examples; ``None`` where numbers of its width can be tried."""
        return self.examples(config) if self.examples else None

    def only_modulus(self, config: Config) -> int | None:
        """The modulus of a build for one alone: its only example; ``None`` for a build that serves others."""
        found = tuple(islice(self.tried(config) or (), 2))
        return found[0] if len(found) == 1 else None

    def some_modulus(self, config: Config) -> int:
        """A modulus of full length that the build can serve, for figures that need one.

        Raises:
            ValueError: it serves none of those tried, with its reason.
        """
        if (examples := self.tried(config)) is not None:
            candidates = tuple(islice(examples, 1))
        else:
            top = 1 << config.width
            numbers = (top // 2 + 1, top - 1, top // 2)
            candidates = (*numbers, *map(Polynomial, (top | 3, top, top // 2 + 1)))
        for modulus in candidates:
            if self.serves(config, modulus):
                return modulus
        for modulus in candidates:
            self.check(config, modulus)
        raise ValueError(f"no modulus of {config.width} bits is served")
