# SPDX-License-Identifier: Apache-2.0
"""The chip families a core is measured on: one file each, found by looking (``docs/adding-a-chip.md``).

A family is a module of this package with a ``CHIP``, or with a ``FAMILY`` whose chips take an argument
(``liberty:FILE``). Other packages bring one through the entry-point group ``modmul.chips`` (value: such a
module). Modules whose names begin with ``_`` are helpers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import MappingProxyType

from modmul.chips._chip import (
    CLOCK_PS,
    READINGS,
    Cells,
    Chip,
    ChipError,
    Count,
    Family,
    Part,
    PlaceAndRoute,
    Routed,
    Twins,
    Vendor,
    nextpnr,
)

__all__ = [
    "CHIPS",
    "CLOCK_PS",
    "FAMILIES",
    "READINGS",
    "Cells",
    "Chip",
    "ChipError",
    "Count",
    "Family",
    "Part",
    "PlaceAndRoute",
    "Routed",
    "Twins",
    "UnknownChip",
    "Vendor",
    "chip",
    "names",
    "nextpnr",
    "relatives",
    "twins_of",
]

ENTRY_POINT_GROUP = "modmul.chips"


class UnknownChip(ValueError):
    """No chip of that name; the message names the nearest ones, or says what its argument lacks."""


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
        chip = _content(module)
        if isinstance(chip, Family):
            continue
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


def _content(module: str) -> Chip | Family:
    try:
        content = vars(import_module(module))
        found = content["FAMILY"] if "FAMILY" in content else content["CHIP"]
    except Exception as error:
        raise ChipError(f"the chip family {module} cannot be imported: {error!r}") from error
    if not isinstance(found, Chip | Family):
        raise ChipError(f"{module}: CHIP is not a modmul.chips.Chip")
    return found


_KNOWN = _modules()

CHIPS: Mapping[str, Chip] = MappingProxyType(_load(_KNOWN))
"""Every chip family by name."""

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {found.name: found for found in map(_content, _KNOWN) if isinstance(found, Family)}
)
"""Those whose chips take an argument, by name."""


def names() -> list[str]:
    """What can be asked for, as people write it: names, and ``liberty:FILE``."""
    return [*CHIPS, *(f"{each.name}:{each.argument}" for each in FAMILIES.values())]


def chip(name: str) -> Chip:
    """The chip family of that name, or the chip of ``NAME:ARGUMENT``.

    Raises:
        UnknownChip: there is none, or the argument makes none; the message says what to take, or what to do.
    """
    if name in CHIPS:
        return CHIPS[name]
    family, _, argument = name.partition(":")
    if family in FAMILIES and argument:
        try:
            return FAMILIES[family].of(argument)
        except ChipError as error:
            raise UnknownChip(str(error)) from error
    if family in FAMILIES:
        found = FAMILIES[family]
        raise UnknownChip(f"{found.name} takes an argument, {found.name}:{found.argument}: {found.title}")
    raise UnknownChip(f"no target named {name!r}; {_hint(name)}")


def _hint(name: str) -> str:
    """What to take in place of a name that nothing has."""
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    standing = {each: _likeness(plain, each) for each in CHIPS.values()}
    most = max(standing.values())
    if plain and most:
        near = [f"{each.name} ({each.title})" for each, likeness in standing.items() if likeness == most]
        return f"the nearest is {' or '.join(near)}"
    close = get_close_matches(name, CHIPS, n=2, cutoff=0.6)
    return f"did you mean {', '.join(close)}?" if close else f"there are {', '.join(names())}"


def _likeness(plain: str, each: Chip) -> int:
    """How many letters of a name stand for a chip: those of the longest of its names that begins it."""
    known = (each.name, *each.stands_for)
    return max((len(begin) for begin in known if plain.startswith(begin)), default=0)


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
