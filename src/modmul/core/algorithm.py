# SPDX-License-Identifier: Apache-2.0
"""The numbered steps of an architecture as a model: for whoever reads it beside the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from modmul.core.config import Config

__all__ = ["Algorithm", "State", "Step"]

State = Mapping[str, int]


@dataclass(frozen=True)
class Step:
    """The registers after one clock cycle of an operation.

    Attributes:
        label: the numbered steps of the algorithm that this cycle carries out (``"9-14"``).
        state: register name of :attr:`Algorithm.trace` to its value; a register whose value the
            algorithm leaves open in this cycle is absent.
    """

    label: str
    state: State


def _no_steps(_config: Config, _modulus: int, _x: int, _y: int) -> Iterator[Step]:
    return iter(())


def _nothing(_config: Config) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class Algorithm:
    """Cycle count and registers of a core, step by step.

    Attributes:
        steps: the paper's cycle count as text, for people.
        cycles: compute cycles of an operation by the paper's way of counting, corrected where
            the print is wrong: precomputation and iterations, without loading and unloading.
        model: the registers after every clock cycle of an operation on these ``factors``, first the one that
            accepts the last operand beat; the last step is the one after which the result is valid.
            Systems have none, and no traced registers; nor has a core that somebody else wrote.
        trace: for a configuration, register name of :class:`Step` to the signal's path below the
            top module.
        work: for a configuration, what an operation consists of where its paper counts that: a name
            (``"products"``) to its number.
    """

    steps: str
    cycles: Callable[[Any], int]
    model: Callable[[Any, int, int, int], Iterator[Step]] = _no_steps
    trace: Callable[[Any], Mapping[str, str]] = field(default=_nothing)
    work: Callable[[Any], Mapping[str, int]] = field(default=_nothing)
