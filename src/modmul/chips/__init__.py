# SPDX-License-Identifier: Apache-2.0
"""The chip families a core is measured on: one file each, found by looking (``docs/adding-a-chip.md``).

A family is a module of this package with a ``CHIP``. Other packages bring one through the entry-point group
``modmul.chips`` (value: a module with a ``CHIP``). Modules whose names begin with ``_`` are helpers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import MappingProxyType

from modmul.chips._chip import Cells, Chip, ChipError, PlaceAndRoute, Twins, Vendor

__all__ = [
    "CHIPS",
    "Cells",
    "Chip",
    "ChipError",
    "PlaceAndRoute",
    "Twins",
    "UnknownChip",
    "Vendor",
    "chip",
    "relatives",
    "twins_of",
]

ENTRY_POINT_GROUP = "modmul.chips"


class UnknownChip(ValueError):
    """No chip family of that name; the message names the near matches."""


def _modules() -> list[str]:
    own = [found.name for found in iter_modules(__path__) if not found.name.startswith("_")]
    return [
        *(f"{__name__}.{name}" for name in own),
        *(p.value for p in entry_points(group=ENTRY_POINT_GROUP)),
    ]


def _load(modules: Iterable[str]) -> dict[str, Chip]:
    """The chips of some modules: first those with place and route, then those with shipped records.

    Raises:
        ChipError: a module has no ``CHIP``, a name is taken twice, a nearest relative is missing, or two
            families disagree about the same twins.
    """
    found: dict[str, Chip] = {}
    for module in modules:
        try:
            chip = import_module(module).CHIP
        except Exception as error:
            raise ChipError(f"the chip family {module} cannot be imported: {error!r}") from error
        if not isinstance(chip, Chip):
            raise ChipError(f"{module}: CHIP is not a modmul.chips.Chip")
        if chip.name in found:
            raise ChipError(f"two chip families are named {chip.name}; the second is {module}")
        found[chip.name] = chip
    twins: dict[str, Twins] = {}
    for chip in found.values():
        if chip.relative and chip.relative not in found:
            raise ChipError(f"{chip.name} names {chip.relative!r} as its relative, which is no chip family")
        if chip.twins and twins.setdefault(chip.family, chip.twins) != chip.twins:
            raise ChipError(f"{chip.name} describes the twins of {chip.family} otherwise than another family")
    order = sorted(found.values(), key=lambda c: (not c.route, not c.shipped, -c.lut_inputs, c.name))
    return {chip.name: chip for chip in order}


CHIPS: Mapping[str, Chip] = MappingProxyType(_load(_modules()))
"""Every chip family by name."""


def chip(name: str) -> Chip:
    """The chip family of that name.

    Raises:
        UnknownChip: there is none; the message names the near matches.
    """
    if name in CHIPS:
        return CHIPS[name]
    near = get_close_matches(name, CHIPS, n=2, cutoff=0.6)
    hint = f"did you mean {', '.join(near)}?" if near else f"there are {', '.join(CHIPS)}"
    raise UnknownChip(f"no target named {name!r}; {hint}")


def relatives(name: str) -> tuple[str, ...]:
    """A chip family, its nearest relative, the nearest relative of that one, and so on; each once."""
    found: dict[str, None] = {}
    while name and name not in found:
        found[name] = None
        name = CHIPS[name].relative if name in CHIPS else ""
    return tuple(found)


def twins_of(family: str) -> Twins:
    """What is known of the cells that twins ``mm_x.<family>.sv`` are made of.

    Raises:
        UnknownChip: no chip takes such twins.
    """
    for each in CHIPS.values():
        if each.twins and each.family == family:
            return each.twins
    raise UnknownChip(f"no chip family takes twins of {family!r}")
