# SPDX-License-Identifier: Apache-2.0
"""The description of one architecture as data and small functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Self

from modmul.core.algorithm import Algorithm
from modmul.core.builds import Builds
from modmul.core.config import Config
from modmul.core.function import Function
from modmul.core.interface import Interface
from modmul.core.origin import Origin
from modmul.core.polynomial import bound_name

__all__ = ["Core"]


def _no_notes(_config: Config) -> Mapping[str, Sequence[str]]:
    return {}


@dataclass(frozen=True)
class Core:
    """One architecture: everything the tools need to know of it, each part for one reader.

    Attributes:
        slug: name of the room; the top module is ``mm_<slug>``.
        title: one line for people.
        interface: ports, context and times, for whoever drives it.
        algorithm: its numbered steps as a model, for whoever reads it.
        builds: its configurations, for whoever chooses one.
        function: moduli, operands and the right result, for whoever checks it.
        origin: the paper and its figures, for whoever compares.
        notes: for a configuration, what ``modmul show`` tells besides: a title to its lines.
        module: the top module, where it is not ``mm_<slug>``.
        status: ``"stable"`` or what is missing.
    """

    slug: str
    title: str
    interface: Interface
    algorithm: Algorithm
    builds: Builds
    function: Function = field(default_factory=Function)
    origin: Origin = field(default_factory=Origin)
    notes: Callable[[Any], Mapping[str, Sequence[str]]] = field(default=_no_notes)
    status: str = "stable"
    module: str = ""

    @property
    def top(self) -> str:
        """The top module."""
        return self.module or f"mm_{self.slug}"

    def changed(self, **facts: Any) -> Self:
        """The same core with some fields of its own or of its parts changed, for one unlike it in few things.

        Raises:
            TypeError: neither the core nor a part of it has such a field.
        """
        own = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, value in facts.items():
            if name in own:
                own[name] = value
                continue
            holders = [n for n, part in own.items() if is_dataclass(part) and hasattr(part, name)]
            if not holders:
                raise TypeError(f"a core has no {name!r}")
            own[holders[0]] = replace(own[holders[0]], **{name: value})
        return type(self)(**own)

    def illegal_contexts(self, config: Config) -> list[Sequence[int]]:
        """Contexts that the hardware must refuse with ``ctx_error_o``.

        Those of ``Interface.refused``; by default a modulus that ``Function.check`` refuses (of 0, 1, 2, 4,
        2^(width-1), 2^width - 2 and those that differ from a legal one in a bit), at full length, with zeros
        behind it up to the length of a legal one.
        """
        if self.interface.refused is not None:
            return list(self.interface.refused(config))
        top = 1 << config.width
        legal = self.function.some_modulus(config)
        length = len(self.interface.context(config.at(legal), legal))
        others = (legal ^ 1 << bit for bit in range(config.width)) if legal < top else ()
        candidates = (m for m in (0, 1, 2, 4, top // 2, top - 2, *others) if m < top)
        illegal = [m for m in dict.fromkeys(candidates) if not self.function.serves(config, m)]
        runs = map(config.split, illegal)
        return [[*run, *[0] * (length - len(run))] for run in runs]

    def check_operands(self, config: Config, modulus: int, *operands: int) -> None:
        """Raise ValueError unless every operand lies in ``0 … operand_max(config, modulus)``."""
        largest = self.function.operand_max(config, modulus)
        for operand in operands:
            if not 0 <= operand <= largest:
                bound = bound_name(largest, modulus)
                raise ValueError(f"operands of {self.slug} lie in 0 … {bound}, got {operand}")
