# SPDX-License-Identifier: Apache-2.0
"""A published vector: what is asked of hardware, and what must come of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from modmul.use.ecc import CurveError, Multiplier
from modmul.use.rsa import Engine, Power, RSAError
from modmul.verify.failures import VerificationError

__all__ = ["Bench", "Outcome", "Source", "Vector", "spread"]


@dataclass(frozen=True)
class Bench:
    """Hardware, or what stands in its place.

    Attributes:
        multiply: a scalar times a point; a ``Hardware`` also has u G + v P.
        private: the private operation of RSA.
        power: the public one.
    """

    multiply: Multiplier
    private: Engine
    power: Power


@dataclass(frozen=True)
class Outcome:
    """What came of a vector.

    Attributes:
        right: whether it is as published.
        refused: whether the scheme refused it, as it must where it is wrong.
        wrong: why it is not right; empty if it is.
    """

    right: bool
    refused: bool = False
    wrong: str = ""


@dataclass(frozen=True)
class Vector:
    """One vector.

    Attributes:
        label: which one it is of its file.
        system: what it is for: ``"ecc_p256"``, ``"two_points"`` of a curve, ``"rsa_crt"`` or ``"modexp"``.
        size: the curve by name, or the bits of an RSA modulus.
        content: all that was published of it.
        answer: has the hardware do what the vector asks for: whether what comes is what was published. It
            raises :class:`CurveError` or :class:`RSAError` where the scheme refuses it, in front of the
            hardware or behind it.
        valid: whether that must be so; ``None`` where it may be refused, too, but not differ.
        kind: vectors of a kind are alike, so that few of many kinds can be taken.
    """

    label: str
    system: str
    size: str
    content: str = field(repr=False)
    answer: Callable[[Bench], bool] = field(repr=False, compare=False)
    valid: bool | None = True
    kind: str = ""

    @cached_property
    def digest(self) -> str:
        """Of all that was published."""
        told = (self.label, self.system, self.size, self.content, self.valid)
        return sha256(repr(told).encode()).hexdigest()[:16]

    def outcome(self, bench: Bench) -> Outcome:
        """What comes of it with some hardware.

        Raises:
            ValueError: the hardware cannot serve it.
        """
        try:
            found: bool | None = self.answer(bench)
        except (CurveError, RSAError) as error:
            return Outcome(True, True) if self.valid is not True else Outcome(False, True, str(error))
        except VerificationError as error:
            return Outcome(False, wrong=str(error))
        if self.valid is False:
            return Outcome(False, wrong="passes, and must not") if found else Outcome(True)
        return Outcome(True) if found else Outcome(False, wrong="is not what was published")


@dataclass(frozen=True)
class Source:
    """Vectors that were published together.

    Attributes:
        name: who published them, and of what.
        count: how many there are.
        vectors: gives them, in order; it raises ``MissingExtra`` without the package that has them.
    """

    name: str
    count: int
    vectors: Callable[[], list[Vector]] = field(repr=False, compare=False)


def spread(found: list[Vector], most: int | None) -> list[Vector]:
    """The first of each kind, then the second, and so on, until there are so many; ``None``: all.

    Those of the same number stand as far from each other as may be.
    """
    if most is None or most >= len(found):
        return found
    kinds: dict[str, list[Vector]] = {}
    for each in found:
        kinds.setdefault(each.kind, []).append(each)
    rank = {id(each): place for some in kinds.values() for place, each in enumerate(some)}
    order = sorted(found, key=lambda each: rank[id(each)])
    chosen = {id(each) for each in order[:most]}
    return [each for each in found if id(each) in chosen]
